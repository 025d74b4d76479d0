// SPDX-License-Identifier: MIT
#include "running/checkpoint.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "BIELACP2";

// A wheel that pulls; its name is that of the system.
typedef struct {
    int64_t rows; // that pull; 0: none did
    double first, at, worst;
} pull;

// What stands before the snapshot; the snapshot has its own check of model, options and damage.
typedef struct {
    char magic[8];
    int64_t step, csv_bytes, rows;
    double t, balance_start, violation, energy_drift;
    pull pulls[RECORD_TOUCHES];
    uint64_t mark;     // of the last row of the file
    uint64_t snapshot; // bytes
    uint64_t check;    // of all before
} header;

// FNV-1a
static uint64_t check_of(const header *h)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < offsetof(header, check); k++) {
        hash = (hash ^ ((const unsigned char *)h)[k]) * 0x100000001b3u;
    }
    return hash;
}

static void put_pulls(const record *from, header *to)
{
    for (int k = 0; k < RECORD_TOUCHES; k++) {
        const record_touch *touch = &from->touch[k];
        to->pulls[k] = (pull){ touch->rows, touch->first, touch->at, touch->worst };
    }
}

static void get_pulls(const header *from, record *to)
{
    for (int k = 0; k < RECORD_TOUCHES; k++) {
        const pull *p = &from->pulls[k];
        if (p->rows > 0) {
            to->touch[k] = (record_touch){
                .pulls = true, .first = p->first, .at = p->at, .worst = p->worst, .rows = (int)p->rows
            };
        }
    }
}

bool checkpoint_write(const char *path, const checkpoint *c, const bi_sim *sim)
{
    header h = { .step = c->step,
                 .csv_bytes = c->csv_bytes,
                 .rows = c->so_far.rows,
                 .t = c->so_far.t,
                 .balance_start = c->balance_start,
                 .violation = c->so_far.violation,
                 .energy_drift = c->so_far.energy_drift,
                 .mark = c->so_far.mark,
                 .snapshot = bi_sim_save(sim, NULL, 0) };
    memcpy(h.magic, magic, sizeof magic);
    put_pulls(&c->so_far, &h);
    h.check = check_of(&h);
    void *state = words_alloc(h.snapshot);
    bi_sim_save(sim, state, h.snapshot);
    bi_outfile *output = outfiles_begin(path);
    if (output) {
        fwrite(&h, sizeof h, 1, bi_outfile_file(output));
        fwrite(state, h.snapshot, 1, bi_outfile_file(output));
    }
    free(state);
    return output && outfiles_end(output);
}

static bool read_all(FILE *file, header *h, void **state)
{
    if (fread(h, sizeof *h, 1, file) != 1 || memcmp(h->magic, magic, sizeof magic) != 0 ||
        h->check != check_of(h) || h->snapshot > 1u << 30) {
        return false;
    }
    *state = words_alloc(h->snapshot + 1);
    return fread(*state, 1, h->snapshot + 1, file) == h->snapshot;
}

bool checkpoint_read(const char *path, checkpoint *c, bi_sim *sim)
{
    header h = { 0 };
    void *state = NULL;
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    if (!file) {
        fprintf(stderr, "biela: error: cannot read the checkpoint %s: %s\n", path, why);
        return false;
    }
    bool ok = read_all(file, &h, &state);
    fclose(file);
    if (!ok) {
        fprintf(stderr, "biela: error: %s is not a checkpoint of biela, or a part of it is missing\n", path);
    } else if (bi_sim_load(sim, state, h.snapshot) != BI_OK) {
        fprintf(stderr,
                "biela: error: the checkpoint %s belongs to another model, parameter, step or scheme; "
                "restart with the "
                "same command line\n",
                path);
        ok = false;
    }
    free(state);
    *c = (checkpoint){ .step = h.step, .csv_bytes = h.csv_bytes, .balance_start = h.balance_start };
    c->so_far = (record){
        .rows = h.rows, .mark = h.mark, .t = h.t, .violation = h.violation, .energy_drift = h.energy_drift
    };
    get_pulls(&h, &c->so_far);
    return ok;
}
