// SPDX-License-Identifier: MIT
/* new - a folder with a model to begin with, and its test. */
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What there is to begin with: NAME.yaml of the folder `starts` of the models.
#define START_LIST(X)                                                                                        \
    X("robot", "an arm with servos")                                                                         \
    X("car", "a car with rear-wheel drive on four sprung wheels")                                            \
    X("crane", "a slewing crane with a load on its rope")                                                    \
    X("mechanism", "a slider-crank with a motor")
#define START_NAME(name, help) name,
static const char *const starts[] = { START_LIST(START_NAME) };
enum { N_START = sizeof starts / sizeof *starts };

// The whole file, or NULL, and why is told. Free it.
static char *whole(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;
    FILE *out = in ? open_memstream(&text, &length) : NULL;
    for (int c = in && out ? fgetc(in) : EOF; c != EOF; c = fgetc(in)) {
        fputc(c, out);
    }
    if (in) {
        fclose(in);
    }
    if (out) {
        fclose(out);
    } else {
        fprintf(stderr, "biela new: %s: %s\n", path, strerror(errno));
    }
    return text;
}

// The names of the section `runs` of a start, with blanks between them. Free it.
static char *runs_of(const char *model)
{
    const char *at = strstr(model, "\nruns:\n");
    char *names = words_format("%s", "");
    for (at = at ? at + 7 : ""; strncmp(at, "  ", 2) == 0 && isalpha((unsigned char)at[2]);) {
        char *more = words_format("%s%s%.*s", names, *names ? " " : "", (int)strcspn(at + 2, ":"), at + 2);
        free(names);
        names = more;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return names;
}

// Writes the text with the marks replaced. False: it could not be, as was told.
static bool write_start(const char *path, const char *text, const char *name, const char *runs, mode_t mode)
{
    bi_outfile *output = outfiles_begin(path);
    FILE *out = output ? bi_outfile_file(output) : NULL;
    for (const char *c = text; out && *c; c++) {
        const char *mark = strncmp(c, "@NAME@", 6) == 0 ? name : strncmp(c, "@RUNS@", 6) == 0 ? runs : NULL;
        if (mark) {
            fputs(mark, out);
            c += 5;
        } else {
            fputc(*c, out);
        }
    }
    return output && outfiles_end(output) && (mode == 0 || chmod(path, mode) == 0);
}

// The name of the model is the last part of the folder: letters, digits, '_' and '-'. False: it is not, as was told.
static bool is_good_name(const char *folder)
{
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') {
            fprintf(stderr, "biela new: '%s' is no name for a model: letters, digits, '_' and '-'\n", name);
            return false;
        }
    }
    if (!*name) {
        fprintf(stderr, "biela new: '%s' has no name at its end\n", folder);
    }
    return *name != '\0';
}

static exit_code make(const char *kind, const char *folder, const char *source)
{
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    char *from = words_format("%s/%s.yaml", source, kind), *test_from = words_format("%s/test.sh", source),
         *to = words_format("%s/model.yaml", folder), *test_to = words_format("%s/test.sh", folder);
    char *model = whole(from), *test = whole(test_from);
    exit_code code = CLI_MACHINE;
    if (model && test && file_make_folders(to)) {
        char *runs = runs_of(model);
        bool is_good = write_start(to, model, name, runs, 0) && write_start(test_to, test, name, runs, 0755);
        code = is_good ? CLI_OK : CLI_MACHINE;
        free(runs);
    }
    if (code == CLI_OK) {
        printf("%s\n%s\nnow: biela drive %s, or %s\n", to, test_to, to, test_to);
    }
    free(model);
    free(test);
    free(from);
    free(test_from);
    free(to);
    free(test_to);
    return code;
}

static exit_code run_new(const arguments *args)
{
    const char *kind = args->word[0], *folder = args->word[1];
    bool is_known = false;
    for (int k = 0; k < N_START; k++) {
        is_known = is_known || strcmp(kind, starts[k]) == 0;
    }
    if (!is_known) {
        fprintf(stderr, "biela new: there is no '%s' to begin with; there are", kind);
        for (int k = 0; k < N_START; k++) {
            fprintf(stderr, "%s %s", k ? "," : "", starts[k]);
        }
        fputc('\n', stderr);
        return CLI_BAD;
    }
    if (!is_good_name(folder)) {
        return CLI_BAD;
    }
    struct stat about;
    if (lstat(folder, &about) == 0) {
        fprintf(stderr, "biela new: %s is there already, and nothing is written over; choose another name\n",
                folder);
        return CLI_BAD;
    }
    char *source = file_starts_folder();
    if (!source) {
        fprintf(stderr,
                "biela new: the models to begin with are not installed (folder starts beside the models; "
                "$BIELA_MODELS names another place)\n");
        return CLI_MACHINE;
    }
    exit_code code = make(kind, folder, source);
    free(source);
    return code;
}

#define START_HELP(name, help) "  " name ": " help "\n"

const command command_new = {
    .name = "new",
    .words = "KIND FOLDER",
    .summary = "make a folder with a model to begin with, and its test",
    .details =
        "KIND is one of\n" START_LIST(START_HELP) "The folder has model.yaml, with a comment to every part, "
                                                  "and test.sh, which checks it, runs it with a\n"
                                                  "good verdict, drives it and compares it with its first "
                                                  "result. A folder that is there stays as it is.",
    .example = "  biela new robot arm\n"
               "  arm/test.sh",
    .min_words = 2,
    .max_words = 2,
    .run = run_new,
};
