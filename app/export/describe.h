// SPDX-License-Identifier: MIT
/* describe.h - modelDescription.xml of an FMU, for FMI 2.0 and 3.0. */
#pragma once
#include "export/sources.h"
#include "running/session.h"

typedef struct {
    const session *s;
    const bi_document *document; /* of the model file: which parameters follow from others; may be NULL */
    const char *run_name;        /* may be NULL */
    const char *identifier;      /* of the library */
    const char *token;
    int version;      /* 2 or 3 */
    bool is_exchange; /* for model exchange; else for co-simulation */
    const source_pages
        *pages; /* of the library, with a compiled model whose parameters are fixed; NULL: none */
} description;

void describe(const description *, FILE *);
