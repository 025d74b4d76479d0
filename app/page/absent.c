// SPDX-License-Identifier: MIT
// Commands that a page has no use for: they need other programs, processes, or results on a disk. What is sent gets smaller without them.
#include "export/batch_fits.h"
#include "report/report.h"
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
ABSENT(course)
ABSENT(design)
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
