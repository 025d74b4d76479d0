// SPDX-License-Identifier: MIT
// Forces at many places at once: each in turn is brought to agree with its law, and moves its two bodies (contact.18,
// contact.19).
#include "laws/contact/places.h"
#include "laws/contact/shape_contact.h"
#include <string.h>

// ---- collecting --------------------------------------------------------------------------------------------------

static void collect_pair(const contact *c, const pair_walk *w, const law_in *in, place_list *out)
{
    pair_place found[PAIR_MOST];
    const contact_pair *p = &w->made;
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places(p, &m, pair_own(p, in), in->scratch, in->want, found, &n_region);
    const contact_site *site[2] = { &c->live->site[(int)w->entry[p->is_swapped ? ENTRY_B : ENTRY_A]],
                                    &c->live->site[(int)w->entry[p->is_swapped ? ENTRY_A : ENTRY_B]] };
    for (int k = 0; k < count; k++) {
        if (out->count >= out->most) {
            out->is_full = true;
            return;
        }
        hold h;
        place *to = &out->item[out->count++];
        *to = (place){ .site = { site[0]->site, site[1]->site },
                       .values = values_at(c, p, in, &found[k], count),
                       .at = motion_at(p, &m, in, &found[k], &h) };
        to->at.is_new = !to->at.is_held;
        for (int i = 0; i < 2; i++) {
            to->arm[i] = vec3_sub(found[k].point, m.pos[i]);
        }
    }
}

void places_collect(const void *items, int count, const law_in *in, place_list *out)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (!item[k].live) {
            continue;
        }
        pair_walk walk = contact_walk(&item[k], in);
        for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
            if (!pair_sleeps(p, in->memory) && !pair_is_clear(p, in->at)) {
                collect_pair(&item[k], &walk, in, out);
            }
        }
    }
}

// ---- how a place moves --------------------------------------------------------------------------------------------

// A of two sites of one part.
static const double *part_at(const places_problem *p, int i, int k, int *stride)
{
    const mobile_part *part = &p->part[p->part_of[i]];
    *stride = 6 * part->count;
    return &p->A[part->value + 6 * p->place_of[i] * *stride + 6 * p->place_of[k]];
}

static vec3 moved_at(const double *u, vec3 arm)
{
    return vec3_add(tray_vec3(u), vec3_cross(tray_vec3(u + 3), arm));
}

// Displacement at the arm on site i by a unit force at the arm on site k.
static vec3 response(const places_problem *p, int i, vec3 arm_i, int k, vec3 arm_k, vec3 force)
{
    int stride;
    const double *A = part_at(p, i, k, &stride);
    vec3 moment = vec3_cross(arm_k, force);
    const double w[6] = { force.x, force.y, force.z, moment.x, moment.y, moment.z };
    double u[6] = { 0.0 };
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            u[r] += A[r * stride + c] * w[c];
        }
    }
    return moved_at(u, arm_i);
}

static mat3 mobility_of(const places_problem *p, const place *x)
{
    static const vec3 unit[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    mat3 m = { 0 };
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 2; k++) {
                int a = x->site[i], b = x->site[k];
                if (a >= 0 && b >= 0 && p->part_of[a] == p->part_of[b]) {
                    vec3 u = response(p, a, x->arm[i], b, x->arm[k], unit[c]);
                    m.col[c] = vec3_add_scaled(m.col[c], i == k ? 1.0 : -1.0, u);
                }
            }
        }
    }
    return m;
}

// A change of the force at a place moves its bodies, and those of their parts.
static void push(const places_problem *p, const place *x, vec3 change)
{
    for (int i = 0; i < 2; i++) {
        int s = x->site[i];
        if (s < 0) {
            continue;
        }
        vec3 f = i == 0 ? change : vec3_neg(change), moment = vec3_cross(x->arm[i], f);
        const double w[6] = { f.x, f.y, f.z, moment.x, moment.y, moment.z };
        const mobile_part *part = &p->part[p->part_of[s]];
        int width = 6 * part->count;
        const double *A = &p->A[part->value + 6 * p->place_of[s]];
        for (int k = 0; k < part->count; k++) {
            double *u = &p->u[6 * p->site[part->first + k]];
            for (int r = 0; r < 6; r++, A += width) {
                u[r] += A[0] * w[0] + A[1] * w[1] + A[2] * w[2] + A[3] * w[3] + A[4] * w[4] + A[5] * w[5];
            }
        }
        for (int r = 0; r < 6; r++) {
            p->w[6 * s + r] += w[r];
        }
    }
}

// ---- one place -------------------------------------------------------------------------------------------------------

// How far the first has moved against the second.
static vec3 moved(const places_problem *p, const place *x)
{
    vec3 e = { 0.0, 0.0, 0.0 };
    e = x->site[0] >= 0 ? moved_at(&p->u[6 * x->site[0]], x->arm[0]) : e;
    return x->site[1] >= 0 ? vec3_sub(e, moved_at(&p->u[6 * x->site[1]], x->arm[1])) : e;
}

static touch_motion motion_after(const place *x, vec3 e, double rate)
{
    touch_motion t = x->at;
    t.depth -= vec3_dot(t.normal, e);
    t.velocity = vec3_add_scaled(t.velocity, rate, e);
    t.stretch = vec3_add(t.stretch, e);
    return t;
}

// The force of the law there, and how it changes with e.
static vec3 law_at(const place *x, vec3 e, double rate, mat3 *slope)
{
    touch_motion t = motion_after(x, e, rate);
    *slope = (mat3){ 0 };
    if (!(t.depth > 0.0)) {
        return (vec3){ 0.0, 0.0, 0.0 };
    }
    touch_force f = touch_eval(&x->values, &t, TOUCH_SLOPES);
    *slope = mat3_add(mat3_add(f.by_stretch, mat3_scale(rate, f.by_velocity)),
                      mat3_scale(-1.0, mat3_outer(f.by_depth, t.normal)));
    return f.force;
}

// x of m x = b
static vec3 solved(mat3 m, vec3 b)
{
    vec3 r0 = vec3_cross(m.col[1], m.col[2]), r1 = vec3_cross(m.col[2], m.col[0]),
         r2 = vec3_cross(m.col[0], m.col[1]);
    double det = vec3_dot(m.col[0], r0);
    return vec3_scale(1.0 / det, (vec3){ vec3_dot(r0, b), vec3_dot(r1, b), vec3_dot(r2, b) });
}

// The change of the force that makes it agree with the law while everything else stays: Newton's method on
// f + df = F(e + B df) (contact.19). Gives the change of the displacement.
static vec3 settle(const places_problem *p, const place *x, vec3 *change)
{
    enum { TRIES = 30 };
    vec3 e0 = moved(p, x), df = { 0.0, 0.0, 0.0 }, de = df, step = df, from = df;
    double before = INFINITY, part = 1.0;
    for (int k = 0; k < TRIES; k++) {
        mat3 slope;
        vec3 f = law_at(x, vec3_add(e0, de), p->rate, &slope);
        vec3 open = vec3_sub(f, vec3_add(x->force, df));
        double size = vec3_norm(open);
        if (size <= 1e-8 * vec3_norm(f) || !(size > 0.0)) {
            break;
        }
        if (size > before && part > 0.01) {
            part *= 0.5; // where the law bends: less of it
        } else {
            mat3 m = mat3_add(mat3_identity(), mat3_scale(-1.0, mat3_multiply(slope, x->mobility)));
            step = solved(m, open);
            from = df;
            before = size;
            part = 1.0;
        }
        df = vec3_add_scaled(from, part, step);
        de = mat3_apply(x->mobility, df);
    }
    *change = df;
    return de;
}

// ---- all of them -------------------------------------------------------------------------------------------------------

static void begin(place_list *list, const places_problem *p)
{
    for (int k = 0; k < list->count; k++) {
        place *x = &list->item[k];
        mat3 slope;
        x->mobility = mobility_of(p, x);
        x->force = law_at(x, (vec3){ 0.0, 0.0, 0.0 }, p->rate, &slope);
        push(p, x, x->force);
    }
}

int places_solve(place_list *list, const places_problem *p)
{
    enum { SWEEPS = 100 };
    memset(p->w, 0, (size_t)(6 * p->n_site) * sizeof *p->w);
    begin(list, p);
    for (int sweep = 1; sweep <= SWEEPS; sweep++) {
        double most = 0.0, whole = 0.0;
        for (int n = 0; n < list->count; n++) {
            place *x = &list->item[sweep % 2 == 1 ? n : list->count - 1 - n];
            vec3 change, de = settle(p, x, &change);
            push(p, x, change);
            x->force = vec3_add(x->force, change);
            most = fmax(most, vec3_norm(de));
            whole = fmax(whole, vec3_norm(moved(p, x)));
        }
        if (!(most > p->tolerance * whole)) {
            return isfinite(whole) ? sweep : -1;
        }
    }
    return -1;
}
