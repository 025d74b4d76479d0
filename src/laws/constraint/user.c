// SPDX-License-Identifier: MIT
// A constraint written in C: a function of points, vectors and joint coordinates (constraints.19). What it does not
// give is found by finite differences; what it gives is compared with them at compile, when asked and in debug builds.
#include "laws/constraint/constraint.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = BI_USER_NUMBERS, R = BI_USER_ROWS, ITEMS = BI_USER_ITEMS };

// The definition with its lists inside, so that a plain copy owns them.
typedef struct {
    const char *name;
    bi_user_constraint_def def; // its own lists are not used
    bi_point point[ITEMS];
    bi_vector vector[ITEMS];
    bi_joint_coordinate coordinate[ITEMS];
} user_def;

typedef struct {
    bi_user_function *function;
    void *context;
    int n_row, n; // rows, numbers
    bool gives_gradient, gives_gamma;
    int from[N]; // of each number in the trays
    row_handle at;
} user;

// ---- the function and its differences ---------------------------------------------------------------------------------

typedef struct {
    double t, value[N], rate[N];
} user_state;

static void call(const user *u, const user_state *s, double *phi, double *gradient, double *phi_t,
                 double *gamma)
{
    bi_user_motion in = { s->t, s->value, s->rate };
    bi_user_rows out = { phi, gradient, phi_t, gamma };
    if (gradient) {
        memset(gradient, 0, (size_t)(u->n_row * u->n) * sizeof *gradient);
        memset(phi_t, 0, (size_t)u->n_row * sizeof *phi_t);
    }
    u->function(u->context, &in, &out);
}

static double fastest(const user *u, const user_state *s)
{
    double most = 1.0;
    for (int i = 0; i < u->n; i++) {
        most = fmax(most, fabs(s->rate[i]));
    }
    return most;
}

static void differences(const user *u, const user_state *s, double *gradient, double *phi_t)
{
    // central: truncation and rounding both near 1e-11 of numbers of the order of one
    static const double step = 5e-6;
    user_state near = *s;
    double side[2][R];
    for (int i = 0; i <= u->n; i++) {
        double *x = i < u->n ? &near.value[i] : &near.t, middle = *x, h = step * fmax(1.0, fabs(middle));
        double low = middle - h, high = middle + h;
        *x = low;
        call(u, &near, side[0], NULL, NULL, NULL);
        *x = high;
        call(u, &near, side[1], NULL, NULL, NULL);
        *x = middle;
        for (int r = 0; r < u->n_row; r++) {
            *(i < u->n ? &gradient[r * u->n + i] : &phi_t[r]) = (side[1][r] - side[0][r]) / (high - low);
        }
    }
}

// The state a time away, with the rates it has.
static user_state drift(const user *u, const user_state *s, double time)
{
    user_state out = *s;
    out.t += time;
    for (int i = 0; i < u->n; i++) {
        out.value[i] += time * s->rate[i];
    }
    return out;
}

// Second derivative along the motion: the difference of first derivatives where they are given, else of values.
static void second_differences(const user *u, const user_state *s, double *gamma)
{
    double phi[R], gradient[R * N], phi_t[R], sum[R] = { 0 };
    if (u->gives_gradient) {
        double h = 1e-5 / fastest(u, s);
        for (int side = -1; side <= 1; side += 2) {
            user_state near = drift(u, s, side * h);
            call(u, &near, phi, gradient, phi_t, NULL);
            for (int r = 0; r < u->n_row; r++) {
                double rate = phi_t[r];
                for (int i = 0; i < u->n; i++) {
                    rate += gradient[r * u->n + i] * s->rate[i];
                }
                sum[r] += side * rate / (2.0 * h);
            }
        }
    } else {
        // five points: truncation h^4, rounding 1e-16 / h^2
        static const double weight[5] = { -1.0, 16.0, -30.0, 16.0, -1.0 };
        double h = 2e-3 / fastest(u, s);
        for (int k = 0; k < 5; k++) {
            user_state near = drift(u, s, (k - 2) * h);
            call(u, &near, phi, NULL, NULL, NULL);
            for (int r = 0; r < u->n_row; r++) {
                sum[r] += weight[k] * phi[r] / (12.0 * h * h);
            }
        }
    }
    memcpy(gamma, sum, (size_t)u->n_row * sizeof *gamma);
}

// ---- rows ----------------------------------------------------------------------------------------------------------------

static void user_row(const user *u, const law_in *in, rows *out)
{
    user_state s = { .t = in->u->t };
    for (int i = 0; i < u->n; i++) {
        s.value[i] = in->at->value[u->from[i]];
        s.rate[i] = in->at->rate[u->from[i]];
    }
    double *gradient = &out->gradient[u->at.gradient], *phi_t = &out->phi_t[u->at.row];
    bool wants_gamma = in->want & LAW_SECOND;
    double phi[R], own_gradient[R * N], own_phi_t[R];
    double *gamma = wants_gamma && u->gives_gamma ? &out->gamma[u->at.row] : NULL;
    call(u, &s, phi, u->gives_gradient ? own_gradient : NULL, u->gives_gradient ? own_phi_t : NULL, gamma);
    if (in->want & LAW_POSITION) {
        memcpy(&out->phi[u->at.row], phi, (size_t)u->n_row * sizeof *phi);
        if (u->gives_gradient) {
            memcpy(gradient, own_gradient, (size_t)(u->n_row * u->n) * sizeof *gradient);
            memcpy(phi_t, own_phi_t, (size_t)u->n_row * sizeof *phi_t);
        } else {
            differences(u, &s, gradient, phi_t);
        }
    }
    if (wants_gamma && !gamma) {
        second_differences(u, &s, &out->gamma[u->at.row]);
    }
}

static void user_rows(const void *items, int count, const law_in *in, rows *out)
{
    const user *item = items;
    for (int k = 0; k < count; k++) {
        user_row(&item[k], in, out);
    }
}

// ---- compile ---------------------------------------------------------------------------------------------------------------

static bool is_usable(plan *p, int element, const user_def *d)
{
    const bi_model *m = p->model;
    const bi_user_constraint_def *c = &d->def;
    int count = c->n_point + c->n_vector + c->n_coordinate;
    if (!c->function) {
        plan_complain(p, element, "type", "a user constraint needs a function: only a program can add one");
        return false;
    }
    if (c->n_row < 1 || c->n_row > R || c->n_point < 0 || c->n_vector < 0 || c->n_coordinate < 0 ||
        count < 1 || count > ITEMS) {
        plan_complain(p, element, "", "needs 1 to %d rows and 1 to %d points, vectors and coordinates", R,
                      ITEMS);
        return false;
    }
    bool ok = true;
    for (int k = 0; k < c->n_point; k++) {
        ok = ok && d->point[k].body.i >= 1 && d->point[k].body.i <= m->n_body &&
             vec3_is_finite(d->point[k].at);
    }
    for (int k = 0; k < c->n_vector; k++) {
        ok = ok && d->vector[k].body.i >= 1 && d->vector[k].body.i <= m->n_body &&
             vec3_is_finite(d->vector[k].along) && vec3_norm(d->vector[k].along) > 0.0;
    }
    for (int k = 0; k < c->n_coordinate; k++) {
        int j = d->coordinate[k].joint.i - 1;
        ok = ok && j >= 0 && j < m->n_joint && d->coordinate[k].index >= 0 &&
             d->coordinate[k].index < model_coordinate_count(m->joint[j].def.kind);
    }
    if (!ok) {
        plan_complain(p, element, "", "has a point, vector or coordinate that is not of this model");
    }
    return ok;
}

// Values where the bodies are described, and some rates.
static user_state described(const bi_model *m, const user_def *d)
{
    user_state s = { 0 };
    int n = 0;
    for (int k = 0; k < d->def.n_point; k++, n += 3) {
        tray_put(&s.value[n], model_described_point(m, d->point[k].body, d->point[k].at));
    }
    for (int k = 0; k < d->def.n_vector; k++, n += 3) {
        tray_put(&s.value[n],
                 vec3_normalized(model_described_vector(m, d->vector[k].body, d->vector[k].along)));
    }
    for (int k = 0; k < d->def.n_coordinate; k++, n++) {
        s.value[n] = model_described_coordinate(m, d->coordinate[k].joint.i - 1, d->coordinate[k].index);
    }
    for (int i = 0; i < n; i++) {
        s.rate[i] = 0.3 + 0.1 * (i % 5);
    }
    return s;
}

static void entry_name(const user_def *d, int i, char *buffer, size_t size)
{
    int points = 3 * d->def.n_point, vectors = 3 * d->def.n_vector;
    if (i < points) {
        snprintf(buffer, size, "%c of point %d", 'x' + i % 3, i / 3);
    } else if (i < points + vectors) {
        snprintf(buffer, size, "%c of vector %d", 'x' + (i - points) % 3, (i - points) / 3);
    } else {
        snprintf(buffer, size, "coordinate %d", i - points - vectors);
    }
}

// Differences are good to 1e-10 of the sizes met: what is off by 1e-6 is another formula.
static bool is_off(double said, double found) { return !(fabs(said - found) <= 1e-6 * (1.0 + fabs(found))); }

static void check_derivatives(plan *p, int element, const user_def *d, const user *u)
{
    user_state s = described(p->model, d);
    double phi[R], said[R * N], said_t[R], gamma[R], found[R * N], found_t[R];
    char entry[48];
    call(u, &s, phi, u->gives_gradient ? said : NULL, u->gives_gradient ? said_t : NULL,
         u->gives_gamma ? gamma : NULL);
    differences(u, &s, found, found_t);
    for (int r = 0; u->gives_gradient && r < u->n_row; r++) {
        for (int i = 0; i < u->n; i++) {
            if (is_off(said[r * u->n + i], found[r * u->n + i])) {
                entry_name(d, i, entry, sizeof entry);
                plan_complain(p, element, "",
                              "the gradient of row %d with %s is given as %.9g, and finite "
                              "differences give %.9g: correct it, or leave gives_gradient false",
                              r, entry, said[r * u->n + i], found[r * u->n + i]);
            }
        }
        if (is_off(said_t[r], found_t[r])) {
            plan_complain(p, element, "",
                          "phi_t of row %d is given as %.9g, and finite differences give %.9g", r, said_t[r],
                          found_t[r]);
        }
    }
    user without = *u;
    without.gives_gradient = false;
    second_differences(&without, &s, found_t);
    for (int r = 0; u->gives_gamma && r < u->n_row; r++) {
        if (is_off(gamma[r], found_t[r])) {
            plan_complain(p, element, "",
                          "gamma of row %d is given as %.9g, and finite differences give %.9g: "
                          "correct it, or leave gives_gamma false",
                          r, gamma[r], found_t[r]);
        }
    }
}

static void user_compile(plan *p, int element, const void *def, void *item)
{
    const user_def *d = def;
    const bi_user_constraint_def *c = &d->def;
    const model_element *e = &p->model->element[element];
    user *out = item;
    *out = (user){ .function = c->function,
                   .context = c->context,
                   .n_row = c->n_row,
                   .gives_gradient = c->gives_gradient,
                   .gives_gamma = c->gives_gamma };
    if (!is_usable(p, element, d)) {
        out->n_row = 0;
        return;
    }
    int m[ITEMS], count = 0;
    for (int k = 0; k < c->n_point; k++) {
        m[count++] = plan_point(p, d->point[k].body.i - 1, d->point[k].at);
    }
    for (int k = 0; k < c->n_vector; k++) {
        m[count++] = plan_vector(p, d->vector[k].body.i - 1, vec3_normalized(d->vector[k].along));
    }
    for (int k = 0; k < c->n_coordinate; k++) {
        m[count++] = plan_joint(p, d->coordinate[k].joint.i - 1, d->coordinate[k].index);
    }
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < marker_width(p->marker[m[k]].kind); i++) {
            out->from[out->n++] = plan_dof(p, m[k]) + i;
        }
    }
    out->at = plan_rows(p, &(row_owner){ e->name, e->place, false, -1, element }, c->n_row, m, count);
#ifdef BI_DEBUG
    bool is_checked = true;
#else
    bool is_checked = c->check;
#endif
    if (is_checked) {
        check_derivatives(p, element, d, out);
    }
}

static const bi_kind schema = { "constraints", "user", sizeof(user_def),
                                NULL,          0,      "a function of a program is zero" };
const law_kind user_kind = {
    .schema = &schema, .item = sizeof(user), .compile = user_compile, .rows = user_rows
};

bi_element user_constraint_add(bi_model *m, const bi_user_constraint_def *def)
{
    if (!def) {
        return bi_add(m, &schema, NULL);
    }
    user_def own = { .name = def->name, .def = *def };
    for (int k = 0; def->point && k < def->n_point && k < ITEMS; k++) {
        own.point[k] = def->point[k];
    }
    for (int k = 0; def->vector && k < def->n_vector && k < ITEMS; k++) {
        own.vector[k] = def->vector[k];
    }
    for (int k = 0; def->coordinate && k < def->n_coordinate && k < ITEMS; k++) {
        own.coordinate[k] = def->coordinate[k];
    }
    own.def.name = NULL;
    own.def.point = NULL;
    own.def.vector = NULL;
    own.def.coordinate = NULL;
    return bi_add(m, &schema, &own);
}
