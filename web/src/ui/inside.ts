// SPDX-License-Identifier: MIT
// The panel of the view into the model: what is drawn, and a list of everything by name. Keys move in the list as the mouse does over
// the picture.

import type { InsideMessage, SceneMessage } from "../protocol.ts";
import { COLOURS, holdColour, LAYERS, type Layer, type Mark } from "../scene/inside.ts";
import type { View } from "../scene/view.ts";
import { el, showNumber } from "./dom.ts";
import { nameText, onLanguage, text, type Word } from "./language.ts";
import { Panel } from "./panel.ts";

export class InsidePanel extends Panel {
    readonly label = el("div", { class: "inside-label", id: "inside-label", hidden: true, role: "status" });
    private scene: SceneMessage | null = null;
    private message: InsideMessage | null = null;
    private layers = new Set<Layer>(["points", "vectors", "joints", "frames"]);
    private list = el("select", { class: "inside-list", id: "inside-list", size: 9, change: () => this.choose(Number(this.list.value)) });
    private hovered: Mark | null = null;
    private chosen: Mark | null = null;
    private regions = false;
    private machine = true;
    /** asks the server: for the message, or for contact forces in the frames */
    onAsk: () => void = () => {};
    onRegions: (isOn: boolean) => void = () => {};

    constructor(
        private view: View,
        canvas: HTMLElement,
    ) {
        super("inside");
        canvas.addEventListener("pointermove", (event) => this.hover(event, canvas));
        canvas.addEventListener("pointerleave", () => this.point(null));
        onLanguage(() => this.build());
    }

    override show(isOpen: boolean): void {
        super.show(isOpen);
        if (isOpen && !this.message) {
            this.onAsk();
        } else if (isOpen && !this.view.inside) {
            this.fillView();
        }
        this.apply();
    }

    setScene(scene: SceneMessage): void {
        this.scene = scene;
        this.message = null;
        this.chosen = this.hovered = null;
        this.build();
        if (this.isOpen) {
            this.onAsk();
        }
    }

    set(message: InsideMessage): void {
        this.message = message;
        if (this.isOpen) {
            this.fillView();
        }
    }

    private fillView(): void {
        if (this.message) {
            this.view.setInside(this.message);
            this.build();
            this.apply();
        }
    }

    private apply(): void {
        this.view.showInside(this.isOpen, this.layers, this.machine);
        this.onRegions(this.isOpen && this.regions);
        if (!this.isOpen) {
            this.point(null);
            this.chosen = null;
        }
        this.showLabel();
    }

    // ---- choosing ----------------------------------------------------------------------------------------------------

    private hover(event: PointerEvent, canvas: HTMLElement): void {
        if (this.isOpen && event.buttons === 0) {
            const box = canvas.getBoundingClientRect();
            const x = (2 * (event.clientX - box.left)) / box.width - 1;
            const y = 1 - (2 * (event.clientY - box.top)) / box.height;
            this.point(this.view.insideAt(x, y, this.layers));
        }
    }

    private point(mark: Mark | null): void {
        if (mark !== this.hovered) {
            this.hovered = mark;
            this.showLabel();
        }
    }

    private choose(index: number): void {
        this.chosen = this.view.inside?.marks[index] ?? null;
        this.showLabel();
    }

    private get shown(): Mark | null {
        return this.hovered ?? this.chosen;
    }

    private showLabel(): void {
        const mark = this.isOpen ? this.shown : null;
        this.view.inside?.choose(mark);
        this.view.redraw();
        this.label.hidden = mark === null;
        if (mark) {
            this.label.replaceChildren(el("b", { style: `color: ${mark.colour}` }, mark.name), ...this.about(mark).map((line) => el("div", {}, line)));
            this.follow();
        }
    }

    /** the label stands beside what it tells of */
    follow(): void {
        const mark = this.isOpen ? this.shown : null;
        const place = mark && mark.spots.length > 0 ? this.view.insideOnScreen(mark) : null;
        if (mark) {
            this.label.style.left = place ? `${Math.round(place[0])}px` : "50%";
            this.label.style.top = place ? `${Math.round(place[1])}px` : "20%";
        }
    }

    // ---- words -------------------------------------------------------------------------------------------------------

    private bodyName(body: number): string {
        return body < 0 ? text("inside_ground") : (this.scene?.bodies[body] ?? String(body));
    }

    private hold(hold: { redundant: number; shared: boolean }): string[] {
        if (hold.redundant > 0) {
            return [`${hold.redundant} ${text("inside_redundant")}`];
        }
        return hold.shared ? [text("inside_not_unique")] : [];
    }

    /** what a label says under the name */
    about(mark: Mark): string[] {
        const message = this.message;
        if (!message) {
            return [];
        }
        switch (mark.layer) {
            case "points":
            case "vectors": {
                const entity = message.entities[mark.index]!;
                const owners = entity.shares.map((body) => this.bodyName(body)).join(", ");
                return [`${text(entity.vector ? "inside_vector" : "inside_point")}, ${text(`inside_${entity.role}`)}`, `${text(entity.shares.length > 1 ? "inside_shared_by" : "inside_of")} ${owners}`];
            }
            case "joints": {
                const joint = message.joints[mark.index]!;
                return [`${nameText(`kind_${joint.kind}`).replace(/^kind_/, "")}: ${this.bodyName(joint.a)}, ${this.bodyName(joint.b)}`, `${joint.variables} ${text("inside_coordinates")}`, ...this.hold(joint)];
            }
            case "frames":
                return [text("inside_frame")];
            case "masses": {
                const mass = message.masses[mark.index]!;
                return [`${showNumber(mass.mass, 4)} kg`, `${text("inside_ellipsoid")} ${mass.half_axes.map((axis) => showNumber(axis)).join(" × ")} m`];
            }
            case "touches": {
                const touch = message.touches[mark.index]!;
                return [`${touch.shape.type} · ${this.bodyName(touch.shape.body)}`, `${text("inside_touches_by")} ${touch.element}`];
            }
            case "forces": {
                const force = message.forces[mark.index]!;
                return [force.kind, [force.a, ...(force.b === undefined ? [] : [force.b])].map((body) => this.bodyName(body)).join(", ")];
            }
        }
    }

    // ---- the panel ---------------------------------------------------------------------------------------------------

    private count(layer: Layer): number {
        return this.view.inside?.marks.filter((mark) => mark.layer === layer).length ?? 0;
    }

    private box(id: string, label: string, isOn: boolean, colour: string, change: (isOn: boolean) => void): HTMLElement {
        const box = el("input", { type: "checkbox", id: `inside-${id}`, change: () => change(box.checked) });
        box.checked = isOn;
        const dot = el("span", { class: "dot", style: `background: ${colour}` });
        return el("label", {}, box, dot, el("span", {}, label));
    }

    private build(): void {
        const { message } = this;
        this.body.replaceChildren();
        if (!message) {
            this.body.append(el("p", { class: "hint" }, text("inside_none")));
            return;
        }
        const colours: Record<Layer, string> = { points: COLOURS.variable, vectors: COLOURS.variable, joints: COLOURS.joint, frames: "linear-gradient(90deg, #ff4d4d 33%, #3fd15c 33% 66%, #4d8dff 66%)", masses: COLOURS.mass, touches: COLOURS.touches, forces: COLOURS.forces };
        const boxes = LAYERS.map((layer) =>
            this.box(layer, `${text(`inside_${layer}` as Word)} (${this.count(layer)})`, this.layers.has(layer), colours[layer], (isOn) => {
                this.layers[isOn ? "add" : "delete"](layer);
                this.fill();
                this.apply();
            }),
        );
        boxes.push(
            this.box("regions", text("inside_regions"), this.regions, COLOURS.touches, (isOn) => {
                this.regions = isOn;
                this.apply();
            }),
            this.box("machine", text("inside_machine"), this.machine, "#d9822b", (isOn) => {
                this.machine = isOn;
                this.apply();
            }),
        );
        this.list.setAttribute("aria-label", text("inside_list"));
        const sum = message.redundant < 0 ? text("inside_too_many") : `${message.redundant} ${text("inside_redundant")}`;
        const legend = (["variable", "constant", "named", "redundant", "shared"] as const).map((name) =>
            el("span", { class: "inside-key" }, el("span", { class: "dot", style: `background: ${COLOURS[name]}` }), text(`inside_key_${name}` as Word)),
        );
        this.body.append(el("div", { class: "choices inside-layers" }, ...boxes), this.list, el("p", { class: "hint", id: "inside-redundant" }, sum), el("div", { class: "inside-legend" }, ...legend));
        this.fill();
    }

    private fill(): void {
        const groups = LAYERS.filter((layer) => this.layers.has(layer) && this.count(layer) > 0).map((layer) => {
            const group = el("optgroup", { label: text(`inside_${layer}` as Word) });
            this.view.inside?.marks.forEach((mark, i) => {
                if (mark.layer === layer) {
                    group.append(el("option", { value: String(i), style: `color: ${mark.colour}` }, [mark.name, ...this.about(mark)].join(" · ")));
                }
            });
            return group;
        });
        const constraints = this.message?.constraints ?? [];
        if (constraints.length > 0) {
            const group = el("optgroup", { label: text("inside_constraints") });
            constraints.forEach((one, i) => group.append(el("option", { value: String(-1 - i), style: `color: ${holdColour(one)}` }, [one.name, one.kind, ...this.hold(one)].join(" · "))));
            groups.push(group);
        }
        this.list.replaceChildren(...groups);
    }
}
