// SPDX-License-Identifier: MIT
// Flexible bodies for the page: meshes, shapes and rows of stress once, amplitudes with every frame; the page deforms
// and paints.
#include "cli/words.h"
#include "live/live.h"
#include <biela/flex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void live_write_flexible(json *j, const bi_model *m)
{
    int first = 0;
    open_scene_flexible(j);
    for (int b = 2; b <= bi_model_body_count(m); b++) {
        const bi_flex *flex = bi_model_flex(m, (bi_body){ b });
        if (flex) {
            json_object(j, NULL);
            put_flexible_body(j, b - 2);
            put_flexible_first(j, first);
            put_flexible_modes(j, bi_flex_modes(flex)->n_mode);
            json_end(j);
            first += bi_flex_modes(flex)->n_mode;
        }
    }
    json_end(j);
}

// ---- what is drawn -----------------------------------------------------------------------------------------------

typedef struct {
    uint32_t node[4]; // corners; a triangle repeats its last one
    uint32_t key[4];  // sorted, to find the face of the neighbour
} face;

typedef struct {
    face *item;
    int count;
} face_list;

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_faces(const void *a, const void *b)
{
    return memcmp(((const face *)a)->key, ((const face *)b)->key, sizeof(uint32_t[4]));
}

static void add_face(face_list *list, const int32_t *node, const int *corner, int n)
{
    face *f = &list->item[list->count++];
    for (int i = 0; i < 4; i++) {
        f->node[i] = f->key[i] = (uint32_t)node[corner[i < n ? i : n - 1]];
    }
    qsort(f->key, 4, sizeof *f->key, compare_numbers);
}

// Faces of all elements; those between two elements come twice.
static face_list all_faces(const bi_fe_mesh *mesh)
{
    static const int quad[1][4] = { { 0, 1, 2, 3 } };
    static const int tet[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };
    static const int hex[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
                                   { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
    static const int wedge_end[2][3] = { { 0, 2, 1 }, { 3, 4, 5 } };
    static const int wedge_side[3][4] = { { 0, 1, 4, 3 }, { 1, 2, 5, 4 }, { 2, 0, 3, 5 } };
    face_list list = { .item = words_alloc(((size_t)mesh->n_element * 6 + 1) * sizeof *list.item) };
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        switch (e->kind) {
        case BI_FE_SHELL4:
        case BI_FE_QUAD:
        case BI_FE_QUAD_PLAIN: add_face(&list, e->node, quad[0], 4); break;
        case BI_FE_SHELL3:
        case BI_FE_TRIANGLE: add_face(&list, e->node, quad[0], 3); break;
        case BI_FE_TET10:
            for (int f = 0; f < 4; f++) {
                add_face(&list, e->node, tet[f], 3);
            }
            break;
        case BI_FE_HEX8:
        case BI_FE_HEX20:
            for (int f = 0; f < 6; f++) {
                add_face(&list, e->node, hex[f], 4);
            }
            break;
        case BI_FE_WEDGE15:
            for (int f = 0; f < 2; f++) {
                add_face(&list, e->node, wedge_end[f], 3);
            }
            for (int f = 0; f < 3; f++) {
                add_face(&list, e->node, wedge_side[f], 4);
            }
            break;
        default: break;
        }
    }
    return list;
}

// The skin: faces that no second element has.
static void keep_skin(face_list *list)
{
    int kept = 0;
    qsort(list->item, (size_t)list->count, sizeof *list->item, compare_faces);
    for (int k = 0; k < list->count; k++) {
        bool is_twin = (k > 0 && compare_faces(&list->item[k], &list->item[k - 1]) == 0) ||
                       (k + 1 < list->count && compare_faces(&list->item[k], &list->item[k + 1]) == 0);
        if (!is_twin) {
            // it differs from its neighbours, so a mark in its key disturbs no comparison
            list->item[k].key[3] |= 0x80000000u;
        }
    }
    for (int k = 0; k < list->count; k++) {
        if (list->item[k].key[3] & 0x80000000u) {
            list->item[kept++] = list->item[k];
        }
    }
    list->count = kept;
}

// ---- bytes -------------------------------------------------------------------------------------------------------

typedef struct {
    const bi_fe_mesh *mesh;
    const bi_modes *modes;
    const bi_recovery *stress;
    face_list skin;
} drawn_body;

static flex_counts count_all(const drawn_body *b)
{
    const bi_recovery *r = b->stress;
    flex_counts counts = { .nodes = (uint32_t)b->mesh->n_node,
                           .modes = (uint32_t)b->modes->n_mode,
                           .faces = (uint32_t)b->skin.count,
                           .places = (uint32_t)r->n_point,
                           .rows = (uint32_t)r->n_row,
                           .ends = (uint32_t)(r->form == BI_FORM_SECTION ? r->n_point : r->n_section),
                           .bent = b->modes->bend != NULL };
    for (int k = 0; k < b->mesh->n_element; k++) {
        counts.beams += bi_fe_is_beam(b->mesh->element[k].kind);
    }
    return counts;
}

static void put_positions(FILE *out, const drawn_body *b)
{
    for (int i = 0; i < b->mesh->n_node; i++) {
        live_put_vec3(out, b->mesh->node[i].at);
    }
}

// Vectors of the nodes, list by list; the modes may have nodes behind those of the mesh.
static void put_fields(FILE *out, const drawn_body *b, const bi_vec3 *value, int lists)
{
    int n = b->mesh->n_node;
    for (int k = 0; value && k < lists * n; k++) {
        live_put_vec3(out, value[(size_t)(k / n) * (size_t)b->modes->n_node + (size_t)(k % n)]);
    }
}

static void put_shapes(FILE *out, const drawn_body *b)
{
    put_fields(out, b, b->modes->shape, b->modes->n_mode);
}

static void put_bends(FILE *out, const drawn_body *b)
{
    put_fields(out, b, b->modes->bend, b->modes->n_mode * b->modes->n_mode);
}

static void put_tubes(FILE *out, const drawn_body *b)
{
    const bi_fe_mesh *mesh = b->mesh;
    for (int k = 0; k < mesh->n_element; k++) {
        if (bi_fe_is_beam(mesh->element[k].kind)) {
            const bi_section *s = &mesh->section[mesh->element[k].section];
            live_put_u32(out, (uint32_t)mesh->element[k].node[0]);
            live_put_u32(out, (uint32_t)mesh->element[k].node[1]);
            // a section without fibres is drawn as a full round one of its area
            live_put_f32(out,
                         fmax(s->top, s->side) > 0.0 ? fmax(s->top, s->side) : sqrt(s->area / 3.14159265));
        }
    }
}

static void put_corners(FILE *out, const drawn_body *b)
{
    for (int k = 0; k < b->skin.count; k++) {
        for (int i = 0; i < 4; i++) {
            live_put_u32(out, b->skin.item[k].node[i]);
        }
    }
}

static void put_spots(FILE *out, const drawn_body *b)
{
    const bi_recovery *r = b->stress;
    for (int k = 0; k < r->n_point; k++) {
        live_put_u32(out, (uint32_t)r->node[k]);
        live_put_u32(out, r->is_round && r->is_round[k]);
        live_put_u32(out, (uint32_t)r->label[k]);
    }
}

static void put_stresses(FILE *out, const drawn_body *b)
{
    const bi_recovery *r = b->stress;
    for (int k = 0; k < r->n_point * r->n_row * r->n_mode; k++) {
        live_put_f32(out, r->row[k]);
    }
}

static void write_body(FILE *out, const bi_flex *flex, const bi_recovery *r)
{
    drawn_body body = { .mesh = bi_flex_mesh(flex), .modes = bi_flex_modes(flex), .stress = r };
    body.skin = all_faces(body.mesh);
    keep_skin(&body.skin);
    flex_counts counts = count_all(&body);
#define PUT_COUNT(name) live_put_u32(out, counts.name);
    FLEX_COUNTS(PUT_COUNT)
#define PUT_PART(name) put_##name(out, &body);
    FLEX_PARTS(PUT_PART)
    free(body.skin.item);
}

bool live_flexible_resource(const bi_model *m, const char *path, char **bytes, size_t *size)
{
    char *end = NULL, why[200];
    long k =
        strncmp(path, "/flex/", 6) == 0 && path[6] >= '0' && path[6] <= '9' ? strtol(path + 6, &end, 10) : -1;
    const bi_flex *flex =
        k >= 0 && !*end && k < bi_model_body_count(m) ? bi_model_flex(m, (bi_body){ (int32_t)k + 2 }) : NULL;
    if (!flex) {
        return false;
    }
    bi_flex_probe everywhere = {
        .quantity = BI_PROBE_MISES, .is_everywhere = true, .element = -1, .next = -1, .node = -1
    };
    bi_recovery *r = bi_flex_recover(flex, &everywhere, why, sizeof why);
    FILE *out = r ? open_memstream(bytes, size) : NULL;
    if (out) {
        write_body(out, flex, r);
        fclose(out);
    }
    bi_recovery_destroy(r);
    return out != NULL;
}
