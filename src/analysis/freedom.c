// SPDX-License-Identifier: MIT
// How freely a mechanism moves, and which joints and constraints hold more than they need to.
#include "analysis/freedom.h"
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

// The mark of the joint or element that a row belongs to; NULL: neither, or nobody asks.
static freedom_mark *mark_of(freedom_marks *marks, const dynamics *d, int row)
{
    int group = d->structure.row_owner[row].group;
    const row_group *g = group >= 0 ? &d->plan.row[group] : NULL;
    if (!marks || !g) {
        return NULL;
    }
    return g->joint >= 0 ? &marks->joint[g->joint] : g->element >= 0 ? &marks->element[g->element] : NULL;
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
static void note_not_unique(const dynamics *d, const double *G, const double *memory, freedom_marks *marks,
                            bi_report *report)
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
                freedom_mark *mark = mark_of(marks, d, row_at(st, d, r));
                if (mark) {
                    mark->is_shared = true;
                }
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

static bool find_rank(bi_sim *sim, bi_info *out, freedom_marks *marks, bi_report *report)
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
            freedom_mark *mark = mark_of(marks, d, row_at(st, d, k));
            if (mark) {
                mark->redundant++;
            }
        }
    }
    if (names.count > 0) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "redundant",
                      "%d redundant constraints (harmless): %s", out->redundant, text);
        // the null space is cubic in the rows: for mechanisms one looks at in detail
        if (st->n_row <= 400) {
            note_not_unique(d, G, sim->stepper.now.memory, marks, report);
        }
    }
    free(A);
    free(dependent);
    return true;
}

// How freely a mechanism moves, and what of its joints is redundant, does not depend on coordinates; natural ones have
// rows of their own that only keep them together. So at the start joint coordinates tell it, whose rows are those of
// loops and constraints alone.
bool freedom_find(bi_sim *sim, bi_info *out, freedom_marks *marks, bi_report *report)
{
    bi_sim *other =
        sim->system->options.coordinates == BI_NATURAL && sim->step == 0 ? sim_in_joints(sim) : NULL;
    bi_report quiet = { 0 };
    bool ok;
    if (other && bi_sim_start(other, &quiet) == BI_OK) {
        bi_info there = { 0 };
        sim_show(other, SHOWN_STATE);
        ok = find_rank(other, &there, marks, report);
        out->degrees_of_freedom = there.degrees_of_freedom;
        out->redundant = there.redundant;
        out->rank = there.degrees_of_freedom >= 0 ? out->variables - there.degrees_of_freedom : -1;
    } else {
        ok = find_rank(sim, out, marks, report);
    }
    bi_report_clear(&quiet);
    sim_in_joints_destroy(other);
    return ok;
}
