// SPDX-License-Identifier: MIT
// Snapshots hold every state of a run; hashes compare runs bit by bit.
#include "base/hash.h"
#include "dynamics/rooms.h"
#include "sim/system.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t magic = 0x42494c4153313037u; // changes with the layout

// Everything that changes during a run but pools, as a list of pieces: one place for saving, loading and hashing. Pools come
// last, as far as they are used.
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
                          { NULL, 0 }, // pools come last, and hashes of what has none stay as they were
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
                          { &sim->started, sizeof sim->started },
                          { sim->device, (size_t)sim->system->n_device * sizeof *sim->device } };
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
                             { sim->judge_e, 2 * (size_t)judge_n_part(sim->system) * sizeof(double) },
                             { sim->judge_q, 2 * (size_t)sim->system->dynamics.structure.n * sizeof(double) },
                             { sim->judge_z, 4 * (size_t)sim->system->dynamics.plan.n_z * sizeof(double) },
                             { sim->size_z, 2 * states },
                             { sim->spare[0].dz, states },
                             { sim->is_on, (size_t)sim->system->model->n_event * sizeof(double) },
                             { sim->open,
                               (size_t)(THINGS_MOST * sim->system->model->n_event) * sizeof *sim->open },
                             { sim->log, EVENTS_MOST * sizeof *sim->log },
                             { sim->hit, (size_t)sim->system->n_hit * sizeof *sim->hit },
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

// ---- pools -----------------------------------------------------------------------------------------------------

enum { N_POOLED = 2 };

static double *pool_of(bi_sim *sim, int which)
{
    return which == 0 ? sim->stepper.now.pool : sim->stepper.old.pool;
}

static size_t pools_size(bi_sim *sim)
{
    size_t size = 0;
    for (int i = 0; i < N_POOLED; i++) {
        for (int k = 0; k < sim->system->dynamics.plan.n_pools; k++) {
            size += (size_t)pool_used(&pool_of(sim, i)[sim->stepper.trays.room[k].at]) * sizeof(double);
        }
    }
    return size;
}

static void save_pools(bi_sim *sim, char *to)
{
    for (int i = 0; i < N_POOLED; i++) {
        for (int k = 0; k < sim->system->dynamics.plan.n_pools; k++) {
            const double *part = &pool_of(sim, i)[sim->stepper.trays.room[k].at];
            size_t size = (size_t)pool_used(part) * sizeof *part;
            memcpy(to, part, size);
            to += size;
        }
    }
}

static uint64_t hash_pools(bi_sim *sim, uint64_t hash)
{
    for (int i = 0; i < N_POOLED; i++) {
        for (int k = 0; k < sim->system->dynamics.plan.n_pools; k++) {
            const double *part = &pool_of(sim, i)[sim->stepper.trays.room[k].at];
            hash = hash_bytes(hash, part, (size_t)pool_used(part) * sizeof *part);
        }
    }
    return hash;
}

// Numbers and pairs of the next part in a buffer of `left` bytes; false: there is none.
static bool read_part(const char *from, size_t left, pool_need *need)
{
    double head[POOL_LIST + 1] = { 0.0 };
    if (left < POOL_LIST * sizeof *head) {
        return false;
    }
    memcpy(head, from, left < sizeof head ? left : sizeof head);
    if (!(head[POOL_USED] >= 0.0) || head[POOL_USED] > (double)(left / sizeof *head)) {
        return false;
    }
    int used = pool_used(head);
    double pairs = used > POOL_LIST ? head[POOL_LIST] : 0.0;
    *need = (pool_need){ used, pairs >= 0.0 && pairs < used ? (int)pairs : -1 };
    return need->pairs >= 0;
}

// Looks at all parts in the buffer and makes room for them.
static bi_status fit_pools(bi_sim *sim, const char *from, size_t size)
{
    int n = sim->system->dynamics.plan.n_pools;
    pool_need *need = n > 0 ? calloc((size_t)n, sizeof *need) : NULL;
    bi_status status = n > 0 && !need ? BI_NO_MEMORY : BI_OK;
    for (int i = 0; i < N_POOLED * n && status == BI_OK; i++) {
        pool_need part, *most = &need[i % n];
        if (!read_part(from, size, &part)) {
            status = BI_BAD_SNAPSHOT;
            break;
        }
        most->numbers = part.numbers > most->numbers ? part.numbers : most->numbers;
        most->pairs = part.pairs > most->pairs ? part.pairs : most->pairs;
        from += (size_t)part.numbers * sizeof(double);
        size -= (size_t)part.numbers * sizeof(double);
    }
    status = status == BI_OK && size > 0 ? BI_BAD_SNAPSHOT : status;
    if (status == BI_OK && n > 0 && !sim_rooms_fit(sim, need)) {
        status = BI_NO_MEMORY;
    }
    free(need);
    return status;
}

static void load_pools(bi_sim *sim, const char *from)
{
    for (int i = 0; i < N_POOLED; i++) {
        for (int k = 0; k < sim->system->dynamics.plan.n_pools; k++) {
            double *part = &pool_of(sim, i)[sim->stepper.trays.room[k].at], used;
            memcpy(&used, from, sizeof used);
            size_t size = (size_t)pool_used(&used) * sizeof *part;
            memcpy(part, from, size);
            from += size;
        }
    }
}

// ---- whole states ----------------------------------------------------------------------------------------------

size_t bi_sim_save(const bi_sim *sim, void *buffer, size_t capacity)
{
    if (!sim) {
        return 0;
    }
    piece list[MAX_PIECES];
    int n_state, count = list_pieces((bi_sim *)sim, list, &n_state);
    size_t size = total_size(list, count) + pools_size((bi_sim *)sim);
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
    save_pools((bi_sim *)sim, to);
    check = hash_bytes(check, to, (size_t)((char *)buffer + size - to));
    header h = { magic, sim->system->hash, check, size };
    memcpy(buffer, &h, sizeof h);
    return size;
}

// Of what lies in a buffer.
static uint64_t check_of(const piece *list, int count, const void *buffer, size_t size)
{
    const char *from = (const char *)buffer + sizeof(header);
    uint64_t check = hash_seed;
    for (int k = 0; k < count; k++) {
        check = hash_bytes(check, from, list[k].size);
        from += list[k].size;
    }
    return hash_bytes(check, from, (size_t)((const char *)buffer + size - from));
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
    size_t fixed = total_size(list, count);
    if (h.magic != magic || h.system != sim->system->hash || h.size != size || size < fixed) {
        return BI_BAD_SNAPSHOT;
    }
    const char *pools = (const char *)buffer + fixed;
    bool is_sound = check_of(list, count, buffer, size) == h.check;
    bi_status status = is_sound ? fit_pools(sim, pools, size - fixed) : BI_BAD_SNAPSHOT;
    if (status != BI_OK) {
        return status;
    }
    const char *from = (const char *)buffer + sizeof h;
    for (int k = 0; k < count; k++) {
        if (list[k].size > 0) {
            memcpy(list[k].data, from, list[k].size);
        }
        from += list[k].size;
    }
    load_pools(sim, pools);
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
    return hash_pools((bi_sim *)sim, hash);
}
