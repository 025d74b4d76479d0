// SPDX-License-Identifier: MIT
// Starts Debian's Chromium with software drawing, a fresh profile and nothing that calls home.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

const FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=gl-egl",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
];

/** {context, close}; size of the page in CSS pixels */
export async function openBrowser(width, height, more = []) {
    const profile = await mkdtemp(join(tmpdir(), "biela-browser-"));
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: executable,
        headless: true,
        args: [...FLAGS, ...more],
        viewport: { width, height },
        locale: "en-GB",
    });
    return {
        context,
        async close() {
            await context.close();
            await rm(profile, { recursive: true, force: true });
        },
    };
}
