// SPDX-License-Identifier: MIT
#include "io/flex/flex_split.h"
#include "io/flex/flex_exact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the reader remembers of a body in pieces; they have numbers one after the other.
struct reader_split {
    int32_t first;
    int n;
    bi_vec3 axis, origin;
    double start[FLEX_MOST_PIECES];
};

static bi_vec3 minus(bi_vec3 a, bi_vec3 b) { return (bi_vec3){ a.x - b.x, a.y - b.y, a.z - b.z }; }

static bi_vec3 beyond(bi_vec3 a, double s, bi_vec3 b)
{
    return (bi_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double dot(bi_vec3 a, bi_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// ---- the chain -------------------------------------------------------------------------------------------------

// Beams from the node of the frame outwards.
typedef struct {
    const bi_fe_mesh *mesh;
    int n;
    int *element; // (n)
    int *node;    // (n + 1)
    bi_vec3 axis;
} chain;

// The only beam at a node that is not the one we come from; -1: none, -2: several.
static int next_beam(const bi_fe_mesh *mesh, int node, int from)
{
    int found = -1;
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        if (k != from && bi_fe_is_beam(e->kind) && (e->node[0] == node || e->node[1] == node)) {
            found = found == -1 ? k : -2;
        }
    }
    return found;
}

// NULL, or what is wrong with the mesh.
static const char *walk(chain *c, int frame)
{
    static const char *const straight = "'split' is for a straight line of beams that begins at the frame";
    int n_beam = 0, at = frame;
    for (int k = 0; k < c->mesh->n_element; k++) {
        const bi_fe_element *e = &c->mesh->element[k];
        n_beam += bi_fe_is_beam(e->kind);
        bool has_offset =
            bi_fe_is_beam(e->kind) && dot(e->offset[0], e->offset[0]) + dot(e->offset[1], e->offset[1]) > 0.0;
        if (has_offset || (!bi_fe_is_beam(e->kind) && e->kind != BI_FE_MASS)) {
            return straight;
        }
    }
    c->node[0] = frame;
    for (int k = next_beam(c->mesh, at, -1); k != -1 && c->n < n_beam; k = next_beam(c->mesh, at, k)) {
        if (k == -2) {
            return straight;
        }
        const int32_t *node = c->mesh->element[k].node;
        at = node[0] == at ? node[1] : node[0];
        bi_vec3 d = minus(c->mesh->node[at].at, c->mesh->node[c->node[c->n]].at);
        double length = sqrt(dot(d, d));
        if (!(length > 0.0)) {
            return straight;
        }
        d = (bi_vec3){ d.x / length, d.y / length, d.z / length };
        c->axis = c->n == 0 ? d : c->axis;
        if (dot(d, c->axis) < 1.0 - 1e-12) {
            return straight;
        }
        c->element[c->n++] = k;
        c->node[c->n] = at;
    }
    return c->n == n_beam && n_beam > 0 ? NULL : straight;
}

// ---- one piece -----------------------------------------------------------------------------------------------------

typedef struct {
    bi_fe_mesh mesh;
    int *of_node; // (n_node of the whole) node of the piece; -1: not in it
    bi_flex_boundary *boundary;
    int n_boundary;
} piece;

// Whether the piece that ends at chain place `to` has the mass of a node: pieces share their end nodes.
static bool has_mass(const chain *c, int from, int to, int node)
{
    for (int k = from == 0 ? 0 : from + 1; k <= to; k++) {
        if (c->node[k] == node) {
            return true;
        }
    }
    return false;
}

static void fill_mesh(const chain *c, int from, int to, bi_vec3 back, piece *p)
{
    const bi_fe_mesh *whole = c->mesh;
    for (int k = from; k <= to; k++) {
        bi_fe_node *node = &p->mesh.node[p->mesh.n_node];
        *node = whole->node[c->node[k]];
        node->at = minus(node->at, back);
        p->of_node[c->node[k]] = p->mesh.n_node++;
    }
    for (int k = 0; k < whole->n_element; k++) {
        const bi_fe_element *e = &whole->element[k];
        bool is_in = bi_fe_is_beam(e->kind) ? p->of_node[e->node[0]] >= 0 && p->of_node[e->node[1]] >= 0
                                            : has_mass(c, from, to, e->node[0]);
        if (is_in) {
            bi_fe_element *own = &p->mesh.element[p->mesh.n_element++];
            *own = *e;
            own->node[0] = p->of_node[e->node[0]];
            own->node[1] = bi_fe_is_beam(e->kind) ? p->of_node[e->node[1]] : 0;
        }
    }
}

// What the mechanism holds, and the end that the next piece is welded to: point and all turns.
static void fill_boundary(const chain *c, const bi_flex_def *def, int to, piece *p)
{
    bool is_last = to == c->n;
    int end = p->of_node[c->node[to]];
    for (int k = 0; k < def->n_boundary; k++) {
        int own = p->of_node[def->boundary[k].node];
        if (own > 0 && (is_last || own != end)) {
            p->boundary[p->n_boundary] = def->boundary[k];
            p->boundary[p->n_boundary++].node = own;
        }
    }
    if (!is_last) {
        bi_vec3 across = fabs(c->axis.x) < 0.8 ? (bi_vec3){ 1.0, 0.0, 0.0 } : (bi_vec3){ 0.0, 1.0, 0.0 };
        p->boundary[p->n_boundary++] =
            (bi_flex_boundary){ .node = end, .is_point = true, .n_vector = 2, .vector = { c->axis, across } };
    }
}

static bi_flex *build_piece(reader *r, const flex_mesh *m, const chain *c, int from, int to, bi_vec3 back)
{
    const bi_fe_mesh *whole = c->mesh;
    piece p = { .mesh = *whole };
    int32_t frame = 0;
    p.mesh.n_node = p.mesh.n_element = 0;
    p.mesh.node = calloc((size_t)whole->n_node + 1, sizeof *p.mesh.node);
    p.mesh.element = calloc((size_t)whole->n_element + 1, sizeof *p.mesh.element);
    p.of_node = malloc(((size_t)whole->n_node + 1) * sizeof *p.of_node);
    p.boundary = calloc((size_t)m->def.n_boundary + 2, sizeof *p.boundary);
    bi_flex *flex = NULL;
    if (p.mesh.node && p.mesh.element && p.of_node && p.boundary) {
        for (int i = 0; i < whole->n_node; i++) {
            p.of_node[i] = -1;
        }
        fill_mesh(c, from, to, back, &p);
        fill_boundary(c, &m->def, to, &p);
        bi_flex_def def = m->def;
        def.mesh = p.mesh;
        def.frame = &frame;
        def.boundary = p.boundary;
        def.n_boundary = p.n_boundary;
        def.mass = 0.0; // that of the whole
        // the others are welded to the next one, which gives them modes
        def.n_normal = m->is_draft && to == c->n ? 1 : def.n_normal;
        flex = flex_cached(&def, r->watch, r->report);
    }
    free(p.mesh.node);
    free(p.mesh.element);
    free(p.of_node);
    free(p.boundary);
    return flex;
}

static bool check_mass(reader *r, const flex_mesh *m, const flex_pieces *pieces)
{
    double mass = 0.0, wanted = m->def.mass;
    for (int k = 0; k < pieces->n; k++) {
        mass += bi_flex_facts_of(pieces->flex[k]).section_mass;
    }
    if (wanted > 0.0 && !(fabs(mass - wanted) <= 0.01 * wanted)) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, m->def.mass_place, m->def.name,
                      "the pieces weigh %.6g kg together and should weigh %.6g kg; are the units mixed up?",
                      mass, wanted);
        return false;
    }
    return true;
}

bool flex_split_build(reader *r, const yaml_node *at, const char *where, const flex_mesh *m, int n,
                      flex_pieces *out)
{
    size_t room = (size_t)m->def.mesh.n_element + 2;
    chain c = { .mesh = &m->def.mesh };
    c.element = malloc(room * sizeof *c.element);
    c.node = malloc(room * sizeof *c.node);
    const char *wrong = !c.element || !c.node ? "out of memory"
                        : m->def.n_frame != 1 ? "'split' needs one node as frame"
                                              : walk(&c, m->def.frame[0]);
    bool is_good = !wrong;
    if (wrong) {
        reader_error(r, at, where, "%s", wrong);
    } else if (n > c.n) {
        reader_error(r, at, where, "%d pieces need as many elements, and there are %d", n, c.n);
        is_good = false;
    }
    *out = (flex_pieces){ 0 };
    for (int k = 0; is_good && k < n; k++) {
        int from = (int)((long)c.n * k / n), to = (int)((long)c.n * (k + 1) / n);
        out->axis = c.axis;
        out->origin = c.mesh->node[c.node[0]].at;
        out->start[k] = dot(minus(c.mesh->node[c.node[from]].at, out->origin), c.axis);
        bi_vec3 back = { out->start[k] * c.axis.x, out->start[k] * c.axis.y, out->start[k] * c.axis.z };
        out->flex[k] = build_piece(r, m, &c, from, to, back);
        out->n += out->flex[k] != NULL;
        is_good = out->flex[k] != NULL;
    }
    is_good = is_good && check_mass(r, m, out);
    for (int k = 0; !is_good && k < n; k++) {
        bi_flex_destroy(out->flex[k]);
        out->flex[k] = NULL;
        out->n = 0;
    }
    free(c.element);
    free(c.node);
    return is_good;
}

// ---- in the model --------------------------------------------------------------------------------------------------

static const struct reader_split *split_of(const reader *r, bi_body body)
{
    for (int k = 0; k < r->n_split; k++) {
        if (r->split[k].first == body.i) {
            return &r->split[k];
        }
    }
    return NULL;
}

int reader_pieces(const reader *r, bi_body body)
{
    const struct reader_split *s = split_of(r, body);
    int n_section = flex_exact_sections(r, body);
    return s ? s->n : n_section > 0 ? n_section : 1;
}

bi_vec3 reader_piece_start(const reader *r, bi_body first, int k)
{
    const struct reader_split *s = split_of(r, first);
    return s ? beyond((bi_vec3){ 0 }, s->start[k], s->axis) : (bi_vec3){ 0 };
}

void reader_piece(reader *r, bi_body *body, bi_vec3 *at, const char *where)
{
    bi_vec3 asked = *at;
    double distance;
    if (flex_exact_sections(r, *body) == 0) {
        reader_piece_near(r, body, at);
        return;
    }
    bi_body whole = *body;
    flex_exact_near(r, body, at, &distance);
    // the origin of the whole is that of its first section
    bool is_origin = dot(asked, asked) == 0.0;
    if (is_origin) {
        *body = whole;
        *at = asked;
    } else if (distance > 1e-6 * (1.0 + sqrt(dot(asked, asked)))) {
        reader_error(
            r, r->entry, where,
            "this body has no node at [%.9g, %.9g, %.9g]; the nearest is %.3g m away: give that one, a "
            "node there, or one that is linked to the mesh",
            asked.x, asked.y, asked.z, distance);
    }
}

void reader_piece_near(const reader *r, bi_body *body, bi_vec3 *at)
{
    const struct reader_split *s = split_of(r, *body);
    double distance;
    if (flex_exact_sections(r, *body) > 0) {
        flex_exact_near(r, body, at, &distance);
    }
    if (!s) {
        return;
    }
    double x = dot(minus(*at, s->origin), s->axis);
    int k = s->n - 1;
    // at a weld the piece that ends there
    while (k > 0 && s->start[k] >= x - 1e-9 * s->start[s->n - 1]) {
        k--;
    }
    body->i += k;
    *at = beyond(*at, -s->start[k], s->axis);
}

bi_body reader_piece_of_node(const reader *r, bi_body body, const char *node)
{
    for (int k = 0; k < reader_pieces(r, body); k++) {
        bi_body one = { body.i + k };
        const bi_flex *flex = bi_model_flex(r->model, one);
        if (flex && flex_find_node(bi_flex_mesh(flex), node) >= 0) {
            return one;
        }
    }
    return body;
}

// A name of the model for what was not written there.
static void enter(name_set *set, const char *name, int line, int32_t id)
{
    int k = name_set_add(set, name, line);
    if (k >= 0) {
        set->id[k] = id;
    }
}

static void add_weld(reader *r, const char *whole, int k, bi_body a, bi_body b, const flex_pieces *pieces)
{
    char name[160];
    snprintf(name, sizeof name, "%.120s.weld%d", whole, k + 1);
    bi_joint_def weld = { .name = name, .kind = BI_FIXED, .a = a, .b = b, .local = BI_AT_A | BI_AT_B };
    double length = pieces->start[k] - pieces->start[k - 1];
    weld.at_a = beyond(pieces->origin, length, pieces->axis);
    weld.at_b = pieces->origin;
    reader_place(r, r->entry);
    enter(&r->joints, name, r->entry->line, bi_add_joint(r->model, &weld).i);
}

void flex_split_add(reader *r, const bi_body_def *whole, bi_body first, const flex_pieces *pieces)
{
    struct reader_split *all = realloc(r->split, ((size_t)r->n_split + 1) * sizeof *all);
    if (!all) {
        return;
    }
    r->split = all;
    struct reader_split *s = &all[r->n_split++];
    *s = (struct reader_split){
        .first = first.i, .n = pieces->n, .axis = pieces->axis, .origin = pieces->origin
    };
    memcpy(s->start, pieces->start, sizeof s->start);
    bi_body last = first;
    for (int k = 1; k < pieces->n; k++) {
        char name[160];
        bi_body_def def = *whole;
        bi_modes modes = *bi_flex_modes(pieces->flex[k]);
        modes.bend_is_load = whole->flex->bend_is_load;
        def.flex = &modes;
        snprintf(name, sizeof name, "%.120s.%d", whole->name, k + 1);
        def.name = name;
        bi_vec3 arm = reader_turned(whole->pose.rot, beyond((bi_vec3){ 0 }, pieces->start[k], pieces->axis));
        def.pose.pos = beyond(whole->pose.pos, 1.0, arm);
        bi_vec3 w = whole->twist.ang;
        bi_vec3 turning = { w.y * arm.z - w.z * arm.y, w.z * arm.x - w.x * arm.z, w.x * arm.y - w.y * arm.x };
        def.twist.lin = beyond(whole->twist.lin, 1.0, turning);
        reader_place(r, r->entry);
        bi_body b = bi_add_body(r->model, &def);
        reader_keep_pose(r, b.i, def.pose);
        bi_body_keep(r->model, b, pieces->flex[k]);
        enter(&r->bodies, name, r->entry->line, b.i);
        add_weld(r, whole->name, k, last, b, pieces);
        last = b;
    }
}
