// SPDX-License-Identifier: MIT
/* image.h - a compiled system with its model as one block of bytes, which can be kept in a file, sent and moved: what took seconds
 * to read and compile starts in milliseconds, and no file of the model is needed any more.
 *
 * The block has no address in it. Words that point inside it are listed, and so are those that point to a kind of the program, by its
 * number. An image is for the version and the build of Biela, and for the kind of machine, that made it: others refuse it. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

/* Makes an image of the system that `make` gives: it is called twice, in this thread, and must make the same each time from the beginning,
 * the model too, of which only the system keeps hold (bi_model_destroy after bi_compile). `note`: bytes of the caller that go with it,
 * or NULL. Free the result; NULL: the report says why, as for a model with functions of yours, or another solver than our own. */
void *bi_image_make(bi_system *(*make)(void *context, bi_report *), void *context, const void *note,
                    size_t n_note, size_t *size, bi_report *);
/* The system of an image, at a new place; destroyed as any other. NULL: it is damaged, or of another version, build or machine. */
bi_system *bi_image_load(const void *bytes, size_t size, bi_report *);
/* The note inside the bytes. NULL: as before. */
const void *bi_image_note(const void *bytes, size_t size, size_t *n_note, bi_report *);
/* The bytes begin as an image does. */
bool bi_image_is(const void *bytes, size_t size);
/* The model that a system was made of, as long as the system lives. */
const bi_model *bi_system_model(const bi_system *);
BI_END
