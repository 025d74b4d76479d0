// SPDX-License-Identifier: MIT
/* terminal.h - what reaches the terminal is text. Names in models and names of files may hold control characters, which
 * can recolour, rewrite or steer a terminal; they are shown as \x1b instead. */
#pragma once

/* From now on stdout and stderr let text, line ends and tabs through, and nothing else. Without memory they stay as they are. */
void terminal_guard(void);
/* The line of stderr where the cursor stands is empty again; for lines of progress on a terminal. */
void terminal_erase_line(void);
