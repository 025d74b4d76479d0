// SPDX-License-Identifier: MIT
// Spring and damper on a joint coordinate (laws.1).
#include "laws/force/characteristic.h"
#include "laws/force/force.h"
#include <stddef.h>

typedef struct {
    int at, block, element;
    double rest;
    characteristic law;
} torsion;

static void torsion_compile(plan *p, int element, const void *def, void *item)
{
    const bi_torsion_spring_def *d = def;
    int m = plan_joint(p, d->joint.joint.i - 1, d->joint.index);
    torsion *out = item;
    *out =
        (torsion){ .at = plan_dof(p, m), .block = plan_block(p, &m, 1), .element = element, .rest = d->rest };
    out->law = (characteristic){ d->stiffness,
                                 d->damping,
                                 d->preload,
                                 model_table(p->model, d->table),
                                 model_table(p->model, d->damping_table),
                                 PULLS_AND_PUSHES };
}

static characteristic_state torsion_state(const torsion *s, const motion *at)
{
    return characteristic_at(&s->law, at->value[s->at] - s->rest, at->rate[s->at]);
}

static void torsion_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const torsion *item = items;
    for (int k = 0; k < count; k++) {
        const torsion *s = &item[k];
        characteristic_state now = torsion_state(s, in->at);
        out->load->effort[s->at] -= now.force;
        out->load->scalar[s->element] = -now.force;
        out->load->K[s->block] = now.by_longer;
        out->load->C[s->block] = now.by_rate;
    }
}

static void torsion_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const torsion *item = items;
    for (int k = 0; k < count; k++) {
        characteristic_state now = torsion_state(&item[k], in->at);
        out->potential += now.potential;
        out->power += now.work;
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_COORDINATE, offsetof(bi_torsion_spring_def, joint), NULL, BI_REQUIRED,
      "joint it acts on" },
    { "stiffness", BI_FIELD_NUMBER, offsetof(bi_torsion_spring_def, stiffness), NULL, BI_NOT_NEGATIVE,
      "N m/rad, or N/m on a sliding joint" },
    { "damping", BI_FIELD_NUMBER, offsetof(bi_torsion_spring_def, damping), NULL, BI_NOT_NEGATIVE,
      "N m s/rad, or N s/m" },
    { "rest", BI_FIELD_NUMBER, offsetof(bi_torsion_spring_def, rest), NULL, 0,
      "coordinate without elastic force" },
    { "preload", BI_FIELD_NUMBER, offsetof(bi_torsion_spring_def, preload), NULL, 0,
      "N m or N against positive motion at rest" },
    { "table", BI_FIELD_TABLE, offsetof(bi_torsion_spring_def, table), NULL, 0,
      "N m or N against coordinate less rest, instead of stiffness" },
    { "damping_table", BI_FIELD_TABLE, offsetof(bi_torsion_spring_def, damping_table), NULL, 0,
      "N m or N against rate, instead of damping" },
};
static const bi_kind schema = {
    "forces", "torsion-spring", sizeof(bi_torsion_spring_def), fields, 7, "spring and damper on a joint"
};
const law_kind torsion_spring_kind = {
    &schema, sizeof(torsion), torsion_compile, torsion_eval, NULL, torsion_energy, NULL
};
