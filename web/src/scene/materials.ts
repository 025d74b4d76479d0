// SPDX-License-Identifier: MIT
// Materials in two dresses: physically based for graphics units, and a cheap one for software drawing. Who needs a
// material asks here; `dress` changes all of them at once when the quality level changes.

import * as THREE from "three";

export interface Look {
    colour?: THREE.ColorRepresentation;
    map?: THREE.Texture;
    roughness?: number;
    metalness?: number;
    isTinted?: boolean; // colours per vertex
    opacity?: number;
    isTwoSided?: boolean;
    isFlat?: boolean;
    emissive?: THREE.ColorRepresentation;
    lift?: number; // markings on a surface: drawn in front of it by this many units of depth
}

interface Pair {
    physical: THREE.MeshStandardMaterial;
    plain: THREE.MeshLambertMaterial;
}

const pairs = new Map<string, Pair>();
const isPhysicalNow = { value: true };

function common(look: Look): THREE.MeshLambertMaterialParameters {
    return {
        color: look.colour ?? "#ffffff",
        map: look.map ?? null,
        vertexColors: look.isTinted ?? false,
        transparent: (look.opacity ?? 1) < 1,
        opacity: look.opacity ?? 1,
        depthWrite: (look.opacity ?? 1) === 1,
        side: look.isTwoSided ? THREE.DoubleSide : THREE.FrontSide,
        flatShading: look.isFlat ?? false,
        emissive: look.emissive ?? "#000000",
        polygonOffset: look.lift !== undefined,
        polygonOffsetFactor: -(look.lift ?? 0),
        polygonOffsetUnits: -4 * (look.lift ?? 0),
    };
}

export function makeMaterial(look: Look): THREE.Material {
    const key = JSON.stringify({ ...look, map: look.map?.uuid });
    let pair = pairs.get(key);
    if (!pair) {
        pair = {
            physical: new THREE.MeshStandardMaterial({
                ...common(look),
                roughness: look.roughness ?? 0.7,
                metalness: look.metalness ?? 0,
            }),
            plain: new THREE.MeshLambertMaterial(common(look)),
        };
        pair.physical.userData.pair = key;
        pair.plain.userData.pair = key;
        pairs.set(key, pair);
    }
    return isPhysicalNow.value ? pair.physical : pair.plain;
}

/** Gives every mesh below `root` the dress of the quality level. */
export function dress(root: THREE.Object3D, isPhysical: boolean): void {
    isPhysicalNow.value = isPhysical;
    root.traverse((node) => {
        const mesh = node as THREE.Mesh;
        const key = mesh.isMesh ? ((mesh.material as THREE.Material).userData.pair as string | undefined) : undefined;
        const pair = key === undefined ? undefined : pairs.get(key);
        if (pair) {
            mesh.material = isPhysical ? pair.physical : pair.plain;
        }
    });
}
