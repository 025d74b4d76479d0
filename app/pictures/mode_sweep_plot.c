// SPDX-License-Identifier: MIT
// Curves of eigenvalues over a parameter, as a picture.
#include "cli/words.h"
#include "measure/mode_sweep.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 760 }; // pixels

// Colours that stay apart for colour-blind readers (Okabe and Ito).
static const char *const colour[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9" };
enum { N_COLOUR = sizeof colour / sizeof *colour };

// 1/s: eigenvalues that are zero but for rounding do not cross it
static const double still = 1e-6;

// Modes that are a pair somewhere share a colour; gives the number of colours.
static void share_colours(const sweep *sw, int *shade)
{
    int next = 0;
    for (int b = 0; b < sw->n_mode; b++) {
        shade[b] = -1;
        for (int c = 0; c < b && shade[b] < 0; c++) {
            for (int k = 0; k < sw->n_point && shade[b] < 0; k++) {
                bool is_pair = sweep_im(sw, k, b) != 0.0 && sweep_im(sw, k, b) == -sweep_im(sw, k, c) &&
                               sweep_re(sw, k, b) == sweep_re(sw, k, c);
                shade[b] = is_pair ? shade[c] : -1;
            }
        }
        shade[b] = shade[b] < 0 ? next++ : shade[b];
    }
}

// which: 0 of the model itself, then those beside it.
static void write_data(FILE *file, const sweep *sw, int which)
{
    for (int b = 0; b < sw->n_mode; b++) {
        fprintf(file, "$m%d_%d << EOD\n", which, b);
        for (int k = 0; k < sw->n_point; k++) {
            double im = sweep_im(sw, k, b);
            fprintf(file, "%.9g %.9g ", sw->point[k].x, sweep_re(sw, k, b));
            // a mode without frequency has no place in the lower panel
            if (im > 0.0) {
                fprintf(file, "%.9g\n", im);
            } else {
                fputs("NaN\n", file);
            }
        }
        fputs("EOD\n", file);
    }
}

// The largest real part at a point; what stays where it is, place and heading, is neither stable nor unstable.
static double largest_moving(const sweep *sw, int k)
{
    double most = -INFINITY;
    for (int b = 0; b < sw->n_mode; b++) {
        double re = sweep_re(sw, k, b), im = sweep_im(sw, k, b);
        most = fabs(re) > still || fabs(im) > still ? fmax(most, re) : most;
    }
    return most;
}

// Where every mode decays, behind the curves.
static void write_stable(FILE *file, const sweep *sw)
{
    double from = 0.0;
    bool inside = false;
    for (int k = 0; k <= sw->n_point; k++) {
        double most = k < sw->n_point ? largest_moving(sw, k) : 1.0;
        double x = k < sw->n_point ? sw->point[k].x : sw->point[sw->n_point - 1].x;
        bool is_stable = most < -1e-8;
        if (is_stable == inside) {
            continue;
        }
        // the exact edge, if one was found in this interval
        for (int c = 0; c < sw->n_critical && k > 0 && k < sw->n_point; c++) {
            double at = sw->critical[c].x, back = sw->point[k - 1].x;
            x = (at - back) * (at - x) <= 0.0 ? at : x;
        }
        if (is_stable) {
            from = x;
        } else {
            fprintf(file,
                    "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 behind "
                    "fillcolor '#e5f3ec' fillstyle solid noborder\n",
                    from, x);
        }
        inside = is_stable;
    }
}

static void write_edges(FILE *file, const sweep *sw)
{
    for (int c = 0; c < sw->n_critical; c++) {
        fprintf(file,
                "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead linecolor '#777777' "
                "linewidth 1 dashtype 2\n",
                sw->critical[c].x, sw->critical[c].x);
    }
}

static void write_edge_labels(FILE *file, const sweep *sw)
{
    for (int c = 0; c < sw->n_critical; c++) {
        fprintf(file,
                "set label '%s %.5g' at first %.9g, graph %g rotate by 90 right offset 0.8,0 font ',11' "
                "textcolor '#555555'\n",
                sw->critical[c].name, sw->critical[c].x, sw->critical[c].x, 0.97);
    }
}

static bool oscillates(const sweep *sw, int mode)
{
    for (int k = 0; k < sw->n_point; k++) {
        if (sweep_im(sw, k, mode) > 0.0) {
            return true;
        }
    }
    return false;
}

static int write_curves_of(FILE *file, const sweep *sw, int which, int column, int drawn)
{
    int *shade = words_alloc((size_t)(sw->n_mode + 1) * sizeof *shade);
    share_colours(sw, shade);
    for (int b = 0; b < sw->n_mode; b++) {
        if (column == 3 && !oscillates(sw, b)) {
            continue;
        }
        fprintf(file, "%s$m%d_%d using 1:%d with lines linewidth %g dashtype %d linecolor '%s' notitle",
                drawn++ > 0 ? ", " : "", which, b, column, which == 0 ? 2.5 : 1.8, which + 1,
                which == 0 ? colour[shade[b] % N_COLOUR] : "#555555");
    }
    free(shade);
    return drawn;
}

typedef struct {
    const sweep *sw;
    const char *label;
    const sweep_other *other;
    int n_other;
    const double *range; // lowest and highest real part shown; NULL: chosen here
} figure;

static void write_curves(FILE *file, const figure *f, int column)
{
    fputs("plot ", file);
    int drawn = write_curves_of(file, f->sw, 0, column, 0);
    for (int k = 0; k < f->n_other; k++) {
        drawn = write_curves_of(file, &f->other[k].sweep, k + 1, column, drawn);
    }
    // which lines are whose
    for (int k = 0; k <= f->n_other && f->n_other > 0 && column == 2; k++) {
        fprintf(file, "%s1/0 with lines linewidth 2 dashtype %d linecolor '%s' title ",
                drawn++ > 0 ? ", " : "", k + 1, k == 0 ? "#000000" : "#555555");
        gnuplot_quote(file, k == 0 ? f->label : f->other[k - 1].label);
    }
    // an axis without a curve still needs its plot
    fputs(drawn > 0 ? "\n" : "1/0 notitle\n", file);
}

// The names of the modes at the middles of their curves.
static void write_mode_names(FILE *file, const sweep *sw, double low, double high)
{
    int at = sw->n_point / 2;
    for (int b = 0; b < sw->n_mode; b++) {
        const char *name = sweep_mode_name(sw, b);
        double re = sweep_re(sw, at, b);
        if (name && re >= low && re <= high) {
            fprintf(file,
                    "set label '%s' at first %.9g, first %.9g left offset 0,%g font ',11' textcolor "
                    "'#222222'\n",
                    name, sw->point[at].x, sweep_re(sw, at, b), sweep_im(sw, at, b) > 0.0 ? -0.8 : 0.8);
        }
    }
}

// The largest |real part| of the modes that become stable or unstable in the sweep: what a stability diagram is about.
static double crossing_size(const sweep *sw)
{
    double size = 0.0;
    for (int b = 0; b < sw->n_mode; b++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < sw->n_point; k++) {
            low = fmin(low, sweep_re(sw, k, b));
            high = fmax(high, sweep_re(sw, k, b));
        }
        if (low < -still && high > still) {
            size = fmax(size, fmax(-low, high));
        }
    }
    return size;
}

// Modes that decay within a fraction of the period of the named one, or much faster than those that cross zero, would
// flatten all others.
static double lowest_shown(const sweep *sw)
{
    double fastest = 0.0, low = 0.0, crossing = crossing_size(sw);
    for (int k = 0; k < sw->n_point; k++) {
        for (int b = 0; b < sw->n_mode; b++) {
            const char *name = sweep_mode_name(sw, b);
            fastest = name ? fmax(fastest, sweep_im(sw, k, b)) : fastest;
            low = fmin(low, sweep_re(sw, k, b));
        }
    }
    if (crossing > 0.0 && low < -2.5 * crossing) {
        return -2.5 * crossing;
    }
    return fastest > 0.0 && low < -3.0 * fastest ? -3.0 * fastest : -INFINITY;
}

static const char *parameter_unit(const sweep *sw)
{
    const char *name, *unit;
    double value;
    for (int k = 0; bi_model_parameter_at(sw->session.model, k, &name, &value, &unit); k++) {
        if (strcmp(name, sw->parameter) == 0) {
            return unit ? unit : "";
        }
    }
    return "";
}

static void write_script(FILE *file, const void *what, const char *name)
{
    const figure *f = what;
    const sweep *sw = f->sw;
    write_data(file, sw, 0);
    for (int k = 0; k < f->n_other; k++) {
        write_data(file, &f->other[k].sweep, k + 1);
    }
    fprintf(file,
            "if (exists('GPVAL_TERMINALS') && strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
            "  set terminal pngcairo size %d,%d font 'sans,12' noenhanced background '#ffffff'\n"
            "} else {\n  set terminal png size %d,%d medium noenhanced\n}\nset output ",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    gnuplot_quote(file, name);
    double low = fmin(sw->point[0].x, sw->point[sw->n_point - 1].x);
    double high = fmax(sw->point[0].x, sw->point[sw->n_point - 1].x);
    fprintf(file,
            "\nset border 3 linecolor '#555555'\nset tics nomirror textcolor '#333333'\n"
            "set grid linecolor '#dddddd' linewidth 1 linetype 1 dashtype 1\nset ylabel offset 0.5,0\n"
            "set xrange [%.17g:%.17g]\nset datafile missing 'NaN'\n"
            "set multiplot layout 2,1 margins screen 0.09,0.97,0.09,0.93 spacing 0,0.04 title ",
            low, high);
    char *title = words_format("%s: eigenvalues", bi_model_name(sw->session.model));
    gnuplot_quote(file, title);
    free(title);
    fputs(" font ',16'\n", file);
    write_stable(file, sw);
    write_edges(file, sw);
    fputs("set arrow from graph 0, first 0 to graph 1, first 0 nohead linecolor '#333333' linewidth 1\n"
          "set ylabel 'real part [1/s]'\nset format x ''\nset key bottom left\n",
          file);
    write_mode_names(file, sw, f->range ? f->range[0] : lowest_shown(sw), f->range ? f->range[1] : INFINITY);
    if (f->range) {
        fprintf(file, "set yrange [%.9g:%.9g]\n", f->range[0], f->range[1]);
    } else if (isfinite(lowest_shown(sw))) {
        fprintf(file, "set yrange [%.9g:*]\n", lowest_shown(sw));
    }
    write_curves(file, f, 2);
    fputs("unset arrow\nunset label\n", file);
    write_edges(file, sw);
    write_edge_labels(file, sw);
    const char *unit = parameter_unit(sw);
    fprintf(
        file,
        "set ylabel 'imaginary part [rad/s]'\nset format x '%%g'\nset xlabel '%s%s%s%s'\nset yrange [0:*]\n",
        sw->parameter, *unit ? " [" : "", unit, *unit ? "]" : "");
    write_curves(file, f, 3);
    fputs("unset multiplot\nset output\n", file);
}

plot_result sweep_plot(const sweep *sw, const char *label, const sweep_other *other, int n_other,
                       const double *range, const char *out)
{
    return gnuplot_draw(out, write_script, &(figure){ sw, label, other, n_other, range });
}
