// SPDX-License-Identifier: MIT
// The machine: shapes of the model file, or links between joint points when a model has none.

import { resource } from "../transport.ts";
import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { decodeBytes } from "../bytes.ts";
import { MESH_BYTES, type Link, type SceneMessage, type Shape } from "../protocol.ts";
import { boxGeometry } from "./builder.ts";
import { Crowd } from "./crowd.ts";
import { FlexibleBody } from "./flexible.ts";
import { makeMaterial, type Look } from "./materials.ts";
import { addLook } from "./looks.ts";
import { isScenery } from "./scenery.ts";
import { Struts } from "./struts.ts";
import { gridTexture } from "./textures.ts";

/** who sits in the seat: not drawn for the own eyes */
const DRIVER = /^(driver|conductor|rider)/i;

/** colours for bodies whose shapes have none */
const PALETTE = ["#d9822b", "#3b78a8", "#6a9a3c", "#b8473d", "#8466a5", "#3f9a94", "#c2a12c", "#7d6b5d"];

export function bodyColour(body: number): string {
    return body < 0 ? "#9a9a94" : PALETTE[body % PALETTE.length]!;
}

export class Machine {
    readonly root = new THREE.Group();
    readonly bodies: THREE.Group[] = [];
    readonly fixed = new THREE.Group();
    readonly flexible: FlexibleBody[] = [];
    private struts: Struts;
    private crowd = new Crowd();
    /** looks of the ground: they are no part of the machine, whose size they do not change */
    readonly around = new THREE.Group();
    private disposed = false;
    private isShown = true;
    private drawn: THREE.Object3D[] = []; // shapes, links, flexible bodies

    constructor(
        readonly scene: SceneMessage,
        /** a mesh has come, or what went wrong */
        private onLoaded: (mistake: string | null) => void,
    ) {
        this.root.add(this.fixed);
        for (const name of scene.bodies) {
            const group = new THREE.Group();
            group.name = name;
            this.bodies.push(group);
            this.root.add(group);
        }
        for (const shape of scene.shapes) {
            this.addShape(shape);
        }
        this.crowd.finish();
        this.root.add(this.crowd.root);
        this.drawn.push(this.crowd.root);
        this.struts = new Struts(scene.struts);
        this.struts.pose(this.bodies);
        this.root.add(this.struts.root);
        this.drawn.push(this.struts.root);
        for (const look of scene.looks) {
            addLook(look, scene.hash, look.body < 0 ? this.around : this.parentOf(look.body)).then(
                (node) => {
                    if (look.body >= 0) {
                        this.drawn.push(node);
                    }
                    if (!this.disposed) {
                        this.onLoaded(null);
                    }
                },
                (error: Error) => this.disposed || this.onLoaded(`${look.name}: ${look.url}: ${error.message}`),
            );
        }
        for (const one of scene.flexible) {
            const body = new FlexibleBody(one, (mistake) => this.disposed || this.onLoaded(mistake));
            this.flexible.push(body);
            this.parentOf(one.body).add(body.root);
            this.drawn.push(body.root);
        }
        throwShadows(this.root);
    }

    private hasLinks = false;

    /**
     * A model without shapes is drawn by its joint points, as thick as its size asks, which is known with the first pose. Where there are
     * shapes, bodies without one are not meant to be seen.
     */
    private addLinks(): void {
        this.hasLinks = true;
        if ([...this.scene.shapes, ...this.scene.looks].some((shape) => shape.body >= 0)) {
            return;
        }
        const meshed = new Set(this.scene.flexible.map((one) => one.body));
        const length = this.typicalLength();
        for (const link of this.scene.links.filter((one) => !meshed.has(one.body))) {
            const node = makeLink(link, length);
            node.visible = this.isShown;
            throwShadows(node);
            this.parentOf(link.body).add(node);
            this.drawn.push(node);
        }
    }

    /** deforms and paints the flexible bodies */
    bend(modes: Float32Array): void {
        for (const body of this.flexible) {
            body.update(modes);
        }
    }

    /** every frame that comes counts for the largest stresses, drawn or not */
    accept(modes: Float32Array, t: number): void {
        for (const body of this.flexible) {
            body.accept(modes, t);
        }
    }

    holdPeaks(isOn: boolean): void {
        for (const body of this.flexible) {
            body.isHolding = isOn;
        }
    }

    resetPeaks(): void {
        for (const body of this.flexible) {
            body.resetPeaks();
        }
    }

    parentOf(body: number): THREE.Group {
        return this.bodies[body] ?? this.fixed;
    }

    private typicalLength(): number {
        const box = new THREE.Box3();
        for (const link of this.scene.links) {
            const { position, quaternion } = this.parentOf(link.body);
            for (const point of link.points) {
                box.expandByPoint(new THREE.Vector3(...point).applyQuaternion(quaternion).add(position));
            }
        }
        return box.isEmpty() ? 1 : Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    }

    private addShape(shape: Shape): void {
        // the ground itself and what stands around belong to the scenery
        if (isGroundPlane(shape) || isScenery(shape)) {
            return;
        }
        const node = makeShape(shape);
        node.name = shape.name;
        node.position.set(...shape.at);
        const [w, x, y, z] = shape.quaternion;
        node.quaternion.set(x, y, z, w);
        this.parentOf(shape.body).add(node);
        this.drawn.push(node);
        if (shape.body >= 0 && !DRIVER.test(shape.name)) {
            this.crowd.add(shape, node, lookOf(shape));
        }
        if (shape.mesh !== undefined && (shape.type === "mesh" || shape.type === "hull" || shape.type === "field")) {
            void this.loadMesh(shape, node);
        }
    }

    private async loadMesh(shape: Shape, node: THREE.Group): Promise<void> {
        let geometry: THREE.BufferGeometry;
        try {
            geometry = await fetchMesh(this.scene.hash, shape.mesh!);
        } catch (error) {
            this.onLoaded(`${shape.name}: ${(error as Error).message}`);
            return;
        }
        if (this.disposed) {
            return;
        }
        const isLand = shape.type === "field" && shape.body < 0;
        const mesh = new THREE.Mesh(geometry, makeMaterial(isLand ? landLook(geometry, shape) : lookOf(shape)));
        mesh.castShadow = !isLand;
        mesh.receiveShadow = true;
        mesh.userData.isShared = true;
        node.add(mesh);
        this.onLoaded(null);
    }

    /** what is drawn of the machine, without what hangs on it */
    showShapes(isVisible: boolean): void {
        this.isShown = isVisible;
        for (const node of this.drawn) {
            node.visible = isVisible;
        }
    }

    /** see-through, so that what lies inside shows; its own materials come back with the dress of the quality level */
    makeGlass(isGlass: boolean): void {
        for (const root of this.drawn) {
            root.traverse((node) => {
                const mesh = node as THREE.Mesh;
                const own = mesh.userData.solid as THREE.Material | undefined;
                if (!mesh.isMesh || isGlass === (own !== undefined)) {
                    return;
                }
                if (own) {
                    (mesh.material as THREE.Material).dispose();
                    mesh.material = own;
                    delete mesh.userData.solid;
                    return;
                }
                const glass = (mesh.material as THREE.Material).clone();
                mesh.userData.solid = mesh.material;
                glass.userData = {};
                glass.transparent = true;
                glass.opacity = 0.3 * glass.opacity;
                glass.depthWrite = false;
                mesh.material = glass;
            });
        }
    }

    /** edges of a shape in its own axes, of one that is not drawn, too; null: it has none */
    async edgesOf(shape: Shape): Promise<THREE.BufferGeometry | null> {
        if (shape.type === "plane" || shape.type === "field") {
            return null;
        }
        if (shape.mesh !== undefined) {
            try {
                return new THREE.EdgesGeometry(await fetchMesh(this.scene.hash, shape.mesh), 20);
            } catch (error) {
                this.onLoaded(`${shape.name}: ${(error as Error).message}`);
                return null;
            }
        }
        const mesh = makeShape({ ...shape, name: "" }).children[0] as THREE.Mesh | undefined;
        return mesh ? new THREE.EdgesGeometry(mesh.geometry, 12) : null;
    }

    /** who sits in the seat does not see the own head */
    showDriver(isVisible: boolean): void {
        for (const body of this.bodies) {
            for (const shape of body.children) {
                if (DRIVER.test(shape.name)) {
                    shape.visible = isVisible && this.isShown;
                }
            }
        }
    }

    /** the eyes of a driver that has a head, in ground axes */
    eyes(): THREE.Vector3 | null {
        let head: THREE.Object3D | null = null;
        this.root.traverse((node) => {
            if (/^(driver|conductor|rider)[_-](head|cabeza)/i.test(node.name)) {
                head = node;
            }
        });
        return (head as THREE.Object3D | null)?.getWorldPosition(new THREE.Vector3()) ?? null;
    }

    /** pieces that are drawn together */
    get crowds(): THREE.Object3D[] {
        return this.crowd.root.children;
    }

    /** the body that a ray has met; -1: none */
    bodyOf(hit: THREE.Intersection): number {
        const piece = hit.instanceId === undefined ? null : this.crowd.bodyOf(hit.object, hit.instanceId);
        let node: THREE.Object3D | null = piece ?? hit.object;
        while (node && !this.bodies.includes(node as THREE.Group)) {
            node = node.parent;
        }
        return node ? this.bodies.indexOf(node as THREE.Group) : -1;
    }

    /** poses: 7 numbers per body as in a frame */
    pose(poses: Float32Array): void {
        for (let b = 0; b < this.bodies.length && 7 * b + 6 < poses.length; b++) {
            const at = 7 * b;
            const node = this.bodies[b]!;
            node.position.set(poses[at]!, poses[at + 1]!, poses[at + 2]!);
            node.quaternion.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
        }
        this.struts.pose(this.bodies);
        this.crowd.update();
        if (!this.hasLinks) {
            this.addLinks();
        }
    }

    /** a see-through copy, for the timeline that was left */
    makeGhost(): Machine {
        const ghost = new Machine({ ...this.scene, shapes: this.scene.shapes.filter((shape) => shape.body >= 0), looks: this.scene.looks.filter((look) => look.body >= 0) }, () => ghost.paintGhost());
        ghost.paintGhost();
        return ghost;
    }

    private paintGhost(): void {
        const material = new THREE.MeshBasicMaterial({ color: "#58b7ff", transparent: true, opacity: 0.28, depthWrite: false });
        this.root.traverse((node) => {
            const mesh = node as THREE.Mesh;
            if (mesh.isMesh) {
                mesh.material = material;
                mesh.castShadow = mesh.receiveShadow = false;
            }
        });
    }

    dispose(): void {
        this.disposed = true;
        this.root.removeFromParent();
        this.around.removeFromParent();
        this.root.traverse((node) => {
            if (!node.userData.isShared) {
                (node as THREE.Mesh).geometry?.dispose();
            }
        });
    }
}

function throwShadows(root: THREE.Object3D): void {
    root.traverse((node) => {
        node.castShadow = true;
        node.receiveShadow = true;
    });
}

function isGroundPlane(shape: Shape): boolean {
    return shape.type === "plane" && shape.body < 0 && Math.abs(shape.at[2]) < 1e-6 && Math.abs(shape.quaternion[0]) > 0.9999;
}

/** meshes by model and number: a restart and the ghost use those that are there */
const meshes = new Map<string, Promise<THREE.BufferGeometry>>();

function fetchMesh(hash: string, number: number): Promise<THREE.BufferGeometry> {
    const key = `${hash} ${number}`;
    let mesh = meshes.get(key);
    if (!mesh) {
        mesh = loadMesh(number);
        meshes.set(key, mesh);
        // what failed may be asked again
        mesh.catch(() => meshes.delete(key));
    }
    return mesh;
}

async function loadMesh(number: number): Promise<THREE.BufferGeometry> {
    const answer = await resource(`mesh/${number}`);
    if (!answer.ok) {
        throw new Error(`mesh ${number}: the server answered ${answer.status}`);
    }
    return readMesh(await answer.arrayBuffer());
}

/** Vertices and triangles as the server sends them. */
export function readMesh(data: ArrayBuffer): THREE.BufferGeometry {
    const mesh = decodeBytes(data, MESH_BYTES);
    if (!mesh) {
        throw new Error(`a mesh has ${data.byteLength} bytes, which is not what it says of itself`);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(mesh.parts.positions.f32, 3));
    geometry.setIndex(new THREE.BufferAttribute(mesh.parts.corners.u32, 1));
    // edges of more than 35 degrees stay edges
    return toCreasedNormals(geometry, 0.6);
}

function lookOf(shape: Shape): Look {
    const colour = shape.colour ?? bodyColour(shape.body);
    const c = new THREE.Color(colour);
    const brightness = c.r + c.g + c.b;
    const opacity = shape.opacity ?? 1;
    // dark greys are rubber, the rest is painted steel
    return brightness < 0.12 ? { colour, opacity, roughness: 0.9 } : { colour, opacity, roughness: 0.42, metalness: 0.15 };
}

/** Ground that is not flat: a grid laid over it shows its slopes. */
function landLook(geometry: THREE.BufferGeometry, shape: Shape): Look {
    const place = geometry.getAttribute("position");
    const uv = new Float32Array(2 * place.count);
    for (let i = 0; i < place.count; i++) {
        uv[2 * i] = place.getX(i);
        uv[2 * i + 1] = place.getY(i);
    }
    geometry.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
    return { map: gridTexture(10), colour: shape.colour ?? "#d5d8cf", roughness: 0.95 };
}

function makeShape(shape: Shape): THREE.Group {
    const group = new THREE.Group();
    const add = (geometry: THREE.BufferGeometry, look: Look = lookOf(shape)) =>
        group.add(new THREE.Mesh(geometry, makeMaterial(look)));
    const size = (i: number, standard: number) => shape.size[i] ?? standard;
    const isWheel = /wheel|tyre|rueda/i.test(shape.name);
    switch (shape.type) {
        case "box":
            add(boxGeometry(size(0, 1), size(1, 1), size(2, 1)));
            break;
        case "sphere":
            add(new THREE.SphereGeometry(size(0, 0.5), 28, 18));
            break;
        case "ellipsoid":
            add(new THREE.SphereGeometry(1, 36, 24).scale(size(0, 0.5), size(1, 0.5), size(2, 0.5)));
            break;
        case "cylinder":
            if (isWheel) {
                addWheel(group, size(0, 0.5), size(1, 0.2), lookOf(shape));
            } else {
                add(new THREE.CylinderGeometry(size(0, 0.5), size(0, 0.5), size(1, 1), 36).rotateX(Math.PI / 2));
            }
            break;
        case "capsule":
            add(new THREE.CapsuleGeometry(size(0, 0.5), size(1, 1), 5, 18).rotateX(Math.PI / 2));
            break;
        case "cone":
            add(new THREE.ConeGeometry(size(0, 0.5), size(1, 1), 36).rotateX(Math.PI / 2));
            break;
        case "torus":
            // the section may be an ellipse: width along z
            add(new THREE.TorusGeometry(size(0, 0.5), size(1, 0.1), 16, 56).scale(1, 1, (size(2, 0) || 2 * size(1, 0.1)) / (2 * size(1, 0.1))));
            if (isWheel) {
                addSpokes(group, size(0, 0.5), size(1, 0.1));
            }
            break;
        case "plane": {
            const side = size(0, 40);
            const geometry = new THREE.PlaneGeometry(side, size(1, side));
            add(geometry, { colour: shape.colour ?? "#b9b6ae", roughness: 0.9, isTwoSided: true });
            break;
        }
        case "mesh":
        case "hull":
        case "field":
            break; // comes from the server
    }
    return group;
}

/** Tyre, rim and bolts about z; the bolts show that it turns. */
function addWheel(group: THREE.Group, radius: number, width: number, look: Look): void {
    const w = width / 2;
    const bulge = Math.min(0.25 * radius, 0.5 * w);
    const rim = 0.56 * radius;
    const profile = [
        [rim, -w * 0.86],
        [radius - bulge, -w],
        [radius - 0.25 * bulge, -w + 0.45 * bulge],
        [radius, -w + bulge],
        [radius, w - bulge],
        [radius - 0.25 * bulge, w - 0.45 * bulge],
        [radius - bulge, w],
        [rim, w * 0.86],
    ].map(([r, z]) => new THREE.Vector2(r, z));
    const tyre = new THREE.LatheGeometry(profile, 40).rotateX(Math.PI / 2);
    group.add(new THREE.Mesh(tyre, makeMaterial({ ...look, isTwoSided: true })));
    const steel = makeMaterial({ colour: "#d8d5cc", roughness: 0.4, metalness: 0.4 });
    const dark = makeMaterial({ colour: "#4c5054", roughness: 0.5, metalness: 0.4 });
    group.add(new THREE.Mesh(new THREE.CylinderGeometry(rim, rim, width * 0.8, 32).rotateX(Math.PI / 2), steel));
    group.add(new THREE.Mesh(new THREE.CylinderGeometry(0.3 * rim, 0.3 * rim, width * 0.98, 20).rotateX(Math.PI / 2), dark));
    for (let k = 0; k < 6; k++) {
        const angle = (k * Math.PI) / 3;
        const bolt = new THREE.CylinderGeometry(0.09 * rim, 0.09 * rim, width * 0.9, 8).rotateX(Math.PI / 2);
        bolt.translate(0.62 * rim * Math.cos(angle), 0.62 * rim * Math.sin(angle), 0);
        group.add(new THREE.Mesh(bolt, dark));
    }
}

function addSpokes(group: THREE.Group, radius: number, section: number): void {
    const steel = makeMaterial({ colour: "#c6c9cb", roughness: 0.35, metalness: 0.5 });
    const thickness = Math.max(0.12 * section, 0.0015);
    for (let k = 0; k < 12; k++) {
        const spoke = new THREE.CylinderGeometry(thickness, thickness, 2 * radius, 6);
        spoke.rotateZ((k * Math.PI) / 12);
        group.add(new THREE.Mesh(spoke, steel));
    }
    group.add(new THREE.Mesh(new THREE.CylinderGeometry(section, section, 3 * section, 16).rotateX(Math.PI / 2), steel));
}

/** Rods from the centre of a body's joint points to each of them, balls at the ends. */
function makeLink(link: Link, length: number): THREE.Group {
    const group = new THREE.Group();
    const material = makeMaterial({ colour: bodyColour(link.body), roughness: 0.4, metalness: 0.2 });
    const joint = makeMaterial({ colour: "#e9e6df", roughness: 0.35, metalness: 0.3 });
    const radius = 0.02 * length;
    const points = uniquePoints(link.points.map((point) => new THREE.Vector3(...point)), 0.2 * radius);
    const ball = new THREE.SphereGeometry(1.5 * radius, 18, 12);
    for (const point of points) {
        const mesh = new THREE.Mesh(ball, joint);
        mesh.position.copy(point);
        group.add(mesh);
    }
    const rod = (a: THREE.Vector3, b: THREE.Vector3) => {
        const along = b.clone().sub(a);
        const geometry = new THREE.CylinderGeometry(radius, radius, along.length(), 16);
        geometry.translate(0, along.length() / 2, 0);
        const mesh = new THREE.Mesh(geometry, material);
        mesh.position.copy(a);
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
        group.add(mesh);
    };
    if (points.length === 1) {
        group.add(new THREE.Mesh(new THREE.SphereGeometry(3 * radius, 24, 16), material));
    } else if (points.length === 2) {
        rod(points[0]!, points[1]!);
    } else {
        const middle = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(points.length);
        for (const point of points) {
            if (point.distanceTo(middle) > radius) {
                rod(middle, point);
            }
        }
    }
    return group;
}

function uniquePoints(points: THREE.Vector3[], gap: number): THREE.Vector3[] {
    const kept: THREE.Vector3[] = [];
    for (const point of points) {
        if (!kept.some((other) => other.distanceTo(point) < gap)) {
            kept.push(point);
        }
    }
    return kept;
}
