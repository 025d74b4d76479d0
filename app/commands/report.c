// SPDX-License-Identifier: MIT
/* report - a recorded drive as one HTML page to read or print: what happened, pictures, plots, score; and the evidence: hashes,
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

static bool write_text(const char *path, const char *text, size_t length)
{
    bi_outfile *output = outfiles_begin(path);
    if (!output) {
        return false;
    }
    fwrite(text, 1, length, bi_outfile_file(output));
    return outfiles_end(output);
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
    bool is_good = is_brief || report_sensitivity(p, by);
    report_verdict(p);
    if (!is_brief) {
        report_error(p);
    }
    report_identity(p);
    fputs("</body></html>\n", p->out);
    return is_good;
}

static exit_code write_page(report *p, const char *path)
{
    double by = 0.01;
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
    report_simulate(p);
    bool is_good = write_sections(p, by);
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

static bool choose_language(const arguments *args, spoken_language *language)
{
    const char *word = arguments_value(args, "--language");
    *language = SPOKEN_ENGLISH;
    if (!word || spoken_language_of(word, language)) {
        return true;
    }
    fprintf(stderr, "biela report: error: --language: '%s' is neither en nor es\n", word);
    return false;
}

static exit_code make_report(report *p, const char *path, spoken_language language)
{
    exit_code code = rerun_open(&p->base, &p->source, NULL, 0, 1);
    session_print_messages(&p->base.s);
    if (code == CLI_OK) {
        spoken_open(&p->said, p->source.model, language);
        report_choose_body(p);
        code = report_choose_channels(p) ? open_exercise(p) : CLI_BAD;
        code = code == CLI_OK ? write_page(p, path) : code;
    }
    evidence_clear(&p->run);
    exercise_close(p->exercise);
    spoken_close(&p->said);
    free(p->shown);
    rerun_close(&p->base);
    return code;
}

static exit_code run_report(const arguments *args)
{
    report p = { .args = args };
    spoken_language language;
    const char *branch = arguments_value(args, "--branch"), *out = arguments_value(args, "--out");
    char *path = out ? words_format("%s", out) : file_with_ending(args->word[0], ENDING_PAGE);
    claims_read(args->files, arguments_value(args, "--exercise"));
    exit_code code = choose_language(args, &language) && claims_write(args->files, "--out", path)
                         ? rerun_open_source(args->word[0], branch ? atoi(branch) : -1, &p.source)
                         : CLI_BAD;
    if (code == CLI_OK) {
        p.is_running = !p.source.recording.summary && is_being_written(args->word[0]);
        code = make_report(&p, path, language);
        if ((code == CLI_OK || code == CLI_DOUBT) && !arguments_has(args, "--quiet")) {
            printf("%s\n", path);
        }
    }
    rerun_close_source(&p.source);
    free(path);
    return code;
}

static const option report_options[] = {
    { "--out", "FILE" ENDING_PAGE, "the page; default: beside the recording" },
    { "--language", "en|es", "what the page speaks; default en" },
    { "--plot", "A,B", "channels to plot and to judge errors by; default: those of the model's `hud`" },
    { "--exercise", "FILE", "judge the drive by this exercise; default: the one it was driven in" },
    { "--vary", "P,Q",
      "parameters of the sensitivity; default: those set for the drive, then the first plain numbers, five "
      "in all" },
    { "--by", "X", "by which part they change, both ways; default 0.01" },
    { "--brief", NULL, "without error estimate and sensitivity, which simulate several times" },
    { "--branch", "N", "timeline N; default: the last" },
    { "--quiet", NULL, "do not print the name of the page" },
};

const command command_report = {
    .name = "report",
    .words = "RECORDING",
    .summary = "a recorded drive as a page with pictures, plots, score and evidence",
    .details = "Simulates the recording again and writes one HTML file, to read or to print on A4: what "
               "happened, with\n"
               "pictures of the key moments; inputs and readings over time, the path, events, the score of "
               "the exercise;\n"
               "and what a reader needs to believe it: how the outcome changes with parameters, the error of "
               "the step by\n"
               "halving it, versions, hashes, parameters.",
    .example = "  biela drive pendulum-cart --headless --time 2 --record out/drive.biela\n"
               "  biela report out/drive.biela --vary L,m",
    .min_words = 1,
    .max_words = 1,
    .options = report_options,
    .n_option = sizeof report_options / sizeof *report_options,
    .run = run_report,
};
