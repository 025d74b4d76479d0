// SPDX-License-Identifier: MIT
// The page with its own engine where things are missing: no network, no server (one file from a disk), parts of two builds, no WebAssembly,
// no memory, an engine that does not answer.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { executable as browser, openBrowser } from "./browser.mjs";
import { openPage, serveFiles, until, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !existsSync(join(folder, "sw.js")) ? "no build/page: tools/page makes it" : false;
const QUERY = "lang=en&quality=low&model=pendulum-cart";

let opened, work;
before(async () => {
    if (!skip) {
        opened = await openBrowser(800, 500);
        work = mkdtempSync(join(tmpdir(), "biela-offline-"));
    }
});
after(async () => {
    await opened?.close();
    if (work) {
        rmSync(work, { recursive: true, force: true });
    }
});

/** a page that is not expected to show anything but words */
async function openBroken(url, query, prepare = async () => {}) {
    const page = await opened.context.newPage();
    page.setDefaultTimeout(180000);
    await prepare(page);
    await page.goto(`${url}?${query}`);
    return page;
}

const wordsOf = async (page) => {
    await page.waitForSelector(".engine-failed pre");
    return page.textContent(".engine-failed");
};

test("simulator and drive are saved as one file, which opens from a disk without a network", { skip }, async () => {
    const server = await serveFiles(folder);
    const page = await openPage(opened.context, server.url, QUERY);
    await page.keyboard.down("d");
    await until(page, () => window.biela.frame().t > 0.8);
    await page.keyboard.up("d");
    await until(page, () => window.biela.frame().t > 1.6);
    await page.keyboard.press("9");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#share-whole")]);
    const path = join(work, "whole.html");
    await file.saveAs(path);
    await page.close();
    await server.stop();
    assert.ok(statSync(path).size < 5e6, `${statSync(path).size} bytes`);
    assert.doesNotMatch(readFileSync(path, "utf8").slice(0, 2000), /src="|href="(?!data:)/);

    const asked = [];
    const alone = await openBroken(pathToFileURL(path).href, "lang=en&quality=low", async (p) => p.on("request", (request) => asked.push(request.url())));
    await alone.waitForSelector('#proof[data-proof="same"]');
    await until(alone, () => (window.biela.frame()?.flags & 2) !== 0 && window.biela.page.scene.model === "pendulum-cart");
    // somebody takes over and drives on
    await alone.keyboard.press("ArrowRight");
    await until(alone, () => window.biela.frame().t > 0.5);
    await alone.keyboard.press("Enter");
    await until(alone, () => (window.biela.frame().flags & 3) === 0);
    // and gives it away again, as one file once more
    await alone.keyboard.press("9");
    const [again] = await Promise.all([alone.waitForEvent("download"), alone.click("#share-whole")]);
    await again.saveAs(join(work, "again.html"));
    assert.deepEqual(asked.filter((url) => !/^(file|blob|data):/.test(url)), []);
    await alone.close();
    const second = await openBroken(pathToFileURL(join(work, "again.html")).href, "lang=es&quality=low");
    await second.waitForSelector('#proof[data-proof="same"]');
    await second.close();
});

test("after the first visit the page works without its server", { skip }, async () => {
    const server = await serveFiles(folder);
    const page = await openPage(opened.context, server.url, QUERY);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await server.stop();
    await page.reload();
    await until(page, () => window.biela?.frame()?.t > 0.2);
    assert.deepEqual(page.mistakes, []);
    // pictures of the gallery are there, too
    await page.keyboard.press("8");
    await page.waitForFunction(() => document.querySelector("#gallery img")?.naturalWidth > 0);
    await page.close();
});

test("a new build takes over whole: old page and new engine never meet", { skip }, async () => {
    // the same page as another build, at the same address
    const server = await serveFiles(folder);
    const page = await openPage(opened.context, server.url, QUERY);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await server.stop();
    const old = /BIELA|"([0-9a-f]{12})"/.exec(readFileSync(join(folder, "sw.js"), "utf8").match(/"[0-9a-f]{12}"/)[0])[1];
    const other = old.replace(/./g, (c) => (c === "0" ? "1" : "0"));
    const renamed = (name) => readFileSync(join(folder, name), "utf8").replaceAll(old, other);
    const more = { "engine/worker.js": renamed("engine/worker.js"), "viewer.js": renamed("viewer.js"), "index.html": renamed("index.html") };
    // a new page and engine whose list of sums is wrong: it is not taken in halves
    const broken = await serveFiles(folder, { ...more, "sw.js": renamed("sw.js") }, server.port);
    await page.reload();
    await until(page, () => window.biela?.frame()?.t > 0.1);
    await page.evaluate(() => navigator.serviceWorker.getRegistration().then((r) => r.update().catch(() => {})));
    assert.match(await page.evaluate(() => document.querySelector('script[type="module"]').src), new RegExp(old));
    await page.reload();
    await until(page, () => window.biela?.frame()?.t > 0.1);
    assert.match(await page.evaluate(() => document.querySelector('script[type="module"]').src), new RegExp(old));
    await page.close();
    await broken.stop();
});

test("parts of two builds are told, in both languages, and trying again fetches all of it", { skip }, async () => {
    const old = readFileSync(join(folder, "engine/worker.js"), "utf8");
    const name = readFileSync(join(folder, "sw.js"), "utf8").match(/"([0-9a-f]{12})"/)[1];
    for (const [language, more, words] of [
        ["en", { "engine/worker.js": old.replaceAll(name, "0123456789ab") }, /different builds/],
        ["es", { "engine/biela.wasm": Buffer.concat([readFileSync(join(folder, "engine/biela.wasm")), Buffer.from([0])]) }, /compilaciones distintas/],
        ["en", { "models.pack": Buffer.concat([readFileSync(join(folder, "models.pack")), Buffer.from([0])]) }, /different builds/],
    ]) {
        const server = await serveFiles(folder, more);
        const page = await openBroken(server.url, `lang=${language}&model=pendulum-cart`);
        assert.match(await wordsOf(page), words);
        const { port } = server;
        await server.stop();
        const right = await serveFiles(folder, {}, port);
        await page.click(".engine-failed button");
        await until(page, () => window.biela?.frame()?.t > 0.1);
        await page.close();
        await right.stop();
    }
});

test("a page without WebAssembly, without memory or without a part of it says so", { skip }, async () => {
    const server = await serveFiles(folder);
    const none = await openBroken(server.url, "lang=es", (page) => page.addInitScript(() => delete window.WebAssembly));
    assert.match(await wordsOf(none), /necesita WebAssembly/);
    await none.close();
    await server.stop();

    const worker = readFileSync(join(folder, "engine/worker.js"), "utf8");
    const starved = await serveFiles(folder, { "engine/worker.js": `WebAssembly.instantiate = async () => { throw new RangeError("could not allocate memory"); };\n${worker}` });
    const poor = await openBroken(starved.url, "lang=en");
    assert.match(await wordsOf(poor), /no memory left/);
    await poor.close();
    await starved.stop();

    const partial = await serveFiles(folder, { "models.pack": null });
    const missing = await openBroken(partial.url, "lang=en");
    assert.match(await wordsOf(missing), /cannot be fetched/);
    assert.match(await wordsOf(missing), /models.pack: 404/);
    await missing.close();
    await partial.stop();
});

test("an engine that does not answer is stopped, and one that the browser ended is told", { skip }, async () => {
    const server = await serveFiles(folder);
    const page = await openPage(opened.context, server.url, QUERY);
    await page.evaluate(() => window.biela.setPatience(4000));
    // fifty thousand pendulums take for ever to be compiled
    const yaml = "biela: 1\nname: endless\nbodies:\n  a$(i): {for: {i: 1..50000}, mass: 1, inertia: [1, 1, 1]}\njoints:\n  j$(i): {for: {i: 1..50000}, type: revolute, bodies: [ground, a$(i)], axis: [0, 1, 0]}\nrun: {time: 1, formulation: joint}\n";
    const data = await page.evaluateHandle((text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "endless.yaml"));
        return transfer;
    }, yaml);
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    assert.match(await wordsOf(page), /did not answer|no memory/);
    await page.close();

    const killed = await openPage(opened.context, server.url, QUERY);
    await killed.evaluate(() => window.biela.setPatience(3000));
    await killed.evaluate(() => window.biela.transport.engine.worker.terminate());
    assert.match(await wordsOf(killed), /did not answer/);
    await killed.close();
    await server.stop();
});
