// SPDX-License-Identifier: MIT
// Which build the parts of the page belong to: parts of two builds must not work together. web/build.mjs writes both names in.

declare const BIELA_BUILD: string;
declare const BIELA_PARTS: Record<string, string>;

/** of the page; "" where nobody named it, as on the page of a server */
export const BUILD: string = typeof BIELA_BUILD === "string" ? BIELA_BUILD : "";
/** sums of the files that the engine reads, by their names */
export const PARTS: Record<string, string> = typeof BIELA_PARTS === "object" ? BIELA_PARTS : {};

/** FNV-1a, 32 bits: names contents, against accidents only (and where a page may not compute better ones) */
export function sumOf(bytes: Uint8Array): string {
    let hash = 0x811c9dc5;
    for (let k = 0; k < bytes.length; k++) {
        hash = Math.imul(hash ^ bytes[k]!, 0x01000193);
    }
    return (hash >>> 0).toString(16).padStart(8, "0");
}
