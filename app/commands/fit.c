// SPDX-License-Identifier: MIT
/* fit - parameters of a model from measured data, with intervals and what the data cannot tell. */
#include "study/fit.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "pictures/plotter.h"
#include "running/judgement.h"
#include "running/outfiles.h"
#include "study/statistics.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    fit_problem problem;
    fit_result result;
    session session;
    double confidence, reach; // half an interval is reach times the standard deviation
    char *out, *picture;
    int n_worker;
    bool is_quiet, is_json, is_helper;
    bool is_solved, has_curves; // there are parameters, the file is written
    bi_verdict verdict;         // of the run with them
    fit_profile *profile;       // (n_parameter) of those asked for; NULL: of none
    bool *is_profiled;          // (n_parameter)
} fit_job;

static const char *const ending_text[] = { [FIT_CONVERGED] = "converged",
                                           [FIT_STUCK] = "runs failed on both sides of a parameter",
                                           [FIT_TOO_LONG] = "too many iterations",
                                           [FIT_NO_START] = "the run with the starting values failed",
                                           [FIT_INTERRUPTED] = "interrupted" };

// ---- warnings ---------------------------------------------------------------------------------------------------------

// Names of the parameters that change together without effect.
static char *lost_names(const fit_job *job, int k)
{
    int n = job->problem.n_parameter;
    char *names = words_format("%s", "");
    for (int j = 0; j < n; j++) {
        if (fabs(job->result.lost[k * n + j]) > 0.1) {
            char *longer = words_format("%s%s%s", names, *names ? ", " : "", job->problem.parameter[j].name);
            free(names);
            names = longer;
        }
    }
    return names;
}

static double correlation(const fit_job *job, int i, int j)
{
    int n = job->problem.n_parameter;
    const double *C = job->result.covariance;
    return C[i * n + j] / sqrt(C[i * n + i] * C[j * n + j]);
}

// Values that chance alone puts there once in a hundred such data: normal noise of the size of the others.
static void warn_outliers(const fit_job *job, bi_report *report)
{
    enum { TOLD = 10 };
    const fit_problem *f = &job->problem;
    double limit = fmax(4.0, normal_quantile(1.0 - 0.005 / f->n_value));
    int count = 0;
    for (int k = 0; k < f->n_value; k++) {
        // sizes against their column's are dear: only of those that may be
        if (fabs(job->result.raw[k]) < 1.5) {
            continue;
        }
        fit_stray one = fit_stray_at(f, &job->result, k);
        if (one.sigmas > limit && count++ < TOLD) {
            const char *name = f->measured[one.column].name;
            bi_report_add(
                report, BI_WARNING, BI_OK, fit_place(f, one.row), name,
                "an outlier: %.6g at t = %.6g s is %.1f standard deviations of the others from the model",
                f->table.value[f->measured[one.column].index][one.row], f->table.value[f->t][one.row],
                one.sigmas);
        }
    }
    if (count > 0 && f->huber == 0.0) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "--loss",
                      "%d outlier%s counted as much as squares do: look at them, leave them out, or let them "
                      "count less with "
                      "--loss huber",
                      count, count > 1 ? "s" : "");
    }
}

static void warn(const fit_job *job, bi_report *report)
{
    const fit_problem *f = &job->problem;
    const fit_result *r = &job->result;
    const bi_place nowhere = { 0 };
    if (r->ending == FIT_TOO_LONG) {
        bi_report_add(report, BI_ERROR, BI_NOT_CONVERGED, nowhere, "fit",
                      "not converged after %d iterations: the last values are not those of a minimum; start "
                      "nearer, or with bounds",
                      r->iterations);
        return; // what follows speaks of a minimum
    }
    for (int k = 0; k < r->n_lost; k++) {
        char *names = lost_names(job, k);
        bi_report_add(report, BI_WARNING, BI_SINGULAR, nowhere, names,
                      strchr(names, ',')
                          ? "cannot be identified one by one: the data determine only a combination of "
                            "them; fix one with --set, or measure something else"
                          : "cannot be identified: it has no influence on the data");
        free(names);
    }
    for (int j = 0; j < f->n_parameter; j++) {
        const char *name = f->parameter[j].name;
        if (r->is_at_bound[j]) {
            bi_report_add(report, BI_WARNING, BI_OK, nowhere, name,
                          "ends at its bound %g: its interval is too narrow", r->x[j]);
        }
        if (r->rough[j] > fit_smooth) {
            bi_report_add(
                report, BI_WARNING, BI_OK, nowhere, name,
                "the computed data jump when it changes by a part in ten thousand to a hundred (its "
                "derivatives on both sides differ by %.0f %%): its value and its interval are not to be "
                "trusted; look for events, contacts or switches in the run",
                100.0 * r->rough[j]);
        }
        if (isfinite(r->deviation[j]) && job->reach * r->deviation[j] > fabs(r->x[j])) {
            bi_report_add(report, BI_WARNING, BI_OK, nowhere, name,
                          "is hardly identified: its interval is wider than its value");
        }
        for (int i = 0; i < j; i++) {
            if (isfinite(r->deviation[i]) && isfinite(r->deviation[j]) &&
                fabs(correlation(job, i, j)) > 0.99) {
                bi_report_add(report, BI_WARNING, BI_OK, nowhere, name,
                              "and %s are hardly told apart: correlation %.4f", f->parameter[i].name,
                              correlation(job, i, j));
            }
        }
    }
    warn_outliers(job, report);
    double reduced = r->chi2 / r->freedom, spread = sqrt(2.0 / r->freedom);
    if (f->has_noise && fabs(reduced - 1.0) > fmax(0.2, 5.0 * spread)) {
        bi_report_add(report, BI_WARNING, BI_OK, nowhere, "--noise",
                      "the residuals are %.3g times the noise given: %s", sqrt(reduced),
                      reduced > 1.0 ? "the model does not explain the data, or the noise is larger"
                                    : "the noise is smaller");
    }
    for (int c = 0; c < f->n_measured; c++) {
        if (r->echo[c] > 0.5 && r->rms[c] > 1e-9 * f->measured[c].range) {
            bi_report_add(
                report, BI_WARNING, BI_OK, nowhere, f->measured[c].name,
                "neighbouring residuals resemble each other (correlation %.2f): the model misses something, "
                "and the intervals are too narrow",
                r->echo[c]);
        }
    }
}

// ---- telling ----------------------------------------------------------------------------------------------------------

static void print_result(const fit_job *job)
{
    const fit_problem *f = &job->problem;
    const fit_result *r = &job->result;
    printf("%s: %d parameter%s from %d values in %d column%s, %d iterations, %d runs\n",
           bi_model_name(job->session.model), f->n_parameter, f->n_parameter == 1 ? "" : "s", f->n_value,
           f->n_measured, f->n_measured == 1 ? "" : "s", r->iterations, r->runs);
    for (int j = 0; j < f->n_parameter; j++) {
        const fit_parameter *p = &f->parameter[j];
        char *label = words_format("%s%s%s%s", p->name, *p->unit ? " [" : "", p->unit, *p->unit ? "]" : "");
        printf("  %-16s %.8g", label, r->x[j]);
        if (isfinite(r->deviation[j])) {
            double half = job->reach * r->deviation[j];
            printf("   %.6g to %.6g with %g %% confidence, standard deviation %.3g\n", r->x[j] - half,
                   r->x[j] + half, 100.0 * job->confidence, r->deviation[j]);
        } else {
            printf("   not %s\n", r->ending == FIT_TOO_LONG ? "converged, the last value" : "identified");
        }
        free(label);
        if (job->profile && job->is_profiled[j]) {
            printf("  %-16s %.6g to %.6g by the likelihood itself, %d runs\n", "", job->profile[j].low,
                   job->profile[j].high, job->profile[j].runs);
        }
    }
    for (int c = 0; c < f->n_measured; c++) {
        printf("  %-16s residual %.4g rms of a range of %.4g %s\n", f->measured[c].name, r->rms[c],
               f->measured[c].range, f->measured[c].unit);
    }
    if (r->ending == FIT_CONVERGED && job->verdict.outcome != BI_BAD) {
        fputs("  use it as       ", stdout);
        for (int j = 0; j < f->n_parameter; j++) {
            printf(" --set %s=%.10g", f->parameter[j].name, r->x[j]);
        }
        putchar('\n');
    }
    if (r->ending == FIT_CONVERGED) {
        printf("  verdict          %s\n", job->verdict.line);
    }
    printf("  %s      %s\n", job->has_curves ? "written    " : "not written", job->out);
    if (job->picture) {
        printf("  plot             %s\n", job->picture);
    }
}

static void json_parameters(json *j, const fit_job *job)
{
    const fit_problem *f = &job->problem;
    const fit_result *r = &job->result;
    int n = f->n_parameter;
    json_object(j, "parameters");
    for (int k = 0; k < n; k++) {
        double half = job->reach * r->deviation[k];
        json_object(j, f->parameter[k].name);
        json_number(j, "value", r->x[k]);
        json_text(j, "unit", f->parameter[k].unit);
        json_number(j, "low", r->x[k] - half);
        json_number(j, "high", r->x[k] + half);
        json_number(j, "deviation", r->deviation[k]);
        if (job->profile && job->is_profiled[k]) {
            json_number(j, "profile_low", job->profile[k].low);
            json_number(j, "profile_high", job->profile[k].high);
        }
        json_true_or_false(j, "is_identified", isfinite(r->deviation[k]));
        json_true_or_false(j, "is_at_bound", r->is_at_bound[k]);
        json_true_or_false(j, "is_smooth", r->rough[k] <= fit_smooth);
        json_end(j);
    }
    json_end(j);
    json_array(j, "covariance");
    for (int i = 0; i < n; i++) {
        json_array(j, NULL);
        for (int k = 0; k < n; k++) {
            json_number(j, NULL, r->covariance[i * n + k]);
        }
        json_end(j);
    }
    json_end(j);
    json_array(j, "singular_values");
    for (int k = 0; k < n; k++) {
        json_number(j, NULL, r->singular[k]);
    }
    json_end(j);
    json_array(j, "not_identified");
    for (int k = 0; k < r->n_lost; k++) {
        char *names = lost_names(job, k);
        json_text(j, NULL, names);
        free(names);
    }
    json_end(j);
}

static void json_result(const fit_job *job, exit_code code, const bi_report *report)
{
    const fit_problem *f = &job->problem;
    const fit_result *r = &job->result;
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_text(&j, "ending", r->x ? ending_text[r->ending] : "not started");
    json_text(&j, "failure", r->x && *r->message && code != CLI_OK ? r->message : NULL);
    if (job->is_solved) {
        judgement_json(&j, &job->verdict);
        json_integer(&j, "values", f->n_value);
        json_integer(&j, "iterations", r->iterations);
        json_integer(&j, "runs", r->runs);
        json_number(&j, "confidence", job->confidence);
        json_number(&j, "reduced_chi2", r->chi2 / r->freedom);
        json_parameters(&j, job);
        json_object(&j, "columns");
        for (int c = 0; c < f->n_measured; c++) {
            json_object(&j, f->measured[c].name);
            json_number(&j, "rms", r->rms[c]);
            json_number(&j, "noise", r->sigma[c]);
            json_number(&j, "correlation", r->echo[c]);
            json_end(&j);
        }
        json_end(&j);
        json_text(&j, "out", job->has_curves ? job->out : NULL);
        json_text(&j, "plot", job->picture);
    }
    session_json_messages(&j, report);
    json_end(&j);
}

// ---- files ------------------------------------------------------------------------------------------------------------

// t, and for each column what was measured, computed, and left.
static bool write_curves(const fit_job *job)
{
    const fit_problem *f = &job->problem;
    bi_outfile *output = outfiles_begin(job->out);
    FILE *file = output ? bi_outfile_file(output) : NULL;
    for (int row = -1; file && row < f->table.rows; row++) {
        if (row < 0) {
            fputc('t', file);
        } else {
            fprintf(file, "%.17g", f->table.value[f->t][row]);
        }
        for (int c = 0; c < f->n_measured; c++) {
            const char *name = f->measured[c].name;
            double data = row < 0 ? 0.0 : f->table.value[f->measured[c].index][row];
            double model = row < 0 ? 0.0 : job->result.model[row * f->n_measured + c];
            if (row < 0) {
                fprintf(file, ",%s,%s.model,%s.residual", name, name, name);
            } else if (isfinite(data)) {
                fprintf(file, ",%.17g,%.17g,%.17g", data, model, data - model);
            } else {
                fprintf(file, ",,%.17g,", model);
            }
        }
        fputc('\n', file);
    }
    return output && outfiles_end(output);
}

static plot_result plot(fit_job *job)
{
    const fit_problem *f = &job->problem;
    bi_report report = { 0 };
    bi_table table;
    if (!bi_table_read_with_gaps(job->out, &table, &report)) {
        bi_report_print(&report, stderr);
        bi_report_clear(&report);
        return PLOT_FAILED;
    }
    int n = 2 * f->n_measured;
    char **name = words_alloc((size_t)n * sizeof *name);
    const char **unit = words_alloc((size_t)n * sizeof *unit);
    for (int c = 0; c < f->n_measured; c++) {
        name[2 * c] = words_format("%s", f->measured[c].name);
        name[2 * c + 1] = words_format("%s.model", f->measured[c].name);
        unit[2 * c] = unit[2 * c + 1] = f->measured[c].unit;
    }
    char *picture = file_with_ending(job->out, ENDING_PICTURE);
    plot_request request = { .table = &table,
                             .title = bi_model_name(job->session.model),
                             .out = picture,
                             .x = "t",
                             .x_unit = "s",
                             .n_curve = n,
                             .name = name,
                             .unit = unit };
    plot_result result = plot_write(&request);
    if (result == PLOT_WRITTEN) {
        job->picture = picture;
    } else {
        free(picture);
    }
    for (int k = 0; k < n; k++) {
        free(name[k]);
    }
    free(name);
    free(unit);
    bi_table_clear(&table);
    bi_report_clear(&report);
    return result;
}

// ---- all of it --------------------------------------------------------------------------------------------------------

// "squares", "huber" or "huber=1.5".
static bool take_loss(fit_job *job, const char *text)
{
    static const double usual = 1.345; // 95 % as good as squares where the noise is normal
    char *end = NULL;
    double limit = text && strncmp(text, "huber=", 6) == 0 ? strtod(text + 6, &end) : usual;
    bool is_huber = text && (strcmp(text, "huber") == 0 || (end && end != text + 6 && *end == '\0'));
    job->problem.huber = is_huber ? limit : 0.0;
    if (text && ((!is_huber && strcmp(text, "squares") != 0) || !(limit > 0.1) || !isfinite(limit))) {
        fprintf(stderr,
                "biela fit: error: --loss is squares, huber or huber=K with K > 0.1 sigmas, and not '%s'\n",
                text);
        return false;
    }
    return true;
}

// Which parameters --profile asks for; "all". False: told why.
static bool take_profile(fit_job *job, const char *text)
{
    const fit_problem *f = &job->problem;
    words_list names = words_split(text ? text : "", ',');
    bool ok = true;
    job->is_profiled = words_alloc((size_t)(f->n_parameter + 1) * sizeof *job->is_profiled);
    for (int k = 0; k < names.count; k++) {
        bool is_found = false;
        for (int j = 0; j < f->n_parameter; j++) {
            if (strcmp(names.name[k], "all") == 0 || strcmp(names.name[k], f->parameter[j].name) == 0) {
                job->is_profiled[j] = is_found = true;
            }
        }
        if (!is_found) {
            fprintf(stderr, "biela fit: error: --profile: '%s' is not among --params\n", names.name[k]);
            ok = false;
        }
    }
    if (text && f->huber > 0.0) {
        fputs("biela fit: error: --profile is of squares: --loss huber is no likelihood\n", stderr);
        ok = false;
    }
    words_list_clear(&names);
    return ok;
}

static bool take_options(fit_job *job, const arguments *args)
{
    double n = 0.0;
    number_range processes = { 1.0, 1024.0, NUMBER_WHOLE, "the number of processes, 1 to 1024" };
    job->confidence = 0.95;
    if (!option_number(args, "--confidence", NUMBER_SHARE, &job->confidence) ||
        !option_number(args, "--jobs", processes, &n)) {
        return false;
    }
    job->n_worker = (int)n;
    return true;
}

static exit_code solve(fit_job *job)
{
    const fit_problem *f = &job->problem;
    pool_task task = { fit_work, f, f->n_parameter, fit_answer_size(f) };
    exit_code code;
    pool *p = pool_open(&task, job->n_worker, &code);
    if (!p) {
        return code;
    }
    interrupt_catch();
    fit_solve(f, p, &job->result);
    double p_value = 0.5 + 0.5 * job->confidence;
    job->reach =
        f->has_noise ? normal_quantile(p_value) : student_quantile(p_value, fmax(1.0, job->result.freedom));
    for (int j = 0; job->is_profiled && j < f->n_parameter && job->result.ending == FIT_CONVERGED; j++) {
        if (job->is_profiled[j] && isfinite(job->result.deviation[j])) {
            job->profile =
                job->profile ? job->profile : words_alloc((size_t)f->n_parameter * sizeof *job->profile);
            job->profile[j] = fit_profile_of(f, p, &job->result, j, job->reach);
        }
    }
    interrupt_release();
    pool_close(p);
    if (job->result.ending == FIT_INTERRUPTED) {
        fputs("biela fit: interrupted\n", stderr);
        cluster_abandon(interrupt_code());
        return interrupt_code();
    }
    if (job->result.ending == FIT_NO_START || job->result.ending == FIT_STUCK) {
        fprintf(stderr, "biela fit: error: %s: %s\n", ending_text[job->result.ending], job->result.message);
        return CLI_NUMERICAL;
    }
    return CLI_OK;
}

// Intervals are those about a minimum; without one there are none.
static void forget_intervals(const fit_problem *f, fit_result *r)
{
    for (int j = 0; j < f->n_parameter; j++) {
        r->deviation[j] = INFINITY;
    }
    for (int k = 0; k < f->n_parameter * f->n_parameter; k++) {
        r->covariance[k] = NAN;
    }
}

static exit_code code_of(const fit_job *job, const arguments *args)
{
    if (job->result.ending == FIT_TOO_LONG) {
        return CLI_NUMERICAL;
    }
    return !job->has_curves ? CLI_MACHINE : judgement_code(job->verdict.outcome, args);
}

static exit_code fit_model(fit_job *job, const arguments *args)
{
    exit_code code = fit_make(args, &job->problem, &job->session);
    if (code == CLI_OK && (!take_loss(job, arguments_value(args, "--loss")) ||
                           !take_profile(job, arguments_value(args, "--profile")))) {
        code = CLI_BAD;
    }
    if (code != CLI_OK || job->is_helper) {
        return code == CLI_OK ? solve(job) : code;
    }
    const char *out = arguments_value(args, "--out");
    job->out = out ? words_format("%s", out) : words_format("out/%s-fit.csv", job->session.short_name);
    if (!claims_write(args->files, "--out", job->out) || !ending_fits("--out", job->out, ENDING_TEXT) ||
        (arguments_has(args, "--plot") &&
         !claims_write_beside(args->files, "--plot", job->out, ENDING_PICTURE))) {
        return CLI_BAD;
    }
    if (file_is_folder(job->out)) {
        fprintf(stderr, "biela fit: error: --out %s is a folder; name a file in it\n", job->out);
        return CLI_BAD;
    }
    if (arguments_has(args, "--plot") && bi_outfile_is_stream(job->out)) {
        fprintf(stderr,
                "biela fit: error: --plot needs a plain file as --out, and %s is a device or a pipe\n",
                job->out);
        return CLI_BAD;
    }
    code = file_make_folders(job->out) ? solve(job) : CLI_MACHINE;
    if (code != CLI_OK) {
        return code;
    }
    job->is_solved = true;
    // the result was hours of work: it is told even when the file cannot be written
    job->has_curves = write_curves(job);
    job->verdict = fit_verdict(&job->problem, job->result.x);
    if (job->result.ending == FIT_TOO_LONG) {
        forget_intervals(&job->problem, &job->result);
    }
    code = code_of(job, args);
    bi_report report = { 0 };
    warn(job, &report);
    bi_report_print(&report, stderr);
    for (int k = 0; k < report.count; k++) {
        const bi_issue *i = &report.issue[k];
        bi_report_add(&job->session.report, i->severity, i->code, i->place, i->where, "%s", i->what);
    }
    bi_report_clear(&report);
    judgement_warn(&job->verdict);
    if (arguments_has(args, "--plot") && job->has_curves && plot(job) == PLOT_FAILED) {
        code = code == CLI_OK ? CLI_MACHINE : code;
    }
    if (!job->is_json && !job->is_quiet) {
        print_result(job);
    }
    return code;
}

static exit_code run_fit(const arguments *args)
{
    fit_job job = { .is_quiet = arguments_has(args, "--quiet"), .is_json = arguments_has(args, "--json") };
    exit_code code = cluster_join(&job.is_helper);
    if (code != CLI_OK) {
        return code;
    }
    code = take_options(&job, args) ? fit_model(&job, args) : CLI_BAD;
    if (job.is_json) {
        json_result(&job, code, &job.session.report);
    }
    cluster_leave();
    fit_result_clear(&job.result);
    fit_clear(&job.problem);
    session_close(&job.session);
    free(job.out);
    free(job.picture);
    free(job.profile);
    free(job.is_profiled);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--params", "A,B=2", "parameters to find; their values are the start, or what stands behind =" },
    { "--bounds", "A=0:1,B=2:", "limits of parameters; an end may be left out" },
    { "--noise", "C=S,D=R", "standard deviation of each measured column; else it is estimated" },
    { "--ignore", "C,D", "columns of the data that do not count" },
    { "--skip-gaps", NULL, "empty cells of measured columns are left out" },
    { "--runs", "A,B", "a case of the model's `runs` for each file, in their order; default: --run for all" },
    { "--loss", "L",
      "squares (default); huber: what lies beyond 1.345 sigmas counts in proportion, huber=K: beyond K" },
    { "--profile", "A,B", "intervals of these parameters (all: of all) by the likelihood itself, besides" },
    { "--confidence", "C", "of the intervals; default 0.95" },
    { "--dt", "H", "step, s; shortened where rows of the data ask for it" },
    RUN_OPTION("scheme"),
    RUN_OPTION("rho"),
    RUN_OPTION("tolerance"),
    RUN_OPTION("solver"),
    RUN_OPTION("start"),
    RUN_OPTION("formulation"),
    { "--manoeuvre", "FILE.csv", "inputs over time that are not in the data" },
    { "--jobs", "N", "processes; default one per core. The result does not depend on it" },
    { "--out", "FILE.csv", "measured, computed and their difference; default out/MODEL-fit.csv" },
    { "--plot", NULL, "FILE" ENDING_PICTURE ": measured and computed (needs gnuplot)" },
    { "--strict", NULL, "a doubtful verdict of the run with the values found ends with exit code 4" },
    { "--json", NULL, "the result as one JSON object on stdout" },
    { "--quiet", NULL, "no summary" },
};

const command command_fit = {
    .name = "fit",
    .words = "MODEL DATA.csv ...",
    .summary = "find parameters of a model from measured data",
    .details =
        "The data have a column t and columns called as channels (measured) or inputs (applied, straight "
        "lines\n"
        "between rows). Parameters follow by least squares (Gauss-Newton with Marquardt's damping), "
        "derivatives by\n"
        "differences of whole runs, in parallel. Intervals assume independent noise; residuals that look "
        "otherwise,\n"
        "parameters that the data cannot identify and combinations that change nothing are told by name.\n"
        "Without a minimum the exit code is 3, and there are no intervals; it is 4 when the run with the "
        "values found judges itself bad.",
    .example = "  biela fit pendulum swing.csv --params L,c --bounds L=0.1:5,c=0: --plot\n"
               "  biela fit cart.yaml test.csv --params m --noise x.position=1e-3 --json",
    .min_words = 2,
    .max_words = 33,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_fit,
};
