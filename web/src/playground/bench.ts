// SPDX-License-Identifier: MIT
// A worker that reads texts and runs models to their end, for the marks, the plots and the sweep. It stays between two texts, so
// that nothing is loaded again; whoever waits too long ends it (desk.ts). web/build.mjs puts biela.js before it.

import { hold, made, Stop, troubleOf, wordsOf } from "../engine/begin.ts";
import { BUILD } from "../engine/build.ts";
import { Biela, BielaError, errorsOf, type Issue, type Model, type Parameter, type Sim } from "../engine/api.ts";
import type { EngineFile, Trouble } from "../engine/messages.ts";
import type { EngineFactory } from "../engine/module.ts";

export type { Issue, Parameter };

export interface Project {
    text: string;
    /** where the text stands on the engine's disk */
    path: string;
    files: EngineFile[];
    /** the pack of models, where the text reads from it */
    pack: ArrayBuffer | null;
}

export interface Checked {
    isGood: boolean;
    issues: Issue[];
}

export interface Outcome {
    isGood: boolean;
    issues: Issue[];
    /** of the last state: equal hashes are equal bits */
    hash: string;
    verdict: string;
    /** why a step failed; "": none did */
    failure: string;
    t: Float64Array;
    columns: { name: string; unit: string; values: Float64Array }[];
    parameters: Parameter[];
}

export type ToBench = { number: number } & ({ kind: "project"; project: Project; build: string } | { kind: "check" } | { kind: "run"; set: Record<string, number> });
export type FromBench = { number: number } & ({ kind: "ready" } | { kind: "checked"; checked: Checked } | { kind: "outcome"; outcome: Outcome } | { kind: "broken"; why: string; trouble?: Trouble });

declare const bielaEngine: EngineFactory;
declare function postMessage(message: FromBench, transfer?: Transferable[]): void;

let opened: Promise<Biela> | null = null;
let project: Project = { text: "", path: "/model.yaml", files: [], pack: null };
let hasPack = false;

async function begin(): Promise<Biela> {
    if (typeof WebAssembly !== "object") {
        throw new Stop("no_wasm", "WebAssembly is not there");
    }
    const name = "biela.wasm";
    const answer = await fetch(BUILD ? `${name}?v=${BUILD}` : name).catch(() => null);
    if (!answer?.ok) {
        throw new Stop("missing", `${name}: ${answer ? answer.status : "no answer"}`);
    }
    const wasmBinary = await answer.arrayBuffer();
    hold(name, wasmBinary);
    return made(Biela.create(bielaEngine, { wasmBinary }));
}

function open(): Promise<Biela> {
    opened ??= begin();
    return opened;
}

async function take(wanted: Project, build: string): Promise<void> {
    if (build !== BUILD) {
        throw new Stop("mixed", `page ${build}, engine ${BUILD}`);
    }
    const biela = await open();
    project = wanted;
    if (project.pack && !hasPack) {
        hold("models.pack", project.pack);
        hasPack = true;
        biela.addPack(project.pack);
    }
    project.files.forEach((file) => biela.write(file.path, file.bytes));
}

/** the model of the text, used and freed */
async function using<T>(set: Record<string, number>, use: (model: Model) => T): Promise<T> {
    const model = (await open()).model(project.text, { path: project.path, set });
    try {
        return use(model);
    } finally {
        model.free();
    }
}

const check = (): Promise<Checked> =>
    using({}, (model) => {
        const issues = model.check();
        return { isGood: errorsOf(issues).length === 0, issues };
    });

/** a run of the model, or its mistakes */
function started(model: Model): Sim | BielaError {
    try {
        return model.sim();
    } catch (error) {
        if (error instanceof BielaError && error.issues.length > 0) {
            return error;
        }
        throw error;
    }
}

const run = (set: Record<string, number>): Promise<Outcome> =>
    using(set, (model) => {
        const outcome: Outcome = { isGood: false, issues: model.issues, hash: "", verdict: "", failure: "", t: new Float64Array(0), columns: [], parameters: model.parameters };
        if (!model.isUsable) {
            return outcome;
        }
        const sim = started(model);
        if (sim instanceof BielaError) {
            return { ...outcome, issues: sim.issues };
        }
        try {
            const result = sim.run();
            const columns = Object.entries(result.columns).map(([name, values]) => ({ name, unit: result.units[name] ?? "", values }));
            return { ...outcome, isGood: true, issues: [...model.issues, ...sim.issues], hash: result.hash, verdict: sim.verdict.words, failure: result.failure, t: result.t, columns };
        } finally {
            sim.free();
        }
    });

onmessage = async (event: MessageEvent<ToBench>) => {
    const message = event.data;
    const { number } = message;
    try {
        if (message.kind === "project") {
            await take(message.project, message.build);
            postMessage({ number, kind: "ready" });
        } else if (message.kind === "check") {
            postMessage({ number, kind: "checked", checked: await check() });
        } else {
            const outcome = await run(message.set);
            postMessage({ number, kind: "outcome", outcome }, [outcome.t.buffer, ...outcome.columns.map((column) => column.values.buffer)]);
        }
    } catch (error) {
        const trouble = troubleOf(error);
        postMessage({ number, kind: "broken", why: wordsOf(error), ...(trouble ? { trouble } : {}) });
    }
};
