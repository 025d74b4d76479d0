// SPDX-License-Identifier: MIT
// The chassis of the prototype car as a mesh, for tests.
#pragma once
#include <biela/flex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHASSIS_NODES = 211, CHASSIS_ELEMENTS = 247 };

typedef struct {
    bi_fe_node node[CHASSIS_NODES];
    bi_fe_element element[CHASSIS_ELEMENTS];
    bi_section section[4];
    bi_material steel;
    bi_flex_boundary boundary[24];
    int32_t frame[1];
    char name[CHASSIS_NODES][8];
    bi_flex_def def;
} chassis;

// Node by name; -1: none.
static inline int chassis_node(const chassis *c, const char *name)
{
    for (int i = 0; i < CHASSIS_NODES; i++) {
        if (strcmp(c->name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

// 20 or 24 points of the boundary. False: the files are not there or not as expected.
static inline bool chassis_read(chassis *c, int n_points)
{
    memset(c, 0, sizeof *c);
    c->steel = (bi_material){ .name = "steel", .young = 2.06e11, .poisson = 0.3, .density = 7850.0 };
    FILE *nodes = fopen(BI_SOURCE_DIR "/models/prototype-car/chassis/nodes.csv", "r");
    FILE *elements = fopen(BI_SOURCE_DIR "/models/prototype-car/chassis/elements.csv", "r");
    char line[200];
    bool is_good = nodes && elements && fgets(line, sizeof line, nodes) && fgets(line, sizeof line, elements);
    for (int i = 0, id; is_good && i < CHASSIS_NODES; i++) {
        bi_vec3 *at = &c->node[i].at;
        // most nodes have no name
        is_good = fgets(line, sizeof line, nodes) &&
                  sscanf(line, "%d,%lf,%lf,%lf,", &id, &at->x, &at->y, &at->z) == 4;
        (void)sscanf(line, "%*d,%*f,%*f,%*f,%7[^,],", c->name[i]);
        int attachment = is_good ? atoi(strrchr(line, ',') + 1) : 0;
        c->node[i].name = c->name[i];
        if (attachment == 1 || (attachment == 3 && n_points == 24)) {
            c->boundary[c->def.n_boundary++] = (bi_flex_boundary){ .node = i, .is_point = true };
        }
        c->frame[0] = attachment == 2 ? i : c->frame[0];
    }
    for (int k = 0, id, a, b, s; is_good && k < CHASSIS_ELEMENTS; k++) {
        double D, t;
        is_good = fscanf(elements, "%d,%d,%d,%d,%lf,%lf", &id, &a, &b, &s, &D, &t) == 6;
        c->section[s - 1] = bi_section_tube(D, t);
        c->element[k] = (bi_fe_element){ .number = id, .node = { a - 1, b - 1 }, .section = s - 1 };
    }
    if (nodes) {
        fclose(nodes);
    }
    if (elements) {
        fclose(elements);
    }
    c->def.name = "chassis";
    c->def.mesh = (bi_fe_mesh){
        .n_node = CHASSIS_NODES, .n_element = CHASSIS_ELEMENTS, .n_section = 4, .n_material = 1
    };
    c->def.mesh.node = c->node;
    c->def.mesh.element = c->element;
    c->def.mesh.section = c->section;
    c->def.mesh.material = &c->steel;
    c->def.n_frame = 1;
    c->def.frame = c->frame;
    c->def.boundary = c->boundary;
    return is_good && c->def.n_boundary == n_points;
}
