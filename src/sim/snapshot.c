// SPDX-License-Identifier: MIT
// Snapshots hold every state of a run; hashes compare runs bit by bit.
#include "base/hash.h"
#include "sim/system.h"
#include <string.h>

static const uint64_t magic = 0x42494c4153313036u; // changes with the layout

// Everything that changes during a run, as a list of pieces: one place for saving, loading and hashing.
enum { MAX_PIECES = 72 };

static int add_coords(const bi_sim *sim, coords *c, piece *out, int count)
{
    const structure *st = &sim->system->dynamics.structure;
    const plan *p = &sim->system->dynamics.plan;
    size_t n = (size_t)st->n * sizeof(double);
    const piece own[] = { { &c->t, sizeof c->t },
                          { c->q, n },
                          { c->v, n },
                          { c->a, n },
                          { c->drive, n },
                          { c->lambda, (size_t)st->n_row * sizeof(double) },
                          { c->z, (size_t)p->n_z * sizeof(double) },
                          { c->dz, (size_t)p->n_z * sizeof(double) },
                          { c->memory, (size_t)p->n_memory * sizeof(double) },
                          { c->pool, (size_t)p->n_pool * sizeof(double) },
                          { c->chart, (size_t)st->n_chart * sizeof(double) } };
    memcpy(&out[count], own, sizeof own);
    return count + (int)(sizeof own / sizeof *own);
}

// The state, then what is only counted: `n_state` pieces make the hash.
static int list_pieces(bi_sim *sim, piece *out, int *n_state)
{
    stepper_pieces step = stepper_list(&sim->stepper);
    // the hash leaves the numbers of a tangent out: they follow from the states before
    if (sim_scheme(sim)->is_explicit) {
        step.tangent.size = step.gradients.size = 0;
    }
    int count = add_coords(sim, &sim->stepper.now, out, 0);
    count = add_coords(sim, &sim->stepper.old, out, count);
    const piece own[] = { step.weight,
                          step.sigma,
                          { sim->input, (size_t)sim->system->dynamics.n_input * sizeof(double) },
                          { &sim->t, sizeof sim->t },
                          { &sim->step, sizeof sim->step },
                          { &sim->grid_t, sizeof sim->grid_t },
                          { &sim->grid_step, sizeof sim->grid_step },
                          { &sim->work, sizeof sim->work },
                          { &sim->work_old, sizeof sim->work_old },
                          { &sim->power, sizeof sim->power },
                          { &sim->energy_start, sizeof sim->energy_start },
                          { &sim->in_a_row, sizeof sim->in_a_row },
                          step.use,
                          step.last,
                          { &sim->started, sizeof sim->started } };
    // by the options, as they were cut: pointers are NULL while the memory is measured
    size_t states = adapt_n_state(sim->system) * sizeof(double);
    const piece counts[] = { { &sim->step_overs, sizeof sim->step_overs },
                             { &sim->unconverged, sizeof sim->unconverged },
                             { &sim->counted, sizeof sim->counted },
                             step.n_iteration,
                             step.n_factor,
                             step.spin,
                             step.tangent,
                             step.gradients,
                             { &sim->adapt, sizeof sim->adapt },
                             step.rank,
                             { &sim->judge, sizeof sim->judge },
                             { sim->judge_u, (size_t)judge_inputs_count(sim->system) * sizeof(double) },
                             { sim->judge_q, 2 * (size_t)sim->system->dynamics.structure.n * sizeof(double) },
                             { sim->judge_z, 4 * (size_t)sim->system->dynamics.plan.n_z * sizeof(double) },
                             { sim->size_z, 2 * states },
                             { sim->spare[0].dz, states },
                             { sim->is_on, (size_t)sim->system->model->n_event * sizeof(double) },
                             { sim->log, EVENTS_MOST * sizeof *sim->log },
                             { &sim->n_logged, sizeof sim->n_logged },
                             { &sim->stop_t, sizeof sim->stop_t },
                             { &sim->moved, sizeof sim->moved },
                             { &sim->turned, sizeof sim->turned } };
    memcpy(&out[count], own, sizeof own);
    *n_state = count + (int)(sizeof own / sizeof *own);
    memcpy(&out[*n_state], counts, sizeof counts);
    return *n_state + (int)(sizeof counts / sizeof *counts);
}

typedef struct {
    uint64_t magic, system, check;
    uint64_t size;
} header;

static size_t total_size(const piece *list, int count)
{
    size_t size = sizeof(header);
    for (int k = 0; k < count; k++) {
        size += list[k].size;
    }
    return size;
}

size_t bi_sim_save(const bi_sim *sim, void *buffer, size_t capacity)
{
    if (!sim) {
        return 0;
    }
    piece list[MAX_PIECES];
    int n_state, count = list_pieces((bi_sim *)sim, list, &n_state);
    size_t size = total_size(list, count);
    if (!buffer || capacity < size) {
        return size;
    }
    char *to = (char *)buffer + sizeof(header);
    uint64_t check = hash_seed;
    for (int k = 0; k < count; k++) {
        if (list[k].size > 0) {
            memcpy(to, list[k].data, list[k].size); // an empty piece may have no address
        }
        check = hash_bytes(check, list[k].data, list[k].size);
        to += list[k].size;
    }
    header h = { magic, sim->system->hash, check, size };
    memcpy(buffer, &h, sizeof h);
    return size;
}

bi_status bi_sim_load(bi_sim *sim, const void *buffer, size_t size)
{
    if (!sim || !buffer) {
        return sim ? BI_BAD_SNAPSHOT : BI_BAD_ARGUMENT;
    }
    piece list[MAX_PIECES];
    int n_state, count = list_pieces(sim, list, &n_state);
    header h = { 0 };
    if (size >= sizeof h) {
        memcpy(&h, buffer, sizeof h);
    }
    if (h.magic != magic || h.system != sim->system->hash || h.size != size ||
        size != total_size(list, count)) {
        return BI_BAD_SNAPSHOT;
    }
    const char *from = (const char *)buffer + sizeof h;
    uint64_t check = hash_seed;
    for (int k = 0; k < count; k++) {
        check = hash_bytes(check, from, list[k].size);
        from += list[k].size;
    }
    if (check != h.check) {
        return BI_BAD_SNAPSHOT;
    }
    from = (const char *)buffer + sizeof h;
    for (int k = 0; k < count; k++) {
        if (list[k].size > 0) {
            memcpy(list[k].data, from, list[k].size);
        }
        from += list[k].size;
    }
    // constants live behind the variables
    const structure *st = &sim->system->dynamics.structure;
    size_t tail = (size_t)(st->n_q - st->n) * sizeof(double);
    memcpy(&sim->stepper.now.q[st->n], &st->q0[st->n], tail);
    memcpy(&sim->stepper.old.q[st->n], &st->q0[st->n], tail);
    trays_forget(&sim->system->dynamics, &sim->stepper.trays);
    stepper_restore(&sim->stepper);
    sim->is_at_rest = false;
    sim->have = 0;
    sim->failure[0] = '\0';
    return BI_OK;
}

uint64_t bi_sim_hash(const bi_sim *sim)
{
    if (!sim) {
        return 0;
    }
    piece list[MAX_PIECES];
    int n_state;
    list_pieces((bi_sim *)sim, list, &n_state);
    uint64_t hash = hash_bytes(hash_seed, &sim->system->hash, sizeof sim->system->hash);
    for (int k = 0; k < n_state; k++) {
        hash = hash_bytes(hash, list[k].data, list[k].size);
    }
    return hash;
}
