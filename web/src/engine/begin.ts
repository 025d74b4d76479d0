// SPDX-License-Identifier: MIT
// How a worker begins with the engine: parts of another build are refused, and whatever ends it has a reason that people understand.

import { PARTS, sumOf } from "./build.ts";
import type { Trouble } from "./messages.ts";

/** A reason that is known, for the page to say in its language. */
export class Stop extends Error {
    constructor(
        readonly trouble: Trouble,
        message: string,
    ) {
        super(message);
    }
}

/** A file of the page must be of the same build as this program. */
export function hold(name: string, bytes: ArrayBuffer): void {
    const expected = PARTS[name];
    if (expected !== undefined && sumOf(new Uint8Array(bytes)) !== expected) {
        throw new Stop("mixed", `${name} is of another build than this page`);
    }
}

export const wordsOf = (error: unknown): string => String((error as Error)?.message ?? error);

/** What making the module came to, or why it could not be made. */
export async function made<T>(module: Promise<T>): Promise<T> {
    return module.catch((error: unknown) => {
        throw new Stop(error instanceof RangeError || /memory/i.test(String(error)) ? "memory" : "no_wasm", String(error));
    });
}

/** What is known of an error of the engine, with what it printed before. */
export function troubleOf(error: unknown, told: string[] = []): Trouble | undefined {
    const isMemory = error instanceof RangeError || told.some((line) => /out of memory|no memory/.test(line)) || /memory/i.test(wordsOf(error));
    return error instanceof Stop ? error.trouble : isMemory ? "memory" : undefined;
}
