// SPDX-License-Identifier: MIT
#include "analysis/counters.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Second rates of the freedoms, then rates of the states that are not left out.
static void keep_result(const reduction *r, double *out)
{
    memcpy(out, r->y, (size_t)r->n_freedom * sizeof *out);
    for (int i = 0; i < r->n_z; i++) {
        out[r->n_freedom + i] = r->at.dz[r->state[i]];
    }
}

static bool evaluate(reduction *r, int state, double change)
{
    reduction_reset(r);
    r->at.z[state] += change;
    return reduction_close(r) && reduction_accelerate(r);
}

// A little and a lot: a dead zone shall not hide what a state does.
static const double parts[] = { 1e-4, -1e-4, 0.02, -0.02, 0.3, -0.3 };
enum { N_PART = sizeof parts / sizeof *parts };

// Whether anything else changes with it, to the last bit. `before` is the result without the change.
static bool takes_part(reduction *r, int state, const double *before)
{
    double size = fabs(r->z0[state]), unit = size > 1e-9 ? size : 1.0;
    for (int k = 0; k < N_PART; k++) {
        if (!evaluate(r, state, parts[k] * unit) ||
            memcmp(before, r->y, (size_t)r->n_freedom * sizeof *before) != 0) {
            return true;
        }
        for (int i = 0; i < r->n_z; i++) {
            if (!(before[r->n_freedom + i] == r->at.dz[r->state[i]])) {
                return true;
            }
        }
    }
    return false;
}

// One that nothing else reads, though it may be its own rate (a filter that nobody listens to), stays: it has a mode.
bi_status counters_leave_out(reduction *r)
{
    double *before = malloc(((size_t)r->n_freedom + (size_t)r->n_z + 1) * sizeof *before);
    bi_status status = before ? BI_OK : BI_NO_MEMORY;
    // what only another counter reads is one, too
    for (bool found = true; found && before && r->n_z > 0;) {
        found = false;
        for (int k = r->n_z - 1; k >= 0; k--) {
            int state = r->state[k];
            bool is_known = evaluate(r, state, 0.0); // if not, the search for the steady motion says why
            keep_result(r, before);
            if (is_known && !takes_part(r, state, before)) {
                memmove(&r->state[k], &r->state[k + 1], (size_t)(r->n_z - 1 - k) * sizeof *r->state);
                r->state[--r->n_z] = state;
                r->n_counter++;
                found = true;
            }
        }
    }
    reduction_reset(r);
    free(before);
    return status;
}

static bi_status refuse(const reduction *r, int state, bi_report *report)
{
    char name[200];
    reduction_state_name(r, state, name, sizeof name);
    bi_report_add(report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "modes",
                  "the motion is not steady: %s changes by %.4g per second; nothing depends on it in the "
                  "motion described, "
                  "but the steady motion found nearby does. Begin nearer to the steady motion",
                  name, r->at.dz[state]);
    return BI_NOT_STEADY;
}

static void tell(const reduction *r, bi_report *report)
{
    enum { SHOWN = 6 };
    char *list = NULL;
    for (int k = 0; k < r->n_counter && k < SHOWN; k++) {
        char name[200];
        reduction_state_name(r, r->state[r->n_z + k], name, sizeof name);
        char *longer = text_format("%s%s%s", list ? list : "", list ? ", " : "", name);
        free(list);
        list = longer;
    }
    if (list) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "modes",
                      "nothing depends on %s%s: outputs without eigenvalues", list,
                      r->n_counter > SHOWN ? ", ..." : "");
    }
    free(list);
}

bi_status counters_require(reduction *r, bi_report *report)
{
    double *before = malloc(((size_t)r->n_freedom + (size_t)r->n_z + 1) * sizeof *before);
    bi_status status = before ? BI_OK : BI_NO_MEMORY;
    for (int k = 0; k < r->n_counter && status == BI_OK; k++) {
        int state = r->state[r->n_z + k];
        if (!evaluate(r, state, 0.0)) {
            status = BI_SINGULAR;
            break;
        }
        keep_result(r, before);
        if (takes_part(r, state, before)) {
            status = refuse(r, state, report);
        }
    }
    free(before);
    if (status == BI_OK) {
        tell(r, report);
    }
    return status;
}
