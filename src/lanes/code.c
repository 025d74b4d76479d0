// SPDX-License-Identifier: MIT
// The code for lanes: where BIELA_LANES_CODE says, or where it was built or installed; eight lanes where the processor has the
// vectors for them.
#include "lanes/lanes.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// the build says where it puts and installs the code; other builds of these pages have none
#ifndef BI_LANES_CODE_BUILT
#define BI_LANES_CODE_BUILT "build/lanes"
#define BI_LANES_CODE_INSTALLED "."
#endif

#ifndef BI_LANES_STAMP
#define BI_LANES_STAMP 0 // of no sources
#endif

typedef struct {
    uint64_t original;
    int64_t at, size;
} global_row;

static bool refuse(bi_report *report, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "lanes", "%s", what);
    return false;
}

static const char NO_VECTORS[] =
    "this processor has no vectors of eight numbers (AVX-512); take the device threads";
static const char NO_CODE[] =
    "there is no code for sims side by side; make it with tools/lanes/build, name its folder by "
    "BIELA_LANES_CODE, or take the device threads";
static const char OTHER_CODE[] =
    "the code for sims side by side is that of other sources; make it again with "
    "tools/lanes/build, or take the device threads";

// How many sims its vectors hold; 0: too few.
static int lanes_of_processor(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    const char *said = getenv("BIELA_LANES");
    bool has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    bool wants_four = said && strcmp(said, "4") == 0; // not tried widely: only who asks for them has them
    if (wants_four) {
        return __builtin_cpu_supports("avx2") ? 4 : 0;
    }
    return has_512 ? 8 : 0;
#else
    return 0;
#endif
}

static void *find(const lanes_code *code, const char *name) { return dlsym(code->library, name); }

// Where a table of the code lies in an arena; 0: it is none.
static uint64_t in_arena(const global_row *row, int64_t n, uint64_t at)
{
    for (int64_t k = 0; k < n; k++) {
        if (at >= row[k].original && at < row[k].original + (uint64_t)row[k].size) {
            return LANES_GLOBALS + (uint64_t)row[k].at + (at - row[k].original);
        }
    }
    return 0;
}

static bool take(lanes_code *code)
{
    void (*things)(uint64_t *) = NULL;
    uint64_t (*outside)(void) = NULL;
    void *a = find(code, "biela_things"), *b = find(code, "biela_outside"), *c = find(code, "lanes_step");
    void *d = find(code, "lanes_step_toward");
    const int64_t *n_row = find(code, "lanes_table_count"), *size = find(code, "lanes_globals_size");
    const int64_t *lanes = find(code, "lanes_count");
    const global_row *row = find(code, "lanes_table");
    code->globals = find(code, "lanes_globals");
    const uint64_t *stamp = find(code, "lanes_stamp");
    if (!stamp || *stamp != BI_LANES_STAMP) {
        return false;
    }
    if (!a || !b || !c || !d || !n_row || !size || !lanes || !row || !code->globals || *lanes > LANES_MOST) {
        return false;
    }
    memcpy(&things, &a, sizeof a);
    memcpy(&outside, &b, sizeof b);
    memcpy(&code->step, &c, sizeof c);
    memcpy(&code->step_toward, &d, sizeof d);
    code->n_globals = *size;
    code->lanes = (int)*lanes;
    things(code->things);
    for (int k = 0; k < GPU_THINGS; k++) {
        code->things[k] = in_arena(row, *n_row, code->things[k]);
    }
    code->outside = in_arena(row, *n_row, outside());
    return code->outside != 0;
}

bool lanes_code_open(lanes_code *code, bi_report *report)
{
    *code = (lanes_code){ 0 };
    int lanes = lanes_of_processor();
    if (lanes == 0) {
        return refuse(report, NO_VECTORS);
    }
    const char *said = getenv("BIELA_LANES_CODE");
    const char *const places[] = { said, BI_LANES_CODE_BUILT, BI_LANES_CODE_INSTALLED };
    for (int k = said ? 0 : 1; k < (said ? 1 : 3) && !code->library; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/lanes%d.so", places[k], lanes);
        code->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!code->library) {
        return refuse(report, NO_CODE);
    }
    if (!take(code)) {
        lanes_code_close(code);
        return refuse(report, OTHER_CODE);
    }
    return true;
}

void lanes_code_close(lanes_code *code)
{
    if (code->library) {
        dlclose(code->library);
    }
    *code = (lanes_code){ 0 };
}
