// SPDX-License-Identifier: MIT
#include "fmu/states.h"
#include <stdlib.h>
#include <string.h>

struct fmu_state {
    fmu_state *next;
    void *bytes;
    size_t size;
};

static fmu_state **find(instance *it, const void *state)
{
    fmu_state **place = &it->states;
    while (*place && *place != state) {
        place = &(*place)->next;
    }
    return *place ? place : NULL;
}

static fmu_state *add(instance *it)
{
    fmu_state *state = calloc(1, sizeof *state);
    if (state) {
        state->next = it->states;
        it->states = state;
    } else {
        instance_say(it, FMI_ERROR, "no memory for the state");
    }
    return state;
}

static fmi_status refuse(const instance *it)
{
    instance_say(it, FMI_ERROR, "this is no state of the FMU, or it was given back");
    return FMI_ERROR;
}

fmi_status states_get(instance *it, fmu_state **state)
{
    if (*state && !find(it, *state)) {
        return refuse(it);
    }
    *state = *state ? *state : add(it);
    return *state ? instance_save(it, &(*state)->bytes, &(*state)->size) : FMI_ERROR;
}

fmi_status states_set(instance *it, fmu_state *state)
{
    return state && find(it, state) ? instance_load(it, state->bytes, state->size) : refuse(it);
}

static void unlink_and_free(fmu_state **place)
{
    fmu_state *state = *place;
    *place = state->next;
    free(state->bytes);
    free(state);
}

fmi_status states_free(instance *it, fmu_state **state)
{
    fmu_state **itself = state ? find(it, state) : NULL;
    if (itself) {
        unlink_and_free(itself);
        return FMI_OK;
    }
    if (!state || !*state) {
        return FMI_OK;
    }
    fmu_state **place = find(it, *state);
    *state = NULL;
    if (!place) {
        return refuse(it);
    }
    unlink_and_free(place);
    return FMI_OK;
}

void states_free_all(instance *it)
{
    while (it->states) {
        unlink_and_free(&it->states);
    }
}

fmi_status states_size(instance *it, const fmu_state *state, size_t *size)
{
    if (!find(it, state)) {
        return refuse(it);
    }
    *size = state->size;
    return FMI_OK;
}

fmi_status states_write(instance *it, const fmu_state *state, void *bytes, size_t size)
{
    if (!find(it, state) || size < state->size) {
        return refuse(it);
    }
    memcpy(bytes, state->bytes, state->size);
    return FMI_OK;
}

fmi_status states_read(instance *it, const void *bytes, size_t size, fmu_state **state)
{
    fmu_state *new = *state &&find(it, *state) ? *state : add(it);
    void *copy = new ? realloc(new->bytes, size + 1) : NULL;
    if (!copy) {
        return FMI_ERROR;
    }
    memcpy(copy, bytes, size);
    new->bytes = copy;
    new->size = size;
    *state = new;
    return FMI_OK;
}
