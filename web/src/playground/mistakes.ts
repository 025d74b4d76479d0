// SPDX-License-Identifier: MIT
// What the engine's checker says of the text: marks in the editor, and a list below it.

import type { Diagnostic } from "@codemirror/lint";
import { el } from "../ui/dom.ts";
import { language } from "../ui/language.ts";
import type { Issue } from "./bench.ts";
import type { Editor } from "./editor.ts";
import { inSpanish } from "./messages_es.ts";
import { say } from "./words.ts";

/** the words of an issue for people, and the language that they are in */
export function issueWords(issue: Issue): { words: string; lang: "en" | "es" } {
    const spanish = language() === "es" ? inSpanish(issue.message) : null;
    return { words: spanish ?? issue.message, lang: spanish === null ? "en" : "es" };
}

/** the end of the word at a place of the text */
function wordEnd(text: string, at: number): number {
    const word = /"[^"\n]*"|'[^'\n]*'|[^\s,:[\]{}]+/y;
    word.lastIndex = at;
    const found = word.exec(text);
    return found ? at + found[0].length : Math.min(text.length, at + 1);
}

export class Mistakes {
    readonly root = el("section", { class: "mistakes", id: "mistakes", tabindex: "-1" });
    private list = el("ul", { tabindex: "0" });
    private issues: Issue[] = [];
    private path = "";

    constructor(private editor: Editor) {
        this.root.append(this.list);
    }

    /** path: of the edited file; what other files say stands in the list only */
    show(issues: Issue[], path: string): void {
        this.issues = issues;
        this.path = path;
        const { text } = this.editor;
        this.editor.mark(
            issues.filter((issue) => this.isOwn(issue)).map((issue): Diagnostic => {
                const from = this.editor.placeOf(issue.line, issue.column);
                const { words } = issueWords(issue);
                return { from, to: Math.max(from, wordEnd(text, from)), severity: issue.severity === "error" ? "error" : "warning", message: issue.where ? `${issue.where}: ${words}` : words };
            }),
        );
        this.draw();
    }

    translate(): void {
        this.show(this.issues, this.path);
    }

    private isOwn(issue: Issue): boolean {
        return issue.line > 0 && (issue.file === this.path || issue.file.replace(/^\/+/, "") === this.path.replace(/^\/+/, ""));
    }

    private draw(): void {
        this.root.setAttribute("aria-label", say("problems"));
        this.list.setAttribute("aria-label", say("problems"));
        this.root.hidden = this.issues.length === 0;
        this.list.replaceChildren(...this.issues.map((issue) => el("li", {}, this.line(issue))));
    }

    private line(issue: Issue): HTMLElement {
        const { words, lang } = issueWords(issue);
        const isOwn = this.isOwn(issue);
        const place = isOwn ? `${issue.line}:${issue.column}` : issue.line > 0 ? `${issue.file}:${issue.line}` : "";
        return el(
            "button",
            { class: `issue ${issue.severity}`, "data-line": issue.line, click: () => isOwn && this.editor.goTo(issue.line, issue.column) },
            el("span", { class: "place" }, isOwn ? el("span", { class: "spoken" }, `${say("line")} `) : "", place),
            el("span", { class: "words" }, issue.where ? el("b", {}, issue.where) : "", issue.where ? " " : "", el("span", { lang }, words)),
        );
    }
}
