// SPDX-License-Identifier: MIT
// What the cameras follow, and how large it is.

import * as THREE from "three";
import type { SceneMessage } from "../protocol.ts";

/** low along z against its width: a drawing of a plane mechanism with its joints */
export function isFlat(box: THREE.Box3): boolean {
    const size = box.getSize(new THREE.Vector3());
    return !box.isEmpty() && size.z < 0.35 * Math.max(size.x, size.y);
}

export function isNamedFocus(name: string): boolean {
    return /chassis|frame|truck|cart|car$|board|vehicle/i.test(name);
}

export function findFocus(message: SceneMessage): number {
    const wanted = message.view?.body;
    const index = wanted ? message.bodies.indexOf(wanted) : message.bodies.findIndex(isNamedFocus);
    return Math.max(index, 0);
}

/** the file's numbers may arrive as text */
export function numbers(vector: readonly unknown[] | undefined): [number, number, number] | null {
    const values = (vector ?? []).map(Number);
    return values.length === 3 && values.every(Number.isFinite) ? (values as [number, number, number]) : null;
}

export function guessSeat(middle: THREE.Vector3, length: number): [number, number, number] {
    return [middle.x - 0.05 * length, middle.y, middle.z + 0.25 * length];
}

/** The followed body and what touches it, directly or through others: a truck with its mast, not the loads in the yard. */
export function wholeMachine(bodies: THREE.Object3D[], first: number): THREE.Box3 {
    const boxes = bodies.map((body) => new THREE.Box3().setFromObject(body));
    const whole = boxes[first]?.clone() ?? new THREE.Box3();
    const reach = 0.02 * whole.getSize(new THREE.Vector3()).length();
    const left = new Set(boxes.keys());
    left.delete(first);
    for (let isGrowing = !whole.isEmpty(); isGrowing; ) {
        isGrowing = false;
        for (const i of left) {
            if (!boxes[i]!.isEmpty() && boxes[i]!.intersectsBox(whole.clone().expandByScalar(reach))) {
                whole.union(boxes[i]!);
                left.delete(i);
                isGrowing = true;
            }
        }
    }
    return whole;
}

/** the bodies with the frame that carries them, unless that is a whole world */
export function withFrame(bodies: THREE.Box3, frame: THREE.Box3): THREE.Box3 {
    const size = (box: THREE.Box3) => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());
    return size(frame) < 4 * size(bodies) ? bodies.clone().union(frame) : bodies;
}

/** the followed machine, or every body of a mechanism */
export function trailBodies(message: SceneMessage, focus: number): number[] {
    const isVehicle = isNamedFocus(message.bodies[focus] ?? "") || message.view?.body !== undefined;
    return isVehicle ? [focus] : message.bodies.map((_, i) => i);
}
