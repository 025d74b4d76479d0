// SPDX-License-Identifier: MIT
// Resistance of the air on a point (laws.8).
#include "laws/force/force.h"
#include <stddef.h>
#include <string.h>

typedef struct {
    int at, block, element;
    double square, linear; // N per (m/s)^2, N per m/s
    vec3 wind;
} drag;

static void drag_compile(plan *p, int element, const void *def, void *item)
{
    const bi_drag_def *d = def;
    int m = plan_point(p, d->point.body.i - 1, d->point.at);
    double density = d->density > 0.0 ? d->density : 1.225;
    *(drag *)item = (drag){ plan_dof(p, m), plan_block(p, &m, 1),
                            element,        0.5 * density * d->coefficient * d->area,
                            d->linear,      d->wind };
}

static vec3 drag_force(const drag *d, const motion *at, vec3 *through, double *speed)
{
    *through = vec3_sub(tray_vec3(&at->rate[d->at]), d->wind);
    *speed = vec3_norm(*through);
    return vec3_scale(-(d->square * *speed + d->linear), *through);
}

static void drag_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const drag *item = items;
    for (int k = 0; k < count; k++) {
        const drag *d = &item[k];
        vec3 v;
        double speed;
        vec3 force = drag_force(d, in->at, &v, &speed);
        tray_add(&out->load->effort[d->at], force);
        out->load->scalar[d->element] = vec3_norm(force);
        if (in->want & LAW_TANGENT) {
            double *K = &out->load->K[d->block], *C = &out->load->C[d->block];
            const double u[3] = { v.x, v.y, v.z };
            memset(K, 0, 9 * sizeof *K);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    double along = speed > 0.0 ? d->square * u[i] * u[j] / speed : 0.0;
                    C[3 * i + j] = along + (i == j ? d->square * speed + d->linear : 0.0);
                }
            }
        }
    }
}

static void drag_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const drag *item = items;
    for (int k = 0; k < count; k++) {
        vec3 v;
        double speed;
        vec3 force = drag_force(&item[k], in->at, &v, &speed);
        out->power += vec3_dot(force, tray_vec3(&in->at->rate[item[k].at]));
    }
}

static const bi_field fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_drag_def, point), "m", BI_REQUIRED, "where it acts" },
    { "area", BI_FIELD_NUMBER, offsetof(bi_drag_def, area), "m^2", BI_NOT_NEGATIVE, "frontal area" },
    { "coefficient", BI_FIELD_NUMBER, offsetof(bi_drag_def, coefficient), "1", BI_NOT_NEGATIVE,
      "drag coefficient of that area" },
    { "density", BI_FIELD_NUMBER, offsetof(bi_drag_def, density), "kg/m^3",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "of the air (default 1.225 kg/m3)" },
    { "linear", BI_FIELD_NUMBER, offsetof(bi_drag_def, linear), "N*s/m", BI_NOT_NEGATIVE,
      "part proportional to the speed" },
    { "wind", BI_FIELD_VEC3, offsetof(bi_drag_def, wind), "m/s", BI_GROUND_AXES,
      "velocity of the air, ground axes" },
};
static const bi_kind schema = { "forces", "drag", sizeof(bi_drag_def),
                                fields,   6,      "resistance of the air on a point" };
const law_kind drag_kind = { &schema, sizeof(drag), drag_compile, drag_eval, NULL, drag_energy, NULL };
