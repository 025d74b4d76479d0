// SPDX-License-Identifier: MIT
/* zip_write.h - a zip archive, written as it is: entries are stored, their date is the first one that zip knows, so that equal
 * contents are equal bytes. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    char *name;
    uint32_t crc, size, offset;
} zip_entry;

typedef struct {
    FILE *file;
    zip_entry *entry; /* (count) */
    int count, capacity;
    uint64_t offset; /* bytes so far */
    bool is_full;    /* beyond the 4 GB, or 65535 entries, of plain archives */
} zip_writer;

zip_writer zip_write_start(FILE *);
void zip_write_add(zip_writer *, const char *name, const void *bytes, size_t size);
/* Writes the list of entries; false: the archive is too large. The stream tells what it refused. */
bool zip_write_end(zip_writer *);
