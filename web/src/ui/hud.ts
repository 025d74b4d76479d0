// SPDX-License-Identifier: MIT
// The head-up display: what the model file names under `hud`, read from the channels of each frame.

import { hudItems, type Frame, type HudItem, type SceneMessage } from "../protocol.ts";
import { el, showNumber, svg } from "./dom.ts";
import { alarmOf, isMargin, partOf } from "./hudlogic.ts";
import { nameText, onLanguage, text } from "./language.ts";

interface Gauge {
    node: HTMLElement;
    update(values: Float32Array): void;
}

export class Hud {
    readonly root = el("div", { class: "hud", id: "hud" });
    readonly warning = el("div", { class: "warning", id: "warning", role: "alert", hidden: true });
    private gauges: Gauge[] = [];
    private scene: SceneMessage | null = null;
    private marginItem: { item: HudItem; index: number } | null = null;
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
        this.gauges = [];
        this.marginItem = null;
        this.warning.replaceChildren(el("strong", {}, text("tip_over")), el("span", {}, text("tip_over_hint")));
        if (!this.scene) {
            return;
        }
        const index = new Map(this.scene.channels.map((channel, i) => [channel.name, i]));
        for (const item of hudItems(this.scene)) {
            const names = item.channels ?? (item.channel ? [item.channel] : []);
            const found = names.map((name) => index.get(name) ?? -1);
            // a display may name a channel that this run section does not have
            if (found.length === 0 || found.includes(-1)) {
                continue;
            }
            const unit = item.unit ?? this.scene.channels[found[0]!]!.unit;
            const gauge = makeGauge({ ...item, unit }, found);
            this.gauges.push(gauge);
            this.root.append(gauge.node);
            if (isMargin(item) && item.warn !== undefined) {
                this.marginItem = { item, index: found[0]! };
            }
        }
        this.root.hidden = this.gauges.length === 0;
    }

    update(frame: Frame): void {
        for (const gauge of this.gauges) {
            gauge.update(frame.channels);
        }
        const margin = this.marginItem;
        const isBad = margin !== null && alarmOf(margin.item, frame.channels[margin.index]!) === "bad";
        if (isBad !== this.isWarning) {
            this.isWarning = isBad;
            this.warning.hidden = !isBad;
        }
    }
}

function labelOf(item: HudItem, standard: string): string {
    return nameText(item.label ?? standard);
}

function makeGauge(item: HudItem, index: number[]): Gauge {
    switch (item.kind) {
        case "wheel-loads":
            return makeWheelLoads(item, index);
        case "speed":
            return makeSpeed(item, index[0]!);
        case "angle":
            return makeAngle(item, index[0]!);
        case "bar":
        case "height":
        case "margin":
            return makeBar(item, index[0]!);
        default:
            return isMargin(item) ? makeBar({ ...item, kind: "margin" }, index[0]!) : makeNumber(item, index[0]!);
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

function makeNumber(item: HudItem, index: number): Gauge {
    const value = el("b");
    const node = el("div", { class: "gauge" }, el("label", {}, labelOf(item, item.channel ?? "")), el("span", { class: "reading" }, value, el("i", {}, item.unit ?? "")));
    const write = writer(value);
    return {
        node,
        update(values) {
            write(showNumber(values[index]!));
            node.dataset.alarm = alarmOf(item, values[index]!);
        },
    };
}

function makeSpeed(item: HudItem, index: number): Gauge {
    // people read km/h; the channel is in SI
    const isSi = (item.unit ?? "m/s") === "m/s";
    const value = el("b");
    const node = el("div", { class: "gauge speed" }, el("span", { class: "reading" }, value, el("i", {}, isSi ? "km/h" : (item.unit ?? ""))), el("label", {}, labelOf(item, "speed")));
    const write = writer(value);
    return {
        node,
        update(values) {
            const shown = values[index]! * (isSi ? 3.6 : 1);
            write((Math.abs(shown) < 0.05 ? 0 : shown).toFixed(1).replace("-", "−"));
            node.dataset.alarm = alarmOf(item, values[index]!);
        },
    };
}

function makeBar(item: HudItem, index: number): Gauge {
    const fill = el("div", { class: "fill" });
    const value = el("b");
    const isMarginBar = item.kind === "margin";
    const node = el(
        "div",
        { class: `gauge bar ${isMarginBar ? "margin" : ""}` },
        el("label", {}, labelOf(item, item.kind === "height" ? "height" : isMarginBar ? "margin" : (item.channel ?? ""))),
        el("div", { class: "track" }, fill),
        el("span", { class: "reading" }, value, el("i", {}, isMarginBar && !item.unit ? "%" : (item.unit ?? ""))),
    );
    const write = writer(value);
    const isPercent = isMarginBar && !item.unit;
    return {
        node,
        update(values) {
            const x = values[index]!;
            write(isPercent ? (100 * x).toFixed(0).replace("-", "−") : showNumber(x));
            fill.style.transform = `scaleX(${partOf(item, x).toFixed(3)})`;
            node.dataset.alarm = alarmOf(item, x);
        },
    };
}

function makeAngle(item: HudItem, index: number): Gauge {
    const needle = svg('<svg viewBox="-20 -34 40 38" class="mast"><path d="M-14 0H14" class="base"/><g><path d="M0 0V-28M-4 0V-28"/><path d="M0 -9H11" class="fork"/></g></svg>');
    const value = el("b");
    const isRadians = (item.unit ?? "rad") === "rad";
    const node = el("div", { class: "gauge angle" }, needle, el("div", {}, el("label", {}, labelOf(item, "angle")), el("span", { class: "reading" }, value, el("i", {}, isRadians ? "°" : (item.unit ?? "")))));
    const write = writer(value);
    return {
        node,
        update(values) {
            const degrees = values[index]! * (isRadians ? 180 / Math.PI : 1);
            write((Math.abs(degrees) < 0.05 ? 0 : degrees).toFixed(1).replace("-", "−"));
            // drawn twice as steep as it is, because five degrees are hard to see
            needle.querySelector("g")!.setAttribute("transform", `rotate(${(2 * degrees).toFixed(1)})`);
            node.dataset.alarm = alarmOf(item, values[index]!);
        },
    };
}

/** The truck from above with a bar at each wheel; front up, order front left, front right, rear left, rear right. */
function makeWheelLoads(item: HudItem, index: number[]): Gauge {
    const n = index.length;
    const wheels = index.map(() => ({ fill: el("div", { class: "fill" }), value: el("span") }));
    const node = el("div", { class: "gauge wheels" }, el("label", {}, `${labelOf(item, "wheel_loads")}, ${(item.unit ?? "N") === "N" ? "kN" : item.unit}`));
    const plan = el("div", { class: "plan" });
    for (let i = 0; i < n; i++) {
        const wheel = el("div", { class: "wheel" }, el("div", { class: "column" }, wheels[i]!.fill), wheels[i]!.value);
        plan.append(wheel);
    }
    node.append(plan);
    const writes = wheels.map((wheel) => writer(wheel.value));
    const isNewton = (item.unit ?? "N") === "N";
    const top = item.max ?? (isNewton ? 40000 : 4000);
    const range = { ...item, min: item.min ?? 0, max: top };
    return {
        node,
        update(values) {
            let worst = "good";
            for (let i = 0; i < n; i++) {
                const x = values[index[i]!]!;
                writes[i]!(isNewton ? (x / 1000).toFixed(1) : showNumber(x));
                wheels[i]!.fill.style.transform = `scaleY(${partOf(range, x).toFixed(3)})`;
                // a wheel without load is a wheel in the air
                const alarm = range.warn !== undefined ? alarmOf(range, x) : x < 0.02 * top ? "bad" : x < 0.06 * top ? "near" : "good";
                wheels[i]!.fill.parentElement!.parentElement!.dataset.alarm = alarm;
                worst = alarm === "bad" ? "bad" : worst;
            }
            node.dataset.alarm = worst;
        },
    };
}
