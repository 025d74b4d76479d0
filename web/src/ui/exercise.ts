// SPDX-License-Identifier: MIT
// The card of an exercise: what to do, what is done, limits, time and score.

import type { ClientMessage, ExerciseMessage, ExerciseName, SceneMessage } from "../protocol.ts";
import { el, localNumber } from "./dom.ts";
import { language, onLanguage, text } from "./language.ts";
import { said } from "./names.ts";
import { showTime } from "./timeline.ts";

/** the report in the language of the page */
const reportAddress = (path: string): string => (language() === "es" ? path.replace(".html", "-es.html") : path);

export class Exercise {
    /** somebody wants the report; true: it is given by other means than its address */
    onReport: () => boolean = () => false;
    readonly card = el("section", { class: "exercise", id: "exercise", hidden: true });
    readonly choice = el("select", { id: "exercise-choice", hidden: true });
    private message: ExerciseMessage | null = null;
    private list: ExerciseName[] = [];
    private isNew = false;

    constructor(send: (message: ClientMessage) => void) {
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
        const parts: (Node | string)[] = [el("header", {}, el("h2", {}, said(message.title)), el("span", { class: "clock" }, time)), el("p", {}, said(message.text))];
        parts.push(
            el("ul", { class: "goals" }, ...message.goals.map((goal) => el("li", { "data-done": String(goal.done) }, said(goal.text)))),
            el(
                "ul",
                { class: "limits" },
                ...message.limits.map((limit) => el("li", { "data-broken": String(limit.broken) }, `${said(limit.text)}: ${localNumber(limit.value.toFixed(2))} / ${localNumber(limit.max.toFixed(2))}`)),
            ),
        );
        if (message.state === "passed" || message.state === "failed") {
            const score = ` · ${message.score.toFixed(0)} ${text("exercise_score")}`;
            parts.push(el("strong", {}, text(message.state === "passed" ? "exercise_passed" : "exercise_failed") + score));
            if (message.report) {
                const take = (event: Event) => this.onReport() && event.preventDefault();
                parts.push(el("a", { href: reportAddress(message.report), target: "_blank", click: take }, text("exercise_report")));
            }
        }
        this.card.replaceChildren(...parts);
    }
}
