// SPDX-License-Identifier: MIT
// This page as one file, with the drive that was just driven.

import { asset } from "../assets.ts";
import { assemble, GIVEN, PACKED, PLAIN, type Parts } from "./onefile.ts";

export async function wholePage(recording: ArrayBuffer | null): Promise<Blob> {
    const parts: Parts = new Map();
    for (const name of [...PACKED, ...PLAIN]) {
        const answer = await asset(name);
        if (!answer.ok) {
            throw new Error(`${name}: ${answer.status}`);
        }
        parts.set(name, new Uint8Array(await answer.arrayBuffer()));
    }
    if (recording) {
        parts.set(GIVEN, new Uint8Array(recording));
    }
    return new Blob([await assemble(parts)], { type: "text/html" });
}
