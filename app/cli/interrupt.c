// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"
#include <signal.h>
#include <stddef.h>

// A signal handler has no other place to write to: one of the few mutable statics of the program.
static volatile sig_atomic_t asked = 0; // number of the signal; 0: none

static void note_signal(int number) { asked = number; }

static void set_action(int number, void (*action)(int), int flags)
{
    struct sigaction sa = { .sa_handler = action, .sa_flags = flags };
    sigemptyset(&sa.sa_mask);
    sigaction(number, &sa, NULL);
}

void interrupt_catch(void)
{
    struct sigaction old;
    asked = 0;
    // after the first signal the default comes back, so that an impatient second one always works
    set_action(SIGINT, note_signal, (int)SA_RESETHAND);
    set_action(SIGTERM, note_signal, (int)SA_RESETHAND);
    // who started it under nohup wants it to outlive the terminal
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        set_action(SIGHUP, note_signal, (int)SA_RESETHAND);
    }
}

void interrupt_release(void)
{
    set_action(SIGINT, SIG_DFL, 0);
    set_action(SIGTERM, SIG_DFL, 0);
    struct sigaction old;
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        set_action(SIGHUP, SIG_DFL, 0);
    }
}

bool interrupt_asked(void) { return asked != 0; }

exit_code interrupt_code(void) { return (exit_code)(128 + asked); }
