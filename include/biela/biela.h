// SPDX-License-Identifier: MIT
/* biela.h - describe a mechanism, compile it, step it, read it.
 *
 *   bi_model   what the mechanism is      you build it; mutable; plain description
 *   bi_system  how it will be computed    made by bi_compile; immutable; share it between threads
 *   bi_sim     where it is now            one per run; owns every byte a run needs
 *
 * SI units and radians everywhere. Zero in a definition field means "default" (stated beside it).
 * Pointers returned by the library are borrowed; strings and arrays you pass in are copied. The core
 * reads no files: <biela/io.h> does.
 *
 * Every function, here and in the other headers, may be called with what makes no sense: NULL, ids of nothing, numbers
 * that are not finite, counts below zero, a sim that was not started. It then answers with a status (BI_BAD_ARGUMENT,
 * BI_NOT_STARTED), false, NULL, 0 or, where a value is read, NAN, and changes nothing. What was added so to a model is
 * a mistake that bi_compile tells. A bi_report may be NULL everywhere. */
#pragma once
/* in the order one uses them; each can be included alone */
#include <biela/analysis.h>
#include <biela/base.h>
#include <biela/bond.h>
#include <biela/constraints.h>
#include <biela/inverse.h>
#include <biela/laws.h>
#include <biela/load_path.h>
#include <biela/model.h>
#include <biela/shapes.h>
#include <biela/sim.h>
#include <biela/state.h>
#include <biela/turn.h>
#include <biela/types.h>
#include <biela/tyre.h>
#include <biela/verdict.h>
