// SPDX-License-Identifier: MIT
// From what a finite-element file says to a mesh: numbers become places, tetrahedra get their middles, sets are sorted.
#include "io/fe/fe_source.h"
#include <stdlib.h>
#include <string.h>

static int compare_numbered(const void *a, const void *b)
{
    const fe_numbered *x = a;
    const fe_numbered *y = b;
    if (x->number != y->number) {
        return x->number < y->number ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

int32_t fe_find(const fe_numbered *list, int count, int64_t number)
{
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && list[low].number == number ? list[low].place : -1;
}

// Numbers of the nodes in order; the same number twice is reported.
static fe_numbered *index_nodes(fe_source *in)
{
    int n = in->mesh.n_node;
    fe_numbered *list = malloc(((size_t)n + 1) * sizeof *list);
    if (!list) {
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        list[i] = (fe_numbered){ in->mesh.node[i].number, i };
    }
    qsort(list, (size_t)n, sizeof *list, compare_numbered);
    for (int i = 1; i < n; i++) {
        if (list[i].number == list[i - 1].number) {
            const bi_fe_node *first = &in->mesh.node[list[i - 1].place];
            fe_complain_at(in, in->mesh.node[list[i].place].place.line,
                           "node %lld is there twice, first in line %d; number each node once",
                           (long long)list[i].number, first->place.line);
        }
    }
    return list;
}

fe_numbered *fe_index_elements(const fe_source *in)
{
    fe_numbered *list = malloc(((size_t)in->n_raw + 1) * sizeof *list);
    for (int i = 0; list && i < in->n_raw; i++) {
        list[i] = (fe_numbered){ in->raw[i].def.number, i };
    }
    if (list) {
        qsort(list, (size_t)in->n_raw, sizeof *list, compare_numbered);
    }
    return list;
}

static void resolve_elements(fe_source *in, const fe_numbered *list)
{
    for (int k = 0; k < in->n_raw; k++) {
        fe_raw *raw = &in->raw[k];
        for (int i = 0; i < raw->n_node; i++) {
            int32_t place = fe_find(list, in->mesh.n_node, raw->node[i]);
            if (place < 0) {
                fe_complain_at(in, raw->def.place.line,
                               "element %lld names node %lld, which the file does not have",
                               (long long)raw->def.number, (long long)raw->node[i]);
                place = 0;
            }
            raw->def.node[i] = place;
            for (int j = 0; j < i && raw->def.kind != BI_FE_LINK; j++) {
                if (raw->node[j] == raw->node[i]) {
                    fe_complain_at(in, raw->def.place.line,
                                   "element %lld names node %lld twice; collapsed elements "
                                   "are not taken: mesh with tetrahedra there",
                                   (long long)raw->def.number, (long long)raw->node[i]);
                    break;
                }
            }
        }
    }
}

// ---- middles of edges --------------------------------------------------------------------------------------------

typedef struct {
    int32_t a, b;   // ends, a < b
    int32_t middle; // -1: not made yet
} edge;

static int compare_edge(const void *x, const void *y)
{
    const edge *p = x;
    const edge *q = y;
    if (p->a != q->a) {
        return p->a < q->a ? -1 : 1;
    }
    if (p->b != q->b) {
        return p->b < q->b ? -1 : 1;
    }
    return (p->middle < q->middle) - (p->middle > q->middle); // known middles first
}

static const int tet_edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
static const int wedge_edge[9][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 },
                                      { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } };

// Corners and edges of elements that get middles; 0: of others.
static int corners_of(const fe_raw *raw)
{
    return raw->def.kind == BI_FE_TET10 ? 4 : raw->def.kind == BI_FE_WEDGE15 ? 6 : 0;
}

static int edges_of(const fe_raw *raw)
{
    return raw->def.kind == BI_FE_TET10 ? 6 : raw->def.kind == BI_FE_WEDGE15 ? 9 : 0;
}

static edge edge_of(const fe_raw *raw, int k)
{
    const int *end = raw->def.kind == BI_FE_TET10 ? tet_edge[k] : wedge_edge[k];
    int32_t a = raw->def.node[end[0]];
    int32_t b = raw->def.node[end[1]];
    bool is_full = raw->n_node > corners_of(raw);
    return (edge){ a < b ? a : b, a < b ? b : a, is_full ? raw->def.node[corners_of(raw) + k] : -1 };
}

// Tetrahedra of four corners, and wedges of six, are far too stiff: they become ones of ten and fifteen with straight
// edges.
static bool add_middles(fe_source *in)
{
    edge *list = malloc(((size_t)in->n_raw * 9 + 1) * sizeof *list);
    int count = 0;
    if (!list) {
        return false;
    }
    int64_t highest = 0;
    for (int i = 0; i < in->mesh.n_node; i++) {
        highest = in->mesh.node[i].number > highest ? in->mesh.node[i].number : highest;
    }
    for (int k = 0; k < in->n_raw; k++) {
        for (int e = 0; e < edges_of(&in->raw[k]); e++) {
            list[count++] = edge_of(&in->raw[k], e);
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_edge);
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (kept == 0 || list[k].a != list[kept - 1].a || list[k].b != list[kept - 1].b) {
            list[kept++] = list[k];
        }
    }
    for (int k = 0; k < kept && !in->is_full && in->n_complaint == 0; k++) {
        if (list[k].middle < 0) {
            const bi_vec3 p = in->mesh.node[list[k].a].at;
            const bi_vec3 q = in->mesh.node[list[k].b].at;
            double s = 0.5 / in->units.length;
            list[k].middle = in->mesh.n_node;
            fe_add_node(in, ++highest, s * (p.x + q.x), s * (p.y + q.y), s * (p.z + q.z));
        }
    }
    int first = 0;
    int n_plain = 0;
    for (int k = 0; k < in->n_raw && !in->is_full && in->n_complaint == 0; k++) {
        fe_raw *raw = &in->raw[k];
        if (corners_of(raw) == 0 || raw->n_node != corners_of(raw)) {
            continue;
        }
        first = n_plain++ == 0 ? raw->def.place.line : first;
        for (int e = 0; e < edges_of(raw); e++) {
            edge wanted = edge_of(raw, e);
            int low = 0;
            int high = kept;
            while (low + 1 < high) {
                int middle = low + (high - low) / 2;
                bool is_after =
                    list[middle].a > wanted.a || (list[middle].a == wanted.a && list[middle].b > wanted.b);
                low = is_after ? low : middle;
                high = is_after ? middle : high;
            }
            raw->def.node[corners_of(raw) + e] = list[low].middle;
        }
        raw->n_node = corners_of(raw) + edges_of(raw);
    }
    if (n_plain > 0) {
        fe_warn(in, first,
                "%d tetrahedra of 4 or wedges of 6 nodes are far too stiff: each got middles on its straight "
                "edges; "
                "mesh with 10 or 15 nodes to follow curved faces",
                n_plain);
    }
    free(list);
    return true;
}

// ---- leave out what no element uses, sets ----------------------------------------------------------------------

static int32_t *drop_unused(fe_source *in)
{
    int n = in->mesh.n_node;
    int32_t *place = malloc(((size_t)n + 1) * sizeof *place);
    if (!place) {
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        place[i] = -1;
    }
    for (int k = 0; k < in->n_raw; k++) {
        for (int i = 0; i < in->raw[k].n_node; i++) {
            place[in->raw[k].def.node[i]] = 0;
        }
    }
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (place[i] == 0) {
            in->mesh.node[kept] = in->mesh.node[i];
            place[i] = kept++;
        }
    }
    in->mesh.n_node = kept;
    for (int k = 0; k < in->n_raw; k++) {
        for (int i = 0; i < in->raw[k].n_node; i++) {
            in->raw[k].def.node[i] = place[in->raw[k].def.node[i]];
        }
    }
    return place;
}

static int compare_place(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// Numbers of a set become sorted places, each once; those that are not there are left out.
static bool make_set(fe_source *in, const fe_raw_set *raw, const fe_numbered *list, int count,
                     const int32_t *place, bi_fe_set *out)
{
    int32_t *item = blocks_new(&in->memory, ((size_t)raw->count + 1) * sizeof *item);
    int n = 0;
    for (int k = 0; item && k < raw->count; k++) {
        int32_t at = fe_find(list, count, raw->item[k]);
        at = at >= 0 && place ? place[at] : at;
        if (at >= 0) {
            item[n++] = at;
        }
    }
    if (!item) {
        return false;
    }
    qsort(item, (size_t)n, sizeof *item, compare_place);
    int kept = 0;
    for (int k = 0; k < n; k++) {
        if (kept == 0 || item[k] != item[kept - 1]) {
            item[kept++] = item[k];
        }
    }
    *out = (bi_fe_set){ raw->name, kept, item };
    return true;
}

static bool make_sets(fe_source *in, const fe_numbered *node, int n_node, const int32_t *place,
                      const fe_numbered *element, bi_fe_file *out)
{
    out->node_set = blocks_new(&in->memory, ((size_t)in->n_node_set + 1) * sizeof *out->node_set);
    out->element_set = blocks_new(&in->memory, ((size_t)in->n_element_set + 1) * sizeof *out->element_set);
    bool is_good = out->node_set && out->element_set;
    for (int k = 0; is_good && k < in->n_node_set; k++) {
        bi_fe_set *set = &out->node_set[out->n_node_set++];
        is_good = make_set(in, &in->node_set[k], node, n_node, place, set);
        if (is_good && set->count == 1 && !in->mesh.node[set->item[0]].name) {
            in->mesh.node[set->item[0]].name = set->name;
        }
    }
    for (int k = 0; is_good && k < in->n_element_set; k++) {
        is_good = make_set(in, &in->element_set[k], element, in->n_raw, NULL,
                           &out->element_set[out->n_element_set++]);
    }
    return is_good;
}

static bool make_elements(fe_source *in)
{
    in->mesh.element = malloc(((size_t)in->n_raw + 1) * sizeof *in->mesh.element);
    for (int k = 0; in->mesh.element && k < in->n_raw; k++) {
        in->mesh.element[k] = in->raw[k].def;
    }
    in->mesh.n_element = in->mesh.element ? in->n_raw : 0;
    return in->mesh.element != NULL;
}

bool fe_finish(fe_source *in, bi_fe_file *out)
{
    fe_numbered *node = index_nodes(in);
    fe_numbered *element = fe_index_elements(in);
    int32_t *place = NULL;
    int n_node = in->mesh.n_node;
    bool has_memory = node && element;
    if (has_memory && in->n_raw == 0 && in->n_complaint == 0) {
        fe_complain_at(in, 1, "there are no elements in it that Biela knows");
    }
    if (has_memory && in->n_complaint == 0) {
        resolve_elements(in, node);
    }
    if (has_memory && in->has_plain_tets && in->n_complaint == 0) {
        has_memory = add_middles(in);
    }
    if (has_memory && in->n_complaint == 0 && !in->is_full) {
        place = drop_unused(in);
        has_memory = place && make_elements(in) && make_sets(in, node, n_node, place, element, out);
    }
    free(node);
    free(element);
    free(place);
    if (!has_memory) {
        fe_complain_at(in, 1, "no memory for the mesh");
    }
    return in->n_complaint == 0 && !in->is_full;
}
