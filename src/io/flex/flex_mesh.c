// SPDX-License-Identifier: MIT
#include "io/flex/flex_mesh.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(void **items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    int more = *capacity > 0 ? 2 * *capacity : 32;
    void *grown = realloc(*items, (size_t)more * size);
    if (!grown) {
        return false;
    }
    *items = grown;
    *capacity = more;
    return true;
}

static const char *keep(flex_mesh *m, const char *text)
{
    return text ? blocks_text(&m->names, text, strlen(text)) : NULL;
}

int flex_add_node(reader *r, flex_mesh *m, const bi_fe_node *node)
{
    bi_fe_mesh *mesh = &m->def.mesh;
    if (mesh->n_node >= FLEX_MOST_NODES) {
        bi_report_add(r->report, BI_ERROR, BI_FULL, node->place, "", "a mesh may have %d nodes at most",
                      (int)FLEX_MOST_NODES);
        return -1;
    }
    if (!reserve((void **)&mesh->node, mesh->n_node, &m->cap_node, sizeof *mesh->node)) {
        return -1;
    }
    mesh->node[mesh->n_node] = *node;
    mesh->node[mesh->n_node].name = keep(m, node->name);
    return mesh->n_node++;
}

int flex_add_element(reader *r, flex_mesh *m, const bi_fe_element *element)
{
    bi_fe_mesh *mesh = &m->def.mesh;
    if (mesh->n_element >= 2 * FLEX_MOST_NODES) {
        bi_report_add(r->report, BI_ERROR, BI_FULL, element->place, "", "a mesh may have %d elements at most",
                      2 * (int)FLEX_MOST_NODES);
        return -1;
    }
    if (!reserve((void **)&mesh->element, mesh->n_element, &m->cap_element, sizeof *mesh->element)) {
        return -1;
    }
    mesh->element[mesh->n_element] = *element;
    mesh->element[mesh->n_element].name = keep(m, element->name);
    return mesh->n_element++;
}

int flex_add_section(flex_mesh *m, const bi_section *section)
{
    bi_fe_mesh *mesh = &m->def.mesh;
    if (!reserve((void **)&mesh->section, mesh->n_section, &m->cap_section, sizeof *mesh->section)) {
        return -1;
    }
    mesh->section[mesh->n_section] = *section;
    mesh->section[mesh->n_section].name = keep(m, section->name);
    return mesh->n_section++;
}

int flex_add_material(flex_mesh *m, const bi_material *material)
{
    bi_fe_mesh *mesh = &m->def.mesh;
    if (!reserve((void **)&mesh->material, mesh->n_material, &m->cap_material, sizeof *mesh->material)) {
        return -1;
    }
    mesh->material[mesh->n_material] = *material;
    mesh->material[mesh->n_material].name = keep(m, material->name);
    return mesh->n_material++;
}

void flex_mesh_free(flex_mesh *m)
{
    free(m->def.mesh.node);
    free(m->def.mesh.element);
    free(m->def.mesh.section);
    free(m->def.mesh.material);
    blocks_free(&m->names);
    *m = (flex_mesh){ 0 };
}

// ---- names -------------------------------------------------------------------------------------------------------

// 0: not a number
static int64_t number_of(const char *text)
{
    char *end = NULL;
    long long number = strtoll(text, &end, 10);
    return end != text && *end == '\0' ? number : 0;
}

int flex_find_node(const bi_fe_mesh *mesh, const char *text)
{
    int64_t number = number_of(text);
    for (int k = 0; k < mesh->n_node; k++) {
        if (mesh->node[k].name && strcmp(mesh->node[k].name, text) == 0) {
            return k;
        }
    }
    // most files count from one without gaps
    if (number >= 1 && number <= mesh->n_node && mesh->node[number - 1].number == number) {
        return (int)number - 1;
    }
    for (int k = 0; number > 0 && k < mesh->n_node; k++) {
        if (mesh->node[k].number == number) {
            return k;
        }
    }
    return -1;
}

int flex_find_element(const bi_fe_mesh *mesh, const char *text)
{
    int64_t number = number_of(text);
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        if ((e->name && strcmp(e->name, text) == 0) || (number > 0 && e->number == number)) {
            return k;
        }
    }
    return -1;
}

// Letters that differ, position by position, and the difference of lengths: enough for a typing mistake.
static int difference(const char *a, const char *b)
{
    int count = 0;
    while (*a && *b) {
        count += *a++ != *b++;
    }
    return count + (int)strlen(a) + (int)strlen(b);
}

const char *flex_hint(flex_mesh *m, const char *text)
{
    const char *best = NULL;
    int least = 3;
    for (int k = 0; k < m->def.mesh.n_node; k++) {
        const char *name = m->def.mesh.node[k].name;
        int d = name ? difference(name, text) : least;
        if (name && d < least) {
            least = d;
            best = name;
        }
    }
    char hint[120];
    snprintf(hint, sizeof hint, "; did you mean '%.60s'?", best ? best : "");
    const char *kept = best ? keep(m, hint) : "";
    return kept ? kept : "";
}

// ---- tables ------------------------------------------------------------------------------------------------------

static char *trimmed(char *from, char *to)
{
    while (from < to && (*from == ' ' || *from == '\t')) {
        from++;
    }
    while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r')) {
        to--;
    }
    *to = '\0';
    return from;
}

static int count_of(const char *text, char letter, char stop)
{
    int count = 0;
    for (; *text && *text != stop; text++) {
        count += *text == letter;
    }
    return count;
}

// One line into `n` cells. False: another number of them.
static bool split(char *line, int n, char **cell, int *column)
{
    char *from = line;
    int k = 0;
    for (char *at = line;; at++) {
        bool is_end = *at == '\0';
        if (*at == ',' || is_end) {
            char *cut = at;
            if (k < n) {
                cell[k] = trimmed(from, cut);
                if (column) {
                    column[k] = (int)(cell[k] - line) + 1;
                }
            }
            k++;
            from = at + 1;
        }
        if (is_end) {
            return k == n;
        }
    }
}

static bool fill_rows(reader *r, flex_mesh *m, char *text, text_table *t, const char *where)
{
    size_t most = (size_t)count_of(text, '\n', '\0') + 1;
    t->cell = blocks_new(&m->names, most * (size_t)t->n_column * sizeof *t->cell);
    t->column = blocks_new(&m->names, most * (size_t)t->n_column * sizeof *t->column);
    t->line = blocks_new(&m->names, most * sizeof *t->line);
    if (!t->cell || !t->column || !t->line) {
        return false;
    }
    int line = 2;
    for (char *at = text; at && *at; line++) {
        char *next = strchr(at, '\n');
        if (next) {
            *next++ = '\0';
        }
        if (at[strspn(at, " \t\r")] != '\0') {
            size_t first = (size_t)t->n_row * (size_t)t->n_column;
            if (!split(at, t->n_column, t->cell + first, t->column + first)) {
                bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, (bi_place){ t->file, line, 1 }, where,
                              "this line has another number of cells than the first line, which has %d names",
                              t->n_column);
                return false;
            }
            t->line[t->n_row++] = line;
        }
        at = next;
    }
    return true;
}

bool text_table_read(reader *r, flex_mesh *m, const yaml_node *file, const char *where, text_table *out)
{
    *out = (text_table){ 0 };
    const char *name =
        reader_expect(r, file, YAML_SCALAR, where, "the name of a file") ? reader_text(r, file, where) : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    size_t length = 0;
    char *raw = path ? reader_whole_file(path, reader_place_of(r, file), where, &length, r->report) : NULL;
    char *text = raw ? blocks_text(&m->names, raw, length) : NULL;
    out->file = path ? keep(m, path) : NULL;
    free(raw);
    free(path);
    if (!text || !out->file) {
        return false;
    }
    char *body = strchr(text, '\n');
    if (body) {
        *body++ = '\0';
    }
    out->n_column = count_of(text, ',', '\n') + 1;
    out->head = blocks_new(&m->names, (size_t)out->n_column * sizeof *out->head);
    return out->head && split(text, out->n_column, out->head, NULL) &&
           (!body || fill_rows(r, m, body, out, where));
}

int text_table_column(const text_table *t, const char *name)
{
    for (int k = 0; k < t->n_column; k++) {
        if (strcmp(t->head[k], name) == 0) {
            return k;
        }
    }
    return -1;
}
