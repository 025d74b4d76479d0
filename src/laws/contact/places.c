// SPDX-License-Identifier: MIT
// Forces at many places at once: each in turn is brought to agree with its law, and moves its two bodies (contact.18,
// contact.19).
#include "laws/contact/places.h"
#include "laws/contact/shape_contact.h"
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

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

// ---- how sites move ------------------------------------------------------------------------------------------------

static vec3 moved_at(const place_site *s, vec3 arm) { return vec3_add(s->shift, vec3_cross(s->turn, arm)); }

static const double *mobility_in(const places_problem *p, int on, int by, int *width)
{
    const mobile_part *part = &p->part[p->part_of[on]];
    *width = 6 * part->count;
    return &p->A[part->value + 6 * p->place_of[on] * *width + 6 * p->place_of[by]];
}

// A quarter of it, 3 x 3.
static mat3 quarter(const double *A, int width, int i, int k)
{
    mat3 m;
    for (int c = 0; c < 3; c++) {
        const double *from = &A[3 * i * width + 3 * k + c];
        m.col[c] = (vec3){ from[0], from[width], from[2 * width] };
    }
    return m;
}

static mat3 inverse(mat3 m)
{
    vec3 r[3] = { vec3_cross(m.col[1], m.col[2]), vec3_cross(m.col[2], m.col[0]),
                  vec3_cross(m.col[0], m.col[1]) };
    double by = 1.0 / vec3_dot(m.col[0], r[0]);
    return mat3_scale(by, mat3_transposed((mat3){ { r[0], r[1], r[2] } }));
}

static double size_of(mat3 m)
{
    return fmax(vec3_norm(m.col[0]), fmax(vec3_norm(m.col[1]), vec3_norm(m.col[2])));
}

// A body that moves by itself has a centre: forces there shift it equally in all directions, moments turn it about it.
// A22 is the turn by a moment, A12 = [c] A22, A11 = 1/m - [c] A22 [c].
static place_site site_of(const places_problem *p, int s)
{
    static const double same = 1e-8;
    int width;
    const double *A = mobility_in(p, s, s, &width);
    place_site out = { .shift = tray_vec3(&p->u[6 * s]), .turn = tray_vec3(&p->u[6 * s + 3]) };
    if (p->part[p->part_of[s]].count > 1) {
        return out;
    }
    mat3 turn = quarter(A, width, 1, 1), arm = mat3_multiply(quarter(A, width, 0, 1), inverse(turn));
    mat3 shift = mat3_add(quarter(A, width, 0, 0),
                          mat3_scale(-1.0, mat3_multiply(arm, mat3_multiply(turn, mat3_transposed(arm)))));
    double by_force = shift.col[0].x, size = size_of(arm);
    mat3 rest = mat3_add(shift, mat3_scale(-by_force, mat3_identity()));
    bool is_skew = size_of(mat3_add(arm, mat3_transposed(arm))) <= same * fmax(size, 1e-3);
    if (is_skew && by_force > 0.0 && size_of(rest) <= same * by_force) {
        out.is_free = true;
        out.centre = (vec3){ arm.col[1].z, arm.col[2].x, arm.col[0].y };
        out.by_force = by_force;
        out.by_moment = turn;
        out.shift = vec3_add(out.shift, vec3_cross(out.turn, out.centre));
    }
    return out;
}

// A force at the arm on site `by`, seen at site `on` of the same part.
static void add_response(const places_problem *p, int on, int by, vec3 arm, vec3 force, place_site *to)
{
    int width;
    const double *A = mobility_in(p, on, by, &width);
    vec3 moment = vec3_cross(arm, force);
    const double w[6] = { force.x, force.y, force.z, moment.x, moment.y, moment.z };
    double u[6];
    for (int r = 0; r < 6; r++, A += width) {
        u[r] = A[0] * w[0] + A[1] * w[1] + A[2] * w[2] + A[3] * w[3] + A[4] * w[4] + A[5] * w[5];
    }
    to->shift = vec3_add(to->shift, tray_vec3(u));
    to->turn = vec3_add(to->turn, tray_vec3(u + 3));
}

// A force at an arm (of a free body from its centre) moves its body, and those of its part.
static inline void push_site(const places_problem *p, int s, vec3 arm, vec3 force)
{
    place_site *site = &p->sites[s];
    if (site->is_free) {
        site->shift = vec3_add_scaled(site->shift, site->by_force, force);
        site->turn = vec3_add(site->turn, mat3_apply(site->by_moment, vec3_cross(arm, force)));
        return;
    }
    const mobile_part *part = &p->part[p->part_of[s]];
    for (int k = 0; k < part->count; k++) {
        int on = p->site[part->first + k];
        add_response(p, on, s, arm, force, &p->sites[on]);
    }
}

static inline void push(const places_problem *p, const place *x, vec3 change)
{
    if (x->site[0] >= 0) {
        push_site(p, x->site[0], x->arm[0], change);
    }
    if (x->site[1] >= 0) {
        push_site(p, x->site[1], x->arm[1], vec3_neg(change));
    }
}

// How far the first has moved against the second.
static inline vec3 moved(const places_problem *p, const place *x)
{
    vec3 e = { 0.0, 0.0, 0.0 };
    e = x->site[0] >= 0 ? moved_at(&p->sites[x->site[0]], x->arm[0]) : e;
    return x->site[1] >= 0 ? vec3_sub(e, moved_at(&p->sites[x->site[1]], x->arm[1])) : e;
}

// Of site i of a place by a force on its site k.
static vec3 response(const places_problem *p, const place *x, int i, int k, vec3 force)
{
    int on = x->site[i], by = x->site[k];
    place_site u = { 0 };
    if (on < 0 || by < 0 || p->part_of[on] != p->part_of[by]) {
        return u.shift;
    }
    if (p->sites[on].is_free) {
        u.shift = vec3_scale(p->sites[on].by_force, force);
        u.turn = mat3_apply(p->sites[on].by_moment, vec3_cross(x->arm[k], force));
    } else {
        add_response(p, on, by, x->arm[k], force, &u);
    }
    return moved_at(&u, x->arm[i]);
}

static mat3 mobility_of(const places_problem *p, const place *x)
{
    static const vec3 unit[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    mat3 m;
    for (int c = 0; c < 3; c++) {
        vec3 same = vec3_add(response(p, x, 0, 0, unit[c]), response(p, x, 1, 1, unit[c]));
        vec3 other = vec3_add(response(p, x, 0, 1, unit[c]), response(p, x, 1, 0, unit[c]));
        m.col[c] = vec3_sub(same, other);
    }
    return m;
}

static vec3 across(vec3 n, vec3 v) { return vec3_add_scaled(v, -vec3_dot(n, v), n); }

// ---- one place -------------------------------------------------------------------------------------------------------

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

// The push that agrees with its law while the forces across the normal stay.
static double settle_push(const places_problem *p, const place *x, vec3 e)
{
    enum { TRIES = 12 };
    touch_motion t = x->at;
    double moved = vec3_dot(t.normal, e), now = vec3_dot(t.normal, x->force), most = fmax(now, 0.0),
           change = 0.0;
    double closing = -vec3_dot(t.normal, t.velocity), least = -INFINITY;
    for (int k = 0; k < TRIES; k++) {
        double by_depth = 0.0, by_rate = 0.0, way = moved + x->along * change;
        t.depth = x->at.depth - way;
        double push =
            t.depth > 0.0 ? touch_push(&x->values, &t, closing - p->rate * way, &by_depth, &by_rate) : 0.0;
        double open = push - (now + change);
        most = fmax(most, push);
        if (fabs(open) <= 1e-9 * most) {
            break;
        }
        // the push falls as it moves the bodies apart: what is open changes its sign once
        least = open > 0.0 ? fmax(least, change) : least;
        double slope = 1.0 + (by_depth + by_rate * p->rate) * x->along,
               next = change + open / fmax(slope, 1.0);
        change = next > least ? next : 0.5 * (change + least);
    }
    return change;
}

// The force across the normal, under this push: what the stick spring and its damper would hold, up to the limit. The
// place moves equally in all directions across the normal, by the most it does in any.
static vec3 settle_rub(const places_problem *p, const place *x, vec3 e, double push)
{
    const touch_values *v = &x->values;
    vec3 n = x->at.normal, own = across(n, x->force);
    vec3 way = vec3_add_scaled(e, -x->across, own), pull = { 0.0, 0.0, 0.0 };
    if (x->at.is_held) {
        pull = vec3_scale(v->stick_stiffness, vec3_add(x->at.stretch, way));
    }
    vec3 slip = vec3_add_scaled(x->at.velocity, p->rate, way);
    pull = across(n, vec3_add_scaled(pull, v->stick_damping, slip));
    double stiff = (x->at.is_held ? v->stick_stiffness : 0.0) + p->rate * v->stick_damping;
    double hold = 1.0 / (1.0 + x->across * stiff), size = hold * vec3_norm(pull), most = v->friction * push;
    return vec3_scale(size > most ? -hold * most / size : -hold, pull);
}

static vec3 settle_plain(const places_problem *p, const place *x, vec3 *change)
{
    vec3 e = moved(p, x), n = x->at.normal;
    double more = settle_push(p, x, e), push = fmax(0.0, vec3_dot(n, x->force) + more);
    vec3 de = vec3_scale(more, mat3_apply(x->mobility, n));
    vec3 rub = settle_rub(p, x, vec3_add(e, de), push);
    *change = vec3_add_scaled(vec3_sub(rub, across(n, x->force)), more, n);
    return mat3_apply(x->mobility, *change);
}

// ---- all of them -------------------------------------------------------------------------------------------------------

static void begin(place_list *list, const places_problem *p)
{
    for (int s = 0; s < p->n_site; s++) {
        p->sites[s] = site_of(p, s);
    }
    for (int k = 0; k < list->count; k++) {
        place *x = &list->item[k];
        vec3 n = x->at.normal;
        mat3 slope;
        for (int i = 0; i < 2; i++) {
            vec3 centre = x->site[i] >= 0 ? p->sites[x->site[i]].centre : (vec3){ 0.0, 0.0, 0.0 };
            x->arm[i] = vec3_sub(x->arm[i], centre);
        }
        x->mobility = mobility_of(p, x);
        x->along = vec3_dot(n, mat3_apply(x->mobility, n));
        x->across = x->mobility.col[0].x + x->mobility.col[1].y + x->mobility.col[2].z - x->along;
        x->is_plain = !(x->values.viscous > 0.0) && isinf(x->values.stick_speed);
        x->force = law_at(x, (vec3){ 0.0, 0.0, 0.0 }, p->rate, &slope);
        push(p, x, x->force);
    }
}

// Efforts on the sites, about their frames.
static void sum_up(const place_list *list, const places_problem *p)
{
    memset(p->w, 0, (size_t)(6 * p->n_site) * sizeof *p->w);
    for (int k = 0; k < list->count; k++) {
        const place *x = &list->item[k];
        for (int i = 0; i < 2; i++) {
            int s = x->site[i];
            if (s >= 0) {
                vec3 f = i == 0 ? x->force : vec3_neg(x->force);
                tray_add(&p->w[6 * s], f);
                tray_add(&p->w[6 * s + 3], vec3_cross(vec3_add(x->arm[i], p->sites[s].centre), f));
            }
        }
    }
}

int places_solve(place_list *list, const places_problem *p)
{
    enum { SWEEPS = 30 };
    int sweep = 1;
    begin(list, p);
    for (; sweep <= SWEEPS; sweep++) {
        double most = 0.0, whole = 0.0;
        for (int n = 0; n < list->count; n++) {
            place *x = &list->item[sweep % 2 == 1 ? n : list->count - 1 - n];
            vec3 change, de = x->is_plain ? settle_plain(p, x, &change) : settle(p, x, &change),
                         e = moved(p, x);
            push(p, x, change);
            x->force = vec3_add(x->force, change);
            most = fmax(most, vec3_dot(de, de));
            whole = fmax(whole, vec3_dot(e, e));
        }
        if (getenv("DBG1")) fprintf(stderr, "   sweep %d most %g whole %g\n", sweep, sqrt(most), sqrt(whole));
        if (!(most > fmax(p->tolerance * p->tolerance * whole, p->least * p->least))) {
            break;
        }
    }
    sum_up(list, p);
    return sweep;
}
