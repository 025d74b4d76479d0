// SPDX-License-Identifier: MIT
// The scene beside the text: the page of the simulator in a frame, driven with the last text that had no mistakes.

import type { WorkerTransport } from "../engine/engine.ts";
import type { EngineFile } from "../engine/messages.ts";
import type { Frame } from "../protocol.ts";
import { language } from "../ui/language.ts";
import { say } from "./words.ts";

/** what the page in the frame offers (web/src/main.ts) */
interface Inside extends Window {
    biela?: {
        frame(): Frame | null;
        connection: { send(message: unknown): void; isOpen: boolean };
        transport: WorkerTransport;
    };
}

const ASK_EVERY = 2000; // ms

export class Scene {
    readonly root = document.createElement("iframe");
    private lastAnswer = 0;
    private isWatched = false;
    private isWaited = false;
    private before: Frame | null = null; // the last frame of what was shown before
    /** the scene's worker did not answer and was ended */
    onSilent: () => void = () => {};

    /** patience: ms that the worker of the scene may say nothing */
    constructor(
        more: URLSearchParams,
        private readonly patience: number,
    ) {
        const query = new URLSearchParams({ beside: "", lang: language() });
        for (const name of ["quality", "token"]) {
            const value = more.get(name);
            if (value !== null) {
                query.set(name, value);
            }
        }
        this.root.id = "scene";
        this.root.src = `index.html?${query}`;
        this.translate();
        setInterval(() => this.watch(), ASK_EVERY);
    }

    translate(): void {
        this.root.title = say("page_region");
    }

    private get inside(): Inside["biela"] | undefined {
        return (this.root.contentWindow as Inside | null)?.biela;
    }

    private async whenThere(): Promise<NonNullable<Inside["biela"]>> {
        while (!this.inside) {
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return this.inside;
    }

    /** drives this model from the beginning, in the place of what is shown */
    async show(path: string, files: EngineFile[], needsPack: boolean): Promise<void> {
        this.isWaited = true;
        const { transport, frame } = await this.whenThere();
        this.before = frame();
        this.lastAnswer = performance.now();
        this.isWatched = true;
        transport.change(["drive", path, "--no-record"], files, needsPack);
    }

    /** model time of the frame that is shown, s */
    get time(): number {
        return this.inside?.frame()?.t ?? 0;
    }

    /** the model is still being read and started */
    get isLoading(): boolean {
        this.isWaited = this.isWaited && (this.inside?.frame() ?? null) === this.before;
        return this.isWaited;
    }

    seek(t: number): void {
        this.inside?.connection.send({ type: "seek", t });
    }

    stop(): void {
        this.isWatched = this.isWaited = false;
        this.inside?.transport.end();
    }

    setLanguage(): void {
        this.translate();
        this.root.contentWindow?.postMessage({ biela: "language", language: language() }, location.origin);
    }

    /** a worker that turns in circles never answers */
    private watch(): void {
        const transport = this.inside?.transport;
        if (!this.isWatched || !transport || document.hidden) {
            this.lastAnswer = performance.now();
            return;
        }
        if (performance.now() - this.lastAnswer > this.patience) {
            this.stop();
            this.onSilent();
        } else {
            transport.ask("nothing").then(() => (this.lastAnswer = performance.now()));
        }
    }
}
