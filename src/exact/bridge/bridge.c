// SPDX-License-Identifier: MIT
// The steps from a model to its structure, and the public face of it.
#include "exact/bridge/bridge.h"
#include "base/list.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- drafts --------------------------------------------------------------------------------------------------

int draft_place_add(bi_yardstick *g, vec3 at)
{
    if (!LIST_RESERVE(g->place, g->n_place, g->c_place)) {
        g->is_short = true;
        return 0;
    }
    g->place[g->n_place] = (draft_place){ .at = at, .into = -1 };
    return g->n_place++;
}

int draft_turn_add(bi_yardstick *g, quat rot)
{
    if (!LIST_RESERVE(g->turn, g->n_turn, g->c_turn)) {
        g->is_short = true;
        return 0;
    }
    g->turn[g->n_turn] = (draft_turn){ .rot = rot, .into = -1 };
    return g->n_turn++;
}

int draft_place_of(const bi_yardstick *g, int place)
{
    while (g->place[place].into >= 0) {
        place = g->place[place].into;
    }
    return place;
}

int draft_turn_of(const bi_yardstick *g, int turn)
{
    while (turn >= 0 && g->turn[turn].into >= 0) {
        turn = g->turn[turn].into;
    }
    return turn;
}

pending *pending_add(bi_yardstick *g)
{
    if (!LIST_RESERVE(g->pending, g->n_pending, g->c_pending)) {
        g->is_short = true;
        return &g->lost;
    }
    g->pending[g->n_pending] = (pending){ 0 };
    return &g->pending[g->n_pending++];
}

yard_node bridge_node(const bi_yardstick *g, spot s)
{
    int turn = draft_turn_of(g, s.turn);
    return (yard_node){ s.place >= 0 ? g->place[draft_place_of(g, s.place)].id : -1,
                        turn >= 0 ? g->turn[turn].id : -1 };
}

vec3 bridge_offset(const bi_yardstick *g, spot s)
{
    int turn = draft_turn_of(g, s.turn);
    return turn >= 0 ? quat_rotate(quat_conjugate(g->turn[turn].rot), s.offset) : s.offset;
}

void bridge_complain(bi_yardstick *g, bi_place place, const char *name, const char *format, ...)
{
    char what[400];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    bi_report_add(g->report, BI_ERROR, BI_BAD_MODEL, place, name, "%s", what);
}

// ---- making ----------------------------------------------------------------------------------------------------

static bool is_along_z(vec3 v) { return vec3_norm((vec3){ v.x, v.y, 0.0 }) <= 1e-9 * vec3_norm(v); }

static bool keeps_z(mat3 axes) { return is_along_z(axes.col[2]); }

// Whether all moves in x and y: frames turned about z only, hinges along z, slides across it, weight across it.
static bool model_is_planar(const bi_model *m)
{
    bool has_plane = false, has_space = false;
    for (int b = 1; b < m->n_body; b++) {
        const bi_flex *flex = bi_model_flex(m, (bi_body){ b + 1 });
        has_plane |= flex && bi_flex_mesh(flex)->is_plane;
        has_space |= flex && !bi_flex_mesh(flex)->is_plane;
        if (!keeps_z(quat_to_mat3(quat_normalized(quat_or_identity(m->body[b].def.pose.rot))))) {
            return false;
        }
    }
    for (int j = 0; j < m->n_joint; j++) {
        model_joint_frame f = model_joint_frames(m, j);
        vec3 axis = model_described_vector(m, m->joint[j].def.a, f.axis_a);
        bi_joint_kind kind = m->joint[j].def.kind;
        bool is_flat = kind == BI_FIXED || (kind == BI_REVOLUTE && is_along_z(axis)) ||
                       (kind == BI_PRISMATIC && axis.z == 0.0);
        if (!is_flat) {
            return false;
        }
    }
    return has_plane && !has_space && m->gravity.z == 0.0;
}

static void make_drafts(bi_yardstick *g)
{
    for (int k = 0; k < g->n_place; k++) {
        draft_place *p = &g->place[k];
        if (p->into < 0 && !p->is_dropped) {
            p->id = yard_place(g->y, p->at);
            yard_hold_place(g->y, p->id, p->held);
            yard_set_velocity(g->y, p->id, p->v);
        }
    }
    for (int k = 0; k < g->n_turn; k++) {
        draft_turn *t = &g->turn[k];
        if (t->into < 0 && !t->is_dropped) {
            t->id = yard_turn(g->y, t->rot);
            yard_hold_turn(g->y, t->id, t->held);
            yard_set_spin(g->y, t->id, t->spin);
            if (t->is_driven) {
                yard_drive_turn(g->y, t->id, t->axis, t->drive);
            }
        }
    }
}

static bool make(bi_yardstick *g)
{
    int errors = g->report->errors;
    g->is_planar = model_is_planar(g->m);
    g->ground_turn = draft_turn_add(g, quat_identity());
    if (g->is_short || !bodies_draft(g)) {
        return false;
    }
    g->turn[g->ground_turn].held = YARD_ALL;
    joints_draft(g);
    loads_draft(g);
    if (g->report->errors > errors || g->is_short) {
        return false;
    }
    for (int b = 1; b < g->m->n_body; b++) {
        if (g->body[b].is_flexible) {
            mesh_bars(g, b);
        }
    }
    if (g->is_planar) {
        yard_planar(g->y);
    }
    yard_gravity(g->y, g->m->gravity);
    make_drafts(g);
    bodies_make(g);
    joints_make(g);
    loads_make(g);
    channels_make(g);
    if (g->report->errors > errors) {
        return false;
    }
    if (g->is_short || !yard_finish(g->y)) {
        bridge_complain(g, (bi_place){ 0 }, bi_model_name(g->m),
                        "nothing in this model moves, or memory ran out");
        return false;
    }
    return true;
}

static bi_yardstick *create(const bi_model *m, const bi_yardstick_options *o, bi_report *report)
{
    bi_yardstick *g = calloc(1, sizeof *g);
    if (!g) {
        return NULL;
    }
    g->m = m;
    g->report = report;
    g->options = o ? *o : (bi_yardstick_options){ 0 };
    g->options.elements = g->options.elements > 0 ? g->options.elements : 4;
    g->options.divide = g->options.divide > 0 ? g->options.divide : 1;
    double damping = g->options.damping;
    g->step = (yard_options){ .h = g->options.dt > 0.0 ? g->options.dt : 1e-3,
                              .rho_inf = damping == 0.0  ? 0.8
                                         : damping < 0.0 ? 1.0
                                                         : 1.0 - damping,
                              .tolerance = g->options.tolerance };
    g->body = calloc((size_t)m->n_body + 1, sizeof *g->body);
    g->timed = calloc((size_t)m->n_expr + 1, sizeof *g->timed);
    g->joint = calloc((size_t)m->n_joint + 1, sizeof *g->joint);
    g->spring = calloc(2 * (size_t)m->n_element + 1, sizeof *g->spring);
    g->y = yard_create();
    if (!g->body || !g->timed || !g->joint || !g->spring || !g->y || bi_model_check(m, report) > 0 ||
        !make(g)) {
        bi_yardstick_destroy(g);
        return NULL;
    }
    g->report = NULL;
    return g;
}

// Options that no file reader has looked at; unset ones are zero.
static bool is_usable(const bi_yardstick_options *o)
{
    return !o || (o->elements >= 0 && o->divide >= 0 && o->dt >= 0.0 && isfinite(o->dt) &&
                  o->damping <= 1.0 && isfinite(o->damping) && o->tolerance >= 0.0 && isfinite(o->tolerance));
}

bi_yardstick *bi_yardstick_create(const bi_model *m, const bi_yardstick_options *o, bi_report *report)
{
    bi_report own = { 0 };
    bool is_good = m && is_usable(o);
    bi_yardstick *g = is_good ? create(m, o, report ? report : &own) : NULL;
    if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "%s",
                      m ? "an option is negative or not finite" : "there is no model (NULL)");
    }
    bi_report_clear(&own);
    return g;
}

void bi_yardstick_destroy(bi_yardstick *g)
{
    if (!g) {
        return;
    }
    if (g->body) {
        bodies_free(g);
    }
    for (int k = 0; g->timed && k < g->m->n_expr; k++) {
        free(g->timed[k]);
    }
    for (int k = 0; k < g->n_profile; k++) {
        free(g->profile[k]);
    }
    for (int k = 0; k < g->n_channel; k++) {
        free(g->channel[k].name);
    }
    yard_destroy(g->y);
    free(g->profile);
    free(g->timed);
    free(g->joint);
    free(g->spring);
    free(g->channel);
    free(g->body);
    free(g->place);
    free(g->turn);
    free(g->pending);
    free(g);
}

bi_status bi_yardstick_step(bi_yardstick *g) { return g ? yard_step(g->y, &g->step) : BI_BAD_ARGUMENT; }

double bi_yardstick_time(const bi_yardstick *g) { return g ? yard_time(g->y) : NAN; }
