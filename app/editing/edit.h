// SPDX-License-Identifier: MIT
/* edit.h - a model file that a page of this machine reads, and replaces when somebody says so: `biela drive MODEL --edit`. */
#pragma once
#include "cli/command.h"
#include <biela/biela.h>
#include <stddef.h>

enum { EDIT_MOST = 1 << 20 /* bytes that a text may have */ };

/* The one file, and what else the model reads. */
typedef struct {
    char *path;      /* owned: of the model file */
    char *folder;    /* owned: where it stands, with a slash at its end, or "" */
    const char *why; /* why it cannot be saved; NULL: it can */
    char **other;    /* (n_other) owned: other files that the model reads, those in its folder and below */
    int n_other;
} edit_file;

/* False: there is no such model; told. */
bool edit_file_open(edit_file *, const char *model);
void edit_file_close(edit_file *);
/* The bytes that stand there now, zero-terminated. Free them. NULL: it cannot be read. */
char *edit_file_text(const char *path, size_t *length);
/* 16 digits that a changed text changes. */
typedef struct {
    char digits[17];
} edit_hash;
edit_hash edit_hash_of(const char *text, size_t length);
/* Replaces the file when its bytes are still those of `was`; nothing else is ever written. NULL: done; otherwise why not, in `why`. */
const char *edit_file_save(const edit_file *, const char *text, size_t length, const char *was, char *why,
                           size_t size);

/* Serves the page with the editor until the user interrupts. */
exit_code edit_serve(const arguments *);
