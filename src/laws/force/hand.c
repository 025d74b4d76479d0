// SPDX-License-Identifier: MIT
// A hand that pulls a body (laws.20): a spring and damper from a point of it, which inputs choose, to a place that inputs move.
#include "laws/force/force.h"
#include <math.h>

typedef struct {
    int body, at; // number of the body as the input says it; dof of its frame
    int frame;    // index of its axes
    int input;    // first of the hand's inputs
    double mass;  // kg
} hand;

enum { BODY, POINT, TO = POINT + 3, STIFFNESS = TO + 3 };

static void hand_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const hand_def *d = def;
    int m = plan_frame(p, d->body, (vec3){ 0.0, 0.0, 0.0 });
    *(hand *)item = (hand){ d->body, plan_dof(p, m), p->marker[m].frame, d->input, d->mass };
}

// The force, the point from the origin of the body along ground axes, and its velocity; false: the hand is elsewhere.
static bool hand_pull(const hand *h, const law_in *in, vec3 *force, vec3 *arm, vec3 *velocity)
{
    const double *u = &in->u->input[h->input];
    if (u[BODY] != (double)h->body || !(u[STIFFNESS] > 0.0)) {
        return false;
    }
    *arm = mat3_apply(in->at->axes[h->frame], tray_vec3(&u[POINT]));
    *velocity =
        vec3_add(tray_vec3(&in->at->rate[h->at]), vec3_cross(tray_vec3(&in->at->rate[h->at + 3]), *arm));
    vec3 place = vec3_add(tray_vec3(&in->at->value[h->at]), *arm);
    vec3 stretch = vec3_sub(tray_vec3(&u[TO]), place);
    // critical for the body alone
    double damping = 2.0 * sqrt(u[STIFFNESS] * h->mass);
    *force = vec3_sub(vec3_scale(u[STIFFNESS], stretch), vec3_scale(damping, *velocity));
    return true;
}

// No tangent: the page keeps the stiffness far below m/h2, and a block for each body would cost every step.
static void hand_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const hand *item = items;
    for (int k = 0; k < count; k++) {
        vec3 force, arm, velocity;
        if (hand_pull(&item[k], in, &force, &arm, &velocity)) {
            tray_add(&out->load->effort[item[k].at], force);
            tray_add(&out->load->effort[item[k].at + 3], vec3_cross(arm, force));
        }
    }
}

static void hand_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const hand *item = items;
    for (int k = 0; k < count; k++) {
        vec3 force, arm, velocity;
        if (hand_pull(&item[k], in, &force, &arm, &velocity)) {
            out->power += vec3_dot(force, velocity);
        }
    }
}

const law_kind hand_kind = { NULL, sizeof(hand), hand_compile, hand_eval, NULL, hand_energy, NULL };
