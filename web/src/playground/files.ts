// SPDX-License-Identifier: MIT
// Files beside the text (tables, meshes), and files that are dropped onto the page or chosen.

import { el } from "../ui/dom.ts";
import type { EngineFile } from "../engine/messages.ts";
import { fromBase64, toBase64 } from "./share.ts";
import { say } from "./words.ts";

const LARGEST = 16 << 20; // bytes

export class Files {
    readonly root = el("div", { class: "files", id: "files", role: "group", hidden: true });
    private held = new Map<string, Uint8Array<ArrayBuffer>>();
    onChange: () => void = () => {};

    get names(): string[] {
        return [...this.held.keys()];
    }

    /** on the engine's disk: beside the text, and in the folders below where the text looks for a file of that name */
    engineFiles(folder: string, text: string): EngineFile[] {
        return [...this.held].flatMap(([name, bytes]) => {
            const places = [...text.matchAll(/[\w.-]+(?:\/[\w.-]+)+/g)].map((match) => match[0]).filter((place) => place.endsWith(`/${name}`) && !/(^|\/)\.\.?\//.test(place));
            return [...new Set([name, ...places])].map((place) => ({ path: `${folder}/${place}`, bytes: bytes.slice().buffer }));
        });
    }

    packed(): Record<string, string> | undefined {
        return this.held.size > 0 ? Object.fromEntries([...this.held].map(([name, bytes]) => [name, toBase64(bytes)])) : undefined;
    }

    /** false: a file of the package is no base64 */
    unpack(files: Record<string, string> | undefined): boolean {
        this.held.clear();
        try {
            for (const [name, content] of Object.entries(files ?? {})) {
                this.held.set(name.split("/").map(plainName).join("/"), fromBase64(content));
            }
        } catch {
            this.held.clear();
            return false;
        } finally {
            this.draw();
        }
        return true;
    }

    clear(): void {
        this.held.clear();
        this.draw();
    }

    /** a file by its name from the folder of the text on */
    put(name: string, bytes: Uint8Array<ArrayBuffer>): void {
        this.held.set(name, bytes);
        this.draw();
    }

    async add(file: File): Promise<boolean> {
        if (file.size > LARGEST) {
            return false;
        }
        this.held.set(plainName(file.name), new Uint8Array(await file.arrayBuffer()));
        this.draw();
        return true;
    }

    draw(): void {
        this.root.hidden = this.held.size === 0;
        this.root.setAttribute("aria-label", say("files"));
        this.root.replaceChildren(...this.names.map((name) => el("span", { class: "file" }, name, el("button", { class: "icon", title: say("file_remove"), "aria-label": `${say("file_remove")} ${name}`, click: () => this.remove(name) }, "✕"))));
    }

    private remove(name: string): void {
        this.held.delete(name);
        this.draw();
        this.onChange();
    }
}

/** a name without folders: nothing leaves the folder of the text */
function plainName(name: string): string {
    const last = name.split(/[\\/]/).at(-1)!;
    return /^\.*$/.test(last) ? "file" : last;
}

export function listenDrops(take: (files: File[]) => void): void {
    const mark = (isOver: boolean) => document.body.classList.toggle("dropping", isOver);
    addEventListener("dragover", (event) => {
        event.preventDefault();
        mark(true);
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
    addEventListener("drop", (event) => {
        event.preventDefault();
        mark(false);
        take([...(event.dataTransfer?.files ?? [])]);
    });
}

/** offers a file for download */
export function download(name: string, content: string, type = "text/plain"): void {
    const link = el("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
