// SPDX-License-Identifier: MIT
// The playground: writing, mistakes, plots, links, what is kept when something ends, keys only, and for everybody.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { executable as browser, openBrowser } from "./browser.mjs";
import { biela, executable, serveFiles, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !existsSync(join(folder, "playground.html")) ? "no build/page: tools/page makes it" : false;
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** the model of docs/guide/first-model.md, as it stands there */
const PENDULUM = /```yaml swing\.yaml\n([^]*?)```/.exec(readFileSync(join(web, "../docs/guide/first-model.md"), "utf8"))[1];
let server, opened;

before(async () => {
    if (!skip) {
        server = await serveFiles(folder);
        opened = await openBrowser(1280, 720);
    }
});

after(async () => {
    await opened?.close();
    await server?.stop();
});

afterEach(async () => {
    for (const page of opened?.context.pages() ?? []) {
        if (page.url() !== "about:blank") {
            await page.close();
        }
    }
    // a page that closes keeps its text: what was kept goes when all are closed
    const page = await opened?.context.newPage();
    await page?.goto(`${server.url}schema.json`);
    await page?.evaluate(() => localStorage.clear());
    await page?.close();
});

/** limit: seconds that reading and running may take; as many as a busy machine wants, but where a test is about it */
async function openPlayground(query = "lang=en", hash = "", { limit = 600, url = server.url } = {}) {
    const page = await opened.context.newPage();
    page.setDefaultTimeout(240000); // a busy machine is no failure
    page.mistakes = [];
    page.on("pageerror", (error) => page.mistakes.push(error.message));
    await page.goto(`${url}playground.html?quality=low&limit=${limit}&${query}${hash}`);
    // the text that it begins with is there, or the link is refused: what is set before would be lost
    await page.waitForFunction(() => window.playground && document.querySelector(".cm-content") && (document.querySelector("#state").dataset.state || document.querySelector("#bad-link")));
    return page;
}

const textOf = (page) => page.evaluate(() => window.playground.editor.text);
const good = (page) => page.waitForFunction(() => document.querySelector("#state").dataset.state === "good" && document.body.dataset.hash);
const hashOf = (page) => page.evaluate(() => document.body.dataset.hash);
const setText = (page, text) => page.evaluate((words) => window.playground.editor.setText(words), text);
/** from now on reading and running may take so many seconds */
const hurry = (page, seconds) => page.evaluate((ms) => Object.assign(window.playground.desk.limits, { check: ms, run: ms }), 1e3 * seconds);
/** without the help of the editor, which writes brackets by itself */
const type = (page, text) => page.keyboard.insertText(text);

async function select(page, words) {
    const [from, to] = await page.evaluate((wanted) => {
        const text = window.playground.editor.text;
        return [text.indexOf(wanted), text.indexOf(wanted) + wanted.length];
    }, words);
    await page.evaluate(([a, b]) => window.playground.editor.insert(a, a, "", { from: a, to: b }), [from, to]);
    await page.focus(".cm-content");
}

test("the guide's pendulum is written, broken, mended, plotted and shared; the link gives the same result", { skip }, async () => {
    const page = await openPlayground();
    await page.focus(".cm-content");
    await page.keyboard.press("Control+A");
    await type(page, PENDULUM);
    await good(page);
    const hash = await hashOf(page);
    if (executable) {
        const { writeFileSync, mkdtempSync } = await import("node:fs");
        const path = join(mkdtempSync("/tmp/biela-play-"), "swing.yaml");
        writeFileSync(path, PENDULUM);
        assert.equal(JSON.parse(biela("run", path, "--out", `${path}.csv`, "--json")).hash, hash);
    }
    // the scene runs this model
    const scene = page.frames().find((frame) => frame.url().includes("beside"));
    await scene.waitForFunction(() => window.biela.frame()?.t > 0.2 && window.biela.view.machine.scene.bodies.length === 1);
    // a mistake: its words, its line, and the last good model stays
    await select(page, "mass: m");
    await type(page, "mas: m");
    await page.waitForSelector(".issue");
    const first = page.locator(".issue").first();
    assert.match(await first.textContent(), /9:9/);
    assert.match(await first.textContent(), /unknown key 'mas' \(did you mean 'mass'\?\)/);
    assert.ok((await page.locator(".cm-lintRange-error").count()) >= 1);
    assert.ok(await page.isVisible("#old"));
    assert.equal(await page.getAttribute("#state", "data-state"), "mistakes");
    assert.ok(await scene.evaluate(() => window.biela.view.machine.scene.bodies.length === 1));
    // pressed, it leads to its place
    await first.click();
    await page.keyboard.press("Control+Delete");
    await type(page, "mass");
    await good(page);
    assert.ok(await page.isHidden("#old"));
    assert.equal(await hashOf(page), hash);
    // a channel is plotted, and an instant of the plot is one of the scene
    await page.check('[data-channel="tip.x"]');
    assert.equal(await page.locator(".diagram canvas").count(), 3);
    await page.evaluate(() => document.querySelector(".diagram canvas").scrollIntoView());
    await page.locator(".diagram canvas").first().click({ position: { x: 150, y: 50 } });
    await scene.waitForFunction(() => (window.biela.frame().flags & 2) !== 0);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#text="));
    const link = new URL(page.url()).hash;
    assert.ok(link.length < 1000, `${link.length} letters`);
    const other = await openPlayground("lang=en", link);
    await good(other);
    assert.equal(await hashOf(other), hash);
    assert.equal(await textOf(other), PENDULUM);
    assert.match(await other.textContent("#result"), /same result/);
    assert.ok(await other.isChecked('[data-channel="tip.x"]'));
    assert.deepEqual([...page.mistakes, ...other.mistakes], []);
});

test("completion and help come from the schema", { skip }, async () => {
    const page = await openPlayground();
    await setText(page, "biela: 1\nname: a\nbodies:\n  rod: {mass: 1, inertia: {rod: [1, 0, 0]}}\njoints:\n  pivot: {type: }\n");
    await page.evaluate(() => {
        const at = window.playground.editor.text.indexOf("type: ") + 6;
        window.playground.editor.insert(at, at, "");
        window.playground.editor.focus();
    });
    await page.keyboard.type("rev");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    assert.match(await page.textContent(".cm-tooltip-autocomplete"), /revolute/);
    await page.waitForTimeout(120); // the list takes no key in its first moment
    await page.keyboard.press("Enter");
    assert.match(await textOf(page), /type: revolute/);
    await page.hover(".cm-line:nth-child(4) >> text=mass");
    await page.waitForSelector(".hover-help");
    assert.match(await page.textContent(".hover-help"), /bodies\.rod\.mass.*kg/s);
});

test("a sweep lays curves over each other, and its value goes into the text", { skip }, async () => {
    const page = await openPlayground();
    await setText(page, PENDULUM);
    await good(page);
    await page.selectOption("#sweep-parameter", "L");
    await page.click("#sweep-start");
    await page.waitForFunction(() => window.playground.sweep.runs.length === 9 && window.playground.sweep.runs.every((one) => one));
    const hashes = await page.evaluate(() => window.playground.sweep.runs.map((one) => one.hash));
    assert.equal(new Set(hashes).size, 9);
    // the middle value is that of the text: the same run
    assert.equal(hashes[4], await hashOf(page));
    await page.focus("#sweep-value");
    await page.keyboard.press("End");
    await page.click("#sweep-use");
    await page.waitForFunction((hash) => document.body.dataset.hash === hash, hashes[8]);
    assert.match(await textOf(page), /L: 1\.5 m/);
});

test("six presses make a double pendulum that runs", { skip }, async () => {
    const page = await openPlayground("lang=es");
    for (let k = 1; k <= 4; k++) {
        await page.click(`[data-step="${k}"]`);
    }
    await good(page);
    assert.match(await textOf(page), /bodies: \[rod1, rod2\]/);
    assert.equal(await page.locator('.steps li[data-done="true"]').count(), 6);
    for (const what of ["spring", "damper", "motor", "output", "parameter", "ball", "joint", "box", "slider", "run"]) {
        await page.click(`[data-add="${what}"]`);
    }
    await page.waitForTimeout(500);
    await good(page);
});

test("the text is kept when the worker is killed, the page is loaded again, or a model does not end", { skip }, async () => {
    const page = await openPlayground();
    await setText(page, PENDULUM.replace("My pendulum", "Kept"));
    await good(page);
    const hash = await hashOf(page);
    await hurry(page, 2);
    await page.evaluate(() => window.playground.desk.worker.terminate());
    await setText(page, PENDULUM.replace("My pendulum", "Kept still"));
    // the worker that was killed never answers: after the limit that is said, and a fresh one goes on
    await page.waitForSelector("#trouble:not([hidden])");
    assert.match(await page.textContent("#trouble"), /text is kept/);
    await hurry(page, 600);
    await page.click("#again");
    await good(page);
    assert.equal(await hashOf(page), hash);
    await page.reload();
    await good(page);
    assert.match(await textOf(page), /Kept still/);
    await hurry(page, 4);
    // twenty hours of steps
    await setText(page, PENDULUM.replace("time: 5, dt: 1e-3", "time: 72000, dt: 1e-5"));
    await page.waitForSelector("#trouble:not([hidden])");
    assert.match(await page.textContent("#trouble"), /takes too long/);
    await page.close();
    // a closed tab: the next one has the text
    const next = await openPlayground();
    assert.match(await textOf(next), /72000/);
    await setText(next, PENDULUM);
    await good(next);
    // the scene's own worker ends: that is said, and the next change begins again
    const scene = next.frames().find((frame) => frame.url().includes("beside"));
    await next.waitForFunction(() => !window.playground.scene.isLoading); // not a frame of the drive before
    await scene.waitForFunction(() => window.biela.frame()?.t > 0.1);
    await next.evaluate(() => (window.playground.scene.patience = 3000));
    await scene.evaluate(() => window.biela.transport.engine.worker.terminate());
    await next.waitForSelector("#trouble:not([hidden])");
    assert.match(await next.textContent("#trouble"), /The scene did not answer/);
    await next.evaluate(() => (window.playground.scene.patience = 600000));
    await setText(next, PENDULUM.replace("2 kg", "3 kg"));
    await scene.waitForFunction(() => window.biela.transport.isOpen);
    await next.waitForSelector("#trouble", { state: "hidden" });
});

test("a tab that is duplicated, and one whose text was forgotten by the browser, keep what stands in them", { skip }, async () => {
    const page = await openPlayground();
    await setText(page, PENDULUM.replace("My pendulum", "First"));
    await good(page);
    // as a browser duplicates a tab: with all that it keeps for this one
    const own = await page.evaluate(() => ({ ...sessionStorage }));
    const twin = await opened.context.newPage();
    twin.setDefaultTimeout(240000);
    await twin.addInitScript((kept) => location.pathname.endsWith("playground.html") && !sessionStorage.length && Object.assign(sessionStorage, kept), own);
    await twin.goto(page.url());
    await good(twin);
    assert.match(await textOf(twin), /First/);
    await setText(twin, PENDULUM.replace("My pendulum", "Second"));
    await good(twin);
    await page.reload();
    await good(page);
    assert.match(await textOf(page), /First/);
    // room was made by forgetting everything
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await good(page);
    assert.match(await textOf(page), /First/);
});

test("a browser that keeps nothing says so, and asks before the text is left", { skip }, async () => {
    const page = await openPlayground();
    await page.evaluate(() => (Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }));
    await page.focus(".cm-content");
    await type(page, "# mine\n");
    await page.waitForFunction(() => /keeps no more/.test(document.querySelector("#notice").textContent));
    const asked = new Promise((resolve) => page.once("dialog", (dialog) => dialog.accept().then(() => resolve(dialog.type()))));
    await page.close({ runBeforeUnload: true });
    assert.equal(await asked, "beforeunload");
});

test("an engine of another build, or one that cannot be fetched, is told, and the text is there when all is fetched anew", { skip }, async () => {
    const bench = readFileSync(join(folder, "engine/bench.js"), "utf8");
    const name = readFileSync(join(folder, "sw.js"), "utf8").match(/"([0-9a-f]{12})"/)[1];
    for (const [language, more, words] of [
        ["en", { "engine/bench.js": bench.replaceAll(name, "0123456789ab") }, /different builds.*The text is kept/],
        ["es", { "engine/biela.wasm": Buffer.concat([readFileSync(join(folder, "engine/biela.wasm")), Buffer.from([0])]) }, /compilaciones distintas.*El texto se conserva/],
        ["en", { "engine/biela.wasm": null }, /cannot be fetched.*The text is kept.*404/],
    ]) {
        const mixed = await serveFiles(folder, more);
        const page = await openPlayground(`lang=${language}`, "", { url: mixed.url });
        await page.focus(".cm-content");
        await page.keyboard.press("Control+A");
        await type(page, PENDULUM.replace("My pendulum", "Typed meanwhile"));
        await page.waitForSelector("#trouble:not([hidden])");
        assert.match(await page.textContent("#trouble"), words);
        const { port } = mixed;
        await mixed.stop();
        const right = await serveFiles(folder, {}, port);
        await page.click("#again");
        await page.waitForFunction(() => window.playground && document.querySelector("#state")?.dataset.state === "good");
        assert.match(await textOf(page), /Typed meanwhile/);
        await page.close();
        await right.stop();
    }
});

test("a damaged link has a page of its own, and the text of before is not lost", { skip }, async () => {
    const page = await openPlayground("lang=en");
    await setText(page, PENDULUM.replace("My pendulum", "Mine"));
    await good(page);
    for (const [hash, words] of [["#text=1234abcd.AAAA", /damaged/], ["#text=%00", /damaged/], ["#text=", /damaged/]]) {
        const other = await openPlayground("lang=en", hash);
        await other.waitForSelector("#bad-link");
        assert.match(await other.textContent("#bad-link"), words);
        await other.click("#link-own");
        assert.match(await textOf(other), /Mine/);
        await other.close();
    }
    const spanish = await openPlayground("lang=es", "#text=zz");
    assert.match(await spanish.textContent("#bad-link"), /dañado/);
});

test("dropped files: a table beside the text, a model in its place, a large model as a file", { skip }, async () => {
    const page = await openPlayground();
    const drop = async (name, text) => {
        const data = await page.evaluateHandle(
            ([file, words]) => {
                const transfer = new DataTransfer();
                transfer.items.add(new File([words], file));
                return transfer;
            },
            [name, text],
        );
        await page.dispatchEvent("body", "drop", { dataTransfer: data });
    };
    await drop("pull.yaml", `${PENDULUM.replace(/run: .*/, "run: {time: 1}")}tables:\n  pull: {file: data/pull.csv}\nforces:\n  f: {type: torque, joint: pivot, torque: pull(t)}\n`);
    await page.waitForSelector(".issue");
    assert.match(await page.textContent("#mistakes"), /pull\.csv/);
    await drop("pull.csv", "t,M\n0,0\n1,2\n");
    await good(page);
    assert.match(await page.textContent("#files"), /pull\.csv/);
    const hash = await hashOf(page);
    // what goes into a link is opened with its files
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#text="));
    const other = await openPlayground("lang=en", new URL(page.url()).hash);
    await good(other);
    assert.equal(await hashOf(other), hash);
    // letters that do not pack well
    let state = 1;
    const noise = Array.from({ length: 30000 }, () => "abcdefghijklmnopqrstuvwxyz0123456789"[(state = (state * 48271) % 2147483647) % 36]).join("");
    await drop("noise.csv", noise);
    const download = page.waitForEvent("download");
    await page.click("#share");
    assert.match((await download).suggestedFilename(), /\.biela\.json$/);
    const file = readFileSync(await (await download).path(), "utf8");
    await setText(page, "biela: 1\nname: other\n");
    await drop("model.biela.json", file);
    await good(page);
    assert.equal(await hashOf(page), hash);
});

test("keys only: from the text through every button to the plots", { skip }, async () => {
    const page = await openPlayground();
    await setText(page, PENDULUM);
    await good(page);
    await page.focus("#open");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#open-dialog[open]");
    await page.keyboard.press("Escape");
    const seen = new Set();
    await page.focus(".brand");
    for (let k = 0; k < 60; k++) {
        await page.keyboard.press("Tab");
        const focus = await page.evaluate(() => ({ id: document.activeElement.id || document.activeElement.className, isShown: parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2 || document.activeElement.tagName === "IFRAME" || document.activeElement.closest(".cm-editor") !== null }));
        assert.ok(focus.isShown || !focus.id, `${focus.id} does not show its focus`);
        seen.add(String(focus.id).split(" ")[0]);
        if (focus.id.includes("cm-content")) {
            await page.keyboard.press("Escape"); // then Tab leaves
        }
    }
    for (const id of ["open", "share", "save", "language", "cm-content", "scene", "channel-filter", "sweep-parameter", "sweep-start"]) {
        assert.ok(seen.has(id), `${id} is not reached by Tab: ${[...seen].join(" ")}`);
    }
    await page.focus("#language");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.lang === "es");
    // on a busy machine the last change may still be computed
    await page.waitForFunction(() => /sin errores/.test(document.querySelector("#state").textContent));
});

for (const lang of ["en", "es"]) {
    test(`axe-core finds nothing (${lang})`, { skip }, async () => {
        const page = await openPlayground(`lang=${lang}`);
        const source = readFileSync(axe, "utf8");
        const complaints = async (where) => {
            await page.evaluate((script) => void (window.axe || (0, eval)(script)), source);
            const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"], iframes: false })).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(" ")}`));
            return found.map((line) => `${where}: ${line}`);
        };
        const found = await complaints("beginning");
        await setText(page, PENDULUM);
        await good(page);
        found.push(...(await complaints("good")));
        await setText(page, PENDULUM.replace("mass: m", "mas: m"));
        await page.waitForSelector(".issue");
        found.push(...(await complaints("mistakes")));
        await page.click("#open");
        await page.waitForSelector(".card");
        found.push(...(await complaints("open")));
        await page.keyboard.press("Escape");
        await page.click("#save");
        found.push(...(await complaints("save")));
        await page.setViewportSize({ width: 390, height: 844 });
        found.push(...(await complaints("small")));
        await page.click("#tab-plots");
        found.push(...(await complaints("small plots")));
        assert.deepEqual(found, []);
    });
}

test("after the first visit the playground works without a network", { skip }, async () => {
    const own = await serveFiles(folder);
    const address = `${own.url}playground.html?lang=en&quality=low`;
    const page = await opened.context.newPage();
    await page.goto(address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.close();
    await own.stop();
    const offline = await opened.context.newPage();
    offline.setDefaultTimeout(240000);
    await offline.goto(`${address}&limit=600`);
    await offline.waitForFunction(() => window.playground);
    await setText(offline, PENDULUM);
    await good(offline);
});
