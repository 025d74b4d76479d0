// SPDX-License-Identifier: MIT
/* bond.h - bond graphs in a model: elements joined by bonds that carry power.
 *
 * A bond has an effort and a flow and points where their product goes when it is positive. Included by biela.h. */
#pragma once
#include <biela/sim.h>
BI_BEGIN

typedef enum {
    BI_BOND_SE = 1, /* source of effort: value */
    BI_BOND_SF,     /* source of flow: value */
    BI_BOND_R,      /* effort = value * flow, or a law */
    BI_BOND_C,      /* effort = q / value, or a law of q */
    BI_BOND_I,      /* flow = p / value, or a law of p */
    BI_BOND_TF,     /* transformer: e1 = n e2, f2 = n f1; port 1 is the bond that points in */
    BI_BOND_GY,     /* gyrator: e1 = r f2, e2 = r f1 */
    BI_BOND_ZERO,   /* junction of common effort */
    BI_BOND_ONE,    /* junction of common flow */
    BI_BOND_STATE,  /* no power: a number whose rate is the value, for values that read it by its name */
    BI_BOND_PORT,   /* where the graph touches the bodies: flow is a rate there, the effort acts on it */
    BI_BOND_VALUE   /* no power: a number that the value gives at once, for values that read it by its name */
} bi_bond_kind;
typedef enum {
    BI_PORT_JOINT, /* a joint coordinate */
    BI_PORT_LINE,  /* distance of two points, growing; the effort pushes them apart: a cylinder */
    BI_PORT_FORCE, /* velocity of a point along an axis of its body, and a force there */
    BI_PORT_TORQUE /* angular velocity of a body about an axis of it, and a torque */
} bi_port_kind;
typedef enum {
    BI_BOND_LINEAR,
    BI_BOND_EFFORT, /* the law gives the effort */
    BI_BOND_FLOW,   /* the law gives the flow */
    BI_BOND_HOLDS   /* of an R: dry friction that slips with the effort `value`, or is locked */
} bi_bond_law;
enum { BI_BOND_WIDTH = 6 }; /* components of a bond, at most */

/* Values are expressions of t, inputs, signals, joint coordinates, and of the graph: NODE.e, NODE.f, NODE.q, NODE.p
 * (NODE.e2 for the second component), names of states; a law reads its own e, f, q or p by that letter. */
typedef struct {
    const char *name;
    bi_bond_kind kind;
    int32_t size;          /* components, 0 = 1: all bonds of the node have as many */
    int32_t rows, columns; /* of the value; 0 = 1: for all components alike */
    const bi_expr *value;  /* (rows * columns) by rows */
    bi_bond_law law;
    double initial[BI_BOND_WIDTH]; /* p or q, or the state */
    bool is_orthogonal;            /* transformer with a matrix whose transpose is its inverse */
    bi_joint_coordinate joint;     /* port */
    bi_port_kind port;             /* of a port */
    bi_point a, b;                 /* line: both ends; force, torque: a */
    bi_vec3 axis;                  /* force, torque: body axes; with three components x, y and z */
    double breakaway;              /* of what holds: effort that unlocks it over that of slipping; 0 = 1 */
    double settle;                 /* of what holds: s in which what is left of slipping fades; 0: 2 ms */
    double inertia; /* of what holds between ports alone: what it carries; 0: that of the graph */
    bi_place place;
} bi_bond_node;
typedef struct {
    int32_t from, to; /* nodes, from 0 */
    bi_place place;
    int32_t from_component, to_component; /* of wide nodes, from 1; 0: all of them */
} bi_bond;
/* In the values of a part "engine" of the graph, whose nodes are called "engine.J", the name `pedal` ("engine.pedal")
 * stands for a name of what surrounds the part. */
typedef struct {
    const char *name, *as;
} bi_bond_alias;
/* A part "engine" (in another one "drive.engine") and the sub-graph that it is, for pictures. */
typedef struct {
    const char *name, *of;
} bi_bond_part;
typedef struct {
    int32_t n_node, n_bond;
    const bi_bond_node *node;
    const bi_bond *bond;
    int32_t n_alias;
    const bi_bond_alias *alias;
    const char *prefix; /* that bi_model_prefix put before the names of its values; NULL: none */
    int32_t n_part;
    const bi_bond_part *part;
} bi_graph;
typedef struct {
    const char *name;
    bi_graph graph;
} bi_graph_def; /* "graph" in the section "graphs" */
bi_element bi_add_graph(bi_model *, const bi_graph_def *);
bi_element bi_model_graph(const bi_model *, int k); /* the k-th graph, from 0; {0}: there is none */

/* What causality and linear algebra say about a graph, about its initial states at t = 0. Names of the model have the
 * values that `value` gives (bi_sim_value of a started sim), without it the initial ones of inputs and else zero; ports
 * are held. Nodes and bonds are scalar ones: component 2 of a wide node j is j#2. */
typedef enum {
    BI_CAUSALITY_NONE,
    BI_CAUSALITY_INTEGRAL,
    BI_CAUSALITY_DERIVATIVE,
    BI_CAUSALITY_ARBITRARY
} bi_causality;
typedef struct {
    const char *name, *kind; /* "Se" ... */
    const char *value;       /* as text; "": none */
    bi_causality
        causality; /* of storages; arbitrary: a resistor that could choose, part of an algebraic loop */
} bi_bonds_node;
typedef struct {
    int32_t from, to;          /* nodes */
    bool stroke_at_to;         /* the effort goes to `to`, the flow comes back */
    const char *effort, *flow; /* in symbols, one assignment each */
} bi_bonds_bond;
typedef struct {
    const char *name; /* "L.p" */
    const char *rate; /* in symbols, substituted */
    double initial;
} bi_bonds_state;
typedef struct {
    const char *name; /* of the graph */
    int32_t n_node, n_bond, n_state, n_source, n_loop;
    bi_bonds_node *node;
    bi_bonds_bond *bond;
    bi_bonds_state *state;
    const char **source; /* names, columns of B */
    const char **loop;   /* equations of algebraic loops */
    bool
        is_closed; /* the graph is linear: its equations are explicit, loops and derivative storages eliminated */
    const char *why_not_closed;                  /* "": it is */
    const char **closed;                         /* (n_state) rates in symbols */
    double *closed_A, *closed_B, *closed_B_rate; /* numbers of those symbols */
    double *C, *D;          /* d (effort, flow of each bond) / d state, source; by rows, two for each bond */
    double *A, *B, *B_rate; /* d rate / d state, source, rate of source; by rows */
    double *re, *im;        /* eigenvalues of A */
    bool has_numbers,
        has_steady; /* false: the equations have no solution there; no steady state is isolated */
    double *steady; /* states */
    double *steady_effort, *steady_flow; /* of the bonds */
    int32_t n_part, n_alias;             /* as the graph has them; they live as long as the model */
    const bi_bond_part *part;
    const bi_bond_alias *alias;
    void *memory;
} bi_bonds;
typedef bool bi_name_value(void *context, const char *name, double *value);
bool bi_bonds_make(const bi_model *, bi_element graph, bi_name_value *value, void *context, bi_bonds *,
                   bi_report *);
void bi_bonds_clear(bi_bonds *);

/* An input, a signal, a joint coordinate or rate (crank.angle, crank.rate) as shown. False: no expression or law reads it. */
bool bi_sim_value(bi_sim *, const char *name, double *value);
/* Effort, flow, power and the energy that went through scalar bond k since the start, as shown. */
bool bi_sim_bond(bi_sim *, bi_element graph, int32_t k, double out[4]);
BI_END
