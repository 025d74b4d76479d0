// SPDX-License-Identifier: MIT
// How the outcome depends on parameters: the same inputs with each of them larger and smaller by a part.
#include "cli/words.h"
#include "pictures/solid.h"
#include "pictures/svg.h"
#include "report/report.h"
#include <biela/look.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 5 };

static bool is_in(const words_list *list, const char *name)
{
    for (int k = 0; k < list->count; k++) {
        if (strcmp(list->name[k], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool parameter_value(const bi_model *m, const char *name, double *value)
{
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        const char *own, *unit;
        double v;
        if (bi_model_parameter_at(m, k, &own, &v, &unit) && strcmp(own, name) == 0) {
            *value = v;
            return true;
        }
    }
    return false;
}

// Plain numbers, as they are in this drive; whole ones without a unit are counts and switches.
static bool can_vary(const report *p, const char *name)
{
    char *whole = words_format("parameters.%s", name), *value = words_format("parameters.%s.value", name),
         *unit = words_format("parameters.%s.unit", name);
    double number = 0.0;
    bool is_number =
        bi_document_number(p->said.doc, whole, &number) || bi_document_number(p->said.doc, value, &number);
    bool is_good = is_number && parameter_value(p->base.s.model, name, &number) && number != 0.0 &&
                   (bi_document_text(p->said.doc, unit) || number != floor(number));
    free(whole);
    free(value);
    free(unit);
    return is_good;
}

static void choose(const report *p, words_list *list, const char *name)
{
    if (name && list->count < PARAMETERS && can_vary(p, name) && !is_in(list, name)) {
        list->name[list->count++] = words_format("%s", name);
    }
}

// Those asked for, else those set for this drive or by its run, those with a tolerance, and then the first ones of the file.
static words_list choose_parameters(const report *p)
{
    const char *asked = arguments_value(p->args, "--vary");
    if (asked) {
        return words_split(asked, ',');
    }
    const bi_recording *rec = &p->source.recording;
    words_list list = { .name = words_alloc(PARAMETERS * sizeof(char *)) };
    for (int k = 0; k < rec->n_note; k++) {
        const char *equal = strcmp(rec->note[k].key, "set") == 0 ? strchr(rec->note[k].value, '=') : NULL;
        char *name = equal ? words_copy(rec->note[k].value, (size_t)(equal - rec->note[k].value)) : NULL;
        choose(p, &list, name);
        free(name);
    }
    const char *run = bi_recording_note(rec, "run");
    char *set = words_format("runs.%s.set", run ? run : "");
    for (int k = 0; run && k < bi_document_count(p->said.doc, set); k++) {
        choose(p, &list, bi_document_key(p->said.doc, set, k));
    }
    free(set);
    for (int k = 0; k < bi_document_count(p->said.doc, "parameters"); k++) {
        const char *name = bi_document_key(p->said.doc, "parameters", k);
        double half;
        if (report_tolerance(p, name, &half)) {
            choose(p, &list, name);
        }
    }
    for (int k = 0; k < bi_document_count(p->said.doc, "parameters"); k++) {
        choose(p, &list, bi_document_key(p->said.doc, "parameters", k));
    }
    return list;
}

static void put_cell(report *p, char *text)
{
    fputs("<td>", p->out);
    html_text(p->out, text);
    fputs("</td>", p->out);
    free(text);
}

static char *instant(const report *p, double t, double speed)
{
    if (isnan(t)) {
        return words_format("%s", report_say(p, "no", "no"));
    }
    char *when = report_time(p, t), *fast = words_format("%.2f m/s", speed);
    spoken_commas(&p->said, fast);
    char *text = words_format(report_say(p, "yes, %s, %s", "sí, %s, %s"), when, fast);
    free(when);
    free(fast);
    return text;
}

// The cells of one drive; `far` is how far from the recorded end it ended.
static void write_outcome(report *p, const outcome *o, double far)
{
    if (p->is_vehicle) {
        put_cell(p, instant(p, o->tipped_t, o->tipped_speed));
    }
    if (p->margin >= 0) {
        put_cell(p, instant(p, o->lost_t, o->lost_speed));
        char *least = spoken_number(&p->said, 100.0 * o->least, 3);
        put_cell(p, words_format("%s %%", least));
        free(least);
    }
    char *hard = isnan(o->hit_t) ? NULL : spoken_value(&p->said, o->hit_force, "N");
    put_cell(p, hard ? hard : words_format("–"));
    put_cell(p, spoken_value(&p->said, far, "m"));
}

static void write_header(report *p, double by)
{
    fprintf(p->out, "<h2>%s</h2>\n<p>",
            report_say(p, "Sensitivity of the outcome", "Sensibilidad del resultado"));
    fprintf(
        p->out,
        report_say(
            p,
            "The same inputs with one parameter larger or smaller by %g %%: would it have ended otherwise?",
            "Los mismos mandos con un parámetro un %g %% mayor o menor: ¿habría acabado de otro modo?"),
        fabs(100.0 * by));
    fprintf(p->out, "</p>\n<div class=\"wide\"><table class=\"ruled\">\n<thead><tr><th>%s</th>",
            report_say(p, "parameter", "parámetro"));
    if (p->is_vehicle) {
        fprintf(p->out, "<th>%s</th>", report_say(p, "tips over", "vuelca"));
    }
    if (p->margin >= 0) {
        fprintf(p->out, "<th>%s</th><th>%s</th>",
                report_say(p, "loses its stability", "pierde la estabilidad"),
                report_say(p, "least stability", "estabilidad mínima"));
    }
    fprintf(p->out, "<th>%s</th><th>%s</th></tr></thead>\n",
            report_say(p, "hardest touch", "golpe más fuerte"),
            report_say(p, "ends elsewhere by", "acaba desplazado"));
}

// One parameter with one factor; false: it does not run so.
static bool vary(const report *p, const char *name, double value, outcome *is)
{
    // an expression is in SI, as the value is
    char *text = words_format("(%.17g)*1", value);
    bi_setting change = { name, text };
    rerun again;
    evidence_run e = { 0 };
    bool is_run = rerun_open(&again, &p->source, &change, 1, 1) == CLI_OK;
    outcome_watch watch;
    is_run = is_run && report_watch(p, &again, &watch);
    if (is_run) {
        evidence_simulate(&again, &(evidence_watch){ .each = outcome_step, .data = &watch }, &e);
        outcome_end(&watch);
        *is = watch.is;
        is_run = e.status == BI_OK;
    }
    evidence_clear(&e);
    rerun_close(&again);
    free(text);
    return is_run;
}

static bool is_other_ending(const outcome *a, const outcome *b)
{
    return isnan(a->tipped_t) != isnan(b->tipped_t) || isnan(a->lost_t) != isnan(b->lost_t);
}

static void write_variation(report *p, const char *name, double value, double by, int *others)
{
    outcome is;
    char *percent = words_format("%s %+g %%", name, 100.0 * by),
         *place = words_format("parameters.%s.help", name);
    const char *help = bi_document_text(p->said.doc, place);
    spoken_commas(&p->said, percent);
    fputs("<tr><th>", p->out);
    html_text(p->out, percent);
    if (help && by > 0.0) {
        fputs("<i>", p->out);
        html_text(p->out, spoken_text(&p->said, help));
        fputs("</i>", p->out);
    }
    fputs("</th>", p->out);
    free(percent);
    free(place);
    if (vary(p, name, value * (1.0 + by), &is)) {
        bi_vec3 off = solid_plus(is.place, -1.0, p->end.place);
        write_outcome(p, &is, sqrt(solid_dot(off, off)));
        *others += is_other_ending(&is, &p->end);
    } else {
        fprintf(p->out, "<td colspan=\"%d\">%s</td>", 2 + p->is_vehicle + 2 * (p->margin >= 0),
                report_say(p, "the model refuses this value, or its run fails",
                           "el modelo rechaza este valor, o su cálculo falla"));
    }
    fputs("</tr>\n", p->out);
}

bool report_sensitivity(report *p, double by)
{
    words_list list = choose_parameters(p);
    bool is_good = true;
    int others = 0, runs = 0;
    write_header(p, by);
    fprintf(p->out, "<tr><th>%s</th>", report_say(p, "as driven", "como se condujo"));
    write_outcome(p, &p->end, 0.0);
    fputs("</tr>\n", p->out);
    for (int k = 0; k < list.count; k++) {
        double value;
        if (!parameter_value(p->base.s.model, list.name[k], &value)) {
            fprintf(stderr, "biela report: --vary: %s has no parameter '%s'\n", report_model(p),
                    list.name[k]);
            is_good = false;
            continue;
        }
        write_variation(p, list.name[k], value, fabs(by), &others);
        write_variation(p, list.name[k], value, -fabs(by), &others);
        runs += 2;
    }
    fputs("</table></div>\n", p->out);
    if (p->is_vehicle && runs > 0) {
        fprintf(p->out,
                report_say(p, "<p>%d of %d end otherwise (tipping over, or losing all stability).</p>\n",
                           "<p>%d de %d acaban de otro modo (vuelco, o pérdida de toda estabilidad).</p>\n"),
                others, runs);
    }
    words_list_clear(&list);
    return is_good;
}
