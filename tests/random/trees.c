// SPDX-License-Identifier: MIT
// Bodies and joints: trees, loops, and classic linkages at and near their singular positions.
#include "mechanism.h"
#include <string.h>

made_body *body_new(mechanism *m, part *p, const char *name, const double at[3])
{
    made_body *b = &m->body[m->n_body++];
    *b = (made_body){ .part = part_index(m, p), .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    snprintf(b->name, sizeof b->name, "%s", name);
    memcpy(b->at, at, sizeof b->at);
    return b;
}

made_joint *joint_new(mechanism *m, part *p, const char *name)
{
    made_joint *j = &m->joint[m->n_joint++];
    *j = (made_joint){ .part = part_index(m, p), .carried = 1.0 };
    snprintf(j->name, sizeof j->name, "%s", name);
    return j;
}

static bool is_full(const mechanism *m, int bodies, int joints)
{
    return m->n_body + bodies > BODIES_MOST || m->n_joint + joints > JOINTS_MOST;
}

// Three points tell where a body is.
static void add_body_outputs(part *p, const char *name)
{
    static const char *const at[] = { "0, 0, 0", "0.3, 0, 0", "0, 0.3, 0.1" };
    for (int k = 0; k < 3; k++) {
        entry *e = entry_add(p, IN_OUTPUTS, "%s_%c", name, 'p' + k);
        field_add(e, "point: {body: %s, at: [%s]}", name, at[k]);
    }
}

static void add_joint_outputs(part *p, const made_joint *j)
{
    if (j->coordinate[0]) {
        field_add(entry_add(p, IN_OUTPUTS, "%s", j->name), "joint: %s", j->name);
    }
    field_add(entry_add(p, IN_OUTPUTS, "R_%s", j->name), "reaction: %s", j->name);
}

// ---- orientation ---------------------------------------------------------------------------------------------------------

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++) {
                out[3 * i + j] += a[3 * i + k] * b[3 * k + j];
            }
        }
    }
}

static void rotation(int axis, double angle, double out[9])
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    memset(out, 0, 9 * sizeof *out);
    out[4 * axis] = 1.0;
    out[4 * i] = out[4 * j] = cos(angle);
    out[3 * i + j] = -sin(angle);
    out[3 * j + i] = sin(angle);
}

// Nothing, one turn or two; in a plane about z only.
static bool add_turn(mechanism *m, entry *e, made_body *b)
{
    int turns = chance_below(&m->chance, m->is_plane ? 2 : 3);
    char text[128] = "";
    for (int k = 0; k < turns; k++) {
        int axis = m->is_plane ? 2 : chance_below(&m->chance, 3);
        double angle = chance_length(&m->chance, -3, 3), step[9], whole[9];
        rotation(axis, angle, step);
        multiply(b->turn, step, whole);
        memcpy(b->turn, whole, sizeof whole);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s{%c: %g}", k ? ", " : "", 'x' + axis, angle);
    }
    if (turns > 0) {
        field_add(e, "turn: [%s]", text);
    }
    return turns > 0;
}

// ---- bodies of a tree ------------------------------------------------------------------------------------------------------

static double add_mass(mechanism *m, entry *e)
{
    chance *c = &m->chance;
    double mass = chance_size(c, 0.2, 20);
    if (chance_is(c, 0.02)) {
        return 0.0; // massless between two joints: legal
    }
    field_add(e, "mass: %g", mass);
    if (chance_is(c, 0.7)) {
        field_maybe(e, "com: [%g, %g, %g]", chance_length(c, -0.3, 0.3), chance_length(c, -0.3, 0.3),
                    m->is_plane ? 0.0 : chance_length(c, -0.3, 0.3));
    }
    switch (chance_below(c, 12)) {
    case 0:
    case 1: field_add(e, "inertia: {sphere: %g}", chance_length(c, 0.1, 0.4)); break;
    case 2: field_add(e, "inertia: {rod: [%g, 0, 0]}", chance_length(c, 0.2, 0.8)); break;
    default:
        field_add(e, "inertia: {box: [%g, %g, %g]}", chance_length(c, 0.1, 0.8), chance_length(c, 0.1, 0.8),
                  chance_length(c, 0.1, 0.8));
        break;
    }
    return mass;
}

typedef struct {
    const char *type, *coordinate;
    int weight, weight_plane, weight_loop;
} joint_kind;

static const joint_kind kinds[] = {
    { "revolute", "angle", 8, 14, 7 },   { "prismatic", "position", 3, 4, 2 },
    { "spherical", "", 4, 1, 4 },        { "universal", "", 2, 0, 2 },
    { "cylindrical", "angle", 2, 1, 3 }, { "free", "x", 2, 1, 0 },
    { "distance", "position", 1, 1, 3 }, { "planar", "", 1, 2, 3 },
    { "screw", "angle", 1, 0, 1 },       { "fixed", "", 1, 1, 1 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef enum { FOR_TREE, FOR_LOOP } joint_role;

static int weight_of(const mechanism *m, const joint_kind *k, joint_role role)
{
    return role == FOR_LOOP ? k->weight_loop : m->is_plane ? k->weight_plane : k->weight;
}

static const joint_kind *choose_kind(mechanism *m, joint_role role)
{
    int sum = 0, k = 0;
    for (int i = 0; i < KINDS; i++) {
        sum += weight_of(m, &kinds[i], role);
    }
    int left = chance_below(&m->chance, sum);
    while (left >= weight_of(m, &kinds[k], role)) {
        left -= weight_of(m, &kinds[k++], role);
    }
    return &kinds[k];
}

static void choose_axis(mechanism *m, const joint_kind *kind, double axis[3])
{
    pick_direction(m, axis);
    if (m->is_plane && strcmp(kind->type, "prismatic") != 0) {
        axis[0] = axis[1] = 0.0;
        axis[2] = 1.0;
    }
}

// The fields of a joint between two bodies at a point of the ground's axes.
static void add_joint_fields(mechanism *m, entry *e, const joint_kind *kind, int a, int b, const double at[3])
{
    chance *c = &m->chance;
    double axis[3];
    choose_axis(m, kind, axis);
    field_add(e, "type: %s", kind->type);
    field_add(e, "bodies: [%s, %s]", m->body[a].name, m->body[b].name);
    if (strcmp(kind->type, "distance") == 0) {
        field_add(e, "from: [%g, %g, %g]", at[0], at[1], at[2]);
        field_add(e, "to: [%g, %g, %g]", at[0] + chance_length(c, 0.2, 0.6),
                  at[1] + chance_length(c, -0.3, 0.3),
                  at[2] + (m->is_plane ? 0.0 : chance_length(c, -0.3, 0.3)));
        return;
    }
    field_add(e, "at: [%g, %g, %g]", at[0], at[1], at[2]);
    field_add(e, "axis: [%g, %g, %g]", axis[0], axis[1], axis[2]);
    if (strcmp(kind->type, "screw") == 0) {
        field_add(e, "pitch: %g", chance_length(c, 0.05, 0.5));
    }
    bool has_angles = strcmp(kind->type, "free") == 0 || strcmp(kind->type, "spherical") == 0;
    if (has_angles && chance_is(c, 0.3)) {
        field_maybe(e, "angles: %s", chance_is(c, 0.5) ? "xyz" : "zxy");
    }
}

static double point_near(mechanism *m, const double centre, int axis)
{
    return m->is_plane && axis == 2 ? 0.0 : centre + chance_length(&m->chance, -0.5, 0.5);
}

static void add_speed(mechanism *m, entry *body, entry *joint, const joint_kind *kind)
{
    chance *c = &m->chance;
    if (!m->is_moving || !chance_is(c, 0.6)) {
        return;
    }
    bool is_free = strcmp(kind->type, "free") == 0 || strcmp(kind->type, "spherical") == 0;
    if (is_free && m->is_plane) {
        field_maybe(body, "spin: [0, 0, %g]", chance_length(c, -6, 6));
    } else if (is_free) {
        field_maybe(body, "spin: [%g, %g, %g]", chance_length(c, -5, 5), chance_length(c, -5, 5),
                    chance_length(c, -5, 5));
    } else if (strcmp(kind->coordinate, "angle") == 0) {
        field_maybe(joint, "rate: %g", chance_length(c, -8, 8));
    } else if (strcmp(kind->type, "prismatic") == 0) {
        field_maybe(joint, "rate: %g", chance_length(c, -2, 2));
    }
}

static void note_joint(mechanism *m, part *p, entry *e, const joint_kind *kind, bool is_parallel)
{
    made_joint *j = joint_new(m, p, e->name);
    if (kind->coordinate[0]) {
        snprintf(j->coordinate, sizeof j->coordinate, "%s.%s", e->name, kind->coordinate);
    }
    j->is_angle = strcmp(kind->coordinate, "angle") == 0;
    j->is_zero = is_parallel ? strcmp(kind->type, "distance") != 0 && strcmp(kind->type, "free") != 0
                             : strcmp(kind->type, "prismatic") == 0;
    add_joint_outputs(p, j);
}

void add_tree_body(mechanism *m)
{
    part *p = is_full(m, 1, 1) ? NULL : part_add(m);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    int parent = chance_is(c, 0.35) ? 0 : chance_below(c, m->n_body);
    const double *from = m->body[parent].at;
    double at[3], joint_at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = round(100.0 * point_near(m, from[k], k)) / 100.0;
        joint_at[k] = round(100.0 * point_near(m, 0.5 * (from[k] + at[k]), k)) / 100.0;
    }
    char name[24];
    snprintf(name, sizeof name, "b%d", m->n_body);
    const joint_kind *kind = choose_kind(m, FOR_TREE);
    if (m->body[parent].is_flexible) {
        to_ground(&m->body[parent], (double[3]){ 0.5, 0, 0 }, joint_at);
    }
    part_needs(p, m->body[parent].part);
    entry *body = entry_add(p, IN_BODIES, "%s", name);
    made_body *b = body_new(m, p, name, at);
    add_mass(m, body);
    field_add(body, "at: [%g, %g, %g]", at[0], at[1], at[2]);
    // a child turned as its parent: its angle is zero
    bool is_parallel = parent == 0 ? chance_is(c, 0.5) : false;
    is_parallel = is_parallel || (!add_turn(m, body, b) && parent == 0);
    entry *joint = entry_add(p, IN_JOINTS, "j%d", m->n_joint);
    add_joint_fields(m, joint, kind, parent, m->n_body - 1, joint_at);
    add_speed(m, body, joint, kind);
    note_joint(m, p, joint, kind, is_parallel);
    add_body_outputs(p, name);
}

// ---- loops ------------------------------------------------------------------------------------------------------------------

void add_loop(mechanism *m)
{
    part *p = m->n_body < 2 || is_full(m, 0, 1) ? NULL : part_add(m);
    if (!p) {
        return;
    }
    int b = pick_body(m), a = pick_other(m, b);
    made_point at = pick_point(m, b);
    for (int k = 0; k < 3 && !m->body[b].is_flexible; k++) {
        at.ground[k] = round(100.0 * at.ground[k]) / 100.0;
    }
    const joint_kind *kind = choose_kind(m, FOR_LOOP);
    if (m->body[a].is_flexible || m->body[b].is_flexible) {
        m->n_part--;
        return;
    }
    part_needs(p, m->body[a].part);
    part_needs(p, m->body[b].part);
    entry *joint = entry_add(p, IN_JOINTS, "j%d", m->n_joint);
    add_joint_fields(m, joint, kind, a, b, at.ground);
    if (strcmp(kind->type, "distance") != 0 && chance_is(&m->chance, 0.2)) {
        field_maybe(joint, "loop: true");
    }
    note_joint(m, p, joint, kind, false);
}

// ---- classics ---------------------------------------------------------------------------------------------------------------

static entry *add_bar(mechanism *m, part *p, const double from[3], const double to[3])
{
    char name[24];
    snprintf(name, sizeof name, "b%d", m->n_body);
    double at[3] = { 0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.5 * (from[2] + to[2]) };
    entry *e = entry_add(p, IN_BODIES, "%s", name);
    body_new(m, p, name, at);
    field_add(e, "mass: %g", chance_size(&m->chance, 0.2, 5));
    field_add(e, "inertia: {box: [%g, %g, 0.1]}", fmax(0.1, fabs(to[0] - from[0])),
              fmax(0.1, fabs(to[1] - from[1])));
    field_add(e, "at: [%g, %g, %g]", at[0], at[1], at[2]);
    return e;
}

static entry *add_pin(mechanism *m, part *p, const char *type, int a, int b, const double at[3])
{
    entry *e = entry_add(p, IN_JOINTS, "j%d", m->n_joint);
    field_add(e, "type: %s", type);
    field_add(e, "bodies: [%s, %s]", m->body[a].name, m->body[b].name);
    field_add(e, "at: [%g, %g, %g]", at[0], at[1], at[2]);
    bool slides = strcmp(type, "prismatic") == 0;
    field_add(e, "axis: [%d, 0, %d]", slides ? 1 : 0, slides ? 0 : 1);
    made_joint *j = joint_new(m, p, e->name);
    j->is_angle = !slides;
    j->is_zero = true;
    if (strcmp(type, "spherical") != 0) {
        snprintf(j->coordinate, sizeof j->coordinate, "%s.%s", e->name, slides ? "position" : "angle");
    }
    field_add(entry_add(p, IN_OUTPUTS, "R_%s", j->name), "reaction: %s", j->name);
    return e;
}

// A four-bar linkage: any, a parallelogram, one on a line (two branches meet there), a kite.
static void add_four_bar(mechanism *m, part *p)
{
    chance *c = &m->chance;
    double x = m->aside, l = chance_length(c, 0.3, 1), h = chance_length(c, 0.3, 0.8);
    double A[3] = { x, 0, 0 }, B[3] = { x, h, 0 }, C[3] = { x + l, h, 0 }, D[3] = { x + l, 0, 0 };
    int shape = chance_below(c, 4), first = m->n_body;
    if (shape == 0) {
        C[0] += chance_length(c, 0.1, 0.5);
        C[1] += chance_length(c, -0.2, 0.5);
    } else if (shape == 1) {
        B[0] = x + h;
        B[1] = 0.0;
        C[0] = x + l + h;
        C[1] = 0.0;
    } else if (shape == 2) {
        C[0] = B[0] + (D[0] - A[0]);
        C[1] = B[1];
    }
    add_bar(m, p, A, B);
    add_bar(m, p, B, C);
    add_bar(m, p, C, D);
    entry *crank = add_pin(m, p, "revolute", 0, first, A);
    add_pin(m, p, "revolute", first, first + 1, B);
    add_pin(m, p, "revolute", first + 1, first + 2, C);
    add_pin(m, p, "revolute", 0, first + 2, D);
    if (chance_is(c, 0.6)) {
        field_maybe(crank, "rate: %g", chance_length(c, -6, 6));
    }
}

// Crank, rod and slider; sometimes at a dead point, or with equal lengths (the slider may then stay at the pivot).
static void add_slider_crank(mechanism *m, part *p)
{
    chance *c = &m->chance;
    double x = m->aside, r = chance_length(c, 0.2, 0.5), rod = chance_length(c, 0.6, 1.2);
    double A[3] = { x, 0, 0 }, B[3] = { x, r, 0 }, C[3] = { x + rod, 0, 0 };
    if (chance_is(c, 0.3)) {
        B[0] = x + r;
        B[1] = 0.0;
        C[0] = x + r + rod;
    }
    int first = m->n_body;
    add_bar(m, p, A, B);
    add_bar(m, p, B, C);
    add_bar(m, p, C, C);
    entry *crank = add_pin(m, p, "revolute", 0, first, A);
    add_pin(m, p, "revolute", first, first + 1, B);
    add_pin(m, p, "revolute", first + 1, first + 2, C);
    add_pin(m, p, "prismatic", 0, first + 2, C);
    if (chance_is(c, 0.6)) {
        field_maybe(crank, "rate: %g", chance_length(c, -6, 6));
    }
}

// A door: several hinges on one axis are redundant.
static void add_door(mechanism *m, part *p)
{
    double x = m->aside, A[3] = { x, 0, 0.3 }, B[3] = { x, 0, -0.3 }, C[3] = { x + 0.8, 0, 0 };
    add_bar(m, p, (double[3]){ x, 0, 0 }, C);
    int door = m->n_body - 1;
    entry *hinge = add_pin(m, p, "revolute", 0, door, A);
    add_pin(m, p, chance_is(&m->chance, 0.5) ? "revolute" : "spherical", 0, door, B);
    if (chance_is(&m->chance, 0.6)) {
        field_maybe(hinge, "rate: %g", chance_length(&m->chance, -6, 6));
    }
}

void add_classic(mechanism *m)
{
    part *p = is_full(m, 3, 4) ? NULL : part_add(m);
    if (!p) {
        return;
    }
    int before = m->n_body;
    switch (chance_below(&m->chance, 4)) {
    case 0: add_slider_crank(m, p); break;
    case 1: add_door(m, p); break;
    default: add_four_bar(m, p); break;
    }
    for (int b = before; b < m->n_body; b++) {
        field_add(entry_add(p, IN_OUTPUTS, "%s_p", m->body[b].name), "point: {body: %s, at: [0.3, 0, 0]}",
                  m->body[b].name);
    }
    m->aside += 4.0;
}
