// SPDX-License-Identifier: MIT
/* info - what a mechanism looks like to the solver, and the names it offers. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "export/batch_fits.h"
#include "pictures/inside.h"
#include "pictures/sparsity.h"
#include "running/session.h"
#include <biela/names.h>
#include <stdlib.h>

// A parameter as the user writes it.
typedef struct {
    const char *name, *unit; // unit "" when none is declared
    double value;            // SI
    double shown;            // in the declared unit
} parameter;

static parameter parameter_at(const bi_model *model, int k)
{
    parameter p = { .unit = "" };
    const char *unit = NULL;
    bi_model_parameter_at(model, k, &p.name, &p.value, &unit);
    p.shown = p.value;
    if (unit && *unit) {
        // the size of the unit in SI: what "1 deg" is worth
        bi_report ignored = { 0 };
        double size = 0.0;
        char *one = words_format("1 %s", unit);
        if (bi_model_number(model, one, NULL, "unit", &size, &ignored) && size != 0.0) {
            p.unit = unit;
            p.shown = p.value / size;
        }
        free(one);
        bi_report_clear(&ignored);
    }
    return p;
}

static const char *unit_or_empty(const char *unit) { return unit ? unit : ""; }

static void print_count(const char *what, int count)
{
    if (count < 0) {
        printf("  %-19s not computed\n", what);
    } else {
        printf("  %-19s %d\n", what, count);
    }
}

static void info_json_mechanism(json *j, const bi_info *info)
{
    json_integer(j, "bodies", info->bodies);
    json_integer(j, "joints", info->joints);
    json_integer(j, "variables", info->variables);
    json_integer(j, "constraints", info->constraints);
    json_integer(j, "velocity_constraints", info->velocity_constraints);
    json_count(j, "rank", info->rank);
    json_count(j, "degrees_of_freedom", info->degrees_of_freedom);
    json_count(j, "redundant", info->redundant);
    json_integer(j, "nonzeros_tangent", info->nonzeros_tangent);
    json_integer(j, "nonzeros_factor", info->nonzeros_factor);
    json_text(j, "recommended", bi_scheme_name(info->recommended));
    json_text(j, "reason", info->reason);
}

static void info_json_run(json *j, const session *s)
{
    json_object(j, "run");
    json_number(j, "time", s->run.time);
    json_number(j, "dt", s->run.dt);
    json_number(j, "every", s->run.every);
    json_text(j, "scheme", bi_scheme_name(s->run.scheme));
    json_end(j);
}

// The file as a tree; what is wrong in it was reported when the model was read.
static bi_document *document_of(const session *s)
{
    bi_report ignored = { 0 };
    bi_document *file = bi_document_open(s->path, &ignored);
    bi_report_clear(&ignored);
    return file;
}

static void info_json_runs(json *j, const session *s)
{
    bi_document *file = document_of(s);
    json_array(j, "runs");
    for (int k = 0; file && k < bi_document_count(file, "runs"); k++) {
        json_text(j, NULL, bi_document_key(file, "runs", k));
    }
    json_end(j);
    bi_document_close(file);
}

static void info_print_runs(const session *s)
{
    bi_document *file = document_of(s);
    int count = file ? bi_document_count(file, "runs") : 0;
    for (int k = 0; k < count; k++) {
        printf("%s%s%s", k == 0 ? "  named runs          " : ", ", bi_document_key(file, "runs", k),
               k == count - 1 ? "\n" : "");
    }
    bi_document_close(file);
}

static void info_json_names(json *j, const session *s, const session_kept *kept)
{
    json_array(j, "parameters");
    for (int k = 0; k < bi_model_parameter_count(s->model); k++) {
        parameter p = parameter_at(s->model, k);
        json_object(j, NULL);
        json_text(j, "name", p.name);
        json_number(j, "value", p.value);
        json_text(j, "unit", p.unit);
        json_number(j, "value_in_unit", p.shown);
        json_text(j, "reads_files", session_kept_reason(kept, p.name));
        json_end(j);
    }
    json_end(j);

    json_array(j, "inputs");
    for (int k = 0; k < bi_input_count(s->system); k++) {
        json_text(j, NULL, bi_input_name(s->system, k));
    }
    json_end(j);

    json_array(j, "channels");
    for (int k = 0; k < bi_channel_count(s->system); k++) {
        bi_channel channel = bi_channel_at(s->system, k);
        json_object(j, NULL);
        json_text(j, "name", bi_channel_name(s->system, channel));
        json_text(j, "unit", unit_or_empty(bi_channel_unit(s->system, channel)));
        json_end(j);
    }
    json_end(j);
}

static void info_json_variables(json *j, const session *s)
{
    char name[160];
    json_array(j, "variable_names");
    for (int k = 0; k < bi_variable_count(s->system); k++) {
        json_text(j, NULL, bi_variable_name(s->system, k, name, sizeof name));
    }
    json_end(j);
}

typedef struct {
    bool is_json, has_variables, has_batch;
    const char *picture; // of the sparsity, FILE.svg; NULL: none
    const char *view;    // into the model, FILE.svg; NULL: none
    inside_side from;
} info_wish;

static void info_json(const session *s, const session_request *request, const bi_info *info, exit_code code,
                      const info_wish *wish)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    if (code == CLI_OK) {
        json_text(&j, "model", s->short_name);
        json_text(&j, "name", bi_model_name(s->model));
        json_text(&j, "file", s->path);
        info_json_mechanism(&j, info);
        info_json_run(&j, s);
        info_json_runs(&j, s);
        info_json_names(&j, s, request->kept);
        if (wish->has_variables) {
            info_json_variables(&j, s);
        }
        if (wish->has_batch) {
            batch_fits_json(&j, s, request);
        }
        if (wish->picture) {
            json_text(&j, "sparsity", wish->picture);
        }
        if (wish->view) {
            json_text(&j, "view", wish->view);
        }
    }
    session_json_messages(&j, &s->report);
    json_end(&j);
}

static void info_print_mechanism(const session *s, const bi_info *info, const bi_report *notes)
{
    printf("%s  (%s)\n\n", bi_model_name(s->model), s->path);
    printf("  bodies              %d\n", info->bodies);
    printf("  joints              %d\n", info->joints);
    printf("  variables           %d\n", info->variables);
    printf("  constraints         %d\n", info->constraints);
    if (info->velocity_constraints > 0) {
        printf("  on velocities       %d\n", info->velocity_constraints);
    }
    print_count("rank", info->rank);
    print_count("degrees of freedom", info->degrees_of_freedom);
    print_count("redundant", info->redundant);
    for (int k = 0; k < notes->count; k++) {
        const char *where = notes->issue[k].where;
        printf("    %s%s%s\n", where ? where : "", where && *where ? ": " : "", notes->issue[k].what);
    }
    printf("  tangent             %d non-zeros, %d in its factor\n", info->nonzeros_tangent,
           info->nonzeros_factor);
    printf("  recommended scheme  %s", bi_scheme_name(info->recommended));
    printf("%s%s\n", info->reason && *info->reason ? ": " : "", unit_or_empty(info->reason));
    printf("  run                 time %.6g s, dt %.6g s, every %.6g s, %s\n", s->run.time, s->run.dt,
           s->run.every, bi_scheme_name(s->run.scheme));
    info_print_runs(s);
}

static void info_print_names(const session *s, const session_kept *kept)
{
    int n_parameter = bi_model_parameter_count(s->model);
    printf("\nparameters (%d)\n", n_parameter);
    for (int k = 0; k < n_parameter; k++) {
        parameter p = parameter_at(s->model, k);
        const char *reason = session_kept_reason(kept, p.name);
        printf("  %-18s  %.10g%s%s%s%s%s\n", p.name, p.shown, *p.unit ? " " : "", p.unit,
               reason ? "   (reads files: " : "", reason ? reason : "", reason ? ")" : "");
    }
    int n_input = bi_input_count(s->system);
    printf("\ninputs (%d)\n", n_input);
    for (int k = 0; k < n_input; k++) {
        printf("  %s\n", bi_input_name(s->system, k));
    }
    int n_channel = bi_channel_count(s->system);
    printf("\nchannels (%d)\n", n_channel);
    for (int k = 0; k < n_channel; k++) {
        bi_channel channel = bi_channel_at(s->system, k);
        printf("  %-18s  %s\n", bi_channel_name(s->system, channel),
               unit_or_empty(bi_channel_unit(s->system, channel)));
    }
}

static void info_print_variables(const session *s)
{
    char name[160];
    printf("\nvariables (%d)\n", bi_variable_count(s->system));
    for (int k = 0; k < bi_variable_count(s->system); k++) {
        printf("  %6d  %s\n", k, bi_variable_name(s->system, k, name, sizeof name));
    }
}

// The pictures that were asked for.
static exit_code info_draw(session *s, const session_request *request, const info_wish *wish)
{
    if (!claims_write(request->files, "--sparsity", wish->picture) ||
        !claims_write(request->files, "--view", wish->view)) {
        return CLI_BAD;
    }
    bool is_drawn = !wish->picture || sparsity_write(s->system, bi_model_name(s->model), wish->picture);
    is_drawn = is_drawn && (!wish->view || inside_write(s->sim, s->model, wish->from, wish->view));
    return is_drawn ? CLI_OK : CLI_MACHINE;
}

// Opens, asks the solver, prints. The notes of the solver are part of the text, so they are not printed as messages.
static exit_code info_session(session *s, const session_request *request, const info_wish *wish)
{
    exit_code code = session_open(s, request);
    session_print_messages(s);
    bi_info info = { 0 };
    bi_report notes = { 0 };
    if (code == CLI_OK && bi_sim_info(s->sim, &info, wish->is_json ? &s->report : &notes) != BI_OK) {
        fprintf(stderr, "biela: error: the mechanism cannot be analysed at t = 0: %s\n",
                bi_sim_failure(s->sim));
        code = CLI_NUMERICAL;
    }
    code = code == CLI_OK ? info_draw(s, request, wish) : code;
    if (wish->is_json) {
        info_json(s, request, &info, code, wish);
    } else if (code == CLI_OK) {
        info_print_mechanism(s, &info, &notes);
        info_print_names(s, request->kept);
        if (wish->has_variables) {
            info_print_variables(s);
        }
        sparsity_print(s->system);
        if (wish->has_batch) {
            batch_fits_print(s, request);
        }
    }
    bi_report_clear(&notes);
    return code;
}

static bool is_drawing(const char *option, const char *path)
{
    if (path && !file_has_ending(path, ENDING_DRAWING)) {
        fprintf(stderr, "biela info: %s writes SVG: name the file %s" ENDING_DRAWING "\n", option, path);
        return false;
    }
    return true;
}

static bool info_from(const char *word, info_wish *wish)
{
    if (word && !inside_side_of(word, &wish->from)) {
        fprintf(stderr, "biela info: --from %s is not one of " INSIDE_SIDES "\n", word);
        return false;
    }
    if (word && !wish->view) {
        fprintf(stderr, "biela info: --from says from where --view looks: name its file, too\n");
        return false;
    }
    return true;
}

static exit_code run_info(const arguments *args)
{
    session s = { 0 };
    session_request request;
    exit_code code = CLI_BAD;
    info_wish wish = { .is_json = arguments_has(args, "--json"),
                       .has_variables = arguments_has(args, "--variables"),
                       .has_batch = arguments_has(args, "--batch"),
                       .picture = arguments_value(args, "--sparsity"),
                       .view = arguments_value(args, "--view") };
    if (!is_drawing("--sparsity", wish.picture) || !is_drawing("--view", wish.view) ||
        !info_from(arguments_value(args, "--from"), &wish)) {
        return CLI_BAD;
    }
    if (session_request_make(args, &request)) {
        request.kept = session_kept_create();
        code = info_session(&s, &request, &wish);
    }
    session_close(&s);
    session_kept_destroy(request.kept);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--json", NULL, "the same as one JSON object on stdout" },
    { "--variables", NULL, "the variables of the equations by name, too" },
    { "--batch", NULL, "which devices step many of it at once, with what sizes, and why not, too" },
    RUN_OPTION("formulation"),
    RUN_OPTION("solver"),
    { "--sparsity", "FILE" ENDING_DRAWING, "draw where the matrix of a step and its factor have numbers" },
    { "--view", "FILE" ENDING_DRAWING,
      "draw what is inside: points, vectors, joints, masses, shapes that touch; redundant joints in red" },
    { "--from", INSIDE_SIDES, "from where --view looks (default corner)" },
};

const command command_info = {
    .name = "info",
    .words = "MODEL",
    .summary = "size, degrees of freedom, redundancy, parameters, inputs and channels of a model",
    .example = "  biela info four-bars --set N=40 --sparsity four-bars.svg",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_info,
};
