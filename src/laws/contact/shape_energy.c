// SPDX-License-Identifier: MIT
// What contacts between shapes store and lose.
#include "laws/contact/shape_contact.h"

static vec3 stretch_of(const touch_motion *t)
{
    return vec3_add_scaled(t->stretch, -vec3_dot(t->normal, t->stretch), t->normal);
}

// A stick spring stores, too, up to what it keeps at its limit.
double contact_stick_energy(const touch_values *v, vec3 kept)
{
    return 0.5 * v->stick_stiffness * vec3_dot(kept, kept);
}

static vec3 change_of_side(const spot *s, const nudge *a, const nudge *b)
{
    return vec3_add(nudge_side(s, a, 0, s->m->spin[0]), nudge_side(s, b, 1, s->m->spin[1]));
}

// N/s, as the bodies move on.
static double change_of_push(const touch_values *v, const touch_motion *t, const spot *s, const nudge *a,
                             const nudge *b)
{
    touch_force g = touch_eval(v, t, TOUCH_SLOPES);
    vec3 turn = vec3_add(a->normal, b->normal), by = vec3_add(vec3_add(a->stretch, b->stretch), s->h->belt);
    vec3 df = vec3_add(mat3_apply(g.by_normal, turn), vec3_scale(a->depth + b->depth, g.by_depth));
    df = vec3_add(df, mat3_apply(g.by_velocity, vec3_add(a->velocity, b->velocity)));
    df = vec3_add(df, mat3_apply(g.by_stretch, by));
    df = v->skew != 0.0 ? vec3_add(df, mat3_apply(s->grain->by_side, change_of_side(s, a, b))) : df;
    return vec3_dot(turn, g.force) + vec3_dot(t->normal, df);
}

// What it takes up: with its stretch, or at its limit with the load.
static double stick_power(const touch_values *v, const touch_motion *t, const touch_force *f, const spot *s)
{
    if (!t->is_held || !(v->stick_stiffness > 0.0)) {
        return 0.0;
    }
    nudge a = nudge_of(s, 0, s->m->vel[0], s->m->spin[0]), b = nudge_of(s, 1, s->m->vel[1], s->m->spin[1]);
    vec3 stretch = stretch_of(t), turn = vec3_add(a.normal, b.normal),
         by = vec3_add(vec3_add(a.stretch, b.stretch), s->h->belt);
    if (!touch_is_at_limit(v, t, f)) {
        double along = vec3_dot(t->normal, t->stretch);
        if (v->skew != 0.0) {
            vec3 seen = touch_skewed(v, t, stretch), side = change_of_side(s, &a, &b);
            vec3 change = touch_skewed(v, t, vec3_add_scaled(by, -along, turn));
            change = vec3_add(change, touch_skew_turned(v, t, stretch, side));
            return v->stick_stiffness * vec3_dot(seen, change);
        }
        return v->stick_stiffness * (vec3_dot(stretch, by) - along * vec3_dot(stretch, turn));
    }
    double part = touch_kept(v, t), load = change_of_push(v, t, s, &a, &b);
    return part * part * f->push * load / v->stick_stiffness;
}

// Springs against rolling store and lose, too.
static void add_roll(const place_roll *r, const touch_values *v, const touch_motion *t, const touch_force *f,
                     const spot *s, law_energy *out)
{
    const pair_motion *m = s->m;
    nudge a = nudge_of(s, 0, m->vel[0], m->spin[0]), b = nudge_of(s, 1, m->vel[1], m->spin[1]);
    vec3 by = vec3_add(roll_stretched(&r->at, 0, m->spin[0]), roll_stretched(&r->at, 1, m->spin[1])),
         turn = vec3_add(a.normal, b.normal);
    double load = change_of_push(v, t, s, &a, &b);
    out->potential += roll_energy(&r->values, &r->at, f->push);
    out->power += vec3_dot(roll_eval(&r->values, &r->at, f->push, TOUCH_FORCE).moment, r->at.spin);
    out->power += r->at.is_held ? roll_power(&r->values, &r->at, f->push, by, turn, load) : 0.0;
}

static void energy_of_pair(const contact *c, const contact_pair *p, const law_in *in, law_energy *out)
{
    if (pair_is_clear(p, in->at)) {
        return;
    }
    bool is_stored = p->is_patch;
    pair_place *place = SPARE_NEW(in->spare, pair_place, p->capacity);
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_find(p, &m, pair_own(p, in), in, place, &n_region);
    store_effort effort = { { 0.0 } };
    bi_expr stiffness = c->surface.stiffness;
    double stiffening = stiffness.i > 0 ? in->u->signal[stiffness.i - 1].d : 0.0;
    for (int k = 0; k < count; k++) {
        hold h;
        touch_values v = values_at(c, p, in, &place[k], count);
        touch_motion t = motion_at(c, p, &m, in, &place[k], &h);
        touch_force f = touch_eval(&v, &t, TOUCH_FORCE);
        double stored = touch_energy(&v, place[k].depth);
        out->potential += is_stored ? 0.0 : stored;
        store_add(&effort, &m, place[k].point, vec3_scale(f.elastic, place[k].normal));
        double given = f.elastic;
        if (v.give < 1.0 && !p->is_patch) { // what it withholds is lost
            v.give = 1.0;
            given = touch_elastic(&v, &t);
        }
        // a belt is driven from outside
        vec3 velocity = vec3_sub(t.velocity, hold_belt(&h, t.normal));
        out->power += vec3_dot(vec3_add_scaled(f.force, -given, t.normal), velocity);
        out->potential += contact_stick_energy(&v, touch_skewed(&v, &t, touch_follow(&v, &t, &f)));
        spot s = spot_of(&m, &place[k], &h);
        mat3 bend;
        if (pair_bends(p)) {
            bend = pair_bend(p, &m, place[k].normal);
            s.bend = &bend;
        }
        grain grown;
        if (v.skew != 0.0) {
            grown = grain_at(c, p, &m, &v, &t);
            s.grain = &grown;
        }
        out->power += stick_power(&v, &t, &f, &s);
        if (surface_rolls(&c->surface)) {
            place_roll r = roll_at(c, p, &m, in, &place[k], count);
            add_roll(&r, &v, &t, &f, &s, out);
        }
        // who stiffens a spring under load does work on it
        out->power += v.stiffness > 0.0 && !p->is_patch ? stored * stiffening / v.stiffness : 0.0;
    }
    spare_give(in->spare, place);
    bool has_touched = p->is_live ? pair_own(p, in)[HEAD_COUNT] > 0.0 : count > 0;
    if (has_touched && is_stored) {
        store_flow flow = store_flow_of(&m);
        double stored = store_energy(pair_own(p, in), &effort, &flow, in->u->t);
        out->potential += p->is_live ? fmax(0.0, stored) : stored;
    }
}

void contact_energy_of_sleeping(const contact *c, const contact_pair *p, const law_in *in, law_energy *out)
{
    sleeping_pair *sleeping = sleeping_of(p, in);
    if (!sleeping->has_energy) {
        sleeping->energy = (law_energy){ 0 };
        energy_of_pair(c, p, in, &sleeping->energy);
        sleeping->has_energy = true;
    }
    out->potential += sleeping->energy.potential;
    out->power += sleeping->energy.power;
}

static void energy_of_all(const contact *c, const law_in *in, law_energy *out)
{
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        if (pair_sleeps(p, in->memory)) {
            contact_energy_of_sleeping(c, p, in, out);
        } else {
            energy_of_pair(c, p, in, out);
        }
    }
}

void contact_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].live && (in->want & LAW_COMMITTED)) {
            const double *pool = live_pool(item[k].live, in);
            out->is_driven |= item[k].surface.belt.i > 0;
            out->potential += pool[POOL_STORED];
            out->work += pool[POOL_WORK] + pool[POOL_STORED];
            continue;
        }
        bool sleeps = all_sleeps(&item[k], in);
        law_energy sum = { 0 };
        if (sleeps && all_sleeping_of(&item[k], in)->has_energy) {
            sum = all_sleeping_of(&item[k], in)->energy;
        } else {
            energy_of_all(&item[k], in, &sum);
        }
        if (sleeps) {
            all_sleeping_of(&item[k], in)->energy = sum;
            all_sleeping_of(&item[k], in)->has_energy = true;
        }
        out->potential += sum.potential;
        out->power += sum.power;
        if (item[k].live) {
            out->counted += sum.power;
            out->is_driven |= item[k].surface.belt.i > 0;
            out->work += live_pool(item[k].live, in)[POOL_WORK] + sum.potential;
        }
    }
}
