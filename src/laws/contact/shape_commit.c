// SPDX-License-Identifier: MIT
// Contacts between shapes after a step: what they remember, what speaks against the step, who is near.
#include "laws/contact/commit.h"
#include "laws/contact/crowd/fours.h"
#include "math/elementary.h"
#include <string.h>

// A touch that begins faster than a fall of a few steps is an impact; slower ones are rest that comes and goes.
typedef enum { HIT_MEAN, HIT_LATE } hit_rule; // how the step takes forces (contact.23)
static hit_rule rule_of(const law_in *in) { return in->want & LAW_LATE ? HIT_LATE : HIT_MEAN; }
static void doubt_impact(const contact *c, const contact_pair *p, const touch_values *v,
                         const touch_motion *t, hit_rule rule, law_doubts *doubts)
{
    double speed = -vec3_dot(t->normal, t->velocity), h = doubts->h;
    if (speed > 4.0 * c->gravity * h) {
        double slope = v->law == TOUCH_HERTZ
                           ? v->exponent * v->stiffness * math_pow(t->depth, v->exponent - 1.0)
                           : v->stiffness;
        // forces of the end lose a part h sqrt(k/m) of a hit or so: where a restitution is asked for, or nothing is to be
        // lost, that is too much much sooner than steps that do not follow the hit
        const surface *f = &c->surface;
        bool is_asked = f->damping_ratio > 0.0 || v->law == TOUCH_HERTZ || !(v->damping > 0.0);
        double weight = rule == HIT_LATE && is_asked ? 5.0 : 1.0;
        law_doubts_note(doubts, DOUBT_IMPACT, weight * h * sqrt(slope / p->mass), c->element);
    }
}

// The same of a touch that was settled inside the step and may be over at its end: forces of several weights tell.
static void doubt_settled(const contact *c, const contact_pair *p, const law_in *in)
{
    const pair_place *place = pair_kept_places(p, in->scratch);
    int count = pair_kept_count(p, in->scratch);
    for (int k = 0; k < count; k++) {
        if (vec3_norm(place[k].acted) > 4.0 * p->mass * c->gravity) {
            touch_values v = values_at(c, p, in, &place[k], count);
            touch_motion t = { .depth = fmax(place[k].depth, 0.0), .normal = place[k].normal };
            t.velocity = vec3_scale(-5.0 * c->gravity * in->doubts->h, t.normal);
            doubt_impact(c, p, &v, &t, rule_of(in), in->doubts);
        }
    }
}

// What speaks against a place: its depth, how it began, and an axis of friction that is not along the surface.
static void doubt_place(const contact *c, const contact_pair *p, const pair_motion *m, const touch_values *v,
                        const touch_motion *t, double before, const law_in *in)
{
    law_doubts *doubts = in->doubts;
    if (!doubts) {
        return;
    }
    law_doubts_note(doubts, DOUBT_DEPTH, t->depth / fmin(p->reach[0], p->reach[1]), c->element);
    if (before == 0.0) {
        doubt_impact(c, p, v, t, rule_of(in), doubts);
    }
    if (v->skew != 0.0) {
        vec3 axis = mat3_apply(m->rot[p->is_swapped ? 1 : 0], c->surface.friction_axis);
        law_doubts_note(doubts, DOUBT_GRAIN, fabs(vec3_dot(axis, t->normal)), c->element);
    }
}

// What speaks against the step of a pair that does not touch: it may have passed, or fallen through the ground.
static void doubt_apart(const contact *c, const contact_pair *p, const law_in *in)
{
    // who decides about places may let shapes pass
    if (!in->doubts || pair_may_pass(p)) {
        return;
    }
    if (isfinite(p->thin)) {
        bool is_fast = pair_is_fast(p, in->at, in->doubts->h);
        bool may_be_inside = p->needs_work || p->b->form.kind == GEOM_FIELD;
        if (is_fast || (may_be_inside && in->doubts->is_sample)) {
            pair_motion m = pair_at(p, in->at);
            bool has_passed = (is_fast && pair_has_passed(p, &m, in->doubts->h)) || pair_is_inside(p, &m);
            law_doubts_note(in->doubts, DOUBT_PASSED, has_passed ? 1.0 : 0.0, c->element);
        }
    } else if (in->doubts->is_sample) {
        double size = vec3_norm(vec3_sub(p->middle[0], p->centre)) + p->reach[0];
        law_doubts_note(in->doubts, DOUBT_BELOW, pair_below(p, in->at) / size, c->element);
    }
}

// The same of one that did not touch before, and has so many places now.
static void doubt_beginning(const contact *c, const contact_pair *p, const law_in *in, int count)
{
    if (count == 0) {
        doubt_apart(c, p, in);
    } else if (in->doubts && pair_is_fast(p, in->at, in->doubts->h)) {
        law_doubts_note(in->doubts, DOUBT_PASSED, 1.0, c->element); // nobody saw on which side they met
    }
}

// Of a pair that touched and is apart now: its middle has changed sides, seen from where they touched, on a way that is longer
// than both are thick. The two points of that place have moved apart by the way since then.
static bool has_crossed(const contact_pair *p, const pair_motion *m, const double *own)
{
    const double *slot = own + p->head;
    vec3 at_a = vec3_add(m->pos[0], mat3_apply(m->rot[0], tray_vec3(slot + SLOT_A))),
         at_b = vec3_add(m->pos[1], mat3_apply(m->rot[1], tray_vec3(slot + SLOT_B)));
    vec3 way = vec3_sub(at_a, at_b);
    vec3 now = vec3_sub(vec3_add(m->pos[0], mat3_apply(m->rot[0], p->middle[0])), at_b);
    return vec3_dot(way, way) > p->thin * p->thin && vec3_dot(now, vec3_sub(now, way)) < 0.0;
}

// The same of one that touched before: where a place is deeper than both are thick, by the way since the last step,
// they have come from the other side. Soft springs let fast rods through while they touch.
static void doubt_crossing(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                           const pair_place *place, int count)
{
    if (!in->doubts || !pair_is_fast(p, in->at, 4.0 * in->doubts->h)) {
        return;
    }
    const double *slot = &pair_own(p, in)[p->head];
    if (count == 0 && !pair_may_pass(p) && has_crossed(p, m, pair_own(p, in))) {
        law_doubts_note(in->doubts, DOUBT_PASSED, 1.0, c->element);
    }
    vec3 at_a = vec3_add(m->pos[0], mat3_apply(m->rot[0], tray_vec3(slot + SLOT_A))),
         at_b = vec3_add(m->pos[1], mat3_apply(m->rot[1], tray_vec3(slot + SLOT_B)));
    for (int k = 0; k < count; k++) {
        double was = place[k].depth + vec3_dot(place[k].normal, vec3_sub(at_a, at_b));
        law_doubts_note(in->doubts, DOUBT_PASSED, was > (1.0 + 1e-6) * p->thin ? 1.0 : 0.0, c->element);
    }
}

typedef struct {
    int count;    // of places
    double scale; // of what is kept, since their number has changed
    double push;  // N
} roll_before;

// What has turned is remembered: an anchor whose spring holds stays as it is, to the last bit. Gives what it stores, J.
static double commit_roll(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                          const pair_place *place, roll_before b, double *slot, double *on[2])
{
    place_roll turned = roll_at(c, p, m, in, place, b.count);
    roll_moment r = roll_eval(&turned.values, &turned.at, b.push, TOUCH_FORCE);
    for (int i = 0; i < 2 && on[i]; i++) {
        tray_add(on[i] + 3, i == 0 ? r.moment : vec3_neg(r.moment));
    }
    if (turned.at.is_held && !r.is_cut && b.scale == 1.0) {
        memcpy(slot, &pair_own(p, in)[p->head + p->slot * place->slot + SLOT_ROLL], 4 * sizeof *slot);
    } else {
        roll_remember(m, vec3_scale(b.scale, r.kept), slot);
    }
    return 0.5 * turned.values.stiffness * vec3_dot(r.kept, r.kept);
}

static double sign_of_sliding(const contact *c, const contact_pair *p, const law_in *in, int n_slipping,
                              int count)
{
    bool slides = pair_slides(p, in) ? n_slipping > 0 : n_slipping == count;
    return slides && c->surface.values.rubbing == TOUCH_COULOMB ? -1.0 : 1.0;
}

// Force and moment about the frames of both bodies; NULL: nobody asks.
static void add_effort(const pair_motion *m, vec3 point, vec3 force, double *on[2])
{
    for (int i = 0; i < 2 && on[i]; i++) {
        vec3 f = i == 0 ? force : vec3_neg(force);
        tray_add(on[i], f);
        tray_add(on[i] + 3, vec3_cross(vec3_sub(point, m->pos[i]), f));
    }
}

// Where it is in both bodies; of one that wanders also how they lie.
static void put_anchor(const contact_pair *p, const pair_motion *m, vec3 point, vec3 stretch, double *slot)
{
    tray_put(slot + SLOT_A, mat3_apply_transposed(m->rot[0], vec3_sub(point, m->pos[0])));
    tray_put(slot + SLOT_B, mat3_apply_transposed(m->rot[1], vec3_sub(point, m->pos[1])));
    tray_put(slot + SLOT_STRETCH, mat3_apply_transposed(m->rot[1], stretch));
    if (pair_bends(p)) {
        roll_remember(m, (vec3){ 0.0, 0.0, 0.0 }, slot + p->slot - TURN_NUMBERS);
    }
}

// One place is remembered where it is now, with the stretch its spring has and keeps (contact.5, contact.8).
static void commit_place(const commit *of, const pair_place *place, int k, double *slot, committed *out)
{
    const contact *c = of->c;
    const contact_pair *p = of->p;
    const law_in *in = of->in;
    const pair_motion *m = of->m;
    hold h;
    touch_values v = values_at(c, p, in, &place[k], of->count);
    v.held = of->held.share;
    v.held_slope = of->held.slope;
    touch_motion t = motion_at(c, p, m, in, &place[k], &h);
    t.is_new = p->is_live && !t.is_held; // as the step had it
    touch_force f = touch_eval(&v, &t, TOUCH_FORCE);
    doubt_place(c, p, m, &v, &t, of->before, in);
    vec3 follows = touch_follow(&v, &t, &f), stretch = vec3_scale(of->scale, follows);
    vec3 acted = in->want & LAW_LATE ? place[k].acted : f.force;
    add_effort(m, place[k].point, acted, of->on);
    if (p->asks && p->asks->def->observes) {
        bi_touch touch = pair_touch(p, m, &place[k]);
        p->asks->def->observes(p->asks->def->data, in->u->t, &touch, p->is_swapped ? vec3_neg(acted) : acted);
    }
    out->energy += touch_energy(&v, place[k].depth);
    out->of_sticking += contact_stick_energy(&v, touch_skewed(&v, &t, follows));
    double elastic = in->want & LAW_LATE ? place[k].elastic : f.elastic;
    store_add(&out->effort, m, place[k].point, vec3_scale(elastic, place[k].normal));
    put_anchor(p, m, place[k].point, stretch, slot);
    double stands = (double)p->is_ground[1] - (double)p->is_ground[0];
    slot[SLOT_IMPACT] = surface_impact(&c->surface, &v, &t, mass_at(p, in, of->count), stands);
    out->n_slipping += f.is_slipping;
    if (surface_rolls(&c->surface)) {
        out->of_sticking += commit_roll(c, p, in, m, &place[k], (roll_before){ of->count, of->scale, f.push },
                                        slot + SLOT_ROLL, of->on);
    }
}

// Of a pair that goes on touching, and is plain: all places in lanes. Nothing but their depth can speak against them.
static bool goes_in_lanes(const commit *of)
{
    return of->p->is_live && of->before > 0.0 && of->count > 0 && of->held.share == 1.0 && !of->p->asks &&
           fours_can(of->c, of->p);
}

static void commit_all(const commit *of, const pair_place *place, double *slots, committed *out)
{
    if (goes_in_lanes(of)) {
        commit_fours(of, place, slots, out);
        if (of->in->doubts) {
            double size = fmin(of->p->reach[0], of->p->reach[1]);
            law_doubts_note(of->in->doubts, DOUBT_DEPTH, out->deepest / size, of->c->element);
        }
        return;
    }
    for (int k = 0; k < of->count; k++) {
        commit_place(of, place, k, &slots[of->p->slot * k], out);
    }
}

// Gives what the springs of the pair store, J.
static double commit_pair(const contact *c, const contact_pair *p, const law_in *in, double *own,
                          double *on[2])
{
    double before = own[HEAD_COUNT];
    if (before == 0.0 && in->doubts && (in->want & LAW_LATE)) {
        doubt_settled(c, p, in);
    }
    if (before == 0.0 && pair_is_clear(p, in->at)) {
        doubt_apart(c, p, in);
        return 0.0;
    }
    pair_place place[PAIR_MOST];
    double slots[PAIR_MOST * MOST_SLOT];
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places_done(p, &m, pair_own(p, in), in->scratch, place, &n_region);
    // the mass of a place changes with their number, and so does its stick spring: neither force nor energy may grow
    double ratio = before > 0.0 ? count / before : 1.0;
    commit of = { c, p, in, &m, on, count, before, ratio < 1.0 ? ratio : sqrt(ratio), { 1.0, 0.0 } };
    if (p->is_live) {
        of.held.share = 1.0 - *pair_withheld(p, in->scratch);
    } else {
        of.held = share_held(c, p, in, &m, place, count);
    }
    committed sum = { 0 };
    commit_all(&of, place, slots, &sum);
    double sign = sign_of_sliding(c, p, in, sum.n_slipping, count);
    for (int k = 0; k < count; k++) {
        slots[p->slot * k + SLOT_IMPACT] *= sign;
    }
    if (before == 0.0) {
        doubt_beginning(c, p, in, count);
    } else {
        doubt_crossing(c, p, in, &m, place, count);
    }
    if (p->is_patch && count > 0) {
        store_flow flow = store_flow_of(&m);
        store_rule rule = in->want & LAW_LATE ? STORE_LATE : STORE_MEAN;
        store_commit(&sum.effort, &flow, sum.energy, in->u->t, in->u->h, rule, own);
        sum.energy = fmax(0.0, own[HEAD_STORED]);
    } else {
        memset(own, 0, (size_t)p->head * sizeof *own);
    }
    own[HEAD_COUNT] = count;
    if (!p->is_live) {
        memset(own + p->head, 0, (size_t)(p->slot * p->capacity) * sizeof *own);
    }
    if (count > 0) {
        memcpy(own + p->head, slots, (size_t)(p->slot * count) * sizeof *own);
    }
    return sum.energy + sum.of_sticking;
}

// Whoever sleeps on surfaces that have become others is stirred.
static void stir_sleepers(const contact *c, const law_in *in, double *memory)
{
    const surface *s = &c->surface;
    const double now[CONTACT_SEEN] = {
        surface_signal(in, s->stiffness),     surface_signal(in, s->damping),
        surface_signal(in, s->friction),      c->clock >= 0 ? in->u->signal[s->belt.i - 1].v : 0.0,
        surface_signal(in, s->limit),         surface_signal(in, s->stick_stiffness),
        surface_signal(in, s->stick_damping), surface_signal(in, s->stick_speed)
    };
    size_t size = (size_t)contact_seen(c) * sizeof *now;
    if (memcmp(now, &memory[c->seen], size) == 0) {
        return;
    }
    memcpy(&memory[c->seen], now, size);
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        for (int side = 0; side < 2; side++) {
            if (p->sleep[side] >= 0) {
                memory[p->sleep[side] + SLEEP_STIRRED] = 1.0;
            }
        }
    }
}

static void commit_fixed(const contact *c, const law_in *in, double *memory)
{
    for (int i = 0; i < c->n_pair && !all_sleeps(c, in); i++) {
        const contact_pair *p = &c->pair[i];
        if (pair_sleeps(p, memory)) {
            continue; // its anchors stay
        }
        commit_pair(c, p, in, &memory[p->memory], (double *[2]){ NULL, NULL });
        memory[c->touched] = fmax(memory[c->touched], memory[p->memory] > 0.0);
    }
}

// Room that an entry may need, with its size in front.
static int most_of(const contact_pair *p) { return 1 + ENTRY_OWN + p->head + p->slot * p->capacity; }

// The entries of before become those of now in the scratch, from where it was left; false: there is no room.
static bool commit_entries(const contact *c, const law_in *in, double *memory, live_progress *at)
{
    const contact_live *l = c->live;
    const live_room room = live_room_of(l, &in->room[l->part]);
    double *done = (double *)(void *)((char *)in->scratch + room.done), *effort = live_effort(l, in);
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        if (walk.k < at->n) {
            continue;
        }
        double *to = &done[at->used + 1];
        if ((size_t)(at->used + most_of(p)) > room.n_done) {
            return false;
        }
        memset(to, 0, (size_t)(ENTRY_OWN + p->head) * sizeof *to);
        memcpy(to, walk.entry, (size_t)(walk.next - walk.entry) * sizeof *to);
        if (!pair_sleeps(p, memory)) {
            double *on[2] = { &effort[6 * (int)to[p->is_turned ? ENTRY_B : ENTRY_A]],
                              &effort[6 * (int)to[p->is_turned ? ENTRY_A : ENTRY_B]] };
            at->stored += commit_pair(c, p, in, to + ENTRY_OWN, on);
        } else {
            contact_energy_of_sleeping(c, p, in, &at->slept);
        }
        done[at->used] = live_entry_size(p, to);
        memory[c->touched] = fmax(memory[c->touched], to[ENTRY_OWN + HEAD_COUNT] > 0.0);
        at->used += 1 + (int)done[at->used];
        at->n++;
    }
    return true;
}

// Nothing is to be remembered, and nobody can have come near.
static bool stays_idle(const contact *c, const law_in *in, double ahead)
{
    const double *pool = live_pool(c->live, in);
    return pool[POOL_IDLE] > 0.0 && (all_sleeps(c, in) || (pool[POOL_COUNT] == 0.0 &&
                                                           live_is_far(c->live, in->at, ahead, c->gravity)));
}

static bool is_idle(const contact *c, const law_in *in)
{
    const double *effort = live_effort(c->live, in);
    bool is_none = live_pool(c->live, in)[POOL_COUNT] == 0.0 || all_sleeps(c, in);
    for (int k = 0; k < 6 * c->live->n_site && is_none; k++) {
        is_none = effort[k] == 0.0;
    }
    return is_none;
}

// Then the list is made anew of those that are near. What finds no room says so in POOL_FULL, and goes on from there when
// it is called again.
static void commit_live(const contact *c, const law_in *in, double *memory)
{
    const contact_live *l = c->live;
    live_progress *at = live_commit_of(l, in);
    double *pool = live_pool(l, in), ahead = fmax(in->u->h, in->u->longest);
    bool is_new = !at->is_under_way || pool[POOL_FULL] == 0.0;
    if (is_new && stays_idle(c, in, ahead)) {
        pool[POOL_TIME] = in->u->t;
        return;
    }
    if (is_new) {
        *at = (live_progress){ 0 };
        memset(live_effort(l, in), 0, (size_t)(6 * l->n_site) * sizeof(double));
        // the first time: what touches at the start is remembered, too
        if (pool[POOL_USED] == 0.0 && !live_renew(l, in, ahead, c->gravity, NULL, 0)) {
            return;
        }
        at->is_under_way = true;
    }
    if (!at->is_counted) {
        pool[POOL_FULL] = commit_entries(c, in, memory, at) ? 0.0 : POOL_LACKS_NUMBERS;
        if (pool[POOL_FULL] > 0.0) {
            return;
        }
        pool[POOL_STORED] = at->stored + at->slept.potential;
        live_count_work(l, in, memory);
        at->is_counted = true;
    }
    const live_room room = live_room_of(l, &in->room[l->part]);
    const double *done = (const double *)(const void *)((char *)in->scratch + room.done);
    at->is_under_way = !live_renew(l, in, ahead, c->gravity, done, at->n);
    live_pool(l, in)[POOL_IDLE] = !at->is_under_way && is_idle(c, in) ? 1.0 : 0.0;
}

static void commit_one(const contact *c, const law_in *in, double *memory)
{
    if (c->live) {
        commit_live(c, in, memory);
    } else {
        commit_fixed(c, in, memory);
    }
    bool is_done = !c->live || live_pool(c->live, in)[POOL_FULL] == 0.0;
    if (c->clock >= 0 && is_done) {
        memory[c->clock] = in->u->t;
        memory[c->clock + 1] = in->u->signal[c->surface.belt.i - 1].v;
    }
}

void contact_commit_rest(const void *items, int count, const law_in *in, double *memory)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].live && live_pool(item[k].live, in)[POOL_FULL] > 0.0) {
            commit_one(&item[k], in, memory);
        }
    }
}

void contact_move(const void *items, int count, const void *from, const pool_room *before, void *to,
                  const pool_room *now)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].live) {
            live_move(item[k].live, from, &before[item[k].live->part], to, &now[item[k].live->part]);
        }
    }
}

void contact_commit(const void *items, int count, const law_in *in, double *memory)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].seen >= 0) {
            stir_sleepers(&item[k], in, memory);
        }
        commit_one(&item[k], in, memory);
    }
}

// Half as far again is soon enough: a touch begins in the outer half of the shapes.
static bool pair_rushes(const contact_pair *p, const law_in *in, double h)
{
    if (pair_sleeps(p, in->memory)) {
        return false;
    }
    pair_motion m = pair_at(p, in->at);
    pair_place place[PAIR_MOST];
    int n_region;
    const double *own = pair_own(p, in);
    bool has_gone = own[HEAD_COUNT] > 0.0 && has_crossed(p, &m, own);
    return (!pair_may_pass(p) && (has_gone || pair_has_passed(p, &m, h) || pair_is_inside(p, &m))) ||
           pair_find(p, &m, pair_own(p, in), in->scratch, place, &n_region) > 0;
}

// Nothing of a crowd moves far enough in h.
static bool are_slow(const contact *c, const law_in *in, double h)
{
    double fastest = 0.0, limit = 0.25 * c->thin / h;
    for (int k = 0; k < c->live->n_site; k++) {
        int dof = c->live->site[k].side.dof;
        vec3 v = dof >= 0 ? tray_vec3(&in->at->rate[dof]) : (vec3){ 0.0, 0.0, 0.0 };
        double square = vec3_dot(v, v);
        fastest = square > fastest ? square : fastest;
    }
    return fastest <= limit * limit;
}

static bool crowd_rushes(const contact *c, const law_in *in, double h)
{
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        if (pair_is_fast(p, in->at, 2.0 * h) && pair_rushes(p, in, h)) {
            return true;
        }
    }
    return false;
}

// Pairs of the same two bodies stand one after the other and are as fast.
static bool few_rush(const contact *c, const law_in *in, double h)
{
    int a = -2, b = -2;
    double way = 0.0;
    for (int i = 0; i < c->n_pair; i++) {
        const contact_pair *p = &c->pair[i];
        if (p->side[0].dof != a || p->side[1].dof != b) {
            a = p->side[0].dof;
            b = p->side[1].dof;
            way = 2.0 * h * pair_speed(p, in->at);
        }
        if (way > p->thin && pair_rushes(p, in, h)) {
            return true;
        }
    }
    return false;
}

bool contact_rushes(const void *items, int count, const law_in *in, double h)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        const contact *c = &item[k];
        if (isfinite(c->thin) && few_rush(c, in, h)) {
            return true;
        }
        if (c->live && !are_slow(c, in, h) && crowd_rushes(c, in, h)) {
            return true;
        }
    }
    return false;
}

void contact_near(const void *items, int count, const law_in *in, double h, double *memory, contact_meet meet,
                  void *to)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; item[k].seen >= 0 && (p = walk_next(&walk)) != NULL;) {
            if (p->is_ground[0] || p->is_ground[1] || (p->sleep[0] < 0 && p->sleep[1] < 0)) {
                continue;
            }
            pair_motion m = pair_at(p, in->at);
            if (pair_is_near(p, &m, h, item[k].gravity)) {
                meet(memory, p->sleep[0], p->sleep[1], to);
            }
        }
    }
}
