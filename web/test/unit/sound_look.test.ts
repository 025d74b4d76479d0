// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { BufferAttribute, BufferGeometry, Group, Mesh } from "three";
import { checkNodes, checkParts, gltfText } from "../../src/scene/sound_look.ts";

test("nodes that form a circle, share a child or name none are refused", () => {
    checkNodes({ nodes: [{ children: [1, 2] }, {}, { children: [3] }, {}] });
    checkNodes({});
    assert.throws(() => checkNodes({ nodes: [{ children: [1] }, { children: [2] }, { children: [0] }] }), /nodes\.0: the node is among its own children/);
    assert.throws(() => checkNodes({ nodes: [{ children: [0] }] }), /nodes\.0: the node is among its own children/);
    assert.throws(() => checkNodes({ nodes: [{ children: [2] }, { children: [2] }, {}] }), /node 2 is a child of node 0 already/);
    assert.throws(() => checkNodes({ nodes: [{ children: [4] }] }), /there is no node 4/);
});

function part(places: number[], index: number[]): Group {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setIndex(index);
    const mesh = new Mesh(geometry);
    mesh.name = "lid";
    return new Group().add(mesh);
}

test("places that are no numbers and triangles of no vertex are refused with the name of the part", () => {
    checkParts(part([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]));
    assert.throws(() => checkParts(part([0, 0, 0, NaN, 0, 0, 0, 1, 0], [0, 1, 2])), /lid: vertex 1 is no finite place/);
    assert.throws(() => checkParts(part([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 3])), /lid: index 2 is 3, and there are 3 vertices/);
});

test("the text of a binary file is found, and one that is cut short is told", () => {
    const text = new TextEncoder().encode('{"nodes":[]}');
    const bytes = new ArrayBuffer(20 + text.length);
    const view = new DataView(bytes);
    [0x46546c67, 2, bytes.byteLength, text.length, 0x4e4f534a].forEach((word, k) => view.setUint32(4 * k, word, true));
    new Uint8Array(bytes).set(text, 20);
    assert.deepEqual(JSON.parse(gltfText(bytes)), { nodes: [] });
    assert.equal(gltfText(text.buffer as ArrayBuffer), '{"nodes":[]}');
    assert.throws(() => gltfText(bytes.slice(0, 24)), /cut short/);
});
