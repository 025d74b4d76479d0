// SPDX-License-Identifier: MIT
// The report of a drive on a screen, on a phone and on paper, in both languages; and the way to it from a drive that goes on.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { biela, executable, startDrive } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser, folder;

before(async () => {
    if (!skip) {
        browser = await openBrowser(1280, 720);
        folder = await mkdtemp(join(tmpdir(), "biela-report-"));
        biela("drive", "forklift", "--run", "roll-over", "--headless", "--unpaced", "--time", "3", "--quiet", "--record", join(folder, "a.biela"));
    }
});

after(async () => {
    await browser?.close();
    if (folder) {
        await rm(folder, { recursive: true, force: true });
    }
});

/** pages of a PDF, and its sheets in points */
const sheets = (pdf) => {
    const text = pdf.toString("latin1");
    return { count: (text.match(/\/Type\s*\/Page\b/g) ?? []).length, sizes: [...text.matchAll(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/g)].map(([, w, h]) => [Number(w), Number(h)]) };
};

for (const language of ["en", "es"]) {
    test(`the report in ${language} fits a screen, a phone and A4`, { skip }, async () => {
        const file = join(folder, `${language}.html`);
        biela("report", join(folder, "a.biela"), "--quiet", "--language", language, "--vary", "speed", "--out", file);
        const page = await browser.context.newPage();
        for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height: 800 });
            await page.goto(`file://${file}`);
            const seen = await page.evaluate(() => ({
                language: document.documentElement.lang,
                wide: document.documentElement.scrollWidth,
                pictures: [...document.images].map((image) => image.naturalWidth / image.naturalHeight - image.width / image.height),
                columns: getComputedStyle(document.querySelector(".two")).gridTemplateColumns.split(" ").length,
            }));
            assert.equal(seen.language, language);
            assert.ok(seen.wide <= width, `${seen.wide} of ${width}`);
            assert.ok(seen.pictures.length >= 3 && seen.pictures.every((off) => Math.abs(off) < 0.02), seen.pictures.join(" "));
            assert.equal(seen.columns, width > 700 ? 2 : 1);
        }
        const { count, sizes } = sheets(await page.pdf({ preferCSSPageSize: true }));
        assert.ok(count >= 3 && count <= 9, `${count} sheets`);
        assert.ok(sizes.every(([w, h]) => Math.abs(w - 595) < 2 && Math.abs(h - 842) < 2), JSON.stringify(sizes));
        await page.close();
    });
}

test("a drive that goes on is told so, in the language asked for", { skip }, async () => {
    const server = await startDrive("pendulum-cart", ["--record", join(folder, "on.biela")]);
    const page = await browser.context.newPage();
    for (const [path, words] of [["report.html", "still being driven"], ["report-es.html", "todavía se conduce"]]) {
        const address = new URL(server.url);
        address.pathname = `/${path}`;
        await page.goto(address.href);
        await page.waitForFunction((sought) => document.body.textContent.includes(sought), words, { timeout: 30000 });
    }
    await page.close();
    await server.stop();
});
