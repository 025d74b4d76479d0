// SPDX-License-Identifier: MIT
// Work for the engine, one piece after another, each with a limit of time: what takes longer is ended with its worker, and the next
// piece finds a fresh one. Nothing of the text lies in the worker alone.

import { BUILD } from "../engine/build.ts";
import type { Trouble } from "../engine/messages.ts";
import type { Checked, FromBench, Outcome, Project, ToBench } from "./bench.ts";

/** why a piece of work has no result: it took too long, the engine broke, or it is not wanted any more */
export class NoResult extends Error {
    constructor(
        readonly why: "limit" | "broken" | "stopped",
        words = "",
        /** what is known of a broken engine */
        readonly trouble?: Trouble,
    ) {
        super(words || why);
    }
}

export interface Limits {
    check: number; // ms
    run: number;
}

type Work = { kind: "project"; project: Project; build: string } | { kind: "check" } | { kind: "run"; set: Record<string, number> };

export class Desk {
    private worker: Worker | null = null;
    private number = 0;
    private waiting = new Map<number, { give: (message: FromBench) => void; fail: (error: NoResult) => void; timer: number }>();
    private project: Project | null = null;

    constructor(
        private readonly limits: Limits,
        private readonly script = `engine/bench.js${BUILD ? `?v=${BUILD}` : ""}`,
    ) {}

    /** the worker, with the present project on its disk */
    private async open(): Promise<void> {
        if (this.worker) {
            return;
        }
        const worker = new Worker(this.script);
        this.worker = worker;
        worker.onmessage = (event: MessageEvent<FromBench>) => {
            const one = this.waiting.get(event.data.number);
            this.waiting.delete(event.data.number);
            clearTimeout(one?.timer);
            one?.give(event.data);
        };
        worker.onerror = (event) => this.end(new NoResult("broken", event.message));
        if (this.project) {
            await this.give(this.project);
        }
    }

    private ask(work: Work, limit: number): Promise<FromBench> {
        return new Promise((give, fail) => {
            const number = ++this.number;
            const timer = window.setTimeout(() => this.end(new NoResult("limit")), limit);
            this.waiting.set(number, { give, fail, timer });
            this.worker!.postMessage({ number, ...work } satisfies ToBench);
        });
    }

    /** ends the worker; whoever waits hears why */
    end(why: NoResult): void {
        this.worker?.terminate();
        this.worker = null;
        const all = [...this.waiting.values()];
        this.waiting.clear();
        for (const one of all) {
            clearTimeout(one.timer);
            one.fail(why);
        }
    }

    /** gives up what is under way, if anything is */
    stop(): void {
        if (this.waiting.size > 0) {
            this.end(new NoResult("stopped"));
        }
    }

    async use(project: Project): Promise<void> {
        this.project = project;
        if (this.worker) {
            await this.give(project);
        }
    }

    private async give(project: Project): Promise<void> {
        await this.expect({ kind: "project", project, build: BUILD }, this.limits.check, "ready");
    }

    private async get<K extends FromBench["kind"]>(work: Work, limit: number, kind: K): Promise<FromBench & { kind: K }> {
        await this.open();
        return this.expect(work, limit, kind);
    }

    private async expect<K extends FromBench["kind"]>(work: Work, limit: number, kind: K): Promise<FromBench & { kind: K }> {
        const answer = await this.ask(work, limit);
        if (answer.kind === kind) {
            return answer as FromBench & { kind: K };
        }
        // a module that has stopped cannot be used again
        this.end(new NoResult("broken"));
        throw answer.kind === "broken" ? new NoResult("broken", answer.why, answer.trouble) : new NoResult("broken");
    }

    async check(): Promise<Checked> {
        return (await this.get({ kind: "check" }, this.limits.check, "checked")).checked;
    }

    async run(set: Record<string, number> = {}): Promise<Outcome> {
        return (await this.get({ kind: "run", set }, this.limits.run, "outcome")).outcome;
    }
}
