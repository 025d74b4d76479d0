// SPDX-License-Identifier: MIT
/* replay - a recording simulated again: equal to the bit, with other parameters, or to files. */
#include "cli/endings.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include "live/drive.h"
#include "running/cross.h"
#include "running/flexible/life_files.h"
#include "running/judgement.h"
#include "running/outfiles.h"
#include "running/rerun.h"
#include <biela/look.h>
#include <biela/outfile.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a replay found.
typedef struct {
    bi_status status;
    int64_t compared, equal;
    double first_difference; // s; negative: none
    bool is_interrupted, is_written;
    bi_verdict verdict;
} replay_result;

// ---- files -----------------------------------------------------------------------------------------------------

// Inputs over time, as `biela run --manoeuvre` reads them: what an input is in the step from t(k) to t(k+1) stands at
// t(k+1), and where it changes the row before holds the old value.
static bool write_manoeuvre(const char *path, const rerun_source *src, const rerun *start)
{
    const bi_recording *rec = &src->recording;
    bi_outfile *output = outfiles_begin(path);
    FILE *out = output ? bi_outfile_file(output) : NULL;
    if (!out) {
        return false;
    }
    double *value = words_alloc((size_t)(rec->n_input + 1) * sizeof *value);
    fputs("t", out);
    for (int k = 0; k < rec->n_input; k++) {
        bi_input_info info = { 0 };
        bi_model_input_info(start->s.model, bi_model_input(start->s.model, rec->input[k]), &info);
        value[k] = info.initial;
        fprintf(out, ",%s", rec->input[k]);
    }
    fputc('\n', out);
    int64_t written = -1; // step whose instant was written last
    for (int64_t k = 0; k <= src->track.n_change; k++) {
        bool is_last = k == src->track.n_change;
        int64_t step = is_last ? src->track.steps : src->track.change[k].step;
        bool is_group = !is_last && k > 0 && src->track.change[k - 1].step == step;
        if (!is_group && step > written) {
            fprintf(out, "%.17g", (double)step * src->dt);
            for (int i = 0; i < rec->n_input; i++) {
                fprintf(out, ",%.17g", value[i]);
            }
            fputc('\n', out);
            written = step;
        }
        if (is_last) {
            break;
        }
        value[src->track.change[k].input] = src->track.change[k].value;
        bool is_end_of_group = k + 1 == src->track.n_change || src->track.change[k + 1].step != step;
        if (is_end_of_group && step < src->track.steps) {
            fprintf(out, "%.17g", (double)(step + 1) * src->dt);
            for (int i = 0; i < rec->n_input; i++) {
                fprintf(out, ",%.17g", value[i]);
            }
            fputc('\n', out);
            written = step + 1;
        }
    }
    free(value);
    return outfiles_end(output);
}

// ---- the loop ----------------------------------------------------------------------------------------------------

static void compare_hashes(const rerun *r, int64_t *next, replay_result *result)
{
    const bi_track *track = &r->source->track;
    for (; *next < track->n_hash && track->hash[*next].step <= r->step; (*next)++) {
        if (track->hash[*next].step == r->step) {
            bool is_equal = bi_sim_hash(r->s.sim) == track->hash[*next].hash;
            result->compared++;
            result->equal += is_equal;
            if (!is_equal && result->first_difference < 0.0) {
                result->first_difference = (double)r->step * r->source->dt;
            }
        }
    }
}

static void simulate(rerun *r, bi_csv *csv, life_files *life, int64_t every, replay_result *result)
{
    int64_t next = 0;
    *result = (replay_result){ .first_difference = -1.0, .is_written = true };
    result->is_written = (!csv || bi_csv_row(csv, r->s.sim) == BI_OK) && life_files_step(life, r->s.sim);
    while (r->step < r->steps && result->status == BI_OK && result->is_written && !interrupt_asked()) {
        result->status = rerun_step(r);
        if (result->status == BI_OK && r->is_same) {
            compare_hashes(r, &next, result);
        }
        if (result->status == BI_OK && !life_files_step(life, r->s.sim)) {
            result->status = BI_NO_MEMORY;
        }
        if (result->status == BI_OK && csv && (r->step % every == 0 || r->step == r->steps)) {
            result->is_written = bi_csv_row(csv, r->s.sim) == BI_OK;
        }
    }
    result->is_interrupted = r->step < r->steps && interrupt_asked();
}

static exit_code code_of(const rerun *r, const replay_result *result)
{
    if (!result->is_written) {
        return CLI_MACHINE;
    }
    if (result->is_interrupted) {
        return interrupt_code();
    }
    if (result->status != BI_OK) {
        return CLI_NUMERICAL;
    }
    return r->is_same && result->equal < result->compared ? CLI_MACHINE : CLI_OK;
}

static void print_outcome(const rerun *r, const replay_result *result)
{
    const bi_recording *rec = &r->source->recording;
    const char *version = bi_recording_note(rec, "version"), *build = bi_recording_note(rec, "build");
    printf("%s: %.6g s replayed in %" PRId64 " steps of %.4g s\n", bi_model_name(r->s.model),
           (double)r->step * r->source->dt, r->step, r->source->dt);
    if (result->status != BI_OK) {
        printf("  stopped       %s. %s\n", bi_status_text(result->status), bi_sim_failure(r->s.sim));
    }
    if (!r->is_same) {
        printf("  hashes        not compared: recorded with %s %s and its settings, replayed with %s %s\n",
               version ? version : "an unknown version", build ? build : "", bi_version(), bi_build_name());
    } else if (result->compared == 0) {
        printf("  hashes        none recorded so early\n");
    } else if (result->equal == result->compared) {
        printf("  hashes        %" PRId64 " of %" PRId64 " equal: the same drive to the bit\n", result->equal,
               result->compared);
    } else {
        printf("  hashes        %" PRId64 " of %" PRId64 " equal; they differ from t = %.6g s on\n",
               result->equal, result->compared, result->first_difference);
    }
    printf("  hash          %016" PRIx64 "\n", bi_sim_hash(r->s.sim));
    printf("  verdict       %s\n", result->verdict.line);
}

static void print_json(const rerun *r, const replay_result *result, const cross_check *cross,
                       const life_files *life)
{
    const bi_recording *rec = &r->source->recording;
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, bi_sim_hash(r->s.sim));
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_text(&j, "model", bi_model_name(r->s.model));
    json_number(&j, "time", (double)r->step * r->source->dt);
    json_integer(&j, "steps", r->step);
    json_number(&j, "dt", r->source->dt);
    json_text(&j, "status", bi_status_text(result->status));
    json_text(&j, "failure", result->status != BI_OK ? bi_sim_failure(r->s.sim) : NULL);
    json_true_or_false(&j, "interrupted", result->is_interrupted);
    json_text(&j, "recorded_with", bi_recording_note(rec, "version"));
    json_text(&j, "replayed_with", bi_version());
    json_true_or_false(&j, "comparable", r->is_same);
    json_integer(&j, "compared", result->compared);
    json_integer(&j, "equal", result->equal);
    if (result->first_difference >= 0.0) {
        json_number(&j, "first_difference", result->first_difference);
    }
    json_text(&j, "hash", hash);
    judgement_json(&j, &result->verdict);
    cross_json(&j, cross);
    life_files_json(&j, life);
    json_end(&j);
}

// ---- the command -------------------------------------------------------------------------------------------------

// Steps between rows; 0: a mistake was told.
static int64_t rows_every(const arguments *args, double dt)
{
    double every = 0.0;
    number_range time = { 0.0, 1e9, NUMBER_OF_ANY_KIND, "a time in s, 0 (each step) to 1e9" };
    if (!option_number(args, "--every", time, &every)) {
        return 0;
    }
    return every > dt ? (int64_t)llround(every / dt) : 1;
}

// The same drive in the other formulation and with half the step, when asked for.
static exit_code cross_check_of(const arguments *args, const rerun_source *src,
                                const session_request *request, cross_check *cross)
{
    if (!arguments_has(args, "--cross-check")) {
        return CLI_OK;
    }
    if (!cross_replay(src, request->setting, request->n_setting, cross)) {
        return interrupt_asked() ? interrupt_code() : CLI_NUMERICAL;
    }
    bool is_strict = arguments_has(args, "--strict");
    return cross->outcome == BI_BAD || (is_strict && cross->outcome == BI_DOUBTFUL) ? CLI_DOUBT : CLI_OK;
}

// Fatigue over the drive; what it writes is named after the table.
static exit_code begin_life(life_files *life, const rerun *r, const arguments *args, const char *path)
{
    if (!path || bi_outfile_is_stream(path)) {
        fputs("biela: error: --life needs --csv FILE, a plain file: its own files are named after it\n",
              stderr);
        return CLI_BAD;
    }
    claims_read(args->files, arguments_value(args, "--life"));
    bool is_free = claims_write_beside(args->files, "--life", path, ENDING_LIFE);
    return is_free && life_files_begin(life, &r->s, args, path) ? CLI_OK : CLI_BAD;
}

static exit_code replay_with(const arguments *args, const rerun_source *src, const session_request *request)
{
    rerun r;
    exit_code code = rerun_open(&r, src, request->setting, request->n_setting, 1);
    const char *path = arguments_value(args, "--csv"), *manoeuvre = arguments_value(args, "--manoeuvre");
    int64_t steps_per_row = rows_every(args, src->dt);
    session_print_messages(&r.s);
    if (code == CLI_OK && !(steps_per_row > 0 && claims_write(args->files, "--csv", path) &&
                            claims_write(args->files, "--manoeuvre", manoeuvre))) {
        code = CLI_BAD;
    }
    if (code == CLI_OK && manoeuvre && !write_manoeuvre(manoeuvre, src, &r)) {
        code = CLI_MACHINE;
    }
    life_files life = { 0 };
    if (code == CLI_OK && arguments_has(args, "--life")) {
        code = begin_life(&life, &r, args, path);
    }
    bi_csv *csv = code == CLI_OK && path ? outfiles_begin_table(path, r.s.system) : NULL;
    code = code == CLI_OK && path && !csv ? CLI_MACHINE : code;
    if (code == CLI_OK) {
        replay_result result;
        cross_check cross = { 0 };
        interrupt_catch();
        simulate(&r, csv, &life, steps_per_row, &result);
        result.is_written = !csv || outfiles_end_table(csv, path);
        result.is_written = result.is_written && life_files_end(&life);
        result.verdict = bi_sim_verdict(r.s.sim);
        judgement_warn(&result.verdict);
        code = code_of(&r, &result);
        code = code == CLI_OK ? cross_check_of(args, src, request, &cross) : code;
        interrupt_release();
        code = code == CLI_OK ? judgement_code(result.verdict.outcome, args) : code;
        if (arguments_has(args, "--json")) {
            print_json(&r, &result, &cross, &life);
        } else if (!arguments_has(args, "--quiet")) {
            print_outcome(&r, &result);
            life_files_print(&life);
            cross_print(&cross);
        }
        cross_clear(&cross);
    }
    life_files_clear(&life);
    rerun_close(&r);
    return code;
}

// The drive itself in one line, behind what a page's address ends with.
static exit_code print_link(const rerun_source *src, int branch)
{
    char *link = rerun_link(&src->recording, branch);
    if (!link) {
        fprintf(stderr,
                "biela: error: '%s' is not one of the models that others have, too: give them the recording "
                "itself\n",
                bi_recording_note(&src->recording, "title"));
        return CLI_BAD;
    }
    printf("#%s\n", link);
    free(link);
    return CLI_OK;
}

static exit_code run_replay(const arguments *args)
{
    session_request request;
    rerun_source src = { 0 };
    const char *branch = arguments_value(args, "--branch");
    exit_code code = session_request_make(args, &request) ? CLI_OK : CLI_BAD;
    if (code == CLI_OK) {
        code = rerun_open_source(args->word[0], branch ? atoi(branch) : -1, &src);
    }
    if (code == CLI_OK && arguments_has(args, "--link")) {
        code = print_link(&src, branch ? atoi(branch) : -1);
    } else if (code == CLI_OK && arguments_has(args, "--live")) {
        code = drive_show(&src, args, request.setting, request.n_setting);
    } else if (code == CLI_OK) {
        code = replay_with(args, &src, &request);
    }
    rerun_close_source(&src);
    session_request_clear(&request);
    return code;
}

static const option replay_options[] = {
    { "--set", "P=V",
      "the same manoeuvre with another parameter; hashes are not compared then" OPTION_REPEATABLE },
    { "--csv", "FILE", "write all channels, as CSV or HDF5" },
    { "--every", "H", "seconds between rows; default: each step" },
    LIFE_OPTION,
    { "--manoeuvre", "FILE.csv", "write the inputs over time, for `biela run --manoeuvre`" },
    { "--link", NULL, "print the drive as one line for an address; the page opens it, and so does replay" },
    { "--branch", "N", "timeline N: 0 is the first, each take-over begins another; default: the last" },
    { "--cross-check", NULL,
      "simulate it in the other formulation and with half the step, too: gaps of all channels, worst first" },
    { "--strict", NULL,
      "a doubtful verdict, or doubtful gaps of --cross-check, end with exit code 4 as bad ones do" },
    { "--live", NULL, "show it in the browser: scrub, play, take over" },
    { "--record", "FILE", "with --live: record what is driven after a take-over" },
    DRIVE_OPTIONS,
    { "--json", NULL, "what was found, as JSON on stdout" },
    { "--quiet", NULL, "only the exit code" },
};

const command command_replay = {
    .name = "replay",
    .words = "RECORDING",
    .summary = "simulate a recorded drive again and compare",
    .details =
        "Reads the model out of the recording, gives it the recorded inputs step by step, and compares the "
        "hashes of the\n"
        "state that were recorded on the way. Exit code 0: the same to the bit (or not comparable: other "
        "settings,\n"
        "other version); 1: not the same; 4: the drive judges itself bad, or --cross-check found bad gaps. A "
        "recording that was cut short is "
        "replayed as far as it goes. RECORDING may also be an address with #drive= in it, or a file that "
        "holds "
        "one: then the\n"
        "model is the one of that name here.",
    .example = "  biela drive pendulum-cart --headless --time 2 --record out/drive.biela\n"
               "  biela replay out/drive.biela\n"
               "  biela replay out/drive.biela --set L=1.5 --csv out/longer.csv\n"
               "  biela replay out/drive.biela --live",
    .min_words = 1,
    .max_words = 1,
    .options = replay_options,
    .n_option = sizeof replay_options / sizeof *replay_options,
    .run = run_replay,
};
