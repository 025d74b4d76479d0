// SPDX-License-Identifier: MIT
/* provenance.h - what a result file says about where it comes from. */
#pragma once
#include "running/session.h"

/* Notes: model, model_file, model_text, model_hash, settings, run, scheme, time, dt, every, manoeuvre, manoeuvre_text.
 * False: they could not be written. */
bool provenance_write(bi_csv *, const session *, const arguments *);
