// SPDX-License-Identifier: MIT
/* The picture of a bond graph: half arrows show where power counts as positive, strokes the end that receives the
 * effort. Places come from the number of bonds between nodes: springs of that length between all pairs, relaxed from a
 * start that the order of the nodes decides, so that the same graph gives the same picture. */
#include "cli/words.h"
#include "pictures/bonds.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 1000000, PASSES = 300 };
static const double unit = 92.0, margin = 70.0, top = 60.0, clear_of_node = 24.0;

typedef struct {
    int n;
    int *distance; // (n * n) bonds between nodes
    double *x, *y;
} layout;

static void find_distances(const bi_bonds *b, layout *l)
{
    int n = l->n;
    for (int k = 0; k < n * n; k++) {
        l->distance[k] = k % (n + 1) == 0 ? 0 : FAR;
    }
    for (int k = 0; k < b->n_bond; k++) {
        l->distance[b->bond[k].from * n + b->bond[k].to] = l->distance[b->bond[k].to * n + b->bond[k].from] =
            1;
    }
    for (int via = 0; via < n; via++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int there = l->distance[i * n + via] + l->distance[via * n + j];
                int *d = &l->distance[i * n + j];
                *d = there < *d ? there : *d;
            }
        }
    }
}

// Nodes that nothing joins stand as far apart as the longest chain.
static double wanted(const layout *l, int i, int j)
{
    int d = l->distance[i * l->n + j];
    return d < FAR ? d : sqrt((double)l->n) + 1.0;
}

static void relax(layout *l)
{
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < l->n; i++) {
            double sx = 0.0, sy = 0.0, weight = 0.0;
            for (int j = 0; j < l->n; j++) {
                if (j == i) {
                    continue;
                }
                double d = wanted(l, i, j), w = 1.0 / (d * d), dx = l->x[i] - l->x[j], dy = l->y[i] - l->y[j],
                       length = fmax(hypot(dx, dy), 1e-9);
                sx += w * (l->x[j] + d * dx / length);
                sy += w * (l->y[j] + d * dy / length);
                weight += w;
            }
            if (weight > 0.0) {
                l->x[i] = sx / weight;
                l->y[i] = sy / weight;
            }
        }
    }
}

// The longest direction lies along the page.
static void turn(layout *l)
{
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int i = 0; i < l->n; i++) {
        mx += l->x[i] / l->n;
        my += l->y[i] / l->n;
    }
    for (int i = 0; i < l->n; i++) {
        double dx = l->x[i] - mx, dy = l->y[i] - my;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    double angle = 0.5 * atan2(2.0 * xy, xx - yy), c = cos(angle), s = sin(angle);
    // the first node is on the left and not below
    double first_x = c * (l->x[0] - mx) + s * (l->y[0] - my);
    double side = first_x > 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < l->n; i++) {
        double dx = l->x[i] - mx, dy = l->y[i] - my;
        l->x[i] = side * (c * dx + s * dy);
        l->y[i] = side * (-s * dx + c * dy);
    }
}

static layout layout_make(const bi_bonds *b)
{
    int n = b->n_node;
    layout l = { n, words_alloc((size_t)n * (size_t)n * sizeof(int) + 1),
                 words_alloc((size_t)n * sizeof(double) + 1), words_alloc((size_t)n * sizeof(double) + 1) };
    find_distances(b, &l);
    for (int i = 0; i < n; i++) {
        // away from the first node by the distance, turned by the golden angle so that nobody stands on another
        double d = wanted(&l, 0, i), angle = 2.399963229728653 * i;
        l.x[i] = d + 0.3 * cos(angle);
        l.y[i] = 0.6 * d * sin(angle) + 0.1 * i / (n + 1.0);
    }
    relax(&l);
    if (n > 0) {
        turn(&l);
    }
    double low_x = INFINITY, low_y = INFINITY;
    for (int i = 0; i < n; i++) {
        low_x = fmin(low_x, l.x[i]);
        low_y = fmin(low_y, l.y[i]);
    }
    for (int i = 0; i < n; i++) {
        l.x[i] = margin + unit * (l.x[i] - low_x);
        l.y[i] = top + margin + unit * (l.y[i] - low_y);
    }
    return l;
}

// ---- drawing ----------------------------------------------------------------------------------------------------------

static void write_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        default: fputc(*text, out);
        }
    }
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *colour, double width)
{
    fprintf(out,
            "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" stroke-width=\"%.2f\" "
            "stroke-linecap=\"round\"/>\n",
            x1, y1, x2, y2, colour, width);
}

static void draw_bond(FILE *out, const bi_bonds *b, int k, const layout *l, double energy, double most)
{
    static const double pi = 3.14159265358979323846;
    const bi_bonds_bond *bond = &b->bond[k];
    double x1 = l->x[bond->from], y1 = l->y[bond->from], x2 = l->x[bond->to], y2 = l->y[bond->to];
    double dx = x2 - x1, dy = y2 - y1, length = fmax(hypot(dx, dy), 1e-9);
    dx /= length;
    dy /= length;
    double gap = fmin(clear_of_node, 0.3 * length);
    x1 += gap * dx;
    y1 += gap * dy;
    x2 -= gap * dx;
    y2 -= gap * dy;
    if (most > 0.0 && fabs(energy) > 0.0) {
        // blue: along the half arrow; orange: against it
        line(out, x1, y1, x2, y2, energy > 0.0 ? "#9cc3ea" : "#f3c48a",
             2.0 + 12.0 * sqrt(fabs(energy) / most));
    }
    line(out, x1, y1, x2, y2, "#222", 1.6);
    double angle = atan2(dy, dx) + pi - 0.6; // one barb only
    line(out, x2, y2, x2 + 11.0 * cos(angle), y2 + 11.0 * sin(angle), "#222", 1.6);
    double sx = bond->stroke_at_to ? x2 : x1, sy = bond->stroke_at_to ? y2 : y1;
    line(out, sx - 8.0 * dy, sy + 8.0 * dx, sx + 8.0 * dy, sy - 8.0 * dx, "#b3261e", 2.2);
    fprintf(out,
            "<text x=\"%.2f\" y=\"%.2f\" font-size=\"10\" fill=\"#667\" text-anchor=\"middle\">%d</text>\n",
            0.5 * (x1 + x2) + 9.0 * dy, 0.5 * (y1 + y2) - 9.0 * dx + 3.0, k + 1);
    if (most > 0.0) {
        fprintf(out,
                "<text x=\"%.2f\" y=\"%.2f\" font-size=\"9\" fill=\"#1b4f8a\" text-anchor=\"middle\">%.3g "
                "J</text>\n",
                0.5 * (x1 + x2) - 16.0 * dy, 0.5 * (y1 + y2) + 16.0 * dx + 3.0, energy);
    }
}

static void draw_node(FILE *out, const bi_bonds_node *n, double x, double y)
{
    bool is_junction = n->kind[1] == '\0' && (n->kind[0] == '0' || n->kind[0] == '1');
    static const char *const colour[] = { "#111", "#14663a", "#b3261e", "#8a5a00" };
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"%d\" fill=\"%s\">", x,
            y + 5.0, is_junction ? 18 : 15, colour[n->causality]);
    write_text(out, n->kind);
    fprintf(out,
            "</text>\n<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"10\" fill=\"#445\">", x,
            y + 17.0);
    write_text(out, n->name);
    fputs("</text>\n", out);
}

static void draw(FILE *out, const bi_bonds *b, const char *title, const double *energy)
{
    layout l = layout_make(b);
    double width = 640.0, height = 200.0, most = 0.0;
    for (int i = 0; i < l.n; i++) {
        width = fmax(width, l.x[i] + margin);
        height = fmax(height, l.y[i] + margin);
    }
    for (int k = 0; energy && k < b->n_bond; k++) {
        most = fmax(most, fabs(energy[k]));
    }
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" "
        "fill=\"white\"/>\n"
        "<text x=\"20\" y=\"26\" font-size=\"16\">",
        width, height, width, height);
    write_text(out, title);
    fprintf(out,
            "</text>\n<text x=\"20\" y=\"44\" font-size=\"11\" fill=\"#445\">half arrow: positive power; red "
            "stroke: "
            "receives the effort%s</text>\n",
            energy ? "; blue: energy along the arrow, orange: against it" : "");
    for (int k = 0; k < b->n_bond; k++) {
        draw_bond(out, b, k, &l, energy ? energy[k] : 0.0, most);
    }
    for (int i = 0; i < l.n; i++) {
        draw_node(out, &b->node[i], l.x[i], l.y[i]);
    }
    fputs("</svg>\n", out);
    free(l.distance);
    free(l.x);
    free(l.y);
}

bool bonds_draw(const bi_bonds *b, const char *title, const double *energy, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    if (!output) {
        return false;
    }
    draw(bi_outfile_file(output), b, title, energy);
    return outfiles_end(output);
}
