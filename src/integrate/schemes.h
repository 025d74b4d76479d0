// SPDX-License-Identifier: MIT
// What others need to know of a scheme: its names, its step function, its order, its limits.
// A new scheme is a file with its step function and its `scheme`, and a line of BI_SCHEME_LIST in <biela/sim.h>. A line
// without the file does not link, a file without the line does not compile (docs/guide/add-a-scheme.md).
#pragma once
#include "integrate/rule.h"
#include <biela/names.h>

// Advance `now` by h; all or nothing is the caller's business.
typedef bi_status (*scheme_step)(stepper *s, double h);

typedef struct {
    bi_scheme value;         // its line in BI_SCHEME_LIST
    const char *name, *also; // also: a second name; NULL: none
    scheme_step step;
    int order;
    bool is_explicit;
    bool has_estimate;  // its local error can be told: by itself, or by the rule of Hermite (up to order 4)
    bool is_embedded;   // each step leaves an estimate, so that it chooses its steps unless a length is given
    bool is_damped;     // options.damping counts
    bool needs_damping; // nothing else holds its rates on the constraints (phase.7)
    bool settles;       // contacts inside the step, however few there are (contact.23)
    bool corrects_phase; // of the vibrations of flexible bodies (phase.1)
    // explicit: what h times decay and h times frequency may be at most; without a limit on the imaginary axis, growth
    // of 1 % in a step
    double real, imaginary;
    const char *help;
} scheme;

#define SCHEME_DECLARED(value, its_name) extern const scheme its_name##_scheme;
BI_SCHEME_LIST(SCHEME_DECLARED)
#undef SCHEME_DECLARED

bi_status ali3p_step(stepper *s, double h); // also where another scheme meets a singular position

void ali3p_project(stepper *s, const rule *f); // what follows when the positions of a step are found

const scheme *scheme_of(bi_scheme value);
bool scheme_exists(bi_scheme value); // an enum may have any number in it
