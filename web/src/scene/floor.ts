// SPDX-License-Identifier: MIT
// The floor of models that bring no ground of their own: a grid to read distances from, in the scale of the machine, or a meadow
// around hills.

import * as THREE from "three";
import { Builder } from "./builder.ts";
import { grassTexture, gridTexture } from "./textures.ts";

/** what lies under the machine wherever it goes; moved in steps of the pattern, so that nobody sees it move */
export interface Endless {
    node: THREE.Object3D;
    period: number; // m
}

/** focus: in the axes of the scenery */
export function followMachine(scenery: THREE.Object3D, focus: THREE.Vector3): void {
    for (const { node, period } of (scenery.userData.endless as Endless[] | undefined) ?? []) {
        const snap = (x: number) => Math.round(x / period) * period;
        node.position.set(snap(focus.x), snap(focus.y), 0);
        node.updateMatrixWorld();
    }
}

/** reach: size of the machine in metres; floor: height of the ground; hasHills: the model brings hills. */
export function makeFloor(reach: number, floor: number, hasHills: boolean, isDetailed: boolean): THREE.Group {
    const group = new THREE.Group();
    const endless = hasHills ? makeMeadow(isDetailed) : makeBench(reach, isDetailed);
    group.add(endless.node);
    group.userData.endless = [endless];
    group.position.z = floor;
    return group;
}

/** power of ten of the strong lines, so that ten of the fine ones are about the machine's size */
function makeBench(reach: number, isDetailed: boolean): Endless {
    const b = new Builder(isDetailed);
    const cell = Math.pow(10, Math.ceil(Math.log10(Math.max(reach, 1e-3))));
    b.use({ map: gridTexture(cell), roughness: 0.85 }, false);
    const half = Math.min(400, 400 * cell);
    b.patch(-half, -half, half, half, 0, "#dfe4ea");
    return { node: b.finish(), period: cell };
}

function makeMeadow(isDetailed: boolean): Endless {
    const b = new Builder(isDetailed);
    b.use({ map: grassTexture(), roughness: 1 }, false);
    b.patch(-450, -450, 450, 450, -0.12, "#ffffff");
    return { node: b.finish(), period: 14 };
}
