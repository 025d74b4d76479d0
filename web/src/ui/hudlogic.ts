// SPDX-License-Identifier: MIT
// Numbers of the head-up display: which state a reading is in. Pure.

import type { HudItem } from "../protocol.ts";

export type Alarm = "good" | "near" | "bad";

/** Beyond `warn` is bad; from `near` on, or on the last quarter of the way, is near. Without `warn` everything is good. */
export function alarmOf(item: HudItem, value: number): Alarm {
    const { warn } = item;
    if (warn === undefined || !Number.isFinite(value)) {
        return "good";
    }
    const low = item.min ?? 0;
    const high = item.max ?? 1;
    const isAbove = (item.warn_when ?? (warn > (low + high) / 2 ? "above" : "below")) === "above";
    if (isAbove ? value > warn : value < warn) {
        return "bad";
    }
    if (item.near !== undefined) {
        return (isAbove ? value > item.near : value < item.near) ? "near" : "good";
    }
    const band = 0.25 * Math.abs((isAbove ? warn - low : high - warn) || 1);
    return (isAbove ? value > warn - band : value < warn + band) ? "near" : "good";
}

/** Part of the range, 0..1. */
export function partOf(item: HudItem, value: number): number {
    const low = item.min ?? 0;
    const high = item.max ?? 1;
    return high === low ? 0 : Math.min(1, Math.max(0, (value - low) / (high - low)));
}

const UNITS: Record<string, [string, number]> = {
    "rad deg": ["°", 180 / Math.PI],
    "m/s km/h": ["km/h", 3.6],
    "m mm": ["mm", 1000],
    "m cm": ["cm", 100],
    "N kN": ["kN", 0.001],
    "Pa bar": ["bar", 1e-5],
    "Pa MPa": ["MPa", 1e-6],
    "rad/s rpm": ["rpm", 30 / Math.PI],
    "kg t": ["t", 0.001],
    "J kJ": ["kJ", 0.001],
    "W kW": ["kW", 0.001],
};

/** Factor from the channel's unit to the one that the display asks for, and how that is written. */
export function displayUnit(channelUnit: string, wanted: string | undefined): { factor: number; sign: string } {
    if (wanted === "%" && (channelUnit === "" || channelUnit === "1")) {
        return { factor: 100, sign: "%" };
    }
    const known = wanted === undefined ? undefined : UNITS[`${channelUnit} ${wanted}`];
    return known ? { factor: known[1], sign: known[0] } : { factor: 1, sign: wanted ?? channelUnit };
}

/** Outputs written as expressions have no unit; what they are shown as tells what they are. */
export function assumedUnit(kind: string | undefined, channelUnit: string): string {
    const known: Record<string, string> = { speed: "m/s", angle: "rad", height: "m", "wheel-loads": "N" };
    return channelUnit === "" || channelUnit === "1" ? (known[kind ?? ""] ?? channelUnit) : channelUnit;
}

/** What each kind of gauge shows when the model does not say. */
export function standardUnit(kind: string | undefined, channelUnit: string): string | undefined {
    const wishes: Record<string, Record<string, string>> = {
        speed: { "m/s": "km/h" },
        angle: { rad: "deg" },
        "wheel-loads": { N: "kN" },
        margin: { "": "%", "1": "%" },
    };
    return wishes[kind ?? ""]?.[channelUnit];
}

/** The gear as on a lever: R, N, 1, 2 ... */
export function gearName(value: number): string {
    const gear = Math.round(value);
    return !Number.isFinite(value) ? "–" : gear < 0 ? "R" : gear === 0 ? "N" : String(gear);
}

export function isMargin(item: HudItem): boolean {
    return item.kind === "margin" || /margin|stability/i.test(item.channel ?? "");
}

/** What the banner knows when it is shown: margins to the lines, height of what is lifted in m, speed in m/s; missing: not told. */
export interface Tipping {
    forwards?: number;
    backwards?: number;
    left?: number;
    right?: number;
    height?: number;
    speed?: number;
    carried?: number; // N, by all wheels
}
export type TipLine = "tip_forwards" | "tip_backwards" | "tip_sideways" | "tip_over" | "tip_lies";
export type TipHint = "tip_slow" | "tip_brake" | "tip_wide" | "tip_lower" | "tip_down" | "tip_still" | "tip_back";

/** Which line is the nearest, and only what helps against it: nothing is to be lowered that is low, nobody slows down who stands. */
export function tipAdvice(now: Tipping): { line: TipLine; hints: TipHint[] } {
    const raised: TipHint[] = (now.height ?? 0) > 0.3 ? ["tip_lower"] : [];
    const isMoving = Math.abs(now.speed ?? 1) > 0.2;
    if (now.carried === 0 && !isMoving) {
        return { line: "tip_lies", hints: ["tip_back"] };
    }
    const side = Math.min(now.left ?? Infinity, now.right ?? Infinity);
    const ahead = now.forwards ?? Infinity;
    const behind = now.backwards ?? Infinity;
    if (!Number.isFinite(Math.min(side, ahead, behind))) {
        return { line: "tip_over", hints: isMoving ? ["tip_slow", ...raised] : raised };
    }
    if (side <= ahead && side <= behind) {
        return { line: "tip_sideways", hints: isMoving ? ["tip_slow", "tip_wide", ...raised] : ["tip_still", ...raised] };
    }
    if (ahead <= behind) {
        return { line: "tip_forwards", hints: [...(isMoving ? ["tip_brake" as const] : []), ...(raised.length > 0 ? raised : ["tip_down" as const])] };
    }
    return { line: "tip_backwards", hints: [isMoving ? "tip_slow" : "tip_still", ...raised] };
}
