// SPDX-License-Identifier: MIT
#pragma once

// A copy to be freed; NULL stays NULL.
char *text_copy(const char *text);
// printf into a fresh string to be freed; NULL: no memory.
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
