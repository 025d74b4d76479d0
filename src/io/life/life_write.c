// SPDX-License-Identifier: MIT
// The life of all places as a table, and of one body as a grid for ParaView.
#include "io/life/life.h"
#include "io/results/vtu_grid.h"
#include <biela/outfile.h>
#include <math.h>
#include <stdlib.h>

static const char *end_of(const life_place *p)
{
    static const char *const end[2] = { "start", "end" }, *const side[2] = { "top", "bottom" };
    return p->is_beam ? end[p->end] : side[p->side];
}

// Names come from files of anybody: a comma or a quote would break the row.
static void write_name(FILE *out, const char *name)
{
    fputc('"', out);
    for (const char *c = name ? name : ""; *c; c++) {
        fputs(*c == '"' ? "\"\"" : (char[2]){ *c, '\0' }, out);
    }
    fputc('"', out);
}

static void write_place(FILE *out, const bi_life *l, const life_sum *s)
{
    bi_life_place at = life_tell(l, s);
    double length = l->to - l->from;
    write_name(out, at.body);
    fprintf(out, ",%s,%lld,", at.is_beam ? "element" : "node", (long long)at.number);
    write_name(out, at.name);
    fprintf(out, ",%s,", end_of(s->place));
    write_name(out, at.spot);
    fprintf(out, ",%.17g,%.17g,%.17g,%.17g,%.17g", at.direction * 180.0 / acos(-1.0), at.least, at.most,
            at.cycles, at.damage);
    if (at.damage > 0.0) {
        fprintf(out, ",%.17g,%.17g\n", 1.0 / at.damage, length / at.damage / 3600.0);
    } else {
        fputs(",,\n", out); // it lives for ever
    }
}

bi_status bi_life_write(bi_life *l, const char *path, bi_report *report)
{
    if (!l || !path || l->samples == 0 || !life_sort(l)) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "needs counted samples and a file");
        return BI_BAD_ARGUMENT;
    }
    bi_outfile *output = bi_outfile_open(path, report);
    if (!output) {
        return BI_BAD_FILE;
    }
    FILE *out = bi_outfile_file(output);
    fputs("body,place,number,name,end,spot,direction,least,most,cycles,damage,runs,hours\n", out);
    for (int k = 0; k < l->n_body; k++) {
        for (int i = 0; i < l->body[k].n_place; i++) {
            const life_place *p = &l->body[k].place[i];
            life_sum sum;
            if (p->curve && life_sum_place(l, &l->body[k], p, &sum)) {
                write_place(out, l, &sum);
            }
        }
    }
    return bi_outfile_commit(output, report);
}

// The worst of a node, and of a beam; what has no data is no number.
static bool gather(const bi_life *l, const life_body *b, double *node, double *cell)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(b->flex);
    for (int k = 0; k < mesh->n_node; k++) {
        node[k] = NAN;
    }
    for (int k = 0; k < mesh->n_element; k++) {
        cell[k] = NAN;
    }
    for (int k = 0; k < b->n_place; k++) {
        const life_place *p = &b->place[k];
        life_sum sum;
        if (!p->curve) {
            continue;
        }
        if (!life_sum_place(l, b, p, &sum)) {
            return false;
        }
        node[p->node] = fmax(node[p->node], sum.damage);
        if (p->is_beam) {
            cell[p->element] = fmax(cell[p->element], sum.damage);
        }
    }
    return true;
}

// log10 of how often the run can be repeated; damage of nothing is shown as the end of the scale.
static double log_runs(double damage) { return isnan(damage) ? NAN : damage > 1e-20 ? -log10(damage) : 20.0; }

bi_status bi_life_write_vtu(bi_life *l, int body, const char *path, bi_report *report)
{
    if (!l || !path || body < 0 || body >= l->n_body || l->samples == 0 || !life_sort(l)) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "needs counted samples, a body and a file");
        return BI_BAD_ARGUMENT;
    }
    const life_body *b = &l->body[body];
    const bi_fe_mesh *mesh = bi_flex_mesh(b->flex);
    double *node = calloc((size_t)mesh->n_node + 1, sizeof *node);
    double *cell = calloc((size_t)mesh->n_element + 1, sizeof *cell);
    bi_outfile *output = node && cell && gather(l, b, node, cell) ? bi_outfile_open(path, report) : NULL;
    if (output) {
        FILE *out = bi_outfile_file(output);
        vtu_begin(out, mesh);
        fputs("<PointData Scalars=\"log_runs\">\n", out);
        vtu_numbers(out, "damage", node, mesh->n_node);
        for (int k = 0; k < mesh->n_node; k++) {
            node[k] = log_runs(node[k]);
        }
        vtu_numbers(out, "log_runs", node, mesh->n_node);
        fputs("</PointData>\n", out);
        vtu_cells(out, mesh);
        fputs("<CellData>\n", out);
        vtu_numbers(out, "damage_of_beam", cell, mesh->n_element);
        fputs("</CellData>\n", out);
        vtu_end(out);
    } else if (!node || !cell) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    }
    free(node);
    free(cell);
    return output ? bi_outfile_commit(output, report) : BI_BAD_FILE;
}
