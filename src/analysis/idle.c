// SPDX-License-Identifier: MIT
// Idle spins: links between two balls that may turn about the line through them. Nothing else feels it, so nobody need
// drive it.
#include "analysis/directions.h"
#include <math.h>
#include <stdlib.h>

// Bodies that any of the directions moves. The state shown is lost.
static void mark_moving(bi_sim *sim, const directions *d, bool *moves)
{
    const dynamics *dyn = &sim->system->dynamics;
    coords *at = &sim->exact;
    coords_copy(dyn, &sim->stepper.now, at);
    for (int c = 0; c < d->count; c++) {
        for (int i = 0; i < d->n; i++) {
            at->v[i] = d->Z[(size_t)i * (size_t)d->count + (size_t)c];
        }
        dyn->set->lift(dyn->coordinates, at, LIFT_ALL, &sim->stepper.trays.motion);
        dyn->set->poses(dyn->coordinates, at, &sim->stepper.trays.motion, NULL, sim->pose, sim->twist);
        for (int b = 1; b < sim->system->model->n_body; b++) {
            moves[b] |= vec3_norm(sim->twist[b].ang) > 1e-6 || vec3_norm(sim->twist[b].lin) > 1e-6;
        }
    }
    sim->have = 0;
}

// Bodies that move together get one number: the least of theirs.
static void join_groups(const bi_model *m, const bool *moves, int *group)
{
    for (int b = 0; b < m->n_body; b++) {
        group[b] = b;
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int j = 0; j < m->n_joint; j++) {
            int a = m->joint[j].def.a.i - 1, b = m->joint[j].def.b.i - 1;
            if (moves[a] && moves[b] && group[a] != group[b]) {
                group[a] = group[b] = group[a] < group[b] ? group[a] : group[b];
                has_changed = true;
            }
        }
    }
}

// A group is held by what does not move in two balls, and in nothing else.
static bool is_idle(const bi_model *m, const bool *moves, const int *group, int which)
{
    int balls = 0;
    for (int j = 0; j < m->n_joint; j++) {
        int a = m->joint[j].def.a.i - 1, b = m->joint[j].def.b.i - 1;
        bool is_held = moves[a] != moves[b] && group[moves[a] ? a : b] == which;
        if (is_held && !joint_is_ball(m->joint[j].def.kind)) {
            return false;
        }
        balls += is_held;
    }
    return balls == 2;
}

int directions_idle(bi_sim *sim, const directions *d)
{
    const bi_model *m = sim->system->model;
    bool *moves = calloc((size_t)m->n_body, sizeof *moves);
    int *group = malloc((size_t)m->n_body * sizeof *group), count = 0;
    if (moves && group) {
        mark_moving(sim, d, moves);
        join_groups(m, moves, group);
        for (int b = 1; b < m->n_body; b++) {
            count += moves[b] && group[b] == b && is_idle(m, moves, group, b);
        }
    }
    free(moves);
    free(group);
    return count;
}
