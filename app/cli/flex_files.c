// SPDX-License-Identifier: MIT
#include "cli/flex_files.h"
#include "cli/files.h"
#include <stdlib.h>

static bool add_row(void *context, bi_sim *sim)
{
    flex_files *f = context;
    if (f->envelope) {
        bi_envelope_add(f->envelope, sim);
    }
    f->frames++;
    return !f->pvd || bi_pvd_frame(f->pvd, sim) == BI_OK;
}

bool flex_files_begin(flex_files *f, const session *s, const arguments *args, const char *out,
                      record_plan *plan)
{
    bi_report report = { 0 };
    f->envelope_path = arguments_value(args, "--envelope");
    if (arguments_has(args, "--vtu")) {
        f->pvd_path = file_with_ending(out, ".pvd");
        f->pvd = bi_pvd_create(f->pvd_path, s->model, &report);
    }
    if (f->envelope_path && file_make_folders(f->envelope_path)) {
        f->envelope = bi_envelope_create(s->model, &report);
    }
    if (f->pvd || f->envelope) {
        plan->row = add_row;
        plan->context = f;
    }
    bool is_good = (f->pvd || !f->pvd_path) && (f->envelope || !f->envelope_path);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good;
}

bool flex_files_end(flex_files *f)
{
    bi_report report = { 0 };
    bool is_good = true;
    if (f->pvd) {
        is_good = bi_pvd_close(f->pvd) == BI_OK;
        f->pvd = NULL;
        if (!is_good) {
            fprintf(stderr, "biela: error: cannot write %s and its frames\n", f->pvd_path);
        }
    }
    if (f->envelope) {
        is_good = bi_envelope_write(f->envelope, f->envelope_path, &report) == BI_OK && is_good;
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good;
}

void flex_files_print(const flex_files *f)
{
    if (f->pvd_path) {
        printf("  frames        %s (%d)\n", f->pvd_path, f->frames);
    }
    if (f->envelope_path) {
        printf("  envelope      %s\n", f->envelope_path);
    }
}

void flex_files_json(json *j, const flex_files *f)
{
    if (f->pvd_path) {
        json_text(j, "frames", f->pvd_path);
    }
    if (f->envelope_path) {
        json_text(j, "envelope", f->envelope_path);
    }
}

void flex_files_clear(flex_files *f)
{
    if (f->pvd) {
        bi_pvd_close(f->pvd);
    }
    bi_envelope_destroy(f->envelope);
    free(f->pvd_path);
}
