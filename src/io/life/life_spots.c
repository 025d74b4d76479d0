// SPDX-License-Identifier: MIT
#include "io/life/life_spots.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const key_def spot_keys[] = {
    KEY("body", "text", "flexible body", KEY_REQUIRED),
    KEY("elements", "[text]", "by number, by name, or NAME.* for all of a line"),
    KEY("nodes", "[text]", "by number or name"),
    KEY("sections", "[text]", "all elements of these sections"),
    KEY("notch", "number", "factor of the stress"),
    KEY("curve", "text", "line of `materials` in place of that of the material"),
};
static const key_map keys_spot_life = { "life_spot", KEY_ROWS(spot_keys) };

// "NAME.*" means all names that begin with "NAME."
static bool is_name(const char *asked, const char *name)
{
    size_t n = strlen(asked);
    if (!name) {
        return false;
    }
    if (n > 2 && strcmp(asked + n - 2, ".*") == 0) {
        return strncmp(asked, name, n - 1) == 0;
    }
    return strcmp(asked, name) == 0;
}

// A number of the file that the mesh came from, or its place from 1.
static bool is_number(const char *asked, int64_t number, int place)
{
    char *end;
    long long value = strtoll(asked, &end, 10);
    return *asked && !*end && value == (number ? number : place + 1);
}

static int mark(const bi_fe_mesh *mesh, const char *key, const char *asked, life_spot *s)
{
    int count = 0;
    bool is_node = strcmp(key, "nodes") == 0, is_section = strcmp(key, "sections") == 0;
    for (int k = 0; k < (is_node ? mesh->n_node : mesh->n_element); k++) {
        const bi_fe_element *e = &mesh->element[is_node ? 0 : k];
        const bi_fe_node *n = &mesh->node[is_node ? k : 0];
        bool is_it = is_node      ? is_name(asked, n->name) || is_number(asked, n->number, k)
                     : is_section ? e->section >= 0 && is_name(asked, mesh->section[e->section].name)
                                  : is_name(asked, e->name) || is_number(asked, e->number, k);
        if (is_it) {
            (is_node ? s->is_node : s->is_element)[k] = true;
            count++;
        }
    }
    return count;
}

static void mark_list(reader *r, const yaml_node *one, const char *key, const bi_fe_mesh *mesh,
                      const char *where, life_spot *s)
{
    const yaml_node *list = yaml_get(one, key);
    where_path here = where_at(where, key);
    if (!list || !reader_expect(r, list, YAML_LIST, here.text, "a list of names or numbers")) {
        return;
    }
    for (int k = 0; k < list->count; k++) {
        const yaml_node *item = list->item[k];
        if (reader_expect(r, item, YAML_SCALAR, here.text, "a name or a number") &&
            mark(mesh, key, item->text, s) == 0) {
            reader_error(r, item, here.text, "the mesh of the body has no such %.*s: '%s'",
                         (int)strlen(key) - 1, key, item->text);
        }
    }
}

static bi_body find_body(const bi_model *m, const char *name)
{
    for (int b = 1; b <= bi_model_body_count(m); b++) {
        if (strcmp(bi_model_body_name(m, (bi_body){ b }), name) == 0) {
            return (bi_body){ b };
        }
    }
    return (bi_body){ 0 };
}

static void read_spot(reader *r, const char *name, const yaml_node *one, const char *where, life_data *d)
{
    life_spot *s = &d->spot[d->n_spot];
    *s = (life_spot){ .notch = 1.0, .curve = -1 };
    if (strlen(name) >= sizeof s->name) {
        reader_error(r, one, where, "the name has more than %d letters", (int)sizeof s->name - 1);
        return;
    }
    memcpy(s->name, name, strlen(name) + 1);
    reader_known(r, one, &keys_spot_life, where);
    const yaml_node *body = yaml_get(one, "body"), *curve = yaml_get(one, "curve");
    if (!body || !reader_expect(r, body, YAML_SCALAR, where, "the name of a flexible body")) {
        reader_error(r, body ? body : one, where, "needs 'body', the name of a flexible body");
        return;
    }
    s->body = find_body(r->model, body->text);
    const bi_flex *flex = s->body.i > 0 ? bi_model_flex(r->model, s->body) : NULL;
    if (!flex) {
        reader_error(r, body, where, "'%s' is not a flexible body of this model", body->text);
        return;
    }
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    s->is_element = calloc((size_t)mesh->n_element + 1, sizeof *s->is_element);
    s->is_node = calloc((size_t)mesh->n_node + 1, sizeof *s->is_node);
    d->n_spot++;
    if (!s->is_element || !s->is_node) {
        reader_error(r, one, where, "out of memory");
        return;
    }
    mark_list(r, one, "elements", mesh, where, s);
    mark_list(r, one, "nodes", mesh, where, s);
    mark_list(r, one, "sections", mesh, where, s);
    (void)reader_number_of(r, one, "notch", "1", where, &s->notch);
    if (!(s->notch > 0.0 && s->notch < 100.0)) {
        reader_error(r, yaml_get(one, "notch"), where, "'notch' must be positive and below 100, and is %g",
                     s->notch);
    }
    if (curve && reader_expect(r, curve, YAML_SCALAR, where, "the name of a line of 'materials'")) {
        s->curve = life_data_curve(d, curve->text);
        if (s->curve < 0) {
            reader_error(r, curve, where, "there is no line '%s' in 'materials'", curve->text);
        }
    }
}

void life_spots_read(reader *r, const yaml_node *map, life_data *d)
{
    if (!map || !reader_expect(r, map, YAML_MAP, "places",
                               "places such as {seam: {body: B, elements: [1], notch: 1.5}}")) {
        return;
    }
    d->spot = calloc((size_t)map->count + 1, sizeof *d->spot);
    for (int k = 0; d->spot && k < map->count; k++) {
        where_path here = where_at("places", map->key[k]->text);
        if (reader_expect(r, map->item[k], YAML_MAP, here.text,
                          "{body: B, elements: [1], notch: 1.5, curve: seam}")) {
            read_spot(r, map->key[k]->text, map->item[k], here.text, d);
        }
    }
}
