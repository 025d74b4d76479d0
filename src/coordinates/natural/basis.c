// SPDX-License-Identifier: MIT
#include "coordinates/natural/basis.h"
#include "base/list.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// a direction is usable beside others when its part across them is at least this fraction of it
static const double independent = 0.3;
// lengths below this fraction of the mechanism's size count as zero
static const double small = 1e-9;

typedef struct {
    sharing *s;
    const plan *p;
    bases *out;
    int b; // the body
} builder;

// ---- small helpers ---------------------------------------------------------------------------------

static int add_entity(builder *k, slot_ref own, double *sign)
{
    natural_body *body = &k->out->body[k->b];
    slot_ref root = sharing_root(k->s, own.slot);
    *sign = own.sign * root.sign;
    body->slot[body->n_entity] = root.slot;
    return body->n_entity++;
}

static void add_dot(builder *k, int a, int b, int c, int d, double value, double scale)
{
    bases *o = k->out;
    // a row between constants says nothing
    bool moves = false;
    const int ends[4] = { a, b, c, d };
    for (int i = 0; i < 4; i++) {
        moves |= ends[i] >= 0 && !k->s->slot[ends[i]].is_fixed;
    }
    if (!moves || !LIST_RESERVE(o->dot, o->n_dot, o->cap_dot)) {
        o->no_memory |= moves;
        return;
    }
    // bodies that share two vectors share their right angle: keep one (only shared pairs can repeat; look back far
    // enough)
    for (int i = o->n_dot - 1; i >= 0 && i >= o->n_dot - 256; i--) {
        const rigid_dot *h = &o->dot[i];
        // a different value is a contradiction: the assembly tells it
        if (fabs(h->value - value) * scale > small * k->s->size) {
            continue;
        }
        if ((h->a == a && h->b == b && h->c == c && h->d == d) ||
            (h->a == c && h->b == d && h->c == a && h->d == b)) {
            return;
        }
    }
    o->dot[o->n_dot++] = (rigid_dot){ a, b, c, d, value, scale, k->b };
}

static void add_ties(builder *k)
{
    bases *o = k->out;
    const natural_body *body = &o->body[k->b];
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        slot_ref root = sharing_root(k->s, i);
        bool is_basis = false;
        for (int e = 0; e < body->n_entity; e++) {
            is_basis |= body->slot[e] == root.slot;
        }
        if (is_basis || (body->kind <= BODY_TRANSLATING && k->s->slot[root.slot].is_fixed)) {
            continue;
        }
        if (!LIST_RESERVE(o->tie, o->n_tie, o->cap_tie)) {
            o->no_memory = true;
            return;
        }
        const slot *own = &k->s->slot[i];
        o->tie[o->n_tie++] = (rigid_tie){ root.slot, root.sign, k->b, own->local, own->is_vector };
    }
}

static int first_point(const builder *k)
{
    // slots are chained newest first; the oldest is the one of the first joint
    int found = -1;
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        found = k->s->slot[i].is_vector ? found : i;
    }
    return found;
}

static const bi_body_def *body_def(const builder *k) { return &k->s->model->body[k->b].def; }

// ---- fixed and translating bodies ----------------------------------------------------------------------

// Constant axes as entities 1..3; the columns follow at once.
static void carry_constant_axes(builder *k, vec3 point_local)
{
    natural_body *body = &k->out->body[k->b];
    static const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const double local[3] = { point_local.x, point_local.y, point_local.z };
    for (int i = 0; i < 3; i++) {
        double sign;
        slot_ref own = sharing_vector(k->s, k->b, unit[i]);
        slot *root = &k->s->slot[sharing_root(k->s, own.slot).slot];
        if (!root->is_fixed) {
            root->is_fixed = true;
            root->value = vec3_scale(own.sign * sharing_root(k->s, own.slot).sign,
                                     mat3_apply(k->s->axes[k->b], unit[i]));
        }
        int e = add_entity(k, own, &sign);
        body->S[e][0] = -sign * local[i];
        body->S[e][1 + i] = sign;
    }
}

static void build_translating(builder *k, vec3 point_local)
{
    natural_body *body = &k->out->body[k->b];
    double sign;
    slot_ref point = sharing_point(k->s, k->b, point_local);
    int e = add_entity(k, point, &sign);
    body->S[e][0] = 1.0;
    body->kind = k->s->slot[body->slot[e]].is_fixed ? BODY_FIXED : BODY_TRANSLATING;
    carry_constant_axes(k, k->s->slot[point.slot].local);
}

// ---- bars and particles ----------------------------------------------------------------------------------

// Largest distance from the line (or, with no direction, from the point) of anything attached to the body.
static double reach(const builder *k, vec3 from, vec3 line, bool *has_direction)
{
    double far = 0.0;
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        *has_direction |= k->s->slot[i].is_vector;
        vec3 d = vec3_sub(k->s->slot[i].local, from);
        far = fmax(far, vec3_norm(vec3_add_scaled(d, -vec3_dot(d, line), line)));
    }
    for (int m = 0; m < k->p->n_marker; m++) {
        const marker *mark = &k->p->marker[m];
        if (mark->body != k->b || mark->kind == MARKER_MODE) {
            continue;
        }
        *has_direction |= mark->kind != MARKER_POINT;
        vec3 d = vec3_sub(mark->at, from);
        far = fmax(far, vec3_norm(vec3_add_scaled(d, -vec3_dot(d, line), line)));
    }
    return far;
}

static mat3 inertia_tensor(const double i[6])
{
    return (mat3){ { { i[0], i[3], i[5] }, { i[3], i[1], i[4] }, { i[5], i[4], i[2] } } };
}

static bool has_no_rotary_inertia(const bi_body_def *d, vec3 about)
{
    double e[3];
    mat3_symmetric_eigenvalues(inertia_tensor(d->inertia), e);
    return e[2] == 0.0 && (d->mass == 0.0 || vec3_norm(vec3_sub(d->com, about)) == 0.0);
}

// A body that is only a point: no inertia about it and nothing attached elsewhere.
static bool is_particle(const builder *k)
{
    const bi_body_def *d = body_def(k);
    int point = first_point(k);
    vec3 at = point >= 0 ? k->s->slot[point].local : d->com;
    bool has_direction = false;
    double far = reach(k, at, (vec3){ 0, 0, 0 }, &has_direction);
    return !d->flex && !has_direction && far <= small * k->s->size && has_no_rotary_inertia(d, at);
}

// The line of a body that is only a bar, through `at`. False: it is more than that.
static bool is_bar(const builder *k, vec3 *at, vec3 *line)
{
    const bi_body_def *d = body_def(k);
    int point = first_point(k);
    if (d->flex || point < 0) {
        return false;
    }
    *at = k->s->slot[point].local;
    vec3 along = vec3_sub(d->com, *at);
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        vec3 other = vec3_sub(k->s->slot[i].local, *at);
        if (!k->s->slot[i].is_vector && vec3_norm(other) > vec3_norm(along)) {
            along = other;
        }
    }
    if (vec3_norm(along) <= small * k->s->size) {
        return false;
    }
    *line = vec3_normalized(along);
    bool has_direction = false;
    double far = reach(k, *at, *line, &has_direction);
    vec3 arm = vec3_sub(d->com, *at);
    double com_off = d->mass > 0.0 ? vec3_norm(vec3_add_scaled(arm, -vec3_dot(arm, *line), *line)) : 0.0;
    vec3 spin = mat3_apply(inertia_tensor(d->inertia), *line);
    double e[3];
    mat3_symmetric_eigenvalues(inertia_tensor(d->inertia), e);
    return !has_direction && fmax(far, com_off) <= small * k->s->size && vec3_norm(spin) <= 1e-12 * e[2];
}

static void build_bar(builder *k, vec3 at, vec3 line)
{
    natural_body *body = &k->out->body[k->b];
    // the far end: the outermost slot, else the centre of mass
    vec3 end = body_def(k)->com;
    double far = fabs(vec3_dot(vec3_sub(end, at), line));
    bool has_end = false;
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        double along = fabs(vec3_dot(vec3_sub(k->s->slot[i].local, at), line));
        if (along > small * k->s->size && (!has_end || along > far)) {
            has_end = true;
            far = along;
            end = k->s->slot[i].local;
        }
    }
    double length = vec3_dot(vec3_sub(end, at), line), sign;
    int one = add_entity(k, sharing_point(k->s, k->b, at), &sign);
    int two = add_entity(k, sharing_point(k->s, k->b, end), &sign);
    body->kind = BODY_BAR;
    body->line = line;
    const double part[4] = { -vec3_dot(at, line) / length, line.x / length, line.y / length,
                             line.z / length };
    for (int c = 0; c < 4; c++) {
        body->S[two][c] = part[c];
        body->S[one][c] = (c == 0 ? 1.0 : 0.0) - part[c];
    }
    add_dot(k, body->slot[two], body->slot[one], body->slot[two], body->slot[one], length * length,
            0.5 / fabs(length));
}

// ---- planar bodies -----------------------------------------------------------------------------------------

typedef struct {
    vec3 local, ground;
} axis_pair;

// A constant direction of the body; false: none.
static bool constant_axis(const builder *k, axis_pair *axis)
{
    int point = -1;
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        slot_ref root = sharing_root(k->s, i);
        const slot *own = &k->s->slot[i], *r = &k->s->slot[root.slot];
        if (!r->is_fixed) {
            continue;
        }
        if (own->is_vector) {
            *axis = (axis_pair){ own->local, vec3_scale(root.sign, r->value) };
            return true;
        }
        if (point >= 0) {
            const slot *other = &k->s->slot[sharing_root(k->s, point).slot];
            *axis = (axis_pair){ vec3_normalized(vec3_sub(own->local, k->s->slot[point].local)),
                                 vec3_normalized(vec3_sub(r->value, other->value)) };
            return true;
        }
        point = i;
    }
    return false;
}

static vec3 across(vec3 v, vec3 axis) { return vec3_add_scaled(v, -vec3_dot(v, axis), axis); }

// The slot farthest from the axis through `from`: the second point of a planar body; -1: none is off the axis.
static int farthest_point(const builder *k, vec3 from, vec3 axis)
{
    int best = -1;
    double far = small * k->s->size;
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        double off =
            k->s->slot[i].is_vector ? 0.0 : vec3_norm(across(vec3_sub(k->s->slot[i].local, from), axis));
        if (off > far * (1.0 + 1e-12)) {
            far = off;
            best = i;
        }
    }
    return best;
}

// Columns of a planar body from its in-plane direction (natural.5): local coordinates of the frame along e1, n x e1, n.
static void planar_columns(natural_body *body, const int entity[3], vec3 from, vec3 e1, vec3 axis, double d,
                           double h, bool second_is_point, double sign)
{
    vec3 e2 = vec3_cross(axis, e1);
    const vec3 column[4] = { vec3_neg(from), { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int c = 0; c < 4; c++) {
        double x1 = vec3_dot(column[c], e1) / d, x2 = vec3_dot(column[c], e2) / d,
               x3 = vec3_dot(column[c], axis);
        body->S[entity[1]][c] = sign * x1;
        body->T[entity[1]][c] = sign * x2;
        body->S[entity[2]][c] = x3 - x1 * h;
        body->S[entity[0]][c] = (c == 0 ? 1.0 : 0.0) - (second_is_point ? x1 : 0.0);
        body->T[entity[0]][c] = second_is_point ? -x2 : 0.0;
    }
}

static void build_planar(builder *k, const axis_pair *axis)
{
    natural_body *body = &k->out->body[k->b];
    const bi_body_def *def = body_def(k);
    body->kind = BODY_PLANAR;
    body->n = axis->ground;

    // a point, and one off the axis through it: a joint's, else the centre of mass, else a new vector
    int one = first_point(k);
    vec3 from = one >= 0 ? k->s->slot[one].local : def->com;
    double sign, second_sign = 1.0;
    int entity[3];
    entity[0] = add_entity(k, sharing_point(k->s, k->b, from), &sign);
    int two = farthest_point(k, from, axis->local);
    bool com_is_off =
        def->mass > 0.0 && vec3_norm(across(vec3_sub(def->com, from), axis->local)) > 1e-3 * k->s->size;
    bool is_point = two >= 0 || com_is_off;
    vec3 reach_to = two >= 0 ? vec3_sub(k->s->slot[two].local, from) : vec3_sub(def->com, from);
    vec3 e1 = is_point ? vec3_normalized(across(reach_to, axis->local)) : vec3_perpendicular(axis->local);
    double d = is_point ? vec3_norm(across(reach_to, axis->local)) : 1.0;
    double h = is_point ? vec3_dot(reach_to, axis->local) : 0.0;
    slot_ref second =
        is_point ? sharing_point(k->s, k->b, vec3_add(from, reach_to)) : sharing_vector(k->s, k->b, e1);
    entity[1] = add_entity(k, second, &second_sign);
    double axis_sign;
    entity[2] = add_entity(k, sharing_vector(k->s, k->b, axis->local), &axis_sign);
    slot *n = &k->s->slot[body->slot[entity[2]]];
    if (!n->is_fixed) {
        n->is_fixed = true;
        n->value = vec3_scale(axis_sign, axis->ground);
    }
    planar_columns(body, entity, from, e1, axis->local, d, h, is_point, second_sign);
    for (int c = 0; c < 4; c++) {
        body->S[entity[2]][c] *= axis_sign;
    }

    // length of the direction, and its height along the axis
    int a = body->slot[entity[1]], b = is_point ? body->slot[entity[0]] : -1;
    add_dot(k, a, b, a, b, d * d + h * h, 0.5 / d);
    add_dot(k, a, b, body->slot[entity[2]], -1, h * axis_sign * second_sign, 1.0);
}

// ---- general bodies ------------------------------------------------------------------------------------------

typedef struct {
    slot_ref slot;
    vec3 local; // direction in the body frame
    bool is_point;
} candidate;

// The part of v across the unit vectors taken so far.
static vec3 remainder_of(vec3 v, const vec3 *taken, int count)
{
    for (int i = 0; i < count; i++) {
        v = vec3_add_scaled(v, -vec3_dot(v, taken[i]), taken[i]);
    }
    return v;
}

// The most independent of the body's directions; constant ones first. False: none is independent enough.
static bool next_direction(const builder *k, vec3 from, const vec3 *taken, int count, candidate *best)
{
    double most = independent;
    bool found = false;
    for (int i = k->s->first[k->b]; i >= 0; i = k->s->slot[i].next) {
        const slot *own = &k->s->slot[i];
        vec3 d = own->is_vector ? own->local : vec3_sub(own->local, from);
        double length = vec3_norm(d);
        if (length <= small * k->s->size) {
            continue;
        }
        // a constant costs nothing, a vector is better conditioned than a difference of points
        double bonus = k->s->slot[sharing_root(k->s, i).slot].is_fixed ? 2.0 : own->is_vector ? 1.05 : 1.0;
        double share = vec3_norm(remainder_of(d, taken, count)) / length;
        if (share >= independent && share * bonus > most) {
            most = share * bonus;
            found = true;
            *best = (candidate){ { i, 1.0 }, d, !own->is_vector };
        }
    }
    return found;
}

static double length_scale(const candidate *a, const candidate *b)
{
    if (a == b) {
        return 0.5 / vec3_norm(a->local);
    }
    return a->is_point && b->is_point ? 1.0 / fmin(vec3_norm(a->local), vec3_norm(b->local)) : 1.0;
}

// ---- bases named by the model: body key `basis` --------------------------------------------------------------------

static bool is_named(const builder *k) { return body_def(k)->basis[0] != NULL; }

static const model_named *named_entity(const builder *k, int i)
{
    return &k->s->model->named[model_find_named(k->s->model, body_def(k)->basis[i])];
}

// The first of the four that is a point: the origin.
static int named_origin(const builder *k)
{
    int i = 0;
    while (named_entity(k, i)->is_vector) {
        i++;
    }
    return i;
}

// The i-th of the other three, as a direction.
static candidate named_direction(const builder *k, vec3 from, int i)
{
    const model_named *n = named_entity(k, i < named_origin(k) ? i : i + 1);
    vec3 local = n->is_vector ? vec3_normalized(n->at) : vec3_sub(n->at, from);
    slot_ref own = n->is_vector ? sharing_vector(k->s, k->b, local) : sharing_point(k->s, k->b, n->at);
    return (candidate){ own, local, !n->is_vector };
}

static void build_general(builder *k)
{
    natural_body *body = &k->out->body[k->b];
    body->kind = BODY_GENERAL;
    int one = first_point(k);
    vec3 from = is_named(k) ? named_entity(k, named_origin(k))->at
                : one >= 0  ? k->s->slot[one].local
                            : body_def(k)->com;
    double sign[3], ignored;
    int origin = add_entity(k, sharing_point(k->s, k->b, from), &ignored), entity[3];

    // three directions: those that joints already made, completed by new vectors
    candidate chosen[3];
    vec3 taken[3];
    for (int i = 0; i < 3; i++) {
        if (is_named(k)) {
            chosen[i] = named_direction(k, from, i);
        } else if (!next_direction(k, from, taken, i, &chosen[i])) {
            vec3 fresh = i == 0   ? (vec3){ 1, 0, 0 }
                         : i == 1 ? vec3_perpendicular(taken[0])
                                  : vec3_cross(taken[0], taken[1]);
            chosen[i] = (candidate){ sharing_vector(k->s, k->b, fresh), fresh, false };
        }
        taken[i] = vec3_normalized(remainder_of(chosen[i].local, taken, i));
        entity[i] = add_entity(k, chosen[i].slot, &sign[i]);
    }

    // columns (natural.3): coefficients of the frame along the three directions
    mat3 X = { { chosen[0].local, chosen[1].local, chosen[2].local } }, inverse = mat3_identity();
    mat3_inverse(X, &inverse);
    body->orientation = mat3_det(X) > 0.0 ? 1.0 : -1.0;
    const vec3 column[4] = { vec3_neg(from), { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int c = 0; c < 4; c++) {
        vec3 along = mat3_apply(inverse, column[c]);
        const double part[3] = { along.x, along.y, along.z };
        body->S[origin][c] += c == 0 ? 1.0 : 0.0;
        for (int i = 0; i < 3; i++) {
            body->S[entity[i]][c] += sign[i] * part[i];
            body->S[origin][c] -= chosen[i].is_point ? part[i] : 0.0;
        }
    }

    // rigid: the six dot products of the directions
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            int b = chosen[i].is_point ? body->slot[origin] : -1,
                d = chosen[j].is_point ? body->slot[origin] : -1;
            add_dot(k, body->slot[entity[i]], b, body->slot[entity[j]], d,
                    sign[i] * sign[j] * vec3_dot(chosen[i].local, chosen[j].local),
                    length_scale(&chosen[i], &chosen[j]));
        }
    }
}

// ---- all of them ---------------------------------------------------------------------------------------------

static void build_body(builder *k)
{
    vec3 at, line;
    axis_pair axis;
    int point = first_point(k);
    if (k->s->keeps_axes[k->b] || is_particle(k)) {
        build_translating(k, point >= 0  ? k->s->slot[point].local
                             : k->b == 0 ? (vec3){ 0, 0, 0 }
                                         : body_def(k)->com);
    } else if (is_named(k)) {
        build_general(k);
    } else if (constant_axis(k, &axis)) {
        build_planar(k, &axis);
    } else if (is_bar(k, &at, &line)) {
        build_bar(k, at, line);
    } else {
        build_general(k);
    }
    add_ties(k);
}

bool bases_create(bases *out, sharing *s, const plan *p)
{
    *out = (bases){ .body = calloc((size_t)s->model->n_body, sizeof(natural_body)) };
    if (!out->body) {
        return false;
    }
    for (int b = 0; b < s->model->n_body; b++) {
        build_body(&(builder){ s, p, out, b });
    }
    if (s->no_memory || out->no_memory) {
        bases_clear(out);
        return false;
    }
    return true;
}

void bases_clear(bases *b)
{
    free(b->body);
    free(b->dot);
    free(b->tie);
    *b = (bases){ 0 };
}
