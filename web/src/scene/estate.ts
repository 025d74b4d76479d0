// SPDX-License-Identifier: MIT
// The industrial estate of the document (section 6): parcels with their halls, and in ours a hall under construction, a tipper
// lorry and a tower crane. Dimensions in metres, ground axes, ground at z = 0; the machine starts near the origin and
// looks along +x. The yard and the places of lorry, crane and hall are also written in docs/reference/protocol.md.

import * as THREE from "three";
import { Builder } from "./builder.ts";
import { makeMaterial } from "./materials.ts";
import { makeRandom } from "./noise.ts";
import { SUN } from "./light.ts";
import { asphaltTexture, concreteTexture, gravelTexture, sheetTexture, signTexture } from "./textures.ts";
import { makeMeadow } from "./proving.ts";
import { addCrane, addHall, addLorry } from "./landmarks.ts";

const YARD = { x0: -22, x1: 42, y0: -27, y1: 27 };

/** `has` tells which of lorry, crane and hall the model brings itself. */
export function makeEstate(has: (name: string) => boolean, isDetailed: boolean): THREE.Group {
    const group = new THREE.Group();
    const builder = new Builder(isDetailed);
    addGround(builder);
    addMarkings(builder);
    addFence(builder);
    addNeighbours(builder, group);
    addYardThings(builder);
    addTrees(builder);
    if (!has("hall")) {
        addHall(builder);
    }
    if (!has("lorry")) {
        addLorry(builder, 16, 15);
    }
    if (!has("crane")) {
        addCrane(builder, 36, -23);
    }
    const meadow = makeMeadow(isDetailed);
    group.add(builder.finish(), meadow.node);
    group.userData.endless = [meadow];
    return group;
}

function addGround(b: Builder): void {
    b.use({ map: asphaltTexture(), roughness: 0.95 }, false);
    b.patch(-420, -43, 420, -33, -0.05, "#ffffff"); // road along x
    b.patch(-38, -420, -28, 420, -0.045, "#ffffff"); // road along y
    b.patch(-28, -6, YARD.x0, 6, -0.03, "#e8e8e8"); // drive into the yard
    b.use({ map: gravelTexture(), roughness: 1 }, false);
    b.patch(YARD.x1, -27, 90, 27, -0.02, "#ffffff"); // building site
    b.use({ map: concreteTexture(), roughness: 0.9 }, false);
    b.patch(YARD.x0, YARD.y0, YARD.x1, YARD.y1, 0, "#ffffff");
    b.patch(42, -16, 78, 16, 0.0, "#f4f1ea"); // slab of the hall
    // kerbs
    b.use({ roughness: 0.9 }, false);
    for (const y of [-43.2, -32.8]) {
        b.box([0, y, -0.02], [840, 0.3, 0.16], "#b9b6ae");
    }
}

function addMarkings(b: Builder): void {
    b.use({ roughness: 0.8, lift: 2 }, false);
    const white = "#f2f0e8";
    const yellow = "#e8b923";
    const reach = b.isDetailed ? 300 : 90;
    for (let x = -reach; x < reach; x += 9) {
        b.patch(x, -38.1, x + 4, -37.9, -0.045, white);
    }
    for (let y = -reach; y < reach; y += 9) {
        b.patch(-33.1, y, -32.9, y + 4, -0.04, white);
    }
    // lane round the yard and the line to stop at
    for (const y of [-18, 18]) {
        b.patch(-18, y - 0.06, 38, y + 0.06, 0.002, yellow);
    }
    for (const x of [-18, 38]) {
        b.patch(x - 0.06, -18, x + 0.06, 18, 0.002, yellow);
    }
    b.patch(33.8, -6, 34.2, 6, 0.002, white);
    for (let k = 0; k < 6; k++) {
        b.patch(35, -5.6 + k * 2, 37.4, -4.6 + k * 2, 0.002, white); // crossing in front of the hall
    }
    // bays for the loads, along the right-hand side
    for (let k = 0; k <= 6; k++) {
        b.patch(-6 + 3 * k, -17, -5.9 + 3 * k, -13, 0.002, white);
    }
    b.patch(-6, -17.1, 12.1, -17, 0.002, white);
    // hatched strip before the lorry
    for (let k = 0; k < 12; k++) {
        b.add(
            new THREE.PlaneGeometry(0.16, 1.5).rotateZ(-0.7).translate(11.2 + k * 0.9, 11.6, 0.002),
            yellow,
        );
    }
}

function addFence(b: Builder): void {
    b.use({ roughness: 0.6 });
    const post = (x: number, y: number) => b.block(x, y, 0, [0.07, 0.07, 2.1], "#7f8a86");
    const rail = (x0: number, y0: number, x1: number, y1: number) => {
        for (const z of b.isDetailed ? [0.15, 1.1, 2.05] : [2.05]) {
            b.bar([x0, y0, z], [x1, y1, z], 0.035, "#8d9995");
        }
        const n = Math.round(Math.hypot(x1 - x0, y1 - y0) / (b.isDetailed ? 3 : 6));
        for (let k = 0; k <= n; k++) {
            post(x0 + ((x1 - x0) * k) / n, y0 + ((y1 - y0) * k) / n);
        }
    };
    rail(-22, 27, 88, 27);
    rail(-22, -27, 88, -27);
    rail(-22, -27, -22, -7);
    rail(-22, 7, -22, 27);
    rail(88, -27, 88, 27);
    // wire between the rails
    b.use({ colour: "#a9b4b0", opacity: 0.22, isTwoSided: true }, false);
    const wire = (x: number, y: number, sx: number, sy: number) => b.box([x, y, 1.1], [sx, sy, 1.9], "#cfd6d3");
    wire(33, 27, 110, 0.01);
    wire(33, -27, 110, 0.01);
    wire(-22, -17, 0.01, 20);
    wire(-22, 17, 0.01, 20);
}

interface Building {
    x: number;
    y: number;
    size: [number, number, number];
    wall: string;
    trim: string;
    front: 1 | -1; // the front looks to +y or -y
    sign?: string;
}

const BUILDINGS: Building[] = [
    { x: 4, y: 54, size: [46, 30, 9], wall: "#d9d4c6", trim: "#2f6f8f", front: -1, sign: "ALMACENES NORTE" },
    { x: 62, y: 56, size: [40, 32, 11], wall: "#b8c4c9", trim: "#b8432f", front: -1, sign: "TALLERES FERROL" },
    { x: -66, y: 50, size: [34, 40, 8], wall: "#cfc7b4", trim: "#3f7a4b", front: -1 },
    { x: -64, y: -4, size: [30, 40, 10], wall: "#c3cdd2", trim: "#34597f", front: -1, sign: "LOGISTICA" },
    { x: 120, y: 8, size: [44, 60, 12], wall: "#d4cfc4", trim: "#7c8790", front: -1 },
    { x: 14, y: -66, size: [52, 34, 10], wall: "#c9cfc9", trim: "#c07a1e", front: 1, sign: "MECANIZADOS BIELA" },
    { x: 76, y: -68, size: [44, 36, 8], wall: "#d8cbb8", trim: "#345c4d", front: 1 },
    { x: -66, y: -72, size: [36, 38, 9], wall: "#c7c2b8", trim: "#8a3346", front: 1 },
    { x: 30, y: 110, size: [80, 34, 13], wall: "#bfc7c4", trim: "#596a72", front: -1 },
    { x: -60, y: 120, size: [50, 40, 12], wall: "#cdbfae", trim: "#4e5f73", front: -1 },
    { x: 130, y: 100, size: [50, 44, 14], wall: "#c8cfd6", trim: "#405a70", front: -1 },
    { x: 130, y: -90, size: [60, 40, 12], wall: "#d0cabb", trim: "#6f5a44", front: 1 },
];

function addNeighbours(b: Builder, group: THREE.Group): void {
    const sheet = sheetTexture();
    for (const building of BUILDINGS) {
        addBuilding(b, sheet, building);
        addFlatShadow(b, building);
        if (building.sign) {
            const [sx, sy, sz] = building.size;
            const sign = new THREE.Mesh(
                new THREE.PlaneGeometry(Math.min(14, sx * 0.4), 1.9).rotateX(Math.PI / 2),
                makeMaterial({ map: signTexture(building.sign, building.trim, "#ffffff"), roughness: 0.6 }),
            );
            sign.rotation.z = building.front === 1 ? Math.PI : 0;
            sign.position.set(building.x, building.y + building.front * (sy / 2 + 0.12), sz - 1.6);
            group.add(sign);
        }
    }
}

function addBuilding(b: Builder, sheet: THREE.Texture, { x, y, size, wall, trim, front }: Building): void {
    const [sx, sy, sz] = size;
    b.use({ map: sheet, roughness: 0.55 }, false);
    b.block(x, y, 0.9, [sx, sy, sz - 0.9], wall);
    b.use({ roughness: 0.85 }, false);
    b.block(x, y, -0.1, [sx + 0.16, sy + 0.16, 1.0], "#98938a"); // plinth
    b.block(x, y, sz, [sx + 0.3, sy + 0.3, 0.5], trim); // parapet
    b.block(x, y, sz + 0.02, [sx - 0.8, sy - 0.8, 0.5], "#8f9293");
    // windows high up, doors for lorries below, on the front; a band of windows on the ends
    const face = y + front * (sy / 2 + 0.03);
    const n = Math.floor(sx / 8);
    for (let k = 0; k < n; k++) {
        const at = x - sx / 2 + (sx / n) * (k + 0.5);
        b.use({ roughness: 0.5 }, false);
        if (k % 2 === 0) {
            b.block(at, face, 0, [4.4, 0.1, 4.6], "#5d646a");
            b.block(at, face + front * 0.03, 0, [4.0, 0.1, 4.4], k % 4 === 0 ? "#e3e0d6" : "#c9cfd1");
            b.detail(() => {
                for (let r = 1; r < 9; r++) {
                    b.block(at, face + front * 0.06, r * 0.48, [4.0, 0.1, 0.03], "#a7adb0");
                }
            });
        } else {
            b.block(at, face, 0, [1.2, 0.1, 2.2], trim);
            b.block(at + 2, face, 1.2, [1.6, 0.1, 1.1], "#40505c");
        }
        b.use({ roughness: 0.12, metalness: 0.3 }, false);
        b.block(at, face + front * 0.02, sz - 3.4, [sx / n - 1.6, 0.1, 1.2], "#3d5568");
    }
    b.use({ roughness: 0.12, metalness: 0.3 }, false);
    for (const side of [-1, 1]) {
        const m = Math.floor(sy / 7);
        for (let k = 0; k < m; k++) {
            b.block(x + side * (sx / 2 + 0.02), y - sy / 2 + (sy / m) * (k + 0.5), sz - 3.2, [0.1, 3.2, 1.2], "#3d5568");
        }
    }
    b.use({ roughness: 0.6 }, false);
    b.block(x + sx * 0.2, y, sz + 0.3, [2.4, 1.8, 1.3], "#b3b8ba"); // things on the roof
    b.block(x - sx * 0.22, y - 3, sz + 0.3, [1.6, 1.6, 1.0], "#a6abad");
}

/**
 * The shadow of a box on the ground, drawn as a polygon: far buildings are outside the square that has real shadows.
 */
function addFlatShadow(b: Builder, { x, y, size }: Building): void {
    const [sx, sy, sz] = size;
    const dx = (-SUN.x / SUN.z) * sz;
    const dy = (-SUN.y / SUN.z) * sz;
    const corners: THREE.Vector2[] = [];
    for (const [i, j] of [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const) {
        corners.push(new THREE.Vector2(x + (i * sx) / 2, y + (j * sy) / 2));
        corners.push(new THREE.Vector2(x + (i * sx) / 2 + dx, y + (j * sy) / 2 + dy));
    }
    const hull = convexHull(corners);
    b.use({ colour: "#1c2530", opacity: 0.42, lift: 1 }, false);
    b.add(new THREE.ShapeGeometry(new THREE.Shape(hull)).translate(0, 0, 0.012), "#1c2530");
}

function convexHull(points: THREE.Vector2[]): THREE.Vector2[] {
    const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    const half = (list: THREE.Vector2[]) => {
        const chain: THREE.Vector2[] = [];
        for (const p of list) {
            while (chain.length > 1) {
                const a = chain[chain.length - 2]!;
                const c = chain[chain.length - 1]!;
                if ((c.x - a.x) * (p.y - a.y) - (c.y - a.y) * (p.x - a.x) > 0) {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        return chain.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

function addYardThings(b: Builder): void {
    const random = makeRandom(11);
    b.use({ roughness: 0.7 });
    // containers by the fence
    const sheet = sheetTexture();
    const boxes: [number, number, number, string][] = [
        [-14, 23.5, 0, "#b5482f"],
        [-7.6, 23.5, 0, "#2f6d8d"],
        [-14, 23.5, 2.6, "#7a8f3f"],
        [28, 23.6, 0, "#c8933a"],
    ];
    for (const [x, y, z, colour] of boxes) {
        b.use({ map: sheet, roughness: 0.6 });
        b.block(x, y, z, [6.06, 2.44, 2.55], colour);
        b.use({ roughness: 0.6 });
        b.detail(() => {
            for (const [i, j] of [[-1, -1], [1, -1], [-1, 1], [1, 1]] as const) {
                b.block(x + i * 2.97, y + j * 1.17, z, [0.18, 0.18, 2.59], "#5c5f60");
            }
        });
    }
    // stacks of pallets, pipes, bricks
    b.use({ roughness: 0.9 });
    for (const [x, y, n] of [[-15, -22, 9], [-13.4, -22.2, 6], [-11.6, -21.9, 3], [24, -23, 7]] as const) {
        if (b.isDetailed) {
            for (let k = 0; k < n; k++) {
                addPallet(b, x, y, k * 0.15, random() * 0.06);
            }
        } else {
            b.block(x, y, 0, [1.2, 1, n * 0.15], "#b78c56");
        }
    }
    for (let row = 0; row < 3; row++) {
        for (let k = 0; k < 5 - row; k++) {
            b.rod([14, -23.4 + (k + row / 2) * 0.62, 0.31 + row * 0.54], [20, -23.4 + (k + row / 2) * 0.62, 0.31 + row * 0.54], 0.3, "#9a9c98", 0.3, 18);
        }
    }
    for (let k = 0; k < 6; k++) {
        b.block(2 + (k % 3) * 1.35, -23 + Math.floor(k / 3) * 1.3, 0.14, [1.1, 1.0, 0.95], k % 2 ? "#a4563c" : "#b5654a");
    }
    // cones before the hall
    for (const [x, y] of [[34, -7], [34, 7], [38.6, -12], [38.6, 12], [26, 20], [10, 20]] as const) {
        addCone(b, x, y);
    }
    for (const [x, y] of [[-20.5, -26], [10, -26.3], [40, 26.2], [-20.5, 26]] as const) {
        addLamp(b, x, y);
    }
}

export function addPallet(b: Builder, x: number, y: number, z: number, turn: number): void {
    const wood = ["#c39a63", "#b78c56", "#caa370"];
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    const put = (dx: number, dy: number, dz: number, size: [number, number, number], k: number) =>
        b.box([x + cos * dx - sin * dy, y + sin * dx + cos * dy, z + dz], size, wood[k % 3]!, turn);
    for (let k = 0; k < 5; k++) {
        put(0, -0.42 + k * 0.21, 0.135, [1.2, 0.12, 0.022], k);
    }
    for (const dx of [-0.53, 0, 0.53]) {
        put(dx, 0, 0.112, [0.12, 0.98, 0.022], 1);
        for (const dy of [-0.42, 0, 0.42]) {
            put(dx, dy, 0.06, [0.12, 0.12, 0.08], 2);
        }
        put(dx, 0, 0.011, [0.12, 0.98, 0.022], 0);
    }
}

export function addCone(b: Builder, x: number, y: number, scale = 1): void {
    b.use({ roughness: 0.6 });
    b.block(x, y, 0, [0.36 * scale, 0.36 * scale, 0.04 * scale], "#d8541c");
    b.rod([x, y, 0.04 * scale], [x, y, 0.28 * scale], 0.13 * scale, "#e8611f", 0.085 * scale);
    b.rod([x, y, 0.28 * scale], [x, y, 0.42 * scale], 0.085 * scale, "#f4f2ec", 0.058 * scale);
    b.rod([x, y, 0.42 * scale], [x, y, 0.66 * scale], 0.058 * scale, "#e8611f", 0.02 * scale);
}

function addLamp(b: Builder, x: number, y: number): void {
    b.use({ roughness: 0.5, metalness: 0.4 });
    b.rod([x, y, 0], [x, y, 8], 0.09, "#8a9094", 0.05);
    b.bar([x, y, 8], [x, y - Math.sign(y) * 1.6, 8.2], 0.06, "#8a9094");
    b.box([x, y - Math.sign(y) * 1.7, 8.17], [0.28, 0.7, 0.1], "#d9dcdc");
}

function addTrees(b: Builder): void {
    const random = makeRandom(23);
    b.use({ roughness: 1, isFlat: true }, false);
    const spots: [number, number][] = [];
    for (let x = -20; x < 90; x += 11) {
        spots.push([x + random() * 3, 31 + random() * 3], [x + random() * 4, -30 - random() * 0.8]);
    }
    for (let k = 0; k < (b.isDetailed ? 90 : 24); k++) {
        const angle = random() * 2 * Math.PI;
        const r = 170 + random() * 150;
        spots.push([Math.cos(angle) * r, Math.sin(angle) * r]);
    }
    for (const [x, y] of spots) {
        addTree(b, x, y, random);
    }
}

export function addTree(b: Builder, x: number, y: number, random: () => number): void {
    const size = 0.75 + random() * 0.7;
    const greens = ["#5f7f3a", "#6b8b42", "#4f7036", "#7a9450"];
    b.rod([x, y, -0.1], [x, y, 2.2 * size], 0.16 * size, "#6d5a45", 0.1 * size, b.isDetailed ? 6 : 3);
    for (let k = 0; k < (b.isDetailed ? 4 : 2); k++) {
        const r = (1.0 + random() * 0.6) * size;
        const ball = new THREE.IcosahedronGeometry(b.isDetailed ? r : 1.25 * r, b.isDetailed ? 1 : 0);
        const position = ball.getAttribute("position") as THREE.BufferAttribute;
        // the same corner appears in several faces: the bump depends on its place only
        for (let i = 0; i < position.count; i++) {
            const bump = 1 + 0.13 * Math.sin(9 * position.getX(i) + 7 * position.getY(i) + 5 * position.getZ(i));
            position.setXYZ(i, position.getX(i) * bump, position.getY(i) * bump, position.getZ(i) * bump * 0.9);
        }
        ball.computeVertexNormals();
        ball.deleteAttribute("uv");
        ball.setAttribute("uv", new THREE.BufferAttribute(new Float32Array(2 * position.count), 2));
        ball.translate(x + (random() - 0.5) * 1.4 * size, y + (random() - 0.5) * 1.4 * size, (2.5 + random() * 1.5) * size);
        b.add(ball, greens[Math.floor(random() * 4)]!);
    }
}
