// SPDX-License-Identifier: MIT
/* states.h - states of an instance that a simulator keeps: made, written as bytes, given back. */
#pragma once
#include "fmu/instance.h"

typedef struct fmu_state fmu_state;

fmi_status states_get(instance *, fmu_state **state); /* *state NULL: a new one */
fmi_status states_set(instance *, fmu_state *state);
/* Also takes the state itself for its place, as a simulator does that we met. */
fmi_status states_free(instance *, fmu_state **state);
void states_free_all(instance *);
fmi_status states_size(instance *, const fmu_state *state, size_t *size);
fmi_status states_write(instance *, const fmu_state *state, void *bytes, size_t size);
fmi_status states_read(instance *, const void *bytes, size_t size, fmu_state **state);
