// SPDX-License-Identifier: MIT
/* The search: a fine reference, the errors of the modes against it, the coarsest mesh and step that are as good. */
#include "measure/fe_compare.h"
#include <biela/names.h>
#include <math.h>

enum { REPEATS = 8, MOST_STEPS = 4096 };

fe_comparison fe_comparison_of(const session *s)
{
    return (fe_comparison){ .fine_elements = 12,
                            .divide = 1,
                            .samples = fe_instants(s),
                            .fine_step = 0.25 * s->run.dt,
                            .damping = 0.2,
                            .least_displacement = 1e-3,
                            .least_stress = 1e-2 };
}

// ---- the reference --------------------------------------------------------------------------------------------------

static bool run_reference(fe_comparison *p, fe_curves *reference)
{
    int steps = (int)ceil(p->c.interval / p->fine_step - 1e-9);
    steps = 2 * fe_round_steps(steps < 2 ? 1 : (steps + 1) / 2);
    p->fine.mesh =
        (fe_mesh){ .elements = p->fine_elements, .divide = p->divide, .steps = steps, .damping = p->damping };
    *reference = fe_run_elements(&p->c, &p->fine.mesh, &p->fine.facts);
    p->fine.cpu = reference->cpu;
    if (!reference->value) {
        fprintf(stderr,
                "biela: error: the finite elements do not converge with steps of %g s; give a smaller "
                "--fine-step\n",
                p->c.interval / steps);
        return false;
    }
    fe_mesh longer = p->fine.mesh;
    longer.steps /= 2;
    fe_curves other = fe_run_elements(&p->c, &longer, NULL);
    if (other.value) {
        p->halved = fe_errors_of(&p->c, &other, reference);
    } else {
        p->halved = (fe_errors){ .displacement_share = NAN, .stress_share = NAN };
    }
    fe_curves_clear(&other);
    return true;
}

// ---- the coarsest mesh and step ----------------------------------------------------------------------------------------

static bool is_as_good(const fe_errors *e, const fe_errors *goal)
{
    return e->displacement_share <= goal->displacement_share && e->stress_share <= goal->stress_share;
}

// Steps ever shorter with one mesh until the errors are as small; gives up where it cannot be the cheapest any more.
static void try_mesh(fe_comparison *p, int elements, const fe_curves *reference)
{
    for (int steps = 1; steps <= p->fine.mesh.steps && steps <= MOST_STEPS;
         steps = fe_round_steps(steps + 1)) {
        fe_result r = { .mesh = { elements, p->divide, steps, p->damping, 0.0 } };
        fe_curves curves = fe_run_elements(&p->c, &r.mesh, &r.facts);
        if (!curves.value) {
            continue;
        }
        r.errors = fe_errors_of(&p->c, &curves, reference);
        r.cpu = curves.cpu;
        r.is_found = true;
        fe_curves_clear(&curves);
        bool is_good = is_as_good(&r.errors, &p->goal);
        // the choice between two must not be one of chance
        for (int k = 0; k < REPEATS / 2 && p->fine.facts.beams > 0 &&
                        (is_good || (p->best.is_found && r.cpu > p->best.cpu));
             k++) {
            fe_curves again = fe_run_elements(&p->c, &r.mesh, NULL);
            r.cpu = again.value ? fmin(r.cpu, again.cpu) : r.cpu;
            fe_curves_clear(&again);
        }
        if (p->best.is_found && r.cpu > p->best.cpu) {
            return;
        }
        if (is_good) {
            p->best = r;
            return;
        }
    }
}

// A looser tolerance of Newton's method, where the errors allow it.
static void loosen(fe_comparison *p, const fe_curves *reference)
{
    static const double per_step[] = { 1e-2, 1e-3 }; // of dt^2, against 1e-4
    for (int k = 0; p->best.is_found && k < 2; k++) {
        fe_result r = p->best;
        double dt = p->c.interval / r.mesh.steps;
        r.mesh.tolerance = fmin(1e-7, per_step[k] * dt * dt);
        fe_curves curves = fe_run_elements(&p->c, &r.mesh, &r.facts);
        if (curves.value) {
            r.errors = fe_errors_of(&p->c, &curves, reference);
            r.cpu = curves.cpu;
            fe_curves_clear(&curves);
            if (is_as_good(&r.errors, &p->goal) && r.facts.iterations < p->best.facts.iterations) {
                p->best = r;
                return;
            }
        }
    }
}

static void find_best(fe_comparison *p, const fe_curves *reference)
{
    static const int meshes[] = { 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24 };
    if (p->elements > 0 || p->fine.facts.beams == 0) {
        try_mesh(p, p->elements > 0 ? p->elements : 1, reference);
        return;
    }
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes && meshes[k] <= p->fine_elements; k++) {
        try_mesh(p, meshes[k], reference);
    }
}

// The least of several times: what disturbs a run only makes it longer.
static void time_again(fe_comparison *p)
{
    for (int k = 0; k < REPEATS; k++) {
        fe_curves modes = fe_run_modes(&p->c, &p->modal);
        p->modes_cpu = modes.value ? fmin(p->modes_cpu, modes.cpu) : p->modes_cpu;
        fe_curves_clear(&modes);
        if (p->best.is_found) {
            fe_curves elements = fe_run_elements(&p->c, &p->best.mesh, NULL);
            p->best.cpu = elements.value ? fmin(p->best.cpu, elements.cpu) : p->best.cpu;
            fe_curves_clear(&elements);
        }
    }
}

// What both sides must reach: what was asked for, or the errors of the modes at their own step and half of them more,
// for the errors of longer steps; no less than anybody needs.
static void set_goal(fe_comparison *p)
{
    static const double room = 1.5;
    p->goal.displacement_share = p->goal_displacement > 0.0
                                     ? p->goal_displacement
                                     : fmax(room * p->modes.displacement_share, p->least_displacement);
    p->goal.stress_share =
        p->goal_stress > 0.0 ? p->goal_stress : fmax(room * p->modes.stress_share, p->least_stress);
}

// ---- the cheapest modal run ----------------------------------------------------------------------------------------------

// Takes the run if it is good enough and the first that is, or cheaper.
static bool take_modal(fe_comparison *p, const fe_modal *m, const fe_curves *reference)
{
    fe_curves curves = fe_run_modes(&p->c, m);
    if (!curves.value) {
        return false;
    }
    fe_errors errors = fe_errors_of(&p->c, &curves, reference);
    bool is_good = is_as_good(&errors, &p->goal);
    double cpu = curves.cpu;
    // the choice between two must not be one of chance
    for (int k = 0; is_good && k < REPEATS / 2; k++) {
        fe_curves again = fe_run_modes(&p->c, m);
        cpu = again.value ? fmin(cpu, again.cpu) : cpu;
        fe_curves_clear(&again);
    }
    if (is_good && (!p->is_reached || cpu < p->modes_cpu)) {
        p->modes = errors;
        p->modal = *m;
        p->modes_cpu = cpu;
        p->modes_dt = p->c.interval / m->steps;
        p->is_reached = true;
    }
    fe_curves_clear(&curves);
    return is_good;
}

// Each scheme that a run can have, with the longest step that reaches the goal.
static void find_modal(fe_comparison *p, const fe_curves *reference)
{
    static const fe_modal schemes[] = { { BI_ALI3P_FLEX, 0.9, 0.0, 0 },
                                        { BI_ALI3P, 1.0, 0.0, 0 },
                                        { BI_ALI3P_ALPHA, 0.8, 0.0, 0 },
                                        { BI_RK4, 1.0, 0.0, 0 } };
    const bi_run *run = &p->c.s->run;
    int own = (int)floor(p->c.interval / run->dt + 0.5);
    int count = p->keeps_scheme ? 1 : (int)(sizeof schemes / sizeof *schemes);
    for (int k = 0; k < count; k++) {
        fe_modal m = p->keeps_scheme ? (fe_modal){ run->scheme, run->rho, 0.0, 0 } : schemes[k];
        bool is_good = false;
        for (m.steps = 1; m.steps <= 4 * own && !is_good; m.steps = fe_round_steps(m.steps + 1)) {
            is_good = take_modal(p, &m, reference);
        }
    }
}

// A looser tolerance of the iterations, where the errors allow it; as the finite elements have it.
static void loosen_modal(fe_comparison *p, const fe_curves *reference)
{
    static const double tolerance[] = { 1.0, 0.1, 1e-2 }; // last correction against the first; 1e-3 is usual
    bool is_good = p->modal.steps == 0 || bi_scheme_is_explicit(p->modal.scheme);
    for (int k = 0; k < 3 && !is_good; k++) {
        fe_modal m = p->modal;
        m.tolerance = tolerance[k];
        is_good = take_modal(p, &m, reference);
    }
}

exit_code fe_comparison_run(fe_comparison *p)
{
    fe_curves reference = { 0 };
    fe_curves modes = fe_run_modes(&p->c, &p->modal);
    if (!modes.value) {
        fputs("biela: error: a step of the modal run failed; see `biela run`\n", stderr);
        return CLI_NUMERICAL;
    }
    p->modes_cpu = modes.cpu;
    p->modes_dt = p->c.s->run.dt;
    exit_code code = run_reference(p, &reference) ? CLI_OK : CLI_NUMERICAL;
    if (code == CLI_OK) {
        p->modes = fe_errors_of(&p->c, &modes, &reference);
        set_goal(p);
        p->is_reached = is_as_good(&p->modes, &p->goal);
        if (!p->keeps_dt && !p->c.s->run.is_auto) {
            find_modal(p, &reference);
            loosen_modal(p, &reference);
        }
        find_best(p, &reference);
        loosen(p, &reference);
        time_again(p);
    }
    fe_curves_clear(&modes);
    fe_curves_clear(&reference);
    return code;
}
