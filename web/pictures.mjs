// SPDX-License-Identifier: MIT
// Pictures and frames of a video from the running product: starts `biela drive` or `biela replay` (or takes the address of
// one that runs), does what a script of keys says, and saves what the page shows.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { executable, openBrowser } from "./test/browser/browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const HELP = `usage: node web/pictures.mjs [options]

Makes pictures of a model, a recording or a running simulator.

  --model NAME         model to drive; default forklift
  --run NAME           named run of the model
  --replay FILE        a recording instead of a model (through biela replay --live)
  --url ADDRESS        a simulator that already runs
  --script FILE        what to do: JSON list of steps, see below; default: one picture after two seconds
  --video FROM TO FPS  numbered frames of this part of the timeline, in model time
  --out FOLDER         default out/pictures
  --size WxH           default 1280x720
  --quality LEVEL      low, medium, high (default), best
  --jpeg               pictures as JPEG, a fifth of the size
  --clean              without display and tool bars
  --lang en|es

Steps of a script: {"wait": 2} model time, {"until": ["truck.x", 2.5, 1]} a channel passes a value upwards (-1: downwards), {"down": "w"}, {"up": "w"}, {"press": "3"}, {"seek": 1.5}, {"pause": true}, {"play": true}, {"take": true}, {"speed": 0.25},
{"restart": {"load": 1000}},
{"view": [azimuth, elevation, distance]}, {"scroll": -600}, {"picture": "name"}.
Frames become a video with: ffmpeg -framerate 30 -i frame%05d.png -pix_fmt yuv420p drive.mp4`;

function readArguments(argv) {
    const options = { model: "forklift", out: "out/pictures", size: "1280x720", quality: "high", lang: "en" };
    for (let i = 0; i < argv.length; i++) {
        const name = argv[i].replace(/^--/, "");
        if (name === "help") {
            console.log(HELP);
            process.exit(0);
        } else if (name === "clean" || name === "jpeg") {
            options[name] = true;
        } else if (name === "video") {
            options.video = argv.slice(i + 1, i + 4).map(Number);
            i += 3;
        } else if (["model", "run", "replay", "url", "script", "out", "size", "quality", "lang"].includes(name) && argv[i + 1]) {
            options[name] = argv[++i];
        } else {
            console.error(`unknown or incomplete option ${argv[i]}\n\n${HELP}`);
            process.exit(2);
        }
    }
    if (options.video && !(options.video.length === 3 && options.video.every(Number.isFinite) && options.video[2] > 0)) {
        console.error("--video wants three numbers: from, to, frames per second");
        process.exit(2);
    }
    return options;
}

function startSimulator(options) {
    const command = process.env.BIELA ?? join(root, "build/biela");
    if (!existsSync(command)) {
        throw new Error(`${command} is missing; ./run builds it`);
    }
    const args = options.replay ? ["replay", resolve(options.replay), "--live"] : ["drive", options.model, ...(options.run ? ["--run", options.run] : [])];
    const child = spawn(command, [...args, "--port", "0", "--no-open"], { stdio: ["ignore", "pipe", "inherit"], env: { BIELA_WEB: join(root, "web/dist"), ...process.env } });
    return new Promise((accept, refuse) => {
        let output = "";
        child.stdout.on("data", (data) => {
            output += data;
            const address = /http:\/\/\S+/.exec(output)?.[0];
            if (address) {
                accept({ address, stop: () => child.kill("SIGINT") });
            }
        });
        child.on("exit", (code) => refuse(new Error(`biela ended with ${code}`)));
    });
}

const send = (page, message) => page.evaluate((text) => window.biela.connection.send(text), message);
const time = (page) => page.evaluate(() => window.biela.frame().t);

const LEVELS = ["low", "medium", "high", "best"];

/** driving goes on with quick pictures; only what is saved is drawn well */
const setQuality = (page, name) => page.evaluate((level) => window.biela.view.setQuality(level), LEVELS.indexOf(name));

/** waits until the picture of the newest frame is finished, then holds it still */
async function save(page, file) {
    await page.evaluate(async () => {
        const { view } = window.biela;
        // the camera behind the machine swings after it
        const count = view.rig.mode === "chase" ? 3 : 1;
        for (let k = 0; k < count; k++) {
            const before = view.drawings;
            view.redraw();
            while (view.drawings === before) {
                await new Promise((next) => setTimeout(next, 10));
            }
        }
        view.isHeld = true;
    });
    const jpeg = file.endsWith(".jpg") ? { type: "jpeg", quality: 86 } : {};
    await page.screenshot({ path: file, timeout: 120000, ...jpeg });
    await page.evaluate(() => (window.biela.view.isHeld = false));
    console.log(file);
}

/** the timeline has its own clock: a slow computer gives the same pictures as a fast one */
async function seek(page, t) {
    await send(page, { type: "seek", t });
    await page.waitForFunction((wanted) => Math.abs(window.biela.frame().t - wanted) < 0.03, t, { timeout: 60000 });
}

async function doStep(page, step, options) {
    const [name, value] = Object.entries(step)[0];
    const actions = {
        wait: async () => {
            const end = (await time(page)) + value;
            await page.waitForFunction((t) => window.biela.frame().t >= t, end, { timeout: 120000 });
        },
        until: async () => {
            const [name, limit, sign = 1] = value;
            await page.waitForFunction(
                ([channel, x, direction]) => {
                    const index = window.biela.view.machine.scene.channels.findIndex((other) => other.name === channel);
                    return direction * (window.biela.frame().channels[index] - x) > 0;
                },
                [name, limit, sign],
                { timeout: 120000 },
            );
        },
        down: () => page.keyboard.down(value),
        up: () => page.keyboard.up(value),
        press: () => page.keyboard.press(value),
        seek: () => seek(page, value),
        speed: () => send(page, { type: "speed", value }),
        restart: async () => {
            await page.evaluate(() => (window.oldMachine = window.biela.view.machine));
            await send(page, { type: "restart", set: value });
            await page.waitForFunction(() => window.biela.view.machine !== window.oldMachine && window.biela.frame().t < 5, null, { timeout: 60000 });
        },
        pause: () => send(page, { type: "pause" }),
        play: () => send(page, { type: "play" }),
        take: () => send(page, { type: "take" }),
        view: () => page.evaluate((view) => window.biela.view.rig.aim(...view), value),
        scroll: () => page.mouse.wheel(0, value),
        picture: async () => {
            await page.waitForTimeout(3000); // messages about keys have gone by then
            await setQuality(page, options.quality);
            await save(page, join(options.out, `${value}.${options.jpeg ? "jpg" : "png"}`));
            await setQuality(page, "low");
        },
    };
    if (!actions[name]) {
        throw new Error(`step ${JSON.stringify(step)}: unknown`);
    }
    await actions[name]();
}

async function makeFrames(page, [from, to, rate], options) {
    await send(page, { type: "pause" });
    await setQuality(page, options.quality);
    const count = Math.round((to - from) * rate) + 1;
    for (let k = 0; k < count; k++) {
        await seek(page, from + k / rate);
        await save(page, join(options.out, `frame${String(k).padStart(5, "0")}.png`));
    }
}

async function main() {
    const options = readArguments(process.argv.slice(2));
    if (!executable) {
        throw new Error("no browser; Debian: apt-get install chromium");
    }
    const steps = options.script ? JSON.parse(await readFile(options.script, "utf8")) : options.video ? [] : [{ wait: 2 }, { picture: options.model }];
    await mkdir(options.out, { recursive: true });
    const [width, height] = options.size.split("x").map(Number);
    const simulator = options.url ? { address: options.url, stop: () => {} } : await startSimulator(options);
    const browser = await openBrowser(width, height);
    try {
        const page = await browser.context.newPage();
        page.on("pageerror", (error) => console.error(`page: ${error.message}`));
        const address = new URL(simulator.address);
        address.searchParams.set("quality", options.quality);
        address.searchParams.set("lang", options.lang);
        if (options.clean) {
            address.searchParams.set("clean", "");
        }
        await page.goto(address.href);
        await page.waitForFunction(() => window.biela?.frame()?.number > 0, null, { timeout: 60000 });
        await setQuality(page, "low");
        for (const step of steps) {
            await doStep(page, step, options);
        }
        if (options.video) {
            await makeFrames(page, options.video, options);
        }
    } finally {
        await browser.close();
        simulator.stop();
    }
}

main().catch((error) => {
    console.error(`pictures: ${error.message}`);
    process.exit(1);
});
