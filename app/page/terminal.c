// SPDX-License-Identifier: MIT
// Inside a page there is no terminal that a text could command: what is printed goes to the worker line by line.
#include "cli/terminal.h"

void terminal_guard(void) {}

void terminal_erase_line(void) {}
