// SPDX-License-Identifier: MIT
// The laws of all tyres once more, on numbers without derivatives: most evaluations want no tangent (measured: a tenth of
// the instructions of those with derivatives).
#define TYRE_VALUES
#define carcass_eval carcass_eval_values
#define carcass_rest carcass_rest_values

#include "laws/tyre/carcass.c"
#include "laws/tyre/kinds/lean.c"
#include "laws/tyre/kinds/pacejka.c"
#include "laws/tyre/kinds/tmeasy.c"
#include "laws/tyre/kinds/tyre_linear.c"
// uses the laws above
#include "laws/tyre/wheel_load.c"
