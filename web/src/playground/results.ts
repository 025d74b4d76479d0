// SPDX-License-Identifier: MIT
// The plots of the whole run beside the scene: any channels, one diagram for each unit, runs of a sweep over each other.

import { el, showNumber } from "../ui/dom.ts";
import { shownUnit } from "../ui/names.ts";
import type { Outcome } from "./bench.ts";
import { drawChart, valueAt, type Axes, type Curve } from "./chart.ts";
import { say } from "./words.ts";

// Okabe and Ito's colours, lightened for the dark ground; lines of a diagram also differ by their dashes
const COLOURS = ["#ffb020", "#56b4e9", "#2fd3a0", "#f0e442", "#e48cc0", "#ff8a5c", "#a8b6ff", "#ffffff"];
const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3]];
const MOST = 8; // channels at once
const USUAL = 2;

/** a run of the sweep, with the colour of its value */
export interface Other {
    outcome: Outcome;
    colour: string;
    isChosen: boolean;
}

export class Results {
    readonly root = el("div", { class: "results" });
    private list = el("div", { class: "channel-list", role: "group", tabindex: "0" });
    private filter = el("input", { type: "search", id: "channel-filter", class: "filter", input: () => this.drawList() });
    private side = el("div", { class: "channels" }, this.filter, this.list);
    private diagrams = el("div", { class: "diagrams" });
    private empty = el("p", { class: "hint" });
    private charts = el("div", { class: "charts", tabindex: "0", role: "group" }, this.diagrams, this.empty);
    private outcome: Outcome | null = null;
    private others: Other[] = [];
    private axes = new Map<HTMLCanvasElement, Axes>();
    private pointed: number | null = null;
    private now = 0;
    private isFresh = false;
    /** names of the channels that are plotted */
    chosen: string[] = [];
    onSeek: (t: number) => void = () => {};
    onChoose: () => void = () => {};

    constructor() {
        this.root.append(this.side, this.charts);
        this.translate();
        new ResizeObserver(() => (this.isFresh = false)).observe(this.diagrams);
    }

    translate(): void {
        this.filter.placeholder = say("channels_filter");
        this.filter.setAttribute("aria-label", say("channels_filter"));
        this.list.setAttribute("aria-label", say("channels"));
        this.empty.textContent = say("plots_none");
        this.charts.setAttribute("aria-label", say("charts"));
        this.arrange();
    }

    show(outcome: Outcome): void {
        this.outcome = outcome;
        this.others = [];
        const names = outcome.columns.map((column) => column.name);
        const kept = this.chosen.filter((name) => names.includes(name));
        // energies are in every model; what its own outputs say comes first
        this.chosen = kept.length > 0 ? kept : names.filter((name) => !name.startsWith("energy.")).slice(0, USUAL);
        this.chosen = this.chosen.length > 0 ? this.chosen : names.slice(0, 1);
        this.arrange();
    }

    overlay(others: Other[]): void {
        this.others = others;
        this.isFresh = false;
    }

    private columnsOf(unit: string) {
        return (this.outcome?.columns ?? []).filter((column) => this.chosen.includes(column.name) && shownUnit(column).sign === unit);
    }

    private arrange(): void {
        this.drawList();
        const columns = (this.outcome?.columns ?? []).filter((column) => this.chosen.includes(column.name));
        const units = [...new Set(columns.map((column) => shownUnit(column).sign))];
        this.empty.hidden = columns.length > 0;
        this.axes.clear();
        this.diagrams.replaceChildren(...units.map((unit) => this.diagram(unit)));
        this.isFresh = false;
    }

    private diagram(unit: string): HTMLElement {
        const columns = this.columnsOf(unit);
        const label = `${say("plot_of")} ${columns.map((column) => column.name).join(", ")}`;
        const canvas = el("canvas", { role: "img", "aria-label": label, "data-unit": unit });
        const time = (event: PointerEvent): number | null => {
            const axes = this.axes.get(canvas);
            const t = axes ? axes.begin + ((event.offsetX - axes.left) / (axes.right - axes.left)) * (axes.end - axes.begin) : NaN;
            return axes && t >= axes.begin && t <= axes.end ? t : null;
        };
        canvas.addEventListener("pointermove", (event) => {
            this.pointed = time(event);
            this.isFresh = false;
            if (event.buttons > 0 && this.pointed !== null) {
                this.onSeek(this.pointed);
            }
        });
        canvas.addEventListener("pointerleave", () => {
            this.pointed = null;
            this.isFresh = false;
        });
        canvas.addEventListener("pointerdown", (event) => {
            const t = time(event);
            if (t !== null) {
                this.onSeek(t);
            }
        });
        const legend = el("div", { class: "legend-line" }, ...columns.map((column, k) => el("span", { "data-channel": column.name }, el("i", { style: `border-top: 3px ${k % 2 ? "dashed" : "solid"} ${this.colourOf(column.name)}` }), column.name, " ", el("b"))));
        return el("figure", { class: "diagram" }, legend, canvas);
    }

    private colourOf(name: string): string {
        return COLOURS[this.chosen.indexOf(name) % COLOURS.length]!;
    }

    private drawList(): void {
        const pattern = this.filter.value.trim().toLowerCase();
        const columns = (this.outcome?.columns ?? []).filter((column) => column.name.toLowerCase().includes(pattern)).slice(0, 400);
        const focused = (document.activeElement as HTMLElement | null)?.dataset.channel;
        this.list.replaceChildren(
            ...columns.map((column) => {
                const box = el("input", { type: "checkbox", "data-channel": column.name, change: () => this.toggle(column.name) });
                box.checked = this.chosen.includes(column.name);
                const dot = el("span", { class: "dot", style: box.checked ? `background:${this.colourOf(column.name)}` : "" });
                return el("label", { title: column.name }, box, dot, el("span", {}, column.name), el("i", {}, shownUnit(column).sign));
            }),
        );
        if (focused !== undefined) {
            this.list.querySelector<HTMLElement>(`[data-channel="${CSS.escape(focused)}"]`)?.focus();
        }
    }

    toggle(name: string): void {
        this.chosen = this.chosen.includes(name) ? this.chosen.filter((one) => one !== name) : [...this.chosen, name].slice(-MOST);
        this.arrange();
        this.onChoose();
    }

    private curves(unit: string): Curve[] {
        const columns = this.columnsOf(unit);
        const curve = (outcome: Outcome, name: string, colour: string, width: number, dash: number[]): Curve[] => {
            const column = outcome.columns.find((one) => one.name === name);
            return column ? [{ t: outcome.t, values: column.values, factor: shownUnit(column).factor, colour, width, dash }] : [];
        };
        const others = [...this.others].sort((a, b) => Number(a.isChosen) - Number(b.isChosen));
        const swept = others.flatMap((other) => columns.flatMap((column, k) => curve(other.outcome, column.name, other.isChosen ? "#ffffff" : other.colour, other.isChosen ? 2.6 : 1.4, DASHES[k % DASHES.length]!)));
        return others.length > 0 ? swept : columns.flatMap((column, k) => curve(this.outcome!, column.name, this.colourOf(column.name), 1.8, DASHES[k % DASHES.length]!));
    }

    /** once per picture; t: model time of the scene */
    tick(t: number): void {
        if (!this.outcome || (this.isFresh && t === this.now)) {
            return;
        }
        this.now = t;
        this.isFresh = true;
        const chosen = this.others.find((other) => other.isChosen)?.outcome ?? this.outcome;
        for (const canvas of this.diagrams.querySelectorAll("canvas")) {
            if (canvas.clientWidth === 0) {
                continue;
            }
            const marks = [{ t, colour: "rgba(255,255,255,0.85)" }, ...(this.pointed !== null ? [{ t: this.pointed, colour: "#ffb020" }] : [])];
            this.axes.set(canvas, drawChart(canvas, this.curves(canvas.dataset.unit!), canvas.dataset.unit!, marks));
            for (const span of canvas.parentElement!.querySelectorAll<HTMLElement>("[data-channel]")) {
                const column = chosen.columns.find((one) => one.name === span.dataset.channel);
                const value = column ? shownUnit(column).factor * valueAt(chosen.t, column.values, this.pointed ?? t) : NaN;
                span.querySelector("b")!.textContent = Number.isFinite(value) ? showNumber(value) : "";
            }
        }
    }
}
