// SPDX-License-Identifier: MIT
// The contents of glTF 2.0 files: a page that draws them believes every number, so that wrong ones hang it or draw nothing.
#include "io/mesh/gltf_check.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 20, DEEPEST = 400, PLACE = 96 };
// of all that one accessor, or one buffer, may hold
static const double most_bytes = 1 << 28;

typedef struct {
    unsigned char *bytes; // (has) NULL: not known
    size_t has;
    double length; // as the file says
} gltf_buffer;

// Where the bytes of a view begin, and how many.
typedef struct {
    bool is_good;
    int buffer;
    double from, length, stride;
} gltf_view;

typedef struct {
    bool is_good;
    int component, size, width; // its number in glTF, bytes of one, numbers of an element
    size_t count, stride;
    const unsigned char *at; // NULL: zeros, or not known
} gltf_accessor;

typedef struct {
    const gltf_file *file;
    const bi_document *doc;
    gltf_buffer *buffer;
    gltf_view *view;
    gltf_accessor *accessor;
    int n_buffer, n_view, n_accessor, told;
} gltf;

// ---- telling and asking ---------------------------------------------------------------------------------------------

static void complain(gltf *g, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void complain(gltf *g, const char *place, const char *format, ...)
{
    char text[256];
    va_list list;
    if (++g->told > MOST_TOLD) {
        return;
    }
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    // what is missing has the place of what it is missing in
    char near[2 * PLACE];
    snprintf(near, sizeof near, "%s", place);
    bi_place at = bi_document_place(g->doc, near);
    while (at.line == 0 && strrchr(near, '.')) {
        *strrchr(near, '.') = '\0';
        at = bi_document_place(g->doc, near);
    }
    bi_report_add(g->file->report, BI_ERROR, BI_BAD_FILE, (bi_place){ g->file->path, at.line, at.column },
                  g->file->where, "%s: %s%s", place, text,
                  g->told == MOST_TOLD ? "; more mistakes of this file are not told" : "");
}

static void join(char out[PLACE], const char *list, int k, const char *key)
{
    snprintf(out, PLACE, "%.60s.%d%s%.24s", list, k, key[0] ? "." : "", key);
}

// A whole number that may be there; false: it is not, or it is wrong and told.
static bool ask(gltf *g, const char *place, double least, double most, double *out)
{
    const char *text = bi_document_text(g->doc, place);
    if (!text && bi_document_place(g->doc, place).line == 0) {
        return false;
    }
    if (!bi_document_number(g->doc, place, out) || *out != floor(*out) || *out < least || *out > most) {
        complain(g, place, "a whole number from %.0f to %.0f is needed, not '%.20s'", least, most,
                 text ? text : "a list");
        return false;
    }
    return true;
}

// One that must be there.
static bool need(gltf *g, const char *place, double least, double most, double *out)
{
    int told = g->told;
    bool is_there = ask(g, place, least, most, out);
    if (!is_there && g->told == told) {
        complain(g, place, "is missing: a whole number from %.0f to %.0f", least, most);
    }
    return is_there;
}

// The number of an entry in one of the file's lists; -1: none, or it is wrong and told.
static int entry(gltf *g, const char *place, const char *list)
{
    const char *text = bi_document_text(g->doc, place);
    int count = bi_document_count(g->doc, list);
    double value = -1.0;
    if (!text) {
        return -1;
    }
    if (!bi_document_number(g->doc, place, &value) || value != floor(value) || value < 0.0 ||
        value >= count) {
        complain(g, place, "there is no entry '%.20s' in %s, which has %d", text, list, count);
        return -1;
    }
    return (int)value;
}

// ---- buffers and what lies in them ----------------------------------------------------------------------------------

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// base64 behind the comma of "data:...;base64,..."; NULL: it is none.
static unsigned char *decode(const char *uri, size_t *size)
{
    const char *text = strstr(uri, ";base64,");
    unsigned char *out = text ? malloc(strlen(text) + 1) : NULL;
    unsigned held = 0, bits = 0;
    *size = 0;
    for (text = text ? text + 8 : ""; out && *text && *text != '='; text++) {
        int digit = digit_of(*text);
        if (digit < 0) {
            free(out);
            return NULL;
        }
        held = (held << 6 | (unsigned)digit) & 0xffffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[(*size)++] = (unsigned char)(held >> bits & 0xff);
        }
    }
    return out;
}

static void take_bytes(gltf *g, gltf_buffer *b, int k, const char *place)
{
    const char *uri = bi_document_text(g->doc, place);
    if (uri && strncmp(uri, "data:", 5) == 0) {
        b->bytes = decode(uri, &b->has);
        if (!b->bytes) {
            complain(g, place, "the data in the file are not base64");
        }
    } else if (uri) {
        b->bytes = (unsigned char *)g->file->open(g->file->data, uri, &b->has);
    } else if (k == 0 && g->file->binary) {
        b->bytes = malloc(g->file->n_binary + 1);
        b->has = b->bytes ? g->file->n_binary : 0;
        if (b->bytes) {
            memcpy(b->bytes, g->file->binary, b->has);
        }
    } else {
        complain(g, place, "the buffer has no bytes: neither 'uri', nor a part of a .glb");
    }
}

static void check_buffers(gltf *g)
{
    char place[PLACE];
    for (int k = 0; k < g->n_buffer; k++) {
        gltf_buffer *b = &g->buffer[k];
        join(place, "buffers", k, "uri");
        take_bytes(g, b, k, place);
        join(place, "buffers", k, "byteLength");
        if (need(g, place, 1.0, most_bytes, &b->length) && b->bytes && b->length > (double)b->has) {
            complain(g, place, "%.0f bytes are promised, and there are %zu", b->length, b->has);
            b->length = (double)b->has;
        }
    }
}

static void check_view(gltf *g, int k, gltf_view *v)
{
    char place[PLACE];
    join(place, "bufferViews", k, "buffer");
    double buffer = 0.0;
    if (!need(g, place, 0.0, (double)g->n_buffer - 1.0, &buffer)) {
        return;
    }
    v->buffer = (int)buffer;
    join(place, "bufferViews", k, "byteOffset");
    (void)ask(g, place, 0.0, most_bytes, &v->from);
    join(place, "bufferViews", k, "byteStride");
    (void)ask(g, place, 4.0, 252.0, &v->stride);
    join(place, "bufferViews", k, "byteLength");
    if (!need(g, place, 1.0, most_bytes, &v->length)) {
        return;
    }
    double has = g->buffer[v->buffer].length;
    v->is_good = v->from + v->length <= has;
    if (!v->is_good) {
        complain(g, place, "bytes %.0f to %.0f lie outside of buffer %d, which has %.0f", v->from,
                 v->from + v->length, v->buffer, has);
    }
}

static bool kind_of(gltf *g, int k, gltf_accessor *a)
{
    static const struct {
        const char *name;
        int width;
    } type[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 },
                 { "MAT2", 4 },   { "MAT3", 9 }, { "MAT4", 16 } };
    static const int size[] = { 1, 1, 2, 2, 0, 4, 4 };
    char place[PLACE];
    double component = 0.0;
    join(place, "accessors", k, "componentType");
    if (!need(g, place, 5120.0, 5126.0, &component)) {
        return false;
    }
    if (component == 5124.0) {
        complain(g, place, "there are no numbers of type 5124");
        return false;
    }
    a->component = (int)component;
    a->size = size[a->component - 5120];
    join(place, "accessors", k, "type");
    const char *name = bi_document_text(g->doc, place);
    for (size_t i = 0; name && i < sizeof type / sizeof *type; i++) {
        a->width = strcmp(name, type[i].name) == 0 ? type[i].width : a->width;
    }
    if (a->width == 0) {
        complain(g, place, "'%.20s' is none of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4", name ? name : "");
    }
    return a->width > 0;
}

// Numbers that lie in a view, one element every `stride` bytes.
static bool place_in_view(gltf *g, int k, gltf_accessor *a)
{
    char place[PLACE];
    double offset = 0.0, element = a->size * a->width;
    join(place, "accessors", k, "bufferView");
    int view = entry(g, place, "bufferViews");
    if (view < 0) {
        return bi_document_text(g->doc, place) == NULL; // zeros
    }
    gltf_view v = g->view[view];
    if (!v.is_good) {
        return false; // told with the views
    }
    join(place, "accessors", k, "byteOffset");
    (void)ask(g, place, 0.0, most_bytes, &offset);
    join(place, "accessors", k, "");
    a->stride = (size_t)(v.stride > 0.0 ? v.stride : element);
    double end = offset + (double)a->stride * ((double)a->count - 1.0) + element;
    if (end > v.length) {
        complain(g, place, "%zu elements end at byte %.0f of view %d, which has %.0f", a->count, end, view,
                 v.length);
        return false;
    }
    if (fmod(offset + v.from, a->size) != 0.0 || a->stride % (size_t)a->size != 0) {
        complain(g, place, "numbers of %d bytes must begin at a multiple of %d, and these begin at %.0f",
                 a->size, a->size, offset + v.from);
        return false;
    }
    const gltf_buffer *b = &g->buffer[v.buffer];
    a->at = b->bytes && v.from + v.length <= (double)b->has ? b->bytes + (size_t)(v.from + offset) : NULL;
    return true;
}

static void check_accessors(gltf *g)
{
    char place[PLACE];
    double count = 0.0;
    for (int k = 0; k < g->n_accessor; k++) {
        gltf_accessor *a = &g->accessor[k];
        if (!kind_of(g, k, a)) {
            continue;
        }
        join(place, "accessors", k, "count");
        if (!need(g, place, 1.0, floor(most_bytes / (a->size * a->width)), &count)) {
            continue;
        }
        a->count = (size_t)count;
        a->is_good = place_in_view(g, k, a);
        join(place, "accessors", k, "sparse.count");
        if (ask(g, place, 1.0, count, &count)) {
            a->at = NULL; // what it becomes is not looked at
            join(place, "accessors", k, "sparse.values.bufferView");
            (void)entry(g, place, "bufferViews");
            join(place, "accessors", k, "sparse.indices.bufferView");
            (void)entry(g, place, "bufferViews");
        }
    }
}

// ---- meshes, nodes, materials ---------------------------------------------------------------------------------------

static void check_positions(gltf *g, const char *place, const gltf_accessor *a)
{
    if (a->width != 3) {
        complain(g, place, "places are VEC3, and these are not");
    }
    for (size_t i = 0; a->component == 5126 && a->at && i < a->count; i++) {
        for (int c = 0; c < a->width; c++) {
            float x;
            memcpy(&x, a->at + i * a->stride + 4 * (size_t)c, sizeof x);
            if (!isfinite(x)) {
                complain(g, place, "vertex %zu is no finite place: one of its numbers is %g", i, (double)x);
                return;
            }
        }
    }
}

static void check_indices(gltf *g, const char *place, const gltf_accessor *a, size_t n_vertex)
{
    if (a->width != 1 || (a->component != 5121 && a->component != 5123 && a->component != 5125)) {
        complain(g, place, "indices are SCALAR of 5121, 5123 or 5125, and these are not");
        return;
    }
    for (size_t i = 0; a->at && i < a->count; i++) {
        const unsigned char *b = a->at + i * a->stride;
        size_t index = b[0];
        for (int c = 1; c < a->size; c++) {
            index |= (size_t)b[c] << (8 * c);
        }
        if (index >= n_vertex) {
            complain(g, place, "index %zu is %zu, and there are %zu vertices", i, index, n_vertex);
            return;
        }
    }
}

static void check_primitive(gltf *g, const char *at)
{
    char place[2 * PLACE], list[PLACE + 16];
    size_t n_vertex = 0;
    snprintf(list, sizeof list, "%s.attributes", at);
    snprintf(place, sizeof place, "%s.POSITION", list);
    int position = entry(g, place, "accessors");
    if (position < 0 && !bi_document_text(g->doc, place)) {
        complain(g, at, "there is no attribute POSITION");
    } else if (position >= 0 && g->accessor[position].is_good) {
        n_vertex = g->accessor[position].count;
        check_positions(g, place, &g->accessor[position]);
    }
    for (int k = 0; k < bi_document_count(g->doc, list); k++) {
        snprintf(place, sizeof place, "%s.%.40s", list, bi_document_key(g->doc, list, k));
        int other = entry(g, place, "accessors");
        if (other >= 0 && n_vertex > 0 && g->accessor[other].is_good &&
            g->accessor[other].count != n_vertex) {
            complain(g, place, "there are %zu of them, and %zu vertices", g->accessor[other].count, n_vertex);
        }
    }
    snprintf(place, sizeof place, "%s.indices", at);
    int indices = entry(g, place, "accessors");
    if (indices >= 0 && n_vertex > 0 && g->accessor[indices].is_good) {
        check_indices(g, place, &g->accessor[indices], n_vertex);
    }
    snprintf(place, sizeof place, "%s.material", at);
    (void)entry(g, place, "materials");
}

static void check_meshes(gltf *g)
{
    char list[PLACE], place[PLACE];
    for (int k = 0; k < bi_document_count(g->doc, "meshes"); k++) {
        join(list, "meshes", k, "primitives");
        int count = bi_document_count(g->doc, list);
        if (count == 0) {
            complain(g, list, "a mesh needs a list of primitives");
        }
        for (int i = 0; i < count; i++) {
            join(place, list, i, "");
            check_primitive(g, place);
        }
    }
}

// Each node has one parent at most, and is not among its own ancestors.
static void check_tree(gltf *g, const int *parent, int count)
{
    char place[PLACE];
    for (int k = 0; k < count; k++) {
        int up = k, depth = 0;
        while (up >= 0 && depth <= DEEPEST && (depth == 0 || up != k)) {
            up = parent[up];
            depth++;
        }
        join(place, "nodes", k, "");
        if (up == k && depth > 0) {
            complain(g, place, "the node is among its own children: a circle of %d", depth);
            return;
        }
        if (depth > DEEPEST) {
            complain(g, place, "the node lies deeper than %d others, or below a circle", DEEPEST);
            return;
        }
    }
}

static void check_children(gltf *g, int k, int *parent)
{
    char list[PLACE], place[PLACE];
    join(list, "nodes", k, "children");
    for (int i = 0; i < bi_document_count(g->doc, list); i++) {
        join(place, list, i, "");
        int child = entry(g, place, "nodes");
        if (child >= 0 && parent[child] >= 0) {
            complain(g, place, "node %d is a child of node %d already, and each has one parent", child,
                     parent[child]);
        } else if (child >= 0) {
            parent[child] = k;
        }
    }
}

// Numbers of a node's place, if it is given.
static void check_numbers(gltf *g, int k, const char *key, int count)
{
    char list[PLACE], place[PLACE];
    join(list, "nodes", k, key);
    int n = bi_document_count(g->doc, list);
    if (bi_document_place(g->doc, list).line > 0 && n != count) {
        complain(g, list, "%d numbers are needed, and there are %d", count, n);
    }
    for (int i = 0; i < n; i++) {
        double unused;
        join(place, list, i, "");
        if (!bi_document_number(g->doc, place, &unused)) {
            complain(g, place, "a finite number is needed");
        }
    }
}

static void check_nodes(gltf *g)
{
    int count = bi_document_count(g->doc, "nodes");
    int *parent = malloc(((size_t)count + 1) * sizeof *parent);
    char place[PLACE];
    for (int k = 0; parent && k < count; k++) {
        parent[k] = -1;
    }
    for (int k = 0; parent && k < count; k++) {
        check_children(g, k, parent);
        join(place, "nodes", k, "mesh");
        (void)entry(g, place, "meshes");
        join(place, "nodes", k, "skin");
        (void)entry(g, place, "skins");
        check_numbers(g, k, "matrix", 16);
        check_numbers(g, k, "translation", 3);
        check_numbers(g, k, "rotation", 4);
        check_numbers(g, k, "scale", 3);
    }
    if (parent) {
        check_tree(g, parent, count);
    }
    free(parent);
}

static void check_scenes(gltf *g)
{
    char list[PLACE], place[PLACE];
    (void)entry(g, "scene", "scenes");
    for (int k = 0; k < bi_document_count(g->doc, "scenes"); k++) {
        join(list, "scenes", k, "nodes");
        for (int i = 0; i < bi_document_count(g->doc, list); i++) {
            join(place, list, i, "");
            (void)entry(g, place, "nodes");
        }
    }
}

static void check_materials(gltf *g)
{
    static const char *const of[] = { "normalTexture.index", "occlusionTexture.index",
                                      "emissiveTexture.index" };
    static const char *const more[] = { "baseColorTexture", "metallicRoughnessTexture" };
    char place[2 * PLACE];
    for (int k = 0; k < bi_document_count(g->doc, "materials"); k++) {
        for (int i = 0; i < 3; i++) {
            join(place, "materials", k, of[i]);
            (void)entry(g, place, "textures");
        }
        for (int i = 0; i < 2; i++) {
            snprintf(place, sizeof place, "materials.%d.pbrMetallicRoughness.%s.index", k, more[i]);
            (void)entry(g, place, "textures");
        }
    }
    for (int k = 0; k < bi_document_count(g->doc, "textures"); k++) {
        join(place, "textures", k, "source");
        (void)entry(g, place, "images");
        join(place, "textures", k, "sampler");
        (void)entry(g, place, "samplers");
    }
    for (int k = 0; k < bi_document_count(g->doc, "images"); k++) {
        join(place, "images", k, "bufferView");
        (void)entry(g, place, "bufferViews");
    }
}

void gltf_check(const gltf_file *file)
{
    gltf g = { .file = file, .doc = file->doc };
    g.n_buffer = bi_document_count(g.doc, "buffers");
    g.n_accessor = bi_document_count(g.doc, "accessors");
    g.n_view = bi_document_count(g.doc, "bufferViews");
    g.view = calloc((size_t)g.n_view + 1, sizeof *g.view);
    g.buffer = calloc((size_t)g.n_buffer + 1, sizeof *g.buffer);
    g.accessor = calloc((size_t)g.n_accessor + 1, sizeof *g.accessor);
    if (g.buffer && g.view && g.accessor) {
        check_buffers(&g);
        for (int k = 0; k < g.n_view; k++) {
            check_view(&g, k, &g.view[k]);
        }
        check_accessors(&g);
        check_meshes(&g);
        check_nodes(&g);
        check_scenes(&g);
        check_materials(&g);
    } else {
        complain(&g, "buffers", "there is no memory for it");
    }
    for (int k = 0; g.buffer && k < g.n_buffer; k++) {
        free(g.buffer[k].bytes);
    }
    free(g.buffer);
    free(g.view);
    free(g.accessor);
}
