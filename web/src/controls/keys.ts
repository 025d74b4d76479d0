// SPDX-License-Identifier: MIT
// Keys of the machine and keys of the page. Letters drive, arrows are for time (as in the document the simulator follows),
// `a` shows the forces and the space bar looks at the machine. Pure; keys are named by their place (KeyboardEvent.code).

import type { Control, DriverInput, Input } from "../protocol.ts";

export interface KeyPair {
    input: string;
    positive: string;
    negative: string;
}

/** pairs [positive, negative] for inputs by their usual names */
const KNOWN: Record<string, [string, string]> = {
    drive: ["KeyW", "KeyS"],
    throttle: ["KeyW", "KeyS"],
    force: ["KeyW", "KeyS"],
    steer: ["KeyQ", "KeyE"],
    wheel: ["KeyQ", "KeyE"],
    lift: ["KeyL", "KeyJ"],
    tilt: ["KeyI", "KeyK"],
};

/** left is positive */
export const isSteering = (name: string): boolean => name === "steer" || name === "wheel";

/** for all other inputs, in this order */
const POOL: [string, string][] = [
    ["KeyW", "KeyS"],
    ["KeyE", "KeyQ"],
    ["KeyL", "KeyJ"],
    ["KeyI", "KeyK"],
    ["KeyO", "KeyU"],
    ["KeyF", "KeyD"],
    ["KeyN", "KeyB"],
];

/** keys: two letters, none at all when empty; stays: what the keys set remains when they are released */
export type Wishes = Record<string, Control>;

/**
 * Gives each input of the model a pair of letters: what the model file wishes under `controls`, else the usual ones, else some
 * that are free. Inputs beyond the pool have no keys, nor have those for which the model wishes an empty list.
 */
export function bindKeys(all: readonly Input[], wishes: Wishes = {}): KeyPair[] {
    const inputs = all.filter((input) => wishes[input.name]?.keys?.length !== 0);
    const used = new Set<string>();
    const pairs: KeyPair[] = [];
    const bind = (input: string, [positive, negative]: [string, string]) => {
        used.add(positive).add(negative);
        pairs.push({ input, positive, negative });
    };
    for (const input of inputs) {
        const [positive, negative] = (wishes[input.name]?.keys ?? []).map((key) => `Key${String(key).toUpperCase()}`);
        const isFree = (code: string | undefined) => code !== undefined && /^Key[A-Z]$/.test(code) && !used.has(code) && !(code in ACTIONS);
        if (isFree(positive) && isFree(negative)) {
            bind(input.name, [positive!, negative!]);
        }
    }
    for (const input of inputs) {
        const known = KNOWN[input.name];
        if (known && !used.has(known[0]) && !pairs.some((pair) => pair.input === input.name)) {
            bind(input.name, known);
        }
    }
    for (const input of inputs) {
        const free = POOL.find(([positive, negative]) => !used.has(positive) && !used.has(negative));
        if (free && !pairs.some((pair) => pair.input === input.name)) {
            bind(input.name, free);
        }
    }
    return pairs;
}

export type Action =
    | "play"
    | "rewind"
    | "slower"
    | "faster"
    | "step"
    | "take"
    | "restart"
    | "arrows"
    | "home"
    | "camera"
    | "camera-orbit"
    | "camera-seat"
    | "camera-chase"
    | "camera-top"
    | "ghost"
    | "trails"
    | "sound"
    | "sound-switch"
    | "peaks"
    | "peaks-reset"
    | "headset"
    | "weather"
    | "hand"
    | "body"
    | "inside"
    | "print"
    | "map"
    | "gallery"
    | "share"
    | "plots"
    | "modes"
    | "parameters"
    | "controls"
    | "help"
    | "language"
    | "picture"
    | "escape";

const ACTIONS: Record<string, Action> = {
    ArrowRight: "play",
    ArrowLeft: "rewind",
    ArrowDown: "slower",
    ArrowUp: "faster",
    Period: "step",
    Enter: "take",
    KeyA: "arrows",
    Space: "home",
    KeyC: "camera",
    Digit1: "camera-orbit",
    Digit2: "camera-seat",
    Digit3: "camera-chase",
    Digit4: "camera-top",
    Digit5: "inside",
    Digit6: "print",
    Digit7: "map",
    Digit8: "gallery",
    Digit9: "share",
    Digit0: "hand",
    KeyG: "ghost",
    KeyT: "trails",
    KeyY: "sound-switch",
    KeyZ: "peaks",
    KeyP: "plots",
    KeyX: "modes",
    KeyM: "parameters",
    KeyV: "controls",
    KeyH: "help",
    F1: "help",
    Escape: "escape",
};

export function actionOf(code: string, isShift: boolean): Action | null {
    if (isShift && code === "KeyR") {
        return "restart";
    }
    if (isShift && code === "KeyZ") {
        return "peaks-reset";
    }
    if (isShift && code === "Digit7") {
        return "weather";
    }
    if (isShift && code === "KeyY") {
        return "sound";
    }
    if (isShift && code === "Digit2") {
        return "headset";
    }
    if (isShift && code === "Digit0") {
        return "body";
    }
    return ACTIONS[code] ?? null;
}

export function keyLabel(code: string): string {
    return code.replace(/^Key|^Digit/, "");
}

/** how fast a key moves its input, per second: towards the end, and back to the middle when released */
const RATES: Record<string, [number, number]> = {
    steer: [1.6, 2.4],
    drive: [2.5, 4],
    throttle: [2.5, 4],
};
const OTHER_RATE: [number, number] = [6, 10];
/** a pressed key gives this at once, so that the machine answers in the next step */
const FIRST = 0.15;

/** Keys are on or off; the machine wants something in between. One ramp per input. */
export class KeyRamp {
    private value = 0;

    constructor(private input: string) {}

    /** wanted is -1, 0 or 1 (or half of it for precise driving) */
    advance(wanted: number, seconds: number): number {
        const [rise, fall] = RATES[this.input] ?? OTHER_RATE;
        if (wanted === 0) {
            const step = fall * seconds;
            this.value = Math.abs(this.value) <= step ? 0 : this.value - Math.sign(this.value) * step;
            return this.value;
        }
        // turning round starts from the middle rather than from the far end
        if (this.value * wanted < 0) {
            this.value = 0;
        }
        if (Math.abs(this.value) < FIRST) {
            this.value = Math.sign(wanted) * Math.min(FIRST, Math.abs(wanted));
        }
        const step = rise * seconds;
        const gap = wanted - this.value;
        this.value = Math.abs(gap) <= step ? wanted : this.value + Math.sign(gap) * step;
        return this.value;
    }
}

/** An input that stays where its keys leave it, such as the strength of an assistant. */
export class KeySetting {
    private value = 0;

    /** how far the input can go from its initial value: a key pressed beyond the end is not remembered */
    constructor(
        private lowest: number,
        private highest: number,
    ) {}

    advance(wanted: number, seconds: number): number {
        this.value = Math.min(this.highest, Math.max(this.lowest, this.value + wanted * seconds));
        return this.value;
    }
}

export function makeKeyControl(input: DriverInput, stays = false): KeyRamp | KeySetting {
    if (!stays) {
        return new KeyRamp(input.name);
    }
    const above = (input.max ?? 1) > input.initial ? 1 : 0;
    const below = (input.min ?? -1) < input.initial ? 1 : 0;
    return (input.sign ?? 1) < 0 ? new KeySetting(-above, below) : new KeySetting(-below, above);
}

/** -1..1 of a control to the unit of the model's input, round its initial value. */
export function scaleInput(input: DriverInput, value: number): number {
    const low = input.min ?? Math.min(-1, input.initial);
    const high = input.max ?? Math.max(1, input.initial);
    const u = value * (input.sign ?? 1);
    const scaled = input.initial + (u > 0 ? (high - input.initial) * u : (input.initial - low) * u);
    return Math.min(high, Math.max(low, scaled));
}
