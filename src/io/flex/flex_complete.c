// SPDX-License-Identifier: MIT
// Static modes follow from joints, forces and constraints, which are read after the bodies: a mesh is kept until the
// model is known, and reduced again where the mechanism holds more than its list says.
#include "io/flex/flex_exact.h"
#include "io/flex/flex_split.h"
#include <stdlib.h>
#include <string.h>

struct reader_mesh {
    int32_t body; // the first piece
    int n_piece;
    flex_mesh mesh;
};

static bool has_modes(const bi_flex_def *def)
{
    return def->n_boundary > 0 || def->n_normal > 0 || def->up_to > 0.0 || def->has_weight_modes;
}

static bool build(reader *r, const yaml_node *at, const char *where, const flex_mesh *m, int n_piece,
                  flex_pieces *out)
{
    if (n_piece > 1) {
        return flex_split_build(r, at, where, m, n_piece, out);
    }
    bi_flex_def def = m->def;
    def.n_normal = m->is_draft ? 1 : def.n_normal;
    out->flex[0] = flex_cached(&def, r->watch, r->report);
    out->n = out->flex[0] != NULL;
    return out->n > 0;
}

bool flex_build(reader *r, const yaml_node *at, const char *where, flex_mesh *m, int n_piece,
                flex_pieces *out)
{
    struct reader_mesh *all = realloc(r->mesh, ((size_t)r->n_mesh + 1) * sizeof *all);
    if (!all) {
        return false;
    }
    r->mesh = all;
    struct reader_mesh *own = &all[r->n_mesh++];
    m->def.name = blocks_text(&m->names, m->def.name, strlen(m->def.name));
    *own = (struct reader_mesh){ .n_piece = n_piece, .mesh = *m };
    *m = (flex_mesh){ 0 };
    own->mesh.is_draft = !has_modes(&own->mesh.def);
    return own->mesh.def.name && build(r, at, where, &own->mesh, n_piece, out);
}

void flex_of_body(reader *r, bi_body body) { r->mesh[r->n_mesh - 1].body = body.i; }

// The node of the whole that a node of a piece is; -1: none.
static int node_of_whole(const reader *r, const struct reader_mesh *own, int piece, int node)
{
    if (own->n_piece == 1) {
        return node;
    }
    bi_vec3 shift = reader_piece_start(r, (bi_body){ own->body }, piece);
    bi_vec3 at = bi_flex_mesh(bi_model_flex(r->model, (bi_body){ own->body + piece }))->node[node].at;
    double distance;
    return flex_nearest_node(&own->mesh, (bi_vec3){ at.x + shift.x, at.y + shift.y, at.z + shift.z },
                             &distance);
}

// All that the mechanism holds of the pieces, as nodes of the whole.
static int collect(const reader *r, const struct reader_mesh *own, bi_flex_boundary *list, int most)
{
    int n = 0;
    for (int k = 0; k < own->n_piece; k++) {
        int count = bi_model_holds(r->model, (bi_body){ own->body + k }, list + n, most - n);
        for (int i = n; i < n + count; i++) {
            list[i].node = node_of_whole(r, own, k, list[i].node);
        }
        n += count;
    }
    return n;
}

// The first reduction told the doubts: only mistakes are new.
static bool build_again(reader *r, struct reader_mesh *own, flex_pieces *out)
{
    bi_report said = { 0 }, *report = r->report;
    r->report = &said;
    bool is_good = build(r, r->root, own->mesh.def.name, &own->mesh, own->n_piece, out);
    r->report = report;
    for (int k = 0; k < said.count; k++) {
        const bi_issue *i = &said.issue[k];
        if (i->severity == BI_ERROR) {
            bi_report_add(report, i->severity, i->code, i->place, i->where, "%s", i->what);
        }
    }
    bi_report_clear(&said);
    return is_good;
}

static void complete(reader *r, struct reader_mesh *own)
{
    bi_flex_def *def = &own->mesh.def;
    size_t most = (size_t)def->mesh.n_node + (size_t)own->n_piece;
    bi_flex_boundary *hold = calloc(most, sizeof *hold);
    bi_flex_boundary *list = calloc(most + (size_t)def->n_boundary, sizeof *list);
    flex_pieces *out = calloc(1, sizeof *out);
    if (hold && list && out) {
        int count = collect(r, own, hold, (int)most);
        bool is_more = bi_flex_hold(def, list, hold, count) || own->mesh.is_draft;
        own->mesh.is_draft = false;
        if (is_more && build_again(r, own, out)) {
            for (int k = 0; k < out->n; k++) {
                bi_body_reduce(r->model, (bi_body){ own->body + k }, out->flex[k]);
            }
        }
    }
    free(hold);
    free(list);
    free(out);
}

void flex_complete(reader *r)
{
    // with mistakes nothing will be run, and what is held is not known
    for (int k = 0; k < r->n_mesh && r->report->errors == 0; k++) {
        if (r->mesh[k].body > 0) {
            complete(r, &r->mesh[k]);
        }
    }
}

void flex_forget(reader *r)
{
    for (int k = 0; k < r->n_mesh; k++) {
        flex_mesh_free(&r->mesh[k].mesh);
    }
    free(r->mesh);
    flex_exact_forget(r);
}
