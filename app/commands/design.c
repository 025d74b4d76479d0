// SPDX-License-Identifier: MIT
/* design - which run would tell a parameter best: standard deviations that fits would have, before anything is measured. */
#include "cli/numbers.h"
#include "cli/words.h"
#include "running/session.h"
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct {
    session_request request;
    words_list params, runs, channels;
    double value[MOST], noise[MOST]; /* of parameters, in their own unit; of channels */
    char *unit[MOST];
    double every, time; /* 0: as the run says */
    double *told;       /* (runs + 1) * params: standard deviations, the last row of all runs together */
    double *F;          /* (params * params) Fisher information of one run */
} plan;

static int parameters(const plan *p) { return p->params.count; }

// ---- a run ------------------------------------------------------------------------------------------------------------

// The channels of a run with one parameter changed, row by row; NULL: told why. Gives how many rows.
static double *observe(const plan *p, int run, int parameter, double value, int *rows)
{
    session_request request = p->request;
    session s = { 0 };
    char *text = words_format("%.17g", value);
    double *out = NULL;
    request.setting = words_alloc((size_t)(request.n_setting + 1) * sizeof *request.setting);
    memcpy(request.setting, p->request.setting, (size_t)p->request.n_setting * sizeof *request.setting);
    request.setting[request.n_setting++] = (bi_setting){ p->params.name[parameter], text };
    request.run_name = p->runs.count > 0 ? p->runs.name[run] : request.run_name;
    bool ok = session_open(&s, &request) == CLI_OK;
    bi_channel channel[MOST];
    for (int c = 0; c < p->channels.count && ok; c++) {
        channel[c] = session_channel(&s, p->channels.name[c]);
        ok = channel[c].i != 0;
    }
    if (ok) {
        double time = p->time > 0.0 ? p->time : s.run.time;
        double every = p->every > 0.0 ? p->every : s.run.every > 0.0 ? s.run.every : time / 200.0;
        *rows = (int)floor(time / every + 1e-9);
        out = words_alloc((size_t)(*rows * p->channels.count + 1) * sizeof *out);
        for (int k = 0; k < *rows && ok; k++) {
            bi_status status = bi_sim_run_to(s.sim, s.run.start_time + every * (k + 1));
            ok = status == BI_OK && !bi_sim_stopped(s.sim);
            if (!ok) {
                fprintf(stderr, "biela design: error: the run ends at %.4g s: %s\n", bi_sim_time(s.sim),
                        status == BI_OK ? "an event" : bi_sim_failure(s.sim));
            }
            for (int c = 0; c < p->channels.count && ok; c++) {
                out[k * p->channels.count + c] = bi_sim_read(s.sim, channel[c]);
            }
        }
    } else {
        session_print_messages(&s);
    }
    session_close(&s);
    free(request.setting);
    free(text);
    if (!ok) {
        free(out);
        out = NULL;
    }
    return out;
}

// Fisher information of a run: F = J^T J, J how the channels over their noise change with each parameter.
static bool inform(plan *p, int run)
{
    int n = parameters(p), rows = 0;
    double *J[MOST] = { 0 };
    bool ok = true;
    for (int j = 0; j < n && ok; j++) {
        double h = 1e-3 * (p->value[j] != 0.0 ? fabs(p->value[j]) : 1.0);
        double *up = observe(p, run, j, p->value[j] + h, &rows);
        double *down = up ? observe(p, run, j, p->value[j] - h, &rows) : NULL;
        ok = up && down;
        for (int i = 0; i < rows * p->channels.count && ok; i++) {
            up[i] = (up[i] - down[i]) / (2.0 * h * p->noise[i % p->channels.count]);
        }
        J[j] = up;
        free(down);
    }
    for (int i = 0; i < n && ok; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < rows * p->channels.count; k++) {
                sum += J[i][k] * J[j][k];
            }
            p->F[i * n + j] = sum;
        }
    }
    for (int j = 0; j < n; j++) {
        free(J[j]);
    }
    return ok;
}

// Standard deviations of a fit with this information (statistics.8); infinite: it says nothing about the parameter.
static void deviations(int n, const double *F, double *out)
{
    double *A = words_alloc((size_t)(n * n) * sizeof *A), *V = words_alloc((size_t)(n * n) * sizeof *V),
           S[MOST];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double size = sqrt(F[i * n + i] * F[j * n + j]);
            A[j * n + i] = size > 0.0 ? F[i * n + j] / size : i == j ? 1.0 : 0.0;
        }
    }
    svd_jacobi(A, n, n, S, V);
    for (int j = 0; j < n; j++) {
        double sum = F[j * n + j] > 0.0 ? 0.0 : INFINITY;
        for (int k = 0; k < n; k++) {
            bool is_lost = S[k] < 1e-10 * S[0];
            double part = V[k * n + j];
            sum += is_lost ? (fabs(part) > 0.01 ? INFINITY : 0.0) : part * part / S[k];
        }
        out[j] = F[j * n + j] > 0.0 ? sqrt(sum / F[j * n + j]) : INFINITY;
    }
    free(A);
    free(V);
}

// ---- words ---------------------------------------------------------------------------------------------------------------

static bool take_noise(plan *p, const char *text)
{
    words_list list = words_split(text ? text : "", ',');
    bool ok = true;
    for (int c = 0; c < p->channels.count && ok; c++) {
        size_t length = strlen(p->channels.name[c]);
        p->noise[c] = 0.0;
        for (int k = 0; k < list.count; k++) {
            if (strncmp(list.name[k], p->channels.name[c], length) == 0 && list.name[k][length] == '=') {
                p->noise[c] = strtod(list.name[k] + length + 1, NULL);
            }
        }
        ok = p->noise[c] > 0.0 && isfinite(p->noise[c]);
        if (!ok) {
            fprintf(stderr,
                    "biela design: error: --noise: say how well %s would be measured: %s=SIGMA, above zero\n",
                    p->channels.name[c], p->channels.name[c]);
        }
    }
    words_list_clear(&list);
    return ok;
}

// Values and units where the model stands.
static bool take_values(plan *p)
{
    session s = { 0 };
    session_request request = p->request;
    request.run_name = p->runs.count > 0 ? p->runs.name[0] : request.run_name;
    bool ok = session_open(&s, &request) == CLI_OK;
    if (!ok) {
        session_print_messages(&s);
    }
    for (int j = 0; j < parameters(p) && ok; j++) {
        const char *name, *unit;
        bool is_found = false;
        nearest best = nearest_start(p->params.name[j], strlen(p->params.name[j]));
        for (int k = 0; bi_model_parameter_at(s.model, k, &name, &p->value[j], &unit); k++) {
            nearest_try(&best, name);
            if (strcmp(name, p->params.name[j]) == 0) {
                p->unit[j] = words_format("%s", unit ? unit : "");
                p->value[j] /= *p->unit[j] ? unit_factor(s.model, unit) : 1.0;
                is_found = true;
                break;
            }
        }
        if (!is_found) {
            fprintf(stderr, "biela design: error: there is no parameter '%s'%s%s%s\n", p->params.name[j],
                    best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
            ok = false;
        }
    }
    session_close(&s);
    return ok;
}

static bool take(plan *p, const arguments *args)
{
    const char *params = arguments_value(args, "--params"), *runs = arguments_value(args, "--runs");
    const char *channels = arguments_value(args, "--channels");
    p->params = words_split(params ? params : "", ',');
    p->runs = words_split(runs ? runs : "", ',');
    p->channels = words_split(channels ? channels : "", ',');
    if (p->params.count == 0 || p->channels.count == 0 || p->params.count > MOST ||
        p->channels.count > MOST) {
        fputs("biela design: error: name what is to be found and what would be measured: --params a,b "
              "--channels c,d (64 at "
              "most)\n",
              stderr);
        return false;
    }
    return option_number(args, "--every", NUMBER_POSITIVE, &p->every) &&
           option_number(args, "--time", NUMBER_POSITIVE, &p->time) &&
           session_request_make(args, &p->request) && take_noise(p, arguments_value(args, "--noise")) &&
           take_values(p);
}

// ---- all of it --------------------------------------------------------------------------------------------------------------

static const char *run_name(const plan *p, int run)
{
    return p->runs.count > 0 ? p->runs.name[run] : p->request.run_name ? p->request.run_name : "run";
}

static void print(const plan *p, int runs)
{
    int n = parameters(p);
    printf("standard deviations of a fit with these runs\n  %-20s %12s", "parameter", "value");
    for (int r = 0; r < runs; r++) {
        printf(" %12s", run_name(p, r));
    }
    printf(" %12s  %s\n", runs > 1 ? "all" : "", "best");
    for (int j = 0; j < n; j++) {
        int best = 0;
        printf("  %-20s %12.6g", p->params.name[j], p->value[j]);
        for (int r = 0; r < runs + (runs > 1); r++) {
            double told = p->told[r * n + j];
            best = r < runs && told < p->told[best * n + j] ? r : best;
            if (isfinite(told)) {
                printf(" %12.4g", told);
            } else {
                printf(" %12s", "none");
            }
        }
        printf("  %s\n", isfinite(p->told[best * n + j]) ? run_name(p, best) : "none tells it");
    }
}

static void print_json(const plan *p, int runs, exit_code code)
{
    int n = parameters(p);
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_object(&j, "deviations");
    for (int r = 0; r < runs + (runs > 1) && code == CLI_OK; r++) {
        json_object(&j, r < runs ? run_name(p, r) : "all");
        for (int k = 0; k < n; k++) {
            json_number(&j, p->params.name[k], p->told[r * n + k]);
        }
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static exit_code run_design(const arguments *args)
{
    plan p = { 0 };
    exit_code code = take(&p, args) ? CLI_OK : CLI_BAD;
    int n = parameters(&p), runs = p.runs.count > 0 ? p.runs.count : 1;
    double *all = words_alloc((size_t)(n * n + 1) * sizeof *all);
    p.told = words_alloc((size_t)((runs + 1) * n + 1) * sizeof *p.told);
    p.F = words_alloc((size_t)(n * n + 1) * sizeof *p.F);
    p.request.shelf = bi_shelf_create();
    for (int r = 0; r < runs && code == CLI_OK; r++) {
        code = inform(&p, r) ? CLI_OK : CLI_NUMERICAL;
        for (int i = 0; i < n * n; i++) {
            all[i] += p.F[i];
        }
        deviations(n, p.F, &p.told[r * n]);
    }
    if (code == CLI_OK) {
        deviations(n, all, &p.told[runs * n]);
    }
    if (arguments_has(args, "--json")) {
        print_json(&p, runs, code);
    } else if (code == CLI_OK) {
        print(&p, runs);
    }
    for (int j = 0; j < n; j++) {
        free(p.unit[j]);
    }
    free(all);
    free(p.told);
    free(p.F);
    words_list_clear(&p.params);
    words_list_clear(&p.runs);
    words_list_clear(&p.channels);
    bi_shelf_destroy(p.request.shelf);
    session_request_clear(&p.request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--params", "A,B", "parameters that a fit shall find" },
    { "--channels", "C,D", "what would be measured" },
    { "--noise", "C=S,D=R", "standard deviation of each of them" },
    { "--runs", "R,S", "cases of the model's `runs` to compare; default: --run" },
    { "--every", "H", "s between two measurements; default: as the run's results" },
    { "--time", "T", "s of each run; default: as the run says" },
    { "--json", NULL, "the standard deviations as one JSON object on stdout" },
};

const command command_design = {
    .name = "design",
    .words = "MODEL",
    .summary = "which run would tell parameters best, before anything is measured",
    .details = "Standard deviations that `biela fit` would tell, by Fisher information: how the channels "
               "change with the "
               "parameters,\n"
               "over their noise, at the values where the model stands.",
    .example = "  biela design clio --params cornering_f,cornering_r --channels body.wz,body.vy --noise "
               "body.wz=1e-3,body.vy=0.02 --runs ramp,step-steer,slalom",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_design,
};
