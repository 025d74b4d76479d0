// SPDX-License-Identifier: MIT
#include "study/sensitivity.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Differences of order 4 over this part of a value: truncation 1e-11, rounding of the eigenvalues (1e-11) over 2e-3.
static const double part = 2e-3;

// ---- parameters ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *name, *unit; // borrowed from the session of the sweep
    double value;            // in its unit
    double si;               // in SI
    bool is_derived;         // follows from others
} parameter;

static double unit_size(const bi_model *m, const char *unit)
{
    double size = 1.0;
    if (unit && *unit) {
        bi_report said = { 0 };
        char *text = words_format("1 %s", unit);
        if (!bi_model_number(m, text, NULL, "unit", &size, &said)) {
            size = 1.0;
        }
        free(text);
        bi_report_clear(&said);
    }
    return size;
}

static parameter *list_parameters(const bi_model *m, int *count)
{
    *count = bi_model_parameter_count(m);
    parameter *list = words_alloc((size_t)(*count + 1) * sizeof *list);
    for (int k = 0; k < *count; k++) {
        parameter *p = &list[k];
        bi_model_parameter_at(m, k, &p->name, &p->si, &p->unit);
        p->unit = p->unit ? p->unit : "";
        p->value = p->si / unit_size(m, p->unit);
    }
    return list;
}

// Parameters that change with p, whose value the session has changed, follow from it.
static void mark_derived(const session *s, parameter *list, int count, int p)
{
    for (int k = 0; k < count; k++) {
        const char *name, *unit;
        double si;
        if (k != p && bi_model_parameter_at(s->model, k, &name, &si, &unit) &&
            strcmp(name, list[k].name) == 0 && si != list[k].si) {
            list[k].is_derived = true;
        }
    }
}

// ---- what must vanish ----------------------------------------------------------------------------------------------

typedef struct {
    const sweep *sw;
    const session_request *request;
    int zeros;
} task;

// The real part of the mode that crosses the axis. Without frequency it crosses among eigenvalues that stay zero, each
// of which rounding spreads; their sum with it is known as well as any.
static double crossing_of(const task *t, const sweep_critical *c, const bi_linear *l)
{
    if (c->im > 1e-6) {
        double least = INFINITY, re = NAN;
        for (int k = 0; k < l->n_value; k++) {
            double gap = hypot(l->re[k], l->im[k] - c->im);
            if (gap < least) {
                least = gap;
                re = l->re[k];
            }
        }
        return re;
    }
    double sum = 0.0;
    for (int k = 0; k < l->n_value; k++) {
        sum += sweep_rank(l, k) <= t->zeros ? l->re[k] : 0.0;
    }
    return sum;
}

// False: the model cannot be linearised there.
static bool evaluate(const task *t, const sweep_critical *c, double x, const bi_setting *also, double *f)
{
    session s = { 0 };
    bi_linear linear = { 0 };
    bool is_good = sweep_linear(t->sw, t->request, x, also, &s, &linear) == CLI_OK;
    *f = is_good ? crossing_of(t, c, &linear) : NAN;
    bi_linear_clear(&linear);
    session_close(&s);
    return is_good && isfinite(*f);
}

static const int place[4] = { -2, -1, 1, 2 };
static const double weight[4] = { 1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0 };

static bool slope_by_x(const task *t, const sweep_critical *c, double x, double *slope)
{
    double h = part * fmax(fabs(x), t->sw->step);
    *slope = 0.0;
    for (int i = 0; i < 4; i++) {
        double f;
        if (!evaluate(t, c, x + place[i] * h, NULL, &f)) {
            return false;
        }
        *slope += weight[i] * f / h;
    }
    return true;
}

// By a parameter, in its own unit.
static bool slope_by_parameter(const task *t, const sweep_critical *c, double x, const parameter *p,
                               double share, double *slope)
{
    double h = share * p->value;
    bool is_good = true;
    *slope = 0.0;
    for (int i = 0; i < 4 && is_good; i++) {
        char *text = words_format("%.17g", p->value + place[i] * h);
        double f;
        is_good = evaluate(t, c, x, &(bi_setting){ p->name, text }, &f);
        *slope += is_good ? weight[i] * f / h : 0.0;
        free(text);
    }
    return is_good;
}

// The critical value itself, by Newton's method from where the sweep left it.
static bool improve(const task *t, const sweep_critical *c, double *x, double *slope)
{
    enum { STEPS = 2 };
    *x = c->x;
    for (int k = 0; k < STEPS; k++) {
        double f;
        if (!slope_by_x(t, c, *x, slope) || !evaluate(t, c, *x, NULL, &f) || !(fabs(*slope) > 1e-9)) {
            return false;
        }
        *x -= f / *slope;
    }
    return fabs(*x - c->x) <= t->sw->step;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static void add_name(char ***list, int *count, const char *name)
{
    char **longer = words_alloc((size_t)(*count + 1) * sizeof *longer);
    if (*count > 0) {
        memcpy(longer, *list, (size_t)*count * sizeof *longer);
    }
    free(*list);
    *list = longer;
    (*list)[(*count)++] = words_copy(name, strlen(name));
}

static bool find_derived(const task *t, parameter *list, int count)
{
    for (int p = 0; p < count && !interrupt_asked(); p++) {
        if (list[p].value == 0.0) {
            continue;
        }
        session s = { 0 };
        bi_linear linear = { 0 };
        char *text = words_format("%.17g", list[p].value * (1.0 + part));
        sweep_linear(t->sw, t->request, t->sw->point[0].x, &(bi_setting){ list[p].name, text }, &s, &linear);
        if (s.model) {
            mark_derived(&s, list, count, p);
        }
        free(text);
        bi_linear_clear(&linear);
        session_close(&s);
    }
    return !interrupt_asked();
}

static double strength(const sensitivity_row *r, const double *x, int n_critical)
{
    double most = 0.0;
    for (int c = 0; c < n_critical; c++) {
        most = fmax(most, fabs(r->derivative[c] * r->value / x[c]));
    }
    return most;
}

static void sort_rows(sensitivity *out, int n_critical)
{
    for (int k = 1; k < out->n_row; k++) {
        sensitivity_row row = out->row[k];
        int i = k;
        for (; i > 0 && strength(&out->row[i - 1], out->x, n_critical) < strength(&row, out->x, n_critical);
             i--) {
            out->row[i] = out->row[i - 1];
        }
        out->row[i] = row;
    }
}

static void vary(const task *t, const parameter *p, const double *slope, sensitivity *out)
{
    const sweep *sw = t->sw;
    double *derivative = words_alloc((size_t)(sw->n_critical + 1) * sizeof *derivative);
    bool is_good = true;
    double most = 0.0;
    for (int c = 0; c < sw->n_critical && is_good; c++) {
        double by_p = 0.0;
        // a moment of inertia may be near the largest that a body can have
        is_good = slope_by_parameter(t, &sw->critical[c], out->x[c], p, part, &by_p) ||
                  slope_by_parameter(t, &sw->critical[c], out->x[c], p, part / 8.0, &by_p);
        derivative[c] = -by_p / slope[c];
        most = fmax(most, fabs(derivative[c] * p->value / out->x[c]));
    }
    // what has no effect leaves the rounding of eigenvalues over the step
    if (!is_good) {
        add_name(&out->skipped, &out->n_skipped, p->name);
    } else if (most < 1e-7) {
        add_name(&out->idle, &out->n_idle, p->name);
    } else {
        out->row[out->n_row++] =
            (sensitivity_row){ words_copy(p->name, strlen(p->name)), words_copy(p->unit, strlen(p->unit)),
                               p->value, p->is_derived, derivative };
        return;
    }
    free(derivative);
}

static bool is_wanted(const char *only, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = only; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return !only;
}

// Every name of the list must be a parameter.
static bool names_are_known(const char *only, const parameter *list, int count)
{
    for (const char *at = only; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ",");
        bool is_known = false;
        for (int k = 0; k < count && !is_known; k++) {
            is_known = strlen(list[k].name) == length && strncmp(list[k].name, at, length) == 0;
        }
        if (!is_known) {
            fprintf(stderr, "biela modes: --parameters: there is no parameter '%.*s'\n", (int)length, at);
            return false;
        }
    }
    return true;
}

exit_code sensitivity_run(const sweep *sw, const session_request *request, const char *only, sensitivity *out)
{
    task t = { sw, request, sweep_zeros(sw) };
    int count;
    parameter *list = list_parameters(sw->session.model, &count);
    double *slope = words_alloc((size_t)(sw->n_critical + 1) * sizeof *slope);
    exit_code code = CLI_OK;
    *out = (sensitivity){ .row = words_alloc((size_t)(count + 1) * sizeof *out->row),
                          .x = words_alloc((size_t)(sw->n_critical + 1) * sizeof *out->x) };
    code = names_are_known(only, list, count) ? CLI_OK : CLI_BAD;
    interrupt_catch();
    for (int c = 0; c < sw->n_critical && code == CLI_OK; c++) {
        if (!improve(&t, &sw->critical[c], &out->x[c], &slope[c])) {
            fprintf(
                stderr,
                "biela modes: --sensitivity: %s at %s = %g is no simple crossing; sweep around another one\n",
                sw->critical[c].name, sw->parameter, sw->critical[c].x);
            code = CLI_BAD;
        }
    }
    if (code == CLI_OK && find_derived(&t, list, count)) {
        for (int k = 0; k < count && !interrupt_asked(); k++) {
            const parameter *p = &list[k];
            if (strcmp(p->name, sw->parameter) == 0 || !is_wanted(only, p->name)) {
                continue;
            }
            if (p->value == 0.0) {
                add_name(&out->skipped, &out->n_skipped, p->name);
            } else {
                vary(&t, p, slope, out);
            }
        }
    }
    code = code == CLI_OK && interrupt_asked() ? interrupt_code() : code;
    interrupt_release();
    sort_rows(out, sw->n_critical);
    free(slope);
    free(list);
    return code;
}

static void free_names(char **list, int count)
{
    for (int k = 0; k < count; k++) {
        free(list[k]);
    }
    free(list);
}

void sensitivity_clear(sensitivity *s)
{
    for (int k = 0; k < s->n_row; k++) {
        free(s->row[k].name);
        free(s->row[k].unit);
        free(s->row[k].derivative);
    }
    free_names(s->idle, s->n_idle);
    free_names(s->skipped, s->n_skipped);
    free(s->row);
    free(s->x);
    *s = (sensitivity){ 0 };
}

// ---- printed --------------------------------------------------------------------------------------------------------

static void print_names(const char *what, char *const *list, int count)
{
    if (count > 0) {
        printf("  %s", what);
        for (int k = 0; k < count; k++) {
            printf(" %s", list[k]);
        }
        printf("\n");
    }
}

void sensitivity_print(const sweep *sw, const sensitivity *s)
{
    bool has_derived = false;
    printf("  sensitivity: change of a critical %s per unit of a parameter, and per cent per cent\n",
           sw->parameter);
    printf("  %-16s %14s %-10s", "parameter", "value", "unit");
    for (int c = 0; c < sw->n_critical; c++) {
        printf(" %14s %9s", sw->critical[c].name, "%/%");
    }
    printf("\n");
    for (int k = 0; k < s->n_row; k++) {
        const sensitivity_row *r = &s->row[k];
        printf("  %-16s %14.6g %-10s", r->name, r->value, r->unit);
        has_derived = has_derived || r->is_derived;
        for (int c = 0; c < sw->n_critical; c++) {
            printf(" %14.6g %9.4f", r->derivative[c], r->derivative[c] * r->value / s->x[c]);
        }
        printf("%s\n", r->is_derived ? " *" : "");
    }
    if (has_derived) {
        printf("  * follows from other parameters; here it is varied alone\n");
    }
    print_names("no effect:", s->idle, s->n_idle);
    print_names("not varied (zero, or not steady with another value):", s->skipped, s->n_skipped);
}

static void json_names(json *j, const char *key, char *const *list, int count)
{
    json_array(j, key);
    for (int k = 0; k < count; k++) {
        json_text(j, NULL, list[k]);
    }
    json_end(j);
}

void sensitivity_json(json *j, const sweep *sw, const sensitivity *s)
{
    json_object(j, "sensitivity");
    json_array(j, "parameters");
    for (int k = 0; k < s->n_row; k++) {
        const sensitivity_row *r = &s->row[k];
        json_object(j, NULL);
        json_text(j, "name", r->name);
        json_number(j, "value", r->value);
        json_text(j, "unit", r->unit);
        json_true_or_false(j, "derived", r->is_derived);
        for (int c = 0; c < sw->n_critical; c++) {
            json_object(j, sw->critical[c].name);
            json_number(j, "derivative", r->derivative[c]);
            json_number(j, "relative", r->derivative[c] * r->value / s->x[c]);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
    json_names(j, "without_effect", s->idle, s->n_idle);
    json_names(j, "not_varied", s->skipped, s->n_skipped);
    json_end(j);
}
