// SPDX-License-Identifier: MIT
// Files that are read once for many models (bi_shelf).
#include "io/model/shelf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int pieces;
    bi_surface *surface;
} shelf_skin;

typedef struct {
    char *path;
    double scale[3];
    bi_mesh mesh;
    bi_report said;   // what was mended
    shelf_skin *skin; // (n_skin)
    int n_skin;
} shelf_solid;

struct bi_shelf {
    shelf_tree *tree; // (n_tree)
    int n_tree;
    shelf_solid **solid; // (n_solid) they do not move: whoever reads holds their meshes
    int n_solid;
    bool is_marked; // nodes may carry marks of the last read
};

bi_shelf *bi_shelf_create(void) { return calloc(1, sizeof(bi_shelf)); }

static void free_solid(shelf_solid *s)
{
    for (int k = 0; s && k < s->n_skin; k++) {
        bi_surface_release(s->skin[k].surface);
    }
    if (s) {
        bi_mesh_clear(&s->mesh);
        bi_report_clear(&s->said);
        free(s->skin);
        free(s->path);
        free(s);
    }
}

void bi_shelf_destroy(bi_shelf *shelf)
{
    for (int k = 0; shelf && k < shelf->n_tree; k++) {
        yaml_destroy(shelf->tree[k].yaml);
        free(shelf->tree[k].path);
    }
    for (int k = 0; shelf && k < shelf->n_solid; k++) {
        free_solid(shelf->solid[k]);
    }
    if (shelf) {
        free(shelf->tree);
        free(shelf->solid);
        free(shelf);
    }
}

// ---- trees -----------------------------------------------------------------------------------------------

// Aliases make trees share branches: a branch that carries no mark any more is still walked, and its size is limited.
static void clear_marks(yaml_node *node)
{
    for (int k = 0; node->kind != YAML_SCALAR && k < node->count; k++) {
        if (node->kind == YAML_MAP) {
            node->key[k]->has_mistake = node->key[k]->has_gap = false;
        }
        clear_marks(node->item[k]);
    }
    node->has_mistake = node->has_gap = false;
}

void shelf_begin(bi_shelf *shelf)
{
    int kept = 0;
    for (int k = 0; k < shelf->n_tree; k++) {
        shelf_tree *tree = &shelf->tree[k];
        if (tree->is_doubtful || !tree->yaml) {
            yaml_destroy(tree->yaml);
            free(tree->path);
            continue;
        }
        if (shelf->is_marked && yaml_root(tree->yaml)) {
            clear_marks(yaml_root(tree->yaml));
        }
        shelf->tree[kept++] = *tree;
    }
    shelf->n_tree = kept;
    shelf->is_marked = false;
}

void shelf_end(bi_shelf *shelf, bool has_mistakes) { shelf->is_marked = has_mistakes; }

bool shelf_has_doubts(const bi_shelf *shelf)
{
    bool has_doubts = false;
    for (int k = 0; k < shelf->n_tree; k++) {
        has_doubts = has_doubts || shelf->tree[k].is_doubtful || !shelf->tree[k].yaml;
    }
    return has_doubts;
}

shelf_tree *shelf_find_tree(const bi_shelf *shelf, const char *path)
{
    for (int k = 0; k < shelf->n_tree; k++) {
        if (strcmp(shelf->tree[k].path, path) == 0) {
            return &shelf->tree[k];
        }
    }
    return NULL;
}

shelf_tree *shelf_add_tree(bi_shelf *shelf, char *path, yaml_file *yaml, bool is_doubtful)
{
    shelf_tree *all = realloc(shelf->tree, ((size_t)shelf->n_tree + 1) * sizeof *all);
    if (!all) {
        yaml_destroy(yaml);
        free(path);
        return NULL;
    }
    shelf->tree = all;
    shelf->tree[shelf->n_tree] = (shelf_tree){ path, yaml, is_doubtful };
    return &shelf->tree[shelf->n_tree++];
}

// ---- meshes ----------------------------------------------------------------------------------------------

static void say_again(const shelf_solid *s, const char *where, bi_report *said)
{
    for (int k = 0; k < s->said.count; k++) {
        const bi_issue *issue = &s->said.issue[k];
        bi_report_add(said, issue->severity, issue->code, issue->place, where, "%s", issue->what);
    }
}

static bool add_solid(bi_shelf *shelf, shelf_solid *s)
{
    shelf_solid **all = realloc(shelf->solid, ((size_t)shelf->n_solid + 1) * sizeof *all);
    if (!all) {
        return false;
    }
    shelf->solid = all;
    shelf->solid[shelf->n_solid++] = s;
    return true;
}

// What is left of scale when the size of its first number was applied. A mirror turns triangles over.
static void stretch(bi_mesh *m, const double scale[3])
{
    double size = fabs(scale[0]), x = scale[0] / size, y = scale[1] / size, z = scale[2] / size;
    for (int k = 0; k < m->n_vertex; k++) {
        bi_vec3 *v = &m->vertex[k];
        *v = (bi_vec3){ x * v->x, y * v->y, z * v->z };
    }
    for (int k = 0; k < m->n_triangle && x * y * z < 0.0; k++) {
        int32_t *corner = m->triangle[k], second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

const bi_mesh *shelf_mesh(bi_shelf *shelf, const char *path, const double scale[3], bi_place used,
                          const char *where, bi_report *said)
{
    for (int k = 0; k < shelf->n_solid; k++) {
        const shelf_solid *s = shelf->solid[k];
        if (memcmp(s->scale, scale, sizeof s->scale) == 0 && strcmp(s->path, path) == 0) {
            say_again(s, where, said);
            return &s->mesh;
        }
    }
    shelf_solid *s = calloc(1, sizeof *s);
    size_t size = strlen(path) + 1;
    char *own = malloc(size);
    bi_mesh_repairs repairs;
    bool is_good = s && own;
    if (!is_good) {
        bi_report_add(said, BI_ERROR, BI_NO_MEMORY, used, where, "out of memory");
    } else {
        is_good = bi_mesh_read(path, fabs(scale[0]), used, where, &s->mesh, &repairs, &s->said);
        say_again(s, where, said);
    }
    if (is_good) {
        s->path = memcpy(own, path, size);
        memcpy(s->scale, scale, sizeof s->scale);
        stretch(&s->mesh, scale);
        is_good = add_solid(shelf, s);
    } else {
        free(own);
    }
    if (!is_good) {
        free_solid(s);
        return NULL;
    }
    return &s->mesh;
}

bi_surface *shelf_surface(bi_shelf *shelf, const bi_mesh *mesh, int pieces)
{
    shelf_solid *s = NULL;
    for (int k = 0; k < shelf->n_solid && !s; k++) {
        s = &shelf->solid[k]->mesh == mesh ? shelf->solid[k] : NULL;
    }
    for (int k = 0; s && k < s->n_skin; k++) {
        if (s->skin[k].pieces == pieces) {
            return s->skin[k].surface;
        }
    }
    shelf_skin *all = s ? realloc(s->skin, ((size_t)s->n_skin + 1) * sizeof *all) : NULL;
    if (!all) {
        return NULL;
    }
    s->skin = all;
    bi_surface *surface = bi_surface_create(mesh, pieces, NULL);
    if (surface) {
        s->skin[s->n_skin++] = (shelf_skin){ pieces, surface };
    }
    return surface;
}
