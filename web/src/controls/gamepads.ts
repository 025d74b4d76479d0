// SPDX-License-Identifier: MIT
// Steering wheels, pedals, joysticks and gamepads through the browser's Gamepad API.

import { asset } from "../assets.ts";
import { memory } from "../memory.ts";
import { chooseMapping, fitMapping, mapDevice, PedalGuard, pressedActions, readMapping, type DeviceState, type Mapping } from "./mapping.ts";

const REMEMBERED = "biela.mapping."; // + name of the device

/** a device that is none of the browser's: the controllers of a headset */
export interface VirtualPad {
    id: string;
    axes: number[];
    buttons: number[];
}
const VIRTUAL = 1000; // its number

export interface Device {
    index: number;
    id: string;
    mapping: Mapping | null;
    state: DeviceState;
    values: Record<string, number>; // what the mapping makes of it, -1..1
}

export class Gamepads {
    readonly devices = new Map<number, Device>();
    mappings: Mapping[] = [];
    onAction: (action: string) => void = () => {};
    onChange: (device: Device, isPresent: boolean) => void = () => {};
    virtual: () => VirtualPad | null = () => null;
    private guards = new Map<number, PedalGuard>();

    /** the mapping files that come with the page; index.json lists them */
    async load(base: string): Promise<void> {
        const names = (await (await asset(`${base}/index.json`)).json()) as string[];
        const read = async (name: string) => readMapping(await (await asset(`${base}/${name}`)).text());
        // all at once: a device that was there first must not keep the one that fits everything
        this.mappings = await Promise.all(names.map(read));
        for (const device of this.devices.values()) {
            device.mapping = this.mappingFor(device.id);
        }
    }

    /** names of the inputs that the machine has for a driver */
    setInputs(inputs: readonly string[]): void {
        this.inputs = [...inputs];
        this.fitted.clear();
    }

    private inputs: string[] = [];
    private fitted = new Map<Mapping, Mapping>();

    private fit(mapping: Mapping): Mapping {
        let fitted = this.fitted.get(mapping);
        if (!fitted) {
            fitted = fitMapping(mapping, this.inputs);
            this.fitted.set(mapping, fitted);
        }
        return fitted;
    }

    /** Reads all devices; call once per picture. */
    poll(): void {
        const present = new Set<number>();
        for (const pad of navigator.getGamepads?.() ?? []) {
            if (!pad || !pad.connected) {
                continue;
            }
            present.add(pad.index);
            this.read(pad.index, pad.id, { axes: [...pad.axes], buttons: pad.buttons.map((button) => button.value) });
        }
        const own = this.virtual();
        if (own) {
            present.add(VIRTUAL);
            this.read(VIRTUAL, own.id, own);
        }
        for (const [index, device] of this.devices) {
            if (!present.has(index)) {
                // an unplugged device lets go of everything
                this.devices.delete(index);
                this.guards.delete(index);
                this.onChange(device, false);
            }
        }
    }

    private read(index: number, id: string, { axes, buttons }: DeviceState): void {
        const state: DeviceState = { axes, buttons };
        let device = this.devices.get(index);
        if (!device || device.id !== id) {
            device = { index, id, mapping: this.mappingFor(id), state, values: {} };
            this.devices.set(index, device);
            this.guards.set(index, new PedalGuard());
            this.onChange(device, true);
        }
        device.mapping ??= this.mappingFor(id);
        if (device.mapping) {
            for (const action of pressedActions(device.mapping, device.state, state)) {
                this.onAction(action);
            }
            device.values = mapDevice(this.fit(device.mapping), state, this.guards.get(index));
        }
        device.state = state;
    }

    private mappingFor(id: string): Mapping | null {
        const saved = memory.get(REMEMBERED + id);
        if (saved) {
            try {
                return readMapping(saved);
            } catch {
                memory.remove(REMEMBERED + id);
            }
        }
        return chooseMapping(this.mappings, id);
    }

    /** Uses another mapping for a device, and remembers it for the next time. */
    assign(device: Device, mapping: Mapping): void {
        device.mapping = mapping;
        memory.set(REMEMBERED + device.id, JSON.stringify(mapping));
    }

    /** all devices together, -1..1 per input */
    values(): Record<string, number> {
        const sum: Record<string, number> = {};
        for (const device of this.devices.values()) {
            for (const [input, value] of Object.entries(device.values)) {
                sum[input] = Math.min(1, Math.max(-1, (sum[input] ?? 0) + value));
            }
        }
        return sum;
    }
}
