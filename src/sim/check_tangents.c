// SPDX-License-Identifier: MIT
// Tangents of a user's callbacks beside differences, at the start and where a program asks.
#include "sim/system.h"
#include <stdio.h>

bi_status sim_check_tangents(bi_sim *sim, bi_report *report)
{
    const stepper *s = &sim->stepper;
    int errors = report->errors;
    dynamics_check_user(s->d, &s->now, &s->trays, report);
    if (report->errors > errors) {
        snprintf(sim->failure, sizeof sim->failure, "a user's law gives a wrong tangent; see the report");
        return BI_BAD_MODEL;
    }
    return BI_OK;
}

bi_status bi_sim_check_tangents(bi_sim *sim, bi_report *report)
{
    bi_report own = { 0 };
    bi_status status = sim_refuse(sim);
    if (status == BI_OK) {
        stepper *s = &sim->stepper;
        sim->have = 0;
        s->trays.is_evaluated = false;
        dynamics_evaluate(s->d, &s->now, &s->trays, LAW_POSITION);
        status = sim_check_tangents(sim, report ? report : &own);
    }
    bi_report_clear(&own);
    return status;
}
