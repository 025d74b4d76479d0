// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { actionOf, bindKeys, KeyRamp, makeKeyControl, scaleInput } from "../../src/controls/keys.ts";
import type { Input } from "../../src/protocol.ts";

const inputs = (...names: string[]): Input[] => names.map((name) => ({ name, initial: 0, min: -1, max: 1, unit: "", help: "" }));

test("the forklift has its letters, and none of them is a key of the page", () => {
    const pairs = bindKeys(inputs("steer", "drive", "lift", "tilt"));
    assert.deepEqual(
        Object.fromEntries(pairs.map((pair) => [pair.input, pair.positive + pair.negative])),
        { steer: "KeyQKeyE", drive: "KeyWKeyS", lift: "KeyLKeyJ", tilt: "KeyIKeyK" },
    );
    for (const pair of pairs) {
        assert.equal(actionOf(pair.positive, false), null);
        assert.equal(actionOf(pair.negative, false), null);
    }
});

test("arrows are for time, a for forces, space for the machine, as in the document", () => {
    assert.equal(actionOf("ArrowRight", false), "play");
    assert.equal(actionOf("ArrowLeft", false), "rewind");
    assert.equal(actionOf("ArrowDown", false), "slower");
    assert.equal(actionOf("ArrowUp", false), "faster");
    assert.equal(actionOf("KeyA", false), "arrows");
    assert.equal(actionOf("Space", false), "home");
});

test("unknown inputs get free letters, each letter once", () => {
    const pairs = bindKeys(inputs("trolley", "hoist", "slew", "drive", "five", "six", "seven", "eight", "nine"));
    const codes = pairs.flatMap((pair) => [pair.positive, pair.negative]);
    assert.equal(new Set(codes).size, codes.length);
    assert.equal(pairs.find((pair) => pair.input === "drive")!.positive, "KeyW");
    for (const code of codes) {
        assert.equal(actionOf(code, false), null, code);
    }
});

test("an input for scripts has no letters when the model wishes none", () => {
    const pairs = bindKeys(inputs("wheel", "throttle", "steer", "drive"), { wheel: { keys: [] }, throttle: { keys: [] } });
    assert.deepEqual(
        Object.fromEntries(pairs.map((pair) => [pair.input, pair.positive + pair.negative])),
        { steer: "KeyQKeyE", drive: "KeyWKeyS" },
    );
});

test("a model may wish its letters, but not those of the page", () => {
    const wished = bindKeys(inputs("push", "pull"), { push: { keys: ["F", "D"] }, pull: { keys: ["A", "B"] } });
    assert.equal(wished.find((pair) => pair.input === "push")!.positive, "KeyF");
    assert.notEqual(wished.find((pair) => pair.input === "pull")!.positive, "KeyA");
});

test("a pressed key answers at once, grows to the end and falls back to nothing", () => {
    const ramp = new KeyRamp("steer");
    assert.ok(ramp.advance(1, 0) > 0);
    let value = 0;
    for (let k = 0; k < 100; k++) {
        value = ramp.advance(1, 0.02);
    }
    assert.equal(value, 1);
    for (let k = 0; k < 100; k++) {
        value = ramp.advance(0, 0.02);
    }
    assert.equal(value, 0);
});

test("turning round starts from the middle", () => {
    const ramp = new KeyRamp("steer");
    for (let k = 0; k < 100; k++) {
        ramp.advance(1, 0.02);
    }
    assert.ok(ramp.advance(-1, 0.001) < 0);
});

test("-1..1 is scaled round the initial value to the limits of the input", () => {
    const gas: Input = { ...inputs("gas")[0]!, initial: 0.2, min: 0 };
    assert.equal(scaleInput(gas, 0), 0.2);
    assert.equal(scaleInput(gas, 1), 1);
    assert.equal(scaleInput(gas, -1), 0);
    assert.equal(scaleInput({ ...inputs("x")[0]!, sign: -1 }, 0.5), -0.5);
});

test("an input that stays keeps what its keys have set, and does not go beyond its range", () => {
    const assist: Input = { ...inputs("assist")[0]!, initial: 1, min: 0 };
    const setting = makeKeyControl(assist, true);
    const hold = (wanted: number, seconds: number) => {
        let value = 0;
        for (let k = 0; k < Math.round(seconds / 0.02); k++) {
            value = setting.advance(wanted, 0.02);
        }
        return scaleInput(assist, value);
    };
    assert.equal(hold(1, 0.5), 1);
    assert.ok(Math.abs(hold(-1, 0.5) - 0.5) < 1e-9);
    assert.ok(Math.abs(hold(0, 2) - 0.5) < 1e-9);
    assert.ok(Math.abs(hold(-1, 3)) < 1e-9);
    assert.ok(hold(1, 0.5) > 0.4);
});

test("a wheel is steered by q and e, left is positive", () => {
    const pairs = bindKeys([
        { name: "pedal", initial: 0, help: "" },
        { name: "wheel", initial: 0, help: "" },
    ] as never);
    assert.deepEqual(pairs.find(({ input }) => input === "wheel"), { input: "wheel", positive: "KeyQ", negative: "KeyE" });
    assert.deepEqual(pairs.find(({ input }) => input === "pedal"), { input: "pedal", positive: "KeyW", negative: "KeyS" });
});
