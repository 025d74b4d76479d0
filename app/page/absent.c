// SPDX-License-Identifier: MIT
// Commands that a page has no use for: they need other programs, processes, or results on a disk. What is sent gets smaller without them.
#include "commands/rest/equilibrium_path.h"
#include "export/batch_fits.h"
#include "report/report.h"
#include "running/flexible/life_files.h"
#include <stdio.h>

static exit_code run_absent(const arguments *args)
{
    fprintf(stderr, "biela %s: is not in a page; the command on a machine has it\n", args->command->name);
    return CLI_BAD;
}

#define ABSENT(word)                                                                                         \
    const command command_##word = {                                                                         \
        .name = #word, .summary = "not in a page", .max_words = 99, .run = run_absent                        \
    };
ABSENT(bench)
ABSENT(class)
ABSENT(compare)
ABSENT(compile)
ABSENT(course)
ABSENT(design)
ABSENT(diff)
ABSENT(doc)
ABSENT(durability)
ABSENT(export)
ABSENT(fit)
ABSENT(flex)
ABSENT(handling)
ABSENT(import)
ABSENT(integrate)
ABSENT(kc)
ABSENT(new)
ABSENT(plot)
ABSENT(sweep)
ABSENT(trim)
ABSENT(tyre)

// ---- of commands that are here, what wants many processes -------------------------------------------------------

bool report_wants_samples(const report *p)
{
    return arguments_has(p->args, "--samples") || arguments_has(p->args, "--sample");
}

exit_code report_samples(report *p)
{
    (void)p;
    fputs("biela report: samples are not in a page; the command on a machine has them\n", stderr);
    return CLI_BAD;
}

void report_band(report *p) { (void)p; }

// a recording is what a page has
bool report_is_recording(const char *word)
{
    (void)word;
    return true;
}

exit_code report_record(report *p, const session_request *request)
{
    (void)p;
    (void)request;
    return CLI_BAD;
}

bool report_keep_recording(const report *p)
{
    (void)p;
    return true;
}

void report_forget_recording(report *p) { (void)p; }

bool path_request_make(const arguments *args, path_request *path)
{
    *path = (path_request){ .is_asked = arguments_has(args, "--path") };
    if (path->is_asked) {
        fputs("biela equilibrium: --path is not in a page; the command on a machine has it\n", stderr);
    }
    return !path->is_asked;
}

void path_request_clear(path_request *path) { (void)path; }

void path_request_prepare(const void *request, bi_model *model, bi_report *out)
{
    (void)request;
    (void)model;
    (void)out;
}

exit_code path_follow(session *s, const path_request *path, const arguments *args)
{
    (void)s;
    (void)path;
    (void)args;
    return CLI_BAD;
}

bool life_files_begin(life_files *life, const session *s, const arguments *args, const char *out)
{
    (void)s;
    (void)out;
    *life = (life_files){ .life = NULL };
    if (arguments_has(args, "--life")) {
        fputs("biela: --life is not in a page; the command on a machine has it\n", stderr);
    }
    return !arguments_has(args, "--life");
}

bool life_files_step(life_files *life, bi_sim *sim)
{
    (void)life;
    (void)sim;
    return true;
}

bool life_files_end(life_files *life)
{
    (void)life;
    return true;
}

void life_files_print(const life_files *life) { (void)life; }

void life_files_json(json *j, const life_files *life)
{
    (void)j;
    (void)life;
}

void life_files_clear(life_files *life) { (void)life; }

void batch_fits_print(const session *s, const session_request *request)
{
    (void)s;
    (void)request;
    fputs("\nbatches\n  are not in a page; the command on a machine has them\n", stdout);
}

void batch_fits_json(json *j, const session *s, const session_request *request)
{
    (void)s;
    (void)request;
    json_array(j, "batch");
    json_end(j);
}
