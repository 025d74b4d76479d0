// SPDX-License-Identifier: MIT
// Imposed motion and sampled actions of a model.
#include "base/list.h"
#include "base/text.h"
#include "model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bi_add_imposed(bi_model *m, const bi_imposed_def *def)
{
    if (!MODEL_ROOM(m, def, imposed)) {
        return;
    }
    model_imposed *i = &m->imposed[m->n_imposed++];
    *i = (model_imposed){ .def = *def, .place = m->place };
    i->def.name = text_copy(def->name ? def->name : "");
    i->def.coordinate = text_copy(def->coordinate ? def->coordinate : "");
}

int bi_imposed_count(const bi_model *m) { return m ? m->n_imposed : 0; }

bool bi_model_find_coordinate(const bi_model *m, const char *name, bi_joint *joint, int32_t *coordinate)
{
    model_name found = m && name ? model_resolve(m, name) : (model_name){ 0 };
    if (found.kind != MODEL_NAME_VALUE) {
        return false;
    }
    if (joint) {
        *joint = (bi_joint){ found.index + 1 };
    }
    if (coordinate) {
        *coordinate = found.coordinate + 1;
    }
    return true;
}

static bool is_action(const model_element *e) { return strcmp(e->kind->section, "actions") == 0; }

int bi_action_count(const bi_model *m)
{
    int count = 0;
    for (int k = 0; m && k < m->n_element; k++) {
        count += is_action(&m->element[k]);
    }
    return count;
}

bi_element bi_action_at(const bi_model *m, int k)
{
    for (int e = 0; m && e < m->n_element; e++) {
        if (is_action(&m->element[e]) && k-- == 0) {
            return (bi_element){ e + 1 };
        }
    }
    return (bi_element){ 0 };
}

const char *bi_action_name(const bi_model *m, bi_element e)
{
    return m && e.i >= 1 && e.i <= m->n_element ? m->element[e.i - 1].name : NULL;
}

// ---- samples ------------------------------------------------------------------------------------------------

static bool samples_are_good(const model_element *e, int count, const double *t, const double *value,
                             bi_report *report)
{
    const char *what = count < 2 || !t || !value ? "needs at least two samples" : NULL;
    for (int k = 0; k < count && !what; k++) {
        if (!isfinite(t[k]) || !isfinite(value[k])) {
            what = "has a sample that is not a finite number";
        } else if (k > 0 && !(t[k] > t[k - 1])) {
            what = "has samples whose times do not increase";
        }
    }
    if (what) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, e->name, "the action %s", what);
    }
    return !what;
}

// Second derivatives of the spline through all samples whose third derivative does not jump at the second and the last
// but one (not-a-knot): no end condition is invented. By elimination from both ends into a tridiagonal system.
static void spline_build(model_samples *s, double *work)
{
    int n = s->count;
    double *second = s->second, *diagonal = work, *right = work + n, *upper = work + 2 * n;
    second[0] = second[n - 1] = 0.0;
    if (n < 3) {
        return;
    }
    for (int i = 1; i < n - 1; i++) {
        double h0 = s->t[i] - s->t[i - 1], h1 = s->t[i + 1] - s->t[i];
        double lower = h0 / 6.0;
        diagonal[i] = (h0 + h1) / 3.0;
        upper[i] = h1 / 6.0;
        right[i] = (s->value[i + 1] - s->value[i]) / h1 - (s->value[i] - s->value[i - 1]) / h0;
        // the end values in terms of their neighbours: m0 = (1 + r) m1 - r m2 with r = h0 / h1
        if (i == 1 && n > 3) {
            double r = h0 / h1;
            diagonal[i] += lower * (1.0 + r);
            upper[i] -= lower * r;
            lower = 0.0;
        } else if (i == 1) {
            // three samples: a parabola, one second derivative
            diagonal[i] += lower + upper[i];
            lower = upper[i] = 0.0;
        }
        if (i == n - 2 && n > 3) {
            double r = h1 / h0;
            diagonal[i] += upper[i] * (1.0 + r);
            lower -= upper[i] * r;
            upper[i] = 0.0;
        }
        if (i > 1) {
            double factor = lower / diagonal[i - 1];
            diagonal[i] -= factor * upper[i - 1];
            right[i] -= factor * right[i - 1];
        }
    }
    for (int i = n - 2; i >= 1; i--) {
        second[i] = (right[i] - (i < n - 2 ? upper[i] * second[i + 1] : 0.0)) / diagonal[i];
    }
    if (n > 3) {
        double first = (s->t[1] - s->t[0]) / (s->t[2] - s->t[1]);
        double last = (s->t[n - 1] - s->t[n - 2]) / (s->t[n - 2] - s->t[n - 3]);
        second[0] = (1.0 + first) * second[1] - first * second[2];
        second[n - 1] = (1.0 + last) * second[n - 2] - last * second[n - 3];
    } else {
        second[0] = second[2] = second[1];
    }
}

bool bi_action_samples(bi_model *m, bi_element action, int count, const double *t, const double *value,
                       bi_report *report)
{
    if (!m || action.i < 1 || action.i > m->n_element || !is_action(&m->element[action.i - 1])) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "actions", "there is no such action");
        return false;
    }
    model_element *e = &m->element[action.i - 1];
    if (!samples_are_good(e, count, t, value, report)) {
        return false;
    }
    double *block = malloc(3 * (size_t)count * sizeof *block),
           *work = malloc(3 * (size_t)count * sizeof *work);
    if (!block || !work) {
        free(block);
        free(work);
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, e->place, e->name, "out of memory");
        return false;
    }
    free(e->samples.t);
    e->samples = (model_samples){ count, block, block + count, block + 2 * count };
    memcpy(e->samples.t, t, (size_t)count * sizeof *t);
    memcpy(e->samples.value, value, (size_t)count * sizeof *value);
    spline_build(&e->samples, work);
    free(work);
    return true;
}

double model_samples_at(const model_samples *s, double t)
{
    int low = 0, high = s->count - 1;
    if (t <= s->t[0] || t >= s->t[high]) {
        return s->value[t <= s->t[0] ? 0 : high];
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(s->t[middle] <= t ? &low : &high) = middle;
    }
    double h = s->t[high] - s->t[low], a = (s->t[high] - t) / h, b = 1.0 - a;
    return a * s->value[low] + b * s->value[high] +
           ((a * a * a - a) * s->second[low] + (b * b * b - b) * s->second[high]) * h * h / 6.0;
}
