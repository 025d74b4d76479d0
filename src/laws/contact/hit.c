// SPDX-License-Identifier: MIT
// A touch as an event tells of it: who, where, the largest force, and the energy it took.
#include "laws/contact/hit.h"
#include <string.h>

int hit_compile(plan *p, int element)
{
    for (int k = 0; k < p->model->n_event; k++) {
        if (model_event_contact(p->model, k) == element) {
            return plan_memory(p, CONTACT_HIT_NUMBERS);
        }
    }
    return -1;
}

// The sum of the two things of a pair; NULL: there is no room for them.
static touch_sum *sum_of(const contact_pair *p, hit_sum *sum)
{
    int a = (p->is_swapped ? p->b : p->a)->thing, b = (p->is_swapped ? p->a : p->b)->thing, k = 0;
    while (k < sum->n && (sum->of[k].thing[0] != a || sum->of[k].thing[1] != b)) {
        k++;
    }
    if (k == THINGS_MOST) {
        return NULL;
    }
    if (k == sum->n) {
        sum->of[sum->n++].thing[0] = a;
        sum->of[k].thing[1] = b;
        sum->of[k].sum = (touch_sum){ 0 };
    }
    return &sum->of[k].sum;
}

static void add(touch_sum *sum, double points, vec3 force, double power)
{
    sum->points += points;
    sum->force = vec3_add(sum->force, force);
    sum->power += power;
}

void hit_add(const contact_pair *p, const motion *at, double on[2][6], double points, hit_sum *sum)
{
    vec3 force = { 0 };
    double power = 0.0;
    if (on) {
        force = vec3_scale(p->is_swapped ? -1.0 : 1.0, tray_vec3(on[0]));
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 6 && p->side[side].dof >= 0; i++) {
                power += on[side][i] * at->rate[p->side[side].dof + i];
            }
        }
    }
    add(&sum->all, points, force, power);
    touch_sum *own = points > 0.0 ? sum_of(p, sum) : NULL;
    if (own) {
        add(own, points, force, power);
    }
}

// The numbers of these two things; those who have parted make room. NULL: there is none.
static double *thing_of(double *things, int a, int b)
{
    double *room = NULL;
    for (int k = 0; k < THINGS_MOST; k++) {
        double *thing = &things[k * THING_NUMBERS];
        if (thing[THING_A] == a && thing[THING_B] == b) {
            return thing;
        }
        room = room || thing[THING_A] > 0.0 ? room : thing;
    }
    if (room) {
        room[THING_A] = a;
        room[THING_B] = b;
    }
    return room;
}

// Those that touch or touched at the end of the step before, each with the number of its sum in THING_NOW, -1: none.
static void match_things(const hit_sum *sum, double *things)
{
    for (int k = 0; k < THINGS_MOST; k++) {
        double *thing = &things[k * THING_NUMBERS];
        if (thing[THING_TOUCHES] == 0.0) {
            memset(thing, 0, THING_NUMBERS * sizeof *thing);
        }
        thing[THING_NOW] = -1.0;
    }
    for (int k = 0; k < sum->n; k++) {
        double *thing = thing_of(things, sum->of[k].thing[0], sum->of[k].thing[1]);
        if (thing) {
            thing[THING_NOW] = k;
        }
    }
}

// What each took, by its powers at both ends. `lost`: what the contact took in all, which it may know better; the rest is
// theirs whose powers changed.
static void follow_things(const hit_sum *sum, double passed, double lost, double *things)
{
    double change = 0.0;
    match_things(sum, things);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < THINGS_MOST; k++) {
            double *thing = &things[k * THING_NUMBERS];
            const touch_sum none = { 0 },
                            *now = thing[THING_NOW] >= 0.0 ? &sum->of[(int)thing[THING_NOW]].sum : &none;
            double changed = fabs(now->power - thing[THING_POWER]);
            if (thing[THING_A] == 0.0) {
                continue;
            }
            if (pass == 0) {
                double taken = -0.5 * passed * (thing[THING_POWER] + now->power);
                thing[THING_ENERGY] += taken;
                lost -= taken;
                change += changed;
                continue;
            }
            thing[THING_ENERGY] += change > 0.0 ? lost * changed / change : 0.0;
            thing[THING_NOW] = vec3_norm(now->force);
            thing[THING_FORCE] = fmax(thing[THING_FORCE], thing[THING_NOW]);
            thing[THING_POWER] = now->power;
            thing[THING_TOUCHES] = now->points > 0.0 ? 1.0 : 0.0;
        }
    }
}

void hit_follow(const contact *c, const law_in *in, const hit_sum *sum, double work, double *memory)
{
    double *hit = &memory[c->hit], t = in->u->t, force = vec3_norm(sum->all.force);
    bool touched = hit[HIT_TOUCHES] > 0.0, touches = sum->all.points > 0.0;
    if (touches && !touched) {
        hit[HIT_FORCE] = hit[HIT_ENERGY] = hit[HIT_POWER] = 0.0;
    }
    if (touches || touched) {
        // the mean of both ends (touch.11)
        double passed = t - hit[HIT_TIME], lost = isfinite(work)
                                                      ? hit[HIT_WORK] - work
                                                      : -0.5 * passed * (hit[HIT_POWER] + sum->all.power);
        hit[HIT_ENERGY] += lost;
        hit[HIT_FORCE] = fmax(hit[HIT_FORCE], force);
        follow_things(sum, passed, lost, &hit[HIT_THINGS]);
    }
    hit[HIT_TOUCHES] = touches ? 1.0 : 0.0;
    hit[HIT_POWER] = sum->all.power;
    hit[HIT_WORK] = isfinite(work) ? work : 0.0;
    hit[HIT_TIME] = t;
}

static const contact *contact_of(const void *items, int count, int element)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].element == element) {
            return &item[k];
        }
    }
    return NULL;
}

const double *contact_hit(const void *items, int count, int element, const double *memory)
{
    const contact *c = contact_of(items, count, element);
    return c && c->hit >= 0 ? &memory[c->hit] : NULL;
}

// The deepest place of a pair, if it is deeper than those before.
static void look_at(const contact_pair *p, const law_in *in, contact_spot *out)
{
    if (pair_is_clear(p, in->at)) {
        return;
    }
    pair_place *place = SPARE_NEW(in->spare, pair_place, p->capacity);
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_find(p, &m, pair_own(p, in), in, place, &n_region);
    for (int k = 0; k < count; k++) {
        if (place[k].depth > out->depth) {
            out->shape[p->is_swapped ? 1 : 0] = p->a;
            out->shape[p->is_swapped ? 0 : 1] = p->b;
            out->point = place[k].point;
            out->normal = p->is_swapped ? vec3_neg(place[k].normal) : place[k].normal;
            out->depth = place[k].depth;
        }
    }
    spare_give(in->spare, place);
}

static bool is_of(const contact_pair *p, const int thing[2])
{
    int a = (p->is_swapped ? p->b : p->a)->thing, b = (p->is_swapped ? p->a : p->b)->thing;
    return thing[0] == 0 || (thing[0] == a && thing[1] == b);
}

bool contact_where(const void *items, int count, int element, const int thing[2], const law_in *in,
                   contact_spot *out)
{
    const contact *c = contact_of(items, count, element);
    memset(out, 0, sizeof *out);
    if (!c) {
        return false;
    }
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        if (is_of(p, thing)) {
            look_at(p, in, out);
        }
    }
    return out->depth > 0.0;
}

// The force of one place, as an evaluation finds it.
static vec3 force_of(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                     const pair_place *place, int count, store_limit held)
{
    hold h;
    touch_motion t = motion_at(c, p, m, in, place, &h);
    touch_values v = values_at(c, p, in, place, count);
    t.is_new = !t.is_held;
    v.held = held.share;
    v.held_slope = held.slope;
    return touch_eval(&v, &t, TOUCH_FORCE).force;
}

static void tell_pair(const contact *c, const contact_pair *p, const model_shape *shapes, const law_in *in,
                      bi_touch_observes *tell, void *data)
{
    pair_place place[PAIR_MOST];
    pair_motion m = pair_at(p, in->at);
    int n_region,
        count = pair_is_clear(p, in->at) ? 0 : pair_find(p, &m, pair_own(p, in), in, place, &n_region);
    store_limit all = { 1.0, 0.0 }, held = p->is_live ? all : share_held(c, p, in, &m, place, count);
    for (int k = 0; k < count; k++) {
        vec3 force = force_of(c, p, in, &m, &place[k], count, held);
        bi_touch touch = pair_touch(p, c->element, shapes, &m, &place[k]);
        tell(data, in->u->t, &touch, p->is_swapped ? vec3_neg(force) : force);
    }
}

void contact_touches(const void *items, int count, const model_shape *shapes, const law_in *in,
                     bi_touch_observes *tell, void *data)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
            tell_pair(&item[k], p, shapes, in, tell, data);
        }
    }
}
