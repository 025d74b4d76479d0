// SPDX-License-Identifier: MIT
// Derivatives of a step with state and inputs against closed forms and whole runs; contacts asked for at any instant; Jacobians
// of nodes; poses set again and again.
#include "support/run_model.h"
#include <biela/flex.h>
#include <biela/state.h>
#include <stdlib.h>

static void is_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g instead of %.17g, tolerance %g", value, expected, tolerance);
    }
}

// ---- gradient of a step ----------------------------------------------------------------------------------------------

// A mass of 2 kg on a spring of 50 N/m and a damper of 3 N s/m, pushed by an input.
static run_model oscillator(bi_coordinates coordinates, bi_scheme scheme)
{
    bi_model *m = bi_model_create("oscillator");
    bi_model_gravity(m, (bi_vec3){ 0, 0, 0 });
    bi_add_input(m, "push", 0.0);
    bi_body cart =
        bi_add_body(m, &(bi_body_def){ .name = "cart", .mass = 2.0, .inertia = { 1.0, 1.0, 1.0 } });
    bi_joint slide = bi_add_joint(
        m, &(bi_joint_def){
               .name = "slide", .kind = BI_PRISMATIC, .a = BI_GROUND, .b = cart, .axis = { 1, 0, 0 } });
    bi_add_torque(
        m, &(bi_torque_def){ .name = "f",
                             .joint = slide,
                             .torque = bi_expression(m, "push - 50*slide.position - 3*slide.rate", NULL) });
    run_model run = { .model = m, .dt = 0.01, .coordinates = coordinates };
    run_compile(&run, scheme);
    return run;
}

// x' = J x + b u by the trapezoidal rule: (1 - h/2 J) x1 = (1 + h/2 J) x0 + h b u.
static void trapezoid(double h, double A[4], double B[2])
{
    double k = 50.0 / 2.0, c = 3.0 / 2.0, b = 1.0 / 2.0;
    double L[4] = { 1.0, -h / 2.0, h / 2.0 * k, 1.0 + h / 2.0 * c },
           R[4] = { 1.0, h / 2.0, -h / 2.0 * k, 1.0 - h / 2.0 * c };
    double det = L[0] * L[3] - L[1] * L[2];
    for (int j = 0; j < 2; j++) {
        A[j] = (L[3] * R[j] - L[1] * R[2 + j]) / det;
        A[2 + j] = (L[0] * R[2 + j] - L[2] * R[j]) / det;
    }
    B[0] = -L[1] * h * b / det;
    B[1] = L[0] * h * b / det;
}

static void test_gradient_of_a_linear_step_is_the_closed_form(void **state)
{
    (void)state;
    run_model run = oscillator(BI_JOINT, BI_ALI3P);
    double A[4], B[2], A_closed[4], B_closed[2];
    assert_int_equal(bi_state_count(run.system), 2);
    for (int k = 0; k < 20; k++) {
        run_step(&run);
    }
    assert_int_equal(bi_step_gradient(run.sim, 0.0, A, B), BI_OK);
    trapezoid(run.dt, A_closed, B_closed);
    // roundings of numbers of 1, over changes of 1e-6
    for (int k = 0; k < 4; k++) {
        is_near(A[k], A_closed[k], 1e-9 * fmax(1.0, fabs(A_closed[k])));
    }
    for (int k = 0; k < 2; k++) {
        is_near(B[k], B_closed[k], 1e-9);
    }
    run_close(&run);
}

// Whole runs from states that differ: what A and B say of the difference.
static void follows(const char *model, bi_coordinates coordinates, bi_scheme scheme, double limit)
{
    run_model run = run_open(&(run_case){ .model = model, .coordinates = coordinates, .scheme = scheme }),
              other = run_open(&(run_case){ .model = model, .coordinates = coordinates, .scheme = scheme });
    for (int k = 0; k < 30; k++) {
        run_step(&run);
        run_step(&other);
    }
    int n = bi_state_count(run.system), q = bi_variable_count(run.system);
    double *A = calloc((size_t)(n * n + 5 * n), sizeof *A), *x = A + n * n, *y = x + n, *at = y + n,
           *to = at + n, *v = to + n;
    uint64_t before = bi_sim_hash(run.sim);
    assert_int_equal(bi_step_gradient(run.sim, 0.0, A, NULL), BI_OK);
    assert_true(bi_sim_hash(run.sim) == before);
    // two states that constraints allow: velocities a little faster and slower
    double *states[2] = { x, y }, *ends[2] = { at, to };
    for (int side = 0; side < 2; side++) {
        bi_sim *sim = side == 0 ? run.sim : other.sim;
        bi_sim_state(sim, states[side]);
        for (int k = 0; k < q; k++) {
            v[k] = states[side][q + k] * (side == 0 ? 1.0 + 1e-5 : 1.0 - 1e-5);
        }
        assert_int_equal(bi_sim_set_state(sim, NULL, v, NULL), BI_OK);
        bi_sim_state(sim, states[side]);
        assert_int_equal(bi_sim_step(sim), BI_OK);
        bi_sim_state(sim, ends[side]);
    }
    double gap = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        double told = 0.0;
        for (int k = 0; k < n; k++) {
            told += A[i * n + k] * (x[k] - y[k]);
        }
        gap = fmax(gap, fabs(told - (at[i] - to[i])));
        size = fmax(size, fabs(at[i] - to[i]));
    }
    printf("measured gradient %s %d error=%.1e\n", model, (int)coordinates, gap / size);
    assert_true(size > 0.0 && gap <= limit * size);
    free(A);
    run_close(&run);
    run_close(&other);
}

static void test_gradient_tells_how_the_next_state_follows(void **state)
{
    (void)state;
    // the runs themselves are solved to 1e-3 of their first correction only
    for (int c = 0; c < 2; c++) {
        follows("double-pendulum", c ? BI_JOINT : BI_NATURAL, BI_ALI3P, 1e-4);
        follows("four-bars", c ? BI_JOINT : BI_NATURAL, BI_RK4, 1e-4);
        follows("four-bar-spring", c ? BI_JOINT : BI_NATURAL, BI_ALI3P, 1e-4);
    }
}

// ---- contacts ----------------------------------------------------------------------------------------------------------

typedef struct {
    int count;
    bi_vec3 force;
    double depth;
} heap;

static void add(void *data, double t, const bi_touch *touch, bi_vec3 force)
{
    heap *h = data;
    (void)t;
    assert_true(touch->a.i > 0 && touch->b.i > 0 && touch->contact.i > 0);
    h->count++;
    h->force = run_add(h->force, force);
    h->depth = fmax(h->depth, touch->depth);
}

// What lies weighs what the places hold; nobody has to observe.
static void test_contacts_are_told_at_any_instant(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        bi_model *m = bi_model_create("a box on the floor");
        bi_model_gravity(m, (bi_vec3){ 0, 0, -9.81 });
        bi_body box = bi_add_body(m, &(bi_body_def){ .name = "box",
                                                     .mass = 3,
                                                     .inertia = { 0.02, 0.02, 0.02 },
                                                     .pose = { .pos = { 0, 0, 0.11 } } });
        bi_shape floor =
            bi_add_shape(m, &(bi_shape_def){ .name = "floor", .type = BI_SHAPE_PLANE, .body = BI_GROUND });
        bi_shape skin = bi_add_shape(
            m,
            &(bi_shape_def){ .name = "skin", .type = BI_SHAPE_BOX, .body = box, .size = { 0.2, 0.2, 0.2 } });
        bi_add_contact(m, &(bi_contact_def){ .name = "lies",
                                             .a = { 1, &skin },
                                             .b = { 1, &floor },
                                             .stiffness = bi_expression(m, "1e5", NULL),
                                             .damping = bi_expression(m, "500", NULL),
                                             .friction = bi_expression(m, "0.5", NULL) });
        run_model run = { .model = m, .dt = 1e-3, .coordinates = c ? BI_JOINT : BI_NATURAL };
        run_compile(&run, BI_ALI3P);
        heap none = { 0 }, all = { 0 };
        assert_int_equal(bi_sim_touches(run.sim, add, &none), BI_OK);
        assert_int_equal(none.count, 0); // it is 1 cm above
        for (int k = 0; k < 3000; k++) {
            run_step(&run);
        }
        uint64_t before = bi_sim_hash(run.sim);
        assert_int_equal(bi_sim_touches(run.sim, add, &all), BI_OK);
        assert_true(bi_sim_hash(run.sim) == before);
        assert_int_equal(all.count, 4);
        // at rest: what is left of the bounce after 3 s of damping
        is_near(all.force.z, 3.0 * 9.81, 1e-6);
        is_near(all.force.x, 0.0, 1e-6);
        is_near(all.depth, 3.0 * 9.81 / 4e5, 1e-9);
        run_close(&run);
    }
}

// ---- nodes, poses ------------------------------------------------------------------------------------------------------

// A bar of ten beams on a hinge, as a model keeps it.
static bi_body bar_on_a_hinge(bi_model *m)
{
    enum { N = 10 };
    bi_fe_node node[N + 1] = { 0 };
    bi_fe_element element[N] = { 0 };
    bi_section section = bi_section_rectangle(0.01, 0.02);
    bi_material aluminium = { .name = "aluminium", .young = 70e9, .poisson = 0.33, .density = 2700.0 };
    const int32_t root = 0;
    const bi_flex_boundary tip = { .node = N, .is_point = true };
    for (int i = 0; i <= N; i++) {
        node[i].at.x = 1.0 * i / N;
    }
    for (int k = 0; k < N; k++) {
        element[k] = (bi_fe_element){ .kind = BI_FE_BEAM, .node = { k, k + 1 } };
    }
    bi_flex *flex = bi_flex_build(
        &(bi_flex_def){ .name = "bar",
                        .mesh = { N + 1, N, 1, 1, node, element, &section, &aluminium, .is_plane = true },
                        .n_frame = 1,
                        .frame = &root,
                        .n_boundary = 1,
                        .boundary = &tip,
                        .n_normal = 2,
                        .damping = 0.01 },
        NULL, NULL, NULL);
    assert_non_null(flex);
    bi_body bar = bi_add_body(m, &(bi_body_def){ .name = "bar", .flex = bi_flex_modes(flex) });
    bi_body_keep(m, bar, flex);
    bi_add_joint(m, &(bi_joint_def){ .name = "pivot", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = bar });
    bi_add_output(
        m, &(bi_output_def){ .name = "middle", .kind = BI_OUT_POINT, .body = bar, .at = { 0.5, 0, 0 } });
    return bar;
}

// J v of the middle node is what the channels of a point there tell, with all that its modes add.
static void test_jacobian_of_a_node_moves_with_the_modes(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        bi_model *m = bi_model_create("swing");
        bi_model_gravity(m, (bi_vec3){ 0.0, -9.81, 0.0 });
        bi_body bar = bar_on_a_hinge(m);
        run_model run = { .model = m, .dt = 1e-3, .coordinates = c ? BI_JOINT : BI_NATURAL };
        run_compile(&run, BI_ALI3P);
        for (int k = 0; k < 200; k++) {
            run_step(&run);
        }
        int n = bi_variable_count(run.system);
        double *J = malloc((size_t)(6 * n) * sizeof *J), told[6] = { 0 }, eta[8];
        assert_int_equal(bi_point_jacobian(run.sim, (bi_point){ bar, { 0.53, 0, 0 } }, J), BI_BAD_ARGUMENT);
        assert_int_equal(bi_point_jacobian(run.sim, (bi_point){ bar, { 0.5, 0, 0 } }, J), BI_OK);
        bi_view view = bi_sim_view(run.sim);
        for (int r = 0; r < 6; r++) {
            for (int i = 0; i < n; i++) {
                told[r] += J[r * n + i] * view.v[i];
            }
        }
        bool is_bent = false;
        int modes = bi_sim_modes(run.sim, bar, eta);
        for (int k = 0; k < modes; k++) {
            is_bent = is_bent || fabs(eta[k]) > 1e-6;
        }
        assert_true(is_bent);
        is_near(told[0], run_read(&run, "middle.vx"), 1e-11);
        is_near(told[1], run_read(&run, "middle.vy"), 1e-11);
        // not that of the rigid bar
        double w = view.twist[bar.i - 1].ang.z;
        bi_vec3 arm = run_turn(view.pose[bar.i - 1].rot, (bi_vec3){ 0.5, 0, 0 });
        assert_true(fabs(told[1] - w * arm.x) > 1e-5 && fabs(told[5] - w) > 1e-5);
        free(J);
        run_close(&run);
    }
}

// Again and again, to the same bits: what is kept from one time to the next leaves no trace.
static void test_poses_that_are_set_again_give_the_same_bits(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "slider-crank" });
    for (int k = 0; k < 20; k++) {
        run_step(&run);
    }
    bi_view view = bi_sim_view(run.sim);
    size_t n = (size_t)view.n_body;
    bi_pose *pose = malloc(n * sizeof *pose);
    bi_twist *twist = malloc(n * sizeof *twist);
    memcpy(pose, view.pose, n * sizeof *pose);
    memcpy(twist, view.twist, n * sizeof *twist);
    assert_int_equal(bi_sim_set_poses(run.sim, pose, twist, NULL), BI_OK);
    uint64_t first = bi_sim_hash(run.sim);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(bi_sim_set_poses(run.sim, pose, twist, NULL), BI_OK);
        assert_true(bi_sim_hash(run.sim) == first);
    }
    free(pose);
    free(twist);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient_of_a_linear_step_is_the_closed_form),
        cmocka_unit_test(test_gradient_tells_how_the_next_state_follows),
        cmocka_unit_test(test_contacts_are_told_at_any_instant),
        cmocka_unit_test(test_jacobian_of_a_node_moves_with_the_modes),
        cmocka_unit_test(test_poses_that_are_set_again_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
