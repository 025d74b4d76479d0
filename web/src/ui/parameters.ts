// SPDX-License-Identifier: MIT
// Parameters of the model and its run sections, grouped and searched; changes count from the next restart.

import type { ClientMessage, Parameter, SceneMessage } from "../protocol.ts";
import { el } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { plain, said, unitText } from "./names.ts";
import { Panel } from "./panel.ts";

const LIVE_PAUSE = 250; // ms

/** what is set by 0 or 1 alone: its text says what they mean */
export function isSwitch(parameter: Parameter): boolean {
    return parameter.unit === "" && parameter.min === 0 && parameter.max === 1 && (parameter.value === 0 || parameter.value === 1) && /(^|[ ;])[01]( \([^)]*\))?:/.test(parameter.help);
}

export interface Heading {
    title: string;
    parameters: Parameter[];
    isOpen: boolean;
}

/** As the model groups them; those that it does not name behind them, and last what it computes. */
export function groupParameters(scene: Pick<SceneMessage, "parameters" | "groups">, other: string, computed: string): Heading[] {
    const left = new Map(scene.parameters.map((parameter) => [parameter.name, parameter]));
    const take = (names: string[]) =>
        names.flatMap((name) => {
            const found = left.get(name);
            left.delete(name);
            return found ? [found] : [];
        });
    const groups = (scene.groups ?? []).map((group) => ({ title: said(group.title), parameters: take(group.parameters), isOpen: false }));
    const rest = [...left.values()];
    const headings: Heading[] = [
        ...groups,
        { title: other, parameters: rest.filter((parameter) => !parameter.computed), isOpen: false },
        { title: computed, parameters: rest.filter((parameter) => parameter.computed), isOpen: false },
    ].filter((heading) => heading.parameters.length > 0);
    if (headings[0]) {
        headings[0].isOpen = true;
    }
    return headings;
}

export class Parameters extends Panel {
    private scene: SceneMessage | null = null;
    private fields = new Map<string, HTMLInputElement>();
    private search = el("input", { type: "search", class: "filter", id: "parameter-search", input: () => this.filter() });
    private groups: HTMLDetailsElement[] = [];
    private isLive = false;
    private timer: ReturnType<typeof setTimeout> | undefined;
    /** what was set while it runs, beside what the scene says */
    onLive: () => void = () => {};

    constructor(private send: (message: ClientMessage) => void) {
        super("parameters");
        onLanguage(() => this.build());
    }

    setScene(scene: SceneMessage): void {
        const isSame = this.isLive && this.scene?.model === scene.model && this.scene.run === scene.run && this.scene.parameters.length === scene.parameters.length;
        this.scene = scene;
        const now = new Map(scene.parameters.map((parameter) => [parameter.name, parameter.value]));
        // a restart without them, or another model
        this.kept = Object.fromEntries(Object.entries(this.kept).filter(([name, value]) => Math.abs((now.get(name) ?? NaN) - value) <= 1e-7 * Math.abs(value)));
        // sliders stay in the hand: only what they are compared with is new
        if (!isSame || this.fields.size === 0) {
            this.build();
        }
    }

    /** opens with what has this in its name */
    find(search: string): void {
        this.search.value = search;
        this.show(true);
        this.filter();
    }

    private build(): void {
        const scene = this.scene;
        this.body.replaceChildren();
        this.fields.clear();
        if (!scene) {
            return;
        }
        this.search.placeholder = text("parameters_search");
        this.search.setAttribute("aria-label", text("parameters_search"));
        const run = el("select", { id: "run" }, ...scene.runs.map((name) => el("option", { value: name }, plain(name))));
        run.value = scene.run;
        if (scene.runs.length > 1) {
            this.body.append(el("label", { class: "row" }, el("span", {}, text("run")), run));
        }
        if (scene.parameters.length === 0) {
            this.body.append(el("p", { class: "hint" }, text("parameters_none")));
        }
        if (scene.parameters.length > 8) {
            this.body.append(this.search);
        }
        const headings = groupParameters(scene, text("parameters_other"), text("parameters_computed"));
        this.groups = headings.map((heading) => {
            const rows = heading.parameters.map((parameter) => this.row(parameter));
            // one heading alone says nothing
            return el("details", { class: "group", open: heading.isOpen }, el("summary", { hidden: headings.length === 1 }, `${heading.title} (${rows.length})`), ...rows);
        });
        const live = el("input", { type: "checkbox", id: "parameters-live", role: "switch", change: () => this.setLive(live.checked) });
        live.checked = this.isLive;
        const hint = el("p", { class: "hint" }, text("parameters_live_hint"));
        if (scene.kind === "drive" && scene.parameters.length > 0) {
            this.body.append(el("div", { class: "parameter flip" }, el("label", { for: "parameters-live" }, text("parameters_live")), live), hint);
        }
        this.body.append(...this.groups, el("button", { class: "primary", id: "apply", click: () => this.apply(run.value) }, text("restart_apply")));
        this.filter();
    }

    private row(parameter: Parameter): HTMLElement {
        const shown = String(Number(parameter.value.toPrecision(8)));
        const field = el("input", { "data-parameter": parameter.name });
        const label = parameter.help ? said(parameter.help) : plain(parameter.name);
        const id = `parameter-${parameter.name}`;
        const words = `${label} ${parameter.name} ${parameter.help}`.toLowerCase();
        const names = el("label", { for: id, title: parameter.name }, label);
        field.id = id;
        this.fields.set(parameter.name, field);
        if (isSwitch(parameter)) {
            field.type = "checkbox";
            field.setAttribute("role", "switch");
            field.checked = parameter.value === 1;
            field.addEventListener("change", () => this.changed());
            return el("div", { class: "parameter flip", "data-words": words }, names, field);
        }
        field.type = "number";
        field.step = "any";
        field.value = shown;
        field.addEventListener("change", () => this.changed());
        const set = el("div", { class: "set" }, field, el("i", {}, unitText(parameter.unit)));
        if (parameter.min !== null && parameter.max !== null && parameter.max > parameter.min) {
            const slider = el("input", { type: "range", min: parameter.min, max: parameter.max, step: "any", class: "slide", "aria-label": label });
            slider.value = shown;
            slider.addEventListener("input", () => {
                field.value = String(Number(Number(slider.value).toPrecision(3)));
                this.changed();
            });
            field.addEventListener("input", () => (slider.value = field.value));
            set.prepend(slider);
        }
        return el("div", { class: "parameter", "data-words": words }, names, set);
    }

    /** while something is searched all groups are open, and only what fits is there */
    private filter(): void {
        const wanted = this.search.value.trim().toLowerCase();
        this.groups.forEach((group, k) => {
            const rows = [...group.querySelectorAll<HTMLElement>(":scope > [data-words]")];
            rows.forEach((row) => (row.hidden = !row.dataset.words!.includes(wanted)));
            group.hidden = rows.every((row) => row.hidden);
            group.open = wanted !== "" || k === 0;
        });
    }

    private setLive(isOn: boolean): void {
        this.isLive = isOn;
        this.changed();
    }

    /** while it runs: soon after the last touch of a slider */
    private changed(): void {
        clearTimeout(this.timer);
        if (this.isLive && this.scene?.kind === "drive") {
            this.timer = setTimeout(() => this.applyLive(), LIVE_PAUSE);
        }
    }

    /** against the file's own values, those that were changed before stay changed */
    private applyLive(): void {
        const fresh = this.changes();
        if (Object.keys(fresh).length > 0) {
            Object.assign(this.kept, fresh);
            this.send({ type: "restart", set: this.kept, keep: true, ...(this.scene!.run ? { run: this.scene!.run } : {}) });
            this.onLive();
        }
    }

    private changes(): Record<string, number> {
        const set: Record<string, number> = {};
        for (const parameter of this.scene?.parameters ?? []) {
            const field = this.fields.get(parameter.name)!;
            const value = field.type === "checkbox" ? Number(field.checked) : Number(field.value);
            const shown = Number(parameter.value.toPrecision(8));
            if (field.value !== "" && Number.isFinite(value) && value !== shown) {
                set[parameter.name] = value;
            }
        }
        return set;
    }

    private kept: Record<string, number> = {};

    /** only what was changed is sent, so that the rest follows the model file */
    private apply(run: string): void {
        this.kept = { ...this.kept, ...this.changes() };
        const set = this.kept;
        // a restart that names no run is one of the command line's, not of the one in use
        this.send(run ? { type: "restart", set, run } : { type: "restart", set });
    }
}
