// SPDX-License-Identifier: MIT
/* svg.h - curves for a page: a plot over time, and a path seen from above. No programs needed to look at them. */
#pragma once
#include <stdio.h>

typedef struct {
    const char *title, *unit;
    int n;
    const double *t, *y;   /* (n) */
    const double *y_other; /* (n) a second curve, dashed; NULL: none */
} svg_curve;
void svg_plot(FILE *, const svg_curve *);
/* Equal scales both ways; begin and end are marked. */
void svg_path(FILE *, int n, const double *x, const double *y, const char *x_name, const char *y_name);
/* A text with the letters that HTML means otherwise replaced. */
void html_text(FILE *, const char *text);
