// SPDX-License-Identifier: MIT
// What the mechanism looks like to the solver: rank, degrees of freedom, redundancy by name, recommended scheme.
#include "analysis/named_count.h"
#include "sim/system.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// directions that differ by less than this are one: far above rounding, far below any angle of a drawing
static const double rank_tolerance = 1e-8;
// beyond this many rows times variables the dense analysis would keep the user waiting
static const double too_large = 3e7;

// Rows of the coordinates first, so that what is redundant is told of the joints.
static int row_at(const structure *st, const dynamics *d, int k)
{
    int n_constraint = d->plan.n_row, n_own = st->n_row - n_constraint;
    return k < n_own ? n_constraint + k : k - n_own;
}

// Rows of constraints are of the order of one, or of lengths of the mechanism: one as small as that against the others
// or its size is what rounding left of columns that cancel, and holds nothing.
static void clear_rounding(int m, int n, double size, double *A)
{
    static const double rounding = 1e-14;
    double most = fmax(largest(A, m * n), fmin(size, 1.0));
    for (int r = 0; r < m; r++) {
        double *row = &A[(size_t)r * (size_t)n];
        if (largest(row, n) <= rounding * most) {
            memset(row, 0, (size_t)n * sizeof *row);
        }
    }
}

static double *dense_rows(const dynamics *d, const double *G)
{
    const structure *st = &d->structure;
    double *A = calloc((size_t)st->n_row * (size_t)st->n + 1, sizeof *A);
    for (int k = 0; A && k < st->n_row; k++) {
        int r = row_at(st, d, k);
        for (int i = st->G_start[r]; i < st->G_start[r + 1]; i++) {
            A[(size_t)k * (size_t)st->n + (size_t)st->G_col[i]] += G[i];
        }
    }
    if (A) {
        clear_rounding(st->n_row, st->n, st->size, A);
    }
    return A;
}

typedef struct {
    char *text;
    size_t size, length;
    int count;
} name_list;

static void list_name(name_list *l, const char *name)
{
    // rows of one constraint need not stand together
    size_t n = strlen(name);
    for (const char *at = strstr(l->text, name); at; at = strstr(at + 1, name)) {
        if ((at == l->text || at[-1] == ' ') && (at[n] == '\0' || at[n] == ',')) {
            return;
        }
    }
    l->count++;
    int wrote = snprintf(l->text + l->length, l->size - l->length, "%s%s", l->length > 0 ? ", " : "", name);
    l->length += wrote > 0 && (size_t)wrote < l->size - l->length ? (size_t)wrote : 0;
}

// A row whose multiplier can change without changing the motion: it has a part in the left null space.
static void note_not_unique(const dynamics *d, const double *G, const double *memory, bi_report *report)
{
    const structure *st = &d->structure;
    double *A = dense_rows(d, G), *At = calloc((size_t)st->n_row * (size_t)st->n + 1, sizeof *At);
    double *Z = malloc((size_t)st->n_row * (size_t)st->n_row * sizeof *Z);
    char text[700] = "";
    name_list names = { text, sizeof text, 0, 0 };
    if (A && At && Z) {
        for (int r = 0; r < st->n_row; r++) {
            for (int i = 0; i < st->n; i++) {
                At[(size_t)i * (size_t)st->n_row + (size_t)r] = A[(size_t)r * (size_t)st->n + (size_t)i];
            }
        }
        int k = dense_null_space(st->n, st->n_row, At, rank_tolerance, Z);
        for (int r = 0; k > 0 && r < st->n_row; r++) {
            double part = largest(&Z[(size_t)r * (size_t)k], k);
            if (part > 1e-6 && dynamics_row_holds(d, memory, row_at(st, d, r))) {
                char name[128];
                dynamics_row_name(d, row_at(st, d, r), name, sizeof name);
                list_name(&names, name);
            }
        }
    }
    if (names.count > 0) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "reactions",
                      "not unique, because constraints share them: %s", text);
    }
    free(A);
    free(At);
    free(Z);
}

static bool find_rank(bi_sim *sim, bi_info *out, bi_report *report)
{
    const dynamics *d = &sim->system->dynamics;
    const structure *st = &d->structure;
    const double *G = sim->stepper.trays.equations.G;
    if ((double)st->n_row * st->n > too_large) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "rank", "not computed: %d rows are too many",
                      st->n_row);
        out->rank = out->degrees_of_freedom = out->redundant = -1;
        return true;
    }
    double *A = dense_rows(d, G);
    int *dependent = calloc((size_t)st->n_row + 1, sizeof *dependent);
    if (!A || !dependent) {
        free(A);
        free(dependent);
        return false;
    }
    out->rank = dense_rank(st->n_row, st->n, A, rank_tolerance, dependent);
    int n_row = st->n_row;
    for (int r = 0; r < st->n_row; r++) {
        n_row -= !dynamics_row_holds(d, sim->stepper.now.memory, r);
    }
    out->redundant = n_row - out->rank;
    out->degrees_of_freedom = st->n - out->rank;
    char text[700] = "";
    name_list names = { text, sizeof text, 0, 0 };
    for (int k = 0; k < st->n_row; k++) {
        if (dependent[k] && dynamics_row_holds(d, sim->stepper.now.memory, row_at(st, d, k))) {
            char name[128];
            dynamics_row_name(d, row_at(st, d, k), name, sizeof name);
            list_name(&names, name);
        }
    }
    if (names.count > 0) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "redundant",
                      "%d redundant constraints (harmless): %s", out->redundant, text);
        // the null space is cubic in the rows: for mechanisms one looks at in detail
        if (st->n_row <= 400) {
            note_not_unique(d, G, sim->stepper.now.memory, report);
        }
    }
    free(A);
    free(dependent);
    return true;
}

// How freely a mechanism moves, and what of its joints is redundant, does not depend on coordinates; natural ones have
// rows of their own that only keep them together. So at the start joint coordinates tell it, whose rows are those of
// loops and constraints alone.
static bool find_freedom(bi_sim *sim, bi_info *out, bi_report *report)
{
    bi_sim *other =
        sim->system->options.coordinates == BI_NATURAL && sim->step == 0 ? sim_in_joints(sim) : NULL;
    bi_report quiet = { 0 };
    bool ok;
    if (other && bi_sim_start(other, &quiet) == BI_OK) {
        bi_info there = { 0 };
        sim_show(other, SHOWN_STATE);
        ok = find_rank(other, &there, report);
        out->degrees_of_freedom = there.degrees_of_freedom;
        out->redundant = there.redundant;
        out->rank = there.degrees_of_freedom >= 0 ? out->variables - there.degrees_of_freedom : -1;
    } else {
        ok = find_rank(sim, out, report);
    }
    bi_report_clear(&quiet);
    sim_in_joints_destroy(other);
    return ok;
}

static void recommend(bi_sim *sim, bi_info *out)
{
    stepper *s = &sim->stepper;
    double dt = sim->system->options.dt, frequency = 0.0, decay = 0.0;
    out->recommended = BI_ALI3P;
    if (s->d->has_contact) {
        out->reason = "contact changes the forces abruptly";
        return;
    }
    if (s->d->plan.n_memory > 0) {
        out->reason = "some laws and constraints switch: their forces change abruptly";
        return;
    }
    // explicit rules on points and vectors lose (turn per step)^6 / 144 of the energy in each step (verdict.2)
    if (s->d->structure.n_frame > 0 && stepper_spin(s).rate * dt > 0.1) {
        out->reason = "a body turns far in a step, which explicit steps in natural coordinates do not follow";
        return;
    }
    stepper_fastest(s, &sim->shown, &frequency, &decay);
    // Runge-Kutta 4 is stable to about 2.8; one radian per step is where it is still accurate
    if (frequency * dt > 1.0 || decay * dt > 1.0) {
        out->reason = "stiff laws: the fastest motion is shorter than a step";
        return;
    }
    out->recommended = BI_INDEX1_RK4;
    out->reason = s->d->plan.n_block > 0 ? "no law is stiff at this step" : "no law has stiffness";
}

bi_status bi_sim_info(bi_sim *sim, bi_info *out, bi_report *report)
{
    bi_status refused = out ? sim_refuse(sim) : BI_BAD_ARGUMENT;
    if (refused != BI_OK) {
        return refused;
    }
    const bi_system *s = sim->system;
    const structure *st = &s->dynamics.structure;
    sim_show(sim, SHOWN_STATE);
    *out = (bi_info){ .bodies = s->model->n_body - 1,
                      .joints = s->model->n_joint,
                      .variables = st->n,
                      .constraints = st->n_row,
                      .nonzeros_tangent = st->tangent.nnz,
                      .nonzeros_factor = solver_nnz(s->fac) };
    for (int r = 0; r < st->n_row; r++) {
        out->velocity_constraints += st->is_velocity[r];
    }
    if (!find_freedom(sim, out, report)) {
        return BI_NO_MEMORY;
    }
    named_count(s->model, report);
    recommend(sim, out);
    sim->have = 0;
    return BI_OK;
}
