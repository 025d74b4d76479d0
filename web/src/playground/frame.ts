// SPDX-License-Identifier: MIT
// The simulator's page inside a frame: of the playground, or of any page (static/embed.js). What is around says the language and whether
// the frame can be seen; a link holds the text.

import type { Connection } from "../connection.ts";
import { WorkerTransport } from "../engine/engine.ts";
import type { Transport } from "../transport.ts";
import { el } from "../ui/dom.ts";
import { language, setLanguage, text } from "../ui/language.ts";
import { fromBase64, unpackLink } from "./share.ts";

interface Told {
    biela?: "language" | "seen" | "hidden";
    language?: "en" | "es";
}

/** the model of the address, if it holds one */
async function openLink(transport: Transport): Promise<void> {
    const shared = await unpackLink(location.hash);
    if (!shared || !(transport instanceof WorkerTransport)) {
        return;
    }
    const folder = shared.base ? `/models/${shared.base}` : "";
    const files = Object.entries(shared.files ?? {}).map(([name, content]) => ({ path: `${folder}/${name}`, bytes: fromBase64(content).buffer }));
    const path = `${folder}/model.yaml`;
    transport.change(["drive", path, "--no-record"], [...files, { path, bytes: new TextEncoder().encode(shared.text).buffer as ArrayBuffer }], shared.base !== undefined);
}

/** the way from a frame to the playground, with the same model */
function linkToPlayground(): HTMLElement {
    const query = new URLSearchParams(location.search);
    const model = query.get("model");
    const wanted = new URLSearchParams({ lang: language(), ...(model ? { model } : {}) });
    return el("a", { class: "to-playground", href: `playground.html?${wanted}${location.hash}`, target: "_blank", rel: "noopener" }, text("edit_model"));
}

export function listenFrame(transport: Transport, connection: Connection, isPaused: () => boolean): void {
    let isPausedByUs = false;
    addEventListener("message", (event: MessageEvent<Told>) => {
        // only those around us, and nothing but these three words
        if (event.source !== parent) {
            return;
        }
        if (event.data?.biela === "language" && (event.data.language === "en" || event.data.language === "es")) {
            setLanguage(event.data.language);
        } else if (event.data?.biela === "hidden" && !isPaused()) {
            isPausedByUs = true;
            connection.send({ type: "pause" });
        } else if (event.data?.biela === "seen" && isPausedByUs) {
            isPausedByUs = false;
            connection.send({ type: "play" });
        }
    });
    if (document.body.classList.contains("embed")) {
        document.body.append(linkToPlayground());
        openLink(transport).catch(() => document.body.append(el("div", { class: "no-webgl engine-failed", role: "alert" }, el("p", {}, text("link_damaged")))));
    }
}
