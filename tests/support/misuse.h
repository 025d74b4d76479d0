// SPDX-License-Identifier: MIT
// Calls of public functions that make no sense, each function in a process of its own: a crash, an abort, a report of a
// sanitizer, a call that never returns or an answer that is not the neutral one is told with the function's name.
#ifndef BIELA_TESTS_SUPPORT_MISUSE_H
#define BIELA_TESTS_SUPPORT_MISUSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MISUSE_MOST = 400,
    MISUSE_SECONDS = 60
}; // no call takes a second; under sanitizers on a busy machine a few

typedef struct {
    char name[MISUSE_MOST][64]; // of the functions met in the first pass
    int count;
    const char *chosen; // NULL: the first pass
    bool is_wrong;
} misuse;

// Whether the calls that follow are to be made now.
static inline bool misuse_of(misuse *w, const char *name)
{
    if (w->chosen) {
        return strcmp(w->chosen, name) == 0;
    }
    assert_true(w->count < MISUSE_MOST);
    snprintf(w->name[w->count++], sizeof w->name[0], "%.63s", name);
    return false;
}

static inline void misuse_expect(misuse *w, bool claim, const char *text, int line)
{
    if (!claim) {
        fprintf(stderr, "%s: line %d: not so: %s\n", w->chosen, line, text);
        w->is_wrong = true;
    }
}
#define EXPECT(w, claim) misuse_expect((w), (claim), #claim, __LINE__)

static inline bool misuse_alone(void (*calls)(misuse *), const char *name)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        misuse w = { .chosen = name };
        // the test frame would take a crash for its own
        const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
        for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++) {
            signal(fatal[k], SIG_DFL);
        }
        alarm(MISUSE_SECONDS);
        calls(&w);
        _exit(w.is_wrong ? 1 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "%s: %s\n", name, WTERMSIG(status) == SIGALRM ? "never returns" : "crashes");
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static inline void misuse_all(void (*calls)(misuse *))
{
    misuse all = { 0 };
    calls(&all);
    int bad = 0;
    for (int k = 0; k < all.count; k++) {
        bad += !misuse_alone(calls, all.name[k]);
    }
    printf("%d functions misused\n", all.count);
    assert_int_equal(bad, 0);
}

#endif
