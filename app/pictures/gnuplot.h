// SPDX-License-Identifier: MIT
/* gnuplot.h - a picture drawn by gnuplot: the script is ours, the file is whole or not there. */
#pragma once
#include <stdio.h>

typedef enum { PLOT_WRITTEN, PLOT_NO_GNUPLOT, PLOT_NOTHING_TO_DRAW, PLOT_FAILED } plot_result;

/* Writes the script; `name` is what `set output` must say. */
typedef void gnuplot_script(FILE *, const void *what, const char *name);

/* `out` is FILE.png or FILE.svg. Prints on stderr why there is no picture. */
plot_result gnuplot_draw(const char *out, gnuplot_script *, const void *what);
/* A text between single quotes. */
void gnuplot_quote(FILE *, const char *text);
