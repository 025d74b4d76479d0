// SPDX-License-Identifier: MIT
// A shape of type road: from a file, or random by its class of ISO 8608.
#include "io/road/read_road.h"
#include <math.h>
#include <stdlib.h>

// False: a mistake was told.
static bool read_smooth(reader *r, const yaml_node *value, const char *where, bool *is_smooth)
{
    const yaml_node *node = yaml_get(value, "smooth");
    *is_smooth = true;
    return !node || reader_bool(r, node, where_at(where, "smooth").text, is_smooth);
}

static bi_road *road_of_file(reader *r, const yaml_node *value, const yaml_node *file, const char *where)
{
    static const char *const others[] = { "iso_class", "roughness", "seed",  "incoherence",
                                          "flat",      "length",    "width", "spacing" };
    where_path here = where_at(where, "file");
    bool is_smooth;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const yaml_node *other = yaml_get(value, others[k]);
        if (other) {
            reader_error(r, other, where_at(where, others[k]).text,
                         "is of a random road, and this one comes from a file");
            return NULL;
        }
    }
    const yaml_node *id = yaml_get(value, "road");
    const char *name = id ? reader_text(r, id, where_at(where, "road").text) : NULL;
    const char *text = reader_expect(r, file, YAML_SCALAR, here.text, "the name of a file .crg or .xodr")
                           ? reader_text(r, file, here.text)
                           : NULL;
    if (!read_smooth(r, value, where, &is_smooth) || !text || (id && !name)) {
        return NULL;
    }
    char *path = reader_path_beside(r, text);
    bi_report said = { 0 };
    bi_road *road =
        path ? bi_road_read(path, name, is_smooth, reader_place_of(r, file), here.text, &said) : NULL;
    for (int k = 0; k < said.count; k++) {
        reader_tell(r, &said.issue[k]);
    }
    bi_report_clear(&said);
    free(path);
    return road;
}

// How rough it is, by its class or as a number.
static bool read_roughness(reader *r, const yaml_node *value, const char *where, double *out)
{
    if (!yaml_get(value, "iso_class")) {
        return reader_number_of(r, value, "roughness", "m^3", where, out);
    }
    if (yaml_get(value, "roughness")) {
        reader_error(r, yaml_get(value, "roughness"), where_at(where, "roughness").text,
                     "is given besides 'iso_class'; one of them is enough");
        return false;
    }
    int word = reader_word_of(r, value, &keys_solid, "iso_class", where);
    *out = bi_road_roughness((char)('A' + (word < 0 ? 0 : word)));
    return word >= 0;
}

static bool read_spacing(reader *r, const yaml_node *value, const char *where, bi_road_random_def *def)
{
    const yaml_node *node = yaml_get(value, "spacing");
    double step[2] = { 0.1, 0.25 };
    where_path here = where_at(where, "spacing");
    bool is_good = !node || (node->kind == YAML_LIST ? reader_numbers(r, node, 2, "m", here.text, step)
                                                     : reader_number(r, node, "m", here.text, step));
    if (is_good && !(step[0] > 0.0 && step[1] > 0.0)) {
        reader_error(r, node, here.text, "must be positive");
        return false;
    }
    def->spacing = step[0];
    def->spacing_across = step[1];
    return is_good;
}

bi_road *read_road(reader *r, const yaml_node *value, const char *where)
{
    const yaml_node *file = yaml_get(value, "file");
    if (file) {
        return road_of_file(r, value, file, where);
    }
    if (!yaml_get(value, "iso_class") && !yaml_get(value, "roughness")) {
        reader_error(r, r->entry, where, "a road needs 'file', or 'iso_class' and 'length' for a random one");
        return NULL;
    }
    bi_road_random_def def = { .length = 0.0, .width = 4.0, .incoherence = 4.0 };
    double seed = 1.0;
    static const struct {
        const char *key, *unit;
        size_t at;
    } numbers[] = { { "length", "m", offsetof(bi_road_random_def, length) },
                    { "width", "m", offsetof(bi_road_random_def, width) },
                    { "incoherence", "1", offsetof(bi_road_random_def, incoherence) },
                    { "flat", "m", offsetof(bi_road_random_def, flat) } };
    bool is_good = read_roughness(r, value, where, &def.roughness) && read_spacing(r, value, where, &def);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        double *to = (double *)(void *)((char *)&def + numbers[k].at);
        is_good = (!yaml_get(value, numbers[k].key) ||
                   reader_number_of(r, value, numbers[k].key, numbers[k].unit, where, to)) &&
                  is_good;
    }
    if (yaml_get(value, "seed") && reader_number_of(r, value, "seed", "1", where, &seed) &&
        !(seed >= 0.0 && seed <= 9007199254740992.0 && seed == floor(seed))) {
        reader_error(r, yaml_get(value, "seed"), where_at(where, "seed").text,
                     "must be a whole number from 0 to 2^53, and it is %g", seed);
        return NULL;
    }
    if (yaml_get(value, "road")) {
        reader_error(r, yaml_get(value, "road"), where_at(where, "road").text, "is for a road from a file");
        return NULL;
    }
    bool is_smooth = true;
    if (!read_smooth(r, value, where, &is_smooth) || !is_good) {
        return NULL;
    }
    if (!is_smooth) {
        reader_error(r, yaml_get(value, "smooth"), where_at(where, "smooth").text, "random roads are smooth");
        return NULL;
    }
    def.seed = (uint64_t)seed;
    const char *why = NULL;
    bi_road *road = bi_road_random(&def, &why);
    if (!road) {
        reader_error(r, r->entry, where, "%s",
                     yaml_get(value, "length") ? why : "a random road needs 'length'");
    }
    return road;
}
