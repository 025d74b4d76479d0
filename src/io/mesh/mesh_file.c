// SPDX-License-Identifier: MIT
// Mesh files: which reader, what the repair says.
#include "io/mesh/mesh_source.h"
#include <biela/io.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 30, MOST_ITEMS = 60 * 1000 * 1000, MOST_COMPLAINTS = 20 };

// ---- what the readers share ------------------------------------------------------------------------------------

const char *mesh_next_line(mesh_source *in, char *line, size_t size)
{
    if (in->text >= in->end) {
        return NULL;
    }
    const char *stop = memchr(in->text, '\n', (size_t)(in->end - in->text));
    stop = stop ? stop : in->end;
    size_t length = (size_t)(stop - in->text);
    length = length < size ? length : size - 1;
    memcpy(line, in->text, length);
    line[length] = '\0';
    in->text = stop < in->end ? stop + 1 : in->end;
    in->line++;
    return line + strspn(line, " \t\r");
}

bool mesh_is_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && strchr(" \t\r", line[length]) != NULL;
}

bool mesh_read_place(const mesh_source *in, const char *text, bi_vec3 *p)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        x[k] = strtod(text, &end) * in->scale;
        if (end == text || !isfinite(x[k])) {
            return false;
        }
        text = end;
    }
    *p = (bi_vec3){ x[0], x[1], x[2] };
    return true;
}

void mesh_complain(mesh_source *in, const char *format, ...)
{
    if (++in->n_complaint > MOST_COMPLAINTS) {
        return;
    }
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    // what is wrong with the file as a whole is reported at its beginning
    bi_report_add(in->report, BI_ERROR, BI_BAD_FILE, (bi_place){ in->path, in->line > 0 ? in->line : 1, 1 },
                  in->where, "%s", text);
}

static bool grow(void **items, int *capacity, size_t item)
{
    int wider = *capacity ? 2 * *capacity : 1024;
    void *more = wider > 2 * MOST_ITEMS ? NULL : realloc(*items, (size_t)wider * item);
    if (more) {
        *items = more;
        *capacity = wider;
    }
    return more != NULL;
}

int32_t mesh_add_vertex(mesh_source *in, bi_vec3 p)
{
    bi_mesh *m = &in->mesh;
    if (in->is_full ||
        (m->n_vertex == in->cap_vertex && !grow((void **)&m->vertex, &in->cap_vertex, sizeof p))) {
        in->is_full = true;
        return 0;
    }
    m->vertex[m->n_vertex] = p;
    return m->n_vertex++;
}

void mesh_add_triangle(mesh_source *in, int32_t i, int32_t j, int32_t k)
{
    bi_mesh *m = &in->mesh;
    if (in->is_full || (m->n_triangle == in->cap_triangle &&
                        !grow((void **)&m->triangle, &in->cap_triangle, sizeof *m->triangle))) {
        in->is_full = true;
        return;
    }
    int32_t *to = m->triangle[m->n_triangle++];
    to[0] = i;
    to[1] = j;
    to[2] = k;
}

// ---- what the repair says --------------------------------------------------------------------------------------

static double size_of(const bi_mesh *m)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < m->n_vertex; k++) {
        const double x[3] = { m->vertex[k].x, m->vertex[k].y, m->vertex[k].z };
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], x[i]);
            high[i] = fmax(high[i], x[i]);
        }
    }
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        size = fmax(size, high[i] - low[i]);
    }
    return size;
}

static void report_count(const mesh_source *in, bi_severity severity, int count, const char *what)
{
    if (count > 0) {
        bi_report_add(in->report, severity, BI_OK, (bi_place){ in->path, 0, 0 }, in->where, "%d %s", count,
                      what);
    }
}

static void report_repairs(const mesh_source *in, const bi_mesh *mesh, const bi_mesh_repairs *r, bool is_stl)
{
    // every triangle of an STL file brings its own corners: welding them is no news
    report_count(in, BI_NOTE, is_stl ? 0 : r->welded,
                 "vertices at the place of another one were joined with it");
    report_count(in, BI_NOTE, is_stl ? 0 : r->unused, "vertices of no triangle were dropped");
    report_count(in, BI_WARNING, r->degenerate, "triangles without area were dropped");
    report_count(in, BI_WARNING, r->duplicate, "triangles that were there twice were dropped");
    report_count(in, BI_WARNING, r->reversed, "triangles that ran against their neighbours were turned over");
    report_count(in, BI_WARNING, r->flipped, "shells that were inside out were turned over");
    report_count(in, BI_WARNING, r->crowded,
                 "edges have more than two triangles; inside and outside are not clear there");
    report_count(
        in, BI_WARNING, r->open,
        "edges have one triangle only: the mesh is open; close it, or use it as a sheet seen from its front");
    // most files in the wrong unit are of millimetres or of metres taken for millimetres
    double size = size_of(mesh);
    if (size > 1e3 || size < 1e-4) {
        bi_report_add(in->report, BI_WARNING, BI_OK, (bi_place){ in->path, 0, 0 }, in->where,
                      "the mesh is %.3g m long; is the unit right? A file in millimetres has scale 0.001",
                      size);
    }
}

// ---- files -----------------------------------------------------------------------------------------------------

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    for (size_t k = 0; n >= m && k < m; k++) {
        char c = path[n - m + k];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[k]) {
            return false;
        }
    }
    return n >= m;
}

// By its ending; false: reported.
static bool is_mesh_name(const char *path, bi_place used, const char *where, bi_report *report)
{
    bool is_mesh = has_ending(path, ".obj") || has_ending(path, ".stl");
    if (!is_mesh) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, used, where, "a mesh is a file .obj or .stl, not %s",
                      path);
    }
    return is_mesh;
}

static void repair(mesh_source *in, bool is_stl, bi_mesh_repairs *repairs)
{
    in->line = 0;
    if (in->is_full) {
        mesh_complain(in, "the mesh is too large for the memory");
    }
    if (in->n_complaint > 0) {
        return;
    }
    if (in->mesh.n_triangle == 0) {
        mesh_complain(in, "the mesh has no triangles");
        return;
    }
    bi_status status = bi_mesh_repair(&in->mesh, 0.0, repairs);
    if (status != BI_OK) {
        mesh_complain(in, "%s",
                      status == BI_BAD_MODEL ? "a coordinate is beyond 1e60 m; is the unit right?"
                                             : bi_status_text(status));
    } else if (in->mesh.n_triangle == 0) {
        mesh_complain(in, "all %d triangles of the mesh are without area", repairs->degenerate);
    } else {
        report_repairs(in, &in->mesh, repairs, is_stl);
    }
}

bool bi_mesh_read_text(const char *text, size_t length, const char *path, double scale, bi_place used,
                       const char *where, bi_mesh *mesh, bi_mesh_repairs *repairs, bi_report *report)
{
    bi_mesh_repairs unused;
    repairs = repairs ? repairs : &unused;
    where = where ? where : "";
    if (!text || !path || !mesh) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, used, where, "there is no mesh to read");
        return false;
    }
    bool is_obj = has_ending(path, ".obj"), is_stl = has_ending(path, ".stl");
    *mesh = (bi_mesh){ 0 };
    *repairs = (bi_mesh_repairs){ 0 };
    if (!is_mesh_name(path, used, where, report)) {
        return false;
    }
    if (!(scale >= 0.0) || !isfinite(scale)) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, used, where,
                      "the scale of a mesh must be positive: the length of the file's unit in m");
        return false;
    }
    // numbers are read by the C library, which wants an end: a copy with a zero behind it
    char *copy = malloc(length + 1);
    if (!copy) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, used, where, "no memory for the mesh");
        return false;
    }
    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    mesh_source in = { .path = path,
                       .where = where,
                       .text = copy,
                       .end = copy + length,
                       .scale = scale > 0.0 ? scale : 1.0,
                       .report = report };
    if (is_obj) {
        mesh_read_obj(&in);
    } else {
        mesh_read_stl(&in);
    }
    repair(&in, is_stl, repairs);
    free(copy);
    if (in.n_complaint > MOST_COMPLAINTS) {
        bi_report_add(report, BI_NOTE, BI_BAD_FILE, (bi_place){ path, 0, 0 }, where,
                      "and %d more mistakes like these", in.n_complaint - MOST_COMPLAINTS);
    }
    if (in.n_complaint > 0) {
        bi_mesh_clear(&in.mesh);
        *repairs = (bi_mesh_repairs){ 0 };
    }
    *mesh = in.mesh;
    return in.n_complaint == 0;
}

// NULL: `why` says why not.
static char *read_bytes(const char *path, size_t *size, const char **why)
{
    struct stat about;
    FILE *file = bi_open_plain(path, why);
    if (!file) {
        return NULL;
    }
    bool is_small = fstat(fileno(file), &about) == 0 && about.st_size <= MOST_BYTES;
    *size = is_small ? (size_t)about.st_size : 0;
    char *text = is_small ? malloc(*size + 1) : NULL;
    *why = !is_small ? "it is too large" : !text ? "out of memory" : "it ends too early";
    if (text && fread(text, 1, *size, file) != *size) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

bool bi_mesh_read(const char *path, double scale, bi_place used, const char *where, bi_mesh *mesh,
                  bi_mesh_repairs *repairs, bi_report *report)
{
    bi_mesh_repairs unused;
    repairs = repairs ? repairs : &unused;
    if (!path || !mesh) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, used, where, "there is no mesh to read");
        return false;
    }
    size_t size = 0;
    *mesh = (bi_mesh){ 0 };
    *repairs = (bi_mesh_repairs){ 0 };
    if (!is_mesh_name(path, used, where ? where : "", report)) {
        return false;
    }
    const char *why = "";
    char *text = read_bytes(path, &size, &why);
    if (!text) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, used, where ? where : "",
                      "the mesh %s cannot be read: %s", path, why);
        return false;
    }
    bool is_good = bi_mesh_read_text(text, size, path, scale, used, where, mesh, repairs, report);
    free(text);
    return is_good;
}
