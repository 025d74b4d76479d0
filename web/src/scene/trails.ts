// SPDX-License-Identifier: MIT
// Where the bodies went: one line per followed body, in a fixed block of points.

import * as THREE from "three";
import { bodyColour } from "./shapes.ts";

const CAPACITY = 1500;

class Trail {
    readonly line: THREE.Line;
    private points = new Float32Array(3 * CAPACITY);
    private times = new Float64Array(CAPACITY);
    private count = 0;
    private attribute: THREE.BufferAttribute;

    constructor(
        colour: string,
        private gap: number,
    ) {
        const geometry = new THREE.BufferGeometry();
        this.attribute = new THREE.BufferAttribute(this.points, 3).setUsage(THREE.DynamicDrawUsage);
        geometry.setAttribute("position", this.attribute);
        this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, toneMapped: false, transparent: true, opacity: 0.9 }));
        this.line.frustumCulled = false;
    }

    add(t: number, x: number, y: number, z: number): void {
        // after a rewind the line is shortened to the instant shown
        while (this.count > 0 && this.times[this.count - 1]! > t) {
            this.count--;
        }
        const last = 3 * (this.count - 1);
        const moved = this.count === 0 ? Infinity : Math.hypot(x - this.points[last]!, y - this.points[last + 1]!, z - this.points[last + 2]!);
        if (moved >= this.gap) {
            if (this.count === CAPACITY) {
                this.points.copyWithin(0, 3);
                this.times.copyWithin(0, 1);
                this.count--;
            }
            this.points.set([x, y, z], 3 * this.count);
            this.times[this.count] = t;
            this.count++;
        }
        this.attribute.needsUpdate = true;
        this.line.geometry.setDrawRange(0, this.count);
    }
}

export class Trails {
    readonly root = new THREE.Group();
    private trails: Trail[] = [];

    /** at most twelve lines, so that a chain of a hundred links stays readable */
    constructor(
        private bodies: number[],
        length: number,
        up: THREE.Vector3,
    ) {
        // a little above the ground, which would hide half of the line
        this.root.position.copy(up).multiplyScalar(0.012 * length);
        this.bodies = bodies.slice(0, 12);
        for (const body of this.bodies) {
            const trail = new Trail(bodyColour(body), 0.01 * length);
            this.trails.push(trail);
            this.root.add(trail.line);
        }
    }

    update(t: number, poses: Float32Array): void {
        this.bodies.forEach((body, i) => {
            this.trails[i]!.add(t, poses[7 * body]!, poses[7 * body + 1]!, poses[7 * body + 2]!);
        });
    }

    dispose(): void {
        this.root.removeFromParent();
        this.trails.forEach((trail) => trail.line.geometry.dispose());
    }
}
