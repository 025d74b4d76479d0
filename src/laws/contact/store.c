// SPDX-License-Identifier: MIT
// What a patch has stored (contact.13).
#include "laws/contact/store.h"
#include <math.h>
#include <string.h>

void store_add(store_effort *to, const pair_motion *m, vec3 point, vec3 force)
{
    tray_add(to->effort, force);
    tray_add(to->effort + 3, vec3_cross(vec3_sub(point, m->pos[0]), force));
    tray_add(to->effort + 6, vec3_cross(vec3_sub(point, m->pos[1]), vec3_neg(force)));
}

store_flow store_flow_of(const pair_motion *m)
{
    store_flow f;
    tray_put(f.flow, vec3_sub(m->vel[0], m->vel[1]));
    tray_put(f.flow + 3, m->spin[0]);
    tray_put(f.flow + 6, m->spin[1]);
    return f;
}

static double product(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < STORE_SIZE; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

// Work on the bodies of a force over a step in which they moved with the mean of two velocities; half, as the rule
// counts it.
static double half_work(const double *effort, const double *before, const double *now, double h)
{
    return 0.25 * h * (product(effort, before) + product(effort, now));
}

store_limit store_allowed(const double *own, const store_effort *effort, const store_flow *flow, double h)
{
    const store_limit all = { 1.0, 0.0 };
    if (!(own[HEAD_COUNT] > 0.0 && h > 0.0)) {
        return all;
    }
    double left = own[HEAD_STORED] - half_work(own + HEAD_EFFORT, own + HEAD_FLOW, flow->flow, h);
    // in this step, and in the next one even if nothing touches after it
    double asked = half_work(effort->effort, own + HEAD_FLOW, flow->flow, h) +
                   half_work(effort->effort, flow->flow, flow->flow, h);
    if (!(asked > 0.0 && asked > left)) {
        return all;
    }
    // what hardly moves carries all the same
    const double slow = 5e-3; // m/s, over which it comes in
    double speed = asked / (h * vec3_norm(tray_vec3(effort->effort))), x = fmin(speed / slow, 1.0);
    double ramp = x * x * (3.0 - 2.0 * x), kept = fmax(0.0, left / asked);
    return (store_limit){ 1.0 - ramp * (1.0 - kept),
                          6.0 * x * (1.0 - x) * (1.0 - kept) / slow + ramp * kept / speed };
}

bool store_nears_end(const double *own, const store_flow *flow, double h)
{
    // forces of a patch that separates fall; one that changes its form may push twice as hard as before
    static const double harder = 2.0;
    const double *effort = own + HEAD_EFFORT, *before = own + HEAD_FLOW;
    double gone = half_work(effort, before, flow->flow, h);
    double more = gone + half_work(effort, flow->flow, flow->flow, h);
    return own[HEAD_STORED] - gone < harder * more;
}

void store_commit(const store_effort *effort, const store_flow *flow, double energy, double t, double h,
                  store_rule rule, double *own)
{
    bool is_new = !(own[HEAD_COUNT] > 0.0);
    double passed = is_new ? h : t - own[HEAD_TIME];
    const double *before = is_new ? flow->flow : own + HEAD_FLOW;
    double given = half_work(effort->effort, before, flow->flow, passed);
    if (rule == STORE_LATE) {
        given *= 2.0;
    } else if (!is_new) {
        given += half_work(own + HEAD_EFFORT, before, flow->flow, passed);
    }
    double stored = own[HEAD_STORED] - given;
    if (is_new) {
        // one that begins inside another begins loaded; later a touch stores no more than it took
        stored = h > 0.0 ? fmin(energy, fmax(0.0, -given)) : energy;
    }
    own[HEAD_STORED] = stored;
    own[HEAD_TIME] = t;
    own[HEAD_GIVE] = stored < energy ? fmax(0.0, stored) / energy : 1.0;
    memcpy(own + HEAD_EFFORT, effort->effort, sizeof effort->effort);
    memcpy(own + HEAD_FLOW, flow->flow, sizeof flow->flow);
}

double store_energy(const double *own, const store_effort *effort, const store_flow *flow, double t)
{
    double ahead = own[HEAD_TIME] - t;
    double given = half_work(own + HEAD_EFFORT, own + HEAD_FLOW, flow->flow, ahead) +
                   half_work(effort->effort, own + HEAD_FLOW, flow->flow, ahead);
    return own[HEAD_STORED] + given;
}
