// SPDX-License-Identifier: MIT
/* bench of batches - row G: many sims of one system: steps per second of one core, beside those of one sim alone. A batch counts
 * only if every sim ends with the hash that one has alone. In lanes, where there is code for them, they start with inputs and
 * velocities spread by 30 %, and each hash is that of the same sim on a thread. */
#include "measure/bench_batch.h"
#include "export/imaging.h"
#include <biela/batch.h>
#include <biela/image.h>
#include <biela/loop.h>
#include <biela/state.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    const char *model, *parameter, *value; // set; NULL: none
    const char *scheme, *formulation, *dt; // s
    int steps;
} batch_case;

/* clang-format off */
static const batch_case cases[] = {
    { "chain", "N",  "10", "rk4",   "joint", "1e-3", 500 },
    { "car",   NULL, NULL, "heun",  "joint", "1e-3", 500 },
    { "clio",  NULL, NULL, "ali3p", "joint", "2e-3", 250 },
};
/* clang-format on */
enum { N_CASE = sizeof cases / sizeof *cases, SIMS = 64, SIMS_QUICK = 4, RUNS = 3 };

typedef struct {
    exit_code code;
    double alone, together; // steps per s of CPU, the best of some runs
    bool is_equal;          // all hashes are that of the one alone
    bool has_lanes;         // this machine has code for them
    double spread, lanes;   // steps per s of CPU, each of them in turn and side by side
} batch_result;

static double steps_per_second(double steps, clock_t from)
{
    double span = (double)(clock() - from) / CLOCKS_PER_SEC;
    return span > 0.0 ? steps / span : 0.0;
}

// One sim by itself; false: it failed.
static bool measure_alone(const session *s, const batch_case *c, batch_result *r)
{
    bool is_good = bi_sim_start(s->sim, NULL) == BI_OK;
    clock_t from = clock();
    for (int k = 0; k < c->steps && is_good; k++) {
        is_good = bi_sim_step(s->sim) == BI_OK;
    }
    double speed = steps_per_second(c->steps, from);
    r->alone = speed > r->alone ? speed : r->alone;
    return is_good;
}

static bool measure_together(const session *s, const batch_case *c, bi_batch *batch, uint64_t *hash,
                             batch_result *r)
{
    int count = bi_batch_count(batch);
    bool is_good = bi_batch_start(batch) == BI_OK;
    clock_t from = clock();
    is_good = is_good && bi_batch_step(batch, c->steps) == BI_OK && bi_batch_failed(batch) == 0;
    double speed = steps_per_second((double)c->steps * count, from);
    r->together = speed > r->together ? speed : r->together;
    is_good = is_good && bi_batch_hashes(batch, hash) == BI_OK;
    r->is_equal = is_good;
    for (int k = 0; k < count && is_good; k++) {
        r->is_equal = r->is_equal && hash[k] == bi_sim_hash(s->sim);
    }
    return is_good;
}

// Sim k with its own inputs and velocities.
static void spread_one(const bi_system *system, bi_sim *sim, uint64_t k)
{
    enum { MOST = 256 };
    double *input = bi_sim_input_values(sim), v[MOST], more = 0.6 * (bi_random(1, "velocity", k) - 0.5);
    for (int i = 0; i < bi_input_count(system); i++) {
        input[i] *= 1.0 + 0.6 * (bi_random(1, bi_input_name(system, i), k) - 0.5);
    }
    int n = bi_variable_count(system);
    for (int i = 0; i < n && i < MOST; i++) {
        v[i] = bi_sim_view(sim).v[i] * (1.0 + more);
    }
    if (n <= MOST) {
        bi_sim_set_state(sim, NULL, v, NULL);
    }
}

// All of them, on that device; the speed counts when it is better. False: there is no such device here, or no memory.
static bool measure_spread(const bi_system *system, const batch_case *c, int count, const char *device,
                           uint64_t *hash, double *best)
{
    bi_report report = { 0 };
    bi_batch *b =
        bi_batch_create(system, count, &(bi_batch_options){ .device = device, .workers = 1 }, &report);
    bi_report_clear(&report);
    for (int run = 0; run < RUNS && b; run++) {
        bi_batch_start(b);
        for (int k = 0; k < count; k++) {
            spread_one(system, bi_batch_sim(b, k), (uint64_t)k);
        }
        clock_t from = clock();
        bi_batch_step(b, c->steps);
        double speed = steps_per_second((double)c->steps * count, from);
        *best = speed > *best ? speed : *best;
    }
    bool is_done = b && bi_batch_hashes(b, hash) == BI_OK;
    bi_batch_destroy(b);
    return is_done;
}

// False: a hash differs.
static bool measure_lanes(const session_request *request, const batch_case *c, int count, batch_result *r)
{
    bi_report report = { 0 };
    imaging job = { .request = request };
    size_t size = 0;
    void *image = imaging_make(&job, &size, &report);
    bi_system *system = image ? bi_image_load(image, size, &report) : NULL;
    uint64_t *hash = calloc(2 * (size_t)count, sizeof *hash);
    bool is_equal = true;
    if (system && hash && measure_spread(system, c, count, "lanes", hash, &r->lanes) &&
        measure_spread(system, c, count, "threads", hash + count, &r->spread)) {
        r->has_lanes = true;
        for (int k = 0; k < count; k++) {
            is_equal = is_equal && hash[k] == hash[count + k];
        }
    }
    free(hash);
    bi_system_destroy(system);
    free(image);
    free(job.name);
    bi_report_clear(&report);
    return is_equal;
}

static batch_result measure(const batch_case *c, bench_effort effort)
{
    int count = effort == BENCH_QUICK ? SIMS_QUICK : SIMS;
    bi_setting setting = { c->parameter, c->value };
    session_request request = { .model = c->model,
                                .dt = c->dt,
                                .scheme = c->scheme,
                                .formulation = c->formulation,
                                .setting = &setting,
                                .n_setting = c->parameter ? 1 : 0 };
    batch_result result = { .code = CLI_NUMERICAL };
    session s;
    if (session_open(&s, &request) != CLI_OK) {
        session_print_messages(&s);
        session_close(&s);
        return result;
    }
    bi_report report = { 0 };
    uint64_t *hash = malloc((size_t)count * sizeof *hash);
    bi_batch *batch = bi_batch_create(s.system, count, &(bi_batch_options){ .workers = 1 }, &report);
    bool is_good = hash != NULL && batch != NULL;
    for (int run = 0; run < RUNS && is_good; run++) {
        is_good = measure_alone(&s, c, &result) && measure_together(&s, c, batch, hash, &result);
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    result.is_equal = is_good && result.is_equal && measure_lanes(&request, c, count, &result);
    result.code = is_good && result.is_equal ? CLI_OK : CLI_NUMERICAL;
    bi_batch_destroy(batch);
    free(hash);
    session_close(&s);
    return result;
}

static void tell(json *j, const batch_case *c, const batch_result *r, int count)
{
    if (!j) {
        printf("    %-6s %-6s %-6s %4d", c->model, c->scheme, c->dt, count);
        if (r->code != CLI_OK) {
            puts("  failed, or a hash differs: no speed");
        } else if (r->has_lanes) {
            printf(" %10.3g %10.3g %10.3g %10.3g  all hashes equal\n", r->alone, r->together, r->spread,
                   r->lanes);
        } else {
            printf(" %10.3g %10.3g %10s %10s  all hashes equal\n", r->alone, r->together, "-", "-");
        }
        return;
    }
    json_object(j, NULL);
    json_text(j, "row", "G");
    json_text(j, "model", c->model);
    json_text(j, "scheme", c->scheme);
    json_number(j, "sims", count);
    json_true_or_false(j, "ok", r->code == CLI_OK);
    json_number(j, "steps_per_s_alone", r->alone);
    json_number(j, "steps_per_s_and_core", r->together);
    if (r->has_lanes && r->is_equal) {
        json_number(j, "steps_per_s_spread", r->spread);
        json_number(j, "steps_per_s_lanes", r->lanes);
    }
    json_true_or_false(j, "hashes_equal", r->is_equal);
    json_end(j);
}

exit_code bench_batch(json *j, bench_effort effort)
{
    exit_code code = CLI_OK;
    if (!j) {
        printf("\nG  many sims of one system; steps per s of one core, one alone and all in a batch\n\n");
        printf("    %-6s %-6s %-6s %4s %10s %10s %10s %10s\n", "model", "scheme", "dt s", "sims", "alone",
               "batch", "spread", "in lanes");
    }
    for (int k = 0; k < N_CASE; k++) {
        batch_result r = measure(&cases[k], effort);
        tell(j, &cases[k], &r, effort == BENCH_QUICK ? SIMS_QUICK : SIMS);
        code = r.code == CLI_OK ? code : r.code;
    }
    return code;
}
