// SPDX-License-Identifier: MIT
// Stresses of geometrically exact beams: rows whose amplitudes are the section forces at both ends (beam.10).
#include "flex/stress/recover.h"
#include <stdio.h>
#include <string.h>

enum { OF_BEAM = 2 * FE_STRESSES };

// Section forces at x from -1 to 1, linear between the ends: rows (6 x n) on the amplitudes from `first` on.
static void add_forces(double factor, double x, int n, int first, double *force)
{
    for (int k = 0; k < FE_STRESSES; k++) {
        force[k * n + first + k] += factor * 0.5 * (1.0 - x);
        force[k * n + first + FE_STRESSES + k] += factor * 0.5 * (1.0 + x);
    }
}

// Both ends of every beam, each with the amplitudes of its own.
static bi_recovery *everywhere(const bi_flex *view)
{
    const bi_fe_mesh *mesh = &view->mesh;
    int n_beam = 0;
    for (int k = 0; k < mesh->n_element; k++) {
        n_beam += recovery_is_beam(view, k);
    }
    bi_recovery *r = recovery_new(BI_FORM_SECTION, 2 * n_beam, 4, OF_BEAM);
    int32_t *start = r ? recovery_starts(r) : NULL;
    for (int k = 0, point = 0; start && k < mesh->n_element; k++) {
        for (int end = 0; recovery_is_beam(view, k) && end < 2; end++, point++) {
            double force[FE_STRESSES * OF_BEAM] = { 0.0 };
            add_forces(1.0, end ? 1.0 : -1.0, OF_BEAM, 0, force);
            recovery_section(view, k, force, recovery_rows(r, point));
            start[point] = point / 2 * OF_BEAM;
            ((double *)(uintptr_t)r->label)[point] = recovery_label(mesh->element[k].number, k);
            ((bool *)(uintptr_t)r->is_round)[point] = mesh->section[mesh->element[k].section].is_round;
            ((int32_t *)(uintptr_t)r->node)[point] = mesh->element[k].node[end];
        }
    }
    if (r && !start) {
        bi_recovery_destroy(r);
        r = NULL;
    }
    return r;
}

static bool has_beam(const bi_fe_mesh *mesh, int element)
{
    return element >= 0 && element < mesh->n_element && bi_fe_is_beam(mesh->element[element].kind);
}

bi_recovery *bi_bar_recover(const bi_fe_mesh *mesh, const bi_flex_probe *probe, char *why, size_t size)
{
    char unused[8];
    why = why && size > 0 ? why : unused;
    size = why == unused ? sizeof unused : size;
    why[0] = '\0';
    if (!mesh || !probe ||
        (!probe->is_everywhere &&
         (!has_beam(mesh, probe->element) || (probe->next >= 0 && !has_beam(mesh, probe->next))))) {
        snprintf(why, size, "there is no such beam: stresses of exact beams are asked for with 'element'");
        return NULL;
    }
    bool is_turned = probe->quantity == BI_PROBE_SECTION && probe->axes != BI_AXES_ELEMENT;
    if (!probe->is_everywhere && is_turned && probe->site.x != -1.0 && probe->site.x != 1.0) {
        snprintf(why, size,
                 "the axes of an exact beam turn along it: ask for its forces in axes of the body or of the "
                 "ground where an element begins or ends");
        return NULL;
    }
    // what the helpers read of a body: the mesh, and how many amplitudes there are
    bi_flex view = { .mesh = *mesh, .modes.n_mode = probe->next >= 0 ? 2 * OF_BEAM : OF_BEAM };
    double force[FE_STRESSES * 2 * OF_BEAM] = { 0.0 };
    bi_recovery *r = NULL;
    if (probe->is_everywhere) {
        r = everywhere(&view);
    } else {
        bool is_between = probe->next >= 0;
        add_forces(is_between ? 0.5 : 1.0, probe->site.x, view.modes.n_mode, 0, force);
        if (is_between) {
            add_forces(0.5, -1.0, view.modes.n_mode, OF_BEAM, force);
        }
        r = recovery_of_beam(&view, probe, force, why, size);
    }
    if (r && !probe->is_everywhere) {
        ((double *)(uintptr_t)r->label)[0] =
            recovery_label(mesh->element[probe->element].number, probe->element);
        ((int32_t *)(uintptr_t)r->node)[0] = -1;
    }
    if (r) {
        r->probe = *probe;
    } else if (!why[0]) {
        snprintf(why, size, "out of memory");
    }
    return r;
}
