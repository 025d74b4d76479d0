// SPDX-License-Identifier: MIT
// The editor of exercises: made on the map, told what overlaps, saved as a file that reads as text, opened again, driven at once.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { biela, executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;
const folder = mkdtempSync(join(tmpdir(), "biela-lessons-"));

before(async () => {
    if (!skip) {
        server = await startDrive("forklift", ["--exercises", folder]);
        browser = await openBrowser(1280, 720);
        page = await openPage(browser.context, server.url, "lang=es&quality=low");
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
});

/** a place of the ground on the screen: 44 m across the map, x = 12 m in its middle */
async function at(x, y) {
    const box = await page.locator("#scenario-map").boundingBox();
    const metre = box.width / 44;
    return [box.x + box.width / 2 + (x - 12) * metre, box.y + box.height / 2 - y * metre];
}

const put = async (tool, x, y) => {
    await page.click(`#scenario-${tool}`);
    await page.mouse.click(...(await at(x, y)));
};

test("what is missing and what overlaps is told by its name", { skip }, async () => {
    await page.click("#tool-scenario");
    await page.waitForSelector("#scenario", { state: "visible" });
    await page.click("#scenario-save");
    assert.match(await page.textContent("#scenario-told"), /nombre.*título.*objetivo/s);
    await put("gate", 9, 0);
    await put("zone", 17, 0);
    await put("cone", 2, 0);
    await page.fill("#scenario-name", "mi-clase");
    await page.fill("#scenario-title", "Recto y parar");
    await page.fill("#scenario-text", "Pasa la puerta y para en el lugar.");
    await page.click("#scenario-save");
    assert.match(await page.textContent("#scenario-told"), /Cono 1 se solapa con la carretilla en la salida/);
});

test("things are dragged, undone and deleted", { skip }, async () => {
    await page.mouse.move(...(await at(2, 0)));
    await page.mouse.down();
    await page.mouse.move(...(await at(12, 4)), { steps: 4 });
    await page.mouse.up();
    const cone = () => page.evaluate(() => window.biela.page.scenario.scenario.set.cone0_x);
    assert.ok(Math.abs((await cone()) - 12) < 0.3);
    await page.click("#scenario-undo");
    assert.ok(Math.abs((await cone()) - 2) < 0.3);
    await page.mouse.move(...(await at(2, 0)));
    await page.mouse.down();
    await page.mouse.move(...(await at(12, 4)), { steps: 4 });
    await page.mouse.up();
    await put("arrow", 13, 2);
    await page.click("#scenario-delete");
    assert.equal(await page.evaluate(() => window.biela.page.scenario.scenario.goals.length), 2);
});

test("it is saved as a file that reads as text, and the command judges by it", { skip }, async () => {
    await page.fill("#scenario-set-mu", "0.4");
    await page.click("#scenario-save");
    await until(page, () => /Guardado/.test(document.querySelector("#toasts").textContent));
    const text = readFileSync(join(folder, "mi-clase.yaml"), "utf8");
    assert.match(text, /^exercise: 1$/m);
    assert.match(text, /^title: "Recto y parar"$/m);
    assert.match(text, /mu: 0.4/);
    assert.match(text, /cone0_x: 12/);
    assert.match(text, /text: "pasar por la puerta", when: \["abs\(/);
    const table = join(folder, "drive.csv");
    writeFileSync(table, "t,drive\n0,0.3\n5,0.3\n");
    try {
        biela("course", "judge", "forklift", join(folder, "mi-clase.yaml"), table);
        assert.fail("it was not driven to its end");
    } catch (error) {
        assert.equal(error.status, 4, error.message); // judged, and not passed
    }
});

test("nothing is replaced that was not meant", { skip }, async () => {
    writeFileSync(join(folder, "other.yaml"), "exercise: 1\ntitle: other\ngoals: [{text: a, when: time > 1}]\n");
    await page.fill("#scenario-name", "other");
    await page.click("#scenario-save");
    await until(page, () => /ya hay un ejercicio con ese nombre/.test(document.body.textContent));
    assert.match(readFileSync(join(folder, "other.yaml"), "utf8"), /title: other/);
    await page.fill("#scenario-name", "01-start-and-stop");
    await page.click("#scenario-save");
    await until(page, () => /el modelo tiene un ejercicio con ese nombre/.test(document.body.textContent));
});

test("it is opened again and driven to its end", { skip }, async () => {
    await page.evaluate(() => window.biela.page.scenario.load("mi-clase"));
    await until(page, () => document.querySelector("#scenario-title").value === "Recto y parar");
    assert.equal(await page.evaluate(() => window.biela.page.scenario.scenario.goals.every((goal) => !goal.isForeign)), true);
    await page.click("#scenario-drive");
    await page.waitForSelector("#scenario", { state: "hidden" });
    await until(page, () => document.querySelector("#exercise h2")?.textContent === "Recto y parar");
    await page.evaluate(() => window.biela.connection.send({ type: "speed", value: 0.5 }));
    const passes = (x) => until(page, (limit) => window.biela.frame().channels[window.biela.view.machine.scene.channels.findIndex(({ name }) => name === "truck.x")] > limit, x);
    await page.evaluate(() => Object.assign(window.biela.pilot.touch, { drive: 0.25 }));
    await passes(15);
    await page.evaluate(() => Object.assign(window.biela.pilot.touch, { drive: 0.1 }));
    await passes(16.2);
    await page.evaluate(() => Object.assign(window.biela.pilot.touch, { drive: 0 }));
    await until(page, () => ["passed", "failed"].includes(document.querySelector("#exercise").dataset.state));
    assert.equal(await page.getAttribute("#exercise", "data-state"), "passed", await page.textContent("#exercise"));
});

test("a lesson with conditions of its own keeps them", { skip }, async () => {
    await page.evaluate(() => window.biela.page.scenario.show(true));
    await page.evaluate(() => window.biela.page.scenario.load("03-between-the-cones"));
    await until(page, () => document.querySelector("#scenario-title").value === "3. Between the cones");
    assert.equal(await page.evaluate(() => window.biela.page.scenario.scenario.goals.every((goal) => goal.isForeign)), true);
    await page.fill("#scenario-name", "cones-again");
    await page.click("#scenario-save");
    await until(page, () => /cones-again.yaml/.test(document.querySelector("#toasts").textContent));
    const text = readFileSync(join(folder, "cones-again.yaml"), "utf8");
    assert.match(text, /when: \["abs\(truck.x - 8\) < 0.6", "truck.y > 0.9"\]/);
    assert.match(text, /^par: 45$/m);
    assert.match(text, /hint: "steer early/);
});

test("nothing went wrong in the page", { skip }, () => assert.deepEqual(page.mistakes, []));
