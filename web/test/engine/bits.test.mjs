// SPDX-License-Identifier: MIT
// The same hash after the same run: the command, the package in Node and, where BIELA_CLANG names one, the command of another compiler.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { hashByCommand, TEN_SECONDS } from "./runs.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const folder = join(root, "build/npm");
const command = process.env.BIELA ?? join(root, "build/biela");
const other = process.env.BIELA_CLANG;
const skip = !existsSync(folder) ? "no build/npm: tools/page makes it" : !existsSync(command) ? "no command: BIELA names none" : false;

let biela;
before(async () => {
    biela = skip ? null : await (await import(join(folder, "node.js"))).load({ models: true });
});

for (const run of TEN_SECONDS) {
    test(`the same bits in Node: ${run.model}, ${run.time} s`, { skip }, () => {
        const model = biela.open(run.model, { set: run.set ?? {} });
        const sim = model.sim({ time: run.time });
        model.free();
        const { hash } = sim.run({ channels: [] });
        sim.free();
        assert.equal(hash, hashByCommand(command, run));
        if (other) {
            assert.equal(hashByCommand(other, run), hash);
        }
    });
}
