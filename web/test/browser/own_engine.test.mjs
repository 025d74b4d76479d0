// SPDX-License-Identifier: MIT
// The page with its own engine, from a server of files that knows nothing: build/page (tools/page).
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { executable as browser, openBrowser } from "./browser.mjs";
import { biela, executable, openPage, serveFiles, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !executable ? "no engine: BIELA names none" : !existsSync(folder) ? "no build/page: tools/page makes it" : false;
let server, url, opened, work;

before(async () => {
    if (skip) {
        return;
    }
    server = await serveFiles(folder);
    url = server.url;
    opened = await openBrowser(640, 360);
    work = mkdtempSync(join(tmpdir(), "biela-own-"));
});

after(async () => {
    await opened?.close();
    await server?.stop();
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

test("eigenvalues follow the drive, without a thread of their own", { skip }, async () => {
    const page = await openPage(opened.context, url, "lang=en&quality=low&model=bicycle");
    await page.keyboard.press("x");
    await page.waitForFunction(() => /unstable|stable/.test(document.querySelector("#panel-modes")?.textContent ?? ""));
    // the machine keeps time beside it
    const from = await frameOf(page);
    await page.waitForFunction((t) => window.biela.frame().t > t + 1, from.t);
    assert.deepEqual(page.mistakes, []);
    await page.close();
});

test("going back, taking over, parameters, plots, exercises, stress, pictures and videos work on the page's own engine", { skip }, async () => {
    const page = await openPage(opened.context, url, "lang=en&quality=low&model=pendulum-cart");
    await page.waitForFunction(() => window.biela.frame().t > 1);
    await page.keyboard.down("ArrowLeft");
    await page.waitForFunction(() => (window.biela.frame().flags & 2) !== 0 && window.biela.frame().t < 0.8);
    await page.keyboard.up("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => (window.biela.frame().flags & 3) === 0);
    const history = await page.evaluate(async () => (await (await window.biela.transport.ask("history")).arrayBuffer()).byteLength);
    assert.ok(history > 100, `${history} bytes`);
    await page.keyboard.press("m");
    await page.fill('[data-parameter="L"]', "2");
    await page.click("#apply");
    await page.waitForFunction(() => window.biela.view.machine?.scene.parameters.find((p) => p.name === "L").value === 2);
    await page.evaluate(() => window.biela.page.act("video"));
    await page.waitForFunction(() => window.biela.frame().t > 1);
    const [video] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => window.biela.page.act("video"))]);
    assert.match(video.suggestedFilename(), /webm$/);
    const [picture] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => window.biela.page.act("picture"))]);
    assert.match(picture.suggestedFilename(), /png$/);
    assert.deepEqual(page.mistakes, []);
    await page.close();

    const truck = await openPage(opened.context, url, "lang=en&quality=low&model=forklift");
    await truck.selectOption("#exercise-choice", "2-slalom");
    await truck.waitForSelector("#exercise:not([hidden])");
    assert.deepEqual(truck.mistakes, []);
    await truck.close();
    const bent = await openPage(opened.context, url, "lang=en&quality=low&model=forklift&run=mast-bench");
    await bent.waitForFunction(() => window.biela.view.machine.flexible?.[0]?.now > 0);
    await bent.close();
});
