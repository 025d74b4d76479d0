// SPDX-License-Identifier: MIT
// The verdict of the run so far, for as long as it holds: a sign and a word, never colour alone; why, in its title and when it is pressed.

import type { Verdict } from "../protocol.ts";
import { el } from "./dom.ts";
import { text } from "./language.ts";
import { told } from "./phrases.ts";

const SIGNS = { good: "✓", doubtful: "?", bad: "✗" } as const;
const WORDS = { good: "verdict_good", doubtful: "verdict_doubtful", bad: "verdict_bad" } as const;

/** What the badge says; null when nothing is known, or when a newer server says a word that we do not know. */
export function verdictText(verdict: Verdict | null): { sign: string; word: string; label: string; reason: string } | null {
    if (!verdict || !Object.hasOwn(SIGNS, verdict.outcome)) {
        return null;
    }
    const word = text(WORDS[verdict.outcome]);
    const label = `${text("verdict")}: ${word}`;
    return { sign: SIGNS[verdict.outcome], word, label, reason: (verdict.line ? told(verdict.line) : "") || (verdict.outcome === "good" ? text("verdict_good_hint") : label) };
}

export class VerdictBadge {
    private sign = el("span", { "aria-hidden": "true" });
    private word = el("span");
    readonly root = el("button", { class: "verdict", id: "verdict", hidden: true, click: () => this.onAsk(this.root.title) }, this.sign, this.word);
    private verdict: Verdict | null = null;

    /** onAsk: somebody wants to read why; a title alone is out of reach of fingers */
    constructor(private onAsk: (reason: string) => void) {}

    /** null: not known, as before the first report of a run */
    set(verdict: Verdict | null): void {
        this.verdict = verdict;
        this.show();
    }

    /** also when the language changes */
    show(): void {
        const shown = verdictText(this.verdict);
        this.root.hidden = !shown;
        if (shown && (this.root.title !== shown.reason || this.word.textContent !== shown.word)) {
            this.root.dataset.outcome = this.verdict!.outcome;
            this.sign.textContent = shown.sign;
            this.word.textContent = shown.word;
            this.root.setAttribute("aria-label", shown.label);
            this.root.title = shown.reason;
        }
    }
}
