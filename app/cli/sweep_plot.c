// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/files.h"
#include "cli/sweep.h"
#include "cli/words.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 760 }; // pixels

// Colours that stay apart for colour-blind readers (Okabe and Ito).
static const char *const colour[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9" };
enum { N_COLOUR = sizeof colour / sizeof *colour };

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

static void write_data(FILE *file, const sweep *sw)
{
    for (int b = 0; b < sw->n_mode; b++) {
        fprintf(file, "$m%d << EOD\n", b);
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

// Where every mode decays, behind the curves.
static void write_stable(FILE *file, const sweep *sw)
{
    double from = 0.0;
    bool inside = false;
    for (int k = 0; k <= sw->n_point; k++) {
        double most = k < sw->n_point ? sw->point[k].linear.re[sw->n_mode - 1] : 1.0;
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

static void write_curves(FILE *file, const sweep *sw, const int *shade, int column)
{
    int drawn = 0;
    fputs("plot ", file);
    for (int b = 0; b < sw->n_mode; b++) {
        if (column == 3 && !oscillates(sw, b)) {
            continue;
        }
        fprintf(file, "%s$m%d using 1:%d with lines linewidth 2.5 linecolor '%s' notitle",
                drawn++ > 0 ? ", " : "", b, column, colour[shade[b] % N_COLOUR]);
    }
    // an axis without a curve still needs its plot
    fputs(drawn > 0 ? "\n" : "1/0 notitle\n", file);
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

static void write_script(FILE *file, const sweep *sw, const char *out)
{
    int *shade = words_alloc((size_t)(sw->n_mode + 1) * sizeof *shade);
    share_colours(sw, shade);
    write_data(file, sw);
    fprintf(file,
            "if (exists('GPVAL_TERMINALS') && strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
            "  set terminal pngcairo size %d,%d font 'sans,12' noenhanced background '#ffffff'\n"
            "} else {\n  set terminal png size %d,%d medium noenhanced\n}\nset output '",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    for (const char *c = out; *c; c++) {
        fputs(*c == '\'' ? "''" : (char[2]){ *c, '\0' }, file);
    }
    double low = fmin(sw->point[0].x, sw->point[sw->n_point - 1].x);
    double high = fmax(sw->point[0].x, sw->point[sw->n_point - 1].x);
    fprintf(file,
            "'\nset border 3 linecolor '#555555'\nset tics nomirror textcolor '#333333'\n"
            "set grid linecolor '#dddddd' linewidth 1 linetype 1 dashtype 1\nset ylabel offset 0.5,0\n"
            "set xrange [%.17g:%.17g]\nset datafile missing 'NaN'\n"
            "set multiplot layout 2,1 margins screen 0.09,0.97,0.09,0.93 spacing 0,0.04 title '",
            low, high);
    for (const char *c = bi_model_name(sw->session.model); *c; c++) {
        fputs(*c == '\'' ? "''" : (char[2]){ *c, '\0' }, file);
    }
    fputs(": eigenvalues' font ',16'\n", file);
    write_stable(file, sw);
    write_edges(file, sw);
    fputs("set arrow from graph 0, first 0 to graph 1, first 0 nohead linecolor '#333333' linewidth 1\n"
          "set ylabel 'real part [1/s]'\nset format x ''\n",
          file);
    write_curves(file, sw, shade, 2);
    fputs("unset arrow\n", file);
    write_edges(file, sw);
    write_edge_labels(file, sw);
    const char *unit = parameter_unit(sw);
    fprintf(
        file,
        "set ylabel 'imaginary part [rad/s]'\nset format x '%%g'\nset xlabel '%s%s%s%s'\nset yrange [0:*]\n",
        sw->parameter, *unit ? " [" : "", unit, *unit ? "]" : "");
    write_curves(file, sw, shade, 3);
    fputs("unset multiplot\nset output\n", file);
    free(shade);
}

bool sweep_plot(const sweep *sw, const char *out)
{
    if (!file_program_exists("gnuplot")) {
        fputs("biela: warning: no plot: gnuplot is not installed (apt install gnuplot-nox)\n", stderr);
        return false;
    }
    // a gnuplot that dies early must not take us with it
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("gnuplot", "w");
    int status = -1;
    if (gnuplot) {
        write_script(gnuplot, sw, out);
        status = pclose(gnuplot);
    }
    signal(SIGPIPE, old);
    if (status != 0 || !file_exists(out)) {
        fprintf(stderr, "biela: warning: no plot: gnuplot could not write %s\n", out);
        return false;
    }
    return true;
}
