// SPDX-License-Identifier: MIT
#include "pictures/svg.h"
#include <math.h>
#include <stdbool.h>

enum { WIDTH = 720, HEIGHT = 190, LEFT = 70, RIGHT = 14, TOP = 26, BOTTOM = 30, TICKS = 12 };

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

static span span_of(const double *y, int n, span s)
{
    for (int k = 0; k < n; k++) {
        if (isfinite(y[k])) {
            s.low = fmin(s.low, y[k]);
            s.high = fmax(s.high, y[k]);
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

// 1, 2 or 5 times a power of ten: about four lines in the span.
static double tick_of(span s)
{
    double rough = (s.high - s.low) / 4.0, power = pow(10.0, floor(log10(rough))), m = rough / power;
    return power * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static double across(span s, double v, double from, double to)
{
    return from + (to - from) * (v - s.low) / (s.high - s.low);
}

static void draw_grid(FILE *out, span x, span y)
{
    double tick = tick_of(y);
    for (int k = 0; k < TICKS && (ceil(y.low / tick) + k) * tick <= y.high; k++) {
        double v = (ceil(y.low / tick) + k) * tick;
        double at = across(y, v, HEIGHT - BOTTOM, TOP);
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"left\" "
                "x=\"%d\" y=\"%.1f\">%.6g</text>\n",
                LEFT, WIDTH - RIGHT, at, at, LEFT - 6, at + 4.0, fabs(v) < 1e-9 * tick ? 0.0 : v);
    }
    tick = tick_of(x);
    for (int k = 0; k < TICKS && (ceil(x.low / tick) + k) * tick <= x.high; k++) {
        double v = (ceil(x.low / tick) + k) * tick;
        double at = across(x, v, LEFT, WIDTH - RIGHT);
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"below\" "
                "x=\"%.1f\" y=\"%d\">%.6g</text>\n",
                at, at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 16, fabs(v) < 1e-9 * tick ? 0.0 : v);
    }
}

static void draw_curve(FILE *out, const char *kind, const svg_curve *c, const double *values, span x, span y)
{
    fprintf(out, "<polyline class=\"%s\" points=\"", kind);
    for (int k = 0; k < c->n; k++) {
        if (isfinite(values[k])) {
            fprintf(out, "%.1f,%.1f ", across(x, c->t[k], LEFT, WIDTH - RIGHT),
                    across(y, values[k], HEIGHT - BOTTOM, TOP));
        }
    }
    fputs("\"/>\n", out);
}

void svg_plot(FILE *out, const svg_curve *c)
{
    const span none = { INFINITY, -INFINITY };
    span y = span_of(c->y, c->n, none), x = span_of(c->t, c->n, none);
    y = widened(c->y_other ? span_of(c->y_other, c->n, y) : y);
    x = x.high - x.low > 1e-9 * fabs(x.high) ? x : widened(x);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><text class=\"title\" x=\"%d\" y=\"16\">", WIDTH,
            HEIGHT, LEFT);
    html_text(out, c->title);
    if (c->unit && *c->unit) {
        fputs(", ", out);
        html_text(out, c->unit);
    }
    fputs("</text>\n", out);
    draw_grid(out, x, y);
    if (c->y_other) {
        draw_curve(out, "other", c, c->y_other, x, y);
    }
    draw_curve(out, "curve", c, c->y, x, y);
    fputs("</svg>\n", out);
}

void svg_path(FILE *out, int n, const double *x, const double *y, const char *x_name, const char *y_name)
{
    const span none = { INFINITY, -INFINITY };
    span sx = widened(span_of(x, n, none)), sy = widened(span_of(y, n, none));
    // equal scales: the narrower span grows
    double scale = fmax((sx.high - sx.low) / 640.0, (sy.high - sy.low) / 420.0);
    double width = (sx.high - sx.low) / scale, height = fmax(60.0, (sy.high - sy.low) / scale);
    double grow = 0.5 * (height * scale - (sy.high - sy.low));
    sy = (span){ sy.low - grow, sy.high + grow };
    fprintf(out,
            "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" style=\"max-width:%.0fpx\"><rect class=\"frame\" "
            "x=\"0\" y=\"0\" width=\"%.0f\" height=\"%.0f\"/>\n<polyline class=\"curve\" points=\"",
            width + 2.0, height + 40.0, width + 2.0, width, height);
    for (int k = 0; k < n; k++) {
        fprintf(out, "%.1f,%.1f ", across(sx, x[k], 0.0, width), across(sy, y[k], height, 0.0));
    }
    fputs("\"/>\n", out);
    if (n > 0) {
        fprintf(out,
                "<circle class=\"begin\" r=\"5\" cx=\"%.1f\" cy=\"%.1f\"/><circle class=\"end\" r=\"5\" "
                "cx=\"%.1f\" cy=\"%.1f\"/>\n",
                across(sx, x[0], 0.0, width), across(sy, y[0], height, 0.0), across(sx, x[n - 1], 0.0, width),
                across(sy, y[n - 1], height, 0.0));
    }
    fprintf(out,
            "<text class=\"title\" x=\"0\" y=\"%.0f\">%s from %.3g to %.3g m, %s from %.3g to %.3g "
            "m</text></svg>\n",
            height + 20.0, x_name, sx.low, sx.high, y_name, sy.low, sy.high);
}
