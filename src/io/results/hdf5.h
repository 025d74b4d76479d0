// SPDX-License-Identifier: MIT
// Results as HDF5: one data set per channel, streamed in chunks. Without libhdf5 at build, creating and reading say so.
#pragma once
#include <biela/io.h>

typedef struct hdf5_file hdf5_file;

// The name says HDF5: .h5 or .hdf5.
bool hdf5_is_meant(const char *path);
// The first bytes say HDF5.
bool hdf5_is_file(const char *path);

// A file under construction at `part`; messages name `path`. NULL: see the report.
hdf5_file *hdf5_create(const char *part, const char *path, const bi_system *system, bi_report *report);
// The file of an earlier run, to go on behind this many rows of it; `last` (t and the channels) is the last of them.
hdf5_file *hdf5_resume(const char *part, const char *path, const bi_system *system, int64_t rows,
                       double *last, bi_report *report);
// Cuts off what is behind these rows.
bool hdf5_cut(hdf5_file *file);
// Rows so far, all of them in the file; -1: it refuses.
int64_t hdf5_rows(hdf5_file *file);
bool hdf5_note(hdf5_file *file, const char *key, const char *value);
bool hdf5_row(hdf5_file *file, double t, const double *value);
// Why it refused something; NULL: it did not. Writes what is gathered.
const char *hdf5_failure(hdf5_file *file);
// Writes what is left. False: something could not be written.
bool hdf5_close(hdf5_file *file);

bool hdf5_read(const char *path, bi_table *table, bi_report *report);
