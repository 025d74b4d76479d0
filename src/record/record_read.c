// SPDX-License-Identifier: MIT
// Reading: piece by piece up to the first that is cut or damaged; nothing in the file is believed unseen.
#include "record/link_read.h"
#include "record/piece.h"
#include <biela/record.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { LINK_WITHIN = 4096 }; // bytes: a text that holds a drive says so at its beginning

typedef struct {
    bi_recording *out;
    int64_t capacity;
    bool no_memory;
} parser;

// Room for one more of `size` bytes.
static void *grow(parser *p, void *list, int count, size_t size)
{
    void *longer = realloc(list, ((size_t)count + 1) * size);
    p->no_memory = p->no_memory || !longer;
    return longer;
}

static char *copy(parser *p, const char *bytes, size_t size)
{
    char *own = malloc(size + 1);
    p->no_memory = p->no_memory || !own;
    if (own) {
        memcpy(own, bytes, size);
        own[size] = '\0';
    }
    return own;
}

static bool take_note(parser *p, const char *bytes, size_t size)
{
    const char *zero = memchr(bytes, '\0', size);
    size_t n = zero ? (size_t)(zero - bytes) : size;
    if (!zero || n + 1 >= size || bytes[size - 1] != '\0') {
        return false;
    }
    bi_recorded_note *list = grow(p, p->out->note, p->out->n_note, sizeof *list);
    if (!list) {
        return false;
    }
    p->out->note = list;
    list[p->out->n_note++] = (bi_recorded_note){ copy(p, bytes, n), copy(p, zero + 1, size - n - 2) };
    return true;
}

static bool take_file(parser *p, const char *bytes, size_t size)
{
    const char *zero = size > 20 ? memchr(bytes + 20, '\0', size - 20) : NULL;
    if (!zero) {
        return false;
    }
    const char *contents = zero + 1;
    size_t kept = size - (size_t)(contents - bytes);
    bool has_contents = get_u32(bytes + 16) != 0;
    if (has_contents &&
        (get_u64(bytes + 8) != kept || record_hash(record_hash_seed, contents, kept) != get_u64(bytes))) {
        return false;
    }
    bi_recorded_file *list = grow(p, p->out->file, p->out->n_file, sizeof *list);
    if (!list) {
        return false;
    }
    p->out->file = list;
    list[p->out->n_file++] = (bi_recorded_file){ .name = copy(p, bytes + 20, (size_t)(zero - bytes) - 20),
                                                 .bytes = has_contents ? copy(p, contents, kept) : NULL,
                                                 .size = kept,
                                                 .hash = get_u64(bytes) };
    return true;
}

static bool take_inputs(parser *p, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *zero = memchr(bytes + at, '\0', size - at);
        char **list = zero ? grow(p, p->out->input, p->out->n_input, sizeof *list) : NULL;
        if (!list) {
            return false;
        }
        p->out->input = list;
        list[p->out->n_input++] = copy(p, bytes + at, (size_t)(zero - bytes) - at);
        at = (size_t)(zero - bytes) + 1;
    }
    return true;
}

static bool take_entry(const bi_recording *out, const char *bytes, bi_log_entry *e)
{
    uint32_t kind = get_u32(bytes);
    uint64_t bits = get_u64(bytes + 16);
    *e = (bi_log_entry){ .kind = (bi_log_kind)kind,
                         .input = (int32_t)get_u32(bytes + 4),
                         .step = (int64_t)get_u64(bytes + 8),
                         .hash = bits };
    memcpy(&e->value, &bits, sizeof bits);
    bool is_input = kind == BI_LOG_INPUT;
    return kind <= BI_LOG_BRANCH && e->step >= 0 && e->step < INT64_C(1) << 48 &&
           (!is_input || (e->input >= 0 && e->input < out->n_input && isfinite(e->value)));
}

static bool take_log(parser *p, const char *bytes, size_t size)
{
    bi_recording *out = p->out;
    if (size % ENTRY_BYTES != 0) {
        return false;
    }
    for (size_t at = 0; at < size; at += ENTRY_BYTES) {
        if (out->n_entry == p->capacity) {
            int64_t capacity = 2 * p->capacity + 1024;
            bi_log_entry *longer = realloc(out->entry, (size_t)capacity * sizeof *longer);
            if (!longer) {
                p->no_memory = true;
                return false;
            }
            out->entry = longer;
            p->capacity = capacity;
        }
        if (!take_entry(out, bytes + at, &out->entry[out->n_entry])) {
            return false;
        }
        out->n_entry++;
    }
    return true;
}

static bool take_piece(parser *p, uint32_t tag, const char *bytes, size_t size)
{
    if (tag == piece_note) {
        return take_note(p, bytes, size);
    }
    if (tag == piece_file) {
        return take_file(p, bytes, size);
    }
    if (tag == piece_inputs) {
        return p->out->n_input == 0 && take_inputs(p, bytes, size);
    }
    if (tag == piece_log) {
        return take_log(p, bytes, size);
    }
    if (tag == piece_snapshot && !p->out->snapshot) {
        p->out->snapshot = copy(p, bytes, size);
        p->out->snapshot_size = size;
    } else if (tag == piece_end && !p->out->summary) {
        p->out->summary = copy(p, bytes, size);
    }
    return true; // pieces of later versions are passed over
}

bool bi_recording_parse(const void *data, size_t size, const char *path, bi_recording *out, bi_report *report)
{
    if (!data || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ path, 0, 0 }, "",
                      "there is no recording to read");
        return false;
    }
    const char *bytes = data;
    bi_place place = { path, 0, 0 };
    parser p = { .out = out };
    *out = (bi_recording){ 0 };
    if (size < sizeof record_magic || memcmp(bytes, record_magic, sizeof record_magic) != 0) {
        const char *link = link_in(bytes, size < LINK_WITHIN ? size : LINK_WITHIN);
        if (link) {
            return link_read(link, size - (size_t)(link - bytes), path, out, report);
        }
        bool is_other = size >= 12 && memcmp(bytes, record_magic, 12) == 0;
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "",
                      is_other ? "is a recording in a format of another version of biela"
                               : "is not a recording of biela; `biela drive` makes them");
        return false;
    }
    size_t at = sizeof record_magic;
    while (size - at >= PIECE_HEAD + PIECE_CHECK) {
        uint32_t tag = get_u32(bytes + at), length = get_u32(bytes + at + 4);
        const char *contents = bytes + at + PIECE_HEAD;
        if (length > LARGEST_PIECE || length > size - at - PIECE_HEAD - PIECE_CHECK ||
            get_u32(contents + length) != record_check(bytes + at, contents, length) ||
            !take_piece(&p, tag, contents, length)) {
            break;
        }
        at += PIECE_HEAD + length + PIECE_CHECK;
    }
    out->lost = size - at;
    // the state at the start stands behind all files
    bool is_cut_inside = out->lost > 0 && !out->snapshot;
    if (p.no_memory) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, place, "", "no memory for this recording");
    } else if (out->n_file == 0 || !out->file[0].bytes) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "",
                      "ends before the model: nothing in it can be used");
    } else if (is_cut_inside) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "",
                      "ends inside the files of the model, after %d of them: nothing in it can be used",
                      out->n_file);
    } else if (out->lost > 0) {
        bi_report_add(report, BI_WARNING, BI_BAD_FILE, place, "",
                      "is cut or damaged: %zu bytes at its end are left out, what stands before is used",
                      out->lost);
    } else if (!out->summary) {
        bi_report_add(report, BI_NOTE, BI_OK, place, "",
                      "the drive was killed: the last moments may be missing");
    }
    if (p.no_memory || out->n_file == 0 || !out->file[0].bytes || is_cut_inside) {
        bi_recording_clear(out);
        return false;
    }
    return true;
}

bool bi_recording_read(const char *path, bi_recording *out, bi_report *report)
{
    if (!path || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "there is no recording to read");
        return false;
    }
    *out = (bi_recording){ 0 };
    struct stat about;
    // an address that holds the drive itself
    if (link_in(path, strlen(path)) && stat(path, &about) != 0) {
        return bi_recording_parse(path, strlen(path), "link", out, report);
    }
    errno = 0;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    char *bytes = file ? malloc((size_t)about.st_size + 1) : NULL;
    if (!bytes) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 0, 0 }, "", "cannot be read: %s",
                      errno ? strerror(errno) : "it is not a plain file");
        if (file) {
            fclose(file);
        }
        return false;
    }
    size_t size = fread(bytes, 1, (size_t)about.st_size, file);
    fclose(file);
    bool is_good = bi_recording_parse(bytes, size, path, out, report);
    free(bytes);
    return is_good;
}

void bi_recording_clear(bi_recording *r)
{
    if (!r) {
        return;
    }
    for (int k = 0; k < r->n_note; k++) {
        free(r->note[k].key);
        free(r->note[k].value);
    }
    for (int k = 0; k < r->n_file; k++) {
        free(r->file[k].name);
        free(r->file[k].bytes);
    }
    for (int k = 0; k < r->n_input; k++) {
        free(r->input[k]);
    }
    free(r->note);
    free(r->file);
    free(r->input);
    free(r->snapshot);
    free(r->entry);
    free(r->summary);
    *r = (bi_recording){ 0 };
}

const char *bi_recording_note(const bi_recording *r, const char *key)
{
    for (int k = 0; r && key && k < r->n_note; k++) {
        if (strcmp(r->note[k].key, key) == 0) {
            return r->note[k].value;
        }
    }
    return NULL;
}
