// SPDX-License-Identifier: MIT
// Pictures and videos of what is on the canvas, saved by the browser as files.

import { el } from "./ui/dom.ts";

function save(blob: Blob, name: string): void {
    const link = el("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export class Recorder {
    private recorder: MediaRecorder | null = null;

    constructor(
        private canvas: HTMLCanvasElement,
        private take: (use: (canvas: HTMLCanvasElement) => void) => void,
    ) {}

    get isRecording(): boolean {
        return this.recorder !== null;
    }

    picture(name: string): void {
        this.take((canvas) => canvas.toBlob((blob) => blob && save(blob, `${name}.png`), "image/png"));
    }

    /** starts, or stops and saves */
    toggleVideo(name: string): void {
        if (this.recorder) {
            this.recorder.stop();
            return;
        }
        const parts: Blob[] = [];
        const recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 8e6 });
        recorder.ondataavailable = (event) => parts.push(event.data);
        recorder.onstop = () => {
            this.recorder = null;
            save(new Blob(parts, { type: "video/webm" }), `${name}.webm`);
        };
        recorder.start(1000);
        this.recorder = recorder;
    }
}
