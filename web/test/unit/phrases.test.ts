// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { setLanguage } from "../../src/ui/language.ts";
import { eventName, eventText, PHRASES, refusal, told, translated } from "../../src/ui/phrases.ts";
import { setNames } from "../../src/ui/names.ts";
import type { SceneMessage } from "../../src/protocol.ts";

const source = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8").replace(/"\s*\n\s*"/g, "");

test("every judgement and every advice of the verdict has Spanish", () => {
    const rows = [...source("src/sim/verdict.c").matchAll(/\[JUDGE_\w+\] = \{\s*"[^"]*",\s*"([^"]*)",\s*"[^"]*",[^"}]*"([^"]*)"/g)];
    assert.ok(rows.length >= 31, `${rows.length} judgements`);
    for (const [, what, advice] of rows) {
        assert.ok(Object.hasOwn(PHRASES, what!), what);
        assert.ok(Object.hasOwn(PHRASES, advice!), advice);
    }
});

test("every refusal of the program has Spanish", () => {
    const files = [...readdirSync(new URL("../../../app/live", import.meta.url)).filter((name) => name.endsWith(".c")).map((name) => `app/live/${name}`), "app/commands/view.c"];
    const found = files.flatMap((file) => [...source(file).matchAll(/live_error\([^;"]*"([^"]*)"/g)].map(([, words]) => words!));
    assert.ok(found.length >= 7, `${found.length} refusals`);
    for (const words of found) {
        assert.ok(Object.hasOwn(PHRASES, words), words);
    }
});

test("what is wrong with the results of a course is said in the same words as by the command", () => {
    const rows = [...source("app/course/results.c").matchAll(/\[RESULTS_\w+\] = \{\s*"([^"]*)",\s*"([^"]*)"\s*\}/g)];
    assert.equal(rows.length, 9);
    for (const [, english, spanish] of rows.slice(1)) {
        assert.equal(PHRASES[english!], spanish);
    }
});

test("lines of the program are told in both languages", () => {
    setNames({ spanish: { "wheel.fl": "rueda delantera izquierda", "wheel-lifts": "una rueda se levanta" } } as unknown as SceneMessage);
    setLanguage("es");
    assert.equal(told("wheel.fl is below 1.5"), "rueda delantera izquierda por debajo de 1,5");
    assert.equal(eventName("wheel-lifts"), "una rueda se levanta");
    assert.equal(
        told("doubtful: largest turn of a body in a step is 1.2 rad (limit 1), body wheel at t = 0.512 s; to try: smaller steps"),
        "dudoso: mayor giro de un sólido en un paso: 1,2 rad (límite 1), sólido wheel, en t = 0,512 s; probar: pasos más pequeños",
    );
    assert.equal(refusal("parameters.M: must be positive"), "El modelo lo rechaza: parameters.M: must be positive");
    assert.ok(source("app/live/live_devices.c").includes("%s was unplugged: inputs are at their safe values"));
    assert.equal(refusal("G29 was unplugged: inputs are at their safe values"), "G29 se ha desconectado: las entradas quedan en sus valores seguros");
    assert.equal(translated("something new"), null);
    setLanguage("en");
    assert.equal(told("wheel.fl is below 1.5"), "wheel: front left is below 1.5");
    assert.equal(eventName("wheel-lifts"), "wheel lifts");
    // numbers in the unit of the display
    setNames({ channels: [{ name: "roll", unit: "rad" }, { name: "margin", unit: "1" }], hud: [{ kind: "margin", channel: "margin" }] } as unknown as SceneMessage);
    assert.equal(told("roll is above 0.698131701"), "roll is above 40°");
    assert.equal(told("margin is below 0.001"), "Stability is below 0.1 %");
});

test("a touch says what, where, how fast and how hard in both languages", () => {
    setNames({ spanish: { forks: "horquilla", lorry: "camión" }, channels: [], inputs: [], parameters: [] } as unknown as SceneMessage);
    const hit = { a: "forks", b: "lorry", at: [14.123, -2, 0.8], speed: 1.5234, closing: 1.5, force: 84312, energy: 523.4, over: true } as const;
    const message = { type: "event", t: 1, name: "crashes", text: "hit.solid.normal is above 1", number: 3, hit: { ...hit, at: [...hit.at] as [number, number, number] } } as const;
    setLanguage("en");
    assert.equal(eventText(message), "forks against lorry (14.1; −2.0; 0.8) m, 1.52 m/s, largest force 84.3 kN, energy taken 523 J");
    setLanguage("es");
    assert.equal(eventText(message), "horquilla contra camión (14,1; −2,0; 0,8) m, 1,52 m/s, fuerza máxima 84,3 kN, energía absorbida 523 J");
    assert.equal(eventText({ ...message, hit: { ...message.hit, force: 0 } }), "horquilla contra camión (14,1; −2,0; 0,8) m, 1,52 m/s");
});
