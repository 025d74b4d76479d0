// SPDX-License-Identifier: MIT
// Which of many moving boxes meet: a tree of boxes with some room, and the pairs whose rooms overlap, kept from call to
// call. What it answers follows from the boxes asked about alone, whatever was asked before.
#pragma once

#include "geom/geom.h"

typedef struct {
    int a, b; // a < b
} broad_pair;

// Whether two items may meet at all; never changes.
typedef bool (*broad_may_meet)(int a, int b, const void *from);

typedef struct {
    geom_box box;
    int parent, left, right; // left -1: a leaf, and right its item
} broad_node;

// In memory of the caller's, zero before the first call.
typedef struct {
    int n, most;                    // items; pairs at most
    int n_pair, n_new;              // with overlapping rooms, in order; those that are being added
    double spread, spread_at_build; // sum of the sizes of all boxes of the tree: it grows as items mix
    broad_node *node;               // (2 n - 1)
    geom_box *room;                 // of each item (n)
    int *leaf;                      // of each item (n)
    int *order;                     // while building (n)
    bool *has_moved;                // (n)
    broad_pair *pair;               // (most)
    broad_pair *fresh;              // (most)
} broad;

// A tree of n boxes that never move, and the items of it whose boxes overlap one; -1: that was the last. work (2 n).
void broad_build(geom_box *box, int n, broad_node *node, int *work);
typedef struct {
    const broad_node *node;
    const geom_box *box;
    int stack[128], n;
} broad_walk;
static inline broad_walk broad_around(const broad_node *node, int n, const geom_box *box)
{
    broad_walk w;
    w.node = node;
    w.box = box;
    w.stack[0] = 0;
    w.n = n > 0 ? 1 : 0;
    return w;
}
int broad_next(broad_walk *w);

size_t broad_size(int n, int most); // bytes
// Lays out the parts behind it, once; then does nothing.
broad *broad_in(void *memory, int n, int most);

void broad_sort(broad_pair *pair, int count); // a, then b

// All pairs whose boxes overlap, a before b and in order, to `out` (most). Box k gets `margin[k]` of room, m, when it
// leaves the one it has. -1: there are more pairs than fit.
int broad_find(broad *t, const geom_box *box, const double *margin, broad_may_meet may_meet, const void *from,
               broad_pair *out);

static inline bool broad_overlap(const geom_box *a, const geom_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}
