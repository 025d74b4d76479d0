// SPDX-License-Identifier: MIT
// Describing a model with NULL, ids of nothing, numbers that are none, counts below zero: a neutral answer, nothing added,
// and bi_compile says so.
#include "support/misuse.h"
#include <biela/biela.h>
#include <biela/flex.h>
#include <biela/look.h>
#include <biela/names.h>
#include <math.h>

static bi_model *m; // a pendulum
static bi_body rod;
static bi_joint pin;

static void make_model(void)
{
    m = bi_model_create("pendulum");
    assert_non_null(m);
    rod = bi_add_body(m,
                      &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    pin = bi_add_joint(m, &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod });
    bi_add_input(m, "push", 0.0);
}

// What was refused is a mistake of the model, so that nobody computes without it unawares.
static bool is_refused(void)
{
    bi_report report = { 0 };
    bi_system *system = bi_compile(m, NULL, &report);
    bool is_so = !system && report.errors > 0;
    bi_system_destroy(system);
    bi_report_clear(&report);
    return is_so;
}

static const bi_place nowhere = { 0 };

static void misuse_reports(misuse *w)
{
    if (misuse_of(w, "bi_status_text")) {
        EXPECT(w, bi_status_text((bi_status)-1) && bi_status_text((bi_status)1000));
    }
    if (misuse_of(w, "bi_report_add")) {
        bi_report report = { 0 };
        bi_report_add(NULL, BI_ERROR, BI_OK, nowhere, "", "nothing");
        bi_report_add(&report, BI_ERROR, BI_OK, nowhere, NULL, "%s", "without a place");
        bi_report_add(&report, BI_ERROR, BI_OK, nowhere, NULL, NULL);
        EXPECT(w, report.count == 2 && report.issue[0].where && report.issue[1].what);
        bi_report_clear(&report);
    }
    if (misuse_of(w, "bi_report_clear")) {
        bi_report_clear(NULL);
    }
}

static void misuse_names_and_numbers(misuse *w)
{
    const char *text;
    double x = 7.0;
    if (misuse_of(w, "bi_model_create")) {
        bi_model *one = bi_model_create(NULL);
        EXPECT(w, one && bi_model_name(one));
        bi_model_destroy(one);
    }
    if (misuse_of(w, "bi_model_destroy")) {
        bi_model_destroy(NULL);
    }
    if (misuse_of(w, "bi_model_name")) {
        EXPECT(w, !bi_model_name(NULL));
    }
    if (misuse_of(w, "bi_model_place")) {
        bi_model_place(NULL, (bi_place){ "a", 1, 1 });
        bi_model_place(m, (bi_place){ NULL, -1, -1 });
    }
    if (misuse_of(w, "bi_model_gravity")) {
        bi_model_gravity(NULL, (bi_vec3){ 0 });
        bi_model_gravity(m, (bi_vec3){ 0, NAN, 0 });
        EXPECT(w, is_refused());
    }
    if (misuse_of(w, "bi_model_parameter")) {
        bi_model_parameter(NULL, "a", 1.0, NULL);
        bi_model_parameter(m, NULL, 1.0, "m");
        EXPECT(w, bi_model_parameter_count(m) == 0 && is_refused());
        bi_model_parameter(m, "a", 1.0, "no unit");
        bi_model_parameter(m, "b", NAN, NULL);
        EXPECT(w, !bi_model_number(m, "b", NULL, NULL, &x, NULL) && x == 7.0);
    }
    if (misuse_of(w, "bi_model_keep")) {
        bi_model_keep(NULL, NULL, NULL);
        bi_model_keep(m, NULL, NULL);
    }
    if (misuse_of(w, "bi_model_forget")) {
        bi_model_forget(NULL, "a");
        bi_model_forget(m, NULL);
        bi_model_forget(m, "a");
    }
    if (misuse_of(w, "bi_model_mark")) {
        bi_mark none = bi_model_mark(NULL);
        EXPECT(w, none.length[0] == 0 && none.length[BI_MARK_LISTS - 1] == 0);
    }
    if (misuse_of(w, "bi_mark_is_whole")) {
        bi_mark one = bi_model_mark(m), two = one, below = one;
        two.length[0]++;
        below.length[BI_MARK_LISTS - 1] = -1;
        EXPECT(w, !bi_mark_is_whole(NULL, &one) && !bi_mark_is_whole(&one, NULL));
        EXPECT(w, bi_mark_is_whole(&one, &two) && !bi_mark_is_whole(&two, &one));
        EXPECT(w, !bi_mark_is_whole(&below, &below));
    }
    if (misuse_of(w, "bi_model_reopen")) {
        bi_mark one = bi_model_mark(m), beyond = one, below = one;
        beyond.length[0] += 5;
        below.length[0] = -1;
        EXPECT(w, !bi_model_reopen(NULL, &one, &one) && !bi_model_reopen(m, NULL, &one));
        EXPECT(w, !bi_model_reopen(m, &one, NULL) && !bi_model_reopen(m, &one, &beyond));
        EXPECT(w, !bi_model_reopen(m, &below, &one) && !bi_model_reopen(m, &beyond, &beyond));
    }
    if (misuse_of(w, "bi_model_shut")) {
        EXPECT(w, !bi_model_shut(NULL) && !bi_model_shut(m));
    }
    if (misuse_of(w, "bi_model_listen")) {
        bi_model_listen(NULL, NULL, NULL);
        bi_model_listen(m, NULL, m);
    }
    if (misuse_of(w, "bi_model_parameter_count")) {
        EXPECT(w, bi_model_parameter_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_parameter_at")) {
        EXPECT(w, !bi_model_parameter_at(NULL, 0, &text, &x, &text));
        EXPECT(w, !bi_model_parameter_at(m, -1, &text, &x, &text));
        EXPECT(w, !bi_model_parameter_at(m, 1000, &text, &x, &text));
        bi_model_parameter(m, "a", 1.0, NULL);
        EXPECT(w, bi_model_parameter_at(m, 0, NULL, NULL, NULL));
    }
    if (misuse_of(w, "bi_model_number")) {
        EXPECT(w, !bi_model_number(NULL, "1", NULL, NULL, &x, NULL));
        EXPECT(w, !bi_model_number(m, NULL, NULL, NULL, &x, NULL));
        EXPECT(w, !bi_model_number(m, "1 +", NULL, NULL, &x, NULL));
        EXPECT(w, !bi_model_number(m, "0/0", NULL, NULL, &x, NULL));
        EXPECT(w, x == 7.0 && bi_model_number(m, "1", NULL, NULL, NULL, NULL));
    }
    if (misuse_of(w, "bi_expression")) {
        EXPECT(w, bi_expression(NULL, "1", NULL).i == 0);
        // what is no unit asks for none
        EXPECT(w, bi_expression(m, "1 m", "no unit").i > 0 && !is_refused());
        EXPECT(w, bi_expression(m, NULL, NULL).i == 0 && is_refused());
    }
    if (misuse_of(w, "bi_model_prefix")) {
        bi_model_prefix(NULL, "a");
        bi_model_prefix(m, NULL);
    }
    if (misuse_of(w, "bi_constant")) {
        EXPECT(w, bi_constant(NULL, 1.0).i == 0);
        bi_constant(m, NAN);
        EXPECT(w, is_refused());
    }
}

static void misuse_inputs(misuse *w)
{
    double t[2] = { 0, 1 }, v[2] = { 0, NAN };
    bi_input_info info = { 0 };
    bi_input push = bi_model_input(m, "push");
    if (misuse_of(w, "bi_add_input")) {
        EXPECT(w, bi_add_input(NULL, "a", 0.0).i == 0);
        bi_add_input(m, NULL, 0.0);
        EXPECT(w, is_refused());
        bi_add_input(m, "b", NAN);
        EXPECT(w, is_refused());
    }
    if (misuse_of(w, "bi_input_samples")) {
        EXPECT(w, !bi_input_samples(NULL, push, 2, t, t, NULL));
        EXPECT(w, !bi_input_samples(m, (bi_input){ -3 }, 2, t, t, NULL));
        EXPECT(w, !bi_input_samples(m, (bi_input){ 99 }, 2, t, t, NULL));
        EXPECT(w,
               !bi_input_samples(m, push, 2, NULL, t, NULL) && !bi_input_samples(m, push, 2, t, NULL, NULL));
        EXPECT(w, !bi_input_samples(m, push, 2, t, v, NULL) && !bi_input_samples(m, push, 2, v, t, NULL));
        EXPECT(w,
               !bi_input_samples(m, push, -1, t, t, NULL) && bi_input_samples(m, push, 0, NULL, NULL, NULL));
    }
    if (misuse_of(w, "bi_model_input_count")) {
        EXPECT(w, bi_model_input_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_input_at")) {
        EXPECT(w, isnan(bi_model_input_at(NULL, push, 0.0)) && isnan(bi_model_input_at(m, push, NAN)) &&
                      isnan(bi_model_input_at(m, (bi_input){ 9 }, 0.0)));
    }
    if (misuse_of(w, "bi_model_input_name")) {
        EXPECT(w, !bi_model_input_name(NULL, push) && !bi_model_input_name(m, (bi_input){ -1 }) &&
                      !bi_model_input_name(m, (bi_input){ 9 }));
    }
    if (misuse_of(w, "bi_input_about")) {
        bi_input_about(NULL, push, 0, 1, NULL, NULL);
        bi_input_about(m, (bi_input){ -1 }, 0, 1, NULL, NULL);
        bi_input_about(m, push, NAN, 1, NULL, NULL);
        bi_input_about(m, push, 2, 1, NULL, NULL);
        EXPECT(w, bi_model_input_info(m, push, &info) && info.min == -1.0 && info.max == 1.0);
    }
    if (misuse_of(w, "bi_add_hand")) {
        bi_model *empty = bi_model_create("empty");
        EXPECT(w, !bi_add_hand(NULL) && !bi_add_hand(empty) && bi_model_input_count(empty) == 0);
        bi_add_body(empty, &(bi_body_def){ .name = "body", .mass = 1.0 });
        bi_add_input(empty, "hand_z", 0.0);
        EXPECT(w, !bi_add_hand(empty) && bi_model_input_count(empty) == 1);
        bi_model_destroy(empty);
    }
    if (misuse_of(w, "bi_model_input_info")) {
        EXPECT(w, !bi_model_input_info(NULL, push, &info) &&
                      !bi_model_input_info(m, (bi_input){ 9 }, &info) && !bi_model_input_info(m, push, NULL));
    }
}

// Adding with no model and with no definition.
#define ADDS(name)                                                                                           \
    if (misuse_of(w, #name)) {                                                                               \
        EXPECT(w, name(NULL, NULL).i == 0);                                                                  \
        EXPECT(w, name(m, NULL).i == 0);                                                                     \
        EXPECT(w, is_refused());                                                                             \
    }
#define ADDS_QUIETLY(name)                                                                                   \
    if (misuse_of(w, #name)) {                                                                               \
        name(NULL, NULL);                                                                                    \
        name(m, NULL);                                                                                       \
        EXPECT(w, is_refused());                                                                             \
    }

static void misuse_adding(misuse *w)
{
    ADDS(bi_add_curve)
    ADDS(bi_add_map)
    ADDS(bi_add_body)
    ADDS(bi_add_joint)
    ADDS(bi_add_spring)
    ADDS(bi_add_torque)
    ADDS(bi_add_dc_motor)
    ADDS(bi_add_point_contact)
    ADDS(bi_add_guide)
    ADDS(bi_add_rolling)
    ADDS(bi_add_graph)
    ADDS(bi_add_user_constraint)
    ADDS(bi_add_expression)
    ADDS(bi_add_knife_edge)
    ADDS(bi_add_velocity)
    ADDS(bi_add_gear)
    ADDS(bi_add_rack)
    ADDS(bi_add_coupling)
    ADDS(bi_add_cam)
    ADDS(bi_add_distance)
    ADDS(bi_add_dot)
    ADDS(bi_add_coincide)
    ADDS(bi_add_in_plane)
    ADDS(bi_add_on_line)
    ADDS(bi_add_on_curve)
    ADDS_QUIETLY(bi_add_output)
    ADDS_QUIETLY(bi_add_event)
    ADDS_QUIETLY(bi_add_imposed)
    ADDS_QUIETLY(bi_add_patch)
    ADDS_QUIETLY(bi_add_strut)
    ADDS_QUIETLY(bi_add_look)
    ADDS_QUIETLY(bi_model_independent)
}

static void misuse_adding_laws(misuse *w)
{
    ADDS(bi_add_path)
    ADDS(bi_add_count)
    ADDS(bi_add_effort_signal)
    ADDS(bi_add_actuator)
    ADDS(bi_add_signal)
    ADDS(bi_add_table_signal)
    ADDS(bi_add_filter)
    ADDS(bi_add_rate_limit)
    ADDS(bi_add_pid)
    ADDS(bi_add_switch)
    ADDS(bi_add_delay)
    ADDS(bi_add_sample)
    ADDS(bi_add_bearing)
    ADDS(bi_add_torsion_spring)
    ADDS(bi_add_stop)
    ADDS(bi_add_motor)
    ADDS(bi_add_brake)
    ADDS(bi_add_joint_friction)
    ADDS(bi_add_bushing)
    ADDS(bi_add_beam)
    ADDS(bi_add_force)
    ADDS(bi_add_body_torque)
    ADDS(bi_add_drag)
    ADDS(bi_add_air)
    ADDS(bi_add_user_force)
    ADDS(bi_add_user_law)
    ADDS(bi_add_shape)
    ADDS(bi_add_contact)
    ADDS(bi_add_tyre_linear)
    ADDS(bi_add_tyre_pacejka)
    ADDS(bi_add_tyre_tmeasy)
    ADDS(bi_add_tyre_lean)
    ADDS(bi_add_tyre_magic)
    ADDS(bi_add_force_action)
    ADDS(bi_add_moment_action)
    ADDS(bi_add_effort_action)
}

static void misuse_kinds(misuse *w)
{
    if (misuse_of(w, "bi_kind_count")) {
        EXPECT(w, bi_kind_count() > 0);
    }
    if (misuse_of(w, "bi_kind_at")) {
        EXPECT(w, !bi_kind_at(-1) && !bi_kind_at(100000));
    }
    if (misuse_of(w, "bi_kind_find")) {
        EXPECT(w,
               !bi_kind_find(NULL, "spring") && !bi_kind_find("forces", NULL) && !bi_kind_find("forces", ""));
    }
    if (misuse_of(w, "bi_add")) {
        bi_spring_def def = { .name = "s" };
        EXPECT(w, bi_add(NULL, bi_kind_at(0), &def).i == 0 && bi_add(m, NULL, &def).i == 0);
        EXPECT(w, bi_add(m, bi_kind_at(0), NULL).i == 0 && is_refused());
    }
    if (misuse_of(w, "bi_element_active")) {
        bi_element_active(NULL, (bi_element){ 1 }, (bi_expr){ 1 });
        bi_element_active(m, (bi_element){ -1 }, (bi_expr){ 1 });
        bi_element_active(m, (bi_element){ 99 }, (bi_expr){ 1 });
        bi_element pull = bi_add_coincide(
            m, &(bi_coincide_def){ .name = "c", .a = { .body = rod }, .b = { .body = BI_GROUND } });
        bi_element_active(m, pull, (bi_expr){ 99 });
        EXPECT(w, is_refused());
    }
    if (misuse_of(w, "bi_remove")) {
        EXPECT(w, !bi_remove(NULL, (bi_element){ 1 }) && !bi_remove(m, (bi_element){ 0 }));
        EXPECT(w, !bi_remove(m, (bi_element){ -1 }) && !bi_remove(m, (bi_element){ 99 }));
    }
    if (misuse_of(w, "bi_add_point")) {
        bi_add_point(NULL, "p", (bi_point){ 0 });
        bi_add_point(m, NULL, (bi_point){ { -2 }, { NAN, 0, 0 } });
        EXPECT(w, is_refused());
    }
    if (misuse_of(w, "bi_add_vector")) {
        bi_add_vector(NULL, "v", (bi_vector){ 0 });
        bi_add_vector(m, NULL, (bi_vector){ { 99 }, { NAN, 0, 0 } });
        EXPECT(w, is_refused());
    }
}

static void misuse_look_ups(misuse *w)
{
    bi_point point;
    bi_vector vector;
    int32_t coordinate;
    bi_joint joint;
    if (misuse_of(w, "bi_model_point")) {
        EXPECT(w, !bi_model_point(NULL, "p", &point) && !bi_model_point(m, NULL, &point) &&
                      !bi_model_point(m, "p", &point));
        bi_add_point(m, "p", (bi_point){ .body = rod });
        EXPECT(w, bi_model_point(m, "p", NULL));
    }
    if (misuse_of(w, "bi_model_vector")) {
        EXPECT(w, !bi_model_vector(NULL, "p", &vector) && !bi_model_vector(m, NULL, &vector) &&
                      !bi_model_vector(m, "p", &vector));
        bi_add_vector(m, "p", (bi_vector){ rod, { 1, 0, 0 } });
        EXPECT(w, bi_model_vector(m, "p", NULL));
    }
    if (misuse_of(w, "bi_model_curve")) {
        EXPECT(w, bi_model_curve(NULL, "a").i == 0 && bi_model_curve(m, NULL).i == 0);
    }
    if (misuse_of(w, "bi_model_body")) {
        EXPECT(w, bi_model_body(NULL, "a").i == 0 && bi_model_body(m, NULL).i == 0);
    }
    if (misuse_of(w, "bi_model_joint")) {
        EXPECT(w, bi_model_joint(NULL, "a").i == 0 && bi_model_joint(m, NULL).i == 0);
    }
    if (misuse_of(w, "bi_model_element")) {
        EXPECT(w, bi_model_element(NULL, "a").i == 0 && bi_model_element(m, NULL).i == 0);
    }
    if (misuse_of(w, "bi_model_input")) {
        EXPECT(w, bi_model_input(NULL, "a").i == 0 && bi_model_input(m, NULL).i == 0);
    }
    if (misuse_of(w, "bi_model_coordinate")) {
        EXPECT(w, bi_model_coordinate(NULL, "pin").joint.i == 0 &&
                      bi_model_coordinate(m, NULL).joint.i == 0 &&
                      bi_model_coordinate(m, "pin.").joint.i == 0);
    }
    if (misuse_of(w, "bi_model_find_coordinate")) {
        EXPECT(w, !bi_model_find_coordinate(NULL, "pin.angle", &joint, &coordinate));
        EXPECT(w, !bi_model_find_coordinate(m, NULL, &joint, &coordinate));
        EXPECT(w, bi_model_find_coordinate(m, "pin.angle", NULL, NULL));
    }
    if (misuse_of(w, "bi_model_check")) {
        EXPECT(w, bi_model_check(NULL, NULL) > 0 && bi_model_check(m, NULL) == 0);
    }
    if (misuse_of(w, "bi_model_body_count")) {
        EXPECT(w, bi_model_body_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_joint_count")) {
        EXPECT(w, bi_model_joint_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_body_name")) {
        EXPECT(w, !bi_model_body_name(NULL, rod) && !bi_model_body_name(m, (bi_body){ -1 }) &&
                      !bi_model_body_name(m, (bi_body){ 99 }));
    }
    if (misuse_of(w, "bi_model_joint_name")) {
        EXPECT(w, !bi_model_joint_name(NULL, pin) && !bi_model_joint_name(m, (bi_joint){ -1 }) &&
                      !bi_model_joint_name(m, (bi_joint){ 99 }));
    }
    if (misuse_of(w, "bi_model_joint_coordinates")) {
        EXPECT(w, bi_model_joint_coordinates(NULL, pin) == 0 &&
                      bi_model_joint_coordinates(m, (bi_joint){ 9 }) == 0);
    }
    if (misuse_of(w, "bi_model_joint_coordinate")) {
        EXPECT(w, !bi_model_joint_coordinate(NULL, pin, 0) &&
                      !bi_model_joint_coordinate(m, (bi_joint){ 0 }, 0) &&
                      !bi_model_joint_coordinate(m, (bi_joint){ -1 }, 0) &&
                      !bi_model_joint_coordinate(m, (bi_joint){ 99 }, 0));
        EXPECT(w, bi_model_joint_coordinate(m, pin, 0) && !bi_model_joint_coordinate(m, pin, -1) &&
                      !bi_model_joint_coordinate(m, pin, 1) && !bi_model_joint_coordinate(m, pin, INT32_MAX));
    }
}

static void misuse_events_and_looks(misuse *w)
{
    bi_vec3 com;
    bi_point a, b;
    bi_shape_def shape;
    bi_patch_def patch;
    if (misuse_of(w, "bi_model_event_count")) {
        EXPECT(w, bi_model_event_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_event_name")) {
        EXPECT(w, !bi_model_event_name(NULL, 0) && !bi_model_event_name(m, -1) && !bi_model_event_name(m, 9));
    }
    if (misuse_of(w, "bi_model_stop_at")) {
        EXPECT(w, !bi_model_stop_at(NULL, "a") && !bi_model_stop_at(m, NULL) && !bi_model_stop_at(m, "a"));
    }
    if (misuse_of(w, "bi_model_gravity_of")) {
        EXPECT(w, bi_model_gravity_of(NULL).z == 0.0);
    }
    if (misuse_of(w, "bi_model_body_com")) {
        EXPECT(w, !bi_model_body_com(NULL, rod, &com) && !bi_model_body_com(m, (bi_body){ -1 }, &com) &&
                      !bi_model_body_com(m, rod, NULL));
    }
    if (misuse_of(w, "bi_model_joint_points")) {
        EXPECT(w, !bi_model_joint_points(NULL, pin, &a, &b) &&
                      !bi_model_joint_points(m, (bi_joint){ 9 }, &a, &b));
        EXPECT(w, bi_model_joint_points(m, pin, NULL, NULL));
    }
    if (misuse_of(w, "bi_model_shape_count")) {
        EXPECT(w, bi_model_shape_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_shape")) {
        EXPECT(w, bi_model_shape(NULL, "a").i == 0 && bi_model_shape(m, NULL).i == 0);
    }
    if (misuse_of(w, "bi_model_shape_at")) {
        EXPECT(w, !bi_model_shape_at(NULL, (bi_shape){ 1 }, &shape) &&
                      !bi_model_shape_at(m, (bi_shape){ -1 }, &shape));
        bi_shape ball = bi_add_shape(m, &(bi_shape_def){ .name = "b", .type = BI_SHAPE_SPHERE, .radius = 1 });
        EXPECT(w, !bi_model_shape_at(m, ball, NULL));
    }
    if (misuse_of(w, "bi_model_shape_pieces")) {
        EXPECT(w, bi_model_shape_pieces(NULL, (bi_shape){ 1 }, NULL) == 0 &&
                      bi_model_shape_pieces(m, (bi_shape){ -1 }, NULL) == 0);
    }
    if (misuse_of(w, "bi_model_friction_at")) {
        EXPECT(w, bi_model_friction_at(NULL, (bi_vec3){ 0 }) == 1.0);
        EXPECT(w, bi_model_friction_at(m, (bi_vec3){ NAN, 0, 0 }) == 1.0);
    }
    if (misuse_of(w, "bi_model_patch_count")) {
        EXPECT(w, bi_model_patch_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_patch_at")) {
        EXPECT(w, !bi_model_patch_at(NULL, 0, &patch) && !bi_model_patch_at(m, -1, &patch) &&
                      !bi_model_patch_at(m, 0, &patch));
    }
}

static void misuse_struts(misuse *w)
{
    bi_strut_def strut = { .n_point = 99 };
    bi_pose pose = { .rot.w = 1 };
    if (misuse_of(w, "bi_model_strut_count") || misuse_of(w, "bi_model_look_count")) {
        EXPECT(w, bi_model_strut_count(NULL) == 0 && bi_model_look_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_model_strut_at")) {
        EXPECT(w, !bi_model_strut_at(NULL, 0, &strut) && !bi_model_strut_at(m, -1, &strut) &&
                      !bi_model_strut_at(m, 0, &strut) && !bi_model_strut_at(m, 0, NULL));
    }
    bi_look_def look;
    if (misuse_of(w, "bi_model_look_at")) {
        EXPECT(w, !bi_model_look_at(NULL, 0, &look) && !bi_model_look_at(m, -1, &look) &&
                      !bi_model_look_at(m, 0, &look) && !bi_model_look_at(m, 0, NULL));
    }
    if (misuse_of(w, "bi_strut_length")) {
        EXPECT(w, isnan(bi_strut_length(NULL, &pose)) && isnan(bi_strut_length(&strut, &pose)) &&
                      isnan(bi_strut_length(&strut, NULL)));
    }
}

static void misuse_actions(misuse *w)
{
    double t[2] = { 0, 1 };
    bi_bonds bonds;
    if (misuse_of(w, "bi_imposed_count")) {
        EXPECT(w, bi_imposed_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_action_count")) {
        EXPECT(w, bi_action_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_action_at")) {
        EXPECT(w, bi_action_at(NULL, 0).i == 0 && bi_action_at(m, -1).i == 0 && bi_action_at(m, 9).i == 0);
    }
    if (misuse_of(w, "bi_action_name")) {
        EXPECT(w, !bi_action_name(NULL, (bi_element){ 1 }) && !bi_action_name(m, (bi_element){ -1 }) &&
                      !bi_action_name(m, (bi_element){ 9 }));
    }
    if (misuse_of(w, "bi_action_samples")) {
        bi_element act = bi_add_effort_action(m, &(bi_effort_action_def){ "act", pin, 0 });
        EXPECT(w, !bi_action_samples(NULL, act, 2, t, t, NULL) &&
                      !bi_action_samples(m, (bi_element){ 9 }, 2, t, t, NULL));
        EXPECT(w,
               !bi_action_samples(m, act, 2, NULL, t, NULL) && !bi_action_samples(m, act, 2, t, NULL, NULL));
        EXPECT(w, !bi_action_samples(m, act, -2, t, t, NULL) && bi_action_samples(m, act, 2, t, t, NULL));
    }
    if (misuse_of(w, "bi_model_graph")) {
        EXPECT(w,
               bi_model_graph(NULL, 0).i == 0 && bi_model_graph(m, -1).i == 0 && bi_model_graph(m, 0).i == 0);
    }
    if (misuse_of(w, "bi_bonds_make")) {
        EXPECT(w, !bi_bonds_make(NULL, (bi_element){ 1 }, NULL, NULL, &bonds, NULL));
        EXPECT(w, !bi_bonds_make(m, (bi_element){ 99 }, NULL, NULL, &bonds, NULL));
        EXPECT(w, !bi_bonds_make(m, (bi_element){ 0 }, NULL, NULL, NULL, NULL));
    }
    if (misuse_of(w, "bi_bonds_clear")) {
        bi_bonds none = { 0 };
        bi_bonds_clear(NULL);
        bi_bonds_clear(&none);
    }
}

static void misuse_everything(misuse *w)
{
    misuse_reports(w);
    misuse_names_and_numbers(w);
    misuse_inputs(w);
    misuse_adding(w);
    misuse_adding_laws(w);
    misuse_kinds(w);
    misuse_look_ups(w);
    misuse_events_and_looks(w);
    misuse_struts(w);
    misuse_actions(w);
}

static void test_misused_description_answers_and_is_told(void **state)
{
    (void)state;
    make_model();
    assert_false(is_refused());
    misuse_all(misuse_everything);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misused_description_answers_and_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
