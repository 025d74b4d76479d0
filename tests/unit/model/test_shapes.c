// SPDX-License-Identifier: MIT
// Shapes of a model: kept as given, read from files, part of the fingerprint.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"
#include <biela/io.h>
#include <math.h>
#include <string.h>

static bi_model *read_text(const char *text, bi_report *report)
{
    return bi_read_model_text(text, strlen(text), "shapes.yaml", NULL, 0, NULL, NULL, report);
}

static void test_shapes_of_a_file_are_found_by_name_and_number(void **state)
{
    (void)state;
    bi_report report = { 0 };
    bi_model *m = read_text(
        "biela: 1\nname: s\nparameters: {w: 0.4}\n"
        "bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
        "shapes:\n"
        "  floor: {type: plane, colour: '#8000ff'}\n"
        "  body: {type: box, body: block, at: [0, 0, 1], turn: {z: 90 deg}, size: [w, 0.3, 20 cm]}\n"
        "  tyre: {type: torus, ring: 0.3, radius: 0.05, visible: false}\n"
        "  hill: {type: field, surface: 2*x + y, from: [-1, 0], to: [1, 3], spacing: [0.5, 1]}\n",
        &report);
    assert_non_null(m);
    assert_int_equal(report.count, 0);
    assert_int_equal(bi_model_shape_count(m), 4);
    bi_shape_def d;
    assert_true(bi_model_shape_at(m, bi_model_shape(m, "floor"), &d));
    assert_int_equal(d.body.i, BI_GROUND.i);
    assert_int_equal(d.type, BI_SHAPE_PLANE);
    assert_true(fabs(d.colour[0] - 128.0 / 255.0) < 1e-15 && d.colour[1] == 0.0 && d.colour[2] == 1.0 &&
                d.colour[3] == 1.0);
    assert_true(bi_model_shape_at(m, bi_model_shape(m, "body"), &d));
    assert_string_equal(bi_model_body_name(m, d.body), "block");
    assert_true(d.size.x == 0.4 && d.size.y == 0.3 && fabs(d.size.z - 0.2) < 1e-15);
    assert_true(fabs(d.pose.rot.z - sqrt(0.5)) < 1e-15 && d.pose.pos.z == 1.0);
    assert_true(bi_model_shape_at(m, bi_model_shape(m, "tyre"), &d));
    assert_true(d.is_hidden);
    // five nodes along x, four along y; the height is the expression
    assert_true(bi_model_shape_at(m, bi_model_shape(m, "hill"), &d));
    assert_true(d.n_x == 5 && d.n_y == 4 && d.first_x == -1.0 && d.step_y == 1.0);
    assert_true(d.height[0] == -2.0 && d.height[4] == 2.0 && d.height[5] == -1.0 && d.height[19] == 5.0);
    assert_false(bi_model_shape_at(m, (bi_shape){ 5 }, &d));
    assert_int_equal(bi_model_shape(m, "none").i, 0);
    bi_model_destroy(m);
    bi_report_clear(&report);
}

static void test_ends_of_a_shape_stand_for_place_turn_and_length(void **state)
{
    (void)state;
    static const bi_vec3 from[3] = { { 1, 2, 3 }, { 0, 0, 1 }, { -1, 0, 0 } },
                         to[3] = { { 1.3, 1.6, 4.2 }, { 0, 0, -1 }, { 1, 0, 0 } };
    bi_report report = { 0 };
    bi_model *m = read_text("biela: 1\nname: s\nshapes:\n"
                            "  s0: {type: capsule, radius: 0.1, ends: [[1, 2, 3], [1.3, 1.6, 420 cm]]}\n"
                            "  s1: {type: cylinder, radius: 0.1, ends: [[0, 0, 1], [0, 0, -1]]}\n"
                            "  s2: {type: cylinder, radius: 0.1, ends: [[-1, 0, 0], [1, 0, 0]]}\n",
                            &report);
    assert_non_null(m);
    assert_int_equal(report.count, 0);
    for (int k = 0; k < 3; k++) {
        bi_shape_def d;
        assert_true(bi_model_shape_at(m, (bi_shape){ k + 1 }, &d));
        // the axis is z turned by the quaternion, written out
        bi_quat q = d.pose.rot;
        double h = 0.5 * d.length, x = 2.0 * (q.x * q.z + q.w * q.y) * h,
               y = 2.0 * (q.y * q.z - q.w * q.x) * h, z = (1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * h;
        assert_true(fabs(d.pose.pos.x + x - to[k].x) < 1e-14 && fabs(d.pose.pos.x - x - from[k].x) < 1e-14);
        assert_true(fabs(d.pose.pos.y + y - to[k].y) < 1e-14 && fabs(d.pose.pos.y - y - from[k].y) < 1e-14);
        assert_true(fabs(d.pose.pos.z + z - to[k].z) < 1e-14 && fabs(d.pose.pos.z - z - from[k].z) < 1e-14);
    }
    bi_model_destroy(m);
    bi_report_clear(&report);
}

static const bi_vec3 corner[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const int32_t face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };

static bi_model *with_mesh(double x, double red)
{
    bi_model *m = bi_model_create("mesh");
    bi_vec3 vertex[4];
    memcpy(vertex, corner, sizeof vertex);
    vertex[1].x = x;
    bi_add_shape(m, &(bi_shape_def){ .name = "t",
                                     .type = BI_SHAPE_MESH,
                                     .n_vertex = 4,
                                     .n_triangle = 4,
                                     .vertex = vertex,
                                     .triangle = face,
                                     .colour = { red, 0, 0, 1 } });
    return m;
}

static void test_fingerprint_sees_vertices_and_not_colours(void **state)
{
    (void)state;
    bi_model *a = with_mesh(1.0, 0.0), *b = with_mesh(1.0, 1.0), *c = with_mesh(1.5, 0.0);
    bi_shape_def d;
    assert_true(bi_model_shape_at(a, (bi_shape){ 1 }, &d));
    assert_true(d.n_triangle == 4 && d.triangle[3][1] == 2 && d.vertex[3].z == 1.0);
    assert_true(model_fingerprint(a) == model_fingerprint(b));
    assert_true(model_fingerprint(a) != model_fingerprint(c));
    // the tree that queries use encloses a tetrahedron of 1/6 m3
    assert_true(fabs(a->shape[0].form.mesh->volume - 1.0 / 6.0) < 1e-15);
    bi_model_destroy(a);
    bi_model_destroy(b);
    bi_model_destroy(c);
}

static void test_broken_shapes_are_told_with_their_names(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("bad");
    const int32_t out[1][3] = { { 0, 1, 9 } };
    bi_add_shape(m, &(bi_shape_def){ .name = "a", .type = BI_SHAPE_SPHERE });
    bi_add_shape(m, &(bi_shape_def){ .name = "b", .type = BI_SHAPE_SPHERE, .radius = NAN });
    bi_add_shape(m, &(bi_shape_def){ .name = "c",
                                     .type = BI_SHAPE_MESH,
                                     .n_vertex = 4,
                                     .n_triangle = 1,
                                     .vertex = corner,
                                     .triangle = out });
    bi_add_shape(m, &(bi_shape_def){ .name = "d", .type = BI_SHAPE_PLANE, .body = { 7 } });
    bi_add_shape(m, &(bi_shape_def){ .name = "e", .type = (bi_shape_type)77 });
    bi_add_shape(m, &(bi_shape_def){ .name = "e", .type = BI_SHAPE_PLANE, .pose.pos.x = INFINITY });
    bi_add_shape(m, &(bi_shape_def){
                        .name = "f", .type = BI_SHAPE_FIELD, .n_x = 2, .n_y = 2, .step_x = 1, .step_y = 1 });
    bi_report report = { 0 };
    assert_int_equal(bi_model_check(m, &report), 8);
    static const char *const where[] = { "shapes.e",      "shapes.a.radius", "shapes.b.radius",
                                         "shapes.c.file", "shapes.d.body",   "shapes.e.type",
                                         "shapes.e.at",   "shapes.f.heights" };
    for (int k = 0; k < 8; k++) {
        assert_string_equal(report.issue[k].where, where[k]);
    }
    bi_report_clear(&report);
    bi_model_destroy(m);
}

// Triangles cost memory and time: a thousand balls on a floor have none, next to a torus with a flat section boxes do.
static void test_triangles_are_made_only_where_shapes_meet_by_them(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("triangles");
    bi_body b = bi_add_body(m, &(bi_body_def){ .name = "b", .mass = 1, .inertia = { 1, 1, 1 } });
    bi_shape ball = bi_add_shape(
                 m, &(bi_shape_def){ .name = "ball", .type = BI_SHAPE_SPHERE, .body = b, .radius = 1 }),
             box = bi_add_shape(
                 m, &(bi_shape_def){ .name = "box", .type = BI_SHAPE_BOX, .body = b, .size = { 1, 1, 1 } }),
             floor = bi_add_shape(m, &(bi_shape_def){ .name = "floor", .type = BI_SHAPE_PLANE }),
             ring = bi_add_shape(
                 m, &(bi_shape_def){
                        .name = "ring", .type = BI_SHAPE_TORUS, .ring = 1, .radius = 0.1, .width = 0.5 });
    bi_shape first[] = { ball, box }, second[] = { ball, box, ring };
    bi_add_contact(m, &(bi_contact_def){ .name = "f", .a = { 2, first }, .b = { 1, &floor } });
    assert_true(!m->shape[0].mesh && !m->shape[1].mesh);
    bi_add_contact(m, &(bi_contact_def){ .name = "g", .a = { 3, second } });
    assert_true(!m->shape[0].mesh && m->shape[1].mesh && m->shape[3].mesh);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_of_a_file_are_found_by_name_and_number),
        cmocka_unit_test(test_ends_of_a_shape_stand_for_place_turn_and_length),
        cmocka_unit_test(test_fingerprint_sees_vertices_and_not_colours),
        cmocka_unit_test(test_broken_shapes_are_told_with_their_names),
        cmocka_unit_test(test_triangles_are_made_only_where_shapes_meet_by_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
