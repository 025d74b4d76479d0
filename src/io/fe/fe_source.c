// SPDX-License-Identifier: MIT
#include "io/fe/fe_source.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPLAINTS = 20 };

char *fe_next_line(fe_source *in, char *line)
{
    if (in->text >= in->end) {
        return NULL;
    }
    const char *stop = memchr(in->text, '\n', (size_t)(in->end - in->text));
    stop = stop ? stop : in->end;
    size_t length = (size_t)(stop - in->text);
    length = length < FE_LINE ? length : FE_LINE - 1;
    memcpy(line, in->text, length);
    while (length > 0 && line[length - 1] == '\r') {
        length--;
    }
    line[length] = '\0';
    in->text = stop < in->end ? stop + 1 : in->end;
    in->line++;
    return line;
}

static void report(fe_source *in, bi_severity severity, int line, const char *format, va_list args)
{
    char text[400];
    if (severity == BI_ERROR && ++in->n_complaint > MOST_COMPLAINTS) {
        return;
    }
    vsnprintf(text, sizeof text, format, args);
    bi_report_add(in->report, severity, BI_BAD_FILE, (bi_place){ in->path, line > 0 ? line : 1, 1 }, "", "%s",
                  text);
}

void fe_complain(fe_source *in, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(in, BI_ERROR, in->line, format, args);
    va_end(args);
}

void fe_complain_at(fe_source *in, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(in, BI_ERROR, line, format, args);
    va_end(args);
}

void fe_warn(fe_source *in, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(in, BI_WARNING, line, format, args);
    va_end(args);
}

// ---- lists -----------------------------------------------------------------------------------------------------

static bool reserve(fe_source *in, void **items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    int more = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = count < FE_MOST_ITEMS ? realloc(*items, (size_t)more * size) : NULL;
    if (!grown) {
        if (!in->is_full) {
            fe_complain(in, "too large: no memory, or more than %d items", (int)FE_MOST_ITEMS);
        }
        in->is_full = true;
        return false;
    }
    *items = grown;
    *capacity = more;
    return true;
}

const char *fe_keep(fe_source *in, const char *text)
{
    const char *kept = blocks_text(&in->memory, text, strlen(text));
    in->is_full = in->is_full || !kept;
    return kept ? kept : "";
}

void fe_add_node(fe_source *in, int64_t number, double x, double y, double z)
{
    bi_fe_mesh *mesh = &in->mesh;
    if (number <= 0) {
        fe_complain(in, "node %lld: numbers of nodes are positive", (long long)number);
        return;
    }
    double s = in->units.length;
    if (!isfinite(x * s) || !isfinite(y * s) || !isfinite(z * s)) {
        fe_complain(in, "node %lld: a coordinate is not finite", (long long)number);
        return;
    }
    if (reserve(in, (void **)&mesh->node, mesh->n_node, &in->cap_node, sizeof *mesh->node)) {
        mesh->node[mesh->n_node++] = (bi_fe_node){ .number = number,
                                                   .at = { s * x, s * y, s * z },
                                                   .place = { in->path, in->line, 1 } };
    }
}

fe_raw *fe_add_element(fe_source *in, int64_t number, bi_fe_kind kind, int n_node, const int64_t *node)
{
    if (!reserve(in, (void **)&in->raw, in->n_raw, &in->cap_raw, sizeof *in->raw)) {
        return NULL;
    }
    fe_raw *raw = &in->raw[in->n_raw++];
    *raw = (fe_raw){ .n_node = n_node,
                     .def = { .number = number > 0 ? number : 0,
                              .kind = kind,
                              .section = -1,
                              .material = -1,
                              .place = { in->path, in->line, 1 } } };
    memcpy(raw->node, node, (size_t)n_node * sizeof *node);
    in->has_plain_tets =
        in->has_plain_tets || (kind == BI_FE_TET10 && n_node == 4) || (kind == BI_FE_WEDGE15 && n_node == 6);
    return raw;
}

int fe_add_material(fe_source *in, const bi_material *material)
{
    bi_fe_mesh *mesh = &in->mesh;
    if (!reserve(in, (void **)&mesh->material, mesh->n_material, &in->cap_material, sizeof *mesh->material)) {
        return -1;
    }
    mesh->material[mesh->n_material] = *material;
    mesh->material[mesh->n_material].name = fe_keep(in, material->name);
    return mesh->n_material++;
}

int fe_add_section(fe_source *in, const bi_section *section)
{
    bi_fe_mesh *mesh = &in->mesh;
    if (!reserve(in, (void **)&mesh->section, mesh->n_section, &in->cap_section, sizeof *mesh->section)) {
        return -1;
    }
    mesh->section[mesh->n_section] = *section;
    mesh->section[mesh->n_section].name = fe_keep(in, section->name);
    return mesh->n_section++;
}

static fe_raw_set *find_set(fe_raw_set *set, int count, const char *name)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(set[k].name, name) == 0) {
            return &set[k];
        }
    }
    return NULL;
}

static fe_raw_set *set_of(fe_source *in, fe_raw_set **set, int *count, int *capacity, const char *name)
{
    fe_raw_set *found = find_set(*set, *count, name);
    if (found) {
        return found;
    }
    if (*count >= 10000 || !reserve(in, (void **)set, *count, capacity, sizeof **set)) {
        return NULL;
    }
    (*set)[*count] = (fe_raw_set){ .name = fe_keep(in, name), .line = in->line };
    return &(*set)[(*count)++];
}

fe_raw_set *fe_node_set(fe_source *in, const char *name)
{
    return set_of(in, &in->node_set, &in->n_node_set, &in->cap_node_set, name);
}

fe_raw_set *fe_element_set(fe_source *in, const char *name)
{
    return set_of(in, &in->element_set, &in->n_element_set, &in->cap_element_set, name);
}

fe_raw_set *fe_find_element_set(fe_source *in, const char *name)
{
    return find_set(in->element_set, in->n_element_set, name);
}

fe_raw_set *fe_find_node_set(fe_source *in, const char *name)
{
    return find_set(in->node_set, in->n_node_set, name);
}

void fe_set_add(fe_source *in, fe_raw_set *set, int64_t number)
{
    if (set && reserve(in, (void **)&set->item, set->count, &set->capacity, sizeof *set->item)) {
        set->item[set->count++] = number;
    }
}

// ---- words -----------------------------------------------------------------------------------------------------

char *fe_trim(char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) {
        text[--length] = '\0';
    }
    return text;
}

bool fe_integer(const char *text, int64_t *value)
{
    char *end;
    long long number = strtoll(text, &end, 10);
    if (end == text || (*end != '\0' && !isspace((unsigned char)*end) && *end != ',')) {
        return false;
    }
    *value = number;
    return true;
}

bool fe_number(const char *text, double *value)
{
    // an exponent may lack its letter, and the letter may be d
    char word[FE_WORD];
    size_t n = 0;
    while (isspace((unsigned char)*text)) {
        text++;
    }
    for (const char *c = text; *c && !isspace((unsigned char)*c) && *c != ',' && n + 2 < sizeof word; c++) {
        bool is_sign = *c == '+' || *c == '-';
        if (is_sign && c > text && (isdigit((unsigned char)c[-1]) || c[-1] == '.')) {
            word[n++] = 'e';
        }
        word[n++] = *c == 'd' || *c == 'D' ? 'e' : *c;
    }
    word[n] = '\0';
    char *end;
    double number = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}
