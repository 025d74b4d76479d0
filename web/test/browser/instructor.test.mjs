// SPDX-License-Identifier: MIT
// An instructor's page, with a token of its own: freeze, comment, release; the driver sees it, and whoever watches takes no seat.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { executable as chromium, openBrowser } from "./browser.mjs";
import { executable, openPage, startDrive, until } from "./harness.mjs";

const skip = !chromium ? "chromium is not installed (Debian: chromium)" : !executable ? "BIELA does not name the command" : false;
let browsers = [];
let server;
let driver;
let teacher;
let guest;

before(async () => {
    if (!skip) {
        server = await startDrive("pendulum-cart", ["--token", "drives", "--watch-token", "looks", "--instruct-token", "teaches"]);
        // the token is a cookie of the browser: each has one of its own
        for (const [token, language] of [["drives", "es"], ["teaches", "en"], ["looks", "en"]]) {
            const browser = await openBrowser(640, 360);
            browsers.push(browser);
            const page = await openPage(browser.context, server.url.replace("drives", token), `lang=${language}&quality=low`);
            [driver, teacher, guest] = [driver ?? page, driver ? (teacher ?? page) : undefined, teacher ? page : undefined];
        }
    }
});

after(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    await server?.stop();
});

test("only the instructor has the place of one, and nobody else's seat is taken", { skip }, async () => {
    await teacher.waitForSelector("#instructor", { state: "visible" });
    assert.equal(await driver.isVisible("#instructor"), false);
    assert.equal(await guest.isVisible("#instructor"), false);
    assert.equal(await guest.isDisabled("#role"), true);
    assert.equal(await teacher.textContent("#role"), "Instructor");
    assert.equal(await teacher.isDisabled("#role"), true);
});

test("what is frozen stands until it is released", { skip }, async () => {
    await teacher.click("#instructor-freeze");
    await driver.waitForSelector("#frozen", { state: "visible" });
    assert.equal(await driver.textContent("#frozen"), "El instructor ha detenido la maniobra");
    await until(driver, () => (window.biela.frame().flags & 1) === 1);
    await driver.evaluate(() => window.biela.connection.send({ type: "play" }));
    await until(driver, () => /espera a que siga/.test(document.body.textContent));
    assert.equal(await driver.evaluate(() => window.biela.frame().flags & 1), 1);
});

test("a comment is heard by all", { skip }, async () => {
    await teacher.fill("#instructor-comment", "look behind you");
    await teacher.press("#instructor-comment", "Enter");
    await until(driver, () => /comentario: look behind you/.test(document.body.textContent));
    await until(guest, () => /comment: look behind you/.test(document.body.textContent));
    assert.equal(await teacher.inputValue("#instructor-comment"), "");
});

test("and it goes on", { skip }, async () => {
    assert.equal(await teacher.textContent("#instructor-freeze"), "Release");
    await teacher.click("#instructor-freeze");
    await driver.waitForSelector("#frozen", { state: "hidden" });
    await until(driver, () => (window.biela.frame().flags & 1) === 0);
});

test("nothing went wrong in the pages", { skip }, () => {
    assert.deepEqual([driver, teacher, guest].flatMap((page) => page.mistakes), []);
});
