// SPDX-License-Identifier: MIT
// Looks: an OBJ file with materials on a body, glTF posts of an included file around it, light of the model file.
import assert from "node:assert/strict";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, startDrive, until, web } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startDrive(join(web, "../tests/keys/looks.yaml"), ["--no-record"]);
        browser = await openBrowser(640, 360);
        page = await openPage(browser.context, server.url);
        await until(page, () => {
            const { machine } = window.biela.view;
            return machine.around.children.length === 3 && machine.around.children.every((node) => node.children.length > 0) && machine.bodies[0].children[0]?.children.length > 0;
        });
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

/** meshes of the body, or of what stands around: colours, pictures, boxes in the axes of the model */
const meshes = (isAround) =>
    page.evaluate((wanted) => {
        const found = [];
        const { machine } = window.biela.view;
        const root = wanted ? machine.around : machine.bodies[0];
        root.updateWorldMatrix(true, true);
        root.traverse((node) => {
            for (const material of node.isMesh ? [node.material].flat() : []) {
                node.geometry.computeBoundingBox();
                const box = node.geometry.boundingBox.clone().applyMatrix4(node.matrixWorld);
                found.push({ name: material.name, colour: material.color.getHexString(), picture: material.map?.image?.width ?? 0, normals: node.geometry.getAttribute("normal") !== undefined, low: box.min.toArray(), high: box.max.toArray() });
            }
        });
        return found;
    }, isAround);
const near = (a, b, what) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-5, `${what}: ${a} is not ${b}`));

test("an OBJ file has its materials, its picture and its normals", { skip }, async () => {
    await until(page, () => {
        let width = 0;
        window.biela.view.machine.bodies[0].traverse((node) => [node.material].flat().forEach((material) => (width ||= material?.map?.image?.width ?? 0)));
        return width === 8;
    });
    const parts = await meshes(false);
    assert.deepEqual(parts.map((part) => part.name).sort(), ["boards", "lid"]);
    assert.equal(parts.find((part) => part.name === "boards").picture, 8);
    // Kd 0.1 0.5 0.2
    assert.equal(parts.find((part) => part.name === "lid").colour, "1a8033");
    assert.ok(parts.every((part) => part.normals));
});

test("glTF stands upright where the included file puts it", { skip }, async () => {
    const posts = await meshes(true);
    assert.equal(posts.length, 3);
    // 3 m along y of the file is 3 m of height; the file is included 3 m to the left
    near(posts[0].low, [-1.1, 2.9, 0], "low");
    near(posts[0].high, [-0.9, 3.1, 3], "high");
    near(posts[1].low, [0.9, 2.9, 0], "low");
    // binary, twice as large
    near(posts[2].high, [0.2, 7.2, 6], "high");
    assert.ok(posts.every((post) => post.name === "paint"));
});

test("the body carries its look, the posts stay", { skip }, async () => {
    const before = await meshes(false);
    await until(page, (x) => window.biela.view.machine.bodies[0].position.x > x + 0.2, before[0].low[0] + 0.5);
    const now = await meshes(false);
    assert.ok(now[0].low[0] > before[0].low[0] + 0.1);
    near((await meshes(true))[0].low, [-1.1, 2.9, 0], "low");
});

test("sun and sky are those of the model file", { skip }, async () => {
    const light = await page.evaluate(() => {
        const { light: own, scene } = window.biela.view;
        const towards = own.sun.position.clone().sub(own.sun.target.position).normalize();
        return { towards: towards.toArray(), colour: own.sun.color.getHexString(), fog: scene.fog.color.getHexString() };
    });
    near(light.towards, [Math.SQRT1_2, 0, Math.SQRT1_2], "sun");
    assert.equal(light.colour, "ffd0a0");
    assert.equal(light.fog, "8090a0");
});

test("only files of looks are served, and none from elsewhere", { skip }, async () => {
    const status = (path) => page.evaluate(async (wanted) => (await fetch(wanted)).status, path);
    const own = await page.evaluate(() => window.biela.view.machine.scene.looks.find((look) => look.name === "crate").url);
    assert.equal(await status(own.replace(".obj", ".mtl")), 200);
    const folder = own.slice(0, own.lastIndexOf("/"));
    for (const path of [`${folder}/yard.yaml`, `${folder}/%2e%2e/looks.yaml`, "look/9/crate.obj", `${folder}//etc/passwd.png`, "look/x/crate.obj"]) {
        assert.notEqual(await status(path), 200, path);
    }
});

test("nothing went wrong in the page", { skip }, () => {
    // of the test before
    assert.deepEqual(page.mistakes.filter((mistake) => !/40[034]/.test(mistake)), []);
});
