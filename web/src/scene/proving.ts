// SPDX-License-Identifier: MIT
// The plain proving ground: a grid to read distances from, a few circles, lines and cones for vehicles, and a quiet
// floor in the right scale for small mechanisms.

import * as THREE from "three";
import { Builder } from "./builder.ts";
import { addCone, addTree } from "./estate.ts";
import { makeRandom } from "./noise.ts";
import { asphaltTexture, grassTexture, gridTexture } from "./textures.ts";

/** what lies under the machine wherever it goes; moved in steps of the pattern, so that nobody sees it move */
export interface Endless {
    node: THREE.Object3D;
    period: number; // m
    isFixedY?: boolean; // a road along x
}

export function followMachine(scenery: THREE.Object3D, focus: THREE.Vector3): void {
    for (const { node, period, isFixedY } of (scenery.userData.endless as Endless[] | undefined) ?? []) {
        const snap = (x: number) => Math.round(x / period) * period;
        node.position.set(snap(focus.x), isFixedY ? 0 : snap(focus.y), 0);
        node.updateMatrixWorld();
    }
}

/** reach: size of the machine in metres; floor: height of the ground; hasHills: the model brings its own ground. */
export function makeProvingGround(reach: number, floor: number, isVehicle: boolean, hasHills: boolean, isDetailed: boolean): THREE.Group {
    const group = new THREE.Group();
    const endless: Endless[] = hasHills ? addMeadow(group, isDetailed) : isVehicle && reach > 2 ? addTrack(group, isDetailed) : [addBench(reach, isDetailed)];
    group.add(...endless.map(({ node }) => node));
    group.userData.endless = endless;
    group.position.z = floor;
    return group;
}

/** power of ten of the strong lines, so that ten of the fine ones are about the machine's size */
function addBench(reach: number, isDetailed: boolean): Endless {
    const b = new Builder(isDetailed);
    const cell = Math.pow(10, Math.ceil(Math.log10(Math.max(reach, 1e-3))));
    b.use({ map: gridTexture(cell), roughness: 0.85 }, false);
    const half = Math.min(400, 400 * cell);
    b.patch(-half, -half, half, half, 0, "#dfe4ea");
    return { node: b.finish(), period: cell };
}

export function makeMeadow(isDetailed: boolean): Endless {
    const b = new Builder(isDetailed);
    b.use({ map: grassTexture(), roughness: 1 }, false);
    b.patch(-450, -450, 450, 450, -0.12, "#ffffff");
    return { node: b.finish(), period: 14 };
}

/** asphalt and lane lines without end along x */
function makeRoad(isDetailed: boolean): Endless {
    const b = new Builder(isDetailed);
    b.use({ map: asphaltTexture(), roughness: 0.95 }, false);
    b.patch(-420, -8, 420, 8, -0.02, "#ffffff");
    b.use({ roughness: 0.8, lift: 2 }, false);
    for (const y of [-3.5, 3.5]) {
        b.patch(-420, y - 0.06, 420, y + 0.06, 0.003, "#f2f0e8");
    }
    for (let x = -420; x < 420; x += 12) {
        b.patch(x, -0.06, x + 3, 0.06, 0.003, "#f2f0e8");
    }
    return { node: b.finish(), period: 12, isFixedY: true };
}

/** grass and trees in the distance */
function addMeadow(group: THREE.Group, isDetailed: boolean): Endless[] {
    const b = new Builder(isDetailed);
    addTrees(b, 0);
    group.add(b.finish());
    return [makeMeadow(isDetailed)];
}

/** gap: m, free on both sides of the road along x */
function addTrees(b: Builder, gap: number): void {
    const random = makeRandom(5);
    b.use({ roughness: 1, isFlat: true }, false);
    for (let k = 0; k < (b.isDetailed ? 110 : 40); k++) {
        const angle = random() * 2 * Math.PI;
        const r = 120 + random() * 200;
        if (Math.abs(Math.sin(angle) * r) >= gap) {
            addTree(b, Math.cos(angle) * r, Math.sin(angle) * r, random);
        }
    }
}

function addTrack(group: THREE.Group, isDetailed: boolean): Endless[] {
    const b = new Builder(isDetailed);
    b.use({ map: gridTexture(10), roughness: 0.9 }, false);
    b.patch(-60, -60, 60, 60, 0, "#ffffff");
    b.use({ roughness: 0.8, lift: 2 }, false);
    for (const radius of [5, 10, 20, 40]) {
        b.add(new THREE.RingGeometry(radius - 0.06, radius + 0.06, b.isDetailed ? 128 : 48).translate(0, 0, 0.003), "#f0c52c");
    }
    for (let k = 0; k < 7; k++) {
        addCone(b, 14 + 6 * k, k % 2 ? 1.2 : -1.2);
    }
    addTrees(b, 16);
    group.add(b.finish());
    return [makeMeadow(isDetailed), makeRoad(isDetailed)];
}
