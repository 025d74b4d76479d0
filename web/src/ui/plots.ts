// SPDX-License-Identifier: MIT
// Plots of any channels: a list to choose from, one small diagram per unit; the last seconds while it runs, the whole time in a replay.

import { resource } from "../transport.ts";
import { decodeBytes } from "../bytes.ts";
import { History } from "../history.ts";
import { FLAG, HISTORY_BYTES, type Channel, type Frame } from "../protocol.ts";
import { el, localNumber, showNumber } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { channelLabel, shownUnit } from "./names.ts";
import { Panel } from "./panel.ts";

// Okabe and Ito's colours, told apart by colour-blind people, lightened for the dark ground; lines of a diagram also differ by their dashes
const COLOURS = ["#e69f00", "#56b4e9", "#00c08b", "#f0e442", "#4f9be0", "#ff7f3f", "#e48cc0", "#ffffff"];
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
const SPAN = 12; // s shown
const REDRAW = 60; // ms between redraws
const HEIGHT = 128; // px per diagram, where the page gives no other
const LEFT = 40; // px beside the curves
const RIGHT = 6;
const PATIENCE = 0.3; // s of the timeline that may be missing
const ASK_AGAIN = 1000; // ms

/** rows of the whole time, as the server keeps them */
interface Past {
    times: Float32Array;
    values: Float32Array;
    width: number;
}

export class Plots extends Panel {
    private channels: Channel[] = [];
    private chosen: number[] = [];
    private history = new History(0);
    private past: Past | null = null;
    private asked = 0; // ms, when the server was asked for the past
    private filter = el("input", { type: "search", class: "filter", id: "plot-filter", input: () => this.list() });
    private choices = el("div", { class: "choices", tabindex: "0", role: "group" });
    private diagrams = el("div", { class: "diagrams" });
    private hint = el("p", { class: "hint" });
    private whole = el("input", { type: "checkbox", id: "plot-whole", change: () => (this.lastDraw = 0) });
    private wholeText = el("span");
    private canvases = new Map<string, HTMLCanvasElement>();
    private lastDraw = 0;
    private frame: Frame | null = null;
    private begin = 0; // s, of the timeline
    private end = 0;
    /** somebody points at an instant of a diagram */
    onSeek: (t: number) => void = () => {};

    constructor() {
        super("plots");
        this.body.append(el("label", { class: "switch" }, this.whole, this.wholeText), this.diagrams, this.hint, this.filter, this.choices);
        onLanguage(() => {
            this.filter.placeholder = text("plots_filter");
            this.filter.setAttribute("aria-label", text("plots_filter"));
            this.choices.setAttribute("aria-label", text("plots_hint"));
            this.hint.textContent = text("plots_hint");
            this.wholeText.textContent = text("plots_whole");
            this.list();
            this.arrange();
        });
    }

    setChannels(channels: Channel[], wanted: string[]): void {
        // those of another model are none of this one
        const keep = this.chosen.map((index) => this.channels[index]?.name).filter((name) => channels.some((channel) => channel.name === name));
        this.channels = channels;
        this.history = new History(channels.length);
        this.past = null;
        this.asked = 0;
        const names = keep.length > 0 ? keep : wanted;
        this.chosen = channels.flatMap((channel, i) => (names.includes(channel.name) ? [i] : []));
        this.list();
        this.arrange();
    }

    setTimeline(begin: number, end: number): void {
        this.begin = begin;
        this.end = end;
    }

    private list(): void {
        const pattern = this.filter.value.trim().toLowerCase();
        const items = this.channels
            .map((channel, i) => ({ channel, i }))
            .filter(({ channel }) => `${channel.name} ${channelLabel(channel.name)}`.toLowerCase().includes(pattern))
            .slice(0, 300);
        this.choices.replaceChildren(
            ...items.map(({ channel, i }) => {
                const box = el("input", { type: "checkbox", "data-channel": channel.name, change: () => this.toggle(i) });
                box.checked = this.chosen.includes(i);
                const order = this.chosen.indexOf(i);
                const dot = el("span", { class: "dot", style: order >= 0 ? `background:${COLOURS[order % COLOURS.length]}` : "" });
                return el("label", { title: channel.name }, box, dot, channelLabel(channel.name), el("i", {}, shownUnit(channel).sign));
            }),
        );
    }

    toggle(index: number): void {
        this.chosen = this.chosen.includes(index) ? this.chosen.filter((i) => i !== index) : [...this.chosen, index].slice(-COLOURS.length);
        const focused = (document.activeElement as HTMLElement | null)?.dataset.channel;
        this.list();
        if (focused !== undefined) {
            this.choices.querySelector<HTMLElement>(`[data-channel="${CSS.escape(focused)}"]`)?.focus();
        }
        this.arrange();
        this.lastDraw = 0;
    }

    /** one diagram per unit, in the order of choice */
    private arrange(): void {
        const units = [...new Set(this.chosen.map((i) => shownUnit(this.channels[i]!).sign))];
        this.canvases.clear();
        this.diagrams.replaceChildren(
            ...units.map((unit) => {
                const names = this.tracesOf(unit).map((i) => channelLabel(this.channels[i]!.name));
                const canvas = el("canvas", { height: HEIGHT, role: "img", "aria-label": `${text("plots")}: ${names.join(", ")}` });
                canvas.addEventListener("pointerdown", (event) => this.point(canvas, event));
                this.canvases.set(unit, canvas);
                return canvas;
            }),
        );
        this.hint.hidden = units.length > 0;
    }

    private tracesOf(unit: string): number[] {
        return this.chosen.filter((i) => shownUnit(this.channels[i]!).sign === unit);
    }

    private point(canvas: HTMLCanvasElement, event: PointerEvent): void {
        const [begin, end] = this.span();
        const part = (event.offsetX - LEFT) / (canvas.clientWidth - LEFT - RIGHT);
        this.onSeek(Math.min(this.end, Math.max(this.begin, begin + part * (end - begin))));
    }

    add(frame: Frame): void {
        this.frame = frame;
        this.end = Math.max(this.end, frame.t);
        if ((frame.flags & FLAG.rewound) === 0) {
            this.history.add(frame.t, frame.channels);
        }
    }

    /** call once per picture */
    draw(now: number): void {
        if (!this.isOpen || now - this.lastDraw < REDRAW) {
            return;
        }
        this.lastDraw = now;
        this.askPast(now);
        for (const [unit, canvas] of this.canvases) {
            this.drawOne(canvas, unit);
        }
    }

    private get isWhole(): boolean {
        return this.whole.checked || (this.frame !== null && (this.frame.flags & FLAG.rewound) !== 0);
    }

    /** the instants at the ends of the diagrams */
    private span(): [number, number] {
        const now = this.frame?.t ?? 0;
        return this.isWhole ? [this.begin, Math.max(this.end, this.begin + 1e-3)] : [Math.max(now, SPAN + this.begin) - SPAN, Math.max(now, SPAN + this.begin)];
    }

    /** The server knows what was before this page, and what a recording holds; the latter grows while it is simulated. */
    private askPast(now: number): void {
        const [begin] = this.span();
        const own = this.history.length;
        const first = own > 0 ? this.history.time(0) : Infinity;
        const last = Math.max(own > 0 ? this.history.time(own - 1) : -Infinity, this.past?.times.at(-1) ?? -Infinity);
        const lacksBegin = first > begin + PATIENCE && !this.past;
        const lacksEnd = this.isWhole && last < this.end - PATIENCE;
        const gap = this.lastGap(begin);
        const lacksMiddle = gap > (this.past?.times.at(-1) ?? -Infinity);
        if ((lacksBegin || lacksEnd || lacksMiddle) && (this.asked === 0 || now - this.asked > ASK_AGAIN)) {
            this.asked = now;
            this.fetchPast().catch(() => {});
        }
    }

    /** the end of the last gap in the page's own rows since an instant: it was hidden, or had not yet the time to draw; -Infinity: none */
    private lastGap(begin: number): number {
        for (let i = this.history.length - 1; i > 0 && this.history.time(i) > begin; i--) {
            if (this.history.time(i) - this.history.time(i - 1) > PATIENCE) {
                return this.history.time(i);
            }
        }
        return -Infinity;
    }

    private async fetchPast(): Promise<void> {
        const channels = this.channels;
        const answer = await resource("history");
        const bytes = answer.ok ? decodeBytes(await answer.arrayBuffer(), HISTORY_BYTES) : null;
        if (bytes && channels === this.channels && bytes.counts.channels === channels.length) {
            this.past = { times: bytes.parts.times.f32, values: bytes.parts.values.f32, width: channels.length };
            this.lastDraw = 0;
        }
    }

    /** every row between two instants, in order: the page's own where it has them, else the server's */
    private eachRow(begin: number, end: number, use: (t: number, value: (channel: number) => number) => void): void {
        const own = this.history.length;
        const first = own > 0 ? this.history.time(0) : Infinity;
        const last = own > 0 ? this.history.time(own - 1) : -Infinity;
        const past = this.past;
        const server = (after: number, before: number) => {
            for (let i = 0; past && i < past.times.length; i++) {
                const t = past.times[i]!;
                if (t >= begin && t <= end && t > after && t < before) {
                    use(t, (channel) => past.values[i * past.width + channel]!);
                }
            }
        };
        server(-Infinity, first);
        for (let i = this.history.find(begin); i < own && this.history.time(i) <= end; i++) {
            const before = i > 0 ? this.history.time(i - 1) : Infinity;
            if (this.history.time(i) - before > PATIENCE) {
                server(before, this.history.time(i));
            }
            use(this.history.time(i), (channel) => this.history.value(i, channel));
        }
        server(last, Infinity);
    }

    /** rows that a diagram is drawn from, for the tests: how many, from when to when */
    reach(): { rows: number; begin: number; end: number } {
        const found = { rows: 0, begin: Infinity, end: -Infinity };
        const [begin, end] = this.span();
        this.eachRow(begin, end, (t) => {
            found.rows++;
            found.begin = Math.min(found.begin, t);
            found.end = Math.max(found.end, t);
        });
        return found;
    }

    private drawOne(canvas: HTMLCanvasElement, unit: string): void {
        const scale = window.devicePixelRatio || 1;
        const width = canvas.clientWidth;
        const height = canvas.clientHeight || HEIGHT;
        if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
        }
        const context = canvas.getContext("2d")!;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        const traces = this.tracesOf(unit);
        const factors = traces.map((i) => shownUnit(this.channels[i]!).factor);
        const [begin, end] = this.span();
        const lines = traces.map(() => [] as [number, number][]);
        this.eachRow(begin, end, (t, value) => traces.forEach((trace, k) => lines[k]!.push([t, factors[k]! * value(trace)])));
        const [low, high] = rangeOf(lines);
        const top = 12 + 12 * Math.ceil(traces.length / 2);
        const x = (t: number) => LEFT + ((t - begin) / (end - begin)) * (width - LEFT - RIGHT);
        const y = (v: number) => top + (1 - (v - low) / (high - low)) * (height - 20 - top);
        drawGrid(context, { width, height, top, begin, end, low, high }, x, y);
        traces.forEach((trace, k) => {
            const order = this.chosen.indexOf(trace);
            context.strokeStyle = COLOURS[order % COLOURS.length]!;
            context.lineWidth = 1.6;
            context.setLineDash(DASHES[k % DASHES.length]!);
            context.beginPath();
            lines[k]!.forEach(([t, v]) => Number.isFinite(v) && context.lineTo(x(t), y(v)));
            context.stroke();
            context.setLineDash([]);
            context.fillStyle = context.strokeStyle;
            const label = channelLabel(this.channels[trace]!.name);
            context.fillText(`${label} ${showNumber(factors[k]! * (this.frame?.channels[trace] ?? NaN))} ${unit}`, 4 + (k % 2) * (width / 2), 11 + Math.floor(k / 2) * 12, width / (traces.length > 1 ? 2 : 1) - 6);
        });
        context.strokeStyle = "#ffffff";
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x(this.frame?.t ?? 0), top);
        context.lineTo(x(this.frame?.t ?? 0), height - 16);
        context.stroke();
    }
}

export function rangeOf(lines: [number, number][][]): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const [, v] of lines.flat()) {
        if (Number.isFinite(v)) {
            low = Math.min(low, v);
            high = Math.max(high, v);
        }
    }
    if (!(low <= high)) {
        return [-1, 1];
    }
    // a constant channel is a line in the middle, not noise over the whole height
    const size = Math.max(Math.abs(low), Math.abs(high));
    const pad = size < 1e-9 ? 1 : Math.max(0.06 * (high - low), 0.02 * size);
    return [low - pad, high + pad];
}

/** a number beside the axis: as many digits as tell it from the other ends of the axis */
export function axisNumber(value: number, span: number): string {
    const size = Math.abs(value);
    const decimals = Math.max(0, 1 - Math.floor(Math.log10(span)));
    if (size < 1e-3 * span) {
        return "0";
    }
    return localNumber(size >= 1e5 || decimals > 5 ? value.toExponential(1) : value.toFixed(decimals));
}

/** a gap between lines of the grid that gives four to eight of them */
export function gridGap(span: number): number {
    const rough = span / 8;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    return [1, 2, 5, 10].map((factor) => factor * power).find((gap) => gap >= rough)!;
}

interface Frame2d {
    width: number;
    height: number;
    top: number;
    begin: number;
    end: number;
    low: number;
    high: number;
}

function drawGrid(context: CanvasRenderingContext2D, box: Frame2d, x: (t: number) => number, y: (v: number) => number): void {
    context.font = "10px system-ui, sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = "rgba(255,255,255,0.14)";
    context.fillStyle = "rgba(255,255,255,0.75)";
    const gap = gridGap(box.end - box.begin);
    for (let k = Math.ceil(box.begin / gap - 1e-9); k * gap <= box.end; k++) {
        context.beginPath();
        context.moveTo(x(k * gap), box.top);
        context.lineTo(x(k * gap), box.height - 16);
        context.stroke();
        context.fillText(localNumber(Number((k * gap).toPrecision(6)).toString()), x(k * gap) - 4, box.height - 4);
    }
    for (const v of [box.low, (box.low + box.high) / 2, box.high]) {
        context.beginPath();
        context.moveTo(LEFT, y(v));
        context.lineTo(box.width - RIGHT, y(v));
        context.stroke();
        context.fillText(axisNumber(v, box.high - box.low), 2, y(v) + 3, LEFT - 4);
    }
}
