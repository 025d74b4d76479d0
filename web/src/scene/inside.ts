// SPDX-License-Identifier: MIT
// What is inside the model, over the picture of the machine: points, vectors, joint axes, frames, masses, shapes that touch, forces on points.
// Everything hangs on the bodies of the machine and moves with them.

import * as THREE from "three";
import type { InsideEntity, InsideMessage, Shape, Vec3 } from "../protocol.ts";
import type { Machine } from "./shapes.ts";

export const LAYERS = ["points", "vectors", "joints", "frames", "masses", "touches", "forces"] as const;
export type Layer = (typeof LAYERS)[number];

/** something with a name; `spots` are where the mouse finds it, in the axes of its body */
export interface Mark {
    layer: Layer;
    name: string;
    body: number;
    spots: THREE.Vector3[];
    colour: string;
    index: number; // in the list of the message
}

export const COLOURS = {
    variable: "#19d3c5",
    constant: "#ffffff",
    named: "#a3a9b0",
    joint: "#c9d3dd",
    redundant: "#ff3b41",
    shared: "#ffc531",
    mass: "#b49bff",
    touches: "#ff8f3a",
    forces: "#ff7fb0",
} as const;

const AXES = ["#ff4d4d", "#3fd15c", "#4d8dff"];
const UP = new THREE.Vector3(0, 1, 0);

export function entityColour(entity: InsideEntity): string {
    return COLOURS[entity.role];
}

/** of a joint or constraint */
export function holdColour(hold: { redundant: number; shared: boolean }): string {
    return hold.redundant > 0 ? COLOURS.redundant : hold.shared ? COLOURS.shared : COLOURS.joint;
}

export class Inside {
    readonly marks: Mark[] = [];
    private groups = new Map<Layer, THREE.Group[]>(LAYERS.map((layer) => [layer, []]));
    private materials = new Map<string, THREE.MeshBasicMaterial>();
    private chosen: THREE.Mesh;

    /** length: of the machine, m */
    constructor(
        readonly message: InsideMessage,
        private machine: Machine,
        private length: number,
        /** a mesh has come */
        private onLoaded: () => void,
    ) {
        this.chosen = new THREE.Mesh(new THREE.TorusGeometry(0.04 * length, 0.005 * length, 10, 40), this.material("#ffffff", 0.95));
        this.chosen.renderOrder = 24;
        this.chosen.visible = false;
        machine.root.add(this.chosen);
        this.addEntities();
        this.addJoints();
        this.addFrames();
        this.addMasses();
        this.addTouches();
        this.addForces();
    }

    show(layers: ReadonlySet<Layer>): void {
        for (const [layer, groups] of this.groups) {
            groups.forEach((group) => (group.visible = layers.has(layer)));
        }
    }

    /** where a mark is now, in the axes of the scene */
    place(mark: Mark, spot = 0): THREE.Vector3 {
        return this.machine.parentOf(mark.body).localToWorld(mark.spots[spot]!.clone());
    }

    /** the mark nearest to a place of the picture (-1..1 both ways), within `reach` pixels of a canvas of this size */
    find(x: number, y: number, camera: THREE.Camera, width: number, height: number, layers: ReadonlySet<Layer>, reach = 14): Mark | null {
        let best: Mark | null = null;
        let least = reach;
        for (const mark of this.marks) {
            if (!layers.has(mark.layer)) {
                continue;
            }
            for (let i = 0; i < mark.spots.length; i++) {
                const point = this.place(mark, i).project(camera);
                const away = Math.hypot(((point.x - x) * width) / 2, ((point.y - y) * height) / 2) + (mark.layer === "touches" || mark.layer === "masses" ? 4 : 0);
                if (point.z < 1 && away < least) {
                    least = away;
                    best = mark;
                }
            }
        }
        return best;
    }

    /** a ring round one of them */
    choose(mark: Mark | null): void {
        this.chosen.visible = mark !== null;
        this.ringed = mark;
    }

    private ringed: Mark | null = null;
    /** lines between points of two bodies, which move against each other */
    private spans: { line: THREE.Line; a: Mark; b: Mark }[] = [];

    /** before each picture: the ring faces whoever looks */
    update(camera: THREE.Camera): void {
        for (const { line, a, b } of this.spans) {
            const points = [a, b].map((mark) => line.parent!.worldToLocal(this.place(mark)));
            const position = line.geometry.getAttribute("position");
            points.forEach((point, i) => position.setXYZ(i, point.x, point.y, point.z));
            position.needsUpdate = true;
        }
        if (this.ringed) {
            const parent = this.chosen.parent!;
            this.chosen.position.copy(parent.worldToLocal(this.place(this.ringed)));
            this.chosen.quaternion.copy(parent.getWorldQuaternion(new THREE.Quaternion()).invert().multiply(camera.getWorldQuaternion(new THREE.Quaternion())));
        }
    }

    dispose(): void {
        this.chosen.removeFromParent();
        this.chosen.geometry.dispose();
        for (const group of [...this.groups.values()].flat()) {
            group.removeFromParent();
            group.traverse((node) => (node as THREE.Mesh).geometry?.dispose());
        }
        this.materials.forEach((material) => material.dispose());
    }

    // ---- parts -------------------------------------------------------------------------------------------------------

    /** drawn over the machine, which they lie in */
    private material(colour: string, opacity = 1, isWire = false): THREE.MeshBasicMaterial {
        const key = `${colour} ${opacity} ${isWire}`;
        let material = this.materials.get(key);
        if (!material) {
            material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, wireframe: isWire, toneMapped: false, fog: false, depthTest: false, depthWrite: false });
            this.materials.set(key, material);
        }
        return material;
    }

    private group(layer: Layer, body: number): THREE.Group {
        const group = new THREE.Group();
        this.groups.get(layer)!.push(group);
        this.machine.parentOf(body).add(group);
        return group;
    }

    private put(group: THREE.Group, geometry: THREE.BufferGeometry, material: THREE.Material, order: number): THREE.Mesh {
        const mesh = new THREE.Mesh(geometry, material);
        mesh.renderOrder = order;
        group.add(mesh);
        return mesh;
    }

    private rod(group: THREE.Group, from: THREE.Vector3, to: THREE.Vector3, radius: number, colour: string, opacity = 1): void {
        const along = to.clone().sub(from);
        const length = along.length();
        if (length < 1e-9) {
            return;
        }
        const mesh = this.put(group, new THREE.CylinderGeometry(radius, radius, length, 8), this.material(colour, opacity), 20);
        mesh.position.copy(from).addScaledVector(along, 0.5);
        mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
    }

    private addEntities(): void {
        this.message.entities.forEach((entity, index) => {
            const at = new THREE.Vector3(...(entity.at as Vec3));
            const layer = entity.vector ? "vectors" : "points";
            const group = this.group(layer, entity.body);
            const colour = entityColour(entity);
            const isShared = entity.shares.length > 1;
            const mark: Mark = { layer, name: entity.name, body: entity.body, spots: [at], colour, index };
            if (entity.along) {
                const along = new THREE.Vector3(...(entity.along as Vec3));
                const reach = 0.14 * this.length;
                const tip = at.clone().addScaledVector(along, reach);
                const radius = (isShared ? 0.006 : 0.0035) * this.length;
                this.rod(group, at, at.clone().addScaledVector(along, 0.82 * reach), radius, colour);
                const head = this.put(group, new THREE.ConeGeometry(2.6 * radius, 0.2 * reach, 12), this.material(colour), 21);
                head.position.copy(at).addScaledVector(along, 0.9 * reach);
                head.quaternion.setFromUnitVectors(UP, along);
                mark.spots = [tip, at.clone().addScaledVector(along, 0.5 * reach)];
            } else {
                const radius = (entity.role === "named" ? 0.009 : isShared ? 0.019 : 0.013) * this.length;
                const ball = this.put(group, new THREE.SphereGeometry(radius, 14, 10), this.material(colour, 1, entity.role === "constant"), 22);
                ball.position.copy(at);
            }
            this.marks.push(mark);
        });
    }

    private addJoints(): void {
        this.message.joints.forEach((joint, index) => {
            const at = new THREE.Vector3(...(joint.at as Vec3));
            const group = this.group("joints", joint.b);
            const colour = holdColour(joint);
            const half = 0.13 * this.length;
            const thick = (joint.redundant > 0 || joint.shared ? 0.0048 : 0.003) * this.length;
            const mark: Mark = { layer: "joints", name: joint.name, body: joint.b, spots: [at], colour, index };
            const ring = this.put(group, new THREE.TorusGeometry(0.026 * this.length, thick, 8, 28), this.material(colour), 20);
            ring.position.copy(at);
            if (joint.axis) {
                const axis = new THREE.Vector3(...(joint.axis as Vec3));
                // long and short strokes, as axes are drawn
                for (const [from, to] of [[-1, -0.3], [-0.2, -0.1], [0.1, 0.2], [0.3, 1]] as const) {
                    this.rod(group, at.clone().addScaledVector(axis, from * half), at.clone().addScaledVector(axis, to * half), thick, colour);
                }
                ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
                mark.spots = [at, at.clone().addScaledVector(axis, half), at.clone().addScaledVector(axis, -half)];
            }
            this.marks.push(mark);
        });
    }

    private addFrames(): void {
        this.machine.scene.bodies.forEach((name, body) => {
            const group = this.group("frames", body);
            const reach = 0.09 * this.length;
            AXES.forEach((colour, i) => this.rod(group, new THREE.Vector3(), new THREE.Vector3().setComponent(i, reach), 0.0035 * this.length, colour));
            this.marks.push({ layer: "frames", name, body, spots: [new THREE.Vector3()], colour: "#ffffff", index: body });
        });
    }

    private addMasses(): void {
        this.message.masses.forEach((mass, index) => {
            const at = new THREE.Vector3(...(mass.at as Vec3));
            const group = this.group("masses", mass.body);
            const thin = 0.002 * this.length;
            const ball = this.put(group, new THREE.SphereGeometry(1, 28, 18), this.material(COLOURS.mass, 0.16), 18);
            const half = mass.half_axes.map((axis) => Math.max(axis, thin)) as Vec3;
            ball.scale.set(...half);
            const lines = new THREE.LineSegments(new THREE.WireframeGeometry(new THREE.SphereGeometry(1, 12, 8)), new THREE.LineBasicMaterial({ color: COLOURS.mass, transparent: true, opacity: 0.35, toneMapped: false, fog: false, depthTest: false }));
            lines.renderOrder = 19;
            lines.scale.copy(ball.scale);
            const [w, x, y, z] = mass.quaternion as [number, number, number, number];
            for (const node of [ball, lines]) {
                node.position.copy(at);
                node.quaternion.set(x, y, z, w);
                group.add(node);
            }
            const middle = this.put(group, new THREE.OctahedronGeometry(0.014 * this.length), this.material(COLOURS.mass), 22);
            middle.position.copy(at);
            this.marks.push({ layer: "masses", name: this.machine.scene.bodies[mass.body] ?? "", body: mass.body, spots: [at], colour: COLOURS.mass, index });
        });
    }

    private addTouches(): void {
        this.message.touches.forEach(({ shape }, index) => {
            const group = this.group("touches", shape.body);
            group.position.set(...(shape.at as Vec3));
            const [w, x, y, z] = shape.quaternion;
            group.quaternion.set(x!, y!, z!, w!);
            void this.machine.edgesOf(shape).then((edges) => {
                if (edges) {
                    const lines = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: COLOURS.touches, toneMapped: false, fog: false, depthTest: false, transparent: true, opacity: 0.85 }));
                    lines.renderOrder = 19;
                    group.add(lines);
                    this.onLoaded();
                }
            });
            this.marks.push({ layer: "touches", name: shape.name, body: shape.body, spots: spotsOf(shape), colour: COLOURS.touches, index });
        });
    }

    private addForces(): void {
        this.message.forces.forEach((force, index) => {
            const mark = (body: number, at: number[]): Mark => ({ layer: "forces", name: force.name, body, spots: [new THREE.Vector3(...(at as Vec3))], colour: COLOURS.forces, index });
            const ends = [mark(force.a, force.at_a)];
            if (force.b !== undefined && force.at_b) {
                ends.push(mark(force.b, force.at_b));
            }
            for (const end of ends) {
                const diamond = this.put(this.group("forces", end.body), new THREE.OctahedronGeometry(0.012 * this.length), this.material(COLOURS.forces), 22);
                diamond.position.copy(end.spots[0]!);
            }
            if (ends[1]) {
                const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
                const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: COLOURS.forces, toneMapped: false, fog: false, depthTest: false, transparent: true }));
                line.renderOrder = 21;
                line.frustumCulled = false;
                this.group("forces", -1).add(line);
                this.spans.push({ line, a: ends[0]!, b: ends[1] });
            }
            this.marks.push(ends[0]!);
        });
    }
}

/** the middle of a shape in its body; a plane is found nowhere */
function spotsOf(shape: Shape): THREE.Vector3[] {
    return shape.type === "plane" || shape.type === "field" ? [] : [new THREE.Vector3(...(shape.at as Vec3))];
}
