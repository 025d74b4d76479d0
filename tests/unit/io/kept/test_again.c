// SPDX-License-Identifier: MIT
// A model that is kept while its parameters change is, bit for bit, the one read from its files with these values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 160 };

typedef struct {
    const char *name;
    int least; // parameters, at the least, that are applied without the files
    double time;
} subject;

// masses, lengths, friction, springs, tyres, contacts, starts, gravity, inputs, bond graphs, flexible bodies
static const subject subjects[] = {
    { "pendulum", 3, 0.1 },
    { "four-bar-spring", 14, 0.1 },
    { "block-on-incline", 6, 0.1 },
    { "bouncing-pallet", 8, 0.1 },
    { "car", 15, 0.02 },
    { "forklift", 60, 0.01 },
    { "quarter-car", 7, 0.05 },
    { "andrews", 50, 0.001 },
    { "waveboard", 43, 0.02 },
    { "cam-follower", 5, 0.05 },
    { "bond-rlc", 4, 0.05 },
    { "flex-slider-crank", 4, 0.002 },
};

// The last state of a run to its bits; 0: refused.
static uint64_t hash_of(const bi_model *m, const bi_run *run, bi_coordinates coordinates, double time,
                        bi_report *report)
{
    bi_options options = bi_run_options(run);
    options.coordinates = coordinates;
    bi_system *system = m && report->errors == 0 ? bi_compile(m, &options, report) : NULL;
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    bool is_good = sim && bi_sim_start(sim, report) == BI_OK;
    if (is_good) {
        bi_sim_run_to(sim, run->start_time + time);
    }
    uint64_t hash = is_good ? bi_sim_hash(sim) : 0;
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    return hash;
}

typedef struct {
    bi_kept *kept;
    bi_shelf *shelf;
    char path[300], name[MOST][40];
    double value[MOST]; // SI
    int count;
} bench;

static bench open_bench(const char *model)
{
    bench b = { .shelf = bi_shelf_create() };
    bi_report report = { 0 };
    snprintf(b.path, sizeof b.path, BI_SOURCE_DIR "/models/%s/model.yaml", model);
    b.kept = bi_kept_create(b.path, NULL);
    const bi_model *m = bi_kept_read(b.kept, NULL, 0, NULL, NULL, NULL, &report);
    assert_non_null(m);
    assert_int_equal(report.errors, 0);
    const char *name;
    while (b.count < MOST && bi_model_parameter_at(m, b.count, &name, &b.value[b.count], NULL)) {
        snprintf(b.name[b.count++], sizeof b.name[0], "%s", name);
    }
    bi_report_clear(&report);
    return b;
}

static void close_bench(bench *b)
{
    bi_kept_destroy(b->kept);
    bi_shelf_destroy(b->shelf);
}

// Both ways with these settings; true: without the files.
static bool compare(bench *b, const bi_setting *setting, int n, bi_coordinates coordinates, double time)
{
    bi_report one = { 0 }, two = { 0 };
    bi_run run, other;
    bi_read_watch watch = { .shelf = b->shelf };
    bool is_again;
    const bi_model *kept = bi_kept_read(b->kept, setting, n, NULL, &run, &is_again, &one);
    bi_model *fresh = bi_read_model_watched(b->path, setting, n, NULL, &watch, &other, &two);
    uint64_t here = hash_of(kept, &run, coordinates, time, &one),
             there = hash_of(fresh, &other, coordinates, time, &two);
    if (here != there || one.errors != two.errors || run.time != other.time || run.dt != other.dt) {
        fail_msg("%s: %s = %s is not the same when it is kept", b->path, setting->name, setting->value);
    }
    bi_model_destroy(fresh);
    bi_report_clear(&one);
    bi_report_clear(&two);
    return is_again;
}

// A hundredth more than described, in SI; a zero becomes a hundredth.
static bi_setting moved(const bench *b, int k, char text[60])
{
    snprintf(text, 60, "%.17g + 0", b->value[k] == 0.0 ? 0.01 : 1.01 * b->value[k]);
    return (bi_setting){ b->name[k], text };
}

static void test_each_parameter_gives_the_bits_of_the_files(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        bench b = open_bench(subjects[s].name);
        int again = 0;
        for (int k = 0; k < b.count; k++) {
            char text[60];
            bi_setting setting = moved(&b, k, text);
            bi_coordinates coordinates = k % 2 == 0 ? BI_NATURAL : BI_JOINT;
            (void)bi_kept_read(b.kept, NULL, 0, NULL, NULL, NULL, NULL);
            again += compare(&b, &setting, 1, coordinates, subjects[s].time);
        }
        if (again < subjects[s].least) {
            fail_msg("%s: %d parameters are applied, %d were", subjects[s].name, again, subjects[s].least);
        }
        close_bench(&b);
    }
}

// One after the other, several at once, and back.
static void test_parameters_follow_each_other(void **state)
{
    (void)state;
    bench b = open_bench("four-bar-spring");
    char text[MOST][60];
    bi_setting setting[MOST];
    for (int k = 0; k < b.count; k++) {
        setting[k] = moved(&b, k, text[k]);
    }
    for (int k = 0; k < b.count; k++) {
        assert_true(compare(&b, &setting[k], 1, BI_NATURAL, 0.05));
        assert_true(compare(&b, setting, k + 1, BI_JOINT, 0.05));
    }
    close_bench(&b);
}

static void test_what_changes_more_has_the_files_read(void **state)
{
    (void)state;
    bench b = open_bench("four-bars");
    bi_setting count = { "N", "3" }, length = { "L", "1.1" };
    assert_non_null(bi_kept_reason(b.kept, "N"));
    assert_null(bi_kept_reason(b.kept, "nobody"));
    assert_false(compare(&b, &count, 1, BI_NATURAL, 0.02));
    assert_true(compare(&b, &count, 1, BI_JOINT, 0.02));
    assert_false(compare(&b, &length, 1, BI_NATURAL, 0.02)); // and N is as described again
    close_bench(&b);
}

static void test_mistakes_are_those_of_the_files(void **state)
{
    (void)state;
    static const bi_setting bad[] = { { "m", "-1" }, { "m", "nan" }, { "nobody", "1" }, { "m", "(" } };
    bench b = open_bench("pendulum");
    bi_setting good = { "m", "1.5" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bi_report one = { 0 }, two = { 0 };
        bi_run run;
        bool is_again;
        const bi_model *m = bi_kept_read(b.kept, &bad[k], 1, NULL, &run, &is_again, &one);
        bi_model *fresh = bi_read_model(b.path, &bad[k], 1, NULL, &run, &two);
        if (is_again) {
            // nobody has looked at the values yet: compiling does
            assert_int_equal(hash_of(m, &run, BI_NATURAL, 0.0, &one), 0);
            bi_kept_forget(b.kept);
            bi_report_clear(&one);
            one = (bi_report){ 0 };
            bi_kept_read(b.kept, &bad[k], 1, NULL, &run, &is_again, &one);
            assert_false(is_again);
        }
        assert_true(two.errors > 0);
        assert_int_equal(one.count, two.count);
        for (int i = 0; i < two.count; i++) {
            assert_string_equal(one.issue[i].what, two.issue[i].what);
            assert_int_equal(one.issue[i].place.line, two.issue[i].place.line);
        }
        bi_model_destroy(fresh);
        bi_report_clear(&one);
        bi_report_clear(&two);
        (void)compare(&b, &good, 1, BI_NATURAL, 0.02);
    }
    close_bench(&b);
}

static void test_a_system_does_not_see_its_model_change(void **state)
{
    (void)state;
    bench b = open_bench("pendulum");
    bi_setting heavy = { "m", "3" };
    bi_run run;
    bool is_again;
    bi_report report = { 0 };
    const bi_model *m = bi_kept_read(b.kept, NULL, 0, NULL, &run, &is_again, &report);
    bi_system *system = bi_compile(m, NULL, &report);
    uint64_t before = bi_system_hash(system);
    // the same values: the same model, for as many systems as one likes
    assert_ptr_equal(bi_kept_read(b.kept, NULL, 0, NULL, &run, &is_again, &report), m);
    assert_true(is_again);
    assert_ptr_not_equal(bi_kept_read(b.kept, &heavy, 1, NULL, &run, &is_again, &report), m);
    assert_false(is_again);
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, NULL), BI_OK);
    assert_int_equal(bi_sim_run_to(sim, 0.1), BI_OK);
    assert_true(bi_system_hash(system) == before);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_report_clear(&report);
    close_bench(&b);
}

// ---- a file of our own ------------------------------------------------------------------------------------------

static const char text_of_model[] =
    "biela: 1\nname: own\nparameters:\n  n: 2\n  m: 2\n  far: 0.5\n  g: 9.81\n  push0: 0\n  T: 0.2\n  side: "
    "0.1\n"
    "  both: m*far\n  unused: 1\n"
    "gravity: [0, 0, -g]\ninputs: {push: push0, pull: {initial: 0, min: -far, max: far}}\n"
    "bodies:\n  crate$i: {for: {i: 1..n}, mass: m + i, inertia: [1, 1, both], at: [i*far, 0, 0]}\n"
    "  free: {mass: 1, inertia: [1, 1, 1], at: [0, 0, far]}\n"
    "joints:\n  slide$i: {for: {i: 1..n}, type: prismatic, bodies: [ground, crate$i], axis: [1, 0, 0]}\n"
    "shapes: {ball: {type: sphere, radius: side, at: [0, 0, 1], body: free}}\n"
    "forces:\n  push: {type: torque, joint: slide1, torque: push*m + pull}\n"
    "  s: {type: spring, a: {body: ground, at: [0, 0, 2]}, b: {body: free, at: [0, 0, 0]}, stiffness: 10*m, "
    "rest: far}\n"
    "outputs: {x: {joint: slide1}, e: m*t}\n"
    "events: {far: {condition: slide1.position > far + 10, do: note}}\n"
    "run: {time: T, dt: 1e-3}\n";

static bench bench_of_text(const char *path)
{
    bench b = { .shelf = bi_shelf_create() };
    bi_report report = { 0 };
    snprintf(b.path, sizeof b.path, "%s", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text_of_model, file);
    fclose(file);
    b.kept = bi_kept_create(path, NULL);
    bi_kept_read(b.kept, NULL, 0, NULL, NULL, NULL, &report);
    if (report.errors > 0) {
        fail_msg("%s: %s", report.issue[0].where, report.issue[0].what);
    }
    return b;
}

static void test_each_place_of_a_parameter_counts(void **state)
{
    (void)state;
    static const struct {
        bi_setting setting;
        bool is_again;
    } row[] = { { { "m", "3" }, true },       { { "g", "1" }, true },      { { "push0", "0.3" }, true },
                { { "T", "0.3" }, true },     { { "unused", "2" }, true }, { { "n", "3" }, false },
                { { "side", "0.2" }, false }, { { "far", "0.7" }, true } };
    char path[] = "/tmp/biela-kept-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    bench b = bench_of_text(path);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        for (int c = 0; c < 2; c++) {
            (void)bi_kept_read(b.kept, NULL, 0, NULL, NULL, NULL, NULL);
            bool is_again = compare(&b, &row[k].setting, 1, c == 0 ? BI_NATURAL : BI_JOINT, 0.05);
            if (is_again != row[k].is_again) {
                fail_msg("%s: %s", row[k].setting.name, is_again ? "was applied" : "had the files read");
            }
        }
    }
    assert_string_equal(bi_kept_reason(b.kept, "side"), "shapes.ball");
    assert_string_equal(bi_kept_reason(b.kept, "n"), "bodies");
    assert_null(bi_kept_reason(b.kept, "m"));
    close_bench(&b);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_parameter_gives_the_bits_of_the_files),
        cmocka_unit_test(test_parameters_follow_each_other),
        cmocka_unit_test(test_what_changes_more_has_the_files_read),
        cmocka_unit_test(test_mistakes_are_those_of_the_files),
        cmocka_unit_test(test_a_system_does_not_see_its_model_change),
        cmocka_unit_test(test_each_place_of_a_parameter_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
