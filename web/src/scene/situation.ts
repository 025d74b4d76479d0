// SPDX-License-Identifier: MIT
// What the instructor has put on the ground: slippery discs, where the inputs of the drive say they are.

import * as THREE from "three";
import type { Frame, SceneMessage } from "../protocol.ts";

export interface Disc {
    x: number;
    y: number;
    radius: number;
}

/** the discs that are there now */
export function discsOf(scene: SceneMessage | null, frame: Pick<Frame, "inputs"> | null): Disc[] {
    const value = (name: string) => frame?.inputs[scene!.inputs.findIndex((input) => input.name === name)] ?? 0;
    return (scene?.instructor?.ice ?? []).map(([x, y, r]) => ({ x: value(x!), y: value(y!), radius: value(r!) })).filter(({ radius }) => radius > 0);
}

export class Situation {
    readonly root = new THREE.Group();
    private shown = "";

    update(scene: SceneMessage | null, frame: Frame | null): void {
        const discs = discsOf(scene, frame);
        const key = JSON.stringify(discs);
        if (key === this.shown) {
            return;
        }
        this.shown = key;
        this.root.traverse((node) => (node as THREE.Mesh).geometry?.dispose());
        this.root.clear();
        for (const { x, y, radius } of discs) {
            const sheet = new THREE.Mesh(new THREE.CircleGeometry(radius, 48), new THREE.MeshBasicMaterial({ color: "#bfe4ff", transparent: true, opacity: 0.55, depthWrite: false, toneMapped: false }));
            const rim = new THREE.Mesh(new THREE.RingGeometry(0.96 * radius, radius, 48), new THREE.MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.9, depthWrite: false, toneMapped: false }));
            sheet.position.set(x, y, 0.015);
            rim.position.set(x, y, 0.018);
            this.root.add(sheet, rim);
        }
    }
}
