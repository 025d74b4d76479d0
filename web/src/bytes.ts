// SPDX-License-Identifier: MIT
// The reader of meshes and flexible bodies, which the page fetches once: counts, then parts, as messages.ts lays them out.

export interface Layout {
    counts: readonly string[];
    /** name, words of each, counts whose product says how many there are */
    parts: readonly (readonly [string, number, readonly string[]])[];
}

/** the words of a part, read either way */
export interface Words {
    u32: Uint32Array;
    f32: Float32Array;
}

export interface Contents<L extends Layout> {
    counts: Record<L["counts"][number], number>;
    parts: Record<L["parts"][number][0], Words>;
}

function words(view: DataView, at: number, count: number): Words {
    const u32 = new Uint32Array(count);
    for (let k = 0; k < count; k++) {
        u32[k] = view.getUint32(at + 4 * k, true);
    }
    return { u32, f32: new Float32Array(u32.buffer) };
}

/** Reads bytes of this layout; null when they are cut short or too long. */
export function decodeBytes<L extends Layout>(data: ArrayBuffer, layout: L): Contents<L> | null {
    let at = 4 * layout.counts.length;
    if (data.byteLength < at) {
        return null;
    }
    const view = new DataView(data);
    const counts: Record<string, number> = {};
    layout.counts.forEach((name, k) => (counts[name] = view.getUint32(4 * k, true)));
    const sizes = layout.parts.map(([, size, names]) => names.reduce((product, name) => product * counts[name]!, size));
    if (data.byteLength !== at + 4 * sizes.reduce((sum, size) => sum + size, 0)) {
        return null;
    }
    const parts: Record<string, Words> = {};
    layout.parts.forEach(([name], k) => {
        parts[name] = words(view, at, sizes[k]!);
        at += 4 * sizes[k]!;
    });
    return { counts, parts } as Contents<L>;
}
