// SPDX-License-Identifier: MIT
// Spring and damper along the line between two points (force.1 .. force.3, laws.1).
#include "laws/force/characteristic.h"
#include "laws/force/force.h"
#include <stddef.h>

typedef struct {
    int a, b, block, element;
    double rest;
    characteristic law;
} spring;

static void spring_compile(plan *p, int element, const void *def, void *item)
{
    const bi_spring_def *d = def;
    int m[2] = { plan_point(p, d->a.body.i - 1, d->a.at), plan_point(p, d->b.body.i - 1, d->b.at) };
    spring *out = item;
    *out = (spring){ .a = plan_dof(p, m[0]),
                     .b = plan_dof(p, m[1]),
                     .block = plan_block(p, m, 2),
                     .element = element,
                     .rest = d->rest };
    out->law = (characteristic){ d->stiffness,
                                 d->damping,
                                 d->preload,
                                 model_table(p->model, d->table),
                                 model_table(p->model, d->damping_table),
                                 (characteristic_side)(d->only > 1 ? d->only - 1 : 0) };
}

typedef struct {
    vec3 along, apart_rate; // unit vector from a to b; velocity of b against a
    double length, rate, tension;
    characteristic_state law;
} stretch;

static stretch spring_state(const spring *s, const motion *at)
{
    stretch out;
    vec3 d = vec3_sub(tray_vec3(&at->value[s->b]), tray_vec3(&at->value[s->a]));
    out.apart_rate = vec3_sub(tray_vec3(&at->rate[s->b]), tray_vec3(&at->rate[s->a]));
    out.length = vec3_norm(d);
    // points that meet have no direction: no force then
    out.along = vec3_normalized(d);
    out.rate = vec3_dot(out.along, out.apart_rate);
    out.law = characteristic_at(&s->law, out.length - s->rest, out.rate);
    out.tension = out.law.force;
    return out;
}

// A 3x3 block on (a,a) and (b,b), minus it on (a,b) and (b,a) of a 6x6.
static void pair_block(mat3 A, double *K)
{
    for (int j = 0; j < 3; j++) {
        const double column[3] = { A.col[j].x, A.col[j].y, A.col[j].z };
        for (int i = 0; i < 3; i++) {
            K[6 * i + j] = K[6 * (i + 3) + j + 3] = column[i];
            K[6 * i + j + 3] = K[6 * (i + 3) + j] = -column[i];
        }
    }
}

static void spring_tangent(const spring *s, const stretch *now, load *out)
{
    vec3 e = now->along;
    mat3 along = mat3_outer(e, e);
    mat3 across = mat3_add(mat3_identity(), mat3_scale(-1.0, along));
    double inverse = now->length > 0.0 ? 1.0 / now->length : 0.0;
    // d(tension e)/dd: stiffness along, tension across, and the turning of the line under the damper (force.3)
    vec3 slope = vec3_scale(now->law.by_rate * inverse, mat3_apply(across, now->apart_rate));
    mat3 A = mat3_add(mat3_scale(now->law.by_longer, along), mat3_scale(now->tension * inverse, across));
    pair_block(mat3_add(A, mat3_outer(e, slope)), &out->K[s->block]);
    pair_block(mat3_scale(now->law.by_rate, along), &out->C[s->block]);
}

static void spring_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const spring *item = items;
    for (int k = 0; k < count; k++) {
        const spring *s = &item[k];
        stretch now = spring_state(s, in->at);
        vec3 pull = vec3_scale(now.tension, now.along);
        tray_add(&out->load->effort[s->a], pull);
        tray_add(&out->load->effort[s->b], vec3_neg(pull));
        out->load->scalar[s->element] = now.tension;
        if (in->want & LAW_TANGENT) {
            spring_tangent(s, &now, out->load);
        }
    }
}

static void spring_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const spring *item = items;
    for (int k = 0; k < count; k++) {
        stretch now = spring_state(&item[k], in->at);
        out->potential += now.law.potential;
        out->power += now.law.work;
    }
}

static const bi_field fields[] = {
    { "a", BI_FIELD_POINT, offsetof(bi_spring_def, a), "m", BI_REQUIRED, "one end" },
    { "b", BI_FIELD_POINT, offsetof(bi_spring_def, b), "m", BI_REQUIRED, "the other end" },
    { "stiffness", BI_FIELD_NUMBER, offsetof(bi_spring_def, stiffness), "N/m", BI_NOT_NEGATIVE, "stiffness" },
    { "damping", BI_FIELD_NUMBER, offsetof(bi_spring_def, damping), "N*s/m", BI_NOT_NEGATIVE, "damping" },
    { "rest", BI_FIELD_NUMBER, offsetof(bi_spring_def, rest), "m", BI_NOT_NEGATIVE, "length without force" },
    { "preload", BI_FIELD_NUMBER, offsetof(bi_spring_def, preload), "N", 0, "tension at the rest length" },
    { "table", BI_FIELD_TABLE, offsetof(bi_spring_def, table), NULL, 0,
      "tension N against elongation m, instead of stiffness" },
    { "damping_table", BI_FIELD_TABLE, offsetof(bi_spring_def, damping_table), NULL, 0,
      "tension N against rate m/s, instead of damping" },
    { "only", BI_FIELD_CHOICE, offsetof(bi_spring_def, only), "both,tension,compression", 0,
      "a rope pulls only, a buffer pushes only (default both)" },
};
static const bi_kind schema = { "forces", "spring", sizeof(bi_spring_def),
                                fields,   9,        "spring and damper between two points" };
const law_kind spring_kind = {
    &schema, sizeof(spring), spring_compile, spring_eval, NULL, spring_energy, NULL
};
