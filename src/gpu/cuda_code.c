// SPDX-License-Identifier: MIT
// The code for GPUs: where BIELA_GPU_CODE says, or where it was built or installed. Code that was translated for one GPU before
// (by ptxas, or by the driver, which keeps it itself) may be named there, too.
#include "gpu/cuda_code.h"
#include <stdio.h>
#include <stdlib.h>

// the build says where it puts and installs the code; other builds of these pages have none
#ifndef BI_GPU_CODE_BUILT
#define BI_GPU_CODE_BUILT "build/gpu/biela.ptx"
#define BI_GPU_CODE_INSTALLED "biela.ptx"
#endif

static char *read_whole(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        size = ftell(f);
    }
    if (size > 0 && fseek(f, 0, SEEK_SET) == 0) {
        text = calloc(1, (size_t)size + 1);
        if (text && fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    if (f) {
        fclose(f);
    }
    return text;
}

char *cuda_code_read(const char *machine, bi_report *report)
{
    const char *said = getenv("BIELA_GPU_CODE");
    const char *const places[] = { said, BI_GPU_CODE_BUILT, BI_GPU_CODE_INSTALLED };
    (void)machine;
    for (int k = said ? 0 : 1; k < (said ? 1 : 3); k++) {
        char *code = read_whole(places[k]);
        if (code) {
            return code;
        }
    }
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "gpu",
                  "no code for GPUs at %s; make it with tools/gpu/build, or name it by BIELA_GPU_CODE",
                  said ? said : BI_GPU_CODE_INSTALLED);
    return NULL;
}
