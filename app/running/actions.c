// SPDX-License-Identifier: MIT
#include "running/actions.h"
#include "cli/files.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <biela/loop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bi_place nowhere = { 0 };

void actions_read(const char *path, bi_model *model, bi_report *report)
{
    bi_table table;
    if (!bi_table_read(path, &table, report)) {
        return;
    }
    int t = bi_table_column(&table, "t"), found = 0;
    if (t < 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "--actions",
                      "has no column t");
    }
    for (int k = 0; t >= 0 && k < bi_action_count(model); k++) {
        bi_element action = bi_action_at(model, k);
        int column = bi_table_column(&table, bi_action_name(model, action));
        if (column >= 0) {
            bi_action_samples(model, action, table.rows, table.value[t], table.value[column], report);
            found++;
        } else {
            bi_report_add(report, BI_WARNING, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "--actions",
                          "has no column %s: that action is zero", bi_action_name(model, action));
        }
    }
    if (t >= 0 && found == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "--actions",
                      bi_action_count(model) > 0 ? "has no column that is called as an action of the model"
                                                 : "is of no use: the model has no actions");
    }
    bi_table_clear(&table);
}

// "kp,kv"
static void take_feedback(session *s, const char *text)
{
    char *end = NULL;
    s->kp = strtod(text, &end);
    bool is_right = end != text && *end == ',';
    const char *second = is_right ? end + 1 : text;
    s->kv = strtod(second, &end);
    is_right = is_right && end != second && !*end && s->kp >= 0.0 && s->kv >= 0.0 && isfinite(s->kp) &&
               isfinite(s->kv);
    if (!is_right) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--feedback",
                      "'%s': write kp,kv, two numbers that are not negative, such as 100,20", text);
    } else if (bi_imposed_count(s->model) == 0) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--feedback",
                      "the model has no imposed motion to steer to (section imposed)");
    }
    s->has_feedback = is_right;
}

// The imposed motion until the run is let go.
static void follow(session *s)
{
    double dt = s->grid.dt;
    bi_status status = s->grid.start > 0.0 ? bi_imposed_check(s->sim, &s->report) : BI_OK;
    int64_t n = (int64_t)(s->grid.start / dt + 0.999999);
    for (int64_t k = 1; k <= n && status == BI_OK; k++) {
        double t = k == n ? s->grid.start : (double)k * dt;
        status = bi_imposed_step_to(s->sim, t);
        if (status != BI_OK) {
            bi_report_add(&s->report, BI_ERROR, status, nowhere, "--follow", "%s", bi_sim_failure(s->sim));
        }
    }
}

// "base.angle1=0.03,th32.angle=0.1"
static void take_offsets(session *s, const char *text)
{
    words_list list = words_split(text, ',');
    bi_offset *offset = words_alloc((size_t)(list.count + 1) * sizeof *offset);
    int count = 0;
    for (int k = 0; k < list.count; k++) {
        char *equal = strchr(list.name[k], '=');
        double value = 0.0;
        if (!equal || equal == list.name[k]) {
            bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--offset",
                          "'%s': write coordinate=value, such as th32.angle=0.1", list.name[k]);
        } else if (bi_model_number(s->model, equal + 1, NULL, "--offset", &value, &s->report)) {
            offset[count++] = (bi_offset){ words_copy(list.name[k], (size_t)(equal - list.name[k])), value };
        }
    }
    if (s->report.errors == 0) {
        bi_imposed_offset(s->sim, offset, count, &s->report);
    }
    for (int k = 0; k < count; k++) {
        free((char *)offset[k].coordinate);
    }
    free(offset);
    words_list_clear(&list);
}

exit_code actions_begin(session *s, const arguments *args)
{
    const char *time = arguments_value(args, "--follow"), *feedback = arguments_value(args, "--feedback");
    const char *offsets = arguments_value(args, "--offset");
    if (time && bi_model_number(s->model, time, "s", "--follow", &s->grid.start, &s->report) &&
        !(s->grid.start >= 0.0)) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--follow", "must not be negative");
    }
    if (time && s->run.start_time != 0.0) {
        bi_report_add(
            &s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--follow",
            "imposes the motion from t = 0 until then, and the run begins at %g s: leave start_time out, the "
            "run begins where it is let go",
            s->run.start_time);
    }
    if (feedback) {
        take_feedback(s, feedback);
    }
    if (s->report.errors == 0 && time) {
        follow(s);
    }
    if (s->report.errors == 0 && offsets) {
        take_offsets(s, offsets);
    }
    if (s->report.errors == 0 && s->has_feedback &&
        bi_feedback_step_to(s->sim, s->grid.start, s->kp, s->kv) != BI_OK) {
        bi_report_add(&s->report, BI_ERROR, BI_BAD_MODEL, nowhere, "--feedback", "%s",
                      bi_sim_failure(s->sim));
    }
    return s->report.errors == 0 ? CLI_OK : CLI_BAD;
}

static exit_code open_actions(session *s, const char *path, claims *files)
{
    if (!claims_write(files, "--actions", path)) {
        return CLI_BAD;
    }
    if (!file_make_folders(path)) {
        return CLI_MACHINE;
    }
    s->actions = bi_outfile_open(path, &s->report);
    if (!s->actions) {
        return CLI_MACHINE;
    }
    FILE *file = bi_outfile_file(s->actions);
    fputc('t', file);
    for (int k = 0; k < bi_action_count(s->model); k++) {
        fprintf(file, ",%s", bi_action_name(s->model, bi_action_at(s->model, k)));
    }
    fputc('\n', file);
    return CLI_OK;
}

exit_code actions_begin_inverse(session *s, const arguments *args)
{
    const char *path = arguments_value(args, "--actions");
    s->is_inverse = true;
    if (bi_imposed_check(s->sim, &s->report) != BI_OK || bi_inverse(s->sim, NULL, &s->report) != BI_OK) {
        return CLI_BAD;
    }
    return path ? open_actions(s, path, args->files) : CLI_OK;
}

bi_status actions_step(const session *s, double t)
{
    return s->is_inverse ? bi_imposed_step_to(s->sim, t) : bi_feedback_step_to(s->sim, t, s->kp, s->kv);
}

bi_status actions_row(const session *s)
{
    int count = bi_action_count(s->model);
    double *tau = words_alloc((size_t)(count + 64) * sizeof *tau);
    bi_status status = bi_inverse(s->sim, count > 0 ? tau : NULL, NULL);
    if (status == BI_OK && s->actions) {
        FILE *file = bi_outfile_file(s->actions);
        fprintf(file, "%.17g", bi_sim_time(s->sim));
        for (int k = 0; k < count; k++) {
            fprintf(file, ",%.17g", tau[k]);
        }
        fputc('\n', file);
    }
    free(tau);
    return status;
}

bool actions_end(session *s)
{
    bool is_good = !s->actions || outfiles_end(s->actions);
    s->actions = NULL;
    return is_good;
}
