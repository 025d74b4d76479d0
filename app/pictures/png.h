// SPDX-License-Identifier: MIT
/* png.h - a picture as PNG: rows that are alike are stored once, nothing but this file is needed to write it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* `rgb`: (3 * width * height) bytes, rows from above. Free the bytes; NULL: no memory. */
unsigned char *png_of(int width, int height, const unsigned char *rgb, size_t *size);
/* Bytes as the text of a data address. Free it; NULL: no memory. */
char *png_text(const unsigned char *bytes, size_t size);
