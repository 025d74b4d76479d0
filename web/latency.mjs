// SPDX-License-Identifier: MIT
// The delay from a key to the changed state and to the finished picture, at 640x360 in a real browser with software drawing.
// Usage: BIELA=build/biela node web/latency.mjs [MODEL ...]   (the machine should have nothing else to do)
import { executable as chromium, openBrowser } from "./test/browser/browser.mjs";
import { executable, median, startDrive } from "./test/browser/harness.mjs";

const KEYS = ["w", "s"];
const PRESSES = 40;

function quantile(values, q) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

async function measure(model) {
    const server = await startDrive(model);
    const browser = await openBrowser(640, 360);
    try {
        const page = await browser.context.newPage();
        await page.goto(server.url);
        await page.waitForFunction(() => window.biela?.frame());
        await page.waitForTimeout(4000); // meshes are loaded, the level of quality is chosen
        for (let k = 0; k < PRESSES; k++) {
            const key = KEYS[k % KEYS.length];
            await page.keyboard.down(key);
            await page.waitForTimeout(170);
            await page.keyboard.up(key);
            await page.waitForTimeout(150 + ((7 * k) % 40));
        }
        return await page.evaluate(() => window.biela.latency.delays);
    } finally {
        await browser.close();
        await server.stop();
    }
}

if (!chromium || !executable) {
    console.error(chromium ? "BIELA does not name the command" : "chromium is not installed (Debian: chromium)");
    process.exit(2);
}
const models = process.argv.length > 2 ? process.argv.slice(2) : ["forklift", "pendulum-cart"];
console.log("key to state and to the finished picture, ms, 640x360, software drawing (goal: 50 drawn, median)\n");
console.log("model               presses  state median  drawn median  drawn 90 %");
for (const model of models) {
    const delays = await measure(model);
    const drawn = delays.map((delay) => delay.drawn);
    const cells = [delays.length, median(delays.map((delay) => delay.state)).toFixed(0), median(drawn).toFixed(0), quantile(drawn, 0.9).toFixed(0)];
    console.log(model.padEnd(18) + String(cells[0]).padStart(9) + String(cells[1]).padStart(14) + String(cells[2]).padStart(14) + String(cells[3]).padStart(12));
}
process.exit(0);
