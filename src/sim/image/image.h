// SPDX-License-Identifier: MIT
// An image: a compiled system with its model as one block that can be moved, kept and sent.
#pragma once
#include "sim/system.h"
#include <biela/image.h>

// What stands before the bytes of an image.
typedef struct {
    char mark[8];
    uint32_t format, order; // of this page; 0x01020304 as this machine writes it
    uint32_t word, reserved;
    char version[32], build[32];
    uint64_t layout;   // of the structs and of the list of things outside
    uint64_t system;   // bi_system_hash
    uint64_t checksum; // of all bytes behind this header
    uint64_t n_note;   // bytes of whoever made it,
    uint64_t n_data;   // of the system, which begins them, and of all it points to,
    uint64_t n_inner;  // words of the data that are places in the data,
    uint64_t n_outer;  // and that are things outside of it
} image_header;

// A word of the data that points out of it: to a part of a thing of the list.
typedef struct {
    uint64_t at;
    uint32_t thing, offset;
} image_outer;

// The lists of a loaded image stay behind its data.
struct image_words {
    uint64_t n_data, n_inner, n_outer;
    const uint64_t *inner;
    const image_outer *outer;
};

enum { IMAGE_FORMAT = 1, IMAGE_ORDER = 0x01020304, IMAGE_ALIGN = 64 };

static const char image_mark[8] = "BIELAIMG";

// Where the parts of an image lie, one after the other behind the header.
typedef struct {
    char *note, *data;
    uint64_t *inner;
    image_outer *outer;
} image_parts;
size_t image_size(const image_header *head); // bytes of the whole; 0: more than there can be
image_parts image_parts_of(const image_header *head, char *image);
uint64_t image_checksum(const char *image, size_t size); // of what is behind the header

// Things of the program that compiled data may point to: tables of kinds and their like, by number. at NULL: one that this program has not.
typedef struct {
    const void *at;
    size_t size;
} image_thing;
image_thing image_thing_at(int k);
int image_thing_count(void);
// Where the program and its libraries lie: an address in none of these parts is no address of theirs.
enum { IMAGE_SEGMENTS = 1024 };
typedef struct {
    uintptr_t from, to;
    bool is_constant; // neither code nor anything that changes
} image_segment;
typedef struct {
    image_segment segment[IMAGE_SEGMENTS];
    int count;
    bool is_full; // there are more, or nobody tells
} image_program;
void image_program_find(image_program *out);
// It lies in the program or a library; it is a text there.
bool image_is_program(const image_program *program, const void *at);
bool image_is_text(const image_program *program, const void *at);
// Changes with the list and with the structs that images are made of.
uint64_t image_layout(void);
