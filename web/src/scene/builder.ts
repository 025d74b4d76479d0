// SPDX-License-Identifier: MIT
// Builds scenery from many simple pieces and hands out few meshes: pieces of one material are merged, their colours
// stored per vertex. Axes: z is up; texture coordinates are metres.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { makeMaterial, type Look } from "./materials.ts";
import type { Vec3 } from "../protocol.ts";

/** A box with z up whose texture coordinates are metres on every face, v upwards on the walls. */
export function boxGeometry(x: number, y: number, z: number): THREE.BufferGeometry {
    const box = new THREE.BoxGeometry(x, z, y);
    const uv = box.getAttribute("uv") as THREE.BufferAttribute;
    const sizes = [y, z, y, z, x, y, x, y, x, z, x, z]; // per face: along u, along v
    for (let i = 0; i < uv.count; i++) {
        const face = Math.floor(i / 4);
        uv.setXY(i, uv.getX(i) * sizes[2 * face]!, uv.getY(i) * sizes[2 * face + 1]!);
    }
    return box.rotateX(Math.PI / 2);
}

interface Pile {
    look: Look;
    parts: THREE.BufferGeometry[];
    isCaster: boolean;
}

// m; what lies behind the camera is then not drawn. With few triangles a call costs more than what it draws.
const CELL = 64;
const PLAIN_CELL = 200;

export class Builder {
    private piles = new Map<string, Pile>();
    private look: Look = { roughness: 0.75 };
    private isCaster = true;

    /** without details the scene has about a tenth of the triangles, for software drawing */
    constructor(readonly isDetailed: boolean) {}

    /** pieces that only a detailed scene has */
    detail(build: () => void): this {
        if (this.isDetailed) {
            build();
        }
        return this;
    }

    /** what the following pieces are made of */
    use(look: Look, isCaster = true): this {
        // cheap materials do not know roughness: fewer piles
        this.look = this.isDetailed ? look : { ...look, roughness: 0.7, metalness: 0 };
        this.isCaster = isCaster && this.isDetailed;
        return this;
    }

    add(geometry: THREE.BufferGeometry, colour: THREE.ColorRepresentation): this {
        const part = geometry.index ? geometry.toNonIndexed() : geometry;
        const c = new THREE.Color(colour);
        const n = part.getAttribute("position").count;
        const colours = new Float32Array(3 * n);
        for (let i = 0; i < n; i++) {
            c.toArray(colours, 3 * i);
        }
        part.setAttribute("color", new THREE.BufferAttribute(colours, 3));
        part.computeBoundingSphere();
        const { center, radius } = part.boundingSphere!;
        const size = this.isDetailed ? CELL : PLAIN_CELL;
        const cell = radius > size ? "all" : `${Math.round(center.x / size)} ${Math.round(center.y / size)}`;
        const key = JSON.stringify({ ...this.look, map: this.look.map?.uuid, isCaster: this.isCaster, cell });
        let pile = this.piles.get(key);
        if (!pile) {
            pile = { look: this.look, parts: [], isCaster: this.isCaster };
            this.piles.set(key, pile);
        }
        pile.parts.push(part);
        return this;
    }

    /** box by its centre; turn about z */
    box(at: Vec3, size: Vec3, colour: THREE.ColorRepresentation, turn = 0): this {
        return this.add(boxGeometry(...size).rotateZ(turn).translate(...at), colour);
    }

    /** box standing on z0 */
    block(x: number, y: number, z0: number, size: Vec3, colour: THREE.ColorRepresentation, turn = 0): this {
        return this.box([x, y, z0 + size[2] / 2], size, colour, turn);
    }

    /** square bar from a to b */
    bar(a: Vec3, b: Vec3, thickness: number, colour: THREE.ColorRepresentation): this {
        const from = new THREE.Vector3(...a);
        const along = new THREE.Vector3(...b).sub(from);
        const length = along.length();
        const geometry = boxGeometry(thickness, thickness, length).translate(0, 0, length / 2);
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.normalize());
        geometry.applyQuaternion(turn).translate(...a);
        return this.add(geometry, colour);
    }

    /** round bar from a to b, radius r at a and r2 at b */
    rod(a: Vec3, b: Vec3, r: number, colour: THREE.ColorRepresentation, r2 = r, sides = 14): this {
        const from = new THREE.Vector3(...a);
        const along = new THREE.Vector3(...b).sub(from);
        const length = along.length();
        const geometry = new THREE.CylinderGeometry(r2, r, length, this.isDetailed ? sides : Math.min(sides, 7)).translate(0, length / 2, 0);
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
        geometry.applyQuaternion(turn).translate(...a);
        return this.add(geometry, colour);
    }

    /** rectangle lying on the ground */
    patch(x0: number, y0: number, x1: number, y1: number, z: number, colour: THREE.ColorRepresentation): this {
        const geometry = new THREE.PlaneGeometry(x1 - x0, y1 - y0);
        const uv = geometry.getAttribute("uv") as THREE.BufferAttribute;
        for (let i = 0; i < uv.count; i++) {
            uv.setXY(i, x0 + uv.getX(i) * (x1 - x0), y0 + uv.getY(i) * (y1 - y0));
        }
        return this.add(geometry.translate((x0 + x1) / 2, (y0 + y1) / 2, z), colour);
    }

    finish(): THREE.Group {
        const group = new THREE.Group();
        for (const pile of this.piles.values()) {
            const merged = mergeGeometries(pile.parts);
            const mesh = new THREE.Mesh(merged, makeMaterial({ ...pile.look, isTinted: true }));
            mesh.castShadow = pile.isCaster;
            mesh.receiveShadow = true;
            group.add(mesh);
        }
        this.piles.clear();
        return group;
    }
}
