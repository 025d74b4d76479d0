// SPDX-License-Identifier: MIT
/* record.h - a drive in one file: the model with everything it reads, how it was run, the state at the start, the inputs of
 * every step and hashes on the way. Enough to repeat it to the bit, or with other parameters.
 *
 * The file is a list of pieces, each with its length and a checksum, and is only ever appended to: whenever the program is
 * killed, everything up to the last piece can be read. It is FILE.part until it ends (<biela/outfile.h>). Format:
 * docs/reference/recording.md. */
#pragma once
#include <biela/realtime.h>
BI_BEGIN

/* ---- writing ------------------------------------------------------------------------------------------- */
typedef struct bi_recorder bi_recorder;
bi_recorder *bi_recorder_create(const char *path, bi_report *); /* NULL: see the report */
/* What does not change, in this order; false: the disk refuses, and nothing more is written. */
bool bi_recorder_note(bi_recorder *, const char *key, const char *value);
bool bi_recorder_file(bi_recorder *, const char *path); /* contents, or only the hash of a file above 4 MiB */
bool bi_recorder_begin(bi_recorder *, const bi_system *, const bi_sim *); /* names of inputs, snapshot */
/* What happens. Entries are gathered; flush writes them as one piece. */
void bi_recorder_add(bi_recorder *, const bi_log_entry *);
bool bi_recorder_flush(bi_recorder *);
/* The drive ended by itself: all is written, and the file gets its name. Nothing can be added after that. */
bool bi_recorder_end(bi_recorder *, const char *summary);
const char *bi_recorder_path(const bi_recorder *);
const char *bi_recorder_name(const bi_recorder *);    /* where it is now: FILE.part until it ended */
const char *bi_recorder_failure(const bi_recorder *); /* NULL: all is well */
void bi_recorder_destroy(bi_recorder *); /* without an end FILE.part stays, up to the last flush */

/* ---- reading ------------------------------------------------------------------------------------------- */
typedef struct {
    char *key, *value;
} bi_recorded_note;
typedef struct {
    char *name;  /* as it was found then */
    char *bytes; /* (size); NULL: only the hash was kept */
    size_t size;
    uint64_t hash;
} bi_recorded_file;
typedef struct {
    int n_note, n_file, n_input;
    bi_recorded_note *note;
    bi_recorded_file *file; /* the first one is the model file */
    char **input;           /* names (n_input) */
    char *snapshot;
    size_t snapshot_size;
    int64_t n_entry;
    bi_log_entry *entry;
    char *summary; /* NULL: it did not end by itself */
    size_t lost;   /* bytes behind the last whole piece */
} bi_recording;
/* False: nothing in it can be used; see the report. A file that ends early, or is damaged, gives what stands before
 * that, and a warning. */
bool bi_recording_read(const char *path, bi_recording *, bi_report *);
bool bi_recording_parse(const void *bytes, size_t size, const char *path, bi_recording *, bi_report *);
/* One timeline (bi_recording_track) as a line of text, "drive=...", for an address: names, settings, inputs, hashes. Neither
 * files nor snapshot: the model is one that whoever reads it has, known by its name and its hash. A file that holds such a
 * line, or the line itself as `path`, is read as recordings are: n_file is 0, snapshot NULL. NULL: no memory, no such
 * branch. Free it. */
char *bi_recording_link(const bi_recording *, int branch);
void bi_recording_clear(bi_recording *);
const char *bi_recording_note(const bi_recording *, const char *key); /* the first one; NULL: none */
/* Writes the files under the folder, names as seen from the model file, and gives the path of the model file there, to
 * be freed. Files of which only the hash was kept are looked for where they were. NULL: see the report. */
char *bi_recording_unpack(const bi_recording *, const char *folder, bi_report *);

/* One timeline of a recording: 0 is the first, each time somebody took over begins another. */
typedef struct {
    int64_t steps;
    int64_t n_change, n_hash;
    bi_log_entry *change; /* (n_change) by step */
    bi_log_entry *hash;   /* (n_hash) by step */
} bi_track;
int bi_recording_branches(const bi_recording *); /* 1 at least */
bool bi_recording_track(const bi_recording *, int branch,
                        bi_track *); /* -1: the last; false: no memory or no such branch */
void bi_track_clear(bi_track *);
BI_END
