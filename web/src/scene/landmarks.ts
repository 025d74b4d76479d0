// SPDX-License-Identifier: MIT
// The three large things of our parcel: hall under construction, tipper lorry, tower crane.

import * as THREE from "three";
import type { Builder } from "./builder.ts";
import { sheetTexture } from "./textures.ts";
import type { Vec3 } from "../protocol.ts";

/** Steel frames on a slab x 42..78, y -16..16; the back is already clad, the front stands open. */
export function addHall(b: Builder): void {
    const steel = "#9b4a3a";
    const eaves = 8;
    const ridge = 10.4;
    b.use({ roughness: 0.6, metalness: 0.1 });
    const frames = [42.4, 49.4, 56.4, 63.4, 70.4, 77.4];
    for (const [k, x] of frames.entries()) {
        for (const y of [-15.6, 15.6]) {
            addColumn(b, x, y, eaves, steel);
        }
        // the first frame still waits for its rafters
        if (k > 0) {
            b.bar([x, -15.6, eaves], [x, 0, ridge], 0.34, steel);
            b.bar([x, 15.6, eaves], [x, 0, ridge], 0.34, steel);
        }
    }
    // purlins and braces
    for (const side of [-1, 1]) {
        for (let p = 0; p <= 5; p += b.isDetailed ? 1 : 2) {
            const y = side * 15.6 * (1 - p / 5.5);
            const z = eaves + (ridge - eaves) * (p / 5.5) + 0.22;
            b.bar([49.4, y, z], [77.4, y, z], 0.14, "#b9bcbc");
        }
        for (const z of [2.4, 5.2, 7.8]) {
            b.bar([42.4, side * 15.6, z], [77.4, side * 15.6, z], 0.12, "#b9bcbc");
        }
        b.bar([49.4, side * 15.6, 0.4], [56.4, side * 15.6, 7.6], 0.09, "#b9bcbc");
        b.bar([56.4, side * 15.6, 0.4], [49.4, side * 15.6, 7.6], 0.09, "#b9bcbc");
    }
    const sheet = sheetTexture();
    b.use({ map: sheet, roughness: 0.5 });
    b.block(77.8, 0, 0.3, [0.12, 31.6, 7.9], "#d7dbdc"); // back wall
    b.block(70.4, 15.9, 0.3, [14.4, 0.12, 7.7], "#3e7396"); // finished part of the side
    b.block(73.9, -15.9, 0.3, [7.4, 0.12, 7.7], "#3e7396");
    addRoofSheet(b, 66, 78, -1);
    addRoofSheet(b, 70, 78, 1);
    addScaffold(b, 45, 62, 17.2);
    // blockwork growing at the front
    b.use({ roughness: 0.95 });
    for (let row = 0; row < 6; row++) {
        b.block(42.3, -11.6 + row * 0.12, row * 0.25, [0.3, 7.2 - row * 0.9, 0.24], row % 2 ? "#b3ada2" : "#a9a399");
    }
    for (const [x, y] of [[50, -8], [51.6, -8.2], [60, 9]] as const) {
        b.block(x, y, 0.02, [1.2, 1.0, 1.1], "#d7cfbb");
    }
    // heap of sand
    b.use({ roughness: 1 });
    b.add(new THREE.ConeGeometry(2.6, 1.7, 22).rotateX(Math.PI / 2).translate(46, 21.5, 0.82), "#cdb788");
    b.add(new THREE.ConeGeometry(1.9, 1.2, 22).rotateX(Math.PI / 2).translate(49, 22.6, 0.57), "#b9b3a6");
}

function addColumn(b: Builder, x: number, y: number, height: number, colour: string): void {
    b.block(x, y, 0, [0.7, 0.7, 0.25], "#a8a49b");
    b.block(x, y - 0.14, 0.25, [0.32, 0.05, height - 0.25], colour);
    b.block(x, y + 0.14, 0.25, [0.32, 0.05, height - 0.25], colour);
    b.block(x, y, 0.25, [0.05, 0.26, height - 0.25], colour);
}

function addRoofSheet(b: Builder, x0: number, x1: number, side: number): void {
    const length = Math.hypot(15.8, 2.4);
    const sheet = new THREE.BoxGeometry(x1 - x0, length, 0.08);
    sheet.rotateX(-side * Math.atan2(2.4, 15.8)).translate((x0 + x1) / 2, side * 7.9, 9.55);
    b.add(sheet, "#c3c9cb");
}

function addScaffold(b: Builder, x0: number, x1: number, y: number): void {
    b.use({ roughness: 0.5, metalness: 0.4 });
    const tube = "#a9b0b2";
    for (let x = x0; x <= x1; x += 2.4) {
        for (const dy of b.isDetailed ? [0, 1] : [0]) {
            b.rod([x, y + dy, 0], [x, y + dy, 8.6], 0.035, tube, 0.035, 6);
        }
    }
    b.use({ roughness: 0.9 });
    for (const z of [2, 4, 6, 8]) {
        b.box([(x0 + x1) / 2, y + 0.5, z], [x1 - x0 + 0.6, 1, 0.06], "#c8a468");
        b.bar([x0, y + 1, z + 1], [x1, y + 1, z + 1], 0.05, tube);
        b.bar([x0, y, z + 1], [x1, y, z + 1], 0.05, tube);
    }
    for (let x = x0; x + 4.8 <= x1; x += 4.8) {
        b.bar([x, y + 1, 0], [x + 2.4, y + 1, 4], 0.04, tube);
        b.bar([x + 2.4, y + 1, 4], [x + 4.8, y + 1, 8], 0.04, tube);
    }
}

/** Tipper lorry heading +x; floor of the bed x-4.4..x+1.2, z 1.15, the near side (-y) folded down. */
export function addLorry(b: Builder, x: number, y: number): void {
    const paint = "#c9381f";
    const dark = "#2b2e31";
    b.use({ roughness: 0.5, metalness: 0.2 });
    for (const dy of [-0.42, 0.42]) {
        b.box([x - 0.7, y + dy, 0.86], [7.6, 0.12, 0.26], dark); // frame
    }
    b.box([x - 1.6, y, 1.08], [5.6, 2.4, 0.14], "#6c7072"); // floor of the bed
    b.box([x - 1.6, y + 1.19, 1.5], [5.6, 0.06, 0.72], "#7e8385");
    b.box([x + 1.22, y, 1.72], [0.06, 2.4, 1.16], "#7e8385");
    b.box([x - 4.42, y, 1.5], [0.06, 2.4, 0.72], "#7e8385");
    b.box([x - 1.6, y - 1.23, 0.8], [5.6, 0.06, 0.6], "#7e8385"); // folded down
    for (let k = 0; k < (b.isDetailed ? 6 : 0); k++) {
        b.box([x - 4.1 + k * 1.0, y + 1.23, 1.5], [0.08, 0.06, 0.72], "#61666a");
        b.box([x - 4.1 + k * 1.0, y - 1.27, 0.8], [0.08, 0.05, 0.6], "#61666a");
    }
    // cab
    b.use({ roughness: 0.3, metalness: 0.1 });
    b.box([x + 2.55, y, 1.35], [2.0, 2.36, 1.2], paint);
    b.box([x + 2.4, y, 2.35], [1.7, 2.3, 0.9], paint);
    b.box([x + 2.35, y, 2.85], [1.5, 2.2, 0.14], "#e6e2da");
    b.use({ roughness: 0.08, metalness: 0.4 });
    b.box([x + 3.24, y, 2.36], [0.08, 2.06, 0.72], "#22313d");
    for (const dy of [-1.16, 1.16]) {
        b.box([x + 2.6, y + dy, 2.36], [1.1, 0.04, 0.66], "#22313d");
    }
    b.use({ roughness: 0.6 });
    b.box([x + 3.58, y, 0.72], [0.16, 2.36, 0.34], dark);
    b.box([x + 3.56, y, 1.3], [0.06, 1.5, 0.5], "#1f2224");
    for (const dy of [-0.95, 0.95]) {
        b.box([x + 3.58, y + dy, 1.02], [0.08, 0.32, 0.2], "#f6f0d8");
        b.box([x - 4.46, y + dy, 0.9], [0.06, 0.3, 0.14], "#b31f1f");
        b.box([x + 3.3, y + dy * 1.36, 2.3], [0.1, 0.16, 0.42], dark);
    }
    b.rod([x + 0.4, y + 0.95, 0.72], [x + 1.5, y + 0.95, 0.72], 0.28, "#b8bdbf", 0.28, 18); // tank
    for (const wx of [2.5, -1.9, -3.2]) {
        for (const side of [-1, 1]) {
            addLorryWheel(b, x + wx, y + side * 1.02, wx < 0 ? 0.5 : 0.3);
        }
    }
    for (const wx of [2.5]) {
        b.use({ roughness: 0.6 });
        b.box([x + wx, y, 1.06], [1.3, 2.4, 0.1], dark);
    }
}

function addLorryWheel(b: Builder, x: number, y: number, width: number): void {
    b.use({ roughness: 0.9 });
    b.rod([x, y - width / 2, 0.5], [x, y + width / 2, 0.5], 0.5, "#232426", 0.5, 26);
    b.use({ roughness: 0.4, metalness: 0.5 });
    b.rod([x, y - width / 2 - 0.01, 0.5], [x, y + width / 2 + 0.01, 0.5], 0.27, "#b9bdbf", 0.27, 20);
    b.rod([x, y - width / 2 - 0.04, 0.5], [x, y + width / 2 + 0.04, 0.5], 0.1, "#7d8183", 0.1, 14);
}

/** Tower crane: lattice mast 34 m high, jib 38 m over the building site, counter-jib, hook. */
export function addCrane(b: Builder, x: number, y: number): void {
    const yellow = "#e3aa1c";
    const height = 34;
    b.use({ roughness: 0.95 });
    b.block(x, y, 0, [3.2, 3.2, 0.7], "#a9a59c");
    b.block(x, y, 0.7, [2.2, 2.2, 0.6], "#9a968d");
    b.use({ roughness: 0.5 });
    addLattice(b, [x, y, 1.3], [x, y, height], 1.5, 1.7, yellow);
    const heading = 0.62; // of the jib, from +x towards +y
    const along: Vec3 = [Math.cos(heading), Math.sin(heading), 0];
    const at = (s: number, z: number, across = 0): Vec3 => [x + along[0] * s - along[1] * across, y + along[1] * s + along[0] * across, z];
    // slewing ring, cab, tip
    b.block(x, y, height, [1.9, 1.9, 0.5], "#6c6f71");
    b.box(at(1.3, height + 0.9, -1.2), [1.5, 1.2, 1.7], "#eceae4", heading);
    b.box(at(1.9, height + 1.1, -1.2), [0.5, 1.1, 1.0], "#2a3b49", heading);
    addLattice(b, [x, y, height + 0.5], [x, y, height + 7], 1.2, 1.4, yellow);
    addJib(b, at, height + 1.6, 1, 38, yellow);
    addJib(b, at, height + 1.6, -1, -12, yellow);
    b.box(at(-10.5, height + 0.8), [2.6, 1.5, 2.4], "#9b978e", heading);
    for (const s of [14, 29]) {
        b.bar(at(0, height + 7), at(s, height + 2.7), 0.07, "#55595b");
    }
    b.bar(at(0, height + 7), at(-11, height + 1.9), 0.07, "#55595b");
    // trolley, ropes and hook
    b.box(at(21, height + 1.3), [1.4, 1.2, 0.3], "#6c6f71", heading);
    for (const across of [-0.25, 0.25]) {
        b.bar(at(21, height + 1.2, across), at(21, 15.4, across * 0.5), 0.035, "#3a3d3f");
    }
    b.box(at(21, 15.1), [0.5, 0.35, 0.6], "#d23f20", heading);
    b.bar(at(21, 14.8), at(21, 14.2), 0.09, "#3a3d3f");
}

function addLattice(b: Builder, a: Vec3, c: Vec3, width: number, pitch: number, colour: string): void {
    const half = width / 2;
    const corners = [[-half, -half], [half, -half], [half, half], [-half, half]] as const;
    const n = Math.round((c[2] - a[2]) / (b.isDetailed ? pitch : 3 * pitch));
    for (const [dx, dy] of corners) {
        b.bar([a[0] + dx, a[1] + dy, a[2]], [a[0] + dx, a[1] + dy, c[2]], 0.14, colour);
    }
    for (let k = 0; k < n; k++) {
        const z0 = a[2] + ((c[2] - a[2]) * k) / n;
        const z1 = a[2] + ((c[2] - a[2]) * (k + 1)) / n;
        for (let s = 0; s < 4; s++) {
            const p = corners[s]!;
            const q = corners[(s + 1) % 4]!;
            const isEven = (k + s) % 2 === 0;
            b.bar([a[0] + (isEven ? p[0] : q[0]), a[1] + (isEven ? p[1] : q[1]), z0], [a[0] + (isEven ? q[0] : p[0]), a[1] + (isEven ? q[1] : p[1]), z1], 0.07, colour);
            b.detail(() => b.bar([a[0] + p[0], a[1] + p[1], z1], [a[0] + q[0], a[1] + q[1], z1], 0.06, colour));
        }
    }
}

type Along = (s: number, z: number, across?: number) => Vec3;

/** A beam of triangular section from s = 1 (or -1) to s1. */
function addJib(b: Builder, at: Along, z: number, s0: number, s1: number, colour: string): void {
    const top = z + 1.1;
    b.bar(at(s0, z, -0.6), at(s1, z, -0.6), 0.11, colour);
    b.bar(at(s0, z, 0.6), at(s1, z, 0.6), 0.11, colour);
    b.bar(at(s0, top), at(s1 * 0.98, top), 0.12, colour);
    const n = Math.round(Math.abs(s1 - s0) / (b.isDetailed ? 1.6 : 5));
    for (let k = 0; k < n; k++) {
        const p = s0 + ((s1 - s0) * k) / n;
        const q = s0 + ((s1 - s0) * (k + 1)) / n;
        const middle = (p + q) / 2;
        for (const across of [-0.6, 0.6]) {
            b.bar(at(p, z, across), at(middle, top), 0.05, colour);
            b.bar(at(middle, top), at(q, z, across), 0.05, colour);
        }
        b.detail(() => b.bar(at(p, z, -0.6), at(q, z, 0.6), 0.05, colour));
    }
}
