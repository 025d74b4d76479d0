// SPDX-License-Identifier: MIT
// The engine inside a worker: the command `biela` with a disk in memory. A drive stays and is turned here; any other command
// runs to its end and tells what it printed. web/build.mjs puts biela.js before it.

import { hold, made, Stop, troubleOf, wordsOf } from "./begin.ts";
import { BUILD } from "./build.ts";
import type { FromEngine, ToEngine } from "./messages.ts";
import type { EngineFactory, EngineModule } from "./module.ts";
import { unpack } from "./pack.ts";

declare const bielaEngine: EngineFactory;
declare function postMessage(message: FromEngine, transfer?: Transferable[]): void;

const WHEN_NOTHING_TURNS = 50; // ms
const printed: string[] = [];
const told: string[] = [];
let engine: EngineModule | null = null;

function folderOf(path: string): string {
    return path.slice(0, path.lastIndexOf("/")) || "/";
}

function put(module: EngineModule, path: string, bytes: Uint8Array): void {
    module.FS.mkdirTree(folderOf(path));
    module.FS.writeFile(path, bytes);
}

async function makeEngine(wasmBinary: ArrayBuffer): Promise<EngineModule> {
    const options = {
        wasmBinary,
        print: (line: string) => printed.push(line),
        printErr: (line: string) => told.push(line),
        onText: (text: string) => postMessage({ type: "text", text }),
        onBytes: (bytes: ArrayBuffer) => postMessage({ type: "bytes", bytes }, [bytes]),
    };
    return made(bielaEngine(options));
}

async function start(message: ToEngine & { type: "start" }): Promise<void> {
    if (typeof WebAssembly !== "object") {
        throw new Stop("no_wasm", "WebAssembly is not there");
    }
    if (message.build !== BUILD) {
        throw new Stop("mixed", `page ${message.build}, engine ${BUILD}`);
    }
    hold("biela.wasm", message.wasm);
    if (message.pack) {
        hold("models.pack", message.pack);
    }
    const module = await makeEngine(message.wasm);
    for (const file of message.pack ? unpack(message.pack) : []) {
        put(module, `/${file.path}`, file.bytes);
    }
    for (const file of message.files) {
        put(module, file.path, new Uint8Array(file.bytes));
    }
    module.FS.chdir("/");
    const code = module.callMain(message.words);
    // a drive does not come back from its loop: it waits for turns
    if (module.ccall("page_join", "boolean", [], [])) {
        engine = module;
        postMessage({ type: "ready" });
        turn();
    } else {
        const files = message.wanted.flatMap((path) => (module.FS.analyzePath(path).exists ? [{ path, bytes: module.FS.readFile(path).buffer as ArrayBuffer }] : []));
        postMessage({ type: "ended", code: code ?? 0, printed, told, files });
    }
}

const channel = new MessageChannel();
channel.port1.onmessage = () => turn();

/** The engine ended by itself, in the middle of its work: nothing can be asked of it any more. */
function fail(error: unknown): void {
    engine = null;
    const trouble = troubleOf(error, told);
    postMessage({ type: "failed", lines: [...told.slice(-20), wordsOf(error)], ...(trouble ? { trouble } : {}) });
}

/** Steps that are due; then the page's words are heard before the next turn. */
function turn(): void {
    let wait = -1;
    try {
        wait = 1e3 * (engine!.ccall("page_turn", "number", [], []) as number);
    } catch (error) {
        fail(error);
        return;
    }
    if (wait >= 0 && wait < 2) {
        channel.port2.postMessage(null); // a timer would wait 4 ms at least
    } else {
        setTimeout(turn, wait >= 0 ? wait : WHEN_NOTHING_TURNS);
    }
}

function answer(number: number, path: string): void {
    const size = engine ? (engine.ccall("page_ask", "number", ["string"], [`/${path}`]) as number) : -1;
    if (size < 0) {
        postMessage({ type: "answer", number, bytes: null });
        return;
    }
    const at = engine!.ccall("page_answer", "number", [], []) as number;
    const bytes = engine!.HEAPU8.slice(at, at + size).buffer as ArrayBuffer;
    postMessage({ type: "answer", number, bytes }, [bytes]);
}

onmessage = (event: MessageEvent<ToEngine>) => {
    const message = event.data;
    try {
        if (message.type === "start") {
            start(message).catch(fail);
        } else if (message.type === "say") {
            engine?.ccall("page_say", null, ["string"], [message.text]);
        } else if (message.type === "ping") {
            postMessage({ type: "pong" });
        } else {
            answer(message.number, message.path);
        }
    } catch (error) {
        fail(error);
    }
};
