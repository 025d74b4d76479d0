// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { Sound } from "../../src/presence/sound.ts";
import { Ears, engineTone, thud } from "../../src/presence/voices.ts";
import type { Frame, SceneMessage } from "../../src/protocol.ts";

const channels = (names: string[]) => names.map((name) => ({ name, unit: "" }));
const inputs = (names: string[]) => names.map((name) => ({ name, initial: 0, min: -1, max: 1, unit: "", help: "" }));
const scene = (over: object) => ({ channels: [], inputs: [], parameters: [], ...over }) as unknown as SceneMessage;
const frame = (values: number[], asked: number[] = [], more: object = {}) => ({ t: 0.1, flags: 0, channels: new Float32Array(values), inputs: new Float32Array(asked), ...more }) as unknown as Frame;
const truck = scene({ channels: channels(["speed"]), inputs: inputs(["steer", "drive", "lift"]), view: { cockpit: "truck" } });

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

test("a car's engine follows its channel, a truck's what is asked of it", () => {
    const car = new Ears(scene({ channels: channels(["rpm", "accelerator"]) }));
    assert.deepEqual(car.hear(frame([3000, 1])).engine, engineTone(3000, 1));
    const ears = new Ears(truck);
    const [idle, full] = [ears.hear(frame([0], [0, 0, 0])).engine, ears.hear(frame([0], [0, 1, 0])).engine];
    assert.ok(idle.gain > 0 && full.frequency > 2 * idle.frequency && full.gain > idle.gain);
});

test("hydraulics are heard while they move, more when faster", () => {
    const ears = new Ears(truck);
    const at = (lift: number) => ears.hear(frame([0], [0, 0, lift])).hydraulics;
    assert.equal(at(0).gain, 0);
    assert.ok(at(-0.5).gain > 0 && at(1).gain > at(-0.5).gain && at(1).frequency > at(-0.5).frequency);
});

test("the beeper beeps in reverse: half a second on, half a second off", () => {
    const ears = new Ears(truck);
    const at = (drive: number, speed: number, t: number) => ears.hear(frame([speed], [0, drive, 0], { t })).beeper.gain;
    assert.ok(at(-1, 0, 0.1) > 0 && at(-1, 0, 0.6) === 0 && at(-1, 0, 1.2) > 0);
    assert.ok(at(1, 2, 0.1) === 0 && at(0, -1, 0.1) > 0);
    assert.ok(at(1, -1, 0.1) === 0, "braking from reverse");
});

test("tyres squeal when they slip, carry and move", () => {
    const ears = new Ears(scene({ channels: channels(["speed", "w.slip_x", "w.slip_y", "w.fz"]) }));
    const at = (speed: number, slip: number, load: number) => ears.hear(frame([speed, 0, slip, load])).squeal.gain;
    assert.equal(at(10, 0.05, 4000), 0);
    assert.ok(at(10, 0.3, 4000) > at(10, 0.2, 4000) && at(10, 0.2, 4000) > 0);
    assert.equal(at(10, 0.3, 0), 0);
    assert.equal(at(0, 0.3, 4000), 0);
});

test("an electric machine has a motor that sings with its speed and no engine", () => {
    const ears = new Ears(scene({ ...truck, parameters: [{ name: "electric", value: 1 }] }));
    assert.ok(ears.heard.includes("motor") && !ears.heard.includes("engine"));
    assert.ok(ears.hear(frame([3], [0, 1, 0])).motor.frequency > ears.hear(frame([1], [0, 1, 0])).motor.frequency);
});

test("while time stands nothing is heard", () => {
    const ears = new Ears(truck);
    for (const tone of Object.values(ears.hear(frame([-3], [0, -1, 1], { flags: 1 })))) {
        assert.equal(tone.gain, 0);
    }
});

test("numbers that are none make no sound that is none", () => {
    for (const tone of Object.values(new Ears(truck).hear(frame([NaN], [NaN, NaN, NaN])))) {
        assert.ok(Number.isFinite(tone.gain) && Number.isFinite(tone.frequency) && tone.gain >= 0 && tone.gain <= 1);
    }
});

test("a harder blow is louder and deeper", () => {
    const [soft, hard] = [thud({ energy: 1, closing: 0.2 }), thud({ energy: 5000, closing: 3 })];
    assert.ok(hard.gain > 2 * soft.gain && hard.frequency < soft.frequency && hard.gain <= 0.5);
    assert.ok(Number.isFinite(thud({ energy: NaN, closing: NaN }).gain));
});

test("without an engine, wheels or levers there are only impacts; it is silent until asked", () => {
    const sound = new Sound();
    sound.setScene(scene({ channels: channels(["speed"]) }));
    assert.deepEqual(sound.heard, []);
    sound.setScene(truck);
    sound.setFrame(frame([0], [0, 1, 0]));
    assert.equal(sound.isOn, false);
    assert.ok(sound.tones.engine!.gain > 0);
    sound.setVolume(7);
    assert.equal(sound.volume, 1);
});
