// SPDX-License-Identifier: MIT
// The corridor: the one place that knows the order of the rooms.
#pragma once
#include "base/arena.h"
#include "coordinates/set.h"
#include "dynamics/islands.h"
#include "dynamics/laws.h"
#include "dynamics/parts.h"
#include "laws/signal/signal.h"

// Everything constant about one mechanism in one set of coordinates.
typedef struct {
    plan plan;
    laws laws;
    signal_table signal;
    const coordinates_set *set;
    void *coordinates;
    structure structure;
    sleep_table sleep;
    part_table parts;
    int n_element, n_input;
    bool has_power;       // some law does work that its potential does not hold
    bool is_rheonomic;    // some constraint depends on time and does work
    bool has_steady_rows; // constraints are written on joint coordinates only: their gradients hardly change
    bool has_guides_only; // no other rows read signals
    bool has_contact;     // of shapes
    int contacts;         // their table of laws, if there are
    int graphs;           // likewise
} dynamics;

// sets.c. NULL: there are no such coordinates; an enum may have any number in it.
const coordinates_set *coordinates_of(bi_coordinates value);

// things.c: table k of the program that compiled data may point to, from 0; its address may be NULL. False: there is none.
bool dynamics_thing(int k, const void **at, size_t *size);

// Markers that outputs need must be planned between begin and finish.
// sleep: s, after which free bodies at rest fall asleep; 0: never.
typedef struct {
    bi_coordinates coordinates;
    double sleep; // s of rest after which bodies sleep; 0: never
    bool settles; // all contacts are settled inside a step, however few there are
} dynamics_options;
bool dynamics_begin(dynamics *d, const bi_model *m, const dynamics_options *options, bi_report *report);
bool dynamics_finish(dynamics *d, bi_report *report);
void dynamics_clear(dynamics *d);

// The trays of one simulation.
typedef struct {
    motion motion;
    load load;
    rows rows;
    equations equations;
    signals signals;
    const double *z_old, *dz_old;  // set by the integrator
    void *scratch;                 // working room of the laws
    crew *crew;                    // threads that help; NULL: none
    spare *spare;                  // room of calls, of plan.n_spare bytes, for each of the crew
    pool_room *room, *room_before; // what lives, and while it moves, where it was (n_pools)
    place_list places;             // where live pairs touch in the step
    unsigned of_step;              // LAW_LATE: how the step that is committed treated contacts
    bool is_apart;                 // the last forces are without contacts that live
    bool is_evaluated;             // the last forces are of the whole state, with all readings
} trays;
trays trays_cut(const dynamics *d, arena *a);
// Room for the calls of so many threads, into their list; no call reads what another has left there.
void spares_cut(const dynamics *d, int threads, arena *a, spare *list);
// What was worked out for bodies that sleep in another state; others leave nothing behind.
void trays_forget(const dynamics *d, trays *t);
coords coords_cut(const dynamics *d, arena *a); // but for the pool, see rooms.h
void coords_copy(const dynamics *d, const coords *from, coords *to);

// want: flags of state/want.h. States of laws are solved into at->z, at->dz (LAW_EXPLICIT: only their rates are
// written).
void dynamics_evaluate(const dynamics *d, coords *at, trays *t, unsigned want);

// The sites of all pairs that are near, in `site`; gives how many pairs.
int dynamics_near_places(const dynamics *d, const coords *at, const trays *t, bool *site);
// Contacts that live, with the motion and signals on the trays: the places where they touch, afresh or (want & LAW_KEEP)
// those of the last time carried along; how many. Then the forces at them: sweeps, -1: they did not settle.
int dynamics_find_places(const dynamics *d, const coords *at, trays *t, unsigned want);
// A question of laws/contact/crowd/settle.h, such as places_are_missed, about them.
bool dynamics_has_places(const dynamics *d, const coords *at, const trays *t, places_question are);
void dynamics_settle_places(trays *t, const part_table *parts, places_problem *problem);

typedef struct {
    double kinetic, potential, power;
    double work, counted; // as those of law_energy
    bool is_driven;
} energy_state;
// After an evaluation at the same coordinates that lifted the motion.
double dynamics_kinetic(const dynamics *d, const coords *at, trays *t, double *scratch); // (n) scratch
double dynamics_graph_kinetic(const dynamics *d, const coords *at,
                              const trays *t);               // of inertias in graphs, J
void dynamics_stop(const dynamics *d, coords *at);           // bodies and these inertias
bool dynamics_needs_mass(const dynamics *d, const trays *t); // for the kinetic energy: EVAL_MASS
energy_state dynamics_energy(const dynamics *d, const coords *at, const trays *t);
// The same of the state whose forces were evaluated last: where they are whole, laws need not work it out again.
energy_state dynamics_energy_evaluated(const dynamics *d, const coords *at, const trays *t, unsigned want);
// The same of one element of the model.
law_energy dynamics_element_energy(const dynamics *d, const coords *at, const trays *t, int element);
// After acceptance: anchors follow. doubts: what speaks against the step, added to; NULL: nobody asks.
void dynamics_commit(const dynamics *d, const coords *at, const trays *t, double *memory, law_doubts *doubts);
bool dynamics_is_contact(const dynamics *d, int element); // it is a contact of shapes
// Its touch, as an event tells of it: numbers by HIT_... in memory, NULL: none is watched; and where it is at that state,
// whose motion is on the trays.
const double *dynamics_hit(const dynamics *d, int element, const double *memory);
bool dynamics_where(const dynamics *d, const coords *at, const trays *t, int element, const int thing[2],
                    contact_spot *out);
// Every place that touches at the state and motion on the trays, with the force on the first shape.
void dynamics_touches(const dynamics *d, const coords *at, const trays *t, bi_touch_observes *tell,
                      void *data);
// Shapes touch or have passed each other that moved farther than they are thick in the step of h that ends at `at`.
bool dynamics_rushes(const dynamics *d, const coords *at, const trays *t, double h);
// Of touches that begin in that step how it compares with their time, as the verdict does (verdict.6).
double dynamics_hits(const dynamics *d, const coords *at, const trays *t, double h);
void dynamics_pass(const dynamics *d, coords *at); // until at->t, while all sleep
// The element whose pool is full: it wants to remember more than there is room for; -1: none. With larger rooms the
// commit goes on where it stopped.
int dynamics_full(const dynamics *d, const coords *at);
void dynamics_commit_rest(const dynamics *d, const coords *at, const trays *t, double *memory,
                          law_doubts *doubts);

// After that, the step was h long: bodies fall asleep and wake. Gives how many; the motion on the trays is then of
// before. `lost`: kinetic energy, J.
int dynamics_sleep(const dynamics *d, coords *at, const trays *t, double h, double *lost);
// Before the first step, with the state's motion on the trays: bodies that begin at rest. `work` is overwritten.
int dynamics_sleep_start(const dynamics *d, coords *at, trays *t, coords *work);
// All awake, for who looks at a state without stepping on.
void dynamics_wake(const dynamics *d, double *memory);

// The tangents of users' own laws against differences, after an evaluation at `at`.
void dynamics_check_user(const dynamics *d, const coords *at, const trays *t, bi_report *report);
// lost.c: the first input, signal and force on the trays that are not finite numbers: "signal u, force m"; "" if none is
// the cause.
void dynamics_not_finite(const dynamics *d, const trays *t, char *buffer, size_t size);
// The number of a user's callback that is none, after an evaluation at `at`: "force m: effort[2] of its callback is nan".
// A value of a law that must not be negative is: its name and key.
bool dynamics_negative(const dynamics *d, const trays *t, char *buffer, size_t size);
bool dynamics_lost_by_user(const dynamics *d, const coords *at, const trays *t, char *buffer, size_t size);
// The conditions of constraints at `at`, written to memory; gives how many changed. Lifts the motion.
int dynamics_switch(const dynamics *d, coords *at, trays *t, double *memory);
// Whether a row holds; rows that do not are rows of zeros after an evaluation.
bool dynamics_row_holds(const dynamics *d, const double *memory, int row);

// "joint B (slide)", "body rod: constant length": who a row or variable belongs to.
void dynamics_row_name(const dynamics *d, int row, char *buffer, size_t size);
