// SPDX-License-Identifier: MIT
// Flexible bodies as files of VTK: an unstructured grid per frame and body, and the list of them. All of them appear
// together at the end, so that the list of an earlier run never names frames of this one.
#include "io/flex/flex_paint.h"
#include "io/results/vtu_grid.h"
#include <biela/outfile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bi_pvd {
    char *path;        // FILE.pvd
    bi_outfile *list;  // of the frames
    bi_outfile **grid; // (n_grid) closed, waiting for their names
    int n_grid, room;  // of `grid`
    flex_paint *body;  // (n_body)
    int n_body, frame;
    bi_report trouble; // what could not be written
};

static void write_points(FILE *out, const flex_paint *p, const bi_vec3 *undeformed)
{
    int n = bi_flex_mesh(p->flex)->n_node;
    fputs("<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n", out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%.9g %.9g %.9g\n", p->at[i].x, p->at[i].y, p->at[i].z);
    }
    fputs("</DataArray>\n</Points>\n<PointData Scalars=\"mises\" Vectors=\"displacement\">\n", out);
    fputs("<DataArray type=\"Float64\" Name=\"mises\" format=\"ascii\">\n", out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%.9g\n", p->stress[i]);
    }
    fputs("</DataArray>\n<DataArray type=\"Float64\" Name=\"displacement\" NumberOfComponents=\"3\" "
          "format=\"ascii\">\n",
          out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%.9g %.9g %.9g\n", p->at[i].x - undeformed[i].x, p->at[i].y - undeformed[i].y,
                p->at[i].z - undeformed[i].z);
    }
    fputs("</DataArray>\n</PointData>\n", out);
}

static void write_forces(FILE *out, const flex_paint *p)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(p->flex);
    double force[6];
    fputs("<CellData>\n<DataArray type=\"Int64\" Name=\"element\" format=\"ascii\">\n", out);
    for (int k = 0; k < mesh->n_element; k++) {
        fprintf(out, "%lld\n", (long long)(mesh->element[k].number ? mesh->element[k].number : k + 1));
    }
    fputs("</DataArray>\n<DataArray type=\"Float64\" Name=\"section\" NumberOfComponents=\"6\" "
          "ComponentName0=\"N\" "
          "ComponentName1=\"Vy\" ComponentName2=\"Vz\" ComponentName3=\"Mt\" ComponentName4=\"My\" "
          "ComponentName5=\"Mz\" format=\"ascii\">\n",
          out);
    for (int k = 0; k < mesh->n_element; k++) {
        flex_paint_forces(p, k, force);
        fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g\n", force[0], force[1], force[2], force[3], force[4],
                force[5]);
    }
    fputs("</DataArray>\n</CellData>\n", out);
}

// Closed, under its other name. NULL: reported.
static bi_outfile *write_grid(const char *path, flex_paint *p, bi_pose pose, bi_report *report)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(p->flex);
    bi_vec3 *undeformed = calloc((size_t)mesh->n_node + 1, sizeof *undeformed);
    double *none = calloc((size_t)bi_flex_modes(p->flex)->n_mode + 1, sizeof *none);
    bi_outfile *grid = undeformed && none ? bi_outfile_open(path, report) : NULL;
    if (grid) {
        FILE *out = bi_outfile_file(grid);
        bi_flex_deformed(p->flex, none, pose, undeformed);
        flex_paint_nodes(p, pose);
        vtu_head(out, mesh);
        write_points(out, p, undeformed);
        vtu_cells(out, mesh);
        write_forces(out, p);
        vtu_end(out);
        // a run has more frames than a process may have files open
        if (bi_outfile_close(grid) != BI_OK) {
            (void)bi_outfile_commit(grid, report); // says why, and discards it
            grid = NULL;
        }
    }
    if (!undeformed || !none) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    free(undeformed);
    free(none);
    return grid;
}

// ---- the list ----------------------------------------------------------------------------------------------------

static char *joined(const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, "%s%s", a, b);
    }
    return text;
}

bi_pvd *bi_pvd_create(const char *path, const bi_model *model, bi_report *report)
{
    if (!path || !model) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "frames need a file and a model");
        return NULL;
    }
    bi_pvd *pvd = calloc(1, sizeof *pvd);
    if (pvd) {
        pvd->path = joined(path, "");
        pvd->n_body = flex_paint_all(model, &pvd->body);
    }
    if (!pvd || !pvd->path || pvd->n_body < 0) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    } else if (pvd->n_body == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "",
                      "there is no flexible body to show: only bodies with 'flex' have stresses");
    } else {
        pvd->list = bi_outfile_open(path, report);
    }
    if (!pvd || !pvd->list) {
        bi_pvd_discard(pvd);
        return NULL;
    }
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          bi_outfile_file(pvd->list));
    return pvd;
}

// Takes the grid; false: no memory, and it is discarded.
static bool keep_grid(bi_pvd *pvd, bi_outfile *grid)
{
    if (pvd->n_grid == pvd->room) {
        int room = pvd->room > 0 ? 2 * pvd->room : 64;
        bi_outfile **longer = realloc(pvd->grid, (size_t)room * sizeof(bi_outfile *));
        if (!longer) {
            bi_report_add(&pvd->trouble, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
            bi_outfile_discard(grid);
            return false;
        }
        pvd->grid = longer;
        pvd->room = room;
    }
    pvd->grid[pvd->n_grid++] = grid;
    return true;
}

// FILE-BODY-0007.vtu, and its name in the list, which is relative to it.
static bool put(bi_pvd *pvd, flex_paint *p, bi_pose pose, double t)
{
    size_t stem = strlen(pvd->path), size = stem + strlen(p->name) + 32;
    char *path = malloc(size);
    if (!path) {
        bi_report_add(&pvd->trouble, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    stem -= stem > 4 && strcmp(pvd->path + stem - 4, ".pvd") == 0 ? 4 : 0;
    snprintf(path, size, "%.*s-%s-%04d.vtu", (int)stem, pvd->path, p->name, pvd->frame);
    const char *slash = strrchr(path, '/');
    bi_outfile *grid = write_grid(path, p, pose, &pvd->trouble);
    fprintf(bi_outfile_file(pvd->list), "<DataSet timestep=\"%.9g\" part=\"%d\" file=\"%s\"/>\n", t,
            p->body.i, slash ? slash + 1 : path);
    free(path);
    return grid && keep_grid(pvd, grid);
}

bi_status bi_pvd_frame(bi_pvd *pvd, bi_sim *sim)
{
    bi_view view = bi_sim_view(sim);
    if (!pvd || view.n_body == 0) {
        return !pvd || !sim ? BI_BAD_ARGUMENT : BI_NOT_STARTED;
    }
    bool is_good = true;
    for (int k = 0; k < pvd->n_body; k++) {
        flex_paint *p = &pvd->body[k];
        (void)bi_sim_modes(sim, p->body, p->eta);
        view = bi_sim_view(sim);
        is_good = put(pvd, p, view.pose[p->body.i - 1], view.t) && is_good;
    }
    pvd->frame++;
    return is_good ? BI_OK : BI_BAD_FILE;
}

static double size_of(const bi_fe_mesh *mesh)
{
    double size = 0.0;
    for (int i = 0; i < mesh->n_node; i++) {
        bi_vec3 a = mesh->node[0].at, b = mesh->node[i].at;
        size = fmax(size, hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z));
    }
    return size;
}

bi_status bi_pvd_modes(bi_pvd *pvd, bi_body body)
{
    if (!pvd) {
        return BI_BAD_ARGUMENT;
    }
    for (int k = 0; k < pvd->n_body; k++) {
        flex_paint *p = &pvd->body[k];
        const bi_modes *modes = bi_flex_modes(p->flex);
        for (int m = 0; p->body.i == body.i && m < modes->n_mode; m++) {
            double largest = 0.0;
            for (int i = 0; i < bi_flex_mesh(p->flex)->n_node; i++) {
                bi_vec3 s = modes->shape[(size_t)m * (size_t)modes->n_node + (size_t)i];
                largest = fmax(largest, hypot(hypot(s.x, s.y), s.z));
            }
            memset(p->eta, 0, (size_t)modes->n_mode * sizeof *p->eta);
            p->eta[m] = largest > 0.0 ? 0.1 * size_of(bi_flex_mesh(p->flex)) / largest : 0.0;
            if (!put(pvd, p, (bi_pose){ .rot.w = 1.0 }, bi_flex_facts_of(p->flex).hz[m])) {
                return BI_BAD_FILE;
            }
            pvd->frame++;
        }
    }
    return BI_OK;
}

static void pvd_free(bi_pvd *pvd)
{
    for (int k = 0; k < pvd->n_grid; k++) {
        bi_outfile_discard(pvd->grid[k]);
    }
    bi_outfile_discard(pvd->list);
    bi_report_clear(&pvd->trouble);
    flex_paint_free(pvd->body, pvd->n_body);
    free(pvd->grid);
    free(pvd->path);
    free(pvd);
}

bi_status bi_pvd_close(bi_pvd *pvd, bi_report *report)
{
    if (!pvd) {
        return BI_OK;
    }
    bi_status status = pvd->trouble.errors == 0 ? BI_OK : BI_BAD_FILE;
    fputs("</Collection>\n</VTKFile>\n", bi_outfile_file(pvd->list));
    if (status == BI_OK && bi_outfile_failure(pvd->list)) {
        status = bi_outfile_commit(pvd->list, report); // says why, and discards it
        pvd->list = NULL;
    }
    for (int k = 0; k < pvd->n_grid && status == BI_OK; k++) {
        status = bi_outfile_commit(pvd->grid[k], report);
        pvd->grid[k] = NULL;
    }
    if (status == BI_OK) {
        status = bi_outfile_commit(pvd->list, report);
        pvd->list = NULL;
    }
    if (pvd->trouble.count > 0) {
        const bi_issue *first = &pvd->trouble.issue[0];
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, first->place, "", "%s", first->what);
    }
    pvd_free(pvd);
    return status;
}

void bi_pvd_discard(bi_pvd *pvd)
{
    if (pvd) {
        pvd_free(pvd);
    }
}
