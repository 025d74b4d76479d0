// SPDX-License-Identifier: MIT
// How far natural and joint coordinates are apart in a run: two independent ways to the same answer.
#ifndef BIELA_TESTS_SUPPORT_FORMULATION_GAP_H
#define BIELA_TESTS_SUPPORT_FORMULATION_GAP_H

#include "support/list_models.h"

enum { GAP_SAMPLES = 50 };

// Largest difference of any channel over the run, relative to the largest of: its range, a hundredth of its own size (the power of an
// engine at an even speed), a thousandth of the largest number of its unit (forces along the ground against loads; of powers and
// energies a hundredth), a thousandth of the unit.
typedef struct {
    double worst, stiff; // of smooth channels, and of those that stiff modes rule
    char channel[64];
    int compared;
} formulation_gap;

static inline bool gap_ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

// The stiff modes of a flexible body ring faster than the step, and their load follows accelerations that natural coordinates
// project in every step (docs/theory/flex.md): rates and axial forces of bars are of first order there. Places, moments and
// stresses are of second.
static inline bool gap_is_stiff(const char *model, const char *name)
{
    static const char *const end[] = { ".vx", ".vy", ".vz", ".wx", ".wy", ".wz", ".N", "N_mid", "N_mid1" };
    bool is_one = false;
    for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
        is_one |= gap_ends_with(name, end[k]);
    }
    return strncmp(model, "flex-", 5) == 0 && is_one;
}

static inline bool gap_is_comparable(const char *name)
{
    // a balance, or what should be constant, is an error itself
    // (E and energy are the total energy under the name of a reference)
    static const char *const whole[] = { "energy.balance", "energy.total", "E", "energy" };
    // what is counted, or found among many alike, jumps
    static const char *const end[] = { ".points", ".regions", ".at", ".slipping", ".released" };
    bool is_one = true;
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        is_one = is_one && strcmp(name, whole[k]) != 0;
    }
    for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
        is_one = is_one && !gap_ends_with(name, end[k]);
    }
    return is_one;
}

// The channels of a run at GAP_SAMPLES instants, its own equilibrium at the start if it asks for one. Free it.
static inline double *gap_record(const run_case *what, int *n_channel)
{
    run_model run = run_open(what);
    if (run.starts_in_equilibrium) {
        run_require(bi_equilibrium(run.sim, NULL, &run.report) == BI_OK, &run.report, "no equilibrium");
    }
    *n_channel = bi_channel_count(run.system);
    double *out = calloc((size_t)(GAP_SAMPLES * *n_channel), sizeof *out);
    assert_non_null(out);
    for (int k = 0; k < GAP_SAMPLES; k++) {
        run_to(&run, (double)(k + 1) * what->time / GAP_SAMPLES);
        bi_sim_read_all(run.sim, &out[k * *n_channel]);
    }
    run_close(&run);
    return out;
}

// Largest number of any channel of this unit.
static inline double gap_size(const bi_system *system, const double *value, int n, const char *unit)
{
    double most = 0.0;
    for (int c = 0; c < n; c++) {
        bool is_alike = strcmp(bi_channel_unit(system, bi_channel_at(system, c)), unit) == 0;
        for (int k = 0; k < GAP_SAMPLES && is_alike; k++) {
            most = fmax(most, fabs(value[k * n + c]));
        }
    }
    return most;
}

// Of channel c, relative to its range.
static inline double gap_of_channel(const bi_system *system, const double *natural, const double *joint,
                                    int n, int c)
{
    double low = natural[c], high = natural[c], most = 0.0;
    for (int k = 0; k < GAP_SAMPLES; k++) {
        double x = natural[k * n + c], y = joint[k * n + c];
        low = fmin(low, x);
        high = fmax(high, x);
        most = fabs(x - y) <= most ? most : fabs(x - y);
    }
    const char *unit = bi_channel_unit(system, bi_channel_at(system, c));
    // powers and energies of parts are small differences of large ones
    double share = strcmp(unit, "W") == 0 || strcmp(unit, "J") == 0 ? 1e-2 : 1e-3;
    double own = fmax(high - low, 1e-2 * fmax(fabs(low), fabs(high)));
    return most / fmax(own, fmax(1e-3, share * gap_size(system, natural, n, unit)));
}

// what: with dt and time.
static inline formulation_gap gap_of(run_case what)
{
    int n = 0, m = 0;
    what.coordinates = BI_NATURAL;
    double *natural = gap_record(&what, &n);
    what.coordinates = BI_JOINT;
    double *joint = gap_record(&what, &m);
    assert_int_equal(n, m);
    run_model names = run_open(&what);
    formulation_gap out = { 0 };
    for (int c = 0; c < n; c++) {
        const char *name = bi_channel_name(names.system, bi_channel_at(names.system, c));
        double relative = gap_of_channel(names.system, natural, joint, n, c);
        if (gap_is_comparable(name) && gap_is_stiff(what.model, name)) {
            out.stiff = relative <= out.stiff ? out.stiff : relative;
        } else if (gap_is_comparable(name) && !(relative <= out.worst)) {
            out.worst = relative;
            snprintf(out.channel, sizeof out.channel, "%s", name);
        }
        out.compared += gap_is_comparable(name);
    }
    run_close(&names);
    free(natural);
    free(joint);
    return out;
}

// docs/results.md tells about this gap of a run (tools/generate renews its table); false: it tells less than was measured.
static inline bool gap_is_published(const char *model, const char *run, double gap)
{
    FILE *f = fopen(BI_SOURCE_DIR "/docs/results.md", "r");
    assert_non_null(f);
    char line[2048], start[160];
    snprintf(start, sizeof start, "| %.60s | %.60s | ", model, run);
    double told = 0.0;
    while (told == 0.0 && fgets(line, sizeof line, f)) {
        double step, time, value;
        if (strncmp(line, start, strlen(start)) == 0 &&
            sscanf(line + strlen(start), "%lf ms | %lf s | %lf", &step, &time, &value) == 3) {
            told = value;
        }
    }
    fclose(f);
    bool is_less = gap > 1.5 * told && gap > 1e-9;
    if (is_less) {
        printf("%s %s: docs/results.md says %.1e: tools/generate BAD\n", model, run, told);
    }
    return !is_less;
}

#endif
