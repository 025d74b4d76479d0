// SPDX-License-Identifier: MIT
// An emulated headset: it looks round the driver's seat, drives with its controllers, is put away, comes back, is lost.
import assert from "node:assert/strict";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "../browser.mjs";
import { executable, look, openPage, startDrive, until, web } from "../harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("forklift");
        browser = await openBrowser(480, 270);
        await browser.context.addInitScript({ path: join(web, "node_modules/iwer/build/iwer.min.js") });
        await browser.context.addInitScript(() => {
            window.device = new IWER.XRDevice(IWER.metaQuest3);
            window.device.installRuntime({ forceInstall: true });
            window.device.stereoEnabled = false;
        });
        page = await openPage(browser.context, server.url);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

/** where the headset looks, axes of the model */
const sight = () =>
    page.evaluate(() => {
        const { view } = window.biela;
        const e = view.renderer.xr.getCamera().matrixWorld.elements;
        return { ahead: [-e[8], -e[9], -e[10]], at: [e[12], e[13], e[14]], seat: view.seatNow().position.toArray() };
    });

const inputs = async () => Object.fromEntries(await page.evaluate(() => window.biela.view.machine.scene.inputs.map(({ name }, i) => [name, window.biela.frame().inputs[i]])));

test("a browser without a headset has no button for it", { skip }, async () => {
    const bare = await openBrowser(320, 240);
    try {
        const other = await openPage(bare.context, server.url);
        assert.equal(await other.$eval("#tool-headset", (node) => node.hidden), true);
        await other.keyboard.press("Shift+Digit2");
        assert.equal(await other.evaluate(() => window.biela.headset.isIn), false);
    } finally {
        await bare.close();
    }
});

test("the eyes sit in the driver's seat, and turn with the head", { skip }, async () => {
    await until(page, () => window.biela.pilot.isDriver || !document.querySelector("#role").click());
    await until(page, () => !document.querySelector("#tool-headset").hidden);
    await page.keyboard.press("Shift+Digit2");
    await until(page, () => window.biela.headset.isIn && window.biela.view.drawings > 3);
    const straight = await sight();
    assert.ok(straight.ahead[0] > 0.99, `ahead ${straight.ahead}`);
    assert.ok(Math.hypot(...straight.at.map((value, i) => value - straight.seat[i])) < 0.1, `${straight.at} in ${straight.seat}`);
    await page.evaluate(() => window.device.quaternion.set(0, Math.SQRT1_2, 0, Math.SQRT1_2)); // a quarter of a turn to the left
    await until(page, () => -window.biela.view.renderer.xr.getCamera().matrixWorld.elements[9] > 0.99);
    await page.evaluate(() => window.device.quaternion.set(0, 0, 0, 1));
});

test("its controllers drive", { skip }, async () => {
    const from = (await look(page)).poses[0];
    await page.evaluate(() => {
        window.device.controllers.right.updateButtonValue("trigger", 0.6);
        window.device.controllers.left.updateAxes("thumbstick", 0.9, 0);
        window.device.controllers.right.updateAxes("thumbstick", 0, -0.9);
    });
    await until(page, (x) => window.biela.frame().poses[0] > x + 0.1, from);
    const now = await inputs();
    assert.ok(now.drive > 0.3 && now.steer < -0.3, JSON.stringify(now));
});

test("put away it lets all controls go and says so in both languages; put on again it drives on", { skip }, async () => {
    await page.evaluate(() => window.device.updateVisibilityState("hidden"));
    await until(page, () => [...window.biela.frame().inputs].slice(0, 4).every((value) => value === 0));
    assert.match(await page.textContent("#notice"), /headset was lost or put away: all controls are let go/);
    await page.evaluate(() => window.biela.page.act("language"));
    assert.match(await page.textContent("#notice"), /El casco se ha perdido o se ha quitado: todos los mandos quedan sueltos/);
    await page.evaluate(() => window.biela.page.act("language"));
    await page.evaluate(() => window.device.updateVisibilityState("visible"));
    await until(page, () => window.biela.frame().inputs[1] > 0.3 || window.biela.frame().inputs[0] < -0.3);
    assert.equal(await page.isVisible("#notice"), false);
});

test("lost while driving it lets go, and a key takes the controls at the page", { skip }, async () => {
    await page.evaluate(() => window.biela.view.renderer.xr.getSession().end());
    await until(page, () => !window.biela.headset.isIn && [...window.biela.frame().inputs].slice(0, 4).every((value) => value === 0));
    assert.match(await page.textContent("#notice"), /headset was lost/);
    const drawn = await page.evaluate(() => window.biela.view.drawings);
    await page.keyboard.down("KeyW");
    await until(page, () => window.biela.frame().inputs[1] > 0);
    assert.equal(await page.isVisible("#notice"), false);
    await page.keyboard.up("KeyW");
    // the screen shows the machine again
    await until(page, (before) => window.biela.view.drawings > before + 1, drawn);
});

test("the headset may be entered again, and left by the same key", { skip }, async () => {
    await page.keyboard.press("Shift+Digit2");
    await until(page, () => window.biela.headset.isIn);
    await page.keyboard.press("Shift+Digit2");
    await until(page, () => !window.biela.headset.isIn);
    assert.equal(await page.isVisible("#notice"), false);
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
