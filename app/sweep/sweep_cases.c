// SPDX-License-Identifier: MIT
// What a survey consists of: from the words of the command line to numbered cases.
#include "sweep/sweep_cases.h"
#include <biela/batch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_text[] = {
#define STATUS_TEXT(code, text) [code] = text,
    SURVEY_STATUS_LIST(STATUS_TEXT)
};

const char *survey_status_text(survey_status status) { return status_text[status]; }

static bool complain(const char *option, const char *text, const char *what)
{
    fprintf(stderr, "biela sweep: error: %s %s: %s\n", option, text, what);
    return false;
}

// "name=rest": the name is copied, rest is what follows.
static char *split_name(const char *option, const char *text, const char *form, const char **rest)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text || !equal[1]) {
        char *what = words_format("write it as %s", form);
        complain(option, text, what);
        free(what);
        return NULL;
    }
    *rest = equal + 1;
    return words_copy(text, (size_t)(equal - text));
}

// Finite numbers between separators; their count, -1 when something else is there or there are more than `most`.
static int read_numbers(const char *text, char separator, double *value, int most)
{
    for (int n = 0; n < most;) {
        char *end;
        value[n] = strtod(text, &end);
        if (end == text || !isfinite(value[n])) {
            return -1;
        }
        n++;
        if (!*end) {
            return n;
        }
        if (*end != separator) {
            return -1;
        }
        text = end + 1;
    }
    return -1;
}

// ---- grids --------------------------------------------------------------------------------------------------------

enum { MOST_VALUES = 100000 };

static bool fill_range(survey_axis *axis, const double range[3], const char *text)
{
    double length = range[1] - range[0], step = range[2];
    if (step == 0.0 || length / step < 0.0) {
        return complain("--grid", text,
                        "the grid is empty: the step does not lead from the first value to the last");
    }
    // the last value belongs to the grid in spite of rounding
    double n = floor(length / step + 1e-9) + 1.0;
    if (n > MOST_VALUES) {
        return complain("--grid", text, "more than 100000 values; make the step larger");
    }
    axis->count = (int)n;
    axis->value = words_alloc((size_t)axis->count * sizeof *axis->value);
    for (int k = 0; k < axis->count; k++) {
        axis->value[k] = range[0] + k * step;
    }
    return true;
}

static bool add_axis(survey *s, const char *text)
{
    static const char form[] =
        "name=from:to:step or name=a,b,c, with finite numbers in the parameter's own unit";
    const char *rest;
    survey_axis *axis = &s->axis[s->n_axis];
    axis->name = split_name("--grid", text, form, &rest);
    if (!axis->name) {
        return false;
    }
    s->n_axis++;
    double range[3];
    if (strchr(rest, ':')) {
        return read_numbers(rest, ':', range, 3) == 3 ? fill_range(axis, range, text)
                                                      : complain("--grid", text, form);
    }
    size_t room = strlen(rest) / 2 + 1;
    axis->value = words_alloc(room * sizeof *axis->value);
    axis->count = read_numbers(rest, ',', axis->value, (int)room);
    return axis->count > 0 || complain("--grid", text, form);
}

// ---- bisection, samples, measures -----------------------------------------------------------------------------------

static bool take_bisection(survey *s, const char *text)
{
    const char *rest;
    double range[3];
    s->bisected = split_name("--bisect", text, "name=low:high:resolution", &rest);
    if (!s->bisected) {
        return false;
    }
    if (read_numbers(rest, ':', range, 3) != 3) {
        return complain("--bisect", text, "write it as name=low:high:resolution, with finite numbers");
    }
    if (!(range[1] > range[0])) {
        return complain("--bisect", text, "the range is empty: its end must be greater than its beginning");
    }
    if (!(range[2] > 0.0)) {
        return complain("--bisect", text, "the resolution must be greater than zero");
    }
    s->low = range[0];
    s->high = range[1];
    s->resolution = range[2];
    return s->event != NULL ||
           complain("--bisect", text, "needs --until EVENT: what happens above or below the value");
}

static bool add_variation(survey *s, const char *text)
{
    const char *rest;
    survey_variation *v = &s->variation[s->n_variation];
    v->name = split_name("--vary", text, "name=normal(mean,sd)", &rest);
    if (!v->name) {
        return false;
    }
    s->n_variation++;
    char *where = words_format("--vary %s", v->name);
    bool is_good = distribution_parse(rest, where, &v->spread);
    free(where);
    return is_good;
}

static bool add_measures(survey *s, const char *text)
{
    static const char *const kinds[] = { "final", "max", "min", "mean", "time" };
    words_list list = words_split(text, ',');
    bool is_good = true;
    for (int k = 0; k < list.count; k++) {
        const char *colon = strchr(list.name[k], ':');
        int kind = 0;
        while (kind < 5 && (!colon || strlen(kinds[kind]) != (size_t)(colon - list.name[k]) ||
                            strncmp(kinds[kind], list.name[k], (size_t)(colon - list.name[k])) != 0)) {
            kind++;
        }
        if (kind == 5 || !colon[1]) {
            is_good = complain("--record", list.name[k],
                               "write final:CHANNEL, max:CHANNEL, min:CHANNEL, mean:CHANNEL or time:EVENT");
            continue;
        }
        s->measure[s->n_measure++] = (survey_measure){ .kind = (measure_kind)kind,
                                                       .text = words_format("%s", list.name[k]),
                                                       .name = words_format("%s", colon + 1) };
    }
    words_list_clear(&list);
    return is_good;
}

static bool take_whole(const char *option, const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= least && *value <= most && *value == floor(*value)) {
        return true;
    }
    char *what = words_format("must be a whole number from %.0f to %.0f", least, most);
    complain(option, text, what);
    free(what);
    return false;
}

static bool take_sampling(survey *s, const arguments *args)
{
    const char *random = arguments_value(args, "--random"), *seed = arguments_value(args, "--seed");
    double number = 0.0;
    bool is_good = true;
    if (random) {
        is_good = take_whole("--random", random, 1, 1e7, &number);
        s->n_sample = (int)number;
    }
    s->seed = 1;
    if (seed) {
        is_good = take_whole("--seed", seed, 0, 9007199254740992.0, &number) && is_good;
        s->seed = (uint64_t)number;
    }
    if (is_good && random && s->n_variation == 0) {
        is_good = complain("--random", random, "nothing varies; add --vary name=normal(mean,sd)");
    }
    if (!random && s->n_variation > 0) {
        is_good = complain("--vary", s->variation[0].name, "needs --random N, the number of samples");
    }
    return is_good;
}

// A parameter that is set in two ways has no value.
static bool names_differ(const survey *s)
{
    int n = 0, most = s->n_axis + s->n_variation + 1 + s->request.n_setting;
    const char **name = words_alloc((size_t)most * sizeof *name);
    for (int k = 0; k < s->n_axis; k++) {
        name[n++] = s->axis[k].name;
    }
    for (int k = 0; k < s->n_variation; k++) {
        name[n++] = s->variation[k].name;
    }
    if (s->bisected) {
        name[n++] = s->bisected;
    }
    int n_own = n;
    for (int k = 0; k < s->request.n_setting; k++) {
        name[n++] = s->request.setting[k].name;
    }
    bool is_good = true;
    for (int a = 0; a < n_own; a++) {
        for (int b = a + 1; b < n; b++) {
            if (strcmp(name[a], name[b]) == 0) {
                is_good = complain("parameter", name[a], "is given twice (--grid, --vary, --bisect, --set)");
            }
        }
    }
    free(name);
    return is_good;
}

bool survey_make(const arguments *args, survey *s)
{
    *s = (survey){ 0 };
    if (!session_request_make(args, &s->request)) {
        return false;
    }
    s->request.shelf = bi_shelf_create();
    s->request.kept = session_kept_create();
    size_t most = (size_t)args->n_given + 1, commas = 1;
    s->axis = words_alloc(most * sizeof *s->axis);
    s->variation = words_alloc(most * sizeof *s->variation);
    for (int k = 0; k < args->n_given; k++) {
        for (const char *c = args->given[k].value; c && *c; c++) {
            commas += *c == ',';
        }
    }
    s->measure = words_alloc((most + commas) * sizeof *s->measure);
    const char *until = arguments_value(args, "--until"), *bisect = arguments_value(args, "--bisect");
    s->request.until = until;
    s->event = until ? words_format("%s", strpbrk(until, "<>") ? "until" : until) : NULL;
    bool is_good = !bisect || take_bisection(s, bisect);
    for (int k = 0; k < args->n_given; k++) {
        const char *option = args->given[k].option->name, *value = args->given[k].value;
        if (strcmp(option, "--grid") == 0) {
            is_good = add_axis(s, value) && is_good;
        } else if (strcmp(option, "--vary") == 0) {
            is_good = add_variation(s, value) && is_good;
        } else if (strcmp(option, "--record") == 0) {
            is_good = add_measures(s, value) && is_good;
        }
    }
    is_good = take_sampling(s, args) && names_differ(s) && is_good;
    if (is_good && s->n_axis == 0 && s->n_sample == 0 && !s->bisected) {
        is_good = complain("", "", "nothing to do: give --grid, --bisect or --random");
    }
    if (is_good && !s->event && s->n_measure == 0) {
        is_good = complain("", "", "nothing to tell: give --until EVENT or --record max:CHANNEL");
    }
    double cases = 1.0;
    for (int k = 0; k < s->n_axis; k++) {
        cases *= s->axis[k].count;
    }
    if (is_good && cases * fmax(1.0, s->n_sample) > 1e8) {
        is_good = complain("", "", "more than 1e8 cases");
    }
    return is_good;
}

void survey_clear(survey *s)
{
    for (int k = 0; k < s->n_axis; k++) {
        free(s->axis[k].name);
        free(s->axis[k].value);
    }
    for (int k = 0; k < s->n_variation; k++) {
        free(s->variation[k].name);
    }
    for (int k = 0; k < s->n_measure; k++) {
        free(s->measure[k].text);
        free(s->measure[k].name);
    }
    free(s->axis);
    free(s->variation);
    free(s->measure);
    free(s->bisected);
    free(s->event);
    session_kept_destroy(s->request.kept);
    bi_shelf_destroy(s->request.shelf);
    session_request_clear(&s->request);
    *s = (survey){ 0 };
}

// ---- cases ----------------------------------------------------------------------------------------------------------

int64_t survey_point_count(const survey *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->n_axis; k++) {
        n *= s->axis[k].count;
    }
    return n;
}

static int64_t samples_per_point(const survey *s) { return s->n_sample > 0 ? s->n_sample : 1; }

int64_t survey_case_count(const survey *s) { return survey_point_count(s) * samples_per_point(s); }

double survey_axis_value(const survey *s, int64_t number, int k)
{
    int64_t point = number / samples_per_point(s);
    for (int other = s->n_axis - 1; other > k; other--) {
        point /= s->axis[other].count;
    }
    return s->axis[k].value[point % s->axis[k].count];
}

double survey_variation_value(const survey *s, int64_t number, int k)
{
    // the same samples at every point of the grids: differences between points are not noise
    uint64_t sample = (uint64_t)(number % samples_per_point(s));
    const survey_variation *v = &s->variation[k];
    return distribution_quantile(&v->spread, bi_random(s->seed, v->name, sample));
}

int survey_answer_size(const survey *s) { return SURVEY_MEASURES + s->n_measure; }

double survey_answer(const survey_results *r, int64_t number, int k)
{
    return r->answer[(r->only < 0 ? number : number - r->only) * survey_answer_size(r->plan) + k];
}
