// SPDX-License-Identifier: MIT
// What is only seen: struts between bodies, files of modelling programs, light, scenery; and colours, which shapes have, too.
#include "io/mesh/look_file.h"
#include "io/model/reader.h"
#include <biela/look.h>
#include <stdlib.h>
#include <string.h>

// '#rrggbb', '#rrggbbaa', [r, g, b] or [r, g, b, a].
void reader_colour(reader *r, const yaml_node *node, const char *where, double colour[4])
{
    colour[3] = 1.0;
    if (node->kind == YAML_LIST && (node->count == 3 || node->count == 4)) {
        if (reader_numbers(r, node, node->count, "1", where, colour)) {
            for (int k = 0; k < 4; k++) {
                if (!(colour[k] >= 0.0 && colour[k] <= 1.0)) {
                    reader_error(r, node, where, "has %g; the parts of a colour are from 0 to 1", colour[k]);
                    return;
                }
            }
        }
        return;
    }
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    size_t length = strlen(text);
    if (text[0] != '#' || (length != 7 && length != 9) ||
        strspn(text + 1, "0123456789abcdefABCDEF") != length - 1) {
        reader_error(r, node, where, "a colour is '#rrggbb', in quotes, or [red, green, blue] from 0 to 1");
        return;
    }
    for (int k = 0; k < (int)(length - 1) / 2; k++) {
        const char pair[3] = { text[1 + 2 * k], text[2 + 2 * k], '\0' };
        colour[k] = (double)strtol(pair, NULL, 16) / 255.0;
    }
}

static bool read_points(reader *r, const yaml_node *value, const char *where, bi_strut_def *def)
{
    const yaml_node *points = yaml_get(value, "points");
    where_path here = where_at(where, "points");
    if (!points) {
        reader_error(r, r->entry, where,
                     "needs 'points', two at least, such as [p1, {body: mast, at: [0, 0, 1]}]");
        return false;
    }
    if (!reader_expect(r, points, YAML_LIST, here.text, "a list of points")) {
        return false;
    }
    if (points->count < 2 || points->count > BI_STRUT_POINTS) {
        reader_error(r, points, here.text, "has %d points; 2 to %d are needed", points->count,
                     BI_STRUT_POINTS);
        return false;
    }
    bool is_good = true;
    for (int k = 0; k < points->count; k++) {
        is_good = reader_point(r, points->item[k], here.text, &def->point[k]) && is_good;
    }
    def->n_point = points->count;
    return is_good;
}

int32_t read_strut(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_strut_def def = { .name = name };
    if (!reader_expect(r, value, YAML_MAP, where,
                       "a mapping such as {type: rod, points: [p1, p2], radius: 0.02}")) {
        return 0;
    }
    if (!yaml_get(value, "type")) {
        reader_error(r, r->entry, where, "needs 'type': rod, cylinder or chain");
        return 0;
    }
    // the words of the key in the order of the list
    def.type = (bi_strut_type)(1 + reader_word_of(r, value, &keys_strut, "type", where));
    if (def.type == BI_STRUT_NONE) {
        return 0;
    }
    reader_known_of(r, value, &keys_strut, 1u << def.type, where);
    if (!yaml_get(value, "radius")) {
        reader_error(r, r->entry, where, "needs 'radius', in m");
        return 0;
    }
    bool is_good = reader_values(r, value, &keys_strut, 1u << def.type, where, &def);
    is_good = read_points(r, value, where, &def) && is_good;
    const yaml_node *colour = yaml_get(value, "colour");
    if (colour) {
        reader_colour(r, colour, where_at(where, "colour").text, def.colour);
    }
    reader_place(r, r->entry);
    if (is_good) {
        bi_add_strut(r->model, &def);
    }
    return is_good;
}

// ---- files of modelling programs ---------------------------------------------------------------------------------------

static void tell_file(void *data, const char *path) { reader_tell_file(data, path); }

// The path of the file, to be freed; NULL: a mistake was told.
static char *read_look_file(reader *r, const yaml_node *value, const char *where)
{
    const yaml_node *file = yaml_get(value, "file");
    where_path here = where_at(where, "file");
    if (!file) {
        reader_error(r, r->entry, where, "needs 'file': .gltf, .glb or .obj, relative to this file");
        return NULL;
    }
    const char *name =
        reader_expect(r, file, YAML_SCALAR, here.text, "the name of a file .gltf, .glb or .obj")
            ? reader_text(r, file, here.text)
            : NULL;
    char *path = name ? reader_path_beside(r, name) : NULL;
    bi_report said = { 0 };
    look_use use = { reader_place_of(r, file), here.text, tell_file, r };
    bool is_good = path && look_file_check(path, &use, &said);
    for (int k = 0; k < said.count; k++) {
        reader_tell(r, &said.issue[k]);
    }
    bi_report_clear(&said);
    if (!is_good) {
        free(path);
        return NULL;
    }
    return path;
}

int32_t read_look(reader *r, const char *name, const yaml_node *value, const char *where)
{
    bi_look_def def = { .name = name, .body = BI_GROUND };
    if (!reader_expect(r, value, YAML_MAP, where, "a mapping such as {file: hall.glb, at: [5, 0, 0]}")) {
        return 0;
    }
    reader_known(r, value, &keys_look, where);
    const yaml_node *body = yaml_get(value, "body");
    bool is_good = reader_values(r, value, &keys_look, ~0u, where, &def);
    reader_turn(r, yaml_get(value, "turn"), where_at(where, "turn").text, &def.pose.rot);
    if (body) {
        is_good =
            reader_lookup(r, body, &r->bodies, "body", where_at(where, "body").text, &def.body.i) && is_good;
    } else {
        def.body.i = r->scope->ground;
    }
    char *path = read_look_file(r, value, where);
    if (is_good && path && (!body || reader_is_ground(body))) {
        bi_pose pose = reader_place_pose(r, def.pose);
        def.pose.pos = reader_into_body(r, def.body, pose.pos);
        def.pose.rot = reader_rotation_into_body(r, def.body, pose.rot);
    }
    def.file = path;
    reader_place(r, r->entry);
    if (is_good && path) {
        bi_add_look(r->model, &def);
    }
    is_good = is_good && path;
    free(path);
    return is_good;
}

static void read_light(reader *r, const yaml_node *light)
{
    static const char *const colours[] = { "colour", "sky" }, *const factors[] = { "brightness", "ambient" };
    bi_vec3 sun;
    double unused[4];
    if (!reader_expect(r, light, YAML_MAP, "light", "a mapping such as {sun: [0, -1, 1], brightness: 0.5}")) {
        return;
    }
    reader_known(r, light, &keys_light, "light");
    if (yaml_get(light, "sun")) {
        (void)reader_direction(r, yaml_get(light, "sun"), "light.sun", &sun);
    }
    for (int k = 0; k < 2; k++) {
        const yaml_node *colour = yaml_get(light, colours[k]), *factor = yaml_get(light, factors[k]);
        if (colour) {
            reader_colour(r, colour, where_at("light", colours[k]).text, unused);
        }
        if (factor && reader_number(r, factor, "1", where_at("light", factors[k]).text, unused) &&
            !(unused[0] >= 0.0 && unused[0] <= 100.0)) {
            reader_error(r, factor, where_at("light", factors[k]).text, "must be a factor from 0 to 100");
        }
    }
}

void read_surroundings(reader *r)
{
    const yaml_node *light = yaml_get(r->root, "light");
    if (light) {
        read_light(r, light);
    }
    if (yaml_get(r->root, "scenery")) {
        (void)reader_word_of(r, r->root, &keys_file, "scenery", "");
    }
    const yaml_node *usual = yaml_get(r->root, "live_run"), *runs = yaml_get(r->root, "runs");
    const char *name = usual ? reader_text(r, usual, "live_run") : NULL;
    if (name && !(runs && yaml_get(runs, name))) {
        reader_error(r, usual, "live_run", "there is no run '%s' in 'runs'", name);
    }
}
