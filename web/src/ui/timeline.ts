// SPDX-License-Identifier: MIT
// The bar at the bottom: play, pause, rewind, step, slow and fast, scrub, and go on from the instant shown.

import { FLAG, type ClientMessage, type EventMessage, type Frame, type ReportMessage, type SceneMessage, type TimelineMessage } from "../protocol.ts";
import { el, icon, localNumber } from "./dom.ts";
import { onLanguage, text, type Word } from "./language.ts";
import { eventName, eventText } from "./phrases.ts";

const SLOWEST = 1 / 32;
const FASTEST = 8;

/** factors are powers of two */
export function nextSpeed(now: number, direction: 1 | -1): number {
    const exponent = Math.round(Math.log2(Math.max(now, SLOWEST)));
    return Math.min(FASTEST, Math.max(SLOWEST, Math.pow(2, exponent + direction)));
}

export function showSpeed(factor: number): string {
    return factor >= 1 ? `${factor}×` : `1/${Math.round(1 / factor)}×`;
}

export function showTime(t: number): string {
    const minutes = Math.floor(t / 60);
    const seconds = t - 60 * minutes;
    return `${minutes}:${localNumber(seconds.toFixed(2).padStart(5, "0"))}`;
}

export class Timeline {
    readonly root = el("footer", { class: "timeline", id: "timeline" });
    isPaused = false;
    isRewound = false;
    asked = 1;
    private isResults = false;

    private begin = 0;
    private end = 0;
    private now = 0;
    private play = this.button("play", () => this.toggle());
    private rewind = this.button("rewind", () => {});
    private step = this.button("step", () => this.send({ type: "step", n: 1 }));
    private slow = el("button", { class: "icon", id: "slower", click: () => this.changeSpeed(-1) }, "−");
    private fast = el("button", { class: "icon", id: "faster", click: () => this.changeSpeed(1) }, "+");
    private speed = el("span", { class: "speed-factor", id: "speed-factor" }, "1×");
    private take = el("button", { class: "take", id: "take", hidden: true, click: () => this.takeOver() });
    private restart = this.button("restart", () => this.send({ type: "restart" }));
    private clock = el("span", { class: "clock", id: "clock" });
    private state = el("span", { class: "state", id: "state" });
    private past = el("div", { class: "past" });
    private thumb = el("div", { class: "thumb" });
    private events = el("div", { class: "events" });
    private bar = el("div", { class: "scrub", id: "scrub", tabindex: "0", role: "slider", "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0 }, this.past, this.events, this.thumb);
    private factor = el("span", { class: "factor", id: "factor" });
    private marks: { t: number; node: HTMLElement; number?: number | undefined }[] = [];
    private lastSeek = 0;
    private rewinding: number | null = null;

    constructor(private send: (message: ClientMessage) => void) {
        this.root.append(this.rewind, this.play, this.step, el("span", { class: "group" }, this.slow, this.speed, this.fast), this.clock, this.bar, this.state, this.take, this.restart, this.factor);
        this.rewind.addEventListener("pointerdown", () => this.holdRewind(true));
        this.rewind.addEventListener("pointerup", () => this.holdRewind(false));
        this.rewind.addEventListener("pointerleave", () => this.holdRewind(false));
        // held by a key it goes back, too
        const isPress = (event: KeyboardEvent) => event.code === "Space" || event.code === "Enter";
        this.rewind.addEventListener("keydown", (event) => isPress(event) && this.holdRewind(true));
        this.rewind.addEventListener("keyup", (event) => isPress(event) && this.holdRewind(false));
        this.rewind.addEventListener("blur", () => this.holdRewind(false));
        this.listenScrub();
        onLanguage(() => {
            for (const [node, word] of [
                [this.play, "play"],
                [this.rewind, "rewind"],
                [this.step, "step"],
                [this.slow, "slower"],
                [this.fast, "faster"],
                [this.restart, "restart"],
            ] as [HTMLElement, Word][]) {
                node.title = text(word);
                node.setAttribute("aria-label", text(word));
            }
            this.bar.setAttribute("aria-label", text("scrub"));
            this.root.setAttribute("aria-label", text("help_time"));
            this.take.replaceChildren(icon("take"), text("take"));
            this.showState(0);
        });
    }

    private button(name: string, click: () => void): HTMLButtonElement {
        return el("button", { class: "icon", id: name, click: () => click() }, icon(name));
    }

    // ---- what the keys do ------------------------------------------------------------------------------------------

    toggle(): void {
        this.send({ type: this.isPaused ? "play" : "pause" });
    }

    changeSpeed(direction: 1 | -1): void {
        this.asked = nextSpeed(this.asked, direction);
        this.send({ type: "speed", value: this.asked });
        this.speed.textContent = showSpeed(this.asked);
    }

    takeOver(): void {
        if (this.isRewound && !this.isResults) {
            this.send({ type: "take" });
            this.send({ type: "play" });
        } else if (this.isPaused) {
            this.send({ type: "play" });
        }
    }

    /** goes back while held: slowly at first, then faster */
    holdRewind(isHeld: boolean): void {
        if (!isHeld) {
            if (this.rewinding !== null) {
                clearInterval(this.rewinding);
                this.rewinding = null;
            }
            return;
        }
        if (this.rewinding !== null) {
            return;
        }
        let pace = 0.1;
        let t = this.now;
        const back = () => {
            t = Math.max(this.begin, t - pace);
            pace = Math.min(0.6, pace * 1.06);
            this.send({ type: "seek", t });
        };
        back();
        this.rewinding = window.setInterval(back, 80);
    }

    private listenScrub(): void {
        const seek = (event: PointerEvent, isLast: boolean) => {
            const box = this.bar.getBoundingClientRect();
            const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
            const now = performance.now();
            if (isLast || now - this.lastSeek > 50) {
                this.lastSeek = now;
                this.send({ type: "seek", t: this.begin + part * (this.end - this.begin) });
            }
        };
        // the mouse does not leave the focus here: the arrows go on to mean what they mean elsewhere
        this.bar.addEventListener("mousedown", (event) => event.preventDefault());
        this.bar.addEventListener("pointerdown", (event) => {
            this.bar.setPointerCapture(event.pointerId);
            seek(event, true);
        });
        this.bar.addEventListener("pointermove", (event) => {
            if (this.bar.hasPointerCapture(event.pointerId)) {
                seek(event, false);
            }
        });
        this.bar.addEventListener("pointerup", (event) => seek(event, true));
        const ways: Record<string, (span: number) => number> = {
            ArrowLeft: () => this.now - 0.1,
            ArrowRight: () => this.now + 0.1,
            PageDown: (span) => this.now - 0.1 * span,
            PageUp: (span) => this.now + 0.1 * span,
            Home: () => this.begin,
            End: () => this.end,
        };
        this.bar.addEventListener("keydown", (event) => {
            const way = ways[event.code];
            if (way && !event.ctrlKey && !event.altKey && !event.metaKey) {
                // the arrows are for the slider while it has the focus
                event.preventDefault();
                event.stopPropagation();
                this.send({ type: "seek", t: Math.min(this.end, Math.max(this.begin, way(this.end - this.begin))) });
            }
        });
    }

    // ---- what the server says --------------------------------------------------------------------------------------

    setTimeline(message: TimelineMessage): void {
        this.begin = message.begin;
        this.end = message.end;
        this.root.title = message.recording ?? "";
        this.placeMarks();
    }

    /** results are played and scrubbed: there is nothing to take over or to restart */
    setKind(kind: SceneMessage["kind"]): void {
        this.isResults = kind === "results";
        this.restart.hidden = this.isResults;
        this.state.dataset.state = "";
    }

    reset(): void {
        this.marks.forEach((mark) => mark.node.remove());
        this.marks = [];
        this.begin = this.end = 0;
    }

    setFrame(frame: Frame): void {
        this.now = frame.t;
        this.end = Math.max(this.end, frame.t);
        this.showState(frame.flags);
        if (frame.asked > 0) {
            this.asked = frame.asked;
            this.speed.textContent = showSpeed(frame.asked);
        }
        this.clock.textContent = showTime(frame.t);
        this.bar.setAttribute("aria-valuemin", this.begin.toFixed(2));
        this.bar.setAttribute("aria-valuemax", this.end.toFixed(2));
        this.bar.setAttribute("aria-valuenow", frame.t.toFixed(2));
        this.bar.setAttribute("aria-valuetext", showTime(frame.t));
        const part = this.end > this.begin ? (frame.t - this.begin) / (this.end - this.begin) : 1;
        this.past.style.transform = `scaleX(${part.toFixed(4)})`;
        this.thumb.style.left = `${(100 * part).toFixed(2)}%`;
    }

    private showState(flags: number): void {
        this.isPaused = (flags & FLAG.paused) !== 0;
        this.isRewound = (flags & FLAG.rewound) !== 0;
        const isEnded = (flags & FLAG.ended) !== 0;
        const word: Word = isEnded ? "ended" : this.isResults ? "results" : this.isRewound ? "replay" : this.isPaused ? "paused" : "live";
        if (this.state.dataset.state !== word || this.state.textContent !== text(word)) {
            this.state.textContent = text(word);
            this.state.dataset.state = word;
            this.take.hidden = !this.isRewound || this.isResults;
        }
        const wanted = this.isPaused ? "play" : "pause";
        if (this.play.dataset.icon !== wanted) {
            this.play.dataset.icon = wanted;
            this.play.replaceChildren(icon(wanted));
        }
    }

    addEvent(message: EventMessage): void {
        const title = `${showTime(message.t)} ${eventName(message.name)}: ${eventText(message)}`;
        const before = this.marks.find((mark) => message.number !== undefined && mark.number === message.number && mark.t === message.t);
        if (before) {
            before.node.title = title;
            return;
        }
        const node = el("i", { title });
        this.marks.push({ t: message.t, node, number: message.number });
        this.events.append(node);
        if (this.marks.length > 200) {
            this.marks.shift()!.node.remove();
        }
        this.placeMarks();
    }

    private placeMarks(): void {
        const span = Math.max(this.end - this.begin, 1e-9);
        for (const { t, node } of this.marks) {
            node.style.left = `${(100 * (t - this.begin)) / span}%`;
        }
    }

    setReport(report: ReportMessage): void {
        this.factor.textContent = `${localNumber(report.factor.toFixed(2))}×  ${report.mean_us.toFixed(0)} µs`;
        this.factor.title = `${report.steps} ${text("steps")}, ${text("steps_mean")} ${report.mean_us.toFixed(0)} µs, ${text("steps_worst")} ${report.worst_us.toFixed(0)} µs, ${report.misses} ${text("deadline")}`;
        this.factor.dataset.alarm = report.misses > 0 ? "near" : "good";
    }
}
