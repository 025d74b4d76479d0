// SPDX-License-Identifier: MIT
// What the page believes of a file that it only draws. The command has checked it; it may have changed since, or come from elsewhere.

import type { Object3D } from "three";

interface GltfNodes {
    nodes?: { children?: number[] }[];
}

/** The text of a .gltf or .glb file. */
export function gltfText(bytes: ArrayBuffer): string {
    const view = new DataView(bytes);
    const isBinary = bytes.byteLength >= 20 && view.getUint32(0, true) === 0x46546c67;
    const length = isBinary ? view.getUint32(12, true) : bytes.byteLength;
    if (isBinary && length > bytes.byteLength - 20) {
        throw new Error("the file is cut short");
    }
    return new TextDecoder().decode(new Uint8Array(bytes, isBinary ? 20 : 0, length));
}

/** Nodes must form trees: a loader waits for ever on a circle. */
export function checkNodes(file: GltfNodes): void {
    const nodes = file.nodes ?? [];
    const parent = new Map<number, number>();
    nodes.forEach((node, k) => {
        for (const child of node.children ?? []) {
            if (!Number.isInteger(child) || child < 0 || child >= nodes.length) {
                throw new Error(`nodes.${k}.children: there is no node ${child}`);
            }
            if (parent.has(child)) {
                throw new Error(`nodes.${k}.children: node ${child} is a child of node ${parent.get(child)} already`);
            }
            parent.set(child, k);
        }
    });
    nodes.forEach((_, k) => {
        let up = parent.get(k);
        for (let depth = 0; up !== undefined && depth <= nodes.length; depth++) {
            if (up === k) {
                throw new Error(`nodes.${k}: the node is among its own children`);
            }
            up = parent.get(up);
        }
    });
}

/** Places are finite, and triangles name vertices that are there. */
export function checkParts(root: Object3D): void {
    root.traverse((part) => {
        const geometry = "geometry" in part ? (part as { geometry?: { attributes: Record<string, { array: ArrayLike<number>; count: number }>; index: { array: ArrayLike<number> } | null } }).geometry : undefined;
        const places = geometry?.attributes["position"];
        if (!places) {
            return;
        }
        const name = part.name || part.type;
        for (let i = 0; i < places.array.length; i++) {
            if (!Number.isFinite(places.array[i])) {
                throw new Error(`${name}: vertex ${Math.floor(i / 3)} is no finite place`);
            }
        }
        const index = geometry!.index?.array ?? [];
        for (let i = 0; i < index.length; i++) {
            if (index[i]! >= places.count) {
                throw new Error(`${name}: index ${i} is ${index[i]}, and there are ${places.count} vertices`);
            }
        }
    });
}
