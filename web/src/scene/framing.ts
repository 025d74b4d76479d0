// SPDX-License-Identifier: MIT
// What a mechanism that stays where it is needs of the picture: everything that it has reached so far, up to some times its size at the
// start; what goes farther is followed.

import * as THREE from "three";

const MOST = 2.6; // sizes at the start that the picture grows to
const EASE = 0.5; // s in which the view goes back

export class Framing {
    private boxes: THREE.Box3[] = []; // of the bodies in their own axes
    private seen = new THREE.Box3();
    private middle = new THREE.Vector3();
    private length = 1;
    private first = 1;

    /** box, length: what is in the picture now */
    start(bodies: readonly THREE.Object3D[], box: THREE.Box3, length: number): void {
        this.boxes = bodies.map((body) => ownBox(body));
        box.getCenter(this.middle);
        this.length = this.first = length;
        this.seen.copy(box);
    }

    private now(bodies: readonly THREE.Object3D[]): THREE.Box3 {
        const box = new THREE.Box3();
        bodies.forEach((body, i) => {
            const own = this.boxes[i]!;
            if (!own.isEmpty()) {
                body.updateWorldMatrix(true, false);
                box.union(own.clone().applyMatrix4(body.matrixWorld));
            }
        });
        return box;
    }

    /** how the picture is to be framed, a bit nearer to what it should be */
    update(bodies: readonly THREE.Object3D[], seconds: number): { middle: THREE.Vector3; length: number } {
        const now = this.now(bodies);
        const isWhole = !now.isEmpty() && [...now.min.toArray(), ...now.max.toArray()].every(Number.isFinite);
        if (isWhole) {
            this.seen.union(now);
            const size = this.seen.getSize(new THREE.Vector3()).length();
            const isFar = size > MOST * this.first;
            const wanted = isFar ? now : this.seen;
            const length = isFar ? Math.min(MOST * this.first, Math.max(this.length, now.getSize(new THREE.Vector3()).length())) : Math.max(this.first, size);
            const share = 1 - Math.exp(-seconds / EASE);
            this.middle.lerp(wanted.getCenter(new THREE.Vector3()), share);
            this.length += share * (length - this.length);
        }
        return { middle: this.middle, length: this.length };
    }

    /** a floor at this height, or below what has come through it */
    floorFor(height: number): number {
        const low = this.seen.min.z;
        return low < height - 0.01 * this.first ? low - 0.12 * this.first : height;
    }
}

/** in the axes of the mesh; of all that it draws, where it draws one form many times */
function boundsOf(mesh: THREE.Mesh): THREE.Box3 {
    const many = mesh as THREE.InstancedMesh;
    if (many.isInstancedMesh) {
        many.computeBoundingBox();
        return many.boundingBox!.clone();
    }
    mesh.geometry.boundingBox ?? mesh.geometry.computeBoundingBox();
    return mesh.geometry.boundingBox!.clone();
}

/** of what a body is made, in its axes */
function ownBox(body: THREE.Object3D): THREE.Box3 {
    body.updateWorldMatrix(true, true);
    const back = body.matrixWorld.clone().invert();
    const box = new THREE.Box3();
    body.traverse((node) => {
        const { geometry, isMesh } = node as THREE.Mesh;
        if (isMesh && geometry.getAttribute("position")) {
            box.union(boundsOf(node as THREE.Mesh).applyMatrix4(new THREE.Matrix4().multiplyMatrices(back, node.matrixWorld)));
        }
    });
    return box;
}
