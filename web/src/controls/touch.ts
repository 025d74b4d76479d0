// SPDX-License-Identifier: MIT
// On-screen sticks for fingers: left steers and drives, the next lifts and tilts, the next looks back and brakes; further inputs get sliders.

import type { Input } from "../protocol.ts";
import { el } from "../ui/dom.ts";
import { onLanguage } from "../ui/language.ts";
import { inputLabel } from "../ui/names.ts";

/** x input, y input of each stick, by the first of these names that is there; signs as the screen has them: steering left is positive */
const STICKS: [string[], number, string[], number][] = [
    [["steer", "wheel"], -1, ["drive", "pedal", "throttle", "force"], 1],
    [["lift"], 1, ["tilt"], 1],
    [["look"], 1, ["park"], 1],
];

export class Touch {
    readonly root = el("div", { class: "touch", id: "touch" });
    readonly values: Record<string, number> = {};
    onChange: () => void = () => {};

    private inputs: Input[] = [];

    constructor() {
        onLanguage(() => this.build());
    }

    setInputs(inputs: Input[]): void {
        this.inputs = inputs;
        this.build();
    }

    private build(): void {
        this.root.replaceChildren();
        const left = new Set(this.inputs.map((input) => input.name));
        for (const [across, signX, along, signY] of STICKS) {
            const x = across.find((name) => left.has(name)) ?? null;
            const y = along.find((name) => left.has(name)) ?? null;
            if (x !== null || y !== null) {
                this.root.append(this.makeStick(x, signX, y, signY));
            }
            [x, y].forEach((name) => name !== null && left.delete(name));
        }
        if (left.size <= 3) {
            left.forEach((name) => this.root.append(this.makeStick(name, 1, null, 1)));
        } else {
            // the joints of a robot: a slider each, which stays where it is put
            this.root.append(el("div", { class: "sliders" }, ...this.inputs.filter((input) => left.has(input.name)).map((input) => this.makeSlider(input))));
        }
    }

    private makeSlider(input: Input): HTMLElement {
        const low = input.min ?? Math.min(-1, input.initial);
        const high = input.max ?? Math.max(1, input.initial);
        const slider = el("input", { type: "range", min: low, max: high, step: "any", class: "slide", "aria-label": inputLabel(input.name) });
        const share = this.values[input.name] ?? 0;
        slider.value = String(input.initial + share * (share > 0 ? high - input.initial : input.initial - low));
        slider.addEventListener("input", () => {
            const away = Number(slider.value) - input.initial;
            const most = away > 0 ? high - input.initial : input.initial - low;
            this.values[input.name] = most > 0 ? away / most : 0;
            this.onChange();
        });
        return el("label", { "data-inputs": input.name }, el("span", {}, inputLabel(input.name)), slider);
    }

    private makeStick(x: string | null, signX: number, y: string | null, signY: number): HTMLElement {
        const knob = el("div", { class: "knob" });
        const pad = el(
            "div",
            { class: "stick", "data-inputs": [x, y].filter(Boolean).join(" ") },
            el("span", { class: "stick-x" }, x ? inputLabel(x) : ""),
            el("span", { class: "stick-y" }, y ? inputLabel(y) : ""),
            knob,
        );
        const set = (u: number, v: number) => {
            knob.style.transform = `translate(${u * 40}px, ${-v * 40}px)`;
            if (x) {
                this.values[x] = u * signX;
            }
            if (y) {
                this.values[y] = v * signY;
            }
            this.onChange();
        };
        const move = (event: PointerEvent) => {
            const box = pad.getBoundingClientRect();
            const part = (at: number, low: number, size: number) => Math.min(1, Math.max(-1, ((at - low) / size - 0.5) * 2.4));
            // a small dead zone, so that driving straight is possible with a thumb
            const dead = (u: number) => (Math.abs(u) < 0.12 ? 0 : u);
            set(x ? dead(part(event.clientX, box.left, box.width)) : 0, y ? -dead(part(event.clientY, box.top, box.height)) : 0);
        };
        pad.addEventListener("pointerdown", (event) => {
            pad.setPointerCapture(event.pointerId);
            move(event);
        });
        pad.addEventListener("pointermove", (event) => {
            if (pad.hasPointerCapture(event.pointerId)) {
                move(event);
            }
        });
        pad.addEventListener("pointerup", () => set(0, 0));
        pad.addEventListener("pointercancel", () => set(0, 0));
        return pad;
    }
}
