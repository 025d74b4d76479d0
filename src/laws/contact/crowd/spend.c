// SPDX-License-Identifier: MIT
// What the forces of a step add to the energy: their work on the bodies, and what springs hold after it less what they
// held before (contact.28).
#include "laws/contact/crowd/spend.h"
#include "base/lanes.h"

// Of the places of a pair, J.
typedef struct {
    double work;    // of all forces on the bodies
    double elastic; // of springs along the normal
    double more;    // that springs hold, but for those of patches along the normal
    double force;   // of those springs, N
    double held;    // by them, about
} spending;

WIDE double sum_of(four a) { return (a[0] + a[1]) + (a[2] + a[3]); }
WIDE four square_of(four a) { return a * a; }
WIDE four positive(four a) { return four_where(a > four_of(0.0), a); }

WIDE void add_four(const place_four *f, place_move d, double rate, double by, bool is_patch, spending *to)
{
    four3 n = f->normal, e = four3_add(four3_of(d.lin), four3_cross(four3_of(d.ang), f->off));
    four3 speed = four3_add_scaled(f->velocity, four_of(rate), e),
          way = four3_scale(four_of(1.0 / rate), speed);
    four depth = f->depth - four3_dot(n, e), out = four3_dot(n, way), zero = four_of(0.0);
    four_mask is_old = f->is_new == zero;
    to->work += by * sum_of(four3_dot(f->force, way));
    to->elastic += by * sum_of(f->elastic * out);
    to->force += by * sum_of(f->elastic);
    to->held += by * sum_of(f->elastic * positive(depth));
    four3 stretch = four_across(n, four3_add(f->stretch, e)),
          before = four3_sub(stretch, four_across(n, way));
    four now = four3_dot(stretch, stretch), most = f->friction * f->push / f->stick;
    now = four_select((f->is_slipping > zero) & (f->stick > zero), four_min(now, most * most), now);
    four more = f->held * (four_where(f->push > zero, now) - four3_dot(before, before));
    if (!is_patch) {
        more += f->stiffness *
                (square_of(positive(depth)) - four_where(is_old, square_of(positive(depth + out))));
    }
    // lanes without a place have no normal
    to->more += 0.5 * sum_of(four_where(four3_dot(n, n) > zero, more));
}

static void add_place(const place *x, place_move d, double rate, double by, bool is_patch, spending *to)
{
    vec3 n = x->at.normal, e = wide3_narrow(d.lin + wide3_cross(d.ang, x->off)),
         force = wide3_narrow(x->force);
    vec3 way = vec3_scale(1.0 / rate, vec3_add_scaled(x->at.velocity, rate, e));
    double depth = x->at.depth - vec3_dot(n, e), out = vec3_dot(n, way), was = depth + out;
    to->work += by * vec3_dot(force, way);
    to->elastic += by * x->elastic * out;
    to->force += by * x->elastic;
    to->held += depth > 0.0 ? by * x->elastic * depth : 0.0;
    if (!is_patch) {
        to->more += depth > 0.0 ? touch_energy(&x->values, depth) : 0.0;
        to->more -= was > 0.0 && !x->at.is_new ? touch_energy(&x->values, was) : 0.0;
    }
}

static void withhold(place_list *list, const place_pair *q, double share)
{
    for (int k = q->four; k < q->four + q->n_four; k++) {
        list->four[k].lost = 1.0 - share * (1.0 - list->four[k].lost);
    }
    for (int k = q->first; k < q->first + q->count; k++) {
        list->item[k].values.give *= share;
    }
}

LANES spend_sum spend_of(place_list *list, const places_problem *p, const place_move *at, double by,
                         spend_manner manner)
{
    static const double slow = 5e-3; // m/s: what hardly moves carries all the same (touch.c: hold_back)
    spend_sum out = { 0 };
    for (int k = 0; k < list->n_pair; k++) {
        const place_pair *q = &list->pair[list->order[k]];
        bool is_patch = q->of->is_patch;
        place_move d = move_between(q, q->site[0] >= 0 ? &at[q->site[0]] : NULL,
                                    q->site[1] >= 0 ? &at[q->site[1]] : NULL);
        spending sum = { 0 };
        for (int i = q->four; i < q->four + q->n_four; i++) {
            add_four(&list->four[i], d, p->rate, by, is_patch, &sum);
        }
        for (int i = q->first; i < q->first + q->count; i++) {
            add_place(&list->item[i], d, p->rate, by, is_patch, &sum);
        }
        double spent = is_patch ? sum.elastic : 0.0;
        if (spent > q->stored && spent * p->rate > slow * sum.force) {
            if (manner == SPEND_WITHHOLD) {
                withhold(list, q, q->stored / spent);
            }
            spent = q->stored;
        }
        out.gain += sum.work + sum.more - spent;
        out.all += fabs(sum.work) + fabs(sum.more);
        out.held += sum.held;
    }
    return out;
}

void spend_move(const places_problem *p, const place_move *w, double by, place_move *out)
{
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        if (site->is_free) {
            out[s] = (place_move){ w[s].lin / site->mass, wide_mat3_apply(&site->turn_by, w[s].ang) };
        } else if (p->place_of[s] == 0) {
            direction_move_part(p, &p->part[p->part_of[s]], w, out);
        }
    }
    FOR_ACTIVE(p, s) { out[s] = move_more(p->sites[s].start, by, out[s]); }
}
