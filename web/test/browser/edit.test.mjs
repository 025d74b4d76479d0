// SPDX-License-Identifier: MIT
// `biela drive MODEL --edit`: the file itself is saved after a question, only this one, never when it has changed, never in part.
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { executable as browser, openBrowser } from "./browser.mjs";
import { executable, startCommand, startLimited, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !executable ? "no engine: BIELA names none" : !existsSync(join(folder, "playground.html")) ? "no build/page: tools/page makes it" : false;
const TEXT = "biela: 1\nname: Swing\nbodies: {rod: {mass: 1, inertia: {rod: [1, 0, 0]}, com: [0.5, 0, 0]}}\njoints: {pivot: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}}\ntables: {pull: {file: data/pull.csv}}\nforces: {f: {type: torque, joint: pivot, torque: pull(t)}}\noutputs: {swing: {joint: pivot}}\nrun: {time: 1}\n";
let opened, work, path;

before(async () => {
    process.env.BIELA_PAGE = folder;
    if (!skip) {
        opened = await openBrowser(1100, 700);
        work = mkdtempSync(join(tmpdir(), "biela-edit-"));
        mkdirSync(join(work, "data"));
        writeFileSync(join(work, "data/pull.csv"), "t,M\n0,0\n1,2\n");
        path = join(work, "swing.yaml");
    }
});

after(async () => {
    await opened?.close();
    if (work) {
        rmSync(work, { recursive: true, force: true });
    }
});

async function openEditor(url) {
    const page = await opened.context.newPage();
    page.setDefaultTimeout(120000);
    await page.goto(`${url}${url.includes("?") ? "&" : "?"}lang=en&quality=low`);
    await page.waitForFunction(() => window.playground?.disk && window.playground.editor.text !== "");
    return page;
}

const good = (page) => page.waitForFunction(() => document.querySelector("#state").dataset.state === "good" && document.body.dataset.hash);
const setText = (page, text) => page.evaluate((words) => window.playground.editor.setText(words), text);

async function save(page, answer = "#answer-yes") {
    await page.evaluate(() => document.querySelector("#notice").replaceChildren());
    await page.click("#save");
    await page.click("#save-disk");
    await page.click(answer);
    if (answer === "#answer-yes") {
        await page.waitForSelector("#notice .toast");
    }
    return page.textContent("#notice");
}

test("the file is saved after a question, and refused when it has changed meanwhile", { skip }, async () => {
    writeFileSync(path, TEXT);
    const server = await startCommand(["drive", path, "--edit"]);
    const page = await openEditor(server.url);
    await good(page); // with the table beside it, from its folder
    const longer = `${TEXT}# ${"ñ€🙂 \"quoted\" \\\\ ".repeat(600)}\n`;
    await setText(page, longer);
    await save(page, "#answer-no");
    assert.equal(readFileSync(path, "utf8"), TEXT);
    assert.match(await save(page), /Saved: swing\.yaml/);
    assert.equal(readFileSync(path, "utf8"), longer);
    // changes that were not saved survive a reload
    await setText(page, `${longer}# more\n`);
    await page.reload();
    await page.waitForFunction(() => window.playground?.editor.text.endsWith("# more\n"));
    assert.match(await save(page), /Saved/);
    writeFileSync(path, TEXT);
    await setText(page, `${longer}# mine\n`);
    assert.match(await save(page), /changed meanwhile/);
    assert.equal(readFileSync(path, "utf8"), TEXT);
    assert.match(await page.evaluate(() => window.playground.editor.text), /# mine/);
    // another model never takes the place of the file
    await page.click("#open");
    await page.click("#open-pendulum");
    await page.click("#save");
    await page.click("#save-disk");
    await page.waitForFunction(() => document.querySelector("#notice").textContent.includes("not that of the file"));
    assert.equal(readFileSync(path, "utf8"), TEXT);
    assert.deepEqual(readdirSync(work).sort(), ["data", "swing.yaml"]);
    await page.close();
    await server.stop();
});

test("strangers' messages, watchers and links change nothing", { skip }, async () => {
    writeFileSync(path, TEXT);
    const server = await startCommand(["drive", path, "--edit", "--token", "driver", "--watch-token", "guest"]);
    const guest = await openEditor(server.url.replace("driver", "guest"));
    await setText(guest, `${TEXT}# guest\n`);
    assert.match(await save(guest), /for watching/);
    await guest.close();
    const page = await openEditor(server.url);
    const hash = await page.evaluate(() => window.playground.disk.file.hash);
    const say = (message) =>
        page.evaluate(
            (text) =>
                new Promise((resolve) => {
                    const socket = new WebSocket(`ws://${location.host}/ws?token=driver`);
                    socket.onopen = () => socket.send(text);
                    socket.onmessage = (event) => resolve(event.data);
                    socket.onclose = () => resolve("closed");
                }),
            typeof message === "string" ? message : JSON.stringify(message),
        );
    const piece = { type: "save", part: 0, of: 1, was: hash, text: "x" };
    for (const message of ["no json", { type: "pause" }, { ...piece, was: "0000000000000000" }, { ...piece, part: 3, of: 5 }, { ...piece, part: -1 }, { ...piece, of: 1e9 }, { ...piece, part: 0.5, of: "2" }, { type: "save", part: 0, of: 1, text: "x" }, { ...piece, text: 5 }, { ...piece, file: "/etc/passwd", was: "" }]) {
        assert.match(await say(message), /refused/, JSON.stringify(message));
        assert.equal(readFileSync(path, "utf8"), TEXT);
    }
    for (const name of ["edit/file/1", "edit/file/-1", "edit/file/0x", "edit/file/../swing.yaml", "edit/../swing.yaml"]) {
        assert.notEqual(await page.evaluate((wanted) => fetch(wanted).then((answer) => answer.status), name), 200, name);
    }
    assert.equal(await page.evaluate(() => fetch("edit", { credentials: "omit" }).then((answer) => answer.status)), 401);
    // a file that became a link meanwhile
    rmSync(path);
    writeFileSync(join(work, "data/other.yaml"), TEXT);
    symlinkSync("data/other.yaml", path);
    await setText(page, `${TEXT}# link\n`);
    assert.match(await save(page), /link/);
    assert.ok(lstatSync(path).isSymbolicLink());
    assert.equal(readFileSync(join(work, "data/other.yaml"), "utf8"), TEXT);
    rmSync(path);
    await page.close();
    await server.stop();
});

test("a disk that is full leaves the file as it was, and the text in the page", { skip }, async () => {
    writeFileSync(path, TEXT);
    const server = await startLimited(4, ["drive", path, "--edit"]);
    const page = await openEditor(server.url);
    await setText(page, `${TEXT}# ${"a".repeat(9000)}\n`);
    assert.match(await save(page), /Not saved/);
    assert.equal(readFileSync(path, "utf8"), TEXT);
    assert.ok((await page.evaluate(() => window.playground.editor.text)).length > 9000);
    assert.deepEqual(readdirSync(work).filter((name) => name.startsWith("swing")), ["swing.yaml"]);
    await page.close();
    await server.stop();
});
