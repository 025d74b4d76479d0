// SPDX-License-Identifier: MIT
// How much the page draws, decided by what drawing costs on this machine. Pure.

export interface Quality {
    name: "low" | "medium" | "high" | "best";
    /** pixels per CSS pixel, at most the screen's own */
    pixels: number;
    shadow: number; // size of the shadow map, 0 for none
    isPhysical: boolean; // physically based materials and reflections of the sky
}

export const QUALITIES: readonly Quality[] = [
    { name: "low", pixels: 0.62, shadow: 512, isPhysical: false },
    { name: "medium", pixels: 0.75, shadow: 1024, isPhysical: false },
    { name: "high", pixels: 1, shadow: 2048, isPhysical: true },
    { name: "best", pixels: 2, shadow: 4096, isPhysical: true },
];

const WINDOW = 12; // drawings per decision
const TOO_SLOW = 30; // ms: below about 30 pictures per second
const PLENTY = 7; // ms: the next level costs at most twice as much

/**
 * Takes the time of each drawing and says when the level should change. A level that was found too slow is not tried
 * again, so that the picture does not flicker between two levels.
 */
export class QualityJudge {
    private times: number[] = [];
    private ceiling = QUALITIES.length - 1;

    constructor(public level: number) {}

    /** milliseconds of one drawing, until the graphics unit had finished; true when `level` changed */
    add(milliseconds: number): boolean {
        this.times.push(milliseconds);
        if (this.times.length < WINDOW) {
            return false;
        }
        const median = this.times.sort((a, b) => a - b)[WINDOW / 2]!;
        this.times = [];
        if (median > TOO_SLOW && this.level > 0) {
            this.ceiling = this.level - 1;
            this.level--;
            return true;
        }
        if (median < PLENTY && this.level < this.ceiling) {
            this.level++;
            return true;
        }
        return false;
    }
}
