// SPDX-License-Identifier: MIT
// The strip of inputs: for each, its two keys and what the machine really gets. It is also the shortest help there is.

import { keyLabel, type KeyPair, isSteering } from "../controls/keys.ts";
import type { DriverInput, Frame } from "../protocol.ts";
import { el } from "./dom.ts";
import { onLanguage } from "./language.ts";
import { inputLabel, said } from "./names.ts";

export class Strip {
    readonly root = el("div", { class: "strip", id: "strip" });
    private fills: HTMLElement[] = [];
    private inputs: { input: DriverInput; index: number }[] = [];
    private pairs: KeyPair[] = [];

    constructor() {
        onLanguage(() => this.build());
    }

    setInputs(inputs: DriverInput[], pairs: KeyPair[]): void {
        // those that nobody can move are for scripts
        const shown = inputs.map((input, index) => ({ input, index: input.place ?? index })).filter(({ input }) => pairs.some((pair) => pair.input === input.name));
        this.inputs = shown.slice(0, 6);
        this.pairs = pairs;
        this.build();
    }

    private build(): void {
        this.fills = [];
        this.root.replaceChildren();
        this.root.hidden = this.inputs.length === 0;
        for (const { input } of this.inputs) {
            const pair = this.pairs.find((other) => other.input === input.name);
            const fill = el("div", { class: "fill" });
            this.fills.push(fill);
            // the key on the left is the one that moves the machine's picture to the left
            const isTurned = isSteering(input.name);
            const left = pair ? keyLabel(isTurned ? pair.positive : pair.negative) : "";
            const right = pair ? keyLabel(isTurned ? pair.negative : pair.positive) : "";
            this.root.append(
                el(
                    "div",
                    { class: "input", "data-input": input.name, title: said(input.help) },
                    el("kbd", {}, left),
                    el("div", { class: "middle" }, el("span", { class: "label" }, inputLabel(input.name)), el("div", { class: "track" }, fill)),
                    el("kbd", {}, right),
                ),
            );
        }
    }

    update(frame: Frame): void {
        this.inputs.forEach(({ input, index }, i) => {
            const value = frame.inputs[index] ?? input.initial;
            const low = input.min ?? -1;
            const high = input.max ?? 1;
            let part = value >= input.initial ? (value - input.initial) / Math.max(high - input.initial, 1e-9) : (value - input.initial) / Math.max(input.initial - low, 1e-9);
            part = Math.min(1, Math.max(-1, part)) * (input.sign ?? 1) * (isSteering(input.name) ? -1 : 1);
            this.fills[i]!.style.transform = `scaleX(${part.toFixed(3)})`;
        });
    }
}
