// SPDX-License-Identifier: MIT
// The explicit schemes: each its rule, and a step with it (explicit.1, explicit.2).
#include "integrate/explicit.h"
#include "integrate/schemes.h"

bi_status euler_step(stepper *s, double h)
{
    static const explicit_rule rule = { .stages = 1, .b = { 1.0 } };
    return explicit_step(s, &rule, h);
}

bi_status semi_implicit_euler_step(stepper *s, double h)
{
    static const explicit_rule rule = { .stages = 1, .is_semi_implicit = true, .b = { 1.0 } };
    return explicit_step(s, &rule, h);
}

bi_status heun_step(stepper *s, double h)
{
    static const explicit_rule rule = {
        .stages = 2, .c = { 0.0, 1.0 }, .a = { { 0.0 }, { 1.0 } }, .b = { 0.5, 0.5 }
    };
    return explicit_step(s, &rule, h);
}

bi_status rk4_step(stepper *s, double h)
{
    static const explicit_rule rule = { .stages = 4,
                                        .c = { 0.0, 0.5, 0.5, 1.0 },
                                        .a = { { 0.0 }, { 0.5 }, { 0.0, 0.5 }, { 0.0, 0.0, 1.0 } },
                                        .b = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 } };
    return explicit_step(s, &rule, h);
}

// Dormand and Prince 5(4); the seventh stage is the first of the next step.
bi_status dopri5_step(stepper *s, double h)
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
