// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import * as THREE from "three";
import { gearText, isBeyond } from "../../src/presence/readout.ts";
import { airOf, Rain, skyColumn, WEATHERS } from "../../src/presence/weather.ts";

test("by day the light is the model's own", () => {
    const own = { brightness: 0.7 };
    assert.equal(airOf("day", own).light, own);
    assert.equal(airOf("day", own).sky, null);
});

test("dusk has a low sun, rain little of it and a short sight", () => {
    const dusk = airOf("dusk", {});
    assert.ok(Math.asin(Number(dusk.light.sun![2]) / Math.hypot(...dusk.light.sun!.map(Number))) < (15 * Math.PI) / 180);
    assert.ok(Number(airOf("rain", {}).light.brightness) < 0.3 && airOf("rain", {}).sight < 0.6);
    assert.equal(WEATHERS.length, 3);
});

test("a sky goes from below the horizon to above the head", () => {
    const data = skyColumn(["#000000", "#ff0000", "#0000ff"]).image.data as Uint8Array;
    assert.deepEqual([...data.slice(0, 3)], [0, 0, 0]);
    assert.ok(data[4 * 64]! > 150, "red at the horizon");
    assert.deepEqual([...data.slice(-4, -1)], [0, 0, 255]);
});

test("drops stay round the eye, wherever it is, and fall", () => {
    const rain = new Rain();
    rain.update(new THREE.Vector3(), 0.1);
    const places = rain.root.geometry.getAttribute("position");
    assert.equal(places.getX(0), 0, "unseen drops cost nothing");
    rain.root.visible = true;
    const eye = new THREE.Vector3(1000, -500, 3);
    rain.update(eye, 0.01);
    const before = places.getZ(0);
    for (let k = 0; k < places.count; k += 2) {
        assert.ok(Math.abs(places.getX(k) - eye.x) <= 9.001 && Math.abs(places.getY(k) - eye.y) <= 9.001 && Math.abs(places.getZ(k) - eye.z) <= 9.001);
    }
    rain.update(eye, 0.01);
    const fallen = before - places.getZ(0);
    assert.ok(Math.abs(fallen - 0.08) < 1e-3 || fallen < 0, `${fallen}`);
});

test("gears and limits of the small screen", () => {
    assert.deepEqual([-1, 0, 3].map(gearText), ["R", "N", "3"]);
    assert.ok(isBeyond({ warn: 0.15, min: 0, max: 1 }, 0.1) && !isBeyond({ warn: 0.15, min: 0, max: 1 }, 0.2));
    assert.ok(isBeyond({ warn: 36, min: 0, max: 42 }, 37) && !isBeyond({ warn: 36, min: 0, max: 42 }, 3) && !isBeyond({}, 3));
});
