// SPDX-License-Identifier: MIT
// Turning bodies in natural coordinates: how fast they spin, and the frames in which a step sees their points and
// vectors nearly at rest (natural.12, ali3p.15).
#include "coordinates/natural/compile.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- compile: who carries which entity -------------------------------------------------------------------------------

static bool turns(const natural_body *b)
{
    return b->kind == BODY_PLANAR || b->kind == BODY_BAR || b->kind == BODY_GENERAL;
}

// Joints between each body and the ground, n_body where there is no way. Few passes: chains are mostly described
// outwards.
static void find_depths(const bi_model *m, int *depth)
{
    for (int b = 0; b < m->n_body; b++) {
        depth[b] = b == 0 ? 0 : m->n_body;
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int j = 0; j < m->n_joint; j++) {
            int a = m->joint[j].def.a.i - 1, b = m->joint[j].def.b.i - 1;
            if (depth[a] + 1 < depth[b] || depth[b] + 1 < depth[a]) {
                int near = depth[a] < depth[b] ? depth[a] : depth[b];
                depth[a] = depth[a] < near + 1 ? depth[a] : near + 1;
                depth[b] = depth[b] < near + 1 ? depth[b] : near + 1;
                has_changed = true;
            }
        }
    }
}

typedef struct {
    compiler *c;
    int *depth; // of bodies (n_body)
    int *
        centre; // point that each body turns about, its first coordinate; -1: not looked at, or none (n_body)
    int *number; // of each body in natural.turning; -1: it does not turn (n_body)
    int *
        place; // in natural.carried of each entity, by its first coordinate; -1: not carried, -2: not looked at (n_q)
} carrier;

// The point that a body turns about: one that never moves, one that another body carries, else its first one.
static int choose_centre(const carrier *k, const natural_body *b)
{
    const natural *tab = k->c->tab;
    int best = -1;
    for (int e = 0; e < b->n_entity; e++) {
        if (k->c->shared.slot[b->slot[e]].is_vector) {
            continue;
        }
        if (b->q[e] >= tab->n) {
            return b->q[e];
        }
        bool is_known = k->place[b->q[e]] != -2, has_known = best >= 0 && k->place[best] != -2;
        best = best < 0 || (is_known && !has_known) ? b->q[e] : best;
    }
    return best;
}

// The entity turns with a body about a centre, if nobody carries it yet.
static void carry(carrier *k, int q, int centre, int body)
{
    natural *tab = k->c->tab;
    if (q < tab->n && k->place[q] == -2 && q != centre) {
        int parent = centre < tab->n ? k->place[centre] : -1, axis = tab->turning[k->number[body]].axis;
        bool is_alike = parent < 0 || tab->carried[parent].axis == axis;
        k->place[q] = tab->n_carried;
        tab->carried[tab->n_carried++] =
            (carried_entity){ q, centre, parent, k->number[body], is_alike ? axis : 3 };
    }
}

// What the spin of a body is read from.
static void add_turning(compiler *c, int body)
{
    natural *tab = c->tab;
    const natural_body *b = &tab->body[body];
    turning_body *t = &tab->turning[tab->n_turning++];
    *t = (turning_body){ .body = body, .to = b->q[1], .from = b->q[0] };
    if (c->shared.slot[b->slot[1]].is_vector) {
        t->from = c->null;
    }
    vec3 arm = vec3_sub(tray_vec3(&c->out->q0[t->to]), tray_vec3(&c->out->q0[t->from]));
    arm = vec3_add_scaled(arm, -vec3_dot(arm, b->n), b->n);
    t->share = 1.0 / vec3_dot(arm, arm);
    t->axis = fabs(b->n.x) == 1.0 ? 0 : fabs(b->n.y) == 1.0 ? 1 : fabs(b->n.z) == 1.0 ? 2 : 3;
}

// A body on a slide or on a node of a flexible one: its own centre turns with the body that holds it.
static void carry_centre(carrier *k, int body, int centre)
{
    const bi_model *m = k->c->model;
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *def = &m->joint[j].def;
        int a = def->a.i - 1, b = def->b.i - 1, other = a == body ? b : a;
        if ((a == body || b == body) && !joint_is_free(def->kind) && !joint_is_distance(def->kind) &&
            k->depth[other] < k->depth[body] && k->number[other] >= 0 && k->centre[other] >= 0) {
            carry(k, centre, k->centre[other], other);
        }
    }
    if (k->place[centre] == -2) {
        k->place[centre] = -1;
    }
}

static void carry_body(carrier *k, int body)
{
    compiler *c = k->c;
    const natural_body *b = &c->tab->body[body];
    int centre = k->centre[body] = choose_centre(k, b);
    if (centre >= 0 && centre < c->tab->n && k->place[centre] == -2) {
        carry_centre(k, body, centre);
    }
    if (!turns(b)) {
        return;
    }
    k->number[body] = c->tab->n_turning;
    add_turning(c, body);
    for (int e = 0; e < b->n_entity; e++) {
        bool is_vector = c->shared.slot[b->slot[e]].is_vector;
        if (is_vector || centre >= 0) {
            carry(k, b->q[e], is_vector ? c->null : centre, body);
        }
    }
    for (int t = 0; t < c->base.n_tie; t++) {
        const rigid_tie *tie = &c->base.tie[t];
        if (tie->body == body && (tie->is_vector || centre >= 0)) {
            carry(k, c->shared.slot[tie->slot].q, tie->is_vector ? c->null : centre, body);
        }
    }
}

bool turning_create(compiler *c)
{
    natural *tab = c->tab;
    size_t n_body = (size_t)c->model->n_body;
    carrier k = { c, malloc(n_body * sizeof *k.depth), malloc(n_body * sizeof *k.centre),
                  malloc(n_body * sizeof *k.number), malloc((size_t)tab->n_q * sizeof *k.place) };
    tab->carried = malloc((size_t)(tab->n / 3 + 1) * sizeof *tab->carried);
    tab->turning = malloc(n_body * sizeof *tab->turning);
    bool ok = k.depth && k.centre && k.number && k.place && tab->carried && tab->turning;
    if (ok) {
        find_depths(c->model, k.depth);
        for (size_t b = 0; b < n_body; b++) {
            k.centre[b] = k.number[b] = -1;
        }
        for (int i = 0; i < tab->n_q; i++) {
            k.place[i] = -2;
        }
        // near the ground first: an axis follows the body that holds it, not the rotor on it
        for (int level = 1; level <= (int)n_body; level++) {
            for (int b = 1; b < (int)n_body; b++) {
                if (k.depth[b] == level) {
                    carry_body(&k, b);
                }
            }
        }
    }
    free(k.depth);
    free(k.centre);
    free(k.number);
    free(k.place);
    return ok;
}

// ---- at work ---------------------------------------------------------------------------------------------------------

// The coordinates that a turn about each axis moves, in the order of the turn.
static const int one_of[3] = { 1, 2, 0 }, other_of[3] = { 2, 0, 1 };

// The direction of a planar body or a bar, or its rate.
static vec3 arm_value(const turning_body *t, const double *x)
{
    return vec3_sub(tray_vec3(&x[t->to]), tray_vec3(&x[t->from]));
}

// Angular velocity from the axes of a body and their rates; with second rates its angular acceleration, since 2 omega' =
// sum a_k x a_k'' (natural.10).
static vec3 spin_of_axes(const vec3 column[4], const vec3 rate[4])
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 1; k < 4; k++) {
        sum = vec3_add_scaled(sum, 0.5, vec3_cross(column[k], rate[k]));
    }
    return sum;
}

// The same of planar bodies and bars.
static vec3 spin_of_arm(const natural_body *b, const turning_body *t, const double *x, const double *rate)
{
    vec3 spin = vec3_scale(t->share, vec3_cross(arm_value(t, x), arm_value(t, rate)));
    return b->kind == BODY_PLANAR ? vec3_scale(vec3_dot(b->n, spin), b->n) : spin;
}

// Its square alone, from the rates: sum |a_k'|^2 = 2 omega^2 of three axes.
static double spin_squared(const natural *tab, const turning_body *t, const double *rate)
{
    const natural_body *b = &tab->body[t->body];
    if (b->kind == BODY_GENERAL) {
        double sum = 0.0;
        vec3 moving[4];
        columns_value(b, rate, moving);
        for (int k = 1; k < 4; k++) {
            sum += 0.5 * vec3_dot(moving[k], moving[k]);
        }
        return sum;
    }
    vec3 v = arm_value(t, rate);
    return t->share * vec3_dot(v, v);
}

// The same of a body that turns about a coordinate axis.
static double rate_squared(const turning_body *t, const double *rate)
{
    const double *to = rate + t->to, *from = rate + t->from;
    int i = one_of[t->axis], j = other_of[t->axis];
    double x = to[i] - from[i], y = to[j] - from[j];
    return t->share * (x * x + y * y);
}

double natural_spin(const void *table, const coords *at, const motion *m, own_int *body)
{
    (void)m;
    const natural *tab = table;
    double most = 0.0;
    int fastest = -1;
    for (int k = 0; k < tab->n_turning; k++) {
        const turning_body *t = &tab->turning[k];
        double now = t->axis < 3 ? rate_squared(t, at->v) : spin_squared(tab, t, at->v);
        if (now > most) {
            most = now;
            fastest = tab->turning[k].body;
        }
    }
    *body = fastest;
    return sqrt(most);
}

// Sine and cosine; a step turns little as a rule.
static void sincos_little(double x, double *sin, double *cos)
{
    double x2 = x * x;
    if (x2 < 0.04) {
        // the sixth terms are beyond the last bit
        *sin = x * (1.0 - x2 * (1.0 / 6 - x2 * (1.0 / 120 - x2 * (1.0 / 5040 - x2 / 362880))));
        *cos = 1.0 - x2 * (0.5 - x2 * (1.0 / 24 - x2 * (1.0 / 720 - x2 * (1.0 / 40320 - x2 / 3628800))));
    } else {
        math_sincos(x, sin, cos);
    }
}

// About a coordinate axis, at the middle of the step.
static double rate_in_plane(const turning_body *t, const coords *at, double h)
{
    const double *to = at->q + t->to, *from = at->q + t->from, *to_v = at->v + t->to,
                 *from_v = at->v + t->from;
    const double *to_a = at->a + t->to, *from_a = at->a + t->from;
    int i = one_of[t->axis], j = other_of[t->axis];
    double half = 0.5 * h, v_i = (to_v[i] - from_v[i]) + half * (to_a[i] - from_a[i]);
    double v_j = (to_v[j] - from_v[j]) + half * (to_a[j] - from_a[j]);
    return t->share * ((to[i] - from[i]) * v_j - (to[j] - from[j]) * v_i);
}

// The frame of a body over the step, with the spin of the middle: both directions of time then see the same frame.
static void set_frame(const natural *tab, const turning_body *t, const coords *at, double h,
                      turning_frame *out)
{
    if (out->is_plane) {
        out->rate = rate_in_plane(t, at, h);
        sincos_little(h * out->rate, &out->sin, &out->cos);
        return;
    }
    const natural_body *b = &tab->body[t->body];
    vec3 by_v, by_a, column[4], moving[4];
    if (b->kind == BODY_GENERAL) {
        columns_value(b, at->q, column);
        columns_value(b, at->v, moving);
        by_v = spin_of_axes(column, moving);
        columns_value(b, at->a, moving);
        by_a = spin_of_axes(column, moving);
    } else {
        by_v = spin_of_arm(b, t, at->q, at->v);
        by_a = spin_of_arm(b, t, at->q, at->a);
    }
    out->spin = vec3_add_scaled(by_v, 0.5 * h, by_a);
    out->turn = mat3_from_axis_angle(out->spin, h * vec3_norm(out->spin));
}

void natural_frames_create(const void *table, turning_frame *out)
{
    const natural *tab = table;
    for (int k = 0; k < tab->n_carried; k++) {
        const carried_entity *e = &tab->carried[k];
        int i = one_of[e->axis % 3], j = other_of[e->axis % 3];
        out[k] =
            (turning_frame){ .x = e->q, .centre = e->centre, .parent = e->parent, .is_plane = e->axis < 3 };
        out[k].i = e->q + i;
        out[k].j = e->q + j;
        out[k].centre_i = e->centre + i;
        out[k].centre_j = e->centre + j;
    }
}

void natural_frames(const void *table, const coords *at, double h, turning_frame *out)
{
    const natural *tab = table;
    for (int k = 0; k < tab->n_carried; k++) {
        const carried_entity *e = &tab->carried[k];
        turning_frame *f = &out[k];
        if (k == 0 || e->turning != e[-1].turning || e->axis != e[-1].axis) {
            set_frame(tab, &tab->turning[e->turning], at, h, f);
        } else if (e->axis < 3) {
            f->rate = f[-1].rate;
            f->sin = f[-1].sin;
            f->cos = f[-1].cos;
        } else {
            f->spin = f[-1].spin;
            f->turn = f[-1].turn;
        }
    }
}
