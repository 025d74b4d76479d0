// SPDX-License-Identifier: MIT
// The instructor's station: ice by a click on the map, a barrier, weather, the seat handed to one who watches; the driver sees it all.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { biela, executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browsers = [];
let server;
let driver;
let teacher;
let guest;

before(async () => {
    if (!skip) {
        server = await startDrive("forklift", ["--token", "drives", "--watch-token", "looks", "--instruct-token", "teaches", "--record", "class.biela"]);
        const pages = [];
        for (const [token, language, size] of [["drives", "es", [640, 360]], ["teaches", "en", [1280, 720]], ["looks", "en", [640, 360]]]) {
            const browser = await openBrowser(...size);
            browsers.push(browser);
            pages.push(await openPage(browser.context, server.url.replace("drives", token), `lang=${language}&quality=low`));
        }
        [driver, teacher, guest] = pages;
    }
});

after(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    await server?.stop();
});

const input = (page, name, value) =>
    until(
        page,
        ([which, wanted]) => {
            const index = window.biela.view.machine.scene.inputs.findIndex((other) => other.name === which);
            return Math.abs(window.biela.frame().inputs[index] - wanted) < 1e-4;
        },
        [name, value],
    );

test("the station is the instructor's alone: map, four cameras, controls, people", { skip }, async () => {
    await teacher.waitForSelector("#station", { state: "visible" });
    assert.equal(await driver.isVisible("#station"), false);
    assert.equal(await guest.isVisible("#station"), false);
    assert.equal(await teacher.locator("#station-inputs .station-input").count(), 6);
    await until(teacher, () => document.querySelectorAll("#station-people li").length === 3);
});

test("a click on the map spreads ice, which is drawn in the driver's picture", { skip }, async () => {
    // the map has 46 m from edge to edge, the truck in its middle
    const box = await teacher.locator("#station-map").boundingBox();
    await teacher.mouse.click(box.x + box.width / 2 + (8 / 46) * box.width, box.y + box.height / 2);
    await input(driver, "ice1_r", 2);
    const x = await driver.evaluate(() => window.biela.frame().inputs[window.biela.view.machine.scene.inputs.findIndex((other) => other.name === "ice1_x")]);
    assert.ok(Math.abs(x - 8) < 0.5, `the ice is at x = ${x}`);
});

test("rain and a barrier come where they are put", { skip }, async () => {
    await teacher.fill("#station-wet", "0.5");
    await input(driver, "wet", 0.5);
    await teacher.click("#station-barrier");
    await teacher.evaluate(() => window.biela.page.station.putAt(15, 3));
    await input(driver, "barrier_up", 1);
    await until(driver, () => window.biela.frame().poses[7 * window.biela.view.machine.scene.bodies.indexOf("barrier") + 2] > 0.45);
});

test("the controls of whoever drives are seen", { skip }, async () => {
    await driver.evaluate(() => Object.assign(window.biela.pilot.touch, { steer: 0.5 }));
    await until(teacher, () => document.querySelector('#station-inputs [data-input="steer"] b').textContent === "0.50");
    await driver.evaluate(() => Object.assign(window.biela.pilot.touch, { steer: 0 }));
});

test("who watches cannot take the seat; the instructor hands it over", { skip }, async () => {
    await guest.evaluate(() => window.biela.connection.send({ type: "driver" }));
    await until(guest, () => /for watching/.test(document.body.textContent));
    assert.equal(await guest.evaluate(() => window.biela.pilot.isDriver), false);
    await teacher.click('#station-people li[data-seat="watcher"] button');
    await until(guest, () => window.biela.pilot.isDriver);
    await until(driver, () => !window.biela.pilot.isDriver);
    await teacher.click('#station-people li[data-seat="trainee"] button');
    await until(driver, () => window.biela.pilot.isDriver);
});

test("freeze, comment, release; all of it is in the recording, whose replay is equal", { skip }, async () => {
    await teacher.click("#instructor-freeze");
    await driver.waitForSelector("#frozen", { state: "visible" });
    await teacher.fill("#instructor-comment", "slowly on ice");
    await teacher.press("#instructor-comment", "Enter");
    await until(driver, () => /comentario: slowly on ice/.test(document.body.textContent));
    await teacher.click("#instructor-freeze");
    await driver.waitForSelector("#frozen", { state: "hidden" });
    await teacher.click("#station-clear");
    await input(driver, "ice1_r", 0);
    await input(driver, "barrier_up", 0);
    assert.match(biela("replay", `${server.folder}/class.biela.part`), /equal/);
});

test("nothing went wrong in the pages", { skip }, () => {
    assert.deepEqual([driver, teacher, guest].flatMap((page) => page.mistakes), []);
});
