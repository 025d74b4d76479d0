// SPDX-License-Identifier: MIT
// A tree of the places of a body by where they are: the middle of each branch, and how far the others are from it
// (fe.18).
#include "flex/stress/recover.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A place to be sorted: both sides of a shell stand at one node, and are kept apart by the fourth number.
typedef struct {
    double at[4], along; // along: the one that is sorted by
    int32_t point;
} spot;

typedef struct {
    const bi_recovery *r;
    spot *spot;    // (count)
    double *reach; // (count * n_mode)
} tree;

static int compare_spots(const void *a, const void *b)
{
    const spot *x = a, *y = b;
    return x->along != y->along ? (x->along < y->along ? -1 : 1) : x->point - y->point;
}

// Along the longest side of the box around them.
static void sort_spots(spot *s, int count)
{
    int axis = 0;
    double longest = -1.0;
    for (int a = 0; a < 4; a++) {
        double low = s[0].at[a], high = low;
        for (int k = 1; k < count; k++) {
            low = fmin(low, s[k].at[a]);
            high = fmax(high, s[k].at[a]);
        }
        if (high - low > longest) {
            longest = high - low;
            axis = a;
        }
    }
    for (int k = 0; k < count; k++) {
        s[k].along = s[k].at[axis];
    }
    qsort(s, (size_t)count, sizeof *s, compare_spots);
}

// Square of the von Mises stress of the difference of two places, per unit of an amplitude.
static double apart(const bi_recovery *r, int mode, const double *a, const double *b)
{
    double s[6];
    for (int k = 0; k < 6; k++) {
        s[k] = a[k * r->n_mode + mode] - b[k * r->n_mode + mode];
    }
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    return 0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
}

static void measure(const tree *t, int from, int to)
{
    const bi_recovery *r = t->r;
    int middle = from + (to - from) / 2;
    const double *own = recovery_rows(r, t->spot[middle].point);
    double *reach = t->reach + (ptrdiff_t)middle * r->n_mode;
    for (int k = from; k < to; k++) {
        const double *other = recovery_rows(r, t->spot[k].point);
        for (int m = 0; m < r->n_mode; m++) {
            reach[m] = fmax(reach[m], apart(r, m, other, own));
        }
    }
    for (int m = 0; m < r->n_mode; m++) {
        reach[m] = sqrt(reach[m]);
    }
}

static void grow(const tree *t, int from, int to)
{
    if (to - from <= BI_RECOVERY_LEAF) {
        return;
    }
    int middle = from + (to - from) / 2;
    sort_spots(t->spot + from, to - from);
    measure(t, from, to);
    grow(t, from, middle);
    grow(t, middle + 1, to);
}

static void place_spots(const bi_flex *flex, const tree *t, int first, int count)
{
    double size = 0.0;
    for (int i = 1; i < flex->mesh.n_node; i++) {
        size = fmax(size, vec3_norm(vec3_sub(flex->mesh.node[i].at, flex->mesh.node[0].at)));
    }
    for (int k = 0, side = 0; k < count; k++) {
        int node = t->r->node[first + k];
        // nodes come in order, once for each side
        side += k > 0 && node <= t->r->node[first + k - 1];
        vec3 at = flex->mesh.node[node].at;
        t->spot[k] = (spot){ .at = { at.x, at.y, at.z, 4.0 * size * side }, .point = (int32_t)(first + k) };
    }
}

bool recovery_branch(const bi_flex *flex, bi_recovery *r)
{
    int first = r->form == BI_FORM_MIXED ? r->n_section : 0, count = r->n_point - first;
    if (count <= 2 * BI_RECOVERY_LEAF || r->n_mode == 0) {
        return true;
    }
    tree t = { .r = r, .spot = calloc((size_t)count, sizeof *t.spot) };
    t.reach = calloc((size_t)count * (size_t)r->n_mode, sizeof *t.reach);
    int32_t *order = calloc((size_t)count, sizeof *order);
    bool is_good = t.spot && t.reach && order;
    if (is_good) {
        place_spots(flex, &t, first, count);
        grow(&t, 0, count);
        for (int k = 0; k < count; k++) {
            order[k] = t.spot[k].point;
        }
        r->order = order;
        r->reach = t.reach;
    } else {
        free(t.reach);
        free(order);
    }
    free(t.spot);
    return is_good;
}
