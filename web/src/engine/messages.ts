// SPDX-License-Identifier: MIT
// What the page and the worker with the engine say to each other.

/** a file for the engine's own disk */
export interface EngineFile {
    path: string;
    bytes: ArrayBuffer;
}

export type ToEngine =
    | { type: "start"; words: string[]; pack: string; files: EngineFile[] }
    | { type: "say"; text: string }
    | { type: "ask"; number: number; path: string };

export type FromEngine =
    | { type: "ready" }
    | { type: "text"; text: string }
    | { type: "bytes"; bytes: ArrayBuffer }
    | { type: "answer"; number: number; bytes: ArrayBuffer | null }
    /** the command came to its end: what it printed, and what it wrote to stderr */
    | { type: "ended"; code: number; printed: string[]; told: string[] }
    | { type: "failed"; lines: string[] };
