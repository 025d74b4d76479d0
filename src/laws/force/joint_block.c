// SPDX-License-Identifier: MIT
#include "laws/force/joint_block.h"
#include <string.h>

joint_block joint_block_plan(plan *p, int marker, signal_use use)
{
    int list[1 + JOINT_BLOCK_PARTIALS] = { marker }, n = 1;
    joint_block out = { .partial = use.first,
                        .count = use.count < JOINT_BLOCK_PARTIALS ? use.count : JOINT_BLOCK_PARTIALS };
    for (int k = 0; k < out.count; k++) {
        const signal_partial *s = &p->partial[use.first + k];
        int column = 0;
        while (column < n && list[column] != s->marker) {
            column++;
        }
        if (column == n) {
            list[n++] = s->marker;
        }
        out.column[k] = column;
        out.is_rate[k] = s->is_rate;
    }
    out.width = n;
    out.block = plan_block(p, list, n);
    return out;
}

void joint_block_write(const joint_block *b, const signals *u, double gain, double damping, load *out)
{
    double *K = &out->K[b->block], *C = &out->C[b->block];
    memset(K, 0, (size_t)b->width * sizeof *K);
    memset(C, 0, (size_t)b->width * sizeof *C);
    C[0] = damping;
    for (int k = 0; k < b->count; k++) {
        double slope = gain * u->partial[b->partial + k];
        (b->is_rate[k] ? C : K)[b->column[k]] -= slope;
    }
}
