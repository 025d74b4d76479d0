// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import * as THREE from "three";
import type { Strut } from "../../src/protocol.ts";
import { chainPlaces, Struts } from "../../src/scene/struts.ts";

const CYLINDER: Strut = { name: "tilt", type: "cylinder", bodies: [0, -1], points: [[0, 0, 1], [3, 0, 1]], radius: 0.1, rod: 0.05, barrel: 1 };

test("points follow their bodies, those of the ground stay", () => {
    const body = new THREE.Group();
    body.position.set(0, 0, 2);
    body.quaternion.setFromAxisAngle(new THREE.Vector3(1, 0, 0), Math.PI / 2);
    const [a, b] = Struts.points(CYLINDER, [body]);
    // z of the body points along -y
    assert.ok(a!.distanceTo(new THREE.Vector3(0, -1, 2)) < 1e-12);
    assert.ok(b!.distanceTo(new THREE.Vector3(3, 0, 1)) < 1e-12);
});

test("the barrel keeps its length, the rod takes the rest", () => {
    const body = new THREE.Group();
    const struts = new Struts([CYLINDER]);
    const [barrel, rod] = struts.root.children[0]!.children as [THREE.Mesh, THREE.Mesh];
    for (const x of [0, -2, 1]) {
        body.position.set(x, 0, 0);
        struts.pose([body]);
        assert.ok(Math.abs(barrel.scale.y - 1) < 1e-12);
        assert.ok(Math.abs(rod.scale.y - (2 - x)) < 1e-12, `${rod.scale.y}`);
        // the rod ends at the eye
        assert.ok(Math.abs(rod.position.x + rod.scale.y / 2 - 3) < 1e-12);
    }
});

test("links of a chain lie a pitch apart along its way, round corners, too", () => {
    const way = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(0, 0, 1), new THREE.Vector3(0.5, 0, 1)];
    const places = chainPlaces(way, 0.1);
    assert.equal(places.length, 15);
    assert.ok(places[9]!.at.distanceTo(new THREE.Vector3(0, 0, 0.95)) < 1e-12);
    assert.ok(places[10]!.at.distanceTo(new THREE.Vector3(0.05, 0, 1)) < 1e-12);
    assert.equal(chainPlaces([way[0]!, way[0]!], 0.1).length, 0);
});
