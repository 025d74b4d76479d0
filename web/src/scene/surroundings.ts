// SPDX-License-Identifier: MIT
// What lies around the machine: the scenery of its model, or a floor of our own below it, made anew only when it changes.

import * as THREE from "three";
import type { SceneMessage } from "../protocol.ts";
import { followMachine, makeFloor } from "./floor.ts";
import { isScenery, makeScenery } from "./scenery.ts";
import { setSharpTextures } from "./textures.ts";

export interface Measured {
    length: number; // m, of the machine
    all: THREE.Box3; // all of it, with what does not move
    base: THREE.Box3; // what does not move
    isStanding: boolean; // a flat mechanism that was turned upright
}

/** where a floor of our own lies */
function floorBelow({ length, all, base, isStanding }: Measured): number {
    // mechanisms described round the origin hang in the air above their floor
    const low = all.isEmpty() ? 0 : all.min.z;
    if (isStanding) {
        // without weight they turn all the way round
        const reach = Math.max(...[all.min, all.max].map((corner) => Math.max(Math.abs(corner.x), Math.abs(corner.z))));
        return Math.min(low, -1.05 * reach);
    }
    // a frame that carries the machine stands on the floor
    const isCarried = !base.isEmpty() && base.min.z < -0.06 * length && base.max.z - base.min.z > 0.15 * length;
    return isCarried ? base.min.z : low < -0.06 * length ? low - 0.25 * length : 0;
}

export class Surroundings {
    root: THREE.Group | null = null;
    private key = "";

    /** True: it was made anew. */
    build(message: SceneMessage, measured: Measured, isPhysical: boolean, isSharp: boolean, world: THREE.Group, scene: THREE.Scene): boolean {
        const around = message.shapes.filter(isScenery);
        const floor = floorBelow(measured);
        const hasHills = message.shapes.some((shape) => shape.type === "field" && shape.body < 0);
        const isEmpty = around.length === 0 && (message.scenery === "none" || message.bodies.length === 0);
        const key = `${isPhysical} ` + (around.length > 0 ? `around ${message.hash}` : isEmpty ? "none" : `floor ${hasHills} ${floor.toPrecision(2)} ${measured.length.toPrecision(1)}`);
        if (key === this.key) {
            return false;
        }
        this.key = key;
        setSharpTextures(isSharp);
        this.root?.removeFromParent();
        this.root?.traverse((node) => (node as THREE.Mesh).geometry?.dispose());
        this.root = around.length > 0 ? makeScenery(around, isPhysical) : isEmpty ? new THREE.Group() : makeFloor(measured.length, floor, hasHills, isPhysical);
        // scenery is part of the model and turns with its ground; a floor lies level below it
        (around.length > 0 ? world : scene).add(this.root);
        return true;
    }

    /** an endless floor goes with the machine */
    follow(position: THREE.Vector3): void {
        if (this.root) {
            followMachine(this.root, this.root.worldToLocal(position.clone()));
        }
    }

    /** an endless floor goes down with what falls */
    lower(floorFor: (now: number) => number): void {
        if (this.root?.userData.endless) {
            this.root.position.z = Math.min(this.root.position.z, floorFor(this.root.position.z));
            this.root.updateMatrixWorld();
        }
    }
}
