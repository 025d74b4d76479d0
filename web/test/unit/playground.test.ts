// SPDX-License-Identifier: MIT
// The playground's thinking: where a cursor is, what fits there, links, lines that buttons write.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { optionsAt } from "../../src/playground/completion.ts";
import { inSpanish, SENTENCES } from "../../src/playground/messages_es.ts";
import { ModelSchema, unitOf, type Schema } from "../../src/playground/schema.ts";
import { thinned } from "../../src/playground/chart.ts";
import { BadLink, pack, unpackLink, type Shared } from "../../src/playground/share.ts";
import { GUIDE_PENDULUM, emptyModel, outputChange, progressOf, snippetChange, withParameter, type Snippet } from "../../src/playground/snippets.ts";
import { SPANISH } from "../../src/playground/spanish.ts";
import { sweepValues } from "../../src/playground/sweep.ts";
import { child, placeAt, readTree } from "../../src/playground/tree.ts";
import { PLAY_WORDS } from "../../src/playground/words.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const schemaText = read("docs/reference/biela.schema.json");
const schema = new ModelSchema(JSON.parse(schemaText) as Schema);

/** what fits where "|" stands */
function labels(text: string): string[] {
    const at = text.indexOf("|");
    return optionsAt(text.replace("|", ""), at, schema)?.options.map((option) => option.label) ?? [];
}

test("a tree has the guide's pendulum with its places", () => {
    const root = readTree(GUIDE_PENDULUM);
    const rod = child(child(root, "bodies"), "rod")!;
    assert.deepEqual(rod.children.map((one) => one.key), ["mass", "com", "inertia", "turn"]);
    assert.equal(child(child(root, "parameters"), "theta0")!.text, "30 deg");
    assert.equal(child(rod, "com")!.children.length, 3);
    const mass = child(rod, "mass")!;
    assert.equal(GUIDE_PENDULUM.slice(mass.from, mass.to), "m");
});

test("every model of the gallery is read as the engine reads it: no section is missing, none too many", () => {
    const sections = new Set(Object.keys((JSON.parse(schemaText) as Schema).properties!));
    const files = execFileSync("find", [new URL("../../../models", import.meta.url).pathname, "-name", "model.yaml"]).toString().trim().split("\n");
    assert.ok(files.length > 50);
    for (const file of files) {
        const keys = readTree(readFileSync(file, "utf8")).children.map((one) => one.key);
        assert.deepEqual(keys.filter((key) => !sections.has(key) && !key.startsWith("x-")), [], file);
    }
});

test("a bracket that is open ends where only a key of the outer block can stand", () => {
    const root = readTree("bodies:\n  a: {mass: 1, com: [0, \njoints:\n  j: {type: revolute}\n");
    assert.deepEqual(root.children.map((one) => one.key), ["bodies", "joints"]);
    assert.equal(child(child(root, "joints"), "j")!.children[0]!.text, "revolute");
});

test("lists, anchors, comments and long texts keep their places", () => {
    const root = readTree("description: |\n  many: words\n  here\nparts:\n- &a {x: 1} # one\n- y: 2\n  z: 3\n'quoted key': \"a # b\"\n");
    assert.deepEqual(root.children.map((one) => one.key), ["description", "parts", "quoted key"]);
    assert.deepEqual(child(root, "parts")!.children.map((one) => one.children.map((inner) => inner.key).join()), ["x", "y,z"]);
    assert.equal(child(root, "quoted key")!.text, "a # b");
});

test("the place of the cursor is found by columns and by brackets", () => {
    const text = "bodies:\n  rod:\n    mass: 1\n    \njoints:\n";
    const place = placeAt(readTree(text), text, text.indexOf("\njoints"));
    assert.equal(place.owner.key, "rod");
    assert.ok(place.isKey);
    const flow = "bodies: {rod: {mass: 1, }}";
    assert.equal(placeAt(readTree(flow), flow, flow.indexOf("}}")).owner.key, "rod");
});

test("keys fit their place: sections, bodies, joints, forces by their type, and none twice", () => {
    assert.ok(["bodies", "joints", "gravity", "run"].every((name) => labels("biela: 1\n|").includes(name)));
    const body = labels("bodies:\n  rod: {mass: 1, |}");
    assert.ok(body.includes("com") && body.includes("inertia") && !body.includes("mass") && !body.includes("stiffness"));
    assert.ok(labels("bodies:\n  rod:\n    m|").includes("mass"));
    assert.ok(labels("forces:\n  s: {type: spring, |}").includes("stiffness"));
    assert.ok(!labels("forces:\n  s: {type: torque, |}").includes("stiffness"));
    assert.ok(labels("bodies:\n  rod: {inertia: {|}}").includes("sphere"));
    assert.ok(labels("outputs:\n  tip: {point: {|}}").includes("body"));
});

test("values fit their key: kinds, names of the model, parameters, units", () => {
    assert.ok(labels("joints:\n  j: {type: |}").includes("revolute"));
    const bodies = labels("bodies:\n  rod: {mass: 1}\njoints:\n  j: {type: revolute, bodies: [ground, |]}");
    assert.ok(bodies.includes("rod") && bodies.includes("ground"));
    assert.deepEqual(labels("joints:\n  pivot: {type: revolute}\noutputs:\n  a: {joint: |}"), ["pivot"]);
    assert.ok(labels("parameters:\n  L: 1 m\nbodies:\n  rod: {mass: |}").includes("L"));
    assert.ok(labels("run: {time: 5 |}").includes("ms"));
    assert.deepEqual(labels("bodies: # |"), []);
});

test("help tells units", () => {
    assert.equal(unitOf("of the body, kg; 0, the default: a massless body"), "kg");
    assert.equal(unitOf("centre of mass in the body frame, m"), "m");
    assert.equal(unitOf("N*s/m, damping"), "N*s/m");
    assert.equal(unitOf("free text"), "");
});

test("a link holds a model and gives it back, and any damage is found", async () => {
    const shared: Shared = { version: 1, text: GUIDE_PENDULUM + "# ñ 🙂\n", plots: ["swing.angle"], hash: "a058f7d9664b671f", files: { "a.csv": "dCx4Cg==" } };
    const link = await pack(shared);
    assert.ok(link.length < 700, `${link.length} letters`);
    assert.deepEqual(await unpackLink(link), shared);
    assert.equal(await unpackLink("#somewhere"), null);
    for (let k = "#text=".length; k < link.length; k += 7) {
        const letter = link[k] === "a" ? "b" : "a";
        await assert.rejects(unpackLink(link.slice(0, k) + letter + link.slice(k + 1)), BadLink, `letter ${k}`);
        await assert.rejects(unpackLink(link.slice(0, k)), BadLink, `cut at ${k}`);
    }
    const newer = await pack({ ...shared, version: 2 } as unknown as Shared);
    await assert.rejects(unpackLink(newer), (error: BadLink) => error.isNewer);
});

test("buttons write a double pendulum, and each step is seen to be done", () => {
    let text = emptyModel("en");
    const press = (what: Snippet) => {
        for (const change of [outputChange(text, what), snippetChange(text, what)]) {
            // as the page does: the second change is made in the changed text
            const now = change && change.insert.includes("{joint:") ? change : snippetChange(text, what);
            if (change) {
                text = text.slice(0, now.from) + now.insert + text.slice(now.to);
            }
        }
    };
    assert.deepEqual(progressOf(text), { isEmpty: true, rods: 0, pivots: 0, elbows: 0 });
    (["rod", "joint", "rod", "joint"] as const).forEach(press);
    assert.deepEqual(progressOf(text), { isEmpty: true, rods: 2, pivots: 1, elbows: 1 });
    const root = readTree(text);
    assert.deepEqual(child(root, "joints")!.children.map((one) => child(one, "bodies")!.children.map((body) => body.text).join()), ["ground,rod1", "rod1,rod2"]);
    assert.deepEqual(child(root, "outputs")!.children.map((one) => one.key), ["hinge1", "hinge2"]);
    (["ball", "box", "slider", "spring", "damper", "motor", "output", "parameter", "run"] as const).forEach(press);
    assert.deepEqual(readTree(text).children.map((one) => one.key), ["biela", "name", "parameters", "gravity", "bodies", "joints", "forces", "outputs", "run"]);
});

test("a value of the sweep goes into the text, and only there", () => {
    assert.equal(withParameter("parameters:\n  L: 1 m # length\n", "L", "2.5"), "parameters:\n  L: 2.5 m # length\n");
    assert.equal(withParameter("parameters:\n  L: {value: 1, unit: m}\n", "L", "2"), "parameters:\n  L: {value: 2, unit: m}\n");
    assert.equal(withParameter("parameters:\n  L: 2*R\n", "L", "3"), null);
    assert.equal(withParameter("parameters:\n  L: R\n", "L", "2"), null);
    assert.deepEqual(sweepValues(0, 1, 5), [0, 0.25, 0.5, 0.75, 1]);
});

test("every word is in both languages, and no help is translated that does not exist", () => {
    for (const [name, [english, spanish]] of Object.entries(PLAY_WORDS)) {
        assert.ok(english && spanish, name);
    }
    const descriptions = new Set([...schemaText.matchAll(/"description": ("(?:[^"\\]|\\.)*")/g)].map((match) => JSON.parse(match[1]!) as string));
    assert.deepEqual(Object.keys(SPANISH).filter((help) => !descriptions.has(help)), []);
});

test("sentences of the checker that have Spanish are sentences of the engine", () => {
    const sources = execFileSync("grep", ["-rhE", '"', ...["src", "app"].map((room) => new URL(`../../../${room}`, import.meta.url).pathname), "--include=*.c", "--include=*.h"], { maxBuffer: 1 << 26 }).toString().replace(/"\s*\n\s*"/g, "");
    for (const [pattern] of SENTENCES) {
        // the longest piece of plain words in the pattern stands in the sources
        const words = pattern.source.split(/\\[wd]|[^A-Za-z ]+/).sort((a, b) => b.length - a.length)[0]!.trim();
        assert.ok(sources.includes(words), words);
    }
    assert.equal(inSpanish("unknown key 'mas' (did you mean 'mass'?)"), "clave desconocida 'mas' (¿querías decir 'mass'?)");
    assert.equal(inSpanish("there is no body called 'rot' (did you mean 'rod'?)"), "no hay sólido con el nombre 'rot' (¿querías decir 'rod'?)");
    assert.equal(inSpanish("'3*pivot.rat + foo(2)': unknown function 'foo', did you mean 'floor'?"), "'3*pivot.rat + foo(2)': función desconocida 'foo', ¿querías decir 'floor'?");
    assert.equal(inSpanish("needs exactly one of 'box', 'rod' and 'mesh'"), "necesita exactamente uno de 'box', 'rod' y 'mesh'");
    assert.equal(inSpanish("something new"), null);
});

test("curves with more rows than a picture can show keep every peak and both ends", () => {
    const values = Float64Array.from({ length: 40000 }, (_, k) => Math.sin(k / 3000));
    values[17777] = 9;
    values[31013] = -7;
    values[39999] = 0.5;
    const kept = thinned(values);
    assert.ok(kept.length <= 1600, `${kept.length} points`);
    assert.ok(kept.every((row, k) => k === 0 || row > kept[k - 1]!), "in order, none twice");
    for (const row of [0, 17777, 31013, 39999]) {
        assert.ok(kept.includes(row), `row ${row}`);
    }
    assert.deepEqual(thinned(Float64Array.of(1, 2, 3)), [0, 1, 2]);
    assert.deepEqual(thinned(new Float64Array(0)), []);
});
