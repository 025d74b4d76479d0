// SPDX-License-Identifier: MIT
// Files of the page: those that stand inside it where it is one file (engine/onefile.ts), else beside it.

/** what an element of a page that is one file is called */
export const idOf = (name: string): string => `asset:${name}`;

export async function gunzip(base64: string): Promise<ArrayBuffer> {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** What stands inside the page under this name; null: nothing. */
export async function embedded(name: string): Promise<ArrayBuffer | null> {
    const node = document.getElementById(idOf(name));
    if (!node) {
        return null;
    }
    const content = node.textContent ?? "";
    return node.dataset.packed !== undefined ? gunzip(content) : (new TextEncoder().encode(content).buffer as ArrayBuffer);
}

export const isOneFile = (): boolean => document.documentElement.dataset.oneFile !== undefined;

/** A file by its name in the folder of the page. */
export async function asset(name: string): Promise<Response> {
    const inside = await embedded(name);
    if (inside) {
        return new Response(inside);
    }
    return isOneFile() ? new Response(null, { status: 404 }) : fetch(name);
}
