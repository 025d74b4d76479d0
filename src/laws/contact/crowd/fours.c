// SPDX-License-Identifier: MIT
// Places of a pair are laid into lanes (contact.21).
#include "laws/contact/crowd/fours.h"
#include "base/lanes.h"
#include <string.h>

bool fours_can(const contact *c, const contact_pair *p)
{
    const touch_values *v = &c->surface.values;
    return !pair_bends(p) && v->law == TOUCH_KELVIN_VOIGT && !(v->smooth > 0.0) && isinf(v->limit) &&
           !(v->viscous > 0.0) && v->skew == 0.0 && !v->is_set && !surface_rolls(&c->surface);
}

// Four vectors that are the same in both bodies, turned.
WIDE four3 turned(const mat3 *R, four3 a)
{
    four3 out = four3_scale(a.x, four3_of(wide3_of(R->col[0])));
    out = four3_add_scaled(out, a.y, four3_of(wide3_of(R->col[1])));
    return four3_add_scaled(out, a.z, four3_of(wide3_of(R->col[2])));
}

typedef struct {
    four3 a, b, kept; // as remembered in the bodies
} anchors;

static void take_values(const contact *c, const contact_pair *p, const law_in *in, const pair_place *place,
                        int count, int n, place_four *f)
{
    bool differ = c->patched || c->surface.is_per_area;
    touch_values v = values_at(c, p, in, &place[0], count);
    for (int i = 0; i < n; i++) {
        if (i > 0 && differ) {
            v = values_at(c, p, in, &place[i], count);
        }
        f->stiffness[i] = v.stiffness;
        f->damping[i] = v.damping;
        f->back[i] = v.hysteresis * v.damping;
        f->lost[i] = v.give < 1.0 ? 1.0 - v.give : 0.0;
        f->stick[i] = v.stick_stiffness;
        f->stick_damping[i] = v.stick_damping;
        f->friction[i] = pair_slides(p, in) && v.rubbing == TOUCH_COULOMB ? v.sliding : v.friction;
    }
}

static void take_places(const contact_pair *p, const law_in *in, const pair_place *place, int n, vec3 first,
                        place_four *f, anchors *to)
{
    const double *own = pair_own(p, in) + p->head;
    for (int i = 0; i < n; i++) {
        four3_put(&f->normal, i, place[i].normal);
        four3_put(&f->off, i, vec3_sub(place[i].point, first));
        f->depth[i] = place[i].depth;
        if (place[i].slot >= 0) {
            const double *slot = own + p->slot * place[i].slot;
            four3_put(&to->a, i, tray_vec3(slot + SLOT_A));
            four3_put(&to->b, i, tray_vec3(slot + SLOT_B));
            four3_put(&to->kept, i, tray_vec3(slot + SLOT_STRETCH));
            f->impact[i] = fabs(slot[SLOT_IMPACT]);
            f->held[i] = 1.0;
        }
    }
}

// A belt runs along the surface (touch.9).
static void add_belt(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                     place_four *f)
{
    hold h;
    contact_run_belt(c, p, m, in, &h);
    four3 belt = four3_of(wide3_of(h.belt)), n = f->normal;
    f->velocity = four3_add(f->velocity, four_across(n, belt));
    f->stretch = four3_add(f->stretch, four3_of(wide3_of(h.travel)));
}

LANES static void take(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                       const pair_place *place, int count, int from, place_four *f)
{
    int n = count - from < 4 ? count - from : 4;
    vec3 first = place[0].point;
    anchors kept;
    memset(f, 0, offsetof(place_four, push));
    memset(&kept, 0, sizeof kept);
    f->depth = four_of(-1.0); // nothing touches in the others
    f->step = four_of(in->u->h);
    f->is_spent = four_of(p->is_patch ? 1.0 : 0.0);
    take_values(c, p, in, place + from, count, n, f);
    take_places(p, in, place + from, n, first, f, &kept);
    // velocity of a against b at the first place, and how it turns
    vec3 ra = vec3_sub(first, m->pos[0]), rb = vec3_sub(first, m->pos[1]);
    vec3 va = vec3_add(m->vel[0], vec3_cross(m->spin[0], ra)),
         vb = vec3_add(m->vel[1], vec3_cross(m->spin[1], rb)), spin = vec3_sub(m->spin[0], m->spin[1]);
    f->velocity =
        four3_add(four3_of(wide3_of(vec3_sub(va, vb))), four3_cross(four3_of(wide3_of(spin)), f->off));
    four3 apart = four3_sub(turned(&m->rot[0], kept.a), turned(&m->rot[1], kept.b));
    apart = four3_add(apart, four3_of(wide3_of(vec3_sub(m->pos[0], m->pos[1]))));
    f->stretch = four3_add(turned(&m->rot[1], kept.kept), apart);
    if (c->clock >= 0) {
        add_belt(c, p, m, in, f);
    }
    four_mask is_held = f->held > 0.0;
    f->stretch = (four3){ four_where(is_held, f->stretch.x), four_where(is_held, f->stretch.y),
                          four_where(is_held, f->stretch.z) };
    f->is_new = 1.0 - f->held;
    bool may_stick = c->surface.values.rubbing == TOUCH_COULOMB && !pair_slides(p, in);
    f->beyond = four_where(is_held, four_of(may_stick ? touch_beyond : 0.0));
    f->held = four_where(is_held, f->stick);
}

int fours_take(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
               const pair_place *place, int count, place_four *out)
{
    int n = 0;
    for (int from = 0; from < count; from += 4) {
        take(c, p, m, in, place, count, from, &out[n++]);
    }
    return n;
}
