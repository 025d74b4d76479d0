// SPDX-License-Identifier: MIT
// Riding the bicycle: half a minute with the balance assistant, and a fall without it.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { clickTool, difference, executable, openPage, pixels, restartBy, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
const FALLEN = Math.PI / 4;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("bicycle", ["--run", "ride"]);
        browser = await openBrowser(640, 360);
        page = await openPage(browser.context, server.url);
        // every frame is looked at, also those that come while the test is busy
        await page.evaluate(() => {
            window.channel = (name) => {
                const index = window.biela.view.machine.scene.channels.findIndex((other) => other.name === name);
                return window.biela.frame().channels[index];
            };
        });
    }
});

after(async () => {
    await browser?.close();
    const report = await server?.stop();
    if (report) {
        console.log(report);
    }
});

const channel = (name) => page.evaluate((wanted) => window.channel(wanted), name);
const speed = (value) => page.evaluate((factor) => window.biela.connection.send({ type: "speed", value: factor }), value);
const time = () => page.evaluate(() => window.biela.frame().t);
const restart = () => restartBy(page, () => page.keyboard.press("Shift+R"));

/** largest lean so far, from the frames themselves */
const watchLean = () =>
    page.evaluate(() => {
        window.largest = { lean: 0, sum: 0 };
        clearInterval(window.watch);
        window.watch = setInterval(() => {
            const lean = window.channel("phi");
            window.largest = { lean: Math.max(window.largest.lean, Math.abs(lean)), sum: window.largest.sum + lean };
        }, 5);
    });

test("with the assistant it is ridden for 30 s, in curves", { skip, timeout: 120000 }, async (t) => {
    await restart();
    await watchLean();
    await speed(8);
    let heading = 0;
    let isPedalling = false;
    let side = "q";
    while ((await time()) < 30) {
        const wanted = (await channel("speed")) < 3.5;
        if (wanted !== isPedalling) {
            await (wanted ? page.keyboard.down("w") : page.keyboard.up("w"));
            isPedalling = wanted;
        }
        // left, then right, then left
        await page.keyboard.down(side);
        await page.waitForTimeout(150);
        await page.keyboard.up(side);
        heading = Math.max(heading, Math.abs(await channel("psi")));
        side = side === "q" ? "e" : "q";
        await page.waitForTimeout(150);
    }
    await page.keyboard.up("w");
    const largest = await page.evaluate(() => window.largest.lean);
    t.diagnostic(`largest lean ${((largest * 180) / Math.PI).toFixed(1)} degrees, heading changed by ${heading.toFixed(2)} rad, ${(await channel("Rx")).toFixed(0)} m`);
    assert.ok(largest > 0.01 && largest < FALLEN, `largest lean ${largest} rad`);
    assert.ok(heading > 0.1, `heading changed by ${heading} rad`);
    assert.ok(Number.isFinite(await channel("Fn_r")) && Number.isFinite(await channel("Rx")));
});

test("with the assistant switched off by its key it falls", { skip, timeout: 120000 }, async () => {
    await restart();
    await speed(1);
    const upright = await pixels(page);
    await page.keyboard.down("k");
    await until(page, () => window.biela.frame().inputs[window.biela.view.machine.scene.inputs.findIndex((input) => input.name === "assist")] === 0);
    await page.keyboard.up("k");
    // the key is released, the assistant stays off
    await page.keyboard.down("e");
    await page.waitForTimeout(200);
    await page.keyboard.up("e");
    await speed(8);
    await until(page, (limit) => Math.abs(window.channel("phi")) > limit, FALLEN);
    assert.equal(await page.evaluate(() => window.biela.frame().inputs[window.biela.view.machine.scene.inputs.findIndex((input) => input.name === "assist")]), 0);
    const change = difference(upright, await pixels(page));
    assert.ok(change > 1, `the picture changed by ${change}`);
    // it lies on the ground, and the numbers are numbers
    const t = await time();
    await until(page, (start) => window.biela.frame().t > start + 4, t);
    const lean = Math.abs(await channel("phi"));
    assert.ok(lean > FALLEN && lean < 2, `it lies with a lean of ${lean} rad`);
});

test("the eigenvalues follow the speed and the assistant", { skip, timeout: 120000 }, async () => {
    await restart();
    await speed(1);
    await page.evaluate(() => {
        window.modes = [];
        const set = window.biela.page.modes.set.bind(window.biela.page.modes);
        window.biela.page.modes.set = (message) => (window.modes.push(message), set(message));
    });
    await page.keyboard.press("x");
    const settled = (strength) =>
        until(page, (wanted) => window.modes.some((message) => message.at.assist0 === wanted && message.eigenvalues.length > 0), strength);
    await settled(1);
    await page.keyboard.down("k");
    await settled(0);
    await page.keyboard.up("k");
    const found = await page.evaluate(() => [1, 0].map((strength) => window.modes.find((message) => message.at.assist0 === strength && message.eigenvalues.length > 0)));
    const largest = found.map((message) => Math.max(...message.eigenvalues.map(([re]) => re)));
    // hands off at 3.5 m/s weave grows with 0.98 1/s; the assistant holds it
    assert.ok(largest[0] < 0.01, `with the assistant ${largest[0]} 1/s`);
    assert.ok(largest[1] > 0.8 && largest[1] < 1.5, `without ${largest[1]} 1/s at ${found[1].at.v} m/s`);
    assert.match(await page.textContent("#modes-summary"), /v = /);
});

test("the prints are drawn enlarged, and what they carry is the load", { skip }, async () => {
    await restart();
    await page.keyboard.press("6");
    await until(page, () => /mm/.test(document.querySelector("#panel-print .print-caption")?.textContent ?? ""));
    const [fz, a, b, most] = await Promise.all(["tyre_r.fz", "tyre_r.semi_x", "tyre_r.semi_y", "tyre_r.pressure"].map(channel));
    const carried = (2 / 3) * Math.PI * a * b * most;
    assert.ok(Math.abs(carried / fz - 1) < 0.2, `${carried} N carried, ${fz} N load`);
    // the middle of the picture is red, its corner is empty
    const [middle, corner] = await page.evaluate(() => {
        const canvas = document.querySelector("#panel-print canvas");
        const at = (x, y) => [...canvas.getContext("2d").getImageData(Math.round(x), Math.round(y), 1, 1).data];
        return [at(canvas.width / 2 + 3, canvas.height / 2 + 5), at(2, 2)];
    });
    assert.ok(middle[0] > 150 && middle[0] > middle[2], `${middle}`);
    assert.equal(corner[3], 0);
    await clickTool(page, "#language");
    assert.match(await page.textContent("#panel-print"), /Huellas de contacto.*máx\./s);
    await clickTool(page, "#language");
    await page.keyboard.press("6");
});

test("a joystick that is there while the page loads rides the bicycle", { skip }, async () => {
    const context = browser.context;
    await context.addInitScript(() => {
        window.stick = { connected: true, index: 0, id: "Acme Joystick", axes: [0, 0, 0], buttons: [] };
        navigator.getGamepads = () => [window.stick];
    });
    const other = await openPage(context, server.url);
    await other.evaluate(() => window.biela.connection.send({ type: "driver" }));
    await page.waitForSelector("#seat-give");
    await page.evaluate(() => window.biela.connection.send({ type: "seat", give: true }));
    await until(other, () => window.biela.pilot.isDriver && window.biela.gamepads.mappings.length === 3);
    assert.equal(await other.evaluate(() => window.biela.gamepads.devices.get(0).mapping.name), "joystick");
    const input = (name) => other.evaluate((wanted) => window.biela.frame().inputs[window.biela.view.machine.scene.inputs.findIndex((one) => one.name === wanted)], name);
    await other.evaluate(() => (window.stick.axes = [-1, -1, 0]));
    await until(other, () => window.biela.frame().inputs[0] !== 0 && window.biela.frame().inputs[1] !== 0);
    assert.ok((await input("steer")) > 0, "to the left");
    assert.ok((await input("pedal")) > 0, "forward");
    await other.evaluate(() => (window.stick.axes = [0, 0, 0]));
    await until(other, () => window.biela.frame().inputs[0] === 0);
    assert.deepEqual(other.mistakes, []);
    await other.close();
    await page.evaluate(() => window.biela.connection.send({ type: "driver" }));
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
