// SPDX-License-Identifier: MIT
// What the page and the worker with the engine say to each other.

/** a file for the engine's own disk */
export interface EngineFile {
    path: string;
    bytes: ArrayBuffer;
}

export type ToEngine =
    /** build: that of the page; pack: the models of the gallery, null where none is needed; wanted: files to be given back when the command has ended */
    | { type: "start"; words: string[]; build: string; wasm: ArrayBuffer; pack: ArrayBuffer | null; files: EngineFile[]; wanted: string[] }
    | { type: "say"; text: string }
    | { type: "ping" }
    | { type: "ask"; number: number; path: string };

export type FromEngine =
    | { type: "ready" }
    | { type: "pong" }
    | { type: "text"; text: string }
    | { type: "bytes"; bytes: ArrayBuffer }
    | { type: "answer"; number: number; bytes: ArrayBuffer | null }
    /** the command came to its end: what it printed, and what it wrote to stderr */
    | { type: "ended"; code: number; printed: string[]; told: string[]; files: EngineFile[] }
    /** trouble: what is known of it */
    | { type: "failed"; lines: string[]; trouble?: Trouble };

/** why an engine cannot work: the browser lacks something, the page and its parts are of different builds, no memory, it does not answer */
export type Trouble = "no_wasm" | "mixed" | "memory" | "stuck" | "gone" | "missing";
