// SPDX-License-Identifier: MIT
#include "pictures/svg.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

// two of them stand side by side on a sheet of paper, where a letter is 2.3 mm high
enum { WIDTH = 420, HEIGHT = 132, LEFT = 52, RIGHT = 8, TOP = 22, BOTTOM = 22, TICKS = 12 };

void html_text(FILE *out, const char *text)
{
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '<') {
            fputs("&lt;", out);
        } else if (*c == '>') {
            fputs("&gt;", out);
        } else if (*c == '&') {
            fputs("&amp;", out);
        } else if (*c == '"') {
            fputs("&quot;", out);
        } else {
            fputc(*c, out);
        }
    }
}

typedef struct {
    double low, high;
} span;

static span span_of(const double *y, int n, double factor)
{
    span s = { INFINITY, -INFINITY };
    for (int k = 0; k < n; k++) {
        if (isfinite(y[k])) {
            s.low = fmin(s.low, factor * y[k]);
            s.high = fmax(s.high, factor * y[k]);
        }
    }
    return s;
}

// Something to draw even when nothing changes.
static span widened(span s)
{
    if (!(s.low <= s.high)) {
        return (span){ -1.0, 1.0 };
    }
    double size = fmax(fabs(s.low), fabs(s.high));
    // rounding is no motion, and steps of its size would not move a number
    bool is_flat = s.high - s.low <= 1e-9 * size;
    double pad = !is_flat ? 0.05 * (s.high - s.low) : size > 0.0 ? 0.05 * size : 1.0;
    return (span){ s.low - pad, s.high + pad };
}

// 1, 2 or 5 times a power of ten: about so many lines in the span.
static double tick_of(span s, double lines)
{
    double rough = (s.high - s.low) / lines, power = pow(10.0, floor(log10(rough))), m = rough / power;
    return power * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static double across(span s, double v, double from, double to)
{
    return from + (to - from) * (v - s.low) / (s.high - s.low);
}

static void put_number(FILE *out, double v, double tick, char point)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", fabs(v) < 1e-9 * tick ? 0.0 : v);
    char *at = strchr(text, '.');
    if (at) {
        *at = point;
    }
    fprintf(out, "%s</text>\n", text);
}

static void draw_grid(FILE *out, span x, span y, char point)
{
    double tick = tick_of(y, 4.0);
    for (int k = 0; k < TICKS && (ceil(y.low / tick) + k) * tick <= y.high; k++) {
        double v = (ceil(y.low / tick) + k) * tick;
        double at = across(y, v, HEIGHT - BOTTOM, TOP);
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"left\" "
                "x=\"%d\" y=\"%.1f\">",
                LEFT, WIDTH - RIGHT, at, at, LEFT - 5, at + 4.0);
        put_number(out, v, tick, point);
    }
    tick = tick_of(x, 6.0);
    for (int k = 0; k < TICKS && (ceil(x.low / tick) + k) * tick <= x.high; k++) {
        double v = (ceil(x.low / tick) + k) * tick;
        double at = across(x, v, LEFT, WIDTH - RIGHT);
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"below\" "
                "x=\"%.1f\" y=\"%d\">",
                at, at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 14);
        put_number(out, v, tick, point);
    }
}

void svg_plot(FILE *out, const svg_curve *c)
{
    span y = widened(span_of(c->y, c->n, c->factor)), x = span_of(c->t, c->n, 1.0);
    x = x.high - x.low > 1e-9 * fabs(x.high) ? x : widened(x);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><text class=\"title\" x=\"%d\" y=\"14\">", WIDTH,
            HEIGHT, LEFT);
    html_text(out, c->title);
    if (c->unit && *c->unit) {
        fputs(", ", out);
        html_text(out, c->unit);
    }
    fputs("</text>\n", out);
    draw_grid(out, x, y, c->point);
    for (int k = 0; k < c->n_mark; k++) {
        if (c->mark[k] >= x.low && c->mark[k] <= x.high) {
            fprintf(out, "<path class=\"mark\" d=\"M%.1f %dV%d\"/>",
                    across(x, c->mark[k], LEFT, WIDTH - RIGHT), TOP, HEIGHT - BOTTOM);
        }
    }
    fputs("<polyline class=\"curve\" points=\"", out);
    for (int k = 0; k < c->n; k++) {
        if (isfinite(c->y[k])) {
            fprintf(out, "%.1f,%.1f ", across(x, c->t[k], LEFT, WIDTH - RIGHT),
                    across(y, c->factor * c->y[k], HEIGHT - BOTTOM, TOP));
        }
    }
    fputs("\"/>\n</svg>\n", out);
}
