// SPDX-License-Identifier: MIT
// Driving the Clio by keys: it gains speed, shifts, turns and brakes, and the display tells speed, gear and revolutions.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, passes, startDrive, until, web } from "./harness.mjs";

const hasModel = existsSync(join(web, "../models/clio/model.yaml"));
const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : !hasModel ? "no clio" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("clio", ["--run", "drive"]);
        browser = await openBrowser(960, 540);
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

/** values of some channels, all of one frame, with the text of the display that shows it */
const read = (...names) =>
    page.evaluate((wanted) => {
        const channels = window.biela.view.machine.scene.channels;
        return wanted.map((name) => window.biela.frame().channels[channels.findIndex((other) => other.name === name)]);
    }, names);

test("the display has speed, gear and revolutions, the strip the three inputs of a driver", { skip }, async () => {
    await page.waitForSelector("#hud .wheels");
    assert.match(await page.textContent("#hud"), /km\/h.*1Gear.*engine 1\/min/);
    const inputs = await page.$$eval("#strip .input", (nodes) => nodes.map((node) => node.dataset.input));
    assert.deepEqual(inputs, ["steer", "drive", "shift"]);
    const keys = await page.$$eval("#strip kbd", (nodes) => nodes.map((node) => node.textContent));
    assert.deepEqual(keys, ["Q", "E", "S", "W", "U", "O"]);
});

test("W gains speed and shifts up, and the display follows", { skip }, async () => {
    await page.keyboard.down("w");
    await passes(page, "rpm", 5000);
    await passes(page, "gear", 1.5);
    await passes(page, "speed", 13);
    // the display is written from the same frame
    await until(page, () => document.querySelector("#hud").textContent.includes("2Gear"));
    await until(page, () => Number.parseFloat(document.querySelector("#hud .speed b").textContent) > 3.6 * 13);
    const alarm = await page.$eval("#hud .gauge.speed", (node) => node.dataset.alarm);
    assert.equal(alarm, "good");
});

test("Q turns left at speed and the car stays on its wheels", { skip }, async () => {
    const [before] = await read("attitude.yaw");
    await page.keyboard.down("q");
    await passes(page, "attitude.yaw", before + 0.3);
    const [roll, steering, fl] = await read("attitude.roll", "steering", "tyre_fl.fz");
    await page.keyboard.up("q");
    // full lock would turn it over; at speed the driver asks for 0.6 g
    assert.ok(steering > 0.02 && steering < 0.2, `front wheels at ${steering} rad`);
    assert.ok(Math.abs(roll) < 0.3 && fl > 0, `roll ${roll} rad, inner wheel ${fl} N`);
    await passes(page, "steering", 0.01, -1);
});

test("S brakes to a stop in first gear", { skip }, async () => {
    await page.keyboard.up("w");
    await page.keyboard.down("s");
    await passes(page, "speed", 0.5, -1);
    await passes(page, "gear", 1.5, -1);
    await page.keyboard.up("s");
    await until(page, () => document.querySelector("#hud").textContent.includes("1Gear"));
    assert.deepEqual(page.mistakes, []);
});
