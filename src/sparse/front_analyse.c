// SPDX-License-Identifier: MIT
// Symbolic phase of the multifrontal factor: elimination tree, supernodes, their rows.
#include "sparse/front_inner.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

static const double WORTH_DISSECTING =
    2e9; // operations; below half a second the second analysis does not pay

// Working arrays, all of n + 1 ints in one block.
typedef struct {
    int *position; // column of each original variable
    int *parent;   // elimination tree
    int *count;    // entries of each column of L
    int *node;     // supernode of each column
    int *mark;     // scratch
    int *link;     // scratch
    int *stack;    // scratch
    int *upper_start;
    int *upper_row; // (nnz)
} analysis;

static bool analysis_init(analysis *an, const pattern *pat)
{
    size_t size = (size_t)pat->n + 1;
    int *block = calloc(8 * size + (size_t)pat->nnz, sizeof *block);
    int **part[] = { &an->position, &an->parent, &an->count, &an->node,
                     &an->mark,     &an->link,   &an->stack, &an->upper_start };
    for (size_t k = 0; k < 8; k++) {
        *part[k] = block ? block + k * size : NULL;
    }
    an->upper_row = block ? block + 8 * size : NULL;
    return block != NULL;
}

// Counts become the ends of lists, which the filling walks down to the starts.
static void add_up(int n, int *start)
{
    for (int j = 0; j < n; j++) {
        start[j + 1] += start[j];
    }
}

// Entries of the permuted matrix: upper columns for the tree, lower columns with their places for the numbers.
static void permute(analysis *an, front *fac)
{
    const pattern *pat = fac->pat;
    int n = fac->n;
    for (int k = 0; k < n; k++) {
        an->position[fac->original[k]] = k;
    }
    memset(an->upper_start, 0, ((size_t)n + 1) * sizeof(int));
    memset(fac->lower_start, 0, ((size_t)n + 1) * sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        // backwards, so that the lists ascend with the entries of the pattern
        for (int j = n - 1; j >= 0; j--) {
            for (int p = pat->start[j + 1] - 1; p >= pat->start[j]; p--) {
                int a = an->position[pat->row[p]];
                int b = an->position[j];
                int low = a < b ? a : b;
                int high = a < b ? b : a;
                if (pass == 0) {
                    an->upper_start[high]++;
                    fac->lower_start[low]++;
                } else {
                    an->upper_row[--an->upper_start[high]] = low;
                    int at = --fac->lower_start[low];
                    fac->lower_row[at] = high;
                    fac->lower_entry[at] = p;
                }
            }
        }
        if (pass == 0) {
            add_up(n, an->upper_start);
            add_up(n, fac->lower_start);
        }
    }
}

// Parent of a column: row of its first entry below the diagonal (Liu).
static void find_tree(analysis *an, int n)
{
    for (int j = 0; j < n; j++) {
        an->parent[j] = -1;
        an->link[j] = -1;
        for (int p = an->upper_start[j]; p < an->upper_start[j + 1]; p++) {
            for (int i = an->upper_row[p]; i != -1 && i < j;) {
                int next = an->link[i];
                an->link[i] = j;
                if (next == -1) {
                    an->parent[i] = j;
                }
                i = next;
            }
        }
    }
}

// Reorders so that every subtree is consecutive, its root last.
static void sort_by_subtrees(analysis *an, front *fac)
{
    int n = fac->n;
    int *child = an->mark;
    int *sibling = an->link;
    int *sorted = an->count;
    for (int j = 0; j < n; j++) {
        child[j] = -1;
    }
    for (int j = n - 1; j >= 0; j--) {
        if (an->parent[j] >= 0) {
            sibling[j] = child[an->parent[j]];
            child[an->parent[j]] = j;
        }
    }
    int k = 0;
    for (int root = 0; root < n; root++) {
        int depth = an->parent[root] >= 0 ? -1 : 0;
        an->stack[0] = root;
        while (depth >= 0) {
            int j = an->stack[depth];
            if (child[j] >= 0) {
                an->stack[++depth] = child[j];
                child[j] = sibling[child[j]];
            } else {
                sorted[k++] = fac->original[j];
                depth--;
            }
        }
    }
    memcpy(fac->original, sorted, (size_t)n * sizeof(int));
}

// Row i of L is the part of the tree between its entries in A and i.
static void count_entries(analysis *an, int n)
{
    for (int i = 0; i < n; i++) {
        an->count[i] = 1;
        an->mark[i] = i;
        for (int p = an->upper_start[i]; p < an->upper_start[i + 1]; p++) {
            for (int j = an->upper_row[p]; j < i && an->mark[j] != i; j = an->parent[j]) {
                an->mark[j] = i;
                an->count[j]++;
            }
        }
    }
}

// Entries of a trapezoid of L.
static double trapezoid(double width, double below) { return 0.5 * width * (width + 1.0) + width * below; }

// Whether a supernode and the one right after it are better eliminated as one, at the price of some zeros.
static bool is_worth_joining(const supernode *a, const supernode *b)
{
    int width = a->width + b->width;
    double stored = trapezoid(width, b->below);
    double zeros = stored - trapezoid(a->width, a->below) - trapezoid(b->width, b->below);
    double share = zeros / stored;
    return width <= 8 || (width <= 24 && share < 0.5) || (width <= 64 && share < 0.1) || share < 0.03;
}

// Columns with the same rows become supernodes; a supernode joins its parent right after it where that pays.
static bool find_supernodes(analysis *an, front *fac)
{
    fac->node = malloc(((size_t)fac->n + 1) * sizeof *fac->node);
    if (!fac->node) {
        return false;
    }
    for (int j = 0; j < fac->n; j++) {
        supernode *last = fac->node + fac->n_node - 1;
        if (j > 0 && an->parent[j - 1] == j && an->count[j - 1] == an->count[j] + 1) {
            last->width++;
            last->below--;
        } else {
            fac->node[fac->n_node++] = (supernode){ .first = j, .width = 1, .below = an->count[j] - 1 };
        }
    }
    int kept = 0;
    for (int s = 0; s < fac->n_node; s++) {
        supernode next = fac->node[s];
        while (kept > 0) {
            const supernode *before = &fac->node[kept - 1];
            int root = before->first + before->width - 1;
            bool is_child = an->parent[root] >= next.first && an->parent[root] < next.first + next.width;
            if (!is_child || !is_worth_joining(before, &next)) {
                break;
            }
            next.first = before->first;
            next.width += before->width;
            kept--;
        }
        fac->node[kept++] = next;
    }
    fac->n_node = kept;
    for (int s = 0; s < kept; s++) {
        for (int k = 0; k < fac->node[s].width; k++) {
            an->node[fac->node[s].first + k] = s;
        }
    }
    return true;
}

static int compare_int(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

// Appends the rows after `last` that do not carry the stamp yet.
static int append(const int *from, int count, int last, int stamp, int *mark, int *out)
{
    int n_out = 0;
    for (int p = 0; p < count; p++) {
        if (from[p] > last && mark[from[p]] != stamp) {
            mark[from[p]] = stamp;
            out[n_out++] = from[p];
        }
    }
    return n_out;
}

// Rows of each supernode: those of A and those that its children bring.
static bool find_rows(analysis *an, front *fac)
{
    ptrdiff_t size = 0;
    for (int s = 0; s < fac->n_node; s++) {
        fac->node[s].row = size;
        size += fac->node[s].width + fac->node[s].below;
        an->stack[s] = -1; // first child
    }
    fac->row = malloc(((size_t)size + 1) * sizeof *fac->row);
    if (!fac->row) {
        return false;
    }
    int *child = an->stack;
    int *sibling = an->link;
    memset(an->mark, 0, ((size_t)fac->n + 1) * sizeof(int));
    for (int s = 0; s < fac->n_node; s++) {
        supernode *sn = &fac->node[s];
        int *own = fac->row + sn->row;
        int *below = own + sn->width;
        int last = sn->first + sn->width - 1;
        int count = 0;
        for (int k = 0; k < sn->width; k++) {
            int j = sn->first + k;
            own[k] = j;
            count +=
                append(fac->lower_row + fac->lower_start[j], fac->lower_start[j + 1] - fac->lower_start[j],
                       last, s + 1, an->mark, below + count);
        }
        for (int c = child[s]; c >= 0; c = sibling[c]) {
            const supernode *from = &fac->node[c];
            count +=
                append(fac->row + from->row + from->width, from->below, last, s + 1, an->mark, below + count);
        }
        sn->below = count;
        qsort(below, (size_t)count, sizeof(int), compare_int);
        sn->parent = count > 0 ? an->node[below[0]] : -1;
        if (sn->parent >= 0) {
            sibling[s] = child[sn->parent];
            child[sn->parent] = s;
        }
    }
    return true;
}

// Place of the numbers of each supernode, and what the factor costs.
static void place_numbers(front *fac)
{
    ptrdiff_t block = 0;
    for (int s = 0; s < fac->n_node; s++) {
        supernode *sn = &fac->node[s];
        sn->block = block;
        block += (ptrdiff_t)(sn->width + sn->below) * sn->width;
        for (int k = 0; k < sn->width; k++) {
            double m = sn->width - k + sn->below;
            fac->flops += m * m;
        }
    }
    fac->n_number = (double)block;
}

static front *create(const pattern *pat, const double *place)
{
    front *fac = calloc(1, sizeof *fac);
    analysis an = { 0 };
    size_t n = (size_t)pat->n + 1;
    if (!fac) {
        return NULL;
    }
    fac->pat = pat;
    fac->n = pat->n;
    fac->original = malloc(n * sizeof(int));
    fac->lower_start = malloc(n * sizeof(int));
    fac->lower_row = malloc(((size_t)pat->nnz + 1) * sizeof(int));
    fac->lower_entry = malloc(((size_t)pat->nnz + 1) * sizeof(int));
    fac->work = malloc(4 * n * sizeof(double));
    bool is_good = fac->original && fac->lower_start && fac->lower_row && fac->lower_entry && fac->work &&
                   analysis_init(&an, pat) &&
                   (place ? front_dissect(pat, place, fac->original)
                          : amd_order(pat->n, pat->start, pat->row, fac->original, NULL, NULL) >= AMD_OK);
    if (is_good) {
        permute(&an, fac);
        find_tree(&an, fac->n);
        sort_by_subtrees(&an, fac);
        permute(&an, fac);
        find_tree(&an, fac->n);
        count_entries(&an, fac->n);
        is_good = find_supernodes(&an, fac) && find_rows(&an, fac);
    }
    free(an.position);
    if (!is_good) {
        front_destroy(fac);
        return NULL;
    }
    place_numbers(fac);
    return fac;
}

front *front_create(const pattern *pat) { return create(pat, NULL); }

front *front_create_placed(const pattern *pat, const double *place)
{
    front *fac = create(pat, NULL);
    front *other = fac && place && fac->flops > WORTH_DISSECTING ? create(pat, place) : NULL;
    if (other && other->flops < fac->flops) {
        front *worse = fac;
        fac = other;
        other = worse;
    }
    front_destroy(other);
    return fac;
}

void front_destroy(front *fac)
{
    if (fac) {
        free(fac->node);
        free(fac->row);
        free(fac->original);
        free(fac->lower_start);
        free(fac->lower_row);
        free(fac->lower_entry);
        free(fac->number);
        free(fac->work);
        free(fac);
    }
}

double front_nnz(const front *fac) { return fac->n_number; }

double front_flops(const front *fac) { return fac->flops; }

int front_negative(const front *fac) { return fac->negative; }

int front_bad_variable(const front *fac) { return fac->bad; }
