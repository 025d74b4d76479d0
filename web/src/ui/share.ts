// SPDX-License-Identifier: MIT
// Giving a drive to somebody: as an address that holds it, as a file, as a report; and the whole simulator as one file.

import { LONGEST_LINK } from "../engine/link.ts";
import { resource } from "../transport.ts";
import { el } from "./dom.ts";
import { language, onLanguage, text, type Word } from "./language.ts";
import { Panel } from "./panel.ts";

/** What only a page with its own engine can do; a server's page leaves these to the command. */
export interface OwnEngine {
    report(recording: ArrayBuffer): Promise<string>;
    oneFile: ((recording: ArrayBuffer | null) => Promise<Blob>) | null;
}

export function saveFile(content: Blob, name: string): void {
    const link = el("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export class Share extends Panel {
    own: OwnEngine | null = null;
    /** of the file that is saved */
    fileName: () => string = () => "drive";
    onMessage: (message: string, kind: "plain" | "good" | "bad") => void = () => {};
    private address = el("textarea", { id: "share-address", readonly: true, rows: 3, spellcheck: false, click: () => this.address.select() });
    private state = el("p", { class: "hint", id: "share-state", "aria-live": "polite" });
    private buttons: [HTMLButtonElement, Word][] = [];
    private copy = this.button("share-copy", "share_copy", () => this.copyAddress());
    private renew = this.button("share-renew", "share_renew", () => this.load());
    private file = this.button("share-file", "share_file", () => this.saveRecording());
    private report = this.button("share-report", "share_report", () => this.openReport());
    private whole = this.button("share-whole", "share_whole", () => this.saveWhole());
    private hint = el("p", { class: "hint" });
    private told: Word = "share_hint";

    constructor() {
        super("share");
        this.body.append(this.state, this.address, this.copy, this.renew, this.file, this.report, this.whole, this.hint);
        onLanguage(() => this.translate());
    }

    override show(isOpen: boolean): void {
        const wasOpen = this.isOpen;
        super.show(isOpen);
        if (isOpen && !wasOpen) {
            this.whole.hidden = !this.own?.oneFile;
            this.load();
        }
    }

    private translate(): void {
        for (const [button, word] of this.buttons) {
            button.textContent = text(word);
        }
        this.address.setAttribute("aria-label", text("share_address"));
        this.hint.textContent = text(this.own ? "share_hint" : "share_hint_server");
        this.state.textContent = text(this.told);
    }

    private button(id: string, word: Word, act: () => void | Promise<void>): HTMLButtonElement {
        const button = el("button", {
            id,
            click: () => {
                button.disabled = true;
                Promise.resolve(act())
                    .catch((error: Error) => this.onMessage(error.message, "bad"))
                    .finally(() => (button.disabled = false));
            },
        });
        this.buttons.push([button, word]);
        return button;
    }

    private tell(word: Word): void {
        this.told = word;
        this.translate();
    }

    /** The address of the drive so far; without one, why not. */
    private async load(): Promise<void> {
        const answer = await resource("link");
        const link = answer.ok ? await answer.text() : "";
        const base = location.protocol === "file:" || !this.own ? "" : location.href.replace(/[?#].*$/, "");
        const fits = link.length > 0 && link.length <= LONGEST_LINK;
        this.address.value = fits ? `${base}#${link}` : "";
        this.address.hidden = this.copy.hidden = !fits;
        this.tell(fits ? "share_link" : link.length > 0 ? "share_long" : "share_none");
    }

    private async copyAddress(): Promise<void> {
        this.address.select();
        // where a page may not write there, what is selected can be copied by hand
        await navigator.clipboard?.writeText(this.address.value).catch(() => {});
        this.tell("share_copied");
    }

    private async recording(): Promise<ArrayBuffer> {
        const answer = await resource("recording");
        if (!answer.ok) {
            throw new Error(text("share_unrecorded"));
        }
        return answer.arrayBuffer();
    }

    private async saveRecording(): Promise<void> {
        saveFile(new Blob([await this.recording()], { type: "application/octet-stream" }), `${this.fileName()}.biela`);
    }

    /** The report where no server has it; false: one does. */
    giveReport(): boolean {
        if (this.own) {
            this.openReport().catch((error: Error) => this.onMessage(error.message, "bad"));
        }
        return this.own !== null;
    }

    private async openReport(): Promise<void> {
        if (!this.own) {
            window.open(language() === "es" ? "report-es.html" : "report.html", "_blank");
            return;
        }
        this.tell("share_reporting");
        const page = await this.own.report(await this.recording());
        this.tell("share_reported");
        window.open(URL.createObjectURL(new Blob([page], { type: "text/html" })), "_blank");
    }

    private async saveWhole(): Promise<void> {
        this.tell("share_packing");
        const recording = await this.recording().catch(() => null);
        saveFile(await this.own!.oneFile!(recording), `${this.fileName()}.html`);
        this.tell("share_packed");
    }
}
