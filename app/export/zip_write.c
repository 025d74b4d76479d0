// SPDX-License-Identifier: MIT
#include "export/zip_write.h"
#include "cli/words.h"
#include <stdlib.h>
#include <string.h>

zip_writer zip_write_start(FILE *file) { return (zip_writer){ .file = file }; }

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

// Little-endian numbers of `n` bytes, as many as there are widths in `form`: '2' or '4'.
static void put(zip_writer *zip, const char *form, const uint32_t *value)
{
    for (int k = 0; form[k]; k++) {
        for (int i = 0; i < form[k] - '0'; i++) {
            fputc((int)(value[k] >> 8 * i & 0xff), zip->file);
            zip->offset++;
        }
    }
}

static void put_text(zip_writer *zip, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, zip->file);
    zip->offset += size;
}

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    VERSION = 20,
    UTF8 = 0x800,
    FIRST_DAY = 0x21, // 1 January 1980
    UNIX = 3 << 8,
    PLAIN_FILE = 0100644
};

void zip_write_add(zip_writer *zip, const char *name, const void *bytes, size_t size)
{
    if (zip->count == 65535 || size > 0xffffffffu - 4096 || zip->offset + size > 0xffffffffu - 4096) {
        zip->is_full = true;
        return;
    }
    if (zip->count == zip->capacity) {
        zip->capacity = zip->capacity ? 2 * zip->capacity : 16;
        zip->entry = realloc(zip->entry, (size_t)zip->capacity * sizeof *zip->entry);
    }
    uint32_t length = (uint32_t)strlen(name);
    zip_entry *entry = &zip->entry[zip->count++];
    *entry =
        (zip_entry){ words_format("%s", name), crc_of(bytes, size), (uint32_t)size, (uint32_t)zip->offset };
    put(zip, "42222244422",
        (const uint32_t[]){ LOCAL, VERSION, UTF8, 0, 0, FIRST_DAY, entry->crc, entry->size, entry->size,
                            length, 0 });
    put_text(zip, name, length);
    put_text(zip, bytes, size);
}

static void put_central(zip_writer *zip, const zip_entry *entry)
{
    uint32_t length = (uint32_t)strlen(entry->name);
    put(zip, "4222222444222224",
        (const uint32_t[]){ CENTRAL, UNIX | VERSION, VERSION, UTF8, 0, 0, FIRST_DAY, entry->crc, entry->size,
                            entry->size, length, 0, 0, 0, 0, (uint32_t)PLAIN_FILE << 16 });
    put(zip, "4", &entry->offset);
    put_text(zip, entry->name, length);
}

bool zip_write_end(zip_writer *zip)
{
    uint32_t start = (uint32_t)zip->offset, count = (uint32_t)zip->count;
    for (int k = 0; k < zip->count; k++) {
        put_central(zip, &zip->entry[k]);
        free(zip->entry[k].name);
    }
    put(zip, "42222442",
        (const uint32_t[]){ END, 0, 0, count, count, (uint32_t)zip->offset - start, start, 0 });
    free(zip->entry);
    zip->entry = NULL;
    return !zip->is_full;
}
