// SPDX-License-Identifier: MIT
// Joints, and the list of those that the assembly holds.
#include "io/model/reader.h"
#include <biela/names.h>
#include <stdio.h>
#include <string.h>

// 0: a mistake was told.
static bi_joint_kind read_type(reader *r, const yaml_node *value, const char *where)
{
    const yaml_node *node = yaml_get(value, "type");
    where_path here = where_at(where, "type");
    const char *text = node && reader_expect(r, node, YAML_SCALAR, here.text, "a type of joint")
                           ? reader_text(r, node, here.text)
                           : NULL;
    int kind = bi_joint_kind_find(text);
    if (kind > 0 || (node && !text)) {
        return (bi_joint_kind)kind;
    }
    char list[256] = "", hint[NAMES_HINT_SIZE];
    name_set names = { 0 };
    for (int k = 1; k <= bi_joint_kind_count(); k++) {
        const char *name = bi_joint_kind_name((bi_joint_kind)k);
        size_t used = strlen(list);
        name_set_add(&names, name, 0);
        snprintf(list + used, sizeof list - used, "%s%s", k > 1 ? ", " : "", name);
    }
    if (text) {
        reader_error(r, node, here.text, "there is no joint of type '%.80s'%s; there are %s", text,
                     names_hint(text, names.name, names.count, hint), list);
    } else {
        reader_error(r, r->entry, where, "needs 'type', one of %s", list);
    }
    name_set_clear(&names);
    return (bi_joint_kind)0;
}

static void read_bodies_of(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    const yaml_node *list = yaml_get(value, "bodies");
    where_path here = where_at(where, "bodies");
    if (!list) {
        reader_error(r, r->entry, where, "needs 'bodies', such as [ground, rod]");
        return;
    }
    if (!reader_expect(r, list, YAML_LIST, here.text, "a list of two bodies, such as [ground, rod]")) {
        return;
    }
    if (list->count != 2) {
        reader_error(r, list, here.text, "two bodies are expected here, and there are %d", list->count);
        return;
    }
    reader_lookup(r, list->item[0], &r->bodies, "body", here.text, &def->a.i);
    reader_lookup(r, list->item[1], &r->bodies, "body", here.text, &def->b.i);
}

// A point or vector by its name, which must be on that body of the joint.
static void read_local_name(reader *r, const yaml_node *node, bool is_axis, bi_body *body, const char *where,
                            bi_vec3 *to, unsigned *local, unsigned bit)
{
    bi_point point = { 0 };
    bi_vector vector = { 0 };
    bool is_good = is_axis ? reader_vector(r, node, where, &vector) : reader_point(r, node, where, &point);
    bi_body found = is_axis ? vector.body : point.body;
    bool is_piece = found.i >= body->i && found.i < body->i + reader_pieces(r, *body);
    if (is_good && body->i > 0 && !is_piece) {
        reader_error(r, node, where, "'%.80s' is on another body than the one of this joint", node->text);
    } else if (is_good) {
        *to = is_axis ? vector.along : point.at;
        *local |= bit;
        body->i = is_axis ? body->i : found.i;
    }
}

// The local vector of `key`, and its bit in def->local, if the key is there.
static void read_local(reader *r, const yaml_node *value, const char *key, unsigned bit, const char *where,
                       bi_vec3 *to, bi_joint_def *def)
{
    const yaml_node *node = yaml_get(value, key);
    where_path here = where_at(where, key);
    if (!node) {
        return;
    }
    bool is_axis = bit == BI_AXIS_A || bit == BI_AXIS_B;
    if (node->kind == YAML_SCALAR && node->text[0]) {
        read_local_name(r, node, is_axis, bit == BI_AT_A || bit == BI_AXIS_A ? &def->a : &def->b, here.text,
                        to, &def->local, bit);
        return;
    }
    if (is_axis ? reader_direction(r, node, here.text, to) : reader_vec3(r, node, "m", here.text, to)) {
        def->local |= bit;
    }
}

// One end of a distance joint: local `at_a`, or `from` in ground axes.
static void read_end(reader *r, const yaml_node *value, const char *local_key, const char *ground_key,
                     bi_body *body, const char *where, bi_vec3 *to)
{
    const yaml_node *local = yaml_get(value, local_key), *ground = yaml_get(value, ground_key);
    bi_vec3 point;
    if ((local != NULL) == (ground != NULL)) {
        reader_error(r, local ? ground : r->entry, where,
                     "needs either '%s' (ground axes) or '%s' (body frame)", ground_key, local_key);
    } else if (local && local->kind == YAML_SCALAR && local->text[0]) {
        unsigned unused = 0;
        read_local_name(r, local, false, body, where_at(where, local_key).text, to, &unused, 0);
    } else if (local) {
        reader_vec3(r, local, "m", where_at(where, local_key).text, to);
    } else if (reader_vec3(r, ground, "m", where_at(where, ground_key).text, &point)) {
        *to = reader_into_body(r, *body, reader_place_point(r, point));
    }
}

static int is_list(const yaml_node *value, const char *key, int bit)
{
    const yaml_node *node = yaml_get(value, key);
    return node && node->kind == YAML_LIST ? bit : 0;
}

// What is given in the frame of `ground` stands in that of the body which an include puts in its place.
static void move_ground_end(const reader *r, const yaml_node *value, bi_joint_def *def)
{
    const yaml_node *bodies = yaml_get(value, "bodies");
    if (!r->scope->outer || !bodies || bodies->kind != YAML_LIST || bodies->count != 2) {
        return;
    }
    bool is_a = reader_is_ground(bodies->item[0]), is_b = reader_is_ground(bodies->item[1]);
    // a named point or vector has moved already
    const unsigned given =
        def->local & (unsigned)(is_list(value, "at_a", BI_AT_A) | is_list(value, "at_b", BI_AT_B) |
                                is_list(value, "axis_a", BI_AXIS_A) | is_list(value, "axis_b", BI_AXIS_B));
    if (is_a && (given & BI_AT_A)) {
        def->at_a = reader_into_body(r, def->a, reader_place_point(r, def->at_a));
    }
    if (is_b && (given & BI_AT_B)) {
        def->at_b = reader_into_body(r, def->b, reader_place_point(r, def->at_b));
    }
    if (is_a && (given & BI_AXIS_A)) {
        def->axis_a = reader_turn_into_body(r, def->a, reader_place_vector(r, def->axis_a));
    }
    if (is_b && (given & BI_AXIS_B)) {
        def->axis_b = reader_turn_into_body(r, def->b, reader_place_vector(r, def->axis_b));
    }
}

static void read_distance(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    reader_known_of(r, value, &keys_joint, JOINT_DISTANCE, where);
    read_end(r, value, "at_a", "from", &def->a, where, &def->at_a);
    read_end(r, value, "at_b", "to", &def->b, where, &def->at_b);
    def->local = (yaml_get(value, "at_a") ? BI_AT_A : 0u) | (yaml_get(value, "at_b") ? BI_AT_B : 0u);
    move_ground_end(r, value, def);
    def->local = BI_AT_A | BI_AT_B;
    const yaml_node *length = yaml_get(value, "length");
    if (length && reader_number(r, length, "m", where_at(where, "length").text, &def->length) &&
        !(def->length > 0.0)) {
        reader_error(r, length, where_at(where, "length").text, "must be positive, and it is %g",
                     def->length);
    }
}

// Order of the turns of a free or spherical joint.
static void read_angles(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    const yaml_node *node = yaml_get(value, "angles");
    where_path here = where_at(where, "angles");
    if (!node) {
        return;
    }
    if (!(bi_joint_kind_takes(def->kind) & BI_TAKES_ANGLES)) {
        reader_error(r, node, here.text, "only free and spherical joints have angles");
    } else if (reader_expect(r, node, YAML_SCALAR, here.text, "an order such as xyz or zxy")) {
        def->angles = reader_text(r, node, here.text);
    }
}

// How far a screw advances per turn.
static void read_pitch(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    const yaml_node *pitch = yaml_get(value, "pitch");
    bool takes_pitch = bi_joint_kind_takes(def->kind) & BI_TAKES_PITCH;
    if (!takes_pitch && pitch) {
        reader_error(r, pitch, where_at(where, "pitch").text, "only a screw has a pitch");
    } else if (takes_pitch && !pitch) {
        reader_error(r, r->entry, where, "a screw needs 'pitch': metres per turn");
        def->pitch = 1.0;
    } else if (pitch && !reader_number(r, pitch, "m", where_at(where, "pitch").text, &def->pitch)) {
        def->pitch = 1.0;
    }
}

// A revolute joint with play is a planar one whose ring is a force.
static void read_clearance(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    const yaml_node *node = yaml_get(value, "clearance");
    where_path here = where_at(where, "clearance");
    if (!node) {
        return;
    }
    if (def->kind != BI_REVOLUTE) {
        reader_error(r, node, here.text, "only a revolute joint has a clearance");
    } else if (reader_number(r, node, "m", here.text, &def->clearance) && !(def->clearance > 0.0)) {
        reader_error(r, node, here.text,
                     "must be positive, and it is %g; leave it out for a joint without play", def->clearance);
        def->clearance = 0.0;
    }
    def->kind = def->clearance > 0.0 ? BI_PLANAR : def->kind;
}

// The rotor of a motor: inertia of the coordinate alone.
static void read_armature(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    const yaml_node *node = yaml_get(value, "armature");
    where_path here = where_at(where, "armature");
    bool is_sliding = def->kind == BI_PRISMATIC;
    if (node && reader_number(r, node, is_sliding ? "kg" : "kg*m^2", here.text, &def->armature) &&
        !(def->armature >= 0.0)) {
        reader_error(r, node, here.text, "must not be negative, and it is %g", def->armature);
        def->armature = 0.0;
    }
}

static void read_frames(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    reader_known_of(r, value, &keys_joint, JOINT_OTHER, where);
    read_angles(r, value, where, def);
    reader_vec3_of(r, value, "at", "m", where, &def->at);
    const yaml_node *axis = yaml_get(value, "axis");
    if (axis) {
        reader_direction(r, axis, where_at(where, "axis").text, &def->axis);
    }
    read_local(r, value, "at_a", BI_AT_A, where, &def->at_a, def);
    read_local(r, value, "at_b", BI_AT_B, where, &def->at_b, def);
    read_local(r, value, "axis_a", BI_AXIS_A, where, &def->axis_a, def);
    read_local(r, value, "axis_b", BI_AXIS_B, where, &def->axis_b, def);
    read_pitch(r, value, where, def);
    read_clearance(r, value, where, def);
    read_armature(r, value, where, def);
    if (r->scope->is_placed) {
        // the default axis is that of the file, too
        def->axis = axis ? def->axis : (bi_vec3){ 0.0, 0.0, 1.0 };
        def->axis = reader_place_vector(r, def->axis);
        def->at = reader_place_point(r, def->at);
    }
    move_ground_end(r, value, def);
}

// Ends on bodies in pieces go to the piece that is there. What a named point gave is on a piece already.
static void choose_pieces(reader *r, const char *where, bi_joint_def *def)
{
    bi_body *body[2] = { &def->a, &def->b };
    bi_vec3 *local[2] = { &def->at_a, &def->at_b };
    const unsigned bit[2] = { BI_AT_A, BI_AT_B };
    for (int k = 0; k < 2; k++) {
        bi_vec3 at = reader_into_body(r, *body[k], def->at);
        reader_piece(r, body[k], def->local & bit[k] ? local[k] : &at, where);
    }
}

// `value` or `rate`: of the first coordinate, or a list with one number for each.
static void read_start(reader *r, const yaml_node *value, const char *key, const char *where,
                       bi_joint_def *def)
{
    const yaml_node *node = yaml_get(value, key);
    bool is_rate = strcmp(key, "rate") == 0;
    where_path here = where_at(where, key);
    int count = 0;
    while (bi_joint_kind_coordinate(def->kind, count)) {
        count++;
    }
    if (node && node->kind == YAML_LIST && node->count != count) {
        reader_error(r, node, here.text, "a joint of this type has %d coordinates, and there are %d numbers",
                     count, node->count);
        return;
    }
    for (int k = 0; node && (k == 0 || (node->kind == YAML_LIST && k < count)); k++) {
        const char *unit = bi_joint_kind_unit(def->kind, k);
        char rate_unit[16] = "";
        double number = 0.0;
        snprintf(rate_unit, sizeof rate_unit, "%s/s", unit ? unit : "");
        bool is_good = reader_number(r, node->kind == YAML_LIST ? node->item[k] : node,
                                     unit && is_rate ? rate_unit : unit, here.text, &number);
        bool *set = k == 0 ? (is_rate ? &def->set_rate : &def->set_value)
                           : (is_rate ? &def->more[k - 1].set_rate : &def->more[k - 1].set_value);
        double *to = k == 0 ? (is_rate ? &def->rate : &def->value)
                            : (is_rate ? &def->more[k - 1].rate : &def->more[k - 1].value);
        *set = true;
        *to = is_good ? number : 0.0;
    }
}

// The angle that counts as zero: `described`, or a number; of a universal joint two.
static void read_zero(reader *r, const yaml_node *value, const char *where, bi_joint_def *def)
{
    const yaml_node *node = yaml_get(value, "zero");
    where_path here = where_at(where, "zero");
    int count = def->kind == BI_UNIVERSAL ? 2 : 1;
    if (!node) {
        return;
    }
    if (node->kind == YAML_SCALAR && strcmp(node->text, "described") == 0) {
        def->zero_described = true;
    } else if (count == 2 && (node->kind != YAML_LIST || node->count != 2)) {
        reader_error(r, node, here.text, "needs two angles, such as [0, 90 deg], or the word 'described'");
    } else if (count == 2) {
        reader_number(r, node->item[0], "rad", here.text, &def->zero[0]);
        reader_number(r, node->item[1], "rad", here.text, &def->zero[1]);
    } else {
        reader_number(r, node, "rad", here.text, &def->zero[0]);
    }
}

int32_t read_joint(reader *r, const char *name, const yaml_node *value, const char *where)
{
    // a type that cannot be known counts as the one with most coordinates: mistakes do not breed
    bi_joint_def def = { .name = name, .kind = BI_CYLINDRICAL };
    if (reader_expect(r, value, YAML_MAP, where,
                      "a mapping such as {type: revolute, bodies: [ground, rod]}")) {
        bi_joint_kind kind = read_type(r, value, where);
        read_bodies_of(r, value, where, &def);
        if (kind > 0) {
            def.kind = kind;
        }
        if (bi_joint_kind_takes(def.kind) & BI_TAKES_LENGTH) {
            read_distance(r, value, where, &def);
        } else {
            read_frames(r, value, where, &def);
        }
        choose_pieces(r, where, &def);
        read_start(r, value, "value", where, &def);
        read_start(r, value, "rate", where, &def);
        read_zero(r, value, where, &def);
        const yaml_node *hold = yaml_get(value, "hold");
        if (hold) {
            reader_bool(r, hold, where_at(where, "hold").text, &def.hold);
        }
    }
    const yaml_node *loop = yaml_get(value, "loop");
    if (loop) {
        reader_bool(r, loop, where_at(where, "loop").text, &def.closes_loop);
    }
    def.hold = def.hold || name_set_find(&r->holds, name) >= 0;
    reader_place(r, r->entry);
    return bi_add_joint(r->model, &def).i;
}

void read_hold(reader *r)
{
    const yaml_node *list = yaml_get(r->root, "hold");
    if (!list || !reader_expect(r, list, YAML_LIST, "hold", "a list of joints")) {
        return;
    }
    for (int k = 0; k < list->count; k++) {
        const yaml_node *item = list->item[k];
        const char *name = reader_expect(r, item, YAML_SCALAR, "hold", "the name of a joint")
                               ? reader_text(r, item, "hold")
                               : NULL;
        if (name) {
            name_set_add(&r->holds, reader_full_name(r, name), item->line);
        }
    }
}

void check_hold(reader *r)
{
    const yaml_node *list = yaml_get(r->root, "hold");
    for (int k = 0; list && list->kind == YAML_LIST && k < list->count; k++) {
        int32_t id;
        if (list->item[k]->kind == YAML_SCALAR && list->item[k]->text[0]) {
            (void)reader_lookup(r, list->item[k], &r->joints, "joint", "hold", &id);
        }
    }
    blocks_free(&r->memory);
}
