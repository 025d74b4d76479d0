// SPDX-License-Identifier: MIT
// The hand of whoever drives: a spring from a point of a body to a place that the mouse moves. What it does are inputs of the model, so
// that they are recorded and repeated as all others.

import type { ClientMessage, InsideMessage, SceneMessage, Vec3 } from "../protocol.ts";

/** inputs of the engine (bi_add_hand), in its order */
export const HAND_INPUTS = ["hand_body", "hand_x", "hand_y", "hand_z", "hand_to_x", "hand_to_y", "hand_to_z", "hand_stiffness"] as const;
const WHOLE = 0.8; // Hz at which the spring would shake the whole machine
const ALONE = 5; // Hz at which it may shake the body alone: slow against any step
const FARTHEST = 2; // lengths of the machine between point and place
const WEIGHTS = 0.6; // of everything connected: the largest force
const G = 9.81; // m/s2
export const STRENGTHS = [0.1, 10] as const;

export function isHand(name: string): boolean {
    return (HAND_INPUTS as readonly string[]).includes(name);
}

/** kg, of everything that joints connect with the body, the ground aside */
export function connectedMass(inside: Pick<InsideMessage, "joints" | "masses">, body: number): number {
    const reached = new Set([body]);
    for (let before = 0; before < reached.size;) {
        before = reached.size;
        for (const { a, b } of inside.joints) {
            if (a >= 0 && b >= 0 && reached.has(a) !== reached.has(b)) {
                reached.add(a).add(b);
            }
        }
    }
    return inside.masses.reduce((sum, mass) => sum + (reached.has(mass.body) ? mass.mass : 0), 0);
}

/** N/m: it moves the whole machine, and is soft for the body alone */
export function handStiffness(inside: Pick<InsideMessage, "joints" | "masses">, body: number, strength = 1): number {
    const own = inside.masses.find((mass) => mass.body === body)?.mass ?? 0;
    const rate = (hertz: number) => (2 * Math.PI * hertz) ** 2;
    return Math.min(strength * connectedMass(inside, body) * rate(WHOLE), own * rate(ALONE));
}

/** m: a hand is not stronger than a part of the weight of what it pulls */
export function handReach(inside: Pick<InsideMessage, "joints" | "masses">, body: number, length: number, strength = 1): number {
    return Math.min(FARTHEST * length, (strength * WEIGHTS * G * connectedMass(inside, body)) / Math.max(handStiffness(inside, body, strength), 1e-12));
}

/** as far as the hand reaches from the point */
export function withinReach(point: Vec3, to: Vec3, reach: number): Vec3 {
    const way = to.map((value, i) => value - point[i]!);
    const part = Math.min(1, reach / Math.max(Math.hypot(...way), 1e-12));
    return point.map((value, i) => value + part * way[i]!) as Vec3;
}

export class Hand {
    /** body that it holds, as in `bodies`; -1: none */
    body = -1;
    strength = 1;
    private at: Vec3 = [0, 0, 0];
    private sent = "";
    /** index of its first input; -1: this model has no hand */
    first = -1;
    private inside: InsideMessage | null = null;

    constructor(private send: (message: ClientMessage) => void) {}

    setScene(scene: SceneMessage): void {
        this.first = scene.kind === "drive" ? scene.inputs.findIndex((input) => input.name === HAND_INPUTS[0]) : -1;
        this.inside = null;
        this.body = -1;
        this.sent = "";
    }

    setInside(message: InsideMessage): void {
        this.inside = message;
    }

    get canPull(): boolean {
        return this.first >= 0;
    }

    /** masses are known; else `inside` has to be asked for */
    get isReady(): boolean {
        return this.inside !== null;
    }

    /** kg; 0: what has none cannot be pulled */
    massOf(body: number): number {
        return this.inside?.masses.find((mass) => mass.body === body)?.mass ?? 0;
    }

    /** of its mass, in its axes */
    centreOf(body: number): Vec3 {
        return this.inside?.masses.find((mass) => mass.body === body)?.at ?? [0, 0, 0];
    }

    /** m, from the point of a body in a machine of this length */
    reachOf(body: number, length: number): number {
        return this.inside ? handReach(this.inside, body, length, this.strength) : 0;
    }

    hold(body: number, at: Vec3, to: Vec3): void {
        this.body = body;
        this.at = at;
        this.move(to);
    }

    move(to: Vec3): void {
        if (this.body >= 0 && this.inside && to.every(Number.isFinite)) {
            this.tell([this.body + 1, ...this.at, ...to, handStiffness(this.inside, this.body, this.strength)]);
        }
    }

    letGo(): void {
        if (this.body >= 0) {
            this.body = -1;
            this.tell([0]);
        }
    }

    private tell(numbers: number[]): void {
        const values = Object.fromEntries(numbers.map((value, i) => [HAND_INPUTS[i]!, Number(value.toPrecision(7))]));
        const text = JSON.stringify(values);
        if (text !== this.sent) {
            this.sent = text;
            this.send({ type: "inputs", values });
        }
    }
}
