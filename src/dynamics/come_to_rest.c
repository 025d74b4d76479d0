// SPDX-License-Identifier: MIT
// Bodies and inertias of graphs that are let go and stopped, until they rest (analysis.10).
#include "dynamics/law_list.h"
#include "dynamics/rooms.h"
#include "laws/bond/bond.h"
#include <string.h>

static const law_table *graphs_of(const dynamics *d)
{
    bool has_any = d->laws.n_table > 0 && d->laws.table[d->graphs].kind == &graph_kind;
    return has_any ? &d->laws.table[d->graphs] : NULL;
}

double dynamics_graph_kinetic(const dynamics *d, const coords *at, const trays *t)
{
    const law_table *table = graphs_of(d);
    return table ? graph_kinetic(table->item, table->count, at->z, t->load.scalar) : 0.0;
}

void dynamics_stop(const dynamics *d, coords *at)
{
    const law_table *table = graphs_of(d);
    memset(at->v, 0, (size_t)d->structure.n * sizeof *at->v);
    if (table) {
        graph_stop(table->item, table->count, at->z);
    }
}
