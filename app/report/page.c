// SPDX-License-Identifier: MIT
// The page around the sections: its style on a screen and on paper, its head, its tables.
#include "cli/words.h"
#include "pictures/svg.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "@page{size:A4;margin:13mm 12mm}*{box-sizing:border-box}"
    "body{font:14px/1.4 'Liberation Sans',Arial,sans-serif;max-width:1080px;margin:1.5em auto;padding:0 "
    "16px;color:#1d2530}"
    "h1{font-size:24px;margin:0 0 2px}h2{font-size:17px;margin:20px 0 6px;border-bottom:1px solid "
    "#c9d1da;padding-bottom:3px;break-after:avoid}h3{font-size:14px;margin:14px 0 4px;break-after:avoid}"
    ".sub{color:#55606d;margin:0 0 10px}.lead{font-size:16px}p{margin:4px 0 8px}"
    "table{border-collapse:collapse}th{text-align:left;font-weight:normal;color:#55606d;vertical-align:top}"
    "th,td{padding:2px 14px 2px 0}tr{break-inside:avoid}thead "
    "th{color:#1d2530;font-weight:bold;vertical-align:bottom}"
    ".ruled{width:100%}.ruled td,.ruled th{border-bottom:1px solid #e3e7ec;padding:4px 10px 4px "
    "0;vertical-align:top}"
    ".two{display:grid;grid-template-columns:1fr 1fr;gap:4px "
    "18px}.many{columns:3;column-gap:24px;font-size:12px}"
    ".many div{break-inside:avoid;padding:2px 0;border-bottom:1px solid #eef1f4}.many "
    "b{font-weight:normal;color:#55606d}"
    ".many i,th i,td i{font-style:normal;color:#7a8592;display:block;font-size:11px}"
    "figure{margin:0 0 8px;break-inside:avoid}figure img,figure "
    "svg{width:100%;height:auto;display:block;border:1px "
    "solid "
    "#d5dbe2;border-radius:3px}figcaption{font-size:12px;color:#55606d;padding-top:2px}"
    ".scenes{display:grid;grid-template-columns:1fr 1fr;gap:8px 12px}.scenes "
    "figure:first-child{grid-column:1/3}"
    ".plot "
    "svg{width:100%;display:block}.plot{break-inside:avoid}.grid{stroke:#dfe4ea}.curve{fill:none;stroke:#"
    "1f5fbf;"
    "stroke-width:1.4}.mark{stroke:#c03030;stroke-dasharray:3 3}.begin{fill:#2a7a3a}.end{fill:#b02a2a}"
    ".track{fill:none;stroke:#1f5fbf;stroke-linejoin:round}svg text{font:11px 'Liberation "
    "Sans',Arial,sans-serif;fill:#3c4652}.left{text-anchor:end}.below{text-anchor:middle}svg "
    ".title{font-size:12px;fill:#1d2530}.good{color:#1d6b2d}.bad{color:#a82424;font-weight:bold}"
    "code{font-size:12px;overflow-wrap:anywhere}.keep{white-space:nowrap}@media(max-width:700px){.two,."
    "scenes{grid-template-columns:1fr}"
    ".scenes "
    "figure:first-child{grid-column:auto}.many{columns:1}.wide{overflow-x:auto}}"
    "@media "
    "print{body{font-size:10.5pt;max-width:none;margin:0;padding:0}h2{margin-top:12px}.many{font-size:8.5pt}"
    "h2+p,h3+p{break-after:avoid}"
    ".many i,th i,td i{font-size:8pt}figcaption{font-size:8.5pt}}";

const char *report_say(const report *p, const char *english, const char *spanish)
{
    return spoken_either(&p->said, english, spanish);
}

const char *report_name(const report *p) { return p->name ? p->name : report_say(p, "LINK", "ENLACE"); }

const char *report_model(const report *p)
{
    // the files of a recording lie in a folder of any name
    const char *name = bi_recording_note(&p->source.recording, "model");
    return name ? name : p->base.s.short_name;
}

void report_title(report *p, const char *english, const char *spanish)
{
    fprintf(p->out, "<h2>%s</h2>\n", report_say(p, english, spanish));
}

void report_row(report *p, const char *key, const char *value)
{
    fputs("<tr><th>", p->out);
    html_text(p->out, key);
    fputs("</th><td>", p->out);
    html_text(p->out, value);
    fputs("</td></tr>\n", p->out);
}

void report_row_free(report *p, const char *key, char *value)
{
    report_row(p, key, value);
    free(value);
}

char *report_time(const report *p, double t)
{
    char *text = words_format("%.2f s", t);
    spoken_commas(&p->said, text);
    return text;
}

char *report_speed(const report *p, double v)
{
    char *text = words_format("%.1f km/h (%.2f m/s)", 3.6 * v, v);
    spoken_commas(&p->said, text);
    return text;
}

static char *timeline_of(const report *p)
{
    const char *asked = arguments_value(p->args, "--branch");
    int count = bi_recording_branches(&p->source.recording);
    return asked ? words_format(report_say(p, "%d; this is number %s", "%d; esta es la número %s"), count,
                                asked)
                 : words_format(report_say(p, "%d; this is the last", "%d; esta es la última"), count);
}

static const char *ending_of(const report *p)
{
    const bi_recording *rec = &p->source.recording;
    if (rec->summary) {
        return report_say(p, "by itself; all of it is recorded", "por sí misma; está grabada entera");
    }
    return p->is_running
               ? report_say(p, "it is still being driven; this is what is recorded so far",
                            "todavía se conduce; esto es lo grabado hasta ahora")
               : report_say(
                     p, "the program was stopped before it closed the file; the last moments may be missing",
                     "el programa se detuvo antes de cerrar el archivo; pueden faltar los últimos instantes");
}

// "2026-11-18T20:49:36Z" as people write it.
static void put_date(report *p, const char *iso)
{
    size_t n = iso ? strlen(iso) : 0;
    if (n < 16 || iso[10] != 'T') {
        html_text(p->out, iso);
        return;
    }
    if (p->said.language == SPOKEN_SPANISH) {
        fprintf(p->out, "%.2s/%.2s/%.4s %.5s UTC", iso + 8, iso + 5, iso, iso + 11);
    } else {
        fprintf(p->out, "%.10s %.5s UTC", iso, iso + 11);
    }
}

// On paper each sheet says which recording it is of, with the hash of its end, and which sheet it is.
static void put_footer(report *p)
{
    fputs("@page{@bottom-left{font:8pt 'Liberation Sans',Arial,sans-serif;color:#55606d;content:\"", p->out);
    for (const char *c = report_name(p); *c; c++) {
        fputc((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                      strchr("._- ", *c)
                  ? *c
                  : '_',
              p->out);
    }
    fprintf(p->out,
            "  %016" PRIx64 "\"}@bottom-right{font:8pt 'Liberation Sans',Arial,sans-serif;color:#55606d;"
            "content:counter(page) \" / \" counter(pages)}}",
            p->run.hash);
}

void report_head(report *p)
{
    const bi_recording *rec = &p->source.recording;
    const char *title = bi_recording_note(rec, "title"), *run = bi_recording_note(rec, "run");
    title = spoken_text(&p->said, title ? title : report_say(p, "A drive", "Una maniobra"));
    fprintf(p->out,
            "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            "content=\"width=device-width\"><title>%s: ",
            report_say(p, "en", "es"), report_say(p, "Report of a drive", "Informe de una maniobra"));
    html_text(p->out, title);
    fprintf(p->out, "</title><style>%s", style);
    put_footer(p);
    fprintf(p->out,
            "</style></head><body>\n<h1>%s: ", report_say(p, "Report of a drive", "Informe de una maniobra"));
    html_text(p->out, title);
    fputs("</h1>\n<p class=\"sub\">", p->out);
    put_date(p, bi_recording_note(rec, "recorded"));
    if (run) {
        fprintf(p->out, " · %s ", report_say(p, "run", "caso"));
        char *name = spoken_event(&p->said, run);
        html_text(p->out, name);
        free(name);
    }
    fputs("</p>\n", p->out);
}

// Behind the sentences: how long, how it was recorded.
void report_recorded(report *p)
{
    char *length = report_time(p, (double)p->source.track.steps * p->source.dt);
    char *steps =
        words_format(report_say(p, "%s, %" PRId64 " steps of %g ms", "%s, %" PRId64 " pasos de %g ms"),
                     length, p->source.track.steps, 1e3 * p->source.dt);
    spoken_commas(&p->said, steps);
    report_row_free(p, report_say(p, "length", "duración"), steps);
    report_row_free(p, report_say(p, "timelines", "líneas de tiempo"), timeline_of(p));
    report_row(p, report_say(p, "ended", "final"), ending_of(p));
    free(length);
}

static const char *state_of(const report *p)
{
    switch (exercise_state_of(p->exercise)) {
    case EXERCISE_READY: return report_say(p, "not begun", "sin empezar");
    case EXERCISE_RUNNING: return report_say(p, "not finished", "sin acabar");
    case EXERCISE_PASSED: return report_say(p, "passed", "superado");
    case EXERCISE_FAILED: return report_say(p, "failed", "no superado");
    }
    return "";
}

static char *limit_text(const report *p, const exercise_limit *l)
{
    char *worst = spoken_number(&p->said, l->worst, 4), *max = spoken_number(&p->said, l->max, 4),
         *first = report_time(p, l->first), *text;
    if (l->times > 0 && l->n_event > 0) {
        text = words_format(report_say(p, "%d times, first at %s: %g points lost",
                                       "%d veces, la primera en %s: %g puntos menos"),
                            l->times, first, l->cost * l->times);
    } else if (l->n_event > 0) {
        text = words_format("%s", report_say(p, "never", "nunca"));
    } else if (l->times > 0) {
        text =
            words_format(report_say(p, "%d times beyond %s, first at %s, largest %s: %g points lost",
                                    "superado %d veces (%s), la primera en %s, máximo %s: %g puntos menos"),
                         l->times, max, first, worst, l->cost * l->times);
    } else {
        text = words_format(report_say(p, "kept: largest %s of %s", "cumplido: máximo %s de %s"), worst, max);
    }
    free(worst);
    free(max);
    free(first);
    return text;
}

// What to do better, as the exercise and the model say it.
static void write_hints(report *p)
{
    exercise_reason r;
    bool is_open = false;
    for (int k = 0; exercise_reason_at(p->exercise, k, &r); k++) {
        if (r.hint && !is_open) {
            fprintf(p->out, "<p>%s</p>\n<ul>\n", report_say(p, "What to do better:", "Qué mejorar:"));
            is_open = true;
        }
        if (r.hint) {
            fputs("<li>", p->out);
            html_text(p->out, spoken_text(&p->said, r.hint));
            fputs("</li>\n", p->out);
        }
    }
    if (is_open) {
        fputs("</ul>\n", p->out);
    }
}

void report_exercise(report *p)
{
    const exercise *ex = p->exercise;
    if (!ex) {
        return;
    }
    exercise_state state = exercise_state_of(ex);
    char *time = report_time(p, exercise_time(ex));
    fprintf(p->out, "<h2>%s: ", report_say(p, "Exercise", "Ejercicio"));
    html_text(p->out, spoken_text(&p->said, exercise_title(ex)));
    fprintf(p->out, "</h2>\n<p class=\"%s\">%s %s %s, %s %.0f %s</p>\n<table>\n",
            state == EXERCISE_PASSED ? "good" : "bad", state_of(p), report_say(p, "after", "tras"), time,
            report_say(p, "score", "puntuación"), exercise_score(ex), report_say(p, "of 100", "de 100"));
    free(time);
    for (int k = 0; k < exercise_goal_count(ex); k++) {
        const exercise_goal *g = exercise_goal_at(ex, k);
        char *when = report_time(p, g->done_at);
        report_row_free(p, spoken_text(&p->said, g->text),
                        g->done_at >= 0.0
                            ? words_format("%s %s", report_say(p, "reached at", "alcanzado en"), when)
                            : words_format("%s", report_say(p, "not reached", "no alcanzado")));
        free(when);
    }
    for (int k = 0; k < exercise_limit_count(ex); k++) {
        const exercise_limit *l = exercise_limit_at(ex, k);
        report_row_free(p, spoken_text(&p->said, l->text), limit_text(p, l));
    }
    fputs("</table>\n", p->out);
    write_hints(p);
}
