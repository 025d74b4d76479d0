// SPDX-License-Identifier: MIT
#include "integrate/rule.h"
#include "base/lanes.h"
#include <math.h>
#include <string.h>

// The trapezoidal rule has one acceleration only, which is also the algorithmic one.
rule rule_make(double h, double rho)
{
    rule f = { .h = h, .fA = 0.25 * h * h, .fV = 0.5 * h, .am = 0.5, .af = 0.5, .beta = 0.25, .gamma = 0.5 };
    f.first = 1.0 / f.fV;
    f.second = f.third = 1.0 / f.fA;
    if (rho < 1.0) {
        f.am = (2.0 * rho - 1.0) / (rho + 1.0);
        f.af = rho / (rho + 1.0);
        f.gamma = 0.5 - f.am + f.af;
        f.beta = 0.25 * (f.gamma + 0.5) * (f.gamma + 0.5);
        f.first = f.gamma / (f.beta * h);
        f.third = 1.0 / (f.beta * h * h);
        f.second = f.third * (1.0 - f.am) / (1.0 - f.af);
        f.fA = 1.0 / f.second;
        f.fV = f.fA * f.first;
        f.has_drive = true;
    }
    return f;
}

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

LANES void rule_predict(stepper *s, const rule *f)
{
    double h = f->h;
    coords *c = &s->now;
    int n = s->d->structure.n, four = n & ~3;
    for (int i = 0; i < four; i += 4) {
        lane from = *(lane *)(c->drive + i), to = (*(lane *)(c->a + i) - f->am * from) / (1.0 - f->am);
        lane v = *(lane *)(c->v + i);
        *(lane *)(c->q + i) += h * v + h * h * ((0.5 - f->beta) * from + f->beta * to);
        *(lane *)(c->v + i) = v + h * ((1.0 - f->gamma) * from + f->gamma * to);
        *(lane *)(c->drive + i) = to;
    }
    for (int i = four; i < n; i++) {
        double from = c->drive[i], to = (c->a[i] - f->am * from) / (1.0 - f->am);
        c->q[i] += h * c->v[i] + h * h * ((0.5 - f->beta) * from + f->beta * to);
        c->v[i] += h * ((1.0 - f->gamma) * from + f->gamma * to);
        c->drive[i] = to;
    }
    turning_predict(s, f, c);
    c->t += h;
    memset(c->lambda, 0, (size_t)s->d->structure.n_row * sizeof *c->lambda);
}

LANES double rule_correct(stepper *s, const rule *f)
{
    coords *c = &s->now;
    int n = s->d->structure.n, four = n & ~3;
    lane squares = { 0.0 };
    for (int i = 0; i < four; i += 4) {
        lane dq = *(const lane *)(s->right + i);
        *(lane *)(c->q + i) += dq;
        *(lane *)(c->v + i) += f->first * dq;
        *(lane *)(c->a + i) += f->second * dq;
        squares += dq * dq;
    }
    double sum = squares[0] + squares[1] + squares[2] + squares[3];
    for (int i = four; i < n; i++) {
        double dq = s->right[i];
        c->q[i] += dq;
        c->v[i] += f->first * dq;
        c->a[i] += f->second * dq;
        sum += dq * dq;
    }
    for (int i = 0; f->has_drive && i < s->d->structure.n; i++) {
        c->drive[i] += f->third * s->right[i];
    }
    turning_correct(s, f);
    return sqrt(sum);
}
