// SPDX-License-Identifier: MIT
/* report - a recorded drive as one HTML page: what was driven, plots, path, events, score; and the evidence: hashes,
 * error of the step, sensitivity. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include "live/evidence.h"
#include "pictures/svg.h"
#include "running/events.h"
#include "running/judgement.h"
#include "running/outfiles.h"
#include <biela/look.h>
#include <biela/verdict.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 5, CHANNELS = 6 };

typedef struct {
    const arguments *args;
    rerun_source source;
    rerun base; // as recorded; stands at its end
    evidence_run run;
    exercise *exercise;
    int *shown; // channels in plots (n_shown)
    int n_shown;
    FILE *out;
} report_page;

// ---- what to show ------------------------------------------------------------------------------------------------

static int channel_number(const bi_system *system, const char *name)
{
    for (int k = 0; k < bi_channel_count(system); k++) {
        if (strcmp(bi_channel_name(system, bi_channel_at(system, k)), name) == 0) {
            return k;
        }
    }
    return -1;
}

static bool show(report_page *p, const char *name)
{
    int k = channel_number(p->base.s.system, name);
    if (k >= 0) {
        p->shown[p->n_shown++] = k;
    }
    return k >= 0;
}

// Those asked for, else those of the head-up display, else the first ones.
static bool choose_channels(report_page *p)
{
    const char *asked = arguments_value(p->args, "--plot");
    words_list list = words_split(asked ? asked : "", ',');
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(p->source.model, &unused);
    int n_hud = bi_document_count(doc, "hud");
    bool is_good = true;
    p->shown = words_alloc((size_t)(list.count + (CHANNELS + 1) * (n_hud + 1)) * sizeof *p->shown);
    for (int k = 0; k < list.count; k++) {
        if (!show(p, list.name[k])) {
            (void)session_channel(&p->base.s, list.name[k]);
            is_good = false;
        }
    }
    for (int k = 0; !asked && k < n_hud; k++) {
        char *place = words_format("hud.%d.channel", k);
        const char *name = bi_document_text(doc, place);
        if (name) {
            (void)show(p, name);
        }
        free(place);
        for (int i = 0; i < CHANNELS; i++) {
            place = words_format("hud.%d.channels.%d", k, i);
            name = bi_document_text(doc, place);
            if (name) {
                (void)show(p, name);
            }
            free(place);
        }
    }
    bool has_none = p->n_shown == 0;
    for (int k = 0; has_none && k < CHANNELS && k < bi_channel_count(p->base.s.system); k++) {
        p->shown[p->n_shown++] = k;
    }
    bi_document_close(doc);
    bi_report_clear(&unused);
    words_list_clear(&list);
    return is_good;
}

// The body that `view` names, else the first.
static int body_to_follow(const report_page *p)
{
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(p->source.model, &unused);
    const char *name = bi_document_text(doc, "view.body");
    bi_body body = name ? bi_model_body(p->base.s.model, name) : (bi_body){ 0 };
    bi_document_close(doc);
    bi_report_clear(&unused);
    return body.i > 1 ? body.i - 1 : 1;
}

// ---- pieces of the page ------------------------------------------------------------------------------------------

static void row(FILE *out, const char *key, const char *value)
{
    fputs("<tr><th>", out);
    html_text(out, key);
    fputs("</th><td>", out);
    html_text(out, value);
    fputs("</td></tr>\n", out);
}

static void row_of(FILE *out, const char *key, const bi_recording *rec, const char *note)
{
    const char *value = bi_recording_note(rec, note);
    if (value) {
        row(out, key, value);
    }
}

static void write_head(const report_page *p)
{
    FILE *out = p->out;
    const bi_recording *rec = &p->source.recording;
    const char *title = bi_recording_note(rec, "title");
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", out);
    html_text(out, title ? title : "drive");
    fputs("</title><style>body{font:15px sans-serif;max-width:760px;margin:2em "
          "auto;color:#222}table{border-collapse:collapse}"
          "th{text-align:left;font-weight:normal;color:#555;padding:2px 16px 2px "
          "0;vertical-align:top}td{padding:2px 16px 2px 0}"
          "svg{width:100%;display:block;margin:6px "
          "0}.grid{stroke:#ddd}.curve{fill:none;stroke:#1f5fbf;stroke-width:1.5}"
          ".other{fill:none;stroke:#c05020;stroke-width:1;stroke-dasharray:4 "
          "3}.frame{fill:#f6f6f2;stroke:#ccc}.begin{fill:#2a8a3a}"
          ".end{fill:#c03030}svg text{font:11px "
          "sans-serif;fill:#444}.left{text-anchor:end}.below{text-anchor:middle}"
          "svg "
          ".title{font-size:12px;fill:#222}.good{color:#2a8a3a}.bad{color:#c03030}code{font-size:13px}</"
          "style></head><body>\n<h1>",
          out);
    html_text(out, title ? title : "drive");
    fputs("</h1>\n<table>\n", out);
    row_of(out, "recorded", rec, "recorded");
    char *length =
        words_format("%.3f s, %" PRId64 " steps of %g s", (double)p->source.track.steps * p->source.dt,
                     p->source.track.steps, p->source.dt);
    char *timelines = words_format("%d (this is %s)", bi_recording_branches(rec),
                                   arguments_value(p->args, "--branch") ? arguments_value(p->args, "--branch")
                                                                        : "the last");
    row(out, "length", length);
    row(out, "timelines", timelines);
    row(out, "ended",
        rec->summary ? rec->summary
                     : "not ended: it is still running, or was killed; the last moments may be missing");
    fputs("</table>\n", out);
    free(length);
    free(timelines);
}

static void write_exercise(const report_page *p)
{
    const exercise *ex = p->exercise;
    FILE *out = p->out;
    if (!ex) {
        return;
    }
    exercise_state state = exercise_state_of(ex);
    fputs("<h2>Exercise: ", out);
    html_text(out, exercise_title(ex));
    fprintf(out, "</h2>\n<p class=\"%s\">%s after %.2f s, score %.0f of 100</p>\n<table>\n",
            state == EXERCISE_PASSED ? "good" : "bad", exercise_state_name(state), exercise_time(ex),
            exercise_score(ex));
    for (int k = 0; k < exercise_goal_count(ex); k++) {
        const exercise_goal *g = exercise_goal_at(ex, k);
        char *when =
            g->done_at >= 0.0 ? words_format("reached at %.2f s", g->done_at) : words_format("not reached");
        row(out, g->text, when);
        free(when);
    }
    for (int k = 0; k < exercise_limit_count(ex); k++) {
        const exercise_limit *l = exercise_limit_at(ex, k);
        char *what = l->times > 0 ? words_format("%d times beyond %g, first at %.2f s, largest %.4g",
                                                 l->times, l->max, l->first, l->worst)
                                  : words_format("kept: largest %.4g of %g", l->worst, l->max);
        row(out, l->text, what);
        free(what);
    }
    fputs("</table>\n", out);
}

static void write_plots(const report_page *p)
{
    const evidence_run *e = &p->run;
    const int room = EVIDENCE_SAMPLES + 2;
    fputs("<h2>Drive</h2>\n", p->out);
    for (int k = 0; k < e->n_input; k++) {
        svg_plot(p->out, &(svg_curve){ .title = p->source.recording.input[k],
                                       .unit = "input",
                                       .n = e->n,
                                       .t = e->t,
                                       .y = e->input + k * room });
    }
    for (int k = 0; k < p->n_shown; k++) {
        bi_channel c = bi_channel_at(p->base.s.system, p->shown[k]);
        svg_plot(p->out, &(svg_curve){ .title = bi_channel_name(p->base.s.system, c),
                                       .unit = bi_channel_unit(p->base.s.system, c),
                                       .n = e->n,
                                       .t = e->t,
                                       .y = e->channel + p->shown[k] * room });
    }
}

// Seen along gravity: the two axes that are not the vertical one.
static void write_path(const report_page *p, int body)
{
    const int room = EVIDENCE_SAMPLES + 2;
    bi_vec3 g = bi_model_gravity_of(p->base.s.model);
    int up = fabs(g.y) > fabs(g.z) && fabs(g.y) >= fabs(g.x) ? 1 : fabs(g.x) > fabs(g.z) ? 0 : 2;
    static const char *const axis[] = { "x", "y", "z" };
    int a = up == 0 ? 1 : 0, b = up == 2 ? 1 : 2;
    fputs("<h2>Path of ", p->out);
    html_text(p->out, bi_model_body_name(p->base.s.model, (bi_body){ body + 1 }));
    fputs("</h2>\n", p->out);
    svg_path(p->out, p->run.n, p->run.position + a * room, p->run.position + b * room, axis[a], axis[b]);
}

static void write_events(const report_page *p)
{
    int count = bi_sim_event_count(p->base.s.sim);
    fputs("<h2>Events</h2>\n", p->out);
    if (count == 0) {
        fputs("<p>none</p>\n", p->out);
        return;
    }
    fputs("<table>\n", p->out);
    for (int k = 0; k < count; k++) {
        bi_event event;
        if (bi_sim_event(p->base.s.sim, k, &event)) {
            char touch[EVENTS_TOUCH], *left = words_format("%.4f s  %s", event.t, event.name);
            row(p->out, left, events_touch(&event.hit, touch) ? touch : event.what);
            free(left);
        }
    }
    fputs("</table>\n", p->out);
}

// ---- evidence ----------------------------------------------------------------------------------------------------

// What the run says about itself: all that is not good, or the three nearest to their limits.
static void write_verdict(const report_page *p)
{
    enum { NEAREST = 3 };
    bi_verdict v = bi_sim_verdict(p->base.s.sim);
    fprintf(p->out, "<h2>Verdict: %s</h2>\n<table>\n", bi_outcome_name(v.outcome));
    for (int k = 0; k < v.count && (k < NEAREST || v.item[k].outcome != BI_GOOD); k++) {
        const bi_judgement *j = &v.item[k];
        char *text =
            words_format("%s: %s (limit %.3g)%s%s, t = %.6g s%s%s", bi_outcome_name(j->outcome),
                         words_of_value(j->value, j->unit).text, j->outcome == BI_BAD ? j->bad : j->doubtful,
                         j->where[0] ? ", " : "", j->where, j->t,
                         j->outcome == BI_GOOD ? "" : "; to try: ", j->outcome == BI_GOOD ? "" : j->advice);
        row(p->out, j->what, text);
        free(text);
    }
    fputs("</table>\n", p->out);
}

// In its own unit, or SI where the file gives none.
static char *parameter_text(const bi_model *m, double value, const char *unit)
{
    return unit && *unit ? words_format("%.9g %s", value / unit_factor(m, unit), unit)
                         : words_format("%.9g", value);
}

static void write_identity(const report_page *p)
{
    FILE *out = p->out;
    const bi_recording *rec = &p->source.recording;
    const evidence_run *e = &p->run;
    char *now = words_format("%s %s", bi_version(), bi_build_name()),
         *hash = words_format("%016" PRIx64, e->hash);
    char *hashes = !e->is_same ? words_format("not compared: another version, build or setting")
                               : words_format("%" PRId64 " of %" PRId64 " equal", e->equal, e->compared);
    fputs("<h2>Evidence</h2>\n<table>\n", out);
    row_of(out, "model", rec, "model");
    row_of(out, "hash of model and method", rec, "system");
    row_of(out, "recorded by version", rec, "version");
    row_of(out, "build", rec, "build");
    row(out, "replayed by", now);
    row_of(out, "scheme", rec, "scheme");
    row_of(out, "formulation", rec, "formulation");
    row_of(out, "run", rec, "run");
    for (int k = 0; k < rec->n_note; k++) {
        if (strcmp(rec->note[k].key, "set") == 0) {
            row(out, "set", rec->note[k].value);
        }
    }
    for (int k = 0; k < rec->n_file; k++) {
        char *what = words_format("%zu bytes, %016" PRIx64, rec->file[k].size, rec->file[k].hash);
        const char *slash = strrchr(rec->file[k].name, '/');
        row(out, slash ? slash + 1 : rec->file[k].name, what);
        free(what);
    }
    row(out, "hashes on the way", hashes);
    row(out, "hash at the end", hash);
    fputs("</table>\n<h3>Parameters</h3>\n<table>\n", out);
    for (int k = 0; k < bi_model_parameter_count(p->base.s.model); k++) {
        const char *name, *unit;
        double value;
        if (bi_model_parameter_at(p->base.s.model, k, &name, &value, &unit)) {
            char *text = parameter_text(p->base.s.model, value, unit);
            row(out, name, text);
            free(text);
        }
    }
    fputs("</table>\n", out);
    free(now);
    free(hash);
    free(hashes);
}

// The recording with half the step: of order two, the error is 4/3 of the difference.
static bool write_error(const report_page *p)
{
    rerun half;
    evidence_run e = { 0 };
    exit_code code = rerun_open(&half, &p->source, NULL, 0, 2);
    if (code == CLI_OK) {
        evidence_simulate(&half, 0, NULL, &e);
        fprintf(p->out,
                "<h3>Error of the step</h3>\n<p>The same inputs with half the step (%g s)%s. For a scheme of "
                "order two the error with the recorded step is about 4/3 of "
                "the difference.</p>\n<table>\n<tr><th>channel</th><td>largest error, estimated</td><td>at "
                "the end</td><td>range</td></tr>\n",
                0.5 * p->source.dt, e.status == BI_OK ? "" : ", which failed before the end");
        for (int k = 0; k < p->n_shown; k++) {
            evidence_difference d = evidence_compare(&p->run, &e, p->shown[k]);
            fputs("<tr><th>", p->out);
            html_text(p->out,
                      bi_channel_name(p->base.s.system, bi_channel_at(p->base.s.system, p->shown[k])));
            fprintf(p->out, "</th><td>%.3g</td><td>%.3g</td><td>%.3g</td></tr>\n", 4.0 / 3.0 * d.largest,
                    4.0 / 3.0 * fabs(d.last), d.range);
        }
        fputs("</table>\n", p->out);
        evidence_clear(&e);
    }
    rerun_close(&half);
    return code == CLI_OK;
}

// Parameters asked for, else the first ones of the file that are plain numbers.
static words_list choose_parameters(const report_page *p)
{
    const char *asked = arguments_value(p->args, "--vary");
    if (asked) {
        return words_split(asked, ',');
    }
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(p->source.model, &unused);
    words_list list = { .name = words_alloc(PARAMETERS * sizeof(char *)) };
    for (int k = 0; k < bi_document_count(doc, "parameters") && list.count < PARAMETERS; k++) {
        const char *name = bi_document_key(doc, "parameters", k);
        char *whole = words_format("parameters.%s", name), *value = words_format("parameters.%s.value", name);
        double number = 0.0;
        char *unit = words_format("parameters.%s.unit", name);
        bool is_number = bi_document_number(doc, whole, &number) || bi_document_number(doc, value, &number);
        // whole numbers without a unit are counts and switches
        if (is_number && number != 0.0 && (bi_document_text(doc, unit) || number != floor(number))) {
            list.name[list.count++] = words_format("%s", name);
        }
        free(unit);
        free(whole);
        free(value);
    }
    bi_document_close(doc);
    bi_report_clear(&unused);
    return list;
}

static bool parameter_value(const bi_model *m, const char *name, double *value)
{
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        const char *own, *unit;
        double v;
        if (bi_model_parameter_at(m, k, &own, &v, &unit) && strcmp(own, name) == 0) {
            *value = v;
            return true;
        }
    }
    return false;
}

static void write_one_change(const report_page *p, const char *name, const evidence_run *e, bi_status status)
{
    fputs("<tr><th>", p->out);
    html_text(p->out, name);
    fputs("</th>", p->out);
    for (int k = 0; k < p->n_shown; k++) {
        if (status == BI_OK) {
            fprintf(p->out, "<td>%+.3g</td>", evidence_compare(&p->run, e, p->shown[k]).last);
        } else {
            fputs("<td>failed</td>", p->out);
        }
    }
    fputs("</tr>\n", p->out);
}

// How the end of the drive changes when a parameter is larger by a hundredth.
static bool write_sensitivity(const report_page *p, double by)
{
    words_list list = choose_parameters(p);
    bool is_good = true;
    fprintf(p->out,
            "<h3>Sensitivity</h3>\n<p>Change of each channel at the end of the drive when one parameter is "
            "%g %% larger and the inputs are the same.</p>\n<table>\n<tr><th>parameter</th>",
            100.0 * by);
    for (int k = 0; k < p->n_shown; k++) {
        fputs("<td>", p->out);
        html_text(p->out, bi_channel_name(p->base.s.system, bi_channel_at(p->base.s.system, p->shown[k])));
        fputs("</td>", p->out);
    }
    fputs("</tr>\n", p->out);
    for (int k = 0; k < list.count; k++) {
        double value;
        if (!parameter_value(p->base.s.model, list.name[k], &value)) {
            fprintf(stderr, "biela report: --vary: %s has no parameter '%s'\n", p->base.s.short_name,
                    list.name[k]);
            is_good = false;
            continue;
        }
        // an expression is in SI, as the value is
        char *text = words_format("(%.17g)*1", value * (1.0 + by));
        bi_setting change = { list.name[k], text };
        rerun again;
        evidence_run e = { 0 };
        bi_status status = BI_BAD_MODEL;
        if (rerun_open(&again, &p->source, &change, 1, 1) == CLI_OK) {
            evidence_simulate(&again, 0, NULL, &e);
            status = e.status;
        }
        write_one_change(p, list.name[k], &e, status);
        evidence_clear(&e);
        rerun_close(&again);
        free(text);
    }
    fputs("</table>\n", p->out);
    words_list_clear(&list);
    return is_good;
}

// ---- the command -------------------------------------------------------------------------------------------------

static exit_code open_exercise(report_page *p)
{
    const bi_recording *rec = &p->source.recording;
    const char *path = arguments_value(p->args, "--exercise"),
               *text = bi_recording_note(rec, "exercise_text");
    const char *name = bi_recording_note(rec, "exercise");
    bi_report report = { 0 };
    if (path) {
        p->exercise = exercise_open(path, &report);
    } else if (text) {
        p->exercise = exercise_parse(text, strlen(text), name ? name : "exercise", &report);
    }
    bool is_good = (!path && !text) ||
                   (p->exercise && exercise_bind(p->exercise, p->base.s.model, p->base.s.system, &report));
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good ? CLI_OK : CLI_BAD;
}

static bool write_text(const char *path, const char *text, size_t length)
{
    bi_outfile *output = outfiles_begin(path);
    if (!output) {
        return false;
    }
    fwrite(text, 1, length, bi_outfile_file(output));
    return outfiles_end(output);
}

static exit_code write_page(report_page *p, const char *path)
{
    double by = 0.01;
    int body = body_to_follow(p);
    number_range part = { -1.0, 1.0, NUMBER_OF_ANY_KIND, "a part such as 0.01, -1 to 1" };
    if (!option_number(p->args, "--by", part, &by)) {
        return CLI_BAD;
    }
    if (by == 0.0) {
        fputs("biela report: error: --by: 0 changes nothing; give a part such as 0.01\n", stderr);
        return CLI_BAD;
    }
    // what takes long is done first: the file is written at once, or not at all
    char *text = NULL;
    size_t length = 0;
    p->out = open_memstream(&text, &length);
    if (!p->out) {
        fputs("biela: error: no memory for the page\n", stderr);
        return CLI_MACHINE;
    }
    evidence_simulate(&p->base, body, p->exercise, &p->run);
    write_head(p);
    write_exercise(p);
    write_plots(p);
    write_path(p, body);
    write_events(p);
    write_verdict(p);
    write_identity(p);
    bool is_good = true;
    if (!arguments_has(p->args, "--brief")) {
        is_good = write_error(p) && write_sensitivity(p, by);
    }
    fputs("</body></html>\n", p->out);
    is_good = fclose(p->out) == 0 && is_good;
    // a page that was refused does not replace a good one
    bool is_written = is_good && write_text(path, text, length);
    free(text);
    if (!is_good || !is_written) {
        return is_good ? CLI_MACHINE : CLI_BAD;
    }
    if (p->run.is_same && p->run.equal < p->run.compared) {
        fprintf(stderr,
                "biela: error: the replay is not the recorded drive: %" PRId64 " of %" PRId64
                " hashes differ\n",
                p->run.compared - p->run.equal, p->run.compared);
        return CLI_MACHINE;
    }
    if (p->run.status != BI_OK) {
        return CLI_NUMERICAL;
    }
    bi_verdict verdict = bi_sim_verdict(p->base.s.sim);
    judgement_warn(&verdict);
    return judgement_code(verdict.outcome, p->args);
}

static exit_code run_report(const arguments *args)
{
    report_page p = { .args = args };
    const char *branch = arguments_value(args, "--branch"), *out = arguments_value(args, "--out");
    char *path = out ? words_format("%s", out) : file_with_ending(args->word[0], ENDING_PAGE);
    claims_read(args->files, arguments_value(args, "--exercise"));
    exit_code code = claims_write(args->files, "--out", path)
                         ? rerun_open_source(args->word[0], branch ? atoi(branch) : -1, &p.source)
                         : CLI_BAD;
    if (code == CLI_OK) {
        code = rerun_open(&p.base, &p.source, NULL, 0, 1);
        session_print_messages(&p.base.s);
        code = code == CLI_OK && !choose_channels(&p) ? CLI_BAD : code;
        code = code == CLI_OK ? open_exercise(&p) : code;
        code = code == CLI_OK ? write_page(&p, path) : code;
        if ((code == CLI_OK || code == CLI_DOUBT) && !arguments_has(args, "--quiet")) {
            printf("%s\n", path);
        }
        evidence_clear(&p.run);
        exercise_close(p.exercise);
        free(p.shown);
        rerun_close(&p.base);
    }
    rerun_close_source(&p.source);
    free(path);
    return code;
}

static const option report_options[] = {
    { "--out", "FILE" ENDING_PAGE, "the page; default: beside the recording" },
    { "--plot", "A,B", "channels to plot and to judge errors by; default: those of the model's `hud`" },
    { "--exercise", "FILE", "judge the drive by this exercise; default: the one it was driven in" },
    { "--vary", "P,Q", "parameters of the sensitivity; default: the first five plain numbers" },
    { "--by", "X", "by which part they change; default 0.01" },
    { "--brief", NULL, "without error estimate and sensitivity, which simulate several times" },
    { "--branch", "N", "timeline N; default: the last" },
    { "--quiet", NULL, "do not print the name of the page" },
};

const command command_report = {
    .name = "report",
    .words = "RECORDING",
    .summary = "a recorded drive as a page with plots, score and evidence",
    .details = "Simulates the recording again and writes one HTML file: inputs and channels over time, the "
               "path, events, the outcome\n"
               "of the exercise, and what a reader needs to believe it: versions, hashes, parameters, the "
               "error of the step\n"
               "by halving it, and how the outcome changes with parameters.",
    .example = "  biela drive pendulum-cart --headless --time 2 --record out/drive.biela\n"
               "  biela report out/drive.biela --vary L,m",
    .min_words = 1,
    .max_words = 1,
    .options = report_options,
    .n_option = sizeof report_options / sizeof *report_options,
    .run = run_report,
};
