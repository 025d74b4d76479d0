// SPDX-License-Identifier: MIT
// Results as CSV, row by row; HDF5 behind the same face.
#include "io/results/hdf5.h"
#include <biela/io.h>
#include <biela/loop.h>
#include <biela/outfile.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bi_csv {
    bi_outfile *output;
    FILE *file;   // of `output`
    char *buffer; // of `file`
    double *row;  // (n_channel)
    double t;     // of that row
    int n_channel;
    bool has_row;
    hdf5_file *hdf5; // in place of `file`; NULL: it is CSV
};

enum { CSV_BUFFER = 1 << 20 }; // bytes; a row is far smaller, so writing is one call in many rows

// The output is the caller's business: it ends in one of several ways.
static void csv_free(bi_csv *csv)
{
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

// A table around the output, which it owns then. NULL: reported, and the output is discarded.
static bi_csv *csv_make(bi_outfile *output, const bi_system *system, const char *path, bi_report *report)
{
    bi_csv *csv = output ? calloc(1, sizeof *csv) : NULL;
    if (csv) {
        csv->n_channel = bi_channel_count(system);
        csv->output = output;
        csv->file = bi_outfile_file(output);
        csv->buffer = malloc(CSV_BUFFER);
        csv->row = malloc(((size_t)csv->n_channel + 1) * sizeof *csv->row);
    }
    if (output && (!csv || !csv->buffer || !csv->row)) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        bi_outfile_discard(output);
        if (csv) {
            csv_free(csv);
        }
        return NULL;
    }
    if (csv) {
        setvbuf(csv->file, csv->buffer, _IOFBF, CSV_BUFFER);
    }
    return csv;
}

static bool is_usable(const char *path, const bi_system *system, bi_report *report)
{
    if (!path || !path[0] || !system) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "results need a file and a system");
        return false;
    }
    return true;
}

static bool is_seekable(const char *path, bi_report *report)
{
    if (bi_outfile_is_stream(path)) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                      "cannot be written: HDF5 needs a plain file, and this is a device or a pipe");
        return false;
    }
    return true;
}

bi_csv *bi_csv_create(const char *path, const bi_system *system, bi_report *report)
{
    if (!is_usable(path, system, report)) {
        return NULL;
    }
    bool is_hdf5 = hdf5_is_meant(path);
    if (is_hdf5 && !is_seekable(path, report)) {
        return NULL;
    }
    bi_csv *csv = csv_make(bi_outfile_open(path, report), system, path, report);
    if (csv && !is_hdf5) {
        write_header(csv, system);
    } else if (csv) {
        csv->hdf5 = hdf5_create(bi_outfile_name(csv->output), path, system, report);
        if (!csv->hdf5) {
            bi_outfile_discard(csv->output);
            csv_free(csv);
            return NULL;
        }
    }
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

// The row that ends at `position`, into `row`. False: none does.
static bool read_row_before(bi_csv *csv, int64_t position)
{
    // a number has 24 letters at most, and its comma
    long most = 25L * (csv->n_channel + 1) + 2, size = position < most ? (long)position : most;
    char *text = calloc(1, (size_t)size + 1), *end;
    bool is_good = text && fseek(csv->file, (long)position - size, SEEK_SET) == 0 &&
                   fread(text, 1, (size_t)size, csv->file) == (size_t)size && size > 1 &&
                   text[size - 1] == '\n';
    if (is_good) {
        text[size - 1] = '\0';
        const char *line = strrchr(text, '\n');
        csv->t = strtod(line ? line + 1 : text, &end);
        for (int k = 0; k < csv->n_channel && is_good; k++) {
            is_good = *end == ',';
            csv->row[k] = is_good ? strtod(end + 1, &end) : 0.0;
        }
        is_good = is_good && *end == '\0';
    }
    free(text);
    csv->has_row = is_good;
    return is_good;
}

// Behind the rows up to `position`, everything else cut off. NULL: done; otherwise why not.
static const char *cut(bi_csv *csv, const bi_system *system, int64_t position, uint64_t mark)
{
    if (fseek(csv->file, 0, SEEK_END) != 0 || ftell(csv->file) < position) {
        return "it is shorter than the checkpoint says";
    }
    if (fseek(csv->file, 0, SEEK_SET) != 0 || !has_header(csv, system)) {
        return "its columns are not those of this model";
    }
    if (mark != 0 && (!read_row_before(csv, position) || bi_csv_mark(csv) != mark)) {
        return "its rows are those of another run";
    }
    bool is_cut = ftruncate(fileno(csv->file), (off_t)position) == 0 && fseek(csv->file, 0, SEEK_END) == 0;
    return is_cut ? NULL : strerror(errno);
}

// Opens it, with its last row. False: reported.
static bool resume_hdf5(bi_csv *csv, const bi_system *system, const char *path, int64_t rows,
                        bi_report *report)
{
    double *last = malloc(((size_t)csv->n_channel + 1) * sizeof *last);
    csv->hdf5 = last ? hdf5_resume(bi_outfile_name(csv->output), path, system, rows, last, report) : NULL;
    if (csv->hdf5) {
        csv->t = last[0];
        memcpy(csv->row, last + 1, (size_t)csv->n_channel * sizeof *last);
        csv->has_row = true;
    }
    free(last);
    return csv->hdf5 != NULL;
}

static const char *cut_hdf5(bi_csv *csv, uint64_t mark)
{
    const char *why = mark != 0 && bi_csv_mark(csv) != mark ? "its rows are those of another run"
                      : !hdf5_cut(csv->hdf5)                ? "its columns cannot be cut"
                                                            : NULL;
    if (why) {
        (void)hdf5_close(csv->hdf5);
    }
    return why;
}

bi_csv *bi_csv_resume(const char *path, const bi_system *system, int64_t position, uint64_t mark,
                      bi_report *report)
{
    if (!is_usable(path, system, report)) {
        return NULL;
    }
    if (position < 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ path, 0, 0 }, "",
                      "cannot be continued at a place before its beginning");
        return NULL;
    }
    bi_csv *csv = csv_make(bi_outfile_continue(path, report), system, path, report);
    if (!csv) {
        return NULL;
    }
    const char *why = NULL;
    bool is_told = false;
    if (hdf5_is_meant(path)) {
        is_told = !resume_hdf5(csv, system, path, position, report);
        why = is_told ? NULL : cut_hdf5(csv, mark);
    } else {
        why = cut(csv, system, position, mark);
    }
    if (why) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                      "cannot be continued: %s; the file that the run began is needed", why);
    }
    if (why || is_told) {
        bi_outfile_discard(csv->output);
        csv_free(csv);
        return NULL;
    }
    return csv;
}

uint64_t bi_csv_mark(const bi_csv *csv)
{
    if (!csv || !csv->has_row) {
        return 0;
    }
    // FNV-1a
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = -1; k < csv->n_channel; k++) {
        const unsigned char *byte = (const unsigned char *)(k < 0 ? &csv->t : &csv->row[k]);
        for (size_t i = 0; i < sizeof(double); i++) {
            hash = (hash ^ byte[i]) * 0x100000001b3u;
        }
    }
    return hash ? hash : 1;
}

int64_t bi_csv_position(bi_csv *csv)
{
    if (!csv) {
        return -1;
    }
    if (csv->hdf5) {
        return hdf5_rows(csv->hdf5);
    }
    return fflush(csv->file) == 0 ? (int64_t)ftell(csv->file) : -1;
}

bi_status bi_csv_row(bi_csv *csv, bi_sim *sim)
{
    if (!csv || !sim) {
        return BI_BAD_ARGUMENT;
    }
    bi_sim_read_all(sim, csv->row);
    csv->t = bi_sim_time(sim);
    csv->has_row = true;
    if (csv->hdf5) {
        return hdf5_row(csv->hdf5, csv->t, csv->row) ? BI_OK : BI_BAD_FILE;
    }
    fprintf(csv->file, "%.17g", csv->t);
    for (int k = 0; k < csv->n_channel; k++) {
        fprintf(csv->file, ",%.17g", csv->row[k]);
    }
    // a full disk shows here, at the latest when the buffer goes out
    bool has_failed = fputc('\n', csv->file) == EOF || ferror(csv->file);
    return has_failed ? BI_BAD_FILE : BI_OK;
}

bi_status bi_csv_note(bi_csv *csv, const char *key, const char *value)
{
    if (!csv || !key || !value) {
        return BI_BAD_ARGUMENT;
    }
    return !csv->hdf5 || hdf5_note(csv->hdf5, key, value) ? BI_OK : BI_BAD_FILE;
}

const char *bi_csv_failure(bi_csv *csv)
{
    return !csv ? "there is no table" : csv->hdf5 ? hdf5_failure(csv->hdf5) : bi_outfile_failure(csv->output);
}

const char *bi_csv_name(const bi_csv *csv) { return csv ? bi_outfile_name(csv->output) : NULL; }

bi_status bi_csv_close(bi_csv *csv)
{
    if (!csv) {
        return BI_OK;
    }
    bool has_failed = csv->hdf5 ? !hdf5_close(csv->hdf5) : bi_outfile_failure(csv->output) != NULL;
    if (has_failed) {
        // the rows of a long run are worth something, but nobody may take them for all rows
        bi_outfile_leave(csv->output);
    } else {
        has_failed = bi_outfile_commit(csv->output, NULL) != BI_OK;
    }
    csv_free(csv);
    return has_failed ? BI_BAD_FILE : BI_OK;
}

static void csv_end(bi_csv *csv, void (*end)(bi_outfile *))
{
    if (csv && csv->hdf5) {
        (void)hdf5_close(csv->hdf5);
    }
    if (csv) {
        end(csv->output);
        csv_free(csv);
    }
}

void bi_csv_leave(bi_csv *csv) { csv_end(csv, bi_outfile_leave); }

void bi_csv_discard(bi_csv *csv) { csv_end(csv, bi_outfile_discard); }
