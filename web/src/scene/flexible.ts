// SPDX-License-Identifier: MIT
// Flexible bodies: the server sends mesh, mode shapes and rows of stress once, and amplitudes with every frame; here the mesh is
// deformed and painted with the von Mises stress. Beams are tubes, other elements the skin of the body.

import { resource } from "../transport.ts";
import * as THREE from "three";
import { decodeBytes } from "../bytes.ts";
import { FLEX_BYTES, type Flexible } from "../protocol.ts";

export interface FlexMesh {
    modes: number;
    nodes: Float32Array; // x y z, m
    shapes: Float32Array; // mode by mode, x y z per node
    bend: Float32Array; // pair of modes by pair, x y z per node; empty: none
    beams: Uint32Array; // two nodes each
    radius: Float32Array; // of the beams, m
    faces: Uint32Array; // four corners each; a triangle repeats its last one
    nRow: number; // of each place of stress
    nSection: number; // places that are ends of beams, first: rows N/A, bending z, bending y, torsion; the others: six stresses
    pointNode: Uint32Array;
    isRound: Uint32Array;
    number: Uint32Array; // of the element in a body of beams, else of the node
    rows: Float32Array; // point by point, row by row
}

/** Reads the bytes of flex/BODY; null when they are cut short or too long. */
export function decodeFlex(data: ArrayBuffer): FlexMesh | null {
    const contents = decodeBytes(data, FLEX_BYTES);
    if (!contents) {
        return null;
    }
    const { counts, parts } = contents;
    // every third word, from the first, second or third on
    const third = <T extends Uint32Array | Float32Array>(all: T, from: number): T => all.filter((_, k) => k % 3 === from) as T;
    return {
        modes: counts.modes,
        nodes: parts.positions.f32,
        shapes: parts.shapes.f32,
        bend: parts.bends.f32,
        beams: parts.tubes.u32.filter((_, k) => k % 3 !== 2),
        radius: third(parts.tubes.f32, 2),
        faces: parts.corners.u32,
        nRow: counts.rows,
        nSection: counts.ends,
        pointNode: third(parts.spots.u32, 0),
        isRound: third(parts.spots.u32, 1),
        number: third(parts.spots.u32, 2),
        rows: parts.stresses.f32,
    };
}

/** Where the nodes are, body frame. */
export function deform(mesh: FlexMesh, eta: Float32Array, out: Float32Array): void {
    out.set(mesh.nodes);
    const n = mesh.nodes.length;
    for (let m = 0; m < mesh.modes; m++) {
        const a = eta[m]!;
        for (let k = 0; a !== 0 && k < n; k++) {
            out[k]! += a * mesh.shapes[m * n + k]!;
        }
        for (let j = 0; mesh.bend.length > 0 && j < mesh.modes; j++) {
            const c = 0.5 * a * eta[j]!;
            for (let k = 0; c !== 0 && k < n; k++) {
                out[k]! += c * mesh.bend[(m * mesh.modes + j) * n + k]!;
            }
        }
    }
}

/**
 * Von Mises stress of the nodes, Pa: the largest of the beams that meet there and of the average of other elements. Returns the place of the
 * largest of all; -1: there is none.
 */
export function stressOf(mesh: FlexMesh, eta: Float32Array, out: Float32Array): number {
    const s = new Float64Array(6);
    const nRow = mesh.nRow;
    let worst = -1;
    let most = -1;
    out.fill(0);
    for (let p = 0; p < mesh.pointNode.length; p++) {
        for (let r = 0; r < nRow; r++) {
            let sum = 0;
            const first = (p * nRow + r) * mesh.modes;
            for (let m = 0; m < mesh.modes; m++) {
                sum += mesh.rows[first + m]! * eta[m]!;
            }
            s[r] = sum;
        }
        const value = p < mesh.nSection ? sectionMises(s, mesh.isRound[p] !== 0) : tensorMises(s);
        const node = mesh.pointNode[p]!;
        out[node] = Math.max(out[node]!, value);
        if (value > most) {
            most = value;
            worst = p;
        }
    }
    return worst;
}

/** The largest stress of a body and where it is. */
export interface Peak {
    stress: number; // Pa
    number: number; // of the element in a body of beams, else of the node
    node: number; // place in the mesh, from 0
    t: number; // s
}

/** The largest stress of every node since the last reset, and the largest of all. */
export class Envelope {
    readonly stress: Float32Array;
    peak: Peak | null = null;

    constructor(private mesh: FlexMesh) {
        this.stress = new Float32Array(mesh.nodes.length / 3);
    }

    /** stresses of the nodes at an instant, and the place of the largest of them */
    add(now: Float32Array, worst: number, t: number): void {
        for (let i = 0; i < now.length; i++) {
            this.stress[i] = Math.max(this.stress[i]!, now[i]!);
        }
        const node = this.mesh.pointNode[worst];
        if (node !== undefined && now[node]! > (this.peak?.stress ?? 0)) {
            this.peak = { stress: now[node]!, number: this.mesh.number[worst]!, node, t };
        }
    }

    reset(): void {
        this.stress.fill(0);
        this.peak = null;
    }
}

function sectionMises(s: Float64Array, isRound: boolean): number {
    const bending = isRound ? Math.hypot(s[1]!, s[2]!) : Math.abs(s[1]!) + Math.abs(s[2]!);
    return Math.hypot(Math.abs(s[0]!) + bending, Math.sqrt(3) * s[3]!);
}

function tensorMises(s: Float64Array): number {
    const [x, y, z, a, b, c] = s as unknown as [number, number, number, number, number, number];
    return Math.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3 * (a * a + b * b + c * c));
}

/** Blue, green, yellow, red for 0 to 1. */
export function stressColour(share: number, out: THREE.Color): THREE.Color {
    const x = Math.min(1, Math.max(0, share));
    return out.setHSL((2 / 3) * (1 - x), 0.85, 0.5);
}

/** Amplitudes that show one mode, counted from 1, at a phase: the largest displacement is a tenth of the body. */
export function modeAmplitudes(mesh: FlexMesh, mode: number, phase: number): Float32Array {
    const eta = new Float32Array(mesh.modes);
    const n = mesh.nodes.length;
    const size = sizeOf(mesh);
    let largest = 0;
    for (let k = 0; k < n && mode >= 1 && mode <= mesh.modes; k += 3) {
        const first = (mode - 1) * n + k;
        largest = Math.max(largest, Math.hypot(...mesh.shapes.subarray(first, first + 3)));
    }
    if (largest > 0) {
        eta[mode - 1] = ((0.1 * size) / largest) * Math.sin(phase);
    }
    return eta;
}

/** the longest way from the first node to another, m */
function sizeOf(mesh: FlexMesh): number {
    let size = 0;
    for (let k = 0; k < mesh.nodes.length; k += 3) {
        size = Math.max(size, Math.hypot(mesh.nodes[k]! - mesh.nodes[0]!, mesh.nodes[k + 1]! - mesh.nodes[1]!, mesh.nodes[k + 2]! - mesh.nodes[2]!));
    }
    return size;
}

/** the mode that the address asks for, `?mode=3`; 0: none, the body moves as computed */
function askedMode(): number {
    const text = typeof location === "undefined" ? null : new URLSearchParams(location.search).get("mode");
    return Number(text ?? 0) || 0;
}

const UP = new THREE.Vector3(0, 1, 0);
const MODE_RATE = 4; // rad/s of the clock

export class FlexibleBody {
    readonly root = new THREE.Group();
    /** largest stresses so far: what is red, and what is painted while peaks are held */
    envelope: Envelope | null = null;
    isHolding = false;
    private mesh: FlexMesh | null = null;
    private at = new Float32Array(0);
    private stress = new Float32Array(0);
    private tubes: THREE.InstancedMesh | null = null;
    private skin: THREE.Mesh | null = null;
    private mode = askedMode();
    private pin = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: "#ffffff", depthTest: false, transparent: true, opacity: 0.85 }));

    constructor(
        private what: Flexible,
        onLoaded: (mistake: string | null) => void,
    ) {
        void this.load().then(onLoaded);
    }

    private async load(): Promise<string | null> {
        try {
            const answer = await resource(`flex/${this.what.body}`);
            const mesh = answer.ok ? decodeFlex(await answer.arrayBuffer()) : null;
            if (!mesh || mesh.modes !== this.what.modes) {
                return `the mesh of flexible body ${this.what.body} cannot be read`;
            }
            this.show(mesh);
            return null;
        } catch {
            return `the mesh of flexible body ${this.what.body} did not come`;
        }
    }

    private show(mesh: FlexMesh): void {
        this.mesh = mesh;
        this.envelope = new Envelope(mesh);
        this.at = new Float32Array(mesh.nodes);
        this.stress = new Float32Array(mesh.nodes.length / 3);
        if (mesh.radius.length > 0) {
            const tube = new THREE.CylinderGeometry(1, 1, 1, 10, 1, true);
            this.tubes = new THREE.InstancedMesh(tube, new THREE.MeshStandardMaterial({ roughness: 0.6 }), mesh.radius.length);
            this.tubes.frustumCulled = false;
            this.tubes.castShadow = true;
            this.root.add(this.tubes);
        }
        if (mesh.faces.length > 0) {
            const geometry = new THREE.BufferGeometry();
            const index: number[] = [];
            for (let k = 0; k < mesh.faces.length; k += 4) {
                const [a, b, c, d] = mesh.faces.subarray(k, k + 4) as unknown as [number, number, number, number];
                index.push(a, b, c);
                if (d !== c) {
                    index.push(a, c, d);
                }
            }
            geometry.setIndex(index);
            geometry.setAttribute("position", new THREE.BufferAttribute(this.at, 3));
            geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(this.at.length), 3));
            this.skin = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ vertexColors: true, side: THREE.DoubleSide, roughness: 0.6 }));
            this.skin.frustumCulled = false;
            this.skin.castShadow = true;
            this.root.add(this.skin);
        }
        this.pin.scale.setScalar(1.3 * Math.max(mesh.radius.reduce((most, r) => Math.max(most, r), 0), 0.006 * sizeOf(mesh)));
        this.pin.renderOrder = 1;
        this.pin.visible = false;
        this.root.add(this.pin);
        this.update(new Float32Array(this.what.first + this.what.modes));
    }

    /** its amplitudes among those of all bodies; null: not there yet */
    private amplitudes(modes: Float32Array): Float32Array | null {
        const eta = modes.subarray(this.what.first, this.what.first + this.what.modes);
        return this.mesh && eta.length === this.mesh.modes ? eta : null;
    }

    /** a frame came in: its stress counts, also when the frame is never drawn */
    accept(modes: Float32Array, t: number): void {
        const eta = this.amplitudes(modes);
        if (eta && this.mode === 0) {
            this.envelope!.add(this.stress, stressOf(this.mesh!, eta, this.stress), t);
        }
    }

    /** largest stress now, Pa */
    get now(): number {
        return this.stress.reduce((most, value) => Math.max(most, value), 0);
    }

    /** numbers of places are those of elements */
    get isOfBeams(): boolean {
        return this.mesh !== null && this.mesh.nSection === this.mesh.pointNode.length;
    }

    /** where a node is in the axes of the body, undeformed, m */
    place(node: number): [number, number, number] {
        return [...(this.mesh?.nodes.subarray(3 * node, 3 * node + 3) ?? [0, 0, 0])] as [number, number, number];
    }

    resetPeaks(): void {
        this.envelope?.reset();
    }

    /** deforms and paints the body for the picture */
    update(modes: Float32Array): void {
        const mesh = this.mesh;
        let eta = this.amplitudes(modes);
        if (!mesh || !eta) {
            return;
        }
        if (this.mode > 0) {
            eta = modeAmplitudes(mesh, this.mode, (MODE_RATE * performance.now()) / 1000);
            this.envelope!.add(this.stress, stressOf(mesh, eta, this.stress), 0);
        }
        deform(mesh, eta, this.at);
        this.poseTubes(mesh);
        this.paintSkin();
        const peak = this.envelope!.peak;
        this.pin.visible = this.isHolding && peak !== null;
        if (peak) {
            this.pin.position.fromArray(this.at, 3 * peak.node);
        }
    }

    private share(node: number): number {
        const peak = this.envelope?.peak?.stress ?? 0;
        const shown = this.isHolding ? this.envelope!.stress : this.stress;
        return peak > 0 ? shown[node]! / peak : 0;
    }

    private poseTubes(mesh: FlexMesh): void {
        const a = new THREE.Vector3();
        const b = new THREE.Vector3();
        const turn = new THREE.Quaternion();
        const matrix = new THREE.Matrix4();
        const colour = new THREE.Color();
        for (let k = 0; this.tubes && k < mesh.radius.length; k++) {
            const i = mesh.beams[2 * k]!;
            const j = mesh.beams[2 * k + 1]!;
            a.fromArray(this.at, 3 * i);
            b.fromArray(this.at, 3 * j).sub(a);
            const length = b.length();
            a.addScaledVector(b, 0.5);
            turn.setFromUnitVectors(UP, b.normalize());
            const r = mesh.radius[k]!;
            this.tubes.setMatrixAt(k, matrix.compose(a, turn, new THREE.Vector3(r, length, r)));
            this.tubes.setColorAt(k, stressColour(Math.max(this.share(i), this.share(j)), colour));
        }
        if (this.tubes) {
            this.tubes.instanceMatrix.needsUpdate = true;
            // its bounds are those of all tubes, not of the one they are made of
            this.tubes.boundingBox = this.tubes.boundingSphere = null;
            this.tubes.instanceColor!.needsUpdate = true;
        }
    }

    private paintSkin(): void {
        if (!this.skin) {
            return;
        }
        const position = this.skin.geometry.getAttribute("position") as THREE.BufferAttribute;
        const colours = this.skin.geometry.getAttribute("color") as THREE.BufferAttribute;
        const colour = new THREE.Color();
        for (let i = 0; i < this.stress.length; i++) {
            stressColour(this.share(i), colour).toArray(colours.array, 3 * i);
        }
        position.needsUpdate = true;
        colours.needsUpdate = true;
        this.skin.geometry.computeVertexNormals();
    }
}
