// SPDX-License-Identifier: MIT
// Recordings and tables in a real browser: plots over the whole time with a cursor, what is drawn, what is offered.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { biela, executable, openPage, startCommand, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let folder;

before(async () => {
    if (!skip) {
        folder = await mkdtemp(join(tmpdir(), "biela-replay-"));
        browser = await openBrowser(1280, 720);
    }
});

after(async () => {
    await browser?.close();
    await rm(folder ?? "", { recursive: true, force: true });
});

/** opens the plots and waits until they reach from begin to end */
async function plotsReach(page, end) {
    await page.keyboard.press("p");
    await until(page, (last) => window.biela.page.plots.reach().end > last - 0.1, end);
    const reach = await page.evaluate(() => window.biela.page.plots.reach());
    assert.ok(reach.begin < 0.1 && reach.rows > 20, JSON.stringify(reach));
    // a curve is drawn in the colour of the first channel from the left to the right end
    const columns = await page.evaluate(() => {
        window.biela.page.plots.draw(performance.now() + 1000);
        const canvas = document.querySelector("#panel-plots canvas");
        const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const found = [];
        for (let x = 44; x < width - 8; x++) {
            for (let y = 24; y < height - 18; y++) {
                const at = 4 * (y * width + x);
                if (data[at] > 150 && data[at + 1] > 100 && data[at + 2] < 90 && data[at + 3] > 100) {
                    found.push(x / width);
                    break;
                }
            }
        }
        return [found[0], found.at(-1)];
    });
    assert.ok(columns[0] < 0.2 && columns[1] > 0.95, `the curve goes from ${columns[0]} to ${columns[1]} of the width`);
}

test("a replay has plots over its whole length before it is played, and a click on them goes there", { skip }, async () => {
    const file = join(folder, "a.biela");
    biela("drive", "pendulum-cart", "--headless", "--unpaced", "--time", "6", "--record", file, "--quiet");
    const server = await startCommand(["view", file]);
    try {
        const page = await openPage(browser.context, server.url);
        await plotsReach(page, 6);
        const box = await page.locator("#panel-plots canvas").first().boundingBox();
        await page.mouse.click(box.x + 40 + (box.width - 46) / 2, box.y + 60);
        await until(page, () => Math.abs(window.biela.frame().t - 3) < 0.1);
        await until(page, () => !document.querySelector("#take").hidden);
        assert.deepEqual(page.mistakes, []);
        await page.close();
    } finally {
        await server.stop();
    }
});

test("a table with its model draws every body and offers nothing that it cannot do", { skip }, async () => {
    const file = join(folder, "mu.csv");
    biela("run", "forklift", "--time", "1", "--out", file, "--quiet");
    const server = await startCommand(["view", file, "--model", "forklift"]);
    try {
        const page = await openPage(browser.context, server.url, "lang=es&quality=low");
        const seen = await page.evaluate(() => ({
            bodies: window.biela.view.machine.scene.bodies.length,
            shapes: window.biela.view.machine.scene.shapes.length,
            still: window.biela.view.machine.scene.still,
            frame: window.biela.frame().poses.length / 7,
        }));
        assert.ok(seen.shapes > 20 && seen.bodies === seen.frame && seen.bodies > 5, JSON.stringify(seen));
        assert.ok(seen.still > 0);
        for (const id of ["#take", "#restart", "#role", "#tool-parameters"]) {
            assert.ok(await page.locator(id).isHidden(), id);
        }
        await plotsReach(page, 1);
        assert.equal(await page.textContent("#state"), "RESULTADOS");
        assert.deepEqual(page.mistakes, []);
        await page.close();
    } finally {
        await server.stop();
    }
});
