// SPDX-License-Identifier: MIT
#include "report/outcome.h"
#include "pictures/solid.h"
#include <biela/look.h>
#include <math.h>
#include <stdio.h>

// beyond it no truck, car or bicycle comes back by itself
const double outcome_lean = 0.6981317007977318; // 40 degrees
static const double gone = 1e-3;                // of the margin

static bi_vec3 back(bi_quat q, bi_vec3 v) { return solid_turn((bi_quat){ q.w, -q.x, -q.y, -q.z }, v); }

void outcome_begin(outcome_watch *w, bi_sim *sim, const bi_model *m)
{
    bi_vec3 g = bi_model_gravity_of(m);
    bi_view view = bi_sim_view(sim);
    int body = w->body;
    w->sim = sim;
    w->t = view.t;
    w->up = solid_unit((bi_vec3){ -g.x, -g.y, -g.z });
    w->own_up = back(view.pose[body].rot, w->up);
    w->before = view.pose[body].pos;
    w->is = (outcome){ .end = view.t,
                       .least = NAN,
                       .least_t = NAN,
                       .lost_t = NAN,
                       .lost_speed = NAN,
                       .tipped_t = NAN,
                       .tipped_speed = NAN,
                       .hit_t = NAN,
                       .hit_speed = NAN,
                       .hit_force = NAN };
}

void outcome_step(void *data, const double *unused)
{
    (void)unused;
    outcome_watch *w = data;
    outcome *is = &w->is;
    bi_view view = bi_sim_view(w->sim);
    bi_vec3 way = solid_plus(view.pose[w->body].pos, -1.0, w->before);
    way = solid_plus(way, -solid_dot(way, w->up), w->up);
    double moved = sqrt(solid_dot(way, way)), speed = view.t > w->t ? moved / (view.t - w->t) : 0.0;
    speed = w->speed.i > 0 ? fabs(bi_sim_read(w->sim, w->speed)) : speed;
    is->way += moved;
    if (speed > is->fastest) {
        is->fastest = speed;
        is->fastest_t = view.t;
    }
    double margin = w->margin.i > 0 ? bi_sim_read(w->sim, w->margin) : NAN;
    if (!(margin >= is->least) && isfinite(margin)) {
        is->least = margin;
        is->least_t = view.t;
    }
    if (margin < gone && isnan(is->lost_t)) {
        is->lost_t = view.t;
        is->lost_speed = speed;
    }
    double lean = solid_dot(solid_turn(view.pose[w->body].rot, w->own_up), w->up);
    if (w->is_vehicle && lean < cos(outcome_lean) && isnan(is->tipped_t)) {
        is->tipped_t = view.t;
        is->tipped_speed = speed;
    }
    w->before = view.pose[w->body].pos;
    w->t = view.t;
    is->end = view.t;
    is->place = w->before;
}

void outcome_end(outcome_watch *w)
{
    outcome *is = &w->is;
    for (int k = 0; k < bi_sim_event_count(w->sim); k++) {
        bi_event e;
        if (!bi_sim_event(w->sim, k, &e) || e.hit.a.i == 0) {
            continue;
        }
        is->touches++;
        if (!(e.hit.force <= is->hit_force)) {
            is->hit_t = e.t;
            is->hit_force = e.hit.force;
            is->hit_speed = sqrt(solid_dot(e.hit.velocity, e.hit.velocity));
            snprintf(is->hit_a, sizeof is->hit_a, "%s", e.hit.title_a);
            snprintf(is->hit_b, sizeof is->hit_b, "%s", e.hit.title_b);
        }
    }
}
