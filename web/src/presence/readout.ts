// SPDX-License-Identifier: MIT
// A small screen in the cab with the first readings of the display as digits: what a headset cannot see on the page. Below a limit, or above
// one, a reading is red.

import * as THREE from "three";
import { hudItems, type Frame, type HudItem, type SceneMessage } from "../protocol.ts";
import { assumedUnit, displayUnit, standardUnit } from "../ui/hudlogic.ts";
import { showNumber } from "../ui/dom.ts";
import { text, type Word } from "../ui/language.ts";
import { said, unitText } from "../ui/names.ts";

const SIZE = { width: 384, height: 96 };
const MOST = 4;
const PAUSE = 0.12; // s of the machine between two changes
const WORDS: Partial<Record<string, Word>> = { speed: "speed", height: "height", angle: "angle", margin: "margin", gear: "gear" };

interface Reading {
    item: HudItem;
    index: number;
    factor: number;
    unit: string;
}

/** "R", "N", "3" */
export function gearText(value: number): string {
    const gear = Math.round(value);
    return gear === 0 ? "N" : gear < 0 ? "R" : String(gear);
}

/** beyond what the display warns of */
export function isBeyond(item: Pick<HudItem, "warn" | "warn_when" | "min" | "max">, value: number): boolean {
    if (item.warn === undefined) {
        return false;
    }
    const middle = ((item.min ?? 0) + (item.max ?? 2 * item.warn)) / 2;
    const isAbove = item.warn_when ? item.warn_when === "above" : item.warn > middle;
    return isAbove ? value > item.warn : value < item.warn;
}

export class Readout {
    readonly mesh: THREE.Mesh;
    private canvas = document.createElement("canvas");
    private texture: THREE.CanvasTexture;
    private readings: Reading[];
    private shown = "";
    private shownAt = -Infinity;

    /** width: m */
    constructor(scene: SceneMessage, width: number) {
        Object.assign(this.canvas, SIZE);
        this.texture = new THREE.CanvasTexture(this.canvas);
        this.texture.colorSpace = THREE.SRGBColorSpace;
        this.readings = hudItems(scene)
            .filter((item) => item.channel && item.kind !== "wheel-loads")
            .slice(0, MOST)
            .map((item) => {
                const index = scene.channels.findIndex(({ name }) => name === item.channel);
                const unit = assumedUnit(item.kind, scene.channels[index]?.unit ?? "");
                const own = displayUnit(unit, item.unit ?? standardUnit(item.kind, unit) ?? (unit === "rad" ? "deg" : undefined));
                return { item, index, factor: own.factor, unit: unitText(own.sign) };
            })
            .filter(({ index }) => index >= 0);
        this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, (width * SIZE.height) / SIZE.width), new THREE.MeshBasicMaterial({ map: this.texture, toneMapped: false, fog: false }));
    }

    get isEmpty(): boolean {
        return this.readings.length === 0;
    }

    update(frame: Frame): void {
        if (Math.abs(frame.t - this.shownAt) < PAUSE) {
            return;
        }
        this.shownAt = frame.t;
        const words = this.readings.map(({ item, index, factor, unit }) => {
            const value = frame.channels[index] ?? NaN;
            const signed = value * (item.sign ?? 1);
            const label = item.label ? said(item.label) : text(WORDS[item.kind ?? ""] ?? "speed");
            const digits = item.kind === "gear" ? gearText(value) : showNumber(signed * factor, 2).replace(/^−(0([.,]0+)?)$/, "$1");
            return { label, digits, unit: item.kind === "gear" ? "" : unit, isRed: isBeyond(item, value) };
        });
        const now = JSON.stringify(words);
        if (now !== this.shown) {
            this.shown = now;
            this.paint(words);
        }
    }

    /** what is on it; for tests */
    get said(): string {
        return this.shown;
    }

    private paint(words: { label: string; digits: string; unit: string; isRed: boolean }[]): void {
        const context = this.canvas.getContext("2d")!;
        const wide = SIZE.width / Math.max(1, words.length);
        context.fillStyle = "#0b1512";
        context.fillRect(0, 0, SIZE.width, SIZE.height);
        context.textAlign = "center";
        words.forEach(({ label, digits, unit, isRed }, i) => {
            const x = (i + 0.5) * wide;
            context.fillStyle = isRed ? "#ff5a4f" : "#9df2c8";
            context.font = "bold 42px sans-serif";
            context.fillText(digits, x, 50, wide - 8);
            context.fillStyle = "#c3cbd2";
            context.font = "17px sans-serif";
            context.fillText(`${label} ${unit}`.trim(), x, 82, wide - 6);
        });
        this.texture.needsUpdate = true;
    }

    dispose(): void {
        this.texture.dispose();
        this.mesh.geometry.dispose();
        (this.mesh.material as THREE.Material).dispose();
    }
}
