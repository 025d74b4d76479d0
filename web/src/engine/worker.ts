// SPDX-License-Identifier: MIT
// The engine inside a worker: the command `biela` with a disk in memory. A drive stays and is turned here; any other command
// runs to its end and tells what it printed.

import type { FromEngine, ToEngine } from "./messages.ts";
import { unpack } from "./pack.ts";

interface EngineModule {
    FS: {
        mkdirTree(path: string): void;
        writeFile(path: string, bytes: Uint8Array): void;
        chdir(path: string): void;
    };
    HEAPU8: Uint8Array;
    callMain(words: string[]): number | undefined;
    ccall(name: string, result: string | null, types: string[], values: unknown[]): unknown;
}
declare const bielaEngine: (options: Record<string, unknown>) => Promise<EngineModule>;
declare function importScripts(...names: string[]): void;
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

async function makeEngine(): Promise<EngineModule> {
    importScripts("biela.js");
    return bielaEngine({
        print: (line: string) => printed.push(line),
        printErr: (line: string) => told.push(line),
        onText: (text: string) => postMessage({ type: "text", text }),
        onBytes: (bytes: ArrayBuffer) => postMessage({ type: "bytes", bytes }, [bytes]),
    });
}

async function start(message: ToEngine & { type: "start" }): Promise<void> {
    const [module, answer] = await Promise.all([makeEngine(), fetch(message.pack)]);
    if (!answer.ok) {
        throw new Error(`${message.pack}: ${answer.status}`);
    }
    for (const file of unpack(await answer.arrayBuffer())) {
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
        postMessage({ type: "ended", code: code ?? 0, printed, told });
    }
}

const channel = new MessageChannel();
channel.port1.onmessage = () => turn();

/** Steps that are due; then the page's words are heard before the next turn. */
function turn(): void {
    const wait = 1e3 * (engine!.ccall("page_turn", "number", [], []) as number);
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
    if (message.type === "start") {
        start(message).catch((error: Error) => postMessage({ type: "failed", lines: [...told, String(error?.message ?? error)] }));
    } else if (message.type === "say") {
        engine?.ccall("page_say", null, ["string"], [message.text]);
    } else {
        answer(message.number, message.path);
    }
};
