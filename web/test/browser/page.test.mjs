// SPDX-License-Identifier: MIT
// The page in a real browser against the mock server: keys, cameras, languages, panels, devices, several pages, failures.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { clickTool, difference, look, median, openPage, pixels, restartBy, startMock, until } from "./harness.mjs";

const skip = chromium ? false : "chromium is not installed (Debian: chromium)";
let browser;
let server;
let page;

before(async () => {
    if (!skip) {
        server = await startMock();
        browser = await openBrowser(640, 360);
        page = await openPage(browser.context, server.url);
    }
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

const restart = () => restartBy(page, () => page.keyboard.press("Shift+R"));

test("the letter w drives the truck forward, in the state and in the picture", { skip }, async () => {
    await restart();
    const before = await look(page);
    const picture = await pixels(page);
    await page.keyboard.down("w");
    await until(page, () => window.biela.frame().poses[0] > 2);
    await page.keyboard.up("w");
    const change = difference(picture, await pixels(page));
    const now = await look(page);
    assert.ok(now.poses[0] - before.poses[0] > 1.9);
    // a bare floor that passes below: 2; what stands changes by less than 0.5
    assert.ok(change > 1, `the picture changed by ${change}`);
});

test("a paused machine gives the same picture twice", { skip }, async () => {
    await page.keyboard.press("ArrowRight");
    await until(page, () => (window.biela.frame().flags & 1) === 1);
    // the camera comes to rest, then the picture is drawn once more, and finer; a busy machine takes its time for both
    let change = Infinity;
    for (let k = 0; k < 30 && change >= 0.5; k++) {
        const picture = await pixels(page);
        await page.waitForTimeout(1000);
        change = difference(picture, await pixels(page));
    }
    assert.ok(change < 0.5, `the picture changed by ${change}`);
    await page.keyboard.press("ArrowRight");
    await until(page, () => (window.biela.frame().flags & 1) === 0);
});

test("q steers to the left and the strip shows it", { skip }, async () => {
    await page.keyboard.down("q");
    await until(page, () => window.biela.frame().inputs[0] > 0.9);
    await until(page, () => /scaleX\(-/.test(document.querySelector('[data-input="steer"] .fill').style.transform));
    await page.keyboard.up("q");
    await until(page, () => window.biela.frame().inputs[0] === 0);
});

test("keys answer within a step and a frame; the delay is measured", { skip }, async (t) => {
    for (let k = 0; k < 12; k++) {
        const key = k % 2 ? "l" : "j";
        await page.keyboard.down(key);
        await page.waitForTimeout(160);
        await page.keyboard.up(key);
        await page.waitForTimeout(120);
    }
    const delays = await page.evaluate(() => window.biela.latency.delays);
    assert.ok(delays.length >= 6, `${delays.length} delays`);
    // printed, not asserted: the machine may be busy with other tests
    t.diagnostic(`key to state: median ${median(delays.map((d) => d.state)).toFixed(0)} ms; key to drawn: median ${median(delays.map((d) => d.drawn)).toFixed(0)} ms, n = ${delays.length}, 640x360, software drawing`);
});

test("cameras switch by key, and space goes back to the machine", { skip }, async () => {
    const views = [];
    for (const [key, mode] of [["2", "seat"], ["3", "chase"], ["4", "top"], ["1", "orbit"]]) {
        await page.keyboard.press(key);
        await until(page, (wanted) => window.biela.view.rig.mode === wanted, mode);
        await page.waitForTimeout(250);
        views.push(await pixels(page));
    }
    for (let k = 1; k < views.length; k++) {
        assert.ok(difference(views[k - 1], views[k]) > 8, `view ${k} differs`);
    }
    await page.keyboard.press("Space");
    await page.waitForTimeout(300);
    const home = await pixels(page);
    await page.mouse.move(400, 150);
    await page.mouse.down();
    await page.mouse.move(250, 200, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(250);
    assert.ok(difference(home, await pixels(page)) > 8, "dragging turns the view");
    await page.mouse.wheel(0, 400);
    await page.keyboard.press("Space");
    await page.waitForTimeout(300);
    assert.ok(difference(home, await pixels(page)) < 8, "space goes back");
});

test("the language switches between English and Spanish and is remembered", { skip }, async () => {
    assert.equal(await page.textContent("#role"), "you drive");
    await clickTool(page, "#language");
    assert.equal(await page.textContent("#role"), "conduces tú");
    assert.equal(await page.textContent('[data-input="steer"] .label'), "dirección");
    assert.equal(await page.evaluate(() => localStorage.getItem("biela.language")), "es");
    await clickTool(page, "#language");
    assert.equal(await page.textContent("#role"), "you drive");
});

test("plots open, any channel can be added, and a line is drawn", { skip }, async () => {
    await page.keyboard.press("p");
    await page.waitForSelector("#panel-plots:not([hidden])");
    await page.fill("#plot-filter", "yaw");
    await page.check('[data-channel="yaw"]');
    await page.waitForTimeout(400);
    const painted = await page.$$eval("#panel-plots canvas", (canvases) =>
        canvases.map((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 200)),
    );
    assert.ok(painted.length >= 2 && painted.every(Boolean), `${painted}`);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#panel-plots", { state: "hidden" });
});

test("typing in a field does not drive", { skip }, async () => {
    await page.keyboard.press("m");
    await page.focus('[data-parameter="load"]');
    await page.keyboard.down("w");
    await page.waitForTimeout(200);
    assert.equal((await look(page)).inputs[1], 0);
    await page.keyboard.up("w");
    await page.keyboard.press("Escape");
});

test("a parameter is applied by the restart", { skip }, async () => {
    await page.keyboard.press("m");
    await page.fill('[data-parameter="load"]', "2100");
    await page.click("#apply");
    // what the server says, not what was typed
    await until(page, () => window.biela.view.machine.scene.parameters.find((parameter) => parameter.name === "load").value === 2100);
    await page.keyboard.press("Escape");
});

test("the badge has the verdict as sign and word in both languages, tells why, and comes anew with every run", { skip }, async () => {
    const badge = () => page.$eval("#verdict", (node) => [node.dataset.outcome, node.textContent, node.getAttribute("aria-label"), node.title]);
    const load = (value) => restartBy(page, () => page.evaluate((kg) => window.biela.connection.send({ type: "restart", set: { load: kg } }), value));
    const why = "doubtful: load is 2100 kg (limit 2000) at t = 0 s; to try: less";
    await load(2100);
    await page.waitForSelector('#verdict[data-outcome="doubtful"]:not([hidden])');
    assert.deepEqual(await badge(), ["doubtful", "?doubtful", "Verdict: doubtful", why]);
    await clickTool(page, "#language");
    assert.deepEqual(await badge(), ["doubtful", "?dudoso", "Veredicto: dudoso", "dudoso: load: 2100 kg (límite 2000), en t = 0 s; probar: less"]);
    await clickTool(page, "#language");
    await page.click("#verdict");
    assert.ok((await page.textContent("#toasts")).includes(why));
    await load(3100);
    await page.waitForSelector('#verdict[data-outcome="bad"]:not([hidden])');
    assert.equal((await badge())[1], "✗bad");
    await load(1200);
    await page.waitForSelector('#verdict[data-outcome="good"]:not([hidden])');
    assert.deepEqual(await badge(), ["good", "✓good", "Verdict: good", "Everything that is judged is within its limits"]);
});

test("the badge is seen whole in a narrow window, too", { skip }, async () => {
    for (const [width, height] of [[480, 720], [640, 360], [1280, 720]]) {
        await page.setViewportSize({ width, height });
        const covered = await page.$eval("#verdict", (node) => {
            const box = node.getBoundingClientRect();
            const y = (box.top + box.bottom) / 2;
            return [box.left + 2, box.right - 2].some((x) => !node.contains(document.elementFromPoint(x, y)));
        });
        assert.ok(!covered, `${width} x ${height}`);
    }
    await page.setViewportSize({ width: 640, height: 360 });
});

test("forces show on a, help on h", { skip }, async () => {
    await page.keyboard.press("a");
    assert.equal(await page.evaluate(() => window.biela.view.isShowingArrows), true);
    await page.keyboard.press("a");
    assert.equal(await page.evaluate(() => window.biela.view.isShowingArrows), false);
    await page.keyboard.press("h");
    assert.ok(await page.isVisible("#help"));
    assert.match(await page.textContent("#help"), /steer/);
    await page.keyboard.press("h");
    assert.ok(!(await page.isVisible("#help")));
});

test("rewind goes back, Enter goes on from there, and the old drive becomes a ghost", { skip }, async () => {
    await restart();
    await page.keyboard.down("w");
    await until(page, () => window.biela.frame().t > 2.5);
    await page.keyboard.up("w");
    await page.keyboard.down("ArrowLeft");
    await until(page, () => window.biela.frame().t < 1.2);
    await page.keyboard.up("ArrowLeft");
    await until(page, () => (window.biela.frame().flags & 2) === 2);
    assert.equal(await page.textContent("#state"), "REPLAY");
    const there = await look(page);
    await page.keyboard.press("Enter");
    await until(page, (t) => (window.biela.frame().flags & 3) === 0 && window.biela.frame().t > t + 0.1, there.t);
    const now = await look(page);
    assert.equal(now.ghost, now.poses.length);
});

test("the bar scrubs, and up and down change the speed", { skip }, async () => {
    const bar = await page.locator("#scrub").boundingBox();
    await page.mouse.click(bar.x + bar.width * 0.3, bar.y + bar.height / 2);
    await until(page, () => (window.biela.frame().flags & 2) === 2);
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await until(page, () => window.biela.frame().asked === 0.5);
    await until(page, () => document.querySelector("#speed-factor").textContent === "1/2×");
    await page.keyboard.press("ArrowUp");
    await until(page, () => window.biela.frame().asked === 1);
});

test("an exercise shows its goals", { skip }, async () => {
    await page.selectOption("#exercise-choice", "slalom");
    await page.waitForSelector("#exercise:not([hidden])");
    assert.match(await page.textContent("#exercise"), /Pass gate 2/);
    assert.equal(await page.locator('#exercise li[data-done="true"]').count(), 1);
});

test("a steering wheel with pedals drives, and unplugging it lets go", { skip }, async () => {
    const second = await browser.context.newPage();
    await second.close();
    await page.evaluate(() => {
        const pad = { id: "Test Racing Wheel", index: 0, connected: true, mapping: "", timestamp: 0, axes: [0, 0, 0, 0, 0, 0], buttons: [] };
        window.fake = pad;
        navigator.getGamepads = () => [window.fake];
    });
    await page.waitForTimeout(200);
    // pedals report 0 before they are touched: that must not drive
    assert.equal((await look(page)).inputs[1], 0);
    await page.evaluate(() => (window.fake.axes = [-0.5, 0, 1, 0, 0, 1]));
    await page.waitForTimeout(200);
    await page.evaluate(() => (window.fake.axes = [-0.5, 0, -1, 0, 0, 1]));
    await until(page, () => window.biela.frame().inputs[1] > 0.95 && window.biela.frame().inputs[0] > 0.2);
    await page.keyboard.press("v");
    await page.waitForSelector("#panel-controls .device");
    assert.match(await page.textContent("#panel-controls"), /Test Racing Wheel/);
    await page.keyboard.press("Escape");
    await page.evaluate(() => (window.fake = null));
    await until(page, () => window.biela.frame().inputs.every((value) => value === 0));
});

test("sticks on the screen drive", { skip }, async () => {
    await clickTool(page, "#tool-touch");
    const stick = await page.locator('[data-inputs="steer drive"]').boundingBox();
    await page.mouse.move(stick.x + stick.width / 2, stick.y + stick.height / 2);
    await page.mouse.down();
    await page.mouse.move(stick.x + stick.width / 2, stick.y + 8, { steps: 3 });
    await until(page, () => window.biela.frame().inputs[1] > 0.9);
    await page.mouse.up();
    await until(page, () => window.biela.frame().inputs[1] === 0);
    await clickTool(page, "#tool-touch");
});

test("a second page watches, is given the seat, and may vanish", { skip }, async () => {
    const second = await openPage(browser.context, server.url);
    assert.match(await second.textContent("#role"), /you watch/);
    await second.keyboard.down("w");
    await second.waitForTimeout(300);
    await second.keyboard.up("w");
    assert.equal((await look(second)).inputs[1], 0, "a watcher's keys do nothing");
    await second.click("#role");
    await page.bringToFront();
    await page.click("#seat-give");
    await second.bringToFront();
    await until(second, () => document.querySelector("#role").textContent === "you drive");
    await second.keyboard.down("w");
    await until(second, () => window.biela.frame().inputs[1] > 0.5);
    await second.close();
    // the driver is gone: the machine gets its initial inputs, the first page sits down again
    await page.bringToFront();
    await until(page, () => window.biela.frame().inputs[1] === 0);
    await until(page, () => document.querySelector("#role").textContent === "you drive");
    assert.deepEqual(second.mistakes, []);
});

test("a lost connection is shown, and the page comes back by itself", { skip }, async () => {
    const port = new URL(server.url).port;
    await server.stop();
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await page.textContent("#notice"), /Connection lost/);
    server = await startMock(port);
    await page.waitForSelector("#notice", { state: "hidden" });
    await until(page, () => window.biela.frame().t < 20);
    // what failed while the server was away is expected; nothing else may have failed
    assert.deepEqual(page.mistakes.filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket/.test(text)), []);
});

test("a browser without WebGL 2 gets a page that says so", { skip }, async () => {
    const blind = await browser.context.newPage();
    await blind.addInitScript(() => {
        const real = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return kind === "webgl2" ? null : real.call(this, kind, ...rest);
        };
    });
    await blind.goto(`${server.url}?lang=es`);
    await blind.waitForSelector("#no-webgl:not([hidden])");
    assert.match(await blind.textContent("#no-webgl"), /WebGL 2/);
    await blind.close();
});
