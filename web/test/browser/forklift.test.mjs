// SPDX-License-Identifier: MIT
// A person's first minutes with the forklift: drive into the pallet, lift it, reverse, rewind, take over, do an exercise.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { promisify } from "node:util";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, passes, restartBy, startDrive, until, web } from "./harness.mjs";

const hasModel = existsSync(join(web, "../models/forklift/model.yaml"));
const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : !hasModel ? "no forklift" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("forklift");
        browser = await openBrowser(640, 360);
        page = await openPage(browser.context, server.url);
    }
});

after(async () => {
    await browser?.close();
    const report = await server?.stop();
    if (report) {
        console.log(report);
    }
});

/** value of a channel */
const channel = (name) =>
    page.evaluate((wanted) => {
        const index = window.biela.view.machine.scene.channels.findIndex((other) => other.name === wanted);
        return window.biela.frame().channels[index];
    }, name);

const speed = (value) => page.evaluate((factor) => window.biela.connection.send({ type: "speed", value: factor }), value);

test("the truck is drawn with its display", { skip }, async () => {
    await page.waitForSelector("#hud .wheels");
    await until(page, () => {
        let meshes = 0;
        window.biela.view.machine.root.traverse((node) => (meshes += node.isMesh ? 1 : 0));
        return meshes > 20;
    });
    assert.match(await page.textContent("#hud"), /km\/h/);
});

test("a truck that stands is drawn well once, and not again until it moves", { skip }, async () => {
    const fine = () => page.evaluate(() => ({ drawings: window.biela.view.drawings, pixels: window.biela.view.renderer.getPixelRatio() }));
    await until(page, () => window.biela.view.renderer.getPixelRatio() > 1);
    await until(page, (old) => window.biela.frame().number > old, await page.evaluate(() => window.biela.frame().number));
    const { drawings } = await fine();
    const number = await page.evaluate(() => window.biela.frame().number);
    await until(page, (old) => window.biela.frame().number > old + 20, number);
    assert.ok((await fine()).drawings <= drawings + 1, "drawn again although nothing moves");
    await page.keyboard.down("s");
    await until(page, (old) => window.biela.view.drawings > old + 3 && window.biela.view.renderer.getPixelRatio() < 1, drawings);
    await page.keyboard.up("s");
    await restartBy(page, () => page.keyboard.press("Shift+R"));
});

test("keys drive the forks into the pallet and lift it", { skip }, async () => {
    await restartBy(page, () => page.keyboard.press("Shift+R"));
    // half speed, and slowly into the pallet: a busy machine must not make the driver overshoot
    await speed(0.5);
    let isDown = false;
    while ((await channel("tip.x")) < (await channel("pallet.x")) + 0.4) {
        const wanted = (await channel("speed")) < 0.6;
        if (wanted !== isDown) {
            await (wanted ? page.keyboard.down("w") : page.keyboard.up("w"));
            isDown = wanted;
        }
        await page.waitForTimeout(20);
    }
    await page.keyboard.up("w");
    await passes(page, "speed", 0.02, -1);
    const before = await channel("pallet.z");
    await page.keyboard.down("l");
    await passes(page, "lifted", 0.6);
    await page.keyboard.up("l");
    const after = await channel("pallet.z");
    assert.ok(after - before > 0.3, `the pallet rose by ${after - before} m`);
});

test("reverse carries it, rewind and take over leave a ghost", { skip }, async () => {
    const x = await channel("pallet.x");
    await page.keyboard.down("s");
    await passes(page, "pallet.x", x - 0.3, -1);
    await page.keyboard.up("s");
    assert.ok((await channel("pallet.z")) > 0.3, "it is still on the forks");
    await page.keyboard.down("ArrowLeft");
    await until(page, () => (window.biela.frame().flags & 2) === 2);
    await page.waitForTimeout(400);
    await page.keyboard.up("ArrowLeft");
    const t = await page.evaluate(() => window.biela.frame().t);
    await page.keyboard.press("Enter");
    await until(page, (start) => (window.biela.frame().flags & 3) === 0 && window.biela.frame().t > start, t);
    assert.ok((await page.evaluate(() => window.biela.frame().ghost.length)) > 0);
});

test("the recording replays to equal hashes, before and after the take-over", { skip }, async () => {
    const folder = join(server.folder, "out");
    // the drive goes on: its recording has no name yet
    const recording = (await readdir(folder)).filter((name) => name.endsWith(".biela.part")).sort().at(-1);
    const replay = (branch) => promisify(execFile)(executable, ["replay", join(folder, recording), "--branch", branch, "--json"]).catch(() => null);
    for (const branch of ["0", "1"]) {
        // what was driven last is written within seconds
        let told = await replay(branch);
        for (let k = 0; k < 20 && !(told && JSON.parse(told.stdout).compared > 0); k++) {
            await page.waitForTimeout(500);
            told = await replay(branch);
        }
        assert.ok(told, `timeline ${branch} is replayed`);
        const { stdout } = told;
        const found = JSON.parse(stdout);
        assert.ok(found.comparable && found.compared > 0, stdout);
        assert.equal(found.equal, found.compared);
    }
});

test("an exercise is chosen, shown and left", { skip }, async () => {
    await restartBy(page, () => page.selectOption("#exercise-choice", { index: 1 }));
    await page.waitForSelector("#exercise .goals li");
    const name = await page.inputValue("#exercise-choice");
    assert.notEqual(name, "");
    await restartBy(page, () => page.selectOption("#exercise-choice", ""));
    await page.waitForSelector("#exercise", { state: "hidden" });
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
