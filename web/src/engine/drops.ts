// SPDX-License-Identifier: MIT
// What somebody gives to the page: a drive in its address, a recording or a model file dropped onto it. Drives are simulated again
// and compared by their hashes, then shown; a model file is driven.

import { embedded } from "../assets.ts";
import type { Page } from "../ui/page.ts";
import type { Word } from "../ui/language.ts";
import { language, text } from "../ui/language.ts";
import { EngineTrouble, runCommand, type Ended, type WorkerTransport } from "./engine.ts";
import { driveOf } from "./link.ts";
import type { EngineFile } from "./messages.ts";
import { GIVEN } from "./onefile.ts";

const DRIVE = "/given.biela";
const MODEL = "/dropped.yaml";
const REPORT = "/report.html";

/** What `biela replay --json` found: how many hashes were compared and how many are equal. */
export interface Comparison {
    kind: "same" | "other" | "not_comparable" | "unreadable";
    compared: number;
    equal: number;
    words: string;
}

export function comparisonOf(ended: Pick<Ended, "printed" | "told">): Comparison {
    try {
        const found = JSON.parse(ended.printed.join("\n")) as { compared: number; equal: number; comparable: boolean };
        const { compared, equal } = found;
        const kind = !found.comparable || compared === 0 ? "not_comparable" : compared === equal ? "same" : "other";
        return { kind, compared, equal, words: "" };
    } catch {
        return { kind: "unreadable", compared: 0, equal: 0, words: ended.told.find((line) => line.includes("error")) ?? ended.told.join(" ") };
    }
}

/** The words of a command that shows a drive which stands on the engine's disk. */
export const wordsToShow = (): string[] => ["replay", DRIVE, "--live", "--record", "/drive.biela"];

/** The drive of an address as a file for the engine's disk. */
const fileOfLink = (link: string): EngineFile => ({ path: DRIVE, bytes: new TextEncoder().encode(link).buffer as ArrayBuffer });

/** Why a link cannot be opened, for people: the engine's own words stand below. */
export function linkTrouble(lines: string[]): Word | null {
    const words = lines.join(" ");
    return /another version/.test(words) ? "link_version" : /cut or damaged/.test(words) ? "link_cut" : /no model|not found|did you mean|biela list/.test(words) ? "link_model" : null;
}

async function compare(files: EngineFile[], page: Page): Promise<Comparison> {
    page.proof.set("running");
    const found = comparisonOf(await runCommand(["replay", DRIVE, "--json"], files));
    document.body.dataset.replay = found.kind; // for the tests
    page.proof.set(found.kind === "unreadable" ? null : found.kind, found.compared > 0 ? `${found.equal}/${found.compared}` : "");
    return found;
}

/** The drive that the page was opened with is being shown; it is compared beside that. */
export function judge(given: EngineFile, page: Page): void {
    // what is wrong with the engine itself is told by the one that drives
    compare([given], page).catch((error: Error) => error instanceof EngineTrouble || page.toast(error.message, "bad"));
}

/** The drive that the page was opened with: in its address, or inside it where it is one file; null: none. */
export async function givenDrive(hash: string): Promise<EngineFile | null> {
    const link = driveOf(hash);
    const inside = link === null ? await embedded(GIVEN) : null;
    return link !== null ? fileOfLink(link) : inside ? { path: DRIVE, bytes: inside } : null;
}

async function take(file: File, transport: WorkerTransport, page: Page): Promise<void> {
    const bytes = await file.arrayBuffer();
    page.proof.set(null);
    if (/\.ya?ml$/i.test(file.name)) {
        transport.change(["drive", MODEL, "--record", "/drive.biela"], [{ path: MODEL, bytes }]);
        return;
    }
    const files = [{ path: DRIVE, bytes }];
    const found = await compare(files, page);
    if (found.kind === "unreadable") {
        page.toast(`${text("replay_unreadable")} ${found.words}`, "bad");
    } else {
        transport.change(wordsToShow(), files);
    }
}

export function listenDrops(transport: WorkerTransport, page: Page): void {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) {
            take(file, transport, page).catch((error: Error) => page.toast(error.message, "bad"));
        }
    });
}

/** The report of a drive as a page. */
export async function reportOf(recording: ArrayBuffer): Promise<string> {
    const ended = await runCommand(["report", DRIVE, "--brief", "--quiet", "--language", language(), "--out", REPORT], [{ path: DRIVE, bytes: recording }], [REPORT]);
    const page = ended.files.find((file) => file.path === REPORT);
    if (!page) {
        throw new Error(ended.told.join(" "));
    }
    return new TextDecoder().decode(page.bytes);
}
