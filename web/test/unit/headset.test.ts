// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import * as THREE from "three";
import { padOf, seatTurn } from "../../src/presence/headset.ts";

const source = (handedness: string, axes: number[], buttons: number[]) => ({ handedness, gamepad: { axes, buttons: buttons.map((value) => ({ value })) } });

test("two controllers are one gamepad of the usual order", () => {
    const pad = padOf([source("left", [0, 0, 0.1, 0.2], [0.6, 0.7, 0, 0, 1, 0]), source("right", [0, 0, 0.3, 0.4], [0.8, 0.9, 0, 0, 0, 1])])!;
    assert.deepEqual(pad.axes, [0.1, 0.2, 0.3, 0.4]);
    assert.deepEqual(pad.buttons.slice(0, 8), [0, 1, 1, 0, 0.7, 0.9, 0.6, 0.8]);
});

test("one controller alone works, and hands without one are none", () => {
    assert.deepEqual(padOf([source("right", [0.5, -0.5], [1])])!.axes, [0, 0, 0.5, -0.5]);
    assert.equal(padOf([{ handedness: "left", gamepad: null }, { handedness: "none" }]), null);
    assert.equal(padOf([]), null);
});

test("the seat looks ahead with its head up", () => {
    const up = new THREE.Vector3(0, 0, 1);
    const ahead = new THREE.Vector3(1, 0, 0);
    const turn = seatTurn(up, ahead);
    assert.ok(new THREE.Vector3(0, 0, -1).applyQuaternion(turn).distanceTo(ahead) < 1e-12);
    assert.ok(new THREE.Vector3(0, 1, 0).applyQuaternion(turn).distanceTo(up) < 1e-12);
});
