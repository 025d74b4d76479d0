// SPDX-License-Identifier: MIT
// From a question (stress at this fibre, forces of that section) to rows: (fe.16).
#include "flex/stress/recover.h"
#include "flex/body/axial.h"
#include "flex/mesh/mesh_check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bi_recovery *recovery_new(bi_recovery_form form, int n_point, int n_row, int n_mode)
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

double *recovery_rows(const bi_recovery *r, int point)
{
    return (double *)(uintptr_t)(r->row + (ptrdiff_t)point * r->n_row * r->n_mode);
}

int32_t *recovery_starts(bi_recovery *r)
{
    int32_t *start = calloc((size_t)r->n_point + 1, sizeof *start);
    r->start = start;
    return start;
}

// to += factor * from
static void add_row(int n, double factor, const double *from, double *to)
{
    for (int m = 0; m < n; m++) {
        to[m] += factor * from[m];
    }
}

bool recovery_is_beam(const bi_flex *flex, int element)
{
    bi_fe_kind kind = flex->mesh.element[element].kind;
    return bi_fe_is_beam(kind);
}

static double over(double a, double b) { return b > 0.0 ? a / b : 0.0; }

static double torsion_of(const bi_section *s) { return s->torsion > 0.0 ? s->torsion : s->iy + s->iz; }

static double twist_of(const bi_section *s) { return s->twist > 0.0 ? s->twist : fmax(s->top, s->side); }

enum { N, VY, VZ, MT, MY, MZ };

// Rows of N/A, Mz top/Iz, My side/Iy, Mt twist/J from those of the section forces.
void recovery_section(const bi_flex *flex, int element, const double *force, double *to)
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
    bi_recovery *r = recovery_new(probe->axes == BI_AXES_GROUND ? BI_FORM_VECTORS : BI_FORM_LINEAR, 1,
                                  FE_STRESSES, flex->modes.n_mode);
    if (r) {
        if (!is_own) {
            turn_forces(flex, probe->element, force);
        }
        memcpy(recovery_rows(r, 0), force, (size_t)(FE_STRESSES * r->n_mode) * sizeof *force);
        memcpy(r->part, is_own ? own : body, sizeof own);
        r->unit = NULL;
    }
    return r;
}

static double young_of(const bi_flex *flex, int element)
{
    return flex->mesh.material[flex->mesh.element[element].material].young;
}

// What a gauge on a fibre tells: the fibre is pulled along itself only, (fe.24).
static void scale_to_strain(const bi_flex *flex, int element, bi_recovery *r)
{
    double *row = recovery_rows(r, 0), young = young_of(flex, element);
    for (int i = 0; i < r->n_row * r->n_mode; i++) {
        row[i] /= young;
    }
    r->unit = "1";
}

bi_recovery *recovery_of_beam(const bi_flex *flex, const bi_flex_probe *asked, double *force, char *why,
                              size_t size)
{
    bi_flex_probe as_stress = *asked, *probe = &as_stress;
    bool is_strain = asked->quantity == BI_PROBE_STRAIN;
    probe->quantity = is_strain ? BI_PROBE_NORMAL : asked->quantity;
    int n_mode = flex->modes.n_mode;
    bi_recovery *r = NULL;
    if (probe->quantity == BI_PROBE_SECTION) {
        r = recover_section(flex, probe, force);
    } else if (probe->quantity == BI_PROBE_TENSOR || probe->quantity == BI_PROBE_PRINCIPAL) {
        snprintf(why, size,
                 "a beam has no stress tensor: ask for the normal stress of a fibre, for mises, or for its "
                 "section");
    } else if (probe->quantity == BI_PROBE_NORMAL && probe->fibre >= BI_FIBRE_TOP) {
        r = recovery_new(BI_FORM_LINEAR, 1, 1, n_mode);
        if (r) {
            fibre_stress(flex, probe->element, probe->fibre, force, recovery_rows(r, 0));
        }
    } else {
        bool is_mises = probe->quantity == BI_PROBE_MISES;
        r = recovery_new(is_mises                       ? BI_FORM_SECTION
                         : probe->fibre == BI_FIBRE_MIN ? BI_FORM_SMALLEST
                                                        : BI_FORM_LARGEST,
                         1, 4, n_mode);
        if (r) {
            recovery_section(flex, probe->element, force, recovery_rows(r, 0));
            ((bool *)(uintptr_t)r->is_round)[0] =
                flex->mesh.section[flex->mesh.element[probe->element].section].is_round;
        }
    }
    if (r && is_strain) {
        scale_to_strain(flex, probe->element, r);
    }
    return r;
}

static bi_recovery *recover_beam(const bi_flex *flex, const bi_flex_probe *probe, char *why, size_t size)
{
    double *force = malloc((size_t)(FE_STRESSES * flex->modes.n_mode) * sizeof *force);
    bi_recovery *r = NULL;
    if (!force || !beam_forces(flex, probe, force)) {
        snprintf(why, size, "out of memory");
    } else {
        r = recovery_of_beam(flex, probe, force, why, size);
    }
    free(force);
    return r;
}

// The strain along a direction d from the rows of the stress: ((1 + nu) d.s.d - nu tr s) / E, (fe.25).
static bool strain_rows(const bi_flex *flex, const bi_flex_probe *probe, bi_recovery *r, char *why,
                        size_t size)
{
    int n = r->n_mode, element = probe->element;
    for (int k = 0; element < 0 && k < flex->mesh.n_element; k++) {
        const bi_fe_element *e = &flex->mesh.element[k];
        for (int i = 0; e->material >= 0 && i < BI_FE_MOST_NODES && element < 0; i++) {
            element = e->node[i] == probe->node ? k : element;
        }
    }
    if (element < 0 || !(vec3_norm(probe->along) > 0.0)) {
        snprintf(why, size, "a strain gauge needs its direction: add 'along', in body axes");
        return false;
    }
    const bi_material *m = &flex->mesh.material[flex->mesh.element[element].material];
    vec3 d = vec3_normalized(probe->along);
    const double weight[6] = {
        (1.0 + m->poisson) * d.x * d.x - m->poisson, (1.0 + m->poisson) * d.y * d.y - m->poisson,
        (1.0 + m->poisson) * d.z * d.z - m->poisson, 2.0 * (1.0 + m->poisson) * d.x * d.y,
        2.0 * (1.0 + m->poisson) * d.y * d.z,        2.0 * (1.0 + m->poisson) * d.z * d.x
    };
    double *row = recovery_rows(r, 0);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < 6; k++) {
            sum += weight[k] * row[k * n + i];
        }
        row[i] = sum / m->young;
    }
    r->form = BI_FORM_LINEAR;
    r->n_row = 1;
    r->unit = "1";
    return true;
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
    bi_recovery *r = recovery_new(probe->quantity == BI_PROBE_MISES       ? BI_FORM_MISES
                                  : probe->quantity == BI_PROBE_PRINCIPAL ? BI_FORM_PRINCIPAL
                                  : probe->quantity == BI_PROBE_STRAIN    ? BI_FORM_LINEAR
                                  : probe->axes == BI_AXES_GROUND         ? BI_FORM_TENSOR
                                                                          : BI_FORM_LINEAR,
                                  1, FE_STRESSES, flex->modes.n_mode);
    vec3 site = probe->site;
    // a side that is named counts, else the third coordinate of the place
    if (probe->element >= 0 && fe_kind_of(flex->mesh.element[probe->element].kind)->is_shell &&
        probe->fibre >= BI_FIBRE_TOP) {
        site.z = side_of(probe->fibre);
    }
    bool is_found =
        r && (probe->element >= 0
                  ? bi_flex_stress_rows(flex, probe->element, site, recovery_rows(r, 0))
                  : flex_nodal_rows(flex, probe->node, side_of(probe->fibre), recovery_rows(r, 0)));
    if (!is_found) {
        snprintf(why, size, "there is no plane or solid element here");
        bi_recovery_destroy(r);
        return NULL;
    }
    if (probe->quantity == BI_PROBE_STRAIN && !strain_rows(flex, probe, r, why, size)) {
        bi_recovery_destroy(r);
        return NULL;
    }
    static const char *const number[6] = { "1", "2", "3", NULL, NULL, NULL };
    if (probe->quantity == BI_PROBE_TENSOR || probe->quantity == BI_PROBE_PRINCIPAL) {
        memcpy(r->part, probe->quantity == BI_PROBE_TENSOR ? part : number, sizeof part);
    }
    return r;
}

double recovery_label(int64_t number, int place) { return number ? (double)number : place + 1.0; }

// Numbers for the normal force of straight bars, place by place. False: no memory.
static bool add_axial(const bi_flex *flex, const bi_flex_probe *probe, bi_recovery *r)
{
    axial_line line;
    int size = axial_size(flex);
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
        bool is_asked = probe->is_everywhere ? recovery_is_beam(flex, k) : k == probe->element;
        vec3 axes[3];
        bi_flex_axes(flex, k, axes);
        bool is_own = probe->quantity != BI_PROBE_SECTION || probe->axes == BI_AXES_ELEMENT;
        vec3 way = is_own ? (vec3){ 1.0, 0.0, 0.0 } : axes[0];
        double area = is_asked ? flex->mesh.section[flex->mesh.element[k].section].area : 1.0;
        double unit = probe->quantity == BI_PROBE_SECTION ? 1.0
                      : probe->quantity == BI_PROBE_STRAIN
                          ? 1.0 / (area * (is_asked ? young_of(flex, k) : 1.0))
                          : 1.0 / area;
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
        r = recover_everywhere(flex);
    } else if (probe->element >= 0 && probe->element < flex->mesh.n_element &&
               recovery_is_beam(flex, probe->element)) {
        r = recover_beam(flex, probe, why, size);
        if (r) {
            ((double *)(uintptr_t)r->label)[0] =
                recovery_label(flex->mesh.element[probe->element].number, probe->element);
        }
    } else {
        r = recover_solid(flex, probe, why, size);
    }
    if (r && !probe->is_everywhere) {
        ((int32_t *)(uintptr_t)r->node)[0] = probe->element >= 0 ? -1 : probe->node;
    }
    bool is_of_beams =
        r && (r->form == BI_FORM_SECTION || (probe->element >= 0 && recovery_is_beam(flex, probe->element)));
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
