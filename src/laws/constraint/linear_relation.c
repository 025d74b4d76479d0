// SPDX-License-Identifier: MIT
// Linear relations between joint coordinates: gear, rack, coupling. sum k_i c_i - constant = 0 (constraints.11).
#include "laws/constraint/constraint.h"
#include <stddef.h>

typedef struct {
    int count;
    int coordinate[BI_TERMS]; // in the trays
    double coefficient[BI_TERMS];
    double constant;
    row_handle at;
} linear;

// The constant is that of the described configuration, plus the offset.
static void linear_compile(plan *p, int element, const bi_term *term, int n_term, double offset, linear *out)
{
    const model_element *e = &p->model->element[element];
    int markers[BI_TERMS];
    *out = (linear){ .constant = offset };
    for (int k = 0; k < n_term; k++) {
        bi_joint_coordinate c = term[k].coordinate;
        if (c.joint.i == 0) {
            continue;
        }
        for (int i = 0; i < k; i++) {
            if (term[i].coordinate.joint.i == c.joint.i && term[i].coordinate.index == c.index) {
                plan_complain(p, element, "", "names joint %s twice: use two different coordinates",
                              p->model->joint[c.joint.i - 1].def.name);
            }
        }
        markers[out->count] = plan_joint(p, c.joint.i - 1, c.index);
        out->coordinate[out->count] = plan_dof(p, markers[out->count]);
        out->coefficient[out->count++] = term[k].coefficient;
        out->constant += term[k].coefficient * model_described_coordinate(p->model, c.joint.i - 1, c.index);
    }
    row_owner owner = { e->name, e->place, false, -1, element };
    out->at = plan_rows(p, &owner, 1, markers, out->count);
}

static void linear_rows(const void *items, int count, const law_in *in, rows *out)
{
    const linear *item = items;
    for (int k = 0; k < count; k++) {
        const linear *l = &item[k];
        if (in->want & LAW_POSITION) {
            double sum = -l->constant;
            for (int i = 0; i < l->count; i++) {
                sum += l->coefficient[i] * in->at->value[l->coordinate[i]];
                out->gradient[l->at.gradient + i] = l->coefficient[i];
            }
            out->phi[l->at.row] = sum;
        }
        if (in->want & LAW_SECOND) {
            out->gamma[l->at.row] = 0.0;
        }
    }
}

// ---- gear: b - ratio a ------------------------------------------------------------------------------------------

static void gear_compile(plan *p, int element, const void *def, void *item)
{
    const bi_gear_def *d = def;
    const bi_term term[2] = { { d->a, -d->ratio }, { d->b, 1.0 } };
    if (d->ratio == 0.0) {
        plan_complain(p, element, "ratio", "must not be zero: it says how far b moves when a moves by one");
    }
    linear_compile(p, element, term, 2, d->offset, item);
}

static const bi_field gear_fields[] = {
    { "a", BI_FIELD_COORDINATE, offsetof(bi_gear_def, a), NULL, BI_REQUIRED, "joint coordinate that leads" },
    { "b", BI_FIELD_COORDINATE, offsetof(bi_gear_def, b), NULL, BI_REQUIRED,
      "joint coordinate that follows" },
    { "ratio", BI_FIELD_NUMBER, offsetof(bi_gear_def, ratio), NULL, BI_REQUIRED,
      "how far b moves when a moves by one" },
    { "offset", BI_FIELD_NUMBER, offsetof(bi_gear_def, offset), NULL, 0,
      "added to the described value of b - ratio a" },
};
static const bi_kind gear_schema = {
    "constraints", "gear", sizeof(bi_gear_def),
    gear_fields,   4,      "one joint coordinate moves in proportion to another"
};
const law_kind gear_kind = {
    .schema = &gear_schema, .item = sizeof(linear), .compile = gear_compile, .rows = linear_rows
};

// ---- rack: position - radius angle --------------------------------------------------------------------------------

static bool is_angle(const plan *p, bi_joint_coordinate c)
{
    return model_is_angle(p->model->joint[c.joint.i - 1].def.kind, c.index);
}

static void rack_compile(plan *p, int element, const void *def, void *item)
{
    const bi_rack_def *d = def;
    const bi_term term[2] = { { d->pinion, -d->radius }, { d->rack, 1.0 } };
    if (!is_angle(p, d->pinion)) {
        plan_complain(p, element, "pinion", "needs a joint coordinate that is an angle");
    }
    if (is_angle(p, d->rack)) {
        plan_complain(p, element, "rack",
                      "needs a joint coordinate that is a position, such as lead.position");
    }
    if (d->radius == 0.0) {
        plan_complain(p, element, "radius", "must not be zero");
    }
    linear_compile(p, element, term, 2, d->offset, item);
}

static const bi_field rack_fields[] = {
    { "pinion", BI_FIELD_COORDINATE, offsetof(bi_rack_def, pinion), NULL, BI_REQUIRED,
      "angle of the pinion" },
    { "rack", BI_FIELD_COORDINATE, offsetof(bi_rack_def, rack), NULL, BI_REQUIRED, "position of the rack" },
    { "radius", BI_FIELD_NUMBER, offsetof(bi_rack_def, radius), "m", BI_REQUIRED,
      "pitch radius; negative: the other way" },
    { "offset", BI_FIELD_NUMBER, offsetof(bi_rack_def, offset), "m", 0, "added to the described position" },
};
static const bi_kind rack_schema = {
    "constraints", "rack", sizeof(bi_rack_def),
    rack_fields,   4,      "a rack moves by the radius times the angle of its pinion"
};
const law_kind rack_kind = {
    .schema = &rack_schema, .item = sizeof(linear), .compile = rack_compile, .rows = linear_rows
};

// ---- coupling of several ------------------------------------------------------------------------------------------

static void coupling_compile(plan *p, int element, const void *def, void *item)
{
    const bi_coupling_def *d = def;
    linear_compile(p, element, d->term, BI_TERMS, d->offset, item);
}

static const bi_field coupling_fields[] = {
    { "terms", BI_FIELD_TERMS, offsetof(bi_coupling_def, term), NULL, BI_REQUIRED,
      "joint coordinates and their coefficients, at most 8" },
    { "offset", BI_FIELD_NUMBER, offsetof(bi_coupling_def, offset), NULL, 0, "added to the described sum" },
};
static const bi_kind coupling_schema = {
    "constraints",   "coupling", sizeof(bi_coupling_def),
    coupling_fields, 2,          "a linear relation between joint coordinates"
};
const law_kind coupling_kind = {
    .schema = &coupling_schema, .item = sizeof(linear), .compile = coupling_compile, .rows = linear_rows
};
