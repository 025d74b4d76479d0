// SPDX-License-Identifier: MIT
// The driver's seat of the Clio: wheel, small screen and mirrors follow the state; sound, dusk and rain are asked for with keys.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "../browser.mjs";
import { executable, openPage, startDrive, until } from "../harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("clio");
        browser = await openBrowser(480, 270);
        page = await openPage(browser.context, server.url, "lang=en&quality=low&camera=seat");
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

test("wheel and screen follow the state", { skip }, async () => {
    await page.keyboard.down("KeyW");
    await page.keyboard.down("KeyE");
    // speed, gear and revolutions of the small screen are those of a frame
    await until(page, () => {
        const { cockpit, machine } = window.biela.view;
        const said = JSON.parse(cockpit.readout.said || "[]");
        const frame = window.biela.frame();
        const at = (name) => frame.channels[machine.scene.channels.findIndex((channel) => channel.name === name)];
        const near = (digits, value, within) => Math.abs(Number(digits.replace("−", "-")) - value) < within;
        return said.length === 3 && at("speed") > 3 && said[1].digits === "1" && near(said[0].digits, 3.6 * at("speed"), 3) && near(said[2].digits, at("rpm"), 600);
    });
    const turned = await page.evaluate(() => {
        const angles = [];
        window.biela.view.cockpit.root.traverse((node) => node.geometry?.type === "TorusGeometry" && angles.push(node.parent.rotation.z));
        return Math.max(...angles.map(Math.abs));
    });
    assert.ok(turned > 0.2, `${turned} rad`);
    await page.keyboard.up("KeyW");
    await page.keyboard.up("KeyE");
});

test("mirrors show what is behind", { skip }, async () => {
    const spread = await page.evaluate(() => {
        const { renderer, cockpit } = window.biela.view;
        const { target } = cockpit.mirrors;
        const half = new Uint16Array(4 * target.width * target.height);
        renderer.readRenderTargetPixels(target, 0, 0, target.width, target.height, half);
        return new Set(half).size;
    });
    assert.ok(spread > 50, `${spread} shades`);
});

test("sound is off until it is asked for, and follows the engine", { skip }, async () => {
    const state = () => page.evaluate(() => ({ isOn: window.biela.sound.isOn, engine: window.biela.sound.tones.engine?.frequency ?? 0, heard: window.biela.sound.heard }));
    assert.equal((await state()).isOn, false);
    await page.keyboard.press("KeyY");
    await until(page, () => window.biela.sound.isOn && window.biela.sound.voices.get("engine").gain.gain.value > 0);
    const now = await state();
    assert.ok(now.engine > 10 && now.heard.includes("squeal") && !now.heard.includes("beeper"), JSON.stringify(now));
    await page.keyboard.press("Shift+KeyY");
    await page.waitForSelector("#panel-sound", { state: "visible" });
    assert.match(await page.textContent("#sound-voices"), /engine, .*slipping tyres, impacts/);
    await page.focus("#sound-volume");
    await page.keyboard.press("Home");
    assert.equal(await page.evaluate(() => window.biela.sound.volume), 0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("KeyY");
    assert.equal((await state()).isOn, false);
});

test("dusk and rain are looks, which a restart keeps, and rain says what it is not", { skip }, async () => {
    const sun = () => page.evaluate(() => window.biela.view.light.sun.intensity);
    const day = await sun();
    await page.keyboard.press("Shift+Digit7");
    assert.ok((await sun()) < 0.8 * day);
    await page.evaluate(() => (window.oldMachine = window.biela.view.machine));
    await page.keyboard.press("Shift+KeyR");
    await until(page, () => window.biela.view.machine !== window.oldMachine);
    assert.ok((await sun()) < 0.8 * day);
    await page.keyboard.press("Shift+Digit7");
    assert.match(await page.textContent("#toasts"), /Rain is a look only/);
    assert.equal(await page.evaluate(() => window.biela.view.rain.root.visible), true);
    await page.keyboard.press("Shift+Digit7");
    assert.equal(await sun(), day);
    assert.equal(await page.evaluate(() => window.biela.view.rain.root.visible), false);
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
