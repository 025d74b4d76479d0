// SPDX-License-Identifier: MIT
/* bench of batches - row G: many sims of one system, side by side: steps per second of one core, beside those of one sim
 * alone. A batch counts only if every sim ends with the hash that one has alone. */
#include "measure/bench_batch.h"
#include "running/session.h"
#include <biela/batch.h>
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
    result.code = is_good && result.is_equal ? CLI_OK : CLI_NUMERICAL;
    bi_batch_destroy(batch);
    free(hash);
    session_close(&s);
    return result;
}

static void tell(json *j, const batch_case *c, const batch_result *r, int count)
{
    if (!j) {
        printf("    %-6s %-6s %-6s %4d %10.3g %10.3g  %s\n", c->model, c->scheme, c->dt, count, r->alone,
               r->together, r->code == CLI_OK ? "all hashes equal" : "failed, or a hash differs: no speed");
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
    json_true_or_false(j, "hashes_equal", r->is_equal);
    json_end(j);
}

exit_code bench_batch(json *j, bench_effort effort)
{
    exit_code code = CLI_OK;
    if (!j) {
        printf("\nG  many sims of one system; steps per s of one core, one alone and all in a batch\n\n");
        printf("    %-6s %-6s %-6s %4s %10s %10s\n", "model", "scheme", "dt s", "sims", "alone", "batch");
    }
    for (int k = 0; k < N_CASE; k++) {
        batch_result r = measure(&cases[k], effort);
        tell(j, &cases[k], &r, effort == BENCH_QUICK ? SIMS_QUICK : SIMS);
        code = r.code == CLI_OK ? code : r.code;
    }
    return code;
}
