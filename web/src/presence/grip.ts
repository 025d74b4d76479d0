// SPDX-License-Identifier: MIT
// What the hand holds, as the frames tell it: a knob at the point, a line to the place it pulls to. Seen by all, also in a replay.

import * as THREE from "three";
import { HAND_INPUTS } from "./hand.ts";
import type { Frame, Input } from "../protocol.ts";
import type { Machine } from "../scene/shapes.ts";

const COLOUR = "#f0e442";
const Y = new THREE.Vector3(0, 1, 0);

export class Grip {
    /** in the axes of the model */
    readonly root = new THREE.Group();
    private first: number;
    private line: THREE.Mesh;
    private ends: THREE.Mesh[];

    /** length: of the machine, m */
    constructor(inputs: readonly Input[], length: number) {
        this.first = inputs.findIndex((input) => input.name === HAND_INPUTS[0]);
        const material = new THREE.MeshBasicMaterial({ color: COLOUR, toneMapped: false, fog: false, depthTest: false, transparent: true, opacity: 0.9 });
        const ball = new THREE.SphereGeometry(0.012 * length, 12, 8);
        this.line = new THREE.Mesh(new THREE.CylinderGeometry(0.004 * length, 0.004 * length, 1, 8), material);
        this.ends = [new THREE.Mesh(ball, material), new THREE.Mesh(ball, material)];
        this.root.add(this.line, ...this.ends);
        this.root.traverse((node) => (node.renderOrder = 26));
        this.root.visible = false;
    }

    update(frame: Frame, machine: Machine): void {
        const body = this.first < 0 ? undefined : machine.bodies[(frame.inputs[this.first] ?? 0) - 1];
        this.root.visible = body !== undefined;
        if (!body) {
            return;
        }
        const at = (from: number) => new THREE.Vector3().fromArray(frame.inputs, this.first + from);
        const begin = at(1).applyQuaternion(body.quaternion).add(body.position);
        const end = at(4);
        const way = end.clone().sub(begin);
        this.ends[0]!.position.copy(begin);
        this.ends[1]!.position.copy(end);
        this.line.position.copy(begin).addScaledVector(way, 0.5);
        this.line.scale.set(1, Math.max(way.length(), 1e-6), 1);
        this.line.quaternion.setFromUnitVectors(Y, way.lengthSq() > 0 ? way.normalize() : Y);
    }

    dispose(): void {
        this.root.removeFromParent();
        [this.line, this.ends[0]!].forEach((mesh) => mesh.geometry.dispose());
        (this.line.material as THREE.Material).dispose();
    }
}
