// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { History } from "../../src/history.ts";
import { Latency } from "../../src/latency.ts";
import type { Frame } from "../../src/protocol.ts";
import { QUALITIES, QualityJudge } from "../../src/quality.ts";
import { alarmOf, assumedUnit, displayUnit, gearName, partOf, tipAdvice } from "../../src/ui/hudlogic.ts";
import { chooseLanguage, nameText, setLanguage, text } from "../../src/ui/language.ts";
import { qualityBadge } from "../../src/ui/quality_badge.ts";
import { axisNumber, rangeOf } from "../../src/ui/plots.ts";
import { setNames, shownUnit } from "../../src/ui/names.ts";
import { nextSpeed, showSpeed, showTime } from "../../src/ui/timeline.ts";
import { verdictText } from "../../src/ui/verdict.ts";

test("below the limit of a margin is bad, near it is near", () => {
    const margin = { kind: "margin", min: 0, max: 1, warn: 0.2 } as const;
    assert.equal(alarmOf(margin, 0.19), "bad");
    assert.equal(alarmOf(margin, 0.3), "near");
    assert.equal(alarmOf(margin, 0.9), "good");
    assert.equal(alarmOf(margin, NaN), "good");
});

test("above the limit of a speed is bad; the model may say it outright", () => {
    assert.equal(alarmOf({ min: 0, max: 6, warn: 5 }, 5.5), "bad");
    assert.equal(alarmOf({ min: 0, max: 6, warn: 5 }, 1), "good");
    assert.equal(alarmOf({ min: 0, max: 6, warn: 1, warn_when: "above" }, 1.5), "bad");
});

test("a model says where a reading gets near its limit", () => {
    const engine = { min: 0, max: 6300, warn: 5900, near: 5500 };
    assert.equal(alarmOf({ min: 0, max: 6300, warn: 5900 }, 4500), "near");
    assert.equal(alarmOf(engine, 4500), "good");
    assert.equal(alarmOf(engine, 5600), "near");
    assert.equal(alarmOf(engine, 6000), "bad");
});

test("gears are called as on the lever", () => {
    assert.deepEqual([-1, 0, 1, 4.0000001, NaN].map(gearName), ["R", "N", "1", "4", "–"]);
});

test("units of the display are converted, unknown ones are not", () => {
    assert.ok(Math.abs(displayUnit("rad", "deg").factor - 57.29577951308232) < 1e-12);
    assert.equal(displayUnit("m/s", "km/h").factor, 3.6);
    assert.deepEqual(displayUnit("N", undefined), { factor: 1, sign: "N" });
    assert.equal(displayUnit("furlong", "km").factor, 1);
    assert.equal(assumedUnit("speed", ""), "m/s");
    assert.equal(assumedUnit("speed", "km/h"), "km/h");
    assert.equal(partOf({ min: -1, max: 3 }, 1), 0.5);
});

test("the history forgets the oldest rows and the timeline that was left", () => {
    const history = new History(1, 4);
    for (let k = 0; k < 6; k++) {
        history.add(k, [10 * k]);
    }
    assert.equal(history.length, 4);
    assert.equal(history.time(0), 2);
    assert.equal(history.value(3, 0), 50);
    assert.equal(history.find(3.5), 2);
    history.add(3, [-1]); // rewound to 3 and went on from there
    assert.equal(history.length, 2);
    assert.equal(history.value(1, 0), -1);
});

test("quality falls when drawing is slow and does not come back to a level that was too slow", () => {
    const judge = new QualityJudge(2);
    for (let k = 0; k < 12; k++) {
        judge.add(80);
    }
    assert.equal(judge.level, 1);
    for (let k = 0; k < 200; k++) {
        judge.add(2);
    }
    assert.equal(judge.level, 1);
});

test("one slow picture among quick ones changes nothing", () => {
    const judge = new QualityJudge(2);
    for (let k = 0; k < 12; k++) {
        judge.add(k === 5 ? 500 : 15);
    }
    assert.equal(judge.level, 2);
});

test("the delay of a key ends with the picture of the first frame whose inputs changed", () => {
    const latency = new Latency();
    const frame = (number: number, input: number) => ({ number, inputs: new Float32Array([input]) }) as Frame;
    latency.received(frame(1, 0), 0);
    latency.press(100);
    latency.received(frame(2, 0), 105);
    latency.drawn(2, 110);
    latency.received(frame(3, 0.2), 120);
    latency.drawn(2, 125);
    latency.drawn(3, 150);
    assert.deepEqual(latency.delays, [{ state: 20, drawn: 50 }]);
});

test("the page speaks English and Spanish, and names of the model stay", () => {
    setLanguage("es");
    assert.equal(text("help"), "Ayuda");
    assert.equal(nameText("steer"), "dirección");
    assert.equal(nameText("trolley"), "trolley");
    setLanguage("en");
    assert.equal(text("help"), "Help");
    assert.equal(chooseLanguage(null, null, "es-ES"), "es");
    assert.equal(chooseLanguage("en", "es", "es-ES"), "en");
    assert.equal(chooseLanguage(null, null, "fr"), "en");
});

test("speeds are powers of two between 1/32 and 8", () => {
    assert.equal(nextSpeed(1, 1), 2);
    assert.equal(nextSpeed(8, 1), 8);
    assert.equal(nextSpeed(1 / 32, -1), 1 / 32);
    assert.equal(showSpeed(0.25), "1/4×");
    assert.equal(showTime(75.5), "1:15.50");
});

test("the badge of the quality is in both languages", () => {
    setLanguage("en");
    assert.deepEqual(
        QUALITIES.map((_, level) => qualityBadge(level, true).label),
        ["● low", "● medium", "● high", "● best"],
    );
    assert.equal(qualityBadge(0, false).title, "Quality: low (measured)");
    setLanguage("es");
    assert.deepEqual(
        QUALITIES.map((_, level) => qualityBadge(level, false).label),
        ["◐ baja", "◐ media", "◐ alta", "◐ máxima"],
    );
    assert.equal(qualityBadge(0, true).title, "Calidad: baja");
    setLanguage("en");
});

test("a verdict is a sign, a word and a reason, in both languages", () => {
    const line = "doubtful: energy from nowhere is 0.02 (limit 0.01)";
    setLanguage("en");
    assert.deepEqual(verdictText({ outcome: "doubtful", line }), { sign: "?", word: "doubtful", label: "Verdict: doubtful", reason: line });
    assert.equal(verdictText({ outcome: "good" })!.reason, "Everything that is judged is within its limits");
    setLanguage("es");
    assert.deepEqual(["good", "doubtful", "bad"].map((outcome) => verdictText({ outcome: outcome as "good" })!.word), ["bueno", "dudoso", "malo"]);
    assert.equal(verdictText({ outcome: "bad", line })!.label, "Veredicto: malo");
    setLanguage("en");
    // the three are told apart without colours
    assert.equal(new Set(["good", "doubtful", "bad"].map((outcome) => verdictText({ outcome: outcome as "good" })!.sign)).size, 3);
});

test("no verdict, or a word of a newer server, is no badge", () => {
    assert.equal(verdictText(null), null);
    assert.equal(verdictText({ outcome: "splendid" as "good" }), null);
});

test("the banner says which way it tips, and only what helps", () => {
    const low = { forwards: 0.8, backwards: 0.9, left: 0.4, right: 0.05, height: 0.05, speed: 4 };
    assert.deepEqual(tipAdvice(low), { line: "tip_sideways", hints: ["tip_slow", "tip_wide"] }); // low and empty forks: nothing to lower
    assert.deepEqual(tipAdvice({ ...low, height: 2 }), { line: "tip_sideways", hints: ["tip_slow", "tip_wide", "tip_lower"] });
    assert.deepEqual(tipAdvice({ ...low, speed: 0 }), { line: "tip_sideways", hints: ["tip_still"] });
    assert.deepEqual(tipAdvice({ ...low, right: 0.5, forwards: 0.1 }), { line: "tip_forwards", hints: ["tip_brake", "tip_down"] });
    assert.deepEqual(tipAdvice({ ...low, right: 0.5, forwards: 0.1, height: 2, speed: 0 }), { line: "tip_forwards", hints: ["tip_lower"] });
    assert.deepEqual(tipAdvice({ ...low, right: 0.5, backwards: 0.1 }), { line: "tip_backwards", hints: ["tip_slow"] });
    assert.deepEqual(tipAdvice({ ...low, carried: 0 }), { line: "tip_sideways", hints: ["tip_slow", "tip_wide"] }); // it still moves
    assert.deepEqual(tipAdvice({ ...low, speed: 0.05, carried: 0 }), { line: "tip_lies", hints: ["tip_back"] });
    assert.deepEqual(tipAdvice({}), { line: "tip_over", hints: ["tip_slow"] });
});

test("diagrams have the units of the display, and angles in degrees", () => {
    setNames({ hud: [{ kind: "speed", channel: "speed" }, { kind: "wheel-loads", channels: ["wheel.fl"] }] } as never);
    assert.deepEqual(shownUnit({ name: "speed", unit: "m/s" }), { factor: 3.6, sign: "km/h" });
    assert.deepEqual(shownUnit({ name: "wheel.fl", unit: "N" }), { factor: 0.001, sign: "kN" });
    assert.deepEqual(shownUnit({ name: "rear.angle", unit: "rad" }), { factor: 180 / Math.PI, sign: "°" });
    assert.deepEqual(shownUnit({ name: "other", unit: "m/s" }), { factor: 1, sign: "m/s" });
});

test("an axis tells its ends apart, and nothing is no noise", () => {
    assert.deepEqual(rangeOf([[[0, 0], [1, 1e-18]]]), [-1, 1 + 1e-18]);
    assert.equal(axisNumber(0.049, 0.002), "0.0490");
    assert.equal(axisNumber(-1e-9, 2), "0");
    assert.equal(axisNumber(14.2, 15), "14");
});
