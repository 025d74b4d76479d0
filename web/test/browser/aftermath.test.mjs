// SPDX-License-Identifier: MIT
// After a roll-over: what happened in a sentence, the last seconds slowly, the way on a map, the report.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        // it steers itself into a curve that is too narrow for its speed; slowly, so that a busy page sees enough of the way
        server = await startDrive("forklift", ["--run", "roll-over", "--speed", "0.25"]);
        browser = await openBrowser(640, 360);
        page = await openPage(browser.context, server.url);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

test("a sentence says what happened, in both languages", { skip }, async () => {
    await page.waitForSelector("#aftermath", { state: "visible" });
    assert.match(await page.textContent("#aftermath .lead"), /^It rolled over at 0:\d\d\.\d\d: nothing was left of its stability from 0:\d\d\.\d\d, at \d+ km\/h\.$/);
    const switchTo = (name) => page.evaluate((wanted) => [...document.querySelectorAll("button")].find((button) => button.textContent === wanted).click(), name);
    await switchTo("ES");
    await until(page, () => /^Volcó en 0:\d\d,\d\d: no quedaba nada de su estabilidad desde/.test(document.querySelector("#aftermath .lead").textContent));
    await switchTo("EN");
});

test("the way on its map has more than one colour", { skip }, async () => {
    const colours = await page.$eval("#aftermath canvas", (canvas) => {
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        const wanted = { green: [47, 211, 160], yellow: [240, 228, 66], red: [255, 90, 79] };
        const has = ([r, g, b]) => data.some((_, i) => i % 4 === 0 && Math.abs(data[i] - r) < 12 && Math.abs(data[i + 1] - g) < 12 && Math.abs(data[i + 2] - b) < 12);
        return Object.entries(wanted).filter(([, colour]) => has(colour)).map(([name]) => name);
    });
    const way = await page.evaluate(() => window.biela.page.aftermath.way.map(({ t, margin }) => `${t.toFixed(2)}: ${margin?.toFixed(2)}`));
    assert.ok(colours.length >= 2 && colours.includes("red"), `${colours} of ${way}`);
});

test("the weight moved to the edge of the triangle, and the stability is a curve", { skip }, async () => {
    const { places, last, events } = await page.evaluate(() => {
        const { places, way, happening, events } = window.biela.page.aftermath;
        return { places, last: way.filter((sample) => sample.t <= happening.t && sample.press).at(-1).press, events };
    });
    assert.equal(places.length, 4);
    // a turn to the left: what still carries is on the right side of the middle, by most of half a track
    assert.ok(last[1] < -0.3, `${last} of ${JSON.stringify(places)}`);
    assert.ok(events.length >= 2, `${events}`);
    for (const [name, wanted] of [["press", [255, 255, 255]], ["curves", [255, 90, 79]]]) {
        const isThere = await page.$eval(`#aftermath canvas.${name}`, (canvas, [r, g, b]) => {
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return data.some((_, i) => i % 4 === 0 && Math.abs(data[i] - r) < 12 && Math.abs(data[i + 1] - g) < 12 && Math.abs(data[i + 2] - b) < 12);
        }, wanted);
        assert.ok(isThere, name);
    }
});

test("the last seconds are shown slowly, then slower, and the speed comes back", { skip }, async () => {
    const rolled = await page.evaluate(() => window.biela.page.aftermath.happening.t);
    // what the page asks for, not what it shows: a busy page shows few frames
    await page.evaluate(() => {
        window.asked = [];
        const { connection } = window.biela;
        const send = connection.send.bind(connection);
        window.hurry = () => window.biela.page.aftermath.replay && send({ type: "speed", value: 8 });
        connection.send = (message) => {
            if (["seek", "speed", "play"].includes(message.type)) {
                window.asked.push({ ...message, from: window.biela.frame().t });
            }
            send(message);
        };
    });
    await page.click("#after-slow");
    await until(page, () => window.asked.length >= 4);
    const [seek, slow, play, slower] = await page.evaluate(() => window.asked);
    assert.ok(seek.type === "seek" && seek.t < rolled - 1, JSON.stringify(seek));
    assert.equal(slow.value, 0.5);
    assert.equal(play.type, "play");
    assert.equal(slower.value, 0.25);
    assert.ok(slower.from > rolled - 2.5, `${slower.from} of ${rolled}`);
    await page.evaluate(() => window.hurry());
    await until(page, () => window.asked.length >= 5 && window.biela.page.aftermath.replay === null);
    assert.equal(await page.evaluate(() => window.asked[4].value), 0.25);
    await until(page, () => (window.biela.frame().flags & 1) === 1 && window.biela.frame().asked === 0.25);
});

test("rewind, report, restart, close", { skip }, async () => {
    await page.click("#after-back");
    await until(page, () => window.biela.frame().t < 0.5 && (window.biela.frame().flags & 3) === 3);
    assert.match(await page.getAttribute("#after-report", "href"), /report\.html$/);
    await page.click("#after-close");
    await page.waitForSelector("#aftermath", { state: "hidden" });
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
