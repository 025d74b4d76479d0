// SPDX-License-Identifier: MIT
// The gallery: the models that are found by name, and leaving the one that is driven for another.
#include "cli/catalogue.h"
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include <biela/io.h>
#include <stdlib.h>
#include <string.h>

char *live_usual_run(const char *model)
{
    bi_report unused = { 0 };
    char *installed = file_models_folder(), *path = bi_find_model(model, installed, &unused);
    bi_document *doc = path ? bi_document_open(path, &unused) : NULL;
    const char *name = doc ? bi_document_text(doc, "live_run") : NULL;
    char *run = name ? words_format("%s", name) : NULL;
    bi_document_close(doc);
    bi_report_clear(&unused);
    free(path);
    free(installed);
    return run;
}

// Its name in Spanish: the file's text of the same name. NULL: none.
static const char *spanish_title(const bi_document *doc, const char *title)
{
    for (int k = 0; k < bi_document_count(doc, "spanish"); k++) {
        const char *key = bi_document_key(doc, "spanish", k);
        if (key && strcmp(key, title) == 0) {
            char *place = words_format("spanish.%s", title);
            const char *text = bi_document_text(doc, place);
            free(place);
            return text;
        }
    }
    return NULL;
}

static void write_model(json *j, const found_model *m)
{
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(m->path, &unused);
    if (doc) {
        const char *spanish = spanish_title(doc, m->title);
        json_object(j, NULL);
        json_text(j, "model", m->name);
        json_text(j, "title", *m->title ? m->title : m->name);
        if (spanish) {
            json_text(j, "spanish", spanish);
        }
        // inputs of an included file are named here by their keys, or by the run for driving
        json_true_or_false(j, "driven",
                           bi_document_count(doc, "inputs") > 0 || bi_document_count(doc, "controls") > 0 ||
                               bi_document_text(doc, "live_run"));
        json_true_or_false(j, "graph",
                           bi_document_count(doc, "bodies") == 0 && bi_document_count(doc, "graphs") > 0);
        json_end(j);
    }
    bi_document_close(doc);
    bi_report_clear(&unused);
}

char *live_first_model(void)
{
    catalogue models = catalogue_make();
    const char *name = models.count > 0 ? models.item[0].name : "forklift";
    for (int k = 0; k < models.count; k++) {
        name = strcmp(models.item[k].name, "forklift") == 0 ? models.item[k].name : name;
    }
    char *first = words_format("%s", name);
    catalogue_clear(&models);
    return first;
}

char *live_gallery(size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) {
        return NULL;
    }
    catalogue models = catalogue_make();
    json j = json_start(out);
    json_array(&j, NULL);
    for (int k = 0; k < models.count; k++) {
        write_model(&j, &models.item[k]);
    }
    json_end(&j);
    catalogue_clear(&models);
    fclose(out);
    return text;
}

static bool is_listed(const char *name)
{
    catalogue models = catalogue_make();
    bool is_found = false;
    for (int k = 0; k < models.count; k++) {
        is_found = is_found || strcmp(models.item[k].name, name) == 0;
    }
    catalogue_clear(&models);
    return is_found;
}

bool live_change_model(live *l, const char *name, char *why, size_t size)
{
    // no path of a page ever reaches the disk: only names of the list
    if (l->source || !is_listed(name)) {
        snprintf(why, size, l->source ? "a recording stays with its model" : "there is no model '%.60s'",
                 name);
        return false;
    }
    session_request before = l->request;
    int n_own = l->n_own;
    char *model = words_format("%s", name), *run = live_usual_run(name);
    // what the command line says of the first model means nothing to another
    l->request = (session_request){
        .model = model, .run_name = run, .prepare = before.prepare, .files = before.files
    };
    if (l->has_instructor) {
        live_teach(&l->request);
    }
    l->n_own = l->request.n_setting;
    session_request next = l->request;
    if (!live_restart(l, NULL, NULL, 0, NULL, why, size)) {
        l->request = before;
        l->n_own = n_own;
        session_request_clear(&next);
        free(model);
        free(run);
        return false;
    }
    free(l->chosen_model);
    free(l->chosen_run);
    session_request_clear(&(session_request){ .setting = l->chosen_setting, .n_setting = l->n_chosen });
    l->chosen_setting = next.setting;
    l->n_chosen = next.n_setting;
    l->chosen_model = model;
    l->chosen_run = run;
    return true;
}
