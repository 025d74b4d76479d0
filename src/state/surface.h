// SPDX-License-Identifier: MIT
// A smooth ground z = f(x, y), given by an expression, with its first and second derivatives (rolling.6).
#pragma once
#include "state/law.h"
#include <string.h>

typedef struct {
    const expr *code; // NULL: there is none
    int at_x, at_y;   // its variables, -1: not read
} surface;

typedef struct {
    double f, fx, fy, fxx, fxy, fyy;
} surface_point;

// Names other than x and y are mistakes of the element.
static inline surface surface_compile(plan *p, int element, bi_expr code)
{
    surface s = { p->model->expr[code.i - 1].code, -1, -1 };
    for (int v = 0; v < expr_variable_count(s.code); v++) {
        const char *name = expr_variable_name(s.code, v);
        if (strcmp(name, "x") == 0) {
            s.at_x = v;
        } else if (strcmp(name, "y") == 0) {
            s.at_y = v;
        } else {
            plan_complain(p, element, "surface", "unknown name '%s'; a surface may read x, y and parameters",
                          name);
        }
    }
    return s;
}

// room: of signals.
static inline surface_point surface_at(const surface *s, double x, double y, jet *room)
{
    jet place[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } }, side[3];
    for (int k = 0; k < 3; k++) {
        // along x, along y, along both
        if (s->at_x >= 0) {
            place[s->at_x] = (jet){ x, k != 1 ? 1.0 : 0.0, 0.0 };
        }
        if (s->at_y >= 0) {
            place[s->at_y] = (jet){ y, k != 0 ? 1.0 : 0.0, 0.0 };
        }
        side[k] = expr_jet_in(s->code, place, room);
    }
    double fxx = side[0].dd, fyy = side[1].dd;
    return (surface_point){ side[0].v, side[0].d, side[1].d, fxx, 0.5 * (side[2].dd - fxx - fyy), fyy };
}
