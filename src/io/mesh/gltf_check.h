// SPDX-License-Identifier: MIT
// What a glTF 2.0 file says of itself: whether whoever draws it may believe it.
#pragma once
#include <biela/io.h>

typedef struct {
    const char *path, *where; // the file; the name of the thing that uses it
    const bi_document *doc;
    const char *binary; // what follows the text in a .glb; NULL: nothing
    size_t n_binary;
    // The bytes of a file beside it, to be freed; NULL: it cannot be read, which has been told.
    char *(*open)(const void *data, const char *uri, size_t *size);
    const void *data;
    bi_report *report;
} gltf_file;

// Nodes that are their own ancestors, indices out of range, numbers that lie outside of their buffers, places that are no
// numbers: each is an error with its line and its place in the file.
void gltf_check(const gltf_file *file);
