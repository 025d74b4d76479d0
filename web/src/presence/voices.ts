// SPDX-License-Identifier: MIT
// What is heard, as numbers made from a frame: engine or motor, hydraulics, tyres, reverse beeper, impacts. Pure; sound.ts plays it.

import { FLAG, type Frame, type Hit, type SceneMessage } from "../protocol.ts";

export interface Tone {
    frequency: number; // Hz
    gain: number; // 0 to 1
}

export interface Voices {
    engine: Tone; // of the firing cylinders
    motor: Tone; // electric
    hydraulics: Tone;
    rolling: Tone;
    squeal: Tone;
    beeper: Tone;
}
export type VoiceName = keyof Voices;
export const VOICES: readonly VoiceName[] = ["engine", "motor", "hydraulics", "rolling", "squeal", "beeper"];

const SILENT: Tone = { frequency: 100, gain: 0 };
const IDLE = 850; // 1/min
const FULL = 2400; // 1/min, of a truck's diesel
const MOST_SLIP = 0.12; // slip or tangent of the slip angle at which tyres begin to be heard
const BEEP = { frequency: 1050, gain: 0.12, half: 0.5 }; // Hz, -, s on and s off
const clamp = (x: number, low = 0, high = 1) => Math.min(high, Math.max(low, x));
const number = (x: number | undefined) => (x !== undefined && Number.isFinite(x) ? x : 0);

/** Four cylinders, four strokes: two fire in each turn. The throttle (0 to 1) makes it louder; an engine at rest is silent. */
export function engineTone(rpm: number, throttle: number): Tone {
    const turning = Number.isFinite(rpm) ? Math.abs(rpm) : 0;
    return { frequency: (turning / 60) * 2, gain: turning < 50 ? 0 : 0.04 + 0.1 * clamp(number(throttle)) };
}

/** Where a scene tells of what can be heard: indices of channels and inputs, -1 or none where there is nothing. */
export class Ears {
    private rpm: number;
    private throttle: number;
    private speed: number;
    private drive: number;
    private hydraulic: { index: number; most: number }[];
    private tyres: { x: number; y: number; load: number }[];
    private isTruck: boolean;
    private isElectric: boolean;

    constructor(scene: Pick<SceneMessage, "channels" | "inputs" | "view" | "parameters">) {
        const names = new Map(scene.channels.map(({ name }, index) => [name, index]));
        const at = (name: string) => names.get(name) ?? -1;
        const input = (name: string) => scene.inputs.findIndex((one) => one.name === name || one.name.endsWith(`_${name}`));
        this.rpm = at("rpm");
        this.throttle = at("accelerator");
        this.speed = at("speed");
        this.isTruck = scene.view?.cockpit === "truck";
        this.isElectric = scene.parameters.some(({ name, value }) => name === "electric" && value === 1);
        this.drive = this.isTruck ? input("drive") : -1;
        const works = ["lift", "tilt", "side", "boom", "arm", "bucket", "swing", "hoist"];
        this.hydraulic = works.map(input).filter((index) => index >= 0).map((index) => ({ index, most: Math.max(Math.abs(scene.inputs[index]!.min ?? 1), Math.abs(scene.inputs[index]!.max ?? 1), 1e-9) }));
        this.tyres = scene.channels.flatMap(({ name }) => {
            const wheel = name.endsWith(".slip_x") ? name.slice(0, -7) : null;
            return wheel === null ? [] : [{ x: at(name), y: at(`${wheel}.slip_y`), load: at(`${wheel}.fz`) }];
        });
    }

    /** voices that this machine has */
    get heard(): VoiceName[] {
        const has: Record<VoiceName, boolean> = {
            engine: !this.isElectric && (this.rpm >= 0 || this.drive >= 0),
            motor: this.isElectric,
            hydraulics: this.hydraulic.length > 0,
            rolling: this.tyres.length > 0 && this.speed >= 0,
            squeal: this.tyres.length > 0,
            beeper: this.drive >= 0,
        };
        return VOICES.filter((name) => has[name]);
    }

    /** of a frame; a machine that stands still in time is silent */
    hear(frame: Pick<Frame, "t" | "flags" | "channels" | "inputs">): Voices {
        const all = Object.fromEntries(VOICES.map((name) => [name, SILENT])) as unknown as Voices;
        if ((frame.flags & (FLAG.paused | FLAG.ended)) !== 0) {
            return all;
        }
        const channel = (index: number) => (index < 0 ? 0 : number(frame.channels[index]));
        const input = (index: number) => (index < 0 ? 0 : number(frame.inputs[index]));
        const speed = Math.abs(channel(this.speed));
        const work = Math.max(0, ...this.hydraulic.map(({ index, most }) => clamp(Math.abs(input(index)) / most)));
        const load = Math.max(clamp(Math.abs(input(this.drive))), 0.7 * work);
        const told: Record<VoiceName, () => Tone> = {
            engine: () => (this.rpm >= 0 ? engineTone(channel(this.rpm), this.throttle >= 0 ? channel(this.throttle) : 0.5) : engineTone(IDLE + (FULL - IDLE) * load, load)),
            // an inverter sings above the turning of its motor
            motor: () => ({ frequency: 180 + 90 * speed, gain: 0.05 * clamp(0.3 * speed + load) }),
            hydraulics: () => ({ frequency: 420 + 260 * work, gain: 0.09 * work }),
            rolling: () => ({ frequency: 120 + 12 * speed, gain: 0.05 * clamp(speed / 15) }),
            squeal: () => this.squeal(channel, speed),
            beeper: () => this.beep(frame.t, input(this.drive), channel(this.speed)),
        };
        for (const name of this.heard) {
            all[name] = told[name]();
        }
        return all;
    }

    /** the worst of the tyres that carry something */
    private squeal(channel: (index: number) => number, speed: number): Tone {
        const slips = this.tyres.filter(({ load }) => load < 0 || channel(load) > 1).map(({ x, y }) => Math.hypot(channel(x), channel(y)));
        const worst = Math.max(0, ...slips);
        const loud = clamp((worst - MOST_SLIP) / (2 * MOST_SLIP)) * clamp(speed / 2);
        return { frequency: 520 + 180 * clamp(worst), gain: 0.12 * loud };
    }

    private beep(t: number, drive: number, speed: number): Tone {
        const isBack = drive < -0.02 || (speed < -0.1 && drive <= 0.02);
        return { frequency: BEEP.frequency, gain: isBack && t % (2 * BEEP.half) < BEEP.half ? BEEP.gain : 0 };
    }
}

/** Of a touch that an event tells of: the more energy it took, the louder and the deeper. */
export function thud(hit: Pick<Hit, "energy" | "closing">): Tone {
    const energy = Math.max(number(hit.energy), 0);
    const loud = clamp((Math.log10(energy + 1) + Math.min(Math.abs(number(hit.closing)), 3) / 3) / 5);
    return { frequency: 420 * 10 ** (-0.6 * loud), gain: 0.5 * loud };
}
