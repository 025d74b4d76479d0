// SPDX-License-Identifier: MIT
/* compare - the mechanism of a model by modes and by nonlinear finite elements, both against a fine solution of the
 * latter: errors, and the CPU that equal errors cost. */
#include "cli/numbers.h"
#include "cli/words.h"
#include "measure/fe_compare.h"
#include <biela/names.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- telling ------------------------------------------------------------------------------------------------------------

static int elements_of(const bi_yardstick_facts *f) { return f->beams + f->quads; }

static void print_line(const char *what, int variables, int elements, double step, double cpu,
                       const fe_errors *e)
{
    char count[16] = "-";
    if (elements > 0) {
        snprintf(count, sizeof count, "%d", elements);
    }
    printf("%-16s %9d %9s %10.3g %10.3g %12.3g %8.3f %12.3g %8.3f\n", what, variables, count, step, cpu,
           e->displacement, 100.0 * e->displacement_share, e->stress, 100.0 * e->stress_share);
}

static void print_table(const fe_comparison *p)
{
    const session *s = p->c.s;
    const fe_result *fine = &p->fine, *best = &p->best;
    printf("%s: modes against nonlinear finite elements, %g s, %d instants\n", s->short_name,
           p->c.n_row * p->c.interval, p->c.n_row + 1);
    printf("reference: %d elements, %d freedoms, steps of %.3g s, CPU %.3g s; steps twice as long change it "
           "by %.3g %% and "
           "%.3g %%\n",
           elements_of(&fine->facts), fine->facts.freedoms, p->c.interval / fine->mesh.steps, fine->cpu,
           100.0 * p->halved.displacement_share, 100.0 * p->halved.stress_share);
    printf("goal of both: %.3g %% of the displacement, %.3g %% of the stress\n",
           100.0 * p->goal.displacement_share, 100.0 * p->goal.stress_share);
    printf(
        "errors: displacement in m and %% of its range, stress in its unit and %% of its largest value\n\n");
    printf("%-16s %9s %9s %10s %10s %12s %8s %12s %8s\n", "", "variables", "elements", "step s", "CPU s",
           "displacement", "%", "stress", "%");
    if (!p->is_reached) {
        printf("the modes do not reach the goal; their line is the run of the model\n");
    }
    print_line("modes", bi_variable_count(s->system), 0, p->modes_dt, p->modes_cpu, &p->modes);
    if (best->is_found) {
        print_line("finite elements", best->facts.freedoms, elements_of(&best->facts),
                   p->c.interval / best->mesh.steps, best->cpu, &best->errors);
        printf("\nCPU at equal error: %.3g times that of the modes\n", best->cpu / p->modes_cpu);
    } else {
        printf("\nno mesh and step up to those of the reference reach the errors of the modes; give a finer "
               "--fine-elements or "
               "--fine-step\n");
    }
    printf("worst: %s, %s\nscheme of the modes: %s\n", p->modes.worst_displacement, p->modes.worst_stress,
           bi_scheme_name(fe_scheme_of(p)));
}

static void json_errors(json *j, const fe_errors *e)
{
    json_number(j, "displacement", e->displacement);
    json_number(j, "displacement_share", e->displacement_share);
    json_number(j, "stress", e->stress);
    json_number(j, "stress_share", e->stress_share);
    json_text(j, "worst_displacement", e->worst_displacement);
    json_text(j, "worst_stress", e->worst_stress);
}

static void json_result(json *j, const char *key, const fe_comparison *p, const fe_result *r,
                        const fe_errors *e)
{
    json_object(j, key);
    json_integer(j, "elements", elements_of(&r->facts));
    json_integer(j, "freedoms", r->facts.freedoms);
    json_integer(j, "steps", r->facts.steps);
    json_integer(j, "iterations", r->facts.iterations);
    json_integer(j, "factors", r->facts.factors);
    json_number(j, "dt", p->c.interval / r->mesh.steps);
    json_number(j, "cpu", r->cpu);
    json_errors(j, e);
    json_end(j);
}

static void print_json(const fe_comparison *p)
{
    const session *s = p->c.s;
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", true);
    json_integer(&j, "exit_code", CLI_OK);
    json_text(&j, "model", s->short_name);
    json_number(&j, "time", p->c.n_row * p->c.interval);
    json_integer(&j, "instants", p->c.n_row + 1);
    json_object(&j, "modes");
    json_integer(&j, "variables", bi_variable_count(s->system));
    json_text(&j, "scheme", bi_scheme_name(fe_scheme_of(p)));
    json_number(&j, "dt", p->modes_dt);
    json_number(&j, "cpu", p->modes_cpu);
    json_true_or_false(&j, "reaches_goal", p->is_reached);
    json_errors(&j, &p->modes);
    json_end(&j);
    json_number(&j, "goal_displacement_share", p->goal.displacement_share);
    json_number(&j, "goal_stress_share", p->goal.stress_share);
    json_result(&j, "reference", p, &p->fine, &p->halved);
    if (p->best.is_found) {
        json_result(&j, "finite_elements", p, &p->best, &p->best.errors);
        json_number(&j, "ratio", p->best.cpu / p->modes_cpu);
    }
    json_end(&j);
}

// ---- the command --------------------------------------------------------------------------------------------------------

// A number of the command line in its range; false: reported.
static bool number_of(const arguments *args, const char *option, number_range range, double *value)
{
    char *what = words_format("a %snumber from %g to %g", range.kind == NUMBER_WHOLE ? "whole " : "",
                              range.least, range.most);
    range.what = what;
    bool is_good = option_number(args, option, range, value);
    free(what);
    return is_good;
}

static bool whole_of(const arguments *args, const char *option, double most, double *value)
{
    return number_of(args, option, (number_range){ 1.0, most, NUMBER_WHOLE, NULL }, value);
}

static bool part_of(const arguments *args, const char *option, double least, double *value)
{
    return number_of(args, option, (number_range){ least, 1.0, NUMBER_OF_ANY_KIND, NULL }, value);
}

static bool take_options(const arguments *args, const session *s, fe_comparison *p)
{
    *p = fe_comparison_of(s);
    double elements = 0.0, fine = p->fine_elements, divide = p->divide, samples = p->samples, rho = 0.8;
    number_range step = { 1e-9, 1e3, NUMBER_OF_ANY_KIND, NULL };
    bool is_good = whole_of(args, "--elements", 1000.0, &elements);
    is_good = whole_of(args, "--fine-elements", 1000.0, &fine) && is_good;
    is_good = number_of(args, "--fine-step", step, &p->fine_step) && is_good;
    is_good = whole_of(args, "--divide", 16.0, &divide) && is_good;
    is_good = whole_of(args, "--samples", 1e6, &samples) && is_good;
    is_good = part_of(args, "--fe-rho", 0.0, &rho) && is_good;
    is_good = part_of(args, "--least-displacement", 0.0, &p->least_displacement) && is_good;
    is_good = part_of(args, "--least-stress", 0.0, &p->least_stress) && is_good;
    is_good = part_of(args, "--goal-displacement", 1e-9, &p->goal_displacement) && is_good;
    is_good = part_of(args, "--goal-stress", 1e-9, &p->goal_stress) && is_good;
    p->elements = (int)elements;
    p->fine_elements = (int)fine;
    p->divide = (int)divide;
    p->samples = (int)samples;
    p->keeps_dt = arguments_value(args, "--dt") != NULL;
    p->keeps_scheme = arguments_value(args, "--scheme") != NULL;
    p->damping = rho >= 1.0 ? -1.0 : 1.0 - rho;
    return is_good;
}

// A step of the reference is a part of the time between two instants, and not the smallest.
static bool check_fine_step(const arguments *args, const fe_comparison *p)
{
    static const double most_parts = 1e6;
    double parts = p->c.interval / p->fine_step;
    if (arguments_has(args, "--fine-step") && !(parts >= 1.0 && parts <= most_parts)) {
        fprintf(stderr,
                "biela compare: error: --fine-step: between two instants are %g s; give from %g to %g\n",
                p->c.interval, p->c.interval / most_parts, p->c.interval);
        return false;
    }
    return true;
}

static void print_refusal(exit_code code, const bi_report *report)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", false);
    json_integer(&j, "exit_code", code);
    session_json_messages(&j, report);
    json_end(&j);
}

static exit_code run_compare(const arguments *args)
{
    session s = { 0 };
    session_request request;
    fe_comparison p = { 0 };
    exit_code code = CLI_BAD;
    if (session_request_make(args, &request)) {
        code = session_open(&s, &request);
        session_print_messages(&s);
        if (code == CLI_OK) {
            bool is_good = take_options(args, &s, &p) &&
                           fe_case_make(&s, arguments_value(args, "--displacement"),
                                        arguments_value(args, "--stress"), p.samples, &p.c) &&
                           check_fine_step(args, &p);
            code = is_good ? fe_comparison_run(&p) : CLI_BAD;
        }
        if (code == CLI_OK && arguments_has(args, "--json")) {
            print_json(&p);
        } else if (code == CLI_OK) {
            print_table(&p);
        } else if (arguments_has(args, "--json")) {
            print_refusal(code, &s.report);
        }
    }
    fe_case_clear(&p.c);
    session_close(&s);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--time", "T", "length of the run, s" },
    { "--dt", "H", "step of the modal run, s; else the longest that reaches the goal" },
    { "--scheme", "S", "of the modal run, as in biela run; else the cheapest that reaches the goal" },
    { "--formulation", "F", "of the modal run: natural or joint" },
    { "--rho", "R", "of the modal run, as in biela run" },
    { "--displacement", "A,B",
      "channels whose error counts as displacement; else all in m that both sides tell" },
    { "--stress", "C,D",
      "channels whose error counts as stress; else all in Pa, or N*m where there are none" },
    { "--samples", "N", "instants that are compared, at most about; as many as the run writes, up to 1000" },
    { "--goal-displacement", "E", "error that both must reach, share of the range" },
    { "--goal-stress", "E", "the same of the stress, share of the largest" },
    { "--fine-elements", "N", "elements along each bar in the reference; 12" },
    { "--fine-step", "H", "step of the reference, s; a quarter of the modal run's" },
    { "--divide", "N", "each quad of a plate into N x N; 1: the mesh of the model" },
    { "--least-displacement", "E", "no smaller error is asked for, share of the range; 0.001" },
    { "--least-stress", "E", "no smaller error is asked for, share of the largest; 0.01" },
    { "--elements", "N", "only this mesh, not the coarsest that is good enough" },
    { "--fe-rho", "R", "rho_inf of the finite elements' scheme; 0.8" },
    { "--json", NULL, "the table as one JSON object on stdout" },
};

const command command_compare = {
    .name = "compare",
    .words = "MODEL",
    .summary = "flexible bodies by modes against nonlinear finite elements",
    .details =
        "Runs the mechanism with its modes and with geometrically exact beams or total-Lagrangian plates in\n"
        "absolute coordinates, both against a fine solution of the latter. Both reach the same goal: "
        "--goal-displacement\n"
        "and --goal-stress, or the error of the modes at the step of the model and half of it more, but no "
        "less than\n"
        "0.1 % of the displacement and 1 % of the stress. The modes get the cheapest scheme and step, the "
        "finite\n"
        "elements the cheapest mesh and step that reach it. The CPU of both is the least of several runs. "
        "What has no\n"
        "counterpart in the finite elements is told by name.",
    .example = "  biela compare flex-bar --time 0.5\n  biela compare flex-spin-up --json",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_compare,
};
