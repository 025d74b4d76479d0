// SPDX-License-Identifier: MIT
// Forces as arrows, and the regions where they act. Instanced: one draw call for all shafts, one for all tips, one for
// all contact regions.

import * as THREE from "three";
import { widthOf, type Arrow } from "../protocol.ts";

const ARROW = widthOf("arrows");

// Okabe and Ito's: colour-blind people tell them apart
export const ARROW_COLOURS: Record<string, string> = { tyre: "#00b386", contact: "#ff7f2a", joint: "#56b4e9", force: "#f0e442" };

export class Arrows {
    readonly root = new THREE.Group();
    private shafts: THREE.InstancedMesh;
    private tips: THREE.InstancedMesh;
    private regions: THREE.InstancedMesh;
    private kinds: string[];
    private capacity: number;
    private matrix = new THREE.Matrix4();
    private turn = new THREE.Quaternion();
    private scaleOf = new THREE.Vector3();
    private at = new THREE.Vector3();
    private force = new THREE.Vector3();
    /** forces in joints are many and inside: they are shown on request only */
    isShowingJoints = false;
    private static up = new THREE.Vector3(0, 1, 0);

    /** channels of the half lengths of a tyre's contact, along and across; null: it does not tell them */
    private ellipses: ([number, number] | null)[];
    private headings: { at: THREE.Vector3; angle: number }[];
    private about = new THREE.Quaternion();
    private static z = new THREE.Vector3(0, 0, 1);

    /** channels: names, in the order of the frames; length: of the machine, m; typical: a typical force, N */
    constructor(
        arrows: Arrow[],
        channels: readonly { name: string }[],
        private length: number,
        private typical: number,
    ) {
        const index = new Map(channels.map((channel, i) => [channel.name, i]));
        this.ellipses = arrows.map(({ name }) => {
            const along = index.get(`${name}.semi_x`);
            const across = index.get(`${name}.semi_y`);
            return along === undefined || across === undefined ? null : [along, across];
        });
        this.headings = arrows.map(() => ({ at: new THREE.Vector3(), angle: 0 }));
        this.kinds = arrows.map((arrow) => arrow.kind);
        this.capacity = Math.max(arrows.length, 1);
        const material = new THREE.MeshBasicMaterial({ toneMapped: false, fog: false, depthTest: false, transparent: true, opacity: 0.92 });
        // forces act inside wheels and joints: they are drawn over the machine
        const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
        const tip = new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0);
        const disc = new THREE.CircleGeometry(1, 28).rotateX(-Math.PI / 2);
        this.shafts = new THREE.InstancedMesh(shaft, material, this.capacity);
        this.tips = new THREE.InstancedMesh(tip, material, this.capacity);
        this.regions = new THREE.InstancedMesh(
            disc,
            new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.45, depthWrite: false, side: THREE.DoubleSide, toneMapped: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -8 }),
            this.capacity,
        );
        this.shafts.renderOrder = this.tips.renderOrder = 10;
        for (const mesh of [this.shafts, this.tips, this.regions]) {
            mesh.frustumCulled = false;
            mesh.count = 0;
            this.root.add(mesh);
            arrows.forEach((arrow, i) => mesh.setColorAt(i, new THREE.Color(ARROW_COLOURS[arrow.kind] ?? ARROW_COLOURS.force)));
        }
    }

    /** the arrows themselves, and the regions where forces act: those also without arrows */
    show(hasArrows: boolean, hasRegions: boolean): void {
        this.shafts.visible = this.tips.visible = hasArrows;
        this.regions.visible = hasArrows || hasRegions;
    }

    /** nothing, what acts from outside, everything: as many as make a difference */
    get levels(): number {
        const isJoint = this.kinds.map((kind) => kind === "joint");
        return isJoint.includes(true) && isJoint.includes(false) ? 3 : 2;
    }

    /** length of the arrow of a force, m */
    reachOf(force: number): number {
        return 0.42 * this.length * Math.sqrt(force / this.typical);
    }

    /** the force whose arrow is so long, N */
    forceOf(reach: number): number {
        return this.typical * (reach / (0.42 * this.length)) ** 2;
    }

    /** what is drawn now */
    get shownKinds(): string[] {
        return this.shafts.visible ? ["tyre", "contact", "joint"].filter((kind) => this.kinds.includes(kind) && (kind !== "joint" || this.isShowingJoints)) : [];
    }

    /** data: as in a frame, channels of the same. Nearly nothing is drawn as nothing. */
    update(data: Float32Array, channels: Float32Array): void {
        const n = Math.min(data.length / ARROW, this.capacity);
        const radius = 0.008 * this.length;
        for (let i = 0; i < n; i++) {
            const k = ARROW * i;
            this.at.set(data[k]!, data[k + 1]!, data[k + 2]!);
            this.force.set(data[k + 3]!, data[k + 4]!, data[k + 5]!);
            const size = this.force.length();
            // square root: a light and a heavy force can both be read
            const reach = Number.isFinite(size) ? this.reachOf(size) : 0;
            if (reach < 0.01 * this.length || (this.kinds[i] === "joint" && !this.isShowingJoints)) {
                this.hide(i);
                continue;
            }
            this.turn.setFromUnitVectors(Arrows.up, this.force.normalize());
            const head = Math.min(4.5 * radius, 0.5 * reach);
            this.put(this.shafts, i, radius, reach - head);
            this.at.addScaledVector(this.force, reach - head);
            this.put(this.tips, i, 2.6 * radius, head);
            this.at.addScaledVector(this.force, head - reach);
            const isRegion = this.kinds[i] === "contact" || this.kinds[i] === "tyre";
            const patch = isRegion ? Math.min(0.06 * this.length, 0.05 * this.length * Math.sqrt(size / this.typical)) : 0;
            // regions lie flat under a tyre and across the force elsewhere
            if (this.kinds[i] === "tyre") {
                this.turn.set(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
            }
            if (!this.putEllipse(i, channels)) {
                this.put(this.regions, i, patch, 1);
            }
        }
        for (const mesh of [this.shafts, this.tips, this.regions]) {
            mesh.count = n;
            mesh.instanceMatrix.needsUpdate = true;
        }
    }

    private put(mesh: THREE.InstancedMesh, i: number, radius: number, height: number): void {
        this.scaleOf.set(radius, height, radius);
        mesh.setMatrixAt(i, this.matrix.compose(this.at, this.turn, this.scaleOf));
    }

    /** the ellipse in which a tyre touches, in its true size; its long way is the way it rolls */
    private putEllipse(i: number, channels: Float32Array): boolean {
        const ellipse = this.ellipses[i];
        const along = ellipse ? (channels[ellipse[0]] ?? 0) : 0;
        const across = ellipse ? (channels[ellipse[1]] ?? 0) : 0;
        if (!(along > 0 && across > 0)) {
            return false;
        }
        const heading = this.headings[i]!;
        const dx = this.at.x - heading.at.x;
        const dy = this.at.y - heading.at.y;
        if (Math.hypot(dx, dy) > 0.01) {
            heading.angle = Math.atan2(dy, dx);
            heading.at.copy(this.at);
        }
        this.turn.premultiply(this.about.setFromAxisAngle(Arrows.z, heading.angle));
        this.scaleOf.set(along, 1, across);
        this.regions.setMatrixAt(i, this.matrix.compose(this.at, this.turn, this.scaleOf));
        return true;
    }

    private hide(i: number): void {
        this.matrix.makeScale(0, 0, 0);
        for (const mesh of [this.shafts, this.tips, this.regions]) {
            mesh.setMatrixAt(i, this.matrix);
        }
    }

    dispose(): void {
        this.root.removeFromParent();
        for (const mesh of [this.shafts, this.tips, this.regions]) {
            mesh.dispose();
            mesh.geometry.dispose();
        }
    }
}
