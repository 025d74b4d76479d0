// SPDX-License-Identifier: MIT
// The start of a run: what is described becomes possible (docs/theory/initial.md).
#include "base/check.h"
#include "dynamics/rooms.h"
#include "math/rotation.h"
#include "model/shape_query.h"
#include "sim/blame.h"
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How far the assembly moved bodies from their description.
static void measure_assembly(bi_sim *sim)
{
    const bi_model *m = sim->system->model;
    sim->moved = sim->turned = 0.0;
    for (int b = 1; b < m->n_body; b++) {
        const bi_pose *described = &m->body[b].def.pose;
        bi_quat rot = quat_normalized(quat_or_identity(described->rot));
        vec3 turn = quat_log(quat_multiply(quat_conjugate(rot), sim->pose[b].rot));
        sim->moved = fmax(sim->moved, vec3_norm(vec3_sub(sim->pose[b].pos, described->pos)));
        sim->turned = fmax(sim->turned, vec3_norm(turn));
    }
}

static bi_place row_place(const bi_system *s, int row)
{
    const owner_name *o = &s->dynamics.structure.row_owner[row];
    return o->group >= 0 ? s->dynamics.plan.row[o->group].place : s->model->body[o->body].place;
}

static bi_status refuse_assembly(bi_sim *sim, bi_report *report, const char *what, double worst)
{
    const bi_system *s = sim->system;
    int row = stepper_worst(&sim->stepper).row;
    char name[128] = "a held coordinate";
    bi_place place = { 0 };
    if (row >= 0) {
        dynamics_row_name(&s->dynamics, row, name, sizeof name);
        place = row_place(s, row);
    }
    bi_report_add(
        report, BI_ERROR, BI_CANNOT_ASSEMBLE, place, name,
        "the mechanism cannot be assembled: %s is left %g off here; check the positions, lengths and "
        "imposed values of this part",
        what, worst);
    snprintf(sim->failure, sizeof sim->failure, "cannot be assembled: %s, %s left %g off", name, what, worst);
    return BI_CANNOT_ASSEMBLE;
}

static bi_status refuse_inertia(bi_sim *sim, bi_report *report)
{
    const bi_system *s = sim->system;
    const owner_name *o = &s->dynamics.structure.variable_owner[stepper_worst(&sim->stepper).variable];
    const model_body *b = &s->model->body[o->body];
    char where[160];
    snprintf(where, sizeof where, "bodies.%s", b->def.name);
    bi_report_add(
        report, BI_ERROR, BI_SINGULAR, b->place, where,
        "body %s can move in a direction without inertia (%s): give it mass or inertia, or a joint that "
        "holds it",
        b->def.name, o->what);
    snprintf(sim->failure, sizeof sim->failure, "body %s can move in a direction without inertia (%s)",
             b->def.name, o->what);
    return BI_SINGULAR;
}

int sim_hold_imposed(bi_sim *sim)
{
    const bi_system *s = sim->system;
    int count = s->n_held;
    if (count > 0) {
        memcpy(sim->held, s->held, (size_t)count * sizeof *s->held);
    }
    for (int k = 0; k < s->model->n_imposed; k++) {
        jet f = sim->stepper.trays.signals.signal[s->model->imposed[k].def.value.i - 1];
        sim->held[count++] = (held_coordinate){ s->imposed[k], f.v, f.d, true, true };
    }
    return count;
}

static bi_status find_position(bi_sim *sim, bi_report *report)
{
    const bi_system *s = sim->system;
    stepper *k = &sim->stepper;
    double worst = 0.0;
    int n_held = sim_hold_imposed(sim);
    bi_status status = initial_position_straight(k, sim->held, n_held, &worst);
    if (status != BI_OK) {
        return refuse_assembly(sim, report, "a position", worst);
    }
    int body = k->d->set->mirrored(k->d->coordinates, &k->now);
    if (body >= 0) {
        const model_body *b = &s->model->body[body];
        bi_report_add(
            report, BI_ERROR, BI_CANNOT_ASSEMBLE, b->place, b->def.name,
            "body %s came out of the assembly mirrored: describe it nearer to where it belongs (at, turn)",
            b->def.name);
        return BI_CANNOT_ASSEMBLE;
    }
    return BI_OK;
}

// ---- velocities ---------------------------------------------------------------------------------------------------------

// The motion of the bodies at the state on `now`, on the trays and in sim.pose, sim.twist.
static void show_bodies(bi_sim *sim)
{
    stepper *k = &sim->stepper;
    dynamics_evaluate(k->d, &k->now, &k->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_FORCES);
    k->d->set->poses(k->d->coordinates, &k->now, &k->trays.motion, NULL, sim->pose, sim->twist);
}

static double twist_size(const bi_twist *t) { return fmax(vec3_norm(t->lin), vec3_norm(t->ang)); }

// Every body moves as described, by sim.twist.
static bool moves_as_described(const bi_sim *sim)
{
    const bi_model *m = sim->system->model;
    for (int b = 1; b < m->n_body; b++) {
        const bi_twist *asked = &m->body[b].def.twist, *now = &sim->twist[b];
        bi_twist off = { vec3_sub(now->lin, asked->lin), vec3_sub(now->ang, asked->ang) };
        if (!(twist_size(&off) <= 1e-10 * fmax(1.0, twist_size(asked)))) {
            return false;
        }
    }
    return true;
}

// Velocities with the momentum that the described ones would have: least kinetic energy of the difference (initial.2).
static void describe_velocity(bi_sim *sim)
{
    stepper *k = &sim->stepper;
    const bi_model *m = sim->system->model;
    show_bodies(sim);
    if (!k->d->set->momentum || moves_as_described(sim)) {
        return;
    }
    for (int b = 0; b < m->n_body; b++) {
        sim->twist[b] = m->body[b].def.twist;
    }
    double *momentum = k->right;
    k->d->set->momentum(k->d->coordinates, &k->now, &k->trays.motion, sim->twist, momentum);
    k->d->set->accelerate(k->d->coordinates, &k->now, &k->trays.motion, momentum, k->now.v);
    // what has no inertia of its own follows the constraints
    for (int i = 0; i < k->d->structure.n; i++) {
        k->now.v[i] = isfinite(k->now.v[i]) ? k->now.v[i] : 0.0;
    }
}

// ---- position and velocity ------------------------------------------------------------------------------------------------

void sim_set_described(bi_sim *sim)
{
    const bi_system *s = sim->system;
    const structure *st = &s->dynamics.structure;
    stepper *k = &sim->stepper;
    memcpy(k->now.q, st->q0, (size_t)st->n_q * sizeof *k->now.q);
    memcpy(k->now.v, st->v0, (size_t)st->n_q * sizeof *k->now.v);
    if (st->n_chart > 0) {
        memcpy(k->now.chart, st->chart0, (size_t)st->n_chart * sizeof *k->now.chart);
    }
    coords_copy(k->d, &k->now, &sim->shown);
    memcpy(sim->shown.v, k->now.v, (size_t)st->n_q * sizeof *k->now.v);
    memset(k->now.z, 0, (size_t)s->dynamics.plan.n_z * sizeof *k->now.z);
    memset(k->now.dz, 0, (size_t)s->dynamics.plan.n_z * sizeof *k->now.dz);
    memset(k->now.memory, 0, (size_t)s->dynamics.plan.n_memory * sizeof *k->now.memory);
    pool_clear(&s->dynamics.plan, &k->now);
    trays_forget(k->d, &k->trays);
    k->now.t = sim->t = sim->grid_t = s->options.start_time;
    k->trays.z_old = k->now.z;
    k->trays.dz_old = k->now.dz;
    k->trays.signals.h = 0.0;
    // guides may follow filtered signals: these rest at their inputs
    dynamics_evaluate(k->d, &k->now, &k->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | LAW_START);
    dynamics_switch(k->d, &k->now, &k->trays, k->now.memory);
}

static bi_status find_motion(bi_sim *sim, bi_report *report)
{
    stepper *k = &sim->stepper;
    double worst = 0.0;
    int n_held = sim->system->n_held + sim->system->model->n_imposed;
    bi_status status = find_position(sim, report);
    if (status != BI_OK) {
        return status;
    }
    describe_velocity(sim);
    // a tree needs no mass matrix, which is full for a chain
    bool is_tree = k->d->structure.n_row == 0 && k->d->set->accelerate;
    dynamics_evaluate(k->d, &k->now, &k->trays,
                      LAW_POSITION | LAW_EXPLICIT | (is_tree ? EVAL_FORCES : EVAL_ALL));
    if (initial_inertia(k) != BI_OK) {
        return refuse_inertia(sim, report);
    }
    status = initial_velocity(k, sim->held, n_held, &worst);
    if (status == BI_SINGULAR) {
        return refuse_inertia(sim, report);
    }
    return status == BI_OK ? BI_OK : refuse_assembly(sim, report, "a velocity", worst);
}

// ---- natural coordinates start as joint coordinates do (initial.6) ----------------------------------------------------------

// Nothing of the description has to be corrected but rates that joints ask for, which both sets of coordinates find
// alike.
static bool is_described_exactly(bi_sim *sim)
{
    stepper *k = &sim->stepper;
    const structure *st = &k->d->structure;
    double goal = 1e-10 * fmax(1.0, st->size);
    show_bodies(sim);
    for (int r = 0; r < st->n_row; r++) {
        if (!st->is_velocity[r] && !(fabs(k->trays.rows.phi[r]) <= goal)) {
            return false;
        }
    }
    int n_held = sim_hold_imposed(sim);
    for (int i = 0; i < n_held; i++) {
        if (sim->held[i].set_value && !(fabs(k->now.q[sim->held[i].variable] - sim->held[i].value) <= goal)) {
            return false;
        }
    }
    return moves_as_described(sim);
}

static bool is_same_coordinate(const marker *a, const marker *b)
{
    bool is_of_same = a->kind == MARKER_JOINT ? a->joint == b->joint : a->body == b->body;
    return a->kind == b->kind && a->coordinate == b->coordinate && is_of_same;
}

void sim_take_coordinates(bi_sim *sim, const bi_sim *from, marker_kind kind)
{
    const plan *p = &sim->system->dynamics.plan, *other = &from->system->dynamics.plan;
    for (int m = 0; m < p->n_marker; m++) {
        int to = sim->system->dynamics.structure.marker_q[m];
        for (int k = 0; to >= 0 && p->marker[m].kind == kind && k < other->n_marker; k++) {
            int at = from->system->dynamics.structure.marker_q[k];
            if (at >= 0 && is_same_coordinate(&p->marker[m], &other->marker[k])) {
                sim->stepper.now.q[to] = from->stepper.now.q[at];
                sim->stepper.now.v[to] = from->stepper.now.v[at];
            }
        }
    }
}

bi_sim *sim_in_joints(const bi_sim *sim)
{
    bi_report quiet = { 0 };
    bi_options options = sim->system->options;
    options.coordinates = BI_JOINT;
    options.sleep = 0.0;
    bi_system *system = bi_compile(sim->system->model, &options, &quiet);
    bi_sim *other = system ? bi_sim_create(system) : NULL;
    bi_report_clear(&quiet);
    if (!other) {
        bi_system_destroy(system);
        return NULL;
    }
    memcpy(other->input, sim->input, (size_t)sim->system->dynamics.n_input * sizeof *sim->input);
    return other;
}

void sim_in_joints_destroy(bi_sim *other)
{
    bi_system *system = other ? (bi_system *)other->system : NULL;
    bi_sim_destroy(other);
    bi_system_destroy(system);
}

// Bodies where joint coordinates put them. Mechanisms that these cannot start are left as they are.
static void start_as_joints_do(bi_sim *sim)
{
    stepper *k = &sim->stepper;
    if (k->d->set->value == BI_JOINT || !k->d->set->place || is_described_exactly(sim)) {
        return;
    }
    bi_sim *other = sim_in_joints(sim);
    bi_report quiet = { 0 };
    if (other) {
        sim_set_described(other);
        if (find_motion(other, &quiet) == BI_OK) {
            show_bodies(other);
            k->d->set->place(k->d->coordinates, other->pose, other->twist, &k->now);
            sim_take_coordinates(sim, other, MARKER_JOINT);
        }
    }
    sim_in_joints_destroy(other);
    bi_report_clear(&quiet);
}

// ---- what was changed -------------------------------------------------------------------------------------------------------

// Kinetic energy of a rigid body with this twist, as it is turned now.
static double energy_of(const bi_body_def *d, const bi_pose *pose, bi_twist t)
{
    vec3 com = quat_rotate(pose->rot, d->com), v = vec3_add(t.lin, vec3_cross(t.ang, com));
    vec3 w = quat_rotate(quat_conjugate(pose->rot), t.ang);
    const double *I = d->inertia;
    double turning = I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z +
                     2.0 * (I[3] * w.x * w.y + I[4] * w.y * w.z + I[5] * w.z * w.x);
    return 0.5 * (d->mass * vec3_dot(v, v) + turning);
}

// Whether the model asks for other positions or velocities than it describes: then a change of them is no surprise.
typedef struct {
    bool positions, velocities;
} start_asks;

static start_asks asks_for_more(const bi_sim *sim)
{
    const bi_model *m = sim->system->model;
    start_asks asks = { m->n_imposed > 0, m->n_imposed > 0 };
    for (int r = 0; r < sim->system->dynamics.structure.n_row; r++) {
        bool moves = sim->stepper.trays.rows.phi_t[r] != 0.0; // a guide
        asks = (start_asks){ asks.positions || moves, asks.velocities || moves };
    }
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        for (int c = 0; c < model_coordinate_count(d->kind); c++) {
            model_joint_start start = model_start_of(d, c);
            asks.positions = asks.positions || start.set_value;
            asks.velocities = asks.velocities || start.set_value || start.set_rate;
        }
    }
    return asks;
}

// How far the start is from its description (initial.7): bodies moved and turned, and the kinetic energy of what
// velocities lack.
static void measure_start(bi_sim *sim, bi_report *report)
{
    const bi_model *m = sim->system->model;
    double described = 0.0, missing = 0.0, most = 0.0;
    int worst = -1;
    start_asks asks = asks_for_more(sim);
    measure_assembly(sim);
    for (int b = 1; b < m->n_body && !asks.velocities; b++) {
        const bi_body_def *d = &m->body[b].def;
        bi_twist off = { vec3_sub(sim->twist[b].lin, d->twist.lin),
                         vec3_sub(sim->twist[b].ang, d->twist.ang) };
        double lacks = d->flex ? 0.0 : energy_of(d, &sim->pose[b], off);
        described += d->flex ? 0.0 : energy_of(d, &sim->pose[b], d->twist);
        missing += lacks;
        worst = twist_size(&d->twist) > 0.0 && lacks > most ? b : worst;
        most = worst == b ? lacks : most;
    }
    double share = described > 0.0 ? missing / described : 0.0;
    judge_start(sim);
    judge_note(sim, JUDGE_STARTED, share, 0.0, worst);
    if (share > 1e-6 && worst > 0) {
        const model_body *b = &m->body[worst];
        bi_report_add(
            report, BI_NOTE, BI_OK, b->place, b->def.name,
            "the described velocities are not possible with these joints: %.3g of their kinetic energy is "
            "left out, most of it of body %s, which starts with (%.4g, %.4g, %.4g) m/s and (%.4g, %.4g, "
            "%.4g) "
            "rad/s",
            share, b->def.name, sim->twist[worst].lin.x, sim->twist[worst].lin.y, sim->twist[worst].lin.z,
            sim->twist[worst].ang.x, sim->twist[worst].ang.y, sim->twist[worst].ang.z);
    }
    if (!asks.positions) {
        double size = fmax(sim->system->dynamics.structure.size, 1e-3);
        judge_note(sim, JUDGE_MOVED, sim->moved / size, 0.0, -1);
        judge_note(sim, JUDGE_TURNED, sim->turned, 0.0, -1);
    }
}

// ---- start --------------------------------------------------------------------------------------------------------------------

static bi_status find_start(bi_sim *sim, bi_report *report)
{
    stepper *k = &sim->stepper;
    sim_set_described(sim);
    start_as_joints_do(sim);
    bi_status status = find_motion(sim, report);
    if (status != BI_OK) {
        return status;
    }
    dynamics_evaluate(k->d, &k->now, &k->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | LAW_START);
    sim_commit(sim, NULL);
    status = first_acceleration(k);
    if (status == BI_SINGULAR) {
        return refuse_inertia(sim, report);
    }
    if (status != BI_OK) {
        blame_start(k, status, "the accelerations at the start are not finite", report);
    } else if (!are_finite(k->now.z, k->d->plan.n_z)) {
        status = BI_NOT_FINITE;
        blame_start(k, status, "its equations have no solution at the start", report);
    }
    return status == BI_OK ? sim_check_tangents(sim, report) : status;
}

void sim_begin(bi_sim *sim)
{
    stepper *k = &sim->stepper;
    stepper_begin(k);
    sim->have = 0;
    sim->work = sim->work_old = 0.0;
    sim_power(sim);
    sim->energy_start = 0.0;
    sim_show(sim, SHOWN_STATE | SHOWN_ENERGY | SHOWN_POSES);
    sim->energy_start = sim->energy[ENERGY_TOTAL];
    sim->energy[ENERGY_BALANCE] = 0.0;
    sim->divergence = (bi_divergence){ 0 };
    memset(sim->usual_lambda, 0, (size_t)k->d->structure.n_row * sizeof *sim->usual_lambda);
    memset(sim->usual_scalar, 0, (size_t)k->d->n_element * sizeof *sim->usual_scalar);
    adapt_start(sim);
    judge_start(sim);
    devices_start(sim);
    events_start(sim);
}

// Expressions of a contact that may not be negative: they would act as zero.
static bool is_of_surface(const bi_field *f)
{
    static const char *const name[] = { "stiffness", "damping", "friction" };
    for (int k = 0; k < 3 && f->type == BI_FIELD_EXPR; k++) {
        if (strcmp(f->key, name[k]) == 0) {
            return true;
        }
    }
    return false;
}

static void look_at_surface(const bi_sim *sim, const model_element *e, const bi_field *f, bi_report *report)
{
    bi_expr value;
    memcpy(&value, model_field(e, f), sizeof value);
    double now = value.i > 0 ? sim->stepper.trays.signals.signal[value.i - 1].v : 0.0;
    if (now >= 0.0 && isfinite(now)) {
        return;
    }
    char where[256];
    snprintf(where, sizeof where, "forces.%.100s.%.40s", e->name, f->key);
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, where,
                  "is %g at the start: a number that is finite and not negative is needed", now);
}

static void look_at_surfaces(const bi_sim *sim, bi_report *report)
{
    const bi_model *m = sim->system->model;
    for (int i = 0; i < m->n_element; i++) {
        const model_element *e = &m->element[i];
        bool is_contact =
            e->kind && strcmp(e->kind->section, "forces") == 0 && strcmp(e->kind->type, "contact") == 0;
        for (int k = 0; is_contact && k < e->kind->n_field; k++) {
            if (is_of_surface(&e->kind->field[k])) {
                look_at_surface(sim, e, &e->kind->field[k], report);
            }
        }
    }
}

// Bodies that begin inside each other would be thrown apart; surfaces that are none let them through.
static bi_status look_inside(bi_sim *sim, bi_report *report)
{
    int errors = report->errors;
    sim_show(sim, SHOWN_STATE | SHOWN_POSES);
    look_at_surfaces(sim, report);
    model_overlaps(sim->system->model, sim->pose, report);
    sim->started = report->errors == errors;
    return sim->started ? BI_OK : BI_BAD_MODEL;
}

bi_status bi_sim_start(bi_sim *sim, bi_report *report)
{
    if (!sim) {
        return BI_BAD_ARGUMENT;
    }
    bi_report own = { 0 };
    report = report ? report : &own;
    sim->step = sim->grid_step = 0;
    sim->step_overs = sim->unconverged = sim->in_a_row = 0;
    sim->is_at_rest = false;
    sim->have = 0;
    sim->failure[0] = '\0';

    bi_status status = find_start(sim, report);
    sim->started = status == BI_OK;
    if (status == BI_OK) {
        sim_begin(sim);
        measure_start(sim, report);
        status = look_inside(sim, report);
    }
    bi_report_clear(&own);
    return status;
}
