// SPDX-License-Identifier: MIT
// The recording of a drive: what was run, and how.
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include <biela/names.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void live_forget_manoeuvre(bi_model *model)
{
    bi_report unused = { 0 };
    for (int k = 1; k <= bi_model_input_count(model); k++) {
        bi_input_samples(model, (bi_input){ k }, 0, NULL, NULL, &unused);
    }
    bi_report_clear(&unused);
}

static void forget_manoeuvre_take_hand(bi_model *model)
{
    live_forget_manoeuvre(model);
    (void)bi_add_hand(model);
}

live_preparation *live_prepare(bool has_hand)
{
    return has_hand ? forget_manoeuvre_take_hand : live_forget_manoeuvre;
}

// By a drive, or by one that goes on.
static bool is_taken(const char *path)
{
    char *part = words_format("%s.part", path);
    bool is_there = file_exists(path) || file_exists(part);
    free(part);
    return is_there;
}

// out/pendulum-cart-20260131-154500.biela, with a number behind it when that is taken. Free it.
static char *usual_path(const session *s)
{
    char date[32] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) {
        strftime(date, sizeof date, "%Y%m%d-%H%M%S", &local);
    }
    char *path = words_format("out/%s-%s" ENDING_RECORDING, s->short_name, date);
    for (int k = 2; is_taken(path) && k < 1000; k++) {
        free(path);
        path = words_format("out/%s-%s-%d" ENDING_RECORDING, s->short_name, date, k);
    }
    return path;
}

static void note_number(bi_recorder *r, const char *key, double value)
{
    char *text = words_format("%.17g", value);
    (void)bi_recorder_note(r, key, text);
    free(text);
}

static void write_notes(bi_recorder *r, const session *s)
{
    char *hash = words_format("%016" PRIx64, bi_system_hash(s->system)), date[40] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    bi_recorder_note(r, "version", bi_version());
    bi_recorder_note(r, "build", bi_build_name());
    bi_recorder_note(r, "model", s->short_name);
    bi_recorder_note(r, "title", bi_model_name(s->model));
    bi_recorder_note(r, "system", hash);
    bi_recorder_note(r, "recorded", date);
    note_number(r, "dt", bi_system_dt(s->system));
    bi_recorder_note(r, "scheme", bi_scheme_name(s->run.scheme));
    bi_recorder_note(r, "formulation", bi_coordinates_name(s->run.coordinates));
    note_number(r, "rho", s->run.rho);
    note_number(r, "sleep", s->run.sleep);
    bi_recorder_note(r, "start",
                     s->run.starts_in_equilibrium ? "equilibrium"
                     : s->run.starts_settled      ? "settled"
                                                  : "described");
    free(hash);
}

static void write_request(bi_recorder *r, const session_request *request)
{
    if (request->run_name) {
        bi_recorder_note(r, "run", request->run_name);
    }
    if (request->prepare == live_prepare(true)) {
        bi_recorder_note(r, "hand", "yes");
    }
    for (int k = 0; k < request->n_setting; k++) {
        char *text = words_format("%s=%s", request->setting[k].name, request->setting[k].value);
        bi_recorder_note(r, "set", text);
        free(text);
    }
}

// The text itself: the report of the drive judges by the exercise as it was.
static void write_exercise(bi_recorder *r, const exercise *ex)
{
    char *text = NULL;
    size_t size = 0;
    const char *why;
    FILE *out = open_memstream(&text, &size), *in = bi_open_plain(exercise_path(ex), &why);
    for (int c = in && out ? getc(in) : EOF; c != EOF; c = getc(in)) {
        putc(c, out);
    }
    if (in) {
        fclose(in);
    }
    if (out) {
        fclose(out);
        bi_recorder_note(r, "exercise", exercise_name(ex));
        bi_recorder_note(r, "exercise_text", text);
    }
    free(text);
}

static void add_file(void *data, const char *path) { (void)bi_recorder_file(data, path); }

void live_record_head(bi_recorder *r, const session *s, const session_request *request, const exercise *ex)
{
    write_notes(r, s);
    write_request(r, request);
    if (ex) {
        write_exercise(r, ex);
    }
    bi_document_files(s->path, add_file, r);
}

// A recording that is shown goes into the new one: whoever takes over branches from it. Its hashes are those of the same system only.
static void add_source(bi_recorder *r, const rerun_source *source, const session *s)
{
    const bi_track *track = &source->track;
    const char *then = bi_recording_note(&source->recording, "system");
    char *hash = words_format("%016" PRIx64, bi_system_hash(s->system));
    for (int64_t k = 0; k < track->n_change; k++) {
        bi_recorder_add(r, &track->change[k]);
    }
    for (int64_t k = 0; then && strcmp(then, hash) == 0 && k < track->n_hash; k++) {
        bi_recorder_add(r, &track->hash[k]);
    }
    bi_recorder_add(r, &(bi_log_entry){ .kind = BI_LOG_STEPS, .step = track->steps });
    free(hash);
}

// Without the file that was asked for by name there is no drive.
static bool tell_unrecorded(const live *l)
{
    if (!l->record_path) {
        fputs("biela: warning: this drive is not recorded\n", stderr);
    }
    return false;
}

bool live_record_begin(live *l, const session_request *request)
{
    live_run *run = &l->run;
    bi_report report = { 0 };
    char *path = l->record_path ? words_format("%s", l->record_path) : usual_path(&run->s);
    run->recorder = file_make_folders(path) ? bi_recorder_create(path, &report) : NULL;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    free(path);
    if (!run->recorder) {
        return tell_unrecorded(l);
    }
    live_record_head(run->recorder, &run->s, request, l->exercise);
    if (run->is_carried) {
        bi_recorder_note(run->recorder, "carried", "yes");
    }
    bool is_good = bi_recorder_begin(run->recorder, run->s.system, run->s.sim);
    if (l->source) {
        add_source(run->recorder, l->source, &run->s);
    }
    if (!is_good) {
        fprintf(stderr, "biela: error: %s\n", bi_recorder_failure(run->recorder));
        bi_recorder_destroy(run->recorder);
        run->recorder = NULL;
        return tell_unrecorded(l);
    }
    return true;
}

// ---- comments ----------------------------------------------------------------------------------------------------

static void keep_comment(live_run *run, char *line)
{
    char **longer = realloc(run->comment, ((size_t)run->n_comment + 1) * sizeof *longer);
    if (longer) {
        run->comment = longer;
        longer[run->n_comment++] = line;
    } else {
        free(line);
    }
}

static void send_comment(live *l, int client, const char *line)
{
    outgoing o;
    json *j = l->server ? outgoing_begin(&o, begin_event) : NULL;
    const char *text = strchr(line, ' ');
    if (j) {
        put_event_t(j, strtod(line, NULL));
        put_event_name(j, "comment");
        put_event_text(j, text ? text + 1 : "");
        live_send(l, client, &o);
    }
}

void live_comment(live *l, const char *text)
{
    char *line = words_format("%.3f %s", bi_loop_latest(l->run.loop, NULL)->t, text);
    if (l->run.recorder) {
        (void)bi_recorder_note(l->run.recorder, "comment", line);
    }
    send_comment(l, -1, line);
    keep_comment(&l->run, line);
}

void live_send_comments(live *l, int client)
{
    for (int k = 0; k < l->run.n_comment; k++) {
        send_comment(l, client, l->run.comment[k]);
    }
}

// Those of the recording that is shown belong to this run, too, and to its own recording.
void live_take_comments(live *l)
{
    const bi_recording *rec = l->source ? &l->source->recording : NULL;
    for (int k = 0; rec && k < rec->n_note; k++) {
        if (strcmp(rec->note[k].key, "comment") == 0) {
            keep_comment(&l->run, words_format("%s", rec->note[k].value));
            if (l->run.recorder) {
                (void)bi_recorder_note(l->run.recorder, "comment", rec->note[k].value);
            }
        }
    }
}

char *live_recording(live *l, size_t *size)
{
    bi_recorder *r = l->run.recorder;
    const char *why;
    FILE *file = r && bi_recorder_flush(r) ? bi_open_plain(bi_recorder_name(r), &why) : NULL;
    char *bytes = NULL;
    FILE *out = file ? open_memstream(&bytes, size) : NULL;
    for (int c = out ? getc(file) : EOF; c != EOF; c = getc(file)) {
        putc(c, out);
    }
    if (out) {
        fclose(out);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

char *live_link(live *l, size_t *size)
{
    bi_recording rec;
    bi_report unused = { 0 };
    char *link = NULL, *bytes = live_recording(l, size);
    if (bytes && bi_recording_parse(bytes, *size, "", &rec, &unused)) {
        link = rerun_link(&rec, -1);
        bi_recording_clear(&rec);
    }
    bi_report_clear(&unused);
    free(bytes);
    *size = link ? strlen(link) : 0;
    return link;
}

bool live_record_end(live_run *run)
{
    bool is_whole = false;
    if (!run->recorder) {
        return false;
    }
    if (run->loop) {
        bi_log_entry entry;
        bi_loop_stop(run->loop);
        while (bi_loop_log(run->loop, &entry)) {
            bi_recorder_add(run->recorder, &entry);
        }
        const bi_loop_frame *f = bi_loop_latest(run->loop, NULL);
        const bi_deadlines *d = &f->deadlines;
        char *summary = words_format(
            "steps %" PRId64 ", missed %" PRId64 ", slips %" PRId64 ", mean %.1f us, worst %.1f us%s",
            d->steps, d->misses, d->slips, d->steps > 0 ? 1e6 * d->sum / (double)d->steps : 0.0,
            1e6 * d->worst, f->lost_log ? "; the log has a gap" : "");
        is_whole = bi_recorder_end(run->recorder, summary);
        if (!is_whole) {
            fprintf(stderr, "biela: error: the recording is not complete: %s; what there is stays as %s\n",
                    bi_recorder_failure(run->recorder), bi_recorder_name(run->recorder));
        }
        free(summary);
    }
    bi_recorder_destroy(run->recorder);
    run->recorder = NULL;
    return is_whole;
}
