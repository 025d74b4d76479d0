// SPDX-License-Identifier: MIT
// What is under the mouse: points of bodies, and places beside them.

import * as THREE from "three";
import type { Vec3 } from "../protocol.ts";
import type { Machine } from "../scene/shapes.ts";

/** a point of a body, in its axes */
export interface Spot {
    body: number;
    at: Vec3;
}

export class Picker {
    machine: Machine | null = null;
    private ray = new THREE.Raycaster();

    /** world: its axes are those of the model */
    constructor(
        private canvas: HTMLCanvasElement,
        private camera: THREE.Camera,
        private world: THREE.Object3D,
    ) {}

    private aim(x: number, y: number): void {
        const box = this.canvas.getBoundingClientRect();
        this.ray.setFromCamera(new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.camera);
    }

    /** what is there at a pixel of the page; null: nothing that moves */
    spotAt(x: number, y: number): Spot | null {
        const { machine } = this;
        if (!machine) {
            return null;
        }
        this.aim(x, y);
        const hit = this.ray.intersectObjects([...machine.bodies, ...machine.crowds], true).find(({ object }) => isSeen(object));
        const body = hit ? machine.bodyOf(hit) : -1;
        return hit && body >= 0 ? { body, at: machine.bodies[body]!.worldToLocal(hit.point.clone()).toArray() } : null;
    }

    /** where it is now, axes of the model */
    placeOf(spot: Spot): Vec3 | null {
        const body = this.machine?.bodies[spot.body];
        return body ? this.world.worldToLocal(body.localToWorld(new THREE.Vector3(...spot.at))).toArray() : null;
    }

    /** the place under a pixel that is as far away as the point, axes of the model; null: behind whoever looks */
    inPlaneOf(point: Vec3, x: number, y: number): Vec3 | null {
        this.aim(x, y);
        const away = this.camera.getWorldDirection(new THREE.Vector3());
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(away, this.world.localToWorld(new THREE.Vector3(...point)));
        const place = this.ray.ray.intersectPlane(plane, new THREE.Vector3());
        return place ? this.world.worldToLocal(place).toArray() : null;
    }
}

function isSeen(object: THREE.Object3D | null): boolean {
    return object === null || (object.visible && isSeen(object.parent));
}
