// SPDX-License-Identifier: MIT
// Textures painted in code: nothing has to be downloaded, and nobody's pictures are needed.

import * as THREE from "three";
import { fractalNoise, makeRandom, smoothNoise } from "./noise.ts";

/** sharp textures seen at a flat angle; in software they cost twenty times as much as all the rest of the picture */
let anisotropy = 8;

export function setSharpTextures(isSharp: boolean): void {
    anisotropy = isSharp ? 8 : 1;
}

type Paint = (context: CanvasRenderingContext2D, size: number) => void;

function makeTexture(size: number, metres: number, paint: Paint): THREE.CanvasTexture {
    const canvas = document.createElement("canvas");
    canvas.width = size;
    canvas.height = size;
    paint(canvas.getContext("2d", { willReadFrequently: true })!, size);
    const texture = new THREE.CanvasTexture(canvas);
    texture.wrapS = THREE.RepeatWrapping;
    texture.wrapT = THREE.RepeatWrapping;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.anisotropy = anisotropy;
    // coordinates of our geometry are metres
    texture.repeat.set(1 / metres, 1 / metres);
    return texture;
}

/** Fills the canvas with a colour that varies: grain per pixel and clouds of two sizes. */
function speckle(context: CanvasRenderingContext2D, size: number, base: number[], grain: number, cloud: number, seed: number): void {
    const random = makeRandom(seed);
    const image = context.createImageData(size, size);
    for (let j = 0; j < size; j++) {
        for (let i = 0; i < size; i++) {
            const large = fractalNoise((i / size) * 4, (j / size) * 4, 4, 5) - 0.5;
            const value = cloud * large + grain * (random() - 0.5);
            const at = 4 * (j * size + i);
            for (let c = 0; c < 3; c++) {
                image.data[at + c] = base[c]! + value;
            }
            image.data[at + 3] = 255;
        }
    }
    context.putImageData(image, 0, 0);
}

/** Cast concrete in slabs of 5 m with joints, stains and a few cracks. */
export function concreteTexture(): THREE.CanvasTexture {
    return makeTexture(1024, 10, (context, size) => {
        speckle(context, size, [176, 172, 164], 16, 46, 1);
        const random = makeRandom(2);
        // each slab was poured on another day
        for (let k = 0; k < 4; k++) {
            context.fillStyle = random() > 0.5 ? `rgba(255,250,240,${random() * 0.07})` : `rgba(40,40,50,${random() * 0.07})`;
            context.fillRect(((k & 1) * size) / 2, ((k >> 1) * size) / 2, size / 2, size / 2);
        }
        for (let k = 0; k < 26; k++) {
            const x = random() * size;
            const y = random() * size;
            const r = 10 + random() * 50;
            const stain = context.createRadialGradient(x, y, 0, x, y, r);
            stain.addColorStop(0, `rgba(70,62,50,${0.05 + random() * 0.09})`);
            stain.addColorStop(1, "rgba(70,62,50,0)");
            context.fillStyle = stain;
            context.fillRect(x - r, y - r, 2 * r, 2 * r);
        }
        context.strokeStyle = "rgba(60,58,54,0.30)";
        context.lineWidth = 1;
        for (let k = 0; k < 5; k++) {
            context.beginPath();
            let x = random() * size;
            let y = random() * size;
            context.moveTo(x, y);
            for (let s = 0; s < 14; s++) {
                x += (random() - 0.4) * 26;
                y += (random() - 0.5) * 26;
                context.lineTo(x, y);
            }
            context.stroke();
        }
        for (const at of [0, size / 2]) {
            context.fillStyle = "rgba(50,48,45,0.75)";
            context.fillRect(at, 0, 2.5, size);
            context.fillRect(0, at, size, 2.5);
            context.fillStyle = "rgba(255,255,255,0.22)";
            context.fillRect(at + 2.5, 0, 1.5, size);
            context.fillRect(0, at + 2.5, size, 1.5);
        }
    });
}

export function asphaltTexture(): THREE.CanvasTexture {
    return makeTexture(512, 6, (context, size) => speckle(context, size, [98, 99, 102], 34, 22, 3));
}

export function grassTexture(): THREE.CanvasTexture {
    return makeTexture(512, 14, (context, size) => {
        speckle(context, size, [110, 128, 74], 40, 50, 4);
        const random = makeRandom(5);
        for (let k = 0; k < 5000; k++) {
            const light = random();
            context.strokeStyle = `rgba(${90 + 70 * light},${110 + 60 * light},${50 + 30 * light},0.35)`;
            const x = random() * size;
            const y = random() * size;
            context.beginPath();
            context.moveTo(x, y);
            context.lineTo(x + (random() - 0.5) * 6, y + (random() - 0.5) * 6);
            context.stroke();
        }
    });
}

export function gravelTexture(): THREE.CanvasTexture {
    return makeTexture(512, 5, (context, size) => {
        speckle(context, size, [168, 155, 132], 46, 40, 6);
        const random = makeRandom(7);
        for (let k = 0; k < 1600; k++) {
            const grey = 110 + random() * 100;
            context.fillStyle = `rgba(${grey},${grey * 0.95},${grey * 0.86},0.6)`;
            context.beginPath();
            context.arc(random() * size, random() * size, 1 + random() * 2.4, 0, 7);
            context.fill();
        }
    });
}

/** Profiled sheet metal: one wave per 0.25 m, light so that the material's colour tints it. */
export function sheetTexture(): THREE.CanvasTexture {
    return makeTexture(256, 2, (context, size) => {
        for (let i = 0; i < size; i++) {
            const phase = ((i / size) * 8) % 1;
            const shade = phase < 0.12 ? 165 : phase < 0.5 ? 240 : phase < 0.62 ? 255 : 222;
            context.fillStyle = `rgb(${shade},${shade},${shade})`;
            context.fillRect(i, 0, 1, size);
        }
        for (let j = 0; j < size; j += 2) {
            const wash = smoothNoise(j / 12, 3, 21) * 0.08;
            context.fillStyle = `rgba(60,50,40,${wash})`;
            context.fillRect(0, j, size, 2);
        }
    });
}

/** The floor of the proving ground: fine lines every `metres`/10, strong ones every `metres`. */
export function gridTexture(metres: number): THREE.CanvasTexture {
    return makeTexture(1024, metres, (context, size) => {
        speckle(context, size, [172, 176, 182], 12, 16, 8);
        for (let k = 0; k < 10; k++) {
            const at = (k * size) / 10;
            context.fillStyle = k === 0 ? "rgba(255,255,255,0.75)" : "rgba(255,255,255,0.20)";
            const width = k === 0 ? 5 : 2;
            context.fillRect(at, 0, width, size);
            context.fillRect(0, at, size, width);
        }
    });
}

/** Sky of a clear day as a picture of all directions (rows from zenith to nadir), with a few thin clouds. */
export function skyTexture(sun: THREE.Vector3): THREE.CanvasTexture {
    const width = 1024;
    const height = 512;
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(width, height);
    const direction = new THREE.Vector3();
    for (let j = 0; j < height; j++) {
        const elevation = Math.PI * (0.5 - (j + 0.5) / height);
        for (let i = 0; i < width; i++) {
            const azimuth = 2 * Math.PI * ((i + 0.5) / width - 0.5);
            direction.set(
                Math.cos(elevation) * Math.cos(azimuth),
                Math.cos(elevation) * Math.sin(azimuth),
                Math.sin(elevation),
            );
            const colour = skyColour(direction, sun);
            const at = 4 * (j * width + i);
            image.data[at] = colour[0];
            image.data[at + 1] = colour[1];
            image.data[at + 2] = colour[2];
            image.data[at + 3] = 255;
        }
    }
    context.putImageData(image, 0, 0);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.mapping = THREE.EquirectangularReflectionMapping;
    return texture;
}

/** colour of the haze at the horizon, which the fog takes up */
export const HAZE: [number, number, number] = [214, 226, 236];
const ZENITH: [number, number, number] = [58, 118, 196];
const EARTH: [number, number, number] = [150, 148, 136];

function skyColour(direction: THREE.Vector3, sun: THREE.Vector3): [number, number, number] {
    const mix = (a: number, b: number, s: number) => a + (b - a) * s;
    if (direction.z < 0) {
        const s = Math.min(1, -direction.z * 6);
        return [mix(HAZE[0], EARTH[0], s), mix(HAZE[1], EARTH[1], s), mix(HAZE[2], EARTH[2], s)];
    }
    const s = Math.pow(direction.z, 0.5);
    let r = mix(HAZE[0], ZENITH[0], s);
    let g = mix(HAZE[1], ZENITH[1], s);
    let b = mix(HAZE[2], ZENITH[2], s);
    // the sun and its glow
    const near = Math.max(0, direction.dot(sun));
    const glow = 70 * Math.pow(near, 24) + 60 * Math.pow(near, 160) + (near > 0.99955 ? 255 : 0);
    // clouds lie in a plane high above; far ones melt into the haze
    const far = 0.10 + direction.z;
    const u = direction.x / far;
    const v = direction.y / far;
    const cloud = Math.max(0, fractalNoise(u * 1.1 + 8, v * 2.2 + 3, 64, 5) - 0.56) * 3.2 * Math.min(1, direction.z * 5);
    const cover = Math.min(0.8, cloud);
    r = mix(r + glow, 250, cover);
    g = mix(g + glow * 0.95, 251, cover);
    b = mix(b + glow * 0.75, 253, cover);
    return [r, g, b];
}
