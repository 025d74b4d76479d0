// SPDX-License-Identifier: MIT
// Matrices that users write and that nothing forbids to be odd: a bearing whose stiffness pushes away from rest or
// whose damping gives power is possible, and nearly always a mistake of sign.
#include "sim/system.h"
#include "sparse/dense_eigen.h"
#include <stdio.h>
#include <string.h>

enum { SIX = 6 };

// 6 numbers: diagonal; 21: upper triangle by rows; 36: all.
static void fill(const bi_numbers *n, double M[SIX * SIX])
{
    memset(M, 0, SIX * SIX * sizeof *M);
    for (int i = 0, at = 0; i < SIX; i++) {
        for (int j = 0; j < SIX; j++) {
            bool is_given = n->count == 36 || (n->count == 21 && j >= i) || (n->count == 6 && i == j);
            if (is_given) {
                M[i * SIX + j] = n->value[at++];
                M[j * SIX + i] = n->count == 21 ? M[i * SIX + j] : M[j * SIX + i];
            }
        }
    }
}

// The axes that take part in a direction, with their share.
static void name_direction(const double *direction, char *text, size_t size)
{
    static const char *const axis[SIX] = { "x", "y", "z", "turn x", "turn y", "turn z" };
    text[0] = '\0';
    for (int i = 0; i < SIX; i++) {
        size_t used = strlen(text);
        if (direction[i] > 1e-3 || direction[i] < -1e-3) {
            snprintf(text + used, size - used, "%s%.3g %s", used ? ", " : "", direction[i], axis[i]);
        }
    }
}

static void check(const model_element *e, const bi_numbers *numbers, const char *key, const char *why,
                  bi_report *report)
{
    double M[SIX * SIX], direction[SIX], largest;
    fill(numbers, M);
    double least = dense_least(SIX, M, direction, &largest);
    if (!(least < -1e-9 * largest)) {
        return;
    }
    char where[256], along[160];
    name_direction(direction, along, sizeof along);
    snprintf(where, sizeof where, "forces.%s.%s", e->name, key);
    bi_report_add(report, BI_WARNING, BI_BAD_MODEL, e->place, where,
                  "has the eigenvalue %g in the direction %s: %s; is that meant?", least, along, why);
}

void matrices_check(const bi_model *m, bi_report *report)
{
    for (int k = 0; k < m->n_element; k++) {
        const model_element *e = &m->element[k];
        if (strcmp(e->kind->section, "forces") == 0 && strcmp(e->kind->type, "bushing") == 0) {
            const bi_bushing_def *d = e->def;
            check(e, &d->stiffness, "stiffness", "it pushes away from rest there", report);
            check(e, &d->damping, "damping", "it gives power there instead of taking it", report);
        }
    }
}
