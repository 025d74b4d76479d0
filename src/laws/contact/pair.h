// SPDX-License-Identifier: MIT
// Two shapes of two bodies: where they touch, and which of their stick anchors belongs to which place.
#pragma once
#include "geom/geom.h"
#include "laws/contact/contact.h"
#include "state/law.h"

enum { PAIR_MOST = 64 }; // places of one pair at once

// One of the two bodies: a frame at its origin, or at the node of a flexible body that carries the shape; dof -1: the
// ground.
typedef struct {
    int dof, frame;
    vec3 at; // place of the frame in the body
} pair_side;

// Whose callback decides about places, and what it is told of them.
typedef struct {
    int element;
    const bi_contact_def *def;
    const model_shape *shapes; // of the model
} pair_asked;
const pair_asked *pair_asks(plan *plan, int element, const bi_contact_def *d); // NULL: nobody's

typedef struct {
    const model_shape *a, *b; // b is the flatter one: a plane if there is one
    const pair_asked *asks;   // somebody decides about its places; NULL: nobody does
    bool is_live;             // made of two sites while they are near (live.h)
    int of[2];                // those sites
    pair_side side[2];
    bool is_swapped;      // a is of the list `b` of the definition
    bool is_turned;       // of a live pair: a is the second of its sites
    int block, width;     // of K and C; 6 per moving body
    bool is_first;        // of the pairs that share the block
    vec3 middle[2];       // of balls around the shapes, from the frames of the sides
    double reach[2];      // their radii, m; INFINITY: a plane
    vec3 half;            // half the sizes of the box around a, in its axes, m
    double thin;          // sum of their smallest half sizes, m; INFINITY: with a plane
    vec3 centre;          // centre of mass of the body of a, from its frame
    double near;          // m, how far a place may move between steps and keep its anchor
    double mass;          // kg
    int memory, capacity; // a head, then `slot` numbers per place; in the pool when it is live
    int slot;             // PAIR_SLOT, or ROLL_SLOT where rolling is resisted; more where places wander
    int head;             // PATCH_HEAD for patches, PAIR_HEAD for others
    bool needs_work;      // meshes
    bool is_ball_on_plane;
    bool is_over_ground;           // b is a plane of the ground, a no patch
    geom_pose rest;                // of b when it belongs to the ground
    bool is_patch;                 // its forces have no potential: their energy is counted
    size_t kept;                   // of patches, in the scratch
    const geom_mesh *work_mesh[2]; // those that the work space is for
    size_t work;                   // in the scratch
    size_t work_size;              // bytes
    int body[2];
    bool is_ground[2]; // the body never moves
    bool are_free;     // of a live pair: no joint holds either
    int carrier;       // the side of a body that is fixed to the ground; -1: none
    int sleep[2];      // memory of sleep of the bodies; -1: this one never sleeps
    size_t sleeping;   // in the scratch: the readings of a pair that sleeps; only with sleep
} contact_pair;

// Memory: number of places after the last step; of patches what they have stored, J, when, s, how much of their force
// they may give back, and force, moments and velocities of the end of that step; then of each place the place in both
// bodies, the stretch of the stick spring (axes of b) and the speed of the first touch; of those that resist rolling also
// how a lay in b (a quaternion) when the springs against it were relaxed; last, of places that wander, how a lay in b
// after the step.
enum {
    HEAD_COUNT,
    PAIR_HEAD,
    HEAD_STORED = PAIR_HEAD,
    HEAD_TIME,
    HEAD_GIVE,
    HEAD_EFFORT,
    HEAD_FLOW = HEAD_EFFORT + 9,
    PATCH_HEAD = HEAD_FLOW + 9
};
enum {
    SLOT_A = 0,
    SLOT_B = 3,
    SLOT_STRETCH = 6,
    SLOT_IMPACT = 9,
    PAIR_SLOT = 10,
    SLOT_ROLL = 10,
    ROLL_SLOT = 14,
    TURN_NUMBERS = 4,
    MOST_SLOT = ROLL_SLOT + TURN_NUMBERS
};

// Readings of a pair that sleeps, without looking again.
typedef struct {
    int site[2];                   // of a live pair: whose they are
    bool has_readings, has_energy; // they are known
    double readings[CONTACT_READINGS];
    double carried[6]; // force and moment on the side that carries, about its frame
    law_energy energy;
} sleeping_pair;

// Its memory, as left by the last step.
static inline const double *pair_own(const contact_pair *p, const law_in *in)
{
    return (p->is_live ? in->pool : in->memory) + p->memory;
}

// Where the bodies of a pair are and how they move.
typedef struct {
    mat3 rot[2];
    vec3 pos[2], vel[2], spin[2];
} pair_motion;
pair_motion pair_at(const contact_pair *p, const motion *at);

// The first shape hangs above a plane of the ground: seen before anything else is looked at.
bool pair_is_clear(const contact_pair *p, const motion *at);

// A place where they touch.
typedef struct {
    vec3 point, normal; // middle of the overlap; towards a
    double depth, area;
    double radius;    // of a, when it is a sphere
    double other;     // radius of b, when both are
    bool is_round;    // both are spheres: the normal is that of the middles
    int region, slot; // -1: no anchor yet
    // if it was settled: the force on a that the step had here, and its part along the normal that a spring stores
    vec3 acted;
    double elastic;
} pair_place;

// Those of the last evaluation, in the scratch.
typedef struct {
    pair_motion at;
    int count, n_region;
    bool is_moved;   // the last evaluation did not look for them anew
    double withheld; // of the elastic forces in the present step: 0, or what would be more than was stored
    pair_place place[];
} pair_kept;

// All of them, into room for p->capacity; `own` is the memory of the pair; of patches those of the last evaluation, carried along with both bodies (contact.16), with LAW_KEEP.
int pair_places(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                unsigned want, pair_place *out, int *n_region);
// The same of a live pair, looked for where it is and only kept.
int pair_look(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in);
// Places that have come to touch besides those that are kept, of a pair that is no patch; the same, and they are kept, too.
int pair_missed(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                pair_place *out);
int pair_look_again(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in);
// The places that are kept, for who settles them.
int pair_kept_count(const contact_pair *p, void *scratch);
pair_place *pair_kept_places(const contact_pair *p, void *scratch);
const pair_motion *pair_kept_motion(const contact_pair *p, void *scratch);
double *pair_withheld(const contact_pair *p, void *scratch);
// There are none: nothing to carry along.
void pair_forget(const contact_pair *p, void *scratch);
// The same after a step: as the last evaluation had them.
int pair_places_done(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                     pair_place *out, int *n_region);

// Who decides about places may let the shapes pass each other.
static inline bool pair_may_pass(const contact_pair *p) { return p->asks && p->asks->def->decides; }
// Of the element; shapes: of the model.
bi_touch pair_touch(const contact_pair *p, int element, const model_shape *shapes, const pair_motion *m,
                    const pair_place *place);
// All of them, the deepest if there are too many, less those that a user decides against; gives how many.
int pair_find(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
              pair_place *out, int *n_region);

// The lowest place of a wanders over its surface as a turns: an ellipsoid on a plane, which is not a patch.
static inline bool pair_bends(const contact_pair *p)
{
    return p->a->form.kind == GEOM_ELLIPSOID && p->b->form.kind == GEOM_PLANE;
}
static inline int pair_slot(const contact_pair *p, int slot)
{
    return slot + (pair_bends(p) ? TURN_NUMBERS : 0);
}
// How, for a turn of a by t: by bend (t x n), ground axes (contact.11).
mat3 pair_bend(const contact_pair *p, const pair_motion *m, vec3 normal);

// One of the bodies sleeps: the other one is far, sleeps too or is the ground (contact.17).
static inline bool pair_sleeps(const contact_pair *p, const double *memory)
{
    return (p->sleep[0] >= 0 && memory[p->sleep[0] + SLEEP_IS] > 0.0) ||
           (p->sleep[1] >= 0 && memory[p->sleep[1] + SLEEP_IS] > 0.0);
}

// The shapes may meet before the end of a step of length h, or are close to it; gravity in m/s2.
bool pair_is_near(const contact_pair *p, const pair_motion *m, double h, double gravity);

double pair_thinnest(vec3 half); // of the half sizes of a shape
// They move farther in h than both are thick: they may pass, or come to touch far inside.
static inline double pair_speed(const contact_pair *p, const motion *at)
{
    vec3 still = { 0.0, 0.0, 0.0 };
    vec3 a = p->side[0].dof >= 0 ? tray_vec3(&at->rate[p->side[0].dof]) : still,
         b = p->side[1].dof >= 0 ? tray_vec3(&at->rate[p->side[1].dof]) : still;
    return vec3_norm(vec3_sub(a, b));
}
static inline bool pair_is_fast(const contact_pair *p, const motion *at, double h)
{
    return h * pair_speed(p, at) > p->thin;
}
// Of shapes that meet by triangles, which have no contact there: the middle of one lies inside the other, or below a
// field.
bool pair_is_inside(const contact_pair *p, const pair_motion *m);
// The way of a in a step, seen from b where it is now: where its middle is, b's from there, and how far it went and turned.
typedef struct {
    vec3 to, apart, way, turn;
} pair_way;
// The whole of a, on that way to its pose, came from outside and went through b; only shapes that are convex or in
// pieces are asked.
bool pair_is_swept(const contact_pair *p, const geom_pose *a, const geom_pose *b, pair_way w);
// They passed through each other in a step of h, by the way of the middle of a, or of all of it where it is convex.
bool pair_has_passed(const contact_pair *p, const pair_motion *m, double h);
// How deep the centre of the body of a is below a plane of the ground, m; negative: above, or b is no such plane.
double pair_below(const contact_pair *p, const motion *at);

// Of all pairs of a contact at the end of a step, or of those of two things.
typedef struct {
    double points;
    vec3 force;   // on the bodies of a, N
    double power; // that it gives to all bodies, W
} touch_sum;
typedef struct {
    touch_sum all;
    struct {
        int thing[2]; // of the lists a and b
        touch_sum sum;
    } of[THINGS_MOST];
    int n;
} hit_sum;

// ---- what pairs are made of ----------------------------------------------------------------------------------------

// Spheres first, planes last: the tangent takes b for flat.
int pair_rank_of(const model_shape *s);
// Places of the two come and go with the pose: their forces have no potential.
bool pair_is_patch(const model_shape *a, const model_shape *b);
double pair_mass_of(const bi_model *m, int body); // kg, 0: the ground
// A ball around the shape, in the axes of its body, and half the sizes of the box around it in its own.
void pair_ball_around(const model_shape *s, vec3 *middle, double *reach, vec3 *half);
// A shape whose origin is at a moving node of a flexible body moves and turns with the node. marker -1: the ground.
pair_side pair_side_of(plan *plan, const model_shape *s, int *marker);
bool pair_is_ground(const bi_model *m, int body); // or fixed to it
// How many places there are, and the deepest of them.
int pair_deepest(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                 pair_place *out);
bool pair_is_by_meshes(const geom_shape *a,
                       const geom_shape *b); // the kinds that geom answers through triangles
size_t pair_work_size(const geom_mesh *a, const geom_mesh *b); // bytes; b NULL: a plane
// What calls take of law_in.spare at most, for places of that capacity; room: of the queries, geom_room.
size_t pair_spare(int capacity, size_t room);
const char *pair_mistake(const model_shape *a, const model_shape *b); // NULL: they can meet
int pair_capacity(const contact_pair *p, int most); // places at most: a ball touches smooth shapes at one
// What follows from shapes, sides and reaches; half_b: as `half`, of the second.
void pair_describe(contact_pair *p, vec3 half_b);

// False: nothing to do (one body, or both on the ground), or a mistake was reported. Shares the block of one of the
// pairs before (n_before) that is between the same bodies.
bool pair_compile(plan *plan, int element, bi_shape a, bi_shape b, int most, int slot,
                  const contact_pair *before, int n_before, contact_pair *out);
