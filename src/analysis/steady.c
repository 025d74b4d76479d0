// SPDX-License-Identifier: MIT
#include "analysis/steady.h"
#include "sparse/dense.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double acceptable(const reduction *r) { return 1e-6 * fmax(1.0, largest(r->v0, r->n)); }

static double acceptable_rate(const reduction *r) { return 1e-9 * fmax(1.0, largest(r->z0, r->n_all_z)); }

static int worst_of(const double *x, int n)
{
    int worst = 0;
    for (int i = 1; i < n; i++) {
        worst = fabs(x[i]) > fabs(x[worst]) ? i : worst;
    }
    return worst;
}

static int worst_state(const reduction *r)
{
    int worst = 0;
    for (int i = 1; i < r->n_z; i++) {
        worst = fabs(r->at.dz[r->state[i]]) > fabs(r->at.dz[r->state[worst]]) ? i : worst;
    }
    return worst;
}

// ---- the search ------------------------------------------------------------------------------------------------------

// What may move to make the motion steady, and the equations for it.
typedef struct {
    variable_kind *kind; // (count)
    int *variable;
    int count;
    int from, rows; // of the results: accelerations and rates of states, or those of states only
    double *J, *length, *right, *column; // (results * count), (count), (the larger of both), (results)
    double *slope, *miss;                // J and the right side before they are scaled and solved
    void *memory;
} search;

// Everything that may, or only the states of laws.
typedef enum { MOVE_ALL, MOVE_STATES } may_move;

static void add_unknown(search *s, variable_kind kind, int variable)
{
    s->kind[s->count] = kind;
    s->variable[s->count++] = variable;
}

// Rounding of a projection is no rate.
static bool is_still(const reduction *r, int variable)
{
    return fabs(r->v0[variable]) <= 1e-9 * fmax(1.0, largest(r->v0, r->n));
}

// States; positions at rest that are not bound, and rates that are not zero, unless the model names its coordinates:
// the height and pitch of a vehicle on its springs, the spin of its wheels (linearisation.5).
static void add_motion(search *s, const reduction *r)
{
    bool is_named = r->s->d->plan.model->n_independent > 0;
    for (int k = 0; k < r->n_held; k++) {
        if (is_still(r, r->held[k])) {
            add_unknown(s, OF_POSITION, r->held[k]);
        }
    }
    for (int f = is_named ? r->n_named : 0; f < r->n_freedom; f++) {
        int variable = r->freedom[f];
        if (!is_still(r, variable)) {
            add_unknown(s, OF_RATE, variable);
        } else if (!is_named) {
            add_unknown(s, OF_POSITION, variable);
        }
    }
}

static bool search_open(search *s, const reduction *r, may_move what)
{
    int results = result_count(r), most = r->n_z + 3 * r->n;
    *s = (search){ .kind = malloc((size_t)most * (sizeof *s->kind + sizeof *s->variable)) };
    if (!s->kind) {
        return false;
    }
    s->memory = s->kind;
    s->variable = (int *)(void *)(s->kind + most);
    for (int k = 0; k < r->n_z; k++) {
        add_unknown(s, OF_STATE, k);
    }
    if (what == MOVE_ALL) {
        add_motion(s, r);
    }
    s->from = what == MOVE_ALL ? 0 : r->n_freedom;
    s->rows = results - s->from;
    size_t rows = (size_t)results, columns = (size_t)s->count, side = rows > columns ? rows : columns;
    s->J = calloc(2 * rows * columns + columns + side + 2 * rows + 1, sizeof *s->J);
    if (!s->J) {
        return false;
    }
    s->length = s->J + rows * columns;
    s->right = s->length + columns;
    s->column = s->right + side;
    s->miss = s->column + rows;
    s->slope = s->miss + rows;
    return true;
}

static void search_close(search *s)
{
    free(s->memory);
    free(s->J);
}

static bool evaluate(reduction *r)
{
    reduction_reset(r);
    return reduction_close(r) && reduction_accelerate(r);
}

static bool is_steady(const reduction *r, const search *s)
{
    bool rests = r->n_z == 0 || fabs(r->at.dz[r->state[worst_state(r)]]) <= acceptable_rate(r);
    return rests && (s->from > 0 || largest(r->a, r->n) <= acceptable(r));
}

// Rows are of very different units, columns too: each is brought to one before it is solved. One of rounding, as of
// a body that slides without friction, is none: brought to one, it would push everything.
static void scale(search *s)
{
    double rounding = DBL_EPSILON * largest(s->J, s->rows * s->count);
    for (int i = 0; i < s->rows; i++) {
        double most = largest(&s->J[i * s->count], s->count);
        if (most < rounding) {
            memset(&s->J[i * s->count], 0, (size_t)s->count * sizeof *s->J);
            most = 0.0;
        }
        for (int k = 0; k < s->count && most > 0.0; k++) {
            s->J[i * s->count + k] /= most;
        }
        s->right[i] /= most > 0.0 ? most : 1.0;
    }
    for (int k = 0; k < s->count; k++) {
        double sum = 0.0;
        for (int i = 0; i < s->rows; i++) {
            sum += s->J[i * s->count + k] * s->J[i * s->count + k];
        }
        bool is_rounding = sqrt(sum) < DBL_EPSILON;
        s->length[k] = is_rounding ? 1.0 : sqrt(sum);
        for (int i = 0; i < s->rows; i++) {
            s->J[i * s->count + k] = is_rounding ? 0.0 : s->J[i * s->count + k] / s->length[k];
        }
    }
}

// Further than this in one pass is another motion, not this one.
static bool is_far(const reduction *r, const search *s, int k)
{
    double speed = s->kind[k] == OF_RATE ? fmax(1.0, fabs(r->v0[s->variable[k]])) : 1.0;
    return s->kind[k] != OF_STATE && fabs(s->right[k]) >= 0.1 * speed;
}

// The least corrections that do away with what is missed. What would have to go far hardly matters (how high the forks
// are, for the forces on them): it stays, and the others are asked again. False: there is no way.
static bool correct(const reduction *r, search *s)
{
    for (int left = s->count; left > 0;) {
        memcpy(s->J, s->slope, (size_t)(s->rows * s->count) * sizeof *s->J);
        memcpy(s->right, s->miss, (size_t)s->rows * sizeof *s->right);
        scale(s);
        if (dense_least_squares(s->rows, s->count, s->J, s->right, 1e-10) < 0) {
            return false;
        }
        int before = left;
        for (int k = 0; k < s->count; k++) {
            s->right[k] /= s->length[k];
            if (!isfinite(s->right[k])) {
                return false;
            }
            if (is_far(r, s, k)) {
                left--;
                for (int i = 0; i < s->rows; i++) {
                    s->slope[i * s->count + k] = 0.0;
                }
            }
        }
        if (left == before) {
            return true;
        }
    }
    return false;
}

// One pass of Newton from an evaluated state. False: there is no way.
static bool pass(reduction *r, search *s, double *work)
{
    for (int i = 0; i < s->rows; i++) {
        int k = s->from + i - r->n_freedom;
        s->miss[i] = k < 0 ? -r->y[s->from + i] : -r->at.dz[r->state[k]];
    }
    for (int k = 0; k < s->count; k++) {
        if (!derivative(r, s->kind[k], s->variable[k], work, s->column)) {
            return false;
        }
        for (int i = 0; i < s->rows; i++) {
            s->slope[i * s->count + k] = s->column[s->from + i];
        }
    }
    if (!correct(r, s)) {
        return false;
    }
    for (int k = 0; k < s->count; k++) {
        double *x = s->kind[k] == OF_RATE ? r->v0 : s->kind[k] == OF_STATE ? r->z0 : r->q0;
        x[s->kind[k] == OF_STATE ? r->state[s->variable[k]] : s->variable[k]] += s->right[k];
    }
    reduction_reset(r);
    bool ok = reduction_close(r);
    memcpy(r->q0, r->at.q, (size_t)r->n * sizeof *r->q0);
    memcpy(r->v0, r->at.v, (size_t)r->n * sizeof *r->v0);
    return ok && evaluate(r);
}

// The motion was evaluated. False: none is steady nearby; the state is the last one tried.
static bool settle(reduction *r, may_move what, double *work)
{
    enum { PASSES = 30 };
    search s;
    bool ok = search_open(&s, r, what);
    for (int k = 0; k < PASSES && ok && !is_steady(r, &s); k++) {
        ok = pass(r, &s, work);
    }
    ok = ok && is_steady(r, &s);
    search_close(&s);
    return ok;
}

// ---- what is said --------------------------------------------------------------------------------------------------------

static bi_status refuse_states(const reduction *r, bi_report *report)
{
    int worst = r->state[worst_state(r)];
    char name[200];
    reduction_state_name(r, worst, name, sizeof name);
    bi_report_add(
        report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
        "the motion is not steady: %s changes by %.4g per second and "
        "finds no rest; eigenvalues need a state in which currents, filters and integrals stand still",
        name, r->at.dz[worst]);
    return BI_NOT_STEADY;
}

static bi_status refuse_unsteady(const reduction *r, const char *when, bi_report *report)
{
    char name[128];
    int variable = worst_of(r->a, r->n);
    reduction_name(r, variable, name, sizeof name);
    bi_report_add(
        report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
        "the motion is not steady: %s accelerates by %.4g (SI)%s. Eigenvalues need a state in which all "
        "accelerations are zero: equilibrium at rest, or constant rates of coordinates that nothing "
        "depends on. %s",
        name, r->a[variable], when,
        *when ? "Shut what that leaks or flows through, by a parameter of the model, or hold it constant"
              : "Change the initial position and velocities");
    return BI_NOT_STEADY;
}

// The rate that had to change most, against its size.
static void tell_rates(const reduction *r, const double *described, bi_report *report)
{
    int worst = 0;
    double most = 0.0;
    for (int i = 0; i < r->n; i++) {
        double change = fabs(r->v0[i] - described[i]) / fmax(1.0, fabs(described[i]));
        worst = change > most ? i : worst;
        most = fmax(most, change);
    }
    if (most > 1e-6) {
        char name[128];
        reduction_name(r, worst, name, sizeof name);
        bi_report_add(
            report, BI_NOTE, BI_OK, (bi_place){ 0 }, "modes",
            "the motion described is not quite steady: the rate of %s is %.6g there instead of %.6g", name,
            r->v0[worst], described[worst]);
    }
}

// The same of the states: what begins at nothing, as a current does, is as large as it becomes.
static void tell_states(const reduction *r, const double *described, bi_report *report)
{
    int worst = -1;
    double most = 0.1;
    for (int k = 0; k < r->n_z; k++) {
        double from = described[r->state[k]], to = r->z0[r->state[k]];
        double change = fabs(to - from) / fmax(fabs(from), fabs(to));
        bool is_more = from != 0.0 && change > most;
        worst = is_more ? r->state[k] : worst;
        most = is_more ? change : most;
    }
    if (worst >= 0) {
        char name[200];
        reduction_state_name(r, worst, name, sizeof name);
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "modes",
                      "the motion described is not steady: %s is %.6g where it is, instead of %.6g", name,
                      r->z0[worst], described[worst]);
    }
}

// A third of a radian or metre further along the rates all second rates are zero, too: no symmetry hides a coordinate
// there (linearisation.4).
static bi_status require_ahead(reduction *r, bi_report *report)
{
    double fastest = largest(r->v0, r->n);
    if (!(fastest > 0.0)) {
        return BI_OK;
    }
    double ahead = 0.37 / fastest;
    reduction_reset(r);
    for (int i = 0; i < r->n; i++) {
        r->at.q[i] += ahead * r->v0[i];
    }
    r->at.t += ahead;
    double open = reduction_violation(r);
    bool ok = reduction_accelerate(r);
    r->at.t -= ahead;
    if (!ok || largest(r->a, r->n) > acceptable(r)) {
        return refuse_unsteady(r, " a moment later", report);
    }
    if (open > 1e-9 * fmax(1.0, r->st->size)) {
        char name[128];
        reduction_name(r, worst_of(r->v0, r->n), name, sizeof name);
        bi_report_add(
            report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
            "the motion is not steady: with the present rates the constraints open by %.3g a moment later "
            "(the fastest coordinate is %s); eigenvalues need constant rates",
            open, name);
        return BI_NOT_STEADY;
    }
    return BI_OK;
}

static bool return_to(reduction *r, const double *described)
{
    memcpy(r->q0, described, (size_t)r->n * sizeof *r->q0);
    memcpy(r->v0, described + r->n, (size_t)r->n * sizeof *r->v0);
    memcpy(r->z0, described + 2 * (size_t)r->n, (size_t)r->n_all_z * sizeof *r->z0);
    return evaluate(r);
}

// The state that changed most of its own size where the search for rest ended; "": none did.
static void name_restless(const reduction *r, char *text, size_t size)
{
    double most = 1e-6;
    *text = '\0';
    for (int k = 0; k < r->n_z; k++) {
        int i = r->state[k];
        double change = fabs(r->at.dz[i]) / fabs(r->z0[i]);
        if (fabs(r->z0[i]) > 1e3 * r->s->d->plan.state[i].least && change > most) {
            char name[200];
            reduction_state_name(r, i, name, sizeof name);
            snprintf(text, size, "; what finds no rest is %s, which changes by %.3g of itself per second",
                     name, change);
            most = change;
        }
    }
}

// The described motion again, its states at rest if they find one: what accelerates then is told.
static bi_status refuse(reduction *r, const double *described, double *work, bi_report *report)
{
    char restless[300];
    name_restless(r, restless, sizeof restless);
    if (!return_to(r, described)) {
        return BI_SINGULAR;
    }
    if (!settle(r, MOVE_STATES, work) && !return_to(r, described)) {
        return BI_SINGULAR;
    }
    return largest(r->a, r->n) > acceptable(r) ? refuse_unsteady(r, restless, report)
                                               : refuse_states(r, report);
}

static bi_status refuse_strayed(const reduction *r, bi_report *report)
{
    int which = reduction_strayed(r);
    char name[200];
    reduction_state_name(r, which, name, sizeof name);
    bi_report_add(report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
                  "the motion is not steady: %s finds no rest near %.4g, where it is (only at %.3g). Does it "
                  "empty or fill, as a "
                  "battery does? Hold it constant",
                  name, r->z_first[which], r->z0[which]);
    return BI_NOT_STEADY;
}

bi_status steady_find(reduction *r, double *work, bi_report *report)
{
    reduction_reset(r);
    if (!reduction_close(r)) {
        return BI_CANNOT_ASSEMBLE;
    }
    memcpy(r->q0, r->at.q, (size_t)r->n * sizeof *r->q0);
    memcpy(r->v0, r->at.v, (size_t)r->n * sizeof *r->v0);
    if (!reduction_accelerate(r)) {
        return BI_SINGULAR;
    }
    double *described = malloc((2 * (size_t)r->n + (size_t)r->n_all_z + 1) * sizeof *described);
    if (!described) {
        return BI_NO_MEMORY;
    }
    memcpy(described, r->q0, (size_t)r->n * sizeof *described);
    memcpy(described + r->n, r->v0, (size_t)r->n * sizeof *described);
    memcpy(described + 2 * (size_t)r->n, r->z0, (size_t)r->n_all_z * sizeof *described);
    bi_status status = BI_OK;
    bool is_found = settle(r, MOVE_ALL, work);
    if (is_found && reduction_strayed(r) >= 0) {
        status = refuse_strayed(r, report);
    } else if (is_found) {
        tell_rates(r, described + r->n, report);
        tell_states(r, described + 2 * (size_t)r->n, report);
        status = require_ahead(r, report);
    } else {
        status = refuse(r, described, work, report);
    }
    free(described);
    return status;
}
