// SPDX-License-Identifier: MIT
// Shapes from pose to pose: the times at which they meet against independent numbers, for boxes, their meshes and their
// convex parts alike; fields against planes.
#include "geom/convex/decompose.h"
#include "unit/geom/geom_test.h"

#include "unit/geom/convex/impact_cases.h"

static const geom_shape PLATE = { .kind = GEOM_BOX, .half = { 0.5, 0.5, 0.001 } };

// The plate as it is, as triangles, and as triangles in convex parts.
typedef struct {
    geom_mesh *mesh;
    geom_parts *parts;
    geom_shape as[3];
} plates;

static void make_plates(plates *p)
{
    const char *why = NULL;
    p->mesh = mesh_of(&PLATE, 8);
    p->parts = geom_parts_create(p->mesh, 4, &why);
    assert_non_null(p->parts);
    p->as[0] = PLATE;
    p->as[1] = (geom_shape){ .kind = GEOM_MESH, .mesh = p->mesh };
    p->as[2] = (geom_shape){ .kind = GEOM_MESH, .mesh = p->mesh, .parts = p->parts };
}

static void drop_plates(plates *p)
{
    geom_parts_destroy(p->parts);
    geom_mesh_destroy(p->mesh);
}

// The way in a time h of a body at a place with a velocity and a spin.
static geom_sweep_way way_of(mat3 rot, vec3 at, vec3 velocity, vec3 spin, double h)
{
    geom_pose to = { mat3_multiply(quat_to_mat3(quat_exp(vec3_scale(h, spin))), rot),
                     vec3_add_scaled(at, h, velocity) };
    return (geom_sweep_way){ { rot, at }, to };
}

// Steps of h, one after the other, until they meet: turns stay below half a one. `after` is when that step began.
static geom_impact first_hit(const geom_shape *a, const geom_motion *ma, const geom_shape *b,
                             const geom_motion *mb, double h, double end, double *after)
{
    geom_impact hit = { .time = INFINITY };
    for (*after = 0.0; *after < end; *after += h) {
        vec3 at = vec3_add_scaled(ma->pose.pos, *after, ma->velocity),
             other = vec3_add_scaled(mb->pose.pos, *after, mb->velocity);
        mat3 turned = mat3_multiply(quat_to_mat3(quat_exp(vec3_scale(*after, ma->spin))), ma->pose.rot),
             other_turned = mat3_multiply(quat_to_mat3(quat_exp(vec3_scale(*after, mb->spin))), mb->pose.rot);
        geom_sweep_way wa = way_of(turned, at, ma->velocity, ma->spin, h),
                       wb = way_of(other_turned, other, mb->velocity, mb->spin, h);
        hit = geom_sweep(a, &wa, b, &wb);
        if (!isinf(hit.time)) {
            break;
        }
    }
    return hit;
}

static void check(const geom_shape *a, const geom_motion *ma, const geom_shape *b, const geom_motion *mb,
                  double time, double speed)
{
    double fastest = fmax(vec3_norm(ma->spin), vec3_norm(mb->spin)), after,
           end = isinf(time) ? 0.2 : 1.7 * time, h = fmin(end, fastest > 0.0 ? 2.5 / fastest : end);
    geom_impact hit = first_hit(a, ma, b, mb, h, end, &after);
    if (isinf(time)) {
        assert_true(isinf(hit.time));
        return;
    }
    // references agree to 4e-12 m of path; roundings of the turns add some
    assert_near(after + h * hit.time, time, 1e-13 + 1e-11 / speed + 1e-12 * time);
}

static void test_sphere_meets_a_plate_of_any_kind(void **state)
{
    (void)state;
    plates p;
    make_plates(&p);
    const vec3 zero = { 0.0, 0.0, 0.0 };
    for (size_t k = 0; k < sizeof sphere_cases / sizeof *sphere_cases; k++) {
        const sphere_case *c = &sphere_cases[k];
        geom_shape ball = { .kind = GEOM_SPHERE, .radius = c->radius };
        geom_motion falls = { { mat3_identity(), c->at }, c->at, c->velocity, zero },
                    rests = { geom_pose_identity(), zero, zero, zero };
        for (int kind = 0; kind < 3; kind++) {
            check(&ball, &falls, &p.as[kind], &rests, c->time, vec3_norm(c->velocity));
            check(&p.as[kind], &rests, &ball, &falls, c->time, vec3_norm(c->velocity));
        }
    }
    drop_plates(&p);
}

static void test_turning_box_meets_a_plate_of_any_kind(void **state)
{
    (void)state;
    plates p;
    make_plates(&p);
    const vec3 zero = { 0.0, 0.0, 0.0 };
    for (size_t k = 0; k < sizeof box_cases / sizeof *box_cases; k++) {
        const box_case *c = &box_cases[k];
        const double *r = c->rot;
        geom_shape box = { .kind = GEOM_BOX, .half = vec3_scale(0.5, c->size) };
        mat3 rot = { { { r[0], r[3], r[6] }, { r[1], r[4], r[7] }, { r[2], r[5], r[8] } } };
        geom_motion falls = { { rot, c->at }, c->at, c->velocity, c->spin },
                    plate = { geom_pose_identity(), zero, c->plate_velocity, c->plate_spin };
        for (int kind = 0; kind < 3; kind++) {
            check(&box, &falls, &p.as[kind], &plate, c->time, vec3_norm(c->velocity));
        }
    }
    drop_plates(&p);
}

static void test_field_in_a_plane_is_met_when_the_plane_is(void **state)
{
    (void)state;
    enum { N = 61 };
    double height[N * N];
    for (int k = 0; k < N * N; k++) {
        height[k] = 0.2 * (0.1 * (k % N)) - 0.1 * (0.1 * (k / N));
    }
    geom_field field = { .n_x = N, .n_y = N, .d_x = 0.1, .d_y = 0.1, .height = height };
    assert_null(geom_field_measure(&field));
    geom_shape ground = { .kind = GEOM_FIELD, .field = &field }, plane = { .kind = GEOM_PLANE },
               shape[5] = { { .kind = GEOM_SPHERE, .radius = 0.1 },
                            { .kind = GEOM_BOX, .half = { 0.1, 0.2, 0.05 } },
                            { .kind = GEOM_CAPSULE, .radius = 0.05, .half_length = 0.2 },
                            { .kind = GEOM_CONE, .radius = 0.1, .half_length = 0.1 },
                            { .kind = GEOM_ELLIPSOID, .half = { 0.1, 0.2, 0.05 } } };
    vec3 n = vec3_normalized((vec3){ -0.2, 0.1, 1.0 }), u = vec3_perpendicular(n);
    geom_sweep_way rests = { geom_pose_identity(), geom_pose_identity() };
    geom_pose slanted = { { { u, vec3_cross(n, u), n } }, { 0.0, 0.0, 0.0 } };
    geom_sweep_way plane_rests = { slanted, slanted };
    chance c = { 21 };
    int hits = 0;
    for (int k = 0; k < 400; k++) {
        geom_sweep_way w = { chance_pose(&c, 0.0), chance_pose(&c, 0.0) };
        w.from.pos = (vec3){ chance_in(&c, 1.0, 5.0), chance_in(&c, 1.0, 5.0), chance_in(&c, 1.5, 3.0) };
        w.to.pos = (vec3){ chance_in(&c, 1.0, 5.0), chance_in(&c, 1.0, 5.0), chance_in(&c, -2.0, 1.5) };
        geom_impact on_field = geom_sweep(&shape[k % 5], &w, &ground, &rests),
                    on_plane = geom_sweep(&plane, &plane_rests, &shape[k % 5], &w);
        assert_true(isinf(on_field.time) == isinf(on_plane.time));
        if (!isinf(on_plane.time)) {
            assert_near(on_field.time, on_plane.time, 1e-10);
            assert_vec3_near(on_field.normal, vec3_neg(on_plane.normal), 1e-4);
            hits++;
        }
    }
    assert_true(hits > 100);
}

// A bullet of a mesh through a hollow: parts are met where they are, not where the hull is.
static void test_parts_leave_the_gap_between_them_open(void **state)
{
    (void)state;
    geom_shape left = { .kind = GEOM_BOX, .half = { 0.1, 1.0, 0.1 } };
    bi_mesh one = { 0 };
    assert_true(geom_mesh_of_shape(&left, 8, &one));
    // the same once more, 1 m beside
    bi_mesh two = { 2 * one.n_vertex, 2 * one.n_triangle, NULL, NULL };
    two.vertex = malloc((size_t)two.n_vertex * sizeof *two.vertex);
    two.triangle = malloc((size_t)two.n_triangle * sizeof *two.triangle);
    for (int k = 0; k < two.n_vertex; k++) {
        two.vertex[k] = one.vertex[k % one.n_vertex];
        two.vertex[k].x += k < one.n_vertex ? -0.5 : 0.5;
    }
    for (int k = 0; k < 3 * two.n_triangle; k++) {
        int at = k % (3 * one.n_triangle);
        two.triangle[k / 3][k % 3] =
            one.triangle[at / 3][at % 3] + (k < 3 * one.n_triangle ? 0 : one.n_vertex);
    }
    bi_mesh_clear(&one);
    geom_mesh *m = mesh_from(&two);
    const char *why = NULL;
    geom_parts *parts = geom_parts_create(m, 8, &why);
    assert_non_null(parts);
    assert_int_equal(parts->n, 2);
    geom_shape rails = { .kind = GEOM_MESH, .mesh = m, .parts = parts },
               ball = { .kind = GEOM_SPHERE, .radius = 0.2 };
    geom_sweep_way rests = { geom_pose_identity(), geom_pose_identity() };
    geom_sweep_way through = { pose_at(0.0, 0.0, 5.0), pose_at(0.0, 0.0, -5.0) };
    assert_true(isinf(geom_sweep(&ball, &through, &rails, &rests).time));
    // onto a rail: 0.1 + 0.2 above the middle
    geom_sweep_way onto = { pose_at(0.5, 0.0, 5.3), pose_at(0.5, 0.0, -4.7) };
    assert_near(geom_sweep(&ball, &onto, &rails, &rests).time, 0.5, 1e-12);
    // the rails come down on the ball
    geom_sweep_way down = { pose_at(0.0, 0.0, 5.0), pose_at(0.0, 0.0, -5.0) },
                   still = { pose_at(0.5, 0.0, 0.0), pose_at(0.5, 0.0, 0.0) };
    assert_near(geom_sweep(&rails, &down, &ball, &still).time, 0.47, 1e-12);
    geom_parts_destroy(parts);
    geom_mesh_destroy(m);
}

static void test_what_has_no_ends_is_not_swept(void **state)
{
    (void)state;
    geom_shape plane = { .kind = GEOM_PLANE };
    geom_sweep_way rests = { geom_pose_identity(), geom_pose_identity() };
    assert_true(isnan(geom_sweep(&plane, &rests, &plane, &rests).time));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_meets_a_plate_of_any_kind),
        cmocka_unit_test(test_turning_box_meets_a_plate_of_any_kind),
        cmocka_unit_test(test_field_in_a_plane_is_met_when_the_plane_is),
        cmocka_unit_test(test_parts_leave_the_gap_between_them_open),
        cmocka_unit_test(test_what_has_no_ends_is_not_swept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
