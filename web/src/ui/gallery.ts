// SPDX-License-Identifier: MIT
// The gallery: a picture of each model that the server finds by name; pressing one starts it in the place of this one.

import { asset, isOneFile } from "../assets.ts";
import { resource } from "../transport.ts";
import { el } from "./dom.ts";
import { language, onLanguage, text, type Word } from "./language.ts";
import { capital } from "./names.ts";

interface Entry {
    model: string;
    title: string;
    spanish?: string;
    driven: boolean;
    graph: boolean;
}

const GROUPS: { word: Word; has: (entry: Entry) => boolean }[] = [
    { word: "gallery_drive", has: (entry) => entry.driven },
    { word: "gallery_watch", has: (entry) => !entry.driven && !entry.graph },
    { word: "gallery_graphs", has: (entry) => !entry.driven && entry.graph },
];

export class Gallery {
    readonly root = el("div", { class: "help gallery", id: "gallery", hidden: true, role: "dialog", "aria-modal": "true", click: () => this.show(false) });
    onChoose: (model: string) => void = () => {};
    onError: (message: string) => void = () => {};
    private entries: Entry[] = [];
    private pictures = new Set<string>();
    private before: HTMLElement | null = null; // who had the focus
    private filter = el("input", { type: "search", class: "filter", id: "gallery-filter", input: () => this.list() });
    private cards = el("div", { class: "cards" });
    private heading = el("h2");
    private closer = el("button", { class: "icon close", id: "gallery-close", click: () => this.show(false) }, "✕");
    /** to the playground with the model that is driven; only where the page has an engine of its own */
    private editor = el("a", { class: "edit", id: "gallery-edit", href: "playground.html", hidden: isOneFile() || !document.querySelector('meta[name="biela-engine"]') });
    private sheet = el("div", { class: "sheet", tabindex: "0", role: "document", click: (event) => event.stopPropagation() });

    constructor() {
        this.sheet.append(el("div", { class: "bar" }, this.heading, this.editor, this.filter, this.closer), this.cards);
        this.root.append(this.sheet);
        this.root.addEventListener("keydown", (event) => this.walk(event));
        onLanguage(() => this.translate());
    }

    get isOpen(): boolean {
        return !this.root.hidden;
    }

    show(isOpen: boolean): void {
        if (isOpen === this.isOpen) {
            return;
        }
        this.root.hidden = !isOpen;
        if (!isOpen) {
            this.before?.focus();
            return;
        }
        this.before = document.activeElement as HTMLElement | null;
        this.sheet.focus();
        if (this.entries.length === 0) {
            this.load().catch((error: Error) => this.onError(`${text("gallery")}: ${error.message}`));
        }
    }

    setModel(model: string): void {
        this.editor.href = `playground.html?${new URLSearchParams({ model, lang: language() })}`;
    }

    private async load(): Promise<void> {
        const pictures = await asset("gallery/index.json");
        this.pictures = new Set(pictures.ok ? ((await pictures.json()) as string[]) : []);
        const answer = await resource("models");
        if (!answer.ok) {
            throw new Error(`${answer.status}`);
        }
        this.entries = (await answer.json()) as Entry[];
        this.list();
    }

    private translate(): void {
        this.heading.textContent = text("gallery");
        this.editor.textContent = text("edit_model");
        for (const node of [this.root, this.sheet]) {
            node.setAttribute("aria-label", text("gallery"));
        }
        this.filter.placeholder = text("gallery_filter");
        this.filter.setAttribute("aria-label", text("gallery_filter"));
        this.closer.title = text("close");
        this.closer.setAttribute("aria-label", text("close"));
        this.list();
    }

    private titleOf(entry: Entry): string {
        return capital(language() === "es" ? (entry.spanish ?? entry.title) : entry.title);
    }

    private list(): void {
        const pattern = this.filter.value.trim().toLowerCase();
        const found = this.entries.filter((entry) => `${entry.model} ${this.titleOf(entry)}`.toLowerCase().includes(pattern));
        this.cards.replaceChildren(
            ...GROUPS.flatMap(({ word, has }) => {
                const some = found.filter(has);
                return some.length === 0 ? [] : [el("section", {}, el("h3", {}, text(word)), el("div", { class: "grid" }, ...some.map((entry) => this.card(entry))))];
            }),
        );
        if (found.length === 0 && this.entries.length > 0) {
            this.cards.append(el("p", {}, text("gallery_none")));
        }
    }

    private card(entry: Entry): HTMLButtonElement {
        const file = [".jpg", ".svg"].map((ending) => entry.model + ending).find((name) => this.pictures.has(name));
        // a model of one's own has no picture
        const picture = file
            ? el("img", { src: `gallery/${encodeURIComponent(file)}`, alt: "", loading: "lazy", width: 240, height: 135 })
            : el("span", { class: "blank", "aria-hidden": "true" }, this.titleOf(entry).slice(0, 1).toUpperCase());
        return el("button", { class: "card", "data-model": entry.model, click: () => this.choose(entry) }, picture, el("span", {}, this.titleOf(entry)));
    }

    private choose(entry: Entry): void {
        this.show(false);
        this.onChoose(entry.model);
    }

    /** the focus stays inside; arrows go from picture to picture */
    private walk(event: KeyboardEvent): void {
        const stops = [...this.root.querySelectorAll<HTMLElement>(".sheet, a:not([hidden]), input, button")];
        const cards = stops.filter((node) => node.classList.contains("card"));
        const focused = document.activeElement as HTMLElement;
        const at = stops.indexOf(focused);
        const card = cards.indexOf(focused);
        const row = Math.max(1, cards.filter((node) => node.offsetTop === cards[0]!.offsetTop).length);
        const jumps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row };
        if (event.code === "Tab") {
            event.preventDefault();
            stops[(at + (event.shiftKey ? stops.length - 1 : 1)) % stops.length]?.focus();
        } else if (card >= 0 && jumps[event.code] !== undefined) {
            event.preventDefault();
            event.stopPropagation();
            cards[Math.min(cards.length - 1, Math.max(0, card + jumps[event.code]!))]?.focus();
        } else if (event.code !== "Escape" && event.code !== "Enter" && event.code !== "Space") {
            // letters are for the filter, and none of them drives meanwhile
            event.stopPropagation();
        }
    }
}
