// SPDX-License-Identifier: MIT
// A drive as one line of text.
#include "record/link.h"
#include "record/piece.h"
#include <biela/record.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    char *bytes;
    size_t size, capacity;
    bool no_memory;
} writer;

static void put(writer *w, const void *bytes, size_t size)
{
    if (w->size + size > w->capacity) {
        size_t capacity = 2 * w->capacity + size + 256;
        char *longer = realloc(w->bytes, capacity);
        if (!longer) {
            w->no_memory = true;
            return;
        }
        w->bytes = longer;
        w->capacity = capacity;
    }
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static void put_number(writer *w, uint64_t v)
{
    char byte[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) {
        byte[n++] = (char)(v | 0x80);
    }
    byte[n++] = (char)v;
    put(w, byte, n);
}

static void put_text(writer *w, const char *text) { put(w, text, strlen(text) + 1); }

static int key_of(const char *key)
{
    for (int k = 0; k < LINK_KEYS; k++) {
        if (strcmp(link_keys[k], key) == 0) {
            return k;
        }
    }
    return -1;
}

static void put_notes(writer *w, const bi_recording *r)
{
    uint64_t count = 0;
    for (int k = 0; k < r->n_note; k++) {
        count += key_of(r->note[k].key) >= 0;
    }
    put_number(w, count);
    for (int k = 0; k < r->n_note; k++) {
        int key = key_of(r->note[k].key);
        if (key >= 0) {
            put_number(w, (uint64_t)key);
            put_text(w, r->note[k].value);
        }
    }
}

// The inputs that change, in their order; number[k]: of input k among them.
static uint64_t put_inputs(writer *w, const bi_recording *r, const bi_track *t, uint64_t *number)
{
    uint64_t used = 0;
    for (int64_t k = 0; k < t->n_change; k++) {
        number[t->change[k].input] = 1;
    }
    for (int k = 0; k < r->n_input; k++) {
        used += number[k];
    }
    put_number(w, used);
    used = 0;
    for (int k = 0; k < r->n_input; k++) {
        if (number[k]) {
            put_text(w, r->input[k]);
            number[k] = used++;
        }
    }
    return used;
}

static void put_value(writer *w, double value)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%.7g", value);
    double back = strtod(text, NULL);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (n < LINK_TEXT && memcmp(&back, &value, sizeof back) == 0) {
        put_number(w, (uint64_t)n);
        put(w, text, (size_t)n);
    } else {
        char raw[8];
        put_u64(raw, bits);
        put_number(w, LINK_TEXT);
        put(w, raw, sizeof raw);
    }
}

static void put_changes(writer *w, const bi_track *t, const uint64_t *number, uint64_t used)
{
    double *value = malloc(((size_t)t->n_change + 1) * sizeof *value); // those so far
    uint64_t n_value = 0;
    int64_t step = 0;
    w->no_memory = w->no_memory || !value;
    put_number(w, (uint64_t)t->n_change);
    for (int64_t k = 0; value && k < t->n_change; k++) {
        const bi_log_entry *c = &t->change[k];
        uint64_t known = 0;
        while (known < n_value && memcmp(&value[known], &c->value, sizeof c->value) != 0) {
            known++;
        }
        bool is_new = known == n_value;
        put_number(w, (uint64_t)(c->step - step));
        put_number(w, number[c->input] + used * (is_new ? 0 : known + 1));
        if (is_new) {
            put_value(w, c->value);
            value[n_value++] = c->value;
        }
        step = c->step;
    }
    free(value);
}

static void put_hashes(writer *w, const bi_track *t)
{
    // the last of each group stands for those before it
    int64_t group = (t->n_hash + LINK_HASHES - 1) / LINK_HASHES, step = 0;
    group = group > 0 ? group : 1;
    put_number(w, (uint64_t)((t->n_hash + group - 1) / group));
    for (int64_t k = (t->n_hash - 1) % group; k < t->n_hash; k += group) {
        char raw[8];
        put_number(w, (uint64_t)(t->hash[k].step - step));
        put_u64(raw, t->hash[k].hash);
        put(w, raw, sizeof raw);
        step = t->hash[k].step;
    }
}

// Three bytes are four letters; what is left over at the end, one fewer letter for each byte that is missing.
static char *letters_of(const char *bytes, size_t size)
{
    size_t head = sizeof link_head - 1, at = head;
    char *text = malloc(head + 4 * (size / 3 + 1) + 1);
    if (!text) {
        return NULL;
    }
    memcpy(text, link_head, head);
    for (size_t k = 0; k < size; k += 3) {
        size_t n = size - k < 3 ? size - k : 3;
        uint32_t v = 0;
        for (size_t i = 0; i < 3; i++) {
            v = v << 8 | (i < n ? (unsigned char)bytes[k + i] : 0u);
        }
        for (size_t i = 0; i <= n; i++) {
            text[at++] = link_letters[v >> (18 - 6 * i) & 63];
        }
    }
    text[at] = '\0';
    return text;
}

char *bi_recording_link(const bi_recording *r, int branch)
{
    bi_track track;
    if (!r || !bi_recording_track(r, branch, &track)) {
        return NULL;
    }
    writer w = { 0 };
    uint64_t *number = calloc((size_t)r->n_input + 1, sizeof *number);
    w.no_memory = !number;
    if (number) {
        char check[4];
        put_number(&w, LINK_VERSION);
        put_notes(&w, r);
        uint64_t used = put_inputs(&w, r, &track, number);
        put_number(&w, (uint64_t)track.steps);
        put_changes(&w, &track, number, used);
        put_hashes(&w, &track);
        put_u32(check, (uint32_t)record_hash(record_hash_seed, w.bytes, w.size));
        put(&w, check, sizeof check);
    }
    char *text = w.no_memory ? NULL : letters_of(w.bytes, w.size);
    free(number);
    free(w.bytes);
    bi_track_clear(&track);
    return text;
}
