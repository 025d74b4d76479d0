// SPDX-License-Identifier: MIT
// Puts keys, touch and devices together and says what the machine is asked for. Sends at once when something changes, and
// refreshes while it stays, so that the server knows that the driver is still there.

import type { Connection } from "../connection.ts";
import type { DriverInput, Input } from "../protocol.ts";
import { bindKeys, makeKeyControl, scaleInput, type KeyPair, type Wishes } from "./keys.ts";

const REFRESH = 150; // ms, well within the second after which the server lets go

export class Pilot {
    pairs: KeyPair[] = [];
    isDriver = false;
    /** what is asked, -1..1 per input */
    readonly asked: Record<string, number> = {};
    /** from on-screen sticks and from devices, -1..1 */
    touch: Record<string, number> = {};
    devices: Record<string, number> = {};
    /** when the last change of a key was sent, ms; for measuring the delay */
    lastKeySent = 0;

    inputs: DriverInput[] = [];
    private ramps = new Map<string, ReturnType<typeof makeKeyControl>>();
    private down = new Set<string>();
    private isGentle = false;
    /** who sees nothing drives nothing: all controls are let go */
    isBlind = false;
    private sent = "";
    private sentAt = 0;
    private lastTime = performance.now();

    constructor(private connection: Connection) {}

    setInputs(inputs: Input[], wishes: Wishes = {}): void {
        // the page's signs are those of the protocol; a model with another one says so
        this.inputs = inputs.map((input) => ({ ...input, sign: wishes[input.name]?.sign ?? 1 }));
        this.pairs = bindKeys(inputs, wishes);
        this.ramps = new Map(this.inputs.map((input) => [input.name, makeKeyControl(input, wishes[input.name]?.stays)]));
        for (const name of Object.keys(this.asked)) {
            delete this.asked[name];
        }
        this.sent = "";
    }

    isDriving(code: string): boolean {
        return this.pairs.some((pair) => pair.positive === code || pair.negative === code);
    }

    key(code: string, isDown: boolean): void {
        if (isDown) {
            this.down.add(code);
        } else {
            this.down.delete(code);
        }
        this.update(performance.now());
        this.lastKeySent = performance.now();
    }

    setGentle(isGentle: boolean): void {
        this.isGentle = isGentle;
    }

    /** the page lost the keyboard: no key is held any more */
    releaseKeys(): void {
        this.down.clear();
    }

    update(now: number): void {
        const seconds = Math.min(0.1, (now - this.lastTime) / 1000);
        this.lastTime = now;
        const values: Record<string, number> = {};
        for (const input of this.inputs) {
            const pair = this.pairs.find((other) => other.input === input.name);
            const wanted = pair ? Number(this.down.has(pair.positive)) - Number(this.down.has(pair.negative)) : 0;
            const key = this.ramps.get(input.name)!.advance(wanted * (this.isGentle ? 0.4 : 1), seconds);
            const total = key + (this.touch[input.name] ?? 0) + (this.devices[input.name] ?? 0);
            const asked = this.isBlind ? 0 : Math.min(1, Math.max(-1, total));
            this.asked[input.name] = asked;
            values[input.name] = Number(scaleInput(input, asked).toFixed(5));
        }
        this.sendIfNew(values, now);
    }

    private sendIfNew(values: Record<string, number>, now: number): void {
        if (!this.isDriver || this.inputs.length === 0) {
            return;
        }
        const message = JSON.stringify(values);
        if (message !== this.sent || now - this.sentAt > REFRESH) {
            this.sent = message;
            this.sentAt = now;
            this.connection.send({ type: "inputs", values });
        }
    }
}
