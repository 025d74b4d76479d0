// SPDX-License-Identifier: MIT
// What can be opened: an empty model, the guide's pendulum, texts of this browser, a file, models of the gallery.

import { BUILD } from "../engine/build.ts";
import { unpack, type PackedFile } from "../engine/pack.ts";
import { el } from "../ui/dom.ts";
import { language } from "../ui/language.ts";
import { emptyModel, GUIDE_PENDULUM } from "./snippets.ts";
import type { Kept, Store } from "./store.ts";
import { child, readTree } from "./tree.ts";
import { say } from "./words.ts";

export interface Opened {
    text: string;
    name: string;
    base?: string;
    kept?: Kept;
}

interface Example {
    model: string;
    text: string;
    title: string;
    spanish: string;
}

/** the pack of models, fetched when it is first needed */
export class Shelf {
    private bytes: Promise<ArrayBuffer> | null = null;

    pack(): Promise<ArrayBuffer> {
        this.bytes ??= fetch(`models.pack${BUILD ? `?v=${BUILD}` : ""}`).then((answer) => {
            if (!answer.ok) {
                throw new Error(`models.pack: ${answer.status}`);
            }
            return answer.arrayBuffer();
        });
        this.bytes.catch(() => (this.bytes = null));
        return this.bytes;
    }

    async files(): Promise<PackedFile[]> {
        return unpack(await this.pack());
    }

    async examples(): Promise<Example[]> {
        const found = (await this.files()).flatMap((file) => {
            const model = /^models\/([^/]+)\/model\.yaml$/.exec(file.path)?.[1];
            return model ? [exampleOf(model, new TextDecoder().decode(file.bytes))] : [];
        });
        return found.sort((a, b) => a.text.length - b.text.length);
    }

    async model(name: string): Promise<string | null> {
        const file = (await this.files()).find((one) => one.path === `models/${name}/model.yaml`);
        return file ? new TextDecoder().decode(file.bytes) : null;
    }
}

function exampleOf(model: string, text: string): Example {
    const root = readTree(text);
    const title = child(root, "name")?.text ?? model;
    return { model, text, title, spanish: child(child(root, "spanish"), title)?.text ?? title };
}

/** the lines that only the sources need */
const withoutHead = (text: string): string => text.replace(/^(#[^\n]*\n)+/, "");

export class OpenDialog {
    readonly root = el("dialog", { class: "open-dialog", id: "open-dialog" });
    private filter = el("input", { type: "search", class: "filter", id: "open-filter", input: () => this.draw() });
    private body = el("div", { class: "open-body" });
    private heading = el("h2");
    private closer = el("button", { class: "icon", id: "open-close", click: () => this.root.close() }, "✕");
    private chooser = el("input", { type: "file", id: "open-file", hidden: true, multiple: true, accept: ".yaml,.yml,.json,.csv,.obj,.stl,.inp,.msh" });
    private examples: Example[] = [];
    private pictures: string[] = [];
    onOpen: (opened: Opened) => void = () => {};
    onFiles: (files: File[]) => void = () => {};
    onError: (message: string) => void = () => {};

    constructor(
        private shelf: Shelf,
        private store: Store,
    ) {
        this.root.append(el("div", { class: "bar" }, this.heading, this.filter, this.closer), this.body, this.chooser);
        this.root.addEventListener("click", (event) => event.target === this.root && this.root.close());
        this.chooser.addEventListener("change", () => {
            this.root.close();
            this.onFiles([...(this.chooser.files ?? [])]);
            this.chooser.value = "";
        });
        this.translate();
    }

    translate(): void {
        this.heading.textContent = say("examples_title");
        this.root.setAttribute("aria-label", say("examples_title"));
        this.filter.placeholder = say("examples_filter");
        this.filter.setAttribute("aria-label", say("examples_filter"));
        this.closer.setAttribute("aria-label", say("close"));
        this.closer.title = say("close");
        this.chooser.setAttribute("aria-label", say("examples_file"));
        if (this.root.open) {
            this.draw();
        }
    }

    show(): void {
        this.root.showModal();
        this.draw();
        this.filter.focus();
        if (this.examples.length === 0) {
            this.load().catch((error: Error) => this.onError(error.message));
        }
    }

    private async load(): Promise<void> {
        const answer = await fetch("gallery/index.json");
        this.pictures = answer.ok ? ((await answer.json()) as string[]) : [];
        this.examples = await this.shelf.examples();
        this.draw();
    }

    private choose(opened: Opened): void {
        this.root.close();
        this.onOpen(opened);
    }

    private section(title: string, cards: HTMLElement[], kind: string): HTMLElement[] {
        return cards.length > 0 ? [el("section", {}, el("h3", {}, title), el("div", { class: kind }, ...cards))] : [];
    }

    private plain(title: string, click: () => void, id = ""): HTMLElement {
        return el("button", { class: "chip large", click, ...(id ? { id } : {}) }, title);
    }

    private keptCard(kept: Kept): HTMLElement {
        const time = new Date(kept.time).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
        return el("button", { class: "chip large", click: () => this.choose({ text: kept.text, name: kept.name, kept, ...(kept.base ? { base: kept.base } : {}) }) }, kept.name, el("small", {}, ` ${time}`));
    }

    private draw(): void {
        const pattern = this.filter.value.trim().toLowerCase();
        const fits = (words: string) => words.toLowerCase().includes(pattern);
        const kept = (list: Kept[]) => list.filter((one) => fits(one.name)).map((one) => this.keptCard(one));
        const begin = [
            this.plain(say("empty_model"), () => this.choose({ text: emptyModel(language()), name: "model" }), "open-empty"),
            this.plain(say("pendulum_model"), () => this.choose({ text: GUIDE_PENDULUM, name: "swing" }), "open-pendulum"),
            this.plain(say("examples_file"), () => this.chooser.click()),
        ];
        const models = this.examples.filter((one) => fits(`${one.model} ${one.title} ${one.spanish}`)).map((one) => this.card(one));
        this.body.replaceChildren(
            ...this.section(say("examples_begin"), pattern ? [] : begin, "chips"),
            ...this.section(say("examples_own"), kept(this.store.saved()), "chips"),
            ...this.section(say("examples_drafts"), kept(this.store.drafts()), "chips"),
            ...this.section(say("examples_models"), models, "grid"),
        );
    }

    private card(example: Example): HTMLElement {
        const title = language() === "es" ? example.spanish : example.title;
        const file = [".jpg", ".svg"].map((ending) => example.model + ending).find((name) => this.pictures.includes(name));
        const picture = file ? el("img", { src: `gallery/${encodeURIComponent(file)}`, alt: "", loading: "lazy", width: 240, height: 135 }) : el("span", { class: "blank", "aria-hidden": "true" }, title.slice(0, 1).toUpperCase());
        const open = () => this.choose({ text: withoutHead(example.text), name: example.model, base: example.model });
        return el("button", { class: "card", "data-model": example.model, click: open }, picture, el("span", {}, title));
    }
}
