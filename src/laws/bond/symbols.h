// SPDX-License-Identifier: MIT
// Efforts and flows of a causal network in symbols: sums of products of names, substituted until only states, sources,
// values of elements and what comes from outside are left.
#pragma once
#include "laws/bond/net.h"

typedef struct symbols symbols;
// NULL: no memory. The network is borrowed.
symbols *symbols_create(const net *g);
void symbols_destroy(symbols *s);

// Effort (or flow) of a bond as text, owned by `s`.
const char *symbols_effort(symbols *s, int bond);
const char *symbols_flow(symbols *s, int bond);
// The rate of a storage's state at one of its ports.
const char *symbols_rate(symbols *s, int node, int port);
// Variables that stand in circles, each with the equation it must fulfil; filled by the calls above.
int symbols_loop_count(const symbols *s);
const char *symbols_loop(symbols *s, int k);
