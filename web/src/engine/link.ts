// SPDX-License-Identifier: MIT
// A drive in the address of the page: #drive=... . The engine itself reads it (src/record/link.h); here it is only found and carried.

/** letters: what is longer is offered as a file, because not every program takes such an address */
export const LONGEST_LINK = 8000;

/** "drive=..." of an address; null: it has none */
export function driveOf(hash: string): string | null {
    const found = /[#&](drive=[^&]*)/.exec(hash);
    return found ? found[1]! : null;
}
