// SPDX-License-Identifier: MIT
// Rows of joints that coordinates ask for: what sharing does not cover, and the definitions of joint coordinates.
// `compile` receives a joint_request in place of a definition.
#include "laws/constraint/constraint.h"
#include "laws/constraint/rows.h"
#include "math/elementary.h"
#include "math/rotation.h"

typedef struct {
    int a, b;    // points
    int u, v, w; // vectors: on a, on b, axis on a
    int joint;   // joint coordinate
    bool is_driven;
    row_handle at, second, third;
    double value;
} joint_rows;

typedef struct {
    const bi_joint_def *def;
    model_joint_frame frame;
    int a, b;
} parts;

static parts parts_of(const plan *p, const joint_request *request)
{
    const bi_joint_def *d = &p->model->joint[request->joint].def;
    return (parts){ d, model_joint_frames(p->model, request->joint), d->a.i - 1, d->b.i - 1 };
}

// What holds the joint: these rows carry its reaction.
static row_handle holding_rows(plan *p, const joint_request *request, int count, const int *markers, int n)
{
    const model_joint *j = &p->model->joint[request->joint];
    row_owner owner = { j->def.name, j->place, false, request->joint, -1 };
    return plan_rows(p, &owner, count, markers, n);
}

// What defines a coordinate: these rows only pass on the efforts on it.
static row_handle defining_rows(plan *p, const joint_request *request, int count, const int *markers, int n)
{
    const model_joint *j = &p->model->joint[request->joint];
    row_owner owner = { j->def.name, j->place, false, -1, -1 };
    return plan_rows(p, &owner, count, markers, n);
}

static jet constant(double value) { return (jet){ value, 0.0, 0.0 }; }

// ---- alignment: u . (p_b - p_a) = 0 for two directions u of body a across the axis (constraints.1) --------
// Two rows in place of the three of the cross product (p_b - p_a) x w: those contradict each other as soon as a stage or
// an iterate leaves the manifold, and their multipliers grow without bound (a floating slider with Runge-Kutta 4 lost
// 2e-7 of its angular momentum, 1e-14 with these rows).

static void align_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    parts k = parts_of(p, def);
    vec3 across = vec3_perpendicular(k.frame.axis_a);
    int m[4] = { plan_point(p, k.a, k.frame.at_a), plan_point(p, k.b, k.frame.at_b),
                 plan_vector_at(p, k.a, k.frame.at_a, across),
                 plan_vector_at(p, k.a, k.frame.at_a, vec3_cross(k.frame.axis_a, across)) };
    joint_rows *out = item;
    *out = (joint_rows){
        .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .u = plan_dof(p, m[2]), .v = plan_dof(p, m[3])
    };
    out->at = holding_rows(p, def, 1, (int[3]){ m[0], m[1], m[2] }, 3);
    out->second = holding_rows(p, def, 1, (int[3]){ m[0], m[1], m[3] }, 3);
}

static void align_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        const joint_rows *r = &item[k];
        row_across(in, r->a, r->b, r->u, constant(0.0), r->at, out);
        row_across(in, r->a, r->b, r->v, constant(0.0), r->second, out);
    }
}

// ---- universal joint: u . v = 0 (constraints.2) -----------------------------------------------------------

static void perpendicular_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    parts k = parts_of(p, def);
    int m[2] = { plan_vector_at(p, k.a, k.frame.at_a, k.frame.axis_a),
                 plan_vector_at(p, k.b, k.frame.at_b, k.frame.axis_b) };
    joint_rows *out = item;
    *out = (joint_rows){ .u = plan_dof(p, m[0]), .v = plan_dof(p, m[1]), .value = 0.0 };
    out->at = holding_rows(p, def, 1, m, 2);
}

static void perpendicular_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        row_cosine(in, item[k].u, item[k].v, constant(item[k].value), item[k].at, out);
    }
}

// ---- constant distance: (d.d - L^2) / 2L, in m (constraints.3) --------------------------------------------

static void distance_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    parts k = parts_of(p, def);
    int m[2] = { plan_point(p, k.a, k.frame.at_a), plan_point(p, k.b, k.frame.at_b) };
    joint_rows *out = item;
    *out = (joint_rows){ .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .value = k.frame.length };
    out->at = holding_rows(p, def, 1, m, 2);
}

static void distance_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        row_distance(in, item[k].a, item[k].b, item[k].value, item[k].at, out);
    }
}

// ---- angle about w: S cos phi - C sin phi = 0 with S = w.(u x v), C = u.v (constraints.4), (constraints.5)
// One row, the sine of the angle's error. The pair C = cos phi, S = sin phi that it replaces is redundant with the
// rigid body: its multipliers pile up in the null space of the gradients and turn with the motion into forces (a
// guided rod at 0.2 rad per step: position violation 3e-7 with the pair, 5e-13 with this row).

static void angle_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const joint_request *request = def;
    parts k = parts_of(p, def);
    model_turn t = model_joint_turn(k.def, &k.frame, request->coordinate);
    int m[4] = { plan_vector_at(p, k.a, k.frame.at_a, t.from), plan_vector_at(p, k.b, k.frame.at_b, t.to),
                 t.is_of_b ? plan_vector_at(p, k.b, k.frame.at_b, t.axis)
                           : plan_vector_at(p, k.a, k.frame.at_a, t.axis),
                 plan_joint(p, request->joint, request->coordinate) };
    joint_rows *out = item;
    *out = (joint_rows){
        .u = plan_dof(p, m[0]), .v = plan_dof(p, m[1]), .w = plan_dof(p, m[2]), .joint = plan_dof(p, m[3])
    };
    out->at = defining_rows(p, def, 1, m, 4);
}

// The sine is zero half a turn away, too. Beyond a quarter of a turn the row goes on to grow, so that iterations from
// far away (equilibria, assemblies) end where the angle is right.
static void turn_over(double *g, double *phi)
{
    for (int i = 0; i < 10; i++) {
        g[i] = -g[i];
    }
    *phi = (*phi < 0.0 ? -2.0 : 2.0) - *phi;
}

static void angle_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        const joint_rows *r = &item[k];
        vec3 u = row_value(in, r->u), v = row_value(in, r->v), w = row_value(in, r->w),
             normal = vec3_cross(u, v);
        vec3 by_u = vec3_cross(v, w), by_v = vec3_cross(w, u); // of S
        double s, c, S = vec3_dot(w, normal), C = vec3_dot(u, v);
        math_sincos(in->at->value[r->joint], &s, &c);
        if (in->want & LAW_POSITION) {
            double *g = &out->gradient[r->at.gradient];
            out->phi[r->at.row] = S * c - C * s;
            tray_put(g, vec3_sub(vec3_scale(c, by_u), vec3_scale(s, v)));
            tray_put(g + 3, vec3_sub(vec3_scale(c, by_v), vec3_scale(s, u)));
            tray_put(g + 6, vec3_scale(c, normal));
            g[9] = -S * s - C * c;
            if (g[9] > 0.0) {
                turn_over(g, &out->phi[r->at.row]);
            }
        }
        if (in->want & LAW_SECOND) {
            vec3 du = row_rate(in, r->u), dv = row_rate(in, r->v), dw = row_rate(in, r->w);
            double turn = in->at->rate[r->joint];
            double dS = vec3_dot(by_u, du) + vec3_dot(by_v, dv) + vec3_dot(normal, dw);
            double dC = vec3_dot(du, v) + vec3_dot(u, dv);
            double ddS = 2.0 * (vec3_dot(w, vec3_cross(du, dv)) + vec3_dot(dw, vec3_cross(du, v)) +
                                vec3_dot(dw, vec3_cross(u, dv)));
            double ddC = 2.0 * vec3_dot(du, dv);
            double gamma = ddS * c - ddC * s - 2.0 * turn * (dS * s + dC * c) - turn * turn * (S * c - C * s);
            out->gamma[r->at.row] = -S * s - C * c > 0.0 ? -gamma : gamma;
        }
    }
}

// ---- displacement along the axis: w . (p_b - p_a) - s = 0 (constraints.6) ---------------------------------

static void position_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const joint_request *request = def;
    parts k = parts_of(p, def);
    vec3 axis = model_joint_way(k.def, &k.frame, request->coordinate);
    int m[4] = { plan_point(p, k.a, k.frame.at_a), plan_point(p, k.b, k.frame.at_b),
                 plan_vector_at(p, k.a, k.frame.at_a, axis),
                 plan_joint(p, request->joint, request->coordinate) };
    joint_rows *out = item;
    *out = (joint_rows){
        .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .w = plan_dof(p, m[2]), .joint = plan_dof(p, m[3])
    };
    out->at = defining_rows(p, def, 1, m, 4);
}

static void position_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        const joint_rows *r = &item[k];
        vec3 d = vec3_sub(row_value(in, r->b), row_value(in, r->a)), w = row_value(in, r->w);
        if (in->want & LAW_POSITION) {
            double *g = &out->gradient[r->at.gradient];
            out->phi[r->at.row] = vec3_dot(w, d) - in->at->value[r->joint];
            tray_put(g, vec3_neg(w));
            tray_put(g + 3, w);
            tray_put(g + 6, d);
            g[9] = -1.0;
        }
        if (in->want & LAW_SECOND) {
            vec3 dd = vec3_sub(row_rate(in, r->b), row_rate(in, r->a));
            out->gamma[r->at.row] = 2.0 * vec3_dot(row_rate(in, r->w), dd);
        }
    }
}

// ---- distance of two points as a coordinate: (d.d - s^2) / 2 L0 (constraints.7) ---------------------------

static void length_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const joint_request *request = def;
    parts k = parts_of(p, def);
    int m[3] = { plan_point(p, k.a, k.frame.at_a), plan_point(p, k.b, k.frame.at_b),
                 plan_joint(p, request->joint, request->coordinate) };
    joint_rows *out = item;
    *out = (joint_rows){
        .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]), .joint = plan_dof(p, m[2]), .value = k.frame.length
    };
    // where something drives the distance, what holds it acts through this row
    out->is_driven = model_is_driven(p->model, request->joint);
    out->at = (out->is_driven ? holding_rows : defining_rows)(p, def, 1, m, 3);
}

static void length_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        const joint_rows *r = &item[k];
        vec3 d = vec3_sub(row_value(in, r->b), row_value(in, r->a));
        double s = in->at->value[r->joint], scale = 1.0 / r->value;
        if (in->want & LAW_POSITION) {
            double *g = &out->gradient[r->at.gradient];
            // no distance is below zero, though the equation has such a solution
            out->phi[r->at.row] =
                s > 0.0 || !r->is_driven ? 0.5 * scale * (vec3_dot(d, d) - s * s) : (double)NAN;
            tray_put(g, vec3_scale(-scale, d));
            tray_put(g + 3, vec3_scale(scale, d));
            g[6] = -scale * s;
        }
        if (in->want & LAW_SECOND) {
            vec3 dd = vec3_sub(row_rate(in, r->b), row_rate(in, r->a));
            double ds = in->at->rate[r->joint];
            out->gamma[r->at.row] = scale * (vec3_dot(dd, dd) - ds * ds);
        }
    }
}

// ---- closing a loop: p_b - p_a = 0, in ground axes ---------------------------------------------------------------------------

static void coincide_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    parts k = parts_of(p, def);
    int m[2] = { plan_point(p, k.a, k.frame.at_a), plan_point(p, k.b, k.frame.at_b) };
    joint_rows *out = item;
    *out = (joint_rows){ .a = plan_dof(p, m[0]), .b = plan_dof(p, m[1]) };
    out->at = holding_rows(p, def, 3, m, 2);
}

static void coincide_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        row_coincide(in, item[k].a, item[k].b, item[k].at, out);
    }
}

// ---- closing a loop: directions of a across directions of b stay so ------------------------------------------------------------

// Two directions across the axis of a, each with the axis of b.
static void parallel_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    parts k = parts_of(p, def);
    vec3 across = vec3_perpendicular(k.frame.axis_a);
    int u = plan_vector_at(p, k.a, k.frame.at_a, across),
        v = plan_vector_at(p, k.a, k.frame.at_a, vec3_cross(k.frame.axis_a, across));
    int w = plan_vector_at(p, k.b, k.frame.at_b, k.frame.axis_b);
    joint_rows *out = item;
    *out = (joint_rows){ .u = plan_dof(p, u), .v = plan_dof(p, v), .w = plan_dof(p, w) };
    out->at = holding_rows(p, def, 1, (int[2]){ u, w }, 2);
    out->second = holding_rows(p, def, 1, (int[2]){ v, w }, 2);
}

static void parallel_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        row_cosine(in, item[k].u, item[k].w, constant(0.0), item[k].at, out);
        row_cosine(in, item[k].v, item[k].w, constant(0.0), item[k].second, out);
    }
}

// Three right angles between a triad of a and the same triad as b carries it.
static void orient_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    parts k = parts_of(p, def);
    mat3 A = quat_to_mat3(quat_normalized(quat_or_identity(p->model->body[k.a].def.pose.rot)));
    mat3 B = quat_to_mat3(quat_normalized(quat_or_identity(p->model->body[k.b].def.pose.rot)));
    vec3 axis = k.frame.axis_a, across = vec3_perpendicular(axis), third = vec3_cross(axis, across);
    vec3 across_b = mat3_apply_transposed(B, mat3_apply(A, across));
    across_b =
        vec3_normalized(vec3_add_scaled(across_b, -vec3_dot(across_b, k.frame.axis_b), k.frame.axis_b));
    int u = plan_vector_at(p, k.a, k.frame.at_a, across), v = plan_vector_at(p, k.a, k.frame.at_a, third);
    int w = plan_vector_at(p, k.b, k.frame.at_b, k.frame.axis_b),
        x = plan_vector_at(p, k.b, k.frame.at_b, across_b);
    joint_rows *out = item;
    *out = (joint_rows){
        .u = plan_dof(p, u), .v = plan_dof(p, v), .w = plan_dof(p, w), .joint = plan_dof(p, x)
    };
    out->at = holding_rows(p, def, 1, (int[2]){ u, w }, 2);
    out->second = holding_rows(p, def, 1, (int[2]){ v, w }, 2);
    out->third = holding_rows(p, def, 1, (int[2]){ v, x }, 2);
}

static void orient_rows(const void *items, int count, const law_in *in, rows *out)
{
    const joint_rows *item = items;
    for (int k = 0; k < count; k++) {
        row_cosine(in, item[k].u, item[k].w, constant(0.0), item[k].at, out);
        row_cosine(in, item[k].v, item[k].w, constant(0.0), item[k].second, out);
        row_cosine(in, item[k].v, item[k].joint, constant(0.0), item[k].third, out);
    }
}

// ---- angles of successive turns i, j, k about the moving axes (constraints.8) ---------------------------------------------------
// With u the axes of a, b those of b, s = +-1 for a cyclic or other order, and n = cos(alpha) u_j + s sin(alpha) u_k:
//   alpha:  -s (b_k.u_j) cos(alpha) - (b_k.u_k) sin(alpha) = 0
//   beta:    s (b_k.u_i) cos(beta) - (cos(alpha) b_k.u_k - s sin(alpha) b_k.u_j) sin(beta) = 0
//   gamma:   s (b_i.n) cos(gamma) - (b_j.n) sin(gamma) = 0
// Each row is a sum of terms c f(angles) (x.y), x an axis of a, y one of b.

typedef struct {
    int x, y;           // axes of a and b: index of their vector
    double c;           // constant
    int kind_1, kind_2; // of the two angle factors: 0 one, 1 cosine, 2 sine
} euler_term;

typedef struct {
    int vector[6];        // axes of a, then of b
    int angle_1, angle_2; // joint coordinates the factors read; the last one is the row's own
    int own;              // 1: the row's own angle is angle_1, and there is no second
    euler_term term[4];
    int n_term;
    row_handle at;
} euler_row;

static void euler_compile(plan *p, int element, const void *def, void *item)
{
    (void)element;
    const joint_request *request = def;
    parts k = parts_of(p, def);
    model_angles order = model_angle_order(k.def);
    const vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    int first = joint_of(k.def->kind)->first_angle, which = request->coordinate - first;
    int i = order.axis[0], j = order.axis[1], l = order.axis[2], m[8];
    double s = order.sign;
    for (int n = 0; n < 3; n++) {
        m[n] = plan_vector_at(p, k.a, k.frame.at_a, unit[n]);
        m[3 + n] = plan_vector_at(p, k.b, k.frame.at_b, unit[n]);
    }
    m[6] = plan_joint(p, request->joint, first);
    m[7] = plan_joint(p, request->joint, request->coordinate);
    euler_row *out = item;
    *out = (euler_row){ .own = which == 0, .n_term = which == 0 ? 2 : which == 1 ? 3 : 4 };
    const euler_term terms[3][4] = {
        { { j, l, -s, 1, 0 }, { l, l, -1.0, 2, 0 } },
        { { i, l, s, 0, 1 }, { l, l, -1.0, 1, 2 }, { j, l, s, 2, 2 } },
        { { j, i, s, 1, 1 }, { l, i, 1.0, 2, 1 }, { j, j, -1.0, 1, 2 }, { l, j, -s, 2, 2 } },
    };
    for (int n = 0; n < 4; n++) {
        out->term[n] = terms[which][n];
    }
    for (int n = 0; n < 6; n++) {
        out->vector[n] = plan_dof(p, m[n]);
    }
    out->angle_1 = plan_dof(p, m[6]);
    out->angle_2 = plan_dof(p, m[7]);
    out->at = defining_rows(p, def, 1, m, which == 0 ? 7 : 8);
}

// A factor one, cos or sin of an angle with its first and second derivative.
static jet angle_factor(int kind, double angle)
{
    double s, c;
    math_sincos(angle, &s, &c);
    return kind == 0 ? (jet){ 1.0, 0.0, 0.0 } : kind == 1 ? (jet){ c, -s, -c } : (jet){ s, c, -s };
}

static void euler_position(const euler_row *r, const law_in *in, rows *out)
{
    double *g = &out->gradient[r->at.gradient], phi = 0.0;
    for (int k = 0; k < 18; k++) {
        g[k] = 0.0;
    }
    g[18] = 0.0;
    if (!r->own) {
        g[19] = 0.0;
    }
    for (int k = 0; k < r->n_term; k++) {
        const euler_term *t = &r->term[k];
        jet f1 = angle_factor(t->kind_1, in->at->value[r->angle_1]);
        jet f2 = r->own ? (jet){ 1.0, 0.0, 0.0 } : angle_factor(t->kind_2, in->at->value[r->angle_2]);
        vec3 x = row_value(in, r->vector[t->x]), y = row_value(in, r->vector[3 + t->y]);
        double dot = vec3_dot(x, y), weight = t->c * f1.v * f2.v;
        phi += weight * dot;
        tray_add(&g[3 * t->x], vec3_scale(weight, y));
        tray_add(&g[9 + 3 * t->y], vec3_scale(weight, x));
        g[18] += t->c * f1.d * f2.v * dot;
        if (!r->own) {
            g[19] += t->c * f1.v * f2.d * dot;
        }
    }
    out->phi[r->at.row] = phi;
}

static double euler_gamma(const euler_row *r, const law_in *in)
{
    double sum = 0.0, w1 = in->at->rate[r->angle_1], w2 = r->own ? 0.0 : in->at->rate[r->angle_2];
    for (int k = 0; k < r->n_term; k++) {
        const euler_term *t = &r->term[k];
        jet f1 = angle_factor(t->kind_1, in->at->value[r->angle_1]);
        jet f2 = r->own ? (jet){ 1.0, 0.0, 0.0 } : angle_factor(t->kind_2, in->at->value[r->angle_2]);
        vec3 x = row_value(in, r->vector[t->x]), y = row_value(in, r->vector[3 + t->y]);
        vec3 dx = row_rate(in, r->vector[t->x]), dy = row_rate(in, r->vector[3 + t->y]);
        double dot = vec3_dot(x, y), dot_rate = vec3_dot(dx, y) + vec3_dot(x, dy),
               dot_second = 2.0 * vec3_dot(dx, dy);
        double f = f1.v * f2.v, f_rate = f1.d * w1 * f2.v + f1.v * f2.d * w2;
        double f_second = f1.dd * w1 * w1 * f2.v + 2.0 * f1.d * w1 * f2.d * w2 + f1.v * f2.dd * w2 * w2;
        sum += t->c * (f * dot_second + 2.0 * f_rate * dot_rate + f_second * dot);
    }
    return sum;
}

static void euler_rows(const void *items, int count, const law_in *in, rows *out)
{
    const euler_row *item = items;
    for (int k = 0; k < count; k++) {
        if (in->want & LAW_POSITION) {
            euler_position(&item[k], in, out);
        }
        if (in->want & LAW_SECOND) {
            out->gamma[item[k].at.row] = euler_gamma(&item[k], in);
        }
    }
}

const law_kind joint_euler_kind = { .item = sizeof(euler_row), .compile = euler_compile, .rows = euler_rows };

#define JOINT_KIND(name)                                                                                     \
    const law_kind joint_##name##_kind = { .item = sizeof(joint_rows),                                       \
                                           .compile = name##_compile,                                        \
                                           .rows = name##_rows }
JOINT_KIND(align);
JOINT_KIND(perpendicular);
JOINT_KIND(distance);
JOINT_KIND(angle);
JOINT_KIND(position);
JOINT_KIND(length);
JOINT_KIND(coincide);
JOINT_KIND(parallel);
JOINT_KIND(orient);
