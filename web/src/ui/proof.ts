// SPDX-License-Identifier: MIT
// Whether a drive that was opened is the one that was recorded, to the bit: a sign, a colour and words, for as long as it is shown.

import type { SceneMessage } from "../protocol.ts";
import { el } from "./dom.ts";
import { onLanguage, text, type Word } from "./language.ts";

export type Proof = "running" | "same" | "other" | "not_comparable" | "changed";

const SIGNS: Record<Proof, string> = { running: "…", same: "✓", other: "✗", not_comparable: "?", changed: "≠" };
const WORDS: Record<Proof, Word> = { running: "replay_begins", same: "proof_same", other: "proof_other", not_comparable: "replay_not_comparable", changed: "proof_changed" };

export class ProofBadge {
    readonly root = el("div", { class: "proof", id: "proof", role: "status", hidden: true });
    private proof: Proof | null = null;
    private count = "";
    private hash: string | null = null; // of the system of the drive that was opened; null: not seen yet
    private isChanged = false;

    constructor() {
        onLanguage(() => this.show());
    }

    /** count: "21/21", hashes that are equal of those compared */
    set(proof: Proof | null, count = ""): void {
        if (proof === "running" || proof === null) {
            this.hash = null;
            this.isChanged = false;
        }
        this.proof = proof;
        this.count = count;
        this.show();
    }

    /** Another model is not the drive any more; other parameters are not what was compared. */
    setScene(scene: SceneMessage): void {
        if (scene.kind !== "replay") {
            this.isChanged = this.hash !== null;
            this.proof = this.hash === null ? this.proof : null;
        } else {
            this.hash ??= scene.hash;
            this.isChanged = scene.hash !== this.hash;
        }
        this.show();
    }

    private show(): void {
        const shown = this.proof && this.isChanged ? "changed" : this.proof;
        this.root.hidden = shown === null;
        if (shown) {
            this.root.dataset.proof = shown;
            this.root.textContent = `${SIGNS[shown]} ${text(WORDS[shown])}${this.count && shown !== "changed" ? ` (${this.count})` : ""}`;
        }
    }
}
