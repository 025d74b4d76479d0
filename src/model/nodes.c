// SPDX-License-Identifier: MIT
// Nodes of flexible bodies: which one a point of the model stands on.
#include "math/vec3.h"
#include "model/model.h"
#include <math.h>

// of shapes that come from a numerical solution, against the largest one; of places, against the size of the body
static const double noise = 1e-9;

static double largest(const bi_vec3 *v, int count)
{
    double most = 0.0;
    for (int k = 0; v && k < count; k++) {
        most = fmax(most, vec3_norm(v[k]));
    }
    return most;
}

// Whether one of `count` shapes moves the node by more than noise.
static bool is_moved(const bi_vec3 *v, int count, int n_node, int node)
{
    double least = noise * largest(v, count * n_node);
    for (int k = 0; v && k < count; k++) {
        if (vec3_norm(v[k * n_node + node]) > least) {
            return true;
        }
    }
    return false;
}

int model_node_at(const bi_modes *f, vec3 at)
{
    double near = noise * largest(f->at, f->n_node);
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
    int node = f && f->at && f->shape ? model_node_at(f, at) : -1;
    bool moves =
        node >= 0 &&
        (is_moved(f->shape, f->n_mode, f->n_node, node) || is_moved(f->turn, f->n_mode, f->n_node, node) ||
         (!f->bend_is_load && is_moved(f->bend, f->n_mode * f->n_mode, f->n_node, node)));
    return moves ? node + 1 : 0;
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
