// SPDX-License-Identifier: MIT
// The names of all models of models/, in order.
#ifndef BIELA_TESTS_SUPPORT_LIST_MODELS_H
#define BIELA_TESTS_SUPPORT_LIST_MODELS_H

#include "support/run_model.h"
#include <dirent.h>
#include <stdlib.h>

enum { MAX_MODELS = 128 };

static inline int list_models_by_text(const void *a, const void *b) { return strcmp(a, b); }

static inline int list_models(char name[MAX_MODELS][64])
{
    DIR *dir = opendir(BI_SOURCE_DIR "/models");
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *e = readdir(dir); e && count < MAX_MODELS; e = readdir(dir)) {
        char path[512];
        snprintf(path, sizeof path, "%s/models/%.60s/model.yaml", BI_SOURCE_DIR, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (f) {
            fclose(f);
            snprintf(name[count++], 64, "%.60s", e->d_name);
        }
    }
    closedir(dir);
    qsort(name, (size_t)count, sizeof name[0], list_models_by_text);
    return count;
}

#endif
