// SPDX-License-Identifier: MIT
// The page for everybody: every control by keyboard, nothing that axe-core complains of, no English word in Spanish.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test, { after, afterEach, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser;
let server;

before(async () => {
    if (!skip) {
        server = await startDrive("forklift", ["--no-record"]);
        browser = await openBrowser(1280, 720);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

// a test that failed leaves its page open, and with it the seat
afterEach(async () => {
    for (const page of browser?.context.pages() ?? []) {
        if (page.url() !== "about:blank") {
            await page.close();
        }
    }
});

async function complaints(page, where) {
    await page.evaluate((source) => void (window.axe || (0, eval)(source)), (await import("node:fs")).readFileSync(axe, "utf8"));
    const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(" ")}`));
    return found.map((line) => `${where}: ${line}`);
}

/** the panels that a page may show, by the ids of their buttons */
const PANELS = ["plots", "parameters", "controls", "inside", "map", "help"];

/** walks with Tab from the top of the page; ids or classes of what gets the focus, and whether each shows it */
const walk = (page) =>
    page.evaluate(() => {
        const all = [...document.querySelectorAll("button, select, input, summary, a[href], [tabindex='0']")].filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled);
        return all.filter((node) => node.tabIndex < 0).map((node) => node.id || node.className);
    });

for (const lang of ["en", "es"]) {
    test(`axe-core finds nothing (${lang})`, { skip }, async () => {
        const page = await openPage(browser.context, server.url, `lang=${lang}&quality=low`);
        // waits for the answers of the server: what comes late is judged, too
        let found = await complaints(page, "page");
        for (const name of PANELS) {
            await page.click(`#tool-${name}`);
            await page.waitForSelector(name === "help" ? "#help:not([hidden])" : `#panel-${name}:not([hidden])`);
            found = [...found, ...(await complaints(page, name))];
            await page.keyboard.press("Escape");
        }
        await page.keyboard.press("a");
        await page.waitForSelector("#legend:not([hidden])");
        await page.selectOption("#exercise-choice", "2-slalom");
        await page.waitForSelector("#exercise:not([hidden])");
        found = [...found, ...(await complaints(page, "exercise"))];
        assert.deepEqual(found, []);
        await page.close();
    });
}

test("every control is reached and pressed by keys, and shows its focus", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    assert.deepEqual(await walk(page), []);
    const seen = new Set();
    for (let k = 0; k < 60; k++) {
        await page.keyboard.press("Tab");
        const focus = await page.evaluate(() => {
            const node = document.activeElement;
            return { id: node.id, outline: parseFloat(getComputedStyle(node).outlineWidth) };
        });
        if (focus.id) {
            assert.ok(focus.outline >= 2, `${focus.id} does not show its focus`);
            seen.add(focus.id);
        }
    }
    for (const id of ["canvas", "exercise-choice", "tool-camera", "tool-help", "language", "play", "step", "scrub", "restart"]) {
        assert.ok(seen.has(id), `${id} is not reached by Tab`);
    }
    // Space and Enter press what has the focus, not what they mean elsewhere
    await page.focus("#tool-plots");
    await page.keyboard.press("Space");
    await page.waitForSelector("#panel-plots:not([hidden])");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tool-plots");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#panel-plots", { state: "hidden" });
    await page.focus("#play");
    await page.keyboard.press("Enter");
    await until(page, () => (window.biela.frame().flags & 1) === 1);
    // the slider of time moves by its own keys
    await page.focus("#scrub");
    await page.keyboard.press("Home");
    await until(page, () => window.biela.frame().t === 0);
    await page.keyboard.press("ArrowRight");
    await until(page, () => Math.abs(window.biela.frame().t - 0.1) < 0.01);
    // the view turns by keys while the picture has the focus
    await page.focus("#canvas");
    const before = await page.evaluate(() => window.biela.view.rig.camera.position.toArray());
    await page.keyboard.press("ArrowLeft");
    await until(page, ([x]) => Math.abs(window.biela.view.rig.camera.position.x - x) > 0.05, before);
    await page.close();
});

test("help takes the focus, keeps it, and gives it back", { skip }, async () => {
    const page = await openPage(browser.context, server.url);
    await page.focus("#tool-help");
    await page.keyboard.press("Enter");
    for (let k = 0; k < 3; k++) {
        assert.ok(await page.evaluate(() => document.querySelector("#help").contains(document.activeElement)));
        await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Escape");
    await page.waitForSelector("#help", { state: "hidden" });
    await page.close();
});

/** words that are English and no Spanish; names of files, keys and units are none of them */
const ENGLISH = /\b(the|and|of|with|speed|load|wheel|mass|start|stop|force|position|search|time|score|lift|tilt|steer|drive|ground|is|below|above|you|from|stand|pallet|steps|mean|worst|further|whole|tools|panels)\b/i;

test("the Spanish page has no English word", { skip }, async () => {
    const page = await openPage(browser.context, server.url, "lang=es&quality=low");
    const texts = () =>
        page.evaluate(() => {
            const found = [];
            for (const node of document.querySelectorAll("body *")) {
                if (!node.checkVisibility() || node.closest("[lang=en], kbd, canvas, script, #inside-list")) {
                    continue;
                }
                const own = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent.trim());
                // identifiers of the model file, in titles and in the list of what is inside, are for those who write files
                const named = [node.getAttribute("aria-label"), node.placeholder, node.closest(".parameter, .choices, #title") ? null : node.title];
                found.push(...own, ...named.filter(Boolean));
            }
            return found.filter((text) => text && !/^[\w.]+$/.test(text));
        });
    let found = await texts();
    for (const name of PANELS) {
        await page.click(`#tool-${name}`);
        await page.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
        await page.waitForTimeout(150);
        found.push(...(await texts()));
        await page.keyboard.press("Escape");
    }
    for (const exercise of ["1-stop-before-the-line", "3-pallet-to-the-lorry"]) {
        await page.selectOption("#exercise-choice", exercise);
        await page.waitForFunction((name) => document.querySelector("#exercise h2") && document.querySelector("#exercise-choice").value === name, exercise);
        found.push(...(await texts()));
    }
    found.push(...(await page.evaluate(() => [...document.querySelectorAll("#exercise-choice option")].map((node) => node.textContent))));
    assert.ok(found.length > 200, `${found.length} texts`);
    assert.deepEqual([...new Set(found.filter((text) => ENGLISH.test(text)))], []);
    // an event, and a refusal of the server
    const event = await page.evaluate(() => {
        window.biela.page.receive({ type: "event", t: 1, name: "wheel-lifts", text: "wheel.fl is below 1" });
        return document.querySelector("#toasts").textContent;
    });
    await page.evaluate(() => window.biela.connection.send({ type: "nonsense" }));
    await page.waitForSelector("#toasts .bad");
    assert.match(event, /una rueda se levanta: .* por debajo de 1/);
    assert.match(await page.textContent("#toasts .bad"), /no se conoce un mensaje/);
    await page.close();
});

test("a graphics unit that is lost while driving is told, lets the controls go, and comes back", { skip }, async () => {
    const page = await openPage(browser.context, server.url, "lang=es&quality=low");
    const drive = await page.evaluate(() => window.biela.view.machine.scene.inputs.findIndex((input) => input.name === "drive"));
    await page.keyboard.down("w");
    await until(page, (k) => window.biela.frame().inputs[k] > 0.5, drive);
    await page.evaluate(() => (window.lost = window.biela.view.renderer.getContext().getExtension("WEBGL_lose_context")).loseContext());
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await page.textContent("#notice"), /Se ha perdido la unidad gráfica/);
    // the key is still down
    await until(page, (k) => window.biela.frame().inputs[k] === 0, drive);
    await page.evaluate(() => window.lost.restoreContext());
    await page.waitForSelector("#notice", { state: "hidden" });
    await until(page, (k) => window.biela.frame().inputs[k] > 0.5, drive);
    await page.keyboard.up("w");
    await page.close();
});

test("a browser without WebGL 2 says so in both languages", { skip }, async () => {
    for (const [lang, words] of [["en", /cannot draw the scene/], ["es", /no puede dibujar la escena/]]) {
        const page = await browser.context.newPage();
        await page.addInitScript(() => {
            const original = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
                return kind === "webgl2" ? null : original.call(this, kind, ...rest);
            };
        });
        await page.goto(`${server.url}?lang=${lang}`);
        await page.waitForSelector("#no-webgl:not([hidden])");
        assert.match(await page.textContent("#no-webgl"), words);
        await page.close();
    }
});
