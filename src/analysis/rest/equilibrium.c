// SPDX-License-Identifier: MIT
// Static equilibrium: a position with Phi = 0 where forces and reactions cancel, Q = G^T lambda (analysis.5 ..
// analysis.11). Where the mechanism stands, by Newton's method, each step judged by the work that the forces do along
// it; where that fails, it is let go and stopped whenever it is fastest, until it is near.
#include "analysis/rest/balance.h"
#include "dynamics/rooms.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what may be left when nothing more helps: rounding of stiff contacts, a ten-millionth of the weight
static const double tolerable = 1e-7;
// parts of the mechanism's size: what stands at another place than it was described at, and what is the same place
static const double far = 0.05, same = 1e-3;

// What the search may come back to.
typedef struct {
    balance b;
    void *memory;
    coords start, glued,
        let_go;    // as described, at rest; where it stands if nothing slides; where it came to rest
    bi_pose *from; // of the bodies, as described                             (n_body)
    bool is_glued; // there is an equilibrium if friction has no limit
    bool is_away;  // the one found is not where it was described
    bool runs_on;  // states of a graph found no rest
} search;

static void cut(search *a, arena *memory)
{
    const bi_system *system = a->b.sim->system;
    a->start = coords_cut(&system->dynamics, memory);
    a->glued = coords_cut(&system->dynamics, memory);
    a->let_go = coords_cut(&system->dynamics, memory);
    a->from = ARENA_NEW(memory, bi_pose, system->model->n_body);
}

static bool search_open(search *a, bi_sim *sim)
{
    *a = (search){ 0 };
    if (!balance_open(&a->b, sim)) {
        return false;
    }
    arena measure = { 0 };
    cut(a, &measure);
    a->memory = malloc(measure.used);
    arena memory = { a->memory, 0, measure.used, false };
    if (a->memory) {
        cut(a, &memory);
    }
    return a->memory && sim_rooms_join(sim, &a->start) && sim_rooms_join(sim, &a->glued) &&
           sim_rooms_join(sim, &a->let_go);
}

static void search_close(search *a)
{
    if (a->b.sim) {
        sim_rooms_leave(a->b.sim);
    }
    balance_close(&a->b);
    free(a->memory);
}

// Nothing moves, and the states of laws are those of that: a tyre that was described as creeping, be it by a nanometre
// per second, would keep the deflection of a wheel that slides.
static void rest(search *a)
{
    stepper *s = a->b.s;
    size_t states = (size_t)s->d->plan.n_z * sizeof *s->old.z;
    s->now.t = 0.0;
    memset(s->now.v, 0, (size_t)a->b.n * sizeof *s->now.v);
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays,
                      LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | LAW_START | LIFT_ALL);
    s->d->set->poses(s->d->coordinates, &s->now, &s->trays.motion, NULL, a->from, a->b.sim->twist);
    memset(s->now.dz, 0, states);
    memcpy(s->old.z, s->now.z, states);
    memset(s->old.dz, 0, states);
    coords_copy(s->d, &s->now, &a->start);
}

// Largest distance of a body's origin from where it was described, across the weight.
static double sideways(const search *a)
{
    stepper *s = a->b.s;
    bi_sim *sim = a->b.sim;
    vec3 down = vec3_normalized(sim->system->model->gravity);
    double most = 0.0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LIFT_ALL);
    s->d->set->poses(s->d->coordinates, &s->now, &s->trays.motion, NULL, sim->pose, sim->twist);
    for (int i = 1; i < sim->system->model->n_body; i++) {
        vec3 moved = vec3_sub(sim->pose[i].pos, a->from[i].pos);
        most = fmax(most, vec3_norm(vec3_add_scaled(moved, -vec3_dot(moved, down), down)));
    }
    return most;
}

static bool has_beams(const bi_model *m)
{
    for (int k = 0; k < m->n_element; k++) {
        if (strcmp(m->element[k].kind->section, "forces") == 0 &&
            strcmp(m->element[k].kind->type, "beam") == 0) {
            return true;
        }
    }
    return false;
}

// Where it stands: first as if nothing could slide, which has one answer, then with the limits of friction from there,
// so that only what must slide does (analysis.11).
static bi_status stand(search *a)
{
    balance *b = &a->b;
    stepper *s = b->s;
    if (s->d->plan.n_memory == 0) {
        // beams bend far: to follow their load is the shorter way, if there is one
        if (has_beams(b->sim->system->model) && balance_follow(b, &a->let_go) != BI_OK) {
            coords_copy(s->d, &a->start, &s->now);
        }
        return balance_newton(b);
    }
    b->grip = LAW_GLUED;
    bi_status status = balance_newton(b);
    b->grip = 0;
    a->is_glued = status == BI_OK;
    if (!a->is_glued) {
        return status;
    }
    coords_copy(s->d, &s->now, &a->glued);
    status = balance_newton(b);
    if (status == BI_NOT_CONVERGED) {
        // the forces at the place that friction does not hold tell what slides
        coords_copy(s->d, &a->glued, &s->now);
        (void)balance_measure(b);
    }
    return status;
}

// ---- dynamic relaxation -----------------------------------------------------------------------------------------

// Lets the mechanism go with its inertia and stops it whenever it has been fastest: it settles where the energy is
// least (analysis.10). Guides are held.
static bi_status relax(balance *b)
{
    enum { STEPS = 4000 };
    stepper *s = b->s;
    double h = 10.0 * b->sim->system->options.dt, fastest = 0.0;
    memset(s->now.v, 0, (size_t)b->n * sizeof *s->now.v);
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
    rows_weigh(s, WEIGH_BY_MASS);
    bi_status status = initial_acceleration(s);
    for (int i = 0; i < STEPS && status == BI_OK; i++) {
        b->out.relaxation_steps++;
        if (s->d->set->recentre) {
            s->d->set->recentre(s->d->coordinates, &s->now);
        }
        coords_copy(s->d, &s->now, &s->old);
        s->now.t = -h;
        status = sim_step_by(b->sim, ali3p_step, h);
        s->now.t = 0.0;
        if (status != BI_OK || !are_finite(s->now.a, b->n)) {
            // shorter steps until it goes on
            coords_copy(s->d, &s->old, &s->now);
            h *= 0.25;
            status = h > 1e-9 ? BI_OK : BI_NOT_CONVERGED;
            continue;
        }
        sim_commit(b->sim, NULL);
        s->trays.z_old = s->now.z;
        s->trays.dz_old = s->now.dz;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_ALL);
        double kinetic = dynamics_kinetic(s->d, &s->now, &s->trays, s->product);
        if (kinetic < fastest) {
            memset(s->now.v, 0, (size_t)b->n * sizeof *s->now.v);
            if (balance_measure(b) && b->out.residual <= balance_wanted) {
                break;
            }
            dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
            status = initial_acceleration(s);
            fastest = 0.0;
        } else {
            fastest = kinetic;
        }
    }
    memset(s->now.v, 0, (size_t)b->n * sizeof *s->now.v);
    return status;
}

// What was let go may have slid on its way, or rolled off: with the friction of where it was described it should stand
// here, too.
static void stand_again(search *a)
{
    balance *b = &a->b;
    stepper *s = b->s;
    const plan *p = &s->d->plan;
    double residual = b->out.residual, moved = sideways(a);
    coords_copy(s->d, &s->now, &a->let_go);
    memcpy(s->now.memory, a->start.memory, (size_t)p->n_memory * sizeof *s->now.memory);
    pool_copy(p, &a->start, &s->now);
    memcpy(s->now.z, a->start.z, (size_t)p->n_z * sizeof *s->now.z);
    memcpy(s->old.z, a->start.z, (size_t)p->n_z * sizeof *s->old.z);
    if (balance_newton(b) == BI_OK && fabs(sideways(a) - moved) <= same * b->size) {
        return;
    }
    coords_copy(s->d, &a->let_go, &s->now);
    memcpy(s->old.z, a->let_go.z, (size_t)p->n_z * sizeof *s->old.z);
    b->out.residual = residual;
    (void)balance_measure(b);
    a->is_away = moved > far * b->size;
}

static bi_status let_go(search *a)
{
    balance *b = &a->b;
    stepper *s = b->s;
    bi_status status = relax(b);
    memset(s->old.dz, 0, (size_t)s->d->plan.n_z * sizeof *s->old.dz);
    status = status == BI_OK ? balance_newton(b) : status;
    if (status == BI_OK && s->d->plan.n_memory > 0) {
        stand_again(a);
        status = a->is_away ? BI_NOT_CONVERGED : BI_OK;
    }
    return status;
}

// ---- graphs ------------------------------------------------------------------------------------------------------------

// Rest within one long step, as a circuit finds it, from where the states are now: found, and near enough that what such a
// step does to them on its way (a quaternion grows shorter) is nothing. Else all is as it was.
static bool graphs_rest(search *a)
{
    static const double near = 1e-6; // of the largest state: the square of it is lost
    balance *b = &a->b;
    stepper *s = b->s;
    const plan *p = &s->d->plan;
    size_t states = (size_t)p->n_z * sizeof *s->now.z;
    coords_copy(s->d, &s->now, &a->let_go);
    memcpy(s->old.z, s->now.z, states);
    memset(s->old.dz, 0, states);
    bool is_near = balance_measure(b);
    double size = 0.0, moved = 0.0;
    for (int k = 0; k < p->n_z && is_near; k++) {
        if (!p->state[k].is_carried) {
            size = fmax(size, fabs(a->let_go.z[k]));
            moved = fmax(moved, fabs(s->now.z[k] - a->let_go.z[k]));
            is_near = isfinite(s->now.z[k]);
        }
    }
    is_near = is_near && moved <= near * size;
    if (!is_near) {
        coords_copy(s->d, &a->let_go, &s->now);
    }
    return is_near;
}

// The same as relax, of graphs whose states cannot find their rest in one long step (bodies that swing): they are let go
// with the bodies, and stopped with them (analysis.10).
static bi_status relax_graphs(search *a)
{
    enum { STEPS = 20000 };
    balance *b = &a->b;
    stepper *s = b->s;
    double h = b->sim->system->options.dt, fastest = 0.0;
    coords_copy(s->d, &a->start, &s->now);
    bi_status status = BI_OK;
    for (int i = 0; i < STEPS && status == BI_OK; i++) {
        b->out.relaxation_steps++;
        if (fastest == 0.0) {
            s->trays.z_old = s->now.z;
            s->trays.dz_old = s->now.dz;
            s->trays.signals.h = 0.0;
            dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL);
            rows_weigh(s, WEIGH_BY_MASS);
            status = initial_acceleration(s);
        }
        coords_copy(s->d, &s->now, &s->old);
        s->now.t = -h;
        status = status == BI_OK ? sim_step_by(b->sim, ali3p_step, h) : status;
        s->now.t = 0.0;
        if (status != BI_OK || !are_finite(s->now.z, s->d->plan.n_z)) {
            coords_copy(s->d, &s->old, &s->now);
            h *= 0.25;
            fastest = 0.0;
            status = h > 1e-9 ? BI_OK : BI_NOT_CONVERGED;
            continue;
        }
        sim_commit(b->sim, NULL);
        s->trays.z_old = s->now.z;
        s->trays.dz_old = s->now.dz;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_EXPLICIT | EVAL_ALL);
        double kinetic = dynamics_kinetic(s->d, &s->now, &s->trays, s->product) +
                         dynamics_graph_kinetic(s->d, &s->now, &s->trays);
        if (kinetic >= fastest && kinetic > 0.0) {
            fastest = kinetic;
            continue;
        }
        dynamics_stop(s->d, &s->now);
        fastest = 0.0;
        if (graphs_rest(a)) {
            return balance_newton(b);
        }
    }
    a->runs_on = true;
    b->out.residual = 1.0;
    return status == BI_OK ? BI_NOT_CONVERGED : status;
}

// ---- report -----------------------------------------------------------------------------------------------------

// Names the eigenvectors that are soft, or those that are unstable.
typedef enum { EIGEN_SOFT, EIGEN_UNSTABLE } eigen_choice;
static void name_eigenvectors(balance *b, eigen_choice choice, char text[DIRECTIONS_TEXT])
{
    double soft = balance_soft_limit(b);
    size_t k = (size_t)b->k, count = (size_t)(choice == EIGEN_SOFT ? b->n_soft : b->n_unstable), to = 0;
    directions chosen = { b->n, (int)count, calloc((size_t)b->n * count + 1, sizeof(double)) };
    for (size_t c = 0; chosen.Z && c < k && to < count; c++) {
        bool is_soft = fabs(b->e[c]) <= soft;
        if (choice == EIGEN_SOFT ? !is_soft : is_soft || b->e[c] >= 0.0) {
            continue;
        }
        for (size_t i = 0; i < (size_t)b->n; i++) {
            for (size_t d = 0; d < k; d++) {
                chosen.Z[i * count + to] += b->free.Z[i * k + d] * b->V[d * k + c];
            }
        }
        to++;
    }
    text[0] = '\0';
    if (chosen.Z) {
        directions_name(b->sim, &chosen, text);
    }
    directions_clear(&chosen);
}

// What the force that is left would move.
static void name_left(balance *b, char text[DIRECTIONS_TEXT])
{
    directions one = { b->n, 1, malloc((size_t)b->n * sizeof(double)) };
    snprintf(text, DIRECTIONS_TEXT, "the mechanism");
    if (one.Z && b->out.residual > 0.0) {
        for (int i = 0; i < b->n; i++) {
            one.Z[i] = b->left[i] / (b->out.residual * b->scale);
        }
        directions_name(b->sim, &one, text);
    }
    directions_clear(&one);
}

// The body with the largest force that is left.
static bi_place place_left(const balance *b)
{
    const bi_system *s = b->sim->system;
    int worst = 0;
    for (int i = 1; b->left && i < b->n; i++) {
        worst = fabs(b->left[i]) > fabs(b->left[worst]) ? i : worst;
    }
    int body = b->left && b->n > 0 ? s->dynamics.structure.variable_owner[worst].body : -1;
    return body >= 0 && body < s->model->n_body ? s->model->body[body].place : (bi_place){ 0 };
}

static void tell_failure(search *a, bi_status status, bi_report *report)
{
    balance *b = &a->b;
    char names[DIRECTIONS_TEXT], *to = b->sim->failure;
    size_t size = sizeof b->sim->failure;
    if (a->is_away) {
        snprintf(
            to, size,
            "nothing holds the mechanism where it is described: let go, it comes to rest %.3g m away. Is it "
            "meant to slide, roll or tip? Else give it friction, brakes or a smaller load.",
            sideways(a));
    } else if (a->runs_on) {
        snprintf(to, size,
                 "the states of a graph come to no rest: they were let go and stopped whenever they were "
                 "fastest, for %d "
                 "steps. Is there a source that nothing holds, or a law that has no value there? 'biela "
                 "bonds' shows the "
                 "equations.",
                 b->out.relaxation_steps);
    } else if (a->is_glued) {
        name_left(b, names);
        snprintf(
            to, size,
            "no equilibrium was found without sliding: where it stands friction would have to hold %.2g of "
            "the largest force more than it can, moving %.400s. Is it meant to slide or to tip? Else give it "
            "more friction, brakes or a smaller load.",
            b->out.residual, names);
    } else if (b->followed > 0.0 && b->followed < 1.0) {
        name_left(b, names);
        snprintf(
            to, size,
            "no equilibrium was found: beams could be followed up to %.5g of their loads, where they buckle "
            "or "
            "snap through, and let go from where they are described they come to no rest either; %.2g of the "
            "largest force is left, moving %.400s. Give smaller loads, or a stiffer section.",
            b->followed, b->out.residual, names);
    } else {
        name_left(b, names);
        snprintf(
            to, size,
            "no equilibrium was found: after %d iterations and %d steps of relaxation, %.2g of the largest "
            "force is left, moving %.400s. Is there anything that holds it there (a spring, a stop, a "
            "contact)? Describe the model nearer to its equilibrium, or give the part stiffness.",
            b->out.iterations, b->out.relaxation_steps, b->out.residual, names);
    }
    bi_report_add(report, BI_ERROR, status, place_left(b), "equilibrium", "%s", to);
}

static void tell_directions(balance *b, bi_report *report)
{
    char names[DIRECTIONS_TEXT];
    if (b->followed > 0.0 && b->followed < 1.0) {
        bi_report_add(
            report, BI_WARNING, BI_OK, (bi_place){ 0 }, "equilibrium",
            "the beams buckle or snap through at %.5g of their loads: this equilibrium lies beyond, where "
            "they come to rest when they are let go",
            b->followed);
    }
    if (b->n_soft > 0) {
        name_eigenvectors(b, EIGEN_SOFT, names);
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "equilibrium",
                      "%d direction%s without stiffness, held where %s: %s", b->n_soft,
                      b->n_soft > 1 ? "s are" : " is", b->n_soft > 1 ? "they were" : "it was", names);
    }
    if (b->n_unstable > 0) {
        name_eigenvectors(b, EIGEN_UNSTABLE, names);
        bi_report_add(report, BI_WARNING, BI_OK, (bi_place){ 0 }, "equilibrium",
                      "the equilibrium is not stable: the mechanism would leave it along %s", names);
    }
}

bi_status balance_settle(balance *b, const double *rates)
{
    stepper *s = b->s;
    double worst = 0.0;
    balance_evaluate(b);
    if (rates) {
        memcpy(s->now.v, rates, (size_t)b->n * sizeof *s->now.v);
    }
    memset(s->now.dz, 0, (size_t)s->d->plan.n_z * sizeof *s->now.dz);
    s->trays.z_old = s->now.z;
    s->trays.dz_old = s->now.dz;
    unsigned start = rates ? LAW_START : 0;
    dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | start);
    rows_weigh(s, WEIGH_BY_MASS);
    bi_status status = s->d->is_rheonomic || rates ? initial_velocity(s, NULL, 0, &worst) : BI_OK;
    if (status == BI_OK && rates) {
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION | LAW_EXPLICIT | EVAL_ALL | start);
    }
    if (status == BI_OK) {
        // the steps that led here were long: who is near is asked for a usual one
        s->trays.signals.h = 0.0;
        sim_commit(b->sim, NULL);
        status = initial_acceleration(s);
    }
    if (status == BI_OK) {
        sim_begin(b->sim);
    }
    return status;
}

static bi_status find(search *a)
{
    balance *b = &a->b;
    stepper *s = b->s;
    bi_status status = stand(a);
    if (!are_finite(s->now.z, s->d->plan.n_z)) {
        return relax_graphs(a);
    }
    if (!a->is_glued && (status == BI_NOT_CONVERGED || status == BI_FULL)) {
        status = let_go(a);
    }
    if (status == BI_NOT_CONVERGED && !a->is_away && balance_measure(b) && b->out.residual <= tolerable &&
        b->ahead <= balance_near * b->size) {
        status = BI_OK;
    }
    // too many variables for full matrices: where it came to rest must do
    if (status == BI_FULL) {
        status = balance_measure(b) && b->out.residual <= balance_good_enough ? BI_OK : BI_NOT_CONVERGED;
        b->k = b->n_soft = b->n_unstable = 0;
    }
    return status;
}

typedef enum { AT_REST, AS_STARTED } manner;
static bi_status look_for(bi_sim *sim, manner how, bi_balance *out, bi_report *report)
{
    search a;
    balance *b = &a.b;
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK || !search_open(&a, sim)) {
        return refused != BI_OK ? refused : BI_NO_MEMORY;
    }
    sim->have = 0;
    size_t size = (size_t)b->n * sizeof(double);
    double *rates = how == AS_STARTED ? malloc(size + 1) : NULL;
    if (how == AS_STARTED && !rates) {
        search_close(&a);
        return BI_NO_MEMORY;
    }
    if (rates) {
        memcpy(rates, b->s->now.v, size);
    }
    // stiff against soft far beyond what other mechanisms have
    b->is_fine = has_beams(sim->system->model);
    rest(&a);
    bi_status status = find(&a);
    if (status == BI_OK) {
        b->out.soft = b->n_soft;
        b->out.unstable = b->n_unstable;
        tell_directions(b, report);
        status = balance_settle(b, rates);
    } else {
        tell_failure(&a, status, report);
        sim->started = false;
    }
    if (out) {
        *out = b->out;
    }
    free(rates);
    search_close(&a);
    bi_report_clear(&own);
    return status;
}

bi_status bi_equilibrium(bi_sim *sim, bi_balance *out, bi_report *report)
{
    return look_for(sim, AT_REST, out, report);
}

bi_status bi_settle(bi_sim *sim, bi_balance *out, bi_report *report)
{
    return look_for(sim, AS_STARTED, out, report);
}
