// SPDX-License-Identifier: MIT
// A YAML file for those who read little of it: places by paths, texts, numbers, JSON; and the files that it names.
#include "io/mesh/look_file.h"
#include "io/model/reader.h"
#include "io/yaml/yaml.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct bi_document {
    char *path;
    yaml_file *yaml;
};

static bi_document *parse(const char *text, size_t length, const char *path, bi_report *report)
{
    int errors = report->errors;
    yaml_file *yaml = yaml_parse(text, length, path, report);
    bi_document *doc = malloc(sizeof *doc);
    char *own = malloc(strlen(path) + 1);
    if (!yaml || !doc || !own || report->errors > errors) {
        if (report->errors == errors) {
            bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        }
        yaml_destroy(yaml);
        free(doc);
        free(own);
        return NULL;
    }
    memcpy(own, path, strlen(path) + 1);
    *doc = (bi_document){ own, yaml };
    return doc;
}

bi_document *bi_document_parse(const char *text, size_t length, const char *path, bi_report *report)
{
    bi_report own = { 0 };
    bi_document *doc = text ? parse(text, length, path ? path : "", report ? report : &own) : NULL;
    if (!text) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no text to read");
    }
    bi_report_clear(&own);
    return doc;
}

bi_document *bi_document_open(const char *path, bi_report *report)
{
    if (!path) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no file to read");
        return NULL;
    }
    size_t length = 0;
    char *text = reader_whole_file(path, (bi_place){ path, 0, 0 }, "", &length, report);
    bi_document *doc = text ? bi_document_parse(text, length, path, report) : NULL;
    free(text);
    return doc;
}

void bi_document_close(bi_document *doc)
{
    if (doc) {
        yaml_destroy(doc->yaml);
        free(doc->path);
        free(doc);
    }
}

static const yaml_node *child(const yaml_node *node, const char *name, size_t length)
{
    char key[128];
    if (length >= sizeof key) {
        return NULL;
    }
    memcpy(key, name, length);
    key[length] = '\0';
    if (node->kind == YAML_MAP) {
        return yaml_get(node, key);
    }
    char *end = NULL;
    long k = strtol(key, &end, 10);
    return node->kind == YAML_LIST && *key && !*end && k >= 0 && k < node->count ? node->item[k] : NULL;
}

static const yaml_node *find(const bi_document *doc, const char *place)
{
    const yaml_node *node = doc && place ? yaml_root(doc->yaml) : NULL;
    while (node && *place) {
        size_t length = strcspn(place, ".");
        node = child(node, place, length);
        place += length;
        place += *place == '.';
    }
    return node;
}

int bi_document_count(const bi_document *doc, const char *place)
{
    const yaml_node *node = find(doc, place);
    return node && (node->kind == YAML_MAP || node->kind == YAML_LIST) ? node->count : 0;
}

const char *bi_document_key(const bi_document *doc, const char *place, int k)
{
    const yaml_node *node = find(doc, place);
    return node && node->kind == YAML_MAP && k >= 0 && k < node->count ? node->key[k]->text : NULL;
}

const char *bi_document_text(const bi_document *doc, const char *place)
{
    const yaml_node *node = find(doc, place);
    return node && node->kind == YAML_SCALAR ? node->text : NULL;
}

bool bi_document_number(const bi_document *doc, const char *place, double *value)
{
    const char *text = bi_document_text(doc, place);
    char *end = NULL;
    double number = text && *text ? strtod(text, &end) : 0.0;
    if (!end || *end || !isfinite(number)) {
        return false;
    }
    if (value) {
        *value = number;
    }
    return true;
}

bool bi_document_json(const bi_document *doc, const char *place, FILE *out)
{
    const yaml_node *node = out ? find(doc, place) : NULL;
    if (node) {
        yaml_write_json(out, node);
    }
    return node != NULL;
}

bi_place bi_document_place(const bi_document *doc, const char *place)
{
    const yaml_node *node = find(doc, place);
    return (bi_place){ doc ? doc->path : NULL, node ? node->line : 0, node ? node->column : 0 };
}

// ---- files that are named --------------------------------------------------------------------------------------

typedef struct {
    char **path;
    int count, capacity;
} path_list;

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// Takes `path`.
static void add_path(path_list *list, char *path)
{
    for (int k = 0; path && k < list->count; k++) {
        if (strcmp(list->path[k], path) == 0) {
            free(path);
            return;
        }
    }
    if (path && list->count == list->capacity) {
        int capacity = 2 * list->capacity + 16;
        char **longer = realloc(list->path, (size_t)capacity * sizeof *longer);
        if (!longer) {
            free(path);
            return;
        }
        list->path = longer;
        list->capacity = capacity;
    }
    if (path) {
        list->path[list->count++] = path;
    }
}

// A text that could be the name of a file and is one, seen from the folder of `base`.
static void try_text(path_list *list, const char *base, const char *text)
{
    const char *slash = strrchr(base, '/');
    size_t folder = slash && text[0] != '/' ? (size_t)(slash - base) + 1 : 0, length = strlen(text);
    char *path = length > 0 && length < 512 && strchr(text, '.') && !strchr(text, '\n')
                     ? malloc(folder + length + 1)
                     : NULL;
    if (!path) {
        return;
    }
    memcpy(path, base, folder);
    memcpy(path + folder, text, length + 1);
    if (is_file(path)) {
        add_path(list, path);
    } else {
        free(path);
    }
}

static void walk(path_list *list, const char *base, const yaml_node *node)
{
    if (node->kind == YAML_SCALAR) {
        try_text(list, base, node->text);
    }
    for (int k = 0; node->kind != YAML_SCALAR && k < node->count; k++) {
        walk(list, base, node->item[k]);
    }
}

static bool is_yaml(const char *path)
{
    size_t length = strlen(path);
    return (length > 5 && strcmp(path + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(path + length - 4, ".yml") == 0);
}

// A file that a file of looks names.
static void add_named(void *data, const char *path)
{
    char *own = malloc(strlen(path) + 1);
    if (own) {
        memcpy(own, path, strlen(path) + 1);
        add_path(data, own);
    }
}

void bi_document_files(const char *path, void (*found)(void *, const char *), void *data)
{
    if (!path || !found) {
        return;
    }
    path_list list = { 0 };
    char *own = malloc(strlen(path) + 1);
    if (own) {
        memcpy(own, path, strlen(path) + 1);
        add_path(&list, own);
    }
    for (int k = 0; k < list.count; k++) {
        bi_report unused = { 0 };
        bi_document *doc = k == 0 || is_yaml(list.path[k]) ? bi_document_open(list.path[k], &unused) : NULL;
        if (doc && yaml_root(doc->yaml)) {
            walk(&list, doc->path, yaml_root(doc->yaml));
        }
        if (!doc) {
            look_use use = { .where = "", .found = add_named, .data = &list };
            (void)look_file_check(list.path[k], &use, &unused);
        }
        bi_document_close(doc);
        bi_report_clear(&unused);
    }
    for (int k = 0; k < list.count; k++) {
        found(data, list.path[k]);
        free(list.path[k]);
    }
    free(list.path);
}
