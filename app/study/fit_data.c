// SPDX-License-Identifier: MIT
// From the words of the command line and the columns of the data to a problem of least squares.
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };

static void complain(session *s, const char *option, const char *what, const char *name)
{
    bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, option, "'%.100s': %s", name, what);
}

// ---- parameters -------------------------------------------------------------------------------------------------------

// Value and unit of a parameter, in that unit. False: there is none of that name.
static bool find_parameter(session *s, const char *name, double *value, char **unit)
{
    const char *found, *its_unit;
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; bi_model_parameter_at(s->model, k, &found, value, &its_unit); k++) {
        if (strcmp(found, name) != 0) {
            nearest_try(&best, found);
            continue;
        }
        double one = 1.0;
        *unit = words_format("%s", its_unit ? its_unit : "");
        if (**unit) {
            char *text = words_format("1 %s", *unit);
            bi_model_number(s->model, text, NULL, "--params", &one, &s->report);
            free(text);
        }
        *value /= one;
        return true;
    }
    bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--params",
                  "there is no parameter called '%.80s'%s%s%s", name, best.name ? "; did you mean '" : "",
                  best.name ? best.name : "", best.name ? "'?" : "");
    return false;
}

// "L,c=0.3"
static void take_parameters(fit_problem *f, session *s, const char *text)
{
    words_list list = words_split(text ? text : "", ',');
    f->parameter = words_alloc((size_t)(list.count + 1) * sizeof *f->parameter);
    for (int k = 0; k < list.count; k++) {
        char *equal = strchr(list.name[k], '='), *end = NULL;
        fit_parameter p = { .low = -INFINITY, .high = INFINITY };
        p.name = words_copy(list.name[k], equal ? (size_t)(equal - list.name[k]) : strlen(list.name[k]));
        bool is_known = find_parameter(s, p.name, &p.start, &p.unit);
        if (is_known && equal) {
            p.start = strtod(equal + 1, &end);
            if (end == equal + 1 || *end || !isfinite(p.start)) {
                complain(s, "--params", "a starting value is a finite number in the parameter's own unit",
                         list.name[k]);
            }
        }
        for (int other = 0; other < f->n_parameter; other++) {
            if (strcmp(f->parameter[other].name, p.name) == 0) {
                complain(s, "--params", "is given twice", p.name);
            }
        }
        for (int other = 0; other < f->request.n_setting; other++) {
            if (strcmp(f->request.setting[other].name, p.name) == 0) {
                complain(s, "--params",
                         "is also given by --set; write --params NAME=START for a starting value", p.name);
            }
        }
        f->parameter[f->n_parameter++] = p;
    }
    if (list.count > 64) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--params", "64 parameters at most");
    }
    if (list.count == 0) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--params",
                      "name the parameters to find: --params a,b");
    }
    words_list_clear(&list);
}

static fit_parameter *parameter_of(fit_problem *f, const char *name, size_t length)
{
    for (int k = 0; k < f->n_parameter; k++) {
        if (strlen(f->parameter[k].name) == length && strncmp(f->parameter[k].name, name, length) == 0) {
            return &f->parameter[k];
        }
    }
    return NULL;
}

// An end of a range; nothing written there: infinite.
static bool read_end(const char *from, const char *to, double *value)
{
    if (from == to) {
        return true;
    }
    char *end;
    *value = strtod(from, &end);
    return end == to && !isnan(*value);
}

// "L=0.1:3,c=0:"
static void take_bounds(fit_problem *f, session *s, const char *text)
{
    words_list list = words_split(text ? text : "", ',');
    for (int k = 0; k < list.count; k++) {
        const char *word = list.name[k], *equal = strchr(word, '='),
                   *colon = equal ? strchr(equal, ':') : NULL;
        fit_parameter *p = equal ? parameter_of(f, word, (size_t)(equal - word)) : NULL;
        if (!colon || !p) {
            complain(s, "--bounds",
                     p ? "write name=low:high" : "write name=low:high, with a parameter of --params", word);
        } else if (!read_end(equal + 1, colon, &p->low) ||
                   !read_end(colon + 1, word + strlen(word), &p->high) || !(p->low < p->high)) {
            complain(s, "--bounds", "write name=low:high with low < high; an end may be left out", word);
        }
    }
    words_list_clear(&list);
    for (int k = 0; k < f->n_parameter; k++) {
        fit_parameter *p = &f->parameter[k];
        double width = p->high - p->low;
        if (p->start < p->low || p->start > p->high) {
            bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--bounds",
                          "%s starts at %g, outside of %g to %g; give another start with --params %s=VALUE",
                          p->name, p->start, p->low, p->high, p->name);
        }
        p->scale = p->start != 0.0 ? fabs(p->start) : isfinite(width) ? width : 1.0;
    }
}

// ---- data -------------------------------------------------------------------------------------------------------------

static const fit_segment *segment_of(const fit_problem *f, int row)
{
    int k = f->n_segment - 1;
    while (k > 0 && f->segment[k].from > row) {
        k--;
    }
    return &f->segment[k];
}

bi_place fit_place(const fit_problem *f, int row)
{
    return (bi_place){ segment_of(f, row)->path, f->table.line ? f->table.line[row] : row + 1, 1 };
}

static void check_time_of(fit_problem *f, session *s, const fit_segment *of)
{
    const double *t = &f->table.value[f->t][of->from];
    int n = of->rows, n_reported = 0;
    for (int k = 0; k < n && n_reported < 10; k++) {
        const char *what = !isfinite(t[k])               ? "the time is missing or not a finite number"
                           : k == 0 && t[k] < 0.0        ? "the time is negative: a run begins at t = 0"
                           : k > 0 && !(t[k] > t[k - 1]) ? "the times do not increase: sort the rows"
                                                         : NULL;
        if (what) {
            bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, fit_place(f, of->from + k), "t", "%s", what);
            n_reported++;
        }
    }
    // rows missing in the middle of regular data are worth a word
    double usual = n > 2 ? (t[n - 1] - t[0]) / (n - 1) : 0.0;
    for (int k = 1; n_reported == 0 && k < n; k++) {
        if (n > 2 && t[k] - t[k - 1] > 5.0 * usual) {
            bi_report_add(&s->report, BI_WARNING, BI_BAD_FILE, fit_place(f, of->from + k), "t",
                          "a gap of %g s before this row (%g s on average)%s", t[k] - t[k - 1], usual,
                          f->n_driven > 0 ? ": the inputs are joined across it by straight lines" : "");
        }
    }
}

static void check_time(fit_problem *f, session *s)
{
    for (int k = 0; k < f->n_segment; k++) {
        check_time_of(f, s, &f->segment[k]);
    }
}

typedef enum { GAPS_REFUSED, GAPS_SKIPPED } gaps_rule;

static void check_column(fit_problem *f, session *s, fit_column *c, gaps_rule rule)
{
    const double *value = f->table.value[c->index];
    double low = INFINITY, high = -INFINITY;
    int gaps = 0;
    for (int k = 0; k < f->table.rows; k++) {
        if (isfinite(value[k])) {
            low = fmin(low, value[k]);
            high = fmax(high, value[k]);
            c->count++;
        } else if (rule == GAPS_REFUSED && gaps++ < 5) {
            bi_report_add(
                &s->report, BI_ERROR, BI_BAD_FILE, fit_place(f, k), c->name,
                "a gap: the cell is empty or not a finite number; complete it, or leave such cells out with "
                "--skip-gaps (inputs cannot have gaps)");
        }
    }
    if (gaps > 5) {
        bi_report_add(&s->report, BI_NOTE, BI_BAD_FILE, (bi_place){ f->path, 1, 1 }, c->name,
                      "%d gaps in all", gaps);
    }
    c->range = c->count > 0 ? high - low : 0.0;
}

// Columns are channels to compare, or inputs to apply.
static void match_columns(fit_problem *f, session *s, gaps_rule rule, const words_list *ignored)
{
    size_t n = (size_t)f->table.columns + 1;
    f->measured = words_alloc(n * sizeof *f->measured);
    f->driven = words_alloc(n * sizeof *f->driven);
    for (int c = 0; c < f->table.columns; c++) {
        const char *name = f->table.name[c];
        bool is_ignored = c == f->t;
        for (int k = 0; k < ignored->count; k++) {
            is_ignored = is_ignored || strcmp(ignored->name[k], name) == 0;
        }
        if (is_ignored) {
            continue;
        }
        bi_channel channel = bi_find_channel(s->system, name);
        // an input that is also shown as a channel was applied, not measured
        if (bi_model_input(s->model, name).i != 0) {
            f->driven[f->n_driven++] =
                (fit_column){ .index = c, .name = words_format("%s", name), .unit = words_format("%s", "") };
        } else if (channel.i != 0) {
            const char *unit = bi_channel_unit(s->system, channel);
            f->measured[f->n_measured++] = (fit_column){ .index = c,
                                                         .name = words_format("%s", name),
                                                         .unit = words_format("%s", unit ? unit : "") };
        } else {
            nearest best = nearest_start(name, strlen(name));
            for (int k = 0; k < bi_channel_count(s->system); k++) {
                nearest_try(&best, bi_channel_name(s->system, bi_channel_at(s->system, k)));
            }
            bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, (bi_place){ f->path, 1, 1 }, name,
                          "is no channel and no input of the model%s%s%s; leave it out with --ignore %s",
                          best.name ? "; did you mean '" : "", best.name ? best.name : "",
                          best.name ? "'?" : "", name);
        }
    }
    for (int k = 0; k < f->n_measured; k++) {
        check_column(f, s, &f->measured[k], rule);
        f->n_value += f->measured[k].count;
    }
    for (int k = 0; k < f->n_driven; k++) {
        check_column(f, s, &f->driven[k], GAPS_REFUSED);
    }
}

// "P.x=0.01,P.y=0.02"
static void take_noise(fit_problem *f, session *s, const char *text)
{
    words_list list = words_split(text ? text : "", ',');
    for (int k = 0; k < list.count; k++) {
        char *equal = strchr(list.name[k], '='), *end = NULL;
        double value = equal ? strtod(equal + 1, &end) : 0.0;
        bool is_found = false;
        for (int c = 0; equal && c < f->n_measured; c++) {
            size_t length = (size_t)(equal - list.name[k]);
            if (strlen(f->measured[c].name) == length &&
                strncmp(f->measured[c].name, list.name[k], length) == 0) {
                f->measured[c].noise = value;
                is_found = true;
            }
        }
        if (!is_found) {
            complain(s, "--noise", "write CHANNEL=standard deviation, with a measured column of the data",
                     list.name[k]);
        } else if (end == equal + 1 || *end || !(value > 0.0) || !isfinite(value)) {
            complain(s, "--noise", "the standard deviation must be a number greater than zero", list.name[k]);
        }
    }
    int given = 0;
    for (int c = 0; c < f->n_measured; c++) {
        given += f->measured[c].noise > 0.0;
    }
    if (given > 0 && given < f->n_measured && s->report.errors == 0) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--noise",
                      "name the noise of every measured column, or of none: then it is estimated");
    }
    f->has_noise = given > 0;
    words_list_clear(&list);
}

// Wires that were not connected.
static bool is_all_zero(const fit_problem *f)
{
    bool is_zero = true;
    for (int c = 0; c < f->n_measured && is_zero; c++) {
        const double *value = f->table.value[f->measured[c].index];
        for (int row = 0; row < f->table.rows && is_zero; row++) {
            is_zero = value[row] == 0.0 || isnan(value[row]);
        }
    }
    return is_zero;
}

// The columns of `more`, in the order of the table, below it.
static bool append(fit_problem *f, session *s, const bi_table *more, const char *path)
{
    bi_table *all = &f->table;
    int rows = all->rows + more->rows;
    if (more->columns != all->columns) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "",
                      "has %d columns, and %s has %d: files that are fitted together have the same columns",
                      more->columns, f->path, all->columns);
        return false;
    }
    int *line = words_alloc((size_t)rows * sizeof *line);
    for (int k = 0; k < rows; k++) {
        const bi_table *of = k < all->rows ? all : more;
        int row = k < all->rows ? k : k - all->rows;
        line[k] = of->line ? of->line[row] : row + 1;
    }
    for (int c = 0; c < all->columns; c++) {
        int from = bi_table_column(more, all->name[c]);
        if (from < 0) {
            bi_report_add(
                &s->report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, all->name[c],
                "has no such column, and %s has: files that are fitted together have the same columns",
                f->path);
            free(line);
            return false;
        }
        double *value = words_alloc((size_t)rows * sizeof *value);
        memcpy(value, all->value[c], (size_t)all->rows * sizeof *value);
        memcpy(value + all->rows, more->value[from], (size_t)more->rows * sizeof *value);
        free(all->value[c]);
        all->value[c] = value;
    }
    free(all->line);
    all->line = line;
    all->rows = rows;
    return true;
}

// Each file is a run of its own; --runs names them.
static bool read_files(fit_problem *f, session *s, const arguments *args)
{
    const char *runs = arguments_value(args, "--runs");
    f->runs = words_split(runs ? runs : "", ',');
    f->segment = words_alloc((size_t)args->n_word * sizeof *f->segment);
    if (f->runs.count > 0 && f->runs.count != args->n_word - 1) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--runs",
                      "names %d runs for %d files: one for each, in their order", f->runs.count,
                      args->n_word - 1);
        return false;
    }
    bool ok = true;
    for (int k = 1; k < args->n_word && ok; k++) {
        bi_table more = { 0 }, *to = k == 1 ? &f->table : &more;
        fit_segment *part = &f->segment[f->n_segment];
        *part = (fit_segment){ .path = args->word[k],
                               .kept = session_kept_create(),
                               .run_name = f->runs.count > 0 ? f->runs.name[k - 1] : NULL };
        ok = bi_table_read_with_gaps(part->path, to, &s->report);
        part->from = k == 1 ? 0 : f->table.rows;
        part->rows = ok ? to->rows : 0;
        ok = ok && (k == 1 || append(f, s, &more, part->path));
        f->n_segment++;
        if (k > 1) {
            bi_table_clear(&more);
        }
    }
    return ok;
}

static void take_data(fit_problem *f, session *s, const arguments *args)
{
    if (!read_files(f, s, args)) {
        return;
    }
    f->t = bi_table_column(&f->table, "t");
    if (f->t < 0) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, (bi_place){ f->path, 1, 1 }, "t",
                      "the first line names no column t");
        return;
    }
    const char *ignore = arguments_value(args, "--ignore");
    words_list ignored = words_split(ignore ? ignore : "", ',');
    match_columns(f, s, arguments_has(args, "--skip-gaps") ? GAPS_SKIPPED : GAPS_REFUSED, &ignored);
    words_list_clear(&ignored);
    check_time(f, s);
    take_noise(f, s, arguments_value(args, "--noise"));
    if (s->report.errors == 0 && f->n_value <= f->n_parameter) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, (bi_place){ f->path, 1, 1 }, "",
                      "%d measured values in %d columns are too few for %d parameters", f->n_value,
                      f->n_measured, f->n_parameter);
    }
    if (s->report.errors == 0 && is_all_zero(f)) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, (bi_place){ f->path, 1, 1 }, "",
                      "every measured value is 0: nothing was measured");
    }
}

// A step ends at each row of the data; one beyond their end says nothing.
static void check_step(const fit_problem *f, session *s)
{
    double last = INFINITY;
    for (int k = 0; k < f->n_segment; k++) {
        last = fmin(last, f->table.value[f->t][f->segment[k].from + f->segment[k].rows - 1]);
    }
    if (f->request.dt && !s->run.is_auto && s->run.dt > last) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--dt",
                      "a step of %g s is longer than the data, %g s", s->run.dt, last);
    }
}

exit_code fit_make(const arguments *args, fit_problem *f, session *s)
{
    *f = (fit_problem){ .path = args->word[1], .t = -1 };
    if (!session_request_make(args, &f->request)) {
        return CLI_BAD;
    }
    f->request.shelf = bi_shelf_create();
    exit_code code = session_open(s, &f->request);
    if (code == CLI_OK && s->run.start_time != 0.0) {
        bi_report_add(
            &s->report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "start_time",
            "runs of a fit begin at t = 0, where the column t of the data does, and the file says %g s: "
            "take a case of 'runs' without it, and let t of the data begin at 0",
            s->run.start_time);
        code = CLI_BAD;
    }
    if (code == CLI_OK) {
        take_parameters(f, s, arguments_value(args, "--params"));
        take_bounds(f, s, arguments_value(args, "--bounds"));
        take_data(f, s, args);
        if (s->report.errors == 0) {
            check_step(f, s);
        }
        code = s->report.errors == 0 ? CLI_OK : CLI_BAD;
    }
    for (int k = 0; code == CLI_OK && k < f->n_segment; k++) {
        fit_segment *part = &f->segment[k];
        part->time = words_format("%.17g", f->table.value[f->t][part->from + part->rows - 1]);
    }
    session_print_messages(s);
    return code;
}

static void columns_clear(fit_column *column, int count)
{
    for (int k = 0; k < count; k++) {
        free(column[k].name);
        free(column[k].unit);
    }
    free(column);
}

void fit_clear(fit_problem *f)
{
    for (int k = 0; k < f->n_parameter; k++) {
        free(f->parameter[k].name);
        free(f->parameter[k].unit);
    }
    free(f->parameter);
    columns_clear(f->measured, f->n_measured);
    columns_clear(f->driven, f->n_driven);
    bi_table_clear(&f->table);
    for (int k = 0; k < f->n_segment; k++) {
        free(f->segment[k].time);
        session_kept_destroy(f->segment[k].kept);
    }
    free(f->segment);
    words_list_clear(&f->runs);
    bi_shelf_destroy(f->request.shelf);
    session_request_clear(&f->request);
    *f = (fit_problem){ 0 };
}
