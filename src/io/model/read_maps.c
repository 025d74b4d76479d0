// SPDX-License-Identifier: MIT
// Tables of two variables: a grid in the file, or three columns of a CSV beside it.
#include "io/model/reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1000 * 1000 };

typedef struct {
    int nx, ny;
    double *x, *y, *value; // (nx), (ny), (nx ny) rows of one x; NAN: a hole
} grid;

static bool grid_reserve(grid *g, int nx, int ny)
{
    *g = (grid){ nx, ny, malloc(((size_t)nx + 1) * sizeof *g->x), malloc(((size_t)ny + 1) * sizeof *g->y),
                 malloc(((size_t)nx * (size_t)ny + 1) * sizeof *g->value) };
    for (int k = 0; g->value && k < nx * ny; k++) {
        g->value[k] = NAN;
    }
    return g->x && g->y && g->value;
}

static void grid_clear(grid *g)
{
    free(g->x);
    free(g->y);
    free(g->value);
}

// A map is a full grid: what it lacks has no value that anybody could guess.
static bool tell_holes(reader *r, const yaml_node *node, const char *where, const grid *g)
{
    int count = 0, first = -1;
    for (int k = 0; k < g->nx * g->ny; k++) {
        if (isnan(g->value[k])) {
            first = first < 0 ? k : first;
            count++;
        }
    }
    if (count > 0) {
        reader_error(
            r, node, where,
            "the map has no value at x = %g, y = %g, and %d holes in all of %d times %d: give each a "
            "number, or leave out the x or y that has them",
            g->x[first / g->ny], g->y[first % g->ny], count, g->nx, g->ny);
    }
    return count == 0;
}

// ---- a grid in the file -----------------------------------------------------------------------------------------

static bool is_hole(const yaml_node *node)
{
    return node->kind == YAML_SCALAR &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0 ||
            strcmp(node->text, "nan") == 0 || strcmp(node->text, ".nan") == 0);
}

static bool read_axis(reader *r, const yaml_node *node, const char *where, double *out)
{
    return reader_numbers(r, node, node->count, NULL, where, out);
}

static bool read_grid(reader *r, const yaml_node *value, const char *where, grid *g)
{
    const yaml_node *x = yaml_get(value, "x"), *y = yaml_get(value, "y"), *rows = yaml_get(value, "values");
    if (!x || !y || !rows || yaml_get(value, "points") || yaml_get(value, "file")) {
        reader_error(r, value, where,
                     "a table of two variables needs 'x', 'y' and 'values', and nothing beside");
        return false;
    }
    where_path at = where_at(where, "values");
    if (!reader_expect(r, x, YAML_LIST, where_at(where, "x").text, "a list of numbers") ||
        !reader_expect(r, y, YAML_LIST, where_at(where, "y").text, "a list of numbers") ||
        !reader_expect(r, rows, YAML_LIST, at.text, "a row of numbers for each x")) {
        return false;
    }
    if (rows->count != x->count || (int64_t)x->count * y->count > MOST_CELLS) {
        reader_error(r, rows, at.text,
                     "one row for each of the %d numbers in x is expected, and there are %d", x->count,
                     rows->count);
        return false;
    }
    bool is_good = grid_reserve(g, x->count, y->count) && read_axis(r, x, where_at(where, "x").text, g->x) &&
                   read_axis(r, y, where_at(where, "y").text, g->y);
    for (int i = 0; is_good && i < g->nx; i++) {
        const yaml_node *row = rows->item[i];
        if (row->kind != YAML_LIST || row->count != g->ny) {
            reader_error(r, row, at.text, "a row of %d numbers is expected here, one for each y", g->ny);
            return false;
        }
        for (int j = 0; j < g->ny; j++) {
            is_good = (is_hole(row->item[j]) ||
                       reader_number(r, row->item[j], NULL, at.text, &g->value[i * g->ny + j])) &&
                      is_good;
        }
    }
    return is_good && tell_holes(r, rows, at.text, g);
}

// ---- three columns of a file ------------------------------------------------------------------------------------

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The numbers of a column, each once, in order. NULL: no memory.
static double *distinct(const double *from, int n, int *count)
{
    double *list = malloc(((size_t)n + 1) * sizeof *list);
    *count = 0;
    if (!list) {
        return NULL;
    }
    memcpy(list, from, (size_t)n * sizeof *list);
    qsort(list, (size_t)n, sizeof *list, by_size);
    for (int k = 0; k < n; k++) {
        if (*count == 0 || list[k] != list[*count - 1]) {
            list[(*count)++] = list[k];
        }
    }
    return list;
}

static int place_of(const double *list, int count, double x)
{
    const double *found = bsearch(&x, list, (size_t)count, sizeof *list, by_size);
    return found ? (int)(found - list) : -1;
}

static bool fill_from_rows(reader *r, const yaml_node *node, const char *where, const bi_table *t,
                           const int column[3], grid *g)
{
    for (int k = 0; k < t->rows; k++) {
        double x = t->value[column[0]][k], y = t->value[column[1]][k];
        int line = t->line ? t->line[k] : k + 1, i = place_of(g->x, g->nx, x), j = place_of(g->y, g->ny, y);
        if (i < 0 || j < 0 || isnan(x) || isnan(y)) {
            reader_error(r, node, where, "line %d of the map has no x or no y", line);
            return false;
        }
        double *cell = &g->value[i * g->ny + j];
        if (!isnan(*cell)) {
            reader_error(r, node, where, "line %d of the map gives a second value at x = %g, y = %g", line, x,
                         y);
            return false;
        }
        *cell = t->value[column[2]][k];
    }
    return tell_holes(r, node, where, g);
}

static bool read_rows(reader *r, const yaml_node *value, const char *where, grid *g)
{
    const yaml_node *node = yaml_get(value, "file"), *columns = yaml_get(value, "columns");
    bi_table t = { 0 };
    int column[3], nx = 0, ny = 0;
    if (!node || yaml_get(value, "points")) {
        reader_error(r, value, where, "three 'columns' are those of a 'file', a table of two variables");
        return false;
    }
    bool is_good = reader_table_file(r, value, 3, where, &t) &&
                   reader_table_columns(r, columns, &t, 3, where_at(where, "columns").text, column);
    double *x = is_good ? distinct(t.value[column[0]], t.rows, &nx) : NULL,
           *y = is_good ? distinct(t.value[column[1]], t.rows, &ny) : NULL;
    if (x && y && (int64_t)nx * ny > MOST_CELLS) {
        reader_error(r, node, where, "the map has %d numbers in x and %d in y: its rows are no grid", nx, ny);
        is_good = false;
    }
    is_good = x && y && is_good && grid_reserve(g, nx, ny);
    if (is_good) {
        memcpy(g->x, x, (size_t)nx * sizeof *x);
        memcpy(g->y, y, (size_t)ny * sizeof *y);
        is_good = fill_from_rows(r, node, where_at(where, "file").text, &t, column, g);
    }
    free(x);
    free(y);
    bi_table_clear(&t);
    return is_good;
}

// ---- the whole ----------------------------------------------------------------------------------------------------

int32_t read_map(reader *r, const char *name, const yaml_node *value, const char *where)
{
    grid g = { 0 };
    int choice[2];
    double factor[3];
    bool has_grid = yaml_get(value, "x") || yaml_get(value, "y") || yaml_get(value, "values");
    bool is_good = has_grid ? read_grid(r, value, where, &g) : read_rows(r, value, where, &g);
    is_good = reader_table_rules(r, value, where, choice) && is_good;
    reader_table_units(r, yaml_get(value, "units"), 3, where_at(where, "units").text, factor);
    int32_t id = 0;
    if (is_good) {
        for (int k = 0; k < g.nx; k++) {
            g.x[k] *= factor[0];
        }
        for (int k = 0; k < g.ny; k++) {
            g.y[k] *= factor[1];
        }
        for (int k = 0; k < g.nx * g.ny; k++) {
            g.value[k] *= factor[2];
        }
        reader_place(r, name[0] && r->entry ? r->entry : value);
        id = bi_add_map(r->model, &(bi_map_def){ .name = name,
                                                 .n_x = g.nx,
                                                 .n_y = g.ny,
                                                 .x = g.x,
                                                 .y = g.y,
                                                 .value = g.value,
                                                 .interpolation = (bi_interpolation)choice[0],
                                                 .outside = (bi_outside)choice[1] })
                 .i;
    }
    grid_clear(&g);
    return id;
}
