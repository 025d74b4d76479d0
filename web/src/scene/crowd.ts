// SPDX-License-Identifier: MIT
// Pieces of one form on many bodies, such as crates, cones and pallets, drawn at once: a call costs more than what it draws. The pieces
// themselves stay in their bodies, unseen, so that whoever measures or names them finds them.

import * as THREE from "three";
import { boxGeometry } from "./builder.ts";
import { makeMaterial, type Look } from "./materials.ts";
import type { Shape } from "../protocol.ts";

const FEW = 6; // fewer pieces are drawn one by one
const SIDES = 24;

interface Piece {
    node: THREE.Object3D; // its place in the body
    mesh: THREE.Mesh;
    size: THREE.Vector3;
    colour: THREE.Color;
}

type Form = "box" | "cylinder" | "cone";

const FORMS: Record<Form, () => THREE.BufferGeometry> = {
    box: () => boxGeometry(1, 1, 1),
    cylinder: () => new THREE.CylinderGeometry(1, 1, 1, SIDES).rotateX(Math.PI / 2),
    cone: () => new THREE.ConeGeometry(1, 1, SIDES).rotateX(Math.PI / 2),
};

export class Crowd {
    readonly root = new THREE.Group();
    private piles = new Map<string, { form: Form; look: Look; pieces: Piece[] }>();
    private drawn: { mesh: THREE.InstancedMesh; pieces: Piece[] }[] = [];
    private matrix = new THREE.Matrix4();

    /** a piece with one mesh in `node`; what cannot be drawn with others stays as it is */
    add(shape: Shape, node: THREE.Object3D, look: Look): void {
        const { type } = shape;
        const mesh = node.children[0] as THREE.Mesh | undefined;
        if ((type !== "box" && type !== "cylinder" && type !== "cone") || node.children.length !== 1 || !mesh?.isMesh || (look.opacity ?? 1) < 1) {
            return;
        }
        const [a = 1, b = 1, c = 1] = shape.size;
        const own = { ...look, colour: "#ffffff" };
        const key = `${type} ${JSON.stringify(own)}`;
        const pile = this.piles.get(key) ?? { form: type, look: own, pieces: [] };
        this.piles.set(key, pile);
        pile.pieces.push({ node, mesh, size: type === "box" ? new THREE.Vector3(a, b, c) : new THREE.Vector3(a, a, b), colour: new THREE.Color(look.colour) });
    }

    /** all pieces are there */
    finish(): void {
        for (const { form, look, pieces } of this.piles.values()) {
            if (pieces.length < FEW) {
                continue;
            }
            const mesh = new THREE.InstancedMesh(FORMS[form](), makeMaterial(look), pieces.length);
            mesh.name = `all of one form: ${form}`;
            // they move, and its bounds would be those of the start
            mesh.frustumCulled = false;
            pieces.forEach((piece, i) => {
                mesh.setColorAt(i, piece.colour);
                piece.mesh.layers.disableAll();
            });
            this.drawn.push({ mesh, pieces });
            this.root.add(mesh);
        }
        this.piles.clear();
    }

    /** whose piece it is; null: none of these */
    bodyOf(mesh: THREE.Object3D, index: number): THREE.Object3D | null {
        return this.drawn.find((one) => one.mesh === mesh)?.pieces[index]?.node.parent ?? null;
    }

    /** as the bodies are now; their own matrices may be older */
    update(): void {
        for (const { mesh, pieces } of this.drawn) {
            pieces.forEach(({ node, size }, i) => {
                const body = node.parent!;
                body.updateMatrix();
                node.updateMatrix();
                mesh.setMatrixAt(i, this.matrix.multiplyMatrices(body.matrix, node.matrix).scale(size));
            });
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingBox = mesh.boundingSphere = null;
        }
    }
}
