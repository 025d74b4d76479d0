// SPDX-License-Identifier: MIT
// State and equations in the open: a double pendulum against its closed form, the other formulation, the equations at states
// of runs, and what cannot be set.
#include "support/run_model.h"
#include <biela/names.h>
#include <biela/state.h>
#include <stdlib.h>

static void is_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g instead of %.17g, tolerance %g", value, expected, tolerance);
    }
}

// ---- a double pendulum of two rods of 1 m, in the plane x y ----------------------------------------------------------

static const double mass = 2.0, length = 1.0, gravity = 9.81;
static bi_body upper, lower;

static bi_model *pendulum(void)
{
    bi_model *m = bi_model_create("double pendulum");
    bi_model_gravity(m, (bi_vec3){ 0.0, -gravity, 0.0 });
    double turning = mass * length * length / 12.0;
    bi_body_def def = {
        .name = "upper", .mass = mass, .com = { 0.5, 0, 0 }, .inertia = { 0.01, turning, turning }
    };
    upper = bi_add_body(m, &def);
    def.name = "lower";
    def.pose.pos = (bi_vec3){ length, 0, 0 };
    lower = bi_add_body(m, &def);
    bi_vec3 z = { 0, 0, 1 };
    bi_add_joint(m,
                 &(bi_joint_def){ .name = "A", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = upper, .axis = z });
    bi_add_joint(
        m, &(bi_joint_def){
               .name = "B", .kind = BI_REVOLUTE, .a = upper, .b = lower, .at = { 1, 0, 0 }, .axis = z });
    return m;
}

typedef struct {
    bi_system *system;
    bi_sim *sim;
} running;

static running start(bi_coordinates coordinates)
{
    bi_report report = { 0 };
    bi_model *m = pendulum();
    running r = { .system = bi_compile(m, &(bi_options){ .coordinates = coordinates }, &report) };
    run_require(r.system != NULL, &report, "compiles");
    r.sim = bi_sim_create(r.system);
    run_require(bi_sim_start(r.sim, &report) == BI_OK, &report, "starts");
    bi_model_destroy(m);
    bi_report_clear(&report);
    return r;
}

static void end(running *r)
{
    bi_sim_destroy(r->sim);
    bi_system_destroy(r->system);
}

// Mass matrix and forces by relative angles.
typedef struct {
    double M[4], Q[2];
} closed;

static closed closed_form(const double *q, const double *v)
{
    double half = 0.5 * length, turning = mass * length * length / 12.0;
    double c = mass * length * half * cos(q[1]), h = mass * length * half * sin(q[1]);
    double own = turning + mass * half * half, both = own + c;
    double hang = gravity * mass * half * cos(q[0] + q[1]);
    return (
        closed){ .M = { 2.0 * own + mass * length * length + 2.0 * c, both, both, own },
                 .Q = { h * v[1] * (2.0 * v[0] + v[1]) - gravity * mass * (half + length) * cos(q[0]) - hang,
                        -h * v[0] * v[0] - hang } };
}

static const double q_there[2] = { 0.3, 0.8 }, v_there[2] = { 1.5, -0.7 };

static void test_mass_and_forces_are_those_of_the_closed_form(void **state)
{
    (void)state;
    running r = start(BI_JOINT);
    double M[4], Q[2], a[2], force[2];
    assert_int_equal(bi_variable_count(r.system), 2);
    assert_int_equal(bi_sim_set_state(r.sim, q_there, v_there, NULL), BI_OK);
    closed c = closed_form(q_there, v_there);
    assert_int_equal(bi_sim_mass_matrix(r.sim, M), BI_OK);
    assert_int_equal(bi_sim_forces(r.sim, Q), BI_OK);
    // a few roundings of numbers up to 50
    for (int k = 0; k < 4; k++) {
        is_near(M[k], c.M[k], 1e-13);
    }
    for (int k = 0; k < 2; k++) {
        is_near(Q[k], c.Q[k], 1e-13 * 50.0);
    }
    // a by Cramer's rule, with a moment on the second hinge besides
    double det = c.M[0] * c.M[3] - c.M[1] * c.M[2], moment[2] = { 0.0, 3.0 };
    double b[2] = { c.Q[0], c.Q[1] + moment[1] };
    assert_int_equal(bi_forward_dynamics(r.sim, moment, a, NULL), BI_OK);
    is_near(a[0], (c.M[3] * b[0] - c.M[1] * b[1]) / det, 1e-11);
    is_near(a[1], (c.M[0] * b[1] - c.M[2] * b[0]) / det, 1e-11);
    assert_int_equal(bi_inverse_dynamics(r.sim, a, force), BI_OK);
    is_near(force[0], 0.0, 1e-11);
    is_near(force[1], 3.0, 1e-11);
    end(&r);
}

static void test_state_that_is_set_is_where_the_run_goes_on(void **state)
{
    (void)state;
    running r = start(BI_JOINT), other = start(BI_JOINT);
    for (int k = 0; k < 50; k++) {
        assert_int_equal(bi_sim_step(r.sim), BI_OK);
    }
    double t = bi_sim_view(r.sim).t;
    assert_int_equal(bi_sim_set_state(r.sim, q_there, v_there, NULL), BI_OK);
    assert_int_equal(bi_sim_set_state(other.sim, q_there, v_there, NULL), BI_OK);
    assert_true(bi_sim_view(r.sim).t == t && bi_sim_view(r.sim).q[1] == q_there[1]);
    for (int k = 0; k < 200; k++) {
        assert_int_equal(bi_sim_step(r.sim), BI_OK);
        assert_int_equal(bi_sim_step(other.sim), BI_OK);
    }
    // nothing of before is left; times differ, and with them the last bits of the steps
    for (int k = 0; k < 2; k++) {
        is_near(bi_sim_view(r.sim).q[k], bi_sim_view(other.sim).q[k], 1e-12);
    }
    end(&r);
    end(&other);
}

// The state where it stands, set again, is the same: flexible bodies go on vibrating, signals and laws stay as they are.
static void test_same_state_set_again_changes_nothing(void **state)
{
    (void)state;
    static const char *const models[] = { "flex-bar", "flex-four-bar", "flex-slider-crank", "walking",
                                          "forklift" };
    for (int k = 0; k < 10; k++) {
        run_model run =
            run_open(&(run_case){ .model = models[k / 2], .coordinates = k % 2 ? BI_JOINT : BI_NATURAL });
        for (int i = 0; i < 20; i++) {
            run_step(&run);
        }
        int n = bi_variable_count(run.system);
        double *q = malloc((size_t)(2 * n) * sizeof *q), *v = q + n, fastest = 1.0;
        memcpy(q, bi_sim_view(run.sim).q, (size_t)n * sizeof *q);
        memcpy(v, bi_sim_view(run.sim).v, (size_t)n * sizeof *v);
        assert_int_equal(bi_sim_set_state(run.sim, q, v, NULL), BI_OK);
        for (int i = 0; i < n; i++) {
            fastest = fmax(fastest, fabs(v[i]));
        }
        // what a step leaves open of constraints is closed: positions 1e-10, velocities 1e-6 of the fastest
        for (int i = 0; i < n; i++) {
            is_near(bi_sim_view(run.sim).q[i], q[i], 1e-10);
            is_near(bi_sim_view(run.sim).v[i], v[i], 1e-6 * fastest);
        }
        assert_int_equal(bi_sim_step(run.sim), BI_OK);
        free(q);
        run_close(&run);
    }
}

// ---- the other formulation ---------------------------------------------------------------------------------------------

static double kinetic(bi_sim *sim, int n)
{
    double *M = malloc((size_t)(n * n) * sizeof *M), sum = 0.0;
    assert_int_equal(bi_sim_mass_matrix(sim, M), BI_OK);
    const double *v = bi_sim_view(sim).v;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += 0.5 * v[i] * M[i * n + j] * v[j];
        }
    }
    free(M);
    return sum;
}

static void velocity_by_jacobian(bi_sim *sim, int n, bi_point p, double out[6])
{
    double *J = malloc((size_t)(6 * n) * sizeof *J);
    assert_int_equal(bi_point_jacobian(sim, p, J), BI_OK);
    const double *v = bi_sim_view(sim).v;
    for (int r = 0; r < 6; r++) {
        out[r] = 0.0;
        for (int i = 0; i < n; i++) {
            out[r] += J[r * n + i] * v[i];
        }
    }
    free(J);
}

static void test_poses_put_both_formulations_at_the_same_state(void **state)
{
    (void)state;
    running joint = start(BI_JOINT), natural = start(BI_NATURAL);
    assert_int_equal(bi_sim_set_state(joint.sim, q_there, v_there, NULL), BI_OK);
    bi_view there = bi_sim_view(joint.sim);
    assert_int_equal(bi_sim_set_poses(natural.sim, there.pose, there.twist, NULL), BI_OK);
    int n = bi_variable_count(natural.system);
    is_near(kinetic(natural.sim, n), kinetic(joint.sim, 2), 1e-12);

    // the tip, by hand: x = cos a + cos(a + b)
    bi_point tip = { lower, { 1, 0, 0 } };
    double by_joints[6], by_points[6], w = v_there[0] + v_there[1], angle = q_there[0] + q_there[1];
    velocity_by_jacobian(joint.sim, 2, tip, by_joints);
    velocity_by_jacobian(natural.sim, n, tip, by_points);
    is_near(by_joints[0], -sin(q_there[0]) * v_there[0] - sin(angle) * w, 1e-13);
    is_near(by_joints[1], cos(q_there[0]) * v_there[0] + cos(angle) * w, 1e-13);
    is_near(by_joints[5], w, 1e-13);
    for (int k = 0; k < 6; k++) {
        is_near(by_points[k], by_joints[k], 1e-11);
    }

    // and back: the joint coordinates that these poses are
    assert_int_equal(bi_sim_start(joint.sim, NULL), BI_OK);
    there = bi_sim_view(natural.sim);
    assert_int_equal(bi_sim_set_poses(joint.sim, there.pose, there.twist, NULL), BI_OK);
    for (int k = 0; k < 2; k++) {
        is_near(bi_sim_view(joint.sim).q[k], q_there[k], 1e-11);
        is_near(bi_sim_view(joint.sim).v[k], v_there[k], 1e-11);
    }
    end(&joint);
    end(&natural);
}

static void test_state_off_the_constraints_is_put_onto_them(void **state)
{
    (void)state;
    running r = start(BI_NATURAL);
    int n = bi_variable_count(r.system);
    double *q = malloc((size_t)n * sizeof *q);
    memcpy(q, bi_sim_view(r.sim).q, (size_t)n * sizeof *q);
    for (int k = 0; k < n; k++) {
        q[k] += 0.01 * sin(1.0 + k);
    }
    assert_int_equal(bi_sim_set_state(r.sim, q, NULL, NULL), BI_OK);
    bi_statistics s = bi_sim_statistics(r.sim);
    assert_true(s.violation <= 1e-12 && s.violation_rate <= 1e-12);
    double moved = 0.0;
    for (int k = 0; k < n; k++) {
        moved = fmax(moved, fabs(bi_sim_view(r.sim).q[k] - q[k]));
    }
    assert_true(moved > 1e-6 && moved < 0.05); // it was off, and the nearest position is near
    free(q);
    end(&r);
}

// ---- equations at states of runs ------------------------------------------------------------------------------------------

// M a + G^T lambda = Q + force, G a + gamma = 0, against the largest force.
static void equations_hold(const char *model, bi_coordinates coordinates, double with)
{
    run_model run = run_open(&(run_case){ .model = model, .coordinates = coordinates });
    for (int k = 0; k < 60; k++) {
        run_step(&run);
    }
    uint64_t before = bi_sim_hash(run.sim);
    int n = bi_variable_count(run.system), m = bi_row_count(run.system);
    double *a = calloc((size_t)(3 * n + m + 1), sizeof *a), *left = a + n, *force = left + n,
           *lambda = force + n;
    for (int k = 0; k < n; k++) {
        force[k] = with * cos(k);
    }
    assert_int_equal(bi_forward_dynamics(run.sim, force, a, lambda), BI_OK);
    assert_int_equal(bi_inverse_dynamics(run.sim, a, left), BI_OK); // M a - Q
    bi_equations e;
    assert_int_equal(bi_sim_equations(run.sim, &e), BI_OK);
    double scale = 1.0, open = 0.0, fastest = 1.0;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(e.Q[i]));
        fastest = fmax(fastest, fabs(a[i]));
    }
    for (int r = 0; r < m; r++) {
        double second = e.gamma[r];
        for (int k = e.g_start[r]; k < e.g_start[r + 1]; k++) {
            left[e.g_column[k]] += e.g[k] * lambda[r];
            second += e.g[k] * a[e.g_column[k]];
            scale = fmax(scale, fabs(e.g[k] * lambda[r]));
        }
        open = fmax(open, fabs(second));
    }
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(left[i] - force[i]));
    }
    printf("measured equations %s %s error=%.1e rows=%.1e\n", model, bi_coordinates_name(coordinates),
           worst / scale, open / fastest);
    // what is left of the iterations of a factor with penalties (initial.5)
    assert_true(worst <= 1e-9 * scale);
    assert_true(open <= 1e-8 * fastest);
    assert_true(bi_sim_hash(run.sim) == before);
    free(a);
    run_close(&run);
}

static void test_equations_hold_at_states_of_runs(void **state)
{
    (void)state;
    static const char *const models[] = { "four-bars",    "bricard",  "slider-crank",
                                          "rolling-disc", "governor", "clio" };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        for (int c = 0; c < 2; c++) {
            equations_hold(models[k], c ? BI_JOINT : BI_NATURAL, 0.0);
            equations_hold(models[k], c ? BI_JOINT : BI_NATURAL, 10.0);
        }
    }
}

// Without further forces: the accelerations and reactions that channels tell, and no bit of the run changes.
static void test_asking_does_not_change_a_run(void **state)
{
    (void)state;
    run_model one = run_open(&(run_case){ .model = "clio" }),
              other = run_open(&(run_case){ .model = "clio" });
    int n = bi_variable_count(one.system);
    double *M = malloc((size_t)(n * n) * sizeof *M);
    double *G = malloc((size_t)(n * bi_row_count(one.system) + 1) * sizeof *G);
    for (int k = 0; k < 40; k++) {
        run_step(&one);
        run_step(&other);
        assert_int_equal(bi_sim_mass_matrix(one.sim, M), BI_OK);
        assert_int_equal(bi_sim_gradient(one.sim, G), BI_OK);
        assert_int_equal(bi_forward_dynamics(one.sim, NULL, M, NULL), BI_OK);
        assert_int_equal(bi_point_jacobian(one.sim, (bi_point){ { 2 }, { 0, 0, 0 } }, M), BI_OK);
        assert_true(bi_sim_hash(one.sim) == bi_sim_hash(other.sim));
    }
    free(M);
    free(G);
    run_close(&one);
    run_close(&other);
}

// ---- what makes no sense ------------------------------------------------------------------------------------------------------

// A position that no joint allows leaves the sim where it was, to the bit, and says why.
static void test_position_that_cannot_be_leaves_the_sim_where_it_was(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "slider-crank" });
    for (int k = 0; k < 20; k++) {
        run_step(&run);
    }
    uint64_t before = bi_sim_hash(run.sim);
    int n = bi_variable_count(run.system);
    double *q = calloc((size_t)n, sizeof *q);
    bi_report report = { 0 };
    // all points at the origin: rods have no length there, and no direction to grow
    assert_int_equal(bi_sim_set_state(run.sim, q, NULL, &report), BI_CANNOT_ASSEMBLE);
    assert_true(report.errors > 0 && strstr(bi_sim_failure(run.sim), "cannot be set") != NULL);
    assert_true(bi_sim_hash(run.sim) == before);
    assert_int_equal(bi_sim_step(run.sim), BI_OK);
    bi_report_clear(&report);
    free(q);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_and_forces_are_those_of_the_closed_form),
        cmocka_unit_test(test_state_that_is_set_is_where_the_run_goes_on),
        cmocka_unit_test(test_same_state_set_again_changes_nothing),
        cmocka_unit_test(test_poses_put_both_formulations_at_the_same_state),
        cmocka_unit_test(test_state_off_the_constraints_is_put_onto_them),
        cmocka_unit_test(test_equations_hold_at_states_of_runs),
        cmocka_unit_test(test_asking_does_not_change_a_run),
        cmocka_unit_test(test_position_that_cannot_be_leaves_the_sim_where_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
