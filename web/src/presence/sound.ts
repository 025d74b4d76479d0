// SPDX-License-Identifier: MIT
// Plays what voices.ts hears: oscillators and noise made here, no files. Silent until somebody asks for it, as browsers demand.

import { memory } from "../memory.ts";
import type { Frame, Hit, SceneMessage } from "../protocol.ts";
import { Ears, thud, VOICES, type Tone, type VoiceName } from "./voices.ts";

const REMEMBERED = "biela.volume";
const QUICK = 0.04; // s in which a voice follows

interface Voice {
    gain: GainNode;
    follow: (frequency: number, now: number) => void;
}

export class Sound {
    private context: AudioContext | null = null;
    private master: GainNode | null = null;
    private voices = new Map<VoiceName, Voice>();
    private ears: Ears | null = null;
    private noise: AudioBuffer | null = null;
    private heardHits = new Set<number>();
    private volume_ = readVolume();
    /** the newest tones, also while it is off; for tests and the panel */
    tones: Partial<Record<VoiceName, Tone>> = {};

    setScene(scene: SceneMessage): void {
        this.ears = new Ears(scene);
        this.heardHits.clear();
        this.silence();
    }

    /** voices of this machine */
    get heard(): VoiceName[] {
        return this.ears?.heard ?? [];
    }

    get isOn(): boolean {
        return this.context !== null;
    }

    get volume(): number {
        return this.volume_;
    }

    setVolume(volume: number): void {
        this.volume_ = Math.min(1, Math.max(0, volume));
        memory.set(REMEMBERED, String(this.volume_));
        this.master?.gain.setTargetAtTime(this.volume_, this.context!.currentTime, QUICK);
    }

    /** called by a key or a click: browsers allow no sound before one */
    toggle(): boolean {
        if (this.context) {
            void this.context.close();
            this.context = this.master = this.noise = null;
            this.voices.clear();
            return false;
        }
        const context = new AudioContext();
        this.context = context;
        this.master = new GainNode(context, { gain: this.volume_ });
        this.master.connect(context.destination);
        this.noise = makeNoise(context);
        for (const name of VOICES) {
            this.voices.set(name, this.makeVoice(context, name));
        }
        return true;
    }

    private makeVoice(context: AudioContext, name: VoiceName): Voice {
        const gain = new GainNode(context, { gain: 0 });
        gain.connect(this.master!);
        const oscillator = (type: OscillatorType, factor: number, into: AudioNode) => {
            const node = new OscillatorNode(context, { type, frequency: 100 });
            node.connect(into);
            node.start();
            return (frequency: number, now: number) => node.frequency.setTargetAtTime(Math.max(1, factor * frequency), now, QUICK);
        };
        const wind = (q: number) => {
            const filter = new BiquadFilterNode(context, { type: "bandpass", Q: q });
            const source = new AudioBufferSourceNode(context, { buffer: this.noise!, loop: true });
            source.connect(filter).connect(gain);
            source.start();
            return (frequency: number, now: number) => filter.frequency.setTargetAtTime(frequency, now, QUICK);
        };
        const both = (...parts: ((frequency: number, now: number) => void)[]) => ({ gain, follow: (frequency: number, now: number) => parts.forEach((part) => part(frequency, now)) });
        switch (name) {
            case "engine": {
                const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: 900 });
                filter.connect(gain);
                return both(oscillator("sawtooth", 1, filter), oscillator("triangle", 0.5, filter));
            }
            case "motor":
                return both(oscillator("sine", 1, gain), oscillator("sine", 3.02, gain));
            case "hydraulics":
                return both(wind(2), oscillator("triangle", 0.5, gain));
            case "rolling":
                return both(wind(0.6));
            case "squeal":
                return both(wind(14), oscillator("sine", 1, gain));
            case "beeper":
                return both(oscillator("square", 1, gain));
        }
    }

    setFrame(frame: Frame): void {
        if (!this.ears) {
            return;
        }
        this.tones = this.ears.hear(frame);
        if (!this.context) {
            return;
        }
        const now = this.context.currentTime;
        for (const [name, { gain, follow }] of this.voices) {
            const tone = this.tones[name]!;
            gain.gain.setTargetAtTime(tone.gain, now, QUICK);
            follow(tone.frequency, now);
        }
    }

    private silence(): void {
        this.tones = {};
        this.voices.forEach(({ gain }) => gain.gain.setTargetAtTime(0, this.context!.currentTime, QUICK));
    }

    /** once for each touch: an event tells of it again when it grows and when it is over */
    hit(hit: Hit, number: number | undefined): void {
        if (number !== undefined && this.heardHits.has(number)) {
            return;
        }
        if (number !== undefined) {
            this.heardHits.add(number);
        }
        const { context } = this;
        const tone = thud(hit);
        if (!context || tone.gain <= 0) {
            return;
        }
        const now = context.currentTime;
        const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: 4 * tone.frequency });
        const gain = new GainNode(context, { gain: 0 });
        const source = new AudioBufferSourceNode(context, { buffer: this.noise!, loop: true });
        const body = new OscillatorNode(context, { type: "sine", frequency: tone.frequency / 3 });
        source.connect(filter).connect(gain);
        body.connect(gain);
        gain.connect(this.master!);
        gain.gain.setValueAtTime(tone.gain, now);
        gain.gain.exponentialRampToValueAtTime(1e-4, now + 0.5);
        for (const node of [source, body]) {
            node.start(now);
            node.stop(now + 0.55);
        }
    }
}

function readVolume(): number {
    const saved = Number(memory.get(REMEMBERED) ?? NaN);
    return Number.isFinite(saved) && saved >= 0 && saved <= 1 ? saved : 0.6;
}

/** two seconds of noise, the same each time */
function makeNoise(context: AudioContext): AudioBuffer {
    const buffer = new AudioBuffer({ length: 2 * context.sampleRate, sampleRate: context.sampleRate });
    const data = buffer.getChannelData(0);
    let state = 1;
    for (let i = 0; i < data.length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        data[i] = state / 0x80000000 - 1;
    }
    return buffer;
}
