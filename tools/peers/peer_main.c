// SPDX-License-Identifier: MIT
/* Measures a peer on one scene of the contact bench: PEER SCENE N, one JSON object on stdout. The rules are
 * those of app/measure/contact_measure.c: 1 s of steps of 1 ms, the best of groups of 20 equal steps of CPU time. */
#include "peer.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 1000, GROUP = 20, RUNS = 5, BEFORE_ASLEEP = 200 };
static const double dt = 1e-3;
static const double enough = 8.0; // s of CPU

typedef struct {
    const char *name;
    boxes_kind kind;
    peer_sleep sleep;
} peer_scene;

static const peer_scene scenes[] = { { "free-fall", BOXES_FREE_FALL, PEER_AWAKE },
                                     { "at-rest", BOXES_AT_REST, PEER_AWAKE },
                                     { "asleep", BOXES_AT_REST, PEER_MAY_SLEEP },
                                     { "pile", BOXES_PILE, PEER_AWAKE },
                                     { "apart", BOXES_APART, PEER_AWAKE } };

typedef struct {
    double energy, kinetic; // J
    double depth;           // m, of the lowest corner below the floor
    double speed;           // m/s, fastest point at most
} state;

static double square(bi_vec3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

// From body axes to ground axes.
static void rotation(bi_quat q, double r[3][3])
{
    r[0][0] = 1 - 2 * (q.y * q.y + q.z * q.z), r[0][1] = 2 * (q.x * q.y - q.w * q.z);
    r[0][2] = 2 * (q.x * q.z + q.w * q.y), r[1][0] = 2 * (q.x * q.y + q.w * q.z);
    r[1][1] = 1 - 2 * (q.x * q.x + q.z * q.z), r[1][2] = 2 * (q.y * q.z - q.w * q.x);
    r[2][0] = 2 * (q.x * q.z - q.w * q.y), r[2][1] = 2 * (q.y * q.z + q.w * q.x);
    r[2][2] = 1 - 2 * (q.x * q.x + q.y * q.y);
}

static void look_at_box(const boxes_rule *rule, const peer_box *box, state *out)
{
    const double size[3] = { rule->size.x, rule->size.y, rule->size.z };
    const double w[3] = { box->twist.ang.x, box->twist.ang.y, box->twist.ang.z };
    double r[3][3], reach = 0.0, spin = 0.0;
    rotation(box->pose.rot, r);
    for (int k = 0; k < 3; k++) {
        double along = r[0][k] * w[0] + r[1][k] * w[1] + r[2][k] * w[2];
        double inertia = rule->mass / 12.0 * (square(rule->size) - size[k] * size[k]);
        spin += 0.5 * inertia * along * along;
        reach += 0.5 * size[k] * fabs(r[2][k]);
    }
    double kinetic = 0.5 * rule->mass * square(box->twist.lin) + spin;
    out->kinetic += kinetic;
    out->energy += kinetic + rule->mass * rule->gravity * box->pose.pos.z;
    out->depth = rule->has_floor ? fmax(out->depth, reach - box->pose.pos.z) : 0.0;
    out->speed = fmax(out->speed,
                      sqrt(square(box->twist.lin)) + 0.5 * sqrt(square(rule->size) * square(box->twist.ang)));
}

static state look(const boxes_rule *rule, const peer *p, int n)
{
    state now = { 0 };
    for (int k = 0; k < n; k++) {
        peer_box box = peer_read(p, k);
        look_at_box(rule, &box, &now);
    }
    return now;
}

static double since(clock_t from) { return (double)(clock() - from) / (double)CLOCKS_PER_SEC; }

static peer *begin(const peer_scene *scene, const boxes_rule *rule, const box_start *start, int n)
{
    peer *p = peer_create(rule, start, n, dt, scene->sleep);
    for (int k = 0; scene->sleep == PEER_MAY_SLEEP && k < BEFORE_ASLEEP; k++) {
        peer_step(p);
    }
    return p;
}

// us per step; stops repeating when enough was measured.
static double measure(const peer_scene *scene, const boxes_rule *rule, const box_start *start, int n)
{
    double best[STEPS / GROUP], sum = 0.0;
    clock_t first = clock();
    for (int run = 0; run < RUNS && (run == 0 || since(first) < enough); run++) {
        peer *p = begin(scene, rule, start, n);
        for (int g = 0; g < STEPS / GROUP; g++) {
            clock_t from = clock();
            for (int k = 0; k < GROUP; k++) {
                peer_step(p);
            }
            best[g] = run == 0 ? since(from) : fmin(best[g], since(from));
        }
        peer_destroy(p);
    }
    for (int g = 0; g < STEPS / GROUP; g++) {
        sum += best[g];
    }
    return 1e6 * sum / STEPS;
}

static void watch(const peer_scene *scene, const boxes_rule *rule, const box_start *start, int n)
{
    peer *p = begin(scene, rule, start, n);
    state now = look(rule, p, n);
    double least = now.energy, most = fmax(fabs(now.energy), now.kinetic), growth = 0.0, depth = now.depth;
    for (int k = 0; k < STEPS; k++) {
        peer_step(p);
        now = look(rule, p, n);
        least = fmin(least, now.energy);
        most = fmax(most, fmax(fabs(now.energy), now.kinetic));
        growth = fmax(growth, now.energy - least);
        depth = fmax(depth, now.depth);
    }
    printf(", \"energy_growth\": %.17g, \"depth\": %.17g, \"speed_at_end\": %.17g}\n",
           most > 0.0 ? growth / most : 0.0, depth, now.speed);
    peer_destroy(p);
}

int main(int argc, char **argv)
{
    const peer_scene *scene = NULL;
    for (size_t k = 0; argc > 2 && k < sizeof scenes / sizeof *scenes; k++) {
        scene = strcmp(argv[1], scenes[k].name) == 0 ? &scenes[k] : scene;
    }
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (!scene || n < 1) {
        fprintf(stderr, "usage: %s free-fall|at-rest|asleep|pile|apart N\n", argv[0]);
        return 2;
    }
    boxes_rule rule = boxes_of(scene->kind, n);
    box_start *start = malloc((size_t)n * sizeof *start);
    if (!start) {
        return 1;
    }
    boxes_place(scene->kind, n, start);
    double us = measure(scene, &rule, start, n);
    printf("{\"peer\": \"%s\", \"scene\": \"%s\", \"n\": %d, \"us_per_step\": %.17g", peer_name(),
           scene->name, n, us);
    watch(scene, &rule, start, n);
    free(start);
    return 0;
}
