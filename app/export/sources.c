// SPDX-License-Identifier: MIT
#include "export/sources.h"
#include "cli/files.h"
#include "cli/words.h"
#include <biela/io.h>
#include <stdlib.h>
#include <string.h>

#ifndef BI_MODULES_FROM_BIN
#define BI_MODULES_FROM_BIN "../lib/biela"
#endif

// ---- files ------------------------------------------------------------------------------------------------------------

char *sources_folder(const char *file)
{
    static const char *const folders[] = { "", BI_MODULES_FROM_BIN "/" };
    char *own = file_of_executable(), *folder = NULL;
    for (int k = 0; k < 2 && !folder; k++) {
        char *path = words_format("%s%s%s", own, folders[k], file);
        folder = file_exists(path) ? words_format("%s%s", own, folders[k]) : NULL;
        free(path);
    }
    free(own);
    if (!folder) {
        fprintf(stderr, "biela export: error: %s is neither beside the program nor in its installation\n",
                file);
    }
    return folder;
}

char *sources_read(const char *path, size_t *size)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    if (!file) {
        fprintf(stderr, "biela export: error: %s: %s\n", path, why);
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *bytes = words_alloc((size_t)(length > 0 ? length : 0) + 1);
    *size = fread(bytes, 1, length > 0 ? (size_t)length : 0, file);
    fclose(file);
    return bytes;
}

bool sources_add_file(zip_writer *zip, const char *name, const char *path)
{
    size_t size;
    char *bytes = sources_read(path, &size);
    if (bytes) {
        zip_write_add(zip, name, bytes, size);
    }
    free(bytes);
    return bytes != NULL;
}

// ---- pages ------------------------------------------------------------------------------------------------------------

bool sources_find(source_pages *pages)
{
    *pages = (source_pages){ 0 };
    char *above = sources_folder("fmu_sources/pages.txt");
    if (!above) {
        return false;
    }
    pages->folder = words_format("%sfmu_sources/", above);
    char *path = words_format("%spages.txt", pages->folder);
    size_t size = 0;
    char *list = sources_read(path, &size);
    for (char *name = list ? strtok(list, "\n") : NULL; name; name = strtok(NULL, "\n")) {
        pages->name = realloc(pages->name, (size_t)(pages->count + 1) * sizeof *pages->name);
        pages->name[pages->count++] = words_format("%s", name);
    }
    free(list);
    free(path);
    free(above);
    return pages->count > 0;
}

void sources_clear(source_pages *pages)
{
    for (int k = 0; k < pages->count; k++) {
        free(pages->name[k]);
    }
    free(pages->name);
    free(pages->folder);
    *pages = (source_pages){ 0 };
}

bool sources_is_compiled(const char *name) { return file_has_ending(name, ".c"); }

// sources/buildDescription.xml
static void add_build(zip_writer *zip, const source_pages *pages, const char *identifier)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    fprintf(
        file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"%s\" description=\"gcc or clang on a system with POSIX\">\n"
        "    <SourceFileSet language=\"C17\" compilerOptions=\"-O2 -std=c17 -ffp-contract=off -fPIC "
        "-fvisibility=hidden -Wno-psabi\">\n",
        identifier);
    for (int k = 0; k < pages->count; k++) {
        if (sources_is_compiled(pages->name[k])) {
            fprintf(file, "      <SourceFile name=\"%s\"/>\n", pages->name[k]);
        }
    }
    fputs("    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n  </BuildConfiguration>\n"
          "</fmiBuildDescription>\n",
          file);
    fclose(file);
    zip_write_add(zip, "sources/buildDescription.xml", text, length);
    free(text);
}

bool sources_add(zip_writer *zip, const source_pages *pages, const char *identifier, int version)
{
    bool is_good = true;
    if (version == 3) {
        add_build(zip, pages, identifier);
    }
    for (int k = 0; is_good && k < pages->count; k++) {
        char *name = words_format("sources/%s", pages->name[k]);
        char *path = words_format("%s%s", pages->folder, pages->name[k]);
        is_good = sources_add_file(zip, name, path);
        free(path);
        free(name);
    }
    return is_good;
}
