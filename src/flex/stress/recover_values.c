// SPDX-License-Identifier: MIT
// From rows and amplitudes to values: (fe.16), (fe.17); the largest of many places.
#include "math/rotation.h"
#include "math/vec3.h"
#include "sparse/dense_eigen.h"
#include <biela/flex.h>
#include <math.h>
#include <string.h>

int bi_recovery_value_count(const bi_recovery *r)
{
    if (!r) {
        return 0;
    }
    bool is_list = r->form == BI_FORM_LINEAR || r->form == BI_FORM_VECTORS || r->form == BI_FORM_TENSOR;
    return is_list ? r->n_row : r->form == BI_FORM_PRINCIPAL ? 3 : 1;
}

static double von_mises(const double s[6])
{
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

// Largest first.
static void principal(const double s[6], double value[3])
{
    double A[9] = { s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2] }, rising[3], W[9];
    dense_symmetric_eigen(3, A, rising, W);
    for (int k = 0; k < 3; k++) {
        value[k] = rising[2 - k];
    }
}

// s' = R s R^T of a symmetric tensor xx yy zz xy yz zx
static void turn_tensor(bi_quat rot, double *s)
{
    static const int place[3][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 } };
    vec3 column[3], axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    double R[3][3], out[6];
    for (int k = 0; k < 3; k++) {
        column[k] = quat_rotate(rot, axis[k]);
        R[0][k] = column[k].x, R[1][k] = column[k].y, R[2][k] = column[k].z;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++) {
                    sum += R[i][a] * s[place[a][b]] * R[j][b];
                }
            }
            out[place[i][j]] = sum;
        }
    }
    memcpy(s, out, sizeof out);
}

static double row_times(int n, const double *row, const double *eta)
{
    double sum = 0.0;
    for (int m = 0; m < n; m++) {
        sum += row[m] * eta[m];
    }
    return sum;
}

// All rows side by side: each sum has the same order as alone, and none waits for another.
static void sum_rows(const bi_recovery *r, int point, const double *eta, double s[6])
{
    int n = r->n_mode;
    const double *row = r->row + (ptrdiff_t)point * r->n_row * n;
    memset(s, 0, 6 * sizeof *s);
    if (r->n_row < 6) {
        for (int k = 0; k < r->n_row; k++, row += n) {
            s[k] = row_times(n, row, eta);
        }
        return;
    }
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0;
    for (int m = 0; m < n; m++) {
        a += row[m] * eta[m];
        b += row[n + m] * eta[m];
        c += row[2 * n + m] * eta[m];
        d += row[3 * n + m] * eta[m];
        e += row[4 * n + m] * eta[m];
        f += row[5 * n + m] * eta[m];
    }
    s[0] = a, s[1] = b, s[2] = c, s[3] = d, s[4] = e, s[5] = f;
}

// Place, rate and second rate of the weighted masses, from the line's origin (fe.20).
static void weighted_motion(const bi_recovery *r, const double *moment, const bi_flex_motion *m, vec3 out[3])
{
    const vec3 *first = (const vec3 *)(const void *)moment, *shape = first + 1, *bend = shape + r->n_mode;
    out[0] = *first;
    out[1] = out[2] = (vec3){ 0.0, 0.0, 0.0 };
    for (int i = 0; i < r->n_mode; i++) {
        out[0] = vec3_add_scaled(out[0], m->eta[i], shape[i]);
        out[1] = vec3_add_scaled(out[1], m->rate[i], shape[i]);
        out[2] = vec3_add_scaled(out[2], m->second[i], shape[i]);
        for (int k = 0; r->is_bent && k < r->n_mode; k++, bend++) {
            out[0] = vec3_add_scaled(out[0], 0.5 * m->eta[i] * m->eta[k], *bend);
            out[1] = vec3_add_scaled(out[1], m->rate[i] * m->eta[k], *bend);
            out[2] = vec3_add_scaled(out[2], m->second[i] * m->eta[k] + m->rate[i] * m->rate[k], *bend);
        }
    }
}

// What the normal force by equilibrium has more than that of the modes (fe.19), (fe.21).
static double axial_extra(const bi_recovery *r, int point, const bi_flex_motion *m)
{
    int n = r->n_mode;
    const double *a = r->axial + (ptrdiff_t)point * r->axial_size, *row = a + 4, *modal = row + n,
                 *slope = modal + n, *shear = slope + 2 * n;
    vec3 p[3];
    weighted_motion(r, shear + 2 * n, m, p);
    vec3 turning = vec3_add(vec3_cross(m->alpha, p[0]), vec3_cross(m->omega, vec3_cross(m->omega, p[0])));
    vec3 all = vec3_add(vec3_scale(a[3], m->felt), turning);
    all = vec3_add(vec3_add_scaled(all, 2.0, vec3_cross(m->omega, p[1])), p[2]);
    double along = row_times(n, row, m->eta) - vec3_dot(r->axis, all);
    double v = row_times(n, slope, m->eta), w = row_times(n, slope + n, m->eta);
    double turned = v * row_times(n, shear, m->eta) + w * row_times(n, shear + n, m->eta);
    return along + 0.5 * (v * v + w * w) * along + turned - row_times(n, modal, m->eta);
}

static bi_recovery_form form_of(const bi_recovery *r, int point)
{
    return r->form != BI_FORM_MIXED ? r->form : point < r->n_section ? BI_FORM_SECTION : BI_FORM_MISES;
}

static void write_values(const bi_recovery *r, int point, double s[6], bi_quat rot, double *value)
{
    bool is_round = r->is_round && r->is_round[point];
    switch (form_of(r, point)) {
    case BI_FORM_LINEAR: memcpy(value, s, (size_t)r->n_row * sizeof *value); break;
    case BI_FORM_VECTORS:
        for (int k = 0; k < 6; k += 3) {
            vec3 v = quat_rotate(rot, (vec3){ s[k], s[k + 1], s[k + 2] });
            value[k] = v.x, value[k + 1] = v.y, value[k + 2] = v.z;
        }
        break;
    case BI_FORM_TENSOR:
        turn_tensor(rot, s);
        memcpy(value, s, 6 * sizeof *s);
        break;
    case BI_FORM_MIXED:
    case BI_FORM_MISES: value[0] = von_mises(s); break;
    case BI_FORM_PRINCIPAL: principal(s, value); break;
    case BI_FORM_FIBRE: value[0] = sqrt(s[0] * s[0] + 3.0 * s[1] * s[1]); break;
    case BI_FORM_SECTION: {
        double bending = is_round ? sqrt(s[1] * s[1] + s[2] * s[2]) : fabs(s[1]) + fabs(s[2]);
        double normal = fabs(s[0]) + bending;
        value[0] = sqrt(normal * normal + 3.0 * s[3] * s[3]);
        break;
    }
    case BI_FORM_LARGEST:
        value[0] = s[0] + (is_round ? sqrt(s[1] * s[1] + s[2] * s[2]) : fabs(s[1]) + fabs(s[2]));
        break;
    case BI_FORM_SMALLEST:
        value[0] = s[0] - (is_round ? sqrt(s[1] * s[1] + s[2] * s[2]) : fabs(s[1]) + fabs(s[2]));
        break;
    }
}

// What cannot be read is no number.
static bool is_readable(const bi_recovery *r, int point, const double *eta, double *value)
{
    bool is_good = r && value && eta && point >= 0 && point < r->n_point;
    for (int k = 0; r && value && !is_good && k < bi_recovery_value_count(r); k++) {
        value[k] = NAN;
    }
    return is_good;
}

void bi_recovery_values(const bi_recovery *r, int point, const double *eta, bi_quat rot, double *value)
{
    double s[6];
    if (!is_readable(r, point, eta, value)) {
        return;
    }
    sum_rows(r, point, eta + (r->start ? r->start[point] : 0), s);
    write_values(r, point, s, rot, value);
}

void bi_recovery_values_moving(const bi_recovery *r, int point, const bi_flex_motion *m, double *value)
{
    double s[6];
    if (!is_readable(r, point, m ? m->eta : NULL, value)) {
        return;
    }
    sum_rows(r, point, m->eta, s);
    if (r->axial && m->rate && m->second) {
        const double *times = r->axial + (ptrdiff_t)point * r->axial_size;
        double extra = axial_extra(r, point, m);
        for (int k = 0; k < 3; k++) {
            s[k] += times[k] * extra;
        }
    }
    write_values(r, point, s, m->rot, value);
}

// ---- the largest of many places ----------------------------------------------------------------------------------------

typedef struct {
    const bi_recovery *r;
    const double *eta;
    double best;
    int at;
} search;

static void look_at(search *s, int point)
{
    double value[6];
    bi_recovery_values(s->r, point, s->eta, (bi_quat){ .w = 1.0 }, value);
    // of equal ones the first, whatever the order
    if (s->at < 0 || value[0] > s->best || (value[0] == s->best && point < s->at)) {
        s->best = value[0];
        s->at = point;
    }
}

// Looks at the middle of a branch of the tree, or at all of a small one. Gives what no place of it exceeds (fe.18).
static double look_at_branch(search *s, int from, int to)
{
    const bi_recovery *r = s->r;
    int middle = from + (to - from) / 2;
    double value[6], bound;
    if (to - from <= BI_RECOVERY_LEAF) {
        for (int k = from; k < to; k++) {
            look_at(s, r->order[k]);
        }
        return -1.0;
    }
    bi_recovery_values(r, r->order[middle], s->eta, (bi_quat){ .w = 1.0 }, value);
    look_at(s, r->order[middle]);
    bound = value[0];
    for (int m = 0; m < r->n_mode; m++) {
        bound += fabs(s->eta[m]) * r->reach[(ptrdiff_t)middle * r->n_mode + m];
    }
    return bound * (1.0 + 1e-9); // rounding of the sums
}

static void search_branch(search *s, int from, int to, double bound)
{
    if (bound < s->best) {
        return;
    }
    int middle = from + (to - from) / 2;
    double left = look_at_branch(s, from, middle), right = look_at_branch(s, middle + 1, to);
    // the more promising one first: what it finds rules out more of the other
    if (left >= right) {
        search_branch(s, from, middle, left);
        search_branch(s, middle + 1, to, right);
    } else {
        search_branch(s, middle + 1, to, right);
        search_branch(s, from, middle, left);
    }
}

int bi_recovery_largest(const bi_recovery *r, const double *eta, double *value)
{
    if (!r || !eta || !value) {
        return -1;
    }
    search s = { .r = r, .eta = eta, .at = -1 };
    int first = !r->order ? r->n_point : r->form == BI_FORM_MIXED ? r->n_section : 0;
    for (int k = 0; k < first; k++) {
        look_at(&s, k);
    }
    if (r->order) {
        double bound = look_at_branch(&s, 0, r->n_point - first);
        if (bound >= 0.0) {
            search_branch(&s, 0, r->n_point - first, bound);
        }
    }
    *value = s.best;
    return s.at;
}
