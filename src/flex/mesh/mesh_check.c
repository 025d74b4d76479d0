// SPDX-License-Identifier: MIT
#include "flex/mesh/mesh_check.h"
#include "flex/mesh/beam.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mesh_name name_of(const char *what, const char *name, int64_t number, int place)
{
    mesh_name out;
    if (name && name[0]) {
        snprintf(out.text, sizeof out.text, "%s %.60s", what, name);
    } else {
        snprintf(out.text, sizeof out.text, "%s %" PRId64, what, number ? number : (int64_t)place + 1);
    }
    return out;
}

mesh_name mesh_node_name(const bi_fe_mesh *mesh, int node)
{
    return name_of("node", mesh->node[node].name, mesh->node[node].number, node);
}

mesh_name mesh_element_name(const bi_fe_mesh *mesh, int element)
{
    return name_of("element", mesh->element[element].name, mesh->element[element].number, element);
}

enum { MOST_TOLD = 20 }; // elements with mistakes

#define TELL(place, ...) bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (place), def->name, __VA_ARGS__)

// ---- sections and materials --------------------------------------------------------------------------------

static void check_materials(const bi_flex_def *def, bi_report *report)
{
    for (int k = 0; k < def->mesh.n_material; k++) {
        const bi_material *m = &def->mesh.material[k];
        const char *name = m->name ? m->name : "";
        if (!(m->young > 0.0) || !isfinite(m->young)) {
            TELL(m->place, "material '%.60s': young must be positive, and it is %g", name, m->young);
        }
        if (!(m->density > 0.0) || !isfinite(m->density)) {
            TELL(m->place, "material '%.60s': density must be positive, and it is %g", name, m->density);
        }
        if (!(m->poisson > -1.0 && m->poisson < 0.5)) {
            TELL(m->place, "material '%.60s': poisson must be between -1 and 0.5, and it is %g", name,
                 m->poisson);
        }
        double speed = m->young > 0.0 && m->density > 0.0 ? sqrt(m->young / m->density) : 1e3;
        // sound travels at 5100 m/s in steel and 30 m/s in soft rubber; with young in MPa at 5 m/s in metals and at
        // 13 m/s in beryllium and carbon fibres; other units of mm and t are off by more
        if (!(speed > 15.0 && speed < 1e5)) {
            bi_report_add(report, BI_WARNING, BI_BAD_MODEL, m->place, def->name,
                          "material '%.60s': sound would travel at %.3g m/s in it; are the units mixed up? "
                          "young is in Pa, density in kg/m^3",
                          name, speed);
        }
    }
}

static void check_sections(const bi_flex_def *def, bi_report *report)
{
    const bi_fe_mesh *mesh = &def->mesh;
    for (int k = 0; k < mesh->n_section; k++) {
        const bi_section *s = &mesh->section[k];
        bool is_of_beam = false;
        for (int e = 0; e < mesh->n_element; e++) {
            is_of_beam =
                is_of_beam || (bi_fe_is_beam(mesh->element[e].kind) && mesh->element[e].section == k);
        }
        const char *name = s->name ? s->name : "";
        if (is_of_beam && (!(s->area > 0.0) || !isfinite(s->area))) {
            TELL(s->place, "section '%.60s' has no area: it is %g m2, and must be positive", name, s->area);
        } else if (is_of_beam && (!(s->iz > 0.0) || !isfinite(s->iz) || s->iy < 0.0)) {
            TELL(s->place,
                 "section '%.60s': the moments of area must be positive, and they are iy %g, iz %g m4", name,
                 s->iy, s->iz);
        }
    }
}

// ---- elements ----------------------------------------------------------------------------------------------

static bool has_good_nodes(const bi_flex_def *def, int k, int n_node, bi_report *report)
{
    const bi_fe_element *e = &def->mesh.element[k];
    for (int i = 0; i < n_node; i++) {
        if (e->node[i] < 0 || e->node[i] >= def->mesh.n_node) {
            TELL(e->place, "%s: its node number %d is not in the mesh", mesh_element_name(&def->mesh, k).text,
                 i + 1);
            return false;
        }
        if (!vec3_is_finite(def->mesh.node[e->node[i]].at)) {
            TELL(def->mesh.node[e->node[i]].place, "%s has a coordinate that is not finite",
                 mesh_node_name(&def->mesh, e->node[i]).text);
            return false;
        }
    }
    return true;
}

static void check_elements(const bi_flex_def *def, bi_report *report)
{
    const bi_fe_mesh *mesh = &def->mesh;
    int errors = report->errors;
    for (int k = 0; k < mesh->n_element; k++) {
        if (report->errors - errors >= MOST_TOLD) {
            TELL(def->place, "and so on: more than %d elements have mistakes", MOST_TOLD - 1);
            return;
        }
        const bi_fe_element *e = &mesh->element[k];
        const fe_kind *kind = fe_kind_of(e->kind);
        mesh_name name = mesh_element_name(mesh, k);
        char why[200] = "";
        if (!kind && e->kind != BI_FE_LINK) {
            TELL(e->place, "%s is of a kind that has no element yet", name.text);
            continue;
        }
        if (!has_good_nodes(def, k, kind ? kind->n_node : 2, report) || !kind) {
            continue;
        }
        if (kind->needs_section && (e->section < 0 || e->section >= mesh->n_section)) {
            TELL(e->place, "%s needs a section%s", name.text,
                 bi_fe_is_beam(e->kind)
                     ? ""
                     : " with a thickness; beside a mesh file 'thickness' makes shells of its "
                       "surfaces");
            continue;
        }
        if (kind->needs_material && (e->material < 0 || e->material >= mesh->n_material)) {
            TELL(e->place, "%s needs a material", name.text);
            continue;
        }
        fe_element full = fe_element_of(mesh, k);
        if (kind->check && !kind->check(&full, why, sizeof why)) {
            TELL(e->place, "%s %s", name.text, why);
        }
    }
}

// ---- connection --------------------------------------------------------------------------------------------

static int root_of(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

// Pieces of the mesh that nothing connects: the piece of the first element is the body, others are reported.
static void check_connection(const bi_flex_def *def, bi_report *report)
{
    const bi_fe_mesh *mesh = &def->mesh;
    int *up = malloc(((size_t)mesh->n_node + 1) * sizeof *up);
    int *count = calloc((size_t)mesh->n_node + 1, sizeof *count);
    bool *is_used = calloc((size_t)mesh->n_node + 1, sizeof *is_used);
    for (int i = 0; up && i < mesh->n_node; i++) {
        up[i] = i;
    }
    for (int k = 0; up && count && is_used && k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        int n = e->kind == BI_FE_LINK ? 2 : fe_kind_of(e->kind)->n_node;
        for (int i = 0; i < n; i++) {
            is_used[e->node[i]] = true;
            up[root_of(up, e->node[i])] = root_of(up, e->node[0]);
        }
    }
    int body = -1;
    for (int i = 0; up && count && is_used && i < mesh->n_node; i++) {
        count[root_of(up, i)] += is_used[i];
        body = body < 0 && is_used[i] ? root_of(up, i) : body;
    }
    for (int i = 0, n_reported = 0; up && count && is_used && i < mesh->n_node && n_reported < 5; i++) {
        int root = root_of(up, i);
        if (is_used[i] && root != body && count[root] > 0) {
            TELL(mesh->node[i].place,
                 "the mesh is not connected: %s and %d more have no element or link to the rest; "
                 "join nodes at the same place, or add what is missing",
                 mesh_node_name(mesh, i).text, count[root] - 1);
            count[root] = 0;
            n_reported++;
        }
    }
    for (int k = 0; is_used && k < def->n_frame; k++) {
        int i = def->frame[k];
        if (i >= 0 && i < mesh->n_node && !is_used[i]) {
            TELL(def->frame_place, "the frame's %s belongs to no element", mesh_node_name(mesh, i).text);
        }
    }
    for (int k = 0; is_used && k < def->n_boundary; k++) {
        int i = def->boundary[k].node;
        if (i >= 0 && i < mesh->n_node && !is_used[i]) {
            TELL(def->boundary[k].place, "the boundary's %s belongs to no element",
                 mesh_node_name(mesh, i).text);
        }
    }
    free(up);
    free(count);
    free(is_used);
}

static void check_places(const bi_flex_def *def, bi_report *report)
{
    if (def->n_frame < 1) {
        TELL(def->place, "needs a frame: the node, or nodes, that stand still in the body's axes");
    }
    for (int k = 0; k < def->n_frame; k++) {
        if (def->frame[k] < 0 || def->frame[k] >= def->mesh.n_node) {
            TELL(def->frame_place, "a node of the frame is not in the mesh");
        }
    }
    for (int k = 0; k < def->n_boundary; k++) {
        if (def->boundary[k].node < 0 || def->boundary[k].node >= def->mesh.n_node) {
            TELL(def->boundary[k].place, "a node of the boundary is not in the mesh");
        }
    }
}

// Lists that a program filled in: none is shorter than nothing, or missing.
static bool has_lists(const bi_flex_def *def)
{
    const bi_fe_mesh *m = &def->mesh;
    const struct {
        int count;
        const void *list;
    } all[] = { { m->n_node, m->node },       { m->n_element, m->element },
                { m->n_section, m->section }, { m->n_material, m->material },
                { def->n_frame, def->frame }, { def->n_boundary, def->boundary } };
    bool is_good = def->n_normal >= 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        is_good = is_good && all[k].count >= 0 && (all[k].count == 0 || all[k].list);
    }
    for (int k = 0; is_good && k < def->n_boundary; k++) {
        is_good = def->boundary[k].n_vector >= 0 && def->boundary[k].n_vector <= 3;
    }
    return is_good;
}

static bool has_numbers(const bi_flex_def *def)
{
    const double all[] = { def->up_to, def->damping, def->alpha, def->beta, def->mass };
    bool is_good = true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        is_good = is_good && all[k] >= 0.0 && isfinite(all[k]);
    }
    bool is_auto = def->tolerance >= 1e-5 && def->tolerance < 1.0 && def->up_to > 0.0;
    return is_good && (def->tolerance == 0.0 || is_auto);
}

bool mesh_check(const bi_flex_def *def, bi_report *report)
{
    int errors = report->errors;
    if (!has_lists(def) || !has_numbers(def)) {
        TELL(def->place,
             has_lists(def)
                 ? "up_to, damping, alpha, beta and mass must be finite and not negative, a tolerance "
                   "from 1e-5 to 1, with up_to"
                 : "a list is missing, or its count is below zero");
        return false;
    }
    if (def->mesh.n_element < 1) {
        TELL(def->place, "has no elements");
        return false;
    }
    check_materials(def, report);
    check_sections(def, report);
    check_places(def, report);
    if (report->errors > errors) {
        return false;
    }
    check_elements(def, report);
    if (report->errors > errors) {
        return false;
    }
    check_connection(def, report);
    return report->errors == errors;
}

bool bi_flex_check(const bi_flex_def *def, bi_report *report)
{
    bi_report own = { 0 };
    bool is_good = def && mesh_check(def, report ? report : &own);
    bi_report_clear(&own);
    return is_good;
}
