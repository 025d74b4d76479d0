// SPDX-License-Identifier: MIT
// Bond graphs for the table of forces.
#ifndef BIELA_TESTS_LAWS_BOND_SAMPLES_H
#define BIELA_TESTS_LAWS_BOND_SAMPLES_H

#include "laws/force_samples.h"

// A motor whose constant reads another joint, with a shaft and friction of their own laws and a signal; and a network with an
// algebraic loop on the other joint.
static inline bi_bond_node node_of(bi_model *m, const char *name, bi_bond_kind kind, const char *value,
                                   bi_bond_law law)
{
    static bi_expr room[64];
    static int used;
    bi_bond_node n = { .name = name, .kind = kind, .law = law };
    if (value) {
        room[used] = bi_expression(m, value, NULL);
        n.value = &room[used];
        used = (used + 1) % 64;
    }
    return n;
}

static inline bi_bond_node port_of(bi_joint joint)
{
    return (bi_bond_node){ .name = "port", .kind = BI_BOND_PORT, .joint = { joint, 0 } };
}

static inline void describe_graph(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    bi_joint first = add_hinge(m, "first", BI_GROUND, a), second = add_hinge(m, "second", a, b);
    bi_add_signal(
        m, &(bi_signal_def){ .name = "mix", .value = bi_expression(m, "first.rate*second.angle + t", NULL) });
    const bi_bond_node motor[] = {
        node_of(m, "V", BI_BOND_SE, "12 - 4*second.angle + mix", BI_BOND_LINEAR),
        node_of(m, "j1", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "La", BI_BOND_I, "2e-3", BI_BOND_LINEAR),
        node_of(m, "Ra", BI_BOND_R, "0.8", BI_BOND_LINEAR),
        node_of(m, "gy", BI_BOND_GY, "0.3 + 0.05*first.angle*La.f", BI_BOND_LINEAR),
        node_of(m, "j2", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "shaft", BI_BOND_C, "0.1*q + 0.01*q^3", BI_BOND_EFFORT),
        node_of(m, "j3", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "drag", BI_BOND_R, "0.2*f + 0.1*f^3", BI_BOND_EFFORT),
        port_of(second),
    };
    static const bi_bond motor_bond[] = { { .from = 0, .to = 1 }, { .from = 1, .to = 2 },
                                          { .from = 1, .to = 3 }, { .from = 1, .to = 4 },
                                          { .from = 4, .to = 5 }, { .from = 5, .to = 6 },
                                          { .from = 5, .to = 7 }, { .from = 7, .to = 8 },
                                          { .from = 9, .to = 7 } };
    bi_add_graph(
        m, &(bi_graph_def){ "motor", { .n_node = 10, .n_bond = 9, .node = motor, .bond = motor_bond } });
    const bi_bond_node loop[] = {
        node_of(m, "F", BI_BOND_SE, "5*first.angle", BI_BOND_LINEAR),
        node_of(m, "j1", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "R1", BI_BOND_R, "3", BI_BOND_LINEAR),
        node_of(m, "j2", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "R2", BI_BOND_R, "6", BI_BOND_LINEAR),
        port_of(first),
    };
    static const bi_bond loop_bond[] = { { .from = 0, .to = 1 },
                                         { .from = 1, .to = 2 },
                                         { .from = 1, .to = 3 },
                                         { .from = 3, .to = 4 },
                                         { .from = 3, .to = 5 } };
    bi_add_graph(m, &(bi_graph_def){ "loop", { .n_node = 6, .n_bond = 5, .node = loop, .bond = loop_bond } });
}

// A cylinder between two bodies, a damper in all directions of a point with a spring in one, and a rotor with drag about an axis.
static inline void describe_ports(bi_model *m, const placement *w)
{
    (void)w;
    bi_body a = add_body(m, "a", (vec3){ 0, 0, 0 }), b = add_body(m, "b", (vec3){ 1, 0, 0 });
    const bi_bond_node cylinder[] = {
        node_of(m, "Q", BI_BOND_SF, "0.3 + 0.1*sin(t)", BI_BOND_LINEAR),
        node_of(m, "z", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "oil", BI_BOND_C, "2e-2", BI_BOND_LINEAR),
        node_of(m, "leak", BI_BOND_R, "0.1*e + 0.02*e^3", BI_BOND_FLOW),
        { .name = "rod",
          .kind = BI_BOND_PORT,
          .port = BI_PORT_LINE,
          .a = { a, { 0.1, 0.2, -0.3 } },
          .b = { b, { -0.2, 0.4, 0.1 } } },
    };
    static const bi_bond cylinder_bond[] = {
        { .from = 0, .to = 1 }, { .from = 1, .to = 2 }, { .from = 1, .to = 3 }, { .from = 1, .to = 4 }
    };
    bi_add_graph(m, &(bi_graph_def){ "cylinder",
                                     { .n_node = 5, .n_bond = 4, .node = cylinder, .bond = cylinder_bond } });
    bi_bond_node wide = node_of(m, "c", BI_BOND_R, "0.7*f + 0.2*f^3", BI_BOND_EFFORT),
                 one = node_of(m, "v", BI_BOND_ONE, NULL, BI_BOND_LINEAR);
    wide.size = one.size = 3;
    const bi_bond_node point[] = {
        { .name = "P",
          .kind = BI_BOND_PORT,
          .size = 3,
          .port = BI_PORT_FORCE,
          .a = { a, { 0.2, -0.1, 0.3 } } },
        one,
        wide,
        node_of(m, "k", BI_BOND_C, "0.4", BI_BOND_LINEAR),
    };
    static const bi_bond point_bond[] = { { .from = 0, .to = 1 },
                                          { .from = 1, .to = 2 },
                                          { .from = 1, .to = 3, .from_component = 2 } };
    bi_add_graph(m,
                 &(bi_graph_def){ "point", { .n_node = 4, .n_bond = 3, .node = point, .bond = point_bond } });
    const bi_bond_node rotor[] = {
        node_of(m, "T", BI_BOND_SE, "2", BI_BOND_LINEAR),
        node_of(m, "j", BI_BOND_ONE, NULL, BI_BOND_LINEAR),
        node_of(m, "J", BI_BOND_I, "0.05", BI_BOND_LINEAR),
        node_of(m, "z", BI_BOND_ZERO, NULL, BI_BOND_LINEAR),
        node_of(m, "belt", BI_BOND_R, "0.6*f + 0.1*f^3", BI_BOND_EFFORT),
        { .name = "P",
          .kind = BI_BOND_PORT,
          .port = BI_PORT_TORQUE,
          .a = { b, { 0, 0, 0 } },
          .axis = { 1, 2, -1 } },
    };
    static const bi_bond rotor_bond[] = { { .from = 0, .to = 1 },
                                          { .from = 1, .to = 2 },
                                          { .from = 1, .to = 3 },
                                          { .from = 3, .to = 4 },
                                          { .from = 3, .to = 5 } };
    bi_add_graph(m,
                 &(bi_graph_def){ "rotor", { .n_node = 6, .n_bond = 5, .node = rotor, .bond = rotor_bond } });
}

#endif
