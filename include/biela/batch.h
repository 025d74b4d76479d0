// SPDX-License-Identifier: MIT
/* batch.h - many runs at once: sims of one system with other inputs and starts, or of systems that differ in their numbers.
 * Each sim has the bits that it would have alone, whatever the device and however many work on it. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

/* Who steps the sims, by name: the first is the one that the others are compared with. `lanes` steps four or eight of them side by
 * side on each core, of images whose systems differ in numbers only, and the others one by one. `gpu` takes systems of images only
 * (bi_image_load) and says why it cannot take one, or why there is no GPU; `mirror` does the same on this machine at other
 * addresses, for tests. NULL: no more. */
const char *bi_batch_device_name(int k);
/* It takes systems of images only, as it puts them into other memory. */
bool bi_batch_device_takes_images(const char *name);

/* What a system takes on a device. */
typedef struct {
    double sim;     /* bytes of a sim here */
    double travels; /* bytes of it that go to the device and come back; 0: it stays here */
    double there;   /* bytes that one takes on the device while it is stepped; 0: it stays here */
    double system;  /* bytes of the system there; 0: it stays here */
    double most; /* sims that have room at once; more are done in parts. 0: nobody knows before it is there */
    char machine[128]; /* who steps there; "": there is none, and the report has a note why */
} bi_batch_fit;
/* False: the device does not take this system, and the report says why. Nothing is stepped. */
bool bi_batch_fits(const bi_system *, const char *device, bi_batch_fit *, bi_report *);

typedef struct {
    const char *device; /* NULL: the first */
    int workers;        /* threads, at most 64; 0: one per processor */
    double most_memory; /* bytes that the sims may take together; 0: 80 % of what the machine has */
} bi_batch_options;

/* A batch belongs to one thread at a time. Memory is taken when it is created, never in a step. */
typedef struct bi_batch bi_batch;
/* `count` sims of one system, from 1 on; options may be NULL. NULL: the report says why, with the memory that it would take. */
bi_batch *bi_batch_create(const bi_system *, int count, const bi_batch_options *, bi_report *);
/* The same with a system for each sim, such as a model compiled with other parameters. All must have the inputs and channels of
 * the first one. Systems must outlive the batch. */
bi_batch *bi_batch_create_of(const bi_system *const *system, int count, const bi_batch_options *,
                             bi_report *);
void bi_batch_destroy(bi_batch *);
int bi_batch_count(const bi_batch *);
/* For whatever is not said here: snapshots, events, verdicts, reactions. NULL: none of this number. */
bi_sim *bi_batch_sim(bi_batch *, int k);

/* Each of these does all sims and returns BI_OK, however many of them fail: one that fails stays where it is, keeps its status,
 * and does not hold up the others. BI_BAD_ARGUMENT: nothing was done. */
bi_status bi_batch_start(bi_batch *);               /* all from the beginning */
bi_status bi_batch_restart(bi_batch *, int k);      /* one of them; its own status */
bi_status bi_batch_step(bi_batch *, int64_t steps); /* of dt, each sim that has not failed or stopped */
bi_status bi_batch_run_to(bi_batch *, double t);
/* value[i * count + k]: of input i for sim k; held until changed. */
bi_status bi_batch_inputs(bi_batch *, const bi_input *, int n_input, const double *value);
/* value[i * count + k]: of channel i of sim k; NAN where it has not started. */
bi_status bi_batch_read(bi_batch *, const bi_channel *, int n_channel, double *value);
bi_status bi_batch_hashes(bi_batch *, uint64_t *hash); /* (count) as bi_sim_hash; 0: not started */

bi_status bi_batch_status(const bi_batch *,
                          int k); /* of the sim's last start or step; BI_BAD_ARGUMENT: no such sim */
const char *bi_batch_failure(const bi_batch *, int k); /* why; "" if it has not failed */
int bi_batch_failed(const bi_batch *);                 /* how many have */

/* A number between 0 and 1, both excluded, by seed, name and number of a case: the same on every machine, in any order, and with
 * any other names beside it. */
double bi_random(uint64_t seed, const char *name, uint64_t number);
BI_END
