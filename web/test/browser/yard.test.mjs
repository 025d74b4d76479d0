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

test("the full yard is few drawings, and what is drawn at once is where its bodies are", { skip }, async () => {
    const server = await startDrive("forklift", ["--no-record", ...settings({ yard_x: -8 })]);
    const page = await openPage(browser.context, server.url);
    try {
        const drawn = await page.evaluate(() => {
            const { renderer, scene, rig, machine } = window.biela.view;
            const count = (withShadow) => {
                renderer.info.autoReset = false;
                renderer.info.reset();
                renderer.shadowMap.needsUpdate = withShadow;
                renderer.render(scene, rig.camera);
                return { ...renderer.info.render };
            };
            return { picture: count(false), whole: count(true), bodies: machine.bodies.length };
        });
        // one by one it was 120 and 142 with 43 thousand triangles
        assert.ok(drawn.bodies >= 40, `${drawn.bodies} bodies`);
        assert.ok(drawn.picture.calls <= 80, `${drawn.picture.calls} calls`);
        assert.ok(drawn.whole.calls <= 105, `${drawn.whole.calls} calls with shadows`);
        assert.ok(drawn.picture.triangles <= 46000, `${drawn.picture.triangles} triangles`);
        await page.keyboard.down("w");
        await until(page, () => window.biela.frame().t > 2);
        await page.keyboard.up("w");
        const apart = await page.evaluate(() => {
            const { machine } = window.biela.view;
            const pieces = [];
            machine.root.traverse((node) => node.isMesh && !node.isInstancedMesh && node.layers.mask === 0 && pieces.push(node));
            const places = [];
            machine.root.updateMatrixWorld(true);
            machine.root.traverse((node) => {
                for (let i = 0; node.isInstancedMesh && node.name.startsWith("all of one form") && i < node.count; i++) {
                    places.push(node.instanceMatrix.array.slice(16 * i + 12, 16 * i + 15));
                }
            });
            const worst = Math.max(
                ...pieces.map((piece) => {
                    const { x, y, z } = piece.getWorldPosition(machine.root.position.clone());
                    return Math.min(...places.map((place) => Math.hypot(place[0] - x, place[1] - y, place[2] - z)));
                }),
            );
            return { pieces: pieces.length, places: places.length, worst };
        });
        assert.ok(apart.pieces >= 60 && apart.pieces === apart.places, JSON.stringify(apart));
        assert.ok(apart.worst < 1e-5, `${apart.worst} m`);
    } finally {
        await page.close();
        await server.stop();
    }
});
