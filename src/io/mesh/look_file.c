// SPDX-License-Identifier: MIT
// Files that are only seen. They are not drawn here: what they name must be there, and what nobody draws is told.
#include "io/mesh/look_file.h"
#include "io/mesh/gltf_check.h"
#include "io/mesh/mesh_source.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28, MOST_NAMES = 256, LONGEST = 1024 };

typedef struct {
    const char *path, *where;
    const look_use *use;
    bi_report *report;
    char (*material)[64]; // (n_material) that the .mtl files of an .obj define
    int n_material;
} look_source;

static void tell(const look_source *s, bi_severity severity, const char *path, int line, const char *what,
                 const char *name)
{
    bi_report_add(s->report, severity, severity == BI_ERROR ? BI_BAD_FILE : BI_OK,
                  (bi_place){ path, line, 1 }, s->where, "%s '%.100s'", what, name);
}

// The whole file, to be freed; NULL: `why` says why not.
static char *whole_file(const char *path, size_t *size, const char **why)
{
    FILE *file = bi_open_plain(path, why);
    if (!file) {
        return NULL;
    }
    char *bytes = NULL;
    size_t capacity = 0, n = 0, got = 1;
    while (got > 0) {
        if (n + 65536 > capacity) {
            capacity = 2 * capacity + 65536;
            char *more = capacity > MOST_BYTES ? NULL : realloc(bytes, capacity + 1);
            if (!more) {
                free(bytes);
                fclose(file);
                *why = "it is too large";
                return NULL;
            }
            bytes = more;
        }
        got = fread(bytes + n, 1, capacity - n, file);
        n += got;
    }
    fclose(file);
    bytes[n] = '\0';
    *size = n;
    return bytes;
}

// A file beside another; false: the name is too long.
static bool beside(const char *path, const char *name, char out[LONGEST])
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    return (size_t)snprintf(out, LONGEST, "%.*s%s", folder, path, name) < LONGEST;
}

// Pages get what lies in the folder of the file or below it, and nothing else.
static bool is_served(const char *name)
{
    return name[0] != '/' && !strstr(name, "..") && !strchr(name, '\\') && !strchr(name, ':');
}

// A file that another one names in one of its lines.
static bool is_there(const look_source *s, const char *path, int line, const char *name, char out[LONGEST])
{
    const char *why;
    if (!is_served(name) || !beside(path, name, out)) {
        tell(s, BI_ERROR, path, line,
             "only files in the same folder or below it are used, and this one names", name);
        return false;
    }
    FILE *file = bi_open_plain(out, &why);
    if (!file) {
        tell(s, BI_ERROR, path, line, "this file is named here and cannot be read:", name);
        return false;
    }
    fclose(file);
    if (s->use->found) {
        s->use->found(s->use->data, out);
    }
    return true;
}

// ---- .obj and .mtl --------------------------------------------------------------------------------------------------

static bool is_among(const char *line, const char *const *words)
{
    for (; *words; words++) {
        if (mesh_is_word(line, *words)) {
            return true;
        }
    }
    return false;
}

// What follows the first word, without blanks around it.
static void rest_of(const char *line, char *out, size_t size)
{
    line += strcspn(line, " \t\r");
    line += strspn(line, " \t\r");
    size_t n = strlen(line);
    while (n > 0 && strchr(" \t\r", line[n - 1])) {
        n--;
    }
    n = n < size ? n : size - 1;
    memcpy(out, line, n);
    out[n] = '\0';
}

// The last word: what stands before it are options of a picture.
static const char *last_word(const char *text)
{
    const char *blank = strrchr(text, ' ');
    return blank ? blank + 1 : text;
}

static void read_mtl(look_source *s, const char *path)
{
    // those of the first list are drawn, those of the second mean nothing to modern light
    static const char *const drawn[] = { "Kd", "Ks", "Ke", "Ns", "d", "Tr", NULL };
    static const char *const idle[] = { "Ka", "Ni", "illum", "Tf", NULL };
    static const char *const picture[] = { "map_Kd",   "map_Ks", "map_Ke", "map_d", "map_Bump",
                                           "map_bump", "bump",   "norm",   "disp",  NULL };
    const char *why, *line;
    size_t size;
    char *text = whole_file(path, &size, &why), buffer[LONGEST], name[LONGEST], found[LONGEST];
    if (!text) {
        tell(s, BI_ERROR, path, 1, why, path);
        return;
    }
    mesh_source in = { .path = path, .text = text, .end = text + size };
    while ((line = mesh_next_line(&in, buffer, sizeof buffer)) != NULL) {
        rest_of(line, name, sizeof name);
        if (mesh_is_word(line, "newmtl")) {
            if (s->n_material < MOST_NAMES) {
                snprintf(s->material[s->n_material++], sizeof s->material[0], "%.60s", name);
            }
        } else if (is_among(line, picture)) {
            (void)is_there(s, path, in.line, last_word(name), found);
        } else if (*line && *line != '#' && !is_among(line, drawn) && !is_among(line, idle)) {
            buffer[sizeof buffer - 1] = '\0';
            tell(s, BI_WARNING, path, in.line, "this line of the material is not drawn:", line);
        }
    }
    free(text);
}

static void use_material(const look_source *s, int line, const char *name)
{
    for (int k = 0; k < s->n_material; k++) {
        if (strncmp(s->material[k], name, 60) == 0) {
            return;
        }
    }
    if (s->n_material < MOST_NAMES) {
        tell(s, BI_WARNING, s->path, line, "no .mtl file before this line has a material", name);
    }
}

enum { PLACES, PICTURES, NORMALS, LISTS };

// Corners `1`, `1/2`, `1//3`, `1/2/3`: numbers of what stands before, from one, or back from the end.
static void check_face(const look_source *s, int line, const char *text, const long have[LISTS])
{
    static const char *const name[LISTS] = { "v", "vt", "vn" };
    char what[80];
    int corners = 0;
    for (text += strspn(text, " \t\r"); *text; corners++) {
        for (int k = 0; k < LISTS && (k == 0 || *text == '/'); k++) {
            text += k > 0;
            char *end;
            long number = strtol(text, &end, 10);
            bool is_left_out = end == text && k > 0;
            if (!is_left_out && (end == text || number == 0 || number > have[k] || number < -have[k])) {
                snprintf(what, sizeof what, "there are %ld lines '%s' so far, and this face names", have[k],
                         name[k]);
                tell(s, BI_ERROR, s->path, line, what, text);
                return;
            }
            text = end;
        }
        if (*text && !strchr(" \t\r", *text)) {
            tell(s, BI_ERROR, s->path, line, "the face has a corner that is no number:", text);
            return;
        }
        text += strspn(text, " \t\r");
    }
    if (corners < 3) {
        tell(s, BI_ERROR, s->path, line, "a face needs three corners or more:", "f");
    }
}

static void check_obj_line(const look_source *s, const mesh_source *in, const char *line, long have[LISTS])
{
    static const char *const list[LISTS] = { "v", "vt", "vn" };
    for (int k = 0; k < LISTS; k++) {
        if (mesh_is_word(line, list[k])) {
            const char *text = line + strlen(list[k]);
            char *end;
            int least = k == PICTURES ? 1 : 3, n = 0;
            while (n < least && isfinite(strtod(text, &end)) && end != text) {
                text = end;
                n++;
            }
            if (n < least) {
                tell(s, BI_ERROR, s->path, in->line, "finite numbers are needed here, and not", line);
            }
            have[k]++;
            return;
        }
    }
    // longer lines are cut
    if (mesh_is_word(line, "f") && strlen(line) < 4 * LONGEST - 2) {
        check_face(s, in->line, line + 1, have);
    }
}

static void read_obj(look_source *s, const char *text, size_t size)
{
    enum { MOST_TOLD = 20 };
    long have[LISTS] = { 0 };
    int before = s->report->errors;
    static const char *const drawn[] = { "v", "vn", "vt", "f", "g", "o", "s", NULL };
    char buffer[4 * LONGEST], name[LONGEST], found[LONGEST];
    const char *line;
    int faces = 0;
    mesh_source in = { .path = s->path, .text = text, .end = text + size };
    while ((line = mesh_next_line(&in, buffer, sizeof buffer)) != NULL) {
        rest_of(line, name, sizeof name);
        faces += mesh_is_word(line, "f");
        if (s->report->errors < before + MOST_TOLD) {
            check_obj_line(s, &in, line, have);
        }
        if (mesh_is_word(line, "mtllib")) {
            if (is_there(s, s->path, in.line, name, found)) {
                read_mtl(s, found);
            }
        } else if (mesh_is_word(line, "usemtl")) {
            use_material(s, in.line, name);
        } else if (*line && *line != '#' && !is_among(line, drawn)) {
            tell(s, BI_WARNING, s->path, in.line, "this line is not drawn:", line);
        }
    }
    if (faces == 0) {
        tell(s, BI_ERROR, s->path, 1, "there is no face 'f' in the file", s->path);
    }
}

// ---- glTF 2.0 -------------------------------------------------------------------------------------------------------

static bool is_extension_known(const char *name)
{
    static const char *const known[] = { "KHR_materials_",        "KHR_texture_transform",
                                         "KHR_mesh_quantization", "KHR_lights_punctual",
                                         "EXT_texture_webp",      "EXT_mesh_gpu_instancing" };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strncmp(name, known[k], strlen(known[k])) == 0) {
            return true;
        }
    }
    return false;
}

// Files that a list names as `uri`; data may stand in the file itself.
static void check_uris(const look_source *s, const bi_document *doc, const char *list)
{
    char place[64], found[LONGEST];
    for (int k = 0; k < bi_document_count(doc, list); k++) {
        snprintf(place, sizeof place, "%s.%d.uri", list, k);
        const char *uri = bi_document_text(doc, place);
        if (uri && strncmp(uri, "data:", 5) != 0) {
            (void)is_there(s, s->path, bi_document_place(doc, place).line, uri, found);
        }
    }
}

static char *open_beside(const void *data, const char *uri, size_t *size)
{
    const look_source *s = data;
    const char *why;
    char path[LONGEST];
    return is_served(uri) && beside(s->path, uri, path) ? whole_file(path, size, &why) : NULL;
}

// binary: what follows the text in a .glb; NULL: nothing.
static void read_gltf(look_source *s, const char *text, size_t size, const char *binary, size_t n_binary)
{
    bi_document *doc = bi_document_parse(text, size, s->path, s->report);
    if (!doc) {
        return;
    }
    const char *version = bi_document_text(doc, "asset.version");
    if (!version || version[0] != '2') {
        tell(s, BI_ERROR, s->path, bi_document_place(doc, "asset.version").line,
             "glTF 2.0 is read, and asset.version is", version ? version : "not given");
    }
    for (int k = 0; k < bi_document_count(doc, "extensionsRequired"); k++) {
        char place[64];
        snprintf(place, sizeof place, "extensionsRequired.%d", k);
        const char *name = bi_document_text(doc, place);
        if (name && !is_extension_known(name)) {
            tell(s, BI_ERROR, s->path, bi_document_place(doc, place).line,
                 "the file needs an extension that is not drawn; export it without:", name);
        }
    }
    check_uris(s, doc, "buffers");
    check_uris(s, doc, "images");
    if (bi_document_count(doc, "meshes") == 0) {
        tell(s, BI_ERROR, s->path, 1, "there is no mesh in the file", s->path);
    }
    gltf_check(&(gltf_file){ s->path, s->where, doc, binary, n_binary, open_beside, s, s->report });
    bi_document_close(doc);
}

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// "glTF", version, length; then chunks: length, kind, bytes. The first one is the text.
static void read_glb(look_source *s, const char *bytes, size_t size)
{
    if (size < 20 || word_at(bytes + 4) != 2 || word_at(bytes + 8) > size ||
        memcmp(bytes + 16, "JSON", 4) != 0 || word_at(bytes + 12) > size - 20) {
        tell(s, BI_ERROR, s->path, 1, "the file is not binary glTF 2.0, or it is cut short:", s->path);
        return;
    }
    size_t text = word_at(bytes + 12), at = 20 + text;
    const char *binary = at + 8 <= size && memcmp(bytes + at + 4, "BIN", 4) == 0 ? bytes + at + 8 : NULL;
    size_t has = binary ? size - at - 8 : 0;
    if (binary && word_at(bytes + at) > has) {
        tell(s, BI_ERROR, s->path, 1, "the binary part of the file is cut short:", s->path);
        return;
    }
    read_gltf(s, bytes + 20, text, binary, binary ? word_at(bytes + at) : 0);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

bool look_file_check(const char *path, const look_use *use, bi_report *report)
{
    int errors = report->errors;
    const char *why = "cannot be read";
    size_t size = 0;
    look_source s = { .path = path, .where = use->where, .use = use, .report = report };
    bool is_obj = ends_in(path, ".obj"), is_glb = ends_in(path, ".glb"), is_gltf = ends_in(path, ".gltf");
    if (!is_obj && !is_glb && !is_gltf) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, use->place, use->where,
                      "%.200s: .gltf, .glb or .obj is needed", path);
        return false;
    }
    char *bytes = whole_file(path, &size, &why);
    s.material = calloc(MOST_NAMES, sizeof *s.material);
    if (!bytes || !s.material) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, use->place, use->where, "%.200s: %s", path, why);
    } else if (is_obj) {
        read_obj(&s, bytes, size);
    } else if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        read_glb(&s, bytes, size);
    } else if (is_glb) {
        tell(&s, BI_ERROR, path, 1, "the file is not binary glTF:", path);
    } else {
        read_gltf(&s, bytes, size, NULL, 0);
    }
    free(bytes);
    free(s.material);
    return report->errors == errors;
}

int look_file_material(const char *path)
{
    const char *why, *line;
    size_t size = 0;
    char *text = ends_in(path, ".obj") ? whole_file(path, &size, &why) : NULL, buffer[LONGEST];
    mesh_source in = { .path = path, .text = text, .end = text ? text + size : NULL };
    int found = 0;
    while (text && found == 0 && (line = mesh_next_line(&in, buffer, sizeof buffer)) != NULL) {
        found = mesh_is_word(line, "usemtl") ? in.line : 0;
    }
    free(text);
    return found;
}
