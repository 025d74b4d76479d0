// SPDX-License-Identifier: MIT
#include "running/session.h"
#include "cli/catalogue.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/words.h"
#include "running/actions.h"
#include <biela/image.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };

static const char *setting_of(const session_request *request, const char *name)
{
    for (int k = 0; k < request->n_setting; k++) {
        if (strcmp(request->setting[k].name, name) == 0) {
            return request->setting[k].value;
        }
    }
    return NULL;
}

bool session_request_make(const arguments *args, session_request *request)
{
    *request = (session_request){ .model = args->n_word > 0 ? args->word[0] : NULL,
                                  .files = args->files,
                                  .run_name = arguments_value(args, "--run") };
    session_take_options(args, request);
    request->setting = words_alloc((size_t)(args->n_given + 1) * sizeof *request->setting);
    for (int k = 0; k < args->n_given; k++) {
        const given_option *given = &args->given[k];
        if (strcmp(given->option->name, "--set") != 0) {
            continue;
        }
        const char *equal = strchr(given->value, '=');
        if (!equal || equal == given->value || !equal[1]) {
            fprintf(stderr, "biela %s: --set %s: write it as name=value\n", args->command->name,
                    given->value);
            return false;
        }
        bi_setting new = { .name = words_copy(given->value, (size_t)(equal - given->value)),
                           .value = equal + 1 };
        const char *before = setting_of(request, new.name);
        request->setting[request->n_setting++] = new;
        if (before) {
            fprintf(stderr, "biela %s: --set %s is given twice, '%s' and '%s'; give it once\n",
                    args->command->name, new.name, before, new.value);
            return false;
        }
    }
    return true;
}

void session_request_clear(session_request *request)
{
    for (int k = 0; k < request->n_setting; k++) {
        free((char *)request->setting[k].name);
    }
    free(request->setting);
    *request = (session_request){ 0 };
}

static void note_nearest_model(const char *name, bi_report *report)
{
    catalogue models = catalogue_make();
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; k < models.count; k++) {
        nearest_try(&best, models.item[k].name);
    }
    if (best.name) {
        bi_report_add(report, BI_NOTE, BI_BAD_FILE, nowhere, name, "did you mean '%s'?", best.name);
    } else {
        bi_report_add(report, BI_NOTE, BI_BAD_FILE, nowhere, name,
                      "`biela list` shows the models that are found");
    }
    catalogue_clear(&models);
}

typedef struct {
    progress bar;
    claims *files;
} reading;

static void show_reading(void *context, const char *body, const char *stage, double done)
{
    progress_stage(&((reading *)context)->bar, body, stage, done);
}

static void note_file(void *context, const char *path) { claims_read(((reading *)context)->files, path); }

// ---- a model that is kept ------------------------------------------------------------------------------------------

struct session_kept {
    char *path;
    bi_kept *files;          // NULL: nothing was read yet
    session_request request; // that it was read for, as far as it adds to the model; texts are borrowed
    bool is_complete;        // it has been added
};

session_kept *session_kept_create(void) { return words_alloc(sizeof(session_kept)); }

static void kept_clear(session_kept *kept)
{
    bi_kept_destroy(kept->files);
    free(kept->path);
    *kept = (session_kept){ 0 };
}

void session_kept_destroy(session_kept *kept)
{
    if (kept) {
        kept_clear(kept);
        free(kept);
    }
}

const char *session_kept_reason(const session_kept *kept, const char *parameter)
{
    return kept && kept->files ? bi_kept_reason(kept->files, parameter) : NULL;
}

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

// What is added to the model between reading and compiling is the same, too.
static bool kept_is_for(const session_kept *kept, const session_request *r)
{
    const session_request *own = &kept->request;
    return kept->is_complete && is_same_text(own->model, r->model) &&
           is_same_text(own->run_name, r->run_name) && is_same_text(own->manoeuvre, r->manoeuvre) &&
           is_same_text(own->actions, r->actions) && is_same_text(own->until, r->until) &&
           own->prepare == r->prepare && own->drive == r->drive;
}

bi_model *session_read_model(const char *path, const session_request *request, bi_run *run, bi_report *report)
{
    reading all = { progress_start(), request->files };
    bi_read_watch watch = { show_reading, &all, note_file, request->shelf };
    session_kept *kept = request->kept;
    if (kept) {
        kept_clear(kept);
        *kept = (session_kept){ .path = words_format("%s", path),
                                .files = bi_kept_create(path, request->run_name),
                                .request = { .model = request->model,
                                             .run_name = request->run_name,
                                             .manoeuvre = request->manoeuvre,
                                             .actions = request->actions,
                                             .until = request->until,
                                             .prepare = request->prepare,
                                             .drive = request->drive } };
    }
    bi_model *model =
        kept ? bi_kept_read(kept->files, request->setting, request->n_setting, &watch, run, NULL, report)
             : bi_read_model_watched(path, request->setting, request->n_setting, request->run_name, &watch,
                                     run, report);
    progress_end(&all.bar);
    // a file with mistakes is not read twice: nothing will be written
    if (model && report->errors == 0) {
        claims_read_model(request->files, path);
    }
    return model;
}

// ---- images -----------------------------------------------------------------------------------------------------------

static char *read_whole(const char *path, size_t *size)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    long length = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    char *bytes = words_alloc((size_t)(length > 0 ? length : 0) + 1);
    *size = 0;
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0) {
        *size = fread(bytes, 1, (size_t)length, file);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

static bool is_image(const char *path)
{
    const char *why;
    char start[8] = "";
    FILE *file = bi_open_plain(path, &why);
    size_t n = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) {
        fclose(file);
    }
    return bi_image_is(start, n);
}

// What would change a model that is compiled already.
static void refuse_changes(session *s, const session_request *request)
{
    static const char *const what = "the image is compiled already; give this to `biela compile`";
    session_request given = *request;
    // how long it runs and what is written does not change the system
    given.time = given.every = NULL;
    const char *where = given.n_setting > 0            ? "--set"
                        : given.run_name               ? "--run"
                        : given.actions                ? "--actions"
                        : given.until                  ? "--until"
                        : given.drive || given.prepare ? "image"
                                                       : NULL;
#define RUN_TEXT_GIVEN(key) where = !where && given.key ? "--" #key : where;
    RUN_TEXT_LIST(RUN_TEXT_GIVEN)
#undef RUN_TEXT_GIVEN
    if (where) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_ARGUMENT, nowhere, where, "%s", what);
    }
}

static void load_image(session *s)
{
    size_t size, n_note;
    char *bytes = read_whole(s->path, &size);
    const session_image_note *note = bi_image_note(bytes, size, &n_note, &s->report);
    if (note && n_note != sizeof *note) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_FILE, nowhere, "image", "was not made by `biela compile`");
    } else if (note) {
        memcpy(&s->run, note, sizeof s->run);
        s->system = bi_image_load(bytes, size, &s->report);
        s->model = (bi_model *)bi_system_model(s->system);
    }
    free(bytes);
}

static exit_code open_image(session *s, const session_request *request)
{
    s->is_image = true;
    if (!request->takes_image) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_ARGUMENT, nowhere, "image",
                      "this command needs the model file; `biela run` takes images");
        return CLI_BAD;
    }
    refuse_changes(s, request);
    if (s->report.errors == 0) {
        load_image(s);
    }
    exit_code code = s->report.errors == 0 ? session_set_options(s, request) : CLI_BAD;
    double dt = s->run.is_auto ? fmin(s->run.dt, s->grid.dt) : s->grid.dt;
    if (code == CLI_OK && dt != bi_system_dt(s->system)) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_ARGUMENT, nowhere, request->every ? "--every" : "--time",
                      "the image has steps of %.9g s, and this asks for others; give it to `biela compile`",
                      bi_system_dt(s->system));
        code = CLI_BAD;
    }
    return code;
}

// ---- stages -----------------------------------------------------------------------------------------------------------

static exit_code stage_find_and_read(session *s, const session_request *request)
{
    char *installed = file_models_folder();
    s->path = bi_find_model(request->model, installed, &s->report);
    free(installed);
    if (!s->path) {
        note_nearest_model(request->model, &s->report);
        return CLI_BAD;
    }
    s->short_name = file_model_name(s->path);
    if (is_image(s->path)) {
        return open_image(s, request);
    }
    s->model = session_read_model(s->path, request, &s->run, &s->report);
    s->is_borrowed = request->kept != NULL;
    return s->model && s->report.errors == 0 ? CLI_OK : CLI_BAD;
}

// The run ends at an event of the model, or when a condition written on the command line becomes true.
static exit_code stage_until(session *s, const char *until)
{
    if (bi_model_stop_at(s->model, until)) {
        return CLI_OK;
    }
    if (strpbrk(until, "<>")) {
        bi_add_event(s->model, &(bi_event_def){ .name = "until",
                                                .channel = "",
                                                .expr = bi_expression(s->model, until, NULL),
                                                .action = BI_EVENT_STOP });
        return CLI_OK;
    }
    nearest best = nearest_start(until, strlen(until));
    for (int k = 0; k < bi_model_event_count(s->model); k++) {
        nearest_try(&best, bi_model_event_name(s->model, k));
    }
    bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--until",
                  "the model has no event '%s'%s%s%s; a condition such as 'tilt.angle > 0.5' also works",
                  until, best.name ? "; did you mean '" : "", best.name ? best.name : "",
                  best.name ? "'?" : "");
    return CLI_BAD;
}

static exit_code stage_compile(session *s)
{
    const bi_run *run = &s->run;
    bi_options options = bi_run_options(run);
    options.dt = run->is_auto ? fmin(run->dt, s->grid.dt) : s->grid.dt;
    if (s->prepare) {
        s->prepare(s->model);
    }
    s->system = bi_compile(s->model, &options, &s->report);
    return s->system ? CLI_OK : CLI_BAD;
}

static exit_code stage_create(session *s)
{
    s->sim = bi_sim_create(s->system);
    if (!s->sim) {
        bi_report_add(&s->report, BI_ERROR, BI_NO_MEMORY, nowhere, s->short_name,
                      "no memory for the simulation");
        return CLI_MACHINE;
    }
    return CLI_OK;
}

exit_code session_start(session *s)
{
    bi_status status = bi_sim_start(s->sim, &s->report);
    if (status == BI_OK && s->run.starts_in_equilibrium) {
        status = bi_equilibrium(s->sim, &s->balance, &s->report);
    } else if (status == BI_OK && s->run.starts_settled) {
        status = bi_settle(s->sim, &s->balance, &s->report);
    }
    if (status == BI_OK) {
        return s->report.errors == 0 ? CLI_OK : CLI_BAD;
    }
    if (s->report.errors == 0) {
        bi_report_add(&s->report, BI_ERROR, status, nowhere, s->short_name, "%s. %s", bi_status_text(status),
                      bi_sim_failure(s->sim));
    }
    return CLI_BAD;
}

// An error about the model as a whole names the file, too; those about the command line name their option.
static void name_the_file(session *s)
{
    bi_report named = { 0 };
    for (int k = 0; k < s->report.count; k++) {
        const bi_issue *issue = &s->report.issue[k];
        bool is_nowhere =
            issue->severity == BI_ERROR && !issue->place.file && strncmp(issue->where, "--", 2) != 0;
        bi_place place = is_nowhere ? (bi_place){ s->path, 1, 1 } : issue->place;
        bi_report_add(&named, issue->severity, issue->code, place, issue->where, "%s", issue->what);
    }
    bi_report_clear(&s->report);
    s->report = named;
}

// All that lies between a model that was read and its system.
static exit_code compile_read(session *s, const session_request *request)
{
    exit_code code = session_set_options(s, request);
    claims_read(request->files, request->actions);
    claims_read(request->files, request->manoeuvre);
    if (code == CLI_OK && request->actions) {
        actions_read(request->actions, s->model, &s->report);
        code = s->report.errors == 0 ? CLI_OK : CLI_BAD;
    }
    if (code == CLI_OK && request->manoeuvre) {
        code = bi_read_manoeuvre(request->manoeuvre, s->model, &s->report) ? CLI_OK : CLI_BAD;
    }
    if (code == CLI_OK && request->drive) {
        request->drive(request->drive_context, s->model, &s->report);
        code = s->report.errors == 0 ? CLI_OK : CLI_BAD;
    }
    if (code == CLI_OK && request->until) {
        code = stage_until(s, request->until);
    }
    code = code == CLI_OK ? stage_compile(s) : code;
    return code == CLI_OK ? session_check_sleep(s, request) : code;
}

// All that lies between a model that was kept, with what the request adds to it, and its system.
static exit_code compile_again(session *s, const session_request *request)
{
    exit_code code = session_set_options(s, request);
    // an event that was described again does not stop the run any more
    if (code == CLI_OK && request->until && !strpbrk(request->until, "<>")) {
        code = stage_until(s, request->until);
    }
    code = code == CLI_OK ? stage_compile(s) : code;
    return code == CLI_OK ? session_check_sleep(s, request) : code;
}

// From the model of the run before. False: there is none that serves, or a mistake that the reader of the file tells better.
static bool compile_kept(session *s, const session_request *request, exit_code *code)
{
    session_kept *kept = request->kept;
    bool is_again = false;
    if (!kept || !kept_is_for(kept, request)) {
        return false;
    }
    bi_read_watch watch = { .shelf = request->shelf };
    *s = (session){ .is_borrowed = true };
    s->path = words_format("%s", kept->path);
    s->short_name = file_model_name(s->path);
    s->model = bi_kept_read(kept->files, request->setting, request->n_setting, &watch, &s->run, &is_again,
                            &s->report);
    if (is_again) {
        *code = compile_again(s, request);
        if (*code != CLI_OK) {
            bi_kept_forget(kept->files);
            kept->is_complete = false;
            session_close(s);
        }
        return *code == CLI_OK;
    }
    s->prepare = request->prepare;
    *code = s->model && s->report.errors == 0 ? compile_read(s, request) : CLI_BAD;
    kept->is_complete = *code == CLI_OK;
    return true;
}

exit_code session_compile(session *s, const session_request *request)
{
    exit_code code = CLI_OK;
    if (compile_kept(s, request, &code)) {
        return code;
    }
    *s = (session){ .prepare = request->prepare };
    code = stage_find_and_read(s, request);
    code = code == CLI_OK && !s->is_image ? compile_read(s, request) : code;
    if (request->kept) {
        request->kept->is_complete = code == CLI_OK && !s->is_image;
    }
    return code;
}

static exit_code start_compiled(session *s, exit_code code)
{
    code = code == CLI_OK ? stage_create(s) : code;
    code = code == CLI_OK ? session_start(s) : code;
    if (s->path && s->report.errors > 0) {
        name_the_file(s);
    }
    return code;
}

exit_code session_open(session *s, const session_request *request)
{
    return start_compiled(s, session_compile(s, request));
}

exit_code session_read(session *s, const session_request *request)
{
    *s = (session){ 0 };
    exit_code code = stage_find_and_read(s, request);
    if (s->path && s->report.errors > 0) {
        name_the_file(s);
    }
    return code;
}

exit_code session_open_read(session *s, const session *read, const session_request *request)
{
    *s = (session){ .model = read->model, .is_borrowed = true, .run = read->run };
    s->path = words_format("%s", read->path);
    s->short_name = words_format("%s", read->short_name);
    return start_compiled(s, compile_read(s, request));
}

void session_close(session *s)
{
    bi_outfile_discard(s->actions);
    bi_sim_destroy(s->sim);
    bi_system_destroy(s->system);
    if (!s->is_image && !s->is_borrowed) {
        bi_model_destroy(s->model);
    }
    bi_report_clear(&s->report);
    free(s->short_name);
    free(s->path);
    *s = (session){ 0 };
}

void session_print_messages(const session *s)
{
    if (s->report.count > 0) {
        bi_report_print(&s->report, stderr);
    }
}

void session_json_messages(json *j, const bi_report *report)
{
    static const char *const severity[] = {
        [BI_ERROR] = "error", [BI_WARNING] = "warning", [BI_NOTE] = "note"
    };
    json_array(j, "messages");
    for (int k = 0; k < report->count; k++) {
        const bi_issue *issue = &report->issue[k];
        json_object(j, NULL);
        json_text(j, "severity", severity[issue->severity]);
        json_text(j, "file", issue->place.file);
        json_integer(j, "line", issue->place.line);
        json_integer(j, "column", issue->place.column);
        json_text(j, "where", issue->where);
        json_text(j, "what", issue->what);
        json_end(j);
    }
    json_end(j);
}

bi_channel session_channel(const session *s, const char *name)
{
    bi_channel channel = bi_find_channel(s->system, name);
    if (channel.i != 0) {
        return channel;
    }
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; k < bi_channel_count(s->system); k++) {
        nearest_try(&best, bi_channel_name(s->system, bi_channel_at(s->system, k)));
    }
    fprintf(stderr, "biela: error: %s has no channel '%s'", s->short_name, name);
    if (best.name) {
        fprintf(stderr, "; did you mean '%s'?\n", best.name);
    } else {
        fprintf(stderr, "; `biela info %s` lists them\n", s->short_name);
    }
    return channel;
}
