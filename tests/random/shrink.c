// SPDX-License-Identifier: MIT
// Comparisons in processes of their own, and the smallest mechanism that still fails.
#include "judge.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 60 }; // of its own work: a busy machine is no hang

child child_of_text(const char *yaml, uint64_t seed)
{
    int ends[2];
    child out = { -1, -1, seed };
    if (pipe(ends) != 0) {
        return out;
    }
    fflush(stdout);
    out.pid = fork();
    if (out.pid == 0) {
        close(ends[0]);
        setrlimit(RLIMIT_CPU, &(struct rlimit){ SECONDS_MOST, SECONDS_MOST + 1 });
        outcome o = compare_model(yaml, (unsigned)(seed % 10007u));
        bool ok = write(ends[1], &o, sizeof o) == (ssize_t)sizeof o;
        close(ends[1]);
        _exit(ok ? 0 : 1);
    }
    close(ends[1]);
    out.pipe = ends[0];
    return out;
}

child child_begin(const mechanism *m)
{
    char *yaml = mechanism_print(m);
    child out = child_of_text(yaml ? yaml : "", m->seed);
    free(yaml);
    return out;
}

outcome child_end(child *c)
{
    outcome out = { CAME_WRONG, WRONG_CRASH, "crash", "" };
    int status = 0;
    bool is_told = read(c->pipe, &out, sizeof out) == (ssize_t)sizeof out;
    close(c->pipe);
    waitpid(c->pid, &status, 0);
    if (!is_told) {
        out = (outcome){ CAME_WRONG, WRONG_CRASH, "crash", "" };
        int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        if (signal == SIGXCPU || signal == SIGKILL) {
            out.wrong = WRONG_HANG;
            snprintf(out.reason, sizeof out.reason, "hang");
        }
        snprintf(out.text, sizeof out.text, "ended by signal %d, status %d", signal, status);
    }
    c->pid = -1;
    return out;
}

// ---- shrinking -------------------------------------------------------------------------------------------------------------

static bool still_fails(const mechanism *m, outcome *now)
{
    child c = child_begin(m);
    outcome o = child_end(&c);
    bool is_same = o.wrong == now->wrong;
    if (is_same) {
        *now = o;
    }
    return is_same;
}

static void copy_drops(mechanism *to, const mechanism *from)
{
    memcpy(to->part, from->part, sizeof to->part);
}

// Each part with those that need it, the last ones first: they hang on nothing.
static bool drop_parts(mechanism *m, mechanism *trial, outcome *now)
{
    bool is_smaller = false;
    for (int k = m->n_part - 1; k >= 0; k--) {
        if (m->part[k].is_dropped) {
            continue;
        }
        copy_drops(trial, m);
        mechanism_drop(trial, k);
        if (mechanism_parts(trial) > 0 && still_fails(trial, now)) {
            copy_drops(m, trial);
            is_smaller = true;
        }
    }
    return is_smaller;
}

static bool drop_fields(mechanism *m, outcome *now)
{
    bool is_smaller = false;
    for (int k = 0; k < m->n_part; k++) {
        for (int i = 0; i < m->part[k].n_entry && !m->part[k].is_dropped; i++) {
            entry *e = &m->part[k].entry[i];
            for (int f = 0; f < e->n_field; f++) {
                bool can = e->field[f].is_optional && !e->field[f].is_dropped;
                e->field[f].is_dropped |= can;
                if (can && !still_fails(m, now)) {
                    e->field[f].is_dropped = false;
                } else {
                    is_smaller |= can;
                }
            }
        }
    }
    return is_smaller;
}

static void drop_weight_and_time(mechanism *m, outcome *now)
{
    mechanism before = { .time = m->time };
    memcpy(before.gravity, m->gravity, sizeof before.gravity);
    memset(m->gravity, 0, sizeof m->gravity);
    if (!still_fails(m, now)) {
        memcpy(m->gravity, before.gravity, sizeof before.gravity);
    }
    // half the time, in whole pairs of steps
    for (int k = 0; k < 3; k++) {
        before.time = m->time;
        m->time = m->dt * 2.0 * round(0.25 * m->time / m->dt);
        if (m->time < 20.0 * m->dt || !still_fails(m, now)) {
            m->time = before.time;
            break;
        }
    }
}

outcome mechanism_shrink(mechanism *m, outcome first)
{
    outcome now = first;
    mechanism *trial = malloc(sizeof *trial);
    if (!trial) {
        return now;
    }
    memcpy(trial, m, sizeof *trial);
    while (drop_parts(m, trial, &now)) {
    }
    while (drop_fields(m, &now)) {
    }
    drop_weight_and_time(m, &now);
    free(trial);
    return now;
}
