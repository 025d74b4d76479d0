// SPDX-License-Identifier: MIT
// Whether one shape went through another between two steps, by all of it: rods cross anywhere.
#include "laws/contact/pair.h"
#include "math/rotation.h"
#include <math.h>

// What geom_sweep takes for itself, not for something around it.
static bool is_swept_exactly(const geom_shape *s)
{
    return s->kind != GEOM_TORUS && (s->kind != GEOM_MESH || s->parts != NULL);
}

bool pair_is_swept(const contact_pair *p, const geom_pose *a, const geom_pose *b, pair_way w)
{
    // the balls around them first: most are far from the way
    double along = fmin(fmax(-vec3_dot(w.apart, w.way) / fmax(vec3_dot(w.way, w.way), 1e-300), 0.0), 1.0);
    bool is_near = vec3_norm(vec3_add_scaled(w.apart, along, w.way)) < p->reach[0] + p->reach[1];
    if (!is_near || !is_swept_exactly(&p->a->form) || !is_swept_exactly(&p->b->form)) {
        return false;
    }
    mat3 back = quat_to_mat3(quat_exp(vec3_neg(w.turn)));
    geom_sweep_way goes = { .to = *a }, stays = { *b, *b };
    goes.from.rot = mat3_multiply(back, a->rot);
    goes.from.pos = vec3_add(vec3_sub(w.to, w.way), mat3_apply(back, vec3_sub(a->pos, w.to)));
    double time = geom_sweep(&p->a->form, &goes, &p->b->form, &stays).time;
    return time > 0.0 && time < 1.0; // at 0 they touched, and nobody came from outside
}
