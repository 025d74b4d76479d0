// SPDX-License-Identifier: MIT
/* compile - a model, read and compiled, as an image: one file from which a run starts at once. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "export/imaging.h"
#include "running/claims.h"
#include "running/outfiles.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void compile_json(const imaging *job, const bi_report *report, const char *path, size_t size,
                         exit_code code)
{
    char *hash = words_format("%016" PRIx64, job->hash);
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_text(&j, "out", code == CLI_OK ? path : NULL);
    json_integer(&j, "bytes", (int64_t)size);
    json_text(&j, "system", hash);
    session_json_messages(&j, report);
    json_end(&j);
    free(hash);
}

static bool write_image(const char *path, const void *image, size_t size)
{
    bi_outfile *output = outfiles_begin(path);
    if (output) {
        fwrite(image, 1, size, bi_outfile_file(output));
    }
    return output && outfiles_end(output);
}

static exit_code write_job(const arguments *args, const imaging *job, const bi_report *report,
                           const void *image, size_t size)
{
    const char *out = arguments_value(args, "--out");
    char *path = out ? words_format("%s", out) : words_format("out/%s" ENDING_IMAGE, job->name);
    exit_code code = claims_write(args->files, "--out", path) ? CLI_OK : CLI_BAD;
    if (code == CLI_OK) {
        code = write_image(path, image, size) ? CLI_OK : CLI_MACHINE;
    }
    if (arguments_has(args, "--json")) {
        compile_json(job, report, path, size, code);
    } else if (code == CLI_OK && !arguments_has(args, "--quiet")) {
        printf("%s: %.3g MB, system %016" PRIx64 "\n", path, (double)size / 1e6, job->hash);
    }
    free(path);
    return code;
}

static exit_code run_compile(const arguments *args)
{
    session_request request;
    bi_report report = { 0 };
    imaging job = { .request = &request, .code = CLI_BAD };
    exit_code code = CLI_BAD;
    if (session_request_make(args, &request)) {
        size_t size;
        void *image = imaging_make(&job, &size, &report);
        bi_report_print(&report, stderr);
        if (image) {
            code = write_job(args, &job, &report, image, size);
        } else {
            code = imaging_code(&job);
            if (arguments_has(args, "--json")) {
                compile_json(&job, &report, NULL, 0, code);
            }
        }
        free(image);
    }
    free(job.name);
    bi_report_clear(&report);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    RUN_OPTION("time"),
    RUN_OPTION("dt"),
    RUN_OPTION("every"),
    RUN_OPTION("sleep"),
    RUN_STEP_OPTIONS,
    RUN_OPTION("start_time"),
    RUN_OPTION("start"),
    RUN_OPTION("formulation"),
    RUN_OPTION("manoeuvre"),
    { "--out", "FILE" ENDING_IMAGE, "default out/MODEL" ENDING_IMAGE },
    { "--json", NULL, "the result as one JSON object on stdout" },
    { "--quiet", NULL, "no summary" },
};

const command command_compile = {
    .name = "compile",
    .words = "MODEL",
    .summary = "read and compile a model into one file that runs start from at once",
    .details =
        "The image holds the model, its meshes and tables and the compiled system: no file of the model is\n"
        "read again, and the results have the same bits. What changes the system is said here, not to run;\n"
        "--time and --every may be said again. An image is for this version and build of biela and this "
        "kind\n"
        "of machine; others refuse it.",
    .example = "  biela compile forklift --out out/forklift.image\n  biela run out/forklift.image --time 2",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_compile,
};
