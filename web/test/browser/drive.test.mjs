// SPDX-License-Identifier: MIT
// `biela drive` in a real browser: keys move a model whose motion is simulated, rewind, take over, other pages, failures.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { clickTool, difference, executable, look, median, openPage, pixels, restartBy, startDrive, until, web } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive("pendulum-cart");
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

const restart = () => restartBy(page, () => page.keyboard.press("Shift+R"));

test("the cart is pushed to the right by its key, in the state and in the picture", { skip }, async () => {
    await restart();
    // the camera follows the cart: from above the rail moves under it
    await page.keyboard.press("4");
    await page.waitForTimeout(300);
    const picture = await pixels(page);
    const x = (await look(page)).poses[0];
    await page.keyboard.down("w");
    await until(page, (start) => window.biela.frame().poses[0] > start + 1, x);
    await page.keyboard.up("w");
    const change = difference(picture, await pixels(page));
    assert.ok(change > 1, `the picture changed by ${change}`);
    await page.keyboard.press("1");
});

test("the delay from key to state and to the picture is measured", { skip }, async (t) => {
    for (let k = 0; k < 12; k++) {
        await page.keyboard.down(k % 2 ? "w" : "s");
        await page.waitForTimeout(160);
        await page.keyboard.up(k % 2 ? "w" : "s");
        await page.waitForTimeout(160);
    }
    const delays = await page.evaluate(() => window.biela.latency.delays);
    assert.ok(delays.length >= 6, `${delays.length} delays`);
    t.diagnostic(`key to state: median ${median(delays.map((d) => d.state)).toFixed(0)} ms; key to drawn: median ${median(delays.map((d) => d.drawn)).toFixed(0)} ms, n = ${delays.length}, 640x360, software drawing`);
});

test("rewind, and the same inputs give the same motion again", { skip }, async () => {
    await restart();
    await page.keyboard.down("w");
    await until(page, () => window.biela.frame().t > 1);
    await page.keyboard.up("w");
    await until(page, () => window.biela.frame().t > 2);
    await page.keyboard.press("ArrowRight");
    await until(page, () => (window.biela.frame().flags & 1) === 1);
    const end = await look(page);
    await page.evaluate(() => window.biela.connection.send({ type: "seek", t: 0.5 }));
    await until(page, () => Math.abs(window.biela.frame().t - 0.5) < 0.02);
    await page.evaluate(() => window.biela.connection.send({ type: "seek", t: 1e9 }));
    await until(page, (t) => Math.abs(window.biela.frame().t - t) < 1e-9, end.t);
    assert.deepEqual((await look(page)).poses, end.poses);
});

test("taking over from an earlier instant leaves the old drive as a ghost", { skip }, async () => {
    await page.evaluate(() => window.biela.connection.send({ type: "seek", t: 0.5 }));
    await until(page, () => (window.biela.frame().flags & 2) === 2 && window.biela.frame().t < 0.6);
    await page.keyboard.press("Enter");
    await until(page, () => (window.biela.frame().flags & 3) === 0 && window.biela.frame().t > 0.7);
    const now = await look(page);
    assert.equal(now.ghost, now.poses.length);
});

test("a changed parameter counts after the restart, a refused one is explained", { skip }, async () => {
    await page.keyboard.press("m");
    await page.fill('[data-parameter="L"]', "1.4");
    await page.click("#apply");
    // what the server says, not what was typed
    await until(page, () => window.biela.view.machine.scene.parameters.find((parameter) => parameter.name === "L").value === 1.4);
    await page.fill('[data-parameter="M"]', "-5");
    await page.click("#apply");
    await page.waitForSelector("#toasts .bad");
    await page.keyboard.press("Escape");
});

test("a second page watches without a complaint, asks for the seat and is given it; when it is killed the inputs are released", { skip }, async () => {
    const second = await openPage(browser.context, server.url);
    assert.match(await second.textContent("#role"), /you watch/);
    assert.equal(await second.locator("#toasts .bad").count(), 0);
    await second.click("#role");
    await until(second, () => /asked for the seat/.test(document.querySelector("#role").textContent));
    await page.click("#seat-keep");
    await until(second, () => /Take the seat/.test(document.querySelector("#role").textContent));
    assert.equal(await page.textContent("#role"), "you drive");
    await second.click("#role");
    await page.click("#seat-give");
    await until(second, () => document.querySelector("#role").textContent === "you drive");
    await second.keyboard.down("w");
    await until(second, () => window.biela.frame().inputs[0] > 0.5);
    await second.close();
    await page.bringToFront();
    await until(page, () => window.biela.frame().inputs[0] === 0);
    await until(page, () => document.querySelector("#role").textContent === "you drive");
});

test("diagrams have no gap where the page has seen nothing", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await page.keyboard.press("p");
    // as a page that had no time: its rows of two seconds are missing
    await page.evaluate(() => {
        const { plots } = window.biela.page;
        const add = plots.history.add.bind(plots.history);
        const until = window.biela.frame().t + 2;
        plots.history.add = (t, values) => t > until && add(t, values);
    });
    const t = await page.evaluate(() => window.biela.frame().t);
    await until(page, (start) => window.biela.frame().t > start + 3, t);
    await until(page, (start) => {
        const found = [];
        window.biela.page.plots.eachRow(start - 0.2, start + 2.5, (at) => found.push(at));
        return found.length > 10 && found.every((at, i) => i === 0 || (at > found[i - 1] && at - found[i - 1] < 0.3));
    }, t);
    await page.close();
});

test("a flood of messages and a frozen page do not stop the loop", { skip }, async () => {
    const frozen = await openPage(browser.context, server.url);
    // never acknowledges again, and shouts
    await frozen.evaluate(() => {
        window.biela.connection.acknowledge = () => {};
        for (let k = 0; k < 3000; k++) {
            window.biela.connection.send({ type: "ghost", on: true });
        }
    });
    await page.bringToFront();
    const before = await look(page);
    await page.waitForTimeout(1500);
    const now = await look(page);
    assert.ok(now.t - before.t > 1, `${now.t - before.t} s passed in the model`);
    await frozen.close();
});

test("a picture and a video of the drive are saved as files", { skip }, async () => {
    const [picture] = await Promise.all([page.waitForEvent("download"), clickTool(page, "#tool-picture")]);
    const png = await readFile(await picture.path());
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    await clickTool(page, "#tool-video");
    await page.waitForTimeout(2500);
    const [video] = await Promise.all([page.waitForEvent("download"), clickTool(page, "#tool-video")]);
    const webm = await readFile(await video.path());
    // the magic number of Matroska, and more than its head
    assert.equal(webm.readUInt32BE(0), 0x1a45dfa3);
    assert.ok(webm.length > 5000, `${webm.length} bytes`);
});

test("the badge turns doubtful when the drive does, also for who comes late, and a restart forgets it", { skip }, async () => {
    const rotor = await startDrive(join(web, "../tests/support/rotor.yaml"));
    const first = await openPage(browser.context, rotor.url);
    const shows = (view, outcome) => view.waitForSelector(`#verdict[data-outcome="${outcome}"]:not([hidden])`);
    try {
        await shows(first, "good");
        await first.keyboard.down("w");
        await shows(first, "doubtful");
        await first.keyboard.up("w");
        // the second where the machine was so busy that the key was held for long
        assert.match(await first.getAttribute("#verdict", "title"), /^doubtful: (largest turn of a body in a step is .* body wheel|sum of the local errors)/);
        const late = await openPage(browser.context, rotor.url);
        await shows(late, "doubtful");
        await late.close();
        await first.bringToFront();
        await restartBy(first, () => first.keyboard.press("Shift+R"));
        await shows(first, "good");
        assert.deepEqual(first.mistakes, []);
    } finally {
        await first.close();
        await rotor.stop();
    }
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
