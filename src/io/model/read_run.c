// SPDX-License-Identifier: MIT
// How long and how finely to run: the section `run`, and the named cases in `runs`.
#include "io/model/reader.h"
#include "io/model/run_options.h"
#include <stdio.h>
#include <string.h>

// Index of the word; -1: a mistake was told.
int reader_word(reader *r, const yaml_node *node, const char *where, const char *const *words, int n_words)
{
    if (!reader_expect(r, node, YAML_SCALAR, where, "a name")) {
        return -1;
    }
    char list[200] = "";
    for (int k = 0; k < n_words; k++) {
        if (strcmp(node->text, words[k]) == 0) {
            return k;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", words[k]);
    }
    char hint[NAMES_HINT_SIZE];
    reader_error(r, node, where, "'%.80s' is not known%s; there are: %s", node->text,
                 names_hint(node->text, words, n_words, hint), list);
    return -1;
}

// The file beside the model file that drives the inputs; it is read when the inputs are known.
static void read_manoeuvre_of(reader *r, const yaml_node *node, const char *where, bi_run *run)
{
    if (!reader_expect(r, node, YAML_SCALAR, where, "the name of a CSV file")) {
        return;
    }
    const char *slash = r->file && node->text[0] != '/' ? strrchr(r->file, '/') : NULL;
    int folder = slash ? (int)(slash - r->file) + 1 : 0;
    int length =
        snprintf(run->manoeuvre, sizeof run->manoeuvre, "%.*s%s", folder, folder ? r->file : "", node->text);
    if (length >= (int)sizeof run->manoeuvre) {
        reader_error(r, node, where, "the name of the file is too long");
        run->manoeuvre[0] = '\0';
    }
}

// A number, and of dt also `auto`: as long as the tolerance allows.
static void read_number(reader *r, const yaml_node *node, const run_key *key, const char *where, bi_run *run)
{
    char mistake[200];
    double number = 0.0;
    if (node->kind == YAML_SCALAR && run_is_auto_word(key, node->text)) {
        run->is_auto = true;
        return;
    }
    if (reader_number(r, node, key->def.unit ? key->def.unit : "1", where, &number) &&
        !run_take_number(key, number, run, mistake, sizeof mistake)) {
        reader_error(r, node, where, "%s", mistake);
    }
}

static void read_option(reader *r, const yaml_node *map, const run_key *key, const char *where, bi_run *run)
{
    const yaml_node *node = yaml_get(map, key->def.key);
    where_path here = where_at(where, key->def.key);
    if (!node || strcmp(key->def.key, "set") == 0) {
        return;
    }
    if (key->choose) {
        int word = reader_word_of(r, map, &keys_run, key->def.key, where);
        if (word >= 0) {
            key->choose(run, word);
        }
    } else if (strcmp(key->def.type, "string") == 0) {
        read_manoeuvre_of(r, node, here.text, run);
    } else {
        read_number(r, node, key, here.text, run);
    }
}

static void read_case(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    const run_key *key;
    if (!reader_expect(r, map, YAML_MAP, where, "a mapping such as {time: 10, dt: 1e-3}")) {
        return;
    }
    reader_known(r, map, &keys_run, where);
    for (int k = 0; (key = run_key_at(k)); k++) {
        read_option(r, map, key, where, run);
    }
    if (yaml_get(map, "tolerance") && !run->is_auto) {
        reader_error(r, yaml_get(map, "tolerance"), where_at(where, "tolerance").text,
                     "is for steps chosen by error: add 'dt: auto'");
    }
    if (run->dt_max > 0.0 && run->dt_min > run->dt_max) {
        reader_error(r, map, where, "dt_min is larger than dt_max");
    }
}

// The parameters that a case sets must exist; read_parameters takes their values.
static void check_set(reader *r, const yaml_node *map, const char *case_where)
{
    const yaml_node *set = yaml_get(map, "set");
    where_path where = where_at(case_where, "set");
    char hint[NAMES_HINT_SIZE];
    if (!set || !reader_expect(r, set, YAML_MAP, where.text, "a mapping of parameters")) {
        return;
    }
    for (int k = 0; k < set->count; k++) {
        const char *name = set->key[k]->text;
        if (name_set_find(&r->parameters, name) < 0) {
            reader_error(r, set->key[k], where.text, "there is no parameter called '%.80s'%s", name,
                         names_hint(name, r->parameters.name, r->parameters.count, hint));
        }
    }
}

// Tells that the case asked for is not there.
static void tell_missing(reader *r, const yaml_node *runs, const char *run_name)
{
    char hint[NAMES_HINT_SIZE] = "", file[100], what[300];
    name_set names = { 0 };
    for (int k = 0; runs && runs->kind == YAML_MAP && k < runs->count; k++) {
        name_set_add(&names, runs->key[k]->text, 0);
    }
    snprintf(file, sizeof file, "--run %.80s", run_name);
    snprintf(what, sizeof what, "the model has no run called '%.80s'%s", run_name,
             names_hint(run_name, names.name, names.count, hint));
    name_set_clear(&names);
    reader_tell(r, &(bi_issue){ BI_ERROR, BI_BAD_MODEL, { file, 0, 0 }, "runs", what });
}

void read_run(reader *r, const char *run_name, bi_run *run)
{
    const yaml_node *base = yaml_get(r->root, "run"), *runs = yaml_get(r->root, "runs");
    if (base) {
        read_case(r, base, "run", run);
        if (yaml_get(base, "set")) {
            reader_error(r, yaml_get(base, "set"), "run",
                         "'set' is for the cases of 'runs'; change the parameter itself");
        }
    }
    bool is_found = !run_name || !run_name[0];
    bool has_cases = runs && (runs->kind != YAML_SCALAR || runs->text[0]) &&
                     reader_expect(r, runs, YAML_MAP, "runs", "a mapping of named cases");
    // the cases not chosen are looked at too
    for (int k = 0; has_cases && k < runs->count; k++) {
        bool is_chosen = run_name && strcmp(runs->key[k]->text, run_name) == 0;
        bi_run unused = *run;
        where_path where = where_at("runs", runs->key[k]->text);
        read_case(r, runs->item[k], where.text, is_chosen ? run : &unused);
        check_set(r, runs->item[k], where.text);
        is_found = is_found || is_chosen;
    }
    if (!is_found) {
        tell_missing(r, runs, run_name);
    }
}
