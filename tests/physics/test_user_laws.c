// SPDX-License-Identifier: MIT
// Laws and contacts of a user: forces on many points with a memory, callbacks that decide about places of contact and are
// told of them, and stick springs given by themselves, changed during a run.
#include "support/run_model.h"
#include <biela/laws.h>
#include <biela/shapes.h>

static run_model open_text(const char *text)
{
    run_model run = { .dt = 1e-3, .time = 1.0 };
    run.model = bi_read_model_text(text, strlen(text), "test", NULL, 0, NULL, NULL, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model has mistakes");
    return run;
}

static void start(run_model *run, bi_coordinates coordinates)
{
    run->coordinates = coordinates;
    run_compile(run, BI_ALI3P);
}

static const bi_coordinates both[2] = { BI_NATURAL, BI_JOINT };

// ---- a law on many points -------------------------------------------------------------------------------------------

enum { BLADES = 20 };

// Springs to the places where the points were at the start: memory[0] says that they are known.
static void hold(void *data, const bi_law_motion *m, bi_law_load *out)
{
    double k = *(const double *)data;
    for (int i = 0; i < m->n && m->memory[0] > 0.0; i++) {
        double stretch = m->value[i] - m->memory[1 + i];
        out->effort[i] = -k * stretch;
        out->potential += 0.5 * k * stretch * stretch;
        if (out->K) {
            out->K[i * m->n + i] = k;
        }
    }
    out->scalar = m->memory[0];
}

static void keep_first(void *data, const bi_law_motion *m, double *memory)
{
    (void)data;
    if (memory[0] == 0.0) {
        memcpy(memory + 1, m->value, (size_t)m->n * sizeof *memory);
    }
    memory[0] += 1.0;
}

// A ring of points on a block that slides: the sum of their springs is a known oscillator.
static run_model ring(double *k, bi_law_tangent tangent)
{
    run_model run = open_text("biela: 1\nname: ring\ngravity: [0, 0, 0]\n"
                              "bodies: {block: {mass: 2, inertia: [1, 1, 1], velocity: [0.3, 0, 0]}}\n"
                              "joints: {way: {type: prismatic, bodies: [ground, block], axis: [1, 0, 0]}}\n"
                              "outputs: {way: {joint: way}}\n");
    bi_named_point at[BLADES];
    for (int i = 0; i < BLADES; i++) {
        at[i] = (bi_named_point){ .point = { bi_model_body(run.model, "block"),
                                             { cos(0.3 * i), sin(0.3 * i), 0.1 * i } } };
    }
    bi_element law = bi_add_user_law(run.model, &(bi_user_law_def){ .name = "ring",
                                                                    .points = { BLADES, at },
                                                                    .n_memory = 1 + 3 * BLADES,
                                                                    .eval = hold,
                                                                    .commit = keep_first,
                                                                    .data = k,
                                                                    .tangent = tangent });
    bi_add_output(run.model, &(bi_output_def){ .name = "commits", .kind = BI_OUT_EFFORT, .element = law });
    return run;
}

static void test_law_on_many_points_with_memory_is_an_oscillator_about_its_first_place(void **state)
{
    (void)state;
    double k = 0.9; // 20 of them on 2 kg: 3 rad/s
    const bi_law_tangent kind[3] = { BI_TANGENT_DIFFERENCES, BI_TANGENT_GIVEN, BI_TANGENT_NONE };
    for (int i = 0; i < 6; i++) {
        run_model run = ring(&k, kind[i / 2]);
        start(&run, both[i % 2]);
        run_to(&run, 1.0);
        double right = 0.1 * sin(3.0);
        run_expect("place", fabs(run_read(&run, "way.position") - right), 1e-6);
        run_expect("energy", fabs(run_read(&run, "energy.total") - 0.5 * 2.0 * 0.09), 1e-6);
        run_expect("balance", fabs(run_read(&run, "energy.balance")), 1e-6);
        run_expect("commits", fabs(run_read(&run, "commits") - 1001.0), 0.0); // the start and 1000 steps
        run_close(&run);
    }
}

static void test_memory_of_a_law_is_in_snapshots_and_hashes(void **state)
{
    (void)state;
    static unsigned char kept[1 << 16];
    double k = 0.9;
    run_model run = ring(&k, BI_TANGENT_GIVEN);
    start(&run, BI_NATURAL);
    assert_int_equal(bi_sim_run_to(run.sim, 0.2), BI_OK);
    uint64_t then = bi_sim_hash(run.sim);
    size_t size = bi_sim_save(run.sim, kept, sizeof kept);
    assert_true(size > 0 && size <= sizeof kept);
    assert_int_equal(bi_sim_run_to(run.sim, 0.5), BI_OK);
    uint64_t end = bi_sim_hash(run.sim);
    assert_true(end != then);
    // in another run of the same system, which remembers nothing yet
    bi_sim *other = bi_sim_create(run.system);
    assert_int_equal(bi_sim_start(other, NULL), BI_OK);
    assert_int_equal(bi_sim_load(other, kept, size), BI_OK);
    assert_true(bi_sim_hash(other) == then);
    assert_int_equal(bi_sim_run_to(other, 0.5), BI_OK);
    assert_true(bi_sim_hash(other) == end);
    bi_sim_destroy(other);
    run_close(&run);
}

static void test_bad_laws_of_a_user_are_named(void **state)
{
    (void)state;
    double k = 1.0;
    const bi_user_law_def bad[4] = {
        { .name = "no callback", .n_coordinate = 1 },
        { .name = "nothing", .eval = hold, .data = &k },
        { .name = "memory", .eval = hold, .data = &k, .n_coordinate = 1, .n_memory = 2 },
        { .name = "stranger", .eval = hold, .data = &k, .n_coordinate = 1, .coordinate = { { { 7 }, 0 } } },
    };
    for (int i = 0; i < 4; i++) {
        run_model run = open_text("biela: 1\nname: bad\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n");
        bi_add_user_law(run.model, &bad[i]);
        assert_null(bi_compile(run.model, NULL, &run.report));
        assert_true(run.report.errors == 1 && strstr(run.report.issue[0].where, bad[i].name));
        run_close(&run);
    }
}

// A law that loses a number: where the block has gone 0.1 m.
typedef struct {
    bool in_effort, in_memory, wrong_tangent;
} flaw;

static void flawed(void *data, const bi_law_motion *m, bi_law_load *out)
{
    const flaw *f = data;
    bool is_far = m->value[0] > 0.1;
    out->effort[0] = is_far && f->in_effort ? NAN : -5.0 * m->value[0];
    out->effort[0] -= is_far ? 3.0 * m->value[0] : 0.0;
    if (out->K) {
        out->K[0] = is_far && f->wrong_tangent ? 5.0 : is_far ? 8.0 : 5.0;
    }
}

static void forget(void *data, const bi_law_motion *m, double *memory)
{
    const flaw *f = data;
    memory[1] = f->in_memory && m->value[0] > 0.1 ? NAN : 1.0;
}

static run_model flawed_block(flaw *f, bi_law_tangent tangent)
{
    run_model run = open_text("biela: 1\nname: ring\ngravity: [0, 0, 0]\n"
                              "bodies: {block: {mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
                              "joints: {way: {type: prismatic, bodies: [ground, block], axis: [1, 0, 0]}}\n"
                              "outputs: {way: {joint: way}}\n");
    bi_add_user_law(run.model, &(bi_user_law_def){ .name = "flaw",
                                                   .n_coordinate = 1,
                                                   .coordinate = { { bi_model_joint(run.model, "way"), 0 } },
                                                   .n_memory = 2,
                                                   .eval = flawed,
                                                   .commit = forget,
                                                   .data = f,
                                                   .tangent = tangent });
    return run;
}

static void test_law_that_gives_no_number_is_named_with_its_number(void **state)
{
    (void)state;
    static const char *const words[2] = { "force flaw: effort[0] of its callback is",
                                          "force flaw: memory[1]" };
    const bi_scheme scheme[2] = { BI_ALI3P, BI_INDEX1_RK4 };
    const bi_law_tangent kind[3] = { BI_TANGENT_DIFFERENCES, BI_TANGENT_GIVEN, BI_TANGENT_NONE };
    for (int i = 0; i < 24; i++) {
        flaw f = { .in_effort = i % 2 == 0, .in_memory = i % 2 == 1 };
        run_model run = flawed_block(&f, kind[i / 8]);
        run.coordinates = both[i / 2 % 2];
        run_compile(&run, scheme[i / 4 % 2]);
        assert_int_equal(bi_sim_run_to(run.sim, 1.0), BI_NOT_FINITE);
        assert_non_null(strstr(bi_sim_failure(run.sim), words[i % 2]));
        run_expect("it stops where it is lost", fabs(bi_sim_view(run.sim).t - 0.1), 3e-3);
        run_close(&run);
    }
}

static void test_wrong_tangent_of_a_law_is_told_where_it_is_wrong(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        flaw f = { .wrong_tangent = i % 2 == 1 };
        run_model run = flawed_block(&f, BI_TANGENT_GIVEN);
        start(&run, both[i / 2]);
        assert_int_equal(bi_sim_check_tangents(run.sim, NULL), BI_OK);
        assert_int_equal(bi_sim_run_to(run.sim, 0.15), BI_OK);
        uint64_t before = bi_sim_hash(run.sim);
        assert_int_equal(bi_sim_check_tangents(run.sim, &run.report), f.wrong_tangent ? BI_BAD_MODEL : BI_OK);
        assert_int_equal(run.report.errors, f.wrong_tangent ? 1 : 0);
        assert_true(!f.wrong_tangent || (strstr(run.report.issue[0].what, "K[0][0] = 5") &&
                                         strstr(run.report.issue[0].what, "give 8")));
        assert_true(bi_sim_hash(run.sim) == before);
        assert_int_equal(bi_sim_run_to(run.sim, 0.2), BI_OK);
        run_close(&run);
    }
    assert_int_equal(bi_sim_check_tangents(NULL, NULL), BI_BAD_ARGUMENT);
}

// ---- places of contact ----------------------------------------------------------------------------------------------

// A ball falls through a floor that counts only on the left, and one beside it stands.
static bool left_only(void *data, const bi_touch *touch)
{
    (void)data;
    return touch->point.x < 0.0;
}

typedef struct {
    int count;
    double lowest, t;
    bi_touch last;
    bi_vec3 force;
} seen;

static void see(void *data, double t, const bi_touch *touch, bi_vec3 force)
{
    seen *s = data;
    s->count++;
    s->t = t;
    s->last = *touch;
    s->force = force;
}

static const char balls[] =
    "biela: 1\nname: balls\ngravity: [0, 0, -10]\n"
    "bodies:\n  one: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [-1, 0, 0.1]}\n"
    "  two: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [1, 0, 0.1]}\n"
    "shapes:\n  a: {body: one, type: sphere, radius: 0.1}\n  b: {body: two, type: sphere, radius: 0.1}\n"
    "  floor: {body: ground, type: plane}\n"
    "outputs: {one: {body: one}, two: {body: two}}\n";

static void expect_balls(bi_scheme scheme, bi_coordinates coordinates)
{
    seen s = { 0 };
    run_model run = open_text(balls);
    bi_shape first[2] = { bi_model_shape(run.model, "a"), bi_model_shape(run.model, "b") };
    bi_shape floor = bi_model_shape(run.model, "floor");
    // the plane is named first: the shapes of the callback are as the definition has them
    bi_element touch = bi_add_contact(run.model, &(bi_contact_def){ .name = "touch",
                                                                    .a = { 1, &floor },
                                                                    .b = { 2, first },
                                                                    .stiffness = bi_constant(run.model, 1e4),
                                                                    .damping = bi_constant(run.model, 100.0),
                                                                    .decides = left_only,
                                                                    .observes = see,
                                                                    .data = &s });
    run.coordinates = coordinates;
    run_compile(&run, scheme);
    run_to(&run, 1.0);
    run_expect("the left one stands", fabs(run_read(&run, "one.z") - (0.1 - 10.0 / 1e4)), 1e-6);
    run_expect("the right one falls", fabs(run_read(&run, "two.z") - (0.1 - 5.0)), 1e-2);
    assert_true(s.count >= 900 && s.count <= 1001 && s.last.contact.i == touch.i);
    assert_true(s.last.a.i == floor.i && s.last.b.i == first[0].i);
    run_expect("time", fabs(s.t - 1.0), 1e-9);
    run_expect("normal from b to a", fabs(s.last.normal.z + 1.0), 1e-12);
    run_expect("force on a", fabs(s.force.z + 10.0), 1e-3);
    run_expect("depth", fabs(s.last.depth - 1e-3), 1e-6);
    run_close(&run);
}

static void test_callback_decides_which_places_count_and_is_told_of_the_others(void **state)
{
    (void)state;
    expect_balls(BI_ALI3P, BI_NATURAL);
    expect_balls(BI_ALI3P, BI_JOINT);
    expect_balls(BI_PILES, BI_JOINT); // pairs that live
}

// ---- the stick spring by itself -------------------------------------------------------------------------------------

// Pushed below its limit a block leans on its stick spring by F / k, which an input makes softer during the run.
static void test_stick_stiffness_is_what_it_says_and_follows_an_input(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "biela: 1\nname: block\ngravity: [0, 0, -10]\ninputs: {soft: 0, cap: 1000}\n"
                 "bodies: {block: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.1]}}\n"
                 "joints: {way: {type: planar, bodies: [ground, block], at: [0, 0, 0.1], axis: [0, 1, 0]}}\n"
                 "shapes:\n  ball: {body: block, type: sphere, radius: 0.1}\n  floor: {body: ground, type: "
                 "plane}\n"
                 "forces:\n  touch: {type: contact, a: ball, b: floor, stiffness: 2e4, damping: 200, "
                 "friction: 0.5, friction_law: %s,"
                 " stick_stiffness: 1000 - 500*soft, stick_damping: 60, force_limit: cap}\n"
                 "  push: {type: force, point: {body: block, at: [0, 0, -0.1]}, fx: 4}\n"
                 "  level: {type: torsion-spring, joint: way, stiffness: 1e5, damping: 100}\n"
                 "outputs: {block: {body: block}, touch: {contact: touch}}\n",
                 i % 2 == 0 ? "coulomb" : "blended, stick_speed: 1");
        run_model run = open_text(text);
        start(&run, both[i / 2]);
        run_to(&run, 1.0);
        run_expect("leans", fabs(run_read(&run, "block.x") - 4.0 / 1000.0), 3e-5);
        bi_sim_input(run.sim, bi_find_input(run.system, "soft"), 1.0);
        run_to(&run, 2.0);
        run_expect("leans more", fabs(run_read(&run, "block.x") - 4.0 / 500.0), 6e-5);
        // a limit below the weight lets it sink
        bi_sim_input(run.sim, bi_find_input(run.system, "cap"), 15.0);
        run_to(&run, 2.01);
        run_expect("limit", fabs(run_read(&run, "touch.normal") - 15.0), 1e-6);
        run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law_on_many_points_with_memory_is_an_oscillator_about_its_first_place),
        cmocka_unit_test(test_memory_of_a_law_is_in_snapshots_and_hashes),
        cmocka_unit_test(test_bad_laws_of_a_user_are_named),
        cmocka_unit_test(test_law_that_gives_no_number_is_named_with_its_number),
        cmocka_unit_test(test_wrong_tangent_of_a_law_is_told_where_it_is_wrong),
        cmocka_unit_test(test_callback_decides_which_places_count_and_is_told_of_the_others),
        cmocka_unit_test(test_stick_stiffness_is_what_it_says_and_follows_an_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
