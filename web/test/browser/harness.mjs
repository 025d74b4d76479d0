// SPDX-License-Identifier: MIT
// Servers and pages for the browser tests.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const web = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Starts a server that prints its address; {url, process, stop}. */
async function startServer(command, args, options = {}) {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    const url = await new Promise((resolve, reject) => {
        const read = (data) => {
            output += data;
            const match = /http:\/\/[^\s]+/.exec(output);
            if (match) {
                resolve(match[0]);
            }
        };
        child.stdout.on("data", read);
        child.stderr.on("data", read);
        child.on("exit", (code) => reject(new Error(`${command} ended with ${code}: ${output}`)));
        setTimeout(() => reject(new Error(`${command} said nothing: ${output}`)), 20000).unref();
    });
    return {
        url,
        process: child,
        output: () => output,
        stop: () =>
            new Promise((resolve) => {
                child.removeAllListeners("exit");
                child.on("exit", () => resolve(output));
                child.kill("SIGINT");
                setTimeout(() => child.kill("SIGKILL"), 5000).unref();
            }),
    };
}

export const startMock = (port = 0) => startServer(process.execPath, [join(web, "dist-test/mock/server.mjs"), String(port)]);

/** the engine itself, when it was built: `biela drive MODEL` */
export const executable = process.env.BIELA && existsSync(process.env.BIELA) ? process.env.BIELA : null;

export const startDrive = (model, args = []) => startCommand(["drive", model, ...args]);

const environment = () => ({ ...process.env, BIELA_WEB: join(web, "dist"), BIELA_MODELS: process.env.BIELA_MODELS ?? join(web, "../models") });

/** runs the command to its end; its output */
export const biela = (...args) => execFileSync(executable, args, { env: environment(), stdio: ["ignore", "pipe", "pipe"] }).toString();

/** a command whose files may not become larger than so many kB, as on a full disk */
export const startLimited = (size, words) => startCommand(words, ["bash", "-c", `trap '' XFSZ; ulimit -f ${size}; exec "$@"`, "bash"]);

/** any command with a page */
export async function startCommand(words, before = []) {
    // recordings go into a folder of their own
    const folder = await mkdtemp(join(tmpdir(), "biela-drive-"));
    const [program, ...args] = [...before, executable, ...words, "--port", "0", "--no-open"];
    const server = await startServer(program, args, {
        cwd: folder,
        env: environment(),
    });
    return {
        ...server,
        folder,
        async stop() {
            const output = await server.stop();
            await rm(folder, { recursive: true, force: true });
            return output;
        },
    };
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".wasm": "application/wasm" };

/**
 * A server of files that knows nothing, from a place in its tree: {url, stop, port}. `more` stands in the place of its files,
 * null: that one is not there; a port of 0 is any.
 */
export async function serveFiles(folder, more = {}, port = 0) {
    const prefix = "/some/where/";
    const server = createServer((request, reply) => {
        const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
        const inside = name.slice(prefix.length) || "index.html";
        const path = join(folder, inside);
        if (!name.startsWith(prefix) || !path.startsWith(folder) || !(inside in more ? more[inside] !== null : existsSync(path))) {
            reply.writeHead(404).end();
            return;
        }
        reply.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(more[inside] ?? readFileSync(path));
    });
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    const address = server.address().port;
    return {
        url: `http://127.0.0.1:${address}${prefix}`,
        port: address,
        stop: () =>
            new Promise((resolve) => {
                server.close(resolve);
                server.closeAllConnections();
            }),
    };
}

/** Opens the page and waits until it shows frames; anything written to the console as an error fails the test at the end. */
export async function openPage(context, url, query = "lang=en&quality=low") {
    const page = await context.newPage();
    page.setDefaultTimeout(Number(process.env.BIELA_PATIENCE ?? 180000)); // a busy machine is no failure
    page.mistakes = [];
    page.on("pageerror", (error) => page.mistakes.push(error.message));
    page.on("console", (message) => {
        if (message.type() === "error") {
            page.mistakes.push(message.text());
        }
    });
    const address = new URL(url);
    for (const [name, value] of new URLSearchParams(query)) {
        address.searchParams.set(name, value);
    }
    await page.goto(address.href);
    await page.waitForFunction(() => window.biela?.frame()?.number > 0, null, { timeout: 60000 });
    return page;
}

/** a button of the tool bar, which is behind the menu where there is no room for it */
export async function clickTool(page, selector) {
    if (await page.locator("#menu").isVisible()) {
        await page.click("#menu");
        await page.click(selector);
        await page.evaluate(() => document.querySelector("#menu").getAttribute("aria-expanded") === "true" && document.querySelector("#menu").click());
    } else {
        await page.click(selector);
    }
}

/** what the page knows of the machine */
export const look = (page) =>
    page.evaluate(() => {
        const frame = window.biela.frame();
        return {
            t: frame.t,
            flags: frame.flags,
            poses: [...frame.poses],
            inputs: [...frame.inputs],
            ghost: frame.ghost.length,
            channels: [...frame.channels],
            camera: window.biela.view.rig.mode,
        };
    });

export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: 180000 });

/** waits until a channel passes a value; sign: 1 upwards, -1 downwards */
export const passes = (page, name, value, sign = 1) =>
    until(
        page,
        ([wanted, limit, direction]) => {
            const index = window.biela.view.machine.scene.channels.findIndex((other) => other.name === wanted);
            return direction * (window.biela.frame().channels[index] - limit) > 0;
        },
        [name, value, sign],
    );

/** Restarts and waits for the first frames of the new run, which begin a new scene. */
export async function restartBy(page, act) {
    await page.evaluate(() => (window.oldMachine = window.biela.view.machine));
    await act();
    await until(page, () => window.biela.view.machine !== window.oldMachine);
    const number = await page.evaluate(() => window.biela.frame().number);
    await until(page, (old) => window.biela.frame().number > old + 1 && (window.biela.frame().flags & 3) === 0, number);
}

/** small copy of the picture: 96 x 54 grey values */
export const pixels = (page) =>
    page.evaluate(
        () =>
            new Promise((resolve) =>
                window.biela.view.takePicture((canvas) => {
                    const small = document.createElement("canvas");
                    small.width = 96;
                    small.height = 54;
                    const context = small.getContext("2d");
                    context.drawImage(canvas, 0, 0, 96, 54);
                    const data = context.getImageData(0, 0, 96, 54).data;
                    const grey = [];
                    for (let i = 0; i < data.length; i += 4) {
                        grey.push((data[i] + data[i + 1] + data[i + 2]) / 3);
                    }
                    resolve(grey);
                }),
            ),
    );

/** mean difference of two pictures, 0..255 */
export const difference = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
