// SPDX-License-Identifier: MIT
// The section `outputs`: what a run writes.
#include "io/flex/flex_mesh.h"
#include "io/model/reader.h"
#include <string.h>

static void add(reader *r, bi_output_def *def)
{
    reader_place(r, r->entry);
    bi_add_output(r->model, def);
}

// {of: {body, at}, to: {body, at}}
static bool read_relative(reader *r, const yaml_node *node, const char *where, bi_output_def *def)
{
    static const char *const keys[] = { "of", "to", NULL };
    bi_point of = { 0 };
    def->kind = BI_OUT_RELATIVE;
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
static bool read_acceleration(reader *r, const yaml_node *node, const char *where, bi_output_def *def)
{
    def->kind = BI_OUT_ACCELERATION;
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

static bool read_energy(reader *r, const yaml_node *node, const char *where, bi_output_def *def)
{
    static const char *const words[] = { "kinetic", "potential", "total", "balance" };
    def->kind = BI_OUT_ENERGY;
    for (int k = 0; node->kind == YAML_SCALAR && k < 4; k++) {
        if (strcmp(node->text, words[k]) == 0) {
            def->row = k + 1;
            return true;
        }
    }
    reader_error(r, node, where, "must be kinetic, potential, total or balance");
    return false;
}

static bool read_violation(reader *r, const yaml_node *node, const char *where, bi_output_def *def)
{
    def->kind = BI_OUT_VIOLATION;
    bool is_scalar = node->kind == YAML_SCALAR;
    def->row = is_scalar && strcmp(node->text, "position") == 0   ? 1
               : is_scalar && strcmp(node->text, "velocity") == 0 ? 2
                                                                  : 0;
    if (def->row == 0) {
        reader_error(r, node, where, "must be position or velocity");
    }
    return def->row > 0;
}

// The one thing the output shows.
static bool read_subject(reader *r, const char *key, const yaml_node *node, const char *where,
                         bi_output_def *def)
{
    if (strcmp(key, "point") == 0) {
        bi_point point = { 0 };
        def->kind = BI_OUT_POINT;
        bool is_good = reader_point(r, node, where, &point);
        def->body = point.body;
        def->at = point.at;
        return is_good;
    }
    if (strcmp(key, "joint") == 0) {
        def->kind = BI_OUT_JOINT;
        return reader_lookup(r, node, &r->joints, "joint", where, &def->joint.i);
    }
    if (strcmp(key, "reaction") == 0) {
        def->kind = BI_OUT_REACTION;
        return reader_lookup(r, node, &r->joints, "joint", where, &def->joint.i);
    }
    if (strcmp(key, "body") == 0) {
        def->kind = BI_OUT_BODY;
        return reader_lookup(r, node, &r->bodies, "body", where, &def->body.i);
    }
    if (strcmp(key, "attitude") == 0) {
        def->kind = BI_OUT_ATTITUDE;
        return reader_lookup(r, node, &r->bodies, "body", where, &def->body.i);
    }
    if (strcmp(key, "effort") == 0) {
        def->kind = BI_OUT_EFFORT;
        return reader_lookup(r, node, &r->elements, "force or constraint", where, &def->element.i);
    }
    if (strcmp(key, "contact") == 0) {
        def->kind = BI_OUT_CONTACT;
        return reader_lookup(r, node, &r->elements, "contact", where, &def->element.i);
    }
    if (strcmp(key, "power") == 0) {
        def->kind = BI_OUT_POWER;
        return reader_lookup(r, node, &r->elements, "force or constraint", where, &def->element.i);
    }
    if (strcmp(key, "accelerometer") == 0 || strcmp(key, "gyro") == 0) {
        bi_point point = { 0 };
        def->kind = key[0] == 'a' ? BI_OUT_ACCELEROMETER : BI_OUT_GYRO;
        bool is_good = reader_point(r, node, where, &point);
        def->body = point.body;
        def->at = point.at;
        return is_good;
    }
    if (strcmp(key, "channel") == 0) {
        def->kind = BI_OUT_CHANNEL;
        def->only = reader_expect(r, node, YAML_SCALAR, where, "the name of a channel, such as P.x")
                        ? reader_text(r, node, where)
                        : NULL;
        return def->only != NULL;
    }
    if (strcmp(key, "stress") == 0 || strcmp(key, "section") == 0) {
        def->kind = BI_OUT_RECOVERY; // the rest is read beside it
        return reader_lookup(r, node, &r->bodies, "body", where, &def->body.i);
    }
    if (strcmp(key, "multiplier") == 0) {
        def->kind = BI_OUT_MULTIPLIER;
        return reader_lookup(r, node, &r->elements, "constraint", where, &def->element.i);
    }
    if (strcmp(key, "relative") == 0) {
        return read_relative(r, node, where, def);
    }
    if (strcmp(key, "acceleration") == 0) {
        return read_acceleration(r, node, where, def);
    }
    if (strcmp(key, "energy") == 0) {
        return read_energy(r, node, where, def);
    }
    if (strcmp(key, "tyre") == 0) {
        def->kind = BI_OUT_TYRE;
        return reader_lookup(r, node, &r->elements, "force", where, &def->element.i);
    }
    if (strcmp(key, "graph") == 0) {
        def->kind = BI_OUT_CONTACT; // all that the element tells
        return reader_lookup(r, node, &r->elements, "graph", where, &def->element.i);
    }
    if (strcmp(key, "violation") == 0) {
        return read_violation(r, node, where, def);
    }
    static const char *const of_wheel[] = { "contact_angle", "contact_angle_rate",
                                            "contact_angle_acceleration" };
    static const bi_output_kind kind[] = { BI_OUT_CONTACT_ANGLE, BI_OUT_CONTACT_ANGLE_RATE,
                                           BI_OUT_CONTACT_ANGLE_ACCELERATION };
    for (int k = 0; k < 3; k++) {
        if (strcmp(key, of_wheel[k]) == 0) {
            def->kind = kind[k];
            return reader_lookup(r, node, &r->elements, "constraint", where, &def->element.i);
        }
    }
    def->kind = BI_OUT_EXPR;
    return reader_expr(r, node, NULL, where, &def->expr);
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
static void read_only(reader *r, const yaml_node *value, const char *where, bi_output_def *def)
{
    const yaml_node *node = yaml_get(value, "only");
    where_path here = where_at(where, "only");
    bool has_parts = yaml_get(value, "tyre") || yaml_get(value, "contact") || yaml_get(value, "graph") ||
                     yaml_get(value, "stress") || yaml_get(value, "section");
    if (node && !has_parts) {
        reader_error(r, node, here.text, "'only' is for 'tyre', 'contact', 'graph', 'stress' and 'section'");
    } else if (node) {
        def->only = reader_text(r, node, here.text);
    }
}

int32_t read_output(reader *r, const char *name, const yaml_node *value, const char *where)
{
    static const char *const keys[] = { "point",
                                        "joint",
                                        "reaction",
                                        "body",
                                        "effort",
                                        "expr",
                                        "accelerometer",
                                        "gyro",
                                        "relative",
                                        "power",
                                        "multiplier",
                                        "contact_angle",
                                        "contact_angle_rate",
                                        "contact_angle_acceleration",
                                        "acceleration",
                                        "energy",
                                        "tyre",
                                        "contact",
                                        "graph",
                                        "violation",
                                        "attitude",
                                        "stress",
                                        "section",
                                        "channel",
                                        "for",
                                        "times",
                                        "plus",
                                        "on",
                                        "frame",
                                        "at",
                                        "row",
                                        "only",
                                        "element",
                                        "node",
                                        "fibre",
                                        "quantity",
                                        "axes",
                                        NULL };
    bi_output_def def = { .name = name };
    // plainly an expression
    if (value->kind == YAML_SCALAR) {
        if (read_subject(r, "expr", value, where, &def)) {
            add(r, &def);
        }
        return 1;
    }
    if (!reader_expect(r, value, YAML_MAP, where, "an expression, or a mapping such as {joint: pivot}")) {
        return 1;
    }
    reader_keys(r, value, keys, where);
    read_row(r, value, where, &def);
    read_only(r, value, where, &def);
    const char *subject = NULL;
    const yaml_node *plus = yaml_get(value, "plus");
    bool is_channel = yaml_get(value, "channel") != NULL;
    if (plus && !yaml_get(value, "energy") && !is_channel) {
        reader_error(r, plus, where, "'plus' is for 'energy' (of a law that tells none) and 'channel'");
    } else if (plus) {
        reader_expr(r, plus, is_channel ? NULL : "J", where_at(where, "plus").text, &def.expr);
    }
    const yaml_node *times = yaml_get(value, "times");
    if (times && !is_channel) {
        reader_error(r, times, where, "'times' is for 'channel'");
    } else if (times && reader_number(r, times, NULL, where_at(where, "times").text, &def.times) &&
               def.times == 0.0) {
        reader_error(r, times, where, "'times' must not be zero");
    }
    int n_subject = 0;
    // what stands before `for` is a subject, what follows stands beside one
    for (int k = 0; strcmp(keys[k], "for") != 0; k++) {
        if (yaml_get(value, keys[k])) {
            subject = keys[k];
            n_subject++;
        }
    }
    if (n_subject != 1) {
        reader_error(r, r->entry, where,
                     "needs exactly one of 'point', 'joint', 'reaction', 'body', 'effort', 'expr', "
                     "'accelerometer', 'gyro', 'relative', 'power', 'multiplier', 'contact_angle', "
                     "'contact_angle_rate', 'contact_angle_acceleration', 'acceleration', 'energy', 'tyre', "
                     "'contact', "
                     "'violation', 'attitude', 'stress', 'section', 'channel'");
    } else {
        // all of them are read, so that all mistakes are told
        bool has_subject =
            read_subject(r, subject, yaml_get(value, subject), where_at(where, subject).text, &def);
        bool has_options = read_reaction_options(r, value, where, &def);
        if (read_recovery(r, value, where, &def) && has_subject && has_options) {
            add(r, &def);
        }
    }
    bi_recovery_destroy((bi_recovery *)(uintptr_t)def.recovery);
    return 1;
}
