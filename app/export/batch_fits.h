// SPDX-License-Identifier: MIT
/* batch_fits.h - which devices of batches take a model, with what sizes, and why not. */
#pragma once
#include "running/session.h"

/* A device a line, on the standard output. */
void batch_fits_print(const session *, const session_request *);
/* The same as the array "batch" of an open object. */
void batch_fits_json(json *, const session *, const session_request *);
