// SPDX-License-Identifier: MIT
// The line to the engine: reads messages, acknowledges frames, tries again when it breaks.

import type { Trouble } from "./engine/messages.ts";
import type { Transport } from "./transport.ts";
import { decodeFrame, decodeText, type ClientMessage, type Frame, type ServerMessage } from "./protocol.ts";

const FIRST_WAIT = 300; // ms
const LONGEST_WAIT = 4000; // ms

export interface Listener {
    message(message: ServerMessage): void;
    frame(frame: Frame): void;
    status(isConnected: boolean, attempts: number): void;
    failed(lines: string[], trouble?: Trouble): void;
}

export class Connection {
    private wait = FIRST_WAIT;
    private attempts = 0;
    private newest = -1;
    private acknowledged = -1;

    constructor(
        private transport: Transport,
        private listener: Listener,
    ) {
        // the listener hears nothing before its maker has finished
        queueMicrotask(() => this.open());
    }

    get isOpen(): boolean {
        return this.transport.isOpen;
    }

    send(message: ClientMessage): void {
        if (this.isOpen) {
            this.transport.send(JSON.stringify(message));
        }
    }

    /**
     * Tells the server that we keep up: when a frame was read, and once per picture of the browser. A hidden or frozen page
     * stops calling, and the server stops sending.
     */
    acknowledge(): void {
        if (this.newest !== this.acknowledged) {
            this.acknowledged = this.newest;
            this.send({ type: "ack", frame: this.newest });
        }
    }

    private open(): void {
        this.listener.status(false, this.attempts++);
        this.transport.open({
            opened: () => {
                this.wait = FIRST_WAIT;
                this.attempts = 0;
                this.newest = this.acknowledged = -1;
                this.listener.status(true, 0);
            },
            text: (text) => this.read(text),
            bytes: (bytes) => this.show(bytes),
            closed: () => {
                this.listener.status(false, this.attempts);
                setTimeout(() => this.open(), this.wait);
                this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
            },
            failed: (lines, trouble) => this.listener.failed(lines, trouble),
        });
    }

    private read(data: string): void {
        const message = decodeText(data);
        if (message) {
            this.listener.message(message);
        }
    }

    private show(data: ArrayBuffer): void {
        const frame = decodeFrame(data);
        if (frame) {
            this.newest = frame.number;
            this.listener.frame(frame);
            // pictures may be slower than frames: a window that only opens with them would hold the answer to a key back
            if (!document.hidden) {
                this.acknowledge();
            }
        }
    }
}
