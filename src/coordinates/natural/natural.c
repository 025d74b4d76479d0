// SPDX-License-Identifier: MIT
// Natural coordinates at work: markers from entities, forces and gradients back to them.
#include "coordinates/natural/natural.h"
#include "base/lanes.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>
#include <string.h>

LANES_PART vec3 map_sum(const natural *tab, const map_vec *map, int count, const double *x)
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (const map_term *t = &tab->term[map->first], *end = t + count; t < end; t++) {
        vec3 v = tray_vec3(&x[t->q]);
        sum = vec3_add_scaled(sum, t->s, v);
        if (t->t != 0.0) {
            sum = vec3_add_scaled(sum, t->t, vec3_cross(tab->body[map->body].n, v));
        }
    }
    return sum;
}

vec3 map_value(const natural *tab, const map_vec *map, const double *x)
{
    return map_sum(tab, map, map->count, x);
}

// With the constants left out: their rates are zero.
LANES_PART vec3 map_rate(const natural *tab, const map_vec *map, const double *x)
{
    return map_sum(tab, map, map->n_variable, x);
}

LANES_PART void map_force(const natural *tab, const map_vec *map, vec3 force, double *Q)
{
    for (int k = map->first; k < map->first + map->n_variable; k++) {
        const map_term *t = &tab->term[k];
        vec3 f = vec3_scale(t->s, force);
        if (t->t != 0.0) {
            f = vec3_add_scaled(f, t->t, vec3_cross(force, tab->body[map->body].n));
        }
        tray_add(&Q[t->q], f);
    }
}

// ---- lift ------------------------------------------------------------------------------------------------

LANES_PART void lift_frame(const natural *tab, const frame_marker *f, const coords *in, motion *out)
{
    // omega = 1/2 sum a_k x da_k/dt (natural.10)
    vec3 omega = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 3; k++) {
        vec3 axis = map_sum(tab, &f->column[1 + k], f->column[1 + k].count, in->q);
        out->axes[f->frame].col[k] = axis;
        omega = vec3_add_scaled(omega, 0.5, vec3_cross(axis, map_rate(tab, &f->column[1 + k], in->v)));
    }
    tray_put(&out->value[f->dof], map_sum(tab, &f->column[0], f->column[0].count, in->q));
    tray_put(&out->rate[f->dof], map_rate(tab, &f->column[0], in->v));
    tray_put(&out->rate[f->dof + 3], omega);
}

LANES static void lift_rigid(const natural *tab, const coords *in, unsigned want, motion *out)
{
    int n_linear = want & LIFT_ALL ? tab->n_linear : tab->n_read;
    for (int k = 0; k < n_linear; k++) {
        const linear_marker *l = &tab->linear[k];
        tray_put(&out->value[l->dof], map_sum(tab, &l->vec, l->vec.count, in->q));
        tray_put(&out->rate[l->dof], map_rate(tab, &l->vec, in->v));
    }
    for (int k = 0; k < tab->n_frame; k++) {
        lift_frame(tab, &tab->frame[k], in, out);
    }
    for (int k = 0; k < tab->n_scalar; k++) {
        out->value[tab->scalar[k].dof] = in->q[tab->scalar[k].q];
        out->rate[tab->scalar[k].dof] = in->v[tab->scalar[k].q];
    }
}

static void natural_lift(const void *table, const coords *in, unsigned want, motion *out)
{
    lift_rigid(table, in, want, out);
    flexible_lift(table, in, want, out);
}

// ---- drop: gradients -----------------------------------------------------------------------------------------

// Gradient (or force) on markers to gradient on columns of frames and on amplitudes.
static const double *expand(const natural *tab, const spread_group *g, const coords *at, const motion *m,
                            const double *gradient, double *buffer)
{
    if (g->is_plain) {
        return gradient;
    }
    double *to = buffer;
    for (int k = 0; k < g->n_source; k++) {
        const spread_source *s = &tab->source[g->source + k];
        const double *from = &gradient[s->at];
        if (s->flex >= 0) {
            const flex_marker *p = &tab->flex_marker[s->flex];
            flexible_expand(tab, p, at, m, from, to);
            to += 12 + tab->flex[p->flex].n_mode;
        } else if (s->kind == MARKER_FRAME) {
            vec3 moment = tray_vec3(&from[3]);
            tray_put(to, tray_vec3(from));
            for (int i = 0; i < 3; i++) {
                tray_put(&to[3 + 3 * i], vec3_scale(0.5, vec3_cross(moment, m->axes[s->index].col[i])));
            }
            to += 12;
        } else {
            int width = marker_width(s->kind);
            memcpy(to, from, (size_t)width * sizeof *to);
            to += width;
        }
    }
    return buffer;
}

LANES_PART void spread_row(const natural *tab, const spread_group *g, const double *gradient, double *row)
{
    memset(row, 0, (size_t)g->n_col * sizeof *row);
    for (int k = g->first; k < g->first + g->count; k++) {
        const spread *s = &tab->spread[k];
        const double *from = &gradient[s->from];
        double *to = &row[s->to];
        if (s->kind == SPREAD_SCALAR) {
            to[0] += s->s * from[0];
            continue;
        }
        vec3 f = tray_vec3(from);
        if (s->kind == SPREAD_COPY) {
            tray_add(to, f);
            continue;
        }
        vec3 scaled = vec3_scale(s->s, f);
        if (s->kind == SPREAD_PLANAR) {
            scaled = vec3_add_scaled(scaled, s->t, vec3_cross(f, tab->body[s->body].n));
        }
        tray_add(to, scaled);
    }
}

static void drop_constraint_rows(const natural *tab, const coords *at, const motion *m, const rows *r,
                                 double *G)
{
    double *buffer = &m->room[tab->expands_at];
    for (int g = 0; g < tab->n_group; g++) {
        const spread_group *group = &tab->group[g];
        for (int k = 0; k < tab->group_count[g]; k++) {
            const double *gradient = &r->gradient[tab->group_gradient[g] + k * group->width];
            gradient = expand(tab, group, at, m, gradient, buffer);
            spread_row(tab, group, gradient, &G[tab->structure->G_start[tab->group_first[g] + k]]);
        }
    }
}

// ---- drop: rigid bodies ------------------------------------------------------------------------------------------

LANES_PART void put_end(double *G, int at, vec3 gradient)
{
    if (at >= 0) {
        tray_put(&G[at], gradient);
    }
}

// (x_a - x_b) . (x_c - x_d) = value (natural.4)
LANES_PART void dot_position(const dot_row *d, const double *q, double *phi, double *G)
{
    vec3 left = vec3_sub(tray_vec3(&q[d->a]), tray_vec3(&q[d->b]));
    if (d->is_square) {
        *phi = d->scale * (vec3_dot(left, left) - d->value);
        vec3 g = vec3_scale(2.0 * d->scale, left);
        put_end(G, d->at[0], g);
        put_end(G, d->at[1], vec3_neg(g));
        return;
    }
    vec3 right = vec3_sub(tray_vec3(&q[d->c]), tray_vec3(&q[d->d]));
    *phi = d->scale * (vec3_dot(left, right) - d->value);
    if (d->n_constant > 0) {
        for (int i = 0; i < d->n_constant; i++) {
            G[d->constant_at[i]] = d->constant[i];
        }
        return;
    }
    if (d->is_apart) {
        // as if added: no zero with a sign
        vec3 zero = { 0.0, 0.0, 0.0 }, by_left = vec3_scale(d->scale, right),
             by_right = vec3_scale(d->scale, left);
        put_end(G, d->at[0], vec3_add(zero, by_left));
        put_end(G, d->at[1], vec3_sub(zero, by_left));
        put_end(G, d->at[2], vec3_add(zero, by_right));
        put_end(G, d->at[3], vec3_sub(zero, by_right));
        return;
    }
    const vec3 part[4] = { right, vec3_neg(right), left, vec3_neg(left) };
    for (int i = 0; i < 4; i++) {
        if (d->at[i] >= 0) {
            tray_put(&G[d->at[i]], (vec3){ 0.0, 0.0, 0.0 });
        }
    }
    for (int i = 0; i < 4; i++) {
        if (d->at[i] >= 0) {
            tray_add(&G[d->at[i]], vec3_scale(d->scale, part[i]));
        }
    }
}

LANES_PART double dot_gamma(const dot_row *d, const double *v)
{
    if (d->n_constant > 0) {
        return 0.0; // linear in q
    }
    vec3 left = vec3_sub(tray_vec3(&v[d->a]), tray_vec3(&v[d->b]));
    vec3 right = d->is_square ? left : vec3_sub(tray_vec3(&v[d->c]), tray_vec3(&v[d->d]));
    return 2.0 * d->scale * vec3_dot(left, right);
}

// An attached entity less its place in the body: constant gradients, linear in q.
static void tie_position(const natural *tab, const coords *at, rows *r, double *G)
{
    int row = tab->first_rigid + tab->n_dot;
    memcpy(&G[tab->structure->G_start[row]], tab->tie_G, (size_t)tab->n_tie_G * sizeof *G);
    for (int k = 0; k < 3 * tab->n_tie; k++, row++) {
        double phi = 0.0;
        for (int i = tab->tie_start[k]; i < tab->tie_start[k + 1]; i++) {
            phi += tab->tie_s[i] * at->q[tab->tie_q[i]];
        }
        r->phi[row] = phi;
    }
}

LANES static void dot_positions(const natural *tab, const coords *at, rows *r, double *G)
{
    const int *start = tab->structure->G_start;
    for (int k = 0; k < tab->n_dot; k++) {
        int row = tab->first_rigid + k;
        dot_position(&tab->dot[k], at->q, &r->phi[row], &G[start[row]]);
    }
}

LANES static void dot_gammas(const natural *tab, const coords *at, rows *r)
{
    for (int k = 0; k < tab->n_dot; k++) {
        r->gamma[tab->first_rigid + k] = dot_gamma(&tab->dot[k], at->v);
    }
}

static void natural_drop_rows(const void *table, const coords *at, const motion *m, unsigned want, rows *r,
                              equations *out)
{
    const natural *tab = table;
    if (want & LAW_POSITION) {
        drop_constraint_rows(tab, at, m, r, out->G);
        dot_positions(tab, at, r, out->G);
        tie_position(tab, at, r, out->G);
    }
    if (want & LAW_SECOND) {
        dot_gammas(tab, at, r);
    }
}

// ---- drop: forces and mass --------------------------------------------------------------------------------------------

static void natural_multiply_mass(const void *table, const equations *e, const double *x, double *y)
{
    const natural *tab = table;
    mass_multiply(tab->mass, tab->n_mass, e->M, x, y);
    for (int k = 0; k < tab->n_flex; k++) {
        modal_multiply(&tab->flex[k].modal, e->M, x, y);
    }
}

// Forces on points, vectors and frames of rigid bodies.
LANES static void drop_rigid(const natural *tab, const motion *m, const load *in, double *Q)
{
    for (int k = 0; k < tab->n_linear; k++) {
        const linear_marker *l = &tab->linear[k];
        if (l->vec.n_variable > 0) {
            map_force(tab, &l->vec, tray_vec3(&in->effort[l->dof]), Q);
        }
    }
    for (int k = 0; k < tab->n_frame; k++) {
        const frame_marker *f = &tab->frame[k];
        vec3 moment = tray_vec3(&in->effort[f->dof + 3]);
        map_force(tab, &f->column[0], tray_vec3(&in->effort[f->dof]), Q);
        for (int i = 0; i < 3; i++) {
            map_force(tab, &f->column[1 + i], vec3_scale(0.5, vec3_cross(moment, m->axes[f->frame].col[i])),
                      Q);
        }
    }
}

static void natural_drop_load(const void *table, const coords *at, const motion *m, const load *in,
                              unsigned want, equations *out)
{
    const natural *tab = table;
    // the mass matrix is constant but for flexible bodies: always at hand
    memset(out->Q, 0, (size_t)tab->n * sizeof *out->Q);
    drop_rigid(tab, m, in, out->Q);
    for (int k = 0; k < tab->n_scalar; k++) {
        out->Q[tab->scalar[k].q] += in->effort[tab->scalar[k].dof];
    }
    for (int k = 0; k < tab->n_flex; k++) {
        modal_drop_load(&tab->flex[k].modal, in, out->Q);
    }
    for (int k = 0; k < tab->n_flex_marker; k++) {
        const flex_marker *p = &tab->flex_marker[k];
        const flex_body *f = &tab->flex[p->flex];
        double part[12 + FLEX_MODES];
        const double *e = &in->effort[p->dof];
        if (!is_loaded(e, marker_width(p->kind))) {
            continue; // most are only looked at, or belong to rows
        }
        flexible_expand(tab, p, at, m, e, part);
        for (int i = 0; i < 4; i++) {
            map_force(tab, &f->column[i], tray_vec3(&part[3 * i]), out->Q);
        }
        for (int i = 0; i < f->n_mode; i++) {
            out->Q[f->q + i] += part[12 + i];
        }
    }
    memcpy(out->M, tab->M0, (size_t)tab->structure->tangent.nnz * sizeof *out->M);
    flexible_drop(tab, at, m, out);
    if (want & DROP_RESIDUAL) {
        // Q - M a = -(M a - Q)
        negate(tab->n, out->Q);
        natural_multiply_mass(tab, out, at->a, out->Q);
        negate(tab->n, out->Q);
    }
}

// ---- drop: stiffness and damping ------------------------------------------------------------------------------------------

static void natural_drop_tangent(const void *table, const coords *at, const motion *m, const load *in,
                                 double wK, double wC, double *T)
{
    const natural *tab = table;
    double *buffer = &m->room[tab->expands_at];
    for (int b = 0; b < tab->n_block; b++) {
        const block_map *block = &tab->block[b];
        if (!block_has_tangent(block->width, block->map.n_col) ||
            block_is_zero(&in->K[block->value], &in->C[block->value], block->width)) {
            continue;
        }
        block_map_values values = block_values(block->width, block->map.n_col, m->room);
        for (int i = 0; i < values.w; i++) {
            double unit[BLOCK_WIDTH] = { 0.0 };
            unit[i] = 1.0;
            spread_row(tab, &block->map, expand(tab, &block->map, at, m, unit, buffer),
                       values.J + i * values.stride);
        }
        block_add(&values, &in->K[block->value], &in->C[block->value], wK, wC,
                  &tab->block_entry[block->entry], T);
    }
    flexible_drop_tangent(tab, m, in, wK, wC, T);
}

static void natural_site_maps(const void *table, const coords *at, const motion *m, const bool *wanted,
                              double *J)
{
    const natural *tab = table;
    double *buffer = &m->room[tab->expands_at];
    for (int s = 0; s < tab->structure->n_site; s++) {
        const block_map *block = &tab->block[tab->site[s].group];
        if (!wanted[s]) {
            J += 6 * block->map.n_col;
            continue;
        }
        for (int i = 0; i < 6; i++, J += block->map.n_col) {
            double unit[BLOCK_WIDTH] = { 0.0 };
            unit[i] = 1.0;
            spread_row(tab, &block->map, expand(tab, &block->map, at, m, unit, buffer), J);
        }
    }
}

// ---- poses --------------------------------------------------------------------------------------------------------------------

vec3 column_value(const natural_body *b, int k, const double *x)
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int e = 0; e < b->n_entity; e++) {
        vec3 v = tray_vec3(&x[b->q[e]]);
        sum = vec3_add_scaled(sum, b->S[e][k], v);
        if (b->T[e][k] != 0.0) {
            sum = vec3_add_scaled(sum, b->T[e][k], vec3_cross(b->n, v));
        }
    }
    return sum;
}

// One number of all columns.
typedef double columns_lane __attribute__((vector_size(32), aligned(8)));

LANES void columns_value(const natural_body *b, const double *x, vec3 out[4])
{
    columns_lane sum[3] = { { 0.0 }, { 0.0 }, { 0.0 } };
    for (int e = 0; e < b->n_entity; e++) {
        columns_lane S;
        vec3 v = tray_vec3(&x[b->q[e]]);
        memcpy(&S, b->S[e], sizeof S);
        sum[0] += S * v.x;
        sum[1] += S * v.y;
        sum[2] += S * v.z;
        if (b->kind != BODY_PLANAR) {
            continue; // the others have no T
        }
        vec3 across = vec3_cross(b->n, v);
        UNROLL
        for (int k = 0; k < 4; k++) {
            if (b->T[e][k] != 0.0) {
                sum[0][k] += b->T[e][k] * across.x;
                sum[1][k] += b->T[e][k] * across.y;
                sum[2][k] += b->T[e][k] * across.z;
            }
        }
    }
    UNROLL
    for (int k = 0; k < 4; k++) {
        out[k] = (vec3){ sum[0][k], sum[1][k], sum[2][k] };
    }
}

// The frame of a bar: its line as it is, no more rotation than needed to get there.
static void bar_pose(const natural_body *b, const vec3 column[4], const vec3 moving[4], bi_pose *pose,
                     bi_twist *twist)
{
    vec3 along = { 0, 0, 0 }, rate = { 0, 0, 0 };
    const double line[3] = { b->line.x, b->line.y, b->line.z };
    for (int k = 0; k < 3; k++) {
        along = vec3_add_scaled(along, line[k], column[1 + k]);
        rate = vec3_add_scaled(rate, line[k], moving[1 + k]);
    }
    vec3 half = vec3_add(b->line, along);
    if (vec3_norm(half) < 1e-9) {
        pose->rot = quat_from_axis_angle(vec3_perpendicular(b->line), math_acos(-1.0));
    } else {
        vec3 middle = vec3_normalized(half), axis = vec3_cross(b->line, middle);
        pose->rot = quat_normalized((bi_quat){ vec3_dot(b->line, middle), axis.x, axis.y, axis.z });
    }
    twist->ang = vec3_cross(along, rate);
}

static void natural_poses(const void *table, const coords *at, const motion *m, const bool *wanted,
                          bi_pose *pose, bi_twist *twist)
{
    (void)m;
    const natural *tab = table;
    for (int b = 0; b < tab->n_body; b++) {
        const natural_body *body = &tab->body[b];
        vec3 column[4], moving[4], omega = { 0.0, 0.0, 0.0 };
        if (wanted && !wanted[b]) {
            continue;
        }
        columns_value(body, at->q, column);
        columns_value(body, at->v, moving);
        pose[b].pos = column[0];
        twist[b].lin = moving[0];
        if (body->kind == BODY_BAR) {
            bar_pose(body, column, moving, &pose[b], &twist[b]);
            continue;
        }
        for (int k = 1; k < 4; k++) {
            omega = vec3_add_scaled(omega, 0.5, vec3_cross(column[k], moving[k]));
        }
        pose[b].rot = quat_from_mat3((mat3){ { column[1], column[2], column[3] } });
        twist[b].ang = omega;
    }
}

static int natural_mirrored(const void *table, const coords *at)
{
    const natural *tab = table;
    for (int b = 0; b < tab->n_body; b++) {
        if (tab->body[b].kind != BODY_GENERAL) {
            continue;
        }
        // the columns of a body are its axes: left-handed ones show a mirrored basis
        mat3 A = { { column_value(&tab->body[b], 1, at->q), column_value(&tab->body[b], 2, at->q),
                     column_value(&tab->body[b], 3, at->q) } };
        if (mat3_det(A) < 0.0) {
            return b;
        }
    }
    return -1;
}

// ---- what joints still need ---------------------------------------------------------------------------------------------------

static void natural_request(plan *p)
{
    const bi_model *m = p->model;
    for (int j = 0; j < m->n_joint; j++) {
        if (model_joint_is_flexible(m, j)) {
            closure_request(p, j);
        } else {
            closure_request_unshared(p, j);
        }
        closure_request_pitch(p, j);
    }
    // coordinates that something asks for become variables with their definition
    for (int k = 0; k < p->n_marker; k++) {
        if (p->marker[k].kind == MARKER_JOINT) {
            plan_request_definition(p, p->marker[k].joint, p->marker[k].coordinate);
        }
    }
}

const coordinates_set natural_set = {
    .value = BI_NATURAL,
    .name = "natural",
    .request = natural_request,
    .create = natural_create,
    .destroy = natural_destroy,
    .lift = natural_lift,
    .drop_rows = natural_drop_rows,
    .drop_load = natural_drop_load,
    .drop_tangent = natural_drop_tangent,
    .site_maps = natural_site_maps,
    .multiply_mass = natural_multiply_mass,
    .poses = natural_poses,
    .mirrored = natural_mirrored,
    .place = natural_place,
    .seats = natural_seats,
    .spin = natural_spin,
    .frames_create = natural_frames_create,
    .frames = natural_frames,
    .reactions_scratch = natural_reactions_scratch,
    .reactions = natural_reactions,
};
