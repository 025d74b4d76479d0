// SPDX-License-Identifier: MIT
// random --seed N | --seeds A..B | --files F ... [--jobs N] [--print]: random mechanisms, each run in several ways. A disagreement between runs that call
// themselves good is shrunk to the smallest mechanism that still fails and written to build/random/seed-N.yaml.
#include "judge.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { JOBS_MOST = 64, REASONS_MOST = 64 };

typedef struct {
    uint64_t first, last;
    int jobs;
    bool prints, shrinks, tells;
} options;

typedef struct {
    came came;
    char text[40];
    int count;
    uint64_t seed; // the first one
} reason;

typedef struct {
    int came[CAMES], wrong;
    int n_reason;
    reason reason[REASONS_MOST];
} summary;

static void count(summary *s, uint64_t seed, const outcome *o)
{
    s->came[o->came]++;
    for (int k = 0; k < s->n_reason; k++) {
        if (s->reason[k].came == o->came && strcmp(s->reason[k].text, o->reason) == 0) {
            s->reason[k].count++;
            return;
        }
    }
    if (s->n_reason < REASONS_MOST && o->came != CAME_GOOD) {
        reason *r = &s->reason[s->n_reason++];
        *r = (reason){ o->came, "", 1, seed };
        snprintf(r->text, sizeof r->text, "%s", o->reason);
    }
}

static void print_summary(const summary *s)
{
    for (int k = 0; k < CAMES; k++) {
        printf("%s%d %s", k ? ", " : "", s->came[k], came_name((came)k));
    }
    printf("\n");
    for (int c = 0; c < CAMES; c++) {
        for (int k = 0; k < s->n_reason; k++) {
            const reason *r = &s->reason[k];
            if ((int)r->came == c) {
                printf("  %-9s %-40s %5d, such as seed %llu\n", came_name(r->came), r->text, r->count,
                       (unsigned long long)r->seed);
            }
        }
    }
}

// ---- a failure ---------------------------------------------------------------------------------------------------------------

static void write_model(const mechanism *m, const outcome *o)
{
    char path[96];
    mkdir("build", 0777);
    mkdir("build/random", 0777);
    snprintf(path, sizeof path, "build/random/seed-%llu.yaml", (unsigned long long)m->seed);
    char *yaml = mechanism_print(m);
    FILE *f = fopen(path, "w");
    if (f && yaml) {
        fprintf(f, "# %s: %s\n%s", wrong_name(o->wrong), o->text, yaml);
        printf("  smallest: %s (%d parts): %s\n", path, mechanism_parts(m), o->text);
    }
    if (f) {
        fclose(f);
    }
    free(yaml);
}

static void tell(const options *how, mechanism *m, uint64_t seed, const outcome *o)
{
    if (o->came == CAME_WRONG || how->tells) {
        printf("seed %llu: %s %s: %s\n", (unsigned long long)seed, came_name(o->came), o->reason, o->text);
    }
    if (o->came == CAME_WRONG && how->shrinks) {
        mechanism_generate(m, seed);
        outcome small = mechanism_shrink(m, *o);
        write_model(m, &small);
    }
    fflush(stdout);
}

// ---- all seeds ---------------------------------------------------------------------------------------------------------------

static int run_seeds(const options *how)
{
    summary s = { 0 };
    child running[JOBS_MOST];
    int n = 0;
    mechanism *m = malloc(sizeof *m);
    if (!m) {
        return 1;
    }
    for (uint64_t seed = how->first; seed <= how->last || n > 0;) {
        if (seed <= how->last && n < how->jobs) {
            mechanism_generate(m, seed++);
            running[n++] = child_begin(m);
            continue;
        }
        // in the order of the seeds, so that two runs print the same
        outcome o = child_end(&running[0]);
        uint64_t done = running[0].seed;
        memmove(running, running + 1, (size_t)--n * sizeof *running);
        count(&s, done, &o);
        tell(how, m, done, &o);
    }
    free(m);
    print_summary(&s);
    return s.came[CAME_WRONG] > 0;
}

static int print_model(uint64_t seed)
{
    mechanism *m = malloc(sizeof *m);
    if (!m) {
        return 1;
    }
    mechanism_generate(m, seed);
    char *yaml = mechanism_print(m);
    fputs(yaml ? yaml : "", stdout);
    free(yaml);
    free(m);
    return 0;
}

// ---- models that failed once -----------------------------------------------------------------------------------------------------

static char *read_text(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(1, MOST + 1) : NULL;
    if (text && fread(text, 1, MOST, f) == 0) {
        free(text);
        text = NULL;
    }
    if (f) {
        fclose(f);
    }
    return text;
}

// The seed of the name chooses the other scheme, as it did when it failed.
static int run_files(char **path, int n)
{
    int failed = 0;
    for (int k = 0; k < n; k++) {
        unsigned long long seed = 0;
        char *text = read_text(path[k]);
        const char *name = text ? strstr(text, "random mechanism ") : NULL;
        if (!name || sscanf(name, "random mechanism %llu", &seed) != 1) {
            printf("%s: cannot be read, or has no seed in its name\n", path[k]);
            failed++;
        } else {
            child c = child_of_text(text, seed);
            outcome o = child_end(&c);
            printf("%s: %s %s %s\n", path[k], came_name(o.came), o.reason, o.text);
            failed += o.came == CAME_WRONG;
        }
        free(text);
    }
    return failed > 0;
}

static bool read_options(int argc, char **argv, options *out)
{
    unsigned long long first = 1, last = 300;
    for (int k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        if (strcmp(argv[k], "--print") == 0) {
            out->prints = true;
        } else if (strcmp(argv[k], "--tell") == 0) {
            out->tells = true;
        } else if (strcmp(argv[k], "--no-shrink") == 0) {
            out->shrinks = false;
        } else if (strcmp(argv[k], "--seed") == 0 && sscanf(value, "%llu", &first) == 1) {
            last = first;
            k++;
        } else if (strcmp(argv[k], "--seeds") == 0 && sscanf(value, "%llu..%llu", &first, &last) == 2) {
            k++;
        } else if (strcmp(argv[k], "--jobs") == 0 && sscanf(value, "%d", &out->jobs) == 1) {
            k++;
        } else {
            return false;
        }
    }
    out->first = first;
    out->last = last;
    return out->jobs > 0 && out->jobs <= JOBS_MOST;
}

int main(int argc, char **argv)
{
    options how = { .jobs = 2, .shrinks = true };
    if (argc > 2 && strcmp(argv[1], "--files") == 0) {
        return run_files(argv + 2, argc - 2);
    }
    if (!read_options(argc, argv, &how)) {
        fprintf(stderr, "usage: random [--seed N | --seeds A..B] [--jobs N] [--tell] [--no-shrink] "
                        "[--print]\n       random --files FILE...\n");
        return 2;
    }
    return how.prints ? print_model(how.first) : run_seeds(&how);
}
