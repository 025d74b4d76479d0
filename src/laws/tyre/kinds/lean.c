// SPDX-License-Identifier: MIT
// The tyre of a bicycle (tyre.33 .. tyre.36): linear in both slips up to a critical one, cut at the ellipse of
// friction.
#include "laws/tyre/wheel.h"
#include <stddef.h>

typedef enum { SLIP_OF_PATCH, SLIP_OF_CENTRE } slip_source;

typedef struct {
    double friction[2], critical[2]; // along, across; critical slip, critical angle in rad
    double least;                    // m/s, least denominator
    slip_source source;
    bool has_carcass;
    double standstill;
    double nominal, exponent; // N; of the load in the limits, 1: proportional
} lean;

static dual cut(dual x) { return x.v > 1.0 ? dual_of(1.0) : x.v < -1.0 ? dual_of(-1.0) : x; }

// The load as friction counts it: adhesion grows less than the load (tyre.36). Near zero load the exponent is softened.
static dual grip_load(const lean *l, dual load)
{
    static const double soft = 0.01;
    if (l->exponent == 1.0 || !(load.v > 0.0)) {
        return load;
    }
    double share = (load.v / l->nominal + soft) / (1.0 + soft), factor = math_pow(share, l->exponent - 1.0);
    double slope = (l->exponent - 1.0) * factor / share / (l->nominal * (1.0 + soft));
    return dual_chain(load.v * factor, factor + load.v * slope, load);
}

static void lean_law(const void *data, const dual *patch_state, double friction, tyre_answer *out)
{
    const lean *l = data;
    dual speed = dual_max(dual_abs(patch_state[PATCH_TRAVEL]), dual_of(l->least));
    dual across = l->source == SLIP_OF_CENTRE ? patch_state[PATCH_DRIFT] : patch_state[PATCH_SLIP_Y];
    dual slip = dual_neg(dual_div(patch_state[PATCH_SLIP_X], speed)),
         angle = dual_neg(dual_atan(dual_div(across, speed)));
    dual load = grip_load(l, out->load);
    dual most[2] = { dual_scale(l->friction[0] * friction, load),
                     dual_scale(l->friction[1] * friction, load) };
    out->slip[0] = slip.v;
    out->slip[1] = angle.v;
    out->tread.limit[0] = most[0];
    out->tread.limit[1] = most[1];
    if (l->has_carcass) {
        // the tread rolls away with the larger of both speeds (tyre.35)
        dual roll = dual_max(dual_abs(patch_state[PATCH_ROLL]), dual_abs(patch_state[PATCH_TRAVEL]));
        out->tread.give = dual_shift(roll, l->standstill);
        for (int i = 0; i < 2; i++) {
            out->tread.hold[i] = dual_scale(1.0 / l->critical[i], most[i]);
            out->tread.drive[i] =
                dual_neg(dual_mul(out->tread.hold[i], i == 0 ? patch_state[PATCH_SLIP_X] : across));
        }
        return;
    }
    dual part[2] = { cut(dual_scale(1.0 / l->critical[0], slip)),
                     cut(dual_scale(1.0 / l->critical[1], angle)) };
    dual beyond = dual_hypot(part[0], part[1]);
    out->tread.give = dual_of(1.0);
    for (int i = 0; i < 2; i++) {
        dual share = beyond.v > 1.0 ? dual_div(part[i], beyond) : part[i];
        out->tread.drive[i] = dual_mul(most[i], share);
    }
}

static void lean_compile(plan *p, int element, const void *def, wheel *out)
{
    const bi_tyre_lean_def *d = def;
    wheel_compile(p, element, &d->wheel, out);
    out->shape.at_rim = true;
    lean *data = plan_keep(p, sizeof *data);
    if (data) {
        double side = d->friction_y > 0.0 ? d->friction_y : d->friction;
        *data = (lean){ .friction = { d->friction, side },
                        .critical = { d->critical_slip > 0.0 ? d->critical_slip : 0.1,
                                      d->critical_angle > 0.0 ? d->critical_angle : 0.1 },
                        .least = d->slow_speed > 0.0 ? d->slow_speed : 0.5,
                        .source = d->angle_of == 2 ? SLIP_OF_CENTRE : SLIP_OF_PATCH,
                        .has_carcass = wheel_has_carcass(p, element, &d->carcass),
                        .standstill = d->carcass.standstill_speed,
                        .nominal = d->nominal_load,
                        .exponent = d->load_exponent > 0.0 ? d->load_exponent : 1.0 };
        if (data->exponent != 1.0 && !(d->nominal_load > 0.0)) {
            plan_complain(p, element, "load_exponent",
                          "needs 'nominal_load', the load at which friction is as given");
        }
        if (data->has_carcass) {
            wheel_deflects(p, &d->carcass, out);
        }
    }
    out->data = data;
    out->modulus = d->contact_modulus;
}

static const bi_field fields[] = {
    TYRE_COMMON_FIELDS(bi_tyre_lean_def),
    { "friction", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, friction), "1", BI_REQUIRED | BI_NOT_NEGATIVE,
      "coefficient along" },
    { "friction_y", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, friction_y), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "coefficient across (default: the same)" },
    { "critical_slip", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, critical_slip), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "longitudinal slip of the largest force (default 0.1)" },
    { "critical_angle", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, critical_angle), "rad",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "slip angle of the largest force (default 0.1 rad)" },
    { "angle_of", BI_FIELD_CHOICE, offsetof(bi_tyre_lean_def, angle_of), "patch,centre", 0,
      "slip angle by the velocity of the patch (default) or of the wheel's centre" },
    { "slow_speed", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, slow_speed), "m/s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "slips count against this speed at least (default 0.5 m/s)" },
    { "nominal_load", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, nominal_load), "N", BI_NOT_NEGATIVE,
      "load at which friction is as given, with load_exponent" },
    { "load_exponent", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, load_exponent), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "the largest forces go with load^exponent, such as 0.9 (default 1: in proportion)" },
    { "contact_modulus", BI_FIELD_NUMBER, offsetof(bi_tyre_lean_def, contact_modulus), "Pa", BI_NOT_NEGATIVE,
      "of tyre and ground together: tells the ellipse and pressure of contact (default: not told)" },
    TYRE_CARCASS_FIELDS(bi_tyre_lean_def, BI_NOT_NEGATIVE),
};
static const bi_kind schema = { "forces",
                                "tyre-lean",
                                sizeof(bi_tyre_lean_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "a wheel that leans on its tyre: bicycles and motorcycles" };
TYRE(tyre_lean, lean_law, lean_compile, schema)
