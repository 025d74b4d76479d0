// SPDX-License-Identifier: MIT
// What no mechanism may change by itself: momentum, angular momentum and energy, here of floating bodies, alone and
// joined in pairs by every kind of joint, and of a top. All are computed from poses and twists, outside the library.
#include "support/run_model.h"

typedef struct {
    double mass;       // kg
    bi_vec3 com;       // m, body frame
    double inertia[6]; // xx yy zz xy yz zx, kg m2
} inert;

// Two bodies without symmetry, with mass centres off their frames.
static const inert first = { 2.0, { 0.1, -0.05, 0.2 }, { 0.3, 0.5, 0.4, 0.03, -0.02, 0.04 } };
static const inert second = { 1.3, { -0.15, 0.1, 0.05 }, { 0.15, 0.1, 0.2, -0.01, 0.02, 0.015 } };

typedef struct {
    bi_vec3 momentum, angular; // kg m/s; kg m2/s about the origin
    double kinetic;            // J
} invariants;

static bi_vec3 inertia_times(const double *i, bi_vec3 w)
{
    return (bi_vec3){ i[0] * w.x + i[3] * w.y + i[5] * w.z, i[3] * w.x + i[1] * w.y + i[4] * w.z,
                      i[5] * w.x + i[4] * w.y + i[2] * w.z };
}

static bi_quat conjugate(bi_quat q) { return (bi_quat){ q.w, -q.x, -q.y, -q.z }; }

static void add_body_invariants(const inert *body, bi_pose pose, bi_twist twist, invariants *sum)
{
    bi_vec3 arm = run_turn(pose.rot, body->com);
    bi_vec3 place = run_add(pose.pos, arm);
    bi_vec3 speed = run_add(twist.lin, run_cross(twist.ang, arm));
    bi_vec3 spin = run_turn(conjugate(pose.rot), twist.ang);
    bi_vec3 own = run_turn(pose.rot, inertia_times(body->inertia, spin));
    bi_vec3 p = run_scale(body->mass, speed);
    sum->momentum = run_add(sum->momentum, p);
    sum->angular = run_add(sum->angular, run_add(own, run_cross(place, p)));
    sum->kinetic += 0.5 * (run_dot(p, speed) + run_dot(own, twist.ang));
}

static invariants invariants_now(run_model *run, int n_body)
{
    invariants sum = { 0 };
    bi_view view = bi_sim_view(run->sim);
    add_body_invariants(&first, view.pose[1], view.twist[1], &sum);
    if (n_body > 1) {
        add_body_invariants(&second, view.pose[2], view.twist[2], &sum);
    }
    return sum;
}

// ---- models ---------------------------------------------------------------------------------------------------------

static bi_body add_inert(bi_model *model, const char *name, const inert *body, bi_pose pose, bi_twist twist)
{
    bi_body_def def = { .name = name, .mass = body->mass, .com = body->com, .pose = pose, .twist = twist };
    memcpy(def.inertia, body->inertia, sizeof def.inertia);
    return bi_add_body(model, &def);
}

// The whole pair moves as one rigid body; the joint's own motion comes on top for the second body.
static const bi_vec3 drift_speed = { 0.3, -0.2, 0.4 }, common_spin = { 0.8, 1.1, -0.6 };
static const bi_pose first_pose = { { 0.0, 0.1, 0.0 }, { 1.0, 0.0, 0.0, 0.0 } };
static const bi_pose second_pose = { { 0.7, -0.2, 0.3 }, { 0.8, 0.36, 0.0, 0.48 } };

static bi_twist common_twist(bi_pose pose)
{
    return (bi_twist){ run_add(drift_speed, run_cross(common_spin, pose.pos)), common_spin };
}

static bi_model *floating_body(void)
{
    bi_model *model = bi_model_create("floating body");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, 0.0 });
    bi_twist twist = { { 0.3, -0.2, 0.4 }, { 1.5, 2.0, -1.0 } };
    add_inert(model, "first", &first, first_pose, twist);
    return model;
}

// What a joint lets the second body do against the first at the start, in ground axes.
typedef struct {
    const char *name;
    bi_joint_kind kind;
    bi_vec3 speed, spin; // m/s, rad/s
} pair_case;

static const bi_vec3 joint_place = { 0.35, 0.0, 0.1 }, joint_far_place = { 0.6, -0.1, 0.2 };
static const bi_vec3 axis = { 0.6, 0.0, 0.8 }, cross_axis = { 0.0, 1.0, 0.0 };

static const pair_case pairs[] = {
    { "fixed", BI_FIXED, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } },
    { "revolute", BI_REVOLUTE, { 0.0, 0.0, 0.0 }, { 1.2, 0.0, 1.6 } },
    { "prismatic", BI_PRISMATIC, { 0.18, 0.0, 0.24 }, { 0.0, 0.0, 0.0 } },
    { "cylindrical", BI_CYLINDRICAL, { 0.18, 0.0, 0.24 }, { 0.9, 0.0, 1.2 } },
    { "universal", BI_UNIVERSAL, { 0.0, 0.0, 0.0 }, { 0.6, -0.7, 0.8 } },
    { "spherical", BI_SPHERICAL, { 0.0, 0.0, 0.0 }, { 1.0, -0.7, 0.4 } },
    { "distance", BI_DISTANCE, { 0.0, 0.0, 0.0 }, { 1.0, -0.7, 0.4 } },
    { "planar", BI_PLANAR, { 0.16, 0.25, -0.12 }, { 0.9, 0.0, 1.2 } },
    { "screw", BI_SCREW, { 0.036, 0.0, 0.048 }, { 0.9, 0.0, 1.2 } },
};

// A point of ground axes in the frame of a pose.
static bi_vec3 local_point(bi_pose pose, bi_vec3 at)
{
    return run_turn(conjugate(pose.rot), run_sub(at, pose.pos));
}

static bi_model *floating_pair(const pair_case *what)
{
    bi_model *model = bi_model_create(what->name);
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, 0.0 });
    bi_vec3 place_b = what->kind == BI_DISTANCE ? joint_far_place : joint_place;
    bi_twist twist = common_twist(second_pose);
    bi_vec3 arm = run_sub(second_pose.pos, place_b);
    twist.lin = run_add(twist.lin, run_add(what->speed, run_cross(what->spin, arm)));
    twist.ang = run_add(twist.ang, what->spin);
    bi_joint_def joint = {
        .name = what->name,
        .kind = what->kind,
        .a = add_inert(model, "first", &first, first_pose, common_twist(first_pose)),
        .b = add_inert(model, "second", &second, second_pose, twist),
        .at = joint_place,
        .axis = axis,
        .pitch = 0.06 / 1.5 * 6.283185307179586, // the speed and spin of the table
    };
    if (what->kind == BI_DISTANCE) {
        joint.local = BI_AT_A | BI_AT_B;
        joint.at_a = local_point(first_pose, joint_place);
        joint.at_b = local_point(second_pose, joint_far_place);
    }
    if (what->kind == BI_UNIVERSAL) {
        joint.local = BI_AXIS_A | BI_AXIS_B;
        joint.axis_a = run_turn(conjugate(first_pose.rot), axis);
        joint.axis_b = run_turn(conjugate(second_pose.rot), cross_axis);
    }
    bi_add_joint(model, &joint);
    return model;
}

// ---- drift over a run -----------------------------------------------------------------------------------------------

// Largest changes over the run, relative to the size of each invariant.
typedef struct {
    double momentum, angular, energy;
} drift;

static double larger(double a, double b) { return b <= a ? a : b; } // keeps what is not a number

static drift drift_of(bi_model *model, int n_body, bi_scheme scheme, double dt)
{
    run_model run = run_start(model, scheme, dt, 2.0);
    invariants start = invariants_now(&run, n_body);
    drift out = { 0 };
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        invariants now = invariants_now(&run, n_body);
        double momentum = run_norm(run_sub(now.momentum, start.momentum)) / run_norm(start.momentum);
        double angular = run_norm(run_sub(now.angular, start.angular)) / run_norm(start.angular);
        out.momentum = larger(out.momentum, momentum);
        out.angular = larger(out.angular, angular);
        out.energy = larger(out.energy, fabs(now.kinetic - start.kinetic) / start.kinetic);
        // the library's own sum agrees with ours
        assert_true(fabs(run_read(&run, "energy.kinetic") - now.kinetic) <= 1e-9 * start.kinetic);
    }
    run_close(&run);
    return out;
}

// Halving the step divides the drift by four at least; below the floor only rounding is left.
static void expect_falling(const char *name, const char *what, double coarse, double fine)
{
    const double floor = 1e-9;
    printf("measured invariants %s %s error=%.3e limit=1e-4 fine=%.3e\n", name, what, coarse, fine);
    if (!(coarse <= 1e-4)) {
        fail_msg("%s: the %s drifts by %.3e", name, what, coarse);
    }
    if (!(fine <= floor || coarse >= 3.4 * fine)) {
        fail_msg("%s: the drift of the %s falls from %.3e to %.3e only", name, what, coarse, fine);
    }
}

static void expect_conserved(const char *name, drift coarse, drift fine)
{
    // linear momentum is linear in the velocities: every step keeps it but for rounding
    if (!(coarse.momentum <= 1e-9)) {
        fail_msg("%s: the momentum drifts by %.3e", name, coarse.momentum);
    }
    expect_falling(name, "angular momentum", coarse.angular, fine.angular);
    expect_falling(name, "energy", coarse.energy, fine.energy);
}

static void test_floating_body_keeps_momentum_and_energy(void **state)
{
    (void)state;
    expect_conserved("free", drift_of(floating_body(), 1, BI_ALI3P, 2e-3),
                     drift_of(floating_body(), 1, BI_ALI3P, 1e-3));
}

static void test_floating_pairs_of_every_joint_keep_momentum_and_energy(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        drift coarse = drift_of(floating_pair(&pairs[k]), 2, BI_ALI3P, 2e-3);
        drift fine = drift_of(floating_pair(&pairs[k]), 2, BI_ALI3P, 1e-3);
        expect_conserved(pairs[k].name, coarse, fine);
    }
}

static void test_floating_pairs_with_rk4_keep_momentum_and_energy(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        drift d = drift_of(floating_pair(&pairs[k]), 2, BI_INDEX1_RK4, 1e-3);
        printf("measured invariants rk4 %s momentum=%.3e angular=%.3e energy=%.3e limit=1e-8\n",
               pairs[k].name, d.momentum, d.angular, d.energy);
        assert_true(d.momentum <= 1e-8 && d.angular <= 1e-8 && d.energy <= 1e-8);
    }
}

static void test_pairs_start_with_the_velocities_they_were_given(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        bi_model *model = floating_pair(&pairs[k]);
        run_model run = run_start(model, BI_ALI3P, 1e-3, 1.0);
        bi_view view = bi_sim_view(run.sim);
        bi_vec3 wanted = run_add(common_spin, pairs[k].spin);
        assert_true(run_norm(run_sub(view.twist[2].ang, wanted)) <= 1e-9);
        assert_true(run_norm(run_sub(view.twist[1].ang, common_spin)) <= 1e-9);
        assert_true(run_norm(run_sub(view.pose[2].pos, second_pose.pos)) <= 1e-12);
        run_close(&run);
    }
}

// ---- the top: a body on a ball joint under gravity ---------------------------------------------------------------------

static bi_model *top(void)
{
    bi_model *model = bi_model_create("top");
    assert_non_null(model);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -9.81 });
    bi_pose pose = { { 0.0, 0.0, 0.0 }, { cos(0.2), sin(0.2), 0.0, 0.0 } };
    bi_twist twist = { { 0.0, 0.0, 0.0 }, { 0.4, 1.0, 6.0 } };
    bi_body body = add_inert(model, "top", &first, pose, twist);
    bi_add_joint(model, &(bi_joint_def){ .name = "tip", .kind = BI_SPHERICAL, .a = BI_GROUND, .b = body });
    return model;
}

// Gravity and the tip's force have no moment about the vertical through the tip.
static drift top_drift(double dt)
{
    run_model run = run_start(top(), BI_ALI3P, dt, 1.0);
    invariants start = invariants_now(&run, 1);
    double energy = run_read(&run, "energy.total");
    drift out = { 0 };
    while (run_now(&run) < run.time - 0.5 * dt) {
        run_step(&run);
        invariants now = invariants_now(&run, 1);
        out.angular = larger(out.angular, fabs(now.angular.z - start.angular.z) / fabs(start.angular.z));
        out.energy = larger(out.energy, fabs(run_read(&run, "energy.total") - energy) / start.kinetic);
    }
    run_close(&run);
    return out;
}

static void test_top_keeps_energy_and_vertical_angular_momentum(void **state)
{
    (void)state;
    drift coarse = top_drift(1e-3), fine = top_drift(5e-4);
    expect_falling("top", "angular momentum", coarse.angular, fine.angular);
    expect_falling("top", "energy", coarse.energy, fine.energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floating_body_keeps_momentum_and_energy),
        cmocka_unit_test(test_floating_pairs_of_every_joint_keep_momentum_and_energy),
        cmocka_unit_test(test_floating_pairs_with_rk4_keep_momentum_and_energy),
        cmocka_unit_test(test_pairs_start_with_the_velocities_they_were_given),
        cmocka_unit_test(test_top_keeps_energy_and_vertical_angular_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
