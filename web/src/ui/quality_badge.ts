// SPDX-License-Identifier: MIT
// What the badge of the quality says: its level, and whether it was chosen or measured. Pure.
import { QUALITIES } from "../quality.ts";
import { text } from "./language.ts";

export function qualityBadge(level: number, isChosen: boolean): { label: string; title: string } {
    const word = text(`quality_${QUALITIES[level]!.name}`);
    return {
        label: `${isChosen ? "●" : "◐"} ${word}`,
        title: `${text("quality")}: ${word}${isChosen ? "" : ` (${text("quality_auto")})`}`,
    };
}
