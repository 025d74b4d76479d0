// SPDX-License-Identifier: MIT
// Rows and blocks: which variables they touch, and how gradients get there.
#include "coordinates/natural/compile.h"
#include <stdlib.h>
#include <string.h>

// ---- rows and blocks: which columns, and how gradients get there --------------------------------------------------

static int column_of(columns *cols, int q, bool *ok)
{
    for (int k = 0; k < cols->n_col; k++) {
        if (cols->col[k] == q) {
            return k;
        }
    }
    if (!LIST_RESERVE(cols->col, cols->n_col, cols->cap_col)) {
        *ok = false;
        return 0;
    }
    cols->col[cols->n_col] = q;
    return cols->n_col++;
}

static bool add_spread(natural *tab, spread_kind kind, int from, int q, const map_term *t, int body,
                       columns *cols)
{
    bool ok = LIST_RESERVE(tab->spread, tab->n_spread, tab->cap_spread);
    if (!ok) {
        return false;
    }
    int to = column_of(cols, q, &ok);
    if (kind != SPREAD_SCALAR) {
        column_of(cols, q + 1, &ok);
        column_of(cols, q + 2, &ok);
    }
    tab->spread[tab->n_spread++] = (spread){ kind, from, to, t ? t->s : 1.0, t ? t->t : 0.0, body };
    return ok;
}

static bool spread_vec(natural *tab, const map_vec *map, int from, columns *cols)
{
    bool ok = true;
    for (int k = 0; k < map->n_variable; k++) {
        const map_term *t = &tab->term[map->first + k];
        spread_kind kind = t->t != 0.0 ? SPREAD_PLANAR : t->s != 1.0 ? SPREAD_SCALE : SPREAD_COPY;
        ok = ok && add_spread(tab, kind, from, t->q, t, map->body, cols);
    }
    return ok;
}

static int find_flexible(const natural *tab, int dof)
{
    int k = 0;
    while (tab->flex_marker[k].dof != dof) {
        k++;
    }
    return k;
}

// An amplitude that is made of several variables.
static bool spread_amplitude(natural *tab, const marker *k, int from, columns *cols)
{
    const flex_body *f = tab->flex;
    while (f->body != k->body) {
        f++;
    }
    const flex_nodal *b = &f->modal.nodal;
    bool ok = true;
    for (int i = 0; i < f->n_mode && ok; i++) {
        map_term part = { .s = b->X[k->coordinate * b->stride + i] };
        ok = add_spread(tab, SPREAD_SCALAR, from, f->q + i, &part, 0, cols);
    }
    return ok;
}

static bool is_moved_by(const flex_body *f, const flex_marker *k, int mode)
{
    for (int i = 0; i < (k->kind == MARKER_FRAME ? 4 : 1); i++) {
        if (modal_place_moves(&f->modal, &k->place[i], mode)) {
            return true;
        }
    }
    return false;
}

// index[m]: where the marker went in the list of its kind
static bool spread_marker(compiler *c, int m, int at, int *expanded, columns *cols, spread_source *source)
{
    natural *tab = c->tab;
    const marker *k = &c->p->marker[m];
    *source = (spread_source){ k->kind, k->dof, at, -1, -1 };
    bool ok = true;
    if (k->kind == MARKER_JOINT || k->kind == MARKER_MODE) {
        ok = c->out->marker_q[m] < 0
                 ? spread_amplitude(tab, k, *expanded, cols)
                 : add_spread(tab, SPREAD_SCALAR, *expanded, c->out->marker_q[m], NULL, 0, cols);
        *expanded += 1;
        return ok;
    }
    if (k->node != 0) {
        source->flex = find_flexible(tab, k->dof);
        const flex_body *f = &tab->flex[tab->flex_marker[source->flex].flex];
        for (int i = 0; i < 4; i++) {
            ok = ok && spread_vec(tab, &f->column[i], *expanded + 3 * i, cols);
        }
        for (int i = 0; i < f->n_mode; i++) {
            if (is_moved_by(f, &tab->flex_marker[source->flex], i)) {
                ok = ok && add_spread(tab, SPREAD_SCALAR, *expanded + 12 + i, f->q + i, NULL, 0, cols);
            }
        }
        *expanded += 12 + f->n_mode;
        return ok;
    }
    if (k->kind == MARKER_FRAME) {
        source->index = k->frame;
        map_vec column[4];
        ok = compile_axes(tab, k->body, k->at, column);
        for (int i = 0; i < 4; i++) {
            ok = ok && spread_vec(tab, &column[i], *expanded + 3 * i, cols);
        }
        *expanded += 12;
        return ok;
    }
    map_vec map;
    const double weight[4] = { k->kind == MARKER_POINT ? 1.0 : 0.0, k->at.x, k->at.y, k->at.z };
    ok = map_create(tab, k->body, weight, &map) && spread_vec(tab, &map, *expanded, cols);
    *expanded += 3;
    return ok;
}

static bool spread_create(compiler *c, const int *markers, int n_marker, spread_group *out, columns *cols)
{
    natural *tab = c->tab;
    *out = (spread_group){ .source = tab->n_source, .first = tab->n_spread, .is_plain = true };
    cols->n_col = 0;
    for (int i = 0; i < n_marker; i++) {
        spread_source source;
        if (!spread_marker(c, markers[i], out->width, &out->expanded, cols, &source) ||
            !LIST_RESERVE(tab->source, tab->n_source, tab->cap_source)) {
            return false;
        }
        out->is_plain = out->is_plain && source.index < 0 && source.flex < 0;
        out->width += marker_width(source.kind);
        tab->source[tab->n_source++] = source;
    }
    c->tab->most_expanded = out->expanded > c->tab->most_expanded ? out->expanded : c->tab->most_expanded;
    if (out->expanded > MAX_EXPANDED) {
        c->is_too_wide = true;
        return false;
    }
    out->n_source = n_marker;
    out->count = tab->n_spread - out->first;
    out->n_col = cols->n_col;
    return true;
}

// Appends a row with these columns to the structure.
static bool add_row(compiler *c, int *cap_row, int *cap_col, const columns *cols, bool is_velocity,
                    owner_name owner)
{
    structure *o = c->out;
    while (o->n_row + 1 >= *cap_row) {
        int larger = *cap_row > 0 ? 2 * *cap_row : 64;
        int *start = realloc(o->G_start, (size_t)larger * sizeof *start);
        o->G_start = start ? start : o->G_start;
        bool *velocity = start ? realloc(o->is_velocity, (size_t)larger * sizeof *velocity) : NULL;
        o->is_velocity = velocity ? velocity : o->is_velocity;
        owner_name *owners = velocity ? realloc(o->row_owner, (size_t)larger * sizeof *owners) : NULL;
        o->row_owner = owners ? owners : o->row_owner;
        if (!owners) {
            return false;
        }
        *cap_row = larger;
    }
    for (int k = 0; k < cols->n_col; k++) {
        if (!LIST_RESERVE(o->G_col, o->n_G, *cap_col)) {
            return false;
        }
        o->G_col[o->n_G++] = cols->col[k];
    }
    o->is_velocity[o->n_row] = is_velocity;
    o->row_owner[o->n_row] = owner;
    o->G_start[++o->n_row] = o->n_G;
    o->G_start[0] = 0;
    return true;
}

// The rows of the constraints, as planned.
bool compile_constraint_rows(compiler *c, int *cap_row, int *cap_col, columns *cols)
{
    natural *tab = c->tab;
    size_t n = (size_t)c->p->n_row_group + 1;
    tab->group = malloc(n * sizeof *tab->group);
    tab->group_first = malloc(n * sizeof *tab->group_first);
    tab->group_count = malloc(n * sizeof *tab->group_count);
    tab->group_gradient = malloc(n * sizeof *tab->group_gradient);
    if (!tab->group || !tab->group_first || !tab->group_count || !tab->group_gradient) {
        return false;
    }
    for (int g = 0; g < c->p->n_row_group; g++) {
        const row_group *group = &c->p->row[g];
        tab->group_first[g] = group->first;
        tab->group_count[g] = group->count;
        tab->group_gradient[g] = group->gradient;
        if (!spread_create(c, &c->p->list[group->marker], group->n_marker, &tab->group[g], cols)) {
            return false;
        }
        for (int r = 0; r < group->count; r++) {
            if (!add_row(c, cap_row, cap_col, cols, group->is_velocity, (owner_name){ "", -1, g, 0 })) {
                return false;
            }
        }
    }
    tab->n_group = c->p->n_row_group;
    return true;
}

// ---- rows of the coordinates: rigid bodies ---------------------------------------------------------------------------

static int slot_q(const compiler *c, int root) { return root < 0 ? c->null : c->shared.slot[root].q; }

static vec3 slot_value(const compiler *c, int root)
{
    return root < 0 ? (vec3){ 0.0, 0.0, 0.0 } : c->shared.slot[root].value;
}

// Against a constant direction only its nonzero components count: a plane motion keeps its third coordinate apart.
static bool build_constant_dot(compiler *c, const rigid_dot *from, dot_row *row, columns *cols)
{
    vec3 fixed = vec3_scale(row->scale, vec3_sub(slot_value(c, from->c), slot_value(c, from->d)));
    const double part[3] = { fixed.x, fixed.y, fixed.z };
    const int end[2] = { row->a, row->b };
    bool ok = true;
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++) {
            if (end[e] < c->tab->n && part[i] != 0.0) {
                row->constant_at[row->n_constant] = column_of(cols, end[e] + i, &ok);
                row->constant[row->n_constant++] = e == 0 ? part[i] : -part[i];
            }
        }
    }
    return ok;
}

static bool build_dot(compiler *c, const rigid_dot *from, dot_row *row, int *cap_row, int *cap_col,
                      columns *cols)
{
    const int end[4] = { slot_q(c, from->a), slot_q(c, from->b), slot_q(c, from->c), slot_q(c, from->d) };
    *row = (dot_row){ .a = end[0],
                      .b = end[1],
                      .c = end[2],
                      .d = end[3],
                      .value = from->value,
                      .scale = from->scale,
                      .is_square = end[0] == end[2] && end[1] == end[3] };
    bool ok = true;
    cols->n_col = 0;
    if (!row->is_square && end[2] >= c->tab->n && end[3] >= c->tab->n) {
        ok = build_constant_dot(c, from, row, cols);
    }
    for (int i = 0; i < 4; i++) {
        row->at[i] = -1;
        if (end[i] < c->tab->n && row->n_constant == 0) {
            row->at[i] = column_of(cols, end[i], &ok);
            column_of(cols, end[i] + 1, &ok);
            column_of(cols, end[i] + 2, &ok);
        }
    }
    row->is_apart = true;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < i; k++) {
            row->is_apart &= row->at[i] < 0 || row->at[i] != row->at[k];
        }
    }
    const char *what = row->is_square ? "constant length" : "constant angle";
    return ok && add_row(c, cap_row, cap_col, cols, false, (owner_name){ what, from->body, -1, 0 });
}

// The i-th component of s x + t n x x as a sparse row: up to three coordinates.
static int component_terms(const map_term *t, vec3 n, int i, int q[3], double value[3])
{
    const double nv[3] = { n.x, n.y, n.z };
    int j = (i + 1) % 3, k = (i + 2) % 3, count = 0;
    if (t->s != 0.0) {
        q[count] = t->q + i;
        value[count++] = t->s;
    }
    // (n x x)_i = n_j x_k - n_k x_j
    if (t->t * nv[j] != 0.0) {
        q[count] = t->q + k;
        value[count++] = t->t * nv[j];
    }
    if (t->t * nv[k] != 0.0) {
        q[count] = t->q + j;
        value[count++] = -t->t * nv[k];
    }
    return count;
}

typedef struct {
    int count, cap_q, cap_s, cap_at;
    int *at; // place of each term in G; -1: of constants
} tie_lists;

static bool add_tie_term(natural *tab, tie_lists *l, int q, double s)
{
    int have = l->count;
    if (!LIST_RESERVE(tab->tie_q, have, l->cap_q) || !LIST_RESERVE(tab->tie_s, have, l->cap_s) ||
        !LIST_RESERVE(l->at, have, l->cap_at)) {
        return false;
    }
    tab->tie_q[have] = q;
    tab->tie_s[have] = s;
    l->at[have] = -1;
    l->count++;
    return true;
}

// Entity = its place in the body: three linear rows, all terms kept, constants included.
static bool build_tie(compiler *c, int index, tie_lists *l, int *cap_row, int *cap_col, columns *cols)
{
    natural *tab = c->tab;
    const rigid_tie *tie = &c->base.tie[index];
    map_vec map;
    const double weight[4] = { tie->is_vector ? 0.0 : 1.0, tie->local.x, tie->local.y, tie->local.z };
    bool ok = map_create(tab, tie->body, weight, &map);
    for (int i = 0; i < 3 && ok; i++) {
        cols->n_col = 0;
        tab->tie_start[3 * index + i] = l->count;
        ok = add_tie_term(tab, l, slot_q(c, tie->slot) + i, 1.0);
        for (int k = 0; k < map.count && ok; k++) {
            int q[3];
            double value[3];
            int count = component_terms(&tab->term[map.first + k], tab->body[tie->body].n, i, q, value);
            for (int m = 0; m < count && ok; m++) {
                ok = add_tie_term(tab, l, q[m], -tie->sign * value[m]);
            }
        }
        for (int k = tab->tie_start[3 * index + i]; k < l->count; k++) {
            if (tab->tie_q[k] < tab->n) {
                l->at[k] = c->out->n_G + column_of(cols, tab->tie_q[k], &ok);
            }
        }
        ok = ok && add_row(c, cap_row, cap_col, cols, false,
                           (owner_name){ "attached point or vector", tie->body, -1, 0 });
    }
    tab->tie_start[3 * index + 3] = l->count;
    return ok;
}

// All of them, and their gradients, which never change.
static bool build_ties(compiler *c, int *cap_row, int *cap_col, columns *cols)
{
    natural *tab = c->tab;
    tie_lists lists = { 0 };
    int first = c->out->n_G;
    bool ok = true;
    for (int k = 0; k < c->base.n_tie && ok; k++) {
        ok = build_tie(c, k, &lists, cap_row, cap_col, cols);
        tab->n_tie++;
    }
    tab->n_tie_G = c->out->n_G - first;
    tab->tie_G = calloc((size_t)tab->n_tie_G + 1, sizeof *tab->tie_G);
    for (int k = 0; k < lists.count && ok && tab->tie_G; k++) {
        if (lists.at[k] >= 0) {
            tab->tie_G[lists.at[k] - first] += tab->tie_s[k];
        }
    }
    free(lists.at);
    return ok && tab->tie_G;
}

bool compile_rigid_rows(compiler *c, int *cap_row, int *cap_col, columns *cols)
{
    natural *tab = c->tab;
    tab->first_rigid = c->out->n_row;
    tab->dot = malloc(((size_t)c->base.n_dot + 1) * sizeof *tab->dot);
    tab->tie_start = calloc(3 * (size_t)c->base.n_tie + 1, sizeof *tab->tie_start);
    bool ok = tab->dot && tab->tie_start;
    for (int k = 0; k < c->base.n_dot && ok; k++) {
        ok = build_dot(c, &c->base.dot[k], &tab->dot[k], cap_row, cap_col, cols);
        tab->n_dot++;
    }
    return ok && build_ties(c, cap_row, cap_col, cols);
}

// ---- couplings by stiffness and mass ---------------------------------------------------------------------------------

bool compile_blocks(compiler *c, columns *cols)
{
    natural *tab = c->tab;
    tab->block = calloc((size_t)c->p->n_block + 1, sizeof *tab->block);
    bool ok = tab->block != NULL;
    for (int g = 0; g < c->p->n_block && ok; g++) {
        const block_group *group = &c->p->block[g];
        block_map *b = &tab->block[g];
        if (flexible_has_block(tab, c->p, group)) {
            tab->n_block++; // without width: flexible_drop_tangent adds it
            continue;
        }
        ok = spread_create(c, &c->p->list[group->marker], group->n_marker, &b->map, cols);
        b->width = group->width;
        b->value = group->value;
        b->col = tab->n_block_col;
        c->out->n_room = block_room(b->width, cols->n_col, c->out->n_room);
        for (int k = 0; k < cols->n_col && ok; k++) {
            ok = LIST_RESERVE(tab->block_col, tab->n_block_col, tab->cap_block_col);
            if (ok) {
                tab->block_col[tab->n_block_col++] = cols->col[k];
            }
        }
        pattern_add_clique(&c->couplings, cols->n_col, cols->col);
        tab->n_block++;
    }
    return ok;
}

static bool list_sites(compiler *c)
{
    bool ok = true;
    for (int s = 0; s < c->p->n_site && ok; s++) {
        const block_map *b = &c->tab->block[c->p->site[s].group];
        ok = structure_add_site(c->out, &c->tab->block_col[b->col], b->map.n_col);
    }
    return ok;
}

bool compile_block_entries(compiler *c)
{
    natural *tab = c->tab;
    tab->site = c->p->site;
    for (int g = 0; g < tab->n_block; g++) {
        block_map *b = &tab->block[g];
        const int *col = &tab->block_col[b->col];
        b->entry = tab->n_block_entry;
        for (int i = 0; i < b->map.n_col; i++) {
            for (int j = 0; j <= i; j++) {
                if (!LIST_RESERVE(tab->block_entry, tab->n_block_entry, tab->cap_block_entry)) {
                    return false;
                }
                tab->block_entry[tab->n_block_entry++] = pattern_find(&c->out->tangent, col[i], col[j]);
            }
        }
    }
    return list_sites(c);
}
