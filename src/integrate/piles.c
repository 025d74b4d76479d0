// SPDX-License-Identifier: MIT
// Many bodies that touch: the trapezoidal rule for all forces but those of contacts that live, which act as they are at
// the end of the step, so that they only take energy (contact.23).
#include "base/lanes.h"
#include "integrate/correction.h"
#include "integrate/schemes.h"
#include "integrate/touching.h"
#include <math.h>
#include <string.h>

// What a contact does in the whole step is twice what the trapezoidal rule makes of its force at the end: the rule with
// accelerations b = a + 2 c, a without contacts, c what they add. At the start of a step `drive` is a, and c is what the
// others have besides.
typedef struct {
    rule smooth, push;
    double *pushed; // displacements by contacts in the prediction               (n)
    double *whole;  // accelerations at its start                                (n)
    double *mean;   // velocities of the step                                    (n)
    bool is_pushed; // any of `pushed` is not zero
} pile_step;

// A contact's force at the end, in the whole step: dv = h a, dq = h/2 dv. Accelerations are kept apart.
static rule push_make(double h) { return (rule){ .h = h, .fA = 0.5 * h * h, .fV = h, .first = 2.0 / h }; }

typedef double lane __attribute__((vector_size(32), aligned(8), may_alias));

// Contacts go on pushing as they did; everything else by the rule.
LANES static void predict(stepper *s, pile_step *p)
{
    const rule *f = &p->smooth;
    coords *c = &s->now;
    int n = s->d->structure.n, four = n & ~3;
    lane squares = { 0.0 };
    for (int i = 0; i < four; i += 4) {
        lane a = *(const lane *)(c->a + i), drive = *(const lane *)(c->drive + i),
             v = *(const lane *)(c->v + i);
        *(lane *)(p->whole + i) = a;
        *(lane *)(p->pushed + i) = p->push.fA * (a - drive);
        squares += (a - drive) * (a - drive);
        *(lane *)(c->a + i) = *(lane *)(s->old.a + i) = drive;
        *(lane *)(c->q + i) += f->h * v + 0.5 * f->h * f->h * drive;
        *(lane *)(c->v + i) = v + f->h * drive;
    }
    double pushes = squares[0] + squares[1] + squares[2] + squares[3];
    for (int i = four; i < n; i++) {
        double by_contacts = c->a[i] - c->drive[i];
        pushes += by_contacts * by_contacts;
        p->whole[i] = c->a[i];
        p->pushed[i] = p->push.fA * by_contacts;
        c->a[i] = s->old.a[i] = c->drive[i];
        c->q[i] += f->h * c->v[i] + 0.5 * f->h * f->h * c->a[i];
        c->v[i] += f->h * c->a[i];
    }
    turning_predict(s, f, c);
    p->is_pushed = pushes != 0.0;
    if (p->is_pushed) {
        memcpy(s->right, p->pushed, (size_t)n * sizeof *s->right);
        rule_correct(s, f);
    }
    c->t += f->h;
    memset(c->lambda, 0, (size_t)s->d->structure.n_row * sizeof *c->lambda);
}

// What contacts add to the correction in `right`, which is without them. Those of bodies without joints are settled once,
// unless one was pushed against another.
static bi_status push(stepper *s, pile_step *p, int i)
{
    bi_status status = BI_OK;
    if (i > 1 && touching_is_of_loose(s) &&
        !dynamics_has_places(s->d, &s->now, &s->trays, places_are_missed)) {
        touching_hold(s, &s->in.work, &p->push);
    } else {
        status = touching_find(s, &s->in.work, &p->push, i, i == 1 && p->is_pushed ? p->pushed : NULL);
    }
    for (int k = 0; k < s->d->structure.n; k++) {
        s->right[k] += s->product[k];
    }
    return status;
}

// The tangent of here.
static bool form(stepper *s, const pile_step *p)
{
    memcpy(s->in.work.G, s->trays.equations.G, (size_t)s->d->structure.n_G * sizeof *s->in.work.G);
    return tangent_form(s, &p->smooth);
}

// One tangent serves a mechanism as long as corrections shrink well with it; bodies without joints take that of each
// iteration, whose last one is the mass matrix of the end.
static bi_status solve(stepper *s, pile_step *p)
{
    const structure *st = &s->d->structure;
    static const double little = 1e-3; // of the first: what places that open and close leave
    static const double slow = 0.1;
    double first = 0.0, before = 0.0, floor = correction_floor(s),
           swept = fmax(floor, 1e-11 * fmax(1.0, st->size));
    bool is_loose = touching_is_loose(s), wants_tangent = true;
    for (int i = 1; i <= s->in.options.iterations; i++) {
        dynamics_evaluate(s->d, &s->now, &s->trays,
                          LAW_POSITION | EVAL_ALL | LAW_APART | (wants_tangent ? LAW_TANGENT : 0) |
                              (i > 1 ? LAW_AGAIN : 0));
        s->in.n_iteration++;
        if (wants_tangent && !form(s, p)) {
            return BI_SINGULAR;
        }
        correction_solve(s, &p->smooth, INERTIA_OF_MASS, &s->in.work);
        bi_status status = push(s, p, i);
        if (status != BI_OK) {
            return status;
        }
        rows_add_increment(s, &s->in.work, p->smooth.second, s->now.lambda);
        double size = rule_correct(s, &p->smooth);
        if (!isfinite(size)) {
            return BI_NOT_FINITE;
        }
        first = i == 1 ? size : first;
        double least = s->trays.places.n_pair > 0 ? fmax(little * first, swept)
                                                  : fmax(s->in.options.tolerance * first, floor);
        if (size <= floor || (i > 1 && size <= least)) { // the first: falls, and nothing else
            return BI_OK;
        }
        wants_tangent = is_loose || (i > 1 && size > slow * before);
        before = size;
    }
    return BI_NOT_CONVERGED;
}

// The factor is that of the mass matrix: there are no rows, and nothing but contacts has stiffness or damping.
static bool is_of_mass(const stepper *s)
{
    const structure *st = &s->d->structure;
    return st->n_row == 0 && s->in.has_formed &&
           memcmp(s->in.work.T, s->trays.equations.M, (size_t)st->tangent.nnz * sizeof *s->in.work.T) == 0;
}

// M c = J^T w, with rows that go along: what contacts add to accelerations, in `right`.
static bool find_added(stepper *s)
{
    if (!is_of_mass(s)) {
        tangent_build(s, 0.0, 0.0);
        if (!tangent_factor(s, 0.0)) {
            return false;
        }
    }
    touching_efforts(s, s->right);
    solver_solve(s->in.fac, s->in.work.numeric, s->right);
    return true;
}

// What guides did against contacts: their forces are M c - J^T w, and the step goes by the mean velocity.
static void count_guides(stepper *s, const pile_step *p)
{
    s->in.work_of_guides = 0.0;
    if (!s->d->is_rheonomic) {
        return;
    }
    double sum = 0.0;
    memset(s->product, 0, (size_t)s->d->structure.n * sizeof *s->product);
    s->d->set->multiply_mass(s->d->coordinates, &s->trays.equations, s->right, s->product);
    for (int i = 0; i < s->d->structure.n; i++) {
        p->mean[i] = 0.5 * (s->old.v[i] + s->now.v[i]);
        sum += p->mean[i] * s->product[i];
    }
    s->in.work_of_guides = p->smooth.h * (sum - touching_power(s, p->mean));
}

// Accelerations of contacts beside the others, and multipliers of the end.
static bi_status put_apart(stepper *s, const pile_step *p)
{
    const structure *st = &s->d->structure;
    bool is_touched = s->trays.places.n_pair > 0;
    memcpy(s->old.a, p->whole, (size_t)st->n * sizeof *p->whole);
    memset(s->right, 0, (size_t)st->n * sizeof *s->right);
    if (is_touched && !find_added(s)) {
        return BI_SINGULAR;
    }
    if (is_touched) {
        memset(s->in.residual, 0, (size_t)st->n_row * sizeof *s->in.residual);
        rows_add_increment(s, &s->in.work, -1.0, s->now.lambda);
    }
    count_guides(s, p);
    if (!is_touched) {
        size_t size = (size_t)st->n * sizeof *s->now.a;
        memcpy(s->now.drive, s->now.a, size);
        memcpy(s->old.a, p->whole, size);
        return BI_OK;
    }
    for (int i = 0; i < st->n; i++) {
        s->now.a[i] -= s->right[i];
        s->now.drive[i] = s->now.a[i] - s->right[i];
    }
    return BI_OK;
}

// A run begins: what accelerations would be without contacts.
static bi_status find_drive(stepper *s, double *whole)
{
    size_t size = (size_t)s->d->structure.n * sizeof *whole;
    memcpy(whole, s->now.a, size);
    s->in.left_out = LAW_APART;
    bi_status status = initial_acceleration(s);
    s->in.left_out = 0;
    memcpy(s->now.a, whole, size);
    return status;
}

static bi_status piles_step(stepper *s, double h)
{
    int n = s->d->structure.n;
    s->in.touching.is_swept = has_touching(s);
    bi_status status = s->in.last.is_known ? BI_OK : find_drive(s, s->in.slope);
    if (status != BI_OK) {
        return status;
    }
    pile_step p = { .smooth = rule_make(h, 1.0),
                    .push = push_make(h),
                    .pushed = s->in.slope,
                    .whole = s->in.slope + n,
                    .mean = s->in.slope + 2 * n };
    s->trays.signals.h = h;
    s->trays.of_step = LAW_LATE;
    s->trays.z_old = s->old.z;
    s->trays.dz_old = s->old.dz;
    s->in.has_formed = s->in.is_afresh = false;
    s->in.next = (step_memory){ .is_known = true };
    turning_begin(s, h);
    predict(s, &p);
    status = solve(s, &p);
    if (status == BI_FULL) {
        memcpy(s->old.a, p.whole, (size_t)n * sizeof *p.whole); // as if it had not been tried
        return status;
    }
    if (status == BI_OK || status == BI_NOT_CONVERGED) {
        s->in.last_correction = INFINITY; // the rows of the end are looked at
        ali3p_project(s, &p.smooth);
    }
    bi_status apart = put_apart(s, &p);
    status = status == BI_OK ? apart : status;
    s->in.is_afresh =
        true; // multipliers of the prediction are not known: what guides do is found from the state
    return status;
}

const scheme piles_scheme = { .value = BI_PILES,
                              .name = "piles",
                              .step = piles_step,
                              .order = 1,
                              .has_estimate = true,
                              .settles = true,
                              .help =
                                  "implicit, for many bodies that touch: their contacts only take energy" };
