// SPDX-License-Identifier: MIT
// The picture: owns the renderer and everything in the scene, draws a frame when the graphics unit has finished the last
// one. Without that gate a slow unit queues pictures, and the machine would answer seconds after the key.

import * as THREE from "three";
import { FLAG, type ExerciseMessage, type Frame, type InsideMessage, type SceneMessage } from "../protocol.ts";
import { QUALITIES, QualityJudge } from "../quality.ts";
import { Arrows } from "./arrows.ts";
import { CAMERA_MODES, CameraRig, type Focus } from "./camera.ts";
import { Cockpit } from "./cockpit.ts";
import { findFocus, guessSeat, isFlat, isNamedFocus, numbers, trailBodies, wholeMachine, withFrame } from "./focus.ts";
import { Framing } from "./framing.ts";
import { Grip } from "../presence/grip.ts";
import { Gate, isSoftware } from "./gate.ts";
import { Inside, type Layer, type Mark } from "./inside.ts";
import { fitFog, Light } from "./light.ts";
import { Marks } from "./marks.ts";
import { dress } from "./materials.ts";
import { isScenery } from "./scenery.ts";
import { airOf, makeLamp, Rain, type Weather } from "../presence/weather.ts";
import { Picker } from "../presence/picker.ts";
import { Machine } from "./shapes.ts";
import { Situation } from "./situation.ts";
import { Surroundings } from "./surroundings.ts";
import { Trails } from "./trails.ts";

const SMALL_PART = 0.1; // of the machine's length
const LONGEST_HOLD = 25; // ms that a picture waits for the frame that answers a key
const FENCE_WAIT = 2; // ms between two looks at whether a drawing is finished
const STILL = 2e-5; // m, or of a quaternion: what moves less than this since the last picture is not seen
const REST = 400; // ms without a change after which the picture is drawn well
const FINE = { ratio: 1.5, pixels: 1.6e6 }; // of such a picture, where the processor draws

export class View {
    readonly renderer: THREE.WebGLRenderer;
    readonly rig: CameraRig;
    readonly judge: QualityJudge;
    readonly picker: Picker;
    machine: Machine | null = null;
    isShowingArrows = false;
    isShowingTrails = false;
    isShowingGhost = true;
    /** flexible bodies are painted with the largest stress of every place so far, not with that of now */
    isHoldingPeaks = false;
    /** for pictures: nothing is drawn while held; drawings finished so far */
    isHeld = false;
    drawings = 0;
    /** called when a drawing has really been finished: number of the frame, when it began and ended (ms) */
    onDrawn: (frame: number, began: number, ended: number) => void = () => {};

    onMistake: (text: string) => void = () => {};
    /** the graphics unit was lost, or is there again */
    onSight: (canSee: boolean) => void = () => {};

    private scene = new THREE.Scene();
    private world = new THREE.Group(); // model axes, turned so that gravity points down
    private light: Light;
    private surroundings = new Surroundings();
    private ghost: Machine | null = null;
    private arrows: Arrows | null = null;
    private trails: Trails | null = null;
    private grip: Grip | null = null;
    private marks = new Marks();
    private situation = new Situation();
    /** the input that says where the driver looks; -1: there is none */
    private lookInput = -1;
    private frame: Frame | null = null;
    private frameIsNew = false;
    private isDirty = true;
    private pumping = false;
    private heldUntil = 0; // ms
    private isAnswer = false; // the next picture answers a key
    private gate: Gate;
    private focusBody = 0;
    private seat = new THREE.Vector3();
    private forward = new THREE.Vector3(1, 0, 0);
    private middle = new THREE.Vector3(); // of the machine in the axes of its body
    private length = 4;
    private lastTime = 0;
    private isFixedQuality: boolean;
    readonly isSoftware: boolean;

    constructor(
        private canvas: HTMLCanvasElement,
        level: number | null,
    ) {
        this.isFixedQuality = level !== null;
        this.isSoftware = isSoftware();
        const start = level ?? (this.isSoftware ? 0 : 2);
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: start > 1, powerPreference: "high-performance" });
        this.gate = new Gate(this.renderer.getContext() as WebGL2RenderingContext);
        this.renderer.shadowMap.enabled = true;
        this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
        this.renderer.toneMappingExposure = 0.92;
        this.rig = new CameraRig(canvas);
        this.picker = new Picker(canvas, this.rig.camera, this.world);
        this.light = new Light(this.scene);
        this.scene.add(this.world);
        this.world.add(this.marks.root, this.situation.root);
        this.judge = new QualityJudge(start);
        this.applyQuality();
        new ResizeObserver(() => this.resize()).observe(canvas);
        canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            this.gate.forget();
            this.onSight(false);
        });
        canvas.addEventListener("webglcontextrestored", () => {
            this.isDirty = true;
            this.onSight(true);
        });
    }

    // ---- what is shown -----------------------------------------------------------------------------------------

    setScene(message: SceneMessage): void {
        this.inside?.dispose();
        this.inside = null;
        this.machine?.dispose();
        this.ghost?.dispose();
        this.arrows?.dispose();
        this.trails?.dispose();
        this.grip?.dispose();
        this.grip = null;
        this.ghost = null;
        this.frame = null;
        this.isCalm = false;
        this.marks.clear();
        this.lookInput = message.inputs.findIndex((input) => input.name === "look");
        this.turnWorld(message.gravity);
        this.machine = new Machine(message, (mistake) => {
            if (mistake) {
                this.onMistake(mistake);
            }
            this.measure(message, false);
            this.isDirty = true;
        });
        this.picker.machine = this.machine;
        this.machine.holdPeaks(this.isHoldingPeaks);
        this.world.add(this.machine.root, this.machine.around);
        this.showWeather();
        this.focusBody = findFocus(message);
        this.measure(message, true);
        dress(this.scene, QUALITIES[this.judge.level]!.isPhysical);
        this.isDirty = true;
    }

    /** arrows and trails in the scale of the machine */
    private fitMarkers(message: SceneMessage): void {
        this.arrows?.dispose();
        this.trails?.dispose();
        this.grip?.dispose();
        this.grip = new Grip(message.inputs, this.length);
        this.world.add(this.grip.root);
        const weight = 1500 * Math.max(0.05, this.length) ** 2; // N, of a machine of this length
        const up = new THREE.Vector3(0, 0, 1).applyQuaternion(this.world.quaternion.clone().invert());
        this.arrows = new Arrows(message.arrows, message.channels, this.length, weight);
        this.showArrows(this.arrowLevel);
        this.trails = new Trails(trailBodies(message, this.focusBody), this.length, up);
        this.world.add(this.arrows.root, this.trails.root);
        this.trails.root.visible = this.isShowingTrails;
    }

    // ---- day, dusk, rain ---------------------------------------------------------------------------------------

    weather: Weather = "day";
    private rain: Rain | null = null;
    private lamp: THREE.SpotLight | null = null;

    setWeather(weather: Weather): void {
        this.weather = weather;
        this.showWeather();
        // what reflects the sky, and what a further lamp lights
        this.applyQuality();
    }

    private showWeather(): void {
        const message = this.machine?.scene;
        if (!message) {
            return;
        }
        const air = airOf(this.weather, message.light ?? {});
        this.light.set(air.light, air.sky);
        fitFog(this.scene.fog as THREE.Fog, this.length, message.shapes.some(isScenery), air.sight);
        if (this.weather === "rain" && !this.rain) {
            this.rain = new Rain();
            this.scene.add(this.rain.root);
        }
        if (this.rain) {
            this.rain.root.visible = this.weather === "rain";
        }
        this.light.setReflections(this.renderer, QUALITIES[this.judge.level]!.isPhysical);
        this.showLamp();
        this.isDirty = true;
    }

    /** a vehicle lights its way at dusk */
    private showLamp(): void {
        this.lamp?.target.removeFromParent();
        this.lamp?.removeFromParent();
        this.lamp = null;
        const body = this.machine?.bodies[this.focusBody];
        if (this.weather === "dusk" && this.isFollowing && body) {
            this.lamp = makeLamp(this.length);
            this.lamp.position.copy(this.middle).addScaledVector(this.forward, 0.3 * this.length);
            this.lamp.target.position.copy(this.middle).addScaledVector(this.forward, 2 * this.length).add(new THREE.Vector3(0, 0, -0.35 * this.length));
            body.add(this.lamp, this.lamp.target);
        }
    }

    setFrame(frame: Frame): void {
        const isFirst = this.frame === null;
        this.frame = frame;
        this.frameIsNew = !this.isCalm || this.differs(frame);
        this.machine?.accept(frame.modes, frame.t);
        if (isFirst && this.machine) {
            this.machine.pose(frame.poses);
            this.measure(this.machine.scene, true);
        }
        if (this.isSoftware) {
            this.pump();
        }
    }

    /** something of the frame would be seen in another place than in the picture there is */
    private differs(frame: Frame): boolean {
        const { poses, inputs } = this.seen;
        const isOther = (a: Float32Array, b: Float32Array, least: number) => a.length !== b.length || a.some((value, i) => Math.abs(value - b[i]!) > least);
        return this.needsArrows || frame.modes.length > 0 || frame.ghost.length > 0 || isOther(frame.inputs, inputs, 1e-4) || isOther(frame.poses, poses, STILL);
    }

    setExercise(message: ExerciseMessage): void {
        this.marks.update(message.name === "" ? [] : message.marks);
        this.isDirty = true;
    }

    show(what: "trails" | "ghost", isOn: boolean): void {
        if (what === "trails") {
            this.isShowingTrails = isOn;
        } else {
            this.isShowingGhost = isOn;
        }
        if (this.trails) {
            this.trails.root.visible = this.isShowingTrails;
        }
        this.isDirty = true;
    }

    // ---- the view into the model -------------------------------------------------------------------------------

    inside: Inside | null = null;
    isShowingRegions = false;

    setInside(message: InsideMessage): void {
        this.inside?.dispose();
        this.inside = this.machine ? new Inside(message, this.machine, this.length, () => (this.isDirty = true)) : null;
        this.isDirty = true;
    }

    showInside(isOn: boolean, layers: ReadonlySet<Layer>, hasMachine: boolean): void {
        this.inside?.show(isOn ? layers : new Set());
        this.machine?.showShapes(!isOn || hasMachine);
        this.machine?.makeGlass(isOn && this.inside !== null);
        dress(this.scene, QUALITIES[this.judge.level]!.isPhysical);
        this.isDirty = true;
    }

    /** x, y: -1..1 of the picture */
    insideAt(x: number, y: number, layers: ReadonlySet<Layer>): Mark | null {
        return this.inside?.find(x, y, this.rig.camera, this.canvas.clientWidth, this.canvas.clientHeight, layers) ?? null;
    }

    /** pixels of the page; null: behind whoever looks */
    insideOnScreen(mark: Mark): [number, number] | null {
        const point = this.inside!.place(mark).project(this.rig.camera);
        const box = this.canvas.getBoundingClientRect();
        return point.z > 1 ? null : [box.left + ((point.x + 1) / 2) * box.width, box.top + ((1 - point.y) / 2) * box.height];
    }

    showRegions(isOn: boolean): void {
        this.isShowingRegions = isOn;
        this.showArrows(this.arrowLevel);
    }

    get needsArrows(): boolean {
        return this.isShowingArrows || this.isShowingRegions;
    }

    holdPeaks(isOn: boolean): void {
        this.isHoldingPeaks = isOn;
        this.machine?.holdPeaks(isOn);
        this.isDirty = true;
    }

    /** the largest stresses count from the frame shown on */
    resetPeaks(): void {
        this.machine?.resetPeaks();
        if (this.frame) {
            this.machine?.accept(this.frame.modes, this.frame.t);
        }
        this.isDirty = true;
    }

    /** the next of: no arrows, forces from outside, also those in joints; returns it */
    nextArrows(): number {
        this.showArrows((this.arrowLevel + 1) % (this.arrows?.levels ?? 2));
        return this.arrowLevel;
    }

    private arrowLevel = 0;

    private showArrows(level: number): void {
        this.arrowLevel = level;
        this.isShowingArrows = level > 0;
        if (this.arrows) {
            this.arrows.isShowingJoints = level === 2 || this.arrows.levels === 2;
            this.arrows.show(this.isShowingArrows, this.isShowingRegions);
        }
        this.isDirty = true;
    }

    /** kinds of forces that are drawn */
    arrowKinds(): string[] {
        return this.arrows?.shownKinds ?? [];
    }

    /** pixels of a metre where the machine is */
    private metre(): number {
        const { camera } = this.rig;
        const distance = camera.position.distanceTo(this.focus().position);
        return this.canvas.clientHeight / (2 * Math.max(distance, 1e-3) * Math.tan((0.5 * camera.fov * Math.PI) / 180));
    }

    pixelsOfForce(force: number): number {
        return (this.arrows?.reachOf(force) ?? 0) * this.metre();
    }

    forceOfPixels(pixels: number): number {
        return this.arrows?.forceOf(pixels / this.metre()) ?? 0;
    }

    /** the body that goes somewhere; -1: the machine stays where it is */
    get followedBody(): number {
        return this.isFollowing ? this.focusBody : -1;
    }

    get machineLength(): number {
        return this.length;
    }

    goHome(): void {
        this.rig.set("orbit");
        this.rig.reset(this.isFollowing ? this.length : 0.8 * this.length, this.forwardNow());
    }

    /** where the followed body is on the screen, 0..1 from the left and from the top; for tests */
    onScreen(): [number, number] {
        const point = this.focus().position.clone().project(this.rig.camera);
        return [(point.x + 1) / 2, (1 - point.y) / 2];
    }

    // ---- drawing -----------------------------------------------------------------------------------------------

    /** One turn of the page's loop; draws when there is something new and the last drawing is finished. */
    tick(now: number): void {
        if (this.isPresenting || !this.pollGate() || this.isHeld) {
            return;
        }
        if (this.rig.takeMoved()) {
            this.isDirty = true;
        }
        const isResting = this.isSoftware && this.isCalm && !this.isFine && now - this.calmSince > REST;
        if ((!this.frameIsNew && !this.isDirty && !isResting) || now < this.heldUntil) {
            return;
        }
        this.refine(isResting && !this.frameIsNew);
        this.draw(now);
    }

    /**
     * A key went down: its frame comes within a few milliseconds, and where drawing is slow a picture begun just before it would
     * delay it by a whole drawing.
     */
    expect(now: number): void {
        this.heldUntil = this.isSoftware ? now + LONGEST_HOLD : 0;
        this.isAnswer = this.isSoftware;
    }

    /** the frame that was expected is there */
    arrived(): void {
        this.heldUntil = 0;
    }

    /**
     * Software drawing takes longer than a turn of the page's loop, and its end falls anywhere in it: waiting for the next turn, once to
     * begin and once to see the end, cost more than the drawing. A hidden page draws nothing.
     */
    private pump(): void {
        if (this.pumping || document.hidden) {
            return;
        }
        this.tick(performance.now());
        if (this.gate.isBusy) {
            this.pumping = true;
            setTimeout(() => {
                this.pumping = false;
                this.pump();
            }, FENCE_WAIT);
        }
    }

    private isCalm = false; // the last picture was like the one before
    private calmSince = 0; // ms
    private isFine = false;
    private seen = { poses: new Float32Array(0), inputs: new Float32Array(0), camera: new THREE.Matrix4() };

    /** A picture that stays is drawn with more pixels than one of many, where these are few. */
    private refine(isFine: boolean): void {
        if (isFine !== this.isFine) {
            this.isFine = isFine;
            this.fitPixels();
        }
    }

    private fitPixels(): void {
        const quality = QUALITIES[this.judge.level]!;
        const usual = Math.min(quality.pixels, Math.max(1, window.devicePixelRatio) * Math.min(quality.pixels, 1));
        const fine = Math.min(FINE.ratio, Math.sqrt(FINE.pixels / Math.max(1, this.canvas.clientWidth * this.canvas.clientHeight)));
        this.renderer.setPixelRatio(this.isFine ? Math.max(usual, fine) : usual);
    }

    /** whether this picture is the one before, as far as can be seen */
    private noteSeen(now: number): void {
        const { camera, seen } = { camera: this.rig.camera.matrixWorld, seen: this.seen };
        const isSame = this.frame !== null && !this.differs(this.frame) && camera.elements.every((value, i) => Math.abs(value - seen.camera.elements[i]!) < 1e-5);
        this.calmSince = isSame && this.isCalm ? this.calmSince : now;
        this.isCalm = isSame;
        if (this.frame && !isSame) {
            seen.poses = this.frame.poses.slice();
            seen.inputs = this.frame.inputs.slice();
            seen.camera.copy(camera);
        }
    }

    // ---- a headset in the place of the screen ------------------------------------------------------------------

    private isPresenting = false;

    /** the eyes hang on this seat until the end */
    beginPresenting(seat: THREE.Group): void {
        this.isPresenting = true;
        this.scene.add(seat);
        seat.add(this.rig.camera);
    }

    endPresenting(): void {
        this.isPresenting = false;
        this.rig.camera.parent?.removeFromParent();
        this.rig.camera.removeFromParent();
        this.resize();
        this.isDirty = true;
    }

    /** the driver's eye now */
    seatNow(): { position: THREE.Vector3; turn: THREE.Quaternion; forward: THREE.Vector3 } {
        const { seat, turn, forward } = this.focus();
        return { position: seat, turn, forward };
    }

    present(now: number): void {
        this.advance(now);
        const { position } = this.focus();
        this.light.follow(position, this.rig.camera);
        this.surroundings.follow(position);
        this.drawMirrors();
        this.renderer.shadowMap.autoUpdate = true;
        this.renderer.render(this.scene, this.rig.camera);
        this.frameIsNew = false;
        this.drawings++;
    }

    private drawMirrors(): void {
        if (this.cockpit?.root.visible) {
            // the first shadows are those of the picture
            this.cockpit.mirrors.draw(this.renderer, this.scene, this.seatNow(), this.cockpit.root, this.isSoftware);
        }
    }

    private draw(now: number): void {
        const { frame } = this;
        const seconds = this.advance(now);
        const focus = this.focus();
        this.rig.back = this.lookInput >= 0 ? (frame?.inputs[this.lookInput] ?? 0) : 0;
        this.rig.update(focus, seconds);
        this.light.follow(focus.position, this.rig.camera);
        this.surroundings.follow(focus.position);
        this.inside?.update(this.rig.camera);
        const began = performance.now();
        this.drawMirrors();
        // in software the shadow is drawn every second time, and not in the picture that answers a key
        this.renderer.shadowMap.autoUpdate = !this.isSoftware;
        this.renderer.shadowMap.needsUpdate = this.isSoftware && !this.isAnswer && (this.isFine || this.drawings % 2 === 0);
        this.isAnswer = false;
        if (this.isQuartered) {
            this.drawQuarters(focus);
        } else {
            this.renderer.render(this.scene, this.rig.camera);
        }
        this.noteSeen(now);
        this.frameIsNew = false;
        // the chase camera still swings when no frame comes
        this.isDirty = false;
        this.gate.close(frame?.number ?? 0, began);
    }

    /** everything stands where the newest frame has it; s since the last picture */
    private advance(now: number): number {
        const frame = this.frame;
        if (frame && this.machine) {
            this.machine.pose(frame.poses);
            this.machine.bend(frame.modes);
            this.grip?.update(frame, this.machine);
            this.arrows?.update(this.needsArrows ? frame.arrows : new Float32Array(0), frame.channels);
            this.trails?.update(frame.t, frame.poses);
            this.poseGhost(frame);
            this.situation.update(this.machine.scene, frame);
        }
        const seconds = Math.min(0.2, Math.max(0.001, (now - this.lastTime) / 1000));
        this.lastTime = now;
        this.machine?.showDriver(this.rig.mode !== "seat");
        if (this.cockpit) {
            this.cockpit.root.visible = this.rig.mode === "seat";
            if (frame && (this.cockpit.root.visible || this.isQuartered)) {
                this.cockpit.update(frame);
            }
        }
        this.keepInSight(seconds);
        this.rain?.update(this.rig.camera.getWorldPosition(new THREE.Vector3()), seconds);
        return seconds;
    }

    private isQuartered = false;

    /** all four cameras at once, each in a quarter of the picture */
    showQuarters(isOn: boolean): void {
        this.isQuartered = isOn;
        this.renderer.setScissorTest(isOn);
        if (!isOn) {
            this.renderer.setViewport(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
        }
        this.resize();
        this.isDirty = true;
    }

    private drawQuarters(focus: Focus): void {
        const [width, height] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
        const own = this.rig.mode;
        CAMERA_MODES.forEach((mode, k) => {
            this.rig.mode = mode;
            this.rig.update(focus, 1e-6);
            this.machine?.showDriver(mode !== "seat");
            if (this.cockpit) {
                this.cockpit.root.visible = mode === "seat";
            }
            const [x, y] = [(k % 2) * width, (k < 2 ? 1 : 0) * height];
            this.renderer.setViewport(x, y, width, height);
            this.renderer.setScissor(x, y, width, height);
            this.renderer.render(this.scene, this.rig.camera);
        });
        this.rig.mode = own;
        this.rig.update(focus, 1e-6);
    }

    /** false while the graphics unit is still busy with the last drawing */
    private pollGate(): boolean {
        const done = this.gate.poll();
        if (done) {
            this.drawings++;
            this.onDrawn(done.frame, done.began, done.ended);
            if (!this.isFixedQuality && !this.isFine && this.judge.add(done.ended - done.began)) {
                this.applyQuality();
            }
        }
        return !this.gate.isBusy;
    }

    private poseGhost(frame: Frame): void {
        const isOn = this.isShowingGhost && (frame.flags & FLAG.ghost) !== 0 && frame.ghost.length > 0;
        if (isOn && !this.ghost && this.machine) {
            this.ghost = this.machine.makeGhost();
            this.world.add(this.ghost.root);
        }
        if (this.ghost) {
            this.ghost.root.visible = isOn;
            if (isOn) {
                this.ghost.pose(frame.ghost);
            }
        }
    }

    redraw(): void {
        this.isDirty = true;
    }

    /** draws and hands out the canvas while the picture is still in it */
    takePicture(use: (canvas: HTMLCanvasElement) => void): void {
        this.renderer.render(this.scene, this.rig.camera);
        use(this.canvas);
    }

    setQuality(level: number | null): void {
        this.isFixedQuality = level !== null;
        this.judge.level = level ?? this.judge.level;
        this.applyQuality();
    }

    private applyQuality(): void {
        const quality = QUALITIES[this.judge.level]!;
        this.fitPixels();
        // plain materials are only used with plain shadows, so that no material has to be compiled twice
        this.renderer.shadowMap.type = quality.isPhysical ? THREE.PCFShadowMap : THREE.BasicShadowMap;
        this.light.setShadowSize(quality.shadow);
        this.light.setReflections(this.renderer, quality.isPhysical);
        dress(this.scene, quality.isPhysical);
        this.chooseCasters();
        this.rebuildScenery?.();
        this.fitShadow?.();
        this.resize();
    }

    private resize(): void {
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        if (width > 0 && height > 0) {
            this.renderer.setSize(width, height, false);
            this.rig.resize(width, height);
            this.isDirty = true;
        }
    }

    // ---- the machine as a whole --------------------------------------------------------------------------------

    private turnWorld(gravity: readonly number[]): void {
        const down = new THREE.Vector3(gravity[0] ?? 0, gravity[1] ?? 0, gravity[2] ?? 0);
        this.world.quaternion.identity();
        if (down.lengthSq() > 0) {
            this.world.quaternion.setFromUnitVectors(down.normalize(), new THREE.Vector3(0, 0, -1));
        }
        this.world.updateMatrixWorld();
    }

    private isStanding = false;

    /** A mechanism in the plane of x and y that knows no weight stands upright, not flat in the floor. True: it was turned. */
    private standUp(message: SceneMessage): boolean {
        this.isStanding = false;
        if (message.gravity.some((g) => g !== 0) || message.view?.body !== undefined || message.shapes.some(isScenery)) {
            return false;
        }
        const before = this.world.quaternion.clone();
        this.turnWorld([0, 0, 0]);
        const box = new THREE.Box3();
        this.world.updateMatrixWorld(true);
        this.machine!.bodies.forEach((body) => box.expandByObject(body));
        this.isStanding = isFlat(box);
        if (this.isStanding) {
            this.turnWorld([0, -1, 0]);
        }
        return this.world.quaternion.angleTo(before) > 1e-3;
    }

    /** Size and middle of the machine, the scenery that fits it, and the driver's seat. */
    private measure(message: SceneMessage, isNew: boolean): void {
        const machine = this.machine!;
        const isTurned = this.standUp(message);
        this.world.updateMatrixWorld(true);
        const all = new THREE.Box3().setFromObject(machine.root);
        const bodies = new THREE.Box3();
        machine.bodies.forEach((body) => bodies.expandByObject(body));
        const isVehicle = message.view?.body !== undefined || isNamedFocus(message.bodies[this.focusBody] ?? "");
        const body = machine.bodies[this.focusBody];
        const own = isVehicle ? wholeMachine(machine.bodies, this.focusBody) : new THREE.Box3();
        const box = own.isEmpty() ? withFrame(bodies, new THREE.Box3().setFromObject(machine.fixed)) : own;
        if (box.isEmpty()) {
            box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
        }
        const hasScenery = message.shapes.some(isScenery);
        const length = Math.max(box.getSize(new THREE.Vector3()).length(), 0.05);
        const isResized = isNew || isTurned || Math.abs(length - this.length) > 0.2 * this.length;
        this.length = length;
        const centre = box.getCenter(new THREE.Vector3());
        this.isFollowing = isVehicle;
        if (body && isVehicle) {
            this.middle.copy(body.worldToLocal(centre.clone()));
        } else {
            this.middle.copy(centre);
        }
        const eyes = body && isVehicle ? machine.eyes() : null;
        const seat = eyes ? body!.worldToLocal(eyes).toArray() : (numbers(message.view?.seat) ?? guessSeat(this.middle, length));
        this.seat.set(...seat);
        if (eyes && !message.view?.cockpit) {
            // over the shoulder of a rider, so that the handlebar is seen
            this.seat.add(new THREE.Vector3(-0.45, 0, 0.2));
        }
        this.cockpit?.dispose();
        this.cockpit = null;
        // a mechanism is looked at from the side: its plane is mostly the one that holds gravity and x
        this.forward.set(...(numbers(message.view?.forward) ?? (isVehicle ? [1, 0, 0] : [0, 1, 0]))).normalize();
        const kind = message.view?.cockpit;
        // a rider bends over the handlebar
        this.rig.seatPitch = kind ? 0.24 : eyes ? 0.42 : 0.1;
        if (body && isVehicle && (kind === "truck" || kind === "car")) {
            this.cockpit = new Cockpit(message, kind, this.seat, this.forward);
            this.cockpit.root.visible = false;
            body.add(this.cockpit.root);
            dress(this.cockpit.root, QUALITIES[this.judge.level]!.isPhysical);
        }
        this.chooseCasters();
        this.framing.start(machine.bodies, box, length);
        this.sight = length;
        this.hasGround = message.shapes.some((shape) => shape.body < 0);
        this.rebuildScenery = () => this.buildScenery(message, length, all);
        this.rebuildScenery();
        if (isResized) {
            this.fitMarkers(message);
            this.rig.reset(isVehicle ? length : 0.8 * length, this.forwardNow());
            this.fitShadow = () => this.light.fitShadow(length, hasScenery, QUALITIES[this.judge.level]!.isPhysical);
            this.fitShadow();
            this.showWeather();
        }
    }

    /** where drawing is slow, small parts (wheels, lamps) throw no shadow: theirs lies in that of the machine */
    private chooseCasters(): void {
        const { isPhysical } = QUALITIES[this.judge.level]!;
        this.machine?.root.traverse((node) => {
            const mesh = node as THREE.Mesh;
            if (mesh.isMesh) {
                mesh.geometry.boundingSphere ?? mesh.geometry.computeBoundingSphere();
                mesh.userData.isCaster ??= mesh.castShadow;
                mesh.castShadow = mesh.userData.isCaster && (isPhysical || mesh.geometry.boundingSphere!.radius > SMALL_PART * this.length);
            }
        });
    }

    /** what stays where it is may grow, fall and swing: the view goes back, and the floor of one without ground goes down */
    private keepInSight(seconds: number): void {
        if (this.isFollowing || !this.machine || !this.frame) {
            return;
        }
        const { middle, length } = this.framing.update(this.machine.bodies, seconds);
        this.middle.copy(middle);
        this.rig.scaleTo(length / this.sight);
        this.sight = length;
        if (!this.hasGround) {
            this.surroundings.lower((now) => this.framing.floorFor(now));
        }
    }

    private cockpit: Cockpit | null = null;
    private framing = new Framing();
    private sight = 1; // m, length that the cameras have in sight
    private hasGround = false;
    private isFollowing = false;
    /** again, when the level of quality changes */
    private rebuildScenery: (() => void) | null = null;
    private fitShadow: (() => void) | null = null;

    private buildScenery(message: SceneMessage, length: number, all: THREE.Box3): void {
        const { isPhysical } = QUALITIES[this.judge.level]!;
        const measured = { length, all, base: new THREE.Box3().setFromObject(this.machine!.fixed), isStanding: this.isStanding };
        if (this.surroundings.build(message, measured, isPhysical, isPhysical && !this.isSoftware, this.world, this.scene)) {
            dress(this.scene, isPhysical);
        }
    }

    /** scenery, or floor, as it is now; for the tests */
    get scenery(): THREE.Group | null {
        return this.surroundings.root;
    }

    private forwardNow(): THREE.Vector3 {
        return this.forward.clone().applyQuaternion(this.focus().turn);
    }

    private focus(): Focus {
        const body = this.machine?.bodies[this.focusBody];
        const focus: Focus = {
            position: this.middle.clone(),
            turn: this.world.quaternion.clone(),
            seat: this.seat.clone(),
            forward: this.forward,
            length: this.isFollowing ? this.length : this.sight,
        };
        if (body && this.isFollowing) {
            body.updateWorldMatrix(true, false);
            focus.position = body.localToWorld(this.middle.clone());
            focus.turn = body.getWorldQuaternion(new THREE.Quaternion());
            focus.seat = body.localToWorld(this.seat.clone());
        }
        return focus;
    }
}
