// SPDX-License-Identifier: MIT
// From the shared points and vectors to tables: numbering, first guess, the order of the pages.
#include "coordinates/natural/compile.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/described.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- numbering -----------------------------------------------------------------------------------------

static int count_scalars(compiler *c)
{
    int n = 0;
    for (int m = 0; m < c->p->n_marker; m++) {
        n += c->p->marker[m].kind == MARKER_JOINT;
    }
    for (int b = 0; b < c->model->n_body; b++) {
        n += c->model->body[b].def.flex ? c->model->body[b].def.flex->n_mode : 0;
    }
    return n;
}

// Variables first (entities, then scalars), constants behind them.
static bool number(compiler *c)
{
    sharing *s = &c->shared;
    int n = 0, n_constant = 3;
    for (int k = 0; k < s->n_slot; k++) {
        if (s->slot[k].parent == k && !s->slot[k].is_fixed) {
            s->slot[k].q = n;
            n += 3;
        }
        n_constant += s->slot[k].parent == k && s->slot[k].is_fixed ? 3 : 0;
    }
    int scalar = n;
    n += count_scalars(c);
    c->null = n;
    int constant = n + 3;
    for (int k = 0; k < s->n_slot; k++) {
        if (s->slot[k].parent == k && s->slot[k].is_fixed) {
            s->slot[k].q = constant;
            constant += 3;
        }
    }

    structure *o = c->out;
    o->n = c->tab->n = n;
    o->n_q = c->tab->n_q = n + n_constant;
    o->q0 = calloc((size_t)o->n_q, sizeof *o->q0);
    o->v0 = calloc((size_t)o->n_q, sizeof *o->v0);
    o->variable_owner = calloc((size_t)n + 1, sizeof *o->variable_owner);
    o->marker_q = malloc(((size_t)c->p->n_marker + 1) * sizeof *o->marker_q);
    c->mode_q = malloc((size_t)c->model->n_body * sizeof *c->mode_q);
    if (!o->q0 || !o->v0 || !o->variable_owner || !o->marker_q || !c->mode_q) {
        return false;
    }
    for (int b = 0; b < c->model->n_body; b++) {
        const bi_modes *flex = c->model->body[b].def.flex;
        c->mode_q[b] = flex ? scalar : -1;
        for (int m = 0; flex && m < flex->n_mode; m++) {
            o->variable_owner[scalar++] = (owner_name){ "mode", b, -1, 0 };
        }
    }
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *mark = &c->p->marker[m];
        o->marker_q[m] = -1;
        if (mark->kind == MARKER_JOINT) {
            const bi_joint_def *joint = &c->model->joint[mark->joint].def;
            o->variable_owner[scalar] = (owner_name){ model_coordinate_name(joint->kind, mark->coordinate),
                                                      joint->b.i - 1, -1, mark->joint + 1 };
            o->marker_q[m] = scalar++;
        } else if (mark->kind == MARKER_MODE) {
            o->marker_q[m] = c->mode_q[mark->body] + mark->coordinate;
        }
    }
    for (int b = 0; b < c->model->n_body; b++) {
        natural_body *body = &c->base.body[b];
        for (int e = 0; e < body->n_entity; e++) {
            body->q[e] = s->slot[body->slot[e]].q;
        }
    }
    return true;
}

// ---- the described configuration ---------------------------------------------------------------------------

// Field by field: a copy of the whole would bring what chance left between its fields, and an image must be the same each time.
static void seat_put(entity_seat *to, int q, const slot *own, double share)
{
    to->q = q;
    to->body = own->body;
    to->is_vector = own->is_vector;
    to->local = own->local;
    to->share = share;
}

// Where each body has the entities, and its part in the mean of those that move; these come first.
static bool seat_entities(compiler *c)
{
    sharing *s = &c->shared;
    natural *tab = c->tab;
    int *count = calloc((size_t)s->n_slot + 1, sizeof *count);
    tab->seat = malloc(((size_t)s->n_slot + 1) * sizeof *tab->seat);
    bool ok = count && tab->seat;
    for (int k = 0; ok && k < s->n_slot; k++) {
        count[sharing_root(s, k).slot]++;
    }
    for (int k = 0; ok && k < s->n_slot; k++) {
        slot_ref root = sharing_root(s, k);
        const slot *own = &s->slot[k], *r = &s->slot[root.slot];
        if (r->is_fixed) {
            tray_put(&c->out->q0[r->q], r->value);
            continue;
        }
        seat_put(&tab->seat[tab->n_seat++], r->q, own, root.sign / count[root.slot]);
        c->out->variable_owner[r->q] = (owner_name){ own->is_vector ? "vector" : "point", own->body, -1, 0 };
        c->out->variable_owner[r->q + 1] = c->out->variable_owner[r->q + 2] = c->out->variable_owner[r->q];
    }
    for (int k = 0; ok && k < s->n_slot; k++) {
        slot_ref root = sharing_root(s, k);
        const slot *own = &s->slot[k], *r = &s->slot[root.slot];
        if (r->is_fixed) {
            seat_put(&tab->seat[tab->n_seat + tab->n_still++], r->q, own, root.sign / count[root.slot]);
        }
    }
    free(count);
    return ok;
}

const entity_seat *natural_seats(const void *table, int *count)
{
    const natural *tab = table;
    *count = tab->n_seat + tab->n_still;
    return tab->seat;
}

// Each entity: the mean of what its bodies say.
bool natural_place(const void *table, const bi_pose *pose, const bi_twist *twist, coords *out)
{
    const natural *tab = table;
    for (int k = 0; k < tab->n_seat; k++) {
        memset(&out->q[tab->seat[k].q], 0, 3 * sizeof *out->q);
        memset(&out->v[tab->seat[k].q], 0, 3 * sizeof *out->v);
    }
    for (int k = 0; k < tab->n_seat; k++) {
        const entity_seat *e = &tab->seat[k];
        vec3 arm = quat_rotate(pose[e->body].rot, e->local), rate = vec3_cross(twist[e->body].ang, arm);
        vec3 value = e->is_vector ? arm : vec3_add(pose[e->body].pos, arm);
        rate = e->is_vector ? rate : vec3_add(twist[e->body].lin, rate);
        tray_add(&out->q[e->q], vec3_scale(e->share, value));
        tray_add(&out->v[e->q], vec3_scale(e->share, rate));
    }
    return true;
}

static void guess_entities(compiler *c)
{
    size_t n_body = (size_t)c->model->n_body;
    bi_pose *pose = malloc(n_body * sizeof *pose);
    bi_twist *twist = malloc(n_body * sizeof *twist);
    c->ok = pose && twist && seat_entities(c);
    for (size_t b = 0; c->ok && b < n_body; b++) {
        const bi_body_def *def = &c->model->body[b].def;
        pose[b] = (bi_pose){ def->pose.pos, quat_from_mat3(c->shared.described[b]) };
        twist[b] = def->twist;
    }
    if (c->ok) {
        coords start = { .q = c->out->q0, .v = c->out->v0 };
        natural_place(c->tab, pose, twist, &start);
    }
    free(pose);
    free(twist);
}

// The model's own name of a slot; -1: none.
static int named_slot(const compiler *c, const slot *own)
{
    double near = 1e-9 * (own->is_vector ? 1.0 : c->shared.size);
    for (int k = 0; k < c->model->n_named; k++) {
        const model_named *n = &c->model->named[k];
        vec3 at = n->is_vector ? vec3_normalized(n->at) : n->at;
        if (n->body.i - 1 == own->body && n->is_vector == own->is_vector &&
            (vec3_norm(vec3_sub(at, own->local)) <= near ||
             (n->is_vector && vec3_norm(vec3_add(at, own->local)) <= near))) {
            return k;
        }
    }
    return -1;
}

// Which variables are components of which points and vectors, for those who list them.
static void name_entities(compiler *c)
{
    const sharing *s = &c->shared;
    entity_name *entity = calloc((size_t)c->out->n + 1, sizeof *entity);
    int *count = calloc(2 * (size_t)c->model->n_body, sizeof *count);
    c->out->variable_entity = entity;
    c->ok = c->ok && entity && count;
    for (int k = 0; c->ok && k < s->n_slot; k++) {
        const slot *own = &s->slot[k];
        if (own->parent == k && !own->is_fixed) {
            int number = ++count[2 * own->body + own->is_vector];
            for (int i = 0; i < 3; i++) {
                entity[own->q + i] = (entity_name){ own->q, number, -1 };
                c->out->variable_owner[own->q + i].body = own->body;
            }
        }
    }
    // the first name that a body gives it
    for (int k = 0; c->ok && k < s->n_slot && c->model->n_named > 0; k++) {
        const slot *root = &s->slot[sharing_root(s, k).slot];
        if (!root->is_fixed && entity[root->q].named < 0) {
            int named = named_slot(c, &s->slot[k]);
            for (int i = 0; i < 3; i++) {
                entity[root->q + i].named = named;
            }
        }
    }
    free(count);
}

static void guess(compiler *c)
{
    guess_entities(c);
    name_entities(c);
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *mark = &c->p->marker[m];
        if (mark->kind == MARKER_JOINT) {
            int q = c->out->marker_q[m];
            described_coordinate(c->model, mark->joint, mark->coordinate, &c->out->q0[q], &c->out->v0[q]);
        }
    }
}

// ---- all of it ------------------------------------------------------------------------------------------------------

static void mass_to_pattern(compiler *c, int i, int j, double value)
{
    (void)value;
    pattern_add(&c->couplings, i, j);
}

static void mass_to_value(compiler *c, int i, int j, double value)
{
    c->tab->M0[pattern_find(&c->out->tangent, i, j)] += value;
}

// Where displacements of nodes stand for the amplitudes, these are no variables.
static void name_amplitudes(compiler *c)
{
    for (int f = 0; f < c->tab->n_flex; f++) {
        const flex_body *body = &c->tab->flex[f];
        for (int i = 0; i < body->modal.nodal.n_unit; i++) {
            c->out->variable_owner[body->q + i].what = "displacement";
        }
        for (int m = 0; m < c->p->n_marker && body->modal.nodal.n > 0; m++) {
            const marker *k = &c->p->marker[m];
            if (k->kind == MARKER_MODE && k->body == body->body) {
                c->out->marker_q[m] = -1;
            }
        }
    }
}

static bool build_tables(compiler *c)
{
    columns cols = { 0 };
    int cap_row = 0, cap_col = 0;
    c->tab->body = c->base.body;
    c->base.body = NULL;
    c->tab->n_body = c->model->n_body;
    pattern_builder_init(&c->couplings, c->out->n);
    bool ok = flexible_create(c->tab, c->p, c->mode_q);
    if (ok) {
        name_amplitudes(c);
    }
    ok = ok && compile_markers(c) && compile_constraint_rows(c, &cap_row, &cap_col, &cols) &&
         compile_rigid_rows(c, &cap_row, &cap_col, &cols) && compile_blocks(c, &cols);
    if (ok && c->out->n_row == 0) {
        c->out->G_start = calloc(1, sizeof *c->out->G_start);
        ok = c->out->G_start != NULL;
    }
    if (ok) {
        flexible_pattern(c->tab, &c->couplings);
        compile_each_mass(c, mass_to_pattern);
        compile_each_rotor(c, mass_to_pattern);
        ok = structure_finish(c->out, &c->couplings);
    }
    if (ok) {
        c->tab->n_row = c->out->n_row;
        c->out->has_bias = c->tab->n_flex_marker > 0;
        for (int k = 0; k < c->tab->n_flex; k++) {
            c->tab->flex[k].kept = c->out->n_own;
            c->tab->flex[k].turn = c->out->n_own + modal_kept(&c->tab->flex[k].modal);
            c->out->n_own = c->tab->flex[k].turn + 6 * c->tab->flex[k].modal.n_turn;
            int room = flex_moments_room(&c->tab->flex[k].sums);
            c->out->n_room = room > c->out->n_room ? room : c->out->n_room;
        }
        // behind what tangents need at the same time
        c->tab->expands_at = c->out->n_room;
        c->out->n_room += c->tab->most_expanded;
        c->tab->M0 = calloc((size_t)c->out->tangent.nnz + 1, sizeof *c->tab->M0);
        ok = c->tab->M0 && compile_block_entries(c) && flexible_entries(c->tab, c->out);
    }
    if (ok) {
        compile_each_mass(c, mass_to_value);
        compile_each_rotor(c, mass_to_value);
        ok = compile_light(c) && compile_mass_list(c) && reactions_create(c->tab, c->p, &c->shared, &c->base);
    }
    pattern_builder_free(&c->couplings);
    free(cols.col);
    return ok;
}

void *natural_create(const plan *p, structure *out, bi_report *report)
{
    compiler c = { .p = p, .model = p->model, .out = out, .ok = true };
    c.tab = calloc(1, sizeof *c.tab);
    int errors = report->errors;
    bool ok = c.tab && sharing_create(&c.shared, p->model);
    if (ok) {
        sharing_solve(&c.shared, report);
        ok = report->errors == errors && bases_create(&c.base, &c.shared, p);
    }
    ok = ok && number(&c);
    if (ok) {
        c.tab->structure = out;
        out->size = c.shared.size;
        c.tab->body = NULL;
        ok = build_tables(&c);
    }
    if (ok) {
        guess(&c);
        ok = c.ok && turning_create(&c) && floating_create(&c);
        out->n_frame = c.tab->n_carried;
    }
    if (c.is_too_wide) {
        bi_report_add(report, BI_ERROR, BI_FULL, (bi_place){ 0 }, "",
                      "a law or constraint touches too many points of flexible bodies: split it");
    } else if (!ok && report->errors == errors) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    bases_clear(&c.base);
    sharing_clear(&c.shared);
    free(c.mode_q);
    if (!ok) {
        natural_destroy(c.tab);
        return NULL;
    }
    return c.tab;
}

void natural_destroy(void *table)
{
    natural *tab = table;
    if (!tab) {
        return;
    }
    flexible_destroy(tab);
    reactions_destroy(tab);
    free(tab->body);
    free(tab->term);
    free(tab->linear);
    free(tab->frame);
    free(tab->scalar);
    free(tab->source);
    free(tab->spread);
    free(tab->group);
    free(tab->group_first);
    free(tab->group_count);
    free(tab->group_gradient);
    free(tab->block);
    free(tab->block_col);
    free(tab->block_entry);
    free(tab->dot);
    free(tab->tie_start);
    free(tab->tie_q);
    free(tab->tie_s);
    free(tab->tie_G);
    free(tab->M0);
    free(tab->mass);
    free(tab->seat);
    free(tab->turning);
    free(tab->carried);
    free(tab);
}
