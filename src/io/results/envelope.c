// SPDX-License-Identifier: MIT
// What the elements of flexible bodies bore during a run.
#include "io/flex/flex_paint.h"
#include <biela/loop.h>
#include <biela/outfile.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of one place: an end of a beam or a node; beams share the section forces of their middle.
typedef struct {
    double mises, t;          // largest, and when
    double least[6], most[6]; // section forces
    bool is_seen;
} extreme;

struct bi_envelope {
    flex_paint *body;
    int n_body;
    extreme **at; // (n_body)(points of its recovery)
};

bi_envelope *bi_envelope_create(const bi_model *model, bi_report *report)
{
    if (!model) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "an envelope needs a model");
        return NULL;
    }
    bi_envelope *e = calloc(1, sizeof *e);
    bool is_good = e && (e->n_body = flex_paint_all(model, &e->body)) >= 0;
    if (is_good && e->n_body == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "",
                      "there is no flexible body: only bodies with 'flex' have stresses");
        bi_envelope_destroy(e);
        return NULL;
    }
    e = is_good ? e : NULL;
    if (is_good) {
        e->at = calloc((size_t)e->n_body, sizeof *e->at);
        for (int k = 0; e->at && k < e->n_body; k++) {
            e->at[k] = calloc((size_t)e->body[k].mises->n_point + 1, sizeof **e->at);
            is_good = is_good && e->at[k];
        }
        is_good = is_good && e->at;
    }
    if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        bi_envelope_destroy(e);
        return NULL;
    }
    return e;
}

static void add_forces(extreme *x, const double *force)
{
    for (int i = 0; i < 6; i++) {
        x->least[i] = x->is_seen ? fmin(x->least[i], force[i]) : force[i];
        x->most[i] = x->is_seen ? fmax(x->most[i], force[i]) : force[i];
    }
}

void bi_envelope_add(bi_envelope *e, bi_sim *sim)
{
    bool is_shown = e && bi_sim_view(sim).n_body > 0;
    for (int b = 0; is_shown && b < e->n_body; b++) {
        flex_paint *p = &e->body[b];
        const bi_fe_mesh *mesh = bi_flex_mesh(p->flex);
        double t = bi_sim_time(sim), value[6], force[6] = { 0 };
        (void)bi_sim_modes(sim, p->body, p->eta);
        int n_section = flex_paint_sections(p);
        for (int k = 0, element = -1; k < p->mises->n_point; k++) {
            extreme *x = &e->at[b][k];
            bi_recovery_values(p->mises, k, p->eta, (bi_quat){ .w = 1.0 }, value);
            memset(force, 0, k < n_section ? 0 : sizeof force);
            if (k < n_section && k % 2 == 0) {
                do {
                    element++;
                } while (!bi_fe_is_beam(mesh->element[element].kind));
                flex_paint_forces(p, element, force);
            }
            add_forces(x, force);
            if (!x->is_seen || value[0] > x->mises) {
                x->mises = value[0];
                x->t = t;
            }
            x->is_seen = true;
        }
    }
}

static void write_row(FILE *out, const flex_paint *p, const char *what, double label, const extreme *x)
{
    fprintf(out, "%s,%s,%.0f,%.17g,%.17g", p->name, what, label, x->mises, x->t);
    for (int i = 0; i < 6; i++) {
        fprintf(out, ",%.17g,%.17g", x->least[i], x->most[i]);
    }
    fputc('\n', out);
}

// Beams first, a row each with the worse of its two ends, then the nodes of other elements, of shells with the worse
// side.
static void write_body(FILE *out, const flex_paint *p, const extreme *at)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(p->flex);
    int n_section = flex_paint_sections(p);
    for (int k = 0, element = -1; k < n_section; k += 2) {
        do {
            element++;
        } while (!bi_fe_is_beam(mesh->element[element].kind));
        int64_t number = mesh->element[element].number;
        const extreme *x = &at[k];
        write_row(out, p, "element", number ? (double)number : element + 1.0,
                  x[1].mises > x->mises ? x + 1 : x);
    }
    // nodes come in order, with shells once for each side
    int end = n_section;
    while (end < p->mises->n_point && (end == n_section || p->mises->node[end] > p->mises->node[end - 1])) {
        end++;
    }
    for (int k = n_section; k < end; k++) {
        int other = k + end - n_section;
        bool is_worse = other < p->mises->n_point && at[other].mises > at[k].mises;
        write_row(out, p, "node", p->mises->label[k], &at[is_worse ? other : k]);
    }
}

bi_status bi_envelope_write(const bi_envelope *e, const char *path, bi_report *report)
{
    if (!e || !path) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "needs an envelope and a file");
        return BI_BAD_ARGUMENT;
    }
    bi_outfile *output = bi_outfile_open(path, report);
    if (!output) {
        return BI_BAD_FILE;
    }
    FILE *out = bi_outfile_file(output);
    fputs("body,place,number,mises,t", out);
    static const char *const name[6] = { "N", "Vy", "Vz", "Mt", "My", "Mz" };
    for (int i = 0; i < 6; i++) {
        fprintf(out, ",%s_min,%s_max", name[i], name[i]);
    }
    fputc('\n', out);
    for (int b = 0; b < e->n_body; b++) {
        const flex_paint *p = &e->body[b];
        write_body(out, p, e->at[b]);
    }
    return bi_outfile_commit(output, report);
}

void bi_envelope_destroy(bi_envelope *e)
{
    if (e) {
        for (int k = 0; e->at && k < e->n_body; k++) {
            free(e->at[k]);
        }
        free(e->at);
        flex_paint_free(e->body, e->n_body);
        free(e);
    }
}
