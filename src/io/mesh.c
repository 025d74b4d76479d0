// SPDX-License-Identifier: MIT
#include "io/mesh.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 29, MOST_CORNERS = 60 * 1000 * 1000 };

// ---- corners: three per triangle, equal places found by hashing ------------------------------------------------

typedef struct {
    mesh *m;
    int cap_vertex, cap_triangle;
    int32_t *slot; // (n_slot) vertex + 1; 0 = free
    size_t n_slot;
    bool is_full; // no memory, or more corners than can be counted
} builder;

static uint64_t place_hash(bi_vec3 p)
{
    // minus zero is zero
    double x[3] = { p.x + 0.0, p.y + 0.0, p.z + 0.0 };
    uint64_t h = 14695981039346656037u;
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        h = (h ^ bits) * 1099511628211u;
        h ^= h >> 32;
    }
    return h;
}

static bool is_same(bi_vec3 a, bi_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static size_t slot_of(const builder *b, bi_vec3 p)
{
    size_t s = (size_t)(place_hash(p) % b->n_slot);
    while (b->slot[s] && !is_same(b->m->vertex[b->slot[s] - 1], p)) {
        s = s + 1 < b->n_slot ? s + 1 : 0;
    }
    return s;
}

static bool grow_vertices(builder *b)
{
    int capacity = b->cap_vertex ? 2 * b->cap_vertex : 1024;
    bi_vec3 *vertex =
        capacity > MOST_CORNERS ? NULL : realloc(b->m->vertex, (size_t)capacity * sizeof *vertex);
    if (!vertex) {
        return false;
    }
    b->m->vertex = vertex;
    int32_t *slot = calloc(2 * (size_t)capacity, sizeof *slot);
    if (!slot) {
        return false;
    }
    free(b->slot);
    b->slot = slot;
    b->n_slot = 2 * (size_t)capacity;
    b->cap_vertex = capacity;
    for (int k = 0; k < b->m->n_vertex; k++) {
        b->slot[slot_of(b, b->m->vertex[k])] = k + 1;
    }
    return true;
}

// Index of the vertex at the place.
static int32_t vertex_at(builder *b, bi_vec3 p)
{
    if (b->m->n_vertex == b->cap_vertex && !grow_vertices(b)) {
        b->is_full = true;
        return 0;
    }
    size_t s = slot_of(b, p);
    if (!b->slot[s]) {
        b->m->vertex[b->m->n_vertex++] = p;
        b->slot[s] = b->m->n_vertex;
    }
    return b->slot[s] - 1;
}

// Triangles with two corners at the same place enclose nothing and are left out.
static void add_triangle(builder *b, int32_t i, int32_t j, int32_t k)
{
    mesh *m = b->m;
    if (i == j || j == k || k == i || b->is_full) {
        return;
    }
    if (m->n_triangle == b->cap_triangle) {
        int capacity = b->cap_triangle ? 2 * b->cap_triangle : 1024;
        void *all =
            capacity > MOST_CORNERS ? NULL : realloc(m->triangle, (size_t)capacity * sizeof *m->triangle);
        if (!all) {
            b->is_full = true;
            return;
        }
        m->triangle = all;
        b->cap_triangle = capacity;
    }
    int32_t *to = m->triangle[m->n_triangle++];
    to[0] = i;
    to[1] = j;
    to[2] = k;
}

// ---- text files ------------------------------------------------------------------------------------------------

// What the readers of a file share.
typedef struct {
    const char *path, *where;
    const char *text, *end;
    int line;
    bi_report *report;
    builder b;
} source;

static bool complain(const source *in, const char *what)
{
    bi_report_add(in->report, BI_ERROR, BI_BAD_FILE, (bi_place){ in->path, in->line, 1 }, in->where, "%s",
                  what);
    return false;
}

// The next line, cut to what fits; NULL: the end.
static const char *next_line(source *in, char *line, size_t size)
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

// Three finite numbers.
static bool read_place(const char *text, bi_vec3 *p)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        x[k] = strtod(text, &end);
        if (end == text || !isfinite(x[k])) {
            return false;
        }
        text = end;
    }
    *p = (bi_vec3){ x[0], x[1], x[2] };
    return true;
}

// ---- STL -------------------------------------------------------------------------------------------------------

static bool is_word(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0 && strchr(" \t\r", line[strlen(word)]) != NULL;
}

static bool read_stl_text(source *in)
{
    char buffer[512];
    const char *line;
    int32_t corner[3];
    int n = 0;
    while ((line = next_line(in, buffer, sizeof buffer)) != NULL) {
        bi_vec3 p;
        if (is_word(line, "facet")) {
            n = 0;
        } else if (is_word(line, "vertex")) {
            if (!read_place(line + 6, &p)) {
                return complain(in, "three numbers must follow 'vertex'");
            }
            corner[n < 3 ? n : 2] = vertex_at(&in->b, p);
            n++;
        } else if (is_word(line, "endfacet")) {
            if (n != 3) {
                return complain(in, "a facet must have three vertices");
            }
            add_triangle(&in->b, corner[0], corner[1], corner[2]);
        }
    }
    return true;
}

static uint32_t little_endian(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

static bool read_stl_binary(source *in, uint32_t count)
{
    const char *record = in->text + 84;
    for (uint32_t k = 0; k < count; k++, record += 50) {
        int32_t corner[3];
        for (int c = 0; c < 3; c++) {
            float x[3];
            for (int i = 0; i < 3; i++) {
                uint32_t bits = little_endian(record + 12 + 12 * c + 4 * i);
                memcpy(&x[i], &bits, sizeof bits);
                if (!isfinite(x[i])) {
                    return complain(in, "a coordinate is not a finite number");
                }
            }
            corner[c] = vertex_at(&in->b, (bi_vec3){ (double)x[0], (double)x[1], (double)x[2] });
        }
        add_triangle(&in->b, corner[0], corner[1], corner[2]);
    }
    return true;
}

static bool read_stl(source *in)
{
    size_t size = (size_t)(in->end - in->text);
    uint32_t count = size >= 84 ? little_endian(in->text + 80) : 0;
    // some binary files begin with "solid", too: the size decides
    if (size >= 84 && size == 84 + 50 * (size_t)count) {
        return read_stl_binary(in, count);
    }
    if (size < 6 || !is_word(in->text, "solid")) {
        return complain(
            in, "is not an STL file: neither text that begins with 'solid' nor of the size a binary one has");
    }
    return read_stl_text(in);
}

// ---- OBJ -------------------------------------------------------------------------------------------------------

typedef struct {
    int32_t *item;
    int count, capacity;
} index_list;

static bool push_index(index_list *list, int32_t value)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 1024;
        int32_t *item = capacity > MOST_CORNERS ? NULL : realloc(list->item, (size_t)capacity * sizeof *item);
        if (!item) {
            return false;
        }
        list->item = item;
        list->capacity = capacity;
    }
    list->item[list->count++] = value;
    return true;
}

// A polygon `f 1 2/2 3//1 -1`: the fan of triangles from its first corner.
static bool read_face(source *in, const index_list *places, const char *text)
{
    int32_t first = 0, before = 0;
    int n = 0;
    for (;;) {
        text += strspn(text, " \t\r");
        if (!*text) {
            break;
        }
        char *end;
        long index = strtol(text, &end, 10);
        index = index < 0 ? places->count + index : index - 1;
        if (end == text || index < 0 || index >= places->count) {
            return complain(in, "a corner of the face names a vertex that is not there");
        }
        int32_t corner = places->item[index];
        if (n >= 2) {
            add_triangle(&in->b, first, before, corner);
        }
        first = n == 0 ? corner : first;
        before = corner;
        n++;
        // what follows a slash is about pictures
        text = end + strcspn(end, " \t\r");
    }
    return n >= 3 || complain(in, "a face must have three corners or more");
}

static bool read_obj(source *in)
{
    char buffer[4096];
    const char *line;
    index_list places = { 0 };
    bool is_good = true;
    while (is_good && (line = next_line(in, buffer, sizeof buffer)) != NULL) {
        bi_vec3 p;
        if (is_word(line, "v")) {
            is_good = read_place(line + 1, &p) || complain(in, "three numbers must follow 'v'");
            in->b.is_full = is_good && !push_index(&places, vertex_at(&in->b, p)) ? true : in->b.is_full;
        } else if (is_word(line, "f")) {
            is_good = read_face(in, &places, line + 1);
        }
    }
    free(places.item);
    return is_good;
}

// ---- files -----------------------------------------------------------------------------------------------------

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    if (n < m) {
        return false;
    }
    for (size_t k = 0; k < m; k++) {
        char c = path[n - m + k];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[k]) {
            return false;
        }
    }
    return true;
}

static char *read_bytes(const char *path, size_t *size)
{
    struct stat about;
    errno = 0;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > MOST_BYTES) {
        errno = errno ? errno : S_ISREG(about.st_mode) ? EFBIG : EINVAL;
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    *size = (size_t)about.st_size;
    char *text = file ? malloc(*size + 1) : NULL;
    if (text && fread(text, 1, *size, file) != *size) {
        errno = EIO;
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    if (text) {
        text[*size] = '\0';
    }
    return text;
}

bool mesh_read(const char *path, bi_place used, const char *where, mesh *m, bi_report *report)
{
    *m = (mesh){ 0 };
    bool is_obj = has_ending(path, ".obj");
    if (!is_obj && !has_ending(path, ".stl")) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, used, where, "a mesh is a file .obj or .stl, not %s",
                      path);
        return false;
    }
    size_t size = 0;
    char *text = read_bytes(path, &size);
    if (!text) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, used, where, "%s cannot be read: %s", path,
                      errno ? strerror(errno) : "out of memory");
        return false;
    }
    source in = { path, where, text, text + size, 0, report, { .m = m } };
    bool is_good = is_obj ? read_obj(&in) : read_stl(&in);
    if (is_good && in.b.is_full) {
        is_good = complain(&in, "the mesh is too large for the memory");
    } else if (is_good && m->n_triangle == 0) {
        in.line = 0;
        is_good = complain(&in, "the mesh has no triangles");
    }
    free(in.b.slot);
    free(text);
    if (!is_good) {
        mesh_clear(m);
    }
    return is_good;
}

void mesh_clear(mesh *m)
{
    free(m->vertex);
    free(m->triangle);
    *m = (mesh){ 0 };
}
