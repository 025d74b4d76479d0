// SPDX-License-Identifier: MIT
// After a roll-over, a collision or an exercise that failed: what happened in one sentence, the last ten seconds slowly from the side,
// a map of the way coloured by its stability, where the weight pressed between the wheels, the controls over time, and what to do now.

import type { ClientMessage, EventMessage, ExerciseMessage, Frame, HudItem, SceneMessage } from "../protocol.ts";
import { hudItems } from "../protocol.ts";
import type { View } from "../scene/view.ts";
import { el, localNumber } from "./dom.ts";
import { colourOf, HARD, isPartOf, sentence, type Happening, type Sample } from "./happened.ts";
import { language, onLanguage, text } from "./language.ts";
import { COLOURS, drawCurves, usedInputs } from "./after/curves.ts";
import { drawPress, findWheels, pressOf, type Place, type Wheel } from "./after/load.ts";
import { drawShapes } from "./map.ts";
import { inputLabel } from "./names.ts";

const SIZE = 260; // px
const LOW = 130; // px, of the triangle and the curves
const PAUSE = 1500; // ms from what happened to the panel: it is seen first
const BEFORE = 10; // s that are shown again
const CLOSE = 2.5; // s before it: slower still
const OFTEN = 0.1; // s between two points of the way
const KEPT = 6000;
const REWOUND = 2;
const PAUSED = 1;

export class Aftermath {
    readonly root = el("section", { class: "aftermath", id: "aftermath", role: "dialog", hidden: true });
    private canvas = el("canvas", { width: SIZE, height: SIZE, role: "img" });
    private press = el("canvas", { width: SIZE, height: LOW, role: "img", class: "press" });
    private curves = el("canvas", { width: SIZE, height: LOW, role: "img", class: "curves" });
    private wheels: Wheel[] = [];
    private places: Place[] = []; // of the wheels, as long as all of them carried
    private isRocking = false;
    private events: number[] = [];
    private words = el("p", { class: "lead" });
    private way: Sample[] = [];
    private happening: Happening | null = null;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private scene: SceneMessage | null = null;
    private frame: Frame | null = null;
    private columns: Record<"speed" | "height" | "margin", number> = { speed: -1, height: -1, margin: -1 };
    /** the slow replay that goes on: speed to return to */
    private replay: { speed: number; at: number; isClose: boolean; hasBegun: boolean } | null = null;
    isDriver = false;
    isRecorded = false;

    constructor(
        private send: (message: ClientMessage) => void,
        private view: View,
        /** the report by other means than its address; true: it is given */
        private onReport: () => boolean,
    ) {
        onLanguage(() => this.build());
    }

    setScene(scene: SceneMessage): void {
        this.scene = scene;
        this.way = [];
        this.happening = null;
        this.replay = null;
        this.close();
        const column = (kind: string) => {
            const item = hudItems(scene).find((other: HudItem) => other.kind === kind);
            return scene.channels.findIndex((channel) => channel.name === item?.channel);
        };
        this.wheels = findWheels(scene, hudItems(scene));
        this.places = [];
        this.events = [];
        this.isRocking = hudItems(scene).some((item: HudItem) => item.kind === "height");
        this.columns = { speed: column("speed"), height: column("height"), margin: column("margin") };
    }

    setFrame(frame: Frame): void {
        this.frame = frame;
        if ((frame.flags & REWOUND) === 0) {
            // somebody took over before it: it has not happened
            if (this.happening && frame.t < this.happening.t - 0.5) {
                this.happening = null;
                this.close();
            }
            this.remember(frame);
        }
        this.follow(frame);
    }

    private remember(frame: Frame): void {
        while (this.way.length > 0 && this.way.at(-1)!.t > frame.t) {
            this.way.pop();
        }
        if (this.way.length > 0 && frame.t - this.way.at(-1)!.t < OFTEN) {
            return;
        }
        const value = (column: number) => (column >= 0 ? (frame.channels[column] ?? null) : null);
        const k = 7 * Math.max(0, this.view.followedBody);
        const { speed, height, margin } = this.columns;
        const press = pressOf(frame, Math.max(0, this.view.followedBody), this.wheels);
        if (this.places.length === 0 || this.wheels.every((wheel) => (frame.channels[wheel.channel] ?? 0) > 0)) {
            this.places = press.places;
        }
        this.events = this.events.filter((t) => t <= frame.t);
        this.way.push({ t: frame.t, x: frame.poses[k] ?? 0, y: frame.poses[k + 1] ?? 0, speed: value(speed), height: value(height), margin: value(margin), press: press.middle, inputs: [...frame.inputs] });
        this.way.splice(0, Math.max(0, this.way.length - KEPT));
    }

    event(message: EventMessage): void {
        if (message.name !== "comment" && !this.events.includes(message.t)) {
            this.events.push(message.t);
        }
        if (message.name === "rolls-over") {
            this.happened({ kind: "rolled", t: message.t });
        } else if (message.hit && message.hit.closing >= HARD) {
            this.happened({ kind: "hit", t: message.t, hit: message.hit });
        }
    }

    exercise(message: ExerciseMessage): void {
        if (message.state === "failed" && this.frame) {
            const t = this.happening?.kind === "failed" && this.happening.exercise.name === message.name ? this.happening.t : this.frame.t;
            this.happened({ kind: "failed", t, exercise: message });
        }
    }

    private happened(next: Happening): void {
        const old = this.happening;
        const isGrowing = next.kind === "hit" && old?.kind === "hit" && old.t === next.t;
        // what is only shown again was told when it was driven
        if ((this.frame && (this.frame.flags & REWOUND) !== 0) || (!isGrowing && isPartOf(next, old)) || (old?.kind === next.kind && next.kind === "failed")) {
            return;
        }
        this.happening = next;
        if (isGrowing || !this.root.hidden) {
            this.build();
            return;
        }
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.open(), PAUSE);
    }

    private open(): void {
        this.root.hidden = false;
        this.build();
    }

    close(): void {
        clearTimeout(this.timer);
        this.root.hidden = true;
    }

    private build(): void {
        const what = this.happening;
        this.root.setAttribute("aria-label", text("aftermath"));
        if (!what || this.root.hidden) {
            return;
        }
        this.words.textContent = sentence(what, this.way);
        const button = (id: string, label: string, act: () => void, kind = "") => el("button", { id: `after-${id}`, class: kind, click: act }, label);
        const driver = this.isDriver
            ? [
                  button("slow", text("after_slow"), () => this.playSlowly(), "primary"),
                  button("back", text("after_back"), () => this.send({ type: "seek", t: Math.max(0, what.t - BEFORE) })),
                  button("restart", text("restart"), () => this.send({ type: "restart" })),
              ]
            : [];
        const address = language() === "es" ? "/report-es.html" : "/report.html";
        const report = this.isRecorded ? [el("a", { id: "after-report", href: address, target: "_blank", click: (event) => this.onReport() && event.preventDefault() }, text("exercise_report"))] : [];
        this.root.replaceChildren(
            el("header", {}, el("h2", {}, text("aftermath")), el("button", { id: "after-close", class: "icon", "aria-label": text("after_close"), title: text("after_close"), click: () => this.close() }, "×")),
            this.words,
            el("div", { class: "buttons" }, ...driver, ...report),
            ...(this.view.followedBody >= 0 ? [this.canvas, el("p", { class: "legend" }, text(this.columns.margin >= 0 ? "after_legend" : "after_way"))] : []),
            ...this.more(what.t),
        );
        this.canvas.setAttribute("aria-label", text("after_way"));
        this.draw(what.t);
        this.drawMore(what.t);
    }

    /** what is known of the wheels and the controls in the seconds around it */
    private around(t: number): Sample[] {
        return this.way.filter((sample) => sample.t > t - BEFORE && sample.t < t + 3);
    }

    private more(t: number): HTMLElement[] {
        const way = this.around(t);
        if (way.length < 2) {
            return [];
        }
        const inputs = usedInputs(way).map((k, n) => el("span", { style: `color:${COLOURS[n]}` }, ` ${inputLabel(this.scene?.inputs[k]?.name ?? "")}`));
        const press = this.isRocking ? text("after_triangle") : text("after_press");
        this.press.setAttribute("aria-label", press);
        this.curves.setAttribute("aria-label", text("after_curves"));
        return [...(this.wheels.length > 0 ? [this.press, el("p", { class: "legend" }, press)] : []), this.curves, el("p", { class: "legend" }, text("after_curves"), ...inputs)];
    }

    private drawMore(t: number): void {
        const way = this.around(t);
        const scale = window.devicePixelRatio || 1;
        for (const canvas of way.length < 2 ? [] : [this.press, this.curves]) {
            canvas.width = SIZE * scale;
            canvas.height = LOW * scale;
            const context = canvas.getContext("2d")!;
            context.setTransform(scale, 0, 0, scale, 0, 0);
            if (canvas === this.curves) {
                drawCurves(context, SIZE, LOW, way, this.events);
            } else if (this.wheels.length > 0) {
                drawPress(context, SIZE, LOW, this.places, this.isRocking, way.filter((sample) => sample.t <= t));
            }
        }
    }

    /** the way of the last half minute among what stands around */
    private draw(t: number): void {
        const way = this.way.filter((sample) => sample.t > t - 30 && sample.t < t + 3);
        if (way.length === 0 || !this.scene) {
            return;
        }
        const scale = window.devicePixelRatio || 1;
        this.canvas.width = this.canvas.height = SIZE * scale;
        const xs = way.map((sample) => sample.x);
        const ys = way.map((sample) => sample.y);
        const span = 1.3 * Math.max(12, Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
        const [x, y] = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
        const metre = SIZE / span; // px
        const context = this.canvas.getContext("2d")!;
        context.setTransform(scale * metre, 0, 0, -scale * metre, (scale * SIZE) / 2 - scale * metre * x, (scale * SIZE) / 2 + scale * metre * y);
        drawShapes(context, this.scene.shapes, x, y, span);
        context.lineWidth = 4 / metre;
        context.lineCap = "round";
        way.slice(1).forEach((sample, k) => {
            context.strokeStyle = colourOf(sample.margin);
            context.beginPath();
            context.moveTo(way[k]!.x, way[k]!.y);
            context.lineTo(sample.x, sample.y);
            context.stroke();
        });
        const end = way.filter((sample) => sample.t <= t).at(-1) ?? way.at(-1)!;
        context.strokeStyle = "#ffffff";
        context.lineWidth = 2 / metre;
        context.beginPath();
        context.arc(end.x, end.y, 7 / metre, 0, 2 * Math.PI);
        context.stroke();
        const metres = [100, 50, 20, 10, 5, 2, 1].find((length) => length < 0.4 * span) ?? 1;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.fillStyle = context.strokeStyle = "#ffffff";
        context.beginPath();
        context.moveTo(8, SIZE - 8);
        context.lineTo(8 + metres * metre, SIZE - 8);
        context.stroke();
        context.font = "11px system-ui, sans-serif";
        context.fillText(`${localNumber(String(metres))} m`, 8, SIZE - 13);
    }

    // ---- slowly ------------------------------------------------------------------------------------------------

    private playSlowly(): void {
        const what = this.happening!;
        const speed = this.replay?.speed ?? (this.frame && this.frame.asked > 0 ? this.frame.asked : 1);
        this.replay = { speed, at: what.t, isClose: false, hasBegun: false };
        this.lookFromTheSide(what.t);
        this.send({ type: "seek", t: Math.max(0, what.t - BEFORE) });
        this.send({ type: "speed", value: 0.5 });
        this.send({ type: "play" });
    }

    private follow(frame: Frame): void {
        const replay = this.replay;
        if (!replay) {
            return;
        }
        const isShown = (frame.flags & REWOUND) !== 0;
        replay.hasBegun ||= isShown && (frame.flags & PAUSED) === 0;
        if (isShown && !replay.isClose && replay.hasBegun && frame.t > replay.at - CLOSE) {
            replay.isClose = true;
            this.send({ type: "speed", value: 0.25 });
        }
        // at its end, or somebody does something else
        if (replay.hasBegun && (!isShown || (frame.flags & PAUSED) !== 0)) {
            this.send({ type: "speed", value: replay.speed });
            this.replay = null;
        }
    }

    /** across the way it went, from a little above, so that it goes through the picture */
    private lookFromTheSide(t: number): void {
        const last = this.way.filter((sample) => sample.t <= t).at(-1);
        const before = this.way.filter((sample) => sample.t <= t - 3).at(-1);
        const heading = last && before ? Math.atan2(last.y - before.y, last.x - before.x) : 0;
        this.view.rig.set("orbit");
        this.view.rig.aim(heading + 1.9, 0.3, 2.6 * this.view.machineLength);
    }
}
