// SPDX-License-Identifier: MIT
// A stand-in for `biela drive`, for work on the page and for tests without the engine: node dist-test/mock/server.mjs PORT.
// Plays the make-believe forklift at real time by the same protocol, with rewind, branch, ghost, driver and watchers.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeFrame, FLAG, type ClientMessage, type Expression, type Frame, type ReportMessage, type Verdict } from "../../src/protocol.ts";
import { advance, arrows, channels, INPUTS, inside, poses, scene, START, type Inputs, type State } from "./forklift.ts";
import { Socket } from "./websocket.ts";

const DT = 0.005;
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");

class Simulation {
    history: State[] = [START]; // one per step
    ghost: State[] = [];
    inputs: Inputs = {};
    isPaused = false;
    shown = 0; // index of the state on the screen
    speed = 1;
    branch = 0;
    parameters: Record<string, number> = {};
    private debt = 0;

    get isRewound(): boolean {
        return this.shown < this.history.length - 1;
    }

    run(seconds: number): void {
        if (this.isPaused) {
            return;
        }
        this.debt += seconds * this.speed;
        while (this.debt >= DT) {
            this.debt -= DT;
            this.step();
        }
    }

    step(): void {
        if (!this.isRewound) {
            this.history.push(advance(this.history[this.shown]!, this.inputs, DT));
        }
        this.shown++;
        if (this.shown === this.history.length - 1 && this.wasRewound) {
            this.isPaused = true;
        }
    }

    wasRewound = false;

    seek(t: number): void {
        this.shown = Math.max(0, Math.min(this.history.length - 1, Math.round(t / DT)));
        this.isPaused = true;
        this.wasRewound = true;
    }

    take(): void {
        this.ghost = this.history;
        this.history = this.history.slice(0, this.shown + 1);
        this.wasRewound = false;
        this.branch++;
    }

    restart(set: Record<string, Expression>): void {
        Object.entries(set).forEach(([name, value]) => (this.parameters[name] = Number(value)));
        this.history = [START];
        this.ghost = [];
        this.shown = 0;
        this.isPaused = this.wasRewound = false;
    }

    frame(number: number): Frame {
        const state = this.history[this.shown]!;
        const ghost = this.ghost[this.shown];
        const flags = (this.isPaused ? FLAG.paused : 0) | (this.wasRewound ? FLAG.rewound : 0) | (ghost ? FLAG.ghost : 0);
        return {
            number,
            t: this.shown * DT,
            asked: this.speed,
            reached: this.isPaused ? 0 : this.speed,
            flags,
            poses: poses(state),
            channels: channels(state),
            arrows: arrows(state),
            inputs: new Float32Array(INPUTS.map((name) => this.inputs[name] ?? 0)),
            ghost: ghost ? poses(ghost) : new Float32Array(0),
            modes: new Float32Array(0),
        };
    }
}

const simulation = new Simulation();
const clients = new Map<Socket, { waiting: number[] }>(); // numbers of the frames sent and not yet acknowledged;
let driver: Socket | null = null;
let askers: Socket[] = [];
let number = 0;

function sendScene(): void {
    for (const socket of clients.keys()) {
        socket.text(scene(simulation.parameters));
    }
}

function sendRoles(): void {
    for (const socket of clients.keys()) {
        const asks = socket === driver ? askers.length : 0;
        socket.text({ type: "role", driver: socket === driver, viewers: clients.size, taken: driver !== null, may_drive: true, instructor: false, frozen: false, waits: askers.includes(socket), asks });
    }
}

function receive(socket: Socket, message: ClientMessage): void {
    if (message.type === "ack") {
        const client = clients.get(socket)!;
        client.waiting = client.waiting.filter((sent) => sent > message.frame);
        return;
    }
    if (message.type === "driver") {
        if (driver === null) {
            driver = socket;
        } else if (!askers.includes(socket)) {
            askers.push(socket);
        }
        sendRoles();
        return;
    }
    if (message.type === "inside") {
        socket.text(inside());
        return;
    }
    if (socket !== driver) {
        return;
    }
    switch (message.type) {
        case "seat":
            driver = message.give ? (askers[0] ?? driver) : driver;
            askers = message.give ? askers.slice(1) : [];
            sendRoles();
            break;
        case "inputs":
            Object.assign(simulation.inputs, message.values);
            break;
        case "pause":
            simulation.isPaused = true;
            break;
        case "play":
            simulation.isPaused = false;
            break;
        case "step":
            simulation.isPaused = true;
            for (let k = 0; k < message.n; k++) {
                simulation.step();
            }
            break;
        case "speed":
            simulation.speed = message.value;
            break;
        case "seek":
            simulation.seek(message.t);
            break;
        case "take":
            simulation.take();
            break;
        case "restart":
            simulation.restart(message.set ?? {});
            sendScene();
            break;
        case "exercise":
            sendExercise(message.name);
            break;
        default:
            break;
    }
}

/** counts, times, values: every tenth state */
function history(): Buffer {
    const rows = simulation.history.map((state, k) => ({ t: k * DT, values: channels(state) })).filter((_, k) => k % 10 === 0);
    const counts = new Uint32Array([rows[0]!.values.length, rows.length]);
    const numbers = new Float32Array([...rows.map(({ t }) => t), ...rows.flatMap(({ values }) => [...values])]);
    return Buffer.concat([Buffer.from(counts.buffer), Buffer.from(numbers.buffer)]);
}

/** make-believe, too: heavy loads are doubtful */
function verdict(): Verdict {
    const load = simulation.parameters.load ?? 0;
    const outcome = load > 3000 ? "bad" : load > 2000 ? "doubtful" : "good";
    return outcome === "good" ? { outcome } : { outcome, line: `${outcome}: load is ${load} kg (limit 2000) at t = 0 s; to try: less` };
}

function report(): ReportMessage {
    return {
        type: "report",
        steps: simulation.history.length,
        worst_us: 812,
        worst_t: 0,
        mean_us: 214,
        misses: 0,
        slips: 0,
        slipped: 0,
        factor: 1,
        deadline_us: 1e6 * DT,
        histogram: [],
        rooms: { step: 20, ghost: 0, history: 500, frame: 200, log: 900 },
        verdict: verdict(),
    };
}

function sendExercise(name: string): void {
    for (const socket of clients.keys()) {
        socket.text({
            type: "exercise",
            name,
            title: "Slalom",
            text: "Drive round the cones without touching them, then stop before the line.",
            state: "running",
            waits: false,
            time: simulation.shown * DT,
            limit: 60,
            goals: [{ text: "Pass gate 1", done: true }, { text: "Pass gate 2", done: false }, { text: "Stop before the line", done: false }],
            score: 100,
            limits: [{ text: "Speed, m/s", value: 1.2, max: 3, broken: false, times: 0, cost: 10 }],
            reasons: [],
            marks: [
                { kind: "gate", at: [8, 1, 0], size: [3], angle: 1.57, done: true, next: false },
                { kind: "gate", at: [14, -1, 0], size: [3], angle: 1.57, done: false, next: true },
                { kind: "zone", at: [31, 0, 0], size: [4, 4], done: false, next: false },
            ],
        });
    }
}

const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
    if (path === "/history") {
        response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(history());
        return;
    }
    const file = join(dist, path === "/" ? "index.html" : path);
    if (!file.startsWith(dist) || !existsSync(file)) {
        response.writeHead(404).end("not found");
        return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
});

server.on("upgrade", (request, stream) => {
    const socket = new Socket(request, stream);
    clients.set(socket, { waiting: [] });
    driver ??= socket;
    socket.onText = (text) => receive(socket, JSON.parse(text) as ClientMessage);
    socket.onClose = () => {
        clients.delete(socket);
        askers = askers.filter((other) => other !== socket);
        if (driver === socket) {
            driver = null;
            simulation.inputs = {};
        }
        sendRoles();
    };
    socket.text(scene(simulation.parameters));
    sendRoles();
});

let last = performance.now();
setInterval(() => {
    const now = performance.now();
    simulation.run(Math.min(0.1, (now - last) / 1000));
    last = now;
    const frame = simulation.frame(++number);
    const data = encodeFrame(frame);
    for (const [socket, client] of clients) {
        // a client that does not acknowledge gets nothing more
        if (client.waiting.length < 4) {
            client.waiting.push(number);
            socket.binary(data);
        }
    }
}, 16);
setInterval(() => {
    for (const socket of clients.keys()) {
        socket.text({ type: "timeline", begin: 0, end: (simulation.history.length - 1) * DT, now: simulation.shown * DT, branch: simulation.branch, recording: "mock.recording" });
        socket.text(report());
    }
}, 250);

const port = Number(process.argv[2] ?? 8707);
server.listen(port, "127.0.0.1", () => {
    const address = server.address() as { port: number };
    console.log(`http://127.0.0.1:${address.port}/`);
});
