// SPDX-License-Identifier: MIT
#include "state/plan.h"
#include "base/list.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plan_clear(plan *p)
{
    for (int k = 0; k < p->n_kept; k++) {
        free(p->kept[k]);
    }
    free(p->kept);
    free(p->marker);
    free(p->list);
    free(p->row);
    free(p->condition);
    free(p->block);
    free(p->request);
    free(p->signal);
    free(p->partial);
    free(p->order);
    free(p->outside);
    free(p->postponed);
    free(p->open);
    free(p->certain);
    free(p->contact);
    free(p->readings);
    free(p->sleeper);
    free(p->site);
    free(p->pool);
    free(p->state);
    *p = (plan){ 0 };
}

int marker_width(marker_kind kind)
{
    switch (kind) {
    case MARKER_POINT:
    case MARKER_VECTOR: return 3;
    case MARKER_FRAME: return 6;
    default: return 1;
    }
}

static bool same_marker(const marker *a, const marker *b)
{
    return a->kind == b->kind && a->body == b->body && a->joint == b->joint && a->node == b->node &&
           a->coordinate == b->coordinate && a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z;
}

static int add_marker(plan *p, marker wanted)
{
    // newest first: laws ask for their neighbours' markers; bounded so that long chains stay linear
    for (int k = p->n_marker - 1, tries = 0; k >= 0 && tries < 4096; k--, tries++) {
        if (same_marker(&p->marker[k], &wanted)) {
            p->marker[k].is_read |= wanted.is_read;
            return k;
        }
    }
    if (!LIST_RESERVE(p->marker, p->n_marker, p->cap_marker)) {
        p->no_memory = true;
        return 0;
    }
    wanted.dof = p->n_dof;
    p->n_dof += marker_width(wanted.kind);
    if (wanted.kind == MARKER_FRAME) {
        wanted.frame = p->n_frame++;
    }
    p->marker[p->n_marker] = wanted;
    return p->n_marker++;
}

int plan_point(plan *p, int body, vec3 at)
{
    int m = plan_load_point(p, body, at);
    if (m < p->n_marker) {
        p->marker[m].is_read = true;
    }
    return m;
}

int plan_load_point(plan *p, int body, vec3 at)
{
    int node = model_moved_node(p->model, body, at);
    return add_marker(p, (marker){ .kind = MARKER_POINT, .body = body, .at = at, .node = node, .joint = -1 });
}

int plan_mass_point(plan *p, int body)
{
    return add_marker(p, (marker){ .kind = MARKER_POINT, .body = body, .node = -1, .joint = -1 });
}

int plan_vector(plan *p, int body, vec3 direction)
{
    return add_marker(
        p, (marker){ .kind = MARKER_VECTOR, .body = body, .at = direction, .joint = -1, .is_read = true });
}

int plan_vector_at(plan *p, int body, vec3 at, vec3 direction)
{
    int node = model_moved_node(p->model, body, at);
    return add_marker(p, (marker){ .kind = MARKER_VECTOR,
                                   .body = body,
                                   .at = direction,
                                   .node = node,
                                   .joint = -1,
                                   .is_read = true });
}

double plan_weight(const plan *p)
{
    double gravity = vec3_norm(p->model->gravity);
    return gravity > 0.0 ? gravity : 9.81;
}

int plan_frame(plan *p, int body, vec3 at)
{
    int m = plan_shown_frame(p, body, at);
    if (m < p->n_marker) {
        p->marker[m].is_read = true;
    }
    return m;
}

int plan_shown_frame(plan *p, int body, vec3 at)
{
    int node = model_moved_node(p->model, body, at);
    return add_marker(p, (marker){ .kind = MARKER_FRAME, .body = body, .at = at, .node = node, .joint = -1 });
}

int plan_joint(plan *p, int joint, int coordinate)
{
    for (int k = 0; k < p->n_marker; k++) {
        const marker *m = &p->marker[k];
        if (m->kind == MARKER_JOINT && m->joint == joint && m->coordinate == coordinate) {
            return k;
        }
    }
    return add_marker(p,
                      (marker){ .kind = MARKER_JOINT, .body = -1, .joint = joint, .coordinate = coordinate });
}

int plan_joint_choice(plan *p, int element, bi_joint joint, int32_t choice)
{
    static const char *const word[] = { "angle", "position", "x", "y", "z", "angle1", "angle2", "angle3" };
    enum { N_WORD = sizeof word / sizeof *word };
    const bi_joint_def *j = &p->model->joint[joint.i - 1].def;
    for (int c = 0; c < model_coordinate_count(j->kind); c++) {
        if (choice < 1 || choice > N_WORD ||
            strcmp(model_coordinate_name(j->kind, c), word[choice - 1]) == 0) {
            return plan_joint(p, joint.i - 1, c);
        }
    }
    plan_complain(p, element, "coordinate", "joint %s has no %s", j->name,
                  choice >= 1 && choice <= N_WORD ? word[choice - 1] : "coordinate");
    return plan_joint(p, joint.i - 1, 0);
}

int plan_mode(plan *p, int body, int mode)
{
    return add_marker(p, (marker){ .kind = MARKER_MODE, .body = body, .joint = -1, .coordinate = mode });
}

static int add_list(plan *p, const int *markers, int n_marker, int *width)
{
    int first = p->n_list;
    *width = 0;
    for (int k = 0; k < n_marker; k++) {
        if (!LIST_RESERVE(p->list, p->n_list, p->cap_list)) {
            p->no_memory = true;
            return 0;
        }
        p->list[p->n_list++] = markers[k];
        *width += marker_width(p->marker[markers[k]].kind);
    }
    return first;
}

// The condition of a constraint, one for all its rows; -1: it always holds.
static int condition_of(plan *p, int element)
{
    bool is_element = p->model && element >= 0 && element < p->model->n_element;
    bi_expr active = is_element ? p->model->element[element].active : (bi_expr){ 0 };
    if (active.i == 0) {
        return -1;
    }
    for (int k = p->n_condition - 1; k >= 0; k--) {
        if (p->condition[k].element == element) {
            return k;
        }
    }
    if (!LIST_RESERVE(p->condition, p->n_condition, p->cap_condition)) {
        p->no_memory = true;
        return -1;
    }
    plan_signal(p, active);
    p->condition[p->n_condition] = (row_condition){ element, active.i - 1, plan_memory(p, 1) };
    return p->n_condition++;
}

row_handle plan_rows(plan *p, const row_owner *owner, int count, const int *markers, int n_marker)
{
    if (!LIST_RESERVE(p->row, p->n_row_group, p->cap_row)) {
        p->no_memory = true;
        return (row_handle){ 0, 0 };
    }
    row_group *g = &p->row[p->n_row_group++];
    *g = (row_group){ .first = p->n_row,
                      .count = count,
                      .is_velocity = owner->is_velocity,
                      .n_marker = n_marker,
                      .gradient = p->n_gradient,
                      .place = owner->place,
                      .joint = owner->joint,
                      .element = owner->element,
                      .condition = -1 };
    snprintf(g->name, sizeof g->name, "%s", owner->name);
    g->marker = add_list(p, markers, n_marker, &g->width);
    p->n_row += count;
    p->n_gradient += count * g->width;
    row_handle at = { g->first, g->gradient };
    int condition = condition_of(p, owner->element);
    p->row[p->n_row_group - 1].condition = condition;
    return at;
}

int plan_block(plan *p, const int *markers, int n_marker)
{
    if (!LIST_RESERVE(p->block, p->n_block, p->cap_block)) {
        p->no_memory = true;
        return 0;
    }
    block_group *g = &p->block[p->n_block++];
    *g = (block_group){ .n_marker = n_marker, .value = p->n_block_value, .element = -1 };
    g->marker = add_list(p, markers, n_marker, &g->width);
    p->n_block_value += g->width * g->width;
    return g->value;
}

static int add_states(plan *p, int count, state_info info)
{
    int first = p->n_z;
    for (int k = 0; k < count; k++) {
        if (!LIST_RESERVE(p->state, p->n_z, p->cap_state)) {
            p->no_memory = true;
            return 0;
        }
        p->state[p->n_z] = info;
        p->state[p->n_z++].element = p->compiling - 1;
    }
    return first;
}

int plan_states(plan *p, int count, double least)
{
    return add_states(p, count, (state_info){ .least = least });
}

void plan_name_state(plan *p, int state, const char *name)
{
    if (!p->no_memory) {
        p->state[state].name = name;
    }
}

int plan_carried(plan *p, int count) { return add_states(p, count, (state_info){ .is_carried = true }); }

int plan_memory(plan *p, int count)
{
    p->n_memory += count;
    return p->n_memory - count;
}

bool plan_is_free(const bi_model *m, int body)
{
    const bi_body_def *d = &m->body[body].def;
    bool is_free = body > 0 && !d->flex && d->mass > 0.0;
    for (int j = 0; j < m->n_joint && is_free; j++) {
        is_free = m->joint[j].def.a.i - 1 != body && m->joint[j].def.b.i - 1 != body;
    }
    return is_free;
}

int plan_sleep(plan *p, int body, double reach)
{
    for (int k = 0; k < p->n_sleeper; k++) {
        if (p->sleeper[k].body == body) {
            p->sleeper[k].reach = fmax(p->sleeper[k].reach, reach);
            return p->sleeper[k].memory;
        }
    }
    if (!(p->sleep > 0.0) || !plan_is_free(p->model, body)) {
        return -1;
    }
    if (!LIST_RESERVE(p->sleeper, p->n_sleeper, p->cap_sleeper)) {
        p->no_memory = true;
        return -1;
    }
    int frame = plan_frame(p, body, (vec3){ 0.0, 0.0, 0.0 });
    p->sleeper[p->n_sleeper] = (plan_sleeper){ body, plan_memory(p, SLEEP_SIZE), frame, reach };
    return p->sleeper[p->n_sleeper++].memory;
}

void *plan_keep(plan *p, size_t size)
{
    void *memory = LIST_RESERVE(p->kept, p->n_kept, p->cap_kept) ? calloc(1, size) : NULL;
    p->no_memory |= !memory;
    if (memory) {
        p->kept[p->n_kept++] = memory;
    }
    return memory;
}

void plan_complain(plan *p, int element, const char *key, const char *format, ...)
{
    const model_element *e = &p->model->element[element];
    char where[256], what[512];
    snprintf(where, sizeof where, "%s.%s%s%s", e->kind->section, e->name, key[0] ? "." : "", key);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (p->report) {
        bi_report_add(p->report, BI_ERROR, BI_BAD_MODEL, e->place, where, "%s", what);
    }
}

int plan_add_readings(plan *p, int element, int count, const char *const *name, const char *const *unit)
{
    // lists of the plan's own: those given are of the program, and images have none of these
    size_t size = (size_t)count * sizeof *name;
    const char **own = plan_keep(p, 2 * size + 1);
    if (!own || !LIST_RESERVE(p->readings, p->n_readings, p->cap_readings)) {
        p->no_memory = true;
        return 0;
    }
    memcpy(own, name, size);
    memcpy(own + count, unit, size);
    int scalar = p->model->n_element + p->n_scalar;
    p->n_scalar += count;
    p->readings[p->n_readings++] = (plan_readings){ element, scalar, count, own, own + count };
    return scalar;
}

int plan_pool(plan *p, plan_pool_part part)
{
    if (!LIST_RESERVE(p->pool, p->n_pools, p->cap_pools)) {
        p->no_memory = true;
        return 0;
    }
    p->pool[p->n_pools] = part;
    return p->n_pools++;
}

int plan_add_site(plan *p, int marker)
{
    if (p->marker[marker].site > 0) {
        return p->marker[marker].site - 1;
    }
    if (!LIST_RESERVE(p->site, p->n_site, p->cap_site)) {
        p->no_memory = true;
        return 0;
    }
    plan_site *s = &p->site[p->n_site];
    *s = (plan_site){ .marker = marker, .group = p->n_block };
    s->value = plan_block(p, &marker, 1);
    p->marker[marker].site = ++p->n_site;
    return p->n_site - 1;
}

size_t plan_scratch(plan *p, size_t size)
{
    const size_t alignment = 64;
    size_t from = (p->n_scratch + alignment - 1) / alignment * alignment;
    p->n_scratch = from + size;
    return from;
}

void plan_spare(plan *p, size_t size) { p->n_spare = size > p->n_spare ? size : p->n_spare; }

int plan_touch(plan *p, int element, int row)
{
    if (!LIST_RESERVE(p->contact, p->n_contact, p->cap_contact)) {
        p->no_memory = true;
        return 0;
    }
    int scalar = p->model->n_element + p->n_scalar;
    p->n_scalar += 2;
    p->contact[p->n_contact++] = (plan_contact){ element, row, scalar };
    return scalar;
}

void plan_request(plan *p, joint_rows_kind kind, int joint, int coordinate)
{
    if (!LIST_RESERVE(p->request, p->n_request, p->cap_request)) {
        p->no_memory = true;
        return;
    }
    p->request[p->n_request++] = (joint_request){ kind, joint, coordinate };
}

void plan_request_definition(plan *p, int joint, int coordinate)
{
    bi_joint_kind kind = p->model->joint[joint].def.kind;
    if (joint_has_angles(kind)) {
        bool is_angle = model_is_angle(kind, coordinate);
        // the second and third angle are readings from the ones before
        for (int c = joint_of(kind)->first_angle; is_angle && c < coordinate; c++) {
            plan_joint(p, joint, c);
        }
        plan_request(p, is_angle ? JOINT_ROWS_EULER : JOINT_ROWS_POSITION, joint, coordinate);
        return;
    }
    joint_rows_kind rows = joint_is_distance(kind) ? JOINT_ROWS_LENGTH : JOINT_ROWS_POSITION;
    plan_request(p, model_is_angle(kind, coordinate) ? JOINT_ROWS_ANGLE : rows, joint, coordinate);
}
