// SPDX-License-Identifier: MIT
// Flexible bodies: mistakes of their modes, and which node a point of the model stands on.
#include "math/vec3.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what coordinates have room for
enum { MOST_MODES = 256, MOST_BENT_MODES = 24 };

// of shapes that come from a numerical solution, against the largest one; of places, against the size of the body
static const double noise = 1e-9;

static double largest(const bi_vec3 *v, int count)
{
    // asked for every point of the model: squares, the root at the end
    double most = 0.0;
    for (int k = 0; v && k < count; k++) {
        double square = vec3_dot(v[k], v[k]);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

// Modes as a model has them: with the largest of each array, which every point of the model asks for.
typedef struct {
    bi_modes modes; // the first member: whoever has it has the whole
    double at, shape, turn, bend;
} modes_copy;

static void *copy_array(const void *from, size_t size)
{
    void *to = from && size > 0 ? malloc(size) : NULL;
    return to ? memcpy(to, from, size) : NULL;
}

static double largest_of(const bi_vec3 *v, int64_t count)
{
    // more than a number of nodes can be: a mistake, which the check tells
    return count > 0 && count < INT32_MAX ? largest(v, (int)count) : 0.0;
}

const bi_modes *model_modes_copy(const bi_modes *from)
{
    modes_copy *copy = from ? calloc(1, sizeof *copy) : NULL;
    if (!copy) {
        return NULL;
    }
    copy->modes = *from;
    bi_modes *to = &copy->modes;
    size_t nodes = (size_t)to->n_node, modes = (size_t)to->n_mode;
    to->at = copy_array(from->at, nodes * sizeof *to->at);
    to->mass = copy_array(from->mass, nodes * sizeof *to->mass);
    to->shape = copy_array(from->shape, modes * nodes * sizeof *to->shape);
    to->stiffness = copy_array(from->stiffness, modes * sizeof *to->stiffness);
    to->damping = copy_array(from->damping, modes * sizeof *to->damping);
    to->turn = copy_array(from->turn, modes * nodes * sizeof *to->turn);
    to->bend = copy_array(from->bend, modes * modes * nodes * sizeof *to->bend);
    int64_t n = to->n_mode > 0 && to->n_node > 0 ? (int64_t)to->n_mode * to->n_node : 0;
    copy->at = largest_of(to->at, to->n_node);
    copy->shape = largest_of(to->shape, n);
    copy->turn = largest_of(to->turn, n);
    copy->bend = n < INT32_MAX ? largest_of(to->bend, n * to->n_mode) : 0.0;
    return to;
}

void model_modes_free(const bi_modes *modes)
{
    if (modes) {
        free((void *)modes->at);
        free((void *)modes->mass);
        free((void *)modes->shape);
        free((void *)modes->stiffness);
        free((void *)modes->damping);
        free((void *)modes->turn);
        free((void *)modes->bend);
        free((void *)modes);
    }
}

// Whether one of `count` shapes, the largest given, moves the node by more than noise.
static bool is_moved(const bi_vec3 *v, int count, int n_node, int node, double most)
{
    for (int k = 0; v && k < count; k++) {
        if (vec3_norm(v[k * n_node + node]) > noise * most) {
            return true;
        }
    }
    return false;
}

int model_node_at(const bi_modes *f, vec3 at)
{
    double near = noise * ((const modes_copy *)f)->at;
    for (int i = 0; i < f->n_node; i++) {
        if (vec3_norm(vec3_sub(f->at[i], at)) <= near) {
            return i;
        }
    }
    return -1;
}

int model_moved_node(const bi_model *m, int body, vec3 at)
{
    const bi_modes *f = m && body >= 0 ? m->body[body].def.flex : NULL;
    const modes_copy *c = (const modes_copy *)f;
    int node = f && f->at && f->shape ? model_node_at(f, at) : -1;
    bool moves = node >= 0 &&
                 (is_moved(f->shape, f->n_mode, f->n_node, node, c->shape) ||
                  is_moved(f->turn, f->n_mode, f->n_node, node, c->turn) ||
                  (!f->bend_is_load && is_moved(f->bend, f->n_mode * f->n_mode, f->n_node, node, c->bend)));
    return moves ? node + 1 : 0;
}

double model_body_mass(const bi_model *m, int body)
{
    const bi_body_def *d = &m->body[body].def;
    double sum = d->flex ? 0.0 : d->mass;
    for (int k = 0; d->flex && k < d->flex->n_node; k++) {
        sum += d->flex->mass[k];
    }
    return sum;
}

bool model_joint_is_flexible(const bi_model *m, int joint)
{
    const bi_joint_def *d = &m->joint[joint].def;
    if (!m->body[d->a.i - 1].def.flex && !m->body[d->b.i - 1].def.flex) {
        return false;
    }
    model_joint_frame f = model_joint_frames(m, joint);
    return model_moved_node(m, d->a.i - 1, f.at_a) > 0 || model_moved_node(m, d->b.i - 1, f.at_b) > 0;
}

// ---- mistakes -----------------------------------------------------------------------------------------------

static bool all_finite(const bi_vec3 *v, int count)
{
    for (int k = 0; v && k < count; k++) {
        if (!vec3_is_finite(v[k])) {
            return false;
        }
    }
    return true;
}

static bool modes_are_finite(const bi_modes *f)
{
    int n = f->n_mode * f->n_node;
    for (int k = 0; k < f->n_node; k++) {
        if (!(f->mass[k] >= 0.0 && isfinite(f->mass[k]))) {
            return false;
        }
    }
    for (int k = 0; k < f->n_mode; k++) {
        if (!(f->stiffness[k] >= 0.0 && isfinite(f->stiffness[k])) ||
            (f->damping && !(f->damping[k] >= 0.0 && isfinite(f->damping[k])))) {
            return false;
        }
    }
    return all_finite(f->at, f->n_node) && all_finite(f->shape, n) && all_finite(f->turn, n) &&
           all_finite(f->bend, n * f->n_mode);
}

// The second-order displacement is that of a quadratic form: the order of its two modes says nothing.
static bool bend_is_symmetric(const bi_modes *f)
{
    for (int i = 0; f->bend && i < f->n_mode * f->n_mode; i++) {
        int other = (i % f->n_mode) * f->n_mode + i / f->n_mode;
        for (int k = 0; k < f->n_node; k++) {
            vec3 a = f->bend[i * f->n_node + k], b = f->bend[other * f->n_node + k];
            if (vec3_norm(vec3_sub(a, b)) > 1e-9 * vec3_norm(a)) {
                return false;
            }
        }
    }
    return true;
}

bool model_modes_mistake(const bi_modes *f, char *what, size_t size)
{
    if (f->n_node < 1 || f->n_mode < 1 || !f->at || !f->mass || !f->shape || !f->stiffness) {
        snprintf(what, size, "needs nodes, masses, shapes and stiffnesses");
    } else if (f->n_mode > MOST_MODES) {
        snprintf(what, size, "has %d modes: at most %d are possible", f->n_mode, MOST_MODES);
    } else if (f->bend && f->n_mode > MOST_BENT_MODES) {
        snprintf(what, size,
                 "has %d modes with second-order shapes: at most %d are possible (their inertia grows as the "
                 "fourth "
                 "power); take fewer modes or leave foreshortening out",
                 f->n_mode, MOST_BENT_MODES);
    } else if (!modes_are_finite(f)) {
        snprintf(what, size, "has a number that is not finite, or a negative mass, stiffness or damping");
    } else if (!bend_is_symmetric(f)) {
        snprintf(what, size, "has a second-order displacement that is not symmetric");
    } else {
        return false;
    }
    return true;
}
