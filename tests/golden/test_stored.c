// SPDX-License-Identifier: MIT
// Bits as they were: a short run of every model in both formulations, against tests/golden/hashes.txt. A change that is meant
// writes the file anew: build/tests/test_golden_stored --write, and says in its commit why bits change.
#include "base/hash.h"
#include "support/run_model.h"
#include <dirent.h>
#include <stdlib.h>

enum { STEPS = 40, MOST = 256, LINE = 160 };
static const char stored_path[] = BI_SOURCE_DIR "/tests/golden/hashes.txt";

typedef struct {
    char line[MOST][LINE];
    int count;
} lines;

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

// Where the bodies are and how they move; what channels tell.
static void hash_of(run_model *run, uint64_t *motion, uint64_t *shown)
{
    bi_view view = bi_sim_view(run->sim);
    size_t n = (size_t)bi_channel_count(run->system);
    double *value = calloc(n + 1, sizeof *value);
    assert_non_null(value);
    *motion = hash_bytes(hash_seed, &view.t, sizeof view.t);
    *motion = hash_bytes(*motion, view.pose, (size_t)view.n_body * sizeof *view.pose);
    *motion = hash_bytes(*motion, view.twist, (size_t)view.n_body * sizeof *view.twist);
    bi_sim_read_all(run->sim, value);
    for (size_t k = 0; k < n; k++) {
        value[k] =
            isnan(value[k]) ? 0.5 : value[k]; // those that are no numbers have bits that compilers choose
    }
    *shown = hash_bytes(hash_seed, value, n * sizeof *value);
    free(value);
}

static void add(lines *all, const char *model, const char *formulation, const char *text)
{
    assert_true(all->count < MOST);
    snprintf(all->line[all->count++], LINE, "%s %s %s", model, formulation, text);
}

static void run_one(lines *all, const char *name, bi_coordinates coordinates)
{
    static const char *const word[] = { [BI_NATURAL] = "natural", [BI_JOINT] = "joint" };
    char path[512], text[96];
    run_model run = { 0 };
    bi_run file;
    snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, name);
    run.model = bi_read_model(path, NULL, 0, NULL, &file, &run.report);
    run_require(run.model && run.report.errors == 0, &run.report, name);
    file.coordinates = coordinates;
    bi_options options = bi_run_options(&file);
    run.system = bi_compile(run.model, &options, &run.report);
    run.sim = run.system ? bi_sim_create(run.system) : NULL;
    if (!run.sim || bi_sim_start(run.sim, &run.report) != BI_OK) {
        add(all, name, word[coordinates], "does not start");
        run_close(&run);
        return;
    }
    bi_status status = BI_OK;
    for (int k = 0; k < STEPS && status == BI_OK; k++) {
        status = bi_sim_step(run.sim);
    }
    uint64_t motion, shown;
    hash_of(&run, &motion, &shown);
    snprintf(text, sizeof text, "motion %016llx shown %016llx%s", (unsigned long long)motion,
             (unsigned long long)shown, status == BI_OK ? "" : " failed");
    add(all, name, word[coordinates], text);
    run_close(&run);
}

static lines *run_all(void)
{
    lines *all = calloc(1, sizeof *all);
    DIR *models = opendir(BI_SOURCE_DIR "/models");
    assert_true(all && models);
    for (struct dirent *entry = readdir(models); entry; entry = readdir(models)) {
        char path[512];
        snprintf(path, sizeof path, "%s/models/%s/model.yaml", BI_SOURCE_DIR, entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (file) {
            fclose(file);
            run_one(all, entry->d_name, BI_NATURAL);
            run_one(all, entry->d_name, BI_JOINT);
        }
    }
    closedir(models);
    qsort(all->line, (size_t)all->count, sizeof *all->line, by_text);
    return all;
}

static lines *read_stored(void)
{
    lines *all = calloc(1, sizeof *all);
    FILE *file = fopen(stored_path, "r");
    assert_true(all && file);
    while (all->count < MOST && fgets(all->line[all->count], LINE, file)) {
        char *line = all->line[all->count];
        line[strcspn(line, "\n")] = '\0';
        all->count += line[0] != '#';
    }
    fclose(file);
    return all;
}

static bool has(const lines *all, const char *line)
{
    return bsearch(line, all->line, (size_t)all->count, sizeof *all->line, by_text) != NULL;
}

static int tell_missing(const lines *of, const lines *in, const char *what)
{
    int n = 0;
    for (int k = 0; k < of->count; k++) {
        if (!has(in, of->line[k])) {
            fprintf(stderr, "%s: %s\n", what, of->line[k]);
            n++;
        }
    }
    return n;
}

static void test_every_model_has_the_bits_that_are_stored(void **state)
{
    (void)state;
    lines *now = run_all(), *before = read_stored();
    int n = tell_missing(before, now, "stored") + tell_missing(now, before, "now");
    assert_true(now->count > 100 && before->count > 100);
    if (n > 0) {
        fail_msg(
            "bits differ from tests/golden/hashes.txt; where that is meant, `test_golden_stored --write` "
            "writes it anew");
    }
    free(now);
    free(before);
}

static int write_stored(void)
{
    lines *all = run_all();
    FILE *file = fopen(stored_path, "w");
    if (!file) {
        perror(stored_path);
        return 1;
    }
    fprintf(file,
            "# bits of each model after %d steps: bodies, and all channels (tests/golden/test_stored.c)\n",
            STEPS);
    for (int k = 0; k < all->count; k++) {
        fprintf(file, "%s\n", all->line[k]);
    }
    free(all);
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        return write_stored();
    }
    if (strcmp(BI_BUILD_NAME, "default") != 0) {
        printf("the build '%s' has bits of its own\n", BI_BUILD_NAME);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model_has_the_bits_that_are_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
