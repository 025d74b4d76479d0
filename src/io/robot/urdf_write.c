// SPDX-License-Identifier: MIT
// The model file of a robot: bodies, joints, damping and stops of joints, outputs.
#include "io/robot/urdf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_type(const joint *j, const char *type) { return strcmp(j->type, type) == 0; }

static bool has_coordinate(const joint *j)
{
    return is_type(j, "revolute") || is_type(j, "continuous") || is_type(j, "prismatic");
}

// A limit is a stop that takes the joint's effort within this far beyond it, rad or m; a robot's file says no
// stiffness.
static const double stop_depth[2] = { 0.01, 0.001 };

stop_of_joint urdf_stop(const joint *j)
{
    bool is_prismatic = j->type && strcmp(j->type, "prismatic") == 0;
    bool has_range = is_prismatic || (j->type && strcmp(j->type, "revolute") == 0);
    const xml_element *limit = has_range ? xml_child(j->element->first, "limit") : NULL;
    if (!limit) {
        return (stop_of_joint){ 0 };
    }
    const char *low = xml_get(limit, "lower"), *high = xml_get(limit, "upper"),
               *effort = xml_get(limit, "effort");
    double largest = effort ? strtod(effort, NULL) : 0.0;
    stop_of_joint s = { .lower = low ? strtod(low, NULL) : 0.0, .upper = high ? strtod(high, NULL) : 0.0 };
    s.stiffness = largest / stop_depth[is_prismatic];
    s.is_there = (low || high) && s.lower < s.upper && s.stiffness > 0.0 && isfinite(s.stiffness);
    return s;
}

double urdf_damping(const joint *j)
{
    const xml_element *dynamics = xml_child(j->element->first, "dynamics");
    const char *text = has_coordinate(j) && dynamics ? xml_get(dynamics, "damping") : NULL;
    return text ? strtod(text, NULL) : 0.0;
}

// What rounding leaves of a zero is written as 0.
static double tidy(double x, double size) { return fabs(x) <= 4e-16 * size ? 0.0 : x; }

static void write_vector(FILE *out, bi_vec3 v)
{
    double size = fabs(v.x) + fabs(v.y) + fabs(v.z);
    fprintf(out, "[%.16g, %.16g, %.16g]", tidy(v.x, size), tidy(v.y, size), tidy(v.z, size));
}

static void write_link(FILE *out, const link *l)
{
    double size = l->inertia[0] + l->inertia[1] + l->inertia[2];
    fprintf(out, "  %s:\n    mass: %.16g\n    com: ", l->called, l->mass);
    write_vector(out, l->com);
    fputs("\n    inertia: [", out);
    for (int k = 0; k < 6; k++) {
        fprintf(out, "%s%.16g", k ? ", " : "", tidy(l->inertia[k], size));
    }
    fputs("]\n    at: ", out);
    write_vector(out, l->at.pos);
    fputc('\n', out);
}

static void write_joint(FILE *out, const robot *r, const joint *j, bool is_ground)
{
    const char *type = is_type(j, "continuous") ? "revolute" : j->type;
    const char *parent = is_ground && j->parent == r->root ? "ground" : r->link[j->parent].called;
    if (is_type(j, "floating")) {
        fprintf(out, "  # %s: %s floats\n", j->called, r->link[j->child].called);
        return;
    }
    fprintf(out, "  %s: {type: %s, bodies: [%s, %s], at: ", j->called, type, parent,
            r->link[j->child].called);
    write_vector(out, j->at);
    if (!is_type(j, "fixed")) {
        fputs(", axis: ", out);
        write_vector(out, j->axis);
    }
    fputs("}\n", out);
}

void urdf_write(FILE *out, const robot *r, const char *name, bool is_ground)
{
    fprintf(out,
            "# From %s. Each body frame stands at its link's origin, parallel to the ground axes when all "
            "joints are at "
            "zero.\nbiela: 1\nname: \"",
            strrchr(r->path, '/') ? strrchr(r->path, '/') + 1 : r->path);
    for (const char *c = name; *c; c++) {
        fputc(*c == '"' || *c == '\\' || (unsigned char)*c < 0x20 ? '_' : *c, out);
    }
    fputs("\"\nbodies:\n", out);
    for (int k = 0; k < r->n_link; k++) {
        if (!is_ground || k != r->root) {
            write_link(out, &r->link[k]);
        }
    }
    fputs("joints:\n", out);
    for (int k = 0; k < r->n_joint; k++) {
        write_joint(out, r, &r->joint[k], is_ground);
    }
    const char *section = "forces:\n";
    for (int k = 0; k < r->n_joint; k++) {
        const joint *j = &r->joint[k];
        if (urdf_damping(j) != 0.0) {
            fprintf(out, "%s  %s_damping: {type: torque, joint: %s, torque: \"-%.16g*%s.rate\"}\n", section,
                    j->called, j->called, urdf_damping(j), j->called);
            section = "";
        }
    }
    for (int k = 0; k < r->n_joint; k++) {
        const joint *j = &r->joint[k];
        stop_of_joint stop = urdf_stop(j);
        if (stop.is_there) {
            // as much damping as turns the joint back without a second blow, at the time scale of a hundredth of a
            // second
            fprintf(out,
                    "%s  %s_stop: {type: stop, joint: %s, lower: %.16g, upper: %.16g, stiffness: %.16g, "
                    "damping: %.16g}\n",
                    section, j->called, j->called, stop.lower, stop.upper, stop.stiffness,
                    0.01 * stop.stiffness);
            section = "";
        }
    }
    section = "outputs:\n";
    for (int k = 0; k < r->n_joint; k++) {
        if (has_coordinate(&r->joint[k])) {
            fprintf(out, "%s  %s: {joint: %s}\n", section, r->joint[k].called, r->joint[k].called);
            section = "";
        }
    }
}
