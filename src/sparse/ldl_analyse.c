// SPDX-License-Identifier: MIT
// Symbolic phase of the factor: ordering, elimination tree, panels, all places; once per pattern.
#include "base/check.h"
#include "sparse/ldl_panel.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifndef BI_RUNS_ONLY
#include <suitesparse/amd.h>
#endif

// Working arrays of the analysis, all of n + 1 ints in one block except the neighbours.
typedef struct {
    int n;
    int *order;     // original variable of each column
    int *position;  // column of each original variable
    int *start;     // neighbours of each column: neighbour[start[j] .. start[j + 1])
    int *parent;    // elimination tree, -1 at a root
    int *count;     // entries of each column of L, diagonal included
    int *group;     // group of each column
    int *first;     // first column of each group
    int *width;     // columns of each group
    int *below;     // rows below each group
    int *above;     // parent of each group, -1 at a root
    int *merged;    // group that a group became part of, itself if none
    int *mark;      // scratch
    int *link;      // scratch
    int *neighbour; // neighbours, both triangles, no diagonal
    int n_group;
} analysis;

static bool analysis_init(analysis *an, const pattern *pat)
{
    int **part[] = { &an->order, &an->position, &an->start, &an->parent, &an->count, &an->group, &an->first,
                     &an->width, &an->below,    &an->above, &an->merged, &an->mark,  &an->link };
    size_t n_part = sizeof part / sizeof part[0];
    size_t size = (size_t)pat->n + 1;
    *an = (analysis){ .n = pat->n };
    int *block = calloc(n_part * size, sizeof *block);
    an->neighbour = malloc((2 * (size_t)pat->nnz + 1) * sizeof *an->neighbour);
    if (!block || !an->neighbour) {
        free(block);
        free(an->neighbour);
        return false;
    }
    for (size_t i = 0; i < n_part; i++) {
        *part[i] = block + i * size;
    }
    return true;
}

static void analysis_free(analysis *an)
{
    free(an->order);
    free(an->neighbour);
}

// Neighbours of each column in the present order.
static void find_neighbours(analysis *an, const pattern *pat)
{
    int n = an->n;
    for (int j = 0; j < n; j++) {
        an->position[an->order[j]] = j;
    }
    memset(an->start, 0, ((size_t)n + 1) * sizeof *an->start);
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < n; j++) {
            for (int p = pat->start[j]; p < pat->start[j + 1] - 1; p++) {
                int a = an->position[pat->row[p]];
                int b = an->position[j];
                if (pass == 0) {
                    an->start[a]++;
                    an->start[b]++;
                } else {
                    an->neighbour[--an->start[a]] = b;
                    an->neighbour[--an->start[b]] = a;
                }
            }
        }
        // counts become ends; the second pass walks the ends down to the starts
        for (int j = 0; pass == 0 && j < n; j++) {
            an->start[j + 1] += an->start[j];
        }
    }
}

// Elimination tree: the parent of a column is the row of its first entry below the diagonal (Liu).
static void find_tree(analysis *an)
{
    int *ancestor = an->link;
    for (int j = 0; j < an->n; j++) {
        an->parent[j] = -1;
        ancestor[j] = -1;
        for (int p = an->start[j]; p < an->start[j + 1]; p++) {
            int i = an->neighbour[p];
            while (i != -1 && i < j) {
                int next = ancestor[i];
                ancestor[i] = j;
                if (next == -1) {
                    an->parent[i] = j;
                }
                i = next;
            }
        }
    }
}

// Reorders so that every subtree is consecutive, its root last.
static void sort_by_subtrees(analysis *an)
{
    int n = an->n;
    int *child = an->mark;
    int *sibling = an->link;
    int *sorted = an->count;
    int *stack = an->group;
    for (int j = 0; j < n; j++) {
        child[j] = -1;
    }
    for (int j = n - 1; j >= 0; j--) {
        int parent = an->parent[j];
        if (parent >= 0) {
            sibling[j] = child[parent];
            child[parent] = j;
        }
    }
    int k = 0;
    for (int root = 0; root < n; root++) {
        if (an->parent[root] >= 0) {
            continue;
        }
        int depth = 0;
        stack[0] = root;
        while (depth >= 0) {
            int j = stack[depth];
            if (child[j] >= 0) {
                stack[++depth] = child[j];
                child[j] = sibling[child[j]];
            } else {
                sorted[k++] = an->order[j];
                depth--;
            }
        }
    }
    memcpy(an->order, sorted, (size_t)n * sizeof *sorted);
}

// Entries of each column: row i of L is the part of the tree between its entries in A and i.
static void count_entries(analysis *an)
{
    for (int i = 0; i < an->n; i++) {
        an->count[i] = 1;
        an->mark[i] = i;
        for (int p = an->start[i]; p < an->start[i + 1]; p++) {
            for (int j = an->neighbour[p]; j < i && an->mark[j] != i; j = an->parent[j]) {
                an->mark[j] = i;
                an->count[j]++;
            }
        }
    }
}

// Groups neighbouring columns with the same rows.
static void find_groups(analysis *an)
{
    an->n_group = 0;
    for (int j = 0; j < an->n; j++) {
        bool is_same = j > 0 && an->parent[j - 1] == j && an->count[j - 1] == an->count[j] + 1;
        if (!is_same) {
            an->first[an->n_group] = j;
            an->width[an->n_group++] = 0;
        }
        int g = an->n_group - 1;
        an->group[j] = g;
        an->width[g]++;
        an->below[g] = an->count[j] - 1;
    }
    for (int g = 0; g < an->n_group; g++) {
        int parent = an->parent[an->first[g] + an->width[g] - 1];
        an->above[g] = parent < 0 ? -1 : an->group[parent];
        an->merged[g] = g;
    }
}

// Width of the panel cut off next from the remaining columns of a group: nearly equal ones.
static int next_width(int width)
{
    int n_part = (width + PANEL_WIDTH - 1) / PANEL_WIDTH;
    return (width + n_part - 1) / n_part;
}

// Instructions of one factor and one solve spent on a group: a fit to callgrind counts. It decides only which groups
// are merged, that is the speed, not the result.
static double group_cost(int width, int below)
{
    double cost = 0.0;
    while (width > 0) {
        int w = next_width(width);
        int r = width - w + below;
        double pairs = 0.25 * r * (r + 2.0);
        double eliminate = w * (40.0 + 2.0 * w + r) + 0.75 * w * w * (r + 0.5 * w);
        double update = r * (12.0 + 3.0 * w) + pairs * (3.0 * w + 7.0);
        double solve = r * (3.0 * w + 10.0) + w * (12.0 + 3.5 * w);
        cost += 50.0 + eliminate + update + solve;
        width -= w;
    }
    return cost;
}

// Joins a group to the one above it where working on some zeros is cheaper than working on two groups.
static void merge_groups(analysis *an)
{
    for (int g = 0; g < an->n_group; g++) {
        int p = an->above[g];
        // all groups below g have been offered to it already, so its width is final; p's width grows
        if (p >= 0) {
            double apart = group_cost(an->width[g], an->below[g]) + group_cost(an->width[p], an->below[p]);
            if (group_cost(an->width[g] + an->width[p], an->below[p]) <= apart) {
                an->width[p] += an->width[g];
                an->merged[g] = p;
            }
        }
    }
    // follow the merges to the group that remains
    for (int g = an->n_group - 1; g >= 0; g--) {
        an->merged[g] = an->merged[an->merged[g]];
    }
}

// Reorders so that the columns of merged groups are consecutive, and drops the groups that are no more.
static void sort_by_groups(analysis *an)
{
    int *next = an->link;
    int *sorted = an->count;
    int column = 0;
    int n_kept = 0;
    for (int g = 0; g < an->n_group; g++) {
        if (an->merged[g] == g) {
            next[g] = column;
            an->first[n_kept] = column;
            an->width[n_kept] = an->width[g];
            an->below[n_kept] = an->below[g];
            column += an->width[n_kept];
            n_kept++;
        }
    }
    for (int j = 0; j < an->n; j++) {
        sorted[next[an->merged[an->group[j]]]++] = an->order[j];
    }
    memcpy(an->order, sorted, (size_t)an->n * sizeof *sorted);
    an->n_group = n_kept;
    for (int g = 0; g < n_kept; g++) {
        for (int j = an->first[g]; j < an->first[g] + an->width[g]; j++) {
            an->group[j] = g;
        }
    }
}

static int compare_int(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

// Appends the rows after `last` that are not marked with `stamp` yet.
static int append_rows(const int *from, int count, int last, int stamp, int *mark, int *out)
{
    int n_out = 0;
    for (int p = 0; p < count; p++) {
        int i = from[p];
        if (i > last && mark[i] != stamp) {
            mark[i] = stamp;
            out[n_out++] = i;
        }
    }
    return n_out;
}

// The row list of each group: its own columns, the rows below, the spare row n. Gives the lists' starts in `list`.
static bool find_rows(analysis *an, ldl *fac, int *list)
{
    size_t size = 0;
    for (int g = 0; g < an->n_group; g++) {
        list[g] = (int)size;
        size += (size_t)an->width[g] + (size_t)an->below[g] + 1;
        if (size > INT_MAX) {
            return false;
        }
    }
    fac->row = malloc((size + 1) * sizeof *fac->row);
    if (!fac->row) {
        return false;
    }
    int *child = an->parent;
    int *sibling = an->count;
    for (int g = 0; g < an->n_group; g++) {
        child[g] = -1;
    }
    memset(an->mark, 0, ((size_t)an->n + 1) * sizeof *an->mark);

    for (int g = 0; g < an->n_group; g++) {
        int *row = fac->row + list[g];
        int last = an->first[g] + an->width[g] - 1;
        int *below = row + an->width[g];
        int n_below = 0;
        // rows of A, and rows that the groups eliminated before bring along
        for (int j = an->first[g]; j <= last; j++) {
            *row++ = j;
            const int *from = an->neighbour + an->start[j];
            n_below +=
                append_rows(from, an->start[j + 1] - an->start[j], last, g + 1, an->mark, below + n_below);
        }
        for (int c = child[g]; c >= 0; c = sibling[c]) {
            const int *from = fac->row + list[c] + an->width[c];
            n_below += append_rows(from, an->below[c], last, g + 1, an->mark, below + n_below);
        }
        BI_ASSERT(n_below == an->below[g]);
        qsort(below, (size_t)n_below, sizeof *below, compare_int);
        below[n_below] = an->n;
        if (n_below > 0) {
            int above = an->group[below[0]];
            sibling[g] = child[above];
            child[above] = g;
        }
    }
    return true;
}

// Cuts the groups into panels and gives each panel its block of numbers; `owner` is the panel of each column.
static bool cut_panels(const analysis *an, ldl *fac, const int *list, int *owner)
{
    fac->panel = malloc(((size_t)an->n + 1) * sizeof *fac->panel);
    if (!fac->panel) {
        return false;
    }
    ptrdiff_t block = 0;
    ptrdiff_t nnz = 0;
    for (int g = 0; g < an->n_group; g++) {
        int done = 0;
        while (done < an->width[g]) {
            panel *pan = &fac->panel[fac->n_panel];
            int w = next_width(an->width[g] - done);
            pan->first = an->first[g] + done;
            pan->width = w;
            pan->below = an->width[g] - done - w + an->below[g];
            pan->stride = w + pan->below + 1;
            pan->row = list[g] + done + w;
            pan->block = block;
            const int *row = fac->row + pan->row;
            pan->is_contiguous = pan->below == 0 || row[pan->below - 1] - row[0] == pan->below - 1;
            for (int j = pan->first; j < pan->first + w; j++) {
                owner[j] = fac->n_panel;
            }
            block += (ptrdiff_t)w * pan->stride;
            nnz += (ptrdiff_t)w * (w + 1) / 2 + (ptrdiff_t)w * pan->below;
            done += w;
            fac->n_panel++;
        }
    }
    fac->n_number = (size_t)block;
    fac->nnz_factor = (int)nnz;
    return block <= INT_MAX;
}

// Doubles an array until it has room for `needed` items.
static bool make_room(void **array, size_t item, size_t needed, size_t *capacity)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t wanted = 2 * needed + 64;
    void *grown = realloc(*array, wanted * item);
    if (!grown) {
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

// Local rows in panel `to` of the rows from[0 .. count], the last being the spare one; both lists ascend.
static void find_places(const ldl *fac, const panel *to, const int *from, int count, int *place)
{
    const int *row = fac->row + to->row - to->width;
    int local = 0;
    for (int b = 0; b <= count; b++) {
        while (row[local] != from[b]) {
            local++;
        }
        place[b] = local;
    }
}

// For each panel, where its products go.
static bool find_targets(ldl *fac, const int *owner)
{
    size_t target_capacity = 0;
    size_t place_capacity = 0;
    size_t n_target = 0;
    size_t n_place = 0;
    for (int p = 0; p < fac->n_panel; p++) {
        panel *pan = &fac->panel[p];
        const int *row = fac->row + pan->row;
        pan->target_begin = (int)n_target;
        for (int a = 0; a < pan->below;) {
            int count = pan->below - a;
            void *target_array = fac->target;
            void *place_array = fac->place;
            bool is_roomy = make_room(&target_array, sizeof(target), n_target + 1, &target_capacity);
            fac->target = target_array;
            is_roomy = is_roomy &&
                       make_room(&place_array, sizeof(int), n_place + (size_t)count + 1, &place_capacity);
            fac->place = place_array;
            if (!is_roomy || n_place > INT_MAX - (size_t)count - 1) {
                return false;
            }
            const panel *later = &fac->panel[owner[row[a]]];
            int *place = fac->place + n_place;
            find_places(fac, later, row + a, count, place);
            target *to = &fac->target[n_target++];
            *to =
                (target){ .begin = a, .stride = later->stride, .block = later->block, .index = (int)n_place };
            while (a < pan->below && row[a] < later->first + later->width) {
                a++;
            }
            to->end = a;
            // consecutive places need no list: the block then starts at the first diagonal entry
            if (place[count - 1] - place[0] == count - 1) {
                to->index = -1;
                to->block += (ptrdiff_t)place[0] * later->stride + place[0];
            } else {
                n_place += (size_t)count + 1;
            }
        }
        pan->target_end = (int)n_target;
    }
    fac->n_target = (int)n_target;
    return true;
}

// Places of the entries of A and of the pivots.
static bool find_scatter(const analysis *an, ldl *fac, const pattern *pat, const int *owner)
{
    size_t n = (size_t)an->n;
    fac->original = malloc((n + 1) * sizeof *fac->original);
    fac->diagonal = malloc((n + 1) * sizeof *fac->diagonal);
    fac->pivot = malloc((n + 1) * sizeof *fac->pivot);
    fac->scatter = malloc(((size_t)pat->nnz + 1) * sizeof *fac->scatter);
    if (!fac->original || !fac->diagonal || !fac->pivot || !fac->scatter) {
        return false;
    }
    memcpy(fac->original, an->order, n * sizeof *fac->original);
    for (int j = 0; j < pat->n; j++) {
        for (int p = pat->start[j]; p < pat->start[j + 1]; p++) {
            int a = an->position[pat->row[p]];
            int b = an->position[j];
            int column = a < b ? a : b;
            int row = a < b ? b : a;
            const panel *pan = &fac->panel[owner[column]];
            const int *list = fac->row + pan->row - pan->width;
            const int *found =
                bsearch(&row, list, (size_t)(pan->width + pan->below), sizeof row, compare_int);
            fac->scatter[p] =
                (int)(pan->block + (ptrdiff_t)(column - pan->first) * pan->stride + (found - list));
        }
        int diagonal = pat->start[j + 1] - 1;
        fac->diagonal[an->position[j]] = diagonal;
        fac->pivot[j] = fac->scatter[diagonal];
    }
    return true;
}

// Places that start as zero: fill-in and the spare row of every column.
static bool find_blanks(ldl *fac)
{
    size_t n_pivot = (size_t)fac->n;
    size_t n_blank = (size_t)fac->nnz_factor + n_pivot - (size_t)fac->nnz;
    char *is_filled = calloc(fac->n_number + 1, 1);
    fac->blank = malloc((n_blank + 4) * sizeof *fac->blank);
    if (!is_filled || !fac->blank) {
        free(is_filled);
        return false;
    }
    for (int p = 0; p < fac->nnz; p++) {
        is_filled[fac->scatter[p]] = 1;
    }
    for (int p = 0; p < fac->n_panel; p++) {
        const panel *pan = &fac->panel[p];
        for (int j = 0; j < pan->width; j++) {
            for (int i = j; i < pan->stride; i++) {
                ptrdiff_t place = pan->block + (ptrdiff_t)j * pan->stride + i;
                if (!is_filled[place]) {
                    fac->blank[fac->n_blank++] = (int)place;
                }
            }
        }
    }
    // round up by repeating the last one
    while (fac->n_blank % 4 != 0) {
        fac->blank[fac->n_blank] = fac->blank[fac->n_blank - 1];
        fac->n_blank++;
    }
    free(is_filled);
    return true;
}

// An order of elimination that leaves few entries.
static bool find_order(const pattern *pat, int *order)
{
#ifdef BI_RUNS_ONLY // sources of an FMU run what was compiled before: whoever compiles has AMD
    (void)pat;
    (void)order;
    return false;
#else
    return amd_order(pat->n, pat->start, pat->row, order, NULL, NULL) >= AMD_OK;
#endif
}

static bool analyse(analysis *an, const pattern *pat, ldl *fac)
{
    if (!find_order(pat, an->order)) {
        return false;
    }
    find_neighbours(an, pat);
    find_tree(an);
    sort_by_subtrees(an);
    find_neighbours(an, pat);
    find_tree(an);
    count_entries(an);
    find_groups(an);
    merge_groups(an);
    sort_by_groups(an);
    find_neighbours(an, pat);

    int *list = an->above;
    int *owner = an->link;
    return find_rows(an, fac, list) && cut_panels(an, fac, list, owner) && find_targets(fac, owner) &&
           find_scatter(an, fac, pat, owner) && find_blanks(fac);
}

ldl *ldl_create(const pattern *pat)
{
    ldl *fac = calloc(1, sizeof *fac);
    analysis an;
    if (!fac || !analysis_init(&an, pat)) {
        free(fac);
        return NULL;
    }
    fac->n = pat->n;
    fac->nnz = pat->nnz;
    bool is_good = analyse(&an, pat, fac);
    analysis_free(&an);
    if (!is_good) {
        ldl_destroy(fac);
        return NULL;
    }
    return fac;
}

void ldl_shape(const ldl *fac, int *order, int *start, int *row)
{
    int count = 0;
    for (int p = 0; p < fac->n_panel; p++) {
        const panel *pan = &fac->panel[p];
        for (int j = 0; j < pan->width; j++) {
            start[pan->first + j] = count;
            for (int i = j; i < pan->width; i++) {
                row[count++] = pan->first + i;
            }
            for (int i = 0; i < pan->below; i++) {
                row[count++] = fac->row[pan->row + i];
            }
        }
    }
    start[fac->n] = count;
    memcpy(order, fac->original, (size_t)fac->n * sizeof *order);
}

void ldl_destroy(ldl *fac)
{
    if (!fac) {
        return;
    }
    free(fac->original);
    free(fac->diagonal);
    free(fac->scatter);
    free(fac->blank);
    free(fac->panel);
    free(fac->target);
    free(fac->row);
    free(fac->place);
    free(fac->pivot);
    free(fac);
}
