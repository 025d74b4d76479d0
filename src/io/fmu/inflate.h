// SPDX-License-Identifier: MIT
// Deflate (RFC 1951) undone: from strangers' archives, so that nothing is believed.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Exactly `n_out` bytes come of exactly these; false: they do not.
bool inflate_all(const unsigned char *in, size_t n_in, unsigned char *out, size_t n_out);
