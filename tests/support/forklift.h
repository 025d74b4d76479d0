// SPDX-License-Identifier: MIT
// What is seen of the forklift and its loads: how low the corners of their meshes are.
#ifndef BIELA_TESTS_SUPPORT_FORKLIFT_H
#define BIELA_TESTS_SUPPORT_FORKLIFT_H

#include "support/run_model.h"

typedef struct {
    const char *body, *mesh;
} seen;

// All that is seen of the truck, save its lamps; rubber apart. And of the virola.
static const seen forklift_steel[] = { { "chassis", "chassis" }, { "chassis", "counterweight" },
                                       { "chassis", "guard" },   { "mast1", "mast1" },
                                       { "mast2", "mast2" },     { "forks", "forks" },
                                       { "forks", "carriage" },  { "axle", "axle" } },
                  forklift_rubber[] = { { "wheel_fr", "wheel_front" },
                                        { "wheel_fl", "wheel_front" },
                                        { "wheel_rr", "wheel_rear" },
                                        { "wheel_rl", "wheel_rear" } },
                  forklift_virola[] = { { "virola", "virola" }, { "virola", "virola_frame" } };

// Height of the lowest corner of a mesh that is seen, on a body.
static inline double forklift_corner(run_model *run, const char *body, const char *mesh)
{
    char path[512], line[256];
    snprintf(path, sizeof path, BI_SOURCE_DIR "/models/forklift/meshes/%s.obj", mesh);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bi_pose pose = bi_sim_view(run->sim).pose[run_body(run, body)];
    double lowest = INFINITY;
    bi_vec3 at;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "v %lf %lf %lf", &at.x, &at.y, &at.z) == 3) {
            lowest = fmin(lowest, run_point(pose, at).z);
        }
    }
    fclose(file);
    assert_true(isfinite(lowest));
    return lowest;
}

static inline double forklift_lowest(run_model *run, const seen *item, size_t count)
{
    double lowest = INFINITY;
    for (size_t k = 0; k < count; k++) {
        lowest = fmin(lowest, forklift_corner(run, item[k].body, item[k].mesh));
    }
    return lowest;
}

#endif
