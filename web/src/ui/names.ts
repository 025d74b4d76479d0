// SPDX-License-Identifier: MIT
// Texts that come from the model: its Spanish, where it has one, and names of channels as a person says them.

import type { Channel, SceneMessage } from "../protocol.ts";
import { localNumber } from "./dom.ts";
import { assumedUnit, displayUnit, standardUnit } from "./hudlogic.ts";
import { PARTS } from "./parts.ts";
import { language, nameText, text, type Word } from "./language.ts";

let spanish: Record<string, string> = {};
let labels: Record<string, string> = {};
let kinds: Record<string, Word> = {};
let units: Record<string, string> = {};
let items: Record<string, { kind?: string; unit?: string }> = {};
const KIND_WORDS: Record<string, Word> = { speed: "speed", height: "height", angle: "angle", margin: "margin", gear: "gear" };

/** what the model says of its texts; before anything of it is shown */
export function setNames(scene: SceneMessage): void {
    spanish = typeof scene.spanish === "object" && scene.spanish !== null ? scene.spanish : {};
    labels = Object.fromEntries((scene.hud ?? []).flatMap((item) => (item.channel && item.label ? [[item.channel, item.label]] : [])));
    kinds = Object.fromEntries((scene.hud ?? []).flatMap((item) => (item.channel && item.kind && KIND_WORDS[item.kind] ? [[item.channel, KIND_WORDS[item.kind]!]] : [])));
    units = Object.fromEntries((scene.channels ?? []).map((channel) => [channel.name, channel.unit]));
    items = Object.fromEntries((scene.hud ?? []).flatMap((item) => [item.channel, ...(item.channels ?? [])].flatMap((name) => (name ? [[name, item]] : []))));
}

/** The unit in which a channel is shown: that of the display, where it is shown there; angles are in degrees. */
export function shownUnit(channel: Channel): { factor: number; sign: string } {
    const item = Object.hasOwn(items, channel.name) ? items[channel.name] : undefined;
    const unit = assumedUnit(item?.kind, channel.unit);
    const shown = displayUnit(unit, item?.unit ?? standardUnit(item?.kind, unit) ?? (unit === "rad" ? "deg" : undefined));
    return { factor: shown.factor, sign: unitText(shown.sign) };
}

/** a number of a channel, as the display has it: 40° for 0.698 rad, 0.1 % for 0.001 of a margin */
export function shownValue(name: string, value: number): string {
    const { factor, sign } = shownUnit({ name, unit: Object.hasOwn(units, name) ? units[name]! : "" });
    return `${localNumber(String(Number((value * factor).toPrecision(4))))}${sign === "" || sign === "°" ? sign : ` ${sign}`}`;
}

/** a text of the model or of its exercises in the language of the page */
export function said(words: string | null | undefined): string {
    return words ? (language() === "es" && Object.hasOwn(spanish, words) ? spanish[words]! : words) : "";
}

/** a name as a title */
export function capital(name: string): string {
    return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** what is left of a name when it is read: its words, where we know them; symbols stay */
export function plain(name: string): string {
    if (said(name) !== name) {
        return said(name);
    }
    const words = name.replace(/->/g, " → ").split(/[._ -]/);
    return words.map((word) => (Object.hasOwn(PARTS, word) ? PARTS[word]![language() === "es" ? 1 : 0] : said(word))).join(" ");
}

/** what the page or the model calls an input */
export function inputLabel(name: string): string {
    return said(name) !== name ? said(name) : nameText(name) !== name ? nameText(name) : plain(name);
}

const ENDINGS: Record<string, Word> = {
    x: "ending_x",
    y: "ending_y",
    z: "ending_z",
    vx: "ending_vx",
    vy: "ending_vy",
    vz: "ending_vz",
    ax: "ending_ax",
    ay: "ending_ay",
    az: "ending_az",
    wx: "ending_wx",
    wy: "ending_wy",
    wz: "ending_wz",
    fx: "ending_fx",
    fy: "ending_fy",
    fz: "ending_fz",
    mx: "ending_mx",
    my: "ending_my",
    mz: "ending_mz",
    angle: "ending_angle",
    rate: "ending_rate",
    length: "ending_length",
    force: "ending_force",
    power: "ending_power",
    energy: "ending_energy",
    depth: "ending_depth",
    normal: "ending_normal",
    slip_x: "ending_slip_x",
    slip_y: "ending_slip_y",
    q: "ending_q",
    v: "ending_v",
    a: "ending_a",
    e: "ending_e",
    f: "ending_f",
};

/** `wheel_fl.fz` as "wheel fl: force z"; what the display calls it, where it is shown there */
export function channelLabel(name: string): string {
    if (Object.hasOwn(labels, name)) {
        return said(labels[name]);
    }
    if (said(name) !== name) {
        return said(name);
    }
    if (Object.hasOwn(kinds, name)) {
        return text(kinds[name]!);
    }
    const dot = name.lastIndexOf(".");
    const ending = name.slice(dot + 1);
    const word = Object.hasOwn(ENDINGS, ending) ? text(ENDINGS[ending]!) : plain(ending);
    return dot < 0 ? plain(name) : `${plain(name.slice(0, dot))}: ${word}`;
}

const UNITS: Record<string, string> = { "m/s2": "m/s²", "rad/s2": "rad/s²", "N m": "N·m", "N*m": "N·m", "kg m2": "kg·m²", "1": "" };

export function unitText(unit: string): string {
    return UNITS[unit] ?? unit;
}
