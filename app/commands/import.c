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

// The folder that holds a file, in a buffer of the caller.
static const char *folder_of(const char *path, char *buffer, size_t size)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    snprintf(buffer, size, "%.*s", slash ? (int)(slash - path + (slash == path)) : 1, slash ? path : ".");
    return buffer;
}

// The whole text or nothing goes to the file.
static exit_code import_to(const char *path, bi_import_options *options, const char *out, bool is_json)
{
    bi_report report = { 0 };
    char *text = NULL, folder[4096];
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    options->folder = folder_of(out, folder, sizeof folder);
    bool is_good = memory && bi_import_robot(path, options, memory, &report);
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

#define WITHOUT_ROW(name, bit, word, help) { word, name },
static const struct {
    const char *word;
    unsigned bit;
} parts[] = { BI_WITHOUT_LIST(WITHOUT_ROW) };

// "contact,limits" as bits. False: a word is not known, which is told.
static bool read_parts(const char *text, unsigned *bits)
{
    while (text && *text) {
        size_t length = strcspn(text, ",");
        unsigned bit = 0;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            bool is_this = strlen(parts[k].word) == length && strncmp(parts[k].word, text, length) == 0;
            bit = is_this ? parts[k].bit : bit;
        }
        if (!bit) {
            fprintf(stderr, "biela import: --without %.*s: there are", (int)length, text);
            for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
                fprintf(stderr, "%s %s", k ? "," : "", parts[k].word);
            }
            fputc('\n', stderr);
            return false;
        }
        *bits |= bit;
        text += length + (text[length] == ',');
    }
    return true;
}

static exit_code run_import(const arguments *args)
{
    const char *path = args->word[0], *out = arguments_value(args, "--out");
    bi_import_options o = { .floating = arguments_has(args, "--floating"),
                            .floor = arguments_has(args, "--floor"),
                            .package = arguments_value(args, "--package"),
                            .key = arguments_value(args, "--key") };
    if (!file_has_ending(path, ".urdf") && !file_has_ending(path, ".xml") && !file_has_ending(path, ".sdf") &&
        !file_has_ending(path, ".mjcf") && !file_has_ending(path, ".world")) {
        fprintf(stderr,
                "biela import: %s: robots in URDF, MJCF and SDF are read, files .urdf, .xml, .mjcf, .sdf or "
                ".world\n",
                path);
        return CLI_BAD;
    }
    if (!read_parts(arguments_value(args, "--without"), &o.without) ||
        !claims_write(args->files, "--out", out)) {
        return CLI_BAD;
    }
    return import_to(path, &o, out, arguments_has(args, "--json"));
}

static const option options[] = {
    { "--out", "MODEL.yaml", "the model file; default stdout" },
    { "--floating", NULL, "URDF: the root link is a free body, not the ground" },
    { "--floor", NULL, "add a floor, z = 0, that all shapes touch" },
    { "--key", "NAME", "MJCF: start at this keyframe" },
    { "--without", "PARTS",
      "leave out, with commas: contact, self, looks, limits, friction, actuators, constraints" },
    { "--package", "FOLDER",
      "where package:// and model:// names begin; default: looked for above the file" },
    { "--json", NULL, "what was left out, as one JSON object on stdout" },
};

const command command_import = {
    .name = "import",
    .words = "ROBOT",
    .summary = "make a model file of a robot or scene: URDF, MJCF, SDF",
    .details =
        "Bodies with their inertia, joints with armature, damping, friction and limits (as stops), what is "
        "seen\n"
        "and what touches, equalities and mimic joints become one model; every actuator, or every joint "
        "where\n"
        "the file names none, has an input. Joint coordinates are those of the robot. What has no "
        "counterpart\n"
        "is listed on stderr with its file and line. Masses, moments and numbers that cannot be are refused.",
    .example = "  biela import robot.urdf --out robot.yaml\n"
               "  biela import scene.xml --key home --out scene.yaml",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_import,
};
