// SPDX-License-Identifier: MIT
// Inputs and channels over time, two beside each other; what never changes is told in words.
#include "cli/words.h"
#include "pictures/svg.h"
#include "report/pictures.h"
#include <biela/look.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS = 8 };

typedef struct {
    double size, range;
} extent;

static extent extent_of(const double *y, int n)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        if (isfinite(y[k])) {
            low = fmin(low, y[k]);
            high = fmax(high, y[k]);
        }
    }
    return low <= high ? (extent){ fmax(fabs(low), fabs(high)), high - low } : (extent){ 0.0, 0.0 };
}

typedef struct {
    FILE *flat; // texts of what does not change
    int n_mark;
    double mark[MARKS];
} drawn;

static void draw(report *p, drawn *d, char *title, spoken_unit unit, const double *y)
{
    extent e = extent_of(y, p->run.n);
    // rounding is no motion
    if (e.range > fmax(unit.least, 1e-9 * e.size)) {
        fputs("<div class=\"plot\">", p->out);
        svg_plot(p->out, &(svg_curve){ .title = title,
                                       .unit = unit.sign,
                                       .n = p->run.n,
                                       .t = p->run.t,
                                       .y = y,
                                       .factor = unit.factor,
                                       .n_mark = d->n_mark,
                                       .mark = d->mark,
                                       .point = p->said.language == SPOKEN_SPANISH ? ',' : '.' });
        fputs("</div>\n", p->out);
    } else if (d->flat) {
        bool is_nothing = e.size <= unit.least;
        char *value = spoken_number(&p->said, is_nothing || p->run.n == 0 ? 0.0 : unit.factor * y[0], 4);
        fprintf(d->flat, "%s%s (%s%s%s)", ftell(d->flat) > 0 ? ", " : "", title, value,
                *unit.sign && strcmp(unit.sign, "°") != 0 ? " " : "", unit.sign);
        free(value);
    }
    free(title);
}

void report_plots(report *p)
{
    const evidence_run *e = &p->run;
    const bi_system *system = p->base.s.system;
    const int room = EVIDENCE_SAMPLES + 2;
    char *flat = NULL;
    size_t size = 0;
    drawn d = { .flat = open_memstream(&flat, &size) };
    for (int k = 0; d.n_mark < MARKS && k < bi_sim_event_count(p->base.s.sim); k++) {
        bi_event event;
        if (bi_sim_event(p->base.s.sim, k, &event)) {
            d.mark[d.n_mark++] = event.t;
        }
    }
    report_title(p, "Controls and readings", "Mandos y lecturas");
    fputs("<div class=\"two\">\n", p->out);
    for (int k = 0; k < e->n_input; k++) {
        const char *name = p->source.recording.input[k];
        bi_input_info info = { 0 };
        bi_model_input_info(p->base.s.model, bi_model_input(p->base.s.model, name), &info);
        char *said = spoken_name(&p->said, name);
        char *title = words_format("%s: %s", report_say(p, "control", "mando"), said);
        draw(p, &d, title, spoken_plain_unit(info.unit, 0.0), e->input + k * room);
        free(said);
    }
    for (int k = 0; k < p->n_shown; k++) {
        bi_channel c = bi_channel_at(system, p->shown[k]);
        const char *name = bi_channel_name(system, c);
        const double *y = e->channel + p->shown[k] * room;
        draw(p, &d, spoken_channel(&p->said, name),
             spoken_unit_of(&p->said, name, bi_channel_unit(system, c), extent_of(y, e->n).size), y);
    }
    fputs("</div>\n", p->out);
    if (d.flat) {
        fclose(d.flat);
    }
    if (flat && *flat) {
        fprintf(p->out, "<p class=\"sub\">%s: ", report_say(p, "Without change", "Sin cambio"));
        html_text(p->out, flat);
        fputs("</p>\n", p->out);
    }
    if (d.n_mark > 0) {
        fprintf(p->out, "<p class=\"sub\">%s</p>\n",
                report_say(p, "Dashed red lines: events, see below.",
                           "Líneas rojas a trazos: sucesos, véase abajo."));
    }
    free(flat);
}

void report_map(report *p) { pictures_plan(p); }
