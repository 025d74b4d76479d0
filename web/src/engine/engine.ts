// SPDX-License-Identifier: MIT
// The engine of the page itself: a worker that drives, and workers that run a command to its end. A worker that does not answer is
// stopped, and that is said.

import { embedded, isOneFile } from "../assets.ts";
import type { Hearer, Transport } from "../transport.ts";
import { BUILD } from "./build.ts";
import type { EngineFile, FromEngine, ToEngine, Trouble } from "./messages.ts";

const PING_EVERY = 2000; // ms
const STUCK_AFTER = 60000; // ms without an answer, while the page itself was awake

export interface Ended {
    code: number;
    printed: string[];
    told: string[];
    files: EngineFile[];
}

/** An engine that cannot work, with what is known of it. */
export class EngineTrouble extends Error {
    constructor(
        readonly lines: string[],
        readonly trouble?: Trouble,
    ) {
        super(lines.join("\n"));
    }
}

interface Start {
    words: string[];
    files: EngineFile[];
    wanted: string[];
    /** it reads models of the gallery */
    needsPack: boolean;
}

const beside = (name: string): string => new URL(`${name}${BUILD ? `?v=${BUILD}` : ""}`, document.baseURI).href;

/** A part that the engine reads, fetched once for all workers of the page. */
async function fetchPart(name: string): Promise<ArrayBuffer> {
    const inside = await embedded(name);
    if (inside) {
        return inside;
    }
    const answer = await fetch(beside(name)).catch(() => null);
    if (!answer?.ok) {
        parts.delete(name); // the next one asks again
        throw new EngineTrouble([`${name}: ${answer ? answer.status : "no answer"}`], "missing");
    }
    return answer.arrayBuffer();
}

const parts = new Map<string, Promise<ArrayBuffer>>();

function partOf(name: string): Promise<ArrayBuffer> {
    const found = parts.get(name) ?? fetchPart(name);
    parts.set(name, found);
    return found;
}

/** A worker and its parts: inside the page where that is one file, else beside it. All are on their way at once. */
async function makeWorker(needsPack: boolean): Promise<{ worker: Worker; wasm: ArrayBuffer; pack: ArrayBuffer | null }> {
    const others = Promise.all([partOf("engine/biela.wasm"), needsPack ? partOf("models.pack") : null]);
    others.catch(() => {}); // told below
    const program = isOneFile() ? await embedded("engine/worker.js") : null;
    const worker = new Worker(program ? URL.createObjectURL(new Blob([program], { type: "text/javascript" })) : beside("engine/worker.js"));
    try {
        const [wasm, pack] = await others;
        return { worker, wasm, pack };
    } catch (error) {
        worker.terminate();
        throw error;
    }
}

/** One worker from its start to its end. */
class Engine {
    private worker: Worker | null = null;
    private isOver = false;
    private heard = performance.now();
    private watch = 0;

    /** broke: it will say nothing any more */
    constructor(
        start: Start,
        private hear: (message: FromEngine) => void,
        private broke: (trouble: EngineTrouble) => void,
        private isPatient: boolean,
    ) {
        if (typeof WebAssembly !== "object") {
            queueMicrotask(() => this.fail(["WebAssembly is not there"], "no_wasm"));
            return;
        }
        this.begin(start).catch((error: Error) => this.fail(error instanceof EngineTrouble ? error.lines : [String(error?.message ?? error)], error instanceof EngineTrouble ? error.trouble : "gone"));
    }

    private async begin({ words, files, wanted, needsPack }: Start): Promise<void> {
        const { worker, wasm, pack } = await makeWorker(needsPack);
        if (this.isOver) {
            worker.terminate();
            return;
        }
        this.worker = worker;
        worker.onmessage = (event: MessageEvent<FromEngine>) => this.receive(event.data);
        worker.onerror = (event) => this.fail([event.message || "the worker with the engine cannot be loaded"], /memory/i.test(event.message ?? "") ? "memory" : "gone");
        this.tell({ type: "start", words, files, wanted, build: BUILD, wasm, pack });
        if (!this.isPatient) {
            this.watchOver();
        }
    }

    tell(message: ToEngine): void {
        this.worker?.postMessage(message);
    }

    end(): void {
        this.isOver = true;
        clearTimeout(this.watch);
        this.worker?.terminate();
        this.worker = null;
    }

    /** A page that slept hears nothing either: only time in which it was awake counts. */
    private watchOver(): void {
        let last = performance.now();
        const look = () => {
            const now = performance.now();
            const slept = now - last > 3 * PING_EVERY || document.hidden;
            last = now;
            this.heard = slept ? now : this.heard;
            if (now - this.heard > Engine.stuckAfter) {
                this.fail([`no answer for ${Math.round((now - this.heard) / 1000)} s`], "stuck");
                return;
            }
            this.tell({ type: "ping" });
            this.watch = window.setTimeout(look, PING_EVERY);
        };
        look();
    }

    /** for tests: ms */
    static stuckAfter = STUCK_AFTER;

    private receive(message: FromEngine): void {
        this.heard = performance.now();
        if (message.type === "failed") {
            this.fail(message.lines, message.trouble);
        } else if (message.type !== "pong") {
            this.hear(message);
        }
    }

    private fail(lines: string[], trouble?: Trouble): void {
        if (!this.isOver) {
            this.end();
            this.broke(new EngineTrouble(lines, trouble));
        }
    }
}

/** A command to its end, such as ["replay", "/drive.biela", "--json"], in a worker of its own; `wanted`: files that it writes. */
export function runCommand(words: string[], files: EngineFile[], wanted: string[] = []): Promise<Ended> {
    return new Promise((resolve, reject) => {
        const engine = new Engine(
            { words, files, wanted, needsPack: true },
            (message) => {
                if (message.type === "ended") {
                    engine.end();
                    resolve(message);
                }
            },
            reject,
            true,
        );
    });
}

export class WorkerTransport implements Transport {
    private engine: Engine | null = null;
    private hearer: Hearer | null = null;
    private asked = 0;
    private waiting = new Map<number, (bytes: ArrayBuffer | null) => void>();
    isOpen = false;

    /** without words it waits for the first change() */
    constructor(
        private words: string[],
        private files: EngineFile[] = [],
        private needsPack = true,
    ) {}

    open(hearer: Hearer): void {
        this.hearer = hearer;
        if (this.words.length === 0) {
            return;
        }
        this.engine = new Engine(
            { words: this.words, files: this.files, wanted: [], needsPack: this.needsPack },
            (message) => this.receive(message),
            (trouble) => this.stop(trouble.lines, trouble.trouble),
            false,
        );
    }

    /** Another drive in the place of this one; without the pack the models of the gallery are not there. */
    change(words: string[], files: EngineFile[], needsPack = true): void {
        this.words = words;
        this.files = files;
        this.needsPack = needsPack;
        this.end();
        this.hearer?.closed();
    }

    send(text: string): void {
        this.engine?.tell({ type: "say", text });
    }

    ask(path: string): Promise<Response> {
        return new Promise((resolve) => {
            const number = ++this.asked;
            this.waiting.set(number, (bytes) => resolve(bytes ? new Response(bytes) : new Response(null, { status: 404 })));
            this.engine?.tell({ type: "ask", number, path });
        });
    }

    end(): void {
        this.engine?.end();
        this.engine = null;
        this.isOpen = false;
        for (const give of this.waiting.values()) {
            give(null);
        }
        this.waiting.clear();
    }

    private stop(lines: string[], trouble?: Trouble): void {
        this.end();
        this.hearer?.failed(lines, trouble);
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
            case "pong":
            case "failed":
                break;
        }
    }
}

/** for tests: how long an engine may be silent, ms */
export function setPatience(milliseconds: number): void {
    Engine.stuckAfter = milliseconds;
}
