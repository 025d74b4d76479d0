// SPDX-License-Identifier: MIT
#include "laws/contact/doubts.h"
#include "laws/contact/hit.h"
#include "math/elementary.h"
#include <math.h>
#include <string.h>

// A touch that begins faster than a fall of a few steps is an impact; slower ones are rest that comes and goes.
typedef enum { HIT_MEAN, HIT_LATE } hit_rule; // how the step takes forces (contact.23)
static hit_rule rule_of(const law_in *in) { return in->want & LAW_LATE ? HIT_LATE : HIT_MEAN; }

// Of the spring where a hit of that speed without loss would be deepest: the depth of its first step may be anything.
static double slope_of_hit(const touch_values *v, double mass, double speed)
{
    double n = v->exponent, k = v->stiffness;
    if (v->law != TOUCH_HERTZ || !(k > 0.0)) {
        return k;
    }
    double depth = math_pow(0.5 * (n + 1.0) * mass * speed * speed / k, 1.0 / (n + 1.0));
    return n * k * math_pow(depth, n - 1.0);
}

// How far h sqrt(k/m) may go until a restitution that is asked for is off by 2 % or so, at the worst start of a touch
// within a step (verdict.6).
static double told_from(const touch_values *v, hit_rule rule)
{
    return rule == HIT_LATE ? 0.018 : v->law == TOUCH_HERTZ ? 0.2 : 0.025;
}

static void doubt_impact(const contact *c, const contact_pair *p, const touch_values *v,
                         const touch_motion *t, hit_rule rule, law_doubts *doubts)
{
    // at the end of a step that began without a touch: hits that are over before it have turned the speed round
    double speed = fabs(vec3_dot(t->normal, t->velocity)), h = doubts->h;
    if (!(speed > 4.0 * c->gravity * h)) {
        return;
    }
    // forces of the end lose a part h sqrt(k/m) of a hit or so: where a restitution is asked for, or nothing is to be
    // lost, that is too much much sooner than steps that do not follow the hit
    const surface *f = &c->surface;
    bool is_hertz = v->law == TOUCH_HERTZ,
         is_asked = f->damping_ratio > 0.0 || (is_hertz && !(v->dissipation > 0.0));
    double weight = rule == HIT_LATE && (is_asked || is_hertz || !(v->damping > 0.0)) ? 5.0 : 1.0;
    double steps = h * sqrt(slope_of_hit(v, p->mass, speed) / p->mass), value = weight * steps;
    if (is_asked) {
        value = fmax(value, fmin(steps / told_from(v, rule), 3.9)); // doubtful, and bad no sooner than others
    }
    law_doubts_note(doubts, DOUBT_IMPACT, value, c->element);
}

// The same of a touch that was settled inside the step and may be over at its end: forces of several weights tell.
void doubt_settled(const contact *c, const contact_pair *p, const law_in *in)
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

// The same before the step is accepted, of a pair that did not touch at its start.
void doubt_hit(const contact *c, const contact_pair *p, const law_in *in)
{
    const double *own = pair_own(p, in);
    if (own[HEAD_COUNT] > 0.0 || pair_sleeps(p, in->memory) || pair_is_clear(p, in->at)) {
        return;
    }
    if (in->want & LAW_LATE && p->is_live) {
        doubt_settled(c, p, in);
        return;
    }
    pair_place deepest;
    pair_motion m = pair_at(p, in->at);
    int count = pair_deepest(p, &m, own, in, &deepest);
    if (count > 0) {
        hold unused;
        touch_values v = values_at(c, p, in, &deepest, count);
        touch_motion t = motion_at(c, p, &m, in, &deepest, &unused);
        doubt_impact(c, p, &v, &t, rule_of(in), in->doubts);
    }
}

// What speaks against a place: its depth, how it began, and an axis of friction that is not along the surface.
void doubt_place(const contact *c, const contact_pair *p, const pair_motion *m, const touch_values *v,
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

// Free bodies that turn over each other part from their neighbours: as fast as they turn, and not faster than what stands on an
// edge falls over (verdict.14).
void doubt_tumbling(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in)
{
    if (in->doubts && p->are_free && p->is_patch) {
        double size = fmin(p->reach[0], p->reach[1]), fall = sqrt(c->gravity / size);
        law_doubts_note(in->doubts, DOUBT_TUMBLE, fmin(vec3_norm(vec3_sub(m->spin[0], m->spin[1])), fall),
                        c->element);
    }
}

// What speaks against the step of a pair that does not touch: it may have passed, or fallen through the ground.
void doubt_apart(const contact *c, const contact_pair *p, const law_in *in)
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
void doubt_beginning(const contact *c, const contact_pair *p, const law_in *in, int count)
{
    if (count == 0) {
        doubt_apart(c, p, in);
    } else if (in->doubts && pair_is_fast(p, in->at, in->doubts->h)) {
        law_doubts_note(in->doubts, DOUBT_PASSED, 1.0, c->element); // nobody saw on which side they met
    }
}

// Of a pair that touched and is apart now: its middle has changed sides, seen from where they touched, on a way that is longer
// than both are thick. The two points of that place have moved apart by the way since then.
bool doubt_has_crossed(const contact_pair *p, const pair_motion *m, const double *own)
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
void doubt_crossing(const contact *c, const contact_pair *p, const law_in *in, const pair_motion *m,
                    const pair_place *place, int count)
{
    if (!in->doubts || !pair_is_fast(p, in->at, 4.0 * in->doubts->h)) {
        return;
    }
    const double *slot = &pair_own(p, in)[p->head];
    if (count == 0 && !pair_may_pass(p) && doubt_has_crossed(p, m, pair_own(p, in))) {
        law_doubts_note(in->doubts, DOUBT_PASSED, 1.0, c->element);
    }
    vec3 at_a = vec3_add(m->pos[0], mat3_apply(m->rot[0], tray_vec3(slot + SLOT_A))),
         at_b = vec3_add(m->pos[1], mat3_apply(m->rot[1], tray_vec3(slot + SLOT_B)));
    for (int k = 0; k < count; k++) {
        double was = place[k].depth + vec3_dot(place[k].normal, vec3_sub(at_a, at_b));
        law_doubts_note(in->doubts, DOUBT_PASSED, was > (1.0 + 1e-6) * p->thin ? 1.0 : 0.0, c->element);
    }
}
