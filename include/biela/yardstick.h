// SPDX-License-Identifier: MIT
/* yardstick.h - the mechanism of a model by nonlinear finite elements in absolute coordinates: what flexible bodies
 * with floating frames and modes are measured with. Beams are geometrically exact, plates total Lagrangian; nothing is
 * shared with the solver of bi_sim but the description. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

typedef struct {
    int elements;     /* along the longest straight bar of each body; 0 = 4 */
    int divide;       /* each quad of a plate into divide x divide; 0 = 1 */
    double dt;        /* s; 0 = 1e-3 */
    double damping;   /* 1 - rho_inf of the generalised-alpha scheme; 0 = 0.2, negative = none */
    double tolerance; /* of a step, see docs/theory/yardstick.md; 0 = chosen from dt */
} bi_yardstick_options;

typedef struct bi_yardstick bi_yardstick;
/* Everything of the model that has no counterpart is an error in the report, by name; NULL then. The model must outlive it. */
bi_yardstick *bi_yardstick_create(const bi_model *, const bi_yardstick_options *, bi_report *);
void bi_yardstick_destroy(bi_yardstick *);
bi_status bi_yardstick_step(bi_yardstick *); /* one dt; on failure the state is the one before */
double bi_yardstick_time(const bi_yardstick *);

/* Outputs of the model under the names that their channels have in a bi_system. */
int bi_yardstick_channel(const bi_yardstick *, const char *name); /* -1: none, or one that is not told here */
int bi_yardstick_channel_count(const bi_yardstick *);
const char *bi_yardstick_channel_name(const bi_yardstick *, int channel);
double bi_yardstick_read(const bi_yardstick *, int channel);

typedef struct {
    int freedoms, beams, quads, rows; /* unknowns; elements of either kind; equations of joints */
    int64_t steps, iterations, factors;
    double energy; /* kinetic, elastic and of gravity, J */
} bi_yardstick_facts;
bi_yardstick_facts bi_yardstick_facts_of(const bi_yardstick *);
BI_END
