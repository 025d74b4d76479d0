// SPDX-License-Identifier: MIT
// Tables of the joint coordinates: markers on nodes, columns of rows and blocks.
#include "base/list.h"
#include "coordinates/joint/flexible.h"
#include "coordinates/joint/joint_mass.h"
#include "model/described.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const plan *p;
    const bi_model *model;
    joint_table *tab;
    structure *out;
    int *col, n_col, cap_col; // columns of the group at hand
    int *seat;                // position of each variable among them, -1 (n)
    int cap_G;
} compiler;

// ---- numbering -------------------------------------------------------------------------------------------------
// Flexible bodies: sums over their nodes, amplitudes behind the coordinates of the tree.
static bool create_flexible(compiler *c, int *n)
{
    joint_table *tab = c->tab;
    tab->flex = calloc((size_t)tab->tree.n_flex + 1, sizeof *tab->flex);
    bool ok = tab->flex != NULL;
    for (int k = 0; ok && k < tab->tree.n_node; k++) {
        const tree_node *node = &tab->tree.node[k];
        if (node->flex < 0) {
            continue;
        }
        joint_flex *f = &tab->flex[node->flex];
        *f = (joint_flex){
            .node = k, .q = *n, .coupling = tab->n_coupling, .work = tab->n_modal, .turn = 2 * tab->n_turn
        };
        tab->n_flex++;
        ok = joint_flexible_create(c->p, node, f);
        *n += f->sums.n_mode;
        tab->n_coupling += 2 * f->sums.n_mode;
        f->kept = tab->n_modal + f->sums.n_mode * (f->sums.n_mode + 1);
        tab->n_modal = f->kept + modal_kept(&f->modal);
        tab->n_turn += f->modal.n_turn;
    }
    return ok;
}

// Coordinates of joints by the names that models have for them.
static void name_coordinates(compiler *c)
{
    for (int j = 0; j < c->model->n_joint; j++) {
        for (int i = 0; i < 6; i++) {
            int q = c->tab->tree.joint_q[j][i];
            if (q >= 0) {
                c->out->variable_owner[q].what = model_coordinate_name(c->model->joint[j].def.kind, i);
                c->out->variable_owner[q].joint = j + 1;
            }
        }
    }
}

// Tree coordinates first, then amplitudes, then the coordinates of joints that close loops.
static bool number(compiler *c)
{
    const plan *p = c->p;
    structure *o = c->out;
    joint_table *tab = c->tab;
    int n = tab->tree.n_dof;
    o->marker_q = malloc(((size_t)p->n_marker + 1) * sizeof *o->marker_q);
    if (!o->marker_q || !create_flexible(c, &n)) {
        return false;
    }
    int n_inert = n;
    for (int m = 0; m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        o->marker_q[m] = -1;
        if (k->kind == MARKER_JOINT) {
            int own = tab->tree.joint_q[k->joint][k->coordinate];
            o->marker_q[m] = own >= 0 ? own : n++;
        } else if (k->kind == MARKER_MODE) {
            const joint_flex *f = &tab->flex[tab->tree.node[tab->tree.body_node[k->body]].flex];
            o->marker_q[m] = f->modal.nodal.n > 0 ? -1 : f->q + k->coordinate;
        }
    }
    o->n = o->n_q = tab->n = n;
    o->n_chart = tab->tree.n_chart;
    o->q0 = calloc((size_t)n + 1, sizeof *o->q0);
    o->v0 = calloc((size_t)n + 1, sizeof *o->v0);
    o->chart0 = calloc((size_t)o->n_chart + 1, sizeof *o->chart0);
    o->variable_owner = calloc((size_t)n + 1, sizeof *o->variable_owner);
    tab->dof_node = malloc(((size_t)n + 1) * sizeof *tab->dof_node);
    tab->is_linear = calloc((size_t)n + 1, sizeof *tab->is_linear);
    c->seat = malloc(((size_t)n + 1) * sizeof *c->seat);
    if (!o->q0 || !o->v0 || !o->chart0 || !o->variable_owner || !tab->dof_node || !tab->is_linear ||
        !c->seat) {
        return false;
    }
    tab->may_sleep = p->n_sleeper > 0;
    for (int k = 0; k < tab->tree.n_node; k++) {
        tree_node *node = &tab->tree.node[k];
        int last = k;
        while (tab->tree.node[last].body < 0) {
            last++;
        }
        node->sleep = -1;
        for (int s = 0; s < p->n_sleeper; s++) {
            node->sleep =
                p->sleeper[s].body == tab->tree.node[last].body ? p->sleeper[s].memory : node->sleep;
        }
        for (int i = 0; i < node->n_dof; i++) {
            tab->dof_node[node->q + i] = k;
            tab->is_linear[node->q + i] = node->kind == NODE_PRISMATIC || node->kind == NODE_TRANSLATION;
            o->variable_owner[node->q + i] =
                (owner_name){ "joint coordinate", tab->tree.node[last].body, -1, 0 };
        }
    }
    name_coordinates(c);
    for (int f = 0; f < tab->n_flex; f++) {
        for (int i = 0; i < tab->flex[f].sums.n_mode; i++) {
            bool is_place = i < tab->flex[f].modal.nodal.n_unit;
            o->variable_owner[tab->flex[f].q + i] =
                (owner_name){ is_place ? "displacement" : "mode", tab->tree.node[tab->flex[f].node].body, -1,
                              0 };
        }
    }
    for (int i = n_inert; i < n; i++) {
        o->variable_owner[i] = (owner_name){ "joint coordinate", 0, -1, 0 };
    }
    return true;
}

// ---- markers and the coordinates that move them ---------------------------------------------------------------------

static bool place_markers(compiler *c)
{
    joint_table *tab = c->tab;
    size_t n_place = 1;
    for (int m = 0; m < c->p->n_marker; m++) {
        n_place += c->p->marker[m].node != 0;
    }
    tab->marker = malloc(((size_t)c->p->n_marker + 1) * sizeof *tab->marker);
    tab->place = calloc(4 * n_place, sizeof *tab->place);
    if (!tab->marker || !tab->place) {
        return false;
    }
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *k = &c->p->marker[m];
        int node = k->body > 0 ? tab->tree.body_node[k->body] : -1;
        vec3 at = k->at;
        if (node >= 0 && k->kind != MARKER_VECTOR) {
            at = vec3_add(at, tab->tree.node[node].origin);
        }
        tab->marker[m] = (joint_marker){ k->kind, node,       k->dof, k->frame,      at, c->out->marker_q[m],
                                         false,   k->is_read, false,  k->coordinate, -1 };
        if (k->node != 0 && !joint_flexible_place(c->p, tab, k, &tab->marker[m])) {
            return false;
        }
        if (k->kind == MARKER_JOINT) {
            bi_joint_kind kind = c->p->model->joint[k->joint].def.kind;
            tab->marker[m].is_angle = model_is_angle(kind, k->coordinate);
        }
    }
    tab->n_marker = c->p->n_marker;
    for (int g = 0; g < c->p->n_row_group; g++) {
        const row_group *group = &c->p->row[g];
        for (int m = 0; m < group->n_marker; m++) {
            tab->marker[c->p->list[group->marker + m]].has_bias = true;
        }
    }
    return true;
}

static bool add_spread(compiler *c, int dof, int variable)
{
    joint_table *tab = c->tab;
    if (c->seat[variable] < 0) {
        if (!LIST_RESERVE(c->col, c->n_col, c->cap_col)) {
            return false;
        }
        c->col[c->n_col] = variable;
        c->seat[variable] = c->n_col++;
    }
    if (!LIST_RESERVE(tab->spread, tab->n_spread, tab->cap_spread)) {
        return false;
    }
    tab->spread[tab->n_spread++] = (joint_spread){ dof, c->seat[variable] };
    return true;
}

// Columns of one list entry: the path from its node to the ground.
static bool spread_marker(compiler *c, int entry)
{
    joint_table *tab = c->tab;
    const joint_marker *k = &tab->marker[tab->list[entry]];
    tab->spread_start[entry] = tab->n_spread;
    bool ok = true;
    if (is_scalar(k->kind) && k->q >= 0) {
        ok = add_spread(c, -1, k->q);
    } else if (is_scalar(k->kind)) {
        const joint_flex *f = &tab->flex[tab->tree.node[k->node].flex];
        for (int i = 0; i < f->modal.n && ok; i++) {
            ok = add_spread(c, -1 - i, f->q + i);
        }
    }
    for (int node = is_scalar(k->kind) ? -1 : k->node; node >= 0 && ok; node = tab->tree.node[node].parent) {
        for (int i = 0; i < tab->tree.node[node].n_dof && ok; i++) {
            int q = tab->tree.node[node].q + i;
            // a displacement does not turn a vector
            ok = (k->kind == MARKER_VECTOR && tab->is_linear[q]) || add_spread(c, q, q);
        }
    }
    const joint_flex *f = k->place >= 0 ? &tab->flex[tab->tree.node[k->node].flex] : NULL;
    for (int i = 0; f && i < f->sums.n_mode && ok; i++) {
        ok = !joint_flexible_moves(tab, k, i) || add_spread(c, -1 - i, f->q + i);
    }
    tab->spread_end[entry] = tab->n_spread;
    return ok;
}

static bool spread_list(compiler *c, int first, int count)
{
    memset(c->seat, 0xff, (size_t)c->tab->n * sizeof *c->seat);
    c->n_col = 0;
    bool ok = true;
    for (int k = 0; k < count && ok; k++) {
        ok = spread_marker(c, first + k);
    }
    return ok;
}

// ---- rows and blocks -----------------------------------------------------------------------------------------------------

static bool build_rows(compiler *c)
{
    const plan *p = c->p;
    joint_table *tab = c->tab;
    structure *o = c->out;
    size_t rows = (size_t)p->n_row + 1, groups = (size_t)p->n_row_group + 1;
    o->n_row = p->n_row;
    o->G_start = calloc(rows, sizeof *o->G_start);
    o->is_velocity = calloc(rows, sizeof *o->is_velocity);
    o->row_owner = calloc(rows, sizeof *o->row_owner);
    tab->row = calloc(groups, sizeof *tab->row);
    tab->row_joint = calloc(groups, sizeof *tab->row_joint);
    tab->row_body = calloc(groups, sizeof *tab->row_body);
    bool ok = o->G_start && o->is_velocity && o->row_owner && tab->row && tab->row_joint && tab->row_body;
    for (int g = 0; g < p->n_row_group && ok; g++) {
        const row_group *from = &p->row[g];
        joint_group *to = &tab->row[g];
        ok = spread_list(c, from->marker, from->n_marker);
        *to = (joint_group){ .marker = from->marker,
                             .n_marker = from->n_marker,
                             .width = from->width,
                             .n_col = c->n_col,
                             .value = from->first,
                             .count = from->count,
                             .gradient = from->gradient };
        tab->row_joint[g] = from->joint;
        tab->row_body[g] = from->joint >= 0 ? p->model->joint[from->joint].def.b.i - 1 : -1;
        for (int r = 0; r < from->count && ok; r++) {
            for (int k = 0; k < c->n_col && ok; k++) {
                ok = LIST_RESERVE(o->G_col, o->n_G, c->cap_G);
                if (ok) {
                    o->G_col[o->n_G++] = c->col[k];
                }
            }
            o->G_start[from->first + r + 1] = o->n_G;
            o->is_velocity[from->first + r] = from->is_velocity;
            o->row_owner[from->first + r] = (owner_name){ "", -1, g, 0 };
        }
    }
    tab->n_row = p->n_row_group;
    return ok;
}

static bool is_modal(const compiler *c, const block_group *b)
{
    for (int f = 0; f < c->tab->n_flex; f++) {
        if (modal_has_block(&c->tab->flex[f].modal, c->p, b)) {
            return true;
        }
    }
    return false;
}

static bool build_blocks(compiler *c, pattern_builder *couplings)
{
    joint_table *tab = c->tab;
    tab->block = calloc((size_t)c->p->n_block + 1, sizeof *tab->block);
    bool ok = tab->block != NULL;
    for (int g = 0; g < c->p->n_block && ok; g++) {
        const block_group *from = &c->p->block[g];
        if (is_modal(c, from)) {
            tab->block[g] = (joint_group){ .value = from->value };
            tab->n_block++;
            continue;
        }
        ok = spread_list(c, from->marker, from->n_marker);
        tab->block[g] = (joint_group){ .marker = from->marker,
                                       .n_marker = from->n_marker,
                                       .width = from->width,
                                       .n_col = c->n_col,
                                       .value = from->value,
                                       .col = tab->n_block_col };
        for (int k = 0; k < c->n_col && ok; k++) {
            ok = LIST_RESERVE(tab->block_col, tab->n_block_col, tab->cap_block_col);
            if (ok) {
                tab->block_col[tab->n_block_col++] = c->col[k];
            }
        }
        pattern_add_clique(couplings, c->n_col, c->col);
        tab->n_block++;
    }
    return ok;
}

static bool list_sites(compiler *c)
{
    bool ok = true;
    c->tab->site = c->p->site;
    for (int s = 0; s < c->p->n_site && ok; s++) {
        joint_group *g = &c->tab->block[c->p->site[s].group];
        g->is_site = true;
        ok = structure_add_site(c->out, &c->tab->block_col[g->col], g->n_col);
    }
    return ok;
}

static bool block_entries(compiler *c)
{
    joint_table *tab = c->tab;
    for (int g = 0; g < tab->n_block; g++) {
        joint_group *b = &tab->block[g];
        const int *col = &tab->block_col[b->col];
        b->entry = tab->n_entry;
        for (int i = 0; i < b->n_col; i++) {
            for (int j = 0; j <= i; j++) {
                if (!LIST_RESERVE(tab->entry, tab->n_entry, tab->cap_entry)) {
                    return false;
                }
                tab->entry[tab->n_entry++] = pattern_find(&c->out->tangent, col[i], col[j]);
            }
        }
    }
    return true;
}

// ---- reactions --------------------------------------------------------------------------------------------------------------
// The marker of a point on a moving node, in the trays; -1: the point follows its body.
static int moving_point(const compiler *c, int body, vec3 at)
{
    int node = model_moved_node(c->model, body, at);
    for (int m = 0; node > 0 && m < c->p->n_marker; m++) {
        const marker *k = &c->p->marker[m];
        if (k->kind == MARKER_POINT && k->body == body && k->node == node) {
            return k->dof;
        }
    }
    return -1;
}

static bool list_reactions(compiler *c)
{
    joint_table *tab = c->tab;
    const bi_model *m = c->model;
    tab->n_joint = m->n_joint;
    tab->reaction = calloc((size_t)m->n_joint + 1, sizeof *tab->reaction);
    if (!tab->reaction) {
        return false;
    }
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        struct joint_reaction *r = &tab->reaction[j];
        r->body_b = d->b.i - 1;
        r->node_b = tab->tree.body_node[r->body_b];
        r->at_b = model_joint_frames(m, j).at_b;
        // an effort on a distance acts through the row that defines it
        r->axis_b = joint_is_distance(d->kind) ? (vec3){ 0.0, 0.0, 0.0 } : model_joint_frames(m, j).axis_b;
        r->dof = moving_point(c, r->body_b, r->at_b);
        if (r->node_b >= 0) {
            r->at_b = vec3_add(r->at_b, tab->tree.node[r->node_b].origin);
        }
        r->is_tree = tab->tree.is_tree[j];
        if (r->is_tree) {
            r->first = r->last = tab->tree.joint_first[j];
            while (tab->tree.node[r->last].body < 0) {
                r->last++;
            }
            r->count = r->last - r->first + 1;
            r->sign = tab->tree.node[r->last].body == r->body_b ? 1.0 : -1.0;
        }
    }
    return true;
}

// ---- all of it --------------------------------------------------------------------------------------------------------------

static bool build(compiler *c)
{
    joint_table *tab = c->tab;
    size_t n_list = (size_t)c->p->n_list + 1;
    tab->list = calloc(n_list, sizeof *tab->list);
    tab->spread_start = calloc(n_list, sizeof *tab->spread_start);
    tab->spread_end = calloc(n_list, sizeof *tab->spread_end);
    if (!tab->list || !tab->spread_start || !tab->spread_end || !number(c) || !place_markers(c)) {
        return false;
    }
    for (int k = 0; k < c->p->n_list; k++) {
        tab->list[k] = c->p->list[k];
    }
    tab->n_list = c->p->n_list;
    pattern_builder couplings;
    pattern_builder_init(&couplings, c->out->n);
    bool ok = build_rows(c) && build_blocks(c, &couplings);
    if (ok) {
        mass_pattern(tab, &couplings);
        ok = structure_finish(c->out, &couplings);
    }
    pattern_builder_free(&couplings);
    return ok && block_entries(c) && list_sites(c) && mass_list(c->tab, c->p, c->out) && list_reactions(c);
}

static bool describe(compiler *c)
{
    structure *o = c->out;
    bool ok = tree_describe(&c->tab->tree, &(tree_goal){ .model = c->model }, o->q0, o->v0, o->chart0);
    for (int k = 0; k < c->p->n_marker; k++) {
        int q = o->marker_q[k];
        if (q >= c->tab->tree.n_dof && c->p->marker[k].kind == MARKER_JOINT) {
            described_coordinate(c->model, c->p->marker[k].joint, c->p->marker[k].coordinate, &o->q0[q],
                                 &o->v0[q]);
        }
    }
    for (int b = 0; b < c->model->n_body; b++) {
        o->size = fmax(o->size, vec3_norm(c->model->body[b].def.pose.pos));
    }
    for (int j = 0; j < c->model->n_joint; j++) {
        model_joint_frame f = model_joint_frames(c->model, j);
        o->size = fmax(o->size, fmax(vec3_norm(f.at_a), vec3_norm(f.at_b)));
    }
    o->size = o->size > 0.0 ? o->size : 1.0;
    o->has_bias = true;
    return ok;
}

void *joint_create(const plan *p, structure *out, bi_report *report)
{
    compiler c = { .p = p, .model = p->model, .out = out, .tab = calloc(1, sizeof(joint_table)) };
    bool ok = c.tab && tree_create(&c.tab->tree, p->model);
    if (ok) {
        c.tab->structure = out;
        c.tab->passes = joint_passes_here();
        c.tab->n_body = p->model->n_body;
        ok = build(&c) && describe(&c) && joint_part_tree(c.tab);
    }
    if (ok) {
        out->n_own = (int)own_size(c.tab);
        out->n_room = joint_room(c.tab);
    } else {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        joint_destroy(c.tab);
        c.tab = NULL;
    }
    free(c.col);
    free(c.seat);
    return c.tab;
}
