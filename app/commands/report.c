// SPDX-License-Identifier: MIT
/* report - a recorded drive, or a run, as one HTML page to read or print: what happened, pictures, plots, score; and the evidence: hashes,
 * error of the step, sensitivity of the outcome. */
#include "report/report.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "cli/words.h"
#include "running/judgement.h"
#include "running/outfiles.h"
#include <biela/verdict.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

// ---- the command -------------------------------------------------------------------------------------------------

static exit_code open_exercise(report *p)
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
                   (p->exercise &&
                    exercise_bind(p->exercise, p->source.model, p->base.s.model, p->base.s.system, &report));
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good ? CLI_OK : CLI_BAD;
}

static bool write_sections(report *p, double by)
{
    bool is_brief = arguments_has(p->args, "--brief");
    report_head(p);
    report_happened(p);
    report_exercise(p);
    report_map(p);
    report_plots(p);
    report_events(p);
    report_band(p);
    bool is_good = is_brief || report_sensitivity(p, by);
    report_verdict(p);
    if (!is_brief) {
        report_error(p);
    }
    report_identity(p);
    fputs("</body></html>\n", p->out);
    return is_good;
}

// ---- files: all of them are made in memory, and written at the end, or not at all ---------------------------------

typedef struct {
    char *path, *text;
    size_t size;
} page;
enum { PAGES = 2 };

static bool make_page(report *p, page *one, double by)
{
    p->out = open_memstream(&one->text, &one->size);
    if (!p->out) {
        fputs("biela: error: no memory for the page\n", stderr);
        return false;
    }
    bool is_good = write_sections(p, by);
    return fclose(p->out) == 0 && is_good;
}

static bool make_table(report *p)
{
    FILE *out = p->samples ? open_memstream(&p->table, &p->table_size) : NULL;
    if (out) {
        survey_put(&p->job.results, out);
    }
    return !p->samples || (out && fclose(out) == 0);
}

// All are on the disk before the first of them gets its name.
static bool write_files(report *p, const page *list, int n)
{
    bi_outfile *out[PAGES + 1] = { NULL };
    int opened = 0, bad = -1;
    for (; opened <= n && bad < 0; opened++) {
        bool is_page = opened < n;
        const char *path = is_page ? list[opened].path : p->samples;
        out[opened] = path ? outfiles_begin(path) : NULL;
        if (out[opened]) {
            fwrite(is_page ? list[opened].text : p->table, 1, is_page ? list[opened].size : p->table_size,
                   bi_outfile_file(out[opened]));
            (void)fflush(bi_outfile_file(out[opened]));
        }
        bad = path && (!out[opened] || bi_outfile_failure(out[opened])) ? opened : bad;
    }
    bool is_good = bad < 0 && report_keep_recording(p);
    for (int k = opened - 1; k >= 0; k--) {
        // the end of a file that failed tells why
        if (out[k] && (is_good || k == bad)) {
            is_good = outfiles_end(out[k]) && is_good;
        } else if (out[k]) {
            bi_outfile_discard(out[k]);
        }
    }
    if (is_good && p->job.journal) {
        remove(p->job.journal);
    }
    return is_good;
}

static bool take_part(const arguments *args, double *by)
{
    number_range part = { -1.0, 1.0, NUMBER_OF_ANY_KIND, "a part such as 0.01, -1 to 1" };
    *by = 0.01;
    bool is_good = option_number(args, "--by", part, by);
    if (is_good && *by == 0.0) {
        fputs("biela report: error: --by: 0 changes nothing; give a part such as 0.01\n", stderr);
    }
    return is_good && *by != 0.0;
}

// What the drive was, told by its hashes and its verdict.
static exit_code judge_drive(const report *p)
{
    if (p->made_at && !p->run.is_same) {
        fputs("biela: error: this run uses an option that a recording does not hold, and is not repeated\n",
              stderr);
        return CLI_MACHINE;
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

static exit_code write_pages(report *p, const char *other)
{
    page list[PAGES] = { { .path = p->path }, { .path = (char *)other } };
    int n = other ? 2 : 1;
    double by;
    bool is_good = take_part(p->args, &by) && make_table(p);
    if (is_good) {
        report_simulate(p);
    }
    for (int k = 0; k < n && is_good; k++) {
        if (k > 0) {
            spoken_close(&p->said);
            spoken_open(&p->said, p->source.model, SPOKEN_SPANISH);
        }
        is_good = make_page(p, &list[k], by);
    }
    // a page that was refused does not replace a good one
    exit_code code = !is_good ? CLI_BAD : write_files(p, list, n) ? judge_drive(p) : CLI_MACHINE;
    for (int k = 0; k < n; k++) {
        free(list[k].text);
    }
    return code;
}

// Who records holds a lock on the file as long as the drive goes on.
static bool is_being_written(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_so = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;
    if (fd >= 0) {
        close(fd);
    }
    return is_so;
}

// "both": a page in English, and one in Spanish beside it.
static bool choose_language(const arguments *args, spoken_language *language, bool *is_both)
{
    const char *word = arguments_value(args, "--language");
    *language = SPOKEN_ENGLISH;
    *is_both = word && strcmp(word, "both") == 0;
    if (!word || *is_both || spoken_language_of(word, language)) {
        return true;
    }
    fprintf(stderr, "biela report: error: --language: '%s' is neither en nor es nor both\n", word);
    return false;
}

static exit_code make_report(report *p, const char *other, spoken_language language)
{
    // a model of its own: that of the other runs gets their parameters
    session_kept *kept = p->source.kept;
    p->source.kept = NULL;
    exit_code code = rerun_open(&p->base, &p->source, NULL, 0, 1);
    p->source.kept = kept;
    session_print_messages(&p->base.s);
    if (code == CLI_OK) {
        spoken_open(&p->said, p->source.model, language);
        report_choose_body(p);
        code = report_choose_channels(p) ? open_exercise(p) : CLI_BAD;
        bool is_one = arguments_has(p->args, "--sample");
        if (code == CLI_OK && report_wants_samples(p)) {
            code = report_samples(p);
        }
        code = code == CLI_OK && !is_one ? write_pages(p, other) : code;
    }
    evidence_clear(&p->run);
    exercise_close(p->exercise);
    spoken_close(&p->said);
    free(p->shown);
    rerun_close(&p->base);
    return code;
}

// ---- what it is of -------------------------------------------------------------------------------------------------

// Options of a run mean nothing to a recording.
static bool fits_recording(const arguments *args)
{
    static const char *const of_runs[] = { "--run", "--set",    "--manoeuvre",  "--time",
                                           "--dt",  "--scheme", "--formulation" };
    bool is_good = true;
    for (size_t k = 0; k < sizeof of_runs / sizeof *of_runs; k++) {
        if (arguments_has(args, of_runs[k])) {
            fprintf(stderr,
                    "biela report: error: %s: %s is a recording, which is reported as it was; `biela replay` "
                    "changes it\n",
                    of_runs[k], args->word[0]);
            is_good = false;
        }
    }
    return is_good;
}

static exit_code open_recording(report *p)
{
    const char *word = p->args->word[0], *slash = strrchr(word, '/'),
               *branch = arguments_value(p->args, "--branch");
    p->name = word[0] == '#' ? NULL : slash ? slash + 1 : word;
    if (!fits_recording(p->args)) {
        return CLI_BAD;
    }
    exit_code code = rerun_open_source(word, branch ? atoi(branch) : -1, &p->source);
    p->is_running = code == CLI_OK && !p->source.recording.summary && is_being_written(word);
    return code;
}

static exit_code open_run(report *p)
{
    session_request request;
    exit_code code = CLI_BAD;
    const char *slash = strrchr(p->recording, '/');
    p->name = slash ? slash + 1 : p->recording;
    if (arguments_has(p->args, "--branch")) {
        fputs("biela report: error: --branch: a run has one timeline\n", stderr);
    } else if (session_request_make(p->args, &request)) {
        code = report_record(p, &request);
        session_request_clear(&request);
    } else {
        session_request_clear(&request);
    }
    return code;
}

// out/forklift-accident
static char *usual_name(const arguments *args)
{
    char *model = file_model_name(args->word[0]);
    const char *run = arguments_value(args, "--run");
    char *name = words_format("out/%s%s%s", model, run ? "-" : "", run ? run : "");
    free(model);
    return name;
}

// Every file that will be written, known before the work begins; `other` is the page in the second language.
static bool name_files(report *p, bool is_both, char **other)
{
    const char *out = arguments_value(p->args, "--out"), *word = p->args->word[0];
    bool is_recording = report_is_recording(word);
    char *name = is_recording ? words_format("%s", word) : usual_name(p->args);
    char *usual = is_recording ? file_with_ending(name, ENDING_PAGE) : words_format("%s" ENDING_PAGE, name);
    free(name);
    p->path = out ? words_format("%s", out) : words_format("%s", usual);
    free(usual);
    bool is_stream = bi_outfile_is_stream(p->path), needs_place = !is_recording || report_wants_samples(p);
    if (is_stream && (needs_place || is_both) && !arguments_has(p->args, "--sample")) {
        fprintf(stderr,
                "biela report: error: --out %s is a device or a pipe, and other files stand beside the page: "
                "name a plain file\n",
                p->path);
        return false;
    }
    p->recording = is_recording ? NULL : file_with_ending(p->path, ENDING_RECORDING);
    p->samples = report_wants_samples(p) ? file_with_ending(p->path, ENDING_SAMPLES) : NULL;
    *other = is_both ? file_with_ending(p->path, "-es" ENDING_PAGE) : NULL;
    char *journal = p->samples ? words_format("%s" ENDING_JOURNAL, p->samples) : NULL;
    claims *files = p->args->files;
    bool is_free = claims_write(files, "--out", p->path) &&
                   claims_write(files, "page in Spanish beside --out:", *other) &&
                   claims_write(files, "recording beside --out:", p->recording) &&
                   claims_write(files, "samples beside --out:", p->samples) &&
                   claims_write(files, "journal beside --out:", journal);
    free(journal);
    return is_free && (is_stream || file_make_folders(p->path));
}

static exit_code run_report(const arguments *args)
{
    report p = { .args = args };
    spoken_language language;
    bool is_both;
    char *other = NULL;
    claims_read(args->files, arguments_value(args, "--exercise"));
    exit_code code = CLI_BAD;
    if (choose_language(args, &language, &is_both) && name_files(&p, is_both, &other)) {
        code = p.recording ? open_run(&p) : open_recording(&p);
        code = code == CLI_OK ? make_report(&p, other, language) : code;
        bool is_told = !arguments_has(args, "--quiet") && !arguments_has(args, "--sample");
        if ((code == CLI_OK || code == CLI_DOUBT) && is_told) {
            printf("%s\n%s%s", p.path, other ? other : "", other ? "\n" : "");
        }
    }
    rerun_close_source(&p.source);
    report_forget_recording(&p);
    survey_clear(&p.job.plan);
    free(p.job.results.answer);
    free(p.job.results.is_done);
    free(p.job.journal);
    free(p.table);
    free(p.path);
    free(p.recording);
    free(p.samples);
    free(other);
    return code;
}

static const option report_options[] = {
    { "--out", "FILE" ENDING_PAGE, "the page; default: beside the recording" },
    { "--language", "en|es|both",
      "what the page speaks; default en; both: FILE" ENDING_PAGE " and FILE-es" ENDING_PAGE },
    { "--plot", "A,B", "channels to plot and to judge errors by; default: those of the model's `hud`" },
    { "--exercise", "FILE", "judge the drive by this exercise; default: the one it was driven in" },
    { "--vary", "P,Q",
      "parameters of the sensitivity; default: those set for the drive, then the first plain numbers, five "
      "in all" },
    { "--by", "X", "by which part they change, both ways; default 0.01" },
    { "--samples", "N",
      "would it have tipped over all the same? N times, parameters at random within their tolerances; their "
      "table is FILE" ENDING_SAMPLES },
    { "--spread", "P=D",
      "with --samples: in the place of P's tolerance: uniform(low,high) normal(mean,sd) "
      "truncated(mean,sd,low,high) triangular(low,mode,high) lognormal(median,sigma)" OPTION_REPEATABLE },
    { "--seed", "K", "another set of samples; default 1" },
    { "--sample", "K",
      "only the sample of this number, alone: its row, with the same hash, on the standard output" },
    { "--jobs", "N",
      "processes that do the samples; default one per core. The result does not depend on it" },
    { "--fresh", NULL, "forget the samples that an interrupted report has done" },
    SESSION_OPTIONS,
    RUN_OPTION("manoeuvre"),
    RUN_OPTION("time"),
    RUN_OPTION("dt"),
    RUN_OPTION("scheme"),
    RUN_OPTION("formulation"),
    { "--strict", NULL, "a doubtful verdict ends with exit code 4 as a bad one does" },
    { "--brief", NULL, "without error estimate and sensitivity, which simulate several times" },
    { "--branch", "N", "timeline N; default: the last" },
    { "--quiet", NULL, "do not print the name of the page" },
};

const command command_report = {
    .name = "report",
    .words = "RECORDING|MODEL",
    .summary = "a recorded drive, or a run, as a page with pictures, plots, score and evidence",
    .details = "Simulates the recording again and writes one HTML file, to read or to print on A4: what "
               "happened, with\n"
               "pictures of the key moments; inputs and readings over time, the path, events, the score of "
               "the exercise;\n"
               "and what a reader needs to believe it: how the outcome changes with parameters, the error of "
               "the step by\n"
               "halving it, versions, hashes, parameters. With --samples, how surely it would have tipped "
               "over, and at which\n"
               "speed, when all that is known within a tolerance only is as it may have been. A MODEL is run "
               "with its\n"
               "manoeuvre first, and the recording of that is kept beside the page.",
    .example = "  biela drive pendulum-cart --headless --time 2 --record out/drive.biela\n"
               "  biela report out/drive.biela --vary L,m\n"
               "  biela report forklift --run accident --samples 1000 --language both",
    .min_words = 1,
    .max_words = 1,
    .options = report_options,
    .n_option = sizeof report_options / sizeof *report_options,
    .run = run_report,
};
