// SPDX-License-Identifier: MIT
// Day, dusk and rain as looks of the page: what the model says of its light stays as it is by day. Rain is seen, not felt: how slippery the
// ground is, is a parameter of the model.

import * as THREE from "three";
import type { SceneLight } from "../protocol.ts";

export const WEATHERS = ["day", "dusk", "rain"] as const;
export type Weather = (typeof WEATHERS)[number];

interface Air {
    light: SceneLight;
    /** of the sky, from below the horizon upwards; none: as it is made for a clear day */
    sky: string[] | null;
    /** of the usual sight */
    sight: number;
}

/** what is seen, beside what the model says under `light` */
export function airOf(weather: Weather, own: SceneLight): Air {
    switch (weather) {
        case "day":
            return { light: own, sky: null, sight: 1 };
        case "dusk":
            return { light: { sun: [-0.86, 0.46, 0.2], colour: "#ff9a5a", brightness: 0.6, ambient: 0.62, sky: "#8d8394" }, sky: ["#3a3538", "#8b6f78", "#e79a62", "#8a6f8d", "#3d4a73", "#1e2a4d"], sight: 0.9 };
        case "rain":
            return { light: { sun: [-0.3, -0.3, 0.9], colour: "#dfe6ec", brightness: 0.2, ambient: 1.05, sky: "#9aa3ab" }, sky: ["#7f868b", "#9aa3ab", "#a6aeb5", "#959da5", "#868e96", "#7b838b"], sight: 0.45 };
    }
}

/** a column of colours, for the whole height of a sky; the horizon is in its middle */
export function skyColumn(colours: string[]): THREE.DataTexture {
    const rows = 128;
    const data = new Uint8Array(4 * rows);
    const parsed = colours.map((colour) => new THREE.Color(colour).convertLinearToSRGB());
    for (let k = 0; k < rows; k++) {
        // half of them is ground, which is hardly seen; most change is just above the horizon
        const up = Math.max(0, (k / (rows - 1)) * 2 - 1);
        const at = k < rows / 2 ? Math.min(1, (2 * k) / rows) : 1 + (parsed.length - 2) * Math.sqrt(up);
        const low = Math.min(parsed.length - 1, Math.floor(at));
        const colour = parsed[low]!.clone().lerp(parsed[Math.min(parsed.length - 1, low + 1)]!, at - low);
        data.set([255 * colour.r, 255 * colour.g, 255 * colour.b, 255].map(Math.round), 4 * k);
    }
    const texture = new THREE.DataTexture(data, 1, rows);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.magFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    return texture;
}

const DROPS = 1600;
const BOX = 9; // m, half of the side of the box of drops round the eye
const FALL = 8; // m/s
const STREAK = 0.32; // m

export class Rain {
    readonly root: THREE.LineSegments;
    private start: Float32Array;
    private fallen = 0;

    constructor() {
        this.start = new Float32Array(3 * DROPS);
        let state = 7;
        for (let i = 0; i < this.start.length; i++) {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            this.start[i] = (state / 0x100000000) * 2 * BOX;
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * DROPS), 3));
        this.root = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: "#dfe8f0", transparent: true, opacity: 0.5, fog: false, toneMapped: false }));
        this.root.frustumCulled = false;
        this.root.visible = false;
        this.root.name = "rain";
    }

    /** the drops stand in the world: whoever drives passes through them */
    update(eye: THREE.Vector3, seconds: number): void {
        if (!this.root.visible) {
            return;
        }
        this.fallen += FALL * Math.min(seconds, 0.1);
        const places = this.root.geometry.getAttribute("position") as THREE.BufferAttribute;
        const wrap = (x: number, middle: number) => middle - BOX + ((((x - middle + BOX) % (2 * BOX)) + 2 * BOX) % (2 * BOX));
        for (let k = 0; k < DROPS; k++) {
            const x = wrap(this.start[3 * k]!, eye.x);
            const y = wrap(this.start[3 * k + 1]!, eye.y);
            const z = wrap(this.start[3 * k + 2]! - this.fallen, eye.z);
            places.setXYZ(2 * k, x, y, z);
            places.setXYZ(2 * k + 1, x, y, z + STREAK);
        }
        places.needsUpdate = true;
    }
}

/** lamps of a vehicle, lit at dusk: one cone of light ahead */
export function makeLamp(length: number): THREE.SpotLight {
    const lamp = new THREE.SpotLight("#fff0d2", 60 * length, 12 * length, 0.55, 0.6, 1.4);
    lamp.castShadow = false;
    lamp.name = "lamp";
    return lamp;
}
