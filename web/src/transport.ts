// SPDX-License-Identifier: MIT
// How the page reaches an engine: a server by a WebSocket, or one inside a worker of the page itself. Both speak the
// messages of messages.ts and answer the same paths (mesh/3, history, models).

import type { Trouble } from "./engine/messages.ts";

export interface Hearer {
    opened(): void;
    text(text: string): void;
    bytes(bytes: ArrayBuffer): void;
    closed(): void;
    /** the engine cannot work, and trying again will not help: its own words */
    failed(lines: string[], trouble?: Trouble): void;
}

export interface Transport {
    readonly isOpen: boolean;
    open(hearer: Hearer): void;
    send(text: string): void;
    ask(path: string): Promise<Response>;
}

export class SocketTransport implements Transport {
    private socket: WebSocket | null = null;

    constructor(private address: string) {}

    get isOpen(): boolean {
        return this.socket?.readyState === WebSocket.OPEN;
    }

    open(hearer: Hearer): void {
        const socket = new WebSocket(this.address);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        socket.onopen = () => hearer.opened();
        socket.onclose = () => hearer.closed();
        socket.onmessage = (event) => (typeof event.data === "string" ? hearer.text(event.data) : hearer.bytes(event.data as ArrayBuffer));
    }

    send(text: string): void {
        this.socket!.send(text);
    }

    ask(path: string): Promise<Response> {
        return fetch(path);
    }
}

let current: Transport | null = null;

/** The engine that resource() asks from now on. */
export function useTransport(transport: Transport): void {
    current = transport;
}

/** What the engine has under a path. */
export function resource(path: string): Promise<Response> {
    return current ? current.ask(path) : fetch(path);
}
