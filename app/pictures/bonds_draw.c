// SPDX-License-Identifier: MIT
/* The picture of a bond graph: half arrows show where power counts as positive, strokes the end that receives the
 * effort, double lines are vectors, boxes parts, dashes what a part reads. Places come from the number of bonds between nodes: springs of that length between all pairs, relaxed from a
 * start that the order of the nodes decides, so that the same graph gives the same picture. */
#include "cli/words.h"
#include "pictures/bonds.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 1000000, PASSES = 300 };
static const double margin = 70.0, top = 60.0, clear_of_node = 24.0, box_high = 19.0;

typedef struct {
    int n;
    double unit;   // pixels of a bond
    int *distance; // (n * n) bonds between nodes
    double *x, *y;
} layout;

static void find_distances(const bonds_view *b, layout *l)
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

static bool is_box(const bonds_view_node *n) { return n->kind[0] == '\0' && !n->is_outside; }

// States and other nodes without bonds are no part of the network.
static bool is_alone(const bonds_view *v, int k)
{
    for (int i = 0; i < v->n_bond; i++) {
        if (v->bond[i].from == k || v->bond[i].to == k) {
            return false;
        }
    }
    return !is_box(&v->node[k]);
}

// The nodes with bonds first.
static int *order_of(const bonds_view *v, int *joined)
{
    int *order = words_alloc(((size_t)v->n_node + 1) * sizeof *order), n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < v->n_node; k++) {
            if (is_alone(v, k) == (pass == 1)) {
                order[n++] = k;
            }
        }
        *joined = pass == 0 ? n : *joined;
    }
    return order;
}

// Only nodes with bonds are laid out; the others stand in rows below.
static void place_alone(const bonds_view *v, const int *order, int joined, double bottom, layout *l)
{
    for (int i = joined; i < v->n_node; i++) {
        int column = (i - joined) % 8, row = (i - joined) / 8;
        l->x[order[i]] = margin + 80.0 * column;
        l->y[order[i]] = bottom + 64.0 + 40.0 * row;
    }
}

static layout layout_part(const bonds_view *v, const int *order, int n)
{
    layout l = { n, 92.0, words_alloc((size_t)n * (size_t)n * sizeof(int) + 1),
                 words_alloc((size_t)n * sizeof(double) + 1), words_alloc((size_t)n * sizeof(double) + 1) };
    bonds_view own = { .n_node = n, .n_bond = v->n_bond };
    own.bond = words_alloc(((size_t)v->n_bond + 1) * sizeof *own.bond);
    for (int k = 0; k < v->n_bond; k++) {
        for (int i = 0; i < n; i++) {
            own.bond[k].from = order[i] == v->bond[k].from ? i : own.bond[k].from;
            own.bond[k].to = order[i] == v->bond[k].to ? i : own.bond[k].to;
        }
    }
    for (int i = 0; i < n; i++) {
        l.unit = is_box(&v->node[order[i]]) ? 132.0 : l.unit;
    }
    find_distances(&own, &l);
    free(own.bond);
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
    return l;
}

static layout layout_make(const bonds_view *v)
{
    int joined = 0, *order = order_of(v, &joined);
    layout part = layout_part(v, order, joined);
    layout l = { v->n_node, part.unit, NULL, words_alloc((size_t)v->n_node * sizeof(double) + 1),
                 words_alloc((size_t)v->n_node * sizeof(double) + 1) };
    double low_x = INFINITY, low_y = INFINITY, bottom = top;
    for (int i = 0; i < joined; i++) {
        low_x = fmin(low_x, part.x[i]);
        low_y = fmin(low_y, part.y[i]);
    }
    for (int i = 0; i < joined; i++) {
        l.x[order[i]] = margin + l.unit * (part.x[i] - low_x);
        l.y[order[i]] = top + margin + l.unit * (part.y[i] - low_y);
        bottom = fmax(bottom, l.y[order[i]]);
    }
    place_alone(v, order, joined, bottom, &l);
    free(part.distance);
    free(part.x);
    free(part.y);
    free(order);
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

static double box_wide(const bonds_view_node *n)
{
    size_t a = strlen(n->name), b = strlen(n->of);
    return 14.0 + 3.6 * (double)(a > b ? a : b);
}

// How far from the middle of a node a line in that direction begins.
static double edge_of(const bonds_view_node *n, double dx, double dy)
{
    if (!is_box(n)) {
        return clear_of_node;
    }
    double across = fabs(dx) > 1e-9 ? (box_wide(n) + 4.0) / fabs(dx) : INFINITY;
    double up = fabs(dy) > 1e-9 ? (box_high + 4.0) / fabs(dy) : INFINITY;
    return fmin(across, up);
}

typedef struct {
    double x1, y1, x2, y2, dx, dy; // ends, and the direction between them
} stretch;

// From edge to edge; `aside`: to the left, where bonds go both ways.
static stretch stretch_of(const bonds_view *v, const layout *l, int from, int to, double aside)
{
    double x1 = l->x[from], y1 = l->y[from], x2 = l->x[to], y2 = l->y[to], dx = x2 - x1, dy = y2 - y1,
           length = fmax(hypot(dx, dy), 1e-9);
    dx /= length;
    dy /= length;
    double a = fmin(edge_of(&v->node[from], dx, dy), 0.4 * length),
           b = fmin(edge_of(&v->node[to], dx, dy), 0.4 * length);
    return (stretch){ x1 + a * dx + aside * dy,
                      y1 + a * dy - aside * dx,
                      x2 - b * dx + aside * dy,
                      y2 - b * dy - aside * dx,
                      dx,
                      dy };
}

static void stroke(FILE *out, double x, double y, const stretch *s, double half)
{
    line(out, x - half * s->dy, y + half * s->dx, x + half * s->dy, y - half * s->dx, "#b3261e", 2.2);
}

static bool has_return(const bonds_view *v, const bonds_view_bond *b)
{
    for (int k = 0; k < v->n_bond; k++) {
        if (v->bond[k].from == b->to && v->bond[k].to == b->from) {
            return true;
        }
    }
    return false;
}

static void draw_numbers(FILE *out, const bonds_view_bond *b, const stretch *s, double most)
{
    char text[40];
    bool is_row = b->last - b->first == b->count - 1;
    snprintf(text, sizeof text, b->count == 1 ? "%d" : is_row ? "%d-%d" : "%d..%d", b->first, b->last);
    // beside a line that goes up, text needs more room than above one that goes along
    double away = 10.0 + 2.6 * (double)(strlen(text) - 1) * fabs(s->dy);
    fprintf(out,
            "<text x=\"%.2f\" y=\"%.2f\" font-size=\"10\" fill=\"#667\" text-anchor=\"middle\">%s</text>\n",
            0.5 * (s->x1 + s->x2) + away * s->dy, 0.5 * (s->y1 + s->y2) - away * s->dx + 3.0, text);
    if (most > 0.0) {
        fprintf(out,
                "<text x=\"%.2f\" y=\"%.2f\" font-size=\"9\" fill=\"#1b4f8a\" text-anchor=\"middle\">%.3g "
                "J</text>\n",
                0.5 * (s->x1 + s->x2) - 16.0 * s->dy, 0.5 * (s->y1 + s->y2) + 16.0 * s->dx + 3.0, b->energy);
    }
}

static void draw_bond(FILE *out, const bonds_view *v, int k, const layout *l, double most)
{
    static const double pi = 3.14159265358979323846;
    const bonds_view_bond *b = &v->bond[k];
    stretch s = stretch_of(v, l, b->from, b->to, has_return(v, b) ? 8.0 : 0.0);
    if (most > 0.0 && fabs(b->energy) > 0.0) {
        // blue: along the half arrow; orange: against it
        line(out, s.x1, s.y1, s.x2, s.y2, b->energy > 0.0 ? "#9cc3ea" : "#f3c48a",
             2.0 + 12.0 * sqrt(fabs(b->energy) / most));
    }
    line(out, s.x1, s.y1, s.x2, s.y2, "#222", b->count > 1 ? 5.4 : 1.6);
    if (b->count > 1) {
        line(out, s.x1, s.y1, s.x2, s.y2, "#fff", 2.4); // what is left is a double line
    }
    double angle = atan2(s.dy, s.dx) + pi - 0.6; // one barb only
    line(out, s.x2, s.y2, s.x2 + 12.0 * cos(angle), s.y2 + 12.0 * sin(angle), "#222", 1.6);
    // components that do not agree have a stroke at both ends, shorter
    bool agree = b->strokes_to == 0 || b->strokes_to == b->count;
    if (b->strokes_to > 0) {
        stroke(out, s.x2, s.y2, &s, agree ? 8.0 : 4.5);
    }
    if (b->strokes_to < b->count) {
        stroke(out, s.x1, s.y1, &s, agree ? 8.0 : 4.5);
    }
    draw_numbers(out, b, &s, most);
}

static void draw_read(FILE *out, const bonds_view *v, const int *pair, const layout *l)
{
    stretch s = stretch_of(v, l, pair[0], pair[1], -12.0);
    fprintf(out,
            "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#7a8aa0\" stroke-width=\"1\" "
            "stroke-dasharray=\"4 3\" marker-end=\"url(#reads)\"/>\n",
            s.x1, s.y1, s.x2, s.y2);
}

static void words_at(FILE *out, double x, double y, int size, const char *colour, const char *text)
{
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"%d\" fill=\"%s\">", x, y,
            size, colour);
    write_text(out, text);
    fputs("</text>\n", out);
}

static void draw_node(FILE *out, const bonds_view_node *n, double x, double y)
{
    bool is_junction = n->kind[0] != '\0' && n->kind[1] == '\0' && (n->kind[0] == '0' || n->kind[0] == '1');
    static const char *const colour[] = { "#111", "#14663a", "#b3261e", "#8a5a00" };
    if (n->is_outside) {
        words_at(out, x, y + 4.0, 12, "#889", n->name);
    } else if (is_box(n)) {
        double wide = box_wide(n);
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"5\" fill=\"#eef3f8\" "
                "stroke=\"#335\"/>\n",
                x - wide, y - box_high, 2.0 * wide, 2.0 * box_high);
        words_at(out, x, y + (n->of[0] ? -2.0 : 5.0), 13, "#111", n->name);
        words_at(out, x, y + 12.0, 10, "#556", n->of);
    } else {
        words_at(out, x, y + 5.0, is_junction ? 18 : 15, colour[n->causality], n->kind);
        words_at(out, x, y + 17.0, 10, "#445", n->name);
    }
}

static void draw_head(FILE *out, const bonds_view *v, const char *title, bool has_energy)
{
    bool has_vector = false, has_box = false;
    for (int k = 0; k < v->n_bond; k++) {
        has_vector |= v->bond[k].count > 1;
    }
    for (int k = 0; k < v->n_node; k++) {
        has_box |= is_box(&v->node[k]);
    }
    fputs("<text x=\"20\" y=\"26\" font-size=\"16\">", out);
    write_text(out, title);
    fprintf(out,
            "</text>\n<text x=\"20\" y=\"44\" font-size=\"11\" fill=\"#445\">half arrow: positive power; red "
            "stroke: receives the effort%s%s%s%s</text>\n",
            has_vector ? "; double line: vector" : "", has_box ? "; box: part" : "",
            v->n_reads > 0 ? "; dashes: reads" : "",
            has_energy ? "; blue: energy along the arrow, orange: against it" : "");
}

static void draw(FILE *out, const bonds_view *v, const char *title, bool has_energy)
{
    layout l = layout_make(v);
    double width = 640.0, height = 200.0, most = 0.0;
    for (int i = 0; i < l.n; i++) {
        width = fmax(width, l.x[i] + margin);
        height = fmax(height, l.y[i] + margin);
    }
    for (int k = 0; has_energy && k < v->n_bond; k++) {
        most = fmax(most, fabs(v->bond[k].energy));
    }
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<defs><marker id=\"reads\" markerWidth=\"7\" "
        "markerHeight=\"7\" refX=\"6\" refY=\"3\" orient=\"auto\"><path d=\"M0 0 L6 3 L0 6\" fill=\"none\" "
        "stroke=\"#7a8aa0\"/></marker></defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        width, height, width, height);
    draw_head(out, v, title, has_energy);
    for (int k = 0; k < v->n_reads; k++) {
        draw_read(out, v, v->reads[k], &l);
    }
    for (int k = 0; k < v->n_bond; k++) {
        draw_bond(out, v, k, &l, most);
    }
    for (int i = 0; i < l.n; i++) {
        draw_node(out, &v->node[i], l.x[i], l.y[i]);
    }
    fputs("</svg>\n", out);
    free(l.x);
    free(l.y);
}

bool bonds_draw(const bi_bonds *b, const bonds_choice *choice, const char *title, const double *energy,
                const char *path)
{
    bonds_view v;
    if (!bonds_view_make(b, choice, energy, &v)) {
        return false;
    }
    bi_outfile *output = outfiles_begin(path);
    if (output) {
        draw(bi_outfile_file(output), &v, title, energy != NULL);
    }
    bonds_view_clear(&v);
    return output && outfiles_end(output);
}
