// SPDX-License-Identifier: MIT
/* sweep - many runs of a model in parallel: grids, bisections, random samples. */
#define _POSIX_C_SOURCE 200809L
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "study/cluster.h"
#include "sweep/sweep_job.h"
#include <biela/batch.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- options ----------------------------------------------------------------------------------------------------------

static bool take_levels(const arguments *args, survey_levels *levels)
{
    const char *quantiles = arguments_value(args, "--quantiles");
    levels->level = words_split(quantiles ? quantiles : "0.05,0.5,0.95", ',');
    levels->confidence = 0.95;
    bool is_good = levels->level.count > 0;
    for (int k = 0; k < levels->level.count; k++) {
        char *end;
        double p = strtod(levels->level.name[k], &end);
        is_good = is_good && end != levels->level.name[k] && !*end && p > 0.0 && p < 1.0;
    }
    if (!is_good) {
        fprintf(stderr,
                "biela sweep: error: --quantiles %s: numbers between 0 and 1, such as 0.05,0.5,0.95\n",
                quantiles);
    }
    is_good = option_number(args, "--confidence", NUMBER_SHARE, &levels->confidence) && is_good;
    return is_good;
}

static bool take_workers(const arguments *args, int *n_worker)
{
    double n = 0.0;
    number_range processes = { 1.0, 1024.0, NUMBER_WHOLE, "the number of processes, 1 to 1024" };
    if (!option_number(args, "--jobs", processes, &n)) {
        return false;
    }
    *n_worker = (int)n;
    return true;
}

// Who does the cases: processes, the ranks of mpirun, or a device of batches. Whoever it is, the file is the same.
static bool take_device(const arguments *args, sweep_job *job)
{
    static const char *const own[] = { "threads", "mpi" };
    const char *device = arguments_value(args, "--device");
    bool has_ranks = cluster_here()->net != NULL, is_own = !device, is_known = !device;
    for (size_t k = 0; device && k < sizeof own / sizeof *own; k++) {
        is_own = is_own || strcmp(device, own[k]) == 0;
    }
    for (int k = 0; device && bi_batch_device_name(k); k++) {
        is_known = is_known || strcmp(device, bi_batch_device_name(k)) == 0;
    }
    job->device = is_own ? NULL : device;
    if (!is_own && !is_known) {
        fprintf(stderr, "biela sweep: --device %s: there are threads, mpi", device);
        for (int k = 1; bi_batch_device_name(k); k++) {
            fprintf(stderr, ", %s", bi_batch_device_name(k));
        }
        fputs("\n", stderr);
        return false;
    }
    bool asks_ranks = device && strcmp(device, "mpi") == 0;
    if (device && has_ranks && !asks_ranks) {
        fprintf(stderr, "biela sweep: --device %s: mpirun started this; leave mpirun or the option out\n",
                device);
    } else if (asks_ranks && !has_ranks) {
        fputs("biela sweep: --device mpi: start it as mpirun -n N biela sweep ..., with 2 ranks at least\n",
              stderr);
    }
    return !device || has_ranks == asks_ranks;
}

// Everything the numbers depend on, in one line: the model with its hash, and the options that change a run.
static char *signature_of(const sweep_job *job, const arguments *args)
{
    static const char *const free_options[] = { "--out",    "--jobs",      "--quiet",      "--json",
                                                "--plot",   "--quantiles", "--confidence", "--fresh",
                                                "--strict", "--device" };
    char *text = words_format("%s %016" PRIx64, args->word[0], bi_system_hash(job->first.system));
    for (int k = 0; k < args->n_given; k++) {
        bool is_free = false;
        for (size_t f = 0; f < sizeof free_options / sizeof *free_options; f++) {
            is_free = is_free || strcmp(args->given[k].option->name, free_options[f]) == 0;
        }
        if (!is_free) {
            const char *value = args->given[k].value;
            char *longer = words_format("%s %s%s%s", text, args->given[k].option->name, value ? " " : "",
                                        value ? value : "");
            free(text);
            text = longer;
        }
    }
    for (char *c = text; *c; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    return text;
}

// ---- all of it --------------------------------------------------------------------------------------------------------

static exit_code finish(sweep_job *job, const arguments *args)
{
    job->has_table = survey_write(&job->results, job->out);
    job->has_summary =
        job->summary && job->has_table && survey_write_summary(&job->results, &job->levels, job->summary);
    bool is_written = job->has_table && (job->has_summary || !job->summary);
    if (is_written && job->journal) {
        remove(job->journal);
    }
    exit_code code = sweep_judge(job);
    if (arguments_has(args, "--plot") && code == CLI_OK && is_written) {
        char *picture = file_with_ending(job->out, ENDING_PICTURE);
        plot_result result = survey_plot(&job->results, &job->levels, &job->first, picture);
        if (result == PLOT_WRITTEN) {
            job->picture = picture;
        } else {
            free(picture);
        }
        is_written = result != PLOT_FAILED;
    }
    exit_code doubt = sweep_judge_runs(job, args);
    code = code == CLI_OK && !is_written ? CLI_MACHINE : code;
    code = code == CLI_OK ? doubt : code;
    if (job->is_json) {
        sweep_json_result(job, code);
        job->is_printed = true;
    } else if (!job->is_quiet) {
        sweep_print_result(job);
    }
    return code;
}

// One case of all, alone: its row goes to the standard output, or to --out; nothing else is written.
static exit_code do_one_case(sweep_job *job, const arguments *args)
{
    survey_results *r = &job->results;
    double number = 0.0;
    char message[POOL_MESSAGE] = "", of[80];
    snprintf(of, sizeof of, "the number of a case, 0 to %" PRId64, r->n_case - 1);
    number_range cases = { 0.0, (double)r->n_case - 1.0, NUMBER_WHOLE, of };
    if (!option_number(args, "--case", cases, &number)) {
        return CLI_BAD;
    }
    const char *out = arguments_value(args, "--out");
    if (out && !(claims_write(args->files, "--out", out) && ending_fits("--out", out, ENDING_TEXT))) {
        return CLI_BAD;
    }
    r->only = (int64_t)number;
    r->answer = words_alloc((size_t)survey_answer_size(&job->plan) * sizeof *r->answer);
    survey_work(&job->plan, &number, r->answer, message);
    if (message[0]) {
        fprintf(stderr, "biela sweep: case %" PRId64 ": %s\n", r->only, message);
    }
    if (!survey_write(r, out ? out : "/dev/stdout")) {
        return CLI_MACHINE;
    }
    double status = r->answer[SURVEY_STATUS], verdict = r->answer[SURVEY_VERDICT];
    bool is_done = status == SURVEY_DONE || status == SURVEY_ALWAYS || status == SURVEY_NEVER;
    bool is_bad = verdict == BI_BAD || (verdict == BI_DOUBTFUL && arguments_has(args, "--strict"));
    return !is_done ? CLI_NUMERICAL : is_bad ? CLI_DOUBT : CLI_OK;
}

static exit_code sweep_model(sweep_job *job, const arguments *args)
{
    exit_code code = survey_try(&job->plan, &job->first);
    if (code != CLI_OK) {
        return code;
    }
    const char *out = arguments_value(args, "--out");
    job->out = out ? words_format("%s", out) : words_format("out/%s-sweep.csv", job->first.short_name);
    // what goes into a device or a pipe has no place beside it
    bool has_place = !bi_outfile_is_stream(job->out);
    job->summary = has_place && job->plan.n_sample > 0 ? file_with_ending(job->out, ENDING_SUMMARY) : NULL;
    job->journal = has_place ? words_format("%s" ENDING_JOURNAL, job->out) : NULL;
    survey_results *r = &job->results;
    *r = (survey_results){ .plan = &job->plan, .n_case = survey_case_count(&job->plan), .only = -1 };
    if (arguments_value(args, "--case")) {
        return job->is_helper ? CLI_OK : do_one_case(job, args);
    }
    if (job->is_helper) {
        pool_task task = { survey_work, &job->plan, 1, survey_answer_size(&job->plan) };
        pool_open(&task, 0, &code);
        return code;
    }
    if (!has_place && arguments_has(args, "--plot")) {
        fprintf(stderr,
                "biela sweep: error: --plot needs a plain file as --out, and %s is a device or a pipe\n",
                job->out);
        return CLI_BAD;
    }
    bool is_free = claims_write(args->files, "--out", job->out) &&
                   ending_fits("--out", job->out, ENDING_TEXT) &&
                   claims_write(args->files, "summary beside --out:", job->summary) &&
                   claims_write(args->files, "journal beside --out:", job->journal);
    if (is_free && arguments_has(args, "--plot")) {
        is_free = claims_write_beside(args->files, "--plot", job->out, ENDING_PICTURE);
    }
    if (!is_free) {
        return CLI_BAD;
    }
    if (file_is_folder(job->out)) {
        fprintf(stderr, "biela sweep: error: --out %s is a folder; name a file in it\n", job->out);
        return CLI_BAD;
    }
    if (!file_make_folders(job->out)) {
        return CLI_MACHINE;
    }
    r->answer = words_alloc((size_t)r->n_case * (size_t)survey_answer_size(&job->plan) * sizeof *r->answer);
    r->is_done = words_alloc((size_t)r->n_case);
    if (arguments_has(args, "--fresh") && job->journal) {
        remove(job->journal);
    }
    sweep_note_files(job);
    char *signature = signature_of(job, args);
    code = sweep_do(job, signature);
    free(signature);
    return code == CLI_OK ? finish(job, args) : code;
}

static exit_code run_sweep(const arguments *args)
{
    sweep_job job = { .who = "biela sweep",
                      .work = survey_work,
                      .is_quiet = arguments_has(args, "--quiet"),
                      .is_json = arguments_has(args, "--json"),
                      .message_of = -1,
                      .verdict_of = -1 };
    exit_code code = cluster_join(&job.is_helper);
    if (code != CLI_OK) {
        return code;
    }
    bool is_good = survey_make(args, &job.plan);
    is_good = take_levels(args, &job.levels) && take_workers(args, &job.n_worker) &&
              take_device(args, &job) && is_good;
    code = is_good ? sweep_model(&job, args) : CLI_BAD;
    if (code != CLI_OK && job.is_json && !job.is_printed && !job.is_helper) {
        printf("{\"ok\": false, \"exit_code\": %d}\n", (int)code);
    }
    cluster_leave();
    session_close(&job.first);
    survey_clear(&job.plan);
    words_list_clear(&job.levels.level);
    free(job.results.answer);
    free(job.results.is_done);
    free(job.out);
    free(job.summary);
    free(job.journal);
    free(job.picture);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--grid", "P=A:B:STEP",
      "parameter P from A to B, or P=a,b,c; several grids are nested" OPTION_REPEATABLE },
    { "--bisect", "P=A:B:TOL",
      "the value of P between A and B at which --until begins to happen, within TOL" },
    { "--until", "EVENT", "an event of the model, or a condition such as 'tilt.angle > 0.5': ends a run" },
    { "--random", "N", "samples of the varied parameters at each point of the grids" },
    { "--vary", "P=D",
      "D: uniform(low,high) normal(mean,sd) truncated(mean,sd,low,high) triangular(low,mode,high) "
      "lognormal(median,sigma)" OPTION_REPEATABLE },
    { "--seed", "K", "another set of samples; default 1" },
    { "--record", "WHAT",
      "final:CHANNEL, max:CHANNEL, min:CHANNEL, mean:CHANNEL, time:EVENT, separated by "
      "commas" OPTION_REPEATABLE },
    { "--quantiles", "A,B", "of the samples, in FILE" ENDING_SUMMARY "; default 0.05,0.5,0.95" },
    { "--confidence", "C", "of the intervals beside them; default 0.95" },
    RUN_OPTION("time"),
    RUN_OPTION("dt"),
    { "--every", "D", "with --dt auto: instants at which channels are looked at, s" },
    RUN_STEP_OPTIONS,
    RUN_OPTION("start_time"),
    RUN_OPTION("start"),
    RUN_OPTION("formulation"),
    RUN_OPTION("manoeuvre"),
    { "--device", "WHERE",
      "threads: the cores of this machine, a process each, so that one that ends leaves the others "
      "(default); "
      "mpi: the ranks of mpirun (default there); gpu, or another device of batches: many cases at a time in "
      "one process, where "
      "it takes the model (biela info MODEL --batch). The result does not depend on it" },
    { "--jobs", "N", "processes; default one per core. The result does not depend on it" },
    { "--case", "K",
      "only the case of this number, alone: its row, with the same hash, on the standard output" },
    { "--out", "FILE.csv", "one row per case; default out/MODEL-sweep.csv" },
    { "--fresh", NULL, "forget what an interrupted sweep has done" },
    { "--plot", NULL,
      "FILE" ENDING_PICTURE ": map of two grids, curve of one, distribution without (needs gnuplot)" },
    { "--strict", NULL, "a doubtful verdict of a case ends with exit code 4 as a bad one does" },
    { "--json", NULL, "the summary as one JSON object on stdout" },
    { "--quiet", NULL, "no summary, no progress" },
};

const command command_sweep = {
    .name = "sweep",
    .words = "MODEL",
    .summary = "run a model over grids and random samples of its parameters",
    .details =
        "A case is a point of the grids and a sample. Each case is a run, or with --bisect as many as it "
        "takes to\n"
        "find the value of a parameter at which the event of --until begins (or ceases) to happen. Numbers "
        "are in\n"
        "the parameter's own unit. Random values depend on the seed, the parameter's name and the number of "
        "the\n"
        "sample only. With --random, FILE" ENDING_SUMMARY " has quantiles with their confidence intervals.\n"
        "Finished cases are kept in FILE.csv" ENDING_JOURNAL
        ": the same command goes on after Ctrl-C or a kill, and "
        "the file is\n"
        "the same, byte for byte, as without, and with any number of processes or ranks of mpirun.\n"
        "The column status is 0 when a value was found, 1 and 2 when the event happens at both ends of the "
        "range or\n"
        "at neither, 3 when a run failed, 4 when the model refused the values, 5 when the process ended.\n"
        "The column verdict is what the runs of the case think of themselves, the worst of them: 0 good, 1 "
        "doubtful,\n"
        "2 bad, empty without a run. A bad one ends with exit code 4.",
    .example =
        "  biela sweep pendulum --grid L=0.5:2:0.5 --record max:P.x --time 2 --out out/lengths.csv\n"
        "  biela sweep block --bisect a=1:5:0.01 --until tips --random 200 --vary 'mu=normal(0.7,0.05)'\n"
        "  mpirun -n 5 biela sweep pendulum --grid L=0.5:2:0.01 --record max:P.x --time 2",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_sweep,
};
