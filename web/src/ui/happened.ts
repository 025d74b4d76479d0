// SPDX-License-Identifier: MIT
// What happened, in one sentence, from what was seen on the way. Pure.

import type { ExerciseMessage, Hit } from "../messages.ts";
import { localNumber } from "./dom.ts";
import { text } from "./language.ts";
import { said } from "./names.ts";
import { touchText } from "./phrases.ts";
import { showTime } from "./timeline.ts";

/** one point of the way; what the display of the model does not show is null */
export interface Sample {
    t: number;
    x: number;
    y: number;
    speed: number | null; // m/s
    height: number | null; // m, of what is lifted
    margin: number | null; // 1: safe, 0: nothing is left
    press: [number, number] | null; // m, machine's axes: where the weight presses on the ground
    inputs: number[];
}

export type Happening = { kind: "rolled"; t: number } | { kind: "hit"; t: number; hit: Hit } | { kind: "failed"; t: number; exercise: ExerciseMessage };

/** m/s towards each other: what is slower is a touch, not an accident */
export const HARD = 0.5;

/** a worse thing stands, and what follows from it within these seconds is part of it; after a roll-over everything is */
const PART = 5;
const RANK = { failed: 0, hit: 1, rolled: 2 };

export function isPartOf(next: Happening, old: Happening | null): boolean {
    if (old?.kind === "rolled" && next.t >= old.t) {
        return true;
    }
    return old !== null && next.t - old.t < PART && next.t >= old.t - PART && RANK[next.kind] <= RANK[old.kind];
}

/** the moment before t at which the last of the stability went */
export function lostAt(way: readonly Sample[], t: number): Sample | null {
    let found: Sample | null = null;
    for (const sample of way) {
        if (sample.t > t || sample.t < t - 10) {
            continue;
        }
        if (sample.margin !== null && sample.margin <= 0.001) {
            found ??= sample;
        } else {
            found = null;
        }
    }
    return found;
}

function how(sample: Sample): string {
    const fast = sample.speed === null ? "" : `, ${text("after_at_speed")} ${localNumber((3.6 * Math.abs(sample.speed)).toFixed(0))} km/h`;
    const high = sample.height === null || sample.height < 0.5 ? "" : `, ${text("after_height")} ${localNumber(sample.height.toFixed(1))} m`;
    return fast + high;
}

export function sentence(what: Happening, way: readonly Sample[]): string {
    const when = showTime(what.t);
    if (what.kind === "rolled") {
        const lost = lostAt(way, what.t);
        return `${text("after_rolled")} ${when}${lost ? `: ${text("after_lost")} ${showTime(lost.t)}${how(lost)}` : ""}.`;
    }
    if (what.kind === "hit") {
        return `${text("after_hit")} ${when}: ${touchText(what.hit)}.`;
    }
    const reason = what.exercise.reasons[0];
    const why = reason ? [reason.text === "" || reason.kind !== "final" ? text(`reason_${reason.kind}`) : "", said(reason.text)].filter((part) => part !== "").join(": ") : "";
    return `${text("after_failed")} ${when}${why ? `: ${why}` : ""}.`;
}

/** of the path: ample, little, nearly nothing; none where the model does not tell */
export function colourOf(margin: number | null): string {
    return margin === null ? "#56b4e9" : margin > 0.5 ? "#2fd3a0" : margin > 0.15 ? "#f0e442" : "#ff5a4f";
}
