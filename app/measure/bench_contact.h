// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"

/* `biela bench --contact`: the whole command, in words or as JSON. */
exit_code bench_contact(const arguments *);
/* Options that need --contact; NULL: none was given. */
const char *bench_contact_option(const arguments *);
