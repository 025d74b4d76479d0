// SPDX-License-Identifier: MIT
// The schemes by value and by name.
#include "integrate/schemes.h"
#include <string.h>

static const scheme *const scheme_table[] = {
#define SCHEME_ENTRY(value, its_name) [value] = &its_name##_scheme,
    BI_SCHEME_LIST(SCHEME_ENTRY)
#undef SCHEME_ENTRY
};
enum { N_SCHEME = sizeof scheme_table / sizeof *scheme_table };

const scheme *scheme_of(bi_scheme value) { return scheme_table[value]; }

bool scheme_exists(bi_scheme value) { return (unsigned)value < N_SCHEME; }

int bi_scheme_count(void) { return N_SCHEME; }

const char *bi_scheme_name(bi_scheme value) { return scheme_exists(value) ? scheme_of(value)->name : NULL; }

const char *bi_scheme_also(bi_scheme value) { return scheme_exists(value) ? scheme_of(value)->also : NULL; }

const char *bi_scheme_help(bi_scheme value) { return scheme_exists(value) ? scheme_of(value)->help : NULL; }

int bi_scheme_order(bi_scheme value) { return scheme_exists(value) ? scheme_of(value)->order : 0; }

bool bi_scheme_is_damped(bi_scheme value) { return scheme_exists(value) && scheme_of(value)->is_damped; }

bool bi_scheme_is_explicit(bi_scheme value) { return scheme_exists(value) && scheme_of(value)->is_explicit; }

bool bi_scheme_chooses_steps(bi_scheme value)
{
    return scheme_exists(value) && scheme_of(value)->is_embedded;
}

int bi_scheme_find(const char *name)
{
    for (int k = 0; name && k < N_SCHEME; k++) {
        const scheme *s = scheme_table[k];
        if (strcmp(s->name, name) == 0 || (s->also && strcmp(s->also, name) == 0)) {
            return k;
        }
    }
    return -1;
}
