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
static bool read_number(reader *r, const yaml_node *node, const run_key *key, const char *where, bi_run *run)
{
    char mistake[200];
    double number = 0.0;
    if (node->kind == YAML_SCALAR && run_is_auto_word(key, node->text)) {
        run_take_auto(run);
        return true;
    }
    if (!reader_number(r, node, key->def.unit ? key->def.unit : "1", where, &number)) {
        return false;
    }
    if (!run_take_number(key, number, run, mistake, sizeof mistake)) {
        reader_error(r, node, where, "%s", mistake);
        return false;
    }
    return true;
}

// False: a mistake was told.
static bool read_option(reader *r, const yaml_node *map, const run_key *key, const char *where, bi_run *run)
{
    const yaml_node *node = yaml_get(map, key->def.key);
    where_path here = where_at(where, key->def.key);
    if (!node || strcmp(key->def.key, "set") == 0 || strcmp(key->def.key, "remove") == 0) {
        return true;
    }
    if (key->choose) {
        int word = reader_word_of(r, map, &keys_run, key->def.key, where);
        if (word >= 0) {
            key->choose(run, word);
        }
        return word >= 0;
    }
    if (strcmp(key->def.type, "string") == 0) {
        read_manoeuvre_of(r, node, here.text, run);
        return true;
    }
    return read_number(r, node, key, here.text, run);
}

// Bits of the keys that do nothing in the run, in the order of the table.
static unsigned idle_keys(const bi_run *run)
{
    const run_key *key;
    unsigned idle = 0;
    for (int k = 0; (key = run_key_at(k)); k++) {
        idle |= run_key_idle(key, run) ? 1u << k : 0u;
    }
    return idle;
}

// What is written down and does nothing is a mistake of the file.
static void tell_idle(reader *r, const yaml_node *map, const char *where, unsigned idle, const bi_run *run)
{
    const run_key *key;
    for (int k = 0; map->kind == YAML_MAP && (key = run_key_at(k)); k++) {
        const yaml_node *node = idle & 1u << k ? yaml_get(map, key->def.key) : NULL;
        const char *why = run_key_idle(key, run);
        if (node && why) {
            reader_error(r, node, where_at(where, key->def.key).text, "%s", why);
        }
    }
}

// The keys that do nothing there, without those of which a mistake was told; none when it is not known what was meant.
static unsigned read_case(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    const run_key *key;
    unsigned wrong = 0;
    bool is_clear = true;
    if (!reader_expect(r, map, YAML_MAP, where, "a mapping such as {time: 10, dt: 1e-3}")) {
        return 0;
    }
    reader_known(r, map, &keys_run, where);
    for (int k = 0; (key = run_key_at(k)); k++) {
        bool is_good = read_option(r, map, key, where, run);
        bool decides = strcmp(key->def.key, "scheme") == 0 || strcmp(key->def.key, "dt") == 0;
        is_clear = is_clear && (is_good || !decides);
        wrong |= is_good ? 0u : 1u << k;
    }
    // an error that is said is one for steps that are chosen, also when the scheme chose them before
    run->is_auto_by_scheme = run->is_auto_by_scheme && !yaml_get(map, "tolerance");
    bool has_limits = yaml_get(map, "dt_min") || yaml_get(map, "dt_max");
    if (has_limits && run->dt_max > 0.0 && run->dt_min > run->dt_max) {
        reader_error(r, map, where, "dt_min is larger than dt_max");
    }
    return is_clear ? idle_keys(run) & ~wrong : 0;
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

// ---- what a case leaves out -----------------------------------------------------------------------------------------

enum { MOST_REMOVED = 64 }; // bits of reader.removed

static void check_remove(reader *r, const yaml_node *map, const char *case_where)
{
    const yaml_node *list = yaml_get(map, "remove");
    where_path where = where_at(case_where, "remove");
    if (!list ||
        !reader_expect(r, list, YAML_LIST, where.text, "a list such as [joints.rope, forces.motor]")) {
        return;
    }
    if (list->count > MOST_REMOVED) {
        reader_error(r, list, where.text, "names %d entries, and %d is the most", list->count, MOST_REMOVED);
    }
    for (int k = 0; k < list->count; k++) {
        const yaml_node *item = list->item[k];
        if (reader_expect(r, item, YAML_SCALAR, where.text, "an entry such as joints.rope") &&
            !strchr(item->text, '.')) {
            reader_error(r, item, where.text, "'%.80s' needs its section before it, such as joints.%.80s",
                         item->text, item->text);
        }
    }
}

bool reader_is_removed(reader *r, const char *section, const char *name)
{
    size_t length = strlen(section);
    for (int k = 0; r->remove && k < r->remove->count && k < MOST_REMOVED; k++) {
        const yaml_node *item = r->remove->item[k];
        if (item->kind == YAML_SCALAR && strncmp(item->text, section, length) == 0 &&
            item->text[length] == '.' && strcmp(item->text + length + 1, name) == 0) {
            r->removed |= (uint64_t)1 << k;
            return true;
        }
    }
    return false;
}

void check_removed(reader *r)
{
    for (int k = 0; r->remove && k < r->remove->count && k < MOST_REMOVED; k++) {
        const yaml_node *item = r->remove->item[k];
        if (item->kind == YAML_SCALAR && strchr(item->text, '.') && !(r->removed >> k & 1u)) {
            reader_error(r, item, "runs.remove",
                         "the model has no '%.80s'; write section and name, such as joints.rope", item->text);
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

// The cases of `runs`, also those not chosen, whose mistakes are warnings when another one is; gives the keys of the base that do nothing in any of them.
static unsigned read_cases(reader *r, const yaml_node *runs, const char *run_name, bi_run *run,
                           bool *is_found)
{
    const bi_run base = *run;
    unsigned idle = ~0u;
    for (int k = 0; k < runs->count; k++) {
        bool is_chosen = run_name && strcmp(runs->key[k]->text, run_name) == 0;
        bi_run other = base;
        where_path where = where_at("runs", runs->key[k]->text);
        r->is_spared = run_name && run_name[0] && !is_chosen;
        unsigned idle_there = read_case(r, runs->item[k], where.text, &other);
        tell_idle(r, runs->item[k], where.text, idle_there, &other);
        check_set(r, runs->item[k], where.text);
        check_remove(r, runs->item[k], where.text);
        r->is_spared = false;
        const yaml_node *remove = yaml_get(runs->item[k], "remove");
        r->remove = is_chosen && remove && remove->kind == YAML_LIST ? remove : r->remove;
        idle &= idle_there;
        *run = is_chosen ? other : *run;
        *is_found = *is_found || is_chosen;
    }
    return idle;
}

void read_run(reader *r, const char *run_name, bi_run *run)
{
    const yaml_node *base = yaml_get(r->root, "run"), *runs = yaml_get(r->root, "runs");
    unsigned idle = base ? read_case(r, base, "run", run) : 0;
    const bi_run described = *run;
    if (base && yaml_get(base, "set")) {
        reader_error(r, yaml_get(base, "set"), "run",
                     "'set' is for the cases of 'runs'; change the parameter itself");
    }
    if (base && yaml_get(base, "remove")) {
        reader_error(r, yaml_get(base, "remove"), "run", "'remove' is for the cases of 'runs'");
    }
    bool is_found = !run_name || !run_name[0];
    bool has_cases = runs && (runs->kind != YAML_SCALAR || runs->text[0]) &&
                     reader_expect(r, runs, YAML_MAP, "runs", "a mapping of named cases");
    if (has_cases) {
        idle &= read_cases(r, runs, run_name, run, &is_found);
    }
    if (base) {
        tell_idle(r, base, "run", idle, &described);
    }
    if (!is_found) {
        tell_missing(r, runs, run_name);
    }
}
