// SPDX-License-Identifier: MIT
// One sim on a device: its pack is unpacked, stepped and packed again.
#include "gpu/kernel.h"
#include <biela/loop.h>

// ---- what a step may ask for outside, where there is nothing outside --------------------------------------------

static bi_status give_up(bi_sim *sim, bi_status status)
{
    (void)sim;
    return status;
}

static bi_status tell_full(bi_sim *sim, int element)
{
    (void)sim;
    (void)element;
    return BI_FULL;
}

static void tell_open(bi_sim *sim, int row, double open)
{
    (void)sim;
    (void)row;
    (void)open;
}

static arena no_block(const bi_system *s, size_t size)
{
    (void)s;
    (void)size;
    return (arena){ 0 };
}

// what there was before the steps stands in the pack
static bool keep_nothing(bi_sim *sim)
{
    (void)sim;
    return true;
}

static const sim_outside outside_nothing = { give_up, tell_full, tell_open, no_block, keep_nothing };

const sim_outside *gpu_outside(void) { return &outside_nothing; }

void gpu_things(uint64_t *at)
{
    for (int k = 0; k < GPU_THINGS; k++) {
        const void *thing = NULL;
        size_t size = 0;
        at[k] = dynamics_thing(k, &thing, &size) ? (uint64_t)(uintptr_t)thing : 0;
    }
}

// ---- from one address to the other ------------------------------------------------------------------------------

void gpu_move(uint64_t *block, const int32_t *word, int64_t n, uint64_t from, uint64_t to)
{
    for (int64_t k = 0; k < n; k++) {
        uint64_t at = block[word[k]];
        block[word[k]] = at == 0 ? 0 : at - from + to;
    }
}

// Where a place in the block of the host lies in the one here, which has the log at once behind the room of a step.
static uint64_t place_here(const gpu_layout *layout, uint64_t place)
{
    const uint64_t log = (uint64_t)layout->log * sizeof place, room = (uint64_t)layout->room * sizeof place;
    const uint64_t behind = log + (uint64_t)layout->n_log * sizeof place;
    return place >= log && place < behind ? place - log + room : place;
}

static void unpack(const gpu_layout *layout, const gpu_case *one, const uint64_t *pack, uint64_t *block)
{
    const uint64_t here = (uint64_t)(uintptr_t)block;
    for (int64_t k = 0; k < layout->hot; k++) {
        block[k] = pack[k];
    }
    for (int64_t k = 0; k < layout->n_log; k++) {
        block[layout->room + k] = pack[layout->hot + k];
    }
    for (int64_t k = 0; k < layout->n_inner; k++) {
        uint64_t at = pack[layout->inner[k]];
        block[layout->inner[k]] = at == 0 ? 0 : place_here(layout, at - one->block) + here;
    }
    gpu_move(block, layout->system, layout->n_system, one->host_system, one->system);
}

static void pack_again(const gpu_layout *layout, const gpu_case *one, uint64_t *block, uint64_t *pack)
{
    const uint64_t here = (uint64_t)(uintptr_t)block;
    gpu_move(block, layout->system, layout->n_system, one->system, one->host_system);
    for (int64_t k = 0; k < layout->n_inner; k++) {
        // most stay what they were, also those that point behind the room of a step
        uint64_t *at = &block[layout->inner[k]], was = pack[layout->inner[k]];
        bool is_same = was != 0 && *at == place_here(layout, was - one->block) + here;
        if (*at != 0) {
            *at = is_same ? was : *at - here + one->block;
        }
    }
    for (int64_t k = 0; k < layout->hot; k++) {
        pack[k] = block[k];
    }
    for (int64_t k = 0; k < layout->n_log; k++) {
        pack[layout->hot + k] = block[layout->room + k];
    }
}

static bi_status go(bi_sim *sim, const gpu_work *work)
{
    if (work->steps < 0) {
        return bi_sim_time(sim) < work->t && !bi_sim_stopped(sim) ? bi_sim_run_to(sim, work->t) : BI_OK;
    }
    bi_status status = BI_OK;
    for (int64_t k = 0; k < work->steps && status == BI_OK && !bi_sim_stopped(sim); k++) {
        status = bi_sim_step(sim);
    }
    return status;
}

void gpu_case_run(const gpu_layout *layout, gpu_case *one, uint64_t *pack, const gpu_work *work,
                  uint64_t *block)
{
    if (!one->is_on) {
        return;
    }
    unpack(layout, one, pack, block);
    bi_sim *sim = (bi_sim *)(void *)block;
    const sim_outside *outside = sim->outside;
    sim->outside = &outside_nothing;
    one->status = go(sim, work);
    sim->outside = outside;
    if (one->status == BI_OK) {
        pack_again(layout, one, block, pack);
    }
}
