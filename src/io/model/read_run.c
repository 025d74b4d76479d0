// SPDX-License-Identifier: MIT
// How long and how finely to run: the section `run`, and the named cases in `runs`.
#include "io/model/reader.h"
#include <biela/names.h>
#include <stdio.h>
#include <string.h>

static void read_seconds(reader *r, const yaml_node *map, const char *key, const char *where, double *value)
{
    const yaml_node *node = yaml_get(map, key);
    where_path here = where_at(where, key);
    double number = 0.0;
    if (!node || !reader_number(r, node, "s", here.text, &number)) {
        return;
    }
    // time: 0 is the first moment only; every: 0 is each step
    bool may_be_zero = strncmp(key, "dt", 2) != 0;
    if (may_be_zero ? !(number >= 0.0) : !(number > 0.0)) {
        reader_error(r, node, here.text, "must %s, and it is %g",
                     may_be_zero ? "not be negative" : "be positive", number);
        return;
    }
    *value = number;
}

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

// A number of a range, both ends included.
static void read_within(reader *r, const yaml_node *map, const char *key, const char *where, double low,
                        double high, double *value)
{
    const yaml_node *node = yaml_get(map, key);
    where_path here = where_at(where, key);
    double number = 0.0;
    if (!node || !reader_number(r, node, "1", here.text, &number)) {
        return;
    }
    if (!(number >= low && number <= high)) {
        reader_error(r, node, here.text, "must be between %g and %g, and it is %g", low, high, number);
        return;
    }
    *value = number;
}

// A step, or `auto`: as long as the tolerance allows.
static void read_step(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    const yaml_node *dt = yaml_get(map, "dt"), *tolerance = yaml_get(map, "tolerance");
    const yaml_node *scheme = yaml_get(map, "scheme");
    // some choose their steps unless the file does
    int found = scheme && scheme->kind == YAML_SCALAR ? bi_scheme_find(scheme->text) : -1;
    if (!dt && found >= 0 && bi_scheme_chooses_steps((bi_scheme)found)) {
        run->is_auto = true;
    }
    if (dt && dt->kind == YAML_SCALAR && strcmp(dt->text, "auto") == 0) {
        run->is_auto = true;
    } else if (dt) {
        run->is_auto = false;
        read_seconds(r, map, "dt", where, &run->dt);
    }
    if (tolerance && !run->is_auto) {
        reader_error(r, tolerance, where_at(where, "tolerance").text,
                     "is for steps chosen by error: add 'dt: auto'");
    }
    read_within(r, map, "tolerance", where, 1e-12, 0.1, &run->tolerance);
    read_seconds(r, map, "dt_min", where, &run->dt_min);
    read_seconds(r, map, "dt_max", where, &run->dt_max);
    if (run->dt_max > 0.0 && run->dt_min > run->dt_max) {
        reader_error(r, map, where, "dt_min is larger than dt_max");
    }
}

static void read_choices(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    read_within(r, map, "rho", where, 0.0, 1.0, &run->rho);
    int k = reader_word_of(r, map, &keys_run, "solver", where);
    if (k >= 0) {
        run->solver = (bi_solver)k;
    }
    k = reader_word_of(r, map, &keys_run, "start", where);
    if (k >= 0) {
        run->starts_in_equilibrium = k == 1;
    }
}

// How explicit schemes stay on the constraints.
static void read_stabilisation(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    static const double usual = 50.0; // 1/s
    const yaml_node *alpha = yaml_get(map, "alpha");
    int k = reader_word_of(r, map, &keys_run, "stabilisation", where);
    if (k >= 0) {
        run->baumgarte = k == 0 ? 0.0 : usual;
    }
    double number = 0.0;
    if (alpha && reader_number(r, alpha, "1/s", where_at(where, "alpha").text, &number)) {
        if (!(run->baumgarte > 0.0)) {
            reader_error(r, alpha, where_at(where, "alpha").text,
                         "is for 'stabilisation: baumgarte', which is not asked for");
        } else if (!(number > 0.0)) {
            reader_error(r, alpha, where_at(where, "alpha").text, "must be positive, and it is %g", number);
        } else {
            run->baumgarte = number;
        }
    }
}

// The file beside the model file that drives the inputs; it is read when the inputs are known.
static void read_manoeuvre_of(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    const yaml_node *node = yaml_get(map, "manoeuvre");
    where_path here = where_at(where, "manoeuvre");
    if (!node || !reader_expect(r, node, YAML_SCALAR, here.text, "the name of a CSV file")) {
        return;
    }
    const char *slash = r->file && node->text[0] != '/' ? strrchr(r->file, '/') : NULL;
    int folder = slash ? (int)(slash - r->file) + 1 : 0;
    int length =
        snprintf(run->manoeuvre, sizeof run->manoeuvre, "%.*s%s", folder, folder ? r->file : "", node->text);
    if (length >= (int)sizeof run->manoeuvre) {
        reader_error(r, node, here.text, "the name of the file is too long");
        run->manoeuvre[0] = '\0';
    }
}

static void read_case(reader *r, const yaml_node *map, const char *where, bi_run *run)
{
    if (!reader_expect(r, map, YAML_MAP, where, "a mapping such as {time: 10, dt: 1e-3}")) {
        return;
    }
    reader_known(r, map, &keys_run, where);
    read_seconds(r, map, "time", where, &run->time);
    read_step(r, map, where, run);
    read_seconds(r, map, "every", where, &run->every);
    read_seconds(r, map, "sleep", where, &run->sleep);
    read_choices(r, map, where, run);
    read_stabilisation(r, map, where, run);
    read_manoeuvre_of(r, map, where, run);
    if (reader_word_of(r, map, &keys_run, "scheme", where) >= 0) {
        run->scheme = (bi_scheme)bi_scheme_find(yaml_get(map, "scheme")->text);
    }
    int k = reader_word_of(r, map, &keys_run, "formulation", where);
    if (k >= 0) {
        run->coordinates = (bi_coordinates)k;
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
