// SPDX-License-Identifier: MIT
// The driver's seat in a headset (WebXR): the eyes sit where the driver's are and move with the machine, its controllers are a gamepad.
// A headset that is lost or put away lets all controls go, and says so.

import * as THREE from "three";
import type { VirtualPad } from "../controls/gamepads.ts";
import type { View } from "../scene/view.ts";

/** what a controller of a headset tells, as WebXR has it */
export interface Source {
    handedness: string;
    gamepad?: { axes: readonly number[]; buttons: readonly { value: number }[] } | null | undefined;
}

const NAME = "headset";
const Z = new THREE.Vector3(0, 0, 1);

/**
 * Two controllers as one gamepad of the usual order, so that its mapping file holds: sticks are axes 0 to 3, A B X Y buttons 0 to 3,
 * the grips 4 and 5, the triggers 6 and 7.
 */
export function padOf(sources: readonly Source[]): VirtualPad | null {
    const axes = [0, 0, 0, 0];
    const buttons = new Array<number>(10).fill(0);
    let isThere = false;
    for (const { handedness, gamepad } of sources) {
        if (!gamepad || (handedness !== "left" && handedness !== "right")) {
            continue;
        }
        isThere = true;
        const side = handedness === "right" ? 1 : 0;
        // of the standard of headsets 2 and 3 are the stick, 0 and 1 a pad that is mostly not there
        const [x, y] = gamepad.axes.length >= 4 ? [gamepad.axes[2], gamepad.axes[3]] : [gamepad.axes[0], gamepad.axes[1]];
        axes[2 * side] = x ?? 0;
        axes[2 * side + 1] = y ?? 0;
        const pressed = (k: number) => gamepad.buttons[k]?.value ?? 0;
        buttons[6 + side] = pressed(0);
        buttons[4 + side] = pressed(1);
        buttons[side === 1 ? 0 : 2] = pressed(4);
        buttons[side === 1 ? 1 : 3] = pressed(5);
    }
    return isThere ? { id: NAME, axes, buttons } : null;
}

/** up and ahead of the seat as the axes of a headset: x right, y up, z back */
export function seatTurn(up: THREE.Vector3, ahead: THREE.Vector3): THREE.Quaternion {
    const right = ahead.clone().cross(up).normalize();
    const back = right.clone().cross(up).normalize();
    return new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().makeBasis(right, up.clone().normalize(), back));
}

export class Headset {
    /** entered, left, or lost: what it was before is over */
    onChange: (state: "in" | "out" | "lost" | "back") => void = () => {};
    /** once per picture of the headset: the page's own pictures may stand still meanwhile */
    onTurn: (now: number) => void = () => {};
    onError: (reason: string) => void = () => {};
    private session: XRSession | null = null;
    private isLeaving = false;
    private seat = new THREE.Group();
    /** nobody sees through it now: put away, or gone */
    isLost = false;

    constructor(private view: View) {}

    static async isOffered(): Promise<boolean> {
        try {
            return (await navigator.xr?.isSessionSupported("immersive-vr")) ?? false;
        } catch {
            return false; // a browser that may not tell offers nothing
        }
    }

    get isIn(): boolean {
        return this.session !== null;
    }

    async toggle(): Promise<void> {
        if (this.session) {
            this.isLeaving = true;
            await this.session.end();
            return;
        }
        try {
            const session = await navigator.xr!.requestSession("immersive-vr", { optionalFeatures: ["local-floor"] });
            await this.begin(session);
        } catch (error) {
            this.onError((error as Error).message);
        }
    }

    private async begin(session: XRSession): Promise<void> {
        const { renderer, rig } = this.view;
        this.session = session;
        this.isLeaving = this.isLost = false;
        session.addEventListener("end", () => this.ended());
        session.addEventListener("visibilitychange", () => this.showVisibility());
        renderer.xr.enabled = true;
        // its origin is where the eyes are when it begins
        renderer.xr.setReferenceSpaceType("local");
        await renderer.xr.setSession(session);
        rig.set("seat");
        this.view.beginPresenting(this.seat);
        renderer.setAnimationLoop((now) => {
            this.onTurn(now);
            this.draw(now);
        });
        this.onChange("in");
    }

    private draw(now: number): void {
        const { position, turn, forward } = this.view.seatNow();
        const up = Z.clone().applyQuaternion(turn);
        this.seat.position.copy(position);
        this.seat.quaternion.copy(seatTurn(up, forward.clone().applyQuaternion(turn)));
        this.seat.updateMatrixWorld(true);
        this.view.present(now);
    }

    private showVisibility(): void {
        const isAway = this.session?.visibilityState !== "visible";
        if (isAway !== this.isLost) {
            this.isLost = isAway;
            this.onChange(isAway ? "lost" : "back");
        }
    }

    private ended(): void {
        const { renderer } = this.view;
        this.session = null;
        this.isLost = !this.isLeaving;
        renderer.setAnimationLoop(null);
        renderer.xr.enabled = false;
        this.view.endPresenting();
        this.onChange(this.isLeaving ? "out" : "lost");
    }

    /** whoever is at the page again takes the controls there */
    noticeHands(): boolean {
        const was = this.isLost && !this.session;
        this.isLost = this.session ? this.isLost : false;
        return was;
    }

    /** its controllers; null: none, or nobody sees */
    pad(): VirtualPad | null {
        return this.session && !this.isLost ? padOf([...this.session.inputSources]) : null;
    }
}
