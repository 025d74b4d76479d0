// SPDX-License-Identifier: MIT
/* A map has a letter per cell: '#' a number of the matrix is there, '+' only one of the factor, ' ' none. A cell is one
 * pair of variables, or a square block of them in systems too large for a drawing. */
#include "pictures/sparsity.h"
#include "cli/words.h"
#include "running/outfiles.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// finer than that no screen shows
enum { MOST_CELLS = 1000, MOST_LETTERS = 24, MOST_NAMES = 60 };

typedef struct {
    int n;      // cells along an edge
    int block;  // variables per cell
    char *cell; // (n * n) by rows
} map;

static map map_make(int n_variable)
{
    int block = (n_variable + MOST_CELLS - 1) / MOST_CELLS;
    block = block > 0 ? block : 1;
    int n = (n_variable + block - 1) / block;
    map m = { n, block, words_alloc((size_t)n * (size_t)n + 1) };
    memset(m.cell, ' ', (size_t)n * (size_t)n);
    return m;
}

static char *map_at(const map *m, int i, int j)
{
    return &m->cell[(size_t)(i / m->block) * (size_t)m->n + (size_t)(j / m->block)];
}

static map map_of_matrix(const bi_sparsity *s)
{
    map m = map_make(s->n);
    for (int j = 0; j < s->n; j++) {
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            *map_at(&m, s->row[k], j) = *map_at(&m, j, s->row[k]) = '#';
        }
    }
    return m;
}

// The lower triangle in the order of elimination; what the matrix has itself is told from what elimination adds.
static map map_of_factor(const bi_sparsity *s)
{
    map m = map_make(s->n);
    int *position = words_alloc(((size_t)s->n + 1) * sizeof *position);
    for (int k = 0; k < s->n; k++) {
        position[s->order[k]] = k;
        for (int i = s->factor_start[k]; i < s->factor_start[k + 1]; i++) {
            *map_at(&m, s->factor_row[i], k) = '+';
        }
    }
    for (int j = 0; j < s->n; j++) {
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            int a = position[s->row[k]], b = position[j];
            *map_at(&m, a > b ? a : b, a > b ? b : a) = '#';
        }
    }
    free(position);
    return m;
}

// ---- drawing -----------------------------------------------------------------------------------------------

enum { EDGE = 480, TOP = 64, GAP = 40 };

static void write_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc(*text, out);
        }
    }
}

// Cells of one letter as one path of runs along the rows, so that large pictures stay small files.
static void draw_cells(FILE *out, const map *m, char letter, const char *colour)
{
    fprintf(out, "<path fill=\"%s\" d=\"", colour);
    for (int i = 0; i < m->n; i++) {
        const char *row = &m->cell[(size_t)i * (size_t)m->n];
        for (int j = 0; j < m->n; j++) {
            int from = j;
            while (j < m->n && row[j] == letter) {
                j++;
            }
            if (j > from) {
                fprintf(out, "M%d %dh%dv1h%dz", from, i, j - from, from - j);
            }
        }
    }
    fputs("\"/>\n", out);
}

static void draw_map(FILE *out, const map *m, int left, const char *caption)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\">", left, TOP - 12);
    write_text(out, caption);
    fprintf(out, "</text>\n<g transform=\"translate(%d %d) scale(%.6g)\" shape-rendering=\"crispEdges\">\n",
            left, TOP, m->n > 0 ? (double)EDGE / m->n : 1.0);
    draw_cells(out, m, '#', "#1b4f8a");
    draw_cells(out, m, '+', "#e08a1e");
    fprintf(out, "</g>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
            left, TOP, EDGE, EDGE);
}

// Names of the rows, in the order given; NULL: that of the variables.
static void draw_names(FILE *out, const bi_system *s, const int *order, int n, int right)
{
    double height = (double)EDGE / n, size = height < 12.0 ? height * 0.9 : 11.0;
    char name[160];
    fprintf(out, "<g font-size=\"%.3g\" text-anchor=\"end\">\n", size);
    for (int k = 0; k < n; k++) {
        fprintf(out, "<text x=\"%d\" y=\"%.6g\">", right - 4, TOP + (k + 0.5) * height + 0.35 * size);
        write_text(out, bi_variable_name(s, order ? order[k] : k, name, sizeof name));
        fputs("</text>\n", out);
    }
    fputs("</g>\n", out);
}

// Width that the longest name needs.
static int width_of_names(const bi_system *s, int n)
{
    char name[160];
    size_t longest = 0;
    for (int k = 0; k < n; k++) {
        size_t length = strlen(bi_variable_name(s, k, name, sizeof name));
        longest = length > longest ? length : longest;
    }
    return 12 + 7 * (int)longest;
}

static void draw(FILE *out, const bi_system *s, const bi_sparsity *shape, const char *title)
{
    bool has_names = shape->n > 0 && shape->n <= MOST_NAMES;
    int margin = has_names ? width_of_names(s, shape->n) : GAP;
    int second = margin + EDGE + margin;
    int width = (shape->order ? second : margin) + EDGE + GAP;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"white\"/>\n",
            width, TOP + EDGE + GAP, width, TOP + EDGE + GAP);
    fprintf(out, "<text x=\"%d\" y=\"26\" font-size=\"16\">", margin);
    write_text(out, title);
    fputs("</text>\n", out);

    map m = map_of_matrix(shape);
    char *caption = words_format("matrix of a step: %d variables, %d numbers in a triangle", shape->n,
                                 shape->start[shape->n]);
    draw_map(out, &m, margin, caption);
    if (has_names) {
        draw_names(out, s, NULL, shape->n, margin);
    }
    if (m.block > 1) {
        fprintf(out, "<text x=\"%d\" y=\"%d\">one cell: %d x %d variables</text>\n", margin, TOP + EDGE + 20,
                m.block, m.block);
    }
    free(caption);
    free(m.cell);
    if (shape->order) {
        m = map_of_factor(shape);
        caption = words_format("its factor: %d numbers (orange: added by elimination)",
                               shape->factor_start[shape->n]);
        draw_map(out, &m, second, caption);
        if (has_names) {
            draw_names(out, s, shape->order, shape->n, second);
        }
        free(caption);
        free(m.cell);
    }
    fputs("</svg>\n", out);
}

bool sparsity_write(const bi_system *s, const char *title, const char *path)
{
    bi_sparsity shape;
    if (!bi_system_sparsity(s, &shape)) {
        fputs("biela: error: no memory for the picture of the sparsity\n", stderr);
        return false;
    }
    bi_outfile *output = outfiles_begin(path);
    if (output) {
        draw(bi_outfile_file(output), s, &shape, title);
    }
    bool is_written = output && outfiles_end(output);
    if (is_written && !shape.order) {
        fputs("biela: note: this solver orders while it factors: the picture has the matrix only\n", stderr);
    }
    bi_sparsity_clear(&shape);
    return is_written;
}

// ---- letters -------------------------------------------------------------------------------------------------

void sparsity_print(const bi_system *s)
{
    bi_sparsity shape;
    if (bi_variable_count(s) > MOST_LETTERS || !bi_system_sparsity(s, &shape)) {
        return;
    }
    map matrix = map_of_matrix(&shape), factor = { 0 };
    if (shape.order) {
        factor = map_of_factor(&shape);
    }
    printf("\nmatrix of a step%s\n", shape.order ? ", and its factor (+: added by elimination)" : "");
    for (int i = 0; i < shape.n; i++) {
        fputs("  ", stdout);
        for (int j = 0; j < shape.n; j++) {
            putchar(*map_at(&matrix, i, j) == ' ' ? '.' : '#');
        }
        fputs(shape.order ? "   " : "", stdout);
        for (int j = 0; shape.order && j <= i; j++) {
            char letter = *map_at(&factor, i, j);
            putchar(letter == ' ' ? '.' : letter);
        }
        putchar('\n');
    }
    free(matrix.cell);
    free(factor.cell);
    bi_sparsity_clear(&shape);
}
