// SPDX-License-Identifier: MIT
// Puts the page together. Address parameters, for tests and pictures: lang=en|es, quality=low|medium|high|best,
// camera=orbit|seat|chase|top, clean (only the picture), gallery (it is open), beside (a frame of the playground),
// embed (a frame of any page).

import { memory } from "./memory.ts";
import { Connection } from "./connection.ts";
import { Headset } from "./presence/headset.ts";
import { Sound } from "./presence/sound.ts";
import { isHand } from "./presence/hand.ts";
import { Gamepads } from "./controls/gamepads.ts";
import { Pilot } from "./controls/pilot.ts";
import { Touch } from "./controls/touch.ts";
import { driverInputs, hudItems, type Frame, type ServerMessage } from "./protocol.ts";
import { QUALITIES } from "./quality.ts";
import { CAMERA_MODES, type CameraMode } from "./scene/camera.ts";
import { onBrokenTexture } from "./scene/looks.ts";
import { View } from "./scene/view.ts";
import { Page } from "./ui/page.ts";
import { chooseLanguage, setLanguage, text } from "./ui/language.ts";
import { listenKeys } from "./keyboard.ts";
import { Recorder } from "./recorder.ts";
import { Latency } from "./latency.ts";
import { setPatience, WorkerTransport } from "./engine/engine.ts";
import { givenDrive, judge, linkTrouble, listenDrops, reportOf, wordsToShow } from "./engine/drops.ts";
import { driveOf } from "./engine/link.ts";
import type { EngineFile } from "./engine/messages.ts";
import { keepOffline } from "./engine/offline.ts";
import { wholePage } from "./engine/whole.ts";
import { isOneFile } from "./assets.ts";
import { listenFrame } from "./playground/frame.ts";
import { MARK } from "./playground/share.ts";
import { SocketTransport, useTransport, type Transport } from "./transport.ts";

const query = new URLSearchParams(location.search);
const isFrame = query.has("beside") || query.has("embed");

async function start(): Promise<void> {
    setLanguage(chooseLanguage(query.get("lang"), memory.get("biela.language"), navigator.language));
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    if (!document.createElement("canvas").getContext("webgl2")) {
        showNoWebgl();
        return;
    }
    const level = QUALITIES.findIndex((quality) => quality.name === query.get("quality"));
    const view = new View(canvas, level >= 0 ? level : null);
    run(view, canvas, await givenDrive(location.hash));
}

/** A clear page instead of a blank one. */
function showNoWebgl(): void {
    const box = document.querySelector<HTMLElement>("#no-webgl")!;
    box.hidden = false;
    box.querySelector("h1")!.textContent = text("no_webgl_title");
    box.querySelector("p")!.textContent = text("no_webgl");
    document.querySelector("#canvas")!.remove();
}

/** given: a drive that the page was opened with */
function run(view: View, canvas: HTMLCanvasElement, given: EngineFile | null): void {
    let newest: Frame | null = null;
    let hasShownGallery = false;
    const latency = new Latency();
    const gamepads = new Gamepads();
    const touch = new Touch();
    const transport = makeTransport(given);
    useTransport(transport);
    const connection: Connection = new Connection(transport, {
        status: (isConnected, attempts) => page.setConnected(isConnected, attempts),
        frame: (frame) => {
            newest = frame;
            latency.received(frame);
            view.setFrame(frame);
            page.setFrame(frame);
            sound.setFrame(frame);
        },
        message: (message) => receive(message),
        failed: (lines, trouble) => {
            const ofLink = given && !trouble ? linkTrouble(lines) : null;
            page.showFailure(lines, given && !trouble ? "link_failed" : "engine_failed", trouble ? `trouble_${trouble}` : ofLink);
        },
    });
    const pilot = new Pilot(connection);
    const recorder = new Recorder(canvas, (use) => view.takePicture(use));
    const sound = new Sound();
    const page = new Page({ canvas, view, connection, pilot, gamepads, touch, recorder, sound });
    for (const name of ["clean", "beside", "embed"]) {
        document.body.classList.toggle(name, query.has(name));
    }

    function receive(message: ServerMessage): void {
        if (message.type === "scene") {
            document.querySelector(".engine-failed")?.remove();
            // the hand's are the mouse's
            const own = driverInputs(message).filter(({ name }) => !isHand(name));
            pilot.setInputs(own, message.controls ?? {});
            // what has no keys is not for a driver
            const driven = own.filter(({ name }) => message.controls?.[name]?.keys?.length !== 0);
            gamepads.setInputs(driven.map((input) => input.name));
            view.setScene(message);
            sound.setScene(message);
            const wanted = hudItems(message).flatMap((item) => (item.kind === "wheel-loads" ? [] : (item.channel ?? [])));
            page.setScene(message, wanted.slice(0, 3));
            // labels are the model's, which the page knows now
            touch.setInputs(driven);
            if (query.has("gallery") && !hasShownGallery) {
                hasShownGallery = true;
                page.act("gallery");
            }
            const camera = query.get("camera") as CameraMode | null;
            if (camera && CAMERA_MODES.includes(camera)) {
                view.rig.set(camera);
            }
        } else if (message.type === "role") {
            pilot.isDriver = message.driver;
            // after a reload the seat is empty: whoever is alone sits down
            if (!message.driver && message.viewers === 1 && message.may_drive) {
                connection.send({ type: "driver" });
            }
        } else if (message.type === "exercise") {
            view.setExercise(message);
        } else if (message.type === "event" && message.hit) {
            sound.hit(message.hit, message.number);
        }
        page.receive(message);
    }

    latency.onAnswer = () => view.arrived();
    listenKeys(pilot, page, latency, () => view.expect(performance.now()));
    gamepads.onAction = (action) => page.act(action);
    gamepads.onChange = (device, isPresent) => page.toast(`${text(isPresent ? "device_found" : "device_lost")}: ${device.id}`, isPresent ? "good" : "bad");
    touch.onChange = () => pilot.update(performance.now());
    onBrokenTexture((file) => page.toast(`${text("texture_bad")}: ${file}`, "bad"));
    view.onMistake = (mistake) => page.toast(`${text("look_bad")}: ${mistake}`, "bad");
    const headset = new Headset(view);
    let canSeePage = true;
    const lookWhoSees = () => {
        pilot.isBlind = !canSeePage || headset.isLost;
        pilot.update(performance.now());
        page.setSight(canSeePage, headset.isLost);
    };
    view.onSight = (canSee) => {
        canSeePage = canSee;
        lookWhoSees();
    };
    gamepads.virtual = () => headset.pad();
    headset.onTurn = (now) => turn(now);
    headset.onError = (reason) => page.toast(`${text("headset_refused")}: ${reason}`, "bad");
    headset.onChange = (state) => {
        page.showHeadset(headset.isIn);
        pilot.releaseKeys();
        lookWhoSees();
        if (state !== "lost") {
            page.toast(text(state === "in" ? "headset_in" : state === "back" ? "headset_back" : "headset_out"), "plain");
        }
    };
    for (const name of ["keydown", "pointerdown"] as const) {
        addEventListener(name, () => headset.noticeHands() && lookWhoSees(), { capture: true });
    }
    page.toggleHeadset = () => void headset.toggle();
    void Headset.isOffered().then((isOffered) => page.offerHeadset(isOffered));
    view.onDrawn = (frame, _began, ended) => latency.drawn(frame, ended);
    gamepads.load("mappings").catch((error: Error) => page.toast(error.message, "bad"));

    if (transport instanceof WorkerTransport && !isFrame) {
        page.share.own = { report: reportOf, oneFile: wholePage };
        listenDrops(transport, page);
        if (given) {
            judge(given, page);
        }
        if (!isOneFile()) {
            keepOffline();
        }
    } else if (given) {
        page.toast(text("link_served"), "bad");
    }
    if (isFrame) {
        listenFrame(transport, connection, () => page.timeline.isPaused);
    }
    addEventListener("hashchange", () => driveOf(location.hash) && location.reload());

    // inputs are also refreshed by a timer, because a covered window gets no animation frames
    setInterval(() => pilot.update(performance.now()), 100);
    const loop = (now: number) => {
        requestAnimationFrame(loop);
        turn(now);
    };
    function turn(now: number): void {
        gamepads.poll();
        pilot.touch = touch.values;
        pilot.devices = gamepads.values();
        pilot.update(performance.now());
        connection.acknowledge();
        view.tick(now);
        page.tick(now);
    }
    requestAnimationFrame(loop);

    // for the tests and for the pictures: what the page knows
    Object.assign(window, {
        biela: { view, page, pilot, headset, sound, gamepads, latency, connection, transport, setPatience, frame: () => newest },
    });
}

/** An engine of the page itself where its folder has one (tools/page), else that of the server it came from. */
function makeTransport(given: EngineFile | null): Transport {
    if (!document.querySelector('meta[name="biela-engine"]')) {
        return new SocketTransport(socketAddress());
    }
    // the playground and links with a text say later what is driven
    const isLater = query.has("beside") || location.hash.startsWith(MARK);
    return given ? new WorkerTransport(wordsToShow(), [given]) : new WorkerTransport(isLater ? [] : driveWords(query));
}

/** ?model=clio&run=zig-zag&set=m=1200&set=... as the words of a command. */
function driveWords(wanted: URLSearchParams): string[] {
    const words = ["drive", wanted.get("model") ?? "forklift", "--record", "/drive.biela"];
    const run = wanted.get("run");
    if (run) {
        words.push("--run", run);
    }
    for (const setting of wanted.getAll("set")) {
        words.push("--set", setting);
    }
    return words;
}

function socketAddress(): string {
    // a token in the page's address goes on to the socket
    const token = query.get("token");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return `${scheme}://${location.host}/ws${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}

void start();
