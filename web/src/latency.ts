// SPDX-License-Identifier: MIT
// How long a key takes: until a frame with a changed input arrives (state), and until its picture is finished (drawn). Pure.

import type { Frame } from "./protocol.ts";

export interface Delay {
    state: number; // ms
    drawn: number; // ms
}

export class Latency {
    readonly delays: Delay[] = [];
    /** the frame that answers a key has come */
    onAnswer: () => void = () => {};
    private pressed: number | null = null;
    private before: Float32Array | null = null;
    private last: Float32Array | null = null;
    private waiting: { frame: number; pressed: number; state: number } | null = null;

    /** a driving key went down */
    press(now: number): void {
        if (this.pressed === null && this.waiting === null) {
            this.pressed = now;
            this.before = this.last;
        }
    }

    received(frame: Frame, now = performance.now()): void {
        this.last = frame.inputs;
        if (this.pressed === null || !this.before) {
            return;
        }
        const before = this.before;
        if (frame.inputs.some((value, i) => Math.abs(value - before[i]!) > 1e-6)) {
            this.waiting = { frame: frame.number, pressed: this.pressed, state: now - this.pressed };
            this.pressed = null;
            this.onAnswer();
        }
    }

    /** the picture of this frame is finished */
    drawn(frame: number, now: number): void {
        if (this.waiting && frame >= this.waiting.frame) {
            this.delays.push({ state: this.waiting.state, drawn: now - this.waiting.pressed });
            this.waiting = null;
            if (this.delays.length > 500) {
                this.delays.shift();
            }
        }
    }
}
