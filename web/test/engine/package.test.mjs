// SPDX-License-Identifier: MIT
// The engine as a package for programs in JavaScript (build/npm): models as data, runs, arrays without copies, snapshots.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const folder = join(root, "build/npm");
const command = process.env.BIELA ?? join(root, "build/biela");
const skip = !existsSync(join(folder, "node.js")) ? "no build/npm: tools/page makes it" : false;

const ROD = `biela: 1
name: a rod
parameters:
  length: {value: 1, unit: m}
bodies:
  rod: {mass: 2, com: [length/2, 0, 0], inertia: {rod: [length, 0, 0]}}
joints:
  pin: {type: revolute, bodies: [ground, rod], axis: [0, 1, 0]}
inputs:
  push: {initial: 0}
forces:
  motor: {type: torque, joint: pin, torque: push}
outputs:
  pin: {joint: pin}
run: {time: 1, dt: 1 ms, every: 10 ms}
`;

let biela, lib;
before(async () => {
    if (!skip) {
        lib = await import(join(folder, "node.js"));
        biela = await lib.load({ models: true });
    }
});

test("a model from its text runs, and its columns are those of the file that the command writes", { skip }, () => {
    const work = mkdtempSync(join(tmpdir(), "biela-package-"));
    try {
        writeFileSync(join(work, "rod.yaml"), ROD);
        const told = JSON.parse(execFileSync(command, ["run", "rod.yaml", "--out", "rod.csv", "--json"], { cwd: work, stdio: ["ignore", "pipe", "ignore"] }));
        const table = readFileSync(join(work, "rod.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
        const sim = biela.model(ROD).sim();
        const found = sim.run();
        assert.equal(found.ended, "done");
        assert.equal(found.hash, told.hash);
        assert.deepEqual(["t", ...Object.keys(found.columns)], table[0]);
        table[0].forEach((name, k) => {
            const column = name === "t" ? found.t : found.columns[name];
            assert.deepEqual([...column], table.slice(1).map((row) => Number(row[k])), name);
        });
        assert.equal(found.units["pin.angle"], "rad");
        assert.equal(sim.verdict.outcome, "good");
        sim.free();
    } finally {
        rmSync(work, { recursive: true, force: true });
    }
});

test("mistakes are data: file, line, column, where and what to do, all of them at once", { skip }, () => {
    const model = biela.model("biela: 1\nname: bad\nbodies:\n  a: {mas: 1}\njoints:\n  j: {type: revolut, bodies: [ground, a]}\n", { path: "/mine/bad.yaml" });
    assert.equal(model.isUsable, false);
    const errors = model.issues.filter((issue) => issue.severity === "error");
    assert.deepEqual(errors.map(({ file, line }) => [file, line]).slice(0, 2), [["/mine/bad.yaml", 4], ["/mine/bad.yaml", 6]]);
    assert.ok(errors.every((issue) => issue.column > 0 && issue.message.length > 0 && issue.where.length > 0));
    assert.throws(() => model.sim(), (error) => error instanceof lib.BielaError && error.issues.length === model.issues.length);
    // what only compiling finds
    const loose = biela.model("biela: 1\nname: bad\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\noutputs:\n  x: {expr: nothing.angle}\n");
    assert.ok(loose.check().some((issue) => issue.severity === "error"));
    assert.equal(biela.model("}{").isUsable, false);
    assert.equal(biela.model("").isUsable, false);
    assert.equal(biela.open("no-such-model").isUsable, false);
});

test("parameters, named runs, files and options", { skip }, () => {
    assert.deepEqual(biela.model(ROD).parameters, [{ name: "length", value: 1, unit: "m" }]);
    const [long, short] = [biela.model(ROD, { set: { length: 2 } }), biela.model(ROD)];
    assert.equal(long.parameters[0].value, 2);
    assert.notEqual(long.sim().modelHash, short.sim().modelHash);
    assert.equal(short.sim({ dt: "2 ms" }).dt, 2e-3);
    assert.equal(short.sim({ time: 0.5 }).run({ channels: ["pin.angle"] }).t.at(-1), 0.5);
    assert.throws(() => short.sim({ tim: 1 }), /tim: is no option of a run/);
    assert.throws(() => short.sim({ dt: "two" }), lib.BielaError);
    assert.throws(() => short.sim({ manoeuvre: "x.csv" }), /belongs to the model/);
    assert.throws(() => biela.model(ROD, { set: { "a\nb": 1 } }), lib.BielaError);
    assert.equal(biela.model(ROD, { set: { lenght: 2 } }).isUsable, false);
    const split = biela.model("biela: 1\nname: whole\ninclude: {file: rod.yaml}\n", { path: "/parts/whole.yaml", files: { "rod.yaml": ROD } });
    assert.deepEqual(split.issues, []);
    assert.deepEqual(biela.open("pendulum", { run: "no-such-run" }).isUsable, false);
});

test("arrays are the engine's own memory, and a sim goes back to the bit", { skip }, () => {
    const model = biela.model(ROD);
    const sim = model.sim();
    model.free(); // runs of it live on
    assert.equal(sim.inputs.buffer, biela.module.HEAPU8.buffer);
    sim.step(100);
    const [kept, hash] = [sim.save(), sim.hash];
    sim.inputs[sim.input("push")] = 5;
    sim.step(100);
    const pushed = sim.hash;
    assert.notEqual(pushed, hash);
    assert.ok(Math.abs(sim.t - 0.2) < 1e-12);
    assert.equal(sim.steps, 200);
    assert.equal(sim.channels[sim.channel("pin.angle")], sim.read("pin.angle"));
    sim.load(kept);
    assert.equal(sim.hash, hash);
    sim.set("push", 5);
    sim.step(100);
    assert.equal(sim.hash, pushed);
    assert.equal(sim.poses.length, 14);
    assert.equal(sim.poses[3], 1);
    kept[kept.length - 1] ^= 1;
    assert.throws(() => sim.load(kept), lib.BielaError);
    assert.equal(sim.hash, pushed);
    sim.start();
    assert.equal(sim.t, 0);
    sim.free();
    assert.throws(() => sim.step(), /freed/);
    assert.throws(() => model.sim(), /freed/);
});

test("a step that fails says why, and what is not there is named", { skip }, () => {
    const sim = biela.model(ROD).sim();
    sim.set("push", NaN);
    const before = sim.t;
    assert.throws(() => sim.step(), /not finite/);
    assert.equal(sim.t, before);
    assert.throws(() => sim.read("pin.angel"), /no channel 'pin.angel'; there are .*pin.angle/);
    assert.throws(() => sim.input("pull"), /push/);
    assert.throws(() => sim.runTo(-1), lib.BielaError);
    assert.throws(() => sim.step(0.5), lib.BielaError);
    assert.throws(() => sim.start(), /input push/);
    sim.set("push", 0);
    assert.equal(sim.run().ended, "done");
    sim.free();
});

test("a run can be asked to end, and events end it", { skip }, () => {
    const sim = biela.model(ROD).sim();
    let calls = 0;
    assert.equal(sim.run({ progress: () => ++calls < 5 }).ended, "asked");
    assert.equal(calls, 5);
    const stops = biela.model(`${ROD}events:\n  low: {condition: pin.angle > 0.5, do: stop}\n`);
    const run = stops.sim();
    assert.equal(run.run().ended, "event");
    assert.equal(run.events[0].name, "low");
});

test("a command to its end, again and again", { skip }, () => {
    biela.write("/rod.yaml", ROD);
    for (let k = 0; k < 3; k++) {
        const { code, printed } = biela.command(["check", "/rod.yaml", "--json"]);
        assert.equal(code, 0);
        assert.equal(JSON.parse(printed.join("\n")).degrees_of_freedom, 1);
    }
    assert.equal(biela.command(["check", "/none.yaml"]).code, 2);
    assert.ok(!process.exitCode, "the code of the command is not that of the program around it");
});

test("hundreds of models and runs leave the memory as it was", { skip }, () => {
    const once = () => {
        const model = biela.model(ROD);
        const sim = model.sim();
        sim.step(10);
        sim.free();
        model.free();
    };
    once();
    const size = biela.module.HEAPU8.length;
    for (let k = 0; k < 300; k++) {
        once();
    }
    assert.equal(biela.module.HEAPU8.length, size);
});

test("the listings of the README and of the guide run", { skip }, () => {
    for (const page of ["web/npm/README.md", "docs/guide/javascript.md"]) {
        const listing = /```js[^\n]*\n([^]*?)```/.exec(readFileSync(join(root, page), "utf8"))[1];
        const program = listing.replace(/from "[^"]+"/, `from ${JSON.stringify(join(folder, "node.js"))}`);
        const printed = execFileSync(process.execPath, ["--input-type=module"], { input: program }).toString();
        assert.match(printed, /[0-9a-f]{16}/, page);
    }
});

test("the types say what is there, and name no place to fetch from", { skip }, () => {
    const use = join(root, "build/npm-use.ts");
    writeFileSync(use, `import { load, type Result } from "./npm/index.js";
export async function go(): Promise<number> {
    const biela = await load({ models: true });
    const result: Result = biela.open("pendulum", { set: { a: 1 } }).sim({ dt: 1e-3 }).run({ channels: ["x"] });
    return result.columns["x"]!.length + result.t.length;
}
`);
    try {
        execFileSync(join(root, "web/node_modules/.bin/tsc"), ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom", "--types", "", use]);
    } finally {
        rmSync(use);
    }
    for (const name of readdirSync(folder).filter((entry) => /\.(json|md|js|d\.ts)$/.test(entry))) {
        assert.doesNotMatch(readFileSync(join(folder, name), "utf8"), /https?:\/\//, name);
    }
});
