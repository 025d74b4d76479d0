// SPDX-License-Identifier: MIT
// Contact between shapes: forces at the places where they touch, exact tangent for spheres and corners on flat things
// (contact.8 .. contact.10), anchors that follow.
#include "laws/contact/contact.h"
#include "laws/contact/nudge.h"
#include "laws/contact/pair.h"
#include "laws/contact/store.h"
#include "laws/contact/touch.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int element, readings, n_pair;
    const bi_model *patched; // friction differs from place to place of the ground; NULL: it does not
    int touched;             // memory: 1 once something has touched
    int seen;  // memory: stiffness, damping and friction when it was last looked; -1: nobody sleeps on it
    int sleep; // memory of sleep of the one body that all pairs are of; -1: there is none
    size_t sleeping; // in the scratch, with `sleep`: all readings while that body sleeps
    contact_pair *pair;
    touch_values values; // what does not change during a run
    bi_expr stiffness, damping, friction;
    double sliding, stick_time, mass, gravity, weight;
    bool is_per_area;
} contact;

// ---- compile ---------------------------------------------------------------------------------------------------

static double or_default(double x, double otherwise) { return x > 0.0 ? x : otherwise; }

static void add_pairs(plan *p, int element, const bi_contact_def *d, contact *out)
{
    bool is_among = d->b.count == 0;
    const bi_shapes *b = is_among ? &d->a : &d->b;
    int most = d->most_points >= 1.0 ? (int)fmin(d->most_points, PAIR_MOST) : 16;
    out->pair = plan_keep(p, ((size_t)d->a.count * (size_t)b->count + 1) * sizeof *out->pair);
    for (int i = 0; out->pair && i < d->a.count; i++) {
        for (int k = is_among ? i + 1 : 0; k < b->count; k++) {
            contact_pair made;
            if (pair_compile(p, element, d->a.item[i], b->item[k], most, out->pair, out->n_pair, &made)) {
                made.mass = or_default(d->mass, made.mass);
                out->pair[out->n_pair++] = made;
            }
        }
    }
    if (out->n_pair == 0) {
        plan_complain(p, element, is_among ? "a" : "b",
                      "names no two shapes that can meet: they must be on different bodies");
    }
}

static const char *const names[CONTACT_READINGS] = { "fx",       "fy",    "fz",    "normal",   "points",
                                                     "regions",  "depth", "stick", "slipping", "slip",
                                                     "released", "x",     "y",     "z" };
static const char *const units[CONTACT_READINGS] = { "N", "N", "N",   "N", "1", "1", "m",
                                                     "1", "1", "m/s", "1", "m", "m", "m" };

// The body that may sleep and has a part in every pair; -1: none.
static int common_sleeper(const contact *c)
{
    for (int side = 0; side < 2 && c->n_pair > 0; side++) {
        int of = c->pair[0].sleep[side];
        bool is_common = of >= 0;
        for (int k = 0; k < c->n_pair; k++) {
            is_common = is_common && c->pair[k].carrier < 0 &&
                        (c->pair[k].sleep[0] == of || c->pair[k].sleep[1] == of);
        }
        if (is_common) {
            return of;
        }
    }
    return -1;
}

static void contact_compile(plan *p, int element, const void *def, void *item)
{
    const bi_contact_def *d = def;
    contact *out = item;
    *out = (contact){ .element = element,
                      .patched = p->model->n_patch > 0 ? p->model : NULL,
                      .touched = plan_memory(p, 1),
                      .readings = plan_add_readings(p, element, CONTACT_READINGS, names, units),
                      .stiffness = d->stiffness,
                      .damping = d->damping,
                      .friction = d->friction,
                      .sliding = or_default(d->sliding, 1.0),
                      .stick_time = or_default(d->stick_time, 0.03),
                      .gravity = fmax(vec3_norm(p->model->gravity), 1.0),
                      .weight = plan_weight(p),
                      .is_per_area = d->per == 2 };
    out->values = (touch_values){ .law = d->law == 2 ? TOUCH_HERTZ : TOUCH_KELVIN_VOIGT,
                                  .hysteresis = or_default(d->hysteresis, 1.0),
                                  .smooth = d->smooth,
                                  .exponent = or_default(d->exponent, 1.5),
                                  .dissipation = d->dissipation,
                                  .loss = touch_loss(d->restitution),
                                  .limit = or_default(d->force_limit, INFINITY),
                                  .viscous = d->viscous,
                                  .kept = or_default(d->kept, 0.95),
                                  .is_set = d->anchor == 2 };
    plan_signal(p, d->stiffness);
    plan_signal(p, d->damping);
    plan_signal(p, d->friction);
    add_pairs(p, element, d, out);
    bool has_sleeper = false;
    for (int k = 0; k < out->n_pair; k++) {
        has_sleeper |= out->pair[k].sleep[0] >= 0 || out->pair[k].sleep[1] >= 0;
    }
    out->seen = has_sleeper ? plan_memory(p, 3) : -1;
    out->sleep = common_sleeper(out);
    out->sleeping = out->sleep >= 0 ? plan_scratch(p, sizeof(sleeping_pair)) : 0;
}

// ---- one place -------------------------------------------------------------------------------------------------

static double signal_of(const law_in *in, bi_expr e)
{
    return e.i > 0 ? fmax(0.0, in->u->signal[e.i - 1].v) : 0.0;
}

// The laws of one place of a pair: what inputs say now, its share of mass and area.
static touch_values values_at(const contact *c, const contact_pair *p, const law_in *in,
                              const pair_place *place, int count)
{
    touch_values v = c->values;
    double scale = c->is_per_area ? place->area : 1.0, tau = c->stick_time;
    // as many as there were after the last step: a constant during one
    double before = in->memory[p->memory], mass = p->mass / (before > 0.0 ? before : count);
    v.give = p->is_patch && before > 0.0 ? in->memory[p->memory + HEAD_GIVE] : 1.0;
    v.held = 1.0;
    v.stiffness = scale * signal_of(in, c->stiffness);
    v.damping = scale * signal_of(in, c->damping);
    v.friction = law_grip(in) * signal_of(in, c->friction);
    if (c->patched && (p->side[0].dof < 0 || p->side[1].dof < 0)) {
        v.friction *= bi_model_friction_at(c->patched, place->point);
    }
    v.sliding = c->sliding * v.friction;
    v.stick_stiffness = v.friction > 0.0 ? mass / (tau * tau) : 0.0;
    v.stick_damping = v.friction > 0.0 ? 2.0 * mass / tau : 0.0;
    v.stick_speed = fmax(v.sliding, 1e-3) * c->weight * tau;
    return v;
}

static touch_motion motion_at(const contact_pair *p, const pair_motion *m, const law_in *in,
                              const pair_place *place, hold *h)
{
    const double *memory = in->memory;
    vec3 ra = vec3_sub(place->point, m->pos[0]), rb = vec3_sub(place->point, m->pos[1]);
    touch_motion t = { .depth = place->depth, .normal = place->normal, .is_held = place->slot >= 0 };
    t.step = in->u->h;
    t.is_spent = p->is_patch;
    t.velocity = vec3_sub(vec3_add(m->vel[0], vec3_cross(m->spin[0], ra)),
                          vec3_add(m->vel[1], vec3_cross(m->spin[1], rb)));
    *h = (hold){ 0 };
    if (t.is_held) {
        const double *slot = &memory[p->memory + p->head + PAIR_SLOT * place->slot];
        h->hold_a = mat3_apply(m->rot[0], tray_vec3(slot + SLOT_A));
        h->hold_b = mat3_apply(m->rot[1], tray_vec3(slot + SLOT_B));
        h->kept = mat3_apply(m->rot[1], tray_vec3(slot + SLOT_STRETCH));
        t.impact = slot[SLOT_IMPACT];
        vec3 apart = vec3_sub(vec3_add(m->pos[0], h->hold_a), vec3_add(m->pos[1], h->hold_b));
        t.stretch = vec3_add(h->kept, apart);
    }
    return t;
}

// Share of the elastic forces of a patch that may act: less than one where they would give more than was stored.
static store_limit share_held(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                              const pair_place *place, int count)
{
    const double *own = &in->memory[p->memory];
    if (!p->is_patch || !(own[HEAD_COUNT] > 0.0) || !(in->u->h > 0.0)) {
        return (store_limit){ 1.0, 0.0 };
    }
    store_effort effort = { { 0.0 } };
    for (int k = 0; k < count; k++) {
        hold h;
        touch_values v = values_at(c, p, in, &place[k], count);
        touch_motion t = motion_at(p, m, in, &place[k], &h);
        double elastic = touch_eval(&v, &t, TOUCH_FORCE).elastic;
        store_add(&effort, m, place[k].point, vec3_scale(elastic, place[k].normal));
    }
    store_flow flow = store_flow_of(m);
    return store_allowed(own, &effort, &flow, in->u->h);
}

// ---- evaluation ------------------------------------------------------------------------------------------------

static vec3 force_on(int side, vec3 force) { return side == 0 ? force : vec3_neg(force); }

static void add_force(const contact_pair *p, const pair_motion *m, vec3 point, vec3 force, double *effort)
{
    for (int side = 0; side < 2; side++) {
        int dof = p->side[side].dof;
        vec3 f = force_on(side, force);
        if (dof >= 0) {
            tray_add(&effort[dof], f);
            tray_add(&effort[dof + 3], vec3_cross(vec3_sub(point, m->pos[side]), f));
        }
    }
}

static void add_readings(const contact_pair *p, const touch_force *f, const pair_place *at, double *readings)
{
    double sign = p->is_swapped ? -1.0 : 1.0;
    readings[CONTACT_FX] += sign * f->force.x;
    readings[CONTACT_FY] += sign * f->force.y;
    readings[CONTACT_FZ] += sign * f->force.z;
    readings[CONTACT_NORMAL] += f->push;
    readings[CONTACT_POINTS] += 1.0;
    readings[CONTACT_DEPTH] = fmax(readings[CONTACT_DEPTH], at->depth);
    readings[f->is_slipping ? CONTACT_SLIPPING : CONTACT_STICK] += f->push;
    readings[CONTACT_SLIP] = fmax(readings[CONTACT_SLIP], vec3_norm(f->slip));
    tray_add(&readings[CONTACT_X], vec3_scale(f->push, at->point));
}

// What a body that is fixed to the ground carries of a pair that sleeps: its joints feel it.
static void carry(const contact_pair *p, const pair_motion *m, vec3 point, vec3 force, double *carried)
{
    if (p->carrier >= 0) {
        vec3 f = force_on(p->carrier, force);
        tray_add(carried, f);
        tray_add(carried + 3, vec3_cross(vec3_sub(point, m->pos[p->carrier]), f));
    }
}

// Forces and tangent of a pair; a load that is NULL: only its readings, and what is carried.
static void eval_pair(const contact *c, const contact_pair *p, const law_in *in, const load *to,
                      double *readings, double *carried)
{
    bool wants_slopes = to && (in->want & LAW_TANGENT) != 0;
    double *K = to ? &to->K[p->block] : NULL, *C = to ? &to->C[p->block] : NULL;
    if (wants_slopes && p->is_first) {
        memset(K, 0, (size_t)(p->width * p->width) * sizeof *K);
        memset(C, 0, (size_t)(p->width * p->width) * sizeof *C);
    }
    if (pair_is_clear(p, in->at)) {
        return;
    }
    pair_place place[PAIR_MOST];
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places(p, &m, in->memory, in->scratch, in->want, place, &n_region);
    store_limit held = share_held(c, p, in, &m, place, count);
    for (int k = 0; k < count; k++) {
        hold h;
        touch_values v = values_at(c, p, in, &place[k], count);
        v.held = held.share;
        v.held_slope = held.slope;
        touch_motion t = motion_at(p, &m, in, &place[k], &h);
        t.is_new = !t.is_held;
        touch_force f = touch_eval(&v, &t, wants_slopes ? TOUCH_SLOPES : TOUCH_FORCE);
        if (to) {
            add_force(p, &m, place[k].point, f.force, to->effort);
        } else {
            carry(p, &m, place[k].point, f.force, carried);
        }
        add_readings(p, &f, &place[k], readings);
        if (wants_slopes) {
            spot s = spot_of(&m, &place[k], &h);
            nudge_add_tangent(p, &s, &f, K, C);
        }
    }
    readings[CONTACT_REGIONS] += n_region;
}

static sleeping_pair *sleeping_of(const contact_pair *p, const law_in *in)
{
    return (sleeping_pair *)(void *)((char *)in->scratch + p->sleeping);
}

// A pair that sleeps keeps its first readings: nothing moves, and its forces are held by those that hold the body.
static void add_sleeping_readings(const contact *c, const contact_pair *p, const law_in *in, const load *to,
                                  double *readings)
{
    sleeping_pair *sleeping = sleeping_of(p, in);
    if (!sleeping->has_readings) {
        memset(sleeping->readings, 0, sizeof sleeping->readings);
        memset(sleeping->carried, 0, sizeof sleeping->carried);
        eval_pair(c, p, in, NULL, sleeping->readings, sleeping->carried);
        sleeping->has_readings = true;
    }
    for (int k = 0; k < CONTACT_READINGS; k++) {
        bool is_largest = k == CONTACT_DEPTH || k == CONTACT_SLIP;
        readings[k] =
            is_largest ? fmax(readings[k], sleeping->readings[k]) : readings[k] + sleeping->readings[k];
    }
    for (int k = 0; p->carrier >= 0 && k < 6; k++) {
        to->effort[p->side[p->carrier].dof + k] += sleeping->carried[k];
    }
}

static void forget_sleeping(const contact_pair *p, const law_in *in)
{
    if (p->sleep[0] >= 0 || p->sleep[1] >= 0) {
        sleeping_of(p, in)->has_readings = sleeping_of(p, in)->has_energy = false;
    }
}

static void eval_all(const contact *c, const law_in *in, law_out *out, double *readings)
{
    memset(readings, 0, CONTACT_READINGS * sizeof *readings);
    for (int i = 0; i < c->n_pair; i++) {
        if (pair_sleeps(&c->pair[i], in->memory)) {
            add_sleeping_readings(c, &c->pair[i], in, out->load, readings);
        } else {
            forget_sleeping(&c->pair[i], in);
            eval_pair(c, &c->pair[i], in, out->load, readings, NULL);
        }
    }
    double share = readings[CONTACT_NORMAL] > 0.0 ? 1.0 / readings[CONTACT_NORMAL] : 0.0;
    readings[CONTACT_STICK] *= share;
    readings[CONTACT_SLIPPING] *= share;
    for (int i = 0; i < 3; i++) {
        readings[CONTACT_X + i] *= share;
    }
    readings[CONTACT_RELEASED] = in->memory[c->touched] > 0.0 && readings[CONTACT_POINTS] == 0.0 ? 1.0 : 0.0;
}

// All pairs are of one body that sleeps.
static bool all_sleeps(const contact *c, const law_in *in)
{
    return c->sleep >= 0 && in->memory[c->sleep + SLEEP_IS] > 0.0;
}

static sleeping_pair *all_sleeping_of(const contact *c, const law_in *in)
{
    return (sleeping_pair *)(void *)((char *)in->scratch + c->sleeping);
}

static void contact_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        const contact *c = &item[k];
        double *readings = &out->load->scalar[c->readings];
        bool sleeps = all_sleeps(c, in);
        if (sleeps && all_sleeping_of(c, in)->has_readings) {
            continue; // its readings are on the tray
        }
        eval_all(c, in, out, readings);
        if (c->sleep >= 0) {
            all_sleeping_of(c, in)->has_readings = sleeps;
            all_sleeping_of(c, in)->has_energy = false;
        }
        out->load->scalar[c->element] = readings[CONTACT_NORMAL];
    }
}

static vec3 stretch_of(const touch_motion *t)
{
    return vec3_add_scaled(t->stretch, -vec3_dot(t->normal, t->stretch), t->normal);
}

// A stick spring stores, too, up to what it keeps at its limit.
static double kept_squared(const touch_values *v, const touch_motion *t, const touch_force *f)
{
    vec3 kept = touch_follow(v, t, f);
    return vec3_dot(kept, kept);
}

// What it takes up: with its stretch, or at its limit with the load.
static double stick_power(const touch_values *v, const touch_motion *t, const touch_force *f, const spot *s)
{
    if (!t->is_held || !(v->stick_stiffness > 0.0)) {
        return 0.0;
    }
    nudge a = nudge_of(s, 0, s->m->vel[0], s->m->spin[0]), b = nudge_of(s, 1, s->m->vel[1], s->m->spin[1]);
    vec3 stretch = stretch_of(t), turn = vec3_add(a.normal, b.normal), by = vec3_add(a.stretch, b.stretch);
    if (!touch_is_at_limit(v, t, f)) {
        double along = vec3_dot(t->normal, t->stretch);
        return v->stick_stiffness * (vec3_dot(stretch, by) - along * vec3_dot(stretch, turn));
    }
    touch_force g = touch_eval(v, t, TOUCH_SLOPES);
    vec3 df = vec3_add(mat3_apply(g.by_normal, turn), vec3_scale(a.depth + b.depth, g.by_depth));
    df = vec3_add(df, mat3_apply(g.by_velocity, vec3_add(a.velocity, b.velocity)));
    df = vec3_add(df, mat3_apply(g.by_stretch, by));
    double part = v->kept * v->friction, load = vec3_dot(turn, g.force) + vec3_dot(t->normal, df);
    return part * part * f->push * load / v->stick_stiffness;
}

static void energy_of_pair(const contact *c, const contact_pair *p, const law_in *in, law_energy *out)
{
    if (pair_is_clear(p, in->at)) {
        return;
    }
    pair_place place[PAIR_MOST];
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_find(p, &m, in->memory, in->scratch, place, &n_region);
    store_effort effort = { { 0.0 } };
    double stiffening = c->stiffness.i > 0 ? in->u->signal[c->stiffness.i - 1].d : 0.0;
    for (int k = 0; k < count; k++) {
        hold h;
        touch_values v = values_at(c, p, in, &place[k], count);
        touch_motion t = motion_at(p, &m, in, &place[k], &h);
        touch_force f = touch_eval(&v, &t, TOUCH_FORCE);
        double stored = touch_energy(&v, place[k].depth);
        out->potential += p->is_patch ? 0.0 : stored;
        store_add(&effort, &m, place[k].point, vec3_scale(f.elastic, place[k].normal));
        out->power += vec3_dot(vec3_add_scaled(f.force, -f.elastic, t.normal), t.velocity);
        out->potential += 0.5 * v.stick_stiffness * kept_squared(&v, &t, &f);
        spot s = spot_of(&m, &place[k], &h);
        out->power += stick_power(&v, &t, &f, &s);
        // who stiffens a spring under load does work on it
        out->power += v.stiffness > 0.0 && !p->is_patch ? stored * stiffening / v.stiffness : 0.0;
    }
    if (count > 0 && p->is_patch) {
        store_flow flow = store_flow_of(&m);
        out->potential += store_energy(&in->memory[p->memory], &effort, &flow, in->u->t);
    }
}

// The same, of a pair that sleeps only once.
static void energy_of_sleeping(const contact *c, const contact_pair *p, const law_in *in, law_energy *out)
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
    for (int i = 0; i < c->n_pair; i++) {
        const contact_pair *p = &c->pair[i];
        if (pair_sleeps(p, in->memory)) {
            energy_of_sleeping(c, p, in, out);
        } else {
            energy_of_pair(c, p, in, out);
        }
    }
}

static void contact_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const contact *item = items;
    for (int k = 0; k < count; k++) {
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
    }
}

// ---- after a step ----------------------------------------------------------------------------------------------

// A touch that begins faster than a fall of a few steps is an impact; slower ones are rest that comes and goes.
static void doubt_impact(const contact *c, const contact_pair *p, const touch_values *v,
                         const touch_motion *t, law_doubts *doubts)
{
    double speed = -vec3_dot(t->normal, t->velocity), h = doubts->h;
    if (speed > 4.0 * c->gravity * h) {
        double slope = v->law == TOUCH_HERTZ ? v->exponent * v->stiffness * pow(t->depth, v->exponent - 1.0)
                                             : v->stiffness;
        law_doubts_note(doubts, DOUBT_IMPACT, h * sqrt(slope / p->mass), c->element);
    }
}

// What speaks against the step of a pair that does not touch: it may have passed, or fallen through the ground.
static void doubt_apart(const contact *c, const contact_pair *p, const law_in *in)
{
    if (!in->doubts) {
        return;
    }
    if (isfinite(p->thin)) {
        pair_motion m = pair_at(p, in->at);
        if (pair_has_passed(p, &m, in->doubts->h)) {
            law_doubts_note(in->doubts, DOUBT_PASSED, 1.0, c->element);
        }
    } else if (in->doubts->is_sample) {
        double size = vec3_norm(vec3_sub(p->middle[0], p->centre)) + p->reach[0];
        law_doubts_note(in->doubts, DOUBT_BELOW, pair_below(p, in->at) / size, c->element);
    }
}

// Each place is remembered where it is now, with the stretch its spring has and keeps (contact.5, contact.8).
static void commit_pair(const contact *c, const contact_pair *p, const law_in *in, double *memory)
{
    if (memory[p->memory + HEAD_COUNT] == 0.0 && pair_is_clear(p, in->at)) {
        doubt_apart(c, p, in);
        return;
    }
    pair_place place[PAIR_MOST];
    double slots[PAIR_MOST * PAIR_SLOT], energy = 0.0;
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places_done(p, &m, memory, in->scratch, place, &n_region);
    store_limit held = share_held(c, p, in, &m, place, count);
    // the mass of a place changes with their number, and so does its stick spring: neither force nor energy may grow
    double before = memory[p->memory + HEAD_COUNT], ratio = before > 0.0 ? count / before : 1.0;
    double scale = ratio < 1.0 ? ratio : sqrt(ratio);
    store_effort effort = { { 0.0 } };
    for (int k = 0; k < count; k++) {
        hold h;
        double *slot = &slots[PAIR_SLOT * k];
        touch_values v = values_at(c, p, in, &place[k], count);
        v.held = held.share;
        v.held_slope = held.slope;
        touch_motion t = motion_at(p, &m, in, &place[k], &h);
        touch_force f = touch_eval(&v, &t, TOUCH_FORCE);
        if (in->doubts) {
            law_doubts_note(in->doubts, DOUBT_DEPTH, place[k].depth / fmin(p->reach[0], p->reach[1]),
                            c->element);
        }
        if (in->doubts && before == 0.0) {
            doubt_impact(c, p, &v, &t, in->doubts);
        }
        vec3 stretch = vec3_scale(scale, touch_follow(&v, &t, &f));
        energy += touch_energy(&v, place[k].depth);
        store_add(&effort, &m, place[k].point, vec3_scale(f.elastic, place[k].normal));
        tray_put(slot + SLOT_A, mat3_apply_transposed(m.rot[0], vec3_sub(place[k].point, m.pos[0])));
        tray_put(slot + SLOT_B, mat3_apply_transposed(m.rot[1], vec3_sub(place[k].point, m.pos[1])));
        tray_put(slot + SLOT_STRETCH, mat3_apply_transposed(m.rot[1], stretch));
        slot[SLOT_IMPACT] = t.impact > 0.0 ? t.impact : touch_impact(-vec3_dot(t.normal, t.velocity));
    }
    double *own = &memory[p->memory];
    if (count == 0 && before == 0.0) {
        doubt_apart(c, p, in);
    }
    if (p->is_patch && count > 0) {
        store_flow flow = store_flow_of(&m);
        store_commit(&effort, &flow, energy, in->u->t, in->u->h, own);
    } else {
        memset(own, 0, (size_t)p->head * sizeof *own);
    }
    own[HEAD_COUNT] = count;
    memset(own + p->head, 0, (size_t)(PAIR_SLOT * p->capacity) * sizeof *own);
    if (count > 0) {
        memcpy(own + p->head, slots, (size_t)(PAIR_SLOT * count) * sizeof *own);
    }
}

// Whoever sleeps on surfaces that have become others is stirred.
static void stir_sleepers(const contact *c, const law_in *in, double *memory)
{
    const double now[3] = { signal_of(in, c->stiffness), signal_of(in, c->damping),
                            signal_of(in, c->friction) };
    if (memcmp(now, &memory[c->seen], sizeof now) == 0) {
        return;
    }
    memcpy(&memory[c->seen], now, sizeof now);
    for (int i = 0; i < c->n_pair; i++) {
        for (int side = 0; side < 2; side++) {
            if (c->pair[i].sleep[side] >= 0) {
                memory[c->pair[i].sleep[side] + SLEEP_STIRRED] = 1.0;
            }
        }
    }
}

static void contact_commit(const void *items, int count, const law_in *in, double *memory)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (item[k].seen >= 0) {
            stir_sleepers(&item[k], in, memory);
        }
        for (int i = 0; i < item[k].n_pair && !all_sleeps(&item[k], in); i++) {
            if (pair_sleeps(&item[k].pair[i], memory)) {
                continue; // its anchors stay
            }
            commit_pair(&item[k], &item[k].pair[i], in, memory);
            memory[item[k].touched] = fmax(memory[item[k].touched], memory[item[k].pair[i].memory] > 0.0);
        }
    }
}

void contact_near(const void *items, int count, const law_in *in, double h, double *memory, contact_meet meet,
                  void *to)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < item[k].n_pair && item[k].seen >= 0; i++) {
            const contact_pair *p = &item[k].pair[i];
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

const law_kind contact_kind = { &contact_schema, sizeof(contact), contact_compile, contact_eval, NULL,
                                contact_energy,  contact_commit };
