// SPDX-License-Identifier: MIT
// A model as a link: its text, packed into the part of the address behind `#`, which no server sees. Pure but for the browser's packer.

export interface Shared {
    version: 1;
    text: string;
    /** a model of the gallery whose folder the text reads from */
    base?: string;
    /** channels that were plotted */
    plots?: string[];
    /** of the run's last state, to compare with */
    hash?: string;
    /** files of its own: names, and contents in base64 */
    files?: Record<string, string>;
}

export const MARK = "#text=";
export { LONGEST_LINK } from "../engine/link.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export class BadLink extends Error {
    constructor(readonly isNewer: boolean) {
        super(isNewer ? "made by a newer version" : "damaged");
    }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export function toBase64(bytes: Uint8Array): string {
    let text = "";
    for (let k = 0; k < bytes.length; k += 0x8000) {
        text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
    }
    return btoa(text);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** sum over bytes that a changed letter changes (FNV-1a): the packer's own errors do not find every damage */
function checksum(bytes: Uint8Array): string {
    let sum = 0x811c9dc5;
    for (const byte of bytes) {
        sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
    }
    return sum.toString(16).padStart(8, "0");
}

/** what stands in the address behind `#`: the checksum of the packed bytes, then these */
export async function pack(shared: Shared): Promise<string> {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
    return `${MARK}${checksum(bytes)}.${toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** the model of an address; null: it holds none. Damage is a BadLink. */
export async function unpackLink(hash: string): Promise<Shared | null> {
    if (!hash.startsWith(MARK)) {
        return null;
    }
    const match = /^([0-9a-f]{8})\.([\w-]+)$/.exec(hash.slice(MARK.length));
    if (!match) {
        throw new BadLink(false);
    }
    try {
        const bytes = fromBase64(match[2]!.replace(/-/g, "+").replace(/_/g, "/"));
        if (checksum(bytes) !== match[1]) {
            throw new BadLink(false);
        }
        return checked(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    } catch (error) {
        throw error instanceof BadLink ? error : new BadLink(false);
    }
}

/** the text of a file or a link as what it says to be; anything else is a BadLink */
export function checked(json: string): Shared {
    let found: Partial<Shared>;
    try {
        found = JSON.parse(json) as Partial<Shared>;
    } catch {
        throw new BadLink(false);
    }
    if (typeof found !== "object" || found === null || typeof found.version !== "number") {
        throw new BadLink(false);
    }
    if (found.version !== 1) {
        throw new BadLink(found.version > 1);
    }
    const areTexts = (list: unknown) => list === undefined || (Array.isArray(list) && list.every((one) => typeof one === "string"));
    const isText = (one: unknown) => one === undefined || typeof one === "string";
    const areFiles = found.files === undefined || (typeof found.files === "object" && found.files !== null && Object.values(found.files).every((one) => typeof one === "string" && BASE64.test(one)));
    if (typeof found.text !== "string" || !isText(found.base) || !isText(found.hash) || !areTexts(found.plots) || !areFiles) {
        throw new BadLink(false);
    }
    return found as Shared;
}
