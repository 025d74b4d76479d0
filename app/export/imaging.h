// SPDX-License-Identifier: MIT
/* imaging.h - the compiled system of a request as an image. */
#pragma once
#include "running/session.h"

typedef struct {
    const session_request *request;
    session_image_note note; /* goes into the image */
    time_grid grid;          /* of its steps */
    exit_code code;          /* of reading and compiling */
    char *name;              /* of the model, short; free it */
    uint64_t hash;           /* of the system */
} imaging;

/* Reads and compiles twice. Free the result; NULL: the report says why. */
void *imaging_make(imaging *, size_t *size, bi_report *);
/* What the command tells when there is no image. */
exit_code imaging_code(const imaging *);
