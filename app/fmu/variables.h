// SPDX-License-Identifier: MIT
/* variables.h - the variables of an FMU: time, inputs, parameters, channels and the hash, each with its value reference.
 * The command that writes an FMU and the library inside it make the same list from the same model. */
#pragma once
#include <biela/biela.h>

typedef enum {
    VARIABLE_TIME,
    VARIABLE_INPUT,
    VARIABLE_PARAMETER,
    VARIABLE_CHANNEL,
    VARIABLE_HASH,       /* of the state, 64 bits; FMI 3.0 */
    VARIABLE_HASH_HALF,  /* 0: its upper 32 bits, 1: its lower ones; FMI 2.0 */
    VARIABLE_STATE,      /* of model exchange: coordinates, then their rates */
    VARIABLE_DERIVATIVE, /* of each state */
} variable_kind;

/* The value reference is the kind and the place in the list of that kind. */
enum { VARIABLE_BITS = 24 };
static inline uint32_t variable_reference(variable_kind kind, int k)
{
    return (uint32_t)kind << VARIABLE_BITS | (uint32_t)k;
}
static inline variable_kind variable_kind_of(uint32_t reference)
{
    return (variable_kind)(reference >> VARIABLE_BITS);
}
static inline int variable_place(uint32_t reference)
{
    return (int)(reference & ((1u << VARIABLE_BITS) - 1));
}

/* A number made of all names in their order: the list of a model whose parameters were changed must be the one that the
 * description was written of. */
uint64_t variables_names(const bi_model *, const bi_system *);

/* The value of a parameter in the unit that the file declares. `unit`: "1" when it has none. False: there is none. */
bool variables_parameter(const bi_model *, int k, const char **name, const char **unit, double *value);
/* SI units that one of `unit` is; 1 where the text is no unit. */
double variables_scale(const bi_model *, const char *unit);
