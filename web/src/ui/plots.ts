// SPDX-License-Identifier: MIT
// Live plots of any channels: a list to choose from, one small diagram per unit.

import { History } from "../history.ts";
import { FLAG, type Channel, type Frame } from "../protocol.ts";
import { el, showNumber } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { Panel } from "./panel.ts";

const COLOURS = ["#ffb020", "#4ac1ff", "#7ee081", "#ff7a6b", "#c99bff", "#ffe066", "#5be3cf", "#ff9ad5"];
const SPAN = 12; // s shown
const REDRAW = 60; // ms between redraws
const HEIGHT = 118; // px per diagram

export class Plots extends Panel {
    private channels: Channel[] = [];
    private chosen: number[] = [];
    private history = new History(0);
    private filter = el("input", { type: "search", class: "filter", id: "plot-filter", input: () => this.list() });
    private choices = el("div", { class: "choices" });
    private diagrams = el("div", { class: "diagrams" });
    private hint = el("p", { class: "hint" });
    private canvases = new Map<string, HTMLCanvasElement>();
    private lastDraw = 0;
    private now = 0;

    constructor() {
        super("plots");
        this.body.append(this.diagrams, this.hint, this.filter, this.choices);
        onLanguage(() => {
            this.filter.placeholder = text("plots_filter");
            this.hint.textContent = text("plots_hint");
        });
    }

    setChannels(channels: Channel[], wanted: string[]): void {
        const keep = this.chosen.map((index) => this.channels[index]?.name);
        this.channels = channels;
        this.history = new History(channels.length);
        const names = keep.length > 0 ? keep : wanted;
        this.chosen = channels.flatMap((channel, i) => (names.includes(channel.name) ? [i] : []));
        this.list();
        this.arrange();
    }

    private list(): void {
        const pattern = this.filter.value.trim().toLowerCase();
        const items = this.channels
            .map((channel, i) => ({ channel, i }))
            .filter(({ channel }) => channel.name.toLowerCase().includes(pattern))
            .slice(0, 300);
        this.choices.replaceChildren(
            ...items.map(({ channel, i }) => {
                const box = el("input", { type: "checkbox", "data-channel": channel.name, change: () => this.toggle(i) });
                box.checked = this.chosen.includes(i);
                const order = this.chosen.indexOf(i);
                const dot = el("span", { class: "dot", style: order >= 0 ? `background:${COLOURS[order % COLOURS.length]}` : "" });
                return el("label", {}, box, dot, channel.name, el("i", {}, channel.unit));
            }),
        );
    }

    toggle(index: number): void {
        this.chosen = this.chosen.includes(index) ? this.chosen.filter((i) => i !== index) : [...this.chosen, index].slice(-COLOURS.length);
        this.list();
        this.arrange();
        this.lastDraw = 0;
    }

    /** one diagram per unit, in the order of choice */
    private arrange(): void {
        const units = [...new Set(this.chosen.map((i) => this.channels[i]!.unit))];
        this.canvases.clear();
        this.diagrams.replaceChildren(
            ...units.map((unit) => {
                const canvas = el("canvas", { height: HEIGHT });
                this.canvases.set(unit, canvas);
                return canvas;
            }),
        );
        this.hint.hidden = units.length > 0;
    }

    add(frame: Frame): void {
        this.now = frame.t;
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
        for (const [unit, canvas] of this.canvases) {
            this.drawOne(canvas, unit);
        }
    }

    private drawOne(canvas: HTMLCanvasElement, unit: string): void {
        const scale = window.devicePixelRatio || 1;
        const width = canvas.clientWidth;
        if (canvas.width !== Math.round(width * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = HEIGHT * scale;
        }
        const context = canvas.getContext("2d")!;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, HEIGHT);
        const traces = this.chosen.filter((i) => this.channels[i]!.unit === unit);
        const end = Math.max(this.now, this.history.length > 0 ? Math.min(this.history.time(this.history.length - 1), this.now + SPAN / 2) : 0);
        const begin = end - SPAN;
        const first = this.history.find(begin);
        const last = this.history.find(end + 1e-9);
        const [low, high] = this.range(traces, first, last);
        const x = (t: number) => 40 + ((t - begin) / SPAN) * (width - 46);
        const y = (v: number) => 18 + (1 - (v - low) / (high - low)) * (HEIGHT - 36);
        drawGrid(context, width, begin, end, low, high, x, y);
        traces.forEach((trace, k) => {
            context.strokeStyle = COLOURS[this.chosen.indexOf(trace) % COLOURS.length]!;
            context.lineWidth = 1.6;
            context.beginPath();
            for (let i = first; i < last; i++) {
                const v = this.history.value(i, trace);
                if (Number.isFinite(v)) {
                    context.lineTo(x(this.history.time(i)), y(v));
                }
            }
            context.stroke();
            context.fillStyle = context.strokeStyle;
            const here = Math.min(this.history.find(this.now), this.history.length - 1);
            const value = here >= 0 ? this.history.value(here, trace) : NaN;
            context.fillText(`${this.channels[trace]!.name} ${showNumber(value)} ${unit}`, 44 + (k % 2) * (width / 2 - 20), 11 + Math.floor(k / 2) * 12);
        });
        context.strokeStyle = "rgba(255,255,255,0.5)";
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x(this.now), 16);
        context.lineTo(x(this.now), HEIGHT - 16);
        context.stroke();
    }

    private range(traces: number[], first: number, last: number): [number, number] {
        let low = Infinity;
        let high = -Infinity;
        for (const trace of traces) {
            for (let i = first; i < last; i++) {
                const v = this.history.value(i, trace);
                if (Number.isFinite(v)) {
                    low = Math.min(low, v);
                    high = Math.max(high, v);
                }
            }
        }
        if (!(low <= high)) {
            return [-1, 1];
        }
        // a constant channel is a line in the middle, not noise over the whole height
        const pad = Math.max(0.06 * (high - low), 0.02 * Math.max(Math.abs(low), Math.abs(high)), 1e-6);
        return [low - pad, high + pad];
    }
}

function drawGrid(
    context: CanvasRenderingContext2D,
    width: number,
    begin: number,
    end: number,
    low: number,
    high: number,
    x: (t: number) => number,
    y: (v: number) => number,
): void {
    context.font = "10px system-ui, sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = "rgba(255,255,255,0.12)";
    context.fillStyle = "rgba(255,255,255,0.55)";
    for (let t = Math.ceil(begin / 2) * 2; t <= end; t += 2) {
        context.beginPath();
        context.moveTo(x(t), 16);
        context.lineTo(x(t), HEIGHT - 16);
        context.stroke();
        if (t >= 0) {
            context.fillText(String(t), x(t) - 4, HEIGHT - 4);
        }
    }
    for (const v of [low, (low + high) / 2, high]) {
        context.beginPath();
        context.moveTo(40, y(v));
        context.lineTo(width - 6, y(v));
        context.stroke();
        context.fillText(showNumber(v, 2), 2, y(v) + 3);
    }
}
