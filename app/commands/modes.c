// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
/* modes - eigenvalues and mode shapes about a steady motion, over the values of a parameter if asked. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "measure/mode_sweep.h"
#include "running/outfiles.h"
#include "study/sensitivity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- for programs ---------------------------------------------------------------------------------------------------

static void json_matrix(json *j, const char *key, int n, int columns, const double *A)
{
    json_array(j, key);
    for (int i = 0; i < n; i++) {
        json_array(j, NULL);
        for (int k = 0; k < columns; k++) {
            json_number(j, NULL, A[i * columns + k]);
        }
        json_end(j);
    }
    json_end(j);
}

static void json_pair(json *j, double re, double im)
{
    json_array(j, NULL);
    json_number(j, NULL, re);
    json_number(j, NULL, im);
    json_end(j);
}

// The parameters that were set, as they are without a sweep.
static void json_settings(json *j, const sweep *sw, const session_request *request)
{
    for (int k = 0; k < request->n_setting; k++) {
        for (int p = 0; p < bi_model_parameter_count(sw->session.model); p++) {
            const char *name, *unit;
            double value;
            bi_model_parameter_at(sw->session.model, p, &name, &value, &unit);
            if (strcmp(name, request->setting[k].name) == 0) {
                json_number(j, name, value);
            }
        }
    }
}

static void json_point(json *j, const sweep *sw, const sweep_point *p, const session_request *request)
{
    const bi_linear *l = &p->linear;
    json_object(j, NULL);
    if (sw->parameter) {
        json_number(j, sw->parameter, p->x);
    } else {
        json_settings(j, sw, request);
    }
    json_matrix(j, "M", l->n, l->n, l->M);
    json_matrix(j, "C", l->n, l->n, l->C);
    json_matrix(j, "K", l->n, l->n, l->K);
    if (l->n_state > 0) {
        json_matrix(j, "F", l->n, l->n_state, l->F);
        json_matrix(j, "Zq", l->n_state, l->n, l->Zq);
        json_matrix(j, "Zv", l->n_state, l->n, l->Zv);
        json_matrix(j, "Zz", l->n_state, l->n_state, l->Zz);
    }
    json_array(j, "eigenvalues");
    for (int k = 0; k < l->n_value; k++) {
        json_pair(j, l->re[k], l->im[k]);
    }
    json_end(j);
    json_array(j, "shapes");
    for (int k = 0; k < l->n_value; k++) {
        json_array(j, NULL);
        for (int i = 0; i < l->n; i++) {
            json_pair(j, l->shape_re[k * l->n + i], l->shape_im[k * l->n + i]);
        }
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void modes_json(const sweep *sw, const sensitivity *sense, const session_request *request,
                       exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    if (code == CLI_OK) {
        json_text(&j, "model", sw->session.short_name);
        json_text(&j, "parameter", sw->parameter);
        json_array(&j, "independent");
        for (int i = 0; i < sw->point[0].linear.n; i++) {
            json_text(&j, NULL, sw->point[0].linear.name[i]);
        }
        json_end(&j);
        json_array(&j, "points");
        for (int k = 0; k < sw->n_point; k++) {
            json_point(&j, sw, &sw->point[k], request);
        }
        json_end(&j);
        json_object(&j, "critical");
        for (int k = 0; k < sw->n_critical; k++) {
            json_number(&j, sw->critical[k].name, sw->critical[k].x);
        }
        json_end(&j);
        if (sense) {
            sensitivity_json(&j, sw, sense);
        }
    }
    session_json_messages(&j, &sw->session.report);
    json_end(&j);
}

// ---- for people -------------------------------------------------------------------------------------------------------

static void print_shape(const bi_linear *l, int k)
{
    for (int i = 0; i < l->n; i++) {
        double re = l->shape_re[k * l->n + i], im = l->shape_im[k * l->n + i];
        double angle = im == 0.0 && re >= 0.0 ? 0.0 : atan2(im, re) * 180.0 / pi;
        printf("  %s %.3g", l->name[i], hypot(re, im));
        if (l->im[k] != 0.0) {
            printf(" at %.0f deg", angle);
        } else if (re < 0.0) {
            printf(" against it");
        }
    }
}

// A pair on one line: the upper of the two is printed.
static void print_modes(const bi_linear *l)
{
    printf("  %-28s %12s %12s   shape\n", "eigenvalue [1/s]", "frequency", "damping");
    for (int k = 0; k < l->n_value; k++) {
        if (l->im[k] < 0.0) {
            continue;
        }
        char value[64], frequency[32] = "-", damping[32] = "-";
        if (l->im[k] > 0.0) {
            snprintf(value, sizeof value, "%.9g +- %.9gi", l->re[k], l->im[k]);
            snprintf(frequency, sizeof frequency, "%.6g Hz", l->im[k] / (2.0 * pi));
            snprintf(damping, sizeof damping, "%.4g", (0.0 - l->re[k]) / hypot(l->re[k], l->im[k]));
        } else {
            snprintf(value, sizeof value, "%.9g", l->re[k]);
        }
        printf("  %-28s %12s %12s ", value, frequency, damping);
        print_shape(l, k);
        printf("\n");
    }
}

static void print_matrix(const char *name, int n, int columns, const double *A)
{
    for (int i = 0; i < n; i++) {
        printf("  %-2s", i == 0 ? name : "");
        for (int k = 0; k < columns; k++) {
            printf(" %16.9g", A[i * columns + k]);
        }
        printf("\n");
    }
}

static void print_point(const sweep *sw)
{
    const bi_linear *l = &sw->point[0].linear;
    printf("%s: M d2q + C dq + K q = %s with q =", bi_model_name(sw->session.model),
           l->n_state > 0 ? "F z" : "0");
    for (int i = 0; i < l->n; i++) {
        printf(" %s", l->name[i]);
    }
    if (l->n_state > 0) {
        printf(", dz = Zq q + Zv dq + Zz z of the %d states of laws", l->n_state);
    }
    printf("\n");
    print_matrix("M", l->n, l->n, l->M);
    print_matrix("C", l->n, l->n, l->C);
    print_matrix("K", l->n, l->n, l->K);
    if (l->n_state > 0) {
        print_matrix("F", l->n, l->n_state, l->F);
        print_matrix("Zq", l->n_state, l->n, l->Zq);
        print_matrix("Zv", l->n_state, l->n, l->Zv);
        print_matrix("Zz", l->n_state, l->n_state, l->Zz);
    }
    print_modes(l);
}

static void print_sweep(const sweep *sw)
{
    enum { LINES = 20 };
    int stride = (sw->n_point + LINES - 1) / LINES;
    printf("%s: %d values of %s\n  %10s  largest real parts and their frequencies\n",
           bi_model_name(sw->session.model), sw->n_point, sw->parameter, sw->parameter);
    for (int k = 0; k<sw->n_point; k += stride> 0 ? stride : 1) {
        const bi_linear *l = &sw->point[k].linear;
        printf("  %10.6g ", sw->point[k].x);
        int n_printed = 0;
        for (int i = l->n_value - 1; i >= 0 && n_printed < 3; i--) {
            if (l->im[i] > 0.0) {
                printf("  %10.5g +- %.5gi", l->re[i], l->im[i]);
                n_printed++;
            } else if (l->im[i] == 0.0) {
                printf("  %10.5g", l->re[i]);
                n_printed++;
            }
        }
        printf("\n");
    }
    for (int k = 0; k < sw->n_critical; k++) {
        const sweep_critical *c = &sw->critical[k];
        printf("  critical  %s = %.12g: %s", sw->parameter, c->x, c->name);
        if (c->im > 1e-6) {
            printf(", %.6g Hz", c->im / (2.0 * pi));
        }
        printf(", %s from here on\n", c->becomes_stable ? "stable" : "unstable");
    }
    if (sw->n_critical == 0) {
        printf("  no mode crosses the limit of stability\n");
    }
}

// ---- files --------------------------------------------------------------------------------------------------------------

// One row per value, the modes followed: name, re1, im1, re2, ...
static bool write_table(const sweep *sw, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    FILE *file = output ? bi_outfile_file(output) : NULL;
    if (!file) {
        return false;
    }
    fprintf(file, "%s", sw->parameter ? sw->parameter : "point");
    for (int b = 0; b < sw->n_mode; b++) {
        fprintf(file, ",re%d,im%d", b + 1, b + 1);
    }
    fputc('\n', file);
    for (int k = 0; k < sw->n_point; k++) {
        fprintf(file, "%.17g", sw->point[k].x);
        for (int b = 0; b < sw->n_mode; b++) {
            fprintf(file, ",%.17g,%.17g", sweep_re(sw, k, b), sweep_im(sw, k, b));
        }
        fputc('\n', file);
    }
    return outfiles_end(output);
}

// ---- other models beside it ------------------------------------------------------------------------------------------------

typedef struct {
    sweep_other *item;
    int count;
} other_list;

// "whipple", "bicycle rider=1 section=0": a model and settings, over the same values.
static exit_code run_other(const char *text, const char *sweep_text, sweep_other *out)
{
    session_request request = { .setting = words_alloc((strlen(text) + 1) * sizeof(bi_setting)) };
    char *copy = words_copy(text, strlen(text)), *rest = NULL, *model = NULL;
    exit_code code = CLI_OK;
    for (char *word = strtok_r(copy, " ", &rest); word && code == CLI_OK; word = strtok_r(NULL, " ", &rest)) {
        char *equal = strchr(word, '=');
        if (!model) {
            model = word;
        } else if (equal && equal > word && equal[1]) {
            *equal = '\0';
            request.setting[request.n_setting++] = (bi_setting){ word, equal + 1 };
        } else {
            fprintf(stderr,
                    "biela modes: --with '%s': write a model and settings, such as 'bicycle rider=1'\n",
                    text);
            code = CLI_BAD;
        }
    }
    request.model = model ? model : "";
    out->label = words_copy(text, strlen(text));
    if (code == CLI_OK) {
        code = sweep_parse(sweep_text, &out->sweep) ? sweep_run(&out->sweep, &request) : CLI_BAD;
    }
    free(request.setting);
    free(copy);
    return code;
}

static exit_code run_others(const arguments *args, other_list *list)
{
    exit_code code = CLI_OK;
    list->item = words_alloc((size_t)(args->n_given + 1) * sizeof *list->item);
    for (int k = 0; k < args->n_given && code == CLI_OK; k++) {
        if (strcmp(args->given[k].option->name, "--with") == 0) {
            code =
                run_other(args->given[k].value, arguments_value(args, "--sweep"), &list->item[list->count]);
            list->count++;
        }
    }
    return code;
}

static void clear_others(other_list *list)
{
    for (int k = 0; k < list->count; k++) {
        free(list->item[k].label);
        sweep_clear(&list->item[k].sweep);
    }
    free(list->item);
}

// NULL: no file is asked for.
static char *out_of(const sweep *sw, const arguments *args)
{
    const char *asked = arguments_value(args, "--out");
    return asked                           ? words_format("%s", asked)
           : arguments_has(args, "--plot") ? words_format("out/%s-modes.csv", sw->session.short_name)
                                           : NULL;
}

// The real parts that the picture shows, LOW:HIGH; not given: none. False: told why.
static bool range_of(const arguments *args, double *range, bool *is_given)
{
    const char *text = arguments_value(args, "--range");
    *is_given = text != NULL;
    if (!text) {
        return true;
    }
    char *end = NULL, *last = NULL;
    range[0] = strtod(text, &end);
    range[1] = *end == ':' ? strtod(end + 1, &last) : NAN;
    bool is_right = end != text && *end == ':' && last != end + 1 && *last == '\0' && isfinite(range[0]) &&
                    isfinite(range[1]) && range[0] < range[1];
    if (!is_right) {
        fprintf(stderr, "biela: error: --range is LOW:HIGH, such as -5:2, and not '%s'\n", text);
    } else if (!arguments_has(args, "--plot")) {
        fputs("biela: error: --range belongs to --plot\n", stderr);
    }
    return is_right && arguments_has(args, "--plot");
}

static bool claim_files(const sweep *sw, const arguments *args)
{
    char *out = out_of(sw, args);
    bool is_free =
        claims_write(args->files, "--out", out) &&
        (!arguments_has(args, "--plot") || claims_write_beside(args->files, "--plot", out, ENDING_PICTURE));
    free(out);
    return is_free;
}

static exit_code write_files(const sweep *sw, const arguments *args, bool is_quiet)
{
    bool plots = arguments_has(args, "--plot");
    if (plots && sw->n_point < 2) {
        fputs("biela: error: --plot needs a --sweep of two values or more\n", stderr);
        return CLI_BAD;
    }
    char *out = out_of(sw, args);
    if (!out) {
        return CLI_OK;
    }
    char *picture = file_with_ending(out, ENDING_PICTURE);
    exit_code code = write_table(sw, out) ? CLI_OK : CLI_MACHINE;
    if (code == CLI_OK && !is_quiet) {
        printf("  written   %s\n", out);
    }
    other_list others = { 0 };
    code = code == CLI_OK && plots ? run_others(args, &others) : code;
    plot_result drawn = PLOT_NOTHING_TO_DRAW;
    if (code == CLI_OK && plots) {
        double range[2];
        bool is_given;
        range_of(args, range, &is_given);
        drawn = sweep_plot(sw, sw->session.short_name, others.item, others.count, is_given ? range : NULL,
                           picture);
        code = drawn == PLOT_FAILED ? CLI_MACHINE : code;
    }
    if (drawn == PLOT_WRITTEN && !is_quiet) {
        printf("  plot      %s\n", picture);
    }
    clear_others(&others);
    free(out);
    free(picture);
    return code;
}

static exit_code run_modes(const arguments *args)
{
    session_request request = { 0 };
    sweep sw = { 0 };
    sensitivity sense = { 0 };
    exit_code code = CLI_BAD;
    bool is_json = arguments_has(args, "--json"), is_sensitive = arguments_has(args, "--sensitivity");
    if (is_sensitive && !arguments_value(args, "--sweep")) {
        fputs("biela modes: --sensitivity needs a --sweep that passes the critical values\n", stderr);
        return CLI_BAD;
    }
    double range[2];
    bool is_ranged;
    if (range_of(args, range, &is_ranged) && sweep_parse(arguments_value(args, "--sweep"), &sw) &&
        session_request_make(args, &request)) {
        request.shelf = bi_shelf_create();
        request.kept = session_kept_create();
        code = sweep_run(&sw, &request);
        code = code == CLI_OK && !claim_files(&sw, args) ? CLI_BAD : code;
        code = code == CLI_OK && is_sensitive
                   ? sensitivity_run(&sw, &request, arguments_value(args, "--parameters"), &sense)
                   : code;
        if (is_json) {
            // the object tells about the files, too
            code = code == CLI_OK ? write_files(&sw, args, is_json) : code;
            modes_json(&sw, is_sensitive ? &sense : NULL, &request, code);
        } else if (code == CLI_OK) {
            sw.parameter ? print_sweep(&sw) : print_point(&sw);
        }
        if (!is_json && code == CLI_OK && is_sensitive) {
            sensitivity_print(&sw, &sense);
        }
        code = code == CLI_OK && !is_json ? write_files(&sw, args, is_json) : code;
    }
    sensitivity_clear(&sense);
    sweep_clear(&sw);
    session_kept_destroy(request.kept);
    bi_shelf_destroy(request.shelf);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--sweep", "P=A:B:D", "values of parameter P from A to B by D, in P's own unit" },
    { "--sensitivity", NULL, "how the critical values of the sweep change with every other parameter" },
    { "--parameters", "P,Q", "of --sensitivity: only these" },
    { "--out", "FILE.csv", "eigenvalues of the followed modes; default with --plot: out/MODEL-modes.csv" },
    { "--plot", NULL,
      "real and imaginary parts over the parameter into FILE" ENDING_PICTURE " (needs gnuplot)" },
    { "--range", "LOW:HIGH",
      "with --plot: the real parts shown, 1/s; default: those of the modes that cross zero" },
    { "--with", "MODEL",
      "with --plot: another model beside it, with settings: 'bicycle rider=1'" OPTION_REPEATABLE },
    { "--json", NULL, "matrices, eigenvalues, shapes and critical values as one JSON object on stdout" },
};

const command command_modes = {
    .name = "modes",
    .words = "MODEL",
    .summary = "eigenvalues and mode shapes about a steady motion, critical values of a parameter",
    .details =
        "The motion at t = 0 must be steady: nothing accelerates. The equations are written in the "
        "coordinates\n"
        "that the model lists as `independent`. Eigenvalues are sorted by real part, then imaginary part.\n"
        "A critical value of the parameter is where a mode loses or gains stability.",
    .example = "  biela modes whipple --set v=5\n"
               "  biela modes whipple --sweep v=0:10:0.05 --plot",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_modes,
};
