// SPDX-License-Identifier: MIT
// Three families of runs of a model (natural coordinates, joint coordinates, another scheme), each with a step and half of it.
// What calls itself good must agree:
//   - the steps of a family show its own error e. At half the step it is e at most in a scheme of first order, e/3 in one of second; so
//     the fine runs of two families differ by no more than e1 + e2. Three times that, and what the iterations leave, is allowed.
//   - e itself is small: a run whose error is a good part of the motion must not call itself good.
#include "compare.h"
#include <biela/io.h>
#include <biela/verdict.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAMILIES = 3, STEPS = 2, ROWS = 20 };

const char *came_name(came c)
{
    static const char *const name[CAMES] = { "good", "doubtful", "bad", "stopped", "refused", "WRONG" };
    return name[c];
}

const char *wrong_name(wrong w)
{
    static const char *const name[WRONGS] = { "nothing", "motion",   "effort", "energy", "state",
                                              "finite",  "snapshot", "crash",  "hang" };
    return name[w];
}

typedef struct {
    bi_options options;
    char name[48];
    bi_status status;
    bool is_refused, is_one_of_many; // the equilibrium it starts from is not the only one, as it told
    bi_verdict verdict;
    double *value; // (ROWS + 1)(n_channel)
    char failure[240];
    int redundant; // at the start and at the end, added
} trial;

typedef struct {
    bi_model *model;
    bi_run run;
    trial trial[FAMILIES][STEPS];
    int n_channel;
    char (*name)[64];
    char (*unit)[24];
    outcome out;
} comparison;

// ---- one run ---------------------------------------------------------------------------------------------------------------

static void change_inputs(const comparison *c, const bi_system *s, bi_sim *sim)
{
    for (int k = 0; k < bi_input_count(s); k++) {
        bi_sim_input(sim, bi_find_input(s, bi_input_name(s, k)), 0.5);
    }
    (void)c;
}

static bi_status begin(const comparison *c, trial *t, bi_sim *sim, bi_report *report)
{
    bi_status status = bi_sim_start(sim, report);
    if (status == BI_OK && c->run.starts_in_equilibrium) {
        bi_balance balance = { 0 };
        status = bi_equilibrium(sim, &balance, report);
        t->is_one_of_many = balance.soft + balance.unstable > 0;
    }
    t->is_refused = status != BI_OK;
    return status;
}

static int redundant_now(bi_sim *sim)
{
    bi_info info = { 0 };
    bi_report report = { 0 };
    bi_sim_info(sim, &info, &report);
    bi_report_clear(&report);
    return abs(info.redundant);
}

// Restored in the middle, without being looked at in between, a run must end with the same bits.
static void check_snapshot(comparison *c, const trial *t, const bi_system *s, const void *saved, size_t size,
                           uint64_t hash)
{
    bi_sim *sim = bi_sim_create(s);
    bi_status status = bi_sim_load(sim, saved, size);
    change_inputs(c, s, sim);
    int64_t steps = llround(c->run.time / t->options.dt), half = steps / 2;
    for (int64_t k = half; k < steps && status == BI_OK; k++) {
        status = bi_sim_step(sim);
    }
    if (status != BI_OK || bi_sim_hash(sim) != hash) {
        c->out = (outcome){ CAME_WRONG, WRONG_SNAPSHOT, "snapshot", "" };
        snprintf(c->out.text, sizeof c->out.text, "restored in the middle, the run %s ends with %s", t->name,
                 status == BI_OK ? "other bits" : bi_status_text(status));
    }
    bi_sim_destroy(sim);
}

static void step_all(comparison *c, trial *t, const bi_system *s, bi_sim *sim)
{
    int64_t steps = llround(c->run.time / t->options.dt), half = steps / 2;
    size_t size = 0;
    void *saved = NULL;
    int row = 0;
    for (int64_t k = 0; t->status == BI_OK && k <= steps; k++) {
        if (k == half) {
            size = bi_sim_save(sim, NULL, 0);
            saved = malloc(size);
            bi_sim_save(sim, saved, size);
            change_inputs(c, s, sim);
        }
        for (; row <= ROWS && k >= (int64_t)row * steps / ROWS; row++) {
            bi_sim_read_all(sim, &t->value[row * c->n_channel]);
        }
        t->status = k < steps ? bi_sim_step(sim) : BI_OK;
    }
    bool is_coarse = t->options.dt == c->run.dt;
    if (t->status == BI_OK && is_coarse && c->out.wrong == WRONG_NOTHING) {
        check_snapshot(c, t, s, saved, size, bi_sim_hash(sim));
    }
    free(saved);
}

static void note_channels(comparison *c, const bi_system *s)
{
    c->n_channel = bi_channel_count(s);
    c->name = calloc((size_t)c->n_channel + 1, sizeof *c->name);
    c->unit = calloc((size_t)c->n_channel + 1, sizeof *c->unit);
    for (int k = 0; k < c->n_channel; k++) {
        snprintf(c->name[k], sizeof *c->name, "%s", bi_channel_name(s, bi_channel_at(s, k)));
        snprintf(c->unit[k], sizeof *c->unit, "%s", bi_channel_unit(s, bi_channel_at(s, k)));
    }
}

static void keep_failure(trial *t, const bi_report *report)
{
    for (int k = 0; k < report->count && !t->failure[0]; k++) {
        if (report->issue[k].severity == BI_ERROR) {
            snprintf(t->failure, sizeof t->failure, "%s: %s", report->issue[k].where, report->issue[k].what);
        }
    }
}

static void run_trial(comparison *c, trial *t)
{
    bi_report report = { 0 };
    bi_system *s = bi_compile(c->model, &t->options, &report);
    bi_sim *sim = s ? bi_sim_create(s) : NULL;
    if (s && c->n_channel == 0) {
        note_channels(c, s);
    }
    t->value = calloc((size_t)(c->n_channel + 1) * (ROWS + 1), sizeof *t->value);
    t->is_refused = !sim;
    t->status = sim ? begin(c, t, sim, &report) : BI_BAD_MODEL;
    if (t->status == BI_OK) {
        t->redundant = redundant_now(sim);
        step_all(c, t, s, sim);
        t->redundant += t->status == BI_OK ? redundant_now(sim) : 0;
        t->verdict = bi_sim_verdict(sim);
        snprintf(t->failure, sizeof t->failure, "%s", bi_sim_failure(sim));
    } else {
        keep_failure(t, &report);
    }
    bi_sim_destroy(sim);
    bi_system_destroy(s);
    bi_report_clear(&report);
}

// ---- how far two runs are apart ------------------------------------------------------------------------------------------------

static bool is_good(const trial *t)
{
    return t->value && !t->is_refused && !t->is_one_of_many && t->status == BI_OK &&
           t->verdict.outcome == BI_GOOD;
}

static double range_of(const comparison *c, int channel)
{
    double low = INFINITY, high = -INFINITY;
    for (int f = 0; f < FAMILIES; f++) {
        const trial *t = &c->trial[f][STEPS - 1];
        for (int r = 0; r <= ROWS && is_good(t); r++) {
            double x = t->value[r * c->n_channel + channel];
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    return high > low ? high - low : 0.0;
}

static double size_of(const comparison *c, int channel)
{
    double most = 0.0;
    for (int f = 0; f < FAMILIES; f++) {
        const trial *t = &c->trial[f][STEPS - 1];
        for (int r = 0; r <= ROWS && is_good(t); r++) {
            most = fmax(most, fabs(t->value[r * c->n_channel + channel]));
        }
    }
    return most;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static wrong kind_of(const comparison *c, int channel)
{
    const char *u = c->unit[channel], *name = c->name[channel];
    bool is_place =
        strcmp(u, "m") == 0 || strcmp(u, "rad") == 0 || strcmp(u, "m/s") == 0 || strcmp(u, "rad/s") == 0;
    if (starts_with(name, "energy.")) {
        return WRONG_ENERGY;
    }
    if (starts_with(name, "R_") || starts_with(name, "E_") || starts_with(name, "C_") ||
        starts_with(name, "T_") || starts_with(name, "X_")) {
        return WRONG_EFFORT;
    }
    return is_place ? WRONG_MOTION : WRONG_STATE;
}

// Reactions are unique only where nothing is redundant; a balance is an error itself.
static bool is_comparable(const comparison *c, const trial *a, const trial *b, int channel)
{
    const char *name = c->name[channel];
    bool is_reaction = starts_with(name, "R_") || starts_with(name, "E_c");
    return !ends_with(name, "balance") && !(is_reaction && a->redundant + b->redundant > 0);
}

// Positions are compared where they are farthest apart; what may jump (speeds, forces, energies at an impact) in the mean: an impact that comes
// half a step later is no other impact.
static bool is_position(const comparison *c, int channel)
{
    const char *u = c->unit[channel];
    return strcmp(u, "m") == 0 || strcmp(u, "rad") == 0;
}

static bool is_by_size(const comparison *c, int channel)
{
    wrong kind = kind_of(c, channel);
    return kind == WRONG_EFFORT || kind == WRONG_STATE;
}

// Range, or size: an effort that holds a weight has no range, and energies are judged by what moves, not by what changes.
static double extent_of(const comparison *c, int channel)
{
    double least = kind_of(c, channel) == WRONG_ENERGY ? 0.01 * size_of(c, channel) : 0.0;
    return is_by_size(c, channel) ? size_of(c, channel) : fmax(range_of(c, channel), least);
}

static double extent_of_unit(const comparison *c, int channel)
{
    double most = 0.0;
    for (int k = 0; k < c->n_channel; k++) {
        if (strcmp(c->unit[k], c->unit[channel]) == 0) {
            most = fmax(most, extent_of(c, k));
        }
    }
    return most;
}

// What a gap between families is measured by: the channel's extent, and a part of what others of its unit do.
static double scale_of(const comparison *c, int channel)
{
    static const double share = 0.1, least = 1e-2; // least of the unit: a centimetre
    return fmax(fmax(extent_of(c, channel), share * extent_of_unit(c, channel)), least);
}

static double gap_of(const comparison *c, const trial *a, const trial *b, int channel)
{
    double most = 0.0, sum = 0.0;
    for (int r = 0; r <= ROWS; r++) {
        double gap = fabs(a->value[r * c->n_channel + channel] - b->value[r * c->n_channel + channel]);
        // angles of a start at half a turn may begin on either side of it
        gap = strcmp(c->unit[channel], "rad") == 0 ? fabs(remainder(gap, 2.0 * 3.14159265358979323846)) : gap;
        most = gap <= most ? most : gap;
        sum += gap;
    }
    return is_position(c, channel) ? most : sum / (ROWS + 1);
}

// ---- judgement -----------------------------------------------------------------------------------------------------------------

static bool has_contact(const comparison *c)
{
    for (int k = 0; k < c->n_channel; k++) {
        if (starts_with(c->name[k], "C_")) {
            return true;
        }
    }
    return false;
}

// Of the scale. Iterations end when the last correction is a thousandth of the first one, so what follows of it in a step of second order
// is far below these. An effort that jumps (friction that lets go, a touch) may do so on the other side of one row, which is this share
// of their mean; energies follow which facet of a shape is touched first.
static double rest_of(const comparison *c, int channel)
{
    // edges and facets that touch in another order, and angles whose middle one is near a quarter turn
    bool is_turn = strstr(c->name[channel], ".angle1") || strstr(c->name[channel], ".angle3");
    switch (kind_of(c, channel)) {
    case WRONG_EFFORT: return 1.0 / (ROWS + 1);
    case WRONG_ENERGY: return 1e-2;
    case WRONG_MOTION: return has_contact(c) ? 5e-2 : is_turn ? 1e-2 : 1e-3;
    default: return 1e-3;
    }
}

// The largest error of a run that calls itself good. The verdict promises local errors of 5 % of the mechanism's size, which is about a metre;
// the motion may amplify them, four times is allowed. Of the others it promises less: that most of them is right. A force that comes at
// once makes a bar without damping ring along its axis, faster than any step follows: half of such an effort, and a little.
static double most_of(const comparison *c, int channel)
{
    double extent = extent_of_unit(c, channel), share = kind_of(c, channel) == WRONG_EFFORT ? 0.6 : 0.5;
    return is_position(c, channel) ? 0.2 * fmax(extent, 0.5) : share * fmax(extent, 1e-2);
}

static void complain(comparison *c, const trial *a, const trial *b, int channel, double gap, double allowed)
{
    wrong kind = kind_of(c, channel);
    if (c->out.wrong != WRONG_NOTHING) {
        return;
    }
    c->out.came = CAME_WRONG;
    c->out.wrong = isnan(gap) ? WRONG_FINITE : kind;
    snprintf(c->out.reason, sizeof c->out.reason, "%s", wrong_name(c->out.wrong));
    snprintf(c->out.text, sizeof c->out.text,
             "%s of %s and %s, both good, differ by %.2e; allowed %.2e, scale %.2e", c->name[channel],
             a->name, b->name, gap, allowed, scale_of(c, channel));
}

static void check_pair(comparison *c, const trial *a, const trial *b, const double *allowed)
{
    for (int k = 0; k < c->n_channel && c->out.wrong == WRONG_NOTHING; k++) {
        double gap = gap_of(c, a, b, k);
        if (is_comparable(c, a, b, k) && !(gap <= allowed[k])) {
            complain(c, a, b, k, gap, allowed[k]);
        }
    }
}

// Both steps of a family are good: their difference is small.
static void check_family(comparison *c, const trial *t, double *own)
{
    double *allowed = calloc((size_t)c->n_channel + 1, sizeof *allowed);
    for (int k = 0; k < c->n_channel; k++) {
        allowed[k] = most_of(c, k);
        own[k] = gap_of(c, &t[0], &t[1], k);
    }
    check_pair(c, &t[0], &t[1], allowed);
    free(allowed);
}

static void check_families(comparison *c, int f, int g, const double *own_f, const double *own_g)
{
    double *allowed = calloc((size_t)c->n_channel + 1, sizeof *allowed);
    for (int k = 0; k < c->n_channel; k++) {
        allowed[k] = fmin(most_of(c, k), 3.0 * (own_f[k] + own_g[k]) + rest_of(c, k) * scale_of(c, k));
    }
    check_pair(c, &c->trial[f][1], &c->trial[g][1], allowed);
    free(allowed);
}

// Two equilibria far from where it was described: both are right.
static bool starts_elsewhere(const comparison *c, int f, int g)
{
    const double *a = c->trial[f][1].value, *b = c->trial[g][1].value;
    bool is_far = false;
    for (int k = 0; k < c->n_channel && c->run.starts_in_equilibrium; k++) {
        is_far |= is_position(c, k) && fabs(a[k] - b[k]) > 1e-3;
    }
    return is_far;
}

static bool is_good_family(const comparison *c, int f)
{
    return is_good(&c->trial[f][0]) && is_good(&c->trial[f][1]);
}

static void check_all(comparison *c)
{
    double *own[FAMILIES];
    for (int f = 0; f < FAMILIES; f++) {
        own[f] = calloc((size_t)c->n_channel + 1, sizeof **own);
        if (is_good_family(c, f)) {
            check_family(c, c->trial[f], own[f]);
        }
    }
    for (int f = 0; f < FAMILIES; f++) {
        for (int g = f + 1; g < FAMILIES; g++) {
            bool are_good = is_good_family(c, f) && is_good_family(c, g);
            if (are_good && starts_elsewhere(c, f, g)) {
                c->out.came = CAME_DOUBTFUL;
                snprintf(c->out.reason, sizeof c->out.reason, "other equilibrium");
            } else if (are_good) {
                check_families(c, f, g, own[f], own[g]);
            }
        }
    }
    for (int f = 0; f < FAMILIES; f++) {
        free(own[f]);
    }
}

// ---- what it came to -----------------------------------------------------------------------------------------------------------

static came came_of(const trial *t)
{
    if (t->is_refused) {
        return CAME_REFUSED;
    }
    if (t->status != BI_OK) {
        return CAME_STOPPED;
    }
    return t->verdict.outcome == BI_GOOD  ? CAME_GOOD
           : t->verdict.outcome == BI_BAD ? CAME_BAD
                                          : CAME_DOUBTFUL;
}

// The worst of the runs of natural and joint coordinates; another scheme may refuse what it cannot do.
static void sum_up(comparison *c)
{
    for (int f = 0; f < 2 && c->out.came != CAME_WRONG; f++) {
        for (int s = 0; s < STEPS; s++) {
            const trial *t = &c->trial[f][s];
            came now = came_of(t);
            if (now > c->out.came) {
                c->out.came = now;
                snprintf(c->out.reason, sizeof c->out.reason, "%s",
                         now == CAME_STOPPED || now == CAME_REFUSED ? bi_status_text(t->status)
                                                                    : t->verdict.item[0].name);
                snprintf(c->out.text, sizeof c->out.text, "%s: %.160s", t->name,
                         now == CAME_STOPPED || now == CAME_REFUSED ? t->failure : t->verdict.line);
            }
        }
    }
}

static void choose_trials(comparison *c, unsigned choice)
{
    static const struct {
        bi_scheme scheme;
        const char *name;
    } other[] = { { BI_INDEX1_RK4, "rk4" },
                  { BI_DOPRI5, "dopri5" },
                  { BI_ALI3P_ALPHA, "ali3p-alpha" },
                  { BI_HEUN, "heun" },
                  { BI_EULER, "euler" },
                  { BI_ALI3P_FLEX, "ali3p-flex" },
                  { BI_SEMI_IMPLICIT_EULER, "semi-implicit-euler" } };
    unsigned which = choice % (sizeof other / sizeof *other);
    for (int f = 0; f < FAMILIES; f++) {
        for (int s = 0; s < STEPS; s++) {
            trial *t = &c->trial[f][s];
            bool is_joint = f == 1 || (f == 2 && choice / 7 % 2 == 1);
            t->options =
                (bi_options){ .dt = s == 0 ? c->run.dt : 0.5 * c->run.dt,
                              .coordinates = is_joint ? BI_JOINT : BI_NATURAL,
                              .scheme = f == 2 ? other[which].scheme : BI_ALI3P,
                              .damping = f == 2 && other[which].scheme == BI_ALI3P_ALPHA ? 0.1 : 0.0 };
            snprintf(t->name, sizeof t->name, "%s %s h%s", is_joint ? "joint" : "natural",
                     f == 2 ? other[which].name : "ali3p", s == 0 ? "" : "/2");
        }
    }
}

static void refuse(comparison *c, const bi_report *report)
{
    trial none = { 0 };
    keep_failure(&none, report);
    c->out = (outcome){ CAME_REFUSED, WRONG_NOTHING, "not read", "" };
    snprintf(c->out.text, sizeof c->out.text, "%s", none.failure);
}

outcome compare_model(const char *yaml, unsigned choice)
{
    comparison *c = calloc(1, sizeof *c);
    bi_report report = { 0 };
    c->model = bi_read_model_text(yaml, strlen(yaml), "random.yaml", NULL, 0, NULL, &c->run, &report);
    if (!c->model || report.errors > 0) {
        refuse(c, &report);
    } else {
        choose_trials(c, choice);
        for (int f = 0; f < FAMILIES; f++) {
            for (int s = 0; s < STEPS; s++) {
                run_trial(c, &c->trial[f][s]);
            }
        }
        if (c->out.wrong == WRONG_NOTHING) {
            check_all(c);
        }
        sum_up(c);
    }
    outcome out = c->out;
    for (int f = 0; f < FAMILIES; f++) {
        for (int s = 0; s < STEPS; s++) {
            free(c->trial[f][s].value);
        }
    }
    free(c->name);
    free(c->unit);
    bi_model_destroy(c->model);
    bi_report_clear(&report);
    free(c);
    return out;
}
