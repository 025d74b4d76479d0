// SPDX-License-Identifier: MIT
// What happened: sentences, the table of the outcome, pictures of the key moments, the events.
#include "cli/words.h"
#include "pictures/svg.h"
#include "report/pictures.h"
#include "report/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void sentence(report *p, const char *kind, char *text)
{
    fprintf(p->out, "<p class=\"%s\">", kind);
    html_text(p->out, text);
    fputs("</p>\n", p->out);
    free(text);
}

static void tell_tipping(report *p)
{
    const outcome *o = &p->end;
    char *when = report_time(p, o->tipped_t), *lost = report_time(p, o->lost_t),
         *fast = report_speed(p, o->lost_speed), *tipping = report_speed(p, o->tipped_speed);
    if (!isnan(o->tipped_t) && !isnan(o->lost_t)) {
        sentence(p, "lead bad",
                 words_format(report_say(p,
                                         "It tipped over: the wheels of one side or axle carried nothing "
                                         "from %s on, at %s; at %s it leaned by more than 40°.",
                                         "Volcó: las ruedas de un lado o de un eje dejaron de cargar en %s, "
                                         "a %s; en %s se inclinaba más de 40°."),
                              lost, fast, when));
    } else if (!isnan(o->tipped_t)) {
        sentence(p, "lead bad",
                 words_format(report_say(p, "It tipped over: at %s it leaned by more than 40°, at %s.",
                                         "Volcó: en %s se inclinaba más de 40°, a %s."),
                              when, tipping));
    } else if (!isnan(o->lost_t)) {
        sentence(p, "lead bad",
                 words_format(
                     report_say(
                         p,
                         "It did not tip over, but it was on the edge: at %s, at %s, nothing was left of its "
                         "stability.",
                         "No volcó, pero estuvo al límite: en %s, a %s, no quedaba nada de su estabilidad."),
                     lost, fast));
    } else if (p->is_vehicle) {
        sentence(p, "lead good", words_format("%s", report_say(p, "It did not tip over.", "No volcó.")));
    }
    free(when);
    free(lost);
    free(fast);
    free(tipping);
}

static void tell_hit(report *p)
{
    const outcome *o = &p->end;
    if (isnan(o->hit_t)) {
        return;
    }
    char *when = report_time(p, o->hit_t), *fast = spoken_value(&p->said, o->hit_speed, "m/s"),
         *hard = spoken_value(&p->said, o->hit_force, "N"), *a = spoken_name(&p->said, o->hit_a),
         *b = spoken_name(&p->said, o->hit_b);
    sentence(p, "lead",
             words_format(report_say(p, "The hardest touch: %s against %s at %s, %s, with up to %s.",
                                     "El golpe más fuerte: %s contra %s en %s, a %s, con hasta %s."),
                          a, b, when, fast, hard));
    free(when);
    free(fast);
    free(hard);
    free(a);
    free(b);
}

static void write_outcome(report *p)
{
    const outcome *o = &p->end;
    fputs("<table>\n", p->out);
    if (p->is_vehicle) {
        report_row_free(p, report_say(p, "way driven", "recorrido"), spoken_value(&p->said, o->way, "m"));
        report_row_free(p, report_say(p, "fastest", "velocidad máxima"), report_speed(p, o->fastest));
    }
    if (!isnan(o->least)) {
        char *least = spoken_number(&p->said, 100.0 * o->least, 3), *when = report_time(p, o->least_t);
        report_row_free(p, report_say(p, "least stability", "estabilidad mínima"),
                        words_format(report_say(p, "%s %% at %s", "%s %% en %s"), least, when));
        free(least);
        free(when);
    }
    if (o->touches > 0) {
        report_row_free(p, report_say(p, "touches told", "golpes registrados"),
                        words_format("%d", o->touches));
    }
    report_recorded(p);
    fputs("</table>\n", p->out);
}

void report_happened(report *p)
{
    report_title(p, "What happened", "Qué ocurrió");
    tell_tipping(p);
    tell_hit(p);
    if (p->run.status != BI_OK) {
        char *when = report_time(p, p->end.end);
        sentence(
            p, "bad",
            words_format(report_say(p, "The computation failed at %s: nothing is known of what came after.",
                                    "El cálculo falló en %s: no se sabe nada de lo que vino después."),
                         when));
        free(when);
    }
    pictures_write(p);
    write_outcome(p);
}

// ---- events ----------------------------------------------------------------------------------------------------------

static const char *unit_of(const report *p, const char *channel)
{
    const bi_system *system = p->base.s.system;
    for (int k = 0; k < bi_channel_count(system); k++) {
        if (strcmp(bi_channel_name(system, bi_channel_at(system, k)), channel) == 0) {
            return bi_channel_unit(system, bi_channel_at(system, k));
        }
    }
    return "";
}

// "channel is above 3" and the like; what else a model says stands as it does.
static char *watched(const report *p, const char *what)
{
    static const char *const sides[][3] = { { " is above ", "is above", "por encima de" },
                                            { " is below ", "is below", "por debajo de" } };
    for (int k = 0; k < 2; k++) {
        const char *at = strstr(what, sides[k][0]);
        if (at) {
            char *name = words_copy(what, (size_t)(at - what)), *said = spoken_channel(&p->said, name), *rest;
            double limit = strtod(at + strlen(sides[k][0]), &rest);
            spoken_unit unit = spoken_unit_of(&p->said, name, unit_of(p, name), limit);
            char *number = spoken_number(&p->said, limit * unit.factor, 4);
            char *text = words_format("%s %s %s%s%s%s", said, report_say(p, sides[k][1], sides[k][2]), number,
                                      !*unit.sign || strcmp(unit.sign, "°") == 0 ? "" : " ", unit.sign, rest);
            free(number);
            char *start = strstr(text, ", already at the start");
            if (start && p->said.language == SPOKEN_SPANISH) {
                strcpy(start, ", ya al empezar");
            }
            free(name);
            free(said);
            return text;
        }
    }
    return words_format("%s", spoken_text(&p->said, what));
}

static char *touch(const report *p, const bi_hit *h)
{
    char *a = spoken_name(&p->said, h->title_a), *b = spoken_name(&p->said, h->title_b);
    double v =
        sqrt(h->velocity.x * h->velocity.x + h->velocity.y * h->velocity.y + h->velocity.z * h->velocity.z);
    char *speed = spoken_value(&p->said, v, "m/s"), *force = spoken_value(&p->said, h->force, "N"),
         *energy = spoken_value(&p->said, h->energy, "J");
    char *text = words_format(
        report_say(p, "%s against %s at (%.1f; %.1f; %.1f) m, %s, largest force %s, energy taken %s",
                   "%s contra %s en (%.1f; %.1f; %.1f) m, %s, fuerza máxima %s, energía absorbida %s"),
        a, b, h->at.x, h->at.y, h->at.z, speed, force, energy);
    spoken_commas(&p->said, text);
    free(a);
    free(b);
    free(speed);
    free(force);
    free(energy);
    return text;
}

// So many like it follow, that are no touches; their last instant.
static int count_same(const report *p, int first, const bi_event *event, double *last)
{
    int n = 1;
    bi_event next;
    *last = event->t;
    while (event->hit.a.i == 0 && bi_sim_event(p->base.s.sim, first + n, &next) &&
           strcmp(next.name, event->name) == 0) {
        *last = next.t;
        n++;
    }
    return n;
}

// One row for an event, or for several of a kind; how many it tells.
static int write_event(report *p, int k, const bi_event *event)
{
    double last;
    int n = count_same(p, k, event, &last);
    char *when = report_time(p, event->t), *until = report_time(p, last),
         *name = spoken_event(&p->said, event->name),
         *what = event->hit.a.i > 0 ? touch(p, &event->hit) : watched(p, event->what);
    fprintf(p->out, "<tr><td>%s", when);
    if (n > 1) {
        fprintf(p->out, report_say(p, " to %s, %d times", " a %s, %d veces"), until, n);
    }
    fputs("</td><td>", p->out);
    html_text(p->out, name);
    fputs("</td><td>", p->out);
    html_text(p->out, what);
    if (event->remedy) {
        fputs("<i>", p->out);
        html_text(p->out, spoken_text(&p->said, event->remedy));
        fputs("</i>", p->out);
    }
    fputs("</td></tr>\n", p->out);
    free(when);
    free(until);
    free(name);
    free(what);
    return n;
}

// What an instructor has remarked while it was driven.
static void write_comments(report *p)
{
    const bi_recording *rec = &p->source.recording;
    for (int k = 0; k < rec->n_note; k++) {
        const char *text = strcmp(rec->note[k].key, "comment") == 0 ? strchr(rec->note[k].value, ' ') : NULL;
        if (text) {
            char *when = report_time(p, strtod(rec->note[k].value, NULL));
            fprintf(p->out, "<p><b>%s, %s</b> ", report_say(p, "Comment", "Comentario"), when);
            html_text(p->out, text + 1);
            fputs("</p>\n", p->out);
            free(when);
        }
    }
}

void report_events(report *p)
{
    int count = bi_sim_event_count(p->base.s.sim);
    report_title(p, "Events", "Sucesos");
    write_comments(p);
    if (count == 0) {
        fprintf(p->out, "<p>%s</p>\n", report_say(p, "none", "ninguno"));
        return;
    }
    fprintf(p->out, "<table class=\"ruled\"><thead><tr><th>%s</th><th>%s</th><th>%s</th></tr></thead>\n",
            report_say(p, "time", "instante"), report_say(p, "event", "suceso"),
            report_say(p, "what", "qué"));
    for (int k = 0; k < count;) {
        bi_event event;
        bool is_there = bi_sim_event(p->base.s.sim, k, &event);
        k += is_there ? write_event(p, k, &event) : 1;
    }
    fputs("</table>\n", p->out);
}
