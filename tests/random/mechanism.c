// SPDX-License-Identifier: MIT
// Parts, entries and fields, and how they become a model file.
#include "mechanism.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const section_name[SECTIONS] = {
    [IN_INPUTS] = "inputs",           [IN_TABLES] = "tables",   [IN_SIGNALS] = "signals",
    [IN_BODIES] = "bodies",           [IN_SHAPES] = "shapes",   [IN_PATCHES] = "patches",
    [IN_JOINTS] = "joints",           [IN_FORCES] = "forces",   [IN_GRAPHS] = "graphs",
    [IN_CONSTRAINTS] = "constraints", [IN_OUTPUTS] = "outputs",
};

part *part_add(mechanism *m)
{
    if (m->n_part == PARTS_MOST) {
        return NULL;
    }
    part *p = &m->part[m->n_part++];
    memset(p, 0, sizeof *p);
    return p;
}

int part_index(const mechanism *m, const part *p) { return (int)(p - m->part); }

void part_needs(part *p, int other)
{
    for (int k = 0; k < p->n_need; k++) {
        if (p->need[k] == other) {
            return;
        }
    }
    if (other >= 0 && p->n_need < NEEDS_MOST) {
        p->need[p->n_need++] = other;
    }
}

entry *entry_add(part *p, section in, const char *format, ...)
{
    // a part that is too large is a mistake of the generator
    if (p->n_entry == ENTRIES_MOST) {
        abort();
    }
    entry *e = &p->entry[p->n_entry++];
    e->in = in;
    va_list list;
    va_start(list, format);
    vsnprintf(e->name, sizeof e->name, format, list);
    va_end(list);
    return e;
}

static field *field_new(entry *e, const char *format, va_list list)
{
    if (e->n_field == FIELDS_MOST) {
        abort();
    }
    field *f = &e->field[e->n_field++];
    if (vsnprintf(f->text, sizeof f->text, format, list) >= (int)sizeof f->text) {
        abort();
    }
    return f;
}

void field_add(entry *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    field_new(e, format, list);
    va_end(list);
}

void field_maybe(entry *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    field_new(e, format, list)->is_optional = true;
    va_end(list);
}

// ---- printing ----------------------------------------------------------------------------------------------------------

static void print_entry(FILE *f, const entry *e)
{
    fprintf(f, "  %s: {", e->name);
    const char *between = "";
    for (int k = 0; k < e->n_field; k++) {
        if (!e->field[k].is_dropped) {
            fprintf(f, "%s%s", between, e->field[k].text);
            between = ", ";
        }
    }
    fprintf(f, "}\n");
}

static void print_section(FILE *f, const mechanism *m, section in)
{
    bool is_begun = false;
    for (int k = 0; k < m->n_part; k++) {
        const part *p = &m->part[k];
        for (int i = 0; i < p->n_entry && !p->is_dropped; i++) {
            if (p->entry[i].in == in) {
                if (!is_begun) {
                    fprintf(f, "%s:\n", section_name[in]);
                }
                is_begun = true;
                print_entry(f, &p->entry[i]);
            }
        }
    }
}

char *mechanism_print(const mechanism *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) {
        return NULL;
    }
    fprintf(f, "# all inputs change to 0.5 at half of the time\n");
    fprintf(f, "biela: 1\nname: random mechanism %llu\n", (unsigned long long)m->seed);
    fprintf(f, "gravity: [%g, %g, %g]\n", m->gravity[0], m->gravity[1], m->gravity[2]);
    for (int k = 0; k < SECTIONS; k++) {
        print_section(f, m, (section)k);
    }
    fprintf(f, "run: {time: %g, dt: %g%s}\n", m->time, m->dt,
            m->starts_in_equilibrium ? ", start: equilibrium" : "");
    fclose(f);
    return text;
}

// ---- leaving out ---------------------------------------------------------------------------------------------------------

void mechanism_drop(mechanism *m, int which)
{
    m->part[which].is_dropped = true;
    for (int k = 0; k < m->n_part; k++) {
        const part *p = &m->part[k];
        for (int i = 0; i < p->n_need && !p->is_dropped; i++) {
            if (p->need[i] == which) {
                mechanism_drop(m, k);
            }
        }
    }
}

int mechanism_parts(const mechanism *m)
{
    int n = 0;
    for (int k = 0; k < m->n_part; k++) {
        n += !m->part[k].is_dropped;
    }
    return n;
}
