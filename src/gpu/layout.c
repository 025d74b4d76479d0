// SPDX-License-Identifier: MIT
// How sims of a system travel: which words of their blocks go along, and which of them hold addresses. Two sims are made and
// stepped; what differs by the distance of their blocks points into them.
#include "gpu/gpu.h"
#include "sim/image/image.h"
#include <stdlib.h>
#include <string.h>

static bool refuse(bi_report *report, bi_status code, const char *what)
{
    bi_report_add(report, BI_ERROR, code, (bi_place){ 0 }, "gpu", "%s", what);
    return false;
}

// ---- which words --------------------------------------------------------------------------------------------------

typedef struct {
    const uint64_t *a, *b; // blocks of two sims
    uint64_t system, behind;
    int64_t words;              // that are compared,
    size_t size;                // bytes of the whole block
    bool *is_inner, *is_system; // (words)
} comparison;

static void compare(comparison *c)
{
    uint64_t distance = (uint64_t)((uintptr_t)c->b - (uintptr_t)c->a);
    uint64_t first = (uint64_t)(uintptr_t)c->a, last = first + c->size;
    for (int64_t k = 0; k < c->words; k++) {
        uint64_t a = c->a[k], b = c->b[k];
        c->is_inner[k] |= b - a == distance && a >= first && a <= last;
        c->is_system[k] |= a == b && a >= c->system && a < c->behind;
    }
}

static int32_t *listed(const bool *is, int64_t words, int64_t *count)
{
    *count = 0;
    for (int64_t k = 0; k < words; k++) {
        *count += is[k];
    }
    int32_t *list = malloc((size_t)(*count + 1) * sizeof *list);
    int64_t n = 0;
    for (int64_t k = 0; list && k < words; k++) {
        if (is[k]) {
            list[n++] = (int32_t)k;
        }
    }
    return list;
}

// Addresses that come only while it runs are there after some steps.
enum { STEPS_LOOKED_AT = 4 };

static bool look(const bi_system *s, comparison *c, bi_sim *a, bi_sim *b)
{
    c->a = (const uint64_t *)(const void *)a;
    c->b = (const uint64_t *)(const void *)b;
    compare(c);
    bool goes = bi_sim_start(a, NULL) == BI_OK && bi_sim_start(b, NULL) == BI_OK;
    compare(c);
    for (int k = 0; goes && k < STEPS_LOOKED_AT; k++) {
        goes = bi_sim_step(a) == BI_OK && bi_sim_step(b) == BI_OK;
        compare(c);
    }
    (void)s;
    return true;
}

static bool find_words(const bi_system *s, gpu_layout *out, bi_report *report)
{
    bi_sim *a = bi_sim_create(s), *b = bi_sim_create(s);
    comparison c = { .system = (uint64_t)(uintptr_t)s };
    c.behind = c.system + s->image->n_data;
    bool is_made = a && b;
    if (is_made) {
        out->hot = (int64_t)((a->hot + 7) / sizeof(uint64_t));
        // sims that tell accelerations keep those of a step behind their log
        size_t used = a->acceleration ? (size_t)((const char *)a->held - (const char *)a) : a->cold;
        out->room = (int64_t)((used + 7) / sizeof(uint64_t));
        out->host_words = (int64_t)((a->size + 7) / sizeof(uint64_t));
        c.words = out->hot;
        c.size = a->size;
        c.is_inner = calloc((size_t)c.words, sizeof *c.is_inner);
        c.is_system = calloc((size_t)c.words, sizeof *c.is_system);
        is_made = c.is_inner && c.is_system && look(s, &c, a, b);
    }
    if (is_made) {
        out->inner = listed(c.is_inner, c.words, &out->n_inner);
        out->system = listed(c.is_system, c.words, &out->n_system);
        is_made = out->inner && out->system;
    }
    if (is_made && s->model->n_event > 0) {
        const char *behind = (const char *)(a->hit + s->n_hit);
        behind = s->n_hit > 0 ? behind : (const char *)(a->log + EVENTS_MOST);
        out->log = ((const char *)a->log - (const char *)a) / (int64_t)sizeof(uint64_t);
        out->n_log = (behind - (const char *)a->log) / (int64_t)sizeof(uint64_t);
    }
    out->words = out->room + out->n_log;
    free(c.is_inner);
    free(c.is_system);
    bi_sim_destroy(a);
    bi_sim_destroy(b);
    return is_made || refuse(report, BI_NO_MEMORY, "out of memory");
}

// ---- what goes there ----------------------------------------------------------------------------------------------

static bool are_planes(const bi_model *m, const bi_shapes *list)
{
    bool are = list->count > 0;
    for (int k = 0; k < list->count; k++) {
        bi_shape_def d;
        are = are && bi_model_shape_at(m, list->item[k], &d) && d.type == BI_SHAPE_PLANE;
    }
    return are;
}

// Contacts whose shapes meet others than planes, which the code there leaves out; NULL: none.
static const char *contact_left_out(const bi_model *m)
{
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        if (strcmp(e->kind->section, "contacts") == 0 && strcmp(e->kind->type, "contact") == 0) {
            const bi_contact_def *d = e->def;
            if (!are_planes(m, &d->a) && !are_planes(m, &d->b)) {
                return e->name;
            }
        }
    }
    return NULL;
}

static bool has_magic_tyres(const bi_model *m)
{
    for (int k = 0; k < m->n_element; k++) {
        if (strcmp(m->element[k].kind->type, "tyre-magic") == 0) {
            return true;
        }
    }
    return false;
}

bool gpu_layout_of(const bi_system *s, gpu_layout *out, bi_report *report)
{
    *out = (gpu_layout){ 0 };
    if (!s->is_image) {
        return refuse(report, BI_BAD_ARGUMENT,
                      "takes systems of images only (bi_image_make, bi_image_load): they can be moved");
    }
    if (s->dynamics.plan.n_pools > 0) {
        return refuse(report, BI_BAD_MODEL,
                      "contacts among many shapes need memory that grows in a run; this machine's threads do "
                      "such models");
    }
    const scheme *rule = scheme_of(s->options.scheme);
    if (rule->settles || rule->corrects_phase || s->options.accuracy > 0.0 || has_magic_tyres(s->model)) {
        return refuse(report, BI_BAD_MODEL,
                      "the code for GPUs has no piles, no ali3p-flex, no automatic steps and no tyre-magic; "
                      "this machine's "
                      "threads do these");
    }
    const char *contact = contact_left_out(s->model);
    if (contact) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, contact,
                      "on a GPU shapes meet planes only, and this contact has others; the threads of this "
                      "machine do it");
        return false;
    }
    return find_words(s, out, report);
}

void gpu_layout_clear(gpu_layout *layout)
{
    free((void *)(uintptr_t)layout->inner);
    free((void *)(uintptr_t)layout->system);
    *layout = (gpu_layout){ 0 };
}

// ---- packs --------------------------------------------------------------------------------------------------------

int64_t gpu_pack_words(const gpu_layout *layout) { return layout->hot + layout->n_log; }

void gpu_pack(const gpu_layout *layout, const bi_sim *sim, uint64_t *pack)
{
    const uint64_t *block = (const uint64_t *)(const void *)sim;
    memcpy(pack, block, (size_t)layout->hot * sizeof *pack);
    memcpy(pack + layout->hot, block + layout->log, (size_t)layout->n_log * sizeof *pack);
}

void gpu_unpack(const gpu_layout *layout, const uint64_t *pack, bi_sim *sim)
{
    uint64_t *block = (uint64_t *)(void *)sim;
    memcpy(block, pack, (size_t)layout->hot * sizeof *pack);
    memcpy(block + layout->log, pack + layout->hot, (size_t)layout->n_log * sizeof *pack);
    sim->have = 0;
}
