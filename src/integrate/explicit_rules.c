// SPDX-License-Identifier: MIT
// The explicit schemes: each its rule, and a step with it (explicit.1, explicit.2).
#include "integrate/explicit.h"
#include "integrate/schemes.h"

static bi_status euler_step(stepper *s, double h)
{
    static const explicit_rule rule = { .stages = 1, .b = { 1.0 } };
    return explicit_step(s, &rule, h);
}

const scheme euler_scheme = { .value = BI_EULER,
                              .step = euler_step,
                              .name = "euler",
                              .order = 1,
                              .is_explicit = true,
                              .has_estimate = true,
                              .real = 2.0,
                              .imaginary = 0.14,
                              .help = "explicit, order 1" };

static bi_status semi_implicit_euler_step(stepper *s, double h)
{
    static const explicit_rule rule = { .stages = 1, .is_semi_implicit = true, .b = { 1.0 } };
    return explicit_step(s, &rule, h);
}

const scheme semi_implicit_euler_scheme = { .value = BI_SEMI_IMPLICIT_EULER,
                                            .step = semi_implicit_euler_step,
                                            .name = "semi-implicit-euler",
                                            .order = 1,
                                            .is_explicit = true,
                                            .has_estimate = true,
                                            .real = 2.0,
                                            .imaginary = 2.0,
                                            .help = "explicit, order 1, velocities first" };

static bi_status heun_step(stepper *s, double h)
{
    static const explicit_rule rule = {
        .stages = 2, .c = { 0.0, 1.0 }, .a = { { 0.0 }, { 1.0 } }, .b = { 0.5, 0.5 }
    };
    return explicit_step(s, &rule, h);
}

const scheme heun_scheme = { .value = BI_HEUN,
                             .step = heun_step,
                             .name = "heun",
                             .order = 2,
                             .is_explicit = true,
                             .has_estimate = true,
                             .real = 2.0,
                             .imaginary = 0.53,
                             .help = "explicit, order 2" };

static bi_status rk4_step(stepper *s, double h)
{
    static const explicit_rule rule = { .stages = 4,
                                        .c = { 0.0, 0.5, 0.5, 1.0 },
                                        .a = { { 0.0 }, { 0.5 }, { 0.0, 0.5 }, { 0.0, 0.0, 1.0 } },
                                        .b = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 } };
    return explicit_step(s, &rule, h);
}

const scheme rk4_scheme = { .value = BI_INDEX1_RK4,
                            .step = rk4_step,
                            .name = "index1-rk4",
                            .also = "rk4",
                            .order = 4,
                            .is_explicit = true,
                            .has_estimate = true,
                            .real = 2.785,
                            .imaginary = 2.828,
                            .help = "explicit, order 4" };

// Dormand and Prince 5(4); the seventh stage is the first of the next step.
static bi_status dopri5_step(stepper *s, double h)
{
    static const explicit_rule rule = {
        .stages = 6,
        .is_precise = true,
        .c = { 0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0 },
        .a = { { 0.0 },
               { 0.2 },
               { 3.0 / 40.0, 9.0 / 40.0 },
               { 44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0 },
               { 19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0 },
               { 9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0 } },
        .b = { 35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0 },
        .e = { 71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0,
               -1.0 / 40.0 },
    };
    return explicit_step(s, &rule, h);
}

const scheme dopri5_scheme = { .value = BI_DOPRI5,
                               .step = dopri5_step,
                               .name = "dopri5",
                               .order = 5,
                               .is_explicit = true,
                               .has_estimate = true,
                               .is_embedded = true,
                               .real = 3.306,
                               .imaginary = 1.0,
                               .help = "explicit, order 5, chooses its steps unless dt is given" };
