// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "cli/catalogue.h"
#include "cli/files.h"
#include "cli/words.h"
#include <biela/io.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What stands after `name:` in a model file, without quotes and comment; "" if there is none.
static char *read_title(const char *path)
{
    const char *why;
    FILE *file = bi_open_plain(path, &why);
    char line[512];
    char *title = NULL;
    while (file && !title && fgets(line, sizeof line, file)) {
        if (strncmp(line, "name:", 5) != 0) {
            continue;
        }
        char *from = line + 5;
        from += strspn(from, " \t");
        size_t length;
        if (*from == '"' || *from == '\'') {
            const char quote[] = { *from++, '\n', '\0' };
            length = strcspn(from, quote);
        } else {
            char *comment = strstr(from, " #");
            length = comment ? (size_t)(comment - from) : strcspn(from, "\r\n");
        }
        while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t')) {
            length--;
        }
        title = words_copy(from, length);
    }
    if (file) {
        fclose(file);
    }
    return title ? title : words_copy("", 0);
}

// The model file of an entry of a folder: NAME.yaml, NAME/model.yaml or NAME/NAME.yaml. NULL: it is no model.
static char *entry_path(const char *folder, const char *entry)
{
    if (entry[0] == '.') {
        return NULL;
    }
    bool is_file = file_has_ending(entry, ".yaml");
    char *path =
        is_file ? words_format("%s/%s", folder, entry) : words_format("%s/%s/model.yaml", folder, entry);
    if (!file_exists(path) && !is_file) {
        free(path);
        path = words_format("%s/%s/%s.yaml", folder, entry, entry);
    }
    if (!file_exists(path)) {
        free(path);
        return NULL;
    }
    return path;
}

static bool is_listed(const catalogue *models, const char *name)
{
    for (int k = 0; k < models->count; k++) {
        if (strcmp(models->item[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const found_model *)a)->name, ((const found_model *)b)->name);
}

// Adds the models of one folder; a name that an earlier folder has stays with that one, as in bi_find_model.
static void add_folder(catalogue *models, const char *folder)
{
    DIR *dir = folder && *folder ? opendir(folder) : NULL;
    if (!dir) {
        return;
    }
    int first = models->count;
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char *path = entry_path(folder, entry->d_name);
        char *name = path ? file_model_name(path) : NULL;
        if (!path || is_listed(models, name)) {
            free(name);
            free(path);
            continue;
        }
        size_t count = (size_t)models->count;
        found_model *longer = words_alloc((count + 1) * sizeof *longer);
        if (count > 0) {
            memcpy(longer, models->item, count * sizeof *longer);
        }
        free(models->item);
        models->item = longer;
        models->item[models->count++] =
            (found_model){ .name = name, .title = read_title(path), .path = path };
    }
    closedir(dir);
    if (models->count > first) {
        qsort(models->item + first, (size_t)(models->count - first), sizeof *models->item, compare_names);
    }
}

catalogue catalogue_make(void)
{
    catalogue models = { 0 };
    add_folder(&models, "models");
    add_folder(&models, getenv("BIELA_MODELS"));
    char *installed = file_models_folder();
    add_folder(&models, installed);
    free(installed);
    return models;
}

void catalogue_clear(catalogue *models)
{
    for (int k = 0; k < models->count; k++) {
        free(models->item[k].name);
        free(models->item[k].title);
        free(models->item[k].path);
    }
    free(models->item);
    *models = (catalogue){ 0 };
}
