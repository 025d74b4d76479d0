// SPDX-License-Identifier: MIT
// Bodies: where they are, how they move. Mass and inertia are in read_inertia.c.
#include "io/flex/flex_exact.h"
#include "io/flex/flex_split.h"
#include "io/model/reader.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// sin or cos by the core's own functions: those of the C library differ in the last bit from machine to machine.
static double by_core(reader *r, const char *function, double x)
{
    char text[64];
    double value = 0.0;
    bi_report none = { 0 };
    snprintf(text, sizeof text, "%s(%.17g)", function, x);
    (void)bi_model_number(r->model, text, NULL, "turn", &value, &none);
    bi_report_clear(&none);
    return value;
}

bi_quat reader_rotation_product(bi_quat a, bi_quat b)
{
    return (bi_quat){ a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}

static bool read_quaternion(reader *r, const yaml_node *node, const char *where, bi_quat *value)
{
    double x[4];
    if (!reader_numbers(r, node, 4, NULL, where, x)) {
        return false;
    }
    double norm = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (!(norm > 0.0) || !isfinite(norm)) {
        reader_error(r, node, where, "has no usable length: give [w, x, y, z], such as [1, 0, 0, 0]");
        return false;
    }
    *value = (bi_quat){ x[0] / norm, x[1] / norm, x[2] / norm, x[3] / norm };
    return true;
}

static bool turn_about(reader *r, bi_vec3 axis, double angle, bi_quat *value)
{
    double norm = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    double s = by_core(r, "sin", 0.5 * angle) / norm, c = by_core(r, "cos", 0.5 * angle);
    *value = (bi_quat){ c, s * axis.x, s * axis.y, s * axis.z };
    return true;
}

// One rotation: {z: angle}, {axis: [..], angle: ..} or {quaternion: [..]}.
static bool read_rotation(reader *r, const yaml_node *node, const char *where, bi_quat *value)
{
    if (!reader_expect(r, node, YAML_MAP, where, "a rotation such as {z: 30 deg}")) {
        return false;
    }
    reader_known(r, node, &keys_rotation, where);
    const yaml_node *axis = yaml_get(node, "axis"), *angle = yaml_get(node, "angle");
    if (node->count == 2 && axis && angle) {
        bi_vec3 direction = { 0 };
        double radians = 0.0;
        bool has_axis = reader_direction(r, axis, where_at(where, "axis").text, &direction);
        bool has_angle = reader_number(r, angle, "rad", where_at(where, "angle").text, &radians);
        return has_axis && has_angle && turn_about(r, direction, radians, value);
    }
    const yaml_node *quaternion = yaml_get(node, "quaternion");
    if (node->count == 1 && quaternion) {
        return read_quaternion(r, quaternion, where_at(where, "quaternion").text, value);
    }
    const char *key = node->count == 1 ? node->key[0]->text : "";
    if (strlen(key) == 1 && strchr("xyz", key[0])) {
        double radians = 0.0;
        bi_vec3 direction = { key[0] == 'x', key[0] == 'y', key[0] == 'z' };
        return reader_number(r, node->item[0], "rad", where_at(where, key).text, &radians) &&
               turn_about(r, direction, radians, value);
    }
    reader_error(r, node, where,
                 "one rotation per item: {x: angle}, {y: angle}, {z: angle}, "
                 "{axis: [x, y, z], angle: angle} or {quaternion: [w, x, y, z]}");
    return false;
}

void reader_turn(reader *r, const yaml_node *node, const char *where, bi_quat *rot)
{
    bi_quat one;
    *rot = (bi_quat){ 1.0, 0.0, 0.0, 0.0 };
    if (!node) {
        return;
    }
    if (node->kind == YAML_MAP) {
        if (read_rotation(r, node, where, &one)) {
            *rot = one;
        }
        return;
    }
    if (!reader_expect(r, node, YAML_LIST, where, "a list of rotations such as [{z: 30 deg}]")) {
        return;
    }
    for (int k = 0; k < node->count; k++) {
        if (read_rotation(r, node->item[k], where, &one)) {
            *rot = reader_rotation_product(*rot, one);
        }
    }
}

void reader_keep_pose(reader *r, int32_t body, bi_pose pose)
{
    while (r->n_pose < body) {
        if (r->n_pose == r->cap_pose) {
            int capacity = r->cap_pose ? 2 * r->cap_pose : 64;
            bi_pose *all = realloc(r->pose, (size_t)capacity * sizeof *all);
            if (!all) {
                return;
            }
            r->pose = all;
            r->cap_pose = capacity;
        }
        r->pose[r->n_pose++] = (bi_pose){ .rot.w = 1.0 };
    }
    r->pose[body - 1] = pose;
}

// Names of the points and vectors that carry the body; they are looked up when these are read.
static void read_basis(reader *r, const yaml_node *value, const char *where, bi_body_def *def)
{
    const yaml_node *list = yaml_get(value, "basis");
    where_path here = where_at(where, "basis");
    if (!list || !reader_expect(r, list, YAML_LIST, here.text, "a list of four points and vectors")) {
        return;
    }
    if (list->count != 4) {
        reader_error(r, list, here.text, "four points and vectors are expected here, and there are %d",
                     list->count);
        return;
    }
    for (int k = 0; k < 4; k++) {
        if (reader_expect(r, list->item[k], YAML_SCALAR, here.text, "the name of a point or vector")) {
            const char *name = reader_text(r, list->item[k], here.text);
            def->basis[k] = name ? reader_full_name(r, name) : NULL;
        }
    }
    for (int k = 0; k < 4; k++) {
        def->basis[k] =
            def->basis[0] && def->basis[1] && def->basis[2] && def->basis[3] ? def->basis[k] : NULL;
    }
}

// A flexible body gets its mass from its mesh.
static void refuse_rigid_keys(reader *r, const yaml_node *value, const char *where)
{
    static const char *const keys[] = { "mass", "com", "inertia", "parts" };
    for (int k = 0; k < 4; k++) {
        const yaml_node *node = yaml_get(value, keys[k]);
        if (node) {
            reader_error(r, node, where_at(where, keys[k]).text,
                         "follows from the mesh in 'flex': leave it out%s",
                         k == 0 ? ", or put it into 'flex' as a check" : "");
        }
    }
}

int32_t read_body(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_body_def def = { .name = name };
    flex_pieces pieces = { 0 };
    bi_modes modes;
    if (reader_expect(r, value, YAML_MAP, where, "a mapping such as {mass: 1, inertia: [1, 1, 1]}")) {
        reader_known(r, value, &keys_body, where);
        def.mass =
            yaml_get(value, "mass") ? 1.0 : 0.0; // what cannot be known must not look like another mistake
        reader_values(r, value, &keys_body, ~0u, where, &def);
        read_flex(r, value, where, &pieces);
        if (pieces.n > 0) {
            modes = *bi_flex_modes(pieces.flex[0]);
            modes.bend_is_load = read_shortening(r, yaml_get(value, "flex"), where) == SHORTEN_LOAD;
            def.flex = &modes;
        }
        if (pieces.is_exact) {
            flex_exact_first(r, &def);
        }
        if (yaml_get(value, "flex")) {
            refuse_rigid_keys(r, value, where);
        } else {
            read_inertia(r, value, where, &def);
        }
        reader_turn(r, yaml_get(value, "turn"), where_at(where, "turn").text, &def.pose.rot);
        read_basis(r, value, where, &def);
    }
    def.pose = reader_place_pose(r, def.pose);
    def.twist.lin = reader_place_vector(r, def.twist.lin);
    def.twist.ang = reader_place_vector(r, def.twist.ang);
    reader_place(r, r->entry);
    int32_t id = bi_add_body(r->model, &def).i;
    if (id > 0) {
        reader_keep_pose(r, id, def.pose);
    }
    bi_body_keep(r->model, (bi_body){ id }, pieces.flex[0]);
    if (pieces.n > 0) {
        flex_of_body(r, (bi_body){ id });
    }
    if (pieces.is_exact) {
        flex_exact_add(r, &def, (bi_body){ id });
    }
    if (pieces.n > 1) {
        flex_split_add(r, &def, (bi_body){ id }, &pieces);
    }
    return id;
}
