// SPDX-License-Identifier: MIT
// How far the parameters of a drive may lie from what they are: by the tolerances of the model, or as --spread says.
#include "cli/words.h"
#include "report/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double report_parameter(const report *p, const char *name, const char **unit)
{
    const bi_model *m = p->base.s.model;
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        const char *own;
        double value;
        if (bi_model_parameter_at(m, k, &own, &value, unit) && strcmp(own, name) == 0) {
            return *unit && **unit ? value / unit_factor(m, *unit) : value;
        }
    }
    *unit = NULL;
    return NAN;
}

bool report_tolerance(const report *p, const char *name, double *half)
{
    char *place = words_format("parameters.%s.tolerance", name), *end;
    const char *text = bi_document_text(p->said.doc, place), *unit;
    free(place);
    if (!text || isnan(report_parameter(p, name, &unit))) {
        return false;
    }
    *half = strtod(text, &end);
    if (*end) {
        // an expression is in SI; the reader of the model has checked it
        bi_report unused = { 0 };
        bool is_known = bi_model_number(p->base.s.model, text, unit, name, half, &unused);
        bi_report_clear(&unused);
        *half /= unit && *unit ? unit_factor(p->base.s.model, unit) : 1.0;
        return is_known && *half > 0.0;
    }
    return *half > 0.0;
}

static survey_variation *spread_of(survey *plan, const char *name, size_t length)
{
    for (int k = 0; k < plan->n_variation; k++) {
        if (strlen(plan->variation[k].name) == length &&
            strncmp(plan->variation[k].name, name, length) == 0) {
            return &plan->variation[k];
        }
    }
    return NULL;
}

// "mu=normal(0.8,0.05)": in the place of the tolerance, where there is one.
static bool take_spread(report *p, const char *text)
{
    survey *plan = &p->job.plan;
    const char *equal = strchr(text, '='), *unit;
    size_t length = equal ? (size_t)(equal - text) : 0;
    char *name = words_copy(text, length), *where = words_format("--spread %s", name);
    bool is_good = false;
    distribution spread;
    if (length == 0) {
        fprintf(stderr, "biela report: error: --spread %s: write it as name=normal(mean,sd)\n", text);
    } else if (isnan(report_parameter(p, name, &unit))) {
        fprintf(stderr, "biela report: error: --spread %s: %s has no parameter of this name\n", text,
                report_model(p));
    } else {
        is_good = distribution_parse(equal + 1, where, &spread);
    }
    if (is_good) {
        survey_variation *old = spread_of(plan, name, length);
        survey_variation *v = old ? old : &plan->variation[plan->n_variation++];
        v->name = old ? v->name : words_copy(name, length);
        v->spread = spread;
    }
    free(name);
    free(where);
    return is_good;
}

bool report_spreads(report *p)
{
    const bi_model *m = p->base.s.model;
    survey *plan = &p->job.plan;
    bool is_good = true;
    size_t most = (size_t)(bi_model_parameter_count(m) + p->args->n_given) + 1;
    plan->variation = words_alloc(most * sizeof *plan->variation);
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        const char *name, *unit;
        double unused, half;
        if (bi_model_parameter_at(m, k, &name, &unused, &unit) && report_tolerance(p, name, &half)) {
            double value = report_parameter(p, name, &unit);
            plan->variation[plan->n_variation++] =
                (survey_variation){ words_format("%s", name),
                                    { SPREAD_UNIFORM, { value - half, value + half } } };
        }
    }
    for (int k = 0; k < p->args->n_given; k++) {
        if (strcmp(p->args->given[k].option->name, "--spread") == 0) {
            is_good = take_spread(p, p->args->given[k].value) && is_good;
        }
    }
    return is_good;
}

// A number of a distribution with the unit behind it.
static char *with_unit(const report *p, double value, const char *unit)
{
    char *number = words_format("%.7g", value), *sign = spoken_sign(unit ? unit : "");
    spoken_commas(&p->said, number);
    char *text = words_format("%s%s%s", number, *sign && strcmp(sign, "°") != 0 ? " " : "", sign);
    free(number);
    free(sign);
    return text;
}

char *report_spread_text(const report *p, const survey_variation *v)
{
    const double *a = v->spread.a;
    const char *unit, *form = "";
    (void)report_parameter(p, v->name, &unit);
    char *n[4];
    for (int k = 0; k < 4; k++) {
        // the spread of a logarithm has no unit
        bool is_plain = v->spread.kind == SPREAD_LOGNORMAL && k == 1;
        n[k] = with_unit(p, a[k], is_plain ? "" : unit);
    }
    switch (v->spread.kind) {
    case SPREAD_UNIFORM:
        form = report_say(p, "anywhere from %s to %s", "en cualquier punto de %s a %s");
        break;
    case SPREAD_NORMAL:
        form =
            report_say(p, "normal: mean %s, standard deviation %s", "normal: media %s, desviación típica %s");
        break;
    case SPREAD_TRUNCATED:
        form = report_say(p, "normal: mean %s, standard deviation %s, only from %s to %s",
                          "normal: media %s, desviación típica %s, solo de %s a %s");
        break;
    case SPREAD_TRIANGULAR:
        form = report_say(p, "triangle from %s over %s to %s", "triángulo de %s por %s a %s");
        break;
    case SPREAD_LOGNORMAL:
        form = report_say(p, "lognormal: median %s, spread of the logarithm %s",
                          "lognormal: mediana %s, dispersión del logaritmo %s");
        break;
    }
    char *text = words_format(form, n[0], n[1], n[2], n[3]);
    for (int k = 0; k < 4; k++) {
        free(n[k]);
    }
    return text;
}
