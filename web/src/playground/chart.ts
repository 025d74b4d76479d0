// SPDX-License-Identifier: MIT
// Curves over time on a canvas: those of one run, or of many runs of a sweep over each other.

import { localNumber } from "../ui/dom.ts";
import { axisNumber, gridGap, rangeOf } from "../ui/plots.ts";

export interface Curve {
    t: Float64Array;
    values: Float64Array;
    factor: number; // to the unit shown
    colour: string;
    width: number;
    dash: number[];
}

export interface Axes {
    left: number;
    right: number;
    top: number;
    bottom: number;
    begin: number;
    end: number;
}

const LEFT = 48;
const MOST_POINTS = 1500; // a curve has no more than the picture can show

/** No more than the picture can show: of rows that share a place the lowest and the highest, so that no peak is left out; and the ends. */
export function thinned(values: Float64Array, most = MOST_POINTS): number[] {
    const rows = values.length;
    const step = Math.ceil((2 * rows) / most);
    if (step <= 2) {
        return Array.from(values, (_, k) => k);
    }
    const kept = [0];
    for (let begin = 1; begin < rows - 1; begin += step) {
        let low = begin;
        let high = begin;
        for (let k = begin; k < Math.min(begin + step, rows - 1); k++) {
            // a hole in a curve stays one
            low = values[k]! < values[low]! || Number.isNaN(values[k]) ? k : low;
            high = values[k]! > values[high]! ? k : high;
        }
        kept.push(...new Set([Math.min(low, high), Math.max(low, high)]));
    }
    return [...kept, rows - 1];
}

function pointsOf({ t, values, factor }: Curve): [number, number][] {
    return thinned(values).map((k) => [t[k]!, factor * values[k]!]);
}

/** the value of a curve at a time, by a straight line between its rows; NaN outside */
export function valueAt(t: Float64Array, values: Float64Array, at: number): number {
    let low = 0;
    let high = t.length - 1;
    if (high < 0 || at < t[0]! || at > t[high]!) {
        return NaN;
    }
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (t[middle]! <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const part = high === low ? 0 : (at - t[low]!) / (t[high]! - t[low]!);
    return values[low]! + part * (values[high]! - values[low]!);
}

/** Draws curves with their grid; where things are comes back, for the pointer. marks: vertical lines at these times. */
export function drawChart(canvas: HTMLCanvasElement, curves: Curve[], unit: string, marks: { t: number; colour: string }[]): Axes {
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const begin = Math.min(...curves.map((curve) => curve.t[0] ?? 0));
    const end = Math.max(...curves.map((curve) => curve.t.at(-1) ?? 1));
    const lines = curves.map(pointsOf);
    const [low, high] = rangeOf(lines);
    const axes: Axes = { left: LEFT, right: width - 10, top: 10, bottom: height - 20, begin, end: end > begin ? end : begin + 1 };
    const x = (t: number) => axes.left + ((t - axes.begin) / (axes.end - axes.begin)) * (axes.right - axes.left);
    const y = (v: number) => axes.top + (1 - (v - low) / (high - low)) * (axes.bottom - axes.top);
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 1;
    context.strokeStyle = "rgba(255,255,255,0.12)";
    context.fillStyle = "rgba(255,255,255,0.78)";
    const line = (x1: number, y1: number, x2: number, y2: number) => {
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
        context.stroke();
    };
    const gap = gridGap(axes.end - axes.begin);
    for (let k = Math.ceil(axes.begin / gap - 1e-9); k * gap <= axes.end * (1 + 1e-12); k++) {
        const at = x(k * gap);
        line(at, axes.top, at, axes.bottom);
        const isLast = at > axes.right - 12;
        context.textAlign = isLast ? "right" : "center";
        context.fillText(`${localNumber(String(Number((k * gap).toPrecision(6))))}${isLast ? " s" : ""}`, isLast ? axes.right + 8 : at, height - 6);
    }
    const rise = gridGap(high - low);
    context.textAlign = "right";
    for (let k = Math.ceil(low / rise - 1e-9); k * rise <= high; k++) {
        line(axes.left, y(k * rise), axes.right, y(k * rise));
        context.fillText(axisNumber(k * rise, high - low), axes.left - 5, y(k * rise) + 4);
    }
    context.textAlign = "left";
    context.fillText(unit, axes.left + 5, axes.top + 11);
    context.save();
    context.beginPath();
    context.rect(axes.left, axes.top - 4, axes.right - axes.left + 4, axes.bottom - axes.top + 8);
    context.clip();
    context.lineJoin = "round";
    curves.forEach((curve, k) => {
        context.strokeStyle = curve.colour;
        context.lineWidth = curve.width;
        context.setLineDash(curve.dash);
        context.beginPath();
        let isApart = true;
        for (const [t, v] of lines[k]!) {
            if (Number.isFinite(v)) {
                context[isApart ? "moveTo" : "lineTo"](x(t), y(v));
            }
            isApart = !Number.isFinite(v);
        }
        context.stroke();
    });
    context.setLineDash([]);
    for (const mark of marks) {
        context.strokeStyle = mark.colour;
        context.lineWidth = 1;
        line(x(mark.t), axes.top, x(mark.t), axes.bottom);
    }
    context.restore();
    return axes;
}
