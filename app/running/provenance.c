// SPDX-License-Identifier: MIT
#include "running/provenance.h"
#include "cli/words.h"
#include <biela/names.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The text of the model file, "" if it cannot be read again. Free it.
static char *text_of(const char *path)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    if (!file) {
        return words_copy("", 0);
    }
    char *text = words_of_file(file);
    fclose(file);
    return text;
}

// "L=0.5 N=40", as on the command line.
static char *settings_of(const arguments *args)
{
    char *all = words_format("%s", "");
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "--set") == 0) {
            char *longer = words_format("%s%s%s", all, *all ? " " : "", args->given[k].value);
            free(all);
            all = longer;
        }
    }
    return all;
}

static bool note_number(bi_csv *csv, const char *key, double value)
{
    char *text = words_format("%.17g", value);
    bool is_good = bi_csv_note(csv, key, text) == BI_OK;
    free(text);
    return is_good;
}

bool provenance_write(bi_csv *csv, const session *s, const arguments *args)
{
    char *text = text_of(s->path), *settings = settings_of(args);
    char *hash = words_format("%016" PRIx64, bi_system_hash(s->system));
    const char *run_name = arguments_value(args, "--run");
    char *manoeuvre = s->run.manoeuvre[0] ? text_of(s->run.manoeuvre) : words_format("%s", "");
    bool is_good =
        bi_csv_note(csv, "manoeuvre", s->run.manoeuvre) == BI_OK &&
        bi_csv_note(csv, "manoeuvre_text", manoeuvre) == BI_OK &&
        bi_csv_note(csv, "model", bi_model_name(s->model)) == BI_OK &&
        bi_csv_note(csv, "model_file", s->path) == BI_OK && bi_csv_note(csv, "model_text", text) == BI_OK &&
        bi_csv_note(csv, "model_hash", hash) == BI_OK && bi_csv_note(csv, "settings", settings) == BI_OK &&
        bi_csv_note(csv, "run", run_name ? run_name : "") == BI_OK &&
        bi_csv_note(csv, "scheme", bi_scheme_name(s->run.scheme)) == BI_OK &&
        note_number(csv, "time", s->grid.time) && note_number(csv, "dt", s->grid.dt) &&
        note_number(csv, "every", s->run.every);
    free(text);
    free(settings);
    free(manoeuvre);
    free(hash);
    return is_good;
}
