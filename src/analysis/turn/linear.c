// SPDX-License-Identifier: MIT
// Small motions about a steady turn, in the frame that turns with it (turn.6 .. turn.8).
#include "analysis/turn/turn_frame.h"
#include "base/text.h"
#include "sparse/dense.h"
#include "sparse/dense_general_eigen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OF_PLACE, OF_RATE, OF_LAW, OF_INPUT } number_kind;

typedef struct {
    turn_search t;
    const bi_turn_def *def;
    vec3 centre, drift;     // of the turn; velocity of the frame where it does not turn
    int n_place, n;         // all coordinates that constraints leave, all numbers: coordinates, rates, states
    int *place;             // (n_place)
    double *v0;             // of the turn, charts begun anew             (variables)
    double *rate, *column;  // how the numbers change                     (n), (n)
    double *group[N_GROUP]; // the numbers when all slides or turns       (n)
    int *kept, n_kept, n_kept_place;
    int pivot[N_GROUP];
    double inverse[N_GROUP][N_GROUP];
} linear;

// How the state with one number changed goes on, seen from the frame of the turn (turn.6). False: not possible.
static bool sample(linear *l, number_kind kind, int k, double change)
{
    turn_search *t = &l->t;
    reduction *r = &t->r;
    const dynamics *d = r->s->d;
    reduction_reset(r);
    memcpy(r->at.chart, t->chart, (size_t)r->st->n_chart * sizeof *t->chart);
    double *input = kind == OF_INPUT ? &t->sim->input[l->def->input[k].i - 1] : NULL,
           was = input ? *input : 0.0;
    r->at.q[kind == OF_PLACE ? l->place[k] : 0] += kind == OF_PLACE ? change : 0.0;
    if (kind == OF_LAW) {
        r->at.z[r->state[k]] += change;
    }
    if (input) {
        *input += change;
    }
    bool ok = reduction_close(r);
    d->set->recentre(d->coordinates, &r->at);
    memcpy(r->at.v, l->v0, (size_t)r->n * sizeof *l->v0);
    if (kind == OF_RATE) {
        r->at.v[r->freedom[k]] += change;
    }
    ok = ok && reduction_close(r) && turn_accelerate(t);
    if (ok) {
        // the rates of the frame at this place
        turn_rates(t, l->centre, l->drift, t->rate, t->group[0]);
        for (int i = 0; i < l->n_place; i++) {
            l->rate[i] = r->at.v[l->place[i]] - t->group[0][l->place[i]];
        }
        for (int f = 0; f < r->n_freedom; f++) {
            l->rate[l->n_place + f] = r->y[f] - t->turned[r->freedom[f]];
        }
        for (int z = 0; z < r->n_z; z++) {
            l->rate[l->n_place + r->n_freedom + z] = r->at.dz[r->state[z]];
        }
    }
    if (input) {
        *input = was;
    }
    return ok && are_finite(l->rate, l->n);
}

// Central differences of order four.
static bool differentiate(linear *l, number_kind kind, int k, double h)
{
    static const double weight[2] = { 2.0 / 3.0, -1.0 / 12.0 };
    memset(l->column, 0, (size_t)l->n * sizeof *l->column);
    for (int i = 0; i < 4; i++) {
        double side = i % 2 ? -1.0 : 1.0;
        if (!sample(l, kind, k, side * (1 + i / 2) * h)) {
            return false;
        }
        for (int j = 0; j < l->n; j++) {
            l->column[j] += side * weight[i / 2] / h * l->rate[j];
        }
    }
    return true;
}

static double step_of(const linear *l, number_kind kind, int k)
{
    const reduction *r = &l->t.r;
    switch (kind) {
    case OF_PLACE: return 1e-4 * fmin(1.0, r->st->size);
    case OF_RATE: return 1e-4;
    case OF_INPUT: return 1e-4 * fmax(1.0, fabs(l->t.sim->input[l->def->input[k].i - 1]));
    case OF_LAW: break;
    }
    return 1e-4 * fmax(1e-2, fabs(r->z0[r->state[k]]));
}

// ---- what is left out ------------------------------------------------------------------------------------------------------

// The numbers of a motion in which everything slides or turns as one (turn.7), and which three tell it.
static bool find_group(linear *l)
{
    turn_search *t = &l->t;
    reduction *r = &t->r;
    if (!sample(l, OF_RATE, 0, 0.0)) {
        return false;
    }
    double rate = t->rate;
    t->rate = 1.0; // turned: how rates change with the heading
    turn_look(t);
    t->rate = rate;
    turn_group(t);
    for (int g = 0; g < N_GROUP; g++) {
        memset(l->group[g], 0, (size_t)l->n * sizeof *l->group[g]);
        for (int i = 0; i < l->n_place; i++) {
            l->group[g][i] = t->group[g][l->place[i]];
        }
    }
    for (int f = 0; f < r->n_freedom; f++) {
        l->group[TURN_ABOUT][l->n_place + f] = t->turned[r->freedom[f]];
    }
    bool *is_ignored = calloc((size_t)r->n + 1, sizeof *is_ignored);
    if (!is_ignored) {
        return false;
    }
    turn_ignorable(t, is_ignored);
    int count = 0;
    for (int i = 0; i < l->n; i++) {
        int j = i < l->n_place ? l->place[i] : -1;
        if (j >= 0 && is_ignored[j] && count < N_GROUP) {
            l->pivot[count++] = i;
        } else if (j < 0 || !t->spins[j]) {
            l->n_kept_place += i < l->n_place;
            l->kept[l->n_kept++] = i;
        }
    }
    free(is_ignored);
    double G[N_GROUP * N_GROUP], unit[N_GROUP];
    bool ok = count == N_GROUP;
    for (int k = 0; k < N_GROUP && ok; k++) {
        for (int i = 0; i < N_GROUP; i++) {
            for (int g = 0; g < N_GROUP; g++) {
                G[i * N_GROUP + g] = l->group[g][l->pivot[i]];
            }
            unit[i] = i == k ? 1.0 : 0.0;
        }
        ok = dense_solve(N_GROUP, G, unit);
        for (int g = 0; g < N_GROUP && ok; g++) {
            l->inverse[g][k] = unit[g];
        }
    }
    return ok;
}

// What a column is for the numbers that are kept: less the part that only moves everything as one (turn.8).
static void put_column(const linear *l, const double *column, int columns, int k, double *out)
{
    double shift[N_GROUP] = { 0 };
    for (int g = 0; g < N_GROUP; g++) {
        for (int i = 0; i < N_GROUP; i++) {
            shift[g] += l->inverse[g][i] * column[l->pivot[i]];
        }
    }
    for (int i = 0; i < l->n_kept; i++) {
        double value = column[l->kept[i]];
        for (int g = 0; g < N_GROUP; g++) {
            value -= l->group[g][l->kept[i]] * shift[g];
        }
        out[i * columns + k] = value;
    }
}

// ---- all of it ------------------------------------------------------------------------------------------------------------------

static bool modes_create(linear *l, bi_turn_modes *out)
{
    size_t n = (size_t)l->n_kept, square = n * n, inputs = (size_t)l->def->n_input;
    out->A = calloc(3 * square + n * inputs + 2 * n + 1, sizeof *out->A);
    out->name = calloc(n + 1, sizeof *out->name);
    if (!out->A || !out->name) {
        return false;
    }
    out->n = l->n_kept;
    out->n_position = l->n_kept_place;
    out->n_input = l->def->n_input;
    out->B = out->A + square;
    out->re = out->B + n * inputs;
    out->im = out->re + n;
    out->shape_re = out->im + n;
    out->shape_im = out->shape_re + square;
    const reduction *r = &l->t.r;
    for (int i = 0; i < out->n; i++) {
        char name[128] = "";
        int k = l->kept[i], rate = k - l->n_place, state = rate - r->n_freedom;
        if (state < 0) {
            reduction_name(r, rate < 0 ? l->place[k] : r->freedom[rate], name, sizeof name);
        } else {
            reduction_state_name(r, r->state[state], name, sizeof name);
        }
        out->name[i] = text_format("%s%s", name, state < 0 && rate >= 0 ? " rate" : "");
    }
    return true;
}

static bool fill(linear *l, bi_turn_modes *out)
{
    const reduction *r = &l->t.r;
    for (int i = 0; i < out->n; i++) {
        int k = l->kept[i], rate = k - l->n_place, state = rate - r->n_freedom;
        number_kind kind = rate < 0 ? OF_PLACE : state < 0 ? OF_RATE : OF_LAW;
        int which = rate < 0 ? k : state < 0 ? rate : state;
        if (!differentiate(l, kind, which, step_of(l, kind, which))) {
            return false;
        }
        put_column(l, l->column, out->n, i, out->A);
    }
    for (int k = 0; k < out->n_input; k++) {
        if (!differentiate(l, OF_INPUT, k, step_of(l, OF_INPUT, k))) {
            return false;
        }
        put_column(l, l->column, out->n_input, k, out->B);
    }
    return dense_eigenvalues(out->n, out->A, out->re, out->im) &&
           dense_eigenvectors(out->n, out->A, out->re, out->im, out->shape_re, out->shape_im);
}

static bool linear_open(linear *l)
{
    turn_search *t = &l->t;
    reduction *r = &t->r;
    l->n_place = r->n_named + r->n_held;
    l->n = l->n_place + r->n_freedom + r->n_z;
    size_t n = (size_t)l->n;
    l->place = calloc(2 * n + 2, sizeof *l->place);
    l->v0 = calloc((size_t)r->n + 6 * n + 1, sizeof *l->v0);
    if (!l->place || !l->v0) {
        return false;
    }
    l->kept = l->place + n + 1;
    l->rate = l->v0 + r->n;
    l->column = l->rate + n;
    for (int g = 0; g < N_GROUP; g++) {
        l->group[g] = l->column + (size_t)(g + 1) * n;
    }
    for (int k = 0; k < l->n_place; k++) {
        l->place[k] = k < r->n_named ? r->named[k] : r->held[k - r->n_named];
    }
    return true;
}

// The turn where it stands: velocity and yaw rate are those of the body, which has to be steady.
static bi_status stand(linear *l, bi_report *report)
{
    turn_search *t = &l->t;
    t->rate = vec3_dot(t->twist[t->body].ang, t->up);
    memcpy(l->v0, t->r.v0, (size_t)t->r.n * sizeof *l->v0);
    bool turns = fabs(t->rate) > 1e-9 * t->speed;
    l->centre = turns ? turn_centre(t) : t->pose[t->body].pos;
    l->drift = vec3_scale(turns ? 0.0 : t->speed, t->ahead);
    if (!turns) {
        t->rate = 0.0;
    }
    if (!sample(l, OF_RATE, 0, 0.0)) {
        return BI_SINGULAR;
    }
    double worst = largest(l->rate + l->n_place, t->r.n_freedom), most = 1e-6 * fmax(1.0, t->speed);
    if (worst > most) {
        bi_report_add(
            report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "turn",
            "the turn is not steady: something accelerates by %.3g (SI) besides it; find the steady turn "
            "first (bi_steady_turn)",
            worst);
        return BI_NOT_STEADY;
    }
    return BI_OK;
}

static bi_status linearize(linear *l, bi_turn_modes *out, bi_report *report)
{
    if (!linear_open(l)) {
        return BI_NO_MEMORY;
    }
    bi_status status = stand(l, report);
    status = status == BI_OK && !find_group(l) ? BI_SINGULAR : status;
    status = status == BI_OK && !modes_create(l, out) ? BI_NO_MEMORY : status;
    return status == BI_OK && !fill(l, out) ? BI_NOT_FINITE : status;
}

bi_status bi_turn_linearize(bi_sim *sim, const bi_turn_def *def, bi_turn_modes *out, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_status status = out ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (out) {
        *out = (bi_turn_modes){ 0 };
    }
    if (status == BI_OK && !turn_is_right(sim, def)) {
        status = BI_BAD_ARGUMENT;
    }
    if (status != BI_OK) {
        return status;
    }
    int errors = report->errors;
    linear l = { .def = def };
    status = turn_create(&l.t, sim, def, report);
    status = status == BI_OK ? linearize(&l, out, report) : status;
    turn_clear(&l.t);
    free(l.place);
    free(l.v0);
    sim->have = 0;
    if (status != BI_OK) {
        bi_turn_modes_clear(out);
        if (report->errors == errors) {
            bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "turn",
                          "the turn cannot be linearised here: %s", bi_status_text(status));
        }
    }
    bi_report_clear(&own);
    return status;
}

void bi_turn_modes_clear(bi_turn_modes *m)
{
    if (!m) {
        return;
    }
    for (int k = 0; k < m->n; k++) {
        free(m->name[k]);
    }
    free(m->name);
    free(m->A);
    *m = (bi_turn_modes){ 0 };
}
