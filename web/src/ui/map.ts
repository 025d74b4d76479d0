// SPDX-License-Identifier: MIT
// The map: the machine from above among what stands on the ground, its way so far, and the marks of an exercise. North is +y.

import type { ExerciseMark, Frame, SceneMessage, Shape } from "../protocol.ts";
import type { View } from "../scene/view.ts";
import { el, localNumber } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { Panel } from "./panel.ts";

const SIZE = 196; // px
const REDRAW = 100; // ms
const GAP = 0.5; // m between two points of the way
const KEPT = 4000; // points of the way

export class MapPanel extends Panel {
    private canvas = el("canvas", { width: SIZE, height: SIZE, role: "img" });
    private scene: SceneMessage | null = null;
    private view: View | null = null;
    private way: [number, number, number][] = []; // t, x, y
    private marks: ExerciseMark[] = [];
    private frame: Frame | null = null;
    private last = 0;
    private span = 60; // m from edge to edge
    isUseful = false;

    constructor() {
        super("map");
        this.body.append(this.canvas);
        onLanguage(() => this.canvas.setAttribute("aria-label", text("map")));
    }

    /** only machines that go somewhere have a map */
    setScene(scene: SceneMessage, view: View): void {
        this.scene = scene;
        this.view = view;
        this.way = [];
        this.marks = [];
        this.frame = null;
        this.isUseful = view.followedBody >= 0;
        this.span = Math.max(12, 16 * view.machineLength);
        if (!this.isUseful) {
            this.show(false);
        }
    }

    setMarks(marks: ExerciseMark[]): void {
        this.marks = marks;
    }

    add(frame: Frame): void {
        this.frame = frame;
        const [x, y] = this.place(frame);
        const end = this.way.at(-1);
        while (this.way.length > 0 && this.way.at(-1)![0] > frame.t) {
            this.way.pop();
        }
        if (!end || Math.hypot(x - end[1], y - end[2]) > GAP) {
            this.way.push([frame.t, x, y]);
            this.way.splice(0, Math.max(0, this.way.length - KEPT));
        }
    }

    private place(frame: Frame): [number, number, number] {
        const k = 7 * Math.max(0, this.view?.followedBody ?? 0);
        const [x, y, , w, qx, qy, qz] = frame.poses.slice(k, k + 7);
        return [x ?? 0, y ?? 0, Math.atan2(2 * ((w ?? 1) * (qz ?? 0) + (qx ?? 0) * (qy ?? 0)), 1 - 2 * ((qy ?? 0) ** 2 + (qz ?? 0) ** 2))];
    }

    draw(now: number): void {
        if (!this.isOpen || !this.frame || now - this.last < REDRAW) {
            return;
        }
        this.last = now;
        const scale = window.devicePixelRatio || 1;
        this.canvas.width = this.canvas.height = SIZE * scale;
        const context = this.canvas.getContext("2d")!;
        const [x, y, angle] = this.place(this.frame);
        const metre = SIZE / this.span; // px
        context.setTransform(scale * metre, 0, 0, -scale * metre, (scale * SIZE) / 2 - scale * metre * x, (scale * SIZE) / 2 + scale * metre * y);
        this.drawGround(context, x, y);
        context.lineWidth = 1.5 / metre;
        context.strokeStyle = "#f0e442";
        context.beginPath();
        this.way.forEach(([, a, b]) => context.lineTo(a, b));
        context.lineTo(x, y);
        context.stroke();
        this.drawMarks(context, metre);
        const length = Math.max(this.view?.machineLength ?? 2, 8 / metre);
        context.translate(x, y);
        context.rotate(angle);
        context.fillStyle = "#ffb020";
        context.beginPath();
        context.moveTo(0.6 * length, 0);
        context.lineTo(-0.4 * length, 0.35 * length);
        context.lineTo(-0.4 * length, -0.35 * length);
        context.fill();
        this.drawScale(context, scale);
    }

    private drawGround(context: CanvasRenderingContext2D, x: number, y: number): void {
        drawShapes(context, this.scene?.shapes ?? [], x, y, this.span);
    }

    private drawMarks(context: CanvasRenderingContext2D, metre: number): void {
        for (const mark of this.marks) {
            context.fillStyle = mark.done ? "#2fd3a0" : "#56b4e9";
            context.beginPath();
            context.arc(mark.at[0]!, mark.at[1]!, 4 / metre, 0, 2 * Math.PI);
            context.fill();
        }
    }

    private drawScale(context: CanvasRenderingContext2D, scale: number): void {
        const metres = [100, 50, 20, 10, 5, 2, 1].find((length) => length < 0.4 * this.span) ?? 1;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.fillStyle = context.strokeStyle = "#ffffff";
        context.lineWidth = 2;
        context.beginPath();
        context.moveTo(8, SIZE - 8);
        context.lineTo(8 + (metres * SIZE) / this.span, SIZE - 8);
        context.stroke();
        context.font = "11px system-ui, sans-serif";
        context.fillText(`${localNumber(String(metres))} m`, 8, SIZE - 13);
        const [x, y] = this.place(this.frame!).map((value) => (Math.abs(value) < 0.05 ? 0 : value)) as [number, number, number];
        context.fillText(`x ${localNumber(x.toFixed(1))}  y ${localNumber(y.toFixed(1))} m`, 8, 14);
        context.fillText("N ↑", SIZE - 26, 14);
    }
}

/** what stands on the ground around a place, from above; the context is in metres */
export function drawShapes(context: CanvasRenderingContext2D, shapes: readonly Shape[], x: number, y: number, span: number): void {
    context.fillStyle = "#20262c";
    context.fillRect(x - span, y - span, 2 * span, 2 * span);
    for (const shape of shapes) {
        // what stands on the ground, not the ground itself
        if (shape.body < 0 && shape.type !== "plane" && shape.type !== "field" && shape.at[2] + 0.5 * heightOf(shape) > 0.05) {
            context.fillStyle = shape.colour ?? "#8a949d";
            outline(context, shape);
            context.fill();
        }
    }
}

function heightOf(shape: Shape): number {
    return shape.type === "box" ? (shape.size[2] ?? 0) : shape.type === "cylinder" || shape.type === "cone" || shape.type === "capsule" ? (shape.size[1] ?? 0) : 1;
}

function outline(context: CanvasRenderingContext2D, shape: Shape): void {
    const [x, y] = [shape.at[0]!, shape.at[1]!];
    const [w, , , z] = shape.quaternion;
    context.beginPath();
    if (shape.type !== "box") {
        context.arc(x, y, Math.max(shape.size[0] ?? 0.3, 0.2), 0, 2 * Math.PI);
        return;
    }
    const angle = 2 * Math.atan2(z ?? 0, w ?? 1);
    const [a, b] = [0.5 * (shape.size[0] ?? 1), 0.5 * (shape.size[1] ?? 1)];
    for (const [u, v] of [[-a, -b], [a, -b], [a, b], [-a, b]] as const) {
        context.lineTo(x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle));
    }
}
