// SPDX-License-Identifier: MIT
// Elementary functions that give the same bits on every machine: sums, products, quotients, square roots and bit
// operations only, each of which IEEE 754 defines to the last bit. Rounding mode to nearest is expected. Values at
// infinities, zeros and NaN are those of the C standard, Annex F; errno and the floating point flags are not
// maintained. Errors are below 1 ulp, for tan 1.1 ulp; the tests state the bound of each.
#pragma once

// angles in rad, of any size
double math_sin(double x);
double math_cos(double x);
void math_sincos(double x, double *s, double *c); // the same bits as math_sin and math_cos
double math_tan(double x);

// angles in rad: asin and atan in [-pi/2, pi/2], acos in [0, pi], atan2 in [-pi, pi]
double math_asin(double x);
double math_acos(double x);
double math_atan(double x);
double math_atan2(double y, double x);

double math_exp(double x);
double math_log(double x);
double math_log10(double x);
double math_pow(double x, double y);

double math_sinh(double x);
double math_cosh(double x);
double math_tanh(double x);

// The rest of x / y with the sign of x, as fmod: exact.
double math_remainder(double x, double y);
double math_cbrt(double x);
double math_hypot(double x, double y);
