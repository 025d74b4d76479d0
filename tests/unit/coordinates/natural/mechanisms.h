// SPDX-License-Identifier: MIT
// Mechanisms with every kind of joint and of natural body, and random consistent states of them.
#ifndef BIELA_TESTS_UNIT_NATURAL_MECHANISMS_H
#define BIELA_TESTS_UNIT_NATURAL_MECHANISMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinates/natural/natural.h"
#include "dynamics/dynamics.h"
#include "integrate/algebra.h"
#include "math/rotation.h"
#include <biela/biela.h>
#include <biela/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers that look random and are the same everywhere ------------------------------------------------------------

typedef struct {
    uint64_t state;
} dice;

// In (-1, 1).
static inline double roll(dice *d)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(d->state ^ (d->state >> 29)) * 0x1p-63;
}

static inline bi_vec3 roll_vec3(dice *d)
{
    bi_vec3 v;
    v.x = roll(d);
    v.y = roll(d);
    v.z = roll(d);
    return v;
}

// ---- pieces -----------------------------------------------------------------------------------------------------------

static inline bi_quat turned(bi_vec3 axis, double angle)
{
    double s = sin(0.5 * angle) / sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    return (bi_quat){ cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z };
}

// A body with a full tensor and its centre of mass off the frame.
static inline bi_body add_stone(bi_model *m, const char *name, bi_vec3 at)
{
    return bi_add_body(m, &(bi_body_def){ .name = name,
                                          .mass = 1.7,
                                          .com = { 0.11, -0.07, 0.05 },
                                          .inertia = { 0.30, 0.26, 0.21, 0.02, -0.03, 0.015 },
                                          .pose = { at, turned((bi_vec3){ 1, -2, 0.5 }, 0.7) } });
}

static inline bi_body add_particle(bi_model *m, const char *name, bi_vec3 at)
{
    return bi_add_body(m, &(bi_body_def){ .name = name, .mass = 0.4, .pose = { at, { 1, 0, 0, 0 } } });
}

static inline bi_body add_bar(bi_model *m, const char *name, bi_vec3 from)
{
    return bi_add_body(m, &(bi_body_def){ .name = name,
                                          .mass = 0.9,
                                          .com = { 0.4, 0, 0 },
                                          .inertia = { 0, 0.05, 0.05 },
                                          .pose = { from, turned((bi_vec3){ 0, 1, 1 }, 0.4) } });
}

static inline bi_joint join(bi_model *m, const char *name, bi_joint_kind kind, bi_body a, bi_body b,
                            bi_vec3 at, bi_vec3 axis)
{
    return bi_add_joint(
        m, &(bi_joint_def){ .name = name, .kind = kind, .a = a, .b = b, .at = at, .axis = axis });
}

static inline void guide(bi_model *m, const char *name, bi_joint joint, const char *value)
{
    bi_add_guide(m, &(bi_guide_def){ .name = name, .joint = joint, .value = bi_expression(m, value, NULL) });
}

// Reads the joint's coordinates, so that they become variables with their definitions.
static inline void watch(bi_model *m, const char *name, bi_joint joint)
{
    bi_add_output(m, &(bi_output_def){ .name = name, .kind = BI_OUT_JOINT, .joint = joint });
}

// ---- the mechanisms -----------------------------------------------------------------------------------------------------

static const bi_vec3 skew = { 0.3, -0.5, 0.8 }, other_skew = { -0.6, 0.2, 0.5 };

// A floating stone carries one more on each kind of joint; their coordinates are variables.
static inline bi_model *every_joint(void)
{
    static const struct {
        const char *name;
        bi_joint_kind kind;
    } kinds[] = { { "weld", BI_FIXED },       { "hinge", BI_REVOLUTE },   { "slide", BI_PRISMATIC },
                  { "tube", BI_CYLINDRICAL }, { "cardan", BI_UNIVERSAL }, { "ball", BI_SPHERICAL },
                  { "rope", BI_DISTANCE } };
    bi_model *m = bi_model_create("every joint");
    bi_body base = add_stone(m, "base", (bi_vec3){ 0.2, 0.1, 0.3 });
    for (int k = 0; k < 7; k++) {
        bi_vec3 at = { 0.8 * cos(k), 0.8 * sin(k), 0.3 * k };
        char name[32];
        snprintf(name, sizeof name, "stone %s", kinds[k].name);
        bi_body stone = add_stone(m, name, (bi_vec3){ 1.4 * at.x, 1.4 * at.y, at.z + 0.1 });
        bi_joint_def def = { .name = kinds[k].name, .kind = kinds[k].kind, .a = base, .b = stone, .at = at };
        def.axis = k % 2 ? skew : other_skew;
        if (kinds[k].kind == BI_DISTANCE) {
            def.local = BI_AT_A | BI_AT_B;
            def.at_a = (bi_vec3){ 0.3, 0.2, 0 };
            def.at_b = (bi_vec3){ -0.1, 0.4, 0.2 };
        }
        bi_joint joint = bi_add_joint(m, &def);
        if (model_coordinate_count(kinds[k].kind) > 0) {
            watch(m, kinds[k].name, joint);
        }
    }
    return m;
}

// Guided coordinates of each kind, on bodies hung to one another and to the ground.
static inline bi_model *guided(void)
{
    bi_model *m = bi_model_create("guided");
    bi_body a = add_stone(m, "a", (bi_vec3){ 0.1, 0.2, 0 }), b = add_stone(m, "b", (bi_vec3){ 1, 0.2, 0.1 });
    bi_body c = add_stone(m, "c", (bi_vec3){ 1.5, -0.3, 0.4 }), d = add_stone(m, "d", (bi_vec3){ 0, 1, 1 });
    bi_vec3 zero = { 0, 0, 0 };
    guide(m, "turn", join(m, "hinge", BI_REVOLUTE, BI_GROUND, a, zero, skew), "0.3*sin(2*t) + 0.1*t^2");
    guide(m, "screw", join(m, "tube", BI_CYLINDRICAL, a, b, (bi_vec3){ 0.7, 0.1, 0.1 }, other_skew),
          "exp(-t) - 1");
    guide(m, "push", join(m, "slide", BI_PRISMATIC, b, c, (bi_vec3){ 1.2, 0, 0.2 }, skew), "0.2*cos(3*t)");
    bi_joint rope = bi_add_joint(m, &(bi_joint_def){ .name = "rope",
                                                     .kind = BI_DISTANCE,
                                                     .a = c,
                                                     .b = d,
                                                     .at_a = { 0.1, 0.1, 0 },
                                                     .at_b = { 0, 0, 0.2 },
                                                     .local = BI_AT_A | BI_AT_B });
    guide(m, "pull", rope, "1.9 + 0.1*sin(t)");
    return m;
}

// A planar chain and a loop, a slider that only translates, and a body that is fixed.
static inline bi_model *planar(void)
{
    bi_model *m = bi_model_create("planar");
    bi_vec3 zero = { 0, 0, 0 }, one = { 1, 0, 0 };
    bi_body a = add_stone(m, "a", zero), b = add_stone(m, "b", one),
            slider = add_stone(m, "slider", (bi_vec3){ 2, 0, 0 });
    bi_body fixed = add_stone(m, "fixed", (bi_vec3){ 0, 1, 0 });
    watch(m, "A", join(m, "A", BI_REVOLUTE, BI_GROUND, a, zero, skew));
    watch(m, "B", join(m, "B", BI_REVOLUTE, a, b, one, skew));
    join(m, "C", BI_REVOLUTE, b, slider, (bi_vec3){ 1.8, -0.3, 0.1 }, skew);
    // along a direction across the axis
    watch(m, "D",
          join(m, "D", BI_PRISMATIC, BI_GROUND, slider, (bi_vec3){ 2, 0, 0 }, (bi_vec3){ 0.5, 0.3, 0 }));
    join(m, "weld", BI_FIXED, BI_GROUND, fixed, zero, skew);
    return m;
}

// Bars and bodies on one, two, three and four points; particles at free ends.
static inline bi_model *points(void)
{
    static const bi_vec3 corner[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0.1, 0.9, 0 }, { 0.2, 0.3, 0.8 } };
    bi_model *m = bi_model_create("points");
    bi_vec3 none = { 0, 0, 0 };
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "body%d", k + 1);
        bi_vec3 from = { 3.0 * k, 0, 0 };
        bi_body body = bi_add_body(m, &(bi_body_def){ .name = name,
                                                      .mass = 1.3,
                                                      .com = { 0.2, 0.3, 0.1 },
                                                      .inertia = { 0.2, 0.25, 0.3, 0.01, 0.02, -0.03 },
                                                      .pose = { from, { 1, 0, 0, 0 } } });
        for (int i = 0; i <= k; i++) {
            bi_vec3 at = { from.x + corner[i].x, corner[i].y, corner[i].z };
            snprintf(name, sizeof name, "particle%d%d", k + 1, i + 1);
            join(m, name, BI_SPHERICAL, body, add_particle(m, name, at), at, none);
        }
    }
    bi_body bar = add_bar(m, "bar", (bi_vec3){ 0, 5, 0 });
    bi_joint_def end = { .name = "near", .kind = BI_SPHERICAL, .a = BI_GROUND, .b = bar, .at = { 0, 5, 0 } };
    bi_add_joint(m, &end);
    bi_body tip = add_bar(m, "second bar", (bi_vec3){ 0, 5, 0 });
    end = (bi_joint_def){ .name = "middle",
                          .kind = BI_SPHERICAL,
                          .a = bar,
                          .b = tip,
                          .at_a = { 0.8, 0, 0 },
                          .local = BI_AT_A | BI_AT_B };
    bi_add_joint(m, &end);
    return m;
}

// A disc that rolls: rows on velocities.
static inline bi_model *rolling(void)
{
    bi_model *m = bi_model_create("rolling");
    bi_body disc = bi_add_body(m, &(bi_body_def){ .name = "disc",
                                                  .mass = 2,
                                                  .inertia = { 0.1, 0.2, 0.1 },
                                                  .pose = { { 0, 0, 0.5 }, { 1, 0, 0, 0 } },
                                                  .twist = { { 1, 0, 0 }, { 0, 2, 0.3 } } });
    bi_add_rolling(m, &(bi_rolling_def){ .name = "roll", .body = disc, .radius = 0.5 });
    return m;
}

static bi_model *(*const mechanisms[])(void) = { every_joint, guided, planar, points, rolling };
enum { N_MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

// ---- a mechanism taken apart: its corridor, trays and one state ---------------------------------------------------------

typedef struct {
    bi_model *model;
    dynamics d;
    solver *fac;
    stepper s;
    void *memory;
    bi_pose *pose;
    bi_twist *twist;
} rig;

// Takes the model over. The rig must stay where it is: its parts point at one another.
static inline void rig_begin(rig *r, bi_model *m)
{
    bi_report report = { 0 };
    *r = (rig){ .model = m };
    if (!dynamics_begin(&r->d, r->model, &(dynamics_options){ .coordinates = BI_NATURAL }, &report)) {
        fail_msg("the model does not begin");
    }
    // coordinates of watched joints, as outputs would
    for (int k = 0; k < r->model->n_output; k++) {
        int joint = r->model->output[k].def.joint.i - 1;
        for (int c = 0; c < model_coordinate_count(r->model->joint[joint].def.kind); c++) {
            plan_joint(&r->d.plan, joint, c);
        }
    }
}

static inline void rig_finish(rig *r)
{
    bi_report report = { 0 };
    if (!dynamics_finish(&r->d, &report)) {
        bi_report_print(&report, stderr);
        fail_msg("%s does not compile", bi_model_name(r->model));
    }
    r->fac = solver_create(SOLVER_OWN, &r->d.structure.tangent);
    arena measure = { 0 };
    stepper_cut(&r->s, &r->d, r->fac, NULL, STEPPER_HAS_STAGES, &measure);
    r->memory = calloc(measure.used + 64, 1);
    assert_non_null(r->memory);
    arena a = { r->memory, 0, measure.used + 64, false };
    stepper_cut(&r->s, &r->d, r->fac, NULL, STEPPER_HAS_STAGES, &a);
    stepper_set(
        &r->s,
        (stepper_options){ .tolerance = 1e-3, .iterations = 5, .penalty = 1e9, .velocity_penalty = 1e4 },
        1e-3);
    r->pose = calloc((size_t)r->model->n_body, sizeof *r->pose);
    r->twist = calloc((size_t)r->model->n_body, sizeof *r->twist);
}

static inline void rig_close(rig *r)
{
    dynamics_clear(&r->d);
    solver_destroy(r->fac);
    free(r->memory);
    free(r->pose);
    free(r->twist);
    bi_model_destroy(r->model);
}

enum { WANT_ALL = LAW_POSITION | LAW_SECOND | LAW_EXPLICIT | EVAL_FORCES | LIFT_ALL | DROP_MASS };

static inline void rig_evaluate(rig *r, coords *at)
{
    r->s.trays.z_old = at->z;
    r->s.trays.dz_old = at->dz;
    dynamics_evaluate(&r->d, at, &r->s.trays, WANT_ALL);
}

// A state near the described one that satisfies all constraints, with random velocities that do, too.
static inline void rig_shake(rig *r, dice *d)
{
    const structure *st = &r->d.structure;
    coords *now = &r->s.now;
    double worst;
    memcpy(now->q, st->q0, (size_t)st->n_q * sizeof *now->q);
    memset(now->v, 0, (size_t)st->n_q * sizeof *now->v);
    now->t = 0.2 * roll(d);
    for (int i = 0; i < st->n; i++) {
        now->q[i] += 0.05 * roll(d);
    }
    if (initial_position(&r->s, NULL, 0, &worst) != BI_OK) {
        fail_msg("%s: a position is left %g off", bi_model_name(r->model), worst);
    }
    for (int i = 0; i < st->n; i++) {
        now->v[i] = roll(d);
    }
    rig_evaluate(r, now);
    assert_int_equal(initial_inertia(&r->s), BI_OK);
    if (initial_velocity(&r->s, NULL, 0, &worst) != BI_OK) {
        fail_msg("%s: a velocity is left %g off", bi_model_name(r->model), worst);
    }
    for (int i = 0; i < st->n; i++) {
        now->a[i] = roll(d);
    }
    rig_evaluate(r, now);
    r->d.set->poses(r->d.coordinates, now, &r->s.trays.motion, NULL, r->pose, r->twist);
}

#endif
