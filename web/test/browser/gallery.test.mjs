// SPDX-License-Identifier: MIT
// The gallery: a picture of each model, and every model starts from it; machines move when their keys are pressed.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import test, { after, afterEach, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, passes, startCommand, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser;
let server;

before(async () => {
    if (!skip) {
        server = await startCommand(["drive", "--no-record"]);
        browser = await openBrowser(1280, 720);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

afterEach(async () => {
    for (const page of browser?.context.pages() ?? []) {
        if (page.url() !== "about:blank") {
            await page.close();
        }
    }
});

const open = async (page) => {
    if (await page.locator("#gallery").isHidden()) {
        await page.keyboard.press("8");
    }
    await page.waitForSelector("#gallery .card");
};

async function start(page, model) {
    await open(page);
    await page.evaluate(() => (window.oldMachine = window.biela.view.machine));
    await page.click(`#gallery .card[data-model="${model}"]`);
    await until(page, () => window.biela.view.machine !== window.oldMachine && window.biela.frame().t < 60);
    const number = await page.evaluate(() => window.biela.frame().number);
    await until(page, (old) => window.biela.frame().number > old + 2, number);
}

test("without a model the page begins with the gallery, where every model has its picture", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await open(page);
    const cards = await page.$$eval("#gallery .card", (nodes) => nodes.map((node) => ({ model: node.dataset.model, hasPicture: node.querySelector("img") !== null })));
    assert.ok(cards.length > 60, `${cards.length} models`);
    assert.deepEqual(cards.filter((card) => !card.hasPicture).map((card) => card.model), []);
    assert.deepEqual(page.mistakes, []);
});

test("the filter, Tab, arrows, Enter and Escape do without a mouse", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await open(page);
    await page.focus("#gallery-filter");
    await page.keyboard.type("pend");
    assert.ok((await page.$$("#gallery .card")).length < 8);
    // out of the field, over the button that closes, to the first picture
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const first = await page.evaluate(() => document.activeElement.dataset.model);
    await page.keyboard.press("ArrowRight");
    const second = await page.evaluate(() => document.activeElement.dataset.model);
    assert.ok(first && second && first !== second, `${first} ${second}`);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#gallery", { state: "hidden" });
});

for (const lang of ["en", "es"]) {
    test(`axe-core finds nothing in the gallery (${lang})`, { skip }, async () => {
        const page = await openPage(browser.context, server.url, `lang=${lang}&quality=low`);
        await open(page);
        await page.evaluate((source) => void (0, eval)(source), readFileSync(axe, "utf8"));
        const found = await page.evaluate(async () => (await window.axe.run(document.querySelector("#gallery"), { resultTypes: ["violations"] })).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(" ")}`));
        assert.deepEqual(found, []);
    });
}

test("every model has a Spanish name", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    const lacking = await page.evaluate(async () => (await (await fetch("models")).json()).filter((entry) => !entry.spanish).map((entry) => entry.model));
    // a name of a thing is the same in both languages
    assert.deepEqual(lacking, ["snakeboard"]);
});

for (const [model, key, channel, limit, sign] of [
    ["crane", "e", "trolley.position", 0.2, 1],
    ["crane", "l", "load.y", -4.8, 1],
    ["excavator", "i", "tip.y", 0.6, 1],
    ["excavator", "j", "bucket-length.position", 2.42, 1],
    ["scissor-lift", "l", "platform.y", 2.2, 1],
]) {
    test(`${model}: its key ${key} moves ${channel}`, { skip }, async () => {
        const page = await openPage(browser.context, server.url);
        await start(page, model);
        assert.equal(await page.textContent("#role"), "you drive");
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.down(key);
        await passes(page, channel, limit, sign);
        await page.keyboard.up(key);
        assert.deepEqual(page.mistakes, []);
    });
}

test("from the seat a wheel turns with the steering, and a needle with the engine", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await start(page, "clio");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("2");
    await until(page, () => window.biela.view.cockpit?.root.visible);
    const turns = () => page.evaluate(() => window.biela.view.cockpit.root.children.flatMap((child) => child.children.map((part) => part.rotation.z)));
    const before = await turns();
    await page.keyboard.down("q");
    await page.keyboard.down("w");
    await until(page, (old) => window.biela.view.cockpit.root.children.flatMap((child) => child.children.map((part) => part.rotation.z)).filter((z, i) => Math.abs(z - old[i]) > 0.2).length >= 2, before);
    await page.keyboard.up("q");
    await page.keyboard.up("w");
    // nobody else sees it
    await page.keyboard.press("1");
    await until(page, () => !window.biela.view.cockpit.root.visible);
});

test("what has no inputs runs by itself, and stays in sight while it falls", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await start(page, "chain");
    assert.equal(await page.textContent("#role"), "runs by itself");
    await until(page, () => window.biela.frame().t > 0.9);
    // the floor is below everything, and the middle of the links is in the picture
    const { floor, low, screen } = await page.evaluate(() => {
        const { view } = window.biela;
        const zs = view.machine.bodies.map((body) => body.matrixWorld.elements[14]);
        return { floor: view.scenery.position.z, low: Math.min(...zs), screen: view.onScreen() };
    });
    assert.ok(floor < low, `floor at ${floor}, lowest link at ${low}`);
    assert.ok(screen.every((x) => x > 0.1 && x < 0.9), `${screen}`);
});

test("a graph without bodies shows its diagrams", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await start(page, "bond-motor");
    await page.waitForSelector("#panel-plots:not([hidden]) canvas");
    const box = await (await page.$("#panel-plots")).boundingBox();
    assert.ok(box.width > 800, `${box.width} px wide`);
});

test("a model that is not in the list is refused by name, and the drive goes on", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    const before = await page.evaluate(() => document.title);
    await page.evaluate(() => window.biela.connection.send({ type: "model", name: "../../etc/passwd" }));
    await until(page, () => document.querySelector("#toasts").textContent.includes("etc/passwd"));
    assert.equal(await page.evaluate(() => document.title), before);
});
