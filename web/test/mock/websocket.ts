// SPDX-License-Identifier: MIT
// As much of the WebSocket protocol (RFC 6455) as the mock server needs: handshake, text and binary frames, close.

import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ServerMessage } from "../../src/protocol.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // of the protocol

export class Socket {
    onText: (text: string) => void = () => {};
    onClose: () => void = () => {};
    isOpen = true;
    private buffer = Buffer.alloc(0);

    constructor(
        request: IncomingMessage,
        private stream: Duplex,
    ) {
        const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + GUID).digest("base64");
        stream.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
        stream.on("data", (data: Buffer) => this.read(data));
        const end = () => this.close();
        stream.on("close", end);
        stream.on("error", end);
    }

    text(message: ServerMessage): void {
        this.write(1, Buffer.from(JSON.stringify(message)));
    }

    binary(data: ArrayBuffer): void {
        this.write(2, Buffer.from(data));
    }

    close(): void {
        if (this.isOpen) {
            this.isOpen = false;
            this.stream.destroy();
            this.onClose();
        }
    }

    private write(opcode: number, payload: Buffer): void {
        if (!this.isOpen) {
            return;
        }
        const n = payload.length;
        const head = n < 126 ? Buffer.from([0x80 | opcode, n]) : n < 65536 ? Buffer.from([0x80 | opcode, 126, n >> 8, n & 255]) : Buffer.concat([Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0]), uint32(n)]);
        this.stream.write(Buffer.concat([head, payload]));
    }

    /** messages of a page are short, masked, and not split */
    private read(data: Buffer): void {
        this.buffer = Buffer.concat([this.buffer, data]);
        while (this.buffer.length >= 6) {
            const opcode = this.buffer[0]! & 15;
            const short = this.buffer[1]! & 127;
            const at = short === 126 ? 4 : 2;
            const n = short === 126 ? this.buffer.readUInt16BE(2) : short;
            if (this.buffer.length < at + 4 + n) {
                return;
            }
            const mask = this.buffer.subarray(at, at + 4);
            const payload = Buffer.from(this.buffer.subarray(at + 4, at + 4 + n)).map((byte, i) => byte ^ mask[i & 3]!);
            this.buffer = this.buffer.subarray(at + 4 + n);
            if (opcode === 8) {
                this.close();
                return;
            }
            if (opcode === 1) {
                this.onText(Buffer.from(payload).toString());
            }
        }
    }
}

function uint32(n: number): Buffer {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(n);
    return buffer;
}
