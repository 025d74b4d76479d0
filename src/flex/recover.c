// SPDX-License-Identifier: MIT
// From a question (stress at this fibre, forces of that section) to rows, and from rows and amplitudes to values: (fe.16), (fe.17).
#include "flex/axial.h"
#include "flex/mesh_check.h"
#include "flex/result.h"
#include "math/rotation.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- values ------------------------------------------------------------------------------------------------------

int bi_recovery_value_count(const bi_recovery *r)
{
    if (!r) {
        return 0;
    }
    bool is_list = r->form == BI_FORM_LINEAR || r->form == BI_FORM_VECTORS || r->form == BI_FORM_TENSOR;
    return is_list ? r->n_row : 1;
}

static double von_mises(const double *s)
{
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
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

static void sum_rows(const bi_recovery *r, int point, const double *eta, double s[6])
{
    const double *row = r->row + (ptrdiff_t)point * r->n_row * r->n_mode;
    memset(s, 0, 6 * sizeof *s);
    for (int k = 0; k < r->n_row; k++, row += r->n_mode) {
        s[k] = row_times(r->n_mode, row, eta);
    }
}

// Place, rate and second rate of the weighted masses, from the line's origin (fe.19).
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

// What the normal force by equilibrium has more than that of the modes (fe.18), (fe.20).
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

static void tell_values(const bi_recovery *r, int point, double s[6], bi_quat rot, double *value)
{
    bool is_round = r->is_round && r->is_round[point];
    switch (r->form) {
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
    case BI_FORM_MISES: value[0] = von_mises(s); break;
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
    sum_rows(r, point, eta, s);
    tell_values(r, point, s, rot, value);
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
    tell_values(r, point, s, m->rot, value);
}

// ---- rows --------------------------------------------------------------------------------------------------------

static bi_recovery *new_recovery(bi_recovery_form form, int n_point, int n_row, int n_mode)
{
    bi_recovery *r = calloc(1, sizeof *r);
    if (r) {
        *r = (bi_recovery){ .form = form, .n_point = n_point, .n_row = n_row, .n_mode = n_mode };
        r->row = calloc((size_t)n_point * (size_t)n_row * (size_t)n_mode + 1, sizeof *r->row);
        r->label = calloc((size_t)n_point + 1, sizeof *r->label);
        r->is_round = calloc((size_t)n_point + 1, sizeof *r->is_round);
        r->unit = "Pa";
        r->part[0] = "";
        r->node = calloc((size_t)n_point + 1, sizeof *r->node);
        if (!r->row || !r->label || !r->is_round || !r->node) {
            bi_recovery_destroy(r);
            r = NULL;
        }
    }
    return r;
}

static double *rows_of(const bi_recovery *r, int point)
{
    return (double *)(uintptr_t)(r->row + (ptrdiff_t)point * r->n_row * r->n_mode);
}

// to += factor * from
static void add_row(int n, double factor, const double *from, double *to)
{
    for (int m = 0; m < n; m++) {
        to[m] += factor * from[m];
    }
}

static bool is_beam(const bi_flex *flex, int element)
{
    bi_fe_kind kind = flex->mesh.element[element].kind;
    return kind == BI_FE_BEAM || kind == BI_FE_TIMOSHENKO;
}

static double over(double a, double b) { return b > 0.0 ? a / b : 0.0; }

static double torsion_of(const bi_section *s) { return s->torsion > 0.0 ? s->torsion : s->iy + s->iz; }

static double twist_of(const bi_section *s) { return s->twist > 0.0 ? s->twist : fmax(s->top, s->side); }

enum { N, VY, VZ, MT, MY, MZ };

// Rows of N/A, Mz top/Iz, My side/Iy, Mt twist/J from those of the section forces.
static void section_stress(const bi_flex *flex, int element, const double *force, double *to)
{
    const bi_section *s = &flex->mesh.section[flex->mesh.element[element].section];
    int n = flex->modes.n_mode;
    add_row(n, 1.0 / s->area, force + N * n, to);
    add_row(n, over(s->top, s->iz), force + MZ * n, to + n);
    add_row(n, over(s->side, s->iy), force + MY * n, to + 2 * n);
    add_row(n, over(twist_of(s), torsion_of(s)), force + MT * n, to + 3 * n);
}

// Normal stress of one fibre: N/A - Mz y/Iz + My z/Iy.
static void fibre_stress(const bi_flex *flex, int element, bi_fibre fibre, const double *force, double *to)
{
    const bi_section *s = &flex->mesh.section[flex->mesh.element[element].section];
    int n = flex->modes.n_mode;
    double y = fibre == BI_FIBRE_TOP ? s->top : fibre == BI_FIBRE_BOTTOM ? -s->top : 0.0;
    double z = fibre == BI_FIBRE_LEFT ? s->side : fibre == BI_FIBRE_RIGHT ? -s->side : 0.0;
    add_row(n, 1.0 / s->area, force + N * n, to);
    add_row(n, -over(y, s->iz), force + MZ * n, to);
    add_row(n, over(z, s->iy), force + MY * n, to);
}

// Rows of forces and moments in the axes of the body.
static void turn_forces(const bi_flex *flex, int element, double *force)
{
    vec3 axes[3];
    int n = flex->modes.n_mode;
    bi_flex_axes(flex, element, axes);
    for (int m = 0; m < n; m++) {
        for (int half = 0; half < 2; half++) {
            double *f = force + 3 * half * n + m;
            vec3 v = vec3_add(vec3_add(vec3_scale(f[0], axes[0]), vec3_scale(f[n], axes[1])),
                              vec3_scale(f[2 * n], axes[2]));
            f[0] = v.x, f[n] = v.y, f[2 * n] = v.z;
        }
    }
}

// Section forces of a beam, averaged with the beginning of the next one.
static bool beam_forces(const bi_flex *flex, const bi_flex_probe *probe, double *force)
{
    int n = FE_STRESSES * flex->modes.n_mode;
    double *next = calloc((size_t)n, sizeof *next);
    bool is_good = next && bi_flex_stress_rows(flex, probe->element, probe->site, force);
    if (is_good && probe->next >= 0 &&
        bi_flex_stress_rows(flex, probe->next, (vec3){ -1.0, 0.0, 0.0 }, next)) {
        for (int i = 0; i < n; i++) {
            force[i] = 0.5 * (force[i] + next[i]);
        }
    }
    free(next);
    return is_good;
}

static bi_recovery *recover_section(const bi_flex *flex, const bi_flex_probe *probe, double *force)
{
    static const char *const own[6] = { "N", "Vy", "Vz", "Mt", "My", "Mz" };
    static const char *const body[6] = { "fx", "fy", "fz", "mx", "my", "mz" };
    bool is_own = probe->axes == BI_AXES_ELEMENT;
    bi_recovery *r = new_recovery(probe->axes == BI_AXES_GROUND ? BI_FORM_VECTORS : BI_FORM_LINEAR, 1,
                                  FE_STRESSES, flex->modes.n_mode);
    if (r) {
        if (!is_own) {
            turn_forces(flex, probe->element, force);
        }
        memcpy(rows_of(r, 0), force, (size_t)(FE_STRESSES * r->n_mode) * sizeof *force);
        memcpy(r->part, is_own ? own : body, sizeof own);
        r->unit = NULL;
    }
    return r;
}

static bi_recovery *recover_beam(const bi_flex *flex, const bi_flex_probe *probe, char *why, size_t size)
{
    int n_mode = flex->modes.n_mode;
    double *force = malloc((size_t)(FE_STRESSES * n_mode) * sizeof *force);
    bi_recovery *r = NULL;
    if (!force || !beam_forces(flex, probe, force)) {
        snprintf(why, size, "out of memory");
    } else if (probe->quantity == BI_PROBE_SECTION) {
        r = recover_section(flex, probe, force);
    } else if (probe->quantity == BI_PROBE_TENSOR) {
        snprintf(why, size,
                 "a beam has no stress tensor: ask for the normal stress of a fibre, for mises, or for its "
                 "section");
    } else if (probe->quantity == BI_PROBE_NORMAL && probe->fibre >= BI_FIBRE_TOP) {
        r = new_recovery(BI_FORM_LINEAR, 1, 1, n_mode);
        if (r) {
            fibre_stress(flex, probe->element, probe->fibre, force, rows_of(r, 0));
        }
    } else {
        bool is_mises = probe->quantity == BI_PROBE_MISES;
        r = new_recovery(is_mises                       ? BI_FORM_SECTION
                         : probe->fibre == BI_FIBRE_MIN ? BI_FORM_SMALLEST
                                                        : BI_FORM_LARGEST,
                         1, 4, n_mode);
        if (r) {
            section_stress(flex, probe->element, force, rows_of(r, 0));
            ((bool *)(uintptr_t)r->is_round)[0] =
                flex->mesh.section[flex->mesh.element[probe->element].section].is_round;
        }
    }
    free(force);
    return r;
}

// Where in the thickness of a shell: top unless told.
static double side_of(bi_fibre fibre)
{
    return fibre == BI_FIBRE_BOTTOM ? -1.0 : fibre == BI_FIBRE_CENTRE ? 0.0 : 1.0;
}

static bi_recovery *recover_solid(const bi_flex *flex, const bi_flex_probe *probe, char *why, size_t size)
{
    static const char *const part[6] = { "xx", "yy", "zz", "xy", "yz", "zx" };
    if (probe->quantity == BI_PROBE_SECTION) {
        snprintf(why, size, "only beams have section forces");
        return NULL;
    }
    if (probe->quantity == BI_PROBE_NORMAL) {
        snprintf(why, size, "only beams have fibres: ask for the stress tensor or for mises");
        return NULL;
    }
    bi_recovery *r = new_recovery(probe->quantity == BI_PROBE_MISES ? BI_FORM_MISES
                                  : probe->axes == BI_AXES_GROUND   ? BI_FORM_TENSOR
                                                                    : BI_FORM_LINEAR,
                                  1, FE_STRESSES, flex->modes.n_mode);
    vec3 site = probe->site;
    // a side that is named counts, else the third coordinate of the place
    if (probe->element >= 0 && fe_kind_of(flex->mesh.element[probe->element].kind)->is_shell &&
        probe->fibre >= BI_FIBRE_TOP) {
        site.z = side_of(probe->fibre);
    }
    bool is_found =
        r && (probe->element >= 0 ? bi_flex_stress_rows(flex, probe->element, site, rows_of(r, 0))
                                  : flex_nodal_rows(flex, probe->node, side_of(probe->fibre), rows_of(r, 0)));
    if (!is_found) {
        snprintf(why, size, "there is no plane or solid element here");
        bi_recovery_destroy(r);
        return NULL;
    }
    if (probe->quantity != BI_PROBE_MISES) {
        memcpy(r->part, part, sizeof part);
    }
    return r;
}

static double label_of(int64_t number, int place) { return number ? (double)number : place + 1.0; }

// Every beam at both ends: four rows each.
static bi_recovery *all_beams(const bi_flex *flex)
{
    int n_mode = flex->modes.n_mode, count = 0;
    for (int k = 0; k < flex->mesh.n_element; k++) {
        count += is_beam(flex, k);
    }
    bi_recovery *r = new_recovery(BI_FORM_SECTION, 2 * count, 4, n_mode);
    double *force = malloc((size_t)(FE_STRESSES * n_mode) * sizeof *force);
    for (int k = 0, point = 0; r && force && k < flex->mesh.n_element; k++) {
        const bi_fe_element *e = &flex->mesh.element[k];
        for (int end = 0; is_beam(flex, k) && end < 2; end++, point++) {
            bi_flex_stress_rows(flex, k, (vec3){ end ? 1.0 : -1.0, 0.0, 0.0 }, force);
            section_stress(flex, k, force, rows_of(r, point));
            ((double *)(uintptr_t)r->label)[point] = label_of(e->number, k);
            ((bool *)(uintptr_t)r->is_round)[point] = flex->mesh.section[e->section].is_round;
            ((int32_t *)(uintptr_t)r->node)[point] = e->node[end];
        }
    }
    free(force);
    return r;
}

// Stresses of one element, carried from its sites to its nodes and added there.
static void spread_element(const bi_flex *flex, int k, double side, vec3 *normal, double *site_rows,
                           double *rows, int *count)
{
    const bi_fe_element *e = &flex->mesh.element[k];
    const fe_kind *kind = fe_kind_of(e->kind);
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    double weight[BI_FE_MOST_NODES * FE_MOST_SITES];
    if (!kind || !kind->stress || !kind->to_nodes) {
        return;
    }
    kind->to_nodes(weight);
    for (int g = 0; g < kind->n_site; g++) {
        // shells: both sides, because the next node may count them from another normal
        vec3 site = kind->site[g];
        double *other = site_rows + n;
        site.z = kind->is_shell ? 1.0 : site.z;
        bi_flex_stress_rows(flex, k, site, site_rows);
        if (kind->is_shell) {
            site.z = -1.0;
            bi_flex_stress_rows(flex, k, site, other);
        }
        for (int i = 0; i < kind->n_node; i++) {
            bool is_top = flex_side_of(flex, k, side, &normal[e->node[i]]) >= 0.0;
            double w = weight[i * kind->n_site + g], *to = rows + (size_t)e->node[i] * n;
            for (size_t j = 0; j < n; j++) {
                to[j] += w * (is_top ? site_rows : other)[j];
            }
        }
    }
    for (int i = 0; i < kind->n_node; i++) {
        count[e->node[i]]++;
    }
}

// Averages at all nodes, as bi_flex_nodal_rows gives them, element by element: once each. Rows of nodes without elements stay zero.
static void spread_side(const bi_flex *flex, double side, double *site_rows, vec3 *normal, double *rows,
                        int *count)
{
    int n_node = flex->mesh.n_node;
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    memset(count, 0, (size_t)n_node * sizeof *count);
    for (int k = 0; k < flex->mesh.n_element; k++) {
        spread_element(flex, k, side, normal, site_rows, rows, count);
    }
    for (int i = 0; i < n_node; i++) {
        for (size_t j = 0; count[i] > 1 && j < n; j++) {
            rows[(size_t)i * n + j] /= count[i];
        }
    }
}

static bool has_shells(const bi_flex *flex)
{
    bool has = false;
    for (int k = 0; k < flex->mesh.n_element; k++) {
        const fe_kind *kind = fe_kind_of(flex->mesh.element[k].kind);
        has = has || (kind && kind->is_shell);
    }
    return has;
}

// Each node once, nodes of shells with both sides.
static bi_recovery *all_nodes(const bi_flex *flex)
{
    int n_node = flex->mesh.n_node, kept = 0, n_side = has_shells(flex) ? 2 : 1;
    size_t n = (size_t)(FE_STRESSES * flex->modes.n_mode);
    bi_recovery *r = new_recovery(BI_FORM_MISES, n_side * n_node, FE_STRESSES, flex->modes.n_mode);
    double *site_rows = malloc(2 * n * sizeof *site_rows);
    int *count = calloc((size_t)n_node + 1, sizeof *count);
    vec3 *normal = calloc((size_t)n_node + 1, sizeof *normal);
    bool is_good = r && site_rows && count && normal;
    for (int side = 0; is_good && side < n_side; side++) {
        spread_side(flex, side ? -1.0 : 1.0, site_rows, normal, rows_of(r, side * n_node), count);
    }
    for (int i = 0; is_good && i < n_side * n_node; i++) {
        int node = i % n_node;
        bool is_kept = count[node] > 0;
        if (is_kept) {
            memmove(rows_of(r, kept), rows_of(r, i), n * sizeof(double));
            ((int32_t *)(uintptr_t)r->node)[kept] = node;
            ((double *)(uintptr_t)r->label)[kept++] = label_of(flex->mesh.node[node].number, node);
        }
    }
    if (is_good) {
        r->n_point = kept;
    } else {
        bi_recovery_destroy(r);
        r = NULL;
    }
    free(site_rows);
    free(count);
    free(normal);
    return r;
}

// Numbers for the normal force of straight bars, place by place. False: no memory.
static bool add_axial(const bi_flex *flex, const bi_flex_probe *probe, bi_recovery *r)
{
    axial_line line;
    int size = axial_size(r->n_mode, flex->bend != NULL);
    double *to = NULL;
    bool is_line = axial_create(&line, flex);
    if (is_line) {
        to = calloc((size_t)(r->n_point * size) + 1, sizeof *to);
        r->axial = to;
        r->axial_size = size;
        r->is_bent = flex->bend != NULL;
        r->origin = line.origin;
        r->axis = line.axis;
    }
    for (int k = 0, point = 0; to && k < flex->mesh.n_element; k++) {
        bool is_asked = probe->is_everywhere ? is_beam(flex, k) : k == probe->element;
        vec3 axes[3];
        bi_flex_axes(flex, k, axes);
        bool is_own = probe->quantity != BI_PROBE_SECTION || probe->axes == BI_AXES_ELEMENT;
        vec3 way = is_own ? (vec3){ 1.0, 0.0, 0.0 } : axes[0];
        double area = is_asked ? flex->mesh.section[flex->mesh.element[k].section].area : 1.0;
        double unit = probe->quantity == BI_PROBE_SECTION ? 1.0 : 1.0 / area;
        const double times[3] = { unit * way.x, unit * way.y, unit * way.z };
        for (int end = 0; is_asked && end < (probe->is_everywhere ? 2 : 1); end++, point++) {
            double x = !probe->is_everywhere ? probe->site.x : end ? 1.0 : -1.0;
            axial_fill(&line, k, probe->is_everywhere ? -1 : probe->next, x, times,
                       to + (ptrdiff_t)point * size);
        }
    }
    axial_clear(&line);
    return !is_line || to;
}

bi_recovery *bi_flex_recover(const bi_flex *flex, const bi_flex_probe *probe, char *why, size_t size)
{
    char unused[8];
    why = why && size > 0 ? why : unused;
    size = why == unused ? sizeof unused : size;
    bi_recovery *r = NULL;
    why[0] = '\0';
    if (!flex || !probe || probe->element >= flex->mesh.n_element || probe->next >= flex->mesh.n_element ||
        (!probe->is_everywhere && probe->element < 0 &&
         (probe->node < 0 || probe->node >= flex->mesh.n_node))) {
        snprintf(why, size, "there is no such element or node");
        return NULL;
    }
    if (probe->is_everywhere) {
        bool has_beam = false;
        for (int k = 0; k < flex->mesh.n_element; k++) {
            has_beam = has_beam || is_beam(flex, k);
        }
        r = has_beam ? all_beams(flex) : all_nodes(flex);
    } else if (probe->element >= 0 && probe->element < flex->mesh.n_element &&
               is_beam(flex, probe->element)) {
        r = recover_beam(flex, probe, why, size);
        if (r) {
            ((double *)(uintptr_t)r->label)[0] =
                label_of(flex->mesh.element[probe->element].number, probe->element);
        }
    } else {
        r = recover_solid(flex, probe, why, size);
    }
    if (r && !probe->is_everywhere) {
        ((int32_t *)(uintptr_t)r->node)[0] = probe->element >= 0 ? -1 : probe->node;
    }
    bool is_of_beams =
        r && (r->form == BI_FORM_SECTION || (probe->element >= 0 && is_beam(flex, probe->element)));
    if (is_of_beams && !add_axial(flex, probe, r)) {
        bi_recovery_destroy(r);
        r = NULL;
    }
    if (r) {
        r->probe = *probe;
    }
    if (!r && !why[0]) {
        snprintf(why, size, "out of memory");
    }
    return r;
}
