// SPDX-License-Identifier: MIT
// The files of a recording in a folder, so that the model is read as it was then.
#include "record/piece.h"
#include <biela/record.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char *join(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    char *path = malloc(n + m + 2);
    if (path) {
        memcpy(path, a, n);
        path[n] = '/';
        memcpy(path + n + 1, b, m + 1);
    }
    return path;
}

// How many letters of the folder of `a` all names share.
static size_t common_folder(const bi_recording *r)
{
    const char *slash = strrchr(r->file[0].name, '/');
    size_t n = slash ? (size_t)(slash - r->file[0].name) + 1 : 0;
    for (int k = 1; k < r->n_file; k++) {
        while (n > 0 && strncmp(r->file[k].name, r->file[0].name, n) != 0) {
            do {
                n--;
            } while (n > 0 && r->file[0].name[n - 1] != '/');
        }
    }
    return n;
}

// "a/../b" would leave the folder; "/x" too.
static bool is_inside(const char *name)
{
    if (name[0] == '/' || !*name) {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if ((c == name || c[-1] == '/') && c[0] == '.' && c[1] == '.' && (c[2] == '/' || !c[2])) {
            return false;
        }
    }
    return true;
}

static bool write_file(const char *path, const char *bytes, size_t size)
{
    char *folders = malloc(strlen(path) + 1);
    if (!folders) {
        return false;
    }
    memcpy(folders, path, strlen(path) + 1);
    for (char *c = folders + 1; *c; c++) {
        if (*c == '/') {
            *c = '\0';
            mkdir(folders, 0777);
            *c = '/';
        }
    }
    free(folders);
    FILE *file = fopen(path, "wb");
    bool is_good = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && is_good;
}

// A large file of which only the hash was kept: it must still be where it was.
static char *find_again(const bi_recorded_file *f, size_t *size)
{
    struct stat about;
    FILE *file = stat(f->name, &about) == 0 && S_ISREG(about.st_mode) ? fopen(f->name, "rb") : NULL;
    char *bytes = file ? malloc((size_t)about.st_size + 1) : NULL;
    *size = bytes ? fread(bytes, 1, (size_t)about.st_size, file) : 0;
    if (file) {
        fclose(file);
    }
    if (bytes && record_hash(record_hash_seed, bytes, *size) != f->hash) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static char *unpack(const bi_recording *r, const char *folder, bi_report *report)
{
    size_t common = common_folder(r);
    int errors = report->errors;
    for (int k = 0; k < r->n_file; k++) {
        const bi_recorded_file *f = &r->file[k];
        const char *name = f->name + common;
        size_t size = f->size;
        char *found = f->bytes ? NULL : find_again(f, &size);
        char *path = is_inside(name) ? join(folder, name) : NULL;
        if (!f->bytes && !found) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, f->name,
                          "the recording keeps only the hash of this large file, and it is no longer there "
                          "or has changed");
        } else if (!path || !write_file(path, f->bytes ? f->bytes : found, size)) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, f->name, "cannot be unpacked: %s",
                          path ? strerror(errno) : "its name leads out of the folder");
        }
        free(path);
        free(found);
    }
    return report->errors == errors ? join(folder, r->file[0].name + common) : NULL;
}

char *bi_recording_unpack(const bi_recording *r, const char *folder, bi_report *report)
{
    bi_report own = { 0 };
    bool is_good = r && folder && r->n_file > 0;
    char *path = is_good ? unpack(r, folder, report ? report : &own) : NULL;
    if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is nothing to unpack");
    }
    bi_report_clear(&own);
    return path;
}
