// SPDX-License-Identifier: MIT
// What `dynamics` and `sim` see of bond graphs.
#pragma once
#include "laws/bond/net.h"
#include "laws/bond/tape.h"
#include "state/law.h"

// The network of a graph of the model: wide nodes become one scalar node per component ("j#2"), fields and matrices one
// node with several ports. Names live as long as `names`, which is freed by the caller. False: a mistake, in the
// report.
bool graph_expand(const bi_model *m, const char *graph, const bi_graph *from, net *out, char **names,
                  bi_report *report);

// ---- graphs that signals read inside a step: evaluated before these, in the order of the plan ------------------------

// Tells the plan what a graph reads from outside, and the joints of its ports.
void graph_outside(plan *p, int element);
// Item k of its table: states at the end of the step, and the numbers it tells. The evaluation that follows takes them.
void graph_ahead(const void *items, int k, const law_in *in, law_out *out);
// Derivatives of one of these numbers, by its place in load.scalar, with what plan_graph lists.
void graph_slopes(const void *items, int k, const law_in *in, int scalar, double *slope);

// ---- coming to rest (analysis.10) ---------------------------------------------------------------------------------------

// Energy of the inertias, J, by the flows of the last evaluation; and all of them stopped.
double graph_kinetic(const void *items, int count, const double *z, const double *scalar);
void graph_stop(const void *items, int count, double *z);
