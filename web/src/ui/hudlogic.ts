// SPDX-License-Identifier: MIT
// Numbers of the head-up display: which state a reading is in. Pure.

import type { HudItem } from "../protocol.ts";

export type Alarm = "good" | "near" | "bad";

/** Beyond `warn` is bad; the last quarter of the way to it is near. Without `warn` everything is good. */
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
    const band = 0.25 * Math.abs((isAbove ? warn - low : high - warn) || 1);
    return (isAbove ? value > warn - band : value < warn + band) ? "near" : "good";
}

/** Part of the range, 0..1. */
export function partOf(item: HudItem, value: number): number {
    const low = item.min ?? 0;
    const high = item.max ?? 1;
    return high === low ? 0 : Math.min(1, Math.max(0, (value - low) / (high - low)));
}

export function isMargin(item: HudItem): boolean {
    return item.kind === "margin" || /margin|stability/i.test(item.channel ?? "");
}
