// SPDX-License-Identifier: MIT
// Parameters in any order, changed by a named case and by the command line; and inputs.
#include "io/kept/journal.h"
#include <biela/look.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const yaml_node *node; // the value; NULL: not readable, or of the command line
    const char *text, *unit;
    const char *setting;                           // "--set name=value", or NULL
    const yaml_node *min, *max, *help, *tolerance; // NULL: none
    double value;                                  // once DONE, SI
    bool is_known;                                 // the value is not a mistake
    size_t scanned;                                // letters of `text` in which names were looked for
    enum { WAITING, OPEN, DONE } state;
    int reached; // while OPEN: a parameter it leads to that is open too; -1: none
} parameter;

typedef struct {
    reader *r;
    parameter *item; // (r->parameters.count)
    int *open;       // (n_open) chain of parameters, each needed by the one before
    int n_open;
    blocks memory;
} parameter_list;

// ---- text ----------------------------------------------------------------------------------------

// Letters of a number at the beginning of the text; 0: none.
static size_t number_length(const char *text)
{
    const char *c = text + strspn(text, "+-");
    if (c - text > 1 || !strchr("0123456789.", *c) || !*c) {
        return 0;
    }
    char *end;
    (void)strtod(text, &end);
    return (size_t)(end - text);
}

static bool is_number(const char *text)
{
    size_t length = number_length(text);
    return length > 0 && text[length + strspn(text + length, " ")] == '\0';
}

// The unit of "30 deg"; NULL: the text is something else.
static const char *unit_behind_number(const char *text)
{
    size_t length = number_length(text);
    size_t blanks = strspn(text + length, " ");
    const char *unit = text + length + blanks;
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%*/^-";
    bool is_unit = length > 0 && blanks > 0 && *unit && unit[strspn(unit, letters)] == '\0' && *unit != '-' &&
                   *unit != '*' && *unit != '/' && *unit != '^';
    return is_unit ? unit : NULL;
}

// The next name in the text from *at on, moved behind it. NULL: none.
static const char *next_name(const char *text, size_t *at, size_t *length)
{
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char *const more = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    while (text[*at]) {
        const char *start = text + *at;
        size_t number = *start == '+' || *start == '-' ? 0 : number_length(start);
        if (number > 0) {
            *at += number;
        } else if (strchr(letters, *start)) {
            *length = strspn(start, more);
            *at += *length;
            return start;
        } else {
            ++*at;
        }
    }
    return NULL;
}

// A bare number is in the unit of the parameter.
static const char *with_unit(parameter_list *list, const char *text, const char *unit)
{
    if (!unit || !is_number(text)) {
        return text;
    }
    size_t size = strlen(text) + strlen(unit) + 2;
    char *both = blocks_new(&list->memory, size);
    if (both) {
        snprintf(both, size, "%s %s", text, unit);
    }
    return both ? both : text;
}

// ---- reading -------------------------------------------------------------------------------------

// Takes the scalar `node` as the value.
static void set_node(parameter_list *list, parameter *p, const yaml_node *node, const char *where)
{
    p->node = NULL;
    if (reader_expect(list->r, node, YAML_SCALAR, where, "a number or an expression")) {
        p->node = node;
        p->text = with_unit(list, node->text, p->unit);
    }
}

static void read_unit(parameter_list *list, parameter *p, const yaml_node *node, const char *where)
{
    reader *r = list->r;
    if (!reader_expect(r, node, YAML_SCALAR, where, "a unit such as deg or N/m")) {
        return;
    }
    // one such unit is a number exactly when the unit is known
    char one[80];
    snprintf(one, sizeof one, "1 %.70s", node->text);
    bi_report scratch = { 0 };
    double value;
    reader_place(r, node);
    if (unit_behind_number(one) && bi_model_number(r->model, one, NULL, where, &value, &scratch)) {
        p->unit = node->text;
    } else if (scratch.count > 0) {
        reader_forward(r, &scratch, node, false);
    } else {
        reader_error(r, node, where, "'%.70s' is not a unit", node->text);
    }
    bi_report_clear(&scratch);
}

static void read_parameter(parameter_list *list, parameter *p, const yaml_node *value, const char *where)
{
    reader *r = list->r;
    if (value->kind != YAML_MAP) {
        set_node(list, p, value, where);
        p->unit = p->node ? unit_behind_number(p->text) : NULL;
        return;
    }
    reader_known(r, value, &keys_parameter, where);
    p->min = yaml_get(value, "min");
    p->max = yaml_get(value, "max");
    p->help = yaml_get(value, "help");
    p->tolerance = yaml_get(value, "tolerance");
    const yaml_node *unit = yaml_get(value, "unit"), *inner = yaml_get(value, "value");
    if (unit) {
        read_unit(list, p, unit, where_at(where, "unit").text);
    }
    if (inner) {
        set_node(list, p, inner, where_at(where, "value").text);
    } else {
        reader_error(r, value, where, "needs 'value'");
    }
}

static const yaml_node *collect(parameter_list *list)
{
    reader *r = list->r;
    const yaml_node *map = yaml_get(r->root, "parameters");
    if (!map || (map->kind == YAML_SCALAR && !map->text[0]) ||
        !reader_expect(r, map, YAML_MAP, "parameters", "a mapping of names")) {
        return NULL;
    }
    for (int k = 0; k < map->count; k++) {
        if (names_is_identifier(map->key[k]->text)) {
            name_set_add(&r->parameters, map->key[k]->text, map->key[k]->line);
        } else {
            reader_error(r, map->key[k], "parameters",
                         "'%.80s' is not a name for a parameter; use letters, digits and '_', not t or pi",
                         map->key[k]->text);
        }
    }
    return map;
}

// ---- changes -------------------------------------------------------------------------------------

// `set: {p: v}` of the chosen case of `runs`.
static void apply_case(parameter_list *list, const char *run_name)
{
    reader *r = list->r;
    const yaml_node *chosen = run_name ? yaml_get(yaml_get(r->root, "runs"), run_name) : NULL;
    const yaml_node *set = chosen ? yaml_get(chosen, "set") : NULL;
    for (int k = 0; set && set->kind == YAML_MAP && k < set->count; k++) {
        // read_run tells unknown names, of all cases
        int index = name_set_find(&r->parameters, set->key[k]->text);
        if (index >= 0) {
            set_node(list, &list->item[index], set->item[k], where_at("runs.set", set->key[k]->text).text);
        }
    }
}

static void apply_settings(parameter_list *list)
{
    reader *r = list->r;
    for (int k = 0; k < r->n_setting; k++) {
        const bi_setting *s = &r->setting[k];
        if (!s->name || !s->value) {
            reader_tell(
                r,
                &(bi_issue){
                    BI_ERROR, BI_BAD_ARGUMENT, { 0 }, "parameters", "a setting needs a name and a value" });
            continue;
        }
        size_t size = strlen(s->name) + strlen(s->value) + 8;
        char *shown = blocks_new(&list->memory, size), hint[NAMES_HINT_SIZE], what[300];
        if (!shown) {
            continue;
        }
        snprintf(shown, size, "--set %s=%s", s->name, s->value);
        int index = name_set_find(&r->parameters, s->name);
        if (index < 0) {
            snprintf(what, sizeof what, "there is no parameter called '%.80s'%s", s->name,
                     names_hint(s->name, r->parameters.name, r->parameters.count, hint));
            reader_tell(r, &(bi_issue){ BI_ERROR, BI_BAD_MODEL, { shown, 0, 0 }, "parameters", what });
            continue;
        }
        parameter *p = &list->item[index];
        p->node = NULL;
        p->setting = shown;
        p->text = with_unit(list, s->value, p->unit);
    }
}

// `set` of the including file, in whose parameters its expressions are. They are the model's at this moment.
static void apply_include(parameter_list *list)
{
    reader *r = list->r;
    const yaml_node *set = r->scope->set;
    const char *own_file = r->file;
    r->file = r->scope->outer ? r->scope->outer->file : own_file;
    r->is_setting_include = true;
    for (int k = 0; set && k < set->count; k++) {
        const char *name = set->key[k]->text;
        const yaml_node *node = set->item[k];
        where_path where = where_at("include.set", name);
        int index = name_set_find(&r->parameters, name);
        char hint[NAMES_HINT_SIZE], *text = blocks_new(&list->memory, 40);
        double value = 0.0;
        if (index < 0) {
            reader_error(r, set->key[k], "include.set", "%.80s has no parameter called '%.80s'%s", own_file,
                         name, names_hint(name, r->parameters.name, r->parameters.count, hint));
            continue;
        }
        parameter *p = &list->item[index];
        if (!text || !reader_number(r, node, p->unit, where.text, &value)) {
            continue;
        }
        snprintf(text, 40, "%.17g", value);
        p->node = NULL;
        p->setting = r->file;
        // a bare number is in the unit of the parameter, all else in SI
        p->text = is_number(node->text) ? with_unit(list, node->text, p->unit) : text;
    }
    r->is_setting_include = false;
    r->file = own_file;
}

// An included file sees its own parameters only; read_includes brings those of the including file back.
void forget_parameters(reader *r)
{
    const char *name, *unit;
    double value;
    while (bi_model_parameter_at(r->model, 0, &name, &value, &unit)) {
        bi_model_forget(r->model, name);
    }
}

// ---- evaluation ----------------------------------------------------------------------------------

// The chain of open parameters from `first` on: "a -> b -> a".
static void cycle_text(const parameter_list *list, int first, char *text, size_t size)
{
    size_t used = 0;
    int k = 0;
    while (k < list->n_open && list->open[k] != first) {
        k++;
    }
    for (; k < list->n_open && used < size; k++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%.40s -> ", list->r->parameters.name[list->open[k]]);
    }
    if (used < size) {
        snprintf(text + used, size - used, "%.40s", list->r->parameters.name[first]);
    }
}

static void tell_failure(parameter_list *list, int index, bi_report *scratch)
{
    reader *r = list->r;
    const parameter *p = &list->item[index];
    char what[600], cycle[400];
    bi_issue issue = { BI_ERROR, BI_BAD_MODEL, { p->setting, 0, 0 }, "parameters", what };
    if (p->reached >= 0) {
        cycle_text(list, p->reached, cycle, sizeof cycle);
        snprintf(what, sizeof what, "the parameters need each other: %s", cycle);
        issue.place = p->setting ? issue.place : reader_place_of(r, p->node);
        reader_tell(r, &issue);
    } else if (!p->setting) {
        // a unit added behind the text leaves the columns of the text
        reader_forward(r, scratch, p->node, p->node->text_column > 0);
    } else {
        for (int k = 0; k < scratch->count; k++) {
            reader_tell(r, &scratch->issue[k]);
        }
    }
    bi_report_clear(scratch);
}

// Defines the parameter whose names are all known by now.
static void evaluate(parameter_list *list, int index)
{
    reader *r = list->r;
    parameter *p = &list->item[index];
    const char *name = r->parameters.name[index];
    // what cannot be known counts as 1, so that mistakes do not breed
    double value = 1.0;
    if (p->text && (p->node || p->setting)) {
        bi_report scratch = { 0 };
        bi_place place = { p->setting, 0, 0 };
        if (p->node) {
            place = reader_place_of(r, p->node);
            place.column = p->node->text_column ? p->node->text_column : place.column;
        }
        // the model keeps the names of files, and each setting would be one
        if (!r->journal || !r->journal->is_closed) {
            bi_model_place(r->model, place);
        }
        journal_parameter(r, index);
        if (!bi_model_number(r->model, p->text, p->unit, where_at("parameters", name).text, &value,
                             &scratch)) {
            value = 1.0;
            tell_failure(list, index, &scratch);
        } else {
            p->is_known = true;
        }
        bi_report_clear(&scratch);
        journal_parameter(r, -1);
    }
    bi_model_parameter(r->model, name, value, p->unit);
    p->value = value;
    p->state = DONE;
}

// The next parameter that `p` needs and that is not yet known; -1: none. One that is open itself closes a circle,
// unless it only has the name of a unit: then the value will be known all the same.
static int next_need(parameter_list *list, parameter *p)
{
    size_t length = 0;
    const char *start;
    while (p->text && (start = next_name(p->text, &p->scanned, &length)) != NULL) {
        char name[128];
        if (length >= sizeof name) {
            continue;
        }
        memcpy(name, start, length);
        name[length] = '\0';
        int index = name_set_find(&list->r->parameters, name);
        if (index >= 0 && list->item[index].state == WAITING) {
            return index;
        }
        if (index >= 0 && list->item[index].state == OPEN) {
            p->reached = index;
        }
    }
    return -1;
}

static void evaluate_with_needs(parameter_list *list, int index)
{
    list->open[list->n_open++] = index;
    list->item[index].state = OPEN;
    while (list->n_open > 0) {
        int last = list->open[list->n_open - 1];
        int need = next_need(list, &list->item[last]);
        if (need >= 0) {
            list->open[list->n_open++] = need;
            list->item[need].state = OPEN;
        } else {
            evaluate(list, last);
            list->n_open--;
        }
    }
}

// ---- limits --------------------------------------------------------------------------------------

// One of its own units in SI; 1 without one.
static double unit_size(const reader *r, const parameter *p)
{
    char one[80];
    double size = 1.0;
    bi_report scratch = { 0 };
    snprintf(one, sizeof one, "1 %.70s", p->unit ? p->unit : "");
    if (!p->unit || !bi_model_number(r->model, one, NULL, "", &size, &scratch)) {
        size = 1.0;
    }
    bi_report_clear(&scratch);
    return size;
}

// A limit in the parameter's own unit, the given one if there is none: bare numbers are in it, expressions in SI.
static double limit_of(reader *r, const parameter *p, const yaml_node *node, const char *where,
                       double otherwise)
{
    double value = otherwise;
    if (!node || !reader_number(r, node, p->unit, where, &value)) {
        return otherwise;
    }
    return is_number(node->text) ? value : value / unit_size(r, p);
}

// "from 0 to 3", "at most 3", "at least 0"
static void range_text(double low, double high, char *text, size_t size)
{
    if (isfinite(low) && isfinite(high)) {
        snprintf(text, size, "from %.9g to %.9g", low, high);
    } else {
        snprintf(text, size, "at %s %.9g", isfinite(low) ? "least" : "most", isfinite(low) ? low : high);
    }
}

// Parameters with which the model would be another thing, or none.
static void check_limits(parameter_list *list, int index)
{
    reader *r = list->r;
    const parameter *p = &list->item[index];
    where_path where = where_at("parameters", r->parameters.name[index]);
    if (!p->min && !p->max) {
        return;
    }
    double value = p->value / unit_size(r, p), low = limit_of(r, p, p->min, where.text, -INFINITY),
           high = limit_of(r, p, p->max, where.text, INFINITY);
    // rounding of a sweep is no mistake
    double slack =
        1e-12 * fmax(fabs(value), fmax(isfinite(low) ? fabs(low) : 0.0, isfinite(high) ? fabs(high) : 0.0));
    if (!p->is_known || (value >= low - slack && value <= high + slack)) {
        return;
    }
    char range[100], what[400];
    bool has_help = p->help && p->help->kind == YAML_SCALAR;
    range_text(low, high, range, sizeof range);
    snprintf(what, sizeof what, "%.9g is outside of its range: %s%s%s%s%.150s", value, range,
             p->unit ? " " : "", p->unit ? p->unit : "", has_help ? "; " : "", has_help ? p->help->text : "");
    bi_issue issue = { BI_ERROR, BI_BAD_MODEL, { p->setting, 0, 0 }, where.text, what };
    issue.place = p->node ? reader_place_of(r, p->node) : issue.place;
    r->is_refused = r->is_refused || !p->node;
    reader_tell(r, &issue);
}

static void check_tolerance(parameter_list *list, int index)
{
    const parameter *p = &list->item[index];
    where_path where = where_at("parameters", list->r->parameters.name[index]);
    if (p->tolerance && !(limit_of(list->r, p, p->tolerance, where.text, 1.0) > 0.0)) {
        reader_error(list->r, p->tolerance, where.text,
                     "the tolerance must be greater than zero: the true value lies so far from this one at "
                     "most; leave it out where nothing is known");
    }
}

void read_parameters(reader *r, const char *run_name)
{
    const yaml_node *map = collect(&(parameter_list){ .r = r });
    int count = r->parameters.count;
    parameter_list list = { .r = r };
    journal_parameters(r);
    list.item = calloc((size_t)count + 1, sizeof *list.item);
    list.open = calloc((size_t)count + 1, sizeof *list.open);
    if (list.item && list.open) {
        for (int k = 0; k < count; k++) {
            list.item[k].reached = -1;
        }
        for (int k = 0; map && k < map->count; k++) {
            int index = name_set_find(&r->parameters, map->key[k]->text);
            if (index >= 0) {
                read_parameter(&list, &list.item[index], map->item[k],
                               where_at("parameters", map->key[k]->text).text);
            }
        }
        if (r->scope->outer) {
            apply_include(&list);
            forget_parameters(r);
        } else {
            apply_case(&list, run_name);
            apply_settings(&list);
        }
        for (int k = 0; k < count; k++) {
            if (list.item[k].state == WAITING) {
                evaluate_with_needs(&list, k);
            }
        }
        for (int k = 0; k < count; k++) {
            check_limits(&list, k);
            check_tolerance(&list, k);
        }
    } else {
        bi_report_add(r->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ r->file, 0, 0 }, "parameters",
                      "out of memory");
    }
    free(list.item);
    free(list.open);
    blocks_free(&list.memory);
}

// ---- inputs --------------------------------------------------------------------------------------

static void read_input(reader *r, const yaml_node *key, const yaml_node *value, bool is_again)
{
    where_path where = where_at("inputs", key->text);
    double initial = 0.0, min = -1.0, max = 1.0;
    if (!names_is_identifier(key->text)) {
        reader_error(r, key, "inputs",
                     "'%.80s' is not a name for an input; use letters, digits and '_', not t or pi",
                     key->text);
        return;
    }
    if (name_set_find(&r->parameters, key->text) >= 0) {
        reader_error(r, key, "inputs", "'%.80s' is already a parameter; choose another name", key->text);
        return;
    }
    if (value->kind == YAML_MAP) {
        reader_known(r, value, &keys_input, where.text);
        reader_number_of(r, value, "initial", NULL, where.text, &initial);
        reader_number_of(r, value, "min", NULL, where.text, &min);
        reader_number_of(r, value, "max", NULL, where.text, &max);
        if (!(min < max)) {
            reader_error(r, key, where.text, "min must be less than max (without them the range is -1 to 1)");
        }
    } else {
        reader_number(r, value, NULL, where.text, &initial);
    }
    reader_place(r, key);
    const char *name = reader_full_name(r, key->text);
    if (!is_again && name_set_add(&r->inputs, name, key->line) < 0) {
        reader_error(r, key, "inputs", "the name '%.80s' is also in another file; change the prefix", name);
        return;
    }
    const yaml_node *unit = yaml_get(value, "unit"), *help = yaml_get(value, "help");
    bi_input_about(r->model, bi_add_input(r->model, name, initial), min, max, unit ? unit->text : NULL,
                   help ? help->text : NULL);
}

// An input that was read before.
static int32_t read_input_again(reader *r, const char *name, const yaml_node *value, const char *where)
{
    (void)name;
    (void)where;
    read_input(r, r->entry, value, true);
    return 1;
}

void read_inputs(reader *r)
{
    journal_section(r, "inputs");
    const yaml_node *map = yaml_get(r->root, "inputs");
    if (!map || (map->kind == YAML_SCALAR && !map->text[0]) ||
        !reader_expect(r, map, YAML_MAP, "inputs", "a mapping of names")) {
        return;
    }
    for (int k = 0; k < map->count; k++) {
        r->entry = map->key[k];
        spot *outer =
            journal_begin(r, "inputs", map->key[k]->text, read_input_again, map->key[k], map->item[k], NULL);
        read_input(r, map->key[k], map->item[k], false);
        journal_end(r, outer, 1);
        blocks_free(&r->memory);
        r->entry = NULL;
    }
}
