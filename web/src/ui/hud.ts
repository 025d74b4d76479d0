// SPDX-License-Identifier: MIT
// The head-up display: what the model file names under `hud`, read from the channels of each frame.

import { hudItems, type Frame, type HudItem, type SceneMessage } from "../protocol.ts";
import { el, localNumber, showNumber, svg } from "./dom.ts";
import { tipAdvice, type Tipping, alarmOf, assumedUnit, displayUnit, gearName, isMargin, partOf, standardUnit } from "./hudlogic.ts";
import { nameText, onLanguage, text } from "./language.ts";
import { channelLabel, said } from "./names.ts";

interface Gauge {
    node: HTMLElement;
    update(values: Float32Array): void;
}

export class Hud {
    readonly root = el("section", { class: "hud", id: "hud" });
    readonly warning = el("div", { class: "warning", id: "warning", role: "alert", hidden: true });
    private gauges: Gauge[] = [];
    private scene: SceneMessage | null = null;
    private marginItem: { item: HudItem; index: number; factor: number } | null = null;
    private isWarning = false;

    constructor() {
        onLanguage(() => this.build());
    }

    setScene(scene: SceneMessage): void {
        this.scene = scene;
        this.build();
    }

    private build(): void {
        this.root.replaceChildren();
        this.root.setAttribute("aria-label", text("hud_region"));
        this.gauges = [];
        this.marginItem = null;
        this.told = "";
        this.tipping = {};
        this.wheels = [];
        if (!this.scene) {
            return;
        }
        const index = new Map(this.scene.channels.map((channel, i) => [channel.name, i]));
        for (const line of ["forwards", "backwards", "left", "right"] as const) {
            this.tipping[line] = this.scene.channels.findIndex((channel) => channel.name.endsWith(`stability.${line}`));
        }
        for (const item of hudItems(this.scene)) {
            if (item.kind === "wheel-loads") {
                this.wheels = (item.channels ?? []).map((name) => index.get(name) ?? -1);
            }
            if (item.channel && (item.kind === "height" || item.kind === "speed")) {
                this.tipping[item.kind] = index.get(item.channel) ?? -1;
            }
        }
        for (const item of hudItems(this.scene)) {
            const names = item.channels ?? (item.channel ? [item.channel] : []);
            const found = names.map((name) => index.get(name) ?? -1);
            // a display may name a channel that this run section does not have
            if (found.length === 0 || found.includes(-1)) {
                continue;
            }
            const gauge = makeGauge(item, found, this.scene.channels[found[0]!]!.unit);
            this.gauges.push(gauge);
            this.root.append(gauge.node);
            if (isMargin(item) && item.warn !== undefined) {
                this.marginItem = { item, index: found[0]!, factor: scaleOf(item, this.scene.channels[found[0]!]!.unit).factor };
            }
        }
        this.root.hidden = this.gauges.length === 0;
    }

    update(frame: Frame): void {
        for (const gauge of this.gauges) {
            gauge.update(frame.channels);
        }
        const margin = this.marginItem;
        const isBad = margin !== null && alarmOf(margin.item, frame.channels[margin.index]! * margin.factor) === "bad";
        if (isBad !== this.isWarning) {
            this.isWarning = isBad;
            this.warning.hidden = !isBad;
        }
        if (isBad) {
            this.advise(frame.channels);
        }
    }

    private tipping: Tipping = {}; // places in the channels
    private wheels: number[] = []; // places of their loads
    private told = "";

    /** says which way it tips and what helps */
    private advise(values: Float32Array | number[]): void {
        const now: Tipping = {};
        for (const name of Object.keys(this.tipping) as (keyof Tipping)[]) {
            if (this.tipping[name]! >= 0) {
                now[name] = values[this.tipping[name]!]!;
            }
        }
        if (this.wheels.length > 0 && !this.wheels.includes(-1)) {
            now.carried = this.wheels.reduce((sum, place) => sum + Math.max(0, values[place]!), 0);
        }
        const { line, hints } = tipAdvice(now);
        const hint = hints.map((name) => text(name)).join(", ");
        if (line + hint !== this.told) {
            this.told = line + hint;
            this.warning.replaceChildren(el("strong", {}, text(line)), el("span", {}, hint.charAt(0).toUpperCase() + hint.slice(1)));
        }
    }
}

function labelOf(item: HudItem, standard: string): string {
    return item.label !== undefined ? said(item.label) : nameText(standard) !== standard ? nameText(standard) : channelLabel(standard);
}

/** Limits of the model file are in its unit; without one they are in the channel's, and the gauge shows what people read. */
function scaleOf(item: HudItem, channelUnit: string): { factor: number; sign: string } {
    return displayUnit(channelUnit, item.unit);
}

interface Scale {
    factor: number; // channel to the unit of the limits
    shown: number; // unit of the limits to what is shown
    sign: string;
}

function makeGauge(item: HudItem, index: number[], givenUnit: string): Gauge {
    const channelUnit = assumedUnit(item.kind, givenUnit);
    const kind = item.kind ?? (isMargin(item) ? "margin" : item.min !== undefined && item.max !== undefined ? "bar" : "number");
    const limits = scaleOf(item, channelUnit);
    const wish = item.unit === undefined ? standardUnit(kind, channelUnit) : undefined;
    const shown = displayUnit(channelUnit, wish);
    const turn = Number(item.sign) === -1 ? -1 : 1;
    const scale: Scale = item.unit === undefined ? { factor: turn, shown: shown.factor, sign: shown.sign } : { factor: turn * limits.factor, shown: 1, sign: limits.sign };
    switch (kind) {
        case "wheel-loads":
            return makeWheelLoads(item, index, scale);
        case "speed":
            return makeSpeed(item, index[0]!, scale);
        case "gear":
            return makeGear(item, index[0]!);
        case "angle":
            return makeAngle(item, index[0]!, scale, channelUnit);
        case "bar":
        case "height":
        case "margin":
            return makeBar({ ...item, kind }, index[0]!, scale);
        default:
            return makeNumber(item, index[0]!, scale);
    }
}

/** frames come more often than anybody reads: text is written only when it changes */
function writer(node: HTMLElement): (value: string) => void {
    let shown = "";
    return (value) => {
        if (value !== shown) {
            shown = value;
            node.textContent = value;
        }
    };
}

/** one decimal without a negative zero */
function oneDecimal(value: number): string {
    return Number.isFinite(value) ? localNumber((Math.abs(value) < 0.05 ? 0 : value).toFixed(1)) : "–";
}

function reading(value: HTMLElement, sign: string): HTMLElement {
    return el("span", { class: "reading" }, value, el("i", {}, sign));
}

function makeNumber(item: HudItem, index: number, scale: Scale): Gauge {
    const value = el("b");
    const node = el("div", { class: "gauge" }, el("span", { class: "label" }, labelOf(item, item.channel ?? "")), reading(value, scale.sign));
    const write = writer(value);
    return {
        node,
        update(values) {
            const x = values[index]! * scale.factor;
            write(showNumber(x * scale.shown));
            node.dataset.alarm = alarmOf(item, x);
        },
    };
}

function makeSpeed(item: HudItem, index: number, scale: Scale): Gauge {
    const value = el("b");
    const node = el("div", { class: "gauge speed" }, reading(value, scale.sign), el("span", { class: "label" }, labelOf(item, "speed")));
    const write = writer(value);
    return {
        node,
        update(values) {
            const x = values[index]! * scale.factor;
            const shown = oneDecimal(x * scale.shown);
            write(shown);
            node.classList.toggle("long", shown.length > 4);
            node.dataset.alarm = alarmOf(item, x);
        },
    };
}

function makeGear(item: HudItem, index: number): Gauge {
    const value = el("b");
    const node = el("div", { class: "gauge speed" }, reading(value, ""), el("span", { class: "label" }, labelOf(item, "gear")));
    const write = writer(value);
    return { node, update: (values) => write(gearName(values[index]!)) };
}

function makeBar(item: HudItem, index: number, scale: Scale): Gauge {
    const fill = el("div", { class: "fill" });
    const value = el("b");
    const standard = item.kind === "height" ? "height" : item.kind === "margin" ? "margin" : (item.channel ?? "");
    // a range that goes through zero is drawn from zero
    const low = item.min ?? 0;
    const high = item.max ?? 1;
    const isCentred = low < 0 && high > 0;
    const node = el(
        "div",
        { class: `gauge bar ${item.kind === "margin" ? "margin" : ""} ${isCentred ? "centred" : ""}` },
        el("span", { class: "label" }, labelOf(item, standard)),
        el("div", { class: "track" }, fill),
        reading(value, scale.sign),
    );
    const write = writer(value);
    const zero = partOf(item, 0);
    return {
        node,
        update(values) {
            const x = values[index]! * scale.factor;
            write(scale.sign === "%" ? (x * scale.shown).toFixed(0).replace("-", "−") : showNumber(x * scale.shown));
            const part = partOf(item, x);
            if (isCentred) {
                fill.style.left = `${100 * Math.min(part, zero)}%`;
                fill.style.width = `${100 * Math.abs(part - zero)}%`;
            } else {
                fill.style.transform = `scaleX(${part.toFixed(3)})`;
            }
            node.dataset.alarm = alarmOf(item, x);
        },
    };
}

function makeAngle(item: HudItem, index: number, scale: Scale, channelUnit: string): Gauge {
    const needle = svg('<svg viewBox="-20 -34 40 38" class="mast"><path d="M-14 0H14" class="base"/><g><path d="M0 0V-28M-4 0V-28"/><path d="M0 -9H11" class="fork"/></g></svg>');
    const value = el("b");
    const node = el("div", { class: "gauge angle" }, needle, el("div", {}, el("span", { class: "label" }, labelOf(item, "angle")), reading(value, scale.sign)));
    const write = writer(value);
    const turn = Math.sign(scale.factor);
    const toDegrees = channelUnit === "rad" ? 180 / Math.PI : 1;
    return {
        node,
        update(values) {
            const x = values[index]! * scale.factor;
            write(oneDecimal(x * scale.shown));
            // drawn twice as steep as it is, because five degrees are hard to see
            needle.querySelector("g")!.setAttribute("transform", `rotate(${(2 * toDegrees * turn * values[index]!).toFixed(1)})`);
            node.dataset.alarm = alarmOf(item, x);
        },
    };
}

/** The truck from above with a bar at each wheel; front up, order front left, front right, rear left, rear right. */
function makeWheelLoads(item: HudItem, index: number[], scale: Scale): Gauge {
    const wheels = index.map(() => ({ fill: el("div", { class: "fill" }), value: el("span") }));
    const node = el("div", { class: "gauge wheels" }, el("span", { class: "label" }, `${labelOf(item, "wheel_loads")}, ${scale.sign}`));
    const nodes = wheels.map((wheel) => el("div", { class: "wheel" }, el("div", { class: "column" }, wheel.fill), wheel.value));
    node.append(el("div", { class: "plan" }, ...nodes));
    const writes = wheels.map((wheel) => writer(wheel.value));
    const top = item.max ?? 40000;
    const range = { ...item, min: item.min ?? 0, max: top };
    return {
        node,
        update(values) {
            let worst = "good";
            index.forEach((channel, i) => {
                const x = values[channel]! * scale.factor;
                writes[i]!(oneDecimal(x * scale.shown));
                wheels[i]!.fill.style.transform = `scaleY(${partOf(range, x).toFixed(3)})`;
                // a wheel without load is a wheel in the air
                const alarm = range.warn !== undefined ? alarmOf(range, x) : x < 0.02 * top ? "bad" : x < 0.06 * top ? "near" : "good";
                nodes[i]!.dataset.alarm = alarm;
                worst = alarm === "bad" ? "bad" : worst;
            });
            node.dataset.alarm = worst;
        },
    };
}
