// SPDX-License-Identifier: MIT
/* outfile.h - result files that are whole or not there.
 *
 * What is written goes to FILE.part beside FILE and replaces FILE in one move when all of it is there: nobody ever sees half a
 * file, and what went wrong leaves the older FILE as it was. Links are followed: the file behind them is replaced, the link stays.
 * Devices and pipes are written to as they are. Folders, disks and sockets are refused, and so is a file that another process
 * is writing now. The replaced file keeps its permissions, and its owner where the system allows it. */
#pragma once
#include <biela/biela.h>
#include <stdio.h>
BI_BEGIN

typedef struct bi_outfile bi_outfile;

/* A file to be written. A FILE.part that a killed process left is written over. NULL: refused or no memory, see the report. */
bi_outfile *bi_outfile_open(const char *path, bi_report *);
/* FILE.part as a killed process left it; where there is none, a copy of FILE. To be read and cut by its user before
 * more is written. NULL: there is neither, see the report. */
bi_outfile *bi_outfile_continue(const char *path, bi_report *);
/* The stream, for writing (and reading, after `continue`). Owned by the output. */
FILE *bi_outfile_file(bi_outfile *);
/* The name under which the bytes are gathered, for libraries and programs that open files by themselves. */
const char *bi_outfile_name(const bi_outfile *);
/* Everything goes to the system. NULL: all was taken; otherwise why not. Valid as long as the output. */
const char *bi_outfile_failure(bi_outfile *);

/* The end, one of these; all of them free the output.
 * commit: the file appears under its name. BI_BAD_FILE: some byte was refused; it is discarded and the report says why.
 * discard: FILE.part is removed, unless `continue` found it; FILE stays as it was.
 * leave: FILE.part stays beside FILE. */
bi_status bi_outfile_commit(bi_outfile *, bi_report *);
void bi_outfile_discard(bi_outfile *);
void bi_outfile_leave(bi_outfile *);
/* For sets of many files that appear together: closes the stream before the end, so that no descriptor is held.
 * BI_BAD_FILE: some byte was refused; commit will say why. */
bi_status bi_outfile_close(bi_outfile *);

/* Whether a path is a device or a pipe, behind links: what is written there cannot be read again. */
bool bi_outfile_is_stream(const char *path);
/* Whether an output of this name would change `other`: it is the same file, behind links and other names of it (hard
 * links included), or the FILE.part in which the output is gathered. Neither needs to exist. Devices and pipes change
 * nothing. */
bool bi_outfile_touches(const char *path, const char *other);
BI_END
