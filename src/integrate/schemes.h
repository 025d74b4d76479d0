// SPDX-License-Identifier: MIT
// The table of schemes: their names, their step functions, and what others need to know of them.
// A new scheme is a file with its step function, an entry here, and its value in the enum of the public header. A value without an
// entry does not compile.
#pragma once
#include "integrate/stepper.h"
#include <biela/names.h>

// Advance `now` by h; all or nothing is the caller's business.
typedef bi_status (*scheme_step)(stepper *s, double h);

typedef struct {
    const char *name, *also; // also: a second name; NULL: none
    scheme_step step;
    int order;
    bool is_explicit;
    bool has_estimate;  // its local error can be told: implicit, embedded, or of order 2 at most
    bool is_embedded;   // each step leaves an estimate, so that it chooses its steps unless a length is given
    bool is_damped;     // options.damping counts
    bool needs_damping; // nothing else holds its rates on the constraints (phase.7)
    bool corrects_phase;    // of the vibrations of flexible bodies (phase.1)
    double real, imaginary; // explicit: what h times decay and h times frequency may be at most
    const char *help;
} scheme;

// Value, step function, and the rest. Limits of stability: where a rule has none on the imaginary axis, growth of 1 % in a step.
#define SCHEME_LIST(X)                                                                                       \
    X(BI_ALI3P, ali3p_step, .name = "ali3p", .order = 2, .has_estimate = true,                               \
      .help = "implicit, order 2, for everything")                                                           \
    X(BI_INDEX1_RK4, rk4_step, .name = "index1-rk4", .also = "rk4", .order = 4, .is_explicit = true,         \
      .real = 2.785, .imaginary = 2.828, .help = "explicit, order 4")                                        \
    X(BI_ALI3P_ALPHA, ali3p_step, .name = "ali3p-alpha", .order = 2, .has_estimate = true,                   \
      .is_damped = true, .help = "ali3p that damps the fastest motions, see rho")                            \
    X(BI_EULER, euler_step, .name = "euler", .order = 1, .is_explicit = true, .has_estimate = true,          \
      .real = 2.0, .imaginary = 0.14, .help = "explicit, order 1")                                           \
    X(BI_HEUN, heun_step, .name = "heun", .order = 2, .is_explicit = true, .has_estimate = true,             \
      .real = 2.0, .imaginary = 0.53, .help = "explicit, order 2")                                           \
    X(BI_DOPRI5, dopri5_step, .name = "dopri5", .order = 5, .is_explicit = true, .has_estimate = true,       \
      .is_embedded = true, .real = 3.306, .imaginary = 1.0,                                                  \
      .help = "explicit, order 5, chooses its steps unless dt is given")                                     \
    X(BI_SEMI_IMPLICIT_EULER, semi_implicit_euler_step, .name = "semi-implicit-euler", .order = 1,           \
      .is_explicit = true, .has_estimate = true, .real = 2.0, .imaginary = 2.0,                              \
      .help = "explicit, order 1, velocities first")                                                         \
    X(BI_ALI3P_FLEX, ali3p_flex_step, .name = "ali3p-flex", .order = 2, .has_estimate = true,                \
      .is_damped = true, .needs_damping = true, .corrects_phase = true,                                      \
      .help = "ali3p-alpha with longer steps where flexible bodies vibrate")

#define SCHEME_STEP(value, function, ...) bi_status function(stepper *s, double h);
SCHEME_LIST(SCHEME_STEP)
#undef SCHEME_STEP

extern const scheme scheme_table[];
static inline const scheme *scheme_of(bi_scheme value) { return &scheme_table[value]; }
bool scheme_exists(bi_scheme value); // an enum may have any number in it
