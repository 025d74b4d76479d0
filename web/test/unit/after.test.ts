// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { partOf, usedInputs } from "../../src/ui/after/curves.ts";
import { edgesOf, findWheels, middleOf, placeIn, type Place } from "../../src/ui/after/load.ts";
import type { Sample } from "../../src/ui/happened.ts";
import type { HudItem, SceneMessage } from "../../src/protocol.ts";

const wheels: Place[] = [[2, 0.5], [2, -0.5], [0, 0.5], [0, -0.5]];

test("equal loads press in the middle, one wheel alone under itself, none nowhere", () => {
    assert.deepEqual(middleOf(wheels, [1, 1, 1, 1]), [1, 0]);
    assert.deepEqual(middleOf(wheels, [0, 3, 0, 0]), [2, -0.5]);
    assert.deepEqual(middleOf(wheels, [3, 3, 1, 1]), [1.5, 0]);
    assert.equal(middleOf(wheels, [0, 0, 0, 0]), null);
});

test("the place of a wheel does not change when the machine turns and moves", () => {
    const h = Math.SQRT1_2;
    // 90 degrees to the left about z, at (10, 20, 0): a wheel 2 ahead and 0.5 to the left of it
    const poses = [10, 20, 0, h, 0, 0, h, 10 - 0.5, 20 + 2, 0, 1, 0, 0, 0];
    const [x, y] = placeIn(poses, 0, 1);
    assert.ok(Math.abs(x - 2) < 1e-12 && Math.abs(y - 0.5) < 1e-12, `${x} ${y}`);
});

test("the triangle has the front wheels and the middle of the rear axle, where that rocks", () => {
    const { around, triangle } = edgesOf(wheels, true);
    assert.equal(around.length, 4);
    assert.deepEqual(triangle.at(-1), [0, 0]);
    assert.deepEqual(triangle.slice(0, 2).map(([x]) => x), [2, 2]);
    assert.deepEqual(edgesOf(wheels, false).triangle, []);
});

test("wheels are found by the ends of their names, all or none", () => {
    const items = [{ kind: "wheel-loads", channels: ["s.fl", "s.fr", "s.r"] }] as unknown as HudItem[];
    const scene = (bodies: string[]) => ({ bodies, channels: [{ name: "s.r" }, { name: "s.fl" }, { name: "s.fr" }] }) as unknown as SceneMessage;
    assert.deepEqual(findWheels(scene(["frame", "wheel_fl", "wheel_fr", "wheel_r"]), items), [{ body: 1, channel: 1 }, { body: 2, channel: 2 }, { body: 3, channel: 0 }]);
    assert.deepEqual(findWheels(scene(["frame", "wheel_fl"]), items), []);
    assert.deepEqual(findWheels(scene(["frame"]), []), []);
});

test("only controls that somebody used have a curve", () => {
    const way = [0, 1, 2].map((t) => ({ t, inputs: [0.5, t, -t] })) as unknown as Sample[];
    assert.deepEqual(usedInputs(way), [1, 2]);
    assert.equal(partOf(way, 1, 0.5), 0.25);
    assert.equal(partOf(way, 0, 0.5), 0.5);
});
