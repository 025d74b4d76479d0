// SPDX-License-Identifier: MIT
// Natural and joint coordinates are two independent ways to the same answer: every model of models/ runs in both, and the gap between them
// falls with the square of the step, as the error of each does.
#include "support/list_models.h"

enum { SAMPLES = 50 };

// Largest difference of any channel over the run, relative to the channel's range (or 1e-3 of its unit, if larger).
typedef struct {
    double worst, stiff; // of smooth channels, and of those that stiff modes rule
    char channel[64];
    int compared;
} gap;

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

// The stiff modes of a flexible body ring faster than the step, and their load follows accelerations that natural coordinates
// project in every step (docs/theory/flex.md): rates and axial forces of bars are of first order there. Places, moments and
// stresses are of second.
static bool is_stiff(const char *model, const char *name)
{
    static const char *const end[] = { ".vx", ".vy", ".vz", ".wx", ".wy", ".wz", ".N", "N_mid", "N_mid1" };
    bool is_one = false;
    for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
        is_one |= ends_with(name, end[k]);
    }
    return strncmp(model, "flex-", 5) == 0 && is_one;
}

static bool is_comparable(const char *name)
{
    // a balance, or what should be constant, is an error itself
    // (E and energy are the total energy under the name of a reference)
    return strcmp(name, "energy.balance") != 0 && strcmp(name, "energy.total") != 0 &&
           strcmp(name, "E") != 0 && strcmp(name, "energy") != 0;
}

// A bicycle that rides straight has no forces along the ground to compare with: let it drop on its tyres and be pedalled.
static const bi_setting ride[] = {
    { "settled", "0" }, { "T_pedal", "60" }, { "pedal_from", "0" }, { "pedal_to", "0.3" }
};

static double *record(const char *model, bi_scheme scheme, bi_coordinates coordinates, double dt, double time,
                      int *n_channel)
{
    run_case what = { .model = model, .scheme = scheme, .dt = dt, .time = time, .coordinates = coordinates };
    if (strcmp(model, "bicycle") == 0) {
        what.settings = ride;
        what.n_settings = 4;
    }
    run_model run = run_open(&what);
    *n_channel = bi_channel_count(run.system);
    double *out = calloc((size_t)(SAMPLES * *n_channel), sizeof *out);
    assert_non_null(out);
    for (int k = 0; k < SAMPLES; k++) {
        double t = (double)(k + 1) * time / SAMPLES;
        run_to(&run, t);
        bi_sim_read_all(run.sim, &out[k * *n_channel]);
    }
    run_close(&run);
    return out;
}

static gap gap_of(const char *model, bi_scheme scheme, double dt, double time)
{
    int n = 0, m = 0;
    double *natural = record(model, scheme, BI_NATURAL, dt, time, &n);
    double *joint = record(model, scheme, BI_JOINT, dt, time, &m);
    assert_int_equal(n, m);
    run_model names = run_open(&(run_case){ .model = model });
    gap out = { 0 };
    for (int c = 0; c < n; c++) {
        const char *name = bi_channel_name(names.system, bi_channel_at(names.system, c));
        double low = natural[c], high = natural[c], most = 0.0;
        for (int k = 0; k < SAMPLES; k++) {
            double x = natural[k * n + c], y = joint[k * n + c];
            low = fmin(low, x);
            high = fmax(high, x);
            most = fabs(x - y) <= most ? most : fabs(x - y);
        }
        double relative = most / fmax(high - low, fmax(1e-3, 1e-3 * fabs(high)));
        if (is_comparable(name) && is_stiff(model, name)) {
            out.stiff = relative <= out.stiff ? out.stiff : relative;
        } else if (is_comparable(name) && !(relative <= out.worst)) {
            out.worst = relative;
            snprintf(out.channel, sizeof out.channel, "%s", name);
        }
        out.compared += is_comparable(name);
    }
    run_close(&names);
    free(natural);
    free(joint);
    return out;
}

// What the README says of a model (tools/generate renews the table), or 0.
static double published_gap(const char *model)
{
    FILE *f = fopen(BI_SOURCE_DIR "/README.md", "r");
    assert_non_null(f);
    char line[2048], start[80];
    snprintf(start, sizeof start, "| %.60s | ", model);
    double out = 0.0;
    while (out == 0.0 && fgets(line, sizeof line, f)) {
        double step, value;
        if (strncmp(line, start, strlen(start)) == 0 &&
            sscanf(line + strlen(start), "%lf ms | %lf", &step, &value) == 2) {
            out = value;
        }
    }
    fclose(f);
    return out;
}

static void test_every_model_agrees_in_both_formulations(void **state)
{
    (void)state;
    static char name[MAX_MODELS][64];
    int count = list_models(name), bad = 0;
    assert_true(count > 0);
    const char *only = getenv("BIELA_ONLY"); // part of a name: only such models
    for (int k = 0; k < count; k++) {
        if (only && !strstr(name[k], only)) {
            continue;
        }
        run_model probe = run_open(&(run_case){ .model = name[k] });
        // some hundred steps at the model's own step show a difference; the order shows that it is only the step's
        double dt = probe.dt, time = fmin(probe.time, 400.0 * dt);
        bi_scheme scheme = probe.own_scheme;
        run_close(&probe);
        gap coarse = gap_of(name[k], scheme, dt, time), fine = gap_of(name[k], scheme, 0.5 * dt, time);
        // below 1e-5 it is what iterations leave; the prototype car stands still here, its channels move by micrometres
        bool is_good = coarse.worst <= 5e-3 && (fine.worst <= 1e-5 || fine.worst <= coarse.worst / 3.0);
        // measured at most 9e-3 of the range
        is_good =
            is_good && coarse.stiff <= 1.2e-2 && (fine.stiff <= 2e-4 || fine.stiff <= coarse.stiff / 2.0);
        printf("measured gap %s dt=%g natural-joint=%.3e half=%.3e worst=%s channels=%d%s\n", name[k], dt,
               coarse.worst, fine.worst, coarse.channel, coarse.compared, is_good ? "" : " BAD");
        if (coarse.stiff > 0.0) {
            printf("measured gap %s of rates and axial forces %.3e half=%.3e\n", name[k], coarse.stiff,
                   fine.stiff);
        }
        bad += !is_good;
        double told = published_gap(name[k]);
        if (told == 0.0) {
            printf("%s is not in the table of the README: tools/generate\n", name[k]);
        } else if (coarse.worst > 1.5 * told && coarse.worst > 1e-9) {
            printf("%s: the README says %.1e: tools/generate BAD\n", name[k], told);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_model_agrees_in_both_formulations) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
