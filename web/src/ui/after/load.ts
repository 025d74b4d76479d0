// SPDX-License-Identifier: MIT
// Where the weight presses on the ground, between the wheels: their loads and places tell. At the edge of what carries it the machine tips.

import type { Frame, HudItem, SceneMessage } from "../../protocol.ts";
import { colourOf, type Sample } from "../happened.ts";

export type Place = [number, number]; // m, ahead and to the left in the machine's axes

export interface Wheel {
    body: number;
    channel: number;
}

/** wheels whose loads the display shows, by the end of their names: `stability.fl` is carried by `wheel_fl` */
export function findWheels(scene: SceneMessage, items: readonly HudItem[]): Wheel[] {
    const names = items.find((item) => item.kind === "wheel-loads")?.channels ?? [];
    const wheels = names.map((name) => {
        const end = name.split(".").at(-1)!;
        return { body: scene.bodies.findIndex((body) => body.endsWith(`_${end}`) || body.endsWith(`.${end}`)), channel: scene.channels.findIndex((channel) => channel.name === name) };
    });
    return wheels.length >= 3 && wheels.every((wheel) => wheel.body >= 0 && wheel.channel >= 0) ? wheels : [];
}

/** of a body in the axes of another one */
export function placeIn(poses: ArrayLike<number>, of: number, body: number): Place {
    const [a, b] = [7 * of, 7 * body];
    const [w, x, y, z] = [poses[a + 3] ?? 1, -(poses[a + 4] ?? 0), -(poses[a + 5] ?? 0), -(poses[a + 6] ?? 0)];
    const v = [0, 1, 2].map((k) => (poses[b + k] ?? 0) - (poses[a + k] ?? 0)) as [number, number, number];
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2]];
}

/** the middle of the loads; null: nothing is carried */
export function middleOf(places: readonly Place[], loads: readonly number[]): Place | null {
    const all = loads.reduce((sum, load) => sum + Math.max(0, load), 0);
    if (!(all > 0)) {
        return null;
    }
    const along = (k: 0 | 1) => places.reduce((sum, place, i) => sum + place[k] * Math.max(0, loads[i] ?? 0), 0) / all;
    return [along(0), along(1)];
}

export function pressOf(frame: Frame, of: number, wheels: readonly Wheel[]): { places: Place[]; middle: Place | null } {
    const places = wheels.map((wheel) => placeIn(frame.poses, of, wheel.body));
    return { places, middle: wheels.length > 0 ? middleOf(places, wheels.map((wheel) => frame.channels[wheel.channel] ?? 0)) : null };
}

/** what carries it: around all wheels; and of a machine whose rear axle rocks, its front wheels with the middle of that axle */
export function edgesOf(places: readonly Place[], isRocking: boolean): { around: Place[]; triangle: Place[] } {
    const [x, y] = [0, 1].map((k) => places.reduce((sum, place) => sum + place[k]!, 0) / places.length) as Place;
    const around = [...places].sort((a, b) => Math.atan2(a[1] - y, a[0] - x) - Math.atan2(b[1] - y, b[0] - x));
    const front = around.filter((place) => place[0] > x);
    const rear = around.filter((place) => place[0] <= x);
    const middle: Place[] = rear.length === 2 ? [[(rear[0]![0] + rear[1]![0]) / 2, (rear[0]![1] + rear[1]![1]) / 2]] : [];
    return { around, triangle: isRocking && front.length === 2 && middle.length > 0 ? [...front, ...middle] : [] };
}

/** seen from above, ahead to the right; the way of the middle in the colours of the stability, and where it was last */
export function drawPress(context: CanvasRenderingContext2D, width: number, height: number, places: readonly Place[], isRocking: boolean, way: readonly Sample[]): void {
    const span = (k: 0 | 1) => Math.max(...places.map((place) => place[k])) - Math.min(...places.map((place) => place[k]));
    const metre = Math.min((width - 40) / span(0), (height - 40) / span(1)); // px
    const [x, y] = [0, 1].map((k) => (Math.max(...places.map((place) => place[k]!)) + Math.min(...places.map((place) => place[k]!))) / 2) as Place;
    const at = (place: Place): Place => [width / 2 + metre * (place[0] - x), height / 2 - metre * (place[1] - y)];
    const line = (points: readonly Place[], isClosed: boolean) => {
        context.beginPath();
        points.forEach((point) => context.lineTo(...at(point)));
        if (isClosed) {
            context.closePath();
        }
        context.stroke();
    };
    context.fillStyle = "#20262c";
    context.fillRect(0, 0, width, height);
    const { around, triangle } = edgesOf(places, isRocking);
    context.strokeStyle = "#8a949d";
    context.lineWidth = 1;
    line(around, true);
    context.strokeStyle = "#ffffff";
    context.lineWidth = 2;
    line(triangle, true);
    context.fillStyle = "#8a949d";
    places.forEach((place) => context.fillRect(at(place)[0] - 9, at(place)[1] - 4, 18, 8));
    const known = way.filter((sample) => sample.press !== null);
    context.lineWidth = 3;
    known.slice(1).forEach((sample, k) => {
        context.strokeStyle = colourOf(sample.margin);
        line([known[k]!.press!, sample.press!], false);
    });
    const last = known.at(-1);
    if (last) {
        context.fillStyle = "#ffffff";
        context.beginPath();
        context.arc(...at(last.press!), 5, 0, 2 * Math.PI);
        context.fill();
    }
}
