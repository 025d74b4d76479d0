// SPDX-License-Identifier: MIT
#include "io/fmu/zip_read.h"
#include "io/fmu/inflate.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 16384, END_SIZE = 22, CENTRAL_SIZE = 46, LOCAL_SIZE = 30 };
static const uint64_t most_bytes = 1u << 30; // of all files together; a bomb is larger
static const uint64_t most_ratio = 1100;     // deflate packs no tighter than 1032 to 1

static uint32_t two(const unsigned char *at) { return at[0] | (uint32_t)at[1] << 8; }
static uint32_t four(const unsigned char *at) { return two(at) | two(at + 2) << 16; }

static bool refuse(const char *path, const char *name, const char *what, bi_report *report)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "fmu", "%s%s%s", name ? name : "",
                  name ? ": " : "", what);
    return false;
}

// A path below the folder of the archive, in letters that every system has.
static bool is_inside(const char *name, size_t length)
{
    if (length == 0 || name[0] == '/' || memchr(name, '\0', length) || memchr(name, '\\', length) ||
        memchr(name, ':', length)) {
        return false;
    }
    for (const char *part = name; part < name + length;) {
        const char *end = memchr(part, '/', (size_t)(name + length - part));
        size_t n = (size_t)((end ? end : name + length) - part);
        if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && memcmp(part, "..", 2) == 0)) {
            return false;
        }
        part += n + 1;
    }
    return true;
}

static const unsigned char *find_end(const unsigned char *bytes, size_t size)
{
    for (size_t back = END_SIZE; back <= size && back < END_SIZE + 65536; back++) {
        if (four(bytes + size - back) == 0x06054b50) {
            return bytes + size - back;
        }
    }
    return NULL;
}

// One entry of the central directory; gives its length, 0: the report says why.
static size_t read_item(zip_archive *zip, size_t at, const char *path, bi_report *report)
{
    const unsigned char *c = zip->bytes + at;
    if (zip->size - at < CENTRAL_SIZE || four(c) != 0x02014b50) {
        return (size_t)refuse(path, NULL, "the list of the archive is damaged", report);
    }
    size_t n_name = two(c + 28), length = CENTRAL_SIZE + n_name + two(c + 30) + two(c + 32),
           local = four(c + 42);
    zip_item item = {
        .packed = four(c + 20), .size = four(c + 24), .crc = four(c + 16), .method = (int)two(c + 10)
    };
    if (zip->size - at < length) {
        return (size_t)refuse(path, NULL, "the list of the archive is damaged", report);
    }
    item.name = malloc(n_name + 1);
    if (!item.name) {
        return (size_t)refuse(path, NULL, "no memory", report);
    }
    memcpy(item.name, c + CENTRAL_SIZE, n_name);
    item.name[n_name] = '\0';
    zip->item[zip->count++] = item;
    bool is_link = four(c + 38) >> 28 == 0xa;
    if (!is_inside((const char *)c + CENTRAL_SIZE, n_name) || is_link) {
        return (size_t)refuse(path, item.name, "a name that leads out of the archive, or a link", report);
    }
    if (local > zip->size || zip->size - local < LOCAL_SIZE || four(zip->bytes + local) != 0x04034b50 ||
        (two(c + 8) & 1) != 0 || (item.method != 0 && item.method != 8)) {
        return (size_t)refuse(path, item.name, "is damaged, encrypted or packed in an unusual way", report);
    }
    size_t start = local + LOCAL_SIZE + two(zip->bytes + local + 26) + two(zip->bytes + local + 28);
    if (start > zip->size || item.packed > zip->size - start) {
        return (size_t)refuse(path, item.name, "is cut off", report);
    }
    if (item.size > most_ratio * ((uint64_t)item.packed + 1)) {
        return (size_t)refuse(path, item.name, "would become more than any packing allows", report);
    }
    zip->item[zip->count - 1].at = start;
    return length;
}

bool zip_open(zip_archive *zip, const void *bytes, size_t size, const char *path, bi_report *report)
{
    *zip = (zip_archive){ .bytes = bytes, .size = size };
    const unsigned char *end = size >= END_SIZE ? find_end(bytes, size) : NULL;
    if (!end) {
        return refuse(path, NULL, "is no zip archive", report);
    }
    int count = (int)two(end + 10);
    size_t at = four(end + 16);
    uint64_t total = 0;
    if (count > MOST_ITEMS || at >= size) {
        return refuse(path, NULL, "the list of the archive is damaged", report);
    }
    zip->item = calloc((size_t)count + 1, sizeof *zip->item);
    for (int k = 0; zip->item && k < count; k++) {
        size_t length = read_item(zip, at, path, report);
        if (length == 0) {
            return false;
        }
        at += length;
        total += zip->item[k].size;
        if (total > most_bytes) {
            return refuse(path, NULL, "has more than 1 GB inside", report);
        }
    }
    return zip->item != NULL || refuse(path, NULL, "no memory", report);
}

void zip_close(zip_archive *zip)
{
    for (int k = 0; k < zip->count; k++) {
        free(zip->item[k].name);
    }
    free(zip->item);
    *zip = (zip_archive){ 0 };
}

int zip_find(const zip_archive *zip, const char *name)
{
    for (int k = 0; k < zip->count; k++) {
        if (strcmp(zip->item[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static uint32_t crc_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t k = 0; k < size; k++) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1u ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    return ~crc;
}

char *zip_take(const zip_archive *zip, int k, const char *path, bi_report *report)
{
    const zip_item *item = &zip->item[k];
    unsigned char *out = malloc(item->size + 1);
    if (!out) {
        refuse(path, item->name, "no memory", report);
        return NULL;
    }
    bool is_good = item->method == 0 ? item->packed == item->size
                                     : inflate_all(zip->bytes + item->at, item->packed, out, item->size);
    if (is_good && item->method == 0) {
        memcpy(out, zip->bytes + item->at, item->size);
    }
    if (!is_good || crc_of(out, item->size) != item->crc) {
        free(out);
        refuse(path, item->name, "is damaged", report);
        return NULL;
    }
    out[item->size] = '\0';
    return (char *)out;
}
