// SPDX-License-Identifier: MIT
/* sources.h - what an FMU takes along of Biela: its library for this kind of machine, and the pages it is made of. */
#pragma once
#include "export/zip_write.h"

typedef struct {
    char *folder; /* with a slash at its end */
    char **name;  /* (count) of the pages, in the order of the alphabet */
    int count;
} source_pages;

/* Folder of a file that the build, or the installation, has beside the program, with a slash; prints that it is missing: NULL.
 * Free it. */
char *sources_folder(const char *file);
/* The pages and where they are; false: printed why. Clear in both cases. */
bool sources_find(source_pages *);
void sources_clear(source_pages *);
bool sources_is_compiled(const char *name); /* it is given to the compiler, else included */
/* The pages as sources/..., and how to compile them as FMI 3.0 wants it. False: printed why. */
bool sources_add(zip_writer *, const source_pages *, const char *identifier, int version);
/* The bytes of a file; NULL: printed why. Free them. */
char *sources_read(const char *path, size_t *size);
bool sources_add_file(zip_writer *, const char *name, const char *path);
