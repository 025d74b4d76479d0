// SPDX-License-Identifier: MIT
// An exercise as the editor holds it and as the file says it: what stands where, and the YAML that a text editor reads too. Pure.

export type MarkKind = "gate" | "line" | "zone" | "arrow" | "cone";
export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

export interface Mark {
    kind: MarkKind;
    at: number[];
    size: number[];
    angle: number; // rad
}

export interface Goal {
    text: string;
    mark: Mark | null;
    /** what its file says beside text and mark; `when` of goals that are not the editor's stays as it is */
    rest: { [name: string]: Value };
    isForeign: boolean;
}

export interface Scenario {
    name: string;
    title: string;
    text: string;
    set: { [name: string]: Value };
    goals: Goal[];
    faults: { [name: string]: number };
    time: number;
    /** keys that the editor does not know: they go back into the file */
    rest: { [name: string]: Value };
}

/** sizes with which marks begin, m */
export const SIZES: Record<Exclude<MarkKind, "cone">, [number, number]> = { gate: [3, 3], zone: [3, 3], line: [4, 0.3], arrow: [0.8, 3] };
const REACH = 1.5; // m: an arrow of a route is passed that near

const round = (x: number, digits = 3): number => Number(x.toFixed(digits)) + 0;

/** what must hold for a mark to be reached: the middle of the rear axle comes through a gate, over a line or past an arrow, and stands in a zone */
export function conditions(mark: Mark): string[] {
    const [x, y] = [round(mark.at[0]!, 2), round(mark.at[1]!, 2)];
    const [c, s] = [round(Math.cos(mark.angle), 4), round(Math.sin(mark.angle), 4)];
    const across = `abs((truck.x - (${x}))*(${c}) + (truck.y - (${y}))*(${s}))`;
    const along = `abs((truck.y - (${y}))*(${c}) - (truck.x - (${x}))*(${s}))`;
    const half = (length: number) => round(0.5 * length, 3);
    const [width, depth] = [mark.size[0] ?? 3, mark.size[1] ?? 3];
    switch (mark.kind) {
        case "gate":
            return [`${across} < ${half(width)}`, `${along} < 0.6`];
        case "line":
            return [`${across} < ${half(width)}`, `${along} < 0.6`];
        case "zone":
            return [`${across} < ${half(width)}`, `${along} < ${half(depth)}`, "abs(speed) < 0.05"];
        case "arrow":
        case "cone":
            return [`hypot(truck.x - (${x}), truck.y - (${y})) < ${REACH}`];
    }
}

export function goalOf(kind: Exclude<MarkKind, "cone">, x: number, y: number, text: string): Goal {
    return { text, mark: { kind, at: [x, y, 0], size: [...SIZES[kind]], angle: kind === "gate" || kind === "line" ? Math.PI / 2 : 0 }, rest: kind === "zone" ? { hold: 1 } : {}, isForeign: false };
}

// ---- from the file ---------------------------------------------------------------------------------------------------

const isMap = (value: Value | undefined): value is { [name: string]: Value } => typeof value === "object" && value !== null && !Array.isArray(value);
const numbers = (value: Value | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

function readGoal(from: Value): Goal {
    const { text = "", mark, when, ...rest } = isMap(from) ? from : {};
    const read: Mark | null = isMap(mark) ? { kind: String(mark.kind) as MarkKind, at: numbers(mark.at), size: numbers(mark.size), angle: Number(mark.angle ?? 0) } : null;
    const own = read ? conditions(read) : [];
    const given = Array.isArray(when) ? when.map(String) : when === undefined ? [] : [String(when)];
    const isForeign = given.length !== own.length || given.some((one, k) => one !== own[k]);
    return { text: String(text), mark: read, rest: isForeign && when !== undefined ? { when, ...rest } : rest, isForeign };
}

export function readScenario(name: string, file: { [name: string]: Value }): Scenario {
    const { exercise: _version, title = name, text = "", set, goals, faults, time, ...rest } = file;
    const weights = isMap(faults) ? Object.entries(faults).map(([key, cost]) => [key, Number(cost)]) : Array.isArray(faults) ? faults.map((key) => [String(key), 10]) : [];
    return {
        name,
        title: String(title),
        text: String(text),
        set: isMap(set) ? set : {},
        goals: Array.isArray(goals) ? goals.map(readGoal) : [],
        faults: Object.fromEntries(weights),
        time: Number(time ?? 180),
        rest,
    };
}

// ---- to the file -------------------------------------------------------------------------------------------------------

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const WORDS = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

function written(value: Value): string {
    if (Array.isArray(value)) {
        return `[${value.map(written).join(", ")}]`;
    }
    if (isMap(value)) {
        return `{${Object.entries(value).map(([key, one]) => `${PLAIN.test(key) ? key : JSON.stringify(key)}: ${written(one)}`).join(", ")}}`;
    }
    if (typeof value === "string") {
        return PLAIN.test(value) && !WORDS.has(value.toLowerCase()) ? value : JSON.stringify(value);
    }
    return typeof value === "number" ? String(round(value, 4)) : String(value);
}

export function writeScenario(scenario: Scenario): string {
    const { run = "yard", clock = "input", ...others } = scenario.rest;
    const lines = ["# SPDX-License-Identifier: MIT", "exercise: 1", `title: ${JSON.stringify(scenario.title)}`];
    if (scenario.text !== "") {
        lines.push(`text: ${JSON.stringify(scenario.text)}`);
    }
    lines.push(`run: ${written(run)}`, `set: ${written(scenario.set)}`, `clock: ${written(clock)}`, `time: ${written(scenario.time)}`);
    lines.push(...Object.entries(others).map(([key, value]) => `${key}: ${written(value)}`), "goals:");
    for (const { text, mark, rest, isForeign } of scenario.goals) {
        const goal: { [name: string]: Value } = { text };
        if (mark && !isForeign) {
            goal.when = conditions(mark);
        }
        Object.assign(goal, rest);
        if (mark) {
            goal.mark = { kind: mark.kind, at: mark.at, size: mark.size, ...(mark.angle !== 0 ? { angle: mark.angle } : {}) };
        }
        lines.push(`  - ${written(goal)}`);
    }
    lines.push(`faults: ${written(scenario.faults)}`);
    return `${lines.join("\n")}\n`;
}

// ---- what is wrong with it -----------------------------------------------------------------------------------------------

/** something that stands there: a rectangle */
export interface Thing {
    id: string;
    label: string;
    x: number;
    y: number;
    angle: number;
    length: number;
    width: number;
}

/** whether two rectangles lie in each other (axes that part them) */
export function overlap(a: Thing, b: Thing): boolean {
    const axes = [a.angle, a.angle + Math.PI / 2, b.angle, b.angle + Math.PI / 2];
    const half = (thing: Thing, angle: number) => 0.5 * (Math.abs(Math.cos(thing.angle - angle)) * thing.length + Math.abs(Math.sin(thing.angle - angle)) * thing.width);
    return axes.every((angle) => Math.abs((b.x - a.x) * Math.cos(angle) + (b.y - a.y) * Math.sin(angle)) < half(a, angle) + half(b, angle) - 1e-6);
}

export type Mistake = { kind: "overlap"; one: string; other: string } | { kind: "no_name" | "no_title" | "no_goal" } | { kind: "goal_text"; one: string };

/** what has to be mended before it can be driven; things that move against each other and against what stands */
export function mistakes(scenario: Scenario, moved: readonly Thing[], standing: readonly Thing[]): Mistake[] {
    const found: Mistake[] = [];
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(scenario.name)) {
        found.push({ kind: "no_name" });
    }
    if (scenario.title.trim() === "") {
        found.push({ kind: "no_title" });
    }
    if (scenario.goals.length === 0) {
        found.push({ kind: "no_goal" });
    }
    scenario.goals.forEach((goal, k) => goal.text.trim() === "" && found.push({ kind: "goal_text", one: String(k + 1) }));
    moved.forEach((one, k) => [...moved.slice(k + 1), ...standing].forEach((other) => overlap(one, other) && found.push({ kind: "overlap", one: one.label, other: other.label })));
    return found;
}
