// SPDX-License-Identifier: MIT
// Which of many moving boxes meet (geometry.24).
#include "geom/broad.h"
#include "base/arena.h"
#include <math.h>
#include <string.h>

// ---- memory ----------------------------------------------------------------------------------------------------

static void cut(broad *t, arena *a)
{
    t->node = ARENA_NEW(a, broad_node, 2 * t->n);
    t->room = ARENA_NEW(a, geom_box, t->n);
    t->leaf = ARENA_NEW(a, int, t->n);
    t->order = ARENA_NEW(a, int, t->n);
    t->has_moved = ARENA_NEW(a, bool, t->n);
    t->pair = ARENA_NEW(a, broad_pair, t->most);
    t->fresh = ARENA_NEW(a, broad_pair, t->most);
}

size_t broad_size(int n, int most)
{
    broad t = { .n = n, .most = most };
    arena measure = { 0 };
    arena_take(&measure, 1, sizeof t);
    cut(&t, &measure);
    return measure.used + 64;
}

broad *broad_in(void *memory, int n, int most)
{
    broad *t = memory;
    if (t->n == 0 && n > 0) {
        arena room = { memory, 0, broad_size(n, most), true };
        arena_take(&room, 1, sizeof *t);
        *t = (broad){ .n = n, .most = most };
        cut(t, &room);
    }
    return t;
}

// ---- boxes -----------------------------------------------------------------------------------------------------

static geom_box joined(const geom_box *a, const geom_box *b)
{
    return (
        geom_box){ { fmin(a->low.x, b->low.x), fmin(a->low.y, b->low.y), fmin(a->low.z, b->low.z) },
                   { fmax(a->high.x, b->high.x), fmax(a->high.y, b->high.y), fmax(a->high.z, b->high.z) } };
}

static double size_of(const geom_box *b)
{
    return (b->high.x - b->low.x) + (b->high.y - b->low.y) + (b->high.z - b->low.z);
}

static bool holds(const geom_box *outer, const geom_box *inner)
{
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y && outer->low.z <= inner->low.z &&
           outer->high.x >= inner->high.x && outer->high.y >= inner->high.y && outer->high.z >= inner->high.z;
}

static geom_box grown(const geom_box *b, double by)
{
    return (geom_box){ { b->low.x - by, b->low.y - by, b->low.z - by },
                       { b->high.x + by, b->high.y + by, b->high.z + by } };
}

static double middle(const geom_box *b, int axis)
{
    return axis == 0 ? b->low.x + b->high.x : axis == 1 ? b->low.y + b->high.y : b->low.z + b->high.z;
}

// ---- the tree --------------------------------------------------------------------------------------------------

// The items from `first` on so that none of the `half` smaller ones comes after a larger one: quickselect.
static void split(const broad *t, int first, int count, int half, int axis)
{
    int low = first, high = first + count - 1, at = first + half;
    while (low < high) {
        double pivot = middle(&t->room[t->order[(low + high) / 2]], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(&t->room[t->order[i]], axis) < pivot) {
                i++;
            }
            while (middle(&t->room[t->order[j]], axis) > pivot) {
                j--;
            }
            if (i <= j) {
                int swap = t->order[i];
                t->order[i++] = t->order[j];
                t->order[j--] = swap;
            }
        }
        if (at <= j) {
            high = j;
        } else if (at >= i) {
            low = i;
        } else {
            return;
        }
    }
}

// Halves along the longest side, down to single items; node `at` and those behind it, whose next free one is returned.
static int build(broad *t, int first, int count, int at, int parent)
{
    broad_node *node = &t->node[at];
    node->parent = parent;
    if (count == 1) {
        node->left = -1;
        node->right = t->order[first];
        node->box = t->room[node->right];
        t->leaf[node->right] = at;
        return at + 1;
    }
    geom_box all = t->room[t->order[first]];
    for (int k = 1; k < count; k++) {
        all = joined(&all, &t->room[t->order[first + k]]);
    }
    vec3 side = vec3_sub(all.high, all.low);
    int half = count / 2, axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    split(t, first, count, half, axis);
    node->box = all;
    node->left = at + 1;
    node->right = build(t, first, half, at + 1, at);
    t->spread += size_of(&all);
    return build(t, first + half, count - half, node->right, at);
}

static void rebuild(broad *t)
{
    for (int k = 0; k < t->n; k++) {
        t->order[k] = k;
    }
    t->spread = 0.0;
    build(t, 0, t->n, 0, -1);
    t->spread_at_build = t->spread;
}

void broad_build(geom_box *box, int n, broad_node *node, int *work)
{
    broad t = { .n = n, .node = node, .room = box, .order = work, .leaf = work + n };
    if (n > 0) {
        rebuild(&t);
    }
}

int broad_next(broad_walk *w)
{
    while (w->n > 0) {
        const broad_node *node = &w->node[w->stack[--w->n]];
        if (!broad_overlap(&node->box, w->box)) {
            continue;
        }
        if (node->left < 0) {
            return node->right;
        }
        w->stack[w->n++] = node->left;
        w->stack[w->n++] = node->right;
    }
    return -1;
}

// The boxes above a leaf that has moved.
static void refit(broad *t, int item)
{
    int at = t->leaf[item];
    t->node[at].box = t->room[item];
    for (at = t->node[at].parent; at >= 0; at = t->node[at].parent) {
        broad_node *node = &t->node[at];
        geom_box box = joined(&t->node[node->left].box, &t->node[node->right].box);
        t->spread += size_of(&box) - size_of(&node->box);
        node->box = box;
    }
}

// ---- pairs -----------------------------------------------------------------------------------------------------

typedef struct {
    broad_may_meet may_meet;
    const void *from;
} filter;

static bool add_fresh(broad *t, int a, int b)
{
    if (t->n_new >= t->most) {
        return false;
    }
    t->fresh[t->n_new++] = a < b ? (broad_pair){ a, b } : (broad_pair){ b, a };
    return true;
}

// All whose rooms overlap that of `item`, each pair once.
static bool look_around(broad *t, int item, const filter *f)
{
    broad_walk walk = broad_around(t->node, t->n, &t->room[item]);
    for (int other; (other = broad_next(&walk)) >= 0;) {
        bool is_once = other != item && !(t->has_moved[other] && other < item);
        if (is_once && f->may_meet(item, other, f->from) && !add_fresh(t, item, other)) {
            return false;
        }
    }
    return true;
}

static bool is_before(broad_pair x, broad_pair y) { return x.a < y.a || (x.a == y.a && x.b < y.b); }

// Shell's sort: few, in place, always the same.
void broad_sort(broad_pair *pair, int count)
{
    static const int gaps[] = { 29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1 };
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (int i = gaps[g]; i < count; i++) {
            broad_pair x = pair[i];
            int j = i;
            for (; j >= gaps[g] && is_before(x, pair[j - gaps[g]]); j -= gaps[g]) {
                pair[j] = pair[j - gaps[g]];
            }
            pair[j] = x;
        }
    }
}

// The fresh ones among those kept, from the back.
static bool merge(broad *t)
{
    if (t->n_pair + t->n_new > t->most) {
        return false;
    }
    broad_sort(t->fresh, t->n_new);
    int i = t->n_pair - 1, j = t->n_new - 1, to = t->n_pair + t->n_new - 1;
    t->n_pair += t->n_new;
    for (; j >= 0; to--) {
        bool is_kept = i >= 0 && is_before(t->fresh[j], t->pair[i]);
        t->pair[to] = is_kept ? t->pair[i--] : t->fresh[j--];
    }
    t->n_new = 0;
    return true;
}

static void drop_moved(broad *t)
{
    int kept = 0;
    for (int k = 0; k < t->n_pair; k++) {
        broad_pair p = t->pair[k];
        if (!t->has_moved[p.a] && !t->has_moved[p.b]) {
            t->pair[kept++] = p;
        }
    }
    t->n_pair = kept;
}

// Rooms for those that have left theirs; gives how many.
static int move(broad *t, const geom_box *box, const double *margin, bool is_first)
{
    int moved = 0;
    for (int k = 0; k < t->n; k++) {
        t->has_moved[k] = is_first || !holds(&t->room[k], &box[k]);
        if (t->has_moved[k]) {
            moved++;
            t->room[k] = grown(&box[k], margin[k]);
            if (!is_first) {
                refit(t, k);
            }
        }
    }
    return moved;
}

static bool renew(broad *t, const filter *f)
{
    static const double mixed = 1.5; // of the spread when it was built
    if (t->spread_at_build == 0.0 || t->spread > mixed * t->spread_at_build) {
        rebuild(t);
    }
    drop_moved(t);
    t->n_new = 0;
    for (int k = 0; k < t->n; k++) {
        if (t->has_moved[k] && !look_around(t, k, f)) {
            return false;
        }
    }
    return merge(t);
}

int broad_find(broad *t, const geom_box *box, const double *margin, broad_may_meet may_meet, const void *from,
               broad_pair *out)
{
    const filter f = { may_meet, from };
    bool is_first = t->spread_at_build == 0.0;
    if (t->n < 2) {
        return 0;
    }
    if (move(t, box, margin, is_first) > 0 && !renew(t, &f)) {
        t->spread_at_build = 0.0; // half done: all of it afresh next time
        t->n_pair = 0;
        return -1;
    }
    int n = 0;
    for (int k = 0; k < t->n_pair; k++) {
        if (broad_overlap(&box[t->pair[k].a], &box[t->pair[k].b])) {
            out[n++] = t->pair[k];
        }
    }
    return n;
}
