// SPDX-License-Identifier: MIT
// The yard is solid for a person at the keys: wall, lorry, pallet and kerb, each with what the page says of it. The yard is moved so
// that the thing stands ahead, as in cli.yard_slow, which has the numbers.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;

before(async () => {
    if (!skip) {
        browser = await openBrowser(640, 360);
    }
});

after(async () => {
    await browser?.close();
});

const settings = (values) => Object.entries(values).flatMap(([name, value]) => ["--set", `${name}=${value}`]);

/** drives with W held until t of the model; {column: [least, last, most]} of the channels named, events told so far */
async function driveAhead(values, seconds, names) {
    const server = await startDrive("forklift", ["--no-record", ...settings(values)]);
    const page = await openPage(browser.context, server.url);
    try {
        await page.evaluate((wanted) => {
            const { view } = window.biela;
            window.told = [];
            window.seen = Object.fromEntries(wanted.map((name) => [name, [Infinity, 0, -Infinity]]));
            new MutationObserver(() => window.told.push(document.querySelector("#toasts").textContent)).observe(document.querySelector("#toasts"), { childList: true });
            const look = () => {
                const frame = window.biela.frame();
                for (const name of wanted) {
                    const x = frame.channels[view.machine.scene.channels.findIndex((channel) => channel.name === name)];
                    const [least, , most] = window.seen[name];
                    window.seen[name] = [Math.min(least, x), x, Math.max(most, x)];
                }
            };
            setInterval(look, 15);
        }, names);
        const start = await page.evaluate(() => window.biela.frame().t);
        await page.keyboard.down("w");
        await until(page, (end) => window.biela.frame().t > end, start + seconds);
        await page.keyboard.up("w");
        return await page.evaluate(() => ({ seen: window.seen, told: window.told.join(" ") }));
    } finally {
        await page.close();
        await server.stop();
    }
}

test("the wall of the hall stops the truck, and the page says so", { skip }, async () => {
    const { seen, told } = await driveAhead({ loads: 0, yard_x: -72.5 }, 4, ["tip.x"]);
    assert.ok(seen["tip.x"][2] > 5.1 && seen["tip.x"][2] < 5.3, `tip.x ${seen["tip.x"]}`);
    assert.match(told, /crash/i);
});

test("the lorry stops the truck", { skip }, async () => {
    const { seen, told } = await driveAhead({ loads: 0, yard_x: -6, yard_y: -15 }, 4, ["truck.x"]);
    assert.ok(seen["truck.x"][2] > 2 && seen["truck.x"][2] < 3.6, `truck.x ${seen["truck.x"]}`);
    assert.match(told, /crash/i);
});

test("a pallet is pushed by forks that are too high for it, not passed", { skip }, async () => {
    const { seen } = await driveAhead({ yard_x: 200, lift0: 0.1 }, 3.5, ["pallet.x", "truck.x"]);
    assert.ok(seen["pallet.x"][1] - seen["truck.x"][1] > 2.2, `pallet ${seen["pallet.x"]}, truck ${seen["truck.x"]}`);
});

test("a kerb lifts the truck and lets it down again", { skip }, async () => {
    const { seen } = await driveAhead({ loads: 0, yard_x: 16, yard_y: -8, lift0: 0.4 }, 5, ["truck.z", "truck.x"]);
    assert.ok(seen["truck.z"][2] > 0.08, `truck.z ${seen["truck.z"]}`);
    assert.ok(seen["truck.x"][1] > 9, `truck.x ${seen["truck.x"]}`);
});
