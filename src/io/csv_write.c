// SPDX-License-Identifier: MIT
#include "io/hdf5.h"
#include <biela/io.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bi_csv {
    FILE *file;
    char *path, *part; // the final name, and the one while it grows
    char *buffer;      // of `file`
    double *row;       // (n_channel)
    int n_channel;
    hdf5_file *hdf5; // instead of `file`; NULL: it is CSV
};

enum { CSV_BUFFER = 1 << 20 }; // bytes; a row is far smaller, so writing is one call in many rows

static void csv_free(bi_csv *csv)
{
    if (csv->file) {
        fclose(csv->file);
    }
    free(csv->path);
    free(csv->part);
    free(csv->buffer);
    free(csv->row);
    free(csv);
}

static void write_header(bi_csv *csv, const bi_system *system)
{
    fputc('t', csv->file);
    for (int k = 0; k < csv->n_channel; k++) {
        fprintf(csv->file, ",%s", bi_channel_name(system, bi_channel_at(system, k)));
    }
    fputc('\n', csv->file);
}

// Everything but the file. NULL: no memory, told.
static bi_csv *csv_make(const char *path, const bi_system *system, bi_report *report)
{
    bi_csv *csv = calloc(1, sizeof *csv);
    if (!csv) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        return NULL;
    }
    size_t length = strlen(path);
    csv->n_channel = bi_channel_count(system);
    csv->path = malloc(length + 1);
    csv->part = malloc(length + sizeof ".part");
    csv->buffer = malloc(CSV_BUFFER);
    csv->row = malloc(((size_t)csv->n_channel + 1) * sizeof *csv->row);
    if (!csv->path || !csv->part || !csv->buffer || !csv->row) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        csv_free(csv);
        return NULL;
    }
    memcpy(csv->path, path, length + 1);
    memcpy(csv->part, path, length);
    memcpy(csv->part + length, ".part", sizeof ".part");
    return csv;
}

bi_csv *bi_csv_create(const char *path, const bi_system *system, bi_report *report)
{
    bi_csv *csv = csv_make(path, system, report);
    if (!csv) {
        return NULL;
    }
    if (hdf5_is_meant(path)) {
        csv->hdf5 = hdf5_create(csv->part, path, system, report);
        if (!csv->hdf5) {
            csv_free(csv);
            return NULL;
        }
        return csv;
    }
    csv->file = fopen(csv->part, "wb");
    if (!csv->file) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "", "cannot be written: %s",
                      strerror(errno));
        csv_free(csv);
        return NULL;
    }
    setvbuf(csv->file, csv->buffer, _IOFBF, CSV_BUFFER);
    write_header(csv, system);
    return csv;
}

// The file must begin with the header of this system's channels.
static bool has_header(bi_csv *csv, const bi_system *system)
{
    bool is_same = fgetc(csv->file) == 't';
    for (int k = 0; is_same && k < csv->n_channel; k++) {
        const char *name = bi_channel_name(system, bi_channel_at(system, k));
        is_same = fgetc(csv->file) == ',';
        for (; is_same && *name; name++) {
            is_same = fgetc(csv->file) == (unsigned char)*name;
        }
    }
    return is_same && fgetc(csv->file) == '\n';
}

bi_csv *bi_csv_resume(const char *path, const bi_system *system, int64_t position, bi_report *report)
{
    bi_csv *csv = csv_make(path, system, report);
    if (!csv) {
        return NULL;
    }
    if (hdf5_is_meant(path)) {
        // as below, an interrupted run was closed
        if (access(csv->part, F_OK) != 0 && rename(csv->path, csv->part) != 0) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                          "cannot be continued: %s; the file that the run began is needed", strerror(errno));
        } else {
            csv->hdf5 = hdf5_resume(csv->part, path, system, position, report);
        }
        if (!csv->hdf5) {
            csv_free(csv);
            return NULL;
        }
        return csv;
    }
    // an interrupted run was closed: its file has its own name again
    csv->file = fopen(csv->part, "r+b");
    if (!csv->file && rename(csv->path, csv->part) == 0) {
        csv->file = fopen(csv->part, "r+b");
    }
    bool is_long = csv->file && fseek(csv->file, 0, SEEK_END) == 0 && ftell(csv->file) >= position;
    bool is_same = is_long && fseek(csv->file, 0, SEEK_SET) == 0 && has_header(csv, system);
    bool is_cut =
        is_same && ftruncate(fileno(csv->file), (off_t)position) == 0 && fseek(csv->file, 0, SEEK_END) == 0;
    if (!is_cut) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                      "cannot be continued: %s; the file that the run began is needed",
                      !csv->file ? strerror(errno)
                      : !is_long ? "it is shorter than the checkpoint says"
                      : !is_same ? "its columns are not those of this model"
                                 : strerror(errno));
        csv_free(csv);
        return NULL;
    }
    return csv;
}

int64_t bi_csv_position(bi_csv *csv)
{
    if (csv->hdf5) {
        return hdf5_rows(csv->hdf5);
    }
    return fflush(csv->file) == 0 ? (int64_t)ftell(csv->file) : -1;
}

bi_status bi_csv_row(bi_csv *csv, bi_sim *sim)
{
    bi_sim_read_all(sim, csv->row);
    if (csv->hdf5) {
        return hdf5_row(csv->hdf5, bi_sim_view(sim).t, csv->row) ? BI_OK : BI_BAD_FILE;
    }
    fprintf(csv->file, "%.17g", bi_sim_view(sim).t);
    for (int k = 0; k < csv->n_channel; k++) {
        fprintf(csv->file, ",%.17g", csv->row[k]);
    }
    // a full disk shows here, at the latest when the buffer goes out
    bool has_failed = fputc('\n', csv->file) == EOF || ferror(csv->file);
    return has_failed ? BI_BAD_FILE : BI_OK;
}

bi_status bi_csv_note(bi_csv *csv, const char *key, const char *value)
{
    return !csv->hdf5 || hdf5_note(csv->hdf5, key, value) ? BI_OK : BI_BAD_FILE;
}

bi_status bi_csv_close(bi_csv *csv)
{
    if (!csv) {
        return BI_OK;
    }
    bool has_failed = csv->hdf5 ? !hdf5_close(csv->hdf5) : ferror(csv->file) != 0;
    has_failed = (csv->file && fclose(csv->file) != 0) || has_failed;
    csv->file = NULL;
    // half a table stays under its other name, so that nobody takes it for a whole one
    has_failed = has_failed || rename(csv->part, csv->path) != 0;
    csv_free(csv);
    return has_failed ? BI_BAD_FILE : BI_OK;
}
