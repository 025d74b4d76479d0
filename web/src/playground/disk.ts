// SPDX-License-Identifier: MIT
// The model file of `biela drive MODEL --edit`: read from the server, and replaced through it in pieces, when somebody says so.

/** what the server says of the file */
export interface DiskFile {
    file: string;
    text: string;
    /** of the text; a save names it, and is refused when the file has another one meanwhile */
    hash: string;
    /** why it cannot be saved */
    locked: string | null;
    /** other files that the model reads, from its folder on */
    files: string[];
}

type Answer = { type: "saved"; hash: string } | { type: "refused"; why: string };

const PIECE = 3000; // bytes of a message's text; the server takes messages of 4 kB
const PATIENCE = 10000; // ms

/** pieces of a text, none of which is longer as JSON */
export function pieces(text: string, most = PIECE): string[] {
    const found: string[] = [];
    const encoder = new TextEncoder();
    let piece = "";
    let size = 0;
    for (const letter of text) {
        const bytes = encoder.encode(JSON.stringify(letter)).length - 2;
        if (size + bytes > most) {
            found.push(piece);
            piece = "";
            size = 0;
        }
        piece += letter;
        size += bytes;
    }
    return [...found, piece];
}

export class Disk {
    private constructor(
        private about: DiskFile,
        private readonly token: string | null,
    ) {}

    static async open(token: string | null): Promise<Disk> {
        const answer = await fetch(`edit${token ? `?token=${encodeURIComponent(token)}` : ""}`);
        if (!answer.ok) {
            throw new Error(await answer.text());
        }
        return new Disk((await answer.json()) as DiskFile, token);
    }

    get file(): DiskFile {
        return this.about;
    }

    async otherFiles(): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }[]> {
        const found = await Promise.all(
            this.about.files.map(async (name, k) => {
                const answer = await fetch(`edit/file/${k}`);
                return answer.ok ? [{ name, bytes: new Uint8Array(await answer.arrayBuffer()) }] : [];
            }),
        );
        return found.flat();
    }

    /** Why it was not saved; null: it was. */
    save(text: string): Promise<string | null> {
        return new Promise((resolve) => {
            const address = new URL(`ws${this.token ? `?token=${encodeURIComponent(this.token)}` : ""}`, location.href);
            address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
            const socket = new WebSocket(address);
            const end = (why: string | null) => {
                clearTimeout(timer);
                socket.close();
                resolve(why);
            };
            const timer = setTimeout(() => end("?"), PATIENCE);
            socket.onerror = () => end("?");
            socket.onclose = () => end("?");
            socket.onopen = () => {
                const all = pieces(text);
                all.forEach((piece, part) => socket.send(JSON.stringify({ type: "save", part, of: all.length, was: this.about.hash, text: piece })));
            };
            socket.onmessage = (event) => {
                const answer = JSON.parse(String(event.data)) as Answer;
                if (answer.type === "saved") {
                    this.about = { ...this.about, text, hash: answer.hash };
                }
                end(answer.type === "saved" ? null : answer.why);
            };
        });
    }
}
