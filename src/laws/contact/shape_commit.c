// SPDX-License-Identifier: MIT
// Contacts between shapes after a step: what they remember, who is near.
#include "laws/contact/commit.h"
#include "laws/contact/crowd/fours.h"
#include "laws/contact/doubts.h"
#include "laws/contact/hit.h"
#include "math/elementary.h"
#include <string.h>

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
        bi_touch touch = pair_touch(p, p->asks->element, p->asks->shapes, m, &place[k]);
        p->asks->def->observes(p->asks->def->data, in->u->t, &touch, p->is_swapped ? vec3_neg(acted) : acted);
    }
    out->energy += touch_energy(&v, place[k].depth);
    out->deepest = fmax(out->deepest, place[k].depth);
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

// Of a pair whose springs hold far more than what lies on them explains.
static bool is_loaded(const contact *c, const contact_pair *p, const committed *sum)
{
    static const double weights = 2.0;
    return sum->energy > weights * p->mass * c->gravity * sum->deepest;
}

// They begin a run inside each other, by so much of the thinner one that it is told (model/overlaps.c).
static bool begins_inside(const contact *c, const contact_pair *p, const law_in *in, const committed *sum)
{
    static const double told = 0.05;
    double a = pair_thinnest(p->half), b = p->thin - a;
    return !(in->u->h > 0.0) && sum->deepest > told * 2.0 * fmin(a, b) && is_loaded(c, p, sum);
}

// Whether they began inside each other is remembered until their springs carry no more than what lies on them.
static void remember_beginning(const commit *of, const double *own, const committed *sum, double *slots)
{
    bool was_inside = pair_began_inside(of->p, own);
    bool is_inside = was_inside ? is_loaded(of->c, of->p, sum) : begins_inside(of->c, of->p, of->in, sum);
    for (int k = 0; k < of->count && was_inside != is_inside; k++) {
        slots[of->p->slot * k + SLOT_IMPACT] = is_inside ? INFINITY : touch_impact(0.0);
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
    pair_place *place = SPARE_NEW(in->spare, pair_place, p->capacity);
    double *slots = SPARE_NEW(in->spare, double, p->slot * p->capacity);
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places_done(p, &m, pair_own(p, in), in, place, &n_region);
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
    if (count > 0) {
        doubt_tumbling(c, p, &m, in);
    }
    remember_beginning(&of, own, &sum, slots);
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
    spare_give(in->spare, place);
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

// The same of a contact that an event watches: its forces are looked at once more.
static double commit_watched(const contact *c, const contact_pair *p, const law_in *in, double *own,
                             double *on[2], hit_sum *sum)
{
    double effort[2][6] = { { 0.0 } },
           stored = commit_pair(c, p, in, own, (double *[2]){ effort[0], effort[1] });
    hit_add(p, in->at, effort, own[HEAD_COUNT], sum);
    for (int side = 0; side < 2 && on[side]; side++) {
        for (int i = 0; i < 6; i++) {
            on[side][i] += effort[side][i];
        }
    }
    return stored;
}

static void commit_fixed(const contact *c, const law_in *in, double *memory)
{
    double *nobody[2] = { NULL, NULL };
    hit_sum sum = { 0 };
    if (all_sleeps(c, in)) {
        return;
    }
    for (int i = 0; i < c->n_pair; i++) {
        const contact_pair *p = &c->pair[i];
        if (pair_sleeps(p, memory)) {
            hit_add(p, in->at, NULL, memory[p->memory + HEAD_COUNT], &sum);
            continue; // its anchors stay
        }
        if (c->hit >= 0) {
            commit_watched(c, p, in, &memory[p->memory], nobody, &sum);
        } else {
            commit_pair(c, p, in, &memory[p->memory], nobody);
        }
        memory[c->touched] = fmax(memory[c->touched], memory[p->memory] > 0.0);
    }
    if (c->hit >= 0) {
        hit_follow(c, in, &sum, NAN, memory);
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
            double *on[2] = { &effort[6 * l->site[p->of[p->is_turned ? 1 : 0]].mover],
                              &effort[6 * l->site[p->of[p->is_turned ? 0 : 1]].mover] };
            at->stored += c->hit >= 0 ? commit_watched(c, p, in, to + ENTRY_OWN, on, &at->hit)
                                      : commit_pair(c, p, in, to + ENTRY_OWN, on);
        } else {
            contact_energy_of_sleeping(c, p, in, &at->slept);
            hit_add(p, in->at, NULL, to[ENTRY_OWN + HEAD_COUNT], &at->hit);
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
    for (int k = 0; k < 6 * c->live->n_mover && is_none; k++) {
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
        if (c->hit >= 0 && !all_sleeps(c, in)) {
            hit_follow(c, in, &(hit_sum){ 0 }, pool[POOL_WORK], memory);
        }
        return;
    }
    if (is_new) {
        *at = (live_progress){ 0 };
        memset(live_effort(l, in), 0, (size_t)(6 * l->n_mover) * sizeof(double));
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
        if (c->hit >= 0) {
            hit_follow(c, in, &at->hit, pool[POOL_WORK], memory);
        }
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
    pair_place deepest;
    const double *own = pair_own(p, in);
    bool has_gone = own[HEAD_COUNT] > 0.0 && doubt_has_crossed(p, &m, own);
    return (!pair_may_pass(p) && (has_gone || pair_has_passed(p, &m, h) || pair_is_inside(p, &m))) ||
           pair_deepest(p, &m, own, in, &deepest) > 0;
}

// Nothing of a crowd moves far enough in h.
static bool are_slow(const contact *c, const law_in *in, double h)
{
    double fastest = 0.0, limit = 0.25 * c->thin / h;
    for (int k = 0; k < c->live->n_mover; k++) {
        vec3 v = tray_vec3(&in->at->rate[live_mover(c->live, k)->side.dof]);
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
        if (c->live && !all_sleeps(c, in) && !are_slow(c, in, h) && crowd_rushes(c, in, h)) {
            return true;
        }
    }
    return false;
}

void contact_hits(const void *items, int count, const law_in *in)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
            doubt_hit(&item[k], p, in);
        }
    }
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
