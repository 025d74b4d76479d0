// SPDX-License-Identifier: MIT
// The sets of coordinates by value and by name.
#include "dynamics/dynamics.h"
#include <biela/names.h>
#include <string.h>

static const coordinates_set *const sets[] = {
#define SET_ENTRY(value, its_name) [value] = &its_name##_set,
    BI_COORDINATES_LIST(SET_ENTRY)
#undef SET_ENTRY
};
enum { N_SET = sizeof sets / sizeof *sets };

const coordinates_set *coordinates_of(bi_coordinates value)
{
    return (unsigned)value < N_SET ? sets[value] : NULL;
}

int bi_coordinates_count(void) { return N_SET; }

const char *bi_coordinates_name(bi_coordinates value)
{
    const coordinates_set *set = coordinates_of(value);
    return set ? set->name : NULL;
}

int bi_coordinates_find(const char *name)
{
    for (int k = 0; name && k < N_SET; k++) {
        if (strcmp(sets[k]->name, name) == 0) {
            return k;
        }
    }
    return -1;
}
