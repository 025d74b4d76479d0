// SPDX-License-Identifier: MIT
// The engine for programs in JavaScript: Biela (one module and its disk), Model, Sim. The npm package is made of this file
// (npm/), and so is whatever in the page runs models of its own.

import type { EngineFactory, EngineModule, Pointer } from "./module.ts";
import { unpack } from "./pack.ts";

/** One thing that was said about a model: where it stands, what is wrong and what to do. */
export interface Issue {
    severity: "error" | "warning" | "note";
    /** file, line and column from 1; "" and 0 where it is not about a place */
    file: string;
    line: number;
    column: number;
    /** "joints.B.axis" */
    where: string;
    message: string;
}

/** A mistake in a model, a run or a call; `issues` has the mistakes of a model. */
export class BielaError extends Error {
    constructor(
        message: string,
        readonly issues: Issue[] = [],
    ) {
        super(message);
        this.name = "BielaError";
    }
}

export interface Parameter {
    name: string;
    /** in its own unit, as `set` takes it */
    value: number;
    unit: string;
}

export type FileContent = string | Uint8Array | ArrayBuffer;

export interface ModelOptions {
    /** where the text stands on the engine's disk; files are found from its folder */
    path?: string;
    /** what the model reads besides: tables, meshes, included files, by their names in the model */
    files?: Record<string, FileContent>;
    /** parameters: numbers in their own unit, or expressions such as "2 m" */
    set?: Record<string, number | string>;
    /** a named case of the model's `runs` */
    run?: string;
}

/** Options of a run, as in the section `run` and on the command line: time, dt, every, scheme, formulation, ... */
export type SimOptions = Record<string, number | string>;

export interface RunOptions {
    /** names of the channels to keep; without it all */
    channels?: string[];
    /** called after each row, with the part of the run that is done; false ends the run */
    progress?: (done: number) => boolean | void;
}

/** Columns over time. */
export interface Result {
    t: Float64Array;
    columns: Record<string, Float64Array>;
    units: Record<string, string>;
    /** the run ended early: by an event of the model, by `progress`, or because a step failed */
    ended: "done" | "event" | "asked" | "failed";
    /** why a step failed */
    failure: string;
    /** of the state at the end: equal hashes are equal bits */
    hash: string;
}

export interface Verdict {
    outcome: "good" | "doubtful" | "bad";
    words: string;
}

/** What a command printed. */
export interface CommandOutput {
    code: number;
    printed: string[];
    told: string[];
}

const SEVERITIES = ["error", "warning", "note"] as const;
const OUTCOMES = ["good", "doubtful", "bad"] as const;
const STEPS_PER_CALL = 100000;
const UNSET = 0;

function bytesOf(content: FileContent): Uint8Array {
    return typeof content === "string" ? new TextEncoder().encode(content) : content instanceof Uint8Array ? content : new Uint8Array(content);
}

function folderOf(path: string): string {
    return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** name=value lines, as the engine takes them */
function lines(pairs: Record<string, number | string>): string {
    return Object.entries(pairs)
        .map(([name, value]) => {
            const text = String(value);
            if (/[\n=]/.test(name) || /\n/.test(text) || text === "" || name === "") {
                throw new BielaError(`${name}: ${JSON.stringify(text)} is no value`);
            }
            return `${name}=${text}`;
        })
        .join("\n");
}

/** One engine: a module of WebAssembly with a memory and a disk of its own. */
export class Biela {
    private printed: string[] = [];
    private told: string[] = [];
    private broken: string | null = null;

    private constructor(readonly module: EngineModule) {}

    /** `factory` is what biela.js defines; load() of the npm package knows where it is. */
    static async create(factory: EngineFactory, options: Record<string, unknown> = {}): Promise<Biela> {
        const heard: { biela: Biela | null } = { biela: null };
        const module = await factory({
            ...options,
            print: (line: string) => heard.biela?.printed.push(line),
            printErr: (line: string) => heard.biela?.told.push(line),
        });
        heard.biela = new Biela(module);
        module.FS.chdir("/");
        return heard.biela;
    }

    get version(): string {
        return this.text(this.module._api_version());
    }

    // ---- disk --------------------------------------------------------------------------------------------------------

    /** Writes a file onto the engine's disk; folders are made. */
    write(path: string, content: FileContent): void {
        const whole = path.startsWith("/") ? path : `/${path}`;
        this.module.FS.mkdirTree(folderOf(whole));
        this.module.FS.writeFile(whole, bytesOf(content));
    }

    read(path: string): Uint8Array {
        return this.module.FS.readFile(path);
    }

    has(path: string): boolean {
        return this.module.FS.analyzePath(path).exists;
    }

    /** The files of a pack (models.pack): afterwards models are found by their names. */
    addPack(pack: ArrayBuffer): void {
        for (const file of unpack(pack)) {
            this.write(file.path, file.bytes);
        }
    }

    // ---- models --------------------------------------------------------------------------------------------------------

    /** A model from the text of a model file (YAML or JSON). Mistakes are in its `issues`; nothing is thrown. */
    model(text: string, options: ModelOptions = {}): Model {
        const path = options.path ?? "/model.yaml";
        const whole = path.startsWith("/") ? path : `/${path}`;
        this.write(whole, text);
        for (const [name, content] of Object.entries(options.files ?? {})) {
            this.write(name.startsWith("/") ? name : `${folderOf(whole)}/${name}`, content);
        }
        return this.open(whole, options);
    }

    /** A model that stands on the disk, by its path or, after addPack, by its name. */
    open(pathOrName: string, options: ModelOptions = {}): Model {
        const settings = lines(options.set ?? {});
        const handle = this.guard(() => this.withTexts([pathOrName, options.run ?? "", settings], ([model, run, set]) => this.module._api_model_read(model!, run!, set!)));
        return new Model(this, handle);
    }

    /** A command of `biela` to its end: biela.command(["check", "/model.yaml", "--json"]). */
    command(words: string[]): CommandOutput {
        this.printed = [];
        this.told = [];
        // under Node the module sets the exit code of the program around it
        const around = (globalThis as { process?: { exitCode?: number } }).process;
        const before = around?.exitCode;
        const code = this.guard(() => this.module.callMain(words)) ?? 0;
        if (around) {
            around.exitCode = before;
        }
        return { code, printed: this.printed, told: this.told };
    }

    // ---- for Model and Sim -----------------------------------------------------------------------------------------------

    /** Calls into the engine. When it ended by itself (no memory is left), it can never be used again. */
    guard<T>(call: () => T): T {
        if (this.broken) {
            throw new BielaError(this.broken);
        }
        try {
            return call();
        } catch (error) {
            if (error instanceof BielaError) {
                throw error;
            }
            const why = error instanceof RangeError || error instanceof WebAssembly.RuntimeError ? error.message : this.told.join(" ");
            this.broken = `the engine has stopped: ${why || String(error)}`;
            throw new BielaError(this.broken);
        }
    }

    text(at: Pointer): string {
        return at ? this.module.UTF8ToString(at) : "";
    }

    withTexts<T>(texts: string[], use: (at: Pointer[]) => T): T {
        const at = texts.map((text) => this.put(new TextEncoder().encode(`${text}\0`)));
        try {
            return use(at);
        } finally {
            at.forEach((pointer) => this.module._free(pointer));
        }
    }

    /** A copy in the engine's memory; _free ends it. */
    put(bytes: Uint8Array): Pointer {
        const at = this.module._malloc(bytes.length || 1);
        if (!at) {
            throw new BielaError("the engine has no memory left");
        }
        this.module.HEAPU8.set(bytes, at);
        return at;
    }

    issues(report: Pointer): Issue[] {
        const { module } = this;
        return Array.from({ length: module._api_issue_count(report) }, (_, k) => ({
            severity: SEVERITIES[module._api_issue_number(report, k, 0)] ?? "error",
            file: this.text(module._api_issue_text(report, k, 0)),
            line: module._api_issue_number(report, k, 1),
            column: module._api_issue_number(report, k, 2),
            where: this.text(module._api_issue_text(report, k, 1)).replace(/^--/, ""),
            message: this.text(module._api_issue_text(report, k, 2)),
        }));
    }
}

export const errorsOf = (issues: Issue[]): Issue[] => issues.filter((issue) => issue.severity === "error");

function wordsOf(issues: Issue[]): string {
    return errorsOf(issues)
        .map((issue) => `${issue.file ? `${issue.file}:${issue.line}:${issue.column}: ` : ""}${issue.where ? `${issue.where}: ` : ""}${issue.message}`)
        .join("\n");
}

/** What a mechanism is. `free` ends it; runs of it live on. */
export class Model {
    /** all that reading it said; check() also compiles it */
    readonly issues: Issue[];
    private handle: Pointer;

    constructor(
        readonly biela: Biela,
        handle: Pointer,
    ) {
        this.handle = handle;
        this.issues = biela.issues(biela.module._api_model_report(handle));
    }

    /** it was read without mistakes */
    get isUsable(): boolean {
        return errorsOf(this.issues).length === 0;
    }

    get name(): string {
        return this.biela.text(this.biela.module._api_model_name(this.at));
    }

    /** what the model says about its run, s; every is 0 where it does not */
    get run(): { time: number; dt: number; every: number } {
        const number = (which: number) => this.biela.module._api_model_run(this.at, which);
        return { time: number(0), dt: number(1), every: number(2) };
    }

    get parameters(): Parameter[] {
        const { module } = this.biela;
        return Array.from({ length: module._api_parameter_count(this.at) }, (_, k) => ({
            name: this.biela.text(module._api_parameter_name(this.at, k)),
            value: module._api_parameter_value(this.at, k),
            unit: this.biela.text(module._api_parameter_unit(this.at, k)),
        }));
    }

    /** As `biela check`: reads, compiles, assembles. All that was said, mistakes first found first. */
    check(): Issue[] {
        if (!this.isUsable) {
            return this.issues;
        }
        const sim = Sim.make(this, {});
        try {
            return [...this.issues, ...sim.issues];
        } finally {
            sim.free();
        }
    }

    /** A run of it, started. A model with mistakes is a BielaError with `issues`. */
    sim(options: SimOptions = {}): Sim {
        if (!this.isUsable) {
            throw new BielaError(wordsOf(this.issues), this.issues);
        }
        const sim = Sim.make(this, options);
        if (!sim.isReady) {
            const { issues } = sim;
            sim.free();
            throw new BielaError(wordsOf(issues), issues);
        }
        return sim;
    }

    free(): void {
        if (this.handle !== UNSET) {
            this.biela.module._api_model_free(this.handle);
            this.handle = UNSET;
        }
    }

    get at(): Pointer {
        if (this.handle === UNSET) {
            throw new BielaError("this model was freed");
        }
        return this.handle;
    }
}

/**
 * A run of a model. Arrays are the engine's own memory, not copies: `inputs` is written, the others are read, and each is
 * to be asked for again after the next call (memory may have grown and moved).
 */
export class Sim {
    /** all that compiling and starting said */
    readonly issues: Issue[];
    readonly isReady: boolean;
    private handle: Pointer;
    private names = new Map<number, string[]>();

    private constructor(
        readonly biela: Biela,
        handle: Pointer,
    ) {
        this.handle = handle;
        this.issues = biela.issues(biela.module._api_sim_report(handle));
        this.isReady = biela.module._api_sim_is_ready(handle) !== 0;
    }

    static make(model: Model, options: SimOptions): Sim {
        const { biela } = model;
        const text = lines(options);
        return new Sim(biela, biela.guard(() => biela.withTexts([text], ([at]) => biela.module._api_sim_create(model.at, at!))));
    }

    // ---- going on ------------------------------------------------------------------------------------------------------

    /** now, s */
    get t(): number {
        return this.number(0);
    }

    /** length of a step, s */
    get dt(): number {
        return this.number(1);
    }

    /** steps since the start */
    get steps(): number {
        return this.biela.module._api_sim_step_count(this.at);
    }

    /** an event of the model has ended the run */
    get isStopped(): boolean {
        return this.biela.module._api_sim_stopped(this.at) !== 0;
    }

    /** (Again) to the beginning; inputs stay as they are set. */
    start(): void {
        const isStarted = this.biela.guard(() => this.biela.module._api_sim_start(this.at));
        if (!isStarted) {
            const issues = this.biela.issues(this.biela.module._api_sim_report(this.at));
            throw new BielaError(wordsOf(issues), issues);
        }
    }

    /** So many steps of dt; a step that fails is a BielaError, and the run stays where it is. */
    step(count = 1): void {
        if (!Number.isInteger(count) || count < 0) {
            throw new BielaError(`${count} is no number of steps`);
        }
        for (let left = count; left > 0 && !this.isStopped; left -= STEPS_PER_CALL) {
            this.done(this.biela.guard(() => this.biela.module._api_sim_steps(this.at, Math.min(left, STEPS_PER_CALL))));
        }
    }

    /** Steps until the time is t, s. */
    runTo(t: number): void {
        this.done(this.biela.guard(() => this.biela.module._api_sim_run_to(this.at, t)));
    }

    /** The whole run from its start with the inputs as they are set, by the steps of `biela run`, whose hash it has at the end. */
    run(options: RunOptions = {}): Result {
        const names = options.channels ?? this.channelNames;
        const { module } = this.biela;
        this.start();
        this.choose(names);
        const t: number[] = [];
        const rows: Float64Array[] = [];
        const [begin, length] = [this.number(4), this.number(2)];
        const keep = () => {
            t.push(this.t);
            module._api_sim_row(this.at);
            rows.push(this.array(this.row, names.length).slice());
        };
        let ended: Result["ended"] = "done";
        keep();
        for (;;) {
            const found = this.biela.guard(() => module._api_sim_next_row(this.at, STEPS_PER_CALL));
            if (found < 0) {
                ended = found === -2 ? "failed" : this.isStopped ? "event" : "done";
                break;
            }
            if (found === 1) {
                keep();
            }
            if (options.progress?.((this.t - begin) / (length || 1)) === false) {
                ended = "asked";
                break;
            }
        }
        const columns = Object.fromEntries(names.map((name, k) => [name, Float64Array.from(rows, (row) => row[k]!)]));
        const units = Object.fromEntries(names.map((name) => [name, this.unit(name)]));
        return { t: Float64Array.from(t), columns, units, ended, failure: ended === "failed" ? this.failure : "", hash: this.hash };
    }

    private row: Pointer = UNSET;

    private choose(names: string[]): void {
        const which = Int32Array.from(names, (name) => this.channel(name));
        const at = this.biela.put(new Uint8Array(which.buffer));
        this.row = this.biela.module._api_sim_choose(this.at, at, names.length);
        this.biela.module._free(at);
    }

    // ---- numbers -------------------------------------------------------------------------------------------------------

    get channelNames(): string[] {
        return this.list(0);
    }

    get inputNames(): string[] {
        return this.list(1);
    }

    /** the ground is the first */
    get bodyNames(): string[] {
        return this.list(2);
    }

    /** the place of a channel in `channels` */
    channel(name: string): number {
        return this.place(0, name, "channel");
    }

    /** the place of an input in `inputs` */
    input(name: string): number {
        return this.place(1, name, "input");
    }

    unit(channel: string): string {
        return this.biela.text(this.biela.module._api_channel_unit(this.at, this.channel(channel)));
    }

    /** One channel now. */
    read(channel: string): number {
        return this.biela.module._api_sim_read(this.at, this.channel(channel));
    }

    /** Sets an input; it holds until it is set again. */
    set(input: string, value: number): void {
        this.inputs[this.input(input)] = value;
    }

    /** the inputs themselves: what is written counts from the next step on */
    get inputs(): Float64Array {
        return this.array(this.biela.module._api_sim_inputs(this.at), this.biela.module._api_sim_count(this.at, 1));
    }

    /** all channels now */
    get channels(): Float64Array {
        return this.array(this.biela.module._api_sim_channels(this.at), this.biela.module._api_sim_count(this.at, 0));
    }

    /** 7 numbers a body: position x y z in m, rotation w x y z */
    get poses(): Float64Array {
        return this.viewed(0, 7 * this.biela.module._api_sim_count(this.at, 2));
    }

    /** 6 numbers a body: velocity and angular velocity, m/s and rad/s */
    get twists(): Float64Array {
        return this.viewed(1, 6 * this.biela.module._api_sim_count(this.at, 2));
    }

    get q(): Float64Array {
        return this.viewed(2, this.biela.module._api_sim_count(this.at, 3));
    }

    get v(): Float64Array {
        return this.viewed(3, this.biela.module._api_sim_count(this.at, 3));
    }

    // ---- what it is worth -------------------------------------------------------------------------------------------------

    /** of everything that changes during a run, 16 digits: equal on every machine, native or not */
    get hash(): string {
        return this.biela.text(this.biela.module._api_sim_hash(this.at));
    }

    /** of the model, its parameters and options */
    get modelHash(): string {
        return this.biela.text(this.biela.module._api_system_hash(this.at));
    }

    get verdict(): Verdict {
        const outcome = OUTCOMES[this.biela.module._api_sim_verdict(this.at)] ?? "bad";
        return { outcome, words: this.biela.text(this.biela.module._api_sim_words(this.at)) };
    }

    get events(): { name: string; t: number }[] {
        const { module } = this.biela;
        return Array.from({ length: module._api_sim_count(this.at, 4) }, (_, k) => ({ name: this.biela.text(module._api_event_name(this.at, k)), t: module._api_event_time(this.at, k) }));
    }

    // ---- going back ----------------------------------------------------------------------------------------------------------

    /** All that changes during a run, as bytes. */
    save(): Uint8Array {
        const { module } = this.biela;
        const size = module._api_sim_save(this.at, UNSET, 0);
        const at = this.biela.put(new Uint8Array(size));
        const bytes = (module._api_sim_save(this.at, at, size), module.HEAPU8.slice(at, at + size));
        module._free(at);
        return bytes;
    }

    /** Back to where save() was; bytes of another model are a BielaError, and nothing changes. */
    load(bytes: Uint8Array): void {
        const at = this.biela.put(bytes);
        const status = this.biela.module._api_sim_load(this.at, at, bytes.length);
        this.biela.module._free(at);
        this.done(status);
    }

    free(): void {
        if (this.handle !== UNSET) {
            this.biela.module._api_sim_free(this.handle);
            this.handle = UNSET;
        }
    }

    // ---- inside ------------------------------------------------------------------------------------------------------------

    private get at(): Pointer {
        if (this.handle === UNSET) {
            throw new BielaError("this run was freed");
        }
        return this.handle;
    }

    private get failure(): string {
        return this.biela.text(this.biela.module._api_sim_failure(this.at));
    }

    private done(status: number): void {
        if (status !== 0) {
            const words = this.biela.text(this.biela.module._api_status_text(status));
            throw new BielaError(this.failure ? `${words}: ${this.failure}` : words);
        }
    }

    private number(which: number): number {
        return this.biela.module._api_sim_number(this.at, which);
    }

    private viewed(which: number, count: number): Float64Array {
        return this.array(this.biela.module._api_sim_view(this.at, which), count);
    }

    private array(at: Pointer, count: number): Float64Array {
        return new Float64Array(this.biela.module.HEAPU8.buffer, at, at ? count : 0);
    }

    private list(which: number): string[] {
        let found = this.names.get(which);
        if (!found) {
            const { module } = this.biela;
            found = Array.from({ length: module._api_sim_count(this.at, which) }, (_, k) => this.biela.text(module._api_sim_name(this.at, which, k)));
            this.names.set(which, found);
        }
        return found;
    }

    private place(which: number, name: string, what: string): number {
        const k = this.list(which).indexOf(name);
        if (k < 0) {
            throw new BielaError(`there is no ${what} '${name}'; there are ${this.list(which).join(", ")}`);
        }
        return k;
    }
}
