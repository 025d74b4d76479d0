// SPDX-License-Identifier: MIT
// Mirrors of a driver's seat. One wide picture backwards from the seat, of which each mirror shows a part: a second drawing of everything
// for each mirror would cost more than what it tells.

import * as THREE from "three";

const SIZE = { width: 512, height: 128 }; // px
const VIEW = { up: 26, wide: 118 }; // deg, of the picture backwards
const EVERY = 3; // pictures for one of the mirrors, where the processor draws

export class Mirrors {
    readonly root = new THREE.Group();
    private target = new THREE.WebGLRenderTarget(SIZE.width, SIZE.height, { depthBuffer: true, type: THREE.HalfFloatType });
    private camera = new THREE.PerspectiveCamera(VIEW.up, 1, 0.6, 400);
    private material = new THREE.MeshBasicMaterial({ map: this.target.texture, fog: false, side: THREE.FrontSide });
    private frame = new THREE.MeshStandardMaterial({ color: "#15181b", roughness: 0.6 });
    private count = 0;

    constructor() {
        this.camera.aspect = Math.tan((VIEW.wide * Math.PI) / 360) / Math.tan((VIEW.up * Math.PI) / 360);
        this.camera.updateProjectionMatrix();
    }

    /** from: 0 what is at the left behind the driver .. 1 at the right; it looks at the eye, which is the origin */
    add(at: [number, number, number], size: [number, number], from: number, to: number): void {
        const glass = new THREE.PlaneGeometry(...size);
        const uv = glass.getAttribute("uv");
        for (let i = 0; i < uv.count; i++) {
            // the picture backwards has the driver's left at its right; a mirror turns it round again
            uv.setX(i, 1 - (from + (to - from) * uv.getX(i)));
        }
        const mirror = new THREE.Group();
        const back = new THREE.Mesh(new THREE.BoxGeometry(size[0] + 0.015, size[1] + 0.015, 0.012), this.frame);
        back.position.z = -0.008;
        mirror.add(new THREE.Mesh(glass, this.material), back);
        mirror.position.set(...at);
        const ahead = new THREE.Vector3(...at).negate().normalize(); // its face
        const right = new THREE.Vector3(0, 0, 1).cross(ahead).normalize();
        mirror.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(right, ahead.clone().cross(right), ahead));
        this.root.add(mirror);
    }

    get isEmpty(): boolean {
        return this.root.children.length === 0;
    }

    /** hidden: what would stand before the eye */
    draw(renderer: THREE.WebGLRenderer, scene: THREE.Scene, eye: { position: THREE.Vector3; turn: THREE.Quaternion; forward: THREE.Vector3 }, hidden: THREE.Object3D, isSlow: boolean): void {
        if (this.isEmpty || (isSlow && this.count++ % EVERY !== 0)) {
            return;
        }
        const up = new THREE.Vector3(0, 0, 1).applyQuaternion(eye.turn);
        const back = eye.forward.clone().applyQuaternion(eye.turn).negate();
        this.camera.up.copy(up);
        this.camera.position.copy(eye.position).addScaledVector(up, 0.12);
        this.camera.lookAt(this.camera.position.clone().add(back).addScaledVector(up, -0.08));
        const was = { visible: hidden.visible, xr: renderer.xr.enabled, shadows: renderer.shadowMap.autoUpdate, needs: renderer.shadowMap.needsUpdate, target: renderer.getRenderTarget() };
        hidden.visible = renderer.xr.enabled = renderer.shadowMap.autoUpdate = renderer.shadowMap.needsUpdate = false;
        renderer.setRenderTarget(this.target);
        renderer.render(scene, this.camera);
        renderer.setRenderTarget(was.target);
        hidden.visible = was.visible;
        renderer.xr.enabled = was.xr;
        renderer.shadowMap.autoUpdate = was.shadows;
        renderer.shadowMap.needsUpdate = was.needs;
    }

    dispose(): void {
        this.target.dispose();
        this.material.dispose();
        this.frame.dispose();
        this.root.traverse((node) => (node as THREE.Mesh).geometry?.dispose());
    }
}
