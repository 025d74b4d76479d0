// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { connectedMass, Hand, handReach, handStiffness, isHand, withinReach } from "../../src/presence/hand.ts";
import type { ClientMessage, InsideMessage, SceneMessage } from "../../src/protocol.ts";
import { isAbout, motionBetween } from "../../src/presence/body.ts";

// a wheel of 10 kg on a truck of 990 kg, and a crate of 20 kg on the ground
const joint = (a: number, b: number) => ({ name: "j", kind: "revolute", a, b, at_a: [0, 0, 0], at: [0, 0, 0], variables: 0, redundant: 0, shared: false });
const mass = (body: number, kg: number) => ({ body, mass: kg, at: [0.5, 0, 0], quaternion: [1, 0, 0, 0], half_axes: [1, 1, 1] });
const inside = { type: "inside", joints: [joint(0, 1), joint(-1, 0), joint(-1, 2)], masses: [mass(0, 990), mass(1, 10), mass(2, 20)] } as unknown as InsideMessage;

test("what joints connect is pulled together, the ground connects nothing", () => {
    assert.equal(connectedMass(inside, 1), 1000);
    assert.equal(connectedMass(inside, 2), 20);
});

test("the spring is soft for the body alone and stays below the weight of all", () => {
    const alone = 10 * (2 * Math.PI * 5) ** 2;
    assert.ok(Math.abs(handStiffness(inside, 1) - alone) < 1e-9);
    assert.ok(Math.abs(handStiffness(inside, 0) - 1000 * (2 * Math.PI * 0.8) ** 2) < 1e-9);
    for (const body of [0, 1, 2]) {
        const force = handStiffness(inside, body) * handReach(inside, body, 3);
        assert.ok(force <= 0.6 * 9.81 * connectedMass(inside, body) * 1.0000001, `${force} N`);
        assert.ok(handReach(inside, body, 3) <= 6);
    }
});

test("the place it pulls to is cut where the hand ends", () => {
    assert.deepEqual(withinReach([1, 0, 0], [1, 3, 0], 2), [1, 2, 0]);
    assert.deepEqual(withinReach([1, 0, 0], [1, 1, 0], 2), [1, 1, 0]);
});

test("holding, moving and letting go are inputs, each said once", () => {
    const sent: ClientMessage[] = [];
    const hand = new Hand((message) => sent.push(message));
    hand.setScene({ kind: "drive", inputs: [{ name: "steer" }, { name: "hand_body" }] } as unknown as SceneMessage);
    assert.ok(hand.canPull && !hand.isReady);
    hand.hold(2, [0, 0, 1], [1, 1, 1]);
    assert.equal(sent.length, 0); // masses are not known yet
    hand.setInside(inside);
    hand.move([1, 1, 1]);
    hand.move([1, 1, 1]);
    hand.move([NaN, 1, 1]);
    assert.equal(sent.length, 1);
    const { values } = sent[0] as unknown as { values: Record<string, number> };
    assert.deepEqual([values["hand_body"], values["hand_z"], values["hand_to_x"]], [3, 1, 1]);
    assert.ok(values["hand_stiffness"]! > 0 && Object.keys(values).every(isHand));
    hand.letGo();
    hand.letGo();
    assert.deepEqual((sent[1] as unknown as { values: object }).values, { hand_body: 0 });
    assert.equal(sent.length, 2);
});

test("a replay has no hand", () => {
    const hand = new Hand(() => {});
    hand.setScene({ kind: "replay", inputs: [{ name: "hand_body" }] } as unknown as SceneMessage);
    assert.equal(hand.canPull, false);
});

test("speed and turning rate come from two frames", () => {
    const half = 0.01; // half of the angle about z
    const before = { t: 1, poses: new Float32Array([0, 0, 0, 1, 0, 0, 0]) };
    const now = { t: 1.1, poses: new Float32Array([0.3, 0.4, 0, Math.cos(half), 0, 0, Math.sin(half)]) };
    const motion = motionBetween(before, now, 0)!;
    assert.ok(Math.abs(motion.speed - 5) < 1e-5);
    assert.ok(Math.abs(motion.turning - 0.2) < 1e-6);
    assert.equal(motionBetween(now, now, 0), null);
    assert.equal(motionBetween(now, before, 0), null);
});

test("names are about a body when they hold it whole", () => {
    assert.ok(isAbout("wheel_fl.fz", "wheel_fl") && isAbout("m.forks", "forks"));
    assert.ok(!isAbout("wheel_fl2.x", "wheel_fl") && !isAbout("anything", ""));
});
