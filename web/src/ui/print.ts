// SPDX-License-Identifier: MIT
// The contact prints of tyres, enlarged: the ellipse in which each touches, its pressure as Hertz has it, and the force across the
// ground. In true size they are a few millimetres under the tyre, which nobody sees.

import type { Frame, SceneMessage } from "../protocol.ts";
import { el, showNumber } from "./dom.ts";
import { nameText, onLanguage, text } from "./language.ts";
import { Panel } from "./panel.ts";

const HEIGHT = 168; // px of one print
const PAUSE = 100; // ms between two drawings

/** what a print needs, as channels of a frame */
interface Print {
    name: string;
    along: number; // half length the way it rolls
    across: number;
    pressure: number; // the largest, Pa
    forces: [number, number, number]; // along, to the left, up; N
}

/** Pressure of Hertz at a place of an ellipse with these half axes: an ellipsoid over it, 0 outside. */
export function pressureAt(x: number, y: number, along: number, across: number, largest: number): number {
    const rest = 1 - (x / along) ** 2 - (y / across) ** 2;
    return rest > 0 ? largest * Math.sqrt(rest) : 0;
}

/** 1, 2 or 5 times a power of ten, not above the limit */
export function roundLength(limit: number): number {
    const power = 10 ** Math.floor(Math.log10(limit));
    return power * (limit >= 5 * power ? 5 : limit >= 2 * power ? 2 : 1);
}

/** from dark blue over green and yellow to red, 0..1 */
export function pressureColour(share: number): [number, number, number] {
    const stops: [number, number, number][] = [[24, 38, 92], [28, 120, 190], [52, 190, 120], [245, 205, 60], [235, 66, 48]];
    const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1);
    const k = Math.floor(at);
    return stops[k]!.map((value, i) => Math.round(value + (at - k) * (stops[k + 1]![i]! - value))) as [number, number, number];
}

/** the tyres of a scene that tell their print */
export function findPrints(channels: readonly { name: string }[]): Print[] {
    const index = new Map(channels.map((channel, i) => [channel.name, i]));
    return channels.flatMap(({ name }) => {
        const tyre = name.endsWith(".semi_x") ? name.slice(0, -7) : null;
        const of = (part: string) => index.get(`${tyre}.${part}`);
        const [along, across, pressure, fx, fy, fz] = ["semi_x", "semi_y", "pressure", "fx", "fy", "fz"].map(of);
        if (tyre === null || along === undefined || across === undefined || pressure === undefined || fx === undefined || fy === undefined || fz === undefined) {
            return [];
        }
        return [{ name: tyre, along, across, pressure, forces: [fx, fy, fz] as [number, number, number] }];
    });
}

export class Prints extends Panel {
    private prints: Print[] = [];
    private canvases: HTMLCanvasElement[] = [];
    private captions: HTMLElement[] = [];
    private newest: Frame | null = null;
    private last = 0;
    private largest = 0; // half axis seen so far, m: one scale for all, which never shrinks

    constructor() {
        super("print");
        onLanguage(() => this.build());
    }

    /** how many tyres may have one */
    setScene(scene: SceneMessage): number {
        this.prints = findPrints(scene.channels);
        this.newest = null;
        this.largest = 0;
        this.build();
        return this.prints.length;
    }

    add(frame: Frame): void {
        this.newest = frame;
        for (const print of this.prints) {
            this.largest = Math.max(this.largest, frame.channels[print.along] ?? 0, frame.channels[print.across] ?? 0);
        }
    }

    private build(): void {
        this.canvases = this.prints.map(() => el("canvas", { height: HEIGHT }));
        this.captions = this.prints.map(() => el("p", { class: "hint print-caption" }));
        this.body.replaceChildren(...this.prints.flatMap((print, i) => [el("h3", {}, nameText(print.name)), this.canvases[i]!, this.captions[i]!]), el("p", { class: "hint" }, text("print_hint")));
        this.last = 0;
    }

    /** call once per picture */
    draw(now: number): void {
        if (!this.isOpen || !this.newest || now - this.last < PAUSE) {
            return;
        }
        this.last = now;
        const { channels } = this.newest;
        this.prints.forEach((print, i) => this.drawPrint(print, this.canvases[i]!, this.captions[i]!, channels));
    }

    private drawPrint(print: Print, canvas: HTMLCanvasElement, caption: HTMLElement, channels: Float32Array): void {
        const [along, across, pressure] = [channels[print.along] ?? 0, channels[print.across] ?? 0, channels[print.pressure] ?? 0];
        const [fx, fy, fz] = print.forces.map((k) => channels[k] ?? 0) as [number, number, number];
        const ratio = window.devicePixelRatio || 1;
        const width = Math.max(canvas.clientWidth, 40);
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(HEIGHT * ratio);
        const context = canvas.getContext("2d")!;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        if (!(along > 0 && across > 0)) {
            caption.textContent = text(this.largest > 0 ? "print_air" : "print_none");
            return;
        }
        // forward is up: x of the tyre upwards, y to the left
        const scale = (0.42 * HEIGHT) / this.largest;
        const [cx, cy] = [width / 2, HEIGHT / 2];
        this.paint(context, { cx, cy, scale, along, across, ratio });
        this.drawIsobars(context, cx, cy, scale * along, scale * across);
        this.drawForce(context, cx, cy, fx, fy, fz);
        this.drawScale(context, scale, width);
        caption.textContent = `${showNumber(2000 * along)} × ${showNumber(2000 * across)} mm · ${text("print_most")} ${showNumber(pressure / 1e5)} bar · ${showNumber(fz)} N`;
    }

    private paint(context: CanvasRenderingContext2D, at: { cx: number; cy: number; scale: number; along: number; across: number; ratio: number }): void {
        const { cx, cy, scale, along, across } = at;
        const w = Math.ceil(2 * scale * across) + 2;
        const h = Math.ceil(2 * scale * along) + 2;
        const image = new ImageData(w, h);
        for (let j = 0; j < h; j++) {
            for (let i = 0; i < w; i++) {
                const share = pressureAt((h / 2 - j - 0.5) / scale, (i + 0.5 - w / 2) / scale, along, across, 1);
                if (share > 0) {
                    image.data.set([...pressureColour(share), 255], 4 * (j * w + i));
                }
            }
        }
        const small = document.createElement("canvas");
        small.width = w;
        small.height = h;
        small.getContext("2d")!.putImageData(image, 0, 0);
        context.clearRect(0, 0, 2 * cx, HEIGHT);
        context.drawImage(small, cx - w / 2, cy - h / 2);
    }

    /** a quarter, half and three quarters of the largest pressure */
    private drawIsobars(context: CanvasRenderingContext2D, cx: number, cy: number, along: number, across: number): void {
        context.strokeStyle = "rgba(255,255,255,0.55)";
        context.lineWidth = 1;
        for (const share of [0, 0.25, 0.5, 0.75]) {
            const size = Math.sqrt(1 - share * share);
            context.beginPath();
            context.ellipse(cx, cy, size * across, size * along, 0, 0, 2 * Math.PI);
            context.stroke();
        }
    }

    /** of the ground on the tyre; as long as half the picture when it is as large as the load */
    private drawForce(context: CanvasRenderingContext2D, cx: number, cy: number, fx: number, fy: number, fz: number): void {
        const reach = fz > 0 ? (0.5 * HEIGHT) / fz : 0;
        const [x, y] = [-fy * reach, -fx * reach];
        const length = Math.hypot(x, y);
        if (length < 3) {
            return;
        }
        const [ux, uy] = [x / length, y / length];
        context.strokeStyle = context.fillStyle = "#ffffff";
        context.lineWidth = 2.5;
        context.beginPath();
        context.moveTo(cx, cy);
        context.lineTo(cx + x, cy + y);
        context.stroke();
        context.beginPath();
        context.moveTo(cx + x + 5 * ux, cy + y + 5 * uy);
        context.lineTo(cx + x - 4 * uy - 4 * ux, cy + y + 4 * ux - 4 * uy);
        context.lineTo(cx + x + 4 * uy - 4 * ux, cy + y - 4 * ux - 4 * uy);
        context.fill();
    }

    private drawScale(context: CanvasRenderingContext2D, scale: number, width: number): void {
        const length = roundLength((0.3 * width) / scale);
        context.strokeStyle = context.fillStyle = "rgba(255,255,255,0.8)";
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(8, HEIGHT - 14);
        context.lineTo(8 + scale * length, HEIGHT - 14);
        context.stroke();
        context.font = "10px system-ui, sans-serif";
        context.fillText(`${Number((1000 * length).toPrecision(3))} mm`, 8, HEIGHT - 3);
    }
}
