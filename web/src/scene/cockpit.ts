// SPDX-License-Identifier: MIT
// What a driver has in hand and before the eyes, seen from the seat only: a steering wheel that turns, levers that lean with their
// inputs, and in a car a dashboard with speed and revolutions.

import * as THREE from "three";
import type { Frame, SceneMessage } from "../protocol.ts";
import { Mirrors } from "../presence/mirrors.ts";
import { Readout } from "../presence/readout.ts";
import { makeMaterial } from "./materials.ts";

const X = new THREE.Vector3(1, 0, 0);
const DARK = { colour: "#1b1e22", roughness: 0.8 };
const TRIM = { colour: "#7d848b", roughness: 0.95 };
const PLASTIC = { colour: "#4a5057", roughness: 0.85 };
const GREY = { colour: "#4c5258", roughness: 0.6 };
const WHEEL_TURN = { truck: 4.2, car: 2.6 }; // rad at the end of the input
const LEVER_LEAN = 0.35; // rad
const SWEEP = 4.2; // rad from the least to the largest reading of a dial
const TOP_SPEED = 55; // m/s at the end of a dial whose channel has no `max`

type Kind = keyof typeof WHEEL_TURN;

/** moves one part by what a frame says */
type Follow = (frame: Frame) => void;

export class Cockpit {
    /** in the axes of the followed body */
    readonly root = new THREE.Group();
    readonly mirrors = new Mirrors();
    readonly readout: Readout;
    private followers: Follow[] = [];

    constructor(
        private scene: SceneMessage,
        kind: Kind,
        seat: THREE.Vector3,
        forward: THREE.Vector3,
    ) {
        this.root.name = "cockpit";
        this.root.position.copy(seat);
        this.root.quaternion.setFromUnitVectors(X, forward);
        this.readout = new Readout(scene, kind === "truck" ? 0.3 : 0.26);
        this.root.add(this.mirrors.root);
        if (kind === "truck") {
            this.addReadout([0.62, 0.36, -0.42], 0.4);
            // on the posts of the guard, turned to the driver
            this.mirrors.add([0.62, 0.58, -0.12], [0.15, 0.22], 0, 0.42);
            this.mirrors.add([0.62, -0.58, -0.12], [0.15, 0.22], 0.58, 1);
            this.addWheel(new THREE.Vector3(0.46, 0, -0.5), 0.17, -0.5, kind);
            ["lift", "tilt"].forEach((name, i) => this.addLever(name, new THREE.Vector3(0.5, -0.27 - 0.09 * i, -0.5), i === 0 ? "#c8102e" : "#20252b"));
            this.addBox([0.1, 0.34, 0.06], [0.52, -0.31, -0.6], DARK);
        } else {
            this.addWheel(new THREE.Vector3(0.44, 0, -0.25), 0.18, -1.1, kind);
            this.addReadout([0.66, -0.38, -0.2], 0.5);
            this.mirrors.add([0.66, -seat.y, 0.12], [0.24, 0.065], 0.18, 0.82);
            this.mirrors.add([0.72, -seat.y + 0.84, -0.17], [0.17, 0.1], 0, 0.36);
            this.mirrors.add([0.72, -seat.y - 0.84, -0.17], [0.17, 0.1], 0.64, 1);
            // the frame of the windscreen
            for (const side of [1, -1]) {
                const pillar = this.addBox([0.66, 0.05, 0.05], [0.52, -seat.y + 0.66 * side, 0.02], PLASTIC);
                pillar.rotation.y = 0.62;
            }
            this.addBox([0.1, 1.34, 0.04], [0.26, -seat.y, 0.24], PLASTIC);
            this.addBox([0.3, 1.3, 0.16], [0.8, -seat.y, -0.33], PLASTIC);
            // below it: instead of the inside of the body's sheets
            this.addBox([1.3, 1.36, 0.02], [0.05, -seat.y, -0.31], TRIM);
            this.addBox([0.14, 0.38, 0.15], [0.68, 0, -0.22], PLASTIC);
            // doors, up to the windows
            for (const side of [1, -1]) {
                this.addBox([1.5, 0.05, 0.5], [0.1, -seat.y + 0.68 * side, -0.44], TRIM);
                this.addBox([1.5, 0.07, 0.025], [0.1, -seat.y + 0.68 * side, -0.18], PLASTIC);
            }
            this.addDial("speed", 0.085);
            this.addDial("bar", -0.085);
        }
    }

    update(frame: Frame): void {
        this.followers.forEach((follow) => follow(frame));
        this.readout.update(frame);
    }

    dispose(): void {
        this.root.removeFromParent();
        this.mirrors.dispose();
        this.readout.dispose();
    }

    /** lean: of its face, backwards */
    private addReadout(at: [number, number, number], lean: number): void {
        if (!this.readout.isEmpty) {
            const { mesh } = this.readout;
            mesh.position.set(...at);
            // its face looks at the driver, its text runs to the right
            mesh.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(new THREE.Vector3(0, -1, 0), new THREE.Vector3(Math.sin(lean), 0, Math.cos(lean)), new THREE.Vector3(-Math.cos(lean), 0, Math.sin(lean))));
            this.root.add(mesh);
        }
    }

    private addBox(size: [number, number, number], at: [number, number, number], look: { colour: string; roughness: number }): THREE.Mesh {
        const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), makeMaterial(look));
        mesh.position.set(...at);
        this.root.add(mesh);
        return mesh;
    }

    /** value of an input, -1 to 1; 0: there is none of this name */
    private input(name: string): (frame: Frame) => number {
        const index = this.scene.inputs.findIndex((input) => input.name === name || input.name.endsWith(`_${name}`));
        const most = index < 0 ? 1 : Math.max(Math.abs(this.scene.inputs[index]!.min ?? 1), Math.abs(this.scene.inputs[index]!.max ?? 1));
        const scale = Number.isFinite(most) && most > 0 ? most : 1;
        return (frame) => (index < 0 ? 0 : (frame.inputs[index] ?? 0) / scale);
    }

    /** lean: of its axis from the vertical, backwards */
    private addWheel(at: THREE.Vector3, radius: number, lean: number, kind: Kind): void {
        const holder = new THREE.Group();
        holder.position.copy(at);
        holder.rotation.y = lean;
        const wheel = new THREE.Group();
        const rim = makeMaterial(DARK);
        wheel.add(new THREE.Mesh(new THREE.TorusGeometry(radius, 0.014, 8, 36), rim));
        for (let k = 0; k < 3; k++) {
            const spoke = new THREE.Mesh(new THREE.BoxGeometry(radius, 0.03, 0.012), makeMaterial(GREY));
            const angle = Math.PI + (k * 2 * Math.PI) / 3; // one of them down
            spoke.position.set((radius / 2) * Math.cos(angle), (radius / 2) * Math.sin(angle), -0.01);
            spoke.rotation.z = angle;
            wheel.add(spoke);
        }
        wheel.add(new THREE.Mesh(new THREE.CylinderGeometry(0.045, 0.045, 0.04, 16).rotateX(Math.PI / 2), rim));
        if (kind === "truck") {
            const knob = new THREE.Mesh(new THREE.SphereGeometry(0.028, 12, 8), rim);
            knob.position.set(0, radius, 0.03);
            wheel.add(knob);
        }
        const column = new THREE.Mesh(new THREE.CylinderGeometry(0.03, 0.035, 0.4, 12).rotateX(Math.PI / 2), makeMaterial(GREY));
        column.position.z = -0.21;
        holder.add(wheel, column);
        this.root.add(holder);
        const steer = this.input(this.scene.inputs.some(({ name }) => name === "steer") ? "steer" : "wheel");
        this.followers.push((frame) => (wheel.rotation.z = WHEEL_TURN[kind] * steer(frame)));
    }

    private addLever(name: string, at: THREE.Vector3, colour: string): void {
        const lever = new THREE.Group();
        lever.position.copy(at).add(new THREE.Vector3(0, 0, -0.08));
        const stick = new THREE.Mesh(new THREE.CylinderGeometry(0.008, 0.01, 0.18, 10).rotateX(Math.PI / 2), makeMaterial(GREY));
        stick.position.z = 0.09;
        const ball = new THREE.Mesh(new THREE.SphereGeometry(0.026, 14, 10), makeMaterial({ colour, roughness: 0.4 }));
        ball.position.z = 0.19;
        lever.add(stick, ball);
        this.root.add(lever);
        const value = this.input(name);
        // towards the driver lifts, as on the machine
        this.followers.push((frame) => (lever.rotation.y = -LEVER_LEAN * value(frame)));
    }

    /** a round instrument for the first reading of the display that has this kind */
    private addDial(kind: "speed" | "bar", aside: number): void {
        const item = this.scene.hud?.find((one) => (one.kind ?? "bar") === kind && one.channel);
        const index = item ? this.scene.channels.findIndex((channel) => channel.name === item.channel) : -1;
        if (!item || index < 0) {
            return;
        }
        const dial = new THREE.Group();
        dial.position.set(0.6, aside, -0.21);
        // its face looks at the driver
        dial.rotation.set(0, -Math.PI / 2 + 0.25, 0);
        const face = new THREE.Mesh(new THREE.CircleGeometry(0.07, 32), makeMaterial({ colour: "#0c0e10", roughness: 1 }));
        const ring = new THREE.Mesh(new THREE.TorusGeometry(0.07, 0.004, 6, 36), makeMaterial({ colour: "#c9d0d6", roughness: 0.4 }));
        const needle = new THREE.Group();
        const hand = new THREE.Mesh(new THREE.BoxGeometry(0.058, 0.005, 0.003), makeMaterial({ colour: "#ff6a3d", roughness: 0.6 }));
        hand.position.set(0.026, 0, 0.005);
        needle.add(hand);
        dial.add(face, ring, needle);
        for (let k = 0; k <= 6; k++) {
            const angle = -SWEEP / 2 + (k * SWEEP) / 6;
            const tick = new THREE.Mesh(new THREE.BoxGeometry(0.012, 0.003, 0.002), makeMaterial({ colour: "#e9edf0", roughness: 0.8 }));
            tick.position.set(0.058 * Math.cos(angle), 0.058 * Math.sin(angle), 0.002);
            tick.rotation.z = angle;
            dial.add(tick);
        }
        this.root.add(dial);
        const most = Number(item.max) > 0 ? Number(item.max) : TOP_SPEED;
        this.followers.push((frame) => {
            const part = Math.min(1, Math.abs(frame.channels[index] ?? 0) / most);
            needle.rotation.z = needleAngle(part);
        });
    }
}

/** the least reading is at the lower left as the driver sees it, the largest at the lower right */
function needleAngle(part: number): number {
    return SWEEP / 2 - part * SWEEP;
}
