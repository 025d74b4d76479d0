// SPDX-License-Identifier: MIT
// What the colours of flexible bodies mean: the scale of each body, its largest stress so far and where that was.

import type { SceneMessage } from "../protocol.ts";
import { stressColour, type FlexibleBody } from "../scene/flexible.ts";
import type { Machine } from "../scene/shapes.ts";
import * as THREE from "three";
import { el, icon, showNumber } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { plain } from "./names.ts";

const STOPS = 8; // colours of the scale

function scaleColours(): string {
    const colour = new THREE.Color();
    return Array.from({ length: STOPS + 1 }, (_, k) => `#${stressColour(k / STOPS, colour).getHexString()}`).join(", ");
}

interface Row {
    root: HTMLElement;
    largest: HTMLElement;
    now: HTMLElement;
    where: HTMLElement;
}

export class StressLegend {
    readonly root = el("section", { class: "stress", id: "stress", hidden: true, tabindex: "0" });
    private title = el("h3");
    private reset: HTMLButtonElement;
    private rows: Row[] = [];
    private isHolding = false;

    constructor(onReset: () => void) {
        this.reset = el("button", { class: "icon", id: "peaks-reset", click: onReset }, icon("restart"));
        onLanguage(() => this.translate());
    }

    private translate(): void {
        this.title.textContent = text(this.isHolding ? "peaks" : "stress_now");
        this.reset.setAttribute("aria-label", text("peaks_reset"));
        this.reset.title = `${text("peaks_reset")}  (Shift Z)`;
    }

    setScene(scene: SceneMessage): void {
        const bodies = scene.flexible;
        this.root.hidden = bodies.length === 0;
        this.rows = bodies.map((one) => makeRow(scene.bodies[one.body] ?? ""));
        this.root.replaceChildren(el("header", {}, this.title, this.reset), ...this.rows.map((row) => row.root));
    }

    update(machine: Machine | null, isHolding: boolean): void {
        if (this.isHolding !== isHolding) {
            this.isHolding = isHolding;
            this.translate();
        }
        machine?.flexible.forEach((body, k) => this.rows[k] && fill(this.rows[k]!, body));
    }
}

function makeRow(name: string): Row {
    const row = { largest: el("b"), now: el("i"), where: el("small") };
    const bar = el("div", { class: "scale" });
    bar.style.background = `linear-gradient(90deg, ${scaleColours()})`;
    const root = el("div", { class: "body", "data-body": name }, el("span", { class: "label" }, plain(name)), bar, el("div", { class: "reading" }, row.now, row.largest), row.where);
    return { root, ...row };
}

const megapascals = (stress: number): string => `${showNumber(stress / 1e6)} MPa`;

function fill(row: Row, body: FlexibleBody): void {
    const peak = body.envelope?.peak ?? null;
    row.now.textContent = megapascals(body.now);
    row.largest.textContent = `${text("stress_largest")} ${megapascals(peak?.stress ?? 0)}`;
    const at = peak ? body.place(peak.node).map((x) => showNumber(x)).join(", ") : "";
    row.where.textContent = peak ? `${text(body.isOfBeams ? "stress_element" : "stress_node")} ${peak.number} (${at}), t = ${showNumber(peak.t)} s` : "";
}
