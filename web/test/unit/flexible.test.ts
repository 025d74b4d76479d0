// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import * as THREE from "three";
import { decodeFrame, encodeFrame, type Frame } from "../../src/protocol.ts";
import { decodeFlex, deform, Envelope, modeAmplitudes, stressColour, stressOf } from "../../src/scene/flexible.ts";

/** Two nodes, one beam, two modes: stretching by one and lifting the tip by one, which also shortens it. */
function handmade(): ArrayBuffer {
    const parts: Buffer[] = [];
    const u32 = (x: number) => { const b = Buffer.alloc(4); b.writeUInt32LE(x); parts.push(b); };
    const f32 = (x: number) => { const b = Buffer.alloc(4); b.writeFloatLE(x); parts.push(b); };
    [2, 2, 1, 0, 2, 4, 2, 1].forEach(u32);
    [0, 0, 0, 2, 0, 0].forEach(f32); // nodes
    [0, 0, 0, 1, 0, 0].forEach(f32); // mode 1
    [0, 0, 0, 0, 1, 0].forEach(f32); // mode 2
    [...Array(18).fill(0), 0, 0, 0, -0.5, 0, 0].forEach(f32); // bend of modes 2, 2
    [0, 1].forEach(u32);
    f32(0.02);
    [0, 1, 17, 1, 0, 18].forEach(u32); // node, round, number of the element; twice
    [10, 0, 0, 4, 0, 3, 0, 2].forEach(f32); // N/A, bending z, bending y, torsion at node 0
    [10, 0, 0, 0, 0, 0, 0, 0].forEach(f32); // at node 1
    return new Uint8Array(Buffer.concat(parts)).buffer as ArrayBuffer;
}

test("a flexible body is read, bent and shortened", () => {
    const mesh = decodeFlex(handmade())!;
    const at = new Float32Array(6);
    deform(mesh, new Float32Array([0.1, 2]), at);
    assert.ok(Math.abs(at[3]! - (2 + 0.1 - 0.5 * 0.5 * 4)) < 1e-6);
    assert.equal(at[4], 2);
    assert.deepEqual([...mesh.beams], [0, 1]);
});

test("its stress is that of the largest fibre with torsion", () => {
    const mesh = decodeFlex(handmade())!;
    const stress = new Float32Array(2);
    stressOf(mesh, new Float32Array([1, 2]), stress);
    // round: bending sqrt(8^2 + 6^2) = 10, torsion 4
    assert.ok(Math.abs(stress[0]! - Math.sqrt(20 * 20 + 3 * 4 * 4)) < 1e-4);
    assert.equal(stress[1], 10);
});

test("beams and other elements of one body are painted alike", () => {
    const u32 = new Uint32Array([2, 1, 0, 0, 2, 6, 1, 0]);
    const places = new Uint32Array([0, 0, 1, 1, 0, 2]); // node, round, number
    // the end of a beam: 3 of N/A, 4 of torsion; a node of a shell: uniaxial 7
    const rows = new Float32Array([3, 0, 0, 4, 0, 0, 7, 0, 0, 0, 0, 0]);
    const bytes = [u32, new Float32Array(12), places, rows].map((a) => Buffer.from(a.buffer));
    const mesh = decodeFlex(new Uint8Array(Buffer.concat(bytes)).buffer as ArrayBuffer)!;
    const stress = new Float32Array(2);
    assert.equal(stressOf(mesh, new Float32Array([1]), stress), 0);
    assert.ok(Math.abs(stress[0]! - Math.sqrt(9 + 3 * 16)) < 1e-5);
    assert.ok(Math.abs(stress[1]! - 7) < 1e-5);
});

test("the envelope keeps the largest stress of every node, and when and where the largest of all was", () => {
    const mesh = decodeFlex(handmade())!;
    const envelope = new Envelope(mesh);
    const stress = new Float32Array(2);
    const at = (t: number, ...eta: number[]) => envelope.add(stress, stressOf(mesh, new Float32Array(eta), stress), t);
    at(1, 1, 0);
    at(2, 0, 3); // node 0: 3 * sqrt(5^2 + 3 * 2^2) by hand
    at(3, 0.5, 0);
    const largest = 3 * Math.hypot(Math.hypot(4, 3), Math.sqrt(3) * 2);
    assert.ok(Math.abs(envelope.stress[0]! - largest) < 1e-4);
    assert.equal(envelope.stress[1], 10);
    assert.deepEqual({ ...envelope.peak!, stress: 0 }, { stress: 0, number: 17, node: 0, t: 2 });
    envelope.reset();
    assert.deepEqual([...envelope.stress, envelope.peak], [0, 0, null]);
    at(4, 0.5, 0);
    assert.deepEqual([...envelope.stress], [5, 5]);
});

test("bytes that are cut short are refused", () => {
    const data = handmade();
    assert.equal(decodeFlex(data.slice(0, data.byteLength - 4)), null);
    assert.equal(decodeFlex(data.slice(0, 16)), null);
});

test("colours go from blue to red", () => {
    const colour = new THREE.Color();
    assert.ok(stressColour(0, colour).b > 0.8 && colour.r < 0.2);
    assert.ok(stressColour(1, colour).r > 0.8 && colour.b < 0.2);
});

test("a frame carries the amplitudes, and none when there are none", () => {
    const empty = new Float32Array(0);
    const frame: Frame = { number: 1, t: 2, asked: 1, reached: 1, flags: 0, poses: empty, channels: empty, arrows: empty, inputs: empty, ghost: empty, modes: new Float32Array([3, 4]) };
    assert.deepEqual([...decodeFrame(encodeFrame(frame))!.modes], [3, 4]);
    assert.deepEqual([...decodeFrame(encodeFrame({ ...frame, modes: empty }))!.modes], []);
});

test("a mode is shown a tenth of the body large", () => {
    const mesh = decodeFlex(handmade())!;
    const at = new Float32Array(6);
    deform(mesh, modeAmplitudes(mesh, 1, Math.PI / 2), at);
    assert.ok(Math.abs(at[3]! - 2.2) < 1e-6);
    assert.deepEqual([...modeAmplitudes(mesh, 3, 1)], [0, 0]);
});
