// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { EngineSound, engineTone } from "../../src/sound.ts";

test("four cylinders fire twice in a turn", () => {
    assert.equal(engineTone(3000, 0).frequency, 100);
    assert.equal(engineTone(-3000, 0).frequency, 100);
});

test("an engine is louder under load and silent at rest", () => {
    assert.ok(engineTone(3000, 1).gain > engineTone(3000, 0).gain);
    assert.ok(engineTone(3000, 5).gain === engineTone(3000, 1).gain);
    assert.equal(engineTone(0, 1).gain, 0);
    assert.equal(engineTone(NaN, NaN).gain, 0);
});

test("a model without an engine has no sound", () => {
    const sound = new EngineSound();
    sound.setChannels([{ name: "speed", unit: "m/s" }]);
    assert.equal(sound.exists, false);
    assert.equal(sound.toggle(), false);
    sound.setChannels([
        { name: "speed", unit: "m/s" },
        { name: "rpm", unit: "" },
    ]);
    assert.equal(sound.exists, true);
    assert.equal(sound.isOn, false);
});
