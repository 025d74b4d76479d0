// SPDX-License-Identifier: MIT
// Lessons of the forklift in the page: a careful driver passes three of them, a careless one fails with the right faults by name.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, restartBy, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
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
    await server?.stop();
});

/** what the on-screen sticks ask for; what is not named is let go */
const ask = (wanted) => page.evaluate((values) => Object.assign(window.biela.pilot.touch, { drive: 0, steer: 0, lift: 0, tilt: 0, park: 0, look: 0 }, values), wanted);

/** asks until a channel passes a value (below it with sign -1) */
async function hold(wanted, channel, value, sign = 1) {
    await ask(wanted);
    await until(
        page,
        ([name, limit, direction]) => {
            const index = window.biela.view.machine.scene.channels.findIndex((other) => other.name === name);
            return direction * (window.biela.frame().channels[index] - limit) > 0 || document.querySelector("#exercise").dataset.state === "failed";
        },
        [channel, value, sign],
    );
}

/** lets go of everything but this, until the truck stands */
async function stand(wanted = {}) {
    await hold(wanted, "speed", 0.03, -1);
    await hold(wanted, "speed", -0.03);
}

async function begin(lesson) {
    await ask({});
    await restartBy(page, () => page.selectOption("#exercise-choice", lesson));
    await until(page, (name) => document.querySelector("#exercise-choice").value === name && document.querySelector("#exercise").dataset.state === "ready", lesson);
    // half speed: a busy machine must not make the driver overshoot
    await page.evaluate(() => window.biela.connection.send({ type: "speed", value: 0.5 }));
}

const ended = async (state) => {
    await until(page, () => ["passed", "failed"].includes(document.querySelector("#exercise").dataset.state));
    assert.equal(await page.getAttribute("#exercise", "data-state"), state, await page.textContent("#exercise"));
};

const faults = () => page.$$eval('#exercise .reasons li[data-kind="fault"], #exercise .reasons li[data-kind="final"]', (rows) => rows.map((row) => row.firstChild.textContent));

test("the clock waits for the first input, the card tells how", { skip }, async () => {
    await begin("01-start-and-stop");
    await page.waitForSelector("#exercise .waits");
    assert.match(await page.textContent("#exercise .waits"), /W S/);
    const before = await page.evaluate(() => window.biela.frame().t);
    await until(page, (t) => window.biela.frame().t > t + 1, before);
    assert.match(await page.textContent("#exercise .clock"), /^0:00/);
});

test("start and stop: passed", { skip }, async () => {
    await hold({ drive: 0.3 }, "tip.x", 15.5);
    await hold({ drive: 0.12 }, "tip.x", 17.5);
    await stand();
    await ask({ park: 1 });
    await ended("passed");
    await ask({});
    assert.deepEqual(await faults(), []);
});

test("there and back, looking back: passed; the next lesson is offered", { skip }, async () => {
    await begin("02-there-and-back");
    await hold({ drive: 0.25 }, "tip.x", 12.4);
    await stand();
    await ask({ look: 1 });
    await until(page, () => window.biela.frame().inputs[5] > 0.9);
    await hold({ drive: -0.2, look: 1 }, "truck.x", 1.2, -1);
    await stand({ look: 1 });
    await ended("passed");
    assert.deepEqual(await faults(), []);
    await ask({});
    await restartBy(page, () => page.click("#exercise-next"));
    await until(page, () => document.querySelector("#exercise-choice").value === "03-between-the-cones");
});

test("lift and tilt: passed", { skip }, async () => {
    await begin("04-lift-and-tilt");
    await hold({ lift: 1 }, "lifted", 2.1);
    await hold({ tilt: -1 }, "phi5", 0.09);
    await hold({ tilt: 0.3 }, "phi5", 0.008, -1);
    await ask({});
    await until(page, () => document.querySelectorAll('#exercise .goals li[data-done="true"]').length >= 3);
    await hold({ lift: -0.6 }, "lifted", 0.35, -1);
    await hold({ lift: -0.12 }, "lifted", 0.2, -1);
    await ask({});
    await until(page, () => document.querySelectorAll('#exercise .goals li[data-done="true"]').length >= 4);
    await hold({ drive: 0.2 }, "tip.x", 11.5);
    await stand();
    await ended("passed");
    assert.deepEqual(await faults(), []);
});

test("a careless drive fails, and says why by name, in both languages", { skip }, async () => {
    await begin("03-between-the-cones");
    await hold({ lift: 1, tilt: 1 }, "lifted", 0.9);
    await hold({ tilt: 1 }, "phi5", -0.08, -1);
    await hold({ drive: -0.4 }, "truck.x", -2, -1);
    await hold({ drive: 1 }, "truck.x", 16);
    await ask({ drive: 1, steer: 1 });
    await ended("failed");
    const told = (await faults()).join("\n");
    for (const name of ["It ended by: rolls over", "Fault: collision", "Fault: speed with raised forks", "Fault: reversing without looking back", "Fault: mast tilted ahead while travelling"]) {
        assert.ok(told.includes(name), `${name} is not among:\n${told}`);
    }
    await page.click("#menu, #tools button:last-child").catch(() => {});
    await page.evaluate(() => [...document.querySelectorAll("button")].find((button) => button.textContent === "ES")?.click());
    await until(page, () => /Terminó por: vuelco/.test(document.querySelector("#exercise").textContent));
    assert.match(await page.textContent("#exercise"), /Falta: retroceder sin mirar atrás/);
    await page.evaluate(() => [...document.querySelectorAll("button")].find((button) => button.textContent === "EN")?.click());
});

test("nothing went wrong in the page", { skip }, () => {
    assert.deepEqual(page.mistakes, []);
});
