// SPDX-License-Identifier: MIT
// From the shared points and vectors to tables: numbering, maps of markers, patterns, mass matrix.
#include "base/list.h"
#include "coordinates/natural/natural.h"
#include "math/elementary.h"
#include "model/described.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const plan *p;
    const bi_model *model;
    sharing shared;
    bases base;
    natural *tab;
    structure *out;
    int *mode_q; // first amplitude of each body (n_body); -1: rigid
    int null;    // coordinate of the null vector
    pattern_builder couplings;
    bool ok;
    bool is_too_wide; // a law or constraint touches more than a step has room for
} compiler;

// ---- numbering -----------------------------------------------------------------------------------------

static int count_scalars(compiler *c)
{
    int n = 0;
    for (int m = 0; m < c->p->n_marker; m++) {
        n += c->p->marker[m].kind == MARKER_JOINT;
    }
    for (int b = 0; b < c->model->n_body; b++) {
        n += c->model->body[b].def.flex ? c->model->body[b].def.flex->n_mode : 0;
    }
    return n;
}

// Variables first (entities, then scalars), constants behind them.
static bool number(compiler *c)
{
    sharing *s = &c->shared;
    int n = 0, n_constant = 3;
    for (int k = 0; k < s->n_slot; k++) {
        if (s->slot[k].parent == k && !s->slot[k].is_fixed) {
            s->slot[k].q = n;
            n += 3;
        }
        n_constant += s->slot[k].parent == k && s->slot[k].is_fixed ? 3 : 0;
    }
    int scalar = n;
    n += count_scalars(c);
    c->null = n;
    int constant = n + 3;
    for (int k = 0; k < s->n_slot; k++) {
        if (s->slot[k].parent == k && s->slot[k].is_fixed) {
            s->slot[k].q = constant;
            constant += 3;
        }
    }

    structure *o = c->out;
    o->n = c->tab->n = n;
    o->n_q = c->tab->n_q = n + n_constant;
    o->q0 = calloc((size_t)o->n_q, sizeof *o->q0);
    o->v0 = calloc((size_t)o->n_q, sizeof *o->v0);
    o->variable_owner = calloc((size_t)n + 1, sizeof *o->variable_owner);
    o->marker_q = malloc(((size_t)c->p->n_marker + 1) * sizeof *o->marker_q);
    c->mode_q = malloc((size_t)c->model->n_body * sizeof *c->mode_q);
    if (!o->q0 || !o->v0 || !o->variable_owner || !o->marker_q || !c->mode_q) {
        return false;
    }
    for (int b = 0; b < c->model->n_body; b++) {
        const bi_modes *flex = c->model->body[b].def.flex;
        c->mode_q[b] = flex ? scalar : -1;
        for (int m = 0; flex && m < flex->n_mode; m++) {
            o->variable_owner[scalar++] = (owner_name){ "mode", b, -1 };
        }
    }
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *mark = &c->p->marker[m];
        o->marker_q[m] = -1;
        if (mark->kind == MARKER_JOINT) {
            o->variable_owner[scalar] =
                (owner_name){ "joint coordinate", c->model->joint[mark->joint].def.b.i - 1, -1 };
            o->marker_q[m] = scalar++;
        } else if (mark->kind == MARKER_MODE) {
            o->marker_q[m] = c->mode_q[mark->body] + mark->coordinate;
        }
    }
    for (int b = 0; b < c->model->n_body; b++) {
        natural_body *body = &c->base.body[b];
        for (int e = 0; e < body->n_entity; e++) {
            body->q[e] = s->slot[body->slot[e]].q;
        }
    }
    return true;
}

// ---- the described configuration ---------------------------------------------------------------------------

// Each entity: the mean of what its bodies say.
static void guess_entities(compiler *c)
{
    sharing *s = &c->shared;
    double *count = calloc((size_t)s->n_slot + 1, sizeof *count);
    if (!count) {
        c->ok = false;
        return;
    }
    for (int k = 0; k < s->n_slot; k++) {
        slot_ref root = sharing_root(s, k);
        const slot *own = &s->slot[k], *r = &s->slot[root.slot];
        if (r->is_fixed) {
            tray_put(&c->out->q0[r->q], r->value);
            continue;
        }
        const bi_body_def *def = &c->model->body[own->body].def;
        vec3 arm = mat3_apply(s->described[own->body], own->local);
        vec3 value = own->is_vector ? arm : vec3_add(def->pose.pos, arm);
        vec3 rate = vec3_cross(def->twist.ang, arm);
        rate = own->is_vector ? rate : vec3_add(def->twist.lin, rate);
        tray_add(&c->out->q0[r->q], vec3_scale(root.sign, value));
        tray_add(&c->out->v0[r->q], vec3_scale(root.sign, rate));
        count[root.slot] += 1.0;
        c->out->variable_owner[r->q] = (owner_name){ own->is_vector ? "vector" : "point", own->body, -1 };
        c->out->variable_owner[r->q + 1] = c->out->variable_owner[r->q + 2] = c->out->variable_owner[r->q];
    }
    for (int k = 0; k < s->n_slot; k++) {
        for (int i = 0; count[k] > 1.0 && i < 3; i++) {
            c->out->q0[s->slot[k].q + i] /= count[k];
            c->out->v0[s->slot[k].q + i] /= count[k];
        }
    }
    free(count);
}

// The model's own name of a slot; -1: none.
static int named_slot(const compiler *c, const slot *own)
{
    double near = 1e-9 * (own->is_vector ? 1.0 : c->shared.size);
    for (int k = 0; k < c->model->n_named; k++) {
        const model_named *n = &c->model->named[k];
        vec3 at = n->is_vector ? vec3_normalized(n->at) : n->at;
        if (n->body.i - 1 == own->body && n->is_vector == own->is_vector &&
            (vec3_norm(vec3_sub(at, own->local)) <= near ||
             (n->is_vector && vec3_norm(vec3_add(at, own->local)) <= near))) {
            return k;
        }
    }
    return -1;
}

// Which variables are components of which points and vectors, for those who list them.
static void name_entities(compiler *c)
{
    const sharing *s = &c->shared;
    entity_name *entity = calloc((size_t)c->out->n + 1, sizeof *entity);
    int *count = calloc(2 * (size_t)c->model->n_body, sizeof *count);
    c->out->variable_entity = entity;
    c->ok = c->ok && entity && count;
    for (int k = 0; c->ok && k < s->n_slot; k++) {
        const slot *own = &s->slot[k];
        if (own->parent == k && !own->is_fixed) {
            int number = ++count[2 * own->body + own->is_vector];
            for (int i = 0; i < 3; i++) {
                entity[own->q + i] = (entity_name){ own->q, number, -1 };
                c->out->variable_owner[own->q + i].body = own->body;
            }
        }
    }
    // the first name that a body gives it
    for (int k = 0; c->ok && k < s->n_slot && c->model->n_named > 0; k++) {
        const slot *root = &s->slot[sharing_root(s, k).slot];
        if (!root->is_fixed && entity[root->q].named < 0) {
            int named = named_slot(c, &s->slot[k]);
            for (int i = 0; i < 3; i++) {
                entity[root->q + i].named = named;
            }
        }
    }
    free(count);
}

static void guess(compiler *c)
{
    guess_entities(c);
    name_entities(c);
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *mark = &c->p->marker[m];
        if (mark->kind == MARKER_JOINT) {
            int q = c->out->marker_q[m];
            described_coordinate(c->model, mark->joint, mark->coordinate, &c->out->q0[q], &c->out->v0[q]);
        }
    }
}

// ---- maps of markers -------------------------------------------------------------------------------------------

static bool add_term(natural *tab, map_term term)
{
    if (!LIST_RESERVE(tab->term, tab->n_term, tab->cap_term)) {
        return false;
    }
    tab->term[tab->n_term++] = term;
    return true;
}

bool map_create(natural *tab, int body, const double weight[4], map_vec *out)
{
    const natural_body *b = &tab->body[body];
    *out = (map_vec){ .first = tab->n_term, .body = body };
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < b->n_entity; e++) {
            double s = 0.0, t = 0.0, size = 0.0;
            for (int k = 0; k < 4; k++) {
                s += weight[k] * b->S[e][k];
                t += weight[k] * b->T[e][k];
                size += fabs(weight[k]) * (fabs(b->S[e][k]) + fabs(b->T[e][k]));
            }
            // what is only rounding is nothing
            s = fabs(s) > 1e-14 * size ? s : 0.0;
            t = fabs(t) > 1e-14 * size ? t : 0.0;
            bool is_variable = b->q[e] < tab->n;
            if ((s == 0.0 && t == 0.0) || is_variable != (pass == 0)) {
                continue;
            }
            if (!add_term(tab, (map_term){ b->q[e], s, t })) {
                return false;
            }
            out->n_variable += is_variable;
            out->count++;
        }
    }
    return true;
}

static bool map_point(natural *tab, int body, vec3 at, map_vec *out)
{
    return map_create(tab, body, (double[4]){ 1.0, at.x, at.y, at.z }, out);
}

static bool map_axes(natural *tab, int body, vec3 at, map_vec column[4])
{
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    bool ok = map_point(tab, body, at, &column[0]);
    for (int k = 0; k < 3; k++) {
        ok = ok && map_create(tab, body, (double[4]){ 0.0, unit[k].x, unit[k].y, unit[k].z }, &column[1 + k]);
    }
    return ok;
}

// Node of a flexible body at that place; -1: none, the point follows the frame rigidly.
static int flexible_node(const bi_modes *flex, vec3 at)
{
    for (int i = 0; flex && i < flex->n_node; i++) {
        if (vec3_norm(vec3_sub(flex->at[i], at)) <= 1e-12) {
            return i;
        }
    }
    return -1;
}

// Points and vectors of rigid bodies, those whose motion something reads first.
static bool map_linear_markers(compiler *c)
{
    natural *tab = c->tab;
    bool ok = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int m = 0; m < c->p->n_marker; m++) {
            const marker *k = &c->p->marker[m];
            bool is_linear =
                k->kind == MARKER_VECTOR ||
                (k->kind == MARKER_POINT && flexible_node(c->model->body[k->body].def.flex, k->at) < 0);
            if (!is_linear || k->is_read != (pass == 0)) {
                continue;
            }
            linear_marker *l = &tab->linear[tab->n_linear++];
            l->dof = k->dof;
            const double weight[4] = { k->kind == MARKER_POINT ? 1.0 : 0.0, k->at.x, k->at.y, k->at.z };
            ok = ok && map_create(tab, k->body, weight, &l->vec);
        }
        tab->n_read = pass == 0 ? tab->n_linear : tab->n_read;
    }
    return ok;
}

static bool map_markers(compiler *c)
{
    natural *tab = c->tab;
    size_t most = (size_t)c->p->n_marker + 1, modes = 0;
    for (int b = 0; b < c->model->n_body; b++) {
        modes += c->model->body[b].def.flex ? (size_t)c->model->body[b].def.flex->n_mode : 0;
    }
    tab->linear = malloc(most * sizeof *tab->linear);
    tab->frame = malloc(most * sizeof *tab->frame);
    tab->scalar = malloc(most * sizeof *tab->scalar);
    tab->flex_point = malloc(most * sizeof *tab->flex_point);
    tab->shape = malloc(most * (modes + 1) * sizeof *tab->shape);
    if (!tab->linear || !tab->frame || !tab->scalar || !tab->flex_point || !tab->shape) {
        return false;
    }
    bool ok = true;
    vec3 *shape = tab->shape;
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *k = &c->p->marker[m];
        const bi_modes *flex = k->body >= 0 ? c->model->body[k->body].def.flex : NULL;
        int node = k->kind == MARKER_POINT ? flexible_node(flex, k->at) : -1;
        if (node >= 0) {
            int which = 0;
            while (tab->flex[which].body != k->body) {
                which++;
            }
            tab->flex_point[tab->n_flex_point++] = (flex_point){ which, k->dof, k->at, shape };
            for (int i = 0; i < flex->n_mode; i++) {
                *shape++ = flex->shape[i * flex->n_node + node];
            }
        } else if (k->kind == MARKER_FRAME) {
            frame_marker *f = &tab->frame[tab->n_frame++];
            f->dof = k->dof;
            f->frame = k->frame;
            ok = ok && map_axes(tab, k->body, k->at, f->column);
        } else if (k->kind == MARKER_JOINT || k->kind == MARKER_MODE) {
            tab->scalar[tab->n_scalar++] = (scalar_marker){ c->out->marker_q[m], k->dof };
        }
    }
    return ok && map_linear_markers(c);
}

// ---- rows and blocks: which columns, and how gradients get there --------------------------------------------------

typedef struct {
    int *col;
    int n_col, cap_col;
} columns;

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

static int find_dof(const void *items, size_t size, size_t offset, int count, int dof)
{
    for (int k = 0; k < count; k++) {
        int have;
        memcpy(&have, (const char *)items + (size_t)k * size + offset, sizeof have);
        if (have == dof) {
            return k;
        }
    }
    return -1;
}

// index[m]: where the marker went in the list of its kind
static bool spread_marker(compiler *c, int m, int at, int *expanded, columns *cols, spread_source *source)
{
    natural *tab = c->tab;
    const marker *k = &c->p->marker[m];
    *source = (spread_source){ k->kind, k->dof, at, -1 };
    bool ok = true;
    if (k->kind == MARKER_JOINT || k->kind == MARKER_MODE) {
        ok = add_spread(tab, SPREAD_SCALAR, *expanded, c->out->marker_q[m], NULL, 0, cols);
        *expanded += 1;
        return ok;
    }
    if (k->kind == MARKER_FRAME) {
        source->index = k->frame;
        map_vec column[4];
        ok = map_axes(tab, k->body, k->at, column);
        for (int i = 0; i < 4; i++) {
            ok = ok && spread_vec(tab, &column[i], *expanded + 3 * i, cols);
        }
        *expanded += 12;
        return ok;
    }
    int point = find_dof(tab->flex_point, sizeof *tab->flex_point, offsetof(flex_point, dof),
                         tab->n_flex_point, k->dof);
    if (k->kind == MARKER_POINT && point >= 0) {
        const flex_body *f = &tab->flex[tab->flex_point[point].flex];
        source->index = point;
        for (int i = 0; i < 4; i++) {
            ok = ok && spread_vec(tab, &f->column[i], *expanded + 3 * i, cols);
        }
        for (int i = 0; i < f->n_mode; i++) {
            ok = ok && add_spread(tab, SPREAD_SCALAR, *expanded + 12 + i, f->q + i, NULL, 0, cols);
        }
        *expanded += 12 + f->n_mode;
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
        out->is_plain = out->is_plain && source.index < 0;
        out->width += marker_width(source.kind);
        tab->source[tab->n_source++] = source;
    }
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
static bool build_constraint_rows(compiler *c, int *cap_row, int *cap_col, columns *cols)
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
            if (!add_row(c, cap_row, cap_col, cols, group->is_velocity, (owner_name){ "", -1, g })) {
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
    const char *what = row->is_square ? "constant length" : "constant angle";
    return ok && add_row(c, cap_row, cap_col, cols, false, (owner_name){ what, from->body, -1 });
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
    int count, cap_q, cap_s;
} tie_lists;

static bool add_tie_term(natural *tab, tie_lists *l, int q, double s)
{
    int have = l->count;
    if (!LIST_RESERVE(tab->tie_q, have, l->cap_q) || !LIST_RESERVE(tab->tie_s, have, l->cap_s)) {
        return false;
    }
    tab->tie_q[have] = q;
    tab->tie_s[have] = s;
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
                column_of(cols, tab->tie_q[k], &ok);
            }
        }
        ok = ok && add_row(c, cap_row, cap_col, cols, false,
                           (owner_name){ "attached point or vector", tie->body, -1 });
    }
    tab->tie_start[3 * index + 3] = l->count;
    return ok;
}

static bool build_rigid_rows(compiler *c, int *cap_row, int *cap_col, columns *cols)
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
    tie_lists lists = { 0 };
    for (int k = 0; k < c->base.n_tie && ok; k++) {
        ok = build_tie(c, k, &lists, cap_row, cap_col, cols);
        tab->n_tie++;
    }
    return ok;
}

// ---- couplings by stiffness and mass ---------------------------------------------------------------------------------

static bool build_blocks(compiler *c, columns *cols)
{
    natural *tab = c->tab;
    tab->block = calloc((size_t)c->p->n_block + 1, sizeof *tab->block);
    bool ok = tab->block != NULL;
    for (int g = 0; g < c->p->n_block && ok; g++) {
        const block_group *group = &c->p->block[g];
        block_map *b = &tab->block[g];
        ok = spread_create(c, &c->p->list[group->marker], group->n_marker, &b->map, cols);
        b->width = group->width;
        b->value = group->value;
        b->col = tab->n_block_col;
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

static bool block_entries(compiler *c)
{
    natural *tab = c->tab;
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
    return true;
}

void mass_moments(const bi_body_def *d, double J[4][4])
{
    const double c[3] = { d->com.x, d->com.y, d->com.z }, *i = d->inertia;
    const double tensor[3][3] = { { i[0], i[3], i[5] }, { i[3], i[1], i[4] }, { i[5], i[4], i[2] } };
    double half_trace = 0.5 * (i[0] + i[1] + i[2]);
    J[0][0] = d->mass;
    for (int a = 0; a < 3; a++) {
        J[0][1 + a] = J[1 + a][0] = d->mass * c[a];
        for (int b = 0; b < 3; b++) {
            J[1 + a][1 + b] = (a == b ? half_trace : 0.0) - tensor[a][b] + d->mass * c[a] * c[b];
        }
    }
}

static double form(const double x[4], double J[4][4], const double y[4])
{
    double sum = 0.0;
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            sum += x[a] * J[a][b] * y[b];
        }
    }
    return sum;
}

// Block of the mass matrix between entities e and f of a body (natural.8).
static mat3 mass_block(const natural_body *b, double J[4][4], int e, int f)
{
    double ss = form(b->S[e], J, b->S[f]), st = form(b->S[e], J, b->T[f]);
    double ts = form(b->T[e], J, b->S[f]), tt = form(b->T[e], J, b->T[f]);
    mat3 N = mat3_cross(b->n);
    mat3 out = mat3_scale(ss + tt, mat3_identity());
    out = mat3_add(out, mat3_scale(st - ts, N));
    return mat3_add(out, mat3_scale(-tt, mat3_outer(b->n, b->n)));
}

// Calls back for every entry of the rigid bodies' mass matrices, i <= j counted once.
static void each_mass_entry(compiler *c, void (*use)(compiler *, int i, int j, double value))
{
    for (int b = 1; b < c->model->n_body; b++) {
        const natural_body *body = &c->tab->body[b];
        if (c->model->body[b].def.flex) {
            continue;
        }
        double J[4][4];
        mass_moments(&c->model->body[b].def, J);
        for (int e = 0; e < body->n_entity; e++) {
            for (int f = 0; f <= e; f++) {
                if (body->q[e] >= c->tab->n || body->q[f] >= c->tab->n) {
                    continue;
                }
                mat3 block = mass_block(body, J, e, f);
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        const double column[3] = { block.col[j].x, block.col[j].y, block.col[j].z };
                        if (column[i] != 0.0 && (e != f || j <= i)) {
                            use(c, body->q[e] + i, body->q[f] + j, column[i]);
                        }
                    }
                }
            }
        }
    }
}

static void mass_to_pattern(compiler *c, int i, int j, double value)
{
    (void)value;
    pattern_add(&c->couplings, i, j);
}

static void mass_to_value(compiler *c, int i, int j, double value)
{
    c->tab->M0[pattern_find(&c->out->tangent, i, j)] += value;
}

// The nonzeros of M, so that products with it stay short.
static bool list_mass(compiler *c)
{
    natural *tab = c->tab;
    const pattern *T = &c->out->tangent;
    tab->mass = malloc(((size_t)T->nnz + 1) * sizeof *tab->mass);
    char *used = calloc((size_t)T->nnz + 1, 1);
    if (!tab->mass || !used) {
        free(used);
        return false;
    }
    for (int f = 0; f < tab->n_flex; f++) {
        int n_col = tab->flex[f].n_col;
        for (int k = 0; k < n_col * (n_col + 1) / 2; k++) {
            used[tab->flex[f].entry[k]] = 1;
        }
    }
    for (int j = 0; j < T->n; j++) {
        for (int k = T->start[j]; k < T->start[j + 1]; k++) {
            if (tab->M0[k] != 0.0 || used[k]) {
                tab->mass[tab->n_mass++] = (mass_entry){ T->row[k], j, k };
            }
        }
    }
    free(used);
    return true;
}

// ---- all of it ------------------------------------------------------------------------------------------------------

static bool build_tables(compiler *c)
{
    columns cols = { 0 };
    int cap_row = 0, cap_col = 0;
    c->tab->body = c->base.body;
    c->base.body = NULL;
    c->tab->n_body = c->model->n_body;
    pattern_builder_init(&c->couplings, c->out->n);
    bool ok = flexible_create(c->tab, c->p, c->mode_q) && map_markers(c) &&
              build_constraint_rows(c, &cap_row, &cap_col, &cols) &&
              build_rigid_rows(c, &cap_row, &cap_col, &cols) && build_blocks(c, &cols);
    if (ok && c->out->n_row == 0) {
        c->out->G_start = calloc(1, sizeof *c->out->G_start);
        ok = c->out->G_start != NULL;
    }
    if (ok) {
        flexible_pattern(c->tab, &c->couplings);
        each_mass_entry(c, mass_to_pattern);
        ok = structure_finish(c->out, &c->couplings);
    }
    if (ok) {
        c->tab->n_row = c->out->n_row;
        c->out->has_bias = c->tab->n_flex_point > 0;
        c->tab->M0 = calloc((size_t)c->out->tangent.nnz + 1, sizeof *c->tab->M0);
        ok = c->tab->M0 && block_entries(c) && flexible_entries(c->tab, c->out);
    }
    if (ok) {
        each_mass_entry(c, mass_to_value);
        ok = list_mass(c) && reactions_create(c->tab, c->p, &c->shared, &c->base);
    }
    pattern_builder_free(&c->couplings);
    free(cols.col);
    return ok;
}

void *natural_create(const plan *p, structure *out, bi_report *report)
{
    compiler c = { .p = p, .model = p->model, .out = out, .ok = true };
    c.tab = calloc(1, sizeof *c.tab);
    int errors = report->errors;
    bool ok = c.tab && sharing_create(&c.shared, p->model);
    if (ok) {
        sharing_solve(&c.shared, report);
        ok = report->errors == errors && bases_create(&c.base, &c.shared, p);
    }
    ok = ok && number(&c);
    if (ok) {
        c.tab->structure = out;
        out->size = c.shared.size;
        c.tab->body = NULL;
        ok = build_tables(&c);
    }
    if (ok) {
        guess(&c);
        ok = c.ok;
    }
    if (c.is_too_wide) {
        bi_report_add(report, BI_ERROR, BI_FULL, (bi_place){ 0 }, "",
                      "a law or constraint touches too many points of flexible bodies: split it");
    } else if (!ok && report->errors == errors) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    bases_clear(&c.base);
    sharing_clear(&c.shared);
    free(c.mode_q);
    if (!ok) {
        natural_destroy(c.tab);
        return NULL;
    }
    return c.tab;
}

void natural_destroy(void *table)
{
    natural *tab = table;
    if (!tab) {
        return;
    }
    flexible_destroy(tab);
    reactions_destroy(tab);
    free(tab->body);
    free(tab->term);
    free(tab->linear);
    free(tab->frame);
    free(tab->scalar);
    free(tab->flex_point);
    free(tab->shape);
    free(tab->source);
    free(tab->spread);
    free(tab->group);
    free(tab->group_first);
    free(tab->group_count);
    free(tab->group_gradient);
    free(tab->block);
    free(tab->block_col);
    free(tab->block_entry);
    free(tab->dot);
    free(tab->tie_start);
    free(tab->tie_q);
    free(tab->tie_s);
    free(tab->M0);
    free(tab->mass);
    free(tab);
}
