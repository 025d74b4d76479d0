// SPDX-License-Identifier: MIT
#include "cli/choices.h"
#include <biela/io.h>
#include <string.h>

const char *choice_option(int k, char *text, size_t size)
{
    for (int j = 0; j < bi_run_option_count(); j++) {
        bi_run_option run = bi_run_option_at(j);
        if (run.value && bi_run_option_word(run.key, 0, NULL) && k-- == 0) {
            snprintf(text, size, "--%s", run.key);
            return text;
        }
    }
    return NULL;
}

const char *choice_word(const char *option, int k)
{
    return bi_run_option_word(option + strlen("--"), k, NULL);
}

const char *choice_help(const char *option, int k)
{
    const char *meaning, *first, *key = option + strlen("--");
    if (!bi_run_option_word(key, k, &meaning)) {
        return NULL;
    }
    // among words with meanings, one without is a second name of the one before
    (void)bi_run_option_word(key, 0, &first);
    return meaning || !first ? meaning : "the same";
}
