// SPDX-License-Identifier: MIT
// Reduced bodies in files, so that a large mesh is reduced once. The name is the hash of everything that decides the
// result.
#include "io/flex/flex_mesh.h"
#include <biela/outfile.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 1024, FEW_NODES = 60 }; // smaller ones are built faster than read

// $BIELA_CACHE, else $XDG_CACHE_HOME/biela, else ~/.cache/biela; made when it is not there. False: no place.
static bool cache_folder(char *out)
{
    const char *own = getenv("BIELA_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = own                 ? snprintf(out, LONGEST, "%s", own)
                 : cache && cache[0] ? snprintf(out, LONGEST, "%s/biela", cache)
                 : home && home[0]   ? snprintf(out, LONGEST, "%s/.cache/biela", home)
                                     : 0;
    if (length <= 0 || length >= LONGEST - 64) {
        return false;
    }
    for (char *at = out + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            (void)mkdir(out, 0777);
            *at = '/';
        }
    }
    return mkdir(out, 0777) == 0 || errno == EEXIST;
}

static bi_flex *load(const bi_flex_def *def, const char *path)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    struct stat about;
    bi_flex *flex = NULL;
    if (file && fstat(fileno(file), &about) == 0 && about.st_size > 0) {
        size_t size = (size_t)about.st_size;
        void *bytes = malloc(size);
        if (bytes && fread(bytes, 1, size, file) == size) {
            flex = bi_flex_load(def, bytes, size);
        }
        free(bytes);
    }
    if (file) {
        fclose(file);
    }
    return flex;
}

// What cannot be written is computed again next time.
static void store(const bi_flex *flex, const char *path)
{
    size_t size = bi_flex_save(flex, NULL, 0);
    void *bytes = malloc(size);
    bi_outfile *output = bytes ? bi_outfile_open(path, NULL) : NULL;
    if (output) {
        bi_flex_save(flex, bytes, size);
        fwrite(bytes, 1, size, bi_outfile_file(output));
        (void)bi_outfile_commit(output, NULL);
    }
    free(bytes);
}

// Who watches, and which body.
typedef struct {
    const bi_read_watch *watch;
    char body[80];
} watched_body;

// `where` is bodies.NAME.flex.
static watched_body watch_body(const bi_read_watch *watch, const char *where)
{
    watched_body w = { .watch = watch };
    const char *name = strncmp(where, "bodies.", 7) == 0 ? where + 7 : where;
    const char *end = strrchr(name, '.');
    snprintf(w.body, sizeof w.body, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
    return w;
}

static void pass_on(void *context, const char *stage, double done)
{
    const watched_body *w = context;
    w->watch->tell(w->watch->context, w->body, stage, done);
}

bi_flex *flex_cached(const bi_flex_def *def, const bi_read_watch *watch, bi_report *report)
{
    char path[LONGEST] = "";
#ifndef BI_FUZZ
    if (def->mesh.n_node > FEW_NODES && cache_folder(path)) {
        size_t length = strlen(path);
        snprintf(path + length, sizeof path - length, "/flex-%016" PRIx64 ".bin", bi_flex_hash(def));
    } else {
        path[0] = '\0';
    }
#endif
    bi_flex *flex = path[0] ? load(def, path) : NULL;
    if (flex) {
        // what was reported when it was built is reported again
        (void)bi_flex_check(def, report);
    } else {
        watched_body w = watch_body(watch, def->name);
        flex = bi_flex_build(def, watch && watch->tell ? pass_on : NULL, &w, report);
        if (flex && path[0]) {
            store(flex, path);
        }
    }
    return flex;
}
