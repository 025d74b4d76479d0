// SPDX-License-Identifier: MIT
// Plain places after a step, four at a time: what is remembered of them (contact.5, contact.8).
#include "base/lanes.h"
#include "laws/contact/commit.h"
#include "laws/contact/crowd/fours.h"

// Into the axes of a body.
WIDE four3 seen_from(const mat3 *R, four3 a)
{
    return (four3){ four3_dot(four3_of(wide3_of(R->col[0])), a), four3_dot(four3_of(wide3_of(R->col[1])), a),
                    four3_dot(four3_of(wide3_of(R->col[2])), a) };
}

WIDE double sum_of(four a) { return (a[0] + a[1]) + (a[2] + a[3]); }

// The stretch that stick springs keep: of those at their limit what that is.
WIDE four3 followed(const place_four *f, four kept)
{
    four3 stretch = four_across(f->normal, f->stretch);
    four now = four_sqrt(four3_dot(stretch, stretch)), most = kept * f->friction * f->push / f->stick;
    four_mask is_long = (f->is_slipping > 0.0) & (f->stick > 0.0) & (now > most);
    return four3_scale(four_select(is_long, most / now, four_of(1.0)), stretch);
}

// Of lanes without a place.
static const double nothing[4];

// A vector of each place; `first` is that of the first one.
WIDE four3 gather_places(const vec3 *first, int n)
{
    const double *from[4];
    for (int i = 0; i < 4; i++) {
        const char *at = (const char *)first + (size_t)i * sizeof(pair_place);
        from[i] = i < n ? (const double *)(const void *)at : nothing;
    }
    return four3_gather(from);
}

WIDE void remember(const commit *of, const place_four *f, const pair_place *place, int n, four3 stretch,
                   double *slots)
{
    const pair_motion *m = of->m;
    four3 point = gather_places(&place[0].point, n);
    four3 a = seen_from(&m->rot[0], four3_sub(point, four3_of(wide3_of(m->pos[0])))),
          b = seen_from(&m->rot[1], four3_sub(point, four3_of(wide3_of(m->pos[1])))),
          kept = seen_from(&m->rot[1], stretch);
    for (int i = 0; i < n; i++) {
        double *slot = &slots[of->p->slot * i];
        vec3 normal = four3_get(&f->normal, i), velocity = four3_get(&f->velocity, i);
        tray_put(slot + SLOT_A, four3_get(&a, i));
        tray_put(slot + SLOT_B, four3_get(&b, i));
        tray_put(slot + SLOT_STRETCH, four3_get(&kept, i));
        slot[SLOT_IMPACT] = f->impact[i] > 0.0 ? f->impact[i] : touch_impact(-vec3_dot(normal, velocity));
    }
}

// Forces and their moments about the first place, as efforts on both bodies.
WIDE void push_on(const commit *of, vec3 first, wide3 force, wide3 moment)
{
    for (int i = 0; i < 2 && of->on[i]; i++) {
        double sign = i == 0 ? 1.0 : -1.0;
        vec3 f = wide3_narrow(sign * force), turn = wide3_narrow(sign * moment);
        tray_add(of->on[i], f);
        tray_add(of->on[i] + 3, vec3_add(turn, vec3_cross(vec3_sub(first, of->m->pos[i]), f)));
    }
}

// What the step had, if that is not what there is now.
WIDE four3 acted(const commit *of, const pair_place *place, int n, place_four *f)
{
    if (!(of->in->want & LAW_LATE)) {
        return f->force;
    }
    // lanes without a place have no force of a spring
    f->elastic = (four){ place[0].elastic, n > 1 ? place[1].elastic : f->elastic[1],
                         n > 2 ? place[2].elastic : f->elastic[2], n > 3 ? place[3].elastic : f->elastic[3] };
    return gather_places(&place[0].acted, n);
}

LANES void commit_fours(const commit *of, const pair_place *place, double *slots, committed *out)
{
    place_four *all = SPARE_NEW(of->in->spare, place_four, (of->count + 3) / 4);
    vec3 first = place[0].point;
    wide3 force = wide3_zero(), moment = force, elastic = force, turning = force;
    fours_take(of->c, of->p, of->m, of->in, place, of->count, all);
    for (int from = 0; from < of->count; from += 4) {
        int n = of->count - from < 4 ? of->count - from : 4;
        place_four *f = &all[from / 4];
        four_meet(f, wide3_zero(), wide3_zero(), 0.0);
        four3 stretch = followed(f, four_of(of->c->surface.values.kept)),
              acts = acted(of, place + from, n, f), of_spring = four3_scale(f->elastic, f->normal);
        remember(of, f, place + from, n, four3_scale(four_of(of->scale), stretch),
                 &slots[of->p->slot * from]);
        force += four3_sum(acts);
        moment += four3_sum(four3_cross(f->off, acts));
        elastic += four3_sum(of_spring);
        turning += four3_sum(four3_cross(f->off, of_spring));
        out->energy += sum_of(four_where(f->depth > 0.0, 0.5 * f->stiffness * f->depth * f->depth));
        out->of_sticking += sum_of(0.5 * f->stick * four3_dot(stretch, stretch));
        for (int i = 0; i < n; i++) {
            out->n_slipping += f->is_slipping[i] > 0.0;
            out->deepest = f->depth[i] > out->deepest ? f->depth[i] : out->deepest;
        }
    }
    spare_give(of->in->spare, all);
    push_on(of, first, force, moment);
    store_add(&out->effort, of->m, first, wide3_narrow(elastic));
    tray_add(out->effort.effort + 3, wide3_narrow(turning));
    tray_add(out->effort.effort + 6, wide3_narrow(-turning));
}
