// SPDX-License-Identifier: MIT
// The engine in Node: module, wasm and models lie beside this file.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Biela } from "./api.js";

export * from "./api.js";

const here = (name) => new URL(name, import.meta.url);

export async function load(options = {}) {
    const factory = createRequire(import.meta.url)("./engine.cjs");
    const biela = await Biela.create(factory, { wasmBinary: readFileSync(here("./biela.wasm")) });
    if (options.models) {
        const pack = readFileSync(here("./models.pack"));
        biela.addPack(pack.buffer.slice(pack.byteOffset, pack.byteOffset + pack.length));
    }
    return biela;
}
