// SPDX-License-Identifier: MIT
// The section `outputs`: what a run writes.
#include "io/flex/flex_mesh.h"
#include "io/model/keys.h"
#include "io/model/reader.h"
#include "io/model/schema.h"
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
    const char *of;       // what a name is looked for among, or the words to choose from as a sentence
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
    static const char *const keys[] = { "of", "to", NULL };
    bi_point of = { 0 };
    if (!reader_expect(r, node, YAML_MAP, where, "a mapping {of: {body: b}, to: {body: a}}")) {
        return false;
    }
    reader_keys(r, node, keys, where);
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
    const char *words = key->def.more;
    for (int k = 1; node->kind == YAML_SCALAR && *words; k++) {
        size_t length = strcspn(words, ",");
        if (strlen(node->text) == length && strncmp(node->text, words, length) == 0) {
            def->row = k;
            return true;
        }
        words += length + (words[length] == ',');
    }
    reader_error(r, node, where, "must be %s", key->of);
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

static bool read_channel(reader *r, const yaml_node *node, const char *where, const output_key *key,
                         bi_output_def *def)
{
    (void)key;
    def->only = reader_expect(r, node, YAML_SCALAR, where, "the name of a channel, such as P.x")
                    ? reader_text(r, node, where)
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
// clang-format off
static const output_key table[] = {
    { { "point", KEY_POINT, NULL, "x y z, vx vy vz of a point" },
      BI_OUT_POINT, read_point, NULL, 0 },
    { { "joint", KEY_NAME, NULL, "angle or position, and rate, of a joint" },
      BI_OUT_JOINT, read_joint_name, "joint", 0 },
    { { "reaction", KEY_NAME, NULL, "a joint: force and moment on its second body" },
      BI_OUT_REACTION, read_joint_name, "joint", 0 },
    { { "body", KEY_NAME, NULL, "x y z, qw qx qy qz, vx vy vz, wx wy wz of a body" },
      BI_OUT_BODY, read_body_name, "body", 0 },
    { { "attitude", KEY_NAME, NULL, "a body: roll, pitch, yaw" },
      BI_OUT_ATTITUDE, read_body_name, "body", 0 },
    { { "effort", KEY_NAME, NULL, "a force or constraint: its scalar" },
      BI_OUT_EFFORT, read_element_name, "force or constraint", 0 },
    { { "expr", KEY_EXPRESSION, NULL, "an expression" },
      BI_OUT_EXPR, read_expression, NULL, 0 },
    { { "multiplier", KEY_NAME, NULL, "a constraint: the multiplier of one of its rows" },
      BI_OUT_MULTIPLIER, read_element_name, "constraint", 0 },
    { { "row", KEY_NUMBER, NULL, "beside multiplier: from 0" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "power", KEY_NAME, NULL, "a force or constraint: the power it gives" },
      BI_OUT_POWER, read_element_name, "force or constraint", 0 },
    { { "accelerometer", KEY_POINT, NULL, "x y z: acceleration less gravity, body axes" },
      BI_OUT_ACCELEROMETER, read_point, NULL, 0 },
    { { "gyro", KEY_POINT, NULL, "x y z: angular velocity, body axes" },
      BI_OUT_GYRO, read_point, NULL, 0 },
    { { "relative", KEY_OTHER,
        "'type': 'object', 'required': ['of', 'to'], 'additionalProperties': false, 'properties': {'of': "
        "{'$ref': '#/definitions/point', 'description': 'the point that is seen'}, 'to': {'$ref': "
        "'#/definitions/point', 'description': 'from where, in the axes of that body'}}",
        "as body, of one point seen from another body" },
      BI_OUT_RELATIVE, read_relative, NULL, 0 },
    { { "contact", KEY_NAME, NULL, "a contact: its force, points, depth, slip" },
      BI_OUT_CONTACT, read_element_name, "contact", HAS_PARTS },
    { { "contact_angle", KEY_NAME, NULL, "a rolling wheel: where it touches" },
      BI_OUT_CONTACT_ANGLE, read_element_name, "constraint", 0 },
    { { "contact_angle_rate", KEY_NAME, NULL, "a rolling wheel" },
      BI_OUT_CONTACT_ANGLE_RATE, read_element_name, "constraint", 0 },
    { { "contact_angle_acceleration", KEY_NAME, NULL, "a wheel that rolls on a plane" },
      BI_OUT_CONTACT_ANGLE_ACCELERATION, read_element_name, "constraint", 0 },
    { { "acceleration", KEY_NAME, NULL, "a coordinate of a joint: base.y" },
      BI_OUT_ACCELERATION, read_acceleration, NULL, 0 },
    { { "energy", KEY_CHOICE, "kinetic,potential,total,balance",
        "balance: total less the work done on the mechanism" },
      BI_OUT_ENERGY, read_choice, "kinetic, potential, total or balance", 0 },
    { { "graph", KEY_NAME, NULL, "a bond graph: effort, flow, power, energy of its bonds, and its states" },
      BI_OUT_CONTACT, read_element_name, "graph", HAS_PARTS },
    { { "tyre", KEY_NAME, NULL, "a tyre: forces, slips, deflections, patch" },
      BI_OUT_TYRE, read_element_name, "force", HAS_PARTS },
    { { "only", KEY_NAME, NULL, "beside tyre, contact, graph, stress and section: one of its channels" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "stress", KEY_NAME, NULL,
        "a flexible body: stress at an element or node, or the largest mises of all" },
      BI_OUT_RECOVERY, read_body_name, "body", HAS_PARTS },
    { { "section", KEY_NAME, NULL, "a flexible body: N, Vy, Vz, Mt, My, Mz in a beam" },
      BI_OUT_RECOVERY, read_body_name, "body", HAS_PARTS },
    { { "element", KEY_LABEL, NULL, "beside stress, section: an element or a line" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "node", KEY_OTHER, "'anyOf': [{'type': ['string', 'number']}, {'$ref': '#/definitions/vector'}]",
        "beside stress: average of the elements around" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "fibre", KEY_CHOICE, "max,min,top,bottom,left,right,centre",
        "beside stress of a beam: normal stress there" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "quantity", KEY_CHOICE, "mises,normal,tensor",
        "beside stress; default mises of beams, tensor of others" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "axes", KEY_CHOICE, "element,body,ground", "beside stress, section; default element" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "channel", KEY_NAME, NULL, "a channel of an output before this one, under this name" },
      BI_OUT_CHANNEL, read_channel, NULL, 0 },
    { { "times", KEY_NUMBER, NULL, "beside channel: its factor" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "violation", KEY_CHOICE, "position,velocity", "largest row of the constraints" },
      BI_OUT_VIOLATION, read_choice, "position or velocity", 0 },
    { { "plus", KEY_EXPRESSION, NULL, "beside energy and channel: added to it" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "on", KEY_CHOICE, "a,b", "beside reaction: the body" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "frame", KEY_CHOICE, "ground,a,b", "beside reaction: the axes" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "at", KEY_OTHER,
        "'anyOf': [{'$ref': '#/definitions/point'}, {'$ref': '#/definitions/number'}, {'$ref': "
        "'#/definitions/vector'}]",
        "beside reaction: the point of the moment; beside stress, section: start, mid, end, 0 to 1 along a "
        "beam or line, or [xi, eta, zeta]" },
      BI_OUT_POINT, NULL, NULL, 0 },
    { { "for", KEY_REPEAT, NULL, NULL },
      BI_OUT_POINT, NULL, NULL, 0 },
};
// clang-format on
enum { N_KEY = sizeof table / sizeof *table };

void outputs_write_schema(FILE *out)
{
    for (int k = 0; k < N_KEY; k++) {
        fputs("         ", out);
        key_write_schema(out, &table[k].def);
        fputs(k + 1 < N_KEY ? ",\n" : "}}]},\n", out);
    }
}

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
    static const char *const bodies[] = { "b", "a" }, *const frames[] = { "ground", "a", "b" };
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
    int body = on ? reader_word(r, on, where_at(where, "on").text, bodies, 2) : 0;
    int axes = frame ? reader_word(r, frame, where_at(where, "frame").text, frames, 3) : 0;
    def->on_a = body == 1;
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

static void check_keys(reader *r, const yaml_node *value, const char *where)
{
    const char *known[N_KEY + 1] = { NULL };
    for (int k = 0; k < N_KEY; k++) {
        known[k] = table[k].def.key;
    }
    reader_keys(r, value, known, where);
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
    check_keys(r, value, where);
    read_row(r, value, where, &def);
    read_only(r, value, subject, where, &def);
    read_plus_and_times(r, value, where, &def);
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
