// SPDX-License-Identifier: MIT
// A drive that came as one line of text, alone or inside an address; nothing in it is believed unseen.
#include "record/link_read.h"
#include "record/link.h"
#include "record/piece.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    const char *bytes;
    size_t size, at;
    bool is_bad; // damaged, or cut
    bool no_memory;
    bi_recording *out;
} reader;

static uint64_t get_number(reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        if (r->at >= r->size) {
            break;
        }
        unsigned char byte = (unsigned char)r->bytes[r->at++];
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return v;
        }
    }
    r->is_bad = true;
    return 0;
}

// The length of a list, each entry of which takes a byte at least.
static size_t get_count(reader *r)
{
    uint64_t count = get_number(r);
    r->is_bad = r->is_bad || count > r->size - r->at;
    return r->is_bad ? 0 : (size_t)count;
}

static char *get_text(reader *r)
{
    const char *zero = memchr(r->bytes + r->at, '\0', r->size - r->at);
    if (!zero) {
        r->is_bad = true;
        return NULL;
    }
    size_t n = (size_t)(zero - (r->bytes + r->at)) + 1;
    char *text = malloc(n);
    if (text) {
        memcpy(text, r->bytes + r->at, n);
    }
    r->no_memory = r->no_memory || !text;
    r->at += n;
    return text;
}

static void *list_of(reader *r, size_t count, size_t size)
{
    void *list = calloc(count + 1, size);
    r->no_memory = r->no_memory || !list;
    return list;
}

static bool goes_on(const reader *r) { return !r->is_bad && !r->no_memory; }

static void get_notes(reader *r)
{
    size_t count = get_count(r);
    r->out->note = list_of(r, count, sizeof *r->out->note);
    for (size_t k = 0; k < count && goes_on(r); k++) {
        uint64_t key = get_number(r);
        r->is_bad = r->is_bad || key >= LINK_KEYS;
        bi_recorded_note note = { .value = goes_on(r) ? get_text(r) : NULL };
        size_t n = note.value ? strlen(link_keys[key]) + 1 : 0;
        note.key = n > 0 ? malloc(n) : NULL;
        if (!note.key) {
            r->no_memory = r->no_memory || n > 0;
            free(note.value);
            return;
        }
        memcpy(note.key, link_keys[key], n);
        r->out->note[r->out->n_note++] = note;
    }
}

static void get_inputs(reader *r)
{
    size_t count = get_count(r);
    r->out->input = list_of(r, count, sizeof *r->out->input);
    for (size_t k = 0; k < count && goes_on(r); k++) {
        char *name = get_text(r);
        if (name) {
            r->out->input[r->out->n_input++] = name;
        }
    }
}

static double get_value(reader *r)
{
    uint64_t n = get_number(r);
    double value = NAN;
    if (n > LINK_TEXT || n > r->size - r->at) {
        r->is_bad = true;
        return 0.0;
    }
    if (n == LINK_TEXT) {
        uint64_t bits = get_u64(r->bytes + r->at);
        memcpy(&value, &bits, sizeof value);
    } else {
        char text[LINK_TEXT + 1] = "", *end = text;
        memcpy(text, r->bytes + r->at, (size_t)n);
        value = strtod(text, &end);
        r->is_bad = r->is_bad || n == 0 || *end;
    }
    r->at += (size_t)n;
    r->is_bad = r->is_bad || !isfinite(value);
    return value;
}

// A step after the last one; a drive is not longer than can be counted.
static int64_t get_step(reader *r, int64_t last, int64_t most)
{
    uint64_t more = get_number(r);
    r->is_bad = r->is_bad || more > (uint64_t)(most - last);
    return r->is_bad ? last : last + (int64_t)more;
}

static void get_changes(reader *r, int64_t steps)
{
    size_t count = get_count(r), n_value = 0, n_input = (size_t)r->out->n_input;
    double *value = list_of(r, count, sizeof *value);
    int64_t step = 0;
    r->is_bad = r->is_bad || (count > 0 && n_input == 0);
    for (size_t k = 0; k < count && goes_on(r); k++) {
        step = get_step(r, step, steps);
        uint64_t code = get_number(r);
        uint64_t which = code / n_input;
        r->is_bad = r->is_bad || which > n_value;
        if (goes_on(r) && which == 0) {
            value[n_value++] = get_value(r);
            which = n_value;
        }
        if (goes_on(r)) {
            r->out->entry[r->out->n_entry++] = (bi_log_entry){ .kind = BI_LOG_INPUT,
                                                               .input = (int32_t)(code % n_input),
                                                               .step = step,
                                                               .value = value[which - 1] };
        }
    }
    free(value);
}

static void get_hashes(reader *r, int64_t steps)
{
    size_t count = get_count(r);
    int64_t step = 0;
    for (size_t k = 0; k < count && goes_on(r); k++) {
        step = get_step(r, step, steps);
        r->is_bad = r->is_bad || r->size - r->at < 8;
        if (goes_on(r)) {
            r->out->entry[r->out->n_entry++] =
                (bi_log_entry){ .kind = BI_LOG_HASH, .step = step, .hash = get_u64(r->bytes + r->at) };
            r->at += 8;
        }
    }
}

static void get_all(reader *r)
{
    static const int64_t most_steps = INT64_C(1) << 48;
    get_notes(r);
    if (goes_on(r)) {
        get_inputs(r);
    }
    int64_t steps = goes_on(r) ? get_step(r, 0, most_steps) : 0;
    // every change takes two bytes, every hash nine
    r->out->entry = goes_on(r) ? list_of(r, r->size, sizeof *r->out->entry) : NULL;
    if (goes_on(r)) {
        get_changes(r, steps);
    }
    if (goes_on(r)) {
        get_hashes(r, steps);
    }
    if (goes_on(r)) {
        r->out->entry[r->out->n_entry++] = (bi_log_entry){ .kind = BI_LOG_STEPS, .step = steps };
    }
}

// The bytes behind "drive=", up to the first letter that is none of ours.
static char *bytes_of(const char *text, size_t size, size_t *n)
{
    char *bytes = malloc(size + 4);
    uint32_t v = 0;
    unsigned bits = 0;
    *n = 0;
    for (size_t k = 0; bytes && k < size; k++) {
        const char *letter = text[k] ? strchr(link_letters, text[k]) : NULL;
        if (!letter) {
            break;
        }
        v = v << 6 | (uint32_t)(letter - link_letters);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[(*n)++] = (char)(v >> bits);
        }
    }
    return bytes;
}

// Not a string: it may have zeros, and no end.
static const char *find(const char *text, size_t size, const char *wanted)
{
    size_t n = strlen(wanted);
    for (size_t k = 0; k + n <= size; k++) {
        if (memcmp(text + k, wanted, n) == 0) {
            return text + k + n;
        }
    }
    return NULL;
}

const char *link_in(const char *text, size_t size) { return find(text, size, link_head); }

bool link_read(const char *letters, size_t size, const char *path, bi_recording *out, bi_report *report)
{
    static const char damaged[] =
        "this link to a drive is cut or damaged: copy the whole of it, or ask for the recording";
    bi_place place = { path, 0, 0 };
    size_t n;
    char *bytes = bytes_of(letters, size, &n);
    reader r = { .bytes = bytes, .size = n > 4 ? n - 4 : 0, .no_memory = !bytes, .out = out };
    *out = (bi_recording){ 0 };
    bool is_whole =
        bytes && n > 4 && get_u32(bytes + n - 4) == (uint32_t)record_hash(record_hash_seed, bytes, n - 4);
    bool is_ours = is_whole && get_number(&r) == LINK_VERSION;
    if (is_ours) {
        get_all(&r);
    }
    const char *problem =
        r.no_memory            ? "no memory for this drive"
        : is_whole && !is_ours ? "is a link to a drive in the format of another version of biela"
        : !is_ours || r.is_bad || r.at != r.size || !bi_recording_note(out, "model") ? damaged
                                                                                     : NULL;
    free(bytes);
    if (problem) {
        bi_recording_clear(out);
        bi_report_add(report, BI_ERROR, r.no_memory ? BI_NO_MEMORY : BI_BAD_FILE, place, "", "%s", problem);
        return false;
    }
    return true;
}
