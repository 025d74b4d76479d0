// SPDX-License-Identifier: MIT
// The model of an instance from its files: read, set, compiled.
#include "fmu/source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };

static void set_options(instance *it, bi_run *run, bi_report *report)
{
    bi_model_place(it->own_model, nowhere);
    for (int k = 0; k < it->n_option; k++) {
        bi_run_set(run, it->own_model, it->option_key[k], it->option_value[k], NULL, report);
    }
}

typedef struct {
    const instance *it;
    char *root; // real path of the resources
    bool is_outside;
} reading;

// Whatever the model reads lies in the FMU.
static void look_where(void *context, const char *path)
{
    reading *r = context;
    char *real = realpath(path, NULL);
    if (real && (!r->root || strncmp(real, r->root, strlen(r->root)) != 0)) {
        instance_say(r->it, FMI_ERROR, "the model reads %s, which is not in the FMU", path);
        r->is_outside = true;
    }
    free(real);
}

bool source_open(instance *it)
{
    char path[4096];
    bi_report report = { 0 };
    bi_run run;
    snprintf(path, sizeof path, "%s%s", it->folder, it->model_path);
    instance_drop_model(it);
    reading r = { .it = it, .root = realpath(it->folder, NULL) };
    bi_read_watch watch = { .context = &r, .reads = look_where };
    it->own_model =
        bi_read_model_watched(path, it->setting, it->n_setting, it->run_name, &watch, &run, &report);
    it->model = it->own_model;
    free(r.root);
    if (it->model && report.errors == 0 && !r.is_outside) {
        set_options(it, &run, &report);
    }
    if (it->model && report.errors == 0 && !r.is_outside) {
        bi_options options = bi_run_options(&run);
        options.dt = it->dt;
        options.start_time = it->has_start_time ? it->start_time : run.start_time;
        it->start_time = options.start_time;
        it->is_auto = run.is_auto;
        it->starts_in_equilibrium = run.starts_in_equilibrium;
        it->starts_settled = run.starts_settled;
        it->system = bi_compile(it->own_model, &options, &report);
        it->sim = it->system ? bi_sim_create(it->system) : NULL;
    }
    instance_say_report(it, &report);
    bi_report_clear(&report);
    it->is_stale = false;
    return it->sim && instance_is_as_described(it);
}
