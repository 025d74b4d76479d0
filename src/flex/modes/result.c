// SPDX-License-Identifier: MIT
// The result of a reduction: its memory, its facts, its hash, and its bytes for a file.
#include "flex/modes/result.h"
#include "base/hash.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

// ---- meshes ------------------------------------------------------------------------------------------------

static void *copy_of(const void *from, int count, size_t size)
{
    void *to = calloc((size_t)count + 1, size);
    if (to && count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

static const char *own(const char *text, bool *is_good)
{
    char *copy = text_copy(text);
    *is_good = *is_good && (copy || !text);
    return copy;
}

// Places name files that the copy may outlive.
bool mesh_copy(const bi_fe_mesh *mesh, bi_fe_mesh *out)
{
    *out = *mesh;
    out->node = copy_of(mesh->node, mesh->n_node, sizeof *mesh->node);
    out->element = copy_of(mesh->element, mesh->n_element, sizeof *mesh->element);
    out->section = copy_of(mesh->section, mesh->n_section, sizeof *mesh->section);
    out->material = copy_of(mesh->material, mesh->n_material, sizeof *mesh->material);
    bool is_good = out->node && out->element && out->section && out->material;
    if (!is_good) {
        out->n_node = out->n_element = out->n_section = out->n_material = 0;
    }
    for (int k = 0; k < out->n_node; k++) {
        out->node[k].name = own(out->node[k].name, &is_good);
        out->node[k].place = (bi_place){ 0 };
    }
    for (int k = 0; k < out->n_element; k++) {
        out->element[k].name = own(out->element[k].name, &is_good);
        out->element[k].place = (bi_place){ 0 };
    }
    for (int k = 0; k < out->n_section; k++) {
        out->section[k].name = own(out->section[k].name, &is_good);
        out->section[k].place = (bi_place){ 0 };
    }
    for (int k = 0; k < out->n_material; k++) {
        out->material[k].name = own(out->material[k].name, &is_good);
        out->material[k].place = (bi_place){ 0 };
    }
    if (!is_good) {
        mesh_clear(out);
    }
    return is_good;
}

static void drop(const char *name) { free((void *)(uintptr_t)name); }

void mesh_clear(bi_fe_mesh *mesh)
{
    for (int k = 0; k < mesh->n_node; k++) {
        drop(mesh->node[k].name);
    }
    for (int k = 0; k < mesh->n_element; k++) {
        drop(mesh->element[k].name);
    }
    for (int k = 0; k < mesh->n_section; k++) {
        drop(mesh->section[k].name);
    }
    for (int k = 0; k < mesh->n_material; k++) {
        drop(mesh->material[k].name);
    }
    free(mesh->node);
    free(mesh->element);
    free(mesh->section);
    free(mesh->material);
    *mesh = (bi_fe_mesh){ 0 };
}

void bi_flex_destroy(bi_flex *flex)
{
    if (!flex) {
        return;
    }
    mesh_clear(&flex->mesh);
    free(flex->hz);
    free(flex->normal_hz);
    free(flex->nodal);
    free(flex->at);
    free(flex->shape);
    free(flex->turn);
    free(flex->bend);
    free(flex->mass);
    free(flex->stiffness);
    free(flex->damping);
    free(flex->held);
    free(flex);
}

// ---- reading -----------------------------------------------------------------------------------------------

// The arrays stay where they are: the public structs only point to them.
static void link_arrays(bi_flex *flex)
{
    bi_modes *m = &flex->modes;
    m->at = flex->at;
    m->mass = flex->mass;
    m->shape = flex->shape;
    m->turn = flex->turn;
    m->bend = flex->bend;
    m->stiffness = flex->stiffness;
    m->damping = flex->damping;
    flex->facts.hz = flex->hz;
    flex->facts.normal_hz = flex->normal_hz;
}

const bi_modes *bi_flex_modes(const bi_flex *flex) { return flex ? &flex->modes : NULL; }

const bi_fe_mesh *bi_flex_mesh(const bi_flex *flex) { return flex ? &flex->mesh : NULL; }

bi_flex_facts bi_flex_facts_of(const bi_flex *flex) { return flex ? flex->facts : (bi_flex_facts){ 0 }; }

bi_flex_damping bi_flex_damping_of(const bi_flex *flex) { return flex ? flex->said : (bi_flex_damping){ 0 }; }

// ---- hash --------------------------------------------------------------------------------------------------

#define HASH(hash, value) hash_bytes((hash), &(value), sizeof(value))

static uint64_t hash_vec3(uint64_t h, vec3 v)
{
    const double x[3] = { v.x, v.y, v.z };
    return hash_bytes(h, x, sizeof x);
}

static uint64_t hash_element(uint64_t h, const bi_fe_element *e)
{
    const fe_kind *kind = fe_kind_of(e->kind);
    int code = (int)e->kind, n = kind ? kind->n_node : 2;
    h = HASH(h, code);
    h = hash_bytes(h, e->node, (size_t)n * sizeof e->node[0]);
    h = HASH(h, e->section);
    h = HASH(h, e->material);
    h = hash_vec3(h, e->y_axis);
    h = hash_vec3(h, e->offset[0]);
    h = hash_vec3(h, e->offset[1]);
    h = HASH(h, e->mass);
    // what only exact beams have changes no name of the others
    const double exact[4] = { e->bend.x, e->bend.y, e->bend.z, e->prestress };
    if (exact[0] != 0.0 || exact[1] != 0.0 || exact[2] != 0.0 || exact[3] != 0.0) {
        h = hash_bytes(h, exact, sizeof exact);
    }
    return HASH(h, e->inertia);
}

static uint64_t hash_mesh(uint64_t h, const bi_fe_mesh *mesh)
{
    const int counts[5] = { mesh->n_node, mesh->n_element, mesh->n_section, mesh->n_material,
                            mesh->is_plane };
    h = hash_bytes(h, counts, sizeof counts);
    for (int k = 0; k < mesh->n_node; k++) {
        h = hash_vec3(h, mesh->node[k].at);
    }
    for (int k = 0; k < mesh->n_element; k++) {
        h = hash_element(h, &mesh->element[k]);
    }
    for (int k = 0; k < mesh->n_section; k++) {
        const bi_section *s = &mesh->section[k];
        const double x[7] = { s->area, s->iy, s->iz, s->torsion, s->shear_y, s->shear_z, s->thickness };
        h = hash_bytes(h, x, sizeof x);
    }
    for (int k = 0; k < mesh->n_material; k++) {
        const bi_material *m = &mesh->material[k];
        const double x[3] = { m->young, m->poisson, m->density };
        h = hash_bytes(h, x, sizeof x);
    }
    return h;
}

uint64_t bi_flex_hash(const bi_flex_def *def)
{
    // a new way of computing gets a new number here: old files are then not taken
    static const char format[] = "biela flex 2";
    if (!def) {
        return 0;
    }
    uint64_t h = hash_bytes(hash_seed, format, sizeof format);
    h = hash_bytes(h, bi_build_name(), strlen(bi_build_name()));
    h = hash_mesh(h, &def->mesh);
    h = HASH(h, def->n_frame);
    h = hash_bytes(h, def->frame, (size_t)def->n_frame * sizeof *def->frame);
    for (int k = 0; k < def->n_boundary; k++) {
        const bi_flex_boundary *b = &def->boundary[k];
        const int code[3] = { b->node, b->is_point, b->n_vector };
        h = hash_bytes(h, code, sizeof code);
        for (int v = 0; v < b->n_vector; v++) {
            h = hash_vec3(h, b->vector[v]);
        }
    }
    if (def->has_weight_modes) {
        h = HASH(h, def->has_weight_modes);
    }
    if (def->tolerance > 0.0) {
        h = HASH(h, def->tolerance);
    }
    const int code[3] = { def->n_normal, def->is_foreshortened, def->has_no_rotary };
    const double x[5] = { def->up_to, def->damping, def->alpha, def->beta, def->mass };
    return hash_bytes(hash_bytes(h, code, sizeof code), x, sizeof x);
}

// ---- bytes -------------------------------------------------------------------------------------------------

typedef struct {
    char magic[8];
    uint64_t hash;
    int32_t n_node, n_mode, n_static, n_normal, n_freedom, has_bend, is_plane, n_rigid;
    double mass, inertia[6], com[3], section_mass, rigid, patch, truncation;
} header;

static const char magic[8] = "BIFLEX2";

// Copies out of or into the arrays, one after the other: the order is the format.
typedef struct {
    char *bytes; // NULL: only measured
    size_t used, capacity;
    bool is_reading, is_bad;
} stream;

static void pass(stream *s, void *data, size_t size)
{
    if (s->bytes && size <= s->capacity && s->used <= s->capacity - size) {
        char *at = s->bytes + s->used;
        memcpy(s->is_reading ? data : at, s->is_reading ? at : data, size);
    } else if (s->bytes) {
        s->is_bad = true;
    }
    s->used += size;
}

static void pass_arrays(stream *s, bi_flex *f)
{
    size_t n = (size_t)f->modes.n_node, n_mode = (size_t)f->modes.n_mode;
    pass(s, f->hz, n_mode * sizeof(double));
    pass(s, f->normal_hz, (size_t)f->facts.n_normal * sizeof(double));
    pass(s, f->nodal, n_mode * 6 * (size_t)f->mesh.n_node * sizeof(double));
    pass(s, f->stiffness, n_mode * sizeof(double));
    pass(s, f->damping, n_mode * sizeof(double));
    pass(s, f->mass, n * sizeof(double));
    pass(s, f->at, n * sizeof(vec3));
    pass(s, f->shape, n * n_mode * sizeof(vec3));
    pass(s, f->turn, n * n_mode * sizeof(vec3));
    if (f->bend) {
        pass(s, f->bend, n * n_mode * n_mode * sizeof(vec3));
    }
}

static header header_of(const bi_flex *f)
{
    const bi_flex_facts *a = &f->facts;
    header h = { .hash = f->hash, .n_node = f->modes.n_node, .n_mode = f->modes.n_mode };
    memcpy(h.magic, magic, sizeof magic);
    h.n_static = a->n_static;
    h.n_normal = a->n_normal;
    h.n_freedom = a->n_freedom;
    h.n_rigid = a->n_rigid;
    h.has_bend = f->bend != NULL;
    h.is_plane = f->is_plane;
    h.mass = a->mass;
    memcpy(h.inertia, a->inertia, sizeof h.inertia);
    h.com[0] = a->com.x, h.com[1] = a->com.y, h.com[2] = a->com.z;
    h.section_mass = a->section_mass;
    h.rigid = a->rigid;
    h.patch = a->patch;
    h.truncation = a->truncation;
    return h;
}

size_t bi_flex_save(const bi_flex *flex, void *buffer, size_t capacity)
{
    if (!flex) {
        return 0;
    }
    bi_flex copy = *flex; // only read
    header h = header_of(flex);
    stream s = { .bytes = buffer, .capacity = capacity };
    pass(&s, &h, sizeof h);
    pass_arrays(&s, &copy);
    uint64_t sum = buffer && !s.is_bad ? hash_bytes(hash_seed, buffer, s.used) : 0;
    pass(&s, &sum, sizeof sum);
    return s.used;
}

static bool is_sane(const header *h, const bi_flex_def *def, size_t size)
{
    return memcmp(h->magic, magic, sizeof magic) == 0 && h->hash == bi_flex_hash(def) &&
           h->n_node >= def->mesh.n_node && h->n_mode > 0 && h->n_normal >= 0 && h->n_normal <= h->n_mode &&
           (size_t)h->n_node * (size_t)h->n_mode < size;
}

static bool take_arrays(bi_flex *f, const header *h)
{
    size_t n = (size_t)h->n_node + 1, n_mode = (size_t)h->n_mode;
    f->hz = malloc(n_mode * sizeof(double));
    f->normal_hz = malloc(((size_t)h->n_normal + 1) * sizeof(double));
    f->nodal = malloc(n_mode * 6 * ((size_t)f->mesh.n_node + 1) * sizeof(double));
    f->stiffness = malloc(n_mode * sizeof(double));
    f->damping = malloc(n_mode * sizeof(double));
    f->mass = malloc(n * sizeof(double));
    f->at = malloc(n * sizeof(vec3));
    f->shape = malloc(n * n_mode * sizeof(vec3));
    f->turn = malloc(n * n_mode * sizeof(vec3));
    f->bend = h->has_bend ? malloc(n * n_mode * n_mode * sizeof(vec3)) : NULL;
    return f->hz && f->normal_hz && f->nodal && f->stiffness && f->damping && f->mass && f->at && f->shape &&
           f->turn && (f->bend || !h->has_bend);
}

static void take_facts(bi_flex *f, const header *h)
{
    f->hash = h->hash;
    f->is_plane = h->is_plane != 0;
    f->modes.n_node = h->n_node;
    f->modes.n_mode = h->n_mode;
    f->facts = (bi_flex_facts){ .n_freedom = h->n_freedom,
                                .n_static = h->n_static,
                                .n_normal = h->n_normal,
                                .n_rigid = h->n_rigid,
                                .mass = h->mass,
                                .com = { h->com[0], h->com[1], h->com[2] },
                                .section_mass = h->section_mass,
                                .rigid = h->rigid,
                                .patch = h->patch,
                                .truncation = h->truncation };
    memcpy(f->facts.inertia, h->inertia, sizeof h->inertia);
}

bool result_finish(bi_flex *flex, const bi_flex_def *def)
{
    flex->hash = bi_flex_hash(def);
    flex->said = (bi_flex_damping){ def->damping, def->alpha, def->beta, def->has_no_rotary };
    flex->held = calloc((size_t)(def->n_frame + def->n_boundary) + 1, sizeof *flex->held);
    for (int k = 0; flex->held && k < def->n_frame; k++) {
        flex->held[flex->n_held++] = def->frame[k];
    }
    for (int k = 0; flex->held && k < def->n_boundary; k++) {
        if (def->boundary[k].is_point) {
            flex->held[flex->n_held++] = def->boundary[k].node;
        }
    }
    link_arrays(flex);
    return flex->held != NULL;
}

bi_flex *bi_flex_load(const bi_flex_def *def, const void *bytes, size_t size)
{
    header h;
    uint64_t sum;
    if (!def || !bytes || size < sizeof h + sizeof sum) {
        return NULL;
    }
    memcpy(&h, bytes, sizeof h);
    memcpy(&sum, (const char *)bytes + size - sizeof sum, sizeof sum);
    if (!is_sane(&h, def, size) || sum != hash_bytes(hash_seed, bytes, size - sizeof sum)) {
        return NULL;
    }
    bi_flex *f = calloc(1, sizeof *f);
    if (!f || !mesh_copy(&def->mesh, &f->mesh) || !take_arrays(f, &h)) {
        bi_flex_destroy(f);
        return NULL;
    }
    take_facts(f, &h);
    stream s = { .bytes = (char *)(uintptr_t)bytes, .capacity = size - sizeof sum, .is_reading = true };
    s.used = sizeof h;
    pass_arrays(&s, f);
    if (s.is_bad || s.used != size - sizeof sum) {
        bi_flex_destroy(f);
        return NULL;
    }
    if (!result_finish(f, def)) {
        bi_flex_destroy(f);
        return NULL;
    }
    return f;
}
