// SPDX-License-Identifier: MIT
// Robots and scenes of other programs: which reader, and the model file when there was no mistake.
#include "io/robot/scene.h"
#include <stdlib.h>
#include <string.h>

static void add_floor(scene *s, const xml_element *root)
{
    scene_shape *floor = scene_add_shape(s, root, "floor", "plane", 0);
    if (floor) {
        floor->is_solid = true;
        floor->mask[0] = floor->mask[1] = ~0u;
        floor->colour[0] = floor->colour[1] = floor->colour[2] = 0.5;
    }
}

static void read_scene(scene *s, xml_element *root, FILE *out)
{
    int errors = s->report->errors;
    if (strcmp(root->name, "mujoco") == 0) {
        mjcf_read(s, root);
    } else if (strcmp(root->name, "sdf") == 0) {
        sdf_read(s, root);
    } else if (strcmp(root->name, "robot") == 0) {
        urdf_read(s, root);
    } else {
        scene_tell(s, BI_ERROR, root,
                   "the root of a file is 'robot' (URDF), 'mujoco' (MJCF) or 'sdf', not '%.60s'", root->name);
    }
    if (s->options && s->options->floor) {
        add_floor(s, root);
    }
    if (s->report->errors > errors || s->has_failed) {
        return;
    }
    scene_finish(s);
    scene_tell_omissions(s);
    bool can_move = false;
    for (int k = 1; k < s->n_body; k++) {
        can_move = can_move || s->body[k].host == k;
    }
    if (!can_move) {
        scene_tell(s, BI_ERROR, root, "nothing can move: all of it is the ground");
    }
    if (s->report->errors == errors && !s->has_failed) {
        scene_write(s, out);
    }
}

static void reserve(name_set *set, const char *const *names)
{
    for (int k = 0; names[k]; k++) {
        name_set_add(set, names[k], 1);
    }
}

static bool import_robot(const char *path, const bi_import_options *options, FILE *out, bi_report *report)
{
    static const char *const words[] = { "t", "pi", NULL };
    static const char *const of_bodies[] = { "ground", "t", "pi", "all", NULL };
    static const char *const of_inputs[] = { "t", "pi", "contact_stiffness", "contact_damping", NULL };
    int errors = report->errors;
    scene s = { .path = path, .options = options, .report = report, .gravity = { 0.0, 0.0, -9.80665 } };
    reserve(&s.bodies, of_bodies);
    reserve(&s.joints, words);
    reserve(&s.shapes, words);
    reserve(&s.elements, words);
    reserve(&s.inputs, of_inputs);
    bool is_open = true;
    for (int k = 0; k < N_LINES; k++) {
        s.line[k] = open_memstream(&s.text[k], &s.length[k]);
        is_open = is_open && s.line[k];
    }
    xml_element *root = is_open ? scene_open(&s, path, NULL) : NULL;
    if (root && scene_add_body(&s, root, "ground", -1)) {
        read_scene(&s, root, out);
    }
    for (int k = 0; k < N_LINES; k++) {
        if (s.line[k]) {
            fclose(s.line[k]);
        }
        free(s.text[k]);
    }
    name_set_clear(&s.bodies);
    name_set_clear(&s.joints);
    name_set_clear(&s.shapes);
    name_set_clear(&s.elements);
    name_set_clear(&s.inputs);
    name_set_clear(&s.omissions);
    free(s.body);
    free(s.joint);
    free(s.shape);
    free(s.exclusion);
    free(s.omission);
    blocks_free(&s.memory);
    return is_open && report->errors == errors;
}

bool bi_import_robot(const char *path, const bi_import_options *options, FILE *out, bi_report *report)
{
    static const bi_import_options plain;
    bi_report own = { 0 };
    bool is_good = path && out && import_robot(path, options ? options : &plain, out, report ? report : &own);
    if (!path || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "needs a file to read and one to write");
    }
    bi_report_clear(&own);
    return is_good;
}
