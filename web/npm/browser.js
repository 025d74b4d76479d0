// SPDX-License-Identifier: MIT
// The engine in a browser or a worker: wasm and models are fetched from beside this file, or from where options say.
import factory from "./engine.mjs";
import { Biela, BielaError } from "./api.js";

export * from "./api.js";

async function fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) {
        throw new BielaError(`${address}: ${answer.status}`);
    }
    return answer.arrayBuffer();
}

export async function load(options = {}) {
    if (typeof WebAssembly !== "object") {
        throw new BielaError("this browser has no WebAssembly");
    }
    const base = options.base ?? import.meta.url;
    const [wasmBinary, pack] = await Promise.all([fetched(new URL("biela.wasm", base)), options.models ? fetched(new URL("models.pack", base)) : null]);
    const biela = await Biela.create(factory, { wasmBinary });
    if (pack) {
        biela.addPack(pack);
    }
    return biela;
}
