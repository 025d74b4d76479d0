// SPDX-License-Identifier: MIT
/* Rows F1 to F5 of the bench: flexible bodies by modes against nonlinear finite elements at equal error. */
#include "cli/bench_flex.h"
#include "cli/fe_compare.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    const char *row, *model, *formulation;
    const char *time; // s simulated
    double goal;      // CPU of the finite elements over that of the modes
} flex_case;

static const flex_case cases[] = {
    { "F1", "flex-bar", "natural", "2", 5.0 },
    { "F1", "flex-bar", "joint", "2", 5.0 },
    { "F2", "flex-double-pendulum", "natural", "1", 5.0 },
    { "F2", "flex-double-pendulum", "joint", "1", 5.0 },
    { "F3", "flex-slider-crank", "natural", "0.3", 30.0 },
    { "F3", "flex-slider-crank", "joint", "0.3", 30.0 },
    { "F4", "flex-four-bar", "natural", "1.6", 5.0 },
    { "F4", "flex-four-bar", "joint", "1.6", 5.0 },
    { "F5", "flex-spin-up", "natural", "20", 5.0 },
    { "F5", "flex-spin-up", "joint", "20", 5.0 },
};

static exit_code run_case(const flex_case *f, fe_comparison *p, int *variables)
{
    session_request request = { .model = f->model, .time = f->time, .formulation = f->formulation };
    session s;
    exit_code code = session_open(&s, &request);
    if (code != CLI_OK) {
        session_print_messages(&s);
    } else {
        *p = fe_comparison_of(&s);
        *variables = bi_variable_count(s.system);
        code = fe_case_make(&s, NULL, NULL, p->samples, &p->c) ? fe_comparison_run(p) : CLI_BAD;
    }
    session_close(&s);
    return code;
}

static void print_line(const flex_case *f, const fe_comparison *p, int variables)
{
    double ratio = p->best.is_found ? p->best.cpu / p->modes_cpu : NAN;
    printf("    %-3s %-21s %-8s %5d %9.2e %9.2e %7d %9.2e %9.2e %7.3f %6.2f %8.3g %5.3g\n", f->row, f->model,
           f->formulation, variables, p->modes_dt, p->modes_cpu, p->best.facts.freedoms,
           p->c.interval / fmax(1.0, p->best.mesh.steps), p->best.cpu, 100.0 * p->goal.displacement_share,
           100.0 * p->goal.stress_share, ratio, f->goal);
    fflush(stdout);
}

static void json_line(json *j, const flex_case *f, const fe_comparison *p, int variables)
{
    json_object(j, NULL);
    json_text(j, "row", f->row);
    json_text(j, "model", f->model);
    json_text(j, "formulation", f->formulation);
    json_integer(j, "variables", variables);
    json_number(j, "dt", p->modes_dt);
    json_number(j, "cpu", p->modes_cpu);
    json_integer(j, "fe_freedoms", p->best.facts.freedoms);
    json_number(j, "fe_cpu", p->best.is_found ? p->best.cpu : NAN);
    json_number(j, "displacement_share", p->goal.displacement_share);
    json_number(j, "stress_share", p->goal.stress_share);
    json_number(j, "ratio", p->best.is_found ? p->best.cpu / p->modes_cpu : NAN);
    json_number(j, "goal", f->goal);
    json_end(j);
}

exit_code bench_flex(json *j)
{
    exit_code code = CLI_OK;
    if (!j) {
        printf("F   flexible bodies: modes against nonlinear finite elements, CPU s at equal error, best of "
               "several\n\n");
        printf("    %-3s %-21s %-8s %5s %9s %9s %7s %9s %9s %7s %6s %8s %5s\n", "", "model", "set", "var.",
               "dt s", "CPU", "FE var.", "FE dt s", "FE CPU", "displ.%", "str.%", "ratio", "goal");
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fe_comparison p = { 0 };
        int variables = 0;
        exit_code own = run_case(&cases[k], &p, &variables);
        if (own != CLI_OK) {
            code = own;
        } else if (j) {
            json_line(j, &cases[k], &p, variables);
        } else {
            print_line(&cases[k], &p, variables);
        }
        fe_case_clear(&p.c);
    }
    return code;
}
