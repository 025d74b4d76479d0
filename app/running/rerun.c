// SPDX-License-Identifier: MIT
#include "running/rerun.h"
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- the recording -----------------------------------------------------------------------------------------------

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *ftw)
{
    (void)about;
    (void)kind;
    (void)ftw;
    return remove(path);
}

static exit_code unpack(rerun_source *src, bi_report *report)
{
    if (src->recording.n_file == 0) {
        // of a link: the model is one that we have ourselves
        src->model = words_format("%s", bi_recording_note(&src->recording, "model"));
        return CLI_OK;
    }
    const char *tmp = getenv("TMPDIR");
    src->folder = words_format("%s/biela-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(src->folder)) {
        fprintf(stderr, "biela: error: no temporary folder %s: %s\n", src->folder, strerror(errno));
        free(src->folder);
        src->folder = NULL;
        return CLI_MACHINE;
    }
    src->model = bi_recording_unpack(&src->recording, src->folder, report);
    return src->model ? CLI_OK : CLI_BAD;
}

// A drive that goes on, or was killed, has not got its name yet.
static void note_part(const char *path, bi_report *report)
{
    char *part = words_format("%s.part", path);
    if (strlen(path) < 1024 && !file_exists(path) && file_exists(part)) {
        bi_report_add(report, BI_NOTE, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                      "the drive goes on, or was killed: %s holds it so far", part);
    }
    free(part);
}

exit_code rerun_open_source(const char *path, int branch, rerun_source *src)
{
    *src = (rerun_source){ .shelf = bi_shelf_create(), .kept = session_kept_create() };
    bi_report report = { 0 };
    exit_code code = bi_recording_read(path, &src->recording, &report) ? CLI_OK : CLI_BAD;
    note_part(path, &report);
    if (code == CLI_OK && !bi_recording_track(&src->recording, branch, &src->track)) {
        fprintf(stderr, "biela: error: %s has timelines 0 to %d\n", path,
                bi_recording_branches(&src->recording) - 1);
        code = CLI_BAD;
    }
    const char *dt = code == CLI_OK ? bi_recording_note(&src->recording, "dt") : NULL;
    src->dt = dt ? strtod(dt, NULL) : 0.0;
    if (code == CLI_OK && !(src->dt > 0.0)) {
        fprintf(stderr, "biela: error: %s does not say its step\n", path);
        code = CLI_BAD;
    }
    code = code == CLI_OK ? unpack(src, &report) : code;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return code;
}

void rerun_close_source(rerun_source *src)
{
    bi_recording_clear(&src->recording);
    bi_track_clear(&src->track);
    session_kept_destroy(src->kept);
    bi_shelf_destroy(src->shelf);
    if (src->folder) {
        nftw(src->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    free(src->folder);
    free(src->model);
    *src = (rerun_source){ 0 };
}

char *rerun_link(const bi_recording *rec, int branch)
{
    bi_report report = { 0 };
    char *installed = file_models_folder();
    const char *model = bi_recording_note(rec, "model");
    // without its snapshot nobody could begin where this one began
    model = bi_recording_note(rec, "carried") ? NULL : model;
    char *path = model ? bi_find_model(model, installed, &report) : NULL;
    char *link = path ? bi_recording_link(rec, branch) : NULL;
    bi_report_clear(&report);
    free(installed);
    free(path);
    return link;
}

// ---- again -----------------------------------------------------------------------------------------------------

// Recorded settings, then the further ones. Free the names and the list.
static bi_setting *join_settings(const bi_recording *rec, const bi_setting *more, int n_more, int *count)
{
    bi_setting *all = words_alloc((size_t)(rec->n_note + n_more + 1) * sizeof *all);
    *count = 0;
    for (int k = 0; k < rec->n_note; k++) {
        const char *equal = strcmp(rec->note[k].key, "set") == 0 ? strchr(rec->note[k].value, '=') : NULL;
        if (equal) {
            all[(*count)++] =
                (bi_setting){ words_copy(rec->note[k].value, (size_t)(equal - rec->note[k].value)),
                              equal + 1 };
        }
    }
    for (int k = 0; k < n_more; k++) {
        all[(*count)++] = (bi_setting){ words_format("%s", more[k].name), more[k].value };
    }
    return all;
}

static void find_inputs(rerun *r)
{
    const bi_recording *rec = &r->source->recording;
    r->input = words_alloc((size_t)(rec->n_input + 1) * sizeof *r->input);
    for (int k = 0; k < rec->n_input; k++) {
        r->input[k] = bi_find_input(r->s.system, rec->input[k]);
        if (r->input[k].i == 0) {
            bi_report_add(
                &r->s.report, BI_WARNING, BI_BAD_MODEL, (bi_place){ 0 }, rec->input[k],
                "the model has no input of this name any more; what was recorded for it is left out");
        }
    }
}

session_request rerun_request(const rerun_source *src, const bi_setting *more, int n_more, int ratio)
{
    const bi_recording *rec = &src->recording;
    session_request request = { .model = src->model,
                                .is_repeated = true,
                                .shelf = src->shelf,
                                .kept = src->kept,
                                .run_name = bi_recording_note(rec, "run"),
                                .dt = words_format("%.17g s", src->dt / ratio),
                                .scheme = bi_recording_note(rec, "scheme"),
                                .formulation = bi_recording_note(rec, "formulation"),
                                .rho = bi_recording_note(rec, "rho"),
                                .sleep = bi_recording_note(rec, "sleep"),
                                .start = bi_recording_note(rec, "start"),
                                .prepare = live_prepare(bi_recording_note(rec, "hand") != NULL) };
    request.setting = join_settings(rec, more, n_more, &request.n_setting);
    return request;
}

void rerun_request_clear(session_request *request)
{
    free((char *)request->dt);
    session_request_clear(request);
}

bool rerun_load_start(const rerun_source *src, const session *s)
{
    const bi_recording *rec = &src->recording;
    char *hash = words_format("%016" PRIx64, bi_system_hash(s->system));
    const char *then = bi_recording_note(rec, "system");
    bool is_same = then && strcmp(then, hash) == 0;
    // a link has no snapshot: the same system starts in the same state
    if (is_same && rec->n_file > 0) {
        is_same = rec->snapshot && bi_sim_load(s->sim, rec->snapshot, rec->snapshot_size) == BI_OK;
    }
    free(hash);
    return is_same;
}

// Opens what is asked for, and forgets the request.
static exit_code open_request(rerun *r, session_request *request)
{
    exit_code code = session_open(&r->s, request);
    if (code == CLI_OK) {
        find_inputs(r);
        r->is_same = rerun_load_start(r->source, &r->s);
        if (!r->is_same && bi_recording_note(&r->source->recording, "carried")) {
            bi_report_add(&r->s.report, BI_WARNING, BI_BAD_MODEL, (bi_place){ 0 }, "start",
                          "this drive began in the state of another one: with what differs now it begins as "
                          "the model describes");
        }
    }
    rerun_request_clear(request);
    return code;
}

exit_code rerun_open(rerun *r, const rerun_source *src, const bi_setting *more, int n_more, int ratio)
{
    *r = (rerun){ .source = src, .ratio = ratio, .steps = src->track.steps * ratio };
    session_request request = rerun_request(src, more, n_more, ratio);
    return open_request(r, &request);
}

exit_code rerun_open_formulation(rerun *r, const rerun_source *src, const bi_setting *more, int n_more,
                                 const char *formulation)
{
    *r = (rerun){ .source = src, .ratio = 1, .steps = src->track.steps };
    session_request request = rerun_request(src, more, n_more, 1);
    request.formulation = formulation;
    return open_request(r, &request);
}

void rerun_close(rerun *r)
{
    session_close(&r->s);
    free(r->input);
    *r = (rerun){ 0 };
}

void rerun_inputs(rerun *r)
{
    const bi_track *track = &r->source->track;
    for (; r->next < track->n_change && track->change[r->next].step * r->ratio <= r->step; r->next++) {
        const bi_log_entry *c = &track->change[r->next];
        bi_sim_input(r->s.sim, r->input[c->input], c->value);
    }
}

bi_status rerun_step(rerun *r)
{
    rerun_inputs(r);
    bi_status status = bi_sim_step(r->s.sim);
    r->step += status == BI_OK;
    return status;
}
