// SPDX-License-Identifier: MIT
// Everything round the picture: title, tool bar, display, panels, timeline, messages; and what each action does.

import { memory } from "../memory.ts";
import type { Connection } from "../connection.ts";
import type { Gamepads } from "../controls/gamepads.ts";
import type { Pilot } from "../controls/pilot.ts";
import type { Touch } from "../controls/touch.ts";
import type { ClientMessage, EventMessage, Frame, RoleMessage, SceneMessage, ServerMessage } from "../protocol.ts";
import type { Sound } from "../presence/sound.ts";
import { WEATHERS } from "../presence/weather.ts";
import { SoundPanel } from "../presence/sound_panel.ts";
import { QUALITIES } from "../quality.ts";
import type { Recorder } from "../recorder.ts";
import type { CameraMode } from "../scene/camera.ts";
import type { View } from "../scene/view.ts";
import { fetchAnew } from "../engine/offline.ts";
import { Aftermath } from "./aftermath.ts";
import { BodyPanel } from "../presence/body.ts";
import { Devices } from "./devices.ts";
import { el, icon } from "./dom.ts";
import { Exercise } from "./exercise.ts";
import { Gallery } from "./gallery.ts";
import { Help } from "./help.ts";
import { Hud } from "./hud.ts";
import { Instructor } from "./teach/instructor.ts";
import { InsidePanel } from "./inside.ts";
import { language, onLanguage, setLanguage, text, type Word } from "./language.ts";
import { Modes } from "./modes.ts";
import { ForceLegend } from "./legend.ts";
import { MapPanel } from "./map.ts";
import { capital, said, setNames } from "./names.ts";
import type { Panel } from "./panel.ts";
import { eventName, eventText, refusal } from "./phrases.ts";
import { Parameters } from "./parameters.ts";
import { Plots } from "./plots.ts";
import { ProofBadge } from "./proof.ts";
import { Prints } from "./print.ts";
import { qualityBadge } from "./quality_badge.ts";
import { Share } from "./share.ts";
import { StressLegend } from "./stress.ts";
import { ScenarioEditor } from "./teach/scenario.ts";
import { Station } from "./teach/station.ts";
import { Strip } from "./strip.ts";
import { Timeline } from "./timeline.ts";
import { VerdictBadge } from "./verdict.ts";

export interface Parts {
    canvas: HTMLCanvasElement;
    view: View;
    connection: Connection;
    pilot: Pilot;
    gamepads: Gamepads;
    touch: Touch;
    recorder: Recorder;
    sound: Sound;
}

const TOOLS: Word[] = ["camera", "home", "arrows", "trails", "ghost", "peaks", "headset", "hand", "body", "inside", "plots", "modes", "print", "map", "weather", "parameters", "controls", "sound", "picture", "video", "share", "scenario", "gallery", "help"];
const KEYS: Partial<Record<Word, string>> = { camera: "C", home: "␣", arrows: "A", trails: "T", ghost: "G", peaks: "Z", headset: "⇧2", hand: "0", body: "⇧0", inside: "5", print: "6", map: "7", weather: "⇧7", plots: "P", modes: "X", parameters: "M", controls: "V", sound: "⇧Y", gallery: "8", share: "9", help: "H" };
const TOAST_TIME = 5000; // ms
// ms between two changes of the numbers shown: nobody reads faster
const QUICK_TEXT = 30;
const SLOW_TEXT = 200;

export class Page {
    readonly plots = new Plots();
    readonly modes = new Modes();
    readonly prints = new Prints();
    readonly timeline: Timeline;
    private hud = new Hud();
    private strip = new Strip();
    private stress: StressLegend;
    private parameters: Parameters;
    private devices: Devices;
    readonly inside: InsidePanel;
    readonly body: BodyPanel;
    private sounds: SoundPanel;
    private help = new Help();
    readonly gallery = new Gallery();
    readonly share = new Share();
    readonly proof = new ProofBadge();
    private exercise: Exercise;
    private title = el("strong", { id: "title" });
    private dot = el("span", { class: "dot", id: "connected" });
    private role = el("button", { class: "role", id: "role", click: () => this.send({ type: "driver" }) });
    private notice = el("div", { class: "notice", id: "notice" });
    private toasts = el("div", { class: "toasts", id: "toasts", "aria-live": "polite" });
    private tools = new Map<Word, HTMLButtonElement>();
    private main = el("main", { id: "main" });
    private side = el("aside", { class: "side" });
    private legend = new ForceLegend();
    private map = new MapPanel();
    private menu = el("button", { class: "icon menu", id: "menu", "aria-expanded": "false", "aria-controls": "tools", click: () => this.toggleMenu() }, icon("menu"));
    private touchButton = el("button", { class: "icon", id: "tool-touch", click: () => document.body.classList.toggle("touching") }, icon("touch"));
    private opened: Panel[] = []; // panels in the order in which they were opened
    private languageButton = el("button", { class: "language", id: "language", click: () => this.act("language") });
    private quality = el("button", { class: "quality", id: "quality", click: () => this.cycleQuality() });
    private verdict = new VerdictBadge((reason) => this.toast(reason, "plain"));
    private qualityChoice: number | null = null;
    private isDriver = false;
    private aftermath: Aftermath;
    private instructor: Instructor;
    readonly station: Station;
    readonly scenario: ScenarioEditor;
    private seat: Omit<RoleMessage, "type"> = { driver: false, viewers: 0, taken: false, may_drive: true, instructor: false, frozen: false, waits: false, asks: 0 };
    private asking = el("div", { class: "asking", id: "asking", role: "alert", hidden: true });
    private isConnected = false;
    private scene: SceneMessage | null = null;

    constructor(private parts: Parts) {
        const send = (message: ClientMessage) => this.send(message);
        this.timeline = new Timeline(send);
        this.parameters = new Parameters(send);
        this.exercise = new Exercise(send);
        this.stress = new StressLegend(() => this.act("peaks-reset"));
        this.instructor = new Instructor(send);
        this.station = new Station(send);
        this.scenario = new ScenarioEditor(send);
        this.scenario.onMessage = (message, kind) => this.toast(message, kind);
        this.aftermath = new Aftermath(send, parts.view, () => this.share.giveReport());
        this.devices = new Devices(parts.gamepads, parts.pilot);
        this.devices.onError = (message) => this.toast(message, "bad");
        this.inside = new InsidePanel(parts.view, parts.canvas);
        this.inside.onAsk = () => send({ type: "inside" });
        this.inside.onRegions = (isOn) => this.showRegions(isOn);
        this.body = new BodyPanel(parts.view, parts.canvas, send);
        this.body.onRefused = (why) => this.toast(why, "bad");
        this.body.onParameters = (search) => this.parameters.find(search);
        this.sounds = new SoundPanel(parts.sound);
        this.sounds.onSwitch = () => this.act("sound-switch");
        for (const panel of [this.inside, this.body, this.sounds, this.plots, this.modes, this.prints, this.parameters, this.devices, this.map, this.share]) {
            panel.onToggle = (isOpen) => this.panelToggled(panel, isOpen);
        }
        this.gallery.onChoose = (name) => {
            this.toast(text("gallery_starts"), "plain");
            send({ type: "model", name });
        };
        this.gallery.onError = (message) => this.toast(message, "bad");
        this.exercise.pairs = () => this.parts.pilot.pairs;
        this.exercise.onReport = () => this.share.giveReport();
        this.share.onMessage = (message, kind) => this.toast(message, kind);
        this.share.fileName = () => this.fileName();
        this.plots.onSeek = (t) => send({ type: "seek", t });
        this.build();
        onLanguage(() => this.translate());
    }

    private build(): void {
        const bar = el("nav", { class: "tools", id: "tools" });
        for (const name of TOOLS) {
            const button = el("button", { class: "icon", id: `tool-${name}`, click: () => this.act(name) }, icon(name));
            button.hidden = name === "headset";
            this.tools.set(name, button);
            bar.append(button);
        }
        bar.append(this.touchButton, this.languageButton);
        if (matchMedia("(pointer: coarse)").matches) {
            document.body.classList.add("touching");
        }
        const head = el("header", { class: "head" }, this.dot, this.title, this.verdict.root, this.role, this.exercise.choice, this.quality, this.menu);
        this.side.append(this.inside.root, this.body.root, this.sounds.root, this.plots.root, this.modes.root, this.prints.root, this.parameters.root, this.devices.root, this.map.root, this.share.root, this.stress.root);
        this.main.append(
            this.parts.canvas,
            this.hud.root,
            this.exercise.card,
            this.aftermath.root,
            this.instructor.root,
            this.instructor.banner,
            this.station.root,
            this.parts.touch.root,
            this.hud.warning,
            this.legend.root,
            this.inside.label,
            this.asking,
            this.notice,
            this.proof.root,
            this.strip.root,
        );
        document.body.append(head, bar, this.main, this.side, this.timeline.root, this.toasts, this.help.root, this.gallery.root, this.scenario.root);
        // a button that was clicked must not take the next space or Enter; one that a key pressed keeps the focus
        document.addEventListener("click", (event) => {
            if (event.detail > 0) {
                (event.target as HTMLElement).closest("button")?.blur();
            }
        });
    }

    private translate(): void {
        document.documentElement.lang = language();
        for (const [name, button] of this.tools) {
            button.title = text(name) + (KEYS[name] ? `  (${KEYS[name]})` : "");
            button.setAttribute("aria-label", text(name));
        }
        for (const [node, word] of [
            [this.main, "main_region"],
            [document.querySelector("#tools"), "tools_region"],
            [this.side, "side_region"],
            [document.querySelector(".head"), "head_region"],
            [this.menu, "menu"],
            [this.touchButton, "touch"],
            [this.parts.canvas, "scene_text"],
        ] as [HTMLElement, Word][]) {
            node.setAttribute("aria-label", text(word));
        }
        this.menu.title = text("menu");
        this.touchButton.title = text("touch");
        this.languageButton.textContent = language() === "en" ? "ES" : "EN";
        this.languageButton.title = text("language");
        this.languageButton.setAttribute("aria-label", `${this.languageButton.textContent} ${text("language")}`);
        this.showRole();
        this.showConnection();
        this.showQuality();
        this.verdict.show();
        if (this.scene) {
            this.showTitle(this.scene);
            this.strip.setInputs(this.parts.pilot.inputs, this.parts.pilot.pairs);
        }
    }

    private send(message: ClientMessage): void {
        this.parts.connection.send(message);
    }

    // ---- actions of keys, buttons and devices ------------------------------------------------------------------

    act(action: string): void {
        const { view, recorder } = this.parts;
        if (action.startsWith("camera-")) {
            this.setCamera(action.slice(7) as CameraMode);
            return;
        }
        const name = this.fileName();
        const actions: Record<string, () => void> = {
            play: () => this.timeline.toggle(),
            rewind: () => this.timeline.holdRewind(true),
            "rewind-end": () => this.timeline.holdRewind(false),
            slower: () => this.timeline.changeSpeed(-1),
            faster: () => this.timeline.changeSpeed(1),
            step: () => this.send({ type: "step", n: 1 }),
            take: () => this.timeline.takeOver(),
            restart: () => this.send({ type: "restart" }),
            camera: () => this.setCamera(null),
            home: () => {
                view.goHome();
                this.toast(text("home"), "plain");
            },
            arrows: () => this.nextArrows(),
            trails: () => this.toggle("trails", !view.isShowingTrails),
            ghost: () => this.toggle("ghost", !view.isShowingGhost),
            peaks: () => this.togglePeaks(),
            "peaks-reset": () => {
                view.resetPeaks();
                this.stress.update(view.machine, view.isHoldingPeaks);
            },
            sound: () => this.sounds.show(!this.sounds.isOpen),
            "sound-switch": () => this.switchSound(),
            headset: () => this.tools.get("headset")!.hidden || this.toggleHeadset(),
            weather: () => this.nextWeather(),
            hand: () => this.toggleHand(),
            body: () => this.body.show(!this.body.isOpen),
            inside: () => this.inside.show(!this.inside.isOpen),
            plots: () => this.plots.show(!this.plots.isOpen),
            modes: () => this.modes.show(!this.modes.isOpen && !this.tools.get("modes")!.hidden),
            print: () => this.prints.show(!this.prints.isOpen && !this.tools.get("print")!.hidden),
            parameters: () => this.parameters.show(!this.parameters.isOpen),
            controls: () => this.devices.show(!this.devices.isOpen),
            map: () => this.map.show(!this.map.isOpen && this.map.isUseful),
            gallery: () => this.gallery.show(!this.gallery.isOpen && !this.tools.get("gallery")!.hidden),
            share: () => this.share.show(!this.share.isOpen && !this.tools.get("share")!.hidden),
            scenario: () => this.scenario.show(!this.scenario.isOpen && this.scenario.isUseful),
            help: () => this.help.show(!this.help.isOpen),
            language: () => this.switchLanguage(),
            picture: () => recorder.picture(name),
            video: () => {
                recorder.toggleVideo(name);
                this.tools.get("video")!.classList.toggle("active", recorder.isRecording);
            },
            escape: () => this.closeAll(),
        };
        actions[action]?.();
    }

    private fileName(): string {
        return `${this.scene?.model ?? "biela"}-${this.parts.view.machine ? this.timelineName() : ""}`;
    }

    private timelineName(): string {
        return (document.querySelector("#clock")?.textContent ?? "").replace(/[^0-9]+/g, "-");
    }

    private setCamera(mode: CameraMode | null): void {
        const { rig } = this.parts.view;
        if (mode) {
            rig.set(mode);
        } else {
            mode = rig.next();
        }
        this.toast(`${text("camera")}: ${text(`camera-${mode}` as Word)}`, "plain");
    }

    private nextArrows(): void {
        const level = this.parts.view.nextArrows();
        this.tools.get("arrows")!.classList.toggle("active", level > 0);
        this.askArrows();
        this.legend.show(this.parts.view.arrowKinds(), this.parts.view);
        this.toast(`${text("arrows")}: ${text((["off", "arrows_outside", "arrows_all"] as const)[level]!)}`, "plain");
    }

    /** forces come with the frames while somebody looks at them, or at the regions where they act */
    private askArrows(): void {
        this.send({ type: "arrows", on: this.parts.view.needsArrows });
    }

    private showRegions(isOn: boolean): void {
        if (isOn !== this.parts.view.isShowingRegions) {
            this.parts.view.showRegions(isOn);
            this.askArrows();
        }
    }

    private toggle(what: "trails" | "ghost", isOn: boolean): void {
        this.parts.view.show(what, isOn);
        this.tools.get(what)!.classList.toggle("active", isOn);
        if (what === "ghost") {
            this.send({ type: what, on: isOn });
        }
        this.toast(`${text(what)}: ${text(isOn ? "on" : "off")}`, "plain");
    }

    private togglePeaks(): void {
        const { view } = this.parts;
        if (!this.tools.get("peaks")!.hidden) {
            view.holdPeaks(!view.isHoldingPeaks);
            this.tools.get("peaks")!.classList.toggle("active", view.isHoldingPeaks);
            this.stress.update(view.machine, view.isHoldingPeaks);
            this.toast(`${text("peaks")}: ${text(view.isHoldingPeaks ? "on" : "off")}`, "plain");
        }
    }

    private toggleHand(): void {
        const { pulling } = this.body;
        if (!this.tools.get("hand")!.hidden) {
            pulling.isOn = !pulling.isOn;
            this.tools.get("hand")!.classList.toggle("active", pulling.isOn);
            document.body.classList.toggle("has-hand", pulling.isOn);
            this.toast(`${text("hand")}: ${text(pulling.isOn ? "on" : "off")}`, "plain");
        }
    }

    private nextWeather(): void {
        const { view } = this.parts;
        const next = WEATHERS[(WEATHERS.indexOf(view.weather) + 1) % WEATHERS.length]!;
        view.setWeather(next);
        this.tools.get("weather")!.classList.toggle("active", next !== "day");
        const friction = next === "rain" ? `. ${text(this.scene?.parameters.some(({ name }) => name === "mu") ? "weather_mu" : "weather_look")}` : "";
        this.toast(`${text("weather")}: ${text(`weather_${next}`)}${friction}`, "plain");
    }

    private switchSound(): void {
        const isOn = this.parts.sound.toggle();
        this.sounds.build();
        this.tools.get("sound")!.classList.toggle("sounding", isOn);
        this.toast(`${text("sound")}: ${text(isOn ? "on" : "off")}`, "plain");
    }

    toggleHeadset: () => void = () => {};

    offerHeadset(isOffered: boolean): void {
        this.tools.get("headset")!.hidden = !isOffered;
    }

    showHeadset(isIn: boolean): void {
        this.tools.get("headset")!.classList.toggle("active", isIn);
        this.tools.get("headset")!.setAttribute("aria-pressed", String(isIn));
    }

    private switchLanguage(): void {
        const next = language() === "en" ? "es" : "en";
        memory.set("biela.language", next);
        setLanguage(next);
    }

    private cycleQuality(): void {
        const next = this.qualityChoice === null ? 0 : this.qualityChoice + 1;
        this.qualityChoice = next < QUALITIES.length ? next : null;
        this.parts.view.setQuality(this.qualityChoice);
        this.showQuality();
    }

    private closeAll(): void {
        this.aftermath.close();
        this.help.show(false);
        this.gallery.show(false);
        this.scenario.show(false);
        this.inside.show(false);
        this.body.show(false);
        this.sounds.show(false);
        this.plots.show(false);
        this.modes.show(false);
        this.prints.show(false);
        this.parameters.show(false);
        this.devices.show(false);
        this.map.show(false);
        this.share.show(false);
        this.closeMenu();
        (document.activeElement as HTMLElement | null)?.blur();
    }

    /** panels share the screen: two beside the picture, one over it on a phone; the oldest makes room */
    private panelToggled(panel: Panel, isOpen: boolean): void {
        const tool = this.tools.get(panel.name);
        tool?.classList.toggle("active", isOpen);
        tool?.setAttribute("aria-pressed", String(isOpen));
        this.opened = [...this.opened.filter((other) => other !== panel), ...(isOpen ? [panel] : [])];
        const most = matchMedia("(max-width: 1000px), (max-height: 560px)").matches ? 1 : 2;
        while (this.opened.length > most) {
            this.opened[0]!.show(false);
        }
        document.body.classList.toggle("has-panel", this.opened.length > 0);
        if (isOpen) {
            this.closeMenu();
        }
    }

    private toggleMenu(): void {
        const isOpen = document.body.classList.toggle("menu-open");
        this.menu.setAttribute("aria-expanded", String(isOpen));
    }

    private closeMenu(): void {
        document.body.classList.remove("menu-open");
        this.menu.setAttribute("aria-expanded", "false");
    }

    // ---- what comes in -----------------------------------------------------------------------------------------

    setScene(scene: SceneMessage, wanted: string[]): void {
        this.scene = scene;
        this.gallery.setModel(scene.model);
        setNames(scene);
        this.showTitle(scene);
        this.title.title = [scene.model, scene.run, `biela ${scene.version}`, scene.hash].filter((part) => part !== "").join(" · ");
        this.hud.setScene(scene);
        // with their signs: the strip shows what the machine gets in the same sense as it is asked
        this.strip.setInputs(this.parts.pilot.inputs, this.parts.pilot.pairs);
        this.help.setPairs(this.parts.pilot.pairs);
        // a graph has nothing to be seen but its numbers
        const isGraph = scene.bodies.length === 0;
        document.body.classList.toggle("graph", isGraph);
        this.plots.setChannels(scene.channels, wanted.length > 0 ? wanted : scene.channels.slice(0, isGraph ? 3 : 2).map((channel) => channel.name));
        if (isGraph && !this.plots.isOpen) {
            this.plots.show(true);
        }
        this.modes.setScene(scene);
        // only models that say which parameters follow the drive have eigenvalues to show
        this.tools.get("modes")!.hidden = !scene.live_modes;
        this.tools.get("print")!.hidden = this.prints.setScene(scene) === 0;
        this.tools.get("peaks")!.hidden = scene.flexible.length === 0;
        this.stress.setScene(scene);
        this.inside.setScene(scene);
        this.body.setScene(scene);
        this.sounds.build();
        this.tools.get("hand")!.hidden = !this.body.hand.canPull;
        this.tools.get("body")!.hidden = scene.bodies.length === 0;
        this.parameters.setScene(scene);
        this.map.setScene(scene, this.parts.view);
        this.proof.setScene(scene);
        this.tools.get("map")!.hidden = !this.map.isUseful;
        this.exercise.setScene(scene);
        this.station.setScene(scene, this.parts.view);
        this.scenario.setScene(scene);
        this.tools.get("scenario")!.hidden = !this.scenario.isUseful || scene.kind !== "drive";
        this.aftermath.setScene(scene);
        this.timeline.reset();
        this.timeline.setKind(scene.kind);
        // results are looked at, not driven
        this.tools.get("parameters")!.hidden = scene.kind === "results";
        this.tools.get("ghost")!.hidden = scene.kind === "results";
        this.tools.get("controls")!.hidden = scene.kind === "results";
        this.tools.get("share")!.hidden = scene.kind === "results";
        // a recording stays with its model
        this.tools.get("gallery")!.hidden = scene.kind !== "drive";
        if (scene.still) {
            this.toast(`${scene.still} ${text("still_bodies")}`, "plain");
        }
        this.showRole();
        // a new run is not judged by the last one
        this.verdict.set(null);
        // what the viewer shows is also what the server needs to send
        this.askArrows();
    }

    setFrame(frame: Frame): void {
        this.plots.add(frame);
        this.prints.add(frame);
        this.map.add(frame);
        this.station.setFrame(frame);
        this.aftermath.setFrame(frame);
        this.pending = this.newest = frame;
        // keys mean something else when the machine stands or is a replay: that is never shown late
        if (frame.flags !== this.flags || frame.asked !== this.asked) {
            this.flags = frame.flags;
            this.asked = frame.asked;
            this.showFrame(frame);
        }
    }

    private showFrame(frame: Frame): void {
        this.timeline.setFrame(frame);
        this.hud.update(frame);
        this.strip.update(frame);
        this.stress.update(this.parts.view.machine, this.parts.view.isHoldingPeaks);
        this.pending = null;
    }

    private flags = -1;
    private asked = 0;

    private pending: Frame | null = null;
    private newest: Frame | null = null;
    private shown = 0;

    receive(message: ServerMessage): void {
        switch (message.type) {
            case "role":
                this.setRole(message);
                break;
            case "event":
                this.timeline.addEvent(message);
                this.aftermath.event(message);
                this.tellEvent(message);
                break;
            case "timeline":
                this.timeline.setTimeline(message);
                this.aftermath.isRecorded = message.recording !== null;
                this.plots.setTimeline(message.begin, message.end);
                break;
            case "report":
                this.timeline.setReport(message);
                this.verdict.set(message.verdict);
                break;
            case "exercise":
                this.exercise.set(message);
                this.body.hasExercise = message.name !== "";
                this.aftermath.exercise(message);
                this.station.setExercise(message);
                this.map.setMarks(message.name === "" ? [] : message.marks);
                break;
            case "modes":
                this.modes.set(message);
                break;
            case "inside":
                this.inside.set(message);
                this.body.setInside(message);
                break;
            case "saved":
                this.scenario.saved(message.name, message.file);
                break;
            case "error":
                this.toast(refusal(message.text), "bad");
                break;
            case "scene":
                break;
        }
    }

    /** once per picture: numbers change at most as often as they can be seen */
    tick(now: number): void {
        // where the page's text is painted by the same processor as the picture, every change of it delays the picture
        const pause = this.parts.view.isSoftware ? SLOW_TEXT : QUICK_TEXT;
        if (this.pending && now - this.shown >= pause) {
            this.shown = now;
            this.showFrame(this.pending);
        }
        this.inside.follow();
        this.body.tick(this.newest, now);
        this.legend.follow(this.parts.view);
        this.map.draw(now);
        this.station.draw(now);
        this.plots.draw(now);
        this.modes.draw();
        this.prints.draw(now);
        this.devices.update(now);
        if (this.qualityChoice === null && this.quality.dataset.level !== String(this.parts.view.judge.level)) {
            this.showQuality();
        }
    }

    setConnected(isConnected: boolean, attempts: number): void {
        const wasConnected = this.isConnected;
        this.isConnected = isConnected;
        this.showConnection(attempts, wasConnected);
    }

    /** without a picture the controls are let go, and that is said */
    setSight(canSee: boolean, isHeadsetLost: boolean): void {
        this.blindness = !canSee ? "blind" : isHeadsetLost ? "headset_lost" : null;
        this.showConnection();
    }

    private blindness: Word | null = null;

    private showConnection(attempts = 0, wasConnected = false): void {
        this.dot.classList.toggle("good", this.isConnected);
        this.notice.hidden = this.isConnected && !this.blindness;
        this.notice.textContent = this.isConnected && this.blindness ? text(this.blindness) : text(attempts > 1 || wasConnected || this.scene ? "lost" : "connecting");
    }

    private setRole(message: RoleMessage): void {
        this.seat = message;
        // what the viewer shows is also what the server needs to send; only the driver may ask for it
        if (message.driver && !this.isDriver) {
            this.send({ type: "ghost", on: this.parts.view.isShowingGhost });
        }
        this.isDriver = message.driver;
        this.aftermath.isDriver = this.body.isDriver = message.driver;
        this.instructor.setRole(message);
        this.station.setRole(message);
        this.showRole();
    }

    private showRole(): void {
        const { waits, may_drive, viewers, asks } = this.seat;
        // results are nobody's: everybody plays them
        this.role.hidden = this.scene?.kind === "results";
        const wish = waits ? text("seat_asked") : text("drive_ask");
        // time is the driver's there, too, and nothing else
        const own = this.parts.pilot.pairs.length > 0 ? "driving" : "runs_itself";
        this.role.textContent = this.seat.instructor ? text("instructor") : this.isDriver ? text(own) : may_drive ? `${text("watching")} · ${wish}` : text("seat_watch_only");
        this.role.disabled = this.isDriver || waits || !may_drive;
        this.role.title = viewers > 1 ? `${viewers} ${text("viewers")}` : "";
        this.role.classList.toggle("driver", this.isDriver);
        this.asking.hidden = asks === 0;
        this.asking.replaceChildren(
            el("span", {}, text("seat_wanted")),
            el("button", { id: "seat-give", click: () => this.send({ type: "seat", give: true }) }, text("seat_give")),
            el("button", { id: "seat-keep", click: () => this.send({ type: "seat", give: false }) }, text("seat_keep")),
        );
    }

    private showTitle(scene: SceneMessage): void {
        this.title.textContent = document.title = capital(said(scene.title) || scene.model);
    }

    private showQuality(): void {
        const level = this.parts.view.judge.level;
        this.quality.dataset.level = String(level);
        const badge = qualityBadge(level, this.qualityChoice !== null);
        this.quality.textContent = badge.label;
        this.quality.title = badge.title;
    }

    /** of what happens again and again the newest alone is shown; an instructor has a list of it */
    private tellEvent(message: EventMessage): void {
        const words = `${eventName(message.name)}${message.text ? `: ${eventText(message)}` : ""}`;
        this.station.event(words);
        // whoever learns to drive has the badge of the verdict, and no words about local errors
        const isForOthers = message.name === "verdict" && this.body.hasExercise;
        if ((!this.station.isOpen && !isForOthers) || message.name === "comment") {
            this.toasts.querySelector(`[data-event="${CSS.escape(message.name)}"]`)?.remove();
            this.toast(words, "plain").dataset.event = message.name;
        }
    }

    /** the engine of the page cannot work: its own words, and a way on */
    showFailure(lines: string[], heading: Word = "engine_failed", reason: Word | null = null): void {
        document.querySelector(".engine-failed")?.remove();
        this.proof.set(null);
        const again = el("a", { href: location.pathname }, text("engine_again"));
        const words = el("pre", {}, lines.join("\n"));
        const retry = el("button", { class: "primary", click: () => void fetchAnew() }, text("engine_retry"));
        const why = reason ? [el("p", {}, text(reason))] : [];
        document.body.append(el("div", { class: "no-webgl engine-failed", role: "alert" }, el("h1", {}, text(heading)), ...why, words, retry, el("p", {}, again)));
    }

    toast(message: string, kind: "plain" | "good" | "bad"): HTMLElement {
        // what is said again is not said twice
        [...this.toasts.children].find((other) => other.textContent === message)?.remove();
        const node = el("div", { class: `toast ${kind}` }, message);
        this.toasts.append(node);
        while (this.toasts.children.length > 4) {
            this.toasts.firstElementChild!.remove();
        }
        setTimeout(() => node.remove(), kind === "plain" ? TOAST_TIME / 2 : TOAST_TIME);
        return node;
    }
}
