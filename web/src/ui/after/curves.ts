// SPDX-License-Identifier: MIT
// What the driver did and how much stability was left, over the seconds before and after, with the events as lines.

import type { Sample } from "../happened.ts";
import { colourOf } from "../happened.ts";

export const COLOURS = ["#e69f00", "#56b4e9", "#cc79a7", "#2fd3a0", "#f0e442", "#d55e00"];
const LEFT = 4;
const TOP = 0.42; // of the height: the stability; below it the controls

/** the inputs that somebody used, at most as many as there are colours */
export function usedInputs(way: readonly Sample[]): number[] {
    const first = way[0]?.inputs ?? [];
    const all = first.map((_, k) => k).filter((k) => way.some((sample) => Math.abs((sample.inputs[k] ?? 0) - first[k]!) > 1e-6));
    return all.slice(0, COLOURS.length);
}

/** of an input, from its least to its largest value in these seconds */
export function partOf(way: readonly Sample[], k: number, value: number): number {
    const low = Math.min(...way.map((sample) => sample.inputs[k] ?? 0));
    const high = Math.max(...way.map((sample) => sample.inputs[k] ?? 0));
    return high > low ? (value - low) / (high - low) : 0.5;
}

export function drawCurves(context: CanvasRenderingContext2D, width: number, height: number, way: readonly Sample[], events: readonly number[]): void {
    const [from, to] = [way[0]!.t, way.at(-1)!.t];
    const x = (t: number) => LEFT + ((width - 2 * LEFT) * (t - from)) / Math.max(to - from, 1e-6);
    context.fillStyle = "#20262c";
    context.fillRect(0, 0, width, height);
    context.strokeStyle = "#ff5a4f";
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    for (const t of events.filter((t) => t >= from && t <= to)) {
        context.beginPath();
        context.moveTo(x(t), 0);
        context.lineTo(x(t), height - 14);
        context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 2;
    const margin = (sample: Sample) => (TOP * height - 4) * (1 - Math.min(1, Math.max(0, sample.margin ?? 0))) + 2;
    way.slice(1).forEach((sample, k) => {
        const before = way[k]!;
        if (sample.margin !== null && before.margin !== null) {
            context.strokeStyle = colourOf(sample.margin);
            context.beginPath();
            context.moveTo(x(before.t), margin(before));
            context.lineTo(x(sample.t), margin(sample));
            context.stroke();
        }
    });
    const bottom = height - 18;
    usedInputs(way).forEach((input, n) => {
        context.strokeStyle = COLOURS[n]!;
        context.beginPath();
        way.forEach((sample) => context.lineTo(x(sample.t), bottom - (bottom - TOP * height - 6) * partOf(way, input, sample.inputs[input] ?? 0)));
        context.stroke();
    });
}
