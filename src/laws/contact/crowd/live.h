// SPDX-License-Identifier: MIT
// A contact among many shapes: its pairs are made while their boxes are near and dropped when they part, so that memory
// and time go by what touches (contact.19).
#pragma once
#include "geom/broad.h"
#include "laws/contact/pair.h"

// One of the shapes, with what a pair takes over from it.
typedef struct {
    // what is looked at in each step stands together
    pair_side side;
    int site;  // in plan.site; -1: the ground
    int mover; // among the shapes that move; the ground: as many as there are
    int body;
    bool is_box, is_ground, is_free;
    bool is_in_a, is_in_b;
    double reach, arm; // arm: of its farthest point from the marker, at most, m
    double size;       // of its room in the tree, m
    vec3 middle;       // as that of a pair
    vec3 span[3];      // half the edges of the box around it, axes of the body
    vec3 half, centre; // as those of a pair
    double mass;
    int block, sleep;
    const model_shape *shape;
} contact_site;

// Shapes of a body that moves, which stand one after the other.
typedef struct {
    int dof, frame, body; // as those of its shapes
    int first, count;     // of its shapes, among the movers
    double arm, reach;    // the farthest of its shapes from the marker; the largest of them
    vec3 middle, half;    // of a box around the boxes of its shapes, from the marker
    bool is_in_a, is_in_b;
    unsigned meets; // bits of the first groups before it whose shapes its own may meet
} live_group;

typedef struct {
    contact_site *site;
    int n_site, n_finite; // those without ends are the last
    int *mover;           // shapes that move, of all and of those with ends, which come first
    int n_mover, n_finite_mover;
    live_group *group;
    int n_group, n_meeting; // bodies; pairs of them whose shapes may meet, if they are few
    broad_node *still;      // of shapes with ends that never move: their tree
    int n_still;
    bool is_still_in_a, is_still_in_b; // some of them are
    bool is_among;                     // all with all, else those of a with those of b
    bool is_limited; // patches give no more than they stored: of few; among many a step would not converge
    int most_points;
    int slot;    // numbers of a place
    double mass; // asked for; 0: of the bodies
    const pair_asked *asks;
    int part;              // of coords.pool
    bool needs_work;       // meshes
    const geom_mesh *mesh; // the largest one
    size_t work, work_size;
    size_t kept_size;     // of what is kept of each pair
    size_t sleeping_size; // the same while it sleeps; 0: nobody can
    size_t box, margin;   // (n_finite_mover)
    size_t effort;        // on each mover after a step, and on the ground (6 n_mover + 6)
    size_t commit;        // how far a commit has come
    int last;             // memory: effort and twist of each mover after the last step, 12 each
} contact_live;

// What lies in the working room of its part: offsets in the scratch.
typedef struct {
    size_t kept, made, sleeping; // of each pair; the pairs themselves, as long as they stay where they are
    size_t found;                // pairs that are near
    size_t done, n_done;         // entries after a step, and how many numbers there is room for
    size_t broad;                // the tree, last
} live_room;
live_room live_room_of(const contact_live *l, const pool_room *room);

// A commit that found no room goes on from here when there is more.
typedef struct {
    bool is_under_way, is_counted;
    int used, n; // numbers and entries done
    double stored;
    law_energy slept;
    hit_sum hit; // of contacts that an event watches
} live_progress;

// In the pool: pairs; then an entry for each pair, in order: the two
// sites, and the memory of the pair as in pair.h, of which nothing but the count is there when nothing touches.
enum {
    POOL_COUNT = POOL_LIST, // of the pairs
    POOL_WORK,              // that its forces have done, J
    POOL_STORED,            // in the springs of its places at the end of that step, J
    POOL_IDLE,              // 1: nothing pushed then, and nothing that does not sleep was near
    POOL_HEAD
};
enum { ENTRY_A, ENTRY_B, ENTRY_OWN };

// With more possible pairs than this in all contacts of a model, or so many of two moving bodies, pairs are made when
// they are near, as those of patches are; others stand in the pattern of the equations.
enum { LIVE_FROM = 50, MOVING_FROM = 12 };
bool live_is_crowded(const bi_model *m);

// NULL: no memory, or a mistake was reported.
contact_live *live_compile(plan *p, int element, const bi_contact_def *d, int most_points);

// The pair of an entry, the k-th one.
const contact_pair *live_pair(const contact_live *l, const law_in *in, const double *entry, int k);
static inline int live_entry_size(const contact_pair *p, const double *entry)
{
    int count = (int)entry[ENTRY_OWN + HEAD_COUNT];
    return ENTRY_OWN + (count > 0 ? p->head + p->slot * count : PAIR_HEAD);
}

static inline const contact_site *live_mover(const contact_live *l, int k) { return &l->site[l->mover[k]]; }

// still.c, after list and sites are known: which of them move, and a tree of the others. false: no memory.
bool live_part_sites(plan *p, contact_live *l);
// What is in these lists may meet something that stands still at all.
static inline bool live_knows_still(const contact_live *l, bool is_in_a, bool is_in_b)
{
    return l->n_still > 0 && (l->is_among || (is_in_a && l->is_still_in_b) || (is_in_b && l->is_still_in_a));
}
// A shape of a group may meet one that stands still and is near this box: true is said of all that do.
bool live_meets_still(const contact_live *l, const live_group *g, const geom_box *box);
// far.c, then; false: no memory.
bool live_group_sites(plan *p, contact_live *l);
// No two of its shapes can be near after a step of h: true is certain.
bool live_is_far(const contact_live *l, const motion *at, double h, double gravity);

// Shapes of the two groups stand in lists that meet.
bool live_may_meet(const contact_live *l, const live_group *a, const live_group *b);
bool live_may_touch(const contact_live *l, int a, int b); // the same of two sites
// near.c: what a shape may reach in a step of h, gravity in m/s2.
geom_box live_box_of(const contact_site *s, const motion *at, double h, double gravity);
// All pairs that are near after a step of h, in order, gravity in m/s2; -1: more than there is room for.
int live_find(const contact_live *l, const law_in *in, double h, double gravity, broad_pair *found);

// K and C of a pair of two moving bodies, 12 x 12: onto the blocks of the bodies; what couples them stands in no pattern.
void live_add_blocks(const contact_live *l, const double *entry, const contact_pair *p, const double *K,
                     const double *C, load *to);

// After a step of h: the pairs that are near now, with what the entries of `done` (n_done pairs, in order) remember.
// False: there is no room, and nothing has changed but POOL_FULL.
bool live_renew(const contact_live *l, const law_in *in, double h, double gravity, const double *done,
                int n_done);
// What pairs keep in the scratch, from one room to another.
void live_move(const contact_live *l, const void *from, const pool_room *before, void *to,
               const pool_room *now);
static inline double *live_pool(const contact_live *l, const law_in *in)
{
    return &in->pool[in->room[l->part].at];
}
// Work of the efforts of a step, which are in `effort`, and those of the step before (contact.22).
void live_count_work(const contact_live *l, const law_in *in, double *memory);
static inline double *live_effort(const contact_live *l, const law_in *in)
{
    return (double *)(void *)((char *)in->scratch + l->effort);
}
static inline live_progress *live_commit_of(const contact_live *l, const law_in *in)
{
    return (live_progress *)(void *)((char *)in->scratch + l->commit);
}

// ---- a walk over the pairs of a contact, live or not ------------------------------------------------------------------

typedef struct {
    const contact_live *live;
    const contact_pair *fixed;
    const law_in *in;
    const double *entry, *next;
    int k, count;
    const contact_pair *made;
} pair_walk;

static inline void walk_begin(pair_walk *w, const contact_live *live, const contact_pair *fixed, int n_fixed,
                              const law_in *in)
{
    w->live = live;
    w->fixed = fixed;
    w->in = in;
    w->k = -1;
    w->count = live ? (int)live_pool(live, in)[POOL_COUNT] : n_fixed;
    w->entry = w->next = live ? &live_pool(live, in)[POOL_HEAD] : NULL;
}

const contact_pair *walk_made(pair_walk *w); // the next live one
// NULL: that was the last.
static inline const contact_pair *walk_next(pair_walk *w)
{
    if (++w->k >= w->count) {
        return NULL;
    }
    return w->live ? walk_made(w) : &w->fixed[w->k];
}
