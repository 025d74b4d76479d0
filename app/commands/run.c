// SPDX-License-Identifier: MIT
/* run - a model from t = 0 to the end, results to a CSV file, a summary for people or for programs. */
#include "running/run.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/words.h"
#include "pictures/plotter.h"
#include "running/actions.h"
#include "running/checkpoint.h"
#include "running/cross.h"
#include "running/divergence.h"
#include "running/events.h"
#include "running/flexible/flex_files.h"
#include "running/judgement.h"
#include "running/provenance.h"
#include "running/run_files.h"
#include "running/run_loop.h"
#include "running/session.h"
#include <biela/names.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Everything a run knows about itself besides the session.
typedef struct {
    char *out;        // CSV file
    char *picture;    // plot of it; NULL: none was asked for or made
    words_list curve; // channels to plot
    record record;
    record_plan plan;               // checkpoints
    const char *restart;            // checkpoint to go on from; NULL: a new run
    char *saved;                    // where the state before a failed step is; NULL: nowhere
    const session_request *request; // of the run, to repeat it
    cross_what repeats;             // --cross-check, --verify
    cross_check cross;
    bi_verdict verdict;
    bool is_strict;  // doubtful is as bad as bad
    flex_files flex; // --vtu, --envelope, --life
    run_files files; // what was written
    bool is_quiet, is_json;
} run_job;

static exit_code run_exit_code(const record *rec)
{
    static const exit_code code[] = { [RECORD_DONE] = CLI_OK,
                                      [RECORD_STOPPED] = CLI_OK,
                                      [RECORD_FAILED] = CLI_NUMERICAL,
                                      [RECORD_NOT_FINITE] = CLI_NUMERICAL,
                                      [RECORD_NOT_WRITTEN] = CLI_MACHINE };
    exit_code ended = rec->status == BI_FULL ? CLI_MACHINE : code[rec->ending]; // no memory for what touches
    return rec->ending == RECORD_INTERRUPTED ? interrupt_code() : ended;
}

// What the user can try after a step of this run has failed.
static char *run_advice(const session *s, bi_status status)
{
    bool is_explicit = bi_scheme_is_explicit(s->run.scheme) && !s->is_kinematic;
    switch (status) {
    case BI_SINGULAR:
        return words_format(
            "give the named body mass or inertia, or constrain that motion; see `biela info %s`",
            s->short_name);
    case BI_NOT_CONVERGED:
    case BI_NOT_FINITE:
        return is_explicit
                   ? words_format("--scheme ali3p if the model is stiff, otherwise --dt %.3g", s->grid.dt / 4)
                   : words_format("a smaller step: --dt %.3g", s->grid.dt / 4);
    case BI_FULL: return words_format("give the program more memory, or the model fewer shapes that touch");
    default: return words_format("`biela check %s`", s->short_name);
    }
}

static void run_print_ending(const session *s, const run_job *job)
{
    const record *rec = &job->record;
    char *advice = run_advice(s, rec->status);
    if (rec->ending == RECORD_INTERRUPTED) {
        fprintf(stderr, "biela: interrupted at t = %.6g s; %s holds the rows so far\n", rec->t, job->out);
    } else if (rec->ending == RECORD_FAILED) {
        bi_divergence d;
        const char *failure = bi_sim_failure(s->sim);
        fprintf(stderr, "biela: error: the step after t = %.9g s failed: %s%s%s\n", rec->t,
                bi_status_text(rec->status), failure && *failure ? ": " : "", failure ? failure : "");
        if (bi_sim_divergence(s->sim, &d)) {
            divergence_print(s->sim, job->saved);
        } else {
            fprintf(stderr, "biela: to try: %s\n", advice);
        }
        fprintf(stderr, "biela: %s holds the rows so far\n", job->out);
    } else if (rec->ending == RECORD_NOT_FINITE) {
        record_print_lost(rec, s->sim);
        fprintf(stderr, "biela: to try: %s\nbiela: %s holds the rows before\n", advice, job->out);
    } else if (rec->ending == RECORD_NOT_WRITTEN) {
        run_files_explain(&job->files, job->out, rec->t);
    }
    free(advice);
}

static const char *run_scheme_name(const session *s)
{
    if (s->is_inverse || s->has_feedback) {
        return s->is_inverse ? "inverse" : "feedback, rk4";
    }
    return s->is_kinematic ? "kinematics" : bi_scheme_name(s->run.scheme);
}

static double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

static void run_print_summary(const session *s, const run_job *job)
{
    const record *rec = &job->record;
    const bi_statistics *n = &rec->last;
    const double length = rec->t - s->run.start_time; // s
    if (s->run.is_auto && !s->is_kinematic) {
        printf("%s: %.6g s in %" PRId64 " steps for a tolerance of %.3g, %s\n", bi_model_name(s->model),
               length, n->steps, s->run.tolerance, run_scheme_name(s));
    } else {
        printf("%s: %.6g s in %" PRId64 " steps of %.4g s, %s\n", bi_model_name(s->model), length, n->steps,
               s->grid.dt, run_scheme_name(s));
    }
    // a busy machine makes the clock run on while this program waits: both factors are told
    printf("  CPU time      %.3g s, %.3g x real time\n", rec->cpu, ratio(length, rec->cpu));
    printf("  wall clock    %.3g s, %.3g x real time\n", rec->wall, ratio(length, rec->wall));
    printf("  iterations    %.3g per step, %" PRId64 " step-overs, %" PRId64 " not converged\n",
           ratio((double)n->iterations, (double)n->steps), n->step_overs, n->unconverged);
    if (s->run.is_auto && !s->is_kinematic) {
        printf("  step lengths  %.3g to %.3g s, %" PRId64 " taken back, %" PRId64
               " kept in spite of their error\n",
               n->dt_smallest, n->dt_largest, n->rejected, n->forced);
    }
    printf("  violation     %.2e\n", rec->violation);
    printf("  energy drift  %.2e J\n", rec->energy_drift);
    if (job->files.has_table) {
        printf("  written       %s (%" PRId64 " rows, %d channels)\n", job->out, rec->rows,
               bi_channel_count(s->system));
    }
    run_files_print(&job->files);
    if (job->picture) {
        printf("  plot          %s\n", job->picture);
    }
    flex_files_print(&job->flex);
    printf("  verdict       %s\n", job->verdict.line);
    cross_print(&job->cross);
}

static void run_json_summary(const session *s, const run_job *job, exit_code code)
{
    const record *rec = &job->record;
    const bi_statistics *n = &rec->last;
    char *hash = words_format("%016" PRIx64, bi_sim_hash(s->sim));
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_text(&j, "ending", record_ending_name(rec));
    if (rec->ending == RECORD_FAILED) {
        json_text(&j, "failure", bi_sim_failure(s->sim));
    }
    divergence_json(&j, s->sim, job->saved);
    judgement_json(&j, &job->verdict);
    cross_json(&j, &job->cross);
    if (rec->channel) {
        json_text(&j, "channel", rec->channel);
    }
    json_text(&j, "model", s->short_name);
    json_text(&j, "name", bi_model_name(s->model));
    json_text(&j, "file", s->path);
    json_text(&j, "scheme", run_scheme_name(s));
    json_text(&j, "manoeuvre", s->run.manoeuvre[0] ? s->run.manoeuvre : NULL);
    json_number(&j, "time", rec->t);
    json_number(&j, "dt", s->grid.dt);
    json_integer(&j, "steps", n->steps);
    json_number(&j, "cpu_time", rec->cpu);
    json_number(&j, "wall_time", rec->wall);
    json_number(&j, "real_time_factor_cpu", ratio(rec->t, rec->cpu));
    json_number(&j, "real_time_factor_wall", ratio(rec->t, rec->wall));
    json_integer(&j, "iterations", n->iterations);
    json_number(&j, "iterations_per_step", ratio((double)n->iterations, (double)n->steps));
    json_integer(&j, "factors", n->factors);
    json_integer(&j, "step_overs", n->step_overs);
    json_integer(&j, "unconverged", n->unconverged);
    if (s->run.is_auto) {
        json_number(&j, "tolerance", s->run.tolerance);
        json_integer(&j, "rejected", n->rejected);
        json_integer(&j, "kept_in_spite", n->forced);
        json_number(&j, "dt_smallest", n->dt_smallest);
        json_number(&j, "dt_largest", n->dt_largest);
    }
    json_number(&j, "violation", rec->violation);
    json_number(&j, "violation_rate", n->violation_rate);
    json_number(&j, "violation_acceleration", n->violation_acceleration);
    json_number(&j, "energy_drift", rec->energy_drift);
    json_integer(&j, "rows", rec->rows);
    json_integer(&j, "channels", bi_channel_count(s->system));
    record_json_pulls(&j, rec);
    json_text(&j, "out", job->files.has_table ? job->out : NULL);
    json_text(&j, "plot", job->picture);
    run_files_json(&j, &job->files);
    flex_files_json(&j, &job->flex);
    json_text(&j, "hash", hash);
    json_text(&j, "version", bi_version());
    json_text(&j, "build", bi_build_name());
    events_json(&j, s->sim);
    session_json_messages(&j, &s->report);
    json_end(&j);
    free(hash);
}

// The channels of --plot must exist before the first step: a typing mistake must not cost a long run.
static bool run_check_curves(const session *s, const words_list *curve)
{
    bool is_right = true;
    for (int k = 0; k < curve->count; k++) {
        is_right = session_channel(s, curve->name[k]).i != 0 && is_right;
    }
    return is_right;
}

static void run_plot(const session *s, run_job *job)
{
    bi_report report = { 0 };
    bi_table table;
    char *picture = file_with_ending(job->out, ENDING_PICTURE);
    if (!bi_table_read(job->out, &table, &report)) {
        bi_report_print(&report, stderr);
        bi_report_clear(&report);
        run_files_miss(&job->files, picture);
        free(picture);
        return;
    }
    const char **unit = words_alloc((size_t)job->curve.count * sizeof *unit);
    for (int k = 0; k < job->curve.count; k++) {
        unit[k] = bi_channel_unit(s->system, bi_find_channel(s->system, job->curve.name[k]));
    }
    plot_request request = { .table = &table,
                             .title = bi_model_name(s->model),
                             .out = picture,
                             .x = "t",
                             .x_unit = "s",
                             .n_curve = job->curve.count,
                             .name = job->curve.name,
                             .unit = unit };
    plot_result result = plot_write(&request);
    if (result == PLOT_WRITTEN) {
        job->picture = picture;
    } else {
        fprintf(stderr, "biela: warning: the results are in %s, but there is no plot\n", job->out);
        if (result == PLOT_FAILED) {
            run_files_miss(&job->files, picture);
        }
        free(picture);
    }
    free(unit);
    bi_table_clear(&table);
    bi_report_clear(&report);
}

// The state before the failed step, as a checkpoint that --restart takes.
static void run_save_state(const session *s, run_job *job)
{
    if (bi_outfile_is_stream(job->out)) {
        return; // a device has no place beside it, and its rows cannot be cut
    }
    char *path = file_with_ending(job->out, ENDING_STATE);
    checkpoint c = { .step = job->record.step, .csv_bytes = job->record.csv_bytes, .so_far = job->record };
    if (checkpoint_write(path, &c, s->sim)) {
        job->saved = path;
    } else {
        free(path);
    }
}

// A run that never started, for programs that wait for an object.
static void run_json_refusal(const session *s, exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", false);
    json_integer(&j, "exit_code", code);
    json_text(&j, "ending", "not started");
    session_json_messages(&j, &s->report);
    json_end(&j);
}

// What reads the results again, or cuts them, needs a file that can do so.
static bool run_check_out(const run_job *job, const arguments *args)
{
    static const char *const option[] = { "--checkpoint", "--restart", "--plot", "--vtu", "--life" };
    if (file_is_folder(job->out)) {
        fprintf(stderr, "biela: error: --out %s is a folder; name a file in it\n", job->out);
        return false;
    }
    // what they hold of the rows before is nowhere: a part would look like the whole
    static const char *const of_all_rows[] = { "--envelope", "--vtu", "--life" };
    for (size_t k = 0; k < sizeof of_all_rows / sizeof *of_all_rows && arguments_has(args, "--restart");
         k++) {
        if (arguments_has(args, of_all_rows[k])) {
            fprintf(stderr,
                    "biela: error: %s needs all rows of the run, and --restart goes on in its middle; leave "
                    "one of "
                    "them out\n",
                    of_all_rows[k]);
            return false;
        }
    }
    for (size_t k = 0; k < sizeof option / sizeof *option && bi_outfile_is_stream(job->out); k++) {
        if (arguments_has(args, option[k])) {
            fprintf(stderr, "biela: error: %s needs a plain file as --out, and %s is a device or a pipe\n",
                    option[k], job->out);
            return false;
        }
    }
    return true;
}

// The file of results, open for the first row, or for the one after the checkpoint. Otherwise it is told why not.
static exit_code run_open_table(session *s, run_job *job, const arguments *args, bi_csv **table)
{
    bi_report report = { 0 };
    checkpoint from = { 0 };
    if (!run_files_claim(args, job->out) || !run_check_out(job, args)) {
        return CLI_BAD;
    }
    if (!file_make_folders(job->out)) {
        return CLI_MACHINE;
    }
    if (job->restart && !checkpoint_read(job->restart, &from, s->sim)) {
        return CLI_BAD;
    }
    bi_csv *csv = job->restart ? bi_csv_resume(job->out, s->system, from.csv_bytes, from.so_far.mark, &report)
                               : bi_csv_create(job->out, s->system, &report);
    if (job->restart) {
        job->plan.is_resumed = true;
        job->plan.from = from.step;
        job->plan.balance_start = from.balance_start;
        job->plan.so_far = from.so_far;
    }
    // a file that is continued has its provenance already: the checkpoint knows that it is the same run
    if (csv && !job->restart && !provenance_write(csv, s, args)) {
        bi_report_add(&report, BI_ERROR, BI_BAD_FILE, (bi_place){ job->out, 0, 0 }, "",
                      "cannot be written: %s", bi_csv_failure(csv));
        bi_csv_discard(csv);
        csv = NULL;
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    *table = csv;
    return csv ? CLI_OK : CLI_MACHINE;
}

// Everything that belongs to the table gets its name with it, or none. `actions` is the file of inverse.
static void run_end_files(session *s, run_job *job, bi_csv *csv, const char *actions)
{
    run_files *files = &job->files;
    run_files_end_table(files, csv, job->out, &job->record);
    if (files->has_table) {
        (void)flex_files_end(&job->flex);
    } else {
        flex_files_drop(&job->flex);
        bi_outfile_discard(s->actions);
        s->actions = NULL;
    }
    for (int k = 0; k < FLEX_FILES; k++) {
        if (flex_files_missing(&job->flex, k)) {
            run_files_miss(files, flex_files_missing(&job->flex, k));
        }
    }
    if (s->is_inverse && actions && (!files->has_table || !actions_end(s))) {
        run_files_miss(files, actions);
    }
    if (job->record.lost_checkpoint) {
        run_files_miss(files, job->plan.path);
    }
    if (files->has_table && !bi_outfile_is_stream(job->out)) {
        char *events = file_with_ending(job->out, ENDING_EVENTS);
        if (!events_write(s->sim, events)) {
            run_files_miss(files, events);
        }
        free(events);
    }
}

// What the run thinks of itself; HDF5 files carry it. An imposed motion makes no steps to judge.
static void run_find_verdict(const session *s, run_job *job, bi_csv *csv)
{
    if (s->is_inverse || s->has_feedback) {
        snprintf(job->verdict.line, sizeof job->verdict.line, "not judged: the motion is imposed");
        return;
    }
    job->verdict = bi_sim_verdict(s->sim);
    if (job->record.ending == RECORD_NOT_FINITE) {
        judgement_condemn(&job->verdict, job->record.channel, job->record.t);
    }
    // a note that cannot be written is a file that cannot be written, which its end tells
    (void)bi_csv_note(csv, "verdict", bi_outcome_name(job->verdict.outcome));
    (void)bi_csv_note(csv, "verdict_line", job->verdict.line);
}

// A good verdict is one of the steps; what became of the results is another matter.
static void run_qualify_verdict(run_job *job)
{
    bool is_cut = job->record.ending == RECORD_INTERRUPTED;
    if (job->files.n_missing > 0 || is_cut) {
        size_t used = strlen(job->verdict.line);
        snprintf(job->verdict.line + used, sizeof job->verdict.line - used,
                 "; but the results are incomplete: %s",
                 is_cut ? "the run was interrupted" : "not everything is written");
    }
}

// On stderr, and beside the table.
static void run_print_verdict(run_job *job)
{
    judgement_warn(&job->verdict);
    if (job->files.has_table && job->verdict.count > 0 && !bi_outfile_is_stream(job->out)) {
        char *path = file_with_ending(job->out, ENDING_VERDICT);
        if (!judgement_write(path, &job->verdict)) {
            run_files_miss(&job->files, path);
        }
        free(path);
    }
}

static exit_code run_judge(const session *s, run_job *job)
{
    exit_code code = run_exit_code(&job->record);
    if (job->repeats != CROSS_NOTHING && code == CLI_OK &&
        !cross_run(s, job->request, job->repeats, &job->cross)) {
        code = interrupt_asked() ? interrupt_code() : CLI_NUMERICAL;
    }
    bi_outcome worst = job->verdict.outcome > job->cross.outcome ? job->verdict.outcome : job->cross.outcome;
    if (code == CLI_OK && (worst == BI_BAD || (job->is_strict && worst == BI_DOUBTFUL))) {
        code = CLI_DOUBT;
    }
    return code == CLI_OK && job->files.n_missing > 0 ? CLI_MACHINE : code;
}

// Steps and writes; the files are complete and closed afterwards, however the run ended.
static exit_code run_simulate(session *s, run_job *job, const arguments *args)
{
    bi_csv *csv = NULL;
    exit_code code = run_open_table(s, job, args, &csv);
    if (code == CLI_OK && !flex_files_begin(&job->flex, s, args, job->out, &job->plan)) {
        bi_csv_discard(csv);
        code = CLI_BAD;
    }
    if (code != CLI_OK) {
        if (job->is_json) {
            run_json_refusal(s, code);
        }
        return code;
    }
    interrupt_catch();
    record_run(s, csv, job->is_quiet ? RECORD_SILENTLY : RECORD_WITH_PROGRESS, &job->plan, &job->record);
    run_find_verdict(s, job, csv);
    run_end_files(s, job, csv, arguments_value(args, "--actions"));
    run_qualify_verdict(job);
    if (job->record.ending == RECORD_FAILED) {
        run_save_state(s, job);
    }
    run_print_ending(s, job);
    record_print_pulls(&job->record);
    run_print_verdict(job);
    if (job->curve.count > 0 && job->record.ending == RECORD_DONE) {
        run_plot(s, job);
    }
    code = run_judge(s, job);
    interrupt_release();
    if (job->is_json) {
        run_json_summary(s, job, code);
    } else if (!job->is_quiet) {
        run_print_summary(s, job);
    }
    return code;
}

static bool run_seconds(session *s, const char *text, double *value)
{
    return bi_model_number(s->model, text, "s", "--every-seconds", value, &s->report) && *value >= 0.0;
}

static exit_code run_session(session *s, const arguments *args, const session_request *request)
{
    const char *out = arguments_value(args, "--out");
    const char *plot = arguments_value(args, "--plot");
    run_job job = { .out = out ? words_format("%s", out) : words_format("out/%s.csv", s->short_name),
                    .curve = words_split(plot ? plot : "", ','),
                    .is_quiet = arguments_has(args, "--quiet"),
                    .is_json = arguments_has(args, "--json"),
                    .restart = arguments_value(args, "--restart"),
                    .request = request,
                    .repeats = arguments_has(args, "--cross-check") ? CROSS_ALL
                               : arguments_has(args, "--verify")    ? CROSS_STEP
                                                                    : CROSS_NOTHING,
                    .is_strict = arguments_has(args, "--strict"),
                    .plan = { .path = arguments_value(args, "--checkpoint"), .seconds = 60.0 } };
    const char *seconds = arguments_value(args, "--every-seconds");
    exit_code code = CLI_BAD;
    if (seconds && (!job.plan.path || !run_seconds(s, seconds, &job.plan.seconds))) {
        fputs("biela: error: --every-seconds needs a time and --checkpoint FILE\n", stderr);
    } else if (!run_check_curves(s, &job.curve)) {
        if (job.is_json) {
            run_json_refusal(s, code);
        }
    } else {
        code = run_simulate(s, &job, args);
    }
    free(job.out);
    free(job.picture);
    free(job.saved);
    cross_clear(&job.cross);
    flex_files_clear(&job.flex);
    run_files_clear(&job.files);
    words_list_clear(&job.curve);
    return code;
}

exit_code run_command(const arguments *args, run_manner manner)
{
    session s = { 0 };
    session_request request;
    exit_code code = CLI_BAD;
    if (session_request_make(args, &request)) {
        request.takes_image = manner == RUN_DYNAMICS;
        request.actions = manner == RUN_DYNAMICS ? arguments_value(args, "--actions") : NULL;
        code = session_open(&s, &request);
        if (code == CLI_OK && manner == RUN_KINEMATICS) {
            s.is_kinematic = true;
            code = bi_kinematics_check(s.sim, &s.report) == BI_OK ? CLI_OK : CLI_BAD;
        } else if (code == CLI_OK) {
            code = manner == RUN_INVERSE ? actions_begin_inverse(&s, args) : actions_begin(&s, args);
        }
        session_print_messages(&s);
        if (code == CLI_OK) {
            code = run_session(&s, args, &request);
        } else if (arguments_has(args, "--json")) {
            run_json_refusal(&s, code);
        }
    }
    session_close(&s);
    session_request_clear(&request);
    return code;
}

static exit_code run_run(const arguments *args) { return run_command(args, RUN_DYNAMICS); }

static const option options[] = {
    SESSION_OPTIONS,
    RUN_OPTION("time"),
    RUN_OPTION("dt"),
    RUN_OPTION("every"),
    RUN_OPTION("sleep"),
    RUN_OPTION("threads"),
    RUN_STEP_OPTIONS,
    RUN_OPTION("start_time"),
    RUN_OPTION("start"),
    RUN_OPTION("formulation"),
    RUN_OPTION("manoeuvre"),
    { "--actions", "FILE.csv", "values of the model's actions over its column t, joined by a cubic spline" },
    { "--follow", "T", "follow the imposed motion until T, then let go; --time is counted from there" },
    { "--offset", "A=x,B=y", "start beside the imposed motion: added to imposed and held coordinates" },
    { "--feedback", "KP,KV", "steer the actions to the imposed motion (computed torque)" },
    { "--out", "FILE.csv",
      "results, or FILE.h5 (HDF5 with units, model and settings); default out/MODEL.csv" },
    { "--plot", "A,B", "channels to plot into FILE" ENDING_PICTURE " (needs gnuplot)" },
    { "--vtu", NULL,
      "flexible bodies with their stress at each row into FILE" ENDING_FRAMES " and FILE-BODY-0000.vtu ..." },
    { "--envelope", "FILE.csv",
      "largest stress and extreme section forces of every element of flexible bodies" },
    LIFE_OPTION,
    { "--cross-check", NULL,
      "run again in the other formulation and with half the step: gaps of all channels, worst first" },
    { "--verify", NULL, "run again with half the step only and estimate the error of each channel" },
    { "--strict", NULL, "a doubtful verdict ends with exit code 4 as a bad one does" },
    { "--checkpoint", "FILE", "keep the state of the run here, to go on after a crash" },
    { "--every-seconds", "S", "time of the clock between checkpoints; default 60, 0: at each row" },
    { "--restart", "FILE", "go on from this checkpoint, with the command line of the run that made it" },
    { "--json", NULL, "the summary as one JSON object on stdout" },
    { "--quiet", NULL, "no summary, no progress line" },
};

const command command_run = {
    .name = "run",
    .words = "MODEL",
    .summary = "run a model, write its results to a CSV file",
    .details =
        "Rows are written at t = 0, at each multiple of --every, and at the end. When --every is not a "
        "whole\n"
        "number of steps, the step is shortened until it is. --time, --dt and --every may be expressions\n"
        "(1/60, 5 ms). Ctrl-C ends the run after the present step and leaves a valid file.",
    .example = "  biela run pendulum --time 5 --plot P.x,P.y\n"
               "  biela run four-bars --set N=40 --dt 2.5e-3 --out out/n40.csv --json",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_run,
};
