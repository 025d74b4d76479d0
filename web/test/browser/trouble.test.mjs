// SPDX-License-Identifier: MIT
// What goes wrong while somebody drives is said in the language of the page, nothing is lost, and the drive goes on: a disk that is full, a
// texture that cannot be read, scenery in the way of the truck.
import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, startDrive, startLimited, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let folder;

before(async () => {
    if (!skip) {
        browser = await openBrowser(640, 360);
        folder = await mkdtemp(join(tmpdir(), "biela-trouble-"));
    }
});

after(async () => {
    await browser?.close();
    if (folder) {
        await rm(folder, { recursive: true, force: true });
    }
});

/** all that messages have said since the page was opened */
const listen = (page) =>
    page.evaluate(() => {
        window.said = document.querySelector("#toasts").textContent;
        new MutationObserver(() => (window.said += ` ${document.querySelector("#toasts").textContent}`)).observe(document.querySelector("#toasts"), { childList: true, subtree: true });
    });
const hears = (page, words) => until(page, (pattern) => new RegExp(pattern, "i").test(window.said), words);
const goesOn = async (page) => until(page, (t) => window.biela.frame().t > t + 0.3, await page.evaluate(() => window.biela.frame().t));

for (const [lang, words] of [
    ["en", "the recording stops: the disk refuses"],
    ["es", "la grabación se detiene: el disco no admite más"],
]) {
    test(`a full disk is said (${lang}), and the drive goes on`, { skip }, async () => {
        // files may have 100 kB: the model fits in front of the recording, a minute of driving does not
        const server = await startLimited(100, ["drive", "pendulum-cart"]);
        const page = await openPage(browser.context, server.url, `lang=${lang}&quality=low`);
        try {
            await listen(page);
            await page.evaluate(() => window.biela.connection.send({ type: "speed", value: 8 }));
            const keys = setInterval(() => page.keyboard.press("f").catch(() => {}), 40);
            await hears(page, words).finally(() => clearInterval(keys));
            await goesOn(page);
        } finally {
            await page.close();
            await server.stop();
        }
    });
}

test("a texture that cannot be read is said in Spanish, and the machine is drawn without it", { skip }, async () => {
    await writeFile(join(folder, "box.obj"), "mtllib box.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 2/2 4/3\n");
    await writeFile(join(folder, "box.mtl"), "newmtl skin\nKd 1 1 1\nmap_Kd skin.png\n");
    await writeFile(join(folder, "skin.png"), Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(400, 7)]));
    const file = join(folder, "textured.yaml");
    await writeFile(
        file,
        "biela: 1\nname: textured\ngravity: [0, 0, -9.81]\nbodies: {rod: {mass: 1, com: [0.5, 0, 0], inertia: {rod: [1, 0, 0]}}}\n" +
            "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}}\nlooks: {skin: {file: box.obj, body: rod}}\nrun: {time: 60, dt: 5 ms}\n",
    );
    const server = await startDrive(file, ["--no-record"]);
    const page = await browser.context.newPage();
    try {
        await page.addInitScript(() => {
            window.said = "";
            document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => (window.said += ` ${document.querySelector("#toasts")?.textContent ?? ""}`)).observe(document.body, { childList: true, subtree: true }));
        });
        await page.goto(`${server.url}${server.url.includes("?") ? "&" : "?"}lang=es&quality=low`);
        await until(page, () => window.biela?.frame()?.number > 0);
        await hears(page, "skin\\.png");
        assert.doesNotMatch(await page.evaluate(() => window.said), /cannot|could not|read/);
        await goesOn(page);
    } finally {
        await page.close();
        await server.stop();
    }
});

test("scenery that would stand in the truck is refused in Spanish, and the drive that runs goes on", { skip }, async () => {
    const server = await startDrive("forklift", ["--no-record", "--set", "loads=0"]);
    const page = await openPage(browser.context, server.url, "lang=es&quality=low");
    try {
        await listen(page);
        // the back wall of the hall, 77.74 m from the origin of the yard, through the mast
        await page.evaluate(() => window.biela.connection.send({ type: "restart", set: { yard_x: -75.5 } }));
        await hears(page, "(rechaza|rechazado).*hall_back");
        await goesOn(page);
    } finally {
        await page.close();
        await server.stop();
    }
});

test("the recording of a full disk is whole as far as it goes", { skip }, async () => {
    const server = await startLimited(60, ["drive", "pendulum-cart", "--record", join(folder, "short.biela")]);
    const page = await openPage(browser.context, server.url);
    await listen(page);
    await page.evaluate(() => window.biela.connection.send({ type: "speed", value: 8 }));
    const keys = setInterval(() => page.keyboard.press("f").catch(() => {}), 40);
    await hears(page, "the disk refuses").finally(() => clearInterval(keys));
    await page.close();
    const told = await server.stop();
    const files = await Promise.allSettled(["short.biela", "short.biela.part"].map((name) => stat(join(folder, name))));
    assert.ok(files.some((file) => file.status === "fulfilled" && file.value.size > 0), told);
});
