// SPDX-License-Identifier: MIT
// Runs a model of models/ in process and compares its channels with a reference. Any failure ends the test with the
// messages of the library. Each test prints what it measured in lines `measured NAME error=... limit=...`.
#ifndef BIELA_TESTS_SUPPORT_RUN_MODEL_H
#define BIELA_TESTS_SUPPORT_RUN_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/biela.h>
#include <biela/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double run_pi = 3.14159265358979323846;

// What to run; dt and time of 0 are those of the model's own run section.
typedef struct {
    const char *model;          // folder under models/
    const char *run;            // named case of its section runs; NULL: none
    const bi_setting *settings; // (n_settings) as --set
    int n_settings;
    bi_scheme scheme;
    double dt, time; // s
    bi_coordinates coordinates;
    double sleep; // s; 0: nobody sleeps, whatever the model says
} run_case;

// A run under way. model and system live as long as the run.
typedef struct {
    bi_model *model;
    bi_system *system;
    bi_sim *sim;
    bi_report report;
    double dt, time; // s
    bi_coordinates coordinates;
    double sleep;               // s
    bi_scheme own_scheme;       // of the model's run section
    bool starts_in_equilibrium; // the run section says so; run_open starts as described
} run_model;

static inline void run_require(bool is_good, const bi_report *report, const char *what)
{
    if (!is_good) {
        bi_report_print(report, stderr);
        fail_msg("%s", what);
    }
}

// Compiles and starts the model of a run that already has one.
static inline void run_compile(run_model *run, bi_scheme scheme)
{
    bi_options options = {
        .scheme = scheme, .dt = run->dt, .coordinates = run->coordinates, .sleep = run->sleep
    };
    run->system = bi_compile(run->model, &options, &run->report);
    run_require(run->system != NULL, &run->report, "the model does not compile");
    run->sim = bi_sim_create(run->system);
    assert_non_null(run->sim);
    bi_status status = bi_sim_start(run->sim, &run->report);
    run_require(status == BI_OK, &run->report, "the simulation does not start");
}

static inline run_model run_open(const run_case *what)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, what->model);
    run_model run = { 0 };
    bi_run file = { 0 };
    run.model = bi_read_model(path, what->settings, what->n_settings, what->run, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, "the model file has mistakes");
    run.coordinates = what->coordinates;
    run.sleep = what->sleep;
    run.own_scheme = file.scheme;
    run.starts_in_equilibrium = file.starts_in_equilibrium;
    run.dt = what->dt > 0.0 ? what->dt : file.dt;
    run.time = what->time > 0.0 ? what->time : file.time;
    run_compile(&run, what->scheme);
    return run;
}

// A model built through the API; the run takes it over.
static inline run_model run_start(bi_model *model, bi_scheme scheme, double dt, double time)
{
    run_model run = { .model = model, .dt = dt, .time = time };
    run_compile(&run, scheme);
    return run;
}

static inline void run_close(run_model *run)
{
    bi_sim_destroy(run->sim);
    bi_system_destroy(run->system);
    bi_model_destroy(run->model);
    bi_report_clear(&run->report);
}

static inline double run_now(run_model *run) { return bi_sim_view(run->sim).t; }

static inline void run_step(run_model *run)
{
    bi_status status = bi_sim_step(run->sim);
    if (status != BI_OK) {
        fail_msg("step at t = %.9g s: %s; %s", run_now(run), bi_status_text(status),
                 bi_sim_failure(run->sim));
    }
}

// Whole steps, the last one shortened or stretched to end at t where t is no multiple of dt. False when the sim
// stands elsewhere afterwards: a step over a singular position may skip an instant.
static inline bool run_to(run_model *run, double t)
{
    const double slack = 1e-6 * run->dt;
    for (double left = t - run_now(run); left > slack; left = t - run_now(run)) {
        if (left >= 1.5 * run->dt || fabs(left - run->dt) <= slack) {
            run_step(run);
        } else {
            bi_status status = bi_sim_step_to(run->sim, t);
            if (status != BI_OK) {
                fail_msg("step to t = %.9g s: %s; %s", t, bi_status_text(status), bi_sim_failure(run->sim));
            }
        }
    }
    return fabs(run_now(run) - t) <= slack;
}

static inline bi_channel run_channel(const run_model *run, const char *name)
{
    bi_channel channel = bi_find_channel(run->system, name);
    if (channel.i == 0) {
        fail_msg("the model has no channel %s", name);
    }
    return channel;
}

static inline double run_read(run_model *run, const char *name)
{
    return bi_sim_read(run->sim, run_channel(run, name));
}

// Where a body is in the arrays of bi_view: ids count from 1, the arrays from 0.
static inline int run_body(const run_model *run, const char *name)
{
    bi_body body = bi_model_body(run->model, name);
    if (body.i == 0) {
        fail_msg("the model has no body %s", name);
    }
    return body.i - 1;
}

// ---- vectors ----------------------------------------------------------------------------------------------------

static inline bi_vec3 run_add(bi_vec3 a, bi_vec3 b) { return (bi_vec3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static inline bi_vec3 run_scale(double s, bi_vec3 a) { return (bi_vec3){ s * a.x, s * a.y, s * a.z }; }
static inline bi_vec3 run_sub(bi_vec3 a, bi_vec3 b) { return run_add(a, run_scale(-1.0, b)); }
static inline double run_dot(bi_vec3 a, bi_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double run_norm(bi_vec3 a) { return sqrt(run_dot(a, a)); }
static inline bi_vec3 run_cross(bi_vec3 a, bi_vec3 b)
{
    return (bi_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// A vector of body axes in ground axes.
static inline bi_vec3 run_turn(bi_quat q, bi_vec3 a)
{
    bi_vec3 u = { q.x, q.y, q.z };
    bi_vec3 twice = run_scale(2.0, run_cross(u, a));
    return run_add(a, run_add(run_scale(q.w, twice), run_cross(u, twice)));
}

// A point of body axes in ground axes.
static inline bi_vec3 run_point(bi_pose pose, bi_vec3 at)
{
    return run_add(pose.pos, run_turn(pose.rot, at));
}

// ---- comparison with reference.csv ------------------------------------------------------------------------------

// One column of a reference. scale: what errors are divided by; 0 = the range of the column.
typedef struct {
    const char *channel;
    double scale;
    double error; // out: largest difference over the samples / scale
} run_column;

static inline double run_range(const double *value, int rows)
{
    double low = value[0], high = value[0];
    for (int k = 1; k < rows; k++) {
        low = fmin(low, value[k]);
        high = fmax(high, value[k]);
    }
    return high - low;
}

// A table of tests/reference/data.
static inline bi_table run_data(const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/reference/data/%s", BI_SOURCE_DIR, file);
    bi_report report = { 0 };
    bi_table table = { 0 };
    run_require(bi_table_read(path, &table, &report), &report, "the reference cannot be read");
    bi_report_clear(&report);
    return table;
}

static inline bi_table run_reference(const char *model, const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s/%s", BI_SOURCE_DIR, model, file);
    bi_report report = { 0 };
    bi_table table = { 0 };
    run_require(bi_table_read(path, &table, &report), &report, "the reference cannot be read");
    bi_report_clear(&report);
    return table;
}

static inline const double *run_reference_column(const bi_table *table, const char *name)
{
    int c = bi_table_column(table, name);
    if (c < 0) {
        fail_msg("the reference has no column %s", name);
    }
    return table->value[c];
}

// Runs to the end and fills the errors of the columns; gives the largest of them. At most one sample in a hundred may
// be skipped (steps over singular positions).
static inline double run_compare(run_model *run, const bi_table *table, run_column *column, int n_column)
{
    const double *t = run_reference_column(table, "t");
    double worst = 0.0;
    int samples = 0, skipped = 0;
    for (int c = 0; c < n_column; c++) {
        if (!(column[c].scale > 0.0)) {
            column[c].scale = run_range(run_reference_column(table, column[c].channel), table->rows);
        }
        column[c].error = 0.0;
    }
    for (int k = 0; k < table->rows && t[k] <= run->time + 1e-9; k++) {
        samples++;
        if (!run_to(run, t[k])) {
            skipped++;
            continue;
        }
        for (int c = 0; c < n_column; c++) {
            double wanted = run_reference_column(table, column[c].channel)[k];
            double error = fabs(run_read(run, column[c].channel) - wanted) / column[c].scale;
            // written so that a result that is not a number counts as the largest error
            column[c].error = error <= column[c].error ? column[c].error : error;
            worst = error <= worst ? worst : error;
        }
    }
    assert_true(samples > 1);
    assert_true(100 * skipped <= samples);
    return worst;
}

// The same for a case: opens, compares, closes.
static inline double run_error(const run_case *what, const char *file, run_column *column, int n_column)
{
    bi_table table = run_reference(what->model, file);
    run_model run = run_open(what);
    double error = run_compare(&run, &table, column, n_column);
    run_close(&run);
    bi_table_clear(&table);
    return error;
}

// ---- what was measured ------------------------------------------------------------------------------------------

// Prints the line and fails when the error is above its limit or not a number.
static inline void run_expect(const char *name, double error, double limit)
{
    printf("measured %s error=%.3e limit=%.3e\n", name, error, limit);
    if (!(error <= limit)) {
        fail_msg("%s: %.6e is above %.6e", name, error, limit);
    }
}

// Order 2: halving the step divides the error by four; 3.5 to 4.6 leaves room for the next term of the series.
static inline void run_expect_order_two(const char *name, double coarse, double fine)
{
    double ratio = coarse / fine;
    printf("measured %s ratio=%.3f low=3.5 high=4.6 coarse=%.3e fine=%.3e\n", name, ratio, coarse, fine);
    if (!(ratio >= 3.5 && ratio <= 4.6)) {
        fail_msg("%s: the error ratio of a halved step is %.4f, not 3.5 to 4.6", name, ratio);
    }
}

#endif
