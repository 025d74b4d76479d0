// SPDX-License-Identifier: MIT
// The package in Chromium, in a worker: the hash of each run is that of the command, and of Node.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hashByCommand, TEN_SECONDS } from "../engine/runs.mjs";
import { executable as browser, openBrowser } from "./browser.mjs";
import { executable, serveFiles, web } from "./harness.mjs";

const folder = join(web, "../build/npm");
const skip = !browser ? "no browser" : !executable ? "no engine: BIELA names none" : !existsSync(folder) ? "no build/npm: tools/page makes it" : false;
const WORKER = `
import { load } from "./browser.js";
const ready = load({ models: true });
onmessage = async ({ data }) => {
    try {
        const biela = await ready;
        const sim = biela.open(data.model, { set: data.set }).sim({ time: data.time });
        postMessage({ hash: sim.run({ channels: [] }).hash });
    } catch (error) {
        postMessage({ hash: String(error) });
    }
};`;
const PAGE = `<!doctype html><title>bits</title><script>
const worker = new Worker("worker.js", { type: "module" });
window.run = (wanted) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data.hash);
    worker.onerror = (event) => resolve(event.message);
    worker.postMessage(wanted);
});
</script>`;

let server, opened, page;
before(async () => {
    if (!skip) {
        server = await serveFiles(folder, { "index.html": PAGE, "worker.js": WORKER });
        opened = await openBrowser(320, 200);
        page = await opened.context.newPage();
        await page.goto(server.url);
    }
});
after(async () => {
    await opened?.close();
    await server?.stop();
});

for (const run of TEN_SECONDS) {
    test(`the same bits in Chromium: ${run.model}, ${run.time} s`, { skip }, async () => {
        assert.equal(await page.evaluate((wanted) => window.run(wanted), run), hashByCommand(executable, run));
    });
}

test("the package runs on the main thread of a page, too", { skip }, async () => {
    const found = await page.evaluate(async () => {
        const { load } = await import("./browser.js");
        const biela = await load();
        const model = biela.model("biela: 1\nname: fall\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\nrun: {time: 1}\n");
        const sim = model.sim();
        sim.runTo(1);
        return { issues: model.issues.length, z: sim.poses[9], bad: biela.model("biela: 1\nbodies: {a: {mas: 1}}\n").issues.length };
    });
    assert.equal(found.issues, 0);
    assert.ok(Math.abs(found.z + 9.80665 / 2) < 1e-9, String(found.z));
    assert.ok(found.bad > 0);
});
