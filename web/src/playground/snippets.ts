// SPDX-License-Identifier: MIT
// Lines that a press of a button adds to the text: bodies, joints, forces, where they belong, with names that are free. Pure.

import { child, readTree, type Node } from "./tree.ts";

export interface Change {
    from: number;
    to: number;
    insert: string;
    /** what is selected afterwards */
    select: { from: number; to: number };
}

export type Snippet = "rod" | "ball" | "box" | "joint" | "slider" | "spring" | "damper" | "motor" | "ground" | "output" | "parameter" | "run";

export const emptyModel = (language: "en" | "es"): string => `biela: 1
name: ${language === "es" ? "Mi modelo" : "My model"}
gravity: [0, 0, -9.81]
`;

export const GUIDE_PENDULUM = `biela: 1
name: My pendulum
parameters:
  L: 1 m
  m: 2 kg
  theta0: 30 deg
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: m, com: [L/2, 0, 0], inertia: {rod: [L, 0, 0]}, turn: [{z: theta0 - pi/2}]}
joints:
  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}
outputs:
  swing: {joint: pivot}
  tip: {point: {body: rod, at: [L, 0, 0]}}
  bearing: {reaction: pivot}
run: {time: 5, dt: 1e-3, every: 0.01}
`;

/** the order of sections in a file, so that a new one finds its place */
const ORDER = ["biela", "name", "description", "parameters", "gravity", "inputs", "bodies", "points", "tables", "signals", "shapes", "joints", "forces", "constraints", "actions", "outputs", "run", "runs"];
const HEIGHT = 2; // m, of the first body above the floor
const ROD = 1; // m

const names = (root: Node, section: string): string[] => child(root, section)?.children.filter((one) => one.colon >= 0).map((one) => one.key) ?? [];

function free(taken: string[], name: string): string {
    let k = 1;
    while (taken.includes(`${name}${k}`)) {
        k++;
    }
    return `${name}${k}`;
}

/** three plain numbers of a key; null: expressions, or nothing */
function numbers(node: Node | undefined, key: string): number[] | null {
    const values = child(node, key)?.children.map((one) => (one.text.trim() === "" ? NaN : Number(one.text))) ?? [];
    return values.length === 3 && values.every(Number.isFinite) ? values : null;
}

const show = (values: number[]): string => `[${values.map((value) => String(Math.round(value * 1e6) / 1e6)).join(", ")}]`;

/** the end of a body: that of its rod, or its own place */
function endOf(body: Node | undefined): number[] {
    const at = numbers(body, "at") ?? [0, 0, 0];
    const rod = numbers(child(body, "inertia"), "rod");
    return rod ? at.map((value, k) => value + rod[k]!) : at;
}

/** the line of a section's new entry, and where it goes */
function put(text: string, root: Node, section: string, name: string, value: string): Change {
    const found = child(root, section);
    const line = `  ${name}: ${value}\n`;
    const select = (from: number) => ({ from, to: from + name.length });
    if (found && found.isFlow) {
        // {a: 1} becomes {a: 1, name: value}
        const at = found.isClosed ? found.to - 1 : found.to;
        const before = found.children.length > 0 ? ", " : "";
        return { from: at, to: at, insert: `${before}${name}: ${value}`, select: select(at + before.length) };
    }
    const lineEnd = (at: number) => {
        const end = text.indexOf("\n", at);
        return end < 0 ? text.length : end + 1;
    };
    if (found) {
        const last = deepest(found);
        const at = lineEnd(Math.max(found.colon, last.to > 0 && text[last.to - 1] === "\n" ? last.to - 1 : last.to));
        const indent = found.children.find((one) => one.indent > 0)?.indent ?? 2;
        const own = `${" ".repeat(indent)}${name}: ${value}\n`;
        const lead = at > 0 && text[at - 1] !== "\n" ? "\n" : "";
        return { from: at, to: at, insert: lead + own, select: select(at + lead.length + indent) };
    }
    const later = root.children.find((one) => ORDER.indexOf(one.key) > ORDER.indexOf(section));
    const at = later ? text.lastIndexOf("\n", later.keyFrom) + 1 : text.length;
    const lead = at > 0 && text[at - 1] !== "\n" ? "\n" : "";
    const head = `${lead}${section}:\n`;
    return { from: at, to: at, insert: head + line, select: select(at + head.length + 2) };
}

function deepest(node: Node): Node {
    const last = node.isFlow ? undefined : node.children.at(-1);
    return last ? deepest(last) : node;
}

function rodLine(root: Node): { name: string; value: string } {
    const bodies = child(root, "bodies")?.children ?? [];
    const last = bodies.at(-1);
    const at = last ? endOf(last) : [0, 0, HEIGHT];
    return { name: free(names(root, "bodies"), "rod"), value: `{mass: 1, com: [${ROD / 2}, 0, 0], inertia: {rod: [${ROD}, 0, 0]}, at: ${show(at)}}` };
}

/** the last body, and the one that it hangs on: the body before, else the ground */
function lastTwo(root: Node): { parent: string; body: string; at: number[] } {
    const bodies = child(root, "bodies")?.children ?? [];
    const last = bodies.at(-1);
    return { parent: bodies.at(-2)?.key ?? "ground", body: last?.key ?? "rod1", at: numbers(last, "at") ?? [0, 0, HEIGHT] };
}

function jointLine(root: Node, type: string, more: string): { name: string; value: string } {
    // a body that no joint holds yet comes first
    const held = new Set((child(root, "joints")?.children ?? []).map((joint) => child(joint, "bodies")?.children.at(-1)?.text));
    const bodies = child(root, "bodies")?.children ?? [];
    const k = bodies.findIndex((body) => !held.has(body.key));
    const place = k >= 0 ? { parent: bodies[k - 1]?.key ?? "ground", body: bodies[k]!.key, at: numbers(bodies[k], "at") ?? [0, 0, 0] } : lastTwo(root);
    return { name: free(names(root, "joints"), type === "revolute" ? "hinge" : "slider"), value: `{type: ${type}, bodies: [${place.parent}, ${place.body}], at: ${show(place.at)}, axis: ${more}}` };
}

type Line = { section: string; name: string; value: string };

function lineOf(root: Node, what: Snippet): Line {
    const joint = names(root, "joints").at(-1) ?? "hinge1";
    const { body } = lastTwo(root);
    const last = child(root, "bodies")?.children.at(-1);
    const force = (name: string) => free(names(root, "forces"), name);
    const end = endOf(last);
    switch (what) {
        case "rod":
            return { section: "bodies", ...rodLine(root) };
        case "ball":
            return { section: "bodies", name: free(names(root, "bodies"), "ball"), value: `{mass: 1, inertia: {sphere: 0.1}, at: ${show(last ? end : [0, 0, HEIGHT])}}` };
        case "box":
            return { section: "bodies", name: free(names(root, "bodies"), "box"), value: `{mass: 1, inertia: {box: [0.4, 0.2, 0.2]}, at: ${show(last ? end : [0, 0, HEIGHT])}}` };
        case "joint":
            return { section: "joints", ...jointLine(root, "revolute", "[0, 1, 0]") };
        case "slider":
            return { section: "joints", ...jointLine(root, "prismatic", "[1, 0, 0]") };
        case "spring":
            return { section: "forces", name: force("spring"), value: `{type: spring, a: {body: ground, at: ${show([end[0]!, end[1]!, end[2]! + 1])}}, b: {body: ${body}, at: ${show(numbers(child(last, "inertia"), "rod") ?? [0, 0, 0])}}, stiffness: 50 N/m, rest: 0.8 m}` };
        case "damper":
            return { section: "forces", name: force("damper"), value: `{type: torque, joint: ${joint}, torque: -0.3*${joint}.rate}` };
        case "motor":
            return { section: "forces", name: force("motor"), value: `{type: torque, joint: ${joint}, torque: 5*sin(2*pi*t)}` };
        case "ground":
            return { section: "shapes", name: free(names(root, "shapes"), "floor"), value: "{type: box, size: [6, 6, 0.1], at: [0, 0, -0.05], colour: '#8a949e'}" };
        case "output":
            return { section: "outputs", name: free(names(root, "outputs"), "tip"), value: `{point: {body: ${body}, at: ${show(numbers(child(last, "inertia"), "rod") ?? [0, 0, 0])}}}` };
        case "parameter":
            return { section: "parameters", name: free(names(root, "parameters"), "p"), value: "1 m" };
        case "run":
            return { section: "run", name: "time", value: "10" };
    }
}

export function snippetChange(text: string, what: Snippet): Change {
    const root = readTree(text);
    if (what === "run") {
        const found = child(root, "run");
        if (found) {
            return { from: found.keyFrom, to: found.keyFrom, insert: "", select: { from: found.keyFrom, to: found.keyTo } };
        }
        const lead = text.length > 0 && !text.endsWith("\n") ? "\n" : "";
        const insert = `${lead}run: {time: 10, dt: 1e-3, every: 0.01}\n`;
        return { from: text.length, to: text.length, insert, select: { from: text.length + lead.length, to: text.length + lead.length + 3 } };
    }
    const line = lineOf(root, what);
    return put(text, root, line.section, line.name, line.value);
}

/** what is to be plotted of a joint that comes next; null: of other pieces nothing */
export function outputChange(text: string, what: Snippet): Change | null {
    if (what !== "joint" && what !== "slider") {
        return null;
    }
    const root = readTree(text);
    const { name } = lineOf(root, what);
    return names(root, "outputs").includes(name) ? null : put(text, root, "outputs", name, `{joint: ${name}}`);
}

export interface Progress {
    isEmpty: boolean;
    rods: number;
    pivots: number; // joints to the ground
    elbows: number; // joints between bodies
}

/** how far somebody has come on the way to a double pendulum */
export function progressOf(text: string): Progress {
    const root = readTree(text);
    const joints = child(root, "joints")?.children ?? [];
    const isPivot = (joint: Node) => child(joint, "bodies")?.children.some((one) => one.text === "ground") ?? false;
    const bodies = child(root, "bodies")?.children.length ?? 0;
    return { isEmpty: child(root, "biela") !== undefined && bodies <= 2, rods: bodies, pivots: joints.filter(isPivot).length, elbows: joints.filter((joint) => !isPivot(joint)).length };
}

/** the text with another value of a parameter; null: it has no such parameter, or its value is not a plain number */
export function withParameter(text: string, name: string, value: string): string | null {
    const entry = child(child(readTree(text), "parameters"), name);
    const place = entry?.kind === "map" ? child(entry, "value") : entry;
    const match = place?.kind === "text" ? /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?=$| )/i.exec(place.text) : null;
    return match ? text.slice(0, place!.from) + value + text.slice(place!.from + match[0].length) : null;
}
