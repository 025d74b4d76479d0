// SPDX-License-Identifier: MIT
// The card of an exercise: what to do, how, what is done, faults, time; at the end the score with its reasons, and what comes next.

import { keyLabel, type KeyPair } from "../controls/keys.ts";
import type { ClientMessage, ExerciseMessage, ExerciseName, ExerciseReason, SceneMessage } from "../protocol.ts";
import { el, localNumber } from "./dom.ts";
import { language, onLanguage, text, type Word } from "./language.ts";
import { inputLabel, said } from "./names.ts";
import { showTime } from "./timeline.ts";

/** the report in the language of the page */
const reportAddress = (path: string): string => (language() === "es" ? path.replace(".html", "-es.html") : path);

const NEAR = 0.7; // of a limit: from there on its numbers are shown

export class Exercise {
    /** somebody wants the report; true: it is given by other means than its address */
    onReport: () => boolean = () => false;
    readonly card = el("section", { class: "exercise", id: "exercise", hidden: true });
    readonly choice = el("select", { id: "exercise-choice", hidden: true });
    private message: ExerciseMessage | null = null;
    private list: ExerciseName[] = [];
    private isNew = false;

    /** keys of the inputs, as they are now */
    pairs: () => readonly KeyPair[] = () => [];

    constructor(private send: (message: ClientMessage) => void) {
        this.choice.addEventListener("change", () => {
            send({ type: "exercise", name: this.choice.value });
            this.choice.blur();
        });
        onLanguage(() => this.build());
    }

    setScene(scene: SceneMessage): void {
        this.list = scene.exercises;
        // one that is on tells of itself again within a quarter of a second
        this.message = null;
        this.isNew = true;
        this.build();
    }

    set(message: ExerciseMessage): void {
        const isOver = message.state === "passed" || message.state === "failed";
        // a card at rest stays as it is: somebody may be pressing its button
        if (isOver && JSON.stringify(message) === JSON.stringify(this.message)) {
            return;
        }
        this.message = message.name === "" ? null : message;
        this.build();
    }

    private build(): void {
        this.choice.hidden = this.list.length === 0;
        this.choice.title = text("exercises");
        this.choice.setAttribute("aria-label", text("exercises"));
        if (this.choice.options.length !== this.list.length + 1 || this.choice.options[0]?.text !== text("exercise_none") || this.isNew) {
            this.isNew = false;
            this.choice.replaceChildren(el("option", { value: "" }, text("exercise_none")), ...this.list.map(({ name, title }) => el("option", { value: name }, said(title))));
        }
        this.choice.value = this.message?.name ?? "";
        const message = this.message;
        this.card.hidden = message === null;
        if (!message) {
            return;
        }
        this.card.dataset.state = message.state;
        const time = showTime(message.time) + (message.limit ? ` / ${showTime(message.limit)}` : "");
        const parts: (Node | string)[] = [el("header", {}, el("h2", {}, said(message.title)), el("span", { class: "clock" }, time))];
        const isOver = message.state === "passed" || message.state === "failed";
        if (!isOver) {
            parts.push(el("p", {}, said(message.text)));
        }
        if (message.waits) {
            parts.push(el("p", { class: "waits" }, `${text("exercise_waits")} `, el("span", { class: "keys" }, this.keys())));
        }
        parts.push(...(isOver ? this.ending(message) : this.progress(message)));
        this.card.replaceChildren(...parts);
    }

    /** the keys of the machine, for the first minute */
    private keys(): string {
        return this.pairs().map(({ input, positive, negative }) => `${keyLabel(positive)} ${keyLabel(negative)}: ${inputLabel(input)}`).join(" · ");
    }

    private progress(message: ExerciseMessage): Node[] {
        const next = message.goals.find((goal) => !goal.done);
        // a fault shows when it was made; limits of the exercise always
        const shown = message.limits.filter((limit) => limit.fault === undefined || limit.times > 0);
        const words = (limit: ExerciseMessage["limits"][number]) =>
            limit.fault === undefined && limit.max !== 0 && limit.value > NEAR * limit.max
                ? `${said(limit.text)}: ${localNumber(limit.value.toFixed(2))} / ${localNumber(limit.max.toFixed(2))}`
                : `${said(limit.text)}${limit.times > 0 ? `: ${limit.times} ×  −${limit.cost * limit.times}` : ""}`;
        return [
            el("ul", { class: "goals" }, ...message.goals.map((goal) => el("li", { "data-done": String(goal.done), "data-next": String(goal === next) }, said(goal.text)))),
            ...(next?.hint ? [el("p", { class: "hint" }, said(next.hint))] : []),
            el("ul", { class: "limits" }, ...shown.map((limit) => el("li", { "data-broken": String(limit.broken), "data-fault": limit.fault ?? "" }, words(limit)))),
        ];
    }

    private ending(message: ExerciseMessage): Node[] {
        const score = ` · ${message.score.toFixed(0)} ${text("exercise_score")}`;
        const parts: Node[] = [el("strong", {}, text(message.state === "passed" ? "exercise_passed" : "exercise_failed") + score)];
        const points = (reason: ExerciseReason) => (reason.points > 0 ? ` −${localNumber(reason.points.toFixed(0))}` : "");
        const times = (reason: ExerciseReason) => (reason.times > 1 ? ` ${reason.times} ×` : "");
        const row = (reason: ExerciseReason) =>
            el("li", { "data-kind": reason.kind }, `${[text(`reason_${reason.kind}` as Word), said(reason.text)].filter((part) => part !== "").join(": ")}${times(reason)}${points(reason)}`, ...(reason.hint ? [el("i", {}, said(reason.hint))] : []));
        // of goals that were not reached the first one says it all
        const firstGoal = message.reasons.find((reason) => reason.kind === "goal");
        parts.push(el("ul", { class: "reasons" }, ...message.reasons.filter((reason) => reason.kind !== "goal" || reason === firstGoal).map(row)));
        const go = (name: string) => () => this.send({ type: "exercise", name });
        const buttons = [el("button", { id: "exercise-again", click: go(message.name) }, text("exercise_again"))];
        if (message.next) {
            buttons.push(el("button", { id: "exercise-next", class: message.state === "passed" ? "primary" : "", click: go(message.next) }, text("exercise_next")));
        }
        parts.push(el("div", { class: "buttons" }, ...buttons));
        if (message.report) {
            const take = (event: Event) => this.onReport() && event.preventDefault();
            parts.push(el("a", { href: reportAddress(message.report), target: "_blank", click: take }, text("exercise_report")));
        }
        return parts;
    }
}
