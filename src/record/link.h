// SPDX-License-Identifier: MIT
// A drive in one line: what the bytes behind "drive=" are. Letters are base64 as addresses take it (- and _, no =).
//
//     version (1), then lists that begin with their length:
//     notes: number of the key in link_keys, text with its zero
//     inputs that are used: names with their zeros
//     steps of the drive
//     changes: steps since the last one, input + inputs * value; value 0: a new one follows, k: the k-th so far
//     hashes: steps since the last one, 8 bytes
//     4 bytes: checksum of all before
//
// Numbers are written seven bits to a byte, the lowest first. A new value is its length and a text that reads back to the bit, or 8
// and the bits themselves.
#pragma once
#include <stdbool.h>
#include <stdint.h>

static const char link_head[] = "drive=";
static const char link_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const char *const link_keys[] = { "version",  "build", "model",  "title",       "system",
                                         "recorded", "dt",    "scheme", "formulation", "rho",
                                         "sleep",    "start", "run",    "set",         "hand" };
enum {
    LINK_VERSION = 1,
    LINK_KEYS = sizeof link_keys / sizeof *link_keys,
    LINK_HASHES = 32, // at most, evenly over the drive and the last one: each stands for all before it
    LINK_TEXT = 8     // a value that is not shorter than this as a text is written as its bits
};
