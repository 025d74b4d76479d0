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

void hit_add(const contact_pair *p, const motion *at, double on[2][6], double points, hit_sum *sum)
{
    sum->points += points;
    sum->force = vec3_add_scaled(sum->force, p->is_swapped ? -1.0 : 1.0, tray_vec3(on[0]));
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 6 && p->side[side].dof >= 0; i++) {
            sum->power += on[side][i] * at->rate[p->side[side].dof + i];
        }
    }
}

void hit_follow(const contact *c, const law_in *in, const hit_sum *sum, double work, double *memory)
{
    double *hit = &memory[c->hit], t = in->u->t, force = vec3_norm(sum->force);
    bool touched = hit[HIT_TOUCHES] > 0.0, touches = sum->points > 0.0;
    if (touches && !touched) {
        hit[HIT_FORCE] = hit[HIT_ENERGY] = hit[HIT_POWER] = 0.0;
    }
    if (touches || touched) {
        // the mean of both ends (touch.11)
        double lost = isfinite(work) ? hit[HIT_WORK] - work
                                     : -0.5 * (t - hit[HIT_TIME]) * (hit[HIT_POWER] + sum->power);
        hit[HIT_ENERGY] += lost;
        hit[HIT_FORCE] = fmax(hit[HIT_FORCE], force);
    }
    hit[HIT_TOUCHES] = touches ? 1.0 : 0.0;
    hit[HIT_POWER] = sum->power;
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
    pair_place place[PAIR_MOST];
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_find(p, &m, pair_own(p, in), in->scratch, place, &n_region);
    for (int k = 0; k < count; k++) {
        if (place[k].depth > out->depth) {
            out->shape[p->is_swapped ? 1 : 0] = p->a;
            out->shape[p->is_swapped ? 0 : 1] = p->b;
            out->point = place[k].point;
            out->normal = p->is_swapped ? vec3_neg(place[k].normal) : place[k].normal;
            out->depth = place[k].depth;
        }
    }
}

bool contact_where(const void *items, int count, int element, const law_in *in, contact_spot *out)
{
    const contact *c = contact_of(items, count, element);
    memset(out, 0, sizeof *out);
    if (!c) {
        return false;
    }
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        look_at(p, in, out);
    }
    return out->depth > 0.0;
}
