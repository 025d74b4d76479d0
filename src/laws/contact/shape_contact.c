// SPDX-License-Identifier: MIT
// Contact between shapes: forces at the places where they touch, exact tangent for spheres and corners on flat things
// (contact.8 .. contact.10), anchors that follow.
#include "laws/contact/hit.h"
#include "math/rotation.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- compile ---------------------------------------------------------------------------------------------------

static double or_default(double x, double otherwise) { return x > 0.0 ? x : otherwise; }

// Places that come and go with the pose have no tangent that would hold for a step: they are settled inside it.
static bool is_of_patches(const bi_model *m, const bi_shapes *a, const bi_shapes *b)
{
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            const model_shape *first = &m->shape[a->item[i].i - 1], *second = &m->shape[b->item[k].i - 1];
            if (first->def.body.i != second->def.body.i && pair_is_patch(first, second)) {
                return true;
            }
        }
    }
    return false;
}

static void add_pairs(plan *p, int element, const bi_contact_def *d, contact *out)
{
    bool is_among = d->b.count == 0;
    const bi_shapes *b = is_among ? &d->a : &d->b;
    int slot = surface_rolls(&out->surface) ? ROLL_SLOT : PAIR_SLOT;
    int most = d->most_points >= 1.0 ? (int)fmin(d->most_points, PAIR_MOST) : 16;
    if (p->settles || live_is_crowded(p->model) || is_of_patches(p->model, &d->a, b)) {
        out->live = live_compile(p, element, d, most);
        if (out->live) {
            out->live->is_limited = !live_is_crowded(p->model);
        }
        return;
    }
    const pair_asked *asks = pair_asks(p, element, d);
    out->pair = plan_keep(p, ((size_t)d->a.count * (size_t)b->count + 1) * sizeof *out->pair);
    for (int i = 0; out->pair && i < d->a.count; i++) {
        for (int k = is_among ? i + 1 : 0; k < b->count; k++) {
            contact_pair made;
            if (pair_compile(p, element, d->a.item[i], b->item[k], most, slot, out->pair, out->n_pair,
                             &made)) {
                made.mass = or_default(d->mass, made.mass);
                made.asks = asks;
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

// All bodies of a crowd that move, if all of them may sleep; a body whose shapes do not stand together comes more often.
static void list_sleepers(const contact_live *l, contact *out)
{
    for (int k = 0; k < l->n_mover; k++) {
        int sleep = live_mover(l, k)->sleep;
        if (sleep < 0) {
            out->n_sleeper = 0;
            return;
        }
        if (out->n_sleeper == 0 || out->sleeper[out->n_sleeper - 1] != sleep) {
            out->sleeper[out->n_sleeper++] = sleep;
        }
    }
}

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

static void compile_sleep(plan *p, contact *out)
{
    out->sleeper = plan_keep(p, ((size_t)(out->live ? out->live->n_mover : 0) + 1) * sizeof *out->sleeper);
    if (out->sleeper && out->live) {
        list_sleepers(out->live, out);
    } else if (out->sleeper) {
        out->sleeper[0] = common_sleeper(out);
        out->n_sleeper = out->sleeper[0] >= 0 ? 1 : 0;
    }
    out->sleeping = out->n_sleeper > 0 ? plan_scratch(p, sizeof(sleeping_pair)) : 0;
}

static double thinnest_of(const contact *c)
{
    double thin = INFINITY;
    for (int k = 0; k < c->n_pair; k++) {
        thin = fmin(thin, c->pair[k].thin);
    }
    for (int k = 0; c->live && k < c->live->n_site; k++) {
        const contact_site *s = &c->live->site[k];
        bool is_plane = s->shape->form.kind == GEOM_PLANE;
        thin = is_plane ? thin : fmin(thin, 2.0 * pair_thinnest(s->half));
    }
    return thin;
}

// A signal reads its effort.
static bool is_followed(const bi_model *m, int element)
{
    for (int k = 0; k < m->n_element; k++) {
        const bi_kind *kind = m->element[k].kind;
        if (strcmp(kind->section, "signals") == 0 && strcmp(kind->type, "effort") == 0) {
            const bi_effort_signal_def *d = m->element[k].def;
            if (bi_model_element(m, d->of).i - 1 == element) {
                return true;
            }
        }
    }
    return false;
}

static void contact_compile(plan *p, int element, const void *def, void *item)
{
    const bi_contact_def *d = def;
    contact *out = item;
    *out = (contact){ .element = element,
                      .is_followed = is_followed(p->model, element),
                      .patched = slippery_plan(p, element),
                      .touched = plan_memory(p, 1),
                      .hit = hit_compile(p, element),
                      .readings = plan_add_readings(p, element, CONTACT_READINGS, names, units),
                      .gravity = fmax(vec3_norm(p->model->gravity), 1.0) };
    surface_compile(p, element, d, &out->surface);
    out->clock = d->belt.i > 0 ? plan_memory(p, 2) : -1;
    add_pairs(p, element, d, out);
    bool has_sleeper = false;
    for (int k = 0; k < out->n_pair; k++) {
        has_sleeper |= out->pair[k].sleep[0] >= 0 || out->pair[k].sleep[1] >= 0;
    }
    for (int k = 0; out->live && k < out->live->n_site; k++) {
        has_sleeper |= out->live->site[k].sleep >= 0;
    }
    out->seen = has_sleeper ? plan_memory(p, contact_seen(out)) : -1;
    out->thin = thinnest_of(out);
    compile_sleep(p, out);
}

// ---- one place -------------------------------------------------------------------------------------------------

// The laws of one place of a pair: what inputs say now, its share of mass and area.
touch_values values_at(const contact *c, const contact_pair *p, const law_in *in, const pair_place *place,
                       int count)
{
    surface_place at = surface_place_of(c, p, in, place, count);
    touch_values v = surface_values(&c->surface, in, &at);
    v.give = pair_give(p, in);
    return v;
}

// A belt: what it adds to the velocity of a against b, and to the stretch since the last step (touch.9).
void contact_run_belt(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                      hold *h)
{
    const double *last = &in->memory[c->clock];
    double speed = in->u->signal[c->surface.belt.i - 1].v,
           way = 0.5 * (in->u->t - last[0]) * (speed + last[1]);
    h->belt_side = p->is_swapped ? 0 : 1;
    vec3 along = mat3_apply(m->rot[h->belt_side], c->surface.belt_axis);
    along = p->is_swapped ? along : vec3_neg(along);
    h->belt = vec3_scale(speed, along);
    h->travel = vec3_scale(way, along);
}

// Of friction that depends on the direction, in ground axes.
static vec3 axis_of(const contact *c, const contact_pair *p, const pair_motion *m)
{
    return mat3_apply(m->rot[p->is_swapped ? 1 : 0], c->surface.friction_axis);
}

grain grain_at(const contact *c, const contact_pair *p, const pair_motion *m, const touch_values *v,
               const touch_motion *t)
{
    return (grain){ axis_of(c, p, m), p->is_swapped ? 1 : 0, touch_by_side(v, t) };
}

// Of a place that wanders: how far, and how a has turned in b meanwhile.
static void follow_place(const contact_pair *p, const pair_motion *m, const double *slot, vec3 point, hold *h)
{
    const double *then = slot + p->slot - TURN_NUMBERS;
    mat3 lay = mat3_multiply(m->rot[1], quat_to_mat3((quat){ then[0], then[1], then[2], then[3] }));
    h->gone = vec3_sub(point, vec3_add(m->pos[0], h->hold_a));
    h->back = mat3_multiply(lay, mat3_transposed(m->rot[0]));
}

touch_motion motion_at(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                       const pair_place *place, hold *h)
{
    static const vec3 zero = { 0.0, 0.0, 0.0 };
    vec3 ra = vec3_sub(place->point, m->pos[0]), rb = vec3_sub(place->point, m->pos[1]);
    // all of it: clearing it first costs 1 % of a step
    touch_motion t = { .depth = place->depth,
                       .normal = place->normal,
                       .velocity = vec3_sub(vec3_add(m->vel[0], vec3_cross(m->spin[0], ra)),
                                            vec3_add(m->vel[1], vec3_cross(m->spin[1], rb))),
                       .stretch = zero,
                       .side = zero,
                       .is_held = place->slot >= 0,
                       .is_sliding = pair_slides(p, in),
                       .impact = 0.0,
                       .step = in->u->h,
                       .is_new = false,
                       .is_spent = p->is_patch };
    h->belt = h->travel = zero;
    h->belt_side = 0;
    if (c->clock >= 0) {
        contact_run_belt(c, p, m, in, h);
        t.velocity = vec3_add(t.velocity, hold_belt(h, place->normal));
    }
    if (c->surface.values.skew != 0.0) {
        t.side = grain_side(axis_of(c, p, m), place->normal);
    }
    if (t.is_held) {
        const double *slot = &pair_own(p, in)[p->head + p->slot * place->slot];
        h->hold_a = mat3_apply(m->rot[0], tray_vec3(slot + SLOT_A));
        h->hold_b = mat3_apply(m->rot[1], tray_vec3(slot + SLOT_B));
        h->kept = mat3_apply(m->rot[1], tray_vec3(slot + SLOT_STRETCH));
        t.impact = fabs(slot[SLOT_IMPACT]);
        vec3 apart = vec3_sub(vec3_add(m->pos[0], h->hold_a), vec3_add(m->pos[1], h->hold_b));
        t.stretch = vec3_add(vec3_add(h->kept, apart), h->travel);
        if (pair_bends(p)) {
            follow_place(p, m, slot, place->point, h);
            t.stretch = vec3_add(t.stretch, hold_wander(h));
        }
    } else {
        h->hold_a = h->hold_b = h->kept = zero;
        h->gone = zero;
        h->back = mat3_identity();
    }
    return t;
}

place_roll roll_at(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                   const pair_place *place, int count)
{
    const double *slot =
        place->slot >= 0 ? &pair_own(p, in)[p->head + p->slot * place->slot + SLOT_ROLL] : NULL;
    // half the diagonal of the box around a ball is sqrt(3) times its radius
    double radius = fmin(p->reach[0], p->reach[1]) / sqrt(3.0);
    return (place_roll){ surface_roll(&c->surface, in, mass_at(p, in, count), radius),
                         roll_of(slot, m, place->normal) };
}

// Share of the elastic forces of a patch that may act: less than one where they would give more than was stored.
store_limit share_held(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                       const pair_place *place, int count)
{
    const double *own = pair_own(p, in);
    if (!p->is_patch || !(own[HEAD_COUNT] > 0.0) || !(in->u->h > 0.0)) {
        return (store_limit){ 1.0, 0.0 };
    }
    store_effort effort = { { 0.0 } };
    for (int k = 0; k < count; k++) {
        hold h;
        touch_values v = values_at(c, p, in, &place[k], count);
        touch_motion t = motion_at(c, p, m, in, &place[k], &h);
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

static void add_moment(const contact_pair *p, vec3 moment, double *effort)
{
    for (int side = 0; side < 2; side++) {
        if (p->side[side].dof >= 0) {
            tray_add(&effort[p->side[side].dof + 3], force_on(side, moment));
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
static void eval_pair(const contact *c, const contact_pair *p, const law_in *in, const load *to, double *K,
                      double *C, double *readings, double *carried)
{
    bool wants_slopes = to && (in->want & LAW_TANGENT) != 0, rolls = surface_rolls(&c->surface);
    touch_want want = wants_slopes ? TOUCH_SLOPES : TOUCH_FORCE;
    if (wants_slopes && p->is_first) {
        memset(K, 0, (size_t)(p->width * p->width) * sizeof *K);
        memset(C, 0, (size_t)(p->width * p->width) * sizeof *C);
    }
    bool is_held = (in->want & LAW_FIRST) && pair_began_inside(p, pair_own(p, in));
    if (is_held || pair_is_clear(p, in->at)) {
        return;
    }
    pair_place *place = SPARE_NEW(in->spare, pair_place, p->capacity);
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places(p, &m, pair_own(p, in), in, in->want, place, &n_region);
    store_limit held = { 1.0, 0.0 };
    if (!p->is_live) {
        held = share_held(c, p, in, &m, place, count);
    }
    for (int k = 0; k < count; k++) {
        hold h;
        touch_values v = values_at(c, p, in, &place[k], count);
        v.held = held.share;
        v.held_slope = held.slope;
        touch_motion t = motion_at(c, p, &m, in, &place[k], &h);
        t.is_new = !t.is_held;
        touch_force f = touch_eval(&v, &t, want);
        if (to) {
            add_force(p, &m, place[k].point, f.force, to->effort);
        } else {
            carry(p, &m, place[k].point, f.force, carried);
        }
        add_readings(p, &f, &place[k], readings);
        place_roll turned;
        roll_moment roll;
        if (rolls) {
            turned = roll_at(c, p, &m, in, &place[k], count);
            roll = roll_eval(&turned.values, &turned.at, f.push, want);
            if (to) {
                add_moment(p, roll.moment, to->effort);
            } else if (p->carrier >= 0) {
                tray_add(carried + 3, force_on(p->carrier, roll.moment));
            }
        }
        if (wants_slopes) {
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
            s.turned = rolls ? &turned.at : NULL;
            s.roll = rolls ? &roll : NULL;
            nudge_add_tangent(p, &s, &f, K, C);
        }
    }
    spare_give(in->spare, place);
    readings[CONTACT_REGIONS] += n_region;
}

// A pair that sleeps keeps its first readings: nothing moves, and its forces are held by those that hold the body. A load
// that is NULL: only its readings.
static void add_sleeping_readings(const contact *c, const contact_pair *p, const law_in *in, const load *to,
                                  double *readings)
{
    sleeping_pair *sleeping = sleeping_of(p, in);
    if (!sleeping->has_readings) {
        memset(sleeping->readings, 0, sizeof sleeping->readings);
        memset(sleeping->carried, 0, sizeof sleeping->carried);
        eval_pair(c, p, in, NULL, NULL, NULL, sleeping->readings, sleeping->carried);
        sleeping->has_readings = true;
    }
    for (int k = 0; k < CONTACT_READINGS; k++) {
        bool is_largest = k == CONTACT_DEPTH || k == CONTACT_SLIP;
        readings[k] =
            is_largest ? fmax(readings[k], sleeping->readings[k]) : readings[k] + sleeping->readings[k];
    }
    for (int k = 0; to && p->carrier >= 0 && k < 6; k++) {
        to->effort[p->side[p->carrier].dof + k] += sleeping->carried[k];
    }
}

static void forget_sleeping(const contact_pair *p, const law_in *in)
{
    if (p->sleep[0] >= 0 || p->sleep[1] >= 0) {
        sleeping_of(p, in)->has_readings = sleeping_of(p, in)->has_energy = false;
    }
}

// A live pair of two moving bodies: their own blocks, and what couples them.
static void eval_coupled(const contact *c, const pair_walk *w, const law_in *in, load *to, double *readings)
{
    const contact_pair *p = w->made;
    if (!(in->want & LAW_TANGENT)) {
        eval_pair(c, p, in, to, NULL, NULL, readings, NULL);
        return;
    }
    double K[144] = { 0.0 }, C[144] = { 0.0 }, before = readings[CONTACT_POINTS];
    eval_pair(c, p, in, to, K, C, readings, NULL);
    if (readings[CONTACT_POINTS] > before) {
        live_add_blocks(c->live, w->entry, p, K, C, to);
    }
}

// Sums become shares and means.
static void finish_readings(const contact *c, const law_in *in, double *readings)
{
    double share = readings[CONTACT_NORMAL] > 0.0 ? 1.0 / readings[CONTACT_NORMAL] : 0.0;
    readings[CONTACT_STICK] *= share;
    readings[CONTACT_SLIPPING] *= share;
    for (int i = 0; i < 3; i++) {
        readings[CONTACT_X + i] *= share;
    }
    readings[CONTACT_RELEASED] = in->memory[c->touched] > 0.0 && readings[CONTACT_POINTS] == 0.0 ? 1.0 : 0.0;
}

static void eval_all(const contact *c, const law_in *in, law_out *out, double *readings)
{
    memset(readings, 0, CONTACT_READINGS * sizeof *readings);
    pair_walk walk;
    contact_walk(&walk, c, in);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        if (pair_sleeps(p, in->memory)) {
            add_sleeping_readings(c, p, in, out->load, readings);
            continue;
        }
        forget_sleeping(p, in);
        if (p->block >= 0) {
            eval_pair(c, p, in, out->load, &out->load->K[p->block], &out->load->C[p->block], readings, NULL);
        } else {
            eval_coupled(c, &walk, in, out->load, readings);
        }
    }
    finish_readings(c, in, readings);
}

static void contact_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        const contact *c = &item[k];
        if (c->live && (in->want & LAW_APART)) {
            continue;
        }
        double *readings = &out->load->scalar[c->readings];
        bool sleeps = all_sleeps(c, in);
        if (sleeps && all_sleeping_of(c, in)->has_readings) {
            continue; // its readings are on the tray
        }
        eval_all(c, in, out, readings);
        if (c->n_sleeper > 0) {
            all_sleeping_of(c, in)->has_readings = sleeps;
            all_sleeping_of(c, in)->has_energy = false;
        }
        out->load->scalar[c->element] = readings[CONTACT_NORMAL];
    }
}

// Of the places that the step settled.
static void tell_one(const contact *c, const law_in *in, double *readings)
{
    double carried[6] = { 0.0 };
    pair_walk walk;
    contact_walk(&walk, c, in);
    memset(readings, 0, CONTACT_READINGS * sizeof *readings);
    for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
        if (pair_sleeps(p, in->memory)) {
            add_sleeping_readings(c, p, in, NULL, readings);
        } else if (pair_kept_count(p, in->scratch) > 0) {
            eval_pair(c, p, in, NULL, NULL, NULL, readings, carried);
        }
    }
    finish_readings(c, in, readings);
}

void contact_tell(const void *items, int count, const law_in *in, double *scalar)
{
    const contact *item = items;
    law_in settled = *in;
    settled.want |= LAW_KEEP;
    for (int k = 0; k < count; k++) {
        if (item[k].live && item[k].is_followed) {
            tell_one(&item[k], &settled, &scalar[item[k].readings]);
            scalar[item[k].element] = scalar[item[k].readings + CONTACT_NORMAL];
        }
    }
}

const law_kind contact_kind = { &contact_schema, sizeof(contact), contact_compile, contact_eval, NULL,
                                contact_energy,  contact_commit };
