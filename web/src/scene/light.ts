// SPDX-License-Identifier: MIT
// Sky, sun and haze of a clear day. The sun's shadow follows the machine.

import * as THREE from "three";
import { skyColumn } from "../presence/weather.ts";
import type { SceneLight } from "../protocol.ts";
import { HAZE, skyTexture } from "./textures.ts";

/** towards the sun, ground axes: afternoon, from behind the driver's right shoulder */
export const SUN = new THREE.Vector3(-0.48, -0.62, 0.72).normalize();

const REACH = 36; // half the side of the square that has shadows, m

export class Light {
    readonly sun = new THREE.DirectionalLight("#fff1dc", 3.1);
    private sky = new THREE.HemisphereLight("#d3e0f0", "#a2988a", 1.25);
    private dome: THREE.Mesh;
    private environment: THREE.Texture | null = null;
    private reach = REACH;
    private towards = SUN.clone();
    private wished: { brightness: number; ambient: number } = { brightness: 1, ambient: 1 };
    private key = "{}null";
    private isPhysical = false;
    private renderer: THREE.WebGLRenderer | null = null;

    constructor(private scene: THREE.Scene) {
        const texture = skyTexture(SUN);
        texture.minFilter = THREE.LinearFilter;
        texture.generateMipmaps = false;
        this.dome = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), makeDomeMaterial(texture));
        this.dome.frustumCulled = false;
        this.dome.renderOrder = -10;
        scene.add(this.dome, this.sky, this.sun, this.sun.target);
        scene.fog = new THREE.Fog(new THREE.Color().setRGB(HAZE[0] / 255, HAZE[1] / 255, HAZE[2] / 255, THREE.SRGBColorSpace), 90, 420);
        this.sun.castShadow = true;
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.06;
        this.setReach(REACH);
    }

    /** what the model file says under `light`; what it does not say is a clear afternoon */
    set(light: SceneLight, column: string[] | null = null): void {
        const key = JSON.stringify(light) + JSON.stringify(column);
        if (key === this.key) {
            return;
        }
        this.key = key;
        const number = (value: unknown, usual: number) => (value === undefined || !Number.isFinite(Number(value)) ? usual : Number(value));
        const sun = (light.sun ?? []).map(Number);
        this.towards.copy(sun.length === 3 && sun.every(Number.isFinite) && Math.hypot(...sun) > 0 ? new THREE.Vector3(...(sun as [number, number, number])).normalize() : SUN);
        this.wished = { brightness: number(light.brightness, 1), ambient: number(light.ambient, 1) };
        this.sun.color.set(light.colour ?? "#fff1dc");
        const haze = light.sky ? new THREE.Color(light.sky) : new THREE.Color().setRGB(HAZE[0] / 255, HAZE[1] / 255, HAZE[2] / 255, THREE.SRGBColorSpace);
        (this.scene.fog as THREE.Fog).color.copy(haze);
        this.sky.color.set(light.sky ?? "#d3e0f0");
        const texture = column ? skyColumn(column) : light.sky ? evenTexture(light.sky) : skyTexture(this.towards);
        texture.minFilter = THREE.LinearFilter;
        texture.generateMipmaps = false;
        const material = this.dome.material as THREE.ShaderMaterial;
        (material.uniforms.sky!.value as THREE.Texture).dispose();
        material.uniforms.sky!.value = texture;
        // reflections of the old sky
        this.environment?.dispose();
        this.environment = null;
        if (this.renderer) {
            this.setReflections(this.renderer, this.isPhysical);
        }
    }

    /** small machines have a small, sharp square of shadows */
    /** in the plain scene only the machine throws a shadow: a smaller square makes it sharper */
    fitShadow(length: number, hasScenery: boolean, isPhysical: boolean): void {
        const wide = isPhysical ? 36 : 9;
        this.setReach(hasScenery ? wide : Math.min(wide, Math.max(1.6 * length, 0.5)));
    }

    private setReach(metres: number): void {
        this.reach = metres;
        const camera = this.sun.shadow.camera;
        camera.left = camera.bottom = -metres;
        camera.right = camera.top = metres;
        camera.near = metres * 0.1;
        camera.far = metres * 5;
        camera.updateProjectionMatrix();
        this.sun.shadow.normalBias = 0.06 * (metres / REACH);
    }

    setShadowSize(size: number): void {
        this.sun.castShadow = size > 0;
        if (size > 0 && this.sun.shadow.mapSize.x !== size) {
            this.sun.shadow.mapSize.set(size, size);
            this.sun.shadow.map?.dispose();
            this.sun.shadow.map = null;
        }
    }

    /** reflections of the sky, for physical materials only */
    setReflections(renderer: THREE.WebGLRenderer, isOn: boolean): void {
        if (isOn && !this.environment) {
            const generator = new THREE.PMREMGenerator(renderer);
            const stage = new THREE.Scene();
            const copy = this.dome.clone();
            copy.scale.setScalar(10);
            stage.add(copy);
            this.environment = generator.fromScene(stage, 0.02).texture;
            generator.dispose();
        }
        this.scene.environment = isOn ? this.environment : null;
        this.renderer = renderer;
        this.isPhysical = isOn;
        this.scene.environmentIntensity = 0.5 * this.wished.ambient;
        this.sky.intensity = (isOn ? 0.75 : 1.7) * this.wished.ambient;
        this.sun.intensity = (isOn ? 3.1 : 2.7) * this.wished.brightness;
    }

    /** moves the lit square in steps of one texel, so that edges of shadows do not crawl */
    follow(focus: THREE.Vector3, camera: THREE.Camera): void {
        const texel = (2 * this.reach) / this.sun.shadow.mapSize.x;
        const snap = (x: number) => Math.round(x / texel) * texel;
        this.sun.target.position.set(snap(focus.x), snap(focus.y), snap(focus.z));
        this.sun.position.copy(this.sun.target.position).addScaledVector(this.towards, this.reach * 2.5);
        this.dome.position.copy(camera.position);
        this.dome.scale.setScalar((camera as THREE.PerspectiveCamera).far * 0.9);
    }
}

function evenTexture(colour: string): THREE.Texture {
    const { r, g, b } = new THREE.Color(colour).convertLinearToSRGB();
    const texture = new THREE.DataTexture(new Uint8Array([255 * r, 255 * g, 255 * b, 255]), 1, 1);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.needsUpdate = true;
    return texture;
}

function makeDomeMaterial(texture: THREE.Texture): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        uniforms: { sky: { value: texture } },
        vertexShader: `
            varying vec3 ray;
            void main() {
                ray = position;
                gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
            }`,
        fragmentShader: `
            uniform sampler2D sky;
            varying vec3 ray;
            void main() {
                vec3 d = normalize(ray);
                vec2 at = vec2(atan(d.y, d.x) / 6.2831853 + 0.5, asin(clamp(d.z, -1.0, 1.0)) / 3.14159265 + 0.5);
                gl_FragColor = texture2D(sky, at);
                #include <colorspace_fragment>
            }`,
        side: THREE.BackSide,
        depthWrite: false,
        fog: false,
        toneMapped: false,
    });
}

/** the haze of a machine of this length; a yard has that of the world; sight: how far one sees, of the usual */
export function fitFog(fog: THREE.Fog, length: number, hasScenery: boolean, sight = 1): void {
    const scale = sight * (hasScenery ? 1 : Math.min(1, Math.max(0.02, length / 4)));
    fog.near = 90 * scale;
    fog.far = 430 * scale;
}
