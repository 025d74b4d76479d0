// SPDX-License-Identifier: MIT
// What is asked about contacts: who hits whom, where, with what force, and how fast they come.
#include "dynamics/dynamics.h"
#include "laws/contact/contact.h"

const double *dynamics_hit(const dynamics *d, int element, const double *memory)
{
    const law_table *table = &d->laws.table[d->contacts];
    return contact_hit(table->item, table->count, element, memory);
}

bool dynamics_where(const dynamics *d, const coords *at, const trays *t, int element, const int thing[2],
                    contact_spot *out)
{
    const law_table *table = &d->laws.table[d->contacts];
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    return contact_where(table->item, table->count, element, thing, &in, out);
}

void dynamics_touches(const dynamics *d, const coords *at, const trays *t, bi_touch_observes *tell,
                      void *data)
{
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    if (d->has_contact) {
        const law_table *table = &d->laws.table[d->contacts];
        contact_touches(table->item, table->count, d->plan.model->shape, &in, tell, data);
    }
}

bool dynamics_rushes(const dynamics *d, const coords *at, const trays *t, double h)
{
    const law_table *table = &d->laws.table[d->contacts];
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    return contact_rushes(table->item, table->count, &in, h);
}

double dynamics_hits(const dynamics *d, const coords *at, const trays *t, double h)
{
    const law_table *table = &d->laws.table[d->contacts];
    law_doubts doubts = { .h = h };
    law_in in = { &t->signals, &t->motion, at->z,   at->dz,  at->memory, at->pool,
                  t->of_step,  t->scratch, &doubts, t->crew, at->room,   t->spare };
    contact_hits(table->item, table->count, &in);
    return doubts.value[DOUBT_IMPACT];
}
