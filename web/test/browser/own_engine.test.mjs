// SPDX-License-Identifier: MIT
// The page with its own engine, from a server of files that knows nothing: build/page (tools/page).
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { executable as browser, openBrowser } from "./browser.mjs";
import { biela, executable, openPage, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !executable ? "no engine: BIELA names none" : !existsSync(folder) ? "no build/page: tools/page makes it" : false;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const PREFIX = "/some/where/";

let server, url, opened, work;

before(async () => {
    if (skip) {
        return;
    }
    server = createServer((request, reply) => {
        const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
        const path = join(folder, name.slice(PREFIX.length) || "index.html");
        if (!name.startsWith(PREFIX) || !path.startsWith(folder) || !existsSync(path)) {
            reply.writeHead(404).end();
            return;
        }
        reply.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${server.address().port}${PREFIX}`;
    opened = await openBrowser(640, 360);
    work = mkdtempSync(join(tmpdir(), "biela-own-"));
});

after(async () => {
    await opened?.close();
    server?.close();
    if (work) {
        rmSync(work, { recursive: true, force: true });
    }
});

const frameOf = (page) => page.evaluate(() => ({ t: window.biela.frame().t, paused: window.biela.frame().flags & 1 }));

/** Drops a file onto the page, as a hand does. */
async function drop(page, name, bytes) {
    const data = await page.evaluateHandle(
        ([name, text]) => {
            const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], name));
            return transfer;
        },
        [name, bytes.toString("base64")],
    );
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

test("a model is driven without a server of its own", { skip }, async () => {
    const page = await openPage(opened.context, url, "lang=en&quality=low&model=pendulum-cart");
    await page.waitForFunction(() => window.biela.frame()?.t > 0.2);
    const from = await frameOf(page);
    await page.keyboard.down("d");
    await page.waitForFunction((t) => window.biela.frame().t > t + 0.3, from.t);
    await page.keyboard.up("d");
    assert.deepEqual(page.mistakes, []);
    await page.close();
});

test("a recording of the command is the same to the bit in the page, and one that was changed is not", { skip }, async () => {
    const path = join(work, "drive.biela");
    biela("drive", "pendulum-cart", "--headless", "--unpaced", "--time", "2", "--record", path, "--quiet");
    const page = await openPage(opened.context, url, "lang=en&quality=low&model=pendulum-cart");
    const bytes = readFileSync(path);
    await drop(page, "drive.biela", bytes);
    await page.waitForFunction(() => document.body.dataset.replay === "same");
    await page.waitForFunction(() => (window.biela.frame().flags & 2) !== 0); // rewound: it is shown again
    await drop(page, "cut.biela", bytes.subarray(0, 100));
    await page.waitForFunction(() => document.body.dataset.replay === "unreadable");
    assert.deepEqual(page.mistakes, []);
    await page.close();
});

test("a model that cannot be read says so in the engine's own words", { skip }, async () => {
    const page = await openPage(opened.context, url, "lang=en&quality=low&model=pendulum-cart");
    await drop(page, "bad.yaml", Buffer.from("biela: 1\nname: bad\nbodies: {a: {mas: 1}}\n"));
    await page.waitForSelector(".engine-failed pre");
    const words = await page.textContent(".engine-failed pre");
    assert.match(words, /dropped\.yaml:3/);
    assert.match(words, /mas/);
    await page.close();
});
