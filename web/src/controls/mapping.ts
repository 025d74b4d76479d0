// SPDX-License-Identifier: MIT
// From what a device reports to the inputs of the machine, as a mapping file says: calibration, dead zone, curve,
// pairs of buttons. Pure functions; the file format is described in web/mappings/README.md.

export interface AxisRule {
    /** names of inputs, "steer|wheel": the first that the machine has; *: one that no other rule moves */
    input: string;
    /** names of inputs: a machine that has one of them does without this rule */
    unless?: string;
    axis: number;
    /** raw values at [low, centre, high] of a stick or wheel, or at [released, pressed] of a pedal */
    range?: number[];
    /** part of the travel round the centre (or the released end) that counts as nothing, 0..0.9 */
    dead?: number;
    /** exponent: 1 is straight, 2 is gentle near the centre */
    curve?: number;
    /** factor on the result, -1 turns it round */
    gain?: number;
}

export interface ButtonRule {
    /** a pair drives an input: positive gives +1, negative gives -1 */
    input?: string;
    unless?: string;
    positive?: number;
    negative?: number;
    gain?: number;
    /** or a single button calls an action of the page */
    action?: string;
    button?: number;
}

export interface Mapping {
    name: string;
    /** parts of the device's name, lower case; empty: any device with the standard layout */
    match: string[];
    axes: AxisRule[];
    buttons: ButtonRule[];
}

export interface DeviceState {
    axes: readonly number[];
    buttons: readonly number[]; // 0..1
}

const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

/** Raw value to -1..1 (three numbers of calibration) or 0..1 (two numbers, a pedal). */
export function calibrate(raw: number, range: readonly number[] = [-1, 0, 1]): number {
    if (range.length === 2) {
        const [released, pressed] = range as [number, number];
        return pressed === released ? 0 : clamp((raw - released) / (pressed - released), 0, 1);
    }
    const [low, centre, high] = range as [number, number, number];
    // low may lie above high: then the device counts the other way round
    const side = (raw - centre) * (high - low) >= 0 ? high : low;
    if (side === centre) {
        return 0;
    }
    const part = clamp((raw - centre) / (side - centre), 0, 1);
    return side === high ? part : -part;
}

/** Nothing within the dead zone, then continuously up to 1 at the end of the travel. */
export function deadZone(value: number, dead: number): number {
    const size = Math.abs(value);
    return size <= dead ? 0 : (Math.sign(value) * (size - dead)) / (1 - dead);
}

export function curve(value: number, exponent: number): number {
    return Math.sign(value) * Math.pow(Math.abs(value), exponent);
}

export function axisValue(rule: AxisRule, raw: number): number {
    if (!Number.isFinite(raw)) {
        return 0;
    }
    const shaped = curve(deadZone(calibrate(raw, rule.range), rule.dead ?? 0), rule.curve ?? 1);
    return clamp(shaped * (rule.gain ?? 1), -1, 1);
}

/** What a pair of buttons says: both together cancel. */
export function pairValue(rule: ButtonRule, buttons: readonly number[]): number {
    const up = rule.positive === undefined ? 0 : (buttons[rule.positive] ?? 0);
    const down = rule.negative === undefined ? 0 : (buttons[rule.negative] ?? 0);
    return clamp((up - down) * (rule.gain ?? 1), -1, 1);
}

/**
 * Browsers report 0 for an axis that has not moved yet, which for a pedal means half pressed. An axis with a pedal's
 * calibration therefore counts only after it was seen away from its first value.
 */
export class PedalGuard {
    private first: (number | undefined)[] = [];
    private moved: boolean[] = [];

    isAwake(axis: number, raw: number): boolean {
        if (this.first[axis] === undefined) {
            this.first[axis] = raw;
        }
        if (Math.abs(raw - this.first[axis]!) > 0.02) {
            this.moved[axis] = true;
        }
        return this.moved[axis] === true;
    }
}

/** the input of that name, also with a prefix as of an included part: truck_steer is a steer */
function findNamed(name: string, inputs: readonly string[]): string | undefined {
    return inputs.find((input) => input === name || input.endsWith(`_${name}`));
}

function findWish(wish: string, inputs: readonly string[]): string | undefined {
    for (const name of wish.split("|")) {
        const found = findNamed(name, inputs);
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

/** The mapping for a machine with these inputs: every rule names the one that it moves, rules without one are left out. */
export function fitMapping(mapping: Mapping, inputs: readonly string[]): Mapping {
    const moved = new Map<AxisRule | ButtonRule, string>();
    const rules = [...mapping.axes, ...mapping.buttons].filter((rule) => rule.input !== undefined && !(rule.unless && findWish(rule.unless, inputs)));
    for (const rule of rules) {
        const found = findWish(rule.input!, inputs);
        if (found !== undefined) {
            moved.set(rule, found);
        }
    }
    // what names leave over
    for (const rule of rules) {
        if (!moved.has(rule) && rule.input!.split("|").includes("*")) {
            const taken = new Set(moved.values());
            const free = inputs.find((input) => !taken.has(input));
            if (free !== undefined) {
                moved.set(rule, free);
            }
        }
    }
    const fit = <R extends AxisRule | ButtonRule>(list: R[]) => list.flatMap((rule) => (rule.input === undefined ? [rule] : moved.has(rule) ? [{ ...rule, input: moved.get(rule)! }] : []));
    return { ...mapping, axes: fit(mapping.axes), buttons: fit(mapping.buttons) };
}

/** All inputs that the mapping drives, each in -1..1; several rules for one input add up. */
export function mapDevice(mapping: Mapping, state: DeviceState, guard?: PedalGuard): Record<string, number> {
    const result: Record<string, number> = {};
    const add = (input: string, value: number) => {
        result[input] = clamp((result[input] ?? 0) + value, -1, 1);
    };
    for (const rule of mapping.axes) {
        const raw = state.axes[rule.axis];
        if (raw === undefined) {
            continue;
        }
        const isAwake = rule.range?.length !== 2 || !guard || guard.isAwake(rule.axis, raw);
        add(rule.input, isAwake ? axisValue(rule, raw) : 0);
    }
    for (const rule of mapping.buttons) {
        if (rule.input) {
            add(rule.input, pairValue(rule, state.buttons));
        }
    }
    return result;
}

/** Actions whose button went down between two states. */
export function pressedActions(mapping: Mapping, before: DeviceState | null, now: DeviceState): string[] {
    const isDown = (state: DeviceState | null, button: number) => (state?.buttons[button] ?? 0) > 0.5;
    return mapping.buttons
        .filter((rule) => rule.action && rule.button !== undefined)
        .filter((rule) => isDown(now, rule.button!) && !isDown(before, rule.button!))
        .map((rule) => rule.action!);
}

/** The mapping whose `match` fits the device's name best; the one without `match` when none does. */
export function chooseMapping(mappings: readonly Mapping[], id: string): Mapping | null {
    const name = id.toLowerCase();
    let best: Mapping | null = null;
    let score = -1;
    for (const mapping of mappings) {
        const fit = mapping.match.length === 0 ? 0 : Math.max(...mapping.match.map((part) => (name.includes(part) ? part.length : -1)));
        if (fit > score) {
            best = mapping;
            score = fit;
        }
    }
    return best;
}

/** Reads a mapping file; throws an Error that says what is wrong and where. */
export function readMapping(text: string): Mapping {
    let data: unknown;
    try {
        data = JSON.parse(text);
    } catch (error) {
        throw new Error(`not JSON: ${(error as Error).message}`);
    }
    if (typeof data !== "object" || data === null || Array.isArray(data)) {
        throw new Error("a mapping file is one object: {name, match, axes, buttons}");
    }
    const mapping = data as Mapping;
    if (typeof mapping.name !== "string" || mapping.name === "") {
        throw new Error("name: a text is needed");
    }
    mapping.match ??= [];
    mapping.axes ??= [];
    mapping.buttons ??= [];
    for (const key of ["match", "axes", "buttons"] as const) {
        if (!Array.isArray(mapping[key])) {
            throw new Error(`${key}: a list is needed`);
        }
    }
    mapping.match = mapping.match.map((part) => String(part).toLowerCase());
    mapping.axes.forEach(checkAxis);
    mapping.buttons.forEach(checkButton);
    return mapping;
}

function checkAxis(rule: AxisRule, i: number): void {
    const where = `axes[${i}]`;
    if (typeof rule.input !== "string" || !Number.isInteger(rule.axis) || rule.axis < 0) {
        throw new Error(`${where}: needs input (a name) and axis (0, 1, ...)`);
    }
    const range = rule.range ?? [-1, 0, 1];
    if (!Array.isArray(range) || (range.length !== 2 && range.length !== 3) || !range.every(Number.isFinite)) {
        throw new Error(`${where}.range: [low, centre, high], or [released, pressed] for a pedal`);
    }
    const dead = rule.dead ?? 0;
    if (!(dead >= 0 && dead <= 0.9)) {
        throw new Error(`${where}.dead: between 0 and 0.9`);
    }
    const exponent = rule.curve ?? 1;
    if (!(exponent >= 0.2 && exponent <= 5)) {
        throw new Error(`${where}.curve: between 0.2 and 5`);
    }
}

function checkButton(rule: ButtonRule, i: number): void {
    const isPair = typeof rule.input === "string" && (Number.isInteger(rule.positive) || Number.isInteger(rule.negative));
    const isAction = typeof rule.action === "string" && Number.isInteger(rule.button);
    if (!isPair && !isAction) {
        throw new Error(`buttons[${i}]: needs input with positive and negative, or action with button`);
    }
}
