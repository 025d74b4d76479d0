// SPDX-License-Identifier: MIT
// Joints as rows Phi = 0 with gradients on components (yardstick.9). A spin of a turn is about its own axes.
#include "exact/elements/inside.h"

// The turn's row entries of d(A s) . e, e a ground direction: e . A (spin x s) = spin . (s x A^T e).
static vec3 turning(const yard *y, int turn, vec3 s, vec3 e)
{
    return vec3_cross(s, mat3_apply_transposed(y->axes[turn], e));
}

static vec3 offset_out(const yard *y, yard_node node, vec3 s)
{
    return node.turn >= 0 ? mat3_apply(y->axes[node.turn], s) : s;
}

static void put(row *r, int *n, vec3 g)
{
    r->coef[(*n)++] = g.x;
    r->coef[(*n)++] = g.y;
    r->coef[(*n)++] = g.z;
}

// b.x + A_b w - a.x - A_a u along one ground axis. Entries: place b, place a, turn b, turn a.
static void join_evaluate(const yard *y, row *r)
{
    vec3 gap = vec3_sub(vec3_add(place_get(y->x, r->b.place), offset_out(y, r->b, r->w)),
                        vec3_add(place_get(y->x, r->a.place), offset_out(y, r->a, r->u)));
    const vec3 axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    vec3 e = axis[r->component];
    r->phi = vec3_dot(gap, e);
    r->coef[0] = 1.0;
    r->coef[1] = -1.0;
    int n = 2;
    if (r->b.turn >= 0) {
        put(r, &n, turning(y, r->b.turn, r->w, e));
    }
    if (r->a.turn >= 0) {
        put(r, &n, vec3_neg(turning(y, r->a.turn, r->u, e)));
    }
}

static void perpendicular_evaluate(const yard *y, row *r)
{
    vec3 u = offset_out(y, r->a, r->u), w = offset_out(y, r->b, r->w);
    int n = 0;
    r->phi = vec3_dot(u, w);
    if (r->b.turn >= 0) {
        put(r, &n, turning(y, r->b.turn, r->w, u));
    }
    if (r->a.turn >= 0) {
        put(r, &n, turning(y, r->a.turn, r->u, w));
    }
}

// (p_b - p_a) . A_a direction = constant. Entries: place b, place a, turn b, turn a.
static void guide_evaluate(const yard *y, row *r)
{
    vec3 arm_a = offset_out(y, r->a, r->u);
    vec3 gap = vec3_sub(vec3_add(place_get(y->x, r->b.place), offset_out(y, r->b, r->w)),
                        vec3_add(place_get(y->x, r->a.place), arm_a));
    vec3 e = offset_out(y, r->a, r->direction);
    r->phi = vec3_dot(gap, e) - r->constant - (r->drive.at ? r->drive.at(r->drive.ctx, y->t).v : 0.0);
    int n = 0;
    put(r, &n, e);
    put(r, &n, vec3_neg(e));
    if (r->b.turn >= 0) {
        put(r, &n, turning(y, r->b.turn, r->w, e));
    }
    if (r->a.turn >= 0) {
        // the direction turns with a, its point moves with a
        vec3 own = vec3_sub(turning(y, r->a.turn, r->direction, gap), turning(y, r->a.turn, r->u, e));
        put(r, &n, own);
    }
}

static void angle_evaluate(const yard *y, row *r)
{
    r->phi = yard_angle(y, r->b.turn) - (r->a.turn >= 0 ? yard_angle(y, r->a.turn) : 0.0);
    if (r->drive.at) {
        r->phi -= r->drive.at(r->drive.ctx, y->t).v;
    }
    r->coef[0] = 1.0;
    r->coef[1] = -1.0;
}

void rows_evaluate(yard *y)
{
    for (int k = 0; k < y->n_row; k++) {
        row *r = &y->row[k];
        switch (r->kind) {
        case ROW_JOIN: join_evaluate(y, r); break;
        case ROW_PERPENDICULAR: perpendicular_evaluate(y, r); break;
        case ROW_GUIDE: guide_evaluate(y, r); break;
        case ROW_ANGLE: angle_evaluate(y, r); break;
        }
    }
}
