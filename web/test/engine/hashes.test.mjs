// SPDX-License-Identifier: MIT
// The engine for pages against the command: the same hash after the same run, and the same bytes of the result.
//   node --no-experimental-fetch --test web/test/engine/
// (without that option the loader of emscripten 3.1 takes node for a browser)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const module = join(root, "build/wasm/biela.js");
const command = process.env.BIELA ?? join(root, "build/biela");
const skip = !existsSync(module) ? "no build/wasm/biela.js: tools/wasm/build makes it" : !existsSync(command) ? "no command: BIELA names none" : false;

const RUNS = ["forklift --time 10", "clio --time 10", "bicycle --time 10", "four-bars --set N=40 --time 10", "andrews", "waveboard --time 3", "flex-four-bar", "prototype-car --time 1", "pile --time 0.3 --scheme piles", "top-bg", "double-pendulum --scheme dopri5 --dt auto --time 2", "andrews --formulation joint --scheme rk4 --dt 1e-5 --time 0.01", "no-such-model"];

const engine = skip ? null : createRequire(import.meta.url)(module);

function put(fs, from, to) {
    fs.mkdirTree(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
        const [source, target] = [join(from, entry.name), `${to}/${entry.name}`];
        if (entry.isDirectory()) {
            put(fs, source, target);
        } else if (!/\.(png|md)$/.test(entry.name)) {
            fs.writeFile(target, readFileSync(source));
        }
    }
}

async function inModule(words) {
    const printed = [];
    const m = await engine({ print: (line) => printed.push(line), printErr: () => {} });
    put(m.FS, join(root, "models"), "/models");
    m.FS.chdir("/");
    const code = m.callMain([...words, "--out", "/x.csv", "--json"]);
    process.exitCode = 0; // the code of the command is not that of the test
    return { code, found: printed.length > 0 ? JSON.parse(printed.join("\n")) : null, table: code === 2 ? null : Buffer.from(m.FS.readFile("/x.csv")) };
}

function byCommand(words, folder) {
    const out = join(folder, "x.csv");
    try {
        const text = execFileSync(command, [...words, "--out", out, "--json"], { cwd: root, env: { ...process.env, BIELA_CACHE: folder }, stdio: ["ignore", "pipe", "ignore"] });
        return { code: 0, found: JSON.parse(text), table: readFileSync(out) };
    } catch (error) {
        const text = String(error.stdout);
        return { code: error.status, found: text ? JSON.parse(text) : null, table: existsSync(out) ? readFileSync(out) : null };
    }
}

test("the engine as sent is smaller than 1.2 MB", { skip }, () => {
    const sent = gzipSync(Buffer.concat([readFileSync(module), readFileSync(module.replace(/js$/, "wasm"))]), { level: 9 }).length;
    assert.ok(sent < 1.2e6, `${sent} bytes`);
});

test("a command that is not in a page says so", { skip }, async () => {
    const told = [];
    const m = await engine({ print: () => {}, printErr: (line) => told.push(line) });
    assert.equal(m.callMain(["sweep", "pendulum"]), 2);
    process.exitCode = 0;
    assert.match(told.join(" "), /sweep: is not in a page/);
});

for (const run of RUNS) {
    test(`the same bits: ${run}`, { skip }, async () => {
        const folder = mkdtempSync(join(tmpdir(), "biela-hash-"));
        try {
            const words = ["run", ...run.split(" ")];
            const own = byCommand(words, folder);
            const other = await inModule(words);
            assert.equal(other.code, own.code);
            assert.equal(other.found?.hash, own.found?.hash);
            assert.deepEqual(other.table, own.table);
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    });
}
