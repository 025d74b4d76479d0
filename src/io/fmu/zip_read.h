// SPDX-License-Identifier: MIT
// Zip archives of strangers: names that climb out, bombs and damage are refused.
#pragma once
#include <biela/biela.h>

typedef struct {
    char *name; // inside the archive, without "..", not absolute; ends in '/': a folder
    size_t at, packed, size;
    uint32_t crc;
    int method;
} zip_item;

typedef struct {
    const unsigned char *bytes; // of the file, borrowed
    size_t size;
    zip_item *item; // (count)
    int count;
} zip_archive;

// `path` stands in messages. False: the report says why; close in both cases.
bool zip_open(zip_archive *zip, const void *bytes, size_t size, const char *path, bi_report *report);
void zip_close(zip_archive *zip);
int zip_find(const zip_archive *zip, const char *name); // -1: none
// The bytes of an item with a zero behind; to be freed. NULL: damaged, or no memory; the report says so.
char *zip_take(const zip_archive *zip, int k, const char *path, bi_report *report);
