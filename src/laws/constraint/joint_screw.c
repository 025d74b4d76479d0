// SPDX-License-Identifier: MIT
// Rows of planar and screw joints. `compile` receives a joint_request in place of a definition.
#include "laws/constraint/constraint.h"
#include "laws/constraint/rows.h"

typedef struct {
    int a, b, normal;
    row_handle at;
} plane_row;

typedef struct {
    int angle, position;
    double slope, constant; // m/rad, m
    row_handle at;
} screw_row;

// A row that carries the joint's reaction.
static row_handle own_row(plan *p, int joint, const int *markers, int n)
{
    const model_joint *j = &p->model->joint[joint];
    return plan_rows(p, &(row_owner){ j->def.name, j->place, false, joint, -1 }, 1, markers, n);
}

// ---- planar joint: w . (p_b - p_a) = 0 (constraints.9) --------------------------------------------------------------------

static void plane_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const joint_request *request = def;
    const bi_joint_def *d = &p->model->joint[request->joint].def;
    model_joint_frame f = model_joint_frames(p->model, request->joint);
    int m[3] = { plan_point(p, d->a.i - 1, f.at_a), plan_point(p, d->b.i - 1, f.at_b),
                 plan_vector_at(p, d->a.i - 1, f.at_a, f.axis_a) };
    plane_row *out = item;
    *out = (plane_row){ .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .normal = plan_dof(p, m[2]) };
    out->at = own_row(p, request->joint, m, 3);
}

static void plane_rows(const void *items, int count, const law_in *in, rows *out)
{
    const plane_row *item = items;
    for (int k = 0; k < count; k++) {
        row_across(in, item[k].a, item[k].b, item[k].normal, (jet){ 0 }, item[k].at, out);
    }
}

// ---- screw: s - s_0 - pitch (phi - phi_0) / 2 pi = 0 (constraints.10) --------------------------------------------------------

static void screw_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const joint_request *request = def;
    int j = request->joint, m[2] = { plan_joint(p, j, 0), plan_joint(p, j, 1) };
    double slope = p->model->joint[j].def.pitch / 6.283185307179586;
    screw_row *out = item;
    *out = (screw_row){ .angle = plan_dof(p, m[0]), .position = plan_dof(p, m[1]), .slope = slope };
    out->constant =
        model_described_coordinate(p->model, j, 1) - slope * model_described_coordinate(p->model, j, 0);
    out->at = own_row(p, j, m, 2);
}

static void screw_rows(const void *items, int count, const law_in *in, rows *out)
{
    const screw_row *item = items;
    for (int k = 0; k < count; k++) {
        const screw_row *r = &item[k];
        if (in->want & LAW_POSITION) {
            out->phi[r->at.row] =
                in->at->value[r->position] - r->slope * in->at->value[r->angle] - r->constant;
            out->gradient[r->at.gradient] = -r->slope;
            out->gradient[r->at.gradient + 1] = 1.0;
        }
        if (in->want & LAW_SECOND) {
            out->gamma[r->at.row] = 0.0;
        }
    }
}

const law_kind joint_plane_kind = { .item = sizeof(plane_row), .compile = plane_compile, .rows = plane_rows };
const law_kind joint_screw_kind = { .item = sizeof(screw_row), .compile = screw_compile, .rows = screw_rows };
