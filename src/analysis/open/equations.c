// SPDX-License-Identifier: MIT
// The equations where a sim stands, for those who do something of their own with them: matrices, forward and inverse
// dynamics, Jacobians of points.
#include "math/rotation.h"
#include "sim/system.h"
#include <biela/state.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bi_row_count(const bi_system *s) { return s ? s->dynamics.structure.n_row : 0; }

static bool is_row(const bi_system *s, int k) { return s && k >= 0 && k < s->dynamics.structure.n_row; }

const char *bi_row_name(const bi_system *s, int k, char *buffer, size_t size)
{
    if (!is_row(s, k) || !buffer || size == 0) {
        return NULL;
    }
    dynamics_row_name(&s->dynamics, k, buffer, size);
    return buffer;
}

bool bi_row_is_velocity(const bi_system *s, int k)
{
    return is_row(s, k) && s->dynamics.structure.is_velocity[k];
}

// Mass, gradients and forces of the state shown, on the trays; who reads the sim next works it out again.
static void evaluate(bi_sim *sim)
{
    stepper *s = &sim->stepper;
    sim_show(sim, SHOWN_MOTION);
    s->trays.z_old = sim->shown.z;
    s->trays.dz_old = sim->shown.dz;
    s->trays.signals.h = 0.0;
    dynamics_evaluate(s->d, &sim->shown, &s->trays,
                      LIFT_ALL | LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_ALL);
    sim->have = 0;
}

bi_status bi_sim_equations(bi_sim *sim, bi_equations *out)
{
    bi_status refused = out ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (refused != BI_OK) {
        return refused;
    }
    const structure *st = &sim->system->dynamics.structure;
    const trays *t = &sim->stepper.trays;
    evaluate(sim);
    *out = (bi_equations){ .n = st->n,
                           .n_rows = st->n_row,
                           .m_start = st->tangent.start,
                           .m_row = st->tangent.row,
                           .m = t->equations.M,
                           .g_start = st->G_start,
                           .g_column = st->G_col,
                           .g = t->equations.G,
                           .Q = t->equations.Q,
                           .phi = t->rows.phi,
                           .phi_t = t->rows.phi_t,
                           .gamma = t->rows.gamma };
    return BI_OK;
}

bi_status bi_sim_mass_matrix(bi_sim *sim, double *M)
{
    bi_equations e;
    bi_status status = M ? bi_sim_equations(sim, &e) : BI_BAD_ARGUMENT;
    if (status != BI_OK) {
        return status;
    }
    size_t n = (size_t)e.n;
    memset(M, 0, n * n * sizeof *M);
    for (size_t j = 0; j < n; j++) {
        for (int k = e.m_start[j]; k < e.m_start[j + 1]; k++) {
            size_t i = (size_t)e.m_row[k];
            M[i * n + j] = M[j * n + i] = e.m[k];
        }
    }
    return BI_OK;
}

bi_status bi_sim_gradient(bi_sim *sim, double *G)
{
    bi_equations e;
    bi_status status = G ? bi_sim_equations(sim, &e) : BI_BAD_ARGUMENT;
    if (status != BI_OK) {
        return status;
    }
    size_t n = (size_t)e.n;
    memset(G, 0, (size_t)e.n_rows * n * sizeof *G);
    for (size_t r = 0; r < (size_t)e.n_rows; r++) {
        for (int k = e.g_start[r]; k < e.g_start[r + 1]; k++) {
            G[r * n + (size_t)e.g_column[k]] += e.g[k];
        }
    }
    return BI_OK;
}

bi_status bi_sim_forces(bi_sim *sim, double *Q)
{
    bi_equations e;
    bi_status status = Q ? bi_sim_equations(sim, &e) : BI_BAD_ARGUMENT;
    if (status == BI_OK) {
        memcpy(Q, e.Q, (size_t)e.n * sizeof *Q);
    }
    return status;
}

// ---- dynamics ------------------------------------------------------------------------------------------------------

static bi_status refuse_vector(bi_sim *sim, const double *x, const char *what)
{
    bi_status refused = sim_refuse(sim);
    int n = refused == BI_OK ? sim->system->dynamics.structure.n : 0;
    if (refused == BI_OK && x && !are_finite(x, n)) {
        snprintf(sim->failure, sizeof sim->failure, "%s must be finite numbers", what);
        return BI_BAD_ARGUMENT;
    }
    return refused;
}

bi_status bi_forward_dynamics(bi_sim *sim, const double *force, double *a, double *lambda)
{
    bi_status status = refuse_vector(sim, force, "forces");
    if (status != BI_OK) {
        return status;
    }
    const structure *st = &sim->system->dynamics.structure;
    sim_show(sim, SHOWN_STATE);
    status = forced_pass(&sim->stepper, &sim->shown, force, &sim->exact);
    sim->have = 0;
    if (status == BI_OK && a) {
        memcpy(a, sim->exact.a, (size_t)st->n * sizeof *a);
    }
    if (status == BI_OK && lambda) {
        memcpy(lambda, sim->exact.lambda, (size_t)st->n_row * sizeof *lambda);
    }
    return status;
}

bi_status bi_inverse_dynamics(bi_sim *sim, const double *a, double *force)
{
    bi_equations e;
    bi_status status = a && force ? refuse_vector(sim, a, "accelerations") : BI_BAD_ARGUMENT;
    status = status == BI_OK ? bi_sim_equations(sim, &e) : status;
    if (status != BI_OK) {
        return status;
    }
    // a and force may be the same array
    stepper *s = &sim->stepper;
    memset(s->product, 0, (size_t)e.n * sizeof *s->product);
    s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, a, s->product);
    for (int i = 0; i < e.n; i++) {
        force[i] = s->product[i] - e.Q[i];
    }
    return BI_OK;
}

// ---- Jacobian --------------------------------------------------------------------------------------------------------

static bi_status refuse_point(bi_sim *sim, bi_point p)
{
    bi_status refused = refuse_vector(sim, NULL, "");
    const bi_model *m = refused == BI_OK ? sim->system->model : NULL;
    if (refused == BI_OK && (p.body.i < 1 || p.body.i > m->n_body || !are_finite(&p.at.x, 3))) {
        snprintf(sim->failure, sizeof sim->failure, "there is no such point: body %d of %d", (int)p.body.i,
                 m->n_body);
        return BI_BAD_ARGUMENT;
    }
    const bi_modes *flex = refused == BI_OK ? m->body[p.body.i - 1].def.flex : NULL;
    if (flex && model_node_at(flex, p.at) < 0) {
        snprintf(sim->failure, sizeof sim->failure, "body %s is flexible, and has no node there",
                 m->body[p.body.i - 1].def.name);
        return BI_BAD_ARGUMENT;
    }
    return refused;
}

// Where a point of a body is and how its modes move it, both in the axes of the body.
typedef struct {
    vec3 at, velocity, turning;
} point_motion;
static point_motion within_body(const bi_sim *sim, bi_point p)
{
    const bi_modes *f = sim->system->model->body[p.body.i - 1].def.flex;
    const plan *plan = &sim->system->dynamics.plan;
    const motion *now = &sim->stepper.trays.motion;
    point_motion m = { .at = p.at };
    size_t node = f ? (size_t)model_node_at(f, p.at) : 0, count = f ? (size_t)f->n_node : 0;
    for (int i = 0; f && i < plan->n_marker; i++) {
        const marker *k = &plan->marker[i];
        if (k->kind != MARKER_MODE || k->body != p.body.i - 1) {
            continue;
        }
        size_t mode = (size_t)k->coordinate;
        double eta = now->value[k->dof], rate = now->rate[k->dof];
        vec3 shape = f->shape[mode * count + node];
        m.at = vec3_add_scaled(m.at, eta, shape);
        for (int j = 0; f->bend && !f->bend_is_load && j < plan->n_marker; j++) {
            const marker *o = &plan->marker[j];
            if (o->kind == MARKER_MODE && o->body == k->body) {
                vec3 bend = f->bend[(mode * (size_t)f->n_mode + (size_t)o->coordinate) * count + node];
                m.at = vec3_add_scaled(m.at, 0.5 * eta * now->value[o->dof], bend);
                shape = vec3_add_scaled(shape, now->value[o->dof], bend);
            }
        }
        m.velocity = vec3_add_scaled(m.velocity, rate, shape);
        m.turning = f->turn ? vec3_add_scaled(m.turning, rate, f->turn[mode * count + node]) : m.turning;
    }
    return m;
}

// Velocities are linear in the rates: each rate alone tells its column.
bi_status bi_point_jacobian(bi_sim *sim, bi_point p, double *J)
{
    bi_status status = J ? refuse_point(sim, p) : BI_BAD_ARGUMENT;
    if (status != BI_OK) {
        return status;
    }
    stepper *s = &sim->stepper;
    size_t n = (size_t)s->d->structure.n, n_q = (size_t)s->d->structure.n_q;
    sim_show(sim, SHOWN_STATE | SHOWN_POSES);
    coords_copy(s->d, &sim->shown, &sim->exact);
    for (size_t i = 0; i < n; i++) {
        memset(sim->exact.v, 0, n_q * sizeof *sim->exact.v);
        sim->exact.v[i] = 1.0;
        s->d->set->lift(s->d->coordinates, &sim->exact, LIFT_ALL, &s->trays.motion);
        s->d->set->poses(s->d->coordinates, &sim->exact, &s->trays.motion, NULL, sim->pose, sim->twist);
        bi_twist t = sim->twist[p.body.i - 1];
        bi_quat rot = sim->pose[p.body.i - 1].rot;
        point_motion own = within_body(sim, p);
        vec3 v = vec3_add(vec3_add(t.lin, vec3_cross(t.ang, quat_rotate(rot, own.at))),
                          quat_rotate(rot, own.velocity)),
             w = vec3_add(t.ang, quat_rotate(rot, own.turning));
        const double column[6] = { v.x, v.y, v.z, w.x, w.y, w.z };
        for (size_t r = 0; r < 6; r++) {
            J[r * n + i] = column[r];
        }
    }
    sim->have = 0;
    return BI_OK;
}

// ---- contacts ----------------------------------------------------------------------------------------------------------

bi_status bi_sim_touches(bi_sim *sim, bi_touch_observes *tell, void *data)
{
    bi_status refused = tell ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (refused == BI_OK) {
        sim_show(sim, SHOWN_STATE);
        dynamics_touches(sim->stepper.d, &sim->shown, &sim->stepper.trays, tell, data);
    }
    return refused;
}
