// SPDX-License-Identifier: MIT
// What is wrong with a force or signal beyond its single fields.
#include "model/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *stop_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_stop_def *d = def;
    *key = "upper";
    return d->upper >= d->lower ? NULL : "must not be below 'lower'";
}

static const char *switch_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_switch_def *d = def;
    *key = "off";
    return d->off <= d->on ? NULL : "must not be above 'on'";
}

static const char *pid_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_pid_def *d = def;
    *key = "upper";
    return d->upper > d->lower || (d->upper == 0.0 && d->lower == 0.0) ? NULL : "must be above 'lower'";
}

static const char *filter_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_filter_def *d = def;
    *key = "order";
    return d->order == 0.0 || d->order == 1.0 || d->order == 2.0 ? NULL : "must be 1 or 2";
}

static const char *motor_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_motor_def *d = def;
    *key = "gain";
    return d->control != 2 || d->gain > 0.0 ? NULL : "must be positive for speed control";
}

static const char *spring_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_spring_def *d = def;
    *key = d->table.i > 0 && d->stiffness != 0.0 ? "stiffness" : "damping";
    bool is_double = (d->table.i > 0 && d->stiffness != 0.0) || (d->damping_table.i > 0 && d->damping != 0.0);
    return is_double ? "is given twice, as a number and as a table: choose one" : NULL;
}

static const char *beam_mistake(const bi_model *m, const void *def, const char **key)
{
    (void)m;
    const bi_beam_def *d = def;
    *key = "stiffness";
    bool is_stiff = true;
    for (int k = 0; k < d->stiffness.count && k < 6; k++) {
        is_stiff = is_stiff && d->stiffness.value[k] > 0.0;
    }
    return is_stiff
               ? NULL
               : "must be six positive numbers: without one of them the ends of the beam are free of each "
                 "other, for which a joint is the way";
}

static const char *torsion_mistake(const bi_model *m, const void *def, const char **key)
{
    const bi_torsion_spring_def *d = def;
    const bi_spring_def same = {
        .stiffness = d->stiffness, .damping = d->damping, .table = d->table, .damping_table = d->damping_table
    };
    return spring_mistake(m, &same, key);
}

static const char *user_mistake(const bi_model *m, const void *def, const char **key)
{
    const bi_user_force_def *d = def;
    *key = "";
    if (!d->eval) {
        return "needs a callback";
    }
    if (d->n_point < 0 || d->n_point > BI_USER_POINTS || d->n_joint < 0 || d->n_joint > BI_USER_JOINTS ||
        d->n_point + d->n_joint == 0) {
        return "needs at least one point or joint, and at most six of each";
    }
    for (int k = 0; k < d->n_point; k++) {
        if (d->point[k].body.i < 1 || d->point[k].body.i > m->n_body) {
            return "needs points on bodies of this model";
        }
    }
    for (int k = 0; k < d->n_joint; k++) {
        int joint = d->joint[k].i - 1;
        if (joint < 0 || joint >= m->n_joint || model_coordinate_count(m->joint[joint].def.kind) == 0) {
            return "needs joints of this model that have a coordinate";
        }
    }
    return NULL;
}

typedef struct {
    const char *section, *type;
    const char *(*mistake)(const bi_model *m, const void *def, const char **key);
} rule;
static const rule rules[] = {
    { "forces", "stop", stop_mistake },      { "forces", "motor", motor_mistake },
    { "forces", "spring", spring_mistake },  { "forces", "torsion-spring", torsion_mistake },
    { "signals", "switch", switch_mistake }, { "signals", "pid", pid_mistake },
    { "signals", "filter", filter_mistake }, { "user", "force", user_mistake },
    { "forces", "beam", beam_mistake },
};

const char *model_law_mistake(const bi_model *m, const model_element *e, const char **key)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (strcmp(rules[k].section, e->kind->section) == 0 && strcmp(rules[k].type, e->kind->type) == 0) {
            return rules[k].mistake(m, e->def, key);
        }
    }
    return NULL;
}

// ---- lists ----------------------------------------------------------------------------

const char *model_numbers_mistake(const bi_field *f, const bi_numbers *list)
{
    for (int k = 0; k < list->count && k < BI_MOST_NUMBERS; k++) {
        if (!isfinite(list->value[k])) {
            return "has a number that is not finite";
        }
    }
    if (list->count == 0) {
        return f->rules & BI_REQUIRED ? "needs numbers" : NULL;
    }
    for (const char *c = f->unit; c; c = strchr(c, '|')) {
        c += *c == '|';
        if (atoi(c) == list->count) {
            return NULL;
        }
    }
    return "has the wrong number of numbers";
}
