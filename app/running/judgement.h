// SPDX-License-Identifier: MIT
/* judgement.h - the verdict of a run for people, for programs and beside its results. */
#pragma once
#include "cli/json.h"
#include "cli/options.h"
#include <biela/verdict.h>

/* What is doubtful or bad, on stderr. */
void judgement_warn(const bi_verdict *);
/* Makes it bad: this channel is not finite. */
void judgement_condemn(bi_verdict *, const char *channel, double t);
/* CLI_DOUBT: bad, or doubtful with --strict. */
exit_code judgement_code(bi_outcome, const arguments *);
/* "verdict": {outcome, line, judgements}. */
void judgement_json(json *, const bi_verdict *);
/* The same as a file of its own. False: it could not be written, printed on stderr. */
bool judgement_write(const char *path, const bi_verdict *);
