// SPDX-License-Identifier: MIT
// Distances of convex shapes against closed forms, and the time at which moving ones meet against independent numbers.
#include "unit/geom/geom_test.h"

#include "unit/geom/convex/impact_cases.h"

static const geom_shape PLATE = { .kind = GEOM_BOX, .half = { 0.5, 0.5, 0.001 } };

// ---- distances -------------------------------------------------------------------------------------------------

static void test_distance_to_a_ball_is_that_of_its_middle(void **state)
{
    (void)state;
    const geom_shape shapes[] = { { .kind = GEOM_SPHERE, .radius = 0.3 },
                                  { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.5 } },
                                  { .kind = GEOM_CAPSULE, .radius = 0.3, .half_length = 0.4 },
                                  { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.3, 0.5, 0.2 } },
                                  { .kind = GEOM_PLANE } };
    const geom_shape ball = { .kind = GEOM_SPHERE, .radius = 0.1 };
    chance c = { 61 };
    int apart = 0;
    for (int n = 0; n < 5000; n++) {
        const geom_shape *b = &shapes[n % 6];
        geom_pose pa = chance_pose(&c, 1.5), pb = chance_pose(&c, 0.5);
        geom_near near = geom_shape_near(b, &pb, pa.pos);
        geom_gap gap = geom_distance(&ball, &pa, b, &pb), back = geom_distance(b, &pb, &ball, &pa);
        if (near.distance < 1e-3) {
            continue;
        }
        apart++;
        // rims of cylinders, and what is round all over, are found step by step
        bool is_round = b->kind == GEOM_CYLINDER || b->kind == GEOM_ELLIPSOID;
        double tolerance = is_round ? 1e-11 : 1e-14;
        assert_near(gap.distance, near.distance - 0.1, tolerance);
        assert_near(back.distance, near.distance - 0.1, tolerance);
        assert_vec3_near(gap.on_b, near.point, 1e-5);
        assert_vec3_near(gap.normal, near.normal, 1e-5);
        assert_vec3_near(vec3_sub(gap.on_a, gap.on_b), vec3_scale(gap.distance, gap.normal),
                         fmax(tolerance, 1e-12));
    }
    assert_true(apart > 2500);
}

// the least of the squares of the distances of all points of two segments, by their four parameters
static double segments_apart(vec3 p, vec3 u, vec3 q, vec3 v)
{
    double best = INFINITY;
    vec3 d = vec3_sub(q, p);
    double c = vec3_dot(u, v), uu = vec3_dot(u, u), vv = vec3_dot(v, v), det = uu * vv - c * c;
    double s = (vec3_dot(d, u) * vv - c * vec3_dot(d, v)) / det,
           t = (c * vec3_dot(d, u) - uu * vec3_dot(d, v)) / det;
    if (fabs(s) <= 1.0 && fabs(t) <= 1.0) {
        return vec3_norm(vec3_sub(vec3_add_scaled(q, t, v), vec3_add_scaled(p, s, u)));
    }
    for (int k = 0; k < 4; k++) {
        double end = k % 2 ? 1.0 : -1.0;
        vec3 from = k < 2 ? vec3_add_scaled(p, end, u) : vec3_add_scaled(q, end, v), o = k < 2 ? q : p,
             along = k < 2 ? v : u;
        double x = fmin(fmax(vec3_dot(vec3_sub(from, o), along) / vec3_dot(along, along), -1.0), 1.0);
        best = fmin(best, vec3_norm(vec3_sub(from, vec3_add_scaled(o, x, along))));
    }
    return best;
}

static void test_distance_of_capsules_is_that_of_their_axes(void **state)
{
    (void)state;
    chance c = { 67 };
    for (int n = 0; n < 5000; n++) {
        geom_shape a = { .kind = GEOM_CAPSULE, .radius = 0.1, .half_length = chance_in(&c, 0.01, 1.0) },
                   b = { .kind = GEOM_CAPSULE, .radius = 0.05, .half_length = chance_in(&c, 0.01, 1.0) };
        geom_pose pa = chance_pose(&c, 1.0), pb = chance_pose(&c, 1.0);
        double apart = segments_apart(pa.pos, vec3_scale(a.half_length, pa.rot.col[2]), pb.pos,
                                      vec3_scale(b.half_length, pb.rot.col[2]));
        assert_near(geom_distance(&a, &pa, &b, &pb).distance, apart - 0.15, 1e-13);
    }
}

// Boxes parted along a known direction, from a known face, edge or corner.
static void test_distance_of_boxes_is_found_from_any_feature(void **state)
{
    (void)state;
    chance c = { 71 };
    for (int n = 0; n < 3000; n++) {
        geom_shape a = { .kind = GEOM_BOX, .half = { 0.3, 0.2, 0.4 } },
                   b = { .kind = GEOM_BOX, .half = { 0.5, 0.6, 0.2 } };
        geom_pose pa = chance_pose(&c, 0.0), pb = chance_pose(&c, 0.5);
        // a corner of A, over a face of B
        vec3 corner, local;
        geom_shape_support(&a, mat3_apply_transposed(pa.rot, vec3_neg(pb.rot.col[2])), &corner);
        local = (vec3){ chance_in(&c, -0.4, 0.4), chance_in(&c, -0.5, 0.5), 0.2 };
        double gap = n % 2 ? 1e-9 : chance_in(&c, 1e-6, 0.5);
        vec3 at = vec3_add_scaled(geom_outside(&pb, local), gap, pb.rot.col[2]);
        pa.pos = vec3_sub(at, mat3_apply(pa.rot, corner));
        geom_gap found = geom_distance(&a, &pa, &b, &pb);
        assert_near(found.distance, gap, 2e-15);
        // the direction is as good as the roundings of the places let it be
        assert_vec3_near(found.normal, pb.rot.col[2], 1e-14 + 4e-15 / gap);
    }
}

static void test_shapes_that_are_not_convex_have_no_distance(void **state)
{
    (void)state;
    geom_shape torus = { .kind = GEOM_TORUS, .ring = 0.5, .radius = 0.1, .half_width = 0.1 },
               plane = { .kind = GEOM_PLANE };
    geom_pose at = pose_at(0.0, 0.0, 1.0);
    geom_motion still = { .pose = at };
    assert_true(isnan(geom_distance(&torus, &at, &plane, &at).distance));
    assert_true(isnan(geom_distance(&plane, &at, &plane, &at).distance));
    assert_true(isnan(geom_impact_time(&torus, &still, &plane, &still, 1.0).time));
    assert_true(isnan(geom_impact_time(&plane, &still, &plane, &still, 1.0).time));
}

// ---- impacts ---------------------------------------------------------------------------------------------------

static geom_motion motion_of(mat3 rot, vec3 at, vec3 velocity, vec3 spin)
{
    return (geom_motion){ { rot, at }, at, velocity, spin };
}

// The references agree with each other to 4e-12 m of path.
static void compare(const char *name, geom_impact hit, double time, double speed)
{
    if (isinf(time) ? !isinf(hit.time) : !(fabs(hit.time - time) * speed < 4e-12)) {
        fail_msg("%s: %.17g instead of %.17g s", name, hit.time, time);
    }
}

static void test_sphere_meets_a_plate(void **state)
{
    (void)state;
    const vec3 zero = { 0.0, 0.0, 0.0 };
    for (size_t k = 0; k < sizeof sphere_cases / sizeof *sphere_cases; k++) {
        const sphere_case *c = &sphere_cases[k];
        geom_shape ball = { .kind = GEOM_SPHERE, .radius = c->radius };
        geom_motion moving = motion_of(mat3_identity(), c->at, c->velocity, zero),
                    still = motion_of(mat3_identity(), zero, zero, zero);
        geom_impact hit = geom_impact_time(&ball, &moving, &PLATE, &still, 10.0);
        compare(c->name, hit, c->time, vec3_norm(c->velocity));
        if (isfinite(c->time)) {
            // a pass 1 um inside the rim turns the normal by the root of what is left of 1e-10
            assert_vec3_near(hit.normal, c->normal, 2e-7);
            assert_vec3_near(hit.point, c->point, 1e-9);
        }
    }
}

static void test_turning_box_meets_a_plate_that_turns(void **state)
{
    (void)state;
    const vec3 zero = { 0.0, 0.0, 0.0 };
    for (size_t k = 0; k < sizeof box_cases / sizeof *box_cases; k++) {
        const box_case *c = &box_cases[k];
        geom_shape box = { .kind = GEOM_BOX, .half = vec3_scale(0.5, c->size) };
        const double *r = c->rot;
        mat3 rot = { { { r[0], r[3], r[6] }, { r[1], r[4], r[7] }, { r[2], r[5], r[8] } } };
        geom_motion moving = motion_of(rot, c->at, c->velocity, c->spin),
                    plate = motion_of(mat3_identity(), zero, c->plate_velocity, c->plate_spin);
        geom_impact hit = geom_impact_time(&box, &moving, &PLATE, &plate, 0.5);
        compare(c->name, hit, c->time, vec3_norm(c->velocity) + 0.1 * vec3_norm(c->spin));
        if (isfinite(c->time)) {
            assert_vec3_near(hit.normal, c->normal, 1e-5);
        }
    }
}

// A shape whose z is along the axis.
static mat3 along_axis(vec3 axis)
{
    vec3 z = vec3_normalized(axis), x = vec3_perpendicular(z);
    return (mat3){ { x, vec3_cross(z, x), z } };
}

static void test_turning_capsules_meet(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof capsule_cases / sizeof *capsule_cases; k++) {
        const capsule_case *c = &capsule_cases[k];
        geom_shape shape[2];
        geom_motion motion[2];
        double speed = 0.0;
        for (int i = 0; i < 2; i++) {
            const capsule_side *s = &c->side[i];
            shape[i] = (geom_shape){ .kind = GEOM_CAPSULE,
                                     .radius = s->radius,
                                     .half_length = vec3_norm(s->half_axis) };
            motion[i] = motion_of(along_axis(s->half_axis), s->at, s->velocity, s->spin);
            speed += vec3_norm(s->velocity) + vec3_norm(s->spin) * vec3_norm(s->half_axis);
        }
        geom_impact hit = geom_impact_time(&shape[0], &motion[0], &shape[1], &motion[1], 0.5);
        compare(c->name, hit, c->time, speed);
        if (isfinite(c->time)) {
            assert_vec3_near(hit.normal, c->normal, 1e-7);
        }
    }
}

static void test_falling_shapes_meet_a_plane_at_their_lowest_point(void **state)
{
    (void)state;
    const geom_shape shapes[] = { { .kind = GEOM_SPHERE, .radius = 0.4 },
                                  { .kind = GEOM_BOX, .half = { 0.3, 0.4, 0.5 } },
                                  { .kind = GEOM_CAPSULE, .radius = 0.3, .half_length = 0.4 },
                                  { .kind = GEOM_CYLINDER, .radius = 0.4, .half_length = 0.3 },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.3, 0.5, 0.2 } } };
    const geom_shape plane = { .kind = GEOM_PLANE };
    const vec3 zero = { 0.0, 0.0, 0.0 };
    chance c = { 73 };
    for (int n = 0; n < 400; n++) {
        const geom_shape *a = &shapes[n % 5];
        geom_pose pose = chance_pose(&c, 1.0);
        pose.pos.z += 3.0;
        double low = geom_shape_bounds(a, &pose).low.z;
        geom_motion falling = motion_of(pose.rot, pose.pos, (vec3){ 0.3, 0.2, -2.0 }, zero),
                    still = motion_of(mat3_identity(), zero, zero, zero);
        geom_impact hit = geom_impact_time(a, &falling, &plane, &still, 10.0);
        assert_near(hit.time, 0.5 * low, 1e-13);
        assert_vec3_near(hit.normal, (vec3){ 0.0, 0.0, 1.0 }, 1e-9);
        hit = geom_impact_time(&plane, &still, a, &falling, 10.0);
        assert_near(hit.time, 0.5 * low, 1e-13);
        assert_true(isinf(geom_impact_time(a, &falling, &plane, &still, 0.49 * low).time));
    }
}

// Where nothing is said to touch, nothing touches: small steps along the way, up to the time that was told.
static void test_no_hit_is_passed_by(void **state)
{
    (void)state;
    const geom_shape shapes[] = { { .kind = GEOM_SPHERE, .radius = 0.1 },
                                  { .kind = GEOM_BOX, .half = { 0.3, 0.02, 0.1 } },
                                  { .kind = GEOM_CAPSULE, .radius = 0.03, .half_length = 0.3 },
                                  { .kind = GEOM_CYLINDER, .radius = 0.2, .half_length = 0.02 },
                                  { .kind = GEOM_ELLIPSOID, .half = { 0.3, 0.1, 0.02 } } };
    chance c = { 79 };
    int hits = 0, misses = 0;
    for (int n = 0; n < 800; n++) {
        const geom_shape *a = &shapes[n % 5], *b = &shapes[(n / 5) % 5];
        geom_pose pa = chance_pose(&c, 0.6), pb = chance_pose(&c, 0.2);
        geom_motion ma = { pa, vec3_add(pa.pos, chance_vec3(&c, 0.1)), vec3_scale(-5.0, pa.pos),
                           chance_vec3(&c, 20.0) },
                    mb = { pb, pb.pos, chance_vec3(&c, 0.5), chance_vec3(&c, 5.0) };
        geom_impact hit = geom_impact_time(a, &ma, b, &mb, 0.2);
        double end = fmin(hit.time, 0.2);
        for (int k = 0; k < 400 && end > 0.0; k++) {
            double t = end * k / 400.0;
            mat3 by_a = quat_to_mat3(quat_exp(vec3_scale(t, ma.spin))),
                 by_b = quat_to_mat3(quat_exp(vec3_scale(t, mb.spin)));
            geom_pose qa = { mat3_multiply(by_a, pa.rot),
                             vec3_add(vec3_add_scaled(ma.centre, t, ma.velocity),
                                      mat3_apply(by_a, vec3_sub(pa.pos, ma.centre))) };
            geom_pose qb = { mat3_multiply(by_b, pb.rot), vec3_add_scaled(pb.pos, t, mb.velocity) };
            assert_true(geom_distance(a, &qa, b, &qb).distance > 0.0);
        }
        hits += isfinite(hit.time) && hit.time > 0.0;
        misses += isinf(hit.time);
    }
    assert_true(hits > 60 && misses > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_to_a_ball_is_that_of_its_middle),
        cmocka_unit_test(test_distance_of_capsules_is_that_of_their_axes),
        cmocka_unit_test(test_distance_of_boxes_is_found_from_any_feature),
        cmocka_unit_test(test_shapes_that_are_not_convex_have_no_distance),
        cmocka_unit_test(test_sphere_meets_a_plate),
        cmocka_unit_test(test_turning_box_meets_a_plate_that_turns),
        cmocka_unit_test(test_turning_capsules_meet),
        cmocka_unit_test(test_falling_shapes_meet_a_plane_at_their_lowest_point),
        cmocka_unit_test(test_no_hit_is_passed_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
