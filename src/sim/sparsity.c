// SPDX-License-Identifier: MIT
// Where the equations of a step have numbers, for pictures of them.
#include "sim/system.h"
#include <stdlib.h>
#include <string.h>

// Room for at least one, so that NULL always means that there is no memory.
static int *ints(int count) { return calloc((size_t)count + 1, sizeof(int)); }

bool bi_system_sparsity(const bi_system *s, bi_sparsity *out)
{
    if (!s || !out) {
        return false;
    }
    const pattern *pat = &s->dynamics.structure.tangent;
    *out = (bi_sparsity){ .n = pat->n,
                          .start = ints(pat->n + 1),
                          .row = ints(pat->nnz),
                          .order = ints(pat->n),
                          .factor_start = ints(pat->n + 1),
                          .factor_row = ints(solver_nnz(s->fac)) };
    if (!out->start || !out->row || !out->order || !out->factor_start || !out->factor_row) {
        bi_sparsity_clear(out);
        return false;
    }
    memcpy(out->start, pat->start, ((size_t)pat->n + 1) * sizeof *out->start);
    memcpy(out->row, pat->row, (size_t)pat->nnz * sizeof *out->row);
    if (!solver_shape(s->fac, out->order, out->factor_start, out->factor_row)) {
        free(out->order);
        free(out->factor_start);
        free(out->factor_row);
        out->order = out->factor_start = out->factor_row = NULL;
    }
    return true;
}

void bi_sparsity_clear(bi_sparsity *s)
{
    if (!s) {
        return;
    }
    free(s->start);
    free(s->row);
    free(s->order);
    free(s->factor_start);
    free(s->factor_row);
    *s = (bi_sparsity){ 0 };
}
