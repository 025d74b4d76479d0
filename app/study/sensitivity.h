// SPDX-License-Identifier: MIT
/* sensitivity.h - how the critical values of a sweep change with every other parameter of the model. */
#pragma once
#include "measure/mode_sweep.h"

typedef struct {
    char *name, *unit;  /* of the parameter; unit may be "" */
    double value;       /* in its unit */
    bool is_derived;    /* an expression of others gives it; here it alone is varied */
    double *derivative; /* (n_critical) of the critical value per unit of the parameter */
} sensitivity_row;

typedef struct {
    sensitivity_row
        *row; /* (n_row) those that have an effect, the strongest first; the strength is relative */
    int n_row;
    char **idle; /* (n_idle) without effect */
    int n_idle;
    char **skipped; /* (n_skipped) zero, or the motion is not steady or not there with another value */
    int n_skipped;
    double *x; /* (n_critical) the critical values, improved */
} sensitivity;

/* Of all critical values of a sweep that was run. only: names with commas between them; NULL: all. Messages are printed. */
exit_code sensitivity_run(const sweep *, const session_request *, const char *only, sensitivity *);
void sensitivity_clear(sensitivity *);

void sensitivity_print(const sweep *, const sensitivity *);
void sensitivity_json(json *, const sweep *, const sensitivity *);
