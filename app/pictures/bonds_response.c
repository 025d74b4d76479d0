// SPDX-License-Identifier: MIT
// Bode and step responses of bond graphs, as text, tables, pictures and JSON.
#include "cli/endings.h"
#include "cli/json.h"
#include "cli/words.h"
#include "pictures/bond_response.h"
#include "pictures/bonds.h"
#include "pictures/plotter.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdlib.h>

static void print_polynomial(const double *c, int n)
{
    bool has_any = false;
    for (int k = n; k >= 0; k--) {
        if (c[k] == 0.0) {
            continue;
        }
        fputs(!has_any ? c[k] < 0.0 ? "-" : "" : c[k] < 0.0 ? " - " : " + ", stdout);
        if (k == 0 || fabs(c[k]) != 1.0) {
            printf(k > 0 ? "%.9g " : "%.9g", fabs(c[k]));
        }
        if (k > 0) {
            printf(k > 1 ? "s^%d" : "s", k);
        }
        has_any = true;
    }
    puts(has_any ? "" : "0");
}

static void print_response(const bond_response *r)
{
    printf("%s over %s, order %d, about the start\n", r->end, r->source, r->n);
    if (r->has_function) {
        fputs("  numerator    ", stdout);
        print_polynomial(r->numerator, r->n);
        fputs("  denominator  ", stdout);
        print_polynomial(r->denominator, r->n);
    }
    printf("  %14s %14s %14s %14s\n", "rad/s", "gain", "dB", "phase deg");
    for (int k = 0; k < RESPONSE_POINTS; k += 10) {
        printf("  %14.6g %14.6g %14.5g %14.5g\n", r->w[k], r->gain[k], 20.0 * log10(r->gain[k]),
               r->phase[k] * 57.295779513082323);
    }
    printf("  after a step of one: %.6g at once, %.6g after %.6g s\n", r->step[0],
           r->step[RESPONSE_POINTS - 1], r->t[RESPONSE_POINTS - 1]);
}

static void json_numbers(json *j, const char *key, const double *x, int n)
{
    json_array(j, key);
    for (int k = 0; k < n; k++) {
        json_number(j, NULL, x[k]);
    }
    json_end(j);
}

static void json_response(const bond_response *r)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", true);
    json_text(&j, "source", r->source);
    json_text(&j, "end", r->end);
    if (r->has_function) {
        json_numbers(&j, "numerator", r->numerator, r->n + 1);
        json_numbers(&j, "denominator", r->denominator, r->n + 1);
    }
    json_numbers(&j, "w", r->w, RESPONSE_POINTS);
    json_numbers(&j, "re", r->re, RESPONSE_POINTS);
    json_numbers(&j, "im", r->im, RESPONSE_POINTS);
    json_numbers(&j, "gain", r->gain, RESPONSE_POINTS);
    json_numbers(&j, "phase", r->phase, RESPONSE_POINTS);
    json_numbers(&j, "t", r->t, RESPONSE_POINTS);
    json_numbers(&j, "step", r->step, RESPONSE_POINTS);
    json_end(&j);
}

static bool write_table(const bond_response *r, bool is_step, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    FILE *file = output ? bi_outfile_file(output) : NULL;
    if (!file) {
        return false;
    }
    fputs(is_step ? "t,step\n" : "w,decade,gain,decibel,phase\n", file);
    for (int k = 0; k < RESPONSE_POINTS; k++) {
        if (is_step) {
            fprintf(file, "%.17g,%.17g\n", r->t[k], r->step[k]);
        } else {
            fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g\n", r->w[k], log10(r->w[k]), r->gain[k],
                    20.0 * log10(r->gain[k]), r->phase[k]);
        }
    }
    return outfiles_end(output);
}

// Gain and phase over the decades of the frequency, or the step over time.
static bool draw(const bond_response *r, bool is_step, const char *table_path, const char *picture)
{
    bi_report report = { 0 };
    bi_table table = { 0 };
    char *title = words_format("%s over %s", r->end, r->source),
         *name[] = { is_step ? "step" : "decibel", "phase" };
    const char *const unit[] = { is_step ? "" : "dB", "rad" };
    bool ok = bi_table_read(table_path, &table, &report) &&
              plot_write(&(plot_request){ .table = &table,
                                          .title = title,
                                          .out = picture,
                                          .x = is_step ? "t" : "decade",
                                          .x_unit = is_step ? "s" : "powers of ten of rad/s",
                                          .n_curve = is_step ? 1 : 2,
                                          .name = name,
                                          .unit = unit }) != PLOT_FAILED;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bi_table_clear(&table);
    free(title);
    return ok;
}

exit_code bonds_response(const bi_bonds *const *list, int count, const char *text, const char *stem,
                         bool is_json, bool has_pictures, claims *files)
{
    char why[300] = "there are no `graphs`";
    bond_response r = { 0 };
    bool has_one = false;
    for (int k = 0; k < count && !has_one; k++) {
        bond_response_clear(&r);
        has_one = bond_response_make(list[k], text, &r, why, sizeof why);
    }
    exit_code code = has_one ? CLI_OK : CLI_BAD;
    if (!has_one) {
        fprintf(stderr, "biela bonds: --response: %s\n", why);
    } else if (is_json) {
        json_response(&r);
    } else {
        print_response(&r);
    }
    for (int is_step = 0; is_step < 2 && stem && code == CLI_OK; is_step++) {
        char *path = words_format("%s-%s.csv", stem, is_step ? "step" : "bode");
        char *picture = words_format("%s-%s" ENDING_PICTURE, stem, is_step ? "step" : "bode");
        if (!claims_write(files, "--out", path) ||
            (has_pictures && !claims_write(files, "--plot", picture))) {
            code = CLI_BAD;
        }
        bool ok = code == CLI_OK && write_table(&r, is_step == 1, path) &&
                  (!has_pictures || draw(&r, is_step == 1, path, picture));
        code = code != CLI_OK || ok ? code : CLI_MACHINE;
        if (ok && !is_json) {
            printf("  written   %s\n", path);
        }
        free(path);
        free(picture);
    }
    bond_response_clear(&r);
    return code;
}
