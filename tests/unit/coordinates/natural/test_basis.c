// SPDX-License-Identifier: MIT
// Which points and vectors carry a body in which surroundings, and that its frame follows from them.
#include "unit/coordinates/natural/mechanisms.h"

typedef struct {
    bi_model *model;
    plan plan;
    sharing shared;
    bases bases;
} chosen;

// Takes the model over.
static chosen choose(bi_model *m)
{
    chosen c = { .model = m, .plan = { .model = m } };
    bi_report report = { 0 };
    assert_true(sharing_create(&c.shared, m));
    sharing_solve(&c.shared, &report);
    assert_int_equal(report.errors, 0);
    assert_true(bases_create(&c.bases, &c.shared, &c.plan));
    return c;
}

static void discard(chosen *c)
{
    bases_clear(&c->bases);
    sharing_clear(&c->shared);
    plan_clear(&c->plan);
    bi_model_destroy(c->model);
}

static const natural_body *body_named(const chosen *c, const char *name)
{
    bi_body b = bi_model_body(c->model, name);
    assert_true(b.i > 0);
    return &c->bases.body[b.i - 1];
}

// Entities that move, points and vectors.
static void expect_basis(const chosen *c, const char *name, natural_body_kind kind, int points, int vectors)
{
    const natural_body *b = body_named(c, name);
    int n_point = 0, n_vector = 0;
    for (int e = 0; e < b->n_entity; e++) {
        const slot *s = &c->shared.slot[b->slot[e]];
        n_point += !s->is_fixed && !s->is_vector;
        n_vector += !s->is_fixed && s->is_vector;
    }
    if (b->kind != kind || n_point != points || n_vector != vectors) {
        fail_msg("%s: kind %d with %d points and %d vectors, wanted %d with %d and %d", name, (int)b->kind,
                 n_point, n_vector, (int)kind, points, vectors);
    }
}

// origin and axes = S x + T n x x with the entities where the description puts them
static void expect_frame_follows(const chosen *c, const char *name)
{
    const natural_body *b = body_named(c, name);
    const bi_body_def *def = &c->model->body[bi_model_body(c->model, name).i - 1].def;
    mat3 A = quat_to_mat3(quat_normalized(quat_or_identity(def->pose.rot)));
    for (int k = 0; k < 4; k++) {
        vec3 sum = { 0, 0, 0 };
        for (int e = 0; e < b->n_entity; e++) {
            vec3 x = c->shared.slot[b->slot[e]].value;
            sum = vec3_add_scaled(sum, b->S[e][k], x);
            sum = vec3_add_scaled(sum, b->T[e][k], vec3_cross(b->n, x));
        }
        vec3 wanted = k == 0 ? def->pose.pos : A.col[k - 1];
        // a dozen products of numbers up to 10
        if (!(vec3_norm(vec3_sub(sum, wanted)) <= 1e-13)) {
            fail_msg("%s: column %d is off by %g", name, k, vec3_norm(vec3_sub(sum, wanted)));
        }
    }
}

static const bi_vec3 zero = { 0, 0, 0 }, up = { 0, 0, 1 };

static void test_body_welded_to_the_ground_is_fixed(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("fixed");
    join(m, "weld", BI_FIXED, BI_GROUND, add_stone(m, "stone", (bi_vec3){ 1, 2, 3 }), zero, skew);
    chosen c = choose(m);
    expect_basis(&c, "stone", BODY_FIXED, 0, 0);
    expect_basis(&c, "ground", BODY_FIXED, 0, 0);
    expect_frame_follows(&c, "stone");
    assert_int_equal(c.bases.n_dot, 0);
    discard(&c);
}

static void test_body_held_by_two_hinges_of_different_axes_is_fixed(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("fixed");
    bi_body stone = add_stone(m, "stone", (bi_vec3){ 1, 2, 3 });
    join(m, "one", BI_REVOLUTE, BI_GROUND, stone, zero, up);
    join(m, "two", BI_REVOLUTE, BI_GROUND, stone, (bi_vec3){ 1, 1, 0 }, skew);
    chosen c = choose(m);
    expect_basis(&c, "stone", BODY_FIXED, 0, 0);
    discard(&c);
}

static void test_body_on_a_slide_of_the_ground_translates(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("translating");
    bi_body slider = add_stone(m, "slider", (bi_vec3){ 1, 2, 3 });
    join(m, "slide", BI_PRISMATIC, BI_GROUND, slider, zero, skew);
    // and what slides on the slider translates, too
    join(m, "cross", BI_PRISMATIC, slider, add_stone(m, "second", (bi_vec3){ 0, 0, 1 }), zero, other_skew);
    chosen c = choose(m);
    expect_basis(&c, "slider", BODY_TRANSLATING, 1, 0);
    expect_basis(&c, "second", BODY_TRANSLATING, 1, 0);
    expect_frame_follows(&c, "slider");
    expect_frame_follows(&c, "second");
    assert_int_equal(c.bases.n_dot, 0);
    discard(&c);
}

static void test_particle_is_one_point(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("particle");
    bi_body a = add_particle(m, "free", (bi_vec3){ 1, 2, 3 });
    bi_body b = add_particle(m, "tied", (bi_vec3){ 2, 2, 3 });
    bi_add_joint(m, &(bi_joint_def){
                        .name = "rope", .kind = BI_DISTANCE, .a = a, .b = b, .local = BI_AT_A | BI_AT_B });
    chosen c = choose(m);
    expect_basis(&c, "free", BODY_TRANSLATING, 1, 0);
    expect_basis(&c, "tied", BODY_TRANSLATING, 1, 0);
    discard(&c);
}

// Everything on parallel hinges is planar: the axis is a constant, a rod is one moving point or two.
static void test_body_on_a_hinge_of_the_ground_is_planar(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("planar");
    bi_body a = add_stone(m, "a", zero), b = add_stone(m, "b", (bi_vec3){ 1, 0, 0 });
    join(m, "A", BI_REVOLUTE, BI_GROUND, a, zero, skew);
    join(m, "B", BI_REVOLUTE, a, b, (bi_vec3){ 1, 0, 0 }, skew);
    chosen c = choose(m);
    // a: the ground's point and B; b: B and its centre of mass
    expect_basis(&c, "a", BODY_PLANAR, 1, 0);
    expect_basis(&c, "b", BODY_PLANAR, 2, 0);
    expect_frame_follows(&c, "a");
    expect_frame_follows(&c, "b");
    // length and height of each direction
    assert_int_equal(c.bases.n_dot, 4);
    assert_int_equal(c.bases.n_tie, 0);
    discard(&c);
}

static void test_disc_on_its_axle_has_a_vector(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("disc");
    bi_body disc = bi_add_body(m, &(bi_body_def){ .name = "disc", .mass = 1, .inertia = { 1, 1, 2 } });
    join(m, "axle", BI_REVOLUTE, BI_GROUND, disc, zero, up);
    chosen c = choose(m);
    expect_basis(&c, "disc", BODY_PLANAR, 0, 1);
    expect_frame_follows(&c, "disc");
    discard(&c);
}

static void test_body_on_two_fixed_points_is_planar_about_their_line(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("door");
    bi_body door = add_stone(m, "door", (bi_vec3){ 1, 0, 0 });
    join(m, "low", BI_SPHERICAL, BI_GROUND, door, zero, up);
    join(m, "high", BI_SPHERICAL, BI_GROUND, door, (bi_vec3){ 0, 0, 2 }, up);
    chosen c = choose(m);
    expect_basis(&c, "door", BODY_PLANAR, 1, 0);
    assert_true(fabs(fabs(body_named(&c, "door")->n.z) - 1.0) <= 1e-15);
    expect_frame_follows(&c, "door");
    discard(&c);
}

static void test_rod_between_balls_without_inertia_about_its_line_is_a_bar(void **state)
{
    (void)state;
    chosen c = choose(points());
    expect_basis(&c, "bar", BODY_BAR, 1, 0);
    expect_basis(&c, "second bar", BODY_BAR, 2, 0);
    assert_true(body_named(&c, "bar")->line.x == 1.0 || body_named(&c, "bar")->line.x == -1.0);
    discard(&c);
}

static void test_bar_with_inertia_about_its_line_is_general(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("thick");
    bi_body rod = bi_add_body(
        m, &(bi_body_def){ .name = "rod", .mass = 1, .com = { 0.5, 0, 0 }, .inertia = { 0.01, 0.1, 0.1 } });
    join(m, "A", BI_SPHERICAL, rod, add_particle(m, "p", zero), zero, up);
    join(m, "B", BI_SPHERICAL, rod, add_particle(m, "q", (bi_vec3){ 1, 0, 0 }), (bi_vec3){ 1, 0, 0 }, up);
    chosen c = choose(m);
    expect_basis(&c, "rod", BODY_GENERAL, 2, 2);
    discard(&c);
}

static void test_bar_with_something_attached_off_its_line_is_general(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("hook");
    bi_body bar = add_bar(m, "bar", zero);
    join(m, "A", BI_SPHERICAL, BI_GROUND, bar, zero, up);
    chosen c = { .model = m, .plan = { .model = m } };
    plan_point(&c.plan, bar.i - 1, (vec3){ 0.4, 0.1, 0 });
    bi_report report = { 0 };
    assert_true(sharing_create(&c.shared, m));
    sharing_solve(&c.shared, &report);
    assert_true(bases_create(&c.bases, &c.shared, &c.plan));
    assert_int_equal(body_named(&c, "bar")->kind, BODY_GENERAL);
    discard(&c);
}

static void test_general_bodies_use_the_points_that_joints_made(void **state)
{
    (void)state;
    chosen c = choose(points());
    expect_basis(&c, "body1", BODY_GENERAL, 1, 3);
    expect_basis(&c, "body2", BODY_GENERAL, 2, 2);
    expect_basis(&c, "body3", BODY_GENERAL, 3, 1);
    expect_basis(&c, "body4", BODY_GENERAL, 4, 0);
    for (int k = 1; k <= 4; k++) {
        char name[16];
        snprintf(name, sizeof name, "body%d", k);
        expect_frame_follows(&c, name);
        assert_true(fabs(body_named(&c, name)->orientation) == 1.0);
    }
    // six dot products for each of the four, one length for each of the two bars
    assert_int_equal(c.bases.n_dot, 26);
    assert_int_equal(c.bases.n_tie, 0);
    discard(&c);
}

static void test_free_body_has_a_point_and_three_vectors(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("free");
    add_stone(m, "stone", (bi_vec3){ 1, 2, 3 });
    chosen c = choose(m);
    expect_basis(&c, "stone", BODY_GENERAL, 1, 3);
    expect_frame_follows(&c, "stone");
    assert_int_equal(c.bases.n_dot, 6);
    discard(&c);
}

static void test_hinge_between_free_bodies_shares_point_and_axis(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("pair");
    bi_body a = add_stone(m, "a", zero), b = add_stone(m, "b", (bi_vec3){ 1, 0, 0 });
    join(m, "hinge", BI_REVOLUTE, a, b, (bi_vec3){ 1, 0, 0 }, skew);
    chosen c = choose(m);
    const natural_body *one = body_named(&c, "a"), *two = body_named(&c, "b");
    int common = 0;
    for (int e = 0; e < one->n_entity; e++) {
        for (int f = 0; f < two->n_entity; f++) {
            common += one->slot[e] == two->slot[f];
        }
    }
    assert_int_equal(common, 2);
    // the length of the common axis is told once
    assert_int_equal(c.bases.n_dot, 11);
    discard(&c);
}

static void test_fifth_point_of_a_body_is_tied_to_it(void **state)
{
    (void)state;
    static const bi_vec3 at[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
    bi_model *m = bi_model_create("five");
    bi_body body = bi_add_body(m, &(bi_body_def){ .name = "body", .mass = 1, .inertia = { 1, 1, 1 } });
    for (int k = 0; k < 5; k++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", k);
        join(m, name, BI_SPHERICAL, body, add_particle(m, name, at[k]), at[k], up);
    }
    chosen c = choose(m);
    expect_basis(&c, "body", BODY_GENERAL, 4, 0);
    assert_int_equal(c.bases.n_tie, 1);
    assert_false(c.bases.tie[0].is_vector);
    discard(&c);
}

static void test_contradiction_between_constants_is_reported_with_its_gap(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("contradiction");
    bi_body body = add_stone(m, "body", zero);
    join(m, "weld", BI_FIXED, BI_GROUND, body, zero, up);
    bi_add_joint(m, &(bi_joint_def){ .name = "late",
                                     .kind = BI_SPHERICAL,
                                     .a = BI_GROUND,
                                     .b = body,
                                     .at_a = { 0, 0, 0.25 },
                                     .local = BI_AT_A | BI_AT_B });
    sharing s;
    bi_report report = { 0 };
    assert_true(sharing_create(&s, m));
    sharing_solve(&s, &report);
    assert_true(report.errors >= 1);
    assert_int_equal(report.issue[0].code, BI_CANNOT_ASSEMBLE);
    assert_non_null(strstr(report.issue[0].what, "0.25"));
    assert_non_null(strstr(report.issue[0].what, "body"));
    bi_report_clear(&report);
    sharing_clear(&s);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body_welded_to_the_ground_is_fixed),
        cmocka_unit_test(test_body_held_by_two_hinges_of_different_axes_is_fixed),
        cmocka_unit_test(test_body_on_a_slide_of_the_ground_translates),
        cmocka_unit_test(test_particle_is_one_point),
        cmocka_unit_test(test_body_on_a_hinge_of_the_ground_is_planar),
        cmocka_unit_test(test_disc_on_its_axle_has_a_vector),
        cmocka_unit_test(test_body_on_two_fixed_points_is_planar_about_their_line),
        cmocka_unit_test(test_rod_between_balls_without_inertia_about_its_line_is_a_bar),
        cmocka_unit_test(test_bar_with_inertia_about_its_line_is_general),
        cmocka_unit_test(test_bar_with_something_attached_off_its_line_is_general),
        cmocka_unit_test(test_general_bodies_use_the_points_that_joints_made),
        cmocka_unit_test(test_free_body_has_a_point_and_three_vectors),
        cmocka_unit_test(test_hinge_between_free_bodies_shares_point_and_axis),
        cmocka_unit_test(test_fifth_point_of_a_body_is_tied_to_it),
        cmocka_unit_test(test_contradiction_between_constants_is_reported_with_its_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
