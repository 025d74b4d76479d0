// SPDX-License-Identifier: MIT
// What a mechanism holds of a mesh joins the boundary that its user listed: lists only add.
#include "flex/mesh/assembly.h"
#include <biela/flex.h>

static bool are_parallel(vec3 a, vec3 b)
{
    return vec3_norm(vec3_cross(vec3_normalized(a), vec3_normalized(b))) <= 1e-9;
}

static void add_vector(bi_flex_boundary *b, vec3 v)
{
    for (int k = 0; k < b->n_vector; k++) {
        if (are_parallel(b->vector[k], v)) {
            return;
        }
    }
    if (b->n_vector < 2) {
        b->vector[b->n_vector++] = v;
    }
}

static void add_all_turns(bi_flex_boundary *b)
{
    add_vector(b, (vec3){ 1.0, 0.0, 0.0 });
    add_vector(b, (vec3){ 0.0, 1.0, 0.0 });
    add_vector(b, (vec3){ 0.0, 0.0, 1.0 });
}

// What is left of a hold on this mesh: the leader of a link moves by its turns, solids do not turn, and in a plane
// there is one turn.
static bi_flex_boundary in_mesh(const bi_fe_mesh *mesh, const fe_freedoms *f, const bi_flex_boundary *hold)
{
    bi_flex_boundary out = *hold;
    out.node = f->leader[hold->node];
    vec3 arm = vec3_sub(mesh->node[hold->node].at, mesh->node[out.node].at);
    if (vec3_dot(arm, arm) > 0.0) {
        add_all_turns(&out);
    }
    bool is_about_z = out.n_vector == 1 && are_parallel(out.vector[0], (vec3){ 0.0, 0.0, 1.0 });
    if ((f->is_plane && is_about_z) || !(f->mask[out.node] & FE_TURN)) {
        out.n_vector = 0;
    }
    return out;
}

static bool stands(const bi_flex_def *def, const fe_freedoms *f, int leader)
{
    for (int k = 0; k < def->n_frame; k++) {
        if (f->leader[def->frame[k]] == leader) {
            return true;
        }
    }
    return f->first[leader] < 0;
}

// Joins one hold to those that are there. Returns whether it is more than they have.
static bool join(bi_flex_boundary *list, int *n, const bi_flex_boundary *hold)
{
    bi_flex_boundary has = { .node = hold->node };
    int first = -1;
    for (int k = *n - 1; k >= 0; k--) {
        if (list[k].node == hold->node) {
            first = k;
            has.is_point = has.is_point || list[k].is_point;
            for (int i = 0; i < list[k].n_vector; i++) {
                add_vector(&has, list[k].vector[i]);
            }
        }
    }
    bi_flex_boundary all = has;
    all.is_point = true;
    for (int i = 0; i < hold->n_vector; i++) {
        add_vector(&all, hold->vector[i]);
    }
    if (first >= 0 && has.is_point && all.n_vector == has.n_vector) {
        return false;
    }
    // an axis that tilts by a tenth has a tenth of its moment about where it was: the third turn is worth a mode
    if (all.n_vector > has.n_vector) {
        add_all_turns(&all);
    }
    all.place = first >= 0 ? list[first].place : hold->place;
    list[first >= 0 ? first : (*n)++] = all;
    return true;
}

bool bi_flex_hold(bi_flex_def *def, bi_flex_boundary *list, const bi_flex_boundary *hold, int n_hold)
{
    fe_freedoms f;
    bi_report report = { 0 };
    bool is_more = false;
    if (!def || !list || !hold || !freedoms_build(&def->mesh, NULL, "", &f, &report)) {
        bi_report_clear(&report);
        return false;
    }
    int n = def->n_boundary;
    for (int k = 0; k < n; k++) {
        list[k] = def->boundary[k];
    }
    for (int k = 0; k < n_hold; k++) {
        bool is_node = hold[k].node >= 0 && hold[k].node < def->mesh.n_node;
        if (is_node && !stands(def, &f, f.leader[hold[k].node])) {
            bi_flex_boundary one = in_mesh(&def->mesh, &f, &hold[k]);
            one.place = def->place;
            is_more = join(list, &n, &one) || is_more;
        }
    }
    def->boundary = list;
    def->n_boundary = n;
    freedoms_free(&f);
    bi_report_clear(&report);
    return is_more;
}
