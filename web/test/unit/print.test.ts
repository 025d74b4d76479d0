// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { findPrints, pressureAt, pressureColour, roundLength } from "../../src/ui/print.ts";

test("the pressure carries the load: its sum over the ellipse is two thirds of the largest times the area", () => {
    const [a, b, most] = [0.05, 0.012, 4e5];
    let sum = 0;
    const n = 400;
    for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
            sum += pressureAt(a * ((2 * i + 1) / n - 1), b * ((2 * j + 1) / n - 1), a, b, most) * ((2 * a) / n) * ((2 * b) / n);
        }
    }
    const load = (2 / 3) * Math.PI * a * b * most;
    assert.ok(Math.abs(sum / load - 1) < 1e-3, `${sum} against ${load}`);
    assert.equal(pressureAt(0, 0, a, b, most), most);
    assert.equal(pressureAt(a, b, a, b, most), 0);
});

test("lengths of the scale are round, colours begin dark and end red", () => {
    assert.equal(roundLength(0.0123), 0.01);
    assert.equal(roundLength(0.0499), 0.02);
    assert.equal(roundLength(7), 5);
    assert.ok(pressureColour(0)[2] > pressureColour(0)[0] && pressureColour(1)[0] > 200 && pressureColour(1)[2] < 80);
});

test("only tyres that tell all of it have a print", () => {
    const names = ["r.fx", "r.fy", "r.fz", "r.semi_x", "r.semi_y", "r.pressure", "f.semi_x", "f.semi_y"].map((name) => ({ name }));
    assert.deepEqual(findPrints(names), [{ name: "r", along: 3, across: 4, pressure: 5, forces: [0, 1, 2] }]);
});
