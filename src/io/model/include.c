// SPDX-License-Identifier: MIT
// Files that a model file includes: found, parsed once, read with a prefix, parameters of their own, and a place.
#include "io/model/reader.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_INCLUDE = 16, MOST_INCLUDES = 1000 };

// ---- places ----------------------------------------------------------------------------------------------

static bi_vec3 cross(bi_quat u, bi_vec3 v)
{
    return (bi_vec3){ u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
}

// R v = v + 2 w (u x v) + 2 u x (u x v)
static bi_vec3 rotate(bi_quat q, bi_vec3 v)
{
    bi_vec3 c = cross(q, v), cc = cross(q, c);
    return (bi_vec3){ v.x + 2.0 * (q.w * c.x + cc.x), v.y + 2.0 * (q.w * c.y + cc.y),
                      v.z + 2.0 * (q.w * c.z + cc.z) };
}

bi_vec3 reader_turned(bi_quat rot, bi_vec3 v) { return rotate(rot, v); }

bi_vec3 reader_place_vector(const reader *r, bi_vec3 v)
{
    return r->scope->is_placed ? rotate(r->scope->place.rot, v) : v;
}

bi_vec3 reader_place_point(const reader *r, bi_vec3 p)
{
    if (!r->scope->is_placed) {
        return p;
    }
    bi_vec3 turned = rotate(r->scope->place.rot, p), at = r->scope->place.pos;
    return (bi_vec3){ at.x + turned.x, at.y + turned.y, at.z + turned.z };
}

bi_pose reader_place_pose(const reader *r, bi_pose pose)
{
    // all zero reads as identity
    bi_quat rot = pose.rot;
    bool is_zero = rot.w == 0.0 && rot.x == 0.0 && rot.y == 0.0 && rot.z == 0.0;
    if (!r->scope->is_placed) {
        return pose;
    }
    rot = is_zero ? (bi_quat){ 1.0, 0.0, 0.0, 0.0 } : rot;
    return (bi_pose){ reader_place_point(r, pose.pos), reader_rotation_product(r->scope->place.rot, rot) };
}

bi_vec3 reader_turn_into_body(const reader *r, bi_body body, bi_vec3 v)
{
    if (body.i < 1 || body.i > r->n_pose) {
        return v;
    }
    journal_pose(r, body.i);
    bi_quat q = r->pose[body.i - 1].rot;
    return rotate((bi_quat){ q.w, -q.x, -q.y, -q.z }, v);
}

bi_vec3 reader_into_body(const reader *r, bi_body body, bi_vec3 p)
{
    if (body.i < 1 || body.i > r->n_pose) {
        return p;
    }
    journal_pose(r, body.i);
    bi_vec3 at = r->pose[body.i - 1].pos;
    return reader_turn_into_body(r, body, (bi_vec3){ p.x - at.x, p.y - at.y, p.z - at.z });
}

bi_quat reader_rotation_into_body(const reader *r, bi_body body, bi_quat rot)
{
    if (body.i < 1 || body.i > r->n_pose) {
        return rot;
    }
    journal_pose(r, body.i);
    bi_quat q = r->pose[body.i - 1].rot;
    return reader_rotation_product((bi_quat){ q.w, -q.x, -q.y, -q.z }, rot);
}

bool reader_is_ground(const yaml_node *node)
{
    return node->kind == YAML_SCALAR && strcmp(node->text, "ground") == 0;
}

const char *reader_full_name(reader *r, const char *name)
{
    size_t length = strlen(r->scope->prefix);
    char *full = length > 0 ? blocks_new(&r->memory, length + strlen(name) + 1) : NULL;
    if (!full) {
        return name;
    }
    memcpy(full, r->scope->prefix, length);
    memcpy(full + length, name, strlen(name) + 1);
    return full;
}

// Energies belong to the whole, other channels to outputs of this file.
const char *reader_channel_name(reader *r, const char *name)
{
    bool is_energy = name && strncmp(name, "energy.", strlen("energy.")) == 0;
    return name && !is_energy ? reader_full_name(r, name) : name;
}

// ---- files -----------------------------------------------------------------------------------------------

// Room for what the file holds, and one byte beyond the limit, which tells that it is exceeded.
static size_t room_for(FILE *file, size_t most)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    return size >= 0 && (size_t)size < most ? (size_t)size + 1 : most + 1;
}

char *reader_whole_file(const char *path, bi_place place, const char *where, size_t *length,
                        bi_report *report)
{
    return reader_file_up_to(path, place, where, YAML_MAX_BYTES, length, report);
}

char *reader_file_up_to(const char *path, bi_place place, const char *where, size_t most, size_t *length,
                        bi_report *report)
{
    const char *why = NULL;
    bool is_model = place.line == 0; // the place names the file already
    const char *shown = is_model ? "" : path, *between = is_model ? "" : " ";
    FILE *file = bi_open_plain(path, &why);
    size_t room = file ? room_for(file, most) : 0;
    char *text = file ? malloc(room) : NULL;
    *length = text ? fread(text, 1, room, file) : 0;
    bool is_bad = !text || ferror(file);
    if (is_bad) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, where, "%s%scannot be read: %s", shown, between,
                      why     ? why
                      : !text ? "out of memory"
                              : "the disk refuses");
    } else if (*length > most) {
        bi_place begin = is_model ? (bi_place){ place.file, 1, 1 } : place;
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, begin, where,
                      "%s%shas more than %zu MB; that is the limit", shown, between, most >> 20);
        is_bad = true;
    }
    if (file) {
        fclose(file);
    }
    if (is_bad) {
        free(text);
        return NULL;
    }
    return text;
}

void reader_tell_file(const reader *r, const char *path)
{
    if (r->watch && r->watch->reads) {
        r->watch->reads(r->watch->context, path);
    }
}

char *reader_path_beside(const reader *r, const char *name)
{
    const char *slash = strrchr(r->file, '/');
    size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - r->file) + 1;
    char *path = malloc(folder + strlen(name) + 1);
    if (path) {
        memcpy(path, r->file, folder);
        memcpy(path + folder, name, strlen(name) + 1);
        reader_tell_file(r, path);
    }
    return path;
}

const yaml_node *reader_root_of(const reader *r, const char *file)
{
    const shelf_tree *tree = file ? shelf_find_tree(r->shelf, file) : NULL;
    return !tree ? r->root : tree->yaml ? yaml_root(tree->yaml) : NULL;
}

// The tree of the file, parsed the first time; takes `path`. NULL: no memory.
shelf_tree *reader_find_tree(reader *r, char *path, const yaml_node *node, const char *where)
{
    shelf_tree *known = shelf_find_tree(r->shelf, path);
    if (known) {
        free(path);
        return known;
    }
    size_t length = 0;
    int before = r->report->count;
    char *text = reader_whole_file(path, reader_place_of(r, node), where, &length, r->report);
    yaml_file *yaml = text ? yaml_parse(text, length, path, r->report) : NULL;
    free(text);
    return shelf_add_tree(r->shelf, path, yaml, r->report->count > before);
}

const yaml_node *reader_tree_root(reader *r, char *path, const yaml_node *node, const char *where)
{
    const shelf_tree *tree = reader_find_tree(r, path, node, where);
    return tree && tree->yaml ? yaml_root(tree->yaml) : NULL;
}

// ---- one include -------------------------------------------------------------------------------------------

// False: the file is being read already; the circle is told.
static bool is_not_circular(reader *r, const char *identity, const char *path, const yaml_node *node)
{
    const reader_scope *again = r->scope;
    while (again && strcmp(again->identity, identity) != 0) {
        again = again->outer;
    }
    if (!again) {
        return true;
    }
    // from the innermost outwards, so the text grows at its front
    char chain[400], longer[400];
    snprintf(chain, sizeof chain, "%.80s", path);
    for (const reader_scope *s = r->scope; s; s = s == again ? NULL : s->outer) {
        snprintf(longer, sizeof longer, "%.80s -> %.300s", s->file, chain);
        memcpy(chain, longer, sizeof chain);
    }
    reader_error(r, node, "include.file", "the files include each other: %s", chain);
    return false;
}

struct reader_parameter {
    char *name, *unit;
    double value;
};
typedef struct reader_parameter saved_parameter;

static char *copy_of(const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? malloc(size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}

saved_parameter *reader_save_parameters(const reader *r, int *count)
{
    *count = bi_model_parameter_count(r->model);
    saved_parameter *all = calloc((size_t)*count + 1, sizeof *all);
    for (int k = 0; all && k < *count; k++) {
        const char *name, *unit;
        bi_model_parameter_at(r->model, k, &name, &all[k].value, &unit);
        all[k].name = copy_of(name);
        all[k].unit = copy_of(unit);
    }
    return all;
}

void reader_restore_parameters(reader *r, saved_parameter *all, int count)
{
    const char *name, *unit;
    double value;
    while (bi_model_parameter_at(r->model, 0, &name, &value, &unit)) {
        bi_model_forget(r->model, name);
    }
    for (int k = 0; k < count; k++) {
        if (all[k].name) {
            bi_model_parameter(r->model, all[k].name, all[k].value, all[k].unit);
        }
        free(all[k].name);
        free(all[k].unit);
    }
    free(all);
}

// Everything in the file of `scope`; the reader is as before afterwards.
static void read_scope(reader *r, const reader_scope *scope, const yaml_node *root)
{
    int n_saved = 0;
    saved_parameter *saved = reader_save_parameters(r, &n_saved);
    if (!saved) {
        bi_report_add(r->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ scope->file, 0, 0 }, "",
                      "out of memory");
        return;
    }
    const reader_scope *outer = r->scope;
    const yaml_node *outer_root = r->root;
    name_set outer_parameters = r->parameters;
    r->scope = scope;
    r->file = scope->file;
    r->root = root;
    r->parameters = (name_set){ 0 };
    bi_model_prefix(r->model, scope->prefix);
    if (read_head(r)) {
        read_sections(r, NULL, NULL);
    }
    name_set_clear(&r->parameters);
    r->parameters = outer_parameters;
    r->root = outer_root;
    r->file = outer->file;
    r->scope = outer;
    bi_model_prefix(r->model, outer->prefix);
    reader_restore_parameters(r, saved, n_saved);
}

// Names that a mistake keeps from being known must not be missed.
static void lose_names(reader *r)
{
    r->bodies.is_incomplete = r->joints.is_incomplete = r->elements.is_incomplete = true;
}

static bool read_prefix(reader *r, const yaml_node *node, name_set *used, char *prefix, size_t size)
{
    const char *own = "";
    if (node) {
        if (!reader_expect(r, node, YAML_SCALAR, "include.prefix", "a prefix such as left_")) {
            return false;
        }
        own = reader_text(r, node, "include.prefix");
        if (!own) {
            return false;
        }
        if (!names_is_name(own) || strlen(own) > 60) {
            reader_error(r, node, "include.prefix",
                         "'%.80s' is not a prefix; use letters, digits, '_' and '-'", own);
            return false;
        }
    }
    if (own[0] && name_set_add(used, own, 1) < 0) {
        reader_error(r, node, "include.prefix", "the prefix '%.80s' is used twice", own);
        return false;
    }
    if ((size_t)snprintf(prefix, size, "%s%s", r->scope->prefix, own) >= size) {
        reader_error(r, node, "include.prefix", "all prefixes together have more than %d letters",
                     (int)size - 1);
        return false;
    }
    return true;
}

// Joints to the ground count their angle from the axes of the body in its place: told when they are others.
static void warn_of_axes(reader *r, const yaml_node *ground, const reader_scope *scope)
{
    const double parallel = 1e-9; // rounding of a few turns, rad
    bi_quat d = reader_rotation_into_body(r, (bi_body){ scope->ground }, scope->place.rot);
    if (fabs(d.x) + fabs(d.y) + fabs(d.z) > parallel) {
        reader_tell(
            r, &(bi_issue){
                   BI_WARNING, BI_OK, reader_place_of(r, ground), "include.ground",
                   "its axes are not parallel to the ground axes of the included file: angles of joints to "
                   "the ground count from the axes of this body" });
    }
}

// Where the part goes: at, turn, ground. False: a mistake was told.
static bool read_placement(reader *r, const yaml_node *map, reader_scope *scope)
{
    int errors = r->report->errors;
    bi_pose own = { .rot.w = 1.0 };
    reader_vec3_of(r, map, "at", "m", "include", &own.pos);
    reader_turn(r, yaml_get(map, "turn"), "include.turn", &own.rot);
    scope->place = r->scope->is_placed ? reader_place_pose(r, own) : own;
    scope->is_placed = r->scope->is_placed || yaml_get(map, "at") || yaml_get(map, "turn");
    bi_quat turn = scope->place.rot;
    scope->is_turned = turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
    scope->ground = r->scope->ground;
    const yaml_node *ground = yaml_get(map, "ground");
    bool has_ground =
        !ground || reader_lookup(r, ground, &r->bodies, "body", "include.ground", &scope->ground);
    if (ground && has_ground) {
        warn_of_axes(r, ground, scope);
    }
    const yaml_node *set = yaml_get(map, "set");
    if (set && reader_expect(r, set, YAML_MAP, "include.set", "a mapping of parameters")) {
        scope->set = set;
    }
    return has_ground && r->report->errors == errors;
}

// Takes `path` and `identity`.
static void read_found(reader *r, const yaml_node *node, char *path, char *identity, reader_scope *scope)
{
    if (!identity) {
        reader_error(r, node, "include.file", "%s cannot be read: %s; the path is relative to this file",
                     path, strerror(errno));
        lose_names(r);
        free(path);
        return;
    }
    if (!is_not_circular(r, identity, path, node)) {
        lose_names(r);
        free(path);
        free(identity);
        return;
    }
    int errors = r->report->errors;
    shelf_tree *tree = reader_find_tree(r, path, node, "include.file");
    const yaml_node *root = tree && tree->yaml ? yaml_root(tree->yaml) : NULL;
    if (tree && tree->yaml) {
        // the list of trees may move while the file includes others; the path does not
        scope->file = tree->path;
        scope->identity = identity;
        read_scope(r, scope, root);
    } else {
        if (r->report->errors == errors) {
            reader_error(r, node, "include.file", "cannot be read");
        }
        lose_names(r);
    }
    free(identity);
}

static void read_include(reader *r, const yaml_node *map, void *prefixes)
{
    if (!reader_expect(r, map, YAML_MAP, "include", "a mapping such as {file: wheel.yaml, prefix: left_}")) {
        lose_names(r);
        return;
    }
    reader_known(r, map, &keys_include, "include");
    const yaml_node *file = yaml_get(map, "file");
    char prefix[200];
    reader_scope scope = { .outer = r->scope, .prefix = prefix };
    if (!file) {
        reader_error(r, map, "include", "needs 'file', a path relative to this file");
    }
    bool is_good = read_placement(r, map, &scope);
    is_good = read_prefix(r, yaml_get(map, "prefix"), prefixes, prefix, sizeof prefix) && is_good;
    is_good =
        file && reader_expect(r, file, YAML_SCALAR, "include.file", "the path of a model file") && is_good;
    int depth = 1;
    for (const reader_scope *s = r->scope; s->outer; s = s->outer) {
        depth++;
    }
    if (is_good && (depth > DEEPEST_INCLUDE || ++r->n_include > MOST_INCLUDES)) {
        reader_error(r, file, "include.file", "more than %d includes, or more than %d inside each other",
                     MOST_INCLUDES, DEEPEST_INCLUDE);
        is_good = false;
    }
    const char *name = is_good ? reader_text(r, file, "include.file") : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    blocks_free(&r->memory);
    if (path) {
        errno = 0;
        read_found(r, file, path, realpath(path, NULL), &scope);
    } else {
        lose_names(r);
    }
}

void read_includes(reader *r)
{
    yaml_node *list = yaml_get(r->root, "include");
    if (!list || (list->kind == YAML_SCALAR && !list->text[0])) {
        return;
    }
    name_set prefixes = { 0 };
    if (list->kind == YAML_MAP) {
        reader_repeat(r, "include", list, &r->bodies, read_include, &prefixes);
    } else if (reader_expect(r, list, YAML_LIST, "include",
                             "a list such as [{file: wheel.yaml, prefix: left_}]")) {
        for (int k = 0; k < list->count; k++) {
            reader_repeat(r, "include", list->item[k], &r->bodies, read_include, &prefixes);
        }
    } else {
        lose_names(r);
    }
    name_set_clear(&prefixes);
    // a repetition with a mistake loses everything in its files
    if (r->bodies.is_incomplete) {
        lose_names(r);
    }
}
