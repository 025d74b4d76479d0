// SPDX-License-Identifier: MIT
/* svg.h - a curve over time as a drawing for a page. No programs needed to look at it. */
#pragma once
#include <stdio.h>

typedef struct {
    const char *title, *unit; /* unit: "" none */
    int n;
    const double *t, *y; /* (n) */
    double factor;       /* from y to the unit shown */
    int n_mark;
    const double *mark; /* instants with a line (n_mark) */
    char point;         /* between the digits of numbers, '.' or ',' */
} svg_curve;
void svg_plot(FILE *, const svg_curve *);
/* A text with the letters that HTML means otherwise replaced. */
void html_text(FILE *, const char *text);
