// SPDX-License-Identifier: MIT
// Reactions for those who draw them.
#include "sim/system.h"
#include <biela/look.h>

const bi_wrench *bi_sim_reactions(bi_sim *sim)
{
    if (!sim_is_shown(sim)) {
        return NULL;
    }
    sim_show(sim, SHOWN_STATE | SHOWN_REACTIONS);
    return sim->reaction;
}
