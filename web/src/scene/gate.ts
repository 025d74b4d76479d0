// SPDX-License-Identifier: MIT
// The graphics unit: whether it is still busy with a drawing, and whether it is one at all.

export interface Drawing {
    frame: number; // its number
    began: number; // ms
    ended: number;
}

/** Lets the next drawing begin only when the last one is finished: a slow unit would queue pictures otherwise. */
export class Gate {
    private sync: WebGLSync | null = null;
    private drawing = { frame: 0, began: 0 };

    constructor(private gl: WebGL2RenderingContext) {}

    get isBusy(): boolean {
        return this.sync !== null;
    }

    /** a drawing was asked for */
    close(frame: number, began: number): void {
        this.sync = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        this.gl.flush();
        this.drawing = { frame, began };
    }

    /** the unit was lost, and the drawing with it */
    forget(): void {
        this.sync = null;
    }

    /** the drawing that has just been finished; null: none, or it is still busy */
    poll(): Drawing | null {
        if (!this.sync || this.gl.clientWaitSync(this.sync, 0, 0) === this.gl.TIMEOUT_EXPIRED) {
            return null;
        }
        this.gl.deleteSync(this.sync);
        this.sync = null;
        return { ...this.drawing, ended: performance.now() };
    }
}

/** asked of a context of its own, because ours cannot change its smoothing of edges later */
export function isSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2")!;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /llvmpipe|swiftshader|software|basic render/i.test(name);
}
