// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { axisValue, calibrate, chooseMapping, curve, deadZone, fitMapping, mapDevice, pairValue, PedalGuard, pressedActions, readMapping, type Mapping } from "../../src/controls/mapping.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("a stick is scaled to -1..1 round its own centre", () => {
    const range = [-0.8, 0.1, 0.9];
    near(calibrate(0.1, range), 0);
    near(calibrate(0.9, range), 1);
    near(calibrate(-0.8, range), -1);
    near(calibrate(0.5, range), 0.5);
    near(calibrate(-0.35, range), -0.5);
    near(calibrate(3, range), 1);
});

test("a device that counts the other way round is turned by its calibration", () => {
    const range = [1, 0, -1];
    near(calibrate(0.5, range), -0.5);
    near(calibrate(-1, range), 1);
});

test("a pedal gives 0 released and 1 pressed", () => {
    near(calibrate(1, [1, -1]), 0);
    near(calibrate(-1, [1, -1]), 1);
    near(calibrate(0, [1, -1]), 0.5);
});

test("a calibration without travel gives nothing instead of a division by zero", () => {
    near(calibrate(0.3, [0.3, 0.3]), 0);
    near(calibrate(0.3, [0.3, 0.3, 0.3]), 0);
});

test("the dead zone is silent and the rest is continuous up to 1", () => {
    near(deadZone(0.1, 0.1), 0);
    near(deadZone(-0.05, 0.1), 0);
    near(deadZone(1, 0.1), 1);
    near(deadZone(-0.55, 0.1), -0.5);
    assert.ok(deadZone(0.1 + 1e-9, 0.1) < 1e-8);
});

test("the curve keeps sign and ends", () => {
    near(curve(-0.5, 2), -0.25);
    near(curve(1, 3), 1);
    near(curve(0, 2), 0);
});

test("a value that is not a number moves nothing", () => {
    near(axisValue({ input: "steer", axis: 0 }, NaN), 0);
});

test("a pair of buttons gives +1 and -1, both cancel", () => {
    const rule = { input: "lift", positive: 0, negative: 1 };
    near(pairValue(rule, [1, 0]), 1);
    near(pairValue(rule, [0, 1]), -1);
    near(pairValue(rule, [1, 1]), 0);
    near(pairValue(rule, []), 0);
});

const WHEEL = fitMapping(readMapping(readFileSync(join(process.cwd(), "mappings/wheel.json"), "utf8")), ["steer", "drive", "lift", "tilt"]);

test("wheel and pedals drive the forklift as the document says", () => {
    const guard = new PedalGuard();
    const state = (steer: number, right: number, left: number) => ({ axes: [steer, 0, right, 0, 0, left], buttons: [] as number[] });
    mapDevice(WHEEL, state(0, 0, 0), guard); // nothing has moved yet
    mapDevice(WHEEL, state(0, 1, 1), guard); // both pedals released
    near(mapDevice(WHEEL, state(-1, 1, 1), guard).steer!, 1); // wheel to the left
    near(mapDevice(WHEEL, state(0, -1, 1), guard).drive!, 1); // right pedal: forward
    near(mapDevice(WHEEL, state(0, 1, -1), guard).drive!, -1); // left pedal: reverse
});

test("a pedal that was never touched does not drive", () => {
    // browsers report 0, half pressed, until the first movement
    const values = mapDevice(WHEEL, { axes: [0, 0, 0, 0, 0, 0], buttons: [] }, new PedalGuard());
    near(values.drive!, 0);
});

test("joystick forward tilts the mast forward, right lifts", () => {
    const stick = readMapping(readFileSync(join(process.cwd(), "mappings/joystick.json"), "utf8"));
    near(mapDevice(stick, { axes: [1, -1], buttons: [] }).lift!, 1);
    near(mapDevice(stick, { axes: [1, -1], buttons: [] }).tilt!, 1);
    near(mapDevice(stick, { axes: [-1, 1], buttons: [] }).lift!, -1);
});

test("an action is called when its button goes down, not while it is held", () => {
    const mapping: Mapping = { name: "x", match: [], axes: [], buttons: [{ action: "play", button: 2 }] };
    const down = { axes: [], buttons: [0, 0, 1] };
    const up = { axes: [], buttons: [0, 0, 0] };
    assert.deepEqual(pressedActions(mapping, up, down), ["play"]);
    assert.deepEqual(pressedActions(mapping, down, down), []);
    assert.deepEqual(pressedActions(mapping, null, down), ["play"]);
});

test("the longest name that fits chooses the mapping", () => {
    const make = (name: string, match: string[]): Mapping => ({ name, match, axes: [], buttons: [] });
    const all = [make("any", []), make("wheel", ["wheel"]), make("g29", ["g29 driving"])];
    assert.equal(chooseMapping(all, "Logitech G29 Driving Force Racing Wheel")!.name, "g29");
    assert.equal(chooseMapping(all, "Some Racing Wheel")!.name, "wheel");
    assert.equal(chooseMapping(all, "Xbox pad")!.name, "any");
    assert.equal(chooseMapping([], "Xbox pad"), null);
});

test("every mapping file of the repository can be read and is listed", () => {
    const names = readdirSync("mappings").filter((name) => name.endsWith(".json") && name !== "index.json");
    const listed = JSON.parse(readFileSync("mappings/index.json", "utf8")) as string[];
    assert.deepEqual([...names].sort(), [...listed].sort());
    for (const name of names) {
        readMapping(readFileSync(join("mappings", name), "utf8"));
    }
});

test("a bad mapping file is refused with the place of the mistake", () => {
    const bad: [string, RegExp][] = [
        ["{", /not JSON/],
        ["[]", /one object/],
        ['{"match": []}', /name/],
        ['{"name": "x", "axes": 3}', /axes: a list/],
        ['{"name": "x", "axes": [{"input": "steer"}]}', /axes\[0\]: needs input/],
        ['{"name": "x", "axes": [{"input": "steer", "axis": 0, "dead": 2}]}', /axes\[0\]\.dead/],
        ['{"name": "x", "axes": [{"input": "steer", "axis": 0, "range": [1]}]}', /axes\[0\]\.range/],
        ['{"name": "x", "axes": [{"input": "steer", "axis": 0, "curve": 0}]}', /axes\[0\]\.curve/],
        ['{"name": "x", "buttons": [{"input": "lift"}]}', /buttons\[0\]/],
    ];
    for (const [text, message] of bad) {
        assert.throws(() => readMapping(text), message);
    }
});

const shipped = (name: string) => readMapping(readFileSync(`mappings/${name}.json`, "utf8"));

test("a joystick moves the mast where there is one, else it steers; what nobody names, too", () => {
    const leftAhead = { axes: [-1, -1, 0], buttons: [] };
    const moved = (inputs: string[]) => Object.fromEntries(Object.entries(mapDevice(fitMapping(shipped("joystick"), inputs), leftAhead)).filter(([, value]) => value !== 0));
    assert.deepEqual(moved(["steer", "drive", "lift", "tilt"]), { lift: -1, tilt: 1 });
    assert.deepEqual(moved(["truck_steer", "truck_drive", "truck_lift", "truck_tilt"]), { truck_lift: -1, truck_tilt: 1 });
    assert.deepEqual(moved(["steer", "pedal", "lean", "assist"]), { steer: 1, pedal: 1 });
    assert.deepEqual(moved(["wheel", "throttle", "brake"]), { wheel: 1, throttle: 1 });
    assert.deepEqual(moved(["push"]), { push: -1 });
    assert.deepEqual(moved(["F2x", "M2x"]), { F2x: -1, M2x: 1 });
});

test("every mapping that comes with the page moves every machine with inputs", () => {
    const machines = [["steer", "drive", "lift", "tilt"], ["steer", "pedal", "lean", "assist"], ["steer", "drive", "shift"], ["wheel", "throttle", "brake"], ["push"], ["F2x", "F2y", "M2x"]];
    for (const name of ["joystick", "gamepad", "wheel"]) {
        for (const inputs of machines) {
            const fitted = fitMapping(shipped(name), inputs);
            const driven = [...fitted.axes, ...fitted.buttons].flatMap((rule) => rule.input ?? []);
            assert.ok(driven.length > 0, `${name} moves nothing of ${inputs.join()}`);
            assert.ok(driven.every((input) => inputs.includes(input)));
        }
    }
});
