// SPDX-License-Identifier: MIT
// What the code for lanes begins with (tools/lanes/build): a turn of the sims that lie in an arena side by side, and the tables
// that their system points to.
#include "lanes/turn.h"

int biela_turn(bi_sim *sim) { return lanes_turn(sim); }
int biela_turn_toward(bi_sim *sim, double t) { return lanes_turn_toward(sim, t); }
void biela_things(uint64_t *at) { gpu_things(at); }
uint64_t biela_outside(void) { return (uint64_t)(uintptr_t)lanes_outside(); }
