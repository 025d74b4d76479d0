// SPDX-License-Identifier: MIT
// TMeasy with linear curves (tyre.23): the force grows with the slip up to a critical slip, then stays at friction
// times load.
#include "laws/tyre/wheel.h"
#include <stddef.h>

typedef struct {
    double friction, critical; // slip where the curve bends
    double standstill;         // m/s, added to the rolling speed; 0: holds for ever
} linear;

static void linear_law(const void *data, const dual *patch_state, double friction, tyre_answer *out)
{
    // slips shown are finite at rest: below this speed they count against it, m/s
    static const double shown = 1e-2;
    const linear *l = data;
    dual most = dual_scale(l->friction * friction, out->load);
    dual give = dual_shift(dual_abs(patch_state[PATCH_ROLL]), l->standstill);
    out->tread.give = give;
    for (int i = 0; i < 2; i++) {
        dual slip = patch_state[PATCH_SLIP_X + i];
        out->tread.hold[i] = dual_scale(1.0 / l->critical, most);
        out->tread.drive[i] = dual_neg(dual_mul(out->tread.hold[i], slip));
        out->tread.limit[i] = most;
        out->slip[i] = -slip.v / fmax(give.v, shown);
    }
}

static void linear_compile(plan *p, int element, const void *def, wheel *out)
{
    const bi_tyre_linear_def *d = def;
    wheel_compile(p, element, &d->wheel, out);
    linear *data = plan_keep(p, sizeof *data);
    if (data) {
        *data = (linear){ d->friction, d->critical_slip > 0.0 ? d->critical_slip : 0.2,
                          d->carcass.standstill_speed };
    }
    out->data = data;
    wheel_deflects(p, &d->carcass, out);
}

static const bi_field fields[] = {
    TYRE_COMMON_FIELDS(bi_tyre_linear_def),
    { "friction", BI_FIELD_NUMBER, offsetof(bi_tyre_linear_def, friction), "1", BI_REQUIRED | BI_NOT_NEGATIVE,
      "coefficient" },
    { "critical_slip", BI_FIELD_NUMBER, offsetof(bi_tyre_linear_def, critical_slip), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "slip at which it slides (default 0.2)" },
    TYRE_CARCASS_FIELDS(bi_tyre_linear_def, BI_REQUIRED | BI_POSITIVE),
};
static const bi_kind schema = { "forces",
                                "tyre-linear",
                                sizeof(bi_tyre_linear_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "a wheel on its tyre: TMeasy with linear curves, holds at standstill" };
TYRE(tyre_linear, linear_law, linear_compile, schema)
