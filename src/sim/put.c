// SPDX-License-Identifier: MIT
// A run is put somewhere else: the state that is given becomes possible, and the run begins there (initial.8).
#include "dynamics/rooms.h"
#include "math/rotation.h"
#include "sim/system.h"
#include <biela/state.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bi_status tell(bi_sim *sim, bi_status status, const char *what, double worst, bi_report *report)
{
    char name[128] = "the mechanism";
    int row = stepper_worst(&sim->stepper).row;
    if (status == BI_CANNOT_ASSEMBLE && row >= 0) {
        dynamics_row_name(&sim->system->dynamics, row, name, sizeof name);
    }
    snprintf(sim->failure, sizeof sim->failure,
             "the state cannot be set: %s, %s (%s, left %g off); give one nearer to what the joints allow",
             name, bi_status_text(status), what, worst);
    bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "state", "%s", sim->failure);
    return status;
}

// Where laws and signals stay as they are, and where a start is made of the new position.
typedef enum { LAWS_STAY, LAWS_START } put_laws;

// The stepper stands where the sim does; at a start without anything that laws remember.
static void stand(bi_sim *sim, put_laws laws)
{
    stepper *k = &sim->stepper;
    const plan *p = &k->d->plan;
    sim_show(sim, SHOWN_MOTION);
    coords_copy(k->d, &sim->shown, &k->now);
    k->now.t = sim->t;
    if (laws == LAWS_START) {
        memset(k->now.memory, 0, (size_t)p->n_memory * sizeof *k->now.memory);
        pool_clear(p, &k->now);
        trays_forget(k->d, &k->trays);
    }
    k->trays.z_old = k->now.z;
    k->trays.dz_old = k->now.dz;
    k->trays.signals.h = 0.0;
}

// Positions and velocities of the stepper become those that the constraints allow.
static bi_status make_possible(bi_sim *sim, put_laws laws, bi_report *report)
{
    stepper *k = &sim->stepper;
    double worst = 0.0;
    if (laws == LAWS_START) {
        dynamics_evaluate(k->d, &k->now, &k->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | LAW_START);
        dynamics_switch(k->d, &k->now, &k->trays, k->now.memory);
    }
    bi_status status = initial_position(k, NULL, 0, &worst);
    if (status == BI_OK && k->d->set->mirrored(k->d->coordinates, &k->now) >= 0) {
        status = BI_CANNOT_ASSEMBLE;
    }
    if (status != BI_OK) {
        return tell(sim, status, "a position", worst, report);
    }
    dynamics_evaluate(k->d, &k->now, &k->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    status = initial_inertia(k);
    status = status == BI_OK ? initial_velocity_given(k, &worst) : status;
    return status == BI_OK ? BI_OK : tell(sim, status, "a velocity", worst, report);
}

static bi_status begin_there(bi_sim *sim, put_laws laws, bi_report *report)
{
    stepper *k = &sim->stepper;
    bi_status status = make_possible(sim, laws, report);
    if (status != BI_OK) {
        return status;
    }
    if (laws == LAWS_START) {
        dynamics_evaluate(k->d, &k->now, &k->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | LAW_START);
        sim_commit(sim, NULL);
    }
    status = initial_acceleration(k);
    bool is_finite = are_finite(k->now.q, k->d->structure.n) && are_finite(k->now.v, k->d->structure.n) &&
                     are_finite(k->now.a, k->d->structure.n) && are_finite(k->now.z, k->d->plan.n_z);
    status = status == BI_OK && !is_finite ? BI_NOT_FINITE : status;
    if (status != BI_OK) {
        return tell(sim, status, "an acceleration", 0.0, report);
    }
    sim->grid_t = sim->t;
    sim->grid_step = sim->step;
    sim->is_at_rest = false;
    sim->stop_t = INFINITY;
    sim->failure[0] = '\0';
    sim_begin(sim);
    return BI_OK;
}

// Does `put`, and begins there; all or nothing.
typedef struct {
    const double *q, *v;
    const bi_pose *pose;
    const bi_twist *twist;
    const coords *whole; // of a system with the same variables and states; NULL: none
} put_goal;
// Another position than that where it stands is asked for.
static bool moves(bi_sim *sim, const put_goal *goal)
{
    const structure *st = &sim->system->dynamics.structure;
    sim_show(sim, SHOWN_MOTION);
    return goal->pose || goal->whole ||
           (goal->q && memcmp(goal->q, sim->shown.q, (size_t)st->n * sizeof *goal->q) != 0);
}

typedef bi_status put_by(bi_sim *sim, const put_goal *goal, bi_report *report);
static bi_status put(bi_sim *sim, put_by *by, const put_goal *goal, bi_report *report)
{
    size_t size = bi_sim_save(sim, NULL, 0);
    void *before = malloc(size + 1);
    if (!before) {
        return BI_NO_MEMORY;
    }
    size = bi_sim_save(sim, before, size);
    put_laws laws = moves(sim, goal) ? LAWS_START : LAWS_STAY;
    stand(sim, laws);
    bi_status status = by(sim, goal, report);
    status = status == BI_OK ? begin_there(sim, laws, report) : status;
    if (status != BI_OK) {
        char why[sizeof sim->failure];
        memcpy(why, sim->failure, sizeof why);
        bi_status back = bi_sim_load(sim, before, size);
        memcpy(sim->failure, why, sizeof why);
        sim->started = sim->started && back == BI_OK;
    }
    free(before);
    return status;
}

static bool are_numbers(const double *x, size_t n)
{
    bool are = true;
    for (size_t i = 0; x && i < n; i++) {
        are = are && isfinite(x[i]);
    }
    return are;
}

static bi_status refuse_numbers(bi_sim *sim, const char *what)
{
    snprintf(sim->failure, sizeof sim->failure, "the state cannot be set: %s must be finite numbers", what);
    return BI_BAD_ARGUMENT;
}

// ---- coordinates ---------------------------------------------------------------------------------------------------

static bi_status put_coordinates(bi_sim *sim, const put_goal *goal, bi_report *report)
{
    size_t n = (size_t)sim->system->dynamics.structure.n;
    (void)report;
    if (goal->q) {
        memcpy(sim->stepper.now.q, goal->q, n * sizeof *goal->q);
    }
    if (goal->v) {
        memcpy(sim->stepper.now.v, goal->v, n * sizeof *goal->v);
    }
    return BI_OK;
}

bi_status bi_sim_set_state(bi_sim *sim, const double *q, const double *v, bi_report *report)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    size_t n = (size_t)sim->system->dynamics.structure.n;
    if (!are_numbers(q, n) || !are_numbers(v, n)) {
        return refuse_numbers(sim, "q and v");
    }
    return put(sim, put_coordinates, &(put_goal){ .q = q, .v = v }, report);
}

// ---- the state of another system ---------------------------------------------------------------------------------------

static bi_status put_whole(bi_sim *sim, const put_goal *goal, bi_report *report)
{
    const structure *st = &sim->system->dynamics.structure;
    coords *now = &sim->stepper.now;
    (void)report;
    memcpy(now->q, goal->whole->q, (size_t)st->n * sizeof *now->q);
    memcpy(now->v, goal->whole->v, (size_t)st->n * sizeof *now->v);
    memcpy(now->chart, goal->whole->chart, (size_t)st->n_chart * sizeof *now->chart);
    return BI_OK;
}

// The first variable that one has and the other has not; -1: they are the same.
static int first_other(const bi_system *a, const bi_system *b)
{
    int n = bi_variable_count(a);
    for (int k = 0; k < n; k++) {
        char one[128], other[128];
        const char *x = bi_variable_name(a, k, one, sizeof one),
                   *y = bi_variable_name(b, k, other, sizeof other);
        if (!x || !y || strcmp(x, y) != 0) {
            return k;
        }
    }
    return bi_variable_count(b) == n ? -1 : n;
}

bool bi_system_is_alike(const bi_system *a, const bi_system *b)
{
    return a && b && first_other(a, b) < 0 && a->dynamics.plan.n_z == b->dynamics.plan.n_z &&
           a->dynamics.structure.n_chart == b->dynamics.structure.n_chart;
}

bi_status bi_sim_carry(bi_sim *sim, bi_sim *from, bi_report *report)
{
    bi_status refused = sim_refuse(sim);
    refused = refused == BI_OK ? sim_refuse(from) : refused;
    if (refused != BI_OK) {
        return refused;
    }
    const dynamics *d = &sim->system->dynamics;
    if (!bi_system_is_alike(sim->system, from->system)) {
        snprintf(sim->failure, sizeof sim->failure,
                 "the state cannot be carried over: the two systems do not have the same variables");
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "state", "%s", sim->failure);
        return BI_BAD_ARGUMENT;
    }
    sim_show(from, SHOWN_MOTION);
    bi_status status = put(sim, put_whole, &(put_goal){ .whole = &from->shown }, report);
    if (status == BI_OK) {
        // charges, speeds of shafts: what laws and signals solve themselves goes on
        stand(sim, LAWS_STAY);
        memcpy(sim->stepper.now.z, from->shown.z, (size_t)d->plan.n_z * sizeof *sim->stepper.now.z);
        status = begin_there(sim, LAWS_STAY, report);
    }
    return status;
}

// ---- bodies ----------------------------------------------------------------------------------------------------------

// In joint coordinates bodies follow from each other; points and vectors take their places from there, so that both give
// the same.
static bi_status put_bodies(bi_sim *sim, const put_goal *goal, bi_report *report)
{
    stepper *k = &sim->stepper;
    const coordinates_set *set = k->d->set;
    if (set->value == BI_JOINT) {
        return set->place(k->d->coordinates, goal->pose, goal->twist, &k->now) ? BI_OK : BI_NO_MEMORY;
    }
    if (!sim->in_joints && set->place) {
        sim->in_joints = sim_in_joints(sim);
    }
    bi_sim *other = sim->in_joints;
    if (!other) {
        return tell(sim, BI_NO_MEMORY, "joint coordinates of it", 0.0, report);
    }
    memcpy(other->input, sim->input, (size_t)k->d->n_input * sizeof *sim->input);
    stepper *o = &other->stepper;
    sim_set_described(other);
    o->now.t = other->t = sim->t;
    sim_take_coordinates(other, sim, MARKER_MODE);
    bi_status status =
        o->d->set->place(o->d->coordinates, goal->pose, goal->twist, &o->now) ? BI_OK : BI_NO_MEMORY;
    status = status == BI_OK ? make_possible(other, LAWS_START, report) : status;
    if (status == BI_OK) {
        dynamics_evaluate(o->d, &o->now, &o->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_FORCES);
        o->d->set->poses(o->d->coordinates, &o->now, &o->trays.motion, NULL, other->pose, other->twist);
        set->place(k->d->coordinates, other->pose, other->twist, &k->now);
        sim_take_coordinates(sim, other, MARKER_JOINT);
        sim_take_coordinates(sim, other, MARKER_MODE);
    } else {
        memcpy(sim->failure, other->failure, sizeof sim->failure);
    }
    return status;
}

bi_status bi_sim_set_poses(bi_sim *sim, const bi_pose *pose, const bi_twist *twist, bi_report *report)
{
    bi_status refused = pose ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (refused != BI_OK) {
        return refused;
    }
    size_t n = (size_t)sim->system->model->n_body;
    if (!are_numbers(&pose->pos.x, 7 * n) || (twist && !are_numbers(&twist->lin.x, 6 * n))) {
        return refuse_numbers(sim, "poses and twists");
    }
    bi_pose *at = malloc(n * sizeof *at);
    bi_twist *rate = calloc(n, sizeof *rate);
    bi_status status = at && rate ? BI_OK : BI_NO_MEMORY;
    for (size_t b = 0; status == BI_OK && b < n; b++) {
        at[b] = (bi_pose){ pose[b].pos, quat_normalized(quat_or_identity(pose[b].rot)) };
        rate[b] = twist ? twist[b] : rate[b];
    }
    if (status == BI_OK) {
        status = put(sim, put_bodies, &(put_goal){ .pose = at, .twist = rate }, report);
    }
    free(at);
    free(rate);
    return status;
}

// ---- one number ------------------------------------------------------------------------------------------------------

bi_status sim_nudge(bi_sim *sim, int number, double change)
{
    coords *now = &sim->stepper.now;
    int n = sim->system->dynamics.structure.n;
    stand(sim, LAWS_STAY);
    if (number >= 0 && number < 2 * n + sim->system->dynamics.plan.n_z) {
        *(number < n       ? &now->q[number]
          : number < 2 * n ? &now->v[number - n]
                           : &now->z[number - 2 * n]) += change;
    }
    return begin_there(sim, LAWS_STAY, NULL);
}
