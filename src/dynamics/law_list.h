// SPDX-License-Identifier: MIT
// The list of laws and constraints: a new one is its file, which defines the law_kind name_kind, and one line here.
// Their order is that of all sums, so that it is part of the bits.
#pragma once
#include "state/law.h"

#define LAW_LIST(X)                                                                                          \
    X(spring)                                                                                                \
    X(torque)                                                                                                \
    X(dc_motor)                                                                                              \
    X(point_contact)                                                                                         \
    X(guide)                                                                                                 \
    X(rolling)                                                                                               \
    X(gear)                                                                                                  \
    X(rack)                                                                                                  \
    X(coupling)                                                                                              \
    X(distance)                                                                                              \
    X(dot)                                                                                                   \
    X(coincide)                                                                                              \
    X(in_plane)                                                                                              \
    X(on_line)                                                                                               \
    X(cam)                                                                                                   \
    X(on_curve)                                                                                              \
    X(expression)                                                                                            \
    X(user)                                                                                                  \
    X(torsion_spring)                                                                                        \
    X(stop)                                                                                                  \
    X(motor)                                                                                                 \
    X(brake)                                                                                                 \
    X(joint_friction)                                                                                        \
    X(bushing)                                                                                               \
    X(force)                                                                                                 \
    X(body_torque)                                                                                           \
    X(drag)                                                                                                  \
    X(user_force)                                                                                            \
    X(knife_edge)                                                                                            \
    X(velocity)                                                                                              \
    X(force_action)                                                                                          \
    X(moment_action)                                                                                         \
    X(effort_action)                                                                                         \
    X(tyre_linear)                                                                                           \
    X(contact)                                                                                               \
    X(tyre_pacejka)                                                                                          \
    X(tyre_tmeasy)                                                                                           \
    X(tyre_lean)                                                                                             \
    X(tyre_magic)                                                                                            \
    X(bearing)                                                                                               \
    X(air)                                                                                                   \
    X(graph)                                                                                                 \
    X(user_law)                                                                                              \
    X(beam)

#define LAW_DECLARED(name) extern const law_kind name##_kind;
LAW_LIST(LAW_DECLARED)
#undef LAW_DECLARED

// bi_add_name of the public interface: what bi_add does with the table of the kind.
#define LAW_ADDER(name)                                                                                      \
    bi_element bi_add_##name(bi_model *m, const bi_##name##_def *def)                                        \
    {                                                                                                        \
        return bi_add(m, name##_kind.schema, def);                                                           \
    }
