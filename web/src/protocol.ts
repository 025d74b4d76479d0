// SPDX-License-Identifier: MIT
// What server and page say to each other: types of the messages, and the reader of binary frames.
// The description is docs/reference/protocol.md.

export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number]; // w x y z

export interface Shape {
    name: string;
    body: number; // index, -1 is the ground
    type: "box" | "sphere" | "cylinder" | "capsule" | "torus" | "plane" | "mesh" | "field";
    at: Vec3;
    quaternion: Quaternion;
    size: number[];
    mesh?: number;
    colour?: string;
    opacity?: number;
}

export interface Link {
    body: number;
    points: Vec3[];
}

/** a body with a mesh: its bytes are at flex/BODY, its amplitudes at `first` of those of a frame */
export interface Flexible {
    body: number;
    first: number;
    modes: number;
}

export interface Channel {
    name: string;
    unit: string;
}

export interface Input {
    name: string;
    initial: number;
    min?: number | null;
    max?: number | null;
    help?: string;
    sign?: number;
}

export interface Parameter {
    name: string;
    value: number;
    unit?: string;
    help?: string;
}

export type HudKind = "number" | "bar" | "wheel-loads" | "margin" | "angle" | "height" | "speed" | "gear";

export interface HudItem {
    channel?: string;
    channels?: string[];
    label?: string;
    unit?: string;
    min?: number;
    max?: number;
    warn?: number;
    near?: number;
    warn_when?: "above" | "below";
    sign?: number;
    kind?: HudKind;
}

export interface SceneMessage {
    type: "scene";
    protocol: number;
    version: string;
    model: string;
    title: string;
    hash: string;
    dt: number;
    t: number;
    gravity: Vec3;
    bodies: string[];
    shapes: Shape[];
    links?: Link[];
    flexible?: Flexible[];
    channels: Channel[];
    inputs: Input[];
    parameters: Parameter[];
    runs: string[];
    run: string;
    arrows: { name: string; kind: string }[];
    hud?: HudItem[] | { items?: HudItem[] } | null;
    scenery?: string;
    view?: { body?: string; seat?: Vec3; forward?: Vec3 } | null;
    exercises?: { name: string; title: string }[];
    controls?: Record<string, { keys?: string[]; sign?: number; stays?: boolean }> | null;
    live_modes?: object | null;
}

export interface RoleMessage {
    type: "role";
    driver: boolean;
    viewers: number;
}

export interface EventMessage {
    type: "event";
    t: number;
    name: string;
    text: string;
}

/** what the run thinks of itself up to the instant shown; line: the worst judgement in words, when it is not good */
export interface Verdict {
    outcome: "good" | "doubtful" | "bad";
    line?: string;
}

export interface ReportMessage {
    type: "report";
    steps: number;
    worst_us: number;
    mean_us: number;
    misses: number;
    factor: number;
    histogram?: number[];
    rooms?: Record<string, number>;
    verdict?: Verdict;
}

export interface TimelineMessage {
    type: "timeline";
    begin: number;
    end: number;
    now: number;
    branch: number;
    recording: string;
}

export interface ExerciseMark {
    kind: "gate" | "line" | "zone" | "cone";
    at: Vec3;
    size: number[];
    angle?: number;
    done?: boolean;
}

export interface ExerciseMessage {
    type: "exercise";
    name: string;
    title: string;
    text: string;
    state: "ready" | "running" | "passed" | "failed";
    time: number;
    limit?: number;
    score?: number;
    goals?: { text: string; done: boolean }[];
    limits?: { text: string; value: number; max: number; broken: boolean }[];
    marks?: ExerciseMark[];
    report?: string;
}

export interface ErrorMessage {
    type: "error";
    text: string;
}

/** eigenvalues of the steady motion at these values of parameters; none: there is no steady motion */
export interface ModesMessage {
    type: "modes";
    at: Record<string, number>;
    eigenvalues: [number, number][];
}

export type ServerMessage =
    | SceneMessage
    | ModesMessage
    | RoleMessage
    | EventMessage
    | ReportMessage
    | TimelineMessage
    | ExerciseMessage
    | ErrorMessage;

export type ClientMessage =
    | { type: "ack"; frame: number }
    | { type: "inputs"; values: Record<string, number> }
    | { type: "pause" | "play" | "take" | "driver" }
    | { type: "step"; n: number }
    | { type: "speed"; value: number }
    | { type: "seek"; t: number }
    | { type: "restart"; set?: Record<string, number>; run?: string }
    | { type: "ghost" | "arrows"; on: boolean }
    | { type: "exercise"; name: string };

export const FRAME_MAGIC = 0x31464942; // "BIF1"
export const POSE = 7; // numbers per pose: position, quaternion w x y z
export const ARROW = 6; // numbers per arrow: point, force

export const FLAG = { paused: 1, rewound: 2, ghost: 4, ended: 8, stale: 16 } as const;

export interface Frame {
    number: number;
    t: number;
    asked: number; // speed factor
    reached: number; // speed factor
    flags: number;
    poses: Float32Array; // POSE per body
    channels: Float32Array;
    arrows: Float32Array; // ARROW per arrow, N, ground axes
    inputs: Float32Array;
    ghost: Float32Array; // POSE per body, or empty
    modes: Float32Array; // amplitudes of flexible bodies, m; empty when there are none
}

/** Reads one binary frame; null when it is cut short, too long or not a frame. */
export function decodeFrame(data: ArrayBuffer): Frame | null {
    const view = new DataView(data);
    if (data.byteLength < 28 || view.getUint32(0, true) !== FRAME_MAGIC) {
        return null;
    }
    let at = 28;
    // a block is a count and that many records; the whole block must lie within the message
    const block = (size: number): Float32Array | null => {
        if (at + 4 > data.byteLength) {
            return null;
        }
        const n = view.getUint32(at, true) * size;
        at += 4;
        if (at + 4 * n > data.byteLength) {
            return null;
        }
        const values = new Float32Array(n);
        for (let i = 0; i < n; i++) {
            values[i] = view.getFloat32(at + 4 * i, true);
        }
        at += 4 * n;
        return values;
    };
    const poses = block(POSE);
    const channels = poses && block(1);
    const arrows = channels && block(ARROW);
    const inputs = arrows && block(1);
    const ghost = inputs && block(POSE);
    // only models with flexible bodies send this block, and never an empty one
    const hasModes = ghost !== null && at < data.byteLength;
    const modes = hasModes ? block(1) : new Float32Array(0);
    if (!poses || !channels || !arrows || !inputs || !ghost || !modes || at !== data.byteLength || (hasModes && modes.length === 0)) {
        return null;
    }
    return {
        number: view.getUint32(4, true),
        t: view.getFloat64(8, true),
        asked: view.getFloat32(16, true),
        reached: view.getFloat32(20, true),
        flags: view.getUint32(24, true),
        poses,
        channels,
        arrows,
        inputs,
        ghost,
        modes,
    };
}

/** Writes a frame as the server does; the mock server and the tests use it. */
export function encodeFrame(frame: Frame): ArrayBuffer {
    const blocks: [Float32Array, number][] = [
        [frame.poses, POSE],
        [frame.channels, 1],
        [frame.arrows, ARROW],
        [frame.inputs, 1],
        [frame.ghost, POSE],
    ];
    if (frame.modes.length > 0) {
        blocks.push([frame.modes, 1]);
    }
    const length = blocks.reduce((sum, [values]) => sum + 4 + 4 * values.length, 28);
    const data = new ArrayBuffer(length);
    const view = new DataView(data);
    view.setUint32(0, FRAME_MAGIC, true);
    view.setUint32(4, frame.number, true);
    view.setFloat64(8, frame.t, true);
    view.setFloat32(16, frame.asked, true);
    view.setFloat32(20, frame.reached, true);
    view.setUint32(24, frame.flags, true);
    let at = 28;
    for (const [values, size] of blocks) {
        view.setUint32(at, values.length / size, true);
        at += 4;
        for (const value of values) {
            view.setFloat32(at, value, true);
            at += 4;
        }
    }
    return data;
}

const TYPES = new Set(["scene", "role", "event", "report", "timeline", "exercise", "modes", "error"]);

/** Reads a text message; null when it is not one of ours (a newer server may say more than we know). */
export function decodeText(text: string): ServerMessage | null {
    let message: unknown;
    try {
        message = JSON.parse(text);
    } catch {
        return null;
    }
    if (typeof message !== "object" || message === null || !TYPES.has((message as { type: string }).type)) {
        return null;
    }
    return message as ServerMessage;
}

/** The entries of the head-up display, whichever way the model gives them. */
export function hudItems(scene: SceneMessage): HudItem[] {
    const hud = scene.hud;
    if (!hud) {
        return [];
    }
    const items = Array.isArray(hud) ? hud : (hud.items ?? []);
    // the file's numbers may arrive as text
    const number = (value: unknown) => (value === undefined || value === null || !Number.isFinite(Number(value)) ? undefined : Number(value));
    return items.map((item) => ({ ...item, min: number(item.min), max: number(item.max), warn: number(item.warn) }));
}
