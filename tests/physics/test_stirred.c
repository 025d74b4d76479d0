// SPDX-License-Identifier: MIT
// Things that never come to rest are never lost: balls, boxes, capsules and hulls in a bin whose floor and walls run, steps of 5 ms.
// STIRRED_BODY_SECONDS, STIRRED_PADDLE_SECONDS (tests/soak/stirred.sh): as many seconds of bodies that move, instead of some
// hundred.
#include "support/run_model.h"
#include <stdlib.h>

// of tests/support/stirred.yaml, m: half the width of the bin, half of the smallest thickness of a thing
static const double wall = 0.6, half = 0.04;
// m/s: who is slower than this is not counted as awake
static const double awake = 1e-3;
// s: between two looks, and of what is done twice at the end
static const double look = 0.5, again = 1.0;

static run_model open_bin(const char *paddle)
{
    run_model run = { .coordinates = BI_JOINT };
    const bi_setting set = { "paddle", paddle };
    bi_run file = { 0 };
    run.model = bi_read_model(BI_SOURCE_DIR "/tests/support/stirred.yaml", &set, 1, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    run.dt = file.dt;
    run_compile(&run, BI_PILES);
    return run;
}

static bool is_thing(const run_model *run, int b)
{
    return strncmp(bi_model_body_name(run->model, (bi_body){ b + 1 }), "paddle", 6) != 0;
}

// Bodies that are outside: below the floor or behind a wall by more than half of what they are thick.
static int count_lost(run_model *run)
{
    bi_view view = bi_sim_view(run->sim);
    int n = 0;
    for (int b = 1; b < view.n_body; b++) {
        bi_vec3 p = view.pose[b].pos;
        bool is_inside = p.z > -half && fabs(p.x) < wall + half && fabs(p.y) < wall + half;
        n += is_thing(run, b) && !is_inside;
    }
    return n;
}

static int count_awake(run_model *run)
{
    bi_view view = bi_sim_view(run->sim);
    int n = 0;
    for (int b = 1; b < view.n_body; b++) {
        n += is_thing(run, b) && run_norm(view.twist[b].lin) > awake;
    }
    return n;
}

// All that is judged, but for errors that add up: where things meet by chance, the smallest one grows, and their sum is no measure.
static void judge(run_model *run)
{
    bi_verdict verdict = bi_sim_verdict(run->sim);
    for (int k = 0; k < verdict.count; k++) {
        const bi_judgement *j = &verdict.item[k];
        bool adds_up = strcmp(j->name, "accuracy") == 0 || strcmp(j->name, "motion") == 0 ||
                       strcmp(j->name, "paths") == 0;
        if (!adds_up && j->outcome != BI_GOOD) {
            fail_msg("%s: %g at t = %g s", j->what, j->value, j->t);
        }
    }
}

// Stirs until so many seconds of bodies that move have passed; nobody may get lost. Gives the time.
static double stir(run_model *run, double body_seconds, const char *progress)
{
    double done = 0.0;
    int things = bi_sim_view(run->sim).n_body - 1, lost = 0, told = 0;
    for (int k = 1; done < body_seconds && lost == 0; k++) {
        run_to(run, k * look);
        done += look * count_awake(run);
        lost = count_lost(run);
        assert_true(k * look * things < 4.0 * body_seconds + 100.0); // they stay awake
        if (progress && done > (told + 1) * 0.01 * body_seconds) {
            told = (int)(100.0 * done / body_seconds);
            fprintf(stderr, "%s %d %%, %.0f s\n", progress, told, run_now(run));
        }
    }
    printf("measured stirred body-seconds=%.0f awake=%.3f lost=%d\n", done, done / (things * run_now(run)),
           lost);
    assert_int_equal(lost, 0);
    return run_now(run);
}

// From a snapshot on, twice, the second time in another sim.
static void repeat(run_model *run, const char *paddle)
{
    size_t size = bi_sim_save(run->sim, NULL, 0);
    void *buffer = malloc(size);
    assert_non_null(buffer);
    bi_sim_save(run->sim, buffer, size);
    double end = run_now(run) + again;
    run_to(run, end);
    run_model other = open_bin(paddle);
    assert_int_equal(bi_sim_load(other.sim, buffer, size), BI_OK);
    run_to(&other, end);
    assert_true(bi_sim_hash(run->sim) == bi_sim_hash(other.sim));
    free(buffer);
    run_close(&other);
}

static void test_nothing_is_lost_while_it_is_stirred(void **state)
{
    (void)state;
    const char *asked = getenv("STIRRED_BODY_SECONDS");
    run_model run = open_bin("0");
    stir(&run, asked ? strtod(asked, NULL) : 120.0, asked ? "stirred" : NULL);
    repeat(&run, "0");
    judge(&run);
    run_close(&run);
}

// A paddle that pushes them about, and steps that must wait for it.
static void test_nothing_is_lost_before_a_paddle(void **state)
{
    (void)state;
    const char *asked = getenv("STIRRED_PADDLE_SECONDS");
    run_model run = open_bin("1");
    stir(&run, asked ? strtod(asked, NULL) : 40.0, asked ? "with a paddle" : NULL);
    repeat(&run, "1");
    run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost_while_it_is_stirred),
        cmocka_unit_test(test_nothing_is_lost_before_a_paddle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
