// SPDX-License-Identifier: MIT
// The laws of all tyres once more, on numbers without derivatives: most evaluations want no tangent (measured: a tenth of
// the instructions of those with derivatives).
#define TYRE_VALUES
#define carcass_eval carcass_eval_values
#define carcass_rest carcass_rest_values

#include "tyre/carcass.c"
#include "tyre/lean.c"
#include "tyre/linear.c"
#include "tyre/pacejka.c"
#include "tyre/tmeasy.c"
// uses the laws above
#include "tyre/wheel_load.c"
