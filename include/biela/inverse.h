// SPDX-License-Identifier: MIT
/* inverse.h - imposed motion, actions, and the inverse dynamics between them; biela.h includes it. */
#pragma once
#include <biela/sim.h>
BI_BEGIN

/* ---- imposed motion: joint coordinates as functions of time ------------------------------------------------- */
/* Unlike guides they hold nothing by themselves: a run starts from their values and rates at t = 0 and is then free;
 * bi_imposed_step_to follows them, bi_inverse asks for the actions that produce them, bi_feedback_step_to steers
 * there. */
typedef struct {
    const char *name;
    const char *coordinate; /* "base.y", "base.angle1", "crank.angle" */
    bi_expr value;          /* of t and inputs only; rate and acceleration by exact derivatives */
} bi_imposed_def;
void bi_add_imposed(bi_model *, const bi_imposed_def *);
int bi_imposed_count(const bi_model *);
/* "base.y": the joint and its coordinate, counted from 1. False: none of that name. */
bool bi_model_find_coordinate(const bi_model *, const char *name, bi_joint *, int32_t *coordinate);

/* ---- actions: efforts that a driver, a rider or a motor supplies ----------------------------------------------- */
/* Each is an element and also an input of the same name: the action is the value of the input, plus its samples. */
typedef struct {
    const char *name;
    bi_point point;
    bi_vec3 axis;      /* body axes */
} bi_force_action_def; /* "force": N at a point of a body along an axis of it */
typedef struct {
    const char *name;
    bi_body body;
    bi_vec3 axis;       /* body axes */
} bi_moment_action_def; /* "moment": N m on a body about an axis of it */
typedef struct {
    const char *name;
    bi_joint joint;
    int32_t coordinate; /* as bi_guide_def.coordinate */
} bi_effort_action_def; /* "effort": N m (N on a position) on a coordinate of a joint */
bi_element bi_add_force_action(bi_model *, const bi_force_action_def *);
bi_element bi_add_moment_action(bi_model *, const bi_moment_action_def *);
bi_element bi_add_effort_action(bi_model *, const bi_effort_action_def *);
int bi_action_count(const bi_model *);
bi_element bi_action_at(const bi_model *, int k); /* k-th action in the order of the model */
const char *bi_action_name(const bi_model *, bi_element);
/* Samples of an action over time, t increasing, at least two; a cubic spline (not-a-knot) goes through them, outside
 * the action keeps the end value. Copied. Before bi_compile. False, with a message, when they are not usable. */
bool bi_action_samples(bi_model *, bi_element, int count, const double *t, const double *value, bi_report *);

/* ---- following the imposed motion -------------------------------------------------------------------------------- */
/* Guides and imposed coordinates are given, the others follow from the constraints on velocities (and so may be
 * non-holonomic); integrated with the fourth-order Runge-Kutta rule and stabilised. BI_BAD_MODEL: see
 * bi_sim_failure. */
bi_status bi_imposed_step_to(bi_sim *, double t);
/* Whether guides and imposed motion determine every coordinate and agree with the constraints now; the report names
 * what is left free, what contradicts. */
bi_status bi_imposed_check(bi_sim *, bi_report *);

/* The actions (guide efforts when the model has none) that produce the accelerations of the imposed motion at the
 * present state. They become inputs of the sim, so that all channels show them, and tau in the order of bi_action_at
 * (may be NULL). BI_BAD_MODEL: not unique, or they cannot; the report says which and in what direction. */
bi_status bi_inverse(bi_sim *, double *tau, bi_report *);

/* Computed torque: actions so that each imposed coordinate q obeys q'' = f'' + kv (f' - q') + kp (f - q); Runge-Kutta
 * order four, Baumgarte constraints. The actions at t become inputs. */
bi_status bi_feedback_step_to(bi_sim *, double t, double kp, double kv);

/* Moves coordinates away from where the sim stands: imposed and held coordinates get `by` added, the others follow from
 * the constraints; rates of imposed coordinates are those of the imposed motion. */
typedef struct {
    const char *coordinate; /* "th32.angle" */
    double by;
} bi_offset;
bi_status bi_imposed_offset(bi_sim *, const bi_offset *, int count, bi_report *);

/* ---- rows that can only push --------------------------------------------------------------------------------------- */
/* Rolling wheels: the constraint would also pull. Force on the wheel along the plane's normal; negative: it pulls. */
int bi_touch_count(const bi_system *);
const char *bi_touch_name(const bi_system *, int k);
double bi_sim_touch(bi_sim *, int k); /* N */
BI_END
