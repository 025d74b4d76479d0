// SPDX-License-Identifier: MIT
// Rows from amplitudes to stresses, as part of a description.
#include <biela/flex.h>
#include <stdlib.h>
#include <string.h>

static void *copy(const void *from, size_t size, bool *is_good)
{
    void *to = from && size > 0 ? malloc(size) : NULL;
    if (to) {
        memcpy(to, from, size);
    }
    *is_good = *is_good && (to || !from || size == 0);
    return to;
}

// Names of parts and units are constants of the program.
bi_recovery *bi_recovery_copy(const bi_recovery *from)
{
    bool is_good = true;
    bi_recovery *to = copy(from, sizeof *from, &is_good);
    if (!to) {
        return NULL;
    }
    size_t n = (size_t)from->n_point;
    to->row = copy(from->row, n * (size_t)from->n_row * (size_t)from->n_mode * sizeof *from->row, &is_good);
    to->start = copy(from->start, n * sizeof *from->start, &is_good);
    to->label = copy(from->label, n * sizeof *from->label, &is_good);
    to->node = copy(from->node, n * sizeof *from->node, &is_good);
    to->is_round = copy(from->is_round, n * sizeof *from->is_round, &is_good);
    to->axial = copy(from->axial, n * (size_t)from->axial_size * sizeof *from->axial, &is_good);
    size_t n_order = from->order ? (size_t)(from->n_point - from->n_section) : 0;
    to->order = copy(from->order, n_order * sizeof *from->order, &is_good);
    to->reach = copy(from->reach, n_order * (size_t)from->n_mode * sizeof *from->reach, &is_good);
    if (!is_good) {
        bi_recovery_destroy(to);
        return NULL;
    }
    return to;
}

void bi_recovery_destroy(bi_recovery *recovery)
{
    if (recovery) {
        free((void *)recovery->row);
        free((void *)recovery->start);
        free((void *)recovery->label);
        free((void *)recovery->is_round);
        free((void *)recovery->node);
        free((void *)recovery->axial);
        free((void *)recovery->order);
        free((void *)recovery->reach);
        free(recovery);
    }
}
