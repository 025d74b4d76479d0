// SPDX-License-Identifier: MIT
// One body: where it is, how it moves, what it weighs, what holds it, which parameters and channels are about it; and the hand that pulls it.

import { Hand, STRENGTHS } from "./hand.ts";
import { Pulling } from "./pulling.ts";
import type { ClientMessage, Frame, InsideMessage, SceneMessage, Vec3 } from "../protocol.ts";
import type { View } from "../scene/view.ts";
import { el, showNumber } from "../ui/dom.ts";
import { nameText, onLanguage, text, type Word } from "../ui/language.ts";
import { channelLabel, plain, shownValue } from "../ui/names.ts";
import { Panel } from "../ui/panel.ts";

const MOST_CHANNELS = 10;
const WAYS: [string, Vec3][] = [
    ["+x", [1, 0, 0]],
    ["−x", [-1, 0, 0]],
    ["+y", [0, 1, 0]],
    ["−y", [0, -1, 0]],
    ["+z", [0, 0, 1]],
    ["−z", [0, 0, -1]],
];

/** velocity and turning rate of a body between two frames, ground axes; null: time stood or jumped */
export function motionBetween(before: Pick<Frame, "t" | "poses">, now: Pick<Frame, "t" | "poses">, body: number): { speed: number; turning: number } | null {
    const seconds = now.t - before.t;
    const at = 7 * body;
    if (!(seconds > 0) || seconds > 0.5 || at + 6 >= now.poses.length || at + 6 >= before.poses.length) {
        return null;
    }
    const way = [0, 1, 2].map((i) => now.poses[at + i]! - before.poses[at + i]!);
    // |vector part| of q before^-1 q: the sine of half the angle; of the small angle it is exact enough where the cosine is not
    const [w, x, y, z] = [3, 4, 5, 6].map((i) => before.poses[at + i]!) as [number, number, number, number];
    const [W, X, Y, Z] = [3, 4, 5, 6].map((i) => now.poses[at + i]!) as [number, number, number, number];
    const vector = [w * X - x * W - y * Z + z * Y, w * Y + x * Z - y * W - z * X, w * Z - x * Y + y * X - z * W];
    return { speed: Math.hypot(...way) / seconds, turning: (2 * Math.asin(Math.min(1, Math.hypot(...vector)))) / seconds };
}

export class BodyPanel extends Panel {
    readonly hand: Hand;
    readonly pulling: Pulling;
    /** shows the parameters whose names have this in them */
    onParameters: (search: string) => void = () => {};
    onRefused: (why: string) => void = () => {};
    isDriver = false;
    hasExercise = false;
    private scene: SceneMessage | null = null;
    private inside: InsideMessage | null = null;
    private body_ = -1;
    private isAsked = false;
    private choice = el("select", { id: "body-choice", change: () => this.choose(Number(this.choice.value)) });
    private state = el("dl", { class: "facts", id: "body-state" });
    private facts = el("dl", { class: "facts", id: "body-facts" });
    private live: { name: string; node: HTMLElement; index: number }[] = [];
    private channels = el("dl", { class: "facts", id: "body-channels" });
    private before: Frame | null = null;
    private shownAt = 0; // ms

    constructor(
        view: View,
        canvas: HTMLCanvasElement,
        private send: (message: ClientMessage) => void,
    ) {
        super("body");
        this.hand = new Hand(send);
        this.pulling = new Pulling(canvas, view.picker, () => view.machineLength, this.hand, {
            choose: (body, isPulled) => {
                this.choose(body);
                if (!isPulled && view.rig.mode !== "seat") {
                    this.show(true);
                }
            },
            mayPull: () => this.mayPull(),
            ask: () => this.ask(),
        });
        onLanguage(() => this.build());
    }

    setScene(scene: SceneMessage): void {
        const name = this.scene?.bodies[this.body_];
        this.pulling.letGo();
        this.hand.setScene(scene);
        this.scene = scene;
        this.inside = null;
        this.isAsked = false;
        this.before = null;
        this.body_ = Math.max(0, scene.bodies.indexOf(name ?? ""));
        this.build();
        if (this.isOpen) {
            this.ask();
        }
    }

    setInside(message: InsideMessage): void {
        this.inside = message;
        this.hand.setInside(message);
        this.build();
    }

    override show(isOpen: boolean): void {
        super.show(isOpen);
        if (isOpen) {
            this.ask();
            this.build();
        }
    }

    /** masses and joints: once for a scene */
    private ask(): void {
        if (!this.isAsked && this.scene && this.scene.kind !== "results") {
            this.isAsked = true;
            this.send({ type: "inside" });
        }
    }

    private mayPull(): boolean {
        const why: Word | null = !this.hand.canPull ? "hand_none" : !this.isDriver ? "hand_driver" : this.hasExercise ? "hand_exercise" : null;
        if (why) {
            this.onRefused(text(why));
        }
        return why === null;
    }

    choose(body: number): void {
        this.body_ = body;
        this.before = null;
        this.build();
    }

    get chosen(): number {
        return this.body_;
    }

    // ---- what is shown -----------------------------------------------------------------------------------------------

    private build(): void {
        const { scene } = this;
        if (!scene || !this.isOpen) {
            return;
        }
        this.choice.replaceChildren(...scene.bodies.map((name, i) => el("option", { value: String(i) }, plain(name))));
        this.choice.value = String(this.body_);
        this.choice.setAttribute("aria-label", text("body"));
        this.facts.replaceChildren(...this.about().flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]));
        this.fillChannels(scene);
        const search = scene.bodies[this.body_] ?? "";
        const found = scene.parameters.filter((parameter) => isAbout(parameter.name, search)).length;
        const parameters = el("button", { id: "body-parameters", click: () => this.onParameters(found > 0 ? search : "") }, `${text("parameters")}${found > 0 ? ` (${found})` : ""}`);
        this.body.replaceChildren(el("label", { class: "row" }, el("span", {}, text("body")), this.choice), this.state, this.facts, this.channels, parameters, ...this.pullers());
    }

    private about(): [string, string][] {
        const { inside, scene } = this;
        if (!inside) {
            return [];
        }
        const mass = inside.masses.find((one) => one.body === this.body_);
        const name = (body: number) => (body < 0 ? text("inside_ground") : plain(scene!.bodies[body] ?? ""));
        const joints = inside.joints.filter(({ a, b }) => a === this.body_ || b === this.body_).map((joint): [string, string] => [plain(joint.name), `${nameText(`kind_${joint.kind}`).replace(/^kind_/, "")} – ${name(joint.a === this.body_ ? joint.b : joint.a)}`]);
        const forces = inside.forces.filter(({ a, b }) => a === this.body_ || b === this.body_).map((force): [string, string] => [plain(force.name), force.kind]);
        const own: [string, string][] = mass
            ? [
                  [text("body_mass"), `${showNumber(mass.mass, 4)} kg`],
                  [text("inside_ellipsoid"), `${mass.half_axes.map((axis) => showNumber(axis)).join(" × ")} m`],
              ]
            : [[text("body_mass"), text("body_massless")]];
        return [...own, ...joints, ...forces];
    }

    private fillChannels(scene: SceneMessage): void {
        const name = scene.bodies[this.body_] ?? "";
        const own = scene.channels.map((channel, index) => ({ channel, index })).filter(({ channel }) => isAbout(channel.name, name));
        this.live = own.slice(0, MOST_CHANNELS).map(({ channel, index }) => ({ name: channel.name, index, node: el("dd") }));
        this.channels.replaceChildren(...this.live.flatMap(({ name: channel, node }) => [el("dt", {}, channelLabel(channel)), node]));
    }

    private pullers(): HTMLElement[] {
        if (!this.hand.canPull) {
            return [el("p", { class: "hint" }, text("hand_none"))];
        }
        const strength = el("input", { type: "range", id: "hand-strength", min: Math.log10(STRENGTHS[0]), max: Math.log10(STRENGTHS[1]), step: 0.05, value: Math.log10(this.hand.strength), class: "slide", "aria-label": text("hand_strength") });
        strength.addEventListener("input", () => (this.hand.strength = 10 ** Number(strength.value)));
        const buttons = WAYS.map(([label, way]) => this.puller(label, way));
        return [
            el("h3", {}, text("hand")),
            el("p", { class: "hint" }, text("hand_hint")),
            el("label", { class: "row" }, el("span", {}, text("hand_strength")), strength),
            el("div", { class: "pullers", role: "group", "aria-label": text("hand_pull") }, el("span", {}, text("hand_pull")), ...buttons),
        ];
    }

    /** pulls while it is pressed, by mouse, finger or key */
    private puller(label: string, way: Vec3): HTMLElement {
        const button = el("button", { class: "puller", "data-way": label, "aria-label": `${text("hand_pull")} ${label}` }, label);
        const begin = () => this.pulling.pull(this.body_, way);
        const end = () => this.pulling.letGo();
        button.addEventListener("pointerdown", begin);
        for (const name of ["pointerup", "pointercancel", "pointerleave", "blur"]) {
            button.addEventListener(name, end);
        }
        button.addEventListener("keydown", (event) => (event.code === "Space" || event.code === "Enter") && !event.repeat && begin());
        button.addEventListener("keyup", end);
        return button;
    }

    /** once per picture */
    tick(frame: Frame | null, now: number): void {
        this.pulling.follow();
        if (!this.isOpen || !frame || now - this.shownAt < 200) {
            return;
        }
        this.shownAt = now;
        const motion = this.before ? motionBetween(this.before, frame, this.body_) : null;
        this.before = frame;
        const place = [...frame.poses.slice(7 * this.body_, 7 * this.body_ + 3)];
        const rows: [string, string][] = [
            [text("body_place"), `${place.map((value) => showNumber(Math.abs(value) < 5e-4 ? 0 : value)).join("; ")} m`],
            [text("speed"), motion ? `${showNumber(motion.speed)} m/s` : "–"],
            [text("body_turning"), motion ? `${showNumber((motion.turning * 180) / Math.PI)} °/s` : "–"],
        ];
        this.state.replaceChildren(...rows.flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]));
        this.live.forEach(({ name, node, index }) => (node.textContent = shownValue(name, frame.channels[index] ?? NaN)));
    }
}

/** `wheel_fl.fz` and `m_wheel_fl` are about wheel_fl, `wheel_fl2.x` is not */
export function isAbout(name: string, body: string): boolean {
    const at = body === "" ? -1 : name.indexOf(body);
    const isEdge = (letter: string | undefined) => letter === undefined || /[^a-zA-Z0-9]/.test(letter);
    return at >= 0 && isEdge(name[at - 1]) && isEdge(name[at + body.length]);
}
