// SPDX-License-Identifier: MIT
#include "running/claims.h"
#include "cli/files.h"
#include "cli/words.h"
#include <biela/io.h>
#include <biela/outfile.h>
#include <stdlib.h>
#include <string.h>

static void add(claims *files, const char *what, const char *path)
{
    if (files->count == files->capacity) {
        int capacity = 2 * files->capacity + 16;
        claim *longer = words_alloc((size_t)capacity * sizeof *longer);
        if (files->count > 0) {
            memcpy(longer, files->item, (size_t)files->count * sizeof *longer);
        }
        free(files->item);
        files->item = longer;
        files->capacity = capacity;
    }
    files->item[files->count++] = (claim){ what ? words_format("%s", what) : NULL, words_format("%s", path) };
}

void claims_read(claims *files, const char *path)
{
    if (!files || !path) {
        return;
    }
    for (int k = 0; k < files->count; k++) {
        if (!files->item[k].what && strcmp(files->item[k].path, path) == 0) {
            return;
        }
    }
    add(files, NULL, path);
}

static void read_found(void *files, const char *path) { claims_read(files, path); }

void claims_read_model(claims *files, const char *path)
{
    if (files && path && (!files->model || strcmp(files->model, path) != 0)) {
        free(files->model);
        files->model = words_format("%s", path);
        bi_document_files(path, read_found, files);
    }
}

static bool refuse(const claim *before, const char *what, const char *path)
{
    if (before->what) {
        fprintf(stderr, "biela: error: %s %s and %s %s are the same file; choose another name for one\n",
                what, path, before->what, before->path);
    } else {
        fprintf(stderr,
                "biela: error: %s %s would overwrite %s, which this command reads; choose another name\n",
                what, path, before->path);
    }
    return false;
}

bool claims_write(claims *files, const char *what, const char *path)
{
    if (path && strcmp(path, "-") == 0) {
        fprintf(stderr, "biela: error: %s -: give the name of a file; standard output is /dev/stdout\n",
                what);
        return false;
    }
    for (int k = 0; files && path && k < files->count; k++) {
        const claim *c = &files->item[k];
        if (bi_outfile_touches(path, c->path) || (c->what && bi_outfile_touches(c->path, path))) {
            return refuse(c, what, path);
        }
    }
    if (files && path) {
        add(files, what, path);
    }
    return true;
}

bool claims_write_beside(claims *files, const char *what, const char *path, const char *ending)
{
    if (!files || bi_outfile_is_stream(path)) {
        return true;
    }
    char *beside = file_with_ending(path, ending);
    bool is_free = claims_write(files, what, beside);
    free(beside);
    return is_free;
}

void claims_clear(claims *files)
{
    for (int k = 0; k < files->count; k++) {
        free(files->item[k].what);
        free(files->item[k].path);
    }
    free(files->item);
    free(files->model);
    *files = (claims){ 0 };
}
