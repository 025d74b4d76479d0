// SPDX-License-Identifier: MIT
#include "io/tyre/tyre_file.h"
#include "io/tyre/tir.h"
#include <stdlib.h>
#include <string.h>

static bool is_tir(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && (strcmp(path + length - 4, ".tir") == 0 || strcmp(path + length - 4, ".TIR") == 0);
}

// The whole file, kept until the entry ends; NULL: reported.
static char *keep_text(reader *r, const char *path, const yaml_node *node, const char *where, size_t *length)
{
    char *text = reader_whole_file(path, reader_place_of(r, node), where, length, r->report);
    char *kept = text ? blocks_text(&r->memory, text, *length) : NULL;
    free(text);
    return kept;
}

tyre_data tyre_data_of(reader *r, const char *section, const yaml_node *value, const char *where)
{
    const yaml_node *node = yaml_get(value, "file");
    tyre_data out = { 0 };
    if (!node || strcmp(section, "forces") != 0) {
        return out;
    }
    where_path here = where_at(where, "file");
    out.is_broken = true;
    const char *name = reader_expect(r, node, YAML_SCALAR, here.text, "the name of a file")
                           ? reader_text(r, node, here.text)
                           : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    if (!path) {
        return out;
    }
    out.file = blocks_text(&r->memory, path, strlen(path));
    if (out.file && is_tir(path)) {
        size_t length = 0;
        const char *text = keep_text(r, path, node, here.text, &length);
        const yaml_node *type = yaml_get(value, "type");
        const char *as = type && type->kind == YAML_SCALAR ? type->text : NULL;
        out.map = text ? tir_read(text, length, out.file, as, &r->memory, r->report) : NULL;
        free(path);
    } else if (out.file) {
        // parsed once, however many wheels use it
        out.map = reader_tree_root(r, path, node, here.text);
    } else {
        free(path);
    }
    if (out.map && out.map->kind != YAML_MAP) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, (bi_place){ out.file, 1, 1 }, "",
                      "the data of a tyre are a mapping such as 'type: tyre-linear' and its numbers");
        out.map = NULL;
    }
    out.is_broken = !out.map;
    return out;
}
