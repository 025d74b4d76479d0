// SPDX-License-Identifier: MIT
// The constraint elements by name: what bi_add does with the table of their kind.
#include "dynamics/law_list.h"
#include "laws/constraint/constraint.h"

LAW_ADDER(gear)
LAW_ADDER(rack)
LAW_ADDER(coupling)
LAW_ADDER(distance)
LAW_ADDER(dot)
LAW_ADDER(coincide)
LAW_ADDER(in_plane)
LAW_ADDER(on_line)
LAW_ADDER(cam)
LAW_ADDER(on_curve)
LAW_ADDER(knife_edge)
LAW_ADDER(velocity)
LAW_ADDER(expression)

bi_element bi_add_user_constraint(bi_model *m, const bi_user_constraint_def *def)
{
    return user_constraint_add(m, def);
}
