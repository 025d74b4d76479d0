// SPDX-License-Identifier: MIT
// The constraint elements by name: what bi_add does with the table of their kind.
#include "dynamics/law_list.h"
#include "laws/constraint/constraint.h"

#define ADD(word)                                                                                            \
    bi_element bi_add_##word(bi_model *m, const bi_##word##_def *def)                                        \
    {                                                                                                        \
        return bi_add(m, word##_kind.schema, def);                                                           \
    }
ADD(gear)
ADD(rack)
ADD(coupling)
ADD(distance)
ADD(dot)
ADD(coincide)
ADD(in_plane)
ADD(on_line)
ADD(cam)
ADD(on_curve)
ADD(knife_edge)
ADD(velocity)
ADD(expression)

bi_element bi_add_user_constraint(bi_model *m, const bi_user_constraint_def *def)
{
    return user_constraint_add(m, def);
}
