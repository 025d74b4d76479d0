// SPDX-License-Identifier: MIT
// The view into a model, against counts of theory and closed forms.
#include "support/run_model.h"
#include <biela/inside.h>

static run_model open_model(const char *name, bi_coordinates coordinates)
{
    return run_open(&(run_case){ .model = name, .coordinates = coordinates });
}

static const bi_inside_entity *entity(const bi_inside *in, const char *name)
{
    for (int k = 0; k < in->n_entity; k++) {
        if (strcmp(in->entity[k].name, name) == 0) {
            return &in->entity[k];
        }
    }
    fail_msg("no point or vector %s", name);
    return NULL;
}

static const bi_inside_joint *joint(const bi_inside *in, const char *name)
{
    for (int k = 0; k < in->n_joint; k++) {
        if (strcmp(in->joint[k].name, name) == 0) {
            return &in->joint[k];
        }
    }
    fail_msg("no joint %s", name);
    return NULL;
}

// Every variable is a component of one point or vector, or a coordinate of one joint.
static void counts_agree(const char *model, bi_coordinates coordinates)
{
    run_model run = open_model(model, coordinates);
    bi_inside *in = bi_sim_inside(run.sim);
    assert_non_null(in);
    int count = 0;
    for (int k = 0; k < in->n_entity; k++) {
        count += in->entity[k].role == BI_ENTITY_VARIABLE ? 3 : 0;
        assert_int_equal(in->entity[k].role == BI_ENTITY_VARIABLE, in->entity[k].variable >= 0);
    }
    for (int k = 0; k < in->n_joint; k++) {
        count += in->joint[k].variables;
    }
    assert_int_equal(count, bi_variable_count(run.system));
    bi_inside_destroy(in);
    run_close(&run);
}

static void test_every_variable_is_shown_once(void **state)
{
    (void)state;
    static const char *const models[] = { "slider-crank", "four-bars", "bicycle", "bricard", "gears" };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        counts_agree(models[k], BI_NATURAL);
    }
    counts_agree("slider-crank", BI_JOINT);
    counts_agree("four-bars", BI_JOINT);
}

// N windows of a four-bar chain: three rows too many each (6 (2N + 1) - 5 (3N + 1) = 1 - 3N, and one moves).
static void redundancy_is(bi_coordinates coordinates)
{
    run_model run = open_model("four-bars", coordinates);
    bi_info info;
    bi_report notes = { 0 };
    assert_int_equal(bi_sim_info(run.sim, &info, &notes), BI_OK);
    bi_inside *in = bi_sim_inside(run.sim);
    int windows = (in->n_joint - 1) / 3, sum = 0, shared = 0;
    for (int k = 0; k < in->n_joint; k++) {
        sum += in->joint[k].redundant;
        shared += in->joint[k].is_shared;
        assert_string_equal(in->joint[k].kind, "revolute");
    }
    assert_int_equal(sum, 3 * windows);
    assert_int_equal(in->redundant, info.redundant);
    assert_true(shared > 0);
    bi_inside_destroy(in);
    bi_report_clear(&notes);
    run_close(&run);
}

static void test_redundant_rows_of_joints_add_up_to_theory(void **state)
{
    (void)state;
    redundancy_is(BI_NATURAL);
    redundancy_is(BI_JOINT);
}

static void test_a_mechanism_without_loops_has_nothing_redundant(void **state)
{
    (void)state;
    run_model run = open_model("pendulum", BI_NATURAL);
    bi_inside *in = bi_sim_inside(run.sim);
    for (int k = 0; k < in->n_joint; k++) {
        assert_int_equal(in->joint[k].redundant, 0);
        assert_false(in->joint[k].is_shared);
    }
    bi_inside_destroy(in);
    run_close(&run);
}

// The pin between crank and rod is one point of both; the pin on the ground never moves.
static void test_a_pin_is_one_point_of_two_bodies(void **state)
{
    (void)state;
    run_model run = open_model("slider-crank", BI_NATURAL);
    bi_inside *in = bi_sim_inside(run.sim);
    const bi_inside_entity *pin = entity(in, "crank.point1"), *base = entity(in, "A");
    assert_int_equal(pin->n_body, 2);
    assert_int_equal(pin->role, BI_ENTITY_VARIABLE);
    assert_int_equal(base->role, BI_ENTITY_CONSTANT);
    assert_true(base->n_body >= 2);
    assert_int_equal(joint(in, "A")->has_axis, true);
    bi_inside_destroy(in);
    run_close(&run);
}

// In joint coordinates q holds no points: what is left are the model's own names.
static void test_joint_coordinates_hold_no_points(void **state)
{
    (void)state;
    run_model run = open_model("forklift", BI_JOINT);
    bi_inside *in = bi_sim_inside(run.sim);
    assert_true(in->n_entity > 0);
    for (int k = 0; k < in->n_entity; k++) {
        assert_int_equal(in->entity[k].role, BI_ENTITY_NAMED);
    }
    assert_true(in->n_touch > 0);
    bi_inside_destroy(in);
    run_close(&run);
}

// A turned homogeneous ellipsoid of half axes 0.3, 0.2, 0.1 m: I = m/5 (b2 + c2, ...); turned by 30 degrees about z.
static void test_the_ellipsoid_of_an_ellipsoid_is_itself(void **state)
{
    (void)state;
    const double m = 7.0, a = 0.3, b = 0.2, c = 0.1, turn = run_pi / 6.0, s = sin(turn), k = cos(turn);
    double x = m / 5.0 * (b * b + c * c), y = m / 5.0 * (a * a + c * c), z = m / 5.0 * (a * a + b * b);
    bi_model *model = bi_model_create("ellipsoid");
    bi_body body =
        bi_add_body(model, &(bi_body_def){ .name = "stone",
                                           .mass = m,
                                           .com = { 0.5, 0, 0 },
                                           .inertia = { x * k * k + y * s * s, x * s * s + y * k * k, z,
                                                        (x - y) * s * k, 0, 0 } });
    bi_add_joint(model, &(bi_joint_def){ .name = "free", .kind = BI_FREE, .a = BI_GROUND, .b = body });
    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-2 }, NULL);
    bi_sim *sim = bi_sim_create(system);
    assert_null(bi_sim_inside(sim)); // not started
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    bi_inside *in = bi_sim_inside(sim);
    assert_int_equal(in->n_mass, 1);
    const bi_inside_mass *mass = &in->mass[0];
    // principal moments ascend: the longest axis comes first
    assert_true(fabs(mass->half_axes.x - a) < 1e-12 && fabs(mass->half_axes.y - b) < 1e-12 &&
                fabs(mass->half_axes.z - c) < 1e-12);
    assert_true(fabs(mass->ellipsoid.pos.x - 0.5) < 1e-15 && mass->mass == m);
    // its first axis, 30 degrees from x, either way round: 1 - 2 (y2 + z2) of the quaternion
    bi_quat q = mass->ellipsoid.rot;
    assert_true(fabs(fabs(1.0 - 2.0 * (q.y * q.y + q.z * q.z)) - k) < 1e-12);
    bi_inside_destroy(in);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
}

// Looking changes nothing: the run goes on with the same bits.
static void test_looking_leaves_the_run_alone(void **state)
{
    (void)state;
    run_model one = open_model("slider-crank", BI_NATURAL), other = open_model("slider-crank", BI_NATURAL);
    for (int k = 0; k < 20; k++) {
        assert_int_equal(bi_sim_step(one.sim), BI_OK);
        assert_int_equal(bi_sim_step(other.sim), BI_OK);
        bi_inside_destroy(bi_sim_inside(other.sim));
    }
    assert_true(bi_sim_hash(one.sim) == bi_sim_hash(other.sim));
    run_close(&one);
    run_close(&other);
}

// A spring between the masses of two pendulums; of a bicycle its tyres, at the centres of the wheels.
static void test_forces_without_a_joint_are_shown_where_they_act(void **state)
{
    (void)state;
    run_model run = open_model("coupled-pendulums", BI_JOINT);
    bi_inside *in = bi_sim_inside(run.sim);
    assert_int_equal(in->n_force, 1);
    assert_string_equal(in->force[0].kind, "spring");
    assert_true(in->force[0].has_two && in->force[0].a.body.i == 2 && in->force[0].b.body.i == 3);
    assert_true(in->force[0].a.at.y == -3.0 && in->force[0].b.at.y == -3.0);
    bi_inside_destroy(in);
    run_close(&run);

    run = open_model("bicycle", BI_NATURAL);
    in = bi_sim_inside(run.sim);
    int tyres = 0;
    for (int k = 0; k < in->n_force; k++) {
        if (strcmp(in->force[k].kind, "tyre-lean") == 0) {
            assert_string_equal(bi_model_body_name(run.model, in->force[k].a.body), in->force[k].name);
            assert_false(in->force[k].has_two);
            tyres++;
        }
    }
    assert_int_equal(tyres, 2);
    bi_inside_destroy(in);
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_variable_is_shown_once),
        cmocka_unit_test(test_redundant_rows_of_joints_add_up_to_theory),
        cmocka_unit_test(test_a_mechanism_without_loops_has_nothing_redundant),
        cmocka_unit_test(test_a_pin_is_one_point_of_two_bodies),
        cmocka_unit_test(test_joint_coordinates_hold_no_points),
        cmocka_unit_test(test_the_ellipsoid_of_an_ellipsoid_is_itself),
        cmocka_unit_test(test_looking_leaves_the_run_alone),
        cmocka_unit_test(test_forces_without_a_joint_are_shown_where_they_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
