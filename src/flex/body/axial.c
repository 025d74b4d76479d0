// SPDX-License-Identifier: MIT
#include "flex/body/axial.h"
#include "flex/mesh/beam.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the line ------------------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    double x = ((const axial_link *)a)->from, y = ((const axial_link *)b)->from;
    return (x > y) - (x < y);
}

static double along(const axial_line *line, vec3 at)
{
    return vec3_dot(vec3_sub(at, line->origin), line->axis);
}

static bool is_on_line(const axial_line *line, vec3 at, double length)
{
    return vec3_norm(vec3_cross(vec3_sub(at, line->origin), line->axis)) <= 1e-9 * length;
}

// A beam whose ends are its nodes, both on the line.
static bool add_link(axial_line *line, int k)
{
    fe_element e = fe_element_of(&line->flex->mesh, k);
    beam_axes a;
    bool is_beam = bi_fe_is_beam(e.def->kind);
    if (!is_beam || !beam_axes_of(&e, &a)) {
        return false;
    }
    line->axis = line->n_link == 0 ? a.x : line->axis;
    for (int i = 0; i < 2; i++) {
        if (!is_on_line(line, a.end[i], a.length) ||
            vec3_norm(vec3_sub(a.end[i], e.at[i])) > 1e-9 * a.length) {
            return false;
        }
    }
    double x = along(line, a.end[0]), y = along(line, a.end[1]);
    line->link[line->n_link++] =
        (axial_link){ k, fmin(x, y), fmax(x, y), 1.0 / (e.material->young * e.section->area) };
    return true;
}

static bool find_links(axial_line *line)
{
    const bi_fe_mesh *mesh = &line->flex->mesh;
    for (int k = 0; k < mesh->n_element; k++) {
        if (mesh->element[k].kind != BI_FE_MASS && !add_link(line, k)) {
            return false;
        }
    }
    if (line->n_link == 0) {
        return false;
    }
    qsort(line->link, (size_t)line->n_link, sizeof *line->link, by_place);
    for (int k = 1; k < line->n_link; k++) {
        const axial_link *a = &line->link[k - 1], *b = &line->link[k];
        if (fabs(b->from - a->to) > 1e-9 * (b->to - b->from)) {
            return false;
        }
    }
    return true;
}

// Held nodes, each once, in order along the line.
static void find_held(axial_line *line)
{
    const bi_flex *flex = line->flex;
    for (int k = 0; k < flex->n_held; k++) {
        double x = along(line, flex->mesh.node[flex->held[k]].at);
        int i = line->n_held;
        while (i > 0 && line->held_at[i - 1] >= x) {
            i--;
        }
        if (i < line->n_held && line->held_at[i] == x) {
            continue;
        }
        memmove(line->held + i + 1, line->held + i, (size_t)(line->n_held - i) * sizeof *line->held);
        memmove(line->held_at + i + 1, line->held_at + i, (size_t)(line->n_held - i) * sizeof *line->held_at);
        line->held[i] = flex->held[k];
        line->held_at[i] = x;
        line->n_held++;
    }
}

bool axial_create(axial_line *line, const bi_flex *flex)
{
    *line = (axial_line){ .flex = flex };
    if (flex->n_held == 0) {
        return false;
    }
    line->origin = flex->mesh.node[flex->held[0]].at;
    line->link = calloc((size_t)flex->mesh.n_element + 1, sizeof *line->link);
    line->held = calloc((size_t)flex->n_held + 1, sizeof *line->held);
    line->held_at = calloc((size_t)flex->n_held + 1, sizeof *line->held_at);
    if (!line->link || !line->held || !line->held_at || !find_links(line)) {
        return false;
    }
    find_held(line);
    return true;
}

void axial_clear(axial_line *line)
{
    free(line->link);
    free(line->held);
    free(line->held_at);
    *line = (axial_line){ 0 };
}

// ---- one section ---------------------------------------------------------------------------------------------------

// A section of the line and the held nodes on both sides of it; -1: there is none, the line ends freely.
typedef struct {
    const axial_link *link;
    double at;
    int left, right;
} cut;

static cut cut_at(const axial_line *line, int k, double x)
{
    cut c = { .left = -1, .right = -1 };
    for (int i = 0; i < line->n_link; i++) {
        c.link = line->link[i].element == k ? &line->link[i] : c.link;
    }
    fe_element e = fe_element_of(&line->flex->mesh, k);
    bool is_forward = along(line, e.at[1]) > along(line, e.at[0]);
    double s = 0.5 * (1.0 + (is_forward ? x : -x));
    c.at = c.link->from + s * (c.link->to - c.link->from);
    double middle = 0.5 * (c.link->from + c.link->to);
    for (int i = 0; i < line->n_held; i++) {
        if (line->held_at[i] < middle) {
            c.left = i;
        } else if (c.right < 0) {
            c.right = i;
        }
    }
    return c;
}

// Displacement per unit of force of the line between two places.
static double flexibility(const axial_line *line, double from, double to)
{
    double sum = 0.0;
    for (int k = 0; k < line->n_link; k++) {
        const axial_link *l = &line->link[k];
        sum += l->flexibility * fmax(0.0, fmin(to, l->to) - fmax(from, l->from));
    }
    return sum;
}

static void row_at(const axial_line *line, const cut *c, double *row)
{
    const bi_flex *flex = line->flex;
    memset(row, 0, (size_t)flex->modes.n_mode * sizeof *row);
    if (c->left < 0 || c->right < 0) {
        return; // nothing holds the far end: what is out there is in balance by itself
    }
    double between = flexibility(line, line->held_at[c->left], line->held_at[c->right]);
    for (int m = 0; m < flex->modes.n_mode; m++) {
        const vec3 *shape = flex->shape + (size_t)m * (size_t)flex->modes.n_node;
        vec3 longer = vec3_sub(shape[line->held[c->right]], shape[line->held[c->left]]);
        row[m] = vec3_dot(longer, line->axis) / between;
    }
}

// What a force along the axis at `x` adds to N at the cut, both ends held (fe.20).
static double influence(const axial_line *line, const cut *c, double x)
{
    const axial_link *l = c->link;
    bool is_inside = x > l->from && x < l->to;
    // within the cut element its load is spread evenly
    double right = is_inside ? (l->to - c->at) / (l->to - l->from) : x > c->at ? 1.0 : x < c->at ? 0.0 : 0.5;
    double a = c->left >= 0 ? line->held_at[c->left] : -INFINITY;
    double b = c->right >= 0 ? line->held_at[c->right] : INFINITY;
    if (x < a || x > b) {
        return 0.0;
    }
    if (c->right < 0) {
        return right;
    }
    return c->left < 0 ? right - 1.0 : right - flexibility(line, a, x) / flexibility(line, a, b);
}

// ---- numbers of a place --------------------------------------------------------------------------------------------

int axial_size(const bi_flex *flex)
{
    int n = flex->modes.n_mode;
    return 4 + 6 * n + 3 * (1 + n + (flex->bend ? n * n : 0));
}

static void add_moment(double weight, vec3 shape, double *to)
{
    to[0] += weight * shape.x;
    to[1] += weight * shape.y;
    to[2] += weight * shape.z;
}

// Section forces of the modes, of two beams at their common node the average.
static void fill_forces(const bi_flex *flex, int k, int next, double x, double *modal, double *shear)
{
    int n = flex->modes.n_mode;
    double *stress = calloc((size_t)(FE_STRESSES * n) + 1, sizeof *stress);
    double share = next >= 0 ? 0.5 : 1.0;
    for (int i = 0; stress && i < (next >= 0 ? 2 : 1); i++) {
        bi_flex_stress_rows(flex, i ? next : k, (vec3){ i ? -1.0 : x, 0.0, 0.0 }, stress);
        for (int m = 0; m < n; m++) {
            modal[m] += share * stress[m];
            shear[m] += share * stress[n + m];
            shear[n + m] += share * stress[2 * n + m];
        }
    }
    free(stress);
}

// Slopes v', w' of the section in the axes of the element.
static void fill_slopes(const bi_flex *flex, int k, double x, double *slope)
{
    int n = flex->modes.n_mode;
    fe_element e = fe_element_of(&flex->mesh, k);
    double rows[2 * BEAM_DOF], u[BEAM_DOF];
    e.is_plane = flex->is_plane;
    beam_slopes(&e, 0.5 * (1.0 + x), rows);
    for (int m = 0; m < n; m++) {
        element_freedoms(flex, k, m, u);
        for (int i = 0; i < BEAM_DOF; i++) {
            slope[m] += rows[i] * u[i];
            slope[n + m] += rows[BEAM_DOF + i] * u[i];
        }
    }
}

void axial_fill(const axial_line *line, int k, int next, double x, const double times[3], double *out)
{
    const bi_flex *flex = line->flex;
    int n = flex->modes.n_mode;
    size_t all = (size_t)flex->modes.n_node;
    double *row = out + 4, *modal = row + n, *slope = modal + n, *shear = slope + 2 * n;
    double *moment = shear + 2 * n;
    cut c = cut_at(line, k, x);
    memset(out, 0, (size_t)axial_size(flex) * sizeof *out);
    memcpy(out, times, 3 * sizeof *out);
    row_at(line, &c, row);
    fill_forces(flex, k, next, x, modal, shear);
    if (flex->bend) {
        fill_slopes(flex, k, x, slope);
    }
    for (size_t p = (size_t)flex->mesh.n_node; p < all; p++) {
        double w = flex->mass[p] * influence(line, &c, along(line, flex->at[p]));
        out[3] += w;
        add_moment(w, vec3_sub(flex->at[p], line->origin), moment);
        for (int m = 0; m < n; m++) {
            add_moment(w, flex->shape[(size_t)m * all + p], moment + 3 * (1 + m));
        }
        for (int i = 0; flex->bend && i < n * n; i++) {
            add_moment(w, flex->bend[(size_t)i * all + p], moment + 3 * (1 + n + i));
        }
    }
}
