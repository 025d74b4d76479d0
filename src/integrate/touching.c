// SPDX-License-Identifier: MIT
// Contacts that live inside an implicit step (contact.18).
#include "integrate/touching.h"
#include <math.h>
#include <string.h>

void touching_cut(stepper *s, arena *a)
{
    const dynamics *d = s->d;
    const structure *st = &d->structure;
    touching *t = &s->in.touching;
    int n_col = st->n_site > 0 ? st->site_start[st->n_site] : 0;
    t->J = ARENA_NEW(a, double, 6 * n_col);
    t->A = ARENA_NEW(a, double, d->parts.n_A);
    t->u = ARENA_NEW(a, double, 6 * st->n_site);
    t->w = ARENA_NEW(a, double, 6 * st->n_site);
    t->sites = ARENA_NEW(a, place_site, st->n_site);
    for (int k = 0; k < 8; k++) {
        t->moves[k] = ARENA_NEW(a, place_move, st->n_site);
    }
    t->work = ARENA_NEW(a, double, parts_work(&d->parts));
}

bool touching_prepare(stepper *s, const tangent *t, const rule *f)
{
    touching *own = &s->in.touching;
    s->d->set->site_maps(s->d->coordinates, &s->now, &s->trays.motion, own->J);
    return parts_mobility(&s->d->parts, &s->d->structure, t->T, own->J, f->fA, own->work, own->A);
}

bi_status touching_add(stepper *s, const tangent *t, const rule *f, int i)
{
    touching *own = &s->in.touching;
    const structure *st = &s->d->structure;
    int count = dynamics_find_places(s->d, &s->now, &s->trays, i > 1 ? LAW_KEEP : 0);
    if (count <= 0) {
        return count < 0 ? BI_FULL : BI_OK;
    }
    places_problem problem = { .A = own->A,
                               .rate = f->first,
                               .u = own->u,
                               .w = own->w,
                               .sites = own->sites,
                               .counts = own->counts,
                               .tolerance = 1e-4,
                               .least = 1e-12 };
    for (int k = 0; k < 8; k++) {
        problem.work[k] = own->moves[k];
    }
    sites_moved(st, own->J, s->right, own->u);
    dynamics_settle_places(s->d, &s->trays, &problem);
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    sites_push(st, own->J, own->w, f->fA, s->product);
    solver_solve(s->in.fac, t->numeric, s->product);
    for (int k = 0; k < st->n; k++) {
        s->right[k] += s->product[k];
    }
    return isfinite(own->w[0]) ? BI_OK : BI_NOT_CONVERGED;
}
