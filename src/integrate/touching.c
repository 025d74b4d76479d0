// SPDX-License-Identifier: MIT
// Contacts that live inside an implicit step (contact.20).
#include "integrate/touching.h"
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
    t->before = ARENA_NEW(a, double, 6 * st->n_site);
    t->shift = ARENA_NEW(a, double, 6 * st->n_site);
    t->sites = ARENA_NEW(a, place_site, st->n_site);
    t->wanted = ARENA_NEW(a, bool, st->n_site);
    t->active = ARENA_NEW(a, int, st->n_site);
    t->groups = (place_groups){ .up = ARENA_NEW(a, int, st->n_site),
                                .group_of = ARENA_NEW(a, int, st->n_site),
                                .members = ARENA_NEW(a, int, st->n_site),
                                .item = ARENA_NEW(a, place_group, st->n_site) };
    for (int k = 0; k < 8; k++) {
        t->moves[k] = ARENA_NEW(a, place_move, st->n_site);
    }
    t->work = ARENA_NEW(a, double, parts_work(&d->parts));
    t->parts = d->parts;
    t->parts.part = ARENA_NEW(a, mobile_part, d->parts.count);
    t->parts.site = ARENA_NEW(a, int, st->n_site);
    t->parts.place_of = ARENA_NEW(a, int, st->n_site);
}

// The sites that touch now, and how they move by the tangent; false: it is not positive there.
static bool prepare(stepper *s, const tangent *t, const rule *f, int *n_active)
{
    touching *own = &s->in.touching;
    const place_list *list = &s->trays.places;
    memset(own->wanted, 0, (size_t)s->d->structure.n_site * sizeof *own->wanted);
    for (int k = 0; k < list->n_pair; k++) {
        const int *site = list->pair[k].site;
        for (int i = 0; i < 2; i++) {
            if (site[i] >= 0) {
                own->wanted[site[i]] = true;
            }
        }
    }
    parts_narrow(&s->d->parts, own->wanted, &own->parts);
    *n_active = 0;
    for (int k = 0; k < s->d->structure.n_site; k++) {
        if (own->wanted[k]) {
            own->active[(*n_active)++] = k;
        }
    }
    return parts_mobility(&own->parts, &s->d->structure, t->T, own->J, f->fA, own->work, own->A);
}

// How all that are near move; false: nobody is.
static bool find_maps(stepper *s)
{
    touching *own = &s->in.touching;
    memset(own->wanted, 0, (size_t)s->d->structure.n_site * sizeof *own->wanted);
    if (dynamics_near_places(s->d, &s->now, &s->trays, own->wanted) == 0) {
        return false;
    }
    s->d->set->site_maps(s->d->coordinates, &s->now, &s->trays.motion, own->wanted, own->J);
    return true;
}

// Forces of the end do the work of the way between: what they damp is the mean velocity (contact.23).
static const double *mean_rates(stepper *s)
{
    touching *own = &s->in.touching;
    const structure *st = &s->d->structure;
    for (int k = 0; k < st->n; k++) {
        s->product[k] = 0.5 * (s->old.v[k] - s->now.v[k]);
    }
    sites_moved(st, own->J, own->wanted, s->product, own->before);
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    return own->before;
}

bi_status touching_find(stepper *s, const tangent *t, const rule *f, int i, const double *pushed)
{
    touching *own = &s->in.touching;
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    if (!find_maps(s)) {
        s->trays.places.count = s->trays.places.n_pair = 0;
        return BI_OK;
    }
    if (i == 1) {
        memset(own->w, 0,
               6 * (size_t)st->n_site * sizeof *own->w); // of those that come later nothing is known
    }
    s->trays.places.shift = pushed ? own->shift : NULL;
    if (pushed) {
        sites_moved(st, own->J, own->wanted, pushed, own->shift);
    }
    unsigned again = s->trays.of_step & LAW_LATE ? LAW_KEEP | LAW_MORE : LAW_KEEP;
    int n_active, count = dynamics_find_places(s->d, &s->now, &s->trays, i > 1 ? again : 0);
    if (count <= 0) {
        return count < 0 ? BI_FULL : BI_OK;
    }
    if (!prepare(s, t, f, &n_active)) {
        return BI_NOT_CONVERGED;
    }
    places_problem problem = { .A = own->A,
                               .rate = f->first,
                               .u = own->u,
                               .w = own->w,
                               .sites = own->sites,
                               .groups = &own->groups,
                               .active = own->active,
                               .n_active = n_active,
                               .counts = own->counts,
                               .is_known = i > 1,
                               .tolerance = s->trays.of_step & LAW_LATE ? 1e-3 : 1e-4,
                               .least = 1e-12 };
    if (s->trays.of_step & LAW_LATE) {
        problem.rate = 0.5 * f->first;
        problem.before = mean_rates(s);
    }
    for (int k = 0; k < 8; k++) {
        problem.work[k] = own->moves[k];
    }
    sites_moved(st, own->J, own->wanted, s->right, own->u);
    int64_t stiff = own->counts[PLACES_STIFF];
    dynamics_settle_places(&s->trays, &own->parts, &problem);
    own->is_stiff = own->counts[PLACES_STIFF] > stiff;
    sites_push(st, own->J, own->wanted, own->w, f->fA, s->product);
    solver_solve(s->in.fac, t->numeric, s->product);
    return BI_OK;
}

void touching_efforts(stepper *s, double *out)
{
    touching *own = &s->in.touching;
    const structure *st = &s->d->structure;
    memset(out, 0, (size_t)st->n * sizeof *out);
    if (s->trays.places.n_pair > 0) {
        sites_push(st, own->J, own->wanted, own->w, 1.0, out);
    }
}

void touching_hold(stepper *s, const tangent *t, const rule *f)
{
    touching *own = &s->in.touching;
    const structure *st = &s->d->structure;
    memset(s->product, 0, (size_t)st->n * sizeof *s->product);
    if (s->trays.places.n_pair > 0) {
        s->d->set->site_maps(s->d->coordinates, &s->now, &s->trays.motion, own->wanted, own->J);
        sites_push(st, own->J, own->wanted, own->w, f->fA, s->product);
        solver_solve(s->in.fac, t->numeric, s->product);
    }
}

double touching_power(stepper *s, const double *v)
{
    touching *own = &s->in.touching;
    const structure *st = &s->d->structure;
    double sum = 0.0;
    if (s->trays.places.n_pair == 0) {
        return 0.0;
    }
    sites_moved(st, own->J, own->wanted, v, own->u);
    for (int k = 0; k < st->n_site; k++) {
        for (int i = 0; i < 6 && own->wanted[k]; i++) {
            sum += own->w[6 * k + i] * own->u[6 * k + i];
        }
    }
    return sum;
}

bool touching_is_of_loose(const stepper *s)
{
    const place_list *list = &s->trays.places;
    const place_site *sites = s->in.touching.sites;
    bool is_loose = !s->in.touching.is_stiff;
    for (int k = 0; k < list->n_pair && is_loose; k++) {
        const int *site = list->pair[k].site;
        is_loose = (site[0] < 0 || sites[site[0]].is_free) && (site[1] < 0 || sites[site[1]].is_free);
    }
    return is_loose;
}

bool touching_is_loose(const stepper *s)
{
    enum { OF_A_BODY = 6 };
    const part_table *tab = &s->d->parts;
    return s->d->structure.n_row == 0 && tab->count > 0 && tab->most <= OF_A_BODY &&
           tab->first_variable[tab->count] == s->d->structure.n;
}

bool touching_is_quiet(stepper *s)
{
    if (touching_is_loose(s) || dynamics_has_places(s->d, &s->now, &s->trays, places_are_remembered)) {
        return false;
    }
    s->trays.places.count = s->trays.places.n_pair = 0;
    return true;
}

bi_status touching_add(stepper *s, const tangent *t, const rule *f, int i)
{
    bi_status status = touching_find(s, t, f, i, NULL);
    for (int k = 0; status == BI_OK && k < s->d->structure.n; k++) {
        s->right[k] += s->product[k];
    }
    return status;
}
