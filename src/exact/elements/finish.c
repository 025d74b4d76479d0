// SPDX-License-Identifier: MIT
// From the description to numbered freedoms and a planned matrix. The last allocations of a structure.
#include "exact/elements/inside.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- which components belong to which element -------------------------------------------------------------

static int row_entries(const yard *y, row *r)
{
    int n = 0;
    if (r->kind == ROW_ANGLE) {
        r->entry[n++] = component_of_turn(y, r->b.turn, 2);
        if (r->a.turn >= 0) {
            r->entry[n++] = component_of_turn(y, r->a.turn, 2);
        }
        return n;
    }
    if (r->kind == ROW_JOIN) {
        r->entry[n++] = component_of_place(r->b.place, r->component);
        r->entry[n++] = component_of_place(r->a.place, r->component);
    } else if (r->kind == ROW_GUIDE) {
        for (int k = 0; k < 6; k++) {
            r->entry[n++] = component_of_place(k < 3 ? r->b.place : r->a.place, k % 3);
        }
    }
    for (int k = 0; k < 3 && r->b.turn >= 0; k++) {
        r->entry[n++] = component_of_turn(y, r->b.turn, k);
    }
    for (int k = 0; k < 3 && r->a.turn >= 0; k++) {
        r->entry[n++] = component_of_turn(y, r->a.turn, k);
    }
    return n;
}

static void name_components(yard *y)
{
    for (int k = 0; k < y->n_planar; k++) {
        planar_beam *e = &y->planar[k];
        for (int i = 0; i < 4; i++) {
            e->map.a[3 * i] = component_of_place(e->place[i], 0);
            e->map.a[3 * i + 1] = component_of_place(e->place[i], 1);
            e->map.a[3 * i + 2] = component_of_turn(y, e->turn[i], 2);
        }
    }
    for (int k = 0; k < y->n_spatial; k++) {
        int n = node_components(y, y->spatial[k].node[0], y->spatial[k].map.a);
        node_components(y, y->spatial[k].node[1], y->spatial[k].map.a + n);
    }
    for (int k = 0; k < y->n_quad; k++) {
        for (int i = 0; i < 2 * y->quad[k].n; i++) {
            y->quad[k].map.a[i] = component_of_place(y->quad[k].place[i / 2], i % 2);
        }
    }
    for (int k = 0; k < y->n_spring; k++) {
        int n = node_components(y, y->spring[k].node[0], y->spring[k].map.a);
        node_components(y, y->spring[k].node[1], y->spring[k].map.a + n);
    }
    for (int k = 0; k < y->n_rigid; k++) {
        node_components(y, y->rigid[k].node, y->rigid[k].map.a);
    }
    for (int k = 0; k < y->n_row; k++) {
        y->row[k].count = row_entries(y, &y->row[k]);
    }
}

// ---- freedoms ----------------------------------------------------------------------------------------------

static void hold_components(yard *y)
{
    for (int k = 0; k < y->n_hold; k++) {
        const struct hold *h = &y->hold[k];
        for (int i = 0; i < 3; i++) {
            if (h->components & (1u << i)) {
                y->freedom[3 * ((h->is_turn ? y->n_place : 0) + h->index) + i] = -1;
            }
        }
    }
    for (int k = 0; y->is_planar && k < y->n_place; k++) {
        y->freedom[component_of_place(k, 2)] = -1;
    }
    for (int k = 0; y->is_planar && k < y->n_turn; k++) {
        y->freedom[component_of_turn(y, k, 0)] = -1;
        y->freedom[component_of_turn(y, k, 1)] = -1;
    }
}

static void number_freedoms(yard *y)
{
    hold_components(y);
    y->n = 0;
    for (int i = 0; i < y->n_all; i++) {
        if (y->freedom[i] >= 0) {
            y->freedom[i] = y->n++;
        }
    }
}

// ---- the matrix --------------------------------------------------------------------------------------------

static void pattern_of(const yard *y, pattern_builder *builder, const int *component, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            int a = y->freedom[component[i]], b = y->freedom[component[j]];
            if (a >= 0 && b >= 0) {
                pattern_add(builder, a, b);
            }
        }
    }
}

static void places_of(const yard *y, const int *component, int count, int *where)
{
    for (int j = 0; j < count; j++) {
        for (int i = 0; i <= j; i++) {
            int a = y->freedom[component[i]], b = y->freedom[component[j]];
            where[pair_index(i, j)] = a >= 0 && b >= 0 ? pattern_find(&y->pat, a, b) : -1;
        }
    }
}

// Calls one of the two above for every element and row.
static void for_all(yard *y, pattern_builder *builder)
{
#define EACH(list, number, components)                                                                       \
    for (int k = 0; k < y->number; k++) {                                                                    \
        if (builder) {                                                                                       \
            pattern_of(y, builder, y->list[k].map.a, components);                                            \
        } else {                                                                                             \
            places_of(y, y->list[k].map.a, components, y->list[k].map.where);                                \
        }                                                                                                    \
    }
    EACH(planar, n_planar, 12)
    EACH(spatial, n_spatial, 12)
    EACH(quad, n_quad, 2 * y->quad[k].n)
    EACH(spring, n_spring, 6 + 3 * (y->spring[k].node[0].turn >= 0) + 3 * (y->spring[k].node[1].turn >= 0))
    EACH(rigid, n_rigid, y->rigid[k].node.turn >= 0 ? 6 : 3)
#undef EACH
    for (int k = 0; k < y->n_row; k++) {
        row *r = &y->row[k];
        if (builder) {
            pattern_of(y, builder, r->entry, r->count);
        } else {
            places_of(y, r->entry, r->count, r->where);
        }
    }
}

static bool plan_matrix(yard *y)
{
    pattern_builder builder;
    pattern_builder_init(&builder, y->n);
    for_all(y, &builder);
    bool is_built = pattern_build(&builder, &y->pat);
    pattern_builder_free(&builder);
    if (!is_built) {
        return false;
    }
    for_all(y, NULL);
    y->solver = solver_create(SOLVER_OWN, &y->pat);
    if (!y->solver) {
        return false;
    }
    y->value = calloc((size_t)y->pat.nnz + 1, sizeof *y->value);
    y->numeric = calloc(solver_numeric_count(y->solver) + 1, sizeof *y->numeric);
    return y->value && y->numeric;
}

static void mark_axes(yard *y, int turn)
{
    if (turn >= 0) {
        y->needs_axes[turn] = true;
    }
}

static void mark_all_axes(yard *y)
{
    for (int k = 0; k < y->n_rigid; k++) {
        mark_axes(y, y->rigid[k].node.turn);
    }
    for (int k = 0; k < y->n_spring; k++) {
        mark_axes(y, y->spring[k].node[0].turn);
        mark_axes(y, y->spring[k].node[1].turn);
    }
    for (int k = 0; k < y->n_load; k++) {
        mark_axes(y, y->load[k].node.turn);
    }
    for (int k = 0; k < y->n_row; k++) {
        mark_axes(y, y->row[k].a.turn);
        mark_axes(y, y->row[k].b.turn);
    }
}

static bool take_state(yard *y)
{
    double **array[] = { &y->x,     &y->v,          &y->a,     &y->smooth, &y->x_old, &y->v_old,
                         &y->a_old, &y->smooth_old, &y->delta, &y->force,  &y->b };
    bool is_good = true;
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = calloc((size_t)y->n_all + 1, sizeof **array[k]);
        is_good = is_good && *array[k];
    }
    y->rot = calloc((size_t)y->n_turn + 1, sizeof *y->rot);
    y->rot_old = calloc((size_t)y->n_turn + 1, sizeof *y->rot_old);
    y->axes = calloc((size_t)y->n_turn + 1, sizeof *y->axes);
    y->needs_axes = calloc((size_t)y->n_turn + 1, sizeof *y->needs_axes);
    y->lambda_old = calloc((size_t)y->n_row + 1, sizeof *y->lambda_old);
    return is_good && y->rot && y->rot_old && y->axes && y->needs_axes && y->lambda_old;
}

static double largest_extent(const yard *y)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY },
           size = 0.0;
    for (int k = 0; k < y->n_place; k++) {
        const double *x = &y->place0[k].x;
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], x[i]);
            high[i] = fmax(high[i], x[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        size = fmax(size, high[i] - low[i]);
    }
    return size > 0.0 ? size : 1.0;
}

bool yard_finish(yard *y)
{
    y->n_all = 3 * (y->n_place + y->n_turn);
    y->freedom = calloc((size_t)y->n_all + 1, sizeof *y->freedom);
    if (y->is_short || !y->freedom || y->n_place == 0) {
        return false;
    }
    name_components(y);
    number_freedoms(y);
    y->size = largest_extent(y);
    if (y->n == 0 || !plan_matrix(y) || !take_state(y)) {
        return false;
    }
    mark_all_axes(y);
    planar_beams_prepare(y);
    y->is_finished = true;
    return yard_start(y) == BI_OK;
}

int yard_freedoms(const yard *y) { return y->n; }

void yard_sizes(const yard *y, int *beams, int *quads, int *rows)
{
    *beams = y->n_planar + y->n_spatial;
    *quads = y->n_quad;
    *rows = y->n_row;
}

void yard_destroy(yard *y)
{
    if (!y) {
        return;
    }
    if (y->solver) {
        solver_close(y->solver, y->numeric);
    }
    solver_destroy(y->solver);
    pattern_free(&y->pat);
    void *all[] = { y->place0,  y->turn0,      y->hold,       y->planar,     y->spatial, y->quad,
                    y->rigid,   y->row,        y->load,       y->value,      y->x,       y->v,
                    y->a,       y->x_old,      y->v_old,      y->a_old,      y->smooth,  y->delta,
                    y->force,   y->smooth_old, y->b,          y->rot,        y->rot_old, y->axes,
                    y->freedom, y->numeric,    y->lambda_old, y->needs_axes, y->start,   y->spring };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        free(all[k]);
    }
    free(y);
}
