// SPDX-License-Identifier: MIT
// Parameters of the model and its run sections; changes count from the next restart.

import type { ClientMessage, SceneMessage } from "../protocol.ts";
import { el } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { Panel } from "./panel.ts";

export class Parameters extends Panel {
    private scene: SceneMessage | null = null;
    private fields = new Map<string, HTMLInputElement>();

    constructor(private send: (message: ClientMessage) => void) {
        super("parameters");
        onLanguage(() => this.build());
    }

    setScene(scene: SceneMessage): void {
        this.scene = scene;
        this.build();
    }

    private build(): void {
        const scene = this.scene;
        this.body.replaceChildren();
        this.fields.clear();
        if (!scene) {
            return;
        }
        const run = el("select", { id: "run" }, ...scene.runs.map((name) => el("option", { value: name }, name)));
        run.value = scene.run;
        if (scene.runs.length > 1) {
            this.body.append(el("label", { class: "row" }, el("span", {}, text("run")), run));
        }
        if (scene.parameters.length === 0) {
            this.body.append(el("p", { class: "hint" }, text("parameters_none")));
        }
        for (const parameter of scene.parameters) {
            const field = el("input", { type: "number", step: "any", "data-parameter": parameter.name });
            field.value = String(Number(parameter.value.toPrecision(8)));
            this.fields.set(parameter.name, field);
            this.body.append(
                el("label", { class: "row", title: parameter.help }, el("span", {}, parameter.name, parameter.help ? el("small", {}, parameter.help) : ""), field, el("i", {}, parameter.unit)),
            );
        }
        this.body.append(el("button", { class: "primary", id: "apply", click: () => this.apply(run.value) }, text("restart_apply")));
    }

    /** only what was changed is sent, so that the rest follows the model file */
    private apply(run: string): void {
        const set: Record<string, number> = {};
        for (const parameter of this.scene?.parameters ?? []) {
            const value = Number(this.fields.get(parameter.name)!.value);
            const shown = Number(parameter.value.toPrecision(8));
            if (Number.isFinite(value) && value !== shown) {
                set[parameter.name] = value;
            }
        }
        // a restart that names no run is one of the command line's, not of the one in use
        this.send(run ? { type: "restart", set, run } : { type: "restart", set });
    }
}
