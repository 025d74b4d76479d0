// SPDX-License-Identifier: MIT
// A make-believe forklift for tests of the page: rear steering by geometry, no dynamics. The real one is models/forklift.

import type { Arrow, InsideMessage, SceneMessage, Shape, Vec3 } from "../../src/protocol.ts";

const WHEELBASE = 1.8;
const HALF_TRACK = 0.5;

export interface State {
    x: number;
    y: number;
    yaw: number;
    speed: number;
    lift: number;
    tilt: number;
    steer: number;
    roll: number; // angle that the wheels have turned
}

export const START: State = { x: 0, y: 0, yaw: 0, speed: 0, lift: 0.15, tilt: 0, steer: 0, roll: 0 };

export const INPUTS = ["steer", "drive", "lift", "tilt"];
export type Inputs = Record<string, number>;

/** One step; positive steering turns to the left, so the rear wheels go to the right. */
export function advance(s: State, inputs: Inputs, dt: number): State {
    const clamp = (x: number, a: number, b: number) => Math.min(b, Math.max(a, x));
    const wanted = (inputs.drive ?? 0) * 5.5;
    const speed = s.speed + clamp(wanted - s.speed, -3 * dt, 2 * dt);
    const steer = s.steer + clamp((inputs.steer ?? 0) * 1.2 - s.steer, -2 * dt, 2 * dt);
    return {
        x: s.x + speed * Math.cos(s.yaw) * dt,
        y: s.y + speed * Math.sin(s.yaw) * dt,
        yaw: s.yaw + (speed * Math.tan(steer) * dt) / WHEELBASE,
        speed,
        lift: clamp(s.lift + (inputs.lift ?? 0) * 0.5 * dt, 0.07, 3.05),
        tilt: clamp(s.tilt + (inputs.tilt ?? 0) * 0.12 * dt, -0.14, 0.087),
        steer,
        roll: s.roll + (speed * dt) / 0.33,
    };
}

type Quat = [number, number, number, number];

function multiply(a: Quat, b: Quat): Quat {
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
}

const turn = (axis: 1 | 2 | 3, angle: number): Quat => {
    const q: Quat = [Math.cos(angle / 2), 0, 0, 0];
    q[axis] = Math.sin(angle / 2);
    return q;
};

/** poses of all bodies, 7 numbers each */
export function poses(s: State): Float32Array {
    const out: number[] = [];
    const yaw = turn(3, s.yaw);
    const put = (at: Vec3, q: Quat) => out.push(...at, ...q);
    const world = ([x, y, z]: Vec3): Vec3 => [s.x + x * Math.cos(s.yaw) - y * Math.sin(s.yaw), s.y + x * Math.sin(s.yaw) + y * Math.cos(s.yaw), z];
    put(world([0, 0, 0]), yaw); // chassis, origin on the ground below the front axle
    const mast = multiply(yaw, turn(2, s.tilt));
    put(world([0.35, 0, 0.35]), mast);
    const up = (d: number): Vec3 => world([0.35 + d * Math.sin(s.tilt), 0, 0.35 + d * Math.cos(s.tilt)]);
    put(up(s.lift / 2), mast); // inner mast: half of the lift
    put(up(s.lift - 0.35), mast); // carriage and forks
    for (const side of [1, -1]) {
        put(world([0, side * HALF_TRACK, 0.33]), multiply(yaw, turn(2, s.roll)));
    }
    for (const side of [1, -1]) {
        put(world([-WHEELBASE, side * 0.466, 0.27]), multiply(multiply(yaw, turn(3, -s.steer)), turn(2, s.roll * 1.2)));
    }
    put([4.5, 0, 0], turn(3, Math.PI / 2));
    put([7, -3.2, 0], turn(3, 0.2));
    put([6, 3.4, 0], turn(3, 0));
    return new Float32Array(out);
}

export function channels(s: State): Float32Array {
    const lateral = (s.speed * s.speed * Math.tan(s.steer)) / WHEELBASE / 9.81;
    const margin = 1 - Math.min(1.2, Math.abs(lateral) * (1.1 + s.lift * 0.3) * 1.4);
    const front = 10050;
    const rear = 12900;
    const shift = lateral * 9000;
    return new Float32Array([s.speed, s.lift, s.tilt, margin, front - shift, front + shift, rear - shift, rear + shift, s.x, s.y, s.yaw]);
}

export function arrows(s: State): Float32Array {
    const c = channels(s);
    const out: number[] = [];
    const wheels: Vec3[] = [[0, 0.5, 0], [0, -0.5, 0], [-WHEELBASE, 0.466, 0], [-WHEELBASE, -0.466, 0]];
    wheels.forEach(([x, y], i) => {
        out.push(s.x + x * Math.cos(s.yaw) - y * Math.sin(s.yaw), s.y + x * Math.sin(s.yaw) + y * Math.cos(s.yaw), 0, 0, 0, Math.max(0, c[4 + i]!));
    });
    for (const [x, y] of [[4, 0.5], [5, 0.5], [4, -0.5], [5, -0.5]] as const) {
        out.push(x, y, 0, 0, 0, 70);
    }
    return new Float32Array(out);
}

const BODIES = ["chassis", "mast", "inner-mast", "forks", "wheel-fl", "wheel-fr", "wheel-rl", "wheel-rr", "pallet", "loaded-pallet", "virola"];

export function scene(parameters: Record<string, number>): SceneMessage {
    return {
        type: "scene",
        protocol: 1,
        version: "mock",
        model: "forklift",
        title: "Forklift (mock)",
        hash: "0",
        dt: 0.005,
        t: 0,
        gravity: [0, 0, -9.81],
        bodies: BODIES,
        shapes: shapes(),
        struts: [{ name: "tilt", type: "cylinder", bodies: [0, 1], points: [[-0.4, 0.4, 0.7], [0, 0.4, 0.4]], radius: 0.04 }],
        looks: [],
        links: [],
        flexible: [],
        channels: [
            { name: "speed", unit: "m/s" },
            { name: "lift.height", unit: "m" },
            { name: "tilt.angle", unit: "rad" },
            { name: "stability.margin", unit: "" },
            ...["fl", "fr", "rl", "rr"].map((wheel) => ({ name: `load.${wheel}`, unit: "N" })),
            { name: "x", unit: "m" },
            { name: "y", unit: "m" },
            { name: "yaw", unit: "rad" },
        ],
        inputs: INPUTS.map((name) => ({ name, initial: 0, min: -1, max: 1, unit: "", help: `${name} of the machine` })),
        parameters: [
            { name: "load", value: parameters.load ?? 1500, unit: "kg", help: "mass of the load on the pallet", min: null, max: null, computed: false },
            { name: "mu", value: parameters.mu ?? 0.8, unit: "", help: "friction of the tyres", min: null, max: null, computed: false },
            { name: "g", value: parameters.g ?? 9.81, unit: "m/s2", help: "gravity", min: null, max: null, computed: false },
        ],
        runs: ["drive", "hydraulic"],
        kind: "drive",
        run: "drive",
        arrows: [...["fl", "fr", "rl", "rr"].map((name): Arrow => ({ name, kind: "tyre" })), ...[1, 2, 3, 4].map((k): Arrow => ({ name: `pallet${k}`, kind: "contact" }))],
        hud: [
            { kind: "speed", channel: "speed", min: 0, max: 6, warn: 5 },
            { kind: "height", channel: "lift.height", min: 0, max: 3.05 },
            { kind: "angle", channel: "tilt.angle" },
            { kind: "margin", channel: "stability.margin", min: 0, max: 1, warn: 0.15 },
            { kind: "wheel-loads", channels: ["load.fl", "load.fr", "load.rl", "load.rr"], max: 22000 },
        ],
        scenery: "floor",
        view: { body: "chassis", seat: [-1.05, 0, 1.72], forward: [1, 0, 0] },
        exercises: [{ name: "slalom", title: "Slalom" }],
    };
}

/** two wheels on an axle, one of them held twice */
export function inside(): InsideMessage {
    return {
        type: "inside",
        entities: [
            { name: "hub", vector: false, role: "variable", body: 4, at: [0, 0, 0], shares: [0, 4] },
            { name: "axle", vector: true, role: "constant", body: 4, at: [0, 0, 0], along: [0, 1, 0], shares: [0, 4, 5] },
            { name: "seat", vector: false, role: "named", body: 0, at: [-1.05, 0, 1.2], shares: [0] },
        ],
        joints: [
            { name: "left", kind: "revolute", a: 0, b: 4, at_a: [0, HALF_TRACK, 0.33], at: [0, 0, 0], axis: [0, 1, 0], variables: 1, redundant: 0, shared: true },
            { name: "right", kind: "revolute", a: 0, b: 5, at_a: [0, -HALF_TRACK, 0.33], at: [0, 0, 0], axis: [0, 1, 0], variables: 1, redundant: 2, shared: true },
        ],
        masses: [{ body: 0, mass: 3000, at: [-0.9, 0, 0.6], quaternion: [1, 0, 0, 0], half_axes: [1.2, 0.6, 0.5] }],
        constraints: [{ name: "gear", kind: "coupling", redundant: 0, shared: false }],
        touches: [{ shape: shapes().find((shape) => shape.name === "drum")!, element: "ground-drum" }],
        forces: [],
        redundant: 2,
    };
}

function shapes(): Shape[] {
    const list: Shape[] = [];
    const add = (body: string, type: Shape["type"], at: Vec3, size: number[], colour: string, quaternion: Quat = [1, 0, 0, 0], name = `${body}-${list.length}`) =>
        list.push({ name, body: BODIES.indexOf(body), type, at, quaternion, size, colour });
    const red = "#c8381f";
    const dark = "#2d3135";
    const steel = "#50565b";
    add("chassis", "box", [-0.85, 0, 0.55], [1.9, 0.98, 0.45], red);
    add("chassis", "box", [-1.95, 0, 0.72], [0.75, 1.15, 0.85], red); // counterweight
    add("chassis", "box", [-2.2, 0, 0.95], [0.3, 0.98, 0.3], dark);
    add("chassis", "box", [-1.5, 0, 0.95], [0.9, 0.9, 0.36], dark);
    add("chassis", "box", [-1.12, 0, 1.12], [0.5, 0.52, 0.12], "#1c1e20"); // seat
    add("chassis", "box", [-1.38, 0, 1.4], [0.12, 0.5, 0.5], "#1c1e20");
    for (const side of [1, -1]) {
        add("chassis", "box", [-0.2, side * 0.52, 1.35], [0.09, 0.07, 1.66], dark, turn(2, -0.16));
        add("chassis", "box", [-1.75, side * 0.52, 1.62], [0.09, 0.07, 1.2], dark, turn(2, 0.06));
        add("chassis", "box", [0.02, side * 0.5, 0.72], [0.8, 0.2, 0.06], red); // mudguard
    }
    add("chassis", "box", [-0.93, 0, 2.18], [1.62, 1.1, 0.06], dark);
    for (let k = 0; k < 6; k++) {
        add("chassis", "box", [-1.55 + 0.25 * k, 0, 2.22], [0.04, 1.05, 0.03], steel);
    }
    add("chassis", "cylinder", [-0.5, 0, 1.08], [0.19, 0.03], "#15171a", turn(2, -0.5)); // steering wheel
    for (const side of [1, -1]) {
        add("mast", "box", [0, side * 0.34, 0.8], [0.14, 0.08, 2.15], steel);
        add("inner-mast", "box", [0.02, side * 0.27, 0.8], [0.1, 0.06, 2.1], "#6a7177");
        add("forks", "box", [0.17, side * 0.3, 0.32], [0.05, 0.12, 0.62], "#1f2224");
        add("forks", "box", [0.69, side * 0.3, 0.03], [1.05, 0.12, 0.045], "#1f2224");
    }
    for (const z of [-0.1, 1.82]) {
        add("mast", "box", [-0.02, 0, z], [0.1, 0.72, 0.1], steel);
    }
    add("inner-mast", "box", [0.02, 0, 1.8], [0.09, 0.56, 0.08], "#6a7177");
    for (const z of [0.12, 0.52]) {
        add("forks", "box", [0.12, 0, z], [0.06, 1.15, 0.1], steel);
    }
    const wheel: Quat = turn(1, Math.PI / 2);
    for (const name of ["wheel-fl", "wheel-fr"]) {
        add(name, "cylinder", [0, 0, 0], [0.33, 0.22], "#232426", wheel, name);
    }
    for (const name of ["wheel-rl", "wheel-rr"]) {
        add(name, "cylinder", [0, 0, 0], [0.27, 0.18], "#232426", wheel, name);
    }
    for (const body of ["pallet", "loaded-pallet"]) {
        for (let k = 0; k < 5; k++) {
            add(body, "box", [0, -0.42 + 0.21 * k, 0.135], [1.2, 0.13, 0.022], "#c39a63");
        }
        for (const x of [-0.53, 0, 0.53]) {
            add(body, "box", [x, 0, 0.06], [0.12, 1.0, 0.1], "#b0854f");
        }
    }
    add("loaded-pallet", "box", [0, 0, 0.66], [1.1, 0.95, 1.0], "#3e7aa6");
    add("virola", "cylinder", [0, 0, 0.5], [0.5, 1.0], "#8d9499", [1, 0, 0, 0], "drum");
    return list;
}
