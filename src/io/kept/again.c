// SPDX-License-Identifier: MIT
// A model that stays while its parameters change: only the entries that read them are read again.
#include "io/kept/journal.h"
#include <biela/flex.h>
#include <stdlib.h>
#include <string.h>

struct bi_kept {
    char *path, *run_name; // run_name: NULL: none
    bi_shelf *own;         // used when the caller has none
    reader r;
    reader_scope scope;
    journal journal;
    bi_model *model; // NULL: the files are to be read
    bool can_change; // the journal is complete
    bi_run run;
    uint64_t held;  // of flexible bodies, a hash
    bi_report said; // while entries are read again
};

static char *copy_text(const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? malloc(size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}

bi_kept *bi_kept_create(const char *path, const char *run_name)
{
    bi_kept *k = path ? calloc(1, sizeof *k) : NULL;
    if (!k) {
        return NULL;
    }
    k->path = copy_text(path);
    k->run_name = copy_text(run_name);
    k->own = bi_shelf_create();
    k->journal.parameter = -1;
    if (!k->path || (run_name && !k->run_name) || !k->own) {
        bi_kept_destroy(k);
        return NULL;
    }
    return k;
}

void bi_kept_forget(bi_kept *k)
{
    if (k) {
        bi_model_listen(k->model, NULL, NULL);
        bi_model_destroy(k->model);
        k->model = NULL;
        k->can_change = false;
        reader_clear(&k->r);
        journal_clear(&k->journal);
    }
}

void bi_kept_destroy(bi_kept *k)
{
    if (k) {
        bi_kept_forget(k);
        bi_shelf_destroy(k->own);
        free(k->path);
        free(k->run_name);
        free(k);
    }
}

// ---- what the mechanism holds of flexible bodies -----------------------------------------------------------

static uint64_t add_bytes(uint64_t h, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        h = (h ^ ((const unsigned char *)bytes)[k]) * 1099511628211u;
    }
    return h;
}

static uint64_t add_boundary(uint64_t h, const bi_flex_boundary *b)
{
    const int32_t what[] = { b->node, b->is_point, b->n_vector };
    return add_bytes(add_bytes(h, what, sizeof what), b->vector, sizeof b->vector);
}

// Their modes were made for it. False: no memory.
static bool hash_of_holds(const bi_model *m, uint64_t *hash)
{
    uint64_t h = 14695981039346656037u;
    for (int b = 1; b <= bi_model_body_count(m); b++) {
        const bi_flex *flex = bi_model_flex(m, (bi_body){ b });
        int most = flex ? bi_flex_mesh(flex)->n_node + 1 : 0;
        bi_flex_boundary *list = flex ? calloc((size_t)most, sizeof *list) : NULL;
        int n = list ? bi_model_holds(m, (bi_body){ b }, list, most) : 0;
        for (int k = 0; k < n; k++) {
            h = add_boundary(h, &list[k]);
        }
        h = add_bytes(h, &n, sizeof n);
        free(list);
        if (flex && !list) {
            return false;
        }
    }
    *hash = h;
    return true;
}

// ---- reading the files --------------------------------------------------------------------------------------

static bi_model *read_files(bi_kept *k, const bi_setting *settings, int n_settings,
                            const bi_read_watch *watch, bi_run *run, bi_report *report)
{
    bi_kept_forget(k);
    bi_shelf *shelf = watch && watch->shelf ? watch->shelf : k->own;
    int errors = report->errors;
    k->r = (reader){ .report = report,
                     .setting = settings,
                     .n_setting = n_settings,
                     .watch = watch,
                     .shelf = shelf,
                     .journal = &k->journal };
    shelf_begin(shelf);
    k->model = reader_read_file(&k->r, &k->scope, k->path, k->run_name, run);
    k->run = *run;
    k->journal.is_closed = true;
    // trees with doubts do not stay on the shelf
    k->can_change = k->model && report->errors == errors && !k->journal.is_lost && !shelf_has_doubts(shelf) &&
                    journal_values(&k->journal, k->model, k->journal.value) &&
                    hash_of_holds(k->model, &k->held);
    k->r.report = NULL;
    k->r.watch = NULL;
    return k->model;
}

// ---- reading entries again ----------------------------------------------------------------------------------

typedef struct {
    uint64_t *parameter; // (n_word) bits of those that have another value
    bool *body;          // (n_pose + 1) described elsewhere than before
} changes;

static bool counts_for(const bi_kept *k, const changes *c, const spot *s)
{
    bool counts = false;
    for (int w = 0; w < k->journal.n_word; w++) {
        counts = counts || (s->reads[w] & c->parameter[w]) != 0;
    }
    for (int i = 0; i < s->n_pose; i++) {
        counts = counts || (s->pose[i] <= k->r.n_pose && c->body[s->pose[i] - 1]);
    }
    return counts;
}

static bool read_entry_again(bi_kept *k, changes *c, spot *s)
{
    reader *r = &k->r;
    bool is_body = strcmp(s->section, "bodies") == 0 && s->id >= 1 && s->id <= r->n_pose;
    bi_pose before = is_body ? r->pose[s->id - 1] : (bi_pose){ .rot.w = 1.0 };
    if (!bi_model_reopen(k->model, &s->from, &s->to)) {
        return false;
    }
    k->journal.now = s;
    for (int i = 0; i < SPOT_INDICES && s->index[i]; i++) {
        bi_model_parameter(k->model, s->index[i], s->at[i], NULL);
    }
    r->entry = s->key;
    r->repeats = s->repeats;
    const char *name = reader_text(r, s->key, s->section);
    int32_t id = name ? s->read(r, name, s->value, where_at(s->section, name).text) : 0;
    blocks_free(&r->memory);
    r->entry = NULL;
    r->repeats = false;
    for (int i = SPOT_INDICES; i-- > 0;) {
        bi_model_forget(k->model, s->index[i]);
    }
    k->journal.now = NULL;
    bool is_shut = bi_model_shut(k->model);
    if (is_body) {
        c->body[s->id - 1] = memcmp(&before, &r->pose[s->id - 1], sizeof before) != 0;
    }
    return is_shut && id == s->id && k->said.errors == 0;
}

static bool read_run_again(bi_kept *k)
{
    bi_run run = bi_run_usual();
    k->journal.now = NULL;
    read_run(&k->r, k->run_name, &run);
    // they are read from elsewhere, which reads no parameter
    memcpy(run.critical_oscillating, k->run.critical_oscillating, sizeof run.critical_oscillating);
    memcpy(run.critical_real, k->run.critical_real, sizeof run.critical_real);
    memcpy(run.critical_fast, k->run.critical_fast, sizeof run.critical_fast);
    k->run = run;
    return k->said.errors == 0;
}

static bool read_gravity_again(bi_kept *k)
{
    k->journal.now = NULL;
    read_gravity(&k->r);
    return k->said.errors == 0;
}

static bool read_again(bi_kept *k, changes *c, spot *s)
{
    switch (s->kind) {
    case SPOT_ENTRY: return read_entry_again(k, c, s);
    case SPOT_GRAVITY: return read_gravity_again(k);
    case SPOT_RUN: return read_run_again(k);
    case SPOT_FIXED: break;
    }
    return false;
}

// The values of the parameters; false: there are mistakes.
static bool evaluate(bi_kept *k, changes *c)
{
    journal *j = &k->journal;
    double *value = calloc((size_t)j->name.count + 1, sizeof *value);
    name_set_clear(&k->r.parameters);
    k->r.is_refused = false;
    // those that somebody has added are not known here
    bool is_known = bi_model_parameter_count(k->model) == j->name.count;
    if (value && is_known) {
        // their order depends on what they need, and counts
        forget_parameters(&k->r);
        read_parameters(&k->r, k->run_name);
    }
    bool is_good = value && is_known && k->said.errors == 0 && journal_values(j, k->model, value);
    for (int i = 0; is_good && i < j->name.count; i++) {
        if (memcmp(&value[i], &j->value[i], sizeof *value) != 0) {
            journal_put(c->parameter, i);
        }
        j->value[i] = value[i];
    }
    free(value);
    return is_good;
}

static bool has_changed(const bi_kept *k, const changes *c)
{
    uint64_t any = 0;
    for (int w = 0; w < k->journal.n_word; w++) {
        any |= c->parameter[w];
    }
    return any != 0;
}

static bool change_with(bi_kept *k, changes *c, bool *is_held)
{
    journal *j = &k->journal;
    uint64_t held = 0;
    if (!evaluate(k, c)) {
        return false;
    }
    if (!has_changed(k, c)) {
        return true;
    }
    for (int i = 0; i < j->n_spot; i++) {
        if (j->spot[i]->kind == SPOT_FIXED && counts_for(k, c, j->spot[i])) {
            return false;
        }
    }
    bi_mark all = bi_model_mark(k->model);
    // a system that reads the model must not see it change
    *is_held = !bi_model_reopen(k->model, &all, &all);
    bool is_good = !*is_held && bi_model_shut(k->model);
    for (int i = 0; is_good && i < j->n_spot; i++) {
        spot *s = j->spot[i];
        is_good = !counts_for(k, c, s) || read_again(k, c, s);
    }
    return is_good && hash_of_holds(k->model, &held) && held == k->held;
}

// False: the files have to be read, for mistakes too, so that they are told as always.
static bool change(bi_kept *k, const bi_setting *settings, int n_settings)
{
    changes c = { calloc((size_t)k->journal.n_word + 1, sizeof *c.parameter),
                  calloc((size_t)k->r.n_pose + 1, sizeof *c.body) };
    spot *rest = k->journal.now;
    bool is_held = false;
    k->r.report = &k->said;
    k->r.setting = settings;
    k->r.n_setting = n_settings;
    k->r.n_told = 0;
    k->journal.now = NULL;
    k->journal.parameter = -1;
    bool is_good = c.parameter && c.body && change_with(k, &c, &is_held);
    k->journal.now = rest;
    k->r.report = NULL;
    k->r.setting = NULL;
    k->r.n_setting = 0;
    bi_report_clear(&k->said);
    free(c.parameter);
    free(c.body);
    return is_good;
}

bi_model *bi_kept_read(bi_kept *k, const bi_setting *settings, int n_settings, const bi_read_watch *watch,
                       bi_run *run, bool *is_again, bi_report *report)
{
    bi_report own = { 0 };
    bi_run unused;
    run = run ? run : &unused;
    report = report ? report : &own;
    if (is_again) {
        *is_again = false;
    }
    if (!k) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no model to read");
        bi_report_clear(&own);
        return NULL;
    }
    n_settings = settings ? n_settings : 0;
    bool again = k->can_change && change(k, settings, n_settings);
    if (!again) {
        read_files(k, settings, n_settings, watch, run, report);
    }
    *run = k->run;
    if (is_again) {
        *is_again = again;
    }
    bi_report_clear(&own);
    return k->model;
}

// ---- reasons ---------------------------------------------------------------------------------------------------

// Adds all parameters that need one of these.
static void add_users(const journal *j, uint64_t *bits)
{
    bool grows = true;
    while (grows) {
        grows = false;
        for (int i = 0; i < j->name.count; i++) {
            const uint64_t *needs = j->needs + (size_t)i * (size_t)j->n_word;
            bool counts = false;
            for (int w = 0; w < j->n_word; w++) {
                counts = counts || (needs[w] & bits[w]) != 0;
            }
            if (counts && !journal_has(bits, i)) {
                journal_put(bits, i);
                grows = true;
            }
        }
    }
}

const char *bi_kept_reason(const bi_kept *k, const char *parameter)
{
    int index = k && parameter ? name_set_find(&k->journal.name, parameter) : -1;
    if (index < 0 || !k->model) {
        return NULL;
    }
    changes c = { calloc((size_t)k->journal.n_word + 1, sizeof *c.parameter),
                  calloc((size_t)k->r.n_pose + 1, sizeof *c.body) };
    const char *reason = !k->can_change ? "the model" : NULL;
    if (c.parameter && c.body) {
        journal_put(c.parameter, index);
        add_users(&k->journal, c.parameter);
    }
    for (int i = 0; c.parameter && c.body && !reason && i < k->journal.n_spot; i++) {
        const spot *s = k->journal.spot[i];
        reason = s->kind == SPOT_FIXED && counts_for(k, &c, s) ? s->label : NULL;
    }
    free(c.parameter);
    free(c.body);
    return reason;
}
