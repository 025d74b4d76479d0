// SPDX-License-Identifier: MIT
/* import - models of other programs as model files. */
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include "running/session.h"
#include <stdlib.h>
#include <string.h>

static void import_json(const char *out, bool is_good, const bi_report *report)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", is_good);
    json_text(&j, "out", is_good ? out : NULL);
    session_json_messages(&j, report);
    json_end(&j);
}

// The whole text or nothing goes to the file.
static exit_code import_to(const char *path, bi_urdf_base base, const char *out, bool is_json)
{
    bi_report report = { 0 };
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    bool is_good = memory && bi_import_urdf(path, base, memory, &report);
    if (memory) {
        fclose(memory);
    }
    exit_code code = is_good ? CLI_OK : CLI_BAD;
    if (is_good && out) {
        bi_outfile *output = outfiles_begin(out);
        if (output) {
            fwrite(text, 1, length, bi_outfile_file(output));
        }
        code = output && outfiles_end(output) ? CLI_OK : CLI_MACHINE;
    } else if (is_good && !is_json) {
        fwrite(text, 1, length, stdout);
    }
    bi_report_print(&report, stderr);
    if (is_json) {
        import_json(out, code == CLI_OK, &report);
    }
    bi_report_clear(&report);
    free(text);
    return code;
}

static exit_code run_import(const arguments *args)
{
    const char *path = args->word[0];
    if (!file_has_ending(path, ".urdf") && !file_has_ending(path, ".xml")) {
        fprintf(stderr, "biela import: %s: robots in URDF are read, files .urdf or .xml\n", path);
        return CLI_BAD;
    }
    if (!claims_write(args->files, "--out", arguments_value(args, "--out"))) {
        return CLI_BAD;
    }
    bi_urdf_base base = arguments_has(args, "--floating") ? BI_URDF_FLOATING : BI_URDF_FIXED;
    return import_to(path, base, arguments_value(args, "--out"), arguments_has(args, "--json"));
}

static const option options[] = {
    { "--out", "MODEL.yaml", "the model file; default stdout" },
    { "--floating", NULL, "the root link is a free body, not the ground" },
    { "--json", NULL, "what was left out, as one JSON object on stdout" },
};

const command command_import = {
    .name = "import",
    .words = "ROBOT.urdf",
    .summary = "make a model file of a robot in URDF",
    .details =
        "Links with their inertia, revolute, continuous, prismatic, planar, fixed and floating joints, "
        "joint\n"
        "damping and limits (as stops) become a model; joint coordinates are those of the robot. What is "
        "left\n"
        "out (mimic, friction, limits of effort and velocity, pictures, collision shapes, transmissions) is\n"
        "listed on stderr. Masses, moments and numbers that cannot be are refused.",
    .example = "  biela import robot.urdf --out robot.yaml",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_import,
};
