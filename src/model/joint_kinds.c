// SPDX-License-Identifier: MIT
// The joints by value and by name.
#include "model/joint_kinds.h"
#include "model/model.h"
#include <string.h>

// the first one is no joint: the kind was not set
static const joint_kind joint_table[] = {
#define JOINT_ENTRY(value, its_name, its_place, its_turn, its_help, ...)                                     \
    [value] = {                                                                                              \
        .name = (its_name), .place = (its_place), .turn = (its_turn), .help = (its_help), __VA_ARGS__        \
    },
    JOINT_LIST(JOINT_ENTRY)
#undef JOINT_ENTRY
};
enum { N_JOINT_KIND = sizeof joint_table / sizeof *joint_table - 1 };

bool joint_exists(bi_joint_kind kind)
{
    // no default: a value of the enum without an entry in the list stops the compiler
    switch (kind) {
#define JOINT_CASE(value, ...) case value:
        JOINT_LIST(JOINT_CASE)
#undef JOINT_CASE
        return true;
    }
    return false;
}

const joint_kind *joint_of(bi_joint_kind kind) { return &joint_table[joint_exists(kind) ? kind : 0]; }

int model_coordinate_count(bi_joint_kind kind) { return joint_of(kind)->n_coordinate; }

const char *model_coordinate_name(bi_joint_kind kind, int coordinate)
{
    const joint_kind *k = joint_of(kind);
    return coordinate >= 0 && coordinate < k->n_coordinate ? k->coordinate[coordinate] : "";
}

bool model_is_angle(bi_joint_kind kind, int coordinate)
{
    return strncmp(model_coordinate_name(kind, coordinate), "angle", 5) == 0;
}

model_joint_start model_start_of(const bi_joint_def *d, int coordinate)
{
    if (coordinate == 0) {
        return (model_joint_start){ d->set_value, d->set_rate, d->hold, d->value, d->rate };
    }
    if (coordinate < 0 || coordinate >= model_coordinate_count(d->kind)) {
        return (model_joint_start){ 0 };
    }
    int k = coordinate - 1;
    return (model_joint_start){ d->more[k].set_value, d->more[k].set_rate, false, d->more[k].value,
                                d->more[k].rate };
}

bool model_joint_is_set(const bi_joint_def *d)
{
    bool is_set = d->set_value || d->set_rate || d->hold;
    for (int k = 0; k < JOINT_COORDINATES - 1; k++) {
        is_set = is_set || d->more[k].set_value || d->more[k].set_rate;
    }
    return is_set;
}

// ---- from outside ---------------------------------------------------------------------------------------------------

int bi_joint_kind_count(void) { return N_JOINT_KIND; }

const char *bi_joint_kind_name(bi_joint_kind kind) { return joint_of(kind)->name; }

const char *bi_joint_kind_help(bi_joint_kind kind) { return joint_of(kind)->help; }

unsigned bi_joint_kind_takes(bi_joint_kind kind) { return joint_of(kind)->takes; }

int bi_joint_kind_find(const char *name)
{
    for (int k = 1; name && k <= N_JOINT_KIND; k++) {
        if (strcmp(joint_table[k].name, name) == 0) {
            return k;
        }
    }
    return 0;
}

const char *bi_joint_kind_coordinate(bi_joint_kind kind, int k)
{
    return k >= 0 && k < model_coordinate_count(kind) ? model_coordinate_name(kind, k) : NULL;
}

const char *bi_joint_kind_unit(bi_joint_kind kind, int k)
{
    return !bi_joint_kind_coordinate(kind, k) ? NULL : model_is_angle(kind, k) ? "rad" : "m";
}
