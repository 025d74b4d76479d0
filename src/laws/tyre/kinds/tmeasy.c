// SPDX-License-Identifier: MIT
// TMeasy (tyre.28 .. tyre.32): curves by their slope at no slip, their peak and their sliding value in both directions,
// for two loads; both directions meet in one generalised slip.
#include "laws/tyre/wheel.h"
#include <stddef.h>

// One direction at one load: slope N, peak N at a slip, sliding force N from a slip on.
typedef struct {
    double slope, peak, peak_slip, slide, slide_slip;
} curve;

typedef struct {
    curve at[2][2]; // direction, load: nominal and twice that
    double nominal; // N
    double standstill;
    double trail, trail_zero, trail_end; // over the length of the patch; slips where it vanishes and ends
    double radius;
} tmeasy;

// ---- curves at a load ----------------------------------------------------------------------------------------------

typedef struct {
    dual slope, peak, peak_slip, slide, slide_slip;
} load_curve;

// A parabola through no load, nominal load and twice that (tyre.28).
static dual by_load(double at_1, double at_2, dual ratio)
{
    return dual_mul(ratio, dual_shift(dual_scale(0.5 * at_2 - at_1, ratio), 2.0 * at_1 - 0.5 * at_2));
}

// Slips go with the load along a line, kept positive.
static dual slip_by_load(double at_1, double at_2, dual ratio)
{
    return dual_max(dual_shift(dual_scale(at_2 - at_1, ratio), 2.0 * at_1 - at_2),
                    dual_of(0.1 * fmin(at_1, at_2)));
}

// Beyond three times the nominal load the parabolas may turn down: there the ratio stays.
TYRE_PART load_curve curve_at(const curve c[2], dual ratio, double friction)
{
    load_curve out;
    out.slope = by_load(c[0].slope, c[1].slope, ratio);
    out.peak = dual_scale(friction, by_load(c[0].peak, c[1].peak, ratio));
    out.slide = dual_scale(friction, by_load(c[0].slide, c[1].slide, ratio));
    out.peak_slip = dual_scale(friction, slip_by_load(c[0].peak_slip, c[1].peak_slip, ratio));
    out.slide_slip = dual_scale(friction, slip_by_load(c[0].slide_slip, c[1].slide_slip, ratio));
    return out;
}

// Both directions in one: lengths in the direction of the slip (tyre.30).
TYRE_PART dual mixed(dual x, dual y, const dual way[2])
{
    return dual_hypot(dual_mul(x, way[0]), dual_mul(y, way[1]));
}

// Force over slip: a rational curve to the peak, a cubic to sliding, then constant (tyre.31).
TYRE_PART dual secant_at(const load_curve *c, dual slip)
{
    if (slip.v <= c->peak_slip.v) {
        dual s = dual_div(slip, c->peak_slip);
        dual steep = dual_shift(dual_div(dual_mul(c->slope, c->peak_slip), c->peak), -2.0);
        return dual_div(c->slope, dual_shift(dual_mul(s, dual_add(s, steep)), 1.0));
    }
    if (slip.v < c->slide_slip.v) {
        dual s = dual_div(dual_sub(slip, c->peak_slip), dual_sub(c->slide_slip, c->peak_slip));
        dual fall = dual_mul(dual_mul(s, s), dual_shift(dual_scale(-2.0, s), 3.0));
        return dual_div(dual_sub(c->peak, dual_mul(dual_sub(c->peak, c->slide), fall)), slip);
    }
    return dual_div(c->slide, slip);
}

// ---- the law -------------------------------------------------------------------------------------------------------

// The pneumatic trail over the length of the patch (tyre.32).
TYRE_PART dual trail_at(const tmeasy *t, dual slip)
{
    double share = t->trail_zero / t->trail_end;
    dual s = dual_scale(1.0 / t->trail_zero, dual_abs(slip));
    if (s.v <= 1.0) {
        dual cubic = dual_mul(dual_mul(s, s), dual_shift(dual_scale(2.0, s), -3.0));
        dual line = dual_scale(1.0 - share, dual_shift(dual_neg(s), 1.0));
        return dual_scale(t->trail, dual_add(line, dual_scale(share, dual_shift(cubic, 1.0))));
    }
    double end = t->trail_end / t->trail_zero;
    if (s.v >= end) {
        return dual_of(0.0);
    }
    dual left = dual_scale(1.0 / (end - 1.0), dual_shift(dual_neg(s), end));
    return dual_scale(-t->trail * (1.0 - share), dual_mul(dual_shift(s, -1.0), dual_mul(left, left)));
}

// Both curves in one, along the direction of the slip.
TYRE_PART load_curve both_at(const load_curve c[2], const dual held[2], const dual weight[2],
                             const dual way[2])
{
    return (
        load_curve){ mixed(held[0], held[1], way), mixed(c[0].peak, c[1].peak, way),
                     mixed(dual_div(c[0].peak_slip, weight[0]), dual_div(c[1].peak_slip, weight[1]), way),
                     mixed(c[0].slide, c[1].slide, way),
                     mixed(dual_div(c[0].slide_slip, weight[0]), dual_div(c[1].slide_slip, weight[1]), way) };
}

// Steady side force times trail; the patch is 2 sqrt(r depth) long.
TYRE_PART dual turn_of(const tmeasy *t, const dual *patch_state, dual give, dual drive)
{
    dual side = dual_div(drive, give);
    dual depth = dual_max(patch_state[PATCH_DEPTH], dual_of(0.0));
    dual length = dual_scale(2.0 * sqrt(t->radius), dual_sqrt(depth));
    dual across = dual_div(patch_state[PATCH_SLIP_Y], give);
    return dual_neg(dual_mul(dual_mul(length, trail_at(t, across)), side));
}

static void tmeasy_law(const void *data, const dual *patch_state, double friction, tyre_answer *out)
{
    static const double shown = 1e-2, least = 1e-30, most_slip = 1e6, most_load = 3.0;
    const tmeasy *t = data;
    dual load = out->load;
    dual give = dual_shift(dual_abs(patch_state[PATCH_ROLL]), t->standstill + least);
    if (!(load.v > 0.0) || !(friction > 0.0)) {
        out->tread.give = give;
        return;
    }
    dual ratio = dual_min(dual_scale(1.0 / t->nominal, load), dual_of(most_load));
    load_curve c[2] = { curve_at(t->at[0], ratio, friction), curve_at(t->at[1], ratio, friction) };

    // weights of the two slips (tyre.29)
    dual slips = dual_add(c[0].peak_slip, c[1].peak_slip), reach[2], weight[2], norm[2];
    for (int i = 0; i < 2; i++) {
        reach[i] = dual_div(c[i].peak, c[i].slope);
    }
    dual reaches = dual_add(reach[0], reach[1]);
    for (int i = 0; i < 2; i++) {
        weight[i] = dual_add(dual_div(c[i].peak_slip, slips), dual_div(reach[i], reaches));
        norm[i] = dual_div(patch_state[PATCH_SLIP_X + i], weight[i]);
    }
    dual speed = dual_hypot(norm[0], norm[1]);
    give = dual_max(give, dual_scale(1.0 / most_slip, speed));
    dual slip = dual_div(speed, give);

    // one curve in the direction of the slip; at rest each direction has its own slope
    bool is_moving = speed.v > 0.0;
    dual held[2] = { dual_mul(c[0].slope, weight[0]), dual_mul(c[1].slope, weight[1]) };
    if (is_moving) {
        dual way[2] = { dual_div(norm[0], speed), dual_div(norm[1], speed) };
        load_curve both = both_at(c, held, weight, way);
        held[0] = held[1] = secant_at(&both, slip);
    }
    out->tread.give = give;
    dual limit = dual_max(c[0].peak, c[1].peak);
    for (int i = 0; i < 2; i++) {
        out->tread.hold[i] = dual_div(held[i], weight[i]);
        out->tread.drive[i] = dual_neg(dual_mul(out->tread.hold[i], patch_state[PATCH_SLIP_X + i]));
        out->tread.limit[i] = limit;
        out->slip[i] = -patch_state[PATCH_SLIP_X + i].v / fmax(give.v, shown);
    }
    if (t->trail > 0.0) {
        out->turn = turn_of(t, patch_state, give, out->tread.drive[1]);
    }
}

// ---- compile -------------------------------------------------------------------------------------------------------

// slope, peak, slip of the peak, sliding, slip of sliding: at the nominal load, then at twice that
static void take_curve(plan *p, int element, const char *key, const bi_numbers *n, curve out[2])
{
    for (int k = 0; k < 2; k++) {
        const double *v = &n->value[n->count == 10 ? 5 * k : 0];
        // one load only: forces and slopes in proportion to it
        double more = n->count == 10 || k == 0 ? 1.0 : 2.0;
        out[k] = (curve){ more * v[0], more * v[1], v[2], more * v[3], v[4] };
        const curve *c = &out[k];
        if (k == 1 && n->count != 10) {
            continue;
        }
        if (!(c->slope > 0.0 && c->peak > 0.0 && c->slide > 0.0 && c->peak_slip > 0.0)) {
            plan_complain(p, element, key, "slope, forces and slips must be positive");
        } else if (!(c->slide_slip > c->peak_slip)) {
            plan_complain(p, element, key, "it must slide beyond the slip of the peak");
        } else if (!(c->slope * c->peak_slip > c->peak) || !(c->slide <= c->peak)) {
            plan_complain(p, element, key,
                          "no such curve: the slope at no slip must lead above the peak, and sliding must "
                          "not exceed it");
        }
    }
}

static void tmeasy_compile(plan *p, int element, const void *def, wheel *out)
{
    const bi_tyre_tmeasy_def *d = def;
    wheel_compile(p, element, &d->wheel, out);
    tmeasy *data = plan_keep(p, sizeof *data);
    if (data) {
        *data = (tmeasy){ .nominal = d->nominal_load,
                          .standstill = d->carcass.standstill_speed,
                          .trail = d->trail,
                          .trail_zero = d->trail_slip > 0.0 ? d->trail_slip : 0.2,
                          .trail_end = d->trail_end > 0.0 ? d->trail_end : 0.4,
                          .radius = d->wheel.radius };
        take_curve(p, element, "longitudinal", &d->longitudinal, data->at[0]);
        take_curve(p, element, "lateral", &d->lateral, data->at[1]);
        if (!(data->trail_end > data->trail_zero)) {
            plan_complain(p, element, "trail_end", "must be larger than trail_slip");
        }
    }
    out->data = data;
    wheel_deflects(p, &d->carcass, out);
}

static const bi_field fields[] = {
    TYRE_COMMON_FIELDS(bi_tyre_tmeasy_def),
    { "nominal_load", BI_FIELD_NUMBER, offsetof(bi_tyre_tmeasy_def, nominal_load), "N",
      BI_REQUIRED | BI_POSITIVE, "load of the first five numbers" },
    { "longitudinal", BI_FIELD_NUMBERS, offsetof(bi_tyre_tmeasy_def, longitudinal), "5|10", BI_REQUIRED,
      "slope N, peak N, its slip, sliding N, its slip; then the same at twice the load (default: in "
      "proportion)" },
    { "lateral", BI_FIELD_NUMBERS, offsetof(bi_tyre_tmeasy_def, lateral), "5|10", BI_REQUIRED,
      "the same across" },
    { "trail", BI_FIELD_NUMBER, offsetof(bi_tyre_tmeasy_def, trail), "1", BI_NOT_NEGATIVE,
      "pneumatic trail over length of the patch at no slip (default 0: no aligning moment)" },
    { "trail_slip", BI_FIELD_NUMBER, offsetof(bi_tyre_tmeasy_def, trail_slip), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "slip at which it changes sign (default 0.2)" },
    { "trail_end", BI_FIELD_NUMBER, offsetof(bi_tyre_tmeasy_def, trail_end), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "slip from which it is gone (default 0.4)" },
    TYRE_CARCASS_FIELDS(bi_tyre_tmeasy_def, BI_REQUIRED | BI_POSITIVE),
};
static const bi_kind schema = { "forces",
                                "tyre-tmeasy",
                                sizeof(bi_tyre_tmeasy_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "a wheel on its tyre: TMeasy, both directions combined" };
TYRE(tyre_tmeasy, tmeasy_law, tmeasy_compile, schema)
