// SPDX-License-Identifier: MIT
#include "running/cross.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include <biela/loop.h>
#include <biela/names.h>
#include <math.h>
#include <stdlib.h>

// Relative gaps above which two runs of one model do not agree; the same limits as for energy (verdict.12).
static const double doubtful = 0.01, bad = 0.05;
enum { THIS, FORMULATION, STEP, RUNS, SHOWN = 12 };

// ---- three sessions --------------------------------------------------------------------------------------------------

// Error of the coarse run from its difference to the finer one: 2^p / (2^p - 1) times it, p the order.
static double richardson(const session *s)
{
    if (s->run.is_auto) {
        return 1.0; // an eighth of the tolerance: the finer run counts as exact
    }
    double power = ldexp(1.0, bi_scheme_order(s->run.scheme));
    return power / (power - 1.0);
}

// What differs between them; rows are those of the run.
typedef struct {
    char *dt, *finer_dt, *every, *time, *tolerance;
    session_request request[RUNS];
} cross_requests;

static void requests_make(const session *s, const session_request *request, cross_requests *out)
{
    const char *other = s->run.coordinates == BI_NATURAL ? "joint" : "natural";
    out->dt = words_format("%.17g", s->grid.dt);
    out->finer_dt = words_format("%.17g", 0.5 * s->grid.dt);
    out->every = words_format("%.17g", (double)s->grid.steps_per_row * s->grid.dt);
    out->time = words_format("%.17g", s->run.time);
    out->tolerance = words_format("%.17g", fmax(1e-12, s->run.tolerance / 8.0));
    for (int k = 0; k < RUNS; k++) {
        session_request *r = &out->request[k];
        *r = *request;
        r->time = out->time;
        r->every = out->every;
        r->dt = s->run.is_auto ? "auto" : k == STEP ? out->finer_dt : out->dt;
        r->tolerance = s->run.is_auto && k == STEP ? out->tolerance : request->tolerance;
        r->formulation = k == FORMULATION ? other : request->formulation;
    }
}

static void requests_clear(cross_requests *r)
{
    free(r->dt);
    free(r->finer_dt);
    free(r->every);
    free(r->time);
    free(r->tolerance);
}

static bi_status advance(const session *s, double t)
{
    return s->is_kinematic ? bi_kinematics_step_to(s->sim, t) : bi_sim_run_to(s->sim, t);
}

static void print_failure(int which, bi_sim *sim, bi_status status)
{
    static const char *const name[] = { "the run itself", "the other formulation", "half the step" };
    fprintf(stderr, "biela: warning: cross-check: %s failed after t = %.6g s: %s\n", name[which],
            bi_sim_time(sim), bi_status_text(status));
}

// Row by row until one fails or an event ends it.
static bool run_rows(const session *run, session *all, bi_crossing *crossing)
{
    for (int64_t k = 0; k <= run->grid.n_step; k++) {
        if (k > 0 && !time_grid_has_row(&run->grid, k)) {
            continue;
        }
        double t = time_grid_at(&run->grid, k);
        if (interrupt_asked()) {
            return false;
        }
        for (int i = 0; i < RUNS && k > 0; i++) {
            bi_status status = all[i].sim ? advance(&all[i], t) : BI_OK;
            if (status != BI_OK) {
                print_failure(i, all[i].sim, status);
                return false;
            }
            if (all[i].sim && bi_sim_stopped(all[i].sim)) {
                return true;
            }
        }
        bi_crossing_row(crossing, all[THIS].sim, all[FORMULATION].sim, all[STEP].sim);
    }
    return true;
}

// What is known before the first step.
static cross_check cross_begin(const session *s, cross_what what)
{
    cross_check out = { .what = what,
                        .factor = richardson(s),
                        .other = s->run.coordinates == BI_NATURAL ? "joint" : "natural" };
    out.finer = s->run.is_auto ? words_format("a tolerance of %.3g", s->run.tolerance / 8.0)
                               : words_format("steps of %.4g s", 0.5 * s->grid.dt);
    return out;
}

// On stderr, as a verdict is.
static void warn(const cross_check *c)
{
    const bi_gap *g = c->gaps.item;
    fprintf(stderr,
            "biela: %s: cross-check %s: the gap of %s is %.3g of its range (limit %.3g), t = %.6g s; "
            "to try: smaller steps (--dt), or less time\n",
            c->outcome == BI_BAD ? "error" : "warning", bi_outcome_name(c->outcome), g->name, c->gaps.worst,
            c->outcome == BI_BAD ? bad : doubtful, g->t);
}

// Names of channels belong to the system of this run, which stays.
static bool cross_end(session *run, bool ok, cross_check *out)
{
    out->system = run->system;
    bi_sim_destroy(run->sim);
    run->sim = NULL;
    run->system = NULL;
    out->is_done = ok;
    out->outcome = !(out->gaps.worst <= bad) ? BI_BAD : out->gaps.worst > doubtful ? BI_DOUBTFUL : BI_GOOD;
    if (ok && out->what == CROSS_ALL && out->outcome != BI_GOOD && out->gaps.count > 0) {
        warn(out);
    }
    return ok;
}

static void print_no_start(const session *s)
{
    session_print_messages(s);
    fputs("biela: warning: cross-check: this run cannot start\n", stderr);
}

bool cross_run(const session *s, const session_request *request, cross_what what, cross_check *out)
{
    *out = cross_begin(s, what);
    session all[RUNS] = { { 0 } };
    cross_requests requests;
    requests_make(s, request, &requests);
    session_kept *kept = session_kept_create(); // one model for all of them
    bool ok = true;
    for (int k = 0; k < RUNS && ok; k++) {
        if (k == FORMULATION && what != CROSS_ALL) {
            continue;
        }
        requests.request[k].kept = kept;
        ok = session_open(&all[k], &requests.request[k]) == CLI_OK;
        all[k].is_kinematic = s->is_kinematic;
        if (!ok) {
            print_no_start(&all[k]);
        }
    }
    bi_crossing *crossing = ok ? bi_crossing_create(all[THIS].system) : NULL;
    ok = crossing && run_rows(s, all, crossing) && bi_crossing_end(crossing, &out->gaps);
    bi_crossing_destroy(crossing);
    cross_end(&all[THIS], ok, out);
    for (int k = 0; k < RUNS; k++) {
        session_close(&all[k]);
    }
    session_kept_destroy(kept);
    requests_clear(&requests);
    return ok;
}

// ---- three replays ---------------------------------------------------------------------------------------------------

// Step by step of the recording until one fails.
static bool replay_rows(rerun *all, bi_crossing *crossing)
{
    bi_crossing_row(crossing, all[THIS].s.sim, all[FORMULATION].s.sim, all[STEP].s.sim);
    while (all[THIS].step < all[THIS].steps && !interrupt_asked()) {
        int64_t row = all[THIS].step + 1;
        for (int i = 0; i < RUNS; i++) {
            while (all[i].step < row * all[i].ratio) {
                bi_status status = rerun_step(&all[i]);
                if (status != BI_OK) {
                    print_failure(i, all[i].s.sim, status);
                    return false;
                }
            }
        }
        bi_crossing_row(crossing, all[THIS].s.sim, all[FORMULATION].s.sim, all[STEP].s.sim);
    }
    return !interrupt_asked();
}

bool cross_replay(const rerun_source *src, const bi_setting *more, int n_more, cross_check *out)
{
    rerun all[RUNS] = { { 0 } };
    bool ok = rerun_open(&all[THIS], src, more, n_more, 1) == CLI_OK;
    *out = ok ? cross_begin(&all[THIS].s, CROSS_ALL) : (cross_check){ .what = CROSS_ALL };
    ok = ok && rerun_open(&all[STEP], src, more, n_more, 2) == CLI_OK &&
         rerun_open_formulation(&all[FORMULATION], src, more, n_more, out->other) == CLI_OK;
    for (int k = 0; k < RUNS && !ok; k++) {
        if (all[k].s.report.count > 0 && !all[k].s.sim) {
            print_no_start(&all[k].s);
        }
    }
    bi_crossing *crossing = ok ? bi_crossing_create(all[THIS].s.system) : NULL;
    ok = crossing && replay_rows(all, crossing) && bi_crossing_end(crossing, &out->gaps);
    bi_crossing_destroy(crossing);
    cross_end(&all[THIS].s, ok, out);
    for (int k = 0; k < RUNS; k++) {
        rerun_close(&all[k]);
    }
    return ok;
}

// ---- the answer -----------------------------------------------------------------------------------------------------------

static const char *odd_in_words(const cross_check *c)
{
    switch (c->gaps.odd) {
    case BI_CROSS_THIS: return "this run differs from the other two";
    case BI_CROSS_FORMULATION: return "the other formulation differs from the other two";
    case BI_CROSS_STEP: return "the steps make the difference: half of them is elsewhere";
    case BI_CROSS_NONE: return "none of the three stands out";
    }
    return "";
}

static void print_errors(const cross_check *c)
{
    puts("  estimated error (half the step)      of the range");
    for (int k = 0; k < c->gaps.count; k++) {
        const bi_gap *g = &c->gaps.item[k];
        double error = c->factor * g->step;
        printf("    %-24s %.2e   ", g->name, error);
        printf(g->range > 0.0 ? "%.1e\n" : "-\n", error / g->range);
    }
}

void cross_print(const cross_check *c)
{
    if (!c->is_done) {
        return;
    }
    if (c->what == CROSS_STEP) {
        print_errors(c);
        return;
    }
    printf("  cross-check   %s: largest gap %.2e of a range; %s\n", bi_outcome_name(c->outcome),
           c->gaps.worst, odd_in_words(c));
    printf("    gaps of the range        %-10s  %-22s  at t\n", c->other, c->finer);
    for (int k = 0; k < c->gaps.count && k < SHOWN; k++) {
        const bi_gap *g = &c->gaps.item[k];
        printf("    %-24s %.2e    %-22.2e  %.6g\n", g->name, bi_gap_relative(g, g->formulation),
               bi_gap_relative(g, g->step), g->t);
    }
    if (c->gaps.count > SHOWN) {
        printf("    and %d channels with smaller gaps (--json has all)\n", c->gaps.count - SHOWN);
    }
}

static void json_errors(json *j, const cross_check *c)
{
    json_object(j, "verify");
    for (int k = 0; k < c->gaps.count; k++) {
        json_object(j, c->gaps.item[k].name);
        json_number(j, "error", c->factor * c->gaps.item[k].step);
        json_number(j, "range", c->gaps.item[k].range);
        json_end(j);
    }
    json_end(j);
}

void cross_json(json *j, const cross_check *c)
{
    static const char *const odd[] = { [BI_CROSS_NONE] = "none",
                                       [BI_CROSS_THIS] = "this",
                                       [BI_CROSS_FORMULATION] = "formulation",
                                       [BI_CROSS_STEP] = "step" };
    if (!c->is_done) {
        return;
    }
    if (c->what == CROSS_STEP) {
        json_errors(j, c);
        return;
    }
    json_object(j, "cross_check");
    json_text(j, "outcome", bi_outcome_name(c->outcome));
    json_number(j, "worst", c->gaps.worst);
    json_text(j, "differs", odd[c->gaps.odd]);
    json_text(j, "other_formulation", c->other);
    json_array(j, "channels");
    for (int k = 0; k < c->gaps.count; k++) {
        const bi_gap *g = &c->gaps.item[k];
        json_object(j, NULL);
        json_text(j, "name", g->name);
        json_number(j, "range", g->range);
        json_number(j, "formulation", g->formulation);
        json_number(j, "step", g->step);
        json_number(j, "between", g->between);
        json_number(j, "time", g->t);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

void cross_clear(cross_check *c)
{
    bi_cross_clear(&c->gaps);
    bi_system_destroy(c->system);
    free(c->finer);
    *c = (cross_check){ 0 };
}
