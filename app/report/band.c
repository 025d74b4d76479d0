// SPDX-License-Identifier: MIT
// What the samples say: how surely it tips over, at which speed, and which parameter decides; each with its confidence.
#include "cli/words.h"
#include "pictures/svg.h"
#include "report/report.h"
#include "study/statistics.h"
#include <biela/verdict.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double confidence = 0.95;
static const double levels[] = { 0.05, 0.5, 0.95 };
enum { LEVELS = sizeof levels / sizeof *levels, THIRDS = 3 };

// ---- numbers -----------------------------------------------------------------------------------------------------

static char *percent(const report *p, double share)
{
    char *text = words_format("%.2f %%", 100.0 * share);
    spoken_commas(&p->said, text);
    return text;
}

// The measure of all samples that tip over, sorted; their number.
static int of_tipping(const report *p, int k, double *sorted)
{
    const survey_results *r = &p->job.results;
    int n = 0;
    for (int64_t i = 0; i < r->n_case; i++) {
        double value = survey_answer(r, i, k);
        if (survey_answer(r, i, SURVEY_HAPPENED) == 1.0 && !isnan(value)) {
            sorted[n++] = value;
        }
    }
    sort_numbers(sorted, n);
    return n;
}

static void put_text(report *p, const char *tag, char *text)
{
    fprintf(p->out, "<%s>", tag);
    html_text(p->out, text);
    fprintf(p->out, "</%s>", tag);
    free(text);
}

// ---- how surely --------------------------------------------------------------------------------------------------

// Samples that were not computed could have ended either way: the interval holds both.
static void write_share(report *p)
{
    int known, hits = survey_hits(&p->job.results, 0, &known), all = (int)p->job.results.n_case;
    int unknown = all - known;
    estimate low = probability_estimate(hits, all, confidence),
             high = probability_estimate(hits + unknown, all, confidence);
    char *share = known > 0 ? percent(p, (double)hits / known) : words_format("–"),
         *least = percent(p, low.low), *most = percent(p, high.high);
    char *text = words_format(
        report_say(p, "It tips over in %d of %d: %s. With 95 %% confidence the probability is %s to %s.",
                   "Vuelca en %d de %d: %s. Con una confianza del 95 %% la probabilidad está entre %s y %s."),
        hits, known, share, least, most);
    put_text(p, "p class=\"lead\"", text);
    free(share);
    free(least);
    free(most);
}

static void write_failures(report *p)
{
    int64_t count[SURVEY_STATUS_COUNT], verdict[SURVEY_OUTCOMES];
    survey_count(&p->job.results, count);
    int64_t failed = count[SURVEY_FAILED], refused = count[SURVEY_REFUSED], died = count[SURVEY_DIED];
    if (failed + refused + died > 0) {
        put_text(
            p, "p class=\"bad\"",
            words_format(report_say(p,
                                    "%" PRId64 " samples have no answer: %" PRId64
                                    " failed on the way, %" PRId64 " the model refuses, %" PRId64
                                    " ended with their process. They could have ended either way, and the "
                                    "interval above holds both.",
                                    "%" PRId64 " muestras no tienen respuesta: %" PRId64
                                    " fallaron por el camino, %" PRId64 " las rechaza el modelo, %" PRId64
                                    " acabaron con su proceso. Podían haber acabado de un modo u otro, y el "
                                    "intervalo de arriba contiene ambos."),
                         failed + refused + died, failed, refused, died));
    }
    survey_outcomes(&p->job.results, verdict);
    put_text(p, "p",
             words_format(report_say(p,
                                     "Verdicts of the samples: %" PRId64 " good, %" PRId64
                                     " doubtful, %" PRId64 " bad.",
                                     "Veredictos de las muestras: %" PRId64 " buenos, %" PRId64
                                     " dudosos, %" PRId64 " malos."),
                          verdict[BI_GOOD], verdict[BI_DOUBTFUL], verdict[BI_BAD]));
}

// ---- at which speed ----------------------------------------------------------------------------------------------

typedef char *(*teller)(const report *, double);

static void write_estimate(report *p, estimate e, teller tell)
{
    char *value = tell(p, e.value), *text;
    if (isfinite(e.low) && isfinite(e.high)) {
        char *low = tell(p, e.low), *high = tell(p, e.high);
        text = words_format(report_say(p, "%s to %s", "de %s a %s"), low, high);
        free(low);
        free(high);
    } else {
        text = words_format(
            "%s", report_say(p, "too few samples for an interval", "muy pocas muestras para un intervalo"));
    }
    fputs("<td><span class=\"keep\">", p->out);
    html_text(p->out, value);
    fputs("</span><i>", p->out);
    html_text(p->out, text);
    fputs("</i></td>", p->out);
    free(value);
    free(text);
}

static void write_quantiles(report *p)
{
    const struct {
        const char *english, *spanish;
        int k;
        teller tell;
    } row[] = {
        { "speed when nothing was left of its stability", "velocidad al perder toda la estabilidad",
          SURVEY_MEASURES + SAMPLE_LOST_SPEED, report_speed },
        { "instant of it", "instante en que la pierde", SURVEY_MEASURES + SAMPLE_LOST_TIME, report_time },
        { "speed when it leans by more than 40°", "velocidad al inclinarse más de 40°",
          SURVEY_MEASURES + SAMPLE_TIP_SPEED, report_speed },
        { "instant of it", "instante en que se inclina así", SURVEY_EVENT_TIME, report_time },
    };
    double *room = words_alloc(((size_t)p->job.results.n_case + 1) * sizeof *room);
    if (of_tipping(p, SURVEY_EVENT_TIME, room) > 0) {
        fprintf(p->out,
                "<table class=\"ruled\"><thead><tr><th>%s</th><th>5 %%</th><th>50 %%</th><th>95 "
                "%%</th></tr></thead>\n",
                report_say(p, "of those that tip over, so many per cent are below",
                           "de las que vuelcan, este porcentaje queda por debajo de"));
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            int n = of_tipping(p, row[i].k, room);
            if (n == 0) {
                continue;
            }
            fprintf(p->out, "<tr><th>%s</th>", report_say(p, row[i].english, row[i].spanish));
            for (int q = 0; q < LEVELS; q++) {
                write_estimate(p, quantile_estimate(room, n, levels[q], confidence), row[i].tell);
            }
            fputs("</tr>\n", p->out);
        }
        fprintf(p->out, "</table>\n<p class=\"sub\">%s</p>\n",
                report_say(p,
                           "Small: the interval of each with 95 % confidence, whatever the distribution is.",
                           "Pequeño: el intervalo de cada valor con una confianza del 95 %, sea cual sea la "
                           "distribución."));
    }
    free(room);
}

// ---- which parameter ---------------------------------------------------------------------------------------------

typedef struct {
    double value;
    int64_t number;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->number > y->number) - (x->number < y->number);
}

// Of one third: how many of those with an answer tip over, and at which speed in the middle.
static char *third_text(const report *p, const ranked *list, int64_t from, int64_t to, double *room)
{
    const survey_results *r = &p->job.results;
    int hits = 0, known = 0, n = 0;
    for (int64_t i = from; i < to; i++) {
        double happened = survey_answer(r, list[i].number, SURVEY_HAPPENED),
               speed = survey_answer(r, list[i].number, SURVEY_MEASURES + SAMPLE_LOST_SPEED);
        known += !isnan(happened);
        hits += happened == 1.0;
        if (happened == 1.0 && !isnan(speed)) {
            room[n++] = speed;
        }
    }
    if (known == 0) {
        return words_format("–");
    }
    sort_numbers(room, n);
    char *share = percent(p, (double)hits / known), *speed = NULL, *text;
    if (n > 0) {
        speed = words_format("%.2f m/s", quantile_estimate(room, n, 0.5, confidence).value);
        spoken_commas(&p->said, speed);
    }
    text = words_format("%s%s%s", share, speed ? ", " : "", speed ? speed : "");
    free(share);
    free(speed);
    return text;
}

static void write_parameter(report *p, int k, ranked *list, double *room)
{
    const survey_results *r = &p->job.results;
    const survey_variation *v = &p->job.plan.variation[k];
    for (int64_t i = 0; i < r->n_case; i++) {
        list[i] = (ranked){ survey_variation_value(&p->job.plan, i, k), i };
    }
    qsort(list, (size_t)r->n_case, sizeof *list, compare_ranked);
    char *place = words_format("parameters.%s.help", v->name), *spread = report_spread_text(p, v);
    const char *help = bi_document_text(p->said.doc, place);
    fputs("<tr><th>", p->out);
    html_text(p->out, v->name);
    fputs("<i>", p->out);
    html_text(p->out, help ? spoken_text(&p->said, help) : "");
    fputs("</i></th>", p->out);
    put_text(p, "td", spread);
    for (int third = 0; third < THIRDS; third++) {
        put_text(p, "td",
                 third_text(p, list, r->n_case * third / THIRDS, r->n_case * (third + 1) / THIRDS, room));
    }
    fputs("</tr>\n", p->out);
    free(place);
}

static void write_parameters(report *p)
{
    size_t rows = (size_t)p->job.results.n_case + 1;
    ranked *list = words_alloc(rows * sizeof *list);
    double *room = words_alloc(rows * sizeof *room);
    fprintf(
        p->out,
        "<div class=\"wide\"><table "
        "class=\"ruled\"><thead><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th></tr></thead>\n",
        report_say(p, "parameter", "parámetro"), report_say(p, "at random", "al azar"),
        report_say(p, "lowest third", "tercio inferior"), report_say(p, "middle third", "tercio medio"),
        report_say(p, "highest third", "tercio superior"));
    for (int k = 0; k < p->job.plan.n_variation; k++) {
        write_parameter(p, k, list, room);
    }
    fprintf(
        p->out, "</table></div>\n<p class=\"sub\">%s</p>\n",
        report_say(p,
                   "Of the third of the samples in which the parameter is lowest, in the middle, highest: "
                   "the share that tips over, and their median speed when nothing was left of the "
                   "stability. What differs along a row is what decides.",
                   "Del tercio de las muestras con el parámetro más bajo, medio y más alto: la parte que "
                   "vuelca y su velocidad mediana al perder toda la estabilidad. Lo que cambia a lo largo "
                   "de una fila es lo que decide."));
    free(list);
    free(room);
}

// ---- the section -------------------------------------------------------------------------------------------------

// FNV-1a of the bytes that the table has, as of all files of the recording.
static uint64_t hash_of(const char *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ (unsigned char)bytes[k]) * 0x100000001b3u;
    }
    return hash;
}

static void write_source(report *p)
{
    const char *slash = strrchr(p->samples, '/');
    fprintf(p->out, "<p>%s <code>",
            report_say(p, "All samples, a row each:", "Todas las muestras, una por fila:"));
    html_text(p->out, slash ? slash + 1 : p->samples);
    fprintf(p->out, "</code>, %s %016" PRIx64 ". %s <code>biela report ", report_say(p, "hash", "huella"),
            hash_of(p->table, p->table_size),
            report_say(p, "One again, by its number:", "Una de nuevo, por su número:"));
    html_text(p->out, report_name(p));
    fprintf(p->out, " --samples %d --seed %" PRIu64, p->job.plan.n_sample, p->job.plan.seed);
    for (int k = 0; k < p->args->n_given; k++) {
        if (strcmp(p->args->given[k].option->name, "--spread") == 0) {
            fputs(" --spread '", p->out);
            html_text(p->out, p->args->given[k].value);
            fputs("'", p->out);
        }
    }
    fprintf(p->out, " --sample 0</code></p>\n");
}

void report_band(report *p)
{
    if (!p->samples) {
        return;
    }
    char *end = report_time(p, (double)p->source.track.steps * p->source.dt);
    fprintf(p->out, "<h2>%s</h2>\n",
            report_say(p, "Would it have tipped over all the same?", "¿Habría volcado igualmente?"));
    put_text(
        p, "p",
        words_format(
            report_say(p,
                       "%d samples: the same controls, and all parameters below at random at the same time, "
                       "each within what is known of it (seed %" PRIu64
                       "). Each goes on until it tips over, or to %s.",
                       "%d muestras: los mismos mandos y, a la vez, todos los parámetros de abajo al azar, "
                       "cada uno dentro de lo que se sabe de él (semilla %" PRIu64
                       "). Cada una sigue hasta que vuelca, o hasta %s."),
            p->job.plan.n_sample, p->job.plan.seed, end));
    free(end);
    write_share(p);
    write_quantiles(p);
    write_failures(p);
    write_parameters(p);
    write_source(p);
}
