// SPDX-License-Identifier: MIT
// One iteration of Newton's method over all places where bodies touch: stiffness, and the direction by conjugate
// gradients (contact.21).
#include "laws/contact/crowd/direction.h"
#include <math.h>
#include <string.h>

// ---- stiffness --------------------------------------------------------------------------------------------------------

// Of a pair, against the twist of the first about its first place.
WIDE void stiffen(const place_list *list, place_pair *q)
{
    q->shift = q->mixed = q->turn = wide_mat3_zero();
    for (int k = q->four; k < q->four + q->n_four; k++) {
        four_stiffen(&list->four[k], &q->shift, &q->mixed, &q->turn);
    }
    for (int k = q->first; k < q->first + q->count; k++) {
        const place *x = &list->item[k];
        if (x->is_open) {
            continue;
        }
        // a turn moves the place by turn x off: the force against it is S [off]^T
        wide_mat3 s = wide_mat3_of(x->stiffness), by_turn = wide_mat3_times_cross(&s, -x->off),
                  moment = wide_mat3_cross(x->off, &by_turn);
        wide_mat3_add(&q->shift, &s);
        wide_mat3_add(&q->mixed, &by_turn);
        wide_mat3_add(&q->turn, &moment);
        if (x->roll.stiffness > 0.0) {
            wide_mat3 turning = wide_mat3_of(x->turning);
            wide_mat3_add(&q->turn, &turning);
        }
    }
    q->mixed_back = wide_mat3_transposed(&q->mixed);
}

// Of a pair, about the centre of one of its bodies.
WIDE void add_pair_to(const place_pair *q, wide3 arm, place_site *s)
{
    // mixed + S [arm]^T; turn + [arm] (mixed + S [arm]^T) + mixed^T [arm]^T
    wide_mat3 mixed = wide_mat3_times_cross(&q->shift, -arm),
              back = wide_mat3_times_cross(&q->mixed_back, -arm);
    wide_mat3_add(&mixed, &q->mixed);
    wide_mat3 turn = wide_mat3_cross(arm, &mixed);
    wide_mat3_add(&turn, &q->turn);
    wide_mat3_add(&turn, &back);
    wide_mat3_add(&s->shift, &q->shift);
    wide_mat3_add(&s->mixed, &mixed);
    wide_mat3_add(&s->turn, &turn);
}

WIDE wide_mat3 product(const wide_mat3 *A, const wide_mat3 *B)
{
    return (wide_mat3){ { wide_mat3_apply(A, B->col[0]), wide_mat3_apply(A, B->col[1]),
                          wide_mat3_apply(A, B->col[2]) } };
}

// Of a symmetric matrix.
WIDE wide_mat3 inverse(const wide_mat3 *m)
{
    wide_mat3 r = { { wide3_cross(m->col[1], m->col[2]), wide3_cross(m->col[2], m->col[0]),
                      wide3_cross(m->col[0], m->col[1]) } };
    double by = 1.0 / wide3_dot(m->col[0], r.col[0]);
    return (wide_mat3){ { by * r.col[0], by * r.col[1], by * r.col[2] } };
}

// (P, Q; Q^T, R) becomes its inverse, by P and what it leaves of R.
WIDE void invert(place_site *s)
{
    wide_mat3 Pi = inverse(&s->shift), Qt = wide_mat3_transposed(&s->mixed), PiQ = product(&Pi, &s->mixed);
    wide_mat3 left = product(&Qt, &PiQ);
    for (int k = 0; k < 3; k++) {
        left.col[k] = s->turn.col[k] - left.col[k];
    }
    wide_mat3 Ri = inverse(&left), mixed = product(&PiQ, &Ri), QtPi = wide_mat3_transposed(&PiQ),
              more = product(&mixed, &QtPi);
    wide_mat3_add(&Pi, &more);
    s->shift = Pi;
    s->turn = Ri;
    for (int k = 0; k < 3; k++) {
        s->mixed.col[k] = -mixed.col[k];
    }
    s->mixed_back = wide_mat3_transposed(&s->mixed);
}

LANES void stiffness_find(place_list *list, const places_problem *p)
{
    FOR_ACTIVE(p, s)
    {
        place_site *site = &p->sites[s];
        site->shift = wide_mat3_unit(site->mass);
        site->mixed = wide_mat3_zero();
        site->turn = site->inertia;
    }
    for (int k = 0; k < list->n_pair; k++) {
        place_pair *q = &list->pair[list->order[k]];
        stiffen(list, q);
        for (int i = 0; i < 2; i++) {
            if (q->site[i] >= 0 && p->sites[q->site[i]].is_free) {
                add_pair_to(q, q->arm[i], &p->sites[q->site[i]]);
            }
        }
    }
    FOR_ACTIVE(p, s)
    {
        if (p->sites[s].is_free) {
            invert(&p->sites[s]);
        }
    }
}

// ---- direction --------------------------------------------------------------------------------------------------------

void direction_move_part(const places_problem *p, const mobile_part *part, const place_move *x, place_move *y)
{
    int width = 6 * part->count;
    const double *A = &p->A[part->value];
    for (int i = 0; i < part->count; i++) {
        double sum[6] = { 0.0 };
        for (int r = 0; r < 6; r++, A += width) {
            for (int k = 0; k < part->count; k++) {
                const place_move *w = &x[p->site[part->first + k]];
                const double *a = &A[6 * k];
                sum[r] += a[0] * w->lin[0] + a[1] * w->lin[1] + a[2] * w->lin[2] + a[3] * w->ang[0] +
                          a[4] * w->ang[1] + a[5] * w->ang[2];
            }
        }
        y[p->site[part->first + i]] = (place_move){ wide3_read(sum), wide3_read(sum + 3) };
    }
}

// z = B r: free bodies by themselves, other parts as they move without contacts.
LANES static double precondition(const places_problem *p, const place_move *r, place_move *z)
{
    double sum = 0.0;
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        if (site->is_free) {
            z[s].lin = wide_mat3_apply(&site->shift, r[s].lin) + wide_mat3_apply(&site->mixed, r[s].ang);
            z[s].ang = wide_mat3_apply(&site->mixed_back, r[s].lin) + wide_mat3_apply(&site->turn, r[s].ang);
        } else if (p->place_of[s] == 0) {
            direction_move_part(p, &p->part[p->part_of[s]], r, z); // a part at its first site
        }
    }
    FOR_ACTIVE(p, s) { sum += move_work(r[s], z[s]); }
    return sum;
}

double direction_size(const places_problem *p) { return precondition(p, p->work[0], p->work[1]); }

// y += P x
WIDE void add_resistance(const place_list *list, const place_move *x, place_move *y)
{
    for (int k = 0; k < list->n_pair; k++) {
        const place_pair *q = &list->pair[list->order[k]];
        place_move d =
            move_between(q, q->site[0] >= 0 ? &x[q->site[0]] : NULL, q->site[1] >= 0 ? &x[q->site[1]] : NULL);
        wide3 force = wide_mat3_apply(&q->shift, d.lin) + wide_mat3_apply(&q->mixed, d.ang);
        wide3 moment = wide_mat3_apply(&q->mixed_back, d.lin) + wide_mat3_apply(&q->turn, d.ang);
        move_push(q, (place_move){ force, moment }, y);
    }
}

// The product of the present way, and its work.
LANES static double resist(const place_list *list, const places_problem *p)
{
    const place_move *way = p->work[4], *effort = p->work[5];
    place_move *out = p->work[6];
    double sum = 0.0;
    FOR_ACTIVE(p, s) { out[s] = p->sites[s].is_free ? move_weighed(&p->sites[s], way[s]) : effort[s]; }
    add_resistance(list, way, out);
    FOR_ACTIVE(p, s) { sum += move_work(out[s], way[s]); }
    return sum;
}

// Conjugate gradients on (M + P) d = open; of parts that are not free the effort e with d = A e is found as well.
LANES int direction_find(const place_list *list, const places_problem *p, double open)
{
    enum { MOST = 40 };
    static const double enough = 1e-2; // of the square of what is open
    place_move *r = p->work[0], *z = p->work[1], *d = p->work[2], *e = p->work[3], *way = p->work[4],
               *effort = p->work[5], *out = p->work[6];
    double size = open, least = fmax(enough * open, p->least * p->least);
    FOR_ACTIVE(p, s)
    {
        d[s] = e[s] = move_none();
        way[s] = z[s];
        effort[s] = r[s];
    }
    int k = 0;
    while (k < MOST && size > least) {
        double by = size / resist(list, p), before = size;
        FOR_ACTIVE(p, s)
        {
            d[s] = move_more(d[s], by, way[s]);
            r[s] = move_more(r[s], -by, out[s]);
            if (!p->sites[s].is_free) {
                e[s] = move_more(e[s], by, effort[s]);
            }
        }
        size = precondition(p, r, z);
        k++;
        FOR_ACTIVE(p, s)
        {
            way[s] = move_more(z[s], size / before, way[s]);
            if (!p->sites[s].is_free) {
                effort[s] = move_more(r[s], size / before, effort[s]);
            }
        }
    }
    return k;
}
