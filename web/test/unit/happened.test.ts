// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { colourOf, isPartOf, lostAt, sentence, type Sample } from "../../src/ui/happened.ts";
import { setLanguage } from "../../src/ui/language.ts";
import type { ExerciseMessage, Hit } from "../../src/protocol.ts";

/** stable until 3 s, a moment without at 1 s, gone from 3 s on */
const way: Sample[] = [...Array(50).keys()].map((k) => ({ t: k / 10, x: k, y: 0, speed: 5.5, height: k < 20 ? 0.1 : 1.1, margin: k === 10 || k >= 30 ? 0 : 0.6, press: null, inputs: [] }));

test("the last of the stability went where it did not come back", () => {
    assert.equal(lostAt(way, 4)?.t, 3);
    assert.equal(lostAt(way, 2.5), null);
    assert.equal(lostAt([], 4), null);
});

test("a roll-over is one sentence in both languages", () => {
    setLanguage("en");
    assert.equal(sentence({ kind: "rolled", t: 4 }, way), "It rolled over at 0:04.00: nothing was left of its stability from 0:03.00, at 20 km/h, with the forks at 1.1 m.");
    setLanguage("es");
    assert.equal(sentence({ kind: "rolled", t: 4 }, way), "Volcó en 0:04,00: no quedaba nada de su estabilidad desde 0:03,00, a 20 km/h, con la horquilla a 1,1 m.");
    setLanguage("en");
    assert.equal(sentence({ kind: "rolled", t: 4 }, []), "It rolled over at 0:04.00.");
});

test("a collision and a failed exercise", () => {
    const hit: Hit = { a: "mast", b: "lorry", at: [14.5, 13.7, 0.2], speed: 0.729, closing: 0.7, force: 118000, energy: 999, over: false };
    assert.equal(sentence({ kind: "hit", t: 43.9, hit }, way), "It hit something at 0:43.90: mast against lorry (14.5; 13.7; 0.2) m, 0.729 m/s, largest force 118 kN, energy taken 999 J.");
    const reasons: ExerciseMessage["reasons"] = [{ kind: "final", text: "the pallet falls", times: 1, points: 0 }];
    const exercise = { reasons } as unknown as ExerciseMessage;
    assert.equal(sentence({ kind: "failed", t: 5, exercise }, way), "The exercise ended at 0:05.00: the pallet falls.");
    const late = { reasons: [{ kind: "late", text: "", times: 1, points: 0 }] } as unknown as ExerciseMessage;
    assert.equal(sentence({ kind: "failed", t: 5, exercise: late }, way), "The exercise ended at 0:05.00: The time was over.");
});

test("what follows from a worse thing is part of it", () => {
    const hit = (t: number) => ({ kind: "hit" as const, t, hit: {} as Hit });
    assert.ok(isPartOf(hit(6), { kind: "rolled", t: 4 }));
    assert.ok(isPartOf(hit(6), hit(4)));
    assert.ok(!isPartOf({ kind: "rolled", t: 6 }, hit(4)));
    assert.ok(isPartOf(hit(30), { kind: "rolled", t: 4 }));
    assert.ok(!isPartOf(hit(10), hit(4)));
    assert.ok(!isPartOf(hit(1), null));
});

test("colours of the way", () => {
    assert.equal(new Set([null, 0.9, 0.3, 0].map(colourOf)).size, 4);
});
