// SPDX-License-Identifier: MIT
// Tangents that callbacks of a user give, beside differences of their efforts.
#include "laws/force/user_force.h"
#include "model/model.h"
#include <math.h>

void user_tangent_compare(const plan *p, const user_tangent *t, bi_report *report)
{
    // differences to one side are good to 1e-5 of the largest number where a law is smooth: what is off by 1e-4 is
    // another formula
    static const double agreement = 1e-4;
    double most = 0.0;
    for (int i = 0; i < t->n * t->n; i++) {
        most = fmax(most, fmax(fabs(t->given[i]), fmax(fabs(t->ahead[i]), fabs(t->behind[i]))));
    }
    for (int i = 0; i < t->n * t->n; i++) {
        double low = fmin(t->ahead[i], t->behind[i]) - agreement * most,
               high = fmax(t->ahead[i], t->behind[i]) + agreement * most;
        if (!(t->given[i] >= low && t->given[i] <= high)) {
            const model_element *e = &p->model->element[t->element];
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, e->place, e->name,
                          "the callback gives %s[%d][%d] = %g, and differences of its efforts give %g: "
                          "correct it, or %s",
                          t->name, i / t->n, i % t->n, t->given[i], 0.5 * (t->ahead[i] + t->behind[i]),
                          t->hint);
            return;
        }
    }
}
