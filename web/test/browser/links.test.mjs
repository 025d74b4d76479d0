// SPDX-License-Identifier: MIT
// A drive by link or file: from the page and from the command, opened in the page with its own engine, compared to the bit.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { executable as browser, openBrowser } from "./browser.mjs";
import { biela, executable, openPage, serveFiles, startDrive, until, web } from "./harness.mjs";

const folder = join(web, "../build/page");
const skip = !browser ? "no browser" : !executable ? "no engine: BIELA names none" : !existsSync(folder) ? "no build/page: tools/page makes it" : false;

let server, opened, work;
before(async () => {
    if (!skip) {
        server = await serveFiles(folder);
        opened = await openBrowser(1000, 600);
        work = mkdtempSync(join(tmpdir(), "biela-links-"));
    }
});
after(async () => {
    await opened?.close();
    await server?.stop();
    if (work) {
        rmSync(work, { recursive: true, force: true });
    }
});

/** the page with its own engine, at an address with a drive in it */
async function openLink(link, query = "lang=en&quality=low") {
    const page = await opened.context.newPage();
    page.setDefaultTimeout(180000);
    await page.goto(`${server.url}?${query}${link}`);
    return page;
}

async function shared(page) {
    await page.keyboard.press("9");
    await page.waitForFunction(() => document.querySelector("#share-address")?.value !== "");
    const address = await page.inputValue("#share-address");
    return address.slice(address.indexOf("#"));
}

async function press(page, key, seconds) {
    const from = await page.evaluate(() => window.biela.frame().t);
    await page.keyboard.down(key);
    await until(page, (t) => window.biela.frame().t > t, from + seconds);
    await page.keyboard.up(key);
    await until(page, (t) => window.biela.frame().t > t, from + seconds + 0.6);
}

test("a drive in the page is a link that another page, and the command, repeat to the bit", { skip }, async () => {
    const page = await openPage(opened.context, server.url, "lang=en&quality=low&model=pendulum-cart&set=L=0.8");
    await press(page, "d", 0.4);
    await press(page, "a", 0.3);
    const link = await shared(page);
    assert.ok(link.length < 3000, `${link.length} letters`);
    await page.close();

    const told = JSON.parse(biela("replay", link, "--json"));
    assert.ok(told.comparable && told.compared > 1 && told.equal === told.compared, JSON.stringify(told));

    const second = await openLink(link);
    await second.waitForSelector('#proof[data-proof="same"]');
    assert.match(await second.textContent("#proof"), /^✓ The same drive to the last bit.*\(\d+\/\d+\)/);
    await until(second, () => (window.biela.frame()?.flags & 2) !== 0); // shown, rewound
    assert.equal(await second.evaluate(() => window.biela.page.scene.kind), "replay");
    await second.close();
});

test("a drive of the native engine, shared by its page, is the same in the page without a server", { skip }, async () => {
    const native = await startDrive("pendulum-cart");
    try {
        const page = await openPage(opened.context, native.url);
        await press(page, "d", 0.4);
        const link = await shared(page);
        assert.equal(await page.locator("#share-whole").isHidden(), true);
        await page.close();
        const second = await openLink(link, "lang=es&quality=low");
        await second.waitForSelector('#proof[data-proof="same"]');
        assert.match(await second.textContent("#proof"), /La misma maniobra hasta el último bit/);
        await second.close();
    } finally {
        await native.stop();
    }
});

test("with another parameter both are seen, and it is not called the same", { skip }, async () => {
    const path = join(work, "drive.biela");
    biela("drive", "pendulum-cart", "--headless", "--unpaced", "--time", "3", "--record", path, "--quiet");
    const link = biela("replay", path, "--link").trim();
    const page = await openLink(link);
    await page.waitForSelector('#proof[data-proof="same"]');
    await until(page, () => window.biela.frame() !== null);
    await page.keyboard.press("m");
    await page.fill('[data-parameter="L"]', "2");
    await page.click("#apply");
    await until(page, () => window.biela.view.machine?.scene.parameters.find((p) => p.name === "L").value === 2);
    await page.keyboard.press("ArrowRight");
    await until(page, () => window.biela.frame().t > 1 && window.biela.frame().ghost.length > 0);
    const apart = await page.evaluate(() => {
        const { poses, ghost } = window.biela.frame();
        return Math.max(...ghost.map((value, k) => Math.abs(value - poses[k])));
    });
    await page.waitForSelector('#proof[data-proof="changed"]');
    assert.ok(apart > 0.01, `the ghost is ${apart} away`);
    await page.close();
});

test("a link that is cut, of another version or of a model that is not here has a clear page, in both languages", { skip }, async () => {
    const path = join(work, "short.biela");
    biela("drive", "pendulum-cart", "--headless", "--unpaced", "--time", "0.5", "--record", path, "--quiet");
    const link = biela("replay", path, "--link").trim();
    const cases = [
        [link.slice(0, -7), "en", /cut or changed/],
        [`${link.slice(0, 60)}x${link.slice(61)}`, "es", /cortada o cambiada/],
        ["#drive=AlzzAYw", "en", /cut or changed|another version/],
        ["#drive=", "es", /cortada/],
    ];
    for (const [bad, language, words] of cases) {
        const page = await openLink(bad, `lang=${language}&quality=low`);
        await page.waitForSelector(".engine-failed pre");
        assert.match(await page.textContent(".engine-failed"), words, bad);
        assert.equal(await page.locator("#proof").isHidden(), true);
        await page.close();
    }
});

test("the recording and the report of a drive are saved from the page", { skip }, async () => {
    const page = await openPage(opened.context, server.url, "lang=en&quality=low&model=pendulum-cart");
    await press(page, "d", 0.3);
    await page.keyboard.press("9");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#share-file")]);
    const path = join(work, "saved.biela");
    await file.saveAs(path);
    const told = JSON.parse(biela("replay", path, "--json"));
    assert.ok(told.comparable && told.equal === told.compared && told.compared > 0, JSON.stringify(told));
    const [report] = await Promise.all([opened.context.waitForEvent("page"), page.click("#share-report")]);
    await report.waitForSelector("svg");
    assert.match(await report.title(), /\S/);
    assert.match(await report.textContent("body"), /pendulum|Pendulum/);
    await report.close();
    await page.close();
});

test("a drive that is too long for an address is offered as a file", { skip }, async () => {
    const page = await openPage(opened.context, server.url, "lang=en&quality=low&model=pendulum-cart");
    await page.evaluate(() => {
        window.biela.connection.transport.ask = async () => new Response(`drive=${"x".repeat(9000)}`);
    });
    await page.keyboard.press("9");
    await page.waitForFunction(() => /too long/.test(document.querySelector("#share-state").textContent));
    assert.equal(await page.locator("#share-address").isHidden(), true);
    await page.close();
});
