// SPDX-License-Identifier: MIT
/* choices.h - options that are followed by one of a few words, for messages, help and completion. */
#pragma once
#include <stddef.h>

/* The k-th such option, "--scheme", into `text`; NULL: no more. */
const char *choice_option(int k, char *text, size_t size);
const char *choice_word(const char *option, int k); /* its k-th word; NULL: no more, or anything may follow */
const char *choice_help(const char *option, int k); /* what the word means; NULL: it speaks for itself */
