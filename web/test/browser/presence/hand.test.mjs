// SPDX-License-Identifier: MIT
// The mouse pulls a body, a click shows it, parameters act while it runs; all of it is recorded and repeats to the bit.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "../browser.mjs";
import { biela, executable, look, openPage, startDrive, until } from "../harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("forklift");
        browser = await openBrowser(900, 560);
        page = await openPage(browser.context, server.url);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

const machine = () =>
    page.evaluate(() => {
        const [x, y] = window.biela.view.onScreen();
        const box = document.querySelector("#canvas").getBoundingClientRect();
        return [box.left + x * box.width, box.top + y * box.height];
    });

test("a body that is clicked tells its state, its mass and its joints", { skip }, async () => {
    // a busy page shows the machine late
    for (let k = 0; k < 20 && !(await page.isVisible("#panel-body")); k++) {
        await page.mouse.click(...(await machine()));
        await page.waitForTimeout(300);
    }
    await page.waitForSelector("#panel-body", { state: "visible" });
    await until(page, () => /kg/.test(document.querySelector("#body-facts").textContent) && /m\/s/.test(document.querySelector("#body-state").textContent));
    await page.selectOption("#body-choice", { label: "chassis" });
    assert.match(await page.textContent("#body-facts"), /kg/);
    await page.keyboard.press("Escape");
});

test("the hand pulls the truck, and lets it go", { skip }, async () => {
    await page.keyboard.press("Digit0");
    const before = (await look(page)).poses.slice(0, 3);
    const [x, y] = await machine();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 150, y, { steps: 4 });
    await until(page, (from) => Math.hypot(...[0, 1].map((i) => window.biela.frame().poses[i] - from[i])) > 0.05, before);
    const held = (await look(page)).inputs.slice(-8);
    assert.ok(held[0] > 0 && held[7] > 0, `${held}`);
    await page.mouse.up();
    await until(page, () => window.biela.frame().inputs.at(-8) === 0);
});

test("keys pull, too, while they are held", { skip }, async () => {
    await page.keyboard.press("Shift+Digit0");
    await page.waitForSelector("#panel-body", { state: "visible" });
    await page.focus('.puller[data-way="+y"]');
    await page.keyboard.down("Enter");
    await until(page, () => window.biela.frame().inputs.at(-8) > 0);
    await page.keyboard.up("Enter");
    await until(page, () => window.biela.frame().inputs.at(-8) === 0);
    await page.keyboard.press("Escape");
});

test("a parameter acts while it runs, where the machine stands", { skip }, async () => {
    await page.evaluate(() => window.biela.page.act("parameters"));
    await page.waitForSelector("#panel-parameters", { state: "visible" });
    await page.check("#parameters-live");
    await page.evaluate(() => {
        window.oldMachine = window.biela.view.machine;
        const field = document.querySelector('[data-parameter="driver"]');
        field.value = "120";
        field.dispatchEvent(new Event("change"));
    });
    await until(page, () => window.biela.view.machine !== window.oldMachine && window.biela.frame().number > 2);
    const value = await page.evaluate(() => window.biela.view.machine.scene.parameters.find(({ name }) => name === "driver").value);
    assert.equal(value, 120);
});

test("what changes the make of the model is refused while it runs, in both languages", { skip }, async () => {
    const change = (value) =>
        page.evaluate((wanted) => {
            const field = document.querySelector('[data-parameter="loads"]');
            field.value = String(wanted);
            field.checked = wanted === 1;
            field.dispatchEvent(new Event("change"));
        }, value);
    const now = await page.evaluate(() => window.biela.view.machine.scene.parameters.find(({ name }) => name === "loads").value);
    await change(now === 0 ? 1 : 0);
    await until(page, () => /change what the model is made of/.test(document.querySelector("#toasts").textContent));
    await page.evaluate(() => window.biela.page.act("language"));
    await change(now === 0 ? 1 : 0);
    await until(page, () => /cambian de qué está hecho el modelo/.test(document.querySelector("#toasts").textContent));
    await page.evaluate(() => window.biela.page.act("language"));
});

test("both recordings repeat to the bit, pulls and all", { skip }, async () => {
    // three hashes of the second drive
    await until(page, () => window.biela.frame().t > 1.6);
    const files = readdirSync(join(server.folder, "out")).map((name) => join(server.folder, "out", name));
    assert.equal(files.length, 2, `${files}`);
    const rows = files.map((file) => {
        const table = join(server.folder, "rows.csv");
        const found = JSON.parse(biela("replay", file, "--json", "--csv", table));
        assert.ok(found.comparable && found.compared === found.equal && found.compared > 1, `${file}: ${JSON.stringify(found)}`);
        const lines = readFileSync(table, "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
        const names = lines[0].split(",").map((name) => name.replace(/[ "\[].*$/, ""));
        return lines.slice(1).map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], Number(value)])));
    });
    // the second begins where the first ends
    const [end, begin] = [rows[0].at(-1), rows[1][0]];
    for (const name of ["truck.x", "truck.y", "attitude.yaw", "truck.vx"]) {
        assert.ok(Math.abs(end[name] - begin[name]) < 1e-6, `${name}: ${end[name]} and ${begin[name]}`);
    }
    assert.ok(end.t > 1 && begin.t === 0 && Math.abs(end["truck.x"] - rows[0][0]["truck.x"]) + Math.abs(end["truck.y"] - rows[0][0]["truck.y"]) > 0.05);
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
