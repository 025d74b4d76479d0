// SPDX-License-Identifier: MIT
// A mesh as input of CalculiX: nodes, elements, sets, materials, sections, and a step for frequencies or for gravity.
#include <biela/fe_file.h>
#include <biela/outfile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Names of kinds there and how many nodes a line of theirs may have.
static const char *type_of(bi_fe_kind kind)
{
    switch (kind) {
    case BI_FE_TET10: return "C3D10";
    case BI_FE_HEX8: return "C3D8I";
    case BI_FE_HEX20: return "C3D20";
    case BI_FE_WEDGE15: return "C3D15";
    case BI_FE_QUAD: return "CPS4I";
    case BI_FE_QUAD_PLAIN: return "CPS4";
    case BI_FE_TRIANGLE: return "CPS3";
    case BI_FE_SHELL4: return "S4";
    case BI_FE_SHELL3: return "S3";
    case BI_FE_BEAM:
    case BI_FE_TIMOSHENKO: return "B32R";
    default: return NULL;
    }
}

static int nodes_of(bi_fe_kind kind)
{
    static const int count[BI_FE_KIND_COUNT] = { 2, 2, 4, 4, 3, 1, 2, 10, 8, 20, 4, 3, 15 };
    return count[kind];
}

// Beams there have a node in their middle: number of that of element k.
static int middle_of(const bi_fe_mesh *mesh, int k) { return mesh->n_node + k + 1; }

static void write_nodes(FILE *out, const bi_fe_mesh *mesh)
{
    fputs("*NODE, NSET=NALL\n", out);
    for (int i = 0; i < mesh->n_node; i++) {
        bi_vec3 p = mesh->node[i].at;
        fprintf(out, "%d, %.12g, %.12g, %.12g\n", i + 1, p.x, p.y, p.z);
    }
    for (int k = 0; k < mesh->n_element; k++) {
        if (bi_fe_is_beam(mesh->element[k].kind)) {
            bi_vec3 a = mesh->node[mesh->element[k].node[0]].at;
            bi_vec3 b = mesh->node[mesh->element[k].node[1]].at;
            fprintf(out, "%d, %.12g, %.12g, %.12g\n", middle_of(mesh, k), 0.5 * (a.x + b.x),
                    0.5 * (a.y + b.y), 0.5 * (a.z + b.z));
        }
    }
}

static void write_element(FILE *out, const bi_fe_mesh *mesh, int k)
{
    const bi_fe_element *e = &mesh->element[k];
    fprintf(out, "*ELEMENT, TYPE=%s, ELSET=E%d\n%d", type_of(e->kind), k + 1, k + 1);
    if (bi_fe_is_beam(e->kind)) {
        fprintf(out, ", %d, %d, %d\n", e->node[0] + 1, middle_of(mesh, k), e->node[1] + 1);
        return;
    }
    for (int i = 0; i < nodes_of(e->kind); i++) {
        fprintf(out, "%s%d", i % 10 == 9 ? ",\n" : ", ", e->node[i] + 1);
    }
    fputs("\n", out);
}

// Beams: pipes and full circles by their moments, others as rectangles of the same area and moment about y.
static void write_beam_section(FILE *out, const bi_section *s, int k, const char *material)
{
    double ratio = s->area > 0.0 ? (s->iy + s->iz) / s->area : 0.0; // (R^2 + r^2) / 2 of a ring
    double ring = s->area / 3.14159265358979323846;                 // R^2 - r^2
    double outer = sqrt(ratio + 0.5 * ring);
    double inner = sqrt(fmax(ratio - 0.5 * ring, 0.0));
    if (s->is_round) {
        fprintf(out, "*BEAM SECTION, ELSET=E%d, MATERIAL=%s, SECTION=PIPE\n%.12g, %.12g\n", k + 1, material,
                outer, outer - inner);
    } else {
        double height = sqrt(12.0 * s->iz / s->area);
        fprintf(out, "*BEAM SECTION, ELSET=E%d, MATERIAL=%s, SECTION=RECT\n%.12g, %.12g\n", k + 1, material,
                height, s->area / height);
    }
}

// The section's y axis, made perpendicular there; any that is not along the beam will do for round ones.
static void write_direction(FILE *out, const bi_fe_mesh *mesh, const bi_fe_element *e)
{
    bi_vec3 a = mesh->node[e->node[0]].at;
    bi_vec3 b = mesh->node[e->node[1]].at;
    bi_vec3 d = { b.x - a.x, b.y - a.y, b.z - a.z };
    bi_vec3 y = e->y_axis;
    if (y.x == 0.0 && y.y == 0.0 && y.z == 0.0) {
        // z x beam, or y for a beam along z
        bool is_upright = fabs(d.x) + fabs(d.y) < 1e-9 * fabs(d.z);
        y = is_upright ? (bi_vec3){ 0.0, 1.0, 0.0 } : (bi_vec3){ -d.y, d.x, 0.0 };
    }
    double length2 = d.x * d.x + d.y * d.y + d.z * d.z;
    double along = (y.x * d.x + y.y * d.y + y.z * d.z) / length2;
    y = (bi_vec3){ y.x - along * d.x, y.y - along * d.y, y.z - along * d.z };
    fprintf(out, "%.12g, %.12g, %.12g\n", y.x, y.y, y.z);
}

static void write_section(FILE *out, const bi_fe_mesh *mesh, int k)
{
    const bi_fe_element *e = &mesh->element[k];
    const bi_section *s = e->section >= 0 ? &mesh->section[e->section] : NULL;
    char material[24];
    snprintf(material, sizeof material, "M%d", e->material + 1);
    if (bi_fe_is_beam(e->kind) && s) {
        write_beam_section(out, s, k, material);
        write_direction(out, mesh, e);
    } else {
        bool is_shell = e->kind == BI_FE_SHELL4 || e->kind == BI_FE_SHELL3;
        fprintf(out, "*%s SECTION, ELSET=E%d, MATERIAL=%s\n", is_shell ? "SHELL" : "SOLID", k + 1, material);
        if (s && s->thickness > 0.0) {
            fprintf(out, "%.12g\n", s->thickness);
        }
    }
}

static void write_materials(FILE *out, const bi_fe_mesh *mesh)
{
    for (int k = 0; k < mesh->n_material; k++) {
        const bi_material *m = &mesh->material[k];
        fprintf(out, "*MATERIAL, NAME=M%d\n*ELASTIC\n%.12g, %.12g\n*DENSITY\n%.12g\n", k + 1, m->young,
                m->poisson, m->density);
    }
}

// Followers of each leader form a rigid body, moved and turned by two reference nodes.
static void write_links(FILE *out, const bi_fe_mesh *mesh, const bool *is_leader)
{
    int next = mesh->n_node + mesh->n_element + 1;
    for (int i = 0; i < mesh->n_node; i++) {
        if (!is_leader[i]) {
            continue;
        }
        bi_vec3 p = mesh->node[i].at;
        fprintf(out, "*NODE\n%d, %.12g, %.12g, %.12g\n*NSET, NSET=L%d\n", next, p.x, p.y, p.z, i + 1);
        for (int k = 0; k < mesh->n_element; k++) {
            if (mesh->element[k].kind == BI_FE_LINK && mesh->element[k].node[0] == i) {
                fprintf(out, "%d\n", mesh->element[k].node[1] + 1);
            }
        }
        fprintf(out, "*RIGID BODY, NSET=L%d, REF NODE=%d, ROT NODE=%d\n", i + 1, i + 1, next);
        next++;
    }
}

static void write_held(FILE *out, const bi_fe_mesh *mesh, const bool *is_leader, const bi_fe_step *step)
{
    int next = mesh->n_node + mesh->n_element + 1;
    fputs("*BOUNDARY\n", out);
    for (int i = 0; i < mesh->n_node; i++) {
        int rotation = next;
        next += is_leader[i];
        for (int h = 0; h < step->n_hold; h++) {
            if (step->hold[h].node != i) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                if (!step->hold[h].free[k]) {
                    fprintf(out, "%d, %d, %d\n", i + 1, k + 1, k + 1);
                }
            }
            if (step->hold[h].turns && is_leader[i]) {
                fprintf(out, "%d, 1, 3\n", rotation);
            } else if (step->hold[h].turns) {
                fprintf(out, "%d, 4, 6\n", i + 1);
            }
        }
    }
    fputs("*NSET, NSET=HELD\n", out);
    for (int h = 0; h < step->n_hold; h++) {
        fprintf(out, "%d\n", step->hold[h].node + 1);
    }
}

static bool is_written(const bi_fe_element *e) { return type_of(e->kind) && e->material >= 0; }

// What pulls, and what is wanted: displacements and reactions as text, stresses of nodes in the file of results; of
// beams the stresses of each one's own points as text, because nodes would average beams that meet.
static void write_statics(FILE *out, const bi_fe_mesh *mesh, const bi_fe_step *step)
{
    bi_vec3 a = step->gravity;
    double g = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    bool has_beams = false;
    for (int k = 0; k < mesh->n_element; k++) {
        if (bi_fe_is_beam(mesh->element[k].kind) && is_written(&mesh->element[k])) {
            fprintf(out, "%sE%d\n", has_beams ? "" : "*ELSET, ELSET=BEAMS\n", k + 1);
            has_beams = true;
        }
    }
    fputs("*STEP\n*STATIC\n", out);
    for (int k = 0; k < mesh->n_element; k++) {
        if (g > 0.0 && is_written(&mesh->element[k])) {
            fprintf(out, "*DLOAD\nE%d, GRAV, %.12g, %.12g, %.12g, %.12g\n", k + 1, g, a.x / g, a.y / g,
                    a.z / g);
        }
    }
    for (int k = 0; k < step->n_load; k++) {
        const double force[3] = { step->load[k].force.x, step->load[k].force.y, step->load[k].force.z };
        for (int i = 0; i < 3; i++) {
            if (force[i] != 0.0) {
                fprintf(out, "*CLOAD\n%d, %d, %.12g\n", step->load[k].node + 1, i + 1, force[i]);
            }
        }
    }
    fputs("*NODE PRINT, NSET=NALL\nU\n", out);
    if (step->n_hold > 0) {
        fputs("*NODE PRINT, NSET=HELD\nRF\n", out);
    }
    fputs(has_beams ? "*EL PRINT, ELSET=BEAMS\nS\n*END STEP\n" : "*EL FILE\nS\n*END STEP\n", out);
}

static bool is_usable(const bi_fe_mesh *mesh, const bi_fe_step *step)
{
    bool is_good = mesh && step && mesh->n_node > 0 && mesh->node && mesh->n_element >= 0 &&
                   (mesh->element || mesh->n_element == 0) && step->n_hold >= 0 && step->n_load >= 0 &&
                   (step->hold || step->n_hold == 0) && (step->load || step->n_load == 0);
    for (int k = 0; is_good && k < step->n_hold; k++) {
        is_good = step->hold[k].node >= 0 && step->hold[k].node < mesh->n_node;
    }
    for (int k = 0; is_good && k < step->n_load; k++) {
        is_good = step->load[k].node >= 0 && step->load[k].node < mesh->n_node;
    }
    return is_good;
}

bool bi_fe_write_inp(const char *path, const bi_fe_mesh *mesh, const bi_fe_step *step, bi_report *report)
{
    if (!path || !is_usable(mesh, step)) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "needs a file, a mesh, and holds and loads at its nodes");
        return false;
    }
    bi_outfile *output = bi_outfile_open(path, report);
    if (!output) {
        return false;
    }
    FILE *out = bi_outfile_file(output);
    bool *leads = calloc((size_t)mesh->n_node + 1, sizeof *leads);
    int n_left_out = 0;
    fputs("** written by Biela\n", out);
    write_nodes(out, mesh);
    for (int k = 0; leads && k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        if (e->kind == BI_FE_LINK) {
            leads[e->node[0]] = true;
        } else if (is_written(e)) {
            write_element(out, mesh, k);
            write_section(out, mesh, k);
        } else {
            n_left_out++;
        }
    }
    write_materials(out, mesh);
    if (leads) {
        write_links(out, mesh, leads);
        write_held(out, mesh, leads, step);
    }
    if (step->n_mode > 0) {
        fprintf(out, "*STEP\n*FREQUENCY\n%d\n*END STEP\n", step->n_mode);
    } else {
        write_statics(out, mesh, step);
    }
    free(leads);
    if (n_left_out > 0) {
        bi_report_add(report, BI_WARNING, BI_BAD_MODEL, (bi_place){ 0 }, "",
                      "%d masses or elements without material are not written", n_left_out);
    }
    return bi_outfile_commit(output, report) == BI_OK;
}
