// SPDX-License-Identifier: MIT
// Writing: every piece is one call of write, so that a kill leaves whole pieces and at most one cut one.
#include "record/piece.h"
#include <biela/outfile.h>
#include <biela/record.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRIES = 1024 };
static const size_t largest_contents = (size_t)4 << 20;

struct bi_recorder {
    bi_outfile *output; // NULL: it has its name
    int fd;             // of `output`
    bool has_begun;     // there is something to replay
    char *path;
    char failure[160]; // "" : none
    int n_entry;
    char entry[ENTRIES * ENTRY_BYTES];
};

static bool fail(bi_recorder *r, const char *what)
{
    if (!r->failure[0]) {
        snprintf(r->failure, sizeof r->failure, "%s: %s", what, strerror(errno));
    }
    return false;
}

bi_recorder *bi_recorder_create(const char *path, bi_report *report)
{
    if (!path) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "a recording needs a file");
        return NULL;
    }
    bi_recorder *r = calloc(1, sizeof *r);
    char *own = malloc(strlen(path) + 1);
    if (!r || !own) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        free(own);
        free(r);
        return NULL;
    }
    memcpy(own, path, strlen(path) + 1);
    r->path = own;
    r->output = bi_outfile_open(path, report);
    r->fd = r->output ? fileno(bi_outfile_file(r->output)) : -1;
    // held until the file is closed or the program ends: so a reader knows that the drive goes on
    if (r->output) {
        (void)flock(r->fd, LOCK_EX | LOCK_NB);
    }
    if (!r->output || write(r->fd, record_magic, sizeof record_magic) != (ssize_t)sizeof record_magic) {
        if (r->output) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "",
                          "cannot be written: %s", strerror(errno));
        }
        bi_recorder_destroy(r);
        return NULL;
    }
    return r;
}

static bool write_piece(bi_recorder *r, uint32_t tag, const char *bytes, size_t size)
{
    // after the end there is no file
    if (r->failure[0] || !r->output) {
        return false;
    }
    char *piece = size <= LARGEST_PIECE ? malloc(PIECE_HEAD + size + PIECE_CHECK) : NULL;
    if (!piece) {
        errno = ENOMEM;
        return fail(r, "recording");
    }
    size_t whole = PIECE_HEAD + size + PIECE_CHECK, done = 0;
    put_u32(piece, tag);
    put_u32(piece + 4, (uint32_t)size);
    memcpy(piece + PIECE_HEAD, bytes, size);
    put_u32(piece + PIECE_HEAD + size, record_check(piece, bytes, size));
    off_t from = lseek(r->fd, 0, SEEK_CUR);
    while (done < whole) {
        ssize_t n = write(r->fd, piece + done, whole - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            fail(r, r->path);
            // half a piece would only confuse
            if (from >= 0 && ftruncate(r->fd, from) != 0) {
                break;
            }
            break;
        }
        done += (size_t)n;
    }
    free(piece);
    return done == whole;
}

bool bi_recorder_note(bi_recorder *r, const char *key, const char *value)
{
    if (!r || !key || !value) {
        return false;
    }
    size_t n = strlen(key) + 1, m = strlen(value) + 1;
    char *bytes = malloc(n + m);
    if (!bytes) {
        return fail(r, "recording");
    }
    memcpy(bytes, key, n);
    memcpy(bytes + n, value, m);
    bool is_good = write_piece(r, piece_note, bytes, n + m);
    free(bytes);
    return is_good;
}

static char *whole_file(const char *path, size_t *size)
{
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= LARGEST_PIECE / 2
                     ? fopen(path, "rb")
                     : NULL;
    char *bytes = file ? malloc((size_t)about.st_size + 1) : NULL;
    *size = bytes ? fread(bytes, 1, (size_t)about.st_size, file) : 0;
    if (file) {
        fclose(file);
    }
    return bytes;
}

// "models/a/../b/x" is "models/b/x"; in place. Names that begin with ".." stay as they are.
static void shorten(char *path)
{
    for (char *up = strstr(path, "/../"); up && up > path; up = strstr(path, "/../")) {
        char *from = up;
        while (from > path && from[-1] != '/') {
            from--;
        }
        if (strncmp(from, "../", 3) == 0) {
            return;
        }
        memmove(from, up + 4, strlen(up + 4) + 1);
    }
}

// The name under which a file is kept: as given, or absolute when it leads upwards.
static char *name_of(const char *path)
{
    char *name = malloc(strlen(path) + 1);
    if (name) {
        memcpy(name, path, strlen(path) + 1);
        shorten(name);
    }
    if (name && strstr(name, "..")) {
        char *whole = realpath(path, NULL);
        if (whole) {
            free(name);
            return whole;
        }
    }
    return name;
}

bool bi_recorder_file(bi_recorder *r, const char *path)
{
    if (!r || !path) {
        return false;
    }
    char *name = name_of(path);
    size_t size = 0, n = name ? strlen(name) + 1 : 0;
    char *contents = name ? whole_file(path, &size) : NULL;
    size_t kept = contents && size <= largest_contents ? size : 0;
    char *bytes = contents ? malloc(20 + n + kept) : NULL;
    if (!bytes) {
        free(contents);
        free(name);
        return fail(r, path);
    }
    // hash, length, whether the contents follow, name, contents
    put_u64(bytes, record_hash(record_hash_seed, contents, size));
    put_u64(bytes + 8, size);
    put_u32(bytes + 16, size <= largest_contents);
    memcpy(bytes + 20, name, n);
    memcpy(bytes + 20 + n, contents, kept);
    bool is_good = write_piece(r, piece_file, bytes, 20 + n + kept);
    free(bytes);
    free(contents);
    free(name);
    return is_good;
}

static bool write_names(bi_recorder *r, const bi_system *system)
{
    size_t size = 0;
    for (int k = 0; k < bi_input_count(system); k++) {
        size += strlen(bi_input_name(system, k)) + 1;
    }
    char *bytes = malloc(size + 1), *to = bytes;
    for (int k = 0; bytes && k < bi_input_count(system); k++) {
        size_t n = strlen(bi_input_name(system, k)) + 1;
        memcpy(to, bi_input_name(system, k), n);
        to += n;
    }
    bool is_good = bytes && write_piece(r, piece_inputs, bytes, size);
    free(bytes);
    return is_good;
}

bool bi_recorder_begin(bi_recorder *r, const bi_system *system, const bi_sim *sim)
{
    if (!r || !system || !sim) {
        return false;
    }
    size_t size = bi_sim_save(sim, NULL, 0);
    char *bytes = malloc(size);
    bool is_good = bytes && write_names(r, system) && bi_sim_save(sim, bytes, size) == size &&
                   write_piece(r, piece_snapshot, bytes, size);
    free(bytes);
    r->has_begun = is_good;
    return is_good || fail(r, "recording");
}

void bi_recorder_add(bi_recorder *r, const bi_log_entry *entry)
{
    if (!r || !entry) {
        return;
    }
    if (r->n_entry == ENTRIES && !bi_recorder_flush(r)) {
        return;
    }
    char *to = r->entry + ENTRY_BYTES * r->n_entry++;
    uint64_t bits;
    memcpy(&bits, &entry->value, sizeof bits);
    put_u32(to, (uint32_t)entry->kind);
    put_u32(to + 4, (uint32_t)entry->input);
    put_u64(to + 8, (uint64_t)entry->step);
    put_u64(to + 16, entry->kind == BI_LOG_HASH ? entry->hash : bits);
}

bool bi_recorder_flush(bi_recorder *r)
{
    if (!r) {
        return false;
    }
    size_t size = (size_t)r->n_entry * ENTRY_BYTES;
    r->n_entry = 0;
    return size == 0 ? !r->failure[0] : write_piece(r, piece_log, r->entry, size);
}

bool bi_recorder_end(bi_recorder *r, const char *summary)
{
    summary = summary ? summary : "";
    bi_report report = { 0 };
    if (!bi_recorder_flush(r) || !write_piece(r, piece_end, summary, strlen(summary) + 1) ||
        (fdatasync(r->fd) != 0 && errno != EINVAL && !fail(r, r->path))) {
        return false;
    }
    bool is_good = bi_outfile_commit(r->output, &report) == BI_OK;
    r->output = NULL;
    if (!is_good) {
        snprintf(r->failure, sizeof r->failure, "%s", report.count > 0 ? report.issue[0].what : r->path);
    }
    bi_report_clear(&report);
    return is_good;
}

const char *bi_recorder_path(const bi_recorder *r) { return r ? r->path : NULL; }

const char *bi_recorder_name(const bi_recorder *r)
{
    return !r ? NULL : r->output ? bi_outfile_name(r->output) : r->path;
}

const char *bi_recorder_failure(const bi_recorder *r)
{
    return !r ? "there is no recording" : r->failure[0] ? r->failure : NULL;
}

void bi_recorder_destroy(bi_recorder *r)
{
    if (r && r->output && r->has_begun) {
        (void)bi_recorder_flush(r);
        bi_outfile_leave(r->output);
    } else if (r) {
        bi_outfile_discard(r->output);
    }
    if (r) {
        free(r->path);
        free(r);
    }
}
