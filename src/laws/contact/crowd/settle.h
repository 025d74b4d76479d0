// SPDX-License-Identifier: MIT
// All places where live pairs touch, or may touch in a step, and the forces at them that agree with the motion they make
// (contact.20, contact.21).
#pragma once
#include "base/crew.h"
#include "laws/contact/crowd/fours.h"
#include "laws/contact/nudge.h"
#include "math/wide3.h"
#include "state/law.h"

// One place, at the present motion.
typedef struct {
    wide3 off;           // from the first place of the pair
    touch_values values; // of the surfaces
    touch_motion at;
    wide3 force;    // on the first
    double elastic; // its part that is stored, along the normal
    mat3 stiffness; // of the force against a displacement of the first
    // against rolling and spinning; roll.stiffness 0: nothing
    roll_values roll;
    roll_motion turned;
    vec3 moment;   // on the first
    mat3 turning;  // of it against a turn of the first, symmetric
    bool is_open;  // nothing touches: no force
    bool is_plain; // a spring across it that gives way at its limit, and nothing else
} place;

// How sites move by efforts on sites: u = u_free + A w, in parts that do not move each other.
typedef struct {
    int first, count; // sites, in `site`; while settling those that touch
    int all;          // of its sites
    int value;        // A of the part, 6 count x 6 count, in `A`
} mobile_part;

// A displacement and a turn, or a force and a moment.
typedef struct {
    wide3 lin, ang;
} place_move;

// A site and how it has moved. A free body is seen at its centre.
typedef struct {
    place_move start, at; // without contacts; now
    place_move effort;    // that moved it, unless it is free
    bool is_free;
    double mass;
    wide_mat3 inertia, turn_by; // turn_by: its inverse
    vec3 centre;                // from the frame
    // its mass and the stiffness around it: shifts, turns by shifts, turns; then the inverse
    wide_mat3 shift, mixed, turn, mixed_back;
} place_site;

// The places of two shapes, in lanes or one after the other, and their stiffness against the first moving about the
// first place.
typedef struct {
    const struct contact *law;
    const contact_pair *of;
    bool is_carried;  // its places go with its bodies, from where they were found
    double withheld;  // of its elastic forces: 0, or what would be more than was stored
    double stored;    // J, of a patch after the last step
    int site[2];      // in plan.site; -1: the ground
    wide3 arm[2];     // from the frames to the first place, then from the centres
    int first, count; // one after the other; count 0: they are in lanes
    int four, n_four; // in lanes
    pair_place *kept; // all of them: what acted is left there for the commit
    int n_kept;
    wide_mat3 shift, mixed, mixed_back,
        turn; // mixed: force by turns; back: moments by shifts, its transposed
} place_pair;

// What is counted of solving: iterations of Newton's method, of conjugate gradients, halvings, groups whose springs are too
// stiff for the step.
enum { PLACES_NEWTON, PLACES_GRADIENTS, PLACES_HALVINGS, PLACES_STIFF, PLACES_COUNTS };

// Sites that touch each other, straight or through others, or belong to one part: they are settled by themselves.
typedef struct {
    int pair, n_pair; // in `order`
    int site, n_site; // in `members`
    int64_t counts[PLACES_COUNTS];
} place_group;

// Room to find them.
typedef struct {
    int *up, *group_of; // (n_site)
    int *members;       // the sites, group by group (n_site)
    int *order;         // the pairs, group by group (most_pairs)
    place_group *item;  // (n_site)
    int count;
} place_groups;

typedef struct {
    const mobile_part *part;
    const int *site;     // one part after the other
    const int *part_of;  // each site                                  (n_site)
    const int *place_of; // each site in its part                      (n_site)
    const double *A;     // m/N and so on, the factor of the rule included
    double rate;         // velocity per displacement, 1/s
    const double *
        before; // velocities and spins of the sites less those of now, 6 each, that count; NULL: those of now
    const int *active; // sites that take part
    int n_active;
    const double *u;   // displacements of the sites, 6 each, without these forces
    place_site *sites; // (n_site)
    place_groups *groups;
    place_move *work[8];     // (n_site)
    int64_t *counts;         // (PLACES_COUNTS)
    double *w;               // out: efforts on them, 6 each
    bool is_known;           // they are those of the last time: a beginning
    double tolerance, least; // of the displacements: of the largest; m
} places_problem;

typedef struct {
    const double *
        shift; // of the sites, 6 each, by contacts of before, where pairs that do not touch are looked at without; NULL
    place *item;
    place_pair *pair;
    place_four *four;
    int *order_room;  // of the groups (most_pairs)
    const int *order; // of the pairs of a group, n_pair of them
    int count;        // of all places
    int n_item, n_four, n_pair, most, most_fours, most_pairs;
    unsigned lacks; // PLACES_LACK_...: there were more, and room for them is wanted
} place_list;
enum { PLACES_LACK_ITEMS = 1, PLACES_LACK_FOURS = 2, PLACES_LACK_PAIRS = 4 };

// The places of all live pairs of one kind's items: looked for anew, or (in->want & LAW_KEEP) those of the last time
// carried along.
void places_collect(const void *items, int count, const law_in *in, place_list *out);

// The sites of all live pairs that are near each other; gives how many pairs.
int places_near(const void *items, int count, const law_in *in, bool *site);

// Whether pairs touch, where the bodies are now; the same of those that were found apart; whether pairs touched at the
// end of the last step. Those that sleep do not count.
typedef bool (*places_question)(const void *items, int count, const law_in *in);
bool places_are_found(const void *items, int count, const law_in *in);
bool places_are_missed(const void *items, int count, const law_in *in);
bool places_are_remembered(const void *items, int count, const law_in *in);

// Newton's method in every group until the forces agree with the law and the motion they make.
void places_solve(place_list *list, const places_problem *p, crew *crew);

// The groups of the active sites, in the order of their first sites.
void groups_find(const place_list *list, const places_problem *p, place_groups *out);
