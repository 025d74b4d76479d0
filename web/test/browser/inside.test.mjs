// SPDX-License-Identifier: MIT
// The view into a slider-crank: points that are variables, shared and constant, redundant rows, by keys and by mouse.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { clickTool, executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("slider-crank", ["--formulation", "natural", "--no-record"]);
        browser = await openBrowser(900, 540);
        page = await openPage(browser.context, server.url);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

const mark = (name, layer) => page.evaluate(([n, l]) => window.biela.view.inside.marks.findIndex((one) => one.name === n && one.layer === l), [name, layer]);
const place = (index) => page.evaluate((i) => window.biela.view.inside.place(window.biela.view.inside.marks[i]).toArray(), index);
const label = () => page.locator("#inside-label").innerText();

test("5 opens the view, and the list tells shared, constant and redundant", { skip }, async () => {
    await page.keyboard.press("5");
    await until(page, () => window.biela.view.inside?.marks.length > 0);
    const list = await page.locator("#inside-list").innerText();
    assert.match(list, /crank\.point1 · point, variable · shared by crank, rod/);
    assert.match(list, /A · point, constant · shared by ground, crank/);
    assert.match(list, /revolute joint: .* · \d redundant rows/);
    // a planar loop of three revolute and a prismatic joint: 6 * 3 - 4 * 5 = -2, and one moves
    assert.equal(await page.locator("#inside-redundant").innerText(), "3 redundant rows");
});

test("points move with the machine: the pin keeps its distance from the bearing", { skip }, async () => {
    const pin = await mark("crank.point1", "points");
    const bearing = await mark("A", "points");
    const start = await place(pin);
    await until(page, ([i, x, z]) => {
        const now = window.biela.view.inside.place(window.biela.view.inside.marks[i]);
        return Math.hypot(now.x - x, now.z - z) > 0.01;
    }, [pin, start[0], start[2]]);
    const [a, b] = [await place(bearing), await place(bearing)];
    assert.deepEqual(a, b);
    // both in one instant
    const apart = await page.evaluate(([i, k]) => window.biela.view.inside.place(window.biela.view.inside.marks[i]).distanceTo(window.biela.view.inside.place(window.biela.view.inside.marks[k])), [pin, bearing]);
    assert.ok(apart > 0.01 && Math.abs(apart - Math.hypot(...start.map((x, i) => x - a[i]))) < 1e-5, `${apart}`);
});

test("keys alone reach a name, and its label follows it", { skip }, async () => {
    await page.keyboard.press("ArrowRight"); // stand still
    await until(page, () => (window.biela.frame().flags & 1) === 1);
    for (let k = 0; k < 60 && (await page.evaluate(() => document.activeElement?.id)) !== "inside-list"; k++) {
        await page.keyboard.press("Tab");
    }
    assert.equal(await page.evaluate(() => document.activeElement.id), "inside-list");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await until(page, () => !document.querySelector("#inside-label").hidden);
    const first = await label();
    await page.keyboard.press("ArrowDown");
    await until(page, (old) => document.querySelector("#inside-label").innerText !== old, first);
    // arrows in the list move in the list only
    assert.equal(await page.evaluate(() => window.biela.frame().flags & 1), 1);
    const off = await page.evaluate(() => {
        const { view, page: ui } = window.biela;
        ui.inside.follow();
        const shown = view.inside.marks.find((one) => document.querySelector("#inside-label b").textContent === one.name);
        const box = document.querySelector("#inside-label");
        const at = view.insideOnScreen(shown);
        return Math.hypot(parseFloat(box.style.left) - at[0], parseFloat(box.style.top) - at[1]);
    });
    assert.ok(off < 1.5, `${off} pixels`);
    await page.evaluate(() => document.activeElement.blur());
});

test("the mouse finds names", { skip }, async () => {
    const index = await mark("crank.point1", "points");
    const at = await page.evaluate((i) => window.biela.view.insideOnScreen(window.biela.view.inside.marks[i]), index);
    await page.mouse.move(at[0] + 2, at[1] + 1);
    await until(page, () => /variable/.test(document.querySelector("#inside-label").innerText));
    assert.match(await label(), /crank\.point1|B/);
    await page.mouse.move(5, 300);
});

test("a layer that is switched off is neither drawn nor found", { skip }, async () => {
    const index = await mark("crank.point1", "points");
    const at = await page.evaluate((i) => window.biela.view.insideOnScreen(window.biela.view.inside.marks[i]), index);
    for (const layer of ["points", "vectors", "joints", "frames"]) {
        await page.uncheck(`#inside-${layer}`);
    }
    await page.mouse.move(at[0], at[1]);
    await page.waitForTimeout(100);
    assert.ok(!/point1/.test(await page.locator("#inside-list").innerText()));
    assert.equal(await page.evaluate(([x, y]) => window.biela.view.insideAt((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight, new Set()), at), null);
    for (const layer of ["points", "vectors", "joints", "frames"]) {
        await page.check(`#inside-${layer}`);
    }
});

test("it speaks Spanish, and closes without a trace", { skip }, async () => {
    await clickTool(page, "#language");
    assert.match(await page.locator("#inside-list").innerText(), /punto, variable · compartido por crank, rod/);
    assert.equal(await page.locator("#inside-redundant").innerText(), "3 ecuaciones redundantes");
    await clickTool(page, "#language");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#panel-inside").isHidden());
    assert.ok(await page.locator("#inside-label").isHidden());
    const glass = await page.evaluate(() => {
        let count = 0;
        window.biela.view.machine.root.traverse((node) => (count += node.userData.solid ? 1 : 0));
        return count;
    });
    assert.equal(glass, 0);
});

test("a restart asks again, and nothing was wrong on the way", { skip }, async () => {
    await page.keyboard.press("5");
    await until(page, () => window.biela.view.inside?.marks.length > 0);
    await page.evaluate(() => (window.oldInside = window.biela.view.inside));
    await page.keyboard.press("Shift+R");
    await until(page, () => window.biela.view.inside && window.biela.view.inside !== window.oldInside);
    assert.deepEqual(page.mistakes, []);
});
