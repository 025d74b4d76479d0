// SPDX-License-Identifier: MIT
// Where everything stands: the bar, text and mistakes at the left, scene and plots at the right; on a phone one of them at a time.

import { el } from "../ui/dom.ts";
import { language } from "../ui/language.ts";
import { say, type PlayWord } from "./words.ts";

export type State = "checking" | "running" | "good" | "mistakes" | "trouble";

const TABS = ["text", "scene", "plots"] as const;
type Tab = (typeof TABS)[number];

export interface Parts {
    editor: HTMLElement;
    mistakes: HTMLElement;
    steps: HTMLElement;
    files: HTMLElement;
    scene: HTMLElement;
    results: HTMLElement;
    sweep: HTMLElement;
}

export interface Actions {
    open(): void;
    share(): void;
    saveBrowser(): void;
    saveFile(): void;
    saveDisk(): void;
    language(): void;
}

export class Layout {
    private words = new Map<HTMLElement, PlayWord>();
    private named = new Map<HTMLElement, PlayWord>();
    private title = el("h1", { id: "model-title" });
    private state = el("span", { class: "state", id: "state", role: "status" });
    private old = el("p", { class: "old", id: "old", hidden: true });
    private trouble = el("div", { class: "trouble", id: "trouble", role: "alert", hidden: true });
    private notice = el("div", { class: "toasts", id: "notice", role: "status" });
    private languageButton = el("button", { id: "language" });
    private tabs = new Map<Tab, HTMLButtonElement>();
    private menu = el("details", { class: "menu", id: "save-menu" });
    private result = el("span", { class: "result", id: "result" });
    private simulator = el("a", { class: "button", id: "simulator", href: "./" });

    constructor(parts: Parts, actions: Actions, canSaveToDisk: boolean) {
        const button = (word: PlayWord, id: string, click: () => void, kind = "") => this.worded(el("button", { id, class: kind, click }), word);
        const choices = el("div", { class: "menu-body" });
        const choice = (word: PlayWord, id: string, act: () => void) =>
            choices.append(
                button(word, id, () => {
                    this.menu.open = false;
                    act();
                }),
            );
        if (canSaveToDisk) {
            choice("save_disk", "save-disk", actions.saveDisk);
        }
        choice("save_browser", "save-browser", actions.saveBrowser);
        choice("save_file", "save-file", actions.saveFile);
        this.menu.append(this.worded(el("summary", { id: "save" }), "save"), choices);
        this.languageButton.addEventListener("click", actions.language);
        const brand = el("a", { class: "brand", href: "./" }, el("img", { src: "icon.svg", alt: "Biela", width: 26, height: 26 }), this.worded(el("span"), "title"));
        const head = el(
            "header",
            { class: "head" },
            brand,
            this.title,
            this.state,
            el("nav", { class: "actions" }, button("examples", "open", actions.open), button("share", "share", actions.share, "primary"), this.menu, this.simulator, this.languageButton),
        );
        this.worded(this.simulator, "simulator");
        const tabs = el("nav", { class: "tabs" }, el("div", { role: "tablist" }, ...TABS.map((tab) => this.tab(tab))));
        this.named.set(tabs, "parts");
        const panel = (tab: Tab, word: PlayWord, ...children: HTMLElement[]) => {
            const section = el("section", { class: `pane ${tab}-pane`, id: `pane-${tab}` }, ...children);
            this.named.set(section, word);
            return section;
        };
        const plots = panel("plots", "plots_region", el("div", { class: "plots-head" }, this.worded(el("h2"), "plots_tab"), this.result), el("div", { class: "plots-body" }, parts.results, parts.sweep));
        const main = el("main", {}, panel("text", "editor_region", parts.steps, parts.editor, parts.files, parts.mistakes), panel("scene", "page_region", parts.scene, this.worded(el("p", { class: "loading", "aria-hidden": "true" }), "loading"), this.old, this.trouble), plots);
        document.body.append(head, tabs, main, this.notice, this.worded(el("div", { class: "drop-mark", "aria-hidden": "true" }), "drop_here"));
        document.addEventListener("click", (event) => {
            if (!this.menu.contains(event.target as Node)) {
                this.menu.open = false;
            }
        });
        this.menu.addEventListener("keydown", (event) => {
            if (event.key === "Escape") {
                this.menu.open = false;
                this.menu.querySelector("summary")!.focus();
            }
        });
        this.look("text");
        this.translate();
    }

    private worded<T extends HTMLElement>(node: T, word: PlayWord): T {
        this.words.set(node, word);
        return node;
    }

    private tab(name: Tab): HTMLButtonElement {
        const button = this.worded(el("button", { role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}`, click: () => this.look(name) }), `${name}_tab`);
        button.addEventListener("keydown", (event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (step !== 0) {
                const next = TABS[(TABS.indexOf(name) + step + TABS.length) % TABS.length]!;
                this.look(next);
                this.tabs.get(next)!.focus();
            }
        });
        this.tabs.set(name, button);
        return button;
    }

    /** which of the three a phone shows */
    look(name: Tab): void {
        document.body.dataset.tab = name;
        for (const [tab, button] of this.tabs) {
            button.setAttribute("aria-selected", String(tab === name));
            button.tabIndex = tab === name ? 0 : -1;
        }
    }

    translate(): void {
        document.documentElement.lang = language();
        document.title = `${say("title")} · Biela`;
        for (const [node, word] of this.words) {
            node.textContent = say(word);
        }
        for (const [node, word] of this.named) {
            node.setAttribute("aria-label", say(word));
        }
        this.old.textContent = say("state_old");
        this.languageButton.textContent = language() === "en" ? "ES" : "EN";
        this.languageButton.setAttribute("aria-label", `${this.languageButton.textContent} ${say("language")}`);
        this.languageButton.title = say("language");
    }

    setTitle(title: string, drives: string | null): void {
        this.title.textContent = title;
        this.simulator.hidden = drives === null;
        if (drives !== null) {
            this.simulator.href = `./?model=${encodeURIComponent(drives)}`;
        }
    }

    setState(state: State, words: string): void {
        this.state.dataset.state = state;
        this.state.textContent = words;
        this.tabs.get("text")!.dataset.state = state;
    }

    /** scene and plots are those of an older text */
    setOld(isOld: boolean): void {
        this.old.hidden = !isOld;
        document.body.classList.toggle("is-old", isOld);
    }

    setLoading(isLoading: boolean): void {
        document.body.classList.toggle("is-loading", isLoading);
    }

    setResult(words: string, kind: "plain" | "good" | "bad", title = ""): void {
        this.result.textContent = words;
        this.result.dataset.kind = kind;
        this.result.title = title;
    }

    /** something that stays until it is dealt with; null: nothing */
    setTrouble(words: string | null, again: (() => void) | null = null): void {
        this.trouble.hidden = words === null;
        this.trouble.replaceChildren(el("p", {}, words ?? ""), ...(again ? [el("button", { class: "primary", id: "again", click: again }, say("again"))] : []));
    }

    tell(words: string, kind: "plain" | "good" | "bad" = "plain"): void {
        const node = el("div", { class: `toast ${kind}` }, words);
        this.notice.append(node);
        while (this.notice.children.length > 3) {
            this.notice.firstElementChild!.remove();
        }
        setTimeout(() => node.remove(), 7000);
    }

    /** a question with two answers */
    ask(words: string, detail: string): Promise<boolean> {
        return new Promise((resolve) => {
            const dialog = el("dialog", { class: "asking", id: "asking", "aria-label": words });
            const answer = (isYes: boolean) => () => {
                dialog.remove();
                resolve(isYes);
            };
            dialog.append(el("p", {}, words), el("p", { class: "hint" }, detail), el("div", { class: "answers" }, el("button", { class: "primary", id: "answer-yes", click: answer(true) }, say("yes")), el("button", { id: "answer-no", click: answer(false) }, say("no"))));
            dialog.addEventListener("cancel", answer(false));
            document.body.append(dialog);
            dialog.showModal();
        });
    }

    /** a link that holds no model: a page of its own, with ways on */
    showBadLink(isNewer: boolean, hasOwn: boolean): Promise<"own" | "empty"> {
        return new Promise((resolve) => {
            const dialog = el("dialog", { class: "bad-link", id: "bad-link", "aria-label": say("link_bad_title") });
            const choose = (what: "own" | "empty") => () => {
                dialog.remove();
                resolve(what);
            };
            const own = hasOwn ? [el("button", { class: "primary", id: "link-own", click: choose("own") }, say("link_own"))] : [];
            dialog.append(
                el("h1", {}, say("link_bad_title")),
                el("p", {}, say(isNewer ? "link_new" : "link_bad")),
                el("div", { class: "answers" }, ...own, el("button", { class: hasOwn ? "" : "primary", id: "link-empty", click: choose("empty") }, say("link_empty"))),
            );
            dialog.addEventListener("cancel", choose(hasOwn ? "own" : "empty"));
            document.body.append(dialog);
            dialog.showModal();
        });
    }
}
