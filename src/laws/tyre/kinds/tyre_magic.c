// SPDX-License-Identifier: MIT
// The Magic Formula of property files, versions 5.2, 6.1 and 6.2 (tyre.45 .. tyre.61), on a wheel that may stand still:
// no slip is divided by nothing, offsets and moments fade below a speed, and slips follow over a length.
#include "laws/tyre/magic.h"
#include "laws/tyre/magic_keys.h"
#include "laws/tyre/wheel.h"
#include <stddef.h>

typedef struct {
    magic_formula formula;
    bool is_mirrored, is_soft; // forces along the ground make it softer
    bool lags;
    double slow;        // m/s, below it offsets and moments fade
    double damping;     // s, of the tread over its stiffness
    double spring[2];   // N/m, N/m2, along the normal
    double range[4][2]; // of the data: slip, slip angle, sine of the camber, load
} magic_tyre;

// ---- slips ---------------------------------------------------------------------------------------------------------

// Slips are at most that: a wheel that spins on the spot slides, and the curves end flat.
static const double steepest = 1e3;

typedef struct {
    dual along;  // m/s, of the contact over the ground
    dual speed;  // its size
    dual fading; // 0 at standstill, 1 from the slow speed on
    dual lively; // the same by all that moves against the ground
    dual part;   // that over the slow speed, at most 1
} speeds;

static dual fade(const magic_tyre *m, dual speed)
{
    static const double half_turn = 3.141592653589793;
    if (!(speed.v < m->slow)) {
        return dual_of(1.0);
    }
    dual wave = dual_cos(dual_scale(half_turn / m->slow, speed));
    return dual_scale(0.5, dual_sub(dual_of(1.0), wave));
}

static speeds speeds_of(const magic_tyre *m, const dual *patch_state)
{
    speeds s;
    s.along = dual_add(patch_state[PATCH_SLIP_X], patch_state[PATCH_ROLL]);
    s.speed = dual_abs(s.along);
    s.fading = fade(m, s.speed);
    dual sliding = dual_hypot(patch_state[PATCH_SLIP_X], patch_state[PATCH_SLIP_Y]);
    dual motion = dual_hypot(s.along, sliding);
    s.lively = fade(m, motion);
    s.part = dual_min(dual_scale(1.0 / m->slow, motion), dual_of(1.0));
    return s;
}

// All but the slips.
static magic_state state_of(const magic_tyre *m, const dual *patch_state, const speeds *s, dual spin,
                            dual load, double friction)
{
    double side = m->is_mirrored ? -1.0 : 1.0;
    dual over_ground = dual_max(dual_hypot(s->along, patch_state[PATCH_SLIP_Y]), dual_of(m->slow));
    // the wheel spins about an axis that leans: that part of its turning is camber
    dual leaning = dual_mul(spin, patch_state[PATCH_CAMBER]);
    dual yaw = dual_sub(patch_state[PATCH_TURN], leaning);
    return (magic_state){ .sin_gamma = dual_scale(side, patch_state[PATCH_CAMBER]),
                          .load = load,
                          .speed = s->along,
                          .rolls = s->along.v < 0.0 ? dual_neg(s->fading) : s->fading,
                          .turn_slip = dual_scale(side, dual_div(yaw, over_ground)),
                          .camber_spin = dual_scale(side, dual_div(leaning, over_ground)),
                          .friction = friction,
                          .wants_zero = s->fading.v < 1.0 };
}

// Slips of the motion itself, along and across with the signs of their forces; `least`: their denominator, m/s.
static void slips_at_once(const dual *patch_state, dual least, dual slip[2])
{
    for (int i = 0; i < 2; i++) {
        slip[i] = dual_neg(dual_div(patch_state[PATCH_SLIP_X + i], least));
    }
}

// Slips that follow the motion over a length (tyre.61): deflections u with u' = -v - speed u/sigma, slip u/sigma. Slow
// wheels slide from one and a half critical slips on, and are damped.
static void slips_that_lag(const magic_tyre *m, const dual *patch_state, const speeds *s,
                           const magic_lag *lag, tyre_answer *out, dual slip[2], dual damper[2])
{
    static const double of_critical = 1.5, gathers = 5e-3, edge = 1e-9; // 1, s, 1
    dual part[2], used[2], rate[2];
    double free[2];
    bool rests = out->h == HUGE_VAL;
    dual wide = dual_mul(dual_mul(s->lively, s->lively), dual_mul(s->lively, s->lively));
    for (int i = 0; i < 2; i++) {
        dual v = patch_state[PATCH_SLIP_X + i], sigma = lag->sigma[i];
        if (rests) {
            slip[i] = s->speed.v > 0.0 ? dual_neg(dual_div(v, s->speed))
                                       : dual_of(v.v == 0.0 ? 0.0 : -copysign(steepest, v.v));
        } else {
            dual below = dual_add_scaled(sigma, 0.5 * out->h, s->speed);
            slip[i] = dual_div(dual_shift(dual_scale(-0.5 * out->h, v), out->from[i]), below);
        }
        free[i] = slip[i].v * sigma.v;
        dual low = dual_scale(of_critical, lag->critical[i]);
        dual most = dual_add(dual_add(low, s->part), dual_scale(steepest, wide));
        part[i] = dual_div(slip[i], most);
        used[i] = dual_div(slip[i], low);
    }
    dual beyond = dual_hypot(part[0], part[1]);
    // a tread that slides has no damper
    dual sticks = dual_sub(dual_of(1.0), dual_add(dual_mul(used[0], used[0]), dual_mul(used[1], used[1])));
    dual share = dual_mul(dual_sub(dual_of(1.0), s->lively), dual_max(sticks, dual_of(0.0)));
    double outwards = 0.0;
    for (int i = 0; i < 2; i++) {
        slip[i] = beyond.v > 1.0 ? dual_div(slip[i], beyond) : slip[i];
        rate[i] = dual_neg(dual_add(patch_state[PATCH_SLIP_X + i], dual_mul(s->speed, slip[i])));
        outwards += part[i].v * rate[i].v / lag->sigma[i].v;
        damper[i] = dual_of(0.0);
        if (beyond.v <= 1.0 && share.v > 0.0) {
            dual stiffness = dual_div(lag->stiffness[i], lag->sigma[i]);
            damper[i] = dual_scale(m->damping, dual_mul(dual_mul(share, stiffness), rate[i]));
        }
    }
    // held back, a deflection stays at the end of its range; an explicit scheme is drawn to it
    bool is_held = rests || (beyond.v > 1.0 - edge && outwards > 0.0);
    for (int i = 0; i < 2; i++) {
        out->deflection[i] = slip[i].v * lag->sigma[i].v;
        out->rate[i] = is_held ? 0.0 : rate[i].v;
        out->rate[i] -= out->h > 0.0 ? 0.0 : (free[i] - out->deflection[i]) / gathers;
    }
}

// ---- the law -------------------------------------------------------------------------------------------------------

// Everything at a load; `force`: what the formula gives.
static void answer_for(const magic_tyre *m, const dual *patch_state, const speeds *s, const magic_lag *lag,
                       double friction, tyre_answer *out, dual force[2])
{
    double side = m->is_mirrored ? -1.0 : 1.0;
    magic_state state = state_of(m, patch_state, s, out->spin, out->load, friction);
    dual slip[2], damper[2] = { dual_of(0.0), dual_of(0.0) };
    if (m->lags) {
        slips_that_lag(m, patch_state, s, lag, out, slip, damper);
    } else {
        slips_at_once(patch_state, dual_max(s->speed, dual_of(m->slow)), slip);
    }
    state.kappa = slip[0];
    state.tan_alpha = dual_scale(-side, slip[1]);
    magic_force f;
    magic_eval(&m->formula, &state, &f);
    dual zero[2] = { f.zero_x, dual_scale(side, f.zero_y) };
    force[0] = f.fx;
    force[1] = dual_scale(side, f.fy);
    out->tread.limit[0] = dual_abs(dual_mul(f.mu_x, out->load));
    out->tread.limit[1] = dual_abs(dual_mul(f.mu_y, out->load));
    out->tread.give = dual_of(1.0);
    for (int i = 0; i < 2; i++) {
        dual fades = dual_mul(dual_sub(dual_of(1.0), s->fading), zero[i]);
        out->tread.drive[i] = dual_add(dual_sub(force[i], fades), damper[i]);
    }
    // the moment about y is one about the axis and one about the normal
    dual c = patch_state[PATCH_CAMBER],
         upright = dual_sqrt(dual_max(dual_sub(dual_of(1.0), dual_mul(c, c)), dual_of(1e-6)));
    out->roll = dual_div(f.my, upright);
    out->turn = dual_sub(dual_scale(side, dual_mul(s->fading, f.mz)), dual_mul(out->roll, c));
    out->tip = dual_scale(side, dual_mul(s->fading, f.mx));
    out->slip[0] = slip[0].v;
    out->slip[1] = math_atan(slip[1].v);
}

static void magic_law(const void *data, const dual *patch_state, double friction, tyre_answer *out)
{
    // forces change the load by a few per cent at most, and each pass leaves a tenth of that
    enum { PASSES = 2 };
    const magic_tyre *m = data;
    out->tread.give = dual_of(1.0);
    if (!(out->load.v > 0.0) || !(friction > 0.0)) {
        return;
    }
    speeds s = speeds_of(m, patch_state);
    dual load = out->load, depth = patch_state[PATCH_DEPTH], force[2];
    magic_lag lag;
    if (m->lags) {
        // lengths of the load of the spring alone: those of the last pass would not fit the deflection of the first
        magic_state state = state_of(m, patch_state, &s, out->spin, load, friction);
        magic_relax(&m->formula, &state, &lag);
    }
    dual spring = dual_mul(depth, dual_shift(dual_scale(m->spring[1], depth), m->spring[0]));
    for (int k = 0; k < PASSES && m->is_soft && depth.v > 0.0; k++) {
        answer_for(m, patch_state, &s, &lag, friction, out, force);
        dual softer =
            dual_scale(out->soft, dual_mul(spring, magic_softer(&m->formula, depth, force[0], force[1])));
        out->load = dual_max(dual_sub(load, softer), dual_scale(0.1, load));
    }
    answer_for(m, patch_state, &s, &lag, friction, out, force);
}

// ---- compile -------------------------------------------------------------------------------------------------------

static bool formula_is_good(plan *p, int element, const bi_tyre_magic_def *d)
{
    const bi_magic_formula *s = &d->formula;
    bool is_good = s->UNLOADED_RADIUS > 0.0 && s->FNOMIN > 0.0 && s->LONGVL > 0.0 && s->LFZO > 0.0 &&
                   s->LMUX > 0.0 && s->LMUY > 0.0 && d->wheel.stiffness > 0.0;
    if (!(s->UNLOADED_RADIUS > 0.0 && s->FNOMIN > 0.0 && s->LONGVL > 0.0)) {
        plan_complain(p, element, "FNOMIN", "UNLOADED_RADIUS, FNOMIN and LONGVL must be positive");
    }
    if (!(s->LFZO > 0.0 && s->LMUX > 0.0 && s->LMUY > 0.0)) {
        plan_complain(
            p, element, "LFZO",
            "LFZO, LMUX and LMUY must be positive: programs in C begin with bi_magic_formula_default()");
    }
    if (s->PCX1 == 0.0 || s->PDX1 == 0.0 || s->PKX1 == 0.0 || s->PCY1 == 0.0 || s->PDY1 == 0.0 ||
        s->PKY1 == 0.0 || s->PKY2 == 0.0) {
        plan_complain(
            p, element, "PCX1",
            "PCX1, PDX1, PKX1, PCY1, PDY1, PKY1 and PKY2 must not be zero: without them there is no curve");
    }
    double steep = d->wheel.stiffness * s->UNLOADED_RADIUS / s->FNOMIN;
    if (is_good && s->FITTYP >= 60.0 && 4.0 * s->Q_FZ2 > steep * steep) {
        plan_complain(p, element, "Q_FZ2",
                      "is too large for this stiffness: (stiffness UNLOADED_RADIUS/FNOMIN)^2 "
                      "must be at least 4 Q_FZ2");
    }
    if (s->BOTTOM_STIFF > 0.0 && !(s->UNLOADED_RADIUS > s->RIM_RADIUS + s->BOTTOM_OFFST)) {
        plan_complain(p, element, "BOTTOM_OFFST", "the rim and BOTTOM_OFFST leave no tyre to press through");
    }
    if (s->FITTYP != 5.0 && s->FITTYP != 6.0 && s->FITTYP != 21.0 && s->FITTYP != 52.0 &&
        !(s->FITTYP >= 60.0 && s->FITTYP <= 62.0)) {
        plan_complain(p, element, "FITTYP", "must be 5, 6, 21 or 52 (version 5.2), or 60, 61 or 62 (6.x)");
    }
    return is_good;
}

// What the definition says, or else the tens of USE_MODE.
static bool slips_lag(const bi_tyre_magic_def *d)
{
    int tens = (int)(fabs(d->formula.USE_MODE) / 10.0) % 10;
    return d->relaxation > 0 ? d->relaxation == 2 : tens > 0;
}

// A tyre of the other side; a negative USE_MODE of version 5 says so, too.
static bool is_mirrored(const bi_tyre_magic_def *d)
{
    bool is_other = d->side > 1 && d->tyre_side > 1 && d->side != d->tyre_side;
    return is_other != (d->formula.USE_MODE < 0.0);
}

static void magic_compile(plan *p, int element, const void *def, wheel *out)
{
    static const double usual_damping = 0.01;
    const bi_tyre_magic_def *d = def;
    const bi_magic_formula *set = &d->formula;
    wheel_compile(p, element, &d->wheel, out);
    magic_tyre *data = plan_keep(p, sizeof *data);
    out->data = data;
    if (!formula_is_good(p, element, d) || !data) {
        return;
    }
    *data = (magic_tyre){ .formula = magic_make(set, !d->unclamped),
                          .is_mirrored = is_mirrored(d),
                          .is_soft = set->Q_FCX != 0.0 || set->Q_FCY != 0.0,
                          .lags = slips_lag(d),
                          .slow = d->slow_speed > 0.0 ? d->slow_speed : 1.0,
                          .damping = d->tread_damping > 0.0 ? d->tread_damping : usual_damping };
    tyre_spring own;
    out->tells_law = true;
    if (d->wheel.rim_radius > 0.0) {
        plan_complain(
            p, element, "rim_radius",
            "a Magic Formula has keys of its own for it: RIM_RADIUS, BOTTOM_OFFST and BOTTOM_STIFF");
    }
    magic_wheel(&data->formula, d->wheel.stiffness, &own, &out->shape.law);
    own.damping = d->wheel.damping;
    own.damping_2 = d->wheel.damping_2;
    own.stiffness_2 += d->wheel.stiffness_2;
    out->spring = own;
    data->spring[0] = own.stiffness;
    data->spring[1] = own.stiffness_2;
    data->range[0][0] = set->KPUMIN;
    data->range[0][1] = set->KPUMAX;
    data->range[1][0] = set->ALPMIN;
    data->range[1][1] = set->ALPMAX;
    data->range[2][0] = math_sin(fmax(set->CAMMIN, -1.57));
    data->range[2][1] = math_sin(fmin(set->CAMMAX, 1.57));
    data->range[3][0] = set->FZMIN;
    data->range[3][1] = set->FZMAX;
    out->range = (const double(*)[2])data->range;
    out->shape.ring += set->UNLOADED_RADIUS * (data->formula.set.Q_RE0 - 1.0);
    if (data->lags) {
        double x = data->formula.set.LONGITUDINAL_STIFFNESS, y = data->formula.set.LATERAL_STIFFNESS;
        magic_lag lag;
        magic_state nominal = { .load = dual_of(set->FNOMIN),
                                .speed = dual_of(set->LONGVL),
                                .friction = 1.0 };
        magic_relax(&data->formula, &nominal, &lag);
        out->lags = true;
        out->holds[0] = lag.critical[0].v * lag.sigma[0].v;
        out->holds[1] = lag.critical[1].v * lag.sigma[1].v;
        wheel_deflects(p, &(bi_carcass){ x, data->damping * x, y, data->damping * y, 0.0 }, out);
    }
}

#define OTHER_FIELD(key, unit, missing, rules, help)                                                         \
    { #key, BI_FIELD_NUMBER, offsetof(bi_tyre_magic_def, formula.key), unit, rules, help " (.tir)" },
#define PLAIN_FIELD(key, what)                                                                               \
    { #key, BI_FIELD_NUMBER, offsetof(bi_tyre_magic_def, formula.key), "1", 0, what " (.tir)" },
#define SCALE_FIELD(key)                                                                                     \
    { #key, BI_FIELD_NUMBER,   offsetof(bi_tyre_magic_def, formula.key),                                     \
      "1",  BI_ONE_IS_DEFAULT, "scale factor (.tir, default 1)" },
#define VERTICAL_FIELD(key) PLAIN_FIELD(key, "vertical coefficient")
#define TRANSIENT_FIELD(key) PLAIN_FIELD(key, "coefficient of relaxation")
#define ALONG_FIELD(key) PLAIN_FIELD(key, "longitudinal coefficient")
#define ACROSS_FIELD(key) PLAIN_FIELD(key, "lateral coefficient")
#define OVERTURNING_FIELD(key) PLAIN_FIELD(key, "overturning coefficient")
#define ROLLING_FIELD(key) PLAIN_FIELD(key, "rolling coefficient")
#define ALIGNING_FIELD(key) PLAIN_FIELD(key, "aligning coefficient")
#define TURN_SLIP_FIELD(key) PLAIN_FIELD(key, "turn slip coefficient")

static const bi_field fields[] = {
    TYRE_COMMON_FIELDS(bi_tyre_magic_def),
    { "relaxation", BI_FIELD_CHOICE, offsetof(bi_tyre_magic_def, relaxation), "steady,linear", 0,
      "steady: forces follow the slips at once and a parked wheel creeps; linear: slips lag over a length, a "
      "parked "
      "wheel holds (default: as the tens of USE_MODE say, 0 or more)" },
    { "tread_damping", BI_FIELD_NUMBER, offsetof(bi_tyre_magic_def, tread_damping), "s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "damping of the tread at standstill over its stiffness (default 0.01 s)" },
    { "side", BI_FIELD_CHOICE, offsetof(bi_tyre_magic_def, side), "as-data,left,right", 0,
      "where the wheel is mounted (default as-data): mirrored when tyre_side is the other one" },
    { "tyre_side", BI_FIELD_CHOICE, offsetof(bi_tyre_magic_def, tyre_side), "symmetric,left,right", 0,
      "the side that the data are of (default symmetric; TYRESIDE of a .tir file)" },
    { "slow_speed", BI_FIELD_NUMBER, offsetof(bi_tyre_magic_def, slow_speed), "m/s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "below it offsets and moments fade; steady: slips count against it (default 1 m/s; VXLOW)" },
    { "unclamped", BI_FIELD_FLAG, offsetof(bi_tyre_magic_def, unclamped), NULL, 0,
      "slips, camber, load and pressure beyond the ranges of the data count as they are (default false)" },
    MAGIC_OTHERS(OTHER_FIELD) MAGIC_VERTICAL(VERTICAL_FIELD) MAGIC_TRANSIENT(TRANSIENT_FIELD)
        MAGIC_SCALES(SCALE_FIELD) MAGIC_ALONG(ALONG_FIELD) MAGIC_ACROSS(ACROSS_FIELD)
            MAGIC_OVERTURNING(OVERTURNING_FIELD) MAGIC_ROLLING(ROLLING_FIELD) MAGIC_ALIGNING(ALIGNING_FIELD)
                MAGIC_TURN_SLIP(TURN_SLIP_FIELD)
};

// every number of the public struct has its key
#define COUNT_OTHER(key, unit, missing, rules, help) +1
#define COUNT_PLAIN(key) +1
enum {
    N_MAGIC_KEYS = 0 MAGIC_OTHERS(COUNT_OTHER) MAGIC_VERTICAL(COUNT_PLAIN) MAGIC_TRANSIENT(COUNT_PLAIN)
        MAGIC_SCALES(COUNT_PLAIN) MAGIC_ALONG(COUNT_PLAIN) MAGIC_ACROSS(COUNT_PLAIN)
            MAGIC_OVERTURNING(COUNT_PLAIN) MAGIC_ROLLING(COUNT_PLAIN) MAGIC_ALIGNING(COUNT_PLAIN)
                MAGIC_TURN_SLIP(COUNT_PLAIN)
};
_Static_assert(sizeof(bi_magic_formula) == N_MAGIC_KEYS * sizeof(double), "a key is missing");

static const bi_kind schema = { "forces",
                                "tyre-magic",
                                sizeof(bi_tyre_magic_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "a wheel on its tyre: Magic Formula 5.2, 6.1 or 6.2, keys as in .tir files" };
TYRE(tyre_magic, magic_law, magic_compile, schema)

#ifndef TYRE_VALUES
bi_magic_formula bi_magic_formula_default(void)
{
    bi_magic_formula out = { 0 };
#define SET_OTHER(key, unit, missing, rules, help) out.key = missing;
#define SET_SCALE(key) out.key = 1.0;
    MAGIC_OTHERS(SET_OTHER)
    MAGIC_SCALES(SET_SCALE)
    return out;
}
#endif
