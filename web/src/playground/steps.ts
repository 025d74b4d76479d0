// SPDX-License-Identifier: MIT
// First steps: buttons that write lines for a stranger, and how far he has come on the way to a double pendulum.

import { el } from "../ui/dom.ts";
import { progressOf, type Snippet } from "./snippets.ts";
import { say, type PlayWord } from "./words.ts";

type Step = { word: PlayWord; does: Snippet | "empty" | null; isDone: (text: string) => boolean };

const STEPS: Step[] = [
    { word: "step_empty", does: "empty", isDone: (text) => progressOf(text).isEmpty },
    { word: "step_rod", does: "rod", isDone: (text) => progressOf(text).rods > 0 },
    { word: "step_pivot", does: "joint", isDone: (text) => progressOf(text).pivots > 0 },
    { word: "step_rod2", does: "rod", isDone: (text) => progressOf(text).rods > 1 },
    { word: "step_elbow", does: "joint", isDone: (text) => progressOf(text).elbows > 0 },
    { word: "step_look", does: null, isDone: (text) => progressOf(text).elbows > 0 },
];

const MORE: [Snippet, PlayWord][] = [
    ["rod", "add_rod"],
    ["ball", "add_ball"],
    ["box", "add_box"],
    ["joint", "add_joint"],
    ["slider", "add_slider"],
    ["spring", "add_spring"],
    ["damper", "add_damper"],
    ["motor", "add_motor"],
    ["output", "add_output"],
    ["parameter", "add_parameter"],
    ["run", "add_run"],
];

export class Steps {
    readonly root = el("details", { class: "steps", id: "steps" });
    private summary = el("summary");
    private intro = el("p", { class: "hint" });
    private list = el("ol");
    private more = el("div", { class: "more", role: "group" });
    private text = "";
    onAdd: (what: Snippet) => void = () => {};
    onEmpty: () => void = () => {};
    onLook: () => void = () => {};

    constructor() {
        this.root.append(this.summary, el("div", { class: "steps-body" }, this.intro, this.list, this.more));
        this.translate();
    }

    show(isOpen: boolean): void {
        this.root.open = isOpen;
    }

    translate(): void {
        this.summary.textContent = say("steps");
        this.intro.textContent = say("steps_intro");
        this.more.setAttribute("aria-label", say("steps_more"));
        this.more.replaceChildren(el("span", {}, `${say("add")}:`), ...MORE.map(([what, word]) => el("button", { class: "chip", "data-add": what, click: () => this.onAdd(what) }, `+ ${say(word)}`)));
        this.update(this.text);
    }

    update(text: string): void {
        this.text = text;
        const done = STEPS.map((step) => step.isDone(text));
        const next = done.indexOf(false);
        this.intro.textContent = say(next < 0 ? "steps_done" : "steps_intro");
        const hadFocus = this.list.contains(document.activeElement);
        this.list.replaceChildren(
            ...STEPS.map((step, k) =>
                el(
                    "li",
                    { "data-done": String(done[k]), "data-next": String(k === next) },
                    el("button", { "data-step": k, click: () => this.press(step) }, el("span", { class: "tick", "aria-hidden": "true" }, done[k] ? "✓" : String(k + 1)), say(step.word)),
                ),
            ),
        );
        if (hadFocus) {
            this.list.querySelector<HTMLElement>(`[data-step="${next < 0 ? STEPS.length - 1 : next}"]`)?.focus();
        }
    }

    private press(step: Step): void {
        if (step.does === "empty") {
            this.onEmpty();
        } else if (step.does) {
            this.onAdd(step.does);
        } else {
            this.onLook();
        }
    }
}
