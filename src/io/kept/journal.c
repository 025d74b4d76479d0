// SPDX-License-Identifier: MIT
// Notes, while a file is read, which parameters and places of bodies each entry uses.
#include "io/kept/journal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A journal, where there is one that still takes notes.
static journal *open_journal(const reader *r)
{
    return r->journal && !r->journal->is_closed && !r->journal->is_lost ? r->journal : NULL;
}

static void lose(journal *j)
{
    j->is_lost = true;
    j->now = NULL;
}

void journal_clear(journal *j)
{
    for (int k = 0; k < j->n_spot; k++) {
        free(j->spot[k]->reads);
        free(j->spot[k]->pose);
        free(j->spot[k]);
    }
    free(j->spot);
    free(j->needs);
    free(j->value);
    name_set_clear(&j->name);
    *j = (journal){ .parameter = -1 };
}

// ---- what is heard -----------------------------------------------------------------------------------------

// The parameters of the model are those of the first file, or `set` of an include is evaluated, which has them too.
static bool is_of_first_file(const reader *r)
{
    return !r->scope->outer || (r->is_setting_include && !r->scope->outer->outer);
}

void journal_hears(void *context, const char *parameter)
{
    const reader *r = context;
    journal *j = r->journal;
    if (!j || j->is_lost || (!j->now && j->parameter < 0) || !is_of_first_file(r)) {
        return;
    }
    int k = name_set_find(&j->name, parameter);
    if (k >= 0) {
        journal_put(j->now ? j->now->reads : j->needs + (size_t)j->parameter * (size_t)j->n_word, k);
    }
}

void journal_pose(const reader *r, int32_t body)
{
    spot *s = r->journal ? r->journal->now : NULL;
    for (int k = 0; s && k < s->n_pose; k++) {
        s = s->pose[k] == body ? NULL : s;
    }
    if (!s) {
        return;
    }
    if (s->n_pose == s->cap_pose) {
        int capacity = s->cap_pose ? 2 * s->cap_pose : 4;
        int32_t *all = realloc(s->pose, (size_t)capacity * sizeof *all);
        if (!all) {
            lose(r->journal);
            return;
        }
        s->pose = all;
        s->cap_pose = capacity;
    }
    s->pose[s->n_pose++] = body;
}

// ---- parameters --------------------------------------------------------------------------------------------

void journal_parameters(reader *r)
{
    journal *j = open_journal(r);
    if (!j || r->scope->outer) {
        return;
    }
    for (int k = 0; k < r->parameters.count; k++) {
        if (name_set_add(&j->name, r->parameters.name[k], 0) < 0) {
            lose(j);
            return;
        }
    }
    size_t n = (size_t)j->name.count;
    j->n_word = j->name.count / 64 + 1;
    j->needs = calloc((n + 1) * (size_t)j->n_word, sizeof *j->needs);
    j->value = calloc(n + 1, sizeof *j->value);
    if (!j->needs || !j->value) {
        lose(j);
    }
}

void journal_parameter(reader *r, int index)
{
    journal *j = open_journal(r);
    if (j && !r->scope->outer) {
        j->parameter = index;
    }
}

bool journal_values(const journal *j, const bi_model *m, double *value)
{
    const char *name;
    double number;
    int found = 0;
    for (int k = 0; bi_model_parameter_at(m, k, &name, &number, NULL); k++) {
        int i = name_set_find(&j->name, name);
        if (i >= 0) {
            value[i] = number;
            found++;
        }
    }
    return found == j->name.count;
}

// ---- spots -------------------------------------------------------------------------------------------------

static spot *add_spot(journal *j, spot_kind kind, const char *section, const char *name)
{
    if (j->n_spot == j->cap_spot) {
        int capacity = j->cap_spot ? 2 * j->cap_spot : 64;
        spot **all = realloc(j->spot, (size_t)capacity * sizeof *all);
        if (!all) {
            lose(j);
            return NULL;
        }
        j->spot = all;
        j->cap_spot = capacity;
    }
    spot *s = calloc(1, sizeof *s);
    uint64_t *reads = s ? calloc((size_t)j->n_word + 1, sizeof *reads) : NULL;
    if (!reads) {
        free(s);
        lose(j);
        return NULL;
    }
    s->kind = kind;
    s->reads = reads;
    snprintf(s->label, sizeof s->label, "%.40s%s%.50s", section, *name ? "." : "", name);
    j->spot[j->n_spot++] = s;
    return s;
}

void journal_section(reader *r, const char *section)
{
    journal *j = open_journal(r);
    if (!j || r->scope->outer) {
        return;
    }
    spot_kind kind = strcmp(section, "run") == 0       ? SPOT_RUN
                     : strcmp(section, "gravity") == 0 ? SPOT_GRAVITY
                                                       : SPOT_FIXED;
    j->parameter = -1;
    j->now = add_spot(j, kind, section, "");
}

// Sections of which nothing is kept while the file is read, other than names.
static bool can_be_read_again(const char *section, const yaml_node *value)
{
    static const char *const sections[] = { "bodies",      "joints",  "signals", "forces",
                                            "constraints", "actions", "imposed", "outputs",
                                            "events",      "inputs",  "graphs" };
    bool is_known = false;
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        is_known = is_known || strcmp(section, sections[k]) == 0;
    }
    return is_known && !(strcmp(section, "bodies") == 0 && yaml_get(value, "flex"));
}

spot *journal_begin(reader *r, const char *section, const char *name, reader_entry *read, yaml_node *key,
                    const yaml_node *value, const yaml_node *indices)
{
    journal *j = open_journal(r);
    spot *outer = j ? j->now : NULL;
    if (!j || r->scope->outer) {
        return NULL;
    }
    bool again = can_be_read_again(section, value) && (!indices || indices->count <= SPOT_INDICES);
    spot *s = add_spot(j, again ? SPOT_ENTRY : SPOT_FIXED, section, name);
    if (!s) {
        return NULL;
    }
    s->read = read;
    s->section = section;
    s->key = key;
    s->value = value;
    s->repeats = indices != NULL;
    for (int k = 0; again && indices && k < indices->count; k++) {
        s->index[k] = indices->key[k]->text;
        again = bi_model_number(r->model, s->index[k], NULL, "", &s->at[k], NULL);
    }
    s->kind = again ? s->kind : SPOT_FIXED;
    s->from = bi_model_mark(r->model);
    j->now = s;
    return outer;
}

void journal_end(reader *r, spot *outer, int32_t id)
{
    journal *j = open_journal(r);
    if (!j || r->scope->outer || !j->now) {
        return;
    }
    spot *s = j->now;
    s->id = id;
    s->to = bi_model_mark(r->model);
    s->kind = bi_mark_is_whole(&s->from, &s->to) ? s->kind : SPOT_FIXED;
    j->now = outer;
}
