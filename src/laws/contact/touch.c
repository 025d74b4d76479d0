// SPDX-License-Identifier: MIT
// Normal law and friction at one place of contact, equations (contact.2) to (contact.10).
#include "laws/contact/touch.h"
#include "math/elementary.h"
#include <math.h>

// slower first touches count as this one: a contact that begins at rest must not divide by zero
static const double slowest_impact = 1e-2; // m/s

typedef struct {
    double force, elastic, by_depth, by_rate, depth;
} push;

// 0 to 1 over the depth `smooth`, with zero slopes at both ends.
static double come_in(double depth, double smooth, double *slope)
{
    *slope = 0.0;
    if (!(smooth > 0.0) || depth >= smooth) {
        return 1.0;
    }
    double x = depth / smooth;
    *slope = 6.0 * x * (1.0 - x) / smooth;
    return x * x * (3.0 - 2.0 * x);
}

// The damper takes hold inside the step: of the two steps that see it, the first counts half and what it was in
// contact. It comes in over a trifle of the way of a step, so that a step that just touches has one solution
// (contact.15).
static double first_share(const touch_motion *m, double rate, double *by_depth, double *by_rate)
{
    const double trifle = 0.05;
    double part = m->depth / (m->step * rate), share = 1.0, slope = 0.0;
    if (m->is_new) {
        share = 0.5 + fmin(part, 1.0);
        slope = part < 1.0 ? 1.0 : 0.0;
    }
    if (part < trifle) {
        double x = part / trifle, ramp = x * x * (3.0 - 2.0 * x);
        slope = ramp * slope + 6.0 * x * (1.0 - x) / trifle * share;
        share *= ramp;
    }
    *by_depth = slope / (m->step * rate);
    *by_rate = -slope * part / rate;
    return share;
}

static push kelvin_voigt(const touch_values *v, const touch_motion *m, double rate)
{
    double depth = m->depth, slope, ramp = come_in(depth, v->smooth, &slope),
           damping = rate < 0.0 ? v->hysteresis * v->damping : v->damping;
    if (m->step > 0.0 && rate > 0.0 && !(v->smooth > 0.0)) {
        double by_depth, by_rate, share = first_share(m, rate, &by_depth, &by_rate), force = damping * rate;
        return (push){ .force = v->stiffness * depth + share * force,
                       .elastic = v->stiffness * depth,
                       .by_depth = v->stiffness + by_depth * force,
                       .by_rate = share * damping + by_rate * force };
    }
    return (push){ .force = v->stiffness * depth + ramp * damping * rate,
                   .elastic = v->stiffness * depth,
                   .by_depth = v->stiffness + slope * damping * rate,
                   .by_rate = ramp * damping };
}

static push hertz(const touch_values *v, double depth, double rate, double impact)
{
    double n = v->exponent, power = n == 1.5 ? depth * sqrt(depth) : math_pow(depth, n);
    double elastic = v->stiffness * power, by_depth = n * elastic / depth, part, by_rate;
    if (v->dissipation > 0.0) {
        part = v->dissipation * rate;
        by_rate = v->dissipation;
    } else {
        double lost = v->loss;
        // in the step of the first touch the speed itself is that of the impact
        bool is_new = impact == 0.0 && rate > slowest_impact;
        double from = impact > 0.0 ? impact : slowest_impact;
        part = is_new ? lost : lost * rate / from;
        by_rate = is_new ? 0.0 : lost / from;
    }
    return (push){ .force = elastic * (1.0 + part),
                   .elastic = elastic,
                   .by_depth = by_depth * (1.0 + part),
                   .by_rate = elastic * by_rate };
}

// A patch that separates gives back what it has stored and no more (contact.13); at rest it carries all the same.
static push hold_back(const touch_values *v, push p, double rate)
{
    const double slow = 5e-3; // m/s, over which it comes in
    double x = fmin(-rate / slow, 1.0), part = x * x * (3.0 - 2.0 * x) * (1.0 - v->give),
           by_rate = x < 1.0 ? 6.0 * x * (1.0 - x) * (1.0 - v->give) / slow : 0.0;
    double by_depth = v->law == TOUCH_HERTZ ? v->exponent : 1.0;
    by_depth *= p.elastic / p.depth;
    return (push){ p.force - part * p.elastic, (1.0 - part) * p.elastic, p.by_depth - part * by_depth,
                   p.by_rate + by_rate * p.elastic, p.depth };
}

double touch_energy(const touch_values *v, double depth)
{
    double n = v->law == TOUCH_HERTZ ? v->exponent : 1.0, k = v->stiffness;
    if (!(k > 0.0)) {
        return 0.0;
    }
    double most = isfinite(v->limit) ? math_pow(v->limit / k, 1.0 / n) : INFINITY, to = fmin(depth, most);
    double power = n == 1.0 ? to * to : n == 1.5 ? to * to * sqrt(to) : math_pow(to, n + 1.0);
    return k * power / (n + 1.0) + (depth > most ? v->limit * (depth - most) : 0.0);
}

// The spring gives what it has left and no more: over the step in which the place is left, half a step's way at this
// force (contact.14).
static push let_go(const touch_values *v, const touch_motion *m, push p, double rate)
{
    double leaving = -rate * m->step, stored = touch_energy(v, m->depth), most = 2.0 * stored / leaving;
    if (!(p.elastic > most)) {
        return p;
    }
    double slope = v->law == TOUCH_HERTZ ? v->exponent : 1.0, less = p.elastic - most;
    return (push){ p.force - less, most, p.by_depth + 2.0 * p.elastic / leaving - slope * p.elastic / p.depth,
                   p.by_rate - most / rate, p.depth };
}

// Never adhesive, never above the limit.
static push push_eval(const touch_values *v, const touch_motion *m, double rate)
{
    push p = v->law == TOUCH_HERTZ ? hertz(v, m->depth, rate, m->impact) : kelvin_voigt(v, m, rate);
    p.depth = m->depth;
    if (v->give < 1.0 && rate < 0.0) {
        p = hold_back(v, p, rate);
    }
    if (v->held < 1.0) {
        double by_depth = v->law == TOUCH_HERTZ ? v->exponent : 1.0;
        p.force -= (1.0 - v->held) * p.elastic;
        p.by_depth -= (1.0 - v->held) * by_depth * p.elastic / p.depth;
        p.by_rate += v->held_slope * p.elastic;
        p.elastic *= v->held;
    }
    if (m->step > 0.0 && !m->is_spent && rate < 0.0) {
        p = let_go(v, m, p, rate);
    }
    p.elastic = fmin(p.elastic, v->limit);
    if (!(p.force > 0.0)) {
        return (push){ .elastic = p.elastic };
    }
    return p.force > v->limit ? (push){ .force = v->limit, .elastic = p.elastic } : p;
}

double touch_push(const touch_values *v, const touch_motion *m, double rate, double *by_depth,
                  double *by_rate)
{
    push p = push_eval(v, m, rate);
    *by_depth = p.by_depth;
    *by_rate = p.by_rate;
    return p.force;
}

double touch_elastic(const touch_values *v, const touch_motion *m)
{
    return push_eval(v, m, -vec3_dot(m->normal, m->velocity)).elastic;
}

double touch_impact(double rate) { return fmax(rate, slowest_impact); }

// ---- friction --------------------------------------------------------------------------------------------------

static vec3 across(vec3 n, vec3 v) { return vec3_add_scaled(v, -vec3_dot(n, v), n); }

// The limit of the stick spring over the load (touch.4).
double touch_limit(const touch_values *v, const touch_motion *m)
{
    return v->rubbing == TOUCH_COULOMB && m->is_sliding ? v->sliding : v->friction;
}

// The limit of spring and damper together, and how it changes.
typedef struct {
    double most, by_load;
    vec3 by_stretch, by_slip;
} rub_limit;

// While it sticks its damper may push a little beyond the limit L of its spring, up to L + beta (L - k e.w), w the unit
// vector against their force: what is laid down or stops just below the limit swings into its place and must not slide
// for that (touch.5).
static rub_limit stick_limit(const touch_values *v, vec3 stretch, vec3 pull, double load)
{
    const double beta = touch_beyond;
    double most = v->friction * load, size = vec3_norm(pull), k = v->stick_stiffness;
    rub_limit l = { .most = most, .by_load = v->friction };
    if (!(size > most)) {
        return l; // not reached
    }
    vec3 w = vec3_scale(1.0 / size, pull);
    double along = vec3_dot(stretch, w);
    if (k * along < most) {
        vec3 turn = vec3_scale(-beta * k / size, vec3_add_scaled(stretch, -along, w));
        l.most = most + beta * (most - k * along);
        l.by_load = (1.0 + beta) * v->friction;
        l.by_stretch = vec3_add_scaled(vec3_scale(k, turn), -beta * k, w);
        l.by_slip = vec3_scale(v->stick_damping, turn);
    }
    return l;
}

static rub_limit limit_at(const touch_values *v, const touch_motion *m, vec3 stretch, vec3 pull, double load)
{
    if (v->rubbing == TOUCH_COULOMB && m->is_held && !m->is_sliding) {
        return stick_limit(v, stretch, pull, load);
    }
    double friction = touch_limit(v, m);
    return (rub_limit){ .most = friction * load, .by_load = friction };
}

double touch_most(const touch_values *v, const touch_motion *m, vec3 stretch, vec3 pull, double load)
{
    return limit_at(v, m, stretch, pull, load).most;
}

typedef struct {
    vec3 total, stick, slide;
    vec3 stick_unit, slide_unit; // along the forces; zero where they do not follow the load
    double share, size;          // of sticking; of the free stick force
    rub_limit limit;             // of the stick force
    bool is_slipping;            // it is there
} rub;

// share F_stick + (1 - share) F_slide - viscous slip (contact.4); Coulomb has no share of sliding (touch.4).
static inline rub rub_eval(const touch_values *v, const touch_motion *m, vec3 stretch, vec3 slip, double load)
{
    rub r = { 0 };
    double speed = vec3_norm(slip), ratio = speed / v->stick_speed;
    r.stick = vec3_sub(vec3_scale(-v->stick_stiffness, stretch), vec3_scale(v->stick_damping, slip));
    r.size = vec3_norm(r.stick);
    r.limit = limit_at(v, m, stretch, vec3_neg(r.stick), load);
    if (r.size > r.limit.most) {
        r.is_slipping = true;
        r.stick_unit = vec3_scale(1.0 / r.size, r.stick);
        r.stick = vec3_scale(r.limit.most, r.stick_unit);
    }
    r.slide_unit = speed > 0.0 ? vec3_scale(-1.0 / speed, slip) : (vec3){ 0.0, 0.0, 0.0 };
    r.slide = vec3_scale(v->sliding * load, r.slide_unit);
    r.share = math_exp(-ratio * ratio);
    r.total = vec3_add(vec3_scale(r.share, r.stick), vec3_scale(1.0 - r.share, r.slide));
    r.total = vec3_add_scaled(r.total, -v->viscous, slip);
    return r;
}

// The projector across a unit vector.
static mat3 projector(vec3 n) { return mat3_add(mat3_identity(), mat3_scale(-1.0, mat3_outer(n, n))); }

typedef struct {
    mat3 by_stretch, by_slip;
    vec3 by_load;
} rub_slopes;

static inline rub_slopes slopes_of(const touch_values *v, const rub *r, vec3 slip, double load)
{
    double speed = vec3_norm(slip);
    // stick: spring and damper, or their direction only once cut (contact.6)
    mat3 turn =
        r->is_slipping ? mat3_scale(r->limit.most / r->size, projector(r->stick_unit)) : mat3_identity();
    rub_slopes s = { mat3_scale(-r->share * v->stick_stiffness, turn),
                     mat3_scale(-r->share * v->stick_damping, turn),
                     vec3_add(vec3_scale(r->share * r->limit.by_load, r->stick_unit),
                              vec3_scale((1.0 - r->share) * v->sliding, r->slide_unit)) };
    s.by_stretch = mat3_add(s.by_stretch, mat3_outer(r->stick_unit, r->limit.by_stretch));
    s.by_slip = mat3_add(s.by_slip, mat3_outer(r->stick_unit, r->limit.by_slip));
    if (speed > 0.0) {
        double turning = (1.0 - r->share) * v->sliding * load / speed;
        s.by_slip = mat3_add(s.by_slip, mat3_scale(-turning, projector(r->slide_unit)));
    }
    s.by_slip = mat3_add(s.by_slip, mat3_scale(-v->viscous, mat3_identity()));
    double fade = -2.0 * r->share / (v->stick_speed * v->stick_speed);
    s.by_slip = mat3_add(s.by_slip, mat3_outer(vec3_sub(r->stick, r->slide), vec3_scale(fade, slip)));
    return s;
}

// ---- slopes of both --------------------------------------------------------------------------------------------

// dF = by_velocity dv + by_stretch de + by_depth dd + by_normal dn (contact.9)
static void chain(const touch_motion *m, const push *p, const rub_slopes *s, vec3 stretch, touch_force *f)
{
    vec3 n = m->normal, v = m->velocity, along = vec3_add(n, s->by_load);
    mat3 plane = projector(n);
    f->by_velocity =
        mat3_add(mat3_multiply(s->by_slip, plane), mat3_scale(-p->by_rate, mat3_outer(along, n)));
    f->by_stretch = mat3_multiply(s->by_stretch, plane);
    f->by_depth = vec3_scale(p->by_depth, along);
    // the parts across n change as n turns: -(n.v) dn - n (v.dn)
    mat3 slip_turn =
        mat3_add(mat3_scale(-vec3_dot(n, v), mat3_identity()), mat3_scale(-1.0, mat3_outer(n, v)));
    mat3 stretch_turn = mat3_add(mat3_scale(-vec3_dot(n, stretch), mat3_identity()),
                                 mat3_scale(-1.0, mat3_outer(n, stretch)));
    f->by_normal =
        mat3_add(mat3_scale(p->force, mat3_identity()), mat3_scale(-p->by_rate, mat3_outer(along, v)));
    f->by_normal = mat3_add(f->by_normal, mat3_multiply(s->by_slip, slip_turn));
    f->by_normal = mat3_add(f->by_normal, mat3_multiply(s->by_stretch, stretch_turn));
}

touch_rubbed touch_rub(const touch_values *v, const touch_motion *m, vec3 stretch, vec3 slip, double load,
                       touch_want want)
{
    rub r = rub_eval(v, m, stretch, slip, load);
    touch_rubbed out = { .force = r.total, .is_slipping = r.is_slipping };
    if (want == TOUCH_SLOPES) {
        rub_slopes s = slopes_of(v, &r, slip, load);
        out.by_stretch = m->is_held ? s.by_stretch : (mat3){ 0 };
        out.by_slip = s.by_slip;
        out.by_load = s.by_load;
    }
    return out;
}

// ---- other friction across than along ----------------------------------------------------------------------------

vec3 touch_skew_turned(const touch_values *v, const touch_motion *m, vec3 x, vec3 by)
{
    vec3 sum = vec3_scale(vec3_dot(m->side, x), by);
    return vec3_scale(v->skew, vec3_add_scaled(sum, vec3_dot(by, x), m->side));
}

// The same for all changes of `side`.
static mat3 skew_turns(const touch_values *v, const touch_motion *m, vec3 x)
{
    return mat3_scale(v->skew,
                      mat3_add(mat3_scale(vec3_dot(m->side, x), mat3_identity()), mat3_outer(m->side, x)));
}

// As seen by a law that is alike in all directions.
static touch_values alike(const touch_values *v)
{
    touch_values u = *v;
    u.skew = 0.0;
    return u;
}

touch_motion touch_seen(const touch_values *v, const touch_motion *m)
{
    touch_motion t = *m;
    t.velocity = touch_skewed(v, m, m->velocity);
    t.stretch = touch_skewed(v, m, m->stretch);
    return t;
}

mat3 touch_skew(const touch_values *v, const touch_motion *m)
{
    return mat3_add(mat3_identity(), mat3_scale(v->skew, mat3_outer(m->side, m->side)));
}

// F = A f(A v, A e), A = 1 + skew u u^T: the limit is an ellipse, and what slides loses the most it can (touch.6).
static touch_force eval_skewed(const touch_values *v, const touch_motion *m, touch_want want)
{
    touch_values even = alike(v);
    touch_motion seen = touch_seen(v, m);
    touch_force f = touch_eval(&even, &seen, want);
    f.force = touch_skewed(v, m, f.force);
    f.rubbing = touch_skewed(v, m, f.rubbing);
    f.slip = across(m->normal, m->velocity);
    if (want == TOUCH_SLOPES) {
        mat3 A = touch_skew(v, m);
        f.by_velocity = mat3_multiply(A, mat3_multiply(f.by_velocity, A));
        f.by_stretch = mat3_multiply(A, mat3_multiply(f.by_stretch, A));
        f.by_normal = mat3_multiply(A, f.by_normal);
        f.by_depth = mat3_apply(A, f.by_depth);
    }
    return f;
}

mat3 touch_by_side(const touch_values *v, const touch_motion *m)
{
    touch_values even = alike(v);
    touch_motion seen = touch_seen(v, m);
    touch_force f = touch_eval(&even, &seen, TOUCH_SLOPES);
    mat3 inner = mat3_add(mat3_multiply(f.by_velocity, skew_turns(v, m, m->velocity)),
                          mat3_multiply(f.by_stretch, skew_turns(v, m, m->stretch)));
    return mat3_add(mat3_multiply(touch_skew(v, m), inner), skew_turns(v, m, f.force));
}

// ---- all of it -------------------------------------------------------------------------------------------------

touch_force touch_eval(const touch_values *v, const touch_motion *m, touch_want want)
{
    if (v->skew != 0.0) {
        return eval_skewed(v, m, want);
    }
    vec3 n = m->normal, zero = { 0.0, 0.0, 0.0 }, stretch = m->is_held ? m->stretch : zero;
    push p = push_eval(v, m, -vec3_dot(n, m->velocity));
    touch_force f = { .push = p.force, .elastic = p.elastic, .slip = across(n, m->velocity) };
    rub r = rub_eval(v, m, across(n, stretch), f.slip, p.force);
    f.rubbing = r.total;
    f.force = vec3_add_scaled(r.total, p.force, n);
    f.share = r.share;
    f.is_slipping = r.is_slipping;
    if (want == TOUCH_SLOPES) {
        rub_slopes s = slopes_of(v, &r, f.slip, p.force);
        if (!m->is_held) {
            s.by_stretch = mat3_scale(0.0, s.by_stretch);
        }
        chain(m, &p, &s, stretch, &f);
    }
    return f;
}

// ---- after a step --------------------------------------------------------------------------------------------------

double touch_kept(const touch_values *v, const touch_motion *m) { return v->kept * touch_limit(v, m); }

vec3 touch_follow(const touch_values *v, const touch_motion *m, const touch_force *f)
{
    vec3 stretch = m->is_held ? across(m->normal, m->stretch) : (vec3){ 0.0, 0.0, 0.0 };
    if (!f->is_slipping || !(v->stick_stiffness > 0.0)) {
        return stretch;
    }
    double most = touch_kept(v, m) * f->push / v->stick_stiffness,
           now = vec3_norm(touch_skewed(v, m, stretch));
    if (v->is_set) {
        // back to its limit, against the force (contact.5)
        vec3 pull = vec3_add(vec3_scale(v->stick_stiffness, stretch), vec3_scale(v->stick_damping, f->slip));
        double size = vec3_norm(pull);
        return size > 0.0 ? vec3_scale(most / size, pull) : stretch;
    }
    return now > most ? vec3_scale(most / now, stretch) : stretch;
}

bool touch_is_at_limit(const touch_values *v, const touch_motion *m, const touch_force *f)
{
    vec3 stretch = m->is_held ? across(m->normal, m->stretch) : (vec3){ 0.0, 0.0, 0.0 };
    // a skewed stretch is short, and its rounding that of places of the size of the world
    double size = vec3_norm(touch_skewed(v, m, stretch)), near = v->skew != 0.0 ? 1.0 - 1e-6 : 1.0 - 1e-9;
    return f->is_slipping && v->stick_stiffness * size > near * touch_kept(v, m) * f->push;
}
