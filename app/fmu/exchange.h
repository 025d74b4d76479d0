// SPDX-License-Identifier: MIT
/* exchange.h - model exchange: the simulator integrates, the FMU tells rates and outputs of whatever state it is given. */
#pragma once
#include "fmu/instance.h"

/* The numbers of the state as it starts; false: no memory. */
bool exchange_begin(instance *);
void exchange_end(instance *);
/* What was set since is where the sim stands. */
fmi_status exchange_settle(instance *);
fmi_status exchange_set_time(instance *, double t);
size_t exchange_count(const instance *);
fmi_status exchange_set(instance *, const double *x, size_t n);
fmi_status exchange_get(instance *, double *x, size_t n);
fmi_status exchange_rates(instance *, double *dx, size_t n);
/* Of the unknowns (channels, derivatives) along the change of the knowns (inputs, states): central differences. */
fmi_status exchange_derivative(instance *, const fmi_reference *unknown, size_t n_unknown,
                               const fmi_reference *known, size_t n_known, const double *along, double *out);
