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
