// SPDX-License-Identifier: MIT
// The entries of a section, and their repetition by `for: {i: 1..N}`.
#include "io/kept/journal.h"
#include <stdlib.h>
#include <string.h>

// One entry under way.
typedef struct {
    reader *r;
    const char *section;
    name_set *set;
    reader_entry *read;
    yaml_node *key;
    const yaml_node *value;
    const yaml_node *indices; // the map after `for`
    reader_turn_of *turn;     // instead of reading an entry with a name; NULL: entries
    void *context;            // of `turn`
} repetition;

// Outputs may contain dots inside, as in `s.rate`: a channel may be called so.
static bool is_entry_name(const char *section, const char *name)
{
    if (strcmp(section, "outputs") != 0) {
        return names_is_name(name);
    }
    char plain[200];
    size_t length = strlen(name);
    if (length >= sizeof plain || name[0] == '.' || (length > 0 && name[length - 1] == '.')) {
        return false;
    }
    for (size_t k = 0; k <= length; k++) {
        plain[k] = name[k] == '.' ? '_' : name[k];
    }
    return names_is_name(plain);
}

// The name after substitution, entered into the set; -1: a mistake was told.
static int new_name(const repetition *p, const char *name)
{
    reader *r = p->r;
    if (!is_entry_name(p->section, name)) {
        reader_error(r, p->key, p->section, "'%.80s' is not a name; use letters, digits, '_' and '-'", name);
        return -1;
    }
    if (strcmp(p->section, "bodies") == 0 && strcmp(name, "ground") == 0) {
        reader_error(r, p->key, p->section,
                     "'ground' is the fixed world and always there; choose another name");
        return -1;
    }
    // a line of an included file counts as negative
    int line = r->scope->outer ? -p->key->line : p->key->line;
    name = reader_full_name(r, name);
    int known = name_set_find(p->set, name);
    if (known >= 0 && p->set->line[known] == line) {
        reader_error(r, p->key, p->section, "the repetition makes the name '%.80s' twice; put $i into it",
                     name);
        return -1;
    }
    if (known >= 0 && (p->set->line[known] < 0) != (line < 0)) {
        reader_error(r, p->key, p->section, "the name '%.80s' is also in %s file; change the prefix", name,
                     line < 0 ? "the including" : "an included");
        return -1;
    }
    if (known >= 0) {
        reader_error(r, p->key, p->section, "the name '%.80s' is used twice (first in line %d)", name,
                     abs(p->set->line[known]));
        return -1;
    }
    return name_set_add(p->set, name, line);
}

static void fill_up(const repetition *p)
{
    p->r->is_full = true;
    p->set->is_incomplete = true;
    reader_error(p->r, p->key, p->section, "the file makes more than %d entries; shorten the repetitions",
                 READER_MAX_ENTRIES);
}

static void read_one(const repetition *p)
{
    reader *r = p->r;
    if (r->is_full) {
        return;
    }
    if (r->n_expanded++ == READER_MAX_ENTRIES) {
        fill_up(p);
        return;
    }
    r->entry = p->key;
    r->repeats = p->indices != NULL;
    const char *name = reader_text(r, p->key, p->section);
    if (name && reader_is_removed(r, p->section, reader_full_name(r, name))) {
        blocks_free(&r->memory);
        r->entry = NULL;
        r->repeats = false;
        return;
    }
    int k = name ? new_name(p, name) : -1;
    if (k >= 0) {
        name = reader_full_name(r, name);
        spot *outer = journal_begin(r, p->section, name, p->read, p->key, p->value, p->indices);
        int32_t id = p->read(r, name, p->value, where_at(p->section, name).text);
        p->set->id[k] = id; // the set may have grown meanwhile
        journal_end(r, outer, id);
    } else {
        p->set->is_incomplete = true;
    }
    blocks_free(&r->memory);
    r->entry = NULL;
    r->repeats = false;
}

// The two ends of `1..N`. False: a mistake was told.
static bool read_range(reader *r, const yaml_node *node, const char *where, double *first, double *last)
{
    if (!reader_expect(r, node, YAML_SCALAR, where, "a range such as 1..N")) {
        return false;
    }
    const char *dots = strstr(node->text, "..");
    if (!dots) {
        reader_error(r, node, where, "a range such as 1..N is expected here, not '%.80s'", node->text);
        return false;
    }
    size_t before = (size_t)(dots - node->text), after = before + 2;
    while (node->text[after] == ' ') {
        after++;
    }
    bool has_first = reader_part(r, node, 0, before, where, first);
    bool has_last = reader_part(r, node, after, strlen(node->text + after), where, last);
    if (!has_first || !has_last) {
        return false;
    }
    if (*last - *first >= READER_MAX_ENTRIES) {
        reader_error(r, node, where, "the range has %.0f values; at most %d are possible",
                     *last - *first + 1.0, READER_MAX_ENTRIES);
        return false;
    }
    return true;
}

static bool is_index_name(const repetition *p, const yaml_node *key)
{
    reader *r = p->r;
    if (!names_is_identifier(key->text)) {
        reader_error(r, key, p->section,
                     "'%.80s' is not a name for an index; use letters, digits and '_', not t or pi",
                     key->text);
        return false;
    }
    if (name_set_find(&r->parameters, key->text) >= 0 || name_set_find(&r->inputs, key->text) >= 0) {
        reader_error(r, key, p->section,
                     "the index '%.80s' has the name of a parameter or an input; choose another", key->text);
        return false;
    }
    return true;
}

// Runs the index number `level` through its range, and the ones after it inside. The depth is the number of indices,
// which reader_section limits.
static void repeat(const repetition *p, int level)
{
    reader *r = p->r;
    if (level == p->indices->count && p->turn) {
        p->turn(r, p->value, p->context);
        return;
    }
    if (level == p->indices->count) {
        read_one(p);
        return;
    }
    const char *name = p->indices->key[level]->text;
    double first = 0.0, last = 0.0;
    r->entry = p->key;
    r->repeats = true;
    bool is_good = read_range(r, p->indices->item[level], where_at(p->section, "for").text, &first, &last);
    blocks_free(&r->memory);
    r->repeats = false;
    r->entry = NULL;
    p->set->is_incomplete = p->set->is_incomplete || !is_good;
    for (double i = first; is_good && i <= last && !r->is_full; i += 1.0) {
        // empty ranges inside long ones make turns without entries
        if (r->n_turns++ == READER_MAX_TURNS) {
            fill_up(p);
        }
        bi_model_parameter(r->model, name, i, NULL);
        repeat(p, level + 1);
    }
    bi_model_forget(r->model, name);
}

static void read_repeated(const repetition *p)
{
    enum { MOST_INDICES = 4 };
    reader *r = p->r;
    r->entry = p->key;
    bool is_good = reader_expect(r, p->indices, YAML_MAP, p->section, "a mapping such as {i: 1..N}");
    if (is_good && p->indices->count > MOST_INDICES) {
        reader_error(r, p->indices, p->section, "at most %d indices are possible", MOST_INDICES);
        is_good = false;
    }
    for (int k = 0; is_good && k < p->indices->count; k++) {
        is_good = is_index_name(p, p->indices->key[k]);
    }
    r->entry = NULL;
    if (is_good) {
        repeat(p, 0);
    } else {
        p->set->is_incomplete = true;
    }
}

void reader_section(reader *r, const char *section, name_set *set, reader_entry *read)
{
    journal_section(r, section);
    const yaml_node *map = yaml_get(r->root, section);
    // nothing behind the key is an empty section
    if (!map || (map->kind == YAML_SCALAR && !map->text[0])) {
        return;
    }
    if (!reader_expect(r, map, YAML_MAP, section, "a mapping of names")) {
        set->is_incomplete = true;
        return;
    }
    for (int k = 0; k < map->count; k++) {
        repetition p = { .r = r,
                         .section = section,
                         .set = set,
                         .read = read,
                         .key = map->key[k],
                         .value = map->item[k],
                         .indices = yaml_get(map->item[k], "for") };
        if (p.indices) {
            read_repeated(&p);
        } else {
            read_one(&p);
        }
    }
}

void reader_repeat(reader *r, const char *section, yaml_node *map, name_set *set, reader_turn_of *turn,
                   void *context)
{
    repetition p = { .r = r,
                     .section = section,
                     .set = set,
                     .key = map,
                     .value = map,
                     .indices = yaml_get(map, "for"),
                     .turn = turn,
                     .context = context };
    if (p.indices) {
        read_repeated(&p);
    } else {
        turn(r, map, context);
    }
}
