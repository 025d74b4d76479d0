// SPDX-License-Identifier: MIT
// Pictures of a survey: a map over two grids, a curve with its band over one, the distribution of samples without.
#define _POSIX_C_SOURCE 200809L
#include "cli/files.h"
#include "study/statistics.h"
#include "sweep/sweep_cases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 720 }; // pixels

typedef struct {
    const survey_results *r;
    const survey_levels *levels;
    const session *s;
    FILE *file;
    int what;    // of the answers
    char *label; // of it, with unit
} picture;

// Unit of a parameter or channel, "" if it has none.
static const char *unit_of(const session *s, const char *name)
{
    const char *found, *unit;
    double value;
    for (int k = 0; bi_model_parameter_at(s->model, k, &found, &value, &unit); k++) {
        if (strcmp(found, name) == 0) {
            return unit ? unit : "";
        }
    }
    bi_channel channel = bi_find_channel(s->system, name);
    unit = channel.i ? bi_channel_unit(s->system, channel) : NULL;
    return unit ? unit : "";
}

static char *label_of(const session *s, const char *text, const char *name)
{
    const char *unit = unit_of(s, name);
    return words_format("%s%s%s%s", text, *unit ? " [" : "", unit, *unit ? "]" : "");
}

// The value found, else the first measure, else whether the event happened.
static void choose_what(picture *p)
{
    const survey *plan = p->r->plan;
    if (plan->bisected) {
        p->what = SURVEY_BISECTED;
        char *text = words_format("%s at which %s begins", plan->bisected, plan->event);
        p->label = label_of(p->s, text, plan->bisected);
        free(text);
    } else if (plan->n_measure > 0) {
        const survey_measure *m = &plan->measure[0];
        p->what = SURVEY_MEASURES;
        p->label =
            m->kind == MEASURE_TIME ? words_format("%s [s]", m->text) : label_of(p->s, m->text, m->name);
    } else {
        p->what = SURVEY_HAPPENED;
        p->label = words_format(plan->n_sample > 0 ? "probability of %s" : "%s happens", plan->event);
    }
}

// Best estimate at a point of the grids with the band of the outermost quantiles; NAN: not known.
static estimate value_at(const picture *p, int64_t point, double *room)
{
    const survey *plan = p->r->plan;
    if (p->what == SURVEY_HAPPENED) {
        int count, hits = survey_hits(p->r, point, &count);
        return probability_estimate(hits, count, p->levels->confidence);
    }
    int n = survey_samples(p->r, point, p->what, room);
    if (plan->n_sample == 0) {
        double value = n > 0 && isfinite(room[0]) ? room[0] : NAN;
        return (estimate){ value, value, value };
    }
    double first = strtod(p->levels->level.name[0], NULL);
    double last = strtod(p->levels->level.name[p->levels->level.count - 1], NULL);
    return (estimate){ quantile_estimate(room, n, 0.5, 0.95).value,
                       quantile_estimate(room, n, first, 0.95).value,
                       quantile_estimate(room, n, last, 0.95).value };
}

static void put(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, " %.9g", value);
    } else {
        fputs(" NaN", file);
    }
}

static void put_text(FILE *file, const char *text)
{
    for (const char *c = text; *c; c++) {
        fputs(*c == '\'' ? "''" : (char[2]){ *c, '\0' }, file);
    }
}

static void set_text(FILE *file, const char *key, const char *text, const char *more)
{
    fprintf(file, "set %s '", key);
    put_text(file, text);
    fprintf(file, "'%s\n", more);
}

static void write_head(const picture *p, const char *out)
{
    fprintf(p->file,
            "if (exists('GPVAL_TERMINALS') && strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
            "  set terminal pngcairo size %d,%d font 'sans,13' noenhanced background '#ffffff'\n"
            "} else {\n  set terminal png size %d,%d medium noenhanced\n}\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    set_text(p->file, "output", out, "");
    set_text(p->file, "title", bi_model_name(p->s->model), " font ',16'");
    fputs("set border 3 linecolor '#555555'\nset tics nomirror textcolor '#333333'\nset datafile missing "
          "'NaN'\n"
          "set grid linecolor '#dddddd' linewidth 1 linetype 1 dashtype 1\n",
          p->file);
}

static void axis_label(const picture *p, const char *key, int axis)
{
    char *label = label_of(p->s, p->r->plan->axis[axis].name, p->r->plan->axis[axis].name);
    set_text(p->file, key, label, "");
    free(label);
}

// ---- two grids: a map --------------------------------------------------------------------------------------------------

// Edge of a cell between value k - 1 and k of an axis; half a step beyond the first and the last.
static double edge_of(const survey_axis *axis, int k)
{
    const double *value = axis->value;
    int n = axis->count;
    if (n == 1) {
        return value[0] + (k == 0 ? -0.5 : 0.5);
    }
    return k == 0   ? 1.5 * value[0] - 0.5 * value[1]
           : k == n ? 1.5 * value[n - 1] - 0.5 * value[n - 2]
                    : 0.5 * (value[k - 1] + value[k]);
}

static void set_range(FILE *file, const char *key, const survey_axis *axis)
{
    double first = edge_of(axis, 0), last = edge_of(axis, axis->count);
    fprintf(file, "set %s [%.9g:%.9g]\n", key, fmin(first, last), fmax(first, last));
}

static void write_map(picture *p, double *room)
{
    const survey *plan = p->r->plan;
    int n_x = plan->axis[0].count, n_y = plan->axis[1].count;
    double low = INFINITY, high = -INFINITY;
    fputs("$map << EOD\n", p->file);
    for (int x = 0; x < n_x; x++) {
        for (int y = 0; y < n_y; y++) {
            double value = value_at(p, (int64_t)x * n_y + y, room).value;
            low = fmin(low, isfinite(value) ? value : low);
            high = fmax(high, isfinite(value) ? value : high);
            fprintf(p->file, "%.9g %.9g", plan->axis[0].value[x], plan->axis[1].value[y]);
            put(p->file, value);
            fprintf(p->file, " %.9g %.9g %.9g %.9g\n", edge_of(&plan->axis[0], x),
                    edge_of(&plan->axis[0], x + 1), edge_of(&plan->axis[1], y),
                    edge_of(&plan->axis[1], y + 1));
        }
        fputc('\n', p->file);
    }
    fputs("EOD\n", p->file);
    axis_label(p, "xlabel", 0);
    axis_label(p, "ylabel", 1);
    set_range(p->file, "xrange", &plan->axis[0]);
    set_range(p->file, "yrange", &plan->axis[1]);
    set_text(p->file, "cblabel", p->label, " offset 1,0");
    // dark is low; readable without colours (a short form of viridis)
    fputs("set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n"
          "set border 15\nunset grid\n",
          p->file);
    if (!(high > low)) {
        fprintf(p->file, "set cbrange [%.9g:%.9g]\n", isfinite(low) ? low - 0.5 : 0.0,
                isfinite(low) ? low + 0.5 : 1.0);
    }
    bool has_contours = n_x > 1 && n_y > 1 && high > low && p->what != SURVEY_HAPPENED;
    if (has_contours) {
        fputs("set contour base\nset cntrparam levels auto 8\nunset surface\nset table $lines\nsplot $map "
              "using 1:2:3\n"
              "unset table\nunset contour\nset surface\n",
              p->file);
    }
    // cells that are empty stay grey: no value was found there
    fputs("set object rectangle from graph 0,0 to graph 1,1 behind fillcolor '#dddddd' fillstyle solid "
          "noborder\n"
          "plot $map using 1:2:4:5:6:7:3 with boxxyerror fillstyle solid 1.0 noborder linecolor palette "
          "notitle",
          p->file);
    if (has_contours) {
        // one number per line, away from the border
        fprintf(p->file,
                ", $lines using 1:2 with lines linecolor '#ffffff' linewidth 1.5 notitle, "
                "$lines using 1:2:(sprintf('%%.4g', $3)) every 100000::%d with labels textcolor '#ffffff' "
                "font ',11' "
                "notitle",
                (n_x < n_y ? n_x : n_y) / 2);
    }
    fputc('\n', p->file);
}

// ---- one grid: a curve with its band -------------------------------------------------------------------------------------

static void write_curve(picture *p, double *room)
{
    const survey_axis *axis = &p->r->plan->axis[0];
    fputs("$curve << EOD\n", p->file);
    for (int k = 0; k < axis->count; k++) {
        estimate e = value_at(p, k, room);
        fprintf(p->file, "%.9g", axis->value[k]);
        put(p->file, e.value);
        put(p->file, e.low);
        put(p->file, e.high);
        fputc('\n', p->file);
    }
    fputs("EOD\n", p->file);
    axis_label(p, "xlabel", 0);
    set_text(p->file, "ylabel", p->label, "");
    fputs("set key outside bottom center horizontal\nplot ", p->file);
    if (p->r->plan->n_sample > 0 && p->what == SURVEY_HAPPENED) {
        fprintf(p->file,
                "$curve using 1:3:4 with filledcurves linecolor '#cfe3f1' title '%g %% confidence', ",
                100.0 * p->levels->confidence);
    } else if (p->r->plan->n_sample > 0) {
        fprintf(p->file,
                "$curve using 1:3:4 with filledcurves linecolor '#cfe3f1' title 'quantiles %s to %s', ",
                p->levels->level.name[0], p->levels->level.name[p->levels->level.count - 1]);
    }
    const char *title = p->r->plan->n_sample > 0 && p->what != SURVEY_HAPPENED ? "title 'median'" : "notitle";
    fprintf(
        p->file,
        "$curve using 1:2 with linespoints linecolor '#0072b2' linewidth 2.5 pointtype 7 pointsize 0.8 %s\n",
        title);
}

// ---- samples alone: their distribution ------------------------------------------------------------------------------------

static void write_distribution(picture *p, double *room)
{
    int n = survey_samples(p->r, 0, p->what, room), first = 0;
    while (first < n && !isfinite(room[first])) {
        first++;
    }
    int last = n;
    while (last > first && !isfinite(room[last - 1])) {
        last--;
    }
    double width =
        last > first ? (room[last - 1] - room[first]) / ceil(1.0 + 3.3 * log10(last - first)) : 1.0;
    width = width > 0.0 ? width : 1.0;
    fputs("$samples << EOD\n", p->file);
    for (int k = first; k < last; k++) {
        fprintf(p->file, "%.9g %.9g\n", room[k], (k + 1.0) / n);
    }
    fputs("EOD\n", p->file);
    set_text(p->file, "xlabel", p->label, "");
    fprintf(
        p->file,
        "set ylabel 'samples'\nset y2label 'share below'\nset border 11\nset y2tics nomirror\nset y2range "
        "[0:1]\n"
        "set yrange [0:*]\nset key outside bottom center horizontal\nset style fill solid 0.8 border "
        "-1\nwidth = %.9g\nstart = %.9g\n"
        "bin(x) = start + width*(floor((x - start)/width*(1 - 1e-9)) + 0.5)\n",
        width, last > first ? room[first] : 0.0);
    for (int q = 0; q < p->levels->level.count && n > 0; q++) {
        estimate e =
            quantile_estimate(room, n, strtod(p->levels->level.name[q], NULL), p->levels->confidence);
        if (isfinite(e.value)) {
            fprintf(p->file,
                    "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead linecolor '#777777' "
                    "dashtype 2 "
                    "front\nset label '%s: %.5g' at first %.9g, graph 0.98 rotate by 90 right offset 0.8,0 "
                    "font ',11' "
                    "textcolor '#555555' front\n",
                    e.value, e.value, p->levels->level.name[q], e.value, e.value);
        }
    }
    fputs(
        "plot $samples using (bin($1)):(1) smooth frequency with boxes linecolor '#9ec9e2' title 'samples', "
        "$samples using 1:2 axes x1y2 with steps linecolor '#d55e00' linewidth 2.5 title 'share below'\n",
        p->file);
}

// ---------------------------------------------------------------------------------------------------------------------------

static void write_script(FILE *file, const void *what, const char *name)
{
    picture with_file = *(const picture *)what, *p = &with_file;
    p->file = file;
    double *room = words_alloc(((size_t)p->r->plan->n_sample + 2) * sizeof *room);
    write_head(p, name);
    if (p->r->plan->n_axis == 2) {
        write_map(p, room);
    } else if (p->r->plan->n_axis == 1) {
        write_curve(p, room);
    } else {
        write_distribution(p, room);
    }
    fputs("set output\n", p->file);
    free(room);
}

plot_result survey_plot(const survey_results *r, const survey_levels *levels, const session *s,
                        const char *out)
{
    const survey *plan = r->plan;
    if (plan->n_axis > 2 || (plan->n_axis == 0 && plan->n_sample == 0)) {
        fputs("biela sweep: warning: no plot: it needs one or two grids, or random samples\n", stderr);
        return PLOT_NOTHING_TO_DRAW;
    }
    for (int k = 0; k < plan->n_axis; k++) {
        for (int i = 2; i < plan->axis[k].count; i++) {
            const double *v = plan->axis[k].value;
            if (!((v[i] - v[i - 1]) * (v[1] - v[0]) > 0.0)) {
                fprintf(stderr, "biela sweep: warning: no plot: the values of --grid %s are not sorted\n",
                        plan->axis[k].name);
                return PLOT_NOTHING_TO_DRAW;
            }
        }
    }
    picture p = { .r = r, .levels = levels, .s = s };
    choose_what(&p);
    plot_result result = gnuplot_draw(out, write_script, &p);
    free(p.label);
    return result;
}
