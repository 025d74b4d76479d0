// SPDX-License-Identifier: MIT
// The mesh of a flexible body: chains of beams become bars with elements of their own, quads are divided, links become
// rigid bodies without mass.
#include "base/list.h"
#include "exact/bridge/bridge.h"
#include <stdlib.h>
#include <string.h>

static bool is_triangle(const bi_fe_element *e) { return e->kind == BI_FE_TRIANGLE; }

static bool is_plate(const bi_fe_element *e)
{
    return e->kind == BI_FE_QUAD || e->kind == BI_FE_QUAD_PLAIN || is_triangle(e);
}

static int corner_count(const bi_fe_element *e) { return is_triangle(e) ? 3 : 4; }

static bool is_offset(const bi_fe_element *e)
{
    return vec3_norm(e->offset[0]) + vec3_norm(e->offset[1]) > 0.0;
}

static const char *kind_name(bi_fe_kind kind)
{
#define KIND_NAME(code, text) text,
    static const char *const name[] = { BI_FE_KIND_LIST(KIND_NAME) };
    return kind >= 0 && kind < BI_FE_KIND_COUNT ? name[kind] : "?";
}

static vec3 node_ground(const draft_body *b, int node)
{
    return vec3_add(b->pos, mat3_apply(b->axes, b->mesh->node[node].at));
}

// ---- nodes -----------------------------------------------------------------------------------------------------

// What an element is refused for; NULL: nothing.
static const char *refusal(const bi_yardstick *g, const bi_fe_element *e)
{
    if (is_plate(e)) {
        return g->is_planar ? NULL : "plates move in x and y only, and this mechanism does not";
    }
    return bi_fe_is_beam(e->kind) || e->kind == BI_FE_MASS || e->kind == BI_FE_LINK ? NULL
                                                                                    : kind_name(e->kind);
}

static void refuse_elements(bi_yardstick *g, int body)
{
    const bi_fe_mesh *mesh = g->body[body].mesh;
    const char *last = NULL;
    for (int k = 0; k < mesh->n_element; k++) {
        const char *why = refusal(g, &mesh->element[k]);
        if (why && (!last || strcmp(why, last) != 0)) {
            bridge_complain(g, g->m->body[body].place, g->m->body[body].def.name,
                            "has elements without counterpart in the nonlinear finite elements: %s", why);
            last = why;
        }
    }
}

static void use_node(bi_yardstick *g, int body, int node)
{
    draft_body *b = &g->body[body];
    if (b->place[node] < 0) {
        b->place[node] = draft_place_add(g, node_ground(b, node));
    }
}

static void use_turning_node(bi_yardstick *g, int body, int node)
{
    draft_body *b = &g->body[body];
    use_node(g, body, node);
    if (b->turn[node] < 0) {
        b->turn[node] = draft_turn_add(g, quat_from_mat3(b->axes));
    }
}

static bool is_same_place(const draft_body *b, const bi_fe_element *e)
{
    return vec3_norm(vec3_sub(b->mesh->node[e->node[0]].at, b->mesh->node[e->node[1]].at)) <= 1e-12;
}

static void link_nodes(bi_yardstick *g, int body, const bi_fe_element *e)
{
    draft_body *b = &g->body[body];
    int master = e->node[0], slave = e->node[1];
    use_turning_node(g, body, master);
    use_node(g, body, slave);
    b->is_kept[master] = b->is_kept[slave] = true;
    b->master[slave] = b->master[master] = master;
    if (is_same_place(b, e)) {
        g->place[b->place[slave]].into = b->place[master];
    }
}

void mesh_draft(bi_yardstick *g, int body)
{
    draft_body *b = &g->body[body];
    size_t n = (size_t)b->mesh->n_node + 1, n_element = (size_t)b->mesh->n_element + 1;
    b->place = malloc(n * sizeof *b->place);
    b->turn = malloc(n * sizeof *b->turn);
    b->master = malloc(n * sizeof *b->master);
    b->is_kept = calloc(n, sizeof *b->is_kept);
    b->on = malloc(n_element * sizeof *b->on);
    b->bar = calloc(n_element, sizeof *b->bar);
    if (!b->place || !b->turn || !b->master || !b->is_kept || !b->on || !b->bar) {
        g->is_short = true;
        return;
    }
    for (size_t k = 0; k < n; k++) {
        b->place[k] = b->turn[k] = b->master[k] = -1;
    }
    for (size_t k = 0; k < n_element; k++) {
        b->on[k].bar = -1;
    }
    refuse_elements(g, body);
    bi_flex_damping damping = bi_flex_damping_of(bi_model_flex(g->m, (bi_body){ body + 1 }));
    if (damping.ratio > 0.0 || damping.alpha > 0.0) {
        bi_report_add(
            g->report, BI_WARNING, BI_BAD_MODEL, g->m->body[body].place, g->m->body[body].def.name,
            "damping by a ratio or in proportion to mass has no counterpart and is left out; 'beta' has one");
    }
    for (int k = 0; k < b->mesh->n_element; k++) {
        const bi_fe_element *e = &b->mesh->element[k];
        if (e->kind == BI_FE_LINK) {
            link_nodes(g, body, e);
        } else if (e->kind == BI_FE_MASS) {
            use_node(g, body, e->node[0]);
            b->is_kept[e->node[0]] = true;
        }
        for (int i = 0; i < (bi_fe_is_beam(e->kind) ? 2 : is_plate(e) ? corner_count(e) : 0); i++) {
            (bi_fe_is_beam(e->kind) ? use_turning_node : use_node)(g, body, e->node[i]);
            b->is_kept[e->node[i]] |= bi_fe_is_beam(e->kind) && is_offset(e);
        }
    }
    // beams at the far end of a link turn with it
    for (int k = 0; k < b->mesh->n_node; k++) {
        if (b->master[k] >= 0 && b->master[k] != k && b->turn[k] >= 0) {
            g->turn[b->turn[k]].into = b->turn[b->master[k]];
        }
    }
}

// ---- bars ------------------------------------------------------------------------------------------------------

// The beam that ends and the one that begins at each node, and how many beams meet there.
typedef struct {
    int ends, begins, count;
} meeting;

static vec3 element_along(const draft_body *b, const bi_fe_element *e)
{
    vec3 from = vec3_add(b->mesh->node[e->node[0]].at, e->offset[0]);
    return vec3_sub(vec3_add(b->mesh->node[e->node[1]].at, e->offset[1]), from);
}

// The place of an end that lies off its node, carried by the node; -1: it is the node.
static int end_place(bi_yardstick *g, const draft_body *b, const bi_fe_element *e, int i)
{
    if (vec3_norm(e->offset[i]) == 0.0) {
        return -1;
    }
    spot node = { .place = b->place[e->node[i]], .turn = b->turn[e->node[i]] };
    node.offset = mat3_apply(b->axes, e->offset[i]);
    vec3 at = vec3_add(node_ground(b, e->node[i]), node.offset);
    int place = draft_place_add(g, at);
    *pending_add(g) = (pending){ .kind = PENDING_JOIN, .a = node, .b = { .place = place, .turn = -1 } };
    return place;
}

// Whether a node lies inside a straight bar: one beam goes on as the other.
static bool is_inner(const draft_body *b, const meeting *at, int node)
{
    if (b->is_kept[node] || at[node].count != 2 || at[node].ends < 0 || at[node].begins < 0) {
        return false;
    }
    const bi_fe_element *p = &b->mesh->element[at[node].ends], *q = &b->mesh->element[at[node].begins];
    vec3 u = element_along(b, p), v = element_along(b, q), y = vec3_sub(p->y_axis, q->y_axis);
    bool is_straight =
        vec3_norm(vec3_cross(u, v)) <= 1e-9 * vec3_norm(u) * vec3_norm(v) && vec3_dot(u, v) > 0.0;
    return p->kind == q->kind && p->section == q->section && p->material == q->material && is_straight &&
           vec3_norm(y) == 0.0;
}

static yard_section section_of(const bi_yardstick *g, int body, const bi_fe_element *e)
{
    const bi_fe_mesh *mesh = g->body[body].mesh;
    const bi_section *s = &mesh->section[e->section];
    const bi_material *m = &mesh->material[e->material];
    bi_flex_damping damping = bi_flex_damping_of(bi_model_flex(g->m, (bi_body){ body + 1 }));
    double G = m->young / (2.0 * (1.0 + m->poisson)), torsion = s->torsion > 0.0 ? s->torsion : s->iy + s->iz;
    // rigid in shear: a hundred times the shear stiffness of a rectangle
    const double rigid = 100.0 / 1.2;
    bool is_soft = e->kind == BI_FE_TIMOSHENKO;
    double ky = is_soft && s->shear_y > 0.0 ? s->shear_y : rigid,
           kz = is_soft && s->shear_z > 0.0 ? s->shear_z : rigid;
    double rotary = damping.has_no_rotary ? 0.0 : m->density;
    return (yard_section){ .EA = m->young * s->area,
                           .GAy = ky * G * s->area,
                           .GAz = kz * G * s->area,
                           .GJ = G * torsion,
                           .EIy = m->young * s->iy,
                           .EIz = m->young * s->iz,
                           .rhoA = m->density * s->area,
                           .rhoIy = rotary * s->iy,
                           .rhoIz = rotary * s->iz,
                           .viscous = damping.beta };
}

// The section's z axis in ground axes.
static vec3 up_of(const draft_body *b, const bi_fe_element *e)
{
    vec3 x = vec3_normalized(element_along(b, e)), y = e->y_axis;
    if (vec3_norm(y) == 0.0) {
        y = vec3_cross((vec3){ 0.0, 0.0, 1.0 }, x);
        y = vec3_norm(y) > 1e-9 ? y : (vec3){ 0.0, 1.0, 0.0 };
    }
    return mat3_apply(b->axes, vec3_normalized(vec3_cross(x, y)));
}

static void drop_node(bi_yardstick *g, const draft_body *b, int node)
{
    g->place[b->place[node]].is_dropped = true;
    g->turn[b->turn[node]].is_dropped = true;
}

// The bar that element k belongs to, walked from its first beam on.
static void walk_bar(bi_yardstick *g, int body, const meeting *at, int k)
{
    draft_body *b = &g->body[body];
    const bi_fe_element *element = b->mesh->element;
    while (is_inner(b, at, element[k].node[0])) {
        k = at[element[k].node[0]].ends;
    }
    draft_bar *bar = &b->bar[b->n_bar];
    *bar = (draft_bar){ .from = element[k].node[0],
                        .up = up_of(b, &element[k]),
                        .section = section_of(g, body, &element[k]) };
    bar->end[0] = end_place(g, b, &element[k], 0);
    for (;;) {
        b->on[k] = (on_bar){ .bar = b->n_bar, .first = bar->length };
        bar->length += vec3_norm(element_along(b, &element[k]));
        b->on[k].second = bar->length;
        bar->to = element[k].node[1];
        if (!is_inner(b, at, bar->to)) {
            bar->end[1] = end_place(g, b, &element[k], 1);
            break;
        }
        drop_node(g, b, bar->to);
        k = at[bar->to].begins;
    }
    b->n_bar++;
}

static void bars_of(bi_yardstick *g, int body)
{
    draft_body *b = &g->body[body];
    meeting *at = malloc(((size_t)b->mesh->n_node + 1) * sizeof *at);
    if (!at) {
        g->is_short = true;
        return;
    }
    for (int k = 0; k < b->mesh->n_node; k++) {
        at[k] = (meeting){ -1, -1, 0 };
    }
    for (int k = 0; k < b->mesh->n_element; k++) {
        const bi_fe_element *e = &b->mesh->element[k];
        if (bi_fe_is_beam(e->kind)) {
            at[e->node[0]].begins = at[e->node[1]].ends = k;
            at[e->node[0]].count++;
            at[e->node[1]].count++;
        }
    }
    double longest = 0.0;
    for (int k = 0; k < b->mesh->n_element; k++) {
        if (bi_fe_is_beam(b->mesh->element[k].kind) && b->on[k].bar < 0) {
            walk_bar(g, body, at, k);
            longest = fmax(longest, b->bar[b->n_bar - 1].length);
        }
    }
    free(at);
    for (int k = 0; k < b->n_bar; k++) {
        int count = (int)(g->options.elements * b->bar[k].length / longest + 0.5);
        b->bar[k].count = count > 0 ? count : 1;
    }
    for (int k = 0; k < b->mesh->n_element; k++) {
        if (b->on[k].bar >= 0) {
            b->on[k].first /= b->bar[b->on[k].bar].length;
            b->on[k].second /= b->bar[b->on[k].bar].length;
        }
    }
}

// ---- plates ------------------------------------------------------------------------------------------------------

// The draft of a corner of a divided quad; -1: there is none yet.
static int corner_find(const bi_yardstick *g, const draft_body *b, const bi_fe_element *e, vec3 at,
                       double near)
{
    for (int i = 0; i < corner_count(e); i++) {
        if (vec3_norm(vec3_sub(g->place[b->place[e->node[i]]].at, at)) <= near) {
            return b->place[e->node[i]];
        }
    }
    for (int k = 0; k < b->n_corner; k++) {
        if (vec3_norm(vec3_sub(g->place[b->corner[k]].at, at)) <= near) {
            return b->corner[k];
        }
    }
    return -1;
}

static vec3 corner_at(const draft_body *b, const bi_fe_element *e, double xi, double eta)
{
    const double quad[4] = { (1.0 - xi) * (1.0 - eta), xi * (1.0 - eta), xi * eta, (1.0 - xi) * eta };
    const double triangle[3] = { 1.0 - xi - eta, xi, eta };
    vec3 at = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < corner_count(e); i++) {
        at = vec3_add_scaled(at, is_triangle(e) ? triangle[i] : quad[i], node_ground(b, e->node[i]));
    }
    return at;
}

// The rigid body that the edge of a plate belongs to, for a corner on that edge; -1: none.
static int edge_master(const draft_body *b, const bi_fe_element *e, int i, int j, int divide)
{
    int edge = j == 0 ? 0 : i == divide ? 1 : j == divide ? 2 : i == 0 ? 3 : -1;
    if (is_triangle(e)) {
        edge = j == 0 ? 0 : i + j == divide ? 1 : i == 0 ? 2 : -1;
    }
    if (edge < 0) {
        return -1;
    }
    int first = b->master[e->node[edge]], second = b->master[e->node[(edge + 1) % corner_count(e)]];
    return first == second ? first : -1;
}

static void divide_plate(bi_yardstick *g, int body, const bi_fe_element *e)
{
    draft_body *b = &g->body[body];
    int divide = g->options.divide;
    double near = 1e-6 * vec3_norm(vec3_sub(node_ground(b, e->node[0]), node_ground(b, e->node[2])));
    for (int i = 0; i <= divide; i++) {
        for (int j = 0; j <= (is_triangle(e) ? divide - i : divide); j++) {
            vec3 at = corner_at(b, e, i / (double)divide, j / (double)divide);
            if (corner_find(g, b, e, at, near) >= 0) {
                continue;
            }
            if (!LIST_RESERVE(b->corner, b->n_corner, b->c_corner)) {
                g->is_short = true;
                return;
            }
            int place = b->corner[b->n_corner++] = draft_place_add(g, at),
                master = edge_master(b, e, i, j, divide);
            if (master >= 0) {
                spot from = { .place = b->place[master], .turn = b->turn[master] };
                from.offset = vec3_sub(at, g->place[from.place].at);
                *pending_add(g) =
                    (pending){ .kind = PENDING_JOIN, .a = from, .b = { .place = place, .turn = -1 } };
            }
        }
    }
}

// One piece of a divided element: its corners as steps (i, j) of the division. False: not convex.
static bool add_piece(bi_yardstick *g, const draft_body *b, const bi_fe_element *e, const yard_plate *plate,
                      const int (*step)[2])
{
    int divide = g->options.divide, corner[4], n = corner_count(e);
    double near = 1e-6 * vec3_norm(vec3_sub(node_ground(b, e->node[0]), node_ground(b, e->node[2])));
    for (int c = 0; c < n; c++) {
        vec3 at = corner_at(b, e, step[c][0] / (double)divide, step[c][1] / (double)divide);
        corner[c] = g->place[draft_place_of(g, corner_find(g, b, e, at, near))].id;
    }
    return (n == 3 ? yard_add_triangle(g->y, corner, plate) : yard_add_quad(g->y, corner, plate)) >= 0;
}

static void make_plate(bi_yardstick *g, int body, const bi_fe_element *e)
{
    const draft_body *b = &g->body[body];
    const bi_material *m = &b->mesh->material[e->material];
    bi_flex_damping damping = bi_flex_damping_of(bi_model_flex(g->m, (bi_body){ body + 1 }));
    yard_plate plate = { m->young, m->poisson, m->density, b->mesh->section[e->section].thickness,
                         damping.beta };
    int divide = g->options.divide;
    bool is_good = true;
    for (int i = 0; i < divide; i++) {
        for (int j = 0; j < (is_triangle(e) ? divide - i : divide); j++) {
            const int quad[4][2] = { { i, j }, { i + 1, j }, { i + 1, j + 1 }, { i, j + 1 } };
            const int upright[3][2] = { { i, j }, { i + 1, j }, { i, j + 1 } };
            const int turned[3][2] = { { i + 1, j }, { i + 1, j + 1 }, { i, j + 1 } };
            is_good = is_good && add_piece(g, b, e, &plate, is_triangle(e) ? upright : quad);
            if (is_triangle(e) && i + j + 1 < divide) {
                is_good = is_good && add_piece(g, b, e, &plate, turned);
            }
        }
    }
    if (!is_good) {
        bridge_complain(g, e->place, g->m->body[body].def.name,
                        "a plate element is not convex, or its corners run clockwise");
    }
}

// ---- all -----------------------------------------------------------------------------------------------------------

void mesh_bars(bi_yardstick *g, int body)
{
    draft_body *b = &g->body[body];
    bars_of(g, body);
    for (int k = 0; k < b->mesh->n_element && g->options.divide > 1; k++) {
        if (is_plate(&b->mesh->element[k])) {
            divide_plate(g, body, &b->mesh->element[k]);
        }
    }
}

static void make_mass(bi_yardstick *g, int body, const bi_fe_element *e)
{
    const draft_body *b = &g->body[body];
    spot at = { .place = b->place[e->node[0]], .turn = b->turn[e->node[0]] };
    const double *I = e->inertia;
    mat3 own = { { { I[0], I[3], I[5] }, { I[3], I[1], I[4] }, { I[5], I[4], I[2] } } };
    if (at.turn >= 0) {
        mat3 T = quat_to_mat3(g->turn[draft_turn_of(g, at.turn)].rot),
             to = mat3_multiply(mat3_transposed(T), b->axes);
        own = mat3_multiply(mat3_multiply(to, own), mat3_transposed(to));
    }
    yard_add_body(g->y, bridge_node(g, at), e->mass, (vec3){ 0.0, 0.0, 0.0 }, own);
}

static void make_link(bi_yardstick *g, const draft_body *b, const bi_fe_element *e)
{
    if (is_same_place(b, e)) {
        return;
    }
    spot a = { .place = b->place[e->node[0]], .turn = b->turn[e->node[0]] },
         far = { .place = b->place[e->node[1]], .turn = -1 };
    a.offset = vec3_sub(node_ground(b, e->node[1]), node_ground(b, e->node[0]));
    yard_join(g->y, bridge_node(g, a), bridge_offset(g, a), bridge_node(g, far), (vec3){ 0.0, 0.0, 0.0 });
}

void mesh_make(bi_yardstick *g, int body)
{
    draft_body *b = &g->body[body];
    for (int k = 0; k < b->n_bar; k++) {
        draft_bar *bar = &b->bar[k];
        spot from = { .place = b->place[bar->from], .turn = b->turn[bar->from] };
        spot to = { .place = b->place[bar->to], .turn = b->turn[bar->to] };
        from.place = bar->end[0] >= 0 ? bar->end[0] : from.place;
        to.place = bar->end[1] >= 0 ? bar->end[1] : to.place;
        bar->bar =
            yard_add_bar(g->y, bridge_node(g, from), bridge_node(g, to), bar->up, &bar->section, bar->count);
    }
    for (int k = 0; k < b->mesh->n_element; k++) {
        const bi_fe_element *e = &b->mesh->element[k];
        if (is_plate(e)) {
            make_plate(g, body, e);
        } else if (e->kind == BI_FE_MASS) {
            make_mass(g, body, e);
        } else if (e->kind == BI_FE_LINK) {
            make_link(g, b, e);
        }
    }
}
