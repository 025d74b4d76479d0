// SPDX-License-Identifier: MIT
#include "state/structure.h"
#include <stdlib.h>
#include <string.h>

void structure_clear(structure *s)
{
    free(s->G_start);
    free(s->G_col);
    free(s->run);
    free(s->place);
    free(s->span);
    free(s->alike);
    free(s->is_velocity);
    free(s->light);
    free(s->row_owner);
    free(s->variable_owner);
    free(s->variable_entity);
    pattern_free(&s->tangent);
    free(s->pair_start);
    free(s->pair);
    free(s->q0);
    free(s->v0);
    free(s->site_start);
    free(s->site_col);
    free(s->marker_q);
    free(s->floating);
    free(s->chart0);
    *s = (structure){ 0 };
}

// A flexible body with many modes makes long ones.
static bool find_runs(structure *s)
{
    enum { SHORT = 12 };
    s->run = calloc(2 * (size_t)s->n_row + 1, sizeof *s->run);
    for (int r = 0; s->run && r < s->n_row; r++) {
        for (int k = s->G_start[r], next; k < s->G_start[r + 1]; k = next) {
            next = k + 1;
            while (next < s->G_start[r + 1] && s->G_col[next] == s->G_col[next - 1] + 1) {
                next++;
            }
            if (next - k >= SHORT && next - k > s->run[2 * r + 1]) {
                s->run[2 * r] = k - s->G_start[r];
                s->run[2 * r + 1] = next - k;
            }
        }
    }
    return s->run != NULL;
}

// Their squares go to the tangent together. Short ones have loops of their own.
static bool find_alike(structure *s)
{
    enum { SHORT = 6, MOST = 3 };
    s->alike = calloc((size_t)s->n_row + 1, sizeof *s->alike);
    for (int r = 0; s->alike && r < s->n_row; r++) {
        const int *start = &s->G_start[r];
        size_t length = (size_t)(start[1] - start[0]);
        int count = 1;
        while (length > SHORT && count < MOST && r + count < s->n_row &&
               (size_t)(start[count + 1] - start[count]) == length &&
               memcmp(&s->G_col[start[0]], &s->G_col[start[count]], length * sizeof *s->G_col) == 0) {
            count++;
        }
        s->alike[r] = count;
    }
    return s->alike != NULL;
}

bool structure_add_site(structure *s, const int *col, int count)
{
    int first = s->n_site > 0 ? s->site_start[s->n_site] : 0;
    int *start = realloc(s->site_start, ((size_t)s->n_site + 2) * sizeof *start);
    s->site_start = start ? start : s->site_start;
    int *all = realloc(s->site_col, ((size_t)first + (size_t)count + 1) * sizeof *all);
    s->site_col = all ? all : s->site_col;
    if (!start || !all) {
        return false;
    }
    start[0] = s->n_site > 0 ? start[0] : 0;
    memcpy(all + first, col, (size_t)count * sizeof *all);
    start[++s->n_site] = first + count;
    return true;
}

bool structure_finish(structure *s, pattern_builder *builder)
{
    if (!find_runs(s) || !structure_order_rows(s) || !find_alike(s)) {
        return false;
    }
    for (int r = 0; r < s->n_row; r++) {
        pattern_add_clique(builder, s->G_start[r + 1] - s->G_start[r], &s->G_col[s->G_start[r]]);
    }
    s->pair_start = malloc(((size_t)s->n_row + 1) * sizeof *s->pair_start);
    if (!s->pair_start || !pattern_build(builder, &s->tangent)) {
        return false;
    }
    size_t total = 0;
    for (int r = 0; r < s->n_row; r++) {
        size_t k = (size_t)(s->G_start[r + 1] - s->G_start[r]);
        s->pair_start[r] = (int)total;
        total += k * (k + 1) / 2;
    }
    s->pair_start[s->n_row] = (int)total;
    s->pair = malloc((total + 1) * sizeof *s->pair);
    if (!s->pair) {
        return false;
    }
    int at = 0;
    for (int r = 0; r < s->n_row; r++) {
        for (int i = s->G_start[r]; i < s->G_start[r + 1]; i++) {
            for (int j = s->G_start[r]; j <= i; j++) {
                s->pair[at++] = pattern_find(&s->tangent, s->G_col[i], s->G_col[j]);
            }
        }
    }
    return true;
}
