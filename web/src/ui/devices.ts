// SPDX-License-Identifier: MIT
// The control panel: what each device reports, what its mapping makes of it, what is sent; calibration; mapping files.

import type { Device, Gamepads } from "../controls/gamepads.ts";
import { readMapping, type Mapping } from "../controls/mapping.ts";
import type { Pilot } from "../controls/pilot.ts";
import { el, showNumber } from "./dom.ts";
import { onLanguage, text } from "./language.ts";
import { inputLabel } from "./names.ts";
import { Panel } from "./panel.ts";

interface Calibration {
    centre: number[];
    low: number[];
    high: number[];
}

export class Devices extends Panel {
    onError: (message: string) => void = () => {};
    private list = el("div");
    private sent = el("div", { class: "sent" });
    private calibrations = new Map<number, Calibration>();
    private meters: (() => void)[] = [];
    private shown = "";
    private lastUpdate = 0;

    constructor(
        private gamepads: Gamepads,
        private pilot: Pilot,
    ) {
        super("controls");
        this.body.append(this.sent, this.list);
        onLanguage(() => (this.shown = ""));
    }

    /** call once per picture */
    update(now: number): void {
        for (const [index, calibration] of this.calibrations) {
            const axes = this.gamepads.devices.get(index)?.state.axes ?? [];
            axes.forEach((raw, i) => {
                calibration.low[i] = Math.min(calibration.low[i] ?? raw, raw);
                calibration.high[i] = Math.max(calibration.high[i] ?? raw, raw);
            });
        }
        if (!this.isOpen || now - this.lastUpdate < 50) {
            return;
        }
        this.lastUpdate = now;
        const key = [...this.gamepads.devices.values()].map((device) => `${device.index} ${device.id} ${device.mapping?.name} ${device.state.axes.length} ${this.calibrations.has(device.index)}`).join("|") + Object.keys(this.pilot.asked).join() + text("close");
        if (key !== this.shown) {
            this.shown = key;
            this.build();
        }
        this.meters.forEach((meter) => meter());
    }

    private build(): void {
        this.meters = [];
        this.sent.replaceChildren(
            el("h3", {}, text("controls_sent")),
            ...Object.keys(this.pilot.asked).map((name) => this.meter(inputLabel(name), () => this.pilot.asked[name] ?? 0, { "data-asked": name })),
        );
        const devices = [...this.gamepads.devices.values()];
        this.list.replaceChildren(...(devices.length === 0 ? [el("p", { class: "hint" }, text("controls_none"))] : devices.map((device) => this.deviceCard(device))));
    }

    private meter(label: string, read: () => number, attributes: Record<string, string> = {}): HTMLElement {
        const fill = el("div", { class: "fill" });
        const value = el("i");
        this.meters.push(() => {
            const x = read();
            fill.style.transform = `scaleX(${Math.min(1, Math.max(-1, x)).toFixed(3)})`;
            value.textContent = showNumber(x);
        });
        return el("div", { class: "meter", ...attributes }, el("span", {}, label), el("div", { class: "track" }, fill), value);
    }

    private deviceCard(device: Device): HTMLElement {
        const live = () => this.gamepads.devices.get(device.index) ?? device;
        const buttons = el("div", { class: "buttons" });
        this.meters.push(() => {
            const states = live().state.buttons;
            buttons.replaceChildren(...states.map((value, i) => el("b", { class: value > 0.5 ? "down" : "" }, String(i))));
        });
        const choice = el("select", {}, ...this.gamepads.mappings.map((mapping, i) => el("option", { value: i }, mapping.name)));
        const own = device.mapping;
        const index = this.gamepads.mappings.findIndex((mapping) => mapping.name === own?.name);
        if (index >= 0) {
            choice.value = String(index);
        }
        choice.addEventListener("change", () => this.gamepads.assign(device, this.gamepads.mappings[Number(choice.value)]!));
        const file = el("input", { type: "file", accept: ".json,application/json", hidden: true });
        file.addEventListener("change", () => void this.load(device, file.files?.[0]));
        const isCalibrating = this.calibrations.has(device.index);
        return el(
            "div",
            { class: "device" },
            el("h3", {}, device.id),
            el("label", { class: "row" }, el("span", {}, text("controls_mapping")), choice),
            el("h4", {}, text("controls_received")),
            ...device.state.axes.map((_, i) => this.meter(String(i), () => live().state.axes[i] ?? 0)),
            buttons,
            ...Object.keys(device.values).map((name) => this.meter(inputLabel(name), () => live().values[name] ?? 0)),
            el(
                "div",
                { class: "actions" },
                el("button", { click: () => this.calibrate(device) }, isCalibrating ? text("controls_calibrating") : text("controls_calibrate")),
                el("button", { click: () => file.click() }, text("controls_import")),
                el("button", { click: () => saveMapping(device.mapping) }, text("controls_export")),
            ),
            file,
        );
    }

    private async load(device: Device, file: File | undefined): Promise<void> {
        if (!file) {
            return;
        }
        try {
            this.gamepads.assign(device, readMapping(await file.text()));
            this.shown = "";
        } catch (error) {
            this.onError(`${text("controls_bad")}: ${file.name}: ${(error as Error).message}`);
        }
    }

    /** first press: everything is at rest now; second press: the ends were visited */
    private calibrate(device: Device): void {
        const known = this.calibrations.get(device.index);
        const axes = [...device.state.axes];
        if (!known) {
            this.calibrations.set(device.index, { centre: axes, low: [...axes], high: [...axes] });
            return;
        }
        this.calibrations.delete(device.index);
        if (device.mapping) {
            this.gamepads.assign(device, applyCalibration(device.mapping, known));
        }
    }
}

/** New ranges for the axes that were moved; pedals keep their kind: from the rest position to the far end. */
export function applyCalibration(mapping: Mapping, { centre, low, high }: Calibration): Mapping {
    const axes = mapping.axes.map((rule) => {
        const c = centre[rule.axis] ?? 0;
        const a = low[rule.axis] ?? -1;
        const b = high[rule.axis] ?? 1;
        if (b - a < 0.2) {
            return rule;
        }
        const range = rule.range?.length === 2 ? [c, Math.abs(a - c) > Math.abs(b - c) ? a : b] : [a, c, b];
        return { ...rule, range };
    });
    return { ...mapping, axes };
}

function saveMapping(mapping: Mapping | null): void {
    if (mapping) {
        const link = el("a", { href: URL.createObjectURL(new Blob([JSON.stringify(mapping, null, 2)], { type: "application/json" })), download: `${mapping.name}.json` });
        link.click();
        URL.revokeObjectURL(link.href);
    }
}
