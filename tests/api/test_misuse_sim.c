// SPDX-License-Identifier: MIT
// Systems and sims asked for what makes no sense: NULL, ids of nothing, times in the past or at no time, before the start.
// A status or a neutral value, and the state is the same to the bit.
#include "support/misuse.h"
#include <biela/biela.h>
#include <biela/flex.h>
#include <biela/inside.h>
#include <biela/look.h>
#include <biela/loop.h>
#include <biela/verdict.h>
#include <math.h>
#include <stdlib.h>

static bi_system *sys;    // a pendulum
static bi_sim *run, *raw; // after a hundred steps; not started
static bi_body rod;
static bi_joint pin;

static bi_model *make_model(void)
{
    bi_model *m = bi_model_create("pendulum");
    assert_non_null(m);
    rod = bi_add_body(m,
                      &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    pin = bi_add_joint(
        m,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    bi_add_input(m, "push", 0.0);
    bi_add_torque(m, &(bi_torque_def){ .name = "M", .joint = pin, .torque = bi_expression(m, "push", NULL) });
    bi_add_output(m, &(bi_output_def){ .name = "o", .kind = BI_OUT_JOINT, .joint = pin });
    bi_add_output(m, &(bi_output_def){ .name = "r", .kind = BI_OUT_REACTION, .joint = pin });
    return m;
}

static void make_sims(const bi_options *options)
{
    bi_model *m = make_model();
    sys = bi_compile(m, options, NULL);
    assert_non_null(sys);
    run = bi_sim_create(sys);
    raw = bi_sim_create(sys);
    assert_true(run && raw && bi_sim_start(run, NULL) == BI_OK);
    for (int k = 0; k < 100; k++) {
        assert_int_equal(bi_sim_step(run), BI_OK);
    }
    bi_model_destroy(m);
}

static void close_sims(void)
{
    bi_sim_destroy(run);
    bi_sim_destroy(raw);
    bi_system_destroy(sys);
}

static uint64_t hash_before;
static double t_before;

static void remember(void)
{
    hash_before = bi_sim_hash(run);
    t_before = bi_sim_view(run).t;
}

// Nothing changed, and the sim can be stepped on.
static bool is_same(void) { return bi_sim_hash(run) == hash_before && bi_sim_view(run).t == t_before; }

static const double no_time[] = { -1.0, 0.05, -INFINITY, NAN, INFINITY };
enum { N_NO_TIME = sizeof no_time / sizeof *no_time };

static void misuse_stepping(misuse *w)
{
    remember();
    if (misuse_of(w, "bi_sim_step_to")) {
        EXPECT(w, bi_sim_step_to(NULL, 1.0) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_step_to(raw, 1e-3) == BI_NOT_STARTED && bi_sim_failure(raw)[0] != '\0');
        for (int k = 0; k < N_NO_TIME; k++) {
            EXPECT(w, bi_sim_step_to(run, no_time[k]) == BI_BAD_ARGUMENT && is_same());
            EXPECT(w, bi_sim_failure(run)[0] != '\0');
        }
        EXPECT(w, bi_sim_step_to(run, t_before + 1e-3) == BI_OK);
    }
    if (misuse_of(w, "bi_sim_step_toward")) {
        EXPECT(w, bi_sim_step_toward(NULL, 1.0) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_step_toward(raw, 1.0) == BI_NOT_STARTED);
        for (int k = 0; k < N_NO_TIME; k++) {
            EXPECT(w, bi_sim_step_toward(run, no_time[k]) == BI_BAD_ARGUMENT && is_same());
        }
        EXPECT(w, bi_sim_step_toward(run, t_before + 1e-3) == BI_OK);
    }
    if (misuse_of(w, "bi_sim_step")) {
        EXPECT(w, bi_sim_step(NULL) == BI_BAD_ARGUMENT && bi_sim_step(raw) == BI_NOT_STARTED);
    }
    if (misuse_of(w, "bi_sim_steps")) {
        EXPECT(w, bi_sim_steps(NULL, 1) == BI_BAD_ARGUMENT && bi_sim_steps(raw, 1) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_steps(run, -1) == BI_BAD_ARGUMENT && bi_sim_steps(run, 0) == BI_OK && is_same());
    }
    if (misuse_of(w, "bi_sim_input_values")) {
        EXPECT(w, bi_sim_input_values(NULL) == NULL && bi_sim_input_values(raw) != NULL);
    }
    if (misuse_of(w, "bi_sim_time")) {
        EXPECT(w, isnan(bi_sim_time(NULL)) && isnan(bi_sim_time(raw)) && bi_sim_time(run) == t_before);
    }
    if (misuse_of(w, "bi_kinematics_step_to")) {
        EXPECT(w, bi_kinematics_step_to(NULL, 1.0) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_kinematics_step_to(raw, 1.0) == BI_NOT_STARTED);
        EXPECT(w, bi_kinematics_step_to(run, NAN) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_kinematics_step_to(run, INFINITY) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_imposed_step_to")) {
        EXPECT(w, bi_imposed_step_to(NULL, 1.0) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_imposed_step_to(raw, 1.0) == BI_NOT_STARTED);
        for (int k = 0; k < N_NO_TIME; k++) {
            EXPECT(w, bi_imposed_step_to(run, no_time[k]) == BI_BAD_ARGUMENT && is_same());
        }
    }
    if (misuse_of(w, "bi_feedback_step_to")) {
        EXPECT(w, bi_feedback_step_to(NULL, 1.0, 0.0, 0.0) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_feedback_step_to(raw, 1.0, 0.0, 0.0) == BI_NOT_STARTED);
        EXPECT(w, bi_feedback_step_to(run, t_before + 1e-3, NAN, 0.0) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_feedback_step_to(run, t_before + 1e-3, 0.0, INFINITY) == BI_BAD_ARGUMENT && is_same());
        for (int k = 0; k < N_NO_TIME; k++) {
            EXPECT(w, bi_feedback_step_to(run, no_time[k], 0.0, 0.0) == BI_BAD_ARGUMENT && is_same());
        }
    }
}

static void misuse_sims(misuse *w)
{
    char bytes[64] = "not a snapshot";
    remember();
    if (misuse_of(w, "bi_sim_create")) {
        EXPECT(w, !bi_sim_create(NULL));
    }
    if (misuse_of(w, "bi_sim_destroy")) {
        bi_sim_destroy(NULL);
    }
    if (misuse_of(w, "bi_sim_start")) {
        EXPECT(w, bi_sim_start(NULL, NULL) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_sim_input")) {
        bi_sim_input(NULL, (bi_input){ 1 }, 1.0);
        bi_sim_input(run, (bi_input){ -1 }, 1.0);
        bi_sim_input(run, (bi_input){ 99 }, 1.0);
        EXPECT(w, is_same());
        // what no law can use stops the step that reads it, and no other
        bi_sim_input(run, (bi_input){ 1 }, NAN);
        EXPECT(w, bi_sim_step(run) == BI_NOT_FINITE && bi_sim_view(run).t == t_before);
        bi_sim_input(run, (bi_input){ 1 }, 0.0);
        EXPECT(w, is_same() && bi_sim_step(run) == BI_OK);
    }
    if (misuse_of(w, "bi_can_sleep")) {
        EXPECT(w, !bi_can_sleep(NULL));
    }
    if (misuse_of(w, "bi_sim_is_asleep")) {
        EXPECT(w, !bi_sim_is_asleep(NULL, rod) && !bi_sim_is_asleep(run, (bi_body){ -1 }));
        EXPECT(w, !bi_sim_is_asleep(raw, rod) && !bi_sim_is_asleep(run, (bi_body){ 99 }));
    }
    if (misuse_of(w, "bi_sim_save")) {
        EXPECT(w, bi_sim_save(NULL, bytes, sizeof bytes) == 0);
        EXPECT(w, bi_sim_save(run, bytes, 1) == bi_sim_save(run, NULL, 0) && bytes[0] == 'n');
    }
    if (misuse_of(w, "bi_sim_load")) {
        size_t size = bi_sim_save(run, NULL, 0);
        char *own = calloc(size, 1);
        EXPECT(w, bi_sim_load(NULL, bytes, sizeof bytes) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_load(run, NULL, size) == BI_BAD_SNAPSHOT &&
                      bi_sim_load(run, NULL, 0) == BI_BAD_SNAPSHOT);
        EXPECT(w, bi_sim_load(run, bytes, sizeof bytes) == BI_BAD_SNAPSHOT);
        EXPECT(w, own && bi_sim_load(run, own, size) == BI_BAD_SNAPSHOT && is_same());
        free(own);
    }
    if (misuse_of(w, "bi_sim_hash")) {
        EXPECT(w, bi_sim_hash(NULL) == 0 && bi_sim_hash(raw) == bi_sim_hash(raw));
    }
    if (misuse_of(w, "bi_sim_statistics")) {
        EXPECT(w, bi_sim_statistics(NULL).steps == 0 && bi_sim_statistics(raw).steps == 0);
    }
    if (misuse_of(w, "bi_sim_verdict")) {
        EXPECT(w, bi_sim_verdict(NULL).count == 0 && bi_sim_verdict(raw).count == 0 &&
                      bi_sim_verdict(raw).line[0] != '\0');
    }
    if (misuse_of(w, "bi_sim_run_to")) {
        EXPECT(w, bi_sim_run_to(NULL, 1.0) == BI_BAD_ARGUMENT && bi_sim_run_to(raw, 1.0) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_run_to(run, 0.0) == BI_BAD_ARGUMENT && bi_sim_run_to(run, NAN) == BI_BAD_ARGUMENT &&
                      bi_sim_run_to(run, INFINITY) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_outcome_name")) {
        EXPECT(w, bi_outcome_name((bi_outcome)-1) && bi_outcome_name((bi_outcome)99));
    }
    if (misuse_of(w, "bi_sim_failure")) {
        EXPECT(w, bi_sim_failure(NULL)[0] == '\0' && bi_sim_failure(raw)[0] == '\0');
    }
}

static void misuse_crossing(misuse *w)
{
    bi_cross cross = { 0 };
    bi_crossing *c = bi_crossing_create(sys);
    if (misuse_of(w, "bi_gap_relative")) {
        EXPECT(w, bi_gap_relative(NULL, 0.0) == 0.0 && bi_gap_relative(&(bi_gap){ 0 }, 0.0) == 0.0);
    }
    if (misuse_of(w, "bi_crossing_create")) {
        EXPECT(w, c && !bi_crossing_create(NULL));
    }
    if (misuse_of(w, "bi_crossing_row")) {
        bi_crossing_row(NULL, run, run, run);
        bi_crossing_row(c, NULL, run, run);
        bi_crossing_row(c, run, NULL, NULL);
        EXPECT(w, is_same());
    }
    if (misuse_of(w, "bi_crossing_end")) {
        EXPECT(w, !bi_crossing_end(NULL, &cross) && !bi_crossing_end(c, NULL) && bi_crossing_end(c, &cross));
        EXPECT(w, !(cross.worst > 0.0) && cross.odd == BI_CROSS_NONE);
        bi_cross_clear(&cross);
    }
    if (misuse_of(w, "bi_crossing_destroy")) {
        bi_crossing_destroy(NULL);
    }
    if (misuse_of(w, "bi_cross_clear")) {
        bi_cross_clear(NULL);
        bi_cross_clear(&cross);
    }
    if (misuse_of(w, "bi_cross_run")) {
        bi_model *m = make_model();
        EXPECT(w, bi_cross_run(NULL, NULL, 1, 1, &cross, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_cross_run(m, NULL, 1, 1, NULL, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_cross_run(m, NULL, NAN, 1, &cross, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_cross_run(m, NULL, 1, 0, &cross, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_cross_run(m, NULL, 0.1, 1, &cross, NULL) == BI_OK && cross.count > 0);
        bi_cross_clear(&cross);
        bi_model_destroy(m);
    }
    bi_crossing_destroy(c);
}

static void misuse_looks(misuse *w)
{
    const bi_vec3 zero = { 0, 0, 0 }, down = { 0, 0, -1 }, bad = { 0, NAN, 0 }, far = { INFINITY, 0, 0 };
    bi_ray_hit hit = { .shape = { 7 } };
    bi_shape_gap gap = { .distance = 7 };
    if (misuse_of(w, "bi_sim_inside")) {
        EXPECT(w, !bi_sim_inside(NULL) && !bi_sim_inside(raw));
        bi_inside_destroy(bi_sim_inside(run));
        EXPECT(w, is_same());
    }
    if (misuse_of(w, "bi_inside_destroy")) {
        bi_inside_destroy(NULL);
    }
    if (misuse_of(w, "bi_entity_role_name")) {
        EXPECT(w, !bi_entity_role_name((bi_entity_role)0) && !bi_entity_role_name((bi_entity_role)99));
    }
    if (misuse_of(w, "bi_sim_ray")) {
        EXPECT(w, !bi_sim_ray(NULL, zero, down, 1.0, &hit) && hit.shape.i == 0 && isnan(hit.distance));
        EXPECT(w, !bi_sim_ray(raw, zero, down, 1.0, &hit) && !bi_sim_ray(run, zero, down, 1.0, NULL));
        EXPECT(w, !bi_sim_ray(run, bad, down, 1.0, &hit) && !bi_sim_ray(run, zero, bad, 1.0, &hit));
        EXPECT(w, !bi_sim_ray(run, far, down, 1.0, &hit) && !bi_sim_ray(run, zero, zero, 1.0, &hit));
        EXPECT(w, !bi_sim_ray(run, zero, down, -1.0, &hit) && !bi_sim_ray(run, zero, down, NAN, &hit));
        EXPECT(w, is_same());
    }
    if (misuse_of(w, "bi_sim_distance")) {
        const bi_shape none = { 0 }, less = { -1 }, more = { 99 };
        EXPECT(w, !bi_sim_distance(NULL, none, none, &gap) && isnan(gap.distance));
        EXPECT(w, !bi_sim_distance(raw, none, more, &gap) && !bi_sim_distance(run, less, more, &gap));
        EXPECT(w, !bi_sim_distance(run, none, none, &gap) && !bi_sim_distance(run, none, none, NULL));
        EXPECT(w, is_same());
    }
}

static void misuse_reading(misuse *w)
{
    double x = 7.0, four[4], all[64];
    bi_channel angle = bi_find_channel(sys, "o.angle"), force = bi_find_channel(sys, "r.fx");
    bi_event event;
    bi_divergence divergence;
    assert_true(bi_channel_count(sys) <= 64);
    if (misuse_of(w, "bi_sim_view")) {
        EXPECT(w, bi_sim_view(NULL).n_body == 0 && bi_sim_view(raw).n_body == 0 && bi_sim_view(raw).n_q == 0);
    }
    if (misuse_of(w, "bi_sim_read")) {
        EXPECT(w, isnan(bi_sim_read(NULL, angle)) && isnan(bi_sim_read(raw, angle)) &&
                      isnan(bi_sim_read(raw, force)));
        EXPECT(w, isnan(bi_sim_read(run, (bi_channel){ 0 })) && isnan(bi_sim_read(run, (bi_channel){ -1 })) &&
                      isnan(bi_sim_read(run, (bi_channel){ 999 })));
    }
    if (misuse_of(w, "bi_sim_read_all")) {
        bi_sim_read_all(NULL, all);
        bi_sim_read_all(run, NULL);
        bi_sim_read_all(raw, all);
        EXPECT(w, isnan(all[0]) && isnan(all[bi_channel_count(sys) - 1]));
    }
    if (misuse_of(w, "bi_sim_read_these")) {
        bi_channel which[2] = { { 0 }, { 1 } };
        bi_sim_read_these(run, NULL, 2, all);
        bi_sim_read_these(run, which, 2, NULL);
        bi_sim_read_these(run, which, -1, all);
        bi_sim_read_these(run, which, 2, all);
        EXPECT(w, isnan(all[0]) && all[1] == bi_sim_read(run, which[1]));
        bi_sim_read_these(raw, which, 2, all);
        EXPECT(w, isnan(all[1]));
    }
    if (misuse_of(w, "bi_sim_event_count")) {
        EXPECT(w, bi_sim_event_count(NULL) == 0 && bi_sim_event_count(raw) == 0);
    }
    if (misuse_of(w, "bi_sim_event")) {
        EXPECT(w, !bi_sim_event(NULL, 0, &event) && !bi_sim_event(run, -1, &event) &&
                      !bi_sim_event(run, 0, NULL));
        EXPECT(w, !bi_sim_event(raw, 0, &event) && !bi_sim_event(run, 1 << 30, &event));
    }
    if (misuse_of(w, "bi_sim_stopped")) {
        EXPECT(w, !bi_sim_stopped(NULL) && !bi_sim_stopped(raw));
    }
    if (misuse_of(w, "bi_sim_divergence")) {
        EXPECT(w, !bi_sim_divergence(NULL, &divergence) && !bi_sim_divergence(run, NULL) &&
                      !bi_sim_divergence(raw, &divergence));
    }
    if (misuse_of(w, "bi_sim_value")) {
        EXPECT(w, !bi_sim_value(NULL, "push", &x) && !bi_sim_value(run, NULL, &x) &&
                      !bi_sim_value(run, "none", &x));
        EXPECT(w, !bi_sim_value(raw, "push", &x) && x == 7.0 && bi_sim_value(run, "push", NULL));
    }
    if (misuse_of(w, "bi_sim_bond")) {
        EXPECT(w, !bi_sim_bond(NULL, (bi_element){ 1 }, 0, four) &&
                      !bi_sim_bond(run, (bi_element){ 1 }, 0, four) &&
                      !bi_sim_bond(run, (bi_element){ -1 }, -1, four) &&
                      !bi_sim_bond(run, (bi_element){ 1 }, 0, NULL));
    }
    if (misuse_of(w, "bi_sim_touch")) {
        EXPECT(w, isnan(bi_sim_touch(NULL, 0)) && isnan(bi_sim_touch(run, -1)) &&
                      isnan(bi_sim_touch(run, 0)) && isnan(bi_sim_touch(raw, 0)));
    }
    if (misuse_of(w, "bi_sim_modes")) {
        EXPECT(w, bi_sim_modes(NULL, rod, all) == 0 && bi_sim_modes(run, (bi_body){ -1 }, all) == 0 &&
                      bi_sim_modes(raw, rod, all) == 0 && bi_sim_modes(run, rod, NULL) == 0);
    }
    if (misuse_of(w, "bi_sim_reactions")) {
        EXPECT(w, !bi_sim_reactions(NULL) && !bi_sim_reactions(raw));
    }
    misuse_looks(w);
}

static void misuse_analyses(misuse *w)
{
    bi_info info;
    bi_balance balance;
    bi_linear linear;
    double tau[4];
    bi_offset offset = { "pin.angle", NAN }, nameless = { NULL, 0.1 };
    remember();
    if (misuse_of(w, "bi_sim_info")) {
        EXPECT(w, bi_sim_info(NULL, &info, NULL) == BI_BAD_ARGUMENT &&
                      bi_sim_info(run, NULL, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_info(raw, &info, NULL) == BI_NOT_STARTED && bi_sim_info(run, &info, NULL) == BI_OK);
    }
    if (misuse_of(w, "bi_sim_check_tangents")) {
        EXPECT(w, bi_sim_check_tangents(NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_sim_check_tangents(raw, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_check_tangents(run, NULL) == BI_OK);
    }
    if (misuse_of(w, "bi_sim_lost")) {
        EXPECT(w, bi_sim_lost(NULL)[0] == '\0' && bi_sim_lost(raw)[0] == '\0' && bi_sim_lost(run)[0] == '\0');
    }
    if (misuse_of(w, "bi_kinematics_check")) {
        EXPECT(w, bi_kinematics_check(NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_kinematics_check(raw, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_kinematics_check(run, NULL) == BI_BAD_MODEL);
    }
    if (misuse_of(w, "bi_settle")) {
        EXPECT(w, bi_settle(NULL, &balance, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_settle(raw, &balance, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_settle(run, NULL, NULL) == BI_OK);
    }
    if (misuse_of(w, "bi_load_path")) {
        bi_load_path_def path = { .input = { 99 }, .to = 1.0 };
        EXPECT(w, bi_load_path(NULL, &path, NULL, NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_load_path(raw, &path, NULL, NULL, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_load_path(run, NULL, NULL, NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_load_path(run, &path, NULL, NULL, NULL) == BI_BAD_ARGUMENT);
    }
    if (misuse_of(w, "bi_equilibrium")) {
        EXPECT(w, bi_equilibrium(NULL, &balance, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_equilibrium(raw, &balance, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_equilibrium(run, NULL, NULL) == BI_OK);
    }
    if (misuse_of(w, "bi_linearize")) {
        EXPECT(w, bi_linearize(NULL, &linear, NULL) == BI_BAD_ARGUMENT &&
                      bi_linearize(run, NULL, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_linearize(raw, &linear, NULL) == BI_NOT_STARTED && linear.n == 0 && linear.M == NULL);
    }
    if (misuse_of(w, "bi_linear_clear")) {
        bi_linear none = { 0 };
        bi_linear_clear(NULL);
        bi_linear_clear(&none);
    }
    if (misuse_of(w, "bi_imposed_check")) {
        EXPECT(w, bi_imposed_check(NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_imposed_check(raw, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_imposed_check(run, NULL) != BI_OK);
    }
    if (misuse_of(w, "bi_inverse")) {
        EXPECT(w, bi_inverse(NULL, tau, NULL) == BI_BAD_ARGUMENT &&
                      bi_inverse(raw, tau, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_inverse(run, NULL, NULL) != BI_OK);
    }
    if (misuse_of(w, "bi_imposed_offset")) {
        EXPECT(w, bi_imposed_offset(NULL, &offset, 1, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_imposed_offset(raw, &offset, 1, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_imposed_offset(run, NULL, 1, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_imposed_offset(run, &offset, -1, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_imposed_offset(run, &offset, 1, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_imposed_offset(run, &nameless, 1, NULL) == BI_BAD_ARGUMENT && is_same());
    }
}

static void misuse_systems(misuse *w)
{
    char buffer[32] = "kept";
    bi_sparsity sparsity;
    bi_tyre_state state = { 0 };
    bi_tyre_force force;
    if (misuse_of(w, "bi_magic_formula_default")) {
        bi_magic_formula usual = bi_magic_formula_default(); // takes nothing that could be wrong
        EXPECT(w, usual.LFZO == 1.0 && usual.PKY4 == 2.0 && usual.PCX1 == 0.0);
    }
    if (misuse_of(w, "bi_compile")) {
        bi_report report = { 0 };
        EXPECT(w, !bi_compile(NULL, NULL, NULL) && !bi_compile(NULL, NULL, &report) && report.errors == 1);
        bi_report_clear(&report);
    }
    if (misuse_of(w, "bi_system_destroy")) {
        bi_system_destroy(NULL);
    }
    if (misuse_of(w, "bi_solver_exists")) {
        EXPECT(w, !bi_solver_exists((bi_solver)-1) && !bi_solver_exists((bi_solver)99));
    }
    if (misuse_of(w, "bi_find_channel")) {
        EXPECT(w, bi_find_channel(NULL, "o.angle").i == 0 && bi_find_channel(sys, NULL).i == 0);
    }
    if (misuse_of(w, "bi_channel_count")) {
        EXPECT(w, bi_channel_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_channel_at")) {
        EXPECT(w, bi_channel_at(NULL, 0).i == 0 && bi_channel_at(sys, -1).i == 0 &&
                      bi_channel_at(sys, 999).i == 0);
    }
    if (misuse_of(w, "bi_channel_name")) {
        EXPECT(w, !bi_channel_name(NULL, (bi_channel){ 1 }) && !bi_channel_name(sys, (bi_channel){ -1 }) &&
                      !bi_channel_name(sys, (bi_channel){ 999 }));
    }
    if (misuse_of(w, "bi_channel_unit")) {
        EXPECT(w, !bi_channel_unit(NULL, (bi_channel){ 1 }) && !bi_channel_unit(sys, (bi_channel){ -1 }) &&
                      !bi_channel_unit(sys, (bi_channel){ 999 }));
    }
    if (misuse_of(w, "bi_find_input")) {
        EXPECT(w, bi_find_input(NULL, "push").i == 0 && bi_find_input(sys, NULL).i == 0);
    }
    if (misuse_of(w, "bi_input_count")) {
        EXPECT(w, bi_input_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_input_name")) {
        EXPECT(w, !bi_input_name(NULL, 0) && !bi_input_name(sys, -1) && !bi_input_name(sys, 99));
    }
    if (misuse_of(w, "bi_variable_count")) {
        EXPECT(w, bi_variable_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_variable_name")) {
        EXPECT(w, bi_variable_name(NULL, 0, buffer, sizeof buffer)[0] == '\0');
        EXPECT(w, bi_variable_name(sys, -1, buffer, sizeof buffer)[0] == '\0');
        EXPECT(w, bi_variable_name(sys, 0, NULL, 0)[0] == '\0' &&
                      bi_variable_name(sys, 0, buffer, 0)[0] == '\0');
    }
    if (misuse_of(w, "bi_system_sparsity")) {
        EXPECT(w, !bi_system_sparsity(NULL, &sparsity) && !bi_system_sparsity(sys, NULL));
    }
    if (misuse_of(w, "bi_sparsity_clear")) {
        bi_sparsity_clear(NULL);
    }
    if (misuse_of(w, "bi_system_dt")) {
        EXPECT(w, bi_system_dt(NULL) == 0.0);
    }
    if (misuse_of(w, "bi_system_hash")) {
        EXPECT(w, bi_system_hash(NULL) == 0);
    }
    if (misuse_of(w, "bi_version")) {
        EXPECT(w, bi_version()[0] != '\0');
    }
    if (misuse_of(w, "bi_build_name")) {
        EXPECT(w, bi_build_name()[0] != '\0');
    }
    if (misuse_of(w, "bi_touch_count")) {
        EXPECT(w, bi_touch_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_touch_name")) {
        EXPECT(w, !bi_touch_name(NULL, 0) && !bi_touch_name(sys, -1) && !bi_touch_name(sys, 0));
    }
    if (misuse_of(w, "bi_tyre_test")) {
        EXPECT(w, !bi_tyre_test(NULL, (bi_element){ 1 }, &state, &force));
        EXPECT(w, !bi_tyre_test(sys, (bi_element){ 1 }, &state, &force));
        EXPECT(w, !bi_tyre_test(sys, (bi_element){ -1 }, NULL, NULL));
    }
}

static void misuse_everything(misuse *w)
{
    misuse_stepping(w);
    misuse_sims(w);
    misuse_crossing(w);
    misuse_reading(w);
    misuse_analyses(w);
    misuse_systems(w);
}

static void test_misused_sim_answers_and_stays_as_it_is(void **state)
{
    (void)state;
    make_sims(NULL);
    misuse_all(misuse_everything);
    close_sims();
}

static void test_misused_sim_of_adaptive_steps_answers_and_stays_as_it_is(void **state)
{
    (void)state;
    make_sims(&(bi_options){ .accuracy = 1e-5, .dt_max = 1e-3 });
    misuse_all(misuse_stepping);
    close_sims();
}

// ---- options --------------------------------------------------------------------------------------------------------

static void *no_release(size_t size) { return malloc(size); }

static void test_options_out_of_range_are_refused_by_name(void **state)
{
    (void)state;
    const struct {
        const char *name;
        bi_options options;
    } bad[] = {
        { "coordinates", { .coordinates = (bi_coordinates)7 } },
        { "coordinates", { .coordinates = (bi_coordinates)-1 } },
        { "scheme", { .scheme = (bi_scheme)99 } },
        { "scheme", { .scheme = (bi_scheme)-1 } },
        { "solver", { .solver = (bi_solver)99 } },
        { "dt", { .dt = -1.0 } },
        { "dt", { .dt = NAN } },
        { "tolerance", { .tolerance = NAN } },
        { "tolerance", { .tolerance = -1.0 } },
        { "iterations", { .iterations = -1 } },
        { "penalty", { .penalty = -1.0 } },
        { "penalty", { .penalty = INFINITY } },
        { "damping", { .damping = NAN } },
        { "damping", { .damping = 1.5 } },
        { "accuracy", { .accuracy = -1.0 } },
        { "accuracy", { .accuracy = NAN } },
        { "dt_min", { .accuracy = 1e-5, .dt_min = -1.0 } },
        { "dt_max", { .accuracy = 1e-5, .dt_max = NAN } },
        { "dt_max", { .accuracy = 1e-5, .dt_min = 1e-2, .dt_max = 1e-3 } },
        { "horizon", { .accuracy = 1e-5, .horizon = -1.0 } },
        { "baumgarte", { .baumgarte = NAN } },
        { "sleep", { .sleep = -1.0 } },
        { "alloc", { .alloc = no_release } },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bi_report report = { 0 };
        bi_model *m = make_model();
        bi_system *s = bi_compile(m, &bad[k].options, &report);
        if (s || report.errors != 1 || strcmp(report.issue[0].where, bad[k].name) != 0) {
            fail_msg("row %zu: %s is not refused by its name", k, bad[k].name);
        }
        bi_system_destroy(s);
        bi_model_destroy(m);
        bi_report_clear(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misused_sim_answers_and_stays_as_it_is),
        cmocka_unit_test(test_misused_sim_of_adaptive_steps_answers_and_stays_as_it_is),
        cmocka_unit_test(test_options_out_of_range_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
