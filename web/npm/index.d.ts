// SPDX-License-Identifier: MIT
import type { Biela } from "./api.js";
export * from "./api.js";

export interface LoadOptions {
    /** also the models that come with the engine: biela.open("forklift") */
    models?: boolean;
    /** in a browser: the address of the folder with biela.wasm and models.pack; without it that of this module */
    base?: string | URL;
}

/** One engine with a memory and a disk of its own. Heavy runs belong into a worker: calls do not return before they are done. */
export function load(options?: LoadOptions): Promise<Biela>;
