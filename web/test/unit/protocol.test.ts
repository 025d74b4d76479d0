// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { decodeFrame, decodeText, encodeFrame, hudItems, type Frame, type SceneMessage } from "../../src/protocol.ts";

/** A frame byte by byte as docs/reference/protocol.md says, without our own writer. */
function handmade(): Buffer {
    const parts: Buffer[] = [];
    const u32 = (x: number) => { const b = Buffer.alloc(4); b.writeUInt32LE(x); parts.push(b); };
    const f32 = (x: number) => { const b = Buffer.alloc(4); b.writeFloatLE(x); parts.push(b); };
    const f64 = (x: number) => { const b = Buffer.alloc(8); b.writeDoubleLE(x); parts.push(b); };
    parts.push(Buffer.from("BIF1"));
    u32(42);
    f64(1.25);
    f32(0.5);
    f32(0.25);
    u32(1 + 4);
    u32(1);
    [1, 2, 3, 1, 0, 0, 0].forEach(f32);
    u32(2);
    [7, 8].forEach(f32);
    u32(1);
    [0, 0, 0, 10, 20, 30].forEach(f32);
    u32(3);
    [-1, 0, 1].forEach(f32);
    u32(1);
    [4, 5, 6, 1, 0, 0, 0].forEach(f32);
    return Buffer.concat(parts);
}

const bytes = (buffer: Buffer): ArrayBuffer => new Uint8Array(buffer).buffer as ArrayBuffer;

test("a frame is read as the protocol page describes it", () => {
    const frame = decodeFrame(bytes(handmade()))!;
    assert.equal(frame.number, 42);
    assert.equal(frame.t, 1.25);
    assert.equal(frame.asked, 0.5);
    assert.equal(frame.reached, 0.25);
    assert.equal(frame.flags, 5);
    assert.deepEqual([...frame.poses], [1, 2, 3, 1, 0, 0, 0]);
    assert.deepEqual([...frame.channels], [7, 8]);
    assert.deepEqual([...frame.arrows], [0, 0, 0, 10, 20, 30]);
    assert.deepEqual([...frame.inputs], [-1, 0, 1]);
    assert.deepEqual([...frame.ghost], [4, 5, 6, 1, 0, 0, 0]);
});

test("a frame cut at any byte is refused", () => {
    const whole = handmade();
    for (let n = 0; n < whole.length; n++) {
        assert.equal(decodeFrame(bytes(whole.subarray(0, n))), null, `${n} bytes`);
    }
});

test("bytes after the end, a wrong magic number and an absurd count are refused", () => {
    const whole = handmade();
    assert.equal(decodeFrame(bytes(Buffer.concat([whole, Buffer.alloc(4)]))), null);
    const wrong = Buffer.from(whole);
    wrong[0] = 0;
    assert.equal(decodeFrame(bytes(wrong)), null);
    const absurd = Buffer.from(whole);
    absurd.writeUInt32LE(0xffffffff, 28);
    assert.equal(decodeFrame(bytes(absurd)), null);
});

test("what the mock server writes is what the page reads", () => {
    const frame = decodeFrame(bytes(handmade()))!;
    assert.deepEqual(decodeFrame(encodeFrame(frame)), frame satisfies Frame);
});

test("unknown and broken text messages are passed over", () => {
    assert.equal(decodeText("{"), null);
    assert.equal(decodeText("3"), null);
    assert.equal(decodeText("null"), null);
    assert.equal(decodeText('{"type":"later"}'), null);
    assert.equal(decodeText('{"type":"role","driver":true,"viewers":2,"taken":true}')!.type, "role");
});

test("numbers of the display may be text and may be missing", () => {
    const scene = { hud: [{ channel: "a", min: "-3", max: 3, warn: "2*pi" }] } as unknown as SceneMessage;
    const [item] = hudItems(scene);
    assert.equal(item!.min, -3);
    assert.equal(item!.max, 3);
    assert.equal(item!.warn, undefined);
    assert.deepEqual(hudItems({} as SceneMessage), []);
});
