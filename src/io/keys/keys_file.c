// SPDX-License-Identifier: MIT
// Keys of the file itself, of its sections that belong to no body, and of what many places use: points, rotations,
// tables.
#include "io/keys/keys.h"

static const key_def file[] = {
    KEY("biela", "<#1>", "version of this format", KEY_REQUIRED),
    KEY("name", "text", "name of the model", KEY_REQUIRED),
    KEY("description", "text", "free text"),
    KEY("source", "text", "free text: where the model comes from"),
    KEY("parameters", "parameters", "named numbers"),
    KEY("gravity", "vector", "m/s2, ground axes; default [0, 0, -9.80665]"),
    KEY("inputs", "inputs", "values that a driver or program changes during a run"),
    KEY("hud", "array", "what the live simulator shows: channel, label, unit, min, max, warn, kind"),
    KEY("view", "object", "of the live simulator: body that cameras follow, seat, forward, cockpit"),
    KEY("exercises", "array", "files of exercises that the live simulator offers"),
    KEY("faults", "{=fault}",
        "what counts as a fault of the driver in the exercises that name it, by its name"),
    KEY("scenery", "<floor, none>",
        "what the live simulator shows below a model whose ground has no shape with a finish; default floor"),
    KEY("live_run", "string", "the named run that the live simulator takes when none is asked for"),
    KEY("light", "light", "sun and sky of the live simulator"),
    KEY("live_modes", "=live_modes",
        "eigenvalues in the live simulator: set {P: V}, follow {P: channel or input}"),
    KEY("vehicle", "=vehicle", "what drives and steers it, for trim and handling"),
    KEY("controls", "object", "keys and axes that move the inputs in the live simulator"),
    KEY("instructor", "=instructor",
        "inputs that an instructor moves in the live simulator: wet, ice, barrier, shift"),
    KEY("groups", "[=parameter_group]", "headings under which the live simulator lists the parameters"),
    KEY("spanish", "{string}",
        "texts of the model and of its exercises in Spanish: {TEXT: TEXTO}; the page of the live simulator "
        "speaks both languages"),
    KEY("include", "include | [include] | null", "other model files as parts of this one"),
    KEY("bodies", "bodies", "the bodies; ground is always there"),
    KEY("points", "{point}?", "names for points of bodies"),
    KEY("vectors", "{direction}?", "names for directions of bodies"),
    KEY("tables", "{curve}?", "curves through points"),
    KEY("signals", "signals", "named values: expressions, tables, filters, controllers"),
    KEY("fmus", "fmus", "FMUs of other programs, run beside the model"),
    KEY("events", "events", "limits and conditions that a run watches"),
    KEY("independent", "[string | =independent]",
        "coordinates of linearised equations, see modes; default: chosen by the solver"),
    KEY("critical", "=critical", "names of critical values, see modes"),
    KEY("shapes", "{entry: solid}?", "what touches and what is shown"),
    KEY("patches", "{entry: patch}?", "parts of the ground with another friction"),
    KEY("struts", "{entry: strut}?", "rods, cylinders and chains that are drawn between points of bodies"),
    KEY("looks", "{entry: look}?",
        "files of modelling programs that are only seen: parts of bodies, scenery"),
    KEY("joints", "joints", "how bodies are joined"),
    KEY("hold", "[string]", "joints whose described value the assembly keeps"),
    KEY("forces", "forces", "what acts on them"),
    KEY("graphs", "graphs", "bond graphs"),
    KEY("subgraphs", "{subgraph}", "parts of bond graphs"),
    KEY("constraints", "constraints", "what binds them beyond joints"),
    KEY("actions", "actions", "efforts that may produce the imposed motion"),
    KEY("imposed", "imposed", "a motion to follow"),
    KEY("outputs", "outputs", "what is recorded; the energies always are"),
    KEY("run", "run", "how to run it"),
    KEY("runs", "runs", "named ways to run it, --run NAME"),
};
const key_map keys_file = { "file", KEY_ROWS(file) };

static const key_def fault[] = {
    KEY("text", "text", "what the driver reads", KEY_REQUIRED),
    KEY("value", "text", "an expression of channels, inputs and parameters, beside max"),
    KEY("max", "number", "beyond it is the fault"),
    KEY("when", "text | [text]", "it counts only while these hold"),
    KEY("event", "string | [string]", "instead of a value: events of the model"),
    KEY("cost", "number", "points lost each time; default 10"),
    KEY("final", "flag", "it ends the exercise"),
    KEY("hint", "text", "how to avoid it"),
};
const key_map keys_fault = { "fault", KEY_ROWS(fault) };

static const key_def live_modes[] = {
    KEY("set", "object", "parameters for the linearised equations"),
    KEY("follow", "{string}", "parameters that follow a channel or input"),
};
const key_map keys_live_modes = { "live_modes", KEY_ROWS(live_modes) };

static const key_def vehicle[] = {
    KEY("body", "string", "its frame or chassis: where speed, accelerations and angles are measured",
        KEY_REQUIRED),
    KEY("wheels", "[string]",
        "names of the tyres: front left, front right, rear left, rear right; of a bicycle front, rear",
        KEY_REQUIRED),
    KEY("steer", "string", "the input that steers, positive to the left; -NAME: to the right", KEY_REQUIRED),
    KEY("throttle", "string", "the input that drives it"),
    KEY("brake", "string", "the input that brakes"),
    KEY("braked", "number", "value of the brake's input with the brakes full on; default 1"),
    KEY("lean", "number",
        "of a bicycle whose rider balances it: value of the steering input per rad of lean"),
    KEY("width", "number", "m, for the width of lanes", .unit = "m"),
    KEY("front", "number", "m, from the body's origin to its front end", .unit = "m"),
    KEY("rear", "number", "m, from the body's origin to its rear end", .unit = "m"),
    KEY("run", "string", "the named run that manoeuvres begin with"),
    KEY("set", "object", "parameters of manoeuvres; $speed in them is the speed at the start, m/s"),
    KEY("turns", "string", "a parameter, m: the model steers itself into a circle of that radius"),
    KEY("speed", "number", "m/s of manoeuvres that have none of their own; default 20", .unit = "m/s"),
    KEY("most", "number", "m/s that it reaches at most; default: no limit", .unit = "m/s"),
};
const key_map keys_vehicle = { "vehicle", KEY_ROWS(vehicle) };

static const key_def parameter_group[] = {
    KEY("title", "text", "the heading", KEY_REQUIRED),
    KEY("parameters", "[string]", "names of parameters", KEY_REQUIRED),
};
const key_map keys_parameter_group = { "parameter_group", KEY_ROWS(parameter_group) };

static const key_def instructor[] = {
    KEY("set", "object", "parameters that bring these inputs, set where there is an instructor"),
    KEY("wet", "string", "the input that makes the ground wet: 0 dry, 1 wet"),
    KEY("shift", "string", "the input that shifts the load: -1 to 1, to the left"),
    KEY("ice", "[[string]3]", "inputs of slippery discs: x, y and radius"),
    KEY("barrier", "[[string]3]", "inputs of what comes up in the way: x, y, and 1 where it stands"),
};
const key_map keys_instructor = { "instructor", KEY_ROWS(instructor) };

static const key_def light[] = {
    KEY("sun", "vector", "the direction towards it, ground axes; default [-0.48, -0.62, 0.72]"),
    KEY("colour", "string", "of the sun, '#rrggbb'"),
    KEY("brightness", "number", "factor on the sun; default 1"),
    KEY("ambient", "number", "factor on the light of the sky; default 1"),
    KEY("sky", "string", "colour of an even sky, '#rrggbb'; default: blue with clouds"),
};
const key_map keys_light = { "light", KEY_ROWS(light) };

static const key_def independent[] = {
    KEY("name", "string", "a coordinate", KEY_REQUIRED),
    KEY("when", "number", "counts only if this is not zero"),
};
const key_map keys_independent = { "independent", KEY_ROWS(independent) };

static const key_def critical[] = {
    KEY("oscillating", "string", "name of a mode that loses stability with a frequency, such as flutter"),
    KEY("real", "string", "name of one that loses it without, such as divergence"),
    KEY("fast", "string", "name of the next real mode, which decays faster"),
};
const key_map keys_critical = { "critical", KEY_ROWS(critical) };

static const key_def parameter[] = {
    KEY("value", "number", "bare numbers are in the unit", KEY_REQUIRED),
    KEY("unit", "string/real", "such as rpm; also of bare numbers in --set"),
    KEY("help", "text", "free text"),
    KEY("min", "number", "the least value, in the unit"),
    KEY("max", "number", "the largest value, in the unit"),
    KEY("tolerance", "number",
        "how far the true value may lie from this one, both ways, in the unit; `biela report --samples`"),
};
const key_map keys_parameter = { "parameter", KEY_ROWS(parameter) };

static const key_def input[] = {
    KEY("initial", "number", "value at the start, and when nobody drives; default 0"),
    KEY("help", "text", "free text"),
    KEY("min", "number", "what controls offer at least; default -1"),
    KEY("max", "number", "what controls offer at most; default 1"),
    KEY("unit", "text", "of the value, for the display"),
};
const key_map keys_input = { "input", KEY_ROWS(input) };

static const key_def include[] = {
    KEY("file", "string", "a model file, relative to this one", KEY_REQUIRED),
    KEY("prefix", "entry",
        "before the names of all its bodies, joints, forces, constraints, inputs and outputs"),
    KEY("set", "{number}",
        "its parameters that change, by expressions of this file; bare numbers in the unit of the parameter"),
    KEY("at", "vector", "m: where its ground axes are in those of this file"),
    KEY("turn", "turn", "how its ground axes are turned in those of this file"),
    KEY("ground", "string", "the body that its ground means; default ground"),
    KEY("for", "for", NULL),
};
const key_map keys_include = { "include", KEY_ROWS(include) };

static const key_def event[] = {
    KEY("channel", "string", "what is watched: a channel of the result"),
    KEY("expr", "expression", "or an expression"),
    KEY("above", "number", "limit; one of the two, or both"),
    KEY("below", "number", "limit"),
    KEY("condition", "expression", "instead of a limit: true when not zero"),
    KEY("contact", "string", "of touch, release, slip: a force of type contact"),
    KEY("type", "<limit, condition, touch, release, slip>",
        "limit and condition follow from the other keys; of a contact: touch, release, or most of it slips"),
    KEY("do", "<note, stop>", "stop: the run ends at that instant; default note"),
    KEY("remedy", "text", "a text for the message"),
    KEY("for", "for", NULL),
};
const key_map keys_event = { "event", KEY_ROWS(event) };

static const key_def fmu[] = {
    KEY("file", "string", "the FMU, relative to this file: FMI 2.0 or 3.0, co-simulation", KEY_REQUIRED),
    KEY("inputs", "{expression | [expression]}",
        "its inputs, by name, and the expressions that they follow; of an array a list"),
    KEY("set", "{number | [number]}", "its parameters that change, by name; of an array a list, row by row"),
    KEY("outputs", "[string]",
        "its variables that are told; default all of its outputs that are numbers; arrays tell y[1], y[2], "
        "..."),
    KEY("every", "number", "s between two exchanges; default each step", .unit = "s"),
    KEY("limit", "number", "s of the clock that an answer may take; default 10", .unit = "s"),
    KEY("for", "for", NULL),
};
const key_map keys_fmu = { "fmu", KEY_ROWS(fmu) };

static const key_def curve[] = {
    KEY("points", "[[number]]", "rows [x, y], x increasing; this or file"),
    KEY("file", "string", "CSV with names in its first line, relative to this file"),
    KEY("x", "[number]", "of a table of two variables: the first one, increasing"),
    KEY("y", "[number]", "the second one, increasing"),
    KEY("values", "[[number]]", "a row for each x, in it a number for each y: a full grid"),
    KEY("columns", "[string]",
        "names of the columns of x and y (default the first two); three: x, y and value"),
    KEY("units", "[string/real]", "of x and y, or of x, y and value; default SI"),
    KEY("interpolation", "<cubic, linear, monotone, step>",
        "cubic: a spline (default); monotone: no overshoot"),
    KEY("outside", "<clamp, extrapolate, periodic, error>",
        "value of the end (default), straight on, again, or the run stops there"),
    KEY("help", "text", "free text"),
    KEY("for", "for", NULL),
};
const key_map keys_curve = { "curve", KEY_ROWS(curve) };

static const key_def table_file[] = {
    KEY("file", "string", "CSV, relative to this file", KEY_REQUIRED),
    KEY("columns", "[string]", "names of the columns to take; default all"),
};
const key_map keys_table_file = { "table_file", KEY_ROWS(table_file) };

static const key_def imposed[] = {
    KEY("coordinate", "string", "of a joint: crank.angle, base.y", KEY_REQUIRED),
    KEY("value", "expression", "of t and inputs", KEY_REQUIRED),
    KEY("for", "for", NULL),
};
const key_map keys_imposed = { "imposed", KEY_ROWS(imposed) };

static const key_def point[] = {
    KEY("body", "string", "its name", KEY_REQUIRED),
    KEY("for", "for", NULL, .of = POINT_NAMED),
    KEY("node", "string/real", "of a flexible body, instead of at"),
    KEY("at", "vector", "m, body frame; default its origin"),
};
const key_map keys_point = { "point", KEY_ROWS(point) };

static const key_def direction[] = {
    KEY("body", "string", "its name", KEY_REQUIRED),
    KEY("for", "for", NULL, .of = POINT_NAMED),
    KEY("along", "vector", "body frame; its length does not matter", KEY_REQUIRED),
};
const key_map keys_direction = { "direction", KEY_ROWS(direction) };

static const key_def frame[] = {
    KEY("body", "string", "its name", KEY_REQUIRED),
    KEY("turn", "turn", "of the axes against those of the body"),
    KEY("node", "string/real", "of a flexible body, instead of at"),
    KEY("at", "vector", "m, body frame; default its origin"),
};
const key_map keys_frame = { "frame", KEY_ROWS(frame) };

static const key_def rotation[] = {
    KEY("x", "number", "rad, about x"),
    KEY("y", "number", "rad, about y"),
    KEY("z", "number", "rad, about z"),
    KEY("axis", "vector", "any axis, beside angle"),
    KEY("angle", "number", "rad, about axis"),
    KEY("quaternion", "[number]4", "[w, x, y, z], from body axes to ground axes"),
};
const key_map keys_rotation = { "rotation", KEY_ROWS(rotation), .least = 1, .most = 2 };
