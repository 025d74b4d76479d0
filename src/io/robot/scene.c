// SPDX-License-Identifier: MIT
// What a scene is made of: bodies, joints and shapes with their names; files beside files; what was left out.
#include "io/robot/scene.h"
#include "io/model/reader.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// ---- messages --------------------------------------------------------------------------------------------------

void scene_tell(scene *s, bi_severity severity, const xml_element *at, const char *format, ...)
{
    char what[500], where[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const char *name = xml_get(at, "name");
    snprintf(where, sizeof where, "%.60s%s%.100s", at->name, name ? " " : "", name ? name : "");
    bi_report_add(s->report, severity, severity == BI_ERROR ? BI_BAD_MODEL : BI_OK,
                  (bi_place){ at->path, at->line, 1 }, where, "%s", what);
}

static void lose_memory(scene *s)
{
    if (!s->has_failed) {
        bi_report_add(s->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ s->path, 0, 0 }, "", "out of memory");
    }
    s->has_failed = true;
}

// Room for one more entry of `size` bytes, zeroed; NULL: none.
static void *grow(scene *s, void *list, int *count, int *capacity, size_t size)
{
    void **all = list;
    if (*count == *capacity) {
        int more = *capacity ? 2 * *capacity : 32;
        void *larger = realloc(*all, (size_t)more * size);
        if (!larger) {
            lose_memory(s);
            return NULL;
        }
        *all = larger;
        *capacity = more;
    }
    return memset((char *)*all + (size_t)(*count)++ * size, 0, size);
}

bool scene_without(const scene *s, unsigned what) { return s->options && (s->options->without & what); }

void scene_leave(scene *s, const xml_element *e, const char *key, const char *why)
{
    char name[200];
    snprintf(name, sizeof name, "%.60s|%.60s|%.60s", e->name, key ? key : "", why ? why : "");
    int k = name_set_find(&s->omissions, name);
    if (k >= 0 && k < s->n_omission) {
        s->omission[k].count++;
        return;
    }
    scene_omission *o = grow(s, &s->omission, &s->n_omission, &s->cap_omission, sizeof *o);
    if (o) {
        *o = (scene_omission){ e, key, why, 1 };
        if (name_set_add(&s->omissions, name, e->line) < 0) {
            lose_memory(s);
        }
    }
}

void scene_tell_omissions(scene *s)
{
    for (int k = 0; k < s->n_omission; k++) {
        const scene_omission *o = &s->omission[k];
        char often[60] = "";
        if (o->count > 1) {
            snprintf(often, sizeof often, " (%d times, first here)", o->count);
        }
        scene_tell(s, BI_NOTE, o->element, "%s%sleft out%s%s%s", o->key ? o->key : "", o->key ? ": " : "",
                   often, o->why ? ": " : "", o->why ? o->why : "");
    }
}

// ---- names and entries -----------------------------------------------------------------------------------------

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char *scene_call(scene *s, name_set *set, const xml_element *e, const char *name)
{
    size_t length = strlen(name);
    char *called = blocks_new(&s->memory, length + 24);
    if (!called) {
        lose_memory(s);
        return "x";
    }
    size_t n = 0;
    if (!is_letter(name[0])) {
        called[n++] = 'n';
    }
    for (size_t k = 0; k < length; k++) {
        called[n++] = is_letter(name[k]) || is_digit(name[k]) ? name[k] : '_';
    }
    for (int k = 2; name_set_add(set, called, e->line) < 0 && k < 100000; k++) {
        snprintf(called + n, 16, "_%d", k);
    }
    if (strcmp(called, name) != 0 && e->name && xml_get(e, "name") && strcmp(name, xml_get(e, "name")) == 0) {
        scene_tell(s, BI_NOTE, e, "is called %s in the model", called);
    }
    return called;
}

scene_body *scene_add_body(scene *s, const xml_element *e, const char *name, int parent)
{
    scene_body *b = grow(s, &s->body, &s->n_body, &s->cap_body, sizeof *b);
    if (b) {
        b->element = e;
        b->name = name;
        b->called = parent < 0 ? "ground" : scene_call(s, &s->bodies, e, name);
        b->parent = parent;
        b->at.rot = b->reference.rot = no_rotation;
    }
    return b;
}

scene_joint *scene_add_joint(scene *s, const xml_element *e, const char *name, const char *type, int a, int b)
{
    scene_joint *j = grow(s, &s->joint, &s->n_joint, &s->cap_joint, sizeof *j);
    if (j) {
        j->element = e;
        j->name = name;
        j->called = scene_call(s, &s->joints, e, name);
        j->type = type;
        j->a = a;
        j->b = b;
        j->axis = (bi_vec3){ 0.0, 0.0, 1.0 };
    }
    return j;
}

scene_shape *scene_add_shape(scene *s, const xml_element *e, const char *name, const char *type, int body)
{
    scene_shape *shape = grow(s, &s->shape, &s->n_shape, &s->cap_shape, sizeof *shape);
    if (shape) {
        *shape = (scene_shape){ .element = e,
                                .name = name,
                                .type = type,
                                .body = body,
                                .at = { .rot = no_rotation },
                                .scale = { 1.0, 1.0, 1.0 },
                                .colour = { 0.7, 0.7, 0.72, 1.0 },
                                .mask = { 1, 1 },
                                .friction = { 1.0, 0.0, 0.0 } };
    }
    return shape;
}

void scene_exclude(scene *s, int a, int b)
{
    scene_exclusion *x = grow(s, &s->exclusion, &s->n_exclusion, &s->cap_exclusion, sizeof *x);
    if (x) {
        *x = (scene_exclusion){ a, b };
    }
}

// ---- files -----------------------------------------------------------------------------------------------------

const char *scene_beside(scene *s, const xml_element *e, const char *folder, const char *name)
{
    const char *slash = strrchr(e->path, '/');
    bool is_below = folder && folder[0];
    size_t own =
        name[0] == '/' || (is_below && folder[0] == '/') || !slash ? 0 : (size_t)(slash - e->path) + 1;
    size_t below = is_below && name[0] != '/' ? strlen(folder) : 0, size = own + below + strlen(name) + 2;
    char *path = blocks_new(&s->memory, size);
    if (!path) {
        lose_memory(s);
        return name;
    }
    bool has_end = below > 0 && folder[below - 1] == '/';
    snprintf(path, size, "%.*s%.*s%s%s", (int)own, e->path, (int)below, below ? folder : "",
             below && !has_end ? "/" : "", name);
    return path;
}

// In `folder`, which holds packages or is the package itself. NULL: it is not there.
static const char *packaged(scene *s, const xml_element *e, const char *folder, const char *name)
{
    const char *rest = strchr(name, '/'), *path = scene_beside(s, e, folder, name);
    if (access(path, R_OK) == 0) {
        return path;
    }
    path = rest ? scene_beside(s, e, folder, rest + 1) : path;
    return access(path, R_OK) == 0 ? path : NULL;
}

const char *scene_uri(scene *s, const xml_element *e, const char *uri)
{
    static const xml_element here = { .path = "" };
    const char *clean = blocks_text(&s->memory, uri, strcspn(uri, " \t\r\n")), *name = clean ? clean : uri;
    if (strncmp(name, "file://", 7) == 0) {
        return scene_beside(s, e, NULL, name + 7);
    }
    bool is_model = strncmp(name, "model://", 8) == 0, is_package = strncmp(name, "package://", 10) == 0;
    if (!is_model && !is_package) {
        return scene_beside(s, e, NULL, name);
    }
    name += is_model ? 8 : 10;
    const char *path = s->options->package ? packaged(s, &here, s->options->package, name) : NULL;
    char up[32] = "";
    for (int k = 0; k < 8 && !path && !s->options->package; k++) {
        path = packaged(s, e, up, name);
        memcpy(up + 3 * k, "../", 4);
    }
    return path ? path : name;
}

xml_element *scene_open(scene *s, const char *path, const xml_element *from)
{
    size_t length = 0;
    bi_place place = from ? (bi_place){ from->path, from->line, 1 } : (bi_place){ path, 0, 0 };
    char *text = reader_whole_file(path, place, from ? from->name : "", &length, s->report);
    const char *kept = blocks_text(&s->memory, path, strlen(path));
    xml_element *root = text && kept ? xml_parse(text, length, kept, &s->memory, s->report) : NULL;
    free(text);
    return root;
}

// The way from one folder to a file, both absolute.
static char *way(const char *folder, const char *file)
{
    size_t same = 0;
    for (size_t k = 0; folder[k] && folder[k] == file[k]; k++) {
        if (folder[k] == '/') {
            same = k + 1;
        }
    }
    // the folder itself is above the file
    size_t length = strlen(folder);
    if (strncmp(folder, file, length) == 0 && file[length] == '/') {
        same = length + 1;
    }
    int up = 0;
    for (const char *c = folder + (same < length ? same : length); *c; c++) {
        up += *c == '/';
    }
    up += same < length ? 1 : 0;
    size_t size = 3 * (size_t)up + strlen(file + same) + 1;
    char *text = malloc(size);
    if (text) {
        for (int k = 0; k < up; k++) {
            memcpy(text + 3 * k, "../", 3);
        }
        memcpy(text + 3 * (size_t)up, file + same, strlen(file + same) + 1);
    }
    return text;
}

const char *scene_mesh_file(scene *s, const xml_element *e, const char *path)
{
    size_t length = strlen(path);
    bool is_read = length > 4 &&
                   (strcasecmp(path + length - 4, ".obj") == 0 || strcasecmp(path + length - 4, ".stl") == 0);
    if (!is_read) {
        scene_tell(s, BI_WARNING, e,
                   "%.200s: meshes are read from .obj and .stl files; the shape is left out", path);
        return NULL;
    }
    if (access(path, R_OK) != 0) {
        scene_tell(s, BI_ERROR, e, "there is no mesh file %.300s", path);
        return NULL;
    }
    const char *folder = s->options && s->options->folder ? s->options->folder : ".";
    char *from = realpath(folder[0] ? folder : ".", NULL), *to = realpath(path, NULL);
    char *name = from && to ? way(from, to) : NULL;
    const char *kept = name ? blocks_text(&s->memory, name, strlen(name)) : path;
    free(name);
    free(from);
    free(to);
    return kept;
}
