// SPDX-License-Identifier: MIT
// The editor of exercises: a map from above on which loads, cones, gates, places, lines and routes are put, moved, turned and taken away;
// weather, faults with their weights; saved as the file of an exercise, loaded again, driven at once.

import { isOneFile } from "../../assets.ts";
import type { ClientMessage, SceneMessage } from "../../protocol.ts";
import { el, localNumber } from "../dom.ts";
import { onLanguage, text, type Word } from "../language.ts";
import { drawShapes } from "../map.ts";
import { said } from "../names.ts";
import { goalOf, mistakes, readScenario, writeScenario, type Goal, type Mistake, type Scenario, type Thing, type Value } from "./exercise_file.ts";

const PIECE = 2000; // bytes of the text in one message
const KEPT = 100; // steps back
const TURN = Math.PI / 12; // rad of one press
const LOADS: [string, Word, number, number][] = [["pallet", "load_pallet", 0.8, 1.2], ["virola", "load_virola", 0.9, 0.9], ["loaded", "load_loaded", 1, 1.2]];
const CONES = 6;
const PARKED: [number, number][] = [[34, -7], [34, 7], [38.6, -12], [38.6, 12], [26, 20], [10, 20]]; // where cones are that no exercise places
const TRUCK: Thing = { id: "truck", label: "", x: 1.6, y: 0, angle: 0, length: 4.4, width: 1.3 };
const FAULTS: Record<string, number> = { collision: 30, "raised-speed": 15, "blind-reversing": 15, "tilted-travel": 10, unstable: 15, "rolls-over": 100 };

type Tool = "gate" | "zone" | "line" | "arrow" | "cone";
const TOOLS: Tool[] = ["gate", "zone", "line", "arrow", "cone"];

const blank = (): Scenario => ({ name: "", title: "", text: "", set: { loads: 0 }, goals: [], faults: { ...FAULTS }, time: 180, rest: { run: "yard", clock: "input" } });

export class ScenarioEditor {
    readonly root = el("section", { class: "scenario", id: "scenario", hidden: true, role: "dialog" });
    onMessage: (message: string, kind: "plain" | "good" | "bad") => void = () => {};
    private canvas = el("canvas", { id: "scenario-map", role: "img", tabindex: "0" });
    private form = el("div", { class: "scenario-form" });
    private told = el("ul", { class: "scenario-told", id: "scenario-told", role: "alert" });
    private scene: SceneMessage | null = null;
    private scenario = blank();
    private before: string[] = []; // steps back
    private chosen = ""; // id of a thing
    private tool: Tool | null = null;
    private centre: [number, number] = [12, 0];
    private span = 44; // m across the map
    private isHeld = false;
    private willDrive = false;
    private wasSaved = ""; // name that may be replaced: it was loaded or written here

    constructor(private send: (message: ClientMessage) => void) {
        this.root.append(this.canvas, this.form);
        this.listen();
        onLanguage(() => this.build());
    }

    get isOpen(): boolean {
        return !this.root.hidden;
    }

    /** models whose loads and cones are placed by parameters can be edited, where there is a program that saves */
    get isUseful(): boolean {
        return !isOneFile() && (this.scene?.parameters.some(({ name }) => name === "pallet_x") ?? false);
    }

    show(isOpen: boolean): void {
        this.root.hidden = !isOpen;
        if (isOpen) {
            this.build();
            this.canvas.focus();
        }
    }

    setScene(scene: SceneMessage): void {
        this.scene = scene;
        this.build();
    }

    saved(name: string, file: string): void {
        this.wasSaved = name;
        this.onMessage(`${text("scenario_saved")}: ${file}`, "good");
        if (this.willDrive) {
            this.show(false);
            this.send({ type: "exercise", name });
        }
        this.willDrive = false;
    }

    // ---- what stands where ---------------------------------------------------------------------------------------------

    private number(name: string, usual: number): number {
        const value = this.scenario.set[name];
        return value === undefined || !Number.isFinite(Number(value)) ? usual : Number(value);
    }

    /** things that the exercise places, as rectangles */
    private moved(): Thing[] {
        const found: Thing[] = [];
        const aside = this.number("aside", 0);
        const usual: Record<string, [number, number]> = { pallet: [6, aside], virola: [6, 3 + aside], loaded: [6, aside - 3] };
        if (this.number("loads", 1) > 0) {
            for (const [name, label, length, width] of LOADS) {
                const [x, y] = usual[name]!;
                found.push({ id: name, label: text(label), x: this.number(`${name}_x`, x), y: this.number(`${name}_y`, y), angle: (this.number(`${name}_turn`, 0) * Math.PI) / 180, length, width });
            }
        }
        for (let k = 0; k < CONES; k++) {
            if (this.scenario.set[`cone${k}_x`] !== undefined) {
                found.push({ id: `cone${k}`, label: `${text("scenario_cone")} ${k + 1}`, x: this.number(`cone${k}_x`, 0), y: this.number(`cone${k}_y`, 0), angle: 0, length: 0.36, width: 0.36 });
            }
        }
        return found;
    }

    private marks(): Thing[] {
        return this.scenario.goals.flatMap(({ mark }, k) => (mark ? [{ id: `goal${k}`, label: String(k + 1), x: mark.at[0]!, y: mark.at[1]!, angle: mark.angle, length: mark.size[0] ?? 1, width: mark.size[1] ?? 0.4 }] : []));
    }

    /** what stands there whatever the exercise says: solid shapes of the ground that reach down to a truck */
    private standing(): Thing[] {
        const boxes = (this.scene?.shapes ?? []).filter((shape) => shape.body < 0 && /solid_/.test(shape.name) && shape.type === "box" && shape.at[2] - 0.5 * shape.size[2]! < 1.5 && shape.at[2] + 0.5 * shape.size[2]! > 0.15);
        const placed = boxes.map((shape) => ({ id: shape.name, label: `${said(shape.name.replace(/^.*solid_/, "").replace(/[0-9_]+/g, " ").trim())} (${localNumber(shape.at[0].toFixed(0))}; ${localNumber(shape.at[1].toFixed(0))})`, x: shape.at[0], y: shape.at[1], angle: 2 * Math.atan2(shape.quaternion[3]!, shape.quaternion[0]!), length: shape.size[0]!, width: shape.size[1]! }));
        return [{ ...TRUCK, label: text("scenario_truck") }, ...placed];
    }

    private words(mistake: Mistake): string {
        switch (mistake.kind) {
            case "overlap":
                return `${mistake.one} ${text("scenario_overlaps")} ${mistake.other}`;
            case "goal_text":
                return `${text("scenario_goal")} ${mistake.one}: ${text("scenario_no_text")}`;
            case "no_name":
            case "no_title":
            case "no_goal":
                return text(`scenario_${mistake.kind}`);
        }
    }

    // ---- changes ---------------------------------------------------------------------------------------------------------

    private change(act: () => void): void {
        this.note(act);
        this.build();
    }

    /** the same by a field of the form, which stays: the next click is for one of its buttons */
    private note(act: () => void): void {
        this.before.push(JSON.stringify(this.scenario));
        this.before.splice(0, Math.max(0, this.before.length - KEPT));
        act();
        this.draw();
    }

    private undo(): void {
        const last = this.before.pop();
        if (last) {
            this.scenario = JSON.parse(last) as Scenario;
            this.chosen = "";
            this.build();
        }
    }

    private goal(): Goal | null {
        return this.chosen.startsWith("goal") ? (this.scenario.goals[Number(this.chosen.slice(4))] ?? null) : null;
    }

    /** conditions that somebody wrote do not move with a mark */
    private isFixed(): boolean {
        const isForeign = this.goal()?.isForeign ?? false;
        if (isForeign) {
            this.onMessage(text("scenario_foreign"), "bad");
        }
        return isForeign;
    }

    private move(x: number, y: number): void {
        const [px, py] = [Number(x.toFixed(2)), Number(y.toFixed(2))];
        const goal = this.goal();
        if (goal?.mark) {
            goal.mark.at = [px, py, goal.mark.at[2] ?? 0];
        } else if (this.chosen) {
            this.scenario.set[`${this.chosen}_x`] = px;
            this.scenario.set[`${this.chosen}_y`] = py;
        }
    }

    turn(by: number): void {
        const goal = this.goal();
        if (this.isFixed()) {
            return;
        }
        if (goal?.mark) {
            this.change(() => (goal.mark!.angle = Number((goal.mark!.angle + by).toFixed(4))));
        } else if (LOADS.some(([name]) => name === this.chosen)) {
            this.change(() => (this.scenario.set[`${this.chosen}_turn`] = Math.round(this.number(`${this.chosen}_turn`, 0) + (by * 180) / Math.PI)));
        }
    }

    remove(): void {
        if (this.goal()) {
            this.change(() => this.scenario.goals.splice(Number(this.chosen.slice(4)), 1));
        } else if (this.chosen.startsWith("cone")) {
            this.change(() => {
                delete this.scenario.set[`${this.chosen}_x`];
                delete this.scenario.set[`${this.chosen}_y`];
            });
        } else if (this.chosen) {
            this.onMessage(text("scenario_loads_stay"), "plain");
            return;
        }
        this.chosen = "";
        this.build();
    }

    /** puts what the chosen tool makes at a place */
    put(tool: Tool, x: number, y: number): void {
        const free = Array.from({ length: CONES }, (_, k) => k).find((k) => this.scenario.set[`cone${k}_x`] === undefined);
        if (tool === "cone" && free === undefined) {
            this.onMessage(text("scenario_no_cones"), "bad");
            return;
        }
        this.change(() => {
            if (tool === "cone") {
                this.chosen = `cone${free}`;
                this.move(x, y);
            } else {
                this.scenario.goals.push(goalOf(tool, Number(x.toFixed(2)), Number(y.toFixed(2)), text(`scenario_do_${tool}`)));
                this.chosen = `goal${this.scenario.goals.length - 1}`;
            }
        });
        this.tool = null;
        this.build();
    }

    // ---- the map -----------------------------------------------------------------------------------------------------------

    private toGround(event: PointerEvent | WheelEvent): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        const metre = box.width / this.span;
        return [this.centre[0] + (event.clientX - box.left - box.width / 2) / metre, this.centre[1] - (event.clientY - box.top - box.height / 2) / metre];
    }

    private find(x: number, y: number): string {
        const slack = 0.012 * this.span;
        const hit = (thing: Thing) => {
            const [dx, dy] = [x - thing.x, y - thing.y];
            const [u, v] = [dx * Math.cos(thing.angle) + dy * Math.sin(thing.angle), dy * Math.cos(thing.angle) - dx * Math.sin(thing.angle)];
            return Math.abs(u) < 0.5 * thing.length + slack && Math.abs(v) < 0.5 * thing.width + slack;
        };
        return [...this.marks(), ...this.moved()].reverse().find(hit)?.id ?? "";
    }

    private listen(): void {
        let last: [number, number] = [0, 0];
        let hasMoved = false;
        this.canvas.addEventListener("pointerdown", (event) => {
            this.canvas.setPointerCapture(event.pointerId);
            last = this.toGround(event);
            hasMoved = false;
            this.isHeld = true;
            if (this.tool) {
                this.isHeld = false;
                this.put(this.tool, ...last);
                return;
            }
            this.chosen = this.find(...last);
            this.build();
        });
        this.canvas.addEventListener("pointermove", (event) => {
            if (!this.isHeld) {
                return;
            }
            const [x, y] = this.toGround(event);
            if (!this.chosen) {
                this.centre = [this.centre[0] + last[0] - x, this.centre[1] + last[1] - y];
            } else if (!hasMoved && (this.goal()?.isForeign ?? false)) {
                this.isHeld = !this.isFixed();
                return;
            } else {
                if (!hasMoved) {
                    this.before.push(JSON.stringify(this.scenario));
                }
                hasMoved = true;
                this.move(x, y);
            }
            this.draw();
        });
        const release = () => {
            this.isHeld = false;
            this.build();
        };
        this.canvas.addEventListener("pointerup", release);
        this.canvas.addEventListener("pointercancel", release);
        this.canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.span = Math.min(140, Math.max(12, this.span * Math.exp(0.001 * event.deltaY)));
            this.draw();
        });
        // keys of the machine are not meant here
        this.root.addEventListener("keydown", (event) => {
            event.stopPropagation();
            const isWriting = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
            const act = event.key === "Escape" ? () => this.show(false) : isWriting ? null : event.key === "Delete" || event.key === "Backspace" ? () => this.remove() : event.key === "r" ? () => this.turn(TURN) : event.key === "R" ? () => this.turn(-TURN) : event.key === "z" && event.ctrlKey ? () => this.undo() : null;
            if (act) {
                event.preventDefault();
                act();
            }
        });
        this.root.addEventListener("keyup", (event) => event.stopPropagation());
        new ResizeObserver(() => this.draw()).observe(this.canvas);
    }

    private draw(): void {
        const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
        if (!this.isOpen || width === 0 || !this.scene) {
            return;
        }
        const scale = window.devicePixelRatio || 1;
        this.canvas.width = width * scale;
        this.canvas.height = height * scale;
        const context = this.canvas.getContext("2d")!;
        const metre = width / this.span;
        const [x, y] = this.centre;
        context.setTransform(scale * metre, 0, 0, -scale * metre, (scale * width) / 2 - scale * metre * x, (scale * height) / 2 + scale * metre * y);
        drawShapes(context, this.scene.shapes, x, y, Math.max(this.span, (this.span * height) / width));
        const paint = (thing: Thing, colour: string, isOpenBox = false) => {
            context.save();
            context.translate(thing.x, thing.y);
            context.rotate(thing.angle);
            context.strokeStyle = thing.id === this.chosen ? "#ffffff" : colour;
            context.lineWidth = (thing.id === this.chosen ? 3 : 2) / metre;
            context.fillStyle = isOpenBox ? `${colour}40` : colour;
            context.fillRect(-0.5 * thing.length, -0.5 * thing.width, thing.length, thing.width);
            context.strokeRect(-0.5 * thing.length, -0.5 * thing.width, thing.length, thing.width);
            context.restore();
        };
        paint({ ...TRUCK }, "#ffb020");
        this.drawRoute(context, metre);
        this.scenario.goals.forEach(({ mark }, k) => {
            const thing = this.marks().find(({ id }) => id === `goal${k}`);
            if (mark && thing) {
                const flat = mark.kind === "gate" ? { ...thing, width: 0.2 } : mark.kind === "arrow" ? { ...thing, length: thing.width, width: thing.length } : thing;
                paint(flat, "#56b4e9", mark.kind === "zone");
                this.label(context, String(k + 1), thing.x, thing.y, metre);
            }
        });
        for (const thing of this.moved()) {
            paint(thing.id.startsWith("cone") ? { ...thing, length: Math.max(0.5, 8 / metre), width: Math.max(0.5, 8 / metre) } : thing, thing.id.startsWith("cone") ? "#e8611f" : "#c79a63");
        }
        for (let k = 0; k < CONES; k++) {
            const [cx, cy] = PARKED[k]!;
            if (this.scenario.set[`cone${k}_x`] === undefined && this.number("slalom", 0) === 0) {
                paint({ id: "", label: "", x: cx, y: cy, angle: 0, length: 0.4, width: 0.4 }, "#8a5a40");
            }
        }
    }

    /** from goal to goal */
    private drawRoute(context: CanvasRenderingContext2D, metre: number): void {
        context.strokeStyle = "#f0e44280";
        context.lineWidth = 2 / metre;
        context.setLineDash([8 / metre, 8 / metre]);
        context.beginPath();
        context.moveTo(0, 0);
        for (const { x, y } of this.marks()) {
            context.lineTo(x, y);
        }
        context.stroke();
        context.setLineDash([]);
    }

    private label(context: CanvasRenderingContext2D, words: string, x: number, y: number, metre: number): void {
        context.save();
        context.translate(x, y);
        context.scale(1 / metre, -1 / metre);
        context.font = "bold 13px system-ui, sans-serif";
        context.textAlign = "center";
        context.fillStyle = "#ffffff";
        context.fillText(words, 0, 5);
        context.restore();
    }

    // ---- the form ------------------------------------------------------------------------------------------------------------

    private field(word: Word, value: string, set: (value: string) => void, more: Record<string, string | number> = {}): HTMLElement {
        const input = el("input", { value, ...more });
        input.addEventListener("change", () => this.note(() => set(input.value)));
        return el("label", {}, text(word), input);
    }

    private amount(word: Word, name: string, usual: number, min: number, max: number, step: number): HTMLElement {
        return this.field(word, String(this.number(name, usual)), (value) => (this.scenario.set[name] = Number(value)), { id: `scenario-set-${name}`, type: "number", min, max, step });
    }

    private build(): void {
        if (!this.isOpen) {
            return;
        }
        const { scenario } = this;
        this.canvas.setAttribute("aria-label", text("scenario_map"));
        this.root.setAttribute("aria-label", text("scenario"));
        const button = (id: string, word: Word, click: () => void, isOn = false) => el("button", { id: `scenario-${id}`, class: isOn ? "primary" : "", click }, text(word));
        const choice = el("select", { id: "scenario-load", "aria-label": text("scenario_load") }, el("option", { value: "" }, text("scenario_load")), ...(this.scene?.exercises ?? []).map(({ name, title }) => el("option", { value: name }, said(title))));
        choice.addEventListener("change", () => void this.load(choice.value));
        const loads = el("input", { type: "checkbox", id: "scenario-loads" });
        loads.checked = this.number("loads", 1) > 0;
        loads.addEventListener("change", () => this.note(() => (scenario.set.loads = loads.checked ? 1 : 0)));
        const goal = this.goal();
        this.form.replaceChildren(
            el("header", {}, el("h2", {}, text("scenario")), button("close", "close", () => this.show(false))),
            el("div", { class: "row" }, choice, button("new", "scenario_new", () => this.change(() => (this.scenario = blank())))),
            el("div", { class: "row" }, button("save", "scenario_save", () => this.save(false)), button("drive", "scenario_drive", () => this.save(true), true)),
            this.told,
            this.field("scenario_name", scenario.name, (value) => (scenario.name = value.trim()), { id: "scenario-name", maxlength: 40, placeholder: "my-lesson" }),
            this.field("scenario_title", scenario.title, (value) => (scenario.title = value), { id: "scenario-title", maxlength: 100 }),
            this.field("scenario_text", scenario.text, (value) => (scenario.text = value), { id: "scenario-text", maxlength: 400 }),
            el("h3", {}, text("scenario_add")),
            el("div", { class: "row" }, ...TOOLS.map((name) => button(name, `scenario_${name}`, () => { this.tool = this.tool === name ? null : name; this.build(); }, this.tool === name))),
            el("p", { class: "hint" }, text(this.tool ? "scenario_click" : "scenario_drag")),
            el("div", { class: "row" }, button("turn", "scenario_turn", () => this.turn(TURN)), button("delete", "scenario_delete", () => this.remove()), button("undo", "scenario_undo", () => this.undo())),
            ...(goal ? [this.field("scenario_goal_text", goal.text, (value) => (goal.text = value), { id: "scenario-goal-text", maxlength: 100 })] : []),
            el("label", { class: "tick" }, loads, text("scenario_loads")),
            el("h3", {}, text("scenario_weather")),
            el("div", { class: "grid" }, this.amount("scenario_mu", "mu", 0.8, 0.05, 1.2, 0.05), this.amount("scenario_ahead", "ahead", 0, -0.15, 0.15, 0.01), this.amount("scenario_side", "side", 0, -0.1, 0.1, 0.01), this.field("scenario_time", String(scenario.time), (value) => (scenario.time = Number(value) || 180), { type: "number", min: 10, max: 3600 })),
            el("h3", {}, text("scenario_faults")),
            el("div", { class: "grid" }, ...Object.keys(FAULTS).map((name) => this.fault(name))),
        );
        this.draw();
    }

    private fault(name: string): HTMLElement {
        const input = el("input", { type: "number", min: 0, max: 100, value: String(this.scenario.faults[name] ?? 0), "data-fault": name });
        input.addEventListener("change", () =>
            this.note(() => {
                const cost = Number(input.value);
                if (cost > 0) {
                    this.scenario.faults[name] = cost;
                } else {
                    delete this.scenario.faults[name];
                }
            }),
        );
        return el("label", {}, text(`fault_${name}` as Word), input);
    }

    async load(name: string): Promise<void> {
        if (name === "") {
            return;
        }
        const answer = await fetch(`exercise/${name}`).catch(() => null);
        if (!answer?.ok) {
            this.onMessage(`${text("scenario_not_there")}: ${name}`, "bad");
            return;
        }
        const file = (await answer.json()) as { [name: string]: Value };
        this.change(() => {
            this.scenario = readScenario(name, file);
            this.chosen = "";
        });
        this.wasSaved = name;
    }

    /** what is wrong is told by the names of the things; nothing is saved then */
    save(willDrive: boolean): void {
        const found = mistakes(this.scenario, this.moved(), this.standing());
        this.told.replaceChildren(...found.map((mistake) => el("li", { "data-mistake": mistake.kind }, this.words(mistake))));
        if (found.length > 0) {
            return;
        }
        const bytes = new TextEncoder().encode(writeScenario(this.scenario));
        const pieces: string[] = [];
        for (let at = 0; at < bytes.length; ) {
            let end = Math.min(bytes.length, at + PIECE);
            // no letter is cut in two
            while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) {
                end--;
            }
            pieces.push(new TextDecoder().decode(bytes.slice(at, end)));
            at = end;
        }
        this.willDrive = willDrive;
        const { name } = this.scenario;
        pieces.forEach((piece, part) => this.send({ type: "scenario", name, part, of: pieces.length, replace: name === this.wasSaved, text: piece }));
    }
}
