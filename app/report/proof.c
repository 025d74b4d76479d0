// SPDX-License-Identifier: MIT
// What a reader needs to believe the report: verdict, error of the step, versions, hashes, parameters.
#include "cli/words.h"
#include "pictures/svg.h"
#include "report/report.h"
#include <biela/verdict.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *outcome_word(const report *p, bi_outcome outcome)
{
    switch (outcome) {
    case BI_GOOD: return report_say(p, "good", "bueno");
    case BI_DOUBTFUL: return report_say(p, "doubtful", "dudoso");
    case BI_BAD: return report_say(p, "bad", "malo");
    }
    return "";
}

// What the run says about itself: all that is not good, or the three nearest to their limits.
void report_verdict(report *p)
{
    enum { NEAREST = 3 };
    bi_verdict v = bi_sim_verdict(p->base.s.sim);
    fprintf(p->out, "<h2>%s: %s</h2>\n<p>%s</p>\n<table>\n", report_say(p, "Verdict", "Veredicto"),
            outcome_word(p, v.outcome),
            report_say(
                p,
                "What the computation says of its own quality; the first three, and all that are not good.",
                "Lo que el cálculo dice de su propia calidad; los tres primeros, y todos los que no son "
                "buenos."));
    for (int k = 0; k < v.count && (k < NEAREST || v.item[k].outcome != BI_GOOD); k++) {
        const bi_judgement *j = &v.item[k];
        double limit = j->outcome == BI_BAD ? j->bad : j->doubtful;
        char *value = spoken_value(&p->said, j->value, j->unit),
             *most = spoken_value(&p->said, limit, j->unit), *when = report_time(p, j->t);
        bool is_good = j->outcome == BI_GOOD;
        char *text = words_format("%s: %s (%s %s)%s%s, %s%s%s", outcome_word(p, j->outcome), value,
                                  report_say(p, "limit", "límite"), most, j->where[0] ? ", " : "", j->where,
                                  when, is_good ? "" : report_say(p, "; to try: ", "; probar: "),
                                  is_good ? "" : spoken_text(&p->said, j->advice));
        report_row_free(p, spoken_text(&p->said, j->what), text);
        free(value);
        free(most);
        free(when);
    }
    fputs("</table>\n", p->out);
}

static void note(report *p, const char *key, const char *english, const char *spanish)
{
    const char *value = bi_recording_note(&p->source.recording, key);
    if (value) {
        report_row(p, report_say(p, english, spanish), value);
    }
}

// In its own unit, or that of its physical kind, with its tolerance: "0.8 ± 0.1".
static char *parameter_text(const report *p, const char *name, double value, const char *unit)
{
    double shown = unit && *unit ? value / unit_factor(p->base.s.model, unit) : value, half;
    char *number = words_format("%.7g", shown), *sign = spoken_sign(unit ? unit : "");
    bool has_tolerance = report_tolerance(p, name, &half);
    char *within = has_tolerance ? words_format(" ± %.7g", half) : words_format("%s", "");
    char *text = words_format("%s%s%s%s", number, within, *sign && strcmp(sign, "°") != 0 ? " " : "", sign);
    spoken_commas(&p->said, text);
    free(within);
    free(number);
    free(sign);
    return text;
}

static void write_parameters(report *p)
{
    const bi_model *m = p->base.s.model;
    fprintf(p->out, "<h3>%s</h3>\n<div class=\"many\">\n", report_say(p, "Parameters", "Parámetros"));
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        const char *name, *unit;
        double value;
        if (!bi_model_parameter_at(m, k, &name, &value, &unit)) {
            continue;
        }
        char *text = parameter_text(p, name, value, unit), *place = words_format("parameters.%s.help", name);
        const char *help = bi_document_text(p->said.doc, place);
        fputs("<div><b>", p->out);
        html_text(p->out, name);
        fputs("</b> = ", p->out);
        html_text(p->out, text);
        if (help) {
            fputs("<i>", p->out);
            html_text(p->out, spoken_text(&p->said, help));
            fputs("</i>", p->out);
        }
        fputs("</div>\n", p->out);
        free(text);
        free(place);
    }
    fputs("</div>\n", p->out);
}

static void write_files(report *p)
{
    const bi_recording *rec = &p->source.recording;
    fprintf(p->out, "<h3>%s</h3>\n<div class=\"many\">\n",
            report_say(p, "Files of the model", "Archivos del modelo"));
    for (int k = 0; k < rec->n_file; k++) {
        const char *slash = strrchr(rec->file[k].name, '/');
        fputs("<div><b>", p->out);
        html_text(p->out, slash ? slash + 1 : rec->file[k].name);
        fprintf(p->out, "</b> %016" PRIx64 "<i>%zu bytes</i></div>\n", rec->file[k].hash, rec->file[k].size);
    }
    fputs("</div>\n", p->out);
}

void report_identity(report *p)
{
    const bi_recording *rec = &p->source.recording;
    const evidence_run *e = &p->run;
    char *hashes = !e->is_same
                       ? words_format("%s", report_say(p, "not compared: another version, build or setting",
                                                       "sin comparar: otra versión, compilación o ajuste"))
                       : words_format(report_say(p, "%" PRId64 " of %" PRId64 " equal",
                                                 "%" PRId64 " de %" PRId64 " iguales"),
                                      e->equal, e->compared);
    report_title(p, "Evidence", "Pruebas");
    fprintf(
        p->out, "<p>%s <code>biela replay ",
        report_say(p, "The recording holds the model and every input; who has it repeats the drive with:",
                   "La grabación contiene el modelo y cada mando; quien la tiene repite la maniobra con:"));
    html_text(p->out, report_name(p));
    fputs("</code></p>\n<table>\n", p->out);
    note(p, "model", "model", "modelo");
    note(p, "system", "hash of model and method", "huella de modelo y método");
    note(p, "version", "recorded by version", "grabado con la versión");
    note(p, "build", "build", "compilación");
    report_row_free(p, report_say(p, "replayed by", "repetido con"),
                    words_format("%s %s", bi_version(), bi_build_name()));
    note(p, "scheme", "scheme", "esquema");
    note(p, "formulation", "formulation", "formulación");
    note(p, "run", "run", "caso");
    for (int k = 0; k < rec->n_note; k++) {
        if (strcmp(rec->note[k].key, "set") == 0) {
            report_row(p, report_say(p, "set", "ajustado"), rec->note[k].value);
        }
    }
    report_row_free(p, report_say(p, "hashes on the way", "huellas por el camino"), hashes);
    report_row_free(p, report_say(p, "hash at the end", "huella al final"),
                    words_format("%016" PRIx64, e->hash));
    fputs("</table>\n", p->out);
    write_parameters(p);
    write_files(p);
}

static void write_difference(report *p, int channel, const evidence_difference *d)
{
    const bi_system *system = p->base.s.system;
    bi_channel c = bi_channel_at(system, channel);
    const char *name = bi_channel_name(system, c);
    double values[] = { 4.0 / 3.0 * d->largest, 4.0 / 3.0 * fabs(d->last), d->range };
    spoken_unit unit = spoken_unit_of(&p->said, name, bi_channel_unit(system, c), d->range);
    char *said = spoken_channel(&p->said, name);
    fputs("<tr><th>", p->out);
    html_text(p->out, said);
    fputs("</th>", p->out);
    for (int k = 0; k < 3; k++) {
        char *number =
            values[k] < unit.least ? words_format("0") : spoken_number(&p->said, unit.factor * values[k], 3);
        fprintf(p->out, "<td>%s%s%s</td>", number, strcmp(unit.sign, "°") == 0 ? "" : " ", unit.sign);
        free(number);
    }
    fputs("</tr>\n", p->out);
    free(said);
}

// The recording with half the step: of order two, the error is 4/3 of the difference.
void report_error(report *p)
{
    rerun half;
    evidence_run e = { 0 };
    exit_code code = rerun_open(&half, &p->source, NULL, 0, 2);
    session_print_messages(&half.s);
    if (code == CLI_OK) {
        evidence_simulate(&half, &(evidence_watch){ .kind = EVIDENCE_VALUES }, &e);
        fprintf(p->out,
                "<h3>%s</h3>\n<p>%s%s</p>\n<table "
                "class=\"ruled\">\n<thead><tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th></tr></thead>\n",
                report_say(p, "Error of the step", "Error del paso"),
                report_say(p,
                           "The same inputs with half the step; for a scheme of order two the error with the "
                           "recorded step is about 4/3 of the difference.",
                           "Los mismos mandos con la mitad del paso; en un esquema de orden dos el error con "
                           "el paso grabado es unos 4/3 de la diferencia."),
                e.status == BI_OK ? ""
                                  : report_say(p, " It failed before the end.", " Falló antes del final."),
                report_say(p, "reading", "lectura"),
                report_say(p, "largest error, estimated", "error máximo, estimado"),
                report_say(p, "at the end", "al final"), report_say(p, "range", "recorrido"));
        for (int k = 0; k < p->n_shown; k++) {
            evidence_difference d = evidence_compare(&p->run, &e, p->shown[k]);
            write_difference(p, p->shown[k], &d);
        }
        fputs("</table>\n", p->out);
        evidence_clear(&e);
    } else {
        fprintf(p->out, "<h3>%s</h3>\n<p class=\"bad\">%s</p>\n",
                report_say(p, "Error of the step", "Error del paso"),
                report_say(p, "It is not known: the drive does not start with half the step.",
                           "No se conoce: la maniobra no arranca con la mitad del paso."));
    }
    rerun_close(&half);
}
