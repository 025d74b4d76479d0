// SPDX-License-Identifier: MIT
// Puts the page together. Address parameters, for tests and pictures: lang=en|es, quality=low|medium|high|best,
// camera=orbit|seat|chase|top, clean (only the picture), gallery (it is open).

import { Connection } from "./connection.ts";
import { Gamepads } from "./controls/gamepads.ts";
import { Pilot } from "./controls/pilot.ts";
import { Touch } from "./controls/touch.ts";
import { EngineSound } from "./sound.ts";
import { hudItems, type Frame, type ServerMessage } from "./protocol.ts";
import { QUALITIES } from "./quality.ts";
import { CAMERA_MODES, type CameraMode } from "./scene/camera.ts";
import { onBrokenTexture } from "./scene/looks.ts";
import { View } from "./scene/view.ts";
import { Page } from "./ui/page.ts";
import { chooseLanguage, setLanguage, text } from "./ui/language.ts";
import { listenKeys } from "./keyboard.ts";
import { Recorder } from "./recorder.ts";
import { Latency } from "./latency.ts";
import { WorkerTransport } from "./engine/engine.ts";
import { listenDrops } from "./engine/drops.ts";
import { SocketTransport, useTransport, type Transport } from "./transport.ts";

const query = new URLSearchParams(location.search);

function start(): void {
    setLanguage(chooseLanguage(query.get("lang"), localStorage.getItem("biela.language"), navigator.language));
    const canvas = document.querySelector<HTMLCanvasElement>("#canvas")!;
    if (!document.createElement("canvas").getContext("webgl2")) {
        showNoWebgl();
        return;
    }
    const level = QUALITIES.findIndex((quality) => quality.name === query.get("quality"));
    const view = new View(canvas, level >= 0 ? level : null);
    run(view, canvas);
}

/** A clear page instead of a blank one. */
function showNoWebgl(): void {
    const box = document.querySelector<HTMLElement>("#no-webgl")!;
    box.hidden = false;
    box.querySelector("h1")!.textContent = text("no_webgl_title");
    box.querySelector("p")!.textContent = text("no_webgl");
    document.querySelector("#canvas")!.remove();
}

function run(view: View, canvas: HTMLCanvasElement): void {
    let newest: Frame | null = null;
    let hasShownGallery = false;
    const latency = new Latency();
    const gamepads = new Gamepads();
    const touch = new Touch();
    const transport = makeTransport();
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
        failed: (lines) => page.showFailure(lines),
    });
    const pilot = new Pilot(connection);
    const recorder = new Recorder(canvas, (use) => view.takePicture(use));
    const sound = new EngineSound();
    const page = new Page({ canvas, view, connection, pilot, gamepads, touch, recorder, sound });
    document.body.classList.toggle("clean", query.has("clean"));

    function receive(message: ServerMessage): void {
        if (message.type === "scene") {
            pilot.setInputs(message.inputs, message.controls ?? {});
            touch.setInputs(message.inputs);
            // what has no keys is not for a driver
            gamepads.setInputs(message.inputs.map((input) => input.name).filter((name) => message.controls?.[name]?.keys?.length !== 0));
            view.setScene(message);
            sound.setChannels(message.channels);
            const wanted = hudItems(message).flatMap((item) => (item.kind === "wheel-loads" ? [] : (item.channel ?? [])));
            page.setScene(message, wanted.slice(0, 3));
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
    view.onSight = (canSee) => {
        pilot.isBlind = !canSee;
        pilot.update(performance.now());
        page.setSight(canSee);
    };
    view.onDrawn = (frame, _began, ended) => latency.drawn(frame, ended);
    gamepads.load("mappings").catch((error: Error) => page.toast(error.message, "bad"));

    if (transport instanceof WorkerTransport) {
        listenDrops(transport, page);
    }

    // inputs are also refreshed by a timer, because a covered window gets no animation frames
    setInterval(() => pilot.update(performance.now()), 100);
    const loop = (now: number) => {
        requestAnimationFrame(loop);
        gamepads.poll();
        pilot.touch = touch.values;
        pilot.devices = gamepads.values();
        pilot.update(performance.now());
        connection.acknowledge();
        view.tick(now);
        page.tick(now);
    };
    requestAnimationFrame(loop);

    // for the tests and for the pictures: what the page knows
    Object.assign(window, {
        biela: { view, page, pilot, gamepads, latency, connection, frame: () => newest },
    });
}

/** An engine of the page itself where its folder has one (tools/page), else that of the server it came from. */
function makeTransport(): Transport {
    if (!document.querySelector('meta[name="biela-engine"]')) {
        return new SocketTransport(socketAddress());
    }
    return new WorkerTransport(driveWords(query));
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

start();
