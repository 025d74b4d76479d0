// SPDX-License-Identifier: MIT
// Finite-element files: which reader, and who owns what.
#include "io/fe/fe_source.h"
#include <biela/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const size_t MOST_BYTES = (size_t)1 << 31;

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path);
    size_t m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

static void clear_source(fe_source *in)
{
    for (int k = 0; k < in->n_node_set; k++) {
        free(in->node_set[k].item);
    }
    for (int k = 0; k < in->n_element_set; k++) {
        free(in->element_set[k].item);
    }
    free(in->node_set);
    free(in->element_set);
    free(in->raw);
}

static void clear_mesh(bi_fe_mesh *mesh)
{
    free(mesh->node);
    free(mesh->element);
    free(mesh->section);
    free(mesh->material);
}

static void read_by_ending(fe_source *in)
{
    if (has_ending(in->path, ".msh")) {
        fe_read_gmsh(in);
    } else if (has_ending(in->path, ".inp")) {
        fe_read_inp(in);
    } else if (has_ending(in->path, ".bdf") || has_ending(in->path, ".nas") || has_ending(in->path, ".dat")) {
        fe_read_nastran(in);
    } else {
        fe_complain_at(
            in, 1,
            "unknown ending of a mesh file; known are .msh (Gmsh), .inp (Abaqus, CalculiX), .bdf .nas "
            ".dat (Nastran)");
    }
}

// $MeshFormat, and in the next line a version and 1.
static bool is_binary_gmsh(const char *text, size_t size, const char *path)
{
    char head[64];
    size_t n = size < sizeof head - 1 ? size : sizeof head - 1;
    double version;
    int kind = 0;
    memcpy(head, text, n);
    head[n] = '\0';
    return has_ending(path, ".msh") && sscanf(head, " $MeshFormat %lf %d", &version, &kind) == 2 && kind == 1;
}

bool bi_fe_file_read_text(const char *text, size_t size, const char *path, bi_fe_units units, bi_fe_file *out,
                          bi_report *report)
{
    if (!text || !path || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no mesh to read");
        return false;
    }
    *out = (bi_fe_file){ 0 };
    fe_source in = { .text = text, .end = text + size, .report = report, .units = units };
    in.units.length = units.length > 0.0 ? units.length : 1.0;
    in.units.mass = units.mass > 0.0 ? units.mass : 1.0;
    in.path = fe_keep(&in, path);
    if (memchr(text, '\0', size) && !is_binary_gmsh(text, size, path)) {
        fe_complain_at(&in, 1, "is a binary file, and not one of Gmsh; save the mesh as text");
    } else {
        read_by_ending(&in);
    }
    bool is_good = fe_finish(&in, out);
    clear_source(&in);
    if (!is_good) {
        clear_mesh(&in.mesh);
        blocks_free(&in.memory);
        *out = (bi_fe_file){ 0 };
        return false;
    }
    blocks *memory = malloc(sizeof *memory);
    if (!memory) {
        clear_mesh(&in.mesh);
        blocks_free(&in.memory);
        *out = (bi_fe_file){ 0 };
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "no memory for the mesh");
        return false;
    }
    *memory = in.memory;
    out->memory = memory;
    out->mesh = in.mesh;
    return true;
}

bool bi_fe_file_read(const char *path, bi_fe_units units, bi_fe_file *out, bi_report *report)
{
    if (!path || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no mesh to read");
        return false;
    }
    *out = (bi_fe_file){ 0 };
    struct stat about;
    const char *why = NULL;
    FILE *file = bi_open_plain(path, &why);
    bool is_open = file && fstat(fileno(file), &about) == 0;
    size_t size = is_open && about.st_size > 0 ? (size_t)about.st_size : 0;
    char *text = is_open && size < MOST_BYTES ? malloc(size + 1) : NULL;
    bool is_read = text && fread(text, 1, size, file) == size;
    if (file) {
        fclose(file);
    }
    bool is_good = false;
    if (is_read) {
        is_good = bi_fe_file_read_text(text, size, path, units, out, report);
    } else {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "",
                      "cannot read the mesh file '%s'%s%s", path, file ? "" : ": ", file ? "" : why);
    }
    free(text);
    return is_good;
}

void bi_fe_file_clear(bi_fe_file *file)
{
    if (!file) {
        return;
    }
    clear_mesh(&file->mesh);
    if (file->memory) {
        blocks_free(file->memory);
        free(file->memory);
    }
    *file = (bi_fe_file){ 0 };
}

const bi_fe_set *bi_fe_node_set(const bi_fe_file *file, const char *name)
{
    for (int k = 0; file && name && k < file->n_node_set; k++) {
        if (strcmp(file->node_set[k].name, name) == 0) {
            return &file->node_set[k];
        }
    }
    return NULL;
}
