// SPDX-License-Identifier: MIT
/* tyre - the test rig: sweeps slip, angle and camber of a tyre at several loads, draws and checks its curves. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/numbers.h"
#include "cli/words.h"
#include "measure/tyre_rig.h"
#include "running/session.h"
#include "study/tyre_fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the tyre ------------------------------------------------------------------------------------------------------

// Whether a YAML file is a model: a line of it begins with `biela:`.
static bool is_model_file(const char *path)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    char line[256];
    bool is_model = false;
    while (file && !is_model && fgets(line, sizeof line, file)) {
        is_model = strncmp(line, "biela:", 6) == 0;
    }
    if (file) {
        fclose(file);
    }
    return is_model;
}

static bi_model *read_any(const arguments *args, const char *word, bi_report *report)
{
    if (file_has_ending(word, ".tir") || file_has_ending(word, ".TIR") ||
        (file_exists(word) && !file_is_folder(word) && !is_model_file(word))) {
        return tyre_file_model(word, "", report);
    }
    session_request request;
    bi_model *model = NULL;
    char *share = file_models_folder(), *path = bi_find_model(word, share, report);
    if (path && session_request_make(args, &request)) {
        bi_run unused;
        model = session_read_model(path, &request, &unused, report);
        session_request_clear(&request);
    }
    free(path);
    free(share);
    return model;
}

// The tyre of that name, or the first one of the model; unset: none, reported.
static bi_element find_tyre(const bi_system *system, const bi_model *model, const char *name,
                            bi_report *report)
{
    bi_tyre_state probe = { .load = 1.0, .speed = 1.0 };
    bi_tyre_force force;
    bi_element found = { 0 };
    if (name) {
        found = bi_model_element(model, name);
        if (found.i == 0 || !bi_tyre_test(system, found, &probe, &force)) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "forces",
                          "%s is no tyre of this model", name);
            found.i = 0;
        }
        return found;
    }
    // ids count up from 1; the model has no more than it has names
    for (int k = 1; k <= 100000 && found.i == 0; k++) {
        if (bi_tyre_test(system, (bi_element){ k }, &probe, &force)) {
            found.i = k;
        }
    }
    if (found.i == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "forces", "the model has no tyre");
    }
    return found;
}

// ---- what is asked for ---------------------------------------------------------------------------------------------

static bool read_loads(const arguments *args, rig_plan *plan)
{
    const char *text = arguments_value(args, "--load");
    if (!text) {
        return true;
    }
    words_list list = words_split(text, ',');
    bool is_good = list.count >= 1 && list.count <= RIG_LOADS;
    for (int k = 0; k < list.count && is_good; k++) {
        char *rest = NULL;
        plan->load[k] = strtod(list.name[k], &rest);
        is_good = rest != list.name[k] && !*rest && plan->load[k] > 0.0 && isfinite(plan->load[k]);
    }
    plan->n_load = list.count;
    words_list_clear(&list);
    if (!is_good) {
        fprintf(stderr, "biela tyre: --load needs one to %d positive numbers in N, such as 1000,2000\n",
                RIG_LOADS);
    }
    return is_good;
}

static bool read_plan(const arguments *args, rig_plan *plan)
{
    double degree = acos(-1.0) / 180.0, angle = 20.0, camber = 10.0;
    *plan = (rig_plan){ .slip = 1.0, .speed = 20.0 };
    bool is_good = read_loads(args, plan);
    is_good = option_number(args, "--speed", NUMBER_POSITIVE, &plan->speed) && is_good;
    is_good = option_number(args, "--slip", NUMBER_POSITIVE, &plan->slip) && is_good;
    is_good = option_number(args, "--angle", NUMBER_POSITIVE, &angle) && is_good;
    is_good = option_number(args, "--camber", NUMBER_POSITIVE, &camber) && is_good;
    plan->angle = angle * degree;
    plan->camber = camber * degree;
    if (is_good && !(angle < 89.0 && camber < 89.0)) {
        fprintf(stderr, "biela tyre: angles must be below 89 degrees\n");
        is_good = false;
    }
    return is_good;
}

// ---- for people and for programs -----------------------------------------------------------------------------------

static void print_results(const rig *r)
{
    double degree = acos(-1.0) / 180.0;
    printf("%10s %9s %9s %12s %9s %9s %12s %12s\n", "load [N]", "mu_x", "at slip", "slope [N]", "mu_y",
           "at [deg]", "[N/deg]", "camber[N/deg]");
    for (int k = 0; k < r->plan.n_load; k++) {
        const rig_figures *f = &r->figure[k];
        printf("%10.5g %9.4f %9.4f %12.5g %9.4f %9.3f %12.5g %12.4g\n", f->load, f->peak_x, f->peak_slip,
               f->slope_x, f->peak_y, f->peak_angle / degree, f->slope_y * degree, f->slope_camber * degree);
    }
    for (int k = 0; k < N_RIG_CHECKS; k++) {
        const rig_check *c = &r->check[k];
        printf("  %-12s %s%s%s\n", rig_check_name(k), c->is_good ? "ok" : "NOT MET", c->what[0] ? ": " : "",
               c->what);
    }
}

static void json_results(const rig *r, const bi_report *report, const char *out, exit_code code, bool is_done)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    if (is_done) {
        json_text(&j, "file", out);
        json_array(&j, "loads");
        for (int k = 0; k < r->plan.n_load; k++) {
            const rig_figures *f = &r->figure[k];
            json_object(&j, NULL);
            json_number(&j, "load", f->load);
            json_number(&j, "peak_x", f->peak_x);
            json_number(&j, "peak_slip", f->peak_slip);
            json_number(&j, "slope_x", f->slope_x);
            json_number(&j, "peak_y", f->peak_y);
            json_number(&j, "peak_angle", f->peak_angle);
            json_number(&j, "slope_y", f->slope_y);
            json_number(&j, "slope_camber", f->slope_camber);
            json_end(&j);
        }
        json_end(&j);
        json_object(&j, "checks");
        for (int k = 0; k < N_RIG_CHECKS; k++) {
            json_true_or_false(&j, rig_check_name(k), r->check[k].is_good);
        }
        json_end(&j);
    }
    session_json_messages(&j, report);
    json_end(&j);
}

// The points, and the pictures of `rig_draw`.
static bool claim_files(const arguments *args, const char *path)
{
    static const char *const ending[] = { "-slip" ENDING_PICTURE, "-angle" ENDING_PICTURE,
                                          "-camber" ENDING_PICTURE, "-combined" ENDING_PICTURE };
    bool is_free = claims_write(args->files, "--out", path);
    for (size_t k = 0; k < sizeof ending / sizeof *ending && arguments_has(args, "--plot"); k++) {
        is_free = is_free && claims_write_beside(args->files, "--plot", path, ending[k]);
    }
    return is_free;
}

// What belongs to a fit only, or to the sweeps only.
static bool options_fit(const arguments *args, const char *word, const char *data)
{
    static const char *const of_fits[] = { "--params", "--noise", "--jobs" }, *const of_sweeps[] = {
        "--load", "--slip", "--angle", "--camber", "--plot", "--tyre", "--set"
    };
    for (size_t k = 0; k < sizeof of_fits / sizeof *of_fits && !data; k++) {
        if (arguments_has(args, of_fits[k]) || arguments_value(args, of_fits[k])) {
            fprintf(stderr, "biela tyre: error: %s is of a fit: it needs --fit DATA.csv\n", of_fits[k]);
            return false;
        }
    }
    for (size_t k = 0; k < sizeof of_sweeps / sizeof *of_sweeps && data; k++) {
        if (arguments_has(args, of_sweeps[k]) || arguments_value(args, of_sweeps[k])) {
            fprintf(stderr, "biela tyre: error: %s has no effect on a fit\n", of_sweeps[k]);
            return false;
        }
    }
    if (data && !file_has_ending(word, ".tir") && !file_has_ending(word, ".TIR")) {
        fputs("biela tyre: error: --fit needs a property file (.tir), whose coefficients it finds\n", stderr);
        return false;
    }
    return true;
}

static exit_code run_tyre(const arguments *args)
{
    rig_plan plan;
    bi_report report = { 0 };
    exit_code code = CLI_BAD;
    rig r = { 0 };
    bool is_done = false, is_written = false;
    if (!read_plan(args, &plan)) {
        return CLI_BAD;
    }
    const char *word = args->word[0], *out = arguments_value(args, "--out"),
               *data = arguments_value(args, "--fit");
    if (!options_fit(args, word, data)) {
        return CLI_BAD;
    }
    if (data) {
        return tyre_fit(args, word, data, plan.speed);
    }
    char *name = file_model_name(word),
         *path = out ? words_format("%s", out) : words_format("out/%s-tyre.csv", name);
    bi_model *model = read_any(args, word, &report);
    bi_system *system = model && report.errors == 0 ? bi_compile(model, &(bi_options){ 0 }, &report) : NULL;
    bi_element tyre =
        system ? find_tyre(system, model, arguments_value(args, "--tyre"), &report) : (bi_element){ 0 };
    if (tyre.i > 0 && claim_files(args, path)) {
        rig_run(system, tyre, &plan, &r);
        is_done = true;
        is_written = rig_write(&r, path);
        code = !is_written                                                  ? CLI_MACHINE
               : arguments_has(args, "--plot") && !rig_draw(&r, path, name) ? CLI_MACHINE
               : rig_is_good(&r)                                            ? CLI_OK
                                                                            : CLI_BAD;
    }
    if (arguments_has(args, "--json")) {
        json_results(&r, &report, is_written ? path : NULL, code, is_done);
    } else {
        bi_report_print(&report, stderr);
        if (is_done) {
            print_results(&r);
            printf("  %-12s %s\n", is_written ? "written" : "not written", path);
        }
    }
    rig_clear(&r);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    free(name);
    free(path);
    return code;
}

static const option tyre_options[] = {
    SESSION_OPTIONS,
    { "--tyre", "NAME", "of a model: which of its tyres; default the first" },
    { "--load", "A,B", "loads, N; default those of 5, 10 and 20 mm deflection" },
    { "--speed", "V", "m/s; default 20" },
    { "--slip", "S", "largest longitudinal slip; default 1" },
    { "--angle", "A", "largest slip angle, degrees; default 20" },
    { "--camber", "C", "largest camber, degrees; default 10" },
    { "--fit", "DATA.csv", "measured forces instead of sweeps: finds --params of a .tir file" },
    { "--params", "A,B=2", "with --fit: coefficients to find, from their values in the file or behind =" },
    { "--noise", "C=S,D=R", "with --fit: standard deviation of each measured column; else it is estimated" },
    { "--jobs", "N", "with --fit: processes; default one per core. The result does not depend on it" },
    { "--out", "FILE.csv",
      "all points; default out/NAME-tyre.csv. With --fit FILE.tir, default out/NAME-fit.tir" },
    { "--plot", NULL,
      "pictures beside it: FILE-slip.png, -angle.png, -combined.png, -camber.png (needs gnuplot)" },
    { "--json", NULL, "figures and checks as one JSON object on stdout" },
};

const command command_tyre = {
    .name = "tyre",
    .words = "FILE",
    .summary = "test rig for tyres: curves over slip, angle, camber and load",
    .details =
        "FILE is a model, or the data of a tyre: a YAML file with `type` and numbers, or a .tir file. "
        "The steady\n"
        "forces on a dry road are swept, written and checked: continuous, of the right sign, never "
        "giving power.\n"
        "A check that is not met ends with exit code 2. With --fit the coefficients named follow from "
        "measured\n"
        "forces by least squares: a column load (N), slip, angle and camber (rad) where they are not 0, and\n"
        "fx, fy (N), mx, my, mz (N m) as far as they were measured, in the axes of the sweeps.",
    .example = "  biela tyre tyre-rig --load 5000,10000 --plot\n  biela tyre car.tir --json\n"
               "  biela tyre car.tir --fit rig.csv --params PCY1,PDY1,PEY1,PKY1,PKY2 --out fitted.tir",
    .min_words = 1,
    .max_words = 1,
    .options = tyre_options,
    .n_option = sizeof tyre_options / sizeof *tyre_options,
    .run = run_tyre,
};
