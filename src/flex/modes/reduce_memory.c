// SPDX-License-Identifier: MIT
// Whether a reduction fits into the memory that is left, told before it begins.
#include "base/room_left.h"
#include "flex/modes/reduce.h"
#include <math.h>

static const double GB = 1e9;

static bool fits(const reduction *r, double need, int unknowns)
{
    double left = room_left();
    if (need <= left) {
        return true;
    }
    bi_report_add(
        r->report, BI_ERROR, BI_NO_MEMORY, r->def->place, r->def->name,
        "%d nodes and %d unknowns take about %.2g GB to be reduced, and there are %.2g GB: use a coarser "
        "mesh, elements of less order, fewer boundary nodes or modes, or a larger machine",
        r->def->mesh.n_node, unknowns, need / GB, left / GB);
    return false;
}

// Before anything is made: two matrices of the whole and of the interior, lower halves. An entry is shared by several
// elements, of solids by three or so.
bool reduction_fits_assembly(const reduction *r)
{
    double entries = 0.0;
    const bi_fe_mesh *mesh = &r->def->mesh;
    for (int k = 0; k < mesh->n_element; k++) {
        const fe_kind *kind = fe_kind_of(mesh->element[k].kind);
        double n = kind ? fe_dof_count(kind) : 0.0;
        entries += 0.5 * n * (n + 1.0) / 3.0;
    }
    return fits(r, 2.0 * (2.0 * sizeof(double) + sizeof(int)) * entries, r->f.n);
}

static double particles_of(const bi_fe_mesh *mesh)
{
    double count = mesh->n_node;
    for (int k = 0; k < mesh->n_element; k++) {
        const fe_kind *kind = fe_kind_of(mesh->element[k].kind);
        // the largest of its family
        count += !kind ? 0.0 : kind->needs_section ? 8.0 : kind->n_node > 10 ? 27.0 : 14.0;
    }
    return count;
}

// When the factor's size is known: the factor and its largest front, the vectors of Lanczos, the modes and their
// copies, and what becomes of them at nodes and particles.
bool reduction_fits_modes(const reduction *r)
{
    enum { USUAL = 50 }; // normal modes, where a frequency says how many
    const bi_flex_def *def = r->def;
    double normal = def->n_normal > 0 ? def->n_normal : def->up_to > 0.0 ? USUAL : 0;
    double modes = r->n_b + normal + (def->has_weight_modes ? 6.0 : 0.0), n = r->f.n;
    double factor = 1.2 * front_nnz(r->factor);
    double vectors = n * (4.0 * modes + (normal > 0.0 ? 2.0 * normal + 24.0 : 0.0));
    // once more as the bytes of a file
    double result = 2.0 * modes * (6.0 * def->mesh.n_node + 6.0 * particles_of(&def->mesh));
    return fits(r, sizeof(double) * (factor + vectors + result), r->f.n);
}
