// SPDX-License-Identifier: MIT
// From an image to a system: checked, put at one place, and every listed word told where that is.
#include "sim/image/image.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- layout ---------------------------------------------------------------------------------------------------

static uint64_t align(uint64_t size) { return (size + IMAGE_ALIGN - 1) / IMAGE_ALIGN * IMAGE_ALIGN; }

size_t image_size(const image_header *head)
{
    const uint64_t most = UINT64_C(1) << 46;
    if (head->n_note > most || head->n_data > most || head->n_inner > most / sizeof(uint64_t) ||
        head->n_outer > most / sizeof(image_outer)) {
        return 0;
    }
    return (size_t)(align(sizeof *head) + align(head->n_note) + align(head->n_data) +
                    align(head->n_inner * sizeof(uint64_t)) + align(head->n_outer * sizeof(image_outer)));
}

image_parts image_parts_of(const image_header *head, char *image)
{
    image_parts p;
    p.note = image + align(sizeof *head);
    p.data = p.note + align(head->n_note);
    p.inner = (uint64_t *)(void *)(p.data + align(head->n_data));
    p.outer = (image_outer *)(void *)((char *)p.inner + align(head->n_inner * sizeof(uint64_t)));
    return p;
}

uint64_t image_checksum(const char *image, size_t size)
{
    // words, not bytes: an image has millions of them
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k + sizeof sum <= size; k += sizeof sum) {
        uint64_t word = 0;
        if (k != offsetof(image_header, checksum)) {
            memcpy(&word, image + k, sizeof word);
        }
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

// ---- checks ---------------------------------------------------------------------------------------------------

static bool refuse(bi_report *report, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "image", "%s", what);
    return false;
}

bool bi_image_is(const void *bytes, size_t size)
{
    return bytes && size >= sizeof image_mark && memcmp(bytes, image_mark, sizeof image_mark) == 0;
}

static bool check_origin(const image_header *head, bi_report *report)
{
    if (head->order != IMAGE_ORDER || head->word != sizeof(void *)) {
        return refuse(report, "was made on another kind of machine; compile the model here");
    }
    if (head->format != IMAGE_FORMAT || memchr(head->version, 0, sizeof head->version) == NULL ||
        strcmp(head->version, bi_version()) != 0) {
        return refuse(report, "was made by another version of Biela; compile the model again");
    }
    if (memchr(head->build, 0, sizeof head->build) == NULL || strcmp(head->build, bi_build_name()) != 0 ||
        head->layout != image_layout()) {
        return refuse(report, "was made by another build of Biela; compile the model again");
    }
    return true;
}

// Every word that is listed lies in the data and points to where something is.
static bool check_words(const image_header *head, const image_parts *p)
{
    bool is_right = head->n_data >= sizeof(bi_system) && head->n_data % sizeof(uint64_t) == 0;
    for (uint64_t k = 0; is_right && k < head->n_inner; k++) {
        uint64_t at = p->inner[k], to = UINT64_MAX;
        if (at % sizeof at == 0 && at < head->n_data && at + sizeof at <= head->n_data) {
            memcpy(&to, p->data + at, sizeof to);
        }
        is_right = to <= head->n_data;
    }
    for (uint64_t k = 0; is_right && k < head->n_outer; k++) {
        const image_outer *o = &p->outer[k];
        image_thing thing = { NULL, 0 };
        if (o->thing <= INT32_MAX) {
            thing = image_thing_at((int)o->thing);
        }
        is_right = o->at % sizeof(uint64_t) == 0 && o->at < head->n_data &&
                   o->at + sizeof(uint64_t) <= head->n_data && thing.at && o->offset < thing.size;
    }
    return is_right;
}

static bool check(const char *image, size_t size, image_header *head, bi_report *report)
{
    if (!bi_image_is(image, size)) {
        return refuse(report, "is not an image of a model");
    }
    if (size < sizeof *head) {
        return refuse(report, "is cut off; compile the model again");
    }
    memcpy(head, image, sizeof *head);
    if (!check_origin(head, report)) {
        return false;
    }
    if (image_size(head) != size) {
        return refuse(report, image_size(head) > size ? "is cut off; compile the model again"
                                                      : "is damaged; compile the model again");
    }
    image_parts p = image_parts_of(head, (char *)image);
    if (image_checksum(image, size) != head->checksum || !check_words(head, &p)) {
        return refuse(report, "is damaged; compile the model again");
    }
    return true;
}

// ---- load -----------------------------------------------------------------------------------------------------

const void *bi_image_note(const void *bytes, size_t size, size_t *n_note, bi_report *report)
{
    image_header head;
    if (!n_note) {
        return NULL;
    }
    *n_note = 0;
    if (!check(bytes, size, &head, report)) {
        return NULL;
    }
    *n_note = (size_t)head.n_note;
    return image_parts_of(&head, (char *)bytes).note;
}

// The lists behind the data, in the same block.
static const image_words *keep_words(const image_header *head, const image_parts *p, char *data)
{
    char *inner = data + align(head->n_data), *outer = inner + align(head->n_inner * sizeof(uint64_t));
    char *words = outer + align(head->n_outer * sizeof(image_outer));
    memcpy(inner, p->inner, (size_t)head->n_inner * sizeof(uint64_t));
    memcpy(outer, p->outer, (size_t)head->n_outer * sizeof(image_outer));
    image_words w = { align(head->n_data), head->n_inner, head->n_outer, (const uint64_t *)(void *)inner,
                      (const image_outer *)(void *)outer };
    memcpy(words, &w, sizeof w);
    return (const image_words *)(void *)words;
}

bi_system *bi_image_load(const void *bytes, size_t size, bi_report *report)
{
    image_header head;
    if (!check(bytes, size, &head, report)) {
        return NULL;
    }
    image_parts p = image_parts_of(&head, (char *)bytes);
    const uint64_t n_inner = align(head.n_inner * sizeof(uint64_t)),
                   n_outer = align(head.n_outer * sizeof(image_outer));
    char *data = aligned_alloc(IMAGE_ALIGN,
                               (size_t)(align(head.n_data) + n_inner + n_outer + align(sizeof(image_words))));
    if (!data) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "image", "out of memory");
        return NULL;
    }
    memcpy(data, p.data, (size_t)head.n_data);
    for (uint64_t k = 0; k < head.n_inner; k++) {
        uint64_t to;
        memcpy(&to, data + p.inner[k], sizeof to);
        const char *at = data + to;
        memcpy(data + p.inner[k], &at, sizeof at);
    }
    for (uint64_t k = 0; k < head.n_outer; k++) {
        const char *at = (const char *)image_thing_at((int)p.outer[k].thing).at + p.outer[k].offset;
        memcpy(data + p.outer[k].at, &at, sizeof at);
    }
    bi_system *s = (bi_system *)(void *)data;
    s->is_image = true;
    s->image = keep_words(&head, &p, data);
    if (s->hash != head.system) {
        free(data);
        refuse(report, "is damaged; compile the model again");
        return NULL;
    }
    return s;
}

const bi_model *bi_system_model(const bi_system *s) { return s ? s->model : NULL; }
