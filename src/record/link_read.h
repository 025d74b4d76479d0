// SPDX-License-Identifier: MIT
// Drives that come as one line of text (bi_recording_link), read into recordings without files.
#pragma once
#include <biela/record.h>

// What stands behind "drive=" in a text, which may be a whole address; NULL: there is none.
const char *link_in(const char *text, size_t size);
// False: the report says why. The recording has no files and no snapshot then.
bool link_read(const char *letters, size_t size, const char *path, bi_recording *, bi_report *);
