// SPDX-License-Identifier: MIT
// The section `outputs`: what a run writes.
#include "io/flex/flex_mesh.h"
#include "io/model/reader.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct output_key output_key;
typedef bool subject_reader(reader *, const yaml_node *, const char *where, const output_key *,
                            bi_output_def *);
enum { HAS_PARTS = 1 }; // channels of which `only` picks one
struct output_key {
    key_def def;
    bi_output_kind kind;
    subject_reader *read; // NULL: no subject, stands beside one
    const char *of;       // what a name is looked for among
    unsigned marks;
};

static void add(reader *r, bi_output_def *def)
{
    reader_place(r, r->entry);
    bi_add_output(r->model, def);
}

// {of: {body, at}, to: {body, at}}
static bool read_relative(reader *r, const yaml_node *node, const char *where, const output_key *key,
                          bi_output_def *def)
{
    (void)key;
    bi_point of = { 0 };
    if (!reader_expect(r, node, YAML_MAP, where, "a mapping {of: {body: b}, to: {body: a}}")) {
        return false;
    }
    reader_known(r, node, &keys_relative, where);
    if (!yaml_get(node, "of") || !yaml_get(node, "to")) {
        reader_error(r, node, where,
                     "needs 'of', the point that moves, and 'to', the point and body it is seen from");
        return false;
    }
    bool is_good = reader_point(r, yaml_get(node, "of"), where_at(where, "of").text, &of);
    is_good = reader_point(r, yaml_get(node, "to"), where_at(where, "to").text, &def->about) && is_good;
    def->body = of.body;
    def->at = of.at;
    return is_good;
}

// "base.y": the joint, and the number of its coordinate.
static bool read_acceleration(reader *r, const yaml_node *node, const char *where, const output_key *key,
                              bi_output_def *def)
{
    (void)key;
    const char *text =
        reader_expect(r, node, YAML_SCALAR, where, "a coordinate of a joint, such as crank.angle")
            ? reader_text(r, node, where)
            : NULL;
    if (text && !bi_model_find_coordinate(r->model, reader_full_name(r, text), &def->joint, &def->row)) {
        reader_error(r, node, where, "'%.80s' is no coordinate of a joint, such as crank.angle or base.y",
                     text);
        return false;
    }
    return text != NULL;
}

// One of the words of the table, its number in def->row.
static bool read_choice(reader *r, const yaml_node *node, const char *where, const output_key *key,
                        bi_output_def *def)
{
    key_words words;
    char list[200];
    key_words_of(key->def.type, &words);
    for (int k = 0; node->kind == YAML_SCALAR && k < words.count; k++) {
        if (strcmp(node->text, words.word[k]) == 0) {
            def->row = k + 1;
            return true;
        }
    }
    reader_error(r, node, where, "must be %s", key_words_list(&words, " or ", list, sizeof list));
    return false;
}

static bool read_point(reader *r, const yaml_node *node, const char *where, const output_key *key,
                       bi_output_def *def)
{
    (void)key;
    bi_point point = { 0 };
    bool is_good = reader_point(r, node, where, &point);
    def->body = point.body;
    def->at = point.at;
    return is_good;
}

static bool read_vector(reader *r, const yaml_node *node, const char *where, const output_key *key,
                        bi_output_def *def)
{
    (void)key;
    bi_vector vector = { 0 };
    bool is_good = reader_vector(r, node, where, &vector);
    def->body = vector.body;
    def->along = vector.along;
    return is_good;
}

// A body, a list of them, or the word `all`.
static bool read_com(reader *r, const yaml_node *node, const char *where, const output_key *key,
                     bi_output_def *def)
{
    if (node->kind == YAML_SCALAR && strcmp(node->text, "all") == 0) {
        return true;
    }
    if (node->kind == YAML_SCALAR) {
        return reader_lookup(r, node, &r->bodies, key->of, where, &def->body.i);
    }
    if (!reader_expect(r, node, YAML_LIST, where, "a body, a list of bodies, or 'all'")) {
        return false;
    }
    if (node->count == 0) {
        reader_error(r, node, where, "is an empty list: name bodies, or write 'all'");
        return false;
    }
    bi_body *bodies = blocks_new(&r->memory, (size_t)node->count * sizeof *bodies);
    bool is_good = bodies != NULL;
    for (int k = 0; bodies && k < node->count; k++) {
        is_good = reader_lookup(r, node->item[k], &r->bodies, key->of, where, &bodies[k].i) && is_good;
    }
    def->bodies = bodies;
    def->n_body = node->count;
    return is_good;
}

static bool read_joint_name(reader *r, const yaml_node *node, const char *where, const output_key *key,
                            bi_output_def *def)
{
    return reader_lookup(r, node, &r->joints, key->of, where, &def->joint.i);
}

static bool read_body_name(reader *r, const yaml_node *node, const char *where, const output_key *key,
                           bi_output_def *def)
{
    return reader_lookup(r, node, &r->bodies, key->of, where, &def->body.i);
}

static bool read_element_name(reader *r, const yaml_node *node, const char *where, const output_key *key,
                              bi_output_def *def)
{
    return reader_lookup(r, node, &r->elements, key->of, where, &def->element.i);
}

// Four loads of wheels, or eight.
static bool read_wheels(reader *r, const yaml_node *node, const char *where, const output_key *key,
                        bi_output_def *def)
{
    def->row = strcmp(key->def.key, "stability") == 0 ? 1 : 2;
    if (!reader_expect(r, node, YAML_LIST, where, "a list of four tyres, front left first")) {
        return false;
    }
    if (node->count != 4 && node->count != 8) {
        reader_error(r, node, where,
                     "has %d names; give the front left, front right, rear left and rear right one, or "
                     "eight",
                     node->count);
        return false;
    }
    bool is_good = true;
    for (int k = 0; k < node->count; k++) {
        is_good = reader_lookup(r, node->item[k], &r->elements, key->of, where, &def->wheels[k].i) && is_good;
    }
    return is_good;
}

static bool read_channel(reader *r, const yaml_node *node, const char *where, const output_key *key,
                         bi_output_def *def)
{
    (void)key;
    def->only = reader_expect(r, node, YAML_SCALAR, where, "the name of a channel, such as P.x")
                    ? reader_channel_name(r, reader_text(r, node, where))
                    : NULL;
    return def->only != NULL;
}

static bool read_expression(reader *r, const yaml_node *node, const char *where, const output_key *key,
                            bi_output_def *def)
{
    (void)key;
    return reader_expr(r, node, NULL, where, &def->expr);
}

// ---- the one list -----------------------------------------------------------------------------------------------------

// Subjects, of which an output has one, and what may stand beside them.
static const output_key table[] = {
    { .def = KEY("point", "point", "x y z, vx vy vz of a point"), .kind = BI_OUT_POINT, .read = read_point },
    { .def = KEY("joint", "string", "angle or position, and rate, of a joint"),
      .kind = BI_OUT_JOINT,
      .read = read_joint_name,
      .of = "joint" },
    { .def = KEY("reaction", "string", "a joint: force and moment on its second body"),
      .kind = BI_OUT_REACTION,
      .read = read_joint_name,
      .of = "joint" },
    { .def = KEY("body", "string", "x y z, qw qx qy qz, vx vy vz, wx wy wz of a body"),
      .kind = BI_OUT_BODY,
      .read = read_body_name,
      .of = "body" },
    { .def = KEY("attitude", "string", "a body: roll, pitch, yaw"),
      .kind = BI_OUT_ATTITUDE,
      .read = read_body_name,
      .of = "body",
      .marks = HAS_PARTS },
    { .def = KEY("vector", "direction", "x y z, vx vy vz of a direction of a body, ground axes"),
      .kind = BI_OUT_VECTOR,
      .read = read_vector,
      .marks = HAS_PARTS },
    { .def = KEY("rotation", "point", "xx xy ... zz, qw qx qy qz: from body axes to ground axes"),
      .kind = BI_OUT_ROTATION,
      .read = read_point,
      .marks = HAS_PARTS },
    { .def = KEY("com", "string | [string]",
                 "a body, several, or all: x y z, vx vy vz, ax ay az of the centre of mass, and mass"),
      .kind = BI_OUT_COM,
      .read = read_com,
      .of = "body",
      .marks = HAS_PARTS },
    { .def = KEY("effort", "string", "a force or constraint: its scalar"),
      .kind = BI_OUT_EFFORT,
      .read = read_element_name,
      .of = "force or constraint" },
    { .def = KEY("expr", "expression", "an expression"), .kind = BI_OUT_EXPR, .read = read_expression },
    { .def = KEY("multiplier", "string", "a constraint: the multiplier of one of its rows"),
      .kind = BI_OUT_MULTIPLIER,
      .read = read_element_name,
      .of = "constraint" },
    { .def = KEY("row", "number", "beside multiplier: from 0") },
    { .def = KEY("power", "string", "a force or constraint: the power it gives"),
      .kind = BI_OUT_POWER,
      .read = read_element_name,
      .of = "force or constraint" },
    { .def = KEY("accelerometer", "point", "x y z: acceleration less gravity, body axes"),
      .kind = BI_OUT_ACCELEROMETER,
      .read = read_point,
      .marks = HAS_PARTS },
    { .def = KEY("gyro", "point", "x y z: angular velocity, body axes"),
      .kind = BI_OUT_GYRO,
      .read = read_point,
      .marks = HAS_PARTS },
    { .def =
          KEY("velocity", "point", "x y z: velocity over the ground, body axes; x of a vehicle is its speed"),
      .kind = BI_OUT_VELOCITY,
      .read = read_point,
      .marks = HAS_PARTS },
    { .def = KEY("relative", "=relative", "as body, of one point seen from another body"),
      .kind = BI_OUT_RELATIVE,
      .read = read_relative,
      .marks = HAS_PARTS },
    { .def = KEY("contact", "string", "a contact: its force, points, depth, slip"),
      .kind = BI_OUT_CONTACT,
      .read = read_element_name,
      .of = "contact",
      .marks = HAS_PARTS },
    { .def = KEY("contact_angle", "string", "a rolling wheel: where it touches"),
      .kind = BI_OUT_CONTACT_ANGLE,
      .read = read_element_name,
      .of = "constraint" },
    { .def = KEY("contact_angle_rate", "string", "a rolling wheel"),
      .kind = BI_OUT_CONTACT_ANGLE_RATE,
      .read = read_element_name,
      .of = "constraint" },
    { .def = KEY("contact_angle_acceleration", "string", "a wheel that rolls on a plane"),
      .kind = BI_OUT_CONTACT_ANGLE_ACCELERATION,
      .read = read_element_name,
      .of = "constraint" },
    { .def = KEY("acceleration", "string", "a coordinate of a joint: base.y"),
      .kind = BI_OUT_ACCELERATION,
      .read = read_acceleration },
    { .def = KEY("energy", "<kinetic, potential, total, balance>",
                 "balance: total less the work done on the mechanism"),
      .kind = BI_OUT_ENERGY,
      .read = read_choice },
    { .def = KEY("graph", "string", "a bond graph: effort, flow, power, energy of its bonds, and its states"),
      .kind = BI_OUT_CONTACT,
      .read = read_element_name,
      .of = "graph",
      .marks = HAS_PARTS },
    { .def = KEY("air", "string", "a force of type air: speed and angle of the flow, forces, moments"),
      .kind = BI_OUT_CONTACT,
      .read = read_element_name,
      .of = "force",
      .marks = HAS_PARTS },
    { .def = KEY(
          "beam", "string",
          "a force of type beam, or a beam BODY.NAME of 'model: exact': N Vy Vz Mt My Mz in its middle, at "
          "its ends N_a .. Mz_b, section axes"),
      .kind = BI_OUT_CONTACT,
      .read = read_element_name,
      .of = "force",
      .marks = HAS_PARTS },
    { .def = KEY("tyre", "string", "a tyre: forces, slips, deflections, patch"),
      .kind = BI_OUT_TYRE,
      .read = read_element_name,
      .of = "force",
      .marks = HAS_PARTS },
    { .def = KEY("stability", "[string]",
                 "four tyres, front left, front right, rear left, rear right: margin to the nearest line "
                 "between wheels over which the vehicle tips, 1 in the middle, 0 on it; four more forces "
                 "may carry the same wheels"),
      .kind = BI_OUT_STABILITY,
      .read = read_wheels,
      .of = "force",
      .marks = HAS_PARTS },
    { .def = KEY("stability_triangle", "[string]",
                 "the same of a vehicle whose rear axle rocks about a pivot, as a forklift's does"),
      .kind = BI_OUT_STABILITY,
      .read = read_wheels,
      .of = "force",
      .marks = HAS_PARTS },
    { .def = KEY("only", "string", "beside a subject that has several channels: one of them") },
    { .def = KEY("stress", "string",
                 "a flexible body: stress at an element or node, or the largest mises of all"),
      .kind = BI_OUT_RECOVERY,
      .read = read_body_name,
      .of = "body",
      .marks = HAS_PARTS },
    { .def = KEY("section", "string", "a flexible body: N, Vy, Vz, Mt, My, Mz in a beam"),
      .kind = BI_OUT_RECOVERY,
      .read = read_body_name,
      .of = "body",
      .marks = HAS_PARTS },
    { .def = KEY("element", "string/real", "beside stress, section: an element or a line",
                 .of = OUTPUT_RECOVERY) },
    { .def = KEY("node", "string/real | vector", "beside stress: average of the elements around",
                 .of = OUTPUT_RECOVERY) },
    { .def = KEY("fibre", "<max, min, top, bottom, left, right, centre>",
                 "beside stress of a beam: normal stress there", .of = OUTPUT_RECOVERY) },
    { .def = KEY("quantity", "<mises, normal, tensor, principal, strain>",
                 "beside stress; default mises of beams, tensor of others", .of = OUTPUT_RECOVERY) },
    { .def = KEY("along", "vector", "beside quantity strain, not of beams: direction of the gauge, body axes",
                 .of = OUTPUT_RECOVERY) },
    { .def = KEY("axes", "<element, body, ground>", "beside stress, section; default element",
                 .of = OUTPUT_RECOVERY) },
    { .def = KEY("channel", "string", "a channel of an output before this one, under this name"),
      .kind = BI_OUT_CHANNEL,
      .read = read_channel },
    { .def = KEY("times", "number", "beside channel: its factor") },
    { .def = KEY("minus", "string", "beside channel: another channel, taken away before: a bridge") },
    { .def = KEY("noise", "number", "beside channel: standard deviation of what chance adds") },
    { .def = KEY("seed", "number", "beside noise: another number, another chance; default 0") },
    { .def = KEY("cutoff", "number",
                 "Hz, beside channel: its device is a low pass, 3 dB down at this frequency") },
    { .def = KEY("order", "number", "beside cutoff: 1 (default), or 2, that of Butterworth") },
    { .def = KEY("range", "[number]2", "beside channel: what its device can tell, from and to") },
    { .def = KEY("resolution", "number", "beside channel: the steps in which its device tells") },
    { .def = KEY("violation", "<position, velocity>", "largest row of the constraints"),
      .kind = BI_OUT_VIOLATION,
      .read = read_choice },
    { .def = KEY("plus", "expression", "beside energy and channel: added to it") },
    { .def = KEY("on", "<a, b>", "beside reaction: the body") },
    { .def = KEY("frame", "<ground, a, b>", "beside reaction: the axes") },
    { .def = KEY("at", "point | number | vector",
                 "beside reaction: the point of the moment; beside stress, section: start, mid, end, 0 to 1 "
                 "along a beam or line, or [xi, eta, zeta]") },
    { .def = KEY("for", "for", NULL) },
};
const key_map keys_output = { "output", KEY_ROWS(table), .least = 1, .most = 10 };
static const key_def relative[] = {
    KEY("of", "point", "the point that is seen", KEY_REQUIRED),
    KEY("to", "point", "from where, in the axes of that body", KEY_REQUIRED),
};
const key_map keys_relative = { "relative", KEY_ROWS(relative) };
enum { N_KEY = sizeof table / sizeof *table };

static const output_key *key_named(const char *name)
{
    for (int k = 0; k < N_KEY; k++) {
        if (strcmp(table[k].def.key, name) == 0) {
            return &table[k];
        }
    }
    return NULL;
}

// "'point', 'joint'": those with all of these marks, all subjects without any.
static void list_keys(unsigned marks, char *text, size_t size)
{
    size_t length = 0;
    for (int k = 0; k < N_KEY; k++) {
        if (table[k].read && (table[k].marks & marks) == marks && length < size) {
            int n =
                snprintf(text + length, size - length, "%s'%s'", length > 0 ? ", " : "", table[k].def.key);
            length += n > 0 ? (size_t)n : 0;
        }
    }
}

// Beside `reaction`: on which body, in whose axes, about which point.
static bool read_reaction_options(reader *r, const yaml_node *map, const char *where, bi_output_def *def)
{
    const yaml_node *on = yaml_get(map, "on"), *frame = yaml_get(map, "frame"), *at = yaml_get(map, "at");
    at = def->kind == BI_OUT_RECOVERY ? NULL : at;
    if (def->kind != BI_OUT_REACTION) {
        const yaml_node *stray = on ? on : frame ? frame : at;
        if (stray) {
            reader_error(r, stray, where,
                         "'on', 'frame' and 'at' beside the subject are for 'reaction' only");
        }
        return !stray;
    }
    int body = on ? reader_word_of(r, map, &keys_output, "on", where) : 1; // a, b
    int axes = frame ? reader_word_of(r, map, &keys_output, "frame", where) : 0;
    def->on_a = body == 0;
    def->frame = axes > 0 ? (bi_output_frame)axes : BI_FRAME_GROUND;
    bool is_point = !at || reader_point(r, at, where_at(where, "at").text, &def->about);
    return body >= 0 && axes >= 0 && is_point;
}

// Which row of a constraint a multiplier belongs to.
static void read_row(reader *r, const yaml_node *value, const char *where, bi_output_def *def)
{
    const yaml_node *node = yaml_get(value, "row");
    where_path here = where_at(where, "row");
    double row = 0.0;
    if (!node || !reader_number(r, node, NULL, here.text, &row)) {
        return;
    }
    if (!yaml_get(value, "multiplier")) {
        reader_error(r, node, here.text, "only a multiplier has a row");
    } else if (!(row >= 0.0 && row < 1e6 && row == (double)(int)row)) {
        reader_error(r, node, here.text, "must be an integer from 0 on, and it is %g", row);
    } else {
        def->row = (int)row;
    }
}

// Which channel of what has several.
static void read_only(reader *r, const yaml_node *value, const output_key *subject, const char *where,
                      bi_output_def *def)
{
    const yaml_node *node = yaml_get(value, "only");
    where_path here = where_at(where, "only");
    if (node && !(subject && subject->marks & HAS_PARTS)) {
        char which[200] = "";
        list_keys(HAS_PARTS, which, sizeof which);
        reader_error(r, node, here.text, "'only' is for %s", which);
    } else if (node) {
        def->only = reader_text(r, node, here.text);
    }
}

// Beside a channel and an energy.
static void read_plus_and_times(reader *r, const yaml_node *value, const char *where, bi_output_def *def)
{
    const yaml_node *plus = yaml_get(value, "plus"), *times = yaml_get(value, "times");
    bool is_channel = yaml_get(value, "channel") != NULL;
    if (plus && !yaml_get(value, "energy") && !is_channel) {
        reader_error(r, plus, where, "'plus' is for 'energy' (of a law that tells none) and 'channel'");
    } else if (plus) {
        reader_expr(r, plus, is_channel ? NULL : "J", where_at(where, "plus").text, &def->expr);
    }
    if (times && !is_channel) {
        reader_error(r, times, where, "'times' is for 'channel'");
    } else if (times && reader_number(r, times, NULL, where_at(where, "times").text, &def->times) &&
               def->times == 0.0) {
        reader_error(r, times, where, "'times' must not be zero");
    }
}

static void read_low_pass(reader *r, const yaml_node *value, const char *where, bi_output_def *def)
{
    const yaml_node *order = yaml_get(value, "order"), *cutoff = yaml_get(value, "cutoff");
    double number = 1.0;
    if (order && !cutoff) {
        reader_error(r, order, where, "'order' is for 'cutoff', a low pass");
    } else if (order && reader_number(r, order, NULL, where_at(where, "order").text, &number) &&
               number != 1.0 && number != 2.0) {
        reader_error(r, order, where, "must be 1 or 2, and it is %g", number);
    }
    if (cutoff && reader_number(r, cutoff, "Hz", where_at(where, "cutoff").text, &def->cutoff) &&
        !(def->cutoff > 0.0)) {
        reader_error(r, cutoff, where, "must be above zero, and it is %g", def->cutoff);
    }
    def->order = number == 2.0 ? 2 : 1;
}

// Beside a channel: another one to compare with, and what a device makes of it.
static void read_device(reader *r, const yaml_node *value, const char *where, bi_output_def *def)
{
    static const char *const key[] = { "minus", "noise", "range", "resolution", "cutoff" };
    enum { N_DEVICE = sizeof key / sizeof *key };
    bool is_channel = yaml_get(value, "channel") != NULL;
    for (int k = 0; k < N_DEVICE; k++) {
        const yaml_node *stray = is_channel ? NULL : yaml_get(value, key[k]);
        if (stray) {
            reader_error(r, stray, where, "'%s' is for 'channel'", key[k]);
        }
    }
    const yaml_node *minus = yaml_get(value, "minus"), *seed = yaml_get(value, "seed"),
                    *range = yaml_get(value, "range");
    if (minus && reader_expect(r, minus, YAML_SCALAR, where, "the name of a channel, such as P.x")) {
        def->minus = reader_channel_name(r, reader_text(r, minus, where));
    }
    reader_number_of(r, value, "noise", NULL, where, &def->noise);
    reader_number_of(r, value, "seed", NULL, where, &def->seed);
    if (seed && def->seed != floor(def->seed)) {
        reader_error(r, seed, where, "'seed' must be a whole number, and it is %g", def->seed);
    }
    const yaml_node *resolution = yaml_get(value, "resolution");
    reader_number_of(r, value, "resolution", NULL, where, &def->resolution);
    if (resolution && def->resolution == 0.0) {
        reader_error(r, resolution, where,
                     "'resolution' must be positive, and it is 0: leave it out, and nothing is rounded");
    }
    read_low_pass(r, value, where, def);
    if (seed && !yaml_get(value, "noise")) {
        reader_error(r, seed, where, "'seed' is for 'noise'");
    }
    if (range && reader_expect(r, range, YAML_LIST, where, "a range such as [-10, 10]")) {
        if (range->count != 2) {
            reader_error(r, range, where, "two numbers are expected here, and there are %d", range->count);
        } else if (reader_number(r, range->item[0], NULL, where, &def->low) &&
                   reader_number(r, range->item[1], NULL, where, &def->high) && !(def->low < def->high)) {
            reader_error(r, range, where, "must rise, and it is from %g to %g", def->low, def->high);
        }
    }
}

// The one subject of an output; NULL: it has none, or several.
static const output_key *subject_of(const yaml_node *value)
{
    const output_key *found = NULL;
    int count = 0;
    for (int k = 0; k < N_KEY; k++) {
        if (table[k].read && yaml_get(value, table[k].def.key)) {
            found = &table[k];
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static bool read_subject(reader *r, const output_key *key, const yaml_node *node, const char *where,
                         bi_output_def *def)
{
    def->kind = key->kind;
    return key->read(r, node, where, key, def);
}

int32_t read_output(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_output_def def = { .name = name };
    // plainly an expression
    if (value->kind == YAML_SCALAR) {
        if (read_subject(r, key_named("expr"), value, where, &def)) {
            add(r, &def);
        }
        return 1;
    }
    if (!reader_expect(r, value, YAML_MAP, where, "an expression, or a mapping such as {joint: pivot}")) {
        return 1;
    }
    const output_key *subject = subject_of(value);
    reader_known(r, value, &keys_output, where);
    read_row(r, value, where, &def);
    read_only(r, value, subject, where, &def);
    read_plus_and_times(r, value, where, &def);
    read_device(r, value, where, &def);
    if (!subject) {
        char which[600] = "";
        list_keys(0, which, sizeof which);
        reader_error(r, r->entry, where, "needs exactly one of %s", which);
    } else {
        // all of them are read, so that all mistakes are told
        const char *key = subject->def.key;
        bool has_subject = read_subject(r, subject, yaml_get(value, key), where_at(where, key).text, &def);
        bool has_options = read_reaction_options(r, value, where, &def);
        if (read_recovery(r, value, where, &def) && has_subject && has_options) {
            add(r, &def);
        }
    }
    bi_recovery_destroy((bi_recovery *)(uintptr_t)def.recovery);
    return 1;
}
