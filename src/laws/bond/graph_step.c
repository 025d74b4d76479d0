// SPDX-License-Identifier: MIT
// A bond graph within a step (bond.11, bond.12): its states at the end, efforts of its ports, tangent.
#include "laws/bond/graph.h"
#include "laws/bond/locking.h"
#include "sparse/dense.h"
#include <math.h>
#include <string.h>

enum { MOST_NEWTON = 40, MOST_LEAPS = 6 };

typedef struct {
    tape_work w;
    double *A, *J, *r, *x;      // n_state^2 twice, n_state twice
    double *step, *from, *size; // n_state each
    double *mark;               // N_MARKS
} room;

static room room_of(const graph *g, const law_in *in)
{
    double *memory = (double *)(void *)((char *)in->scratch + g->scratch);
    int n = g->t.n_state;
    room m = { .w = tape_work_cut(&g->t, memory) };
    m.A = memory + tape_work_size(&g->t);
    m.J = m.A + n * n;
    m.r = m.J + n * n;
    m.x = m.r + n;
    m.step = m.x + n;
    m.from = m.step + n;
    m.size = m.from + n;
    m.mark = m.size + n;
    return m;
}

static double outside_value(const graph *g, const outside *o, const law_in *in)
{
    switch (o->kind) {
    case OUTSIDE_INPUT: return in->u->input[o->index];
    case OUTSIDE_SIGNAL: return in->u->signal[o->index].v;
    case OUTSIDE_VALUE: return in->at->value[o->index];
    case OUTSIDE_PORT: return port_flow(&g->port[o->index], in->at);
    default: return in->at->rate[o->index];
    }
}

static bool solve_at(const graph *g, const law_in *in, room *m)
{
    double rate[MOST_OUTSIDE];
    m->w.v[TAPE_T] = in->u->t;
    for (int k = 0; k < g->n_outside; k++) {
        m->w.v[TAPE_OUTSIDE + k] = outside_value(g, &g->outside[k], in);
        rate[k] = g->outside[k].kind == OUTSIDE_SIGNAL ? in->u->signal[g->outside[k].index].d : 0.0;
    }
    for (int k = 0; k < g->t.n_state; k++) {
        m->w.v[tape_state_at(&g->t, k)] = m->x[k];
    }
    return tape_solve(&g->t, rate, &m->w);
}

// First guesses of the unknowns: those of the last accepted step, the same whatever was tried since.
static void guess(const graph *g, const law_in *in, room *m)
{
    const double *from = &in->z_old[guess_at(g)];
    for (int k = 0; k < g->t.n_torn; k++) {
        m->w.v[g->t.torn[k]] = from[k];
    }
    for (int k = 0; k < g->t.n_derivative; k++) {
        m->w.v[tape_derivative(&g->t, k)] = from[g->t.n_torn + k];
    }
}

// J = 1 - h/2 A, with A as it was found last.
static void set_jacobian(const graph *g, double h, room *m)
{
    int n = g->t.n_state;
    for (int i = 0; i < n * n; i++) {
        m->J[i] = -0.5 * h * m->A[i];
    }
    for (int i = 0; i < n; i++) {
        m->J[i * n + i] += 1.0;
    }
}

// Norm of what the states miss against the sizes in m->size.
static double miss_norm(const graph *g, const room *m)
{
    double sum = 0.0;
    for (int k = 0; k < g->t.n_state; k++) {
        sum += (m->r[k] / m->size[k]) * (m->r[k] / m->size[k]);
    }
    return sqrt(sum);
}

// What the states miss, into m->r; gives its norm. NaN: no solution inside.
static double miss(const graph *g, const law_in *in, room *m)
{
    const double *x0 = &in->z_old[g->state], *dx0 = &in->dz_old[g->state];
    double h = in->u->h;
    if (!solve_at(g, in, m)) {
        return NAN;
    }
    for (int k = 0; k < g->t.n_state; k++) {
        m->r[k] = x0[k] + 0.5 * h * (dx0[k] + tape_rate(&g->t, &m->w, k)) - m->x[k];
    }
    return miss_norm(g, m);
}

// Goes along m->step, by half as much as often as needed until the miss gets smaller: laws that saturate (a clutch)
// throw a full step far beyond. Gives the part taken; 0: there is none.
static double walk(const graph *g, const law_in *in, double *norm, room *m)
{
    static const double least = 1.0 / 1024.0;
    for (double part = 1.0; part >= least; part *= 0.5) {
        for (int k = 0; k < g->t.n_state; k++) {
            m->x[k] = m->from[k] + part * m->step[k];
        }
        double now = miss(g, in, m);
        if (now <= (1.0 - 0.1 * part) * *norm || now <= 1e-13) {
            *norm = now;
            return part;
        }
    }
    return 0.0;
}

// What is missed at m->from is no more than rounding leaves of it: a stiff spring at rest between masses that move.
static bool is_rounding(const graph *g, const law_in *in, room *m)
{
    static const double margin = 16.0;
    const double *x0 = &in->z_old[g->state];
    memcpy(m->x, m->from, (size_t)g->t.n_state * sizeof *m->x);
    if (!isfinite(miss(g, in, m))) {
        return false;
    }
    tape_noise(&g->t, &m->w);
    for (int k = 0; k < g->t.n_state; k++) {
        double noise = 0.5 * in->u->h * m->w.d[g->t.state[k].rate] + 2.2e-16 * (fabs(x0[k]) + fabs(m->x[k]));
        if (!(fabs(m->r[k]) <= margin * noise)) {
            return false;
        }
    }
    return true;
}

// The components of a vector are as large as the vector: one that vanishes by symmetry has only rounding errors.
static void share_sizes(const graph *g, room *m)
{
    for (int k = 0; k < g->t.n_state;) {
        int end = k + 1;
        double size = m->size[k];
        while (end < g->t.n_state && g->t.state[end].is_next) {
            size = fmax(size, m->size[end++]);
        }
        while (k < end) {
            m->size[k++] = size;
        }
    }
    // numbers without power are places and attitudes: with 1000 m along, rounding across is 1e-13 m
    double largest = 0.0;
    for (int k = 0; k < g->t.n_state; k++) {
        largest = g->t.state[k].port < 0 ? fmax(largest, m->size[k]) : largest;
    }
    for (int k = 0; k < g->t.n_state; k++) {
        m->size[k] = g->t.state[k].port < 0 ? fmax(m->size[k], 1e-9 * largest) : m->size[k];
    }
}

// The largest correction against the sizes of the states; one that starts at nothing is as large as its first
// correction.
static double correction_size(const graph *g, int iteration, room *m)
{
    int n = g->t.n_state;
    for (int k = 0; iteration == 0 && k < n; k++) {
        m->size[k] += fabs(m->step[k]);
    }
    share_sizes(g, m);
    double moved = 0.0;
    for (int k = 0; k < n; k++) {
        moved = fmax(moved, fabs(m->step[k]) / m->size[k]);
    }
    return moved;
}

// First guess of the states at the end of the step, and their sizes.
static void predict(const graph *g, const law_in *in, const double *z, room *m)
{
    const double *x0 = &in->z_old[g->state], *dx0 = &in->dz_old[g->state];
    double h = in->u->h;
    for (int k = 0; k < g->t.n_state; k++) {
        // of the same instant: from where the last evaluation ended
        m->x[k] = in->want & LAW_AGAIN && isfinite(z[g->state + k]) ? z[g->state + k] : x0[k] + h * dx0[k];
        // a state that starts at nothing is as large as it has become in this step
        m->size[k] = fabs(x0[k]) + fmax(fabs(h * dx0[k]), fabs(m->x[k] - x0[k])) + 1e-12;
    }
    share_sizes(g, m);
}

// x - x0 - h/2 (dx0 + f(x)) = 0 by Newton (bond.11).
static bool solve_step(const graph *g, const law_in *in, const double *z, room *m)
{
    int n = g->t.n_state;
    size_t bytes = (size_t)n * sizeof *m->x;
    const double *x0 = &in->z_old[g->state];
    double h = in->u->h, before = INFINITY;
    // derivatives are most of the work: only where the last correction was not much smaller than the one before; within
    // an instant those of the last evaluation are at hand
    bool anew = !(in->want & LAW_AGAIN) || m->mark[MODES_OF] != hold_signature(g, &m->w);
    m->mark[MODES_OF] = hold_signature(g, &m->w);
    predict(g, in, z, m);
    int leaps = 0;
    double norm = miss(g, in, m);
    if (isnan(norm)) {
        memcpy(m->x, x0, bytes);
        norm = miss(g, in, m);
    }
    for (int iteration = 0; iteration < MOST_NEWTON && isfinite(norm); iteration++) {
        memcpy(m->step, m->r, bytes);
        memcpy(m->from, m->x, bytes);
        if (anew && !tape_linearise(&g->t, &m->w, m->A, NULL, NULL)) {
            return false;
        }
        set_jacobian(g, h, m);
        if (!dense_solve(n, m->J, m->step)) {
            return false;
        }
        double moved = correction_size(g, iteration, m);
        if (!isfinite(moved)) {
            return false;
        }
        // or the rest is rounding: states that vanish by symmetry
        if (moved <= 1e-11 || (iteration > 0 && norm <= 1e-13 && moved <= 1e-8)) {
            for (int k = 0; k < n; k++) {
                m->x[k] += m->step[k];
            }
            return solve_at(g, in, m);
        }
        norm = iteration == 0 ? miss_norm(g, m) : norm; // in the sizes as they are now
        double part = walk(g, in, &norm, m);
        if (part == 0.0) {
            if (is_rounding(g, in, m)) {
                return true;
            }
            // rounding is all that is left, or the derivatives are too old, or a law has a corner (a valve that opens)
            // on the way: beyond it the derivatives are others, and lead back or on
            if (moved > 1e-8 && anew && leaps++ < MOST_LEAPS) {
                for (int k = 0; k < n; k++) {
                    m->x[k] = m->from[k] + m->step[k];
                }
                norm = miss(g, in, m);
                before = INFINITY;
                continue;
            }
            if (moved <= 1e-8 || anew) {
                memcpy(m->x, m->from, bytes);
                return moved <= 1e-8 && solve_at(g, in, m);
            }
            memcpy(m->x, m->from, bytes);
            norm = miss(g, in, m);
            anew = true;
            continue;
        }
        anew = part < 1.0 || moved > 0.05 * before;
        before = moved;
    }
    return n == 0 && isfinite(norm);
}

// d effort / d outside, the states following within the step; with the matrix A in m->A.
static bool port_column(const graph *g, const law_in *in, int k, room *m)
{
    const tape *t = &g->t;
    int n = t->n_state;
    double h = in->want & LAW_EXPLICIT ? 0.0 : in->u->h;
    memset(m->w.d, 0, (size_t)t->n_variable * sizeof *m->w.d);
    m->w.d[TAPE_OUTSIDE + k] = 1.0;
    if (!tape_tangent(t, -1, &m->w)) {
        return false;
    }
    if (n == 0 || h == 0.0) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        m->r[i] = 0.5 * h * m->w.d[t->state[i].rate];
    }
    set_jacobian(g, h, m);
    if (!dense_solve(n, m->J, m->r)) {
        return false;
    }
    memset(m->w.d, 0, (size_t)t->n_variable * sizeof *m->w.d);
    m->w.d[TAPE_OUTSIDE + k] = 1.0;
    for (int i = 0; i < n; i++) {
        m->w.d[tape_state_at(t, i)] = m->r[i];
    }
    return tape_tangent(t, -1, &m->w);
}

// Efforts of the ports along the direction at hand, in the columns that it stands for.
static void add_columns(const graph *g, const law_in *in, double *to, const port_row *column, double factor,
                        const room *m)
{
    for (int i = 0; i < g->n_port; i++) {
        port_row row = port_gradient(&g->port[i], in->at);
        double slope = factor * g->port_sign[i] * m->w.d[g->port_effort[i]];
        for (int r = 0; r < row.count; r++) {
            for (int c = 0; c < column->count; c++) {
                to[row.column[r] * g->width + column->column[c]] -= row.value[r] * slope * column->value[c];
            }
        }
    }
}

static void add_column(const graph *g, const law_in *in, double *to, int column, double factor, const room *m)
{
    port_row one = { column >= 0, { column }, { 1.0 } };
    add_columns(g, in, to, &one, factor, m);
}

// The matrix A of a step as it ended, once in an evaluation.
static bool linearise(const graph *g, const law_in *in, room *m)
{
    bool is_step = !(in->want & LAW_EXPLICIT) && in->u->h != 0.0;
    if (is_step && g->t.n_state > 0 && m->mark[LINEARISED_IN] != in->u->number) {
        m->mark[LINEARISED_IN] = in->u->number;
        return tape_linearise(&g->t, &m->w, m->A, NULL, NULL);
    }
    return true;
}

static void write_tangent(const graph *g, const law_in *in, room *m, load *out)
{
    size_t size = (size_t)(g->width * g->width) * sizeof(double);
    double *K = &out->K[g->block], *C = &out->C[g->block];
    memset(K, 0, size);
    memset(C, 0, size);
    // ports in axes that turn, before other directions are tried: efforts as they are (bond.10)
    for (int i = 0; i < g->n_port; i++) {
        port_stiffness(&g->port[i], in->at, g->port_sign[i] * m->w.v[g->port_effort[i]], g->width, K);
    }
    if (!linearise(g, in, m)) {
        return;
    }
    for (int k = 0; k < g->n_outside; k++) {
        const outside *o = &g->outside[k];
        bool is_port = o->kind == OUTSIDE_PORT;
        if ((!is_port && o->column < 0 && o->n_partial == 0) || !port_column(g, in, k, m)) {
            continue;
        }
        if (is_port) {
            port_row rate = port_gradient(&g->port[o->index], in->at),
                     turning = port_turning(&g->port[o->index], in->at);
            add_columns(g, in, C, &rate, 1.0, m);
            add_columns(g, in, K, &turning, 1.0, m);
        } else if (o->column >= 0) {
            add_column(g, in, o->kind == OUTSIDE_RATE ? C : K, o->column, 1.0, m);
        }
        for (int i = 0; i < o->n_partial; i++) {
            add_column(g, in, o->is_rate[i] ? C : K, o->partial_column[i], in->u->partial[o->partial + i], m);
        }
    }
}

static void write_states(const graph *g, const law_in *in, const room *m, law_out *out)
{
    const tape *t = &g->t;
    bool is_implicit = !(in->want & (LAW_EXPLICIT | LAW_START));
    double *readings = &out->load->scalar[g->readings];
    for (int k = 0; k < t->n_state; k++) {
        out->z[g->state + k] = m->x[k];
        out->dz[g->state + k] = tape_rate(t, &m->w, k);
    }
    for (int k = 0; k < t->n_torn; k++) {
        out->z[guess_at(g) + k] = m->w.v[t->torn[k]];
        out->dz[guess_at(g) + k] = 0.0;
    }
    for (int k = 0; k < t->n_derivative; k++) {
        out->z[guess_at(g) + t->n_torn + k] = m->w.v[tape_derivative(t, k)];
        out->dz[guess_at(g) + t->n_torn + k] = 0.0;
    }
    for (int k = 0; k < g->n_port; k++) {
        out->z[effort_at(g) + k] = m->w.v[g->port_effort[k]];
        out->dz[effort_at(g) + k] = 0.0;
    }
    for (int b = 0; b < g->n_bond; b++) {
        int at = energy_at(g) + b;
        double e = m->w.v[t->effort[b]], f = m->w.v[t->flow[b]], power = e * f;
        out->z[at] = in->want & LAW_START ? 0.0 : in->z_old[at];
        out->z[at] += is_implicit ? 0.5 * in->u->h * (in->dz_old[at] + power) : 0.0;
        out->dz[at] = power;
        readings[4 * b] = e;
        readings[4 * b + 1] = f;
        readings[4 * b + 2] = power;
        readings[4 * b + 3] = out->z[at];
    }
    for (int k = 0; k < t->n_state; k++) {
        readings[4 * g->n_bond + k] = m->x[k];
    }
    for (int k = 0; k < t->n_named; k++) {
        readings[4 * g->n_bond + t->n_state + k] = m->w.v[t->named[k]];
    }
    for (int k = 0; k < t->n_hold; k++) {
        readings[4 * g->n_bond + t->n_state + t->n_named + k] = hold_reading(g, &m->w, k);
    }
    hold_write(g, in, &m->w, out);
}

// What came to rest in this step starts the next one locked: rates as they are then.
static bool write_locked_rates(const graph *g, const law_in *in, room *m, law_out *out)
{
    double *rate = &out->dz[g->state];
    hold_settle(g, in, HOLD_FROM_NOW, &m->w);
    bool ok = solve_at(g, in, m);
    for (int k = 0; k < g->t.n_state; k++) {
        rate[k] = tape_rate(&g->t, &m->w, k);
    }
    hold_settle(g, in, HOLD_IN_STEP, &m->w);
    return solve_at(g, in, m) && ok;
}

// A law without a value (a table that is left) shows here first: loops look at their own variables only.
static bool has_rates(const graph *g, const room *m)
{
    for (int k = 0; k < g->t.n_state; k++) {
        if (!isfinite(tape_rate(&g->t, &m->w, k))) {
            return false;
        }
    }
    return true;
}

// With what slips and what is locked as chosen.
static bool solve_as_it_is(const graph *g, const law_in *in, room *m, const law_out *out)
{
    if (!(in->want & (LAW_EXPLICIT | LAW_START))) {
        return solve_step(g, in, out->z, m);
    }
    for (int k = 0; k < g->t.n_state; k++) {
        m->x[k] = in->want & LAW_START ? g->t.state[k].initial : in->z_old[g->state + k];
    }
    return solve_at(g, in, m);
}

// States and what it tells; false: it has no solution.
static bool solve_one(const graph *g, const law_in *in, room *m, law_out *out)
{
    guess(g, in, m);
    hold_begin(g, in, &m->w);
    bool ok = solve_as_it_is(g, in, m, out);
    for (int try = 0; ok && try < HOLD_MOST_CHANGES && hold_change(g, in, try, &m->w); try++) {
        guess(g, in, m);
        ok = solve_as_it_is(g, in, m, out);
    }
    ok = ok && has_rates(g, m);
    write_states(g, in, m, out);
    if (ok && hold_closes(g, in, &m->w)) {
        ok = write_locked_rates(g, in, m, out);
    }
    if (!ok) {
        // the step fails by it, and the number of the element says whose fault it is
        for (int k = g->state; k < energy_at(g) + g->n_bond; k++) {
            out->z[k] = out->dz[k] = NAN;
        }
    }
    out->load->scalar[g->element] = !ok             ? NAN
                                    : g->n_port > 0 ? g->port_sign[0] * m->w.v[g->port_effort[0]]
                                                    : 0.0;
    return ok;
}

static void eval_one(const graph *g, const law_in *in, law_out *out)
{
    room m = room_of(g, in);
    bool ok = m.mark[SOLVED_IN] == in->u->number ? !isnan(out->load->scalar[g->element])
                                                 : solve_one(g, in, &m, out);
    for (int k = 0; k < g->n_port; k++) {
        port_push(&g->port[k], in->at, ok ? g->port_sign[k] * m.w.v[g->port_effort[k]] : NAN, out->load);
    }
    if ((in->want & LAW_TANGENT) && g->width > 0) {
        write_tangent(g, in, &m, out->load);
    }
}

void graph_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const graph *item = items;
    for (int k = 0; k < count; k++) {
        eval_one(&item[k], in, out);
    }
}

// ---- read by signals inside the step ---------------------------------------------------------------------------------

void graph_ahead(const void *items, int k, const law_in *in, law_out *out)
{
    const graph *g = (const graph *)items + k;
    room m = room_of(g, in);
    m.mark[SOLVED_IN] = in->u->number;
    solve_one(g, in, &m, out);
}

// Along the direction at hand, of the number at this place of the readings.
static double reading_slope(const graph *g, const law_in *in, int reading, const room *m)
{
    const tape *t = &g->t;
    const double *v = m->w.v, *d = m->w.d;
    if (reading >= 4 * g->n_bond + t->n_state + t->n_named) {
        return 0.0;
    }
    if (reading >= 4 * g->n_bond + t->n_state) {
        return d[t->named[reading - 4 * g->n_bond - t->n_state]];
    }
    if (reading >= 4 * g->n_bond) {
        return d[tape_state_at(t, reading - 4 * g->n_bond)];
    }
    int e = t->effort[reading / 4], f = t->flow[reading / 4];
    double power = d[e] * v[f] + v[e] * d[f];
    switch (reading % 4) {
    case 0: return d[e];
    case 1: return d[f];
    case 2: return power;
    }
    // the energy, by the trapezoidal rule
    return in->want & (LAW_EXPLICIT | LAW_START) ? 0.0 : 0.5 * in->u->h * power;
}

static void add_slope(const graph *g, int column, bool is_rate, double value, double *slope)
{
    for (int i = 0; i < g->n_slope; i++) {
        slope[i] += g->slope_column[i] == column && g->slope_is_rate[i] == is_rate ? value : 0.0;
    }
}

void graph_slopes(const void *items, int k, const law_in *in, int scalar, double *slope)
{
    const graph *g = (const graph *)items + k;
    room m = room_of(g, in);
    memset(slope, 0, (size_t)g->n_slope * sizeof *slope);
    if (g->n_slope == 0 || !linearise(g, in, &m)) {
        return;
    }
    for (int o = 0; o < g->n_outside; o++) {
        const outside *from = &g->outside[o];
        bool is_joint = from->kind == OUTSIDE_PORT && g->port[from->index].kind == BI_PORT_JOINT;
        if ((!is_joint && from->column < 0 && from->n_partial == 0) || !port_column(g, in, o, &m)) {
            continue;
        }
        double by = scalar == g->element ? (g->n_port > 0 ? g->port_sign[0] * m.w.d[g->port_effort[0]] : 0.0)
                                         : reading_slope(g, in, scalar - g->readings, &m);
        if (is_joint) {
            add_slope(g, g->port[from->index].column[0], true, by, slope);
        } else if (from->column >= 0) {
            add_slope(g, from->column, from->kind == OUTSIDE_RATE, by, slope);
        }
        for (int i = 0; i < from->n_partial; i++) {
            add_slope(g, from->partial_column[i], from->is_rate[i], by * in->u->partial[from->partial + i],
                      slope);
        }
    }
}

// ---- coming to rest ----------------------------------------------------------------------------------------------------

double graph_kinetic(const void *items, int count, const double *z, const double *scalar)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        const graph *g = (const graph *)items + k;
        for (int i = 0; i < g->t.n_state; i++) {
            int bond = g->momentum[i];
            sum += bond >= 0 ? 0.5 * fabs(z[g->state + i] * scalar[g->readings + 4 * bond + 1]) : 0.0;
        }
    }
    return sum;
}

void graph_stop(const void *items, int count, double *z)
{
    for (int k = 0; k < count; k++) {
        const graph *g = (const graph *)items + k;
        for (int i = 0; i < g->t.n_state; i++) {
            z[g->state + i] = g->momentum[i] >= 0 ? 0.0 : z[g->state + i];
        }
    }
}
