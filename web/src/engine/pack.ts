// SPDX-License-Identifier: MIT
// Many files in one: a number (bytes of the list, 4 bytes, little-endian), the list as JSON, the files one after another.

export interface PackedFile {
    path: string;
    bytes: Uint8Array;
}

export function unpack(pack: ArrayBuffer): PackedFile[] {
    if (pack.byteLength < 4) {
        throw new Error("the pack of models is empty");
    }
    const length = new DataView(pack).getUint32(0, true);
    if (4 + length > pack.byteLength) {
        throw new Error("the pack of models is cut");
    }
    const list = JSON.parse(new TextDecoder().decode(new Uint8Array(pack, 4, length))) as [string, number][];
    let at = 4 + length;
    return list.map(([path, size]) => {
        if (at + size > pack.byteLength) {
            throw new Error(`the pack of models is cut at ${path}`);
        }
        const bytes = new Uint8Array(pack, at, size);
        at += size;
        return { path, bytes };
    });
}
