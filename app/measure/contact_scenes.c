// SPDX-License-Identifier: MIT
#include "measure/contact_scenes.h"
#include "cli/files.h"
#include "cli/words.h"
#include <biela/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The bodies of one box each, and their shapes in `shape` (n).
static void add_boxes(bi_model *model, const scene_request *request, const boxes_rule *rule, bi_shape *shape)
{
    box_start *start = words_alloc((size_t)request->n * sizeof *start);
    boxes_place(request->boxes, request->n, start);
    double xx = rule->size.x * rule->size.x, yy = rule->size.y * rule->size.y,
           zz = rule->size.z * rule->size.z;
    double m = rule->mass / 12.0;
    for (int k = 0; k < request->n; k++) {
        char *name = words_format("box%d", k);
        bi_body body = bi_add_body(
            model,
            &(bi_body_def){
                .name = name,
                .mass = rule->mass,
                .inertia = { m * (yy + zz), m * (xx + zz), m * (xx + yy) },
                .pose = { start[k].at, { cos(0.5 * start[k].turn), 0.0, 0.0, sin(0.5 * start[k].turn) } },
                .twist = { .lin = { start[k].speed, 0.0, 0.0 } } });
        shape[k] = bi_add_shape(
            model, &(bi_shape_def){ .name = name, .type = BI_SHAPE_BOX, .body = body, .size = rule->size });
        free(name);
    }
    free(start);
}

static void add_contact(bi_model *model, const char *name, bi_shapes a, bi_shapes b, const boxes_rule *rule,
                        double friction)
{
    bi_element contact =
        bi_add_contact(model, &(bi_contact_def){ .name = name,
                                                 .a = a,
                                                 .b = b,
                                                 .stiffness = bi_constant(model, rule->stiffness),
                                                 .damping = bi_constant(model, rule->damping),
                                                 .friction = bi_constant(model, friction) });
    bi_add_output(model, &(bi_output_def){ .name = name, .kind = BI_OUT_CONTACT, .element = contact });
}

static bi_model *make_boxes(const scene_request *request)
{
    boxes_rule rule = boxes_of(request->boxes, request->n);
    bi_model *model = bi_model_create("boxes");
    bi_shape *shape = words_alloc((size_t)request->n * sizeof *shape);
    bi_model_gravity(model, (bi_vec3){ 0.0, 0.0, -rule.gravity });
    add_boxes(model, request, &rule, shape);
    bi_shapes boxes = { request->n, shape };
    if (rule.has_floor) {
        bi_shape floor = bi_add_shape(model, &(bi_shape_def){ .name = "floor", .type = BI_SHAPE_PLANE });
        add_contact(model, "floor", boxes, (bi_shapes){ 1, &floor }, &rule, rule.friction_on_floor);
    }
    add_contact(model, "boxes", boxes, (bi_shapes){ 0 }, &rule, rule.friction);
    free(shape);
    return model;
}

// The truck, and the manoeuvre that lies in the folder of its model file.
static bi_model *read_forklift(bi_report *report)
{
    char *share = file_models_folder(), *path = bi_find_model("forklift", share, report);
    bi_run run = bi_run_usual();
    bi_model *model = path ? bi_read_model(path, NULL, 0, NULL, &run, report) : NULL;
    if (model) {
        int folder = (int)(strrchr(path, '/') ? strrchr(path, '/') - path + 1 : 0);
        char *carry = words_format("%.*smanoeuvres/carry.csv", folder, path);
        bi_read_manoeuvre(carry, model, report);
        free(carry);
    }
    free(path);
    free(share);
    return model;
}

// The truck drives into a wall of n crates, twenty side by side.
static bi_model *read_crates(int n, bi_report *report)
{
    enum { WIDE = 20 };
    char *share = file_models_folder(), *path = bi_find_model("wall-of-crates", share, report);
    char *high = words_format("%d", n / WIDE);
    bi_run run = bi_run_usual();
    bi_setting size[] = { { "W", "20" }, { "H", high } };
    bi_model *model = path ? bi_read_model(path, size, 2, NULL, &run, report) : NULL;
    free(high);
    free(path);
    free(share);
    return model;
}

static bi_model *open_model(const scene_request *request, bi_report *report)
{
    switch (request->source) {
    case SCENE_BOXES: return make_boxes(request);
    case SCENE_FORKLIFT: return read_forklift(report);
    case SCENE_CRATES: return read_crates(request->n, report);
    }
    return NULL;
}

static exit_code start(contact_scene *scene, const scene_request *request, bi_report *report)
{
    scene->system = bi_compile(scene->model, &request->options, report);
    scene->sim = scene->system ? bi_sim_create(scene->system) : NULL;
    if (!scene->sim) {
        return report->errors > 0 ? CLI_BAD : CLI_MACHINE;
    }
    return bi_sim_start(scene->sim, report) == BI_OK ? CLI_OK : CLI_NUMERICAL;
}

exit_code contact_scene_open(contact_scene *scene, const scene_request *request)
{
    bi_report report = { 0 };
    *scene = (contact_scene){ 0 };
    scene->model = open_model(request, &report);
    exit_code code = report.errors > 0 || !scene->model ? CLI_BAD : start(scene, request, &report);
    if (code != CLI_OK) {
        bi_report_print(&report, stderr);
    }
    bi_report_clear(&report);
    if (code == CLI_OK) {
        scene->kinetic = bi_find_channel(scene->system, "energy.kinetic");
        scene->total = bi_find_channel(scene->system, "energy.total");
        scene->balance = bi_find_channel(scene->system, "energy.balance");
    }
    if (code == CLI_OK && request->source == SCENE_BOXES) {
        static const char *const depth[2] = { "floor.depth", "boxes.depth" };
        static const char *const touching[2] = { "floor.regions", "boxes.regions" };
        for (int k = 0; k < 2; k++) {
            scene->depth[k] = bi_find_channel(scene->system, depth[k]);
            scene->touching[k] = bi_find_channel(scene->system, touching[k]);
        }
        bi_vec3 size = boxes_of(request->boxes, request->n).size;
        scene->half_diagonal = 0.5 * sqrt(size.x * size.x + size.y * size.y + size.z * size.z);
    }
    return code;
}

void contact_scene_close(contact_scene *scene)
{
    bi_sim_destroy(scene->sim);
    bi_system_destroy(scene->system);
    bi_model_destroy(scene->model);
    *scene = (contact_scene){ 0 };
}
