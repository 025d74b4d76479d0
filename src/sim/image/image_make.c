// SPDX-License-Identifier: MIT
// Making an image: the system is made twice, at other addresses. What differs by exactly the distance of two blocks is a
// place in the image, what is equal is a number or a thing of the program; nothing else may be there.
#include "base/list.h"
#include "sim/image/image.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the blocks of one making ---------------------------------------------------------------------------------

typedef struct {
    memory_watch watch;
    struct placed {
        const char *at;
        int number; // of the block
    } * by_place;   // blocks by address (n_placed)
    int n_placed;
    bi_system *system;
} making;

static int compare_places(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;
    return (p->at > q->at) - (p->at < q->at);
}

static bool sort_blocks(making *m)
{
    m->by_place = malloc(((size_t)m->watch.count + 1) * sizeof *m->by_place);
    for (int k = 0; m->by_place && k < m->watch.count; k++) {
        m->by_place[m->n_placed++] = (struct placed){ m->watch.block[k].at, k };
    }
    if (m->by_place) {
        qsort(m->by_place, (size_t)m->n_placed, sizeof *m->by_place, compare_places);
    }
    return m->by_place != NULL;
}

static bool make_once(making *m, bi_system *(*make)(void *, bi_report *), void *context, bi_report *report)
{
    memory_watch *before = memory_watch_set(&m->watch);
    m->system = make(context, report);
    memory_watch_set(before);
    return m->system && !m->watch.is_full && sort_blocks(m);
}

static void making_clear(making *m)
{
    bi_system_destroy(m->system);
    memory_watch_clear(&m->watch);
    free(m->by_place);
}

// The block with this address in it, or just behind it; -1: none.
static int block_of(const making *m, const char *at)
{
    int low = 0, high = m->n_placed;
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->by_place[middle].at <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return -1;
    }
    int k = m->by_place[low - 1].number;
    return at <= m->watch.block[k].at + m->watch.block[k].size ? k : -1;
}

// ---- from blocks to data --------------------------------------------------------------------------------------

typedef struct {
    making one, other;
    uint64_t *place; // of each block in the data; nowhere: not reached yet (blocks of one)
    int *twin;       // block of the other making that is the same as this one; -1: not known yet
    int *queue;      // blocks that are reached, in that order
    int n_queue, done;
    struct text {
        const char *at;
        uint64_t place;
    } * text; // texts of the program that are copied into the data
    int n_text, cap_text;
    uint64_t *inner;
    int n_inner, cap_inner;
    image_outer *outer;
    int n_outer, cap_outer;
    image_thing *thing; // of the program (n_thing)
    image_program *program;
    int n_thing;
    uint64_t n_data;
    char *data;
    bi_report *report;
    bool is_wrong, no_memory;
} image_work;
static const uint64_t nowhere = UINT64_MAX;

static void refuse(image_work *w, const char *what)
{
    if (!w->is_wrong) {
        bi_report_add(w->report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "image", "%s", what);
    }
    w->is_wrong = true;
}

static uint64_t align(uint64_t size) { return (size + IMAGE_ALIGN - 1) / IMAGE_ALIGN * IMAGE_ALIGN; }

static uint64_t reach(image_work *w, int k)
{
    if (w->place[k] == nowhere) {
        w->place[k] = w->n_data;
        w->n_data += align(w->one.watch.block[k].size + 1);
        w->queue[w->n_queue++] = k;
    }
    return w->place[k];
}

static uint64_t reach_text(image_work *w, const char *text)
{
    for (int k = 0; k < w->n_text; k++) {
        if (w->text[k].at == text) {
            return w->text[k].place;
        }
    }
    if (!LIST_RESERVE(w->text, w->n_text, w->cap_text)) {
        w->no_memory = true;
        return 0;
    }
    w->text[w->n_text++] = (struct text){ text, w->n_data };
    w->n_data += align(strlen(text) + 1);
    return w->text[w->n_text - 1].place;
}

static void note_inner(image_work *w, uint64_t at)
{
    if (LIST_RESERVE(w->inner, w->n_inner, w->cap_inner)) {
        w->inner[w->n_inner++] = at;
    } else {
        w->no_memory = true;
    }
}

static void note_outer(image_work *w, image_outer word)
{
    if (LIST_RESERVE(w->outer, w->n_outer, w->cap_outer)) {
        w->outer[w->n_outer++] = word;
    } else {
        w->no_memory = true;
    }
}

// The thing of the list that has this address in it; -1: none.
static int thing_of(const image_work *w, const char *at)
{
    for (int k = 0; k < w->n_thing; k++) {
        const char *from = w->thing[k].at;
        if (from && at >= from && at < from + w->thing[k].size) {
            return k;
        }
    }
    return -1;
}

// A word that was the same both times: a number, or something of the program.
static uint64_t constant_word(image_work *w, uint64_t at, uint64_t word)
{
    const char *p = (const char *)(uintptr_t)word;
    int thing =
        image_is_program(w->program, p) || p == w->thing[0].at || p == w->thing[1].at ? thing_of(w, p) : -1;
    if (thing >= 0) {
        note_outer(w, (image_outer){ at, (uint32_t)thing, (uint32_t)(p - (const char *)w->thing[thing].at) });
        return 0;
    }
    if (image_is_text(w->program, p)) {
        note_inner(w, at);
        return reach_text(w, p);
    }
    if (image_is_program(w->program, p)) {
        refuse(w, "the model holds a function or a table of the calling program; an image cannot");
    }
    return word;
}

// Whether an address in block k of one making and an address in block `other` of the other one are the same place.
static bool is_twin(image_work *w, int k, int other, const char *p, const char *q)
{
    const memory_block *a = &w->one.watch.block[k], *b = &w->other.watch.block[other];
    if (other < 0 || a->size != b->size || a->is_free != b->is_free || p - a->at != q - b->at) {
        return false;
    }
    w->twin[k] = w->twin[k] < 0 ? other : w->twin[k];
    return w->twin[k] == other;
}

// What the word at an offset of block k becomes in the image.
static uint64_t word_of(image_work *w, int k, size_t offset)
{
    uint64_t here, there, at = w->place[k] + offset;
    memcpy(&here, w->one.watch.block[k].at + offset, sizeof here);
    memcpy(&there, w->other.watch.block[w->twin[k]].at + offset, sizeof there);
    const char *p = (const char *)(uintptr_t)here, *q = (const char *)(uintptr_t)there;
    if (here == there) {
        return constant_word(w, at, here);
    }
    int to = block_of(&w->one, p);
    if (to < 0 || !is_twin(w, to, block_of(&w->other, q), p, q)) {
        refuse(
            w,
            "the system is not the same when it is made again; what belongs to this process, such as an FMU "
            "inside (fmus), cannot go along");
        return here;
    }
    if (w->one.watch.block[to].is_free) {
        return 0; // left over: nobody may follow it
    }
    note_inner(w, at);
    return reach(w, to) + (uint64_t)(p - w->one.watch.block[to].at);
}

// The bytes of a block as they stand in the image.
static bool write_block(image_work *w, int k, size_t *capacity)
{
    const memory_block *from = &w->one.watch.block[k];
    if (w->place[k] + align(from->size + 1) > *capacity) {
        size_t larger = 2 * (size_t)(w->place[k] + align(from->size + 1));
        char *data = realloc(w->data, larger);
        if (!data) {
            return false;
        }
        memset(data + *capacity, 0, larger - *capacity);
        w->data = data;
        *capacity = larger;
    }
    memcpy(w->data + w->place[k], from->at, from->size);
    for (size_t offset = 0; offset + sizeof(uint64_t) <= from->size; offset += sizeof(uint64_t)) {
        uint64_t word = word_of(w, k, offset);
        memcpy(w->data + w->place[k] + offset, &word, sizeof word);
    }
    return !w->no_memory;
}

static bool write_texts(image_work *w, size_t capacity)
{
    if (w->n_data > capacity) {
        char *data = realloc(w->data, w->n_data);
        if (!data) {
            return false;
        }
        memset(data + capacity, 0, (size_t)w->n_data - capacity);
        w->data = data;
    }
    for (int k = 0; k < w->n_text; k++) {
        memcpy(w->data + w->text[k].place, w->text[k].at, strlen(w->text[k].at) + 1);
    }
    return true;
}

// From the system on, block by block, all that is reached.
static bool gather(image_work *w)
{
    size_t n = (size_t)w->one.watch.count + 1, capacity = 0;
    w->place = malloc(n * sizeof *w->place);
    w->queue = malloc(n * sizeof *w->queue);
    w->twin = malloc(n * sizeof *w->twin);
    w->n_thing = image_thing_count();
    w->thing = malloc((size_t)w->n_thing * sizeof *w->thing);
    w->program = malloc(sizeof *w->program);
    if (!w->place || !w->queue || !w->twin || !w->thing || !w->program) {
        return false;
    }
    image_program_find(w->program);
    if (w->program->is_full) {
        refuse(w, "nobody tells here where the program and its libraries lie; an image cannot be made");
        return false;
    }
    for (int k = 0; k < w->n_thing; k++) {
        w->thing[k] = image_thing_at(k);
    }
    memset(w->place, 0xff, n * sizeof *w->place); // nowhere
    memset(w->twin, 0xff, n * sizeof *w->twin);   // -1
    int root = block_of(&w->one, (const char *)w->one.system);
    w->twin[root] = block_of(&w->other, (const char *)w->other.system);
    reach(w, root);
    while (w->done < w->n_queue && !w->is_wrong) {
        if (!write_block(w, w->queue[w->done++], &capacity)) {
            return false;
        }
    }
    return !w->is_wrong && write_texts(w, capacity);
}

// ---- the whole ------------------------------------------------------------------------------------------------

static void *join(const image_work *w, const void *note, size_t n_note, size_t *size)
{
    image_header head = { .format = IMAGE_FORMAT,
                          .order = IMAGE_ORDER,
                          .word = sizeof(void *),
                          .layout = image_layout(),
                          .system = w->one.system->hash,
                          .n_note = n_note,
                          .n_data = w->n_data,
                          .n_inner = (uint64_t)w->n_inner,
                          .n_outer = (uint64_t)w->n_outer };
    memcpy(head.mark, image_mark, sizeof head.mark);
    snprintf(head.version, sizeof head.version, "%s", bi_version());
    snprintf(head.build, sizeof head.build, "%s", bi_build_name());
    *size = image_size(&head);
    char *image = calloc(1, *size);
    if (image) {
        image_parts parts = image_parts_of(&head, image);
        if (n_note > 0) {
            memcpy(parts.note, note, n_note);
        }
        memcpy(parts.data, w->data, w->n_data);
        memcpy(parts.inner, w->inner, (size_t)w->n_inner * sizeof *w->inner);
        memcpy(parts.outer, w->outer, (size_t)w->n_outer * sizeof *w->outer);
        memcpy(image, &head, sizeof head);
        head.checksum = image_checksum(image, *size);
        memcpy(image, &head, sizeof head);
    }
    return image;
}

void *bi_image_make(bi_system *(*make)(void *, bi_report *), void *context, const void *note, size_t n_note,
                    size_t *size, bi_report *report)
{
    if (!make || !size || !report || (n_note > 0 && !note)) {
        return NULL;
    }
    image_work w = { .report = report };
    void *image = NULL;
    *size = 0;
    bi_report said[2] = { { 0 }, { 0 } }; // both the same; each has memory of its making
    int errors = report->errors;
    bool is_made = make_once(&w.one, make, context, &said[0]) && make_once(&w.other, make, context, &said[1]);
    for (int k = 0; k < said[0].count; k++) {
        const bi_issue *issue = &said[0].issue[k];
        bi_report_add(report, issue->severity, issue->code, issue->place, issue->where, "%s", issue->what);
    }
    if (is_made && gather(&w)) {
        image = join(&w, note, n_note, size);
    }
    if (!image && report->errors == errors) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "image", "out of memory");
    }
    bi_report_clear(&said[0]);
    bi_report_clear(&said[1]);
    making_clear(&w.one);
    making_clear(&w.other);
    free(w.place);
    free(w.queue);
    free(w.twin);
    free(w.thing);
    free(w.program);
    free(w.text);
    free(w.inner);
    free(w.outer);
    free(w.data);
    return image;
}
