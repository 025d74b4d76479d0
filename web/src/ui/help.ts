// SPDX-License-Identifier: MIT
// The help overlay: every key, for the inputs that the model has.

import { keyLabel, type KeyPair } from "../controls/keys.ts";
import { el } from "./dom.ts";
import { onLanguage, text, type Word } from "./language.ts";
import { inputLabel } from "./names.ts";

export class Help {
    readonly root = el("div", { class: "help", id: "help", hidden: true, role: "dialog", "aria-modal": "true", click: () => this.show(false) });
    private before: HTMLElement | null = null; // who had the focus
    private pairs: KeyPair[] = [];

    constructor() {
        this.root.addEventListener("keydown", (event) => this.keepFocus(event));
        onLanguage(() => this.build());
    }

    setPairs(pairs: KeyPair[]): void {
        this.pairs = pairs;
        this.build();
    }

    get isOpen(): boolean {
        return !this.root.hidden;
    }

    show(isOpen: boolean): void {
        if (isOpen === this.isOpen) {
            return;
        }
        this.root.hidden = !isOpen;
        if (isOpen) {
            this.before = document.activeElement as HTMLElement | null;
            this.root.querySelector<HTMLElement>(".sheet")!.focus();
        } else {
            this.before?.focus();
        }
    }

    /** the focus stays in the sheet while it is open */
    private keepFocus(event: KeyboardEvent): void {
        if (event.code === "Tab") {
            const stops = [...this.root.querySelectorAll<HTMLElement>(".sheet, button")];
            const at = stops.indexOf(document.activeElement as HTMLElement);
            event.preventDefault();
            stops[(at + (event.shiftKey ? stops.length - 1 : 1)) % stops.length]?.focus();
        }
    }

    private build(): void {
        const row = (keys: string[], meaning: string) => el("div", { class: "row" }, el("span", {}, ...keys.map((key) => el("kbd", {}, key))), el("span", {}, meaning));
        const group = (title: Word, ...rows: HTMLElement[]) => el("section", {}, el("h3", {}, text(title)), ...rows);
        this.root.setAttribute("aria-label", text("help"));
        this.root.replaceChildren(
            el(
                "div",
                { class: "sheet", tabindex: "0", role: "document", "aria-label": text("help"), click: (event) => event.stopPropagation() },
                el("h2", {}, text("help")),
                el(
                    "div",
                    { class: "columns" },
                    group(
                        "help_machine",
                        ...this.pairs.map((pair) => row([keyLabel(pair.positive), keyLabel(pair.negative)], `${inputLabel(pair.input)}  +  −`)),
                        row(["Shift"], text("help_slow")),
                    ),
                    group("help_time", row(["→"], text("play")), row(["←"], text("rewind")), row(["↑"], text("faster")), row(["↓"], text("slower")), row(["."], text("step")), row(["Enter"], text("take")), row(["Shift", "R"], text("restart"))),
                    group(
                        "help_view",
                        row([text("help_drag")], text("help_drag_text")),
                        row([text("help_wheel")], text("help_wheel_text")),
                        row(["C"], text("camera")),
                        row(["1", "2", "3", "4"], [text("camera-orbit"), text("camera-seat"), text("camera-chase"), text("camera-top")].join(", ")),
                        row(["␣"], text("home")),
                    ),
                    group("help_more", row(["A"], text("arrows")), row(["T"], text("trails")), row(["Y"], text("sound")), row(["Shift", "Y"], `${text("sound")}: ${text("volume")}`), row(["G"], text("ghost")), row(["Z"], text("peaks")), row(["Shift", "Z"], text("peaks_reset")), row(["Shift", "2"], text("headset")), row(["0"], text("hand")), row(["Shift", "0"], text("body")), row(["5"], text("inside")), row(["6"], text("print")), row(["7"], text("map")), row(["Shift", "7"], text("weather")), row(["P"], text("plots")), row(["X"], text("modes")), row(["M"], text("parameters")), row(["V"], text("controls")), row(["8"], text("gallery")), row(["9"], text("share")), row(["H"], text("help"))),
                ),
                el("p", {}, text("help_touch")),
                el("p", {}, text("help_devices")),
                el("p", {}, text("help_recorded")),
                el("button", { class: "primary", click: () => this.show(false) }, text("close")),
            ),
        );
    }
}
