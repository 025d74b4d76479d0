// SPDX-License-Identifier: MIT
// Inputs that follow samples over time.
#include "model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool samples_are_good(const model_input *input, int count, const double *t, const double *value,
                             bi_report *report)
{
    for (int k = 0; k < count; k++) {
        const char *what = !isfinite(t[k]) || !isfinite(value[k]) ? "has a sample that is not a finite number"
                           : k > 0 && !(t[k] > t[k - 1])          ? "has samples whose times do not increase"
                                                                  : NULL;
        if (what) {
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, input->place, input->name,
                          "the manoeuvre of this input %s (sample %d)", what, k + 1);
            return false;
        }
    }
    return true;
}

static double range_of(int count, const double *value)
{
    double low = value[0], high = value[0];
    for (int k = 1; k < count; k++) {
        low = fmin(low, value[k]);
        high = fmax(high, value[k]);
    }
    return high - low;
}

bool bi_input_samples(bi_model *m, bi_input id, int count, const double *t, const double *value,
                      bi_report *report)
{
    if (count < 0 || (count > 0 && (!t || !value))) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "inputs", "needs times and values");
        return false;
    }
    if (!m || id.i < 1 || id.i > m->n_input) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "inputs", "there is no such input");
        return false;
    }
    model_input *input = &m->input[id.i - 1];
    if (!samples_are_good(input, count, t, value, report)) {
        return false;
    }
    double *block = count > 0 ? malloc(2 * (size_t)count * sizeof *block) : NULL;
    if (count > 0 && !block) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, input->place, input->name, "out of memory");
        return false;
    }
    free(input->line.t);
    input->line = (model_line){ 0 };
    if (count > 0) {
        input->line = (model_line){ count, block, block + count, range_of(count, value) };
        memcpy(input->line.t, t, (size_t)count * sizeof *t);
        memcpy(input->line.value, value, (size_t)count * sizeof *value);
    }
    return true;
}

int bi_model_input_count(const bi_model *m) { return m ? m->n_input : 0; }

const char *bi_model_input_name(const bi_model *m, bi_input id)
{
    return m && id.i >= 1 && id.i <= m->n_input ? m->input[id.i - 1].name : NULL;
}

// The sample at or before t, which is not before the first.
static int sample_before(const model_line *line, double t)
{
    int low = 0, high = line->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(line->t[middle] <= t ? &low : &high) = middle;
    }
    return low;
}

static double slope_after(const model_line *line, int k)
{
    bool is_between = k >= 0 && k + 1 < line->count;
    return is_between ? (line->value[k + 1] - line->value[k]) / (line->t[k + 1] - line->t[k]) : 0.0;
}

double model_line_corner(const model_line *line, double t, double limit)
{
    static const double smooth = 1e-3; // of the range, over the space between samples
    for (int k = t < line->t[0] ? 0 : sample_before(line, t) + 1; k < line->count && line->t[k] < limit;
         k++) {
        double before = k > 0 ? line->t[k] - line->t[k - 1] : 0.0,
               after = k + 1 < line->count ? line->t[k + 1] - line->t[k] : 0.0;
        double bend = fabs(slope_after(line, k) - slope_after(line, k - 1)) * fmax(before, after);
        if (bend > smooth * line->range) {
            return line->t[k];
        }
    }
    return limit;
}

// At a sample the line that begins there counts, so that a run starts with the right rate.
double model_line_at(const model_line *line, double t, double *rate)
{
    *rate = 0.0;
    if (!(t >= line->t[0])) {
        return line->value[0];
    }
    if (t >= line->t[line->count - 1]) {
        return line->value[line->count - 1];
    }
    int low = sample_before(line, t), high = low + 1;
    double h = line->t[high] - line->t[low], x = (t - line->t[low]) / h;
    *rate = (line->value[high] - line->value[low]) / h;
    return (1.0 - x) * line->value[low] + x * line->value[high];
}

double bi_model_input_at(const bi_model *m, bi_input id, double t)
{
    double unused;
    if (!m || id.i < 1 || id.i > m->n_input || !isfinite(t)) {
        return NAN;
    }
    const model_input *input = &m->input[id.i - 1];
    return input->line.count > 0 ? model_line_at(&input->line, t, &unused) : input->initial;
}
