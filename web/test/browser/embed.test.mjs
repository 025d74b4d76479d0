// SPDX-License-Identifier: MIT
// Models in a page of somebody else, on another host: lazy, paused out of sight, with a way to the playground.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { executable as browser, openBrowser } from "./browser.mjs";
import { serveFiles, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !existsSync(join(folder, "embed.js")) ? "no build/page: tools/page makes it" : false;
let engine, notes, opened, address;

before(async () => {
    if (skip) {
        return;
    }
    engine = await serveFiles(folder);
    const script = (more) => `<script src="${engine.url}embed.js" ${more}></script>`;
    const text = "biela: 1\nname: Of the notes\nbodies: {a: {mass: 1, com: [1, 0, 0]}}\njoints: {j: {type: revolute, bodies: [ground, a], axis: [0, 1, 0]}}\n";
    const body = `<h1>Notes</h1>${script('data-model="double-pendulum" data-set="l1=2"')}<div style="height:3000px"></div><pre id="text">${text}</pre>${script('data-source="#text" data-height="250"')}${script('data-source="#gone"')}`;
    notes = createServer((_, reply) => reply.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><html lang="es"><body>${body}</body></html>`));
    await new Promise((resolve) => notes.listen(0, "127.0.0.1", resolve));
    // another name is another site for the browser
    address = `http://localhost:${notes.address().port}/`;
    opened = await openBrowser(900, 700);
});

after(async () => {
    await opened?.close();
    await engine?.stop();
    notes?.close();
});

test("a model runs when it is seen, rests when it is not, and leads to the playground", { skip }, async () => {
    assert.ok(readFileSync(join(folder, "embed.js")).length < 4096, "the script is small");
    const page = await opened.context.newPage();
    page.setDefaultTimeout(120000);
    const mistakes = [];
    page.on("pageerror", (error) => mistakes.push(error.message));
    await page.goto(address);
    await page.waitForFunction(() => document.querySelectorAll("iframe").length === 1);
    /** the frame of an address, once it is there */
    const frameOf = async (part) => {
        for (;;) {
            const found = page.frames().find((frame) => frame.url().includes(part));
            if (found) {
                return found;
            }
            await page.waitForTimeout(50);
        }
    };
    const first = await frameOf("double-pendulum");
    await first.waitForFunction(() => window.biela?.frame()?.t > 0.1);
    assert.equal(await first.evaluate(() => window.biela.view.machine.scene.parameters.find((one) => one.name === "l1").value), 2);
    assert.match(await first.textContent(".to-playground"), /Editar este modelo/);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => document.querySelectorAll("iframe").length === 2);
    const second = await frameOf("#text=");
    await second.waitForFunction(() => window.biela?.frame()?.t > 0.1 && window.biela.view.machine.scene.bodies.length === 1);
    await first.waitForFunction(() => (window.biela.frame().flags & 1) === 1); // it rests
    await page.evaluate(() => scrollTo(0, 0));
    await first.waitForFunction(() => (window.biela.frame().flags & 1) === 0);
    // what does not exist says so
    assert.match(await page.textContent(".biela-embed:last-of-type"), /#gone/);
    // the text goes along to the playground
    const link = await second.getAttribute(".to-playground", "href");
    const own = await opened.context.newPage();
    await own.goto(new URL(link, engine.url).href);
    await own.waitForFunction(() => document.body.dataset.hash);
    assert.match(await own.evaluate(() => window.playground.editor.text), /Of the notes/);
    assert.deepEqual(mistakes, []);
});
