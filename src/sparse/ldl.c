// SPDX-License-Identifier: MIT
// Columns of L with the same rows are grouped into panels of at most 8 columns, stored as full blocks, so
// that the numeric phase works on short contiguous columns with the sums over a panel held in registers. What
// is stored is U = L D (lower triangle of each panel); L itself is never formed: with g_k = 1 / d_k
//     a_ij -= sum_k U_ik (U_jk g_k).
// Every column ends with one spare zero, so that loops may always take two rows at a time.
#include "sparse/ldl.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

#define PANEL_WIDTH 8 // 8 broadcast factors, 1 sum and 1 product fit the 16 vector registers of x86-64

// Part of the rows below a panel that are columns of one later panel.
typedef struct {
    int begin;       // these rows, counted from the first row below the panel: begin <= a < end
    int end;         //
    int stride;      // distance of columns in the later panel
    int index;       // start in `place` of the local rows in the later panel of the rows begin.. and the
                     // spare one, or -1 if these local rows are consecutive
    ptrdiff_t block; // start of the later panel in the numbers, plus the local row if consecutive
} target;

// Consecutive columns with common rows.
typedef struct {
    int first;          // first column
    int width;          // columns, <= PANEL_WIDTH
    int below;          // rows below the diagonal block
    int stride;         // distance of columns: width + below + 1 (spare)
    int row;            // start in `row` of the rows below and the spare one, which is n
    int target_begin;   // targets of this panel
    int target_end;     //
    bool is_contiguous; // the rows below follow one another
    ptrdiff_t block;    // start in the numbers
} panel;

struct ldl {
    int n;            // order of the matrix
    int nnz;          // entries of the pattern
    int n_panel;      // panels
    int n_target;     // targets
    int nnz_factor;   // entries of the factor
    size_t n_number;  // doubles in all panels
    int *original;    // original variable of each column                       (n)
    int *diagonal;    // entry of the pattern with the diagonal of each column  (n)
    int *scatter;     // place in the numbers of each entry of the pattern      (nnz)
    int n_blank;      // places to clear, a multiple of 4
    int *blank;       // places in the numbers that are read but not in A       (n_blank)
    panel *panel;     // in order of elimination                                (n_panel)
    target *target;   // in order of the panels                                 (n_target)
    int *row;         // columns of the factor that the rows below panels are
    int *place;       // local rows in the targets
    ptrdiff_t *pivot; // place in the numbers of the pivot of each original variable (n)
};

// Symbolic phase: compile time.

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

// Instructions of one factor and one solve spent on a group: a fit to callgrind counts. It decides only which
// groups are merged, that is the speed, not the result.
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

// The row list of each group: its own columns, the rows below, the spare row n. Gives the lists' starts in
// `list`.
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
        assert(n_below == an->below[g]);
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

static bool analyse(analysis *an, const pattern *pat, ldl *fac)
{
    if (amd_order(pat->n, pat->start, pat->row, an->order, NULL, NULL) < AMD_OK) {
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

// Numeric phase: everything below runs inside the step.

// Two neighbouring rows. Against a scalar up-looking factor with prepared row patterns, callgrind counts of
// one factor: chain of 1203 variables 257k -> 155k, mechanism of 293 144k -> 62k, full 60 x 60 394k -> 91k.
typedef double pair __attribute__((vector_size(16)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

ALWAYS_INLINE pair pair_load(const double *p)
{
    pair v;
    memcpy(&v, p, sizeof v);
    return v;
}

ALWAYS_INLINE void pair_store(double *p, pair v) { memcpy(p, &v, sizeof v); }

// out[0 .. count) -= sum_k factor_k column_k[0 .. count), two rows at a time.
ALWAYS_INLINE void subtract_columns(int width, const double *column, ptrdiff_t stride, const double *factor,
                                    int count, double *out)
{
    pair f[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        f[k] = (pair){ factor[k], factor[k] };
    }
    for (ptrdiff_t b = 0; b < count; b += 2) {
        pair sum = f[0] * pair_load(column + b);
        UNROLL
        for (int k = 1; k < width; k++) {
            sum += f[k] * pair_load(column + k * stride + b);
        }
        pair_store(out + b, pair_load(out + b) - sum);
    }
}

// The same with the rows of out given by an index.
ALWAYS_INLINE void subtract_columns_at(int width, const double *column, ptrdiff_t stride,
                                       const double *factor, int count, const int *index, double *out)
{
    pair f[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        f[k] = (pair){ factor[k], factor[k] };
    }
    for (ptrdiff_t b = 0; b < count; b += 2) {
        pair sum = f[0] * pair_load(column + b);
        UNROLL
        for (int k = 1; k < width; k++) {
            sum += f[k] * pair_load(column + k * stride + b);
        }
        double *out0 = out + index[b];
        double *out1 = out + index[b + 1];
        pair value = (pair){ *out0, *out1 } - sum;
        *out0 = value[0];
        *out1 = value[1];
    }
}

// One row of L: its entries of U by the inverse pivots.
ALWAYS_INLINE void panel_multipliers(int width, const double *row, ptrdiff_t stride, const double *inverse,
                                     double *factor)
{
    UNROLL
    for (int k = 0; k < width; k++) {
        factor[k] = row[k * stride] * inverse[k];
    }
}

// Factors the columns of one panel; gives the first local column with a bad pivot, or width.
ALWAYS_INLINE int panel_eliminate(int width, const ldl *fac, const panel *pan, const double *val,
                                  double pivot_tolerance, double *numeric, double *inverse)
{
    double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    const int *diagonal = fac->diagonal + pan->first;
    UNROLL
    for (int j = 0; j < width; j++) {
        double *column = block + j * stride + j;
        double factor[PANEL_WIDTH];
        if (j > 0) {
            panel_multipliers(j, block + j, stride, inverse, factor);
            subtract_columns(j, block + j, stride, factor, width + pan->below - j, column);
        }
        double d = column[0];
        if (!(d > pivot_tolerance * val[diagonal[j]] && d <= DBL_MAX)) {
            return j;
        }
        inverse[j] = 1.0 / d;
    }
    return width;
}

// Subtracts the products of one panel from the later columns.
ALWAYS_INLINE void panel_update(int width, const ldl *fac, const panel *pan, double *numeric,
                                const double *inverse)
{
    const double *below = numeric + pan->block + width;
    ptrdiff_t stride = pan->stride;
    double g[PANEL_WIDTH];
    double factor[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        g[k] = inverse[k];
    }
    for (int t = pan->target_begin; t < pan->target_end; t++) {
        const target *to = &fac->target[t];
        double *out = numeric + to->block;
        const double *column = below + to->begin;
        const double *end = below + to->end;
        int count = pan->below - to->begin;
        if (to->index < 0) {
            for (; column < end; column++, count--) {
                panel_multipliers(width, column, stride, g, factor);
                subtract_columns(width, column, stride, factor, count, out);
                out += to->stride + 1;
            }
        } else {
            const int *place = fac->place + to->index;
            for (; column < end; column++, count--) {
                panel_multipliers(width, column, stride, g, factor);
                subtract_columns_at(width, column, stride, factor, count, place,
                                    out + (ptrdiff_t)*place * to->stride);
                place++;
            }
        }
    }
}

ALWAYS_INLINE int panel_factor(int width, const ldl *fac, const panel *pan, const double *val,
                               double pivot_tolerance, double *numeric)
{
    double *inverse = numeric + fac->n_number + pan->first;
    int good = panel_eliminate(width, fac, pan, val, pivot_tolerance, numeric, inverse);
    if (good == width) {
        panel_update(width, fac, pan, numeric, inverse);
    }
    return good;
}

// One body for each width, so that the compiler sees constants; `call` uses the name `width`.
#define FOR_WIDTH(w, call)                                                                                   \
    case w: {                                                                                                \
        enum { width = w };                                                                                  \
        call;                                                                                                \
        break;                                                                                               \
    }
#define FOR_EACH_WIDTH(w, call)                                                                              \
    switch (w) {                                                                                             \
        FOR_WIDTH(1, call)                                                                                   \
        FOR_WIDTH(2, call)                                                                                   \
        FOR_WIDTH(3, call)                                                                                   \
        FOR_WIDTH(4, call)                                                                                   \
        FOR_WIDTH(5, call)                                                                                   \
        FOR_WIDTH(6, call)                                                                                   \
        FOR_WIDTH(7, call)                                                                                   \
        FOR_WIDTH(8, call)                                                                                   \
    }

static void load_values(const ldl *fac, const double *val, double *numeric)
{
    // a list is cheaper than clearing whole blocks: fill is rare, and the upper triangles are never read
    const int *blank = fac->blank;
    for (ptrdiff_t p = 0; p < fac->n_blank; p += 4) {
        numeric[blank[p]] = 0.0;
        numeric[blank[p + 1]] = 0.0;
        numeric[blank[p + 2]] = 0.0;
        numeric[blank[p + 3]] = 0.0;
    }
    const int *scatter = fac->scatter;
    ptrdiff_t nnz = fac->nnz;
    ptrdiff_t p = 0;
    for (; p + 4 <= nnz; p += 4) {
        numeric[scatter[p]] = val[p];
        numeric[scatter[p + 1]] = val[p + 1];
        numeric[scatter[p + 2]] = val[p + 2];
        numeric[scatter[p + 3]] = val[p + 3];
    }
    for (; p < nnz; p++) {
        numeric[scatter[p]] = val[p];
    }
}

int ldl_factor(const ldl *fac, const double *val, double *numeric, double pivot_tolerance)
{
    load_values(fac, val, numeric);
    for (int p = 0; p < fac->n_panel; p++) {
        const panel *pan = &fac->panel[p];
        int good = 0;
        FOR_EACH_WIDTH(pan->width, good = panel_factor(width, fac, pan, val, pivot_tolerance, numeric))
        if (good < pan->width) {
            return fac->original[pan->first + good];
        }
    }
    return -1;
}

// z = D^-1 L^-1 b of the columns of one panel, and its share taken off the later ones.
ALWAYS_INLINE void panel_forward(int width, const ldl *fac, const panel *pan, const double *numeric,
                                 const double *inverse, double *x)
{
    const double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    double *own = x + pan->first;
    double z[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        double sum = own[k];
        UNROLL
        for (int j = 0; j < k; j++) {
            sum -= block[j * stride + k] * z[j];
        }
        z[k] = sum * inverse[pan->first + k];
        own[k] = z[k];
    }
    const int *row = fac->row + pan->row;
    if (pan->is_contiguous) {
        subtract_columns(width, block + width, stride, z, pan->below, x + row[0]);
    } else {
        subtract_columns_at(width, block + width, stride, z, pan->below, row, x);
    }
}

// x = L^-T z of the columns of one panel from the later ones.
ALWAYS_INLINE void panel_backward(int width, const ldl *fac, const panel *pan, const double *numeric,
                                  const double *inverse, double *x)
{
    const double *block = numeric + pan->block;
    ptrdiff_t stride = pan->stride;
    const int *row = fac->row + pan->row;
    double *own = x + pan->first;
    pair sum[PANEL_WIDTH];
    UNROLL
    for (int k = 0; k < width; k++) {
        sum[k] = (pair){ 0.0, 0.0 };
    }
    // by index even where the rows are consecutive: the processor waits when it loads a pair that was just
    // stored as two numbers (chain of 1203 variables: solve 16.0 -> 13.7 us)
    for (ptrdiff_t b = 0; b < pan->below; b += 2) {
        pair known = { x[row[b]], x[row[b + 1]] };
        UNROLL
        for (int k = 0; k < width; k++) {
            sum[k] += pair_load(block + k * stride + width + b) * known;
        }
    }
    double solution[PANEL_WIDTH];
    UNROLL
    for (int i = 0; i < width; i++) {
        int k = width - 1 - i;
        double s = sum[k][0] + sum[k][1];
        UNROLL
        for (int j = width - 1; j > k; j--) {
            s += block[k * stride + j] * solution[j];
        }
        solution[k] = own[k] - inverse[pan->first + k] * s;
        own[k] = solution[k];
    }
}

void ldl_solve(const ldl *fac, double *numeric, double *b)
{
    int n = fac->n;
    const double *inverse = numeric + fac->n_number;
    double *x = numeric + fac->n_number + n;
    for (int k = 0; k < n; k++) {
        x[k] = b[fac->original[k]];
    }
    x[n] = 0.0;
    for (int p = 0; p < fac->n_panel; p++) {
        const panel *pan = &fac->panel[p];
        FOR_EACH_WIDTH(pan->width, panel_forward(width, fac, pan, numeric, inverse, x))
    }
    for (int p = fac->n_panel - 1; p >= 0; p--) {
        const panel *pan = &fac->panel[p];
        FOR_EACH_WIDTH(pan->width, panel_backward(width, fac, pan, numeric, inverse, x))
    }
    for (int k = 0; k < n; k++) {
        b[fac->original[k]] = x[k];
    }
}

size_t ldl_numeric_count(const ldl *fac)
{
    // panels | inverse pivots | permuted right-hand side and its spare entry
    return fac->n_number + 2 * (size_t)fac->n + 1;
}

double ldl_pivot(const ldl *fac, const double *numeric, int i) { return numeric[fac->pivot[i]]; }

int ldl_nnz(const ldl *fac) { return fac->nnz_factor; }
