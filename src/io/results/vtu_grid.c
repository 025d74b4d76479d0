// SPDX-License-Identifier: MIT
#include "io/results/vtu_grid.h"
#include <math.h>

// Kind of cell of VTK and its nodes; 0 nodes: not shown. The orders of nodes are the same.
static int cell_of(bi_fe_kind kind, int *n_node)
{
    static const int type[BI_FE_KIND_COUNT] = {
        [BI_FE_BEAM] = 3,     [BI_FE_TIMOSHENKO] = 3, [BI_FE_QUAD] = 9,   [BI_FE_QUAD_PLAIN] = 9,
        [BI_FE_TRIANGLE] = 5, [BI_FE_MASS] = 1,       [BI_FE_LINK] = 3,   [BI_FE_TET10] = 24,
        [BI_FE_HEX8] = 12,    [BI_FE_HEX20] = 25,     [BI_FE_SHELL4] = 9, [BI_FE_SHELL3] = 5,
        [BI_FE_WEDGE15] = 26
    };
    static const int nodes[BI_FE_KIND_COUNT] = {
        [BI_FE_BEAM] = 2,     [BI_FE_TIMOSHENKO] = 2, [BI_FE_QUAD] = 4,   [BI_FE_QUAD_PLAIN] = 4,
        [BI_FE_TRIANGLE] = 3, [BI_FE_MASS] = 1,       [BI_FE_LINK] = 2,   [BI_FE_TET10] = 10,
        [BI_FE_HEX8] = 8,     [BI_FE_HEX20] = 20,     [BI_FE_SHELL4] = 4, [BI_FE_SHELL3] = 3,
        [BI_FE_WEDGE15] = 15
    };
    *n_node = nodes[kind];
    return type[kind];
}

void vtu_head(FILE *out, const bi_fe_mesh *mesh)
{
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
            "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" "
            "NumberOfCells=\"%d\">\n",
            mesh->n_node, mesh->n_element);
}

void vtu_begin(FILE *out, const bi_fe_mesh *mesh)
{
    vtu_head(out, mesh);
    fputs("<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n", out);
    for (int i = 0; i < mesh->n_node; i++) {
        bi_vec3 at = mesh->node[i].at;
        fprintf(out, "%.9g %.9g %.9g\n", at.x, at.y, at.z);
    }
    fputs("</DataArray>\n</Points>\n", out);
}

void vtu_cells(FILE *out, const bi_fe_mesh *mesh)
{
    int n_node, sum = 0;
    fputs("<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n", out);
    for (int k = 0; k < mesh->n_element; k++) {
        cell_of(mesh->element[k].kind, &n_node);
        for (int i = 0; i < n_node; i++) {
            fprintf(out, "%d%c", mesh->element[k].node[i], i + 1 < n_node ? ' ' : '\n');
        }
    }
    fputs("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n", out);
    for (int k = 0; k < mesh->n_element; k++) {
        cell_of(mesh->element[k].kind, &n_node);
        fprintf(out, "%d\n", sum += n_node);
    }
    fputs("</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n", out);
    for (int k = 0; k < mesh->n_element; k++) {
        fprintf(out, "%d\n", cell_of(mesh->element[k].kind, &n_node));
    }
    fputs("</DataArray>\n</Cells>\n", out);
}

void vtu_numbers(FILE *out, const char *name, const double *value, int count)
{
    fprintf(out, "<DataArray type=\"Float64\" Name=\"%s\" format=\"ascii\">\n", name);
    for (int k = 0; k < count; k++) {
        // ParaView reads nan in small letters only, and no infinity
        if (isnan(value[k])) {
            fputs("nan\n", out);
        } else {
            fprintf(out, "%.9g\n", fmin(value[k], 1e300));
        }
    }
    fputs("</DataArray>\n", out);
}

void vtu_end(FILE *out) { fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out); }
