// SPDX-License-Identifier: MIT
// Scenes and parts from modelling programs, drawn only: glTF 2.0, and OBJ with its materials. They hang on their bodies; those of the
// ground are the surroundings.

import { resource } from "../transport.ts";
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MTLLoader } from "three/addons/loaders/MTLLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import type { Look, Vec3 } from "../protocol.ts";
import { checkNodes, checkParts, gltfText } from "./sound_look.ts";

let tellBroken: (file: string) => void = () => {};
/** pictures that materials name and that cannot be read: the rest is drawn without them */
export function onBrokenTexture(tell: (file: string) => void): void {
    tellBroken = tell;
}

function manager(): THREE.LoadingManager {
    const told: Record<string, boolean> = {};
    const found = new THREE.LoadingManager();
    found.onError = (url) => {
        const file = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
        if (!told[file]) {
            told[file] = true;
            tellBroken(file);
        }
    };
    return found;
}

/** files by address: a restart and the ghost use those that are there */
const loaded = new Map<string, Promise<THREE.Object3D>>();

function load(look: Look, hash: string): Promise<THREE.Object3D> {
    const key = `${hash} ${look.url}`;
    let promise = loaded.get(key);
    if (!promise) {
        promise = look.url.endsWith(".obj") ? loadObj(look.url) : loadGltf(look.url);
        loaded.set(key, promise);
        promise.catch(() => loaded.delete(key));
    }
    return promise;
}

async function loadObj(url: string): Promise<THREE.Object3D> {
    const folder = url.slice(0, url.lastIndexOf("/") + 1);
    const answer = await resource(url);
    if (!answer.ok) {
        throw new Error(`the server answered ${answer.status}`);
    }
    const source = await answer.text();
    const loader = new OBJLoader();
    const library = /^\s*mtllib\s+(.+?)\s*$/m.exec(source);
    if (library) {
        const materials = await new MTLLoader(manager()).setPath(folder).setResourcePath(folder).loadAsync(library[1]!);
        materials.preload();
        loader.setMaterials(materials);
    }
    const parts = loader.parse(source);
    checkParts(parts);
    return parts;
}

async function loadGltf(url: string): Promise<THREE.Object3D> {
    const answer = await resource(url);
    if (!answer.ok) {
        throw new Error(`the server answered ${answer.status}`);
    }
    const bytes = await answer.arrayBuffer();
    checkNodes(JSON.parse(gltfText(bytes)));
    const { scene } = await new GLTFLoader(manager()).parseAsync(bytes, url.slice(0, url.lastIndexOf("/") + 1));
    checkParts(scene);
    // up is y there, z here
    const turned = new THREE.Group();
    scene.rotation.x = Math.PI / 2;
    turned.add(scene);
    return turned;
}

/** Puts a look into its place; the promise ends when it is there, or with what went wrong. */
export async function addLook(look: Look, hash: string, parent: THREE.Object3D): Promise<THREE.Object3D> {
    const node = new THREE.Group();
    node.name = look.name;
    node.position.set(...(look.at as Vec3));
    const [w, x, y, z] = look.quaternion as [number, number, number, number];
    node.quaternion.set(x, y, z, w);
    node.scale.setScalar(look.scale);
    parent.add(node);
    const copy = (await load(look, hash)).clone(true);
    copy.traverse((part) => {
        part.castShadow = part.receiveShadow = true;
        // geometries belong to the file, which stays
        part.userData.isShared = true;
    });
    node.add(copy);
    return node;
}
