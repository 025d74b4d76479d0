// SPDX-License-Identifier: MIT
// What two surfaces that touch are like: the values of a contact as its keys and inputs give them.
#include "laws/contact/surface.h"
#include "laws/contact/restitution.h"
#include "math/elementary.h"
#include <math.h>

static double or_default(double x, double otherwise) { return x > 0.0 ? x : otherwise; }

// ---- compile ---------------------------------------------------------------------------------------------------

static void complain_about_restitution(plan *p, int element, const bi_contact_def *d)
{
    bool is_hertz = d->law == 2, is_asked = d->restitution > 0.0;
    if (d->restitution > 1.0) {
        plan_complain(p, element, "restitution", "is above 1: nothing comes back faster than it came");
    } else if (is_asked && !is_hertz && d->restitution < restitution_least) {
        plan_complain(
            p, element, "restitution",
            "must be at least %.4g with kelvin-voigt, which is then damped critically; take law: hertz",
            restitution_least);
    } else if (is_asked && !is_hertz && d->damping.i > 0) {
        plan_complain(p, element, "restitution", "chooses the damping: give one of the two");
    } else if (is_asked && !is_hertz && (d->hysteresis > 0.0 || d->smooth > 0.0)) {
        plan_complain(p, element, "restitution",
                      "goes with damping alike in and out, without hysteresis and smooth");
    } else if (is_asked && is_hertz && d->dissipation > 0.0) {
        plan_complain(p, element, "restitution", "chooses the dissipation: give one of the two");
    } else if (d->restitution_law > 0 && (!is_hertz || d->dissipation > 0.0)) {
        plan_complain(p, element, "restitution_law", "is for law: hertz with a restitution");
    }
}

static void complain_about_friction(plan *p, int element, const bi_contact_def *d)
{
    if (d->friction_law != 2 && (d->kept > 0.0 || d->anchor > 0)) {
        plan_complain(p, element, d->kept > 0.0 ? "kept" : "anchor", "is for friction_law: blended");
    }
    if (d->stick_time > 0.0 && d->stick_stiffness.i > 0) {
        plan_complain(p, element, "stick_stiffness", "goes without stick_time: give one of the two");
    }
    if (d->stick_damping.i > 0 && d->stick_stiffness.i <= 0) {
        plan_complain(p, element, "stick_damping", "goes with stick_stiffness");
    }
    if (d->stick_speed.i > 0 && d->friction_law != 2) {
        plan_complain(p, element, "stick_speed", "is for friction_law: blended; coulomb sticks at no speed");
    }
    if (d->belt.i > 0 && d->b.count == 0) {
        plan_complain(p, element, "belt", "is the surface of b: name its shapes");
    }
    if (d->belt.i <= 0 && vec3_norm(d->belt_axis) > 0.0) {
        plan_complain(p, element, "belt_axis", "goes with belt, its speed");
    }
}

// of a skate on ice, about 300; beyond, the stick springs are stiffer than any step follows
enum { MOST_ACROSS = 500 };

static void complain_about_directions(plan *p, int element, const bi_contact_def *d)
{
    bool has_axis = vec3_norm(d->friction_axis) > 0.0;
    if (!(d->friction_across > 0.0)) {
        if (has_axis) {
            plan_complain(p, element, "friction_axis", "goes with friction_across");
        }
        return;
    }
    if (d->friction_across > MOST_ACROSS) {
        plan_complain(
            p, element, "friction_across",
            "is %g: more than %d times the friction along the axis is a guide, not friction; less, or a "
            "prismatic joint",
            d->friction_across, MOST_ACROSS);
    }
    if (d->b.count == 0) {
        plan_complain(p, element, "friction_across",
                      "is by an axis of the bodies of a: name those they meet, b");
    }
    if (d->friction.i <= 0) {
        plan_complain(p, element, "friction_across", "is over friction: give that, too");
    }
    if (d->friction_law == 2 || d->viscous > 0.0) {
        plan_complain(p, element, "friction_across", "goes with friction_law: coulomb, without viscous");
    }
}

static touch_values values_of(const bi_contact_def *d)
{
    bool is_blended = d->friction_law == 2;
    restitution_law law =
        d->restitution_law > 0 ? (restitution_law)(d->restitution_law - 1) : RESTITUTION_EXACT;
    return (touch_values){ .law = d->law == 2 ? TOUCH_HERTZ : TOUCH_KELVIN_VOIGT,
                           .hysteresis = or_default(d->hysteresis, 1.0),
                           .smooth = d->smooth,
                           .exponent = or_default(d->exponent, 1.5),
                           .dissipation = d->dissipation,
                           .loss = restitution_loss(law, d->restitution),
                           .limit = INFINITY,
                           .viscous = d->viscous,
                           .give = 1.0,
                           .held = 1.0,
                           .rubbing = is_blended ? TOUCH_BLENDED : TOUCH_COULOMB,
                           .kept = is_blended ? or_default(d->kept, 0.95) : 1.0,
                           .is_set = d->anchor == 2 };
}

void surface_compile(plan *p, int element, const bi_contact_def *d, surface *out)
{
    bool is_hertz = d->law == 2, is_exact = d->restitution_law <= 1 && !(d->dissipation > 0.0);
    complain_about_restitution(p, element, d);
    complain_about_friction(p, element, d);
    complain_about_directions(p, element, d);
    *out = (surface){ .values = values_of(d),
                      .stiffness = d->stiffness,
                      .damping = d->damping,
                      .friction = d->friction,
                      .limit = d->force_limit,
                      .stick_stiffness = d->stick_stiffness,
                      .stick_damping = d->stick_damping,
                      .stick_speed = d->stick_speed,
                      .sliding = or_default(d->sliding, 1.0),
                      .stick_time = or_default(d->stick_time, d->friction_law == 2 ? 0.03 : 0.002),
                      .weight = plan_weight(p),
                      .gravity = p->model->gravity,
                      .is_per_area = d->per == 2 };
    if (is_hertz && is_exact && vec3_norm(out->gravity) > 0.0) {
        out->easing = restitution_weight(d->restitution, out->values.exponent);
    }
    if (!is_hertz && d->restitution >= restitution_least) {
        out->damping_ratio = restitution_ratio(d->restitution);
    }
    out->belt = d->belt;
    out->belt_axis = vec3_norm(d->belt_axis) > 0.0 ? vec3_normalized(d->belt_axis) : (vec3){ 1.0, 0.0, 0.0 };
    out->rolling = d->rolling_friction;
    out->spinning = d->spinning_friction;
    if (d->friction_across > 0.0) {
        bool has_axis = vec3_norm(d->friction_axis) > 0.0;
        out->values.skew = d->friction_across - 1.0;
        out->friction_axis = has_axis ? vec3_normalized(d->friction_axis) : (vec3){ 1.0, 0.0, 0.0 };
    }
    static const char *const keys[] = { NULL,          "stiffness",       "damping",       "friction",
                                        "force_limit", "stick_stiffness", "stick_damping", "stick_speed" };
    const bi_expr certain[] = { d->belt,        d->stiffness,       d->damping,       d->friction,
                                d->force_limit, d->stick_stiffness, d->stick_damping, d->stick_speed };
    for (size_t k = 0; k < sizeof certain / sizeof *certain; k++) {
        plan_certain_signal(p, element, certain[k], keys[k]);
    }
}

// ---- evaluation ------------------------------------------------------------------------------------------------

double surface_signal(const law_in *in, bi_expr e)
{
    double now = e.i > 0 ? in->u->signal[e.i - 1].v : 0.0;
    return now > 0.0 ? now : 0.0; // what is none, or negative, ends the run (plan_certain_signal)
}

// A spring that stops its bodies within a hundredth of a step, or a damper within a thousandth, is a wall to steps of that
// length: what is harder is taken for such (contact.26).
static void soften(double h, double mass, surface_strength *v)
{
    static const double most = 1e4, damped = 1e3;
    double stiffness = most * mass / (h * h), damping = damped * mass / h;
    v->stiffness = v->stiffness > stiffness ? stiffness : v->stiffness;
    v->damping = v->damping > damping ? damping : v->damping;
}

surface_strength surface_strength_at(const surface *s, const law_in *in, const surface_place *at)
{
    surface_strength v;
    double scale = s->is_per_area ? at->area : 1.0, tau = s->stick_time, mass = at->mass;
    double zeta = s->values.rubbing == TOUCH_COULOMB ? 2.0 : 1.0; // of the stick spring
    v.stiffness = scale * surface_signal(in, s->stiffness);
    v.damping = s->damping_ratio > 0.0 ? 2.0 * s->damping_ratio * sqrt(v.stiffness * mass)
                                       : scale * surface_signal(in, s->damping);
    if (in->u->coarse > 0.0 && at->whole > 0.0 && s->values.law == TOUCH_KELVIN_VOIGT) {
        soften(in->u->coarse, at->whole, &v);
    }
    v.friction = law_grip(in) * surface_signal(in, s->friction) * at->slippery;
    v.sliding = s->sliding * v.friction;
    v.stick_stiffness = v.friction > 0.0 ? mass / (tau * tau) : 0.0;
    v.stick_damping = v.friction > 0.0 ? 2.0 * zeta * mass / tau : 0.0;
    if (s->stick_stiffness.i > 0 && v.friction > 0.0) {
        v.stick_stiffness = surface_signal(in, s->stick_stiffness);
        v.stick_damping = s->stick_damping.i > 0 ? surface_signal(in, s->stick_damping)
                                                 : 2.0 * zeta * sqrt(v.stick_stiffness * mass);
    }
    return v;
}

touch_values surface_values(const surface *s, const law_in *in, const surface_place *at)
{
    touch_values v = s->values;
    surface_strength now = surface_strength_at(s, in, at);
    v.stiffness = now.stiffness;
    v.damping = now.damping;
    v.friction = now.friction;
    v.sliding = now.sliding;
    v.stick_stiffness = now.stick_stiffness;
    v.stick_damping = now.stick_damping;
    v.stick_speed = v.rubbing == TOUCH_BLENDED ? fmax(v.sliding, 1e-3) * s->weight * s->stick_time : INFINITY;
    if (s->limit.i > 0) {
        v.limit = surface_signal(in, s->limit);
    }
    if (s->stick_speed.i > 0) {
        v.stick_speed = fmax(surface_signal(in, s->stick_speed), 1e-9);
    }
    return v;
}

roll_values surface_roll(const surface *s, const law_in *in, double mass, double radius)
{
    double tau = s->stick_time, zeta = 2.0, inertia = 2.0 * mass * radius * radius, grip = law_grip(in);
    return (roll_values){ .rolling = grip * s->rolling,
                          .spinning = grip * s->spinning,
                          .stiffness = inertia / (tau * tau),
                          .damping = 2.0 * zeta * inertia / tau };
}

double surface_impact(const surface *s, const touch_values *v, const touch_motion *m, double mass,
                      double stands)
{
    double speed = touch_impact(-vec3_dot(m->normal, m->velocity)), n = v->exponent;
    double fall = -stands * vec3_dot(s->gravity, m->normal);
    if (m->impact > 0.0) {
        return m->impact;
    }
    if (!(s->easing > 0.0) || fall == 0.0 || !(v->stiffness > 0.0)) {
        return speed;
    }
    double square = speed * speed,
           depth = math_pow(0.5 * (n + 1.0) * mass * square / v->stiffness, 1.0 / (n + 1.0));
    // beyond that the weight rules: what comes back is not what was asked for
    double part = fmax(-0.5, fmin(s->easing * fall * depth / square, 1.0));
    return speed * (1.0 + part);
}
