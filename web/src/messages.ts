// SPDX-License-Identifier: MIT
// What server and page say to each other, as types: made by tools/generate from app/live/messages.txt; change that.

export const PROTOCOL = 1;

/** a number, or a text such as "2*pi" */
export type Expression = number | string;

/** what a shape is; its `size` */
export type ShapeType = "box" | "sphere" | "cylinder" | "capsule" | "torus" | "plane" | "mesh" | "field" | "cone" | "hull" | "ellipsoid";

/** what a shape is painted with */
export type Finish = "plain" | "concrete" | "asphalt" | "gravel" | "grass" | "grid" | "sheet" | "metal" | "glass" | "wire" | "paint";

/** what is drawn between points of several bodies */
export type StrutType = "rod" | "cylinder" | "chain";

/** where a force acts */
export type ArrowKind = "joint" | "tyre" | "contact";

/** what a point or vector is to the equations */
export type EntityRole = "variable" | "constant" | "named";

/** what a run says of its own quality */
export type Outcome = "good" | "doubtful" | "bad";

/** where an exercise stands */
export type ExerciseState = "ready" | "running" | "passed" | "failed";

/** what an exercise puts on the ground */
export type MarkKind = "gate" | "line" | "zone" | "cone" | "arrow";

/** why the score of an exercise is not 100 */
export type ReasonKind = "fault" | "limit" | "time" | "final" | "late" | "goal";

/** how a channel is shown */
export type HudKind = "number" | "bar" | "height" | "margin" | "angle" | "speed" | "gear" | "wheel-loads";

/** whose page it is */
export type PersonSeat = "driver" | "trainee" | "watcher" | "instructor";

/** what is shown */
export type SceneKind = "drive" | "replay" | "results";

/** which side of `warn` is bad */
export type WarnWhen = "above" | "below";

/** what is drawn of a body */
export interface Shape {
    name: string; // of the shape
    body: number; // index in `bodies`; -1: the ground
    type: ShapeType; // what it is
    at: [number, number, number]; // [m] its place in the axes of the body
    quaternion: [number, number, number, number]; // w x y z, its axes in those of the body
    size: number[]; // [m] by `type`
    mesh?: number; // K of `/mesh/K`; of meshes and fields
    colour?: string; // "#rrggbb"; missing: the page chooses
    opacity?: number; // 0 to 1; comes with `colour`
    finish?: Finish; // what it is painted with; shapes of the ground that have one are scenery
}

/** what is drawn between points of several bodies */
export interface Strut {
    name: string; // of the strut
    type: StrutType; // what it is
    bodies: number[]; // of its points; -1: the ground
    points: [number, number, number][]; // [m] in the axes of these bodies
    radius: number; // [m] of the rod, the barrel, the links
    rod?: number; // [m] of a cylinder: radius of its rod
    barrel?: number; // [m] of a cylinder: length of its barrel
    colour?: string; // "#rrggbb"; missing: the page chooses
    opacity?: number; // 0 to 1; comes with `colour`
}

/** a file of a modelling program */
export interface Look {
    name: string; // of the look
    body: number; // index in `bodies`; -1: the ground
    at: [number, number, number]; // [m] its place in the axes of the body
    quaternion: [number, number, number, number]; // w x y z, its axes in those of the body
    scale: number; // on its lengths
    url: string; // where the page fetches it; what it names lies beside it
}

/** sun and sky */
export interface SceneLight {
    sun?: [Expression, Expression, Expression]; // direction towards the sun, ground axes
    colour?: string; // of the sun
    brightness?: Expression; // factor on the sun
    ambient?: Expression; // factor on the light of the sky
    sky?: string; // colour of an even sky
}

/** something to draw of a body without shapes */
export interface Link {
    body: number; // index in `bodies`
    points: [number, number, number][]; // [m] its joint points and its centre of mass, body axes
}

/** a body with a mesh; `/flex/BODY` has its bytes */
export interface Flexible {
    body: number; // index in `bodies`, and BODY
    first: number; // its first amplitude in the block `modes` of a frame
    modes: number; // how many amplitudes it has
}

/** a named output */
export interface Channel {
    name: string; // of the channel
    unit: string; // of the channel
}

/** a number that the driver sets */
export interface Input {
    name: string; // of the input
    initial: number; // [own] value at the start, and when nobody drives
    min: number | null; // [own] least that controls offer; null: no limit
    max: number | null; // [own] most that controls offer; null: no limit
    unit: string; // unit of the four numbers and of `inputs`
    help: string; // what it does
}

/** a number that a restart may change */
export interface Parameter {
    name: string; // of the parameter
    value: number; // [own] in its own unit
    unit: string; // "": none, SI
    help: string; // what it is
    min: number | null; // [own] least value that the model takes; null: no limit
    max: number | null; // [own] largest value that the model takes; null: no limit
    computed: boolean; // the file computes it from other parameters
}

/** parameters under one heading */
export interface ParameterGroup {
    title: string; // for people
    parameters: string[]; // names of parameters
}

/** a force that frames may carry */
export interface Arrow {
    name: string; // of the joint or output
    kind: ArrowKind; // where it acts
}

/** an exercise that the model offers */
export interface ExerciseName {
    name: string; // file name without its ending
    title: string; // for people
}

/** a reading of the head-up display */
export interface HudEntry {
    channel?: string; // what is shown
    channels?: string[]; // what is shown, where it is more than one
    label?: string; // text beside it
    unit?: string; // unit to show; the limits are in it
    min?: Expression; // [own] begin of the range
    max?: Expression; // [own] end of the range
    warn?: Expression; // [own] limit of what is good
    near?: Expression; // [own] from here on it is orange
    warn_when?: WarnWhen; // missing: above when `warn` lies in the upper half of the range
    sign?: Expression; // -1 turns the reading round
    kind?: HudKind; // how it is shown
}

/** what cameras follow */
export interface SceneView {
    body?: string; // name of the body
    seat?: [Expression, Expression, Expression]; // [m] the driver's eye, body axes
    forward?: [Expression, Expression, Expression]; // direction of sight, body axes
    cockpit?: string; // what is seen from the seat: `truck` (wheel and levers) or `car` (wheel and dashboard)
}

/** keys of an input */
export interface Control {
    keys?: string[]; // two letters, for more and for less; []: none
    sign?: number; // -1 where the model's sign is not the page's
    stays?: boolean; // it keeps what its keys have set
    feel?: string[]; // channels whose sum is felt by whoever turns the wheel of `--sdl`
    feel_gain?: Expression; // on that sum, with its sign: N m in the hand
    feel_full?: Expression; // [N m] torque that is all the device can
}

/** inputs that are the instructor's, by their names */
export interface InstructorInputs {
    set?: Record<string, Expression>; // parameters that bring them, set where there is an instructor
    wet?: string; // 0: dry, 1: wet
    shift?: string; // of the load, -1 to 1, to the left
    ice?: [string, string, string][]; // x, y and radius of slippery discs on the ground
    barrier?: [string, string, string][]; // x, y and 1: it stands, of what comes up in the way
}

/** a page that is connected */
export interface Person {
    number: number; // of the page
    seat: PersonSeat; // whose it is
    asks: boolean; // it has asked for the seat
}

/** which eigenvalues `modes` shows */
export interface LiveModes {
    set?: Record<string, Expression>; // parameters of the linearised model
    follow: Record<string, string>; // parameters that follow a channel or an input
}

/** a point or vector, once, however many bodies have it */
export interface InsideEntity {
    name: string; // of the model; else as `biela info --variables` has it, or of a joint there
    vector: boolean; // false: a point
    role: EntityRole; // what the equations make of it
    body: number; // the first that has it, index in `bodies`; -1: the ground
    at: [number, number, number]; // [m] where it is in that body; of a vector, where it is drawn
    along?: [number, number, number]; // of a vector: unit, in that body
    shares: number[]; // bodies that have it
}

/** a joint */
export interface InsideJoint {
    name: string; // of the joint
    kind: string; // as in the model file
    a: number; // first body; -1: the ground
    b: number; // second body
    at_a: [number, number, number]; // [m] its point in body a
    at: [number, number, number]; // [m] its point in body b
    axis?: [number, number, number]; // unit, in body b
    variables: number; // its coordinates among the variables
    redundant: number; // of its rows, these are held by others
    shared: boolean; // its reactions are not unique
}

/** a body with mass, and the ellipsoid of even density with the same inertia */
export interface InsideMass {
    body: number; // index in `bodies`
    mass: number; // [kg] of the body
    at: [number, number, number]; // [m] centre of mass in the body
    quaternion: [number, number, number, number]; // w x y z, principal axes in those of the body
    half_axes: [number, number, number]; // [m] of the ellipsoid
}

/** a constraint that is no joint */
export interface InsideConstraint {
    name: string; // of the constraint
    kind: string; // as in the model file
    redundant: number; // of its rows, these are held by others
    shared: boolean; // its efforts are not unique
}

/** a shape that a contact or a tyre names */
export interface InsideTouch {
    shape: Shape; // also one that is not drawn
    element: string; // the first that names it
}

/** a force on one or two points, which has no joint: a spring, a tyre, air */
export interface InsideForce {
    name: string; // of the force
    kind: string; // as in the model file
    a: number; // body of its first point; -1: the ground
    at_a: [number, number, number]; // [m] where it is in that body
    b?: number; // body of its second point
    at_b?: [number, number, number]; // [m] where it is in that body
}

/** what the run says of its own quality, all steps up to the instant shown, also after a seek */
export interface Verdict {
    outcome: Outcome; // in one word
    line?: string; // the worst judgement in words; missing when it is good
}

/** model time per time spent; 0 where none was spent */
export interface Rooms {
    step: number; // in steps
    ghost: number; // in steps of the ghost
    history: number; // in keeping what a seek needs
    frame: number; // in making frames
    log: number; // in writing the log
}

/** a touch of two shapes that an event tells of */
export interface Hit {
    a: string; // what people call the first: title of the shape, else its body, else its name
    b: string; // and the second
    at: [number, number, number]; // [m] where it began, ground axes
    speed: number; // [m/s] of the first against the second there, before it began
    closing: number; // [m/s] its part towards each other
    force: number; // [N] largest so far
    energy: number; // [J] that it has taken from the bodies so far
    over: boolean; // they have parted
}

/** what is to be reached */
export interface ExerciseGoal {
    text: string; // for people
    hint?: string; // how
    done: boolean; // it is reached
}

/** what must not be passed */
export interface ExerciseLimit {
    fault?: string; // its name among the faults of the model; missing: of this exercise alone
    text: string; // for people
    value: number; // [SI] now
    max: number; // [SI] the limit
    broken: boolean; // beyond it now
    times: number; // how many times it was passed; again within a second is the same time
    cost: number; // points lost each time
}

/** points lost */
export interface ExerciseReason {
    kind: ReasonKind; // by what
    text: string; // for people; "": the kind says it all
    hint?: string; // how to do better
    times: number; // how many times
    points: number; // lost in all; 0 where the whole score is
}

/** what is on the ground */
export interface ExerciseMark {
    kind: MarkKind; // what it looks like
    at: [number, number, number]; // [m] its place
    size: number[]; // [m] width, depth
    angle?: number; // [rad] about z
    done: boolean; // its goal is reached
    next: boolean; // its goal is the one to reach now
}

/** everything that does not change during a run */
export interface SceneMessage {
    type: "scene";
    protocol: number; // version of this protocol
    version: string; // of the program
    model: string; // name of the model
    title: string; // name for people
    kind: SceneKind; // what is shown
    run: string; // the run in use, one of `runs`; "": none of them; of results their file
    hash: string; // of the system, 16 hexadecimal digits; "": results without one
    dt: number; // [s] time step
    t: number; // [s] time at the start
    gravity: [number, number, number]; // [m/s2] acceleration of gravity
    bodies: string[]; // names in the order of frames; the ground is not among them
    shapes: Shape[]; // what is drawn
    struts: Strut[]; // what is drawn between bodies
    looks: Look[]; // files that are only seen
    links: Link[]; // one for each body
    flexible: Flexible[]; // bodies with a mesh
    channels: Channel[]; // in the order of frames
    inputs: Input[]; // in the order of frames
    parameters: Parameter[]; // what a restart may set
    runs: string[]; // named runs of the model
    arrows: Arrow[]; // in the order of frames
    hud?: HudEntry[]; // as in the model file
    scenery?: string; // as in the model file
    light?: SceneLight; // as in the model file
    view?: SceneView; // as in the model file
    controls?: Record<string, Control>; // as in the model file, by the names of inputs
    live_modes?: LiveModes; // as in the model file
    instructor?: InstructorInputs; // as in the model file
    exercises: ExerciseName[]; // what `exercise` may ask for
    still?: number; // of results with a model: bodies that the table does not tell of, drawn as they start
    groups?: ParameterGroup[]; // as in the model file
    spanish?: Record<string, string>; // as in the model file: its texts and those of its exercises in Spanish, by the texts themselves
}

/** who drives */
export interface RoleMessage {
    type: "role";
    driver: boolean; // this page drives
    viewers: number; // pages that are connected, this one too
    taken: boolean; // somebody drives
    may_drive: boolean; // this page may have the seat
    waits: boolean; // this page has asked for the seat
    instructor: boolean; // this page is the instructor's
    frozen: boolean; // the instructor has stopped everything
    asks: number; // of the driver's page: how many ask for the seat; else 0
    people?: Person[]; // of the instructor's page: who is there
}

/** an event of the model, a step that failed, a verdict that has become worse */
export interface EventMessage {
    type: "event";
    t: number; // [s] when
    name: string; // of the event; `verdict`: of a verdict
    text: string; // for people
    number?: number; // of an event of the model, from 0: another message with the same number takes the place of the first
    hit?: Hit; // of an event of a contact: what touched what, where and how hard
}

/** how the run keeps time, and how good it is */
export interface ReportMessage {
    type: "report";
    steps: number; // so far
    worst_us: number; // [us] the longest step
    worst_t: number; // [s] when that was
    mean_us: number; // [us] of all steps
    misses: number; // steps that ended too late
    slips: number; // times at which lost time was given up
    slipped: number; // [s] of the clock given up
    factor: number; // speed reached over the last half second
    deadline_us: number; // [us] what a step may take at the speed asked for
    histogram: number[]; // bin k counts steps of 2^k to 2^(k+1) us
    rooms: Rooms; // where the time went
    verdict: Verdict; // looked at every 256 steps while it runs, and when it stands
}

/** what a seek can reach */
export interface TimelineMessage {
    type: "timeline";
    begin: number; // [s] the first instant
    end: number; // [s] the last instant
    now: number; // [s] the instant shown
    branch: number; // how many times somebody took over
    recording: string | null; // file of the recording; null: none
}

/** how the exercise goes */
export interface ExerciseMessage {
    type: "exercise";
    name: string; // as in `exercises`
    title: string; // for people
    text: string | null; // what to do; null: the file does not say
    state: ExerciseState; // where it stands
    waits: boolean; // its clock begins with the first input, and there was none yet
    time: number; // [s] since it began
    limit: number | null; // [s] time that it may take; null: any
    score: number; // 0 to 100
    goals: ExerciseGoal[]; // in their order
    limits: ExerciseLimit[]; // in the order of the file, then faults
    reasons: ExerciseReason[]; // why the score is not 100
    marks: ExerciseMark[]; // what is on the ground
    next?: string | null; // once it has ended: the exercise behind it in `exercises`; null: it was the last
    report?: string | null; // path of the report, once it has ended; null: it is not recorded
}

/** eigenvalues of the steady motion */
export interface ModesMessage {
    type: "modes";
    at: Record<string, number>; // the parameters that follow, with the values of their channels or inputs
    eigenvalues: [number, number][]; // [1/s] real and imaginary parts; []: there is no steady motion like this
}

/** what is inside the model, as it starts */
export interface InsideMessage {
    type: "inside";
    entities: InsideEntity[]; // points and vectors
    joints: InsideJoint[]; // in the order of the model
    masses: InsideMass[]; // bodies that have mass
    constraints: InsideConstraint[]; // others than joints
    touches: InsideTouch[]; // shapes of contacts
    forces: InsideForce[]; // springs, tyres and others that act on points
    redundant: number; // rows of all joints and constraints; -1: too many to look at
}

/** where it is */
export interface SavedMessage {
    type: "saved";
    name: string; // of the exercise
    file: string; // path, as the program was told the folder
}

/** what and why */
export interface ErrorMessage {
    type: "error";
    text: string; // for people
}

export type ServerMessage =
    | SceneMessage
    | RoleMessage
    | EventMessage
    | ReportMessage
    | TimelineMessage
    | ExerciseMessage
    | ModesMessage
    | InsideMessage
    | SavedMessage
    | ErrorMessage;

export const SERVER_MESSAGES: readonly ServerMessage["type"][] = ["scene", "role", "event", "report", "timeline", "exercise", "modes", "inside", "saved", "error"];

export type ClientMessage =
    | { type: "ack"; frame: number }
    | { type: "arrows"; on: boolean }
    | { type: "inside" }
    | { type: "driver" }
    | { type: "freeze"; on: boolean }
    | { type: "comment"; text: string }
    | { type: "hand"; to: number }
    | { type: "situation"; values: Record<string, number> }
    | { type: "seat"; give: boolean }
    | { type: "inputs"; values: Record<string, number> }
    | { type: "pause" }
    | { type: "play" }
    | { type: "step"; n: number }
    | { type: "speed"; value: number }
    | { type: "seek"; t: number }
    | { type: "take" }
    | { type: "ghost"; on: boolean }
    | { type: "scenario"; name: string; part: number; of: number; replace: boolean; text: string }
    | { type: "exercise"; name: string }
    | { type: "restart"; set?: Record<string, Expression>; run?: string; keep?: boolean }
    | { type: "model"; name: string };

export const FRAME_MAGIC = 0x31464942; // "BIF1"

export const FLAG = {
    paused: 1, // stands still
    rewound: 2, // shows the past; inputs are ignored
    ghost: 4, // a ghost is there
    ended: 8, // a step failed, an event stopped the run, or the end was reached
    stale: 16, // nobody holds the controls: inputs are at their initial values
} as const;

/** after the magic number, in this order */
export const FRAME_HEAD = [
    ["number", "u32"],
    ["t", "f64"],
    ["asked", "f32"],
    ["reached", "f32"],
    ["flags", "u32"],
] as const;

/** after the head, in this order: a count, and so many times so many f32; true: left out when there are none */
export const FRAME_BLOCKS = [
    ["poses", 7, false],
    ["channels", 1, false],
    ["arrows", 6, false],
    ["inputs", 1, false],
    ["ghost", 7, false],
    ["modes", 1, true],
] as const;

export interface Frame {
    number: number; // of the frame
    t: number; // [s] model time
    asked: number; // speed asked for
    reached: number; // speed reached over the last half second
    flags: number; // sum of the flags
    poses: Float32Array; // 7 each: [m] of the body frames in the order of `bodies`: position, quaternion w x y z
    channels: Float32Array; // 1 each: [own] in the order of `channels`
    arrows: Float32Array; // 6 each: [m, N] in the order of `arrows`: point, force, ground axes; none while they are off
    inputs: Float32Array; // 1 each: [own] values in use, in the order of `inputs`
    ghost: Float32Array; // 7 each: [m] poses of the ghost; none while there is no ghost
    modes: Float32Array; // 1 each: amplitudes of the flexible bodies, in the order of `flexible`
}

/** /mesh/K: triangles of the shape with this `mesh`; counts, then parts: words of each, and the counts whose product says how many there are */
export const MESH_BYTES = {
    counts: [
        "vertices", // count
        "triangles", // count
    ],
    parts: [
        ["positions", 3, ["vertices"]], // 3 f32: [m] axes of the shape
        ["corners", 3, ["triangles"]], // 3 u32: vertices, counter-clockwise seen from outside
    ],
} as const;

/** /flex/BODY: mesh, shapes and stress of a flexible body; counts, then parts: words of each, and the counts whose product says how many there are */
export const FLEX_BYTES = {
    counts: [
        "nodes", // count
        "modes", // count
        "beams", // count
        "faces", // count
        "places", // count of places of stress
        "rows", // count of rows of each place
        "ends", // how many places are ends of beams; they come first
        "bent", // 1: there is shortening, 0: none
    ],
    parts: [
        ["positions", 3, ["nodes"]], // 3 f32: [m] body frame
        ["shapes", 3, ["modes", "nodes"]], // 3 f32: displacement of a node by an amplitude
        ["bends", 3, ["bent", "modes", "modes", "nodes"]], // 3 f32: second-order displacements by pairs of amplitudes
        ["tubes", 3, ["beams"]], // 2 u32, f32: [m] two nodes, radius to draw
        ["corners", 4, ["faces"]], // 4 u32: nodes; a triangle repeats its last
        ["spots", 3, ["places"]], // 3 u32: node, 1 if the section is round, number of the element in a body of beams, else of the node
        ["stresses", 1, ["places", "rows", "modes"]], // f32: [Pa] by an amplitude; of ends of beams N/A, Mz top/Iz, My side/Iy, Mt twist/J (beside other elements two more that are zero); of others xx yy zz xy yz zx
    ],
} as const;

/** /history: channels over the whole time, for plots; where rows are many, one holds the least of some and the next the most; counts, then parts: words of each, and the counts whose product says how many there are */
export const HISTORY_BYTES = {
    counts: [
        "channels", // count
        "rows", // count
    ],
    parts: [
        ["times", 1, ["rows"]], // f32: [s] never falling
        ["values", 1, ["rows", "channels"]], // f32: [own] row by row, in the order of `channels`
    ],
} as const;
