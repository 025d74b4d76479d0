// SPDX-License-Identifier: MIT
#include "fmu/states.h"
#include "fmu/exchange.h"
#include <stdlib.h>
#include <string.h>

// ---- as bytes -----------------------------------------------------------------------------------------------------

typedef struct {
    char magic[8];
    double t, start_time;
    int64_t is_over, n_input;
} state_head;
static const char magic[8] = "bielaFMU";

static fmi_status save(instance *it, void **bytes, size_t *size)
{
    size_t n_input = (size_t)bi_input_count(it->system), head = sizeof(state_head) + n_input * sizeof(double);
    if ((it->phase == PHASE_NEW && instance_start(it) != FMI_OK) || exchange_settle(it) != FMI_OK) {
        return FMI_ERROR;
    }
    size_t snapshot = bi_sim_save(it->sim, NULL, 0);
    char *all = realloc(*bytes, head + snapshot);
    if (!all) {
        instance_say(it, FMI_ERROR, "no memory for the state");
        return FMI_ERROR;
    }
    state_head first = {
        .t = it->t, .start_time = it->start_time, .is_over = it->is_over, .n_input = (int64_t)n_input
    };
    memcpy(first.magic, magic, sizeof magic);
    memcpy(all, &first, sizeof first);
    memcpy(all + sizeof first, it->input, n_input * sizeof(double));
    bi_sim_save(it->sim, all + head, snapshot);
    *bytes = all;
    *size = head + snapshot;
    return FMI_OK;
}

static fmi_status load(instance *it, const void *bytes, size_t size)
{
    state_head first;
    size_t n_input = (size_t)bi_input_count(it->system), head = sizeof first + n_input * sizeof(double);
    if (!bytes || size < head || memcmp(bytes, magic, sizeof magic) != 0) {
        instance_say(it, FMI_ERROR, "this is no state of the FMU");
        return FMI_ERROR;
    }
    memcpy(&first, bytes, sizeof first);
    if (it->phase == PHASE_NEW) {
        instance_start_at(it, first.start_time);
        if (instance_start(it) != FMI_OK) {
            return FMI_ERROR;
        }
    }
    bi_status status = first.n_input == (int64_t)n_input
                           ? bi_sim_load(it->sim, (const char *)bytes + head, size - head)
                           : BI_BAD_SNAPSHOT;
    if (status != BI_OK) {
        instance_say(it, FMI_ERROR, "%s; it is of this FMU with other parameters, or of another one",
                     bi_status_text(status));
        return FMI_ERROR;
    }
    memcpy(it->input, (const char *)bytes + sizeof first, n_input * sizeof(double));
    it->t = first.t;
    it->is_over = first.is_over != 0;
    it->phase = PHASE_STEPS;
    return !it->is_exchange || exchange_begin(it) ? FMI_OK : FMI_ERROR;
}

// ---- those that a simulator keeps ---------------------------------------------------------------------------------

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
    return *state ? save(it, &(*state)->bytes, &(*state)->size) : FMI_ERROR;
}

fmi_status states_set(instance *it, fmu_state *state)
{
    return state && find(it, state) ? load(it, state->bytes, state->size) : refuse(it);
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
