// SPDX-License-Identifier: MIT
// Numeric phase of the multifrontal factor: assemble, eliminate, pass the rest on; solve.
#include "base/lanes.h"
#include "sparse/front_inner.h"
#include <stdlib.h>
#include <string.h>

// Update matrices waiting for their parents, linked lists by supernode.
typedef struct {
    double **update; // (n_node)
    int *child;      // first waiting child of each supernode, -1 if none
    int *sibling;
    int *local; // local row of each row in the supernode at hand (n)
    double *pack;
} stack;

static bool stack_init(stack *st, const front *fac)
{
    size_t nodes = (size_t)fac->n_node + 1;
    int longest = 0;
    for (int s = 0; s < fac->n_node; s++) {
        int rows = fac->node[s].width + fac->node[s].below;
        longest = rows > longest ? rows : longest;
    }
    st->update = calloc(nodes, sizeof *st->update);
    st->child = malloc(2 * nodes * sizeof(int));
    st->local = malloc(((size_t)fac->n + 1) * sizeof(int));
    st->pack = malloc(2 * FRONT_BLOCK * ((size_t)longest + 8) * sizeof(double));
    if (!st->update || !st->child || !st->local || !st->pack) {
        return false;
    }
    st->sibling = st->child + nodes;
    for (int s = 0; s < fac->n_node; s++) {
        st->child[s] = -1;
    }
    return true;
}

static void stack_free(stack *st, int n_node)
{
    for (int s = 0; st->update && s < n_node; s++) {
        free(st->update[s]);
    }
    free(st->update);
    free(st->child);
    free(st->local);
    free(st->pack);
}

// Puts the entries of A into the columns of a supernode.
static void assemble_entries(const front *fac, const supernode *sn, const double *val, const int *local,
                             double *left)
{
    ptrdiff_t rows = sn->width + sn->below;
    for (int k = 0; k < sn->width; k++) {
        int j = sn->first + k;
        for (int p = fac->lower_start[j]; p < fac->lower_start[j + 1]; p++) {
            left[k * rows + local[fac->lower_row[p]]] = val[fac->lower_entry[p]];
        }
    }
}

// Adds the update matrix of a child.
static void assemble_child(const front *fac, const supernode *sn, const supernode *from, const double *update,
                           const int *local, double *left, double *right)
{
    const int *row = fac->row + from->row + from->width;
    ptrdiff_t rows = sn->width + sn->below;
    for (ptrdiff_t j = 0; j < from->below; j++) {
        ptrdiff_t to = local[row[j]];
        double *column = to < sn->width ? left + to * rows : right + (to - sn->width) * sn->below - sn->width;
        const double *value = update + j * from->below;
        for (ptrdiff_t i = j; i < from->below; i++) {
            column[local[row[i]]] += value[i];
        }
    }
}

static front_status factor_supernode(front *fac, int s, const double *val, stack *st)
{
    const supernode *sn = &fac->node[s];
    int rows = sn->width + sn->below;
    double *left = fac->number + sn->block;
    double *right = NULL;
    if (sn->below > 0) {
        right = calloc((size_t)sn->below * (size_t)sn->below, sizeof *right);
        if (!right) {
            return FRONT_MEMORY;
        }
        st->update[s] = right;
        st->sibling[s] = st->child[sn->parent];
        st->child[sn->parent] = s;
    }
    memset(left, 0, (size_t)rows * (size_t)sn->width * sizeof *left);
    for (int i = 0; i < rows; i++) {
        st->local[fac->row[sn->row + i]] = i;
    }
    assemble_entries(fac, sn, val, st->local, left);
    for (int c = st->child[s]; c >= 0; c = st->sibling[c]) {
        assemble_child(fac, sn, &fac->node[c], st->update[c], st->local, left, right);
        free(st->update[c]);
        st->update[c] = NULL;
    }
    int done = front_eliminate(rows, sn->width, left, right, st->pack);
    for (int k = 0; k < done; k++) {
        fac->negative += left[(ptrdiff_t)k * rows + k] < 0.0;
    }
    if (done < sn->width) {
        fac->bad = fac->original[sn->first + done];
        return FRONT_SINGULAR;
    }
    return FRONT_GOOD;
}

// Share of the work that a supernode is.
static double node_flops(const supernode *sn)
{
    double flops = 0.0;
    for (int k = 0; k < sn->width; k++) {
        double m = sn->width - k + sn->below;
        flops += m * m;
    }
    return flops;
}

front_status front_factor(front *fac, const double *val, front_progress *progress, void *data)
{
    stack st = { 0 };
    if (!fac->number) {
        fac->number = malloc(((size_t)fac->n_number + 1) * sizeof *fac->number);
    }
    front_status status = fac->number && stack_init(&st, fac) ? FRONT_GOOD : FRONT_MEMORY;
    double done = 0.0;
    double reported = 0.0;
    fac->negative = 0;
    fac->bad = -1;
    for (int s = 0; s < fac->n_node && status == FRONT_GOOD; s++) {
        status = factor_supernode(fac, s, val, &st);
        done += node_flops(&fac->node[s]);
        if (progress && status == FRONT_GOOD && done > reported + 0.02 * fac->flops) {
            reported = done;
            status = progress(data, done / fac->flops) ? FRONT_GOOD : FRONT_STOPPED;
        }
    }
    stack_free(&st, fac->n_node);
    return status;
}

// Four right-hand sides at one row.
typedef double quad __attribute__((vector_size(32)));

// L Y = B and D Z = Y, four right-hand sides at a time, interleaved.
LANES static void forward(const front *fac, double *x)
{
    for (int s = 0; s < fac->n_node; s++) {
        const supernode *sn = &fac->node[s];
        int rows = sn->width + sn->below;
        const int *row = fac->row + sn->row;
        for (int k = 0; k < sn->width; k++) {
            const double *column = fac->number + sn->block + (ptrdiff_t)k * rows;
            double *own = x + 4 * (ptrdiff_t)(sn->first + k);
            quad y;
            memcpy(&y, own, sizeof y);
            for (int i = k + 1; i < rows; i++) {
                double *to = x + 4 * (ptrdiff_t)row[i];
                quad out;
                memcpy(&out, to, sizeof out);
                out -= column[i] * y;
                memcpy(to, &out, sizeof out);
            }
            y /= column[k];
            memcpy(own, &y, sizeof y);
        }
    }
}

// L^T X = Z.
LANES static void backward(const front *fac, double *x)
{
    for (int s = fac->n_node - 1; s >= 0; s--) {
        const supernode *sn = &fac->node[s];
        int rows = sn->width + sn->below;
        const int *row = fac->row + sn->row;
        for (int k = sn->width - 1; k >= 0; k--) {
            const double *column = fac->number + sn->block + (ptrdiff_t)k * rows;
            double *own = x + 4 * (ptrdiff_t)(sn->first + k);
            quad y;
            memcpy(&y, own, sizeof y);
            for (int i = k + 1; i < rows; i++) {
                quad from;
                memcpy(&from, x + 4 * (ptrdiff_t)row[i], sizeof from);
                y -= column[i] * from;
            }
            memcpy(own, &y, sizeof y);
        }
    }
}

void front_solve(front *fac, int count, double *B)
{
    int n = fac->n;
    for (int c = 0; c < count; c += 4) {
        int width = count - c < 4 ? count - c : 4;
        double *b = B + (ptrdiff_t)c * n;
        for (int k = 0; k < n; k++) {
            for (int r = 0; r < 4; r++) {
                fac->work[4 * (ptrdiff_t)k + r] = r < width ? b[(ptrdiff_t)r * n + fac->original[k]] : 0.0;
            }
        }
        forward(fac, fac->work);
        backward(fac, fac->work);
        for (int k = 0; k < n; k++) {
            for (int r = 0; r < width; r++) {
                b[(ptrdiff_t)r * n + fac->original[k]] = fac->work[4 * (ptrdiff_t)k + r];
            }
        }
    }
}
