// SPDX-License-Identifier: MIT
/* A bond graph as it is looked at: parts as boxes down to a depth, components of vectors as one. */
#include "cli/words.h"
#include "pictures/bonds.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char name[160];
    bool is_box, is_outside;
} place_name;

// The first dot behind so many others; NULL: there are fewer.
static const char *dot_after(const char *name, int depth)
{
    const char *dot = strchr(name, '.');
    for (int k = 0; dot && k < depth; k++) {
        dot = strchr(dot + 1, '.');
    }
    return dot;
}

// The name under which a scalar node is drawn: "fl.gap#2" is "fl.gap", or the box "fl".
static place_name name_of(const char *full, const bonds_choice *c)
{
    place_name out = { .is_box = false };
    size_t length = c->part ? strlen(c->part) : 0;
    bool is_inside = length == 0 || (strncmp(full, c->part, length) == 0 && full[length] == '.');
    const char *name = length > 0 && is_inside ? full + length + 1 : full;
    const char *end = is_inside ? dot_after(name, c->depth) : dot_after(name, 0);
    out.is_box = is_inside && end;
    out.is_outside = !is_inside;
    if (!end && !c->is_scalar) {
        end = strrchr(name, '#');
    }
    size_t used = end ? (size_t)(end - name) : strlen(name);
    snprintf(out.name, sizeof out.name, "%.*s", (int)(used < 150 ? used : 150), name);
    return out;
}

static const char *kind_of_part(const bi_bonds *b, const bonds_choice *c, const char *name)
{
    char full[320];
    snprintf(full, sizeof full, "%s%s%s", c->part ? c->part : "", c->part ? "." : "", name);
    for (int k = 0; k < b->n_part; k++) {
        if (strcmp(b->part[k].name, full) == 0) {
            return b->part[k].of;
        }
    }
    return "";
}

// What is outside stands beside each node that is joined to it.
static int find(const bonds_view *v, const place_name *p, int partner)
{
    for (int k = 0; k < v->n_node; k++) {
        if (strcmp(v->node[k].name, p->name) == 0 && v->node[k].is_outside == p->is_outside &&
            (!p->is_outside || v->node[k].partner == partner)) {
            return k;
        }
    }
    return -1;
}

static int find_or_add(const bi_bonds *b, const bonds_choice *c, int n, int partner, bonds_view *v)
{
    place_name p = name_of(b->node[n].name, c);
    int k = find(v, &p, partner);
    if (k < 0) {
        k = v->n_node++;
        bool is_plain = !p.is_box && !p.is_outside;
        v->node[k] = (bonds_view_node){ words_format("%s", p.name),
                                        is_plain ? b->node[n].kind : "",
                                        p.is_box ? kind_of_part(b, c, p.name) : "",
                                        is_plain ? b->node[n].causality : BI_CAUSALITY_NONE,
                                        p.is_outside,
                                        p.is_outside ? partner : -1 };
    } else if (v->node[k].kind[0] && b->node[n].causality > v->node[k].causality) {
        v->node[k].causality = b->node[n].causality;
    }
    return k;
}

static void add_bond(const bi_bonds *b, int k, int from, int to, double energy, bonds_view *v)
{
    bonds_view_bond *x = NULL;
    for (int i = 0; i < v->n_bond; i++) {
        x = v->bond[i].from == from && v->bond[i].to == to ? &v->bond[i] : x;
    }
    if (!x) {
        x = &v->bond[v->n_bond++];
        *x = (bonds_view_bond){ .from = from, .to = to, .first = k + 1 };
    }
    x->count++;
    x->strokes_to += b->bond[k].stroke_at_to;
    x->last = k + 1;
    x->energy += energy;
}

// A name of the part "turn" that stands for "top.q0": turn reads top.
static void add_reads(const bi_bonds *b, const bonds_choice *c, bonds_view *v)
{
    for (int k = 0; k < b->n_alias; k++) {
        char scope[320];
        const char *dot = strrchr(b->alias[k].name, '.');
        size_t inner = dot ? (size_t)(dot - b->alias[k].name) : 0, outer = inner;
        while (outer > 0 && b->alias[k].name[outer - 1] != '.') {
            outer--;
        }
        snprintf(scope, sizeof scope, "%.*s%s", (int)outer, b->alias[k].name, b->alias[k].as);
        char reader[320];
        snprintf(reader, sizeof reader, "%.*s.x", (int)inner, b->alias[k].name);
        char *letter = strrchr(scope, '.');
        bool is_variable = letter && strchr("efpq", letter[1]) && (letter[2] == '\0' || letter[3] == '\0');
        place_name to = name_of(reader, c), from = name_of(scope, c);
        int i = find(v, &from, -1), j = find(v, &to, -1);
        if (i < 0 && is_variable) {
            *letter = '\0'; // "body.w.f1", of the node body.w
            from = name_of(scope, c);
            i = find(v, &from, -1);
        }
        bool is_new = i >= 0 && j >= 0 && i != j && !v->node[i].is_outside && !v->node[j].is_outside;
        for (int n = 0; n < v->n_reads; n++) {
            is_new = is_new && !(v->reads[n][0] == i && v->reads[n][1] == j);
        }
        if (is_new) {
            v->reads[v->n_reads][0] = i;
            v->reads[v->n_reads++][1] = j;
        }
    }
}

static bool has_part(const bi_bonds *b, const char *part)
{
    for (int k = 0; k < b->n_part; k++) {
        if (strcmp(b->part[k].name, part) == 0) {
            return true;
        }
    }
    fprintf(stderr, "biela bonds: there is no part '%s' in the graph %s%s", part, b->name,
            b->n_part > 0 ? "; there are" : ", which has none");
    for (int k = 0; k < b->n_part; k++) {
        fprintf(stderr, " %s", b->part[k].name);
    }
    fputc('\n', stderr);
    return false;
}

bool bonds_view_make(const bi_bonds *b, const bonds_choice *c, const double *energy, bonds_view *out)
{
    *out = (bonds_view){ 0 };
    if (c->part && !has_part(b, c->part)) {
        return false;
    }
    out->node = words_alloc(((size_t)b->n_node + (size_t)b->n_bond + 1) * sizeof *out->node);
    out->bond = words_alloc(((size_t)b->n_bond + 1) * sizeof *out->bond);
    out->reads = words_alloc(((size_t)b->n_alias + 1) * sizeof *out->reads);
    for (int n = 0; n < b->n_node; n++) {
        if (!name_of(b->node[n].name, c).is_outside) {
            find_or_add(b, c, n, -1, out);
        }
    }
    for (int k = 0; k < b->n_bond; k++) {
        const bi_bonds_bond *x = &b->bond[k];
        bool begins = name_of(b->node[x->from].name, c).is_outside,
             ends = name_of(b->node[x->to].name, c).is_outside;
        if (begins && ends) {
            continue;
        }
        int to = ends ? -1 : find_or_add(b, c, x->to, -1, out), from = find_or_add(b, c, x->from, to, out);
        to = ends ? find_or_add(b, c, x->to, from, out) : to;
        if (from != to) {
            add_bond(b, k, from, to, energy ? energy[k] : 0.0, out);
        }
    }
    add_reads(b, c, out);
    return true;
}

void bonds_view_clear(bonds_view *v)
{
    for (int k = 0; k < v->n_node; k++) {
        free(v->node[k].name);
    }
    free(v->node);
    free(v->bond);
    free(v->reads);
    *v = (bonds_view){ 0 };
}
