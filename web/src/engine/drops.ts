// SPDX-License-Identifier: MIT
// A file dropped onto the page: a recording is simulated again and compared by its hashes, then shown; a model file is driven.

import type { Page } from "../ui/page.ts";
import { text } from "../ui/language.ts";
import { runCommand, type Ended, type WorkerTransport } from "./engine.ts";

const RECORDING = "/dropped.biela";
const MODEL = "/dropped.yaml";

/** What `biela replay --json` found: how many hashes were compared and how many are equal. */
export interface Comparison {
    kind: "same" | "other" | "not_comparable" | "unreadable";
    compared: number;
    equal: number;
    words: string;
}

export function comparisonOf(ended: Ended): Comparison {
    try {
        const found = JSON.parse(ended.printed.join("\n")) as { compared: number; equal: number; comparable: boolean };
        const { compared, equal } = found;
        const kind = !found.comparable || compared === 0 ? "not_comparable" : compared === equal ? "same" : "other";
        return { kind, compared, equal, words: "" };
    } catch {
        return { kind: "unreadable", compared: 0, equal: 0, words: ended.told.find((line) => line.includes("error")) ?? ended.told.join(" ") };
    }
}

function tell(page: Page, found: Comparison): void {
    const count = `${found.equal}/${found.compared}`;
    switch (found.kind) {
        case "same":
            page.toast(`${text("replay_same")} (${count})`, "good");
            break;
        case "other":
            page.toast(`${text("replay_other")} (${count})`, "bad");
            break;
        case "not_comparable":
            page.toast(text("replay_not_comparable"), "plain");
            break;
        case "unreadable":
            page.toast(`${text("replay_unreadable")} ${found.words}`, "bad");
            break;
    }
}

async function take(file: File, transport: WorkerTransport, page: Page): Promise<void> {
    const bytes = await file.arrayBuffer();
    if (/\.ya?ml$/i.test(file.name)) {
        transport.change(["drive", MODEL, "--no-record"], [{ path: MODEL, bytes }]);
        return;
    }
    page.toast(text("replay_begins"), "plain");
    const files = [{ path: RECORDING, bytes }];
    const found = comparisonOf(await runCommand(["replay", RECORDING, "--json"], files));
    document.body.dataset.replay = found.kind; // for the tests
    tell(page, found);
    if (found.kind !== "unreadable") {
        transport.change(["replay", RECORDING, "--live"], files);
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
