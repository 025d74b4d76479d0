// SPDX-License-Identifier: MIT
// One line puts a model into any page:
//   <script src="https://.../embed.js" data-model="pendulum"></script>
// A picture stands there until somebody sees it; then the simulator runs in a frame, and it pauses while nobody does.
// data-model NAME, or data-text TEXT of a model, or data-source SELECTOR of an element that holds the text; data-run, data-set "L=2 m=1",
// data-height (px), data-lang en|es, data-title.

import { pack } from "./share.ts";

const WORDS = {
    en: { model: "Model", file: "This model runs here when the page comes from a server, not from a file.", lost: "There is no such element:" },
    es: { model: "Modelo", file: "Este modelo funciona aquí cuando la página viene de un servidor, no de un archivo.", lost: "No existe este elemento:" },
};
const HEIGHT = 360;
const AHEAD = "120px"; // begins a little before it is in sight

function languageOf(script: HTMLScriptElement): "en" | "es" {
    const wanted = script.dataset.lang ?? script.closest("[lang]")?.getAttribute("lang") ?? "en";
    return wanted.toLowerCase().startsWith("es") ? "es" : "en";
}

/** the text of a model that the page itself holds; null: it is one of the gallery */
function textOf(script: HTMLScriptElement): string | null {
    const { text, source } = script.dataset;
    if (source === undefined) {
        return text ?? null;
    }
    const node = document.querySelector(source);
    if (!node) {
        throw new Error(source);
    }
    return node.textContent ?? "";
}

async function addressOf(script: HTMLScriptElement, folder: URL): Promise<URL> {
    const { model, run, set } = script.dataset;
    const text = textOf(script);
    const address = new URL("index.html", folder);
    address.searchParams.set("embed", "");
    address.searchParams.set("lang", languageOf(script));
    if (text !== null) {
        address.hash = await pack({ version: 1, text: text.endsWith("\n") ? text : `${text}\n` });
        return address;
    }
    address.searchParams.set("model", model ?? "pendulum");
    if (run) {
        address.searchParams.set("run", run);
    }
    for (const setting of (set ?? "").split(/\s+/).filter(Boolean)) {
        address.searchParams.append("set", setting);
    }
    return address;
}

function poster(model: string | undefined, folder: URL): HTMLElement {
    const picture = document.createElement("img");
    picture.alt = "";
    picture.loading = "lazy";
    picture.style.cssText = "position:absolute;inset:0;width:100%;height:100%;object-fit:cover";
    const endings = [".jpg", ".svg"];
    const next = () => {
        const ending = endings.shift();
        if (ending && model) {
            picture.src = new URL(`gallery/${encodeURIComponent(model)}${ending}`, folder).href;
        } else {
            picture.remove();
        }
    };
    picture.onerror = next;
    next();
    return picture;
}

function begin(script: HTMLScriptElement): void {
    const folder = new URL(".", script.src);
    const words = WORDS[languageOf(script)];
    const { model } = script.dataset;
    const box = document.createElement("div");
    box.className = "biela-embed";
    box.style.cssText = `position:relative;overflow:hidden;border-radius:10px;background:#c9d7e2;width:100%;max-width:100%;height:${Number(script.dataset.height) || HEIGHT}px;margin:1em 0`;
    box.append(poster(model, folder));
    script.after(box);
    const say = (text: string) => {
        const note = document.createElement("p");
        note.style.cssText = "position:absolute;inset:auto 0 0;margin:0;padding:8px 14px;background:#12181f;color:#f3f5f7;font:14px/1.4 sans-serif";
        note.textContent = text;
        box.append(note);
    };
    if (folder.protocol === "file:") {
        say(words.file);
        return;
    }
    let frame: HTMLIFrameElement | null = null;
    const show = async (): Promise<void> => {
        frame = document.createElement("iframe");
        frame.title = `${words.model}: ${script.dataset.title ?? model ?? ""}`;
        frame.style.cssText = "position:absolute;inset:0;width:100%;height:100%;border:0";
        frame.allow = "fullscreen";
        frame.src = (await addressOf(script, folder)).href;
        box.append(frame);
    };
    new IntersectionObserver(
        (entries) => {
            const isSeen = entries.at(-1)!.isIntersecting;
            if (isSeen && !frame) {
                show().catch((error: Error) => say(`${words.lost} ${error.message}`));
            } else {
                frame?.contentWindow?.postMessage({ biela: isSeen ? "seen" : "hidden" }, folder.origin);
            }
        },
        { rootMargin: AHEAD },
    ).observe(box);
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
    begin(script);
}
