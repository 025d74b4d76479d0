// SPDX-License-Identifier: MIT
// What stands around: the shapes of the ground that have a finish, merged by what they are painted with. What is drawn here is what
// the model says; the page adds nothing.

import * as THREE from "three";
import type { Finish, Shape } from "../protocol.ts";
import { Builder, boxGeometry } from "./builder.ts";
import type { Endless } from "./floor.ts";
import type { Look } from "./materials.ts";
import { asphaltTexture, concreteTexture, grassTexture, gravelTexture, gridTexture, sheetTexture } from "./textures.ts";

const LARGE = 20; // m; larger things throw no shadow: it would reach beyond the square that has some
const REACH = 450; // m that a plane without end is drawn around the machine

/** meshes, hulls and fields come one by one, as those of the machine */
export function isScenery(shape: Shape): boolean {
    return shape.body < 0 && shape.finish !== undefined && shape.mesh === undefined;
}

/** the length after which a texture repeats, m */
const PERIOD: Record<Finish, number> = {
    plain: 10,
    concrete: 10,
    asphalt: 6,
    gravel: 5,
    grass: 14,
    grid: 10,
    sheet: 2,
    metal: 10,
    glass: 10,
    wire: 10,
    paint: 10,
};

function lookOf(finish: Finish): Look {
    switch (finish) {
        case "plain":
            return { roughness: 0.75 };
        case "concrete":
            return { map: concreteTexture(), roughness: 0.9 };
        case "asphalt":
            return { map: asphaltTexture(), roughness: 0.95 };
        case "gravel":
            return { map: gravelTexture(), roughness: 1 };
        case "grass":
            return { map: grassTexture(), roughness: 1 };
        case "grid":
            return { map: gridTexture(10), roughness: 0.9 };
        case "sheet":
            return { map: sheetTexture(), roughness: 0.55 };
        case "metal":
            return { roughness: 0.5, metalness: 0.4 };
        case "glass":
            return { roughness: 0.12, metalness: 0.3 };
        case "wire":
            return { opacity: 0.32, isTwoSided: true };
        case "paint":
            return { roughness: 0.8, lift: 2 };
    }
}

/** in the axes of the shape; null: a plane, or something that comes as a mesh */
function geometryOf({ type, size }: Shape, isDetailed: boolean): THREE.BufferGeometry | null {
    const sides = (radius: number) => (isDetailed ? (radius < 0.1 ? 8 : 20) : radius < 0.1 ? 4 : 8);
    const [a = 1, b = 1, c = 1] = size;
    switch (type) {
        case "box":
            return boxGeometry(a, b, c);
        case "sphere":
            return new THREE.IcosahedronGeometry(a, isDetailed ? 3 : 1);
        case "ellipsoid":
            return new THREE.IcosahedronGeometry(1, isDetailed ? 2 : 1).scale(a, b, c);
        case "cylinder":
            return new THREE.CylinderGeometry(a, a, b, sides(a)).rotateX(Math.PI / 2);
        case "capsule":
            return new THREE.CapsuleGeometry(a, b, isDetailed ? 6 : 2, sides(a)).rotateX(Math.PI / 2);
        case "cone":
            return new THREE.ConeGeometry(a, b, sides(a)).rotateX(Math.PI / 2);
        case "torus":
            return new THREE.TorusGeometry(a, b, 4, isDetailed ? 128 : 48).scale(1, 1, c / (2 * b));
        case "plane":
        case "mesh":
        case "hull":
        case "field":
            return null;
    }
}

/** a plane of the ground, drawn around the machine wherever it goes; behind whatever lies on it */
function endlessPlane(shape: Shape, look: Look, isDetailed: boolean): Endless {
    const b = new Builder(isDetailed);
    b.use({ ...look, lift: -4 }, false);
    b.patch(-REACH, -REACH, REACH, REACH, shape.at[2], shape.colour ?? "#ffffff");
    return { node: b.finish(), period: PERIOD[shape.finish!] };
}

export function makeScenery(shapes: readonly Shape[], isDetailed: boolean): THREE.Group {
    const group = new THREE.Group();
    const builder = new Builder(isDetailed);
    const endless: Endless[] = [];
    const looks = new Map<Finish, Look>();
    for (const shape of shapes) {
        const finish = shape.finish!;
        const look = looks.get(finish) ?? lookOf(finish);
        looks.set(finish, look);
        if (shape.type === "plane") {
            endless.push(endlessPlane(shape, look, isDetailed));
            continue;
        }
        const geometry = geometryOf(shape, isDetailed);
        if (!geometry) {
            continue;
        }
        const [w, x, y, z] = shape.quaternion;
        geometry.applyQuaternion(new THREE.Quaternion(x, y, z, w)).translate(...(shape.at as [number, number, number]));
        geometry.computeBoundingBox();
        const isFlat = geometry.boundingBox!.max.z < 0.01;
        const isLarge = Math.max(...shape.size) > LARGE;
        builder.use(look, !isFlat && !isLarge && finish !== "wire" && finish !== "paint");
        builder.add(geometry, shape.colour ?? "#9a9a94");
    }
    group.add(builder.finish(), ...endless.map(({ node }) => node));
    group.userData.endless = endless;
    return group;
}
