// SPDX-License-Identifier: MIT
/* claims.h - which files a command reads and which it will write, known before its work begins: none is both, and none
 * is written twice. Links and other names of the same file count as the file. */
#pragma once
#include <stdbool.h>

typedef struct {
    char *what; /* "--out"; NULL: the file is read */
    char *path;
} claim;

typedef struct {
    claim *item; /* (count) in order */
    int count, capacity;
    char *model; /* whose names are in the list; many runs of a model look once */
} claims;

/* `files` may be NULL: nothing is kept then, and nothing refused. */
void claims_read(claims *files, const char *path);
/* A model file and everything that it names, read in this run or in another one. */
void claims_read_model(claims *files, const char *path);
/* `what` is the option that the name comes from. False: the file is claimed already; both names are printed on stderr,
 * and the command must end with CLI_BAD. A NULL path is no file. Devices and pipes take what comes. */
bool claims_write(claims *files, const char *what, const char *path);
/* The same for the name with another ending: FILE.csv -> FILE.png. Nothing stands beside a device. */
bool claims_write_beside(claims *files, const char *what, const char *path, const char *ending);
void claims_clear(claims *files);
