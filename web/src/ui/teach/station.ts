// SPDX-License-Identifier: MIT
// The instructor's station beside the four cameras: a map on which ice and a barrier are put down, weather and load, what the trainee does
// with the controls, faults as they are made, and who is there to drive.

import type { ClientMessage, DriverInput, ExerciseMessage, Frame, Person, RoleMessage, SceneMessage } from "../../protocol.ts";
import { isHand } from "../../presence/hand.ts";
import { driverInputs } from "../../protocol.ts";
import { discsOf } from "../../scene/situation.ts";
import type { View } from "../../scene/view.ts";
import { el, localNumber } from "../dom.ts";
import { onLanguage, text, type Word } from "../language.ts";
import { drawShapes } from "../map.ts";
import { inputLabel, said } from "../names.ts";

const REDRAW = 150; // ms
const SPAN = 46; // m from edge to edge of the map
const RADIUS = 2; // m of a disc of ice
const DOWN = 1000; // ms that a barrier takes to go down
const KEPT = 40; // faults and events that are listed

type Tool = "ice" | "barrier";

export class Station {
    readonly root = el("section", { class: "station", id: "station", hidden: true });
    private canvas = el("canvas", { id: "station-map", role: "img", tabindex: "0" });
    private tools = el("div", { class: "row" });
    private weather = el("div", { class: "row" });
    private inputs = el("div", { class: "station-inputs", id: "station-inputs" });
    private faults = el("ul", { class: "station-faults", id: "station-faults" });
    private people = el("ul", { class: "station-people", id: "station-people" });
    private heads = new Map<Word, HTMLElement>();
    private tool: Tool = "ice";
    private scene: SceneMessage | null = null;
    private view: View | null = null;
    private frame: Frame | null = null;
    private driven: DriverInput[] = [];
    private exercise: ExerciseMessage | null = null;
    private there: Person[] = [];
    private next = 0; // disc to be moved
    private last = 0; // ms
    private seen = new Map<string, number>(); // faults and how often

    constructor(private send: (message: ClientMessage) => void) {
        const head = (name: Word) => {
            const node = el("h3");
            this.heads.set(name, node);
            return node;
        };
        this.root.append(head("map"), this.canvas, this.tools, this.weather, head("station_inputs"), this.inputs, head("station_faults"), this.faults, head("station_people"), this.people);
        this.canvas.addEventListener("click", (event) => this.put(event));
        onLanguage(() => this.build());
    }

    get isOpen(): boolean {
        return !this.root.hidden;
    }

    setRole(role: Omit<RoleMessage, "type">): void {
        const wasOpen = this.isOpen;
        this.root.hidden = !role.instructor;
        this.there = role.people ?? [];
        if (wasOpen !== this.isOpen) {
            document.body.classList.toggle("has-station", this.isOpen);
            this.view?.showQuarters(this.isOpen && this.view.followedBody >= 0);
        }
        this.showPeople();
    }

    setScene(scene: SceneMessage, view: View): void {
        this.scene = scene;
        this.view = view;
        this.frame = null;
        this.exercise = null;
        this.next = 0;
        this.seen.clear();
        this.faults.replaceChildren();
        this.driven = driverInputs(scene).filter(({ name }) => !isHand(name));
        if (this.isOpen) {
            view.showQuarters(view.followedBody >= 0);
        }
        this.build();
    }

    setFrame(frame: Frame): void {
        this.frame = frame;
    }

    /** a fault is listed when it is made, and each time again */
    setExercise(message: ExerciseMessage): void {
        const isNew = message.name !== this.exercise?.name || message.time < (this.exercise?.time ?? 0);
        this.exercise = message.name === "" ? null : message;
        if (isNew) {
            this.seen.clear();
        }
        for (const limit of message.limits) {
            const name = limit.fault ?? limit.text;
            if (limit.times > (this.seen.get(name) ?? 0)) {
                this.seen.set(name, limit.times);
                this.note(`${said(limit.text)}: ${limit.times} ×  −${localNumber(String(limit.cost * limit.times))}`, name);
            }
        }
    }

    event(words: string): void {
        this.note(words, "");
    }

    private note(words: string, fault: string): void {
        const t = localNumber((this.frame?.t ?? 0).toFixed(1));
        this.faults.prepend(el("li", fault ? { "data-fault": fault } : {}, `${t} s  ${words}`));
        while (this.faults.children.length > KEPT) {
            this.faults.lastElementChild!.remove();
        }
    }

    // ---- what is put down ------------------------------------------------------------------------------------------

    private set(values: Record<string, number>): void {
        this.send({ type: "situation", values });
    }

    private place(frame: Frame): [number, number, number] {
        const k = 7 * Math.max(0, this.view?.followedBody ?? 0);
        const [x, y, , w, qx, qy, qz] = frame.poses.slice(k, k + 7);
        return [x ?? 0, y ?? 0, Math.atan2(2 * ((w ?? 1) * (qz ?? 0) + (qx ?? 0) * (qy ?? 0)), 1 - 2 * ((qy ?? 0) ** 2 + (qz ?? 0) ** 2))];
    }

    private put(event: MouseEvent): void {
        if (!this.frame) {
            return;
        }
        const box = this.canvas.getBoundingClientRect();
        const [x0, y0] = this.place(this.frame);
        const metre = box.width / SPAN;
        const x = Number((x0 + (event.clientX - box.left - box.width / 2) / metre).toFixed(2));
        const y = Number((y0 - (event.clientY - box.top - box.height / 2) / metre).toFixed(2));
        this.putAt(x, y);
    }

    /** what the chosen tool puts down, at a place of the ground */
    putAt(x: number, y: number): void {
        const { ice = [], barrier = [] } = this.scene?.instructor ?? {};
        const row = this.tool === "ice" ? ice[this.next++ % Math.max(1, ice.length)] : barrier[0];
        if (row && this.tool === "barrier" && this.value(row[2]!) > 0) {
            // one that stands goes down before it goes elsewhere
            this.set({ [row[2]!]: 0 });
            setTimeout(() => this.set({ [row[0]!]: x, [row[1]!]: y, [row[2]!]: 1 }), DOWN);
        } else if (row) {
            this.set({ [row[0]!]: x, [row[1]!]: y, [row[2]!]: this.tool === "ice" ? RADIUS : 1 });
        }
    }

    private value(name: string): number {
        return this.frame?.inputs[this.scene!.inputs.findIndex((input) => input.name === name)] ?? 0;
    }

    private clear(): void {
        const { ice = [], barrier = [], wet, shift } = this.scene?.instructor ?? {};
        const values = Object.fromEntries([...ice, ...barrier].map((row) => [row[2]!, 0]));
        for (const name of [wet, shift]) {
            if (name) {
                values[name] = 0;
            }
        }
        this.next = 0;
        this.set(values);
        this.build();
    }

    // ---- the page ----------------------------------------------------------------------------------------------------

    private build(): void {
        for (const [name, node] of this.heads) {
            node.textContent = text(name);
        }
        this.root.setAttribute("aria-label", text("instructor"));
        this.canvas.setAttribute("aria-label", text("station_map"));
        const { wet, shift, ice, barrier } = this.scene?.instructor ?? {};
        const chosen = (name: Tool) =>
            el("button", { id: `station-${name}`, class: this.tool === name ? "primary" : "", "aria-pressed": String(this.tool === name), click: () => this.choose(name) }, text(`station_${name}`));
        const tools = [...(ice ? [chosen("ice")] : []), ...(barrier ? [chosen("barrier")] : [])];
        this.tools.replaceChildren(...tools, ...(tools.length > 0 ? [el("button", { id: "station-clear", click: () => this.clear() }, text("station_clear"))] : []));
        const inScene = (name: string | undefined) => name !== undefined && (this.scene?.inputs.some((input) => input.name === name) ?? false);
        this.weather.replaceChildren(...(inScene(wet) ? [this.slider("wet", wet!, 0)] : []), ...(inScene(shift) ? [this.slider("shift", shift!, -1)] : []));
        this.inputs.replaceChildren(
            ...this.driven.map(({ name }) => el("div", { class: "station-input", "data-input": name }, el("span", {}, inputLabel(name)), el("meter", { min: "-1", max: "1", value: "0" }), el("b", {}, "0"))),
        );
        this.showPeople();
    }

    private slider(word: "wet" | "shift", name: string, min: number): HTMLElement {
        const move = (event: Event) => this.set({ [name]: Number((event.target as HTMLInputElement).value) });
        return el("label", {}, text(`station_${word}`), el("input", { id: `station-${word}`, type: "range", min, max: 1, step: 0.1, value: 0, input: move }));
    }

    private choose(tool: Tool): void {
        this.tool = tool;
        this.build();
    }

    private showPeople(): void {
        const row = ({ number, seat, asks }: Person) => {
            const hand = el("button", { "data-hand": String(number), click: () => this.send({ type: "hand", to: number }) }, text("station_hand"));
            return el("li", { "data-seat": seat }, `${number + 1}. ${text(`person_${seat}`)}${asks ? ` · ${text("seat_asked")}` : ""} `, ...(seat === "trainee" || seat === "watcher" ? [hand] : []));
        };
        // somebody may be pressing a button that stays
        const key = JSON.stringify(this.there) + text("station_hand");
        if (key !== this.people.dataset.key) {
            this.people.dataset.key = key;
            this.people.replaceChildren(...this.there.map(row));
        }
    }

    draw(now: number): void {
        if (!this.isOpen || !this.frame || now - this.last < REDRAW) {
            return;
        }
        this.last = now;
        this.driven.forEach((input, k) => {
            const value = this.frame!.inputs[input.place ?? k] ?? 0;
            const node = this.inputs.children[k];
            node?.querySelector("meter")?.setAttribute("value", value.toFixed(2));
            if (node) {
                node.lastElementChild!.textContent = localNumber(value.toFixed(2));
            }
        });
        this.drawMap(this.frame);
    }

    private drawMap(frame: Frame): void {
        const size = this.canvas.clientWidth;
        if (size === 0 || !this.view || this.view.followedBody < 0) {
            this.canvas.hidden = (this.view?.followedBody ?? -1) < 0;
            return;
        }
        const scale = window.devicePixelRatio || 1;
        this.canvas.width = this.canvas.height = size * scale;
        const context = this.canvas.getContext("2d")!;
        const [x, y, angle] = this.place(frame);
        const metre = size / SPAN;
        context.setTransform(scale * metre, 0, 0, -scale * metre, (scale * size) / 2 - scale * metre * x, (scale * size) / 2 + scale * metre * y);
        drawShapes(context, this.scene!.shapes, x, y, SPAN);
        for (const disc of discsOf(this.scene, frame)) {
            circle(context, disc.x, disc.y, disc.radius, "#bfe4ffb0");
        }
        for (const mark of this.exercise?.marks ?? []) {
            circle(context, mark.at[0]!, mark.at[1]!, 4 / metre, mark.done ? "#2fd3a0" : "#56b4e9");
        }
        this.drawLoose(context, frame);
        context.translate(x, y);
        context.rotate(angle);
        context.fillStyle = "#ffb020";
        context.beginPath();
        const length = this.view.machineLength;
        context.moveTo(0.6 * length, 0);
        context.lineTo(-0.4 * length, 0.35 * length);
        context.lineTo(-0.4 * length, -0.35 * length);
        context.fill();
    }

    /** what moves besides the machine: loads, cones, the barrier when it is up */
    private drawLoose(context: CanvasRenderingContext2D, frame: Frame): void {
        const own = new Set(this.scene!.shapes.filter((shape) => shape.body >= 0 && shape.type === "box").map((shape) => shape.body));
        const [x, y] = this.place(frame);
        for (const body of own) {
            const [bx, by, bz] = frame.poses.slice(7 * body, 7 * body + 3);
            const name = this.scene!.bodies[body]!;
            if (bz! > -0.6 && (name === "barrier" || Math.hypot(bx! - x, by! - y) > 0.8 * this.view!.machineLength)) {
                circle(context, bx!, by!, name === "barrier" ? 0.9 : 0.4, name === "barrier" ? "#ff5a4d" : "#d9a066");
            }
        }
    }
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
}
