// SPDX-License-Identifier: MIT
#include "running/outfiles.h"
#include "cli/files.h"

static void print_and_clear(bi_report *report)
{
    bi_report_print(report, stderr);
    bi_report_clear(report);
}

bi_outfile *outfiles_begin(const char *path)
{
    bi_report report = { 0 };
    bi_outfile *output = file_make_folders(path) ? bi_outfile_open(path, &report) : NULL;
    print_and_clear(&report);
    return output;
}

bool outfiles_end(bi_outfile *output)
{
    bi_report report = { 0 };
    bool is_written = bi_outfile_commit(output, &report) == BI_OK;
    print_and_clear(&report);
    return is_written;
}

bi_csv *outfiles_begin_table(const char *path, const bi_system *system)
{
    bi_report report = { 0 };
    bi_csv *csv = file_make_folders(path) ? bi_csv_create(path, system, &report) : NULL;
    print_and_clear(&report);
    return csv;
}

bool outfiles_end_table(bi_csv *csv, const char *path)
{
    const char *failure = bi_csv_failure(csv);
    if (failure) {
        fprintf(stderr, "%s: error: cannot be written: %s\n", path, failure);
        bi_csv_discard(csv);
        return false;
    }
    if (bi_csv_close(csv) != BI_OK) {
        fprintf(stderr, "%s: error: cannot be written\n", path);
        return false;
    }
    return true;
}
