// SPDX-License-Identifier: MIT
// Every named run of every model, as it is shipped, in both formulations.
#include "support/formulation_gap.h"

enum { MOST_STEPS = 3000 };
// of the range of each channel; what is above must fall with the square of the step, or is listed
static const double agreed = 1e-3, large = 5e-2;

// Runs that are compared otherwise, and why (docs/results.md has this list).
typedef struct {
    const char *model, *run;
    double time;      // s; 0: as the others
    double limit;     // of the gap; 0: as the others
    bi_setting other; // parameter that the run takes otherwise
    const char *why;
} exception;
static const exception exceptions[] = {
    { "bicycle", "frame-loads", 0.0, 8e-3, { 0 }, "its stiff modes are of first order" },
    { "clio", "axles-step", 0.0, 8e-3, { 0 }, "its bushings are stiff: a peak where the steering begins" },
    { "electric-truck",
      "raised",
      0.0,
      3e-2,
      { 0 },
      "a wheel lifts and comes down again: when it does is known to a step" },
    { "flex-bar",
      "sharp",
      0.0,
      7e-2,
      { 0 },
      "a jump excites all modes, which ring undamped and out of phase" },
    { "flex-four-bar", "document", 0.0, 3e-3, { 0 }, "steps of 10 ms pass change points, where it is soft" },
    { "forklift",
      "roll-over",
      0.0,
      0.2,
      { 0 },
      "it falls on an edge, and what follows depends on which corner is first" },
    { "forklift",
      "overload",
      0.0,
      8e-3,
      { 0 },
      "place of a contact that one corner more or less belongs to" },
    { "forklift",
      "yard",
      0.25,
      0.0,
      { 0 },
      "hundreds of shapes around it, which cli.yard_slow drives against" },
    { "electric-truck", "yard", 0.25, 0.0, { 0 }, "hundreds of shapes around it" },
    { "hopper",
      "slot",
      0.03,
      5e-3,
      { "N", "60" },
      "piles ends its steps at a thousandth of their first correction; later, which balls meet first" },
    { "prototype-car",
      "guided",
      1.5,
      3e-3,
      { "from", "4.9" },
      "it stands until 5 s; its stiff modes are of first order" },
    { "prototype-car",
      "driven",
      1.5,
      3e-3,
      { "from", "4.9" },
      "it stands until 5 s; its stiff modes are of first order" },
    { "prototype-car", "rigid", 3.5, 0.0, { "from", "4.9" }, "it stands until 5 s" },
    { "prototype-car", "recorded", 1.0, 0.0, { "from", "4.9" }, "it stands until 5 s" },
    { "prototype-car", "measured", 1.0, 0.0, { "from", "4.9" }, "it stands until 5 s" },
    { "prototype-car", "shafts", 1.0, 0.0, { "from", "4.9" }, "it stands until 5 s" },
    { "prototype-car",
      "gear",
      0.5,
      3e-3,
      { "from", "1.9" },
      "a gear at 2 s; its stiff modes are of first order" },
    { "waveboard", "inverse1", 0.1, 0.0, { 0 }, "without its actions (biela inverse) the board falls" },
    { "waveboard", "inverse2", 0.1, 0.0, { 0 }, "without its actions (biela inverse) the board falls" },
    { "waveboard", "inverse3", 0.1, 0.0, { 0 }, "without its actions (biela inverse) the board falls" },
    { "waveboard", "inverse4", 0.1, 0.0, { 0 }, "without its actions (biela inverse) the board falls" },
    { "waveboard", "inverse5", 0.1, 0.0, { 0 }, "without its actions (biela inverse) the board falls" },
    { "waveboard", "quick", 0.1, 0.0, { 0 }, "without its actions (biela inverse) the board falls" },
};
enum { N_EXCEPTION = sizeof exceptions / sizeof *exceptions };

static const exception *exception_of(const char *model, const char *run)
{
    static const exception none = { 0 };
    for (int k = 0; k < N_EXCEPTION; k++) {
        if (strcmp(exceptions[k].model, model) == 0 && strcmp(exceptions[k].run, run) == 0) {
            return &exceptions[k];
        }
    }
    return &none;
}

// One run; false: its formulations differ.
static bool compare_run(const char *model, const char *run)
{
    const exception *own = exception_of(model, run);
    run_case what = {
        .model = model, .run = run, .settings = &own->other, .n_settings = own->other.name != NULL
    };
    run_model probe = run_open(&what);
    what.dt = probe.dt;
    what.time = own->time > 0.0 ? own->time : fmin(probe.time, MOST_STEPS * probe.dt);
    what.scheme = probe.own_scheme;
    run_close(&probe);
    formulation_gap coarse = gap_of(what);
    double worst = fmax(coarse.worst, coarse.stiff), limit = own->limit > 0.0 ? own->limit : agreed,
           half = 0.0;
    bool is_good = worst <= limit;
    if (!is_good && own->limit == 0.0) {
        what.dt *= 0.5;
        formulation_gap fine = gap_of(what);
        half = fmax(fine.worst, fine.stiff);
        is_good = worst <= large && half <= worst / 3.0;
    }
    printf("measured run %s %s dt=%g time=%g gap=%.3e half=%.3e worst=%s%s%s%s\n", model, run, probe.dt,
           what.time, worst, half, coarse.channel, own->why ? " because " : "", own->why ? own->why : "",
           is_good ? "" : " BAD");
    return gap_is_published(model, run, worst) && is_good;
}

static void test_every_named_run_agrees_in_both_formulations(void **state)
{
    (void)state;
    static char name[MAX_MODELS][64];
    int count = list_models(name), bad = 0, compared = 0;
    const char *only = getenv("BIELA_ONLY"); // part of a name: only such models
    for (int k = 0; k < count; k++) {
        char path[512];
        bi_report report = { 0 };
        snprintf(path, sizeof path, "%s/models/%.60s/model.yaml", BI_SOURCE_DIR, name[k]);
        bi_document *file = bi_document_open(path, &report);
        run_require(file != NULL, &report, "the model cannot be read");
        for (int r = 0; (!only || strstr(name[k], only)) && r < bi_document_count(file, "runs"); r++) {
            bad += !compare_run(name[k], bi_document_key(file, "runs", r));
            compared++;
        }
        bi_document_close(file);
        bi_report_clear(&report);
    }
    assert_true(only || compared > 80);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_named_run_agrees_in_both_formulations) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
