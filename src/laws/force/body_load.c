// SPDX-License-Identifier: MIT
// Force on a point and moment on a body by expressions, along ground or body axes (laws.7).
#include "laws/force/force.h"
#include <stddef.h>
#include <string.h>

enum { MOST_PARTIALS = 8 }; // per component; further ones are left out of the tangent, not of the force

typedef struct {
    int signal; // -1: zero
    int partial, count;
    int column[MOST_PARTIALS];
    bool is_rate[MOST_PARTIALS];
} component;

typedef struct {
    int at;    // first of the three efforts
    int first; // their row in the block
    int frame; // index of the axes; -1: ground axes
    int block, width, element;
    int rate; // dof whose rates do work with it
    component part[3];
} body_load;

// Block over the marker and the joint coordinates that the expressions read.
static void plan_components(plan *p, int marker, const bi_expr *expression, body_load *out)
{
    int list[1 + 3 * MOST_PARTIALS] = { marker }, n = 1, own = marker_width(p->marker[marker].kind);
    for (int c = 0; c < 3; c++) {
        component *part = &out->part[c];
        signal_use use = plan_signal(p, expression[c]);
        *part = (component){ .signal = expression[c].i - 1,
                             .partial = use.first,
                             .count = use.count < MOST_PARTIALS ? use.count : MOST_PARTIALS };
        for (int k = 0; k < part->count; k++) {
            const signal_partial *s = &p->partial[use.first + k];
            int place = 1;
            while (place < n && list[place] != s->marker) {
                place++;
            }
            if (place == n) {
                list[n++] = s->marker;
            }
            part->column[k] = own + place - 1;
            part->is_rate[k] = s->is_rate;
        }
    }
    out->width = own + n - 1;
    out->block = plan_block(p, list, n);
}

static void force_compile(plan *p, int element, const void *def, void *item)
{
    const bi_force_def *d = def;
    const bi_expr expression[3] = { d->fx, d->fy, d->fz };
    int m = d->axes == 2 ? plan_frame(p, d->point.body.i - 1, d->point.at)
                         : plan_point(p, d->point.body.i - 1, d->point.at);
    body_load *out = item;
    *out = (body_load){ .at = plan_dof(p, m),
                        .frame = d->axes == 2 ? p->marker[m].frame : -1,
                        .element = element,
                        .rate = plan_dof(p, m) };
    plan_components(p, m, expression, out);
}

static void moment_compile(plan *p, int element, const void *def, void *item)
{
    const bi_body_torque_def *d = def;
    const bi_expr expression[3] = { d->mx, d->my, d->mz };
    int m = plan_frame(p, d->body.i - 1, (vec3){ 0, 0, 0 });
    body_load *out = item;
    *out = (body_load){ .at = plan_dof(p, m) + 3,
                        .first = 3,
                        .frame = d->axes == 2 ? p->marker[m].frame : -1,
                        .element = element,
                        .rate = plan_dof(p, m) + 3 };
    plan_components(p, m, expression, out);
}

static vec3 load_value(const body_load *b, const law_in *in)
{
    double f[3];
    for (int c = 0; c < 3; c++) {
        f[c] = b->part[c].signal >= 0 ? in->u->signal[b->part[c].signal].v : 0.0;
    }
    vec3 local = { f[0], f[1], f[2] };
    return b->frame >= 0 ? mat3_apply(in->at->axes[b->frame], local) : local;
}

static void load_tangent(const body_load *b, const law_in *in, vec3 force, load *out)
{
    double *K = &out->K[b->block], *C = &out->C[b->block];
    size_t size = (size_t)(b->width * b->width) * sizeof *K;
    memset(K, 0, size);
    memset(C, 0, size);
    const mat3 axes = b->frame >= 0 ? in->at->axes[b->frame] : mat3_identity();
    for (int c = 0; c < 3; c++) {
        const component *part = &b->part[c];
        const double along[3] = { axes.col[c].x, axes.col[c].y, axes.col[c].z };
        for (int k = 0; k < part->count; k++) {
            double slope = in->u->partial[part->partial + k];
            for (int i = 0; i < 3; i++) {
                (part->is_rate[k] ? C : K)[(b->first + i) * b->width + part->column[k]] -= along[i] * slope;
            }
        }
    }
    if (b->frame >= 0) {
        // axes that turn by dphi turn the force by dphi x f: minus that is f x dphi
        const mat3 turn = mat3_cross(force);
        for (int j = 0; j < 3; j++) {
            const double column[3] = { turn.col[j].x, turn.col[j].y, turn.col[j].z };
            for (int i = 0; i < 3; i++) {
                K[(b->first + i) * b->width + 3 + j] += column[i];
            }
        }
    }
}

static void load_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const body_load *item = items;
    for (int k = 0; k < count; k++) {
        const body_load *b = &item[k];
        vec3 force = load_value(b, in);
        tray_add(&out->load->effort[b->at], force);
        out->load->scalar[b->element] = vec3_norm(force);
        if (in->want & LAW_TANGENT) {
            load_tangent(b, in, force, out->load);
        }
    }
}

static void load_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const body_load *item = items;
    for (int k = 0; k < count; k++) {
        out->power += vec3_dot(load_value(&item[k], in), tray_vec3(&in->at->rate[item[k].rate]));
    }
}

static const bi_field force_fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_force_def, point), "m", BI_REQUIRED, "where it acts" },
    { "fx", BI_FIELD_EXPR, offsetof(bi_force_def, fx), "N", 0, "component, an expression (default 0)" },
    { "fy", BI_FIELD_EXPR, offsetof(bi_force_def, fy), "N", 0, "component, an expression (default 0)" },
    { "fz", BI_FIELD_EXPR, offsetof(bi_force_def, fz), "N", 0, "component, an expression (default 0)" },
    { "axes", BI_FIELD_CHOICE, offsetof(bi_force_def, axes), "ground,body", BI_GROUND_AXES,
      "axes of the components (default ground axes)" },
};
static const bi_kind force_schema = { "forces",     "force", sizeof(bi_force_def),
                                      force_fields, 5,       "force on a point by expressions" };
const law_kind force_kind = { &force_schema, sizeof(body_load), force_compile, load_eval,
                              NULL,          load_energy,       NULL };

static const bi_field moment_fields[] = {
    { "body", BI_FIELD_BODY, offsetof(bi_body_torque_def, body), NULL, BI_REQUIRED, "body it acts on" },
    { "mx", BI_FIELD_EXPR, offsetof(bi_body_torque_def, mx), "N*m", 0,
      "component, an expression (default 0)" },
    { "my", BI_FIELD_EXPR, offsetof(bi_body_torque_def, my), "N*m", 0,
      "component, an expression (default 0)" },
    { "mz", BI_FIELD_EXPR, offsetof(bi_body_torque_def, mz), "N*m", 0,
      "component, an expression (default 0)" },
    { "axes", BI_FIELD_CHOICE, offsetof(bi_body_torque_def, axes), "ground,body", BI_GROUND_AXES,
      "axes of the components (default ground axes)" },
};
static const bi_kind moment_schema = { "forces",
                                       "torque-on-body",
                                       sizeof(bi_body_torque_def),
                                       moment_fields,
                                       5,
                                       "moment on a body by expressions" };
const law_kind body_torque_kind = {
    &moment_schema, sizeof(body_load), moment_compile, load_eval, NULL, load_energy, NULL
};
