// SPDX-License-Identifier: MIT
// Moments at one place of contact against rolling and spinning, by springs that remember (touch.7, touch.8).
#include "laws/contact/roll.h"
#include "math/rotation.h"
#include <math.h>

// ---- how far it has turned -------------------------------------------------------------------------------------

// The axis of a turn D times twice the sine of half its angle; the cosine comes with it.
static vec3 chord(mat3 D, double *cosine)
{
    double trace = D.col[0].x + D.col[1].y + D.col[2].z;
    vec3 twice = { D.col[1].z - D.col[2].y, D.col[2].x - D.col[0].z, D.col[0].y - D.col[1].x };
    *cosine = 0.5 * sqrt(fmax(1.0 + trace, 1e-8)); // half a turn within a step: any axis will do
    return vec3_scale(0.5 / *cosine, twice);
}

roll_motion roll_of(const double *slot, const pair_motion *m, vec3 normal)
{
    roll_motion t = {
        .normal = normal, .spin = vec3_sub(m->spin[0], m->spin[1]), .cosine = 1.0, .is_held = slot != NULL
    };
    if (slot) {
        mat3 then = quat_to_mat3((quat){ slot[0], slot[1], slot[2], slot[3] });
        mat3 turned = mat3_multiply(m->rot[0], mat3_transposed(mat3_multiply(m->rot[1], then)));
        t.stretch = chord(turned, &t.cosine);
    }
    return t;
}

vec3 roll_stretched(const roll_motion *t, int side, vec3 turn)
{
    vec3 by = vec3_scale(t->cosine, turn), aside = vec3_scale(0.5, vec3_cross(turn, t->stretch));
    return side == 0 ? vec3_add(by, aside) : vec3_sub(aside, by);
}

void roll_remember(const pair_motion *m, vec3 kept, double *slot)
{
    vec3 half = vec3_scale(-0.5, kept);
    double cosine = sqrt(fmax(0.0, 1.0 - vec3_dot(half, half)));
    mat3 back = quat_to_mat3((quat){ cosine, half.x, half.y, half.z });
    quat then = quat_from_mat3(mat3_multiply(mat3_transposed(m->rot[1]), mat3_multiply(back, m->rot[0])));
    slot[0] = then.w;
    slot[1] = then.x;
    slot[2] = then.y;
    slot[3] = then.z;
}

// ---- the law ---------------------------------------------------------------------------------------------------

static vec3 along(vec3 n, vec3 x) { return vec3_scale(vec3_dot(n, x), n); }
static vec3 across(vec3 n, vec3 x) { return vec3_add_scaled(x, -vec3_dot(n, x), n); }

// One of the two: friction with other names, a turn for the stretch, a spin for the slip.
typedef struct {
    touch_values law;
    vec3 stretch;
    touch_rubbed rubbed;
    double most; // moment that the spring keeps, N m
    bool is_cut; // its stretch has more
} spring;

static spring spring_of(const roll_values *v, const roll_motion *t, double length, vec3 stretch, vec3 spin,
                        double push, touch_want want)
{
    spring s = { .stretch = stretch,
                 .most = length * push,
                 .law = { .rubbing = TOUCH_COULOMB,
                          .friction = length,
                          .sliding = length,
                          .stick_stiffness = length > 0.0 ? v->stiffness : 0.0,
                          .stick_damping = length > 0.0 ? v->damping : 0.0,
                          .stick_speed = INFINITY,
                          .kept = 1.0 } };
    touch_motion held = { .is_held = t->is_held };
    s.rubbed = touch_rub(&s.law, &held, stretch, spin, push, want);
    s.is_cut = s.rubbed.is_slipping && s.law.stick_stiffness * vec3_norm(stretch) > s.most;
    return s;
}

static spring rolling_of(const roll_values *v, const roll_motion *t, double push, touch_want want)
{
    return spring_of(v, t, v->rolling, across(t->normal, t->stretch), across(t->normal, t->spin), push, want);
}

static spring spinning_of(const roll_values *v, const roll_motion *t, double push, touch_want want)
{
    return spring_of(v, t, v->spinning, along(t->normal, t->stretch), along(t->normal, t->spin), push, want);
}

// What it keeps after a step: nothing where there is no spring.
static vec3 kept_by(const spring *s)
{
    double most = s->most / s->law.stick_stiffness;
    if (!(s->law.stick_stiffness > 0.0)) {
        return (vec3){ 0.0, 0.0, 0.0 };
    }
    return s->is_cut ? vec3_scale(most / vec3_norm(s->stretch), s->stretch) : s->stretch;
}

// How the part of x along n changes as n does.
static mat3 turned_along(vec3 n, vec3 x)
{
    return mat3_add(mat3_scale(vec3_dot(n, x), mat3_identity()), mat3_outer(n, x));
}

roll_moment roll_eval(const roll_values *v, const roll_motion *t, double push, touch_want want)
{
    spring roll = rolling_of(v, t, push, want), spin = spinning_of(v, t, push, want);
    const touch_rubbed *r = &roll.rubbed, *s = &spin.rubbed;
    vec3 n = t->normal;
    roll_moment out = { .moment = vec3_add(r->force, s->force),
                        .kept = vec3_add(kept_by(&roll), kept_by(&spin)),
                        .is_cut = roll.is_cut || spin.is_cut };
    out.is_cut = out.is_cut || !(v->rolling > 0.0 && v->spinning > 0.0); // the other turn is forgotten
    if (want == TOUCH_SLOPES) {
        mat3 nn = mat3_outer(n, n), plane = mat3_add(mat3_identity(), mat3_scale(-1.0, nn));
        mat3 more_by_stretch = mat3_add(s->by_stretch, mat3_scale(-1.0, r->by_stretch)),
             more_by_spin = mat3_add(s->by_slip, mat3_scale(-1.0, r->by_slip));
        out.by_stretch = mat3_add(mat3_multiply(r->by_stretch, plane), mat3_multiply(s->by_stretch, nn));
        out.by_spin = mat3_add(mat3_multiply(r->by_slip, plane), mat3_multiply(s->by_slip, nn));
        out.by_normal = mat3_add(mat3_multiply(more_by_stretch, turned_along(n, t->stretch)),
                                 mat3_multiply(more_by_spin, turned_along(n, t->spin)));
        out.by_push = vec3_add(r->by_load, s->by_load);
    }
    return out;
}

// S += part of the stiffness of a spring in its own directions, of which a cut one has one less.
static void add_resistance(const spring *s, vec3 spin, double rate, mat3 directions, mat3 *S)
{
    vec3 w = vec3_add(vec3_scale(s->law.stick_stiffness, s->stretch), vec3_scale(s->law.stick_damping, spin));
    double size = vec3_norm(w), force = vec3_norm(s->rubbed.force),
           stiff = s->law.stick_stiffness + rate * s->law.stick_damping;
    if (s->rubbed.is_slipping) {
        directions = mat3_add(directions, mat3_scale(-1.0 / (size * size), mat3_outer(w, w)));
        stiff *= force / size;
    }
    *S = mat3_add(*S, mat3_scale(stiff, directions));
}

vec3 roll_resist(const roll_values *v, const roll_motion *t, double push, double rate, mat3 *stiffness)
{
    spring roll = rolling_of(v, t, push, TOUCH_FORCE), spin = spinning_of(v, t, push, TOUCH_FORCE);
    vec3 n = t->normal;
    mat3 nn = mat3_outer(n, n), plane = mat3_add(mat3_identity(), mat3_scale(-1.0, nn));
    *stiffness = (mat3){ 0 };
    add_resistance(&roll, across(n, t->spin), rate, plane, stiffness);
    add_resistance(&spin, along(n, t->spin), rate, nn, stiffness);
    return vec3_add(roll.rubbed.force, spin.rubbed.force);
}

// ---- energy ----------------------------------------------------------------------------------------------------

double roll_energy(const roll_values *v, const roll_motion *t, double push)
{
    spring roll = rolling_of(v, t, push, TOUCH_FORCE), spin = spinning_of(v, t, push, TOUCH_FORCE);
    vec3 rolled = kept_by(&roll), spun = kept_by(&spin);
    return 0.5 * v->stiffness * (vec3_dot(rolled, rolled) + vec3_dot(spun, spun));
}

// Of one spring: with its stretch, or at its limit with the load.
static double spring_power(const spring *s, vec3 by, double load)
{
    double k = s->law.stick_stiffness;
    if (!(k > 0.0)) {
        return 0.0;
    }
    // after a step its stretch is just what it keeps
    bool is_at_limit = s->rubbed.is_slipping && k * vec3_norm(s->stretch) > (1.0 - 1e-9) * s->most;
    return is_at_limit ? s->law.friction * s->most * load / k : k * vec3_dot(s->stretch, by);
}

double roll_power(const roll_values *v, const roll_motion *t, double push, vec3 by, vec3 turn, double load)
{
    spring roll = rolling_of(v, t, push, TOUCH_FORCE), spin = spinning_of(v, t, push, TOUCH_FORCE);
    vec3 n = t->normal, shift = mat3_apply(turned_along(n, t->stretch), turn);
    return spring_power(&roll, vec3_sub(across(n, by), shift), load) +
           spring_power(&spin, vec3_add(along(n, by), shift), load);
}
