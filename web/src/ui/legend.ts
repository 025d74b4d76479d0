// SPDX-License-Identifier: MIT
// What the arrows of forces mean: their kinds by colour and sign, and how long round forces are where the machine is.

import { ARROW_COLOURS } from "../scene/arrows.ts";
import type { View } from "../scene/view.ts";
import { el, localNumber } from "./dom.ts";
import { onLanguage, text, type Word } from "./language.ts";

const SIGNS: Record<string, string> = { tyre: "▲", contact: "●", joint: "◆" };
const UPDATE = 400; // ms

/** a force of 1, 2 or 5 times a power of ten, the largest below the given one */
export function roundForce(force: number): number {
    const power = Math.pow(10, Math.floor(Math.log10(force)));
    return [5, 2, 1].map((factor) => factor * power).find((round) => round <= force * (1 + 1e-9))!;
}

export function forceText(force: number): string {
    return force >= 1000 ? `${localNumber(String(Number((force / 1000).toPrecision(3))))} kN` : `${localNumber(String(Number(force.toPrecision(3))))} N`;
}

export class ForceLegend {
    readonly root = el("section", { class: "legend", id: "legend", hidden: true });
    private kinds: string[] = [];
    private view: View | null = null;
    private last = 0;

    constructor() {
        onLanguage(() => this.build());
    }

    show(kinds: string[], view: View): void {
        this.kinds = kinds;
        this.view = view;
        this.build();
    }

    private build(): void {
        this.root.hidden = this.kinds.length === 0;
        this.root.setAttribute("aria-label", text("legend_forces"));
        if (this.root.hidden || !this.view) {
            return;
        }
        const keys = this.kinds.map((kind) => el("div", { class: "key" }, el("b", { style: `color:${ARROW_COLOURS[kind]}` }, SIGNS[kind] ?? "▲"), text(`legend_${kind}` as Word)));
        // two round forces whose arrows are neither too short to see nor longer than the box
        const longest = this.view.forceOfPixels(110);
        const forces = longest > 0 ? [...new Set([roundForce(longest), roundForce(longest / 6)])] : [];
        const scales = forces.map((force) => {
            const pixels = this.view!.pixelsOfForce(force);
            return el("div", { class: "key" }, el("i", { class: "measure", style: `width:${Math.round(pixels)}px` }), forceText(force));
        });
        this.root.replaceChildren(el("h2", {}, text("legend_forces")), ...keys, ...scales);
    }

    /** the scale changes when the camera comes nearer */
    follow(view: View): void {
        const now = performance.now();
        if (!this.root.hidden && now - this.last > UPDATE) {
            this.last = now;
            this.view = view;
            this.build();
        }
    }
}
