// SPDX-License-Identifier: MIT
// A panel at the side of the picture with a title and a button to close it.

import { el, icon } from "./dom.ts";
import { onLanguage, text, type Word } from "./language.ts";

export class Panel {
    readonly root: HTMLElement;
    protected body = el("div", { class: "panel-body" });
    onToggle: (isOpen: boolean) => void = () => {};

    constructor(readonly name: Word) {
        const title = el("h2");
        const close = el("button", { class: "icon", click: () => this.show(false) }, icon("close"));
        this.root = el("section", { class: "panel", id: `panel-${name}`, hidden: true }, el("header", {}, title, close), this.body);
        onLanguage(() => {
            title.textContent = text(name);
            close.title = text("close");
        });
    }

    get isOpen(): boolean {
        return !this.root.hidden;
    }

    show(isOpen: boolean): void {
        if (isOpen !== this.isOpen) {
            this.root.hidden = !isOpen;
            this.onToggle(isOpen);
        }
    }
}
