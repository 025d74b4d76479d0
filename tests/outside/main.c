// SPDX-License-Identifier: MIT
// A program of somebody else: reads a model file, swings it, compares with the closed form of small amplitudes.
#include <biela/io.h>
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: swing MODEL.yaml\n");
        return 2;
    }

    // from the file to a started simulation; every mistake is in the report
    bi_report report = { 0 };
    bi_run run;
    bi_model *model = bi_read_model(argv[1], NULL, 0, NULL, &run, &report);
    bi_options options = { .dt = run.dt };
    bi_system *system = report.errors == 0 ? bi_compile(model, &options, &report) : NULL;
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    if (!sim || bi_sim_start(sim, &report) != BI_OK) {
        bi_report_print(&report, stderr);
        return 1;
    }

    // a quarter of the period 2 pi sqrt(l / g) after the release, the pendulum hangs straight down
    const double length = 1.0, g = 9.81, amplitude = 1e-4;
    const double quarter = 0.5 * pi * sqrt(length / g);
    bi_channel angle = bi_find_channel(system, "swing.angle");
    double first = bi_sim_read(sim, angle);
    bi_status status = BI_OK;
    while (status == BI_OK && bi_sim_view(sim).t + 1.5 * run.dt < quarter) {
        status = bi_sim_step(sim);
    }
    status = status == BI_OK ? bi_sim_step_to(sim, quarter) : status;
    double last = bi_sim_read(sim, angle);
    printf("biela %s: %.6e rad at the release, %.6e rad after a quarter of the period\n", bi_version(), first,
           last);

    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    // the trapezoidal rule is off by (omega h)^2 / 12 of the phase, here 1e-6 of the amplitude
    return status == BI_OK && fabs(first - amplitude) < 1e-12 && fabs(last) < 1e-5 * amplitude ? 0 : 1;
}
