// SPDX-License-Identifier: MIT
// A panel at the side of the picture with a title and a button to close it.

import { el, icon } from "./dom.ts";
import { onLanguage, text, type Word } from "./language.ts";

export class Panel {
    readonly root: HTMLElement;
    protected body = el("div", { class: "panel-body", tabindex: "0", role: "group" });
    onToggle: (isOpen: boolean) => void = () => {};

    constructor(readonly name: Word) {
        const title = el("h2");
        const close = el("button", { class: "icon", click: () => this.show(false) }, icon("close"));
        this.root = el("section", { class: "panel", id: `panel-${name}`, hidden: true }, el("header", {}, title, close), this.body);
        onLanguage(() => {
            title.textContent = text(name);
            close.title = text("close");
            close.setAttribute("aria-label", text("close"));
            this.root.setAttribute("aria-label", text(name));
            this.body.setAttribute("aria-label", text(name));
        });
    }

    get isOpen(): boolean {
        return !this.root.hidden;
    }

    show(isOpen: boolean): void {
        if (isOpen !== this.isOpen) {
            const hadFocus = this.root.contains(document.activeElement);
            this.root.hidden = !isOpen;
            this.onToggle(isOpen);
            // the focus goes where it came from, not to the top of the page
            if (!isOpen && hadFocus) {
                document.getElementById(`tool-${this.name}`)?.focus();
            }
        }
    }
}
