// SPDX-License-Identifier: MIT
// Modes on nodes and particles, and the foreshortening of straight bodies of beams.
#include "flex/mesh/beam.h"
#include "flex/mesh/mesh_check.h"
#include "flex/modes/result.h"
#include "math/rotation.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void element_freedoms(const bi_flex *flex, int k, int m, double *u)
{
    const bi_fe_element *def = &flex->mesh.element[k];
    const fe_kind *kind = fe_kind_of(def->kind);
    const double *nodal = flex->nodal + (size_t)m * 6 * (size_t)flex->mesh.n_node;
    int n = 0;
    for (int i = 0; i < kind->n_node; i++) {
        for (unsigned c = 0; c < 6; c++) {
            if (kind->freedoms >> c & 1u) {
                u[n++] = nodal[6 * def->node[i] + (int)c];
            }
        }
    }
}

static fe_element element_of(const bi_flex_def *def, const bi_flex *flex, int k)
{
    fe_element e = fe_element_of(&flex->mesh, k);
    e.has_no_rotary = def->has_no_rotary;
    e.is_plane = flex->is_plane;
    return e;
}

static int count_particles(const bi_flex_def *def, const bi_flex *flex, fe_particle *p)
{
    int count = 0;
    for (int k = 0; k < flex->mesh.n_element; k++) {
        const fe_kind *kind = fe_kind_of(flex->mesh.element[k].kind);
        fe_element e = element_of(def, flex, k);
        count += kind ? kind->particles(&e, p) : 0;
    }
    return count;
}

static void fill_nodes(bi_flex *flex)
{
    int n = flex->mesh.n_node, all = flex->modes.n_node;
    for (int i = 0; i < n; i++) {
        flex->at[i] = flex->mesh.node[i].at;
        for (int m = 0; m < flex->modes.n_mode; m++) {
            const double *u = flex->nodal + ((size_t)m * (size_t)n + (size_t)i) * 6;
            flex->shape[(size_t)m * (size_t)all + (size_t)i] = (vec3){ u[0], u[1], u[2] };
            flex->turn[(size_t)m * (size_t)all + (size_t)i] = (vec3){ u[3], u[4], u[5] };
        }
    }
}

static void fill_particles(const bi_flex_def *def, bi_flex *flex, fe_particle *p)
{
    size_t all = (size_t)flex->modes.n_node, next = (size_t)flex->mesh.n_node;
    double u[FE_MOST_DOF];
    for (int k = 0; k < flex->mesh.n_element; k++) {
        const fe_kind *kind = fe_kind_of(flex->mesh.element[k].kind);
        if (!kind) {
            continue;
        }
        fe_element e = element_of(def, flex, k);
        int n = fe_dof_count(kind), count = kind->particles(&e, p);
        for (int m = 0; m < flex->modes.n_mode; m++) {
            element_freedoms(flex, k, m, u);
            for (int g = 0; g < count; g++) {
                flex->shape[(size_t)m * all + next + (size_t)g] =
                    (vec3){ dense_dot(n, p[g].shape[0], u), dense_dot(n, p[g].shape[1], u),
                            dense_dot(n, p[g].shape[2], u) };
            }
        }
        for (int g = 0; g < count; g++) {
            flex->at[next] = p[g].at;
            flex->mass[next++] = p[g].mass;
        }
    }
}

bool particles_fill(const bi_flex_def *def, bi_flex *flex, bi_report *report)
{
    fe_particle *p = malloc(FE_MOST_PARTICLES * sizeof *p);
    if (p) {
        flex->modes.n_node = flex->mesh.n_node + count_particles(def, flex, p);
    }
    size_t n = (size_t)flex->modes.n_node + 1, n_mode = (size_t)flex->modes.n_mode;
    flex->at = calloc(n, sizeof *flex->at);
    flex->mass = calloc(n, sizeof *flex->mass);
    flex->shape = calloc(n * n_mode, sizeof *flex->shape);
    flex->turn = calloc(n * n_mode, sizeof *flex->turn);
    bool is_good = p && flex->at && flex->mass && flex->shape && flex->turn;
    if (is_good) {
        fill_nodes(flex);
        fill_particles(def, flex, p);
    } else {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, def->place, def->name, "out of memory");
    }
    free(p);
    return is_good && (!def->is_foreshortened || bend_fill(def, flex, report));
}

void bi_flex_deformed(const bi_flex *flex, const double *eta, bi_pose pose, bi_vec3 *at)
{
    if (!flex || !eta || !at) {
        return;
    }
    int n = flex->modes.n_mode;
    size_t all = (size_t)flex->modes.n_node;
    for (int i = 0; i < flex->mesh.n_node; i++) {
        vec3 p = flex->mesh.node[i].at;
        for (int m = 0; m < n; m++) {
            p = vec3_add_scaled(p, eta[m], flex->shape[(size_t)m * all + (size_t)i]);
            for (int k = 0; flex->bend && k < n; k++) {
                size_t mk = (size_t)m * (size_t)n + (size_t)k;
                p = vec3_add_scaled(p, 0.5 * eta[m] * eta[k], flex->bend[mk * all + (size_t)i]);
            }
        }
        at[i] = vec3_add(pose.pos, quat_rotate(pose.rot, p));
    }
}

// ---- foreshortening ----------------------------------------------------------------------------------------

typedef struct {
    const bi_flex_def *def;
    bi_flex *flex;
    vec3 axis;     // of the body, unit
    bool *is_done; // (n_node) nodes whose G is known
    double *G;     // (n_node * n_mode^2) int S' S'^T from the frame to the node
    double *slope; // (2 * n_mode) scratch
} bender;

static bool is_straight(const bender *b, bi_report *report)
{
    const bi_fe_mesh *mesh = &b->flex->mesh;
    for (int k = 0; k < mesh->n_element; k++) {
        fe_element e = element_of(b->def, b->flex, k);
        bool is_beam = bi_fe_is_beam(e.def->kind);
        beam_axes a;
        if (e.def->kind == BI_FE_MASS) {
            continue;
        }
        vec3 from = mesh->node[b->def->frame[0]].at;
        bool is_on_line = is_beam && beam_axes_of(&e, &a) && vec3_norm(vec3_cross(a.x, b->axis)) < 1e-9 &&
                          vec3_norm(vec3_cross(vec3_sub(a.end[0], from), b->axis)) < 1e-9 * a.length;
        if (!is_on_line) {
            bi_report_add(
                report, BI_ERROR, BI_BAD_MODEL, b->def->foreshortening_place, b->def->name,
                "foreshortening is for a straight body of beams, and %s is no beam on the line through "
                "the frame's node",
                mesh_element_name(mesh, k).text);
            return false;
        }
    }
    return true;
}

// out += int over [0, s] of S' S'^T, along the body's axis; three points are exact for quartics.
static void add_integral(const bender *b, int k, const fe_element *e, double s, double *out)
{
    int n = b->flex->modes.n_mode;
    beam_axes a;
    double rows[2 * BEAM_DOF], u[BEAM_DOF];
    (void)beam_axes_of(e, &a);
    double sign = vec3_dot(a.x, b->axis) > 0.0 ? 1.0 : -1.0;
    for (int g = 0; g < 3; g++) {
        double w = sign * 0.5 * s * a.length * fe_gauss_weight[2][g];
        beam_slopes(e, 0.5 * s * (1.0 + fe_gauss_at[2][g]), rows);
        for (int m = 0; m < n; m++) {
            element_freedoms(b->flex, k, m, u);
            b->slope[2 * m] = dense_dot(BEAM_DOF, rows, u);
            b->slope[2 * m + 1] = dense_dot(BEAM_DOF, rows + BEAM_DOF, u);
        }
        for (int m = 0; m < n; m++) {
            for (int j = 0; j < n; j++) {
                out[m * n + j] +=
                    w * (b->slope[2 * m] * b->slope[2 * j] + b->slope[2 * m + 1] * b->slope[2 * j + 1]);
            }
        }
    }
}

// From the frame's node outwards, element by element.
static void integrate_nodes(bender *b)
{
    const bi_fe_mesh *mesh = &b->flex->mesh;
    size_t nn = (size_t)b->flex->modes.n_mode * (size_t)b->flex->modes.n_mode;
    double *one = calloc(nn, sizeof *one);
    b->is_done[b->def->frame[0]] = true;
    for (bool is_new = one != NULL; is_new;) {
        is_new = false;
        for (int k = 0; k < mesh->n_element; k++) {
            const bi_fe_element *def = &mesh->element[k];
            if (def->kind == BI_FE_MASS || b->is_done[def->node[0]] == b->is_done[def->node[1]]) {
                continue;
            }
            bool is_forward = b->is_done[def->node[0]];
            int from = def->node[!is_forward], to = def->node[is_forward];
            fe_element e = element_of(b->def, b->flex, k);
            memset(one, 0, nn * sizeof *one);
            add_integral(b, k, &e, 1.0, one);
            for (size_t i = 0; i < nn; i++) {
                b->G[(size_t)to * nn + i] = b->G[(size_t)from * nn + i] + (is_forward ? one[i] : -one[i]);
            }
            b->is_done[to] = is_new = true;
        }
    }
    free(one);
}

// bend = -axis G, symmetric in the modes
static void put_bend(const bender *b, size_t point, const double *G)
{
    size_t n = (size_t)b->flex->modes.n_mode, all = (size_t)b->flex->modes.n_node;
    for (size_t i = 0; i < n * n; i++) {
        b->flex->bend[i * all + point] = vec3_scale(-G[i], b->axis);
    }
}

static void bend_points(bender *b, fe_particle *p, double *G)
{
    const bi_fe_mesh *mesh = &b->flex->mesh;
    size_t nn = (size_t)b->flex->modes.n_mode * (size_t)b->flex->modes.n_mode;
    size_t next = (size_t)mesh->n_node;
    for (int i = 0; i < mesh->n_node; i++) {
        put_bend(b, (size_t)i, b->G + (size_t)i * nn);
    }
    for (int k = 0; k < mesh->n_element; k++) {
        fe_element e = element_of(b->def, b->flex, k);
        const fe_kind *kind = fe_kind_of(e.def->kind);
        beam_axes a;
        bool is_beam = e.def->kind != BI_FE_MASS && beam_axes_of(&e, &a);
        int count = kind->particles(&e, p);
        for (int g = 0; g < count; g++) {
            memcpy(G, b->G + (size_t)e.def->node[0] * nn, nn * sizeof *G);
            if (is_beam) {
                add_integral(b, k, &e, vec3_dot(vec3_sub(p[g].at, a.end[0]), a.x) / a.length, G);
            }
            put_bend(b, next++, G);
        }
    }
}

bool bend_fill(const bi_flex_def *def, bi_flex *flex, bi_report *report)
{
    size_t n = (size_t)flex->modes.n_mode, n_node = (size_t)flex->mesh.n_node;
    bender b = { .def = def, .flex = flex };
    beam_axes a = { .x = { 1.0, 0.0, 0.0 } };
    for (int k = 0; k < flex->mesh.n_element; k++) {
        fe_element e = element_of(def, flex, k);
        if (bi_fe_is_beam(e.def->kind)) {
            (void)beam_axes_of(&e, &a);
            break;
        }
    }
    b.axis = a.x;
    if (!is_straight(&b, report)) {
        return false;
    }
    b.is_done = calloc(n_node, sizeof *b.is_done);
    b.G = calloc(n_node * n * n, sizeof *b.G);
    b.slope = calloc(2 * n, sizeof *b.slope);
    flex->bend = calloc(n * n * (size_t)flex->modes.n_node, sizeof *flex->bend);
    fe_particle *p = malloc(FE_MOST_PARTICLES * sizeof *p);
    double *G = malloc(n * n * sizeof *G);
    bool is_good = b.is_done && b.G && b.slope && flex->bend && p && G;
    if (is_good) {
        integrate_nodes(&b);
        bend_points(&b, p, G);
    } else {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, def->place, def->name, "out of memory");
    }
    free(b.is_done);
    free(b.G);
    free(b.slope);
    free(p);
    free(G);
    return is_good;
}
