// SPDX-License-Identifier: MIT
// State and equations asked for what makes no sense. A status or a neutral value, and the state is the same to the bit.
#include "support/misuse.h"
#include <biela/biela.h>
#include <biela/ode.h>
#include <biela/state.h>
#include <math.h>

static bi_model *model;
static bi_system *sys; // a pendulum, in the coordinates under test
static bi_sim *run, *raw;
static uint64_t hash_before;

static bi_system *make(bi_coordinates coordinates)
{
    model = bi_model_create("pendulum");
    bi_body rod = bi_add_body(
        model, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    bi_add_joint(
        model,
        &(bi_joint_def){ .name = "pin", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = rod, .axis = { 0, 1, 0 } });
    return bi_compile(model, &(bi_options){ .coordinates = coordinates }, NULL);
}

static bool is_same(void) { return bi_sim_hash(run) == hash_before; }

static void misuse_rows(misuse *w)
{
    char name[80];
    if (misuse_of(w, "bi_row_count")) {
        EXPECT(w, bi_row_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_row_name")) {
        EXPECT(w, bi_row_name(NULL, 0, name, sizeof name) == NULL);
        EXPECT(w, bi_row_name(sys, -1, name, sizeof name) == NULL);
        EXPECT(w, bi_row_name(sys, 1000, name, sizeof name) == NULL);
        EXPECT(w, bi_row_name(sys, 0, NULL, sizeof name) == NULL && bi_row_name(sys, 0, name, 0) == NULL);
    }
    if (misuse_of(w, "bi_row_is_velocity")) {
        EXPECT(w, !bi_row_is_velocity(NULL, 0) && !bi_row_is_velocity(sys, -1) &&
                      !bi_row_is_velocity(sys, 1000));
    }
    if (misuse_of(w, "bi_contact_observe")) {
        EXPECT(w, !bi_contact_observe(NULL, (bi_element){ 1 }, NULL, NULL));
        EXPECT(w, !bi_contact_observe(model, (bi_element){ 0 }, NULL, NULL));
        EXPECT(w, !bi_contact_observe(model, (bi_element){ 77 }, NULL, NULL));
    }
}

static void misuse_setting(misuse *w)
{
    double x[64] = { 0 }, bad[64] = { NAN };
    bi_pose lost[2] = { { .rot = { 1, 0, 0, 0 } }, { .pos = { INFINITY, 0, 0 } } },
            here[2] = { lost[0], lost[0] };
    bi_twist rate[2] = { 0 };
    rate[1].ang.x = NAN;
    if (misuse_of(w, "bi_sim_set_state")) {
        EXPECT(w, bi_sim_set_state(NULL, x, x, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_set_state(raw, x, x, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_set_state(run, bad, NULL, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_sim_set_state(run, NULL, bad, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_sim_failure(run)[0] != '\0');
        EXPECT(w, bi_sim_set_state(run, NULL, NULL, NULL) == BI_OK); // where it is
    }
    if (misuse_of(w, "bi_sim_set_poses")) {
        EXPECT(w, bi_sim_set_poses(NULL, here, NULL, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_set_poses(raw, here, NULL, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_set_poses(run, NULL, NULL, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_sim_set_poses(run, lost, NULL, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_sim_set_poses(run, here, rate, NULL) == BI_BAD_ARGUMENT && is_same());
    }
}

static void misuse_carrying(misuse *w)
{
    if (misuse_of(w, "bi_system_is_alike")) {
        EXPECT(w, !bi_system_is_alike(NULL, sys) && !bi_system_is_alike(sys, NULL));
        EXPECT(w, bi_system_is_alike(sys, sys));
    }
    if (misuse_of(w, "bi_sim_carry")) {
        EXPECT(w, bi_sim_carry(NULL, run, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_carry(run, NULL, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_sim_carry(run, raw, NULL) == BI_NOT_STARTED && is_same());
        EXPECT(w, bi_sim_carry(raw, run, NULL) == BI_NOT_STARTED);
    }
}

static void misuse_equations(misuse *w)
{
    double x[256] = { 0 };
    bi_equations e;
    if (misuse_of(w, "bi_sim_equations")) {
        EXPECT(w,
               bi_sim_equations(NULL, &e) == BI_BAD_ARGUMENT && bi_sim_equations(raw, &e) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_equations(run, NULL) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_sim_mass_matrix")) {
        EXPECT(w, bi_sim_mass_matrix(NULL, x) == BI_BAD_ARGUMENT &&
                      bi_sim_mass_matrix(raw, x) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_mass_matrix(run, NULL) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_sim_gradient")) {
        EXPECT(w, bi_sim_gradient(NULL, x) == BI_BAD_ARGUMENT && bi_sim_gradient(raw, x) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_gradient(run, NULL) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_sim_forces")) {
        EXPECT(w, bi_sim_forces(NULL, x) == BI_BAD_ARGUMENT && bi_sim_forces(raw, x) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_forces(run, NULL) == BI_BAD_ARGUMENT && is_same());
    }
}

static void misuse_dynamics(misuse *w)
{
    double x[256] = { 0 }, bad[256] = { NAN };
    if (misuse_of(w, "bi_forward_dynamics")) {
        EXPECT(w, bi_forward_dynamics(NULL, x, x, x) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_forward_dynamics(raw, NULL, x, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_forward_dynamics(run, bad, x, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_forward_dynamics(run, NULL, NULL, NULL) == BI_OK && is_same());
    }
    if (misuse_of(w, "bi_inverse_dynamics")) {
        EXPECT(w, bi_inverse_dynamics(NULL, x, x) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_inverse_dynamics(raw, x, x) == BI_NOT_STARTED);
        EXPECT(w, bi_inverse_dynamics(run, NULL, x) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_inverse_dynamics(run, x, NULL) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_inverse_dynamics(run, bad, x) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_point_jacobian")) {
        bi_point good = { { 2 }, { 0, 0, 0 } }, none = { { 9 }, { 0, 0, 0 } }, off = { { 2 }, { NAN, 0, 0 } };
        EXPECT(w, bi_point_jacobian(NULL, good, x) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_point_jacobian(raw, good, x) == BI_NOT_STARTED);
        EXPECT(w, bi_point_jacobian(run, good, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_point_jacobian(run, none, x) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, strstr(bi_sim_failure(run), "no such point") != NULL);
        EXPECT(w, bi_point_jacobian(run, off, x) == BI_BAD_ARGUMENT && is_same());
    }
}

static void nobody(void *data, double t, const bi_touch *touch, bi_vec3 force)
{
    (void)data;
    (void)t;
    (void)touch;
    (void)force;
}

static void misuse_more(misuse *w)
{
    double x[4096] = { 0 };
    if (misuse_of(w, "bi_sim_touches")) {
        EXPECT(w, bi_sim_touches(NULL, nobody, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_sim_touches(raw, nobody, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_touches(run, NULL, NULL) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_state_count")) {
        EXPECT(w, bi_state_count(NULL) == 0);
    }
    if (misuse_of(w, "bi_sim_state")) {
        EXPECT(w, bi_sim_state(NULL, x) == BI_BAD_ARGUMENT && bi_sim_state(raw, x) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_state(run, NULL) == BI_BAD_ARGUMENT && is_same());
    }
    char name[64];
    const char *why = NULL;
    if (misuse_of(w, "bi_system_is_ode")) {
        EXPECT(w, !bi_system_is_ode(NULL, &why) && why && !bi_system_is_ode(NULL, NULL));
    }
    if (misuse_of(w, "bi_state_name")) {
        EXPECT(w, !bi_state_name(NULL, 0, name, sizeof name) && !bi_state_name(sys, -1, name, sizeof name));
        EXPECT(w, !bi_state_name(sys, 0, NULL, 9) && !bi_state_name(sys, 9999, name, sizeof name));
        EXPECT(w, bi_state_name(sys, 0, name, 1) == name && name[0] == '\0');
    }
    if (misuse_of(w, "bi_sim_put")) {
        EXPECT(w, bi_sim_put(NULL, 0.0, x) == BI_BAD_ARGUMENT && bi_sim_put(raw, 0.0, x) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_put(run, NAN, x) != BI_OK && is_same());
    }
    if (misuse_of(w, "bi_sim_rates")) {
        EXPECT(w, bi_sim_rates(NULL, x) == BI_BAD_ARGUMENT && bi_sim_rates(raw, x) == BI_NOT_STARTED);
        EXPECT(w, bi_sim_rates(run, NULL) == BI_BAD_ARGUMENT && is_same());
    }
    if (misuse_of(w, "bi_step_gradient")) {
        EXPECT(w, bi_step_gradient(NULL, 0.0, x, x) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_step_gradient(raw, 0.0, x, x) == BI_NOT_STARTED);
        EXPECT(w, bi_step_gradient(run, NAN, x, x) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_step_gradient(run, -1.0, x, x) == BI_BAD_ARGUMENT && is_same());
        EXPECT(w, bi_step_gradient(run, 0.0, NULL, NULL) == BI_OK && is_same());
    }
}

static void misuse_turns(misuse *w)
{
    bi_turn_def def = { .speed = 1.0 }, slow = { .speed = 0.0 }, many = { .speed = 1.0, .n_input = 3 };
    bi_turn turn;
    bi_turn_modes modes;
    if (misuse_of(w, "bi_steady_turn")) {
        EXPECT(w, bi_steady_turn(NULL, &def, &turn, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_steady_turn(raw, &def, &turn, NULL) == BI_NOT_STARTED);
        EXPECT(w, bi_steady_turn(run, NULL, &turn, NULL) == BI_BAD_ARGUMENT &&
                      bi_steady_turn(run, &slow, NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_steady_turn(run, &many, NULL, NULL) == BI_BAD_ARGUMENT);
        def.lateral = NAN;
        EXPECT(w, bi_steady_turn(run, &def, NULL, NULL) == BI_BAD_ARGUMENT);
        def.lateral = 0.0;
        EXPECT(w, bi_steady_turn(run, &def, NULL, NULL) != BI_OK && is_same());
    }
    if (misuse_of(w, "bi_turn_linearize")) {
        EXPECT(w, bi_turn_linearize(NULL, &def, &modes, NULL) == BI_BAD_ARGUMENT && modes.n == 0);
        EXPECT(w, bi_turn_linearize(run, &def, NULL, NULL) == BI_BAD_ARGUMENT &&
                      bi_turn_linearize(run, NULL, &modes, NULL) == BI_BAD_ARGUMENT);
        EXPECT(w, bi_turn_linearize(raw, &def, &modes, NULL) == BI_NOT_STARTED && modes.A == NULL);
    }
    if (misuse_of(w, "bi_turn_modes_clear")) {
        bi_turn_modes none = { 0 };
        bi_turn_modes_clear(NULL);
        bi_turn_modes_clear(&none);
    }
}

static void misuse_state(misuse *w)
{
    hash_before = bi_sim_hash(run);
    misuse_rows(w);
    misuse_setting(w);
    misuse_carrying(w);
    misuse_equations(w);
    misuse_dynamics(w);
    misuse_more(w);
    misuse_turns(w);
}

static void test_misused_state_answers_and_stays_as_it_is(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        sys = make(c ? BI_JOINT : BI_NATURAL);
        run = bi_sim_create(sys);
        raw = bi_sim_create(sys);
        assert_true(run && raw && bi_sim_start(run, NULL) == BI_OK && bi_sim_step(run) == BI_OK);
        misuse_all(misuse_state);
        bi_sim_destroy(run);
        bi_sim_destroy(raw);
        bi_system_destroy(sys);
        bi_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_misused_state_answers_and_stays_as_it_is) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
