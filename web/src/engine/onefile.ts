// SPDX-License-Identifier: MIT
// The page, its engine, the models and a drive as one file that opens from a disk. The page makes it (Share), and tools/page --one-file.

/** what is inside, by the names of the page's folder; `given.biela` is the drive that it shows, where there is one */
export type Parts = Map<string, Uint8Array>;

export const PACKED = ["engine/worker.js", "engine/biela.wasm", "models.pack", "mappings/index.json", "mappings/gamepad.json", "mappings/joystick.json", "mappings/wheel.json"];
export const PLAIN = ["index.html", "style.css", "viewer.js", "icon.svg"];
export const GIVEN = "given.biela";

function base64(bytes: Uint8Array): string {
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += 0x6000) {
        parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))));
    }
    return parts.join("");
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** what a script may hold inside a page: the same program without the letters that would end it */
function inScript(text: string): string {
    return text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
}

function textOf(parts: Parts, name: string): string {
    const bytes = parts.get(name);
    if (!bytes) {
        throw new Error(`${name} is missing`);
    }
    return new TextDecoder().decode(bytes);
}

export async function assemble(parts: Parts): Promise<string> {
    const packed: string[] = [];
    for (const name of [...PACKED, GIVEN]) {
        const bytes = parts.get(name);
        if (bytes) {
            packed.push(`<script type="text/plain" id="asset:${name}" data-packed>${base64(await gzip(bytes))}</script>`);
        } else if (name !== GIVEN) {
            throw new Error(`${name} is missing`);
        }
    }
    const page = textOf(parts, "index.html");
    const head = [
        `<link rel="icon" href="data:image/svg+xml;base64,${base64(parts.get("icon.svg") ?? new Uint8Array())}">`,
        '<meta name="biela-engine" content="worker">',
        `<style id="asset:style.css">${textOf(parts, "style.css")}</style>`,
        `<script type="text/plain" id="asset:index.html" data-packed>${base64(await gzip(parts.get("index.html")!))}</script>`,
        `<script type="text/plain" id="asset:icon.svg" data-packed>${base64(await gzip(parts.get("icon.svg") ?? new Uint8Array()))}</script>`,
    ];
    const script = `<script type="module" id="asset:viewer.js">${inScript(textOf(parts, "viewer.js"))}</script>`;
    return page
        .replace(/<html\b/, () => "<html data-one-file")
        .replace(/<(link|meta name="biela)[^>]*>\n?/g, "")
        .replace(/<script type="module"[^>]*><\/script>\n?/, "")
        .replace("</head>", () => `${head.join("\n")}\n</head>`)
        .replace("</body>", () => `${packed.join("\n")}\n${script}\n</body>`);
}
