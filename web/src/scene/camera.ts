// SPDX-License-Identifier: MIT
// Where we look from: round the machine (drag and wheel), from the driver's seat, from behind, from above.

import * as THREE from "three";

export type CameraMode = "orbit" | "seat" | "chase" | "top";
const LOOK_BACK = 2.6; // rad: as far as head and body turn
export const CAMERA_MODES: readonly CameraMode[] = ["orbit", "chase", "seat", "top"];

export interface Focus {
    position: THREE.Vector3; // middle of the machine, ground axes
    turn: THREE.Quaternion; // of the body that is followed
    seat: THREE.Vector3; // driver's eye in body axes
    forward: THREE.Vector3; // line of sight in body axes
    length: number; // of the machine, m
}

const LOW_BARS = 24; // px by which the free part of the picture lies higher than its middle
const Z = new THREE.Vector3(0, 0, 1);
const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

export class CameraRig {
    mode: CameraMode = "orbit";
    readonly camera = new THREE.PerspectiveCamera(45, 16 / 9, 0.12, 900);
    /** orbit: angle from +x, elevation, distance, and the point looked at relative to the machine */
    private azimuth = -2.35;
    private elevation = 0.3;
    private distance = 8;
    private shift = new THREE.Vector3();
    /** glance of the driver, by dragging */
    private glance = { yaw: 0, pitch: 0 };
    /** 0 to 1: the driver looks over the shoulder */
    back = 0;
    private heading = new THREE.Vector3(1, 0, 0);
    /** rad, down: a driver looks at the forks, the road and the hands */
    seatPitch = 0.1;
    private zoom = 1;
    private isMoving = true;
    private last = new THREE.Vector3(); // what was looked at

    constructor(private element: HTMLElement) {
        this.camera.up.copy(Z);
        this.listen();
    }

    /** Starts over behind and beside a machine of this length. */
    reset(length: number, forward: THREE.Vector3): void {
        this.azimuth = Math.atan2(forward.y, forward.x) + Math.PI + 0.69;
        this.heading.set(forward.x, forward.y, 0).normalize();
        this.elevation = 0.2;
        this.distance = 1.95 * length;
        this.shift.set(0, 0, 0);
        this.glance = { yaw: 0, pitch: 0 };
        this.zoom = 1;
        this.camera.near = clamp(0.03 * length, 0.002, 0.15);
        this.camera.far = clamp(300 * length, 60, 1100);
        this.camera.updateProjectionMatrix();
        this.isMoving = true;
    }

    set(mode: CameraMode): void {
        this.mode = mode;
        this.glance = { yaw: 0, pitch: 0 };
        this.zoom = 1;
        this.isMoving = true;
    }

    next(): CameraMode {
        this.set(CAMERA_MODES[(CAMERA_MODES.indexOf(this.mode) + 1) % CAMERA_MODES.length]!);
        return this.mode;
    }

    /** for pictures: a chosen view */
    aim(azimuth: number, elevation: number, distance: number): void {
        this.mode = "orbit";
        this.azimuth = azimuth;
        this.elevation = elevation;
        this.distance = distance;
        this.isMoving = true;
    }

    /** true once after the view was changed by hand */
    takeMoved(): boolean {
        const moved = this.isMoving;
        this.isMoving = false;
        return moved;
    }

    resize(width: number, height: number): void {
        this.camera.aspect = width / Math.max(height, 1);
        // bars stand below more than above: the middle of what is free
        this.camera.setViewOffset(width, height, 0, LOW_BARS * Math.min(1, height / 400), width, height);
        this.camera.updateProjectionMatrix();
        this.isMoving = true;
    }

    update(focus: Focus, seconds: number): void {
        const forward = focus.forward.clone().applyQuaternion(focus.turn);
        const flat = new THREE.Vector3(forward.x, forward.y, 0);
        if (flat.lengthSq() > 1e-6) {
            // the chase camera turns after the machine with a delay of about half a second
            this.heading.lerp(flat.normalize(), 1 - Math.exp(-seconds / 0.45));
            this.heading.z = 0;
            if (this.heading.lengthSq() < 1e-6) {
                this.heading.copy(flat);
            }
            this.heading.normalize();
        }
        const camera = this.camera;
        this.last.copy(focus.position);
        const fov = this.mode === "seat" ? 74 : 45;
        if (camera.fov !== fov) {
            camera.fov = fov;
            camera.updateProjectionMatrix();
        }
        switch (this.mode) {
            case "orbit":
                this.lookRound(focus);
                break;
            case "seat":
                this.lookFromSeat(focus, forward);
                break;
            case "chase": {
                const back = 1.75 * focus.length * this.zoom;
                camera.up.copy(Z);
                camera.position.copy(focus.position).addScaledVector(this.heading, -back).addScaledVector(Z, 0.34 * back);
                camera.lookAt(focus.position.clone().addScaledVector(this.heading, 0.45 * focus.length).addScaledVector(Z, -0.02 * focus.length));
                break;
            }
            case "top":
                camera.up.copy(this.heading);
                camera.position.copy(focus.position).addScaledVector(Z, 5.2 * focus.length * this.zoom);
                camera.lookAt(focus.position);
                break;
        }
        camera.updateMatrixWorld();
    }

    private lookRound(focus: Focus): void {
        const target = focus.position.clone().add(this.shift);
        // an upright picture is narrow: the width counts there
        const distance = this.distance * Math.max(1, 1.15 / this.camera.aspect);
        const flat = distance * Math.cos(this.elevation);
        this.camera.up.copy(Z);
        this.camera.position.set(
            target.x + flat * Math.cos(this.azimuth),
            target.y + flat * Math.sin(this.azimuth),
            target.z + distance * Math.sin(this.elevation),
        );
        this.camera.lookAt(target);
    }

    private lookFromSeat(focus: Focus, forward: THREE.Vector3): void {
        const up = Z.clone().applyQuaternion(focus.turn);
        const sight = forward.clone().applyAxisAngle(up, this.glance.yaw + LOOK_BACK * this.back);
        const right = sight.clone().cross(up).normalize();
        sight.applyAxisAngle(right, this.glance.pitch - this.seatPitch);
        this.camera.up.copy(up);
        this.camera.position.copy(focus.seat);
        this.camera.lookAt(focus.seat.clone().add(sight));
    }

    private listen(): void {
        const element = this.element;
        const pointers = new Map<number, { x: number; y: number }>();
        let spread = 0;
        // the mouse does not leave the focus here: arrows are for time then
        element.addEventListener("mousedown", (event) => {
            event.preventDefault();
            (document.activeElement as HTMLElement | null)?.blur();
        });
        element.addEventListener("contextmenu", (event) => event.preventDefault());
        element.addEventListener("pointerdown", (event) => {
            element.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            spread = 0;
        });
        const release = (event: PointerEvent) => {
            pointers.delete(event.pointerId);
            spread = 0;
        };
        element.addEventListener("pointerup", release);
        element.addEventListener("pointercancel", release);
        element.addEventListener("pointermove", (event) => {
            const last = pointers.get(event.pointerId);
            if (!last) {
                return;
            }
            const dx = event.clientX - last.x;
            const dy = event.clientY - last.y;
            pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            if (pointers.size === 2) {
                const [a, b] = [...pointers.values()] as [{ x: number; y: number }, { x: number; y: number }];
                const now = Math.hypot(a.x - b.x, a.y - b.y);
                if (spread > 0) {
                    this.scaleBy(spread / Math.max(now, 1));
                }
                spread = now;
            } else if (event.shiftKey || event.buttons === 4 || event.buttons === 2) {
                this.pan(dx, dy);
            } else {
                this.drag(dx, dy);
            }
        });
        const turns: Record<string, () => void> = {
            ArrowLeft: () => this.drag(40, 0),
            ArrowRight: () => this.drag(-40, 0),
            ArrowUp: () => this.drag(0, 30),
            ArrowDown: () => this.drag(0, -30),
            Equal: () => this.scaleBy(0.85),
            NumpadAdd: () => this.scaleBy(0.85),
            BracketRight: () => this.scaleBy(0.85),
            Minus: () => this.scaleBy(1.18),
            NumpadSubtract: () => this.scaleBy(1.18),
            Slash: () => this.scaleBy(1.18),
        };
        element.addEventListener("keydown", (event) => {
            const turn = event.ctrlKey || event.altKey || event.metaKey ? undefined : turns[event.code];
            if (turn) {
                // while the picture has the focus its arrows turn the view; elsewhere they are for time
                event.preventDefault();
                event.stopPropagation();
                turn();
            }
        });
        element.addEventListener(
            "wheel",
            (event) => {
                event.preventDefault();
                this.scaleBy(Math.exp(clamp(event.deltaY, -200, 200) * 0.0012));
            },
            { passive: false },
        );
    }

    private drag(dx: number, dy: number): void {
        this.isMoving = true;
        if (this.mode === "seat") {
            this.glance.yaw = clamp(this.glance.yaw + dx * 0.004, -2.8, 2.8);
            this.glance.pitch = clamp(this.glance.pitch + dy * 0.004, -1, 0.9);
            return;
        }
        if (this.mode !== "orbit") {
            this.leaveForOrbit();
        }
        this.azimuth -= dx * 0.0055;
        this.elevation = clamp(this.elevation + dy * 0.0045, -0.2, 1.55);
    }

    /** goes on from where the other camera stood */
    private leaveForOrbit(): void {
        const away = this.camera.position.clone().sub(this.last);
        this.mode = "orbit";
        this.distance = away.length();
        this.azimuth = Math.hypot(away.x, away.y) < 1e-3 ? Math.atan2(-this.heading.y, -this.heading.x) : Math.atan2(away.y, away.x);
        this.elevation = clamp(Math.asin(away.z / Math.max(this.distance, 1e-9)), -0.2, 1.55);
        this.shift.set(0, 0, 0);
    }

    private pan(dx: number, dy: number): void {
        this.isMoving = true;
        const scale = this.distance * 0.0013;
        const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
        const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
        this.shift.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    }

    /** what is looked at has grown: the same share of the picture as before */
    scaleTo(factor: number): void {
        this.distance *= factor;
        if (Math.abs(factor - 1) > 1e-4) {
            this.isMoving = true;
        }
    }

    private scaleBy(factor: number): void {
        this.isMoving = true;
        this.distance = clamp(this.distance * factor, 0.02, 220);
        this.zoom = clamp(this.zoom * factor, 0.25, 6);
    }
}
