// SPDX-License-Identifier: MIT
// Exercises that pages write: they come in pieces, are held against the model, and replace nothing that was not meant.
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include "live/requests.h"
#include <biela/outfile.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 * 1024, NAME = 40, PIECE = 3000 };

static const char *folder; // of the whole program: the lists of all drives show what is in it

void live_scenario_into(const char *path) { folder = path; }
const char *live_scenario_folder(void) { return folder; }

void live_scenario_forget(live *l)
{
    free(l->scenario);
    l->scenario = NULL;
    l->n_scenario = 0;
    l->scenario_next = 0;
    l->scenario_of = -1;
}

static bool is_name(const char *name)
{
    return *name && *name != '-' && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

// Of the model itself: those are not written over.
static bool is_of_model(const live *l, const char *name)
{
    char **paths;
    int count = live_exercise_list(l->run.s.path, &paths);
    size_t own = strlen(folder);
    bool is = false;
    for (int k = 0; k < count; k++) {
        char *other = file_model_name(paths[k]);
        is = is || (strncmp(paths[k], folder, own) != 0 && strcmp(other, name) == 0);
        free(other);
        free(paths[k]);
    }
    free(paths);
    return is;
}

static bool write_file(const char *path, const char *text, size_t length, char *why, size_t size)
{
    bi_report report = { 0 };
    bi_outfile *out = bi_outfile_open(path, &report);
    if (out) {
        fwrite(text, 1, length, bi_outfile_file(out)); // commit tells whether all of it was taken
    }
    bool is_done = out && bi_outfile_commit(out, &report) == BI_OK;
    if (!is_done) {
        snprintf(why, size, "the exercise cannot be written: %s",
                 report.count > 0 ? report.issue[0].what : "no memory");
    }
    bi_report_clear(&report);
    return is_done;
}

static bool is_good(const live *l, const char *path, char *why, size_t size)
{
    bi_report report = { 0 };
    exercise *ex = exercise_parse(l->scenario, l->n_scenario, path, &report);
    if (!ex) {
        live_first_error(&report, "this is no exercise", why, size);
    }
    bool fits = ex && live_exercise_fits(l, ex, why, size);
    exercise_close(ex);
    bi_report_clear(&report);
    return fits;
}

static void save(live *l, int client, const char *name, bool may_replace)
{
    char why[512] = "";
    char *path = words_format("%s/%s.yaml", folder, name);
    if (is_of_model(l, name)) {
        snprintf(why, sizeof why, "the model has an exercise of that name: choose another one");
    } else if (file_exists(path) && !may_replace) {
        snprintf(why, sizeof why, "there is an exercise of that name: choose another one, or replace it");
    } else if (is_good(l, path, why, sizeof why) &&
               write_file(path, l->scenario, l->n_scenario, why, sizeof why)) {
        outgoing o;
        json *j = outgoing_begin(&o, begin_saved);
        if (j) {
            put_saved_name(j, name);
            put_saved_file(j, path);
            live_send(l, client, &o);
        }
    }
    if (*why) {
        live_error(l, client, why);
    }
    free(path);
}

// Why this piece is not taken; NULL: it is.
static const char *take_piece(live *l, int client, const char *piece, int part)
{
    size_t n = strlen(piece);
    if (part != 0 && (l->scenario_of != client || part != l->scenario_next)) {
        return "pieces of the exercise are missing: save it again";
    }
    if (part == 0) {
        live_scenario_forget(l);
    }
    if (l->n_scenario + n > MOST) {
        return "an exercise has at most 64 kB";
    }
    l->scenario = l->scenario ? l->scenario : words_alloc(MOST + 1);
    memcpy(l->scenario + l->n_scenario, piece, n + 1);
    l->n_scenario += n;
    l->scenario_of = client;
    l->scenario_next = part + 1;
    return NULL;
}

void live_scenario(live *l, int client, const json_tree *tree)
{
    char name[NAME + 1] = "", piece[PIECE + 1] = "";
    double part = 0.0, of = 0.0, replace = 0.0;
    get_scenario_part(tree, &part);
    get_scenario_of(tree, &of);
    get_scenario_replace(tree, &replace);
    bool has_name = get_scenario_name(tree, name, sizeof name) && is_name(name);
    const char *why =
        !folder     ? "no folder for exercises was named: start the drive with --exercises FOLDER"
        : !has_name ? "the name of an exercise has 1 to 40 small letters, digits and '-'"
        : !get_scenario_text(tree, piece, sizeof piece) || !(part >= 0.0 && part < of && of <= MOST)
            ? "pieces of the exercise are missing: save it again"
            : take_piece(l, client, piece, (int)part);
    if (why) {
        live_error(l, client, why);
        live_scenario_forget(l);
    } else if (part + 1.0 >= of) {
        save(l, client, name, replace != 0.0);
        live_scenario_forget(l);
    }
}

bool live_scenario_resource(const live *l, const char *path, char **bytes, size_t *size)
{
    static const char begin[] = "/exercise/";
    size_t n = strlen(begin);
    char **paths;
    if (strncmp(path, begin, n) != 0) {
        return false;
    }
    // by its name in the list: no path of a page reaches the disk
    int count = live_exercise_list(l->run.s.path, &paths);
    for (int k = 0; k < count; k++) {
        char *own = file_model_name(paths[k]);
        bi_report unused = { 0 };
        bi_document *doc = !*bytes && strcmp(own, path + n) == 0 ? bi_document_open(paths[k], &unused) : NULL;
        FILE *out = doc ? open_memstream(bytes, size) : NULL;
        if (out) {
            bi_document_json(doc, "", out);
            fclose(out);
        }
        bi_document_close(doc);
        bi_report_clear(&unused);
        free(own);
        free(paths[k]);
    }
    free(paths);
    return *bytes != NULL;
}
