// SPDX-License-Identifier: MIT
// What an exercise puts on the ground: gates, lines, zones, arrows and cones; done ones turn green, a cone hangs over the next.

import * as THREE from "three";
import type { ExerciseMark } from "../protocol.ts";
import { Builder } from "./builder.ts";

export class Marks {
    readonly root = new THREE.Group();
    private shown = "";

    update(marks: ExerciseMark[]): void {
        const key = JSON.stringify(marks);
        if (key === this.shown) {
            return;
        }
        this.shown = key;
        this.clear();
        for (const mark of marks) {
            this.root.add(makeMark(mark));
        }
    }

    clear(): void {
        this.root.traverse((node) => (node as THREE.Mesh).geometry?.dispose());
        this.root.clear();
    }
}

function makeMark(mark: ExerciseMark): THREE.Group {
    const group = new THREE.Group();
    const colour = mark.done ? "#27c46b" : "#ffb020";
    const width = mark.size[0] ?? 3;
    const depth = mark.size[1] ?? width;
    const glow = (geometry: THREE.BufferGeometry, opacity: number) =>
        group.add(
            new THREE.Mesh(
                geometry,
                new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide, toneMapped: false }),
            ),
        );
    switch (mark.kind) {
        case "cone": {
            const builder = new Builder(true);
            addCone(builder);
            group.add(builder.finish());
            break;
        }
        case "line":
            glow(new THREE.PlaneGeometry(width, mark.size[1] ?? 0.2).translate(0, 0, 0.02), 0.9);
            break;
        case "zone": {
            glow(new THREE.PlaneGeometry(width, depth).translate(0, 0, 0.02), 0.28);
            for (const [x, y, sx, sy] of [[0, depth / 2, width, 0.08], [0, -depth / 2, width, 0.08], [width / 2, 0, 0.08, depth], [-width / 2, 0, 0.08, depth]] as const) {
                glow(new THREE.PlaneGeometry(sx, sy).translate(x, y, 0.025), 0.95);
            }
            break;
        }
        case "arrow": {
            const [half, head] = [width / 2, Math.min(0.45 * depth, width)];
            const shape = new THREE.Shape([[-depth / 2, -half / 2], [depth / 2 - head, -half / 2], [depth / 2 - head, -half], [depth / 2, 0], [depth / 2 - head, half], [depth / 2 - head, half / 2], [-depth / 2, half / 2]].map(([x, y]) => new THREE.Vector2(x, y)));
            glow(new THREE.ShapeGeometry(shape).translate(0, 0, 0.02), 0.8);
            break;
        }
        case "gate":
            for (const side of [-1, 1]) {
                glow(new THREE.CylinderGeometry(0.05, 0.05, 2.2, 12).rotateX(Math.PI / 2).translate((side * width) / 2, 0, 1.1), 0.95);
            }
            glow(new THREE.PlaneGeometry(width, 0.12).translate(0, 0, 0.02), 0.8);
            break;
    }
    if (mark.next) {
        // the one to reach now: a cone that points down at it
        glow(new THREE.ConeGeometry(0.35, 0.8, 16).rotateX(-Math.PI / 2).translate(0, 0, 3.4), 0.95);
    }
    group.position.set(...mark.at);
    group.rotation.z = mark.angle ?? 0;
    return group;
}

function addCone(b: Builder): void {
    b.use({ roughness: 0.6 });
    b.block(0, 0, 0, [0.36, 0.36, 0.04], "#d8541c");
    b.rod([0, 0, 0.04], [0, 0, 0.28], 0.13, "#e8611f", 0.085);
    b.rod([0, 0, 0.28], [0, 0, 0.42], 0.085, "#f4f2ec", 0.058);
    b.rod([0, 0, 0.42], [0, 0, 0.66], 0.058, "#e8611f", 0.02);
}
