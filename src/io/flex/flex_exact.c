// SPDX-License-Identifier: MIT
#include "io/flex/flex_exact.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the reader remembers of an exact body; its sections have numbers one after the other, and so have its beams.
struct reader_exact {
    int32_t first; // body; 0: the mesh waits for its body
    int32_t beam;  // element
    int n_section, n_beam;
    int *section;    // (n_node) that carries a node, from 0; -1: none
    int *node;       // (n_section) that a section is
    bi_vec3 *origin; // (n_section) of its axes, in those of the whole body
    flex_mesh mesh;
};

static bi_vec3 minus(bi_vec3 a, bi_vec3 b) { return (bi_vec3){ a.x - b.x, a.y - b.y, a.z - b.z }; }

static bi_vec3 plus(bi_vec3 a, double s, bi_vec3 b)
{
    return (bi_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double dot(bi_vec3 a, bi_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void exact_clear(struct reader_exact *e)
{
    free(e->section);
    free(e->node);
    free(e->origin);
    flex_mesh_free(&e->mesh);
}

void flex_exact_forget(reader *r)
{
    for (int k = 0; k < r->n_exact; k++) {
        exact_clear(&r->exact[k]);
    }
    free(r->exact);
}

typedef struct {
    char text[80];
} called_text;

// By its name, else by its number.
static called_text called(const char *name, int64_t number)
{
    called_text out;
    if (name) {
        snprintf(out.text, sizeof out.text, "%.70s", name);
    } else {
        snprintf(out.text, sizeof out.text, "%" PRId64, number);
    }
    return out;
}

// ---- what it cannot be -----------------------------------------------------------------------------------------------

// Keys that only modes have.
static bool refuse_modes(reader *r, const yaml_node *map, const char *where)
{
    static const char *const keys[] = { "boundary",     "modes",          "up_to",
                                        "weight_modes", "foreshortening", "split" };
    bool is_good = true;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const yaml_node *node = yaml_get(map, keys[k]);
        if (node) {
            reader_error(r, node, where_at(where, keys[k]).text,
                         "is for 'model: modal': exact beams have no modes, leave it out");
            is_good = false;
        }
    }
    return is_good;
}

static bool refuse_damping(reader *r, const yaml_node *map, const char *where, const bi_flex_def *def)
{
    const yaml_node *node = yaml_get(map, "damping");
    if (def->damping == 0.0 && def->alpha == 0.0) {
        return true;
    }
    reader_error(
        r, node, where_at(where, "damping").text,
        "exact beams are damped by the rate of their strains: give {beta: 1e-4 s}, without ratio and "
        "alpha");
    return false;
}

static bool refuse_elements(reader *r, const char *where, const bi_fe_mesh *mesh)
{
    int n_beam = 0;
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        bool is_beam = bi_fe_is_beam(e->kind);
        n_beam += is_beam;
        if (!is_beam && e->kind != BI_FE_MASS && e->kind != BI_FE_LINK) {
            bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, e->place, where,
                          "element %s is no beam: 'model: exact' is for meshes of beams, links and masses",
                          called(e->name, e->number ? e->number : k + 1).text);
            return false;
        }
    }
    if (n_beam == 0) {
        reader_error(r, r->entry, where, "'model: exact' needs beams, and there are none");
    }
    return n_beam > 0;
}

// ---- sections ------------------------------------------------------------------------------------------------------------

// The node that leads a node, itself when none does.
static int leader_of(const bi_fe_mesh *mesh, int node)
{
    for (int turns = 0; turns < mesh->n_element; turns++) {
        int up = node;
        for (int k = 0; k < mesh->n_element; k++) {
            const bi_fe_element *e = &mesh->element[k];
            up = e->kind == BI_FE_LINK && e->node[1] == node ? e->node[0] : up;
        }
        if (up == node) {
            break;
        }
        node = up;
    }
    return node;
}

static void add_section(struct reader_exact *e, int node)
{
    int leader = e->mesh.def.mesh.n_element > 0 ? leader_of(&e->mesh.def.mesh, node) : node;
    if (e->section[leader] < 0) {
        e->node[e->n_section] = leader;
        // the first one has the axes and the origin of the whole body
        e->origin[e->n_section] =
            e->n_section == 0 ? (bi_vec3){ 0.0, 0.0, 0.0 } : e->mesh.def.mesh.node[leader].at;
        e->section[leader] = e->n_section++;
    }
    e->section[node] = e->section[leader];
}

// The node of the frame first, then all others that elements use.
static void add_sections(struct reader_exact *e)
{
    const bi_fe_mesh *mesh = &e->mesh.def.mesh;
    for (int k = 0; k < mesh->n_node; k++) {
        e->section[k] = -1;
    }
    add_section(e, e->mesh.def.frame[0]);
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *one = &mesh->element[k];
        int n = one->kind == BI_FE_MASS ? 1 : 2;
        for (int i = 0; i < n; i++) {
            add_section(e, one->node[i]);
        }
        e->n_beam += bi_fe_is_beam(one->kind);
    }
}

// ---- mass --------------------------------------------------------------------------------------------------------------

// Mass, its first and second moments about the origin of the whole body's axes.
typedef struct {
    double mass;
    bi_vec3 moment, inward; // inward: first moment by which the masses of beams lie before their ends
    double about[6];        // xx yy zz xy yz zx of the tensor of inertia
} lump;

// inertia: tensor about the place
static void lump_add(lump *l, double mass, bi_vec3 at, const double inertia[6])
{
    double square = dot(at, at);
    l->mass += mass;
    l->moment = plus(l->moment, mass, at);
    l->about[0] += inertia[0] + mass * (square - at.x * at.x);
    l->about[1] += inertia[1] + mass * (square - at.y * at.y);
    l->about[2] += inertia[2] + mass * (square - at.z * at.z);
    l->about[3] += inertia[3] - mass * at.x * at.y;
    l->about[4] += inertia[4] - mass * at.y * at.z;
    l->about[5] += inertia[5] - mass * at.z * at.x;
}

// Half of a beam's rotary inertia, in axes of the body.
static void half_rotary(const bi_fe_bar *bar, int end, double inertia[6])
{
    bi_vec3 axis[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = reader_turned(bar->rot_end[end], (bi_vec3){ k == 0, k == 1, k == 2 });
    }
    for (int k = 0; k < 6; k++) {
        inertia[k] = 0.0;
    }
    for (int k = 0; k < 3; k++) {
        double part = 0.5 * bar->length * bar->rotary[k];
        bi_vec3 a = axis[k];
        const double square[6] = { a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.y * a.z, a.z * a.x };
        for (int i = 0; i < 6; i++) {
            inertia[i] += part * square[i];
        }
    }
}

// From an end along the beam to the other: the way it has there.
static bi_vec3 inward_of(const bi_fe_element *one, const bi_fe_bar *bar, int i)
{
    bi_vec3 way = { i == 0 ? bar->length : -bar->length, 0.0, 0.0 };
    bool is_straight = one->bend.x == 0.0 && one->bend.y == 0.0 && one->bend.z == 0.0;
    return is_straight ? minus(bar->end[1 - i], bar->end[i]) : reader_turned(bar->rot_end[i], way);
}

// About the origin of the section's own axes while it is added up.
static lump lump_of(const struct reader_exact *e, int section)
{
    const bi_fe_mesh *mesh = &e->mesh.def.mesh;
    lump sum = { 0 };
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *one = &mesh->element[k];
        bi_fe_bar bar;
        if (one->kind == BI_FE_MASS && e->section[one->node[0]] == section) {
            lump_add(&sum, one->mass, minus(mesh->node[one->node[0]].at, e->origin[section]), one->inertia);
        }
        if (!bi_fe_bar_of(mesh, k, &bar)) {
            continue;
        }
        for (int i = 0; i < 2; i++) {
            double inertia[6];
            half_rotary(&bar, i, inertia);
            if (e->section[bar.node[i]] == section) {
                double half = 0.5 * bar.length * bar.mass;
                lump_add(&sum, half, minus(bar.end[i], e->origin[section]), inertia);
                sum.inward = plus(sum.inward, half / 6.0, inward_of(one, &bar, i));
            }
        }
    }
    return sum;
}

// The mass at its centre as in (beam.9), the inertia about it that of masses at the ends of the beams.
static void weigh(const struct reader_exact *e, int section, bi_body_def *def)
{
    lump l = lump_of(e, section);
    def->mass = l.mass;
    def->com = plus((bi_vec3){ 0.0, 0.0, 0.0 }, 1.0 / l.mass, l.moment);
    lump minus_centre = { 0 };
    const double none[6] = { 0.0 };
    lump_add(&minus_centre, l.mass, def->com, none);
    for (int k = 0; k < 6; k++) {
        def->inertia[k] = l.about[k] - minus_centre.about[k];
    }
    def->com = plus(def->com, 1.0 / l.mass, l.inward);
}

static bool check_weights(reader *r, const char *where, const struct reader_exact *e)
{
    const bi_fe_mesh *mesh = &e->mesh.def.mesh;
    double sum = 0.0, wanted = e->mesh.def.mass;
    for (int k = 0; k < e->n_section; k++) {
        double mass = lump_of(e, k).mass;
        sum += mass;
        if (!(mass > 0.0)) {
            const bi_fe_node *node = &mesh->node[e->node[k]];
            bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, node->place, where,
                          "node %s carries no mass: a beam must end at it, or a mass be there",
                          called(node->name, node->number ? node->number : e->node[k] + 1).text);
            return false;
        }
    }
    if (wanted > 0.0 && !(fabs(sum - wanted) <= 0.01 * wanted)) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_MODEL, e->mesh.def.mass_place, where,
                      "the mesh weighs %.6g kg and should weigh %.6g kg; are the units mixed up?", sum,
                      wanted);
        return false;
    }
    return true;
}

// ---- into the model --------------------------------------------------------------------------------------------------

bool flex_exact_take(reader *r, const yaml_node *map, const char *where, flex_mesh *m)
{
    const yaml_node *model = yaml_get(map, "model");
    bool is_good = refuse_modes(r, map, where);
    is_good = refuse_damping(r, map, where, &m->def) && is_good;
    is_good = refuse_elements(r, where, &m->def.mesh) && is_good;
    if (m->def.n_frame != 1 && is_good) {
        reader_error(r, model, where, "'model: exact' needs one node as frame");
        is_good = false;
    }
    if (m->def.has_no_rotary && is_good) {
        reader_error(r, yaml_get(map, "rotary"), where_at(where, "rotary").text,
                     "exact beams need the inertia of their turning sections: leave it out");
        is_good = false;
    }
    if (!is_good || !bi_flex_check(&m->def, r->report)) {
        return false;
    }
    struct reader_exact *all = realloc(r->exact, ((size_t)r->n_exact + 1) * sizeof *all);
    if (!all) {
        return false;
    }
    r->exact = all;
    struct reader_exact *e = &all[r->n_exact];
    size_t n = (size_t)m->def.mesh.n_node + 1;
    *e = (struct reader_exact){ .section = calloc(n, sizeof *e->section),
                                .node = calloc(n, sizeof *e->node),
                                .origin = calloc(n, sizeof *e->origin),
                                .mesh = *m };
    *m = (flex_mesh){ 0 };
    if (e->section && e->node && e->origin) {
        add_sections(e);
        is_good = check_weights(r, where, e);
    }
    if (!is_good || !e->section || !e->node || !e->origin) {
        exact_clear(e);
        return false;
    }
    r->n_exact++;
    return true;
}

void flex_exact_first(const reader *r, bi_body_def *def) { weigh(&r->exact[r->n_exact - 1], 0, def); }

// A name of the model for what was not written there.
static void enter(name_set *set, const char *name, int line, int32_t id)
{
    int k = name_set_add(set, name, line);
    if (k >= 0) {
        set->id[k] = id;
    }
}

static void add_bodies(reader *r, const struct reader_exact *e, const bi_body_def *whole)
{
    for (int k = 1; k < e->n_section; k++) {
        char name[240];
        bi_body_def def = *whole;
        const bi_fe_node *node = &e->mesh.def.mesh.node[e->node[k]];
        int64_t number = node->number ? node->number : (int64_t)e->node[k] + 1;
        if (node->name) {
            snprintf(name, sizeof name, "%.120s.%.100s", whole->name, node->name);
        } else {
            snprintf(name, sizeof name, "%.120s.%" PRId64, whole->name, number);
        }
        def.name = name;
        bi_vec3 arm = reader_turned(whole->pose.rot, e->origin[k]), w = whole->twist.ang;
        bi_vec3 turning = { w.y * arm.z - w.z * arm.y, w.z * arm.x - w.x * arm.z, w.x * arm.y - w.y * arm.x };
        def.pose.pos = plus(whole->pose.pos, 1.0, arm);
        def.twist.lin = plus(whole->twist.lin, 1.0, turning);
        weigh(e, k, &def);
        reader_place(r, r->entry);
        bi_body b = bi_add_body(r->model, &def);
        reader_keep_pose(r, b.i, def.pose);
        enter(&r->bodies, name, r->entry->line, b.i);
    }
}

static void add_beams(reader *r, struct reader_exact *e, const char *whole)
{
    const bi_fe_mesh *mesh = &e->mesh.def.mesh;
    for (int k = 0; k < mesh->n_element; k++) {
        const bi_fe_element *one = &mesh->element[k];
        bi_fe_bar bar;
        if (!bi_fe_bar_of(mesh, k, &bar)) {
            continue;
        }
        char name[240];
        if (one->name) {
            snprintf(name, sizeof name, "%.120s.%.100s", whole, one->name);
        } else {
            snprintf(name, sizeof name, "%.120s.%" PRId64, whole, one->number ? one->number : (int64_t)k + 1);
        }
        bi_beam_def def = {
            .name = name, .length = bar.length, .stiffness = { .count = 6 }, .damping = e->mesh.def.beta
        };
        memcpy(def.stiffness.value, bar.stiffness, sizeof bar.stiffness);
        memcpy(def.rest.value, bar.rest, sizeof bar.rest);
        def.rest.count = 6;
        bi_frame *frame[2] = { &def.a, &def.b };
        for (int i = 0; i < 2; i++) {
            int s = e->section[bar.node[i]];
            *frame[i] = (bi_frame){ { e->first + s }, minus(bar.end[i], e->origin[s]), bar.rot_end[i] };
        }
        reader_place(r, r->entry);
        bi_element force = bi_add_beam(r->model, &def);
        e->beam = e->beam ? e->beam : force.i;
        enter(&r->elements, name, r->entry->line, force.i);
    }
}

void flex_exact_add(reader *r, const bi_body_def *whole, bi_body first)
{
    struct reader_exact *e = &r->exact[r->n_exact - 1];
    e->first = first.i;
    add_bodies(r, e, whole);
    add_beams(r, e, whole->name);
}

// ---- what others ask ----------------------------------------------------------------------------------------------------

static const struct reader_exact *exact_of(const reader *r, bi_body body)
{
    for (int k = 0; k < r->n_exact; k++) {
        if (r->exact[k].first == body.i && body.i > 0) {
            return &r->exact[k];
        }
    }
    return NULL;
}

const bi_fe_mesh *flex_exact_mesh(const reader *r, bi_body body)
{
    const struct reader_exact *e = exact_of(r, body);
    return e ? &e->mesh.def.mesh : NULL;
}

bool flex_exact_node(const reader *r, bi_body body, int node, bi_body *section, bi_vec3 *at)
{
    const struct reader_exact *e = exact_of(r, body);
    if (!e || node < 0 || node >= e->mesh.def.mesh.n_node || e->section[node] < 0) {
        return false;
    }
    section->i = e->first + e->section[node];
    *at = minus(e->mesh.def.mesh.node[node].at, e->origin[e->section[node]]);
    return true;
}

int flex_exact_beams(const reader *r, bi_body body)
{
    const struct reader_exact *e = exact_of(r, body);
    return e ? e->n_beam : 0;
}

bi_element flex_exact_beam(const reader *r, bi_body body, int element)
{
    const struct reader_exact *e = exact_of(r, body);
    int before = 0;
    for (int k = 0; e && k < element; k++) {
        before += bi_fe_is_beam(e->mesh.def.mesh.element[k].kind);
    }
    return (bi_element){ e && e->n_beam > 0 ? e->beam + before : 0 };
}

int flex_exact_sections(const reader *r, bi_body body)
{
    const struct reader_exact *e = exact_of(r, body);
    return e ? e->n_section : 0;
}

void flex_exact_near(const reader *r, bi_body *body, bi_vec3 *at, double *distance)
{
    const struct reader_exact *e = exact_of(r, *body);
    const bi_fe_mesh *mesh = &e->mesh.def.mesh;
    int best = -1;
    for (int k = 0; k < mesh->n_node; k++) {
        bi_vec3 d = minus(mesh->node[k].at, *at);
        double own = sqrt(dot(d, d));
        if (e->section[k] >= 0 && (best < 0 || own < *distance)) {
            best = k;
            *distance = own;
        }
    }
    int s = e->section[best];
    body->i = e->first + s;
    *at = minus(*at, e->origin[s]);
}
