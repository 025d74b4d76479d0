// SPDX-License-Identifier: MIT
// The engine of the page itself: a worker that drives, and workers that run a command to its end.

import type { Hearer, Transport } from "../transport.ts";
import type { EngineFile, FromEngine, ToEngine } from "./messages.ts";

export interface Ended {
    code: number;
    printed: string[];
    told: string[];
}

function begin(words: string[], files: EngineFile[], hear: (message: FromEngine) => void, broke: (text: string) => void): Worker {
    const worker = new Worker("engine/worker.js");
    worker.onmessage = (event: MessageEvent<FromEngine>) => hear(event.data);
    worker.onerror = (event) => broke(event.message || "the worker with the engine cannot be loaded");
    worker.postMessage({ type: "start", words, pack: new URL("models.pack", document.baseURI).href, files } satisfies ToEngine);
    return worker;
}

/** A command to its end, such as ["replay", "/drive.biela", "--json"]. */
export function runCommand(words: string[], files: EngineFile[]): Promise<Ended> {
    return new Promise((resolve, reject) => {
        const worker = begin(
            words,
            files,
            (message) => {
                if (message.type === "ended") {
                    worker.terminate();
                    resolve(message);
                } else if (message.type === "failed") {
                    worker.terminate();
                    reject(new Error(message.lines.join("\n")));
                }
            },
            (text) => reject(new Error(text)),
        );
    });
}

export class WorkerTransport implements Transport {
    private worker: Worker | null = null;
    private hearer: Hearer | null = null;
    private asked = 0;
    private waiting = new Map<number, (bytes: ArrayBuffer | null) => void>();
    isOpen = false;

    constructor(
        private words: string[],
        private files: EngineFile[] = [],
    ) {}

    open(hearer: Hearer): void {
        this.hearer = hearer;
        this.worker = begin(
            this.words,
            this.files,
            (message) => this.receive(message),
            (text) => this.stop([text]),
        );
    }

    /** Another drive in the place of this one. */
    change(words: string[], files: EngineFile[]): void {
        this.words = words;
        this.files = files;
        this.end();
        this.hearer?.closed();
    }

    send(text: string): void {
        this.tell({ type: "say", text });
    }

    ask(path: string): Promise<Response> {
        return new Promise((resolve) => {
            const number = ++this.asked;
            this.waiting.set(number, (bytes) => resolve(bytes ? new Response(bytes) : new Response(null, { status: 404 })));
            this.tell({ type: "ask", number, path });
        });
    }

    private tell(message: ToEngine): void {
        this.worker?.postMessage(message);
    }

    private end(): void {
        this.worker?.terminate();
        this.worker = null;
        this.isOpen = false;
        for (const give of this.waiting.values()) {
            give(null);
        }
        this.waiting.clear();
    }

    private stop(lines: string[]): void {
        this.end();
        this.hearer?.failed(lines);
    }

    private receive(message: FromEngine): void {
        switch (message.type) {
            case "ready":
                this.isOpen = true;
                this.hearer?.opened();
                break;
            case "text":
                this.hearer?.text(message.text);
                break;
            case "bytes":
                this.hearer?.bytes(message.bytes);
                break;
            case "answer":
                this.waiting.get(message.number)?.(message.bytes);
                this.waiting.delete(message.number);
                break;
            case "ended":
                this.stop(message.told.length > 0 ? message.told : message.printed);
                break;
            case "failed":
                this.stop(message.lines);
                break;
        }
    }
}
