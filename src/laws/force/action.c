// SPDX-License-Identifier: MIT
// Actions: an input, and samples over time, as a force or moment in body axes or as the effort of a joint (inverse.5).
#include "laws/force/force.h"
#include <biela/inverse.h>
#include <stddef.h>

typedef struct {
    int element, input;
    int dof, axes, block; // of the frame marker, or of the joint's
    vec3 axis;            // body axes
    const model_samples *samples;
} action;

static action action_begin(const plan *p, int element)
{
    const model_element *e = &p->model->element[element];
    return (action){ .element = element,
                     .input = bi_model_input(p->model, e->name).i - 1,
                     .samples = &e->samples };
}

static vec3 unit_axis(vec3 axis)
{
    return vec3_norm(axis) > 0.0 ? vec3_normalized(axis) : (vec3){ 1.0, 0.0, 0.0 };
}

static void force_compile(plan *p, int element, const void *def, void *item)
{
    const bi_force_action_def *d = def;
    int m = plan_frame(p, d->point.body.i - 1, d->point.at);
    action *out = item;
    *out = action_begin(p, element);
    out->dof = plan_dof(p, m);
    out->axes = p->marker[m].frame;
    out->axis = unit_axis(d->axis);
    out->block = plan_block(p, &m, 1);
}

static void moment_compile(plan *p, int element, const void *def, void *item)
{
    const bi_moment_action_def *d = def;
    force_compile(p, element, &(bi_force_action_def){ d->name, { d->body, { 0, 0, 0 } }, d->axis }, item);
}

static void effort_compile(plan *p, int element, const void *def, void *item)
{
    const bi_effort_action_def *d = def;
    action *out = item;
    *out = action_begin(p, element);
    out->dof = plan_dof(p, plan_joint_choice(p, element, d->joint, d->coordinate));
}

static double action_value(const action *a, const signals *u)
{
    double value = a->input >= 0 ? u->input[a->input] : 0.0;
    return a->samples->count > 0 ? value + model_samples_at(a->samples, u->t) : value;
}

// A vector that turns with the body: its change is turn x f, so K = cross(f) in rows `row` and the columns of rotation.
static void follower_block(vec3 f, int row, double *K, double *C)
{
    mat3 cross = mat3_cross(f);
    for (int i = 0; i < 36; i++) {
        K[i] = C[i] = 0.0;
    }
    for (int j = 0; j < 3; j++) {
        K[6 * row + 3 + j] = cross.col[j].x;
        K[6 * (row + 1) + 3 + j] = cross.col[j].y;
        K[6 * (row + 2) + 3 + j] = cross.col[j].z;
    }
}

// The first three numbers of a frame take forces, the last three moments.
static void eval_on_frame(const action *a, int row, const law_in *in, law_out *out)
{
    double value = action_value(a, in->u);
    vec3 f = vec3_scale(value, mat3_apply(in->at->axes[a->axes], a->axis));
    tray_add(&out->load->effort[a->dof + row], f);
    out->load->scalar[a->element] = value;
    if (in->want & LAW_TANGENT) {
        follower_block(f, row, &out->load->K[a->block], &out->load->C[a->block]);
    }
}

static double power_on_frame(const action *a, int row, const law_in *in)
{
    vec3 along = mat3_apply(in->at->axes[a->axes], a->axis);
    return action_value(a, in->u) * vec3_dot(along, tray_vec3(&in->at->rate[a->dof + row]));
}

static void force_eval(const void *items, int count, const law_in *in, law_out *out)
{
    for (int k = 0; k < count; k++) {
        eval_on_frame((const action *)items + k, 0, in, out);
    }
}

static void moment_eval(const void *items, int count, const law_in *in, law_out *out)
{
    for (int k = 0; k < count; k++) {
        eval_on_frame((const action *)items + k, 3, in, out);
    }
}

static void effort_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const action *item = items;
    for (int k = 0; k < count; k++) {
        double value = action_value(&item[k], in->u);
        out->load->effort[item[k].dof] += value;
        out->load->scalar[item[k].element] = value;
    }
}

static void force_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    for (int k = 0; k < count; k++) {
        out->power += power_on_frame((const action *)items + k, 0, in);
    }
}

static void moment_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    for (int k = 0; k < count; k++) {
        out->power += power_on_frame((const action *)items + k, 3, in);
    }
}

static void effort_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const action *item = items;
    for (int k = 0; k < count; k++) {
        out->power += action_value(&item[k], in->u) * in->at->rate[item[k].dof];
    }
}

static const bi_field force_fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_force_action_def, point), NULL, BI_REQUIRED,
      "where it acts: {body: rod, at: [0, 0, 0]}" },
    { "axis", BI_FIELD_VEC3, offsetof(bi_force_action_def, axis), NULL, BI_DIRECTION,
      "direction in body axes (default x)" },
};
static const bi_field moment_fields[] = {
    { "body", BI_FIELD_BODY, offsetof(bi_moment_action_def, body), NULL, BI_REQUIRED, "the body it turns" },
    { "axis", BI_FIELD_VEC3, offsetof(bi_moment_action_def, axis), NULL, BI_DIRECTION,
      "axis in body axes (default x)" },
};
static const bi_field effort_fields[] = {
    { "joint", BI_FIELD_JOINT, offsetof(bi_effort_action_def, joint), NULL, BI_REQUIRED,
      "joint that it drives" },
    { "coordinate", BI_FIELD_CHOICE, offsetof(bi_effort_action_def, coordinate), COORDINATE_WORDS, 0,
      "which one of a joint that has several (default: the first)" },
};
static const bi_kind force_schema = { "actions",    "force", sizeof(bi_force_action_def),
                                      force_fields, 2,       "a force along an axis of a body" };
static const bi_kind moment_schema = { "actions",     "moment", sizeof(bi_moment_action_def),
                                       moment_fields, 2,        "a moment about an axis of a body" };
static const bi_kind effort_schema = { "actions",     "effort", sizeof(bi_effort_action_def),
                                       effort_fields, 2,        "torque or force on a joint" };
const law_kind force_action_kind = { &force_schema, sizeof(action), force_compile, force_eval,
                                     NULL,          force_energy,   NULL };
const law_kind moment_action_kind = {
    &moment_schema, sizeof(action), moment_compile, moment_eval, NULL, moment_energy, NULL
};
const law_kind effort_action_kind = {
    &effort_schema, sizeof(action), effort_compile, effort_eval, NULL, effort_energy, NULL
};

bi_element bi_add_force_action(bi_model *m, const bi_force_action_def *def)
{
    return bi_add(m, &force_schema, def);
}

bi_element bi_add_moment_action(bi_model *m, const bi_moment_action_def *def)
{
    return bi_add(m, &moment_schema, def);
}

bi_element bi_add_effort_action(bi_model *m, const bi_effort_action_def *def)
{
    return bi_add(m, &effort_schema, def);
}
