// SPDX-License-Identifier: MIT
// The playground: a model's text beside its scene and plots. Parameters of the address: lang=en|es, model=NAME of the gallery,
// limit=SECONDS that reading and running may take (for tests).

import { memory } from "../memory.ts";
import { fetchAnew, keepOffline } from "../engine/offline.ts";
import { chooseLanguage, language, setLanguage, text as sayPage } from "../ui/language.ts";
import type { Issue, Outcome, Project } from "./bench.ts";
import { Desk, NoResult } from "./desk.ts";
import { Disk } from "./disk.ts";
import { Editor } from "./editor.ts";
import { Files, download, listenDrops } from "./files.ts";
import { Layout } from "./layout.ts";
import { Mistakes } from "./mistakes.ts";
import { OpenDialog, Shelf, type Opened } from "./open.ts";
import { Results } from "./results.ts";
import { Scene } from "./scene.ts";
import { ModelSchema, type Schema } from "./schema.ts";
import { BadLink, LONGEST_LINK, checked as checkedShare, pack, unpackLink, type Shared } from "./share.ts";
import { emptyModel, outputChange, snippetChange, withParameter, type Snippet } from "./snippets.ts";
import { Steps } from "./steps.ts";
import { Store, type Kept } from "./store.ts";
import { Sweep } from "./sweep.ts";
import { child, readTree } from "./tree.ts";
import { say } from "./words.ts";

const query = new URLSearchParams(location.search);
const QUIET = 350; // ms without a key before the text is read
const limit = 1e3 * Number(query.get("limit") ?? 20);

/** what the engine makes of it: without comments and what stands behind lines */
const essence = (text: string): string => text.replace(/(^|\s)#[^\n]*/g, "$1").replace(/[ \t]+$/gm, "").replace(/\n+/g, "\n");

/** nothing in it can move: neither bodies nor a graph */
const isBare = (text: string): boolean => ["bodies", "graphs", "include"].every((section) => (child(readTree(text), section)?.children.length ?? 0) === 0);

class Playground {
    private desk = new Desk({ check: limit, run: limit });
    private shelf = new Shelf();
    private store = new Store();
    private editor = new Editor();
    private mistakes = new Mistakes(this.editor);
    private results = new Results();
    private sweep = new Sweep(this.desk, this.results);
    private steps = new Steps();
    private files = new Files();
    private scene = new Scene(query, 3 * limit);
    private dialog = new OpenDialog(this.shelf, this.store);
    private layout: Layout;
    private name = "model";
    private base: string | undefined;
    private wantedHash: string | undefined; // of the link that was opened
    private isEdited = false;
    private round = 0;
    private timer = 0;
    private shown = ""; // essence of the text that scene and plots show
    private issues: Issue[] = [];
    private outcome: Outcome | null = null;
    private isFull = false;
    private disk: Disk | null = null; // of `biela drive MODEL --edit`

    constructor() {
        this.layout = new Layout(
            { editor: this.editor.root, mistakes: this.mistakes.root, steps: this.steps.root, files: this.files.root, scene: this.scene.root, results: this.results.root, sweep: this.sweep.root },
            { open: () => this.dialog.show(), share: () => void this.share(), saveBrowser: () => this.saveBrowser(), saveFile: () => this.saveFile(), saveDisk: () => void this.saveDisk(), language: () => this.switchLanguage() },
            query.has("edit"),
        );
        document.body.append(this.dialog.root);
        this.editor.onChange = (text) => this.changed(text, true);
        this.editor.onSave = () => (query.has("edit") ? void this.saveDisk() : this.saveBrowser());
        this.results.onSeek = (t) => this.scene.seek(t);
        this.results.onChoose = () => this.keep();
        this.sweep.onUse = (name, value) => this.useValue(name, value);
        this.sweep.onTrouble = (error) => this.trouble(error, "run");
        this.steps.onAdd = (what) => this.add(what);
        this.steps.onEmpty = () => this.open({ text: emptyModel(language()), name: "model" });
        this.steps.onLook = () => this.look();
        this.files.onChange = () => this.changed(this.editor.text, true);
        this.dialog.onOpen = (opened) => this.open(opened);
        this.dialog.onFiles = (files) => void this.take(files);
        this.dialog.onError = (message) => this.layout.tell(message, "bad");
        this.scene.onSilent = () => this.layout.setTrouble(say("limit_scene"), () => this.again());
        listenDrops((files) => void this.take(files));
        addEventListener("hashchange", () => void this.openLink());
        // another tab may have made room in the browser by forgetting this text
        addEventListener("pagehide", () => this.keep());
        document.addEventListener("visibilitychange", () => document.hidden && this.keep());
        addEventListener("beforeunload", (event) => this.isFull && this.isEdited && event.preventDefault());
        const tick = () => {
            requestAnimationFrame(tick);
            this.results.tick(this.scene.time);
            this.layout.setLoading(this.scene.isLoading);
        };
        requestAnimationFrame(tick);
    }

    // ---- beginning -----------------------------------------------------------------------------------------------

    async begin(): Promise<void> {
        await this.store.claim();
        const schema = fetch("schema.json").then((answer) => answer.json() as Promise<Schema>);
        schema.then((found) => this.editor.useSchema(new ModelSchema(found))).catch((error: Error) => this.layout.tell(error.message, "bad"));
        if (typeof WebAssembly !== "object") {
            this.layout.setTrouble(say("no_engine"));
        }
        if (await this.openLink()) {
            return;
        }
        if (query.has("edit") && (await this.openDisk())) {
            return;
        }
        const model = query.get("model");
        const own = this.store.ownDraft();
        const last = own ?? (model ? null : (this.store.drafts()[0] ?? null));
        const text = model && !own ? await this.shelf.model(model).catch(() => null) : null;
        if (model && text !== null) {
            this.open({ text: text.replace(/^(#[^\n]*\n)+/, ""), name: model, base: model });
        } else if (last) {
            this.openKept(last);
            this.layout.tell(say("kept"));
        } else {
            this.open({ text: emptyModel(language()), name: "model" });
        }
    }

    /** the file of the server; false: it does not give it */
    private async openDisk(): Promise<boolean> {
        try {
            this.disk = await Disk.open(query.get("token"));
            const { file, hash, text, locked } = this.disk.file;
            const own = this.store.ownDraft();
            const others = await this.disk.otherFiles();
            if (own?.disk?.file === file && own.disk.hash === hash) {
                // changes of before a reload, to the file as it still is
                this.openKept(own);
            } else {
                this.leave();
                this.name = file.replace(/\.ya?ml$/i, "");
                others.forEach(({ name, bytes }) => this.files.put(name, bytes));
                this.setText(text);
            }
            if (locked) {
                this.layout.tell(`${say("save_failed")} ${locked}`, "bad");
            }
            return true;
        } catch (error) {
            this.layout.tell((error as Error).message, "bad");
            return false;
        }
    }

    /** the model of the address; false: it holds none */
    private async openLink(): Promise<boolean> {
        try {
            const shared = await unpackLink(location.hash);
            if (shared) {
                this.openShared(shared);
            }
            return shared !== null;
        } catch (error) {
            const own = this.store.ownDraft() ?? this.store.drafts()[0] ?? null;
            const way = await this.layout.showBadLink(error instanceof BadLink && error.isNewer, own !== null);
            history.replaceState(null, "", location.pathname + location.search);
            if (way === "own" && own) {
                this.openKept(own);
            } else {
                this.open({ text: emptyModel(language()), name: "model" });
            }
            return true;
        }
    }

    private openShared(shared: Shared): void {
        this.leave();
        this.disk = null;
        if (!this.files.unpack(shared.files)) {
            throw new BadLink(false);
        }
        this.base = shared.base;
        this.results.chosen = shared.plots ?? [];
        this.wantedHash = shared.hash;
        this.setText(shared.text);
    }

    private openKept(kept: Kept): void {
        this.base = kept.base;
        this.name = kept.name;
        this.files.unpack(kept.files);
        this.results.chosen = kept.plots ?? [];
        this.wantedHash = undefined;
        this.setText(kept.text);
    }

    private open(opened: Opened): void {
        this.leave();
        this.disk = null; // another model never takes the place of the file
        if (opened.kept) {
            this.openKept(opened.kept);
            return;
        }
        this.files.clear();
        this.base = opened.base;
        this.name = opened.name;
        this.results.chosen = [];
        this.wantedHash = undefined;
        this.steps.show(isBare(opened.text)); // whoever opens a machine has taken them
        this.setText(opened.text);
        this.editor.focus();
    }

    /** what was written by hand stays in the list of texts */
    private leave(): void {
        if (this.isEdited || this.store.ownDraft()) {
            this.store.leave();
        }
        this.isEdited = false;
    }

    private setText(text: string): void {
        this.shown = "";
        this.editor.setText(text, true);
        this.changed(text, false);
    }

    // ---- every change --------------------------------------------------------------------------------------------

    private changed(text: string, isByHand: boolean): void {
        if (isByHand) {
            this.isEdited = true;
            if (location.hash) {
                history.replaceState(null, "", location.pathname + location.search); // the link is that of another text now
            }
        }
        this.keep();
        this.steps.update(text);
        this.layout.setTitle(child(readTree(text), "name")?.text || this.name, this.base ?? null);
        // what is still read or run belongs to another text
        this.round++;
        this.layout.setState("checking", say("state_checking"));
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.follow(), isByHand ? QUIET : 0);
    }

    private kept(): Kept {
        const { text } = this.editor;
        const files = this.files.packed();
        const title = child(readTree(text), "name")?.text || this.name;
        const disk = this.disk ? { disk: { file: this.disk.file.file, hash: this.disk.file.hash } } : {};
        return { version: 1, text, name: title, time: Date.now(), plots: this.results.chosen, ...disk, ...(this.base ? { base: this.base } : {}), ...(files ? { files } : {}) };
    }

    private keep(): void {
        if (this.editor.text === "") {
            return; // nothing was opened yet, or it was all deleted: what was kept before is worth more
        }
        const isKept = this.store.keepDraft(this.kept());
        if (!isKept && !this.isFull) {
            this.layout.tell(say("save_full"), "bad");
        }
        this.isFull = !isKept;
    }

    private get path(): string {
        return this.base ? `/models/${this.base}/model.yaml` : `/${this.disk?.file.file ?? "model.yaml"}`;
    }

    private async project(): Promise<Project> {
        const { text } = this.editor;
        const folder = this.path.slice(0, this.path.lastIndexOf("/"));
        return { text, path: this.path, files: this.files.engineFiles(folder, text), pack: this.base ? await this.shelf.pack() : null };
    }

    /** reads the text; where it has no mistakes, scene and plots follow */
    private async follow(): Promise<void> {
        const round = ++this.round;
        const isOver = () => round !== this.round;
        const { text } = this.editor;
        let stage: "check" | "run" = "check";
        this.desk.stop();
        this.layout.setState("checking", say("state_checking"));
        try {
            const project = await this.project();
            await this.desk.use(project);
            const checked = await this.desk.check();
            if (isOver()) {
                return;
            }
            this.layout.setTrouble(null);
            // a text without a body is a beginning, no mistake
            const isEmpty = isBare(text) && checked.issues.every((issue) => issue.where === "bodies");
            this.issues = isEmpty ? [] : checked.issues;
            this.mistakes.show(this.issues, this.path);
            if (isEmpty) {
                this.layout.setState("checking", say("state_empty"));
                return;
            }
            if (!checked.isGood) {
                this.layout.setOld(this.shown !== "");
                this.showState();
                return;
            }
            this.layout.setOld(false);
            const wanted = essence(text) + this.files.names.join();
            if (this.shown === wanted && this.outcome) {
                this.showState();
                return;
            }
            this.shown = wanted;
            this.outcome = null;
            this.layout.setState("running", say("state_running"));
            const bytes = new TextEncoder().encode(text).buffer as ArrayBuffer;
            void this.scene.show(this.path, [...project.files, { path: this.path, bytes }], this.base !== undefined);
            stage = "run";
            const outcome = await this.desk.run();
            if (!isOver()) {
                this.showOutcome(outcome);
            }
        } catch (error) {
            if (!isOver() && !(error instanceof NoResult && error.why === "stopped")) {
                this.trouble(error as Error, stage);
            }
        }
    }

    private showOutcome(outcome: Outcome): void {
        this.outcome = outcome;
        if (outcome.isGood) {
            this.results.show(outcome);
            // in the order of the text
            const order = child(readTree(this.editor.text), "parameters")?.children.map((one) => one.key) ?? [];
            this.sweep.setParameters([...outcome.parameters].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)));
        }
        this.issues = outcome.issues;
        if (outcome.failure) {
            this.issues = [...this.issues, { severity: "warning", file: "", line: 0, column: 0, where: "run", message: outcome.failure }];
        }
        this.mistakes.show(this.issues, this.path);
        this.showState();
        this.keep();
    }

    private trouble(error: Error, stage: "check" | "run"): void {
        const why = error instanceof NoResult ? error.why : "broken";
        const trouble = error instanceof NoResult ? error.trouble : undefined;
        this.shown = stage === "check" ? this.shown : "";
        this.layout.setState("trouble", say("state_broken"));
        const known = trouble ? `${sayPage(`trouble_${trouble}`)} ${say("text_kept")}` : say("broken");
        const words = why === "limit" ? say(stage === "check" ? "limit_check" : "limit_run") : `${known} ${error.message === why ? "" : error.message}`;
        // what was kept of another build is forgotten; the text stays, and is there again
        this.layout.setTrouble(words.trim(), () => (trouble === "mixed" || trouble === "missing" ? void fetchAnew() : this.again()));
    }

    private again(): void {
        this.shown = "";
        this.layout.setTrouble(null);
        void this.follow();
    }

    private showState(): void {
        const errors = this.issues.filter((issue) => issue.severity === "error").length;
        const notes = this.issues.length - errors;
        const { outcome } = this;
        if (errors > 0) {
            this.layout.setState("mistakes", `${errors} ${say(errors === 1 ? "mistake" : "mistakes")}`);
        } else {
            this.layout.setState("good", notes > 0 ? `${say("state_good")} · ${notes} ${say("warnings")}` : say("state_good"));
        }
        if (outcome?.hash && this.wantedHash) {
            const isSame = outcome.hash === this.wantedHash;
            this.layout.setResult(isSame ? `✓ ${say("result_same")} (${outcome.hash})` : `✗ ${say("result_other")} ${this.wantedHash}`, isSame ? "good" : "bad");
        } else {
            this.layout.setResult(outcome?.hash ? `${say("result")} ${outcome.hash}` : "", "plain", outcome?.verdict ?? "");
        }
        document.body.dataset.hash = outcome?.hash ?? "";
    }

    // ---- what somebody does ----------------------------------------------------------------------------------------

    private add(what: Snippet): void {
        const output = outputChange(this.editor.text, what);
        if (output) {
            this.editor.insert(output.from, output.to, output.insert);
        }
        const change = snippetChange(this.editor.text, what);
        this.editor.insert(change.from, change.to, change.insert, change.select);
    }

    private look(): void {
        this.layout.look("scene");
        document.querySelector<HTMLElement>("#channel-filter")?.focus();
    }

    private useValue(name: string, value: number): void {
        const changed = withParameter(this.editor.text, name, String(value));
        if (changed !== null) {
            this.editor.setText(changed);
        }
    }

    private switchLanguage(): void {
        const next = language() === "en" ? "es" : "en";
        memory.set("biela.language", next);
        setLanguage(next);
        for (const part of [this.layout, this.editor, this.mistakes, this.results, this.sweep, this.steps, this.dialog]) {
            part.translate();
        }
        this.files.draw();
        this.scene.setLanguage();
        this.showState();
    }

    /** a file name for this model */
    private get slug(): string {
        const title = child(readTree(this.editor.text), "name")?.text || this.name;
        return title.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "model";
    }

    private async share(): Promise<void> {
        const { time: _time, name: _name, disk: _disk, ...shared } = this.kept();
        // the hash is that of the text only when the run is
        const isCurrent = this.outcome?.hash && this.shown === essence(this.editor.text) + this.files.names.join();
        const whole: Shared = { ...shared, ...(isCurrent ? { hash: this.outcome!.hash } : {}) };
        const address = new URL(location.href);
        address.search = language() === "es" ? "?lang=es" : "";
        address.hash = await pack(whole);
        if (address.href.length > LONGEST_LINK) {
            download(`${this.slug}.biela.json`, JSON.stringify(whole), "application/json");
            this.layout.tell(say("share_large"));
            return;
        }
        history.replaceState(null, "", address.href);
        const isCopied = await navigator.clipboard?.writeText(address.href).then(() => true, () => false);
        this.layout.tell(say(isCopied ? "share_done" : "share_address"), "good");
    }

    private saveBrowser(): void {
        const kept = this.kept();
        const isSaved = this.store.save(kept);
        this.layout.tell(isSaved ? `${say("saved_browser")} ${kept.name}` : say("save_full"), isSaved ? "good" : "bad");
    }

    /** the file itself, after a question; refused when it has changed meanwhile */
    private async saveDisk(): Promise<void> {
        const { disk } = this;
        if (!disk) {
            this.layout.tell(say("save_detached"), "bad");
            return;
        }
        if (!(await this.layout.ask(say("save_ask"), disk.file.file))) {
            return;
        }
        const why = await disk.save(this.editor.text);
        if (why === null) {
            this.layout.tell(`${say("saved_disk")} ${disk.file.file}`, "good");
            this.keep();
        } else {
            const words = { changed: say("file_changed"), guest: say("save_guest"), "?": say("save_silent") }[why] ?? `${say("save_failed")} ${why}`;
            this.layout.tell(words, "bad");
        }
    }

    private saveFile(): void {
        download(`${this.slug}.yaml`, this.editor.text, "application/yaml");
    }

    /** files that were dropped or chosen: a model takes the place of the text, others stand beside it */
    private async take(files: File[]): Promise<void> {
        const isModel = (file: File) => /\.ya?ml$/i.test(file.name);
        const isShared = (file: File) => /\.biela\.json$/i.test(file.name);
        const shared = files.find(isShared);
        if (shared) {
            try {
                this.openShared(checkedShare(await shared.text()));
            } catch {
                this.layout.tell(`${shared.name}: ${say("link_bad_title")}`, "bad");
            }
            return;
        }
        const model = files.find(isModel);
        if (model) {
            this.open({ text: await model.text(), name: model.name.replace(/\.ya?ml$/i, "") });
        }
        for (const file of files.filter((one) => one !== model)) {
            const isTaken = await this.files.add(file);
            this.layout.tell(isTaken ? `${say("file_added")} ${file.name}` : `${file.name} ${say("file_large")}`, isTaken ? "good" : "bad");
        }
        this.changed(this.editor.text, true);
    }
}

setLanguage(chooseLanguage(query.get("lang"), memory.get("biela.language"), navigator.language));
if (!query.has("edit")) {
    keepOffline();
}
const playground = new Playground();
void playground.begin();
// for the tests: what the page knows
Object.assign(window, { playground });
