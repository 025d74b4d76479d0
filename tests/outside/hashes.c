// SPDX-License-Identifier: MIT
// Hashes of a few runs, one line each: every way to link the library must print the same.
#include <biela/io.h>
#include <stdio.h>

static int run(const char *path, bi_coordinates coordinates, int steps)
{
    bi_report report = { 0 };
    bi_run asked;
    bi_model *model = bi_read_model(path, NULL, 0, NULL, &asked, &report);
    bi_options options = bi_run_options(&asked);
    options.coordinates = coordinates;
    bi_system *system = model && report.errors == 0 ? bi_compile(model, &options, &report) : NULL;
    bi_sim *sim = bi_sim_create(system);
    bi_status status = bi_sim_start(sim, &report);
    for (int k = 0; k < steps && status == BI_OK; k++) {
        status = bi_sim_step(sim);
    }
    bi_report_print(&report, stderr);
    printf("%s %s %016llx\n", path, status == BI_OK ? "ok" : bi_status_text(status),
           status == BI_OK ? (unsigned long long)bi_sim_hash(sim) : 0ULL);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    return status == BI_OK ? 0 : 1;
}

int main(int count, char **path)
{
    int code = 0;
    for (int k = 1; k < count; k++) {
        code |= run(path[k], BI_NATURAL, 100) | run(path[k], BI_JOINT, 100);
    }
    return code;
}
