// SPDX-License-Identifier: MIT
/* Rows F1 to F5 of the bench: flexible bodies by modes against nonlinear finite elements at equal error. */
#include "measure/bench_flex.h"
#include "cli/words.h"
#include "measure/fe_compare.h"
#include <biela/names.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    const char *row, *model, *formulation;
    const char *time;            // s simulated
    const char *modes;           // normal modes; NULL: those of the model
    double displacement, stress; // errors that both reach, shares: what the document asks of the modes
    int samples;                 // instants; 0: those that the run writes
    double goal;                 // CPU of the finite elements over that of the modes
} flex_case;

// The fewest modes that reach the error, as the finite elements get the coarsest mesh; four bars and the spin-up have
// no number in the document: the errors of their modes, rounded up. Instants: as many as the run writes, or as the
// curves need: the four bars are slow, a period of the bar and of the spin-up has sixteen or more.
#define FLEX_CASES(set)                                                                                      \
    { "F1", "flex-bar", set, "2", "3", 1e-3, 0.02, 200, 5.0 },                                               \
        { "F1", "flex-bar", set, "2", "2", 1e-3, 0.04, 200, 5.0 },                                           \
        { "F2", "flex-double-pendulum", set, "1", "3", 1e-3, 0.01, 0, 5.0 },                                 \
        { "F2", "flex-double-pendulum", set, "1", "2", 1e-3, 0.04, 0, 5.0 },                                 \
        { "F3", "flex-slider-crank", set, "0.3", "4", 1e-3, 0.005, 0, 30.0 },                                \
        { "F3", "flex-slider-crank", set, "0.3", "2", 1e-3, 0.02, 0, 30.0 },                                 \
        { "F4", "flex-four-bar", set, "1.6", NULL, 3e-3, 0.02, 40, 5.0 },                                    \
        { "F5", "flex-spin-up", set, "20", NULL, 1e-3, 0.015, 200, 5.0 },

static const flex_case cases[] = { FLEX_CASES("natural") FLEX_CASES("joint") };

typedef struct {
    int variables;
    const char *scheme;
} line_facts;

static exit_code run_case(const flex_case *f, fe_comparison *p, line_facts *line)
{
    bi_setting setting = { .name = "modes", .value = f->modes };
    session_request request = { .model = f->model, .time = f->time, .formulation = f->formulation };
    if (f->modes) {
        request.setting = &setting;
        request.n_setting = 1;
    }
    session s;
    exit_code code = session_open(&s, &request);
    if (code != CLI_OK) {
        session_print_messages(&s);
    } else {
        *p = fe_comparison_of(&s);
        p->goal_displacement = f->displacement;
        p->goal_stress = f->stress;
        p->samples = f->samples > 0 ? f->samples : p->samples;
        line->variables = bi_variable_count(s.system);
        code = fe_case_make(&s, NULL, NULL, p->samples, &p->c) ? fe_comparison_run(p) : CLI_BAD;
        line->scheme = bi_scheme_name(fe_scheme_of(p));
    }
    session_close(&s);
    return code;
}

// Not a number where one side does not reach the goal.
static double ratio_of(const fe_comparison *p)
{
    return p->best.is_found && p->is_reached ? p->best.cpu / p->modes_cpu : NAN;
}

static void print_line(const flex_case *f, const fe_comparison *p, const line_facts *line)
{
    printf("    %-3s %-21s %-8s %5d %-11s %9.2e %9.2e %6.2f %7d %9.2e %9.2e %6.2f %7.2f %6.2f %8.3g %5.3g\n",
           f->row, f->model, f->formulation, line->variables, line->scheme, p->modes_dt, p->modes_cpu,
           100.0 * p->modes.stress_share, p->best.facts.freedoms,
           p->c.interval / fmax(1.0, p->best.mesh.steps), p->best.cpu, 100.0 * p->best.errors.stress_share,
           100.0 * p->goal.displacement_share, 100.0 * p->goal.stress_share, ratio_of(p), f->goal);
    fflush(stdout);
}

static void json_line(json *j, const flex_case *f, const fe_comparison *p, const line_facts *line)
{
    json_object(j, NULL);
    json_text(j, "row", f->row);
    json_text(j, "model", f->model);
    json_text(j, "formulation", f->formulation);
    json_integer(j, "variables", line->variables);
    json_text(j, "scheme", line->scheme);
    json_number(j, "dt", p->modes_dt);
    json_number(j, "cpu", p->modes_cpu);
    json_integer(j, "fe_freedoms", p->best.facts.freedoms);
    json_number(j, "fe_cpu", p->best.is_found ? p->best.cpu : NAN);
    json_number(j, "displacement_share", p->goal.displacement_share);
    json_number(j, "stress_share", p->goal.stress_share);
    json_number(j, "ratio", ratio_of(p));
    json_number(j, "goal", f->goal);
    json_end(j);
}

exit_code bench_flex(json *j)
{
    exit_code code = CLI_OK;
    if (!j) {
        printf("F   flexible bodies: modes against nonlinear finite elements, CPU s at equal error, best of "
               "several\n\n");
        printf("    %-3s %-21s %-8s %5s %-11s %9s %9s %6s %7s %9s %9s %6s %7s %6s %8s %5s\n", "", "model",
               "set", "var.", "scheme", "dt s", "CPU", "str.%", "FE var.", "FE dt s", "FE CPU", "str.%",
               "displ.%", "goal %", "ratio", "goal");
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fe_comparison p = { 0 };
        line_facts line = { 0 };
        exit_code own = run_case(&cases[k], &p, &line);
        if (own != CLI_OK) {
            code = own;
        } else if (j) {
            json_line(j, &cases[k], &p, &line);
        } else {
            print_line(&cases[k], &p, &line);
        }
        fe_case_clear(&p.c);
    }
    return code;
}
