// SPDX-License-Identifier: MIT
// Rods, cylinders and chains between points of several bodies: they follow all of them.

import * as THREE from "three";
import type { Strut, Vec3 } from "../protocol.ts";
import { makeMaterial, type Look } from "./materials.ts";

const UP = new THREE.Vector3(0, 1, 0);
const MOST_LINKS = 400;

/** stretches a mesh of height 1 along y from one point to another */
function stretch(mesh: THREE.Object3D, from: THREE.Vector3, to: THREE.Vector3): void {
    const along = to.clone().sub(from);
    const length = along.length();
    mesh.visible = length > 1e-9;
    if (mesh.visible) {
        mesh.position.copy(from).addScaledVector(along, 0.5);
        mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
        mesh.scale.set(1, length, 1);
    }
}

/** places of the links of a chain along its way: from link to link `pitch`, none beyond the end */
export function chainPlaces(points: readonly THREE.Vector3[], pitch: number): { at: THREE.Vector3; along: THREE.Vector3 }[] {
    const places: { at: THREE.Vector3; along: THREE.Vector3 }[] = [];
    let next = pitch / 2;
    for (let k = 0; k + 1 < points.length; k++) {
        const along = points[k + 1]!.clone().sub(points[k]!);
        const length = along.length();
        if (length < 1e-9) {
            continue;
        }
        along.divideScalar(length);
        for (; next <= length && places.length < MOST_LINKS; next += pitch) {
            places.push({ at: points[k]!.clone().addScaledVector(along, next), along });
        }
        next -= length;
    }
    return places;
}

class StrutNode {
    readonly root = new THREE.Group();
    private parts: THREE.Mesh[] = [];
    private links: THREE.InstancedMesh | null = null;
    private barrel: number; // m; 0: not known before the first pose

    constructor(private strut: Strut) {
        this.root.name = strut.name;
        this.barrel = strut.barrel ?? 0;
        const steel = strut.type === "cylinder" ? "#3a3f46" : strut.type === "chain" ? "#5d6266" : "#c9d0d6";
        const look: Look = { colour: strut.colour ?? steel, opacity: strut.opacity ?? 1, roughness: 0.35, metalness: 0.4 };
        const tube = (radius: number, wanted: Look) => {
            const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 20), makeMaterial(wanted));
            this.parts.push(mesh);
            this.root.add(mesh);
        };
        switch (strut.type) {
            case "rod":
                for (let k = 0; k + 1 < strut.points.length; k++) {
                    tube(strut.radius, look);
                }
                break;
            case "cylinder":
                tube(strut.radius, look);
                tube(strut.rod ?? 0.6 * strut.radius, { colour: "#dfe4e8", roughness: 0.15, metalness: 0.6 });
                break;
            case "chain": {
                // some hundred links: round ones of 112 triangles were two fifths of all that a truck in its yard draws
                const link = new THREE.CapsuleGeometry(0.7 * strut.radius, 1.6 * strut.radius, 1, 6).scale(1, 1, 0.55);
                this.links = new THREE.InstancedMesh(link, makeMaterial(look), MOST_LINKS);
                this.links.frustumCulled = false;
                this.root.add(this.links);
                break;
            }
        }
    }

    /** points in the axes of the machine */
    update(points: readonly THREE.Vector3[]): void {
        if (this.links) {
            this.updateLinks(points);
        } else if (this.strut.type === "cylinder") {
            const [foot, eye] = points as [THREE.Vector3, THREE.Vector3];
            const length = foot.distanceTo(eye);
            this.barrel ||= 0.6 * length;
            const end = foot.clone().lerp(eye, length > 0 ? Math.min(1, this.barrel / length) : 0);
            stretch(this.parts[0]!, foot, end);
            stretch(this.parts[1]!, end, eye);
        } else {
            this.parts.forEach((part, k) => stretch(part, points[k]!, points[k + 1]!));
        }
    }

    /** every second link is turned across */
    private updateLinks(points: readonly THREE.Vector3[]): void {
        const links = this.links!;
        const places = chainPlaces(points, 2.2 * this.strut.radius);
        const matrix = new THREE.Matrix4();
        const one = new THREE.Vector3(1, 1, 1);
        const turn = new THREE.Quaternion();
        const across = new THREE.Quaternion().setFromAxisAngle(UP, Math.PI / 2);
        places.forEach(({ at, along }, i) => {
            turn.setFromUnitVectors(UP, along);
            links.setMatrixAt(i, matrix.compose(at, i % 2 ? turn.multiply(across) : turn, one));
        });
        links.count = places.length;
        links.instanceMatrix.needsUpdate = true;
    }
}

export class Struts {
    readonly root = new THREE.Group();
    private nodes: { strut: Strut; node: StrutNode }[];

    constructor(struts: readonly Strut[]) {
        this.nodes = struts.map((strut) => ({ strut, node: new StrutNode(strut) }));
        this.nodes.forEach(({ node }) => this.root.add(node.root));
    }

    /** where the points of a strut are, in the axes of the machine */
    static points(strut: Strut, bodies: readonly THREE.Object3D[]): THREE.Vector3[] {
        return strut.points.map((point, k) => {
            const at = new THREE.Vector3(...(point as Vec3));
            const body = bodies[strut.bodies[k]!];
            return body ? at.applyQuaternion(body.quaternion).add(body.position) : at;
        });
    }

    pose(bodies: readonly THREE.Object3D[]): void {
        for (const { strut, node } of this.nodes) {
            node.update(Struts.points(strut, bodies));
        }
    }
}
