// SPDX-License-Identifier: MIT
#include "fmu/exchange.h"
#include "fmu/variables.h"
#include <biela/ode.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t exchange_count(const instance *it) { return it->is_exchange ? (size_t)bi_state_count(it->system) : 0; }

void exchange_end(instance *it)
{
    free(it->x);
    it->x = NULL;
}

bool exchange_begin(instance *it)
{
    size_t n = exchange_count(it);
    exchange_end(it);
    it->x = calloc(2 * n + 1, sizeof *it->x);
    it->is_moved = false;
    return it->x && bi_sim_state(it->sim, it->x) == BI_OK;
}

fmi_status exchange_settle(instance *it)
{
    if (!it->is_exchange || !it->is_moved || !it->x) {
        return FMI_OK;
    }
    bi_status status = bi_sim_put(it->sim, it->t, it->x);
    it->is_moved = status != BI_OK;
    if (status != BI_OK) {
        instance_say(it, FMI_ERROR, "at t = %.9g s: %s. %s", it->t, bi_status_text(status),
                     bi_sim_failure(it->sim));
    }
    return status == BI_OK ? FMI_OK : FMI_ERROR;
}

static fmi_status refuse_count(const instance *it, size_t n)
{
    if (n == exchange_count(it) && (it->x || n == 0)) {
        return FMI_OK;
    }
    instance_say(it, FMI_ERROR, "%zu states asked for, there are %zu from the initialization on", n,
                 exchange_count(it));
    return FMI_ERROR;
}

fmi_status exchange_set_time(instance *it, double t)
{
    if (!it->is_exchange || !isfinite(t)) {
        instance_say(it, FMI_ERROR, "the time cannot be set to %g s", t);
        return FMI_ERROR;
    }
    it->is_moved = it->is_moved || it->t != t;
    it->t = t;
    return FMI_OK;
}

fmi_status exchange_set(instance *it, const double *x, size_t n)
{
    fmi_status status = refuse_count(it, n);
    for (size_t k = 0; status == FMI_OK && k < n; k++) {
        if (!isfinite(x[k])) {
            // an integrator that tries too long a step: it may take a shorter one
            instance_say(it, FMI_DISCARD, "state %zu is no number", k + 1);
            return FMI_DISCARD;
        }
    }
    if (status == FMI_OK && n > 0) {
        memcpy(it->x, x, n * sizeof *x);
        it->is_moved = true;
    }
    return status;
}

fmi_status exchange_get(instance *it, double *x, size_t n)
{
    fmi_status status = refuse_count(it, n);
    if (status == FMI_OK && n > 0) {
        memcpy(x, it->x, n * sizeof *x);
    }
    return status;
}

fmi_status exchange_rates(instance *it, double *dx, size_t n)
{
    fmi_status status = refuse_count(it, n);
    status = status == FMI_OK ? exchange_settle(it) : status;
    if (status != FMI_OK || n == 0) {
        return status;
    }
    bi_status told = bi_sim_rates(it->sim, dx);
    if (told != BI_OK) {
        instance_say(it, FMI_DISCARD, "no derivatives at t = %.9g s: %s. %s", it->t, bi_status_text(told),
                     bi_sim_lost(it->sim));
    }
    return told == BI_OK ? FMI_OK : FMI_DISCARD;
}

// ---- directional derivatives --------------------------------------------------------------------------------------------

// The number behind a reference that may change; NULL: it is no state and no input.
static double *number_of(instance *it, fmi_reference reference)
{
    size_t k = (size_t)variable_place(reference);
    if (variable_kind_of(reference) == VARIABLE_STATE && k < exchange_count(it)) {
        return &it->x[k];
    }
    return variable_kind_of(reference) == VARIABLE_INPUT && k < (size_t)bi_input_count(it->system)
               ? &it->input[k]
               : NULL;
}

static fmi_status sample(instance *it, const fmi_reference *unknown, size_t n_unknown,
                         const fmi_reference *known, size_t n_known, const double *along, double step,
                         double *out)
{
    fmi_status status = FMI_OK;
    for (size_t k = 0; k < n_known; k++) {
        *number_of(it, known[k]) += step * along[k];
    }
    instance_apply_inputs(it);
    it->is_moved = true;
    for (size_t k = 0; status == FMI_OK && k < n_unknown; k++) {
        status = instance_get(it, unknown[k], &out[k]);
    }
    return status;
}

fmi_status exchange_derivative(instance *it, const fmi_reference *unknown, size_t n_unknown,
                               const fmi_reference *known, size_t n_known, const double *along, double *out)
{
    // roundings of 1e-16 over the step against its square: both near 1e-10
    static const double usual = 1e-5;
    double size = 0.0, about = 1.0, *kept = calloc(n_known + 2 * n_unknown + 1, sizeof *kept),
           *high = kept ? kept + n_known : NULL, *low = kept ? high + n_unknown : NULL;
    bool is_good = kept && it->is_exchange && it->x;
    for (size_t k = 0; is_good && k < n_known; k++) {
        const double *number = number_of(it, known[k]);
        is_good = number && isfinite(along[k]);
        kept[k] = is_good ? *number : 0.0;
        size = fmax(size, is_good ? fabs(along[k]) : 0.0);
        about = fmax(about, along[k] != 0.0 ? fabs(kept[k]) : 0.0);
    }
    if (!is_good) {
        free(kept);
        instance_say(
            it, FMI_ERROR,
            "derivatives are known along states and inputs, of model exchange after its initialization");
        return FMI_ERROR;
    }
    double step = size > 0.0 ? usual * about / size : 0.0;
    fmi_status status = FMI_OK;
    for (int side = 0; size > 0.0 && side < 2 && status == FMI_OK; side++) {
        status = sample(it, unknown, n_unknown, known, n_known, along, side == 0 ? step : -step,
                        side == 0 ? high : low);
        for (size_t k = 0; k < n_known; k++) {
            *number_of(it, known[k]) = kept[k];
        }
    }
    instance_apply_inputs(it);
    it->is_moved = true;
    for (size_t k = 0; status == FMI_OK && k < n_unknown; k++) {
        out[k] = size > 0.0 ? (high[k] - low[k]) / (2.0 * step) : 0.0;
    }
    free(kept);
    return status;
}
