// SPDX-License-Identifier: MIT
#include "study/tyre_fit.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/numbers.h"
#include "running/outfiles.h"
#include "study/fit.h"
#include "study/statistics.h"
#include <biela/tyre.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };

bi_model *tyre_file_model(const char *path, const char *more, bi_report *report)
{
    words_list part = words_split(path, '\'');
    char *quoted = words_format("%s", part.count > 0 ? part.name[0] : "");
    for (int k = 1; k < part.count; k++) {
        char *longer = words_format("%s''%s", quoted, part.name[k]);
        free(quoted);
        quoted = longer;
    }
    words_list_clear(&part);
    char *text = words_format("biela: 1\nname: tyre\nbodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
                              "forces: {tyre: {file: '%s', body: wheel%s}}\n",
                              quoted, more);
    bi_model *model = bi_read_model_text(text, strlen(text), "rig", NULL, 0, NULL, NULL, report);
    free(text);
    free(quoted);
    return model;
}

// ---- the rig -------------------------------------------------------------------------------------------------------

enum { GIVEN = 5, MEASURED = 5 };
static const char *const given_name[GIVEN] = { "load", "slip", "angle", "camber", "speed" };
static const char *const measured_name[MEASURED] = { "fx", "fy", "mx", "my", "mz" };
static const char *const measured_unit[MEASURED] = { "N", "N", "N*m", "N*m", "N*m" };

typedef struct {
    fit_problem f;
    const char *tyre;
    double speed;
    int given[GIVEN];    // columns of the data; -1: none
    int which[MEASURED]; // of the measured columns: which force
    char *text;          // of the property file
    bi_report report;
} tyre_problem;

static double force_of(const bi_tyre_force *force, int which)
{
    const double all[MEASURED] = { force->fx, force->fy, force->mx, force->my, force->mz };
    return all[which];
}

// Forces at all rows of the data with these coefficients.
static void work(const void *context, const double *question, double *answer, char message[POOL_MESSAGE])
{
    const tyre_problem *t = context;
    const fit_problem *f = &t->f;
    char *more = words_format("%s", "");
    for (int k = 0; k < f->n_parameter; k++) {
        char *longer = words_format("%s, %s: %.17g", more, f->parameter[k].name, question[k]);
        free(more);
        more = longer;
    }
    bi_report report = { 0 };
    bi_model *model = tyre_file_model(t->tyre, more, &report);
    bi_system *system = model && report.errors == 0 ? bi_compile(model, &(bi_options){ 0 }, &report) : NULL;
    bi_element tyre = system ? bi_model_element(model, "tyre") : (bi_element){ 0 };
    answer[0] = system ? 0.0 : 1.0;
    for (int k = 0; k < report.count && answer[0] != 0.0; k++) {
        if (report.issue[k].severity == BI_ERROR) {
            snprintf(message, POOL_MESSAGE, "%s: %.800s", report.issue[k].where, report.issue[k].what);
            break;
        }
    }
    for (int row = 0; row < f->table.rows && answer[0] == 0.0; row++) {
        double at[GIVEN] = { 0.0, 0.0, 0.0, 0.0, t->speed };
        for (int k = 0; k < GIVEN; k++) {
            at[k] = t->given[k] >= 0 ? f->table.value[t->given[k]][row] : at[k];
        }
        bi_tyre_force force;
        bi_tyre_state state = { at[0], at[1], at[2], at[3], at[4] };
        if (!bi_tyre_test(system, tyre, &state, &force)) {
            answer[0] = 1.0;
            snprintf(message, POOL_MESSAGE, "the file makes no tyre");
        }
        for (int c = 0; c < f->n_measured && answer[0] == 0.0; c++) {
            double value = force_of(&force, t->which[c]);
            answer[1 + row * f->n_measured + c] = value;
            if (!isfinite(value)) {
                answer[0] = 1.0;
                snprintf(message, POOL_MESSAGE, "row %d: no finite %s", row + 1, measured_name[t->which[c]]);
            }
        }
    }
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    free(more);
}

// ---- what is asked for -----------------------------------------------------------------------------------------------

// Where the value of a key stands in a property file; NULL: nowhere. Keys begin their line.
static const char *value_of(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        const char *after =
            line + strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        const char *equal = after + strspn(after, " \t");
        if ((size_t)(after - line) == length && strncmp(line, key, length) == 0 && *equal == '=') {
            return equal + 1 + strspn(equal + 1, " \t");
        }
        if (!*line) {
            return NULL;
        }
    }
    return NULL;
}

// A coefficient or scale factor: the same number in any units.
static bool is_coefficient(const char *key)
{
    size_t n = strlen(key);
    bool has_number =
        n >= 4 && isdigit((unsigned char)key[n - 1]) && strchr("PQRS", key[0]) && !strchr(key, '_');
    bool is_scale = key[0] == 'L' && n >= 2 && n <= 5 && strcmp(key, "LFZO") != 0;
    return has_number || is_scale;
}

static void take_parameters(tyre_problem *t, const char *words)
{
    fit_problem *f = &t->f;
    words_list list = words_split(words ? words : "", ',');
    f->parameter = words_alloc((size_t)(list.count + 1) * sizeof *f->parameter);
    for (int k = 0; k < list.count; k++) {
        char *equal = strchr(list.name[k], '='), *end = NULL;
        fit_parameter p = { .low = -INFINITY, .high = INFINITY };
        p.name = words_copy(list.name[k], equal ? (size_t)(equal - list.name[k]) : strlen(list.name[k]));
        p.unit = words_format("%s", "");
        const char *value = value_of(t->text, p.name);
        const char *wrong = NULL;
        if (!is_coefficient(p.name)) {
            wrong = "is no coefficient of the Magic Formula, such as PCY1, nor a scale factor";
        } else if (!value) {
            wrong = "is not in the property file: write it there, with a value to start from";
        } else {
            p.start = strtod(equal ? equal + 1 : value, &end);
            wrong = end == (equal ? equal + 1 : value) || (equal && *end) || !isfinite(p.start)
                        ? "starts from no finite number"
                        : NULL;
        }
        for (int other = 0; other < f->n_parameter && !wrong; other++) {
            wrong = strcmp(f->parameter[other].name, p.name) == 0 ? "is given twice" : NULL;
        }
        if (wrong) {
            bi_report_add(&t->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--params", "'%.80s' %s", p.name,
                          wrong);
        }
        p.scale = p.start != 0.0 ? fabs(p.start) : 0.1;
        f->parameter[f->n_parameter++] = p;
    }
    if (list.count == 0 || list.count > 64) {
        bi_report_add(&t->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--params",
                      "name the coefficients to find, 64 at most: --params PCY1,PDY1,PKY1");
    }
    words_list_clear(&list);
}

static void take_columns(tyre_problem *t)
{
    fit_problem *f = &t->f;
    f->measured = words_alloc((size_t)(f->table.columns + 1) * sizeof *f->measured);
    for (int k = 0; k < GIVEN; k++) {
        t->given[k] = bi_table_column(&f->table, given_name[k]);
    }
    for (int k = 0; k < MEASURED; k++) {
        int c = bi_table_column(&f->table, measured_name[k]);
        if (c < 0) {
            continue;
        }
        double low = INFINITY, high = -INFINITY;
        for (int row = 0; row < f->table.rows; row++) {
            low = fmin(low, f->table.value[c][row]);
            high = fmax(high, f->table.value[c][row]);
        }
        t->which[f->n_measured] = k;
        f->measured[f->n_measured++] = (fit_column){ .index = c,
                                                     .name = words_format("%s", measured_name[k]),
                                                     .unit = words_format("%s", measured_unit[k]),
                                                     .count = f->table.rows,
                                                     .range = high - low };
        f->n_value += f->table.rows;
    }
    bi_place top = { f->path, 1, 1 };
    if (t->given[0] < 0 || f->n_measured == 0) {
        bi_report_add(
            &t->report, BI_ERROR, BI_BAD_FILE, top, "",
            "needs a column 'load' (N), slip, angle (rad), camber (rad) or speed (m/s) that are not "
            "0, and one measured at least: fx, fy (N), mx, my, mz (N m)");
    }
    for (int row = 0; row < f->table.rows && t->given[0] >= 0; row++) {
        if (!(f->table.value[t->given[0]][row] > 0.0)) {
            bi_report_add(&t->report, BI_ERROR, BI_BAD_FILE, fit_place(f, row), "load", "must be above zero");
            break;
        }
    }
    if (t->report.errors == 0 && f->n_value <= f->n_parameter) {
        bi_report_add(&t->report, BI_ERROR, BI_BAD_FILE, top, "", "%d values are too few for %d coefficients",
                      f->n_value, f->n_parameter);
    }
}

static void take_noise(tyre_problem *t, const char *words)
{
    fit_problem *f = &t->f;
    words_list list = words_split(words ? words : "", ',');
    int given = 0;
    for (int k = 0; k < list.count; k++) {
        char *equal = strchr(list.name[k], '='), *end = NULL;
        double value = equal ? strtod(equal + 1, &end) : 0.0;
        bool is_good = equal && end != equal + 1 && !*end && value > 0.0 && isfinite(value), is_found = false;
        for (int c = 0; c < f->n_measured && is_good; c++) {
            if (strncmp(list.name[k], f->measured[c].name, (size_t)(equal - list.name[k])) == 0 &&
                strlen(f->measured[c].name) == (size_t)(equal - list.name[k])) {
                given += f->measured[c].noise == 0.0;
                f->measured[c].noise = value;
                is_found = true;
            }
        }
        if (!is_found) {
            bi_report_add(&t->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--noise",
                          "'%.80s': write COLUMN=standard deviation, with a measured column of the data",
                          list.name[k]);
        }
    }
    if (given > 0 && given < f->n_measured) {
        bi_report_add(&t->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--noise",
                      "name the noise of every measured column, or of none: then it is estimated");
    }
    f->has_noise = given > 0;
    words_list_clear(&list);
}

static void make_problem(tyre_problem *t, const arguments *args, const char *data)
{
    const char *why = NULL;
    fit_problem *f = &t->f;
    FILE *file = bi_open_plain(t->tyre, &why);
    t->text = file ? words_of_file(file) : NULL;
    if (file) {
        fclose(file);
    }
    if (!t->text) {
        bi_report_add(&t->report, BI_ERROR, BI_BAD_FILE, (bi_place){ t->tyre, 1, 1 }, "", "%s",
                      why ? why : "cannot be read");
        return;
    }
    f->path = data;
    if (!bi_table_read(data, &f->table, &t->report)) {
        return;
    }
    f->segment = words_alloc(sizeof *f->segment);
    f->segment[0] = (fit_segment){ .path = data, .rows = f->table.rows };
    f->n_segment = 1;
    take_parameters(t, arguments_value(args, "--params"));
    take_columns(t);
    take_noise(t, arguments_value(args, "--noise"));
    // all mistakes of the property file at once, before there are processes
    if (t->report.errors == 0) {
        bi_model_destroy(tyre_file_model(t->tyre, "", &t->report));
    }
}

// ---- what was found ----------------------------------------------------------------------------------------------------

// The property file with the values found in the place of its own.
static bool write_file(const tyre_problem *t, const double *x, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    FILE *file = output ? bi_outfile_file(output) : NULL;
    const char *at = t->text;
    while (file && *at) {
        const char *next = NULL;
        int which = -1;
        for (int k = 0; k < t->f.n_parameter; k++) {
            const char *value = value_of(t->text, t->f.parameter[k].name);
            if (value >= at && (!next || value < next)) {
                next = value;
                which = k;
            }
        }
        if (!next) {
            fputs(at, file);
            break;
        }
        char *end;
        (void)strtod(next, &end);
        fwrite(at, 1, (size_t)(next - at), file);
        fprintf(file, "%.12g", x[which]);
        at = end;
    }
    return output && outfiles_end(output);
}

static void warn(const tyre_problem *t, const fit_result *r, double reach, bi_report *report)
{
    const fit_problem *f = &t->f;
    int strays = 0;
    for (int j = 0; j < f->n_parameter; j++) {
        if (!isfinite(r->deviation[j])) {
            bi_report_add(report, BI_WARNING, BI_SINGULAR, nowhere, f->parameter[j].name,
                          "cannot be identified: the data determine at most a combination of it with others");
        } else if (reach * r->deviation[j] > fabs(r->x[j])) {
            bi_report_add(report, BI_WARNING, BI_OK, nowhere, f->parameter[j].name,
                          "is hardly identified: its interval is wider than its value");
        }
    }
    double limit = fmax(4.0, normal_quantile(1.0 - 0.005 / f->n_value));
    for (int k = 0; k < f->n_value && strays < 10; k++) {
        if (fabs(r->raw[k]) < 1.5) {
            continue;
        }
        fit_stray one = fit_stray_at(f, r, k);
        if (one.sigmas > limit) {
            const fit_column *c = &f->measured[one.column];
            bi_report_add(report, BI_WARNING, BI_OK, fit_place(f, one.row), c->name,
                          "an outlier: %.6g is %.1f standard deviations of the others from the formula",
                          f->table.value[c->index][one.row], one.sigmas);
            strays++;
        }
    }
    // a scatter that the noise does not explain
    double reduced = r->chi2 / r->freedom;
    if (f->has_noise && fabs(reduced - 1.0) > fmax(0.2, 5.0 * sqrt(2.0 / r->freedom))) {
        bi_report_add(report, BI_WARNING, BI_OK, nowhere, "--noise",
                      "the residuals are %.3g times the noise given", sqrt(reduced));
    }
}

static void tell(const tyre_problem *t, const fit_result *r, double reach, const char *path)
{
    const fit_problem *f = &t->f;
    printf("%s: %d coefficient%s from %d values, %d iterations, %d evaluations\n", t->tyre, f->n_parameter,
           f->n_parameter == 1 ? "" : "s", f->n_value, r->iterations, r->runs);
    for (int j = 0; j < f->n_parameter; j++) {
        if (isfinite(r->deviation[j])) {
            printf("  %-10s %.8g   %.6g to %.6g with 95 %% confidence, was %g\n", f->parameter[j].name,
                   r->x[j], r->x[j] - reach * r->deviation[j], r->x[j] + reach * r->deviation[j],
                   f->parameter[j].start);
        } else {
            printf("  %-10s %.8g   not identified\n", f->parameter[j].name, r->x[j]);
        }
    }
    for (int c = 0; c < f->n_measured; c++) {
        printf("  %-10s residual %.4g rms of a range of %.4g %s\n", f->measured[c].name, r->rms[c],
               f->measured[c].range, f->measured[c].unit);
    }
    printf("  %-10s %s\n", path ? "written" : "not written", path ? path : "");
}

static void tell_json(const tyre_problem *t, const fit_result *r, double reach, const char *path,
                      const bi_report *report, exit_code code)
{
    const fit_problem *f = &t->f;
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_text(&j, "file", path);
    json_object(&j, "parameters");
    for (int k = 0; k < f->n_parameter && r->x; k++) {
        json_object(&j, f->parameter[k].name);
        json_number(&j, "value", r->x[k]);
        json_number(&j, "low", r->x[k] - reach * r->deviation[k]);
        json_number(&j, "high", r->x[k] + reach * r->deviation[k]);
        json_number(&j, "deviation", r->deviation[k]);
        json_end(&j);
    }
    json_end(&j);
    json_object(&j, "columns");
    for (int c = 0; c < f->n_measured && r->x; c++) {
        json_object(&j, f->measured[c].name);
        json_number(&j, "rms", r->rms[c]);
        json_number(&j, "noise", r->sigma[c]);
        json_end(&j);
    }
    json_end(&j);
    session_json_messages(&j, report);
    json_end(&j);
}

// ---- all of it -----------------------------------------------------------------------------------------------------------

static exit_code solve(tyre_problem *t, int n_worker, fit_result *r)
{
    static const char *const why[] = { [FIT_STUCK] = "both sides of a coefficient failed",
                                       [FIT_TOO_LONG] = "not converged: start nearer, or find fewer at once",
                                       [FIT_NO_START] = "there are no forces to start from" };
    fit_problem *f = &t->f;
    pool_task task = { work, t, f->n_parameter, fit_answer_size(f) };
    exit_code code;
    pool *p = pool_open(&task, n_worker, &code);
    if (!p) {
        return code;
    }
    interrupt_catch();
    fit_solve(f, p, r);
    interrupt_release();
    pool_close(p);
    if (r->ending == FIT_INTERRUPTED) {
        fputs("biela tyre: interrupted\n", stderr);
        return interrupt_code();
    }
    if (r->ending != FIT_CONVERGED) {
        bi_report_add(&t->report, BI_ERROR, BI_NOT_CONVERGED, nowhere, "--fit", "%s%s%s", why[r->ending],
                      *r->message ? ": " : "", r->message);
        return CLI_NUMERICAL;
    }
    return CLI_OK;
}

exit_code tyre_fit(const arguments *args, const char *tyre, const char *data, double speed)
{
    tyre_problem t = { .tyre = tyre, .speed = speed };
    fit_result r = { 0 };
    double jobs = 0.0, reach = 0.0;
    number_range processes = { 1.0, 1024.0, NUMBER_WHOLE, "the number of processes, 1 to 1024" };
    char *name = file_model_name(tyre);
    const char *out = arguments_value(args, "--out");
    char *path = out ? words_format("%s", out) : words_format("out/%s-fit.tir", name);
    bool is_asked = option_number(args, "--jobs", processes, &jobs);
    if (is_asked && !file_has_ending(path, ".tir")) {
        fprintf(stderr, "biela tyre: error: --out %s: a fit writes a property file, FILE.tir\n", path);
        is_asked = false;
    }
    is_asked = is_asked && claims_write(args->files, "--out", path);
    exit_code code = CLI_BAD;
    bool is_written = false;
    if (is_asked) {
        make_problem(&t, args, data);
    }
    if (is_asked && t.report.errors == 0) {
        code = file_make_folders(path) ? solve(&t, (int)jobs, &r) : CLI_MACHINE;
    }
    if (code == CLI_OK) {
        reach = t.f.has_noise ? normal_quantile(0.975) : student_quantile(0.975, fmax(1.0, r.freedom));
        warn(&t, &r, reach, &t.report);
        is_written = write_file(&t, r.x, path);
        code = is_written ? CLI_OK : CLI_MACHINE;
    }
    if (arguments_has(args, "--json")) {
        tell_json(&t, &r, reach, is_written ? path : NULL, &t.report, code);
    } else {
        bi_report_print(&t.report, stderr);
        if (code == CLI_OK || (code == CLI_MACHINE && r.x)) {
            tell(&t, &r, reach, is_written ? path : NULL);
        }
    }
    fit_result_clear(&r);
    fit_clear(&t.f);
    bi_report_clear(&t.report);
    free(t.text);
    free(name);
    free(path);
    return code;
}
