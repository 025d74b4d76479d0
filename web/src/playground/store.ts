// SPDX-License-Identifier: MIT
// What the browser keeps: the text of each tab at every change, and models that were saved by name. Written at once, so that nothing
// is lost when the tab, the browser or the engine ends.

import { memory } from "../memory.ts";
import type { Shared } from "./share.ts";

const DRAFT = "biela.draft.";
const SAVED = "biela.saved.";
const OWN = "biela.tab";
const MOST_DRAFTS = 12;
const OLD_PAGE_ENDS = 700; // ms

export interface Kept extends Shared {
    name: string;
    time: number; // ms since 1970
    /** the file on the disk that it began with */
    disk?: { file: string; hash: string };
}

function read(key: string): Kept | null {
    try {
        const found = JSON.parse(memory.get(key) ?? "null") as Kept | null;
        return found && typeof found.text === "string" ? found : null;
    } catch {
        return null;
    }
}

function all(prefix: string): { key: string; kept: Kept }[] {
    const keys = memory.keys().filter((key) => key.startsWith(prefix));
    return keys.flatMap((key) => {
        const kept = read(key);
        return kept ? [{ key, kept }] : [];
    }).sort((a, b) => b.kept.time - a.kept.time);
}

const newName = (): string => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

function ownName(): string | null {
    try {
        return sessionStorage.getItem(OWN);
    } catch {
        return null;
    }
}

function keepName(name: string): void {
    try {
        sessionStorage.setItem(OWN, name);
    } catch {
        // a reload of this tab begins with the newest text of all
    }
}

/** Holds the name for as long as this page lives; false: another page does. Where a browser knows no locks, names are taken as free. */
function isFree(name: string): Promise<boolean> {
    return new Promise((tell) => {
        const hold = () => {
            tell(true);
            return new Promise<void>(() => {});
        };
        // a page that is loaded again may still be on its way out
        const late = (error: unknown) => tell((error as Error)?.name !== "TimeoutError");
        navigator.locks?.request(DRAFT + name, { signal: AbortSignal.timeout(OLD_PAGE_ENDS) }, hold).catch(late) ?? tell(true);
    });
}

export class Store {
    /** the name of this tab's draft: a reload keeps it, another tab has its own */
    private tab: string;

    constructor() {
        this.tab = ownName() ?? newName();
        keepName(this.tab);
    }

    /** A tab that was duplicated has the name of the other one, too: it goes on under its own, with the same text. */
    async claim(): Promise<void> {
        if (await isFree(this.tab)) {
            return;
        }
        const own = this.ownDraft();
        this.leave();
        if (own) {
            this.write(DRAFT + this.tab, own);
        }
    }

    /** false: the browser keeps no more */
    private write(key: string, kept: Kept): boolean {
        return memory.set(key, JSON.stringify(kept));
    }

    keepDraft(kept: Kept): boolean {
        // the oldest drafts of other tabs make room
        const drafts = all(DRAFT).filter(({ key }) => key !== DRAFT + this.tab);
        drafts.slice(MOST_DRAFTS - 1).forEach(({ key }) => memory.remove(key));
        while (!this.write(DRAFT + this.tab, kept)) {
            const oldest = all(DRAFT).filter(({ key }) => key !== DRAFT + this.tab).at(-1);
            if (!oldest) {
                return false;
            }
            memory.remove(oldest.key);
        }
        return true;
    }

    /** what is kept next begins a draft of its own; the last one stays in the list */
    leave(): void {
        this.tab = newName();
        keepName(this.tab);
        void isFree(this.tab);
    }

    ownDraft(): Kept | null {
        return read(DRAFT + this.tab);
    }

    /** texts of other tabs, the newest first */
    drafts(): Kept[] {
        return all(DRAFT).filter(({ key }) => key !== DRAFT + this.tab).map(({ kept }) => kept);
    }

    save(kept: Kept): boolean {
        return this.write(SAVED + kept.name, kept);
    }

    saved(): Kept[] {
        return all(SAVED).map(({ kept }) => kept);
    }

    remove(name: string): void {
        memory.remove(SAVED + name);
    }
}
