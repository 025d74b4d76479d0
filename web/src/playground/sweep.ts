// SPDX-License-Identifier: MIT
// A sweep of one parameter: runs for values between two limits, their curves over each other, and a slider that picks one.

import { el, localNumber } from "../ui/dom.ts";
import type { Outcome, Parameter } from "./bench.ts";
import { NoResult, type Desk } from "./desk.ts";
import type { Results } from "./results.ts";
import { say } from "./words.ts";

const RUNS = 9;
// from low to high: told apart by colour-blind people, and by their lightness
const COLOURS = ["#4a6fe3", "#3f8fe0", "#35a9c9", "#35bfa3", "#63cc76", "#9fd356", "#cfd648", "#ecc94a", "#ffb25c"];

export const sweepValues = (low: number, high: number, count = RUNS): number[] => Array.from({ length: count }, (_, k) => Number((low + ((high - low) * k) / (count - 1)).toPrecision(12)));

export class Sweep {
    readonly root = el("section", { class: "sweep", id: "sweep" });
    private heading = el("h2");
    private choice = el("select", { id: "sweep-parameter", change: () => this.choose() });
    private low = el("input", { type: "number", id: "sweep-low", step: "any", required: true });
    private high = el("input", { type: "number", id: "sweep-high", step: "any", required: true });
    private button = el("button", { id: "sweep-start", class: "primary", click: () => (this.isRunning ? this.stop() : void this.start()) });
    private slider = el("input", { type: "range", id: "sweep-value", min: 0, max: RUNS - 1, step: 1, input: () => this.pick() });
    private shown = el("output", { id: "sweep-shown", for: "sweep-value" });
    private use = el("button", { id: "sweep-use", click: () => this.onUse(this.name, this.values[this.slider.valueAsNumber]!) });
    private hint = el("p", { class: "hint" });
    private form: HTMLElement;
    private parameters: Parameter[] = [];
    private values: number[] = [];
    private runs: (Outcome | null)[] = [];
    private isRunning = false;
    private wanted = 0;
    /** somebody wants this value in the text */
    onUse: (name: string, value: number) => void = () => {};
    /** a run of the sweep took too long, or the engine broke */
    onTrouble: (error: NoResult) => void = () => {};

    constructor(
        private desk: Desk,
        private results: Results,
    ) {
        const labelled = (word: "sweep_of" | "sweep_from" | "sweep_to", node: HTMLElement) => el("label", {}, el("span", { "data-word": word }), node);
        this.form = el("div", { class: "sweep-form" }, labelled("sweep_of", this.choice), labelled("sweep_from", this.low), labelled("sweep_to", this.high), this.button);
        const picked = el("div", { class: "sweep-picked", hidden: true }, el("label", { for: "sweep-value", "data-word": "sweep_value" }), this.slider, this.shown, this.use);
        this.root.append(this.heading, this.form, picked, this.hint);
        this.picked = picked;
        this.translate();
    }

    private picked: HTMLElement;

    private get name(): string {
        return this.choice.value;
    }

    translate(): void {
        this.heading.textContent = say("sweep");
        this.root.setAttribute("aria-label", say("sweep"));
        for (const node of this.root.querySelectorAll<HTMLElement>("[data-word]")) {
            node.textContent = say(node.dataset.word as "sweep_of");
        }
        this.use.textContent = say("sweep_use");
        this.hint.textContent = say("sweep_none");
        this.showState();
    }

    private showState(): void {
        this.button.textContent = say(this.isRunning ? "sweep_stop" : "sweep_start");
        this.form.hidden = this.parameters.length === 0;
        this.hint.hidden = this.parameters.length > 0;
        this.picked.hidden = this.runs.length === 0;
        const value = this.values[this.slider.valueAsNumber];
        const unit = this.parameters.find((one) => one.name === this.name)?.unit ?? "";
        const isMissing = this.runs.length > 0 && !this.runs[this.slider.valueAsNumber];
        this.shown.textContent = value === undefined ? "" : `${localNumber(String(value))} ${unit}${isMissing && !this.isRunning ? ` (${say("sweep_bad")})` : ""}`;
        this.slider.setAttribute("aria-valuetext", this.shown.textContent);
    }

    /** the parameters of the model that is shown now; a sweep of another text is over */
    setParameters(parameters: Parameter[]): void {
        const before = this.name;
        const isSame = parameters.map((one) => one.name).join() === this.parameters.map((one) => one.name).join();
        this.wanted++;
        this.isRunning = false;
        this.runs = [];
        this.parameters = parameters;
        this.choice.replaceChildren(...parameters.map((one) => el("option", { value: one.name }, one.unit ? `${one.name} (${one.unit})` : one.name)));
        if (isSame && before) {
            this.choice.value = before;
        } else {
            this.choose();
        }
        this.showState();
    }

    private choose(): void {
        const found = this.parameters.find((one) => one.name === this.name);
        const size = Math.abs(found?.value ?? 1) || 1;
        const value = found?.value ?? 0;
        const round = (x: number) => String(Number(x.toPrecision(3)));
        this.low.value = round(value - size / 2);
        this.high.value = round(value + size / 2);
        this.showState();
    }

    private stop(): void {
        this.wanted++;
        this.isRunning = false;
        this.desk.stop();
        this.showState();
    }

    private async start(): Promise<void> {
        if (!this.low.reportValidity() || !this.high.reportValidity()) {
            return;
        }
        const wanted = ++this.wanted;
        this.values = sweepValues(this.low.valueAsNumber, this.high.valueAsNumber);
        this.runs = this.values.map(() => null);
        this.isRunning = true;
        this.slider.value = String(Math.floor(RUNS / 2));
        try {
            for (let k = 0; k < this.values.length; k++) {
                this.showState();
                const outcome = await this.desk.run({ [this.name]: this.values[k]! });
                if (wanted !== this.wanted) {
                    return;
                }
                this.runs[k] = outcome.isGood ? outcome : null;
                this.overlay();
            }
        } catch (error) {
            if (wanted === this.wanted && error instanceof NoResult && error.why !== "stopped") {
                this.onTrouble(error);
            }
        }
        if (wanted === this.wanted) {
            this.isRunning = false;
            this.showState();
        }
    }

    private pick(): void {
        this.overlay();
        this.showState();
    }

    private overlay(): void {
        const at = this.slider.valueAsNumber;
        this.results.overlay(this.runs.flatMap((outcome, k) => (outcome ? [{ outcome, colour: COLOURS[k % COLOURS.length]!, isChosen: k === at }] : [])));
    }
}
