// SPDX-License-Identifier: MIT
// What is wrong with an output.
#include "math/vec3.h"
#include "model/model.h"
#include <biela/flex.h>
#include <math.h>
#include <string.h>

static bool is_body(const bi_model *m, bi_body b) { return b.i >= 1 && b.i <= m->n_body; }

static const char *wheels_mistake(const bi_model *m, const bi_output_def *d)
{
    for (int k = 0; k < 8; k++) {
        int e = d->wheels[k].i;
        if (e != 0 ? !model_has_element(m, d->wheels[k]) : k < 4) {
            return "needs four forces of this model, the loads of its wheels";
        }
    }
    return NULL;
}

// What no kind of output can use.
static const char *value_mistake(const bi_model *m, const bi_output_def *d)
{
    bool is_finite = vec3_is_finite(d->at) && vec3_is_finite(d->about.at) && vec3_is_finite(d->along);
    is_finite = is_finite && isfinite(d->noise) && isfinite(d->cutoff) && isfinite(d->seed) &&
                isfinite(d->low) && isfinite(d->high) && isfinite(d->resolution);
    return !is_finite || !isfinite(d->times)           ? "is not finite"
           : d->expr.i < 0 || d->expr.i > m->n_expr    ? "needs an expression of this model"
           : (unsigned)d->frame > (unsigned)BI_FRAME_B ? "has no such axes"
                                                       : NULL;
}

// The bodies of a centre of mass: one, several, or all.
static const char *com_mistake(const bi_model *m, const bi_output_def *d)
{
    double mass = 0.0;
    if (d->n_body == 0 && d->body.i != 0 && !is_body(m, d->body)) {
        return "needs bodies of this model";
    }
    for (int k = 0; k < d->n_body; k++) {
        if (!is_body(m, d->bodies[k])) {
            return "needs bodies of this model";
        }
        for (int i = 0; i < k; i++) {
            if (d->bodies[i].i == d->bodies[k].i) {
                return "names a body twice";
            }
        }
        mass += model_body_mass(m, d->bodies[k].i - 1);
    }
    for (int b = 1; d->n_body == 0 && b < m->n_body; b++) {
        mass += d->body.i == 0 || d->body.i - 1 == b ? model_body_mass(m, b) : 0.0;
    }
    return mass > 0.0 ? NULL : "needs bodies that have a mass: without one there is no centre of it";
}

// Amplitudes of a recovery are the section forces of so many beams, one behind the other.
static const char *beams_mistake(const bi_model *m, const bi_output_def *d)
{
    int n_mode = d->recovery ? d->recovery->n_mode : 0;
    bool is_good = is_body(m, d->body) && d->beam.i >= 1 && d->n_beam <= m->n_element - (d->beam.i - 1) &&
                   (d->recovery && d->recovery->start ? n_mode == 12 : n_mode == 12 * d->n_beam);
    for (int k = 0; is_good && d->recovery->start && k < d->recovery->n_point; k++) {
        is_good = d->recovery->start[k] >= 0 && d->recovery->start[k] <= 12 * (d->n_beam - 1);
    }
    for (int k = 0; is_good && k < d->n_beam; k++) {
        const bi_kind *kind = m->element[d->beam.i - 1 + k].kind;
        is_good = strcmp(kind->section, "forces") == 0 && strcmp(kind->type, "beam") == 0;
    }
    return is_good ? NULL
                   : "needs beams of this model, one behind the other, and rows for their section forces";
}

static const char *kind_mistake(const bi_model *m, const bi_output_def *d)
{
    bool has_joint = d->joint.i >= 1 && d->joint.i <= m->n_joint;
    switch (d->kind) {
    case BI_OUT_RELATIVE:
        return !is_body(m, d->about.body) ? "needs a second body of this model"
               : is_body(m, d->body)      ? NULL
                                          : "needs a body of this model";
    case BI_OUT_ACCELEROMETER:
    case BI_OUT_GYRO:
    case BI_OUT_ATTITUDE:
    case BI_OUT_ROTATION:
    case BI_OUT_VELOCITY:
    case BI_OUT_POINT:
    case BI_OUT_BODY: return is_body(m, d->body) ? NULL : "needs a body of this model";
    case BI_OUT_VECTOR:
        return !is_body(m, d->body)         ? "needs a body of this model"
               : vec3_norm(d->along) == 0.0 ? "is zero: give a direction such as [0, 0, 1]"
                                            : NULL;
    case BI_OUT_COM: return com_mistake(m, d);
    case BI_OUT_JOINT:
        return !has_joint ? "needs a joint of this model"
               : model_coordinate_count(m->joint[d->joint.i - 1].def.kind) == 0
                   ? "needs a joint that has a coordinate"
                   : NULL;
    case BI_OUT_REACTION:
        if (d->about.body.i != 0 && !is_body(m, d->about.body)) {
            return "needs a body of this model for the point of its moment";
        }
        return has_joint ? NULL : "needs a joint of this model";
    case BI_OUT_EXPR: return d->expr.i >= 1 && d->expr.i <= m->n_expr ? NULL : "needs an expression";
    case BI_OUT_POWER:
    case BI_OUT_EFFORT:
    case BI_OUT_CONTACT:
    case BI_OUT_MULTIPLIER:
    case BI_OUT_TYRE:
        return model_has_element(m, d->element) ? NULL : "needs a force or constraint of this model";
    case BI_OUT_CONTACT_ANGLE:
    case BI_OUT_CONTACT_ANGLE_RATE:
    case BI_OUT_CONTACT_ANGLE_ACCELERATION:
        return model_has_element(m, d->element) &&
                       strcmp(m->element[d->element.i - 1].kind->section, "constraints") == 0
                   ? NULL
                   : "needs a constraint of this model";
    case BI_OUT_ACCELERATION:
        return has_joint && d->row >= 1 && d->row <= model_coordinate_count(m->joint[d->joint.i - 1].def.kind)
                   ? NULL
                   : "needs a coordinate of a joint of this model";
    case BI_OUT_STABILITY: return wheels_mistake(m, d);
    case BI_OUT_VIOLATION: return d->row >= 1 && d->row <= 2 ? NULL : "needs a kind of violation";
    case BI_OUT_ENERGY: return d->row >= 1 && d->row <= 4 ? NULL : "needs a kind of energy";
    case BI_OUT_CHANNEL:
        return !d->only                                        ? "needs the name of another channel"
               : !(d->noise >= 0.0) || !(d->resolution >= 0.0) ? "has a noise or resolution below zero"
               : !(d->cutoff >= 0.0)                           ? "has a cutoff below zero"
               : d->order < 0 || d->order > 2 ? "has a low pass of an order other than 1 or 2"
               : d->low > d->high             ? "has a range whose end is below its start"
                                              : NULL;
    case BI_OUT_RECOVERY:
        if (d->n_beam > 0) {
            return beams_mistake(m, d);
        }
        return is_body(m, d->body) && d->recovery && m->body[d->body.i - 1].def.flex &&
                       m->body[d->body.i - 1].def.flex->n_mode == d->recovery->n_mode
                   ? NULL
                   : "needs a flexible body of this model, and rows for its modes";
    }
    return "has no kind";
}

const char *model_output_mistake(const bi_model *m, const bi_output_def *d)
{
    const char *what = value_mistake(m, d);
    return what ? what : kind_mistake(m, d);
}
