// SPDX-License-Identifier: MIT
// Where a graph touches the multibody model (bond.8, bond.9): a joint coordinate, the line between two points, a point
// of a body along an axis, or a body about an axis. The flow is g . rate of the markers, and the effort acts on them by
// the same g: power is the same.
#pragma once
#include "state/law.h"

typedef struct {
    bi_port_kind kind;
    int a, b, axes; // dofs of the markers, index of the frame's axes
    vec3 axis;      // body axes
    int column[2];  // of the markers in the block
} port;

enum { PORT_MOST = 6 };
// Numbers in some columns of the block.
typedef struct {
    int count, column[PORT_MOST];
    double value[PORT_MOST];
} port_row;

double port_flow(const port *p, const motion *at);
void port_push(const port *p, const motion *at, double effort, load *out);
port_row port_gradient(const port *p, const motion *at); // d flow / d rate
port_row port_turning(const port *p, const motion *at);  // d flow / d value
// -d (g effort) / d value at a constant effort, added to a block.
void port_stiffness(const port *p, const motion *at, double effort, int width, double *K);
