// SPDX-License-Identifier: MIT
// The sound of an engine, off until asked for: two voices at the frequency at which its cylinders fire, louder under load. Models say how
// fast the engine turns in a channel called `rpm` (1/min); without one there is no sound.

import type { Channel, Frame } from "./protocol.ts";

export interface Tone {
    frequency: number; // Hz, of the firing cylinders
    gain: number; // 0 to 1
}

/** Four cylinders, four strokes: two fire in each turn. The throttle (0 to 1) makes it louder; an engine at rest is silent. */
export function engineTone(rpm: number, throttle: number): Tone {
    const turning = Number.isFinite(rpm) ? Math.abs(rpm) : 0;
    const load = Number.isFinite(throttle) ? Math.min(1, Math.max(0, throttle)) : 0;
    return { frequency: (turning / 60) * 2, gain: turning < 50 ? 0 : 0.04 + 0.1 * load };
}

export class EngineSound {
    private context: AudioContext | null = null;
    private voices: OscillatorNode[] = [];
    private volume: GainNode | null = null;
    private rpm = -1; // index of the channel
    private throttle = -1;

    setChannels(channels: readonly Channel[]): void {
        const at = (name: string) => channels.findIndex((channel) => channel.name === name);
        this.rpm = at("rpm");
        this.throttle = at("accelerator");
    }

    get exists(): boolean {
        return this.rpm >= 0;
    }

    get isOn(): boolean {
        return this.context !== null;
    }

    /** Browsers allow sound only after a key or a click: this is called by one. */
    toggle(): boolean {
        if (this.context) {
            void this.context.close();
            this.context = null;
            this.voices = [];
            return false;
        }
        if (!this.exists) {
            return false;
        }
        const context = new AudioContext();
        const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: 900 });
        this.volume = new GainNode(context, { gain: 0 });
        filter.connect(this.volume).connect(context.destination);
        for (const type of ["sawtooth", "triangle"] as const) {
            const voice = new OscillatorNode(context, { type, frequency: 30 });
            voice.connect(filter);
            voice.start();
            this.voices.push(voice);
        }
        this.context = context;
        return true;
    }

    setFrame(frame: Frame): void {
        if (!this.context || !this.volume) {
            return;
        }
        const { frequency, gain } = engineTone(frame.channels[this.rpm] ?? 0, this.throttle >= 0 ? frame.channels[this.throttle]! : 0.5);
        const now = this.context.currentTime;
        this.voices.forEach((voice, k) => voice.frequency.setTargetAtTime(Math.max(frequency * (k === 0 ? 1 : 0.5), 1), now, 0.03));
        this.volume.gain.setTargetAtTime(gain, now, 0.05);
    }
}
