// SPDX-License-Identifier: MIT
#include "pictures/plotter.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 1000,       // pixels
    PANEL_HEIGHT = 250, // of each panel
    HEAD_HEIGHT = 110,  // title and lower axis
    MOST_BUCKETS = 2000 // a curve is thinned to twice this many points: more than the pixels there are
};

// Colours that stay apart for colour-blind readers (Okabe and Ito).
static const char *const colour[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000" };
enum { N_COLOUR = sizeof colour / sizeof *colour };

const char *plot_unit_of(const char *name)
{
    static const struct {
        const char *ends, *unit;
    } known[] = {
        { "x", "m" },       { "y", "m" },    { "z", "m" },       { "position", "m" },  { "angle", "rad" },
        { "vx", "m/s" },    { "vy", "m/s" }, { "vz", "m/s" },    { "wx", "rad/s" },    { "wy", "rad/s" },
        { "wz", "rad/s" },  { "fx", "N" },   { "fy", "N" },      { "fz", "N" },        { "mx", "N m" },
        { "my", "N m" },    { "mz", "N m" }, { "kinetic", "J" }, { "potential", "J" }, { "total", "J" },
        { "balance", "J" },
    };
    if (strcmp(name, "t") == 0) {
        return "s";
    }
    const char *dot = strrchr(name, '.');
    for (size_t k = 0; dot && k < sizeof known / sizeof *known; k++) {
        if (strcmp(dot + 1, known[k].ends) == 0) {
            return known[k].unit;
        }
    }
    return "";
}

static bool is_known(const char *unit) { return unit && *unit; }

static const bi_table *table_of(const plot_request *plot, int k)
{
    return plot->of ? plot->of[k] : plot->table;
}

static const char *label_of(const plot_request *plot, int k)
{
    return plot->label ? plot->label[k] : plot->name[k];
}

// Curves of the same unit share a panel; of an unknown unit, those whose names are the same or end alike.
static bool same_panel(const plot_request *plot, int a, int b)
{
    if (plot->group && plot->group[a] != plot->group[b]) {
        return false;
    }
    if (strcmp(plot->name[a], plot->name[b]) == 0) {
        return true;
    }
    if (is_known(plot->unit[a]) || is_known(plot->unit[b])) {
        return is_known(plot->unit[a]) && is_known(plot->unit[b]) &&
               strcmp(plot->unit[a], plot->unit[b]) == 0;
    }
    const char *dot_a = strrchr(plot->name[a], '.'), *dot_b = strrchr(plot->name[b], '.');
    return dot_a && dot_b && strcmp(dot_a, dot_b) == 0;
}

// Gives each curve its panel, in the order of the first curve of each; returns the number of panels.
static int share_panels(const plot_request *plot, int *panel)
{
    int n_panel = 0;
    for (int k = 0; k < plot->n_curve; k++) {
        panel[k] = -1;
        for (int j = 0; j < k && panel[k] < 0; j++) {
            panel[k] = same_panel(plot, j, k) ? panel[j] : -1;
        }
        if (panel[k] < 0) {
            panel[k] = n_panel++;
        }
    }
    return n_panel;
}

// "name (unit)" as an axis label.
static void write_label(FILE *file, const char *axis, const char *name, const char *unit)
{
    char *label =
        is_known(unit) ? words_format("%s%s[%s]", name, *name ? " " : "", unit) : words_format("%s", name);
    fprintf(file, "set %slabel ", axis);
    gnuplot_quote(file, label);
    fputc('\n', file);
    free(label);
}

// The points of one curve; long ones keep the lowest and highest of each bucket, so that no peak is lost.
static void write_points(FILE *file, int block, int rows, const double *x, const double *y)
{
    fprintf(file, "$c%d << EOD\n", block);
    int stride = rows / MOST_BUCKETS;
    if (stride < 3) {
        for (int i = 0; i < rows; i++) {
            fprintf(file, "%.9g %.9g\n", x[i], y[i]);
        }
    } else {
        for (int from = 0; from < rows; from += stride) {
            int to = from + stride < rows ? from + stride : rows;
            int low = from, high = from;
            for (int i = from; i < to; i++) {
                low = y[i] < y[low] ? i : low;
                high = y[i] > y[high] ? i : high;
            }
            int first = low < high ? low : high, second = low < high ? high : low;
            fprintf(file, "%.9g %.9g\n", x[first], y[first]);
            if (second != first) {
                fprintf(file, "%.9g %.9g\n", x[second], y[second]);
            }
        }
        fprintf(file, "%.9g %.9g\n", x[rows - 1], y[rows - 1]);
    }
    fputs("EOD\n", file);
}

static int curves_of(const plot_request *plot, const int *panel, int p)
{
    int count = 0;
    for (int k = 0; k < plot->n_curve; k++) {
        count += panel[k] == p;
    }
    return count;
}

// Part of the width left of the legend, which must hold the longest name of curves that share a panel.
static double legend_edge(const plot_request *plot, const int *panel)
{
    size_t longest = 0;
    for (int k = 0; k < plot->n_curve; k++) {
        bool is_named = plot->label || curves_of(plot, panel, panel[k]) > 1;
        size_t length = is_named ? strlen(label_of(plot, k)) : 0;
        longest = length > longest ? length : longest;
    }
    if (longest == 0) {
        return 0.97;
    }
    double width = 80.0 + 9.0 * (double)longest; // pixels: the line, and letters of the legend's font
    double most = 0.4 * WIDTH;
    return 1.0 - (width < most ? width : most) / WIDTH;
}

static void write_page(FILE *file, const plot_request *plot, const int *panel, int n_panel, const char *name)
{
    int height = HEAD_HEIGHT + PANEL_HEIGHT * n_panel + (n_panel == 1 ? PANEL_HEIGHT / 2 : 0);
    if (file_has_ending(plot->out, ENDING_DRAWING)) {
        fprintf(file, "set terminal svg size %d,%d dynamic font 'sans,15' noenhanced\n", WIDTH, height);
    } else {
        fprintf(file,
                "if (exists('GPVAL_TERMINALS') && strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
                "  set terminal pngcairo size %d,%d font 'sans,12' noenhanced background '#ffffff'\n"
                "} else {\n  set terminal png size %d,%d medium noenhanced\n}\n",
                WIDTH, height, WIDTH, height);
    }
    fputs("set output ", file);
    gnuplot_quote(file, name);
    fprintf(file,
            "\nset border 3 linecolor '#555555'\nset tics nomirror textcolor '#333333'\n"
            "set grid linecolor '#dddddd' linewidth 1 linetype 1 dashtype 1\n"
            "set ylabel offset 0.5,0\n"
            "set key at graph 1.02,1.0 left top vertical Left reverse samplen 2 spacing 1.2\n"
            "set multiplot layout %d,1 margins screen 0.11,%.4f,%.4f,%.4f "
            "spacing 0,%.4f title ",
            n_panel, legend_edge(plot, panel), 65.0 / height, 1.0 - 55.0 / height, 28.0 / height);
    gnuplot_quote(file, plot->title);
    fputs(" font ',16'\n", file);
}

static void write_panel(FILE *file, const plot_request *plot, const int *panel, int p, bool is_last)
{
    int first = 0;
    while (panel[first] != p) {
        first++;
    }
    int mates = curves_of(plot, panel, p);
    // a lone quantity names the axis; several share the unit and are told apart by the legend
    bool is_one_name = true;
    for (int k = 0; k < plot->n_curve; k++) {
        is_one_name = is_one_name && (panel[k] != p || strcmp(plot->name[k], plot->name[first]) == 0);
    }
    write_label(file, "y", is_one_name ? plot->name[first] : "", plot->unit[first]);
    if (is_last) {
        write_label(file, "x", plot->x, plot->x_unit);
        fputs("set format x '%g'\n", file);
    } else {
        fputs("unset xlabel\nset format x ''\n", file);
    }

    fputs("plot ", file);
    int drawn = 0;
    for (int k = 0; k < plot->n_curve; k++) {
        if (panel[k] != p) {
            continue;
        }
        fprintf(file, "%s$c%d using 1:2 with lines linewidth 2 linecolor '%s' title ", drawn > 0 ? ", " : "",
                k, colour[(drawn + (plot->group ? plot->group[k] : 0)) % N_COLOUR]);
        gnuplot_quote(file, mates == 1 && !plot->label ? "" : label_of(plot, k));
        drawn++;
    }
    fputc('\n', file);
}

static void write_script(FILE *file, const void *what, const char *name)
{
    const plot_request *plot = what;
    // all panels over the same stretch of x
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < plot->n_curve; k++) {
        const bi_table *table = table_of(plot, k);
        const double *x = table->value[bi_table_column(table, plot->x)];
        write_points(file, k, table->rows, x, table->value[bi_table_column(table, plot->name[k])]);
        for (int i = 0; i < table->rows; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
    }

    int *panel = words_alloc((size_t)plot->n_curve * sizeof *panel);
    int n_panel = share_panels(plot, panel);
    write_page(file, plot, panel, n_panel, name);
    if (high > low) {
        // points are written with fewer digits: one beyond the range would not count for the heights
        double margin = 1e-6 * (high - low);
        fprintf(file, "set xrange [%.17g:%.17g]\n", low - margin, high + margin);
    }
    for (int p = 0; p < n_panel; p++) {
        write_panel(file, plot, panel, p, p == n_panel - 1);
    }
    fputs("unset multiplot\nset output\n", file);
    free(panel);
}

// ---- paths in space ----------------------------------------------------------------------------------------------

static void write_path(FILE *file, const plot_request *plot, int k, double *low, double *high)
{
    const bi_table *table = table_of(plot, k);
    const double *x = table->value[bi_table_column(table, plot->x)],
                 *y = table->value[bi_table_column(table, plot->y)],
                 *z = table->value[bi_table_column(table, plot->name[k])];
    int stride = 1 + table->rows / (4 * MOST_BUCKETS);
    fprintf(file, "$c%d << EOD\n", k);
    for (int i = 0; i < table->rows; i += stride) {
        fprintf(file, "%.9g %.9g %.9g\n", x[i], y[i], z[i]);
        *low = fmin(*low, z[i]);
        *high = fmax(*high, z[i]);
    }
    fputs("EOD\n", file);
}

// One box with equal scales along both horizontal axes, and the shadow of each path on its floor.
static void write_space(FILE *file, const void *what, const char *name)
{
    const plot_request *plot = what;
    enum { HIGH = 720 };
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < plot->n_curve; k++) {
        write_path(file, plot, k, &low, &high);
    }
    if (file_has_ending(plot->out, ENDING_DRAWING)) {
        fprintf(file, "set terminal svg size %d,%d dynamic font 'sans,15' noenhanced\n", WIDTH, HIGH);
    } else {
        fprintf(file, "set terminal pngcairo size %d,%d font 'sans,12' noenhanced background '#ffffff'\n",
                WIDTH, HIGH);
    }
    double floor = low - 0.25 * (high > low ? high - low : 1.0);
    fputs("set output ", file);
    gnuplot_quote(file, name);
    fprintf(file,
            "\nset border 127 linecolor '#555555'\nset grid linecolor '#dddddd'\nset view 62, 35\nset view "
            "equal xy\n"
            "set xyplane at %.9g\nset title ",
            floor);
    gnuplot_quote(file, plot->title);
    fputc('\n', file);
    write_label(file, "x", plot->x, plot_unit_of(plot->x));
    write_label(file, "y", plot->y, plot_unit_of(plot->y));
    write_label(file, "z", plot->n_curve == 1 ? plot->name[0] : "", plot->unit[0]);
    for (int k = 0; k < plot->n_curve; k++) {
        fprintf(file, "%s$c%d using 1:2:(%.9g) with lines linewidth 1 linecolor '#bbbbbb' notitle, ",
                k > 0 ? ", " : "splot ", k, floor);
        fprintf(file, "$c%d using 1:2:3 with lines linewidth 2 linecolor '%s' title ", k,
                colour[k % N_COLOUR]);
        gnuplot_quote(file, plot->n_curve == 1 && !plot->label ? "" : label_of(plot, k));
    }
    fputs("\nset output\n", file);
}

plot_result plot_write(const plot_request *plot)
{
    for (int k = 0; k < plot->n_curve; k++) {
        if (table_of(plot, k)->rows < 2) {
            fputs("biela: warning: no plot: there are fewer than two rows\n", stderr);
            return PLOT_NOTHING_TO_DRAW;
        }
    }
    return gnuplot_draw(plot->out, plot->y ? write_space : write_script, plot);
}
