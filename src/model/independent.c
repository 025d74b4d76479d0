// SPDX-License-Identifier: MIT
// The coordinates that linearised equations are written in.
#include "base/list.h"
#include "base/text.h"
#include "model/model.h"
#include <stdio.h>
#include <string.h>

void bi_model_independent(bi_model *m, const char *coordinate)
{
    if (!MODEL_ROOM(m, coordinate, independent)) {
        return;
    }
    m->independent[m->n_independent++] = (model_independent){ text_copy(coordinate), m->place };
}

double model_independent_sign(const bi_model *m, int k)
{
    return m->independent[k].name[0] == '-' ? -1.0 : 1.0;
}

static const char *unsigned_name(const bi_model *m, int k)
{
    const char *name = m->independent[k].name;
    return name[0] == '-' ? name + 1 : name;
}

model_name model_independent_at(const bi_model *m, int k)
{
    const char *name = unsigned_name(m, k);
    model_name found = model_resolve(m, name);
    if (found.kind == MODEL_NAME_VALUE) {
        return found;
    }
    // the name of a joint stands for its only coordinate
    int j = bi_model_joint(m, name).i - 1;
    if (j >= 0 && model_coordinate_count(m->joint[j].def.kind) == 1) {
        return (model_name){ MODEL_NAME_VALUE, j, 0 };
    }
    return (model_name){ 0 };
}

// "pivot.angle, slide.position": what could have been meant.
static void list_coordinates(const bi_model *m, int joint, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        for (int c = 0; (joint < 0 || joint == j) && c < model_coordinate_count(d->kind); c++) {
            int wrote = snprintf(text + used, size - used, "%s%s.%s", used ? ", " : "", d->name,
                                 model_coordinate_name(d->kind, c));
            if (wrote < 0 || used + (size_t)wrote >= size) {
                snprintf(text + used, size - used, "%s", used + 6 < size ? ", ..." : "");
                return;
            }
            used += (size_t)wrote;
        }
    }
}

void model_independent_check(const bi_model *m, bi_report *report)
{
    char known[300];
    for (int k = 0; k < m->n_independent; k++) {
        const model_independent *at = &m->independent[k];
        model_name found = model_independent_at(m, k);
        if (found.kind == MODEL_NAME_NONE) {
            list_coordinates(m, bi_model_joint(m, unsigned_name(m, k)).i - 1, known, sizeof known);
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, at->place, "independent",
                          "'%s' is no joint coordinate; there are %s", at->name, known[0] ? known : "none");
        }
        for (int j = 0; j < k && found.kind != MODEL_NAME_NONE; j++) {
            model_name other = model_independent_at(m, j);
            if (other.kind != MODEL_NAME_NONE && other.index == found.index &&
                other.coordinate == found.coordinate) {
                bi_report_add(report, BI_ERROR, BI_BAD_MODEL, at->place, "independent",
                              "'%s' is named twice: once is enough", at->name);
                break;
            }
        }
    }
}
