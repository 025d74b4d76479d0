// SPDX-License-Identifier: MIT
// Places of a pair are laid into lanes (contact.21).
#include "laws/contact/crowd/fours.h"
#include "base/lanes.h"

bool fours_can(const contact *c, const contact_pair *p)
{
    const touch_values *v = &c->surface.values;
    return !pair_bends(p) && v->law == TOUCH_KELVIN_VOIGT && !(v->smooth > 0.0) && isinf(v->limit) &&
           !(v->viscous > 0.0) && v->rubbing != TOUCH_BLENDED && v->skew == 0.0 && !v->is_set &&
           !surface_rolls(&c->surface) && !surface_has_more(&c->surface);
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

static surface_strength strength_of(const contact *c, const contact_pair *p, const law_in *in,
                                    const pair_place *place, int count)
{
    surface_place at = surface_place_of(c, p, in, place, count);
    return surface_strength_at(&c->surface, in, &at);
}

static void put_values(const surface_strength *v, double back, double friction, int i, place_four *f)
{
    f->stiffness[i] = v->stiffness;
    f->damping[i] = v->damping;
    f->back[i] = back;
    f->stick[i] = v->stick_stiffness;
    f->stick_damping[i] = v->stick_damping;
    f->friction[i] = friction;
}

// In lanes without a place they do not matter.
WIDE void take_values(const contact *c, const contact_pair *p, const law_in *in, const pair_place *place,
                      int count, int n, place_four *f)
{
    bool slides = pair_slides(p, in) && c->surface.values.rubbing == TOUCH_COULOMB;
    double hysteresis = c->surface.values.hysteresis, give = pair_give(p, in);
    surface_strength v = strength_of(c, p, in, &place[0], count);
    f->stiffness = four_of(v.stiffness);
    f->damping = four_of(v.damping);
    f->back = four_of(hysteresis * v.damping);
    f->lost = four_of(give < 1.0 ? 1.0 - give : 0.0);
    f->stick = four_of(v.stick_stiffness);
    f->stick_damping = four_of(v.stick_damping);
    f->friction = four_of(slides ? v.sliding : v.friction);
    bool differ = c->patched || c->surface.is_per_area;
    for (int i = 1; i < n && differ; i++) {
        v = strength_of(c, p, in, &place[i], count);
        put_values(&v, hysteresis * v.damping, slides ? v.sliding : v.friction, i, f);
    }
}

// Of lanes without a place.
static const double nothing[4];

WIDE void take_places(const contact_pair *p, const law_in *in, const pair_place *place, int n, vec3 first,
                      place_four *f, anchors *to)
{
    const double *own = pair_own(p, in) + p->head, *point[4], *normal[4], *slot[4],
                 spare[4] = { first.x, first.y, first.z, 0.0 };
    for (int i = 0; i < 4; i++) {
        bool is_held = i < n && place[i].slot >= 0;
        point[i] = i < n ? &place[i].point.x : spare;
        normal[i] = i < n ? &place[i].normal.x : nothing;
        slot[i] = is_held ? own + p->slot * place[i].slot : NULL;
        f->depth[i] = i < n ? place[i].depth : -1.0; // nothing touches in the others
        f->impact[i] = is_held ? fabs(slot[i][SLOT_IMPACT]) : 0.0;
        f->held[i] = is_held ? 1.0 : 0.0;
    }
    f->normal = four3_gather(normal);
    f->off = four3_sub(four3_gather(point), four3_of(wide3_of(first)));
    four3 *kept[3] = { &to->a, &to->b, &to->kept };
    const int at[3] = { SLOT_A, SLOT_B, SLOT_STRETCH };
    for (int k = 0; k < 3; k++) {
        const double *from[4];
        for (int i = 0; i < 4; i++) {
            from[i] = slot[i] ? slot[i] + at[k] : nothing;
        }
        *kept[k] = four3_gather(from);
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
