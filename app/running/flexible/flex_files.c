// SPDX-License-Identifier: MIT
#include "running/flexible/flex_files.h"
#include "cli/endings.h"
#include "cli/files.h"
#include <stdlib.h>

static bool add_row(void *context, bi_sim *sim)
{
    flex_files *f = context;
    if (f->envelope) {
        bi_envelope_add(f->envelope, sim);
    }
    f->frames++;
    f->has_failed = f->pvd && bi_pvd_frame(f->pvd, sim) != BI_OK;
    return !f->has_failed;
}

static bool add_step(void *context, bi_sim *sim)
{
    flex_files *f = context;
    return life_files_step(&f->life, sim);
}

bool flex_files_begin(flex_files *f, const session *s, const arguments *args, const char *out,
                      record_plan *plan)
{
    bi_report report = { 0 };
    f->envelope_path = arguments_value(args, "--envelope");
    if (arguments_has(args, "--vtu")) {
        f->pvd_path = file_with_ending(out, ENDING_FRAMES);
        f->pvd = bi_pvd_create(f->pvd_path, s->model, &report);
    }
    if (f->envelope_path && file_make_folders(f->envelope_path)) {
        f->envelope = bi_envelope_create(s->model, &report);
    }
    if (f->pvd || f->envelope) {
        plan->row = add_row;
    }
    plan->context = f;
    bool is_good = (f->pvd || !f->pvd_path) && (f->envelope || !f->envelope_path);
    is_good = is_good && life_files_begin(&f->life, s, args, out);
    plan->step = f->life.life ? add_step : NULL;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good;
}

bool flex_files_end(flex_files *f)
{
    bi_report report = { 0 };
    if (f->pvd) {
        f->has_frames = bi_pvd_close(f->pvd, &report) == BI_OK;
        f->pvd = NULL;
    }
    if (f->envelope) {
        f->has_envelope = bi_envelope_write(f->envelope, f->envelope_path, &report) == BI_OK;
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bool has_life = life_files_end(&f->life);
    return has_life && (f->has_frames || !f->pvd_path) && (f->has_envelope || !f->envelope_path);
}

void flex_files_drop(flex_files *f)
{
    bi_report report = { 0 };
    if (f->pvd && f->has_failed) {
        (void)bi_pvd_close(f->pvd, &report);
    } else {
        bi_pvd_discard(f->pvd);
    }
    f->pvd = NULL;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
}

const char *flex_files_missing(const flex_files *f, int k)
{
    const char *path[FLEX_FILES] = { f->pvd_path, f->envelope_path, f->life.path };
    bool has[FLEX_FILES] = { f->has_frames, f->has_envelope, f->life.is_written };
    return k >= 0 && k < FLEX_FILES && !has[k] ? path[k] : NULL;
}

void flex_files_print(const flex_files *f)
{
    if (f->has_frames) {
        printf("  frames        %s (%d)\n", f->pvd_path, f->frames);
    }
    if (f->has_envelope) {
        printf("  envelope      %s\n", f->envelope_path);
    }
    life_files_print(&f->life);
}

void flex_files_json(json *j, const flex_files *f)
{
    if (f->pvd_path) {
        json_text(j, "frames", f->has_frames ? f->pvd_path : NULL);
    }
    if (f->envelope_path) {
        json_text(j, "envelope", f->has_envelope ? f->envelope_path : NULL);
    }
    life_files_json(j, &f->life);
}

void flex_files_clear(flex_files *f)
{
    bi_pvd_discard(f->pvd);
    bi_envelope_destroy(f->envelope);
    free(f->pvd_path);
    life_files_clear(&f->life);
}
