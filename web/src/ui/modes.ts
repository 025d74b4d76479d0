// SPDX-License-Identifier: MIT
// Eigenvalues while driving: the modes of the steady motion that resembles the one now, moving over the complex plane. Left of
// the axis a mode decays, right of it it grows; the height is its frequency.

import type { ModesMessage, SceneMessage } from "../protocol.ts";
import { el, localNumber } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { Panel } from "./panel.ts";

const HEIGHT = 210; // px
const LEFT = -12; // 1/s, what decays faster is not shown
const RIGHT = 4;
const TOP = 10; // rad/s
const KEPT = 60; // answers whose trail is drawn
const ZERO = 1e-4; // 1/s: place and heading, which nothing restores

export class Modes extends Panel {
    private canvas = el("canvas", { height: HEIGHT });
    private summary = el("p", { class: "hint", id: "modes-summary" });
    private past: [number, number][][] = [];
    private now: ModesMessage | null = null;
    private isNew = false;

    constructor() {
        super("modes");
        this.body.append(this.canvas, this.summary);
        onLanguage(() => (this.isNew = true));
    }

    setScene(_scene: SceneMessage): void {
        this.past = [];
        this.now = null;
        this.isNew = true;
    }

    set(message: ModesMessage): void {
        this.now = message;
        // what stays zero is no mode of the machine
        this.past.push(message.eigenvalues.filter(([re, im]) => im >= 0 && Math.hypot(re, im) > ZERO));
        this.past = this.past.slice(-KEPT);
        this.isNew = true;
    }

    /** call once per picture */
    draw(): void {
        if (!this.isOpen || !this.isNew) {
            return;
        }
        this.isNew = false;
        this.summary.textContent = this.describe();
        const scale = window.devicePixelRatio || 1;
        const width = this.canvas.clientWidth;
        this.canvas.width = Math.round(width * scale);
        this.canvas.height = HEIGHT * scale;
        const context = this.canvas.getContext("2d")!;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        const x = (re: number) => 8 + ((Math.max(re, LEFT) - LEFT) / (RIGHT - LEFT)) * (width - 16);
        const y = (im: number) => HEIGHT - 18 - (Math.min(im, TOP) / TOP) * (HEIGHT - 32);
        this.drawPlane(context, width, x, y);
        this.past.forEach((values, age) => {
            const isNow = age === this.past.length - 1;
            for (const [re, im] of values) {
                if (re >= LEFT) {
                    context.fillStyle = re > 0 ? `rgba(255,122,107,${isNow ? 1 : 0.35})` : `rgba(126,224,129,${isNow ? 1 : 0.35})`;
                    context.beginPath();
                    context.arc(x(re), y(im), isNow ? 5 : 1.8, 0, 2 * Math.PI);
                    context.fill();
                }
            }
        });
    }

    private drawPlane(context: CanvasRenderingContext2D, width: number, x: (re: number) => number, y: (im: number) => number): void {
        context.clearRect(0, 0, width, HEIGHT);
        context.fillStyle = "rgba(255,122,107,0.10)";
        context.fillRect(x(0), 8, width - 8 - x(0), y(0) - 8);
        context.font = "10px system-ui, sans-serif";
        context.lineWidth = 1;
        for (let re = LEFT; re <= RIGHT; re += 4) {
            context.strokeStyle = re === 0 ? "rgba(255,255,255,0.6)" : "rgba(255,255,255,0.12)";
            context.beginPath();
            context.moveTo(x(re), 8);
            context.lineTo(x(re), y(0));
            context.stroke();
            context.fillStyle = "rgba(255,255,255,0.55)";
            context.fillText(localNumber(String(re)), x(re) - 4, HEIGHT - 5);
        }
        for (let im = 0; im <= TOP; im += 5) {
            context.strokeStyle = "rgba(255,255,255,0.12)";
            context.beginPath();
            context.moveTo(8, y(im));
            context.lineTo(width - 8, y(im));
            context.stroke();
            context.fillText(im === 0 ? "1/s" : `${localNumber(String(im))} rad/s`, 10, y(im) - 3);
        }
    }

    /** the slowest to decay, or the fastest to grow */
    private describe(): string {
        const values = this.past.at(-1) ?? [];
        if (!this.now || values.length === 0) {
            return text("modes_none");
        }
        const at = Object.entries(this.now.at).map(([name, value]) => `${name} = ${localNumber(Number(value).toFixed(2))}`);
        const [re, im] = values.reduce((worst, value) => (value[0] > worst[0] ? value : worst));
        const mode = im > 0 ? `${localNumber(re.toFixed(2))} 1/s, ${localNumber((im / (2 * Math.PI)).toFixed(2))} Hz` : `${localNumber(re.toFixed(2))} 1/s`;
        return `${at.join(", ")}: ${text(re > 0 ? "modes_unstable" : "modes_stable")} (${mode})`;
    }
}
