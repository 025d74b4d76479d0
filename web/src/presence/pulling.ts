// SPDX-License-Identifier: MIT
// The mouse on the machine: a click chooses a body, the hand (or Alt) with a drag pulls one. What touches no body turns the view.

import type { Vec3 } from "../protocol.ts";
import type { Picker, Spot } from "./picker.ts";
import { withinReach, type Hand } from "./hand.ts";

const CLICK = { way: 5, time: 500 }; // px, ms: more is a drag

export interface Wishes {
    /** a body was clicked, or is pulled */
    choose(body: number, isPulled: boolean): void;
    /** false: it says why nobody may pull now */
    mayPull(): boolean;
    /** asks for what the hand needs to know */
    ask(): void;
}

export class Pulling {
    isOn = false;
    private held: { pointer: number; spot: Spot; x: number; y: number } | null = null;
    private pressed: { pointer: number; x: number; y: number; at: number } | null = null;
    private way: Vec3 | null = null; // by keys: ground axes, m
    private direction = -1;

    constructor(
        private canvas: HTMLCanvasElement,
        private picker: Picker,
        /** of the machine, m */
        private length: () => number,
        private hand: Hand,
        private wishes: Wishes,
    ) {
        const first = { capture: true };
        canvas.addEventListener("pointerdown", (event) => this.down(event), first);
        canvas.addEventListener("pointermove", (event) => this.move(event), first);
        canvas.addEventListener("pointerup", (event) => this.up(event), first);
        canvas.addEventListener("pointercancel", () => this.letGo(), first);
        window.addEventListener("blur", () => this.letGo());
    }

    private down(event: PointerEvent): void {
        if (event.button !== 0 || this.held) {
            return;
        }
        const spot = this.isOn || event.altKey ? this.picker.spotAt(event.clientX, event.clientY) : null;
        if (!spot) {
            this.pressed = { pointer: event.pointerId, x: event.clientX, y: event.clientY, at: event.timeStamp };
            return;
        }
        if (!this.wishes.mayPull()) {
            return;
        }
        // the view stays where it is
        event.stopImmediatePropagation();
        event.preventDefault();
        this.canvas.setPointerCapture(event.pointerId);
        this.held = { pointer: event.pointerId, spot, x: event.clientX, y: event.clientY };
        this.wishes.choose(spot.body, true);
        this.wishes.ask();
        this.follow();
    }

    private move(event: PointerEvent): void {
        if (this.held && event.pointerId === this.held.pointer) {
            event.stopImmediatePropagation();
            Object.assign(this.held, { x: event.clientX, y: event.clientY });
            this.follow();
        }
    }

    private up(event: PointerEvent): void {
        if (this.held && event.pointerId === this.held.pointer) {
            event.stopImmediatePropagation();
            this.letGo();
        }
        const was = this.pressed;
        this.pressed = null;
        if (was && was.pointer === event.pointerId && Math.hypot(event.clientX - was.x, event.clientY - was.y) < CLICK.way && event.timeStamp - was.at < CLICK.time) {
            const spot = this.picker.spotAt(event.clientX, event.clientY);
            if (spot) {
                this.wishes.choose(spot.body, false);
            }
        }
    }

    /** by keys: at the centre of the body, along a direction of the ground */
    pull(body: number, direction: Vec3): void {
        if (this.wishes.mayPull()) {
            this.wishes.ask();
            this.direction = body;
            this.way = direction;
            this.follow();
        }
    }

    letGo(): void {
        this.held = null;
        this.way = null;
        this.pressed = null;
        this.hand.letGo();
    }

    /** before each picture: the camera moves with the machine, and the place under the mouse with it */
    follow(): void {
        const length = this.length();
        if (!this.hand.isReady) {
            return;
        }
        if (this.held) {
            const { spot, x, y } = this.held;
            const now = this.picker.placeOf(spot);
            const to = now && this.picker.inPlaneOf(now, x, y);
            if (to) {
                this.hand.hold(spot.body, spot.at, withinReach(now, to, this.hand.reachOf(spot.body, length)));
            }
        } else if (this.way) {
            const spot: Spot = { body: this.direction, at: this.hand.centreOf(this.direction) };
            const now = this.picker.placeOf(spot);
            if (now) {
                this.hand.hold(spot.body, spot.at, now.map((value, i) => value + this.hand.reachOf(spot.body, length) * this.way![i]!) as Vec3);
            }
        }
    }
}
