// SPDX-License-Identifier: MIT
// The instructor's place: freeze and release, comments into the recording. Others see that they are frozen.

import type { ClientMessage, RoleMessage } from "../../protocol.ts";
import { el } from "../dom.ts";
import { onLanguage, text } from "../language.ts";

const LONGEST = 200; // bytes of a comment

export class Instructor {
    readonly root = el("form", { class: "instructor", id: "instructor", hidden: true });
    readonly banner = el("div", { class: "frozen", id: "frozen", role: "status", hidden: true });
    private freeze = el("button", { type: "button", id: "instructor-freeze" });
    private comment = el("input", { id: "instructor-comment", type: "text", maxlength: LONGEST });
    private say = el("button", { type: "submit", id: "instructor-say" });
    private isFrozen = false;

    constructor(private send: (message: ClientMessage) => void) {
        this.freeze.addEventListener("click", () => this.send({ type: "freeze", on: !this.isFrozen }));
        this.root.addEventListener("submit", (event) => {
            event.preventDefault();
            const words = this.words();
            if (words !== "") {
                this.send({ type: "comment", text: words });
                this.comment.value = "";
            }
        });
        this.root.append(this.freeze, this.comment, this.say);
        onLanguage(() => this.show());
    }

    /** not more bytes than the program takes, and no half letter */
    private words(): string {
        const bytes = new TextEncoder().encode(this.comment.value.trim());
        return new TextDecoder().decode(bytes.slice(0, LONGEST)).replace(/\uFFFD$/, "");
    }

    setRole(role: Omit<RoleMessage, "type">): void {
        this.root.hidden = !role.instructor;
        this.isFrozen = role.frozen;
        this.banner.hidden = !role.frozen || role.instructor;
        this.show();
    }

    private show(): void {
        this.freeze.textContent = text(this.isFrozen ? "release" : "freeze");
        this.freeze.classList.toggle("primary", this.isFrozen);
        this.say.textContent = text("comment_say");
        this.comment.placeholder = text("comment_hint");
        this.comment.setAttribute("aria-label", text("comment_hint"));
        this.root.setAttribute("aria-label", text("instructor"));
        this.banner.textContent = text("frozen");
    }
}
