// SPDX-License-Identifier: MIT
// The model file of a scene, for people: sections in the order in which one reads a machine, a line per thing.
#include "io/robot/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers ---------------------------------------------------------------------------------------------------

const char *number_text(char buffer[32], double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, x == 0.0 ? 0.0 : x);
        if (strtod(buffer, NULL) == x) {
            break;
        }
    }
    // 0.81699999999999973 is 0.817 after some turns
    char shorter[32];
    snprintf(shorter, sizeof shorter, "%.13g", x);
    if (strlen(shorter) + 4 < strlen(buffer)) {
        memcpy(buffer, shorter, sizeof shorter);
    }
    return buffer;
}

// What rounding leaves of a zero is 0.
static double tidy(double x, double size) { return fabs(x) <= 4e-16 * size ? 0.0 : x; }

const char *scene_format(char buffer[112], bi_vec3 v)
{
    double size = fabs(v.x) + fabs(v.y) + fabs(v.z);
    char x[32], y[32], z[32];
    snprintf(buffer, 112, "[%s, %s, %s]", number_text(x, tidy(v.x, size)), number_text(y, tidy(v.y, size)),
             number_text(z, tidy(v.z, size)));
    return buffer;
}

static void write_vector(FILE *out, const char *key, bi_vec3 v)
{
    char text[112];
    fprintf(out, "%s%s", key, scene_format(text, v));
}

static void write_number(FILE *out, const char *key, double x)
{
    char text[32];
    fprintf(out, "%s%s", key, number_text(text, x));
}

static void write_turn(FILE *out, const char *key, const rotation *r)
{
    bi_quat q = quaternion_of(r);
    double x[4] = { q.w, q.x, q.y, q.z };
    if (fabs(q.x) + fabs(q.y) + fabs(q.z) < 1e-15) {
        return;
    }
    fprintf(out, "%s{quaternion: [", key);
    for (int k = 0; k < 4; k++) {
        char text[32];
        fprintf(out, "%s%s", k ? ", " : "", number_text(text, tidy(x[k], 1.0)));
    }
    fputs("]}", out);
}

// Text between quotes: nothing in it ends them.
static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        fputc(*c == '"' || *c == '\\' || (unsigned char)*c < 0x20 ? '_' : *c, out);
    }
    fputc('"', out);
}

// The heading of a section, before its first line.
static void begin(FILE *out, const char *section, bool *is_begun)
{
    if (!*is_begun) {
        fprintf(out, "%s:\n", section);
    }
    *is_begun = true;
}

// ---- bodies and joints -----------------------------------------------------------------------------------------

static bool is_kept(const scene *s, int b) { return b > 0 && s->body[b].host == b; }

static void write_body(FILE *out, const scene_body *b)
{
    double size = b->inertia[0] + b->inertia[1] + b->inertia[2];
    fprintf(out, "  %s:\n", b->called);
    if (b->mass > 0.0) {
        write_number(out, "    mass: ", b->mass);
        write_vector(out, "\n    com: ", b->com);
        fputs("\n    inertia: [", out);
        for (int k = 0; k < 6; k++) {
            write_number(out, k ? ", " : "", tidy(b->inertia[k], size));
        }
        fputs("]\n", out);
    }
    write_vector(out, "    at: ", b->at.pos);
    fputc('\n', out);
}

static bool is_turning(const scene_joint *j) { return strcmp(j->type, "revolute") == 0; }
static bool is_sliding(const scene_joint *j) { return strcmp(j->type, "prismatic") == 0; }
static bool has_coordinate(const scene_joint *j) { return is_turning(j) || is_sliding(j); }

static void write_joint(FILE *out, const scene *s, const scene_joint *j)
{
    const scene_body *a = &s->body[s->body[j->a].host], *b = &s->body[s->body[j->b].host];
    if (strcmp(j->type, "free") == 0) {
        fprintf(out, "  # %s: %s floats\n", j->called, b->called);
        return;
    }
    fprintf(out, "  %s: {type: %s, bodies: [%s, %s]", j->called, j->type, a->called, b->called);
    if (is_sliding(j) && j->ref != 0.0) {
        // the coordinate is the way from the point of a to that of b
        write_vector(out, ", at_a: ", difference(difference(j->at, scaled(j->ref, j->axis)), a->at.pos));
        write_vector(out, ", at_b: ", difference(j->at, b->at.pos));
    } else {
        write_vector(out, ", at: ", j->at);
    }
    if (strcmp(j->type, "universal") == 0) {
        write_vector(out, ", axis_a: ", j->axis);
        write_vector(out, ", axis_b: ", j->axis_b);
        fputs(", zero: described", out);
    } else if (strcmp(j->type, "fixed") != 0 && strcmp(j->type, "spherical") != 0) {
        write_vector(out, ", axis: ", j->axis);
    }
    if (strcmp(j->type, "screw") == 0) {
        write_number(out, ", pitch: ", j->pitch);
    }
    if (is_turning(j) && j->ref != 0.0) {
        write_number(out, ", zero: ", -j->ref);
    }
    if (has_coordinate(j) && j->armature > 0.0) {
        write_number(out, ", armature: ", j->armature);
    }
    fputs(j->is_loop ? ", loop: true}\n" : "}\n", out);
}

// ---- forces of joints ------------------------------------------------------------------------------------------

static void write_spring(FILE *out, const scene_joint *j, bool *is_begun)
{
    begin(out, "forces", is_begun);
    fprintf(out, "  %s_%s: {type: torsion-spring, joint: %s", j->called,
            j->stiffness > 0.0 ? "spring" : "damping", j->called);
    if (j->stiffness > 0.0) {
        write_number(out, ", stiffness: ", j->stiffness);
        write_number(out, ", rest: ", j->rest);
    }
    if (j->damping > 0.0) {
        write_number(out, ", damping: ", j->damping);
    }
    fputs("}\n", out);
}

static void write_stop(FILE *out, const scene_joint *j, bool *is_begun)
{
    double time = j->stop_time > 0.0 ? j->stop_time : 0.02;
    double stiffness = j->stop_stiffness > 0.0 ? j->stop_stiffness : j->carried / (time * time);
    double damping = j->stop_stiffness > 0.0 ? j->stop_damping : 2.0 * j->carried / time;
    if (!(stiffness > 0.0) || !isfinite(stiffness) || !(j->lower < j->upper)) {
        return;
    }
    begin(out, "forces", is_begun);
    fprintf(out, "  %s_stop: {type: stop, joint: %s", j->called, j->called);
    write_number(out, ", lower: ", j->lower);
    write_number(out, ", upper: ", j->upper);
    fprintf(out, ", stiffness: %.6g, damping: %.6g}\n", stiffness, damping);
}

// Springs and dampers of ball joints act on all turns alike.
static void write_turning_spring(FILE *out, const scene *s, const scene_joint *j, bool *is_begun)
{
    const scene_body *a = &s->body[s->body[j->a].host], *b = &s->body[s->body[j->b].host];
    begin(out, "forces", is_begun);
    fprintf(out, "  %s_spring: {type: bushing, a: {body: %s", j->called, a->called);
    write_vector(out, ", at: ", difference(j->at, a->at.pos));
    fprintf(out, "}, b: {body: %s", b->called);
    write_vector(out, ", at: ", difference(j->at, b->at.pos));
    char k[32], c[32];
    number_text(k, j->stiffness);
    number_text(c, j->damping);
    fprintf(out, "}, stiffness: [0, 0, 0, %s, %s, %s], damping: [0, 0, 0, %s, %s, %s]}\n", k, k, k, c, c, c);
}

static void write_joint_forces(FILE *out, const scene *s, bool *is_begun)
{
    for (int k = 0; k < s->n_joint; k++) {
        const scene_joint *j = &s->joint[k];
        if (has_coordinate(j) && (j->damping > 0.0 || j->stiffness > 0.0)) {
            write_spring(out, j, is_begun);
        } else if (strcmp(j->type, "spherical") == 0 && (j->damping > 0.0 || j->stiffness > 0.0)) {
            write_turning_spring(out, s, j, is_begun);
        }
        if (has_coordinate(j) && j->friction > 0.0 && !scene_without(s, BI_WITHOUT_FRICTION) &&
            j->carried > 0.0) {
            begin(out, "forces", is_begun);
            fprintf(out, "  %s_friction: {type: joint-friction, joint: %s", j->called, j->called);
            write_number(out, ", coulomb: ", j->friction);
            fprintf(out, ", inertia: %.6g}\n", j->carried);
        }
        if (has_coordinate(j) && j->is_limited && !scene_without(s, BI_WITHOUT_LIMITS)) {
            write_stop(out, j, is_begun);
        }
    }
}

// ---- shapes ----------------------------------------------------------------------------------------------------

static void write_size(FILE *out, const scene_shape *p)
{
    const double *z = p->size;
    if (strcmp(p->type, "box") == 0) {
        write_vector(out, ", size: ", (bi_vec3){ z[0], z[1], z[2] });
    } else if (strcmp(p->type, "ellipsoid") == 0) {
        write_vector(out, ", half_axes: ", (bi_vec3){ z[0], z[1], z[2] });
    } else if (strcmp(p->type, "sphere") == 0) {
        write_number(out, ", radius: ", z[0]);
    } else if (strcmp(p->type, "cylinder") == 0 || strcmp(p->type, "capsule") == 0) {
        write_number(out, ", radius: ", z[0]);
        write_number(out, ", length: ", z[1]);
    } else if (p->file) {
        fputs(", file: ", out);
        write_quoted(out, p->file);
        if (p->scale[0] == p->scale[1] && p->scale[1] == p->scale[2] && p->scale[0] > 0.0) {
            if (p->scale[0] != 1.0) {
                write_number(out, ", scale: ", p->scale[0]);
            }
        } else {
            write_vector(out, ", scale: ", (bi_vec3){ p->scale[0], p->scale[1], p->scale[2] });
        }
        fputs(p->is_solid ? "" : ", solid: false", out);
    }
}

static void write_shape(FILE *out, const scene *s, const scene_shape *p)
{
    const scene_body *host = &s->body[s->body[p->body].host];
    fprintf(out, "  %s: {type: %s", p->called, p->type);
    if (host != &s->body[0]) {
        fprintf(out, ", body: %s", host->called);
    }
    write_size(out, p);
    bi_vec3 at = difference(p->at.pos, host->at.pos);
    if (at.x != 0.0 || at.y != 0.0 || at.z != 0.0) {
        write_vector(out, ", at: ", at);
    }
    write_turn(out, ", turn: ", &p->at.rot);
    if (p->is_hidden) {
        fputs(", visible: false", out);
    } else {
        fprintf(out, ", colour: [%.3g, %.3g, %.3g", p->colour[0], p->colour[1], p->colour[2]);
        fprintf(out, p->colour[3] < 1.0 ? ", %.3g]" : "]", p->colour[3]);
    }
    fputs("}\n", out);
}

static void write_shapes(FILE *out, scene *s)
{
    bool is_begun = false;
    for (int k = 0; k < s->n_shape; k++) {
        scene_shape *p = &s->shape[k];
        if (p->called) {
            begin(out, "shapes", &is_begun);
            write_shape(out, s, p);
        }
    }
}

// ---- the whole -------------------------------------------------------------------------------------------------

static void write_lines(FILE *out, scene *s, int which, const char *section, bool *is_begun)
{
    if (s->line[which]) {
        fflush(s->line[which]);
    }
    if (s->length[which] > 0) {
        begin(out, section, is_begun);
        fwrite(s->text[which], 1, s->length[which], out);
    }
}

static void write_bodies(FILE *out, scene *s)
{
    bool is_begun = false;
    for (int k = 1; k < s->n_body; k++) {
        if (is_kept(s, k)) {
            begin(out, "bodies", &is_begun);
            write_body(out, &s->body[k]);
        }
    }
    is_begun = false;
    for (int k = 0; k < s->n_joint; k++) {
        if (s->body[s->joint[k].a].host != s->body[s->joint[k].b].host) {
            begin(out, "joints", &is_begun);
            write_joint(out, s, &s->joint[k]);
        }
    }
    write_lines(out, s, LINES_JOINTS, "joints", &is_begun);
}

static void write_outputs(FILE *out, scene *s)
{
    bool is_begun = false;
    for (int k = 0; k < s->n_joint; k++) {
        if (has_coordinate(&s->joint[k]) && s->body[s->joint[k].a].host != s->body[s->joint[k].b].host) {
            begin(out, "outputs", &is_begun);
            fprintf(out, "  %s: {joint: %s}\n", s->joint[k].called, s->joint[k].called);
        }
    }
    for (int k = 1; k < s->n_body; k++) {
        if (is_kept(s, k) && s->body[k].is_free) {
            begin(out, "outputs", &is_begun);
            fprintf(out, "  %s_at: {body: %s}\n", s->body[k].called, s->body[k].called);
        }
    }
    write_lines(out, s, LINES_OUTPUTS, "outputs", &is_begun);
}

// The lightest body that something can touch, with what is fixed to it; 0: none.
static double lightest(const scene *s)
{
    double least = 0.0;
    for (int k = 0; k < s->n_shape; k++) {
        const scene_shape *p = &s->shape[k];
        double mass = p->is_solid && p->called ? s->body[s->body[p->body].host].mass : 0.0;
        least = mass > 0.0 && (least == 0.0 || mass < least) ? mass : least;
    }
    return least;
}

// All contacts have the same stiffness: all that moves would sink in by a millimetre on one point, and not bounce; less where a
// light body would then swing faster than steps of a millisecond follow.
static void write_parameters(FILE *out, scene *s)
{
    static const double step = 1e-3;
    fflush(s->line[LINES_CONTACTS]);
    if (s->length[LINES_CONTACTS] == 0) {
        return;
    }
    double mass = s->mass > 0.0 ? s->mass : 1.0, light = lightest(s), stiffness = mass * 9.81 / 0.001;
    if (light > 0.0) {
        stiffness = fmin(stiffness, 0.5 * light / (step * step));
    }
    fprintf(out,
            "parameters:\n  contact_stiffness: {value: %.3g, unit: N/m, help: of one point that touches; the "
            "file "
            "says none}\n  contact_damping: {value: %.3g, unit: N*s/m, help: likewise}\n",
            stiffness, 0.5 * sqrt(stiffness * (light > 0.0 ? light : mass)));
}

static void write_view(FILE *out, const scene *s)
{
    for (int k = 1; k < s->n_body; k++) {
        if (is_kept(s, k) && s->body[k].is_free) {
            fprintf(out, "view: {body: %s}\n", s->body[k].called);
            return;
        }
    }
}

void scene_write(scene *s, FILE *out)
{
    const char *slash = strrchr(s->path, '/');
    bool is_begun = false;
    fputs("# From ", out);
    for (const char *c = slash ? slash + 1 : s->path; *c; c++) {
        fputc((unsigned char)*c < 0x20 ? '_' : *c, out);
    }
    fputs(", by biela import. Each body frame stands at its link's origin, parallel to the ground axes as "
          "described here.\n"
          "biela: 1\nname: ",
          out);
    write_quoted(out, s->name && s->name[0] ? s->name : "robot");
    write_vector(out, "\ngravity: ", s->gravity);
    fputc('\n', out);
    write_parameters(out, s);
    write_lines(out, s, LINES_INPUTS, "inputs", &is_begun);
    write_view(out, s);
    is_begun = false;
    write_lines(out, s, LINES_SIGNALS, "signals", &is_begun);
    write_bodies(out, s);
    write_shapes(out, s);
    is_begun = false;
    write_lines(out, s, LINES_FORCES, "forces", &is_begun);
    write_joint_forces(out, s, &is_begun);
    write_lines(out, s, LINES_CONTACTS, "forces", &is_begun);
    is_begun = false;
    write_lines(out, s, LINES_CONSTRAINTS, "constraints", &is_begun);
    write_outputs(out, s);
    fputs("run: {time: 5, dt: 1 ms, every: 10 ms, formulation: joint}\n", out);
}
