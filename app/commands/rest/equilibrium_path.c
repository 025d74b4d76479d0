// SPDX-License-Identifier: MIT
#include "commands/rest/equilibrium_path.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const mark_name[] = { "point", "limit", "branch", "end" };

bool path_request_make(const arguments *args, path_request *out)
{
    static const char *const needs_path[] = { "--branch", "--points", "--step" };
    const char *text = arguments_value(args, "--path"), *equals = text ? strchr(text, '=') : NULL;
    *out = (path_request){ .is_asked = text != NULL };
    for (int k = 0; k < 3 && !text; k++) {
        if (arguments_has(args, needs_path[k])) {
            fprintf(stderr, "biela: error: %s belongs to --path\n", needs_path[k]);
            return false;
        }
    }
    if (!text) {
        return true;
    }
    char *end = NULL;
    out->def.to = equals ? strtod(equals + 1, &end) : NAN;
    if (!equals || equals == text || end == equals + 1 || *end != '\0' || !isfinite(out->def.to)) {
        fprintf(stderr, "biela: error: --path is INPUT=VALUE, such as load=2.5, and not '%s'\n", text);
        return false;
    }
    out->input = words_format("%.*s", (int)(equals - text), text);
    double branch = 0.0, points = 0.0;
    bool is_good =
        option_number(args, "--branch",
                      (number_range){ -1000.0, 1000.0, NUMBER_WHOLE,
                                      "the number of a branch, from 1, with a minus for its other side" },
                      &branch) &&
        option_number(args, "--points",
                      (number_range){ 2.0, 1e6, NUMBER_WHOLE, "a whole number from 2 to 1000000" },
                      &points) &&
        option_number(args, "--step",
                      (number_range){ 1e-6, 10.0, NUMBER_OF_ANY_KIND, "a number from 1e-6 to 10" },
                      &out->def.step);
    if (is_good && arguments_has(args, "--branch") && branch == 0.0) {
        fprintf(stderr,
                "biela: error: --branch: branches are counted from 1; leave it out to stay on the path\n");
        return false;
    }
    out->def.branch = (int)branch;
    out->def.points = (int)points;
    return is_good && out->input;
}

void path_request_clear(path_request *r) { free(r->input); }

void path_request_prepare(const void *request, bi_model *m, bi_report *report)
{
    const path_request *r = request;
    if (bi_model_input(m, r->input).i == 0) {
        int count = bi_model_input_count(m);
        bi_report_add(
            report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "--path",
            "the model has no input '%s'%s%s: give it one under 'inputs', and let the load be an expression "
            "of it",
            r->input, count > 0 ? ", but " : "", count > 0 ? bi_model_input_name(m, (bi_input){ 1 }) : "");
        return;
    }
    char *name = words_format("input.%s", r->input);
    bi_add_output(
        m, &(bi_output_def){ .name = name, .kind = BI_OUT_EXPR, .expr = bi_expression(m, r->input, NULL) });
    free(name);
}

typedef struct {
    const char *input;
    bi_csv *csv;
    json *j;
    bool is_full, is_stopped;
} follower;

static bool visit(void *context, bi_sim *sim, const bi_path_point *point)
{
    follower *f = context;
    f->is_full = f->csv && bi_csv_row(f->csv, sim) != BI_OK;
    f->is_stopped = interrupt_asked();
    if (f->j) {
        json_object(f->j, NULL);
        json_text(f->j, "mark", mark_name[point->mark]);
        json_number(f->j, "load", point->load);
        json_number(f->j, "along", point->along);
        json_integer(f->j, "unstable", point->unstable);
        json_end(f->j);
    } else {
        printf("  %5d  %-6s  %s %.9g", point->number, mark_name[point->mark], f->input, point->load);
        printf(point->unstable ? "  leaves it along %d\n" : "\n", point->unstable);
    }
    return !f->is_full && !f->is_stopped;
}

static exit_code end_of(const follower *f, bi_status status)
{
    return f->is_full                  ? CLI_MACHINE
           : f->is_stopped             ? interrupt_code()
           : status == BI_BAD_ARGUMENT ? CLI_BAD
           : status == BI_NO_MEMORY    ? CLI_MACHINE
           : status != BI_OK           ? CLI_NUMERICAL
                                       : CLI_OK;
}

exit_code path_follow(session *s, const path_request *r, const arguments *args)
{
    const char *out = arguments_value(args, "--out");
    bi_load_path_def def = r->def;
    json j = json_start(stdout);
    follower f = { .input = r->input, .j = arguments_has(args, "--json") ? &j : NULL };
    def.input = bi_find_input(s->system, r->input);
    f.csv = out ? outfiles_begin_table(out, s->system) : NULL;
    if (out && !f.csv) {
        return CLI_MACHINE;
    }
    if (f.j) {
        json_object(f.j, NULL);
        json_text(f.j, "model", s->short_name);
        json_text(f.j, "input", r->input);
        json_array(f.j, "points");
    } else {
        printf("%s: equilibria along %s\n", bi_model_name(s->model), r->input);
    }
    interrupt_catch();
    bi_status status = bi_load_path(s->sim, &def, visit, &f, &s->report);
    exit_code code = end_of(&f, status);
    interrupt_release();
    if (status == BI_BAD_ARGUMENT) {
        bi_report_add(&s->report, BI_ERROR, status, (bi_place){ 0 }, "--path",
                      "%s is %.9g already: give another value to go to", r->input, def.to);
    }
    // what was reached stays, however the path ended
    if (f.csv && !outfiles_end_table(f.csv, out)) {
        code = CLI_MACHINE;
    }
    if (f.j) {
        json_end(f.j);
        json_true_or_false(f.j, "ok", code == CLI_OK);
        json_integer(f.j, "exit_code", code);
        json_text(f.j, "out", out);
        session_json_messages(f.j, &s->report);
        json_end(f.j);
    }
    return code;
}
