// SPDX-License-Identifier: MIT
/* bench - our speed and accuracy on published problems, beside the numbers of other programs.
 *
 * A problem says what is right; a case is one line: size, scheme, step, the goal, and what others need. The times of
 * the others were measured on one machine (2 cores, 2.8 GHz); ratios within one run are what counts. */
#include "cli/options.h"
#include "cli/words.h"
#include "measure/bench_batch.h"
#include "measure/bench_contact.h"
#include "measure/bench_flex.h"
#include "measure/bench_machines.h"
#include "running/session.h"
#include <biela/names.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    const char *row, *title, *model, *size; // size: the parameter that the cases change
    double time;                            // simulated, s
    double drift, violation, tip;           // limits: J, m, m
    double angle, rate;                     // exact motion of one degree of freedom: rad and rad/s at t = 0,
    double (*acceleration)(int n, double angle); // its law, rad/s2,
    const char *tip_x, *tip_y;                   // and the channels that are its cosine and sine
    const char *checked;                         // or: a channel whose value at `instant` is known
    double instant, value;                       // s, and the channel's unit
    bool is_total;                               // goals and others are s of a whole run
} bench_problem;

typedef struct {
    const bench_problem *problem;
    int n;
    bi_scheme scheme;
    const char *formulation;      // NULL: natural
    const char *dt;               // s
    double goal;                  // CPU s per simulated s; 0: none
    double mujoco, chrono, mbdyn; // the same of others at their best step; 0: not known
} bench_case;

typedef struct {
    exit_code code;               // of making or stepping it
    double cost;                  // CPU s per simulated s, best of several runs
    double drift, violation, tip; // largest at the steps: J, m, m
    double per_step;              // s
} bench_result;

// N windows of rods with 1 m and 1 kg under 9.81 m/s2, on the branch of parallel rods.
static double four_bars_acceleration(int n, double angle)
{
    double inertia = (n + 1) / 3.0 + n;
    return -9.81 * ((n + 1) / 2.0 + n) * cos(angle) / inertia;
}

static const bench_problem B1 = {
    .row = "B1",
    .title = "N four-bars through their singular position",
    .model = "four-bars",
    .size = "N",
    .time = 10.0,
    .drift = 0.1,
    .violation = 1e-8,
    .tip = 1e-2,
    .angle = 1.57079632679489661923,
    .rate = -1.0,
    .acceleration = four_bars_acceleration,
    .tip_x = "B0.x",
    .tip_y = "B0.y",
};

// A chain of N links of 1 m and 1 kg that falls from the horizontal: only the energy tells what is right.
static const bench_problem B2 = {
    .row = "B2",
    .title = "open chain of N links",
    .model = "chain",
    .size = "N",
    .time = 1.0,
    .drift = 0.1,
    .violation = 1e-8,
};

// Andrews' squeezer; the angle of the crank at 0.03 s from the published solution.
#define ANDREWS(what, error)                                                                                 \
    {                                                                                                        \
        .row = "B3", .title = "Andrews' squeezer, s of the whole run, " what, .model = "andrews",            \
        .time = 0.05, .drift = 1.0, .violation = 1e-8, .tip = (error), .checked = "crank.angle",             \
        .instant = 0.03, .value = 15.810771195153576, .is_total = true                                       \
    }
static const bench_problem B3 = ANDREWS("tip: crank at 0.03 s in rad", 1e-3);
static const bench_problem B3_fine = ANDREWS("to 3e-5 rad", 3e-5);

/* clang-format off */
static const bench_case cases[] = {
    /* problem n  scheme          set      dt        goal    MuJoCo  Chrono  MBDyn */
    { &B1,    1, BI_DOPRI5,     "joint", "100e-3", 4e-5,   1.4e-3, 3.0e-3, 6.3e-3 },
    { &B1,    1, BI_INDEX1_RK4, NULL,    "20e-3",  0.0,    1.4e-3, 3.0e-3, 6.3e-3 },
    { &B1,    1, BI_ALI3P,      NULL,    "2.5e-3", 0.0,    1.4e-3, 3.0e-3, 6.3e-3 },
    { &B1,   40, BI_INDEX1_RK4, NULL,    "20e-3",  1.5e-3, 4.0e-2, 0.42,   0.55   },
    { &B1,   40, BI_ALI3P,      NULL,    "2.5e-3", 6e-3,   4.0e-2, 0.42,   0.55   },
    { &B1,  400, BI_INDEX1_RK4, NULL,    "15e-3",  2e-2,   0.309,  1.4,    24.0   },
    { &B1,  400, BI_ALI3P,      NULL,    "0.8e-3", 0.0,    0.309,  1.4,    24.0   },
    { &B2,   10, BI_RK4,        "joint", "5e-3",   1.2e-3, 2.1e-3, 6.7e-2, 0.0    },
    { &B2,  100, BI_RK4,        "joint", "5e-3",   1.3e-2, 6.3e-2, 0.74,   0.0    },
    { &B2, 1000, BI_RK4,        "joint", "5e-3",   0.13,   46.7,   2.3,    0.0    },
    { &B3,    7, BI_RK4,        "joint", "2e-4",   2e-3,   5.3e-3,   0.152,  0.12   },
    { &B3,    7, BI_ALI3P,      NULL,    "2e-5",   0.0,    5.3e-3,   0.152,  0.12   },
    { &B3_fine, 7, BI_RK4,      "joint", "1e-4",   4e-3,   2.2e-2,    0.152,  0.0    },
};
/* clang-format on */
enum { N_CASE = sizeof cases / sizeof *cases };

static const double quick_time = 2.0;  // s simulated with --quick
static const double fine_step = 1e-4;  // s, of the exact motion: error below 1e-12 over 10 s
static const double enough_time = 0.2; // s of CPU: short runs are repeated until this much was measured
enum { FEWEST_RUNS = 3, MOST_RUNS = 1000 };

// Classic Runge-Kutta on the exact motion, from its present time to t.
static void exact_advance(const bench_case *c, double span, double *angle, double *rate)
{
    double (*f)(int, double) = c->problem->acceleration;
    int n_sub = (int)ceil(span / fine_step);
    double h = span / n_sub;
    for (int k = 0; k < n_sub; k++) {
        double a1 = f(c->n, *angle);
        double r2 = *rate + 0.5 * h * a1, a2 = f(c->n, *angle + 0.5 * h * *rate);
        double r3 = *rate + 0.5 * h * a2, a3 = f(c->n, *angle + 0.5 * h * r2);
        double r4 = *rate + h * a3, a4 = f(c->n, *angle + h * r3);
        *angle += h / 6.0 * (*rate + 2.0 * r2 + 2.0 * r3 + r4);
        *rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
}

static bi_status bench_step(const session *s, int64_t k)
{
    return k == s->grid.n_step ? bi_sim_step_to(s->sim, s->grid.time) : bi_sim_step(s->sim);
}

static exit_code bench_failed(const session *s, const bench_case *c)
{
    fprintf(stderr, "biela bench: %s n = %d %s: %s\n", c->problem->row, c->n, bi_scheme_name(c->scheme),
            bi_sim_failure(s->sim));
    return CLI_NUMERICAL;
}

// Times whole runs, the start not included, and keeps the best.
static exit_code bench_measure_time(const session *s, const bench_case *c, bench_result *result)
{
    double best = HUGE_VAL, total = 0.0;
    for (int run = 0; run < FEWEST_RUNS || (total < enough_time && run < MOST_RUNS); run++) {
        bi_report report = { 0 };
        bi_status status = bi_sim_start(s->sim, &report);
        bi_report_clear(&report);
        clock_t from = clock();
        for (int64_t k = 1; status == BI_OK && k <= s->grid.n_step; k++) {
            status = bench_step(s, k);
        }
        double spent = (double)(clock() - from) / (double)CLOCKS_PER_SEC;
        if (status != BI_OK) {
            return bench_failed(s, c);
        }
        best = fmin(best, spent);
        total += spent;
    }
    result->cost = c->problem->is_total ? best : best / s->grid.time;
    result->per_step = best / (double)s->grid.n_step;
    return CLI_OK;
}

// One more run that looks at every step: energy, constraints, distance of the tip from the exact motion.
static exit_code bench_measure_error(const session *s, const bench_case *c, bench_result *result)
{
    const bench_problem *problem = c->problem;
    bi_channel energy = session_channel(s, "energy.balance");
    bi_channel x = problem->tip_x ? session_channel(s, problem->tip_x) : energy;
    bi_channel y = problem->tip_y ? session_channel(s, problem->tip_y) : energy;
    if (x.i == 0 || y.i == 0 || energy.i == 0) {
        return CLI_BAD;
    }
    bi_channel checked = problem->checked ? session_channel(s, problem->checked) : energy;
    if (checked.i == 0) {
        return CLI_BAD;
    }
    double angle = problem->angle, rate = problem->rate;
    double energy_start = bi_sim_read(s->sim, energy);
    for (int64_t k = 1; k <= s->grid.n_step; k++) {
        if (bench_step(s, k) != BI_OK) {
            return bench_failed(s, c);
        }
        if (problem->acceleration) {
            exact_advance(c, time_grid_at(&s->grid, k) - time_grid_at(&s->grid, k - 1), &angle, &rate);
            double tip = hypot(bi_sim_read(s->sim, x) - cos(angle), bi_sim_read(s->sim, y) - sin(angle));
            result->tip = fmax(result->tip, tip);
        } else if (problem->checked && fabs(time_grid_at(&s->grid, k) - problem->instant) < 1e-9) {
            result->tip = fabs(bi_sim_read(s->sim, checked) - problem->value);
        }
        result->drift = fmax(result->drift, fabs(bi_sim_read(s->sim, energy) - energy_start));
        result->violation = fmax(result->violation, bi_sim_statistics(s->sim).violation);
    }
    return CLI_OK;
}

static bench_result bench_run(const bench_case *c, double time)
{
    char *time_text = words_format("%.17g", time);
    char *size_text = words_format("%d", c->n);
    bi_setting setting = { .name = c->problem->size, .value = size_text };
    session_request request = { .model = c->problem->model,
                                .time = time_text,
                                .dt = c->dt,
                                .every = "0",
                                .scheme = bi_scheme_name(c->scheme),
                                .formulation = c->formulation ? c->formulation : "natural",
                                .setting = &setting,
                                .n_setting = c->problem->size ? 1 : 0 };
    bench_result result = { 0 };
    session s;
    result.code = session_open(&s, &request);
    if (result.code != CLI_OK) {
        session_print_messages(&s);
    }
    result.code = result.code == CLI_OK ? bench_measure_error(&s, c, &result) : result.code;
    result.code = result.code == CLI_OK ? bench_measure_time(&s, c, &result) : result.code;
    session_close(&s);
    free(time_text);
    free(size_text);
    return result;
}

static bool is_accurate(const bench_case *c, const bench_result *r)
{
    const bench_problem *problem = c->problem;
    return r->drift <= problem->drift && r->violation <= problem->violation && r->tip <= problem->tip;
}

// What the numbers mean, in a word or two.
static char *bench_verdict(const bench_case *c, const bench_result *r)
{
    const bench_problem *problem = c->problem;
    if (r->code != CLI_OK) {
        return words_format("failed");
    }
    if (!is_accurate(c, r)) {
        return words_format("not accurate:%s%s%s", r->drift <= problem->drift ? "" : " drift",
                            r->violation <= problem->violation ? "" : " closure",
                            r->tip <= problem->tip ? "" : " tip");
    }
    if (c->goal > 0.0 && r->cost > c->goal) {
        return words_format("accurate; %.1f x the goal", r->cost / c->goal);
    }
    return words_format("%s", c->goal > 0.0 ? "accurate; goal met" : "accurate");
}

static void print_cell(double value)
{
    if (value > 0.0) {
        printf(" %8.1e", value);
    } else {
        printf(" %8s", "-");
    }
}

static void bench_print_heading(const bench_problem *problem, double time)
{
    printf("%s  %s, %.3g s. CPU %s, best of %d or more;\n", problem->row, problem->title, time,
           problem->is_total ? "s" : "s per simulated s", FEWEST_RUNS);
    printf("    accurate: energy drift <= %.1g J, closure <= %.1g m", problem->drift, problem->violation);
    if (problem->tip > 0.0) {
        printf(", tip <= %.1g from the exact motion", problem->tip);
    }
    printf("\n\n");
    printf("    %4s  %-10s %7s %8s %8s %8s %8s %8s %8s %8s %8s\n", problem->size ? problem->size : "n",
           "scheme", "dt ms", "biela", "goal", "MuJoCo", "Chrono", "MBDyn", "drift J", "clos. m", "tip m");
}

static void bench_print_line(const bench_case *c, const bench_result *r)
{
    char *verdict = bench_verdict(c, r);
    printf("    %4d  %-10s %7.3g", c->n, bi_scheme_name(c->scheme), 1e3 * strtod(c->dt, NULL));
    const double cell[] = {
        r->cost, c->goal, c->mujoco, c->chrono, c->mbdyn, r->drift, r->violation, r->tip
    };
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) {
        print_cell(cell[k]);
    }
    printf("  %s\n", verdict);
    fflush(stdout);
    free(verdict);
}

static void bench_json_line(json *j, const bench_case *c, const bench_result *r)
{
    json_object(j, NULL);
    json_text(j, "row", c->problem->row);
    json_text(j, "model", c->problem->model);
    json_integer(j, "n", c->n);
    json_text(j, "scheme", bi_scheme_name(c->scheme));
    json_text(j, "formulation", c->formulation ? c->formulation : "natural");
    json_number(j, "dt", strtod(c->dt, NULL));
    json_true_or_false(j, "ok", r->code == CLI_OK);
    json_true_or_false(j, "accurate", r->code == CLI_OK && is_accurate(c, r));
    json_number(j, "cpu_per_second", r->code == CLI_OK ? r->cost : NAN);
    json_number(j, "cpu_per_step", r->code == CLI_OK ? r->per_step : NAN);
    json_number(j, "goal", c->goal > 0.0 ? c->goal : NAN);
    json_number(j, "mujoco", c->mujoco > 0.0 ? c->mujoco : NAN);
    json_number(j, "chrono", c->chrono > 0.0 ? c->chrono : NAN);
    json_number(j, "mbdyn", c->mbdyn > 0.0 ? c->mbdyn : NAN);
    json_number(j, "energy_drift", r->drift);
    json_number(j, "violation", r->violation);
    json_number(j, "tip_error", r->tip);
    json_end(j);
}

static exit_code run_bench(const arguments *args)
{
    if (arguments_has(args, "--contact")) {
        return bench_contact(args);
    }
    if (bench_contact_option(args)) {
        fprintf(stderr, "biela bench: %s needs --contact\n", bench_contact_option(args));
        return CLI_BAD;
    }
    bool is_json = arguments_has(args, "--json"), is_quick = arguments_has(args, "--quick");
    exit_code code = CLI_OK;
    const bench_problem *problem = NULL;
    json j = json_start(stdout);
    if (is_json) {
        json_object(&j, NULL);
        json_text(&j, "version", bi_version());
        json_text(&j, "build", bi_build_name());
        json_array(&j, "rows");
    }
    bool is_flexible = arguments_has(args, "--flex"), is_batch = arguments_has(args, "--batch");
    bool is_all = !is_flexible && !is_batch;
    bench_effort effort = is_quick ? BENCH_QUICK : BENCH_FULL;
    if (is_flexible) {
        code = bench_flex(is_json ? &j : NULL);
    } else if (is_batch) {
        code = bench_batch(is_json ? &j : NULL, effort);
    }
    for (int k = 0; is_all && k < N_CASE; k++) {
        const bench_case *c = &cases[k];
        double time = is_quick ? fmin(quick_time, c->problem->time) : c->problem->time;
        if (!is_json && problem != c->problem) {
            bench_print_heading(c->problem, time);
        }
        problem = c->problem;
        bench_result result = bench_run(c, time);
        code = result.code == CLI_OK ? code : result.code;
        if (is_json) {
            bench_json_line(&j, c, &result);
        } else {
            bench_print_line(c, &result);
        }
    }
    if (is_json) {
        exit_code last = is_all ? bench_machines(&j, effort) : CLI_OK;
        code = last == CLI_OK ? code : last;
        json_end(&j);
        json_end(&j);
    } else if (is_all) {
        puts(
            "\n    MuJoCo 3.12.1 (-O3 -march=native, LTO), which closes to 3e-7 to 1e-5 m; Chrono 10, at N = "
            "400 with a KLU\n    solver of ours; MBDyn, of which no version was noted. The others were "
            "measured\n"
            "    on 2 cores at 2.8 GHz: on another machine read their columns as a guide. Best others:\n"
            "    B2 Bullet 3.8e-2 at N = 100, Simbody 0.26 at N = 1000; B3 Simbody 0.108 s and 0.277 s.");
        exit_code last = bench_machines(NULL, effort);
        code = last == CLI_OK ? code : last;
    }
    return code;
}

static const option options[] = {
    { "--quick", NULL, "2 s simulated instead of 10" },
    { "--flex", NULL, "rows F1 to F5 instead: flexible bodies by modes against nonlinear finite elements" },
    { "--batch", NULL, "row G alone: many sims of one system, side by side" },
    { "--contact", NULL, "many boxes and a forklift with a pallet instead: steps with contact" },
    { "--only", "SCENE", "with --contact: free-fall, at-rest, asleep, pile, apart, forklift or crates" },
    { "--most", "N", "with --contact: no scene of more than N boxes" },
    { "--budget", "S", "with --contact: s of CPU for a row, which is stopped then (default 20)" },
    RUN_OPTION("scheme"),
    RUN_OPTION("formulation"),
    { "--json", NULL, "the table as one JSON object on stdout" },
};

const command command_bench = {
    .name = "bench",
    .words = "",
    .summary = "measure speed and accuracy beside the numbers of other programs",
    .details =
        "Runs the models of the benchmark tables (models `four-bars`, `chain`, `andrews`, `car`, "
        "`forklift`, `bicycle`, `clio` and `prototype-car` must be found, see biela list).\n"
        "--scheme and --formulation are of --contact, which uses ali3p in joint coordinates otherwise.",
    .example = "  biela bench --quick\n  biela bench --contact --most 30",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_bench,
};
