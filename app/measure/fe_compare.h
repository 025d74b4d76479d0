// SPDX-License-Identifier: MIT
/* fe_compare.h - one mechanism by modes and by nonlinear finite elements: curves at the same instants, errors, CPU. */
#pragma once
#include "running/session.h"
#include <biela/yardstick.h>

/* What is compared: channels that both tell, displacements first. */
typedef struct {
    int n_displacement, n_stress;
    char **name; /* (n_displacement + n_stress) */
} fe_channels;

/* Channels at instants dt_row apart, from t = 0 on. */
typedef struct {
    int n_channel, n_row;
    double *value; /* (n_row * n_channel) by rows */
    double cpu;    /* s, of all steps */
} fe_curves;

typedef struct {
    double displacement, stress; /* largest difference, m and Pa (N m where sections are told) */
    double displacement_share,
        stress_share; /* against the widest range and the largest size of the reference */
    const char *worst_displacement, *worst_stress; /* channels */
} fe_errors;

/* One structure: mesh and step. */
typedef struct {
    int elements, divide;
    int steps; /* in each interval between instants */
    double damping;
    double tolerance; /* of Newton's method; 0: as the finite elements choose it */
} fe_mesh;

/* One modal run: scheme and step. */
typedef struct {
    bi_scheme scheme;
    double rho;       /* of ali3p-alpha */
    double tolerance; /* of a step's iterations; 0: as usual */
    int steps;        /* in each interval between instants; 0: as the run says, with its scheme */
} fe_modal;

typedef struct {
    const session *s;
    fe_channels channels;
    int n_row;       /* instants after t = 0 */
    double interval; /* s between them */
} fe_case;

/* False: printed on stderr. */
bool fe_case_make(const session *, const char *displacement, const char *stress, int samples, fe_case *);
void fe_case_clear(fe_case *);

/* Numbers 1, 2, 4, 5, 8, 10 ... whose steps meet the same instants, where loads jump or bend: the first from `least` on. */
int fe_round_steps(int least);
/* Instants that the run of the session writes, at most 1000. */
int fe_instants(const session *);

/* The curves; value NULL when a step failed (nothing is told). facts may be NULL. */
fe_curves fe_run_modes(const fe_case *, const fe_modal *);
fe_curves fe_run_elements(const fe_case *, const fe_mesh *, bi_yardstick_facts *facts);
void fe_curves_clear(fe_curves *);
fe_errors fe_errors_of(const fe_case *, const fe_curves *, const fe_curves *reference);

/* ---- both at equal error ------------------------------------------------------------------------------------------------ */
typedef struct {
    fe_mesh mesh;
    bi_yardstick_facts facts;
    fe_errors errors;
    double cpu;
    bool is_found;
} fe_result;

typedef struct {
    fe_case c;
    /* asked */
    int elements;      /* only this mesh; 0: the coarsest that does */
    int fine_elements; /* of the reference */
    int divide, samples;
    double fine_step, damping;               /* s; 1 - rho_inf */
    double least_displacement, least_stress; /* errors that nobody needs to be below, shares */
    double goal_displacement, goal_stress;   /* errors that both must reach, shares; 0: from the modes */
    bool keeps_dt, keeps_scheme;             /* the modes keep the step, the scheme of the run */
    /* answered */
    fe_result fine, best;
    fe_errors halved;      /* the reference against itself with steps twice as long */
    fe_errors modes, goal; /* goal: what both must reach */
    fe_modal modal;        /* the modal run that reaches it at least cost */
    double modes_cpu, modes_dt;
    bool is_reached; /* by the modes */
} fe_comparison;

/* Defaults of what is asked, for a session with a run. */
fe_comparison fe_comparison_of(const session *);
/* Fills in the answers, for the case `c`; messages on stderr. */
exit_code fe_comparison_run(fe_comparison *);
/* Scheme of the modal run that was chosen. */
static inline bi_scheme fe_scheme_of(const fe_comparison *p)
{
    return p->modal.steps > 0 ? p->modal.scheme : p->c.s->run.scheme;
}
