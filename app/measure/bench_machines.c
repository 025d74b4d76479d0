// SPDX-License-Identifier: MIT
/* bench of machines - rows B4 to B6, C1 and F6: what a step of a car, a forklift with its loads, a bicycle and a car
 * with a flexible chassis costs, the mean and the worst one, beside the numbers of other programs (2 cores, 2.8
 * GHz). */
#include "measure/bench_machines.h"
#include "cli/words.h"
#include "measure/bench_batch.h"
#include "running/session.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    const char *row, *model, *what;
    const char *scheme, *formulation;
    const char *dt, *time;         // s
    double goal, mujoco, chrono;   // us per step; 0: none
    const char *parameter, *value; // set; NULL: none
    int rows;                      // steps from one reading of all channels to the next; 0: they are not read
    const char *sleep;             // s; NULL: as in the model
} machine;

/* clang-format off */
static const machine machines[] = {
    /* row   model       what      scheme   set        dt      time   goal  MuJoCo Chrono */
    { "B4", "car",      "rolls",  "heun",  "joint",   "1e-3", "1",    4.0, 10.2,  66.0, NULL, NULL, 0, NULL },
    { "B4", "car",      "rolls",  "ali3p", "joint",   "1e-3", "1",    0.0, 10.2,  66.0, NULL, NULL, 0, NULL },
    { "B5", "forklift", "awake",  "ali3p", "joint",   "10e-3", "2",  20.0, 28.0,  110.0, NULL, NULL, 0, "0" },
    { "B5", "forklift", "awake",  "ali3p", "natural", "10e-3", "2",  45.0, 28.0,  110.0, NULL, NULL, 0, "0" },
    { "B5", "forklift", "asleep", "ali3p", "joint",   "10e-3", "2",   8.0, 13.0,  0.0, NULL, NULL, 0, NULL },
    { "B5", "forklift", "asleep", "ali3p", "natural", "10e-3", "2",   0.0, 13.0,  0.0, NULL, NULL, 0, NULL },
    { "B6", "bicycle",  "rolls",  "heun",  "joint",   "1e-3", "1",    3.0, 0.0,   0.0, NULL, NULL, 0, NULL },
    { "C1", "clio",     "rolls",  "ali3p", "joint",   "1e-3", "1",    8.0, 0.0,   0.0, NULL, NULL, 0, NULL },
    /* from standstill down the step, sections and stresses every 10 ms */
    { "F6", "prototype-car", "rolls", "ali3p", "joint",   "1e-3", "3.4", 200.0, 0.0, 0.0, "from", "4.9", 10, NULL },
    { "F6", "prototype-car", "rolls", "ali3p", "natural", "1e-3", "3.4",   0.0, 0.0, 0.0, "from", "4.9", 10, NULL },
};
/* clang-format on */
enum { N_MACHINE = sizeof machines / sizeof *machines, RUNS = 15, RUNS_QUICK = 3, RUNS_LONG = 3 };

typedef struct {
    exit_code code;
    double mean, worst; // us per step
    double realtime;    // simulated s per s
    int64_t steps;
} machine_result;

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A sum that nobody wants, so that reading is not left out.
static double read_all(const session *s)
{
    double sum = 0.0;
    for (int c = 0; c < bi_channel_count(s->system); c++) {
        sum += bi_sim_read(s->sim, (bi_channel){ c + 1 });
    }
    return sum;
}

// Each step's best of several runs: what else the processor does falls out.
static bi_status machine_time(const session *s, const machine *m, int runs, double *best)
{
    volatile double sink = 0.0;
    for (int64_t k = 0; k < s->grid.n_step; k++) {
        best[k] = HUGE_VAL;
    }
    for (int run = 0; run < runs; run++) {
        bi_report report = { 0 };
        bi_status status = bi_sim_start(s->sim, &report);
        bi_report_clear(&report);
        for (int64_t k = 0; status == BI_OK && k < s->grid.n_step; k++) {
            double from = seconds();
            status = bi_sim_step(s->sim);
            if (m->rows > 0 && (k + 1) % m->rows == 0) {
                sink = read_all(s);
            }
            best[k] = fmin(best[k], seconds() - from);
        }
        if (status != BI_OK) {
            return status;
        }
    }
    (void)sink;
    return BI_OK;
}

static machine_result machine_measure(const session *s, const machine *m, int runs)
{
    machine_result result = { .steps = s->grid.n_step };
    double *best = malloc((size_t)result.steps * sizeof *best);
    bi_status status = best ? machine_time(s, m, runs, best) : BI_NO_MEMORY;
    if (status != BI_OK) {
        fprintf(stderr, "biela bench: %s %s: %s\n", m->row, m->model, bi_sim_failure(s->sim));
        result.code = CLI_NUMERICAL;
    }
    for (int64_t k = 0; status == BI_OK && k < result.steps; k++) {
        result.mean += 1e6 * best[k] / (double)result.steps;
        result.worst = fmax(result.worst, 1e6 * best[k]);
    }
    result.realtime = 1e6 * strtod(m->dt, NULL) / result.mean;
    free(best);
    return result;
}

static machine_result machine_run(const machine *m, bench_effort effort)
{
    bi_setting setting = { m->parameter, m->value };
    session_request request = { .model = m->model,
                                .time = effort == BENCH_QUICK ? "0.2" : m->time,
                                .dt = m->dt,
                                .every = "0",
                                .scheme = m->scheme,
                                .formulation = m->formulation,
                                .sleep = m->sleep,
                                .setting = &setting,
                                .n_setting = m->parameter ? 1 : 0 };
    int runs = effort == BENCH_QUICK ? RUNS_QUICK : m->rows > 0 ? RUNS_LONG : RUNS;
    session s;
    machine_result result = { .code = session_open(&s, &request) };
    if (result.code != CLI_OK) {
        session_print_messages(&s);
    } else {
        result = machine_measure(&s, m, runs);
    }
    session_close(&s);
    return result;
}

static void print_cell(double value)
{
    if (value > 0.0) {
        printf(" %8.4g", value);
    } else {
        printf(" %8s", "-");
    }
}

static void machine_print(const machine *m, const machine_result *r)
{
    printf("    %-3s %-13s %-6s %-8s %-8s %5.3g", m->row, m->model, m->what, m->formulation, m->scheme,
           1e3 * strtod(m->dt, NULL));
    if (r->code != CLI_OK) {
        puts("  failed");
        return;
    }
    const double cell[] = { r->mean, r->worst, m->goal, m->mujoco, m->chrono, r->realtime };
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) {
        print_cell(cell[k]);
    }
    if (m->goal > 0.0 && r->mean > m->goal) {
        printf("  %.1f x the goal", r->mean / m->goal);
    } else {
        printf("%s", m->goal > 0.0 ? "  goal met" : "");
    }
    printf("%s\n", r->worst > 2.0 * r->mean ? "; worst step over twice the mean" : "");
    fflush(stdout);
}

static void machine_json(json *j, const machine *m, const machine_result *r)
{
    json_object(j, NULL);
    json_text(j, "row", m->row);
    json_text(j, "model", m->model);
    json_text(j, "what", m->what);
    json_text(j, "scheme", m->scheme);
    json_text(j, "formulation", m->formulation);
    json_number(j, "dt", strtod(m->dt, NULL));
    json_true_or_false(j, "ok", r->code == CLI_OK);
    json_number(j, "us_per_step", r->code == CLI_OK ? r->mean : NAN);
    json_number(j, "us_worst_step", r->code == CLI_OK ? r->worst : NAN);
    json_number(j, "goal_us", m->goal > 0.0 ? m->goal : NAN);
    json_number(j, "mujoco_us", m->mujoco > 0.0 ? m->mujoco : NAN);
    json_number(j, "chrono_us", m->chrono > 0.0 ? m->chrono : NAN);
    json_end(j);
}

// ---- S: cases of a sweep --------------------------------------------------------------------------------------

static const double sweep_goal = 50.0; // cases per s and core

// A case as `sweep` does it: files are read once, the model is made and run for each. 0: it failed.
static double sweep_cases(bench_effort effort)
{
    bi_shelf *shelf = bi_shelf_create();
    session_kept *kept = session_kept_create();
    int count = effort == BENCH_QUICK ? 2 : 10;
    clock_t from = clock();
    bool is_good = shelf != NULL;
    // the first one reads the files
    for (int k = 0; k <= count && is_good; k++) {
        char driver[16];
        snprintf(driver, sizeof driver, "%d", 80 + k);
        bi_setting setting = { "driver", driver };
        session_request request = { .model = "forklift",
                                    .time = "10",
                                    .shelf = shelf,
                                    .kept = kept,
                                    .setting = &setting,
                                    .n_setting = 1 };
        session s;
        is_good = session_open(&s, &request) == CLI_OK && bi_sim_run_to(s.sim, 10.0) == BI_OK;
        session_close(&s);
        from = k == 0 ? clock() : from;
    }
    session_kept_destroy(kept);
    bi_shelf_destroy(shelf);
    return is_good ? count * (double)CLOCKS_PER_SEC / (double)(clock() - from) : 0.0;
}

static exit_code bench_sweep(json *j, bench_effort effort)
{
    double speed = sweep_cases(effort);
    if (j) {
        json_object(j, NULL);
        json_text(j, "row", "S");
        json_text(j, "model", "forklift");
        json_true_or_false(j, "ok", speed > 0.0);
        json_number(j, "cases_per_s_and_core", speed > 0.0 ? speed : NAN);
        json_number(j, "goal", sweep_goal);
        json_end(j);
    } else {
        printf("\nS  sweep of the forklift, cases of 10 s per s of CPU: %.3g (goal %g)\n", speed, sweep_goal);
    }
    return speed > 0.0 ? CLI_OK : CLI_NUMERICAL;
}

exit_code bench_machines(json *j, bench_effort effort)
{
    exit_code code = CLI_OK;
    if (!j) {
        puts("\nB4 to B6, C1, F6  machines; us per step, each step the best of several runs\n");
        printf("    %-3s %-13s %-6s %-8s %-8s %5s %8s %8s %8s %8s %8s %8s\n", "row", "model", "", "coords",
               "scheme", "dt ms", "mean", "worst", "goal", "MuJoCo", "Chrono", "x real");
    }
    for (int k = 0; k < N_MACHINE; k++) {
        machine_result result = machine_run(&machines[k], effort);
        code = result.code == CLI_OK ? code : result.code;
        if (j) {
            machine_json(j, &machines[k], &result);
        } else {
            machine_print(&machines[k], &result);
        }
    }
    if (!j) {
        puts("\n    MuJoCo 3.12.1, Chrono 10. Their car has contact spheres and no tyre law (B4; ODE 12, "
             "Bullet's car of rays 4.2),\n    their forklift soft contacts that creep (B5, MuJoCo's Euler; "
             "its "
             "implicit scheme 73). Awake is compared with\n    awake, asleep with asleep; at work: bench "
             "--contact --only forklift.");
    }
    exit_code last = bench_sweep(j, effort);
    code = last == CLI_OK ? code : last;
    last = bench_batch(j, effort);
    return last == CLI_OK ? code : last;
}
