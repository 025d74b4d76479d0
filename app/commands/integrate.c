// SPDX-License-Identifier: MIT
/* integrate - speed and way from measured accelerations, with the drift of the sensors taken out. */
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include "measure/drift.h"
#include <biela/outfile.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *file;
    bi_table table;
    drift_record record;
} integrate_job;

static const double *column_of(const integrate_job *job, const char *name)
{
    int column = bi_table_column(&job->table, name);
    nearest best = nearest_start(name, strlen(name));
    for (int c = 0; column < 0 && c < job->table.columns; c++) {
        nearest_try(&best, job->table.name[c]);
    }
    if (column < 0) {
        fprintf(stderr, "biela: error: %s has no column '%s'%s%s%s\n", job->file, name,
                best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
    }
    return column < 0 ? NULL : job->table.value[column];
}

// Several columns are several sensors of one motion: their mean.
static bool take_columns(integrate_job *job, const words_list *wanted)
{
    int n = job->table.rows;
    job->record.t = column_of(job, "t");
    job->record.n = n;
    job->record.a = words_alloc(((size_t)n + 1) * sizeof(double));
    bool is_right = job->record.t && wanted->count > 0;
    for (int k = 0; k < wanted->count; k++) {
        const double *told = column_of(job, wanted->name[k]);
        is_right = is_right && told;
        for (int i = 0; told && i < n; i++) {
            job->record.a[i] += told[i] / wanted->count;
        }
    }
    if (wanted->count == 0) {
        fputs("biela: error: name at least one column\n", stderr);
    }
    return is_right;
}

// A sensor that pitches by p, nose down, feels a cos p - g sin p along itself.
static bool take_pitch(integrate_job *job, const char *name)
{
    static const double gravity = 9.81;
    const double *pitch = name ? column_of(job, name) : NULL;
    for (int i = 0; pitch && i < job->table.rows; i++) {
        job->record.a[i] = (job->record.a[i] + gravity * sin(pitch[i])) / cos(pitch[i]);
    }
    return !name || pitch;
}

// "0:5,10.5:15"
static bool take_rests(integrate_job *job, const char *text)
{
    words_list list = words_split(text ? text : "", ',');
    bool is_right = text && list.count > 0 && list.count <= DRIFT_RESTS;
    for (int k = 0; is_right && k < list.count; k++) {
        drift_rest *r = &job->record.rest[job->record.n_rest++];
        char *end = NULL;
        r->from = strtod(list.name[k], &end);
        is_right = end != list.name[k] && *end == ':';
        const char *second = end + 1;
        r->to = is_right ? strtod(second, &end) : 0.0;
        is_right = is_right && end != second && *end == '\0' && isfinite(r->from) && isfinite(r->to);
    }
    words_list_clear(&list);
    if (!is_right) {
        fprintf(stderr,
                "biela: error: --rest wants when it stood, FROM:TO in seconds, up to %d times, such as "
                "--rest 0:5,10.5:15\n",
                DRIFT_RESTS);
    }
    return is_right;
}

static exit_code write_result(const arguments *args, const integrate_job *job, const char *out, double every)
{
    if (!claims_write(args->files, "--out", out)) {
        return CLI_BAD;
    }
    bi_report report = { 0 };
    bi_outfile *file = file_make_folders(out) ? bi_outfile_open(out, &report) : NULL;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    if (!file) {
        return CLI_MACHINE;
    }
    FILE *to = bi_outfile_file(file);
    const drift_record *r = &job->record;
    fputs("t,x,v,a\n", to);
    double next = r->t[0];
    for (int i = 0; i < r->n; i++) {
        if (r->t[i] >= next - 1e-9 * fmax(1.0, fabs(next)) || i == r->n - 1) {
            fprintf(to, "%.17g,%.17g,%.17g,%.17g\n", r->t[i], r->x[i], r->v[i], r->own[i]);
            next += every;
        }
    }
    bool is_written = bi_outfile_commit(file, &report) == BI_OK;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_written ? CLI_OK : CLI_MACHINE;
}

static void tell(const arguments *args, const integrate_job *job, const char *out)
{
    const drift_record *r = &job->record;
    double fastest = 0.0;
    for (int i = 0; i < r->n; i++) {
        fastest = fabs(r->v[i]) > fabs(fastest) ? r->v[i] : fastest;
    }
    if (arguments_has(args, "--json")) {
        json j = json_start(stdout);
        json_object(&j, NULL);
        json_text(&j, "out", out);
        json_number(&j, "fastest", fastest);
        json_number(&j, "way", r->x[r->n - 1]);
        json_number(&j, "last_speed", r->v[r->n - 1]);
        json_array(&j, "rests");
        for (int k = 0; k < r->n_rest; k++) {
            json_object(&j, NULL);
            json_number(&j, "bias", r->rest[k].bias);
            json_number(&j, "noise", r->rest[k].noise);
            json_number(&j, "closed", r->rest[k].closed);
            json_end(&j);
        }
        json_end(&j);
        json_end(&j);
        return;
    }
    for (int k = 0; k < r->n_rest; k++) {
        printf("  at rest from %g to %g s: reads %.6g m/s^2, noise %.3g", r->rest[k].from, r->rest[k].to,
               r->rest[k].bias, r->rest[k].noise);
        printf(k > 0 ? "; speed left on coming there %.3g m/s\n" : "\n", r->rest[k].closed);
    }
    printf("  fastest       %.6g m/s\n  way           %.6g m\n  written       %s\n", fastest, r->x[r->n - 1],
           out);
}

static exit_code run_integrate(const arguments *args)
{
    integrate_job job = { .file = args->word[0] };
    words_list wanted = words_split(args->word[1], ',');
    bi_report report = { 0 };
    const char *given = arguments_value(args, "--out");
    char *out = given ? words_format("%s", given) : file_with_ending(job.file, "-way.csv");
    double every = 0.0;
    exit_code code = CLI_BAD;
    if (option_number(args, "--every", NUMBER_POSITIVE, &every) &&
        bi_table_read(job.file, &job.table, &report) && take_columns(&job, &wanted) &&
        take_pitch(&job, arguments_value(args, "--pitch")) &&
        take_rests(&job, arguments_value(args, "--rest"))) {
        const char *mistake = drift_integrate(&job.record);
        if (mistake) {
            fprintf(stderr, "biela: error: %s: %s\n", job.file, mistake);
        }
        code = mistake ? CLI_BAD : write_result(args, &job, out, every);
        if (code == CLI_OK) {
            tell(args, &job, out);
        }
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bi_table_clear(&job.table);
    drift_clear(&job.record);
    words_list_clear(&wanted);
    free(out);
    return code;
}

static const option options[] = {
    { "--rest", "FROM:TO[,FROM:TO...]",
      "when it stood, s: what the sensors tell then is their bias, and the speed is zero" },
    { "--pitch", "COLUMN",
      "angle of the sensors, nose down, rad: their share of the weight (9.81 m/s^2) is taken out" },
    { "--every", "D", "time between rows of the result, s; default those of the file" },
    { "--out", "FILE.csv", "t, x (way, m), v (speed, m/s), a (m/s^2, without bias); default FILE-way.csv" },
    { "--json", NULL, "biases, closed speeds, fastest and way as one JSON object on stdout" },
};

const command command_integrate = {
    .name = "integrate",
    .words = "FILE A[,B...]",
    .summary = "speed and way from measured accelerations, without their drift",
    .details = "Columns A, B ... are accelerations along the way, m/s^2, over a column t; several are "
               "averaged. The bias\n"
               "is a straight line from rest to rest, and what speed is left on coming to rest is spread "
               "over the way\n"
               "there (docs/theory/sensors.md). The result is a table that a model may follow.",
    .example = "  biela integrate out/ride.csv front.x,rear.x --rest 0:5,10.5:15 --out out/guide.csv",
    .min_words = 2,
    .max_words = 2,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_integrate,
};
