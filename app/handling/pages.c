// SPDX-License-Identifier: MIT
#include "handling/pages.h"
#include "cli/json.h"
#include "pictures/svg.h"
#include <math.h>

static const char *const outcome_word[] = { "", "pass", "fail", "impossible" };

static const char style[] =
    "<style>body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1d2429}"
    "table{border-collapse:collapse}td,th{padding:.15em .8em;text-align:left;border-bottom:1px solid #dde3e6}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}.pass{color:#1b7a35}.fail,.impossible{color:#"
    "b3261e}"
    "svg{width:100%;max-width:720px;display:block;margin:.6em 0}svg .grid{stroke:#dde3e6}svg text{font:11px "
    "sans-serif;fill:#47525a}"
    "svg .title{font-weight:bold}svg .left{text-anchor:end}svg .below{text-anchor:middle}svg "
    ".curve{fill:none;stroke:#2a6fdb;stroke-width:1.5}"
    "svg .frame{fill:none;stroke:#dde3e6}</style>";

static void write_number(FILE *out, double value)
{
    if (isfinite(value)) {
        fprintf(out, "%.5g", value);
    } else {
        fputs("none", out);
    }
}

static void write_protocol(FILE *out, const protocol *p)
{
    fprintf(out, "<h2 id=\"%s\">", p->of->name);
    html_text(out, p->of->title);
    if (*p->of->standard) {
        fputs(" (", out);
        html_text(out, p->of->standard);
        fputs(")", out);
    }
    fputs("</h2>\n", out);
    if (p->outcome != NOT_JUDGED || p->why) {
        fprintf(out, "<p class=\"%s\">%s%s", outcome_word[p->outcome], outcome_word[p->outcome],
                p->why ? ": " : "");
        html_text(out, p->why);
        fputs("</p>\n", out);
    }
    fputs("<table>\n", out);
    for (int k = 0; k < p->n_found; k++) {
        const finding *f = &p->found[k];
        fputs("<tr><td>", out);
        html_text(out, f->name);
        fputs("</td><td class=\"n\">", out);
        write_number(out, f->value);
        fputs("</td><td>", out);
        html_text(out, f->unit);
        fputs("</td><td>", out);
        html_text(out, f->help);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
    for (int k = 0; k < p->n_figure; k++) {
        const figure *f = &p->figure[k];
        if (f->n > 1) {
            svg_plot(out, &(svg_curve){ .title = f->title,
                                        .unit = f->unit,
                                        .n = f->n,
                                        .t = f->x,
                                        .y = f->y,
                                        .factor = 1.0,
                                        .point = '.' });
            fprintf(out, "<p style=\"margin:-.8em 0 0 6em;font-size:11px\">%s</p>\n", f->x_unit);
        }
    }
}

void pages_html(FILE *out, const char *title, const protocol *p, int n)
{
    fputs("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>", out);
    html_text(out, title);
    fprintf(out, ": handling</title>%s<h1>", style);
    html_text(out, title);
    fputs(": handling</h1>\n<ul>\n", out);
    for (int k = 0; k < n; k++) {
        fprintf(out, "<li><a href=\"#%s\">", p[k].of->name);
        html_text(out, p[k].of->title);
        fprintf(out, "</a> <span class=\"%s\">%s</span></li>\n", outcome_word[p[k].outcome],
                outcome_word[p[k].outcome]);
    }
    fputs("</ul>\n", out);
    for (int k = 0; k < n; k++) {
        write_protocol(out, &p[k]);
    }
    fputs("</html>\n", out);
}

void pages_csv(FILE *out, const char *title, const protocol *p, int n)
{
    fputs("vehicle,manoeuvre,standard,outcome,name,value,unit\n", out);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < p[k].n_found; i++) {
            const finding *f = &p[k].found[i];
            fprintf(out, "%s,%s,\"%s\",%s,\"%s\",", title, p[k].of->name, p[k].of->standard,
                    outcome_word[p[k].outcome], f->name);
            if (isfinite(f->value)) {
                fprintf(out, "%.17g", f->value);
            }
            fprintf(out, ",%s\n", f->unit);
        }
        if (p[k].n_found == 0) {
            fprintf(out, "%s,%s,\"%s\",%s,,,\n", title, p[k].of->name, p[k].of->standard,
                    outcome_word[p[k].outcome]);
        }
    }
}

void pages_json(FILE *out, const char *title, const protocol *p, int n)
{
    json j = json_start(out);
    json_object(&j, NULL);
    json_text(&j, "vehicle", title);
    json_array(&j, "manoeuvres");
    for (int k = 0; k < n; k++) {
        json_object(&j, NULL);
        json_text(&j, "name", p[k].of->name);
        json_text(&j, "title", p[k].of->title);
        json_text(&j, "standard", p[k].of->standard);
        json_text(&j, "outcome", p[k].outcome == NOT_JUDGED ? NULL : outcome_word[p[k].outcome]);
        json_text(&j, "why", p[k].why);
        json_array(&j, "found");
        for (int i = 0; i < p[k].n_found; i++) {
            const finding *f = &p[k].found[i];
            json_object(&j, NULL);
            json_text(&j, "name", f->name);
            json_text(&j, "unit", f->unit);
            json_number(&j, "value", f->value);
            json_end(&j);
        }
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}
