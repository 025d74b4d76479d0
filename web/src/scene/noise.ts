// SPDX-License-Identifier: MIT
// Repeatable randomness for textures and scenery: the same picture on every machine and at every start. Pure.

/** Uniform numbers in 0..1 from a seed (a 32 bit mixer over a counter). */
export function makeRandom(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x9e3779b9) >>> 0;
        let z = state;
        z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
        z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
        return ((z ^ (z >>> 16)) >>> 0) / 4294967296;
    };
}

function lattice(x: number, y: number, period: number): number {
    const wrap = (n: number) => ((n % period) + period) % period;
    let h = Math.imul(wrap(x), 374761393) ^ Math.imul(wrap(y), 668265263);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Smooth noise in 0..1 that repeats after `period` cells. */
export function smoothNoise(x: number, y: number, period: number): number {
    const i = Math.floor(x);
    const j = Math.floor(y);
    const u = x - i;
    const v = y - j;
    const s = u * u * (3 - 2 * u);
    const t = v * v * (3 - 2 * v);
    const low = lattice(i, j, period) * (1 - s) + lattice(i + 1, j, period) * s;
    const high = lattice(i, j + 1, period) * (1 - s) + lattice(i + 1, j + 1, period) * s;
    return low * (1 - t) + high * t;
}

/** Sum of noises of halving size, in 0..1; x and y in cells of the coarsest, which repeats after `period`. */
export function fractalNoise(x: number, y: number, period: number, octaves: number): number {
    let sum = 0;
    let weight = 0.5;
    let scale = 1;
    for (let o = 0; o < octaves; o++) {
        sum += weight * smoothNoise(x * scale + 17 * o, y * scale + 31 * o, period * scale);
        weight /= 2;
        scale *= 2;
    }
    return sum / (1 - Math.pow(0.5, octaves));
}
