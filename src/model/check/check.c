// SPDX-License-Identifier: MIT
// All the mistakes of a description that can be seen without compiling it, each with what to do.
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/model.h"
#include <biela/flex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const bi_model *m;
    bi_report *report;
    const char *section;
} checker;

__attribute__((format(printf, 5, 6))) static void complain(const checker *c, bi_place place, const char *name,
                                                           const char *key, const char *format, ...)
{
    char where[256], what[512];
    snprintf(where, sizeof where, "%s.%s%s%s", c->section, name, key[0] ? "." : "", key);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bi_report_add(c->report, BI_ERROR, BI_BAD_MODEL, place, where, "%s", what);
}

// Five numbers of this size multiplied are the largest that a double holds: a mass times squares of two lengths stays
// finite. The sun has 2e30 kg and 6e46 kg m2.
static const double largest_number = 1e60;

static double size_of(vec3 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

// What is not finite was reported before.
static void check_size(const checker *c, bi_place place, const char *name, const char *key, double size)
{
    if (isfinite(size) && size > largest_number) {
        complain(
            c, place, name, key,
            "is %g, too large to compute with: products of it overflow (the limit is %g in SI units); is "
            "its unit right?",
            size, largest_number);
    }
}

// ---- bodies ---------------------------------------------------------------------------------------

static mat3 tensor(const double i[6])
{
    return (mat3){ { { i[0], i[3], i[5] }, { i[3], i[1], i[4] }, { i[5], i[4], i[2] } } };
}

// The axis of a principal moment: A - moment has rows across it, of which the two that differ most give it.
static vec3 principal_axis(mat3 A, double moment)
{
    A.col[0].x -= moment;
    A.col[1].y -= moment;
    A.col[2].z -= moment;
    vec3 best = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; i++) {
        vec3 axis = vec3_cross(A.col[i], A.col[(i + 1) % 3]);
        best = vec3_norm(axis) > vec3_norm(best) ? axis : best;
    }
    // of a double moment any axis across the third will do
    vec3 row = A.col[vec3_norm(A.col[0]) > vec3_norm(A.col[1]) ? 0 : 1];
    row = vec3_norm(A.col[2]) > vec3_norm(row) ? A.col[2] : row;
    bool is_double = vec3_norm(best) <= 1e-9 * vec3_dot(row, row);
    return vec3_normalized(is_double ? vec3_perpendicular(row) : best);
}

static void check_inertia(const checker *c, const model_body *b)
{
    double e[3];
    for (int k = 0; k < 6; k++) {
        if (!isfinite(b->def.inertia[k])) {
            complain(c, b->place, b->def.name, "inertia", "is not finite");
            return;
        }
        if (fabs(b->def.inertia[k]) > largest_number) {
            check_size(c, b->place, b->def.name, "inertia", fabs(b->def.inertia[k]));
            return;
        }
    }
    mat3_symmetric_eigenvalues(tensor(b->def.inertia), e);
    // rounding of a product of a few factors, relative to the largest moment
    double slack = 1e-9 * fabs(e[2]);
    if (e[0] < -slack) {
        vec3 a = principal_axis(tensor(b->def.inertia), e[0]);
        complain(c, b->place, b->def.name, "inertia",
                 "has the negative principal moment %g about the axis [%.3g, %.3g, %.3g]: no body has that",
                 e[0], a.x, a.y, a.z);
    } else if (e[2] > e[0] + e[1] + slack) {
        vec3 a = principal_axis(tensor(b->def.inertia), e[2]);
        complain(c, b->place, b->def.name, "inertia",
                 "has principal moments %g %g %g: the largest, about the axis [%.3g, %.3g, %.3g], must not "
                 "exceed the sum "
                 "of the others",
                 e[0], e[1], e[2], a.x, a.y, a.z);
    } else if (b->def.mass == 0.0 && e[2] > 0.0) {
        complain(c, b->place, b->def.name, "inertia",
                 "is given for a body without mass: give it a mass, or no inertia");
    }
}

static void check_modes(const checker *c, const model_body *b)
{
    char what[256];
    if (b->def.flex && model_modes_mistake(b->def.flex, what, sizeof what)) {
        complain(c, b->place, b->def.name, "flex", "%s", what);
    }
}

// Four named points and vectors of the body, one point at least, that span space.
static void check_basis(const checker *c, const model_body *b)
{
    const char *const *name = b->def.basis;
    bi_body self = { (int32_t)(b - c->m->body) + 1 };
    const model_named *entity[4];
    int origin = -1;
    for (int k = 0; k < 4; k++) {
        int found = name[k] ? model_find_named(c->m, name[k]) : -1;
        if (found < 0) {
            complain(c, b->place, b->def.name, "basis",
                     "needs four names of points and vectors; there is none called '%s'",
                     name[k] ? name[k] : "");
            return;
        }
        entity[k] = &c->m->named[found];
        if (entity[k]->body.i != self.i) {
            complain(c, b->place, b->def.name, "basis", "'%s' is on another body", name[k]);
            return;
        }
        origin = origin < 0 && !entity[k]->is_vector ? k : origin;
    }
    if (origin < 0) {
        complain(c, b->place, b->def.name, "basis", "needs at least one point");
        return;
    }
    mat3 X;
    for (int k = 0, i = 0; k < 4; k++) {
        if (k != origin) {
            vec3 d = entity[k]->is_vector ? entity[k]->at : vec3_sub(entity[k]->at, entity[origin]->at);
            X.col[i++] = vec3_normalized(d);
        }
    }
    // unit directions this flat would lose half of the digits
    if (!(fabs(mat3_det(X)) > 1e-3)) {
        complain(c, b->place, b->def.name, "basis",
                 "its points and vectors lie in a plane (or nearly): choose ones that span space");
    }
}

static void check_bodies(checker *c)
{
    c->section = "bodies";
    for (int k = 1; k < c->m->n_body; k++) {
        const model_body *b = &c->m->body[k];
        const bi_body_def *d = &b->def;
        if (!(d->mass >= 0.0) || !isfinite(d->mass)) {
            complain(c, b->place, d->name, "mass", "must not be negative (zero is a massless body); it is %g",
                     d->mass);
        }
        const bi_quat *r = &d->pose.rot;
        if (!vec3_is_finite(d->com) || !vec3_is_finite(d->pose.pos) || !vec3_is_finite(d->twist.lin) ||
            !vec3_is_finite(d->twist.ang) || !isfinite(r->w + r->x + r->y + r->z)) {
            complain(c, b->place, d->name, "", "has a position or velocity that is not finite");
        }
        check_size(c, b->place, d->name, "mass", d->mass);
        check_size(c, b->place, d->name, "at", size_of(d->pose.pos));
        check_size(c, b->place, d->name, "com", size_of(d->com));
        check_size(c, b->place, d->name, "velocity", size_of(d->twist.lin));
        check_size(c, b->place, d->name, "spin", size_of(d->twist.ang));
        check_inertia(c, b);
        check_modes(c, b);
        if (d->basis[0] || d->basis[1] || d->basis[2] || d->basis[3]) {
            check_basis(c, b);
        }
    }
}

// ---- joints ---------------------------------------------------------------------------------------

static bool is_body(const bi_model *m, bi_body b) { return b.i >= 1 && b.i <= m->n_body; }

static void check_joint_start(const checker *c, const model_joint *j)
{
    const bi_joint_def *d = &j->def;
    bool is_finite = isfinite(d->value) && isfinite(d->rate);
    for (int k = 0; k < JOINT_COORDINATES - 1; k++) {
        is_finite = is_finite && isfinite(d->more[k].value) && isfinite(d->more[k].rate);
    }
    if (!is_finite) {
        complain(c, j->place, d->name, "value", "is not a finite number");
    }
    if (model_joint_is_set(d) && model_coordinate_count(d->kind) == 0) {
        complain(c, j->place, d->name, "value", "cannot be set: this type of joint has no coordinate");
    }
    bool has_zero = d->zero_described || d->zero[0] != 0.0 || d->zero[1] != 0.0;
    joint_turn turn = joint_of(d->kind)->turn;
    if (has_zero && turn != JOINT_TURN_AXIS && turn != JOINT_TURN_CROSS) {
        complain(c, j->place, d->name, "zero",
                 "is for angles about the axis of a joint: revolute, cylindrical, screw, planar, universal");
    } else if (!isfinite(d->zero[0]) || !isfinite(d->zero[1])) {
        complain(c, j->place, d->name, "zero", "is not a finite number");
    }
}

static void check_joint(const checker *c, const model_joint *j)
{
    const bi_joint_def *d = &j->def;
    if (!joint_exists(d->kind)) {
        complain(c, j->place, d->name, "type", "is not set");
        return;
    }
    if (!is_body(c->m, d->a) || !is_body(c->m, d->b)) {
        complain(c, j->place, d->name, "bodies", "needs two bodies of this model");
        return;
    }
    if (d->a.i == d->b.i) {
        complain(c, j->place, d->name, "bodies", "joins %s to itself: name two different bodies",
                 c->m->body[d->a.i - 1].def.name);
        return;
    }
    if (((d->local & BI_AXIS_A) && vec3_norm(d->axis_a) == 0.0) ||
        ((d->local & BI_AXIS_B) && vec3_norm(d->axis_b) == 0.0)) {
        complain(c, j->place, d->name, "axis", "has no length: give a direction such as [0, 0, 1]");
    }
    if (!vec3_is_finite(d->at) || !vec3_is_finite(d->axis) || !vec3_is_finite(d->at_a) ||
        !vec3_is_finite(d->at_b) || !vec3_is_finite(d->axis_a) || !vec3_is_finite(d->axis_b)) {
        complain(c, j->place, d->name, "", "has a point or axis that is not finite");
        return;
    }
    check_size(c, j->place, d->name, "at", fmax(size_of(d->at), fmax(size_of(d->at_a), size_of(d->at_b))));
    check_joint_start(c, j);
    model_joint_frame frame = model_joint_frames(c->m, (int)(j - c->m->joint));
    if (joint_is_distance(d->kind) && !(d->length >= 0.0 && isfinite(d->length))) {
        complain(c, j->place, d->name, "length", "must not be negative");
    } else if (joint_is_distance(d->kind) && !(frame.length > 0.0)) {
        complain(c, j->place, d->name, "length",
                 "is zero: give two points that are apart, or use a spherical joint");
    }
    if (d->angles &&
        (strlen(d->angles) != 3 || strspn(d->angles, "xyz") != 3 || d->angles[0] == d->angles[1] ||
         d->angles[1] == d->angles[2] || d->angles[0] == d->angles[2])) {
        complain(c, j->place, d->name, "angles", "must name x, y and z once each, such as xyz or zxy");
    }
    if (joint_has_pitch(d->kind) && !(isfinite(d->pitch) && d->pitch != 0.0)) {
        complain(c, j->place, d->name, "pitch",
                 "must be a length per turn that is not zero (a screw without pitch is a revolute joint)");
    }
}

// Only a coordinate that is a variable of its own can carry inertia.
static void check_armature(const checker *c, const model_joint *j)
{
    const bi_joint_def *d = &j->def;
    bool has_one = d->kind == BI_REVOLUTE || d->kind == BI_PRISMATIC;
    if (!isfinite(d->armature) || d->armature < 0.0) {
        complain(c, j->place, d->name, "armature", "must be an inertia, not negative");
    } else if (d->armature > 0.0 && !has_one) {
        complain(c, j->place, d->name, "armature",
                 "is for revolute and prismatic joints: make this joint of several of them");
    }
}

// A joint with play whose ring nobody gave would fall out.
static void check_clearance(const checker *c, const model_joint *j)
{
    const bi_joint_def *d = &j->def;
    bool has_ring = false;
    for (int k = 0; k < c->m->n_element; k++) {
        const model_element *e = &c->m->element[k];
        has_ring = has_ring || (strcmp(e->kind->type, "bearing") == 0 &&
                                ((const bi_bearing_def *)e->def)->joint.i == (int)(j - c->m->joint) + 1);
    }
    if (!isfinite(d->clearance) || d->clearance < 0.0 || (d->clearance > 0.0 && d->kind != BI_PLANAR)) {
        complain(c, j->place, d->name, "clearance", "must be a length, and of a revolute joint");
    } else if (d->clearance > 0.0 && !has_ring) {
        complain(c, j->place, d->name, "clearance",
                 "needs its ring: a force {type: bearing, joint: %s, radius: ..., stiffness: ...}", d->name);
    }
}

static void check_joints(checker *c)
{
    c->section = "joints";
    for (int k = 0; k < c->m->n_joint; k++) {
        check_joint(c, &c->m->joint[k]);
        check_clearance(c, &c->m->joint[k]);
        check_armature(c, &c->m->joint[k]);
    }
}

// ---- elements --------------------------------------------------------------------------------------

static const char *number_mistake(unsigned rules, double x)
{
    if (!isfinite(x)) {
        return "is not a finite number";
    }
    if ((rules & BI_POSITIVE) && !(x > 0.0)) {
        return "must be positive";
    }
    if ((rules & BI_NOT_NEGATIVE) && !(x >= 0.0)) {
        return "must not be negative";
    }
    return NULL;
}

static double quat_size(bi_quat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }

static const char *expression_mistake(const bi_model *m, bi_expr e, unsigned rules)
{
    if (e.i < 0 || e.i > m->n_expr || (e.i == 0 && (rules & BI_REQUIRED))) {
        return "needs an expression";
    }
    return (rules & BI_OF_TIME) && model_reads_joint(m, e)
               ? "may read t, parameters, inputs and signals of these, but no joint"
               : NULL;
}

// What is wrong with one field; NULL: nothing.
static const char *field_mistake(const bi_model *m, const model_element *e, const bi_field *f)
{
    const void *at = model_field(e, f);
    bi_vec3 vector;
    bi_expr code;
    bi_joint joint;
    bi_point point;
    bi_body body;
    bi_frame frame;
    bi_curve curve;
    bi_numbers list;
    double number;
    switch (f->type) {
    case BI_FIELD_NUMBER: memcpy(&number, at, sizeof number); return number_mistake(f->rules, number);
    case BI_FIELD_VEC3:
        memcpy(&vector, at, sizeof vector);
        return vec3_is_finite(vector) ? NULL : "is not finite";
    case BI_FIELD_EXPR:
        memcpy(&code, at, sizeof code);
        return code.i == 0 && !(f->rules & BI_REQUIRED) ? NULL : expression_mistake(m, code, f->rules);
    case BI_FIELD_JOINT:
        memcpy(&joint, at, sizeof joint);
        if (joint.i < 1 || joint.i > m->n_joint) {
            return "needs a joint of this model";
        }
        return model_coordinate_count(m->joint[joint.i - 1].def.kind) > 0
                   ? NULL
                   : "needs a joint that has a coordinate";
    case BI_FIELD_BODY:
        memcpy(&body, at, sizeof body);
        return is_body(m, body) ? NULL : "needs a body of this model";
    case BI_FIELD_POINT:
        memcpy(&point, at, sizeof point);
        if (point.body.i == 0 && !(f->rules & BI_REQUIRED)) {
            return NULL;
        }
        return !is_body(m, point.body)     ? "needs a point on a body of this model"
               : !vec3_is_finite(point.at) ? "is not finite"
                                           : NULL;
    case BI_FIELD_FRAME:
        memcpy(&frame, at, sizeof frame);
        return !is_body(m, frame.body) ? "needs a frame on a body of this model"
               : !vec3_is_finite(frame.at) || !isfinite(quat_size(frame.rot)) ? "is not finite"
                                                                              : NULL;
    case BI_FIELD_TABLE:
        memcpy(&curve, at, sizeof curve);
        if (curve.i < (f->rules & BI_REQUIRED ? 1 : 0) || curve.i > m->n_curve) {
            return "needs a table of this model";
        }
        return curve.i > 0 && m->curve[curve.i - 1].surface ? "needs a table of one variable; one of two is "
                                                              "called in expressions, torque(speed, pedal)"
                                                            : NULL;
    case BI_FIELD_NUMBERS: memcpy(&list, at, sizeof list); return model_numbers_mistake(f, &list);
    default: return model_field_mistake(m, f, at);
    }
    return NULL;
}

static void check_elements(checker *c)
{
    for (int k = 0; k < c->m->n_element; k++) {
        const model_element *e = &c->m->element[k];
        c->section = e->kind->section;
        if (e->active.i < 0 || e->active.i > c->m->n_expr ||
            (e->active.i > 0 && strcmp(c->section, "constraints") != 0)) {
            complain(c, e->place, e->name, "active", "needs an expression, and a constraint");
        }
        for (int f = 0; f < e->kind->n_field; f++) {
            const char *what = field_mistake(c->m, e, &e->kind->field[f]);
            if (what) {
                complain(c, e->place, e->name, e->kind->field[f].key, "%s", what);
            }
        }
        const char *key = "", *mistake = model_law_mistake(c->m, e, &key);
        if (mistake) {
            complain(c, e->place, e->name, key, "%s", mistake);
        }
    }
}

// ---- named points and vectors -------------------------------------------------------------------------------

static void check_named(checker *c)
{
    for (int k = 0; k < c->m->n_named; k++) {
        const model_named *n = &c->m->named[k];
        c->section = n->is_vector ? "vectors" : "points";
        if (!is_body(c->m, n->body)) {
            complain(c, n->place, n->name, "body", "needs a body of this model");
        } else if (!vec3_is_finite(n->at)) {
            complain(c, n->place, n->name, n->is_vector ? "along" : "at", "is not finite");
        } else if (n->is_vector && vec3_norm(n->at) == 0.0) {
            complain(c, n->place, n->name, "along", "is zero: give a direction such as [0, 0, 1]");
        }
    }
}

// ---- outputs and names ------------------------------------------------------------------------------

static void check_outputs(checker *c)
{
    c->section = "outputs";
    for (int k = 0; k < c->m->n_output; k++) {
        const bi_output_def *d = &c->m->output[k].def;
        const char *what = model_output_mistake(c->m, d);
        if (what) {
            complain(c, c->m->output[k].place, d->name, "", "%s", what);
        }
    }
}

static void check_imposed(checker *c)
{
    c->section = "imposed";
    for (int k = 0; k < c->m->n_imposed; k++) {
        const model_imposed *i = &c->m->imposed[k];
        const bi_expr value = i->def.value;
        if (model_resolve(c->m, i->def.coordinate).kind != MODEL_NAME_VALUE) {
            complain(c, i->place, i->def.name, "coordinate",
                     "'%s' is no coordinate of a joint, such as crank.angle or base.y", i->def.coordinate);
        }
        if (value.i < 1 || value.i > c->m->n_expr) {
            complain(c, i->place, i->def.name, "value", "needs an expression of t");
            continue;
        }
        const expr *code = c->m->expr[value.i - 1].code;
        for (int v = 0; code && v < expr_variable_count(code); v++) {
            model_name_kind kind = model_resolve(c->m, expr_variable_name(code, v)).kind;
            if (kind == MODEL_NAME_VALUE || kind == MODEL_NAME_RATE) {
                complain(c, i->place, i->def.name, "value",
                         "may read t and inputs, and %s is a joint's: what is imposed cannot depend on what "
                         "follows",
                         expr_variable_name(code, v));
            }
        }
    }
}

typedef struct {
    const char *name;
    bi_place place;
    int order;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names != 0 ? names : (x->order > y->order) - (x->order < y->order);
}

static void check_unique(checker *c, named *list, int count)
{
    for (int k = 0; k < count; k++) {
        list[k].order = k;
    }
    qsort(list, (size_t)count, sizeof *list, by_name);
    for (int k = 0; k < count; k++) {
        if (list[k].name[0] == '\0') {
            complain(c, list[k].place, "?", "", "has no name");
        } else if (k > 0 && strcmp(list[k].name, list[k - 1].name) == 0) {
            complain(c, list[k].place, list[k].name, "", "is a name used twice: choose another");
        }
    }
}

static void check_names(checker *c)
{
    const bi_model *m = c->m;
    int most = m->n_body + m->n_joint + m->n_element + m->n_output + m->n_input + m->n_named + m->n_imposed +
               m->n_shape + m->n_patch + m->n_strut + m->n_look;
    named *list = malloc((size_t)most * sizeof *list);
    if (!list) {
        return;
    }
#define CHECK_UNIQUE(title, items, count, name_of)                                                           \
    c->section = title;                                                                                      \
    for (int k = 0; k < (count); k++) {                                                                      \
        list[k] = (named){ .name = (items)[k].name_of, .place = (items)[k].place };                          \
    }                                                                                                        \
    check_unique(c, list, (count))
    CHECK_UNIQUE("bodies", m->body, m->n_body, def.name);
    CHECK_UNIQUE("joints", m->joint, m->n_joint, def.name);
    CHECK_UNIQUE("elements", m->element, m->n_element, name);
    CHECK_UNIQUE("outputs", m->output, m->n_output, def.name);
    CHECK_UNIQUE("inputs", m->input, m->n_input, name);
    CHECK_UNIQUE("points", m->named, m->n_named, name);
    CHECK_UNIQUE("imposed", m->imposed, m->n_imposed, def.name);
    CHECK_UNIQUE("shapes", m->shape, m->n_shape, def.name);
    CHECK_UNIQUE("patches", m->patch, m->n_patch, def.name);
    CHECK_UNIQUE("struts", m->strut, m->n_strut, def.name);
    CHECK_UNIQUE("looks", m->look, m->n_look, def.name);
#undef CHECK_UNIQUE
    free(list);
}

static void check_events(checker *c)
{
    c->section = "events";
    for (int k = 0; k < c->m->n_event; k++) {
        const bi_event_def *d = &c->m->event[k].def;
        bool has_limits = (!d->has_above || isfinite(d->above)) && (!d->has_below || isfinite(d->below));
        const char *what = d->expr.i < 0 || d->expr.i > c->m->n_expr ? "needs an expression of this model"
                           : !has_limits                             ? "has a limit that is not finite"
                           : (unsigned)d->action > (unsigned)BI_EVENT_STOP ? "has no such action"
                                                                           : NULL;
        if (what) {
            complain(c, c->m->event[k].place, d->name, "", "%s", what);
        }
    }
}

int bi_model_check(const bi_model *m, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    int before = report->errors;
    if (!m) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "model",
                      "there is no model (NULL)");
        bi_report_clear(&own);
        return 1;
    }
    checker c = { m, report, "" };
    if (m->no_memory) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory while adding");
    }
    if (m->misused) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "model",
                      "%s was called without what it needs (NULL): nothing was added", m->misused);
    }
    if (m->again) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "model",
                      "a part of it is being described again: call bi_model_shut first");
    }
    if (!vec3_is_finite(m->gravity)) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "gravity", "is not finite");
    }
    check_names(&c);
    check_bodies(&c);
    check_joints(&c);
    model_check_expressions(m, report);
    model_check_shapes(m, report);
    model_check_patches(m, report);
    model_check_struts(m, report);
    check_elements(&c);
    check_named(&c);
    model_check_signals(m, report);
    check_outputs(&c);
    model_independent_check(m, report);
    check_imposed(&c);
    check_events(&c);
    model_check_nodes(m, report);
    int found = report->errors - before;
    bi_report_clear(&own);
    return found;
}
