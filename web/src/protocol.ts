// SPDX-License-Identifier: MIT
// The reader of messages and frames. What they hold is in messages.ts, which is made from app/live/messages.txt.

import { FRAME_BLOCKS, FRAME_HEAD, FRAME_MAGIC, SERVER_MESSAGES, type Frame, type HudEntry, type Input, type SceneMessage, type ServerMessage } from "./messages.ts";

export * from "./messages.ts";

export type Vec3 = [number, number, number];

/** an input with the page's own sign: -1 where the model's is the other one */
export type DriverInput = Input & { sign?: number; place?: number }; // place: among the inputs of a frame, where others are left out

/** a reading whose numbers are numbers */
export type HudItem = Omit<HudEntry, Limit> & Partial<Record<Limit, number>>;
type Limit = "min" | "max" | "warn" | "near" | "sign";

const BYTES = { u32: 4, f32: 4, f64: 8 } as const;
const HEAD_BYTES = FRAME_HEAD.reduce((sum: number, [, kind]) => sum + BYTES[kind], 4);

type Head = Pick<Frame, (typeof FRAME_HEAD)[number][0]>;
type Blocks = Pick<Frame, (typeof FRAME_BLOCKS)[number][0]>;

/** f32 of each record of a block */
export function widthOf(block: keyof Blocks): number {
    return FRAME_BLOCKS.find(([name]) => name === block)![1];
}

function decodeHead(view: DataView): Head {
    const head = {} as Head;
    let at = 4;
    for (const [name, kind] of FRAME_HEAD) {
        head[name] = kind === "u32" ? view.getUint32(at, true) : kind === "f32" ? view.getFloat32(at, true) : view.getFloat64(at, true);
        at += BYTES[kind];
    }
    return head;
}

/** Reads one binary frame; null when it is cut short, too long or not a frame. */
export function decodeFrame(data: ArrayBuffer): Frame | null {
    const view = new DataView(data);
    if (data.byteLength < HEAD_BYTES || view.getUint32(0, true) !== FRAME_MAGIC) {
        return null;
    }
    let at = HEAD_BYTES;
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
    const blocks = {} as Blocks;
    for (const [name, width, isOptional] of FRAME_BLOCKS) {
        // one that may be left out is never empty
        const isLeftOut = isOptional && at === data.byteLength;
        const values = isLeftOut ? new Float32Array(0) : block(width);
        if (!values || (isOptional && !isLeftOut && values.length === 0)) {
            return null;
        }
        blocks[name] = values;
    }
    return at === data.byteLength ? { ...decodeHead(view), ...blocks } : null;
}

/** Writes a frame as the server does; the mock server and the tests use it. */
export function encodeFrame(frame: Frame): ArrayBuffer {
    const blocks = FRAME_BLOCKS.filter(([name, , isOptional]) => !isOptional || frame[name].length > 0);
    const length = blocks.reduce((sum, [name]) => sum + 4 + 4 * frame[name].length, HEAD_BYTES);
    const data = new ArrayBuffer(length);
    const view = new DataView(data);
    view.setUint32(0, FRAME_MAGIC, true);
    let at = 4;
    for (const [name, kind] of FRAME_HEAD) {
        if (kind === "u32") {
            view.setUint32(at, frame[name], true);
        } else if (kind === "f32") {
            view.setFloat32(at, frame[name], true);
        } else {
            view.setFloat64(at, frame[name], true);
        }
        at += BYTES[kind];
    }
    for (const [name, width] of blocks) {
        view.setUint32(at, frame[name].length / width, true);
        at += 4;
        for (const value of frame[name]) {
            view.setFloat32(at, value, true);
            at += 4;
        }
    }
    return data;
}

/** Reads a text message; null when it is not one of ours (a newer server may say more than we know). */
export function decodeText(text: string): ServerMessage | null {
    let message: unknown;
    try {
        message = JSON.parse(text);
    } catch {
        return null;
    }
    if (typeof message !== "object" || message === null || !SERVER_MESSAGES.includes((message as ServerMessage).type)) {
        return null;
    }
    return message as ServerMessage;
}

/** Inputs that are the driver's; the others belong to the instructor. */
export function driverInputs(scene: SceneMessage): DriverInput[] {
    const { wet, shift, ice = [], barrier = [] } = scene.instructor ?? {};
    const his = new Set([wet, shift, ...ice.flat(), ...barrier.flat()]);
    return scene.inputs.map((input, place) => ({ ...input, place })).filter((input) => !his.has(input.name));
}

/** The entries of the head-up display; the file's numbers may be expressions, which nobody here reads. */
export function hudItems(scene: SceneMessage): HudItem[] {
    const number = (value: unknown) => (value === undefined || value === null || !Number.isFinite(Number(value)) ? undefined : Number(value));
    const limits = (item: HudEntry) => ({ min: number(item.min), max: number(item.max), warn: number(item.warn), near: number(item.near), sign: number(item.sign) });
    return (scene.hud ?? []).map((item) => ({ ...item, ...limits(item) }));
}
