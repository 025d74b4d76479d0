// SPDX-License-Identifier: MIT
#include "laws/bond/port.h"

typedef struct {
    vec3 along, apart; // unit vector from a to b; velocity of b against a
    double inverse;    // of the length; 0: the points meet and have no direction
} line;

static line line_of(const port *p, const motion *at)
{
    vec3 d = vec3_sub(tray_vec3(&at->value[p->b]), tray_vec3(&at->value[p->a]));
    double length = vec3_norm(d);
    return (line){ .along = vec3_normalized(d),
                   .apart = vec3_sub(tray_vec3(&at->rate[p->b]), tray_vec3(&at->rate[p->a])),
                   .inverse = length > 0.0 ? 1.0 / length : 0.0 };
}

// The first three numbers of a frame are of its point, the last three of its turning.
static int offset(const port *p) { return p->kind == BI_PORT_TORQUE ? 3 : 0; }

static vec3 axis_of(const port *p, const motion *at) { return mat3_apply(at->axes[p->axes], p->axis); }

double port_flow(const port *p, const motion *at)
{
    if (p->kind == BI_PORT_JOINT) {
        return at->rate[p->a];
    }
    if (p->kind == BI_PORT_LINE) {
        line l = line_of(p, at);
        return vec3_dot(l.along, l.apart);
    }
    return vec3_dot(axis_of(p, at), tray_vec3(&at->rate[p->a + offset(p)]));
}

void port_push(const port *p, const motion *at, double effort, load *out)
{
    if (p->kind == BI_PORT_JOINT) {
        out->effort[p->a] += effort;
    } else if (p->kind == BI_PORT_LINE) {
        vec3 force = vec3_scale(effort, line_of(p, at).along);
        tray_add(&out->effort[p->b], force);
        tray_add(&out->effort[p->a], vec3_neg(force));
    } else {
        tray_add(&out->effort[p->a + offset(p)], vec3_scale(effort, axis_of(p, at)));
    }
}

static void put(port_row *row, int column, vec3 v)
{
    const double part[3] = { v.x, v.y, v.z };
    for (int i = 0; i < 3; i++) {
        row->column[row->count] = column + i;
        row->value[row->count++] = part[i];
    }
}

port_row port_gradient(const port *p, const motion *at)
{
    port_row row = { 0 };
    if (p->kind == BI_PORT_JOINT) {
        row = (port_row){ 1, { p->column[0] }, { 1.0 } };
    } else if (p->kind == BI_PORT_LINE) {
        line l = line_of(p, at);
        put(&row, p->column[0], vec3_neg(l.along));
        put(&row, p->column[1], l.along);
    } else {
        put(&row, p->column[0] + offset(p), axis_of(p, at));
    }
    return row;
}

// A line turns with what its ends move across it; an axis turns with its body.
port_row port_turning(const port *p, const motion *at)
{
    port_row row = { 0 };
    if (p->kind == BI_PORT_LINE) {
        line l = line_of(p, at);
        vec3 across = vec3_scale(l.inverse, vec3_add_scaled(l.apart, -vec3_dot(l.along, l.apart), l.along));
        put(&row, p->column[0], vec3_neg(across));
        put(&row, p->column[1], across);
    } else if (p->kind != BI_PORT_JOINT) {
        vec3 g = axis_of(p, at);
        put(&row, p->column[0] + 3, vec3_cross(g, tray_vec3(&at->rate[p->a + offset(p)])));
    }
    return row;
}

static void add_block(mat3 A, double factor, int row, int column, int width, double *K)
{
    for (int j = 0; j < 3; j++) {
        K[row * width + column + j] += factor * A.col[j].x;
        K[(row + 1) * width + column + j] += factor * A.col[j].y;
        K[(row + 2) * width + column + j] += factor * A.col[j].z;
    }
}

void port_stiffness(const port *p, const motion *at, double effort, int width, double *K)
{
    if (p->kind == BI_PORT_LINE) {
        line l = line_of(p, at);
        mat3 across = mat3_add(mat3_identity(), mat3_scale(-1.0, mat3_outer(l.along, l.along)));
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                add_block(across, (i == j ? -1.0 : 1.0) * effort * l.inverse, p->column[i], p->column[j],
                          width, K);
            }
        }
    } else if (p->kind != BI_PORT_JOINT) {
        // turned by dphi the effort changes by dphi x f: minus that is f x dphi
        add_block(mat3_cross(axis_of(p, at)), effort, p->column[0] + offset(p), p->column[0] + 3, width, K);
    }
}
