// SPDX-License-Identifier: MIT
#include "flex/mesh/assembly.h"
#include <stdlib.h>
#include <string.h>

static bool is_flat(bi_fe_kind kind)
{
    return kind == BI_FE_QUAD || kind == BI_FE_QUAD_PLAIN || kind == BI_FE_TRIANGLE;
}

// In two dimensions when asked for, and when nothing but plane elements has stiffness.
static bool mesh_is_plane(const bi_fe_mesh *mesh)
{
    bool has_flat = false, has_other = false;
    for (int k = 0; k < mesh->n_element; k++) {
        bi_fe_kind kind = mesh->element[k].kind;
        has_flat = has_flat || is_flat(kind);
        has_other = has_other || (!is_flat(kind) && kind != BI_FE_MASS && kind != BI_FE_LINK);
    }
    return mesh->is_plane || (has_flat && !has_other);
}

// Freedoms of nodes: those of their elements; masses move what is there.
static void find_masks(const bi_fe_mesh *mesh, fe_freedoms *f)
{
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        const fe_kind *kind = fe_kind_of(e->kind);
        for (int i = 0; kind && e->kind != BI_FE_MASS && i < kind->n_node; i++) {
            f->mask[e->node[i]] |= kind->freedoms;
        }
    }
}

static bool follow_links(const bi_fe_mesh *mesh, const char *name, fe_freedoms *f, bi_report *report)
{
    int errors = report->errors;
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        if (e->kind != BI_FE_LINK) {
            continue;
        }
        int leader = e->node[0], follower = e->node[1], root = leader;
        for (int hops = 0; f->leader[root] != root && hops < mesh->n_node; hops++) {
            root = f->leader[root];
        }
        if (f->leader[follower] != follower) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, name,
                          "the second node of this link follows another node already; "
                          "a node can follow one node only");
        } else if (root == follower) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, name,
                          "this link closes a ring of links: leave one of them out");
        } else {
            f->leader[follower] = leader;
        }
    }
    for (int i = 0; i < mesh->n_node; i++) {
        int root = i;
        while (f->leader[root] != root) {
            root = f->leader[root];
        }
        f->leader[i] = root;
    }
    // what leads a rigid piece turns with it
    for (int i = 0; i < mesh->n_node; i++) {
        if (f->leader[i] != i) {
            f->mask[f->leader[i]] |= FE_ALL;
        }
    }
    return report->errors == errors;
}

static void number_unknowns(fe_freedoms *f)
{
    unsigned allowed = f->is_plane ? FE_X | FE_Y | FE_RZ : FE_ALL;
    for (int i = 0; i < f->n_node; i++) {
        f->mask[i] &= allowed;
        f->first[i] = f->leader[i] == i && f->mask[i] ? f->n : -1;
        for (unsigned k = 0; f->first[i] >= 0 && k < 6; k++) {
            f->n += (int)(f->mask[i] >> k & 1u);
        }
    }
}

// The unknown of freedom k of a leader, -1: none.
static int unknown_of(const fe_freedoms *f, int node, unsigned k)
{
    if (f->first[node] < 0 || !(f->mask[node] >> k & 1u)) {
        return -1;
    }
    int index = f->first[node];
    for (unsigned j = 0; j < k; j++) {
        index += (int)(f->mask[node] >> j & 1u);
    }
    return index;
}

static void add_term(fe_terms *t, int index, double factor)
{
    if (index >= 0 && factor != 0.0) {
        t->index[t->count] = index;
        t->factor[t->count++] = factor;
    }
}

// u = u_leader + theta x arm, theta = turn^T (unknown turns)
static void write_terms(const bi_fe_mesh *mesh, fe_freedoms *f, int node)
{
    int leader = f->leader[node];
    vec3 d = vec3_sub(mesh->node[node].at, mesh->node[leader].at);
    const double arm[3][3] = { { 0.0, d.z, -d.y }, { -d.z, 0.0, d.x }, { d.y, -d.x, 0.0 } };
    const double *Q = f->turn + (ptrdiff_t)9 * leader;
    for (unsigned c = 0; c < 3; c++) {
        fe_terms *move = &f->terms[6 * node + (int)c], *turn = move + 3;
        add_term(move, unknown_of(f, leader, c), 1.0);
        for (unsigned j = 0; j < 3; j++) {
            double along = arm[c][0] * Q[3 * j] + arm[c][1] * Q[3 * j + 1] + arm[c][2] * Q[3 * j + 2];
            add_term(move, unknown_of(f, leader, 3 + j), along);
            add_term(turn, unknown_of(f, leader, 3 + j), Q[3 * j + c]);
        }
    }
}

bool freedoms_build(const bi_fe_mesh *mesh, const double *turn, const char *name, fe_freedoms *out,
                    bi_report *report)
{
    size_t n = (size_t)mesh->n_node + 1;
    *out = (fe_freedoms){ .n_node = mesh->n_node, .is_plane = mesh_is_plane(mesh) };
    out->terms = calloc(6 * n, sizeof *out->terms);
    out->leader = malloc(n * sizeof *out->leader);
    out->first = malloc(n * sizeof *out->first);
    out->mask = calloc(n, sizeof *out->mask);
    out->turn = calloc(9 * n, sizeof *out->turn);
    if (!out->terms || !out->leader || !out->first || !out->mask || !out->turn) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, name, "out of memory");
        freedoms_free(out);
        return false;
    }
    for (int i = 0; i < mesh->n_node; i++) {
        out->leader[i] = i;
        for (int k = 0; k < 9; k++) {
            out->turn[9 * i + k] = turn ? turn[9 * i + k] : k % 4 == 0;
        }
    }
    find_masks(mesh, out);
    bool is_good = follow_links(mesh, name, out, report);
    number_unknowns(out);
    for (int i = 0; i < mesh->n_node; i++) {
        write_terms(mesh, out, i);
    }
    return is_good;
}

void freedoms_free(fe_freedoms *f)
{
    free(f->terms);
    free(f->leader);
    free(f->first);
    free(f->mask);
    free(f->turn);
    *f = (fe_freedoms){ 0 };
}

const fe_terms *freedoms_of(const fe_freedoms *f, const bi_fe_mesh *mesh, int k, int a)
{
    const bi_fe_element *e = &mesh->element[k];
    const fe_kind *kind = fe_kind_of(e->kind);
    int per_node = fe_dof_count(kind) / kind->n_node, which = a % per_node, c = 0;
    for (unsigned bit = 0; bit < 6; bit++) {
        if (kind->freedoms >> bit & 1u) {
            if (which-- == 0) {
                c = (int)bit;
            }
        }
    }
    return &f->terms[6 * e->node[a / per_node] + c];
}

// ---- matrices ----------------------------------------------------------------------------------------------

static bool build_pattern(const bi_fe_mesh *mesh, const fe_freedoms *f, pattern *pat)
{
    pattern_builder builder;
    pattern_builder_init(&builder, f->n);
    for (int k = 0; k < mesh->n_element; k++) {
        const fe_kind *kind = fe_kind_of(mesh->element[k].kind);
        int index[FE_MOST_DOF * FE_MOST_TERMS], n = 0;
        for (int a = 0; kind && a < fe_dof_count(kind); a++) {
            const fe_terms *t = freedoms_of(f, mesh, k, a);
            for (int i = 0; i < t->count; i++) {
                int j = 0;
                while (j < n && index[j] != t->index[i]) {
                    j++;
                }
                index[j] = t->index[i];
                n = j == n ? n + 1 : n;
            }
        }
        pattern_add_clique(&builder, n, index);
    }
    bool is_built = pattern_build(&builder, pat);
    pattern_builder_free(&builder);
    return is_built;
}

// Adds factor at (i, j) once for each of the two halves of the symmetric matrix that i, j stand for.
static void add_entry(const pattern *pat, double *val, int i, int j, double factor)
{
    if (i <= j) {
        val[pattern_find(pat, i, j)] += factor;
    }
}

static void scatter(const bi_fe_mesh *mesh, const fe_freedoms *f, int k, int n, const double *Ke,
                    const pattern *pat, double *val)
{
    const fe_terms *t[FE_MOST_DOF];
    for (int a = 0; a < n; a++) {
        t[a] = freedoms_of(f, mesh, k, a);
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double value = Ke[a * n + b];
            for (int i = 0; value != 0.0 && i < t[a]->count; i++) {
                for (int j = 0; j < t[b]->count; j++) {
                    add_entry(pat, val, t[a]->index[i], t[b]->index[j],
                              value * t[a]->factor[i] * t[b]->factor[j]);
                }
            }
        }
    }
}

bool matrices_build(const bi_fe_mesh *mesh, const fe_freedoms *f, fe_rotary rotary, fe_matrices *out)
{
    *out = (fe_matrices){ 0 };
    double *work = malloc(FE_MOST_DOF * FE_MOST_DOF * sizeof *work);
    bool is_good = work && build_pattern(mesh, f, &out->pat);
    if (is_good) {
        out->K = calloc((size_t)out->pat.nnz + 1, sizeof *out->K);
        out->M = calloc((size_t)out->pat.nnz + 1, sizeof *out->M);
        is_good = out->K && out->M;
    }
    for (int k = 0; is_good && k < mesh->n_element; k++) {
        const fe_kind *kind = fe_kind_of(mesh->element[k].kind);
        if (kind) {
            fe_element e = fe_element_of(mesh, k);
            e.has_no_rotary = rotary == ROTARY_LEFT_OUT;
            e.is_plane = f->is_plane;
            int n = fe_dof_count(kind);
            kind->stiffness(&e, work);
            scatter(mesh, f, k, n, work, &out->pat, out->K);
            fe_mass_matrix(&e, work);
            scatter(mesh, f, k, n, work, &out->pat, out->M);
        }
    }
    free(work);
    if (!is_good) {
        matrices_free(out);
    }
    return is_good;
}

void matrices_free(fe_matrices *m)
{
    pattern_free(&m->pat);
    free(m->K);
    free(m->M);
    *m = (fe_matrices){ 0 };
}
